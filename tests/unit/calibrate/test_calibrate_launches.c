/*
 * test_calibrate_launches.c - pins how a tracer's records become rows of launches: what lies
 * between which borders, which launches are one row, how many rows there are at most and which
 * neighbours are joined then, the times and gaps of a row, and what is refused. Records are made by
 * hand: what a tracer says on a device is not pinned.
 */
#include "calibrate/gpu/launches.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define CLOCK_MHZ 1980

/* A launch of function f on so many blocks, with its begin and end. */
#define LAUNCH(f, blocks_, begin, end)                                                             \
    {                                                                                              \
        .function = (f), .blocks = (blocks_), .threads_per_block = 128, .registers = 32,           \
        .shared_bytes = 0, .begin_ns = (begin), .end_ns = (end)                                    \
    }
#define BORDER(at)   LAUNCH(CAL_FUNCTION_BORDER, 1, at, (at) + 1)
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void add(struct cal_launches *l, const struct cal_launch_record *records, size_t count)
{
    struct dcs_err err = {0};
    if (cal_launches_add(l, records, count, CLOCK_MHZ, false, &err) != 0)
        fail_msg("%s", err.text);
}

static size_t rows_of(const struct cal_launches *l, struct cal_launch_row *rows)
{
    struct dcs_err err = {0};
    size_t count = 0;
    if (cal_launches_rows(l, rows, &count, &err) != 0)
        fail_msg("%s", err.text);
    return count;
}

static void names_are_told_apart(void **state)
{
    (void)state;
    uint64_t one = cal_function_id("_Z3onev", "cal_border");
    assert_true(one == cal_function_id("_Z3onev", "cal_border"));
    assert_true(one != cal_function_id("_Z3twov", "cal_border"));
    assert_true(one != CAL_FUNCTION_BORDER);
    assert_true(cal_function_id("_Z10cal_borderv", "cal_border") == CAL_FUNCTION_BORDER);
    assert_true(cal_function_id("", "cal_border") != CAL_FUNCTION_BORDER);
}

static void kernels_lie_between_borders(void **state)
{
    (void)state;
    /* 7 is of no kernel that was asked for. */
    const struct cal_launch_record records[] = {
        LAUNCH(7, 1, 0, 1),   BORDER(10), LAUNCH(1, 1, 20, 21), LAUNCH(2, 1, 22, 23), BORDER(30),
        LAUNCH(7, 1, 35, 36), BORDER(40), BORDER(50),           LAUNCH(7, 1, 60, 61)};
    const struct cal_launch_record *first;
    struct dcs_err err = {0};
    size_t n;
    assert_int_equal(cal_launches_between(records, COUNT(records), 2, 0, &first, &n, &err), 0);
    assert_ptr_equal(first, records + 2);
    assert_int_equal(n, 2);
    assert_int_equal(cal_launches_between(records, COUNT(records), 2, 1, &first, &n, &err), 0);
    assert_int_equal(n, 0);
    assert_int_equal(cal_launches_between(records, COUNT(records), 3, 0, &first, &n, &err), -1);
    assert_non_null(strstr(err.text, "of 6 launches that mark kernels 4"));
    /* One border more than wanted: a record of an earlier request would shift all others. */
    assert_int_equal(cal_launches_between(records, COUNT(records), 1, 0, &first, &n, &err), -1);
    assert_int_equal(cal_launches_between(records, 7, 2, 0, &first, &n, &err), -1);
}

