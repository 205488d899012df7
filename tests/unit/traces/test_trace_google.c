/*
 * test_trace_google.c - the importers of both Google traces on a few rows made by hand.
 *
 * Pins: the exact jobs (times, class, request, priority, censored, early, status) of each kind of
 * life, the exact count and first line of each issue; what times of 0 make of a life; and that the
 * event numbers of 2011 and 2019 are not mixed up: the same life, told in the numbers of either
 * year, gives the same job, and told in the other year's gives another. Does not pin: the real
 * tables (tests/e2e/trace_import.sh).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "traces/import.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DATA DCS_SOURCE_DIR "/tests/data/traces/"

static const struct trace_format *format_of(const char *name)
{
    for (size_t i = 0; trace_formats[i] != NULL; i++)
        if (strcmp(trace_formats[i]->name, name) == 0)
            return trace_formats[i];
    fail_msg("no format %s", name);
    return NULL;
}

static struct import_counts run(const char *format, const char *path, const char *output)
{
    const struct import_options options = {
        .format = format_of(format), .paths = &path, .paths_count = 1, .output = output};
    struct import_counts counts;
    struct dcs_err err = {0};
    if (trace_import_run(&options, &counts, &err) != 0)
        fail_msg("%s:%d: %s", err.file, err.line, err.text);
    return counts;
}

struct expected_issue {
    enum trace_issue issue;
    uint64_t noted, repaired, left_out, line;
};

/* Those, and no others. */
static void check_issues(const struct import_counts *c, const struct expected_issue *expected,
                         size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const struct import_issue_counts *n = &c->issues[expected[i].issue];
        print_message("%s\n", trace_issue_name(expected[i].issue));
        assert_int_equal(n->count[TRACE_NOTED], expected[i].noted);
        assert_int_equal(n->count[TRACE_REPAIRED], expected[i].repaired);
        assert_int_equal(n->count[TRACE_LEFT_OUT], expected[i].left_out);
        assert_int_equal(n->first_line, expected[i].line);
    }
    for (int i = 0; i < ISSUES; i++)
        found += c->issues[i].count[0] + c->issues[i].count[1] + c->issues[i].count[2] > 0;
    assert_int_equal(found, count);
}

/* The jobs of an import, a line each, in order of arrival and key. */
static void check_jobs(const char *format, const char *path, const char *expected)
{
    char output[] = "/tmp/dcsim-test-XXXXXX", text[4096] = "";
    int fd = mkstemp(output);
    assert_true(fd >= 0);
    close(fd);
    unlink(output);
    run(format, path, output);
    sqlite3 *db;
    sqlite3_stmt *s;
    assert_int_equal(sqlite3_open(output, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db,
                           "SELECT printf('%s %d +%d %d %s %g %d%s%s %s :%d', source_key,"
                           " arrival_ns/1000000, (start_ns-arrival_ns)/1000000, duration_ns/1000,"
                           " class, cpus, priority, iif(censored,' censored',''),"
                           " iif(early,' early',''), status, line)"
                           " FROM job ORDER BY arrival_ns, source_key",
                           -1, &s, NULL),
        SQLITE_OK);
    for (size_t used = 0; sqlite3_step(s) == SQLITE_ROW; used = strlen(text))
        snprintf(text + used, sizeof text - used, "%s\n", (const char *)sqlite3_column_text(s, 0));
    sqlite3_finalize(s);
    sqlite3_close(db);
    unlink(output);
    assert_string_equal(text, expected);
}

