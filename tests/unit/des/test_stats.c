/*
 * test_stats.c - integrals, moments, histogram, intervals.
 *
 * Pins: integrals by hand, beyond 64 bits and across the start of the window; moments against two
 * passes; the edges of all histogram buckets, and quantiles up to p99.9 of four shapes of data
 * within 1/256 of the exact order statistic (1 % is what users are promised); Student intervals
 * against the printed t table; bootstrap intervals by order; no interval for n = 1, NaN left out;
 * medians by hand. Does not pin: coverage of the bootstrap interval for few values.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/dist.h"
#include "des/stats.h"

#include <math.h>
#include <stdlib.h>

static void integral(void **state)
{
    (void)state;
    struct dcs_integral s;
    dcs_integral_init(&s, 0);
    dcs_integral_set(&s, 10, 3);
    assert_true(dcs_integral_upto(&s, 10) == 0);
    dcs_integral_set(&s, 20, -1);
    assert_true(dcs_integral_upto(&s, 20) == 30 && dcs_integral_upto(&s, 25) == 25);
    dcs_integral_set(&s, 25, 2);
    dcs_integral_set(&s, 25, 7); /* the last level of an instant counts */
    assert_true(dcs_integral_upto(&s, 35) == 95);
}

static void integral_window(void **state)
{
    (void)state;
    struct dcs_integral s;
    dcs_integral_init(&s, 100);
    dcs_integral_set(&s, 10, 5);
    dcs_integral_set(&s, 50, 4);
    assert_true(dcs_integral_upto(&s, 99) == 0 && dcs_integral_upto(&s, 100) == 0);
    assert_true(dcs_integral_upto(&s, 101) == 4);
    dcs_integral_set(&s, 100, 3); /* exactly at the start: only the new level counts */
    assert_true(dcs_integral_upto(&s, 110) == 30);
}

static void integral_beyond_64_bits(void **state)
{
    (void)state;
    struct dcs_integral s;
    dcs_integral_init(&s, 0);
    dcs_integral_set(&s, 0, INT64_MAX);
    dcs_integral_set(&s, INT64_MAX, 0);
    assert_true(dcs_integral_upto(&s, INT64_MAX) == (__int128)INT64_MAX * INT64_MAX);
}

static void moments(void **state)
{
    (void)state;
    struct dcs_moments m;
    dcs_moments_init(&m);
    assert_true(m.count == 0 && m.mean == 0 && dcs_moments_variance(&m) == 0);
    dcs_moments_add(&m, -3);
    assert_true(m.mean == -3 && m.min == -3 && m.max == -3 && dcs_moments_variance(&m) == 0);

    /* A large offset, where the sum of squares alone would lose everything. */
    dcs_moments_init(&m);
    for (int i = 1; i <= 1000; i++)
        dcs_moments_add(&m, 1e9 + i);
    assert_true(m.count == 1000 && m.min == 1e9 + 1 && m.max == 1e9 + 1000);
    assert_true(fabs(m.mean - (1e9 + 500.5)) < 1e-5);
    assert_true(fabs(dcs_moments_variance(&m) - 1000.0 * 1001 / 12) < 1e-2);
}

static void histogram_buckets(void **state)
{
    (void)state;
    struct dcs_hist *h = dcs_alloc(1, sizeof *h);
    for (uint32_t i = 0; i < DCS_HIST_BUCKETS; i++) {
        int64_t low = dcs_hist_bucket_low(i), end = dcs_hist_bucket_low(i + 1);
        assert_true(end > low);
        int64_t last = i == DCS_HIST_BUCKETS - 1 ? INT64_MAX : end - 1;
        assert_true(i < 256 ? last == low : (last - low) <= low / 128);
        dcs_hist_init(h);
        dcs_hist_add(h, low);
        dcs_hist_add(h, last);
        assert_int_equal(h->bucket[i], 2);
        assert_true(h->min == low && h->max == last);
    }
    free(h);
}

