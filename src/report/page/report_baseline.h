/*
 * report_baseline.h - which label the others of a report are compared with, and over which worlds
 * the means of its tables are.
 */
#ifndef DCS_REPORT_BASELINE_H
#define DCS_REPORT_BASELINE_H

#include "report/page/report_data.h"

/* Sets d->baseline, d->ranked and d->ranked_count. name: a label, or a policy, then its label that
 * met most worlds. NULL: the label that met most worlds; of several one whose policy has its
 * default options; of several the one that a sweep names first, or else the first by name. The
 * ranked worlds are those that the baseline and another label met, or, where no two labels met the
 * same world, those of the baseline. -1 and err if there is no such label. */
int report_baseline_choose(struct report_data *d, const char *name, struct dcs_err *err);

#endif
