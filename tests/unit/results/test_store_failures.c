/*
 * test_store_failures.c - what the results database refuses, and what a crash leaves.
 *
 * Pins: a file that is not ours (no database, another program's, another schema, truncated,
 * overwritten inside, a folder, a pipe) is refused and stays as it is to the last byte, with
 * nothing put beside it; places that cannot be written are told at once; a run that is there
 * already, another experiment under the same number, runs of another version and damaged rows are
 * errors that change nothing; a first transaction that fails leaves no file, but one that was there
 * before; a file that was removed meanwhile is made anew; a transaction that was broken off is
 * rolled back; kill -9 at any moment leaves a database that is sound, has lost no run that was
 * reported as stored, and ends the same as without kills. Does not pin: loss of power, which needs
 * a machine that can lose it.
 */
/* Before cmocka.h, whose macro fail() is the name of a member in policies/policy.h. */
#include "store_case.h"

#include "results/store_rows.h"
#include "results/store_unborn.h"

#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/wait.h>

static int add(struct store *s, const struct results_case *c, uint32_t replication, size_t rows,
               struct dcs_err *err)
{
    struct run run = case_run(c, replication, rows);
    int status = store_add(s, &run, err);
    run_release(&run);
    return status;
}

static void make(const char *path, const struct results_case *c, uint32_t runs)
{
    struct dcs_err err = {0};
    struct store *s = store_open(path, &c->x, &err);
    assert_non_null(s);
    for (uint32_t i = 0; i < runs; i++)
        assert_int_equal(add(s, c, i, 2, &err), 0);
    store_close(s);
}

static void assert_same_file(const char *path, const char *before, size_t size)
{
    size_t now;
    char *after = slurp(path, &now);
    assert_int_equal(now, size);
    assert_memory_equal(after, before, size);
    free(after);
}

/* The file is refused with such a text, is still the same, and is alone. */
static void assert_refused(const char *path, const struct results_case *c, const char *why)
{
    struct dcs_err err = {0};
    size_t size, files = files_in_folder();
    char *before = slurp(path, &size);
    struct store *s = store_open(path, &c->x, &err);
    if (s != NULL)
        fail_msg("%s was opened", path);
    assert_string_equal(err.file, path);
    if (strstr(err.text, why) == NULL)
        fail_msg("expected \"%s\" in \"%s\"", why, err.text);
    assert_same_file(path, before, size);
    assert_int_equal(files_in_folder(), files);
    free(before);
}

/* ---- Files that are not ours ---- */

static void not_a_database(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    char zeros[4096] = "";
    spill("text", "a letter", 8);
    spill("zeros", zeros, sizeof zeros);
    spill("magic", "SQLite format 3", 16); /* and no more of it */
    assert_refused("text", &c, "not SQLite");
    assert_refused("zeros", &c, "not SQLite");
    assert_refused("magic", &c, "another program");
    case_close(&c);
}

static void another_program(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    free(query("plain.db", "CREATE TABLE experiment (id)"));
    free(query("other.db",
               "PRAGMA application_id = 7; PRAGMA user_version = 1; CREATE TABLE t (a)"));
    free(query("wal.db", "PRAGMA journal_mode = WAL; CREATE TABLE t (a)"));
    assert_refused("plain.db", &c, "another program");
    assert_refused("other.db", &c, "another program");
    assert_refused("wal.db", &c, "another program");
    case_close(&c);
}

/* Someone else's transaction was broken off: rolling it back is theirs to do. */
static void another_programs_crash(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    sqlite3 *db = database("live.db");
    sqlite3_exec(db,
                 "CREATE TABLE t (a); PRAGMA cache_size = 1; BEGIN; INSERT INTO t WITH RECURSIVE "
                 "n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i "
                 "FROM n",
                 NULL, NULL, NULL);
    size_t size, journal_size;
    char *bytes = slurp("live.db", &size), *journal = slurp("live.db-journal", &journal_size);
    assert_non_null(journal);
    spill("dead.db", bytes, size);
    spill("dead.db-journal", journal, journal_size);
    assert_refused("dead.db", &c, "another program");
    assert_same_file("dead.db-journal", journal, journal_size);
    sqlite3_close(db);
    free(bytes);
    free(journal);
    case_close(&c);
}

