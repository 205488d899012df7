/*
 * test_fit_block.c - what a config draws of the fits of a trace.
 *
 * Pins: how many jobs a block has, at which share of the epochs and in which batches, when a part
 * of the jobs has no fit of its durations, checked by drawing and dropping; the cap on jobs; which
 * fits beyond the limits of a config are missing, on both sides of each limit; that stays of whole
 * nanoseconds leave an MMPP-2 its mean rate. Does not pin: that a config takes what is written
 * (tests/e2e/trace_fit.sh).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "commands/trace_fit.h"

#include "models/workload/arrivals.h"

#include <math.h>

static double x[3] = {1, 2, 3};

/* Two classes: half of 60 latency jobs, and all of 40 batch jobs, have fits. */
static struct trace_fit sample(double scale)
{
    struct trace_fit f = {.arrivals = (size_t)(100 * scale), .both = true, .batch.mean = 1};
    f.all = (struct trace_fit_durations){.n = 100, .x_count = 70, .x = x};
    f.of_class[DCS_LATENCY] = (struct trace_fit_durations){.n = 60, .x_count = 30, .x = x};
    f.of_class[DCS_BATCH] = (struct trace_fit_durations){.n = 40, .x_count = 40, .x = x};
    f.arrivals_of_class[DCS_LATENCY] = (int64_t)(60 * scale);
    f.arrivals_of_class[DCS_BATCH] = (int64_t)(40 * scale);
    return f;
}

static void near(double found, double expected, double error)
{
    if (fabs(found - expected) > error)
        print_error("found %.9g, expected %.9g +- %g\n", found, expected, error);
    assert_true(fabs(found - expected) <= error);
}

static void by_class(void **state)
{
    (void)state;
    struct trace_fit f = sample(10);
    trace_fit_thin(&f);
    struct trace_fit_thinned t = trace_fit_thinned(&f);
    near(t.jobs, 700, 0);
    near(t.latency, 300.0 / 700, 1e-12);
    near(t.of_epochs, 0.7, 1e-12);
    near(t.batch_mean, 1, 0);
    /* Without durations of its own, a class is as all are. */
    f.both = false;
    f.all.x_count = 25;
    trace_fit_thin(&f);
    t = trace_fit_thinned(&f);
    near(t.jobs, 250, 0);
    near(t.latency, 0.6, 1e-12);
}

static void at_most(void **state)
{
    (void)state;
    struct trace_fit f = sample(1e7 / 70);
    trace_fit_thin(&f);
    assert_true(f.drawn <= FIT_JOBS_MAX);
    near(trace_fit_thinned(&f).jobs, 1e7, 1);
    f = sample(2e7 / 70);
    trace_fit_thin(&f);
    near(f.drawn, 2e7, 1);
    near(trace_fit_thinned(&f).jobs, 1e7, 0);
}

/* Hyperexponential batches of 4, of whose jobs 30 % are dropped by chance. */
static void as_by_chance(void **state)
{
    (void)state;
    enum { N = 400000 };
    const struct dcs_arrivals_spec spec = {
        .kind = DCS_ARRIVALS_HYPEREXPONENTIAL, .rate_per_s = 1, .scv = 6, .batch_mean = 4};
    struct dcs_arrivals a;
    struct dcs_err err;
    struct dcs_rng rng, chance;
    dcs_rng_stream(&rng, 3, 0, DCS_RNG_ARRIVALS, 0);
    dcs_rng_stream(&chance, 3, 0, DCS_RNG_NOISE, 0);
    assert_int_equal(dcs_arrivals_init(&a, &spec, &rng, &err), 0);
    double jobs = 0, epochs = 0, all_epochs = 0, sum = 0, squares = 0;
    int64_t last_ns = 0, kept_ns = 0;
    for (int i = 0; i < N; i++) {
        int64_t now_ns = dcs_arrivals_next(&a);
        all_epochs += i == 0 || now_ns > last_ns;
        last_ns = now_ns;
        if (dcs_rng_uniform(&chance) >= 0.7)
            continue;
        jobs++;
        if (epochs == 0 || now_ns > kept_ns) {
            double gap = (double)(now_ns - kept_ns) * 1e-9;
            epochs++;
            sum += gap;
            squares += gap * gap;
            kept_ns = now_ns;
        }
    }
    struct trace_fit f = sample(10);
    f.batch.mean = 4;
    f.best = DCS_FIT_HYPER_BALANCED;
    f.process[f.best].scv = 6;
    trace_fit_thin(&f);
    struct trace_fit_thinned t = trace_fit_thinned(&f);
    double mean = sum / epochs;
    near(t.batch_mean, jobs / epochs, 0.03);
    near(t.of_epochs, epochs / all_epochs, 0.005);
    near(t.scv, squares / epochs / (mean * mean) - 1, 0.25);
    assert_true(t.scv < 5.7); /* of those that are not thinned it is 6 */
}