/* One long launch and two short ones, three times; medians of the three. */
static void one_long_and_two_short(void **state)
{
    (void)state;
    const struct cal_launch_record a[] = {LAUNCH(1, 1000, 100, 1100), LAUNCH(2, 8, 1110, 1160),
                                          LAUNCH(2, 8, 1180, 1240)},
                                   b[] = {LAUNCH(1, 1000, 0, 1010), LAUNCH(2, 8, 1015, 1065),
                                          LAUNCH(2, 8, 1070, 1140)},
                                   c[] = {LAUNCH(1, 1000, 0, 990), LAUNCH(2, 8, 1000, 1040),
                                          LAUNCH(2, 8, 1070, 1110)};
    struct cal_launches l = {0};
    struct cal_launch_row rows[CAL_LAUNCH_ROWS];
    add(&l, a, COUNT(a));
    add(&l, b, COUNT(b));
    add(&l, c, COUNT(c));
    assert_int_equal(rows_of(&l, rows), 2);
    assert_int_equal(rows[0].launches, 1);
    assert_int_equal(rows[0].blocks, 1000);
    assert_int_equal(rows[0].time.median_ns, 1000);
    assert_int_equal(rows[0].time.n, 3);
    assert_int_equal(rows[0].time.clock_mhz, CLOCK_MHZ);
    assert_string_equal(rows[0].time.l2, "warm");
    assert_int_equal(rows[0].gap_ns, 0); /* none before the first */
    assert_int_equal(rows[1].launches, 2);
    assert_int_equal(rows[1].blocks, 8);
    assert_int_equal(rows[1].threads_per_block, 128);
    assert_int_equal(rows[1].registers, 32);
    assert_int_equal(rows[1].time.median_ns, 55); /* of 55, 60, 40 */
    assert_int_equal(rows[1].time.min_ns, 40);
    assert_int_equal(rows[1].gap_ns, 15); /* of 15, 5, 20 */
    struct cal_launch_sums sums = cal_launches_sums(&l);
    assert_int_equal(sums.inside_ns, 1110);         /* of 1110, 1130, 1070 */
    assert_int_equal(sums.with_gaps_ns, 1110 + 30); /* gaps 30, 10, 40 */
    cal_launches_release(&l);
}

/* What makes a row of its own: the function, the blocks, the threads, the shared memory. */
static void unlike_launches_are_apart(void **state)
{
    (void)state;
    struct cal_launch_record r[] = {
        LAUNCH(1, 4, 0, 9),   LAUNCH(1, 4, 10, 19), LAUNCH(2, 4, 20, 29), LAUNCH(2, 5, 30, 39),
        LAUNCH(2, 5, 40, 49), LAUNCH(2, 5, 50, 59), LAUNCH(1, 4, 60, 69)};
    struct cal_launch_row rows[CAL_LAUNCH_ROWS];
    struct cal_launches l = {0};
    r[4].threads_per_block = r[5].threads_per_block = r[6].threads_per_block = 256;
    r[5].shared_bytes = 64;
    add(&l, r, COUNT(r));
    assert_int_equal(rows_of(&l, rows), 6);
    assert_int_equal(rows[0].launches, 2);
    for (int i = 1; i < 6; i++)
        assert_int_equal(rows[i].launches, 1);
    assert_int_equal(rows[4].shared_bytes, 64);
    cal_launches_release(&l);
}

/* A grid that grows by a block from launch to launch, then one long launch, then 64 short ones. */
static void the_most_alike_are_joined(void **state)
{
    (void)state;
    static struct cal_launch_record r[200];
    int64_t at = 0;
    for (size_t i = 0; i < COUNT(r); i++) {
        int64_t blocks = i < 100 ? (int64_t)i + 1 : i == 100 ? 5000 : 3;
        int64_t ns = i < 100 ? 1000 : i == 100 ? 900000 : 10;
        r[i] = (struct cal_launch_record)LAUNCH(1 + (i > 100), blocks, at, at + ns);
        at += ns;
    }
    struct cal_launch_row rows[CAL_LAUNCH_ROWS];
    struct cal_launches l = {0};
    add(&l, r, COUNT(r));
    assert_int_equal(rows_of(&l, rows), CAL_LAUNCH_ROWS);
    /* 1 and 2 blocks are further apart than 99 and 100. */
    assert_int_equal(rows[0].launches, 1);
    assert_int_equal(rows[0].blocks, 1);
    assert_int_equal(rows[1].blocks, 2);
    assert_true(rows[61].launches > 1);
    assert_int_equal(rows[61].time.median_ns, 1000);
    assert_int_equal(rows[62].launches, 1);
    assert_int_equal(rows[62].blocks, 5000);
    assert_int_equal(rows[62].time.median_ns, 900000);
    assert_int_equal(rows[63].launches, 99);
    int64_t launches = 0, ns = 0;
    for (int i = 0; i < CAL_LAUNCH_ROWS; i++) {
        launches += rows[i].launches;
        ns += rows[i].launches * rows[i].time.median_ns;
    }
    assert_int_equal(launches, 200);
    assert_int_equal(ns, at);
    cal_launches_release(&l);
}

