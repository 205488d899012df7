/*
 * test_report.c - the summary that a person reads.
 *
 * Pins: numbers, times and percentages at the edges of their units; one whole report to the letter;
 * what each note and warning needs in order to appear, at the rule's edge; intervals of means and
 * of medians, none for one run; options that differ from their defaults; that no line is wider than
 * 100 columns, ends in a blank or holds a control character, whatever names and numbers are. Does
 * not pin: the values of metrics and estimates.
 */
/* Before cmocka.h, whose macro fail() is the name of a member in policies/policy.h. */
#include "tests/unit/results/results_case.h"
#include "report/console/run_summary.h"
#include "text/table.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* ---- Numbers ---- */

static void assert_text(struct text found, const char *expected)
{
    assert_string_equal(found.at, expected);
}

static void times(void **state)
{
    (void)state;
    assert_text(text_value(0, TEXT_TIME), "0");
    assert_text(text_estimate(&(struct dcs_estimate){0, 0, 0, 5, false}, TEXT_TIME, 2), "0 ± 0");
    assert_text(text_value(999.4, TEXT_TIME), "999 ns");
    assert_text(text_value(999.5, TEXT_TIME), "1.00 us");
    assert_text(text_value(12345, TEXT_TIME), "12.3 us");
    assert_text(text_value(99949, TEXT_TIME), "99.9 us");
    assert_text(text_value(99951, TEXT_TIME), "100 us");
    assert_text(text_value(999499, TEXT_TIME), "999 us");
    assert_text(text_value(999500, TEXT_TIME), "1.00 ms");
    assert_text(text_value(1.5e9, TEXT_TIME), "1.50 s");
    assert_text(text_value(299.4e9, TEXT_TIME), "299 s");
    assert_text(text_value(299.6e9, TEXT_TIME), "4.99 min");
    assert_text(text_value(706e9, TEXT_TIME), "11.8 min");
    assert_text(text_value(7196e9, TEXT_TIME), "120 min");
    assert_text(text_value(7200e9, TEXT_TIME), "2.00 h");
    assert_text(text_value(86400e9, TEXT_TIME), "24.0 h");
    assert_text(text_value(10 * 86400e9, TEXT_TIME), "10.0 d");
    assert_text(text_value(9.2e18, TEXT_TIME), "106481 d");
    assert_text(text_value((double)NAN, TEXT_TIME), "-");
    /* A quantile that was not reached. */
    const struct dcs_estimate beyond = {(double)NAN, 3.2e9, (double)NAN, 5, false};
    assert_text(text_estimate(&beyond, TEXT_TIME, 2), "> 3.20 s");
    assert_text(text_reached(&beyond, TEXT_TIME), "> 3.20 s");
}

static void percentages(void **state)
{
    (void)state;
    assert_text(text_value(0, TEXT_PERCENT), "0.00 %");
    assert_text(text_value(1, TEXT_PERCENT), "100.00 %");
    assert_text(text_value(0.5, TEXT_PERCENT), "50.00 %");
    /* All is only what is all, none is only what is none. */
    assert_text(text_value(0.99994, TEXT_PERCENT), "99.99 %");
    assert_text(text_value(0.99996, TEXT_PERCENT), ">99.99 %");
    assert_text(text_value(1 - 1e-15, TEXT_PERCENT), ">99.99 %");
    assert_text(text_value(0.00006, TEXT_PERCENT), "0.01 %");
    assert_text(text_value(0.00004, TEXT_PERCENT), "<0.01 %");
    assert_text(text_value(20.5, TEXT_PERCENT), "2050.00 %");
}

static struct text around(double value, double low, double high, enum text_unit unit, bool median)
{
    const struct dcs_estimate e = {value, low, high, 5, median};
    return text_estimate(&e, unit, 2);
}

