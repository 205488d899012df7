/*
 * test_cpu.c - the law of a CPU that programs share (models/cpu/cpu.h), and the device that follows
 * it (models/cpu/cpu_device.h), on cases worked out by hand.
 *
 * Pins: Amdahl on whole cores and time slices below one; misses where ways are fewer than needed,
 * and that more cores need more; bandwidth that two programs divide, the one that waits less for
 * memory slowed less; how a group divides cores and ways; what a change of shares costs, term by
 * term, the longer of two at once; that a group without cores stands still; that claims refuse what
 * does not fit, a group counting once; counters; accounts, what bandwidth costs among them; the
 * shipped profile against its own numbers, and what is wrong with a few that are broken. Does not
 * pin: that a real CPU does this.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "models/cpu/cpu_device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MS 1000000

/* 4 cores, 8 ways, 1 GHz, 10 bytes per ns; a switch costs 1 us, a core's caches 8 us. */
static struct dcs_cpu machine(struct dcs_cpu_app *apps, uint32_t n)
{
    struct dcs_cpu cpu = {.cores = 4,
                          .ways = 8,
                          .clock_ghz = 1,
                          .way_bytes = 20000,
                          .bandwidth = 10,
                          .switch_ns = 1000,
                          .warm_ns = 8000,
                          .apps = apps,
                          .apps_count = n,
                          .plain = {.threads = 4, .speedup = 4, .ipc = 1, .exponent = 1}};
    dcs_cpu_derive(&cpu, &cpu.plain);
    for (uint32_t i = 0; i < n; i++)
        dcs_cpu_derive(&cpu, &apps[i]);
    return cpu;
}

static void near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%.12g, expected %.12g", found, expected);
}

static void test_rate(void **state)
{
    (void)state;
    /* Twice as fast on 4 cores: f = (1 - 1/2) * 4/3 = 2/3, on 2 cores 1 / (1/3 + 1/3) = 1.5. */
    struct dcs_cpu_app app = {.threads = 4, .speedup = 2, .ipc = 1, .exponent = 1};
    struct dcs_cpu cpu = machine(&app, 1);
    near(dcs_cpu_rate(&cpu, &app, 4, 8, 1), 1);
    near(dcs_cpu_rate(&cpu, &app, 2, 8, 1), 0.75);
    near(dcs_cpu_rate(&cpu, &app, 1, 8, 1), 0.5);
    near(dcs_cpu_rate(&cpu, &app, 0.5, 8, 1), 0.25);
    near(dcs_cpu_rate(&cpu, &cpu.plain, 3, 1, 7), 0.75);

    /* Needs 8 ways on 4 cores, 6 on 2, of which half are shared by all; waits 0.4 of its time. */
    struct dcs_cpu_app wide = {.threads = 4,
                               .speedup = 4,
                               .stall = 0.4,
                               .bandwidth = 5,
                               .cache = 8,
                               .shared = 0.5,
                               .growth = 3,
                               .ipc = 2,
                               .exponent = 1};
    cpu = machine(&wide, 1);
    near(dcs_cpu_need(&cpu, &wide, 2), 6);
    near(dcs_cpu_rate(&cpu, &wide, 4, 8, 1), 1);
    near(dcs_cpu_rate(&cpu, &wide, 4, 4, 1), 1 / (0.6 + 0.4 * 2.5));
    near(dcs_cpu_rate(&cpu, &wide, 2, 6, 1), 0.5);
    near(dcs_cpu_rate(&cpu, &wide, 2, 3, 2), 0.5 / (0.6 + 0.4 * 2 * 2.5));
    near(dcs_cpu_traffic(&cpu, &wide, 4, 4, 1), 5 * 2.5 / 1.6);
}

static void test_bandwidth(void **state)
{
    (void)state;
    struct dcs_cpu_app apps[] = {
        {.threads = 1, .speedup = 1, .stall = 0.5, .bandwidth = 6, .ipc = 1, .exponent = 1},
        {.threads = 1, .speedup = 1, .stall = 0.1, .bandwidth = 6, .ipc = 1, .exponent = 1}};
    struct dcs_cpu cpu = machine(apps, 2);
    struct dcs_cpu_runner set[] = {{&apps[0], 1, 4}, {&apps[0], 1, 4}};
    near(dcs_cpu_latency(&cpu, set, 1), 1);
    /* 2 * 6 / (0.5 + 0.5 l) = 10 */
    near(dcs_cpu_latency(&cpu, set, 2), 1.4);
    set[1].app = &apps[1];
    double l = dcs_cpu_latency(&cpu, set, 2);
    double waits = dcs_cpu_rate(&cpu, &apps[0], 1, 4, l),
           works = dcs_cpu_rate(&cpu, &apps[1], 1, 4, l);
    near(6 * waits + 6 * works, 10);
    assert_true(waits < works && works < 1);
}

