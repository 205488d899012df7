/*
 * report_sentence.h - the answer of a report in at most REPORT_WORDS words, by report_rank.h.
 *
 * Beside each policy that is named stands in how many worlds it is infeasible or overloaded, or,
 * where it is neither, misses its SLA, and where its devices are hypothetical. What does not fit is
 * left out in this order: by how much the first leads, whether that is shown, the ends of long
 * names.
 */
#ifndef DCS_REPORT_SENTENCE_H
#define DCS_REPORT_SENTENCE_H

#include "report/page/report_figures.h"
#include "report/page/report_late.h"

#define REPORT_WORDS 40

/* "30.0 ms", "20.0 ms to 60.0 ms" of experiments with several. */
struct text report_sla_text(double low_ns, double high_ns);

/* Its paragraph, and what to fix first in one of its own. */
void report_sentence(struct page *p, const struct report_data *d, const struct report_contest *c,
                     const struct report_late *l);

#endif
