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
        __int128 *areas;           /* of each part; NULL: not kept */
        size_t part;
    } series;
    __int128 area_ns, sojourns_ns; /* area: of the stretches before */
    int64_t last_departure_ns;
    size_t rows_capacity, decisions_capacity;
    uint64_t decisions; /* said so far */
    bool keeps_job_times;
};

/* The level so far held until now: before each change of it. */
static void extend_series(struct cluster *c, int64_t now_ns)
{
    struct measuring *m = c->measuring;
    while (m->series.areas != NULL && m->series.part < c->spec->series &&
           m->series.since_ns < now_ns) {
        int64_t end_ns = (int64_t)(m->series.part + 1) * m->series.part_ns;
        int64_t until_ns = now_ns < end_ns ? now_ns : end_ns;
        m->series.area += (__int128)m->in_system.level * (until_ns - m->series.since_ns);
        m->series.since_ns = until_ns;
        if (until_ns < end_ns)
            break;
        m->series.areas[m->series.part++] += m->series.area;
        m->series.area = 0;
    }
}

/* A request comes or leaves. */
static void change_level(struct cluster *c, int64_t by)
{
    struct dcs_integral *in_system = &c->measuring->in_system;
    if (c->measuring->series.areas != NULL)
        extend_series(c, c->now_ns);
    dcs_integral_set(in_system, c->now_ns, in_system->level + by);
}

void cluster_result_begin(struct cluster_result *r, uint32_t apps, uint32_t sized)
{
    r->apps_count = apps;
    r->apps = dcs_alloc(apps + 1u, sizeof *r->apps);
    r->sized = dcs_alloc(sized + 1u, sizeof *r->sized);
}

