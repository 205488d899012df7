/*
 * test_compare.c - two systems in the same worlds, by hand.
 *
 * Pins: Student's and Welch's intervals and the replications that would decide, against values from
 * the printed formulas (SciPy's t quantiles); each verdict on both sides of its border; pairs with
 * a NaN left out; which numbers of replications are feasible, and that what needs more is equal
 * within its interval; medians; that pairing shifts nothing but the interval. Does not pin:
 * coverage (stat/test_intervals).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/compare.h"

#include <math.h>

#define NONE                  (double)NAN
#define assert_near(x, y, by) assert_true(fabs((x) - (y)) <= (by))

static struct dcs_difference compare(const double *a, const double *b, size_t n, double delta,
                                     bool median)
{
    struct dcs_compare_rule rule = {.confidence = 0.95, .delta = delta, .median = median};
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_BOOTSTRAP, 0);
    struct dcs_difference d;
    dcs_compare(a, b, n, &rule, &rng, &d);
    return d;
}

static void means(void **state)
{
    (void)state;
    const double a[] = {1, 2, 3, 4}, b[] = {2, 4, 6, 8};
    struct dcs_difference d = compare(a, b, 4, 0, false);
    assert_int_equal(d.paired.n, 4);
    assert_near(d.paired.value, 2.5, 1e-12);
    assert_near(d.paired.high, 2.5 + 2.054260, 1e-5);
    assert_near(d.paired.low, 2.5 - 2.054260, 1e-5);
    assert_near(d.unpaired.value, 2.5, 1e-12);
    assert_near(d.unpaired.high, 2.5 + 3.864167, 1e-5); /* 4.41 degrees of freedom */
    assert_near(d.unpaired.low, 2.5 - 3.864167, 1e-5);
    assert_int_equal(d.verdict, DCS_ABOVE);
    assert_int_equal(d.paired_needs, 4);   /* 3 give 3.207, 4 give 2.054 */
    assert_int_equal(d.unpaired_needs, 7); /* 6 give 2.760, 7 give 2.476 */
    assert_int_equal(compare(b, a, 4, 0, false).verdict, DCS_BELOW);
    /* What decides that the difference lies within 6 is a half width of 6 - 2.5. */
    d = compare(a, b, 4, 6, false);
    assert_int_equal(d.verdict, DCS_SAME);
    assert_int_equal(d.paired_needs, 3);
}

static void verdicts(void **state)
{
    (void)state;

    const double zero[] = {0, 0, 0, 0}, b[] = {1, 2, 3, 4}, wide[] = {-9, 8, -7, 9};
    assert_int_equal(compare(zero, wide, 4, 0, false).verdict, DCS_UNDECIDED);
    struct dcs_difference d = compare(zero, b, 4, 0, false);
    double edge = fmax(fabs(d.paired.low), fabs(d.paired.high));
    assert_int_equal(compare(zero, b, 4, edge, false).verdict, DCS_SAME);
    assert_int_equal(compare(zero, b, 4, nextafter(edge, 0), false).verdict, DCS_ABOVE);
    /* Equal runs are the same, with any delta; nothing would decide between them. */
    d = compare(b, b, 4, 0, false);
    assert_int_equal(d.verdict, DCS_SAME);
    assert_int_equal(d.paired_needs, 0);
    assert_int_equal(d.unpaired_needs, 0);
    /* The same difference every time: no spread, so two are enough. */
    const double shifted[] = {2, 3, 4, 5};
    d = compare(b, shifted, 4, 0, false);
    assert_int_equal(d.verdict, DCS_ABOVE);
    assert_int_equal(d.paired_needs, 2);
    assert_true(d.unpaired_needs > 10);
}

/* Differences of 1 and -1 in turn and a mean of m, 10 pairs: the half width is 0.7541. It decides
 * where it is m, which takes 100 times the pairs or less from m = 0.0654 on. */