static void tasks_2011(void **state)
{
    (void)state;
    const char *path = DATA "google-2011/task_events.csv";
    struct import_counts c = run("google-2011-task-events", path, NULL);
    assert_int_equal(c.rows, 21);
    assert_int_equal(c.rows_events, 17);
    assert_int_equal(c.rows_left_out, 4);
    assert_int_equal(c.entities, 6);
    assert_int_equal(c.jobs, 5);
    assert_int_equal(c.end_ns, 613 * DCS_NS_PER_S);
    const struct expected_issue expected[] = {
        {ISSUE_MALFORMED, 0, 0, 2, 15},     {ISSUE_OUT_OF_RANGE, 0, 0, 1, 17},
        {ISSUE_TIME_ZERO, 2, 1, 0, 1},      {ISSUE_TIME_SENTINEL, 1, 0, 0, 21},
        {ISSUE_NO_START, 0, 0, 1, 7},       {ISSUE_NO_END, 1, 0, 0, 11},
        {ISSUE_NO_SUBMIT, 0, 1, 0, 8},      {ISSUE_ZERO_DURATION, 0, 1, 0, 19},
        {ISSUE_REPEATED_LIFE, 1, 0, 0, 11}, {ISSUE_UNORDERED, 1, 0, 0, 12},
        {ISSUE_NO_RESOURCES, 1, 0, 0, 1},   {ISSUE_IMPOSSIBLE_RESOURCES, 3, 0, 0, 18},
        {ISSUE_UNKNOWN_CODE, 0, 0, 1, 14},  {ISSUE_FAILED, 1, 0, 0, 9},
        {ISSUE_SYNTHESISED, 1, 0, 0, 1},
    };
    check_issues(&c, expected, sizeof expected / sizeof *expected);
    check_jobs("google-2011-task-events", path,
               "101/0 600000 +0 9000000 latency 0.5 9 early success :2\n"
               "102/0 600000 +1000 2000000 batch 0.25 0 success :4\n"
               "104/0 605000 +0 1000000 latency 0.5 10 failed :8\n"
               "104/0 607000 +1000 5000000 latency 0.5 10 censored unknown :11\n"
               "107/0 613000 +0 1 batch 1.5 2 success :19\n");
}

static void jobs_2011(void **state)
{
    (void)state;
    const char *path = DATA "google-2011/job_events.csv";
    struct import_counts c = run("google-2011-job-events", path, NULL);
    const struct expected_issue expected[] = {{ISSUE_FAILED, 1, 0, 0, 6}}; /* 6 is LOST */
    check_issues(&c, expected, 1);
    check_jobs("google-2011-job-events", path,
               "201 600000 +1000 3000000 latency 0 -1 success :2\n"
               "202 602000 +1000 5000000 batch 0 -1 failed :4\n");
}

static void instances_2019(void **state)
{
    (void)state;
    const char *path = DATA "google-2019/instance_events.json";
    struct import_counts c = run("google-2019-instance-events", path, NULL);
    assert_int_equal(c.rows, 14);
    assert_int_equal(c.rows_events, 10);
    assert_int_equal(c.entities, 4);
    const struct expected_issue expected[] = {
        {ISSUE_MALFORMED, 0, 0, 1, 12},    {ISSUE_OUT_OF_RANGE, 0, 0, 1, 13},
        {ISSUE_TIME_ZERO, 1, 1, 0, 9},     {ISSUE_TIME_SENTINEL, 1, 0, 0, 8},
        {ISSUE_NO_START, 0, 0, 1, 14},     {ISSUE_NO_END, 1, 0, 0, 9},
        {ISSUE_NO_SUBMIT, 0, 1, 0, 9},     {ISSUE_NO_RESOURCES, 1, 0, 0, 14},
        {ISSUE_UNKNOWN_CODE, 0, 0, 1, 11}, {ISSUE_NOT_A_JOB, 0, 0, 1, 10},
        {ISSUE_FAILED, 1, 0, 0, 5},        {ISSUE_SYNTHESISED, 1, 0, 0, 9},
    };
    check_issues(&c, expected, sizeof expected / sizeof *expected);
    check_jobs("google-2019-instance-events", path,
               "301/0 600000 +1000 5000000 latency 0.25 200 success :2\n"
               "303/1 600000 +0 6000000 latency 0.5 360 censored early unknown :9\n"
               "302/7 602000 +0 1000000 batch 0.5 25 failed :6\n");
    check_jobs("google-2019-collection-events", DATA "google-2019/collection_events.json",
               "401 600000 +1000 1000000 latency 0 200 success :3\n");
}

static void machines_make_no_jobs(void **state)
{
    (void)state;
    struct import_counts c =
        run("google-2011-machine-events", DATA "google-2011/machine_events.csv", NULL);
    const struct expected_issue of_2011[] = {{ISSUE_TIME_ZERO, 2, 0, 0, 1},
                                             {ISSUE_NO_RESOURCES, 1, 0, 0, 2},
                                             {ISSUE_UNKNOWN_CODE, 0, 0, 1, 4},
                                             {ISSUE_NOT_A_JOB, 0, 0, 3, 1}};
    check_issues(&c, of_2011, 4);
    c = run("google-2019-machine-events", DATA "google-2019/machine_events.json", NULL);
    const struct expected_issue of_2019[] = {{ISSUE_TIME_ZERO, 1, 0, 0, 1},
                                             {ISSUE_NO_RESOURCES, 1, 0, 0, 2},
                                             {ISSUE_UNKNOWN_CODE, 0, 0, 1, 3},
                                             {ISSUE_NOT_A_JOB, 0, 0, 2, 1}};
    check_issues(&c, of_2019, 4);
}

