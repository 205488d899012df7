/*
 * random_world.h - small random clusters for tests: applications, jobs (open and closed loop,
 * thinking, with limits and deadlines), domains, routers, checkpoints, charges, orders of one
 * instant, horizons, warm-ups and options.
 *
 * A world is a function of its seed and the policy.
 */
#ifndef DCS_TESTS_RANDOM_WORLD_H
#define DCS_TESTS_RANDOM_WORLD_H

#include "tests/gpu_case.h"
#include "policies/policies.h"
#include "tests/world.h"

enum { RANDOM_KERNELS_MAX = 3, RANDOM_JOBS_MAX = 8 };

static inline int64_t below(struct dcs_rng *rng, uint64_t n)
{
    return (int64_t)dcs_rng_below(rng, n);
}

static inline bool one_in(struct dcs_rng *rng, uint64_t n)
{
    return dcs_rng_below(rng, n) == 0;
}

static inline void random_service(struct world *w, struct dcs_rng *rng, uint32_t app)
{
    static const enum dcs_dist_kind kinds[] = {DCS_EXPONENTIAL, DCS_DETERMINISTIC,
                                               DCS_HYPEREXPONENTIAL, DCS_LOGNORMAL};
    struct dcs_err err;
    int failed = dcs_dist_init_mean(&w->apps[app].service, kinds[below(rng, 4)],
                                    (double)w->apps[app].mean_ns[0], 1.5, 0, &err);
    DCS_ASSERT(!failed);
    w->apps[app].synthetic = true;
}

static inline void random_apps(struct world *w, struct dcs_rng *rng)
{
    for (int i = 0; i < 4; i++) {
        bool batch = i % 2 == 1;
        int64_t mean = batch ? MS(20 + below(rng, 500)) : MS(1 + below(rng, 60));
        uint32_t app = world_app(w, batch ? DCS_BATCH : DCS_LATENCY,
                                 1 + (uint32_t)below(rng, RANDOM_KERNELS_MAX), mean);
        w->apps[app].memory_bytes = (uint64_t)below(rng, 1001);
        if (!one_in(rng, 3))
            random_service(w, rng, app);
        for (uint32_t k = 0; k < w->apps[app].kernels; k++) {
            struct dcs_profile_revocation *r = &w->apps[app].revocation[k];
            if (one_in(rng, 4))
                *r = (struct dcs_profile_revocation){.mechanism = DCS_ASM_EXIT,
                                                     .kill_ns = below(rng, 3) * MS(2)};
        }
    }
}

static inline void open_loop(struct world *w, struct dcs_job *job, struct dcs_rng *rng)
{
    static const enum dcs_arrivals_kind kinds[] = {DCS_ARRIVALS_POISSON,
                                                   DCS_ARRIVALS_HYPEREXPONENTIAL,
                                                   DCS_ARRIVALS_DETERMINISTIC, DCS_ARRIVALS_MMPP2};
    job->open = true;
    const struct dcs_arrivals_spec arrivals = {
        .kind = kinds[below(rng, 4)],
        .rate_per_s = 2 + (double)below(rng, 40),
        .scv = 4,
        .rates_per_s = {50, 5},
        .stay_ns = {MS(100), MS(200)},
    };
    job->arrivals = dcs_workload_keep(&w->workload, &arrivals, sizeof arrivals);
}

static inline void random_jobs(struct world *w, struct dcs_rng *rng)
{
    int64_t begin = 0;
    for (int i = 0; i < 2 + below(rng, RANDOM_JOBS_MAX - 1); i++) {
        begin += one_in(rng, 2) ? 0 : MS(below(rng, 300));
        struct dcs_job *job = world_job(w, (uint32_t)below(rng, 4), begin);
        job->requests = 1 + (uint64_t)below(rng, 40);
        job->clients = 1 + (uint32_t)below(rng, 6);
        if (w->apps[job->app].class == DCS_LATENCY && !one_in(rng, 4))
            job->sla_ns = MS(10 + 10 * below(rng, 20));
        job->drop_late = one_in(rng, 2);
        if (one_in(rng, 2)) {
            open_loop(w, job, rng);
            if (one_in(rng, 2))
                job->queue_limit = 1 + (uint32_t)below(rng, 4);
            if (w->spec.horizon_ns != DCS_NEVER && one_in(rng, 3))
                job->requests = 0;
        } else if (one_in(rng, 3)) {
            const struct dcs_dist think = {.kind = DCS_DETERMINISTIC,
                                           .location = 10e6 * (double)below(rng, 4)};
            job->think = dcs_workload_keep(&w->workload, &think, sizeof think);
        }
        if (!job->open && one_in(rng, 4))
            job->until_ns = begin + 1 + MS(below(rng, 2000));
    }
}

