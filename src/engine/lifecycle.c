/*
 * lifecycle.c - the life of requests and jobs: a job begins and issues; a request is routed, waits,
 * runs, is stopped, leaves; and what each of these causes. The event loop calls it, and the host
 * for the actions of policies. What happens on devices comes from life_devices.c.
 */
#include "engine/cluster_state.h"

#include <stdlib.h>

struct lives {
    size_t begun;             /* jobs before this have begun */
    size_t own;               /* of the stretch's jobs, those before this have begun */
    size_t unended;           /* jobs */
    uint64_t completions;     /* of kernels */
    uint64_t stops;           /* kernels broken off */
    uint64_t no_time;         /* kernels that took 1 ns, of clients without an end ... */
    int64_t no_time_since_ns; /* ... since this time */
    uint64_t elsewhere;       /* events of a split run that count in another stretch */
};

/* What an open loop draws, or clients that think: most jobs of a long list need neither. */
static int create_draws(struct cluster *c, struct job *job, size_t index)
{
    const struct cluster_spec *s = c->spec;
    if (job->spec->think != NULL) {
        job->think = dcs_alloc(1, sizeof *job->think);
        dcs_rng_stream(job->think, s->seed, s->replication, DCS_RNG_THINK, index);
    }
    if (!job->spec->open)
        return 0;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, s->seed, s->replication, DCS_RNG_ARRIVALS, index);
    job->arrivals = dcs_alloc(1, sizeof *job->arrivals);
    if (dcs_arrivals_init(job->arrivals, job->spec->arrivals, &rng, c->err) != 0)
        return -1;
    job->arrivals->phase_ns = job->spec->begin_ns;
    return 0;
}

void life_create(struct cluster *c)
{
    c->lives = dcs_alloc(1, sizeof *c->lives);
    c->jobs = dcs_alloc(c->spec->workload->count, sizeof *c->jobs);
    c->lives->unended = c->spec->workload->count;
}

void life_destroy(struct cluster *c)
{
    for (size_t i = 0; c->jobs != NULL && i < c->spec->workload->count; i++) {
        free(c->jobs[i].arrivals);
        free(c->jobs[i].think);
    }
    free(c->jobs);
    free(c->lives);
}

static int open_job(struct cluster *c, size_t index)
{
    const struct cluster_spec *s = c->spec;
    struct job *job = &c->jobs[index];
    job->spec = &s->workload->jobs[index];
    job->work =
        dcs_app_work_points(&s->apps[job->spec->app], s->seed, s->replication, (uint32_t)index);
    DCS_ASSERT(job->spec->open || job->spec->queue_limit == 0);
    DCS_ASSERT(!job->spec->pinned || job->spec->domain < s->domains_count);
    return create_draws(c, job, index);
}

int life_open(struct cluster *c)
{
    size_t n = is_split(c) ? c->stretch.jobs_count : c->spec->workload->count;
    c->lives->begun = c->lives->own = 0;
    for (size_t i = 0; i < n; i++)
        if (open_job(c, is_split(c) ? c->stretch.jobs[i] : i) != 0)
            return -1;
    return 0;
}

/* All requests of a pinned job are in one of the clusters. The arrivals of another one are known to
 * each, and the last of them is over where the last of them has left. */
void life_add(struct cluster *c, const struct cluster *other)
{
    for (size_t i = 0; i < c->spec->workload->count; i++) {
        struct job *job = &c->jobs[i], *from = &other->jobs[i];
        if (from->spec == NULL)
            continue;
        if (job->spec == NULL) {
            *job = *from;
            *from = (struct job){0};
            continue;
        }
        job->outstanding += from->outstanding;
        job->waiting += from->waiting;
        job->completed += from->completed;
        job->dropped += from->dropped;
        if (from->last_completion_ns > job->last_completion_ns)
            job->last_completion_ns = from->last_completion_ns;
        job->ended = job->begun && job->outstanding == 0 && job->spec->requests != 0 &&
                     job->issued >= job->spec->requests;
        measure_add_job(job, from);
    }
}

