/* workload.c - see workload.h. */
#include "models/workload.h"

#include "des/fmath.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Above this a count or a time could not be simulated anyway, and sums of it stay exact. */
#define LIMIT 0x1p62

/* What a generator draws for its job number i - 1; 0 and UINT32_MAX are for what it draws once. */
static uint64_t entity(uint32_t generator, uint64_t i)
{
    return (uint64_t)generator << 32 | i;
}

double dcs_capacity_mean_work_ns(const struct dcs_capacity *c, uint32_t app)
{
    double work = 0, devices = 0;
    for (uint32_t kind = 0; kind < c->kinds; kind++) {
        work += (double)c->apps[app].total_ns[kind] * (double)c->devices[kind];
        devices += (double)c->devices[kind];
    }
    return work / devices;
}

static double devices_of(const struct dcs_capacity *c)
{
    double devices = 0;
    for (uint32_t kind = 0; kind < c->kinds; kind++)
        devices += (double)c->devices[kind];
    return devices;
}

void dcs_workload_add(struct dcs_workload *w, const struct dcs_job *job)
{
    w->jobs = dcs_grow(w->jobs, &w->capacity, w->count + 1, sizeof *w->jobs);
    w->jobs[w->count++] = *job;
}

void dcs_workload_release(struct dcs_workload *w)
{
    free(w->jobs);
    *w = (struct dcs_workload){0};
}

/* Merge sort: stable, so that jobs of one instant stay in the order in which they were drawn. */
static void sort_jobs(struct dcs_job *jobs, struct dcs_job *spare, size_t n)
{
    if (n < 2)
        return;
    size_t half = n / 2;
    sort_jobs(jobs, spare, half);
    sort_jobs(jobs + half, spare, n - half);
    memcpy(spare, jobs, half * sizeof *jobs);
    size_t a = 0, b = half, to = 0;
    while (a < half && b < n)
        jobs[to++] = jobs[b].begin_ns < spare[a].begin_ns ? jobs[b++] : spare[a++];
    while (a < half)
        jobs[to++] = spare[a++];
}

void dcs_workload_finish(struct dcs_workload *w)
{
    bool sorted = true;
    for (size_t i = 1; i < w->count; i++)
        sorted &= w->jobs[i - 1].begin_ns <= w->jobs[i].begin_ns;
    if (sorted)
        return;
    struct dcs_job *spare = dcs_alloc(w->count / 2 + 1, sizeof *spare);
    sort_jobs(w->jobs, spare, w->count);
    free(spare);
}

/* One drawn job of TReM's generator before its arrival is known. */
struct drawn {
    bool user;
    uint32_t app;
    double task_ns; /* mean work of a task */
    double wanted;  /* tasks, before rounding: duration / task_ns */
    uint64_t tasks;
};

static void shuffle_classes(struct drawn *jobs, size_t n, size_t users, struct dcs_rng *rng)
{
    for (size_t i = 0; i < n; i++)
        jobs[i].user = i < users;
    for (size_t i = n; i > 1; i--) {
        size_t j = dcs_rng_below(rng, i);
        bool swap = jobs[i - 1].user;
        jobs[i - 1].user = jobs[j].user;
        jobs[j].user = swap;
    }
}

struct share {
    double rest;
    size_t index;
};

static int by_rest(const void *pa, const void *pb)
{
    const struct share *a = pa, *b = pb;
    if (a->rest != b->rest)
        return a->rest < b->rest ? 1 : -1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Splits `total` tasks over the jobs of one class in proportion to what they wanted, at least one
 * each, by largest remainders; the sum is exact. */
static void apportion(struct drawn *jobs, size_t n, bool user, uint64_t total)
{
    double wanted = 0;
    size_t members = 0;
    for (size_t i = 0; i < n; i++)
        if (jobs[i].user == user) {
            wanted += jobs[i].wanted;
            members++;
        }
    if (members == 0)
        return;
    struct share *shares = dcs_alloc(members, sizeof *shares);
    uint64_t left = total - members; /* one each first */
    uint64_t given = 0;
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        if (jobs[i].user != user)
            continue;
        double part = (double)left * (jobs[i].wanted / wanted);
        uint64_t whole = (uint64_t)part;
        jobs[i].tasks = 1 + whole;
        given += whole;
        shares[m++] = (struct share){.rest = part - (double)whole, .index = i};
    }
    qsort(shares, members, sizeof *shares, by_rest);
    for (m = 0; given < left; m = (m + 1) % members, given++)
        jobs[shares[m].index].tasks++;
    free(shares);
}

