/*
 * report_origin.h - the end of a report: reasons to doubt the numbers, and where they come from.
 */
#ifndef DCS_REPORT_ORIGIN_H
#define DCS_REPORT_ORIGIN_H

#include "report/page/report_data.h"
#include "report/page/report_page.h"

/* What of a large database stands on the page; the rest is what dcsim export is for. */
#define REPORT_ROWS_MAX   200
#define REPORT_LISTED_MAX 12

/* Of rows of table experiment as e: those that have a run. */
#define REPORT_SOME_RUN "EXISTS (SELECT 1 FROM run WHERE run.experiment = e.id)"

/* An item "what: a, b, c and more" of the first column of a statement; nothing without rows. */
int report_listed(struct page *p, const struct report_data *d, const char *what, const char *sql,
                  struct dcs_err *err);

int report_origin(struct page *p, const struct report_data *d, struct dcs_err *err);

#endif