bool life_jobs_have_ended(const struct cluster *c)
{
    return c->lives->unended == 0;
}

uint64_t life_events_elsewhere(const struct cluster *c)
{
    return c->lives->elsewhere;
}

uint64_t life_kernels_over(const struct cluster *c)
{
    return c->lives->completions + c->lives->stops;
}

static uint32_t pick_domain(struct cluster *c, const struct dcs_job *job, uint32_t avoid)
{
    return job->pinned ? job->domain : router_pick(c, avoid);
}

/* arrives: it comes from its client, not from another domain. */
static void enter_domain(struct cluster *c, struct request *r, uint32_t domain, bool arrives)
{
    r->domain = domain;
    r->state = REQUEST_WAITING;
    r->revocations = 0;
    r->announced = false;
    r->quota.held = false;
    r->start_ns = DCS_NEVER;
    r->device = UINT32_MAX;
    router_enters(c, r->domain);
    c->domains[r->domain].came++;
    if (recording(c))
        record_request(c, RECORD_ROUTED, r, arrives);
    notes_add(c, &c->domains[r->domain],
              (struct note){.kind = NOTE_READY, .about = r->id, .flag = arrives});
}

static void issue(struct cluster *c, size_t index);
static void end_job_if_done(struct cluster *c, size_t index);

/* Whether a job has issued all that it ever will. */
static bool exhausted(const struct cluster *c, const struct job *job)
{
    const struct dcs_job *spec = job->spec;
    return (spec->requests != 0 && job->issued >= spec->requests) ||
           (spec->until_ns != 0 && c->now_ns >= spec->until_ns);
}

/* The client learns that its request has ended, and issues the next one if it is a closed loop. */
static void answer_client(struct cluster *c, size_t index)
{
    struct job *job = &c->jobs[index];
    DCS_ASSERT(job->outstanding > 0);
    job->outstanding--;
    if (job->spec->open || exhausted(c, job)) {
        end_job_if_done(c, index);
        return;
    }
    if (job->spec->think == NULL) {
        issue(c, index);
        return;
    }
    if (!requests_have_room(c))
        return;
    int64_t think_ns = dcs_dist_sample_ns(job->spec->think, job->think, 0);
    if (think_ns < DCS_NEVER - c->now_ns)
        dcs_events_add(c->events, c->now_ns + think_ns, CLASS_WORKLOAD, EVENT_CLIENT, index);
}

static void forget_deadline(struct cluster *c, struct request *r)
{
    if (r->deadline_event != 0)
        dcs_events_cancel(c->events, r->deadline_event);
    r->deadline_event = 0;
}

/* The request leaves the system. The slot lives on if a callback is still to come. */
static void depart(struct cluster *c, struct request *r, enum cluster_outcome outcome)
{
    measure_departure(c, r, outcome);
    forget_deadline(c, r);
    struct job *job = &c->jobs[r->job];
    if (outcome == CLUSTER_DONE) {
        job->completed++;
        job->last_completion_ns = c->now_ns;
    } else {
        job->dropped++;
    }
    r->state = REQUEST_GONE;
}

/* Of a split run: whether a job's next request goes to a domain that is simulated elsewhere. */
static bool goes_elsewhere(struct cluster *c, const struct job *job, uint32_t *domain)
{
    *domain = pick_domain(c, job->spec, UINT32_MAX);
    return *domain < c->stretch.first_domain || *domain >= c->stretch.end_domain;
}

