/*
 * test_explain_by_hand.c - where the time of requests went, told record by record.
 *
 * Pins each part of the account (explain.h) by itself: what a wait is for, by what is on the
 * devices, by the scheduler and by earlier requests of the application; behind whom, by shares of
 * time and the largest remainders; kernels that are being revoked; what a run takes alone, on fewer
 * SMs, as a copy, on a CPU, fused, with checkpoints; starts that pay for switches and revocations,
 * and that wait for their host;
 * what is inside at the end, dropped or turned away. Does not pin: that a cluster tells such
 * records (tests/prop/test_explain.c), and whose doing contention is.
 */
#include "runs/explain_lines.h"
#include "tests/gpu_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { APPS = 3, DEVICES = 2 };

static struct gpu_case model;
static const struct dcs_spatial *const models[] = {&model.spatial};
static const struct dcs_cpu *const cpus[] = {NULL};
static struct dcs_app apps[APPS];
static struct cluster_domain domain;
static struct cluster_spec spec;
static struct explainer *explainer;
static struct recorder recorder;

/* Applications of one kernel, which takes 8 ms on all SMs and 9 ms on half of them where devices
 * are shared; 2 is a copy. */
static void begin(uint32_t devices, bool shared)
{
    static const int64_t mean_ns = 8000000;
    gpu_case_init(&model);
    domain = (struct cluster_domain){.devices = devices};
    spec = (struct cluster_spec){
        .apps = apps, .apps_count = APPS, .domains = &domain, .domains_count = 1};
    spec.sharing.spatial = shared ? models : NULL;
    spec.sharing.quota_switch_ns = 1000;
    for (uint32_t i = 0; i < APPS; i++) {
        static const uint32_t numbers[APPS] = {0, 1, 2};
        struct dcs_shape *shape = gpu_case_shape(&model, 8e6, 9e6);
        shape->kind = i == 2 ? DCS_SHAPE_TO_DEVICE : DCS_SHAPE_COMPUTE;
        apps[i] = (struct dcs_app){.kernels = 1,
                                   .mean_ns = (int64_t *)&mean_ns,
                                   .shapes = shared ? (uint32_t *)&numbers[i] : NULL};
    }
    explainer = explainer_new(&spec, NULL, 0);
    recorder = explainer_recorder(explainer);
}

/* A request of a job of its own; applications are 0 to 2. */
static struct cluster_record of(enum record_kind kind, int64_t at_ns, uint32_t request,
                                uint32_t app)
{
    return (struct cluster_record){.kind = kind,
                                   .at_ns = at_ns,
                                   .id = request + 1,
                                   .slot = request,
                                   .job = request,
                                   .app = app,
                                   .form = app,
                                   .began_ns = at_ns,
                                   .work_ns = 8000000,
                                   .flag = kind != RECORD_LAUNCH}; /* was simulated */
}

static void tell(struct cluster_record r)
{
    struct dcs_err err = {0};
    assert_int_equal(recorder.record(recorder.context, &r, &err), 0);
}

static void routed(int64_t at_ns, uint32_t request, uint32_t app)
{
    tell(of(RECORD_ROUTED, at_ns, request, app));
}

static void launch(int64_t at_ns, uint32_t request, uint32_t app, uint32_t device)
{
    struct cluster_record r = of(RECORD_LAUNCH, at_ns, request, app);
    r.device = device;
    tell(r);
}

/* Another request of the application is on the device all this time, and nobody explains it. */
static void occupy(int64_t at_ns, uint32_t request, uint32_t app, uint32_t device)
{
    routed(at_ns, request, app);
    launch(at_ns, request, app, device);
}

static void on_device(enum record_kind kind, int64_t at_ns, uint32_t request, uint32_t app,
                      uint32_t device)
{
    struct cluster_record r = of(kind, at_ns, request, app);
    r.device = device;
    tell(r);
}

static void end(int64_t at_ns)
{
    tell((struct cluster_record){.kind = RECORD_END, .at_ns = at_ns, .domain = RECORD_NONE});
}

