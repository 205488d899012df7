/*
 * test_store.c - what the results database holds.
 *
 * Pins: a summary of runs that were stored and read back is the summary of the runs themselves, bit
 * for bit, with numbers that do not exist and sums beyond 64 bits; what is in the database does not
 * depend on the order in which runs and experiments were added; which rows a run gives; NULLs; that
 * the file appears with the first run; held and missing runs; names that SQLite would take for
 * something else; the views; verdicts on SLAs; renaming an experiment; deleting one; that
 * docs/results.md names every table, column and metric, and that its queries run.
 * Does not pin: refusals and crashes (test_store_failures.c), the values of metrics.
 */
/* Before cmocka.h, whose macro fail() is the name of a member in policies/policy.h. */
#include "store_case.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

static void add(struct store *s, const struct results_case *c, uint32_t replication)
{
    struct dcs_err err = {0};
    struct run run = case_run(c, replication, 6);
    if (store_add(s, &run, &err) != 0)
        fail_msg("%s", err.text);
    run_release(&run);
}

static struct store *open_or_fail(const char *path, const struct experiment *x)
{
    struct dcs_err err = {0};
    struct store *s = store_open(path, x, &err);
    if (s == NULL)
        fail_msg("%s: %s", err.file, err.text);
    return s;
}

/* A database of the given runs of one experiment, with its summary. */
static void fill(const char *path, const struct results_case *c, const uint32_t *replications,
                 size_t count)
{
    struct dcs_err err = {0};
    struct store *s = open_or_fail(path, &c->x);
    for (size_t i = 0; i < count; i++)
        add(s, c, replications[i]);
    struct summary summary;
    summary_init(&summary, &c->x);
    assert_int_equal(store_load(s, 100, &summary, &err), 0);
    size_t n;
    struct summary_row *rows = summary_rows(&summary, &n);
    assert_int_equal(store_summarise(s, rows, n, &err), 0);
    free(rows);
    summary_release(&summary);
    store_close(s);
}

static void assert_query(const char *path, const char *sql, const char *expected)
{
    char *found = query(path, sql);
    assert_string_equal(found, expected);
    free(found);
}

/* ---- Round trip ---- */