static void limits_of_durations(void **state)
{
    (void)state;
    static const struct {
        enum dcs_fit_kind fit;
        enum dcs_dist_kind kind;
        double location, shape, longest;
        bool there;
    } cases[] = {
        {DCS_FIT_EXPONENTIAL, DCS_EXPONENTIAL, 4e9, 0, 5e9, true},
        {DCS_FIT_EXPONENTIAL, DCS_EXPONENTIAL, 4.1e9, 0, 5e9, false},
        {DCS_FIT_EXPONENTIAL, DCS_EXPONENTIAL, 1e-9, 0, 1, true},
        {DCS_FIT_EXPONENTIAL, DCS_EXPONENTIAL, 1e-10, 0, 1, false},
        {DCS_FIT_WEIBULL, DCS_WEIBULL, 10, 1e6, 20, true},
        {DCS_FIT_WEIBULL, DCS_WEIBULL, 10, 1.1e6, 20, false},
        {DCS_FIT_LOGNORMAL, DCS_LOGNORMAL, 10, 100, 20, true},
        {DCS_FIT_LOGNORMAL, DCS_LOGNORMAL, 10, 101, 20, false},
        {DCS_FIT_PARETO, DCS_PARETO, 10, 1, 4e9, true},
        {DCS_FIT_PARETO, DCS_PARETO, 10, 1, 4.1e9, false},
        {DCS_FIT_PARETO, DCS_PARETO, 10, 1, 10.000000001, true},
        {DCS_FIT_PARETO, DCS_PARETO, 10, 1, 10.0000000001, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace_fit_durations d = {.n = 1, .x_count = 1, .x = (double[]){cases[i].longest}};
        for (int kind = 0; kind < DCS_FITS; kind++)
            d.fits[kind].missing = "not looked at";
        d.fits[cases[i].fit] = (struct dcs_fit){.dist = {.kind = cases[i].kind,
                                                         .location = cases[i].location,
                                                         .shape = cases[i].shape}};
        trace_fit_drop_durations(&d);
        if ((d.fits[cases[i].fit].missing == NULL) != cases[i].there)
            fail_msg("case %zu: %s", i, cases[i].there ? d.fits[cases[i].fit].missing : "taken");
    }
}

static void limits_of_arrivals(void **state)
{
    (void)state;
    for (int beyond = 0; beyond < 2; beyond++) {
        struct trace_fit f = {0};
        double more = beyond ? 1.1 : 1;
        f.process[DCS_FIT_POISSON].rate_per_s = 1e9 * more;
        f.process[DCS_FIT_HYPER].scv = 1e7; /* is not drawn */
        f.process[DCS_FIT_HYPER_BALANCED].scv = 1e6 * more;
        f.process[DCS_FIT_MMPP2].stay_s[0] = 1;
        f.process[DCS_FIT_MMPP2].stay_s[1] = 1e9 * more;
        f.process[DCS_FIT_DAILY].daily_per_s[23] = 1e9 * more;
        trace_fit_drop_arrivals(&f);
        for (int kind = 0; kind < DCS_ARRIVALS_FITS; kind++)
            assert_int_equal(f.process[kind].missing == NULL, !beyond || kind == DCS_FIT_HYPER);
    }
}

static void stays_in_nanoseconds(void **state)
{
    (void)state;
    struct trace_fit f = {0};
    struct dcs_arrivals_fit *p = &f.process[DCS_FIT_MMPP2];
    *p = (struct dcs_arrivals_fit){.rates_per_s = {5e8, 2}, .stay_s = {2.4e-9, 0.1}};
    p->rate_per_s = (5e8 * 2.4e-9 + 2 * 0.1) / (2.4e-9 + 0.1);
    trace_fit_drop_arrivals(&f);
    assert_null(p->missing);
    assert_true(p->stay_s[0] == 2e-9 && p->stay_s[1] == 0.1);
    near((p->rates_per_s[0] * 2e-9 + p->rates_per_s[1] * 0.1) / (2e-9 + 0.1), p->rate_per_s, 1e-9);
    near(p->rates_per_s[0] / p->rates_per_s[1], 2.5e8, 1);
    /* A higher rate in a shorter stay may be beyond what a config takes. */
    *p = (struct dcs_arrivals_fit){
        .rate_per_s = 100, .rates_per_s = {0.9e9, 0}, .stay_s = {1.4e-9, 1.26e-2}};
    trace_fit_drop_arrivals(&f);
    assert_non_null(p->missing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_class),           cmocka_unit_test(at_most),
        cmocka_unit_test(as_by_chance),       cmocka_unit_test(limits_of_durations),
        cmocka_unit_test(limits_of_arrivals), cmocka_unit_test(stays_in_nanoseconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
