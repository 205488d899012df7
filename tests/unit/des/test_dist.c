/*
 * test_dist.c - parameters of distributions, means, and what a sample costs and returns.
 *
 * Pins: each parameter just inside its range and just outside it; that init_mean gives the mean
 * asked for, against closed forms and tgamma; distribution functions at their ends; how many
 * uniforms a sample takes; rounding and limits in ns; weights of empirical values; and the bits of
 * samples. Does not pin: that samples follow their distributions, see
 * tests/stat/test_distributions.c.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/dist.h"
#include "des/fmath.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool takes(enum dcs_dist_kind kind, double location, double shape, double upper)
{
    struct dcs_dist d;
    struct dcs_err err = {0};
    int result = dcs_dist_init(&d, kind, location, shape, upper, &err);
    assert_true(result == 0 || (result == -1 && strlen(err.text) > 0));
    assert_true(result == 0 || strstr(err.text, dcs_dist_name(kind)) != NULL);
    dcs_dist_release(&d); /* allowed after a refusal, too */
    return result == 0;
}

static bool takes_mean(enum dcs_dist_kind kind, double mean, double shape, double upper)
{
    struct dcs_dist d;
    struct dcs_err err = {0};
    int result = dcs_dist_init_mean(&d, kind, mean, shape, upper, &err);
    assert_true(result == 0 || (result == -1 && strlen(err.text) > 0));
    return result == 0;
}

static void ranges(void **state)
{
    (void)state;
    const double nan = (double)NAN, inf = INFINITY;
    static const enum dcs_dist_kind kinds[] = {DCS_EXPONENTIAL, DCS_PARETO,  DCS_BOUNDED_PARETO,
                                               DCS_LOGNORMAL,   DCS_WEIBULL, DCS_HYPEREXPONENTIAL};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        assert_true(takes(kinds[i], 5, 2, 100));
        assert_true(takes(kinds[i], DBL_MIN, 2, 100));
        const double bad[] = {0, -1, nan, inf, -inf};
        for (size_t k = 0; k < 5; k++)
            assert_false(takes(kinds[i], bad[k], 2, 100));
        for (size_t k = 0; k < 5 && kinds[i] != DCS_EXPONENTIAL; k++)
            assert_false(takes(kinds[i], 5, bad[k], 100));
    }
    assert_true(takes(DCS_DETERMINISTIC, 0, nan, nan)); /* parameters that do not apply */
    assert_false(takes(DCS_DETERMINISTIC, -DBL_MIN, 0, 0));
    assert_false(takes(DCS_DETERMINISTIC, inf, 0, 0));
    assert_true(takes(DCS_HYPEREXPONENTIAL, 5, 1, 0));
    assert_false(takes(DCS_HYPEREXPONENTIAL, 5, 1 - DBL_EPSILON, 0));
    assert_true(takes(DCS_BOUNDED_PARETO, 5, 1, nextafter(5, 6)));
    assert_false(takes(DCS_BOUNDED_PARETO, 5, 1, 5));
    assert_false(takes(DCS_BOUNDED_PARETO, 5, 1, inf));
    assert_false(takes(DCS_EMPIRICAL, 5, 1, 10));
    assert_false(takes((enum dcs_dist_kind)77, 5, 1, 10));
    assert_string_equal(dcs_dist_name((enum dcs_dist_kind)77), "unknown");

    assert_true(takes_mean(DCS_PARETO, 5, 1.001, 0));
    assert_false(takes_mean(DCS_PARETO, 5, 1, 0));
    assert_true(takes_mean(DCS_BOUNDED_PARETO, 5, 1, 5.001));
    assert_false(takes_mean(DCS_BOUNDED_PARETO, 5, 1, 5));
    assert_true(takes_mean(DCS_BOUNDED_PARETO, 5, 0.001, 1000));
    assert_false(takes_mean(DCS_BOUNDED_PARETO, 0.5, 0.001, 1000)); /* scale: exp(-1100) */
    assert_false(takes_mean(DCS_LOGNORMAL, 5, 100, 0));
    assert_true(takes_mean(DCS_WEIBULL, 5, 0.01, 0));
    assert_false(takes_mean(DCS_WEIBULL, 5, 0.001, 0));
    assert_false(takes_mean(DCS_WEIBULL, -5, 1, 0));
    assert_false(takes_mean(DCS_WEIBULL, 5, nan, 0));
}

