/*
 * test_calibrate_groups.c - which SMs a partition of a driven GPU gets, and which partitions are
 * made ahead.
 *
 * Pins: all runs of neighbouring groups are made ahead, each once, those at an end first, with what
 * is left over behind the last group, then all that is around a run; a partition gets free groups,
 * or none; the room that is left; a device of more groups than a mask has bits for is refused;
 * processes of others on the device are refused without a word of an option that driving has not.
 */
#include "calibrate/drive/drive_groups.h"
#include "calibrate/gpu/nvml.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

static bool is_run(uint32_t mask)
{
    uint32_t low = mask & -mask;
    return mask != 0 && ((mask + low) & mask) == 0;
}

static void test_ahead(void **state)
{
    (void)state;
    const struct cal_groups g = {.sms = 132, .step = 8}, even = {.sms = 32, .step = 8};
    uint32_t seen[384];
    unsigned n = 0;
    /* 16 * 17 / 2 runs, and 15 with the rest: with all 16 it is the whole device. */
    const unsigned runs = 136 + 15;
    for (; (seen[n] = cal_groups_ahead(&g, n)) != 0; n++) {
        assert_true(n < 383 && seen[n] != cal_groups_all(&g));
        uint32_t left = 0xffff & ~seen[n];
        assert_true(is_run(n < runs ? seen[n] : left));
        assert_true(n < runs || ((seen[n] & 1) != 0 && (seen[n] & 0x8000) != 0));
        for (unsigned i = 0; i < n; i++)
            assert_true(seen[i] != seen[n]);
    }
    /* Runs of 1 to 14 between the ends, each with the rest and without. */
    assert_int_equal(n, runs + 2 * (14 * 15 / 2));
    assert_int_equal(seen[0], 1);
    assert_int_equal(seen[1], 1u << 15);
    assert_int_equal(seen[2], 3u << 15);
    for (n = 0; cal_groups_ahead(&even, n) != 0; n++)
        continue;
    assert_int_equal(n, 9 + 3); /* 4 * 5 / 2 less the whole device; around runs of 1 and 2 */
}

static void test_room(void **state)
{
    (void)state;
    struct cal_groups g = {.sms = 132, .step = 8};
    assert_int_equal(cal_groups_room(&g, 0), 16);
    assert_int_equal(cal_groups_room(&g, 1), 15);
    assert_int_equal(cal_groups_room(&g, 1u << 4), 11);
    g.taken = 0xff00;
    assert_int_equal(cal_groups_room(&g, 0xf), 4);
    assert_int_equal(cal_groups_room(&g, 0xff), 0);
}

static void test_take(void **state)
{
    (void)state;
    struct cal_groups g = {.sms = 132, .step = 8};
    uint32_t first = cal_groups_take(&g, 56), rest = cal_groups_take(&g, 36);
    assert_int_equal(first, 0x7f);
    assert_int_equal(rest, 0x1f000);
    assert_int_equal(cal_groups_take(&g, 48), 0); /* 40 are left */
    assert_int_equal(cal_groups_take(&g, 4), 0);
    assert_int_equal(cal_groups_take(&g, 40), 0xf80);
    cal_groups_give(&g, first);
    assert_int_equal(g.taken, 0x1ff80);
}

static void test_open(void **state)
{
    (void)state;
    struct cal_groups g;
    assert_true(cal_groups_open(&g, 31 * 8 + 4, 8));
    assert_int_equal(cal_groups_all(&g), UINT32_MAX);
    assert_int_equal(cal_groups_take(&g, 31 * 8), UINT32_MAX >> 1);
    assert_int_equal(cal_groups_take(&g, 4), UINT32_C(1) << 31);
    assert_false(cal_groups_open(&g, 32 * 8, 8));
}

static void test_others(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    assert_int_equal(cal_nvml_refuse_others(1, 77, true, &err), -1);
    assert_non_null(strstr(err.text, "1 other process uses the GPU (process 77)"));
    assert_null(strstr(err.text, "--allow-others"));
    assert_int_equal(cal_nvml_refuse_others(2, 77, false, &err), -1);
    assert_non_null(strstr(err.text, "2 other processes use the GPU (process 77)"));
    assert_non_null(strstr(err.text, "or pass --allow-others"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open), cmocka_unit_test(test_ahead),  cmocka_unit_test(test_room),
        cmocka_unit_test(test_take), cmocka_unit_test(test_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
