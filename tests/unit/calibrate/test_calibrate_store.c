/*
 * test_calibrate_store.c - pins what a profile's database refuses (another device, driver, version,
 * file), that a step is kept whole or not at all, that a full disk is told and harms nothing, the
 * tables of version 1 that are made of the measurements, that kernels once run beside others stay
 * chosen, that those that limits leave out are told with the reason, and that the export is
 * canonical and reads back as the same rows.
 */
#include "calibrate/store/profile_store.h"
#include "models/profile/profile_schema.h"

#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const struct cal_provenance here = {
    .name = "test",
    .description = "A test.",
    .source = "it's a test",
    .device_name = "Test GPU",
    .device_uuid = "GPU-1",
    .driver = "1.0",
    .cuda = "13.0",
    .tool_version = "0",
    .measured_at = "2020-01-01T00:00:00Z",
    .sms = 4,
    .max_clock_mhz = 1980,
    .memory_bytes = 1000,
};

static const struct cal_statistics statistics = {.n = 3,
                                                 .throttled = 1,
                                                 .median_ns = 100,
                                                 .mean_ns = 100.4,
                                                 .stddev_ns = 0.1,
                                                 .min_ns = 99,
                                                 .max_ns = 102,
                                                 .stop = "rse",
                                                 .l2 = "warm",
                                                 .clock_mhz = 1980};

static char folder[256];

static int setup(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/test_calibrate_store_XXXXXX", DCS_BINARY_DIR);
    return mkdtemp(folder) == NULL;
}

static int teardown(void **state)
{
    (void)state;
    static const char *const names[] = {"a.db", "b.db", "a.sql", "b.sql", "text"};
    char path[320];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder); /* fails if something else was left */
}

