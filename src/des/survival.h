/*
 * survival.h - quantiles of times of which some were cut off before their end, by the estimator of
 * Kaplan and Meier ("Nonparametric Estimation from Incomplete Observations", JASA 53, 1958).
 *
 * The share S(t) that takes longer than t falls at each time at which something ended, by the share
 * of what was still under way then: S is the product of 1 - ended / under way. What was cut off
 * counts as under way until then, and says nothing of later. That holds if what cuts does not look
 * at how long a thing takes, as the end of a run does. Where nothing was cut off, the quantile is
 * the value at rank ceil(q n). Of ends and cuts at one time, ends come first.
 */
#ifndef DCS_DES_SURVIVAL_H
#define DCS_DES_SURVIVAL_H

#include "des/stats.h"

struct dcs_lifetime {
    double time;
    bool cut;
};

/* The least time with S <= 1 - q. NaN: S stays above, or there is no value; *beyond is then the
 * longest time, which the quantile exceeds. `all` comes out sorted. 0 < q <= 1. */
double dcs_survival_quantile(struct dcs_lifetime *all, size_t n, double q, double *beyond);

/* The same of two histograms, either of which may be NULL: as dcs_hist_quantile() where `cut` has
 * no value. Times of `cut` count as the low ends of their buckets. */
double dcs_survival_hist_quantile(const struct dcs_hist *ended, const struct dcs_hist *cut,
                                  double q, double *beyond);

#endif