static void test_divide(void **state)
{
    (void)state;
    struct dcs_cpu_app apps[] = {
        {.threads = 4, .speedup = 4, .cache = 6, .shared = 1, .ipc = 1, .exponent = 1},
        {.threads = 2, .speedup = 2, .cache = 2, .shared = 1, .ipc = 1, .exponent = 1}};
    struct dcs_cpu cpu = machine(apps, 2);
    struct dcs_cpu_runner set[] = {{.app = &apps[0]}, {.app = &apps[1]}};
    dcs_cpu_divide(&cpu, 3, 8, set, 2);
    near(set[0].cores, 2);
    near(set[1].cores, 1);
    near(set[0].ways, 6);
    near(set[1].ways, 2);
    dcs_cpu_divide(&cpu, 4, 8, set + 1, 1); /* no more cores than threads */
    near(set[1].cores, 2);
    near(set[1].ways, 8);
}

static void start(struct dcs_cpu_device *d, int64_t now_ns, uint64_t id, int64_t work_ns,
                  struct dcs_cpu_share share)
{
    assert_null(dcs_cpu_refuses(d, id, share));
    dcs_cpu_claim(d, id, share);
    dcs_cpu_start(
        d, now_ns,
        &(struct dcs_cpu_launch){.id = id, .app = UINT32_MAX, .work_ns = work_ns, .share = share});
}

static void resize(struct dcs_cpu_device *d, int64_t now_ns, uint64_t id,
                   struct dcs_cpu_share share)
{
    assert_null(dcs_cpu_refuses(d, id, share));
    dcs_cpu_claim(d, id, share);
    dcs_cpu_resize(d, now_ns, id, share);
}

/* A request with 1 of 4 cores beside a group of two on the other 3, which is then given all. */
static void test_device(void **state)
{
    (void)state;
    struct dcs_cpu cpu = machine(NULL, 0);
    struct dcs_cpu_device *d = dcs_cpu_device_create(&cpu, 0);
    uint64_t ended[DCS_CPU_TOGETHER_MAX];
    assert_true(dcs_cpu_next_ns(d) == DCS_NEVER);
    start(d, 0, 1, 1 * MS, (struct dcs_cpu_share){1, 2, 0});
    start(d, 0, 2, 3 * MS, (struct dcs_cpu_share){3, 6, 7});
    start(d, 0, 3, 6 * MS, (struct dcs_cpu_share){3, 6, 7});
    assert_int_equal(dcs_cpu_claimed(d).cores, 4);
    assert_non_null(dcs_cpu_refuses(d, 4, (struct dcs_cpu_share){1, 1, 0}));
    assert_null(dcs_cpu_refuses(d, 4, (struct dcs_cpu_share){3, 6, 7}));
    assert_int_equal(dcs_cpu_next_ns(d), 4 * MS); /* 1 on a quarter of the cores */
    assert_true(dcs_cpu_instructions(d, 2 * MS, 1) == 0.5 * MS);
    assert_int_equal(dcs_cpu_advance(d, 4 * MS, ended), 1);
    assert_int_equal(ended[0], 1);
    /* Each has had 1.5 cores for 4 ms: 1.5 of 3 and 6 are done. The fourth core and two ways come
     * at 1000 + 8000 / 4 + 2 * 20000 / 10 = 7000 ns. */
    near(dcs_cpu_left(d, 4 * MS, 2), 0.5);
    resize(d, 4 * MS, 3, (struct dcs_cpu_share){4, 8, 7});
    assert_int_equal(dcs_cpu_next_ns(d), 4 * MS + 7000);
    near(dcs_cpu_left(d, 4 * MS + 7000, 3), 0.75);
    assert_int_equal(dcs_cpu_advance(d, 4 * MS + 7000, ended), 0);
    /* 1.5 ms at half speed. */
    assert_int_equal(dcs_cpu_next_ns(d), 7 * MS + 7000);
    dcs_cpu_scale_left(d, 5 * MS + 7000, 2, 2);
    assert_true(dcs_cpu_instructions(d, 5 * MS + 7000, 2) == 2.0 * MS);
    assert_int_equal(dcs_cpu_next_ns(d), 9 * MS + 7000);
    /* They stand still, which costs nothing, and go on. */
    resize(d, 6 * MS, 2, (struct dcs_cpu_share){0, 0, 7});
    assert_true(dcs_cpu_next_ns(d) == DCS_NEVER);
    resize(d, 8 * MS, 2, (struct dcs_cpu_share){4, 8, 7});
    /* 1000 + 8000 + 8 * 2000, all cores and ways being new. */
    assert_int_equal(dcs_cpu_next_ns(d), 8 * MS + 25000);
    assert_int_equal(dcs_cpu_advance(d, 8 * MS + 25000, ended), 0);
    assert_int_equal(dcs_cpu_advance(d, dcs_cpu_next_ns(d), ended), 1);
    assert_int_equal(ended[0], 2);
    dcs_cpu_device_close(d, 12 * MS);
    const struct dcs_gpu_usage *u = dcs_cpu_usage(d);
    assert_int_equal(u->time.busy_ns, 12 * MS);
    assert_int_equal(u->time.overhead_ns, 32000);
    assert_int_equal(u->time.useful_ns, 12 * MS - 32000);
    near(u->sm_ns, 4 * (12 - 2) * (double)MS - 4 * 32000.0);
    dcs_cpu_device_destroy(d);
}

