/* profile_split.c - see profile_split.h. */
#include "models/profile/profile_split.h"

#include "des/digest.h"
#include "des/newfile.h"
#include "models/profile/profile_gzip.h"
#include "models/profile/profile_rows.h"
#include "models/profile/profile_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".sql.gz"

/* Of a partial profile: what it lacks, which cannot be seen without the evidence. */
#define MISSING_KEY "missing"

/* What of a table a simulation reads. A table that is not here it reads whole. */
static const struct kept {
    const char *table;
    struct profile_text_part part;
} kept[] = {
    {"profile", {NULL, "key <> '" MISSING_KEY "'"}},
    {"kernel_solo",
     {" application size kernel mechanism sms n median_ns mean_ns stddev_ns ", NULL}},
    {"request_solo", {" application size mechanism sms median_ns ", NULL}},
    {"kernel_launch",
     {" application size kernel mechanism sms position launches blocks blocks_per_sm median_ns ",
      "mechanism = 'whole'"}},
};

/* Where the rest is. A table that is here, but not in `kept`, no simulation reads. */
static const struct part {
    const char *name, *tables[4]; /* NULL-ended */
} parts[] = {
    {"solo", {"request_solo", "kernel_solo"}},
    {"launches", {"kernel_launch"}},
    {"coruns", {"corun", "corun_side", "corun_tail"}},
    {"live", {"live", "live_request"}},
    {"live_partitions", {"live_partition", "live_partition_request"}},
    {"noise", {"noise"}},
    {"revocations", {"revocation_sample"}},
    {"transfers", {"transfer"}},
    {"cpu", {"cpu_point", "cpu_sample"}},
    {"cpu_pressure", {"cpu_pressure", "cpu_residual"}},
    {"residency", {"residency", "residency_l2", "residency_three"}},
    {"split_runs", {"split_run"}},
    {"steps", {"step"}},
};
enum { PARTS = sizeof parts / sizeof *parts };

/* ---- names ---- */

static char *make_name(const char *format, const char *name, int length, const char *part)
{
    size_t bytes = strlen(name) + strlen(part) + 32;
    char *text = dcs_alloc(bytes, 1);
    snprintf(text, bytes, format, length, name, part);
    return text;
}

/* The file of a part of NAME, of which `length` bytes count. */
static char *part_path(const char *name, int length, const char *part)
{
    return make_name("%.*s.evidence/%s" SUFFIX, name, length, part);
}

/* How much of the path of a profile is its NAME. */
static int name_length(const char *path)
{
    static const char *const suffixes[] = {SUFFIX, ".sql", ".db"};
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t suffix = strlen(suffixes[i]);
        if (length > suffix && strcmp(path + length - suffix, suffixes[i]) == 0)
            return (int)(length - suffix);
    }
    return (int)length;
}

static const struct part *find_part(const char *name)
{
    for (size_t i = 0; i < PARTS; i++)
        if (strcmp(parts[i].name, name) == 0)
            return &parts[i];
    return NULL;
}

static bool is_of_part(const struct part *part, const char *table)
{
    for (const char *const *t = part->tables; *t != NULL; t++)
        if (strcmp(*t, table) == 0)
            return true;
    return false;
}

/* ---- writing ---- */

struct splitter {
    struct dcs_profile_source source;
    const char *path, *name;
    const double *quantiles;
    size_t quantiles_count;
    char *missing; /* NULL: the profile is not partial */
    char sha256[PARTS][65];
    bool written[PARTS];
    struct dcs_err *err;
};

static int read_failed(const struct splitter *w)
{
    return dcs_err_at(w->err, w->path, 0, NULL, "%s", sqlite3_errmsg(w->source.db));
}

/* Whether the file holds the text, however it was packed. */
static bool is_same(const char *path, const char *text, size_t size)
{
    struct dcs_err unused = {0};
    size_t found = 0;
    unsigned char *bytes = dcs_profile_read_bytes(path, "profile", &found, &unused);
    bool same = bytes != NULL && found == size && memcmp(bytes, text, size) == 0;
    free(bytes);
    return same;
}

static int pack_into(const char *path, const char *text, size_t size, struct dcs_err *err)
{
    if (size > DCS_PROFILE_BYTES_MAX)
        return dcs_err_at(err, path, 0, NULL,
                          "would unpack to %zu bytes, a profile has at most %lld", size,
                          DCS_PROFILE_BYTES_MAX);
    if (is_same(path, text, size))
        return 0;
    size_t packed = 0;
    unsigned char *bytes = gzip_pack((const unsigned char *)text, size, &packed);
    int status = newfile_replace(path, bytes, packed, err);
    free(bytes);
    return status;
}

/* Ends a text that was begun in memory. */
static void end_text(FILE *out)
{
    fputs("COMMIT;\n", out);
    DCS_ASSERT(ferror(out) == 0 && fclose(out) == 0); /* memory */
}