static void assert_same_bits(double a, double b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

static void assert_same_summary(const struct summary *a, const struct summary *b)
{
    assert_int_equal(a->runs, b->runs);
    assert_int_equal(a->metrics_count, b->metrics_count);
    for (size_t i = 0; i < a->metrics_count; i++) {
        assert_string_equal(a->first[i].name, b->first[i].name);
        assert_string_equal(a->first[i].unit, b->first[i].unit);
        assert_int_equal(a->first[i].app, b->first[i].app);
    }
    for (size_t i = 0; i < a->runs * a->metrics_count; i++) {
        if (isnan(a->values[i]))
            assert_true(isnan(b->values[i]));
        else
            assert_same_bits(a->values[i], b->values[i]);
        assert_int_equal(a->counts[i], b->counts[i]);
    }
    for (uint32_t i = 0; i < CASE_APPS + 2; i++)
        assert_memory_equal(a->hists[i], b->hists[i], sizeof *a->hists[i]);
}

static void summary_survives(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    struct summary direct, loaded;
    summary_init(&direct, &c.x);
    summary_init(&loaded, &c.x);
    struct store *s = open_or_fail("a.db", &c.x);
    size_t missing_numbers = 0;
    for (uint32_t i = 0; i < 5; i++) {
        struct run run = case_run(&c, i, 0);
        for (size_t m = 0; m < run.metrics_count; m++)
            missing_numbers += isnan(run.metrics[m].value);
        assert_int_equal(store_add(s, &run, &err), 0);
        summary_add(&direct, &run);
        run_release(&run);
    }
    assert_true(missing_numbers > 0);
    assert_true(direct.hists[0]->sum > (__int128)UINT64_MAX);
    store_close(s);

    s = open_or_fail("a.db", &c.x);
    assert_int_equal(store_load(s, 5, &loaded, &err), 0);
    store_close(s); /* names and units must outlive the store */
    assert_same_summary(&direct, &loaded);
    summary_release(&direct);
    summary_release(&loaded);
    case_close(&c);
}

static void order_leaves_no_trace(void **state)
{
    (void)state;
    struct results_case a, b;
    case_open(&a, CASE_JSON, HASH_A);
    case_open(&b, CASE_JSON, HASH_B);
    case_add_trace(&a);
    fill("one.db", &a, (const uint32_t[]){0, 1, 2}, 3);
    fill("one.db", &b, (const uint32_t[]){0, 1}, 2);
    fill("two.db", &b, (const uint32_t[]){1}, 1);
    fill("two.db", &a, (const uint32_t[]){2, 0}, 2);
    fill("two.db", &b, (const uint32_t[]){0}, 1);
    fill("two.db", &a, (const uint32_t[]){1}, 1);
    char *one = dump("one.db"), *two = dump("two.db");
    assert_true(strlen(one) > 10000);
    assert_string_equal(one, two);
    free(one);
    free(two);
    case_close(&a);
    case_close(&b);
}

/* ---- Rows ---- */

static void rows_of_a_run(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    case_add_trace(&c);
    fill("a.db", &c, (const uint32_t[]){3}, 1);
    /* 0x01234567 89a: the first eleven digits. */
    assert_query("a.db",
                 "SELECT id, name, policy, seed, devices, clairvoyant, steady, "
                 "interval_kind, hash = '" HASH_A "' FROM experiment",
                 "78187493530|small|fcfs|1|5|0|0|mean|1|\n");
    assert_query("a.db", "SELECT domain, profile, devices FROM domain", "0|0|2|\n1|0|2|\n2|0|1|\n");
    assert_query("a.db", "SELECT app, name, class, sla_ns, workload_sla_ns FROM application",
                 "0|web|latency|50000000|50000000|\n1|api|latency|NULL|NULL|\n"
                 "2|train|batch|NULL|NULL|\n");
    assert_query("a.db", "SELECT kind, position, name, substr(sha256, 1, 3) FROM input",
                 "profile|0|p1000|aaa|\ntrace|0|jobs.db|bbb|\n");
    assert_query("a.db", "SELECT what, count FROM trace_count",
                 "kept|7|\nleft out: failed|3|\nleft out: never|0|\n");
    assert_query("a.db",
                 "SELECT replication, window_from_ns, window_to_ns, first_arrival_ns, "
                 "last_completion_ns, requests, returned, stranded, events FROM run",
                 "3|100|1100|17|903|40|1|0|1000|\n");
    assert_query("a.db",
                 "SELECT device, domain, busy_ns, useful_ns, lost_ns, overhead_ns "
                 "FROM device_usage WHERE device IN (0, 4)",
                 "0|0|703|600|63|40|\n4|2|703|600|63|40|\n");
    assert_query("a.db", "SELECT * FROM job",
                 "78187493530|3|0|2|9|8|1|10|503|NULL|NULL|NULL|NULL|NULL|\n"
                 "78187493530|3|1|0|9|8|0|20|NULL|2|70|6|2|71|\n");
    assert_query("a.db", "SELECT * FROM service", "");
    assert_query("a.db",
                 "SELECT jobs, requests, clients, rounded_up, work_ns, trace_work_ns, "
                 "time_compression FROM replay",
                 "7|90|8|2|3000000003.0|2000000000.0|1.5|\n");
    assert_query("a.db", "SELECT seconds FROM wall", "0.75|\n");
    case_close(&c);
}

static void rows_of_services(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    struct experiment_service services[2] = {c.service, c.service};
    services[1].app = 1;
    services[1].colocated = true;
    services[1].entry = 4;
    services[1].first_domain = 1;
    services[1].sla_ns = 0;
    services[1].alone_ns = 2000000;
    services[1].peak_per_s = 0;
    c.x.services = services;
    c.x.services_count = 2;
    fill("a.db", &c, (const uint32_t[]){0}, 1);
    assert_query("a.db", "SELECT * FROM service",
                 "78187493530|0|0|NULL|0|3|5|1000000|50000000|0.99|80.0|200.0|\n"
                 "78187493530|1|1|4|1|3|5|2000000|NULL|NULL|NULL|200.0|\n");
    case_close(&c);
}

/* The view and the summary say the same, at the SLA and beside it; `api` has none. */
static void verdicts(void **state)
{
    (void)state;
    static const struct {
        double sla_met[3]; /* value, low, high */
        int64_t alone_ns;
        const char *verdict;
    } cases[] = {
        {{0.995, 0.99, 0.999}, 0, "meets"},
        {{0.995, 0.9899, 0.999}, 0, "undecided"},
        {{0.98, 0.97, 0.9899}, 0, "violates"},
        {{0.98, 0.97, 0.99}, 0, "undecided"},
        {{0.98, (double)NAN, (double)NAN}, 0, "undecided"},
        {{1, (double)NAN, (double)NAN}, 0, "undecided"},
        {{0.6001, (double)NAN, (double)NAN}, 0, "undecided"},
        {{0.6, (double)NAN, (double)NAN}, 0, "violates"},
        {{0.6, 0.1, 1}, 0, "undecided"},
        {{0, 0, 0}, 50000000, "violates"},
        /* The SLA is below the work, which varies: */
        {{0, 0, 0}, 50000001, "infeasible"},
        {{0.98, (double)NAN, (double)NAN}, 50000001, "infeasible"},
        {{0.995, 0.991, 0.999}, 50000001, "meets"},
    };
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    c.x.services_count = 1;
    struct dcs_err err = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double *m = cases[i].sla_met;
        /* The p99 of a histogram: above the SLA by less than its resolution. */
        const struct summary_row rows[] = {
            {.name = "response_p99", .unit = "ns", .estimate = {501e5, 501e5, 501e5, 3, false}},
            {.name = "sla_met", .unit = "1", .estimate = {m[0], m[1], m[2], 3, false}},
        };
        assert_string_equal(summary_verdict(&rows[1].estimate, 50000000, cases[i].alone_ns),
                            cases[i].verdict);
        c.service.alone_ns = cases[i].alone_ns;
        unlink("a.db");
        fill("a.db", &c, (const uint32_t[]){0}, 1);
        struct store *s = open_or_fail("a.db", &c.x);
        assert_int_equal(store_summarise(s, rows, 2, &err), 0);
        store_close(s);
        char expected[64];
        snprintf(expected, sizeof expected, "web|50.0|%s|\n", cases[i].verdict);
        assert_query("a.db", "SELECT application, sla_ms, verdict FROM sla_verdict", expected);
    }
    case_close(&c);
}

