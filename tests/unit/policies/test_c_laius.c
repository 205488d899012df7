/*
 * Pins: what c-laius decides in small worlds whose numbers were worked out by hand: the just-enough
 * quota at t - 1 and at t, with waiting time in it (equation 3); what batch kernels get within SMs
 * and bandwidth (equations 4 and 5); the compensation of a lag and the way back (equation 6), also
 * where a change of quota costs; several requests of one service; transfers; several services,
 * their priorities, slopes and the choice between two increases (equations 7 and 8); its three
 * ablations; places on several devices; the reasons that it gives. Does not pin: what comes of it
 * on a device, nor the contract (tests/prop/test_conformance.c), nor the allocator's search
 * (test_allocator.c).
 *
 * The device has 100 SMs and 1000 bytes/s; quotas are multiples of 10. A kernel of w ms of work
 * takes w * 100 / SMs.
 */
#include "policies/lib/quota.h"
#include "tests/fake_host.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define MS FAKE_MS

static app_id service(struct fake_host *f, double sla_ms, uint32_t kernels, int64_t work_ms)
{
    struct fake_app app = {.name = "service", .class = HOST_LATENCY, .kernels = kernels};
    app.sla_ns = MS(sla_ms);
    for (uint32_t k = 0; k < kernels; k++)
        app.work_ns[k] = MS(work_ms);
    return fake_app(f, app);
}

static app_id batch(struct fake_host *f, uint32_t kernels, int64_t work_ms)
{
    app_id a = service(f, 0, kernels, work_ms);
    f->apps[a].class = HOST_BATCH;
    return a;
}

static void begin(struct fake_host *f, const char *off)
{
    if (off != NULL)
        *(bool *)fake_param(f, off) = false;
    assert_int_equal(fake_begin(f), 0);
}

/* ---- Levels ---- */

static void levels_are_what_can_be_partitioned(void **state)
{
    (void)state;
    struct host_device h200 = {.sms = 132, .sms_step = 8, .mechanisms = 1u << HOST_GREEN};
    struct quota_levels l;
    quota_levels_init(&l, &h200, HOST_GREEN, 0.1);
    static const uint32_t tenths[] = {0, 16, 32, 40, 56, 72, 80, 96, 112, 120, 132};
    assert_int_equal(l.count, 10);
    assert_memory_equal(l.sms, tenths, sizeof tenths);
    quota_levels_init(&l, &h200, HOST_GREEN, 0);
    assert_int_equal(l.count, 17);
    assert_int_equal(l.sms[1], 8);
    assert_int_equal(l.sms[16], 128);
    assert_int_equal(l.sms[17], 132);
    assert_int_equal(quota_within(&l, 7), 0);
    assert_int_equal(quota_within(&l, 131), 16);
    quota_levels_init(&l, &h200, HOST_GREEN, 1);
    assert_int_equal(l.count, 1);
    assert_int_equal(l.sms[1], 132);
    h200.sms = 10000;
    h200.sms_step = 1;
    quota_levels_init(&l, &h200, HOST_GREEN, 0);
    assert_in_range(l.count, QUOTA_LEVELS_MAX / 2, QUOTA_LEVELS_MAX);
    assert_int_equal(l.sms[l.count], 10000);
    quota_levels_init(&l, &h200, HOST_MPS, 0.1); /* not offered */
    assert_int_equal(l.count, 1);
}

/* ---- Equation 3 ---- */

/* 20 ms of work: 50 ms on 40 SMs, 66.7 on 30. */
static void just_enough(void **state)
{
    (void)state;
    static const struct {
        double sla_ms;
        uint32_t sms;
    } cases[] = {{50, 40}, {49.999999, 50}, {20, 100}, {19, 100}, {200, 10}, {1000, 10}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fake_host f;
        fake_init(&f, "c-laius");
        app_id a = service(&f, cases[i].sla_ms, 2, 10);
        begin(&f, NULL);
        req_id r = fake_arrive(&f, a);
        fake_run(&f, MS(1000));
        assert_int_equal(f.launches[0].allotment.mechanism, HOST_GREEN);
        assert_int_equal(fake_sms(&f, r, 0), cases[i].sms);
        assert_int_equal(fake_sms(&f, r, 1), cases[i].sms);
        fake_end(&f);
    }
}

