/*
 * test_cpu_random.c - a CPU (models/cpu/cpu_device.h) under random launches and resizes.
 *
 * Pins, over 300 random machines and lives: work is conserved (at its end a request's counters show
 * its work times its IPC, whatever was done to its share), nothing ends before its work could
 * without a miss that more cache avoids, looking at random times changes no end, accounts add up,
 * cores in use are never more than there are. Of the law, over 20000 random points: the rate does
 * not fall with cores, with ways, and does not grow with the cost of bandwidth; what runs together
 * moves no more than the memory can, and all that it can where anything is slowed. Does not pin:
 * that the law is true.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/rng.h"
#include "models/cpu/cpu_device.h"

#include <math.h>

enum { APPS = 4, JOBS = 40 };

static double between(struct dcs_rng *rng, double low, double high)
{
    return low + (high - low) * dcs_rng_uniform(rng);
}

static void draw_machine(struct dcs_cpu *cpu, struct dcs_cpu_app *apps, struct dcs_rng *rng)
{
    *cpu = (struct dcs_cpu){.cores = 2 + (uint32_t)dcs_rng_below(rng, 15),
                            .ways = 2 + (uint32_t)dcs_rng_below(rng, 19),
                            .clock_ghz = between(rng, 1, 4),
                            .way_bytes = between(rng, 0, 2e6),
                            .bandwidth = between(rng, 5, 60),
                            .switch_ns = between(rng, 0, 1e5),
                            .warm_ns = between(rng, 0, 3e6),
                            .apps = apps,
                            .apps_count = APPS};
    for (int i = 0; i < APPS; i++) {
        uint32_t threads = 1 + (uint32_t)dcs_rng_below(rng, cpu->cores);
        apps[i] = (struct dcs_cpu_app){.threads = threads,
                                       .speedup = between(rng, 1, threads),
                                       .stall = between(rng, 0.01, 0.9),
                                       .bandwidth = between(rng, 0, cpu->bandwidth),
                                       .cache = between(rng, 0, 1.5 * cpu->ways),
                                       .shared = dcs_rng_uniform(rng),
                                       .growth = between(rng, 0, 5),
                                       .ipc = between(rng, 0.1, 10),
                                       .exponent = 1};
        dcs_cpu_derive(cpu, &apps[i]);
    }
    cpu->plain = apps[0];
}

static void test_law(void **state)
{
    (void)state;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 71, 0, DCS_RNG_POLICY, 0);
    struct dcs_cpu cpu;
    struct dcs_cpu_app apps[APPS];
    for (int i = 0; i < 20000; i++) {
        if (i % 50 == 0)
            draw_machine(&cpu, apps, &rng);
        const struct dcs_cpu_app *app = &apps[i % APPS];
        double ways = between(&rng, 0.1, cpu.ways), more = between(&rng, 1, 2);
        double cores = between(&rng, 0.1, app->threads), l = between(&rng, 1, 5);
        double rate = dcs_cpu_rate(&cpu, app, cores, ways, l);
        assert_true(rate > 0);
        assert_true(dcs_cpu_rate(&cpu, app, cores, ways * more, l) >= rate * (1 - 1e-12));
        assert_true(dcs_cpu_rate(&cpu, app, cores, ways, l * more) <= rate * (1 + 1e-12));
        /* More cores need more cache: with that they are no slower. */
        assert_true(dcs_cpu_rate(&cpu, app, cores * more, ways * more, l) >= rate * (1 - 1e-12));

        struct dcs_cpu_runner set[APPS];
        double moved = 0;
        for (int k = 0; k < APPS; k++)
            set[k] = (struct dcs_cpu_runner){.app = &apps[k]};
        dcs_cpu_divide(&cpu, between(&rng, 1, cpu.cores), ways, set, APPS);
        l = dcs_cpu_latency(&cpu, set, APPS);
        for (int k = 0; k < APPS; k++)
            moved += dcs_cpu_traffic(&cpu, &apps[k], set[k].cores, set[k].ways, l);
        assert_true(l >= 1 && moved <= cpu.bandwidth * (1 + 1e-12));
        if (l > 1)
            assert_true(moved >= cpu.bandwidth * (1 - 1e-9));
    }
}

struct life {
    struct dcs_cpu_launch launch;
    int64_t start_ns, end_ns;
    double least_ns;
};

static struct dcs_cpu_share draw_share(const struct dcs_cpu *cpu, struct dcs_rng *rng)
{
    struct dcs_cpu_share s = {.group = (uint32_t)dcs_rng_below(rng, 3)};
    if (s.group > 0 && dcs_rng_below(rng, 6) == 0)
        return s;
    s.cores = 1 + (uint32_t)dcs_rng_below(rng, cpu->cores);
    s.ways = 1 + (uint32_t)dcs_rng_below(rng, cpu->ways);
    return s;
}

