/* report_data_series.c - what the figures of a report draw that is not in the summaries; see
 * report_data.h. */
#include "report/page/report_data.h"

#include "options/options.h"
#include "results/results_db.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Rows of text ---- */

int report_texts(struct report_texts *t, const struct report_data *d, const char *sql, size_t most,
                 struct dcs_err *err)
{
    *t = (struct report_texts){0};
    sqlite3_stmt *row = results_prepare(d->results, sql, err);
    if (row == NULL)
        return -1;
    t->columns = (size_t)sqlite3_column_count(row);
    size_t capacity = 0;
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        if (t->count == most) {
            t->more = true;
            break;
        }
        t->rows = dcs_grow(t->rows, &capacity, (t->count + 1) * t->columns, sizeof *t->rows);
        for (size_t c = 0; c < t->columns; c++) {
            const char *text = (const char *)sqlite3_column_text(row, (int)c);
            t->rows[t->count * t->columns + c] = dcs_strdup(text != NULL ? text : "");
        }
        t->count++;
    }
    sqlite3_finalize(row);
    if (code == SQLITE_DONE || code == SQLITE_ROW)
        return 0;
    report_texts_release(t);
    return results_failed(d->results, err);
}

void report_texts_release(struct report_texts *t)
{
    for (size_t i = 0; i < t->count * t->columns; i++)
        free(t->rows[i]);
    free(t->rows);
    *t = (struct report_texts){0};
}

int report_has(const struct report_data *d, const char *name, bool *has, struct dcs_err *err)
{
    return results_has(d->results, name, has, err);
}

/* ---- Response times ---- */

int report_times_read(struct report_times *t, const struct report_data *d, const int64_t *ids,
                      size_t ids_count, const char *class, const char *application,
                      struct dcs_err *err)
{
    *t = (struct report_times){0};
    struct text_buffer sql = {0};
    text_append(&sql, "SELECT h.high_ns, sum(h.count) FROM histogram h JOIN application a ON "
                      "a.experiment = h.experiment AND a.app = h.app WHERE a.class = ?1 AND "
                      "(?2 IS NULL OR a.name = ?2) AND h.experiment IN (");
    for (size_t i = 0; i < ids_count; i++)
        text_append(&sql, "%s%lld", i > 0 ? ", " : "", (long long)ids[i]);
    text_append(&sql, ") GROUP BY h.high_ns ORDER BY h.high_ns");
    sqlite3_stmt *row = results_prepare(d->results, sql.text, err);
    free(sql.text);
    if (row == NULL)
        return -1;
    sqlite3_bind_text(row, 1, class, -1, SQLITE_STATIC);
    sqlite3_bind_text(row, 2, application, -1, SQLITE_STATIC);
    size_t high = 0, below = 0;
    uint64_t sum = 0;
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        sqlite3_int64 at = sqlite3_column_int64(row, 0), count = sqlite3_column_int64(row, 1);
        if (at <= 0 || count <= 0)
            continue; /* not ours */
        sum += (uint64_t)count;
        t->high_ns = dcs_grow(t->high_ns, &high, t->count + 1, sizeof *t->high_ns);
        t->below = dcs_grow(t->below, &below, t->count + 1, sizeof *t->below);
        t->high_ns[t->count] = at;
        t->below[t->count++] = sum;
    }
    sqlite3_finalize(row);
    if (code == SQLITE_DONE)
        return 0;
    report_times_release(t);
    return results_failed(d->results, err);
}

void report_times_release(struct report_times *t)
{
    free(t->high_ns);
    free(t->below);
    *t = (struct report_times){0};
}

/* ---- Shares of devices ---- */

/* Which run a figure is of, as a sentence says it. */
static void name_run(struct report_shares *s, const struct report_data *d, int64_t experiment,
                     int64_t replication)
{
    struct text_buffer text = {0};
    for (size_t i = 0; i < d->count; i++)
        if (d->points[i].system->id == experiment)
            text_append(&text, "%s, ", d->points[i].system->label);
    text_append(&text, "replication %lld", (long long)replication);
    s->run = text.text;
}

