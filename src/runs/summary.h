/* summary.h - from the runs of an experiment to estimates over its replications. */
#ifndef DCS_RUNS_SUMMARY_H
#define DCS_RUNS_SUMMARY_H

#include "runs/replication.h"

/*
 * Collects runs. Means of runs get a t interval over the runs (or medians with bootstrap, see
 * experiment.heavy_tails). Latency quantiles ("response_p50" ... of an application or class) pool
 * the requests of all runs; the interval comes from the spread of the runs' own quantiles'
 * logarithms.
 *
 * A quantile that was not reached, since the end of the run cut too much off (des/survival.h), has
 * no value, and `low` is what it exceeds: x of "> x". Of job_time_..., which are means of runs,
 * that is the mean with the longest time seen in place of what was not reached. Longest times
 * (..._max) are not known, likewise, where anything was cut off.
 */
struct summary_row {
    const char *name, *unit;
    uint32_t app; /* as in struct metric */
    struct dcs_estimate estimate;
    uint64_t requests; /* pooled n of the runs */
};

struct summary {
    const struct experiment *experiment;
    size_t metrics_count;
    struct metric *first; /* of the first run: names and units */
    double *values;       /* [run * metrics_count + metric] */
    uint64_t *counts;
    size_t runs, runs_capacity;
    size_t *by_name;           /* the metrics, sorted by application and name */
    struct dcs_hist **hists;   /* pooled: apps_count + 2 classes */
    struct dcs_hist **cuts;    /* likewise: of those that the end of the run cut off */
    bool *served;              /* by application: it has a service (experiment.h) */
    double offered_load;       /* offered_load() */
    struct experiment_gpu gpu; /* that the runs were measured on, if they were */
    uint64_t interrupted;
};
void summary_init(struct summary *s, const struct experiment *x);
/* Adds what was measured; run stays the caller's. */
void summary_add(struct summary *s, const struct run *run);
/* The position of a metric in s->first, which is that of its row in summary_rows(); SIZE_MAX: there
 * is no such metric. */
size_t summary_find(const struct summary *s, uint32_t app, const char *name);
/* The sum of a metric, or of its n, over the runs; 0: there is no such metric. */
double summary_sum(const struct summary *s, uint32_t app, const char *name);
double summary_sum_counts(const struct summary *s, uint32_t app, const char *name);
/* Whether a trace is replayed and all of two runs or more have the same numbers: nothing in it is
 * drawn, another replication says nothing new, and there are no intervals. */
bool summary_is_even(const struct summary *s);
/* Rows in the order of the metrics (intervals of shares cut off at 0 and 1), then what is said of
 * all runs alone (overload.h): "offered_load", "backlog_growth", "overloaded". *count of them;
 * freed with free(). */
struct summary_row *summary_rows(const struct summary *s, size_t *count);
/* What the row of a metric would say at another confidence, 0.5 to 0.999; NaN: there is none. */
struct dcs_estimate summary_estimate(const struct summary *s, uint32_t app, const char *name,
                                     double confidence);
/* Whether an application meets its SLA with 99 % of its requests: by the share sla_met alone, which
 * is counted, while a p99 comes from a histogram and may be 1/256 too high. "meets", "violates", or
 * "undecided" where the interval leaves it open. Without an interval (one replication): "violates"
 * where 0.6 or less are in time, else "undecided". "infeasible": the SLA is not met, and is below
 * what a request takes alone (alone_ns, in the mean). The view sla_verdict of the results says the
 * same. */
const char *summary_verdict(const struct dcs_estimate *sla_met, int64_t sla_ns, int64_t alone_ns);
void summary_release(struct summary *s);

#endif
