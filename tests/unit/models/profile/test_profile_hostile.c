/*
 * test_profile_hostile.c - pins that SQL text cannot do anything but make the schema's tables and
 * fill them: every statement and clause that could reach a file, run code, or run for hours is
 * refused with the line where it stands, and leaves no file behind. The bounds are checked on both
 * sides where a good profile could come near them.
 */
#include "models/profile/profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/refused_profile.h"

#define SMALL DCS_SOURCE_DIR "/tests/data/profile-small.sql"

static char folder[256], file[300];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/test_hostile_XXXXXX", DCS_BINARY_DIR);
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return -1;
    snprintf(file, sizeof file, "%s/profile.sql", folder);
    return 0;
}

/* The folder is the current one: a file that hostile text made would make this fail. */
static int remove_folder(void **state)
{
    (void)state;
    unlink(file);
    return chdir("/") != 0 || rmdir(folder) != 0;
}

static void copy_small(FILE *out)
{
    char text[8192];
    FILE *in = fopen(SMALL, "rb");
    assert_non_null(in);
    size_t size = fread(text, 1, sizeof text, in);
    fclose(in);
    assert_int_equal(fwrite(text, 1, size, out), size);
    fputs(";\n", out);
}

static FILE *begin_file(void)
{
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    return f;
}

static void refused_with(int line, const char *text)
{
    struct dcs_err err = assert_refused_profile(file, text);
    assert_string_equal(err.file, file);
    if (line > 0)
        assert_int_equal(err.line, line);
}

static void accepted(void)
{
    struct dcs_err err = {0};
    struct dcs_profile *p = dcs_profile_load(file, &err);
    if (p == NULL)
        dcs_err_print(&err, stderr);
    assert_non_null(p);
    dcs_profile_free(p);
}

/* Each stands alone in line 2. */
static void refuse_all(const char *const (*cases)[2])
{
    for (; (*cases)[0] != NULL; cases++) {
        FILE *f = begin_file();
        fprintf(f, "create table kernel (application, position, primary key (application));\n%s;\n",
                (*cases)[0]);
        assert_int_equal(fclose(f), 0);
        refused_with(2, (*cases)[1]);
    }
}

#define ONLY(found) "expected CREATE TABLE, INSERT INTO, BEGIN or COMMIT, found \"" found "\""
#define ALLOWED     "only CREATE TABLE, INSERT INTO, BEGIN and COMMIT are allowed"
#define NO_SELECT   "SELECT is not allowed; write the rows as VALUES"

static void test_statements(void **state)
{
    (void)state;
    const char *const cases[][2] = {
        {"ATTACH 'stolen.db' AS s", ONLY("ATTACH")},
        {"attach database ':memory:' as s", ONLY("attach")},
        {"DETACH main", ONLY("DETACH")},
        {"PRAGMA writable_schema=ON", ONLY("PRAGMA")},
        {"PRAGMA journal_mode=WAL", ONLY("PRAGMA")},
        {"VACUUM INTO 'copy.db'", ONLY("VACUUM")},
        {"SELECT load_extension('./evil.so')", ONLY("SELECT")},
        {"SELECT writefile('evil', 'x')", ONLY("SELECT")},
        {"VALUES (1)", ONLY("VALUES")},
        {"WITH c AS (VALUES (1)) INSERT INTO kernel VALUES (1, 2)", ONLY("WITH")},
        {"REPLACE INTO kernel VALUES (1, 2)", ONLY("REPLACE")},
        {"UPDATE kernel SET position = 1", ONLY("UPDATE")},
        {"DELETE FROM kernel", ONLY("DELETE")},
        {"DROP TABLE kernel", ONLY("DROP")},
        {"ALTER TABLE kernel ADD COLUMN x", ONLY("ALTER")},
        {"REINDEX", ONLY("REINDEX")},
        {"ANALYZE", ONLY("ANALYZE")},
        {"EXPLAIN INSERT INTO kernel VALUES (1, 2)", ONLY("EXPLAIN")},
        {"SAVEPOINT s", ONLY("SAVEPOINT")},
        {"ROLLBACK", ONLY("ROLLBACK")},
        {"END", ONLY("END")},
        {"/* INSERT */ ATTACH 'x' AS s", ONLY("ATTACH")},
        {".shell touch evil", ONLY(".")},
        {"\"INSERT\" INTO kernel VALUES (1)", ONLY("\"")},
        {NULL, NULL},
    };
    refuse_all(cases);
}

