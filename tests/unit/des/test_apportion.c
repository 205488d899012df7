/*
 * test_apportion.c - a whole number divided by weights.
 *
 * Pins: parts by hand, their exact sum, who gets what is left, also of a number too large for a
 * double; no weights, weights of 0. Does not pin: speed.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/apportion.h"

static void divide(int64_t total, const double *weights, size_t n, const int64_t *expected)
{
    int64_t out[4] = {-1, -1, -1, -1};
    dcs_apportion(total, weights, n, out);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(out[i], i < n ? expected[i] : -1);
}

static void by_hand(void **state)
{
    (void)state;
    /* 10 by 1 : 2 : 4 is 1.43, 2.86, 5.71: two are left, for .86 and .71. */
    divide(10, (const double[]){1, 2, 4}, 3, (const int64_t[]){1, 3, 6});
    /* Of equal remainders the first. */
    divide(2, (const double[]){1, 1, 1}, 3, (const int64_t[]){1, 1, 0});
    divide(1, (const double[]){0, 5, 5, 0}, 4, (const int64_t[]){0, 1, 0, 0});
    divide(0, (const double[]){3, 4}, 2, (const int64_t[]){0, 0});
}

static void nobody_weighs(void **state)
{
    (void)state;
    const int64_t much = INT64_C(1) << 62;
    divide(much, (const double[]){0, 0, 0}, 3, (const int64_t[]){much, 0, 0});
    divide(7, NULL, 0, NULL);
}

static void large_totals(void **state)
{
    (void)state;
    static const double weights[] = {0.1, 0.7, 0.3, 1e-12};
    for (int64_t total = (INT64_C(1) << 62) - 1; total > 0; total /= 3) {
        int64_t out[4], sum = 0;
        dcs_apportion(total, weights, 4, out);
        for (size_t i = 0; i < 4; i++) {
            assert_true(out[i] >= 0);
            sum += out[i];
        }
        assert_int_equal(sum, total);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(nobody_weighs),
        cmocka_unit_test(large_totals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
