/*
 * test_sm.c - rates of kernels that share SMs, and what a device makes of them, worked out by hand.
 *
 * Pins: one kernel and two have the measured rates with all SMs alike; between measured points the
 * factor is the weighted mean; what was not measured has the law's share; SMs that are no part add
 * nothing; a resource of the device slows kernels in other parts, one of an SM does not. A kernel
 * that has half of the SMs takes twice as long; blocks that are saved leave after their bytes, and
 * come back so; blocks that drain work until they have ended; others wait for that; a quota stops a
 * kernel, and the next one lets it go on; one of 0 stops it at once; one of some SMs stops it in
 * these; blocks that are idle are so while it stands still, too; claims never exceed an SM, and
 * end with the request; work and SMs in use add up; each row of a profile that does not fit is
 * refused. Does not pin: the shipped law (docs/validation/smk.md), policies
 * (tests/golden/test_smk_by_hand.c).
 */
#include "models/sm/sm_device.h"
#include "tests/sm_case.h"

#define TEMP_FILE "test_sm"
#include "tests/temp_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void near(double a, double b)
{
    if (fabs(a - b) > 1e-6)
        fail_msg("%.9f, expected %.9f", a, b);
}

static void measured_rates(void **state)
{
    (void)state;
    struct sm_case b;
    const uint32_t kernels[] = {A, B, C};
    double rates[3];
    sm_case_build(&b);
    sm_case_rate(&b, A, 1, B, 1, 0.2);
    sm_case_rate(&b, A, 1, B, 3, 0.1);
    dcs_sm_prepare(&b.m);
    struct dcs_sm_part all = {.sms = 10, .blocks = {2}};
    dcs_sm_rates(&b.m, kernels, 1, &all, 1, rates, NULL);
    near(rates[0], 0.5);
    all.blocks[0] = all.blocks[1] = 1;
    dcs_sm_rates(&b.m, kernels, 2, &all, 1, rates, NULL);
    near(rates[0], 0.2);
    near(rates[1], 0.25); /* not measured: the law says that nothing is slowed */
    /* Factors 0.8 and 0.4 of 0.25; the distances of 2 from 1 and 3 are log 2 and log 3/2. */
    all.blocks[1] = 2;
    double near_one = 1 / (log(2) * log(2)), near_three = 1 / (log(1.5) * log(1.5));
    dcs_sm_rates(&b.m, kernels, 2, &all, 1, rates, NULL);
    near(rates[0], 0.25 * (0.8 * near_one + 0.4 * near_three) / (near_one + near_three));
    all.blocks[1] = all.blocks[2] = 1;
    dcs_sm_rates(&b.m, kernels, 3, &all, 1, rates, NULL);
    near(rates[0], 0.25); /* three kernels: by the law */
    all.sms = 4;
    dcs_sm_rates(&b.m, kernels, 1, &all, 1, rates, NULL);
    near(rates[0], 0.1);
    dcs_sm_rates(&b.m, kernels, 1, &all, 0, rates, NULL);
    near(rates[0], 0);
}

/* A block waits 4 ns of its own, and w in the queue of a resource that it uses for 0.5: with n
 * blocks x = n / (4 + w), x / 2 = w / (1 + w). */
static double alone_by_hand(double n)
{
    double low = 0, high = 1e6;
    for (int i = 0; i < 200; i++) {
        double w = (low + high) / 2;
        *(n / (4 + w) / 2 > w / (1 + w) ? &low : &high) = w;
    }
    return n / (4 + low);
}

static void resources(void **state)
{
    (void)state;
    struct sm_case b;
    const uint32_t kernels[] = {A, B};
    double rates[2], alone[2];
    for (int wide = 0; wide < 2; wide++) {
        sm_case_build(&b);
        b.m.wide[0] = wide != 0;
        for (int i = 0; i < 2; i++) {
            b.kernels[i].demand[0] = 0.5;
            b.kernels[i].visits[0] = 1;
        }
        dcs_sm_prepare(&b.m);
        near(b.kernels[A].law[3], alone_by_hand(3));
        const struct dcs_sm_part parts[] = {{.sms = 5, .blocks = {4, 0}},
                                            {.sms = 5, .blocks = {0, 4}}};
        dcs_sm_rates(&b.m, kernels, 2, parts, 2, rates, NULL);
        dcs_sm_rates(&b.m, kernels, 1, parts, 1, alone, NULL);
        near(rates[0], rates[1]);
        if (wide) {
            /* The device is used as by 4 blocks in each SM, alone as by 2. */
            near(rates[0], 0.5);
            near(alone[0], 0.5 * (alone_by_hand(2) * 2) / alone_by_hand(4));
        } else {
            near(rates[0], alone[0]);
            near(alone[0], 0.5);
        }
    }
}

