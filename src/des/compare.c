/* compare.c - see compare.h. */
#include "des/compare.h"

#include <math.h>
#include <stdlib.h>

/* Two samples of n values each, without NaN. */
struct samples {
    double *a, *b, *differences;
    size_t n;
};

static struct samples samples_of(const double *a, const double *b, size_t n)
{
    struct samples s = {dcs_alloc(n + 1, sizeof *s.a), dcs_alloc(n + 1, sizeof *s.b),
                        dcs_alloc(n + 1, sizeof *s.differences), 0};
    for (size_t i = 0; i < n; i++) {
        if (isnan(a[i]) || isnan(b[i]))
            continue;
        s.a[s.n] = a[i];
        s.b[s.n] = b[i];
        s.differences[s.n++] = b[i] - a[i];
    }
    return s;
}

static double variance(const double *values, size_t n)
{
    struct dcs_moments m;
    dcs_moments_init(&m);
    for (size_t i = 0; i < n; i++)
        dcs_moments_add(&m, values[i]);
    return dcs_moments_variance(&m);
}

/* Welch's half width for n runs each of two systems with these variances. */
static double welch_half(double va, double vb, double n, double confidence)
{
    if (va + vb <= 0)
        return 0;
    double freedom = (n - 1) * (va + vb) * (va + vb) / (va * va + vb * vb);
    return dcs_t_quantile(confidence, freedom) * sqrt((va + vb) / n);
}

/* The least n >= 2 whose half width is at most `half`. The half width falls with n, so that a guess
 * from the limit of many degrees of freedom is never too high. */
static uint64_t least(double va, double vb, bool paired, double half, double confidence)
{
    if (!(half > 0))
        return 0;
    double z = dcs_t_quantile(confidence, 1e9);
    double from = floor(z * z * (va + vb) / (half * half) * (1 - 1e-6));
    if (!(from <= DCS_REPLICATIONS_MAX))
        return 0;
    for (uint64_t n = from < 2 ? 2 : (uint64_t)from;; n++) {
        double many = (double)n, t = dcs_t_quantile(confidence, many - 1);
        double now = paired ? t * sqrt(va / many) : welch_half(va, vb, many, confidence);
        if (now <= half)
            return n;
    }
}

uint64_t dcs_replications(double deviation, double half, double confidence)
{
    return least(deviation * deviation, 0, true, half, confidence);
}

/* An interval by bootstrap narrows with the square root of n as well, if not by a law for few. */
static uint64_t scaled(const struct dcs_estimate *e, double half)
{
    double now = (e->high - e->low) / 2;
    if (!(half > 0) || isnan(now))
        return 0;
    double n = ceil((double)e->n * (now / half) * (now / half));
    return n > DCS_REPLICATIONS_MAX ? 0 : n < 2 ? 2 : (uint64_t)n;
}

/* Half the width that decides: see compare.h. */
static double deciding(double value, double delta)
{
    double off = fabs(value);
    return delta - off > off ? delta - off : off;
}

static enum dcs_verdict judge(const struct dcs_estimate *e, double delta)
{
    if (isnan(e->low))
        return DCS_UNDECIDED;
    if (e->low >= -delta && e->high <= delta)
        return DCS_SAME;
    return e->low > 0 ? DCS_ABOVE : e->high < 0 ? DCS_BELOW : DCS_UNDECIDED;
}

bool dcs_needs_feasible(const struct dcs_difference *d, uint64_t needs)
{
    return needs > 0 && needs <= DCS_NEEDS_TIMES * d->paired.n;
}

double dcs_equal_within(const struct dcs_difference *d)
{
    if (d->verdict != DCS_UNDECIDED || isnan(d->paired.low) ||
        dcs_needs_feasible(d, d->paired_needs))
        return (double)NAN;
    return fmax(-d->paired.low, d->paired.high);
}

static void compare_means(const struct samples *s, const struct dcs_compare_rule *rule,
                          struct dcs_difference *out)
{
    out->paired = dcs_estimate_mean_at(s->differences, s->n, rule->confidence);
    out->unpaired = out->paired; /* the value is the same, the interval is not */
    if (s->n < 2)
        return;
    double va = variance(s->a, s->n), vb = variance(s->b, s->n);
    double half = welch_half(va, vb, (double)s->n, rule->confidence);
    out->unpaired.low = out->unpaired.value - half;
    out->unpaired.high = out->unpaired.value + half;
    double wanted = deciding(out->paired.value, rule->delta);
    out->paired_needs = least(variance(s->differences, s->n), 0, true, wanted, rule->confidence);
    out->unpaired_needs = least(va, vb, false, wanted, rule->confidence);
}

static double median_of_sorted(const double *x, size_t n)
{
    return n % 2 == 1 ? x[n / 2] : 0.5 * x[n / 2 - 1] + 0.5 * x[n / 2];
}

/* Medians do not subtract: theirs differ from the median of the differences. */
static struct dcs_estimate medians_apart(struct samples *s, double confidence, struct dcs_rng *rng)
{
    struct dcs_estimate e = {
        .value = (double)NAN, .low = (double)NAN, .high = (double)NAN, .n = s->n, .median = true};
    if (s->n == 0)
        return e;
    dcs_sort_doubles(s->a, s->n);
    dcs_sort_doubles(s->b, s->n);
    e.value = median_of_sorted(s->b, s->n) - median_of_sorted(s->a, s->n);
    if (s->n < 2)
        return e;
    uint32_t *drawn = dcs_alloc(s->n, sizeof *drawn);
    double apart[DCS_RESAMPLES];
    for (size_t i = 0; i < DCS_RESAMPLES; i++) {
        double b = dcs_resampled_median(s->b, s->n, drawn, rng);
        apart[i] = b - dcs_resampled_median(s->a, s->n, drawn, rng);
    }
    dcs_sort_doubles(apart, DCS_RESAMPLES);
    dcs_resampled_interval(apart, confidence, &e);
    free(drawn);
    return e;
}

static void compare_medians(struct samples *s, const struct dcs_compare_rule *rule,
                            struct dcs_rng *rng, struct dcs_difference *out)
{
    out->paired = dcs_estimate_median_at(s->differences, s->n, rule->confidence, rng);
    out->unpaired = medians_apart(s, rule->confidence, rng);
    out->paired_needs = scaled(&out->paired, deciding(out->paired.value, rule->delta));
    out->unpaired_needs = scaled(&out->unpaired, deciding(out->unpaired.value, rule->delta));
}

void dcs_compare(const double *a, const double *b, size_t n, const struct dcs_compare_rule *rule,
                 struct dcs_rng *rng, struct dcs_difference *out)
{
    DCS_ASSERT(rule->delta >= 0);
    *out = (struct dcs_difference){0};
    struct samples s = samples_of(a, b, n);
    if (rule->median)
        compare_medians(&s, rule, rng, out);
    else
        compare_means(&s, rule, out);
    out->verdict = judge(&out->paired, rule->delta);
    free(s.a);
    free(s.b);
    free(s.differences);
}