/* The first run that has rows in a table. 1, 0: there is none, -1 and err. */
static int first_run(const struct report_data *d, const char *sql, int64_t *experiment,
                     int64_t *replication, struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(d->results, sql, err);
    if (row == NULL)
        return -1;
    int code = sqlite3_step(row);
    *experiment = *replication = 0;
    if (code == SQLITE_ROW) {
        *experiment = sqlite3_column_int64(row, 0);
        *replication = sqlite3_column_int64(row, 1);
    }
    sqlite3_finalize(row);
    if (code == SQLITE_ROW || code == SQLITE_DONE)
        return code == SQLITE_ROW;
    return results_failed(d->results, err);
}

static void add_bin(struct report_shares *s, size_t *at_capacity, double at_ns)
{
    s->at_ns = dcs_grow(s->at_ns, at_capacity, s->count + 1, sizeof *s->at_ns);
    s->at_ns[s->count++] = at_ns;
}

/* Adds the time from `from` to `to` to the bins that it falls in. */
static void add_time(double *bins, size_t count, double begin, double width, double from, double to)
{
    double first = fmax((from - begin) / width, 0),
           last = fmin((to - begin) / width, (double)count);
    for (size_t b = (size_t)first; b < count && (double)b < last; b++)
        bins[b] += fmin(last, (double)b + 1) - fmax(first, (double)b);
}

int report_occupancy_read(struct report_shares *s, const struct report_data *d, size_t bins,
                          struct dcs_err *err)
{
    *s = (struct report_shares){0};
    int64_t experiment, replication;
    int found = first_run(
        d,
        "SELECT experiment, replication FROM request q JOIN experiment e ON e.id = q.experiment "
        "WHERE json_extract(e.config, '$.sharing.model') = 'whole' LIMIT 1",
        &experiment, &replication, err);
    if (found <= 0)
        return found;
    static const char sql[] =
        "SELECT q.start_ns, q.end_ns, a.class = 'batch', r.window_from_ns, r.window_to_ns FROM "
        "request q JOIN application a ON a.experiment = q.experiment AND a.app = q.app JOIN run r "
        "ON r.experiment = q.experiment AND r.replication = q.replication WHERE q.experiment = ?1 "
        "AND q.replication = ?2 AND q.outcome = 'done' AND q.start_ns IS NOT NULL";
    sqlite3_stmt *row = results_prepare(d->results, sql, err);
    if (row == NULL)
        return -1;
    sqlite3_bind_int64(row, 1, experiment);
    sqlite3_bind_int64(row, 2, replication);
    static const char *const names[] = {"latency", "batch"};
    s->names = dcs_alloc(2, sizeof *s->names);
    s->values = dcs_alloc(2 * bins, sizeof *s->values);
    size_t capacity = 0;
    double width = 0;
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        if (s->count == 0) {
            double begin = (double)sqlite3_column_int64(row, 3);
            s->end_ns = (double)sqlite3_column_int64(row, 4);
            width = fmax(s->end_ns - begin, 1) / (double)bins;
            for (size_t b = 0; b < bins; b++)
                add_bin(s, &capacity, begin + width * (double)b);
        }
        add_time(s->values + (sqlite3_column_int(row, 2) != 0 ? bins : 0), bins, s->at_ns[0], width,
                 (double)sqlite3_column_int64(row, 0), (double)sqlite3_column_int64(row, 1));
    }
    sqlite3_finalize(row);
    for (size_t n = 0; n < 2 && s->count > 0; n++)
        s->names[s->names_count++] = dcs_strdup(names[n]);
    name_run(s, d, experiment, replication);
    if (code == SQLITE_DONE)
        return 0;
    report_shares_release(s);
    return results_failed(d->results, err);
}

void report_shares_release(struct report_shares *s)
{
    for (size_t n = 0; n < s->names_count; n++)
        free(s->names[n]);
    free(s->names);
    free(s->values);
    free(s->at_ns);
    free(s->run);
    *s = (struct report_shares){0};
}