static void rows_of_decisions(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    c.x.device_kind = &device_shared;
    c.kind.spatial = &c.model;
    c.kind.predictors = (struct experiment_file){(char *)"p.predictors.db", "b"};
    struct store *s = open_or_fail("a.db", &c.x);
    struct run run = case_run(&c, 3, 2);
    assert_int_equal(store_add(s, &run, &err), 0);
    run_release(&run);
    store_close(s);
    assert_query("a.db",
                 "SELECT replication, position, at_ns, domain, job, number, app, kernel, what, "
                 "value FROM decision",
                 "3|0|0|2|0|2|1|3|why|-4|\n3|1|1|2|1|1|1|3|why|-4|\n");
    assert_query("a.db",
                 "SELECT predictor, kind, position, i.name, falls_back FROM experiment e JOIN "
                 "input i ON i.experiment = e.id ORDER BY kind",
                 "mean|predictors|0|p.predictors.db|NULL|\n"
                 "mean|profile|0|p1000|kernels of web were not measured alone|\n");
    assert_query("a.db", "SELECT sha256 FROM input WHERE kind = 'predictors'", "b|\n");
    case_close(&c);
}

static void rows_of_requests(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    fill("a.db", &c, (const uint32_t[]){0}, 1);
    assert_query("a.db",
                 "SELECT job, number, outcome, domain, device, arrival_ns, start_ns, end_ns, "
                 "deadline_ns, revocations FROM request",
                 "0|2|dropped|0|1|4|9|13|70|0|\n"
                 "0|4|inside|0|NULL|2|NULL|NULL|70|2|\n"
                 "0|6|done|0|1|0|5|9|70|0|\n"
                 "1|1|inside|0|NULL|5|NULL|NULL|NULL|1|\n"
                 "1|3|done|0|1|3|8|12|NULL|3|\n"
                 "1|5|dropped|NULL|1|1|6|10|NULL|1|\n");
    case_close(&c);
}

