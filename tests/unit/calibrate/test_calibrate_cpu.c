/*
 * test_calibrate_cpu.c - pins what `dcsim-calibrate cpu` makes of samples, on machines that do not
 * exist: a law answers instead of a clock. That the fit finds the law's numbers again, and says
 * which it cannot know; the order of the steps; that an interrupted measurement goes on where it
 * stopped, and each point is taken once; which profiles are refused; and that a simulator reads
 * what comes out. Does not pin how anything is timed: tests/e2e/calibrate_cpu.sh runs the real
 * thing.
 */
#include "calibrate/cpu/cpu_fit.h"
#include "calibrate/cpu/cpu_measure.h"
#include "calibrate/cpu/cpu_profile.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* --- the fit --- */

static const struct dcs_cpu twelve = {.cores = 12, .ways = 16};
static const double assumed[CAL_NUMBERS] = {12, 0.3, 8, 0.5, 0};

struct seen {
    struct cal_cpu_observation list[64];
    double ratios[64];
    size_t count;
};

/* What the law says of one more observation, as if it had been measured. */
static struct cal_cpu_observation *see(struct seen *s, const double value[CAL_NUMBERS],
                                       uint32_t cores, uint32_t reference, double ways,
                                       double footprint, double l)
{
    struct cal_cpu_observation *o = &s->list[s->count++];
    double misses;
    *o = (struct cal_cpu_observation){.cores = cores,
                                      .reference_cores = reference,
                                      .ways = ways,
                                      .footprint_ways = footprint,
                                      .l = l,
                                      .misses = NAN};
    o->ratio = cal_cpu_law_ratio(&twelve, value, o, &misses);
    return o;
}

static void see_everything(struct seen *s, const double value[CAL_NUMBERS], bool latencies)
{
    static const double walkers[] = {2, 4, 8, 16, 32}, l[] = {1.1, 1.4, 2, 3};
    for (uint32_t c = 1; c < 12; c++)
        see(s, value, c, 12, 16, 0, 1);
    for (int i = 0; i < 5; i++)
        for (uint32_t c = 1; c <= 6; c += 5)
            see(s, value, c, c, 0, walkers[i], 1);
    for (int i = 0; i < 4; i++)
        for (uint32_t c = 1; c <= 6; c += 5)
            see(s, value, c, c, 16, 0, latencies ? l[i] : 1.02);
}

static void close_to(double got, double want, double share, const char *what)
{
    if (!(fabs(got - want) <= share * fabs(want)))
        fail_msg("%s: got %g, expected %g", what, got, want);
}

static void fit_finds_the_numbers_of_the_law(void **unused)
{
    (void)unused;
    /* speedup, stall, cache in ways, shared, growth */
    static const double laws[][CAL_NUMBERS] = {{9, 0.25, 10.7, 0.5, 2},
                                               {6.5, 0.4, 14, 0.2, 4},
                                               {11.5, 0.1, 5, 0.8, 8},
                                               {4, 0.6, 18, 0.6, 1}};
    static const char *const names[] = {"speedup", "stall", "cache", "shared", "growth"};
    for (size_t k = 0; k < 4; k++) {
        struct seen s = {0};
        struct cal_cpu_fitted f;
        see_everything(&s, laws[k], true);
        cal_cpu_fit(&twelve, s.list, s.count, assumed, &f, s.ratios);
        assert_true(f.max_error < 1e-3);
        for (int i = 0; i < CAL_NUMBERS; i++) {
            assert_true(f.known[i]);
            close_to(f.value[i], laws[k][i], 0.03, names[i]);
        }
    }
}

