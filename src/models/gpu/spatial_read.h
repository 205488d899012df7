/*
 * spatial_read.h - the tables of a profile that spatial_load.h names, read and checked row by row
 * before anything is computed of them. For spatial*.c only.
 */
#ifndef DCS_MODELS_SPATIAL_READ_H
#define DCS_MODELS_SPATIAL_READ_H

#include "models/profile/profile_open.h"
#include "models/profile/profile_rows.h"
#include "models/gpu/spatial_load.h"

/* What only loading needs of a struct dcs_spatial. */
struct dcs_spatial_loaded {
    size_t shapes_capacity, sequences_capacity;
    struct dcs_launch_group *groups;    /* of all shapes */
    struct dcs_shape_cluster *clusters; /* likewise */
    char *falls_back;                   /* NULL: nothing is missing */
};

/* A median. Where several mechanisms were measured at one number of SMs, the first of these
 * counts. */
struct spatial_time {
    uint32_t of; /* a shape, or a sequence */
    uint32_t sms;
    enum { SPATIAL_WHOLE, SPATIAL_GREEN, SPATIAL_MPS } mechanism;
    double ns; /* >= 1 */
};

struct spatial_press {
    uint32_t shape, resource, sms;
    double pressure, weight[DCS_HINGES_MAX];
    uint32_t weights_seen; /* bits */
    bool guessed;          /* see dcs_contention_origin */
};

/* The most that a shape was slowed on so many SMs in co-runs that were fitted. */
struct spatial_range {
    uint32_t shape, sms;
    double slowdown; /* >= 1 */
};

/* Launches of a kernel on the whole device. */
struct spatial_group {
    uint32_t shape, position, launches, blocks_per_sm; /* 0: not known */
    uint64_t blocks;
    double ns; /* of one launch, >= 1 */
};

struct spatial_rows {
    struct spatial_time *kernels, *requests; /* by of, sms, mechanism; each once */
    size_t kernels_count, kernels_capacity, requests_count, requests_capacity;
    struct spatial_press *presses; /* by shape, resource, sms; each once */
    size_t presses_count, presses_capacity;
    struct spatial_range *ranges; /* by shape, sms; each once */
    size_t ranges_count, ranges_capacity;
    struct spatial_group *groups; /* by shape, position; of each shape all or none */
    size_t groups_count, groups_capacity;
    int64_t *follow_ns;      /* by sequence: between two kernels, if it has a host's part */
    bool *told;              /* by sequence: it has rows in request_kernel */
    uint32_t default_shapes; /* shapes with a lower number are of default sizes */
    bool *described;         /* by shape: it has a row in kernel_shape */
    double *listed_ns; /* by shape: its duration in the table kernel; 0: not of a default size */
};

/* Fills *rows, and *s but for tasks and for the points and counterparts of shapes. sized:
 * applications of which all sizes are wanted, NULL-ended. -1 and err on failure; the caller
 * releases both in any case. */
int dcs_spatial_read(struct dcs_spatial *s, struct spatial_rows *rows, const struct dcs_profile *p,
                     const char *const *sized, struct dcs_profile_source *source, const char *path,
                     struct dcs_err *err);
/* Which shape columns 0 to 2 of a row name. 1: *shape is its index, 0: no request has it, -1: err.
 */
typedef int spatial_which_shape(void *context, uint32_t *shape);
/* Which sequence columns 0 and 1 of a row name; likewise. */
typedef int spatial_which_sequence(void *context, uint32_t *of);
/* spatial_host.c: fills the host's part of sequences, and follow_ns. -1 and err on failure. */
int dcs_spatial_read_host(struct dcs_spatial *s, struct spatial_rows *out, struct dcs_rows *rows,
                          spatial_which_sequence *which, void *context);
/* spatial_contention.c: fills the resources of *s, presses, and ranges. -1 and err on failure. */
int dcs_spatial_read_contention(struct dcs_spatial *s, struct spatial_rows *out,
                                struct dcs_rows *rows, spatial_which_shape *which, void *context);
/* spatial_launches.c: fills groups, after the number of launches is known. -1 and err on failure.
 */
int dcs_spatial_read_launches(struct dcs_spatial *s, struct spatial_rows *out,
                              struct dcs_rows *rows, spatial_which_shape *which, void *context);
/* spatial_clusters.c: fills cluster_room and the clusters of shapes, after the times of kernels are
 * read. -1 and err on failure. */
int dcs_spatial_read_clusters(struct dcs_spatial *s, const struct spatial_rows *timed,
                              struct dcs_rows *rows, spatial_which_shape *which, void *context);
/* Sets the groups of all shapes that were timed, while their points are as measured. */
void dcs_spatial_set_launches(struct dcs_spatial *s, const struct spatial_rows *rows);
/* spatial_device.c: fills clock_mhz, switch_ns and noise. -1 and err on failure. */
int dcs_spatial_read_device(struct dcs_spatial *s, struct dcs_rows *rows);
/* spatial_sizes.c: for applications of several sizes, fills their tasks, the counterparts of their
 * shapes, and the points of shapes that were not measured alone, from those that were. Points are
 * not scaled to requests yet. -1 and err on failure. */
int dcs_spatial_fill_sizes(struct dcs_spatial *s, const struct spatial_rows *rows, const char *path,
                           struct dcs_err *err);
void dcs_spatial_rows_release(struct spatial_rows *rows);

/* The time alone of a shape on a number of SMs (above 0), from its points. */
double spatial_solo_at(const struct dcs_shape *shape, double sms);
/* The quantile of a sorted sample at u, 0 to 1: the k-th of its n values lies at (k + 0.5) / n. */
double spatial_quantile(const double *sorted, size_t n, double u);
/* 0 at x = high, 1 at x = low, linear in 1 / x between them. */
double spatial_towards_low(double low, double high, double x);

#endif
