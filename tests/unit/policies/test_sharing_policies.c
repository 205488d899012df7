/*
 * Pins: what mps-even, mps-priority, fixed-split and baymax decide in small worlds whose numbers
 * were worked out by hand: caps and parts by the applications that are present, one request of an
 * application at a time, places on several devices, which batch kernel goes into which headroom (at
 * t - 1 and at t). Does not pin: what comes of it on a device (that is the truth's), the contract
 * (tests/prop/test_conformance.c).
 *
 * The device has 100 SMs; a kernel of w ms of work takes w * 100 / SMs.
 */
#include "tests/fake_host.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define MS FAKE_MS

static app_id service(struct fake_host *f, const char *name, int64_t sla_ms, uint32_t kernels,
                      int64_t work_ms)
{
    struct fake_app app = {.name = name, .class = HOST_LATENCY, .kernels = kernels};
    app.sla_ns = MS(sla_ms);
    for (uint32_t k = 0; k < kernels; k++)
        app.work_ns[k] = MS(work_ms);
    return fake_app(f, app);
}

static app_id batch(struct fake_host *f, const char *name, uint32_t kernels, int64_t work_ms)
{
    app_id a = service(f, name, 0, kernels, work_ms);
    f->apps[a].class = HOST_BATCH;
    return a;
}

static void start(struct fake_host *f)
{
    assert_int_equal(fake_begin(f), 0);
}

/* ---- MPS ---- */

static void even_caps_follow_the_applications(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "mps-even");
    app_id a = service(&f, "a", 1000, 4, 10), b = batch(&f, "b", 4, 10), c = batch(&f, "c", 4, 10);
    start(&f);
    req_id ra = fake_arrive(&f, a), rb = fake_arrive(&f, b), rc = fake_arrive(&f, c);
    fake_run(&f, MS(10));
    fake_job_ends(&f, c); /* its request goes on: only its share no longer counts for others */
    fake_run(&f, MS(1000));
    assert_int_equal(f.launches[0].allotment.mechanism, HOST_MPS);
    assert_int_equal(fake_sms(&f, ra, 0), 100); /* n = 1 */
    assert_int_equal(fake_sms(&f, rb, 0), 100); /* n = 2: 200 % / 2 */
    assert_int_equal(fake_sms(&f, rc, 0), 66);  /* n = 3 */
    assert_int_equal(fake_sms(&f, ra, 1), 66);
    assert_true(fake_at(&f, ra, 1) == MS(10));
    assert_int_equal(fake_sms(&f, ra, 2), 100); /* n = 2 again */
    assert_int_equal(fake_sms(&f, rc, 1), 66);  /* itself, a and b */
    fake_end(&f);
}

static void four_applications_get_half_each(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "mps-even");
    f.device.sms = 132;
    req_id last = 0;
    for (int i = 0; i < 4; i++)
        batch(&f, "b", 1, 10);
    start(&f);
    for (app_id a = 0; a < 4; a++)
        last = fake_arrive(&f, a);
    assert_int_equal(fake_sms(&f, last, 0), 66);
    fake_end(&f);
}

static void caps_that_do_not_overlap(void **state)
{
    (void)state;
    static const struct {
        double caps;
        uint32_t sms; /* of the second of two, of 132 */
    } cases[] = {{1, 66}, {0.75, 49}, {0.01, 1}, {2, 132}, {1000, 132}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fake_host f;
        fake_init(&f, "mps-even");
        f.device.sms = 132;
        batch(&f, "b", 1, 10);
        batch(&f, "c", 1, 10);
        *(double *)fake_param(&f, "caps") = cases[i].caps;
        start(&f);
        fake_arrive(&f, 0);
        assert_int_equal(fake_sms(&f, fake_arrive(&f, 1), 0), cases[i].sms);
        fake_end(&f);
    }
}

