/* report_hours.h - runs in parts of equal length (outputs.interval_s): which hour breaks the SLA.
 */
#ifndef DCS_REPORT_HOURS_H
#define DCS_REPORT_HOURS_H

#include "report/page/report_data.h"
#include "report/page/report_page.h"

/* The load over time, and below it what became of it, of up to CHART_SERIES experiments. Nothing
 * where no run kept its parts. -1 and err on failure. */
int report_hours(struct page *p, const struct report_data *d, struct dcs_err *err);

#endif
