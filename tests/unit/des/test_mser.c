/*
 * test_mser.c - the warm-up rule MSER-5.
 *
 * Pins: the cut of series with a known transient, to the batch; the same cut as by trying each one
 * straight from the formula, on random series; ties, constants and short series; at most half is
 * cut. Does not pin: that it suits a queue (stat/test_intervals).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/mser.h"
#include "des/rng.h"

#include <math.h>

/* The formula, for one d. */
static double mser(const double *series, size_t n, size_t d)
{
    size_t m = n / 5;
    double mean = 0, squares = 0;
    for (size_t i = 5 * d; i < 5 * m; i++)
        mean += series[i] / (5.0 * (double)(m - d));
    for (size_t b = d; b < m; b++) {
        double z = 0;
        for (size_t k = 0; k < 5; k++)
            z += series[5 * b + k] / 5;
        squares += (z - mean) * (z - mean);
    }
    return squares / ((double)(m - d) * (double)(m - d));
}

static void known_transients(void **state)
{
    (void)state;
    double series[1000];
    /* A level that is 10 higher for the first 123 of 1000 values, else alternates around 5: the
     * batch that holds the step goes as well. */
    for (size_t i = 0; i < 1000; i++)
        series[i] = (i % 2 == 0 ? 4.0 : 6.0) + (i < 123 ? 10 : 0);
    assert_int_equal(dcs_mser5(series, 1000), 125);
    /* The step of an empty start, downwards, at the edge of a batch. */
    for (size_t i = 0; i < 1000; i++)
        series[i] = (i % 2 == 0 ? 4.0 : 6.0) - (i < 200 ? 30 : 0);
    assert_int_equal(dcs_mser5(series, 1000), 200);
    /* A ramp that ends at 300. */
    for (size_t i = 0; i < 1000; i++)
        series[i] = i < 300 ? (double)i : 300 + (double)(i % 2);
    assert_int_equal(dcs_mser5(series, 1000), 300);
    /* One that never ends: no more than half. */
    for (size_t i = 0; i < 1000; i++)
        series[i] = (double)i;
    assert_int_equal(dcs_mser5(series, 1000), 500);
}

static void nothing_to_cut(void **state)
{
    (void)state;
    double series[1000] = {0};
    assert_int_equal(dcs_mser5(series, 1000), 0);
    for (size_t i = 0; i < 1000; i++)
        series[i] = 1e300;
    assert_int_equal(dcs_mser5(series, 1000), 0);
    for (size_t i = 0; i < 9; i++)
        series[i] = (double)i;
    for (size_t n = 0; n < 10; n++)
        assert_int_equal(dcs_mser5(series, n), 0);
    /* Two batches: the second alone has no spread at all. */
    assert_int_equal(dcs_mser5(series, 10), 5);
}

static void as_the_formula_says(void **state)
{
    (void)state;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 5, 0, DCS_RNG_BOOTSTRAP, 0);
    size_t not_zero = 0;
    for (int test = 0; test < 500; test++) {
        double series[400], level = 10 * dcs_rng_uniform(&rng);
        size_t n = 10 + dcs_rng_below(&rng, 390), step = dcs_rng_below(&rng, n);
        for (size_t i = 0; i < n; i++)
            series[i] = dcs_rng_uniform(&rng) + (i < step ? level : 0);
        size_t best = 0;
        for (size_t d = 1; d <= n / 5 / 2; d++)
            if (mser(series, n, d) < mser(series, n, best) * (1 - 1e-9))
                best = d;
        not_zero += best > 0;
        assert_int_equal(dcs_mser5(series, n), 5 * best);
    }
    assert_true(not_zero > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_transients),
        cmocka_unit_test(nothing_to_cut),
        cmocka_unit_test(as_the_formula_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
