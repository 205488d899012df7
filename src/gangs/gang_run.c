/* gang_run.c - the clock, the queue and the sums over time; see gang.h. */
#include "gangs/gang.h"

#include "des/eventlist.h"
#include "gangs/gang_nodes.h"

#include <stdlib.h>

struct queued {
    uint32_t before, after; /* jobs; GANG_NONE at the ends */
};

struct gang_sim {
    const struct gang_spec *spec;
    struct gang_nodes nodes;
    struct gang_times *times;
    struct dcs_events *ends;
    struct queued *queue; /* a list through the jobs that wait */
    uint32_t first, last;
    uint64_t waiting;
    uint32_t arrived; /* jobs */
    bool is_reserved; /* for the first in the queue */
    uint32_t reserved_for;
    int64_t reserved_ns;
    dcs_event_id *end_of; /* job; NULL: none is revoked */
    uint32_t *victims;
    size_t victims_capacity, revoked_capacity;
    /* In which scan a demand was seen not to fit, [2 * demand + whether GPUs are reserved]. */
    uint64_t *failed, scan;
    int64_t now_ns;
    __int128 held, free, fragments, waited, lost; /* sums over time */
    struct gang_result *out;
};

enum gang_misfit gang_misfit(const struct gang_spec *spec, const struct gang_job *job)
{
    uint64_t most = 0;
    bool model = false;
    for (size_t i = 0; i < spec->groups_count; i++) {
        const struct gang_group *g = &spec->groups[i];
        if (job->models != GANG_ANY_MODEL && (job->models & g->model) == 0)
            continue;
        model = true;
        uint64_t gpus = spec->across_nodes ? (uint64_t)g->nodes * g->gpus : g->gpus;
        most = spec->across_nodes ? most + gpus : gpus > most ? gpus : most;
    }
    if (!model)
        return GANG_NO_MODEL;
    return job->gpus > most ? GANG_TOO_LARGE : GANG_FITS;
}

/* ---- The queue ---- */

/* Behind whom a job waits; GANG_NONE: it is the first. */
static uint32_t find_place(const struct gang_sim *s, uint32_t job)
{
    const struct gang_job *jobs = s->spec->jobs;
    uint32_t at = s->last;
    while (s->spec->revoke && at != GANG_NONE &&
           (jobs[at].rank < jobs[job].rank || (at > job && jobs[at].rank == jobs[job].rank)))
        at = s->queue[at].before;
    return at;
}

static void join_queue(struct gang_sim *s, uint32_t job)
{
    uint32_t before = find_place(s, job);
    uint32_t after = before != GANG_NONE ? s->queue[before].after : s->first;
    s->queue[job] = (struct queued){.before = before, .after = after};
    if (before != GANG_NONE)
        s->queue[before].after = job;
    else
        s->first = job;
    if (after != GANG_NONE)
        s->queue[after].before = job;
    else
        s->last = job;
    s->waiting++;
    if (s->waiting > s->out->queue_max)
        s->out->queue_max = s->waiting;
}

static void leave_queue(struct gang_sim *s, uint32_t job)
{
    const struct queued *q = &s->queue[job];
    if (q->before != GANG_NONE)
        s->queue[q->before].after = q->after;
    else
        s->first = q->after;
    if (q->after != GANG_NONE)
        s->queue[q->after].before = q->before;
    else
        s->last = q->before;
    s->waiting--;
}

/* When a job ends that starts now. */
static int64_t find_end(const struct gang_sim *s, uint32_t job)
{
    return dcs_add_times(s->now_ns, s->spec->jobs[job].duration_ns - s->times[job].done_ns);
}

static bool start_job(struct gang_sim *s, uint32_t job)
{
    if (!gang_place(&s->nodes, s->spec, job, &s->times[job]))
        return false;
    struct gang_times *t = &s->times[job];
    s->out->started += t->start_ns == DCS_NEVER;
    t->start_ns = t->start_ns == DCS_NEVER ? s->now_ns : t->start_ns;
    t->begin_ns = s->now_ns;
    t->end_ns = find_end(s, job);
    dcs_event_id end = t->end_ns < DCS_NEVER ? dcs_events_add(s->ends, t->end_ns, 0, 0, job) : 0;
    if (s->end_of != NULL)
        s->end_of[job] = end;
    leave_queue(s, job);
    return true;
}

/* ---- Revocation ---- */

static void revoke_job(struct gang_sim *s, uint32_t job)
{
    struct gang_times *t = &s->times[job];
    __int128 lost = gang_loss(s->spec, s->times, job, s->now_ns);
    int64_t lost_ns =
        (int64_t)(lost / ((__int128)s->spec->jobs[job].gpus * s->spec->jobs[job].milli));
    struct gang_result *out = s->out;
    out->revoked =
        dcs_grow(out->revoked, &s->revoked_capacity, out->revoked_count + 1, sizeof *out->revoked);
    out->revoked[out->revoked_count++] = (struct gang_stretch){job, t->begin_ns, s->now_ns};
    s->lost += lost;
    t->done_ns += s->now_ns - t->begin_ns - lost_ns;
    t->end_ns = t->begin_ns = DCS_NEVER;
    dcs_events_cancel(s->ends, s->end_of[job]);
    gang_give_back(&s->nodes, job);
    join_queue(s, job);
}

