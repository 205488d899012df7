/*
 * test_store_merge.c - joining results databases.
 *
 * Pins: parts merged in any order, some of them twice, give what one database would hold, summaries
 * included; where an experiment's replications lie in several, it has none until it is written
 * again, or comes with a database that has all; a run that differs, another
 * experiment under a number, another build, another schema, a table that was made otherwise, a
 * database without runs, the target itself, a file that is missing: refused, and the target is left
 * as it was to the last byte, or is empty if there was none; a target that another program makes
 * meanwhile stays; a read that fails, whichever, never ends in a merge of less. Does not pin:
 * shards that were really run (e2e/sweep), full disks (test_power_loss).
 */
#include "store_case.h"
#include "results/store_merge.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

/* Adds replications from..to - 1, then the summary of all that are there. */
static void fill(const char *path, const struct results_case *c, uint32_t from, uint32_t to)
{
    struct dcs_err err = {0};
    struct store *s = store_open(path, &c->x, &err);
    for (uint32_t i = from; i < to; i++) {
        struct run run = case_run(c, i, 2);
        if (store_add(s, &run, &err) != 0)
            fail_msg("%s", err.text);
        run_release(&run);
    }
    struct summary summary;
    summary_init(&summary, &c->x);
    assert_int_equal(store_load(s, 100, &summary, &err), 0);
    size_t count;
    struct summary_row *rows = summary_rows(&summary, &count);
    assert_int_equal(store_summarise(s, rows, count, &err), 0);
    free(rows);
    summary_release(&summary);
    store_close(s);
}

static void merge(const char *out, const char *const *in, size_t count, uint64_t added)
{
    struct dcs_err err = {0};
    struct store_merge_counts counts;
    if (store_merge(out, in, count, false, &counts, &err) != 0)
        fail_msg("%s: %s: %s", err.file, err.path, err.text);
    assert_int_equal(counts.runs, added);
}

static void assert_same(const char *a, const char *b)
{
    char *left = dump(a), *right = dump(b);
    assert_string_equal(left, right);
    free(left);
    free(right);
    char *sound = query(a, "PRAGMA integrity_check; PRAGMA foreign_key_check");
    assert_string_equal(sound, "ok|\n");
    free(sound);
}

static void assert_query(const char *path, const char *sql, const char *expected)
{
    char *found = query(path, sql);
    assert_string_equal(found, expected);
    free(found);
}

static void parts_make_a_whole(void **state)
{
    (void)state;
    struct results_case a, b;
    case_open(&a, CASE_JSON, HASH_A);
    case_open(&b,
              "{\"interval\": \"median\", \"seed\": 5, \"policy\": {\"name\": \"fcfs\"},"
              "\"workload\": {\"trace\": [{\"database\": \"jobs.db\"}]}}",
              HASH_B);
    fill("whole.db", &a, 0, 6);
    fill("whole.db", &b, 0, 5);
    fill("1.db", &a, 0, 3);
    fill("2.db", &a, 3, 6);
    fill("2.db", &b, 0, 2);
    fill("3.db", &b, 1, 5); /* one of them is in 2.db, too */
    merge("m.db", (const char *const[]){"1.db", "2.db", "3.db"}, 3, 11);
    assert_query("m.db", "SELECT count(*) FROM summary", "0|\n");
    merge("s.db", (const char *const[]){"2.db", "1.db", "whole.db", "3.db"}, 4, 11);
    assert_same("s.db", "whole.db");
    fill("m.db", &a, 6, 6);
    fill("m.db", &b, 5, 5);
    assert_same("m.db", "whole.db");
    merge("n.db", (const char *const[]){"3.db"}, 1, 4);
    merge("n.db", (const char *const[]){"2.db", "3.db", "1.db", "2.db"}, 4, 7);
    merge("n.db", (const char *const[]){"whole.db"}, 1, 0);
    assert_same("n.db", "whole.db");
    case_close(&a);
    case_close(&b);
}

/* ---- Refused ---- */

/* A target that was not there: nothing is in it. */
static void remove_empty(const char *out)
{
    struct stat st;
    if (stat(out, &st) != 0)
        return;
    assert_int_equal(st.st_size, 0);
    assert_int_equal(remove(out), 0);
}

static void assert_refused(const char *out, const char *in, const char *file, const char *why)
{
    struct dcs_err err = {0};
    struct store_merge_counts counts;
    size_t size, size_after, files = files_in_folder();
    char *before = slurp(out, &size);
    if (store_merge(out, &in, 1, false, &counts, &err) == 0)
        fail_msg("%s was merged into %s", in, out);
    if (strcmp(err.file, file) != 0 || strstr(err.text, why) == NULL)
        fail_msg("expected \"%s\" of %s in \"%s: %s\"", why, file, err.file, err.text);
    if (before == NULL)
        remove_empty(out);
    char *after = slurp(out, &size_after);
    assert_int_equal(size, size_after);
    if (before != NULL)
        assert_memory_equal(before, after, size);
    assert_int_equal(files_in_folder(), files);
    free(before);
    free(after);
}