static void priority_caps_batch_only(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "mps-priority");
    app_id a = service(&f, "a", 1000, 2, 10), s = service(&f, "s", 1000, 1, 10);
    app_id b = batch(&f, "b", 2, 10), c = batch(&f, "c", 1, 10), d = batch(&f, "d", 1, 10);
    start(&f);
    req_id ra = fake_arrive(&f, a), rb = fake_arrive(&f, b), rc = fake_arrive(&f, c);
    req_id rd = fake_arrive(&f, d), rs = fake_arrive(&f, s);
    fake_run(&f, MS(100));
    assert_int_equal(fake_sms(&f, ra, 0), 100);
    assert_int_equal(fake_sms(&f, rs, 0), 100);
    assert_int_equal(fake_sms(&f, ra, 1), 100);
    assert_int_equal(fake_sms(&f, rb, 0), 100); /* 100 % / (n - 1), n = 2 */
    assert_int_equal(fake_sms(&f, rc, 0), 50);
    assert_int_equal(fake_sms(&f, rd, 0), 33);
    assert_int_equal(fake_sms(&f, rb, 1), 33);
    fake_end(&f);
}

static void one_request_of_an_application_at_a_time(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "mps-even");
    app_id a = service(&f, "a", 1000, 2, 10);
    start(&f);
    req_id first = fake_arrive(&f, a), second = fake_arrive(&f, a), third = fake_arrive(&f, a);
    fake_gone(&f, second);
    fake_run(&f, MS(100));
    assert_true(fake_at(&f, first, 1) == MS(10));
    assert_true(fake_at(&f, second, 0) == -1);
    assert_true(fake_at(&f, third, 0) == MS(20)); /* not between the kernels of the first */
    fake_end(&f);

    fake_init(&f, "mps-even");
    a = service(&f, "a", 1000, 2, 10);
    *(int64_t *)fake_param(&f, "concurrency") = 2;
    start(&f);
    for (int i = 0; i < 3; i++)
        fake_arrive(&f, a);
    fake_run(&f, MS(100));
    assert_true(fake_at(&f, 2, 0) == 0);
    assert_true(fake_at(&f, 3, 0) == MS(20));
    fake_end(&f);
}

static void presence_by_activity(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "mps-priority");
    app_id b = batch(&f, "b", 3, 10), c = batch(&f, "c", 1, 10);
    *(int *)fake_param(&f, "present") = 1;
    start(&f);
    req_id rb = fake_arrive(&f, b), rc = fake_arrive(&f, c);
    fake_run(&f, MS(100));
    assert_int_equal(fake_sms(&f, rb, 0), 100);
    assert_int_equal(fake_sms(&f, rc, 0), 50);
    assert_int_equal(fake_sms(&f, rb, 1), 50);  /* at 10 ms, c runs until 20 ms */
    assert_int_equal(fake_sms(&f, rb, 2), 100); /* at 30 ms */
    fake_end(&f);
}

static void places_on_several_devices(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "mps-priority");
    f.devices = 2;
    app_id a = service(&f, "a", 1000, 2, 10), b = batch(&f, "b", 1, 40), c = batch(&f, "c", 1, 10);
    start(&f);
    req_id rb = fake_arrive(&f, b); /* both free: the first */
    req_id rc = fake_arrive(&f, c); /* the one with fewer SMs taken */
    req_id r1 = fake_arrive(&f, a); /* no latency request on either; 100 against 50 SMs taken */
    req_id r2 = fake_arrive(&f, a); /* one on device 1 */
    fake_run(&f, MS(100));
    assert_int_equal(f.launches[rb - 1].device, 0);
    assert_int_equal(f.launches[rc - 1].device, 1);
    assert_int_equal(f.launches[r1 - 1].device, 1);
    assert_int_equal(f.launches[r2 - 1].device, 0);
    assert_true(f.requests[r2 - 1].done_ns == MS(20));
    fake_end(&f);
}

/* ---- Fixed split ---- */

static void halves(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "fixed-split");
    app_id a = service(&f, "a", 1000, 3, 10), b = batch(&f, "b", 3, 10), c = batch(&f, "c", 1, 10);
    start(&f);
    req_id ra = fake_arrive(&f, a), rb = fake_arrive(&f, b), rc = fake_arrive(&f, c);
    fake_run(&f, MS(1000));
    assert_int_equal(f.launches[0].allotment.mechanism, HOST_GREEN);
    assert_int_equal(fake_sms(&f, ra, 0), 50);
    assert_int_equal(fake_sms(&f, rb, 0), 50); /* alone */
    assert_int_equal(fake_sms(&f, rb, 1), 30); /* 50 / 2 is 20 and a rest for the first */
    assert_int_equal(fake_sms(&f, rc, 0), 20);
    assert_true(fake_at(&f, rc, 0) == MS(20)); /* b keeps its 50 until its kernel has ended */
    assert_int_equal(fake_sms(&f, ra, 2), 50);
    fake_end(&f);
}

