/* store_read.c - reads a run back, distrusting what it finds; see store_rows.h. */
#include "results/store_rows.h"

#include "results/store_driven.h"

#include <stdlib.h>
#include <string.h>

static int damaged(struct store *s, const char *table, uint32_t replication, const char *what,
                   struct dcs_err *err)
{
    return dcs_err_at(err, s->path, 0, table,
                      "replication %lu of experiment %.16s: %s; the database was changed or "
                      "damaged: name another one",
                      (unsigned long)replication, s->experiment->hash, what);
}

/* Names and units of metrics are static text for everyone else, so those that are read here stay
 * for the life of the program: some dozens, each once. */
static const char *intern(const char *name)
{
    static struct name {
        struct name *next;
        char text[];
    } * names;
    for (struct name *n = names; n != NULL; n = n->next)
        if (strcmp(n->text, name) == 0)
            return n->text;
    size_t bytes = strlen(name) + 1;
    struct name *made = dcs_alloc(1, sizeof *made + bytes);
    memcpy(made->text, name, bytes);
    made->next = names;
    names = made;
    return made->text;
}

/* Of what a row is: metric.app from the columns app and class. False if that makes no sense. */
static bool read_app(const struct store *s, sqlite3_stmt *row, uint32_t *app)
{
    const char *class = (const char *)sqlite3_column_text(row, 1);
    int64_t index = sqlite3_column_int64(row, 0);
    if (sqlite3_column_type(row, 0) != SQLITE_NULL) {
        *app = (uint32_t)index;
        return class == NULL && index >= 0 && index < s->experiment->apps_count;
    }
    if (class == NULL)
        *app = METRIC_ALL;
    else
        *app = METRIC_CLASS + (strcmp(class, "latency") == 0 ? DCS_LATENCY : DCS_BATCH);
    return true;
}

static int read_metric(struct store *s, sqlite3_stmt *row, struct metric *out)
{
    const char *name = (const char *)sqlite3_column_text(row, 2);
    const char *unit = (const char *)sqlite3_column_text(row, 3);
    int64_t n = sqlite3_column_int64(row, 5);
    if (!read_app(s, row, &out->app) || name == NULL || unit == NULL || n < 0)
        return -1;
    out->name = intern(name);
    out->unit = intern(unit);
    out->value =
        sqlite3_column_type(row, 4) == SQLITE_NULL ? (double)NAN : sqlite3_column_double(row, 4);
    out->n = (uint64_t)n;
    return 0;
}

static int get_metrics(struct store *s, struct run *run, struct dcs_err *err)
{
    sqlite3_stmt *row = FILL(s, GET_METRICS, integer(s->id), integer(run->replication));
    if (row == NULL)
        return store_failed(s, "read the metrics", err);
    size_t capacity = 0;
    bool bad = false;
    int code;
    while (!bad && (code = sqlite3_step(row)) == SQLITE_ROW) {
        run->metrics =
            dcs_grow(run->metrics, &capacity, run->metrics_count + 1, sizeof *run->metrics);
        bad = read_metric(s, row, &run->metrics[run->metrics_count++]) != 0;
    }
    sqlite3_reset(row);
    if (bad)
        return damaged(s, "metric", run->replication, "a row makes no sense", err);
    return code == SQLITE_DONE ? 0 : store_failed(s, "read the metrics", err);
}

static bool parse_decimal(const char *digits, __int128 *out)
{
    *out = 0;
    if (digits == NULL || *digits == '\0' || strlen(digits) >= DECIMAL_BYTES)
        return false;
    for (; *digits != '\0'; digits++)
        if (*digits < '0' || *digits > '9' || __builtin_mul_overflow(*out, (__int128)10, out) ||
            __builtin_add_overflow(*out, (__int128)(*digits - '0'), out))
            return false;
    return true;
}

/* The bucket that begins at low; DCS_HIST_BUCKETS if none does. */
static uint32_t bucket_at(int64_t low)
{
    uint32_t from = 0, to = DCS_HIST_BUCKETS;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (dcs_hist_bucket_low(middle) < low)
            from = middle + 1;
        else
            to = middle;
    }
    return from < DCS_HIST_BUCKETS && dcs_hist_bucket_low(from) == low ? from : DCS_HIST_BUCKETS;
}

