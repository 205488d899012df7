/*
 * test_emu_by_hand.c - EMU's adjustments worked out by hand.
 *
 * Pins: figure 5-8 of Wang's thesis, number for number: 2 cores and 1 way at a predicted IPC of
 * 2.4; measured 1.6 makes 4 and 3, a factor of 0.96 leaves 4 and 3, one of 0.33 gives 2 and 1 back.
 * A query that is behind its time asks for more although it is as fast as predicted (equation 5-2);
 * one past T_ub gets everything; without ways (EMU-NoCache) these stay; the clamp of line 13 as it
 * is printed keeps as many ways as there were cores.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "policies/lib/emu.h"

#define MS 1000000

/* Long enough that the required IPC stays below the predicted one. */
static struct emu_query example(void)
{
    return (struct emu_query){.ipc_predicted = 2.4,
                              .work_predicted = 2.4 * 80 * MS,
                              .bound_ns = 400 * MS,
                              .initial = {2, 1},
                              .now = {2, 1}};
}

static void check(struct emu_share s, uint32_t cores, uint32_t ways)
{
    assert_int_equal(s.cores, cores);
    assert_int_equal(s.ways, ways);
}

static void test_figure_5_8(void **state)
{
    (void)state;
    struct emu_query q = example();
    const struct emu_options o = {.most = {12, 16}, .scale_ways = true};
    check(emu_adjust(&q, 1.6, 20 * MS, &o), 4, 3);
    check(emu_adjust(&q, 2.5, 20 * MS, &o), 4, 3);
    check(emu_adjust(&q, 7.2, 20 * MS, &o), 2, 1);
}

static void test_printed_clamp(void **state)
{
    (void)state;
    struct emu_query q = example();
    const struct emu_options o = {.most = {12, 16}, .scale_ways = true, .clamp_as_printed = true};
    check(emu_adjust(&q, 1.6, 20 * MS, &o), 4, 3);
    check(emu_adjust(&q, 2.5, 20 * MS, &o), 4, 3);
    check(emu_adjust(&q, 7.2, 20 * MS, &o), 2, 2);
}

static void test_no_cache(void **state)
{
    (void)state;
    struct emu_query q = example();
    const struct emu_options o = {.most = {12, 16}};
    check(emu_adjust(&q, 1.6, 20 * MS, &o), 4, 1);
}

/* 2.4 * 100 ms of work, of which 2.4 * 20 ms are done; 40 ms are left: required is 4.8. */
static void test_behind(void **state)
{
    (void)state;
    struct emu_query q = example();
    const struct emu_options o = {.most = {12, 16}, .scale_ways = true};
    q.work_predicted = 2.4 * 100 * MS;
    q.bound_ns = 60 * MS;
    check(emu_adjust(&q, 2.4, 20 * MS, &o), 5, 3);
    q.now = q.initial;
    q.bound_ns = 40 * MS; /* reached at the end of this interval */
    check(emu_adjust(&q, 2.4, 20 * MS, &o), 12, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure_5_8),
        cmocka_unit_test(test_printed_clamp),
        cmocka_unit_test(test_no_cache),
        cmocka_unit_test(test_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
