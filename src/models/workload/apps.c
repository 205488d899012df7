/* apps.c - see apps.h. */
#include "models/workload/apps.h"

#include "des/fmath.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A duration is at least 1 ns, and time has an end. */
static int64_t duration_of(double ns)
{
    return ns >= 1 ? (ns < (double)DCS_TIME_MAX ? (int64_t)(ns + 0.5) : DCS_TIME_MAX) : 1;
}

static int64_t resampled_ns(const struct dcs_app *app, uint32_t kind, uint32_t kernel,
                            const struct dcs_draw *draw, int64_t mean)
{
    DCS_ASSERT(app->uncertain != NULL && app->shapes != NULL);
    return duration_of((double)mean * dcs_shape_resample(app->uncertain[kind],
                                                         app->shapes[kind * app->kernels + kernel],
                                                         kind, draw->seed, draw->replication));
}

static const struct dcs_cpu_app *cpu_facts(const struct dcs_app *app, uint32_t kind)
{
    return &app->cpu[kind]->apps[app->listed[kind]];
}

int64_t dcs_app_cpu_size(const struct dcs_app *app, uint32_t kind, const struct dcs_draw *draw)
{
    struct dcs_rng rng;
    if (app->synthetic || app->cpu == NULL)
        return 0;
    dcs_rng_point(&rng, draw->seed, draw->replication, DCS_RNG_INPUT, draw->job, draw->request, 0,
                  0);
    return dcs_cpu_size(cpu_facts(app, kind), dcs_rng_uniform(&rng));
}

double dcs_app_cpu_mean_ns(const struct dcs_app *app, uint32_t kind, int64_t size)
{
    if (app->synthetic || app->cpu == NULL)
        return (double)app->mean_ns[kind * app->kernels];
    const struct dcs_cpu_app *facts = cpu_facts(app, kind);
    return (double)app->mean_ns[kind] / facts->work_over_mean * dcs_cpu_work(facts, size);
}

static int64_t cpu_work_ns(const struct dcs_app *app, uint32_t kind, const struct dcs_draw *draw)
{
    struct dcs_rng rng;
    double ns = dcs_app_cpu_mean_ns(app, kind, dcs_app_cpu_size(app, kind, draw));
    if (app->cpu_noise) {
        dcs_rng_point(&rng, draw->seed, draw->replication, DCS_RNG_NOISE, draw->job, draw->request,
                      0, 0);
        ns *= 1 + cpu_facts(app, kind)->noise * (2 * dcs_rng_uniform(&rng) - 1);
    }
    return duration_of(ns);
}

static enum dcs_purpose work_purpose(const struct dcs_app *app)
{
    return app->synthetic ? DCS_RNG_SERVICE : DCS_RNG_NOISE;
}

struct dcs_rng_points dcs_app_work_points(const struct dcs_app *app, uint64_t seed,
                                          uint32_t replication, uint32_t job)
{
    return dcs_rng_points(seed, replication, work_purpose(app), job);
}

/* The point of a kernel. One tells 2^16 kernels apart, a profile may have more. */
static inline void draw_work(const struct dcs_app *app, const struct dcs_draw *draw,
                             uint32_t kernel, struct dcs_rng *rng)
{
    struct dcs_rng_points points;
    if (draw->work == NULL)
        points = dcs_app_work_points(app, draw->seed, draw->replication, draw->job);
    dcs_rng_at(rng, draw->work != NULL ? draw->work : &points, draw->request, kernel & 0xffff,
               kernel >> 16);
}

static int64_t scale_ns(int64_t ns, double factor)
{
    return factor == 1 ? ns : duration_of((double)ns * factor);
}

int64_t dcs_app_work_ns(const struct dcs_app *app, uint32_t kind, uint32_t kernel,
                        const struct dcs_draw *draw)
{
    struct dcs_rng rng;
    if (app->cpu != NULL && !app->synthetic)
        return cpu_work_ns(app, kind, draw);
    if (!app->synthetic) {
        int64_t mean = app->mean_ns[kind * app->kernels + kernel];
        if (draw->resampled)
            mean = resampled_ns(app, kind, kernel, draw, mean);
        if (app->noise == NULL || app->noise[kind] == NULL)
            return mean;
        draw_work(app, draw, kernel, &rng);
        double ns = (double)mean * dcs_noise_at(app->noise[kind], dcs_rng_uniform(&rng));
        return duration_of(ns);
    }
    draw_work(app, draw, kernel, &rng);
    int64_t ns = dcs_dist_sample_ns(&app->service, &rng, 1);
    return app->factor != NULL ? scale_ns(ns, app->factor[kind]) : ns;
}