static void issue(struct cluster *c, size_t index)
{
    struct job *job = &c->jobs[index];
    uint32_t domain = UINT32_MAX;
    if (is_split(c) && goes_elsewhere(c, job, &domain)) {
        DCS_ASSERT(job->spec->open && !job->spec->pinned);
        job->issued++;
        c->lives->elsewhere++;
        return;
    }
    if (!requests_have_room(c) || !requests_have_memory(c))
        return;
    struct request *r = request_new(c);
    r->job = (uint32_t)index;
    r->app = job->spec->app;
    r->index = job->issued++;
    r->form = r->app;
    if (job->spec->input != NULL) {
        const struct dcs_draw draw = request_draw(c, r);
        r->form = dcs_input_draw(job->spec->input, &draw)->form;
    }
    request_begin_pass(c, r);
    r->arrival_ns = c->now_ns;
    r->start_ns = DCS_NEVER;
    r->device = UINT32_MAX;
    r->deadline_ns = DCS_NEVER;
    if (job->spec->sla_ns > 0 && job->spec->sla_ns < DCS_NEVER - c->now_ns)
        r->deadline_ns = c->now_ns + job->spec->sla_ns;
    job->outstanding++;
    measure_arrival(c, r);

    if (job->spec->queue_limit > 0 && job->waiting >= job->spec->queue_limit) {
        r->domain = UINT32_MAX;
        if (recording(c))
            record_request(c, RECORD_LEAVES, r, false);
        depart(c, r, CLUSTER_DROPPED);
        request_free(c, r);
        answer_client(c, index);
        return;
    }
    job->waiting++;
    if (job->spec->drop_late && r->deadline_ns != DCS_NEVER)
        r->deadline_event = dcs_events_add(c->events, r->deadline_ns, CLASS_DEADLINE,
                                           EVENT_DEADLINE, request_slot(r));
    if (!is_split(c))
        domain = pick_domain(c, job->spec, UINT32_MAX);
    enter_domain(c, r, domain, true);
}

void life_launched(struct cluster *c, struct request *r, struct device *dev, int64_t work_ns)
{
    r->work_ns = work_ns;
    r->state = REQUEST_RUNNING;
    r->late = false;
    r->device = (uint32_t)(dev - c->devices);
    r->start_ns = c->now_ns;
    forget_deadline(c, r);
    c->jobs[r->job].waiting--;
    c->result->launches++;
    if (c->spec->probe != NULL && c->spec->probe->start != NULL)
        c->spec->probe->start(c->spec->probe->context, c->now_ns, r->job, r->index, r->kernel,
                              work_ns);
}

/* So many kernels in so little time end a run: a second of simulated time would have more than 10^8
 * of them. */
#define NO_TIME_KERNELS 10000000
#define NO_TIME_NS      (10 * (int64_t)NO_TIME_KERNELS)

/* A request has ended. If each of its kernels took 1 ns, the shortest time that there is, and its
 * clients issue such requests without an end, the clock hardly moves. */
static void count_no_time(struct cluster *c, const struct request *r)
{
    const struct dcs_job *job = c->jobs[r->job].spec;
    if (r->took_time || job->open || job->requests != 0)
        return;
    struct lives *all = c->lives;
    if (all->no_time == 0)
        all->no_time_since_ns = c->now_ns;
    all->no_time += request_form(c, r)->kernels;
    /* Where the run has so many in so little time, one of its stretches has its share of them, and
     * counts half of that within this time; the run then begins anew, as one list. */
    if (all->no_time < (is_split(c) ? NO_TIME_KERNELS / 2 / c->stretches : NO_TIME_KERNELS))
        return;
    all->no_time = 0;
    if (c->now_ns - all->no_time_since_ns <= NO_TIME_NS)
        cluster_no_time(c, r->app, NO_TIME_KERNELS);
}

void life_chunk_over(struct cluster *c, struct request *r)
{
    if (c->spec->probe != NULL && c->spec->probe->complete != NULL)
        c->spec->probe->complete(c->spec->probe->context, c->now_ns, r->job, r->index, r->kernel);
    c->lives->completions++;
    notes_add(c, &c->domains[r->domain],
              (struct note){.kind = NOTE_COMPLETE,
                            .about = r->id,
                            .device = r->device - c->domains[r->domain].first_device});
}