static void allocated_ways_tell_as_much_as_walkers(void **unused)
{
    (void)unused;
    const double law[CAL_NUMBERS] = {9, 0.25, 12, 0.5, 2};
    struct seen s = {0};
    struct cal_cpu_fitted f;
    see(&s, law, 1, 12, 16, 0, 1);
    for (double ways = 1; ways < 12; ways += 2) {
        see(&s, law, 12, 12, ways, 0, 1);
        see(&s, law, 6, 12, ways, 0, 1);
    }
    see(&s, law, 1, 1, 16, 0, 2);
    cal_cpu_fit(&twelve, s.list, s.count, assumed, &f, s.ratios);
    assert_true(f.known[CAL_CACHE] && f.known[CAL_STALL] && f.known[CAL_SHARED]);
    close_to(f.value[CAL_CACHE], 12, 0.03, "cache");
    close_to(f.value[CAL_GROWTH], 2, 0.05, "growth");
}

static void without_latency_only_a_product_is_known(void **unused)
{
    (void)unused;
    const double law[CAL_NUMBERS] = {9, 0.15, 12, 0.5, 2};
    struct seen s = {0};
    struct cal_cpu_fitted f;
    see_everything(&s, law, false);
    cal_cpu_fit(&twelve, s.list, s.count, assumed, &f, s.ratios);
    assert_false(f.known[CAL_STALL]);
    assert_true(f.value[CAL_STALL] == 0.3);
    assert_true(f.known[CAL_CACHE] && f.known[CAL_GROWTH]);
    close_to(f.value[CAL_CACHE], 12, 0.05, "cache");
    close_to(0.3 * f.value[CAL_GROWTH], 0.15 * 2, 0.05, "stall times growth");
}

static void counted_misses_tell_the_stall(void **unused)
{
    (void)unused;
    const double law[CAL_NUMBERS] = {9, 0.15, 12, 0.5, 2};
    struct seen s = {0};
    struct cal_cpu_fitted f;
    see_everything(&s, law, false);
    for (size_t i = 0; i < s.count; i++)
        cal_cpu_law_ratio(&twelve, law, &s.list[i], &s.list[i].misses);
    cal_cpu_fit(&twelve, s.list, s.count, assumed, &f, s.ratios);
    assert_true(f.known[CAL_STALL]);
    close_to(f.value[CAL_STALL], 0.15, 0.03, "stall");
    close_to(f.value[CAL_GROWTH], 2, 0.03, "growth");
}

static void a_program_that_loses_nothing_needs_nothing(void **unused)
{
    (void)unused;
    const double law[CAL_NUMBERS] = {11, 0, 1, 0.5, 0};
    struct seen s = {0};
    struct cal_cpu_fitted f;
    see_everything(&s, law, true);
    cal_cpu_fit(&twelve, s.list, s.count, assumed, &f, s.ratios);
    assert_true(f.known[CAL_GROWTH] && f.value[CAL_GROWTH] == 0);
    assert_false(f.known[CAL_CACHE]);
    assert_true(f.value[CAL_CACHE] == 8); /* as assumed */
    assert_true(f.known[CAL_STALL] && f.value[CAL_STALL] < 0.01);
    close_to(f.value[CAL_SPEEDUP], 11, 0.01, "speedup");
}

static void noise_is_no_response(void **unused)
{
    (void)unused;
    const double law[CAL_NUMBERS] = {11, 0, 1, 0.5, 0};
    struct seen s = {0};
    struct cal_cpu_fitted f;
    see_everything(&s, law, true);
    for (size_t i = 0; i < s.count; i++) {
        s.list[i].ratio *= 1 + 0.05 * ((double)(i % 3) - 1);
        s.list[i].error = 0.05;
    }
    cal_cpu_fit(&twelve, s.list, s.count, assumed, &f, s.ratios);
    assert_true(f.known[CAL_GROWTH] && f.value[CAL_GROWTH] == 0);
    /* What is known to a tenth counts a hundredth of what is known well. */
    s.count = 0;
    see(&s, law, 6, 12, 16, 0, 1)->error = 0;
    see(&s, law, 6, 12, 16, 0, 1)->error = 0.1;
    s.list[1].ratio *= 1.04;
    cal_cpu_fit(&twelve, s.list, s.count, assumed, &f, s.ratios);
    close_to(f.value[CAL_SPEEDUP], 11, 0.005, "speedup");
}