/* Half of 100 ms is to be met. */
static void aims_at_less(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    app_id a = service(&f, 100, 2, 10);
    *(double *)fake_param(&f, "target") = 0.5;
    begin(&f, NULL);
    fake_run(&f, MS(30));
    req_id r = fake_arrive(&f, a);
    assert_int_equal(fake_sms(&f, r, 0), 40);
    fake_end(&f);
}

static void mps_if_wanted(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    app_id a = service(&f, 50, 2, 10);
    *(int *)fake_param(&f, "mechanism") = 1;
    begin(&f, NULL);
    fake_arrive(&f, a);
    assert_int_equal(f.launches[0].allotment.mechanism, HOST_MPS);
    assert_int_equal(f.launches[0].allotment.sms, 40);
    fake_end(&f);
}

/* A batch kernel may use all SMs until 30 ms. With a cap the service begins beside it. */
static void starts_at_once_with_a_cap(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    app_id a = service(&f, 50, 2, 10), b = batch(&f, 1, 30);
    *(int *)fake_param(&f, "mechanism") = 1;
    begin(&f, NULL);
    fake_arrive(&f, b);
    fake_run(&f, MS(10));
    req_id ra = fake_arrive(&f, a), rb = fake_arrive(&f, b);
    fake_run(&f, MS(29));
    assert_int_equal(fake_sms(&f, 1, 0), 100);
    assert_true(fake_at(&f, ra, 0) == MS(10));
    assert_int_equal(fake_sms(&f, ra, 0), 40);
    assert_true(fake_at(&f, rb, 0) == -1);
    fake_end(&f);
}

/* A batch kernel holds all SMs until 30 ms; of 50 ms from 10 ms on 30 are left for 20 ms of work:
 * 66.7 SMs. */
static void waiting_counts(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    app_id a = service(&f, 50, 2, 10), b = batch(&f, 1, 30);
    begin(&f, NULL);
    fake_arrive(&f, b);
    fake_run(&f, MS(10));
    req_id ra = fake_arrive(&f, a), rb = fake_arrive(&f, b);
    fake_run(&f, MS(1000));
    assert_int_equal(fake_sms(&f, 1, 0), 100);
    assert_true(fake_at(&f, ra, 0) == MS(30));
    assert_int_equal(fake_sms(&f, ra, 0), 70);
    assert_true(fake_at(&f, rb, 0) == MS(30)); /* beside it, on what is left */
    assert_int_equal(fake_sms(&f, rb, 0), 30);
    fake_end(&f);
}

/* 40 SMs are free, 70 are wanted. A batch kernel holds 60 until 30 ms: waiting for it means 30 +
 * 14.3 ms, going ahead with 40 means 25 ms. If it ends at 5 ms waiting is better (5 + 14.3), and
 * the 40 are kept for the service. */
static void takes_less_where_that_is_sooner(void **state)
{
    (void)state;
    for (int64_t work = 5; work <= 30; work += 25) {
        struct fake_host f;
        fake_init(&f, "c-laius");
        app_id a = service(&f, 30, 2, 10), b = batch(&f, 1, work), c = batch(&f, 1, 1);
        f.apps[b].needs = 60;
        f.apps[b].work_ns[0] = MS(work) * 60 / 100; /* `work` on 60 SMs */
        begin(&f, NULL);
        req_id rb = fake_arrive(&f, b), ra = fake_arrive(&f, a), rc = fake_arrive(&f, c);
        fake_run(&f, MS(1000));
        assert_int_equal(fake_sms(&f, rb, 0), 60);
        if (work == 30) {
            assert_true(fake_at(&f, ra, 0) == 0);
            assert_int_equal(fake_sms(&f, ra, 0), 40);
        } else {
            /* At 5 ms 25 are left: 80 SMs. */
            assert_true(fake_at(&f, ra, 0) == MS(5));
            assert_int_equal(fake_sms(&f, ra, 0), 80);
            assert_true(fake_at(&f, rc, 0) == MS(5));
            assert_int_equal(fake_sms(&f, rc, 0), 20);
        }
        fake_end(&f);
    }
}

/* Two batch kernels hold 30 SMs each, until 5 and until 100 ms; 90 are wanted. Both would have to
 * end: the 40 that are free are sooner (25 ms). */