/* The buckets; their counts must add up to h->count. */
static int get_buckets(struct store *s, uint32_t replication, uint32_t app, struct dcs_hist *h,
                       struct dcs_err *err)
{
    sqlite3_stmt *row = FILL(s, GET_HISTOGRAM, integer(s->id), integer(replication), integer(app));
    if (row == NULL)
        return store_failed(s, "read the histograms", err);
    uint64_t left = h->count;
    bool bad = false;
    int code;
    while (!bad && (code = sqlite3_step(row)) == SQLITE_ROW) {
        uint32_t i = bucket_at(sqlite3_column_int64(row, 0));
        uint64_t count = (uint64_t)sqlite3_column_int64(row, 1);
        bad = i == DCS_HIST_BUCKETS || count > left;
        if (!bad)
            h->bucket[i] = count;
        left -= count;
    }
    sqlite3_reset(row);
    if (bad || (code == SQLITE_DONE && left != 0))
        return damaged(s, "histogram", replication, "the counts do not add up", err);
    return code == SQLITE_DONE ? 0 : store_failed(s, "read the histograms", err);
}

static int get_histograms(struct store *s, struct run *run, struct dcs_err *err)
{
    sqlite3_stmt *row = FILL(s, GET_RESPONSES, integer(s->id), integer(run->replication));
    if (row == NULL)
        return store_failed(s, "read the histograms", err);
    struct cluster_result *r = &run->result;
    int code, status = 0;
    while (status == 0 && (code = sqlite3_step(row)) == SQLITE_ROW) {
        int64_t app = sqlite3_column_int64(row, 0), count = sqlite3_column_int64(row, 1);
        int64_t min = sqlite3_column_int64(row, 3), max = sqlite3_column_int64(row, 4);
        __int128 sum;
        bool sane = app >= 0 && app < r->apps_count && r->apps[app].response == NULL && count > 0 &&
                    min >= 0 && min <= max &&
                    parse_decimal((const char *)sqlite3_column_text(row, 2), &sum);
        if (!sane) {
            status = damaged(s, "response", run->replication, "a row makes no sense", err);
            break;
        }
        struct dcs_hist *h = dcs_alloc(1, sizeof *h);
        dcs_hist_init(h);
        h->count = (uint64_t)count;
        h->sum = sum;
        h->min = min;
        h->max = max;
        r->apps[app].response = h;
        status = get_buckets(s, run->replication, (uint32_t)app, h, err);
    }
    sqlite3_reset(row);
    if (status != 0)
        return -1;
    return code == SQLITE_DONE ? 0 : store_failed(s, "read the histograms", err);
}

/* Buckets alone: nothing asks for their sum. */
static int get_cuts(struct store *s, struct run *run, struct dcs_err *err)
{
    sqlite3_stmt *row = FILL(s, GET_CUT, integer(s->id), integer(run->replication));
    if (row == NULL)
        return store_failed(s, "read the requests that were cut off", err);
    struct cluster_result *r = &run->result;
    bool bad = false;
    int code;
    while (!bad && (code = sqlite3_step(row)) == SQLITE_ROW) {
        int64_t app = sqlite3_column_int64(row, 0), count = sqlite3_column_int64(row, 2);
        uint32_t i = bucket_at(sqlite3_column_int64(row, 1));
        bad = app < 0 || app >= r->apps_count || count <= 0 || i == DCS_HIST_BUCKETS;
        if (bad)
            break;
        if (r->apps[app].cut == NULL) {
            r->apps[app].cut = dcs_alloc(1, sizeof *r->apps[app].cut);
            dcs_hist_init(r->apps[app].cut);
        }
        r->apps[app].cut->bucket[i] = (uint64_t)count;
        r->apps[app].cut->count += (uint64_t)count;
    }
    sqlite3_reset(row);
    if (bad)
        return damaged(s, "cut_off", run->replication, "a row makes no sense", err);
    return code == SQLITE_DONE ? 0 : store_failed(s, "read the requests that were cut off", err);
}

/* Runs of an older schema have no table for them, nor this metric: who loads one says so. */
static bool tells_cuts(const struct run *run)
{
    for (size_t i = 0; i < run->metrics_count; i++)
        if (strcmp(run->metrics[i].name, "jobs_cut") == 0)
            return true;
    return false;
}

int store_get_run(struct store *s, uint32_t replication, struct run *run, struct dcs_err *err)
{
    *run = (struct run){.replication = replication};
    run->result.apps_count = s->experiment->apps_count;
    run->result.apps = dcs_alloc(run->result.apps_count, sizeof *run->result.apps);
    if (get_metrics(s, run, err) != 0 || get_histograms(s, run, err) != 0 ||
        (tells_cuts(run) && get_cuts(s, run, err) != 0) ||
        (s->experiment->config->driven && store_get_driven(s, run, err) != 0)) {
        run_release(run);
        return -1;
    }
    return 0;
}