static void one_wrong_point_moves_little(void **unused)
{
    (void)unused;
    const double law[CAL_NUMBERS] = {9, 0.25, 12, 0.5, 2};
    struct seen s = {0};
    struct cal_cpu_fitted f;
    see_everything(&s, law, true);
    s.list[4].ratio *= 1.6;
    cal_cpu_fit(&twelve, s.list, s.count, assumed, &f, s.ratios);
    close_to(f.value[CAL_SPEEDUP], 9, 0.03, "speedup");
    assert_true(f.max_error > 0.3 && f.mean_error < 0.03);
}

static void nothing_measured_leaves_what_is_assumed(void **unused)
{
    (void)unused;
    struct cal_cpu_fitted f;
    cal_cpu_fit(&twelve, NULL, 0, assumed, &f, NULL);
    for (int i = 0; i < CAL_NUMBERS; i++)
        assert_true(!f.known[i] && f.value[i] == assumed[i]);
}

/* --- a machine that follows a law --- */

struct world {
    double law[CAL_NUMBERS];
    double duration_ns, exponent,
        bandwidth; /* alone on all cores at the default size; bytes per ns */
    bool counters;
    int taken, hosts, meters;
    int fails_at, stops_at; /* counts of `taken`; 0: never */
    double others;
};

static volatile sig_atomic_t stop;

static struct dcs_cpu law_of(const struct cal_cpu_host *h)
{
    return (struct dcs_cpu){.cores = h->cores_count,
                            .ways = h->ways,
                            .bandwidth = 20,
                            .way_bytes = (double)h->llc_bytes / h->ways};
}

static const struct cal_cpu_host host = {
    .name = "Test CPU",
    .identity = "CPU-1",
    .system = "Linux 1",
    .cores = {0, 1, 2, 3},
    .cores_count = 4,
    .llc_bytes = 40 << 20,
    .l2_bytes = 1 << 20,
    .line_bytes = 64,
    .memory_bytes = INT64_C(8) << 30,
    .ways = 10,
    .clock_mhz = 2000,
    .cat_missing = "a test has none",
};

/* Streams raise the latency; three of them fill the memory of 20 GB/s. */
static double latency(enum cal_cpu_pressure pressure, int64_t level, uint32_t cores)
{
    return pressure == CAL_PRESSURE_STREAM ? 1 + 0.2 * cores * (double)level / 1000 : 1;
}

static double stream_gbs(int64_t level, uint32_t cores)
{
    double wanted = 10 * cores * (double)level / 1000;
    return wanted < 20 ? wanted : 20;
}