/* ---- Devices ---- */

static const struct dcs_sm_leaving at_once = {.how = DCS_SM_SAVE};

static void claim_and_start(struct dcs_sm_device *d, int64_t now_ns, uint64_t id, uint32_t kernel,
                            int64_t work_ns, struct dcs_sm_range range)
{
    assert_null(dcs_sm_refuses(d, id, kernel, range));
    dcs_sm_claim(d, id, kernel, range);
    dcs_sm_start(
        d, now_ns,
        &(struct dcs_sm_launch){.id = id, .kernel = kernel, .work_ns = work_ns, .range = range});
}

static void claim_and_resize(struct dcs_sm_device *d, int64_t now_ns, uint64_t id, uint32_t kernel,
                             struct dcs_sm_range range)
{
    assert_null(dcs_sm_refuses(d, id, kernel, range));
    dcs_sm_claim(d, id, kernel, range);
    dcs_sm_resize(d, now_ns, id, range);
}

/* The next thing that ends, or has used its quota up, and when. */
static struct dcs_sm_end next_end(struct dcs_sm_device *d, int64_t *at_ns)
{
    struct dcs_sm_end ends[DCS_SM_ENDS_MAX];
    for (;;) {
        *at_ns = dcs_sm_next_ns(d);
        assert_true(*at_ns != DCS_NEVER);
        uint32_t n = dcs_sm_advance(d, *at_ns, ends);
        assert_true(n <= 1);
        if (n == 1)
            return ends[0];
    }
}

static void expect_end(struct dcs_sm_device *d, uint64_t id, bool quota, int64_t at_ns)
{
    int64_t at;
    struct dcs_sm_end end = next_end(d, &at);
    assert_int_equal(end.id, id);
    assert_int_equal(end.quota, quota);
    assert_int_equal(at, at_ns);
}

static void half_the_sms(void **state)
{
    (void)state;
    struct sm_case b;
    sm_case_build(&b);
    dcs_sm_prepare(&b.m);
    struct dcs_sm_device *d = dcs_sm_device_create(&b.m, at_once, 0);
    claim_and_start(d, 0, 1, A, 1000, (struct dcs_sm_range){0, 5, 4});
    claim_and_start(d, 0, 2, B, 3000, (struct dcs_sm_range){5, 5, 4});
    near(dcs_sm_done_ns(d, 500, 1), 250);
    expect_end(d, 1, false, 2000);
    /* The rest of b is 2000, of which 1000 is done in half of the SMs: it gets all. */
    claim_and_resize(d, 2000, 2, B, (struct dcs_sm_range){0, 5, 4});
    expect_end(d, 2, false, 4000);
    assert_int_equal(dcs_sm_claims(d), 0);
    dcs_sm_device_close(d, 5000);
    const struct dcs_gpu_usage *u = dcs_sm_usage(d);
    assert_int_equal(u->time.busy_ns, 4000);
    assert_int_equal(u->time.useful_ns, 4000);
    near(u->sm_ns, 40000);
    near(u->kernel_ns, 2 * 2000 + 2000);
    dcs_sm_device_destroy(d);
}

