/*
 * test_themis.c - Themis' engine in small worlds whose numbers were worked out by hand.
 *
 * Pins: PSP's straight lines and how a point that was tried breaks them in two (equation 10), the
 * slow-down of an untried division (equation 9); how themis-fair divides a device between an
 * application that needs all SMs and one that needs half of them, with weights, with measured
 * interference, and step by step with max_dist; that themis-qos gives a service what its target
 * needs and batch the rest; that SMs move at the ends of kernels, and a kernel does not wait for
 * SMs that are still with another; that nothing moves with one application; what the network, ASM,
 * GPM and the stages of Bubble-Flux make of the same worlds. Does not pin: the
 * search over random cases (prop/test_themis_search), the contract (prop/test_conformance).
 *
 * The device has 100 SMs in steps of 10; a kernel of w ms of work takes w * 100 / SMs, or what it
 * takes on `needs` SMs if these are fewer.
 */
#include "policies/lib/themis_engine.h"
#include "tests/fake_host.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define MS         FAKE_MS
#define NEAR(a, b) (fabs((a) - (b)) < 1e-12)

static app_id add_app(struct fake_host *f, int64_t work_ms, uint32_t needs)
{
    struct fake_app app = {.name = "app", .class = HOST_BATCH, .kernels = 8, .needs = needs};
    for (uint32_t k = 0; k < app.kernels; k++)
        app.work_ns[k] = MS(work_ms);
    return fake_app(f, app);
}

static void open_host(struct fake_host *f, const char *policy, int64_t period_ms)
{
    fake_init(f, policy);
    *(int64_t *)fake_param(f, "period_ms") = MS(period_ms);
}

/* Figure 8. */
static void piecewise_lines(void **state)
{
    (void)state;
    struct themis_point curve[101] = {0};
    curve[50] = (struct themis_point){60, 100};
    assert_true(NEAR(themis_progress(curve, 100, 50), 0.6));
    assert_true(NEAR(themis_progress(curve, 100, 40), 0.48)); /* 0.6 * (40 - 50) / 50 + 0.6 */
    assert_true(NEAR(themis_progress(curve, 100, 60), 0.68)); /* 0.4 * 10 / 50 + 0.6 */
    assert_true(NEAR(themis_progress(curve, 100, 100), 1));
    curve[30] = (struct themis_point){50, 100};
    assert_true(NEAR(themis_progress(curve, 100, 40), 0.55));
    assert_true(NEAR(themis_progress(curve, 100, 15), 0.25));
    const struct themis_app app = {.curve = curve, .interference = 1.1};
    const struct themis_search s = {.apps = &app, .count = 1, .sms = 100, .step_sms = 10};
    assert_true(NEAR(themis_slowdown(&s, 0, 4), 2)); /* 1.1 / 0.55 */
}

/* From 50 and 50: slowed by 2 and 1, then 1.667 and 1.25, then 1.429 and 1.667; a step more makes
 * it 1.25 and 2.5. */
static void fair_division(void **state)
{
    (void)state;
    struct fake_host f;
    open_host(&f, "themis-fair", 10);
    app_id a = add_app(&f, 10, 0), b = add_app(&f, 10, 50);
    assert_int_equal(fake_begin(&f), 0);
    req_id ra = fake_arrive(&f, a), rb = fake_arrive(&f, b);
    fake_run(&f, MS(300));
    assert_int_equal(f.launches[0].allotment.mechanism, HOST_GREEN);
    assert_int_equal(fake_sms(&f, ra, 0), 100); /* alone, until 10 ms */
    assert_int_equal(fake_sms(&f, ra, 1), 50);
    assert_int_equal(fake_sms(&f, rb, 0), 50);
    assert_true(fake_at(&f, rb, 1) == MS(30)); /* both are known: its second kernel has its part */
    assert_int_equal(fake_sms(&f, rb, 1), 30);
    assert_int_equal(fake_sms(&f, ra, 2), 50); /* from 30 ms, before b's end was told */
    assert_true(fake_at(&f, ra, 3) == MS(50));
    assert_int_equal(fake_sms(&f, ra, 3), 70);
    assert_int_equal(fake_sms(&f, rb, 4), 30); /* there it stays */
    assert_int_equal(fake_sms(&f, ra, 6), 70);
    fake_end(&f);
}

