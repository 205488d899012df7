/* cluster.c - the event loop, and the life of requests and jobs; see cluster.h. */
#include "cluster_state.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Timers in a row, with nothing else happening, after which a policy counts as stuck. */
#define STUCK_TIMERS 1000000

void cluster_fail(struct cluster *c, const struct domain *d, const char *format, ...)
{
    if (c->failed)
        return;
    c->failed = true;
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    dcs_err_set(c->err,
                "policy \"%s\", domain %u, at %lld.%09lld s (seed %llu, replication %u): %s",
                c->spec->policy->name, d->index, (long long)(c->now_ns / DCS_NS_PER_S),
                (long long)(c->now_ns % DCS_NS_PER_S), (unsigned long long)c->spec->seed,
                c->spec->replication, text);
}

/* The workload is more than can be simulated: nobody's fault but the config's. */
static void overloaded(struct cluster *c, const char *what, unsigned long long limit)
{
    if (c->failed)
        return;
    c->failed = true;
    dcs_err_set(c->err,
                "at %lld.%09lld s (seed %llu, replication %u) %llu %s, the most that can be "
                "simulated: the workload is far more than the devices can serve; lower its rate or "
                "clients, bound its queue (queue_limit) or shorten the horizon",
                (long long)(c->now_ns / DCS_NS_PER_S), (long long)(c->now_ns % DCS_NS_PER_S),
                (unsigned long long)c->spec->seed, c->spec->replication, limit, what);
}

/* ---- Notes: callbacks that are still to be made ---- */

static void mark_dirty(struct cluster *c, struct domain *d)
{
    if (d->dirty)
        return;
    d->dirty = true;
    c->dirty = dcs_grow(c->dirty, &c->dirty_capacity, c->dirty_count + 1, sizeof *c->dirty);
    c->dirty[c->dirty_count++] = d->index;
}

static void push_note(struct notes *q, const struct note *n)
{
    if (q->count == q->capacity) {
        size_t capacity = q->capacity == 0 ? 16 : 2 * q->capacity;
        struct note *items = dcs_alloc(capacity, sizeof *items);
        for (size_t i = 0; i < q->count; i++)
            items[i] = q->items[(q->first + i) & (q->capacity - 1)];
        free(q->items);
        *q = (struct notes){.items = items, .count = q->count, .capacity = capacity};
    }
    q->items[(q->first + q->count++) & (q->capacity - 1)] = *n;
}

void cluster_note(struct cluster *c, struct domain *d, const struct note *n)
{
    push_note(n->kind == NOTE_GONE ? &d->gone : &d->notes, n);
    mark_dirty(c, d);
}

static void note_about(struct cluster *c, enum note_kind kind, uint32_t domain, uint64_t about)
{
    cluster_note(c, &c->domains[domain], &(struct note){.kind = (uint8_t)kind, .about = about});
}

static void note_job(struct cluster *c, size_t job, bool begins)
{
    if (c->spec->policy->on_job == NULL)
        return;
    for (uint32_t i = 0; i < c->spec->domains_count; i++)
        cluster_note(c, &c->domains[i],
                     &(struct note){.kind = NOTE_JOB, .about = job, .flag = begins});
}

/* Makes the callbacks of this instant, domain by domain in the order in which they had something; a
 * domain that is given something by another one comes again. */
static void flush(struct cluster *c)
{
    for (size_t i = 0; i < c->dirty_count && !c->failed; i++) {
        struct domain *d = &c->domains[c->dirty[i]];
        host_deliver(c, d);
        d->dirty = false;
    }
    c->dirty_count = 0;
}

/* ---- Requests ---- */

struct request *cluster_request(const struct cluster *c, req_id r)
{
    uint64_t slot = r & SLOT_MASK;
    if (slot >= c->requests_used || c->requests[slot].id != r)
        return NULL;
    return &c->requests[slot];
}

static uint32_t slot_of(const struct request *r)
{
    return (uint32_t)(r->id & SLOT_MASK);
}

