/*
 * compare_baseline.h - which systems of compare_groups.h somebody means with --baseline: the label,
 * a policy, an experiment's name or its hash (4 digits or more), a label as a table shows it (cut
 * with "…"), or a part of one label.
 */
#ifndef DCS_COMPARE_BASELINE_H
#define DCS_COMPARE_BASELINE_H

#include "results/compare_groups.h"

/* What compare_baseline_of() takes: `given`, or the one label that it is a part of. Freed by the
 * caller. NULL and err, with what there is, if it is nothing here or a part of several labels. */
char *compare_baseline_name(const struct compare_groups *g, const char *database, const char *given,
                            struct dcs_err *err);

/* The baseline of a group, NULL: it has none. A label that is exactly so comes before a policy or a
 * name that several have. -1 and err if several are meant. */
int compare_baseline_of(const struct compare_group *group, const char *name,
                        const struct compare_system **out, struct dcs_err *err);

#endif
