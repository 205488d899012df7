/*
 * world.h - tiny clusters for tests: applications whose kernels take what the test says, jobs that
 * begin when it says, a built-in or a test-only policy, one run.
 *
 * A world is built by hand, run once or more, and released. Its applications stop by asm(trap) with
 * TReM's costs: 5 ms to kill, 17 ms for the next start, 60 ms to clear, 15 ms to spawn.
 */
#ifndef DCS_TESTS_WORLD_H
#define DCS_TESTS_WORLD_H

#include "engine/cluster.h"

#include <stdlib.h>
#include <string.h>

#define MS(x) ((int64_t)(x)*DCS_NS_PER_MS)

enum { WORLD_APPS = 8, WORLD_DOMAINS = 8, WORLD_PARAMS_BYTES = 256 };

struct world {
    struct dcs_app apps[WORLD_APPS];
    struct cluster_domain domains[WORLD_DOMAINS];
    uint64_t memory_bytes;
    struct dcs_workload workload;
    _Alignas(max_align_t) unsigned char params[WORLD_PARAMS_BYTES];
    struct cluster_spec spec;
    struct cluster_result out;
    struct dcs_err err;
};

static const struct dcs_profile_revocation world_trap = {
    .mechanism = DCS_TRAP,
    .kill_ns = 5000000,
    .start_ns = 17000000,
    .clear_ns = 60000000,
    .spawn_ns = 15000000,
};

/* Sets an option of the policy, in the unit of its row (true = 1, a choice by its index; a text
 * keeps its default). */
static inline void world_param(struct world *w, const char *name, double value)
{
    for (const struct param *p = w->spec.policy->params; p->type != PARAM_END; p++) {
        if (strcmp(p->name, name) != 0)
            continue;
        void *at = w->params + p->offset;
        if (p->type == PARAM_BOOL)
            *(bool *)at = value != 0;
        else if (p->type == PARAM_CHOICE)
            *(int *)at = (int)value;
        else if (p->type == PARAM_INT)
            *(int64_t *)at = (int64_t)value;
        else if (p->type == PARAM_REAL)
            *(double *)at = value;
        else if (p->type == PARAM_STRING)
            *(const char **)at = p->text;
        else if (p->type == PARAM_TIME && strcmp(p->unit, "us") == 0)
            *(int64_t *)at = (int64_t)(value * 1e3);
        else if (p->type == PARAM_TIME && strcmp(p->unit, "ms") == 0)
            *(int64_t *)at = (int64_t)(value * 1e6);
        else if (p->type == PARAM_TIME && strcmp(p->unit, "s") == 0)
            *(int64_t *)at = (int64_t)(value * 1e9);
        else
            abort();
        return;
    }
    abort(); /* the test names an option that the policy lacks */
}

/* One domain of `devices` devices, until all work is done, all requests kept. */
static inline void world_init(struct world *w, const struct policy *policy, uint32_t devices)
{
    *w = (struct world){.memory_bytes = 1000};
    w->domains[0].devices = devices;
    w->spec = (struct cluster_spec){
        .apps = w->apps,
        .profiles = 1,
        .profile_memory_bytes = &w->memory_bytes,
        .domains = w->domains,
        .domains_count = 1,
        .horizon_ns = DCS_NEVER,
        .policy = policy,
        .policy_params = w->params,
        .workload = &w->workload,
        .keep_requests = true,
        .keep_jobs = true,
    };
    for (const struct param *p = policy->params; p != NULL && p->type != PARAM_END; p++)
        world_param(w, p->name, p->number);
}

static inline void world_domains(struct world *w, uint32_t count, uint32_t devices)
{
    w->spec.domains_count = count;
    for (uint32_t i = 0; i < count; i++)
        w->domains[i].devices = devices;
}

/* Adds an application of so many equal kernels; each takes kernel_ns, and that is predicted. */
static inline uint32_t world_app(struct world *w, enum dcs_class class, uint32_t kernels,
                                 int64_t kernel_ns)
{
    uint32_t index = w->spec.apps_count++;
    struct dcs_app *app = &w->apps[index];
    *app = (struct dcs_app){.name = dcs_strdup(class == DCS_BATCH ? "batch" : "latency"),
                            .class = class,
                            .memory_bytes = 1,
                            .kernels = kernels};
    app->mean_ns = dcs_alloc(kernels, sizeof *app->mean_ns);
    app->revocation = dcs_alloc(kernels, sizeof *app->revocation);
    app->total_ns = dcs_alloc(1, sizeof *app->total_ns);
    app->total_ns[0] = kernels * kernel_ns;
    for (uint32_t k = 0; k < kernels; k++) {
        app->mean_ns[k] = kernel_ns;
        app->revocation[k] = world_trap;
    }
    return index;
}

static inline uint32_t world_latency(struct world *w, int64_t kernel_ns)
{
    return world_app(w, DCS_LATENCY, 1, kernel_ns);
}

static inline uint32_t world_batch(struct world *w, int64_t kernel_ns)
{
    return world_app(w, DCS_BATCH, 1, kernel_ns);
}

/* Adds a job of one request; change the struct that is returned before the next one is added. Jobs
 * must be added in the order in which they begin; the returned job's number is workload.count - 1.
 */
static inline struct dcs_job *world_job(struct world *w, uint32_t app, int64_t begin_ns)
{
    dcs_workload_add(
        &w->workload,
        &(struct dcs_job){.app = app, .begin_ns = begin_ns, .requests = 1, .clients = 1});
    return &w->workload.jobs[w->workload.count - 1];
}

/* Runs; the result of an earlier run is forgotten. */
static inline int world_run(struct world *w)
{
    cluster_result_release(&w->out);
    w->err = (struct dcs_err){0};
    dcs_workload_finish(&w->workload);
    return cluster_run(&w->spec, &w->out, &w->err);
}

static inline void world_release(struct world *w)
{
    cluster_result_release(&w->out);
    for (uint32_t i = 0; i < w->spec.apps_count; i++)
        dcs_app_release(&w->apps[i]);
    dcs_workload_release(&w->workload);
}

/* What became of a request; NULL if it was never issued. */
static inline const struct cluster_request_row *world_row(const struct world *w, uint32_t job,
                                                          uint64_t index)
{
    for (size_t i = 0; i < w->out.requests_rows_count; i++)
        if (w->out.requests_rows[i].job == job && w->out.requests_rows[i].index == index)
            return &w->out.requests_rows[i];
    return NULL;
}

/* When request `index` of a job left; -1 if it was never issued, DCS_NEVER while it is inside. */
static inline int64_t world_end(const struct world *w, uint32_t job, uint64_t index)
{
    const struct cluster_request_row *row = world_row(w, job, index);
    return row != NULL ? row->end_ns : -1;
}

#endif
