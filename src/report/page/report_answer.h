/*
 * report_answer.h - the section of a report that answers: one sentence and the table of policies.
 */
#ifndef DCS_REPORT_ANSWER_H
#define DCS_REPORT_ANSWER_H

#include "report/page/report_figures.h"
#include "report/page/report_late.h"

int report_answer(struct page *p, const struct report_data *d, const struct report_contest *c,
                  const struct report_late *l, struct dcs_err *err);

#endif
