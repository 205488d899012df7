/*
 * test_wallclock.c - pins when progress is shown: after a second, and then not again before a fifth
 * of one. Does not pin the clock itself.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "runs/wallclock.h"

static void progress_is_shown_now_and_then(void **state)
{
    (void)state;
    double now = wallclock_s(), shown = 0;
    assert_false(wallclock_is_time(now + 3600, &shown)); /* it has just begun */
    assert_true(shown == 0);
    assert_true(wallclock_is_time(now - 1, &shown));
    assert_true(shown >= now);
    shown = now + 3600;
    assert_false(wallclock_is_time(now - 1, &shown));
    assert_true(shown == now + 3600);
    shown = now - 0.2;
    assert_true(wallclock_is_time(now - 1, &shown));
    assert_true(shown >= now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(progress_is_shown_now_and_then)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
