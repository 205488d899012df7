/*
 * metric_name.h - a metric as a person names it: "sla_met", "latency.sla_met", "batch.throughput",
 * "resnet50.response_p99". Without a class or an application: of the whole run where it has such a
 * number, else of the latency requests if there are any, else of the batch requests.
 * "sla_violation" is 1 - sla_met.
 */
#ifndef DCS_METRIC_NAME_H
#define DCS_METRIC_NAME_H

#include "runs/summary.h"

/* Ends the error about a name that is like no metric's. */
#define METRIC_NAME_SOME                                                                           \
    "; some are sla_met, response_p99, throughput and utilisation (docs/results.md explains all)"

struct metric_name {
    const char *name, *unit; /* static: as in struct metric */
    uint32_t app;            /* likewise */
    bool complement;         /* 1 - value is meant */
};

/* Finds the metric that a text names; every run of x will have it. -1 and err, with the nearest
 * name: there is no such metric. */
int metric_name_find(const struct experiment *x, const char *text, struct metric_name *out,
                     struct dcs_err *err);

/* What the runs so far say of it, at a confidence: the value as in the summary, pooled for the
 * quantiles of response times. */
struct dcs_estimate metric_name_estimate(const struct metric_name *m, const struct summary *s,
                                         double confidence);

/* How much of what arrived a metric counts, all runs together: of a response time the requests that
 * were answered, of a job's time the jobs that ended (of those that have an end), of the share in
 * time the requests of which it is known. `of` is 0 for a metric that counts no such thing, `word`
 * NULL. */
struct metric_counted {
    double counted, of;
    const char *word; /* "ended", "decided" */
};
struct metric_counted metric_name_counted(const struct metric_name *m, const struct summary *s);
/* A mean or a share that counts less than this says nothing of a bound: what did not end is
 * missing, and that is what took longest. Quantiles count it (des/survival.h). */
#define METRIC_COUNTED_LEAST 0.9
bool metric_counts_enough(const struct metric_counted *c);

/* Whether it is "response_p99", "job_time_p50" or the like. */
bool metric_name_is_quantile(const char *name);
/* Whether it is a mean of times of requests or whole jobs, or of slowdowns: of what ended alone. */
bool metric_name_is_mean_time(const char *name);
/* Whether runs have it only where the config asks (fairness.metrics). */
bool metric_name_is_fairness(const char *name);
/* Whether a metric of that name is a share, which people read in per cent. */
bool metric_name_is_share(const char *name);

/* A value as a person writes it: "0.99", "200ms" (ns, us, ms, s: in ns). */
struct metric_value {
    const char *option, *text; /* where it stands, and how */
    double value;
    bool time;  /* it has a unit */
    bool share; /* it is in per cent */
};
bool metric_value_read(const char *option, const char *text, struct metric_value *out);
/* Whether a metric can have this value: -1 and err for a time without a unit, and for a number with
 * one where the metric is no time, or per cent where it is a number of things. */
int metric_value_check(const struct metric_value *v, const char *name, const char *unit,
                       struct dcs_err *err);
/* Whether it can be a bound on a metric: -1 and err if the metric is a share of a whole, and the
 * value is none. */
int metric_share_check(const struct metric_value *v, const struct metric_name *m,
                       struct dcs_err *err);
/* Whether every run keeps it: a share of a whole is at least 0 and at most 1. */
bool metric_bounds_nothing(const struct metric_value *v, const struct metric_name *m,
                           bool at_least);

#endif
