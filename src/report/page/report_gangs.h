/* report_gangs.h - experiments of whole jobs: what their jobs waited, and which GPUs they held. */
#ifndef DCS_REPORT_GANGS_H
#define DCS_REPORT_GANGS_H

#include "report/page/report_data.h"
#include "report/page/report_page.h"

/* *all: whether there are whole jobs, and nothing else. -1 and err on failure. */
int report_gangs_alone(const struct report_data *d, bool *all, struct dcs_err *err);

/* A table of the experiments, and the GPUs held over time of up to CHART_SERIES of them. Nothing
 * where no experiment is of whole jobs. -1 and err on failure. */
int report_gangs_section(struct page *p, const struct report_data *d, struct dcs_err *err);

#endif
