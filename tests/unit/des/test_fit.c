/*
 * test_fit.c - maximum-likelihood fits of durations.
 *
 * Pins: that each fit finds the parameters of its own generator, within 4 standard errors (theory's
 * where it is known); the KS distance, the likelihood and the AIC of cases worked out by hand, ties
 * included; that no body of a median up to the bound is likelier than the one that is fitted,
 * whatever the body is of; that the likelihood is the integral's: densities add up to the
 * distribution function; where a tail that was built begins; that the right kind is chosen, though
 * others that hold it are as likely; and what is answered to too few or equal values. Does not pin:
 * real traces (tests/e2e/trace_fit.sh).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/fit.h"
#include "des/fit_arrivals.h"
#include "des/stats.h"

#include <math.h>

#define ERRORS 4 /* standard errors allowed */

enum { N = 50000 };
static double x[N];

static void draw(const struct dcs_dist *d, size_t n, uint64_t entity)
{
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 77, 0, DCS_RNG_NOISE, entity);
    for (size_t i = 0; i < n; i++)
        x[i] = dcs_dist_sample(d, &rng);
    dcs_sort_doubles(x, n);
}

static struct dcs_dist make(enum dcs_dist_kind kind, double location, double shape)
{
    struct dcs_dist d;
    struct dcs_err err;
    assert_int_equal(dcs_dist_init(&d, kind, location, shape, 0, &err), 0);
    return d;
}

static void near(double found, double expected, double error)
{
    if (fabs(found - expected) > ERRORS * error)
        print_error("found %g, expected %g +- %g\n", found, expected, error);
    assert_true(fabs(found - expected) <= ERRORS * error);
}

/* ---- own generators ---- */

static void recovers_two_parameters(void **state)
{
    (void)state;
    const double root = sqrt(N);
    struct dcs_fit fit;
    struct dcs_dist d = make(DCS_EXPONENTIAL, 30, 0);
    draw(&d, N, 0);
    dcs_fit_exponential(x, N, &fit);
    near(fit.dist.location, 30, 30 / root);

    static const double shapes[] = {0.3, 1.5, 6};
    for (size_t i = 0; i < 3; i++) {
        d = make(DCS_PARETO, 5, shapes[i]);
        draw(&d, N, 1 + i);
        dcs_fit_pareto(x, N, 0, &fit);
        near(fit.dist.shape, shapes[i], shapes[i] / root);
        near(fit.dist.location, 5, 5 / (shapes[i] * N)); /* the least of N */
        dcs_fit_pareto(x, N, 5, &fit);
        assert_true(fit.dist.location == 5);
        near(fit.dist.shape, shapes[i], shapes[i] / root);

        d = make(DCS_LOGNORMAL, 40, shapes[i]);
        draw(&d, N, 4 + i);
        dcs_fit_lognormal(x, N, &fit);
        near(log(fit.dist.location), log(40), shapes[i] / root);
        near(fit.dist.shape, shapes[i], shapes[i] / sqrt(2) / root);

        /* Standard errors of the Weibull: 0.7797 k and 1.0530 / k of the log of the scale. */
        d = make(DCS_WEIBULL, 200, shapes[i]);
        draw(&d, N, 7 + i);
        dcs_fit_weibull(x, N, &fit);
        near(fit.dist.shape, shapes[i], 0.7797 * shapes[i] / root);
        near(log(fit.dist.location), log(200), 1.0530 / shapes[i] / root);
        assert_true(fit.ks < 1.63 / root); /* 1 of 100, fitted even fewer */
    }
}

