/*
 * gang_metrics.h - a replication of whole jobs, and its numbers.
 *
 * queue_wait_*: from arrival to the (first) start. slowdown_*: (wait + duration) / duration.
 * bounded_slowdown_*: max(1, (wait + duration) / max(duration, 10 s)) (Feitelson and Rudolph,
 * "Metrics and Benchmarking for Parallel Job Scheduling", JSSPP 1998). Where jobs may be revoked,
 * "wait + duration" is from arrival to end, and known when the job has ended. Quantiles take jobs
 * that had not started at the horizon as cut off there (des/survival.h); means are over those that
 * had started. In a run that is overloaded (overload.h) a quantile is NaN unless it is known
 * whatever those wait that were cut off. ..._least is what a quantile is at least: all of these
 * might have started at the end. Where the trace has jobs of both classes, jobs, jobs_started,
 * jobs_ended and queue_wait_* are of each class, too.
 */
#ifndef DCS_RUNS_GANG_METRICS_H
#define DCS_RUNS_GANG_METRICS_H

#include "experiment/experiment_gangs.h"
#include "runs/replication.h"

/* The window in so many equal parts: the share of the GPUs that is held in each. */
#define GANG_PARTS 12
extern const char *const gang_parts[GANG_PARTS];

/* Fills run->metrics. r: NULL, nothing happened. */
void gang_metrics(const struct experiment *x, const struct gang_spec *spec,
                  const struct gang_result *r, struct run *run);

/* Runs x->gangs; *out is there, and has its number. */
int gang_replication(const struct experiment *x, struct run_watch *watch, struct run *out,
                     struct dcs_err *err);

#endif
