/*
 * test_divisible.c - what is read of tables split_program and split_time, and what a chunk takes.
 *
 * Pins: times are exact at measured chunks, linear between them, go on beyond them and never below
 * a chunk's part of the nearest; noise goes through the measured 95th percentile where there are 20
 * samples, and there is none with 19; the largest size is taken where none is named; each kind of
 * row that does not fit is refused. Does not pin: what devices make of it
 * (tests/golden/test_divisible_by_hand.c).
 */
#include "models/divisible/divisible.h"
#include "models/workload/apps.h"

#define TEMP_FILE "test_divisible"
#include "tests/temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char tables[] =
    "CREATE TABLE profile(key TEXT PRIMARY KEY, value TEXT NOT NULL);\n"
    "INSERT INTO profile VALUES ('schema_version', '2'), ('name', 'x'), ('description', 'x'), "
    "('source', 'x'), ('partial', 'yes');\n"
    "CREATE TABLE device(name TEXT NOT NULL, kind TEXT NOT NULL, sms INTEGER NOT NULL, "
    "memory_bytes "
    "INTEGER NOT NULL, source TEXT NOT NULL);\n"
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
    "CREATE TABLE split_program(program TEXT NOT NULL, iterations INTEGER NOT NULL, what TEXT NOT "
    "NULL, passes INTEGER NOT NULL, chunk_min INTEGER NOT NULL, in_bytes REAL NOT NULL, out_bytes "
    "REAL NOT NULL, pass_ns INTEGER NOT NULL, source TEXT NOT NULL, PRIMARY KEY(program, "
    "iterations));\n"
    "CREATE TABLE split_time(program TEXT NOT NULL, iterations INTEGER NOT NULL, side TEXT NOT "
    "NULL, "
    "threads INTEGER NOT NULL, beside INTEGER NOT NULL, chunk INTEGER NOT NULL, median_ns INTEGER "
    "NOT NULL, p95_ns INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY(program, iterations, side, "
    "threads, beside, chunk));\n";

static struct dcs_divisible *load(const char *programs, const char *times, struct dcs_err *err)
{
    struct dcs_divisible *d;
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    fputs(tables, f);
    if (programs[0] != '\0')
        fprintf(f, "INSERT INTO split_program VALUES %s;\n", programs);
    if (times[0] != '\0')
        fprintf(f, "INSERT INTO split_time VALUES %s;\n", times);
    assert_int_equal(fclose(f), 0);
    *err = (struct dcs_err){0};
    struct dcs_profile *p = dcs_divisible_load_profile(file, &d, err);
    assert_true((p == NULL) == (d == NULL));
    dcs_profile_free(p);
    return d;
}

#define PROGRAM "('p', 1000, 'x', 2, 10, 8.0, 4.0, 7, 'x')"

/* Rows out of order: 100 in 1000 ns, 400 in 2500, 1000 in 9000. */
static void times_of_chunks(void **state)
{
    (void)state;
    struct dcs_err err;
    struct dcs_divisible *d =
        load(PROGRAM ", ('p', 50, 'x', 2, 10, 8.0, 4.0, 7, 'x'), ('q', 9, 'x', 1, 1, 0, 0, 0, 'x')",
             "('p', 1000, 'gpu', 0, 0, 400, 2500, 2500, 5), "
             "('p', 1000, 'gpu', 0, 0, 1000, 9000, 9000, 5), "
             "('p', 1000, 'gpu', 0, 0, 100, 1000, 1000, 5), "
             "('p', 1000, 'gpu', 4, 1, 100, 1200, 1200, 5), "
             "('p', 1000, 'cpu', 4, 0, 500, 5000, 5000, 5)",
             &err);
    if (d == NULL)
        fail_msg("%s", err.text);
    const struct dcs_work *w = dcs_divisible_find(d, "p", 0);
    assert_true(w != NULL && w->iterations == 1000 && w->passes == 2 && w->chunk_min == 10);
    assert_int_equal(w->pass_ns, 7);
    assert_int_equal(dcs_divisible_find(d, "p", 50)->iterations, 50);
    assert_null(dcs_divisible_find(d, "p", 51));
    assert_null(dcs_divisible_find(d, "r", 0));
    double sigma;
    const struct dcs_chunk_curve *gpu = dcs_work_curve(w, DCS_SIDE_GPU, 4, false);
    assert_true(dcs_chunk_ns(gpu, 100, &sigma) == 1000 && sigma == 0);
    assert_true(dcs_chunk_ns(gpu, 400, &sigma) == 2500);
    assert_true(dcs_chunk_ns(gpu, 1000, &sigma) == 9000);
    assert_true(dcs_chunk_ns(gpu, 200, &sigma) == 1500);
    assert_true(dcs_chunk_ns(gpu, 20, &sigma) == 600); /* 5 ns each, as from 100 to 400 */
    const struct dcs_chunk_curve *cpu = dcs_work_curve(w, DCS_SIDE_CPU, 4, false);
    assert_true(dcs_chunk_ns(cpu, 50, &sigma) == 500 && dcs_chunk_ns(cpu, 1000, &sigma) == 10000);
    assert_true(dcs_chunk_ns(dcs_work_curve(w, DCS_SIDE_GPU, 4, true), 100, &sigma) == 1200);
    assert_null(dcs_work_curve(w, DCS_SIDE_CPU, 3, false));
    assert_null(dcs_work_curve(w, DCS_SIDE_CPU, 4, true));
    dcs_divisible_free(d);
}