/* Some 600 MB of them: a queue that long is no longer worth simulating. */
#define REQUESTS_INSIDE_MAX ((uint32_t)1 << 22)
/* Devices have an event each, which are not refused: they must fit beside what is. */
#define EVENTS_FOR_OTHERS (DCS_EVENTS_PENDING_MAX / 2)

static struct request *new_request(struct cluster *c)
{
    uint32_t slot = c->requests_free;
    if (slot != NO_SLOT) {
        c->requests_free = c->requests[slot].next_free;
    } else {
        slot = c->requests_used++;
        DCS_ASSERT(slot < REQUESTS_INSIDE_MAX);
        c->requests =
            dcs_grow(c->requests, &c->requests_capacity, c->requests_used, sizeof *c->requests);
        c->measured = dcs_grow(c->measured, &c->measured_capacity,
                               (size_t)c->requests_used * c->kernels_max, sizeof *c->measured);
    }
    DCS_ASSERT(++c->serial < UINT64_C(1) << (64 - SLOT_BITS));
    c->requests[slot] = (struct request){.id = c->serial << SLOT_BITS | slot};
    for (uint32_t k = 0; k < c->kernels_max; k++)
        c->measured[(size_t)slot * c->kernels_max + k] = -1;
    return &c->requests[slot];
}

bool cluster_has_room(struct cluster *c)
{
    if (c->requests_free == NO_SLOT && c->requests_used >= REQUESTS_INSIDE_MAX) {
        overloaded(c, "requests are inside", REQUESTS_INSIDE_MAX);
        return false;
    }
    if (dcs_events_pending(c->events) >= EVENTS_FOR_OTHERS) {
        overloaded(c, "events are pending", (unsigned long long)EVENTS_FOR_OTHERS);
        return false;
    }
    return true;
}

static void free_request(struct cluster *c, struct request *r)
{
    uint32_t slot = slot_of(r);
    r->id = 0;
    r->state = REQUEST_FREE;
    r->next_free = c->requests_free;
    c->requests_free = slot;
}

/* What the scramble multiplies a kernel's true work with; 0 if it leaves the kernel alone. */
static double scramble_factor(const struct cluster_probe *probe, uint32_t job, uint64_t index,
                              uint32_t kernel)
{
    struct dcs_rng rng;
    dcs_rng_point(&rng, probe->scramble_seed, 0, DCS_RNG_SCRAMBLE, job, index, kernel, 0);
    if (dcs_rng_uniform(&rng) >= probe->scramble_share)
        return 0;
    return 0.25 + 2 * dcs_rng_uniform(&rng);
}

bool cluster_scrambles(const struct cluster_probe *probe, uint32_t job, uint64_t index,
                       uint32_t kernel)
{
    return scramble_factor(probe, job, index, kernel) > 0;
}

/* The true work of a kernel, scrambled if the truth is. */
int64_t cluster_work(struct cluster *c, struct request *r, uint32_t kernel, uint32_t kind)
{
    const struct dcs_draw draw = {.seed = c->spec->seed,
                                  .replication = c->spec->replication,
                                  .job = r->job,
                                  .request = r->index};
    int64_t work = dcs_app_work_ns(&c->spec->apps[r->app], kind, kernel, &draw);
    double factor = c->scrambled ? scramble_factor(c->spec->probe, r->job, r->index, kernel) : 0;
    return factor > 0 ? 1 + (int64_t)((double)work * factor) : work;
}

static uint32_t pick_domain(struct cluster *c, uint32_t avoid)
{
    uint32_t n = c->spec->domains_count, pick = 0;
    if (n == 1)
        return 0;
    switch (c->spec->router) {
    case CLUSTER_ROUND_ROBIN:
        pick = c->next_domain;
        if (pick == avoid)
            pick = (pick + 1) % n;
        c->next_domain = (pick + 1) % n;
        return pick;
    case CLUSTER_RANDOM:
        if (avoid == UINT32_MAX)
            return (uint32_t)dcs_rng_below(&c->router, n);
        pick = (uint32_t)dcs_rng_below(&c->router, n - 1);
        return pick < avoid ? pick : pick + 1;
    case CLUSTER_LEAST_OUTSTANDING:
        pick = avoid == 0 ? 1 : 0;
        for (uint32_t i = pick + 1; i < n; i++)
            if (c->outstanding[i] < c->outstanding[pick] && i != avoid)
                pick = i;
        return pick;
    }
    return pick;
}