static int has_rows(struct splitter *w, const char *table, bool *any)
{
    char sql[128];
    int there = dcs_profile_has_table(&w->source, w->path, table, w->err);
    *any = false;
    if (there != 1)
        return there;
    sqlite3_stmt *row = NULL;
    snprintf(sql, sizeof sql, "SELECT 1 FROM %s LIMIT 1", table);
    int code = sqlite3_prepare_v2(w->source.db, sql, -1, &row, NULL);
    *any = code == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW;
    sqlite3_finalize(row);
    return code == SQLITE_OK ? 0 : read_failed(w);
}

/* Writes a part, if there is any row of it. */
static int write_part(struct splitter *w, size_t index)
{
    const struct part *part = &parts[index];
    bool any = false, more = false;
    for (const char *const *t = part->tables; *t != NULL; t++, any = any || more)
        if (has_rows(w, *t, &more) != 0)
            return -1;
    if (!any)
        return 0;
    char *text = NULL, *path = part_path(w->name, (int)strlen(w->name), part->name);
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    DCS_ASSERT(out != NULL);
    fprintf(out, "-- Evidence of a profile, the part \"%s\".\nBEGIN;\n", part->name);
    struct dcs_profile_table t = {0};
    int code = SQLITE_OK;
    while (code == SQLITE_OK && dcs_profile_next_table(&t))
        if (is_of_part(part, t.name))
            code = profile_text_write(out, w->source.db, &t, NULL);
    end_text(out);
    dcs_sha256(text, size, w->sha256[index]);
    int status = code == SQLITE_OK ? pack_into(path, text, size, w->err) : read_failed(w);
    w->written[index] = true;
    free(text);
    free(path);
    return status;
}

static void write_quantiles(const struct splitter *w, FILE *out)
{
    for (size_t i = 0; i < w->quantiles_count; i++)
        fprintf(out, "%s(%zu,%.17g)", i > 0 ? ",\n" : "INSERT INTO noise_quantile VALUES\n", i,
                w->quantiles[i]);
    if (w->quantiles_count > 0)
        fputs(";\n", out);
}

static void write_list(const struct splitter *w, FILE *out)
{
    for (size_t i = 0; i < PARTS; i++)
        if (w->written[i])
            fprintf(out, "INSERT INTO evidence VALUES\n('%s','%s');\n", parts[i].name,
                    w->sha256[i]);
}

/* What of a table stands in NAME.sql.gz; NULL: all. */
static const struct profile_text_part *find_kept(const struct splitter *w, const char *table)
{
    static const struct profile_text_part none = {.where = "0"};
    const struct profile_text_part *found = NULL;
    if (strcmp(table, "noise_quantile") == 0 || strcmp(table, "evidence") == 0)
        return &none;
    for (size_t i = 0; i < PARTS; i++)
        if (is_of_part(&parts[i], table)) {
            if (!w->written[i]) /* it has no rows, and no other place has its columns */
                return NULL;
            found = &none;
        }
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (strcmp(kept[i].table, table) == 0)
            found = &kept[i].part;
    return found;
}

/* A table as a simulation reads it. Returns SQLite's code. */
static int write_kept(struct splitter *w, FILE *out, const struct dcs_profile_table *t)
{
    int code = profile_text_write(out, w->source.db, t, find_kept(w, t->name));
    if (strcmp(t->name, "profile") == 0 && w->missing != NULL) {
        char *row = sqlite3_mprintf("('" MISSING_KEY "',%Q)", w->missing);
        fprintf(out, "INSERT INTO profile VALUES\n%s;\n", row);
        sqlite3_free(row);
    } else if (strcmp(t->name, "noise_quantile") == 0) {
        write_quantiles(w, out);
    } else if (strcmp(t->name, "evidence") == 0) {
        write_list(w, out);
    }
    return code;
}

static int write_main(struct splitter *w)
{
    char *text = NULL, *path = make_name("%.*s" SUFFIX "%s", w->name, (int)strlen(w->name), "");
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    DCS_ASSERT(out != NULL);
    fputs("-- What a simulation reads of a profile; docs/profile.md says what the columns mean.\n"
          "BEGIN;\n",
          out);
    struct dcs_profile_table t = {0};
    int code = SQLITE_OK;
    while (code == SQLITE_OK && dcs_profile_next_table(&t))
        code = write_kept(w, out, &t);
    end_text(out);
    int status = code == SQLITE_OK ? pack_into(path, text, size, w->err) : read_failed(w);
    free(text);
    free(path);
    return status;
}

/* Evidence of a measurement that is no longer there would be taken for its own by a person. */
static void remove_stale(const struct splitter *w)
{
    for (size_t i = 0; i < PARTS; i++) {
        char *path = part_path(w->name, (int)strlen(w->name), parts[i].name);
        if (!w->written[i])
            unlink(path);
        free(path);
    }
}

static int write_all(struct splitter *w)
{
    char *folder = make_name("%.*s.evidence%s", w->name, (int)strlen(w->name), "");
    int status = 0;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        status = dcs_err_at(w->err, folder, 0, NULL, "cannot make the folder: %s", strerror(errno));
    for (size_t i = 0; status == 0 && i < PARTS; i++)
        status = write_part(w, i);
    if (status == 0)
        status = write_main(w);
    if (status == 0)
        remove_stale(w);
    free(folder);
    return status;
}

