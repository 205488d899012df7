/*
 * test_profile_errors.c - pins what a bad profile is told: each check of a value or a table with
 * the place and the text of its message; files that are no profile; databases that are damaged,
 * newer or built to do something when they are read. Hostile SQL text is in test_profile_hostile.c.
 *
 * Bad text is made from profile-small.sql by replacing one string, so that a test shows what is
 * wrong.
 */
#include "models/profile/profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#define SMALL DCS_SOURCE_DIR "/tests/data/profile-small.sql"

static char folder[256], file[300];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/test_profile_XXXXXX", DCS_BINARY_DIR);
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(file, sizeof file, "%s/profile", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(file);
    return rmdir(folder);
}

static void write_file(const void *bytes, size_t size)
{
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static size_t read_small(char *text, size_t size)
{
    FILE *f = fopen(SMALL, "rb");
    assert_non_null(f);
    size_t got = fread(text, 1, size - 1, f);
    fclose(f);
    text[got] = '\0';
    return got;
}

/* Loads `file` and checks the message. */
static void refused(int line, const char *place, const char *text)
{
    struct dcs_err err = {0};
    struct dcs_profile *p = dcs_profile_load(file, &err);
    if (p != NULL || strstr(err.text, text) == NULL || strcmp(err.path, place) != 0)
        print_error("expected %s: %s\nfound    %s: %s\n", place, text, err.path, err.text);
    assert_null(p);
    assert_string_equal(err.file, file);
    assert_string_equal(err.path, place);
    assert_non_null(strstr(err.text, text));
    assert_int_equal(err.line, line);
    assert_null(strchr(err.text, '\n'));
}

/* profile-small.sql with the first `from` replaced. */
static void write_changed(const char *from, const char *to)
{
    static char text[8192], changed[16384];
    read_small(text, sizeof text);
    char *at = strstr(text, from);
    if (at == NULL)
        print_error("profile-small.sql has no %s\n", from);
    assert_non_null(at);
    int size = snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, to,
                        at + strlen(from));
    write_file(changed, (size_t)size);
}

struct change {
    const char *from, *to, *place, *text;
};

static void check_changes(const struct change *changes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        write_changed(changes[i].from, changes[i].to);
        refused(0, changes[i].place, changes[i].text);
    }
}
#define CHECK_CHANGES(changes) check_changes(changes, sizeof(changes) / sizeof *(changes))

#define NAME_65 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
#define A_NAME  "a name of 1 to 64 printable ASCII characters, no space at its ends, found "

static void test_profile_table(void **state)
{
    (void)state;
    const struct change changes[] = {
        {"('name', 'small')", "('nam', 'small')", "profile.key", "the key \"name\" is missing"},
        {"('schema_version', 1)", "('x', 1)", "profile.key", "\"schema_version\" is missing"},
        {"('source', 'made up')", "('x', 1)", "profile.key", "the key \"source\" is missing"},
        {"('description', '", "('x', '", "profile.key", "the key \"description\" is missing"},
        {"('schema_version', 1)", "('schema_version', '3')", "profile.value",
         "the profile has schema version 3, this program reads up to 2; use a newer program"},
        {"('schema_version', 1)", "('schema_version', 7)", "profile.value", "schema version 7"},
        {"('schema_version', 1)", "('schema_version', 0)", "profile.value",
         "row 5: expected the number of a schema version, found 0"},
        {"('schema_version', 1)", "('schema_version', -1)", "profile.value", "found -1"},
        {"('schema_version', 1)", "('schema_version', '1x')", "profile.value",
         "found the text \"1x\""},
        {"('schema_version', 1)", "('schema_version', 1.0)", "profile.value",
         "found the real number 1"},
        {"('schema_version', 1)", "('schema_version', null)", "profile.value", "found NULL"},
        {"('name', 'small')", "('name', 'small'), ('name', 'x')", "profile.key",
         "row 5: expected each key once, found the text \"name\""},
        {"('name', 'small')", "('name', '')", "profile.value",
         "row 4: expected " A_NAME "the text"},
        {"('name', 'small')", "('name', 3)", "profile.value", A_NAME "3"},
        {"('measured_by'", "(5", "profile.key", "row 1: expected " A_NAME "5"},
        {"('source', 'made up')", "('source', '')", "profile.value",
         "row 2: expected a text of 1 to 4096 bytes, found the text \"\""},
        {"'it''s for \"tests\"'", "x'01'", "profile.value", "found a blob of 1 bytes"},
    };
    CHECK_CHANGES(changes);
}