static void route(struct cluster *c, struct request *r, uint32_t avoid)
{
    r->domain = pick_domain(c, avoid);
    r->state = REQUEST_WAITING;
    r->revocations = 0;
    r->announced = false;
    r->start_ns = DCS_NEVER;
    r->device = UINT32_MAX;
    c->outstanding[r->domain]++;
    c->domains[r->domain].came++;
    note_about(c, NOTE_READY, r->domain, r->id);
}

static void leave_domain(struct cluster *c, const struct request *r)
{
    DCS_ASSERT(c->outstanding[r->domain] > 0);
    c->outstanding[r->domain]--;
}

static void issue(struct cluster *c, size_t job);
static void end_job_if_done(struct cluster *c, size_t job);

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
    if (!job->spec->thinks) {
        issue(c, index);
        return;
    }
    if (!cluster_has_room(c))
        return;
    int64_t think_ns = dcs_dist_sample_ns(&job->spec->think, &job->think, 0);
    if (think_ns < DCS_NEVER - c->now_ns)
        dcs_events_add(c->events, c->now_ns + think_ns, CLASS_WORKLOAD, EVENT_CLIENT, index);
}

/* The request leaves the system. The slot lives on if a callback is still to come. */
static void depart(struct cluster *c, struct request *r, enum cluster_outcome outcome)
{
    measure_departure(c, r, outcome);
    dcs_events_cancel(c->events, r->deadline_event);
    struct job *job = &c->jobs[r->job];
    if (outcome == CLUSTER_DONE) {
        job->completed++;
        job->last_completion_ns = c->now_ns;
    } else {
        job->dropped++;
    }
    r->state = REQUEST_GONE;
}

static void issue(struct cluster *c, size_t index)
{
    struct job *job = &c->jobs[index];
    if (!cluster_has_room(c))
        return;
    struct request *r = new_request(c);
    r->job = (uint32_t)index;
    r->app = job->spec->app;
    r->index = job->issued++;
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
        depart(c, r, CLUSTER_DROPPED);
        free_request(c, r);
        answer_client(c, index);
        return;
    }
    job->waiting++;
    if (job->spec->drop_late && r->deadline_ns != DCS_NEVER)
        r->deadline_event =
            dcs_events_add(c->events, r->deadline_ns, CLASS_DEADLINE, EVENT_DEADLINE, slot_of(r));
    route(c, r, UINT32_MAX);
}

void cluster_launch(struct cluster *c, struct request *r, struct device *dev)
{
    struct domain *d = &c->domains[r->domain];
    int64_t work = cluster_work(c, r, r->kernel, d->kind);
    int64_t left = work - r->saved_ns;
    r->work_ns = work;
    r->state = REQUEST_RUNNING;
    r->device = (uint32_t)(dev - c->devices);
    r->start_ns = c->now_ns;
    dcs_events_cancel(c->events, r->deadline_event);
    r->deadline_event = 0;
    c->jobs[r->job].waiting--;
    const struct dcs_app *app = &c->spec->apps[r->app];
    int64_t end = dcs_device_start(&dev->truth, c->now_ns,
                                   &(struct dcs_launch){.work_ns = left > 0 ? left : 1,
                                                        .memory_bytes = app->memory_bytes,
                                                        .class = app->class});
    dev->running = r->id;
    dev->since_ns = c->now_ns;
    dev->event =
        dcs_events_add(c->events, end, CLASS_DEVICE, EVENT_COMPLETE, (uint64_t)(dev - c->devices));
    c->result->launches++;
    if (c->spec->probe != NULL && c->spec->probe->start != NULL)
        c->spec->probe->start(c->spec->probe->context, c->now_ns, r->job, r->index, r->kernel,
                              work);
}

