/*
 * test_fit_arrivals.c - fits of arrival processes against arrivals of models/workload/arrivals.h.
 *
 * Pins: that each fit finds the parameters of its own process within 4 standard errors (of theory
 * for rates; stated tolerances for the others); that the likelihood of an MMPP-2 with two equal
 * rates is Poisson's; that each fit has the mean rate of the arrivals, whatever process they are
 * of, and what is drawn from an MMPP-2 fit too; that an MMPP-2 is no worse than a hyperexponential;
 * the numbers per tick of batches against a sum over the batches, and their mean from a clock of
 * whole seconds, where chance puts batches together too; that epochs are as many as there were
 * batches, and without spread stand where the clock says; the index of dispersion and the hourly KS
 * by hand. Does not pin: real traces (tests/e2e/trace_fit.sh).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/fit_arrivals.h"
#include "models/workload/arrivals.h"

#include <math.h>

#define ERRORS 4

enum { N = 40000 };
static double at[N];
static int64_t ticks[N];

static void draw(const struct dcs_arrivals_spec *spec, size_t n, uint64_t entity)
{
    struct dcs_arrivals a;
    struct dcs_err err;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 3, 0, DCS_RNG_ARRIVALS, entity);
    assert_int_equal(dcs_arrivals_init(&a, spec, &rng, &err), 0);
    for (size_t i = 0; i < n; i++)
        at[i] = (double)dcs_arrivals_next(&a) * 1e-9;
}

static void near(double found, double expected, double error)
{
    if (fabs(found - expected) > ERRORS * error)
        print_error("found %g, expected %g +- %g\n", found, expected, error);
    assert_true(fabs(found - expected) <= ERRORS * error);
}

static void poisson(void **state)
{
    (void)state;
    const struct dcs_arrivals_spec spec = {.kind = DCS_ARRIVALS_POISSON, .rate_per_s = 0.2};
    struct dcs_arrivals_fit fits[DCS_ARRIVALS_FITS];
    draw(&spec, N, 0);
    dcs_fit_arrivals_all(at, N, fits);
    near(fits[DCS_FIT_POISSON].rate_per_s, 0.2, 0.2 / sqrt(N));
    assert_true(fits[DCS_FIT_POISSON].ks < 1.36 / sqrt(N));
    /* Nothing explains it better than by what its parameters cost. */
    for (int kind = DCS_FIT_HYPER; kind < DCS_ARRIVALS_FITS; kind++) {
        assert_null(fits[kind].missing);
        assert_true(fits[kind].aic > fits[DCS_FIT_POISSON].aic - 6);
    }
    near(dcs_dispersion(at, N, 60), 1, sqrt(2 / (at[N - 1] / 60)));
}

static void hyperexponential(void **state)
{
    (void)state;
    const struct dcs_arrivals_spec spec = {
        .kind = DCS_ARRIVALS_HYPEREXPONENTIAL, .rate_per_s = 2, .scv = 6};
    struct dcs_arrivals_fit fit;
    draw(&spec, N, 1);
    /* Balanced means: p = (1 + sqrt(5/7)) / 2, rates 2 p 2 and 2 q 2. */
    double p = (1 + sqrt(5.0 / 7)) / 2;
    dcs_fit_hyper(at, N, &fit);
    near(fit.rate_per_s, 2, 2 * sqrt(6.0 / N));
    near(fit.share, p, 0.006);
    assert_true(fabs(fit.rates_per_s[0] / (4 * p) - 1) < 0.04);
    assert_true(fabs(fit.rates_per_s[1] / (4 * (1 - p)) - 1) < 0.06);
    assert_true(fabs(fit.scv / 6 - 1) < 0.1);
    assert_true(fit.ks < 1.36 / sqrt(N));
    double free_likelihood = fit.log_likelihood;
    dcs_fit_hyper_balanced(at, N, &fit);
    assert_true(fabs(fit.scv / 6 - 1) < 0.08);
    near(fit.rate_per_s, 2, 2 * sqrt(6.0 / N));
    assert_true(fit.log_likelihood <= free_likelihood + 0.1);
    assert_true(fit.log_likelihood > free_likelihood - 8);
}