static int take(void *context, const struct cal_cpu_point *p, struct cal_cpu_taken *out,
                struct dcs_err *err)
{
    struct world *w = context;
    struct dcs_cpu cpu = law_of(&host);
    w->taken++;
    if (w->taken == w->fails_at)
        return dcs_err_set(err, "it is a test");
    if (w->taken == w->stops_at)
        stop = 1;
    struct cal_cpu_observation o = {
        .cores = p->cores,
        .reference_cores = p->pressure == CAL_PRESSURE_NONE ? cpu.cores : p->cores,
        .ways = p->pressure == CAL_PRESSURE_CACHE ? 0 : p->ways,
        .footprint_ways = p->pressure == CAL_PRESSURE_CACHE ? (double)p->level / cpu.way_bytes : 0,
        .l = latency(p->pressure, p->level, p->pressure_cores)};
    const struct cal_cpu_observation fewer = {
        .cores = o.reference_cores, .reference_cores = cpu.cores, .ways = p->ways, .l = 1};
    double misses, ignored, ratio = cal_cpu_law_ratio(&cpu, w->law, &o, &misses);
    double reference = w->duration_ns *
                       pow((double)p->size / (double)p->app->size_default, w->exponent) *
                       cal_cpu_law_ratio(&cpu, w->law, &fewer, &ignored);
    struct cal_cpu_counts counts = {NAN, NAN, NAN}, beside = counts;
    if (w->counters) {
        beside = (struct cal_cpu_counts){reference * 3, reference * 2 * o.reference_cores,
                                         w->bandwidth * w->duration_ns / 64};
        counts = beside;
        counts.llc_misses *= misses;
        counts.cycles = reference * ratio * 2 * p->cores;
    }
    for (int i = 0; i < 5; i++) {
        double wobble = i < 4 ? 1 + 0.001 * (i - 2) : 1.09;
        cal_cpu_taken_add(out, CAL_CPU_SAMPLE, (int64_t)(reference * ratio * wobble), counts);
        if (!cal_cpu_point_is_whole(&host, p))
            cal_cpu_taken_add(out, CAL_CPU_REFERENCE, (int64_t)(reference * wobble), beside);
    }
    if (p->pressure == CAL_PRESSURE_STREAM) {
        /* What the program moves, which is less the more it is slowed, on fewer cores by as much as
         * it is slower there, is lost to streams that fill the memory. */
        double moved = w->bandwidth * w->duration_ns / (reference * ratio);
        double alone = stream_gbs(p->level, p->pressure_cores);
        out->pressure_gbs = alone + moved < 20 ? alone : 20 - moved;
    }
    out->others = w->others;
    out->memory_bytes = 3 << 20;
    return 0;
}

static int ask_host(void *context, enum cal_cpu_what what, uint32_t cores,
                    struct cal_cpu_taken *out, double *amount, struct dcs_err *err)
{
    (void)err;
    ((struct world *)context)->hosts++;
    *amount = what == CAL_HOST_COPY ? 1e9 : 1;
    double ns = what == CAL_HOST_COPY      ? 1e9 / (cores < 2 ? 10 : 20)
                : what == CAL_HOST_MIGRATE ? 7e3
                                           : 90e3;
    cal_cpu_taken_add(out, CAL_CPU_SAMPLE, (int64_t)ns, (struct cal_cpu_counts){NAN, NAN, NAN});
    return 0;
}

static int ask_meter(void *context, enum cal_cpu_pressure pressure, int64_t level, uint32_t cores,
                     struct cal_cpu_meter *out, struct dcs_err *err)
{
    (void)err;
    ((struct world *)context)->meters++;
    *out = (struct cal_cpu_meter){.gbs = pressure == CAL_PRESSURE_STREAM ? stream_gbs(level, cores)
                                                                         : 1,
                                  .latency_alone_ns = 100,
                                  .latency_ns = 100 * latency(pressure, level, cores)};
    return 0;
}

static const struct cal_provenance provenance = {.name = "test-cpu",
                                                 .description = "A test.",
                                                 .source = "a test",
                                                 .device_name = "Test CPU",
                                                 .device_uuid = "CPU-1",
                                                 .driver = "Linux 1",
                                                 .cuda = "none",
                                                 .tool_version = "0",
                                                 .measured_at = "2026-01-01T00:00:00Z",
                                                 .sms = 4,
                                                 .max_clock_mhz = 2000,
                                                 .memory_bytes = INT64_C(8) << 30,
                                                 .l2_bytes = 40 << 20,
                                                 .is_cpu = true};

struct case_ {
    struct world world;
    struct cal_cpu_bench bench;
    struct cal_session session;
    char path[256];
};

