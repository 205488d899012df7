/*
 * measure.c - what is counted during a run.
 *
 * The window is [warmup, end). Requests count if they arrive inside it. The number in the system is
 * integrated at every arrival and departure; the sojourn times, clipped to the window, are summed
 * on their own; at the end both must be the same to the nanosecond.
 */
#include "engine/cluster_state.h"

#include <stdlib.h>

struct measuring {
    struct dcs_integral in_system;
    struct {
        int64_t part_ns, since_ns; /* of a part; the level holds from here */
        __int128 area;             /* of the part at hand */
        size_t part;
    } series;
    __int128 sojourns_ns;
    int64_t last_departure_ns;
    size_t rows_capacity, decisions_capacity;
    uint64_t decisions; /* said so far */
    bool keeps_job_times;
};

/* The level so far held until now: before each change of it. */
static void extend_series(struct cluster *c, int64_t now_ns)
{
    struct measuring *m = c->measuring;
    double *means = c->result->series;
    while (means != NULL && m->series.part < c->spec->series && m->series.since_ns < now_ns) {
        int64_t end_ns = (int64_t)(m->series.part + 1) * m->series.part_ns;
        int64_t until_ns = now_ns < end_ns ? now_ns : end_ns;
        m->series.area += (__int128)m->in_system.level * (until_ns - m->series.since_ns);
        m->series.since_ns = until_ns;
        if (until_ns < end_ns)
            break;
        means[m->series.part++] = (double)m->series.area / (double)m->series.part_ns;
        m->series.area = 0;
    }
}

/* A request comes or leaves. */
static void change_level(struct cluster *c, int64_t by)
{
    struct dcs_integral *in_system = &c->measuring->in_system;
    if (c->result->series != NULL)
        extend_series(c, c->now_ns);
    dcs_integral_set(in_system, c->now_ns, in_system->level + by);
}

void cluster_result_begin(struct cluster_result *r, uint32_t apps, uint32_t sized)
{
    r->apps_count = apps;
    r->apps = dcs_alloc(apps + 1u, sizeof *r->apps);
    r->sized_completions = dcs_alloc(sized + 1u, sizeof *r->sized_completions);
}

void measure_create(struct cluster *c)
{
    const struct cluster_spec *s = c->spec;
    struct cluster_result *out = c->result;
    struct measuring *m = c->measuring = dcs_alloc(1, sizeof *m);
    if (s->series > 0) {
        DCS_ASSERT(s->horizon_ns != DCS_NEVER && s->horizon_ns >= (int64_t)s->series);
        m->series.part_ns = s->horizon_ns / s->series;
        out->series = dcs_alloc(s->series, sizeof *out->series);
    }
    cluster_result_begin(out, s->apps_count, s->sized_count);
    out->first_arrival_ns = DCS_NEVER;
    dcs_integral_init(&m->in_system, s->warmup_ns);
    size_t jobs = 0;
    for (size_t i = 0; i < s->workload->count; i++)
        jobs += s->workload->jobs[i].sla_ns > 0;
    m->keeps_job_times = s->keep_job_times && jobs <= CLUSTER_JOB_TIMES_MAX;
}

void measure_destroy(struct cluster *c)
{
    for (size_t i = 0; c->jobs != NULL && i < c->spec->workload->count; i++)
        free(c->jobs[i].measured.response);
    free(c->measuring);
}

void measure_arrival(struct cluster *c, const struct request *r)
{
    struct cluster_result *out = c->result;
    out->requests++;
    if (out->first_arrival_ns == DCS_NEVER)
        out->first_arrival_ns = c->now_ns;
    change_level(c, 1);
    if (c->now_ns >= c->spec->warmup_ns)
        out->apps[r->app].arrived++;
}

/* Adds a request's stay in the system, as far as it lies in the window. */
static void add_sojourn(struct cluster *c, const struct request *r, int64_t until_ns)
{
    int64_t from = r->arrival_ns > c->spec->warmup_ns ? r->arrival_ns : c->spec->warmup_ns;
    if (until_ns > from)
        c->measuring->sojourns_ns += until_ns - from;
}

/* Of its input; 0: the default, which nobody drew. */
static int64_t size_of(const struct cluster *c, const struct request *r)
{
    const struct dcs_input *input = c->jobs[r->job].spec->input;
    for (size_t i = 0; input != NULL && i < input->count; i++)
        if (input->sizes[i].form == r->form)
            return input->sizes[i].size;
    return 0;
}

