/* gang_metrics.c - see gang_metrics.h. */
#include "runs/gang_metrics.h"

#include "des/survival.h"
#include "runs/wallclock.h"

#include <math.h>
#include <stdlib.h>

/* Below it, a job's slowdown says nothing (gang_metrics.h). */
#define BOUND_NS (10 * DCS_NS_PER_S)

const char *const gang_parts[GANG_PARTS] = {
    "allocation_part01", "allocation_part02", "allocation_part03", "allocation_part04",
    "allocation_part05", "allocation_part06", "allocation_part07", "allocation_part08",
    "allocation_part09", "allocation_part10", "allocation_part11", "allocation_part12"};

struct gang_numbers {
    const struct gang_spec *spec;
    const struct gang_result *r; /* NULL: nothing happened */
    struct run *run;
    size_t capacity;
    uint32_t scope; /* METRIC_ALL, or METRIC_CLASS and the class of the jobs that count */
};

static void add_metric(struct gang_numbers *g, const char *name, const char *unit, double value,
                       uint64_t n)
{
    struct run *run = g->run;
    run->metrics =
        dcs_grow(run->metrics, &g->capacity, run->metrics_count + 1, sizeof *run->metrics);
    run->metrics[run->metrics_count++] =
        (struct metric){.name = name, .unit = unit, .app = g->scope, .value = value, .n = n};
}

enum job_time { QUEUE_WAIT, SLOWDOWN, BOUNDED_SLOWDOWN };

/* Of a job that had waited so long when it started, or when it was cut off. Where jobs may be
 * revoked, their slowdowns are of their responses, as long as those are seen. */
static struct dcs_lifetime time_of(const struct gang_numbers *g, enum job_time what, size_t i)
{
    const struct gang_job *job = &g->spec->jobs[i];
    const struct gang_times *t = &g->r->jobs[i];
    bool ends = what != QUEUE_WAIT && g->spec->revoke;
    int64_t seen_ns = ends ? t->end_ns : t->start_ns;
    bool cut = seen_ns == DCS_NEVER;
    double wait = (double)((cut ? g->r->to_ns : seen_ns) - job->arrival_ns);
    double duration = (double)job->duration_ns, response = ends ? wait : wait + duration;
    double value = response / duration;
    if (what == QUEUE_WAIT)
        value = wait;
    else if (what == BOUNDED_SLOWDOWN)
        value = fmax(1, response / fmax(duration, (double)BOUND_NS));
    return (struct dcs_lifetime){value, cut};
}

static bool is_in_scope(const struct gang_numbers *g, const struct gang_job *job)
{
    return g->scope == METRIC_ALL ||
           g->scope == METRIC_CLASS + (uint32_t)(job->latency ? DCS_LATENCY : DCS_BATCH);
}

/* The times of all jobs that have arrived. Returns how many; *mean is of the *known, which were not
 * cut off. */
static size_t collect(const struct gang_numbers *g, enum job_time what, struct dcs_lifetime *all,
                      double *mean, uint64_t *known)
{
    const struct gang_spec *spec = g->spec;
    size_t n = 0;
    double sum = 0;
    *known = 0;
    for (size_t i = 0; g->r != NULL && i < spec->jobs_count; i++) {
        if (spec->jobs[i].arrival_ns >= spec->horizon_ns)
            break;
        if (!is_in_scope(g, &spec->jobs[i]))
            continue;
        all[n] = time_of(g, what, i);
        sum += all[n].cut ? 0 : all[n].time;
        *known += !all[n++].cut;
    }
    *mean = *known > 0 ? sum / (double)*known : (double)NAN;
    return n;
}

/* The rank-th of all times that are known, cut off or not, is the least that the quantile can be.
 * Kaplan and Meier say more of what was cut off, for they take it that it would have gone on like
 * the others. Where work comes faster than it is done that is wrong (summary_rows.c): a job waits
 * on because it is large, or the queue is long. */
static void add_quantile(struct gang_numbers *g, const char *const names[2], const char *unit,
                         double q, struct dcs_lifetime *all, size_t n)
{
    double beyond, value = (double)NAN, least = (double)NAN;
    if (n > 0) {
        value = dcs_survival_quantile(all, n, q, &beyond);
        size_t rank = (size_t)ceil(q * (double)n);
        least = all[rank < 1 ? 0 : rank < n ? rank - 1 : n - 1].time;
    }
    add_metric(g, names[0], unit, value, n);
    add_metric(g, names[1], unit, least, n);
}