static void rows_of_metrics(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    fill("a.db", &c, (const uint32_t[]){1}, 1);
    assert_query("a.db", "SELECT app, class, unit, value, n FROM metric WHERE name = 'utilisation'",
                 "NULL|NULL|1|0.701|5|\n");
    assert_query("a.db",
                 "SELECT app, class, value, n FROM metric WHERE name = 'response_mean' "
                 "AND value IS NULL",
                 "NULL|batch|NULL|0|\n2|NULL|NULL|0|\n");
    assert_query("a.db",
                 "SELECT min(position), max(position) = count(*) - 1, count(*) = count(DISTINCT "
                 "ifnull(app, '') || ifnull(class, '') || name) FROM metric",
                 "0|1|1|\n");
    /* Applications take 1, 2 and 3 ms alone; there are 5 devices. A class is the sum of its own. */
    assert_query(
        "a.db",
        "SELECT n.app, abs(n.value - c.value * (n.app + 1) * 1e6 / (5 * w.value)) < 1e-12, "
        "n.n = c.value FROM metric n JOIN metric c USING (app) JOIN metric w "
        "WHERE n.name = 'normalised_throughput' AND c.name = 'completions' AND w.name = "
        "'window' ORDER BY n.app",
        "0|1|1|\n1|1|1|\n2|1|1|\n");
    assert_query(
        "a.db",
        "SELECT abs(c.value - sum(a.value)) < 1e-12, c.value > 0 FROM metric c JOIN metric "
        "a USING (name) WHERE name = 'normalised_throughput' AND c.class = 'latency' AND "
        "a.app IN (0, 1)",
        "1|1|\n");
    /* The last bucket holds the largest value, and ends with it. */
    assert_query("a.db", "SELECT app, count, max_ns FROM response",
                 "0|11|9223372036854775807|\n1|12|9223372036854775807|\n");
    assert_query("a.db",
                 "SELECT app, sum(count), max(high_ns), min(low_ns < high_ns) "
                 "FROM histogram GROUP BY app",
                 "0|11|9223372036854775807|1|\n1|12|9223372036854775807|1|\n");
    case_close(&c);
}

/* ---- Held and missing ---- */

static void file_comes_with_the_first_run(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    struct store *s = open_or_fail("a.db", &c.x);
    bool wanted[2] = {true, true};
    struct summary summary;
    summary_init(&summary, &c.x);
    assert_int_equal(store_held(s, wanted, 2, &err), 0);
    assert_int_equal(store_load(s, 2, &summary, &err), 0);
    assert_int_equal(store_summarise(s, NULL, 0, &err), 0);
    assert_int_equal(files_in_folder(), 0);
    add(s, &c, 0);
    assert_int_equal(files_in_folder(), 1); /* and no journal beside it */
    assert_true(wanted[0] && wanted[1]);
    summary_release(&summary);
    store_close(s);
    case_close(&c);
}

static void an_empty_file_is_no_database_yet(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    spill("a.db", "", 0);
    fill("a.db", &c, (const uint32_t[]){0}, 1);
    assert_query("a.db", "SELECT count(*) FROM run", "1|\n");
    case_close(&c);
}

static void held_runs_are_not_wanted(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct results_case a, b;
    case_open(&a, CASE_JSON, HASH_A);
    case_open(&b, CASE_JSON, HASH_B);
    fill("a.db", &a, (const uint32_t[]){0, 2, 7}, 3);
    struct store *s = open_or_fail("a.db", &a.x);
    bool wanted[5] = {true, true, true, false, true};
    assert_int_equal(store_held(s, wanted, 5, &err), 2); /* the run 7 lies behind */
    const bool expected[5] = {false, true, false, false, true};
    assert_memory_equal(wanted, expected, sizeof wanted);
    struct summary summary;
    summary_init(&summary, &a.x);
    assert_int_equal(store_load(s, 5, &summary, &err), 0);
    assert_int_equal(summary.runs, 2);
    summary_release(&summary);
    store_close(s);

    s = open_or_fail("a.db", &b.x);
    bool all[5] = {true, true, true, true, true};
    assert_int_equal(store_held(s, all, 5, &err), 0);
    store_close(s);
    case_close(&a);
    case_close(&b);
}