static void contexts(void **state)
{
    (void)state;
    struct sm_case b;
    sm_case_build(&b);
    dcs_sm_prepare(&b.m);
    /* A block holds 4 * 8192 + 1024 bytes. */
    double bytes = 33792;
    struct dcs_sm_device *d =
        dcs_sm_device_create(&b.m, (struct dcs_sm_leaving){DCS_SM_SAVE, bytes / 10}, 0);
    claim_and_start(d, 0, 1, A, 100000, (struct dcs_sm_range){0, 10, 4});
    /* At 1000, 20 blocks leave: 200 ns, in which b waits and half of a works. */
    claim_and_resize(d, 1000, 1, A, (struct dcs_sm_range){0, 10, 2});
    claim_and_start(d, 1000, 2, B, 500, (struct dcs_sm_range){0, 10, 2});
    assert_int_equal(dcs_sm_next_ns(d), 1200);
    expect_end(d, 2, false, 2200);
    near(dcs_sm_done_ns(d, 2200, 1), 1000 + 600);
    /* The blocks come back: 200 ns. */
    claim_and_resize(d, 2200, 1, A, (struct dcs_sm_range){0, 10, 4});
    assert_int_equal(dcs_sm_next_ns(d), 2400);
    struct dcs_sm_end ends[DCS_SM_ENDS_MAX];
    assert_int_equal(dcs_sm_advance(d, 2400, ends), 0);
    near(dcs_sm_done_ns(d, 3400, 1), 1000 + 600 + 100 + 1000);
    dcs_sm_device_destroy(d);
}

static void draining(void **state)
{
    (void)state;
    struct sm_case b;
    sm_case_build(&b);
    dcs_sm_prepare(&b.m);
    struct dcs_sm_device *d =
        dcs_sm_device_create(&b.m, (struct dcs_sm_leaving){.how = DCS_SM_DRAIN}, 0);
    claim_and_start(d, 0, 1, A, 100000, (struct dcs_sm_range){0, 10, 4});
    /* A block takes 4000 ns: one of four has ended after 1000. Until then all four work. */
    claim_and_resize(d, 1000, 1, A, (struct dcs_sm_range){0, 10, 3});
    claim_and_start(d, 1000, 2, B, 250, (struct dcs_sm_range){0, 10, 1});
    assert_int_equal(dcs_sm_next_ns(d), 2000);
    expect_end(d, 2, false, 3000);
    near(dcs_sm_done_ns(d, 3000, 1), 2000 + 750);
    dcs_sm_device_destroy(d);
    /* Blocks that were to leave, and are wanted again before they have: none has left. */
    d = dcs_sm_device_create(&b.m, (struct dcs_sm_leaving){.how = DCS_SM_DRAIN}, 0);
    claim_and_start(d, 0, 1, A, 100000, (struct dcs_sm_range){0, 10, 4});
    claim_and_resize(d, 10, 1, A, (struct dcs_sm_range){0, 10, 2});
    claim_and_resize(d, 11, 1, A, (struct dcs_sm_range){0, 10, 4});
    assert_int_equal(dcs_sm_advance(d, dcs_sm_next_ns(d), (struct dcs_sm_end[DCS_SM_ENDS_MAX]){0}),
                     0);
    expect_end(d, 1, false, 100000);
    dcs_sm_device_destroy(d);
}

/* The quota of request 1 on all SMs. */
static void set_quota(struct dcs_sm_device *d, int64_t now_ns, int64_t work_ns)
{
    dcs_sm_set_quota(d, now_ns, 1, (struct dcs_sm_quota){0, 10, work_ns});
}

static void quotas(void **state)
{
    (void)state;
    struct sm_case b;
    sm_case_build(&b);
    dcs_sm_prepare(&b.m);
    struct dcs_sm_device *d = dcs_sm_device_create(&b.m, at_once, 0);
    claim_and_start(d, 0, 1, A, 1000, (struct dcs_sm_range){0, 10, 2});
    set_quota(d, 0, 100);
    expect_end(d, 1, true, 200);
    assert_int_equal(dcs_sm_next_ns(d), DCS_NEVER);
    near(dcs_sm_done_ns(d, 700, 1), 100);
    assert_int_equal(dcs_sm_running(d), 1);
    set_quota(d, 700, 50);
    expect_end(d, 1, true, 800);
    set_quota(d, 1000, DCS_NEVER);
    set_quota(d, 1200, 0);
    assert_int_equal(dcs_sm_next_ns(d), DCS_NEVER);
    set_quota(d, 1300, 1000000); /* more than is left */
    expect_end(d, 1, false, 1300 + 2 * (1000 - 250));
    dcs_sm_device_destroy(d);
}

