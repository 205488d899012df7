/*
 * apps.h - the applications of an experiment, resolved: what each of their kernels takes on each
 * kind of device, in truth, and what stopping it costs.
 *
 * An application comes from the profiles (the same name in each) or is synthetic: a distribution of
 * service times, with a factor for each kind of device. Kernels of a profile take what it says, or
 * vary around that as it has measured. Requests of another size than the default are described by a
 * struct dcs_app of their own; on a CPU a request takes what its size asks. A request's true work
 * is a pure function of (seed, replication, job, request, kernel), so every policy meets the same
 * requests.
 */
#ifndef DCS_MODELS_APPS_H
#define DCS_MODELS_APPS_H

#include "des/base.h"
#include "des/dist.h"
#include "models/cpu/cpu.h"
#include "models/divisible/divisible.h"
#include "models/profile/profile.h"
#include "models/gpu/spatial.h"

struct dcs_app {
    char *name;
    enum dcs_class class;
    int64_t sla_ns; /* 0 = none */
    uint64_t memory_bytes;
    int64_t size; /* of the requests that this describes, if that is not the default; else 0 */
    uint32_t kernels;
    bool synthetic;
    struct dcs_dist service; /* synthetic: of one kernel, ns */
    double *factor;          /* synthetic, by kind: times service; NULL: 1 on each */

    /* By device kind and kernel: [kind * kernels + kernel]. */
    int64_t *mean_ns;
    uint32_t *shapes; /* of the kind's spatial model; NULL: synthetic, or devices are not shared */
    /* By kind, borrowed: whose uncertainty resampled draws have; NULL: profiles are exact. */
    const struct dcs_spatial *const *uncertain;
    const double *const *noise; /* by kind, borrowed: how kernels vary (spatial.h); NULL: not */
    const struct dcs_cpu *const *cpu; /* by kind, borrowed: devices are CPUs; NULL: none is */
    bool cpu_noise;                   /* work varies around that of its size */
    /* By kind, borrowed: it is divisible, and a kernel is a pass; NULL: it is not. */
    const struct dcs_work **work;
    bool chunk_noise;   /* times of chunks vary as measured */
    uint32_t *resident; /* by kind: its kernel inside an SM (sm.h); NULL: it has none */
    uint32_t *listed;   /* by kind: its index in the profile's applications; NULL: synthetic */
    struct dcs_profile_revocation *revocation; /* kill_ns -1: it cannot be revoked */
    /* By kind: borrowed, when its host launches (spatial.h, HOST); NULL: not known. */
    const struct dcs_host_gap **host;
    int64_t *host_ns;  /* by kind: in which a request alone waits for its host */
    int64_t *total_ns; /* by kind: sum over the kernels of mean_ns, and host_ns */
};

/* What a request alone waits for its host, with solo_ns[k] for each kernel; waits_ns: before each
 * of them; NULL: not asked. 0 without a host's part. */
int64_t dcs_app_host_waits(const struct dcs_app *app, uint32_t kind, const double *solo_ns,
                           int64_t *waits_ns);

/* The identity of one request's draws. */
struct dcs_draw {
    uint64_t seed;
    uint32_t replication;
    uint32_t job;
    uint64_t request; /* 0, 1, ... within the job */
    bool resampled;   /* kernels take what a second profile could have measured of them */
    const struct dcs_rng_points *work; /* dcs_app_work_points() of the job; NULL: not kept */
};

/* What the draws of the true work of a job's requests have in common. */
struct dcs_rng_points dcs_app_work_points(const struct dcs_app *app, uint64_t seed,
                                          uint32_t replication, uint32_t job);

/* True work of one kernel alone on a whole device of a kind, >= 1 ns. */
int64_t dcs_app_work_ns(const struct dcs_app *app, uint32_t kind, uint32_t kernel,
                        const struct dcs_draw *draw);

/* On CPUs, of an application of the profiles: the size of a request, and what one of a size takes
 * alone with everything, without noise. Of a synthetic one: 0, and the mean. */
int64_t dcs_app_cpu_size(const struct dcs_app *app, uint32_t kind, const struct dcs_draw *draw);
double dcs_app_cpu_mean_ns(const struct dcs_app *app, uint32_t kind, int64_t size);
/* The application's devices are these CPUs: its means become those over all sizes. */
void dcs_app_use_cpus(struct dcs_app *app, const struct dcs_cpu *const *cpu, uint32_t kinds,
                      bool noise);

/* Fills an application from a synthetic description (takes `service` over) or from the profiles.
 * kinds profiles; revocation costs by mechanism, `threads` where the profile does not know them; no
 * cost where it does not know the mechanism. spatial: one for each kind, whose kernels it then has;
 * NULL: devices are not shared. size: of its requests (0: the default), which the spatial models
 * must have. -1 and err if a profile lacks the application. The caller releases.
 */
int dcs_app_from_profiles(struct dcs_app *app, const char *name, int64_t size,
                          struct dcs_profile *const *profiles,
                          const struct dcs_spatial *const *spatial, uint32_t kinds,
                          enum dcs_revocation_mechanism mechanism, int64_t threads,
                          struct dcs_err *err);
void dcs_app_synthetic(struct dcs_app *app, const char *name, enum dcs_class class,
                       const struct dcs_dist *service, uint32_t kernels,
                       struct dcs_profile *const *profiles, uint32_t kinds,
                       enum dcs_revocation_mechanism mechanism, int64_t threads);
/* A divisible one: what the profile of each kind says of a program at one size. All have the same
 * iterations and passes (asserted). Its mean is what the fastest side takes for a pass alone. */
void dcs_app_divisible(struct dcs_app *app, const char *name, enum dcs_class class,
                       const struct dcs_work *const *work, uint32_t kinds, bool noise);
/* A kernel inside SMs (sm.h), by kind; a request is one launch of so many blocks that it takes
 * alone_ns alone, with as many in each SM as fit. */
void dcs_app_resident(struct dcs_app *app, const char *name, enum dcs_class class,
                      const uint32_t *kernel, int64_t alone_ns, uint32_t kinds);
/* What a chunk takes, >= 1 ns, in the run-to-run noise of u in (0, 1); 0.5: in the median. threads:
 * of the domain's CPU, 0: it has none. What was not measured beside the other side, is as alone. */
int64_t dcs_app_chunk_ns(const struct dcs_app *app, const struct dcs_work *work, enum dcs_side side,
                         int64_t threads, bool beside, int64_t iterations, double u);
/* A synthetic application takes `factor` times its service on a kind. */
void dcs_app_scale(struct dcs_app *app, uint32_t kind, uint32_t kinds, double factor);
void dcs_app_release(struct dcs_app *app);

#endif
