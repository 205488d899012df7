/*
 * report_responses.h - the figure of a report with the distribution of response times, in the world
 * that most experiments met.
 */
#ifndef DCS_REPORT_RESPONSES_H
#define DCS_REPORT_RESPONSES_H

#include "report/page/report_data.h"
#include "report/page/report_page.h"

/* class: "latency", "batch". -1 and err on failure. */
int report_responses(struct page *p, const struct report_data *d, const char *class,
                     struct dcs_err *err);

#endif
