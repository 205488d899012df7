/*
 * spatial.h - what kernels do that share a GPU, as its profile says: how long each takes alone on
 * how many SMs, what it moves through DRAM and L2, how much it suffers from what others move. Here
 * is what a simulation asks; spatial_load.h makes it from the tables of a profile.
 *
 * SHAPES. A request is a sequence of kernels. Equal kernels have the same *shape*, and everything
 * that is measured is measured of a shape. Shapes are numbered over a whole profile: applications
 * in the order of their names, and the shapes of each in the order of their first launch. Sums over
 * shapes run in the order of these numbers.
 *
 * SOLO TIME. T(shape, SMs) is the time of a kernel alone on a number of SMs. A shape has *points*,
 * the numbers of SMs at which it is known. T is linear in 1 / SMs between two points, and constant
 * above the last one. Below the first point the work per SM is constant: T grows as 1 / SMs, but
 * SMs that the kernel has no blocks for do not count, and the time of a transfer does not grow.
 * Times are kept as measured, so that a time may rise with SMs: by noise, or because a cache serves
 * fewer SMs better.
 *
 * WAVES. Blocks that the SMs cannot hold at once come in waves. Blocks that take equally long stay
 * in step: T is in proportion to the number of waves, rounded up. Other blocks drift apart: T is in
 * proportion to the number of waves, in fractions, plus an overhang of up to one wave for the
 * uneven end.
 *
 * LAUNCHES. A kernel consists of one CUDA launch or of several, one after the other. Where these
 * are unlike each other, each has a grid of its own, and a share of the kernel's work that is the
 * same on any number of SMs.
 *
 * CLUSTERS. A kernel's blocks may come in clusters (of the CUDA programming model), on each number
 * of SMs in others. A device has room for a number of clusters of each size at once, which is less
 * than its SMs say: they are in groups of unlike sizes.
 *
 * PRESSURE AND SENSITIVITY. For each resource of the contention model (contention.h) a shape has,
 * at each point, a pressure (the utilisation that it makes alone) and weights (how much its time
 * grows with the queue, from each hinge on). Measurements reach to the most that it was slowed in
 * them; what the model says beyond that is extrapolated.
 *
 * NOISE. How much a kernel varies from run to run is one distribution for all kernels of a device:
 * a factor on T with mean 1, so that noise makes nothing faster or slower in the mean.
 *
 * QUOTA SWITCHES. A kernel that runs on other SMs than the kernel before it in its chain begins
 * later than it would on the same SMs. By how much is measured for partitions and for MPS.
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

/* Where a kernel's pressure and weights come from. FITTED: from co-runs of the kernel. GUESSED:
 * from another kernel that is like it; the source of such rows begins with "like ". */
enum dcs_contention_origin { DCS_CONTENTION_NONE, DCS_CONTENTION_GUESSED, DCS_CONTENTION_FITTED };

/* One measured number of SMs. */
struct dcs_shape_point {
    uint32_t sms;
    double solo_ns;                                   /* >= 1 */
    double pressure[DCS_RESOURCES_MAX];               /* from 0 to below 1 */
    double weight[DCS_RESOURCES_MAX][DCS_HINGES_MAX]; /* >= 0 */
    double measured_to; /* the most that it was slowed in a co-run that these were fitted to; 0: not
                         * known */
};

/* On that number of SMs the kernel's blocks come in clusters of so many, each of which begins at
 * one time on SMs of one group of the device; together they fill so many SMs. */
struct dcs_shape_cluster {
    uint32_t sms, blocks, fills; /* blocks 1: one by one; 1 <= fills <= sms */
};

/* Equal CUDA launches of a kernel, one after the other. */
struct dcs_launch_group {
    uint32_t launches;      /* >= 1 */
    uint32_t blocks_per_sm; /* that fit at once; 0: not known */
    uint64_t blocks;        /* of one launch, >= 1 */
    double share;           /* of the kernel's work that one launch does */
    double after;           /* share of the kernel's work that is left after the last of them */
    double overhang;        /* as of a shape */
    bool drifts;
    uint8_t grid; /* the first group of the kernel with the same grid and the same waves */
};