static void mmpp2(void **state)
{
    (void)state;
    const struct dcs_arrivals_spec spec = {
        .kind = DCS_ARRIVALS_MMPP2, .rates_per_s = {5, 0.5}, .stay_ns = {20000000000, 60000000000}};
    struct dcs_arrivals_fit fits[DCS_ARRIVALS_FITS];
    draw(&spec, N, 2);
    dcs_fit_arrivals_all(at, N, fits);
    const struct dcs_arrivals_fit *fit = &fits[DCS_FIT_MMPP2];
    print_message("MMPP-2: %g/s for %g s, %g/s for %g s\n", fit->rates_per_s[0], fit->stay_s[0],
                  fit->rates_per_s[1], fit->stay_s[1]);
    /* About 310 stays of each kind: 6 % each. */
    near(fit->rates_per_s[0], 5, 5 / sqrt(N * 0.75));
    near(fit->rates_per_s[1], 0.5, 0.5 / sqrt(N * 0.2));
    near(fit->stay_s[0], 20, 20 * 0.06);
    near(fit->stay_s[1], 60, 60 * 0.06);
    /* Gaps are correlated, so that the distance may be some larger than 1.36 / sqrt n. */
    assert_true(fit->ks < 3 / sqrt(N) && fits[DCS_FIT_POISSON].ks > 0.1);
    for (int kind = 0; kind < DCS_ARRIVALS_FITS; kind++)
        assert_true(kind == DCS_FIT_MMPP2 || fits[kind].missing != NULL ||
                    fits[kind].aic > fit->aic + 100);

    /* With equal rates it is a Poisson process, whatever the stays: so the best of a Poisson's gaps
     * is not below Poisson's own likelihood, and no more above it than three parameters bring. */
    const struct dcs_arrivals_spec even = {.kind = DCS_ARRIVALS_POISSON, .rate_per_s = 3};
    draw(&even, 5000, 3);
    dcs_fit_arrivals_all(at, 5000, fits);
    double gain = fit->log_likelihood - fits[DCS_FIT_POISSON].log_likelihood;
    assert_true(gain > -0.01 && gain < 10);
}

/* Of MMPP-2 arrivals in t s: the variance of their number over t, for t of many stays (H. Heffes,
 * D. Lucantoni, IEEE J. on Selected Areas in Communications 4(6), 1986). */
static double mmpp_variance_per_s(const struct dcs_arrivals_fit *fit)
{
    double a = fit->rates_per_s[0], b = fit->rates_per_s[1];
    double leave = 1 / fit->stay_s[0], back = 1 / fit->stay_s[1], both = leave + back;
    double mean = (a * back + b * leave) / both;
    return mean + 2 * (a - b) * (a - b) * leave * back / (both * both * both);
}

/* The parameters have the mean rate of at, and so have arrivals that are drawn from them. */
static void keeps_mean_rate(size_t n, uint64_t entity)
{
    struct dcs_arrivals_fit fits[DCS_ARRIVALS_FITS];
    double rate = (double)(n - 1) / (at[n - 1] - at[0]);
    dcs_fit_arrivals_all(at, n, fits);
    const struct dcs_arrivals_fit *free_hyper = &fits[DCS_FIT_HYPER], *fit = &fits[DCS_FIT_MMPP2];
    double stays = fit->stay_s[0] + fit->stay_s[1];
    double mean = (fit->rates_per_s[0] * fit->stay_s[0] + fit->rates_per_s[1] * fit->stay_s[1]);
    print_message("MMPP-2: %g/s for %g s, %g/s for %g s: %.12g/s of %.12g\n", fit->rates_per_s[0],
                  fit->stay_s[0], fit->rates_per_s[1], fit->stay_s[1], mean / stays, rate);
    assert_true(fabs(mean / stays / rate - 1) < 1e-12);
    for (int kind = 0; kind < DCS_FIT_DAILY; kind++)
        assert_true(fabs(fits[kind].rate_per_s / rate - 1) < 1e-8);
    double branches = free_hyper->share / free_hyper->rates_per_s[0] +
                      (1 - free_hyper->share) / free_hyper->rates_per_s[1];
    assert_true(fabs(branches * rate - 1) < 1e-8);
    /* A quiet state makes it a hyperexponential. */
    assert_true(fit->log_likelihood >
                free_hyper->log_likelihood - 1e-6 * fabs(fit->log_likelihood));

    struct dcs_arrivals_spec spec = {.kind = DCS_ARRIVALS_MMPP2};
    for (int i = 0; i < 2; i++) {
        spec.rates_per_s[i] = fit->rates_per_s[i];
        spec.stay_ns[i] = (int64_t)(fit->stay_s[i] * 1e9 + 0.5);
    }
    double error = sqrt(mmpp_variance_per_s(fit) / (N / rate));
    draw(&spec, N, entity);
    near(N / at[N - 1], rate, error);
}