static int compare_i64(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void histogram_quantiles(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    static const double qs[] = {0.0001, 0.07, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 1};
    static const struct {
        enum dcs_dist_kind kind;
        double location, shape;
    } shapes[] = {
        {DCS_EXPONENTIAL, 3e6, 0},
        {DCS_LOGNORMAL, 5e5, 2},
        {DCS_PARETO, 1e4, 0.8},
        {DCS_EXPONENTIAL, 40, 0},
    };
    int64_t *values = dcs_alloc(COUNT, sizeof *values);
    struct dcs_hist *h = dcs_alloc(1, sizeof *h), *halves = dcs_alloc(2, sizeof *halves);
    double worst = 0;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        struct dcs_dist d;
        struct dcs_err err;
        struct dcs_rng rng;
        assert_int_equal(
            dcs_dist_init(&d, shapes[k].kind, shapes[k].location, shapes[k].shape, 0, &err), 0);
        dcs_rng_stream(&rng, 3, 0, DCS_RNG_NOISE, k);
        dcs_hist_init(h);
        dcs_hist_init(&halves[0]);
        dcs_hist_init(&halves[1]);
        __int128 sum = 0;
        for (size_t i = 0; i < COUNT; i++) {
            values[i] = dcs_dist_sample_ns(&d, &rng, 0);
            sum += values[i];
            dcs_hist_add(h, values[i]);
            dcs_hist_add(&halves[i % 3 == 0], values[i]);
        }
        dcs_hist_merge(&halves[0], &halves[1]);
        assert_memory_equal(h, &halves[0], sizeof *h);
        qsort(values, COUNT, sizeof *values, compare_i64);
        assert_true(h->sum == sum && h->min == values[0] && h->max == values[COUNT - 1]);
        assert_true(dcs_hist_mean(h) == (double)sum / COUNT);
        for (size_t i = 0; i < sizeof qs / sizeof *qs; i++) {
            int64_t exact = values[(size_t)ceil(qs[i] * COUNT - 1e-6) - 1];
            int64_t found = dcs_hist_quantile(h, qs[i]);
            assert_true(exact >= 256 || found == exact);
            double error = exact == 0 ? 0 : fabs((double)(found - exact)) / (double)exact;
            worst = error > worst ? error : worst;
        }
    }
    print_message("histogram: worst error of a quantile %.5f\n", worst);
    assert_true(worst <= 1.0 / 256);
    free(values);
    free(h);
    free(halves);
}

static void histogram_small(void **state)
{
    (void)state;
    struct dcs_hist *h = dcs_alloc(1, sizeof *h), *none = dcs_alloc(1, sizeof *none);
    dcs_hist_init(h);
    dcs_hist_init(none);
    assert_true(dcs_hist_quantile(h, 0.5) == 0 && dcs_hist_mean(h) == 0);
    dcs_hist_merge(h, none);
    assert_true(h->count == 0);
    dcs_hist_add(none, 1000003);
    dcs_hist_merge(h, none); /* into an empty one: its minimum is not 0 */
    assert_true(h->min == 1000003 && h->max == 1000003 && h->count == 1);
    assert_true(dcs_hist_quantile(h, 0.5) == 1000003 && dcs_hist_quantile(h, 1) == 1000003);

    /* Ranks: q of 1..100 is 100 q, just above it is the next one. */
    dcs_hist_init(h);
    for (int i = 1; i <= 100; i++)
        dcs_hist_add(h, i);
    for (int i = 1; i <= 100; i++)
        assert_int_equal(dcs_hist_quantile(h, i / 100.0), i);
    assert_int_equal(dcs_hist_quantile(h, 1e-9), 1);
    assert_int_equal(dcs_hist_quantile(h, 0.500001), 51);
    free(h);
    free(none);
}

/* 0.975 quantiles of Student's t as printed in textbooks, three decimals. */
static void student_intervals(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        double t;
    } table[] = {{2, 12.706}, {3, 4.303},  {5, 2.776},  {10, 2.262},
                 {30, 2.045}, {61, 2.000}, {121, 1.980}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        double values[121];
        size_t n = table[k].n;
        for (size_t i = 0; i < n; i++)
            values[i] = (double)i;
        struct dcs_estimate e = dcs_estimate_mean(values, n);
        double error = sqrt((double)n * (double)(n + 1) / 12 / (double)n);
        assert_true(e.n == n && !e.median && e.value == (double)(n - 1) / 2);
        assert_true(fabs((e.high - e.value) / error - table[k].t) < 0.00051);
        assert_true(fabs((e.value - e.low) / error - table[k].t) < 0.00051);
    }
}