/* The first in the queue starts, if need be in the place of jobs of lower ranks. */
static bool start_first(struct gang_sim *s)
{
    uint32_t job = s->first;
    if (start_job(s, job))
        return true;
    size_t count = !s->spec->revoke ? 0
                                    : gang_victims(&s->nodes, s->spec, job, s->times, s->now_ns,
                                                   &s->victims, &s->victims_capacity);
    for (size_t i = 0; i < count; i++)
        revoke_job(s, s->victims[i]);
    bool started = count > 0 && start_job(s, job);
    DCS_ASSERT(started == (count > 0));
    return started;
}

/* ---- Starting ---- */

/* A later job may start if it ends before the first one's reservation, or on other GPUs. */
static void try_backfill(struct gang_sim *s, uint32_t job)
{
    bool avoid = find_end(s, job) > s->reserved_ns;
    uint64_t *failed = &s->failed[2 * (size_t)s->nodes.demand_of[job]];
    if (failed[0] == s->scan || (avoid && failed[1] == s->scan))
        return;
    s->nodes.avoid = avoid;
    if (!start_job(s, job))
        failed[avoid ? 1 : 0] = s->scan;
    s->nodes.avoid = false;
}

static void backfill(struct gang_sim *s, uint32_t from)
{
    uint32_t looked = 0;
    for (uint32_t job = from; job != GANG_NONE && s->nodes.free_total > 0;) {
        uint32_t after = s->queue[job].after;
        if (s->spec->depth > 0 && looked++ == s->spec->depth)
            break;
        try_backfill(s, job);
        job = after;
    }
}

static void end_reservation(struct gang_sim *s)
{
    if (s->is_reserved)
        gang_unreserve(&s->nodes);
    s->is_reserved = false;
}

/* newest: the first job that arrived at this instant, or GANG_NONE; freed: jobs ended at it. Where
 * none did, those that waited before cannot start now either: time only makes it harder. */
static void start_jobs(struct gang_sim *s, uint32_t newest, bool freed)
{
    bool moved = freed || s->spec->revoke;
    while (s->first != GANG_NONE && start_first(s)) {
        end_reservation(s);
        moved = true;
    }
    if (s->reserved_for != s->first)
        end_reservation(s);
    if (s->spec->order != GANG_EASY || s->first == GANG_NONE ||
        s->queue[s->first].after == GANG_NONE)
        return;
    if (!s->is_reserved) {
        s->reserved_ns = gang_reserve(&s->nodes, s->spec, s->first, s->now_ns, s->times);
        s->reserved_for = s->first;
        s->is_reserved = moved = true;
    }
    s->scan++;
    if (moved || (s->spec->depth > 0 && s->waiting > s->spec->depth))
        backfill(s, s->queue[s->first].after);
    else if (newest != GANG_NONE)
        backfill(s, newest == s->first ? s->queue[newest].after : newest);
}

/* ---- Time ---- */

static void pass_time(struct gang_sim *s, int64_t to_ns)
{
    const struct gang_nodes *n = &s->nodes;
    __int128 step = to_ns - s->now_ns;
    DCS_ASSERT(step >= 0);
    uint64_t all = (uint64_t)n->gpus * GANG_MILLI;
    s->held += step * (all - n->free_total);
    s->free += step * n->free_total;
    s->fragments += step * n->fragment_total;
    s->waited += step * s->waiting;
    s->now_ns = to_ns;
}

static bool end_jobs(struct gang_sim *s)
{
    bool any = false;
    while (dcs_events_peek(s->ends) == s->now_ns) {
        struct dcs_event e;
        dcs_events_next(s->ends, &e);
        gang_give_back(&s->nodes, (uint32_t)e.about);
        s->out->ended++;
        s->out->events++;
        any = true;
    }
    return any;
}

/* Returns the first that arrived now, or GANG_NONE. */
static uint32_t let_arrive(struct gang_sim *s)
{
    const struct gang_spec *spec = s->spec;
    uint32_t newest = GANG_NONE;
    while (s->arrived < spec->jobs_count && spec->jobs[s->arrived].arrival_ns == s->now_ns) {
        newest = newest == GANG_NONE ? s->arrived : newest;
        join_queue(s, s->arrived++);
        s->out->events++;
    }
    return newest;
}