int dcs_profile_split(const char *path, const char *name, const double *quantiles, size_t count,
                      struct dcs_err *err)
{
    struct splitter w = {.path = path, .name = name, .quantiles = quantiles, .err = err};
    w.quantiles_count = quantiles != NULL ? count : 0;
    if (dcs_profile_open_whole(&w.source, path, err) != 0)
        return -1;
    struct dcs_profile *p = dcs_profile_read(&w.source, path, err);
    int status = -1;
    if (p != NULL && p->schema_version < DCS_PROFILE_SCHEMA) {
        dcs_err_at(err, path, 0, NULL, "has schema version %d, which has no evidence to split off",
                   p->schema_version);
    } else if (p != NULL) {
        w.missing = p->missing;
        status = write_all(&w);
    }
    dcs_profile_free(p);
    dcs_profile_close(&w.source);
    return status;
}

/* ---- reading ---- */

/* One row of the table `evidence`. */
struct listed {
    const struct part *part;
    char sha256[65];
};

struct joiner {
    struct dcs_rows rows;
    struct listed list[PARTS];
    size_t count;
};

static int take_part(void *context)
{
    struct joiner *j = context;
    const char *name = dcs_rows_name(&j->rows, 0);
    const struct part *part = name != NULL ? find_part(name) : NULL;
    if (name == NULL)
        return -1;
    if (part == NULL)
        return dcs_rows_bad_value(&j->rows, 0, "a part of the evidence that this program knows");
    const char *sha256 = dcs_rows_name(&j->rows, 1);
    if (sha256 == NULL)
        return -1;
    for (size_t i = 0; i < j->count; i++)
        if (j->list[i].part == part)
            return dcs_rows_bad_value(&j->rows, 0, "each part once");
    j->list[j->count].part = part;
    snprintf(j->list[j->count++].sha256, sizeof j->list[0].sha256, "%s", sha256);
    return 0;
}

/* Runs a statement of ours in the profile's database. */
static int run_sql(struct joiner *j, const char *sql)
{
    struct dcs_profile_source *s = j->rows.source;
    sqlite3_set_authorizer(s->db, NULL, NULL);
    if (sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK)
        return 0;
    return dcs_err_at(j->rows.err, j->rows.file, 0, NULL, "%s", sqlite3_errmsg(s->db));
}

/* Puts the tables of a part in the place of those that are there. */
static int join_text(struct joiner *j, const struct listed *listed, const char *path,
                     const char *text)
{
    for (const char *const *table = listed->part->tables; *table != NULL; table++) {
        char sql[128];
        snprintf(sql, sizeof sql, "DROP TABLE IF EXISTS %s", *table);
        if (run_sql(j, sql) != 0)
            return -1;
    }
    return dcs_profile_run_text(j->rows.source, path, text, j->rows.err);
}

static int join_part(struct joiner *j, const struct listed *listed)
{
    const char *main = j->rows.file;
    char *path = part_path(main, name_length(main), listed->part->name), sha256[65];
    size_t size = 0;
    int status = -1;
    if (access(path, F_OK) != 0) {
        dcs_err_at(j->rows.err, path, 0, NULL,
                   "is missing: fetch the profile's evidence, the folder of this name beside it in "
                   "dcsim's sources (calibrate/profiles); a simulation needs none");
    } else {
        unsigned char *text = dcs_profile_read_bytes(path, "part of a profile", &size, j->rows.err);
        if (text != NULL) {
            dcs_sha256(text, size, sha256);
            status = strcmp(sha256, listed->sha256) == 0
                         ? join_text(j, listed, path, (const char *)text)
                         : dcs_err_at(j->rows.err, path, 0, NULL,
                                      "is the evidence of another version of %s (sha256 %.12s..., "
                                      "expected %.12s...)",
                                      main, sha256, listed->sha256);
        }
        free(text);
    }
    free(path);
    return status;
}

static int join_all(struct joiner *j)
{
    if (dcs_rows_each_if_there(&j->rows, "evidence", "SELECT part, sha256 FROM evidence", take_part,
                               j) != 0)
        return -1;
    if (j->count == 0)
        return 0;
    for (size_t i = 0; i < j->count; i++)
        if (join_part(j, &j->list[i]) != 0)
            return -1;
    /* What the split put in is found from the evidence again. */
    return run_sql(j, "DELETE FROM evidence; DELETE FROM noise_quantile;"
                      " DELETE FROM profile WHERE key = '" MISSING_KEY "'");
}

int dcs_profile_open_whole(struct dcs_profile_source *s, const char *path, struct dcs_err *err)
{
    if (dcs_profile_open_sqlite(s, path, err) != 0)
        return -1;
    if (!s->is_sql) /* a database is whole; one of version 1 may have any table of that name */
        return 0;
    struct joiner j = {.rows = {.source = s, .file = path, .err = err}};
    int status = join_all(&j);
    dcs_profile_restrict(s);
    if (status != 0)
        dcs_profile_close(s);
    return status;
}