static void test_device_table(void **state)
{
    (void)state;
#define DEVICE "'Test device', 'gpu', 4, 1000, 'made up'"
    const struct change changes[] = {
        {DEVICE, "'', 'gpu', 4, 1000, 'made up'", "device.name", A_NAME "the text \"\""},
        {DEVICE, "'T', 'tpu', 4, 1000, 'made up'", "device.kind",
         "row 1: expected \"gpu\" or \"cpu\", found the text \"tpu\""},
        {DEVICE, "'T', 'gpu', 0, 1000, 'made up'", "device.sms",
         "row 1: expected an integer from 1 to 100000, found 0"},
        {DEVICE, "'T', 'gpu', 100001, 1000, 'made up'", "device.sms", "found 100001"},
        {DEVICE, "'T', 'gpu', '4', 1000, 'made up'", "device.sms", "found the text \"4\""},
        {DEVICE, "'T', 'gpu', 4, 0, 'made up'", "device.memory_bytes", "found 0"},
        {DEVICE, "'T', 'gpu', 4, 1125899906842625, 'x'", "device.memory_bytes",
         "from 1 to 1125899906842624, found 1125899906842625"},
        {DEVICE, "'T', 'gpu', 4, 1000, null", "device.source", "found NULL"},
        {DEVICE, DEVICE "), (" DEVICE, "device", "expected one row, found more"},
        {"insert into device values (" DEVICE ");", "", "device", "expected one row, found none"},
    };
    CHECK_CHANGES(changes);
}

static void test_application_table(void **state)
{
    (void)state;
#define SERVICE "'made up', 1000, null, 'latency', 'z-service'"
    const struct change changes[] = {
        {"'z-service');", "' z');", "application.name", A_NAME "the text \" z\""},
        {"'z-service');", "'z ');", "application.name", A_NAME "the text \"z \""},
        {"'z-service');", "'z\t9');", "application.name", A_NAME "the text \"z\t9\""},
        {"'z-service');", "'z\xc3\xa4');", "application.name", A_NAME "the text \"z\xc3\xa4\""},
        {"'z-service');", "'" NAME_65 "');", "application.name", A_NAME "the text \"xxx"},
        {"'z-service');", "x'7a00');", "application.name", A_NAME "a blob of 2 bytes"},
        {"'z-service');", "cast(x'7a0061' as text));", "application.name", A_NAME},
        {"'a-job');", "'z-service');", "application.name",
         "expected each name once, found \"z-service\" twice"},
        {"'latency'", "'Latency'", "application.class",
         "row 1: expected \"latency\" or \"batch\", found the text \"Latency\""},
        {"'batch'", "null", "application.class", "row 2: expected"},
        {"'latency'", "cast(x'6261746368007a' as text)", "application.class", "row 1: expected"},
        {"null, 'latency'", "0, 'latency'", "application.sla_ns",
         "row 1: expected an integer from 1 to 1000000000000000000, found 0"},
        {"null, 'latency'", "1000000000000000001, 'latency'", "application.sla_ns", "found 100"},
        {"null, 'latency'", "9223372036854775808, 'latency'", "application.sla_ns",
         "found the real number 9.2233720368547758e+18"},
        {"null, 'batch'", "5, 'batch'", "application.sla_ns",
         "row 2: expected NULL: a batch application has no SLA, found 5"},
        {"0, null, 'batch'", "-1, null, 'batch'", "application.memory_bytes",
         "row 2: expected an integer from 0 to 1000, found -1"},
        {SERVICE, "'made up', 1001, null, 'latency', 'z-service'", "application.memory_bytes",
         "row 1: expected an integer from 0 to 1000, found 1001"},
        {SERVICE, "'', 1000, null, 'latency', 'z-service'", "application.source",
         "a text of 1 to 4096 bytes"},
    };
    CHECK_CHANGES(changes);
}

