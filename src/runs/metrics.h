/*
 * metrics.h - from a cluster's result to named numbers.
 */
#ifndef DCS_METRICS_H
#define DCS_METRICS_H

#include "runs/replication.h"

/* Fills run->metrics from run->result. */
void metrics_compute(const struct experiment *x, struct run *run);

/* A run in which nothing happened: its metrics are those that every run of x has. The caller
 * releases it. */
struct run metrics_of_nothing(const struct experiment *x);

/* The quantiles of response times that are metrics, by name. */
#define METRICS_QUANTILES 3
extern const struct metrics_quantile {
    const char *name;
    double q;
} metrics_quantiles[METRICS_QUANTILES];

#endif
