/* driven_side.c - see driven_side.h. */
#include "commands/driven_side.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Measures that are metrics of a run. */
static const struct {
    const char *class, *name;
} metrics[DRIVEN_MEASURES] = {
    [DRIVEN_SLA] = {"latency", "sla_met"},
    [DRIVEN_BATCH] = {"batch", "throughput"},
    [DRIVEN_SMS] = {NULL, "sm_utilisation"},
    [DRIVEN_UNFAIR] = {NULL, "unfairness"},
    [DRIVEN_PROGRESS] = {NULL, "aggregated_performance"},
};

static void add_metric(struct driven_side *s, const char *class, const char *name, double value)
{
    for (int m = 0; m < DRIVEN_MEASURES; m++) {
        const char *of = metrics[m].class;
        bool same = (of == NULL) == (class == NULL) && (of == NULL || strcmp(of, class) == 0);
        if (same && metrics[m].name != NULL && strcmp(metrics[m].name, name) == 0) {
            s->sums[m] += value;
            s->values[m]++;
        }
    }
}

static void add_request(struct driven_side *s, const struct driven_request *r)
{
    s->requests = dcs_grow(s->requests, &s->capacity, s->count + 1, sizeof *s->requests);
    s->requests[s->count++] = *r;
}

static void add_batch_end(struct driven_side *s, int64_t end_ns, int64_t from_ns, int64_t to_ns)
{
    if (end_ns < from_ns || end_ns >= to_ns)
        return;
    double part = (double)(end_ns - from_ns) / (double)(to_ns - from_ns);
    size_t at = (size_t)(part * DRIVEN_GROUPS);
    s->batch_ends[at < DRIVEN_GROUPS ? at : DRIVEN_GROUPS - 1]++;
}

void driven_side_release(struct driven_side *s)
{
    free(s->requests);
    *s = (struct driven_side){0};
}

/* ---- A measured run ---- */

static sqlite3_stmt *prepare_of_run(const struct results *r, const char *sql, int64_t experiment,
                                    uint32_t replication, struct dcs_err *err)
{
    sqlite3_stmt *row = results_prepare(r, sql, err);
    if (row == NULL)
        return NULL;
    sqlite3_bind_int64(row, 1, experiment);
    sqlite3_bind_int64(row, 2, replication);
    return row;
}

static int finish_rows(const struct results *r, sqlite3_stmt *row, int code, struct dcs_err *err)
{
    sqlite3_finalize(row);
    return code == SQLITE_DONE ? 0 : results_failed(r, err);
}

static int read_metrics(struct driven_side *s, const struct results *r, int64_t experiment,
                        uint32_t replication, struct dcs_err *err)
{
    sqlite3_stmt *row = prepare_of_run(r,
                                       "SELECT class, name, value FROM metric WHERE experiment = "
                                       "?1 AND replication = ?2 AND app IS NULL",
                                       experiment, replication, err);
    int code = SQLITE_ERROR;
    if (row == NULL)
        return -1;
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(row, 1);
        bool none = sqlite3_column_type(row, 2) == SQLITE_NULL;
        if (name != NULL)
            add_metric(s, (const char *)sqlite3_column_text(row, 0), name,
                       none ? (double)NAN : sqlite3_column_double(row, 2));
    }
    return finish_rows(r, row, code, err);
}

static void take_row(struct driven_side *s, sqlite3_stmt *row, uint32_t replication)
{
    int64_t arrival_ns = sqlite3_column_int64(row, 2), end_ns = sqlite3_column_int64(row, 3);
    int64_t from_ns = sqlite3_column_int64(row, 6), to_ns = sqlite3_column_int64(row, 7);
    if (sqlite3_column_int(row, 5) != 0) {
        add_batch_end(s, end_ns, from_ns, to_ns);
        return;
    }
    if (arrival_ns < from_ns)
        return;
    bool open = sqlite3_column_type(row, 4) == SQLITE_NULL;
    add_request(s, &(struct driven_request){
                       .replication = replication,
                       .job = (uint32_t)sqlite3_column_int64(row, 0),
                       .index = (uint64_t)sqlite3_column_int64(row, 1),
                       .arrival_ns = arrival_ns,
                       .response_ns = end_ns - arrival_ns,
                       .met = open || end_ns <= sqlite3_column_int64(row, 4),
                   });
}