static void on_complete(struct cluster *c, uint32_t device)
{
    struct device *dev = &c->devices[device];
    struct request *r = cluster_request(c, dev->running);
    DCS_ASSERT(r != NULL && r->state == REQUEST_RUNNING && r->device == device);
    dcs_device_finish(&dev->truth, c->now_ns);
    dev->running = 0;
    dev->event = 0;
    dev->since_ns = c->now_ns;
    dev->stop_pledged = false; /* a charged revocation came too late */
    r->stop_pledged = false;
    if (c->spec->probe != NULL && c->spec->probe->complete != NULL)
        c->spec->probe->complete(c->spec->probe->context, c->now_ns, r->job, r->index, r->kernel);

    c->completions++;
    c->measured[(size_t)slot_of(r) * c->kernels_max + r->kernel] = c->now_ns - r->start_ns;
    r->kernel++;
    r->saved_ns = 0;
    bool done = r->kernel == c->spec->apps[r->app].kernels;
    cluster_note(c, &c->domains[r->domain],
                 &(struct note){.kind = NOTE_COMPLETE,
                                .about = r->id,
                                .device = device - c->domains[r->domain].first_device,
                                .flag = done});
    if (!done) {
        r->state = REQUEST_WAITING;
        c->jobs[r->job].waiting++;
        return;
    }
    c->domains[r->domain].done++;
    leave_domain(c, r);
    depart(c, r, CLUSTER_DONE);
    answer_client(c, r->job);
}

void cluster_stop(struct cluster *c, struct request *r)
{
    struct device *dev = &c->devices[r->device];
    struct domain *d = &c->domains[r->domain];
    const struct dcs_app *app = &c->spec->apps[r->app];
    int64_t kept;
    int64_t idle_ns = dcs_device_stop(&dev->truth, c->now_ns,
                                      &app->revocation[d->kind * app->kernels + r->kernel], &kept);
    r->saved_ns += kept;
    r->state = REQUEST_STOPPING;
    r->revocations++;
    r->revocations_ever++;
    bool was_pending = dcs_events_cancel(c->events, dev->event);
    DCS_ASSERT(was_pending);
    dev->event = dcs_events_add(c->events, idle_ns, CLASS_DEVICE, EVENT_STOPPED,
                                (uint64_t)(dev - c->devices));
    dev->since_ns = c->now_ns;
    c->result->revocations++;
    c->result->apps[r->app].revocations++;
}

static void on_stopped(struct cluster *c, uint32_t device)
{
    struct device *dev = &c->devices[device];
    struct request *r = cluster_request(c, dev->running);
    DCS_ASSERT(r != NULL && r->state == REQUEST_STOPPING);
    dcs_device_stopped(&dev->truth, c->now_ns);
    dev->running = 0;
    dev->event = 0;
    dev->since_ns = c->now_ns;
    r->state = REQUEST_WAITING;
    c->jobs[r->job].waiting++;
    note_about(c, NOTE_READY, r->domain, r->id);
}

void cluster_drop(struct cluster *c, struct request *r)
{
    uint32_t job = r->job;
    c->jobs[job].waiting--;
    c->domains[r->domain].dropped++;
    leave_domain(c, r);
    depart(c, r, CLUSTER_DROPPED);
    free_request(c, r);
    answer_client(c, job);
}

void cluster_return(struct cluster *c, struct request *r)
{
    uint32_t from = r->domain;
    c->domains[from].returned++;
    c->result->returned++;
    leave_domain(c, r);
    route(c, r, from);
}

static void on_deadline(struct cluster *c, uint32_t slot)
{
    struct request *r = &c->requests[slot];
    r->deadline_event = 0;
    if (r->state == REQUEST_PLEDGED)
        return; /* its launch has been decided */
    DCS_ASSERT(r->state == REQUEST_WAITING);
    c->jobs[r->job].waiting--;
    c->domains[r->domain].dropped++;
    leave_domain(c, r);
    note_about(c, NOTE_GONE, r->domain, r->id);
    depart(c, r, CLUSTER_DROPPED);
    answer_client(c, r->job);
}

/* ---- Jobs ---- */

static void schedule_arrival(struct cluster *c, size_t index)
{
    struct job *job = &c->jobs[index];
    int64_t gap_ns = dcs_arrivals_next(&job->arrivals);
    if (gap_ns < DCS_NEVER - job->spec->begin_ns)
        dcs_events_add(c->events, job->spec->begin_ns + gap_ns, CLASS_WORKLOAD, EVENT_ARRIVAL,
                       index);
}

