/*
 * test_slowdown.c - slow-downs of a profile with two kernels, worked out by hand.
 *
 * Pins: what each event statistic is of the counters of a kernel, and of which rows nothing is
 * taken (another size, a cold cache, a counter that was not read); which co-runs with producers are
 * read; GPM's clusters of two kernels, which cluster a kernel falls into, and its curve between
 * points; the fixed point of kernels that run together, by a network whose weights are given; names
 * that were held out, with spaces in them; models of strangers. Does not pin: the training of the
 * network (test_slowdown_net.c), the command line (e2e/train.sh).
 */
#include "des/fmath.h"
#include "models/gpu/spatial_load.h"
#include "models/predictor/slowdown_method.h"
#include "models/predictor/slowdown_net.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define TEMP_FILE "test_slowdown"
#include "tests/temp_file.h"

#define SAMPLE DCS_SOURCE_DIR "/tests/data/profile-measured.sql"

/* On 8 SMs "work" takes 4 ms and "layer" 9 ms. */
#define COUNTERS                                                                                   \
    "INSERT INTO kernel_counters VALUES\n"                                                         \
    "('job', 100, 'work', 'warm', 4000000, 8e6, 1.0, 3e6, 1e6, 8e6, 0.75, 0.5, 0.1, 0.25, 0.5),\n" \
    "('job', 100, 'work', 'cold', 4000000, 9e9, 1.0, 9e9, 9e9, 9e9, 0.0, 0.0, 0.0, 0.0, 0.0),\n"   \
    "('service', 8, 'layer', 'warm', 1, 9e9, 1.0, 9e9, 9e9, 9e9, 0.0, 0.0, 0.0, 0.0, 0.0),\n"      \
    "('service', 4, 'layer', 'warm', 9000000, %s, 1.0, 18e6, NULL, 9e6, 1.5, 1.0, 0.5, 0.1, "      \
    "1.0);\n"

#define SIDE(id, kernel, sms, solo, beside)                                                        \
    "INSERT INTO corun_side VALUES (" id ", 0, " kernel ", " sms ", NULL, 1, " solo                \
    ", 9, 9, 0, 1, " beside ", 1.0, 1, 1, 'rse', 1400, 'warm');\n"
#define CORUNS                                                                                     \
    "INSERT INTO corun VALUES (10, 'sensitivity', 'green', NULL, 0, 1, 100.0, 300.0),\n"           \
    "(11, 'sensitivity', 'green', NULL, 0, 1, 100.0, 300.0),\n"                                    \
    "(12, 'sensitivity', 'mps_even', NULL, 0, 1, 100.0, 300.0),\n"                                 \
    "(13, 'sensitivity', 'green', NULL, 0, 1, 100.0, NULL),\n"                                     \
    "(14, 'sensitivity', 'green', NULL, 0, 1, 50.0, 60.0);\n" SIDE("10", "'job', 100, 'work'",     \
                                                                   "4", "8e6", "12e6")             \
        SIDE("11", "'service', 8, 'layer'", "4", "4e7", "5e7")                                     \
            SIDE("12", "'job', 100, 'work'", "4", "8e6", "12e6")                                   \
                SIDE("13", "'job', 100, 'work'", "4", "8e6", "12e6")                               \
                    SIDE("14", "'service', 4, 'layer'", "8", "9e6", "9e6")

static struct dcs_profile *profile;
static struct dcs_spatial *spatial;

/* The sample with these counters and co-runs. */
static void write_profile(const char *instructions)
{
    static const char from[] = "INSERT INTO kernel_counters VALUES\n";
    static char text[1 << 16];
    FILE *sample = fopen(SAMPLE, "rb"), *out = fopen(file, "wb");
    assert_true(sample != NULL && out != NULL);
    size_t length = fread(text, 1, sizeof text - 1, sample);
    fclose(sample);
    text[length] = '\0';
    char *counters = strstr(text, from), *end = strstr(text, "COMMIT;");
    assert_true(counters != NULL && end != NULL);
    fwrite(text, 1, (size_t)(counters - text), out);
    fprintf(out, COUNTERS, instructions);
    counters = strstr(counters, ";\n") + 2;
    fwrite(counters, 1, (size_t)(end - counters), out);
    fprintf(out, "%sCOMMIT;\n", CORUNS);
    assert_int_equal(fclose(out), 0);
}

