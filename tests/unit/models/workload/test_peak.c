/*
 * test_peak.c - the highest load that a service bears alone, where queueing theory knows it.
 *
 * Pins: M/M/1 and M/D/1 within the error of the sample, that an SLA below the work is infeasible,
 * that no SLA makes more work than time bearable, that the rate grows with the SLA, that the same
 * question has the same answer to the bit. Does not pin: work that is correlated from request to
 * request.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/fmath.h"
#include "des/rng.h"
#include "models/workload/peak.h"

#include <math.h>
#include <string.h>

#define MEAN_NS 1000000.0

static int64_t exponential(void *context, uint64_t index)
{
    struct dcs_rng rng;
    (void)context;
    dcs_rng_point(&rng, 7, 0, DCS_RNG_SERVICE, 0, index, 0, 0);
    return 1 + (int64_t)(-dcs_log(dcs_rng_open(&rng)) * MEAN_NS);
}

static int64_t constant(void *context, uint64_t index)
{
    (void)context;
    (void)index;
    return (int64_t)MEAN_NS;
}

/* Response times of M/M/1 are exponential with rate mu - lambda. */
static void mm1_agrees_with_theory(void **state)
{
    (void)state;
    for (double sla = 10; sla <= 40; sla *= 2) {
        double want = 1e9 / MEAN_NS * (1 - log(100) / sla);
        double got = dcs_peak_rate_per_s(exponential, NULL, (int64_t)(sla * MEAN_NS), 0.99, 1);
        assert_true(fabs(got / want - 1) < 0.03);
    }
}

/* Waiting in M/D/1 (Erlang): P(W <= t) = (1 - rho) sum over j <= t of (rho (j - t))^j / j! *
 * exp(-rho (j - t)), t in units of the work. */
static double md1_waits_at_most(double rho, double t)
{
    double sum = 0, factorial = 1;
    for (int j = 0; j <= (int)t; j++) {
        factorial *= j > 0 ? j : 1;
        sum += pow(rho * (j - t), j) / factorial * exp(-rho * (j - t));
    }
    return (1 - rho) * sum;
}

static void md1_agrees_with_theory(void **state)
{
    (void)state;
    for (int sla = 2; sla <= 5; sla++) {
        double got = dcs_peak_rate_per_s(constant, NULL, (int64_t)(sla * MEAN_NS), 0.99, 1);
        double low = 0, high = 1;
        for (int i = 0; i < 50; i++) {
            double middle = (low + high) / 2;
            if (md1_waits_at_most(middle, sla - 1) >= 0.99)
                low = middle;
            else
                high = middle;
        }
        assert_true(fabs(got / (low * 1e9 / MEAN_NS) - 1) < 0.03);
    }
}

static void an_sla_below_the_work_is_infeasible(void **state)
{
    (void)state;
    assert_true(dcs_peak_rate_per_s(constant, NULL, (int64_t)MEAN_NS - 1, 0.99, 1) == 0);
    assert_true(dcs_peak_rate_per_s(constant, NULL, (int64_t)MEAN_NS + 1, 0.99, 1) > 0);
}

/* More work than time is never borne for long, however long the SLA. */
static void no_sla_bears_more_work_than_time(void **state)
{
    (void)state;
    for (int64_t sla = 1000; sla <= 1000000; sla *= 10) {
        double got = dcs_peak_rate_per_s(constant, NULL, sla * (int64_t)MEAN_NS, 0.99, 1);
        assert_true(got <= 1e9 / MEAN_NS * (1 + 1e-9) && got > 0.99 * 1e9 / MEAN_NS);
    }
}

static void it_is_a_function(void **state)
{
    (void)state;
    double one = dcs_peak_rate_per_s(exponential, NULL, 20000000, 0.99, 3);
    double two = dcs_peak_rate_per_s(exponential, NULL, 20000000, 0.99, 3);
    assert_memory_equal(&one, &two, sizeof one);
    assert_true(dcs_peak_rate_per_s(exponential, NULL, 25000000, 0.99, 3) > one);
    assert_true(dcs_peak_rate_per_s(exponential, NULL, 20000000, 0.999, 3) < one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mm1_agrees_with_theory),
        cmocka_unit_test(md1_agrees_with_theory),
        cmocka_unit_test(an_sla_below_the_work_is_infeasible),
        cmocka_unit_test(no_sla_bears_more_work_than_time),
        cmocka_unit_test(it_is_a_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