static void another_schema(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    make("a.db", &c, 1);
    free(query("a.db", "PRAGMA user_version = 99"));
    assert_refused("a.db", &c, "newer version");
    free(query("a.db", "PRAGMA user_version = 3"));
    assert_refused("a.db", &c, "schema 3");
    free(query("a.db", "PRAGMA user_version = 0"));
    assert_refused("a.db", &c, "schema 0");
    free(query("a.db", "PRAGMA user_version = 6"));
    make("a.db", &c, 0); /* is opened again */
    case_close(&c);
}

static void damaged(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    make("a.db", &c, 2);
    size_t size;
    char *bytes = slurp("a.db", &size);
    spill("short.db", bytes, size / 2);
    assert_refused("short.db", &c, "damaged");
    memset(bytes + 4096, 0x5a, size - 4096);
    spill("inside.db", bytes, size);
    assert_refused("inside.db", &c, "damaged");
    memset(bytes + 100, 0x5a, size - 100);
    spill("schema.db", bytes, size);
    assert_refused("schema.db", &c, "damaged");
    free(bytes);
    case_close(&c);
}

static void a_table_is_missing(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    make("a.db", &c, 1);
    free(query("a.db", "DROP TABLE experiment"));
    assert_refused("a.db", &c, "no such table");
    case_close(&c);
}

/* ---- Places ---- */

static void assert_no_place(const char *path, const struct results_case *c, const char *why)
{
    struct dcs_err err = {0};
    if (store_open(path, &c->x, &err) != NULL)
        fail_msg("%s was opened", path);
    if (strstr(err.text, why) == NULL)
        fail_msg("%s: expected \"%s\" in \"%s\"", path, why, err.text);
}

static void bad_places(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    spill("file", "x", 1);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_no_place("", &c, "empty");
    assert_no_place(".", &c, "folder");
    assert_no_place("/", &c, "folder");
    assert_no_place("none/", &c, "folder");
    assert_no_place("none/a.db", &c, "cannot write to the folder ./none/: No such file");
    assert_no_place("file/a.db", &c, "Not a directory");
    assert_no_place("pipe", &c, "regular file");
    assert_no_place("/dev/null", &c, "regular file");
    case_close(&c);
}

static void no_permission(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    make("a.db", &c, 1);
    bool root = geteuid() == 0;
    assert_int_equal(chmod(".", root ? 0755 : 0555) + chmod("a.db", 0444), 0);
    if (root && seteuid(65534) != 0)
        skip();
    assert_no_place("a.db", &c, "cannot write: Permission denied");
    assert_no_place("b.db", &c, "cannot write to the folder ./: Permission denied");
    assert_int_equal(root ? seteuid(0) : 0, 0);
    assert_int_equal(chmod(".", 0755) + chmod("a.db", 0644), 0);
    case_close(&c);
}

/* ---- Errors that change nothing ---- */

/* store_add fails with such a text, and the file stays as it is. */
static void assert_not_added(const char *path, const struct results_case *c, uint32_t replication,
                             const char *why)
{
    struct dcs_err err = {0};
    struct store *s = store_open(path, &c->x, &err);
    assert_non_null(s);
    size_t size;
    char *before = slurp(path, &size);
    assert_int_equal(add(s, c, replication, 2, &err), -1);
    if (strstr(err.text, why) == NULL)
        fail_msg("expected \"%s\" in \"%s\"", why, err.text);
    assert_same_file(path, before, size);
    free(before);
    store_close(s);
}

static void a_run_that_is_there(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    make("a.db", &c, 2);
    assert_not_added("a.db", &c, 1, "replication 1");
    case_close(&c);
}