static void named_shares(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "fixed-split");
    *(const char **)fake_param(&f, "service_shares") = "ab=0.25,a=0.3";
    app_id a = service(&f, "a", 1000, 1, 10), ab = service(&f, "ab", 1000, 1, 10);
    app_id b = batch(&f, "b", 1, 10);
    start(&f);
    req_id rb = fake_arrive(&f, b), ra = fake_arrive(&f, a), rab = fake_arrive(&f, ab);
    fake_run(&f, MS(1000));
    assert_int_equal(fake_sms(&f, ra, 0), 30);
    assert_int_equal(fake_sms(&f, rab, 0), 30); /* 25 to the nearest ten */
    assert_int_equal(fake_sms(&f, rb, 0), 40);  /* whether or not the services have come */
    fake_end(&f);
}

/* 132 SMs in parts of 8: the half is 64 (8.25 parts), the rest of 68 is left for batch. */
static void parts_of_eight(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "fixed-split");
    f.device.sms = 132;
    f.device.sms_step = 8;
    app_id a = service(&f, "a", 1000, 1, 10), b = batch(&f, "b", 1, 10);
    start(&f);
    req_id ra = fake_arrive(&f, a), rb = fake_arrive(&f, b);
    assert_int_equal(fake_sms(&f, ra, 0), 64);
    assert_int_equal(fake_sms(&f, rb, 0), 68);
    fake_end(&f);
}

static void refuses_bad_shares(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"", "is \"\": \"\" is no NAME=SHARE"},
        {"1.5", "is 1.5: expected a share from 0 to 1"},
        {"-0.1", "is -0.1: expected a share from 0 to 1"},
        {"a", "is \"a\": \"a\" is no NAME=SHARE"},
        {"a=", "\"a=\" is no NAME=SHARE"},
        {"=0.5", "\"=0.5\" is no NAME=SHARE"},
        {"a=0.5,", "is \"a=0.5,\": \"\" is no NAME=SHARE"},
        {"a=0.5;x", "\"a=0.5;x\" is no NAME=SHARE"},
        {"ab=0.1,a=1.5", "has \"a=1.5\": expected a share from 0 to 1"},
        {"a=nan", "has \"a=nan\": expected a share from 0 to 1"},
        {"a=0.6,ab=0.6", "is \"a=0.6,ab=0.6\": these shares add up to 1.2, but the device is 1"},
        {"a=0.2,ab=0.1,a=0.3", "it names \"a\" twice"},
        {"b=0.5", "names \"b\", an application that the experiment lacks"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct fake_host f;
        fake_init(&f, "fixed-split");
        *(const char **)fake_param(&f, "service_shares") = bad[i][0];
        service(&f, "a", 1000, 1, 10);
        service(&f, "ab", 1000, 1, 10);
        assert_int_equal(fake_begin(&f), -1);
        assert_non_null(strstr(f.failure, "policy.service_shares "));
        assert_non_null(strstr(f.failure, bad[i][1]));
        fake_end(&f);
    }
}

/* What shows when the first request of an application comes. */
static void refuses_shares_that_do_not_fit_the_workload(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"a=0.5", "names some services, but not \"ab\", which has requests"},
        {"a=0.5,ab=0", "gives service \"ab\" a share of 0"},
        {"0", "gives service \"ab\" a share of 0"},
        {"a=0.2,ab=0.2,c=0.2", "names \"c\", which is no service"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct fake_host f;
        fake_init(&f, "fixed-split");
        *(const char **)fake_param(&f, "service_shares") = bad[i][0];
        service(&f, "a", 1000, 1, 10);
        app_id ab = service(&f, "ab", 1000, 1, 10), c = batch(&f, "c", 1, 10);
        start(&f);
        fake_arrive(&f, i < 3 ? ab : c);
        assert_non_null(strstr(f.failure, bad[i][1]));
        assert_int_equal(f.launches_count, 0);
        fake_end(&f);
    }
}

