/*
 * test_calibrate_plan.c - pins how steps are run: each once, whatever was interrupted; a step that
 * fails leaves no rows and does not stop the others; limits of time, Ctrl-C, a lost device and a
 * measurement that cannot run here; which steps are of an application, and which of its default
 * size; and which sizes are measured. The measurement is a made-up one.
 */
#include "calibrate/measure/measurement.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const struct cal_provenance provenance = {
    .name = "test",
    .description = "A test.",
    .source = "a test",
    .device_name = "Test GPU",
    .device_uuid = "GPU-1",
    .driver = "1.0",
    .cuda = "13.0",
    .tool_version = "0",
    .measured_at = "2020-01-01T00:00:00Z",
    .sms = 4,
    .memory_bytes = 1000,
};

static char path[256];
static volatile sig_atomic_t stop;
static bool dead;
static int calls;
static int64_t fails, interrupts, kills; /* the step that does */

static int run(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    calls++;
    if (cal_store_put(s->store, err, "noise", "titiiiii", "app", step->size, "kernel", (int64_t)4,
                      (int64_t)0, (int64_t)1, (int64_t)2, (int64_t)3) != 0)
        return -1;
    if (step->size == interrupts)
        stop = 1;
    if (step->size == kills) {
        dead = true;
        return dcs_err_set(err, "illegal address");
    }
    return step->size == fails ? dcs_err_set(err, "it is a test") : 0;
}

static int not_here(struct cal_session *s, struct dcs_err *err)
{
    (void)s;
    return dcs_err_set(err, "no profiler");
}

static const struct cal_measure fake = {.name = "fake", .help = "", .run = run};
static const struct cal_measure device = {.name = "device", .help = "", .every_app = true};
static const struct cal_measure absent = {
    .name = "absent", .help = "", .run = run, .ready = not_here};

static int setup(void **state)
{
    snprintf(path, sizeof path, "%s/test_calibrate_plan_%d.db", DCS_BINARY_DIR, (int)getpid());
    unlink(path);
    stop = 0;
    dead = false;
    calls = 0;
    fails = interrupts = kills = -1;
    struct dcs_err err = {0};
    struct cal_session *s = dcs_alloc(1, sizeof *s);
    s->store = cal_store_open(path, &provenance, &err);
    s->dead = &dead;
    *state = s;
    return s->store == NULL;
}

static int teardown(void **state)
{
    struct cal_session *s = *state;
    cal_store_close(s->store);
    free(s);
    return unlink(path);
}

static struct cal_steps five(const struct cal_measure *m)
{
    struct cal_steps steps = {0};
    for (int i = 0; i < 5; i++) {
        struct cal_step *step = cal_steps_add(&steps, m, "%s/%d", m->name, i);
        step->size = i;
        step->seconds = 1;
        step->app_name = i % 2 == 0 ? "even" : NULL;
    }
    return steps;
}

static int go(struct cal_session *s, const struct cal_measure *m, double minutes,
              struct cal_run_result *result)
{
    struct cal_steps steps = five(m);
    struct dcs_err err = {0};
    const struct cal_run_options options = {.minutes = minutes, .stop = &stop};
    int code = cal_steps_run(&steps, s, &options, result, &err);
    cal_steps_release(&steps);
    return code;
}

static double rows(struct cal_session *s)
{
    double n = -1;
    cal_store_get(s->store, &n, "SELECT count(*) FROM noise", "");
    return n;
}

static void each_step_once(void **state)
{
    struct cal_run_result r;
    assert_int_equal(go(*state, &fake, 0, &r), 0);
    assert_int_equal(r.done, 5);
    assert_int_equal(r.left, 0);
    assert_int_equal(go(*state, &fake, 0, &r), 0);
    assert_int_equal(r.done, 0);
    assert_int_equal(r.before, 5);
    assert_int_equal(calls, 5);
    assert_true(rows(*state) == 5);
}

static void a_failed_step_leaves_nothing_and_is_not_repeated(void **state)
{
    struct cal_session *s = *state;
    struct cal_run_result r;
    struct dcs_err err = {0};
    char reason[64];
    fails = 2;
    assert_int_equal(go(s, &fake, 0, &r), 0);
    assert_int_equal(r.done, 4);
    assert_int_equal(r.failed, 1);
    assert_int_equal(r.left, 1);
    assert_int_equal(r.failed_before, 0);
    assert_true(rows(s) == 4);
    assert_true(cal_store_get_text(s->store, reason, sizeof reason,
                                   "SELECT reason FROM step WHERE state = 'failed'", ""));
    assert_string_equal(reason, "it is a test");
    fails = -1;
    assert_int_equal(go(s, &fake, 0, &r), 0);
    assert_int_equal(r.done, 0);
    assert_int_equal(r.failed, 0);
    assert_int_equal(r.failed_before, 1);
    assert_int_equal(cal_store_forget_failed(s->store, "other", &err), 0);
    assert_int_equal(go(s, &fake, 0, &r), 0);
    assert_int_equal(r.done, 0);
    assert_int_equal(cal_store_forget_failed(s->store, "fake", &err), 0);
    assert_int_equal(go(s, &fake, 0, &r), 0);
    assert_int_equal(r.done, 1);
    assert_true(rows(s) == 5);
}

