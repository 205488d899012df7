/*
 * alibaba_2018.c - batch_task.csv of Alibaba's cluster-trace-v2018: one row, a task, is one job.
 *
 * Columns, no header (schema.txt of github.com/alibaba/clusterdata, cluster-trace-v2018): task
 * name; number of instances; job name; task type; status; start time and end time in seconds from
 * the start of the trace; CPU planned per instance, 100 = 1 core; memory planned, not used.
 *
 * A task name such as R4_2 or J5_3_4 tells a place in the job's graph: own number, then those of
 * the tasks that it waits for. task_<base64> and MergeTask stand alone. Names are unique only
 * inside a job, so the key is "job/task"; there alone the graph survives, nothing simulates the
 * dependencies.
 *
 * Traps. Copies write integers as floats ("371.0"). Times of 0 mean "not known". -1 and 101 mark
 * invalid values. Tasks of a job often share one start, before the ends of those that they wait
 * for: the work is end - start, the order is in the names alone. The rows are grouped by job, in
 * no order of time. Running rows with an end do not run any more: nearly all (593 of 596 in one
 * sample) end with their job, in which another task has failed.
 *
 * An hour of this trace goes round with 7 columns (arrival, job, task, duration, CPU, memory,
 * instances). That is another format, not Alibaba's, and has no importer.
 *
 * Rules. arrival = start = start time: the table does not tell when a task was submitted.
 * duration = end - start. CPUs: of all instances together. No GPUs. Class batch. What becomes of
 * each status and of its end stands in tasks.h; besides:
 *
 *   end 0                         there is none; a task that runs is censored at END_S
 *   Waiting, Ready, Cancelled, Interrupted   left out: never ran, as far as the table tells
 *   start 0                       left out: never ran, or since when is not known
 *   a time below 0                left out
 *   instances or CPU -1, CPU 101  repaired: CPUs 0, not said; any other below 0 left out
 *   CPU or instances empty or 0   noted; CPUs 0
 *   instance of above 96 cores    noted: larger than a machine
 */
#include "traces/alibaba/tasks.h"

#include <string.h>

/* The last end known in the table; it is described as 8 days, which is 691200. */
#define END_S            691915
#define PERCENT_PER_CORE 100.0
#define MACHINE_CORES    96.0 /* machine_meta.csv */

enum column {
    TASK_NAME,
    INSTANCES,
    JOB_NAME,
    TASK_TYPE,
    STATUS,
    START_TIME,
    END_TIME,
    CPU,
    MEMORY,
    COLUMNS,
};

static const char *const columns[COLUMNS + 1] = {
    "task_name",  "instance_num", "job_name", "task_type", "status",
    "start_time", "end_time",     "plan_cpu", "plan_mem",
};

struct row {
    struct alibaba_task task;
    double instances, percent; /* 0: not said */
    bool marked_invalid;       /* one of the two */
};

/* A part of the request; mark, besides -1, stands for an invalid value. ISSUES if it can be used.
 */
static enum trace_issue read_request(const char *text, double mark, double *out, bool *marked)
{
    enum trace_issue issue = alibaba_amount(text, ALIBABA_NUMBER_MAX, out);
    if (issue == ISSUE_MALFORMED || (*out != -1.0 && *out != mark))
        return issue;
    *out = 0.0;
    *marked = true;
    return ISSUES;
}

/* The issue for which the row is left out, ISSUES if there is none. */
static enum trace_issue read_numbers(const struct trace_row *row, struct row *r)
{
    const char *const *f = row->fields;
    if (row->lengths[TASK_NAME] == 0 || row->lengths[JOB_NAME] == 0)
        return ISSUE_MALFORMED;
    if (!trace_seconds_ns(f[START_TIME], &r->task.start_ns))
        return trace_bad_number(f[START_TIME]);
    if (!trace_seconds_ns(f[END_TIME], &r->task.end_ns))
        return trace_bad_number(f[END_TIME]);
    enum trace_issue issue = read_request(f[INSTANCES], -1.0, &r->instances, &r->marked_invalid);
    if (issue != ISSUES)
        return issue;
    return read_request(f[CPU], 101.0, &r->percent, &r->marked_invalid);
}

static enum trace_issue read_row(const struct trace_row *row, struct row *r)
{
    struct alibaba_task *t = &r->task;
    *r = (struct row){.task.status = alibaba_status_of(row->fields[STATUS])};
    enum trace_issue issue = read_numbers(row, r);
    if (issue != ISSUES)
        return issue;
    if (t->status == ALIBABA_STATUSES)
        return ISSUE_UNKNOWN_CODE;
    if (t->start_ns < 0 || t->end_ns < 0)
        return ISSUE_TIME_NEGATIVE;
    bool ran = t->status == ALIBABA_RUNNING || t->status == ALIBABA_TERMINATED ||
               t->status == ALIBABA_FAILED;
    if (!ran || t->start_ns == 0)
        return ISSUE_NO_START;
    return alibaba_end(t, t->end_ns != 0, END_S);
}

/* "job/task". A longer one is cut, and ends in '~' and a hash of both names. */
static void write_key(char *key, size_t size, const char *job, const char *task)
{
    char hash[18];
    if ((size_t)snprintf(key, size, "%s/%s", job, task) < size)
        return;
    unsigned long long both = 31 * trace_hash(job) + trace_hash(task);
    snprintf(hash, sizeof hash, "~%016llx", both);
    DCS_ASSERT(size > sizeof hash);
    memcpy(key + size - sizeof hash, hash, sizeof hash);
}

/* Says what is unusual in the request of a row that is kept. */
static int note_request(struct trace_import *im, const struct row *r)
{
    if (r->marked_invalid)
        return import_issue(im, ISSUE_IMPOSSIBLE_RESOURCES, TRACE_REPAIRED);
    if (r->percent <= 0.0 || r->instances <= 0.0)
        return import_issue(im, ISSUE_NO_RESOURCES, TRACE_NOTED);
    if (r->percent > MACHINE_CORES * PERCENT_PER_CORE)
        return import_issue(im, ISSUE_IMPOSSIBLE_RESOURCES, TRACE_NOTED);
    return 0;
}

static int row_to_job(struct trace_import *im, const struct trace_row *row)
{
    struct row r;
    enum trace_issue issue = read_row(row, &r);
    if (issue != ISSUES)
        return import_issue(im, issue, TRACE_LEFT_OUT);
    struct trace_job job = {.cpus = r.percent / PERCENT_PER_CORE * r.instances};
    write_key(job.key, sizeof job.key, row->fields[JOB_NAME], row->fields[TASK_NAME]);
    if (note_request(im, &r) != 0 || alibaba_to_job(im, &r.task, &job) != 0)
        return -1;
    return import_job(im, &job);
}

extern const struct trace_format format_alibaba_2018;
const struct trace_format format_alibaba_2018 = {
    .name = "alibaba-2018",
    .summary = "Alibaba cluster-trace-v2018: batch tasks, CPUs only, 8 days",
    .source = "cluster-trace-v2018/batch_task.csv",
    .syntax = TRACE_CSV,
    .columns = columns,
    .end_ns = END_S * DCS_NS_PER_S,
    .row = row_to_job,
};
