/*
 * spatial.h - what a profile says about kernels that share a device: how long each takes alone on
 * how many SMs, what it moves through DRAM and L2, how much it suffers from what others move.
 *
 * SHAPES. A request is a sequence of kernels; equal ones have the same *shape*, and everything that
 * is measured is measured of a shape. Shapes are numbered over a whole profile, applications in the
 * order of their names and shapes in the order of their first launch: the number is the canonical
 * order in which sums run.
 *
 * SOLO TIME. T(shape, SMs), from the medians of kernel_solo and request_solo at the application's
 * default size. Exact at measured points, between them linear in 1 / SMs; below the first point
 * work per SM is constant (time grows as 1 / SMs, but not by SMs that the kernel cannot occupy; a
 * transfer's does not grow), above the last one its time holds. Times are kept as measured, so that
 * one may rise with SMs by noise, or because a cache serves fewer SMs better. The times of a
 * request's kernels are scaled by one factor for each number of SMs at which requests were
 * measured, so that their sum is the measured time of the whole request there: launch gaps are in
 * it. The factor is linear in 1 / SMs between these, and the nearest one's beyond. Where requests
 * were measured at more numbers of SMs than kernels, the factor carries that to the kernels. A
 * number of SMs that was measured as a partition (green context) or as the whole device is exact;
 * quotas of MPS count only where no partition was measured.
 *
 * WAVES. The blocks of a kernel that SMs cannot hold at once come in waves. Equal blocks stay in
 * step: T is in proportion to the number of waves, rounded up. Others drift apart: T is in
 * proportion to the number of waves, in fractions, and an overhang of up to one wave for the uneven
 * end. Which of the two, and the overhang, are fitted to kernel_solo for each shape; a kernel that
 * was measured at fewer than three numbers of SMs counts as in step.
 *
 * LAUNCHES. A kernel consists of one CUDA launch or of several, one after the other. Of those that
 * are unlike each other the table kernel_launch has the grid and the time of each, traced on the
 * whole device: a launch is that share of the kernel's work, with an equal part of the gaps between
 * launches, on any number of SMs. A kernel without such rows has equal launches. Whether the blocks
 * of a launch drift apart is fitted on its own grid to the times of the whole kernel.
 *
 * PRESSURE AND SENSITIVITY. For each resource of the contention model (contention.h) a shape has,
 * at each measured number of SMs, a pressure (the utilisation that it makes alone) and weights (how
 * much its time grows with the queue, from each hinge on). Tables contention_resource,
 * contention_hinge, contention_kernel, contention_weight; a profile without them has no contention,
 * and says so in `falls_back`.
 *
 * NOISE. The table `noise` has some kernels, alone, again and again over minutes. Each sample over
 * the median of its kernel at its number of SMs is one value; all of them together are the
 * distribution by which any kernel of that device varies, kept as quantiles and scaled to mean 1,
 * so that noise makes nothing faster or slower in the mean.
 *
 * QUOTA SWITCHES. The table `quota_switch` has the time from the end of a kernel to the begin of
 * the next one of its chain. What a kernel on other SMs waits longer than one on the same is, for
 * partitions, the mean of the medians of green_host (the host waits for the end and launches into
 * the other green context) less that of stream; for MPS, of mps_futex (another process of a pool
 * launches, which sleeps until it is told; a pool has too many processes to let all of them poll)
 * less that of mps_stream.
 *
 * OTHER SIZES. Of the applications that a simulation asks for, requests of every size that was
 * measured whole (request_solo) have a sequence and shapes of their own, with the grids of that
 * size; what is said above holds for each, so that a whole request is exact at measured points.
 * Fewer sizes have times of single kernels. The others' are interpolated linearly in the size
 * between the nearest two that have them, kernel by kernel (predictor_tasks.h: which belong
 * together), before they are scaled to the request; beyond the last, its times hold. Whether their
 * blocks drift apart, the overhang, unlike launches (if they have as many), and the error of a mean
 * are those of the nearer one. A size between two measured ones has the kernels of the nearer one
 * (the lower, if both are as near), each with a time that is linear in the size between both,
 * scaled so that the whole request is, too. (Chosen by leaving sizes out: docs/validation.md.)
 * Pressure and sensitivity are those that the same kernel has at the default size on as many SMs,
 * and bandwidth and instructions per cycle those that it has there on the whole device: nothing of
 * that was measured at other sizes. So is a request's memory. A kernel that no request of the
 * default size has takes after the last one there whose name differs in numbers only, if there is
 * one.
 *
 * A profile of version 1, or an application without kernel_solo rows, is not refused: its kernels
 * then take their duration on the whole device, and SMs / allotted times as long on fewer (work per
 * SM is constant), scaled to request_solo where that is measured. An application without
 * request_kernel rows has one shape for each of its kernels; a transfer there counts as one to the
 * device. Kernels without contention_kernel rows have pressure and weight 0, whatever their
 * counters say. `falls_back` says how many these are, and how many have the rows of others.
 */