static void keep_row(struct cluster *c, const struct request *r, enum cluster_outcome outcome,
                     int64_t end_ns)
{
    struct cluster_result *out = c->result;
    const struct cluster_rows *rows = c->spec->rows;
    if (!c->spec->keep_requests || c->failed)
        return;
    const struct cluster_request_row row = {
        .id = r->id,
        .index = r->index,
        .job = r->job,
        .app = r->app,
        .domain = r->domain,
        .device = r->device,
        .outcome = outcome,
        .arrival_ns = r->arrival_ns,
        .start_ns = r->start_ns,
        .end_ns = end_ns,
        .deadline_ns = r->deadline_ns,
        .revocations = r->revocations_ever,
        .size = size_of(c, r),
    };
    if (rows != NULL) {
        c->failed = rows->request(rows->context, &row, c->err) != 0;
        return;
    }
    out->requests_rows = dcs_grow(out->requests_rows, &c->measuring->rows_capacity,
                                  out->requests_rows_count + 1, sizeof *out->requests_rows);
    out->requests_rows[out->requests_rows_count++] = row;
}

static void keep_decision(struct cluster *c, const struct cluster_decision_row *row)
{
    struct cluster_result *out = c->result;
    const struct cluster_rows *rows = c->spec->rows;
    if (rows != NULL) {
        c->failed = rows->decision(rows->context, row, c->err) != 0;
        return;
    }
    out->decisions = dcs_grow(out->decisions, &c->measuring->decisions_capacity,
                              out->decisions_count + 1, sizeof *out->decisions);
    out->decisions[out->decisions_count++] = *row;
}

void measure_decision(struct cluster *c, const struct domain *d, const struct request *r,
                      const char *what, int64_t value)
{
    if (!c->spec->keep_decisions || c->failed)
        return;
    if (c->measuring->decisions++ == CLUSTER_DECISIONS_MAX) {
        cluster_fail(c, d,
                     "explain: more than %d reasons in one run, the most that can be kept: shorten "
                     "the horizon, or set outputs.decisions to false",
                     CLUSTER_DECISIONS_MAX);
        return;
    }
    uint32_t kernels = request_form(c, r)->kernels;
    keep_decision(
        c, &(struct cluster_decision_row){.at_ns = c->now_ns,
                                          .index = r->index,
                                          .job = r->job,
                                          .app = r->app,
                                          .domain = d->index,
                                          .kernel = r->kernel < kernels ? r->kernel : kernels - 1,
                                          .what = what,
                                          .value = value});
}

static void add_response(struct dcs_hist **to, int64_t response_ns)
{
    if (*to == NULL) {
        *to = dcs_alloc(1, sizeof **to);
        dcs_hist_init(*to);
    }
    dcs_hist_add(*to, response_ns);
}

/* A request without a completion has missed its SLA, if it had one. */
static void count_miss(struct cluster *c, const struct request *r)
{
    c->result->apps[r->app].decided++;
    c->jobs[r->job].measured.decided++;
}

static void count_completion(struct cluster *c, const struct request *r)
{
    struct cluster_app_result *app = &c->result->apps[r->app];
    c->result->last_completion_ns = c->now_ns;
    if (c->now_ns >= c->spec->warmup_ns) {
        app->completions++;
        if (r->form != r->app)
            c->result->sized_completions[r->form - c->spec->apps_count]++;
    }
    if (r->arrival_ns < c->spec->warmup_ns)
        return;
    app->done++;
    app->switches += r->quota.switches;
    app->switch_ns = dcs_add_times(app->switch_ns, r->quota.switch_ns);
    struct job *job = &c->jobs[r->job];
    if (r->deadline_ns != DCS_NEVER) {
        bool met = c->now_ns <= r->deadline_ns;
        app->decided++;
        app->met += met;
        job->measured.decided++;
        job->measured.met += met;
    }
    add_response(&app->response, c->now_ns - r->arrival_ns);
    if (c->measuring->keeps_job_times && job->spec->sla_ns > 0)
        add_response(&job->measured.response, c->now_ns - r->arrival_ns);
}

void measure_departure(struct cluster *c, const struct request *r, enum cluster_outcome outcome)
{
    change_level(c, -1);
    c->measuring->last_departure_ns = c->now_ns;
    add_sojourn(c, r, c->now_ns);
    keep_row(c, r, outcome, c->now_ns);
    if (outcome == CLUSTER_DONE) {
        count_completion(c, r);
        return;
    }
    struct cluster_app_result *app = &c->result->apps[r->app];
    if (r->arrival_ns >= c->spec->warmup_ns) {
        app->dropped++;
        if (r->deadline_ns != DCS_NEVER)
            count_miss(c, r);
    }
}

