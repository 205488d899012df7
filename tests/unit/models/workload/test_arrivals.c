/*
 * test_arrivals.c - arrival processes where the answer is exact.
 *
 * Pins: mean rates, what is refused and what the message says, the deterministic process to the ns,
 * that a process never goes back, the same stream giving the same arrivals and another one others,
 * batches, silent MMPP states and daily slots, arrivals beyond 2^62 ns, and that a process that has
 * run for 100 years still makes gaps of single ns. Does not pin: rates and variances
 * (tests/stat/test_arrival_processes.c).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "models/workload/arrivals.h"

#include <math.h>
#include <string.h>

static struct dcs_rng stream(uint64_t entity)
{
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_ARRIVALS, entity);
    return rng;
}

static struct dcs_arrivals begin(const struct dcs_arrivals_spec *spec, uint64_t entity)
{
    struct dcs_arrivals a;
    struct dcs_err err;
    struct dcs_rng rng = stream(entity);
    assert_int_equal(dcs_arrivals_init(&a, spec, &rng, &err), 0);
    return a;
}

static const struct dcs_arrivals_spec specs[] = {
    {.kind = DCS_ARRIVALS_POISSON, .rate_per_s = 1000},
    {.kind = DCS_ARRIVALS_HYPEREXPONENTIAL, .rate_per_s = 1000, .scv = 9},
    {.kind = DCS_ARRIVALS_DETERMINISTIC, .rate_per_s = 1000},
    {.kind = DCS_ARRIVALS_MMPP2, .rates_per_s = {1500, 0}, .stay_ns = {2000000, 1000000}},
    {.kind = DCS_ARRIVALS_DAILY,
     .daily_per_s = {[0] = 12000, [5] = 0, [23] = 12000},
     .day_ns = 24000000},
};
enum { SPECS = sizeof specs / sizeof *specs };

static void mean_rates(void **state)
{
    (void)state;
    for (int i = 0; i < SPECS; i++)
        assert_true(dcs_arrivals_mean_per_s(&specs[i]) == 1000);
    const struct dcs_arrivals_spec uneven = {
        .kind = DCS_ARRIVALS_MMPP2, .rates_per_s = {10, 100}, .stay_ns = {30, 10}};
    assert_true(dcs_arrivals_mean_per_s(&uneven) == 32.5); /* (300 + 1000) / 40 */
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        struct dcs_arrivals_spec spec;
        const char *text;
    } cases[] = {
        {{.kind = DCS_ARRIVALS_POISSON}, "above 0, found 0"},
        {{.kind = DCS_ARRIVALS_POISSON, .rate_per_s = -1}, "above 0, found -1"},
        {{.kind = DCS_ARRIVALS_DETERMINISTIC, .rate_per_s = INFINITY}, "above 0, found inf"},
        {{.kind = DCS_ARRIVALS_HYPEREXPONENTIAL, .rate_per_s = 1, .scv = 0.99}, "variation >= 1"},
        {{.kind = DCS_ARRIVALS_MMPP2, .stay_ns = {1, 1}}, "above 0, found 0"},
        {{.kind = DCS_ARRIVALS_MMPP2, .rates_per_s = {1, 1}, .stay_ns = {1, 0}}, "stays"},
        {{.kind = DCS_ARRIVALS_MMPP2, .rates_per_s = {1, 1}}, "above 0"},
        {{.kind = DCS_ARRIVALS_DAILY, .day_ns = 24}, "above 0, found 0"},
        {{.kind = DCS_ARRIVALS_DAILY, .daily_per_s = {1}, .day_ns = 23}, "at least 24 ns"},
        {{.kind = DCS_ARRIVALS_POISSON, .rate_per_s = 1, .batch_mean = 0.99}, "batch"},
        {{.kind = DCS_ARRIVALS_POISSON, .rate_per_s = 1, .batch_mean = -1}, "batch"},
        {{.kind = DCS_ARRIVALS_POISSON, .rate_per_s = 1, .batch_mean = INFINITY}, "batch"},
        {{.kind = DCS_ARRIVALS_POISSON, .rate_per_s = 1, .batch_mean = (double)NAN}, "batch"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dcs_arrivals a;
        struct dcs_err err = {0};
        struct dcs_rng rng = stream(0);
        assert_int_equal(dcs_arrivals_init(&a, &cases[i].spec, &rng, &err), -1);
        if (strstr(err.text, cases[i].text) == NULL)
            print_error("case %zu: %s\n", i, err.text);
        assert_non_null(strstr(err.text, cases[i].text));
    }
}

/* The first after one gap; a third of a second loses nothing over ten million of them. */
static void deterministic(void **state)
{
    (void)state;
    const struct dcs_arrivals_spec even = {.kind = DCS_ARRIVALS_DETERMINISTIC, .rate_per_s = 100};
    struct dcs_arrivals a = begin(&even, 0);
    for (int64_t i = 1; i <= 1000; i++)
        assert_true(dcs_arrivals_next(&a) == i * 10000000);
    const struct dcs_arrivals_spec thirds = {.kind = DCS_ARRIVALS_DETERMINISTIC, .rate_per_s = 3};
    a = begin(&thirds, 0);
    int64_t last = 0;
    for (int i = 0; i < 3000000; i++)
        last = dcs_arrivals_next(&a);
    assert_true(last >= INT64_C(999999999999999) && last <= INT64_C(1000000000000001));
}