#ifndef DCS_MODELS_SPATIAL_H
#define DCS_MODELS_SPATIAL_H

#include "des/base.h"
#include "models/profile/profile.h"

#define DCS_RESOURCES_MAX 2
#define DCS_HINGES_MAX    4 /* of one resource */

/* What partitions (green contexts) are multiples of; the last may be whatever is left. */
#define DCS_SMS_STEP 8

enum dcs_shape_kind { DCS_SHAPE_COMPUTE, DCS_SHAPE_TO_DEVICE, DCS_SHAPE_FROM_DEVICE };

/* Which cores a kernel computes on. CUDA: all but the tensor cores. */
enum dcs_cores { DCS_CORES_UNKNOWN, DCS_CORES_TENSOR, DCS_CORES_CUDA };

/* Where a kernel's pressure and weights come from. GUESSED: others that were fitted and are like
 * it, where the source of the rows begins with "like "; for another size than the default, those of
 * the default size. */
enum dcs_contention_origin { DCS_CONTENTION_NONE, DCS_CONTENTION_GUESSED, DCS_CONTENTION_FITTED };

/* One measured number of SMs. */
struct dcs_shape_point {
    uint32_t sms;
    double solo_ns;                                   /* >= 1 */
    double pressure[DCS_RESOURCES_MAX];               /* from 0 to below 1 */
    double weight[DCS_RESOURCES_MAX][DCS_HINGES_MAX]; /* >= 0 */
};

/* Equal CUDA launches of a kernel, one after the other. */
struct dcs_launch_group {
    uint32_t launches;      /* >= 1 */
    uint32_t blocks_per_sm; /* that fit at once; 0: not known */
    uint64_t blocks;        /* of one launch, >= 1 */
    double share;           /* of the kernel's work, that one launch is */
    double after;           /* and that is left after the last of these */
    double overhang;        /* as of a shape */
    bool drifts;
    uint8_t grid; /* the first of the kernel's that has the same grid and the same waves */
};

struct dcs_shape {
    const char *app; /* borrowed from the profile */
    char *name;
    enum dcs_shape_kind kind;
    uint32_t launches;           /* CUDA launches that it consists of, >= 1 */
    uint64_t blocks;             /* of its largest grid; 0: not known */
    uint32_t blocks_per_sm;      /* that fit at once; 0: not known */
    enum dcs_cores cores;        /* transfers: unknown */
    uint32_t threads, registers; /* of a block, of a thread; 0: not known */
    uint64_t shared_bytes;       /* of a block */
    bool drifts;                 /* its blocks do not end wave by wave */
    double overhang;             /* then: waves' worth of time that its uneven end costs */
    const struct dcs_launch_group *groups; /* in order; NULL: its launches are all alike */
    uint32_t groups_count;
    double least_fill, most_fill; /* SMs that the smallest and the largest grid of these fill */
    double dram_bytes;            /* whole kernel, by counters; 0: not known */
    double instructions;          /* likewise */
    double error; /* standard error of its mean alone over that mean, on the most SMs; 0: unknown */
    struct dcs_shape_point *points; /* ascending by sms, at least one */
    size_t points_count;
    uint32_t contends_as; /* 1 + the shape whose pressure and weights it has; 0: its own */
    uint32_t timed_as;    /* 1 + the nearest size of it that was timed; 0: it was */
    enum dcs_contention_origin contention; /* of its own rows */
};

/* The kernels of a request of one application and size, in order. */
struct dcs_sequence {
    const char *app;
    uint32_t listed;  /* index in profile.apps */
    int64_t size;     /* of the request, in the application's unit; -1: not known */
    uint32_t *shapes; /* kernels numbers */
    uint32_t *tasks;  /* likewise: kernels of several sizes that are the same one; NULL: one size */
    uint32_t kernels;
    uint32_t first_shape; /* its shapes follow each other */
    bool between;         /* of a size that was not measured */
};

/* A resource of the contention model, and the lengths of its queue from which weights count. */
struct dcs_resource {
    char *name;
    uint32_t hinges;              /* at least one */
    double level[DCS_HINGES_MAX]; /* ascending, >= 0 */
};

enum dcs_switch { DCS_SWITCH_GREEN, DCS_SWITCH_MPS, DCS_SWITCHES };

/* Quantiles at (i + 0.5) / DCS_NOISE_QUANTILES: from 0.25 % to 99.75 %. */
#define DCS_NOISE_QUANTILES 200

struct dcs_fusion;