static inline void random_options(struct world *w, struct dcs_rng *rng)
{
    const struct policy *p = w->spec.policy;
    if (strcmp(p->name, "priority") != 0 && strcmp(p->name, "elastic") != 0)
        return;
    world_param(w, "revocation", !one_in(rng, 4));
    world_param(w, "queue", (double)below(rng, 2));
    world_param(w, "requeue", (double)below(rng, 2));
    world_param(w, "max_revocations", (double)below(rng, 4));
    if (strcmp(p->name, "elastic") != 0)
        return;
    world_param(w, "recompute_on_arrival", (double)below(rng, 2));
    world_param(w, "window", 1 + (double)below(rng, 10));
    world_param(w, "sla_ms", 50 + (double)below(rng, 200));
}

/* Devices that kernels share: half the applications have shapes that press and wait, some of many
 * launches, some transfers. */
static inline void share_devices(struct world *w, struct dcs_rng *rng)
{
    static struct gpu_case model;
    static const struct dcs_spatial *const models[] = {&model.spatial};
    gpu_case_init(&model);
    gpu_case_resource(&model);
    for (uint32_t i = 0; i < CASE_SHAPES; i++) {
        double whole = 1e6 * (1 + dcs_rng_uniform(rng));
        struct dcs_shape *s = gpu_case_shape(&model, whole, whole * (1 + dcs_rng_uniform(rng)));
        s->kind = one_in(rng, 5) ? DCS_SHAPE_FROM_DEVICE : DCS_SHAPE_COMPUTE;
        s->launches = one_in(rng, 2) ? 1 : 1 + (uint32_t)below(rng, 20);
        s->blocks = one_in(rng, 3) ? 0 : 1 + (uint32_t)below(rng, 8 * CASE_SMS);
        s->blocks_per_sm = 1 + (uint32_t)below(rng, 4);
        gpu_case_press(&model, i, dcs_rng_uniform(rng), dcs_rng_uniform(rng));
        if (one_in(rng, 2))
            gpu_case_cluster_at(&model, i, (uint32_t)below(rng, 1000), (uint32_t)below(rng, 1000),
                                (uint32_t)below(rng, 1000));
    }
    for (uint32_t a = 0; a < w->spec.apps_count; a++) {
        struct dcs_app *app = &w->apps[a];
        if (app->synthetic)
            continue;
        app->shapes = dcs_alloc(app->kernels, sizeof *app->shapes);
        for (uint32_t k = 0; k < app->kernels; k++)
            app->shapes[k] = (uint32_t)below(rng, CASE_SHAPES);
    }
    w->spec.sharing = (struct cluster_sharing){.spatial = models,
                                               .contention = !one_in(rng, 3),
                                               .quota_switch_ns = below(rng, 2) * 50000,
                                               .step_sms = 8,
                                               .moves = (enum dcs_gpu_moves)(w->spec.seed % 3)};
    w->spec.checkpoint = (struct dcs_checkpoint){0};
}

/* Its devices are CPUs, where changes of shares take a while: half the applications need cache and
 * press the memory, the others scale with cores alone. EMU has other options than its own. */