static void test_kernel_table(void **state)
{
    (void)state;
    const struct change changes[] = {
        {"('a-job', 0", "('b-job', 0", "kernel.application",
         "row 2: expected a name that the table application has, found the text \"b-job\""},
        {"('a-job', 0", "(null, 0", "kernel.application", "row 2: expected " A_NAME "NULL"},
        {"('a-job', 0", "('a-job', 1", "kernel.position",
         "expected the 1 kernels of \"a-job\" at 0 to 0, each once; found 1 where 0 should be"},
        {"'z-service', 2", "'z-service', 3", "kernel.position", "found 3 where 2 should be"},
        {"'z-service', 2", "'z-service', 1", "kernel.position", "found 1 where 2 should be"},
        {"'z-service', 2", "'z-service', -1", "kernel.position",
         "row 1: expected an integer from 0 to 999999, found -1"},
        {"'z-service', 2", "'z-service', 1.5", "kernel.position", "the real number 1.5"},
        {"'compute'", "'Compute'", "kernel.kind",
         "row 4: expected \"task\" or \"compute\" or \"transfer\", found the text \"Compute\""},
        {"'transfer', 30", "'transfer', 0", "kernel.duration_ns",
         "row 1: expected an integer from 1 to 1000000000000000000, found 0"},
        {"'transfer', 30", "'transfer', -30", "kernel.duration_ns", "found -30"},
        {"'transfer', 30", "'transfer', null", "kernel.duration_ns", "found NULL"},
        {"'transfer', 30", "'transfer', 3e1", "kernel.duration_ns", "the real number 30"},
        {"1000000000000000000, 1", "1000000000000000001, 1", "kernel.duration_ns", "row 2:"},
        {"'transfer', 30", "'transfer', 999999999999999971", "kernel.duration_ns",
         "the kernels of \"z-service\" take more than 10^18 ns together"},
        {"20, 4096", "20, 0", "kernel.threads",
         "row 4: expected an integer from 1 to 1099511627776, found 0"},
        {"20, 4096", "20, -1", "kernel.threads", "found -1"},
        {"4096, 'made up'", "4096, ''", "kernel.source", "a text of 1 to 4096 bytes"},
        {"insert into kernel values ('a-job'", "insert into kernel values ('z-service'",
         "kernel.application", "expected at least one row of \"a-job\", found none"},
    };
    CHECK_CHANGES(changes);
}

static void test_revocation_table(void **state)
{
    (void)state;
#define FIRST "'trap', 4096, 90, 1, 4, 0"
    const struct change changes[] = {
        {FIRST, "'Trap', 4096, 90, 1, 4, 0", "revocation.mechanism",
         "row 1: expected \"trap\" or \"asm_exit\" or \"process_kill\", found the text \"Trap\""},
        {FIRST, "'trap', 0, 90, 1, 4, 0", "revocation.threads",
         "row 1: expected an integer from 1"},
        {FIRST, "'trap', 4096, -1, 1, 4, 0", "revocation.kill_ns",
         "row 1: expected an integer from 0 to 1000000000000000000, found -1"},
        {FIRST, "'trap', 4096, 90, '', 4, 0", "revocation.start_ns", "found the text \"\""},
        {FIRST, "'trap', 4096, 90, 1, null, 0", "revocation.clear_ns", "found NULL"},
        {FIRST, "'trap', 4096, 90, 1, 4, 2e18", "revocation.spawn_ns", "the real number 2e+18"},
        {FIRST, "'trap', 64, 90, 1, 4, 0", "revocation.threads",
         "expected for \"trap\" one row with NULL or rows of different numbers; found twice 64"},
        {FIRST, "'trap', null, 90, 1, 4, 0", "revocation.threads", "found NULL beside 64"},
        {FIRST ", 'made up'", FIRST ", 7", "revocation.source", "found 7"},
    };
    CHECK_CHANGES(changes);
}

