/*
 * test_profile_2.c - pins schema version 2 as a simulation meets it: the tables of
 * profile_schema.h, no others, are accepted in SQL text and only there where it says version 2; any
 * of the tables that version 2 adds may be empty or missing; what a partial profile lacks is named;
 * views and damaged texts under the names of these tables are refused. What the tables hold is
 * pinned by tests/e2e/profile.sh.
 */
#include "models/profile/profile_facts.h"
#include "models/profile/profile_open.h"
#include "models/profile/profile_schema.h"

#define TEMP_FILE "test_profile_2"
#include "tests/temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/refused_profile.h"

#define MEASURED DCS_SOURCE_DIR "/tests/data/profile-measured.sql"

static void write_text(const char *text)
{
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

/* The five tables, made by hand so that the version, the other notes and what follows can vary. */
static void write_profile(const char *version, const char *notes, const char *rest)
{
    static char text[65536];
    snprintf(text, sizeof text,
             "%sINSERT INTO profile VALUES ('schema_version', '%s'), ('name', 'x'),"
             " ('description', 'x'), ('source', 'x')%s;\n"
             "INSERT INTO device VALUES ('d', 'gpu', 8, 1000, 'x');\n"
             "INSERT INTO application VALUES ('a', 'batch', NULL, 10, 'x');\n"
             "INSERT INTO kernel VALUES ('a', 0, 'task', 5, NULL, 'x');\n%s",
             profile_schema_1_sql, version, notes, rest);
    write_text(text);
}

static struct dcs_profile *load(void)
{
    struct dcs_err err = {0};
    struct dcs_profile *p = dcs_profile_load(file, &err);
    if (p == NULL)
        dcs_err_print(&err, stderr);
    assert_non_null(p);
    return p;
}

static void refused(const char *text)
{
    assert_refused_profile(file, text);
}

/* The authorizer's list and the schema are the same. */
static void test_tables_of_the_schema(void **state)
{
    (void)state;
    struct dcs_profile_table t = {0};
    size_t count = 0, listed = 0;
    while (dcs_profile_next_table(&t)) {
        assert_int_equal(dcs_profile_is_table_2(t.name), t.version == 2);
        assert_true(dcs_profile_is_own_table(t.name));
        assert_true(strchr(t.columns, '\n') == NULL && strchr(t.columns, ';') == NULL);
        count += t.version == 2;
    }
    for (; dcs_profile_tables_2[listed] != NULL; listed++)
        assert_true(dcs_profile_is_own_table(dcs_profile_tables_2[listed]));
    assert_int_equal(count, listed);
    assert_int_equal(count, 51);
    assert_false(dcs_profile_is_table_2("kernel"));
    assert_false(dcs_profile_is_table_2(NULL));
}

/* Each alone: in a text of version 2 it is fine, in one of version 1 it is refused where it
 * stands. */
static void test_each_table(void **state)
{
    (void)state;
    char sql[4096], expected[100];
    int lines = 1; /* of the tables of version 1, and of the four rows behind them */
    for (const char *at = profile_schema_1_sql; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    struct dcs_profile_table t = {0};
    while (dcs_profile_next_table(&t)) {
        if (t.version < 2)
            continue;
        snprintf(sql, sizeof sql, "CREATE TABLE %s%s;\n", t.name, t.columns);
        write_profile("2", "", sql);
        struct dcs_profile *p = load();
        assert_int_equal(p->schema_version, 2);
        assert_null(p->missing);
        dcs_profile_free(p);
        write_profile("1", "", sql);
        snprintf(expected, sizeof expected, "schema version 1 has no table \"%s\"", t.name);
        refused(expected);
        struct dcs_err err = {0};
        assert_null(dcs_profile_load(file, &err));
        assert_int_equal(err.line, lines + 4);
    }
}

/* The version may stand behind all tables. */
static void test_version_last(void **state)
{
    (void)state;
    const char *rest = "CREATE TABLE Noise(x);\n"
                       "INSERT INTO profile VALUES ('schema_version', 1);\n";
    write_profile("2", "", "CREATE TABLE Noise(x);");
    dcs_profile_free(load());
    static char text[65536], *at;
    FILE *f = fopen(file, "rb");
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    at = strstr(text, "('schema_version', '2'), ");
    memmove(at, at + 25, strlen(at + 25) + 1);
    at = strstr(text, "CREATE TABLE Noise");
    snprintf(at, 200, "%s", rest);
    write_text(text);
    refused("schema version 1 has no table \"Noise\"");
}

static void test_other_tables(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"CREATE TABLE other(x);", "schema version 2 has no table \"other\""},
        {"CREATE TABLE corun_other(x);", "schema version 2 has no table \"corun_other\""},
        {"CREATE TABLE temp.corun(x);", "are allowed"},
        {"CREATE VIEW corun AS VALUES (1);", "are allowed"},
        {"CREATE TABLE corun(x); CREATE INDEX i ON corun(x);", "are allowed"},
        {"CREATE TABLE corun(x); CREATE TRIGGER t AFTER INSERT ON corun BEGIN DELETE FROM corun; "
         "END;",
         "are allowed"},
        {"CREATE TABLE corun(y, x AS (abs(1)));", "not authorized to use function: abs"},
        {"CREATE TABLE corun(y, x AS (y));", "expected a plain table, found a generated column"},
        {"CREATE TABLE corun(x); INSERT INTO corun SELECT 1;", "SELECT is not allowed"},
        {"CREATE TABLE corun(x); DELETE FROM corun;", "found \"DELETE\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_profile("2", "", cases[i][0]);
        refused(cases[i][1]);
    }
}

static void check_missing(const char *notes, const char *rest, const char *expected)
{
    write_profile("2", notes, rest);
    struct dcs_profile *p = load();
    if (expected == NULL)
        assert_null(p->missing);
    else
        assert_string_equal(p->missing, expected);
    dcs_profile_free(p);
}

#define YES     ", ('partial', 'yes')"
#define SOLO    "CREATE TABLE request_solo(x); CREATE TABLE kernel_solo(x);"
#define ALL_BUT "no requests alone, kernels alone, hardware counters, overheads and ceilings, "
#define REST                                                                                       \
    "transfers, sensitivity, pairs, triples, oversubscription, live requests, fusion, "            \
    "revocations, noise"

static void test_partial(void **state)
{
    (void)state;
    check_missing("", "", NULL);
    check_missing(", ('partial', 'no')", SOLO, NULL);
    check_missing(YES, "", ALL_BUT REST);
    check_missing(YES, SOLO, ALL_BUT REST); /* empty is missing */
    check_missing(YES, SOLO "INSERT INTO kernel_solo VALUES (1);",
                  "no requests alone, hardware counters, overheads and ceilings, " REST);
    check_missing(YES,
                  "CREATE TABLE corun(kind); INSERT INTO corun VALUES ('pair'), ('meter');"
                  "CREATE TABLE step(state); INSERT INTO step VALUES ('failed'), ('done'), (NULL);",
                  ALL_BUT "transfers, sensitivity, triples, oversubscription, live requests, "
                          "fusion, revocations, noise; 1 step failed");
    write_profile("2", ", ('partial', 'maybe')", "");
    refused("row 5: expected \"no\" or \"yes\", found the text \"maybe\"");
    write_profile("2", YES, "CREATE TABLE corun(x);");
    refused("no such column: kind");
    write_profile("1", ", ('partial', 'maybe')", ""); /* a note, in version 1 */
    struct dcs_profile *p = load();
    assert_null(p->missing);
    dcs_profile_free(p);
}

/* Where every table has rows, partial means less of something. */
static void test_partial_with_all(void **state)
{
    (void)state;
    static char text[65536];
    FILE *f = fopen(MEASURED, "rb");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    write_text(text);
    struct dcs_profile *p = load();
    assert_null(p->missing);
    assert_int_equal(p->apps_count, 2);
    assert_int_equal(dcs_profile_app(p, "service")->total_ns, 10000000);
    dcs_profile_free(p);
    static char more[70000];
    char *at = strstr(text, "('partial', 'no')");
    assert_non_null(at);
    memcpy(at, "('partial','yes')", 17);
    at = strstr(text, "COMMIT;");
    snprintf(more, sizeof more,
             "%.*sINSERT INTO corun VALUES (3, 'triple', 'green', NULL, 0, 1, NULL, NULL),"
             " (4, 'oversubscription', 'mps', NULL, 0, 1, NULL, NULL);\nCOMMIT;\n",
             (int)(at - text), text);
    write_text(more);
    p = load();
    assert_string_equal(p->missing, "not all sizes, SM counts or kernels were measured");
    dcs_profile_free(p);
}

static void make_database(const char *sql)
{
    sqlite3 *db;
    write_text("");
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    char *message = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s", message);
    sqlite3_close(db);
}

static void database_of(const char *version, const char *notes, const char *rest)
{
    static char text[65536];
    write_profile(version, notes, rest);
    FILE *f = fopen(file, "rb");
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    make_database(text);
}

/* A database of version 1 may have tables of its own under any name; one of version 2 may not have
 * something else under the schema's names. */
static void test_databases(void **state)
{
    (void)state;
    const char *view = "CREATE VIEW kernel_solo AS WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL "
                       "SELECT x + 1 FROM c) SELECT x FROM c;";
    database_of("1", YES, view);
    struct dcs_profile *p = load();
    assert_null(p->missing);
    dcs_profile_free(p);
    database_of("2", "", view);
    struct dcs_err err = {0};
    assert_null(dcs_profile_load(file, &err));
    assert_string_equal(err.text, "expected a plain table, found a view or a virtual table");
    assert_string_equal(err.path, "kernel_solo");
    database_of("2", YES, "CREATE TABLE mine(x); INSERT INTO mine VALUES (1);");
    dcs_profile_free(load());
}

/* Values that only the questions look at. */
static void test_facts_refuse(void **state)
{
    (void)state;
#define STEP(row)                                                                                  \
    "CREATE TABLE step(key, kind, state, reason, seconds); INSERT INTO step VALUES (" row ");"
    static const struct {
        const char *rest, *place, *text;
    } cases[] = {
        {STEP("'k', 'x', 'done', '', 'long'"), "step.seconds", "row 1: expected a number from 0"},
        {STEP("'k', 'x', 'done', '', -1"), "step.seconds", "expected a number from 0"},
        {STEP("'k', 'x', 'done', '', 1e999"), "step.seconds", "expected a number from 0"},
        {STEP("'k', 'x', 'done', NULL, 1"), "step.reason", "expected a text"},
        {STEP("'', 'x', 'done', '', 1"), "step.key", "expected a text of 1 to 4096 bytes"},
        {STEP("3, 'x', 'done', '', 1"), "step.key", "expected a text"},
        {STEP("'k', 'x', 'a', '', 1), ('k', 'x', 'b', '', 1"), "step",
         "row 2: its key is there twice"},
        {"CREATE TABLE step(key);", "step", "no such column: kind"},
    };
    const char *const paths[] = {file};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_profile("2", "", cases[i].rest);
        dcs_profile_free(load());
        struct dcs_err err = {0};
        assert_null(dcs_facts_load(paths, 1, &err));
        assert_string_equal(err.path, cases[i].place);
        if (strstr(err.text, cases[i].text) == NULL)
            fail_msg("expected %s, found %s", cases[i].text, err.text);
    }
    write_profile("2", "", STEP("'k', 'x', 'done', 'a' || char(27) || '[31m', 1"));
    refused("not authorized to use function: char");
    write_profile("2", "", STEP("'k', 'x', 'failed', 'a\033[31m\302\233', 1.5"));
    struct dcs_err err = {0};
    struct dcs_facts *f = dcs_facts_load(paths, 1, &err);
    assert_non_null(f);
    const struct dcs_facts_arguments none = {.app = ""};
    struct dcs_facts_rows *rows = dcs_facts_ask(f, DCS_FACTS_FAILED_STEPS, &none);
    assert_true(dcs_facts_next(rows));
    assert_string_equal(dcs_facts_text(rows, 1), "a?[31m?");
    assert_false(dcs_facts_next(rows));
    assert_int_equal(dcs_facts_end(rows, &err), 0);
    dcs_facts_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_of_the_schema),
        cmocka_unit_test(test_each_table),
        cmocka_unit_test(test_version_last),
        cmocka_unit_test(test_other_tables),
        cmocka_unit_test(test_partial),
        cmocka_unit_test(test_partial_with_all),
        cmocka_unit_test(test_databases),
        cmocka_unit_test(test_facts_refuse),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
