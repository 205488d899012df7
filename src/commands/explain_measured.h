/*
 * explain_measured.h - what a results database has of a run that was measured on a real GPU, told
 * to a recorder as a simulation tells of itself (engine/recorder.h).
 */
#ifndef DCS_EXPLAIN_MEASURED_H
#define DCS_EXPLAIN_MEASURED_H

#include "engine/recorder.h"
#include "experiment/experiment.h"
#include "results/results_db.h"

struct measured_launch;

struct measured_run {
    struct cluster_request_row *requests; /* ascending by job and number */
    size_t requests_count;
    struct measured_launch *launches; /* ascending by request, then in the order of the run */
    size_t launches_count;
    struct measured_callback *callbacks;
    size_t callbacks_count;
    int64_t to_ns; /* when the run ended */
};

/* Reads a run. -1 and err: it has no rows of requests, or rows that no run leaves. *m is then
 * empty.
 */
int measured_run_read(struct measured_run *m, const struct results *r, const struct experiment *x,
                      int64_t experiment, uint64_t replication, struct dcs_err *err);
void measured_run_release(struct measured_run *m);
/* Tells all of it, in the order of time. */
int measured_run_tell(const struct measured_run *m, const struct experiment *x,
                      const struct recorder *recorder, struct dcs_err *err);

#endif
