/*
 * run_uncertainty.h - the table of how much of the results hangs on the profile; see
 * uncertainty.h.
 */
#ifndef DCS_REPORT_RUN_UNCERTAINTY_H
#define DCS_REPORT_RUN_UNCERTAINTY_H

#include "experiment/experiment.h"
#include "runs/summary.h"

#include <stdio.h>

/* Nothing without sharing.profile_uncertainty. */
void report_uncertainty(FILE *out, const struct experiment *x, const struct summary_row *rows,
                        size_t count);

#endif