static void intervals(void **state)
{
    (void)state;
    assert_text(around(12.34e6, 11.93e6, 12.75e6, TEXT_TIME, false), "12.34 ± 0.41 ms");
    assert_text(around(1203.4, 1191.1, 1215.7, TEXT_NUMBER, false), "1203 ± 12");
    assert_text(around(0.912, 0.908, 0.916, TEXT_PERCENT, false), "91.20 ± 0.40 %");
    assert_text(around(0.912, 0.91199, 0.91201, TEXT_PERCENT, false), "91.200 ± 0.001 %");
    assert_text(around(1, 1, 1, TEXT_PERCENT, false), "100.00 ± 0.00 %");
    assert_text(around(635, 635, 635, TEXT_NUMBER, false), "635 ± 0");
    assert_text(around(12.3e6, 11.9e6, 12.7e6, TEXT_TIME, true), "12.30 [11.90, 12.70] ms");
    /* Not a median, but uneven. */
    assert_text(around(400e6, 273e6, 585e6, TEXT_TIME, false), "400 [273, 585] ms");
    /* The interval says nothing: the value keeps three digits. */
    assert_text(around(10.4e9, 1e3, 9e15, TEXT_TIME, false), "10.4 [0.0, 9.0e+06] s");
    assert_text(around(12.34e6, (double)NAN, (double)NAN, TEXT_TIME, true), "12.3 ms");
    assert_text(around((double)NAN, 1, 2, TEXT_TIME, true), "-");
}

static void counts(void **state)
{
    (void)state;
    assert_text(text_count(0, 7), "0");
    assert_text(text_count(1234567, 7), "1234567");
    assert_text(text_count(12345678, 7), "1.2e+07");
    assert_text(text_count(12.5, 7), "12.5");
    assert_text(text_count((double)NAN, 7), "-");
}

static void names(void **state)
{
    (void)state;
    assert_text(text_name("euclid", 6), "euclid");
    assert_text(text_name("euclidean", 6), "eucli…");
    assert_text(text_name("größer", 6), "größer");
    assert_text(text_name("größere", 6), "größe…");
    assert_text(text_name("a\x1b[31m\nb\xc2\x9b", 9), "a?[31m?b?");
    assert_text(text_name("a\xe2\x80\xae"
                          "b\xe2\x80\x8b",
                          9),
                "a?b?");
    char endless[1000]; /* one letter, with accents without end: no UTF-8 */
    memset(endless, 0xcc, sizeof endless - 1);
    memset(endless + 1, 0x81, sizeof endless - 2);
    endless[sizeof endless - 1] = '\0';
    assert_true(strlen(text_name(endless, 24).at) < TEXT_BYTES);
}

static void names_beside_each_other(void **state)
{
    (void)state;
    struct text out[4];
    /* What fits is left as it is; what differs where the end would be cut is cut there. */
    text_names((const char *[]){"one", "another-name"}, 2, 8, out);
    assert_text(out[0], "one");
    assert_text(out[1], "another…");
    /* The end differs. */
    text_names((const char *[]){"sharing.switch_us=75", "sharing.switch_us=0", "other.switch_us=0"},
               3, 16, out);
    assert_text(out[0], "shari…itch_us=75");
    assert_text(out[1], "shari…witch_us=0");
    assert_text(out[2], "other.switch_us…");
    /* More than the usual part of the end differs: less of the beginning. */
    text_names((const char *[]){"split (shares=a=0.25,b=0.5)", "split (shares=a=0.5,b=0.25)"}, 2,
               13, out);
    assert_text(out[0], "spl…25,b=0.5)");
    assert_text(out[1], "spl…5,b=0.25)");
    /* The beginning tells from one, the end from another: both stay. */
    text_names((const char *[]){"devices=2, requests per second=100",
                                "devices=2, requests per second=110",
                                "devices=3, requests per second=100",
                                "devices=3, requests per second=110"},
               4, 20, out);
    assert_text(out[0], "devices=2…second=100");
    assert_text(out[1], "devices=2…second=110");
    assert_text(out[2], "devices=3…second=100");
    assert_text(out[3], "devices=3…second=110");
    /* Somewhere in the middle, in letters of two bytes. */
    text_names((const char *[]){"größe=12345, x=1, and much more of the same",
                                "größe=12345, x=2, and much more of the same"},
               2, 15, out);
    assert_text(out[0], "größe…x=1, and…");
    assert_text(out[1], "größe…x=2, and…");
    /* A name that another begins with. */
    text_names((const char *[]){"elastic revocation", "elastic revocation twice"}, 2, 10, out);
    assert_text(out[0], "ela…cation");
    assert_text(out[1], "ela… twice");
}