/* Its kernel has ended; the request waits for its next launch, or leaves. */
void life_kernel_done(struct cluster *c, struct request *r)
{
    DCS_ASSERT(r->state == REQUEST_RUNNING);
    if (c->spec->probe != NULL && c->spec->probe->complete != NULL)
        c->spec->probe->complete(c->spec->probe->context, c->now_ns, r->job, r->index, r->kernel);

    if (recording(c))
        record_request(c, RECORD_KERNEL_END, r, r->kernel + 1 == request_form(c, r)->kernels);
    c->lives->completions++;
    request_keep_measured(c, r, c->now_ns - r->start_ns);
    r->took_time = r->took_time || r->work_ns > 1;
    r->kernel++;
    r->saved_ns = 0;
    bool done = r->kernel == request_form(c, r)->kernels;
    notes_add(c, &c->domains[r->domain],
              (struct note){.kind = NOTE_COMPLETE,
                            .about = r->id,
                            .device = r->device - c->domains[r->domain].first_device,
                            .flag = done});
    if (!done) {
        r->state = REQUEST_UNTOLD;
        c->jobs[r->job].waiting++;
        return;
    }
    c->domains[r->domain].done++;
    router_leaves(c, r->domain);
    depart(c, r, CLUSTER_DONE);
    count_no_time(c, r);
    answer_client(c, r->job);
}

void life_stopping(struct cluster *c, struct request *r)
{
    r->state = REQUEST_STOPPING;
    if (recording(c))
        record_request(c, RECORD_STOP, r, false);
    r->revocations++;
    r->revocations_ever++;
    c->lives->stops++;
    if (c->now_ns >= c->spec->warmup_ns) {
        c->result->revocations++;
        c->result->apps[r->app].revocations++;
    }
}

void life_stop_over(struct cluster *c, struct request *r)
{
    DCS_ASSERT(r->state == REQUEST_STOPPING);
    r->state = REQUEST_WAITING;
    if (recording(c))
        record_request(c, RECORD_STOPPED, r, false);
    c->jobs[r->job].waiting++;
    notes_add_about(c, NOTE_READY, r->domain, r->id);
}

void life_quota_used(struct cluster *c, struct request *r, uint32_t first_sm)
{
    notes_add(c, &c->domains[r->domain],
              (struct note){.kind = NOTE_QUOTA, .about = r->id, .device = first_sm});
}

void life_drop(struct cluster *c, struct request *r)
{
    uint32_t job = r->job;
    if (recording(c))
        record_request(c, RECORD_LEAVES, r, false);
    c->jobs[job].waiting--;
    c->domains[r->domain].dropped++;
    router_leaves(c, r->domain);
    depart(c, r, CLUSTER_DROPPED);
    request_free(c, r);
    answer_client(c, job);
}

void life_return(struct cluster *c, struct request *r)
{
    if (r->late) {
        life_drop(c, r);
        return;
    }
    uint32_t from = r->domain;
    if (is_split(c) && !c->jobs[r->job].spec->pinned) {
        cluster_not_separable(c);
        return;
    }
    if (recording(c))
        record_request(c, RECORD_LEAVES, r, true);
    c->domains[from].returned++;
    c->result->returned++;
    router_leaves(c, r->domain);
    enter_domain(c, r, pick_domain(c, c->jobs[r->job].spec, from), false);
}

void life_deadline(struct cluster *c, uint32_t slot)
{
    struct request *r = &c->requests.slots[slot];
    r->deadline_event = 0;
    r->late = r->state == REQUEST_PLEDGED; /* what was decided comes first */
    if (!r->late)
        life_drop_late(c, r);
}

void life_drop_late(struct cluster *c, struct request *r)
{
    DCS_ASSERT(r->state == REQUEST_WAITING);
    if (recording(c))
        record_request(c, RECORD_LEAVES, r, false);
    c->jobs[r->job].waiting--;
    c->domains[r->domain].dropped++;
    router_leaves(c, r->domain);
    notes_add_about(c, NOTE_GONE, r->domain, r->id);
    depart(c, r, CLUSTER_DROPPED);
    answer_client(c, r->job);
}

/* ---- Jobs ---- */