struct dcs_shape {
    const char *app; /* borrowed from the profile */
    char *name;
    enum dcs_shape_kind kind;
    uint32_t launches;                     /* CUDA launches that it consists of, >= 1 */
    uint64_t blocks;                       /* of its largest grid; 0: not known */
    uint32_t blocks_per_sm;                /* that fit at once; 0: not known */
    enum dcs_cores cores;                  /* transfers: unknown */
    uint32_t threads, registers;           /* of a block, of a thread; 0: not known */
    uint64_t shared_bytes;                 /* of a block */
    bool drifts;                           /* its blocks do not end wave by wave */
    double overhang;                       /* if so, what its uneven end costs, in waves */
    const struct dcs_launch_group *groups; /* in order; NULL: its launches are all alike */
    uint32_t groups_count;
    double least_fill, most_fill; /* SMs that their smallest and their largest grid fill */
    double dram_bytes;            /* whole kernel, by counters; 0: not known */
    double instructions;          /* likewise */
    double error; /* standard error of its mean alone over that mean, on the most SMs; 0: unknown */
    struct dcs_shape_point *points; /* ascending by sms, at least one */
    size_t points_count;
    const struct dcs_shape_cluster
        *clusters; /* ascending by sms; NULL: its blocks begin one by one */
    size_t clusters_count;
    uint32_t contends_as; /* 1 + the shape whose pressure and weights it has; 0: its own */
    bool in_place;        /* which is one of another function, that stands in its place */
    uint32_t timed_as; /* 1 + the shape that was timed in its place, at another size; 0: itself */
    enum dcs_contention_origin contention; /* of its own rows */
};

/* HOST. The device cannot begin a kernel before its host has launched it. The host launches a
 * kernel gap_ns after the one before (the first: after the request's begin), and, where it waits
 * for the end of that one, wait_ns after it. */
struct dcs_host_gap {
    int64_t gap_ns;
    int64_t wait_ns; /* -1: the host does not wait */
};

#define DCS_CLUSTER_SIZES 5 /* sizes: 1, 2, 4, 8, 16 */