static int check_trem(const struct dcs_trem *t, uint64_t users, struct dcs_err *err)
{
    uint64_t batch = (uint64_t)t->jobs - users;
    if (users > 0 && t->user_apps_count == 0)
        return dcs_err_set(err, "there are user-facing jobs but no user-facing application");
    if (batch > 0 && t->batch_apps_count == 0)
        return dcs_err_set(err, "there are batch jobs but no batch application");
    if (t->user_tasks != 0 && (uint64_t)t->user_tasks < users)
        return dcs_err_set(err, "user_tasks is %lld, but there are %llu user-facing jobs",
                           (long long)t->user_tasks, (unsigned long long)users);
    if (t->batch_tasks != 0 && (uint64_t)t->batch_tasks < batch)
        return dcs_err_set(err, "batch_tasks is %lld, but there are %llu batch jobs",
                           (long long)t->batch_tasks, (unsigned long long)batch);
    return 0;
}

/* Draws classes, durations, applications and numbers of tasks. */
static int draw_jobs(const struct dcs_trem *t, const struct dcs_capacity *c, uint64_t seed,
                     uint32_t replication, uint32_t generator, struct drawn *jobs,
                     struct dcs_err *err)
{
    size_t n = (size_t)t->jobs;
    size_t users = (size_t)(t->user_fraction * (double)n + 0.5);
    if (check_trem(t, users, err) != 0)
        return -1;
    struct dcs_dist duration[2];
    if (dcs_dist_init_mean(&duration[0], DCS_PARETO, (double)t->batch_duration_ns, t->pareto_shape,
                           0, err) != 0 ||
        dcs_dist_init_mean(&duration[1], DCS_PARETO, (double)t->user_duration_ns, t->pareto_shape,
                           0, err) != 0)
        return -1;

    struct dcs_rng order;
    dcs_rng_stream(&order, seed, replication, DCS_RNG_JOBS, entity(generator, 0));
    shuffle_classes(jobs, n, users, &order);
    for (size_t i = 0; i < n; i++) {
        /* A stream per job: what one job draws does not move the next one's draws. */
        struct dcs_rng rng;
        dcs_rng_stream(&rng, seed, replication, DCS_RNG_JOBS, entity(generator, i + 1));
        const uint32_t *list = jobs[i].user ? t->user_apps : t->batch_apps;
        size_t count = jobs[i].user ? t->user_apps_count : t->batch_apps_count;
        double duration_ns = dcs_dist_sample(&duration[jobs[i].user], &rng);
        jobs[i].app = list[dcs_rng_below(&rng, count)];
        jobs[i].task_ns = dcs_capacity_mean_work_ns(c, jobs[i].app);
        jobs[i].wanted = duration_ns / jobs[i].task_ns;
        if (!(jobs[i].wanted < 0x1p40))
            return dcs_err_set(err, "a job would have %.3g tasks; at most 2^40 can be simulated",
                               jobs[i].wanted);
        jobs[i].tasks = (uint64_t)(jobs[i].wanted + 0.5);
        if (jobs[i].tasks == 0)
            jobs[i].tasks = 1;
    }
    if (t->user_tasks > 0)
        apportion(jobs, n, true, (uint64_t)t->user_tasks);
    if (t->batch_tasks > 0)
        apportion(jobs, n, false, (uint64_t)t->batch_tasks);
    return 0;
}