static void load(const char *instructions)
{
    struct dcs_err err = {0};
    write_profile(instructions);
    profile = dcs_spatial_load_profile(file, &spatial, &err);
    if (profile == NULL)
        fail_msg("%s: %s", err.path, err.text);
}

static void release(void)
{
    dcs_spatial_free(spatial);
    dcs_profile_free(profile);
}

static void expect_near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-12 * (1 + fabs(expected))))
        fail_msg("expected %.17g, found %.17g", expected, found);
}

static void expect_events(const struct dcs_events *found, const double expected[DCS_EVENTS])
{
    for (size_t i = 0; i < DCS_EVENTS; i++)
        expect_near(found->v[i], expected[i]);
}

static void statistics(void **state)
{
    (void)state;
    load("9e6");
    struct dcs_err err = {0};
    struct dcs_event_counts *c = dcs_event_counts_load(file, profile, spatial, false, &err);
    assert_non_null(c);
    uint32_t work = dcs_event_shape(spatial, "job", "work");
    uint32_t layer = dcs_event_shape(spatial, "service", "layer");
    assert_int_equal(dcs_event_shape(spatial, "service", "work"), UINT32_MAX);
    struct dcs_events e;
    /* 16 bytes pass the L1 cache for each 8 that miss it; a quarter of 8 SMs computes. */
    assert_true(dcs_events_of(c, work, 4e6, &e));
    expect_events(&e, (double[]){2, 4, 2, 2, 0.5, 2, 0.5, 1});
    assert_true(dcs_events_of(c, work, 8e6, &e));
    expect_events(&e, (double[]){1, 2, 1, 1, 0.5, 1, 0.25, 0.5});
    /* 0.99 of what passes the L1 cache hits it at most, and no more than all the L2 cache; its
     * tensor units are the busier ones; nothing is written. */
    assert_true(dcs_events_of(c, layer, 9e6, &e));
    expect_events(&e, (double[]){1, 100, 1, 4, 1, 1, 0, 2});
    dcs_event_counts_free(c);
    release();
    load("NULL");
    for (int lax = 0; lax < 2; lax++) {
        c = dcs_event_counts_load(file, profile, spatial, lax, &err);
        assert_non_null(c);
        assert_int_equal(dcs_events_of(c, layer, 9e6, &e), lax);
        assert_true(!lax || (!(e.v[DCS_EVENT_IPC] > 0) && e.v[DCS_EVENT_BANDWIDTH] > 1));
        dcs_event_counts_free(c);
    }
    release();
}