static void weights_and_interference(void **state)
{
    (void)state;
    struct fake_host f;
    /* Both need all SMs. By weight 20 and 80: slowed by 5 and 1.25, which is fair. */
    open_host(&f, "themis-fair", 10);
    app_id a = add_app(&f, 10, 0), b = add_app(&f, 10, 0);
    f.apps[a].weight = 0.2;
    f.apps[b].weight = 0.8;
    assert_int_equal(fake_begin(&f), 0);
    req_id ra = fake_arrive(&f, a), rb = fake_arrive(&f, b);
    fake_run(&f, MS(500));
    assert_int_equal(fake_sms(&f, ra, 5), 20);
    assert_int_equal(fake_sms(&f, rb, 5), 80);
    fake_end(&f);

    /* Equal weights; a takes 1.6 times as long as predicted: 3.2 and 2 at 50, 2.67 and 2.5 at 60.
     */
    open_host(&f, "themis-fair", 10);
    a = add_app(&f, 10, 0);
    b = add_app(&f, 10, 0);
    f.apps[a].slow = 1.6;
    assert_int_equal(fake_begin(&f), 0);
    ra = fake_arrive(&f, a);
    rb = fake_arrive(&f, b);
    fake_run(&f, MS(500));
    assert_int_equal(fake_sms(&f, ra, 5), 60);
    assert_int_equal(fake_sms(&f, rb, 5), 40);
    fake_end(&f);
}

static void one_step_at_a_time(void **state)
{
    (void)state;
    struct fake_host f;
    open_host(&f, "themis-fair", 10);
    *(int64_t *)fake_param(&f, "max_dist") = 1;
    app_id a = add_app(&f, 10, 0), b = add_app(&f, 10, 50);
    assert_int_equal(fake_begin(&f), 0);
    req_id ra = fake_arrive(&f, a), rb = fake_arrive(&f, b);
    fake_run(&f, MS(300));
    assert_int_equal(fake_sms(&f, rb, 1), 40);
    /* At 55 ms all that has ended of a since the decision had 50 SMs: it says nothing of 60. */
    assert_true(fake_at(&f, rb, 2) == MS(55));
    assert_int_equal(fake_sms(&f, rb, 2), 40);
    assert_int_equal(fake_sms(&f, ra, 3), 60);
    assert_int_equal(fake_sms(&f, rb, 5), 30);
    assert_int_equal(fake_sms(&f, ra, 7), 70);
    fake_end(&f);
}

/* b's kernels take 28 ms on 50 SMs, from 10 ms on. At 50 ms, when a's ends and the division moves,
 * b has 50 SMs until 66 ms: a goes on with the 50 that it had, and has 70 from its next kernel on.
 */
static void a_kernel_does_not_wait_for_its_part(void **state)
{
    (void)state;
    struct fake_host f;
    open_host(&f, "themis-fair", 45);
    app_id a = add_app(&f, 10, 0), b = add_app(&f, 14, 50);
    assert_int_equal(fake_begin(&f), 0);
    req_id ra = fake_arrive(&f, a), rb = fake_arrive(&f, b);
    fake_run(&f, MS(300));
    assert_true(fake_at(&f, rb, 1) == MS(38));
    assert_int_equal(fake_sms(&f, rb, 1), 50);
    assert_true(fake_at(&f, ra, 3) == MS(50));
    assert_int_equal(fake_sms(&f, ra, 3), 50);
    assert_int_equal(fake_sms(&f, rb, 2), 30);
    assert_int_equal(fake_sms(&f, ra, 4), 70);
    fake_end(&f);
}

/* The service's request takes 80 ms alone and may take 106: its target is 0.755, for which it needs
 * 80 SMs. */