static void interruption_ends_after_the_step_in_hand(void **state)
{
    struct cal_run_result r;
    interrupts = 1;
    assert_int_equal(go(*state, &fake, 0, &r), 0);
    assert_true(r.interrupted);
    assert_int_equal(r.done, 2);
    assert_int_equal(r.left, 3);
    stop = 0;
    interrupts = -1;
    assert_int_equal(go(*state, &fake, 0, &r), 0);
    assert_int_equal(r.before, 2);
    assert_int_equal(r.done, 3);
}

/* Ctrl-C reaches the profiler that a step waits for, too. */
static void a_step_that_interruption_ends_has_not_failed(void **state)
{
    struct cal_session *s = *state;
    struct cal_run_result r;
    interrupts = fails = 4; /* the last one: nobody asks for stop after it */
    assert_int_equal(go(s, &fake, 0, &r), 0);
    assert_true(r.interrupted);
    assert_int_equal(r.failed, 0);
    assert_int_equal(r.left, 1);
    assert_true(rows(s) == 4);
    stop = 0;
    interrupts = fails = -1;
    assert_int_equal(go(s, &fake, 0, &r), 0);
    assert_int_equal(r.done, 1);
    assert_int_equal(calls, 6);
}

/* Steps are estimated at 1 s: with less left none begins. */
static void time_limit(void **state)
{
    struct cal_run_result r;
    assert_int_equal(go(*state, &fake, 0.99 / 60, &r), 0);
    assert_true(r.out_of_time);
    assert_int_equal(calls, 0);
    assert_int_equal(r.left, 5);
    assert_int_equal(go(*state, &fake, 10, &r), 0);
    assert_false(r.out_of_time);
    assert_int_equal(r.done, 5);
    assert_int_equal(go(*state, &fake, 0.99 / 60, &r), 0);
    assert_false(r.out_of_time); /* nothing is left to do */
}

static void a_lost_device_ends_the_run_and_the_next_goes_on(void **state)
{
    struct cal_run_result r;
    kills = 1;
    assert_int_equal(go(*state, &fake, 0, &r), -1);
    assert_int_equal(r.done, 1);
    assert_int_equal(r.failed, 0);
    assert_int_equal(calls, 2);
    dead = false; /* a new process */
    kills = -1;
    assert_int_equal(go(*state, &fake, 0, &r), 0);
    assert_int_equal(r.done, 3);
    assert_int_equal(r.left, 1); /* the one that killed it */
}

static void a_measurement_that_cannot_run_is_left_out(void **state)
{
    struct cal_run_result r;
    assert_int_equal(go(*state, &absent, 0, &r), 0);
    assert_int_equal(calls, 0);
    assert_int_equal(r.left, 5);
    assert_int_equal(r.not_here, 5);
    assert_int_equal(r.failed, 0);
}

static void filter_by_application(void **state)
{
    (void)state;
    struct cal_steps steps = five(&fake);
    cal_steps_only_apps(&steps, NULL);
    assert_int_equal(steps.count, 5);
    cal_steps_only_apps(&steps, "odd,ev*");
    assert_int_equal(steps.count, 3);
    cal_steps_only_apps(&steps, "even");
    assert_int_equal(steps.count, 3);
    assert_string_equal(steps.steps[1].key, "fake/2");
    cal_steps_only_keys(&steps, NULL);
    assert_int_equal(steps.count, 3);
    cal_steps_only_keys(&steps, "fake/[01],*/4,fake");
    assert_int_equal(steps.count, 2);
    assert_string_equal(steps.steps[1].key, "fake/4");
    cal_steps_only_apps(&steps, "odd,eve,*x*,");
    assert_int_equal(steps.count, 0);
    cal_steps_release(&steps);
}

static void steps_of_no_application(void **state)
{
    (void)state;
    struct cal_steps steps = {0};
    assert_false(cal_steps_lack_apps(&steps, 0, "even"));
    cal_steps_add(&steps, &fake, "first")->app_name = "even";
    cal_steps_add(&steps, &fake, "second");
    cal_steps_add(&steps, &fake, "third");
    assert_false(cal_steps_lack_apps(&steps, 0, "even"));
    assert_true(cal_steps_lack_apps(&steps, 0, "odd"));
    assert_true(cal_steps_lack_apps(&steps, 1, "even"));
    assert_false(cal_steps_lack_apps(&steps, 1, NULL));
    assert_false(cal_steps_lack_apps(&steps, 3, "even"));
    steps.steps[2].app_name = "odd";
    assert_false(cal_steps_lack_apps(&steps, 1, "odd"));
    cal_steps_release(&steps);
}

