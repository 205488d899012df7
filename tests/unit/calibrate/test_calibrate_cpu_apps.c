/*
 * test_calibrate_cpu_apps.c - pins that every program of calibrate/cpu_apps computes the right
 * thing, the same bits with one thread and with several, a second time on the same state as well;
 * that its check fails before a request has run and when a word of the results changes; that its
 * row keeps the contract of cpu_app.h; and the threads and helpers that they use. Does not pin how
 * fast any of it is.
 */
#include "calibrate/cpu/cpu_app.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- the programs --- */

static void keeps_the_contract(const struct cal_cpu_app *app)
{
    assert_true(strlen(app->name) >= 1 && strlen(app->name) <= 16);
    assert_int_equal(strspn(app->name, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(app->name));
    assert_ptr_equal(cal_cpu_find_app(app->name), app); /* no two have one name */
    assert_true(strlen(app->papers) > 0 && strlen(app->algorithm) > 0);
    assert_true(strlen(app->size_unit) > 0);
    assert_true(app->size_min >= 1 && app->size_step >= 1);
    assert_true(app->size_check >= 1 && app->size_check <= app->size_default);
    assert_true(app->size_min < app->size_default && app->size_default < app->size_max);
    assert_int_equal(app->size_min % app->size_step, 0);
    assert_int_equal(app->size_default % app->size_step, 0);
    assert_true(app->role == CAL_CPU_SERVICE ? app->sla_ns > 0 : app->sla_ns == 0);
}

/* Runs a request on as many threads, over results that an earlier one left wrong. */
static void run_on(const struct cal_cpu_app *app, void *state, uint32_t threads)
{
    struct dcs_err err = {0};
    size_t words;
    uint32_t *got = app->results(state, &words);
    memset(got, 0x5a, words * sizeof *got);
    struct cal_team *t = cal_team_create(threads, NULL, 0, &err);
    assert_non_null(t);
    app->run(state, t);
    cal_team_destroy(t);
}

static void passes(const struct cal_cpu_app *app, const void *state, const char *when)
{
    struct dcs_err err = {0};
    if (app->check(state, &err) != 0)
        fail_msg("%s, %s: %s", app->name, when, err.text);
}

static void is_wrong(const struct cal_cpu_app *app, const void *state, const char *when)
{
    struct dcs_err err = {0};
    if (app->check(state, &err) == 0)
        fail_msg("%s: its check passes, %s", app->name, when);
    assert_true(strlen(err.text) > 0);
}

/* Bit 30 turns 0 into 2, a number below 2 into one beyond 1e18, and the rest into next to nothing.
 */
static void mutations_are_found(const struct cal_cpu_app *app, void *state)
{
    size_t words;
    uint32_t *got = app->results(state, &words);
    for (size_t i = 0; i < 3; i++) {
        uint32_t *word = &got[(words - 1) * i / 2];
        *word ^= UINT32_C(1) << 30;
        is_wrong(app, state, "though a word of the results is not as it was");
        *word ^= UINT32_C(1) << 30;
    }
}

static void computes_the_right_thing(const struct cal_cpu_app *app)
{
    struct cal_arena a = {0};
    struct dcs_err err = {0};
    void *state = app->create(app->size_check, 1, &a, &err);
    if (state == NULL)
        fail_msg("%s: %s", app->name, err.text);
    int64_t bytes = a.bytes;
    is_wrong(app, state, "though nothing has run");
    run_on(app, state, 1);
    passes(app, state, "one thread");
    size_t words;
    uint32_t *got = app->results(state, &words), *first = dcs_alloc(words, sizeof *first);
    assert_true(words > 0 && words * sizeof *got <= (size_t)bytes);
    memcpy(first, got, words * sizeof *got);
    for (uint32_t threads = 1; threads <= 3; threads++) {
        run_on(app, state, threads);
        if (memcmp(got, first, words * sizeof *got) != 0)
            fail_msg("%s: other results with %u threads", app->name, threads);
    }
    mutations_are_found(app, state);
    double operations = 0, moved = 0;
    app->count(state, &operations, &moved);
    assert_true(operations >= 1 && operations < 1e12 && moved >= 1 && moved < 1e12);
    assert_int_equal(a.bytes, bytes);
    free(first);
    cal_arena_release(&a);
}

static void another_seed_is_another_input(const struct cal_cpu_app *app)
{
    struct cal_arena a = {0};
    struct dcs_err err = {0};
    void *state = app->create(app->size_check, 20261122, &a, &err);
    assert_non_null(state);
    run_on(app, state, 3);
    passes(app, state, "another seed");
    cal_arena_release(&a);
}

static void programs_compute_the_right_thing(void **unused)
{
    (void)unused;
    for (size_t i = 0; cal_cpu_apps[i] != NULL; i++) {
        keeps_the_contract(cal_cpu_apps[i]);
        computes_the_right_thing(cal_cpu_apps[i]);
        another_seed_is_another_input(cal_cpu_apps[i]);
    }
    assert_non_null(cal_cpu_find_app("bs"));
    assert_null(cal_cpu_find_app("nothing"));
}

/* --- threads --- */

struct count {
    _Atomic int visits[1000];
    _Atomic int inside[8], wrong;
};

static void visit(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    struct count *c = context;
    if (atomic_fetch_add(&c->inside[thread], 1) != 0 || begin >= end || end - begin > 7)
        c->wrong++;
    for (int64_t i = begin; i < end; i++)
        c->visits[i]++;
    c->inside[thread]--;
}

static void every_piece_is_done_once(void **unused)
{
    (void)unused;
    struct dcs_err err = {0};
    struct cal_team *t = cal_team_create(4, NULL, 0, &err);
    struct count *c = dcs_alloc(1, sizeof *c);
    assert_int_equal(cal_team_threads(t), 4);
    for (int turn = 1; turn <= 50; turn++) {
        cal_team_for(t, 1000, 7, visit, c);
        for (int i = 0; i < 1000; i++)
            assert_int_equal(c->visits[i], turn);
    }
    cal_team_for(t, 0, 7, visit, c);
    assert_int_equal(c->visits[0], 50);
    assert_int_equal(c->wrong, 0);
    free(c);
    cal_team_destroy(t);
}

static void look(void *context, struct cal_team *t, uint32_t thread)
{
    (void)t, (void)thread;
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) != 1)
        ++*(_Atomic int *)context;
}