/* The kernels of a request of one application and size, in order. */
struct dcs_sequence {
    const char *app;
    uint32_t listed;  /* index in profile.apps */
    int64_t size;     /* of the request, in the application's unit; -1: not known */
    uint32_t *shapes; /* by kernel */
    uint32_t *tasks; /* by kernel: equal numbers are the same kernel at all sizes; NULL: one size */
    uint32_t kernels;
    uint32_t first_shape; /* its own shapes are the numbers from here on */
    bool between;         /* of a size that was not measured */
    /* By kernel, of programs that were recorded as they are; NULL: requests take as long as their
     * kernels, which have the gaps between them in their times. */
    struct dcs_host_gap *host;
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

/* What a callback of a policy costs on the device. */
struct dcs_scheduler_cost {
    char *policy; /* "*": those without an entry */
    int64_t ns;
};

struct dcs_spatial {
    uint32_t sms;
    double dram_gbs;   /* measured ceiling; 0: not known */
    int64_t clock_mhz; /* the highest of its SMs; 0: not known */
    struct dcs_shape *shapes;
    uint32_t shapes_count;
    struct dcs_sequence *sequences; /* as profile.apps; then other sizes (dcs_spatial_size()) */
    uint32_t sequences_count;
    uint32_t apps_count; /* of the profile */
    struct dcs_resource resources[DCS_RESOURCES_MAX];
    uint32_t resources_count;
    uint32_t
        cluster_room[DCS_CLUSTER_SIZES]; /* clusters of 2^i SMs that fit at once; 0: not known */
    bool ranged;   /* of some shape it is known how far measurements of its contention reach */
    double *noise; /* DCS_NOISE_QUANTILES, ascending, above 0; NULL: not measured */
    struct dcs_fusion *fusion;        /* fused launches (fusion.h); NULL: not measured */
    int64_t switch_ns[DCS_SWITCHES];  /* -1: not measured */
    struct dcs_scheduler_cost *costs; /* of scheduling, as measured */
    size_t costs_count;
    struct dcs_spatial_loaded *loaded; /* spatial_load.h's own; NULL: made otherwise */
};

/* What a callback of a policy costs; -1: it was not measured. */
int64_t dcs_spatial_cost_ns(const struct dcs_spatial *s, const char *policy);

/* The requests of an application (index in profile.apps) of a size; NULL: there is none. */
const struct dcs_sequence *dcs_spatial_sequence(const struct dcs_spatial *s, uint32_t app,
                                                int64_t size);

/* When the host launches a kernel that it has not launched yet: after `launched_ns`, when it
 * launched the one before, which ended at `ended_ns`. */
static inline int64_t dcs_host_launch_ns(const struct dcs_host_gap *g, int64_t launched_ns,
                                         int64_t ended_ns)
{
    int64_t ns = dcs_add_times(launched_ns, g->gap_ns);
    int64_t awaited_ns = g->wait_ns < 0 ? 0 : dcs_add_times(ended_ns, g->wait_ns);
    return awaited_ns > ns ? awaited_ns : ns;
}

/* The shape whose pressure and weights a shape has. */
static inline uint32_t dcs_shape_contends_as(const struct dcs_spatial *s, uint32_t shape)
{
    uint32_t other = s->shapes[shape].contends_as;
    return other > 0 ? other - 1 : shape;
}

/* The shape whose measurement the time of a shape comes from, for the most part. */
static inline uint32_t dcs_shape_timed_as(const struct dcs_spatial *s, uint32_t shape)
{
    uint32_t other = s->shapes[shape].timed_as;
    return other > 0 ? other - 1 : shape;
}

/* Whether it is known how far measurements of a shape's contention reach. */
static inline bool dcs_shape_has_range(const struct dcs_spatial *s, uint32_t shape)
{
    return s->shapes[dcs_shape_contends_as(s, shape)].points[0].measured_to > 0;
}

/* The least i with clusters of 2^i blocks or more, below DCS_CLUSTER_SIZES. */
static inline uint32_t dcs_cluster_index(uint32_t blocks)
{
    uint32_t i = 0;
    while (i + 1 < DCS_CLUSTER_SIZES && (1u << i) < blocks)
        i++;
    return i;
}

/* How the blocks of a shape come on a number of SMs: as on the nearest that is known, in
 * proportion. .blocks 1: one by one. */
struct dcs_shape_cluster dcs_shape_cluster_at(const struct dcs_spatial *s, uint32_t shape,
                                              uint32_t sms);
/* The time alone on a number of SMs (above 0, at most s->sms), ns, 1 to 10^18. */
double dcs_shape_solo_ns(const struct dcs_spatial *s, uint32_t shape, double sms);
/* The quantile of noise at u, 0 to 1: linear between quantiles, the nearest beyond them. */
double dcs_noise_at(const double *noise, double u);
/* UNCERTAINTY. What a second profile of the same device could have measured of a shape, over what
 * this profile has; above 0. It is the product of two draws. The first is normal around 1, with the
 * standard error of the mean of the shape's samples. The second is drawn from the noise: samples
 * that were taken together all lie where the device was in that minute. A shape that was not timed
 * has the factor of the shape whose time it has (dcs_shape_timed_as()). A pure function of that
 * shape, the kind of device, the seed and the replication. */
double dcs_shape_resample(const struct dcs_spatial *s, uint32_t shape, uint32_t kind, uint64_t seed,
                          uint32_t replication);
/* Whether dcs_shape_resample() is anything but 1 for any shape. */
bool dcs_spatial_uncertain(const struct dcs_spatial *s);
/* Pressure and weights on a number of SMs: linear in SMs between points, those of the nearest point
 * beyond them. But below the first point the pressure is in proportion to SMs, which is assumed.
 * Returns dcs_shape_measured_to(). */
double dcs_shape_contention(const struct dcs_spatial *s, uint32_t shape, double sms,
                            double pressure[DCS_RESOURCES_MAX],
                            double weight[DCS_RESOURCES_MAX][DCS_HINGES_MAX]);
/* The most that a shape was slowed in co-runs that its pressure and weights were fitted to: linear
 * in SMs between points, that of the nearest beyond them. 0: not known. */
double dcs_shape_measured_to(const struct dcs_spatial *s, uint32_t shape, double sms);

#endif
