/*
 * test_assign.c - models/workload/assign.h against brute force.
 *
 * Pins: for 3000 random tables of values, 1 to 8 places, few or many different values, negative
 * ones and the largest allowed too: each worker is used once, and the sum is that of the best of
 * all permutations. 200 places end in a moment, and no exchange of two of them is better.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/rng.h"
#include "models/workload/assign.h"

#include <stdlib.h>

enum { MOST = 8, MANY = 200 };

static int64_t sum_of(const int64_t *value, uint32_t n, const uint32_t *worker)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += value[i * n + worker[i]];
    return sum;
}

static void brute(const int64_t *value, uint32_t n, uint32_t place, uint32_t used, int64_t sum,
                  int64_t *best)
{
    if (place == n && sum > *best)
        *best = sum;
    for (uint32_t j = 0; j < n && place < n; j++)
        if ((used & 1u << j) == 0)
            brute(value, n, place + 1, used | 1u << j, sum + value[place * n + j], best);
}

static void check_once(const uint32_t *worker, uint32_t n)
{
    bool used[MANY] = {false};
    for (uint32_t i = 0; i < n; i++) {
        assert_true(worker[i] < n && !used[worker[i]]);
        used[worker[i]] = true;
    }
}

static void test_brute(void **state)
{
    (void)state;
    static const uint64_t spreads[] = {2, 5, 1000, (uint64_t)DCS_ASSIGN_VALUE_MAX};
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 61, 0, DCS_RNG_POLICY, 0);
    for (int i = 0; i < 3000; i++) {
        int64_t value[MOST * MOST], best = INT64_MIN;
        uint32_t worker[MOST];
        uint32_t n = 1 + (uint32_t)dcs_rng_below(&rng, i % 20 == 0 ? MOST : 6);
        uint64_t spread = spreads[i % 4];
        for (uint32_t k = 0; k < n * n; k++)
            value[k] = (int64_t)dcs_rng_below(&rng, 2 * spread + 1) - (int64_t)spread;
        dcs_assign(value, n, worker);
        check_once(worker, n);
        brute(value, n, 0, 0, 0, &best);
        if (sum_of(value, n, worker) != best)
            fail_msg("case %d: %lld of %lld", i, (long long)sum_of(value, n, worker),
                     (long long)best);
    }
}

static void test_many(void **state)
{
    (void)state;
    int64_t *value = malloc(MANY * MANY * sizeof *value);
    uint32_t worker[MANY];
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 62, 0, DCS_RNG_POLICY, 0);
    assert_non_null(value);
    for (int k = 0; k < MANY * MANY; k++)
        value[k] = (int64_t)dcs_rng_below(&rng, 1000);
    dcs_assign(value, MANY, worker);
    check_once(worker, MANY);
    for (uint32_t i = 0; i < MANY; i++)
        for (uint32_t k = 0; k < i; k++) {
            int64_t now = value[i * MANY + worker[i]] + value[k * MANY + worker[k]];
            assert_true(value[i * MANY + worker[k]] + value[k * MANY + worker[i]] <= now);
        }
    free(value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_brute),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
