/*
 * test_store_sweep.c - what the results database holds of a sweep, and when a run counts as held.
 *
 * Pins: one connection serves many experiments in turn, with the same content as one at a time;
 * the rows that say which point an experiment is, values as SQL types, written once however often
 * the point is written, and deleted with the experiment; runs of another build are refused, or
 * accepted when asked; a database of schema 5 is read as it is and brought up to date by the first
 * write, to the content of a new one; so is one of schema 8, whose searches lack reasons. Does not
 * pin: merging (test_store_merge).
 */
#include "store_case.h"

#include "results/store_capacity.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

static void add(struct store *s, const struct results_case *c, uint32_t replication)
{
    struct dcs_err err = {0};
    struct run run = case_run(c, replication, 2);
    if (store_add(s, &run, &err) != 0)
        fail_msg("%s", err.text);
    run_release(&run);
}

static void assert_query(const char *path, const char *sql, const char *expected)
{
    char *found = query(path, sql);
    assert_string_equal(found, expected);
    free(found);
}

static void experiments_in_turn(void **state)
{
    (void)state;
    struct results_case a, b;
    struct dcs_err err = {0};
    case_open(&a, CASE_JSON, HASH_A);
    case_open(&b, CASE_JSON, HASH_B);
    struct store *s = store_open("turns.db", NULL, &err);
    assert_non_null(s);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(store_switch(s, &a.x, NULL, 0, &err), 0);
        add(s, &a, i);
        assert_int_equal(store_switch(s, &b.x, NULL, 0, &err), 0);
        bool wanted[3] = {true, true, true};
        assert_int_equal(store_held(s, wanted, 3, &err), i);
        add(s, &b, i);
    }
    store_close(s);
    for (int k = 0; k < 2; k++) {
        s = store_open("apart.db", k == 0 ? &b.x : &a.x, &err);
        for (uint32_t i = 0; i < 3; i++)
            add(s, k == 0 ? &b : &a, i);
        store_close(s);
    }
    char *turns = dump("turns.db"), *apart = dump("apart.db");
    assert_string_equal(turns, apart);
    free(turns);
    free(apart);
    case_close(&a);
    case_close(&b);
}

/* ---- Points ---- */

static const char sweep_json[] =
    "{\"name\": \"s\", \"policy\": {\"name\": \"fcfs\"}, \"workload\": {\"trem\": [{}]}, "
    "\"sweep\": "
    "{\"axes\": [{\"key\": \"seed\", \"values\": [1, 9000000000000000001]}, {\"zip\": [{\"key\": "
    "\"policy\", \"values\": [{\"name\": \"fcfs\"}, {\"name\": \"elastic\"}]}, {\"key\": "
    "\"workload.trem[0].load\", \"values\": [0.5, 1]}]}, {\"key\": \"cluster.router\", \"values\": "
    "[\"r\\u0061ndom\"]}, {\"key\": \"sharing.contention\", \"values\": [true]}]}}";

static void rows_of_points(void **state)
{
    (void)state;
    struct results_case a, b;
    struct dcs_err err = {0};
    case_open(&a, CASE_JSON, HASH_A);
    case_open(&b, CASE_JSON, HASH_B);
    struct options_doc *doc = options_load_text("s.json", sweep_json, strlen(sweep_json), &err);
    struct sweep sweep;
    assert_non_null(doc);
    if (sweep_open(&sweep, doc, NULL, &err) != 0 || sweep_check(&sweep, NULL, NULL, &err) != 0)
        fail_msg("%s", err.text);
    struct store *s = store_open("a.db", NULL, &err);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(store_switch(s, &a.x, &sweep, 1, &err), 0);
        add(s, &a, i);
        assert_int_equal(store_switch(s, &b.x, &sweep, 2, &err), 0);
        add(s, &b, i);
    }
    store_close(s);
    assert_query("a.db", "SELECT hash = printf('%s', hash), length(hash), name, points FROM sweep",
                 "1|64|s|4|\n");
    assert_query("a.db", "SELECT position, axis, key FROM axis ORDER BY position",
                 "0|0|seed|\n1|1|policy|\n2|1|workload.trem[0].load|\n3|2|cluster.router|\n"
                 "4|3|sharing.contention|\n");
    assert_query(
        "a.db", "SELECT point, key, value, typeof(value) FROM point_axis ORDER BY point, axis, key",
        "1|seed|1|integer|\n1|policy|{\"name\":\"elastic\"}|text|\n"
        "1|workload.trem[0].load|1|integer|\n1|cluster.router|random|text|\n"
        "1|sharing.contention|1|integer|\n"
        "2|seed|9000000000000000001|integer|\n2|policy|{\"name\":\"fcfs\"}|text|\n"
        "2|workload.trem[0].load|0.5|real|\n2|cluster.router|random|text|\n"
        "2|sharing.contention|1|integer|\n");
    assert_query("a.db",
                 "PRAGMA foreign_keys = ON; DELETE FROM experiment; SELECT count(*) FROM point; "
                 "SELECT count(*) FROM point_value; SELECT count(*) FROM axis",
                 "0|\n0|\n5|\n");
    sweep_close(&sweep);
    options_doc_free(doc);
    case_close(&a);
    case_close(&b);
}

