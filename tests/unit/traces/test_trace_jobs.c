/*
 * test_trace_jobs.c - the reader of imported jobs, on an import of a fixture.
 *
 * Pins: every column of a job, the order by arrival and id, windows at their borders, each filter
 * with its count, that a pass can begin anew with another filter, the provenance and the hash. Does
 * not pin: broken and hostile databases (tests/e2e/trace_fit.sh, which changes them by SQL).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "traces/import.h"
#include "traces/jobs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define S DCS_NS_PER_S

static struct trace_jobs *jobs;
static char folder[] = "/tmp/dcsim-jobs-XXXXXX", database[64];

static int setup(void **state)
{
    (void)state;
    static const char *const paths[] = {DCS_SOURCE_DIR
                                        "/tests/data/traces/google-2011/task_events.csv"};
    struct import_options o = {.paths = paths, .paths_count = 1};
    for (size_t i = 0; trace_formats[i] != NULL; i++)
        if (strcmp(trace_formats[i]->name, "google-2011-task-events") == 0)
            o.format = trace_formats[i];
    struct dcs_err err = {0};
    struct import_counts *counts = dcs_alloc(1, sizeof *counts);
    assert_non_null(mkdtemp(folder));
    snprintf(database, sizeof database, "%s/jobs.db", folder);
    o.output = database;
    assert_int_equal(trace_import_run(&o, counts, &err), 0);
    free(counts);
    assert_int_equal(trace_jobs_open(database, &jobs, &err), 0);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    trace_jobs_close(jobs);
    trace_jobs_close(NULL);
    unlink(database);
    rmdir(folder);
    return 0;
}

/* The ids of the jobs that come, as digits. */
static const char *ids(const struct trace_jobs_filter *filter)
{
    static char text[32];
    struct trace_jobs_row row;
    struct dcs_err err = {0};
    size_t n = 0;
    int status;
    assert_int_equal(trace_jobs_select(jobs, filter, &err), 0);
    while ((status = trace_jobs_next(jobs, &row, &err)) == 1)
        text[n++] = (char)('0' + row.id);
    assert_int_equal(status, 0);
    assert_int_equal(trace_jobs_next(jobs, &row, &err), 0); /* still the end */
    text[n] = '\0';
    return text;
}