static void it_goes_on_after_a_failure(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    struct store *s = store_open("a.db", &c.x, &err);
    assert_int_equal(add(s, &c, 0, 2, &err), 0);
    assert_int_equal(add(s, &c, 0, 2, &err), -1);
    assert_int_equal(add(s, &c, 1, 2, &err), 0);
    store_close(s);
    char *runs = query("a.db", "SELECT replication FROM run");
    assert_string_equal(runs, "0|\n1|\n");
    free(runs);
    case_close(&c);
}

static void a_first_failure(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    struct store *s = store_open("a.db", &c.x, &err);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(store_begin(s, &err), 0);
        assert_int_equal(store_end(s, -1, &err), -1);
        assert_int_equal(files_in_folder(), 0);
    }
    assert_int_equal(store_begin(s, &err), 0);
    free(store_unborn_remove()); /* as the handler of a second interrupt */
    assert_int_equal(files_in_folder(), 0);
    assert_int_equal(store_end(s, -1, &err), -1);
    assert_int_equal(add(s, &c, 0, 2, &err), 0);
    assert_int_equal(store_begin(s, &err), 0);
    free(store_unborn_remove()); /* holds a run: is no new file any more */
    assert_int_equal(store_end(s, -1, &err), -1);
    assert_int_equal(files_in_folder(), 1);
    assert_int_equal(unlink("a.db"), 0);
    assert_int_equal(add(s, &c, 1, 2, &err), 0);
    char *runs = query("a.db", "SELECT replication FROM run");
    assert_string_equal(runs, "1|\n");
    free(runs);
    store_close(s);
    spill("empty.db", "", 0); /* was there before */
    s = store_open("empty.db", &c.x, &err);
    assert_int_equal(store_begin(s, &err), 0);
    free(store_unborn_remove());
    assert_int_equal(store_end(s, -1, &err), -1);
    assert_same_file("empty.db", "", 0);
    store_close(s);
    case_close(&c);
}

/* The last thing to be written fails: everything before it is undone. */
static void a_late_failure(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    make("a.db", &c, 1);
    free(query("a.db", "DROP TABLE wall"));
    assert_not_added("a.db", &c, 1, "no such table");
    char *runs = query("a.db", "SELECT count(*) FROM run");
    assert_string_equal(runs, "1|\n");
    free(runs);
    case_close(&c);
}

static void same_number_other_experiment(void **state)
{
    (void)state;
    struct results_case a, b;
    char hash[] = HASH_A;
    hash[11]++;
    case_open(&a, CASE_JSON, HASH_A);
    case_open(&b, CASE_JSON, hash);
    make("a.db", &a, 1);
    assert_refused("a.db", &b, "another experiment");
    case_close(&a);
    case_close(&b);
}

static void assert_not_loaded(const struct results_case *c, const char *change, const char *why)
{
    struct dcs_err err = {0};
    remove_files();
    make("a.db", c, 2);
    free(query("a.db", change));
    struct store *s = store_open("a.db", &c->x, &err);
    assert_non_null(s);
    struct summary summary;
    summary_init(&summary, &c->x);
    if (store_load(s, 2, &summary, &err) == 0)
        fail_msg("%s: was loaded", change);
    if (strstr(err.text, why) == NULL)
        fail_msg("%s: expected \"%s\" in \"%s\"", change, why, err.text);
    summary_release(&summary);
    store_close(s);
}

