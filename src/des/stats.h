/*
 * stats.h - what is measured: exact time integrals, streaming moments, a latency histogram of fixed
 * memory, intervals over replications.
 */
#ifndef DCS_DES_STATS_H
#define DCS_DES_STATS_H

#include "des/base.h"
#include "des/rng.h"

/* The integral of an integer level over a window [from, to), exact: 128-bit level * ns. */
struct dcs_integral {
    __int128 area;
    int64_t level;
    int64_t since_ns; /* level holds from here; >= from_ns */
    int64_t from_ns;  /* start of the window */
};
void dcs_integral_init(struct dcs_integral *s, int64_t from_ns);
static inline __int128 dcs_integral_upto(const struct dcs_integral *s, int64_t now_ns)
{
    if (now_ns <= s->from_ns)
        return 0;
    DCS_ASSERT(now_ns >= s->since_ns);
    return s->area + (__int128)s->level * (now_ns - s->since_ns);
}
/* The level becomes `level` at now_ns; time must not go back. Before from_ns only the level counts.
 */
static inline void dcs_integral_set(struct dcs_integral *s, int64_t now_ns, int64_t level)
{
    if (now_ns > s->from_ns) {
        s->area = dcs_integral_upto(s, now_ns);
        s->since_ns = now_ns;
    } else {
        DCS_ASSERT(s->since_ns == s->from_ns);
    }
    s->level = level;
}

/* Count, mean, variance (Welford), minimum, maximum; all 0 while empty. */
struct dcs_moments {
    uint64_t count;
    double mean, m2, min, max;
};
void dcs_moments_init(struct dcs_moments *m);
void dcs_moments_add(struct dcs_moments *m, double x);
double dcs_moments_variance(const struct dcs_moments *m); /* n - 1; 0 for n < 2 */

/*
 * Histogram of non-negative int64 values (ns): 2^7 linear sub-buckets per power of two, so a
 * quantile is off by at most 1/256 of its value (exact below 256 ns). Memory is fixed. Sum, minimum
 * and maximum are exact, and 0 while empty. Violations of an SLA are counted by the caller,
 * exactly, never read off here.
 */
#define DCS_HIST_SUB_BITS 7
#define DCS_HIST_BUCKETS  ((64 - DCS_HIST_SUB_BITS) << DCS_HIST_SUB_BITS)
struct dcs_hist {
    uint64_t count;
    __int128 sum;
    int64_t min, max;
    uint64_t bucket[DCS_HIST_BUCKETS];
};
void dcs_hist_init(struct dcs_hist *h);
void dcs_hist_add(struct dcs_hist *h, int64_t value);
void dcs_hist_merge(struct dcs_hist *into, const struct dcs_hist *from);
/* The smallest recorded value with at least ceil(q * count) values at or below it, as the midpoint
 * of its bucket, kept within [min, max]. (q counts as the decimal number it was written as: the
 * 0.07 quantile of 100 values is the seventh, though the double 0.07 is slightly more.) 0 where the
 * histogram is empty. 0 < q <= 1. */
int64_t dcs_hist_quantile(const struct dcs_hist *h, double q);
double dcs_hist_mean(const struct dcs_hist *h);
/* Lowest value of bucket i <= DCS_HIST_BUCKETS, for storing a histogram: bucket i holds the values
 * from here to below that of i + 1. INT64_MAX for the end of the last, which holds INT64_MAX too.
 */
int64_t dcs_hist_bucket_low(uint32_t i);

void dcs_sort_doubles(double *x, size_t n); /* ascending; without NaN */
/* The value at a place among n > 0 sorted ones: 0 to n - 1, linear between them, nearest beyond. */
double dcs_sorted_at(const double *sorted, size_t n, double place);

/* The median of n > 0 sorted values: of an even number the mean of the two in the middle. */
double dcs_sorted_median(const double *sorted, size_t n);

/* A value with its two-sided 95 % interval over replications. n = 1: no interval (low = high =
 * NaN); n = 0: no value either. */
struct dcs_estimate {
    double value, low, high;
    uint64_t n;
    bool median; /* value is a median with a bootstrap interval, not a mean with a t interval */
};
/* Mean and Student t interval. The t quantile is rounded to 24 bits, so that its bits do not depend
 * on the processor. NaN entries are left out, n counts the rest. */
struct dcs_estimate dcs_estimate_mean(const double *values, size_t count);
/* Median and percentile bootstrap (2 000 resamples from rng), for heavy tails. NaN entries are left
 * out. Below about 10 values such an interval covers less than 95 %. */
struct dcs_estimate dcs_estimate_median(const double *values, size_t count, struct dcs_rng *rng);
/* The same two at another confidence, from 0.5 to 0.999. */
struct dcs_estimate dcs_estimate_mean_at(const double *values, size_t count, double confidence);
struct dcs_estimate dcs_estimate_median_at(const double *values, size_t count, double confidence,
                                           struct dcs_rng *rng);

/* The t for which a variable of Student's t distribution, with `freedom` degrees of freedom (> 0,
 * need not be whole), lies between -t and t with probability `confidence`; rounded as above. */
double dcs_t_quantile(double confidence, double freedom);

/* For intervals by bootstrap elsewhere: the median of n > 0 values drawn with replacement from n
 * sorted ones. drawn: room for n. */
double dcs_resampled_median(const double *sorted, size_t n, uint32_t *drawn, struct dcs_rng *rng);
#define DCS_RESAMPLES 2000
/* The ends of the interval among DCS_RESAMPLES sorted values. */
void dcs_resampled_interval(const double *sorted, double confidence, struct dcs_estimate *out);

#endif
