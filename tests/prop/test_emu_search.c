/*
 * test_emu_search.c - EMU's search and adjustment (policies/lib/emu.h).
 *
 * Pins: on 20000 random monotone tables of durations (up to 24 cores and 20 ways, bounds from below
 * all of them to above) the search finds what trying everything finds (fewest cores with all ways,
 * then fewest ways with these; everything where nothing fits), with at most ceil(log2 n) +
 * ceil(log2 w) predictions, which are 8 for 12 cores and 16 ways; an adjusted share stays between
 * the initial one and the whole, and never shrinks when the query is too slow. Does not pin: tables
 * that are not monotone, for which the paper promises nothing.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/rng.h"
#include "policies/lib/emu.h"

enum { CORES = 24, WAYS = 20 };

struct table {
    int64_t ns[CORES + 1][WAYS + 1];
    struct emu_share most;
    uint32_t asked;
};

static int64_t look_up(void *context, struct emu_share at)
{
    struct table *t = context;
    assert_in_range(at.cores, 1, t->most.cores);
    assert_in_range(at.ways, 1, t->most.ways);
    t->asked++;
    return t->ns[at.cores][at.ways];
}

/* Falls, here and there by nothing, with cores and with ways. */
static void draw(struct table *t, struct dcs_rng *rng)
{
    t->most.cores = 1 + (uint32_t)dcs_rng_below(rng, CORES);
    t->most.ways = 1 + (uint32_t)dcs_rng_below(rng, WAYS);
    t->asked = 0;
    for (uint32_t c = t->most.cores; c >= 1; c--)
        for (uint32_t w = t->most.ways; w >= 1; w--) {
            int64_t above = c < t->most.cores ? t->ns[c + 1][w] : 100;
            int64_t right = w < t->most.ways ? t->ns[c][w + 1] : 100;
            t->ns[c][w] = (above > right ? above : right) + (int64_t)dcs_rng_below(rng, 4) * 25;
        }
}

static struct emu_share exhaustive(const struct table *t, int64_t bound_ns)
{
    struct emu_share best = t->most;
    while (best.cores > 1 && t->ns[best.cores - 1][t->most.ways] < bound_ns)
        best.cores--;
    for (uint32_t w = t->most.ways - 1; w >= 1; w--)
        if (t->ns[best.cores][w] < bound_ns)
            best.ways = w;
    return best;
}

static uint32_t log2_up(uint32_t n)
{
    uint32_t bits = 0;
    while (1u << bits < n)
        bits++;
    return bits;
}

static void test_search(void **state)
{
    (void)state;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 51, 0, DCS_RNG_POLICY, 0);
    for (int i = 0; i < 20000; i++) {
        struct table t = {0};
        uint32_t asked;
        draw(&t, &rng);
        int64_t bound_ns = 50 + (int64_t)dcs_rng_below(&rng, (uint64_t)t.ns[1][1]);
        struct emu_share found = emu_search(look_up, &t, bound_ns, t.most, &asked);
        struct emu_share best = exhaustive(&t, bound_ns);
        if (found.cores != best.cores || found.ways != best.ways)
            fail_msg("case %d: %u cores, %u ways; best are %u and %u", i, found.cores, found.ways,
                     best.cores, best.ways);
        assert_int_equal(asked, t.asked);
        assert_true(asked <= log2_up(t.most.cores) + log2_up(t.most.ways));
    }
}

static int64_t same(void *context, struct emu_share at)
{
    (void)at;
    return *(int64_t *)context;
}

/* Claim emu-13: 8 predictions on 12 cores and 16 ways. */
static void test_claim(void **state)
{
    (void)state;
    uint32_t asked;
    int64_t short_ns = 1, long_ns = 100;
    struct emu_share most = {12, 16};
    struct emu_share found = emu_search(same, &short_ns, 50, most, &asked);
    assert_true(asked <= 8 && found.cores == 1 && found.ways == 1);
    found = emu_search(same, &long_ns, 50, most, &asked);
    assert_true(asked <= 8 && found.cores == 12 && found.ways == 16);
    assert_int_equal(asked, 8);
    found = emu_search(same, &long_ns, 100, most, &asked); /* equal is not less */
    assert_int_equal(found.cores, 12);
}

static void test_adjust(void **state)
{
    (void)state;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 52, 0, DCS_RNG_POLICY, 0);
    for (int i = 0; i < 20000; i++) {
        struct emu_options o = {
            .most = {2 + (uint32_t)dcs_rng_below(&rng, 30), 2 + (uint32_t)dcs_rng_below(&rng, 30)},
            .scale_ways = i % 3 != 0,
            .clamp_as_printed = i % 5 == 0};
        struct emu_query q = {.ipc_predicted = 0.1 + 5 * dcs_rng_uniform(&rng),
                              .bound_ns = 100000000,
                              .initial = {1 + (uint32_t)dcs_rng_below(&rng, o.most.cores),
                                          1 + (uint32_t)dcs_rng_below(&rng, o.most.ways)}};
        q.work_predicted = q.ipc_predicted * 60e6;
        q.now = q.initial;
        for (int step = 0; step < 8; step++) {
            struct emu_share before = q.now;
            double ipc = i % 7 == 0 ? 0 : 5 * dcs_rng_uniform(&rng);
            struct emu_share now = emu_adjust(&q, ipc, 20000000, &o);
            assert_in_range(now.cores, q.initial.cores, o.most.cores);
            assert_in_range(now.ways, 1, o.most.ways);
            if (!o.clamp_as_printed)
                assert_true(now.ways >= q.initial.ways);
            if (ipc < q.ipc_predicted)
                assert_true(now.cores >= before.cores && now.ways >= before.ways);
            if (q.run_ns >= q.bound_ns)
                assert_true(now.cores == o.most.cores &&
                            now.ways == (o.scale_ways ? o.most.ways : before.ways));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_search),
        cmocka_unit_test(test_claim),
        cmocka_unit_test(test_adjust),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