static void producer_runs(void **state)
{
    (void)state;
    load("9e6");
    struct dcs_err err = {0};
    struct dcs_event_counts *c = dcs_event_counts_load(file, profile, spatial, false, &err);
    size_t n;
    struct dcs_producer_run *runs = dcs_producer_runs_load(file, profile, spatial, c, &n, &err);
    assert_non_null(runs);
    assert_int_equal(n, 2);
    assert_int_equal(runs[0].shape, dcs_event_shape(spatial, "job", "work"));
    assert_int_equal(runs[0].sms, 4);
    expect_near(runs[0].whole_ns, 4e6);
    expect_near(runs[0].solo_ns, 8e6);
    expect_near(runs[0].beside_ns, 12e6);
    expect_near(runs[0].pressure[0], 300);
    expect_near(runs[0].pressure[1], 100);
    expect_near(runs[0].pressure[2], 100);
    assert_int_equal(runs[1].shape, dcs_event_shape(spatial, "service", "layer"));

    /* Two clusters with one point, all SMs, where both curves are 1: so both kernels are in the
     * first cluster, whose mean is that of the statistics; the second keeps the kernel that it
     * began with, 1 standard deviation from the mean. */
    bool held_out[2] = {false, false};
    struct dcs_slowdown_training t = {spatial, c, runs, n, held_out, 1};
    struct dcs_rng rng;
    struct dcs_numbers list = {0};
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_WEIGHTS, 0);
    dcs_gpm_train(&t, (bool[]){true, true}, &rng, &list);
    const size_t scale = 3, of = scale + (size_t)(2 * DCS_EVENTS);
    assert_int_equal(list.n, of + 2 * (DCS_EVENTS + 1));
    expect_near(list.v[0], 2);
    expect_near(list.v[1], 1);
    expect_near(list.v[2], 8);
    double a = dcs_log(1 + 1 / 8.0), b = dcs_log(1 + 2 / 8.0); /* bytes per ns and SM */
    expect_near(list.v[scale + 2 * DCS_EVENT_BANDWIDTH], (a + b) / 2);
    expect_near(list.v[scale + 2 * DCS_EVENT_BANDWIDTH + 1], 2 / (b - a));
    expect_near(list.v[of + DCS_EVENT_BANDWIDTH], 0);
    expect_near(fabs(list.v[of + DCS_EVENTS + 1 + DCS_EVENT_BANDWIDTH]), 1);
    expect_near(list.v[of + DCS_EVENTS], 0);
    assert_null(dcs_method_gpm.check(list.v, list.n));
    free(list.v);
    free(runs);
    dcs_event_counts_free(c);
    release();
}

/* Up to 1.3, the middle, logarithms of 1 + bytes per ns and SM are of the first cluster. */
static void curves(void **state)
{
    (void)state;
    struct dcs_numbers list = {0};
    dcs_gpm_invent(9, &list);
    assert_null(dcs_method_gpm.check(list.v, list.n));
    struct dcs_events slow = {.v = {[DCS_EVENT_BANDWIDTH] = 5 * 2.6}},
                      fast = {.v = {[DCS_EVENT_BANDWIDTH] = 5 * 2.7}};
    expect_near(dcs_gpm_ask(list.v, 5, &slow), 1);
    expect_near(dcs_gpm_ask(list.v, 5, &fast), 2); /* half way between 1 and 9 SMs, 4 and 1 */
    expect_near(dcs_gpm_ask(list.v, 1, &fast), 4);
    expect_near(dcs_gpm_ask(list.v, 9, &slow), 1);
    free(list.v);
}

static void strangers(void **state)
{
    (void)state;
    struct dcs_numbers list = {0};
    dcs_gpm_invent(9, &list);
    static const struct {
        size_t at;
        double value;
    } wrong[] = {{0, 0}, {0, 9}, {0, 1.5}, {0, 1}, {1, 0}, {1, 1.5}, {1, 65}, {2, 0}, {2, 9}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        double kept = list.v[wrong[i].at];
        list.v[wrong[i].at] = wrong[i].value;
        assert_non_null(dcs_method_gpm.check(list.v, list.n));
        list.v[wrong[i].at] = kept;
    }
    assert_non_null(dcs_method_gpm.check(list.v, list.n - 1));
    assert_non_null(dcs_method_gpm.check(list.v, 1));
    free(list.v);
    const struct dcs_method *net = dcs_slowdown_models[DCS_SLOWDOWN_BESIDE];
    static const double none[2 * DCS_SLOWDOWN_INPUTS + DCS_SLOWDOWN_WEIGHTS + 1];
    size_t n = sizeof none / sizeof none[0] - 1;
    assert_null(net->check(none, n));
    assert_non_null(net->check(none, n - 1));
    assert_non_null(net->check(none, n + 1));
}