static void few_values(void **state)
{
    (void)state;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_BOOTSTRAP, 0);
    const double one[] = {(double)NAN, 7, (double)NAN};
    struct dcs_estimate both[] = {dcs_estimate_mean(one, 3), dcs_estimate_median(one, 3, &rng)};
    for (int i = 0; i < 2; i++)
        assert_true(both[i].n == 1 && both[i].value == 7 && isnan(both[i].low) &&
                    isnan(both[i].high));
    both[0] = dcs_estimate_mean(one, 1);
    both[1] = dcs_estimate_median(one, 0, &rng);
    for (int i = 0; i < 2; i++)
        assert_true(both[i].n == 0 && isnan(both[i].value) && isnan(both[i].low));

    const double holes[] = {1, (double)NAN, 2, 3};
    struct dcs_estimate e = dcs_estimate_mean(holes, 4);
    assert_true(e.n == 3 && e.value == 2 && fabs(e.high - 2 - 4.3027 / sqrt(3)) < 1e-4);
    const double same[] = {4, 4, 4};
    e = dcs_estimate_mean(same, 3);
    assert_true(e.low == 4 && e.high == 4);
}

/* The order statistics that hold the median with 95 % are known: for n = 101 the bootstrap interval
 * of 1..101 lies about 51 -+ 1.96 sqrt(101) / 2 = 9.85. */
static void bootstrap(void **state)
{
    (void)state;
    struct dcs_rng rng;
    double values[102];
    for (int i = 0; i < 102; i++)
        values[i] = 1 + (i * 37) % 101; /* a permutation; values[101] = 1 again */
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_BOOTSTRAP, 0);
    struct dcs_estimate e = dcs_estimate_median(values, 101, &rng);
    assert_true(e.median && e.n == 101 && e.value == 51);
    assert_true(fabs(e.low - (51 - 9.85)) <= 2 && fabs(e.high - (51 + 9.85)) <= 2);
    struct dcs_estimate again = dcs_estimate_median(values, 101, &rng);
    assert_true(again.value == e.value); /* other resamples, the same median */

    values[101] = 52;
    e = dcs_estimate_median(values, 102, &rng);
    assert_true(e.value == 51.5);

    /* Six values: three or more lowest ones have probability 6.2 %, four or more 0.9 %; so 2.5 % is
     * where three lowest ones meet a second-lowest, and the median is between values. */
    const double six[] = {60, 20, 30, 40, 50, 10};
    e = dcs_estimate_median(six, 6, &rng);
    assert_true(e.value == 35 && e.low == 15 && e.high == 55);

    /* Two values: a resample is aa, ab, ba or bb, so the ends are the values themselves. */
    const double two[] = {10, 20};
    e = dcs_estimate_median(two, 2, &rng);
    assert_true(e.value == 15 && e.low == 10 && e.high == 20);
}

static void medians(void **state)
{
    (void)state;
    const double values[] = {-1, 2, 5, 100};
    assert_true(dcs_sorted_median(values, 1) == -1);
    assert_true(dcs_sorted_median(values, 2) == 0.5);
    assert_true(dcs_sorted_median(values, 3) == 2);
    assert_true(dcs_sorted_median(values, 4) == 3.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integral),
        cmocka_unit_test(integral_window),
        cmocka_unit_test(integral_beyond_64_bits),
        cmocka_unit_test(moments),
        cmocka_unit_test(histogram_buckets),
        cmocka_unit_test(histogram_quantiles),
        cmocka_unit_test(histogram_small),
        cmocka_unit_test(student_intervals),
        cmocka_unit_test(few_values),
        cmocka_unit_test(medians),
        cmocka_unit_test(bootstrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
