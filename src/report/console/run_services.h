/* run_services.h - the part of the summary about open-loop services: what a request takes alone,
 * the highest rate that the service bears, its rate here, and whether it meets its SLA. Services of
 * one application have one p99 together. For run_summary.c. */
#ifndef DCS_REPORT_RUN_SERVICES_H
#define DCS_REPORT_RUN_SERVICES_H

#include "experiment/experiment.h"
#include "runs/summary.h"

#include <stdio.h>

/* What is known of the services of one application together. */
struct report_service {
    uint64_t services;
    const struct dcs_estimate *p99, *sla_met; /* NULL: there is none */
};

/* Of each application, by its index; one pass through the rows, whose estimates it points to. The
 * caller frees it. */
struct report_service *report_service_list(const struct experiment *x,
                                           const struct summary_row *rows, size_t count);

/* What summary_verdict() says of a service's requests together with those of all services of its
 * application. NULL: they have no SLA, not all the same, or there is no request. */
const char *report_service_verdict(const struct experiment *x, const struct experiment_service *s,
                                   const struct report_service *list);

/* Nothing where the workload has no services. */
void report_services(FILE *out, const struct experiment *x, const struct summary_row *rows,
                     size_t count);

#endif