static void schedule_next_job(struct cluster *c)
{
    if (c->jobs_begun < c->spec->workload->count)
        dcs_events_add(c->events, c->jobs[c->jobs_begun].spec->begin_ns, CLASS_WORKLOAD, EVENT_JOB,
                       c->jobs_begun);
}

static void on_job(struct cluster *c, size_t index)
{
    struct job *job = &c->jobs[index];
    job->begun = true;
    c->jobs_begun++;
    schedule_next_job(c);
    note_job(c, index, true);
    if (job->spec->open) {
        schedule_arrival(c, index);
        return;
    }
    uint64_t n = job->spec->clients;
    if (job->spec->requests != 0 && job->spec->requests < n)
        n = job->spec->requests;
    for (uint64_t i = 0; i < n && !c->failed; i++)
        issue(c, index);
}

static void on_arrival(struct cluster *c, size_t index)
{
    struct job *job = &c->jobs[index];
    if (job->spec->requests == 0 || job->issued + 1 < job->spec->requests)
        schedule_arrival(c, index);
    issue(c, index);
}

static void end_job_if_done(struct cluster *c, size_t index)
{
    struct job *job = &c->jobs[index];
    if (job->ended || job->outstanding > 0 || !exhausted(c, job))
        return;
    job->ended = true;
    c->jobs_unended--;
    note_job(c, index, false);
}

/* ---- The truth scramble ---- */

static void scramble(struct cluster *c)
{
    c->scrambled = true;
    for (uint32_t i = 0; i < c->devices_count; i++) {
        struct device *dev = &c->devices[i];
        if (dev->truth.phase != DCS_DEVICE_RUNNING)
            continue;
        struct request *r = cluster_request(c, dev->running);
        double factor = scramble_factor(c->spec->probe, r->job, r->index, r->kernel);
        if (!(factor > 0))
            continue;
        int64_t left = dcs_device_left_ns(&dev->truth, c->now_ns);
        int64_t changed = 1 + (int64_t)((double)left * factor);
        r->work_ns += changed - left;
        int64_t end = dcs_device_set_left(&dev->truth, c->now_ns, changed);
        dcs_events_cancel(c->events, dev->event);
        dev->event = dcs_events_add(c->events, end, CLASS_DEVICE, EVENT_COMPLETE, i);
    }
}

/* ---- The run ---- */

static void handle(struct cluster *c, const struct dcs_event *e)
{
    bool idle = e->kind == EVENT_TIMER && dcs_events_pending(c->events) < c->timers_pending;
    c->idle_timers = idle ? c->idle_timers + 1 : 0;
    switch ((enum event_kind)e->kind) {
    case EVENT_COMPLETE:
        on_complete(c, (uint32_t)e->about);
        break;
    case EVENT_STOPPED:
        on_stopped(c, (uint32_t)e->about);
        break;
    case EVENT_JOB:
        on_job(c, e->about);
        break;
    case EVENT_ARRIVAL:
        on_arrival(c, e->about);
        break;
    case EVENT_CLIENT:
        if (!exhausted(c, &c->jobs[e->about]))
            issue(c, e->about);
        else
            end_job_if_done(c, e->about);
        break;
    case EVENT_DEADLINE:
        on_deadline(c, (uint32_t)e->about);
        break;
    case EVENT_ACTION:
        host_apply(c, (uint32_t)e->about);
        break;
    case EVENT_TIMER:
        host_timer_fires(c, (uint32_t)e->about);
        break;
    case EVENT_SCHEDULER: {
        struct domain *d = &c->domains[e->about];
        d->wakes = false;
        mark_dirty(c, d);
        break;
    }
    case EVENT_SCRAMBLE:
        scramble(c);
        break;
    }
}

static bool anything_inside(const struct cluster *c)
{
    for (uint32_t i = 0; i < c->spec->domains_count; i++)
        if (c->outstanding[i] > 0)
            return true;
    return false;
}

