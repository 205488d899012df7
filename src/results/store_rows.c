/* store_rows.c - writes rows; see store_rows.h. */
#include "results/store_rows.h"
#include "build_id.h"
#include "results/store_driven.h"
#include "results/store_schema.h"
#include "text/number.h"
#include "config/config_gangs.h"
#include "config/plugin.h"

#include <stdlib.h>
#include <string.h>

static const char *class_name(enum dcs_class class)
{
    return class == DCS_LATENCY ? "latency" : "batch";
}

/* METRIC_ALL and METRIC_CLASS lie above all indices of applications. */
static struct cell app_cell(uint32_t app)
{
    if (app >= METRIC_CLASS)
        return (struct cell){.type = CELL_NULL};
    return integer(app);
}

static struct cell class_cell(uint32_t app)
{
    if (app == METRIC_ALL || app < METRIC_CLASS)
        return (struct cell){.type = CELL_NULL};
    return text(class_name((enum dcs_class)(app - METRIC_CLASS)));
}

/* ---- Experiments ---- */

static struct cell text_or_null(const char *value)
{
    return value != NULL ? text(value) : (struct cell){.type = CELL_NULL};
}

static bool same_text(sqlite3_stmt *statement, int column, const char *expected)
{
    const char *found = (const char *)sqlite3_column_text(statement, column);
    return found != NULL && strcmp(found, expected) == 0;
}