static void means(void **state)
{
    (void)state;
    static const struct {
        enum dcs_dist_kind kind;
        double shape, upper, tolerance;
    } cases[] = {
        {DCS_DETERMINISTIC, 0, 0, 0},
        {DCS_EXPONENTIAL, 0, 0, 0},
        {DCS_HYPEREXPONENTIAL, 10, 0, 0},
        {DCS_PARETO, 1.1, 0, 1e-14},
        {DCS_PARETO, 2.5, 0, 1e-14},
        {DCS_LOGNORMAL, 0.1, 0, 1e-14},
        {DCS_LOGNORMAL, 3, 0, 1e-14},
        {DCS_WEIBULL, 0.01, 0, 1e-12},
        {DCS_WEIBULL, 0.5, 0, 1e-13},
        {DCS_WEIBULL, 4, 0, 1e-13},
        {DCS_BOUNDED_PARETO, 0.5, 1e9, 1e-12},
        {DCS_BOUNDED_PARETO, 1, 1e9, 1e-12},
        {DCS_BOUNDED_PARETO, 1 + 1e-9, 1e9, 1e-12},
        {DCS_BOUNDED_PARETO, 1.5, 1e9, 1e-12},
        {DCS_BOUNDED_PARETO, 30, 1e9, 1e-12},
        {DCS_BOUNDED_PARETO, 1.5, 2001, 1e-12},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dcs_dist d;
        struct dcs_err err;
        assert_int_equal(
            dcs_dist_init_mean(&d, cases[i].kind, 2000, cases[i].shape, cases[i].upper, &err), 0);
        assert_true(fabs(dcs_dist_mean(&d) / 2000 - 1) <= cases[i].tolerance);
    }
}

/* Means by formulas written down independently of dist.c. */
static void means_of_parameters(void **state)
{
    (void)state;
    struct dcs_dist d;
    struct dcs_err err;
    dcs_dist_init(&d, DCS_PARETO, 3, 2, 0, &err);
    assert_true(dcs_dist_mean(&d) == 6);
    dcs_dist_init(&d, DCS_PARETO, 3, 1, 0, &err);
    assert_true(dcs_dist_mean(&d) == INFINITY);
    for (double shape = 0.02; shape < 100; shape *= 1.37) {
        dcs_dist_init(&d, DCS_WEIBULL, 3, shape, 0, &err);
        assert_true(fabs(dcs_dist_mean(&d) / (3 * tgamma(1 + 1 / shape)) - 1) < 1e-12);
        dcs_dist_init(&d, DCS_BOUNDED_PARETO, 3, shape, 700, &err);
        long double a = (long double)shape, low = 3, high = 700;
        long double mean =
            a / (1 - a) * (high * powl(low / high, a) - low) / (1 - powl(low / high, a));
        assert_true(fabs(dcs_dist_mean(&d) / (double)mean - 1) < 1e-12);
    }
    dcs_dist_init(&d, DCS_LOGNORMAL, 3, 0.5, 0, &err);
    assert_true(fabs(dcs_dist_mean(&d) / (3 * exp(0.125)) - 1) < 1e-15);
}

static void distribution_functions(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < DCS_EMPIRICAL; kind++) {
        struct dcs_dist d;
        struct dcs_err err;
        assert_int_equal(dcs_dist_init(&d, (enum dcs_dist_kind)kind, 5, 1.5, 500, &err), 0);
        assert_true(dcs_dist_cdf(&d, -1) == 0 && dcs_dist_cdf(&d, 0) == 0);
        assert_true(dcs_dist_cdf(&d, INFINITY) == 1);
        double before = 0;
        for (double x = 0.01; x < 1e4; x *= 1.1) {
            assert_true(dcs_dist_cdf(&d, x) >= before);
            before = dcs_dist_cdf(&d, x);
        }
        assert_true(before > 0.999 && before <= 1);
    }
}

/* Uniforms that a sample takes, counted by where the next number of the stream stands. */
static int uniforms(const struct dcs_dist *d)
{
    struct dcs_rng rng, other;
    dcs_rng_stream(&rng, 9, 0, DCS_RNG_NOISE, 0);
    other = rng;
    dcs_dist_sample(d, &rng);
    uint64_t next = dcs_rng_u64(&rng);
    int count = 0;
    while (dcs_rng_u64(&other) != next)
        count++;
    return count;
}