/* Lives through the same draws twice, looking or not; fills the ends. */
static void live(uint64_t seed, bool looks, struct life *lives, struct dcs_gpu_usage *usage)
{
    struct dcs_rng rng, looking;
    dcs_rng_stream(&rng, seed, 0, DCS_RNG_POLICY, 0);
    dcs_rng_stream(&looking, seed, 0, DCS_RNG_POLICY, 1);
    struct dcs_cpu cpu;
    struct dcs_cpu_app apps[APPS];
    draw_machine(&cpu, apps, &rng);
    struct dcs_cpu_device *d = dcs_cpu_device_create(&cpu, 0);
    uint64_t ended[DCS_CPU_TOGETHER_MAX], born = 0;
    int64_t now = 0;
    while (born < JOBS || dcs_cpu_running(d) > 0) {
        int64_t next = dcs_cpu_next_ns(d), act = now + (int64_t)dcs_rng_below(&rng, 3000000);
        bool waits = next == DCS_NEVER || act < next;
        now = waits ? act : next;
        if (looks && dcs_cpu_running(d) > 0) {
            uint64_t id = dcs_cpu_nth(d, (uint32_t)dcs_rng_below(&looking, dcs_cpu_running(d)));
            assert_true(dcs_cpu_left(d, now, id) <= 1 && dcs_cpu_instructions(d, now, id) >= 0);
        }
        if (!waits) {
            for (uint32_t n = dcs_cpu_advance(d, now, ended); n > 0; n--)
                lives[ended[n - 1] - 1].end_ns = now;
            continue;
        }
        struct dcs_cpu_share share = draw_share(&cpu, &rng);
        bool starts = born < JOBS && dcs_rng_below(&rng, 2) == 0;
        if (!starts && born == JOBS && share.cores == 0)
            continue; /* let all end */
        uint64_t id = born + 1;
        uint32_t app = (uint32_t)dcs_rng_below(&rng, APPS);
        uint64_t which = dcs_rng_u64(&rng);
        int64_t work = 1 + (int64_t)dcs_rng_below(&rng, 20000000);
        if (!starts && dcs_cpu_running(d) == 0)
            continue;
        if (!starts)
            id = dcs_cpu_nth(d, (uint32_t)(which % dcs_cpu_running(d)));
        if (dcs_cpu_refuses(d, id, share) != NULL)
            continue;
        dcs_cpu_claim(d, id, share);
        if (starts) {
            struct life *l = &lives[born++];
            l->launch =
                (struct dcs_cpu_launch){.id = id, .app = app, .work_ns = work, .share = share};
            l->start_ns = now;
            l->least_ns =
                (double)work * (1 - apps[app].stall + apps[app].stall / apps[app].miss_all);
            dcs_cpu_start(d, now, &l->launch);
        } else {
            dcs_cpu_resize(d, now, id, share);
        }
        struct dcs_cpu_share all = dcs_cpu_claimed(d);
        assert_true(all.cores <= cpu.cores && all.ways <= cpu.ways);
    }
    dcs_cpu_device_close(d, now);
    *usage = *dcs_cpu_usage(d);
    assert_true(usage->sm_ns <= (double)now * cpu.cores);
    dcs_cpu_device_destroy(d);
}

static void test_lives(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        static struct life a[JOBS], b[JOBS];
        struct dcs_gpu_usage u, v;
        live(seed, false, a, &u);
        live(seed, true, b, &v);
        for (int i = 0; i < JOBS; i++) {
            assert_int_equal(a[i].end_ns, b[i].end_ns);
            assert_true((double)(a[i].end_ns - a[i].start_ns) >= a[i].least_ns * 0.999 - 1);
        }
        assert_int_equal(u.time.useful_ns + u.time.overhead_ns, u.time.busy_ns);
        assert_int_equal(u.time.busy_ns, v.time.busy_ns);
    }
}

/* One request, its share changed at random until it ends: its counters just before. */
static void test_work(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct dcs_rng rng;
        dcs_rng_stream(&rng, seed, 0, DCS_RNG_POLICY, 2);
        struct dcs_cpu cpu;
        struct dcs_cpu_app apps[APPS];
        draw_machine(&cpu, apps, &rng);
        struct dcs_cpu_device *d = dcs_cpu_device_create(&cpu, 0);
        uint64_t ended[DCS_CPU_TOGETHER_MAX];
        struct dcs_cpu_launch l = {.id = 1, .work_ns = 30000000, .share = {1, 1, 0}};
        dcs_cpu_claim(d, 1, l.share);
        dcs_cpu_start(d, 0, &l);
        int64_t now = 0;
        double done = 0;
        while (dcs_cpu_running(d) > 0) {
            int64_t next = dcs_cpu_next_ns(d), act = now + (int64_t)dcs_rng_below(&rng, 20000000);
            now = act < next ? act : next;
            done = dcs_cpu_instructions(d, now, 1);
            struct dcs_cpu_share share = draw_share(&cpu, &rng);
            if (act >= next) {
                dcs_cpu_advance(d, now, ended);
            } else if (share.cores > 0) {
                dcs_cpu_claim(d, 1, share);
                dcs_cpu_resize(d, now, 1, share);
            }
        }
        double expected = 30000000.0 * apps[0].ipc * cpu.clock_ghz;
        if (!(fabs(done - expected) <= 1e-6 * expected))
            fail_msg("seed %lu: %.9g instructions of %.9g", (unsigned long)seed, done, expected);
        dcs_cpu_device_destroy(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_law),
        cmocka_unit_test(test_lives),
        cmocka_unit_test(test_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