static void threads_stay_on_their_cores(void **unused)
{
    (void)unused;
    struct dcs_err err = {0};
    cpu_set_t mine;
    int core = 0;
    assert_int_equal(sched_getaffinity(0, sizeof mine, &mine), 0);
    while (!CPU_ISSET(core, &mine))
        core++;
    _Atomic int wrong = 0;
    struct cal_team *t = cal_team_create(3, &core, 1, &err);
    assert_non_null(t);
    cal_team_run(t, look, &wrong);
    assert_int_equal(wrong, 0);
    cal_team_destroy(t);
    /* As many cores as threads: each thread has its own, whichever that is. */
    int other = core + 1;
    while (other < CPU_SETSIZE && !CPU_ISSET(other, &mine))
        other++;
    const int both[] = {core, other < CPU_SETSIZE ? other : core};
    t = cal_team_create(2, both, 2, &err);
    assert_non_null(t);
    cal_team_run(t, look, &wrong);
    assert_int_equal(wrong, 0);
    cal_team_destroy(t);
    int missing = CPU_SETSIZE - 1;
    assert_null(cal_team_create(3, &missing, 1, &err));
    assert_non_null(strstr(err.text, "cannot be started on the cores asked for"));
}

/* --- helpers --- */

static void inputs_follow_from_seed_and_index(void **unused)
{
    (void)unused;
    /* As they are: another generator would be another program to measure. */
    assert_true(cal_cpu_random(1, 0) == cal_cpu_random(1, 0));
    assert_true(cal_cpu_random(1, 0) != cal_cpu_random(1, 1));
    assert_true(cal_cpu_random(1, 0) != cal_cpu_random(2, 0));
    double sum = 0;
    for (uint64_t i = 0; i < 10000; i++) {
        double x = cal_cpu_uniform(7, i, -1, 3);
        assert_true(x >= -1 && x < 3);
        sum += x;
    }
    assert_float_equal(sum / 10000, 1, 0.05); /* 4.3 standard errors */
}

static void comparisons_name_what_differs(void **unused)
{
    (void)unused;
    struct dcs_err err = {0};
    float want[] = {1, 2, 3}, got[] = {1, 2.5F, NAN};
    assert_int_equal(cal_cpu_compare_f32(want, want, 3, 0, 0, "x", &err), 0);
    assert_int_equal(cal_cpu_compare_f32(got, want, 2, 0.5, 0, "x", &err), 0);
    assert_int_equal(cal_cpu_compare_f32(got, want, 2, 0, 0.25, "x", &err), 0);
    assert_int_equal(cal_cpu_compare_f32(got, want, 3, 1e9, 1e9, "x", &err), -1);
    assert_string_equal(err.text, "x: 1 of 3 differ, the first at 2: got nan, expected 3");
    int32_t one[] = {1, 2}, two[] = {1, 3};
    assert_int_equal(cal_cpu_compare_i32(one, one, 2, "y", &err), 0);
    assert_int_equal(cal_cpu_compare_i32(one, two, 2, "y", &err), -1);
    assert_string_equal(err.text, "y: 1 of 2 differ, the first at 1: got 2, expected 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_compute_the_right_thing),
        cmocka_unit_test(every_piece_is_done_once),
        cmocka_unit_test(threads_stay_on_their_cores),
        cmocka_unit_test(inputs_follow_from_seed_and_index),
        cmocka_unit_test(comparisons_name_what_differs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