static void recovers_body_and_tail(void **state)
{
    (void)state;
    static const struct {
        double median, sigma, from, shape, fraction, upper;
    } cases[] = {{20, 1.2, 100, 1.2, 0.15, 1e5}, {300, 0.8, 400, 0.9, 0.3, 1e6}};
    for (size_t i = 0; i < 2; i++) {
        struct dcs_dist d;
        struct dcs_err err;
        struct dcs_fit fit;
        assert_int_equal(dcs_dist_init_lognormal_pareto(&d, cases[i].median, cases[i].sigma,
                                                        cases[i].from, cases[i].shape,
                                                        cases[i].fraction, cases[i].upper, &err),
                         0);
        draw(&d, N, 20 + i);
        dcs_fit_body_tail(x, N, &fit);
        assert_null(fit.missing);
        /* Half a percent of steps, and their noise: the begin is known to about as much. */
        assert_true(fabs(fit.dist.tail_fraction - cases[i].fraction) < 0.011);
        assert_true(fabs(log(fit.dist.tail_from / cases[i].from)) < 0.06);
        near(fit.dist.tail_shape, cases[i].shape,
             cases[i].shape / sqrt(N * cases[i].fraction) + 0.005);
        assert_true(fabs(log(fit.dist.location / cases[i].median)) < 0.06);
        assert_true(fabs(fit.dist.shape / cases[i].sigma - 1) < 0.04);
        assert_true(fit.ks < 1.36 / sqrt(N));
        assert_true(fabs(dcs_dist_mean(&fit.dist) / dcs_dist_mean(&d) - 1) < 0.1);
        /* As likely as the truth, at least, but for the steps. */
        assert_true(fit.log_likelihood > dcs_fit_log_likelihood(x, N, &d) - 20);
    }
}

/* Of bodies of these medians before the tail of fit, that of the highest likelihood. */
static double likeliest_body(const struct dcs_fit *fit, size_t n, double least, double most)
{
    double best = -INFINITY;
    for (int i = 0; i <= 20; i++)
        for (double sigma = 0.25; sigma < 60; sigma *= 1.2) {
            struct dcs_dist d;
            struct dcs_err err;
            const struct dcs_dist *f = &fit->dist;
            if (dcs_dist_init_lognormal_pareto(&d, least * pow(most / least, i / 20.0), sigma,
                                               f->tail_from, f->tail_shape, f->tail_fraction,
                                               f->upper, &err) == 0)
                best = fmax(best, dcs_fit_log_likelihood(x, n, &d));
        }
    return best;
}

/* Fits n values at x: no other body is likelier, and those that have their median in them are less
 * likely by `worth`. */
static void fits_the_likeliest_body(size_t n, double worth, double median_least, double median_most)
{
    struct dcs_fit fit;
    dcs_sort_doubles(x, n);
    dcs_fit_body_tail(x, n, &fit);
    assert_null(fit.missing);
    double from = fit.dist.tail_from;
    double inside = likeliest_body(&fit, n, from * 1e-3, from);
    double outside = likeliest_body(&fit, n, from, DCS_FIT_MEDIAN_MOST);
    print_message("median %g, sigma %.3f before %g: %.2f; others %.2f, %.2f\n", fit.dist.location,
                  fit.dist.shape, from, fit.log_likelihood, inside, outside);
    assert_true(fit.log_likelihood >= fmax(inside, outside) - 1e-6);
    assert_true(fit.log_likelihood > inside + worth);
    assert_true(fit.dist.location >= median_least && fit.dist.location <= median_most);
}

static void fits_bodies_of_any_median(void **state)
{
    (void)state;
    enum { FEW = 2000 };
    struct dcs_dist d;
    struct dcs_err err;
    assert_int_equal(dcs_dist_init_lognormal_pareto(&d, 20, 1.2, 100, 1.2, 0.15, 1e5, &err), 0);
    draw(&d, FEW, 30);
    fits_the_likeliest_body(FEW, -1, 10, 40);
    /* Cut off at a quarter of its median. */
    assert_int_equal(dcs_dist_init_lognormal_pareto(&d, 400, 1.2, 100, 1.2, 0.3, 1e5, &err), 0);
    draw(&d, FEW, 31);
    fits_the_likeliest_body(FEW, 5, 150, 1e5);
    /* A power law, and one of two parts, each more dispersed than a lognormal of any median. */
    for (int parts = 1; parts <= 2; parts++) {
        struct dcs_rng rng;
        dcs_rng_stream(&rng, 78, 0, DCS_RNG_NOISE, (uint64_t)parts);
        for (size_t i = 0; i < FEW; i++) {
            double u = dcs_rng_open(&rng);
            x[i] = i % 3 == 0                ? 100 * pow(u, -1 / 1.2)
                   : parts == 1 || i % 8 > 0 ? 100 * pow(u, 1 / 0.7)
                                             : 0.01 * pow(u, 1 / 0.7);
        }
        fits_the_likeliest_body(FEW, 20, parts == 1 ? 1e4 : DCS_FIT_MEDIAN_MOST,
                                DCS_FIT_MEDIAN_MOST);
    }
}