static const struct explanation *explained(uint32_t request)
{
    size_t count;
    const struct explanation *all = explainer_all(explainer, &count);
    for (size_t i = 0; i < count; i++)
        if (all[i].job == request)
            return &all[i];
    fail_msg("request %u was not explained", request);
    return NULL;
}

static void parts(uint32_t request, const int64_t *expected)
{
    const struct explanation *x = explained(request);
    for (int i = 0; i < EXPLAIN_PARTS; i++)
        if (x->parts_ns[i] != expected[i])
            fail_msg("request %u, %s: %lld instead of %lld", request, explain_parts[i],
                     (long long)x->parts_ns[i], (long long)expected[i]);
}
#define PARTS(...) ((const int64_t[EXPLAIN_PARTS]){__VA_ARGS__})

/* Behind two kernels for 10 ns and one of them for 10 more: 5 + 10 and 5; then its device is idle
 * for 4, then both are busy for 9, of which the scheduler is for 3. */
static void waiting(void **state)
{
    (void)state;
    begin(2, false);
    occupy(0, 1, 0, 0);
    occupy(0, 2, 1, 0);
    occupy(0, 3, 0, 1);
    on_device(RECORD_KERNEL_END, 0, 3, 0, 1);
    occupy(0, 4, 2, 1);
    routed(10, 0, 0);
    on_device(RECORD_KERNEL_END, 20, 4, 2, 1);
    occupy(24, 5, 1, 1);
    tell((struct cluster_record){.kind = RECORD_CALLBACK, .at_ns = 26, .to_ns = 29});
    on_device(RECORD_KERNEL_END, 32, 2, 1, 0);
    launch(38, 0, 0, 0);
    on_device(RECORD_KERNEL_END, 8000038, 0, 0, 0);
    end(8000038);
    /* Of three kernels from 10 to 20 and from 24 to 26 and 29 to 32, of two from there to 38. */
    parts(0, PARTS([EXPLAIN_OWN] = 8000000, [EXPLAIN_HELD] = 4, [EXPLAIN_POLICY] = 3,
                   [EXPLAIN_QUEUE] = 21));
    /* 0: 10/3 + 5/3 + 3 = 8; 1: 10/3 + 2 * 5/3 + 3 = 9.67; 2: 10/3. */
    const int64_t *behind = explained(0)->queue_ns;
    assert_true(behind[0] == 8 && behind[1] == 10 && behind[2] == 3);
    explainer_free(explainer);
}

/* 11 ns behind two kernels of one application and one of another: 7.33 and 3.67. */
static void remainders(void **state)
{
    (void)state;
    begin(1, false);
    occupy(0, 1, 0, 0);
    occupy(0, 2, 0, 0);
    occupy(0, 3, 1, 0);
    routed(0, 0, 2);
    launch(11, 0, 2, 0);
    end(11);
    const int64_t *behind = explained(0)->queue_ns;
    assert_true(behind[0] == 7 && behind[1] == 4 && behind[2] == 0);
    explainer_free(explainer);
}

/* One request of application 0 at a time: the second one is behind the first until that has ended,
 * whatever else is on the device, and the third one behind both; then the device is another's. */
static void behind_earlier(void **state)
{
    (void)state;
    begin(1, false);
    occupy(0, 1, 1, 0);
    routed(0, 0, 0);
    routed(5, 2, 0);
    routed(6, 3, 0);
    launch(10, 0, 0, 0);
    on_device(RECORD_KERNEL_END, 30, 0, 0, 0);
    launch(34, 2, 0, 0);
    struct cluster_record r = of(RECORD_LEAVES, 40, 3, 0);
    r.flag = false;
    tell(r);
    end(44);
    parts(0, PARTS([EXPLAIN_OWN] = 20, [EXPLAIN_QUEUE] = 10));
    parts(2, PARTS([EXPLAIN_OWN] = 10, [EXPLAIN_BEHIND] = 25, [EXPLAIN_QUEUE] = 4));
    assert_true(explained(2)->queue_ns[1] == 4 && explained(2)->queue_ns[0] == 0);
    parts(3, PARTS([EXPLAIN_BEHIND] = 34));
    explainer_free(explainer);
}