static void rows_that_were_changed(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
#define SECOND " WHERE replication = 1 "
    assert_not_loaded(&c, "UPDATE metric SET name = 'older'" SECOND "AND position = 3",
                      "other metrics");
    assert_not_loaded(&c, "UPDATE metric SET app = NULL" SECOND "AND app = 1", "other metrics");
    assert_not_loaded(&c, "DELETE FROM metric" SECOND "AND position = 3", "other metrics");
    assert_not_loaded(&c, "DELETE FROM metric", "other metrics");
    assert_not_loaded(&c, "DELETE FROM metric WHERE name = 'completions'",
                      "should be \"completions\"");
    assert_not_loaded(&c, "DELETE FROM metric WHERE position = (SELECT max(position) FROM metric)",
                      "other metrics");
    assert_not_loaded(&c,
                      "INSERT INTO metric SELECT experiment, replication, position + 1000, app, "
                      "class, name, unit, value, n FROM metric",
                      "should be \"the end\"");
    assert_not_loaded(&c, "UPDATE metric SET app = 3" SECOND "AND app = 1", "no sense");
    assert_not_loaded(&c, "UPDATE metric SET n = -1" SECOND, "no sense");
    assert_not_loaded(&c, "UPDATE response SET sum_ns = '12x'" SECOND, "no sense");
    assert_not_loaded(&c, "UPDATE response SET sum_ns = '' " SECOND, "no sense");
    assert_not_loaded(&c, "UPDATE response SET sum_ns = '170141183460469231731687303715884105728'",
                      "no sense"); /* 2^127 */
    assert_not_loaded(&c, "UPDATE response SET max_ns = min_ns - 1", "no sense");
    assert_not_loaded(&c, "UPDATE response SET app = 7" SECOND "AND app = 1", "no sense");
    assert_not_loaded(&c, "UPDATE histogram SET count = count + 1" SECOND "AND app = 0", "add up");
    assert_not_loaded(&c, "UPDATE histogram SET count = -count" SECOND "AND app = 0", "add up");
    assert_not_loaded(&c, "DELETE FROM histogram" SECOND "AND app = 0", "add up");
    assert_not_loaded(&c, "UPDATE histogram SET low_ns = low_ns + 1 WHERE low_ns > 1000", "add up");
    case_close(&c);
}

/* ---- Crashes ---- */

static void assert_sound(const char *path)
{
    char *found = query(path, "PRAGMA integrity_check; PRAGMA foreign_key_check");
    assert_string_equal(found, "ok|\n");
    free(found);
}

/* A transaction of ours that reached the file but not its end. */
static void broken_off(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    make("live.db", &c, 2);
    char *before = dump("live.db");
    size_t sizes[3];
    char *sound = slurp("live.db", &sizes[0]);
    sqlite3 *db = database("live.db");
    sqlite3_exec(db,
                 "PRAGMA cache_size = 1; BEGIN; UPDATE metric SET value = 1, name = 'x'; DELETE "
                 "FROM histogram; DELETE FROM run",
                 NULL, NULL, NULL);
    char *bytes = slurp("live.db", &sizes[1]), *journal = slurp("live.db-journal", &sizes[2]);
    assert_non_null(journal);
    assert_memory_not_equal(bytes, sound, sizes[0]);
    spill("dead.db", bytes, sizes[1]);
    spill("dead.db-journal", journal, sizes[2]);
    sqlite3_close(db);

    struct store *s = store_open("dead.db", &c.x, &err);
    assert_non_null(s);
    bool wanted[3] = {true, true, true};
    assert_int_equal(store_held(s, wanted, 3, &err), 2);
    store_close(s);
    char *after = dump("dead.db");
    assert_string_equal(after, before);
    assert_sound("dead.db");
    free(before);
    free(after);
    free(sound);
    free(bytes);
    free(journal);
    case_close(&c);
}

/* The very first transaction was broken off by a loss of power: the journal is there, the first
 * page is not. (The file is made of another table here; nothing of it remains.) */
static void broken_off_at_birth(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    sqlite3 *db = database("live.db");
    sqlite3_exec(db,
                 "PRAGMA cache_size = 1; BEGIN; CREATE TABLE t (a); INSERT INTO t WITH RECURSIVE "
                 "n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i "
                 "FROM n",
                 NULL, NULL, NULL);
    size_t size, journal_size;
    char *bytes = slurp("live.db", &size), *journal = slurp("live.db-journal", &journal_size);
    assert_true(size > 4096 && journal != NULL);
    memset(bytes, 0, size);
    spill("dead.db", bytes, size);
    assert_refused("dead.db", &c, "not SQLite");
    spill("dead.db-journal", journal, journal_size);
    make("dead.db", &c, 2);
    assert_sound("dead.db");
    char *tables = query("dead.db", "SELECT count(*) FROM sqlite_master WHERE name = 't'");
    assert_string_equal(tables, "0|\n");
    sqlite3_close(db);
    free(bytes);
    free(journal);
    free(tables);
    case_close(&c);
}