static int setup(void **state)
{
    struct case_ *c = dcs_alloc(1, sizeof *c);
    struct dcs_err err = {0};
    c->world = (struct world){
        .law = {3.2, 0.3, 6, 0.5, 3}, .duration_ns = 50e6, .exponent = 1.25, .bandwidth = 4};
    c->bench = (struct cal_cpu_bench){take, ask_host, ask_meter, &c->world};
    c->session = (struct cal_session){.cpu = &host, .cpu_bench = &c->bench, .output = c->path};
    snprintf(c->path, sizeof c->path, "%s/test_calibrate_cpu_%d.db", DCS_BINARY_DIR, (int)getpid());
    unlink(c->path);
    stop = 0;
    c->session.store = cal_store_open(c->path, &provenance, &err);
    *state = c;
    return c->session.store == NULL ||
           cal_cpu_put_host(c->session.store, &host, "it is a test", &err) != 0;
}

static int teardown(void **state)
{
    struct case_ *c = *state;
    cal_store_close(c->session.store);
    unlink(c->path);
    free(c);
    return 0;
}

/* The steps of one program, and of the host. */
static void plan(struct case_ *c, struct cal_steps *steps)
{
    size_t kept = 0;
    cal_cpu_plan(&c->session, steps, 0);
    for (size_t i = 0; i < steps->count; i++)
        if (steps->steps[i].app_name == NULL || strcmp(steps->steps[i].app_name, "bs") == 0)
            steps->steps[kept++] = steps->steps[i];
    steps->count = kept;
}

static struct cal_run_result measure(struct case_ *c)
{
    struct cal_steps steps = {0};
    const struct cal_run_options how = {.stop = &stop};
    struct cal_run_result result;
    struct dcs_err err = {0};
    plan(c, &steps);
    assert_int_equal(cal_steps_run(&steps, &c->session, &how, &result, &err), 0);
    cal_steps_release(&steps);
    if (cal_cpu_put_numbers(c->session.store, NULL, &err) != 0 ||
        cal_store_finish(c->session.store, false, &err) != 0)
        fail_msg("%s", err.text);
    return result;
}

static double ask(struct case_ *c, const char *sql)
{
    double value = NAN;
    cal_store_get(c->session.store, &value, sql, "");
    return value;
}

static double number_of(struct case_ *c, const char *key)
{
    double value = NAN;
    cal_store_get(c->session.store, &value,
                  "SELECT value FROM cpu_application WHERE application = 'bs' AND key = ?", "t",
                  key);
    return value;
}

static bool is_from(struct case_ *c, const char *key, const char *origin)
{
    char found[16] = "";
    cal_store_get_text(c->session.store, found, sizeof found,
                       "SELECT origin FROM cpu_application WHERE application = 'bs' AND key = ?",
                       "t", key);
    return strcmp(found, origin) == 0;
}

/* --- steps --- */

static void steps_are_in_the_order_of_their_worth(void **state)
{
    static const char *const kinds[] = {"cpu-whole", "cpu-host",  "cpu-cores", "cpu-pressure",
                                        "cpu-sizes", "cpu-cache", "cpu-stream"};
    static const char *const of_bs[] = {
        "cpu-whole/bs",    "cpu-host/copy/4",  "cpu-host/copy/3",           "cpu-host/copy/2",
        "cpu-host/copy/1", "cpu-host/migrate", "cpu-host/refill",           "cpu-cores/bs/1",
        "cpu-cores/bs/2",  "cpu-cores/bs/3",   "cpu-pressure/stream/2/1000"};
    struct case_ *c = *state;
    struct cal_steps steps = {0};
    size_t kind = 0, at = 0;
    cal_cpu_plan(&c->session, &steps, 2.5);
    for (size_t i = 0; i < steps.count; i++) {
        if (strcmp(steps.steps[i].measure->name, kinds[kind]) != 0)
            assert_string_equal(steps.steps[i].measure->name, kinds[++kind]);
        const char *app = steps.steps[i].app_name;
        if (at < sizeof of_bs / sizeof of_bs[0] && (app == NULL || strcmp(app, "bs") == 0))
            assert_string_equal(steps.steps[i].key, of_bs[at++]);
        assert_true(steps.steps[i].seconds == 2.5);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(steps.steps[i].key, steps.steps[k].key);
    }
    assert_int_equal(kind, 6);
    assert_int_equal(at, 11);
    cal_steps_release(&steps);

    /* With CAT there are ways; on one core nothing runs beside anything. */
    struct cal_cpu_host other = host;
    c->session.cpu = &other;
    other.cat = true;
    other.cat_min_ways = 2;
    cal_cpu_plan(&c->session, &steps, 0);
    size_t ways = 0;
    for (size_t i = 0; i < steps.count; i++)
        ways += strncmp(steps.steps[i].key, "cpu-ways/bs/", 12) == 0;
    assert_int_equal(ways, 8); /* 2 to 9 of 10 */
    cal_steps_release(&steps);
    other.cat = false;
    other.cores_count = 1;
    cal_cpu_plan(&c->session, &steps, 0);
    for (size_t i = 0; i < steps.count; i++)
        assert_true(strcmp(steps.steps[i].measure->name, "cpu-whole") == 0 ||
                    strcmp(steps.steps[i].measure->name, "cpu-sizes") == 0 ||
                    strcmp(steps.steps[i].key, "cpu-host/copy/1") == 0);
    cal_steps_release(&steps);
}