/* ---- Reports ---- */

/* What the report says of `count` runs. */
static char *report(const struct results_case *c, struct run *runs, size_t count, uint64_t missing)
{
    struct summary summary;
    summary_init(&summary, &c->x);
    for (size_t i = 0; i < count; i++) {
        free(runs[i].metrics);
        runs[i].metrics = NULL;
        runs[i].metrics_count = 0;
        metrics_compute(&c->x, &runs[i]);
        summary_add(&summary, &runs[i]);
    }
    size_t rows_count, size;
    struct summary_row *rows = summary_rows(&summary, &rows_count);
    char *text;
    FILE *out = open_memstream(&text, &size);
    const struct report_runs how = {count + missing, 0, count, missing};
    report_print(out, &c->x, &summary, rows, rows_count, count > 0 ? runs[0].replay : NULL, &how);
    fclose(out);
    free(rows);
    summary_release(&summary);
    return text;
}

/* Runs with round numbers: `web` and `train` complete requests after 2, 4, 6 ... ms. */
static struct run plain_run(const struct results_case *c, uint32_t replication)
{
    struct run run = case_run(c, replication, 0);
    struct cluster_result *r = &run.result;
    for (uint32_t i = 0; i < CASE_APPS; i++) {
        struct cluster_app_result *a = &r->apps[i];
        free(a->response);
        *a = (struct cluster_app_result){0};
        if (i == 1)
            continue;
        a->response = dcs_alloc(1, sizeof *a->response);
        dcs_hist_init(a->response);
        for (int64_t n = 1; n <= 100; n++)
            dcs_hist_add(a->response, (i + 1) * 2000000 * n + replication * 1000000);
        a->arrived = a->done = a->completions = 100;
        a->decided = i == 0 ? 100 : 0;
        a->met = i == 0 ? 96 + replication : 0;
    }
    r->to_ns = 1000000100; /* a window of 1 s */
    r->jobs_count = 0;
    r->revocations = 3;
    r->apps[2].revocations = 3;
    for (uint32_t i = 0; i < 5; i++)
        r->devices[i] = (struct dcs_usage){800000000 + replication * 10000000, 700000000, 80000000,
                                           20000000 + replication * 10000000};
    return run;
}

#define WORLD(rest)                                                                                \
    "{\"name\": \"small\", \"policy\": {\"name\": \"elastic\"}, \"workload\": {\"services\": "     \
    "[{\"application\": \"train\", \"arrivals\": {\"rate_per_s\": 1}, \"requests\": 100}]}" rest   \
    "}"

static void assert_says(const char *text, const char *what)
{
    if (strstr(text, what) == NULL) {
        fputs(text, stderr); /* cmocka cuts long messages */
        fail_msg("expected \"%s\"", what);
    }
}

static void assert_silent(const char *text, const char *what)
{
    if (strstr(text, what) != NULL)
        fail_msg("did not expect \"%s\" in:\n%s", what, text);
}

static void whole_report(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, WORLD(", \"seed\": 7"), HASH);
    struct run runs[3] = {plain_run(&c, 0), plain_run(&c, 1), plain_run(&c, 2)};
    char *text = report(&c, runs, 3, 0);
    assert_string_equal(
        text,
        "small: elastic, seed 7, 3 replications\n"
        "2 domains x 2 devices (p1000), 1 domain x 1 device (p1000); until all work is done\n"
        "\n"
        "         requests      within SLA     p50     p95     p99    mean  revoked\n"
        "latency       300  97.00 ± 2.48 %  102 ms  192 ms  200 ms  102 ms\n"
        "  web         300  97.00 ± 2.48 %  102 ms  192 ms  200 ms  102 ms\n"
        "  api           0                       -       -       -       -\n"
        "batch         300                  303 ms  573 ms  598 ms  304 ms        3\n"
        "  train       300                  303 ms  573 ms  598 ms  304 ms        3\n"
        "\n"
        "of a run\n"
        "latency p99                 199.8 [197.2, 202.4] ms\n"
        "utilisation                          81.00 ± 2.48 %\n"
        "  useful work                        70.00 ± 0.00 %\n"
        "  lost work                           8.00 ± 0.00 %\n"
        "  overhead                            3.00 ± 2.48 %\n"
        "lost work over useful work           11.43 ± 0.00 %\n"
        "revocations by trap                           3 ± 0\n"
        "measured window                       1.00 ± 0.00 s\n"
        "batch completions                           100 ± 0\n"
        "batch throughput                         100 ± 0 /s\n"
        "\n"
        "Requests and quantiles: of all runs together; the rest: per run. Times: from arrival to "
        "completion.\n"
        "Means over 3 replications; ±: 95 % Student t interval; [low, high]: the same, around a "
        "quantile of\n"
        "  all requests.\n");
    free(text);
    for (int i = 0; i < 3; i++)
        run_release(&runs[i]);
    case_close(&c);
}