/* A device that cannot be shared runs one kernel after the other. */
static void indivisible_devices(void **state)
{
    (void)state;
    static const char *const names[] = {"mps-even", "mps-priority", "fixed-split", "c-laius"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct fake_host f;
        fake_init(&f, names[i]);
        f.device.mechanisms = 1u << HOST_WHOLE;
        f.device.kernels_max = 1;
        f.device.sms = f.device.sms_step = 100;
        app_id a = service(&f, "a", 1000, 2, 10), b = batch(&f, "b", 2, 10);
        start(&f);
        req_id ra = fake_arrive(&f, a), rb = fake_arrive(&f, b);
        fake_run(&f, MS(1000));
        assert_true(f.requests[ra - 1].done_ns <= MS(40));
        assert_true(f.requests[rb - 1].done_ns <= MS(40));
        assert_int_equal(f.launches_count, 4);
        fake_end(&f);
    }
}

/* What a launch that came to nothing had taken is free again. */
static void launches_again_when_too_late(void **state)
{
    (void)state;
    static const char *const names[] = {"mps-even", "mps-priority", "fixed-split", "baymax",
                                        "c-laius"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct fake_host f;
        fake_init(&f, names[i]);
        app_id b = batch(&f, "b", 1, 10);
        start(&f);
        req_id r = fake_arrive(&f, b);
        fake_run(&f, MS(1));
        fake_too_late(&f, r);
        assert_int_equal(f.launches_count, 2);
        fake_run(&f, MS(1000));
        req_id next = fake_arrive(&f, b);
        assert_int_equal(fake_sms(&f, next, 0), fake_sms(&f, r, 0));
        fake_end(&f);
    }
}

/* ---- Baymax ---- */

/* A service of two kernels of 10 ms that may take sla ms; it arrives at 0 behind a batch kernel of
 * 15 ms, and another such kernel waits. */
static req_id behind_batch(struct fake_host *f, int64_t sla_ms, double target)
{
    fake_init(f, "baymax");
    *(double *)fake_param(f, "target") = target;
    app_id a = service(f, "a", sla_ms, 2, 10), b = batch(f, "b", 1, 15);
    start(f);
    fake_arrive(f, b);
    req_id ra = fake_arrive(f, a);
    fake_arrive(f, b);
    fake_run(f, MS(1000));
    fake_end(f);
    return ra;
}

static void batch_fits_into_the_headroom(void **state)
{
    (void)state;
    struct fake_host f;
    /* At 15 ms: 50 - 15 - 20 = 15 is not more than 15. */
    req_id ra = behind_batch(&f, 50, 1);
    assert_true(fake_at(&f, ra, 0) == MS(15) && fake_at(&f, ra, 1) == MS(25));
    assert_true(fake_at(&f, 3, 0) == MS(35));
    /* 51 - 15 - 20 = 16 is. */
    ra = behind_batch(&f, 51, 1);
    assert_true(fake_at(&f, 3, 0) == MS(15));
    assert_true(fake_at(&f, ra, 0) == MS(30) && f.requests[ra - 1].done_ns == MS(50));
    assert_int_equal(f.launches[0].allotment.mechanism, HOST_WHOLE);
    /* The same with SLAs twice as long, of which half is to be used. */
    behind_batch(&f, 100, 0.5);
    assert_true(fake_at(&f, 3, 0) == MS(35));
    behind_batch(&f, 102, 0.5);
    assert_true(fake_at(&f, 3, 0) == MS(15));
}

/* Equation 9: two requests of 20 ms and an SLA of 52 or 53 have 52 - 10 - 40 = 2 ms or 3 at 10 ms;
 * were it not for the first, the second would have 20 more. The batch kernel of 2 ms goes ahead of
 * both, or with `reorder_for` = last when the first has left, at 30 ms. */