/* From 100 in 1000 and 400 in 8000 ns the line passes below 0 at 57: a chunk of 10 takes its part
 * of 100. */
static void never_below_its_part(void **state)
{
    (void)state;
    struct dcs_err err;
    double sigma;
    struct dcs_divisible *d = load(PROGRAM,
                                   "('p', 1000, 'gpu', 0, 0, 100, 1000, 1000, 5), "
                                   "('p', 1000, 'gpu', 0, 0, 400, 8000, 8000, 5)",
                                   &err);
    const struct dcs_chunk_curve *gpu =
        dcs_work_curve(dcs_divisible_find(d, "p", 0), DCS_SIDE_GPU, 0, false);
    assert_true(dcs_chunk_ns(gpu, 10, &sigma) == 100);
    assert_true(dcs_chunk_ns(gpu, 1000, &sigma) == 22000); /* 23.3 ns each from 400 on */
    dcs_divisible_free(d);
}

static void noise(void **state)
{
    (void)state;
    struct dcs_err err;
    struct dcs_divisible *d = load(PROGRAM,
                                   "('p', 1000, 'gpu', 0, 0, 100, 10000, 12000, 20), "
                                   "('p', 1000, 'gpu', 0, 0, 1000, 50000, 60000, 19)",
                                   &err);
    const struct dcs_work *w = dcs_divisible_find(d, "p", 0), *works[] = {w};
    struct dcs_app app = {0}, still = {0};
    dcs_app_divisible(&app, "p", DCS_BATCH, works, 1, true);
    dcs_app_divisible(&still, "p", DCS_BATCH, works, 1, false);
    assert_int_equal(dcs_app_chunk_ns(&app, w, DCS_SIDE_GPU, 0, false, 100, 0.95), 12000);
    assert_int_equal(dcs_app_chunk_ns(&app, w, DCS_SIDE_GPU, 0, false, 100, 0.5), 10000);
    assert_int_equal(dcs_app_chunk_ns(&app, w, DCS_SIDE_GPU, 0, false, 100, 0.05), 8333);
    assert_int_equal(dcs_app_chunk_ns(&app, w, DCS_SIDE_GPU, 0, false, 1000, 0.95), 50000);
    assert_int_equal(dcs_app_chunk_ns(&still, w, DCS_SIDE_GPU, 0, false, 100, 0.95), 10000);
    assert_true(app.kernels == 2 && app.mean_ns[1] == 50000 && app.total_ns[0] == 100000);
    dcs_app_release(&app);
    dcs_app_release(&still);
    dcs_divisible_free(d);
}

static void bad_rows(void **state)
{
    (void)state;
    static const struct {
        const char *programs, *times, *text;
    } bad[] = {
        {"", "", "has no times of chunks on CPU and GPU: measure them with dcsim-calibrate split"},
        {PROGRAM, "", "has no times of chunks"},
        {"('p', 0, 'x', 2, 10, 8.0, 4.0, 7, 'x')", "", "iterations"},
        {"('p', 549755813889, 'x', 2, 10, 8.0, 4.0, 7, 'x')", "", "iterations"},
        {"('p', 9, 'x', 2, 10, 8.0, 4.0, 7, 'x')", "", "chunk_min"},
        {"('p', 10, 'x', 0, 10, 8.0, 4.0, 7, 'x')", "", "passes"},
        {"('p', 10, 'x', 1, 10, 8.0, 4.0, -1, 'x')", "", "pass_ns"},
        {PROGRAM, "('q', 1000, 'gpu', 0, 0, 100, 1000, 1000, 5)", "a program and size"},
        {PROGRAM, "('p', 1000, 'dsp', 0, 0, 100, 1000, 1000, 5)", "side"},
        {PROGRAM, "('p', 1000, 'gpu', 0, 2, 100, 1000, 1000, 5)", "beside"},
        {PROGRAM, "('p', 1000, 'gpu', 0, 0, 1001, 1000, 1000, 5)", "chunk"},
        {PROGRAM, "('p', 1000, 'gpu', 0, 0, 100, 1000, 999, 5)", "p95_ns"},
        {PROGRAM, "('p', 1000, 'gpu', 0, 0, 100, 1000, 1000, 0)", "n"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct dcs_err err;
        assert_null(load(bad[i].programs, bad[i].times, &err));
        bool said = strstr(err.text, bad[i].text) != NULL || strstr(err.path, bad[i].text) != NULL;
        if (!said || strchr(err.text, '\n') != NULL)
            fail_msg("case %zu: \"%s\" at %s", i, err.text, err.path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_of_chunks),
        cmocka_unit_test(never_below_its_part),
        cmocka_unit_test(noise),
        cmocka_unit_test(bad_rows),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