/* A second change that costs less than is left of the first. */
static void test_stops(void **state)
{
    (void)state;
    struct dcs_cpu cpu = machine(NULL, 0);
    struct dcs_cpu_device *d = dcs_cpu_device_create(&cpu, 0);
    start(d, 0, 1, 4 * MS, (struct dcs_cpu_share){4, 8, 0});
    resize(d, 1 * MS, 1, (struct dcs_cpu_share){2, 8, 0}); /* 1000 + 8000 * 2 / 4 */
    resize(d, 1 * MS + 1000, 1, (struct dcs_cpu_share){2, 7, 0});
    assert_int_equal(dcs_cpu_next_ns(d), 1 * MS + 5000);
    dcs_cpu_device_destroy(d);
}

/* Two that want 12 bytes per ns of 10, on half of their cores: as in test_bandwidth. */
static void test_slowed(void **state)
{
    (void)state;
    struct dcs_cpu_app app = {
        .threads = 2, .speedup = 2, .stall = 0.5, .bandwidth = 12, .ipc = 1, .exponent = 1};
    struct dcs_cpu cpu = machine(&app, 1);
    struct dcs_cpu_device *d = dcs_cpu_device_create(&cpu, 0);
    for (uint64_t id = 1; id <= 2; id++) {
        struct dcs_cpu_launch l = {.id = id, .work_ns = 1 * MS, .share = {1, 4, 0}};
        dcs_cpu_claim(d, id, l.share);
        dcs_cpu_start(d, 0, &l);
    }
    assert_int_equal(dcs_cpu_next_ns(d), 2400000); /* 1 ms at 0.5 / (0.5 + 0.5 * 1.4) */
    dcs_cpu_device_close(d, 2 * MS);
    near(dcs_cpu_usage(d)->kernel_ns, 4.0 * MS);
    near(dcs_cpu_usage(d)->slowed_ns, 4.0 * MS / 6);
    near(dcs_cpu_usage(d)->sm_ns, 4.0 * MS);
    dcs_cpu_device_destroy(d);
}

static void test_refusals(void **state)
{
    (void)state;
    struct dcs_cpu cpu = machine(NULL, 0);
    struct dcs_cpu_device *d = dcs_cpu_device_create(&cpu, 0);
    assert_non_null(dcs_cpu_refuses(d, 1, (struct dcs_cpu_share){0, 0, 0}));
    assert_non_null(dcs_cpu_refuses(d, 1, (struct dcs_cpu_share){1, 0, 0}));
    assert_non_null(dcs_cpu_refuses(d, 1, (struct dcs_cpu_share){0, 1, 3}));
    assert_non_null(dcs_cpu_refuses(d, 1, (struct dcs_cpu_share){5, 1, 0}));
    assert_non_null(dcs_cpu_refuses(d, 1, (struct dcs_cpu_share){1, 9, 0}));
    dcs_cpu_claim(d, 1, (struct dcs_cpu_share){2, 2, 0});
    dcs_cpu_claim(d, 2, (struct dcs_cpu_share){2, 2, 1});
    assert_null(dcs_cpu_refuses(d, 1, (struct dcs_cpu_share){2, 6, 0}));
    assert_non_null(dcs_cpu_refuses(d, 1, (struct dcs_cpu_share){3, 6, 0}));
    assert_non_null(dcs_cpu_refuses(d, 3, (struct dcs_cpu_share){2, 7, 1}));
    assert_null(dcs_cpu_refuses(d, 3, (struct dcs_cpu_share){2, 6, 1}));
    dcs_cpu_unclaim(d, 1);
    assert_null(dcs_cpu_refuses(d, 3, (struct dcs_cpu_share){4, 8, 1}));
    dcs_cpu_device_destroy(d);
}

