/* run_gangs.h - the summary of an experiment of whole jobs. */
#ifndef DCS_REPORT_RUN_GANGS_H
#define DCS_REPORT_RUN_GANGS_H

#include "experiment/experiment.h"
#include "runs/summary.h"

#include <stdio.h>

void report_gangs(FILE *out, const struct experiment *x, const struct summary *summary,
                  const struct summary_row *rows);

#endif