static void waits_for_all_that_it_needs(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    app_id a = service(&f, 22.5, 2, 10), b = batch(&f, 1, 1), c = batch(&f, 1, 30);
    f.apps[b].work_ns[0] = MS(1.5);
    f.apps[b].needs = f.apps[c].needs = 30;
    begin(&f, NULL);
    fake_arrive(&f, b);
    fake_arrive(&f, c);
    req_id ra = fake_arrive(&f, a);
    assert_true(fake_at(&f, ra, 0) == 0);
    assert_int_equal(fake_sms(&f, ra, 0), 40);
    fake_end(&f);
}

/* ---- Equations 4 and 5 ---- */

/* A service on 40 SMs uses 200 of 1000 bytes/s; a batch kernel of 2000 at full speed may have 40
 * SMs (800), without the constraint all 60. */
static void bandwidth_limits_batch(void **state)
{
    (void)state;
    static const char *const off[] = {NULL, "bandwidth_constraint"};
    for (int i = 0; i < 2; i++) {
        struct fake_host f;
        fake_init(&f, "c-laius");
        app_id a = service(&f, 50, 2, 10), b = batch(&f, 1, 10);
        f.apps[a].bandwidth = 500;
        f.apps[b].bandwidth = 2000;
        f.apps[b].milli_ipc = 1000;
        begin(&f, off[i]);
        fake_arrive(&f, a);
        req_id rb = fake_arrive(&f, b);
        assert_int_equal(fake_sms(&f, rb, 0), i == 0 ? 40 : 60);
        fake_end(&f);
    }
}

/* 801 bytes/s at 10 SMs: beside the service there is never room, and alone it contends with nobody.
 */
static void too_much_bandwidth_waits_until_alone(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    app_id a = service(&f, 50, 2, 10), b = batch(&f, 1, 10);
    f.apps[a].bandwidth = 500;
    f.apps[b].bandwidth = 20010;
    begin(&f, NULL);
    fake_arrive(&f, a);
    req_id rb = fake_arrive(&f, b);
    assert_true(fake_at(&f, rb, 0) == -1);
    fake_run(&f, MS(1000));
    assert_true(fake_at(&f, rb, 0) == MS(50));
    assert_int_equal(fake_sms(&f, rb, 0), 100);
    fake_end(&f);
}

/* Two batch kernels wait for the 60 SMs that a third holds. One gains nothing beyond 30 and has the
 * higher IPC; the other takes the rest. */
static void highest_throughput(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    app_id a = service(&f, 50, 2, 10), b = batch(&f, 1, 10), c = batch(&f, 1, 10);
    f.apps[b].milli_ipc = 1000;
    f.apps[c].milli_ipc = 3000;
    f.apps[c].needs = 30;
    begin(&f, NULL);
    fake_arrive(&f, a);
    req_id first = fake_arrive(&f, b), rb = fake_arrive(&f, b), rc = fake_arrive(&f, c);
    fake_run(&f, MS(17)); /* 10 * 100 / 60 = 16.7 */
    assert_int_equal(fake_sms(&f, first, 0), 60);
    assert_int_equal(fake_sms(&f, rb, 0), 30);
    assert_int_equal(fake_sms(&f, rc, 0), 30);
    fake_end(&f);
}

/* With no IPC known: the speed. Beyond 30 SMs one of them gains nothing. */
static void speed_where_no_ipc_is_known(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    app_id c = batch(&f, 1, 10);
    f.apps[c].needs = 30;
    begin(&f, NULL);
    req_id rc = fake_arrive(&f, c);
    assert_int_equal(fake_sms(&f, rc, 0), 30);
    fake_end(&f);
}

static void memory_limits_batch(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    app_id a = service(&f, 50, 2, 10), b = batch(&f, 1, 10);
    f.apps[a].memory_bytes = 60;
    f.apps[b].memory_bytes = 41;
    begin(&f, NULL);
    fake_arrive(&f, a);
    req_id rb = fake_arrive(&f, b);
    fake_run(&f, MS(1000));
    assert_true(fake_at(&f, rb, 0) == MS(50));
    fake_end(&f);
}

