/* report_fairness.h - the section of the page on how applications slow each other, of experiments
 * that kept it (fairness.metrics). */
#ifndef DCS_REPORT_FAIRNESS_H
#define DCS_REPORT_FAIRNESS_H

#include "report/page/report_data.h"
#include "report/page/report_page.h"

/* Nothing where no experiment kept it. -1 and err on failure. */
int report_fairness(struct page *p, const struct report_data *d, struct dcs_err *err);

#endif