static void columns(void **state)
{
    (void)state;
    struct trace_jobs_row row;
    struct dcs_err err = {0};
    assert_int_equal(trace_jobs_select(jobs, &(struct trace_jobs_filter){0}, &err), 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(trace_jobs_next(jobs, &row, &err), 1);
    assert_int_equal(row.id, 4);
    assert_int_equal(row.arrival_ns, 607 * S);
    assert_int_equal(row.start_ns, 608 * S);
    assert_int_equal(row.duration_ns, 5 * S);
    assert_int_equal(row.class, DCS_LATENCY);
    assert_true(row.gpus == 0 && row.cpus == 0.5);
    assert_int_equal(row.priority, 10);
    assert_true(row.censored && !row.early);
    assert_int_equal(row.status, TRACE_STATUS_UNKNOWN);
    assert_string_equal(row.key, "104/0");
    assert_int_equal(row.file, 1);
    assert_int_equal(row.line, 11);
    assert_int_equal(trace_jobs_next(jobs, &row, &err), 1);
    assert_int_equal(row.class, DCS_BATCH);
    assert_int_equal(row.duration_ns, 1000);
    assert_int_equal(row.status, TRACE_STATUS_SUCCESS);
    assert_int_equal(trace_jobs_next(jobs, &row, &err), 0);
}

static void windows(void **state)
{
    (void)state;
    assert_string_equal(ids(&(struct trace_jobs_filter){0}), "12345");
    assert_string_equal(ids(&(struct trace_jobs_filter){.from_ns = 605 * S}), "345");
    assert_string_equal(ids(&(struct trace_jobs_filter){.from_ns = 605 * S + 1}), "45");
    assert_string_equal(ids(&(struct trace_jobs_filter){.until_ns = 607 * S}), "123");
    assert_string_equal(ids(&(struct trace_jobs_filter){.until_ns = 607 * S + 1}), "1234");
    assert_string_equal(ids(&(struct trace_jobs_filter){.from_ns = 700 * S}), "");
    assert_int_equal(trace_jobs_counts(jobs).in_window, 0);
}

static void filters(void **state)
{
    (void)state;
    const struct trace_jobs_filter batch = {.one_class = true, .class = DCS_BATCH};
    assert_string_equal(ids(&batch), "25");
    assert_int_equal(trace_jobs_counts(jobs).other_class, 3);
    const struct trace_jobs_filter latency = {.one_class = true, .class = DCS_LATENCY};
    assert_string_equal(ids(&latency), "134");
    assert_string_equal(ids(&(struct trace_jobs_filter){.skip_censored = true}), "1235");
    assert_int_equal(trace_jobs_counts(jobs).censored, 1);
    assert_string_equal(ids(&(struct trace_jobs_filter){.skip_early = true}), "2345");
    assert_int_equal(trace_jobs_counts(jobs).early, 1);
    assert_string_equal(ids(&(struct trace_jobs_filter){.skip_failed = true}), "1245");
    assert_int_equal(trace_jobs_counts(jobs).failed, 1);
    /* The fourth is censored, so that its status is not known yet. */
    struct trace_jobs_filter success = {.skip_failed = true, .skip_unknown = true};
    assert_string_equal(ids(&success), "1245");
    assert_int_equal(trace_jobs_counts(jobs).unknown, 0);
    success.skip_censored = true;
    assert_string_equal(ids(&success), "125");
    assert_int_equal(trace_jobs_counts(jobs).censored, 1);
    const struct trace_jobs_filter all = {.skip_failed = true,
                                          .skip_unknown = true,
                                          .skip_censored = true,
                                          .skip_early = true,
                                          .one_class = true,
                                          .class = DCS_LATENCY};
    assert_string_equal(ids(&all), "");
    struct trace_jobs_counts n = trace_jobs_counts(jobs);
    assert_true(n.in_window == 5 && n.taken == 0 && n.other_class == 2 && n.early == 1 &&
                n.failed == 1 && n.censored == 1 && n.unknown == 0);
}

static void provenance(void **state)
{
    (void)state;
    const struct trace_jobs_info *info = trace_jobs_info(jobs);
    assert_string_equal(info->format, "google-2011-task-events");
    assert_int_equal(info->jobs, 5);
    assert_int_equal(info->rows, 21);
    assert_int_equal(info->first_arrival_ns, 600 * S);
    assert_int_equal(info->sources_count, 1);
    assert_non_null(strstr(info->sources[0].name, "task_events.csv"));
    assert_int_equal(info->sources[0].rows, 21);
    assert_int_equal(strlen(info->sources[0].sha256), 64);
    char command[200], text[65] = "";
    snprintf(command, sizeof command, "sha256sum %s", database);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fread(text, 1, 64, pipe), 64);
    pclose(pipe);
    assert_string_equal(info->sha256, text);
}

/* A writer beside the reader is noticed at the end of the pass. */
static void changed_while_read(void **state)
{
    (void)state;
    struct trace_jobs_row row;
    struct dcs_err err = {0};
    assert_int_equal(trace_jobs_select(jobs, &(struct trace_jobs_filter){0}, &err), 0);
    FILE *file = fopen(database, "a");
    assert_non_null(file);
    fputc('x', file);
    fclose(file);
    int status;
    while ((status = trace_jobs_next(jobs, &row, &err)) == 1) {
    }
    assert_int_equal(status, -1);
    assert_non_null(strstr(err.text, "was changed while"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns),
        cmocka_unit_test(windows),
        cmocka_unit_test(filters),
        cmocka_unit_test(provenance),
        cmocka_unit_test(changed_while_read),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