static void note_job(struct cluster *c, size_t job, bool begins)
{
    if (c->spec->policy->on_job == NULL)
        return;
    const struct dcs_job *spec = c->jobs[job].spec;
    uint32_t first = spec->pinned ? spec->domain : 0;
    uint32_t end = spec->pinned ? first + 1 : c->spec->domains_count;
    for (uint32_t i = first; i < end; i++)
        notes_add(c, &c->domains[i], (struct note){.kind = NOTE_JOB, .about = job, .flag = begins});
}

static void schedule_arrival(struct cluster *c, size_t index)
{
    struct job *job = &c->jobs[index];
    int64_t gap_ns = dcs_arrivals_next(job->arrivals);
    if (gap_ns < DCS_NEVER - job->spec->begin_ns)
        dcs_events_add(c->events, job->spec->begin_ns + gap_ns, CLASS_WORKLOAD, EVENT_ARRIVAL,
                       index);
}

/* Schedules the begin of the next job, if there is one. In a split run jobs of other stretches have
 * their events, too, since the place of a job among the events of its instant is that of the job
 * before it. */
static void schedule_job(struct cluster *c)
{
    size_t next = c->lives->begun;
    bool none =
        is_split(c) ? c->lives->own == c->stretch.jobs_count : next == c->spec->workload->count;
    if (!none)
        dcs_events_add(c->events, c->spec->workload->jobs[next].begin_ns, CLASS_WORKLOAD, EVENT_JOB,
                       next);
}

/* The first of the jobs in [from, end) that begins after now, else end. */
static size_t find_later_job(const struct cluster *c, size_t from, size_t end)
{
    const struct dcs_job *jobs = c->spec->workload->jobs;
    while (from < end) {
        size_t middle = from + (end - from) / 2;
        if (jobs[middle].begin_ns > c->now_ns)
            end = middle;
        else
            from = middle + 1;
    }
    return end;
}

/* Jobs of other stretches that begin now do nothing if nothing else is pending at this instant. */
static void pass_jobs_elsewhere(struct cluster *c)
{
    struct lives *l = c->lives;
    if (!is_split(c) || l->own == c->stretch.jobs_count || dcs_events_peek(c->events) == c->now_ns)
        return;
    l->begun = find_later_job(c, l->begun, c->stretch.jobs[l->own]);
}

void life_first_job(struct cluster *c)
{
    pass_jobs_elsewhere(c);
    schedule_job(c);
}

void life_job(struct cluster *c, size_t index)
{
    struct job *job = &c->jobs[index];
    struct lives *l = c->lives;
    l->begun++;
    if (is_split(c) && index != c->stretch.jobs[l->own]) {
        l->elsewhere++;
        pass_jobs_elsewhere(c);
        schedule_job(c);
        return;
    }
    l->own++;
    if (is_split(c) && !job->spec->pinned && c->stretch.first_domain > 0)
        l->elsewhere++;
    job->begun = true;
    schedule_job(c);
    note_job(c, index, true);
    if (job->spec->open) {
        schedule_arrival(c, index);
        return;
    }
    uint64_t n = job->spec->clients;
    if (job->spec->requests != 0 && job->spec->requests < n)
        n = job->spec->requests;
    for (uint64_t i = 0; i < n && !c->failed && !cluster_stopped(c); i++)
        issue(c, index);
}

void life_arrival(struct cluster *c, size_t index)
{
    struct job *job = &c->jobs[index];
    if (job->spec->requests == 0 || job->issued + 1 < job->spec->requests)
        schedule_arrival(c, index);
    issue(c, index);
}

/* A client has thought. */
void life_client(struct cluster *c, size_t index)
{
    if (exhausted(c, &c->jobs[index]))
        end_job_if_done(c, index);
    else
        issue(c, index);
}

static void end_job_if_done(struct cluster *c, size_t index)
{
    struct job *job = &c->jobs[index];
    if (job->ended || job->outstanding > 0 || !exhausted(c, job))
        return;
    job->ended = true;
    c->lives->unended--;
    note_job(c, index, false);
}