/* Tells how far the run is; true if it is to be broken off. */
static bool look_outside(struct cluster *c)
{
    const struct cluster_spec *s = c->spec;
    if (s->progress != NULL)
        atomic_fetch_add(s->progress, c->result->requests - c->told);
    c->told = c->result->requests;
    c->result->interrupted = s->stop != NULL && atomic_load(s->stop);
    return c->result->interrupted;
}

/* Returns the time at which the run ended. */
static int64_t loop(struct cluster *c)
{
    const struct cluster_spec *s = c->spec;
    uint64_t rounds = 0;
    while (!c->failed) {
        int64_t next = dcs_events_peek(c->events);
        if (next == DCS_NEVER || next >= s->horizon_ns)
            break;
        /* What is left are timers of policies that have nothing to do. */
        if (s->horizon_ns == DCS_NEVER && c->jobs_unended == 0)
            break;
        if (c->idle_timers > STUCK_TIMERS && s->horizon_ns == DCS_NEVER) {
            cluster_fail(c, &c->domains[0],
                         "requests wait, but nothing is pending except timers, %d times in a row",
                         STUCK_TIMERS);
            break;
        }
        if ((++rounds & 4095) == 0 && look_outside(c))
            break;
        DCS_ASSERT(next >= c->now_ns);
        if (next > c->now_ns)
            c->instant_notes = 0;
        c->now_ns = next;
        dcs_where.now_ns = next;
        struct dcs_event e;
        do {
            dcs_events_next(c->events, &e);
            handle(c, &e);
        } while (dcs_events_peek(c->events) == next);
        flush(c);
    }
    return s->horizon_ns == DCS_NEVER ? c->now_ns : s->horizon_ns;
}

static int check_policy(const struct policy *p, struct dcs_err *err)
{
    if (p->abi != POLICY_ABI || p->size != sizeof *p)
        return dcs_err_set(err,
                           "policy \"%s\" was built for version %u of the contract, this is %u: "
                           "build it again",
                           p->name, p->abi, POLICY_ABI);
    if (p->on_ready == NULL || p->on_complete == NULL)
        return dcs_err_set(err, "policy \"%s\" lacks on_ready or on_complete", p->name);
    return 0;
}

static void create_domains(struct cluster *c)
{
    const struct cluster_spec *s = c->spec;
    c->domains = dcs_alloc(s->domains_count, sizeof *c->domains);
    c->outstanding = dcs_alloc(s->domains_count, sizeof *c->outstanding);
    for (uint32_t i = 0; i < s->domains_count; i++)
        c->devices_count += s->domains[i].devices;
    c->devices = dcs_alloc(c->devices_count, sizeof *c->devices);
    uint32_t device = 0;
    for (uint32_t i = 0; i < s->domains_count; i++) {
        struct domain *d = &c->domains[i];
        d->host.ops = &host_operations;
        d->cluster = c;
        d->index = i;
        d->kind = s->domains[i].kind;
        d->first_device = device;
        d->devices = s->domains[i].devices;
        d->state = dcs_alloc(1, s->policy->state_size + 1);
        dcs_rng_stream(&d->rng, s->seed, s->replication, DCS_RNG_POLICY, i);
        for (uint32_t k = 0; k < d->devices; k++, device++) {
            c->devices[device].domain = i;
            dcs_device_init(&c->devices[device].truth, s->kind_memory_bytes[d->kind], s->checkpoint,
                            s->warmup_ns);
        }
    }
}

static int create_jobs(struct cluster *c)
{
    const struct cluster_spec *s = c->spec;
    c->jobs = dcs_alloc(s->workload->count, sizeof *c->jobs);
    for (size_t i = 0; i < s->workload->count; i++) {
        struct job *job = &c->jobs[i];
        job->spec = &s->workload->jobs[i];
        DCS_ASSERT(job->spec->open || job->spec->queue_limit == 0);
        struct dcs_rng rng;
        dcs_rng_stream(&rng, s->seed, s->replication, DCS_RNG_ARRIVALS, i);
        if (job->spec->open &&
            dcs_arrivals_init(&job->arrivals, &job->spec->arrivals, &rng, c->err) != 0)
            return -1;
        job->arrivals.phase_ns = job->spec->begin_ns;
        dcs_rng_stream(&job->think, s->seed, s->replication, DCS_RNG_THINK, i);
    }
    c->jobs_unended = s->workload->count;
    c->kernels_max = 1;
    for (uint32_t a = 0; a < s->apps_count; a++)
        if (s->apps[a].kernels > c->kernels_max)
            c->kernels_max = s->apps[a].kernels;
    return 0;
}