static void quotas_of_sms(void **state)
{
    (void)state;
    struct sm_case b;
    sm_case_build(&b);
    b.kernels[A].alone[3] = 0.99; /* a fourth block brings 1 % */
    dcs_sm_prepare(&b.m);
    struct dcs_sm_device *d = dcs_sm_device_create(&b.m, at_once, 0);
    claim_and_start(d, 0, 1, A, 1000, (struct dcs_sm_range){0, 10, 4});
    /* Half of the SMs do 100 in 200. The others go on. */
    dcs_sm_set_quota(d, 0, 1, (struct dcs_sm_quota){0, 5, 100});
    near(dcs_sm_quota_left_ns(d, 50, 1, 0), 75);
    near(dcs_sm_quota_left_ns(d, 50, 1, 5), -1);
    struct dcs_sm_end ends[DCS_SM_ENDS_MAX];
    assert_int_equal(dcs_sm_next_ns(d), 200);
    assert_int_equal(dcs_sm_advance(d, 200, ends), 1);
    assert_true(ends[0].quota && ends[0].first_sm == 0);
    near(dcs_sm_done_ns(d, 300, 1), 200 + 50);
    dcs_sm_set_quota(d, 300, 1, (struct dcs_sm_quota){5, 5, 0});
    assert_int_equal(dcs_sm_next_ns(d), DCS_NEVER);
    /* It stands still, and could do without one block all the same. */
    assert_int_equal(dcs_sm_idle_blocks(d, 1), 1);
    /* A quota that has SMs of both takes their place: four SMs have one. */
    dcs_sm_set_quota(d, 400, 1, (struct dcs_sm_quota){3, 4, 40});
    near(dcs_sm_quota_left_ns(d, 400, 1, 0), -1);
    expect_end(d, 1, true, 500);
    near(dcs_sm_done_ns(d, 500, 1), 250 + 100);
    for (uint32_t sm = 0; sm < 3; sm++)
        dcs_sm_set_quota(d, 500, 1, (struct dcs_sm_quota){sm, 1, 1000});
    for (uint32_t sm = 7; sm < 10; sm++)
        dcs_sm_set_quota(d, 500, 1, (struct dcs_sm_quota){sm, 1, 1000});
    assert_null(dcs_sm_refuses_quota(d, 1, (struct dcs_sm_quota){9, 1, 5}));
    /* Seven so far, with that of SMs 3 to 6. That becomes two, and no place is left. */
    dcs_sm_set_quota(d, 500, 1, (struct dcs_sm_quota){3, 1, 1000});
    dcs_sm_set_quota(d, 500, 1, (struct dcs_sm_quota){4, 1, 1000});
    assert_non_null(strstr(dcs_sm_refuses_quota(d, 1, (struct dcs_sm_quota){5, 1, 5}), "as many"));
    assert_null(dcs_sm_refuses_quota(d, 1, (struct dcs_sm_quota){5, 1, DCS_NEVER}));
    assert_null(dcs_sm_refuses_quota(d, 1, (struct dcs_sm_quota){4, 2, 5}));
    assert_non_null(
        strstr(dcs_sm_refuses_quota(d, 1, (struct dcs_sm_quota){9, 2, 5}), "the device has not"));
    assert_non_null(
        strstr(dcs_sm_refuses_quota(d, 1, (struct dcs_sm_quota){9, 1, -5}), "less than nothing"));
    dcs_sm_device_destroy(d);
}

static void claims(void **state)
{
    (void)state;
    struct sm_case b;
    sm_case_build(&b);
    dcs_sm_prepare(&b.m);
    struct dcs_sm_device *d = dcs_sm_device_create(&b.m, at_once, 0);
    dcs_sm_claim(d, 7, A, (struct dcs_sm_range){0, 10, 3});
    assert_null(dcs_sm_refuses(d, 8, B, (struct dcs_sm_range){0, 10, 1}));
    assert_non_null(strstr(dcs_sm_refuses(d, 8, B, (struct dcs_sm_range){9, 1, 2}), "no room"));
    assert_null(dcs_sm_refuses(d, 7, A, (struct dcs_sm_range){9, 1, 4}));
    assert_non_null(strstr(dcs_sm_refuses(d, 8, B, (struct dcs_sm_range){9, 2, 1}), "more SMs"));
    assert_non_null(
        strstr(dcs_sm_refuses(d, 8, B, (struct dcs_sm_range){0, 1, 33}), "fewer blocks"));
    assert_non_null(
        strstr(dcs_sm_refuses(d, 8, UINT32_MAX, (struct dcs_sm_range){0, 1, 1}), "not measured"));
    for (uint64_t id = 10; id < 17; id++)
        dcs_sm_claim(d, id, B, (struct dcs_sm_range){0});
    assert_non_null(strstr(dcs_sm_refuses(d, 99, B, (struct dcs_sm_range){0}), "no more requests"));
    assert_int_equal(dcs_sm_claims(d), DCS_SM_TOGETHER_MAX);
    assert_int_equal(dcs_sm_first_claim(d), 7);
    dcs_sm_device_destroy(d);
}