static void a_service_has_what_it_needs(void **state)
{
    (void)state;
    struct fake_host f;
    open_host(&f, "themis-qos", 10);
    app_id s = add_app(&f, 10, 0), b = add_app(&f, 10, 50);
    f.apps[s].class = HOST_LATENCY;
    f.apps[s].sla_ns = MS(106);
    assert_int_equal(fake_begin(&f), 0);
    req_id rs = fake_arrive(&f, s), rb = fake_arrive(&f, b);
    fake_run(&f, MS(500));
    assert_int_equal(fake_sms(&f, rs, 1), 50);
    assert_int_equal(fake_sms(&f, rb, 1), 20);
    assert_int_equal(fake_sms(&f, rs, 4), 80);
    assert_int_equal(fake_sms(&f, rs, 7), 80);
    fake_end(&f);

    /* One that may take 1 s leaves batch all but one step. */
    open_host(&f, "themis-qos", 10);
    s = add_app(&f, 10, 0);
    b = add_app(&f, 10, 0);
    f.apps[s].class = HOST_LATENCY;
    f.apps[s].sla_ns = MS(1000);
    assert_int_equal(fake_begin(&f), 0);
    rs = fake_arrive(&f, s);
    rb = fake_arrive(&f, b);
    fake_run(&f, MS(500));
    assert_int_equal(fake_sms(&f, rs, 3), 10);
    assert_int_equal(fake_sms(&f, rb, 6), 90);
    fake_end(&f);
}

static void alone(void **state)
{
    (void)state;
    static const char *const policies[] = {"hp", "themis-fair", "themis-qos"};
    for (size_t p = 0; p < 3; p++) {
        struct fake_host f;
        fake_init(&f, policies[p]);
        app_id a = add_app(&f, 10, 0);
        assert_int_equal(fake_begin(&f), 0);
        fake_arrive(&f, a);
        req_id second = fake_arrive(&f, a);
        fake_run(&f, MS(1000));
        assert_int_equal(f.launches_count, 16);
        for (uint32_t i = 0; i < f.launches_count; i++)
            assert_int_equal(f.launches[i].allotment.sms, 100);
        assert_true(f.requests[second - 1].done_ns == MS(160));
        fake_end(&f);
    }
}

/* As fair_division(), where the network is right; predicted times are not asked. */
static void the_network_divides(void **state)
{
    (void)state;
    struct fake_host f;
    open_host(&f, "themis-fair", 10);
    *(int *)fake_param(&f, "slowdowns") = THEMIS_BY_NETWORK;
    f.counts = true;
    app_id a = add_app(&f, 10, 0), b = add_app(&f, 10, 50);
    assert_int_equal(fake_begin(&f), 0);
    req_id ra = fake_arrive(&f, a), rb = fake_arrive(&f, b);
    fake_run(&f, MS(300));
    assert_int_equal(fake_sms(&f, ra, 6), 70);
    assert_int_equal(fake_sms(&f, rb, 5), 30);
    assert_int_equal(f.predictions, 0);
    fake_end(&f);

    /* b presses: a is slowed by twice as much, and has 80 SMs: 2.5 and 2.5. */
    open_host(&f, "themis-fair", 10);
    *(int *)fake_param(&f, "slowdowns") = THEMIS_BY_NETWORK;
    f.counts = true;
    a = add_app(&f, 10, 0);
    b = add_app(&f, 10, 50);
    f.apps[b].pressure = 1;
    assert_int_equal(fake_begin(&f), 0);
    ra = fake_arrive(&f, a);
    rb = fake_arrive(&f, b);
    fake_run(&f, MS(500));
    assert_int_equal(fake_sms(&f, ra, 7), 80);
    fake_end(&f);
}

static void nobody_answers(void **state)
{
    (void)state;
    struct fake_host f;
    open_host(&f, "themis-fair", 10);
    *(int *)fake_param(&f, "slowdowns") = THEMIS_BY_NETWORK;
    assert_int_equal(fake_begin(&f), -1);
    assert_non_null(strstr(f.failure, "policy.slowdowns asks the network"));
    fake_end(&f);
}

/* ASM knows nothing of SMs: both seem to be slowed by nothing, and nothing moves. GPM knows. */
static void fewer_sms_are_for_gpm(void **state)
{
    (void)state;
    for (int gpm = 0; gpm < 2; gpm++) {
        struct fake_host f;
        open_host(&f, gpm ? "asm-gpm-psp" : "asm-psp", 10);
        f.counts = true;
        app_id a = add_app(&f, 10, 0), b = add_app(&f, 10, 50);
        assert_int_equal(fake_begin(&f), 0);
        req_id ra = fake_arrive(&f, a);
        fake_arrive(&f, b);
        fake_run(&f, MS(300));
        assert_int_equal(fake_sms(&f, ra, 6), gpm ? 70 : 50);
        fake_end(&f);
    }
}