/* A service that waits for memory has it kept for it. */
static void memory_is_kept_for_services(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    app_id a = service(&f, 50, 2, 10), b = batch(&f, 1, 1), c = batch(&f, 1, 10);
    f.apps[a].memory_bytes = 60;
    f.apps[b].memory_bytes = 50;
    f.apps[b].needs = 10; /* 10 ms, nothing gained beyond 10 SMs */
    f.apps[c].memory_bytes = 41;
    begin(&f, NULL);
    fake_arrive(&f, b);
    req_id ra = fake_arrive(&f, a), rc = fake_arrive(&f, c);
    fake_run(&f, MS(1000));
    assert_int_equal(fake_sms(&f, 1, 0), 10);
    assert_true(fake_at(&f, ra, 0) == MS(10) && fake_at(&f, rc, 0) > MS(10));
    fake_end(&f);
}

/* ---- Equation 6 ---- */

/* Four kernels of 4 ms in 40 ms: 40 SMs, 10 ms each. All take 1.25 times as long. After the first,
 * at 12.5 ms: lag 2.5, 30 ms left on 40 SMs, 24 on 50. At 22.5: 20 left, 16 on 50. At 32.5: 10
 * left, 8 on 50 saves only 2, 6.7 on 60 saves 3.3. */
static void makes_up_for_a_lag(void **state)
{
    (void)state;
    static const char *const off[] = {NULL, "compensator"};
    static const uint32_t sms[2][4] = {{40, 50, 50, 60}, {40, 40, 40, 40}};
    for (int i = 0; i < 2; i++) {
        struct fake_host f;
        fake_init(&f, "c-laius");
        app_id a = service(&f, 40, 4, 4);
        f.apps[a].slow = 1.25;
        begin(&f, off[i]);
        req_id r = fake_arrive(&f, a);
        fake_run(&f, MS(1000));
        for (uint32_t k = 0; k < 4; k++)
            assert_int_equal(fake_sms(&f, r, k), sms[i][k]);
        assert_true(i == 0 || f.requests[r - 1].done_ns == MS(50));
        fake_end(&f);
    }
}

/* Only the first kernel is slow: 12.5 ms, then 8 and 8 on 50 SMs; at 20.5 ms the lag is 0.5,
 * at 28.5 it is gone (30 were expected), and the last kernel is back on 40: done at 38.5 ms.
 * Meanwhile batch kernels of 0.1 ms take what is left. */
static void rolls_back(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    app_id a = service(&f, 40, 4, 4);
    f.apps[a].slow = 1.25;
    begin(&f, NULL);
    fake_run(&f, MS(7));
    req_id r = fake_arrive(&f, a);
    f.apps[a].slow = 1;
    fake_run(&f, MS(1000));
    static const uint32_t sms[4] = {40, 50, 50, 40};
    for (uint32_t k = 0; k < 4; k++)
        assert_int_equal(fake_sms(&f, r, k), sms[k]);
    assert_true(f.requests[r - 1].done_ns == MS(7 + 38.5));
    fake_end(&f);
}

/* A change of quota costs 1 ms. After a first kernel of 12.5 ms the others are on 50 SMs: at 29.5
 * ms, 0.5 before the time that was expected, the way back would make the request late by as much.
 * After one of 15.5 ms 50 SMs would make up for the lag of 5.5 ms, but not for the change: 60 do,
 * and 50 are enough for the last kernel. */