static void names_are_only_names(void **state)
{
    (void)state;
    static const char *const names[] = {":memory:", "file:x.db?mode=memory", "a b'c.db"};
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    for (size_t i = 0; i < 3; i++) {
        fill(names[i], &c, (const uint32_t[]){0}, 1);
        assert_int_equal(access(names[i], F_OK), 0);
    }
    assert_int_equal(files_in_folder(), 3);
    case_close(&c);
}

/* ---- The experiment ---- */

static void rename_and_extend(void **state)
{
    (void)state;
    struct results_case c, renamed;
    case_open(&c, CASE_JSON, HASH_A);
    case_open(&renamed,
              "{\"name\": \"other\", \"description\": \"d\", \"replications\": 9, \"policy\": "
              "{\"name\": \"fcfs\"}, \"workload\": {\"trace\": [{\"database\": \"jobs.db\"}]}}",
              HASH_A);
    assert_string_equal(c.x.config_hash, renamed.x.config_hash);
    fill("a.db", &c, (const uint32_t[]){0}, 1);
    fill("a.db", &renamed, (const uint32_t[]){1}, 1);
    assert_query("a.db",
                 "SELECT name, description, json_extract(config, '$.replications') "
                 "FROM experiment",
                 "other|d|9|\n");
    assert_query("a.db", "SELECT count(*) FROM run", "2|\n");
    case_close(&c);
    case_close(&renamed);
}

static void summary_is_replaced(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    fill("a.db", &c, (const uint32_t[]){0, 1}, 2);
    struct store *s = open_or_fail("a.db", &c.x);
    const struct summary_row rows[] = {
        {"utilisation", "1", METRIC_ALL, {0.5, NAN, NAN, 1, true}, 5},
        {"sla_met", "1", METRIC_CLASS + DCS_LATENCY, {0.25, 0.125, 0.75, 2, false}, 80},
        {"response_p99", "ns", 1, {3e6, 1e6, 7e6, 2, false}, 60},
    };
    assert_int_equal(store_summarise(s, rows, 3, &err), 0);
    store_close(s);
    assert_query("a.db",
                 "SELECT position, app, class, name, unit, value, low, high, n, requests, "
                 "median FROM summary",
                 "0|NULL|NULL|utilisation|1|0.5|NULL|NULL|1|5|1|\n"
                 "1|NULL|latency|sla_met|1|0.25|0.125|0.75|2|80|0|\n"
                 "2|1|NULL|response_p99|ns|3000000.0|1000000.0|7000000.0|2|60|0|\n");
    assert_query("a.db",
                 "SELECT name, policy, replications, sla_met, sla_met_low, sla_met_high, "
                 "utilisation, utilisation_low, revocations FROM headline",
                 "small|fcfs|2|0.25|0.125|0.75|0.5|NULL|NULL|\n");
    assert_query("a.db",
                 "SELECT application, class, p99_ms, p99_ms_low, p99_ms_high, sla_met "
                 "FROM application_summary",
                 "web|latency|NULL|NULL|NULL|NULL|\napi|latency|3.0|1.0|7.0|NULL|\n"
                 "train|batch|NULL|NULL|NULL|NULL|\n");
    assert_query("a.db", "SELECT class, sla_met FROM class_summary", "latency|0.25|\n");
    case_close(&c);
}