/* One life, submit, schedule and an end, in either year's form and the given numbers. What it
 * became: 'f' finished, 'x' failed, 'r' still running (the end is no end). */
static char ending(int year, int submit, int schedule, int end)
{
    char path[] = "/tmp/dcsim-test-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    const int codes[] = {submit, schedule, end};
    for (int i = 0; i < 3; i++)
        fprintf(file,
                year == 2011 ? "%d000000,,5,0,1,%d,u,0,0,0.5,0.1,0,0\n"
                             : "{\"time\":\"%d000000\",\"type\":\"%d\",\"collection_id\":\"5\","
                               "\"instance_index\":\"0\",\"resource_request\":{\"cpus\":0.5}}\n",
                700 + i, codes[i]);
    fclose(file);
    struct import_counts c =
        run(year == 2011 ? "google-2011-task-events" : "google-2019-instance-events", path, NULL);
    unlink(path);
    assert_int_equal(c.jobs, 1);
    if (c.issues[ISSUE_NO_END].count[TRACE_NOTED] > 0)
        return 'r';
    return c.issues[ISSUE_FAILED].count[TRACE_NOTED] > 0 ? 'x' : 'f';
}

static void numbers_of_the_years(void **state)
{
    (void)state;
    static const char of_2011[] = "xxfxxrr", of_2019[] = "xxfxxrr";
    for (int end = 2; end <= 8; end++) /* EVICT FAIL FINISH KILL LOST UPDATE UPDATE */
        assert_int_equal(ending(2011, 0, 1, end), of_2011[end - 2]);
    for (int end = 4; end <= 10; end++)
        assert_int_equal(ending(2019, 0, 3, end), of_2019[end - 4]);
    assert_int_equal(ending(2011, 0, 1, 4), 'f'); /* 4 is FINISH ... */
    assert_int_equal(ending(2019, 0, 3, 4), 'x'); /* ... and EVICT */
    assert_int_equal(ending(2011, 0, 1, 6), 'x'); /* 6 is LOST ... */
    assert_int_equal(ending(2019, 0, 3, 6), 'f'); /* ... and FINISH */
}

/* Submitted at 0: it ran then, waited, or both in turn. Of the second attempt all is known. */
static void there_when_the_trace_began(void **state)
{
    (void)state;
    static const char rows[] = "0,,1,0,,0,u,0,0,0.5,0.1,0,0\n"
                               "0,,1,0,,1,u,0,0,0.5,0.1,0,0\n"
                               "0,,2,0,,0,u,0,0,0.5,0.1,0,0\n"
                               "0,,3,0,,0,u,0,0,0.5,0.1,0,0\n"
                               "602000000,,1,0,,4,u,0,0,0.5,0.1,0,0\n"
                               "605000000,,2,0,,1,u,0,0,0.5,0.1,0,0\n"
                               "608000000,,2,0,,4,u,0,0,0.5,0.1,0,0\n"
                               "609000000,,2,0,,0,u,0,0,0.5,0.1,0,0\n"
                               "610000000,,2,0,,1,u,0,0,0.5,0.1,0,0\n"
                               "611000000,,2,0,,4,u,0,0,0.5,0.1,0,0\n";
    char path[] = "/tmp/dcsim-test-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    fputs(rows, file);
    fclose(file);
    struct import_counts c = run("google-2011-task-events", path, NULL);
    const struct expected_issue expected[] = {
        {ISSUE_TIME_ZERO, 4, 2, 0, 1},
        {ISSUE_NO_START, 0, 0, 1, 4},
        {ISSUE_REPEATED_LIFE, 1, 0, 0, 9},
    };
    check_issues(&c, expected, sizeof expected / sizeof *expected);
    check_jobs("google-2011-task-events", path,
               "1/0 600000 +0 2000000 batch 0.5 0 early success :2\n"
               "2/0 600000 +5000 3000000 batch 0.5 0 early success :6\n"
               "2/0 609000 +1000 1000000 batch 0.5 0 success :9\n");
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_2011),           cmocka_unit_test(jobs_2011),
        cmocka_unit_test(instances_2019),       cmocka_unit_test(machines_make_no_jobs),
        cmocka_unit_test(numbers_of_the_years), cmocka_unit_test(there_when_the_trace_began),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