static void mean_rate(void **state)
{
    (void)state;
    /* Bursts of 1 to 9, 3 us apart, and a second between: the gaps are of a hyperexponential, and
     * of no process that is fitted. */
    double now = 0;
    size_t n = 0;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 3, 0, DCS_RNG_NOISE, 0);
    while (n < N / 4) {
        now += -log(dcs_rng_open(&rng));
        for (int left = 1 + (int)(9 * dcs_rng_uniform(&rng)); left > 0 && n < N / 4; left--)
            at[n++] = now += -3e-6 * log(dcs_rng_open(&rng));
    }
    keeps_mean_rate(N / 4, 20);
    /* A rate that falls from 20/s to 1/s, in steps that a process of two rates cannot follow. */
    now = 0;
    for (n = 0; n < N / 4; n++)
        at[n] = now += -log(dcs_rng_open(&rng)) / (1 + 19 * pow(1 - (double)n / (N / 4.0), 3));
    keeps_mean_rate(N / 4, 21);
    /* Pareto gaps without a variance. */
    now = 0;
    for (n = 0; n < N / 4; n++)
        at[n] = now += pow(dcs_rng_open(&rng), -1 / 1.3);
    keeps_mean_rate(N / 4, 22);
}

/* Hours of the day that the arrivals have more often than others count as often: so what the rates
 * expect over the time of the arrivals is their number. */
static void daily_number(void **state)
{
    (void)state;
    struct dcs_arrivals_fit fit;
    for (size_t i = 0; i < N; i++) /* 38 hours from 5:00 on, denser and denser */
        at[i] = 5 * 3600 + 38 * 3600.0 * sqrt((double)i / (N - 1));
    dcs_fit_daily(at, N, &fit);
    double expected = 0;
    for (int hour = 5; hour < 43; hour++)
        expected += 3600 * fit.daily_per_s[hour % 24];
    assert_true(fabs(expected / (N - 1) - 1) < 1e-9);
}

static void daily(void **state)
{
    (void)state;
    struct dcs_arrivals_spec spec = {.kind = DCS_ARRIVALS_DAILY, .day_ns = 86400000000000};
    for (int slot = 0; slot < DCS_ARRIVALS_SLOTS; slot++)
        spec.daily_per_s[slot] = slot == 4 ? 0 : 0.01 * (1 + slot % 7);
    struct dcs_arrivals_fit fits[DCS_ARRIVALS_FITS];
    draw(&spec, N, 4);
    dcs_fit_arrivals_all(at, N, fits);
    double days = at[N - 1] / 86400;
    for (int slot = 0; slot < DCS_ARRIVALS_SLOTS; slot++) {
        double rate = spec.daily_per_s[slot];
        near(fits[DCS_FIT_DAILY].daily_per_s[slot], rate, sqrt(rate / (3600 * (days - 1))));
    }
    for (int kind = 0; kind < DCS_FIT_DAILY; kind++)
        assert_true(fits[kind].aic > fits[DCS_FIT_DAILY].aic);
    /* One second short of a day. */
    for (size_t i = 0; i < 100; i++)
        at[i] = 86399.0 / 99 * (double)i;
    dcs_fit_daily(at, 100, &fits[DCS_FIT_DAILY]);
    assert_non_null(fits[DCS_FIT_DAILY].missing);
    for (size_t i = 0; i < 100; i++)
        at[i] = 86400.0 / 99 * (double)i;
    dcs_fit_daily(at, 100, &fits[DCS_FIT_DAILY]);
    assert_null(fits[DCS_FIT_DAILY].missing);
}