int64_t dcs_app_host_waits(const struct dcs_app *app, uint32_t kind, const double *solo_ns,
                           int64_t *waits_ns)
{
    int64_t launched_ns = 0, ended_ns = 0, sum_ns = 0;
    const struct dcs_host_gap *host = app->host != NULL ? app->host[kind] : NULL;
    for (uint32_t k = 0; k < app->kernels; k++) {
        int64_t wait_ns = 0;
        if (host != NULL) {
            launched_ns = dcs_host_launch_ns(&host[k], launched_ns, ended_ns);
            wait_ns = launched_ns > ended_ns ? launched_ns - ended_ns : 0;
            ended_ns = dcs_add_times(ended_ns, dcs_add_times(wait_ns, duration_of(solo_ns[k])));
        }
        if (waits_ns != NULL)
            waits_ns[k] = wait_ns;
        sum_ns = dcs_add_times(sum_ns, wait_ns);
    }
    return sum_ns;
}

/* Sets the host's part on a kind, and what a request of means waits for it. */
static void add_host(struct dcs_app *app, uint32_t kind, const struct dcs_sequence *sequence)
{
    if (sequence == NULL || sequence->host == NULL)
        return;
    double *solo_ns = dcs_alloc(app->kernels, sizeof *solo_ns);
    for (uint32_t k = 0; k < app->kernels; k++)
        solo_ns[k] = (double)app->mean_ns[kind * app->kernels + k];
    app->host[kind] = sequence->host;
    app->host_ns[kind] = dcs_app_host_waits(app, kind, solo_ns, NULL);
    free(solo_ns);
}

static void allocate(struct dcs_app *app, const char *name, uint32_t kinds)
{
    app->name = dcs_strdup(name);
    app->mean_ns = dcs_alloc((size_t)kinds * app->kernels, sizeof *app->mean_ns);
    app->revocation = dcs_alloc((size_t)kinds * app->kernels, sizeof *app->revocation);
    app->total_ns = dcs_alloc(kinds, sizeof *app->total_ns);
    app->host_ns = dcs_alloc(kinds, sizeof *app->host_ns);
}

static void add_totals(struct dcs_app *app, uint32_t kinds)
{
    for (uint32_t kind = 0; kind < kinds; kind++) {
        app->total_ns[kind] = app->host_ns[kind];
        for (uint32_t k = 0; k < app->kernels; k++)
            app->total_ns[kind] =
                dcs_add_times(app->total_ns[kind], app->mean_ns[kind * app->kernels + k]);
    }
}

/* One place fills the cost of stopping a kernel, whether its thread count is known or assumed. That
 * a profile has no such cost matters only to who revokes. */
static void add_revocation(struct dcs_app *app, const struct dcs_profile *profile, uint32_t at,
                           enum dcs_revocation_mechanism mechanism, int64_t known, int64_t assumed)
{
    struct dcs_err unknown = {0};
    int64_t threads = known > 0 ? known : assumed;
    if (dcs_profile_revocation_cost(profile, mechanism, threads, &app->revocation[at], &unknown) !=
        0)
        app->revocation[at] =
            (struct dcs_profile_revocation){.mechanism = mechanism, .kill_ns = -1};
}

/* What an application is made of on one kind of device. */
struct parts {
    const struct dcs_profile_app *profile;
    const struct dcs_spatial *spatial; /* NULL: the device is not shared */
    const struct dcs_sequence *sequence;
    uint32_t kernels;
};

static struct parts parts_of(const struct dcs_profile *profile, const struct dcs_spatial *spatial,
                             const char *name, int64_t size)
{
    struct parts p = {.profile = dcs_profile_app(profile, name), .spatial = spatial};
    if (p.profile == NULL)
        return p;
    p.kernels = (uint32_t)p.profile->kernels_count;
    if (spatial != NULL) {
        uint32_t listed = (uint32_t)(p.profile - profile->apps);
        p.sequence =
            size > 0 ? dcs_spatial_sequence(spatial, listed, size) : &spatial->sequences[listed];
        DCS_ASSERT(p.sequence != NULL);
        p.kernels = p.sequence->kernels;
    }
    return p;
}

