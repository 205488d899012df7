/*
 * gang_rows.h - what a run of whole jobs leaves beside its metrics: a row for each job
 * (outputs.jobs) with its revocations, and parts of equal length (outputs.interval_s).
 */
#ifndef DCS_RUNS_GANG_ROWS_H
#define DCS_RUNS_GANG_ROWS_H

#include "experiment/experiment_gangs.h"
#include "runs/time_bins.h"

/* A job that arrived before the horizon. DCS_NEVER: not by the end of the run. */
struct gang_row {
    int64_t id;       /* in the trace */
    const char *name; /* that the log gives it; "": none. The trace's */
    int64_t submitted_ns, started_ns, ended_ns;
    int64_t duration_ns; /* that it runs for */
    double gpus;         /* a share of one: below 1 */
    uint32_t revocations;
    uint32_t node, nodes; /* of its latest start: the first of them, and how many */
    const char *model;    /* of that node; "": it has no name. The config's */
};

/* A stretch of a job that a revocation ended. */
struct gang_revoked_row {
    int64_t id, from_ns, to_ns;
};

struct gang_rows {
    struct gang_row *jobs; /* by arrival */
    struct gang_revoked_row *revoked;
    size_t jobs_count, revoked_count;
};

/* Fills *out, which is to be released; nothing if the experiment wants no rows of jobs. */
void gang_rows_make(const struct experiment *x, const struct experiment_drawn *drawn,
                    const struct gang_result *r, struct gang_rows *out);
void gang_rows_release(struct gang_rows *rows);

/* Fills bins: jobs that arrive, start (first) and end, jobs that wait, GPUs that are held. -1 and
 * err: more than TIME_BINS_MAX. Nothing if the experiment wants none. */
int gang_bins_make(const struct experiment *x, const struct gang_spec *spec,
                   const struct gang_result *r, struct time_bins *bins, struct dcs_err *err);

#endif