static void test_missing_tables_and_columns(void **state)
{
    (void)state;
    const struct change changes[] = {
        {"kind, sms, memory_bytes, source)", "kind, sms, memory, source)", "device",
         "no such column: memory_bytes"},
        {"(key, value)", "(key, Value2)", "profile", "no such column: value"},
    };
    CHECK_CHANGES(changes);
    const char *text = "create table profile (key, value);"
                       "insert into profile values ('name', 'x'), ('schema_version', '1'),"
                       "('source', 'x'), ('description', 'x');";
    write_file(text, strlen(text));
    refused(0, "device",
            "the table is missing; a profile has profile, device, application, kernel "
            "and revocation");
    text = "create table device (name);";
    write_file(text, strlen(text));
    refused(0, "profile", "the table is missing");
}

/* ---- files ---- */

static void refuse_path(const char *path, const char *text)
{
    struct dcs_err err = {0};
    assert_null(dcs_profile_load(path, &err));
    assert_string_equal(err.file, path);
    assert_non_null(strstr(err.text, text));
}

static void test_no_file(void **state)
{
    (void)state;
    refuse_path("/no/such/profile.db", "cannot open the profile: No such file or directory");
    refuse_path(folder, "is a directory, expected a profile");
    unlink(file);
    assert_int_equal(mkfifo(file, 0600), 0);
    refuse_path(file, "is not a regular file, expected a profile");
    unlink(file);
    write_file("", 0);
    refused(0, "", "is empty, expected a profile");
    assert_int_equal(truncate(file, (128 << 20) + 1), 0);
    refused(0, "", "has 134217729 bytes, a profile has at most 134217728");
    unlink(file);
}

static void test_no_profile(void **state)
{
    (void)state;
    write_file("\x7f"
               "ELF\0\0\1\2",
               8);
    refused(0, "", "is neither an SQLite database nor the SQL text of one");
    write_file("\xff\xd8\xff\xe1", 4);
    refused(1, "",
            "expected an SQLite database, or SQL text of CREATE TABLE, INSERT INTO, BEGIN or "
            "COMMIT, found \"???");
    write_file("{\"name\": 1}", 11);
    refused(1, "", "found \"{\"");
    write_file("\n\nhello world", 13);
    refused(3, "", "found \"hello\"");
    write_file(" ; -- nothing\n/* else", 21);
    refused(0, "", "has no SQL statement");
    write_file("SQLite format 3", 15);
    refused(1, "", "found \"SQLite\"");
    write_file("SQLite format 3\0 and no more", 28);
    refused(0, "", "is an incomplete SQLite database (28 bytes)");
}

/* ---- databases ---- */

static unsigned char database[1 << 20];

static size_t build_small(void)
{
    struct dcs_err err = {0};
    unlink(file);
    assert_int_equal(dcs_profile_build(SMALL, file, &err), 0);
    FILE *f = fopen(file, "rb");
    size_t size = fread(database, 1, sizeof database, f);
    fclose(f);
    assert_in_range(size, 4096, sizeof database - 1);
    return size;
}

static void test_truncated_database(void **state)
{
    (void)state;
    size_t size = build_small();
    for (size_t keep = 16; keep < size; keep += keep < 200 || keep > size - 200 ? 1 : 500) {
        write_file(database, keep);
        refused(0, "", "is an incomplete SQLite database");
    }
}

static void test_damaged_database(void **state)
{
    (void)state;
    size_t size = build_small();
    memset(database + 4096, 0xa5, 4096); /* the first table of profile-small.sql */
    write_file(database, size);
    refused(0, "device", "the table is damaged (");

    size = build_small();
    memset(database + 100, 0xa5, 3996); /* the schema */
    write_file(database, size);
    refused(0, "", "is a damaged or incomplete SQLite database (database disk image is malformed)");

    size = build_small();
    database[18] = database[19] = 2;
    write_file(database, size);
    refused(0, "", "is in write-ahead mode; run PRAGMA journal_mode=DELETE on it first");
}

