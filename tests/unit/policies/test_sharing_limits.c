/*
 * Pins: what the policies that share a device do where their rules meet a limit: named shares of
 * fixed-split that would be rounded to more than the device, a latency request without an SLA under
 * baymax, predictions that are charged for (each asked once, no more than are needed, many in one
 * question) and predictions of HOST_NEVER under c-laius. Does not pin: what they decide else
 * (test_sharing_policies.c, test_c_laius.c).
 *
 * The device has 100 SMs unless a test says otherwise; a kernel of w ms of work takes w * 100 /
 * SMs.
 */
#include "policies/lib/quota.h"
#include "tests/fake_host.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define MS FAKE_MS

static app_id service(struct fake_host *f, const char *name, int64_t sla_ns, uint32_t kernels,
                      int64_t work_ms)
{
    struct fake_app app = {.name = name, .class = HOST_LATENCY, .kernels = kernels};
    app.sla_ns = sla_ns;
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

/* ---- Fixed split ---- */

/* The parts of services named s0, s1, ... with these shares, of a device in steps; in *batch_sms
 * that of a batch application. Requests come to the first `count` of four. False if init refuses.
 */
static bool parts(const char *shares, uint32_t count, uint32_t sms, uint32_t step, uint32_t *out,
                  uint32_t *batch_sms)
{
    static const char *const names[] = {"s0", "s1", "s2", "s3"};
    struct fake_host f;
    fake_init(&f, "fixed-split");
    f.device.sms = sms;
    f.device.sms_step = step;
    *(const char **)fake_param(&f, "service_shares") = shares;
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++)
        service(&f, names[i], MS(1000), 1, 10);
    app_id b = batch(&f, "b", 1, 10);
    bool begun = fake_begin(&f) == 0;
    if (begun) {
        for (uint32_t i = 0; i < count; i++)
            out[i] = fake_sms(&f, fake_arrive(&f, i), 0); /* 0: it does not run beside the others */
        *batch_sms = fake_sms(&f, fake_arrive(&f, b), 0);
        assert_string_equal(f.failure, "");
    } else {
        assert_non_null(strstr(f.failure, "service_shares"));
    }
    fake_end(&f);
    return begun;
}

/* 132 SMs in parts of 8: 85.8 and 46.2 SMs are 88 and 48 to the nearest, which is 4 too much. */
static void shares_never_exceed_the_device(void **state)
{
    (void)state;
    uint32_t sms[4], rest;
    assert_true(parts("s0=0.65,s1=0.35", 2, 132, 8, sms, &rest));
    assert_int_equal(sms[0], 84); /* rounded up by 2.2, the other by 1.8 */
    assert_int_equal(sms[1], 48);
    assert_int_equal(rest, 0);

    /* To the nearest ten: 40, 40 and 30, though it is only 96 together. */
    assert_true(parts("s0=0.36,s1=0.35,s2=0.25", 3, 100, 10, sms, &rest));
    assert_int_equal(sms[0], 40);
    assert_int_equal(sms[1] + sms[2], 60);
    assert_int_equal(rest, 0);

    /* At least one part for each that has a share: the large one makes room. */
    assert_true(parts("s0=0.97,s1=0.01,s2=0.01,s3=0", 3, 132, 8, sms, &rest));
    assert_int_equal(sms[0], 116);
    assert_int_equal(sms[1], 8);
    assert_int_equal(sms[2], 8);

    /* What fits is left as the nearest is. */
    assert_true(parts("s0=0.33,s1=0.33,s2=0.33", 3, 132, 8, sms, &rest));
    for (int i = 0; i < 3; i++)
        assert_int_equal(sms[i], 40);
    assert_int_equal(rest, 12);
}

/* Shares with up to three places: whatever they are, all run together. */
static void shares_of_at_most_one_fit(void **state)
{
    (void)state;
    uint32_t sms[4], rest;
    for (int a = 1; a < 1000; a += 7) {
        for (int b = 1; a + b < 1000; b += 11) {
            char shares[64];
            snprintf(shares, sizeof shares, "s0=0.%03d,s1=0.%03d,s2=0.%03d", a, b, 1000 - a - b);
            assert_true(parts(shares, 3, 132, 8, sms, &rest));
            assert_true(sms[0] > 0 && sms[1] > 0 && sms[2] > 0);
            assert_true(sms[0] + sms[1] + sms[2] + rest <= 132);
        }
    }
}

static void more_services_than_parts_are_refused(void **state)
{
    (void)state;
    uint32_t sms[4], rest;
    assert_true(parts("s0=0.3,s1=0.3", 2, 100, 50, sms, &rest));
    assert_false(parts("s0=0.3,s1=0.3,s2=0.3", 3, 100, 50, sms, &rest));
    assert_true(parts("s0=0.3,s1=0.3,s2=0", 2, 100, 50, sms, &rest));
}

/* ---- Baymax ---- */

/* Two kernels of 10 ms behind a batch kernel of 15; another such kernel waits for them. */
static void batch_waits_for_services_without_an_sla(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "baymax");
    app_id a = service(&f, "a", HOST_NEVER, 2, 10), b = batch(&f, "b", 1, 15);
    assert_int_equal(fake_begin(&f), 0);
    fake_arrive(&f, b);
    req_id ra = fake_arrive(&f, a), rb = fake_arrive(&f, b);
    fake_run(&f, MS(1000));
    assert_true(fake_at(&f, ra, 0) == MS(15) && fake_at(&f, ra, 1) == MS(25));
    assert_true(fake_at(&f, rb, 0) == MS(35));
    fake_end(&f);
}

/* ---- C-Laius ---- */

/* Services of two kinds and batch requests, more than can run at a time; no two kernels end at one
 * instant. */