/* Mean work of a job by the distributions, not by what was drawn. */
static double expected_work_ns(const struct dcs_trem *t)
{
    return t->user_fraction * (double)t->user_duration_ns +
           (1 - t->user_fraction) * (double)t->batch_duration_ns;
}

int dcs_workload_add_trem(struct dcs_workload *w, const struct dcs_trem *t,
                          const struct dcs_capacity *c, uint64_t seed, uint32_t replication,
                          uint32_t generator, struct dcs_err *err)
{
    size_t n = (size_t)t->jobs;
    struct drawn *jobs = dcs_alloc(n, sizeof *jobs);
    if (draw_jobs(t, c, seed, replication, generator, jobs, err) != 0) {
        free(jobs);
        return -1;
    }
    double work = 0;
    for (size_t i = 0; i < n; i++)
        work += (double)jobs[i].tasks * jobs[i].task_ns;
    if (t->load_expected)
        work = expected_work_ns(t) * (double)n;
    double devices = t->load_devices > 0 ? (double)t->load_devices : devices_of(c);
    double gap_ns = work / (double)n / (devices * t->load);

    struct dcs_rng rng;
    dcs_rng_stream(&rng, seed, replication, DCS_RNG_JOBS, entity(generator, UINT32_MAX));
    double at = 0;
    for (size_t i = 0; i < n; i++) {
        at += -dcs_log(dcs_rng_open(&rng)) * gap_ns;
        if (!(at < LIMIT)) {
            free(jobs);
            return dcs_err_set(err, "jobs would arrive after more than 146 years");
        }
        bool user = jobs[i].user;
        dcs_workload_add(w, &(struct dcs_job){
                                .app = jobs[i].app,
                                .begin_ns = (int64_t)(at + 0.5),
                                .requests = jobs[i].tasks,
                                .clients = (uint32_t)t->outstanding,
                                .sla_ns = !user           ? 0
                                          : t->sla_ns > 0 ? t->sla_ns
                                                          : c->apps[jobs[i].app].sla_ns,
                            });
    }
    free(jobs);
    return 0;
}

/* Load in the sense of dcs_replay, for jobs as they were drawn. */
static double offered_load(const struct dcs_trace *trace, const struct dcs_job *jobs,
                           const double *work_ns, double compression, double devices)
{
    double span = (double)trace->jobs[trace->jobs_count - 1].arrival_ns / compression, work = 0;
    for (size_t i = 0; i < trace->jobs_count; i++) {
        double left = (span - (double)trace->jobs[i].arrival_ns / compression) * jobs[i].clients;
        work += work_ns[i] < left ? work_ns[i] : left;
    }
    return work / (span * devices);
}

/* The compression of the arrivals that gives the load: the load grows with it, so bisection finds
 * it. */
static int solve_compression(const struct dcs_trace *trace, const struct dcs_job *jobs,
                             const double *work_ns, double load, double devices, double *out,
                             struct dcs_err *err)
{
    double low = 0x1p-40, high = 0x1p40;
    if (offered_load(trace, jobs, work_ns, high, devices) < load)
        return dcs_err_set(err,
                           "the trace cannot offer a load of %g to %.0f devices: with all jobs at "
                           "once it would be %g",
                           load, devices, offered_load(trace, jobs, work_ns, high, devices));
    for (int i = 0; i < 200 && high / low > 1 + 1e-12; i++) {
        double middle = sqrt(low * high);
        if (offered_load(trace, jobs, work_ns, middle, devices) < load)
            low = middle;
        else
            high = middle;
    }
    *out = high;
    return 0;
}