struct dcs_spatial {
    uint32_t sms;
    double dram_gbs;   /* measured ceiling; 0: not known */
    int64_t clock_mhz; /* the highest of its SMs; 0: not known */
    struct dcs_shape *shapes;
    uint32_t shapes_count;
    size_t shapes_capacity;
    struct dcs_launch_group *groups; /* of all shapes */
    struct dcs_sequence *sequences;  /* as profile.apps; then other sizes, see dcs_spatial_size() */
    uint32_t sequences_count;
    size_t sequences_capacity;
    uint32_t apps_count; /* of the profile */
    struct dcs_resource resources[DCS_RESOURCES_MAX];
    uint32_t resources_count;
    double *noise;             /* DCS_NOISE_QUANTILES, ascending, above 0; NULL: not measured */
    struct dcs_fusion *fusion; /* fused launches (fusion.h); NULL: not measured */
    int64_t switch_ns[DCS_SWITCHES]; /* -1: not measured */
    char *falls_back;                /* what is missing and what stands in for it; NULL: nothing */
};

/* Reads what the profile at `path` (the file that was loaded as p) says. NULL and err on failure.
 * The profile must outlive it. */
struct dcs_spatial *dcs_spatial_load(const struct dcs_profile *p, const char *path,
                                     struct dcs_err *err);
/* Loads the profile as dcs_profile_load() does, and *s, from one reading of the file, which takes
 * most of the time. NULL and err on failure; *s is then NULL too. */
struct dcs_profile *dcs_spatial_load_profile(const char *path, struct dcs_spatial **s,
                                             struct dcs_err *err);
/* The same with all sizes at which requests of some applications (names, NULL-ended; those that the
 * profile lacks are passed over) were measured. */
struct dcs_profile *dcs_spatial_load_sized(const char *path, const char *const *apps,
                                           struct dcs_spatial **s, struct dcs_err *err);
void dcs_spatial_free(struct dcs_spatial *s); /* NULL is allowed */

/* The requests of an application (index in profile.apps) of a size; NULL: there is none. */
const struct dcs_sequence *dcs_spatial_sequence(const struct dcs_spatial *s, uint32_t app,
                                                int64_t size);
/* The same; one between two measured sizes of an application that was loaded with all of them is
 * made, which moves s->sequences and s->shapes. NULL and err (its text) if that cannot be. */
const struct dcs_sequence *dcs_spatial_size(struct dcs_spatial *s, uint32_t app, int64_t size,
                                            struct dcs_err *err);
/* Whether it is there or could be made. -1 and err (its text) if not. */
int dcs_spatial_check_size(const struct dcs_spatial *s, uint32_t app, int64_t size,
                           struct dcs_err *err);
/* The shape whose pressure and weights it has. */
static inline uint32_t dcs_shape_contends_as(const struct dcs_spatial *s, uint32_t shape)
{
    uint32_t other = s->shapes[shape].contends_as;
    return other > 0 ? other - 1 : shape;
}

/* The shape whose measurement its time comes from, for the most part. */
static inline uint32_t dcs_shape_timed_as(const struct dcs_spatial *s, uint32_t shape)
{
    uint32_t other = s->shapes[shape].timed_as;
    return other > 0 ? other - 1 : shape;
}

/* Alone on so many SMs (above 0, at most s->sms), ns, 1 to 10^18. */
double dcs_shape_solo_ns(const struct dcs_spatial *s, uint32_t shape, double sms);
/* Sets drifts and overhang from its points and its grid. */
void dcs_shape_fit_waves(struct dcs_shape *shape);
/* The quantile of noise at u, 0 to 1: linear between quantiles, the nearest beyond them. */
double dcs_noise_at(const double *noise, double u);
/* UNCERTAINTY. What a second profile of the same device could have measured of a shape, over what
 * this one has: the error of its mean is normal, with the standard error of its samples; and
 * samples that were taken together lie where the device was in that minute, which is drawn from the
 * noise. Each size of its requests at which it was timed is a measurement of its own; one at which
 * it was not has the factor of the nearest that was. A pure function of the seed, the replication,
 * the kind of device and the shape that was timed; above 0.
 */
double dcs_shape_resample(const struct dcs_spatial *s, uint32_t shape, uint32_t kind, uint64_t seed,
                          uint32_t replication);
/* Whether that is ever anything but 1. */
bool dcs_spatial_uncertain(const struct dcs_spatial *s);
/* Pressure and weights there, interpolated linearly in SMs between points, nearest beyond them;
 * but below the first point the pressure is in proportion to SMs (not measured). */
void dcs_shape_contention(const struct dcs_spatial *s, uint32_t shape, double sms,
                          double pressure[DCS_RESOURCES_MAX],
                          double weight[DCS_RESOURCES_MAX][DCS_HINGES_MAX]);

#endif