/* An application with one service has a verdict; of two, of which one may suffer, only together. */
static void services_of_one_application(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, WORLD(""), HASH);
    struct run run = plain_run(&c, 0);
    struct experiment_service services[] = {c.service, c.service};
    c.x.services = services;
    c.x.services_count = 1;
    char *text = report(&c, &run, 1, 0);
    assert_says(text,
                "\n  web           5  1.00 ms     400     200  50.0 ms  198 ms  undecided\n"
                "alone: on one device; peak/s, rate/s: on all devices of the service together\n");
    assert_silent(text, "\n  all ");
    free(text);
    run_release(&run);
    run = plain_run(&c, 0);
    c.x.services_count = 2;
    text = report(&c, &run, 1, 0);
    assert_says(text,
                "\n  web                 5  1.00 ms     400     200  50.0 ms       -          -\n"
                "  web                 5  1.00 ms     400     200  50.0 ms       -          -\n"
                "  all 2 of web                                    50.0 ms  198 ms  undecided\n");
    free(text);
    run_release(&run);
    case_close(&c);
}

static void one_run_has_no_interval(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, WORLD(""), HASH);
    struct run run = plain_run(&c, 0);
    char *text = report(&c, &run, 1, 0);
    assert_says(text, "seed 1, 1 replication\n");
    assert_says(text, "One replication: no intervals.");
    assert_says(text, "  web         100     96.00 %  ");
    assert_silent(text, "±");
    assert_silent(text, "WARNING");
    free(text);
    run_release(&run);
    case_close(&c);
}

static void medians(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, WORLD(", \"interval\": \"median\""), HASH);
    struct run runs[3] = {plain_run(&c, 0), plain_run(&c, 1), plain_run(&c, 2)};
    char *text = report(&c, runs, 3, 0);
    assert_says(text, "97.0 [96.0, 98.0] %");
    assert_says(text, "Medians over 3 replications; [low, high]: 95 % bootstrap interval (covers "
                      "less with");
    assert_silent(text, "±");
    free(text);
    for (int i = 0; i < 3; i++)
        run_release(&runs[i]);
    case_close(&c);
}

static void nothing_has_run(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, WORLD(""), HASH);
    char *text = report(&c, NULL, 0, 5);
    assert_says(text, "small: elastic, seed 1, 0 replications\n");
    assert_says(text, "WARNING: interrupted: 5 of 5 replications are missing.");
    assert_silent(text, "requests ");
    free(text);
    case_close(&c);
}

static void options_that_differ(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c,
              "{\"policy\": {\"name\": \"elastic\", \"revocation\": true}, \"horizon\": "
              "{\"duration_s\": 60, \"warmup_s\": 5}, \"workload\": {\"trace\": [{\"database\": "
              "\"p\"}]}}",
              HASH);
    char *text = report(&c, NULL, 0, 1);
    assert_says(text, "experiment: elastic (revocation=true), seed 1");
    assert_says(text, "; 60.0 s of simulated time, the first 5.00\n    s not counted\n");
    free(text);
    case_close(&c);
}

/* ---- Warnings ---- */

/* The report of one run in which 1000 requests of an application arrived, with so many inside or
 * dropped at the end. */
