/* report_search.h - what dcsim capacity asked and saw: its answer, and a curve for each bound. */
#ifndef DCS_REPORT_SEARCH_H
#define DCS_REPORT_SEARCH_H

#include "report/page/report_data.h"
#include "report/page/report_page.h"

/* Nothing where no search is kept. -1 and err on failure. */
int report_search(struct page *p, const struct report_data *d, struct dcs_err *err);

#endif