/* Two at a time from 10 on: the third one is behind none while only the second is there; what has
 * begun is behind nobody between two kernels; what leaves a domain and comes back is the last. */
static void behind_two_at_a_time(void **state)
{
    (void)state;
    begin(1, false);
    routed(0, 0, 0);
    routed(4, 1, 0);
    launch(8, 0, 0, 0);
    launch(10, 1, 0, 0);
    routed(12, 2, 0);
    routed(12, 3, 0);
    struct cluster_record r = of(RECORD_KERNEL_END, 20, 1, 0);
    r.flag = false;
    tell(r);
    on_device(RECORD_KERNEL_END, 26, 0, 0, 0);
    launch(26, 1, 0, 0);
    tell(of(RECORD_LEAVES, 30, 2, 0));
    r = of(RECORD_ROUTED, 30, 2, 0);
    r.flag = false;
    tell(r);
    end(37);
    parts(1, PARTS([EXPLAIN_OWN] = 10 + 11, [EXPLAIN_BEHIND] = 6, [EXPLAIN_QUEUE] = 6));
    parts(2, PARTS([EXPLAIN_BEHIND] = 14 + 7, [EXPLAIN_QUEUE] = 4));
    parts(3, PARTS([EXPLAIN_BEHIND] = 18, [EXPLAIN_QUEUE] = 7));
    explainer_free(explainer);
}

/* Behind two kernels for 1000 ns, then behind one of them for as long. */
static void shares(void **state)
{
    (void)state;
    begin(1, false);
    occupy(0, 1, 0, 0);
    occupy(0, 2, 1, 0);
    routed(0, 0, 2);
    on_device(RECORD_KERNEL_END, 1000, 2, 1, 0);
    launch(2000, 0, 2, 0);
    end(2000);
    assert_true(explained(0)->queue_ns[0] == 1500 && explained(0)->queue_ns[1] == 500);
    explainer_free(explainer);
}

/* A kernel runs until 5, is being revoked until 9, and another one follows until 12. */
static void behind_a_revocation(void **state)
{
    (void)state;
    begin(1, false);
    occupy(0, 1, 0, 0);
    routed(0, 0, 2);
    struct cluster_record stop = of(RECORD_STOP, 5, 1, 0);
    stop.saved_ns = 2; /* by a checkpoint */
    tell(stop);
    on_device(RECORD_STOPPED, 9, 1, 0, 0);
    occupy(9, 3, 1, 0);
    on_device(RECORD_KERNEL_END, 12, 3, 1, 0);
    launch(12, 0, 2, 0);
    end(20);
    parts(0, PARTS([EXPLAIN_OWN] = 8, [EXPLAIN_QUEUE] = 8, [EXPLAIN_REVOCATION] = 4));
    assert_true(explained(0)->queue_ns[0] == 5 && explained(0)->queue_ns[1] == 3);
    /* Of 5 ns it keeps 2; being revoked takes 4; then it waits behind others until the end. */
    parts(1, PARTS([EXPLAIN_OWN] = 2, [EXPLAIN_REVOCATION] = 3 + 4, [EXPLAIN_QUEUE] = 11));
    explainer_free(explainer);
}

/* 8 ms of work, of which 3 are kept from before; 1 goes on checkpoints. */
static void checkpoints(void **state)
{
    (void)state;
    begin(1, false);
    routed(0, 0, 0);
    struct cluster_record r = of(RECORD_LAUNCH, 0, 0, 0);
    r.saved_ns = 3000000;
    tell(r);
    on_device(RECORD_KERNEL_END, 6000000, 0, 0, 0);
    parts(0, PARTS([EXPLAIN_OWN] = 5000000, [EXPLAIN_REVOCATION] = 1000000));
    explainer_free(explainer);
}