int store_find_experiment(struct store *s, bool *found, struct dcs_err *err)
{
    const struct experiment *x = s->experiment;
    sqlite3_stmt *statement = FILL(s, FIND_EXPERIMENT, integer(s->id));
    if (statement == NULL)
        return store_failed(s, "read the experiments", err);
    int code = sqlite3_step(statement);
    *found = code == SQLITE_ROW;
    bool same = *found && same_text(statement, 0, x->hash) &&
                same_text(statement, 1, x->config_hash) &&
                sqlite3_column_int64(statement, 2) == x->apps_count;
    sqlite3_reset(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return store_failed(s, "read the experiments", err);
    if (*found && !same)
        return dcs_err_at(err, s->path, 0, "experiment",
                          "holds another experiment under the number of %.16s; name another "
                          "database",
                          x->hash);
    return 0;
}

static int put_inputs(struct store *s)
{
    const struct experiment *x = s->experiment;
    const struct config_trace *traces = x->config->workload.trace.items;
    for (uint32_t i = 0; i < x->kinds; i++) {
        char *assumptions = experiment_assumptions(x, i);
        int status = EXECUTE(s, PUT_INPUT, integer(s->id), text("profile"), integer(i),
                             text(x->kind[i].profile->name), text(x->kind[i].profile->sha256),
                             text_or_null(x->kind[i].profile->missing), text_or_null(assumptions));
        free(assumptions);
        if (status != 0)
            return -1;
    }
    for (uint32_t i = 0; i < x->kinds; i++)
        if (x->kind[i].predictors.name != NULL &&
            EXECUTE(s, PUT_INPUT, integer(s->id), text("predictors"), integer(i),
                    text(x->kind[i].predictors.name), text(x->kind[i].predictors.sha256),
                    text_or_null(NULL), text_or_null(NULL)) != 0)
            return -1;
    for (size_t i = 0; i < x->traces_count; i++)
        if (EXECUTE(s, PUT_INPUT, integer(s->id), text("trace"), count_of(i),
                    text(traces[i].database), text(x->traces[i].sha256), text_or_null(NULL),
                    text_or_null(NULL)) != 0)
            return -1;
    if (x->config->plugin == NULL)
        return 0;
    return EXECUTE(s, PUT_INPUT, integer(s->id), text("plugin"), integer(0),
                   text(x->config->policy->name), text(x->config->plugin->sha256),
                   text_or_null(NULL), text_or_null(NULL));
}

static int put_trace_counts(struct store *s)
{
    const struct experiment *x = s->experiment;
    for (size_t t = 0; t < x->traces_count; t++)
        for (size_t i = 0; i < x->traces[t].counts_count; i++) {
            const struct dcs_trace_count *c = &x->traces[t].counts[i];
            if (EXECUTE(s, PUT_TRACE_COUNT, integer(s->id), count_of(t), count_of(i), text(c->what),
                        count_of(c->count)) != 0)
                return -1;
        }
    return 0;
}

static int put_services(struct store *s)
{
    const struct experiment *x = s->experiment;
    for (size_t i = 0; i < x->services_count; i++) {
        const struct experiment_service *v = &x->services[i];
        const struct cell none = {.type = CELL_NULL};
        bool peak = v->peak_per_s > 0;
        if (EXECUTE(s, PUT_SERVICE, integer(s->id), count_of(i), integer(v->app),
                    v->colocated ? count_of(v->entry) : none, integer(v->first_domain),
                    integer(v->domains), count_of(v->devices), integer(v->alone_ns),
                    unless(v->sla_ns, 0), peak ? real(v->peak_quantile) : none,
                    peak ? real(v->peak_per_s) : none, real(v->rate_per_s)) != 0)
            return -1;
    }
    return 0;
}

static int put_hypothetical(struct store *s)
{
    const char *key = experiment_hypothetical(s->experiment);
    if (key == NULL)
        return 0;
    if (sqlite3_exec(s->db, store_hypothetical_sql, NULL, NULL, NULL) != SQLITE_OK)
        return -1;
    return EXECUTE(s, PUT_HYPOTHETICAL, integer(s->id), text(key));
}

static int put_parts(struct store *s)
{
    const struct experiment *x = s->experiment;
    for (uint32_t i = 0; i < x->domains_count; i++)
        if (EXECUTE(s, PUT_DOMAIN, integer(s->id), integer(i), integer(x->domains[i].profile),
                    integer(x->domains[i].devices)) != 0)
            return -1;
    for (uint32_t i = 0; i < x->apps_count; i++)
        if (EXECUTE(s, PUT_APPLICATION, integer(s->id), integer(i), text(x->apps[i].name),
                    text(class_name(x->apps[i].class)), unless(x->apps[i].sla_ns, 0),
                    unless(x->app_sla_ns[i], 0)) != 0)
            return -1;
    if (put_services(s) != 0 || put_hypothetical(s) != 0)
        return -1;
    return put_inputs(s) == 0 ? put_trace_counts(s) : -1;
}

/* ---- Sweeps ---- */

/* A value of an axis as SQL has it, as json_extract() would: objects and lists stay JSON. */
static struct cell value_cell(const char *json, char **copy)
{
    size_t length = strlen(json);
    int64_t whole;
    *copy = NULL;
    if (strcmp(json, "true") == 0 || strcmp(json, "false") == 0)
        return integer(json[0] == 't');
    if (json[0] == '-' || (json[0] >= '0' && json[0] <= '9')) {
        if (number_read_whole(json, length, &whole))
            return integer(whole);
        number_locale before = number_locale_enter();
        double number = strtod(json, NULL);
        number_locale_leave(before);
        return real(number);
    }
    if (json[0] != '"')
        return text(json);
    *copy = options_string_text(json);
    return text(*copy);
}

static int put_values(struct store *s, int64_t id)
{
    const struct sweep_axes *axes = &s->sweep->axes;
    int status = 0;
    for (size_t i = 0; status == 0 && i < axes->keys_count; i++) {
        char *copy;
        struct cell value = value_cell(sweep_axes_value(axes, s->point, i)->text, &copy);
        if (EXECUTE(s, PUT_AXIS, integer(id), count_of(i), count_of(axes->keys[i].axis),
                    text(axes->keys[i].path)) != 0 ||
            EXECUTE(s, PUT_POINT_VALUE, integer(id), integer(s->id), count_of(i), value) != 0)
            status = -1;
        free(copy);
    }
    return status;
}

static int put_point(struct store *s, struct dcs_err *err)
{
    const struct sweep *sweep = s->sweep;
    int64_t id = store_number(sweep->hash);
    sqlite3_stmt *statement = FILL(s, FIND_SWEEP, integer(id));
    if (statement == NULL)
        return store_failed(s, "read the sweeps", err);
    int code = sqlite3_step(statement);
    bool other = code == SQLITE_ROW && !same_text(statement, 0, sweep->hash);
    sqlite3_reset(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return store_failed(s, "read the sweeps", err);
    if (other)
        return dcs_err_at(err, s->path, 0, "sweep",
                          "holds another sweep under the number of %.16s; name another database",
                          sweep->hash);
    if (EXECUTE(s, PUT_SWEEP, integer(id), text(sweep->hash), text(sweep->name),
                count_of(sweep->axes.points)) != 0 ||
        EXECUTE(s, PUT_POINT, integer(id), integer(s->id), count_of(s->point)) != 0 ||
        put_values(s, id) != 0)
        return store_failed(s, "write the sweep", err);
    return 0;
}

int store_put_experiment(struct store *s, struct dcs_err *err)
{
    const struct experiment *x = s->experiment;
    const struct config *c = x->config;
    bool found = false;
    if (store_find_experiment(s, &found, err) != 0)
        return -1;
    char *config = config_print(c);
    int status;
    if (found) {
        status = EXECUTE(s, UPDATE_EXPERIMENT, text(c->name), text(c->description), text(config),
                         integer(s->id));
    } else {
        status = EXECUTE(s, PUT_EXPERIMENT, integer(s->id), text(x->hash), text(c->name),
                         text(c->description), text(config), text(x->config_hash),
                         text(config_decider(c).text), integer(c->seed), integer(x->devices_count),
                         text(config_predictors[c->predictor]),
                         integer(c->predictor == PREDICTOR_CLAIRVOYANT), integer(x->steady),
                         text(x->heavy_tails ? "median" : "mean"));
        if (status == 0)
            status = put_parts(s);
    }
    free(config);
    if (status == 0 && s->sweep != NULL)
        return put_point(s, err);
    return status == 0 ? 0 : store_failed(s, "write the experiment", err);
}

/* ---- Writing a run ---- */

int store_find_run(struct store *s, uint32_t replication, bool *found, struct dcs_err *err)
{
    sqlite3_stmt *statement = FILL(s, FIND_RUN, integer(s->id), integer(replication));
    if (statement == NULL)
        return store_failed(s, "read the runs", err);
    int code = sqlite3_step(statement), result = 0;
    *found = code == SQLITE_ROW;
    if (*found && !s->any_build && !same_text(statement, 0, DCS_BUILD_ID))
        result = dcs_err_at(err, s->path, 0, NULL,
                            "replication %lu of experiment %.16s is of another build, %.64s; this "
                            "is %s: name another database, or take both as the same with "
                            "--any-build",
                            (unsigned long)replication, s->experiment->hash,
                            (const char *)sqlite3_column_text(statement, 0), DCS_BUILD_ID);
    sqlite3_reset(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return store_failed(s, "read the runs", err);
    return result;
}

static int put_run_row(struct store *s, const struct run *run)
{
    const struct cluster_result *r = &run->result;
    bool completed = r->last_completion_ns > 0;
    return EXECUTE(s, PUT_RUN, integer(s->id), integer(run->replication), text(DCS_BUILD_ID),
                   integer(r->from_ns), integer(r->to_ns), unless(r->first_arrival_ns, DCS_NEVER),
                   unless(completed ? r->last_completion_ns : 0, 0), count_of(r->requests),
                   count_of(r->launches), count_of(r->revocations), count_of(r->returned),
                   count_of(r->left_waiting), count_of(r->events));
}

static int put_metrics(struct store *s, const struct run *run)
{
    for (size_t i = 0; i < run->metrics_count; i++) {
        const struct metric *m = &run->metrics[i];
        if (EXECUTE(s, PUT_METRIC, integer(s->id), integer(run->replication), count_of(i),
                    app_cell(m->app), class_cell(m->app), text(m->name), text(m->unit),
                    real(m->value), count_of(m->n)) != 0)
            return -1;
    }
    return 0;
}

static int put_devices(struct store *s, const struct run *run)
{
    const struct cluster_result *r = &run->result;
    for (uint32_t i = 0; i < r->devices_count; i++) {
        const struct dcs_usage *u = &r->devices[i];
        if (EXECUTE(s, PUT_DEVICE, integer(s->id), integer(run->replication), integer(i),
                    integer(r->device_domain[i]), integer(u->busy_ns), integer(u->useful_ns),
                    integer(u->lost_ns), integer(u->overhead_ns)) != 0)
            return -1;
    }
    return 0;
}

/* Returns where the digits begin in out. */
static const char *decimal(unsigned __int128 value, char out[DECIMAL_BYTES])
{
    size_t at = DECIMAL_BYTES - 1;
    out[at] = '\0';
    do {
        out[--at] = (char)('0' + (int)(value % 10));
        value /= 10;
    } while (value > 0);
    return &out[at];
}

/* Of requests that completed, or of those that the end of the run cut off. */
static int put_buckets(struct store *s, uint32_t replication, uint32_t app,
                       const struct dcs_hist *h, bool cut)
{
    for (uint32_t i = 0; i < DCS_HIST_BUCKETS; i++) {
        if (h->bucket[i] == 0)
            continue;
        int64_t low = dcs_hist_bucket_low(i), high = dcs_hist_bucket_low(i + 1);
        int failed =
            cut ? EXECUTE(s, PUT_CUT, integer(s->id), integer(replication), integer(app),
                          integer(low), integer(high), count_of(h->bucket[i]))
                : EXECUTE(s, PUT_HISTOGRAM, integer(s->id), integer(replication), integer(app),
                          integer(low), integer(high), count_of(h->bucket[i]));
        if (failed)
            return -1;
    }
    return 0;
}

static int put_histogram(struct store *s, uint32_t replication, uint32_t app,
                         const struct dcs_hist *h)
{
    char digits[DECIMAL_BYTES];
    if (EXECUTE(s, PUT_RESPONSE, integer(s->id), integer(replication), integer(app),
                count_of(h->count), text(decimal((unsigned __int128)h->sum, digits)),
                integer(h->min), integer(h->max)) != 0)
        return -1;
    return put_buckets(s, replication, app, h, false);
}

static int put_histograms(struct store *s, const struct run *run)
{
    const struct cluster_result *r = &run->result;
    for (uint32_t i = 0; i < r->apps_count; i++) {
        if (r->apps[i].response != NULL &&
            put_histogram(s, run->replication, i, r->apps[i].response) != 0)
            return -1;
        if (r->apps[i].cut != NULL &&
            put_buckets(s, run->replication, i, r->apps[i].cut, true) != 0)
            return -1;
    }
    return 0;
}

static int put_replays(struct store *s, const struct run *run)
{
    const struct experiment *x = s->experiment;
    for (size_t i = 0; run->replay != NULL && i < experiment_replays(x); i++) {
        const struct dcs_replay_counts *c = &run->replay[i];
        if (EXECUTE(s, PUT_REPLAY, integer(s->id), integer(run->replication), count_of(i),
                    count_of(c->jobs), count_of(c->thinned), count_of(c->requests),
                    count_of(c->clients), count_of(c->rounded_up), real(c->work_ns),
                    real(c->trace_work_ns), real(c->time_compression), real(c->offered),
                    integer(c->span_ns)) != 0)
            return -1;
    }
    return 0;
}

static int put_jobs(struct store *s, const struct run *run)
{
    /* A run has them for its metrics, whether or not they are wanted here. */
    bool wanted = s->experiment->config->outputs.jobs;
    const struct cell none = {.type = CELL_NULL};
    for (size_t i = 0; wanted && i < run->result.jobs_count; i++) {
        const struct cluster_job_row *j = &run->result.jobs[i];
        if (EXECUTE(s, PUT_JOB, integer(s->id), integer(run->replication), count_of(i),
                    integer(j->app), count_of(j->issued), count_of(j->completed),
                    count_of(j->dropped), integer(j->begin_ns), unless(j->end_ns, DCS_NEVER),
                    unless(j->domain, UINT32_MAX), unless(j->sla_ns, 0),
                    j->sla_ns > 0 ? count_of(j->met) : none,
                    j->sla_ns > 0 ? count_of(j->decided - j->met) : none,
                    unless(j->p99_ns, DCS_NEVER)) != 0)
            return -1;
    }
    return 0;
}

#define PUT_FAILED 1 /* the connection knows why */

/* Whose rows are put. */
struct rows_of {
    struct store *store;
    uint32_t replication;
    uint64_t position;
};

static int put_request(void *context, const void *record)
{
    static const char *const outcomes[] = {
        [CLUSTER_DONE] = "done", [CLUSTER_DROPPED] = "dropped", [CLUSTER_INSIDE] = "inside"};
    const struct rows_of *of = context;
    const struct cluster_request_row *q = record;
    return EXECUTE(
               of->store, PUT_REQUEST, integer(of->store->id), integer(of->replication),
               integer(q->job), count_of(q->index), integer(q->app), unless(q->domain, UINT32_MAX),
               unless(q->device, UINT32_MAX), text(outcomes[q->outcome]), integer(q->arrival_ns),
               unless(q->start_ns, DCS_NEVER), unless(q->end_ns, DCS_NEVER),
               unless(q->deadline_ns, DCS_NEVER), integer(q->revocations), unless(q->size, 0)) != 0
               ? PUT_FAILED
               : 0;
}

static int put_decision(void *context, const void *record)
{
    struct rows_of *of = context;
    const struct cluster_decision_row *d = record;
    return EXECUTE(of->store, PUT_DECISION, integer(of->store->id), integer(of->replication),
                   count_of(of->position++), integer(d->at_ns), integer(d->domain), integer(d->job),
                   count_of(d->index), integer(d->app), integer(d->kernel), text(d->what),
                   integer(d->value)) != 0
               ? PUT_FAILED
               : 0;
}

static int put_rows(struct store *s, const struct run *run, struct dcs_err *err)
{
    struct rows_of of = {.store = s, .replication = run->replication};
    int status = spill_each(&run->requests, put_request, &of, err);
    if (status == 0)
        status = spill_each(&run->decisions, put_decision, &of, err);
    return status == PUT_FAILED ? store_failed(s, "write a run", err) : status;
}

int store_put_run(struct store *s, const struct run *run, struct dcs_err *err)
{
    if (put_run_row(s, run) != 0 || put_metrics(s, run) != 0 || put_devices(s, run) != 0 ||
        put_histograms(s, run) != 0 || put_replays(s, run) != 0 || put_jobs(s, run) != 0 ||
        store_put_bins(s, run) != 0 || store_put_gangs(s, run) != 0)
        return store_failed(s, "write a run", err);
    if (put_rows(s, run, err) != 0)
        return -1;
    if (store_put_driven(s, run) != 0 ||
        EXECUTE(s, PUT_WALL, integer(s->id), integer(run->replication), real(run->seconds)) != 0)
        return store_failed(s, "write a run", err);
    return 0;
}

int store_put_summary(struct store *s, const struct summary_row *rows, size_t count,
                      struct dcs_err *err)
{
    if (EXECUTE(s, DELETE_SUMMARY, integer(s->id)) != 0)
        return store_failed(s, "write the summary", err);
    for (size_t i = 0; i < count; i++) {
        const struct summary_row *r = &rows[i];
        const struct dcs_estimate *e = &r->estimate;
        if (EXECUTE(s, PUT_SUMMARY, integer(s->id), count_of(i), app_cell(r->app),
                    class_cell(r->app), text(r->name), text(r->unit), real(e->value), real(e->low),
                    real(e->high), count_of(e->n), count_of(r->requests), integer(e->median)) != 0)
            return store_failed(s, "write the summary", err);
    }
    return 0;
}
