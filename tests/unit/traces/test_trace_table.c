/*
 * test_trace_table.c - pins how tables of one's own are read: times with units, as dates and as
 * hours, minutes and seconds; what maps, conditions and accounts of Slurm make of each kind of row;
 * which maps are refused.
 */
#include "traces/import.h"
#include "traces/table/table_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define S(n) ((int64_t)((n)*1e9))

extern const struct trace_format format_slurm_sacct;

/* ---- times ---- */

static void moments_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum table_unit unit;
        int64_t ns;
    } cases[] = {
        {"12.5", TABLE_S, S(12.5)},
        {"1795413600123", TABLE_MS, 1795413600123000000},
        {"1795413600123456", TABLE_US, 1795413600123456000},
        {"7", TABLE_NS, 7},
        {"1.5", TABLE_MIN, S(90)},
        {"2", TABLE_HOURS, S(7200)},
        {"0.5", TABLE_DAYS, S(43200)},
        {"1970-01-01", TABLE_S, 0},
        {"1970-01-02T00:00", TABLE_MS, S(86400)},
        {"2000-02-29T12:00:00Z", TABLE_S, S(951825600)},
        {"2026-11-23 06:05:54.25", TABLE_S, 1795413954250000000},
        {"2026-11-23T07:05:54+01:00", TABLE_S, S(1795413954)},
        {"2026-11-23T00:35:54-0530", TABLE_S, S(1795413954)},
        {"2100-03-01T00:00:00", TABLE_S, 4107542400000000000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t ns = -1;
        assert_true(table_moment_ns(cases[i].text, cases[i].unit, &ns));
        assert_int_equal(ns, cases[i].ns);
    }
}

static void no_moments_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "abc",
                                        "12 s",
                                        "2026-13-01",
                                        "2026-02-29",
                                        "2026-11-23T24:00",
                                        "2026-11-23T06",
                                        "2026-11-23T06:0",
                                        "2026-11-23T06:05:54.",
                                        "2026-11-23X",
                                        "2026-11-23T06:05+1",
                                        "2026-11-23T06:05+15:00",
                                        "1969-12-31",
                                        "2026-1-1",
                                        "99999999999999999999"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        int64_t ns;
        assert_false(table_moment_ns(texts[i], TABLE_S, &ns));
    }
}