/* Slowed by 2 by fewer SMs, and by 1 and the root of the others' bytes per ns beside them. */
static void give_weights(struct dcs_numbers *list)
{
    double w[DCS_SLOWDOWN_WEIGHTS] = {0};
    const size_t unit = DCS_SLOWDOWN_INPUTS + 1, last = (size_t)(2 * DCS_SLOWDOWN_LAYER);
    w[DCS_SLOWDOWN_INPUTS - 1] = 1;
    w[DCS_SLOWDOWN_LAYER] = 1;
    w[last + unit - 1] = 2;
    w[last + unit] = 1;
    w[last + 2 * unit - 1] = 1;
    for (size_t i = 0; i < (size_t)(2 * DCS_SLOWDOWN_INPUTS); i++)
        dcs_numbers_add(list, i % 2 == 0 ? 0 : 1);
    for (size_t i = 0; i < DCS_SLOWDOWN_WEIGHTS; i++)
        dcs_numbers_add(list, w[i]);
}

static struct dcs_slowdowns *store_and_load(const char *path, const char *held_out)
{
    struct dcs_predictor_row rows[DCS_SLOWDOWN_METHODS];
    struct dcs_err err = {0};
    for (int by = 0; by < DCS_SLOWDOWN_METHODS; by++) {
        struct dcs_numbers list = {0};
        if (by == DCS_SLOWDOWN_GPM)
            dcs_gpm_invent(8, &list);
        else
            give_weights(&list);
        rows[by] = (struct dcs_predictor_row){.target = DCS_SLOWDOWN, .app = "", .task = ""};
        dcs_model_keep(&rows[by].model, dcs_slowdown_models[by], &list);
    }
    struct dcs_predictors_about about = {profile, 1, "test", held_out};
    if (dcs_predictors_write(path, &about, rows, DCS_SLOWDOWN_METHODS, &err) != 0)
        fail_msg("%s", err.text);
    for (int by = 0; by < DCS_SLOWDOWN_METHODS; by++)
        dcs_model_release(&rows[by].model);
    struct dcs_slowdowns *d = dcs_slowdowns_load(path, file, profile, spatial, &err);
    if (d == NULL)
        fail_msg("%s", err.text);
    return d;
}

static void together(void **state)
{
    (void)state;
    char path[320];
    snprintf(path, sizeof path, "%s.predictors.db", file);
    load("9e6");
    struct dcs_slowdowns *d = store_and_load(path, "big job\nservice");
    assert_true(dcs_slowdowns_held_out(d, "big job") && dcs_slowdowns_held_out(d, "service"));
    assert_false(dcs_slowdowns_held_out(d, "big") || dcs_slowdowns_held_out(d, "job"));

    const struct dcs_slowdown_party two = {4, {.v = {[DCS_EVENT_BANDWIDTH] = 2}}};
    struct dcs_slowdown_party set[2] = {two, two};
    struct dcs_slowdown out[2];
    dcs_slowdowns_together(d, set, 1, out);
    expect_near(out[0].scal, 2);
    expect_near(out[0].inter, 1);
    /* y = 1 + sqrt(2 / y): 2. Twelve steps come as near as this. */
    dcs_slowdowns_together(d, set, 2, out);
    for (size_t i = 0; i < 2; i++)
        assert_true(out[i].scal > 1.999999 && fabs(out[i].inter - 2) < 1e-4);
    /* One that does not press is slowed, and slows nothing: 1 + sqrt(2). */
    set[1].alone.v[DCS_EVENT_BANDWIDTH] = 0;
    dcs_slowdowns_together(d, set, 2, out);
    expect_near(out[0].inter, 1);
    expect_near(out[1].inter, 1 + sqrt(2));
    dcs_slowdowns_free(d);
    unlink(path);
    release();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(statistics, make_file, remove_file),
        cmocka_unit_test_setup_teardown(producer_runs, make_file, remove_file),
        cmocka_unit_test(curves),
        cmocka_unit_test(strangers),
        cmocka_unit_test_setup_teardown(together, make_file, remove_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