static void finds_where_a_tail_begins(void **state)
{
    (void)state;
    /* 80 % uniform on (0, 100), 20 % Pareto from 100 on: flat, then a law of 1.5. */
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 5, 0, DCS_RNG_NOISE, 0);
    for (size_t i = 0; i < N; i++) {
        double u = dcs_rng_open(&rng);
        x[i] = i % 5 != 0 ? 100 * u : 100 * pow(u, -1 / 1.5);
    }
    dcs_sort_doubles(x, N);
    struct dcs_fit fit;
    dcs_fit_tail(x, N, &fit);
    print_message("x_min %.1f shape %.3f of %zu\n", fit.dist.location, fit.dist.shape, fit.n);
    assert_true(fit.dist.location > 90 && fit.dist.location < 150);
    near(fit.dist.shape, 1.5, 1.5 / sqrt((double)fit.n));
    dcs_fit_hill(x, N, &fit);
    assert_int_equal(fit.n, N / 10);
    near(fit.dist.shape, 1.5, 1.5 / sqrt(N / 10.0));
    assert_true(fit.ks < 1.36 / sqrt(N / 10.0));

    /* No place that is left out would have been better. */
    dcs_fit_tail(x, N, &fit);
    for (size_t first = 0; first + 500 < N; first += 97) {
        struct dcs_fit other;
        dcs_fit_pareto(x + first, N - first, 0, &other);
        assert_true(other.ks > fit.ks - 1e-4);
    }
}

/* ---- by hand ---- */

static void distances_by_hand(void **state)
{
    (void)state;
    /* F(x) = 1 - 1/x: 0, 1/2, 3/4. Below the second value F_n is 1/3, at it 2/3; the largest
     * distance is at the first, from 0 to 1/3, and at the last, from 3/4 to 1. */
    const double three[] = {1, 2, 4};
    struct dcs_dist d = make(DCS_PARETO, 1, 1);
    assert_true(fabs(dcs_fit_ks(three, 3, &d) - 1.0 / 3) < 1e-12);
    /* Ties: F_n jumps from 0 to 3/4 at 2, where F is 1/2. */
    const double ties[] = {2, 2, 2, 4};
    assert_true(fabs(dcs_fit_ks(ties, 4, &d) - 0.5) < 1e-12);

    struct dcs_fit fit;
    dcs_fit_exponential(three, 3, &fit);
    double mean = 7.0 / 3, likelihood = -3 * log(mean) - 3;
    assert_true(fabs(fit.dist.location - mean) < 1e-12);
    assert_true(fabs(fit.log_likelihood - likelihood) < 1e-12);
    assert_true(fabs(fit.aic - (2 - 2 * likelihood)) < 1e-12);
    dcs_fit_pareto(three, 3, 0, &fit);
    assert_true(fabs(fit.dist.shape - 3 / log(8)) < 1e-12);
    double a = 3 / log(8);
    assert_true(fabs(fit.log_likelihood - (3 * log(a) - (a + 1) * log(8))) < 1e-12);
    dcs_fit_lognormal(three, 3, &fit);
    assert_true(fabs(fit.dist.location - 2) < 1e-12);
    assert_true(fabs(fit.dist.shape - log(2) * sqrt(2.0 / 3)) < 1e-12);
}

