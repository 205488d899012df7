/*
 * test_calibrate_merge.c - pins what merging two profiles takes over (every table of the schema,
 * steps that are done, co-runs under new numbers) and what it does not (what the first profile has
 * itself, failed steps), what it refuses, and that it happens whole or not at all.
 */
#include "calibrate/store/profile_store.h"
#include "models/profile/profile_schema.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const struct cal_provenance first = {
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
    .max_clock_mhz = 1980,
    .memory_bytes = 1000,
};

static char folder[256];

static int setup(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/test_calibrate_merge_XXXXXX", DCS_BINARY_DIR);
    return mkdtemp(folder) == NULL;
}

static int teardown(void **state)
{
    (void)state;
    static const char *const names[] = {"into.db", "from.db"};
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

static void execute(const char *file, const char *sql)
{
    sqlite3 *db;
    char *why = NULL;
    assert_int_equal(sqlite3_open(in_folder(file), &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
        fail_msg("%s: %s", sql, why);
    sqlite3_close(db);
}

/* Makes the two profiles: one model, two devices. */
static void make_both(void)
{
    struct dcs_err err = {0};
    struct cal_provenance second = first;
    second.device_uuid = "GPU-2";
    struct cal_store *a = cal_store_open(in_folder("into.db"), &first, &err);
    struct cal_store *b = cal_store_open(in_folder("from.db"), &second, &err);
    assert_non_null(a);
    assert_non_null(b);
    cal_store_close(a);
    cal_store_close(b);
}

static int finish_as_partial(struct cal_store *s, struct dcs_err *err)
{
    return cal_store_finish(s, true, err);
}

/* As the fit of a CPU may. */
static int finish_and_fail(struct cal_store *s, struct dcs_err *err)
{
    assert_int_equal(cal_store_finish(s, true, err), 0);
    return dcs_err_set(err, "the fit has failed");
}

static int (*finish)(struct cal_store *s, struct dcs_err *err) = finish_as_partial;

static int merge(int64_t *steps, struct dcs_err *err)
{
    struct cal_store *s = cal_store_open_existing(in_folder("into.db"), err);
    assert_non_null(s);
    int failed = cal_store_merge(s, in_folder("from.db"), finish, steps, err);
    cal_store_close(s);
    return failed;
}

static void merges(int64_t wanted)
{
    struct dcs_err err = {0};
    int64_t steps = -1;
    if (merge(&steps, &err) != 0)
        fail_msg("%s", err.text);
    assert_int_equal(steps, wanted);
}

static void refused(const char *because)
{
    struct dcs_err err = {0};
    int64_t steps;
    assert_int_equal(merge(&steps, &err), -1);
    if (strstr(err.text, because) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", err.text, because);
}

static void is_text(const char *file, const char *sql, const char *wanted)
{
    struct dcs_err err = {0};
    char text[256] = "nothing";
    struct cal_store *s = cal_store_open_existing(in_folder(file), &err);
    assert_non_null(s);
    cal_store_get_text(s, text, sizeof text, sql, "");
    cal_store_close(s);
    if (strcmp(text, wanted) != 0)
        fail_msg("%s: \"%s\", not \"%s\"", sql, text, wanted);
}

#define SAMPLE(ns) "3, 0, " #ns ", " #ns ".0, 0.1, " #ns ", " #ns ", 'rse', 1980, 'warm'"
#define SOLO(app, size, ns)                                                                        \
    "INSERT INTO request_solo VALUES('" app "', " #size ", 'whole', 4, " SAMPLE(ns) ");"
#define STEP(key, state) "INSERT INTO step VALUES('" key "', 'k', '" state "', '', 0.5);"

/* --- what is taken --- */

/* A row of 1, 1.5 or 'x' in every column of every table that is not made of others. */
static void every_table_is_taken(void **state)
{
    (void)state;
    make_both();
    int tables = 0;
    struct dcs_profile_table t = {0};
    char names[64][64];
    while (dcs_profile_next_table(&t)) {
        snprintf(names[tables], sizeof names[0], "%s", t.name);
        const char *made = "profile device kernel application "
                           "contention_resource contention_hinge contention_kernel "
                           "contention_weight contention_range noise_quantile evidence ";
        char with_blank[40];
        snprintf(with_blank, sizeof with_blank, "%s ", names[tables]);
        if (strstr(made, with_blank) != NULL)
            continue;
        char ask[256], values[512];
        struct dcs_err err = {0};
        struct cal_store *s = cal_store_open_existing(in_folder("from.db"), &err);
        snprintf(ask, sizeof ask,
                 "SELECT 'INSERT INTO %s VALUES(' || group_concat(CASE type WHEN 'INTEGER' THEN "
                 "'1' WHEN 'REAL' THEN '1.5' ELSE '''done''' END) || ')' FROM "
                 "pragma_table_info('%s')",
                 names[tables], names[tables]);
        assert_true(cal_store_get_text(s, values, sizeof values, ask, ""));
        cal_store_close(s);
        execute("from.db", values);
        tables++;
    }
    assert_true(tables > 15);
    merges(1);
    for (int i = 0; i < tables; i++) {
        char ask[128];
        snprintf(ask, sizeof ask, "SELECT '%.31s ' || count(*) FROM %.31s", names[i], names[i]);
        char wanted[80];
        snprintf(wanted, sizeof wanted, "%.31s 1", names[i]);
        is_text("into.db", ask, wanted);
    }
    is_text("into.db", "SELECT value FROM profile WHERE key = 'device_uuid'", "GPU-1, GPU-2");
    is_text("into.db", "SELECT count(*) FROM device", "1");
}

static void what_is_there_stays(void **state)
{
    (void)state;
    make_both();
    execute("into.db", SOLO("a", 1, 100) STEP("k/1", "done") STEP("k/2", "failed"));
    execute("from.db", SOLO("a", 1, 200) SOLO("a", 2, 300) STEP("k/1", "done") STEP("k/2", "done")
                           STEP("k/3", "done") STEP("k/4", "failed"));
    merges(2);
    is_text("into.db", "SELECT group_concat(median_ns) FROM request_solo", "100,300");
    is_text("into.db", "SELECT group_concat(key || state) FROM step", "k/1done,k/2done,k/3done");
    merges(0);
    is_text("into.db", "SELECT count(*) FROM request_solo", "2");
    is_text("from.db", "SELECT count(*) FROM request_solo", "2"); /* is not changed */
    is_text("into.db", "SELECT value FROM profile WHERE key = 'device_uuid'", "GPU-1, GPU-2");
}

/* Profiles that were begun by an older version: tables may lack in either. */
static void older_profiles_merge(void **state)
{
    (void)state;
    make_both();
    execute("into.db", SOLO("a", 1, 100) "DROP TABLE cpu; DROP TABLE noise");
    execute("from.db", "INSERT INTO noise VALUES('a', 1, 'k', 4, 0, 0, 10, 1);"
                       "DROP TABLE cpu_application;" STEP("k/1", "done"));
    merges(1);
    is_text("into.db", "SELECT count(*) FROM noise", "1");
    is_text("into.db", "SELECT count(*) FROM cpu", "0");
    is_text("from.db", "SELECT count(*) FROM sqlite_master WHERE name = 'cpu_application'", "0");
    execute("from.db", "CREATE TABLE of_tomorrow(x)");
    refused("other tables");
}

/* A series is one measurement: no samples of two of them are mixed, and none is cut. */
static void series_stay_whole(void **state)
{
    (void)state;
    make_both();
    execute("into.db", "INSERT INTO noise VALUES('a', 1, 'k', 4, 0, 0, 10, 1)");
    execute("from.db", "INSERT INTO noise VALUES('a', 1, 'k', 4, 0, 0, 20, 1),"
                       "('a', 1, 'k', 4, 1, 0, 21, 1), ('b', 1, 'k', 4, 0, 0, 30, 1),"
                       "('b', 1, 'k', 4, 1, 0, 31, 1)");
    merges(0);
    is_text("into.db", "SELECT group_concat(duration_ns) FROM noise", "10,30,31");
}

#define SWITCH(mechanism, from, to, ns)                                                            \
    "INSERT INTO quota_switch VALUES('" mechanism "', " #from ", " #to                             \
    ", 'device', 32, 9, 300, 0,"                                                                   \
    " " #ns ", " #ns ", 0, 1, 9, 'count', 1980, 'warm');"

/* A change of quota is a measurement of its own. */
static void quota_switches_merge(void **state)
{
    (void)state;
    make_both();
    execute("into.db", SWITCH("green_host", 64, 32, 10) "DROP TABLE noise");
    execute("from.db", SWITCH("green_host", 64, 32, 20) SWITCH("green_host", 32, 64, 30)
                           SWITCH("mps_spin", 64, 32, 40));
    merges(0);
    is_text("into.db",
            "SELECT group_concat(median_ns) FROM"
            " (SELECT median_ns FROM quota_switch ORDER BY median_ns)",
            "10,30,40");
    execute("into.db", "DROP TABLE quota_switch");
    merges(0);
    is_text("into.db",
            "SELECT group_concat(median_ns) FROM"
            " (SELECT median_ns FROM quota_switch ORDER BY median_ns)",
            "20,30,40");
}

#define CORUN(id, draw)                                                                            \
    "INSERT INTO corun VALUES(" #id ", 'pair', 'green', 'dev', " #draw ", 9, NULL, NULL);"
#define SIDE(id, side, app, ns)                                                                    \
    "INSERT INTO corun_side VALUES(" #id ", " #side ", '" app                                      \
    "', 1, 'k', 2, NULL, 1, 1.0, 1, " SAMPLE(ns) ");"

static void coruns_get_new_numbers(void **state)
{
    (void)state;
    make_both();
    execute("into.db", CORUN(1, 0) SIDE(1, 0, "a", 10) SIDE(1, 1, "b", 11) CORUN(7, 2)
                           SIDE(7, 0, "a", 12) SIDE(7, 1, "c", 13));
    /* The first is the same pair again, measured there; the others share their numbers only. */
    execute("from.db",
            CORUN(1, 0) SIDE(1, 0, "a", 20) SIDE(1, 1, "b", 21) CORUN(2, 2) SIDE(2, 0, "a", 22)
                SIDE(2, 1, "d", 23) CORUN(7, 4) SIDE(7, 1, "c", 25) SIDE(7, 0, "a", 24));
    merges(0);
    is_text("into.db",
            "SELECT group_concat(corun || application || median_ns) FROM"
            " (SELECT * FROM corun_side ORDER BY corun, side)",
            "1a10,1b11,7a12,7c13,8a22,8d23,9a24,9c25");
    is_text("into.db", "SELECT group_concat(id || ':' || draw) FROM corun", "1:0,7:2,8:2,9:4");
    merges(0);
    is_text("into.db", "SELECT count(*) FROM corun", "4");
}

#define LIVE(id, load)                                                                             \
    "INSERT INTO live VALUES(" #id ", 'a', 1, 'b', 1, 'even', 100, 100, " #load ", 1, 'dev', 1, "  \
    "1);"

static void live_runs_get_new_numbers(void **state)
{
    (void)state;
    make_both();
    execute("into.db", LIVE(1, 0.3) "INSERT INTO live_request VALUES(1, 'service', 0, 1, 2, 3)");
    execute("from.db",
            LIVE(1, 0.6) "INSERT INTO live_request VALUES(1, 'service', 0, 4, 5, 6);" LIVE(
                2, 0.3) "INSERT INTO live_request VALUES(2, 'service', 0, 7, 8, 9)");
    merges(0);
    is_text("into.db", "SELECT group_concat(id || ':' || load) FROM live", "1:0.3,2:0.6");
    is_text("into.db", "SELECT group_concat(live || ':' || end_ns) FROM live_request", "1:3,2:6");
}

#define LIVE_PARTITION(id, sms)                                                                    \
    "INSERT INTO live_partition VALUES(" #id ", 'a', 1, " #sms ", 'b', 1, 4, 0.6, 1, 'dev', 1, 1," \
    " 1980, 1970, 1960);"

/* Told apart by their SMs, and never taken for runs under MPS with the same numbers. */
static void live_runs_on_partitions_merge(void **state)
{
    (void)state;
    make_both();
    execute("into.db", LIVE(1, 0.6) "INSERT INTO live_request VALUES(1, 'service', 0, 1, 2, 3)");
    execute("from.db", LIVE_PARTITION(1, 64) LIVE_PARTITION(
                           2, 32) "INSERT INTO live_partition_request VALUES(1, 'service', 0, 4, 5,"
                                  " 6), (2, 'batch', 0, 7, 8, 9)");
    /* A profile from before there were any. */
    execute("into.db", "DROP TABLE live_partition; DROP TABLE live_partition_request");
    merges(0);
    execute("from.db",
            "DELETE FROM live_partition; DELETE FROM live_partition_request;" LIVE_PARTITION(1, 16)
                LIVE_PARTITION(2, 32) "INSERT INTO live_partition_request"
                                      " VALUES(1, 'batch', 0, 10, 11, 12)");
    merges(0);
    is_text("into.db",
            "SELECT group_concat(id || ':' || service_sms || ':' || clock_mhz) FROM live_partition",
            "1:64:1960,2:32:1960,3:16:1960");
    is_text("into.db", "SELECT group_concat(live || role || end_ns) FROM live_partition_request",
            "1service6,2batch9,3batch12");
    is_text("into.db", "SELECT group_concat(live || ':' || end_ns) FROM live_request", "1:3");
}

#define APP(app, ns)                                                                               \
    "INSERT INTO subject VALUES('" app "', 'p', 'a', 'u', 1, 16, 8);"                              \
    "INSERT INTO application VALUES('" app "', 'batch', NULL, 7, 's');"                            \
    "INSERT INTO request_kernel VALUES('" app "', 8, 0, 'n', 'k');"                                \
    "INSERT INTO kernel_shape VALUES('" app "', 8, 'k', 'compute', 'cuda', 1, 1, 32, 8, 0, 1,"     \
    " 1.0, 1.0, NULL, 1);"                                                                         \
    "INSERT INTO kernel_solo VALUES('" app "', 8, 'k', 'whole', 4, " SAMPLE(ns) ");"

static void both_can_be_simulated(void **state)
{
    (void)state;
    make_both();
    execute("into.db", APP("one", 10));
    execute("from.db", APP("two", 20));
    merges(0);
    is_text("into.db",
            "SELECT group_concat(application || duration_ns) FROM"
            " (SELECT * FROM kernel ORDER BY application)",
            "one10,two20");
    is_text("into.db", "SELECT count(*) FROM application", "2");
}

/* --- what is refused --- */

static void others_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *change, *back, *because;
    } cases[] = {
        {"UPDATE device SET name = 'Other GPU'", "UPDATE device SET name = 'Test GPU'",
         "has the device Other GPU"},
        {"UPDATE device SET sms = 8", "UPDATE device SET sms = 4", "8 SMs"},
        {"UPDATE profile SET value = '2.0' WHERE key = 'driver'",
         "UPDATE profile SET value = '1.0' WHERE key = 'driver'", "has the driver 2.0"},
        {"UPDATE profile SET value = '1' WHERE key = 'schema_version'",
         "UPDATE profile SET value = '2' WHERE key = 'schema_version'", "has the schema version 1"},
        {"ALTER TABLE noise RENAME COLUMN at_ns TO moment_ns",
         "ALTER TABLE noise RENAME COLUMN moment_ns TO at_ns", "has other tables"},
    };
    make_both();
    execute("from.db", SOLO("a", 1, 100) STEP("k/1", "done"));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        execute("from.db", cases[i].change);
        refused(cases[i].because);
        execute("from.db", cases[i].back);
        is_text("into.db", "SELECT count(*) FROM request_solo", "0");
    }
    merges(1);
}

static void files_are_refused(void **state)
{
    (void)state;
    make_both();
    unlink(in_folder("from.db"));
    refused("cannot be read: No such file");
    execute("from.db", "CREATE TABLE other(x)");
    refused("no profile");
    unlink(in_folder("from.db"));
    assert_int_equal(link(in_folder("into.db"), in_folder("from.db")), 0);
    refused("into itself");
}

static void whole_or_not_at_all(void **state)
{
    (void)state;
    make_both();
    execute("into.db", SOLO("a", 1, 100) "CREATE TRIGGER no BEFORE INSERT ON step BEGIN"
                                         " SELECT RAISE(ABORT, 'not this time'); END");
    execute("from.db", SOLO("a", 2, 100) STEP("k/1", "done"));
    refused("not this time");
    is_text("into.db", "SELECT count(*) FROM request_solo", "1");
    is_text("into.db", "SELECT value FROM profile WHERE key = 'device_uuid'", "GPU-1");
    execute("into.db", "DROP TRIGGER no; DROP TABLE noise");
    finish = finish_and_fail;
    refused("the fit has failed");
    finish = finish_as_partial;
    is_text("into.db", "SELECT count(*) FROM request_solo", "1");
    is_text("into.db", "SELECT count(*) FROM step", "0");
    is_text("into.db", "SELECT value FROM profile WHERE key = 'device_uuid'", "GPU-1");
    is_text("into.db", "SELECT count(*) FROM sqlite_master WHERE name = 'noise'", "0");
    merges(1);
    is_text("into.db", "SELECT count(*) FROM request_solo", "2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_table_is_taken, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_there_stays, setup, teardown),
        cmocka_unit_test_setup_teardown(older_profiles_merge, setup, teardown),
        cmocka_unit_test_setup_teardown(quota_switches_merge, setup, teardown),
        cmocka_unit_test_setup_teardown(series_stay_whole, setup, teardown),
        cmocka_unit_test_setup_teardown(coruns_get_new_numbers, setup, teardown),
        cmocka_unit_test_setup_teardown(live_runs_get_new_numbers, setup, teardown),
        cmocka_unit_test_setup_teardown(live_runs_on_partitions_merge, setup, teardown),
        cmocka_unit_test_setup_teardown(both_can_be_simulated, setup, teardown),
        cmocka_unit_test_setup_teardown(others_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(files_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(whole_or_not_at_all, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
