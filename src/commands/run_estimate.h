/*
 * run_estimate.h - how long a sweep will take, from one run each of its first, middle and last
 * point. Wall-clock time: for a person to read, on standard error.
 */
#ifndef DCS_RUN_ESTIMATE_H
#define DCS_RUN_ESTIMATE_H

#include "runs/runner.h"

/* The runs are broken off after so long. */
#define ESTIMATE_SECONDS 10
#define ESTIMATE_SAMPLES 3

struct estimate_failure {
    uint64_t point;
    struct dcs_err err;
};

struct estimate {
    double run_s;                                       /* of one run, in the mean */
    uint64_t tried;                                     /* runs that were made to the end */
    bool longer;                                        /* some were broken off: it is longer */
    struct estimate_failure failures[ESTIMATE_SAMPLES]; /* points that could not be opened or run */
    size_t failures_count;
};

/* open: as in struct runner_calls, for points 0 to points - 1. watch.stop ends it early. */
struct estimate run_estimate(uint64_t points, struct run_watch *watch,
                             int (*open)(void *context, struct runner_point *p,
                                         struct dcs_err *err),
                             void *context);

#endif
