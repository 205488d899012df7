/*
 * test_database.c - opening an SQLite file that somebody else has made.
 *
 * Pins: that no path has a meaning to SQLite; that no trigger runs in a hardened database, no text
 * stands in double quotes, its own tables of the schema cannot be written, no file is attached and
 * no value or statement is longer than the limit; a number, no row and a failure with its message.
 * Does not pin: which pages SQLite checks.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "models/profile/database.h"

#include <stdlib.h>

static void paths(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"/a/b.db", "/a/b.db"}, {":memory:", "./:memory:"}, {"file:x?mode=ro", "./file:x?mode=ro"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *path = database_path(cases[i][0]);
        assert_string_equal(path, cases[i][1]);
        free(path);
    }
}

static sqlite3 *open_memory(void)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    return db;
}

static bool runs(sqlite3 *db, const char *sql)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static void numbers(void **state)
{
    (void)state;
    sqlite3 *db = open_memory();
    int64_t number = 7;
    assert_int_equal(database_number(db, "SELECT 1 << 40", &number), SQLITE_ROW);
    assert_int_equal(number, INT64_C(1) << 40);
    assert_int_equal(database_number(db, "SELECT 3 WHERE 0", &number), SQLITE_DONE);
    assert_int_equal(number, 0);
    number = 7;
    assert_int_equal(database_number(db, "SELECT x FROM tables", &number), SQLITE_ERROR);
    assert_int_equal(number, 0);
    assert_string_equal(sqlite3_errmsg(db), "no such table: tables");
    /* It fails when it runs, not when it is prepared. */
    assert_int_equal(database_number(db, "SELECT abs(-9223372036854775808)", &number),
                     SQLITE_ERROR);
    assert_string_equal(sqlite3_errmsg(db), "integer overflow");
    sqlite3_close(db);
}

static void hardened(void **state)
{
    (void)state;
    sqlite3 *db = open_memory();
    assert_true(runs(db, "CREATE TABLE a (x); CREATE TABLE b (x);"
                         "CREATE TRIGGER t AFTER INSERT ON a BEGIN INSERT INTO b VALUES (1); END;"
                         "INSERT INTO a VALUES (\"text\"); PRAGMA writable_schema = ON;"
                         "UPDATE sqlite_master SET name = name;"));
    assert_int_equal(database_harden(db), SQLITE_OK);
    assert_true(runs(db, "INSERT INTO a VALUES (2)"));
    int64_t number = 0;
    assert_int_equal(database_number(db, "SELECT count(*) FROM b", &number), SQLITE_ROW);
    assert_int_equal(number, 1);
    assert_false(runs(db, "INSERT INTO a VALUES (\"text\")"));
    assert_false(runs(db, "UPDATE sqlite_master SET name = name"));
    sqlite3_close(db);
}

static void limited(void **state)
{
    (void)state;
    sqlite3 *db = open_memory();
    int64_t number;
    assert_true(runs(db, "ATTACH ':memory:' AS other"));
    assert_true(runs(db, "DETACH other"));
    database_limit(db, 100);
    assert_false(runs(db, "ATTACH ':memory:' AS other"));
    assert_int_equal(database_number(db, "SELECT length(zeroblob(100))", &number), SQLITE_ROW);
    assert_int_equal(database_number(db, "SELECT length(zeroblob(101))", &number), SQLITE_TOOBIG);
    sqlite3_close(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths),
        cmocka_unit_test(numbers),
        cmocka_unit_test(hardened),
        cmocka_unit_test(limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