static void add_times(struct gang_numbers *g, enum job_time what, const char *const names[9],
                      const char *unit)
{
    static const double quantiles[] = {0.5, 0.95, 0.99, 1};
    struct dcs_lifetime *all = dcs_alloc(g->spec->jobs_count + 1, sizeof *all);
    double mean;
    uint64_t known;
    size_t n = collect(g, what, all, &mean, &known);
    add_metric(g, names[0], unit, mean, known);
    for (size_t i = 0; i < 4; i++)
        add_quantile(g, names + 1 + 2 * i, unit, quantiles[i], all, n);
    free(all);
}

/* What a job held from one instant to another, in the parts of the window. */
static void add_stretch(const struct gang_numbers *g, size_t job, int64_t begin_ns, int64_t end_ns,
                        double held[GANG_PARTS])
{
    const struct gang_job *j = &g->spec->jobs[job];
    int64_t from_ns = g->r->from_ns, to_ns = g->r->to_ns;
    double span = (double)(to_ns - from_ns) / GANG_PARTS;
    double start = (double)(begin_ns - from_ns);
    double end = (double)((end_ns < to_ns ? end_ns : to_ns) - from_ns);
    double gpus = (double)j->gpus * j->milli / GANG_MILLI;
    for (size_t p = (size_t)fmin(start / span, GANG_PARTS - 1);
         p < GANG_PARTS && (double)p * span < end; p++)
        held[p] +=
            gpus * fmax(0, fmin(end, (double)(p + 1) * span) - fmax(start, (double)p * span));
}

static void add_parts(struct gang_numbers *g)
{
    const struct gang_result *r = g->r;
    double held[GANG_PARTS] = {0}, all = 0;
    for (size_t i = 0; r != NULL && i < g->spec->jobs_count; i++)
        if (r->jobs[i].begin_ns != DCS_NEVER)
            add_stretch(g, i, r->jobs[i].begin_ns, r->jobs[i].end_ns, held);
    for (size_t i = 0; r != NULL && i < r->revoked_count; i++)
        add_stretch(g, r->revoked[i].job, r->revoked[i].from_ns, r->revoked[i].to_ns, held);
    if (r != NULL)
        all = (double)(r->to_ns - r->from_ns) / GANG_PARTS * (double)r->gpus;
    for (size_t p = 0; p < GANG_PARTS; p++)
        add_metric(g, gang_parts[p], "1", all > 0 ? held[p] / all : (double)NAN, 1);
}

/* What all jobs that had arrived by an instant asked for until then, over what all GPUs have. */
static double offered_load(const struct gang_result *r, const struct gang_work *w)
{
    double span = (double)(w->at_ns - r->from_ns);
    return span > 0 ? w->due / (span * (double)r->gpus) : (double)NAN;
}

static double undone_share(const struct gang_work *w)
{
    return w->due > 0 ? (w->due - w->done) / w->due : (double)NAN;
}

/* Jobs of the trace that no run sees, of *all. */
static uint64_t count_left_out(const struct experiment *x, uint64_t *all)
{
    const struct dcs_trace *t = &x->traces[0];
    uint64_t out = t->outside;
    for (size_t i = 1; i < t->counts_count; i++)
        out += t->counts[i].count;
    *all = out + t->counts[0].count;
    return out;
}

static void count_jobs(struct gang_numbers *g)
{
    uint64_t arrived = 0, started = 0, ended = 0;
    for (size_t i = 0; g->r != NULL && i < g->spec->jobs_count; i++) {
        if (g->spec->jobs[i].arrival_ns >= g->spec->horizon_ns)
            break;
        if (!is_in_scope(g, &g->spec->jobs[i]))
            continue;
        arrived++;
        started += g->r->jobs[i].start_ns != DCS_NEVER;
        ended += g->r->jobs[i].end_ns != DCS_NEVER;
    }
    add_metric(g, "jobs", "jobs", (double)arrived, arrived);
    add_metric(g, "jobs_started", "jobs", (double)started, arrived);
    add_metric(g, "jobs_ended", "jobs", (double)ended, arrived);
}

