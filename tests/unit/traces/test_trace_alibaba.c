/*
 * test_trace_alibaba.c - pins what the importers of Alibaba's tables make of each kind of row: jobs
 * with their values, issues with their counts and first lines. The rows in tests/data/traces are
 * made up, one for each rule in the head of a format's file, on both sides of each limit. That the
 * counts hold for published data is in tests/e2e/trace_alibaba.sh.
 */
#include "traces/import.h"
#include "traces/jobs.h"

#include <math.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define DATA    DCS_SOURCE_DIR "/tests/data/"
#define FIXTURE DATA "traces/alibaba-"

extern const struct trace_format format_alibaba_2017, format_alibaba_2018, format_pai_2020_job,
    format_pai_2020_task, format_pai_2020_instance, format_openb_2023, format_dlrm_2025;

static char folder[256], database[300];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/test_trace_alibaba_XXXXXX", DCS_BINARY_DIR);
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(database, sizeof database, "%s/jobs.db", folder);
    return 0;
}

static int remove_database(void **state)
{
    (void)state;
    unlink(database);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

/* ---- what is expected ---- */

enum flag {
    CENSORED = 1,
    EARLY = 2,
    FAILED = 4,
    UNKNOWN = 8, /* its status; else success. Of what is censored it is unknown anyway. */
};

struct job {
    const char *key;
    int line;
    double arrival_s, start_s, duration_s; /* exact: all are multiples of half a second */
    enum dcs_class class;
    double gpus, cpus; /* to 1e-9: 0.46 is no double */
    int flags;
};

struct issue {
    enum trace_issue issue;
    unsigned noted, repaired, left_out;
    unsigned first_line;
};

struct expected {
    const struct trace_format *format;
    const char *path;
    size_t rows, jobs_count, issues_count;
    const struct job *jobs;
    const struct issue *issues;
};

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define EXPECTED(format_, path_, rows_)                                                            \
    {                                                                                              \
        .format = &(format_), .path = FIXTURE path_, .rows = (rows_), .jobs = jobs,                \
        .jobs_count = COUNT(jobs), .issues = issues, .issues_count = COUNT(issues)                 \
    }

static void import(const struct trace_format *format, const char *path, struct import_counts *out)
{
    struct dcs_err err = {0};
    const struct import_options options = {
        .format = format, .paths = &path, .paths_count = 1, .output = database};
    if (trace_import_run(&options, out, &err) != 0)
        fail_msg("%s:%d: %s", err.file, err.line, err.text);
}

static void check_issues(const struct import_counts *counts, const struct expected *e)
{
    for (int i = 0; i < ISSUES; i++) {
        struct issue want = {0};
        for (size_t k = 0; k < e->issues_count; k++)
            if (e->issues[k].issue == (enum trace_issue)i)
                want = e->issues[k];
        const uint64_t *found = counts->issues[i].count;
        if (found[TRACE_NOTED] != want.noted || found[TRACE_REPAIRED] != want.repaired ||
            found[TRACE_LEFT_OUT] != want.left_out ||
            counts->issues[i].first_line != want.first_line)
            fail_msg("%s: %s: noted %d, repaired %d, left out %d, first line %d", e->path,
                     trace_issue_name((enum trace_issue)i), (int)found[TRACE_NOTED],
                     (int)found[TRACE_REPAIRED], (int)found[TRACE_LEFT_OUT],
                     (int)counts->issues[i].first_line);
    }
}

static int64_t ns(double seconds)
{
    return (int64_t)(seconds * 2) * (DCS_NS_PER_S / 2);
}

/* The database is opened, and the jobs are read in the order of the statement. */
static sqlite3_stmt *select_jobs(sqlite3 **db, const char *order)
{
    char sql[200];
    sqlite3_stmt *s;
    snprintf(sql, sizeof sql,
             "SELECT source_key, line, arrival_ns, start_ns, duration_ns, class, gpus, cpus,"
             " censored, early, priority, status, id, models FROM job ORDER BY %s",
             order);
    assert_int_equal(sqlite3_open_v2(database, db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(*db, sql, -1, &s, NULL), SQLITE_OK);
    return s;
}

static void check_class(sqlite3_stmt *s, enum dcs_class class)
{
    assert_string_equal((const char *)sqlite3_column_text(s, 5),
                        class == DCS_LATENCY ? "latency" : "batch");
}

static void check_status(sqlite3_stmt *s, int flags)
{
    const char *expected = "success";
    if (flags & (UNKNOWN | CENSORED))
        expected = "unknown";
    else if (flags & FAILED)
        expected = "failed";
    assert_string_equal((const char *)sqlite3_column_text(s, 11), expected);
}

static void check_jobs(const struct expected *e)
{
    sqlite3 *db;
    sqlite3_stmt *s = select_jobs(&db, "id");
    for (size_t i = 0; i < e->jobs_count; i++) {
        const struct job *job = &e->jobs[i];
        assert_int_equal(sqlite3_step(s), SQLITE_ROW);
        assert_string_equal((const char *)sqlite3_column_text(s, 0), job->key);
        assert_int_equal(sqlite3_column_int(s, 1), job->line);
        assert_int_equal(sqlite3_column_int64(s, 2), ns(job->arrival_s));
        assert_int_equal(sqlite3_column_int64(s, 3), ns(job->start_s));
        assert_int_equal(sqlite3_column_int64(s, 4), ns(job->duration_s));
        check_class(s, job->class);
        assert_true(fabs(sqlite3_column_double(s, 6) - job->gpus) < 1e-9);
        assert_true(fabs(sqlite3_column_double(s, 7) - job->cpus) < 1e-9);
        assert_int_equal(sqlite3_column_int(s, 8), (job->flags & CENSORED) != 0);
        assert_int_equal(sqlite3_column_int(s, 9), (job->flags & EARLY) != 0);
        assert_int_equal(sqlite3_column_int(s, 10), 0);
        check_status(s, job->flags);
    }
    assert_int_equal(sqlite3_step(s), SQLITE_DONE);
    sqlite3_finalize(s);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void check(const struct expected *e)
{
    struct import_counts counts;
    import(e->format, e->path, &counts);
    check_issues(&counts, e);
    assert_int_equal(counts.rows, e->rows);
    assert_int_equal(counts.jobs, e->jobs_count);
    assert_int_equal(counts.rows_jobs, e->jobs_count);
    assert_int_equal(counts.rows_left_out, e->rows - e->jobs_count);
    check_jobs(e);
}

/* ---- the formats ---- */

static void test_2017(void **state)
{
    (void)state;
    static const struct job jobs[] = {
        {"1/10", 1, 100, 100, 60, DCS_BATCH, 0, 2, 0},
        {"1/11", 2, 200, 200, 0.5, DCS_BATCH, 0, 1, 0},
        {"2/20", 3, 300, 300, 50, DCS_BATCH, 0, 1, FAILED},
        {"2/21", 4, 300, 300, 50, DCS_BATCH, 0, 1.5, FAILED},
        {"3/30", 5, 400, 400, 61268, DCS_BATCH, 0, 1, CENSORED},
        {"5/50", 7, 0, 0, 60, DCS_BATCH, 0, 0.5, EARLY},
        {"5/51", 8, 0, 0, 60, DCS_BATCH, 0, 0.5, EARLY},
        {"7/70", 10, 800, 800, 10, DCS_BATCH, 0, 0, 0},
        {"7/71", 11, 800, 800, 10, DCS_BATCH, 0, 65, 0},
        {"9/92", 19, 61667, 61667, 1, DCS_BATCH, 0, 0.5, CENSORED},
        {"9/95", 22, 0, 0, 61668, DCS_BATCH, 0, 0.5, CENSORED | EARLY},
    };
    static const struct issue issues[] = {
        {ISSUE_MALFORMED, 0, 0, 2, 14},       {ISSUE_OUT_OF_RANGE, 0, 0, 1, 17},
        {ISSUE_TIME_ZERO, 1, 0, 0, 8},        {ISSUE_TIME_NEGATIVE, 0, 2, 1, 7},
        {ISSUE_NO_START, 0, 0, 2, 6},         {ISSUE_NO_END, 3, 0, 2, 5},
        {ISSUE_END_BEFORE_START, 0, 0, 1, 9}, {ISSUE_ZERO_DURATION, 0, 1, 0, 2},
        {ISSUE_NO_RESOURCES, 1, 0, 0, 10},    {ISSUE_IMPOSSIBLE_RESOURCES, 1, 0, 1, 11},
        {ISSUE_UNKNOWN_CODE, 0, 0, 1, 13},    {ISSUE_FAILED, 2, 0, 0, 3},
    };
    check(&(struct expected)EXPECTED(format_alibaba_2017, "2017.csv", 22));
}

/* The names of lines 25 and 26 differ behind where they are cut. */
static void test_2018(void **state)
{
    (void)state;
    static const struct job jobs[] = {
        {"j_1/M1", 1, 1000, 1000, 60, DCS_BATCH, 0, 4, 0},
        {"j_1/R2_1", 2, 1000, 1000, 100, DCS_BATCH, 0, 1.5, 0},
        {"j_2/M1", 3, 2000, 2000, 0.5, DCS_BATCH, 0, 1, 0},
        {"j_3/task_bWFkZSB1cA==", 4, 3000, 3000, 10, DCS_BATCH, 0, 2, FAILED},
        {"j_3/MergeTask", 5, 3000, 3000, 10, DCS_BATCH, 0, 1, FAILED},
        {"j_4/J3_1_2", 6, 4000, 4000, 687915, DCS_BATCH, 0, 2.5, CENSORED},
        {"j_6/M1", 13, 6000, 6000, 1, DCS_BATCH, 0, 0, 0},
        {"j_6/M2", 14, 6000, 6000, 2, DCS_BATCH, 0, 0, 0},
        {"j_6/M3", 15, 6000, 6000, 3, DCS_BATCH, 0, 0, 0},
        {"j_6/M4", 16, 6000, 6000, 4, DCS_BATCH, 0, 97, 0},
        {"j_10/J30_1_2_3_4_5_6_7_8_9_10_11_12_13_14_15_1~fe03576d9dc9e64e", 25, 9500, 9500, 1,
         DCS_BATCH, 0, 0.5, 0},
        {"j_10/J30_1_2_3_4_5_6_7_8_9_10_11_12_13_14_15_1~d7ec6a7cbeb89680", 26, 9500, 9500, 1,
         DCS_BATCH, 0, 0.5, 0},
    };
    static const struct issue issues[] = {
        {ISSUE_MALFORMED, 0, 0, 4, 20},
        {ISSUE_OUT_OF_RANGE, 0, 0, 2, 18},
        {ISSUE_TIME_NEGATIVE, 0, 0, 1, 12},
        {ISSUE_NO_START, 0, 0, 3, 7},
        {ISSUE_NO_END, 1, 0, 1, 6},
        {ISSUE_END_BEFORE_START, 0, 0, 1, 8},
        {ISSUE_ZERO_DURATION, 0, 1, 0, 3},
        {ISSUE_NO_RESOURCES, 1, 0, 0, 15},
        {ISSUE_IMPOSSIBLE_RESOURCES, 1, 2, 1, 13},
        {ISSUE_UNKNOWN_CODE, 0, 0, 1, 19},
        {ISSUE_FAILED, 2, 0, 0, 4},
    };
    check(&(struct expected)EXPECTED(format_alibaba_2018, "2018.csv", 26));
}

static void test_pai_jobs(void **state)
{
    (void)state;
    static const struct job jobs[] = {
        {"0a0a0a0a0a0a0a0a0a0a0001", 1, 1000, 1000, 600, DCS_BATCH, 0, 0, 0},
        {"0a0a0a0a0a0a0a0a0a0a0002", 2, 2000, 2000, 30.5, DCS_BATCH, 0, 0, FAILED},
        {"0a0a0a0a0a0a0a0a0a0a0004", 4, 6450201, 6450201, 10, DCS_BATCH, 0, 0, CENSORED},
        {"0a0a0a0a0a0a0a0a0a0a0007", 7, 7000, 7000, 0.5, DCS_BATCH, 0, 0, 0},
    };
    static const struct issue issues[] = {
        {ISSUE_NO_START, 0, 0, 2, 5},         {ISSUE_NO_END, 1, 0, 2, 3},
        {ISSUE_END_BEFORE_START, 0, 0, 1, 8}, {ISSUE_ZERO_DURATION, 0, 1, 0, 7},
        {ISSUE_NO_RESOURCES, 4, 0, 0, 1},     {ISSUE_UNKNOWN_CODE, 0, 0, 1, 10},
        {ISSUE_FAILED, 1, 0, 0, 2},
    };
    check(&(struct expected)EXPECTED(format_pai_2020_job, "pai-2020-job.csv", 10));
}

static void test_pai_tasks(void **state)
{
    (void)state;
    static const struct job jobs[] = {
        {"0a0a0a0a0a0a0a0a0a0a0001/worker", 1, 1000, 1000, 600, DCS_BATCH, 1, 12, 0},
        {"0a0a0a0a0a0a0a0a0a0a0001/ps", 2, 1001, 1001, 599, DCS_BATCH, 0, 12, 0},
        {"0a0a0a0a0a0a0a0a0a0a0002/tensorflow", 3, 2000, 2000, 10, DCS_BATCH, 2, 6, FAILED},
        {"0a0a0a0a0a0a0a0a0a0a0003/worker", 4, 6450111, 6450111, 100, DCS_BATCH, 1, 6, CENSORED},
        {"0a0a0a0a0a0a0a0a0a0a0004/worker", 5, 4000, 4000, 1, DCS_BATCH, 0, 0, 0},
        {"0a0a0a0a0a0a0a0a0a0a0005/worker", 6, 5000, 5000, 1, DCS_BATCH, 0, 0, 0},
        {"0a0a0a0a0a0a0a0a0a0a0006/worker", 7, 6000, 6000, 1, DCS_BATCH, 8.01, 6, 0},
    };
    static const struct issue issues[] = {
        {ISSUE_MALFORMED, 0, 0, 1, 9},      {ISSUE_OUT_OF_RANGE, 0, 0, 1, 12},
        {ISSUE_TIME_NEGATIVE, 0, 0, 1, 11}, {ISSUE_NO_START, 0, 0, 1, 10},
        {ISSUE_NO_END, 1, 0, 0, 4},         {ISSUE_NO_RESOURCES, 2, 0, 0, 5},
        {ISSUE_FAILED, 1, 0, 0, 3},         {ISSUE_IMPOSSIBLE_RESOURCES, 1, 0, 1, 7},
    };
    check(&(struct expected)EXPECTED(format_pai_2020_task, "pai-2020-task.csv", 12));
}

#define WORKER(digits)                                                                             \
    digits digits digits digits digits digits digits digits digits digits digits digits digits     \
        digits digits "eeeeeeee"

static void test_pai_instances(void **state)
{
    (void)state;
    static const struct job jobs[] = {
        {"0a0a0a0a0a0a0a0a0a0a0001/" WORKER("01"), 1, 1000, 1000, 600, DCS_BATCH, 0, 0, 0},
        {"0a0a0a0a0a0a0a0a0a0a0003/" WORKER("06"), 6, 3002, 3002, 10, DCS_BATCH, 0, 0, FAILED},
        {"0a0a0a0a0a0a0a0a0a0a0005/" WORKER("07"), 8, 6450210, 6450210, 1, DCS_BATCH, 0, 0,
         CENSORED},
        {"0a0a0a0a0a0a0a0a0a0a0005/" WORKER("08"), 9, 5000, 5000, 0.5, DCS_BATCH, 0, 0, 0},
    };
    static const struct issue issues[] = {
        {ISSUE_MALFORMED, 0, 0, 1, 10},   {ISSUE_NO_START, 0, 0, 4, 2},
        {ISSUE_NO_END, 1, 0, 1, 5},       {ISSUE_ZERO_DURATION, 0, 1, 0, 9},
        {ISSUE_NO_RESOURCES, 4, 0, 0, 1}, {ISSUE_FAILED, 1, 0, 0, 6},
    };
    check(&(struct expected)EXPECTED(format_pai_2020_instance, "pai-2020-instance.csv", 10));
}

/* The columns stand in another order than in the published lists. */
static void test_openb(void **state)
{
    (void)state;
    static const struct job jobs[] = {
        {"made-up-0", 2, 0, 0, 7200, DCS_LATENCY, 1, 12, UNKNOWN},
        {"made-up-1", 3, 100, 160, 540, DCS_BATCH, 0.46, 6, 0},
        {"made-up-2", 4, 200, 230, 30, DCS_BATCH, 8, 88, FAILED},
        {"made-up-5", 7, 500, 501, 12902459, DCS_BATCH, 2, 4, CENSORED},
        {"made-up-6", 8, 600, 600, 12902359, DCS_LATENCY, 1, 4, 0},
        {"made-up-13", 15, 1300, 1300, 20, DCS_BATCH, 1, 0, 0},
        {"made-up-15", 17, 1250, 1250, 10.5, DCS_BATCH, 1, 4, 0},
    };
    static const struct issue issues[] = {
        {ISSUE_MALFORMED, 0, 0, 2, 13},     {ISSUE_OUT_OF_RANGE, 0, 1, 2, 11},
        {ISSUE_TIME_NEGATIVE, 0, 0, 1, 14}, {ISSUE_NO_START, 0, 0, 1, 6},
        {ISSUE_NO_END, 1, 0, 0, 7},         {ISSUE_END_BEFORE_START, 0, 0, 1, 10},
        {ISSUE_ZERO_DURATION, 0, 0, 1, 9},  {ISSUE_UNORDERED, 1, 0, 0, 17},
        {ISSUE_NO_RESOURCES, 1, 0, 0, 15},  {ISSUE_NOT_A_JOB, 0, 0, 1, 5},
        {ISSUE_FAILED, 1, 0, 0, 4},
    };
    check(&(struct expected)EXPECTED(format_openb_2023, "openb-2023.csv", 16));
}

/* A list whose time begins 427061 s later: its end is that much earlier. A second before it a pod
 * is deleted, not cut off. */
static void test_openb_late(void **state)
{
    (void)state;
    static const struct job jobs[] = {
        {"late-0", 2, 2332613, 2332615, 10143284, DCS_LATENCY, 0.5, 4, CENSORED},
        {"late-1", 3, 2332700, 2332700, 10143198, DCS_BATCH, 1, 4, 0},
        {"late-2", 4, 2332800, 2332800, 10143099, DCS_BATCH, 2, 4, CENSORED},
    };
    static const struct issue issues[] = {
        {ISSUE_NO_END, 2, 0, 0, 2},
        {ISSUE_FAILED, 1, 0, 0, 4},
    };
    check(&(struct expected)EXPECTED(format_openb_2023, "openb-2023-late.csv", 3));
    struct import_counts counts;
    remove_database(NULL);
    import(&format_openb_2023, FIXTURE "openb-2023-late.csv", &counts);
    assert_int_equal(counts.end_ns, 12475899 * DCS_NS_PER_S);
}

static void test_dlrm(void **state)
{
    (void)state;
    static const struct job jobs[] = {
        {"made_up_0", 2, 0, 0, 2677541, DCS_LATENCY, 1, 12, CENSORED | EARLY},
        {"made_up_1", 3, 0, 0, 1000, DCS_LATENCY, 0, 64, EARLY | UNKNOWN},
        {"made_up_2", 4, 2000, 2010, 2675531, DCS_LATENCY, 2, 16, CENSORED},
        {"made_up_3", 5, 3000, 3010, 590, DCS_LATENCY, 0, 48, UNKNOWN},
        {"made_up_4", 6, 4000, 4010, 0.5, DCS_LATENCY, 1, 16, UNKNOWN},
        {"made_up_7", 9, 7010, 7010, 100, DCS_LATENCY, 1, 16, UNKNOWN},
        {"made_up_9", 11, 9000, 9000, 1, DCS_LATENCY, 0, 0, UNKNOWN},
        {"made_up_13", 15, 0, 9100, 100, DCS_LATENCY, 1, 16, UNKNOWN},
    };
    static const struct issue issues[] = {
        {ISSUE_MALFORMED, 0, 0, 1, 14},       {ISSUE_OUT_OF_RANGE, 0, 1, 1, 9},
        {ISSUE_TIME_NEGATIVE, 0, 0, 1, 12},   {ISSUE_NO_START, 0, 0, 1, 7},
        {ISSUE_NO_END, 2, 0, 0, 2},           {ISSUE_NO_SUBMIT, 0, 3, 0, 2},
        {ISSUE_END_BEFORE_START, 0, 0, 1, 8}, {ISSUE_ZERO_DURATION, 0, 1, 0, 6},
        {ISSUE_NO_RESOURCES, 1, 0, 0, 11},    {ISSUE_IMPOSSIBLE_RESOURCES, 0, 0, 1, 10},
        {ISSUE_UNKNOWN_CODE, 1, 0, 0, 11},
    };
    check(&(struct expected)EXPECTED(format_dlrm_2025, "dlrm-2025.csv", 14));
}

/* ---- many jobs ---- */

static const char *const phases[] = {"Succeeded", "Failed", "Running"};
static const char *const specs[] = {"", "A10|T4", "T4"};

/* Row i, whose values come round at different steps, so that neighbours share some and not others.
 */
static void write_pods(const char *path, int rows)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("name,cpu_milli,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,"
          "scheduled_time\n",
          f);
    for (int i = 0; i < rows; i++)
        fprintf(f, "pod-%d,%d,%d,1000,%s,%s,%s,%d,%d,%d\n", i, i / 4 % 3 * 1000, 1 + i / 5 % 2,
                specs[i / 6 % 3], i % 3 == 0 ? "LS" : "BE", phases[i / 7 % 3], i,
                i % 9 == 8 ? 12902960 : 1000 + 3 * i, 500 + i);
    fclose(f);
}

static void check_pod(sqlite3_stmt *s, int i)
{
    char name[40];
    snprintf(name, sizeof name, "pod-%d", i);
    bool censored = i % 9 == 8;
    assert_string_equal((const char *)sqlite3_column_text(s, 0), name);
    assert_int_equal(sqlite3_column_int(s, 1), i + 2);
    assert_int_equal(sqlite3_column_int64(s, 2), ns(i));
    assert_int_equal(sqlite3_column_int64(s, 3), ns(500 + i));
    assert_int_equal(sqlite3_column_int64(s, 4),
                     ns((censored ? 12902960 : 1000 + 3 * i) - (500 + i)));
    check_class(s, i % 3 == 0 ? DCS_LATENCY : DCS_BATCH);
    assert_int_equal(sqlite3_column_int(s, 6), 1 + i / 5 % 2);
    assert_int_equal(sqlite3_column_int(s, 7), i / 4 % 3);
    assert_int_equal(sqlite3_column_int(s, 8), censored);
    assert_int_equal(sqlite3_column_int(s, 9), 0);
    static const int flags[] = {0, FAILED, UNKNOWN};
    check_status(s, flags[i / 7 % 3] | (censored ? CENSORED : 0));
    assert_int_equal(sqlite3_column_int64(s, 12), i + 1);
    assert_string_equal((const char *)sqlite3_column_text(s, 13), specs[i / 6 % 3]);
}

/* Jobs are written some at a time: none is lost, doubled or given a value of its neighbour, however
 * many are left for the last time. */
static void test_many_jobs(void **state)
{
    (void)state;
    static const int counts[] = {1, 15, 16, 17, 31, 32, 33, 1000};
    char path[300];
    snprintf(path, sizeof path, "%s/pods.csv", folder);
    for (size_t c = 0; c < COUNT(counts); c++) {
        struct import_counts found;
        sqlite3 *db;
        write_pods(path, counts[c]);
        remove_database(NULL);
        import(&format_openb_2023, path, &found);
        assert_int_equal(found.jobs, counts[c]);
        sqlite3_stmt *s = select_jobs(&db, "id");
        for (int i = 0; i < counts[c]; i++) {
            assert_int_equal(sqlite3_step(s), SQLITE_ROW);
            check_pod(s, i);
        }
        assert_int_equal(sqlite3_step(s), SQLITE_DONE);
        sqlite3_finalize(s);
        assert_int_equal(sqlite3_close(db), SQLITE_OK);
    }
    unlink(path);
}

/* ---- what the form cannot hold ---- */

/* Each first row is at the limit and the others are beyond; what is written must be read again. */
static void check_limits(const struct trace_format *format, const char *const *rows, size_t count)
{
    char path[300];
    struct import_counts counts;
    struct dcs_err err = {0};
    snprintf(path, sizeof path, "%s/limits.csv", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%s\n", rows[i]);
    fclose(file);
    import(format, path, &counts);
    assert_int_equal(counts.jobs, 1);
    assert_int_equal(counts.issues[ISSUE_OUT_OF_RANGE].count[TRACE_LEFT_OUT], count - 1);
    assert_int_equal(counts.issues[ISSUE_OUT_OF_RANGE].first_line, 2);

    struct trace_jobs *jobs;
    struct trace_jobs_row row;
    if (trace_jobs_open(database, &jobs, &err) != 0)
        fail_msg("%s", err.text);
    assert_int_equal(trace_jobs_select(jobs, &(struct trace_jobs_filter){0}, &err), 0);
    assert_int_equal(trace_jobs_next(jobs, &row, &err), 1);
    assert_int_equal(trace_jobs_next(jobs, &row, &err), 0);
    trace_jobs_close(jobs);
    unlink(database);
    unlink(path);
}

static void test_limits(void **state)
{
    (void)state;
    /* 10^6 GPUs. */
    static const char *const gpus[] = {
        "j1,worker,1000000,Terminated,1000,1600,600,29,100,T4",
        "j2,worker,1000001,Terminated,1000,1600,600,29,100,T4",
        "j3,worker,1000000,Terminated,1000,1600,600,29,100.1,T4",
    };
    check_limits(&format_pai_2020_task, gpus, COUNT(gpus));
    /* 2^62 ns are 4611686018.427387904 s; 10^12 cores. */
    static const char *const times[] = {
        "M1,1,j_1,1,Terminated,1000,4611686018,100,0.2",
        "M1,1,j_2,1,Terminated,1000,4611686019,100,0.2",
        "M1,1,j_3,1,Terminated,9000000000,9000000010,100,0.2",
    };
    check_limits(&format_alibaba_2018, times, COUNT(times));
    static const char *const cpus[] = {
        "M1,1e9,j_1,1,Terminated,1000,1010,1e5,0.2",
        "M1,1e9,j_2,1,Terminated,1000,1010,1.1e5,0.2",
        "M1,1e9,j_3,1,Terminated,1000,1010,1e9,0.2",
    };
    check_limits(&format_alibaba_2018, cpus, COUNT(cpus));
}

/* ---- what is not of the format ---- */

static void check_refused(const struct trace_format *format, const char *path, const char *says)
{
    struct import_counts counts;
    struct dcs_err err = {0};
    const struct import_options options = {
        .format = format, .paths = &path, .paths_count = 1, .output = database};
    assert_int_equal(trace_import_run(&options, &counts, &err), -1);
    assert_non_null(strstr(err.text, says));
    assert_int_not_equal(access(database, F_OK), 0);
}

/* Tables of one trace are not taken for each other; nor for the other year. */
static void test_wrong_table(void **state)
{
    (void)state;
    check_refused(&format_alibaba_2018, FIXTURE "2017.csv", "alibaba-2017");
    check_refused(&format_alibaba_2017, FIXTURE "2018.csv", "alibaba-2018");
    check_refused(&format_pai_2020_task, FIXTURE "pai-2020-job.csv", "pai-2020-job");
    check_refused(&format_alibaba_2018, FIXTURE "pai-2020-instance.csv", "pai-2020-instance");
    check_refused(&format_pai_2020_instance, FIXTURE "2018.csv", "alibaba-2018");
    check_refused(&format_openb_2023, FIXTURE "dlrm-2025.csv", "dlrm-2025");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, remove_database)
    const struct CMUnitTest tests[] = {
        TEST(test_2017),      TEST(test_2018),        TEST(test_pai_jobs),
        TEST(test_pai_tasks), TEST(test_openb),       TEST(test_pai_instances),
        TEST(test_dlrm),      TEST(test_wrong_table), TEST(test_openb_late),
        TEST(test_many_jobs), TEST(test_limits),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
