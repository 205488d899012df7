/*
 * explain_jobs.h - dcsim explain of a run of whole jobs: those that waited longest, as the database
 * has them (table whole_job). Nothing is simulated again.
 */
#ifndef DCS_EXPLAIN_JOBS_H
#define DCS_EXPLAIN_JOBS_H

#include "results/results_db.h"

/* Whether a run has rows of whole jobs. */
int explain_jobs_has(const struct results *r, int64_t experiment, uint64_t replication, bool *has,
                     struct dcs_err *err);
/* Prints the `most` that waited longest. */
int explain_jobs_print(const struct results *r, int64_t experiment, uint64_t replication,
                       uint64_t most, struct dcs_err *err);

#endif