void gang_metrics(const struct experiment *x, const struct gang_spec *spec,
                  const struct gang_result *r, struct run *run)
{
    struct gang_numbers g = {.spec = spec, .r = r, .run = run, .scope = METRIC_ALL};
    const struct gang_result none = {0}, *of = r != NULL ? r : &none;
    double span = (double)(of->to_ns - of->from_ns), gpus = (double)of->gpus;
    uint64_t arrived = of->end.arrived, all, left_out = count_left_out(x, &all);
    add_metric(&g, "jobs", "jobs", (double)arrived, arrived);
    add_metric(&g, "jobs_left_out", "jobs", (double)left_out, all);
    add_metric(&g, "jobs_started", "jobs", (double)of->started, arrived);
    add_metric(&g, "jobs_ended", "jobs", (double)of->ended, arrived);
    add_metric(&g, "jobs_waiting", "jobs", (double)of->end.waiting, arrived);
    add_metric(&g, "allocation", "1", of->allocation, of->gpus);
    add_metric(&g, "allocated_gpus", "GPUs", of->allocation * gpus, of->gpus);
    add_metric(&g, "fragmentation", "1", of->fragmentation, of->gpus);
    add_metric(&g, "work", "GPU s", of->end.all * 1e-9, arrived);
    add_metric(&g, "offered_by_jobs", "1", offered_load(of, &of->end), arrived);
    add_metric(&g, "unfinished", "1", undone_share(&of->end), arrived);
    add_metric(&g, "waiting_at_last", "jobs", (double)of->last.waiting, arrived);
    add_metric(&g, "offered_at_last", "1", offered_load(of, &of->last), arrived);
    add_metric(&g, "unfinished_at_last", "1", undone_share(&of->last), arrived);
    add_metric(&g, "lost_work", "GPU s", of->lost_ns * 1e-9, of->revoked_count);
    add_metric(&g, "revocations", "1", (double)of->revoked_count, arrived);
    add_metric(&g, "queue_mean", "jobs", of->queue_mean, 1);
    add_metric(&g, "queue_max", "jobs", (double)of->queue_max, 1);
    add_metric(&g, "window", "ns", span, 1);
    add_metric(&g, "events", "1", (double)of->events, 1);
#define NAMES(time)                                                                                \
    {                                                                                              \
        time "_mean", time "_p50", time "_p50_least", time "_p95", time "_p95_least", time "_p99", \
            time "_p99_least", time "_max", time "_max_least"                                      \
    }
    static const char *const waits[] = NAMES("queue_wait"), *const slow[] = NAMES("slowdown"),
                             *const bounded[] = NAMES("bounded_slowdown");
#undef NAMES
    add_times(&g, QUEUE_WAIT, waits, "ns");
    add_times(&g, SLOWDOWN, slow, "1");
    add_times(&g, BOUNDED_SLOWDOWN, bounded, "1");
    add_parts(&g);
    for (uint32_t class = 0; class < 2 && x->gangs->classed; class ++) {
        g.scope = METRIC_CLASS + class;
        count_jobs(&g);
        add_times(&g, QUEUE_WAIT, waits, "ns");
    }
}

int gang_replication(const struct experiment *x, struct run_watch *watch, struct run *out,
                     struct dcs_err *err)
{
    double began = wallclock_s();
    struct experiment_drawn drawn;
    struct gang_result r;
    if (experiment_draw_gangs(x, out->replication, &drawn, err) != 0)
        return -1;
    drawn.spec.stop = &watch->stop;
    if (gang_run(&drawn.spec, &r, err) != 0) {
        experiment_drawn_release(&drawn);
        return -1;
    }
    cluster_result_begin(&out->result, x->apps_count, x->sized_count);
    out->result.interrupted = r.interrupted;
    out->result.from_ns = out->result.first_arrival_ns = r.from_ns;
    out->result.to_ns = out->result.last_completion_ns = r.to_ns;
    out->result.events = r.events;
    gang_metrics(x, &drawn.spec, &r, out);
    int failed = 0;
    if (!r.interrupted) { /* jobs lie behind the end of one that was */
        gang_rows_make(x, &drawn, &r, &out->gangs);
        failed = gang_bins_make(x, &drawn.spec, &r, &out->bins, err);
    }
    gang_result_release(&r);
    experiment_drawn_release(&drawn);
    if (failed)
        return -1;
    atomic_fetch_add_explicit(&watch->requests, drawn.spec.jobs_count, memory_order_relaxed);
    out->seconds = wallclock_s() - began;
    return 0;
}