static void knows_what_a_change_costs(void **state)
{
    (void)state;
    static const struct {
        double slow, done_ms;
        uint32_t sms[4];
    } cases[] = {{1.25, 37.5, {40, 50, 50, 50}},
                 {1.55, 15.5 + 1 + 40. / 3 + 1 + 8, {40, 60, 60, 50}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fake_host f;
        fake_init(&f, "c-laius");
        app_id a = service(&f, 40, 4, 4);
        f.apps[a].slow = cases[i].slow;
        f.switch_ns = MS(1);
        begin(&f, NULL);
        req_id r = fake_arrive(&f, a);
        f.apps[a].slow = 1;
        fake_run(&f, MS(1000));
        for (uint32_t k = 0; k < 4; k++)
            assert_int_equal(fake_sms(&f, r, k), cases[i].sms[k]);
        assert_in_range(f.requests[r - 1].done_ns, MS(cases[i].done_ms) - 5,
                        MS(cases[i].done_ms) + 5);
        fake_end(&f);
    }
}

/* The reasons of a request, in order, as text: "just_enough 40, launch 40, ...". */
static void assert_reasons(const struct fake_host *f, req_id r, const char *expected)
{
    char told[512] = "";
    for (uint32_t i = 0; i < f->reasons_count; i++) {
        const struct fake_reason *reason = &f->reasons[i];
        size_t used = strlen(told);
        if (reason->r == r)
            snprintf(told + used, sizeof told - used, "%s%s %d", used > 0 ? ", " : "", reason->what,
                     (int)reason->value);
    }
    assert_string_equal(told, expected);
}

/* The worlds of rolls_back(), of takes_less_where_that_is_sooner() and of two services that want
 * more than there is. */
static void says_why(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    app_id a = service(&f, 40, 4, 4);
    f.apps[a].slow = 1.25;
    begin(&f, NULL);
    req_id r = fake_arrive(&f, a);
    f.apps[a].slow = 1;
    fake_run(&f, MS(1000));
    assert_reasons(&f, r,
                   "just_enough 40, launch 40, ended 40, lag 50, launch 50, ended 50, launch 50, "
                   "ended 50, rolled_back 40, launch 40, ended 40");
    fake_end(&f);

    fake_init(&f, "c-laius");
    a = service(&f, 30, 2, 10);
    app_id b = batch(&f, 1, 30);
    f.apps[b].needs = 60;
    f.apps[b].work_ns[0] = MS(30) * 60 / 100;
    begin(&f, NULL);
    fake_arrive(&f, b);
    r = fake_arrive(&f, a);
    fake_run(&f, 0);
    assert_reasons(&f, r, "just_enough 70, less_now 40");
    fake_end(&f);

    fake_init(&f, "c-laius");
    a = service(&f, 20, 2, 6);
    begin(&f, NULL);
    req_id first = fake_arrive(&f, a);
    r = fake_arrive(&f, a);
    fake_run(&f, 0);
    assert_reasons(&f, first, "just_enough 60, launch 60");
    assert_reasons(&f, r, "split 40, less_now 40");
    fake_end(&f);
}

/* A lag of exactly what 50 SMs save (30 - 24 = 6) is made up for by 50; 1 us more needs 60. */
static void equation_six_at_its_edge(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        struct fake_host f;
        fake_init(&f, "c-laius");
        app_id a = service(&f, 40, 4, 4);
        f.apps[a].slow = more ? 1.6001 : 1.6;
        begin(&f, NULL);
        req_id r = fake_arrive(&f, a);
        f.apps[a].slow = 1;
        fake_run(&f, MS(1000));
        assert_int_equal(fake_sms(&f, r, 1), more ? 60 : 50);
        fake_end(&f);
    }
}

/* ---- Several requests of one service ---- */

/* Two requests of 2 x 6 ms in 20 ms want 60 SMs each. The younger one begins on the 40 that the
 * elder leaves it: 15 ms, against 20 + 10 after that has left. At 10 ms the elder is on time and
 * goes on with 60; as a service of its own it would have to give way to the younger one, which is
 * late by 10 ms: 60 SMs make up for that, and leave it 40. At 15 ms the younger one lags by 5 ms,
 * and wants 100: on 40 it would end at 30 ms, after the elder at 20 + 6. It waits. What it was
 * granted is no reason to take less. */
static void the_elder_does_not_starve(void **state)
{
    (void)state;
    for (int within = 0; within < 3; within++) {
        struct fake_host f;
        fake_init(&f, "c-laius");
        app_id a = service(&f, 20, 2, 6);
        *(int *)fake_param(&f, "within_service") = within;
        begin(&f, NULL);
        req_id elder = fake_arrive(&f, a), younger = fake_arrive(&f, a);
        fake_run(&f, MS(1000));
        assert_int_equal(fake_sms(&f, elder, 0), 60);
        assert_true(fake_at(&f, younger, 0) == 0);
        assert_int_equal(fake_sms(&f, younger, 0), 40);
        assert_true(fake_at(&f, elder, 1) == MS(10));
        assert_int_equal(fake_sms(&f, elder, 1), within == 2 ? 40 : 60);
        assert_true(within == 2 || f.requests[elder - 1].done_ns == MS(20));
        if (within == 0) {
            assert_true(fake_at(&f, younger, 1) == MS(20));
            assert_int_equal(fake_sms(&f, younger, 1), 100);
        }
        fake_end(&f);
    }
}