int driven_side_read(struct driven_side *s, const struct results *r, int64_t experiment,
                     uint32_t replication, struct dcs_err *err)
{
    if (read_metrics(s, r, experiment, replication, err) != 0)
        return -1;
    sqlite3_stmt *row = prepare_of_run(
        r,
        "SELECT job, number, arrival_ns, end_ns, deadline_ns, class = 'batch', window_from_ns, "
        "window_to_ns FROM request JOIN application USING (experiment, app) JOIN run USING "
        "(experiment, replication) WHERE experiment = ?1 AND replication = ?2 AND outcome = 'done'",
        experiment, replication, err);
    int code = SQLITE_ERROR;
    size_t rows = 0;
    if (row == NULL)
        return -1;
    for (; (code = sqlite3_step(row)) == SQLITE_ROW; rows++)
        take_row(s, row, replication);
    s->replications++;
    if (finish_rows(r, row, code, err) != 0)
        return -1;
    if (rows == 0)
        return dcs_err_at(err, r->path, 0, "request",
                          "replication %lu of experiment %011llx has no rows of requests, which "
                          "the comparison is made of: measure it with outputs.requests true",
                          (unsigned long)replication, (unsigned long long)experiment);
    return 0;
}

/* ---- A simulated run ---- */

struct taking {
    struct driven_side *side;
    const struct experiment *x;
    const struct run *run;
};

static int take_request(void *context, const void *record)
{
    const struct taking *t = context;
    const struct cluster_request_row *row = record;
    const struct cluster_result *r = &t->run->result;
    if (row->outcome != CLUSTER_DONE)
        return 0;
    if (t->x->apps[row->app].class == DCS_BATCH)
        add_batch_end(t->side, row->end_ns, r->from_ns, r->to_ns);
    else if (row->arrival_ns >= r->from_ns)
        add_request(t->side, &(struct driven_request){
                                 .replication = t->run->replication,
                                 .job = row->job,
                                 .index = row->index,
                                 .arrival_ns = row->arrival_ns,
                                 .response_ns = row->end_ns - row->arrival_ns,
                                 .met = row->end_ns <= row->deadline_ns,
                             });
    return 0;
}

int driven_side_take(struct driven_side *s, const struct experiment *x, const struct run *run,
                     struct dcs_err *err)
{
    static const char *const classes[] = {[DCS_LATENCY] = "latency", [DCS_BATCH] = "batch"};
    for (size_t i = 0; i < run->metrics_count; i++) {
        const struct metric *m = &run->metrics[i];
        if (m->app >= METRIC_CLASS)
            add_metric(s, m->app == METRIC_ALL ? NULL : classes[m->app - METRIC_CLASS], m->name,
                       m->value);
    }
    s->replications++;
    struct taking t = {s, x, run};
    return spill_each(&run->requests, take_request, &t, err);
}

/* ---- Numbers ---- */