/* Draws applications and numbers of requests; arrivals come later. */
static int draw_replay(struct dcs_workload *w, const struct dcs_trace *trace,
                       const struct dcs_replay *r, const struct dcs_capacity *c, uint64_t seed,
                       uint32_t replication, uint32_t generator, double *job_work_ns,
                       struct dcs_replay_counts *counts, struct dcs_err *err)
{
    for (size_t i = 0; i < trace->jobs_count; i++) {
        const struct dcs_trace_job *job = &trace->jobs[i];
        bool user = job->class == DCS_LATENCY;
        size_t choices = user ? r->user_apps_count : r->batch_apps_count;
        if (choices == 0)
            return dcs_err_set(err, "the trace has %s jobs, but no application is named for them",
                               user ? "latency" : "batch");
        struct dcs_rng rng;
        dcs_rng_stream(&rng, seed, replication, DCS_RNG_JOBS, entity(generator, i + 1));
        uint32_t app = (user ? r->user_apps : r->batch_apps)[dcs_rng_below(&rng, choices)];
        double task_ns = dcs_capacity_mean_work_ns(c, app);
        double work_ns = (double)job->duration_ns / r->duration_compression * job->gpus *
                         job->gpu_milli / 1000.0;
        double wanted = work_ns / task_ns + 0.5;
        if (!(wanted < 0x1p40))
            return dcs_err_set(err, "line %u of the trace would make %.3g requests; at most 2^40",
                               job->line, wanted);
        uint64_t requests = (uint64_t)wanted;
        if (requests == 0) {
            requests = 1;
            counts->rounded_up++;
        }
        counts->jobs++;
        counts->requests += requests;
        counts->clients += job->gpus;
        job_work_ns[i] = (double)requests * task_ns;
        counts->work_ns += job_work_ns[i];
        counts->trace_work_ns += work_ns;
        dcs_workload_add(w, &(struct dcs_job){
                                .app = app,
                                .requests = requests,
                                .clients = job->gpus,
                                .sla_ns = !user           ? 0
                                          : r->sla_ns > 0 ? r->sla_ns
                                                          : c->apps[app].sla_ns,
                            });
    }
    return 0;
}

/* Sets when each job begins, and that all end with the trace. */
static int place_replay(struct dcs_job *jobs, const struct dcs_trace *trace,
                        struct dcs_replay_counts *counts, struct dcs_err *err)
{
    for (size_t i = 0; i < trace->jobs_count; i++) {
        double at = (double)trace->jobs[i].arrival_ns / counts->time_compression;
        if (!(at < LIMIT))
            return dcs_err_set(err, "line %u of the trace would arrive after more than 146 years",
                               trace->jobs[i].line);
        jobs[i].begin_ns = (int64_t)(at + 0.5);
    }
    counts->span_ns = jobs[trace->jobs_count - 1].begin_ns;
    for (size_t i = 0; i < trace->jobs_count; i++)
        jobs[i].until_ns = counts->span_ns + 1;
    return 0;
}

int dcs_workload_add_replay(struct dcs_workload *w, const struct dcs_trace *trace,
                            const struct dcs_replay *r, const struct dcs_capacity *c, uint64_t seed,
                            uint32_t replication, uint32_t generator,
                            struct dcs_replay_counts *counts, struct dcs_err *err)
{
    *counts = (struct dcs_replay_counts){0};
    size_t first = w->count;
    if (trace->jobs[trace->jobs_count - 1].arrival_ns == 0)
        return dcs_err_set(err, "all jobs of the trace arrive at one instant");
    double *job_work_ns = dcs_alloc(trace->jobs_count, sizeof *job_work_ns);
    int result =
        draw_replay(w, trace, r, c, seed, replication, generator, job_work_ns, counts, err);
    counts->time_compression = r->time_compression;
    if (result == 0 && r->load > 0)
        result = solve_compression(trace, w->jobs + first, job_work_ns, r->load, devices_of(c),
                                   &counts->time_compression, err);
    if (result == 0)
        result = place_replay(w->jobs + first, trace, counts, err);
    if (result == 0)
        counts->offered = offered_load(trace, w->jobs + first, job_work_ns,
                                       counts->time_compression, devices_of(c));
    free(job_work_ns);
    return result;
}