/* ---- Transfers ---- */

/* A batch kernel holds all SMs until 10 ms, and then copies for 3 ms. A request that comes at 9 ms
 * begins to copy at once, for 4 ms; the batch request waits for the bus. */
static void a_copy_waits_for_no_sms(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    app_id a = service(&f, 50, 2, 4), b = batch(&f, 2, 10), c = batch(&f, 1, 1);
    f.apps[a].transfer[0] = f.apps[b].transfer[1] = true;
    f.apps[b].work_ns[1] = MS(3);
    begin(&f, NULL);
    req_id rb = fake_arrive(&f, b);
    fake_run(&f, MS(9));
    req_id ra = fake_arrive(&f, a), rc = fake_arrive(&f, c);
    fake_run(&f, MS(1000));
    assert_int_equal(fake_sms(&f, rb, 0), 100);
    assert_true(fake_at(&f, ra, 0) == MS(9));
    assert_true(fake_at(&f, rb, 1) == MS(13));
    assert_true(fake_at(&f, ra, 1) == MS(13));
    assert_int_equal(fake_sms(&f, ra, 1), 10);
    assert_true(fake_at(&f, rc, 0) == MS(10)); /* the quota of ra is kept for its kernel */
    assert_int_equal(fake_sms(&f, rc, 0), 90);
    assert_reasons(&f, ra, "just_enough 10, copy 0, ended 0, launch 10, ended 10");
    fake_end(&f);
}

/* ---- Several services: equations 7 and 8 ---- */

static void both_fit(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    app_id a = service(&f, 50, 2, 10), b = service(&f, 100, 1, 50), c = batch(&f, 1, 10);
    begin(&f, NULL);
    req_id ra = fake_arrive(&f, a), rb = fake_arrive(&f, b), rc = fake_arrive(&f, c);
    assert_int_equal(fake_sms(&f, ra, 0), 40);
    assert_int_equal(fake_sms(&f, rb, 0), 50);
    assert_int_equal(fake_sms(&f, rc, 0), 10);
    fake_end(&f);
}

/* Service a has run for 20 of its 50 ms when b comes: it is on time, and b gets the 50 that it
 * wants.
 */
static void on_time_in_the_middle_of_a_kernel(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    app_id a = service(&f, 50, 1, 20), b = service(&f, 100, 1, 50);
    begin(&f, NULL);
    fake_arrive(&f, a);
    fake_run(&f, MS(20));
    req_id rb = fake_arrive(&f, b);
    assert_int_equal(fake_sms(&f, rb, 0), 50);
    fake_end(&f);
}

/* Kernels of 10, 2, 2 and 2 ms in 40 ms: 40 SMs. The first ends at 10 ms instead of 25: 30 ms are
 * left for 6 ms of work, 20 SMs suffice. Alone it keeps what it has; beside another service it has
 * priority 3, and gives back if it is told to. */
static void early_ones_give_back(void **state)
{
    (void)state;
    static const struct {
        bool together, gives;
        uint32_t sms;
    } cases[] = {{false, true, 40}, {true, true, 20}, {true, false, 40}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fake_host f;
        fake_init(&f, "c-laius");
        app_id a = service(&f, 40, 4, 2), b = service(&f, 1000, 1, 50);
        f.apps[a].work_ns[0] = MS(10);
        f.apps[a].slow = 0.4;
        *(bool *)fake_param(&f, "give_back") = cases[i].gives;
        begin(&f, NULL);
        if (cases[i].together)
            fake_arrive(&f, b);
        req_id r = fake_arrive(&f, a);
        f.apps[a].slow = 1;
        fake_run(&f, MS(11));
        assert_true(fake_at(&f, r, 1) == MS(10));
        assert_int_equal(fake_sms(&f, r, 0), 40);
        assert_int_equal(fake_sms(&f, r, 1), cases[i].sms);
        fake_end(&f);
    }
}