static inline void use_cpus(struct world *w, struct dcs_rng *rng)
{
    static struct dcs_cpu_app apps[2];
    static struct dcs_cpu cpu;
    static const struct dcs_cpu *cpus[] = {&cpu};
    for (uint32_t i = 0; i < 2; i++)
        apps[i] = (struct dcs_cpu_app){.threads = 1 + (uint32_t)below(rng, 7),
                                       .speedup = 1,
                                       .stall = 0.1 + 0.8 * dcs_rng_uniform(rng),
                                       .bandwidth = 1 + 8 * dcs_rng_uniform(rng),
                                       .cache = 6 * dcs_rng_uniform(rng),
                                       .shared = dcs_rng_uniform(rng),
                                       .growth = 4 * dcs_rng_uniform(rng),
                                       .ipc = 1 + dcs_rng_uniform(rng),
                                       .exponent = 1};
    cpu = (struct dcs_cpu){.cores = 7,
                           .ways = 5,
                           .clock_ghz = 2,
                           .way_bytes = 1e5,
                           .bandwidth = 10,
                           .switch_ns = 3000,
                           .warm_ns = 400000,
                           .apps = apps,
                           .apps_count = 2,
                           .plain = {.threads = 7, .speedup = 5, .ipc = 3, .exponent = 1}};
    dcs_cpu_derive(&cpu, &cpu.plain);
    for (uint32_t i = 0; i < 2; i++) {
        apps[i].speedup = 1 + (apps[i].threads - 1) * dcs_rng_uniform(rng);
        dcs_cpu_derive(&cpu, &apps[i]);
    }
    for (uint32_t a = 0; a < w->spec.apps_count; a++) {
        struct dcs_app *app = &w->apps[a];
        if (app->synthetic || app->kernels > 1 || app->listed != NULL || one_in(rng, 2))
            continue;
        app->listed = dcs_alloc(1, sizeof *app->listed);
        app->listed[0] = (uint32_t)below(rng, 2);
    }
    w->spec.sharing.cpu = cpus;
    w->spec.checkpoint = (struct dcs_checkpoint){0};
    if (strcmp(w->spec.policy->name, "emu") != 0)
        return;
    world_param(w, "t_interval_ms", 1 + (double)below(rng, 30));
    world_param(w, "margin", 0.8 * dcs_rng_uniform(rng));
    world_param(w, "cache", !one_in(rng, 4));
    world_param(w, "runtime", !one_in(rng, 6));
    world_param(w, "printed_clamp", one_in(rng, 2));
}

/* The policies of the table that such worlds suit: not those that divide requests
 * (tests/prop/test_divisible_random.c) or share SMs. NULL at the end. */
static inline const struct policy *random_policy(size_t n)
{
    for (size_t i = 0; policies_all[i] != NULL; i++)
        if ((policies_all[i]->needs & (HOST_NEEDS_CHUNKS | HOST_NEEDS_BLOCKS)) == 0 && n-- == 0)
            return policies_all[i];
    return NULL;
}

/* The world of a seed. What is asked of the policy (its options, the router, charges) comes from a
 * stream of its own, so that another policy meets the same applications and jobs. */

static inline void make_world(struct world *w, uint64_t seed, const struct policy *policy)
{
    struct dcs_rng world, ways;
    dcs_rng_stream(&world, seed, 0, DCS_RNG_NOISE, 0);
    dcs_rng_stream(&ways, seed, 0, DCS_RNG_NOISE, 1 + (uint64_t)policy->name[0]);
    world_init(w, policy, 1);
    w->spec.seed = seed;
    w->spec.replication = (uint32_t)below(&world, 3);
    if (one_in(&world, 2))
        w->spec.horizon_ns = MS(1 + below(&world, 3000));
    w->spec.warmup_ns = one_in(&world, 2) ? MS(below(&world, 500)) : 0;
    random_apps(w, &world);
    random_jobs(w, &world);

    world_domains(w, 1 + (uint32_t)below(&ways, 4), 1);
    for (uint32_t i = 0; i < w->spec.domains_count; i++)
        w->domains[i].devices = 1 + (uint32_t)below(&ways, 3);
    w->spec.router = (enum cluster_router)below(&ways, 3);
    w->spec.clairvoyant = one_in(&ways, 4);
    if (one_in(&ways, 2))
        w->spec.checkpoint = (struct dcs_checkpoint){.interval_ns = MS(1 + below(&ways, 50)),
                                                     .cost_ns = MS(below(&ways, 3))};
    if (one_in(&ways, 3)) {
        w->spec.callback_ns = below(&ways, 2) * MS(1 + below(&ways, 10)) / 10;
        w->spec.predict_ns = below(&ways, 2) * MS(1 + below(&ways, 10)) / 10;
    }
    random_options(w, &ways);
    if ((policy->needs & 1u << HOST_CPU) != 0)
        use_cpus(w, &ways);
    for (size_t i = 0; i < w->workload.count; i++) {
        struct dcs_job *job = &w->workload.jobs[i];
        job->pinned = one_in(&ways, 4);
        job->domain = job->pinned ? (uint32_t)below(&ways, w->spec.domains_count) : 0;
    }
    w->spec.keep_job_times = !one_in(&ways, 4);
    w->spec.instant = (enum cluster_instant)below(&ways, 3);
}

static inline void random_world(struct world *w, uint64_t seed, const struct policy *policy,
                                bool shared)
{
    make_world(w, seed, policy);
    if (!shared || w->spec.sharing.cpu != NULL)
        return;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, seed, 0, DCS_RNG_NOISE, 1000);
    share_devices(w, &rng);
}

#endif