static void idle_and_left(void **state)
{
    (void)state;
    struct sm_case b;
    sm_case_build(&b);
    b.kernels[A].alone[3] = 0.99; /* a fourth block brings 1 % */
    dcs_sm_prepare(&b.m);
    struct dcs_sm_device *d = dcs_sm_device_create(&b.m, at_once, 0);
    claim_and_start(d, 0, 1, A, 1000, (struct dcs_sm_range){0, 10, 4});
    assert_int_equal(dcs_sm_idle_blocks(d, 1), 1);
    near(dcs_sm_left(d, 250, 1), 0.75);
    dcs_sm_scale_left(d, 250, 1, 2);
    expect_end(d, 1, false, 250 + 1500);
    dcs_sm_device_destroy(d);
}

/* ---- Reading ---- */

static const char tables[] =
    "CREATE TABLE profile(key TEXT PRIMARY KEY, value TEXT NOT NULL);\n"
    "INSERT INTO profile VALUES ('schema_version', '2'), ('name', 'x'), ('description', 'x'), "
    "('source', 'x'), ('partial', 'yes');\n"
    "CREATE TABLE device(name TEXT NOT NULL, kind TEXT NOT NULL, sms INTEGER NOT NULL, "
    "memory_bytes INTEGER NOT NULL, source TEXT NOT NULL);\n"
    "INSERT INTO device VALUES ('d', 'gpu', 8, 1000, 'x');\n"
    "CREATE TABLE application(name TEXT PRIMARY KEY, class TEXT NOT NULL, sla_ns INTEGER, "
    "memory_bytes INTEGER NOT NULL, source TEXT NOT NULL);\n"
    "INSERT INTO application VALUES ('a', 'batch', NULL, 10, 'x');\n"
    "CREATE TABLE kernel(application TEXT NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL, "
    "duration_ns INTEGER NOT NULL, threads INTEGER, source TEXT NOT NULL, PRIMARY KEY(application, "
    "position));\n"
    "INSERT INTO kernel VALUES ('a', 0, 'task', 5, NULL, 'x');\n"
    "CREATE TABLE revocation(mechanism TEXT NOT NULL, threads INTEGER, kill_ns INTEGER NOT NULL, "
    "start_ns INTEGER NOT NULL, clear_ns INTEGER NOT NULL, spawn_ns INTEGER NOT NULL, source TEXT "
    "NOT NULL);\n"
    "CREATE TABLE resident_resource(resource INTEGER PRIMARY KEY, sharpness REAL NOT NULL, "
    "device_wide INTEGER NOT NULL, source TEXT NOT NULL);\n"
    "CREATE TABLE resident_kernel(kernel TEXT PRIMARY KEY, threads INTEGER NOT NULL, registers "
    "INTEGER NOT NULL, shared_bytes INTEGER NOT NULL, blocks INTEGER NOT NULL, block_ns REAL NOT "
    "NULL, latency REAL NOT NULL, source TEXT NOT NULL);\n"
    "CREATE TABLE resident_use(kernel TEXT NOT NULL, resource INTEGER NOT NULL, demand REAL NOT "
    "NULL, visits REAL NOT NULL, PRIMARY KEY(kernel, resource));\n"
    "CREATE TABLE resident_rate(kernel TEXT NOT NULL, blocks INTEGER NOT NULL, beside TEXT NOT "
    "NULL, beside_blocks INTEGER NOT NULL, rate REAL NOT NULL, PRIMARY KEY(kernel, blocks, beside, "
    "beside_blocks));\n";