/* Service a: 2 x 15 ms in 50 ms wants 60 SMs, and begins. Service b: 2 x 30 ms in 86 ms wants 70,
 * and is the steeper (60 ms of work, (100 - 85.7) / 10, against 30 ms, (60 - 50) / 10): a's next
 * quota becomes 30. b does not start on the 40 that are free: 75 ms against 25 + 42.9.
 * At 25 ms b, with 61 ms left, wants 100. a is late by 15 * 100 / 30 - 25 = 25 ms and has priority
 * 1: 30 SMs more save 25 ms, 40 more save 28.6; (30 / 25) / (40 / 28.6) = 0.857 < 0.9: 60. b waits
 * until a leaves, at 50 ms: 50 + 30 against 25 + 75 on the 40 that a leaves it. */
static void priorities(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    app_id a = service(&f, 50, 2, 15), b = service(&f, 86, 2, 30);
    begin(&f, NULL);
    req_id ra = fake_arrive(&f, a), rb = fake_arrive(&f, b);
    fake_run(&f, MS(1000));
    assert_int_equal(fake_sms(&f, ra, 0), 60);
    assert_int_equal(fake_sms(&f, ra, 1), 60);
    assert_true(f.requests[ra - 1].done_ns == MS(50));
    assert_true(fake_at(&f, rb, 0) == MS(50));
    assert_int_equal(fake_sms(&f, rb, 0), 100);
    fake_end(&f);
}

/* Service a wants 40 SMs, is early at 10 ms and then needs 20: priority 3. Service b came at 9.5 ms
 * and waits, since a batch kernel holds 60; 45 ms of work in 50 ms need 90: priority 2, though its
 * slope is less (0.6 against 3). a is left with 10; b, which would have to wait until 200 ms for
 * its 90, goes ahead on the 30 beside them. */
static void early_ones_come_last(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    app_id a = service(&f, 40, 2, 6), b = service(&f, 50.5, 1, 45), c = batch(&f, 1, 120);
    f.apps[a].work_ns[0] = MS(10);
    f.apps[a].slow = 0.4;
    begin(&f, NULL);
    req_id ra = fake_arrive(&f, a), rc = fake_arrive(&f, c);
    f.apps[a].slow = 1;
    fake_run(&f, MS(9.5));
    req_id rb = fake_arrive(&f, b);
    fake_run(&f, MS(11));
    assert_int_equal(fake_sms(&f, rc, 0), 60);
    assert_int_equal(fake_sms(&f, ra, 0), 40);
    assert_true(fake_at(&f, ra, 1) == MS(10) && fake_at(&f, rb, 0) == MS(10));
    assert_int_equal(fake_sms(&f, ra, 1), 10);
    assert_int_equal(fake_sms(&f, rb, 0), 30);
    fake_end(&f);
}

/* As in priorities(), with a threshold of 0.85 < 0.857: the larger increase. */
static void threshold_of_equation_eight(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    app_id a = service(&f, 50, 2, 15), b = service(&f, 86, 2, 30);
    *(double *)fake_param(&f, "threshold") = 0.85;
    begin(&f, NULL);
    req_id ra = fake_arrive(&f, a);
    fake_arrive(&f, b);
    fake_run(&f, MS(26));
    assert_int_equal(fake_sms(&f, ra, 1), 70);
    fake_end(&f);
}

/* ---- Devices, departures ---- */

static void spreads_services(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    f.devices = 2;
    app_id a = service(&f, 50, 2, 10), b = batch(&f, 1, 100);
    begin(&f, NULL);
    for (int i = 0; i < 3; i++)
        fake_arrive(&f, a);
    req_id rb = fake_arrive(&f, b), rc = fake_arrive(&f, b);
    fake_run(&f, MS(1));
    assert_int_equal(f.requests[0].device, 0);
    assert_int_equal(f.requests[1].device, 1);
    assert_int_equal(f.requests[2].device, 0);
    assert_int_equal(fake_sms(&f, rb, 0), 20); /* the first device has two services of 40 */
    assert_int_equal(f.requests[rc - 1].device, 1);
    assert_int_equal(fake_sms(&f, rc, 0), 60);
    fake_end(&f);
}

/* Requests that begin with a transfer, which needs no SMs, get a device each, also those that
 * come while the first device could start another transfer; a fifth one begins on any. */