static void conflicts(void **state)
{
    (void)state;
    static const struct {
        const char *change, *why;
    } cases[] = {
        {"UPDATE metric SET value = value + 1 WHERE replication = 1 AND position = 2",
         "replication 1 of"},
        {"DELETE FROM histogram WHERE replication = 2 AND app = 0", "replication 2 of"},
        {"INSERT INTO job SELECT experiment, replication, job + 9, app, issued, completed, "
         "dropped, "
         "begin_ns, end_ns, domain, sla_ns, within_sla, violations, p99_ns FROM job",
         "replication 0 of"},
        {"UPDATE run SET events = 3 WHERE replication = 2", "replication 2 of"},
        {"UPDATE experiment SET hash = 'f' || substr(hash, 2)", "is not the same"},
        {"UPDATE input SET sha256 = 'x'", "is not the same"},
        {"UPDATE run SET build = 'older'", "two builds"},
    };
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        remove_files();
        fill("out.db", &c, 0, 3);
        fill("in.db", &c, 0, 4);
        free(query("in.db", cases[i].change));
        assert_refused("out.db", "in.db", "in.db", cases[i].why);
    }
    case_close(&c);
}

static void what_may_differ(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct store_merge_counts counts;
    struct results_case c;
    const char *in = "in.db";
    case_open(&c, CASE_JSON, HASH_A);
    fill("out.db", &c, 0, 3);
    fill("in.db", &c, 0, 3);
    free(query("in.db",
               "UPDATE experiment SET name = 'x', config = '{}'; UPDATE wall SET seconds = "
               "7; DELETE FROM summary"));
    merge("out.db", &in, 1, 0);
    free(query("in.db", "UPDATE run SET build = 'older'"));
    assert_int_equal(store_merge("out.db", &in, 1, true, &counts, &err), 0);
    assert_int_equal(counts.same, 3);
    case_close(&c);
}

/* A database to which somebody has added tables, as many as they liked. */
static void other_tables(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct store_merge_counts counts;
    struct results_case c;
    const char *in = "in.db";
    case_open(&c, CASE_JSON, HASH_A);
    fill("out.db", &c, 0, 1);
    fill("in.db", &c, 0, 2);
    char sql[128];
    for (int i = 0; i < 40; i++) {
        snprintf(sql, sizeof sql,
                 "CREATE TABLE z_a_table_with_a_name_that_is_longer_than_ours_%d (experiment)", i);
        free(query("out.db", sql));
    }
    assert_int_equal(store_merge("out.db", &in, 1, false, &counts, &err), -1);
    assert_string_equal(err.path, "z_a_table_with_a_name_that_is_longer_than_ours_0");
    assert_non_null(strstr(err.text, "not made as in"));
    case_close(&c);
}

static void no_results(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    fill("a.db", &c, 0, 2);
    spill("empty", "", 0);
    spill("text", "a letter", 8);
    fill("bare.db", &c, 0, 1);
    free(query("bare.db", "DELETE FROM run; DELETE FROM experiment"));
    fill("old.db", &c, 0, 1);
    free(query("old.db", "PRAGMA user_version = 4"));
    fill("new.db", &c, 0, 1);
    free(query("new.db", "PRAGMA user_version = 99"));
    fill("odd.db", &c, 0, 1);
    free(query("odd.db", "ALTER TABLE job ADD COLUMN more"));
    fill("view.db", &c, 0, 1);
    free(query("view.db", "ALTER TABLE job RENAME TO j; CREATE VIEW job AS SELECT * FROM j"));
    const char *const outs[] = {"a.db", "none.db"};
    for (size_t i = 0; i < 2; i++) {
        assert_refused(outs[i], "missing", "missing", "No such file");
        assert_refused(outs[i], "empty", "empty", "holds no run");
        assert_refused(outs[i], "bare.db", "bare.db", "holds no run");
        assert_refused(outs[i], "text", "text", "not SQLite");
        assert_refused(outs[i], "old.db", "old.db", "schema 4");
        assert_refused(outs[i], "new.db", "new.db", "schema 99");
        assert_refused(outs[i], "odd.db", "odd.db", "not made as in");
        assert_refused(outs[i], "view.db", "view.db", "not made as in");
    }
    assert_refused("a.db", "./a.db", "./a.db", "merged into");
    assert_refused("text", "a.db", "text", "not SQLite");
    /* The first is good, the second is not: nothing of the first stays. */
    struct dcs_err err = {0};
    struct store_merge_counts counts;
    assert_int_equal(
        store_merge("none.db", (const char *const[]){"a.db", "bare.db"}, 2, false, &counts, &err),
        -1);
    remove_empty("none.db");
    case_close(&c);
}

/* ---- A disk that does more ---- */