static void equal(void **state)
{
    (void)state;
    const double zero[10] = {0}, means[] = {0.0655, 0.0653, 0, -0.0653, -0.0655};
    for (size_t i = 0; i < sizeof means / sizeof means[0]; i++) {
        double b[10];
        for (size_t k = 0; k < 10; k++)
            b[k] = means[i] + (k % 2 == 0 ? 1 : -1);
        struct dcs_difference d = compare(zero, b, 10, 0, false);
        assert_int_equal(d.verdict, DCS_UNDECIDED);
        bool far = fabs(means[i]) < 0.0654;
        double within = dcs_equal_within(&d);
        assert_true(isnan(within) == !far);
        if (!far)
            continue;
        assert_false(dcs_needs_feasible(&d, d.paired_needs));
        assert_near(within, 0.7541 + fabs(means[i]), 1e-4);
        assert_int_equal(compare(zero, b, 10, within, false).verdict, DCS_SAME);
        assert_int_not_equal(compare(zero, b, 10, nextafter(within, 0), false).verdict, DCS_SAME);
    }
    /* The bound itself is feasible, and no number is not. */
    struct dcs_difference d = {.paired = {.n = 5}};
    assert_true(dcs_needs_feasible(&d, 500));
    assert_false(dcs_needs_feasible(&d, 501));
    assert_false(dcs_needs_feasible(&d, 0));
    /* What is the same, and a single pair, is not equal within something. */
    d = compare(zero, zero, 10, 0, false);
    assert_true(isnan(dcs_equal_within(&d)));
    d = compare(zero, (const double[]){1}, 1, 0, false);
    assert_true(isnan(dcs_equal_within(&d)));
}

static void few_and_missing(void **state)
{
    (void)state;
    const double a[] = {1, NONE, 3, 4}, b[] = {2, 4, NONE, 8};
    struct dcs_difference d = compare(a, b, 4, 0, false);
    assert_int_equal(d.paired.n, 2);
    assert_near(d.paired.value, 2.5, 1e-12);
    d = compare(a, b, 2, 0, false);
    assert_int_equal(d.paired.n, 1);
    assert_int_equal(d.verdict, DCS_UNDECIDED);
    assert_true(isnan(d.paired.low) && isnan(d.unpaired.low));
    assert_int_equal(d.paired_needs, 0);
    d = compare(a, b, 0, 0, true);
    assert_int_equal(d.paired.n, 0);
    assert_true(isnan(d.paired.value) && isnan(d.unpaired.value));
    assert_int_equal(d.verdict, DCS_UNDECIDED);
}

/* 40 pairs: worlds that differ by up to 1000, systems by 5 to 6, and one wild run. */
static void medians(void **state)
{
    (void)state;
    double a[40], b[40];
    for (size_t i = 0; i < 40; i++) {
        a[i] = (double)((i * 377) % 1000);
        b[i] = a[i] + 5 + (double)(i % 5) / 4;
    }
    b[7] += 1e9;
    struct dcs_difference d = compare(a, b, 40, 0, true);
    assert_true(d.paired.median);
    assert_near(d.paired.value, 5.5, 1e-9);
    assert_true(d.paired.low >= 5.25 && d.paired.high <= 5.75);
    assert_int_equal(d.verdict, DCS_ABOVE);
    assert_true(d.unpaired.high - d.unpaired.low > 100);
    assert_true(d.unpaired_needs > 1000 * d.paired_needs);
    assert_int_equal(compare(a, b, 40, 0, false).verdict, DCS_UNDECIDED); /* means are lost */
}

static void replications(void **state)
{
    (void)state;
    static const struct {
        double deviation, half, confidence;
        uint64_t n;
    } cases[] = {{1, 0.01, 0.95, 38418}, {1, 0.1, 0.95, 387},   {1, 0.3, 0.95, 46},
                 {1, 1, 0.95, 7},        {1, 5, 0.95, 3},       {1, 20, 0.95, 2},
                 {2.5, 0.1, 0.9, 1693},  {1, 0.05, 0.99, 2658}, {0, 0.1, 0.95, 2},
                 {1, 0, 0.95, 0},        {1, 1e-6, 0.95, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(dcs_replications(cases[i].deviation, cases[i].half, cases[i].confidence),
                         cases[i].n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means),           cmocka_unit_test(verdicts),
        cmocka_unit_test(few_and_missing), cmocka_unit_test(medians),
        cmocka_unit_test(replications),    cmocka_unit_test(equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