static void spreads_batch(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    f.devices = 4;
    app_id b = batch(&f, 2, 10);
    f.apps[b].transfer[0] = true;
    f.apps[b].needs = 50; /* a kernel takes 20 ms, as the transfer, and leaves room for another */
    begin(&f, NULL);
    req_id first = fake_arrive(&f, b);
    fake_run(&f, MS(21)); /* its kernel runs from 20 ms */
    for (int i = 0; i < 3; i++)
        fake_arrive(&f, b);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(f.requests[first - 1 + i].device, i);
    fake_run(&f, MS(42));
    assert_int_equal(f.requests[fake_arrive(&f, b) - 1].device, 0);
    fake_end(&f);
}

/* What a device has no room for begins on another one, where it is more than its even part: the
 * service's quota is all of the first device's SMs until 20 ms. */
static void batch_waits_for_no_even_part(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    f.devices = 2;
    app_id a = service(&f, 20, 2, 10), b = batch(&f, 1, 30);
    f.apps[b].needs = 50;
    begin(&f, NULL);
    fake_arrive(&f, a);
    req_id rb = fake_arrive(&f, b), rc = fake_arrive(&f, b);
    fake_run(&f, MS(1));
    assert_true(f.requests[rb - 1].device == 1 && fake_at(&f, rb, 0) == 0);
    assert_true(f.requests[rc - 1].device == 1 && fake_at(&f, rc, 0) == 0);
    fake_end(&f);
}

/* The 40 SMs that are kept for a service (see above) are given up when it leaves. */
static void departures(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    app_id a = service(&f, 30, 2, 10), b = batch(&f, 1, 3), c = batch(&f, 1, 1);
    f.apps[b].needs = 60; /* 5 ms on 60 SMs */
    begin(&f, NULL);
    fake_arrive(&f, b);
    req_id ra = fake_arrive(&f, a), rc = fake_arrive(&f, c);
    fake_run(&f, MS(1));
    assert_true(fake_at(&f, ra, 0) == -1 && fake_at(&f, rc, 0) == -1);
    fake_gone(&f, ra);
    assert_true(fake_at(&f, rc, 0) == MS(1));
    assert_int_equal(fake_sms(&f, rc, 0), 40);
    fake_end(&f);
}

/* A charged launch took 10 ms to come to nothing: 40 of 50 ms are left. */
static void starts_over_when_too_late(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    app_id a = service(&f, 50, 2, 10);
    begin(&f, NULL);
    req_id r = fake_arrive(&f, a);
    fake_run(&f, MS(10));
    fake_too_late(&f, r);
    assert_int_equal(fake_sms(&f, r, 0), 40);
    assert_int_equal(fake_sms(&f, r, 1), 50);
    assert_true(fake_at(&f, r, 1) == MS(10));
    fake_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_what_can_be_partitioned),
        cmocka_unit_test(just_enough),
        cmocka_unit_test(aims_at_less),
        cmocka_unit_test(mps_if_wanted),
        cmocka_unit_test(starts_at_once_with_a_cap),
        cmocka_unit_test(waiting_counts),
        cmocka_unit_test(takes_less_where_that_is_sooner),
        cmocka_unit_test(waits_for_all_that_it_needs),
        cmocka_unit_test(bandwidth_limits_batch),
        cmocka_unit_test(too_much_bandwidth_waits_until_alone),
        cmocka_unit_test(highest_throughput),
        cmocka_unit_test(speed_where_no_ipc_is_known),
        cmocka_unit_test(memory_limits_batch),
        cmocka_unit_test(memory_is_kept_for_services),
        cmocka_unit_test(makes_up_for_a_lag),
        cmocka_unit_test(rolls_back),
        cmocka_unit_test(knows_what_a_change_costs),
        cmocka_unit_test(says_why),
        cmocka_unit_test(equation_six_at_its_edge),
        cmocka_unit_test(the_elder_does_not_starve),
        cmocka_unit_test(a_copy_waits_for_no_sms),
        cmocka_unit_test(both_fit),
        cmocka_unit_test(on_time_in_the_middle_of_a_kernel),
        cmocka_unit_test(early_ones_give_back),
        cmocka_unit_test(priorities),
        cmocka_unit_test(early_ones_come_last),
        cmocka_unit_test(threshold_of_equation_eight),
        cmocka_unit_test(spreads_services),
        cmocka_unit_test(spreads_batch),
        cmocka_unit_test(batch_waits_for_no_even_part),
        cmocka_unit_test(departures),
        cmocka_unit_test(starts_over_when_too_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