/* ---- Builds ---- */

static void another_build(void **state)
{
    (void)state;
    struct results_case c;
    struct dcs_err err = {0};
    case_open(&c, CASE_JSON, HASH_A);
    struct store *s = store_open("a.db", &c.x, &err);
    add(s, &c, 0);
    add(s, &c, 1);
    store_close(s);
    free(query("a.db", "UPDATE run SET build = '0.0.1+older' WHERE replication = 1"));
    s = store_open("a.db", &c.x, &err);
    bool wanted[3] = {true, true, true};
    assert_int_equal(store_held(s, wanted, 1, &err), 1); /* the other one is not asked for */
    assert_int_equal(store_held(s, wanted, 3, &err), -1);
    assert_non_null(strstr(err.text, "replication 1"));
    assert_non_null(strstr(err.text, "0.0.1+older"));
    store_accept_builds(s);
    assert_int_equal(store_held(s, wanted, 3, &err), 2);
    assert_true(!wanted[0] && !wanted[1] && wanted[2]);
    store_close(s);
    case_close(&c);
}

#define WITHOUT_GANGS "DROP TABLE whole_job_revoked; DROP TABLE whole_job; DROP TABLE bin_jobs; "

/* ---- Schema 5 ---- */

static void an_older_schema(void **state)
{
    (void)state;
    struct results_case c;
    struct dcs_err err = {0};
    case_open(&c, CASE_JSON, HASH_A);
    struct store *s = store_open("new.db", &c.x, &err);
    add(s, &c, 0);
    store_close(s);
    s = store_open("old.db", &c.x, &err);
    add(s, &c, 0);
    store_close(s);
    free(query("old.db", "DROP VIEW point_axis; DROP TABLE point_value; DROP TABLE point; "
                         "DROP TABLE axis; DROP TABLE sweep; DROP VIEW late_summary; "
                         "DROP TABLE late_time; DROP TABLE cut_off; DROP TABLE capacity_look; DROP "
                         "TABLE bin_requests; DROP TABLE bin_devices; " WITHOUT_GANGS
                         "PRAGMA user_version = 5"));

    s = store_open("old.db", &c.x, &err);
    assert_non_null(s);
    bool wanted[2] = {true, true};
    assert_int_equal(store_held(s, wanted, 2, &err), 1);
    assert_query("old.db", "PRAGMA user_version", "5|\n"); /* looking changes nothing */
    add(s, &c, 1);
    store_close(s);
    s = store_open("new.db", &c.x, &err);
    add(s, &c, 1);
    store_close(s);
    assert_query("old.db", "PRAGMA user_version", "11|\n");
    char *old = dump("old.db"), *new = dump("new.db");
    assert_string_equal(old, new);
    free(old);
    free(new);
    case_close(&c);
}

/* Schema 8 kept what dcsim capacity saw, without the reason why a value is overloaded. */
static void a_search_of_schema_8(void **state)
{
    (void)state;
    struct results_case c;
    struct dcs_err err = {0};
    case_open(&c, CASE_JSON, HASH_A);
    struct store *s = store_open("old.db", &c.x, &err);
    add(s, &c, 0);
    store_close(s);
    free(query("old.db",
               "INSERT INTO capacity_look (experiment, question, position, vary, value, "
               "metric, unit, at_least, bound, service, kept, told) SELECT id, 'q', 0, "
               "'v', 1, 'm', '1', 1, 0, '', 'overloaded', 't' FROM experiment; " WITHOUT_GANGS
               "ALTER TABLE capacity_look DROP COLUMN reason; PRAGMA user_version = 8"));
    s = store_open("old.db", &c.x, &err);
    assert_non_null(s);
    add(s, &c, 1);
    const struct store_look look = {.hash = HASH_A,
                                    .metric = "m",
                                    .unit = "1",
                                    .service = "",
                                    .kept = "overloaded",
                                    .reason = "web: work falls behind"};
    const struct store_search search = {
        .question = "r", .vary = "v", .told = "t", .looks = &look, .looks_count = 1};
    assert_int_equal(store_put_search(s, &search, &err), 0);
    store_close(s);
    assert_query("old.db", "PRAGMA user_version; SELECT question, reason FROM capacity_look",
                 "11|\nq||\nr|web: work falls behind|\n");
    case_close(&c);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, folder_clear)
    const struct CMUnitTest tests[] = {
        TEST(experiments_in_turn), TEST(rows_of_points),       TEST(another_build),
        TEST(an_older_schema),     TEST(a_search_of_schema_8),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