static void stretches_are_read(void **state)
{
    (void)state;
    int64_t ns;
    assert_true(table_stretch_ns("01:02:03", TABLE_S, &ns));
    assert_int_equal(ns, S(3723));
    assert_true(table_stretch_ns("2-00:00:01.5", TABLE_S, &ns));
    assert_int_equal(ns, S(172801.5));
    assert_true(table_stretch_ns("90", TABLE_MIN, &ns));
    assert_int_equal(ns, S(5400));
    static const char *const texts[] = {
        "",        "1:2:3",        "01:60:00",  "01:00:60",     "-1:00:00",
        "1-00:00", "1-2-01:00:00", "01:00:00x", "9999999:00:00"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(table_stretch_ns(texts[i], TABLE_S, &ns));
}

/* ---- tables ---- */

static char path[300];

static int make_file(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "%s/test_trace_table.csv", DCS_BINARY_DIR);
    return 0;
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void lint(const struct trace_format *format, const char *text, struct import_counts *counts)
{
    struct dcs_err err = {0};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    const char *const paths[] = {path};
    const struct import_options options = {.format = format, .paths = paths, .paths_count = 1};
    int status = trace_import_run(&options, counts, &err);
    if (status != 0)
        dcs_err_print(&err, stderr);
    assert_int_equal(status, 0);
}

static void lint_mapped(const char *map, const char *where, const char *text,
                        struct import_counts *counts)
{
    struct dcs_err err = {0};
    char *maps[] = {dcs_strdup(map)}, *wheres[] = {dcs_strdup(where != NULL ? where : "")};
    const struct table_options options = {
        .maps = maps, .maps_count = 1, .wheres = wheres, .wheres_count = where != NULL};
    struct table_map *made = table_map_new(&options, &err);
    if (made == NULL)
        dcs_err_print(&err, stderr);
    assert_non_null(made);
    lint(&made->format, text, counts);
    table_map_free(made);
    free(maps[0]);
    free(wheres[0]);
}

static uint64_t left_out(const struct import_counts *c, enum trace_issue issue)
{
    return c->issues[issue].count[TRACE_LEFT_OUT];
}

static void each_row_has_its_reason(void **state)
{
    (void)state;
    struct import_counts c;
    lint_mapped("submit=at,start=from,end=to,gpus=n,status=how:ok=success:bad=failed", "kind!=skip",
                "n,at,from,to,how,kind\n"
                "1,10,12,20,ok,a\n"
                "2,11,9,30,bad,a\n"   /* start before submit; failed */
                "1,12,,30,ok,a\n"     /* never ran */
                "1,12,13,None,ok,a\n" /* no end */
                "1,12,13,13,ok,a\n"   /* no duration */
                "1,12,13,11,ok,a\n"   /* end before start */
                "0,12,13,14,ok,a\n"   /* no GPU */
                "-1,12,13,14,ok,a\n"
                "x,12,13,14,ok,a\n"
                "1,12,soon\x1b,14,ok,a\n"
                "1,-12,13,14,ok,a\n"
                "1,12,13,14,ok,skip\n"
                "0.25,5,5,6.5,ok,a\n",
                &c);
    assert_int_equal(c.rows, 13);
    assert_int_equal(c.jobs, 3);
    assert_int_equal(c.rows_left_out, 10);
    assert_int_equal(c.first_arrival_ns, S(5));
    assert_int_equal(c.end_ns, S(32)); /* 11, for the 21 s from 9 to 30 */
    static const enum trace_issue one_each[] = {
        ISSUE_NO_START,     ISSUE_NO_END,   ISSUE_ZERO_DURATION,        ISSUE_END_BEFORE_START,
        ISSUE_NO_RESOURCES, ISSUE_FILTERED, ISSUE_IMPOSSIBLE_RESOURCES, ISSUE_TIME_NEGATIVE};
    for (size_t i = 0; i < sizeof one_each / sizeof *one_each; i++)
        assert_int_equal(left_out(&c, one_each[i]), 1);
    assert_int_equal(left_out(&c, ISSUE_MALFORMED), 2);
    assert_string_equal(c.issues[ISSUE_MALFORMED].first_about, "n is \"x\"");
    assert_int_equal(c.issues[ISSUE_MALFORMED].first_line, 10);
    assert_int_equal(c.issues[ISSUE_START_BEFORE_SUBMIT].count[TRACE_REPAIRED], 1);
    assert_int_equal(c.issues[ISSUE_FAILED].count[TRACE_NOTED], 1);
}

static void what_is_shown_is_printable(void **state)
{
    (void)state;
    struct import_counts c;
    lint_mapped("submit=at,runtime=t,gpus=@1", NULL, "at,t\nnow\x1b[2J,3\n", &c);
    assert_string_equal(c.issues[ISSUE_MALFORMED].first_about, "at is \"now?[2J\"");
}

static void conditions_have_alternatives(void **state)
{
    (void)state;
    struct import_counts c;
    lint_mapped("submit=at:ms,runtime=t:min,gpus=@4", "kind=a|b",
                "at,t,kind\n1,1,a\n2,1,b\n3,1,c\n", &c);
    assert_int_equal(c.jobs, 2);
    assert_int_equal(c.first_arrival_ns, 1000000);
    assert_int_equal(c.end_ns, 2000000 + S(60));
}

#define A_LONG_NAME "how_long_the_job_ran_from_its_start_to_its_end_without_its_queueing_min"

/* A unit in a column's name, where numbers were read without one or in another, with a map that a
 * shell takes. */
static void likely_units_are_hinted_at(void **state)
{
    (void)state;
    static const struct {
        const char *column, *text, *map; /* NULL: nothing is said */
    } cases[] = {
        {"dur_h", "2", "runtime=dur_h:h"},
        {"Elapsed (ms)", "2", "'runtime=Elapsed (ms):ms'"},
        {"job's run [min]", "2", "'runtime=job'\\''s run [min]:min'"},
        {"RuntimeMin", "2", "runtime=RuntimeMin:min"},
        {"WaitHours", "2", "runtime=WaitHours:h"},
        {"wait-minutes", "2", "runtime=wait-minutes:min"},
        {"waited days", "2", "'runtime=waited days:d'"},
        {"took.USEC", "2", "runtime=took.USEC:us"},
        {"days", "2", "runtime=days:d"},
        {"h", "2", "runtime=h:h"},
        {A_LONG_NAME, "2", "runtime=" A_LONG_NAME ":min"},
        {"dur_h", "1:00:00", NULL},
        {"status", "2", NULL},
        {"items", "2", NULL},
        {"admin", "2", NULL},
        {"admins", "2", NULL},
        {"birthdays", "2", NULL},
        {"runtime_s", "2", NULL},
        {"run_min:h", "2", "runtime=run_min:min"},
        {"runtime_s:h", "2", "runtime=runtime_s:s"},
        {"run_min:s", "2", "runtime=run_min:min"},
        {"run_min:min", "2", NULL},
        {"runtime_s:s", "2", NULL},
        {"run_min:h", "1:00:00", NULL},
        {"ms", "", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char map[200], column[100], text[200], hint[400] = "", told[200];
        struct import_counts c;
        struct dcs_err err = {0};
        snprintf(column, sizeof column, "%.*s", (int)strcspn(cases[i].column, ":"),
                 cases[i].column);
        snprintf(map, sizeof map, "submit=at,gpus=@1,runtime=%s", cases[i].column);
        snprintf(text, sizeof text, "at,%s\n1,%s\n", column, cases[i].text);
        char *maps[] = {map};
        const struct table_options options = {.maps = maps, .maps_count = 1};
        struct table_map *made = table_map_new(&options, &err);
        assert_non_null(made);
        lint(&made->format, text, &c);
        FILE *out = fmemopen(hint, sizeof hint, "w");
        table_map_hint(made, out);
        fclose(out);
        table_map_free(made);
        snprintf(told, sizeof told, ": --map %s\n", cases[i].map != NULL ? cases[i].map : "");
        if (cases[i].map == NULL ? hint[0] != '\0' : strstr(hint, told) == NULL)
            fail_msg("%s: \"%s\"", cases[i].column, hint);
    }
}

/* The same name, times and GPUs; without a name nobody can tell. */
static void repeated_jobs_are_noted(void **state)
{
    (void)state;
    struct import_counts c;
    static const char rows[] =
        "id,at,t,n\na,1,5,1\nb,1,5,1\na,1,5,1\na,1,6,1\na,2,5,1\na,1,5,2\na,1,5,1\n";
    lint_mapped("submit=at,runtime=t,gpus=n,name=id", NULL, rows, &c);
    assert_int_equal(c.jobs, 7);
    assert_int_equal(c.issues[ISSUE_REPEATED_JOB].count[TRACE_NOTED], 2);
    assert_int_equal(c.issues[ISSUE_REPEATED_JOB].first_line, 4);
    lint_mapped("submit=at,runtime=t,gpus=n", NULL, rows, &c);
    assert_int_equal(c.issues[ISSUE_REPEATED_JOB].count[TRACE_NOTED], 0);
    /* More than there is room for at first: 4000 jobs, twice. */
    enum { JOBS = 4000, BYTES = 2 * JOBS * 20 };
    char *many = dcs_alloc(BYTES, 1);
    size_t used = (size_t)snprintf(many, BYTES, "id,at,t,n\n");
    for (int i = 0; i < 2 * JOBS; i++)
        used += (size_t)snprintf(many + used, BYTES - used, "j%d,%d,5,1\n", i % JOBS, i % JOBS / 3);
    lint_mapped("submit=at,runtime=t,gpus=n,name=id", NULL, many, &c);
    assert_int_equal(c.issues[ISSUE_REPEATED_JOB].count[TRACE_NOTED], JOBS);
    free(many);
}

/* ---- accounts of Slurm ---- */

static void accounts_are_read(void **state)
{
    (void)state;
    struct import_counts c;
    lint(&format_slurm_sacct,
         "JobID|JobName|Submit|Start|ElapsedRaw|State|AllocTRES\n"
         "1|a|2026-11-23T00:00:00|2026-11-23T00:00:10|60|COMPLETED|billing=8,cpu=8,gres/"
         "gpu:h100=2,gres/gpu=2,node=1\n"
         "1.batch|b|2026-11-23T00:00:00|2026-11-23T00:00:10|60|COMPLETED|cpu=8,gres/gpu=2\n"
         "2|c|2026-11-23T00:00:01|2026-11-23T00:00:10|5|CANCELLED by 1000|cpu=1,gres/gpu=1\n"
         "3|d|2026-11-23T00:00:02|Unknown|0|PENDING|\n"
         "4_1|e|2026-11-23T00:00:03|2026-11-23T00:00:03|7|RUNNING|cpu=1,gres/gpu=1\n"
         "5|f|2026-11-23T00:00:03|2026-11-23T00:00:03|7|COMPLETED|cpu=64,mem=4G\n"
         "6|g|2026-11-23T00:00:03|2026-11-23T00:00:03|0|FAILED|gres/gpu=1\n"
         "7|h|2026-11-23T00:00:04|2026-11-23T00:00:03|9|REVOKED|gres/gpu=1\n"
         "8|i|yesterday|2026-11-23T00:00:03|9|COMPLETED|gres/gpu=1\n",
         &c);
    assert_int_equal(c.rows, 9);
    assert_int_equal(c.jobs, 4);
    assert_int_equal(left_out(&c, ISSUE_NOT_A_JOB), 2);
    assert_int_equal(left_out(&c, ISSUE_NO_START), 1);
    assert_int_equal(left_out(&c, ISSUE_ZERO_DURATION), 1);
    assert_int_equal(left_out(&c, ISSUE_MALFORMED), 1);
    assert_int_equal(c.issues[ISSUE_NO_END].count[TRACE_NOTED], 1);
    assert_int_equal(c.issues[ISSUE_FAILED].count[TRACE_NOTED], 1);
    assert_int_equal(c.issues[ISSUE_UNKNOWN_CODE].count[TRACE_NOTED], 1);
    assert_string_equal(c.issues[ISSUE_UNKNOWN_CODE].first_about, "State is \"REVOKED\"");
    assert_int_equal(c.issues[ISSUE_START_BEFORE_SUBMIT].count[TRACE_REPAIRED], 1);
}

/* ---- maps that are refused ---- */

static void faulty_maps_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *map, *where, *delimiter, *told;
    } cases[] = {
        {"runtime=t,gpus=n", NULL, NULL, "submit=COLUMN is missing"},
        {"submit=a,runtime=t", NULL, NULL, "gpus=COLUMN is missing"},
        {"submit=a,gpus=n", NULL, NULL, "either runtime=COLUMN, or start=COLUMN and end=COLUMN"},
        {"submit=a,gpus=n,start=s,end=e,runtime=t", NULL, NULL, "either runtime=COLUMN"},
        {"submit=a,gpus=n,end=e", NULL, NULL, "start=COLUMN is missing"},
        {"submit=a,gpus=n,runtime=t,submit=b", NULL, NULL, "has a column already"},
        {"color=a", NULL, NULL, "fields are submit, start"},
        {"submit", NULL, NULL, "expected FIELD=COLUMN"},
        {"submit=", NULL, NULL, "the column has no name"},
        {"submit=@5", NULL, NULL, "times are no constants"},
        {"submit=a:weeks", NULL, NULL, "units are ns, us"},
        {"gpus=n:s", NULL, NULL, "nothing stands behind this column"},
        {"class=c", NULL, NULL, "expected :TEXT=MEANING"},
        {"class=c:x=slow", NULL, NULL, "latency or batch"},
        {"status=c:x=latency", NULL, NULL, "success or failed"},
        {"submit=a,runtime=t,gpus=n", "kind", NULL, "expected COLUMN=TEXT"},
        {"submit=a,runtime=t,gpus=n", "=x", NULL, "expected COLUMN=TEXT"},
        {"submit=a,runtime=t,gpus=n", NULL, "||", "expected one character"},
        {"submit=a,runtime=t,gpus=n", NULL, "\"", "expected one character"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dcs_err err = {0};
        char *maps[] = {dcs_strdup(cases[i].map)};
        char *wheres[] = {dcs_strdup(cases[i].where != NULL ? cases[i].where : "")};
        const struct table_options options = {.maps = maps,
                                              .maps_count = 1,
                                              .wheres = wheres,
                                              .wheres_count = cases[i].where != NULL,
                                              .delimiter = cases[i].delimiter};
        assert_null(table_map_new(&options, &err));
        if (strstr(err.text, cases[i].told) == NULL)
            fail_msg("%s: %s", cases[i].map, err.text);
        free(maps[0]);
        free(wheres[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_are_read),
        cmocka_unit_test(no_moments_are_refused),
        cmocka_unit_test(stretches_are_read),
        cmocka_unit_test_setup_teardown(each_row_has_its_reason, make_file, remove_file),
        cmocka_unit_test_setup_teardown(what_is_shown_is_printable, make_file, remove_file),
        cmocka_unit_test_setup_teardown(repeated_jobs_are_noted, make_file, remove_file),
        cmocka_unit_test_setup_teardown(conditions_have_alternatives, make_file, remove_file),
        cmocka_unit_test_setup_teardown(likely_units_are_hinted_at, make_file, remove_file),
        cmocka_unit_test_setup_teardown(accounts_are_read, make_file, remove_file),
        cmocka_unit_test(faulty_maps_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