static void same_stream_same_arrivals(void **state)
{
    (void)state;
    for (int i = 0; i < SPECS; i++) {
        struct dcs_arrivals a = begin(&specs[i], 7), b = begin(&specs[i], 7),
                            c = begin(&specs[i], 8);
        bool differs = false;
        int64_t before = 0;
        for (int k = 0; k < 10000; k++) {
            int64_t at = dcs_arrivals_next(&a);
            assert_true(at == dcs_arrivals_next(&b));
            assert_true(at >= before);
            differs |= at != dcs_arrivals_next(&c);
            before = at;
        }
        assert_true(differs == (specs[i].kind != DCS_ARRIVALS_DETERMINISTIC));
    }
}

/* A batch is at one instant; the epochs are those of the process alone, where sizes take no numbers
 * of its stream; sizes of 1 take none. */
static void batches(void **state)
{
    (void)state;
    struct dcs_arrivals_spec spec = {
        .kind = DCS_ARRIVALS_DETERMINISTIC, .rate_per_s = 100, .batch_mean = 4};
    assert_true(dcs_arrivals_mean_per_s(&spec) == 400);
    struct dcs_arrivals a = begin(&spec, 5);
    int64_t largest = 0, size = 0, before = 0;
    for (int k = 0; k < 40000; k++) {
        int64_t at = dcs_arrivals_next(&a);
        assert_true(at == before || at == before + 10000000);
        size = at == before ? size + 1 : 1;
        largest = size > largest ? size : largest;
        before = at;
    }
    /* The largest of 10 000 of mean 4: about log(10 000) / log(4/3) = 32. */
    assert_true(largest > 20 && largest < 70);
    for (int i = 0; i < SPECS; i++) {
        spec = specs[i];
        spec.batch_mean = 1;
        struct dcs_arrivals alone = begin(&specs[i], 9), ones = begin(&spec, 9);
        for (int k = 0; k < 1000; k++)
            assert_true(dcs_arrivals_next(&alone) == dcs_arrivals_next(&ones));
    }
    /* Beyond time there is no batch either. */
    const struct dcs_arrivals_spec rare = {
        .kind = DCS_ARRIVALS_DETERMINISTIC, .rate_per_s = 1e-10, .batch_mean = 5};
    a = begin(&rare, 0);
    for (int k = 0; k < 10; k++)
        assert_true(dcs_arrivals_next(&a) == DCS_NEVER);
}

/* Only slots 0 and 23 of each day have arrivals: in [0, 1) and [23, 24) ms. */
static void silent_slots(void **state)
{
    (void)state;
    struct dcs_arrivals a = begin(&specs[4], 3);
    int64_t count[24] = {0};
    for (int k = 0; k < 20000; k++)
        count[dcs_arrivals_next(&a) % 24000000 / 1000000]++;
    for (int slot = 0; slot < 24; slot++)
        assert_true((count[slot] > 0) == (slot == 0 || slot == 23));
}

/* A state without arrivals makes gaps, and never an endless one. */
static void silent_state(void **state)
{
    (void)state;
    struct dcs_arrivals a = begin(&specs[3], 3);
    int64_t before = 0, longest = 0;
    for (int k = 0; k < 20000; k++) {
        int64_t at = dcs_arrivals_next(&a);
        longest = at - before > longest ? at - before : longest;
        before = at;
    }
    assert_true(longest > 3000000 && longest < 30000000); /* the mean silence is 1 ms */
}

/* 100 years of small gaps cannot be lived through; so the clock is put there by hand. */
static void long_runs_keep_single_ns(void **state)
{
    (void)state;
    for (int i = 0; i < SPECS; i++) {
        struct dcs_arrivals_spec spec = specs[i];
        spec.rate_per_s = 1e9;
        spec.rates_per_s[0] = spec.rates_per_s[1] = 1e9;
        for (int slot = 0; slot < 24; slot++)
            spec.daily_per_s[slot] = 1e9;
        struct dcs_arrivals a = begin(&spec, 1);
        /* A whole number of days, so that the daily process is at the same place. */
        const int64_t years = INT64_C(3153600000000000000) / 24000000 * 24000000;
        struct dcs_arrivals late = a;
        late.base_ns = years;
        for (int k = 0; k < 1000; k++)
            assert_true(dcs_arrivals_next(&late) - years == dcs_arrivals_next(&a));
    }
}

static void beyond_time(void **state)
{
    (void)state;
    const struct dcs_arrivals_spec rare[] = {
        {.kind = DCS_ARRIVALS_DETERMINISTIC, .rate_per_s = 1e-10},
        {.kind = DCS_ARRIVALS_POISSON, .rate_per_s = 1e-300},
    };
    for (size_t i = 0; i < sizeof rare / sizeof *rare; i++) {
        struct dcs_arrivals a = begin(&rare[i], 0);
        assert_true(dcs_arrivals_next(&a) == DCS_NEVER);
        assert_true(dcs_arrivals_next(&a) == DCS_NEVER);
    }
    /* The last that fits, and the first that does not: 2^62 ns are 4.61 steps of 1e18. */
    const struct dcs_arrivals_spec step = {.kind = DCS_ARRIVALS_DETERMINISTIC, .rate_per_s = 1e-9};
    struct dcs_arrivals a = begin(&step, 0);
    for (int64_t k = 1; k <= 4; k++)
        assert_true(dcs_arrivals_next(&a) == k * INT64_C(1000000000000000000));
    assert_true(dcs_arrivals_next(&a) == DCS_NEVER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_rates),    cmocka_unit_test(refused),
        cmocka_unit_test(deterministic), cmocka_unit_test(same_stream_same_arrivals),
        cmocka_unit_test(batches),       cmocka_unit_test(silent_slots),
        cmocka_unit_test(silent_state),  cmocka_unit_test(long_runs_keep_single_ns),
        cmocka_unit_test(beyond_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