static void predictions_are_asked_once(void **state)
{
    (void)state;
    static const struct {
        const char *policy;
        bool bandwidth; /* is a constraint */
        uint32_t predictions;
    } cases[] = {{"c-laius", true, 1378}, {"c-laius", false, 1039}, {"baymax", false, 74}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fake_host f;
        fake_init(&f, cases[i].policy);
        if (i < 2)
            *(bool *)fake_param(&f, "bandwidth_constraint") = cases[i].bandwidth;
        f.devices = 2;
        app_id a = service(&f, "a", MS(40), 3, 4), b = service(&f, "b", MS(70), 2, 9);
        app_id c = batch(&f, "c", 3, 7), d = batch(&f, "d", 1, 3);
        f.apps[b].work_ns[1] = MS(8.7);
        f.apps[a].slow = 1.0371;
        f.apps[b].slow = 0.9213;
        f.apps[c].slow = 1.1117;
        f.apps[d].milli_ipc = 500;
        f.apps[c].bandwidth = f.apps[a].bandwidth = 700;
        assert_int_equal(fake_begin(&f), 0);
        for (int n = 0; n < 40; n++) {
            fake_arrive(&f, (app_id)(n % 4));
            fake_run(&f, MS(3.1 * (n + 1)));
        }
        fake_run(&f, MS(2000));
        for (uint32_t r = 0; r < f.requests_count; r++)
            assert_int_equal(f.requests[r].state, HOST_ENDED);
        assert_int_equal(f.predictions, cases[i].predictions);
        assert_int_equal(f.asked_again, 0);
        fake_end(&f);
    }
}

/* Of 64 levels: one question for those that are not known where they are the highest; none at once
 * where others are unknown, too; never again for what is known. A host that is older than the
 * question is asked one by one, and says the same. */
static void ask_quotas(bool older)
{
    struct fake_host f;
    fake_init(&f, "c-laius");
    struct host_ops operations = *f.host.ops;
    operations.size = offsetof(struct host_ops, predict_each);
    if (older)
        f.host.ops = &operations;
    f.device.sms = 64;
    f.device.sms_step = 1;
    app_id a = service(&f, "a", MS(40), 1, 4);
    f.apps[a].milli_ipc = 6400;
    assert_int_equal(fake_begin(&f), 0);
    struct quota_levels l;
    struct quota_pool pool = {0};
    quota_levels_init(&l, &f.device, HOST_GREEN, 0);
    assert_int_equal(l.count, 64);
    struct quota_predictions *p = quota_take(&pool, &l, fake_arrive(&f, a));
    uint32_t before = f.predictions, questions = 0;
    quota_predict(&l, &f.host, p, HOST_MILLI_IPC, 3);
    quota_ask(&l, &f.host, p, HOST_MILLI_IPC, 10); /* 1 and 2 are not known */
    assert_int_equal(f.predictions - before, 1);
    assert_int_equal(f.questions_of_many, questions);
    quota_predict(&l, &f.host, p, HOST_MILLI_IPC, 1);
    quota_predict(&l, &f.host, p, HOST_MILLI_IPC, 2);
    quota_ask(&l, &f.host, p, HOST_MILLI_IPC, 10);
    quota_ask(&l, &f.host, p, HOST_MILLI_IPC, 10);
    assert_int_equal(f.predictions - before, 10);
    assert_int_equal(f.questions_of_many, questions += !older);
    quota_ask(&l, &f.host, p, HOST_MILLI_IPC, 64);
    assert_int_equal(f.predictions - before, 64);
    assert_int_equal(f.questions_of_many, questions += !older);
    assert_int_equal(f.asked_again, 0);
    quota_ask(&l, &f.host, p, HOST_BANDWIDTH, 64);
    assert_int_equal(f.predictions - before, 128);
    assert_int_equal(f.questions_of_many, questions += !older);
    for (uint32_t level = 1; level <= 64; level++)
        assert_true(quota_known(&l, p, HOST_MILLI_IPC, level) ==
                    host_predict(&f.host, p->r, HOST_MILLI_IPC, quota_allotment(&l, level)));
    quota_release(&pool);
    fake_end(&f);
}

static void quotas_are_asked_at_once(void **state)
{
    (void)state;
    ask_quotas(false);
    ask_quotas(true);
}

/* Service a is predicted to take for ever and is 5 ms late at 10 ms: that is as late as can be, it
 * keeps priority 1 and all SMs. Were its lateness to wrap round it would count as early. */
static void later_than_ever(void **state)
{
    (void)state;
    struct fake_host f;
    fake_init(&f, "c-laius");
    app_id a = service(&f, "a", MS(5), 2, 10), b = service(&f, "b", MS(1000), 1, 10);
    f.apps[a].never = true;
    assert_int_equal(fake_begin(&f), 0);
    req_id ra = fake_arrive(&f, a);
    fake_run(&f, MS(1));
    req_id rb = fake_arrive(&f, b);
    fake_run(&f, MS(1000));
    assert_int_equal(fake_sms(&f, ra, 0), 100);
    assert_true(fake_at(&f, ra, 1) == MS(10));
    assert_int_equal(fake_sms(&f, ra, 1), 100);
    assert_true(fake_at(&f, rb, 0) == MS(20));
    fake_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_never_exceed_the_device),
        cmocka_unit_test(shares_of_at_most_one_fit),
        cmocka_unit_test(more_services_than_parts_are_refused),
        cmocka_unit_test(batch_waits_for_services_without_an_sla),
        cmocka_unit_test(predictions_are_asked_once),
        cmocka_unit_test(quotas_are_asked_at_once),
        cmocka_unit_test(later_than_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
