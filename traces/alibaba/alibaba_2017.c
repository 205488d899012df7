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
 * Class batch.
 *
 *   Terminated                    kept
 *   Failed; Running with an end   kept, noted as failed
 *   Running, end 0                kept, censored at END_S
 *   Waiting, Ready, Cancelled     left out: never ran, as far as the table tells
 *   created at 0 or before        repaired if it ended after 0: early, arrival 0, duration from
 *                                 there; else left out
 *   end before creation           left out
 *   end = creation                repaired: half a second, what a clock of whole seconds hides
 *   a request below 0             left out
 *   no CPUs requested             noted; CPUs 0
 *   instance of above 64 cores    noted: larger than a machine
 */
#include "traces/format.h"

#include <string.h>

/* The last end in the published table. The trace is described as 24 h, its tasks span 17. */
#define END_S            61668
#define HALF_A_SECOND_NS (DCS_NS_PER_S / 2)
#define PERCENT_PER_CORE 100.0
#define MACHINE_CORES    64.0 /* trace_201708.md, service instance event */
#define NUMBER_MAX       1e9  /* of instances and percent: their product is exact enough */

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
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(text, known[i].text) == 0)
            return known[i].status;
    return STATUSES;
}

struct task {
    int64_t job_id, task_id, instances;
    int64_t create_ns, end_ns;
    double percent; /* of a core, per instance; 0: not said */
    enum status status;
    bool censored, early;
};

/* What a text is that could not be read as the number of its column. */
static enum trace_issue bad_number(const char *text)
{
    double number;
    return trace_number(text, &number) ? ISSUE_OUT_OF_RANGE : ISSUE_MALFORMED;
}

/* The issue for which the row is left out, ISSUES if there is none. */
static enum trace_issue read_numbers(const struct trace_row *row, struct task *t)
{
    const char *const *f = row->fields;
    if (!trace_seconds_ns(f[CREATE_TIME], &t->create_ns))
        return bad_number(f[CREATE_TIME]);
    if (!trace_seconds_ns(f[END_TIME], &t->end_ns))
        return bad_number(f[END_TIME]);
    if (!trace_int64(f[JOB_ID], &t->job_id))
        return bad_number(f[JOB_ID]);
    if (!trace_int64(f[TASK_ID], &t->task_id))
        return bad_number(f[TASK_ID]);
    if (!trace_int64(f[INSTANCES], &t->instances))
        return bad_number(f[INSTANCES]);
    if (row->lengths[CPU] > 0 && !trace_number(f[CPU], &t->percent))
        return ISSUE_MALFORMED;
    if (t->instances < 0 || t->percent < 0.0)
        return ISSUE_IMPOSSIBLE_RESOURCES;
    if ((double)t->instances > NUMBER_MAX || t->percent > NUMBER_MAX)
        return ISSUE_OUT_OF_RANGE;
    return ISSUES;
}

static enum trace_issue read_task(const struct trace_row *row, struct task *t)
{
    *t = (struct task){.status = status_of(row->fields[STATUS])};
    enum trace_issue issue = read_numbers(row, t);
    if (issue != ISSUES)
        return issue;
    if (t->status == STATUSES)
        return ISSUE_UNKNOWN_CODE;
    if (t->status == NEVER_RAN)
        return ISSUE_NO_START;
    t->early = t->create_ns <= 0;
    if (t->early && t->end_ns < 0)
        return ISSUE_TIME_NEGATIVE;
    if (t->end_ns == 0) {
        t->censored = t->status == RUNNING && t->create_ns < END_S * DCS_NS_PER_S;
        t->end_ns = END_S * DCS_NS_PER_S;
        return t->censored ? ISSUES : ISSUE_NO_END;
    }
    return t->end_ns < t->create_ns ? ISSUE_END_BEFORE_START : ISSUES;
}

/* Says what is unusual in a row that is kept. */
static int note(struct trace_import *im, const struct task *t)
{
    if (t->early) {
        bool zero = t->create_ns == 0;
        if (import_issue(im, zero ? ISSUE_TIME_ZERO : ISSUE_TIME_NEGATIVE,
                         zero ? TRACE_NOTED : TRACE_REPAIRED) != 0)
            return -1;
    }
    if (t->censored && import_issue(im, ISSUE_NO_END, TRACE_NOTED) != 0)
        return -1;
    if (!t->censored && t->status != TERMINATED && import_issue(im, ISSUE_FAILED, TRACE_NOTED) != 0)
        return -1;
    if (t->end_ns == t->create_ns && import_issue(im, ISSUE_ZERO_DURATION, TRACE_REPAIRED) != 0)
        return -1;
    if ((t->percent <= 0.0 || t->instances == 0) &&
        import_issue(im, ISSUE_NO_RESOURCES, TRACE_NOTED) != 0)
        return -1;
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
    int64_t from_ns = t.early ? 0 : t.create_ns;
    struct trace_job job = {
        .arrival_ns = from_ns,
        .start_ns = from_ns,
        .duration_ns = t.end_ns > from_ns ? t.end_ns - from_ns : HALF_A_SECOND_NS,
        .class = DCS_BATCH,
        .cpus = t.percent / PERCENT_PER_CORE * (double)t.instances,
        .censored = t.censored,
        .early = t.early,
    };
    snprintf(job.key, sizeof job.key, "%lld/%lld", (long long)t.job_id, (long long)t.task_id);
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