static void test_clauses(void **state)
{
    (void)state;
    const char *const cases[][2] = {
        {"CREATE TRIGGER t AFTER INSERT ON kernel BEGIN INSERT INTO kernel VALUES (1, 2); END",
         ALLOWED},
        {"CREATE TEMP TRIGGER t AFTER INSERT ON kernel BEGIN DELETE FROM kernel; END", ALLOWED},
        {"CREATE VIEW device AS VALUES (1)", ALLOWED},
        {"CREATE TEMP VIEW device AS VALUES (1)", ALLOWED},
        {"CREATE INDEX i ON kernel (position)", ALLOWED},
        {"CREATE UNIQUE INDEX i ON kernel (abs(position))", ALLOWED},
        {"CREATE TEMP TABLE device (name)", ALLOWED},
        {"CREATE VIRTUAL TABLE device USING fts5(name)", ALLOWED},
        {"CREATE VIRTUAL TABLE device USING csv(filename='/etc/passwd')", ALLOWED},
        {"CREATE TABLE other (name)", "schema version 2 has no table \"other\""},
        {"CREATE TABLE sqlite_stat1 (name)", "reserved for internal use"},
        {"CREATE TABLE temp.device (name)", ALLOWED},
        {"CREATE TABLE device AS SELECT 1 AS name", NO_SELECT},
        {"CREATE TABLE device (name CHECK (length(name) > load_extension('x')))",
         "not authorized to use function: load_extension"},
        {"CREATE TABLE device (name CHECK (name IN (SELECT 1)))", "subqueries prohibited"},
        {"CREATE TABLE device (name, sms AS (abs(name)))", "not authorized to use function: abs"},
        {"CREATE TABLE kernel (name)", "table kernel already exists"},
        {"INSERT INTO sqlite_master VALUES ('table', 'x', 'x', 1, 'x')", "may not be modified"},
        {"INSERT INTO sqlite_schema VALUES ('table', 'x', 'x', 1, 'x')", "may not be modified"},
        {"INSERT INTO other VALUES (1)", "no such table: other"},
        {"INSERT INTO kernel SELECT 1, 2", NO_SELECT},
        {"INSERT INTO kernel VALUES (1, (SELECT 2))", NO_SELECT},
        {"INSERT INTO kernel VALUES (1, (seLEct 2))", NO_SELECT},
        {"INSERT INTO kernel VALUES ('a', '') UNION ALL/**/SELECT 1, 2", NO_SELECT},
        {"INSERT INTO kernel VALUES (load_extension('./evil.so'), 1)",
         "not authorized to use function: load_extension"},
        {"INSERT INTO kernel VALUES (writefile('evil', 'x'), 1)", "no such function: writefile"},
        {"INSERT INTO kernel VALUES (readfile('/etc/passwd'), 1)", "no such function: readfile"},
        {"INSERT INTO kernel VALUES (randomblob(1000000000), 1)",
         "not authorized to use function: randomblob"},
        {"INSERT INTO kernel VALUES (zeroblob(1000000000), 1)",
         "not authorized to use function: zeroblob"},
        {"INSERT INTO kernel VALUES (current_timestamp, 1)", "not authorized to use function"},
        {"INSERT INTO kernel VALUES ('a' LIKE 'b', 1)", "not authorized to use function: LIKE"},
        {"INSERT INTO kernel WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c) "
         "SELECT x, x FROM c",
         "are allowed"},
        {"INSERT INTO kernel VALUES (1, 2) ON CONFLICT (application) DO UPDATE SET position = 3",
         ALLOWED},
        {"INSERT INTO kernel VALUES (1, 2); ATTACH 'stolen.db' AS s", ONLY("ATTACH")},
        {"INSERT INTO kernel VALUES (1, 2, 3)", "table kernel has 2 columns but 3 values"},
        {"INSERT INTO kernel VALUES (1, 2), (1, 3)", "UNIQUE constraint failed"},
        {"INSERT INTO kernel VALUES (1, 'open)", "unrecognized token"},
        {"INSERT INTO kernel VALUES (1,", "near \";\": syntax error"},
        {"COMMIT", "no transaction is active"},
        {"BEGIN; BEGIN", "within a transaction"},
        {NULL, NULL},
    };
    refuse_all(cases);
}

/* The statement's own line, behind comments and strings of several lines; inside a long statement
 * the line of the place that SQLite names. */
