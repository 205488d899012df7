/*
 * pai_2020.c - pai_job_table, pai_task_table and pai_instance_table of Alibaba's
 * cluster-trace-gpu-v2020 (PAI, July and August 2020): three formats, each table on its own, and in
 * each of them one row is one job.
 *
 * Columns, no header (README.md and *.header of github.com/alibaba/clusterdata,
 * cluster-trace-gpu-v2020; Weng et al., "MLaaS in the Wild", NSDI 2022):
 *
 *   job       job_name, inst_id, user, status, start_time = submission, end_time
 *   task      job_name, task_name, inst_num, status, start_time = launch, end_time, plan_cpu per
 *             instance in percent of a core, plan_mem in GB, plan_gpu per instance in percent of a
 *             GPU (50 = half a GPU, 200 = two), gpu_type
 *   instance  job_name, task_name, inst_name, worker_name, inst_id, status, start_time, end_time,
 *             machine
 *
 * Seconds, written as floats ("4550879.0"), less a constant that keeps hour and weekday (UTC+8).
 *
 * Traps. Missing values are empty (NaN in some copies). Only Terminated succeeded. Interrupted, of
 * spare copies of an instance, has an end but no start. Failed has both times, or either alone.
 * Running has a start or nothing; Waiting has no times. The rows are grouped by job, in no order of
 * time. One inst_name can stand on several rows: attempts, told apart by worker_name.
 * Durations of jobs contain their wait, those of tasks and instances do not. What these waited is
 * their start less that of their job; for that the tables would have to be joined.
 *
 * Rules, the same for all three. arrival = start = start_time, duration = end - start. Class batch.
 * GPUs and CPUs of a task: of all its instances together. Jobs and instances do not tell: 0, noted.
 *
 *   Terminated                    kept
 *   any other with both times     kept, noted as failed; Waiting left out
 *   Running, end empty            kept, censored at END_S
 *   any other, end empty          left out: how long it ran is not known
 *   Waiting, or start empty       left out: never ran, or since when is not known
 *   a time or a request below 0   left out
 *   end before start              left out
 *   end = start                   repaired: half a second, what a clock of whole seconds hides
 *   task without inst_num, or with neither CPUs nor GPUs   noted; not said
 *   instance of above 96 cores or 8 GPUs   noted: larger than a machine
 *
 * Keys: job_name; job_name/task_name; job_name/ and the first 38 digits of worker_name's 60.
 */
#include "traces/format.h"

#include <string.h>

/* The latest end in the last part of the published instance table, 74.7 days. */
#define END_S            6450211
#define HALF_A_SECOND_NS (DCS_NS_PER_S / 2)
#define PERCENT_PER_UNIT 100.0
#define MACHINE_CORES    96.0 /* pai_machine_spec, the largest */
#define MACHINE_GPUS     8.0
#define NUMBER_MAX       1e9 /* of instances and percent: their product is exact enough */

enum status {
    WAITING,
    RUNNING,
    TERMINATED,
    FAILED,
    INTERRUPTED,
    STATUSES,
};

static enum status status_of(const char *text)
{
    static const char *const names[STATUSES] = {
        [WAITING] = "Waiting", [RUNNING] = "Running",         [TERMINATED] = "Terminated",
        [FAILED] = "Failed",   [INTERRUPTED] = "Interrupted",
    };
    int status = 0;
    while (status < STATUSES && strcmp(text, names[status]) != 0)
        status++;
    return (enum status)status;
}

static bool is_missing(const char *text)
{
    return *text == '\0' || strcmp(text, "NaN") == 0 || strcmp(text, "nan") == 0;
}

/* ---- what the three tables share ---- */

struct span {
    enum status status;
    int64_t start_ns, end_ns;
    bool censored;
};

/* The issue for which a row with such a text is left out, ISSUES if there is none. */
static enum trace_issue read_time(const char *text, bool *has, int64_t *out_ns)
{
    double number;
    *has = !is_missing(text);
    if (!*has)
        return ISSUES;
    if (!trace_seconds_ns(text, out_ns))
        return trace_number(text, &number) ? ISSUE_OUT_OF_RANGE : ISSUE_MALFORMED;
    return *out_ns < 0 ? ISSUE_TIME_NEGATIVE : ISSUES;
}