/* Fills kernel number k from its parts. Returns the threads of its launch, 0 if unknown. */
static int64_t add_kernel(struct dcs_app *app, const struct parts *p, uint32_t at, uint32_t k)
{
    if (p->sequence == NULL) {
        app->mean_ns[at] = p->profile->kernels[k].duration_ns;
        return p->profile->kernels[k].threads;
    }
    app->shapes[at] = p->sequence->shapes[k];
    app->mean_ns[at] =
        (int64_t)(dcs_shape_solo_ns(p->spatial, app->shapes[at], p->spatial->sms) + 0.5);
    return p->kernels == p->profile->kernels_count ? p->profile->kernels[k].threads : 0;
}

int dcs_app_from_profiles(struct dcs_app *app, const char *name, int64_t size,
                          struct dcs_profile *const *profiles,
                          const struct dcs_spatial *const *spatial, uint32_t kinds,
                          enum dcs_revocation_mechanism mechanism, int64_t threads,
                          struct dcs_err *err)
{
    *app = (struct dcs_app){0};
    for (uint32_t kind = 0; kind < kinds; kind++) {
        const struct dcs_profile *profile = profiles[kind];
        const struct parts parts =
            parts_of(profile, spatial != NULL ? spatial[kind] : NULL, name, size);
        const struct dcs_profile_app *found = parts.profile;
        if (found == NULL) {
            dcs_app_release(app);
            return dcs_err_set(err, "profile \"%s\" has no application \"%s\"", profile->name,
                               name);
        }
        if (kind == 0) {
            app->class = found->class;
            app->sla_ns = found->sla_ns;
            app->size = size;
            app->kernels = parts.kernels;
            allocate(app, name, kinds);
            app->listed = dcs_alloc(kinds, sizeof *app->listed);
            if (spatial != NULL) {
                app->shapes = dcs_alloc((size_t)kinds * app->kernels, sizeof *app->shapes);
                app->host = dcs_alloc(kinds, sizeof *app->host);
            }
        } else if (parts.kernels != app->kernels || found->class != app->class) {
            dcs_app_release(app);
            return dcs_err_set(err,
                               "application \"%s\" differs in class or number of kernels between "
                               "profiles \"%s\" and \"%s\"",
                               name, profiles[0]->name, profile->name);
        }
        app->listed[kind] = (uint32_t)(found - profile->apps);
        if (found->memory_bytes > app->memory_bytes)
            app->memory_bytes = found->memory_bytes;
        for (uint32_t k = 0; k < app->kernels; k++) {
            uint32_t at = kind * app->kernels + k;
            int64_t known = add_kernel(app, &parts, at, k);
            add_revocation(app, profile, at, mechanism, known, threads);
        }
        add_host(app, kind, parts.sequence);
    }
    add_totals(app, kinds);
    return 0;
}

void dcs_app_use_cpus(struct dcs_app *app, const struct dcs_cpu *const *cpu, uint32_t kinds,
                      bool noise)
{
    app->cpu = cpu;
    app->cpu_noise = noise;
    for (uint32_t kind = 0; !app->synthetic && kind < kinds; kind++) {
        DCS_ASSERT(app->kernels == 1);
        double ns = (double)app->mean_ns[kind] * cpu_facts(app, kind)->work_over_mean;
        app->mean_ns[kind] = ns < (double)DCS_TIME_MAX ? (int64_t)(ns + 0.5) : DCS_TIME_MAX;
        app->total_ns[kind] = app->mean_ns[kind];
    }
}