#define KILL_RUNS 12
#define KILL_ROWS 3000

/* Adds what is missing, and says so on the pipe after each run. Ends at once. */
static void child(const struct results_case *c, int reports)
{
    struct dcs_err err = {0};
    struct store *s = store_open("a.db", &c->x, &err);
    bool wanted[KILL_RUNS];
    memset(wanted, true, sizeof wanted);
    if (s == NULL || store_held(s, wanted, KILL_RUNS, &err) < 0)
        _exit(2);
    for (uint32_t i = 0; i < KILL_RUNS; i++)
        if (wanted[i] && (add(s, c, i, KILL_ROWS, &err) != 0 || write(reports, "", 1) != 1))
            _exit(3);
    _exit(0);
}

static bool in_transaction(void)
{
    struct stat st;
    return stat("a.db-journal", &st) == 0 && st.st_size > 0;
}

/* Lets a child work for so long and on into its next transaction, and kills it there, if it is not
 * done. Returns how many runs it reported, adds to *kills, and sets *done. */
static size_t work_and_kill(const struct results_case *c, useconds_t us, size_t *kills, bool *done)
{
    int ends[2], status = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        child(c, ends[1]);
    close(ends[1]);
    usleep(us);
    pid_t ended;
    while ((ended = waitpid(pid, &status, WNOHANG)) == 0 && !in_transaction())
        ;
    if (ended == 0) {
        kill(pid, SIGKILL);
        ended = waitpid(pid, &status, 0);
    }
    assert_int_equal(ended, pid);
    *done = WIFEXITED(status);
    if (*done)
        assert_int_equal(WEXITSTATUS(status), 0);
    *kills += !*done;
    size_t reported = 0;
    for (char byte; read(ends[0], &byte, 1) == 1;)
        reported++;
    close(ends[0]);
    return reported;
}

static void killed(void **state)
{
    (void)state;
    struct results_case c;
    struct dcs_err err = {0};
    case_open(&c, CASE_JSON, HASH_A);
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 5, 0, DCS_RNG_BOOTSTRAP, 0);
    size_t kills = 0, reported = 0;
    bool done = false;
    /* The time grows, so that it ends on any machine, under any sanitizer. */
    for (uint64_t round = 0; !done; round++) {
        useconds_t us = (useconds_t)dcs_rng_below(&rng, 4000 + 2000 * round * round / 4);
        reported += work_and_kill(&c, us, &kills, &done);
        struct store *s = store_open("a.db", &c.x, &err);
        if (s == NULL)
            fail_msg("after %zu kills: %s", kills, err.text);
        bool wanted[KILL_RUNS] = {false};
        int64_t held = store_held(s, wanted, KILL_RUNS, &err);
        store_close(s);
        /* One more may have been stored than could be reported. */
        if (held < (int64_t)reported)
            fail_msg("%zu runs were reported, %lld are held", reported, (long long)held);
        reported = (size_t)held;
        if (access("a.db", F_OK) == 0)
            assert_sound("a.db");
    }
    assert_true(kills >= 3);

    struct store *s = store_open("b.db", &c.x, &err);
    for (uint32_t i = 0; i < KILL_RUNS; i++)
        assert_int_equal(add(s, &c, i, KILL_ROWS, &err), 0);
    store_close(s);
    char *a = dump("a.db"), *b = dump("b.db");
    assert_string_equal(a, b);
    free(a);
    free(b);
    case_close(&c);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, folder_clear)
    const struct CMUnitTest tests[] = {
        TEST(not_a_database),
        TEST(another_program),
        TEST(another_programs_crash),
        TEST(another_schema),
        TEST(damaged),
        TEST(a_table_is_missing),
        TEST(bad_places),
        TEST(no_permission),
        TEST(a_run_that_is_there),
        TEST(it_goes_on_after_a_failure),
        TEST(a_first_failure),
        TEST(a_late_failure),
        TEST(same_number_other_experiment),
        TEST(rows_that_were_changed),
        TEST(broken_off),
        TEST(broken_off_at_birth),
        TEST(killed),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