static void positions_stay_aligned(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < DCS_EMPIRICAL; kind++) {
        struct dcs_dist d;
        struct dcs_err err;
        dcs_dist_init(&d, (enum dcs_dist_kind)kind, 5, 1.5, 500, &err);
        assert_int_equal(uniforms(&d), kind == DCS_HYPEREXPONENTIAL ? 2 : 1);
    }
}

static void nanoseconds(void **state)
{
    (void)state;
    static const struct {
        double value;
        int64_t min, ns;
    } cases[] = {
        {0, 0, 0},
        {0.49999999999999994, 0, 0}, /* adding a half to this one gives 1 */
        {0.5, 0, 1},
        {1.5, 0, 2},
        {2.4999, 0, 2},
        {2.4999, 3, 3},
        {0x1p53 + 2, 0, (INT64_C(1) << 53) + 2},
        {0x1p62, 0, INT64_C(1) << 62},
        {1e300, 0, INT64_C(1) << 62},
    };
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_NOISE, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dcs_dist d;
        struct dcs_err err;
        assert_int_equal(dcs_dist_init(&d, DCS_DETERMINISTIC, cases[i].value, 0, 0, &err), 0);
        assert_true(dcs_dist_sample_ns(&d, &rng, cases[i].min) == cases[i].ns);
    }
    /* A tail so heavy that many samples leave the doubles. */
    struct dcs_dist d;
    struct dcs_err err;
    assert_int_equal(dcs_dist_init(&d, DCS_PARETO, 1, 0.001, 0, &err), 0);
    for (int i = 0; i < 1000; i++) {
        int64_t ns = dcs_dist_sample_ns(&d, &rng, 1);
        assert_true(ns >= 1 && ns <= INT64_C(1) << 62);
    }
}

static void empirical(void **state)
{
    (void)state;
    struct dcs_dist d, other;
    struct dcs_err err;
    const double values[] = {30, 10, 20, 50}, weights[] = {3, 1, 0, 4};
    assert_int_equal(dcs_dist_init_empirical(&d, values, weights, 4, &err), 0);
    assert_true(dcs_dist_mean(&d) == (30 * 3 + 10 + 50 * 4) / 8.0);
    assert_true(dcs_dist_cdf(&d, 9.99) == 0 && dcs_dist_cdf(&d, 10) == 0.125);
    assert_true(dcs_dist_cdf(&d, 29.99) == 0.125 && dcs_dist_cdf(&d, 30) == 0.5);
    assert_true(dcs_dist_cdf(&d, 50) == 1);

    /* Inversion, seen from the uniform that the sample takes. */
    struct dcs_rng rng, same;
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_NOISE, 0);
    same = rng;
    for (int i = 0; i < 10000; i++) {
        double u = dcs_rng_open(&same), x = dcs_dist_sample(&d, &rng);
        assert_true(x == (u < 0.125 ? 10 : u < 0.5 ? 30 : 50));
    }

    /* The order of the input does not matter, not even to the last bit. */
    const double v1[] = {1, 2, 2, 3, 5}, w1[] = {0.1, 0.7, 0.3, 1e-9, 0.2};
    const double v2[] = {5, 2, 3, 1, 2}, w2[] = {0.2, 0.3, 1e-9, 0.1, 0.7};
    dcs_dist_release(&d);
    assert_int_equal(dcs_dist_init_empirical(&d, v1, w1, 5, &err), 0);
    assert_int_equal(dcs_dist_init_empirical(&other, v2, w2, 5, &err), 0);
    assert_memory_equal(d.cumulative, other.cumulative, 5 * sizeof(double));
    assert_true(d.cumulative[4] == 1);
    dcs_dist_release(&d);
    dcs_dist_release(&other);

    assert_int_equal(dcs_dist_init_empirical(&d, values, NULL, 4, &err), 0);
    assert_true(dcs_dist_mean(&d) == 27.5);
    dcs_dist_release(&d);

    const double zero[] = {0, 0}, bad[] = {1, -1}, nan[] = {1, (double)NAN};
    assert_int_equal(dcs_dist_init_empirical(&d, values, NULL, 0, &err), -1);
    assert_int_equal(dcs_dist_init_empirical(&d, values, zero, 2, &err), -1);
    assert_int_equal(dcs_dist_init_empirical(&d, values, bad, 2, &err), -1);
    assert_int_equal(dcs_dist_init_empirical(&d, values, nan, 2, &err), -1);
    assert_int_equal(dcs_dist_init_empirical(&d, bad, NULL, 2, &err), -1);
    assert_int_equal(dcs_dist_init_empirical(&d, nan, NULL, 2, &err), -1);
    dcs_dist_release(&d);
}

