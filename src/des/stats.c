/*
 * stats.c - integrals, moments, histogram, intervals. See stats.h for the contract.
 *
 * Sources: B. Welford, "Note on a method for calculating corrected sums of squares and products",
 * Technometrics 4(3), 1962; B. Efron, R. Tibshirani, "An introduction to the bootstrap", 1993,
 * chapter 13 (percentile interval). The histogram's buckets are those of a floating-point number
 * with 7 bits of mantissa after the leading one.
 */
#include "des/stats.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SUB (INT64_C(1) << DCS_HIST_SUB_BITS)

void dcs_integral_init(struct dcs_integral *s, int64_t from_ns)
{
    *s = (struct dcs_integral){.since_ns = from_ns, .from_ns = from_ns};
}

void dcs_moments_init(struct dcs_moments *m)
{
    *m = (struct dcs_moments){0};
}

void dcs_moments_add(struct dcs_moments *m, double x)
{
    if (m->count == 0 || x < m->min)
        m->min = x;
    if (m->count == 0 || x > m->max)
        m->max = x;
    m->count++;
    double off = x - m->mean;
    m->mean += off / (double)m->count;
    m->m2 += off * (x - m->mean);
}

double dcs_moments_variance(const struct dcs_moments *m)
{
    return m->count < 2 ? 0 : m->m2 / (double)(m->count - 1);
}

void dcs_hist_init(struct dcs_hist *h)
{
    memset(h, 0, sizeof *h);
}

/* Bucket of a value >= 0. With the highest set bit at 7 + shift, the 8 bits from there down count
 * from 128 to 255; values below 128 have their own bucket each, as if shift were 0. */
static uint32_t bucket_of(int64_t value)
{
    if (value < SUB)
        return (uint32_t)value;
    int shift = 63 - __builtin_clzll((unsigned long long)value) - DCS_HIST_SUB_BITS;
    return (uint32_t)(shift * SUB + (value >> shift));
}

int64_t dcs_hist_bucket_low(uint32_t i)
{
    DCS_ASSERT(i <= DCS_HIST_BUCKETS);
    if (i < 2 * SUB)
        return i;
    if (i == DCS_HIST_BUCKETS)
        return INT64_MAX;
    int shift = (int)(i / SUB) - 1;
    return (i - shift * SUB) << shift;
}

void dcs_hist_add(struct dcs_hist *h, int64_t value)
{
    DCS_ASSERT(value >= 0);
    if (h->count == 0 || value < h->min)
        h->min = value;
    if (value > h->max)
        h->max = value;
    h->count++;
    h->sum += value;
    h->bucket[bucket_of(value)]++;
}

void dcs_hist_merge(struct dcs_hist *into, const struct dcs_hist *from)
{
    if (from->count == 0)
        return;
    if (into->count == 0 || from->min < into->min)
        into->min = from->min;
    if (from->max > into->max)
        into->max = from->max;
    into->count += from->count;
    into->sum += from->sum;
    for (size_t i = 0; i < DCS_HIST_BUCKETS; i++)
        into->bucket[i] += from->bucket[i];
}

int64_t dcs_hist_quantile(const struct dcs_hist *h, double q)
{
    DCS_ASSERT(q > 0 && q <= 1);
    if (h->count == 0)
        return 0;
    /* ceil(q count); a hair less, so that 0.07 of 100 is 7 and not 7.0000000000000009. */
    double exact = q * (double)h->count * (1 - 0x1p-50);
    uint64_t rank = (uint64_t)exact;
    if ((double)rank < exact)
        rank++;

    uint32_t i = 0;
    for (uint64_t seen = 0; i < DCS_HIST_BUCKETS - 1; i++) {
        seen += h->bucket[i];
        if (seen >= rank)
            break;
    }
    int64_t low = dcs_hist_bucket_low(i);
    int64_t middle = low + (dcs_hist_bucket_low(i + 1) - low) / 2;
    return middle < h->min ? h->min : middle > h->max ? h->max : middle;
}

double dcs_hist_mean(const struct dcs_hist *h)
{
    return h->count == 0 ? 0 : (double)h->sum / (double)h->count;
}

/* A copy of the values that are numbers; freed with free(). */
static double *numbers_of(const double *values, size_t count, size_t *n)
{
    double *numbers = dcs_alloc(count, sizeof *numbers);
    *n = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            numbers[(*n)++] = values[i];
    return numbers;
}

