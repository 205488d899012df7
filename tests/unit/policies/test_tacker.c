/*
 * Pins: what tacker decides in small worlds whose numbers were worked out by hand: equation 8 at
 * its edges (a gain of 0 and of 1 ns, a headroom of just what the fused launch takes longer and 1
 * ns more), the largest gain first, the headroom of several latency requests (equation 9) and the
 * paper's reading of it, reorder and launch alone where nothing is fused, one candidate of each
 * application, what is not asked again, memory, a launch that came to nothing, the reasons that it
 * gives. Does not pin: the worlds at random (tests/prop/test_headroom.c), what comes of it on a
 * device, the contract (tests/prop/test_conformance.c).
 *
 * The device runs one launch at a time. A fused launch of a and b takes a + b - hides * the
 * shorter.
 */
#include "tests/fake_host.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define MS FAKE_MS

static app_id service(struct fake_host *f, int64_t sla_ns, uint32_t kernels, int64_t work_ms)
{
    struct fake_app app = {.name = "service", .class = HOST_LATENCY, .kernels = kernels};
    app.sla_ns = sla_ns;
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

/* Whether kernel `n` of a request was launched with that of another; 0: alone. */
static req_id partner(const struct fake_host *f, req_id r, uint32_t n)
{
    for (uint32_t i = 0; i < f->launches_count; i++) {
        const struct fake_launch *l = &f->launches[i];
        if ((l->r == r || l->fused == r) && n-- == 0)
            return l->r == r ? l->fused : l->r;
    }
    fail_msg("kernel of request %u was not launched", (unsigned)r);
    return 0;
}

/* A device that is busy until 1 ms with a batch kernel that nothing can be fused with, and a
 * latency request of two kernels of 10 ms that arrives at 0, with this SLA. */
struct world {
    struct fake_host f;
    app_id first, service, work;
    req_id r;
};

static void open_world(struct world *w, int64_t sla_ns, int64_t work_ms, double hides)
{
    fake_init(&w->f, "tacker");
    w->first = batch(&w->f, 1, 1);
    w->service = service(&w->f, sla_ns, 2, 10);
    w->work = batch(&w->f, 3, work_ms);
    w->f.hides[w->service][w->work] = hides;
}

static void begin_world(struct world *w)
{
    assert_int_equal(fake_begin(&w->f), 0);
    fake_arrive(&w->f, w->first);
    w->r = fake_arrive(&w->f, w->service);
}

/* 10 and 8 ms become 14: both end at 15 ms, and so do the next two at 29; then only the batch
 * request is there. */
static void fuses_and_both_end_together(void **state)
{
    (void)state;
    struct world w;
    open_world(&w, MS(100), 8, 0.5);
    begin_world(&w);
    req_id b = fake_arrive(&w.f, w.work);
    fake_run(&w.f, MS(1000));
    assert_int_equal(partner(&w.f, w.r, 0), b);
    assert_int_equal(w.f.launches[1].r, w.r);
    assert_true(fake_at(&w.f, w.r, 0) == MS(1) && fake_at(&w.f, w.r, 1) == MS(15));
    assert_int_equal(partner(&w.f, b, 1), w.r);
    assert_true(w.f.requests[w.r - 1].done_ns == MS(29));
    assert_int_equal(partner(&w.f, b, 2), 0);
    assert_true(w.f.requests[b - 1].done_ns == MS(37));
    assert_int_equal(w.f.launches_count, 4);
    fake_end(&w.f);
}

/* The two take 14 ms together, 4 longer than the service's kernel; at 1 ms its headroom is the SLA
 * - 1 - 20 ms. */
static void the_headroom_must_bear_it(void **state)
{
    (void)state;
    for (int64_t more = 0; more < 2; more++) {
        struct world w;
        open_world(&w, MS(25) + more, 8, 0.5);
        begin_world(&w);
        req_id b = fake_arrive(&w.f, w.work);
        fake_run(&w.f, MS(1000));
        assert_int_equal(partner(&w.f, w.r, 0), more == 1 ? b : 0);
        assert_true(w.f.requests[w.r - 1].done_ns == (more == 1 ? MS(25) : MS(21)));
        fake_end(&w.f);
    }
}

/* A gain of 1 ns is one; none is none, and then the batch kernel goes first, as under Baymax. */
static void the_gain_must_be_positive(void **state)
{
    (void)state;
    static const double hides[] = {1.01 / 8e6, 0.5 / 8e6, -0.5};
    for (int i = 0; i < 3; i++) {
        struct world w;
        open_world(&w, MS(50), 8, hides[i]);
        begin_world(&w);
        req_id b = fake_arrive(&w.f, w.work);
        fake_run(&w.f, MS(1000));
        assert_int_equal(partner(&w.f, b, 0), i == 0 ? w.r : 0);
        assert_true(fake_at(&w.f, b, 0) == MS(1));
        assert_true(fake_at(&w.f, w.r, 0) == (i == 0 ? MS(1) : MS(25)));
        fake_end(&w.f);
    }
}

/* Gains of 4, 5 and 5 ms, the first of the equal ones; if the headroom does not bear the 15 ms that
 * the longest takes more, the next best. */
static void the_largest_gain_first(void **state)
{
    (void)state;
    for (int tight = 0; tight < 2; tight++) {
        struct world w;
        open_world(&w, tight ? MS(31) : MS(60), 8, 0.5);
        app_id big = batch(&w.f, 1, 20), twin = batch(&w.f, 1, 20);
        w.f.hides[w.service][big] = w.f.hides[w.service][twin] = 0.5;
        begin_world(&w);
        req_id b = fake_arrive(&w.f, w.work), best = fake_arrive(&w.f, big);
        fake_arrive(&w.f, twin);
        fake_run(&w.f, MS(2));
        assert_int_equal(partner(&w.f, w.r, 0), tight ? b : best);
        fake_end(&w.f);
    }
}

/* Equation 9: the second request has less than the first, which alone could bear anything. */
static void every_headroom_counts(void **state)
{
    (void)state;
    for (int64_t sla = 44; sla <= 46; sla += 2) {
        struct world w;
        open_world(&w, MS(100), 8, 0.5);
        app_id strict = service(&w.f, MS(sla), 1, 20);
        *(int *)fake_param(&w.f, "fuse") = 1; /* first */
        begin_world(&w);
        fake_arrive(&w.f, strict);
        req_id b = fake_arrive(&w.f, w.work);
        fake_run(&w.f, MS(2));
        /* 44 - 1 - 20 - 20 = 3 does not bear 4, 5 does. */
        assert_int_equal(partner(&w.f, w.r, 0), sla == 46 ? b : 0);
        fake_end(&w.f);
    }
}

/* The paper's reading: while two latency requests are there nothing is fused. The headroom is 46 -
 * 1
 * - 40 = 5 ms, once: too little for a batch kernel of 8 to go first. */
static void only_the_last_is_fused(void **state)
{
    (void)state;
    for (int last = 0; last < 2; last++) {
        struct world w;
        open_world(&w, MS(46), 8, 0.5);
        *(int *)fake_param(&w.f, "fuse") = last ? 0 : 1;
        begin_world(&w);
        req_id second = fake_arrive(&w.f, w.service), b = fake_arrive(&w.f, w.work);
        fake_run(&w.f, MS(500));
        assert_int_equal(partner(&w.f, b, 0), last ? second : w.r);
        assert_true(fake_at(&w.f, b, 0) == (last ? MS(21) : MS(1)));
        fake_end(&w.f);
    }
}

/* Nothing can be fused, and the headroom of 29 ms takes three batch kernels of 8: all before the
 * first kernel of the service, one before each, or none. Baymax with the same option does the same.
 */
static void else_as_baymax(void **state)
{
    (void)state;
    static const int64_t batch_ms[3][3] = {{1, 9, 17}, {1, 19, 37}, {21, 29, 37}};
    static const int64_t service_ms[3][2] = {{25, 35}, {9, 27}, {1, 11}};
    for (int i = 0; i < 6; i++) {
        struct world w;
        open_world(&w, MS(50), 8, 0);
        if (i >= 3)
            w.f.policy = policies_find("baymax");
        *(int *)fake_param(&w.f, "reorder") = i % 3;
        begin_world(&w);
        req_id b = fake_arrive(&w.f, w.work);
        fake_run(&w.f, MS(1000));
        for (uint32_t k = 0; k < 3; k++)
            assert_true(fake_at(&w.f, b, k) == MS(batch_ms[i % 3][k]));
        for (uint32_t k = 0; k < 2; k++)
            assert_true(fake_at(&w.f, w.r, k) == MS(service_ms[i % 3][k]));
        fake_end(&w.f);
    }
}

/* With `reorder` = one, one of each application goes before a kernel of the service, and of that
 * the longest first. */
static void one_of_each_application(void **state)
{
    (void)state;
    struct world w;
    open_world(&w, MS(100), 8, 0);
    *(int *)fake_param(&w.f, "reorder") = 1; /* one */
    app_id other = batch(&w.f, 3, 9);
    begin_world(&w);
    fake_arrive(&w.f, w.work);
    fake_arrive(&w.f, w.work);
    fake_arrive(&w.f, other);
    fake_run(&w.f, MS(40));
    static const app_id apps[] = {0, 3, 2, 1, 3, 2};
    for (uint32_t n = 0; n < sizeof apps / sizeof apps[0]; n++)
        assert_int_equal(w.f.requests[w.f.launches[n].r - 1].app, apps[n]);
    fake_end(&w.f);
}

/* A service without an SLA has no headroom: nothing is asked. */
static void without_an_sla_nothing_is_fused(void **state)
{
    (void)state;
    struct world w;
    open_world(&w, HOST_NEVER, 8, 0.5);
    begin_world(&w);
    req_id b = fake_arrive(&w.f, w.work);
    fake_run(&w.f, MS(1000));
    assert_true(fake_at(&w.f, w.r, 0) == MS(1) && fake_at(&w.f, b, 0) == MS(21));
    assert_int_equal(w.f.fusions_asked, 0);
    fake_end(&w.f);
}

/* Of two requests of one application the first is asked about; what is refused is not asked again
 * for the same two kernels, of whatever request. */
static void asks_once(void **state)
{
    (void)state;
    struct world w;
    open_world(&w, MS(500), 600, 0); /* never fits, never fused */
    w.f.apps[w.work].kernels = 1;
    begin_world(&w);
    fake_arrive(&w.f, w.work);
    fake_arrive(&w.f, w.work);
    fake_run(&w.f, MS(2));
    assert_int_equal(w.f.fusions_asked, 1);
    fake_run(&w.f, MS(12));
    assert_int_equal(w.f.fusions_asked, 2); /* its second kernel */
    fake_run(&w.f, MS(620));                /* one of the batch kernels ends at 621 */
    req_id next = fake_arrive(&w.f, w.service);
    fake_run(&w.f, MS(2000));
    assert_true(fake_at(&w.f, next, 0) == MS(621));
    assert_int_equal(w.f.fusions_asked, 2);
    fake_end(&w.f);

    open_world(&w, MS(500), 600, -0.5); /* no gain now, which may change */
    begin_world(&w);
    fake_arrive(&w.f, w.work);
    fake_arrive(&w.f, w.work);
    fake_run(&w.f, MS(2));
    assert_int_equal(w.f.fusions_asked, 1);
    fake_end(&w.f);
}

/* Their footprints must be there at once. */
static void both_must_fit_into_memory(void **state)
{
    (void)state;
    for (uint64_t bytes = 40; bytes <= 41; bytes++) {
        struct world w;
        open_world(&w, MS(100), 8, 0.5);
        w.f.apps[w.service].memory_bytes = 60;
        w.f.apps[w.work].memory_bytes = bytes;
        begin_world(&w);
        req_id b = fake_arrive(&w.f, w.work);
        fake_run(&w.f, MS(2));
        assert_int_equal(partner(&w.f, b, 0), bytes == 40 ? w.r : 0);
        fake_end(&w.f);
    }
}

static void launches_again_when_too_late(void **state)
{
    (void)state;
    struct world w;
    open_world(&w, MS(100), 8, 0.5);
    begin_world(&w);
    req_id b = fake_arrive(&w.f, w.work);
    fake_run(&w.f, MS(2));
    w.f.requests[b - 1].state = HOST_WAITING;
    fake_too_late(&w.f, w.r);
    assert_int_equal(w.f.launches_count, 2); /* it does not know of the other yet */
    fake_too_late(&w.f, b);
    assert_int_equal(w.f.launches_count, 3);
    assert_int_equal(w.f.launches[2].fused, b);
    fake_end(&w.f);
}

/* Each device has its own headroom and its own services; a batch request stays where it began. */
static void devices_of_their_own(void **state)
{
    (void)state;
    struct world w;
    open_world(&w, MS(100), 8, 0.5);
    w.f.devices = 2;
    begin_world(&w);
    req_id b = fake_arrive(&w.f, w.work); /* the service has device 1, the batch kernels device 0 */
    fake_run(&w.f, MS(1000));
    assert_int_equal(w.f.requests[w.r - 1].device, 1);
    assert_int_equal(w.f.requests[b - 1].device, 0);
    assert_int_equal(w.f.fusions_asked, 0);
    fake_end(&w.f);
}

static void says_why(void **state)
{
    (void)state;
    struct world w;
    open_world(&w, MS(27), 8, 0.5);
    begin_world(&w);
    req_id b = fake_arrive(&w.f, w.work);
    fake_run(&w.f, MS(1000));
    /* 27 - 1 - 20 = 6 bears 4 ms once. */
    assert_int_equal(w.f.reasons_count, 2);
    assert_string_equal(w.f.reasons[0].what, "fused");
    assert_int_equal(w.f.reasons[0].r, w.r);
    assert_true(w.f.reasons[0].value == MS(4)); /* what is gained */
    assert_string_equal(w.f.reasons[1].what, "no_headroom");
    assert_int_equal(w.f.reasons[1].r, b);
    assert_true(w.f.reasons[1].value == MS(4)); /* what it would take longer */
    fake_end(&w.f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fuses_and_both_end_together),
        cmocka_unit_test(the_headroom_must_bear_it),
        cmocka_unit_test(the_gain_must_be_positive),
        cmocka_unit_test(the_largest_gain_first),
        cmocka_unit_test(every_headroom_counts),
        cmocka_unit_test(only_the_last_is_fused),
        cmocka_unit_test(else_as_baymax),
        cmocka_unit_test(one_of_each_application),
        cmocka_unit_test(without_an_sla_nothing_is_fused),
        cmocka_unit_test(asks_once),
        cmocka_unit_test(both_must_fit_into_memory),
        cmocka_unit_test(launches_again_when_too_late),
        cmocka_unit_test(devices_of_their_own),
        cmocka_unit_test(says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