static int by_time(const void *left, const void *right)
{
    const struct driven_request *a = left, *b = right;
    if (a->replication != b->replication)
        return a->replication < b->replication ? -1 : 1;
    if (a->arrival_ns != b->arrival_ns)
        return a->arrival_ns < b->arrival_ns ? -1 : 1;
    if (a->job != b->job)
        return a->job < b->job ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static int by_key(const void *left, const void *right)
{
    const struct driven_request *a = left, *b = right;
    if (a->replication != b->replication)
        return a->replication < b->replication ? -1 : 1;
    if (a->job != b->job)
        return a->job < b->job ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

void driven_side_sort(struct driven_side *s)
{
    if (s->count > 0)
        qsort(s->requests, s->count, sizeof *s->requests, by_time);
}

static double find_quantile(const struct driven_side *s, double q)
{
    double *times = dcs_alloc(s->count, sizeof *times);
    for (size_t i = 0; i < s->count; i++)
        times[i] = (double)s->requests[i].response_ns;
    dcs_sort_doubles(times, s->count);
    double value = times[(size_t)ceil(q * (double)s->count) - 1];
    free(times);
    return value;
}

double driven_side_value(const struct driven_side *s, enum driven_measure m)
{
    static const double quantiles[DRIVEN_MEASURES] = {
        [DRIVEN_P50] = 0.5, [DRIVEN_P95] = 0.95, [DRIVEN_P99] = 0.99};
    double sum = 0;
    if (metrics[m].name != NULL)
        return s->values[m] > 0 ? s->sums[m] / s->values[m] : (double)NAN;
    if (s->count == 0)
        return (double)NAN;
    if (quantiles[m] > 0)
        return find_quantile(s, quantiles[m]);
    for (size_t i = 0; i < s->count; i++)
        sum += (double)s->requests[i].response_ns;
    return sum / (double)s->count;
}

/* The mean of each of ten parts of a list. */
static struct dcs_estimate estimate_groups(const double *values, size_t count)
{
    double means[DRIVEN_GROUPS] = {0};
    if (count < DRIVEN_GROUPS)
        return (struct dcs_estimate){.value = (double)NAN, .low = (double)NAN, .high = (double)NAN};
    for (size_t g = 0; g < DRIVEN_GROUPS; g++) {
        size_t from = count * g / DRIVEN_GROUPS, to = count * (g + 1) / DRIVEN_GROUPS;
        for (size_t i = from; i < to; i++)
            means[g] += values[i] / (double)(to - from);
    }
    return dcs_estimate_mean(means, DRIVEN_GROUPS);
}

struct dcs_estimate driven_difference(const struct driven_side *a, const struct driven_side *b,
                                      enum driven_measure m)
{
    double *values = dcs_alloc(a->count + DRIVEN_GROUPS, sizeof *values);
    size_t count = 0;
    if (m == DRIVEN_BATCH) {
        for (; count < DRIVEN_GROUPS; count++)
            values[count] = a->batch_ends[count] - b->batch_ends[count];
    } else if (b->count > 0) {
        struct driven_request *others = dcs_alloc(b->count, sizeof *others);
        memcpy(others, b->requests, b->count * sizeof *others);
        qsort(others, b->count, sizeof *others, by_key);
        for (size_t i = 0; i < a->count; i++) {
            const struct driven_request *one = &a->requests[i];
            const struct driven_request *other =
                bsearch(one, others, b->count, sizeof *others, by_key);
            if (other != NULL)
                values[count++] = m == DRIVEN_SLA ? (double)one->met - (double)other->met
                                                  : (double)(one->response_ns - other->response_ns);
        }
        free(others);
    }
    struct dcs_estimate e = estimate_groups(values, count);
    free(values);
    return e;
}

/* ---- Launches ---- */

struct launch {
    uint32_t job, kernel;
    uint64_t index;
    int64_t sms;
};

struct launches {
    struct launch *all;
    size_t count, capacity;
};

static int by_kernel(const void *left, const void *right)
{
    const struct launch *a = left, *b = right;
    if (a->job != b->job)
        return a->job < b->job ? -1 : 1;
    if (a->index != b->index)
        return a->index < b->index ? -1 : 1;
    return a->kernel < b->kernel ? -1 : a->kernel > b->kernel;
}

static int take_launch(void *context, const void *record)
{
    struct launches *l = context;
    const struct cluster_decision_row *row = record;
    if (strcmp(row->what, "begins") != 0)
        return 0;
    l->all = dcs_grow(l->all, &l->capacity, l->count + 1, sizeof *l->all);
    l->all[l->count++] = (struct launch){row->job, row->kernel, row->index, row->value};
    return 0;
}

int driven_count_quotas(const struct results *r, int64_t experiment, const struct experiment *x,
                        const struct run *run, uint64_t *launches, uint64_t *others,
                        struct dcs_err *err)
{
    struct launches simulated = {0};
    if (spill_each(&run->decisions, take_launch, &simulated, err) != 0)
        return -1;
    if (simulated.count > 0)
        qsort(simulated.all, simulated.count, sizeof *simulated.all, by_kernel);
    sqlite3_stmt *row = prepare_of_run(r,
                                       "SELECT job, number, kernel, sms FROM driven_launch WHERE "
                                       "experiment = ?1 AND replication = ?2",
                                       experiment, run->replication, err);
    int code = SQLITE_ERROR;
    while (row != NULL && (code = sqlite3_step(row)) == SQLITE_ROW) {
        struct launch key = {.job = (uint32_t)sqlite3_column_int64(row, 0),
                             .index = (uint64_t)sqlite3_column_int64(row, 1),
                             .kernel = (uint32_t)sqlite3_column_int64(row, 2),
                             .sms = sqlite3_column_int64(row, 3)};
        const struct launch *found =
            simulated.count > 0
                ? bsearch(&key, simulated.all, simulated.count, sizeof key, by_kernel)
                : NULL;
        if (key.sms == 0)
            key.sms = x->kind[0].profile->sms;
        *launches += found != NULL;
        *others += found != NULL && found->sms != key.sms;
    }
    free(simulated.all);
    return row != NULL ? finish_rows(r, row, code, err) : -1;
}
