/* workload_replay.c - replay of a trace; see workload.h. */
#include "models/workload/workload_draw.h"

#include <math.h>
#include <stdlib.h>

/* A job that is kept, on its way into the workload. */
struct kept {
    double arrival_ns;      /* uncompressed */
    double work_ns;         /* in the trace, after duration_compression */
    double job_work_ns;     /* of the requests that it becomes */
    uint64_t clients, busy; /* busy: that can work at once, no more than there are requests */
    struct dcs_rng pick;    /* random mapping */
    uint32_t app;
    size_t order; /* in the trace */
    enum dcs_class class;
    int64_t id;
};

struct replay {
    const struct dcs_trace *trace;
    const struct dcs_replay *r;
    const struct dcs_capacity *c;
    struct kept *jobs;
    size_t count;
    double devices;
};

static int keep_jobs(struct replay *p, uint64_t seed, uint32_t replication, uint32_t generator,
                     struct dcs_replay_counts *counts, struct dcs_err *err)
{
    const struct dcs_replay *r = p->r;
    for (size_t i = 0; i < p->trace->jobs_count; i++) {
        const struct dcs_trace_job *job = &p->trace->jobs[i];
        /* Streams per job: what becomes of one job does not move the next one's draws. */
        struct dcs_rng pick;
        double class;
        dcs_rng_stream(&pick, seed, replication, DCS_RNG_JOBS, draw_entity(generator, i + 1));
        if (!dcs_trace_keeps(r->keep, seed, replication, generator, job->id, &class)) {
            counts->thinned++;
            continue;
        }
        double gpus = job->gpus > 0 ? job->gpus : 1;
        counts->without_gpu += job->gpus == 0;
        double clients = ceil(gpus) * (double)r->outstanding;
        if (clients > UINT32_MAX)
            return dcs_err_set(err, "job %lld asks for %g GPUs", (long long)job->id, gpus);
        p->jobs[p->count++] = (struct kept){
            .arrival_ns = (double)job->arrival_ns,
            .work_ns = (double)job->duration_ns / r->duration_compression * gpus,
            .clients = (uint64_t)clients,
            .pick = pick,
            .order = i,
            .class = r->latency_fraction < 0       ? job->class
                     : class < r->latency_fraction ? DCS_LATENCY
                                                   : DCS_BATCH,
            .id = job->id,
        };
    }
    if (p->count == 0)
        return dcs_err_set(err, "no job is left of %zu; a larger keep leaves more",
                           p->trace->jobs_count);
    /* Time begins with the first job that is kept. */
    for (size_t i = p->count; i > 0; i--)
        p->jobs[i - 1].arrival_ns -= p->jobs[0].arrival_ns;
    return 0;
}

