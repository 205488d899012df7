/*
 * test_calibrate_working_set.c - pins that producers of pressure of one family share their memory,
 * and that it is freed with the last of them.
 */
#include "calibrate/gpu/working_set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void one_for_each_family_and_size(void **state)
{
    (void)state;
    struct cal_working_set *a = cal_working_set_enter(3, 1000), *b = cal_working_set_enter(3, 1000),
                           *larger = cal_working_set_enter(3, 2000),
                           *other = cal_working_set_enter(4, 1000);
    assert_ptr_equal(a, b);
    assert_int_equal(a->users, 2);
    assert_null(a->from);
    assert_ptr_not_equal(a, larger);
    assert_ptr_not_equal(a, other);
    assert_false(cal_working_set_leave(b));
    assert_true(cal_working_set_leave(larger));
    assert_ptr_equal(cal_working_set_enter(3, 1000), a);
    assert_false(cal_working_set_leave(a));
    assert_true(cal_working_set_leave(a));
    assert_true(cal_working_set_leave(other));
    free(a);
    free(larger);
    free(other);
}

/* Who comes after the last one makes the memory again. */
static void a_set_that_was_left_is_new(void **state)
{
    (void)state;
    struct cal_working_set *a = cal_working_set_enter(0, 8);
    a->from = a;
    assert_true(cal_working_set_leave(a));
    free(a);
    a = cal_working_set_enter(0, 8);
    assert_int_equal(a->users, 1);
    assert_null(a->from);
    assert_true(cal_working_set_leave(a));
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_for_each_family_and_size),
                                       cmocka_unit_test(a_set_that_was_left_is_new)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