static void counts_of_cores_are_a_dozen_at_most(void **unused)
{
    (void)unused;
    uint32_t counts[CAL_CPU_COUNTS_MAX];
    assert_int_equal(cal_cpu_counts(1, counts), 1);
    assert_int_equal(counts[0], 1);
    assert_int_equal(cal_cpu_counts(12, counts), 12);
    for (uint32_t i = 0; i < 12; i++)
        assert_int_equal(counts[i], i + 1);
    for (uint32_t n = 13; n <= CAL_TEAM_MAX; n++) {
        uint32_t used = cal_cpu_counts(n, counts);
        assert_true(used >= 8 && used <= 12);
        assert_int_equal(counts[0], 1);
        assert_int_equal(counts[used - 1], n);
        for (uint32_t i = 1; i < used; i++)
            assert_true(counts[i] > counts[i - 1]);
    }
}

static void an_interrupted_measurement_goes_on(void **state)
{
    struct case_ *c = *state;
    struct cal_steps steps = {0};
    plan(c, &steps);
    size_t all = steps.count;
    cal_steps_release(&steps);
    c->world.stops_at = 7;
    struct cal_run_result first = measure(c);
    assert_true(first.interrupted);
    assert_int_equal(c->world.taken, 7);
    int before = c->world.taken + c->world.hosts + c->world.meters;
    assert_int_equal(before, first.done);
    assert_int_equal(first.left, all - first.done);
    stop = 0;
    c->world.stops_at = 0;
    struct cal_run_result second = measure(c);
    assert_int_equal(second.before, first.done);
    assert_int_equal(second.done, all - first.done);
    assert_int_equal(c->world.taken + c->world.hosts + c->world.meters, all);
    measure(c);
    assert_int_equal(c->world.taken + c->world.hosts + c->world.meters, all);
    assert_true(ask(c, "SELECT count(*) FROM cpu_point") == c->world.taken);
    assert_true(ask(c, "SELECT count(*) FROM cpu_sample WHERE role = 'sample'") ==
                5 * c->world.taken);
}

static void a_step_that_fails_leaves_no_rows(void **state)
{
    struct case_ *c = *state;
    c->world.fails_at = 2; /* on one core */
    struct cal_run_result r = measure(c);
    assert_int_equal(r.failed, 1);
    assert_true(ask(c, "SELECT count(*) FROM step WHERE state = 'failed' AND reason = 'it is a "
                       "test' AND key = 'cpu-cores/bs/1'") == 1);
    assert_true(ask(c, "SELECT count(*) FROM cpu_point") == c->world.taken - 1);
}