static void test_sizes(void **state)
{
    (void)state;
    struct dcs_cpu_app app = {.threads = 1, .speedup = 1, .spread = 10, .ipc = 1, .exponent = 1};
    struct dcs_cpu cpu = machine(&app, 1);
    (void)cpu;
    assert_int_equal(dcs_cpu_size(&app, 0.5), 69); /* 100 ln 2 */
    assert_int_equal(dcs_cpu_size(&app, 0.99), 466);
    assert_true(dcs_cpu_size(&app, 0.9999999) <= 1000);
    assert_true(fabs(app.work_over_mean - 1) < 0.005);
    near(dcs_cpu_work(&app, 250), 2.5);
    app.spread = 0;
    assert_int_equal(dcs_cpu_size(&app, 0.99), 100);
}

static char *shipped(void)
{
    FILE *f = fopen(DCS_SOURCE_DIR "/calibrate/profiles/xeon-e5-2650v4.sql", "r");
    assert_non_null(f);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    return text;
}

/* Loads the shipped profile with `from` replaced by `to`; expects an error with `why`, "": none. */
static void load_with(const char *from, const char *to, const char *why)
{
    char path[] = "/tmp/test_cpu_XXXXXX";
    int fd = mkstemp(path);
    char *text = shipped(), *at = strstr(text, from);
    assert_true(fd >= 0 && at != NULL);
    FILE *f = fdopen(fd, "w");
    fwrite(text, 1, (size_t)(at - text), f);
    fputs(to, f);
    fputs(at + strlen(from), f);
    fclose(f);
    struct dcs_cpu *cpu;
    struct dcs_err err = {0};
    struct dcs_profile *p = dcs_cpu_load_profile(path, &cpu, &err);
    unlink(path);
    free(text);
    if (why[0] == '\0') {
        assert_non_null(p);
        assert_int_equal(cpu->cores, 12);
        assert_int_equal(cpu->ways, 16);
        for (uint32_t i = 0; i < cpu->apps_count; i++) {
            near(dcs_cpu_rate(cpu, &cpu->apps[i], 12, 16, 1), 1);
            near(dcs_cpu_traffic(cpu, &cpu->apps[i], 12, 16, 1), cpu->apps[i].bandwidth);
        }
    } else {
        assert_null(p);
        assert_null(cpu);
        if (strstr(err.text, why) == NULL && strstr(err.path, why) == NULL)
            fail_msg("\"%s: %s\" does not say \"%s\"", err.path, err.text, why);
    }
    dcs_cpu_free(cpu);
    dcs_profile_free(p);
}

static void test_profile(void **state)
{
    (void)state;
    load_with("COMMIT;", "COMMIT;", "");
    load_with("('ways',          16,", "('ways', 0,", "expected a number from 1 to 64");
    load_with("('ways',          16,", "('ways', 2.5,", "whole number of ways");
    load_with("('asr', 'threads', 12,", "('asr', 'threads', 13,", "has 13 threads; the CPU has 12");
    load_with("('asr', 'speedup', 9,", "('asr', 'speedup', 12.5,", "speeds up by 12.5");
    load_with("('asr', 'bandwidth_gbs', 14,", "('asr', 'bandwidth_gbs', 60,", "moves 60 GB/s");
    load_with("('asr', 'ipc', 9,", "('asr', 'speedup', 9,", "UNIQUE");
    load_with("('asr', 'ipc', 9,", "('asr', 'ipd', 9,", "a key of docs/profile.md");
    load_with("('asr', 'ipc', 9, 'assumed'", "('asr', 'ipc', 9, 'guess'", "\"assumed\"");
    load_with("'cpu', 12,", "'gpu', 12,", "is of a GPU");
    load_with("    ('warm_us', ", "    ('warm_uz', ", "a key of docs/profile.md");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rate),     cmocka_unit_test(test_bandwidth),
        cmocka_unit_test(test_divide),   cmocka_unit_test(test_device),
        cmocka_unit_test(test_stops),    cmocka_unit_test(test_slowed),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_profile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
