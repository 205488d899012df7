/*
 * compare_verdict.h - two experiments of a group (compare_groups.h) compared in a metric: the runs
 * of the same replication are paired (des/compare.h), and the verdict in words. For dcsim compare
 * and dcsim report.
 */
#ifndef DCS_COMPARE_VERDICT_H
#define DCS_COMPARE_VERDICT_H

#include "results/compare_groups.h"
#include "des/compare.h"
#include "text/table.h"

enum compare_direction { COMPARE_NEITHER, COMPARE_HIGHER, COMPARE_LOWER };

/* As the user calls it: sla_violation, where sla_met is what table metric has. */
const char *compare_shown_name(const struct compare_metric *m);
/* Which direction is better. */
enum compare_direction compare_better(const struct compare_metric *m);
enum text_unit compare_unit(const struct compare_metric *m);

/* Mean or median. */
double compare_centre(const double *values, size_t n, bool median);

/* s against base, over the replications that both have. *value: the centre of s over these. The
 * bootstrap draws from a stream of its own for each pair of experiments. Where one of them did not
 * reach the quantile that is compared, its other runs would not stand for it, nor would a mean of
 * those that started: all is NaN, and undecided. */
bool compare_can(const struct compare_system *base, const struct compare_system *s);
void compare_systems(const struct compare_system *base, const struct compare_system *s,
                     const struct dcs_compare_rule *rule, struct dcs_difference *out,
                     double *value);

/* "better", "worse", "higher", "lower", "same", "same within delta", "undecided"; and "equal within
 * 0.45 pp" instead of "undecided" where no feasible number of replications would decide
 * (dcs_equal_within), as a time in the unit that suits `like`. */
struct text compare_verdict_text(const struct dcs_difference *difference, enum compare_direction d,
                                 double delta, enum text_unit unit, double like);

/* A difference of shares: percentage points, "1.2 ± 0.3 pp", since in % it would read as a relative
 * one. */
struct text compare_points(struct text t, enum text_unit unit);

/* "+1.2 ± 0.3 ms", "+1.2 ± 0.3 pp"; a time in the unit that suits `like`. */
struct text compare_signed(const struct dcs_estimate *e, enum text_unit unit, double like);

#endif
