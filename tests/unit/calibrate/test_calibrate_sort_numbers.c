/* test_calibrate_sort_numbers.c - pins the order of numbers whose difference overflows, too. */
#include "calibrate/plan/sort_numbers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void integers(void **state)
{
    (void)state;
    int64_t values[] = {3, INT64_MAX, -1, INT64_MIN, 3};
    const int64_t sorted[] = {INT64_MIN, -1, 3, 3, INT64_MAX};
    cal_sort_integers(values, 5);
    assert_memory_equal(values, sorted, sizeof sorted);
}

static void reals(void **state)
{
    (void)state;
    double values[] = {0.5, -INFINITY, 1e300, 0.25, -1e300};
    const double sorted[] = {-INFINITY, -1e300, 0.25, 0.5, 1e300};
    cal_sort_reals(values, 5);
    assert_memory_equal(values, sorted, sizeof sorted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(integers), cmocka_unit_test(reals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