/* Densities, by a fine sum, are the growth of the distribution function. */
static void densities_add_up(void **state)
{
    (void)state;
    struct dcs_dist d[5] = {make(DCS_EXPONENTIAL, 3, 0), make(DCS_PARETO, 1, 0.7),
                            make(DCS_WEIBULL, 4, 0.6), make(DCS_LOGNORMAL, 2, 1.3)};
    struct dcs_err err;
    assert_int_equal(dcs_dist_init_lognormal_pareto(&d[4], 2, 1.3, 6, 0.8, 0.2, 90, &err), 0);
    static const double from[] = {1.5, 7}, to[] = {5.5, 80};
    for (size_t k = 0; k < 5; k++)
        for (size_t i = 0; i < 2; i++) {
            double sum = 0, step = (to[i] - from[i]) / 20000;
            for (int j = 0; j < 20000; j++) {
                double at = from[i] + (j + 0.5) * step;
                sum += exp(dcs_fit_log_likelihood(&at, 1, &d[k])) * step;
            }
            double growth = dcs_dist_cdf(&d[k], to[i]) - dcs_dist_cdf(&d[k], from[i]);
            assert_true(fabs(sum / growth - 1) < 1e-6);
        }
}

/* ---- which is nearest ---- */

static void the_right_kind_wins(void **state)
{
    (void)state;
    static const struct {
        enum dcs_dist_kind kind;
        double location, shape;
        int best;
    } cases[] = {{DCS_EXPONENTIAL, 10, 0, DCS_FIT_EXPONENTIAL},
                 {DCS_PARETO, 10, 1.3, DCS_FIT_PARETO},
                 {DCS_WEIBULL, 10, 0.5, DCS_FIT_WEIBULL},
                 {DCS_LOGNORMAL, 10, 1.5, DCS_FIT_LOGNORMAL}};
    for (size_t i = 0; i < 4; i++) {
        struct dcs_dist d = make(cases[i].kind, cases[i].location, cases[i].shape);
        struct dcs_fit fits[DCS_FITS];
        draw(&d, 20000, 40 + i);
        dcs_fit_all(x, 20000, 0, fits);
        assert_int_equal(dcs_fit_best(fits), cases[i].best);
    }
}

static void too_few_or_equal(void **state)
{
    (void)state;
    struct dcs_fit fits[DCS_FITS];
    dcs_fit_all(x, 0, 0, fits);
    for (int kind = 0; kind < DCS_FITS; kind++)
        assert_non_null(fits[kind].missing);
    assert_int_equal(dcs_fit_best(fits), -1);

    static const size_t counts[] = {1, 2, 30, 5000};
    for (size_t k = 0; k < 4; k++) {
        for (size_t i = 0; i < counts[k]; i++)
            x[i] = 60;
        dcs_fit_all(x, counts[k], 0, fits);
        assert_int_equal(dcs_fit_best(fits), DCS_FIT_EXPONENTIAL);
        assert_true(fits[DCS_FIT_EXPONENTIAL].dist.location == 60);
        for (int kind = 1; kind < DCS_FITS; kind++)
            assert_non_null(fits[kind].missing);
    }
    /* Many of two values, far apart: a body of equal values has no spread, and the largest tenth
     * are equal; all others must be there. */
    for (size_t i = 0; i < 5000; i++)
        x[i] = i < 2500 ? 1 : 1e9;
    dcs_fit_all(x, 5000, 0, fits);
    for (int kind = 0; kind < DCS_FITS; kind++) {
        bool there = kind != DCS_FIT_BODY_TAIL && kind != DCS_FIT_HILL;
        assert_int_equal(fits[kind].missing == NULL, there);
        assert_true(!there ||
                    (isfinite(fits[kind].aic) && fits[kind].ks > 0.2 && fits[kind].ks <= 1));
    }
    assert_true(fabs(fits[DCS_FIT_LOGNORMAL].dist.location / sqrt(1e9) - 1) < 1e-9);
    assert_true(fabs(fits[DCS_FIT_PARETO].dist.shape - 2 / log(1e9)) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recovers_two_parameters),   cmocka_unit_test(recovers_body_and_tail),
        cmocka_unit_test(fits_bodies_of_any_median), cmocka_unit_test(finds_where_a_tail_begins),
        cmocka_unit_test(distances_by_hand),         cmocka_unit_test(densities_add_up),
        cmocka_unit_test(the_right_kind_wins),       cmocka_unit_test(too_few_or_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
