/*
 * replication.h - one replication of an experiment: its workload is drawn, simulated, and reduced
 * to metrics. runner.h runs many on threads.
 */
#ifndef DCS_RUNS_REPLICATION_H
#define DCS_RUNS_REPLICATION_H

#include "experiment/experiment.h"
#include "des/spill.h"
#include "runs/drive.h"
#include "runs/gang_rows.h"
#include "runs/time_bins.h"

/* One number about a run. value is NaN where it does not exist (no completions, say). */
struct metric {
    const char *name; /* static text, e.g. "utilisation"; docs/results.md explains each */
    const char *unit; /* static: "1", "ns", "requests" ... */
    uint32_t app;     /* index, or METRIC_ALL, or METRIC_CLASS + enum dcs_class */
    double value;
    uint64_t n; /* what it was computed from: requests, or 1 */
};
#define METRIC_ALL   UINT32_MAX
#define METRIC_CLASS (UINT32_MAX - 8)

/* A finished run. */
struct run {
    uint32_t replication;
    struct metric *metrics; /* the same names in the same order for every run of an experiment */
    size_t metrics_count;
    struct cluster_result result;
    struct dcs_replay_counts *replay; /* experiment_replays() */
    struct spill requests, decisions; /* rows: struct cluster_request_row, ..._decision_row; the
                                         result has none */
    struct drive_rows driven;         /* of a run on a GPU that really runs; else empty */
    struct time_bins bins;            /* with outputs.interval_s; else empty */
    struct gang_rows gangs;           /* whole jobs, with outputs.jobs; else empty */
    double seconds;                   /* wall clock; the one thing that is not deterministic */
};
void run_release(struct run *r);

/* How runs are watched and broken off. */
struct run_watch {
    atomic_bool stop;       /* set from outside, e.g. by a signal handler */
    atomic_ullong requests; /* issued so far by all runs */
    struct drive *drive;    /* NULL: runs are simulated */
};

/* Runs one replication, on up to so many threads; its results do not depend on them. */
int replication_run(const struct experiment *x, uint32_t replication, uint32_t threads,
                    struct run_watch *watch, struct run *out, struct dcs_err *err);

/* Runs the same, told to a recorder (NULL: none), with its warm-up as given. A run that has a
 * horizon ends at until_ns if that is earlier. watch->stop may have broken it off. out: what came
 * of it, without metrics and with a row for each request; the caller's to release. NULL: not
 * wanted. */
int replication_record(const struct experiment *x, uint32_t replication,
                       const struct recorder *recorder, int64_t until_ns, struct run_watch *watch,
                       struct run *out, struct dcs_err *err);

#endif