/* with: the other part of a fused launch, of application 1; 0: none. */
static void run_of(uint32_t request, uint32_t app, int64_t end_ns, uint32_t sms, uint32_t with)
{
    struct cluster_record r = of(RECORD_LAUNCH, 0, request, app);
    routed(0, request, app);
    r.with = with > 0 ? with + 1 : 0;
    if (sms > 0)
        r.allotment = (struct host_allotment){.mechanism = HOST_GREEN, .sms = sms};
    tell(r);
    if (with > 0) {
        routed(0, with, 1);
        r = of(RECORD_LAUNCH, 0, with, 1);
        r.with = request + 1;
        tell(r);
        tell((struct cluster_record){.kind = RECORD_RATES});
        on_device(RECORD_KERNEL_END, end_ns, with, 1, 0);
    }
    on_device(RECORD_KERNEL_END, end_ns, request, app, 0);
}

/* Shared devices: rounding is its own; half of the SMs; a copy; fused with application 1. */
static void alone_and_together(void **state)
{
    (void)state;
    begin(1, true);
    uint32_t half = model.spatial.sms / 2;
    run_of(0, 0, 8000003, 0, 0);
    parts(0, PARTS([EXPLAIN_OWN] = 8000003));
    run_of(1, 0, 9000000, half, 0);
    parts(1, PARTS([EXPLAIN_OWN] = 8000000, [EXPLAIN_FEWER_SMS] = 1000000));
    run_of(2, 2, 8000000, 0, 0);
    parts(2, PARTS([EXPLAIN_TRANSFER] = 8000000));
    run_of(3, 0, 10000000, 0, 4);
    parts(3, PARTS([EXPLAIN_OWN] = 8000000, [EXPLAIN_CONTENTION] = 2000000));
    assert_true(explained(3)->contention_ns[1] == 2000000);
    /* Of a fused launch nothing is for fewer SMs. */
    run_of(5, 0, 10000000, half, 6);
    parts(5, PARTS([EXPLAIN_OWN] = 8000000, [EXPLAIN_CONTENTION] = 2000000));
    /* 9000006.75 ns on half of the SMs. */
    routed(10000000, 7, 0);
    struct cluster_record r = of(RECORD_LAUNCH, 10000000, 7, 0);
    r.work_ns = 8000006;
    r.allotment = (struct host_allotment){.mechanism = HOST_GREEN, .sms = half};
    tell(r);
    on_device(RECORD_KERNEL_END, 19000007, 7, 0, 0);
    parts(7, PARTS([EXPLAIN_OWN] = 8000006, [EXPLAIN_FEWER_SMS] = 1000001));
    /* On half of the SMs, and the run ends after 4.5 of 9 ms. */
    routed(20000000, 8, 0);
    r = of(RECORD_LAUNCH, 20000000, 8, 0);
    r.allotment = (struct host_allotment){.mechanism = HOST_GREEN, .sms = half};
    tell(r);
    end(24500000);
    parts(8, PARTS([EXPLAIN_OWN] = 4000000, [EXPLAIN_FEWER_SMS] = 500000));
    explainer_free(explainer);
}

/* All that a CPU takes longer. */
static void on_a_cpu(void **state)
{
    (void)state;
    begin(1, false);
    spec.sharing.cpu = cpus;
    run_of(0, 0, 9500000, 0, 0);
    parts(0, PARTS([EXPLAIN_OWN] = 8000000, [EXPLAIN_FEWER_SMS] = 1500000));
    explainer_free(explainer);
}

/* A start that takes 3000 ns, of which a switch of the quota 1000; one without a switch; one whose
 * quota changed while it ran before. */