static struct {
    sqlite3_vfs *real;
    sqlite3_io_methods methods;
    int (*read)(sqlite3_file *, void *, int, sqlite3_int64);
    int reads, failing; /* the number of the read that fails; 0: none does */
    const char *appears, *content;
} disk;

static int read_or_fail(sqlite3_file *file, void *into, int size, sqlite3_int64 at)
{
    return ++disk.reads == disk.failing ? SQLITE_IOERR_READ : disk.read(file, into, size, at);
}

/* Hundreds of merges wait for no real disk. */
static int sync_nothing(sqlite3_file *file, int flags)
{
    (void)file;
    (void)flags;
    return SQLITE_OK;
}

static int open_on_disk(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out)
{
    (void)vfs;
    size_t size, at = path != NULL ? strlen(path) : 0, tail;
    tail = disk.appears != NULL ? strlen(disk.appears) : 0;
    if (tail > 0 && at > tail && strcmp(path + at - tail, disk.appears) == 0) {
        char *bytes = slurp(disk.content, &size);
        spill(path, bytes, size);
        free(bytes);
        disk.appears = NULL;
    }
    int code = disk.real->xOpen(disk.real, path, file, flags, out);
    if (code == SQLITE_OK && (flags & SQLITE_OPEN_MAIN_DB) != 0) {
        disk.methods = *file->pMethods;
        if (disk.methods.xRead != read_or_fail)
            disk.read = disk.methods.xRead;
        disk.methods.xRead = read_or_fail;
        disk.methods.xSync = sync_nothing;
        file->pMethods = &disk.methods;
    }
    return code;
}

/* Until leave_disk(). */
static void use_disk(void)
{
    static sqlite3_vfs vfs;
    disk.real = sqlite3_vfs_find(NULL);
    vfs = *disk.real;
    vfs.zName = "more";
    vfs.xOpen = open_on_disk;
    sqlite3_vfs_register(&vfs, 1);
}

static void leave_disk(void)
{
    sqlite3_vfs_unregister(sqlite3_vfs_find("more"));
    sqlite3_vfs_register(disk.real, 1);
}

static void made_by_another_program(void **state)
{
    (void)state;
    struct results_case c;
    struct dcs_err err = {0};
    struct store_merge_counts counts;
    const char *in = "in.db";
    case_open(&c, CASE_JSON, HASH_A);
    fill("theirs.db", &c, 0, 3);
    fill("in.db", &c, 0, 3);
    free(query("in.db", "UPDATE run SET events = 3 WHERE replication = 2"));
    disk.appears = "out.db";
    disk.content = "theirs.db";
    use_disk();
    int status = store_merge("out.db", &in, 1, false, &counts, &err);
    leave_disk();
    assert_int_equal(status, -1);
    assert_non_null(strstr(err.text, "is not the same"));
    assert_same("out.db", "theirs.db");
    case_close(&c);
}

/* Merges 1.db and 2.db into what held.db is, once for each read, which fails. The result is that of
 * whole.db or of held.db; NULL: there is no whole. */
static void fail_each_read(const char *whole)
{
    const char *const in[] = {"1.db", "2.db"};
    size_t size, size_after;
    char *held = slurp("held.db", &size);
    int failures = 0;
    bool reached = true;
    for (disk.failing = 1; reached; disk.failing++) {
        struct dcs_err err = {0};
        struct store_merge_counts counts;
        spill("out.db", held, size);
        disk.reads = 0;
        use_disk();
        bool merged = store_merge("out.db", in, 2, false, &counts, &err) == 0;
        leave_disk();
        if (merged && whole == NULL)
            fail_msg("merged, for read %d failed", disk.failing);
        char *after = slurp("out.db", &size_after);
        if (merged)
            assert_same("out.db", whole);
        else if (size_after != size || memcmp(after, held, size) != 0)
            fail_msg("changed when read %d failed", disk.failing);
        free(after);
        failures += !merged;
        reached = disk.reads >= disk.failing;
    }
    assert_true(failures > 20);
    disk.failing = 0;
    free(held);
}

static void a_read_fails(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    fill("whole.db", &c, 0, 4);
    fill("1.db", &c, 0, 2);
    fill("2.db", &c, 2, 4);
    fill("held.db", &c, 0, 1);
    free(query("whole.db", "DELETE FROM summary"));
    fail_each_read("whole.db");
    free(query("held.db", "INSERT INTO sweep VALUES (7, 'that', 'x', 1)"));
    free(query("2.db", "INSERT INTO sweep VALUES (7, 'this', 'x', 1)"));
    fail_each_read(NULL);
    case_close(&c);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, folder_clear)
    const struct CMUnitTest tests[] = {
        TEST(parts_make_a_whole), TEST(conflicts),  TEST(what_may_differ),
        TEST(other_tables),       TEST(no_results), TEST(made_by_another_program),
        TEST(a_read_fails),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
