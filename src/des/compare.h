/*
 * compare.h - two systems that met the same worlds: the difference of their values, run by run, and
 * how wide its interval would be if the runs were not paired.
 *
 * Paired: the mean of the n differences b - a with Student's t, n - 1 degrees of freedom; or their
 * median with a bootstrap interval, for heavy tails. Unpaired: the same two samples as if they were
 * independent: Welch's interval; or the difference of the medians, each resampled on its own.
 *
 * Verdict, from the paired interval: DCS_SAME if it lies inside [-delta, delta]; else DCS_ABOVE or
 * DCS_BELOW if it leaves 0 out; else DCS_UNDECIDED. With a delta of 0 the verdict is
 * DCS_SAME only where all differences are 0.
 *
 * Source: A. Law, "Simulation Modeling and Analysis", chapters 9.4 (replications for a wanted half
 * width) and 10.2 (paired t and Welch).
 */
#ifndef DCS_DES_COMPARE_H
#define DCS_DES_COMPARE_H

#include "des/stats.h"

enum dcs_verdict { DCS_UNDECIDED, DCS_SAME, DCS_BELOW, DCS_ABOVE };

struct dcs_compare_rule {
    double confidence; /* 0.5 to 0.999 */
    double delta;      /* differences up to this do not matter; >= 0 */
    bool median;
};

struct dcs_difference {
    struct dcs_estimate paired, unpaired; /* of b - a; n: pairs */
    enum dcs_verdict verdict;
    /* With how many replications, in all, the interval would decide if mean and spread stayed as
     * they are: its half width is then below |mean|, or below delta - |mean| where that is larger.
     * 0: there is no such number (fewer than two pairs, or a mean and a delta of 0). */
    uint64_t paired_needs, unpaired_needs;
};

/* Of n runs each, a[i] and b[i] of the same world. Pairs with a NaN are left out. */
void dcs_compare(const double *a, const double *b, size_t n, const struct dcs_compare_rule *rule,
                 struct dcs_rng *rng, struct dcs_difference *out);

/* More replications than this many times the pairs that there are decide nothing in practice. As
 * the half width falls with the square root of n, the difference is then less than a tenth of it.
 */
#define DCS_NEEDS_TIMES 100
/* Whether `needs`, of a difference, is within that bound; 0 is not. */
bool dcs_needs_feasible(const struct dcs_difference *d, uint64_t needs);

/* Two that cannot be told apart: undecided, and no feasible number of replications would decide.
 * Returns the least delta with which the same runs are DCS_SAME; NaN for all others, and where
 * there is no interval. */
double dcs_equal_within(const struct dcs_difference *d);

/* The least n >= 2 for which Student's t gives a mean of values with this standard deviation a half
 * width of at most `half`. 0: more than DCS_REPLICATIONS_MAX. */
uint64_t dcs_replications(double deviation, double half, double confidence);
#define DCS_REPLICATIONS_MAX 1000000000

#endif