static enum trace_issue read_span(const char *status, const char *start, const char *end,
                                  struct span *span)
{
    bool has_start, has_end;
    *span = (struct span){.status = status_of(status)};
    enum trace_issue issue = read_time(start, &has_start, &span->start_ns);
    if (issue != ISSUES)
        return issue;
    issue = read_time(end, &has_end, &span->end_ns);
    if (issue != ISSUES)
        return issue;
    if (span->status == STATUSES)
        return ISSUE_UNKNOWN_CODE;
    if (!has_start || span->status == WAITING)
        return ISSUE_NO_START;
    if (!has_end) {
        span->censored = span->status == RUNNING && span->start_ns < END_S * DCS_NS_PER_S;
        span->end_ns = END_S * DCS_NS_PER_S;
        return span->censored ? ISSUES : ISSUE_NO_END;
    }
    return span->end_ns < span->start_ns ? ISSUE_END_BEFORE_START : ISSUES;
}

/* *job has its key and request. */
static int keep(struct trace_import *im, const struct span *span, struct trace_job *job)
{
    job->arrival_ns = span->start_ns;
    job->start_ns = span->start_ns;
    job->duration_ns = span->end_ns - span->start_ns;
    job->class = DCS_BATCH;
    job->censored = span->censored;
    if (span->censored && import_issue(im, ISSUE_NO_END, TRACE_NOTED) != 0)
        return -1;
    if (!span->censored && span->status != TERMINATED &&
        import_issue(im, ISSUE_FAILED, TRACE_NOTED) != 0)
        return -1;
    if (job->duration_ns == 0) {
        job->duration_ns = HALF_A_SECOND_NS;
        if (import_issue(im, ISSUE_ZERO_DURATION, TRACE_REPAIRED) != 0)
            return -1;
    }
    if (job->gpus <= 0.0 && job->cpus <= 0.0 &&
        import_issue(im, ISSUE_NO_RESOURCES, TRACE_NOTED) != 0)
        return -1;
    return import_job(im, job);
}

/* ---- jobs ---- */

enum job_column {
    JOB_NAME,
    JOB_INST_ID,
    JOB_USER,
    JOB_STATUS,
    JOB_START_TIME,
    JOB_END_TIME,
    JOB_COLUMNS,
};

static const char *const job_columns[JOB_COLUMNS + 1] = {
    "job_name", "inst_id", "user", "status", "start_time", "end_time",
};

static int job_row(struct trace_import *im, const struct trace_row *row)
{
    const char *const *f = row->fields;
    struct span span;
    enum trace_issue issue = read_span(f[JOB_STATUS], f[JOB_START_TIME], f[JOB_END_TIME], &span);
    if (issue != ISSUES)
        return import_issue(im, issue, TRACE_LEFT_OUT);
    struct trace_job job = {.gpus = 0.0};
    snprintf(job.key, sizeof job.key, "%s", f[JOB_NAME]);
    return keep(im, &span, &job);
}

extern const struct trace_format format_pai_2020_job;
const struct trace_format format_pai_2020_job = {
    .name = "pai-2020-job",
    .summary = "Alibaba cluster-trace-gpu-v2020 (PAI): jobs from submission to end, no requests",
    .source = "cluster-trace-gpu-v2020/pai_job_table.csv",
    .syntax = TRACE_CSV,
    .columns = job_columns,
    .end_ns = END_S * DCS_NS_PER_S,
    .row = job_row,
};

/* ---- tasks ---- */

enum task_column {
    TASK_JOB_NAME,
    TASK_NAME,
    TASK_INSTANCES,
    TASK_STATUS,
    TASK_START_TIME,
    TASK_END_TIME,
    TASK_CPU,
    TASK_MEMORY,
    TASK_GPU,
    TASK_GPU_TYPE,
    TASK_COLUMNS,
};

static const char *const task_columns[TASK_COLUMNS + 1] = {
    "job_name", "task_name", "inst_num", "status",   "start_time",
    "end_time", "plan_cpu",  "plan_mem", "plan_gpu", "gpu_type",
};

struct request {
    double instances, cpu_percent, gpu_percent; /* 0: not said */
};