double dcs_t_quantile(double confidence, double freedom)
{
    DCS_ASSERT(confidence >= 0.5 && confidence <= 0.999 && freedom > 0);
    /* Rounded: GSL's last bits depend on the processor, see stats.h. */
    return (float)gsl_cdf_tdist_Pinv(0.5 + confidence / 2, freedom);
}

struct dcs_estimate dcs_estimate_mean(const double *values, size_t count)
{
    return dcs_estimate_mean_at(values, count, 0.95);
}

struct dcs_estimate dcs_estimate_mean_at(const double *values, size_t count, double confidence)
{
    struct dcs_estimate e = {.value = (double)NAN, .low = (double)NAN, .high = (double)NAN};
    size_t n;
    double *x = numbers_of(values, count, &n);
    e.n = n;
    if (n > 0) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += x[i];
        e.value = sum / (double)n;
    }
    if (n > 1) {
        double squares = 0;
        for (size_t i = 0; i < n; i++)
            squares += (x[i] - e.value) * (x[i] - e.value);
        double half = dcs_t_quantile(confidence, (double)(n - 1)) *
                      sqrt(squares / (double)(n - 1) / (double)n);
        e.low = e.value - half;
        e.high = e.value + half;
    }
    free(x);
    return e;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void dcs_sort_doubles(double *x, size_t n)
{
    qsort(x, n, sizeof *x, compare_doubles);
}

double dcs_sorted_at(const double *sorted, size_t n, double place)
{
    if (place <= 0)
        return sorted[0];
    size_t low = (size_t)place;
    if (low + 1 >= n)
        return sorted[n - 1];
    return sorted[low] + (sorted[low + 1] - sorted[low]) * (place - (double)low);
}

double dcs_sorted_median(const double *sorted, size_t n)
{
    return n % 2 == 1 ? sorted[n / 2] : 0.5 * sorted[n / 2 - 1] + 0.5 * sorted[n / 2];
}

/* Counting how often each was drawn gives the resample in order without sorting it. */
double dcs_resampled_median(const double *x, size_t n, uint32_t *drawn, struct dcs_rng *rng)
{
    memset(drawn, 0, n * sizeof *drawn);
    for (size_t i = 0; i < n; i++)
        drawn[dcs_rng_below(rng, n)]++;
    size_t seen = 0, i = 0;
    while ((seen += drawn[i]) < (n + 1) / 2)
        i++;
    double lower = x[i];
    if (n % 2 == 1 || seen > n / 2)
        return lower;
    do
        i++;
    while (drawn[i] == 0);
    return 0.5 * lower + 0.5 * x[i];
}

void dcs_resampled_interval(const double *sorted, double confidence, struct dcs_estimate *out)
{
    /* So many lie outside at either end, of which the last is the end: 50 of 2000 at 95 %. */
    size_t outside = (size_t)(DCS_RESAMPLES * (1 - confidence) / 2 + 0.5);
    DCS_ASSERT(outside >= 1 && outside <= DCS_RESAMPLES / 2);
    out->low = sorted[outside - 1];
    out->high = sorted[DCS_RESAMPLES - outside];
}

struct dcs_estimate dcs_estimate_median(const double *values, size_t count, struct dcs_rng *rng)
{
    return dcs_estimate_median_at(values, count, 0.95, rng);
}

struct dcs_estimate dcs_estimate_median_at(const double *values, size_t count, double confidence,
                                           struct dcs_rng *rng)
{
    struct dcs_estimate e = {
        .value = (double)NAN, .low = (double)NAN, .high = (double)NAN, .median = true};
    size_t n;
    double *x = numbers_of(values, count, &n);
    e.n = n;
    if (n > 0) {
        dcs_sort_doubles(x, n);
        e.value = dcs_sorted_median(x, n);
    }
    if (n > 1) {
        uint32_t *drawn = dcs_alloc(n, sizeof *drawn);
        double medians[DCS_RESAMPLES];
        for (size_t i = 0; i < DCS_RESAMPLES; i++)
            medians[i] = dcs_resampled_median(x, n, drawn, rng);
        dcs_sort_doubles(medians, DCS_RESAMPLES);
        dcs_resampled_interval(medians, confidence, &e);
        free(drawn);
    }
    free(x);
    return e;
}
