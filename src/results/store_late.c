/* store_late.c - writes where the time of late requests went; see store_rows.h. */
#include "results/store_rows.h"

#include "runs/explain_lines.h"

#include <stdlib.h>

int store_put_late(struct store *s, uint32_t replication, const struct explanation *all,
                   size_t count, struct dcs_err *err)
{
    uint32_t apps = s->experiment->apps_count;
    int64_t position = 0;
    int failed = EXECUTE(s, DELETE_LATE, integer(s->id), integer(replication));
    for (uint32_t app = 0; app < apps && !failed; app++) {
        size_t n;
        struct explain_line *lines = explain_lines(all, count, app, apps, &n);
        for (size_t i = 0; i < n && lines[i].ns > 0 && !failed; i++)
            failed = EXECUTE(s, PUT_LATE, integer(s->id), integer(replication), integer(position++),
                             integer(app), text(explain_parts[lines[i].part]),
                             unless(lines[i].whom, EXPLAIN_NOBODY), integer(lines[i].ns),
                             count_of(lines[i].requests), count_of(lines[i].enough));
        free(lines);
    }
    return failed ? store_failed(s, "write the time of late requests", err) : 0;
}
