/*
 * report_html.h - the page of dcsim report: what was asked, the answer, figures, doubts, and where
 * the numbers come from. The same results give the same text.
 */
#ifndef DCS_REPORT_HTML_H
#define DCS_REPORT_HTML_H

#include "results/results_db.h"

/* title NULL: the experiments' names. baseline as in report_baseline_choose(). The text, freed by
 * the caller; NULL and err on failure. */
char *report_html(const struct results *r, const char *title, const char *baseline,
                  struct dcs_err *err);

#endif
