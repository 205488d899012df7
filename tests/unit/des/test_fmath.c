/*
 * test_fmath.c - exp, log, pow and the normal quantile.
 *
 * Pins: the error bounds that fmath.h states, against the 64-bit long doubles of libm, on random
 * arguments over the whole range and near every place where the argument reduction changes; limits,
 * zeros, infinities, subnormals; and, by a checksum over a million results, the bits themselves, so
 * that another compiler or processor that disagrees in one of them is found.
 * Does not pin: correct rounding.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/base.h"
#include "des/fmath.h"
#include "des/rng.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#define ULP_BOUND 0.9 /* measured: exp 0.870, log 0.830; fmath.h promises 2 */

/* Distance in units in the last place of the double nearest to the true value. */
static double ulps(double found, long double expected)
{
    double near = (double)expected;
    double ulp = fabs(near) < DBL_MIN ? 0x1p-1074 : nextafter(fabs(near), INFINITY) - fabs(near);
    return (double)(fabsl((long double)found - expected) / (long double)ulp);
}

static double between(struct dcs_rng *rng, double low, double high)
{
    return low + (high - low) * dcs_rng_uniform(rng);
}

static double worst_exp, worst_log;

static void check_exp(double x)
{
    double error = ulps(dcs_exp(x), expl((long double)x));
    worst_exp = error > worst_exp ? error : worst_exp;
}

static void check_log(double x)
{
    double error = ulps(dcs_log(x), logl((long double)x));
    worst_log = error > worst_log ? error : worst_log;
}

/* Calls check for the n doubles on each side of x. */
static void around(double x, int n, void (*check)(double))
{
    double above = x, below = x;
    for (int i = 0; i < n; i++) {
        check(above);
        check(below);
        above = nextafter(above, INFINITY);
        below = nextafter(below, -INFINITY);
    }
}

static void exp_error(void **state)
{
    (void)state;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_NOISE, 1);
    for (int i = 0; i < 400000; i++) {
        check_exp(between(&rng, -708, 709.7));
        check_exp(between(&rng, -1, 1));
        check_exp(between(&rng, -1, 1) * pow(2, between(&rng, -60, 0)));
    }
    for (int k = -1020; k <= 1022; k++) /* where the reduction steps, and where it has r = 0 */
        around((k + 0.5) * log(2), 20, check_exp), around(k * log(2), 20, check_exp);
    print_message("exp: %.3f ulp\n", worst_exp);
    assert_true(worst_exp < ULP_BOUND);

    worst_exp = 0; /* subnormal results: two roundings */
    for (int i = 0; i < 200000; i++)
        check_exp(between(&rng, -745.13, -708));
    assert_true(worst_exp < 1.5);
}

static void log_error(void **state)
{
    (void)state;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_NOISE, 2);
    for (int i = 0; i < 400000; i++) {
        check_log(between(&rng, 0x1p-60, 1));
        check_log(between(&rng, 0.5, 2));
        check_log(ldexp(between(&rng, 1, 2), (int)dcs_rng_below(&rng, 2000) - 1000));
        check_log(ldexp(between(&rng, 1, 2), -1022 - (int)dcs_rng_below(&rng, 52)));
        check_log(1 + between(&rng, -1, 1) * pow(2, between(&rng, -50, 0)));
    }
    around(nextafter(1, 2), 1000, check_log);
    for (int k = -1021; k <= 1022; k++)
        around(ldexp(1, k) * sqrt(2), 20, check_log), around(ldexp(1, k), 20, check_log);
    print_message("log: %.3f ulp\n", worst_log);
    assert_true(worst_log < ULP_BOUND);
}

static void pow_error(void **state)
{
    (void)state;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_NOISE, 3);
    double worst = 0;
    for (int i = 0; i < 1000000; i++) {
        double x = ldexp(between(&rng, 1, 2), (int)dcs_rng_below(&rng, 200) - 100);
        double y = between(&rng, -7, 7);
        long double expected = powl((long double)x, (long double)y);
        if (expected > DBL_MAX || expected < DBL_MIN)
            continue;
        double error = (double)(fabsl((long double)dcs_pow(x, y) - expected) / expected);
        double bound = (2 + 1.5 * fabs(y * log(x))) * 0x1p-52;
        worst = error / bound > worst ? error / bound : worst;
    }
    print_message("pow: %.3f of its bound\n", worst);
    assert_true(worst < 1);
}