/* --- what comes out --- */

static void a_simulator_reads_the_law_again(void **state)
{
    struct case_ *c = *state;
    struct dcs_err err = {0};
    measure(c);
    struct dcs_cpu *cpu;
    struct dcs_profile *p = dcs_cpu_load_profile(c->path, &cpu, &err);
    if (p == NULL)
        fail_msg("%s", err.text);
    const struct dcs_profile_app *app = dcs_profile_app(p, "bs");
    assert_non_null(app);
    const struct dcs_cpu_app *a = &cpu->apps[app - p->apps];
    assert_int_equal(cpu->cores, 4);
    assert_int_equal(cpu->ways, 10);
    close_to(cpu->bandwidth, 20, 1e-9, "bandwidth");
    close_to(cpu->switch_ns, 7e3, 1e-9, "switch");
    close_to(cpu->warm_ns, 90e3, 1e-9, "warm");
    close_to(cpu->clock_ghz, 2, 1e-9, "clock");
    assert_int_equal(a->threads, 4);
    close_to(a->speedup, 3.2, 0.02, "speedup");
    close_to(a->stall, 0.3, 0.05, "stall");
    close_to(a->cache, 6, 0.05, "cache");
    close_to(a->shared, 0.5, 0.1, "shared");
    close_to(a->growth, 3, 0.05, "growth");
    close_to(a->exponent, 1.25, 0.001, "exponent");
    close_to(a->bandwidth, 4, 0.02, "bandwidth"); /* what streams that fill the memory lost */
    close_to(a->noise, 0.002, 0.001, "noise"); /* samples are 0, 0.1 and 0.2 % off, the last 9 % */
    assert_true(a->spread == 0);               /* a batch program */
    for (const char *const *key =
             (const char *const[]){"speedup", "stall_share", "cache_mb", "bandwidth_gbs", NULL};
         *key != NULL; key++)
        assert_true(is_from(c, *key, "measured"));
    assert_true(is_from(c, "ipc", "assumed")); /* work per second */
    close_to(a->ipc, a->speedup, 1e-9, "ipc");
    assert_true(ask(c, "SELECT max(abs(fitted / measured - 1)) FROM cpu_residual") < 0.01);
    assert_true(ask(c, "SELECT count(*) FROM cpu_residual") ==
                ask(c, "SELECT count(*) FROM cpu_point JOIN subject USING (application)"
                       " WHERE size = size_default AND reference_n > 0"));
    assert_true(ask(c, "SELECT duration_ns FROM kernel WHERE application = 'bs'") == 50e6);
    assert_true(ask(c, "SELECT count(*) FROM request_solo WHERE application = 'bs' AND mechanism ="
                       " 'affinity'") == 3);
    dcs_profile_free(p);
    dcs_cpu_free(cpu);
}

static void counters_are_used_where_there_are_any(void **state)
{
    struct case_ *c = *state;
    c->world.counters = true;
    measure(c);
    assert_true(is_from(c, "ipc", "measured") && is_from(c, "bandwidth_gbs", "measured"));
    close_to(number_of(c, "ipc"), 1.5, 0.01, "ipc"); /* 3 in a ns of 2 cycles */
    close_to(number_of(c, "bandwidth_gbs"), 4, 0.01, "bandwidth");
    close_to(ask(c, "SELECT value FROM cpu WHERE key = 'clock_mhz'"), 2000, 0.01, "clock");
}