static char *crowded(const char *json, uint32_t app, uint64_t arrived, uint64_t inside,
                     uint64_t dropped)
{
    struct results_case c;
    case_open(&c, json, HASH);
    struct run run = plain_run(&c, 0);
    struct cluster_app_result *a = &run.result.apps[app];
    a->arrived = arrived;
    a->inside = inside;
    a->dropped = dropped;
    a->done = arrived - inside - dropped;
    a->decided = app == 0 ? a->done + dropped : 0;
    a->met = 0;
    char *text = report(&c, &run, 1, 0);
    run_release(&run);
    case_close(&c);
    return text;
}

static void overloaded(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        uint32_t app;
        uint64_t arrived, inside;
        bool warns;
    } cases[] = {
        {WORLD(", \"horizon\": {\"duration_s\": 9}"), 0, 1000, 51, true},
        {WORLD(", \"horizon\": {\"duration_s\": 9}"), 0, 1000, 50, false},
        {WORLD(", \"horizon\": {\"duration_s\": 9}"), 0, 20, 10, true},
        {WORLD(", \"horizon\": {\"duration_s\": 9}"), 0, 20, 9, false},   /* chance */
        {WORLD(", \"horizon\": {\"duration_s\": 9}"), 2, 1000, 51, true}, /* batch, open loop */
        {WORLD(""), 0, 1000, 51, false},                                  /* it has no horizon */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = crowded(cases[i].json, cases[i].app, cases[i].arrived, cases[i].inside, 0);
        if ((strstr(text, "WARNING: overloaded") != NULL) != cases[i].warns)
            fail_msg("case %zu:\n%s", i, text);
        free(text);
    }
    /* Closed loop: clients wait for their answer, and are always inside. */
    char *text = crowded("{\"policy\": {\"name\": \"fcfs\"}, \"horizon\": {\"duration_s\": 9}, "
                         "\"workload\": {\"batch\": [{\"application\": \"train\"}]}}",
                         2, 1000, 900, 0);
    assert_silent(text, "WARNING");
    free(text);
}

static void dropped(void **state)
{
    (void)state;
    char *text = crowded(WORLD(""), 0, 1000, 0, 51);
    assert_says(text, "WARNING: overloaded: 5.10 % of the requests of web were dropped");
    assert_says(text, "  dropped");
    assert_true(strstr(text, "WARNING: overloaded") < strstr(text, "within SLA"));
    free(text);
    text = crowded(WORLD(""), 0, 1000, 0, 50);
    assert_silent(text, "WARNING");
    assert_says(text, "  dropped");
    free(text);
}

static void undecided(void **state)
{
    (void)state;
    char *text = crowded(WORLD(""), 0, 1000, 7, 0);
    assert_says(text, "Undecided: 7 of 1000 latency requests were inside");
    free(text);
    text = crowded(WORLD(""), 0, 1000, 0, 7);
    assert_silent(text, "Undecided");
    free(text);
}

/* 0.9 +- 1.27 of two runs; no share is above 1 or below 0. */
static void shares_stay_shares(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, WORLD(""), HASH);
    struct run runs[2] = {plain_run(&c, 0), plain_run(&c, 1)};
    runs[0].result.apps[0].met = 80;
    runs[1].result.apps[0].met = 100;
    char *text = report(&c, runs, 2, 0);
    assert_says(text, "90.0 [0.0, 100.0] %");
    free(text);
    run_release(&runs[0]);
    run_release(&runs[1]);
    case_close(&c);
}

/* Its class decides how an application is scheduled, whatever section it is in; and what no client
 * got back is said, also where its requests came before the window. */
static void classes_and_unserved(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c,
              "{\"policy\": {\"name\": \"fcfs\"}, \"workload\": {\"batch\": ["
              "{\"application\": \"api\"}, {\"application\": \"train\"}]}, \"horizon\": "
              "{\"duration_s\": 9}}",
              HASH);
    struct run run = plain_run(&c, 0);
    char *text = report(&c, &run, 1, 0);
    assert_says(text,
                "WARNING: class: workload.batch[0] is of api, an application of class latency");
    assert_silent(text, "WARNING: class: workload.batch[1]");
    assert_says(text, "WARNING: not served: no request of api was completed");
    assert_silent(text, "no request of train");
    free(text);
    run_release(&run);
    case_close(&c);
}