static void deleting_leaves_nothing(void **state)
{
    (void)state;
    struct results_case a, b;
    case_open(&a, CASE_JSON, HASH_A);
    case_open(&b, CASE_JSON, HASH_B);
    case_add_trace(&a);
    fill("one.db", &a, (const uint32_t[]){0, 1}, 2);
    fill("one.db", &b, (const uint32_t[]){0}, 1);
    fill("two.db", &b, (const uint32_t[]){0}, 1);
    free(query("one.db",
               "PRAGMA foreign_keys = ON; DELETE FROM experiment WHERE hash = '" HASH_A "'"));
    char *one = dump("one.db"), *two = dump("two.db");
    assert_string_equal(one, two);
    assert_query("one.db", "SELECT count(*) FROM wall", "1|\n");
    assert_query("one.db", "PRAGMA foreign_key_check; PRAGMA integrity_check", "ok|\n");
    free(one);
    free(two);
    case_close(&a);
    case_close(&b);
}

/* ---- docs/results.md ---- */

/* Each block of SQL in the page runs. */
static void documented_queries(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    fill("a.db", &c, (const uint32_t[]){0, 1}, 2);
    size_t size, blocks = 0;
    char *page = slurp(DCS_SOURCE_DIR "/docs/results.md", &size);
    assert_non_null(page);
    for (char *sql = page; (sql = strstr(sql, "```sql\n")) != NULL; blocks++) {
        sql += strlen("```sql\n");
        char *end = strstr(sql, "```");
        assert_non_null(end);
        *end = '\0';
        char *rows = query("a.db", sql);
        if (strstr(rows, "error: ") != NULL)
            fail_msg("%s\n%s", sql, rows);
        free(rows);
        sql = end + 1;
    }
    assert_true(blocks > 5);
    free(page);
    case_close(&c);
}

/* Each name that the SQL gives stands in the page, in code. */
static void everything_is_documented(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    c.x.device_kind = &device_shared;
    c.kind.spatial = &c.model; /* shared devices have metrics of their own */
    fill("a.db", &c, (const uint32_t[]){0}, 1);
    size_t size, names_count = 0;
    char *page = slurp(DCS_SOURCE_DIR "/docs/results.md", &size);
    assert_non_null(page);
    char *names =
        query("a.db", "SELECT m.name FROM sqlite_master m WHERE type IN ('table', 'view') "
                      "UNION SELECT c.name FROM sqlite_master m, "
                      "pragma_table_info(m.name) c WHERE c.name NOT LIKE '%\\_low' ESCAPE "
                      "'\\' AND c.name NOT LIKE '%\\_high' ESCAPE '\\' "
                      "UNION SELECT name FROM metric");
    char *rest = names;
    for (char *name; (name = strsep(&rest, "\n")) != NULL && name[0] != '\0'; names_count++) {
        char quoted[80];
        name[strcspn(name, "|")] = '\0';
        snprintf(quoted, sizeof quoted, "`%s`", name);
        if (strstr(page, quoted) == NULL)
            fail_msg("docs/results.md does not say what %s is", quoted);
    }
    assert_true(names_count > 100);
    free(names);
    free(page);
    case_close(&c);
}

static void pragmas(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, CASE_JSON, HASH_A);
    fill("a.db", &c, (const uint32_t[]){0}, 1);
    assert_query("a.db", "PRAGMA journal_mode; PRAGMA user_version; PRAGMA application_id",
                 "delete|\n11|\n1145262930|\n");
    /* Someone has switched it to WAL: it is switched back. */
    free(query("a.db", "PRAGMA journal_mode = WAL"));
    fill("a.db", &c, (const uint32_t[]){1}, 1);
    assert_query("a.db", "PRAGMA journal_mode; SELECT count(*) FROM run", "delete|\n2|\n");
    case_close(&c);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, folder_clear)
    const struct CMUnitTest tests[] = {
        TEST(summary_survives),
        TEST(order_leaves_no_trace),
        TEST(rows_of_a_run),
        TEST(rows_of_requests),
        TEST(rows_of_decisions),
        TEST(rows_of_services),
        TEST(verdicts),
        TEST(rows_of_metrics),
        TEST(file_comes_with_the_first_run),
        TEST(an_empty_file_is_no_database_yet),
        TEST(held_runs_are_not_wanted),
        TEST(names_are_only_names),
        TEST(rename_and_extend),
        TEST(summary_is_replaced),
        TEST(deleting_leaves_nothing),
        TEST(pragmas),
        TEST(documented_queries),
        TEST(everything_is_documented),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
