/*
 * test_calibrate_residency.c - pins which numbers of blocks an SM has room for by each of its four
 * limits, which of them are measured, how three kernels fill it, and what records of persistent
 * blocks say of places and of rates. Does not pin: that a GPU has that room.
 */
#include "calibrate/plan/resident_points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct cal_sm_room room = {65536, 233472, 1024, 2048, 32};

/* One more block than fits, by one limit at a time. */
static void test_limits(void **state)
{
    (void)state;
    const struct cal_block_use light = {128, 16, 0};
    const struct {
        struct cal_block_use use;
        int most; /* beside one light block */
    } cases[] = {
        {{128, 64, 0}, 7},    /* registers: 8192 of a block, 2048 of the light one */
        {{128, 57, 0}, 7},    /* by 8 of a thread */
        {{128, 56, 0}, 8},    /* 7168 */
        {{96, 64, 0}, 7},     /* three warps as four */
        {{1024, 16, 0}, 1},   /* threads */
        {{32, 8, 0}, 31},     /* blocks */
        {{32, 8, 65536}, 3},  /* shared memory: 66560 of a block, 1024 of the light one */
        {{32, 8, 115200}, 2}, /* twice 116224 and 1024 are all there is */
        {{32, 8, 115201}, 1}, /* by 128 bytes */
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_true(cal_resident_fits(&room, &cases[i].use, cases[i].most, &light, 1));
        assert_false(cal_resident_fits(&room, &cases[i].use, cases[i].most + 1, &light, 1));
        assert_true(cal_resident_fits(&room, &light, 1, &cases[i].use, cases[i].most));
        assert_false(cal_resident_fits(&room, &light, 1, &cases[i].use, cases[i].most + 1));
    }
}

static void check_points(const struct cal_block_use *a, const struct cal_block_use *b, bool coarse,
                         const struct cal_resident_point *want, size_t count)
{
    struct cal_resident_point points[CAL_RESIDENT_POINTS];
    assert_int_equal(cal_resident_points(&room, a, b, coarse, points), count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(points[i].a, want[i].a);
        assert_int_equal(points[i].b, want[i].b);
    }
}

/* A block takes 1/16 of an SM (threads), 1/8 (threads) and 1/16 (registers), until no threads are
 * left. */
static void test_fill(void **state)
{
    (void)state;
    const struct cal_block_use use[3] = {{128, 16, 0}, {256, 16, 0}, {32, 32, 0}};
    int blocks[3];
    cal_resident_fill(&room, use, 0, blocks);
    assert_int_equal(blocks[0], 8);
    assert_int_equal(blocks[1], 3);
    assert_int_equal(blocks[2], 8);
    cal_resident_fill(&room, use, 1, blocks);
    assert_int_equal(blocks[0], 1);
    assert_int_equal(blocks[1], 5);
    assert_int_equal(blocks[2], 10);
    const struct cal_block_use large = {32, 8, 200000};
    const struct cal_block_use none[3] = {large, large, large};
    cal_resident_fill(&room, none, 0, blocks);
    assert_int_equal(blocks[0] + blocks[1] + blocks[2], 1);
}

/* A block of `a` has 21504 registers, of `b` 8192: {1, 5}, {2, 2}. */
static void test_points(void **state)
{
    (void)state;
    const struct cal_block_use a = {128, 168, 0}, b = {128, 64, 0}, wide = {256, 128, 0};
    const struct cal_resident_point coarse[] = {{1, 1}, {1, 3}, {1, 5}, {2, 1}, {2, 2}};
    const struct cal_resident_point fine[] = {{1, 1}, {1, 2}, {1, 3}, {1, 4},
                                              {1, 5}, {2, 1}, {2, 2}};
    const struct cal_resident_point alone[] = {{1, 0}, {2, 0}, {3, 0}};
    check_points(&a, &b, true, coarse, COUNT(coarse));
    check_points(&a, &b, false, fine, COUNT(fine));
    check_points(&a, NULL, false, alone, COUNT(alone));
    const struct cal_block_use huge = {1024, 64, 0};
    check_points(&huge, &a, true, NULL, 0); /* no room for one of each */
    const struct cal_resident_point one[] = {{1, 1}};
    check_points(&wide, &(struct cal_block_use){256, 128, 0}, true, one, 1);
}

/* Two SMs with two and one block. */
static void test_placement(void **state)
{
    (void)state;
    struct cal_resident_record r[] = {{.sm = 0}, {.sm = 1}, {.sm = 0}};
    struct cal_resident_placement p = cal_resident_find_placement(r, 3, 2);
    assert_int_equal(p.min, 1);
    assert_int_equal(p.max, 2);
    p = cal_resident_find_placement(r, 3, 3); /* a third SM that has none */
    assert_int_equal(p.min, 0);
    p = cal_resident_find_placement(r, 0, 2);
    assert_int_equal(p.max, 0);
}

static void check_rate(const struct cal_resident_record *records, size_t count, int sms,
                       int64_t unit_ns, int starved)
{
    struct cal_resident_rate rate = cal_resident_find_rate(records, count, sms, 100000);
    assert_int_equal(rate.unit_ns, unit_ns);
    assert_int_equal(rate.starved, starved);
}

/* Blocks of 10 and of 20 us on one SM: 0.15 in a us. On two SMs as much takes twice as long. */
static void test_rate(void **state)
{
    (void)state;
    struct cal_resident_record r[] = {{5000, 45000, 1, 5, 0, 0}, {9000, 49000, 2, 4, 0, 0}};
    check_rate(r, 2, 1, 6666667, 0);
    check_rate(r, 2, 2, 13333333, 0);
    r[1] = (struct cal_resident_record){9000, 9000, 2, 2, 0, 0}; /* one in the window of 100 us */
    check_rate(r, 2, 1, 9090909, 1);
    r[1] = (struct cal_resident_record){150000, 0, 1, 0, 0, 0}; /* one, behind it */
    check_rate(r, 2, 1, 10000000, 1);
    r[1] = (struct cal_resident_record){0};
    check_rate(r, 2, 1, 10000000, 1);
    check_rate(&r[1], 1, 1, 0, 1);
    check_rate(r, 0, 1, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits), cmocka_unit_test(test_points),
        cmocka_unit_test(test_fill),   cmocka_unit_test(test_placement),
        cmocka_unit_test(test_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
