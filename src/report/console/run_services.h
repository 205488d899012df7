/* run_services.h - the part of the summary about open-loop services: at which rate they were
 * offered, alone and here, and whether their p99 meets the SLA: of an application with several
 * services, of all of them together. For run_summary.c. */
#ifndef DCS_REPORT_SERVICES_H
#define DCS_REPORT_SERVICES_H

#include "experiment/experiment.h"
#include "runs/summary.h"

#include <stdio.h>

/* Nothing where the workload has no services. */
void report_services(FILE *out, const struct experiment *x, const struct summary_row *rows,
                     size_t count);

#endif