static void edges(void **state)
{
    (void)state;
    assert_true(dcs_exp(0) == 1 && dcs_exp(-0.0) == 1 && dcs_exp(1e-300) == 1);
    assert_true(dcs_exp(INFINITY) == INFINITY && dcs_exp(-INFINITY) == 0);
    assert_true(isnan(dcs_exp((double)NAN)));
    /* The last argument that has a finite value, and the next. */
    assert_true(isfinite(dcs_exp(0x1.62e42fefa39efp+9)));
    assert_true(dcs_exp(nextafter(0x1.62e42fefa39efp+9, INFINITY)) == INFINITY);
    assert_true(ulps(dcs_exp(0x1.62e42fefa39efp+9), expl(0x1.62e42fefa39efp+9L)) < 1);
    assert_true(dcs_exp(-745.13) == 0x1p-1074);
    assert_true(dcs_exp(-745.14) == 0 && dcs_exp(-1e300) == 0);

    assert_true(dcs_log(1) == 0 && !signbit(dcs_log(1)));
    assert_true(dcs_log(0) == -INFINITY && dcs_log(-0.0) == -INFINITY);
    assert_true(dcs_log(INFINITY) == INFINITY);
    assert_true(isnan(dcs_log(-1)) && isnan(dcs_log(-INFINITY)) && isnan(dcs_log((double)NAN)));
    assert_true(ulps(dcs_log(0x1p-1074), logl(0x1p-1074L)) < 1);
    assert_true(ulps(dcs_log(DBL_MAX), logl((long double)DBL_MAX)) < 1);

    assert_true(dcs_pow(0, 2) == 0 && dcs_pow(0, 0) == 1 && dcs_pow(1, 1e300) == 1);
    assert_true(dcs_pow(1, (double)INFINITY) == 1 && dcs_pow(5, 0) == 1);
    assert_true(dcs_pow(10, 400) == INFINITY && dcs_pow(10, -400) == 0);
    assert_true(isnan(dcs_pow(-1, 2)));
}

static void never_falls(void **state)
{
    (void)state;
    double before = 0;
    for (double x = -40; x < 40; x += 0x1p-12) {
        assert_true(dcs_exp(x) > before);
        before = dcs_exp(x);
    }
    before = -INFINITY;
    for (double x = 0x1p-20; x < 40; x += 0x1p-12) {
        assert_true(dcs_log(x) > before);
        before = dcs_log(x);
    }
}

/* P(Q(p)) = p through GSL's distribution function; the derivative turns an error of x into one of
 * p. */
static void quantile(void **state)
{
    (void)state;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_NOISE, 4);
    double worst = 0;
    for (int i = 0; i < 400000; i++) {
        double p = i % 2 == 0 ? dcs_rng_open(&rng) : pow(10, between(&rng, -300, -0.31));
        double x = dcs_normal_quantile(p);
        double density = exp(-0.5 * x * x) / sqrt(2 * M_PI);
        double back = x < 0 ? gsl_cdf_ugaussian_P(x) - p : (1 - p) - gsl_cdf_ugaussian_Q(x);
        double error = fabs(back) / density / (fabs(x) > 1 ? fabs(x) : 1);
        worst = error > worst ? error : worst;
    }
    print_message("normal quantile: %.2e\n", worst);
    assert_true(worst < 4e-15);

    assert_true(dcs_normal_quantile(0.5) == 0);
    assert_true(fabs(dcs_normal_quantile(0.975) - 1.959963984540054) < 1e-14);
    assert_true(fabs(dcs_normal_quantile(1e-20) + 9.262340089798408) < 1e-13);
    for (double p = 0x1p-30; p < 0.5; p *= 1.01) {
        double upper =
            1 - p; /* rounds, so that its own distance from 1 is the one to compare with */
        assert_true(dcs_normal_quantile(upper) == -dcs_normal_quantile(1 - upper));
    }
    assert_true(dcs_normal_quantile(0) == -INFINITY && dcs_normal_quantile(1) == INFINITY);
    assert_true(isnan(dcs_normal_quantile(-0.1)) && isnan(dcs_normal_quantile(1.1)) &&
                isnan(dcs_normal_quantile((double)NAN)));
}

static void mix(uint64_t *sum, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    *sum = (*sum ^ bits) * 0x9E3779B97F4A7C15u;
    *sum ^= *sum >> 29;
}

static void the_same_bits_everywhere(void **state)
{
    (void)state;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_NOISE, 5);
    uint64_t sum = 0;
    for (int i = 0; i < 250000; i++) {
        double u = dcs_rng_open(&rng);
        mix(&sum, dcs_exp(1490 * u - 747));
        mix(&sum, dcs_log(u));
        mix(&sum, dcs_pow(u, 20 * u - 10));
        mix(&sum, dcs_normal_quantile(u));
    }
    print_message("checksum %016llx\n", (unsigned long long)sum);
    assert_true(sum == 0xacaccd9c02ad3fb3u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_error),
        cmocka_unit_test(log_error),
        cmocka_unit_test(pow_error),
        cmocka_unit_test(edges),
        cmocka_unit_test(never_falls),
        cmocka_unit_test(quantile),
        cmocka_unit_test(the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