/* ---- lognormal body, Pareto tail ---- */

static bool takes_tail(double median, double sigma, double from, double shape, double fraction,
                       double upper)
{
    struct dcs_dist d;
    struct dcs_err err = {0};
    int result =
        dcs_dist_init_lognormal_pareto(&d, median, sigma, from, shape, fraction, upper, &err);
    assert_true(result == 0 || (result == -1 && strstr(err.text, "lognormal_pareto") != NULL));
    return result == 0;
}

static void body_and_tail_ranges(void **state)
{
    (void)state;
    assert_true(takes_tail(10, 1, 50, 1.2, 0.1, 0));
    assert_true(takes_tail(10, 1, 50, 1.2, 0.1, nextafter(50, 51)));
    assert_true(takes_tail(10, 1, 50, 1.2, DBL_MIN, 0));
    assert_true(takes_tail(10, 1, 50, 1.2, nextafter(1, 0), 0));
    assert_true(takes_tail(1e12, 6, 50, 1.2, 0.1, 0)); /* the body far below its median */
    assert_false(takes(DCS_LOGNORMAL_PARETO, 10, 1, 50));
    const double bad[] = {0, -1, (double)NAN, INFINITY};
    for (size_t i = 0; i < 4; i++) {
        assert_false(takes_tail(bad[i], 1, 50, 1.2, 0.1, 0));
        assert_false(takes_tail(10, bad[i], 50, 1.2, 0.1, 0));
        assert_false(takes_tail(10, 1, bad[i], 1.2, 0.1, 0));
        assert_false(takes_tail(10, 1, 50, bad[i], 0.1, 0));
        assert_false(takes_tail(10, 1, 50, 1.2, bad[i], 0));
        assert_false(i > 0 && takes_tail(10, 1, 50, 1.2, 0.1, bad[i]));
    }
    assert_false(takes_tail(10, 1, 50, 1.2, 1, 0));
    assert_false(takes_tail(10, 1, 50, 1.2, 0.1, 50));
    assert_false(takes_tail(1e300, 0.1, 1e-300, 1.2, 0.1, 0)); /* nothing of the body is left */
}

/* Inversion, seen from the uniform that the sample takes: the body below 1 - fraction, the tail
 * above, both rising, neither beyond its end; and F of the sample is the uniform. */
static void body_and_tail_by_inversion(void **state)
{
    (void)state;
    for (int bounded = 0; bounded < 2; bounded++) {
        struct dcs_dist d;
        struct dcs_err err;
        double upper = bounded ? 900 : 0;
        assert_int_equal(dcs_dist_init_lognormal_pareto(&d, 10, 1.5, 40, 1.2, 0.2, upper, &err), 0);
        assert_true(fabs(d.body - 0.5 * erfc(-log(4) / 1.5 / sqrt(2))) < 1e-14);
        struct dcs_rng rng, same;
        dcs_rng_stream(&rng, 1, 0, DCS_RNG_NOISE, 3);
        same = rng;
        for (int i = 0; i < 10000; i++) {
            double u = dcs_rng_open(&same), sample = dcs_dist_sample(&d, &rng);
            assert_true(u < 0.8 ? sample <= 40 : sample >= 40 && (!bounded || sample <= 900));
            assert_true(fabs(dcs_dist_cdf(&d, sample) - u) < 1e-12);
        }
        assert_true(dcs_dist_cdf(&d, 0) == 0 && dcs_dist_cdf(&d, 1e300) == 1);
        assert_int_equal(uniforms(&d), 1);

        /* The mean as an integral over the uniform; of the unbounded tail by its formula. */
        double sum = 0, steps = 400000;
        for (double i = 0.5; i < steps; i++) {
            double p = i / steps * d.body;
            sum += 10 * exp(1.5 * dcs_normal_quantile(p)) / steps;
        }
        double a = 1.2, tail = 40 * a / (a - 1);
        if (bounded)
            tail = a * pow(40, a) / (1 - pow(40.0 / 900, a)) * (pow(900, 1 - a) - pow(40, 1 - a)) /
                   (1 - a);
        assert_true(fabs(dcs_dist_mean(&d) / (0.8 * sum + 0.2 * tail) - 1) < 1e-5);
    }
    struct dcs_dist d;
    struct dcs_err err;
    assert_int_equal(dcs_dist_init_lognormal_pareto(&d, 10, 1.5, 40, 1, 0.2, 0, &err), 0);
    assert_true(dcs_dist_mean(&d) == INFINITY);
}

