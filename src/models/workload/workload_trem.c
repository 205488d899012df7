/* workload_trem.c - TReM's generator; see workload.h. */
#include "models/workload/workload_draw.h"

#include "des/apportion.h"
#include "des/fmath.h"

#include <stdlib.h>

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

/* Splits `total` tasks over the jobs of one class in proportion to what they wanted, at least one
 * each, by largest remainders; the sum is exact. */
static void apportion(struct drawn *jobs, size_t n, bool user, uint64_t total)
{
    double *wanted = dcs_alloc(n, sizeof *wanted);
    int64_t *more = dcs_alloc(n, sizeof *more);
    size_t members = 0;
    for (size_t i = 0; i < n; i++)
        if (jobs[i].user == user)
            wanted[members++] = jobs[i].wanted;
    dcs_apportion((int64_t)(total - members), wanted, members, more);
    members = 0;
    for (size_t i = 0; i < n; i++)
        if (jobs[i].user == user)
            jobs[i].tasks = 1 + (uint64_t)more[members++];
    free(wanted);
    free(more);
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
    dcs_rng_stream(&order, seed, replication, DCS_RNG_JOBS, draw_entity(generator, 0));
    shuffle_classes(jobs, n, users, &order);
    for (size_t i = 0; i < n; i++) {
        /* A stream per job: what one job draws does not move the next one's draws. */
        struct dcs_rng rng;
        dcs_rng_stream(&rng, seed, replication, DCS_RNG_JOBS, draw_entity(generator, i + 1));
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
    double devices = t->load_devices > 0 ? (double)t->load_devices : dcs_capacity_devices(c);
    double gap_ns = work / (double)n / (devices * t->load);

    struct dcs_rng rng;
    dcs_rng_stream(&rng, seed, replication, DCS_RNG_JOBS, draw_entity(generator, UINT32_MAX));
    double at = 0;
    for (size_t i = 0; i < n; i++) {
        at += -dcs_log(dcs_rng_open(&rng)) * gap_ns;
        if (!(at < DRAW_LIMIT)) {
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
