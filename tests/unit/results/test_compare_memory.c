/*
 * test_compare_memory.c - dcsim compare finds a metric, or says why not, when SQLite has no memory.
 *
 * Pins: that each request of SQLite for memory, failing from the n-th on, ends in the answer or in
 * an error of one line. Does not pin: memory of our own, whose lack ends the program.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "results/compare_groups.h"

#include <string.h>

static sqlite3_mem_methods usual;
static int left; /* requests that are granted; -1: all */

static void *take_memory(int bytes)
{
    if (left == 0)
        return NULL;
    left -= left > 0;
    return usual.xMalloc(bytes);
}

static void *grow_memory(void *memory, int bytes)
{
    if (left == 0)
        return NULL;
    left -= left > 0;
    return usual.xRealloc(memory, bytes);
}

static int limit_memory(void **state)
{
    (void)state;
    left = -1;
    sqlite3_mem_methods limited;
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual) != SQLITE_OK)
        return -1;
    limited = usual;
    limited.xMalloc = take_memory;
    limited.xRealloc = grow_memory;
    if (sqlite3_config(SQLITE_CONFIG_MALLOC, &limited) != SQLITE_OK ||
        sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0) != SQLITE_OK)
        return -1;
    return 0;
}

static void no_memory(void **state)
{
    (void)state;
    struct dcs_err err;
    struct results r = {.path = "r.db"};
    assert_int_equal(sqlite3_open(":memory:", &r.db), SQLITE_OK);
    /* Texts in UTF-16, which SQLite converts when they are asked for. */
    const char *tables = "PRAGMA encoding = 'UTF-16le';"
                         "CREATE TABLE metric (name, unit, class, app, value);"
                         "INSERT INTO metric VALUES ('sla_met', '1', 'latency', NULL, 0.5);";
    assert_int_equal(sqlite3_exec(r.db, tables, NULL, NULL, NULL), SQLITE_OK);
    int granted = 0, failed = 0;
    for (bool found = false; !found; granted++) {
        struct compare_metric m;
        err = (struct dcs_err){0};
        left = granted;
        found = compare_metric(&r, "sla_met", &m, &err) == 0;
        left = -1;
        failed += !found;
        if (found) {
            assert_string_equal(m.class, "latency");
            compare_metric_release(&m);
        } else {
            assert_non_null(strstr(err.text, "out of memory"));
        }
    }
    assert_true(failed > 10);
    results_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_memory)};
    return cmocka_run_group_tests(tests, limit_memory, NULL);
}
