/*
 * profile_store_export.c - a profile as SQL text in a file. See profile_store.h.
 */
#include "calibrate/store/profile_store_sql.h"
#include "models/profile/profile_text.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Each CREATE TABLE of the schema, and the table's rows behind it. */
static int write_tables(struct cal_store *s, FILE *out, struct dcs_err *err)
{
    struct dcs_profile_table t = {0};
    while (dcs_profile_next_table(&t))
        if (profile_text_write(out, s->db, &t, NULL) != SQLITE_OK)
            return cal_store_failed(s, "read", err);
    return 0;
}

int cal_store_export(struct cal_store *s, const char *path, struct dcs_err *err)
{
    char unfinished[512];
    if (snprintf(unfinished, sizeof unfinished, "%s.unfinished", path) >= (int)sizeof unfinished)
        return dcs_err_at(err, path, 0, NULL, "the path is too long");
    FILE *out = fopen(unfinished, "w");
    if (out == NULL)
        return dcs_err_at(err, unfinished, 0, NULL, "cannot be written: %s", strerror(errno));
    fputs("-- A profile measured by dcsim-calibrate; docs/profile.md says what the columns mean.\n"
          "BEGIN;\n",
          out);
    int failed = write_tables(s, out, err);
    fputs("COMMIT;\n", out);
    bool written = fflush(out) == 0 && ferror(out) == 0 && fsync(fileno(out)) == 0;
    int why = errno;
    if (fclose(out) != 0)
        written = false;
    if (!failed && !written)
        failed = dcs_err_at(err, unfinished, 0, NULL, "cannot be written: %s", strerror(why));
    if (!failed && rename(unfinished, path) != 0)
        failed = dcs_err_at(err, path, 0, NULL, "cannot be replaced: %s", strerror(errno));
    if (failed)
        unlink(unfinished);
    return failed;
}