static void other_warnings(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, WORLD(", \"predictor\": \"clairvoyant\""), HASH);
    case_add_trace(&c);
    struct config_trace replay = {.database = "jobs.db", .replay = {.duration_compression = 20}};
    c.config.workload.trace = (struct param_list){&replay, 1};
    struct run run = plain_run(&c, 0);
    run.result.left_waiting = 4;
    char *text = report(&c, &run, 1, 2);
    assert_says(text, "WARNING: interrupted: 2 of 3 replications are missing.");
    assert_says(text, "WARNING: the predictor is clairvoyant");
    assert_says(text, "WARNING: stranded: 4 requests waited");
    assert_says(
        text,
        "\nTrace jobs.db\n"
        "                    jobs\n"
        "  kept                 7\n"
        "  left out: failed     3\n"
        "Replayed in the first replication: 7 jobs, whose 8 clients have up to 90 requests. "
        "Arrivals are\n"
        "  compressed by 1.5, durations by 20: an offered load of 0.8 for 5 s. After that the "
        "clients issue\n  nothing more: what they had left is \"never issued\".\n"
        "2 of the jobs are shorter than half a request and got one; the requests "
        "offer 1.5 times the work of\n  the trace.\n");
    free(text);
    c.config.workload.trace = (struct param_list){0};
    run_release(&run);
    case_close(&c);
}

static void what_stands_in(void **state)
{
    (void)state;
    struct results_case c;
    case_open(&c, WORLD(", \"sharing\": {\"model\": \"spatial\"}, \"predictor\": \"knn\""), HASH);
    struct run run = plain_run(&c, 0);
    run.result.shared_sms = 100;
    run.result.shared.sm_ns = 40e9;
    run.result.shared.kernel_ns = 4e9;
    run.result.shared.slowed_ns = 1e9;
    c.total_ns[2] = 10000000;
    char *text = report(&c, &run, 1, 0);
    assert_says(text, "WARNING: of profile p1000: kernels of web were not measured alone.");
    assert_says(text, "Predictions: knn, trained on the profile.");
    /* 100 requests of 10 ms each, on five devices for one second. */
    assert_says(text, "\nSMs in use                  40.00 %\n"
                      "time added by contention    25.00 %\n");
    assert_says(text, "\n  work over that alone      20.00 %\n");
    free(text);
    c.kind.falls_back = NULL;
    c.config.predictor = PREDICTOR_MEAN;
    text = report(&c, &run, 1, 0);
    assert_silent(text, "of profile");
    assert_silent(text, "Predictions");
    free(text);
    run_release(&run);
    case_close(&c);
}

/* Sizes that are not the default are said, since nothing else in the summary shows them. */
static void drawn_inputs(void **state)
{
    (void)state;
    struct results_case c;
    case_open(
        &c,
        "{\"policy\": {\"name\": \"elastic\"}, \"sharing\": {\"model\": \"spatial\"}, \"horizon\": "
        "{\"duration_s\": 1}, "
        "\"workload\": {\"services\": ["
        "{\"application\": \"web\", \"input\": \"uniform\", \"arrivals\": {\"rate_per_s\": 1}},"
        "{\"application\": \"api\", \"arrivals\": {\"rate_per_s\": 1}}],"
        "\"batch\": [{\"application\": \"train\", \"input\": \"17\"}]}}",
        HASH);
    char *text = report(&c, NULL, 0, 0);
    assert_says(text, "Inputs, where not of the default size: web (uniform), train (17).\n");
    free(text);
    case_close(&c);
    case_open(&c, WORLD(""), HASH);
    text = report(&c, NULL, 0, 0);
    assert_silent(text, "Inputs");
    free(text);
    case_close(&c);
}

