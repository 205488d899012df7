/*
 * uncertainty.h - how much of a result hangs on the one profile that was measured
 * (sharing.profile_uncertainty).
 *
 * Each replication is simulated as the profile says, and once more in the same world with durations
 * that a second profile could have measured (models/gpu/spatial.h); a policy still predicts by the
 * first. The second run's values of some metrics stand behind the first's as NAME_resampled. The
 * differences between both are what another profile would change. Their range is Student's t times
 * their deviation, not divided by the root of their number: unlike the interval over replications
 * it does not shrink with more of these. The differences also hold a little of the chance of a
 * replication, since other durations order some events otherwise.
 */
#ifndef DCS_UNCERTAINTY_H
#define DCS_UNCERTAINTY_H

#include "runs/summary.h"

/* Appends the metrics of `again` that have a NAME_resampled to those of run. */
void uncertainty_add(struct run *run, const struct run *again);

/* Rows NAME_profile for the summary: the value of NAME, in the range in which it lies with 95 % of
 * the profiles. rows: the rows of the metrics. Returns how many were written to `out`, at most
 * s->metrics_count; 0 without profile_uncertainty. */
size_t uncertainty_rows(const struct summary *s, const struct summary_row *rows,
                        struct summary_row *out);

/* The row that a row NAME_profile is about; NULL: it is none of these. */
const struct summary_row *uncertainty_of(const struct summary_row *row,
                                         const struct summary_row *rows, size_t count);

#endif