static void test_lines(void **state)
{
    (void)state;
    FILE *f = begin_file();
    fputs("create table kernel (a, b); -- one\n/* two\nthree */ insert into kernel values ('4\n"
          "five', 1), ('six', 2);\n\n\n  attach 'x' as y;",
          f);
    fclose(f);
    refused_with(7, ONLY("attach"));
    f = begin_file();
    fputs("create table kernel (a, b);\ninsert into kernel values\n(1, 2),\n(3, 4 5),\n(6, 7);", f);
    fclose(f);
    refused_with(4, "near \"5\": syntax error");
}

/* An INSERT pays for the constraints of its table again; a long one in a file of many short INSERTs
 * would take hours. */
static void test_constraint_bomb(void **state)
{
    (void)state;
    FILE *f = begin_file();
    fputs("create table kernel (a, b check (b in (0", f);
    for (int i = 0; i < 3000; i++)
        fprintf(f, ",%d", i);
    fputs(")));", f);
    fclose(f);
    refused_with(1, "a CREATE TABLE has at most 4096 bytes, this one 139");

    f = begin_file();
    fputs("create table kernel (a, b check (b in (0", f);
    for (int i = 0; i < 1000; i++)
        fprintf(f, ",%d", i % 10);
    fputs(")));begin;\n", f);
    for (int i = 0; i < 200000; i++)
        fputs("insert into kernel values(1,2);\n", f);
    fclose(f);
    refused_with(0, "takes too much work; refused");
}

/* A short INSERT whose default value is long fills memory faster than the file grows. */
static void test_default_bomb(void **state)
{
    (void)state;
    FILE *f = begin_file();
    fprintf(f, "create table kernel (a, b default '%04000d');begin;\n", 0);
    for (int i = 0; i < 200000; i++)
        fputs("insert into kernel(a)values(1);\n", f);
    fclose(f);
    refused_with(0, "the tables take more than 256 MiB");
}

static void test_long_statement(void **state)
{
    (void)state;
    for (int over = 0; over < 2; over++) {
        FILE *f = begin_file();
        copy_small(f);
        int length = fprintf(f, "insert into profile values ('note', '");
        for (; length < (1 << 20) - 3 + over; length++)
            fputc('x', f);
        fputs("');", f); /* the last two and the parenthesis make 2^20, which is allowed */
        fclose(f);
        if (over)
            refused_with(22, "a statement or a value has more than 1 MiB");
        else
            accepted();
    }
}

/* Many rows in one statement, and many statements: far below the bounds, and read in linear time.
 */
static void test_many_rows(void **state)
{
    (void)state;
    FILE *f = begin_file();
    copy_small(f);
    fputs("insert into application values ('x', 0, null, 'batch', 'many');begin;\n", f);
    for (int i = 0; i < 20000; i++)
        fprintf(f, "insert into kernel values ('many', %d, 'task', 5, null, 'x');\n", i);
    fputs("insert into kernel values ('many', 20000, 'task', 5, null, 'x')", f);
    for (int i = 20001; i < 40000; i++)
        fprintf(f, ",\n('many', %d, 'task', 5, null, 'x')", i);
    fputs(";commit", f);
    fclose(f);
    struct dcs_err err = {0};
    struct dcs_profile *p = dcs_profile_load(file, &err);
    assert_non_null(p);
    assert_int_equal(dcs_profile_app(p, "many")->kernels_count, 40000);
    assert_int_equal(dcs_profile_app(p, "many")->total_ns, 200000);
    dcs_profile_free(p);
}

/* The words are looked for outside of strings, names and comments only. */
static void test_innocent_text(void **state)
{
    (void)state;
    FILE *f = begin_file();
    copy_small(f);
    fputs("INSERT INTO \"profile\" VALUES ('select', 'it''s a select'), /* select */\n"
          "  (\"selected\", 'x') -- select\n;;;\n",
          f);
    fclose(f);
    refused_with(0, "no such column"); /* a quoted name is no string here */
    f = begin_file();
    copy_small(f);
    fputs("INSERT INTO [profile] VALUES ('select', 'it''s a select'), /* select */\n"
          "  ('selected', 'x') -- select\n;;;\n",
          f);
    fclose(f);
    accepted();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statements),   cmocka_unit_test(test_clauses),
        cmocka_unit_test(test_lines),        cmocka_unit_test(test_constraint_bomb),
        cmocka_unit_test(test_default_bomb), cmocka_unit_test(test_long_statement),
        cmocka_unit_test(test_many_rows),    cmocka_unit_test(test_innocent_text),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
