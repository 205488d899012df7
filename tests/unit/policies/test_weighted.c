/*
 * test_weighted.c - parts of a device by weight.
 *
 * Pins: how many steps of a device each weight gets; that hp gives each application that is present
 * its part, of either class, from its next kernel on, what is left over to the first; a request of
 * an application at a time; that an application alone has the whole device; that more applications
 * than parts take turns. Does not pin: parts that move (test_themis.c), weights of a config
 * (e2e/fairness).
 *
 * The device has 100 SMs in steps of 10; a kernel of w ms of work takes w * 100 / SMs.
 */
#include "policies/lib/weighted.h"
#include "tests/fake_host.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define MS FAKE_MS

static app_id add_app(struct fake_host *f, double weight, uint32_t kernels, int64_t work_ms)
{
    struct fake_app app = {
        .name = "app", .class = HOST_BATCH, .kernels = kernels, .weight = weight};
    for (uint32_t k = 0; k < kernels; k++)
        app.work_ns[k] = MS(work_ms);
    return fake_app(f, app);
}

static void assert_split(const double *weight, uint32_t n, uint32_t steps, const uint32_t *expected)
{
    uint32_t out[8];
    weighted_split(weight, n, steps, out);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(out[i], expected[i]);
}

static void steps_by_weight(void **state)
{
    (void)state;
    const double even[] = {0.25, 0.25, 0.25, 0.25};
    assert_split(even, 2, 16, (const uint32_t[]){8, 8});
    assert_split(even, 3, 16, (const uint32_t[]){6, 5, 5});
    assert_split(even, 1, 16, (const uint32_t[]){16});
    assert_split(even, 4, 4, (const uint32_t[]){1, 1, 1, 1});
    assert_split((const double[]){0.2, 0.8}, 2, 16, (const uint32_t[]){3, 13}); /* 3.2, 12.8 */
    assert_split((const double[]){0.01, 0.99}, 2, 16, (const uint32_t[]){1, 15});
    assert_split((const double[]){3, 1}, 2, 8, (const uint32_t[]){6, 2}); /* only ratios count */
}

static void parts_of_those_that_are_present(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "hp");
    app_id a = add_app(&f, 0.2, 3, 10), b = add_app(&f, 0.8, 2, 10);
    f.apps[a].class = HOST_LATENCY;
    f.apps[a].sla_ns = MS(1000);
    assert_int_equal(fake_begin(&f), 0);
    req_id ra = fake_arrive(&f, a), rb = fake_arrive(&f, b), second = fake_arrive(&f, b);
    fake_run(&f, MS(1000));
    assert_int_equal(f.launches[0].allotment.mechanism, HOST_GREEN);
    assert_int_equal(fake_sms(&f, ra, 0), 100); /* alone */
    assert_int_equal(fake_sms(&f, ra, 1), 20);
    assert_true(fake_at(&f, rb, 0) == MS(10)); /* a keeps the device until its kernel has ended */
    assert_int_equal(fake_sms(&f, rb, 0), 80);
    assert_int_equal(fake_sms(&f, rb, 1), 80);
    assert_true(fake_at(&f, second, 0) == MS(35)); /* one at a time, though SMs are free */
    assert_int_equal(fake_sms(&f, ra, 2), 20);
    fake_end(&f);
}

static void parts_of_eight_and_a_rest(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "hp");
    f.device.sms = 132;
    f.device.sms_step = 8;
    app_id a = add_app(&f, 0, 3, 10), b = add_app(&f, 0, 3, 10), c = add_app(&f, 0, 3, 10);
    assert_int_equal(fake_begin(&f), 0);
    req_id ra = fake_arrive(&f, a), rb = fake_arrive(&f, b), rc = fake_arrive(&f, c);
    fake_run(&f, MS(15));
    assert_int_equal(fake_sms(&f, ra, 1), 52); /* 6 steps and the 4 that are left over */
    assert_int_equal(fake_sms(&f, rb, 0), 40);
    assert_int_equal(fake_sms(&f, rc, 0), 40);
    fake_end(&f);
}

static void the_rest_goes_to_those_that_stay(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "hp");
    app_id a = add_app(&f, 0, 8, 10), b = add_app(&f, 0, 1, 10);
    assert_int_equal(fake_begin(&f), 0);
    req_id ra = fake_arrive(&f, a);
    fake_arrive(&f, b);
    fake_run(&f, MS(29));
    assert_int_equal(fake_sms(&f, ra, 1), 50); /* 10 to 30 ms */
    fake_run(&f, MS(31));
    fake_job_ends(&f, b);
    fake_run(&f, MS(1000));
    assert_int_equal(fake_sms(&f, ra, 2), 50); /* b's job went on as it began */
    assert_int_equal(fake_sms(&f, ra, 3), 100);
    fake_end(&f);
}

/* The part with what is left over has changed hands, and a kernel of the one before still has it.
 */
static void one_kernel_has_the_rest(void **state)
{
    (void)state;
    const struct host_device device = {
        .sms = 132, .sms_step = 8, .mechanisms = 1u << HOST_WHOLE | 1u << HOST_GREEN};
    struct share_use use = {.sms = 68};
    uint32_t had = 0;
    struct partition_app app = {.had = &had};
    const struct partition p = {.apps = &app, .apps_count = 1, .use = &use};
    assert_int_equal(weighted_now(&p, 0, &device, 0, 52), 48);
    assert_int_equal(weighted_now(&p, 0, &device, 0, 40), 40);
    use.sms = 64;
    assert_int_equal(weighted_now(&p, 0, &device, 0, 52), 52);
}

static void more_applications_than_parts_take_turns(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "hp");
    f.device.sms_step = 50;
    for (int i = 0; i < 3; i++)
        add_app(&f, 0, 2, 10);
    assert_int_equal(fake_begin(&f), 0);
    req_id a = fake_arrive(&f, 0), b = fake_arrive(&f, 1), c = fake_arrive(&f, 2);
    fake_run(&f, MS(1000));
    assert_int_equal(fake_sms(&f, a, 1), 50);
    assert_int_equal(fake_sms(&f, b, 0), 50);
    assert_int_equal(fake_sms(&f, c, 0), 50);
    assert_true(fake_at(&f, b, 0) == MS(10));
    assert_true(fake_at(&f, c, 0) == MS(30)); /* when the requests of a or b have ended */
    fake_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_by_weight),
        cmocka_unit_test(parts_of_those_that_are_present),
        cmocka_unit_test(parts_of_eight_and_a_rest),
        cmocka_unit_test(the_rest_goes_to_those_that_stay),
        cmocka_unit_test(one_kernel_has_the_rest),
        cmocka_unit_test(more_applications_than_parts_take_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