/* ---- batches ---- */

/* P(n): a Poisson number k of batches, whose sizes add up to n in C(n - 1, k - 1) ways. */
static double by_batches(size_t n, double l, double b)
{
    double q = 1 - 1 / b, sum = n == 0 ? exp(-l) : 0;
    for (size_t k = 1; k <= n; k++)
        sum += exp((double)k * log(l) - l - lgamma((double)k + 1) + lgamma((double)n) -
                   lgamma((double)k) - lgamma((double)(n - k) + 1)) *
               pow(1 - q, (double)k) * pow(q, (double)(n - k));
    return sum;
}

static void numbers_per_tick(void **state)
{
    (void)state;
    static const double ls[] = {0.001, 0.3, 4}, bs[] = {1, 1.5, 8};
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++) {
            double all = 0;
            for (size_t n = 0; n < 60; n++) {
                double p = exp(dcs_polya_aeppli(n, ls[i], bs[k])),
                       other = by_batches(n, ls[i], bs[k]);
                assert_true(fabs(p - other) <= 1e-9 * other);
                all += p;
            }
            assert_true(all < 1 + 1e-9 && (all > 0.999 || ls[i] * bs[k] > 3));
        }
    /* Far beyond what a double can hold, from either side. */
    assert_true(isfinite(dcs_polya_aeppli(20000, 1e-9, 1.01)));
    assert_true(isfinite(dcs_polya_aeppli(20000, 5000, 4)));
}

static void batches(void **state)
{
    (void)state;
    /* At 0.05 epochs a second few share one by chance, at 2 nearly all do. */
    static const struct {
        double rate_per_s, mean;
    } cases[] = {{0.05, 3}, {2, 3}, {2, 1}, {0.05, 1}, {0.3, 20}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct dcs_arrivals_spec spec = {.kind = DCS_ARRIVALS_POISSON,
                                               .rate_per_s = cases[i].rate_per_s,
                                               .batch_mean = cases[i].mean};
        draw(&spec, N, 10 + i);
        double epochs = 1;
        for (size_t k = 0; k < N; k++) {
            ticks[k] = (int64_t)at[k];
            epochs += k > 0 && at[k] > at[k - 1];
        }
        struct dcs_batch_fit fit;
        struct dcs_rng rng;
        dcs_rng_stream(&rng, 1, 0, DCS_RNG_NOISE, i);
        dcs_fit_batches(ticks, N, 1, &fit);
        size_t found = dcs_fit_epochs(ticks, N, 1, fit.mean, true, &rng, at);
        print_message("%g/s in batches of %g: found %.3f, %zu of %.0f\n", cases[i].rate_per_s,
                      cases[i].mean, fit.mean, found, epochs);
        if (cases[i].mean == 1) {
            assert_true(fit.mean == 1 && found == N);
        } else {
            /* Of a geometric mean b over so many batches: sqrt(b (b - 1) / batches); what chance
             * puts together costs up to as much again. */
            near(fit.mean, cases[i].mean, 1.5 * sqrt(cases[i].mean * (cases[i].mean - 1) / epochs));
            near((double)found, epochs, 1.5 * sqrt(epochs));
        }
        for (size_t k = 1; k < found; k++)
            assert_true(at[k] >= at[k - 1]);
    }
}

