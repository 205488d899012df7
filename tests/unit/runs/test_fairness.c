/*
 * test_fairness.c - how applications slow each other, with numbers worked out by hand.
 *
 * Pins: unfairness (Themis, equation 11) and aggregated performance (equation 3), with weights, of
 * those that are present alone, and where a slow-down is not known; QoS violation by degree. Does
 * not pin: what a run makes of them (tests/e2e/fairness.sh).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "runs/fairness.h"

#include <math.h>

#define NEAR(a, b) (fabs((a) - (b)) < 1e-12)

static void two_with_equal_weights(void **state)
{
    (void)state;
    const struct fairness_app apps[] = {{true, 2, 0.5}, {true, 1.25, 0.5}};
    assert_true(NEAR(fairness_unfairness(apps, 2), 0.375)); /* (1 - 0.625) / 1 */
    assert_true(NEAR(fairness_progress(apps, 2), 1.3));     /* 0.5 + 0.8 */
}

static void weights_ask_for_unequal_slowdowns(void **state)
{
    (void)state;
    /* 5 * 0.2 = 1.25 * 0.8: slowed by as much as the weight is small. */
    const struct fairness_app fair[] = {{true, 5, 0.2}, {true, 1.25, 0.8}};
    assert_true(NEAR(fairness_unfairness(fair, 2), 0));
    const struct fairness_app even[] = {{true, 2, 0.2}, {true, 2, 0.8}};
    assert_true(NEAR(fairness_unfairness(even, 2), 0.75)); /* (1.6 - 0.4) / 1.6 */
    const struct fairness_app three[] = {{true, 4, 0.25}, {true, 2, 0.25}, {true, 2, 0.5}};
    assert_true(NEAR(fairness_unfairness(three, 3), 0.5)); /* 1, 0.5 and 1 */
    assert_true(NEAR(fairness_progress(three, 3), 1.25));
}

static void one_alone_and_none(void **state)
{
    (void)state;
    const struct fairness_app apps[] = {{false, NAN, 0.5}, {true, 1, 0.5}};
    assert_true(NEAR(fairness_unfairness(apps, 2), 0));
    assert_true(NEAR(fairness_progress(apps, 2), 1));
    assert_true(isnan(fairness_unfairness(apps, 1)));
    assert_true(isnan(fairness_progress(apps, 1)));
    assert_true(isnan(fairness_unfairness(apps, 0)));
}

/* One that had requests and completed none is no reason to call the rest fair. */
static void unknown_slowdown(void **state)
{
    (void)state;
    const struct fairness_app apps[] = {{true, 3, 0.5}, {true, NAN, 0.5}};
    assert_true(isnan(fairness_unfairness(apps, 2)));
    assert_true(isnan(fairness_progress(apps, 2)));
}

static void violation_by_degree(void **state)
{
    (void)state;
    /* The paper's case: 100 ms alone that may take 200 ms have the target 0.5. */
    assert_true(NEAR(fairness_violation(200, 250), 0.2)); /* progress 0.4 of a target of 0.5 */
    assert_true(fairness_violation(200, 200) == 0);
    assert_true(fairness_violation(200, 100) == 0);
    assert_true(isnan(fairness_violation(0, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_with_equal_weights),
        cmocka_unit_test(weights_ask_for_unequal_slowdowns),
        cmocka_unit_test(one_alone_and_none),
        cmocka_unit_test(unknown_slowdown),
        cmocka_unit_test(violation_by_degree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