static void test_unfinished_database(void **state)
{
    (void)state;
    char journal[320];
    snprintf(journal, sizeof journal, "%s-journal", file);
    build_small();
    FILE *f = fopen(journal, "w");
    fputs("x", f);
    fclose(f);
    refused(0, "", "was not written to its end: a journal lies beside it");
    unlink(journal);
    fclose(fopen(journal, "w")); /* as a writer leaves it that keeps its journal */
    struct dcs_err err = {0};
    struct dcs_profile *p = dcs_profile_load(file, &err);
    assert_non_null(p);
    dcs_profile_free(p);
    unlink(journal);
}

/* The database of profile-small.sql after some more SQL, run with nothing forbidden. */
static void build_and_run(const char *sql)
{
    build_small();
    sqlite3 *db;
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    char *message = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        print_error("%s: %s\n", sql, message);
    assert_null(message);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

#define ENDLESS                                                                                    \
    "WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c"

static void test_bad_databases(void **state)
{
    (void)state;
    const struct {
        const char *sql, *place, *text;
    } cases[] = {
        {"DROP TABLE kernel", "kernel", "the table is missing"},
        {"UPDATE profile SET value = 3 WHERE key = 'schema_version'", "profile.value",
         "the profile has schema version 3"},
        {"UPDATE kernel SET duration_ns = 0 WHERE rowid = 3", "kernel.duration_ns",
         "row 3: expected an integer from 1 to"},
        {"DROP TABLE device; CREATE VIEW device AS SELECT 'x' AS name", "device",
         "expected a plain table, found a view or a virtual table"},
        {"DROP TABLE revocation; CREATE VIEW revocation AS " ENDLESS, "revocation",
         "expected a plain table, found a view"},
        {"DROP TABLE kernel; CREATE VIRTUAL TABLE kernel USING fts4(application)", "kernel",
         "expected a plain table, found a view or a virtual table"},
        {"ALTER TABLE kernel DROP COLUMN threads;"
         "ALTER TABLE kernel ADD COLUMN threads AS (abs(position))",
         "kernel", "expected a plain table, found a generated column"},
        {"CREATE INDEX i ON kernel (length(hex(position)))", "kernel",
         "expected a plain table, found an index"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        build_and_run(cases[i].sql);
        refused(0, cases[i].place, cases[i].text);
    }
}

/* What does not concern a reader is no reason to refuse a profile, and does not run. */
static void test_harmless_additions(void **state)
{
    (void)state;
    build_and_run("CREATE TABLE samples (x); CREATE VIEW endless AS " ENDLESS ";"
                  "CREATE TRIGGER t AFTER INSERT ON kernel BEGIN DELETE FROM device; END;"
                  "CREATE INDEX i ON samples (abs(x))");
    struct dcs_err err = {0};
    struct dcs_profile *p = dcs_profile_load(file, &err);
    assert_non_null(p);
    assert_int_equal(p->apps_count, 2);
    dcs_profile_free(p);
}

/* Reading leaves the file and its folder as they were. */
static void test_reading_writes_nothing(void **state)
{
    (void)state;
    static unsigned char after[1 << 20];
    size_t size = build_small();
    assert_int_equal(chmod(file, 0400), 0);
    assert_int_equal(chmod(folder, 0500), 0);
    struct dcs_err err = {0};
    struct dcs_profile *p = dcs_profile_load(file, &err);
    assert_int_equal(chmod(folder, 0700), 0);
    assert_non_null(p);
    dcs_profile_free(p);
    FILE *f = fopen(file, "rb");
    assert_int_equal(fread(after, 1, sizeof after, f), size);
    fclose(f);
    assert_memory_equal(after, database, size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profile_table),
        cmocka_unit_test(test_device_table),
        cmocka_unit_test(test_application_table),
        cmocka_unit_test(test_kernel_table),
        cmocka_unit_test(test_revocation_table),
        cmocka_unit_test(test_missing_tables_and_columns),
        cmocka_unit_test(test_no_file),
        cmocka_unit_test(test_no_profile),
        cmocka_unit_test(test_truncated_database),
        cmocka_unit_test(test_damaged_database),
        cmocka_unit_test(test_unfinished_database),
        cmocka_unit_test(test_bad_databases),
        cmocka_unit_test(test_harmless_additions),
        cmocka_unit_test(test_reading_writes_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
