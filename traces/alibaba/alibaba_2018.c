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
 * duration = end - start. CPUs: of all instances together. No GPUs. Class batch.
 *
 *   Terminated                    kept
 *   Failed; Running with an end   kept, noted as failed
 *   Running, end 0                kept, censored at END_S
 *   any other without an end      left out
 *   Waiting, Ready, Cancelled, Interrupted   left out: never ran, as far as the table tells
 *   start 0                       left out: never ran, or since when is not known
 *   a time below 0                left out
 *   end before start              left out
 *   end = start                   repaired: half a second, what a clock of whole seconds hides
 *   instances or CPU -1, CPU 101  repaired: CPUs 0, not said; any other below 0 left out
 *   CPU or instances empty or 0   noted; CPUs 0
 *   instance of above 96 cores    noted: larger than a machine
 */
#include "traces/format.h"

#include <string.h>

/* The last end known in the table; it is described as 8 days, which is 691200. */
#define END_S            691915
#define HALF_A_SECOND_NS (DCS_NS_PER_S / 2)
#define PERCENT_PER_CORE 100.0
#define MACHINE_CORES    96.0 /* machine_meta.csv */
#define NUMBER_MAX       1e9  /* of instances and percent: their product is exact enough */

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

enum status {
    NEVER_RAN,
    RUNNING,
    TERMINATED,
    FAILED,
    STATUSES,
};

static enum status status_of(const char *text)
{
    static const struct {
        const char *text;
        enum status status;
    } known[] = {
        {"Terminated", TERMINATED}, {"Waiting", NEVER_RAN}, {"Running", RUNNING},
        {"Failed", FAILED},         {"Ready", NEVER_RAN},   {"Cancelled", NEVER_RAN},
        {"Interrupted", NEVER_RAN},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(text, known[i].text) == 0)
            return known[i].status;
    return STATUSES;
}

struct task {
    double instances, percent; /* 0: not said */
    bool marked_invalid;       /* one of the two */
    int64_t start_ns, end_ns;
    enum status status;
    bool censored;
};

/* What a text is that could not be read as the number of its column. */
static enum trace_issue bad_number(const char *text)
{
    double number;
    return trace_number(text, &number) ? ISSUE_OUT_OF_RANGE : ISSUE_MALFORMED;
}

/* A part of the request; mark, besides -1, stands for an invalid value. ISSUES if it can be used.
 */
static enum trace_issue read_request(const char *text, double mark, double *out, bool *marked)
{
    *out = 0.0;
    if (*text == '\0')
        return ISSUES;
    if (!trace_number(text, out))
        return ISSUE_MALFORMED;
    if (*out == -1.0 || *out == mark) {
        *out = 0.0;
        *marked = true;
    }
    if (*out < 0.0)
        return ISSUE_IMPOSSIBLE_RESOURCES;
    return *out > NUMBER_MAX ? ISSUE_OUT_OF_RANGE : ISSUES;
}

/* The issue for which the row is left out, ISSUES if there is none. */
static enum trace_issue read_numbers(const struct trace_row *row, struct task *t)
{
    const char *const *f = row->fields;
    if (row->lengths[TASK_NAME] == 0 || row->lengths[JOB_NAME] == 0)
        return ISSUE_MALFORMED;
    if (!trace_seconds_ns(f[START_TIME], &t->start_ns))
        return bad_number(f[START_TIME]);
    if (!trace_seconds_ns(f[END_TIME], &t->end_ns))
        return bad_number(f[END_TIME]);
    enum trace_issue issue = read_request(f[INSTANCES], -1.0, &t->instances, &t->marked_invalid);
    if (issue != ISSUES)
        return issue;
    return read_request(f[CPU], 101.0, &t->percent, &t->marked_invalid);
}

static enum trace_issue read_task(const struct trace_row *row, struct task *t)
{
    *t = (struct task){.status = status_of(row->fields[STATUS])};
    enum trace_issue issue = read_numbers(row, t);
    if (issue != ISSUES)
        return issue;
    if (t->status == STATUSES)
        return ISSUE_UNKNOWN_CODE;
    if (t->start_ns < 0 || t->end_ns < 0)
        return ISSUE_TIME_NEGATIVE;
    if (t->status == NEVER_RAN || t->start_ns == 0)
        return ISSUE_NO_START;
    if (t->end_ns == 0) {
        t->censored = t->status == RUNNING && t->start_ns < END_S * DCS_NS_PER_S;
        t->end_ns = END_S * DCS_NS_PER_S;
        return t->censored ? ISSUES : ISSUE_NO_END;
    }
    return t->end_ns < t->start_ns ? ISSUE_END_BEFORE_START : ISSUES;
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

/* Says what is unusual in a row that is kept. */
static int note(struct trace_import *im, const struct task *t)
{
    if (t->censored && import_issue(im, ISSUE_NO_END, TRACE_NOTED) != 0)
        return -1;
    if (!t->censored && t->status != TERMINATED && import_issue(im, ISSUE_FAILED, TRACE_NOTED) != 0)
        return -1;
    if (t->end_ns == t->start_ns && import_issue(im, ISSUE_ZERO_DURATION, TRACE_REPAIRED) != 0)
        return -1;
    if (t->marked_invalid)
        return import_issue(im, ISSUE_IMPOSSIBLE_RESOURCES, TRACE_REPAIRED);
    if (t->percent <= 0.0 || t->instances <= 0.0)
        return import_issue(im, ISSUE_NO_RESOURCES, TRACE_NOTED);
    if (t->percent > MACHINE_CORES * PERCENT_PER_CORE)
        return import_issue(im, ISSUE_IMPOSSIBLE_RESOURCES, TRACE_NOTED);
    return 0;
}

static int row_to_job(struct trace_import *im, const struct trace_row *row)
{
    struct task t;
    enum trace_issue issue = read_task(row, &t);
    if (issue != ISSUES)
        return import_issue(im, issue, TRACE_LEFT_OUT);
    if (note(im, &t) != 0)
        return -1;
    struct trace_job job = {
        .arrival_ns = t.start_ns,
        .start_ns = t.start_ns,
        .duration_ns = t.end_ns > t.start_ns ? t.end_ns - t.start_ns : HALF_A_SECOND_NS,
        .class = DCS_BATCH,
        .cpus = t.percent / PERCENT_PER_CORE * t.instances,
        .censored = t.censored,
    };
    write_key(job.key, sizeof job.key, row->fields[JOB_NAME], row->fields[TASK_NAME]);
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