/* Without spread, epochs stand where the clock says, and are as many as with it. */
static void epochs_without_spread(void **state)
{
    (void)state;
    double spread[300], bare[300];
    for (size_t i = 0; i < 300; i++)
        ticks[i] = (int64_t)(i / 3);
    for (int b = 1; b <= 3; b += 2) {
        struct dcs_rng rng;
        dcs_rng_stream(&rng, 1, 0, DCS_RNG_NOISE, 0);
        size_t n = dcs_fit_epochs(ticks, 300, 5, b, false, &rng, bare);
        assert_true(b == 1 ? n == 300 : n >= 100 && n < 300);
        for (size_t i = 0; i < n; i++)
            assert_true(fmod(bare[i], 5) == 0);
        size_t inside = 0;
        n = dcs_fit_epochs(ticks, 300, 5, b, true, &rng, spread);
        for (size_t i = 0; i < n; i++)
            inside += fmod(spread[i], 5) > 0;
        assert_int_equal(inside, n);
    }
}

/* ---- counts ---- */

static void counts_by_hand(void **state)
{
    (void)state;
    /* Windows of 10 s from 100 s on: 3, 0, 1 arrivals; the fourth is not whole. */
    const double some[] = {100, 101, 109, 125, 131};
    double mean = 4.0 / 3, variance = (9 + 0 + 1) / 3.0 - mean * mean;
    assert_true(fabs(dcs_dispersion(some, 5, 10) - variance / mean) < 1e-12);
    assert_true(isnan(dcs_dispersion(some, 5, 16)));
    assert_true(isnan(dcs_dispersion(some, 0, 16)));

    /* Two hours of even gaps of 10 s: an exponential of their mean is 1 - 1/e below them, at the
     * jump. The third hour has too few. */
    size_t n = 0, hours;
    for (; n < 720; n++)
        at[n] = 10.0 * (double)n;
    for (; n < 740; n++)
        at[n] = 7200 + 5.0 * (double)(n - 720);
    assert_true(fabs(dcs_hourly_ks(at, n, 100, &hours) - (1 - exp(-1))) < 1e-9);
    assert_int_equal(hours, 2);
    assert_true(isnan(dcs_hourly_ks(at, n, 1000, &hours)));
    assert_int_equal(hours, 0);
}

static void too_few_or_at_once(void **state)
{
    (void)state;
    struct dcs_arrivals_fit fits[DCS_ARRIVALS_FITS];
    for (size_t i = 0; i < 500; i++) {
        at[i] = 1000;
        ticks[i] = 1000;
    }
    static const size_t counts[] = {0, 1, 10, 500};
    for (size_t k = 0; k < 4; k++) {
        dcs_fit_arrivals_all(at, counts[k], fits);
        for (int kind = 0; kind < DCS_ARRIVALS_FITS; kind++)
            assert_non_null(fits[kind].missing);
        struct dcs_batch_fit batch;
        struct dcs_rng rng;
        double epochs[500];
        dcs_rng_stream(&rng, 1, 0, DCS_RNG_NOISE, 0);
        dcs_fit_batches(ticks, counts[k], 1, &batch);
        assert_true(batch.mean >= 1);
        assert_true(dcs_fit_epochs(ticks, counts[k], 1, batch.mean, true, &rng, epochs) <=
                    counts[k]);
    }
    /* Many at few instants without jitter: gaps of 0. All but the daily rate are there. */
    for (size_t i = 0; i < 500; i++)
        at[i] = (double)(i / 50);
    dcs_fit_arrivals_all(at, 500, fits);
    for (int kind = 0; kind < DCS_ARRIVALS_FITS; kind++) {
        assert_int_equal(fits[kind].missing == NULL, kind != DCS_FIT_DAILY);
        assert_true(kind == DCS_FIT_DAILY || isfinite(fits[kind].aic));
    }
    assert_true(fabs(fits[DCS_FIT_POISSON].rate_per_s - 499.0 / 9) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poisson),
        cmocka_unit_test(hyperexponential),
        cmocka_unit_test(mmpp2),
        cmocka_unit_test(mean_rate),
        cmocka_unit_test(daily),
        cmocka_unit_test(daily_number),
        cmocka_unit_test(numbers_per_tick),
        cmocka_unit_test(batches),
        cmocka_unit_test(epochs_without_spread),
        cmocka_unit_test(counts_by_hand),
        cmocka_unit_test(too_few_or_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
