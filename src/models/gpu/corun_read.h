/*
 * corun_read.h - what a profile has measured of kernels and requests that ran together. Co-runs of
 * kernels are in the tables corun and corun_side; live runs of a service beside a batch application
 * in live and live_partition, with the requests of each in live_request and live_partition_request.
 *
 * Only the rows of one half are read. A model is built on the half `dev`, and judged on the half
 * `test` once, when its form is frozen. A later form is judged on `test2`, which no choice of the
 * first form has seen, and one after that on `test3`.
 *
 * Durations are means, as in the fit of the contention model.
 */
#ifndef DCS_MODELS_CORUN_READ_H
#define DCS_MODELS_CORUN_READ_H

#include "models/profile/profile.h"

#define DCS_CORUN_SIDES_MAX 8

enum dcs_half { DCS_HALF_DEV, DCS_HALF_TEST, DCS_HALF_TEST2, DCS_HALF_TEST3 };

/* The kinds of co-runs that a model is judged by; kinds that it is fitted to are passed over. A
 * sized pair has a kernel of another size than the default. Programs are whole requests of each. */
enum dcs_corun_kind {
    DCS_CORUN_PAIR,
    DCS_CORUN_TRIPLE,
    DCS_CORUN_QUADRUPLE,
    DCS_CORUN_OVERSUBSCRIPTION,
    DCS_CORUN_SIZED_PAIR,
    DCS_CORUN_PROGRAMS,
    DCS_CORUN_KINDS
};
enum dcs_corun_mechanism { DCS_CORUN_WHOLE, DCS_CORUN_GREEN, DCS_CORUN_MPS };

struct dcs_corun_side {
    char *app, *kernel;
    int64_t size;
    uint32_t sms;
    int64_t percent; /* of MPS; 0: none */
    double solo_ns;  /* alone, on the same SMs */
    double ns;       /* beside the others */
    /* The 95th percentiles of both, of programs; 0: not measured. */
    double solo_p95_ns, p95_ns;
};

struct dcs_corun {
    int64_t id;
    enum dcs_corun_kind kind;
    enum dcs_corun_mechanism mechanism;
    struct dcs_corun_side *sides; /* in their order */
    size_t sides_count;           /* 2 to DCS_CORUN_SIDES_MAX */
};

struct dcs_live_request {
    int64_t arrival_ns, begin_ns, end_ns;
};

enum dcs_live_role { DCS_LIVE_SERVICE, DCS_LIVE_BATCH, DCS_LIVE_ROLES };

struct dcs_live_part {
    char *app;
    int64_t size;
    int64_t percent;                   /* of MPS; 0: none */
    uint32_t sms;                      /* of its partition; 0: none */
    int64_t solo_ns;                   /* a request alone, median */
    struct dcs_live_request *requests; /* in the order of their arrivals, at least one */
    size_t count;
};

/* How service and batch shared the device: by percentages of MPS, or by partitions that have
 * no more SMs together than the device. */
enum dcs_live_kind { DCS_LIVE_MPS, DCS_LIVE_PARTITIONS, DCS_LIVE_KINDS };

struct dcs_live {
    int64_t id; /* of its kind */
    double load;
    struct dcs_live_part parts[DCS_LIVE_ROLES];
};

struct dcs_lives {
    struct dcs_live *list;
    size_t count;
};

/* All of one half, ascending by id. */
struct dcs_coruns {
    struct dcs_corun *coruns;
    size_t coruns_count;
    struct dcs_lives lives[DCS_LIVE_KINDS];
    int64_t *default_size; /* by application of the profile; -1: not known */
};

/* p: the profile that was loaded from the same file. NULL and err on failure; missing tables are no
 * failure. */
struct dcs_coruns *dcs_coruns_load(const char *path, const struct dcs_profile *p,
                                   enum dcs_half half, struct dcs_err *err);
void dcs_coruns_free(struct dcs_coruns *c); /* NULL is allowed */

#endif