static void starts(void **state)
{
    (void)state;
    begin(1, true);
    for (uint32_t i = 0; i < 3; i++) {
        routed(0, i, 0);
        if (i == 0)
            tell(of(RECORD_QUOTA, 0, i, 0));
        struct cluster_record r = of(RECORD_LAUNCH, 0, i, 0);
        r.began_ns = 3000;
        tell(r);
    }
    tell(of(RECORD_QUOTA, 4000, 2, 0));
    for (uint32_t i = 0; i < 3; i++) {
        struct cluster_record r = of(RECORD_KERNEL_END, 8003000, i, 0);
        r.flag = false;
        tell(r);
        r = of(RECORD_LAUNCH, 8003000, i, 0);
        r.began_ns = 8004500;
        tell(r);
        on_device(RECORD_KERNEL_END, 16004500, i, 0, 0);
    }
    parts(0, PARTS([EXPLAIN_OWN] = 16000000, [EXPLAIN_POLICY] = 1000,
                   [EXPLAIN_REVOCATION] = 2000 + 1500));
    parts(1, PARTS([EXPLAIN_OWN] = 16000000, [EXPLAIN_REVOCATION] = 3000 + 1500));
    parts(2, PARTS([EXPLAIN_OWN] = 16000000, [EXPLAIN_REVOCATION] = 3000 + 1500));
    explainer_free(explainer);
}

/* A switch of 1000 passes while the host launches; the rest of a start is a revocation's. */
static void hosts(void **state)
{
    (void)state;
    static const int64_t begins[] = {3000, 3000, 700}, host_ns[] = {3000, 2500, 700};
    begin(1, true);
    for (uint32_t i = 0; i < 3; i++) {
        routed(0, i, 0);
        if (i > 0)
            tell(of(RECORD_QUOTA, 0, i, 0));
        struct cluster_record r = of(RECORD_LAUNCH, 0, i, 0);
        r.began_ns = begins[i];
        r.host_ns = host_ns[i];
        tell(r);
        on_device(RECORD_KERNEL_END, begins[i] + 8000000, i, 0, 0);
    }
    parts(0, PARTS([EXPLAIN_OWN] = 8000000, [EXPLAIN_HOST] = 3000));
    parts(1, PARTS([EXPLAIN_OWN] = 8000000, [EXPLAIN_POLICY] = 1000, [EXPLAIN_HOST] = 1500,
                   [EXPLAIN_REVOCATION] = 500));
    parts(2, PARTS([EXPLAIN_OWN] = 8000000, [EXPLAIN_POLICY] = 700));
    explainer_free(explainer);
}

/* Inside at the end: one that waits, one that is being revoked; one that is dropped, and one that
 * was turned away. */
static void ends(void **state)
{
    (void)state;
    begin(1, false);
    occupy(0, 0, 0, 0);
    routed(2, 1, 1);
    routed(3, 2, 1);
    struct cluster_record r = of(RECORD_LEAVES, 6, 2, 1);
    r.flag = false;
    tell(r);
    r = of(RECORD_LEAVES, 7, 3, 1);
    r.domain = RECORD_NONE;
    r.flag = false;
    tell(r);
    on_device(RECORD_STOP, 8, 0, 0, 0);
    end(10);
    parts(0, PARTS([EXPLAIN_REVOCATION] = 10));
    parts(1, PARTS([EXPLAIN_QUEUE] = 6, [EXPLAIN_REVOCATION] = 2));
    parts(2, PARTS([EXPLAIN_BEHIND] = 3));
    parts(3, PARTS(0));
    assert_true(explained(0)->outcome == CLUSTER_INSIDE && explained(0)->end_ns == 10);
    assert_true(explained(1)->outcome == CLUSTER_INSIDE);
    assert_true(explained(2)->outcome == CLUSTER_DROPPED && explained(2)->end_ns == 6);
    assert_true(explained(3)->outcome == CLUSTER_DROPPED && explained(3)->end_ns == 7);
    explainer_free(explainer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting),        cmocka_unit_test(remainders),
        cmocka_unit_test(shares),         cmocka_unit_test(behind_a_revocation),
        cmocka_unit_test(checkpoints),    cmocka_unit_test(alone_and_together),
        cmocka_unit_test(on_a_cpu),       cmocka_unit_test(starts),
        cmocka_unit_test(hosts),          cmocka_unit_test(ends),
        cmocka_unit_test(behind_earlier), cmocka_unit_test(behind_two_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