/* Only of a policy that asks about fused launches; and where it found none, that is said. */
static void fused_launches(void **state)
{
    (void)state;
    struct results_case c;
    struct dcs_fusion fusion = {0};
    case_open(&c, WORLD(", \"sharing\": {\"model\": \"spatial\"}"), HASH);
    c.model.fusion = &fusion;
    struct run run = plain_run(&c, 0);
    char *text = report(&c, &run, 1, 0);
    assert_silent(text, "fuse");
    free(text);
    run.result.fusion.asked = 1;
    run.result.launches = 40;
    text = report(&c, &run, 1, 0);
    assert_says(text, "\nfused launches                    0\n"
                      "  kernels in them            0.00 %\n"
                      "lost work");
    assert_says(text, "WARNING: no kernels were fused");
    free(text);
    run.result.fusion.launches = run.result.fusion.completed = 5;
    run.result.fusion.alone_ns = 100;
    run.result.fusion.fused_ns = 80;
    text = report(&c, &run, 1, 0);
    assert_says(text, "\nfused launches                    5\n"
                      "  kernels in them           25.00 %\n"
                      "  of their time saved       20.00 %\n");
    assert_silent(text, "no kernels were fused");
    free(text);
    run_release(&run);
    case_close(&c);
}

/* ---- Width ---- */

/* Fills a run with the longest numbers that fit their types. */
static void make_wide(struct run *run, uint32_t replication)
{
    for (uint32_t i = 0; i < CASE_APPS; i++) {
        struct cluster_app_result *a = &run->result.apps[i];
        a->arrived = 888888888888888888u;
        a->dropped = 777777777777777 + replication;
        a->revocations = 666666666666666 + replication;
        a->decided = 555555555555555;
        a->met = a->decided - 1 - replication * 99999999999999;
        a->completions = 444444444444444 + replication;
    }
    run->result.revocations = 666666666666666 + replication;
    run->result.launches = UINT32_MAX;
    run->result.to_ns = 7777777777777777777;
}

static void assert_lines(const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n"), columns = 0;
        for (size_t i = 0; i < length; i++) {
            columns += ((unsigned char)text[i] & 0xc0) != 0x80;
            assert_true((unsigned char)text[i] >= 0x20);
        }
        if (columns > REPORT_WIDTH)
            fail_msg("%zu columns: %.*s", columns, (int)length, text);
        if (length > 0 && text[length - 1] == ' ')
            fail_msg("ends in a blank: %.*s", (int)length, text);
        text += length + 1;
    }
}

static void width(void **state)
{
    (void)state;
    static const char *const worlds[] = {
        WORLD(""), WORLD(", \"interval\": \"median\""),
        "{\"name\": \"a name that has many words and goes on and on until the line is full and the "
        "next line too \\u0007\\u001b[31m andthenawordthatislongerthananylinecouldeverbe0123456789"
        "0123456789012345678901234567890123456789012345678901234567890123456789\", \"policy\": "
        "{\"name\": \"elastic\", \"revocation\": true}, \"workload\": {\"trace\": [{\"database\": "
        "\"p\"}]}}"};
    for (size_t w = 0; w < 3; w++) {
        struct results_case c;
        case_open(&c, worlds[w], HASH);
        c.apps[1].name = "an-application-with-a-very-long-name-größer-als-jede-spalte";
        struct run runs[3];
        for (uint32_t i = 0; i < 3; i++) {
            runs[i] = case_run(&c, i, 0);
            make_wide(&runs[i], i);
        }
        char *text = report(&c, runs, 3, 1);
        assert_lines(text);
        free(text);
        for (int i = 0; i < 3; i++)
            run_release(&runs[i]);
        case_close(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times),
        cmocka_unit_test(percentages),
        cmocka_unit_test(intervals),
        cmocka_unit_test(counts),
        cmocka_unit_test(names),
        cmocka_unit_test(names_beside_each_other),
        cmocka_unit_test(whole_report),
        cmocka_unit_test(services_of_one_application),
        cmocka_unit_test(one_run_has_no_interval),
        cmocka_unit_test(medians),
        cmocka_unit_test(nothing_has_run),
        cmocka_unit_test(options_that_differ),
        cmocka_unit_test(overloaded),
        cmocka_unit_test(dropped),
        cmocka_unit_test(undecided),
        cmocka_unit_test(shares_stay_shares),
        cmocka_unit_test(classes_and_unserved),
        cmocka_unit_test(other_warnings),
        cmocka_unit_test(what_stands_in),
        cmocka_unit_test(drawn_inputs),
        cmocka_unit_test(fused_launches),
        cmocka_unit_test(width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