/* What every application needs stays with whichever is named. */
static void steps_of_the_device(void **state)
{
    (void)state;
    struct cal_steps steps = {0};
    cal_steps_add(&steps, &device, "device/0");
    cal_steps_add(&steps, &fake, "fake/0");
    cal_steps_add(&steps, &fake, "fake/1")->app_name = "even";
    assert_false(cal_steps_lack_apps(&steps, 0, "odd"));
    cal_steps_only_apps(&steps, "even");
    assert_int_equal(steps.count, 2);
    assert_string_equal(steps.steps[0].key, "device/0");
    assert_string_equal(steps.steps[1].key, "fake/1");
    cal_steps_only_keys(&steps, "fake/*");
    assert_int_equal(steps.count, 1);
    cal_steps_release(&steps);
}

static void filter_by_default_size(void **state)
{
    (void)state;
    struct cal_steps steps = five(&fake);
    steps.steps[1].other_size = steps.steps[4].other_size = true;
    cal_steps_only_default_size(&steps);
    assert_int_equal(steps.count, 3);
    assert_string_equal(steps.steps[1].key, "fake/2");
    assert_string_equal(steps.steps[2].key, "fake/3");
    cal_steps_release(&steps);
}

static const char *name_of(size_t index)
{
    static const char *const names[] = {"resnet50", "mrif", "mriq", NULL};
    return names[index];
}

static void lists_say_which_name_is_none(void **state)
{
    (void)state;
    char missing[CAL_KEY_BYTES];
    assert_false(cal_list_misses(NULL, name_of, missing));
    assert_false(cal_list_misses("mri*,resnet50", name_of, missing));
    assert_true(cal_list_misses("mrif,resnet5,nobody", name_of, missing));
    assert_string_equal(missing, "resnet5");
    assert_true(cal_list_misses("mrif,", name_of, missing));
    assert_string_equal(missing, "");
}

static void dry_run_counts_what_is_left(void **state)
{
    struct cal_session *s = *state;
    struct cal_run_result r;
    fails = 0;
    interrupts = 1;
    assert_int_equal(go(s, &fake, 0, &r), 0); /* 0 failed, 1 done, 3 steps of a second left */
    struct cal_steps steps = five(&fake);
    char text[2048] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    cal_steps_print(&steps, s, true, out);
    fclose(out);
    assert_non_null(strstr(text, "fake/1"));
    assert_non_null(strstr(text, "   GPU minutes left\n"));
    assert_non_null(
        strstr(text, "\nall                         5        1        1                0.1\n"));
    memset(text, 0, sizeof text);
    out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    cal_steps_print(&steps, s, false, out);
    fclose(out);
    assert_null(strstr(text, "fake/1"));
    assert_non_null(
        strstr(text, "fake                        5        1        1                0.1\n"));
    cal_steps_release(&steps);
}

/* --- sizes --- */

static void sizes_are_spread_distinct_and_rounded(void **state)
{
    (void)state;
    const struct cal_size_range range = {
        .min = 10, .max = 10000, .standard = 320, .step = 10, .wanted = 40};
    int64_t *sizes;
    size_t n = cal_sizes(&range, &sizes);
    assert_int_equal(n, 40);
    assert_int_equal(sizes[0], 320);
    assert_int_equal(sizes[1], 10);
    assert_int_equal(sizes[2], 10000);
    int below = 0;
    for (size_t i = 0; i < n; i++) {
        assert_true(sizes[i] % 10 == 0 && sizes[i] >= 10 && sizes[i] <= 10000);
        for (size_t j = 0; j < i; j++)
            assert_true(sizes[i] != sizes[j]);
        below += i >= 3 && i < 19 && sizes[i] < 316; /* the middle, on a logarithmic scale */
    }
    assert_in_range(below, 6, 10); /* of the 16 after the ends: both halves are covered early */
    free(sizes);
}

static void few_possible_sizes(void **state)
{
    (void)state;
    const struct cal_size_range range = {
        .min = 1, .max = 3, .standard = 2, .step = 1, .wanted = 20};
    int64_t *sizes;
    assert_int_equal(cal_sizes(&range, &sizes), 3);
    free(sizes);
    const struct cal_size_range single = {
        .min = 7, .max = 7, .standard = 7, .step = 1, .wanted = 20};
    assert_int_equal(cal_sizes(&single, &sizes), 1);
    assert_int_equal(sizes[0], 7);
    free(sizes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_step_once, setup, teardown),
        cmocka_unit_test_setup_teardown(a_failed_step_leaves_nothing_and_is_not_repeated, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(interruption_ends_after_the_step_in_hand, setup, teardown),
        cmocka_unit_test_setup_teardown(a_step_that_interruption_ends_has_not_failed, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(time_limit, setup, teardown),
        cmocka_unit_test_setup_teardown(a_lost_device_ends_the_run_and_the_next_goes_on, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_measurement_that_cannot_run_is_left_out, setup, teardown),
        cmocka_unit_test(filter_by_application),
        cmocka_unit_test(steps_of_no_application),
        cmocka_unit_test(steps_of_the_device),
        cmocka_unit_test(filter_by_default_size),
        cmocka_unit_test(lists_say_which_name_is_none),
        cmocka_unit_test_setup_teardown(dry_run_counts_what_is_left, setup, teardown),
        cmocka_unit_test(sizes_are_spread_distinct_and_rounded),
        cmocka_unit_test(few_possible_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