/* Each has stages of its own, in which nothing runs beside it; predicted times are wrong, and what
 * was measured divides as in fair_division(). */
static void stages_measure(void **state)
{
    (void)state;
    struct fake_host f;
    open_host(&f, "bubble-psp", 10);
    *(int64_t *)fake_param(&f, "phase_ms") = 0;
    app_id a = add_app(&f, 10, 0), b = add_app(&f, 10, 50);
    assert_int_equal(fake_begin(&f), 0);
    req_id last[2] = {0};
    for (int i = 0; i < 12; i++) { /* one after the other of each */
        last[0] = fake_arrive(&f, a);
        last[1] = fake_arrive(&f, b);
    }
    fake_run(&f, MS(2000LL * 4));
    uint32_t whole[2] = {0}, parts[2] = {0};
    for (uint32_t i = 1; i < f.launches_count; i++) {
        const struct fake_launch *l = &f.launches[i];
        app_id app = f.requests[l->r - 1].app;
        whole[app] += l->allotment.sms == 100;
        parts[app] += l->allotment.sms < 100;
    }
    for (int i = 0; i < 2; i++) {
        assert_true(whole[i] > 20 && parts[i] > 20);
        assert_true(f.requests[last[i] - 1].done_ns != HOST_NEVER);
    }
    uint32_t seventy = 0;
    for (uint32_t i = f.launches_count / 2; i < f.launches_count; i++)
        seventy += f.launches[i].allotment.sms == 70;
    assert_true(seventy > 10);
    fake_end(&f);
}

/* a's first kernel began before b came, and says nothing of the stage of both: b goes on with its
 * part when its own first one has ended, and is not made to wait for a stage of a. */
static void a_stage_counts_what_began_in_it(void **state)
{
    (void)state;
    struct fake_host f;
    open_host(&f, "bubble-psp", 10);
    *(int64_t *)fake_param(&f, "phase_ms") = 0;
    app_id a = add_app(&f, 40, 0), b = add_app(&f, 10, 0);
    assert_int_equal(fake_begin(&f), 0);
    fake_arrive(&f, a);
    fake_run(&f, MS(5));
    req_id rb = fake_arrive(&f, b);
    fake_run(&f, MS(200));
    assert_true(fake_at(&f, rb, 0) == MS(40)); /* a has all SMs until then */
    assert_int_equal(fake_sms(&f, rb, 0), 50);
    assert_true(fake_at(&f, rb, 1) == MS(60));
    assert_int_equal(fake_sms(&f, rb, 1), 50);
    fake_end(&f);
}

/* Where what runs can be resized, a transfer says nothing of the part that its application has. */
static void transfers_count_where_kernels_do(void **state)
{
    (void)state;
    struct themis_point curve[2] = {{0, 0}, {0, 0}};
    struct themis_known k = {.curve = curve};
    const struct themis_seen copy = {10, 10, 10}, kernel = {40, 90, 90};
    themis_add_point(&k, &copy, NULL);
    assert_true(curve[0].part_ns == 0 && curve[1].part_ns == 0);
    themis_add_point(&k, &kernel, &curve[1]);
    assert_true(curve[1].whole_ns == 50 && curve[1].part_ns == 100);
    themis_add_point(&k, &kernel, &curve[0]);
    assert_true(curve[0].whole_ns == 40 && curve[0].part_ns == 90);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(piecewise_lines),
        cmocka_unit_test(fair_division),
        cmocka_unit_test(weights_and_interference),
        cmocka_unit_test(one_step_at_a_time),
        cmocka_unit_test(a_kernel_does_not_wait_for_its_part),
        cmocka_unit_test(a_service_has_what_it_needs),
        cmocka_unit_test(alone),
        cmocka_unit_test(the_network_divides),
        cmocka_unit_test(nobody_answers),
        cmocka_unit_test(fewer_sms_are_for_gpm),
        cmocka_unit_test(stages_measure),
        cmocka_unit_test(a_stage_counts_what_began_in_it),
        cmocka_unit_test(transfers_count_where_kernels_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