void dcs_app_synthetic(struct dcs_app *app, const char *name, enum dcs_class class,
                       const struct dcs_dist *service, uint32_t kernels,
                       struct dcs_profile *const *profiles, uint32_t kinds,
                       enum dcs_revocation_mechanism mechanism, int64_t threads)
{
    *app = (struct dcs_app){
        .class = class, .kernels = kernels, .synthetic = true, .service = *service};
    allocate(app, name, kinds);
    double mean = dcs_dist_mean(service);
    /* A mean beyond what time can hold (a Pareto with shape <= 1) is predicted as 2^62 ns. */
    int64_t mean_ns = mean < 0x1p62 ? (int64_t)(mean + 0.5) : INT64_C(1) << 62;
    for (uint32_t at = 0; at < kinds * kernels; at++) {
        app->mean_ns[at] = mean_ns > 0 ? mean_ns : 1;
        add_revocation(app, profiles[at / kernels], at, mechanism, 0, threads);
    }
    add_totals(app, kinds);
}

void dcs_app_divisible(struct dcs_app *app, const char *name, enum dcs_class class,
                       const struct dcs_work *const *work, uint32_t kinds, bool noise)
{
    *app = (struct dcs_app){
        .class = class, .kernels = (uint32_t)work[0]->passes, .chunk_noise = noise};
    allocate(app, name, kinds);
    app->work = dcs_alloc(kinds, sizeof(app->work[0]));
    for (uint32_t kind = 0; kind < kinds; kind++) {
        const struct dcs_work *w = app->work[kind] = work[kind];
        DCS_ASSERT(w->iterations == work[0]->iterations && w->passes == work[0]->passes);
        int64_t mean_ns = DCS_TIME_MAX;
        double sigma;
        for (size_t i = 0; i < w->count; i++) {
            int64_t ns = duration_of(dcs_chunk_ns(&w->curves[i], w->iterations, &sigma));
            if (!w->curves[i].beside && ns < mean_ns)
                mean_ns = ns;
        }
        for (uint32_t at = kind * app->kernels; at < (kind + 1) * app->kernels; at++) {
            app->mean_ns[at] = mean_ns;
            app->revocation[at].kill_ns = -1;
        }
    }
    add_totals(app, kinds);
}

void dcs_app_resident(struct dcs_app *app, const char *name, enum dcs_class class,
                      const uint32_t *kernel, int64_t alone_ns, uint32_t kinds)
{
    DCS_ASSERT(alone_ns >= 1);
    *app = (struct dcs_app){.class = class, .kernels = 1};
    allocate(app, name, kinds);
    app->resident = dcs_alloc(kinds, sizeof *app->resident);
    for (uint32_t kind = 0; kind < kinds; kind++) {
        app->resident[kind] = kernel[kind];
        app->mean_ns[kind] = alone_ns;
        app->revocation[kind].kill_ns = -1;
    }
    add_totals(app, kinds);
}

int64_t dcs_app_chunk_ns(const struct dcs_app *app, const struct dcs_work *work, enum dcs_side side,
                         int64_t threads, bool beside, int64_t iterations, double u)
{
    const struct dcs_chunk_curve *curve = dcs_work_curve(work, side, threads, beside);
    if (curve == NULL)
        curve = dcs_work_curve(work, side, threads, false);
    DCS_ASSERT(curve != NULL); /* whoever made the domains has looked */
    double sigma, ns = dcs_chunk_ns(curve, iterations, &sigma);
    if (app->chunk_noise && sigma > 0 && u != 0.5)
        ns *= dcs_exp(sigma * dcs_normal_quantile(u));
    return duration_of(ns);
}

void dcs_app_scale(struct dcs_app *app, uint32_t kind, uint32_t kinds, double factor)
{
    DCS_ASSERT(app->synthetic && kind < kinds && factor > 0);
    if (app->factor == NULL) {
        app->factor = dcs_alloc(kinds, sizeof *app->factor);
        for (uint32_t i = 0; i < kinds; i++)
            app->factor[i] = 1;
    }
    app->factor[kind] = factor;
    for (uint32_t at = kind * app->kernels; at < (kind + 1) * app->kernels; at++)
        app->mean_ns[at] = scale_ns(app->mean_ns[at], factor);
    add_totals(app, kinds);
}

void dcs_app_release(struct dcs_app *app)
{
    free(app->factor);
    free(app->name);
    free(app->mean_ns);
    free(app->host);
    free(app->host_ns);
    free(app->shapes);
    free(app->listed);
    free(app->work);
    free(app->resident);
    free(app->revocation);
    free(app->total_ns);
    if (app->synthetic)
        dcs_dist_release(&app->service);
    *app = (struct dcs_app){0};
}