static void early_profiles_say_what_is_assumed(void **state)
{
    struct case_ *c = *state;
    struct dcs_err err = {0};
    c->world.stops_at = 1;
    c->world.others = 0.25;
    measure(c);
    struct dcs_cpu *cpu;
    struct dcs_profile *p = dcs_cpu_load_profile(c->path, &cpu, &err);
    if (p == NULL)
        fail_msg("%s", err.text);
    dcs_profile_free(p);
    dcs_cpu_free(cpu);
    for (const char *const *key =
             (const char *const[]){"speedup", "stall_share", "cache_mb", "ipc", "miss_growth",
                                   "bandwidth_gbs", "size_exponent", NULL};
         *key != NULL; key++)
        assert_true(is_from(c, *key, "assumed"));
    assert_true(ask(c, "SELECT value FROM profile WHERE key = 'others_cores'") == 0.25);
    assert_true(number_of(c, "speedup") == 4 && number_of(c, "bandwidth_gbs") == 0);
    assert_true(is_from(c, "noise", "measured"));
}

/* A small program may miss nothing alone: such a point has a time, and no ratio of misses. */
static void a_reference_without_misses_spoils_nothing(void **state)
{
    struct case_ *c = *state;
    struct dcs_err err = {0};
    c->world.counters = true;
    measure(c);
    assert_int_equal(cal_store_execute(c->session.store, &err,
                                       "UPDATE cpu_point SET reference_llc_misses = 0, llc_misses ="
                                       " 5 WHERE pressure = 'cache'",
                                       ""),
                     0);
    assert_int_equal(cal_cpu_put_numbers(c->session.store, NULL, &err), 0);
    assert_float_equal(number_of(c, "speedup"), c->world.law[CAL_SPEEDUP], 0.05);
    assert_float_equal(number_of(c, "stall_share"), c->world.law[CAL_STALL], 0.05);
}

/* --- refusals --- */

static void refused(struct case_ *c, const struct cal_provenance *p, const char *text)
{
    struct dcs_err err = {0};
    struct cal_store *other = cal_store_open(c->path, p, &err);
    assert_null(other);
    if (strstr(err.text, text) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", err.text, text);
}

static void profiles_of_others_are_refused(void **state)
{
    struct case_ *c = *state;
    struct cal_provenance other = provenance;
    other.device_uuid = "CPU-2";
    refused(c, &other, "is the profile of another device, Test CPU with UUID CPU-1");
    other = provenance;
    other.driver = "Linux 2";
    refused(c, &other, "was measured with system Linux 1, and this is system Linux 2");
    other = provenance;
    other.sms = 2;
    refused(c, &other, "was measured on 4 cores, and these are 2: go on with --cores 4");
    struct cal_cpu_host two = host;
    struct dcs_err err = {0};
    assert_int_equal(cal_cpu_host_limit(&two, 5, &err), -1);
    assert_non_null(strstr(err.text, "more threads than cores"));
    assert_int_equal(cal_cpu_host_limit(&two, 2, &err), 0);
    assert_int_equal(two.cores_count, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fit_finds_the_numbers_of_the_law),
        cmocka_unit_test(allocated_ways_tell_as_much_as_walkers),
        cmocka_unit_test(without_latency_only_a_product_is_known),
        cmocka_unit_test(counted_misses_tell_the_stall),
        cmocka_unit_test(a_program_that_loses_nothing_needs_nothing),
        cmocka_unit_test(noise_is_no_response),
        cmocka_unit_test(one_wrong_point_moves_little),
        cmocka_unit_test(nothing_measured_leaves_what_is_assumed),
        cmocka_unit_test(counts_of_cores_are_a_dozen_at_most),
        cmocka_unit_test_setup_teardown(steps_are_in_the_order_of_their_worth, setup, teardown),
        cmocka_unit_test_setup_teardown(an_interrupted_measurement_goes_on, setup, teardown),
        cmocka_unit_test_setup_teardown(a_step_that_fails_leaves_no_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(a_simulator_reads_the_law_again, setup, teardown),
        cmocka_unit_test_setup_teardown(counters_are_used_where_there_are_any, setup, teardown),
        cmocka_unit_test_setup_teardown(a_reference_without_misses_spoils_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(early_profiles_say_what_is_assumed, setup, teardown),
        cmocka_unit_test_setup_teardown(profiles_of_others_are_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