static void earlier_services_count(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        int64_t sla = i % 2 == 0 ? 52 : 53, at = i < 2 ? MS(30) : MS(10);
        struct fake_host f;
        fake_init(&f, "baymax");
        *(int *)fake_param(&f, "reorder_for") = i / 2; /* last, any */
        app_id a = service(&f, "a", sla, 2, 10), b = batch(&f, "b", 1, 10);
        app_id small = batch(&f, "small", 1, 2);
        start(&f);
        fake_arrive(&f, b);
        fake_arrive(&f, a);
        fake_arrive(&f, a);
        req_id fits = fake_arrive(&f, small);
        fake_run(&f, MS(1000));
        assert_true(fake_at(&f, fits, 0) == (sla == 52 ? MS(50) : at));
        /* The first service's kernels go before the second's. */
        assert_true(fake_at(&f, 2, 1) < fake_at(&f, 3, 0));
        fake_end(&f);
    }
}

/* A batch kernel of 10 ms has the device, and what follows it copies for 3 ms. A request of 2 ms of
 * transfer and 4 of work comes at 9 ms, and copies at once: to 11. At 10 ms the batch request waits
 * for the bus; the kernel of 1 ms of another one goes ahead of the request, which copies. At 11 the
 * request computes; the batch request copies beside it. */
static void transfers_run_beside_kernels(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "baymax");
    app_id a = service(&f, "a", 50, 2, 4), b = batch(&f, "b", 2, 10), one = batch(&f, "one", 1, 1);
    f.apps[a].transfer[0] = f.apps[b].transfer[1] = true;
    f.apps[a].work_ns[0] = MS(2);
    f.apps[b].work_ns[1] = MS(3);
    start(&f);
    req_id rb = fake_arrive(&f, b);
    fake_run(&f, MS(9));
    req_id ra = fake_arrive(&f, a), other = fake_arrive(&f, one);
    fake_run(&f, MS(1000));
    assert_true(fake_at(&f, ra, 0) == MS(9));
    assert_true(fake_at(&f, other, 0) == MS(10));
    assert_true(fake_at(&f, ra, 1) == MS(11));
    assert_true(fake_at(&f, rb, 1) == MS(11));
    fake_end(&f);
}

/* Two requests of 2 ms of transfer and 4 of work arrive together: both copy, and then the elder
 * goes first. A third, of 30 ms of work and no transfer, would have to go before them while they
 * copy: they bear 50 - 6 - 6 = 38 ms, or with an SLA of 40 only 28. */
static void the_elder_is_passed_while_it_copies(void **state)
{
    (void)state;
    for (int64_t sla = 40; sla <= 50; sla += 10) {
        struct fake_host f;
        fake_init(&f, "baymax");
        app_id a = service(&f, "a", sla, 2, 4), b = service(&f, "b", 100, 1, 30);
        f.apps[a].transfer[0] = true;
        f.apps[a].work_ns[0] = MS(2);
        start(&f);
        req_id first = fake_arrive(&f, a), second = fake_arrive(&f, a), third = fake_arrive(&f, b);
        fake_run(&f, MS(1000));
        assert_true(fake_at(&f, first, 0) == 0 && fake_at(&f, second, 0) == 0);
        assert_true(fake_at(&f, third, 0) == (sla == 50 ? 0 : MS(10)));
        assert_true(fake_at(&f, first, 1) == (sla == 50 ? MS(30) : MS(2)));
        assert_true(fake_at(&f, second, 1) == fake_at(&f, first, 1) + MS(4));
        fake_end(&f);
    }
}

static void longest_or_oldest_first(void **state)
{
    (void)state;
    for (int order = 0; order < 2; order++) {
        struct fake_host f;
        fake_init(&f, "baymax");
        app_id a = service(&f, "a", 50, 1, 10), b = batch(&f, "b", 1, 10);
        app_id five = batch(&f, "five", 1, 5), nine = batch(&f, "nine", 1, 9);
        app_id long_one = batch(&f, "long", 1, 40);
        *(int *)fake_param(&f, "order") = order;
        start(&f);
        fake_arrive(&f, b);
        fake_arrive(&f, a); /* at 10 ms it has 50 - 10 - 10 = 30 ms left over */
        req_id l = fake_arrive(&f, long_one), s = fake_arrive(&f, five);
        req_id n = fake_arrive(&f, nine);
        fake_run(&f, MS(1000));
        assert_true(fake_at(&f, s, 0) == (order == 0 ? MS(19) : MS(10)));
        assert_true(fake_at(&f, n, 0) == (order == 0 ? MS(10) : MS(15)));
        assert_true(fake_at(&f, 2, 0) == MS(24));
        assert_true(fake_at(&f, l, 0) == MS(34));
        fake_end(&f);
    }
}