static const char *in_folder(const char *name)
{
    static char paths[4][320];
    static int turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static struct cal_store *open_a(void)
{
    struct dcs_err err = {0};
    struct cal_store *s = cal_store_open(in_folder("a.db"), &here, &err);
    if (s == NULL)
        fail_msg("%s", err.text);
    return s;
}

static void refused(const struct cal_provenance *p, const char *file, const char *because)
{
    struct dcs_err err = {0};
    assert_null(cal_store_open(in_folder(file), p, &err));
    if (strstr(err.text, because) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", err.text, because);
    assert_non_null(strstr(err.file, file));
}

static void execute(const char *file, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(in_folder(file), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void others_are_refused(void **state)
{
    (void)state;
    cal_store_close(open_a());
    cal_store_close(open_a()); /* the same again is not */
    struct cal_provenance other = here;
    other.device_uuid = "GPU-2";
    refused(&other, "a.db", "another device");
    other = here;
    other.driver = "2.0";
    refused(&other, "a.db", "driver 1.0");
    execute("a.db", "UPDATE profile SET value = '1' WHERE key = 'schema_version'");
    refused(&here, "a.db", "schema version 1");
    execute("b.db", "CREATE TABLE other(x)");
    refused(&here, "b.db", "no profile");
    FILE *text = fopen(in_folder("text"), "w");
    fputs("this is a text, and long enough that nobody takes it for the head of a database: "
          "it goes on and on",
          text);
    fclose(text);
    refused(&here, "text", "not a database");
    refused(&here, "no/folder.db", "must exist");
}

static void locked_is_told(void **state)
{
    (void)state;
    struct cal_store *s = open_a();
    struct dcs_err err = {0};
    sqlite3 *db;
    assert_int_equal(sqlite3_open(in_folder("a.db"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(cal_store_begin_step(s, &err), -1);
    assert_non_null(strstr(err.text, "locked"));
    assert_false(cal_store_broken(s)); /* it can go on later */
    sqlite3_close(db);
    assert_int_equal(cal_store_begin_step(s, &err), 0);
    cal_store_close(s);
}

static int put_solo(struct cal_store *s, int64_t size, const char *app)
{
    struct dcs_err err = {0};
    return cal_store_put(s, &err, "request_solo", "titis", app, size, "whole", (int64_t)4,
                         &statistics);
}

static double count(struct cal_store *s, const char *table)
{
    char sql[128];
    double n = -1;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
    assert_true(cal_store_get(s, &n, sql, ""));
    return n;
}

static void a_step_is_whole_or_not_there(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct cal_store *s = open_a();
    assert_int_equal(cal_store_begin_step(s, &err), 0);
    assert_int_equal(put_solo(s, 1, "app"), 0);
    assert_int_equal(cal_store_end_step(s, "k/1", "k", 0.5, &err), 0);
    assert_int_equal(cal_store_begin_step(s, &err), 0);
    assert_int_equal(put_solo(s, 2, "app"), 0);
    assert_int_equal(cal_store_fail_step(s, "k/2", "k", "why", 0.5, &err), 0);
    assert_int_equal(cal_store_begin_step(s, &err), 0);
    assert_int_equal(put_solo(s, 3, "app"), 0);
    cal_store_close(s); /* in the middle, as by a crash */
    s = open_a();
    assert_true(count(s, "request_solo") == 1);
    assert_int_equal(cal_store_step(s, "k/1"), CAL_STEP_DONE);
    assert_int_equal(cal_store_step(s, "k/2"), CAL_STEP_FAILED);
    assert_int_equal(cal_store_step(s, "k/3"), CAL_STEP_MISSING);
    double n = 0;
    assert_true(
        cal_store_get(s, &n, "SELECT max_ns FROM request_solo WHERE size = ?", "i", (int64_t)1));
    assert_true(n == 102);
    assert_false(
        cal_store_get(s, &n, "SELECT max_ns FROM request_solo WHERE size = ?", "i", (int64_t)2));
    cal_store_close(s);
}

static void measured_again_replaces(void **state)
{
    (void)state;
    struct cal_store *s = open_a();
    struct dcs_err err = {0};
    assert_int_equal(cal_store_begin_step(s, &err), 0);
    assert_int_equal(put_solo(s, 1, "app"), 0);
    assert_int_equal(put_solo(s, 1, "app"), 0);
    assert_int_equal(cal_store_end_step(s, "k/1", "k", 0, &err), 0);
    assert_true(count(s, "request_solo") == 1);
    cal_store_close(s);
}

/* A limit on the size of files is what a full disk is here: what is in the file can be written
 * again, and no more than a little behind it. */
static void full_disk(void **state)
{
    (void)state;
    struct cal_store *s = open_a();
    struct dcs_err err = {0};
    struct rlimit old, small;
    struct stat st;
    assert_int_equal(stat(in_folder("a.db"), &st), 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_IGN);
    small = old;
    small.rlim_cur = (rlim_t)st.st_size + 65536;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    int failed = cal_store_begin_step(s, &err);
    for (int64_t i = 0; i < 100000 && !failed; i++) /* more than its cache holds */
        failed = cal_store_put(s, &err, "request_solo", "titis", "app", i, "whole", (int64_t)4,
                               &statistics);
    if (!failed)
        failed = cal_store_end_step(s, "k/1", "k", 0, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(failed, -1);
    assert_true(cal_store_broken(s));
    assert_non_null(strstr(err.text, "make room"));
    cal_store_close(s);
    assert_int_equal(access(in_folder("a.db-journal"), F_OK), -1);
    s = open_a();
    assert_true(count(s, "request_solo") == 0);
    assert_int_equal(cal_store_step(s, "k/1"), CAL_STEP_MISSING);
    cal_store_close(s);
}

/* --- version 1 --- */

static int put_kernel(struct cal_store *s, const char *app, int64_t position, const char *shape,
                      const char *kind, bool measured)
{
    struct dcs_err err = {0};
    int failed =
        cal_store_put(s, &err, "request_kernel", "tiitt", app, (int64_t)8, position, "name", shape);
    if (strcmp(kind, "compute") == 0)
        failed |= cal_store_put(s, &err, "kernel_shape", "titttiiiiiirrni", app, (int64_t)8, shape,
                                kind, "cuda", (int64_t)1, (int64_t)10, (int64_t)64, (int64_t)32,
                                (int64_t)0, (int64_t)8, 1.0, 1.0, (int64_t)1);
    else
        failed |= cal_store_put(s, &err, "kernel_shape", "titttinnnnnnrii", app, (int64_t)8, shape,
                                kind, "cuda", (int64_t)1, 1.0, (int64_t)100, (int64_t)1);
    if (measured)
        failed |= cal_store_put(s, &err, "kernel_solo", "tittis", app, (int64_t)8, shape, "whole",
                                (int64_t)4, &statistics);
    return failed;
}

static int put_app(struct cal_store *s, const char *app, const char *class)
{
    struct dcs_err err = {0};
    return cal_store_put(s, &err, "subject", "ttttiii", app, "paper", "algorithm", "units",
                         (int64_t)1, (int64_t)16, (int64_t)8) |
           cal_store_put(s, &err, "application", "ttnit", app, class, (int64_t)77, "measured");
}

static struct cal_store *filled(void)
{
    struct cal_store *s = open_a();
    struct dcs_err err = {0};
    assert_int_equal(cal_store_begin_step(s, &err), 0);
    assert_int_equal(put_app(s, "one", "latency"), 0);
    assert_int_equal(put_kernel(s, "one", 0, "to_device_100", "to_device", true), 0);
    assert_int_equal(put_kernel(s, "one", 1, "work", "compute", true), 0);
    assert_int_equal(put_kernel(s, "one", 2, "work", "compute", true), 0);
    assert_int_equal(put_app(s, "two", "batch"), 0);
    assert_int_equal(put_kernel(s, "two", 0, "work", "compute", true), 0);
    assert_int_equal(put_kernel(s, "two", 1, "more", "compute", false), 0);
    assert_int_equal(cal_store_end_step(s, "k/1", "k", 0.25, &err), 0);
    return s;
}

static void version_1_is_made_of_the_measurements(void **state)
{
    (void)state;
    struct cal_store *s = filled();
    struct dcs_err err = {0};
    double n;
    char text[64];
    for (int i = 0; i < 2; i++) { /* again gives the same */
        assert_int_equal(cal_store_finish(s, i == 0, &err), 0);
        assert_true(count(s, "kernel") == 3); /* "two" was not measured whole */
        assert_true(count(s, "application") == 1);
    }
    assert_true(cal_store_get(s, &n, "SELECT duration_ns FROM kernel WHERE position = 2", ""));
    assert_true(n == 100);
    assert_true(cal_store_get(s, &n, "SELECT threads FROM kernel WHERE position = 1", ""));
    assert_true(n == 640);
    assert_false(cal_store_get(s, &n, "SELECT threads FROM kernel WHERE position = 0", ""));
    assert_true(
        cal_store_get_text(s, text, sizeof text, "SELECT kind FROM kernel WHERE position = 0", ""));
    assert_string_equal(text, "transfer");
    assert_true(cal_store_get_text(s, text, sizeof text,
                                   "SELECT value FROM profile WHERE key = 'partial'", ""));
    assert_string_equal(text, "no");
    cal_store_close(s);
}

/* --- export --- */

static char *content(const char *path)
{
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    char *text = calloc(1, 1 << 20);
    assert_true(fread(text, 1, (1 << 20) - 1, in) > 0);
    fclose(in);
    return text;
}

static void export_reads_back(void **state)
{
    (void)state;
    struct cal_store *s = filled();
    struct dcs_err err = {0};
    assert_int_equal(cal_store_finish(s, true, &err), 0);
    assert_int_equal(cal_store_export(s, in_folder("a.sql"), &err), 0);
    cal_store_close(s);
    char *first = content(in_folder("a.sql"));
    assert_non_null(strstr(first, "'it''s a test'"));
    assert_non_null(strstr(first, "100.4"));
    assert_non_null(strstr(first, "BEGIN;\nCREATE TABLE profile("));
    assert_int_equal(strcmp(first + strlen(first) - 8, "COMMIT;\n"), 0);
    execute("b.db", first);
    s = cal_store_open(in_folder("b.db"), &here, &err); /* and can be measured on */
    assert_non_null(s);
    assert_true(count(s, "kernel") == 3);
    assert_int_equal(cal_store_step(s, "k/1"), CAL_STEP_DONE);
    assert_int_equal(cal_store_export(s, in_folder("b.sql"), &err), 0);
    cal_store_close(s);
    char *second = content(in_folder("b.sql"));
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static void rows_are_in_the_order_of_keys(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct cal_store *s = open_a();
    assert_int_equal(cal_store_begin_step(s, &err), 0);
    assert_int_equal(put_solo(s, 10, "b"), 0);
    assert_int_equal(put_solo(s, 9, "b"), 0);
    assert_int_equal(put_solo(s, 11, "a"), 0);
    assert_int_equal(cal_store_end_step(s, "k/1", "k", 0, &err), 0);
    assert_int_equal(cal_store_export(s, in_folder("a.sql"), &err), 0);
    cal_store_close(s);
    char *text = content(in_folder("a.sql"));
    const char *a = strstr(text, "('a',11"), *b9 = strstr(text, "('b',9"),
               *b10 = strstr(text, "('b',10");
    assert_true(a != NULL && a < b9 && b9 < b10);
    free(text);
}

static void export_to_nowhere(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct cal_store *s = open_a();
    assert_int_equal(cal_store_export(s, in_folder("no/where.sql"), &err), -1);
    assert_non_null(strstr(err.text, "cannot be written"));
    cal_store_close(s);
    execute("b.db", "CREATE TABLE other(x)");
    assert_null(cal_store_open_existing(in_folder("b.db"), &err));
    assert_non_null(strstr(err.text, "no profile"));
}

/* A kernel of the application "a" at size 1 that a request has once. */
static void put_candidate(struct cal_store *s, int64_t position, const char *kernel,
                          const char *kind, int64_t launches, int64_t ns)
{
    struct dcs_err err = {0};
    struct cal_statistics alone = statistics;
    alone.median_ns = ns;
    assert_int_equal(cal_store_put(s, &err, "request_kernel", "tiitt", "a", (int64_t)1, position,
                                   kernel, kernel),
                     0);
    assert_int_equal(cal_store_put(s, &err, "kernel_shape", "titttinnnnnnnni", "a", (int64_t)1,
                                   kernel, kind, "cuda", launches, (int64_t)1),
                     0);
    assert_int_equal(cal_store_put(s, &err, "kernel_solo", "tittis", "a", (int64_t)1, kernel,
                                   "whole", (int64_t)4, &alone),
                     0);
}

static void put_beside(struct cal_store *s, int64_t id, const char *kind, const char *kernel,
                       int64_t sms)
{
    struct dcs_err err = {0};
    assert_int_equal(
        cal_store_put(s, &err, "corun", "ittniinn", id, kind, "green", (int64_t)0, (int64_t)1), 0);
    assert_int_equal(cal_store_put(s, &err, "corun_side", "iititiniris", id, (int64_t)0, "a",
                                   (int64_t)1, kernel, sms, (int64_t)1, 1.0, (int64_t)1,
                                   &statistics),
                     0);
}

static const struct cal_subject_limits limits = {
    .count = 2, .launches_max = 64, .min_ns = 100, .max_ns = 1000};

static const char *left_out(struct cal_store *s, size_t rank)
{
    static char text[128];
    return cal_store_left_out(s, "a", 1, &limits, rank, text, sizeof text) ? text : "none";
}

static const char *subject(struct cal_store *s, size_t rank)
{
    static char name[48];
    return cal_store_subject(s, "a", 1, &limits, rank, name, sizeof name) ? name : "none";
}

/* By time; then those that were run beside producers before, whatever the times say; in the order
 * of times all the same. */
static void subjects_stay_the_same(void **state)
{
    (void)state;
    struct cal_store *s = open_a();
    assert_string_equal(subject(s, 0), "none");
    put_candidate(s, 0, "edge", "compute", 64, 100);
    assert_string_equal(subject(s, 0), "edge");
    assert_string_equal(subject(s, 1), "none");
    put_candidate(s, 1, "short", "compute", 1, 99);
    put_candidate(s, 2, "long", "compute", 1, 1001);
    put_candidate(s, 3, "many", "compute", 65, 900);
    put_candidate(s, 4, "copy", "to_device", 1, 900);
    assert_string_equal(subject(s, 1), "none");
    put_candidate(s, 5, "call", "library", 65, 500);
    put_candidate(s, 6, "nearly", "compute", 1, 499);
    assert_string_equal(subject(s, 0), "call");
    assert_string_equal(subject(s, 1), "nearly");
    put_beside(s, 1, "pair", "edge", 2);
    assert_string_equal(subject(s, 1), "nearly");
    put_beside(s, 2, "sensitivity", "edge", 2);
    assert_string_equal(subject(s, 0), "call");
    assert_string_equal(subject(s, 1), "edge");
    put_beside(s, 3, "sensitivity", "nearly", 2);
    put_beside(s, 4, "sensitivity", "nearly", 2);
    assert_string_equal(subject(s, 0), "nearly");
    assert_string_equal(subject(s, 1), "edge");
    put_beside(s, 5, "sensitivity", "call", 1);
    put_beside(s, 6, "sensitivity", "call", 2);
    put_beside(s, 7, "sensitivity", "edge", 3);
    assert_string_equal(subject(s, 0), "call");
    assert_string_equal(subject(s, 1), "edge");
    cal_store_close(s);
}

/* Those that would be chosen but for the limits, the longest first; a limit itself leaves nothing
 * out, nor is what is shorter than both chosen ones told. */
static void what_limits_leave_out(void **state)
{
    (void)state;
    struct cal_store *s = open_a();
    struct dcs_err err = {0};
    assert_string_equal(left_out(s, 0), "none");
    put_candidate(s, 0, "edge", "compute", 64, 100);
    put_candidate(s, 1, "copy", "to_device", 1, 5000);
    assert_string_equal(left_out(s, 0), "none");
    put_candidate(s, 2, "short", "compute", 1, 99);
    assert_string_equal(left_out(s, 0), "short (0.1 us, less than 0.1 us)");
    put_candidate(s, 3, "call", "library", 65, 1000);
    assert_string_equal(left_out(s, 0), "none");
    put_candidate(s, 4, "long", "compute", 1, 1001);
    put_candidate(s, 5, "many", "compute", 65, 900);
    put_candidate(s, 6, "once", "compute", 1, 901);
    assert_int_equal(
        cal_store_execute(s, &err, "UPDATE kernel_shape SET repeatable = 0 WHERE kernel = 'once'",
                          ""),
        0);
    assert_string_equal(left_out(s, 0), "long (0.0 ms, more than 0.001 ms)");
    assert_string_equal(left_out(s, 1), "once (not repeatable)");
    assert_string_equal(left_out(s, 2), "many (65 launches, more than 64)");
    assert_string_equal(left_out(s, 3), "none");
    put_beside(s, 1, "sensitivity", "long", 2); /* now chosen, and all others are shorter */
    assert_string_equal(left_out(s, 0), "none");
    cal_store_close(s);
}

/* What `dcsim profile build` allows for one statement. */
static void statements_are_short(void **state)
{
    (void)state;
    struct dcs_profile_table t = {0};
    int tables = 0;
    for (; dcs_profile_next_table(&t); tables++)
        assert_true(strlen("CREATE TABLE ;") + strlen(t.name) + strlen(t.columns) < 4096);
    assert_true(tables > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(others_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(locked_is_told, setup, teardown),
        cmocka_unit_test_setup_teardown(a_step_is_whole_or_not_there, setup, teardown),
        cmocka_unit_test_setup_teardown(measured_again_replaces, setup, teardown),
        cmocka_unit_test_setup_teardown(full_disk, setup, teardown),
        cmocka_unit_test_setup_teardown(version_1_is_made_of_the_measurements, setup, teardown),
        cmocka_unit_test_setup_teardown(export_reads_back, setup, teardown),
        cmocka_unit_test_setup_teardown(rows_are_in_the_order_of_keys, setup, teardown),
        cmocka_unit_test_setup_teardown(export_to_nowhere, setup, teardown),
        cmocka_unit_test_setup_teardown(subjects_stay_the_same, setup, teardown),
        cmocka_unit_test_setup_teardown(what_limits_leave_out, setup, teardown),
        cmocka_unit_test(statements_are_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
