/*
 * fairness.h - how applications that share devices slow each other, and how evenly (Themis,
 * equations 1, 3 and 11, section VII-D).
 *
 * An application's slow-down is what its requests take together, from arrival to completion, over
 * what they take alone on a whole device. With one client, as in the paper, that is the time of the
 * application over its time alone. Where requests wait for each other that wait is in it.
 */
#ifndef DCS_RUNS_FAIRNESS_H
#define DCS_RUNS_FAIRNESS_H

#include "des/base.h"

/* Of one application. NaN: it is not known. */
struct fairness_app {
    bool present; /* it had requests */
    double slowdown;
    double weight; /* above 0 */
};

/* Equation 11 over the applications that are present: 0 where each is slowed by as much as its
 * weight is small, or is alone. NaN where there is none, or the slow-down of one is not known. */
double fairness_unfairness(const struct fairness_app *apps, size_t count);

/* Equation 3, the aggregated performance: the sum of the progresses, each 1 over a slow-down, of
 * those that are present. NaN as above. */
double fairness_progress(const struct fairness_app *apps, size_t count);

/* By how much the progress of an application falls short of its target, as a share of the target. A
 * request of `alone_ns` that may take `allowed_ns` has the target alone_ns / allowed_ns. So it is
 * 1 - allowed_ns / spent_ns, at least 0. NaN where nothing was spent. */
double fairness_violation(double allowed_ns, double spent_ns);

#endif