/* A body far below the median of its lognormal is all but a power law; F is the uniform, and the
 * mean that of the quantiles, up to where its factors leave the doubles. */
static void body_far_below_its_median(void **state)
{
    (void)state;
    static const struct {
        double median, sigma;
    } cases[] = {{4e9, 5}, {1e40, 25}, {1e40, 33.5}, {1e40, 34}, {1e40, 60}, {1e12, 0.8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dcs_dist d;
        struct dcs_err err;
        struct dcs_rng rng, same;
        double median = cases[i].median, sigma = cases[i].sigma, sum = 0, steps = 200000;
        assert_int_equal(dcs_dist_init_lognormal_pareto(&d, median, sigma, 50, 1.2, 0.2, 900, &err),
                         0);
        dcs_rng_stream(&rng, 1, 0, DCS_RNG_NOISE, 4);
        same = rng;
        for (int k = 0; k < 2000; k++) {
            double u = dcs_rng_open(&same), sample = dcs_dist_sample(&d, &rng);
            assert_true(fabs(dcs_dist_cdf(&d, sample) - u) < 1e-9);
        }
        for (double k = 0.5; k < steps; k++)
            sum += median * exp(sigma * dcs_normal_quantile(k / steps * d.body)) / steps;
        double tail = 1.2 * pow(50, 1.2) / (1 - pow(50.0 / 900, 1.2)) *
                      (pow(900, -0.2) - pow(50, -0.2)) / -0.2;
        assert_true(fabs(dcs_dist_mean(&d) / (0.8 * sum + 0.2 * tail) - 1) < 1e-5);
    }
}

static void body_and_tail_bits(void **state)
{
    (void)state;
    uint64_t sum = 0;
    struct dcs_dist d;
    struct dcs_err err;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_NOISE, 77);
    assert_int_equal(dcs_dist_init_lognormal_pareto(&d, 12.5, 1.7, 90, 1.1, 0.15, 1e6, &err), 0);
    for (int i = 0; i < 20000; i++) {
        double x = i == 0 ? dcs_dist_mean(&d) : dcs_dist_sample(&d, &rng);
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        sum = (sum ^ bits) * 0x9E3779B97F4A7C15u;
        sum ^= sum >> 29;
    }
    print_message("checksum %016llx\n", (unsigned long long)sum);
    assert_true(sum == 0x0c49abefd3cf496du);
}

static void the_same_bits_everywhere(void **state)
{
    (void)state;
    uint64_t sum = 0;
    for (uint32_t kind = 0; kind < DCS_EMPIRICAL; kind++)
        for (double shape = 1.25; shape < 4; shape += 0.5) {
            struct dcs_dist d;
            struct dcs_err err;
            struct dcs_rng rng;
            dcs_rng_stream(&rng, 1, 0, DCS_RNG_NOISE, kind);
            assert_int_equal(
                dcs_dist_init_mean(&d, (enum dcs_dist_kind)kind, 1e6, shape, 1e9, &err), 0);
            for (int i = 0; i < 5000; i++) {
                double x = i == 0 ? dcs_dist_mean(&d) : dcs_dist_sample(&d, &rng);
                uint64_t bits;
                memcpy(&bits, &x, sizeof bits);
                sum = (sum ^ bits) * 0x9E3779B97F4A7C15u;
                sum ^= sum >> 29;
            }
        }
    print_message("checksum %016llx\n", (unsigned long long)sum);
    assert_true(sum == 0x864c33d31467135du);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges),
        cmocka_unit_test(means),
        cmocka_unit_test(means_of_parameters),
        cmocka_unit_test(distribution_functions),
        cmocka_unit_test(positions_stay_aligned),
        cmocka_unit_test(nanoseconds),
        cmocka_unit_test(empirical),
        cmocka_unit_test(body_and_tail_ranges),
        cmocka_unit_test(body_and_tail_by_inversion),
        cmocka_unit_test(body_far_below_its_median),
        cmocka_unit_test(body_and_tail_bits),
        cmocka_unit_test(the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