static int by_work(const void *pa, const void *pb)
{
    const struct kept *a = *(const struct kept *const *)pa, *b = *(const struct kept *const *)pb;
    if (a->work_ns != b->work_ns)
        return a->work_ns < b->work_ns ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* The applications of a class from the smallest mean work to the largest; ties as listed. */
static uint32_t *sorted_apps(const struct dcs_capacity *c, const uint32_t *apps, size_t n)
{
    uint32_t *sorted = dcs_alloc(n, sizeof *sorted);
    for (size_t i = 0; i < n; i++) {
        size_t at = i;
        double work = dcs_capacity_mean_work_ns(c, apps[i]);
        for (; at > 0 && dcs_capacity_mean_work_ns(c, sorted[at - 1]) > work; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = apps[i];
    }
    return sorted;
}

static int map_class(struct replay *p, enum dcs_class class, struct dcs_err *err)
{
    const struct dcs_replay *r = p->r;
    const uint32_t *apps = class == DCS_LATENCY ? r->user_apps : r->batch_apps;
    size_t choices = class == DCS_LATENCY ? r->user_apps_count : r->batch_apps_count;
    struct kept **jobs = dcs_alloc(p->count, sizeof *jobs);
    size_t n = 0;
    for (size_t i = 0; i < p->count; i++)
        if (p->jobs[i].class == class)
            jobs[n++] = &p->jobs[i];
    int result = 0;
    if (n > 0 && choices == 0) {
        result = dcs_err_set(err, "there are %s jobs, but no application is named for them",
                             class == DCS_LATENCY ? "latency" : "batch");
    } else if (n > 0 && r->by_size) {
        uint32_t *sorted = sorted_apps(p->c, apps, choices);
        qsort(jobs, n, sizeof *jobs, by_work);
        for (size_t i = 0; i < n; i++)
            jobs[i]->app = sorted[(uint64_t)i * choices / n];
        free(sorted);
    } else {
        for (size_t i = 0; i < n; i++)
            jobs[i]->app = apps[dcs_rng_below(&jobs[i]->pick, choices)];
    }
    free(jobs);
    return result;
}

/* Numbers of requests; arrivals come later. */
static int add_jobs(struct replay *p, struct dcs_workload *w, struct dcs_replay_counts *counts,
                    struct dcs_err *err)
{
    for (size_t i = 0; i < p->count; i++) {
        struct kept *job = &p->jobs[i];
        double task_ns = dcs_capacity_mean_work_ns(p->c, job->app);
        double wanted = job->work_ns / task_ns + 0.5;
        if (!(wanted < 0x1p40))
            return dcs_err_set(
                err,
                "job %lld would make %.3g requests; at most 2^40 (duration_compression or upper_s "
                "make jobs shorter)",
                (long long)job->id, wanted);
        uint64_t requests = (uint64_t)wanted;
        if (requests == 0) {
            requests = 1;
            counts->rounded_up++;
        }
        counts->jobs++;
        counts->requests += requests;
        counts->clients += job->clients;
        job->busy = job->clients < requests ? job->clients : requests;
        job->job_work_ns = (double)requests * task_ns;
        counts->work_ns += job->job_work_ns;
        counts->trace_work_ns += job->work_ns;
        int64_t sla_ns = p->r->sla_ns > 0 ? p->r->sla_ns : p->c->apps[job->app].sla_ns;
        dcs_workload_add(w, &(struct dcs_job){
                                .app = job->app,
                                .requests = requests,
                                .clients = (uint32_t)job->clients,
                                .sla_ns = job->class == DCS_LATENCY ? sla_ns : 0,
                            });
    }
    return 0;
}

static double last_arrival_ns(const struct replay *p)
{
    return p->jobs[p->count - 1].arrival_ns;
}

/* Load in the sense of dcs_replay. */
static double offered_load(const struct replay *p, double compression)
{
    double span = last_arrival_ns(p) / compression, work = 0;
    for (size_t i = 0; i < p->count; i++) {
        const struct kept *job = &p->jobs[i];
        double left = (span - job->arrival_ns / compression) * (double)job->busy;
        work += job->job_work_ns < left ? job->job_work_ns : left;
    }
    return work / (span * p->devices);
}

/* The compression of the arrivals that gives the load: the load grows with it, so bisection finds
 * it. */
static int solve_compression(const struct replay *p, double *out, struct dcs_err *err)
{
    double low = 0x1p-40, high = 0x1p40, load = p->r->load;
    if (offered_load(p, high) < load)
        return dcs_err_set(err,
                           "the jobs cannot offer a load of %g to %.0f devices: all at once would "
                           "be %g",
                           load, p->devices, offered_load(p, high));
    if (offered_load(p, low) >= load)
        return dcs_err_set(err,
                           "a load of %g is below what can be solved for: it would take an "
                           "arrival in many years",
                           load);
    for (int i = 0; i < 200 && high / low > 1 + 1e-12; i++) {
        double middle = sqrt(low * high);
        if (offered_load(p, middle) < load)
            low = middle;
        else
            high = middle;
    }
    *out = high;
    return 0;
}

/* Sets when each job begins, and that all end with the trace. */
static int place_jobs(const struct replay *p, struct dcs_job *jobs, double compression,
                      struct dcs_err *err)
{
    for (size_t i = 0; i < p->count; i++) {
        double at = p->jobs[i].arrival_ns / compression;
        if (!(at < DRAW_LIMIT))
            return dcs_err_set(err, "job %lld would arrive after more than 146 years",
                               (long long)p->jobs[i].id);
        jobs[i].begin_ns = (int64_t)(at + 0.5);
    }
    for (size_t i = 0; i < p->count; i++)
        jobs[i].until_ns = jobs[p->count - 1].begin_ns + 1;
    return 0;
}

static int replay(struct replay *p, struct dcs_workload *w, uint64_t seed, uint32_t replication,
                  uint32_t generator, struct dcs_replay_counts *counts, struct dcs_err *err)
{
    size_t first = w->count;
    if (keep_jobs(p, seed, replication, generator, counts, err) != 0 ||
        map_class(p, DCS_LATENCY, err) != 0 || map_class(p, DCS_BATCH, err) != 0 ||
        add_jobs(p, w, counts, err) != 0)
        return -1;
    if (last_arrival_ns(p) == 0)
        return dcs_err_set(err, "all jobs arrive at one instant");
    counts->time_compression = p->r->time_compression;
    if (p->r->load > 0 && solve_compression(p, &counts->time_compression, err) != 0)
        return -1;
    if (place_jobs(p, w->jobs + first, counts->time_compression, err) != 0)
        return -1;
    counts->span_ns = w->jobs[w->count - 1].begin_ns;
    counts->offered = offered_load(p, counts->time_compression);
    return 0;
}

int dcs_workload_add_replay(struct dcs_workload *w, const struct dcs_trace *trace,
                            const struct dcs_replay *r, const struct dcs_capacity *c, uint64_t seed,
                            uint32_t replication, uint32_t generator,
                            struct dcs_replay_counts *counts, struct dcs_err *err)
{
    *counts = (struct dcs_replay_counts){0};
    struct replay p = {.trace = trace,
                       .r = r,
                       .c = c,
                       .jobs = dcs_alloc(trace->jobs_count + 1, sizeof *p.jobs),
                       .devices = dcs_capacity_devices(c)};
    int result = replay(&p, w, seed, replication, generator, counts, err);
    free(p.jobs);
    return result;
}