static const char *const whole[] = {"(0, 1.5, 0, 'x')",
                                    "('a', 128, 40, 100000, 2, 100.5, 1.5, 'x'), "
                                    "('b', 1024, 48, 1000, 1, 100.0, 1.5, 'x')",
                                    "('a', 0, 0.5, 0.25), ('b', 0, 0.5, 0.25)",
                                    "('a', 1, 'none', 0, 0.5), ('a', 2, 'none', 0, 1.0), "
                                    "('b', 1, 'none', 0, 1.0), ('a', 1, 'b', 1, 0.25)"};

/* The profile with another text in one of the four tables. */
static struct dcs_sm *load(int changed, const char *rows, struct dcs_err *err)
{
    static const char *const names[] = {"resident_resource", "resident_kernel", "resident_use",
                                        "resident_rate"};
    struct dcs_sm *m;
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    fputs(tables, f);
    for (int i = 0; i < 4; i++) {
        const char *text = i == changed ? rows : whole[i];
        if (text[0] != '\0')
            fprintf(f, "INSERT INTO %s VALUES %s;\n", names[i], text);
    }
    assert_int_equal(fclose(f), 0);
    struct dcs_profile *p = dcs_sm_load_profile(file, &m, err);
    dcs_profile_free(p);
    return m;
}

static void reading(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct dcs_sm *m = load(-1, "", &err);
    if (m == NULL)
        fail_msg("%s", err.text);
    assert_int_equal(m->count, 2);
    assert_int_equal(m->sms, 8);
    const struct dcs_sm_kernel *a = &m->kernels[dcs_sm_find(m, "a")];
    assert_int_equal(a->registers, 128 * 40);
    assert_int_equal(a->shared_bytes, 101024);
    assert_int_equal(a->count, 1);
    assert_int_equal(dcs_sm_find(m, "c"), UINT32_MAX);
    const uint32_t kernels[] = {0, 1};
    const uint32_t fit[] = {2, 1}, too_many[] = {3, 1};
    assert_true(dcs_sm_has_room(m, kernels, fit, 2));
    assert_false(dcs_sm_has_room(m, kernels, too_many, 2));
    dcs_sm_free(m);
}

static void bad_rows(void **state)
{
    (void)state;
    static const struct {
        int table;
        const char *rows, *says;
    } cases[] = {
        {0, "", "has no kernels inside an SM"},
        {1, "", "has no kernels inside an SM"},
        {0, "(1, 1.5, 0, 'x')", "resource"},
        {0, "(0, 0, 0, 'x')", "sharpness"},
        {1, "('a', 128, 40, 0, 30, 100.5, 1.5, 'x')", "as many blocks as an SM has room for"},
        {1, "('a', 128, 40, 100000, 1, 100.5, 1.5, 'x')", "as many blocks as an SM has room for"},
        {1, "('a', 128, 40, 100000, 2, 100.5, 1.5, 'x')", "a kernel of table resident_kernel"},
        {2, "('a', 0, 0.5, 0.25)", "\"b\" has no use of resource 0"},
        {2, "('a', 0, 0.5, -1), ('b', 0, 0.5, 0.25)", "visits"},
        {3, "('a', 1, 'none', 0, 0.5), ('b', 1, 'none', 0, 1.0)", "\"a\" has no rate of 2 blocks"},
        {3, "('a', 3, 'none', 0, 0.5)", "blocks"},
        {3, "('a', 1, 'c', 1, 0.5)", "a kernel of table resident_kernel"},
        {3, "('a', 1, 'b', 2, 0.5)", "beside_blocks"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dcs_err err = {0};
        assert_null(load(cases[i].table, cases[i].rows, &err));
        if (strstr(err.text, cases[i].says) == NULL && strstr(err.path, cases[i].says) == NULL)
            fail_msg("%zu: \"%s\" at %s", i, err.text, err.path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_rates), cmocka_unit_test(resources),
        cmocka_unit_test(half_the_sms),   cmocka_unit_test(contexts),
        cmocka_unit_test(draining),       cmocka_unit_test(quotas),
        cmocka_unit_test(quotas_of_sms),  cmocka_unit_test(claims),
        cmocka_unit_test(idle_and_left),  cmocka_unit_test(reading),
        cmocka_unit_test(bad_rows),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
