/*
 * alibaba_2017.c - batch_task.csv of Alibaba's cluster-trace-v2017: one row, a task, is one job.
 *
 * Columns, no header (schema.csv and trace_201708.md of github.com/alibaba/clusterdata): create
 * time and end time (of the last change of state), whole seconds from the start of the trace; job
 * id; task id, unique over the trace; number of instances; status; CPU requested per instance,
 * 100 = 1 core (schema.csv says "number of cpus", the values say otherwise); memory per instance,
 * not used.
 *
 * Traps. Times of 0 and below mean "before the trace". An end of 0 means "not known": still
 * running. The rows are in no order. Waiting rows have an end, but nothing ran. Running rows with
 * an end do not run any more: in 99 % of them it is the last end of their job, and in 93 % another
 * task of the job has failed. They ran until the job was stopped.
 *
 * Rules. arrival = start = create time: the table does not tell when a task first ran, so that
 * durations contain the wait. duration = end - create. CPUs: of all instances together. No GPUs.
 * Class batch. What becomes of each status and of its end stands in tasks.h; besides:
 *
 *   end 0                         there is none; a task that runs is censored at END_S
 *   Waiting, Ready, Cancelled     left out: never ran, as far as the table tells
 *   created at 0 or before        repaired if it ended after 0: early, arrival 0, duration from
 *                                 there; else left out
 *   a request below 0             left out
 *   no CPUs requested             noted; CPUs 0
 *   instance of above 64 cores    noted: larger than a machine
 */
#include "traces/alibaba/tasks.h"

/* The last end in the published table. The trace is described as 24 h, its tasks span 17. */
#define END_S            61668
#define PERCENT_PER_CORE 100.0
#define MACHINE_CORES    64.0 /* trace_201708.md, service instance event */

enum column {
    CREATE_TIME,
    END_TIME,
    JOB_ID,
    TASK_ID,
    INSTANCES,
    STATUS,
    CPU,
    MEMORY,
    COLUMNS,
};

static const char *const columns[COLUMNS + 1] = {
    "create_timestamp", "modify_timestamp", "job_id",   "task_id",
    "instance_num",     "status",           "plan_cpu", "plan_mem",
};

struct row {
    struct alibaba_task task;
    int64_t job_id, task_id, instances;
    double percent; /* of a core, per instance; 0: not said */
    int64_t created_ns;
};

/* The issue for which the row is left out, ISSUES if there is none. */
static enum trace_issue read_numbers(const char *const *f, struct row *r)
{
    if (!trace_seconds_ns(f[CREATE_TIME], &r->created_ns))
        return trace_bad_number(f[CREATE_TIME]);
    if (!trace_seconds_ns(f[END_TIME], &r->task.end_ns))
        return trace_bad_number(f[END_TIME]);
    if (!trace_int64(f[JOB_ID], &r->job_id))
        return trace_bad_number(f[JOB_ID]);
    if (!trace_int64(f[TASK_ID], &r->task_id))
        return trace_bad_number(f[TASK_ID]);
    if (!trace_int64(f[INSTANCES], &r->instances))
        return trace_bad_number(f[INSTANCES]);
    enum trace_issue issue = alibaba_amount(f[CPU], ALIBABA_NUMBER_MAX, &r->percent);
    if (issue == ISSUE_MALFORMED)
        return issue;
    if (r->instances < 0)
        return ISSUE_IMPOSSIBLE_RESOURCES;
    if (issue == ISSUES && (double)r->instances > ALIBABA_NUMBER_MAX)
        return ISSUE_OUT_OF_RANGE;
    return issue;
}

static enum trace_issue read_row(const char *const *f, struct row *r)
{
    struct alibaba_task *t = &r->task;
    *r = (struct row){.task.status = alibaba_status_of(f[STATUS])};
    enum trace_issue issue = read_numbers(f, r);
    if (issue != ISSUES)
        return issue;
    switch (t->status) {
    case ALIBABA_RUNNING:
    case ALIBABA_TERMINATED:
    case ALIBABA_FAILED:
        break;
    case ALIBABA_READY:
    case ALIBABA_WAITING:
    case ALIBABA_CANCELLED:
        return ISSUE_NO_START;
    default:
        return ISSUE_UNKNOWN_CODE;
    }
    if (r->created_ns <= 0 && t->end_ns < 0)
        return ISSUE_TIME_NEGATIVE;
    t->start_ns = r->created_ns > 0 ? r->created_ns : 0;
    return alibaba_end(t, t->end_ns != 0, END_S);
}

/* Says what is unusual in a row that is kept, besides its end. */
static int note(struct trace_import *im, const struct row *r)
{
    if (r->created_ns == 0 && import_issue(im, ISSUE_TIME_ZERO, TRACE_NOTED) != 0)
        return -1;
    if (r->created_ns < 0 && import_issue(im, ISSUE_TIME_NEGATIVE, TRACE_REPAIRED) != 0)
        return -1;
    if ((r->percent <= 0.0 || r->instances == 0) &&
        import_issue(im, ISSUE_NO_RESOURCES, TRACE_NOTED) != 0)
        return -1;
    if (r->percent > MACHINE_CORES * PERCENT_PER_CORE)
        return import_issue(im, ISSUE_IMPOSSIBLE_RESOURCES, TRACE_NOTED);
    return 0;
}

static int row_to_job(struct trace_import *im, const struct trace_row *row)
{
    struct row r;
    enum trace_issue issue = read_row(row->fields, &r);
    if (issue != ISSUES)
        return import_issue(im, issue, TRACE_LEFT_OUT);
    struct trace_job job = {
        .cpus = r.percent / PERCENT_PER_CORE * (double)r.instances,
        .early = r.created_ns <= 0,
    };
    snprintf(job.key, sizeof job.key, "%lld/%lld", (long long)r.job_id, (long long)r.task_id);
    if (note(im, &r) != 0 || alibaba_to_job(im, &r.task, &job) != 0)
        return -1;
    return import_job(im, &job);
}

extern const struct trace_format format_alibaba_2017;
const struct trace_format format_alibaba_2017 = {
    .name = "alibaba-2017",
    .summary = "Alibaba cluster-trace-v2017: batch tasks, CPUs only, 17 hours",
    .source = "cluster-trace-v2017/batch_task.csv",
    .syntax = TRACE_CSV,
    .columns = columns,
    .end_ns = END_S * DCS_NS_PER_S,
    .row = row_to_job,
};
