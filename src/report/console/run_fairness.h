/* run_fairness.h - the part of the summary about how applications slow each other, where the config
 * asks for it (fairness.metrics). For run_summary.c. */
#ifndef DCS_REPORT_RUN_FAIRNESS_H
#define DCS_REPORT_RUN_FAIRNESS_H

#include "experiment/experiment.h"
#include "runs/summary.h"

#include <stdio.h>

/* Nothing where the config does not ask. */
void report_fairness_of_run(FILE *out, const struct experiment *x, const struct summary_row *rows,
                            size_t count);

#endif