/* Of the jobs that have arrived, as things stand. */
static struct gang_work find_work(const struct gang_sim *s)
{
    struct gang_work w = {.at_ns = s->now_ns, .arrived = s->arrived, .waiting = s->waiting};
    for (size_t i = 0; i < s->arrived; i++) {
        const struct gang_job *job = &s->spec->jobs[i];
        const struct gang_times *t = &s->times[i];
        double gpus = (double)job->gpus * job->milli / GANG_MILLI;
        int64_t room_ns = w.at_ns - job->arrival_ns;
        int64_t end_ns = t->end_ns < w.at_ns ? t->end_ns : w.at_ns;
        w.all += gpus * (double)job->duration_ns;
        w.due += gpus * (double)(job->duration_ns < room_ns ? job->duration_ns : room_ns);
        w.done += gpus * (double)t->done_ns;
        w.done += t->begin_ns != DCS_NEVER ? gpus * (double)(end_ns - t->begin_ns) : 0;
    }
    return w;
}

static int run_events(struct gang_sim *s, struct dcs_err *err)
{
    const struct gang_spec *spec = s->spec;
    for (;;) {
        int64_t next_ns = dcs_events_peek(s->ends);
        if (s->arrived < spec->jobs_count && spec->jobs[s->arrived].arrival_ns < next_ns)
            next_ns = spec->jobs[s->arrived].arrival_ns;
        if (next_ns == DCS_NEVER || next_ns >= spec->horizon_ns)
            return 0;
        if (spec->stop != NULL && atomic_load_explicit(spec->stop, memory_order_relaxed)) {
            s->out->interrupted = true;
            return 0;
        }
        pass_time(s, next_ns);
        bool freed = end_jobs(s);
        uint32_t newest = let_arrive(s);
        if (dcs_events_pending(s->ends) + s->waiting >= DCS_EVENTS_PENDING_MAX)
            return dcs_err_set(err, "more than %zu jobs wait or run at once",
                               DCS_EVENTS_PENDING_MAX);
        start_jobs(s, newest, freed);
        if (newest != GANG_NONE && (s->arrived == spec->jobs_count ||
                                    spec->jobs[s->arrived].arrival_ns >= spec->horizon_ns))
            s->out->last = find_work(s);
    }
}

static double ratio(__int128 part, __int128 whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

static void finish(struct gang_sim *s)
{
    struct gang_result *out = s->out;
    if (s->spec->horizon_ns != DCS_NEVER && s->now_ns < s->spec->horizon_ns)
        pass_time(s, s->spec->horizon_ns);
    out->to_ns = s->now_ns;
    __int128 span = out->to_ns - out->from_ns;
    out->allocation = ratio(s->held, s->held + s->free);
    out->fragmentation =
        ratio(s->fragments, s->free) / (double)(s->nodes.typical_jobs + !s->nodes.typical_jobs);
    out->queue_mean = ratio(s->waited, span);
    out->lost_ns = (double)s->lost / GANG_MILLI;
    out->end = find_work(s);
    for (size_t i = 0; i < s->spec->jobs_count; i++)
        if (s->times[i].end_ns >= s->spec->horizon_ns)
            s->times[i].end_ns = DCS_NEVER;
}

int gang_run(const struct gang_spec *spec, struct gang_result *out, struct dcs_err *err)
{
    *out = (struct gang_result){0};
    struct gang_sim s = {.spec = spec, .out = out, .first = GANG_NONE, .last = GANG_NONE};
    gang_nodes_init(&s.nodes, spec);
    s.times = out->jobs = dcs_alloc(spec->jobs_count + 1, sizeof *s.times);
    for (size_t i = 0; i < spec->jobs_count; i++) {
        DCS_ASSERT(gang_misfit(spec, &spec->jobs[i]) == GANG_FITS);
        s.times[i] = (struct gang_times){
            .start_ns = DCS_NEVER, .end_ns = DCS_NEVER, .begin_ns = DCS_NEVER, .node = GANG_NONE};
    }
    s.queue = dcs_alloc(spec->jobs_count + 1, sizeof *s.queue);
    s.failed = dcs_alloc(2 * (size_t)s.nodes.demands + 1, sizeof *s.failed);
    s.end_of = spec->revoke ? dcs_alloc(spec->jobs_count + 1, sizeof *s.end_of) : NULL;
    s.ends = dcs_events_create();
    out->gpus = s.nodes.gpus;
    out->from_ns = s.now_ns = spec->jobs_count > 0 ? spec->jobs[0].arrival_ns : 0;
    int failed = run_events(&s, err);
    if (!failed)
        finish(&s);
    dcs_events_destroy(s.ends);
    gang_nodes_release(&s.nodes);
    free(s.failed);
    free(s.victims);
    free(s.end_of);
    free(s.queue);
    if (failed)
        gang_result_release(out);
    return failed;
}

void gang_result_release(struct gang_result *r)
{
    free(r->jobs);
    free(r->revoked);
    *r = (struct gang_result){0};
}