/* 64 rows stay as they are, 65 become 64: facts are those of what takes most of the time. */
static void joined_at_one_too_many(void **state)
{
    (void)state;
    struct cal_launch_record r[CAL_LAUNCH_ROWS + 1];
    for (size_t i = 0; i < COUNT(r); i++) {
        int64_t ns = i == 10 ? 300 : i == 11 ? 310 : i % 2 == 0 ? 1 : 100000;
        r[i] = (struct cal_launch_record)LAUNCH(i + 1, 10, (int64_t)i * 1000000,
                                                (int64_t)i * 1000000 + ns);
        r[i].registers = (int64_t)i;
    }
    struct cal_launch_row rows[CAL_LAUNCH_ROWS];
    struct cal_launches l = {0};
    add(&l, r, CAL_LAUNCH_ROWS);
    assert_int_equal(rows_of(&l, rows), CAL_LAUNCH_ROWS);
    for (int i = 0; i < CAL_LAUNCH_ROWS; i++)
        assert_int_equal(rows[i].registers, i);
    cal_launches_release(&l);
    add(&l, r, COUNT(r));
    assert_int_equal(rows_of(&l, rows), CAL_LAUNCH_ROWS);
    assert_int_equal(rows[10].launches, 2);
    assert_int_equal(rows[10].time.median_ns, 305);
    assert_int_equal(rows[10].registers, 11);
    assert_int_equal(rows[9].registers, 9);
    assert_int_equal(rows[11].registers, 12);
    cal_launches_release(&l);
}

static void a_launch_may_begin_early(void **state)
{
    (void)state;
    const struct cal_launch_record r[] = {LAUNCH(1, 4, 0, 100), LAUNCH(2, 4, 90, 190)};
    struct cal_launch_row rows[CAL_LAUNCH_ROWS];
    struct cal_launches l = {0};
    add(&l, r, COUNT(r));
    assert_int_equal(rows_of(&l, rows), 2);
    assert_int_equal(rows[1].gap_ns, 0);
    cal_launches_release(&l);
}

static void what_is_refused(void **state)
{
    (void)state;
    const struct cal_launch_record a[] = {LAUNCH(1, 4, 0, 9), LAUNCH(2, 4, 10, 19)},
                                   other[] = {LAUNCH(1, 4, 0, 9), LAUNCH(2, 5, 10, 19)};
    struct cal_launches l = {0};
    struct cal_launch_row rows[CAL_LAUNCH_ROWS];
    struct dcs_err err = {0};
    size_t count;
    assert_int_equal(cal_launches_add(&l, a, 0, CLOCK_MHZ, false, &err), -1);
    assert_int_equal(cal_launches_add(&l, a, CAL_LAUNCHES_TRACED + 1, CLOCK_MHZ, false, &err), -1);
    assert_int_equal(cal_launches_add(&l, a, 2, CLOCK_MHZ, true, &err), 0);
    assert_int_equal(cal_launches_rows(&l, rows, &count, &err), -1); /* all throttled */
    assert_int_equal(cal_launches_add(&l, a, 1, CLOCK_MHZ, false, &err), -1);
    assert_non_null(strstr(err.text, "2 launches once, and of 1"));
    assert_int_equal(cal_launches_add(&l, other, 2, CLOCK_MHZ, false, &err), -1);
    assert_non_null(strstr(err.text, "launch 2 of 2"));
    add(&l, a, 2);
    assert_int_equal(rows_of(&l, rows), 2);
    assert_int_equal(rows[0].time.n, 1);
    assert_int_equal(rows[0].time.throttled, 1);
    cal_launches_release(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_told_apart),      cmocka_unit_test(kernels_lie_between_borders),
        cmocka_unit_test(one_long_and_two_short),    cmocka_unit_test(unlike_launches_are_apart),
        cmocka_unit_test(the_most_alike_are_joined), cmocka_unit_test(joined_at_one_too_many),
        cmocka_unit_test(a_launch_may_begin_early),  cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