static enum trace_issue read_amount(const char *text, double *out)
{
    *out = 0.0;
    if (is_missing(text))
        return ISSUES;
    if (!trace_number(text, out))
        return ISSUE_MALFORMED;
    if (*out < 0.0)
        return ISSUE_IMPOSSIBLE_RESOURCES;
    return *out > NUMBER_MAX ? ISSUE_OUT_OF_RANGE : ISSUES;
}

static enum trace_issue read_request(const char *const *f, struct request *r)
{
    const enum trace_issue issues[] = {
        read_amount(f[TASK_INSTANCES], &r->instances),
        read_amount(f[TASK_CPU], &r->cpu_percent),
        read_amount(f[TASK_GPU], &r->gpu_percent),
    };
    for (size_t i = 0; i < sizeof issues / sizeof *issues; i++)
        if (issues[i] != ISSUES)
            return issues[i];
    return ISSUES;
}

static int task_row(struct trace_import *im, const struct trace_row *row)
{
    const char *const *f = row->fields;
    struct request r;
    struct span span;
    enum trace_issue issue = read_request(f, &r);
    if (issue == ISSUES)
        issue = read_span(f[TASK_STATUS], f[TASK_START_TIME], f[TASK_END_TIME], &span);
    if (issue != ISSUES)
        return import_issue(im, issue, TRACE_LEFT_OUT);
    double cores = r.cpu_percent / PERCENT_PER_UNIT, gpus = r.gpu_percent / PERCENT_PER_UNIT;
    struct trace_job job = {.gpus = gpus * r.instances, .cpus = cores * r.instances};
    snprintf(job.key, sizeof job.key, "%s/%s", f[TASK_JOB_NAME], f[TASK_NAME]);
    if ((cores > MACHINE_CORES || gpus > MACHINE_GPUS) &&
        import_issue(im, ISSUE_IMPOSSIBLE_RESOURCES, TRACE_NOTED) != 0)
        return -1;
    return keep(im, &span, &job);
}

extern const struct trace_format format_pai_2020_task;
const struct trace_format format_pai_2020_task = {
    .name = "pai-2020-task",
    .summary = "Alibaba cluster-trace-gpu-v2020 (PAI): tasks from launch to end, CPUs and GPUs",
    .source = "cluster-trace-gpu-v2020/pai_task_table.csv",
    .syntax = TRACE_CSV,
    .columns = task_columns,
    .end_ns = END_S * DCS_NS_PER_S,
    .row = task_row,
};

/* ---- instances ---- */

enum instance_column {
    INSTANCE_JOB_NAME,
    INSTANCE_TASK_NAME,
    INSTANCE_NAME,
    INSTANCE_WORKER_NAME,
    INSTANCE_ID,
    INSTANCE_STATUS,
    INSTANCE_START_TIME,
    INSTANCE_END_TIME,
    INSTANCE_MACHINE,
    INSTANCE_COLUMNS,
};

static const char *const instance_columns[INSTANCE_COLUMNS + 1] = {
    "job_name", "task_name",  "inst_name", "worker_name", "inst_id",
    "status",   "start_time", "end_time",  "machine",
};

static int instance_row(struct trace_import *im, const struct trace_row *row)
{
    const char *const *f = row->fields;
    struct span span;
    enum trace_issue issue =
        read_span(f[INSTANCE_STATUS], f[INSTANCE_START_TIME], f[INSTANCE_END_TIME], &span);
    if (issue != ISSUES)
        return import_issue(im, issue, TRACE_LEFT_OUT);
    struct trace_job job = {.gpus = 0.0};
    snprintf(job.key, sizeof job.key, "%s/%.38s", f[INSTANCE_JOB_NAME], f[INSTANCE_WORKER_NAME]);
    return keep(im, &span, &job);
}

extern const struct trace_format format_pai_2020_instance;
const struct trace_format format_pai_2020_instance = {
    .name = "pai-2020-instance",
    .summary = "Alibaba cluster-trace-gpu-v2020 (PAI): instances from launch to end, no requests",
    .source = "cluster-trace-gpu-v2020/pai_instance_table.csv",
    .syntax = TRACE_CSV,
    .columns = instance_columns,
    .end_ns = END_S * DCS_NS_PER_S,
    .row = instance_row,
};