static void a_late_service_is_not_held_up(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "baymax");
    app_id a = service(&f, "a", 5, 1, 10), b = batch(&f, "b", 1, 1);
    start(&f);
    req_id first = fake_arrive(&f, b);
    fake_arrive(&f, b);
    req_id ra = fake_arrive(&f, a);
    fake_run(&f, MS(100));
    assert_true(fake_at(&f, first, 0) == 0);
    assert_true(fake_at(&f, ra, 0) == MS(1));
    assert_true(fake_at(&f, 2, 0) == MS(11));
    fake_end(&f);
}

static void each_device_has_its_own_headroom(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "baymax");
    f.devices = 2;
    app_id a = service(&f, "a", 30, 2, 10), b = batch(&f, "b", 2, 12);
    start(&f);
    req_id r1 = fake_arrive(&f, a), r2 = fake_arrive(&f, a), r3 = fake_arrive(&f, a);
    req_id rb = fake_arrive(&f, b);
    fake_run(&f, MS(100));
    assert_int_equal(f.requests[r1 - 1].device, 0);
    assert_int_equal(f.requests[r2 - 1].device, 1);
    assert_int_equal(f.requests[r3 - 1].device, 0);
    /* No headroom of 12 anywhere until device 1 is without a service, at 20 ms. */
    assert_int_equal(f.requests[rb - 1].device, 1);
    assert_true(fake_at(&f, rb, 0) == MS(20) && fake_at(&f, rb, 1) == MS(32));
    fake_end(&f);
}

/* While the kernel of one batch request runs on the first device, its bus is free: the next request
 * begins on the second all the same, where nothing would have to wait for it. A third begins where
 * the bus is free first. */
static void batch_is_spread_over_devices(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "baymax");
    f.devices = 2;
    app_id b = batch(&f, "b", 2, 10);
    f.apps[b].transfer[0] = true;
    start(&f);
    req_id r1 = fake_arrive(&f, b);
    fake_run(&f, MS(15));
    req_id r2 = fake_arrive(&f, b), r3 = fake_arrive(&f, b);
    fake_run(&f, MS(100));
    assert_int_equal(f.requests[r1 - 1].device, 0);
    assert_int_equal(f.requests[r2 - 1].device, 1);
    assert_true(fake_at(&f, r2, 1) == MS(25));
    assert_int_equal(f.requests[r3 - 1].device, 0);
    assert_true(fake_at(&f, r3, 0) == MS(15));
    fake_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_caps_follow_the_applications),
        cmocka_unit_test(four_applications_get_half_each),
        cmocka_unit_test(caps_that_do_not_overlap),
        cmocka_unit_test(priority_caps_batch_only),
        cmocka_unit_test(one_request_of_an_application_at_a_time),
        cmocka_unit_test(presence_by_activity),
        cmocka_unit_test(places_on_several_devices),
        cmocka_unit_test(halves),
        cmocka_unit_test(named_shares),
        cmocka_unit_test(parts_of_eight),
        cmocka_unit_test(refuses_bad_shares),
        cmocka_unit_test(refuses_shares_that_do_not_fit_the_workload),
        cmocka_unit_test(indivisible_devices),
        cmocka_unit_test(launches_again_when_too_late),
        cmocka_unit_test(batch_fits_into_the_headroom),
        cmocka_unit_test(earlier_services_count),
        cmocka_unit_test(transfers_run_beside_kernels),
        cmocka_unit_test(the_elder_is_passed_while_it_copies),
        cmocka_unit_test(longest_or_oldest_first),
        cmocka_unit_test(a_late_service_is_not_held_up),
        cmocka_unit_test(each_device_has_its_own_headroom),
        cmocka_unit_test(batch_is_spread_over_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