/* Requests that are still inside: late ones are known to be late, the others are undecided. */
static void count_inside(struct cluster *c, int64_t end_ns)
{
    for (uint32_t slot = 0; slot < c->requests.used; slot++) {
        const struct request *r = &c->requests.slots[slot];
        if (r->state == REQUEST_FREE || r->state == REQUEST_GONE)
            continue;
        add_sojourn(c, r, end_ns);
        keep_row(c, r, CLUSTER_INSIDE, DCS_NEVER);
        if (r->arrival_ns < c->spec->warmup_ns)
            continue;
        c->result->apps[r->app].inside++;
        add_response(&c->result->apps[r->app].cut, end_ns - r->arrival_ns);
        if (r->deadline_ns < end_ns)
            count_miss(c, r);
    }
}

/* The end of the trace came before the job had issued all its requests. */
static bool cut_off(const struct job *job)
{
    return job->spec->until_ns != 0 && job->issued < job->spec->requests;
}

static void keep_jobs(struct cluster *c)
{
    struct cluster_result *out = c->result;
    if (!c->spec->keep_jobs)
        return;
    out->jobs_count = c->spec->workload->count;
    out->jobs = dcs_alloc(out->jobs_count, sizeof *out->jobs);
    for (size_t i = 0; i < out->jobs_count; i++) {
        const struct job *job = &c->jobs[i];
        out->jobs[i] = (struct cluster_job_row){
            .app = job->spec->app,
            .domain = job->spec->pinned ? job->spec->domain : UINT32_MAX,
            .issued = job->issued,
            .completed = job->completed,
            .dropped = job->dropped,
            .requests = job->begun ? job->spec->requests : 0,
            .clients = job->spec->open ? 0 : job->spec->clients,
            .until_ns = job->spec->until_ns,
            .finite = job->begun && (job->spec->requests != 0 || job->spec->until_ns != 0),
            .begin_ns = job->spec->begin_ns,
            .end_ns = job->ended && !cut_off(job) && job->completed > 0 ? job->last_completion_ns
                                                                        : DCS_NEVER,
            .sla_ns = job->spec->sla_ns,
            .decided = job->measured.decided,
            .met = job->measured.met,
            .p99_ns = job->measured.response != NULL
                          ? dcs_hist_quantile(job->measured.response, 0.99)
                          : DCS_NEVER,
        };
    }
}

void measure_end(struct cluster *c, int64_t end_ns)
{
    const struct cluster_spec *s = c->spec;
    struct cluster_result *out = c->result;
    /* A finite run is over when the last request has left; a timer may have run on. */
    if (s->horizon_ns == DCS_NEVER && !out->interrupted && out->left_waiting == 0)
        end_ns = c->measuring->last_departure_ns;
    extend_series(c, end_ns);
    count_inside(c, end_ns);
    out->area_ns = end_ns > s->warmup_ns ? dcs_integral_upto(&c->measuring->in_system, end_ns) : 0;
    DCS_ASSERT(out->area_ns == c->measuring->sojourns_ns);

    out->from_ns = s->warmup_ns;
    if (s->horizon_ns == DCS_NEVER && out->first_arrival_ns != DCS_NEVER &&
        out->first_arrival_ns > out->from_ns)
        out->from_ns = out->first_arrival_ns;
    out->to_ns = end_ns > out->from_ns ? end_ns : out->from_ns;
    if (out->to_ns > out->from_ns)
        out->mean_in_system = (double)out->area_ns / (double)(out->to_ns - out->from_ns);

    devices_measure(c, end_ns);
    out->events = dcs_events_taken(c->events);
    keep_jobs(c);
    if (recording(c))
        record_end(c, end_ns);
}

void cluster_result_release(struct cluster_result *r)
{
    for (uint32_t i = 0; r->apps != NULL && i < r->apps_count; i++) {
        free(r->apps[i].response);
        free(r->apps[i].cut);
    }
    free(r->apps);
    free(r->sized_completions);
    free(r->devices);
    free(r->device_domain);
    free(r->jobs);
    free(r->requests_rows);
    free(r->decisions);
    free(r->series);
    *r = (struct cluster_result){0};
}
