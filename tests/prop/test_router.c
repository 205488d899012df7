/*
 * test_router.c - who comes first of many that change: policies/lib/tournament.h, and the router
 * that sends requests to the least loaded domain by it.
 *
 * Pins: after each of many random changes, with many ties, the first and the first but one are
 * those that a look at all of them finds, for 1 to 70 numbers that come and go; a change of one of
 * 50 000 takes at most 17 comparisons, and so does a question. The router picks what a look at all
 * domains picks, whichever domain the request comes from. Does not pin: what else a cluster does.
 */
#include "engine/cluster_state.h"
#include "policies/lib/tournament.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { MOST = 70, MANY = 50000 };

struct values {
    uint32_t of[MANY];
    bool out[MANY];
};

static uint64_t comparisons;

static bool lower(const void *context, uint32_t a, uint32_t b)
{
    const struct values *v = context;
    comparisons++;
    return v->of[a] != v->of[b] ? v->of[a] < v->of[b] : a < b;
}

static uint32_t scan(const struct values *v, uint32_t n, uint32_t but)
{
    uint32_t first = TOURNAMENT_NOBODY;
    for (uint32_t i = 0; i < n; i++)
        if (i != but && !v->out[i] && (first == TOURNAMENT_NOBODY || v->of[i] < v->of[first]))
            first = i;
    return first;
}

static void the_first_is_that_of_a_scan(void **state)
{
    static struct values v;
    uint32_t memory[2 * MOST];
    struct tournament t;
    struct dcs_rng rng;
    (void)state;
    dcs_rng_stream(&rng, 3, 0, DCS_RNG_POLICY, 0);
    for (uint32_t n = 1; n <= MOST; n++) {
        for (uint32_t i = 0; i < n; i++)
            v.out[i] = true;
        tournament_init(&t, n, memory, lower, &v);
        assert_int_equal(tournament_first(&t), TOURNAMENT_NOBODY);
        for (int step = 0; step < 2000; step++) {
            uint32_t i = (uint32_t)dcs_rng_below(&rng, n);
            v.of[i] = (uint32_t)dcs_rng_below(&rng, 4);
            v.out[i] = dcs_rng_below(&rng, step % 500 < 250 ? 2 : 8) == 0;
            tournament_set(&t, i, !v.out[i]);
            assert_int_equal(tournament_first(&t), scan(&v, n, UINT32_MAX));
            i = (uint32_t)dcs_rng_below(&rng, n);
            assert_int_equal(tournament_first_but(&t, i), scan(&v, n, i));
            assert_int_equal(tournament_has(&t, i), !v.out[i]);
        }
    }
}

static void a_change_costs_the_logarithm(void **state)
{
    static struct values v;
    static uint32_t memory[2 * MANY];
    struct tournament t;
    struct dcs_rng rng;
    (void)state;
    dcs_rng_stream(&rng, 4, 0, DCS_RNG_POLICY, 0);
    tournament_init(&t, MANY, memory, lower, &v);
    for (uint32_t i = 0; i < MANY; i++)
        tournament_set(&t, i, true);
    for (int step = 0; step < 20000; step++) {
        uint32_t i = (uint32_t)dcs_rng_below(&rng, MANY);
        v.of[i] = (uint32_t)dcs_rng_below(&rng, 100);
        comparisons = 0;
        tournament_set(&t, i, true);
        assert_true(comparisons <= 17);
        comparisons = 0;
        tournament_first_but(&t, i);
        assert_true(comparisons <= 17);
    }
}

static uint32_t scan_domains(const struct cluster *c, uint32_t avoid)
{
    uint32_t pick = avoid == 0 ? 1 : 0;
    for (uint32_t i = pick + 1; i < c->spec->domains_count; i++)
        if (router_inside(c, i) < router_inside(c, pick) && i != avoid)
            pick = i;
    return pick;
}

static void the_router_picks_the_least_loaded(void **state)
{
    struct dcs_rng rng;
    (void)state;
    dcs_rng_stream(&rng, 5, 0, DCS_RNG_POLICY, 0);
    for (uint32_t n = 2; n <= MOST; n++) {
        struct dcs_job routed = {.pinned = false};
        struct dcs_workload workload = {.jobs = &routed, .count = 1};
        struct cluster_spec spec = {
            .domains_count = n, .router = CLUSTER_LEAST_OUTSTANDING, .workload = &workload};
        struct cluster c = {.spec = &spec};
        router_create(&c);
        for (int step = 0; step < 2000; step++) {
            uint32_t from = (uint32_t)dcs_rng_below(&rng, n);
            bool returned = dcs_rng_below(&rng, 2) == 0;
            uint32_t avoid = returned ? from : UINT32_MAX;
            if (router_inside(&c, from) > 0 && dcs_rng_below(&rng, 20) > 0)
                router_leaves(&c, from);
            uint32_t pick = router_pick(&c, avoid);
            assert_int_equal(pick, scan_domains(&c, avoid));
            router_enters(&c, dcs_rng_below(&rng, 10) == 0 ? from : pick); /* some are pinned */
        }
        router_destroy(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_is_that_of_a_scan),
        cmocka_unit_test(a_change_costs_the_logarithm),
        cmocka_unit_test(the_router_picks_the_least_loaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