/* Calls init of every domain's policy; says how many were called, for as many fini. */
static uint32_t start_policies(struct cluster *c)
{
    const struct policy *p = c->spec->policy;
    uint32_t started = 0;
    for (; started < c->spec->domains_count && !c->failed; started++) {
        struct domain *d = &c->domains[started];
        d->in_callback = true;
        if (p->init != NULL && p->init(d->state, c->spec->policy_params, &d->host) != 0)
            cluster_fail(c, d, "init failed and gave no reason");
        d->in_callback = false;
    }
    return started;
}

/* What came has left or is here; each launch has completed, was revoked or runs. */
static void check_balance(const struct cluster *c)
{
    for (uint32_t i = 0; i < c->spec->domains_count; i++) {
        const struct domain *d = &c->domains[i];
        DCS_ASSERT(d->came == d->done + d->dropped + d->returned + c->outstanding[i]);
    }
    uint64_t running = 0;
    for (uint32_t i = 0; i < c->devices_count; i++)
        running += c->devices[i].truth.phase == DCS_DEVICE_RUNNING;
    DCS_ASSERT(c->result->launches == c->completions + c->result->revocations + running);
}

static void destroy(struct cluster *c)
{
    for (uint32_t i = 0; c->domains != NULL && i < c->spec->domains_count; i++) {
        free(c->domains[i].state);
        free(c->domains[i].gone.items);
        free(c->domains[i].notes.items);
    }
    free(c->domains);
    free(c->outstanding);
    free(c->dirty);
    free(c->devices);
    free(c->requests);
    free(c->measured);
    free(c->jobs);
    free(c->actions);
    free(c->timers);
    dcs_events_destroy(c->events);
    dcs_where.inside = false;
}

static void begin(struct cluster *c)
{
    const struct cluster_spec *s = c->spec;
    c->requests_free = c->actions_free = c->timers_free = NO_SLOT;
    c->events = dcs_events_create();
    dcs_rng_stream(&c->router, s->seed, s->replication, DCS_RNG_ROUTER, 0);
    create_domains(c);
    measure_begin(c);
    dcs_where.seed = s->seed;
    dcs_where.replication = s->replication;
    dcs_where.now_ns = 0;
    dcs_where.inside = true;
}

int cluster_run(const struct cluster_spec *spec, struct cluster_result *out, struct dcs_err *err)
{
    *out = (struct cluster_result){0};
    if (check_policy(spec->policy, err) != 0)
        return -1;
    struct cluster c = {.spec = spec, .result = out, .err = err};
    begin(&c);
    uint32_t started = 0;
    if (create_jobs(&c) != 0) {
        c.failed = true;
    } else {
        started = start_policies(&c);
        schedule_next_job(&c);
        if (spec->probe != NULL && spec->probe->scramble)
            dcs_events_add(c.events, spec->probe->scramble_ns, CLASS_MARK, EVENT_SCRAMBLE, 0);
        int64_t end_ns = loop(&c);
        if (spec->progress != NULL)
            atomic_fetch_add(spec->progress, out->requests - c.told);
        if (!c.failed) {
            if (!out->interrupted && spec->horizon_ns == DCS_NEVER && anything_inside(&c))
                for (uint32_t i = 0; i < spec->domains_count; i++)
                    out->left_waiting += c.outstanding[i];
            check_balance(&c);
            measure_end(&c, end_ns);
        }
    }
    for (uint32_t i = 0; i < started; i++)
        if (spec->policy->fini != NULL)
            spec->policy->fini(c.domains[i].state);
    bool failed = c.failed;
    destroy(&c);
    if (failed)
        cluster_result_release(out);
    return failed ? -1 : 0;
}