void measure_create(struct cluster *c)
{
    const struct cluster_spec *s = c->spec;
    struct cluster_result *out = c->result;
    struct measuring *m = c->measuring = dcs_alloc(1, sizeof *m);
    if (s->series > 0) {
        DCS_ASSERT(s->horizon_ns != DCS_NEVER && s->horizon_ns >= (int64_t)s->series);
        m->series.part_ns = s->horizon_ns / s->series;
        m->series.areas = dcs_alloc(s->series, sizeof *m->series.areas);
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
    free(c->measuring->series.areas);
    free(c->measuring);
}

/* Where requests of its size are counted, which is not the default. */
static struct cluster_sized *find_sized(const struct cluster *c, const struct request *r)
{
    return &c->result->sized[r->form - c->spec->apps_count];
}

void measure_arrival(struct cluster *c, const struct request *r)
{
    struct cluster_result *out = c->result;
    out->requests++;
    if (c->now_ns < out->first_arrival_ns)
        out->first_arrival_ns = c->now_ns;
    change_level(c, 1);
    if (c->now_ns < c->spec->warmup_ns)
        return;
    out->apps[r->app].arrived++;
    if (r->form != r->app)
        find_sized(c, r)->arrived++;
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
    if (*to == NULL)
        *to = dcs_alloc(1, sizeof **to);
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
    if (c->now_ns > c->result->last_completion_ns)
        c->result->last_completion_ns = c->now_ns;
    if (c->now_ns >= c->spec->warmup_ns) {
        app->completions++;
        if (r->form != r->app)
            find_sized(c, r)->completions++;
    }
    if (r->arrival_ns < c->spec->warmup_ns)
        return;
    app->done++;
    if (r->form != r->app)
        find_sized(c, r)->done++;
    app->switches += r->quota.switches;
    app->switch_ns = dcs_add_times(app->switch_ns, r->quota.switch_ns);
    app->alone_ns += request_form(c, r)->total_ns[c->domains[r->domain].profile];
    struct job *job = &c->jobs[r->job];
    if (r->deadline_ns != DCS_NEVER) {
        bool met = c->now_ns <= r->deadline_ns;
        app->allowed_ns += r->deadline_ns - r->arrival_ns;
        app->spent_ns += c->now_ns - r->arrival_ns;
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
        const struct dcs_job *spec = &c->spec->workload->jobs[i];
        out->jobs[i] = (struct cluster_job_row){
            .app = spec->app,
            .input = spec->input,
            .domain = spec->pinned ? spec->domain : UINT32_MAX,
            .issued = job->issued,
            .completed = job->completed,
            .dropped = job->dropped,
            .requests = job->begun ? spec->requests : 0,
            .clients = spec->open ? 0 : spec->clients,
            .until_ns = spec->until_ns,
            .finite = job->begun && (spec->requests != 0 || spec->until_ns != 0),
            .begin_ns = spec->begin_ns,
            .end_ns = job->ended && !cut_off(job) && job->completed > 0 ? job->last_completion_ns
                                                                        : DCS_NEVER,
            .sla_ns = spec->sla_ns,
            .decided = job->measured.decided,
            .met = job->measured.met,
            .p99_ns = job->measured.response != NULL
                          ? dcs_hist_quantile(job->measured.response, 0.99)
                          : DCS_NEVER,
        };
    }
}

void measure_stretch(struct cluster *c)
{
    struct measuring *m = c->measuring;
    extend_series(c, c->end_ns);
    m->series.part = 0;
    m->series.since_ns = 0;
    m->series.area = 0;
    if (c->end_ns > c->spec->warmup_ns)
        m->area_ns += dcs_integral_upto(&m->in_system, c->end_ns);
    dcs_integral_init(&m->in_system, c->spec->warmup_ns);
}

void measure_left(struct cluster *c)
{
    const struct cluster_spec *s = c->spec;
    struct cluster_result *out = c->result;
    /* A finite run is over when the last request has left; a timer may have run on. */
    if (s->horizon_ns == DCS_NEVER && !out->interrupted && out->left_waiting == 0)
        c->end_ns = c->measuring->last_departure_ns;
    measure_stretch(c);
    count_inside(c, c->end_ns);
    out->area_ns = c->measuring->area_ns;
    DCS_ASSERT(out->area_ns == c->measuring->sojourns_ns);
    devices_count_contention(c, out);
}

static void add_hist(struct dcs_hist **to, const struct dcs_hist *from)
{
    if (from == NULL)
        return;
    if (*to == NULL)
        *to = dcs_alloc(1, sizeof **to);
    dcs_hist_merge(*to, from);
}

void measure_add_job(struct job *job, const struct job *other)
{
    job->measured.decided += other->measured.decided;
    job->measured.met += other->measured.met;
    add_hist(&job->measured.response, other->measured.response);
}

static void add_app(struct cluster_app_result *to, const struct cluster_app_result *from)
{
    to->arrived += from->arrived;
    to->done += from->done;
    to->dropped += from->dropped;
    to->inside += from->inside;
    to->decided += from->decided;
    to->met += from->met;
    to->completions += from->completions;
    to->revocations += from->revocations;
    to->switches += from->switches;
    to->switch_ns = dcs_add_times(to->switch_ns, from->switch_ns);
    to->alone_ns += from->alone_ns;
    to->allowed_ns += from->allowed_ns;
    to->spent_ns += from->spent_ns;
    add_hist(&to->response, from->response);
    add_hist(&to->cut, from->cut);
}

/* Adds what another cluster of the run has measured. Sums of whole numbers alone: their order does
 * not matter. */
static void add_result(struct cluster *c, const struct cluster *other)
{
    struct cluster_result *to = c->result;
    const struct cluster_result *from = other->result;
    for (uint32_t i = 0; i < to->apps_count; i++)
        add_app(&to->apps[i], &from->apps[i]);
    for (uint32_t i = 0; i < c->spec->sized_count; i++) {
        to->sized[i].arrived += from->sized[i].arrived;
        to->sized[i].done += from->sized[i].done;
        to->sized[i].completions += from->sized[i].completions;
    }
    for (size_t i = 0; c->measuring->series.areas != NULL && i < c->spec->series; i++)
        c->measuring->series.areas[i] += other->measuring->series.areas[i];
    to->fusion.asked += from->fusion.asked;
    to->fusion.oversized += from->fusion.oversized;
    if (from->first_arrival_ns < to->first_arrival_ns)
        to->first_arrival_ns = from->first_arrival_ns;
    if (from->last_completion_ns > to->last_completion_ns)
        to->last_completion_ns = from->last_completion_ns;
    to->area_ns += from->area_ns;
    to->requests += from->requests;
    to->returned += from->returned;
    to->launches += from->launches;
    to->events += from->events;
    to->revocations += from->revocations;
    to->contention.hits += from->contention.hits;
    to->contention.misses += from->contention.misses;
    to->contention.iterations += from->contention.iterations;
    to->left_waiting += from->left_waiting;
    to->interrupted = to->interrupted || from->interrupted;
}

/* The devices one after the other, whichever cluster has them: their sums are not of whole numbers.
 */
static void measure_devices(struct cluster *parts, uint32_t count, struct cluster_result *out)
{
    out->devices_count = parts->devices_count;
    out->devices = dcs_alloc(out->devices_count, sizeof *out->devices);
    out->device_domain = dcs_alloc(out->devices_count, sizeof *out->device_domain);
    for (uint32_t i = 0; i < out->devices_count; i++) {
        uint32_t owner = 0;
        while (parts[owner].devices[i].kind == NULL && owner + 1 < count)
            owner++;
        if (parts[owner].devices[i].kind != NULL) /* else the run was broken off before it */
            device_measure(&parts[owner], i, parts->end_ns, out);
    }
}

/* Means of the number in the system. */
static void finish_series(struct cluster *c)
{
    const __int128 *areas = c->measuring->series.areas;
    if (areas == NULL)
        return;
    c->result->series = dcs_alloc(c->spec->series, sizeof *c->result->series);
    for (size_t i = 0; i < c->spec->series; i++)
        c->result->series[i] = (double)areas[i] / (double)c->measuring->series.part_ns;
}

void measure_end(struct cluster *c, struct cluster *parts, uint32_t count)
{
    const struct cluster_spec *s = c->spec;
    struct cluster_result *out = c->result;
    for (uint32_t i = 1; i < count; i++)
        add_result(c, &parts[i]);
    finish_series(c);
    int64_t end_ns = c->end_ns;
    out->from_ns = s->warmup_ns;
    if (s->horizon_ns == DCS_NEVER && out->first_arrival_ns != DCS_NEVER &&
        out->first_arrival_ns > out->from_ns)
        out->from_ns = out->first_arrival_ns;
    out->to_ns = end_ns > out->from_ns ? end_ns : out->from_ns;
    if (out->to_ns > out->from_ns)
        out->mean_in_system = (double)out->area_ns / (double)(out->to_ns - out->from_ns);

    measure_devices(parts, count, out);
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
    free(r->sized);
    free(r->devices);
    free(r->device_domain);
    free(r->jobs);
    free(r->requests_rows);
    free(r->decisions);
    free(r->series);
    *r = (struct cluster_result){0};
}
