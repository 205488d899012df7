/*
 * driven_side.h - what a comparison of runs on a real GPU with simulations of the same needs of
 * either: the latency requests that arrived inside the window and ended, batch work by tenths of
 * the window, and some metrics, of all replications together.
 */
#ifndef DCS_DRIVEN_SIDE_H
#define DCS_DRIVEN_SIDE_H

#include "results/results_db.h"
#include "runs/replication.h"

enum driven_measure {
    DRIVEN_SLA, /* share of latency requests; this, batch and SMs are means of replications */
    DRIVEN_P50, /* response times, ns: the smallest that so many do not exceed */
    DRIVEN_P95,
    DRIVEN_P99,
    DRIVEN_MEAN,
    DRIVEN_BATCH,  /* requests per second */
    DRIVEN_SMS,    /* share of the device */
    DRIVEN_UNFAIR, /* this and the next are there where fairness.metrics is set (runs/fairness.h) */
    DRIVEN_PROGRESS,
    DRIVEN_MEASURES
};

#define DRIVEN_GROUPS 10 /* of requests in the order of time, and of the window */

struct driven_request {
    uint32_t replication, job;
    uint64_t index; /* within its job */
    int64_t arrival_ns, response_ns;
    bool met; /* it has no deadline, or met it */
};

struct driven_side {
    struct driven_request *requests;
    size_t count, capacity;
    double batch_ends[DRIVEN_GROUPS]; /* completions by part of the window */
    double sums[DRIVEN_MEASURES];     /* over replications */
    uint32_t values[DRIVEN_MEASURES]; /* that were summed */
    uint32_t replications;
};

void driven_side_release(struct driven_side *s);
/* Adds a measured run. -1 and err: it cannot be read, or has no rows of requests. */
int driven_side_read(struct driven_side *s, const struct results *r, int64_t experiment,
                     uint32_t replication, struct dcs_err *err);
/* Adds a simulated run with its rows of requests. */
int driven_side_take(struct driven_side *s, const struct experiment *x, const struct run *run,
                     struct dcs_err *err);
/* When all runs are there: puts the requests into the order of time. */
void driven_side_sort(struct driven_side *s);

/* NaN: there is none. */
double driven_side_value(const struct driven_side *s, enum driven_measure m);
/* a less b, of DRIVEN_MEAN, DRIVEN_SLA or DRIVEN_BATCH: the mean of ten groups, with its interval.
 * Requests are paired; those that one side lacks are left out. NaN: fewer than ten pairs. */
struct dcs_estimate driven_difference(const struct driven_side *a, const struct driven_side *b,
                                      enum driven_measure m);

/* Adds how many kernels of compute were launched both in a measured run and in the simulation of it
 * (with outputs.launches), and how many of them with another number of SMs. */
int driven_count_quotas(const struct results *r, int64_t experiment, const struct experiment *x,
                        const struct run *run, uint64_t *launches, uint64_t *others,
                        struct dcs_err *err);

#endif
