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
    const struct experiment *x;
    const struct gang_result *r; /* NULL: nothing happened */
    struct run *run;
    size_t capacity;
};

static void add_metric(struct gang_numbers *g, const char *name, const char *unit, double value,
                       uint64_t n)
{
    struct run *run = g->run;
    run->metrics =
        dcs_grow(run->metrics, &g->capacity, run->metrics_count + 1, sizeof *run->metrics);
    run->metrics[run->metrics_count++] =
        (struct metric){.name = name, .unit = unit, .app = METRIC_ALL, .value = value, .n = n};
}

enum job_time { QUEUE_WAIT, SLOWDOWN, BOUNDED_SLOWDOWN };

/* Of a job that had waited so long when it started, or when it was cut off. */
static double time_of(enum job_time what, int64_t wait_ns, int64_t duration_ns)
{
    double wait = (double)wait_ns, duration = (double)duration_ns;
    double response = wait + duration;
    if (what == QUEUE_WAIT)
        return wait;
    if (what == SLOWDOWN)
        return response / duration;
    return fmax(1, response / fmax(duration, (double)BOUND_NS));
}

/* The times of all jobs that have arrived. Returns how many; *mean is of those that have started.
 */
static size_t collect(const struct gang_numbers *g, enum job_time what, struct dcs_lifetime *all,
                      double *mean)
{
    const struct gang_spec *spec = &g->x->gangs->spec;
    size_t n = 0, started = 0;
    double sum = 0;
    for (size_t i = 0; g->r != NULL && i < spec->jobs_count; i++) {
        const struct gang_job *job = &spec->jobs[i];
        bool cut = g->r->jobs[i].start_ns == DCS_NEVER;
        int64_t until_ns = cut ? g->r->to_ns : g->r->jobs[i].start_ns;
        if (job->arrival_ns >= spec->horizon_ns)
            break;
        double value = time_of(what, until_ns - job->arrival_ns, job->duration_ns);
        all[n++] = (struct dcs_lifetime){value, cut};
        sum += cut ? 0 : value;
        started += !cut;
    }
    *mean = started > 0 ? sum / (double)started : (double)NAN;
    return n;
}

static void add_times(struct gang_numbers *g, enum job_time what, const char *const names[5],
                      const char *unit)
{
    static const double quantiles[] = {0.5, 0.95, 0.99, 1};
    struct dcs_lifetime *all = dcs_alloc(g->x->gangs->spec.jobs_count + 1, sizeof *all);
    double mean, beyond;
    size_t n = collect(g, what, all, &mean);
    add_metric(g, names[0], unit, mean, g->r != NULL ? g->r->started : 0);
    for (size_t i = 0; i < 4; i++)
        add_metric(g, names[i + 1], unit,
                   n > 0 ? dcs_survival_quantile(all, n, quantiles[i], &beyond) : (double)NAN, n);
    free(all);
}

static void add_parts(struct gang_numbers *g)
{
    const struct gang_spec *spec = &g->x->gangs->spec;
    double held[GANG_PARTS] = {0}, span = 0;
    for (size_t i = 0; g->r != NULL && i < spec->jobs_count; i++) {
        const struct gang_times *t = &g->r->jobs[i];
        int64_t from_ns = g->r->from_ns, to_ns = g->r->to_ns;
        if (t->start_ns == DCS_NEVER)
            continue;
        span = (double)(to_ns - from_ns) / GANG_PARTS;
        double start = (double)(t->start_ns - from_ns);
        double end = (double)((t->end_ns < to_ns ? t->end_ns : to_ns) - from_ns);
        double gpus = (double)spec->jobs[i].gpus * spec->jobs[i].milli / GANG_MILLI;
        for (size_t p = (size_t)fmin(start / span, GANG_PARTS - 1);
             p < GANG_PARTS && (double)p * span < end; p++)
            held[p] +=
                gpus * fmax(0, fmin(end, (double)(p + 1) * span) - fmax(start, (double)p * span));
    }
    for (size_t p = 0; p < GANG_PARTS; p++)
        add_metric(g, gang_parts[p], "1",
                   span > 0 ? held[p] / (span * (double)g->r->gpus) : (double)NAN, 1);
}

void gang_metrics(const struct experiment *x, const struct gang_result *r, struct run *run)
{
    struct gang_numbers g = {.x = x, .r = r, .run = run};
    const struct gang_result none = {0}, *of = r != NULL ? r : &none;
    const struct gang_spec *spec = &x->gangs->spec;
    uint64_t arrived = 0;
    double work = 0;
    while (r != NULL && arrived < spec->jobs_count &&
           spec->jobs[arrived].arrival_ns < spec->horizon_ns) {
        const struct gang_job *job = &spec->jobs[arrived++];
        work += (double)job->duration_ns * job->gpus * job->milli / GANG_MILLI;
    }
    double span = (double)(of->to_ns - of->from_ns), gpus = (double)of->gpus;
    add_metric(&g, "jobs", "jobs", (double)arrived, arrived);
    add_metric(&g, "jobs_started", "jobs", (double)of->started, arrived);
    add_metric(&g, "jobs_ended", "jobs", (double)of->ended, arrived);
    add_metric(&g, "allocation", "1", of->allocation, of->gpus);
    add_metric(&g, "allocated_gpus", "GPUs", of->allocation * gpus, of->gpus);
    add_metric(&g, "fragmentation", "1", of->fragmentation, of->gpus);
    add_metric(&g, "work", "GPU s", work * 1e-9, arrived);
    add_metric(&g, "queue_mean", "jobs", of->queue_mean, 1);
    add_metric(&g, "queue_max", "jobs", (double)of->queue_max, 1);
    add_metric(&g, "window", "ns", span, 1);
    add_metric(&g, "events", "1", (double)of->events, 1);
    static const char *const waits[] = {"queue_wait_mean", "queue_wait_p50", "queue_wait_p95",
                                        "queue_wait_p99", "queue_wait_max"};
    static const char *const slow[] = {"slowdown_mean", "slowdown_p50", "slowdown_p95",
                                       "slowdown_p99", "slowdown_max"};
    static const char *const bounded[] = {"bounded_slowdown_mean", "bounded_slowdown_p50",
                                          "bounded_slowdown_p95", "bounded_slowdown_p99",
                                          "bounded_slowdown_max"};
    add_times(&g, QUEUE_WAIT, waits, "ns");
    add_times(&g, SLOWDOWN, slow, "1");
    add_times(&g, BOUNDED_SLOWDOWN, bounded, "1");
    add_parts(&g);
}

int gang_replication(const struct experiment *x, struct run_watch *watch, struct run *out,
                     struct dcs_err *err)
{
    double began = wallclock_s();
    struct gang_spec spec = x->gangs->spec;
    struct gang_result r;
    spec.stop = &watch->stop;
    if (gang_run(&spec, &r, err) != 0)
        return -1;
    cluster_result_begin(&out->result, x->apps_count, x->sized_count);
    out->result.interrupted = r.interrupted;
    out->result.from_ns = out->result.first_arrival_ns = r.from_ns;
    out->result.to_ns = out->result.last_completion_ns = r.to_ns;
    out->result.events = r.events;
    gang_metrics(x, &r, out);
    gang_result_release(&r);
    atomic_fetch_add_explicit(&watch->requests, spec.jobs_count, memory_order_relaxed);
    out->seconds = wallclock_s() - began;
    return 0;
}
