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
 * What becomes of each status and of its end stands in tasks.h; besides:
 *
 *   Interrupted with both times   as Failed
 *   Ready, Cancelled              the tables do not have them: left out
 *   end empty                     there is none; what runs is censored at END_S
 *   Waiting, or start empty       left out: never ran, or since when is not known
 *   a time or a request below 0   left out
 *   task without inst_num, or with neither CPUs nor GPUs   noted; not said
 *   instance of above 96 cores or 8 GPUs   noted: larger than a machine
 *
 * Keys: job_name; job_name/task_name; job_name/ and the first 38 digits of worker_name's 60.
 */
#include "traces/alibaba/tasks.h"

/* The latest end in the last part of the published instance table, 74.7 days. */
#define END_S            6450211
#define PERCENT_PER_UNIT 100.0
#define MACHINE_CORES    96.0 /* pai_machine_spec, the largest */
#define MACHINE_GPUS     8.0

/* ---- what the three tables share ---- */

static enum trace_issue read_task(const char *status, const char *start, const char *end,
                                  struct alibaba_task *t)
{
    bool has_start, has_end;
    *t = (struct alibaba_task){.status = alibaba_status_of(status)};
    enum trace_issue issue = alibaba_time(start, &has_start, &t->start_ns);
    if (issue != ISSUES)
        return issue;
    issue = alibaba_time(end, &has_end, &t->end_ns);
    if (issue != ISSUES)
        return issue;
    if (t->status == ALIBABA_READY || t->status == ALIBABA_CANCELLED ||
        t->status == ALIBABA_STATUSES)
        return ISSUE_UNKNOWN_CODE;
    if (!has_start || t->status == ALIBABA_WAITING)
        return ISSUE_NO_START;
    return alibaba_end(t, has_end, END_S);
}

/* *job has its key and request. */
static int keep(struct trace_import *im, const struct alibaba_task *t, struct trace_job *job)
{
    if (alibaba_to_job(im, t, job) != 0)
        return -1;
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
    struct alibaba_task t;
    enum trace_issue issue = read_task(f[JOB_STATUS], f[JOB_START_TIME], f[JOB_END_TIME], &t);
    if (issue != ISSUES)
        return import_issue(im, issue, TRACE_LEFT_OUT);
    struct trace_job job = {.gpus = 0.0};
    snprintf(job.key, sizeof job.key, "%s", f[JOB_NAME]);
    return keep(im, &t, &job);
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
    return alibaba_amount(alibaba_is_missing(text) ? "" : text, ALIBABA_NUMBER_MAX, out);
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
    struct alibaba_task t;
    enum trace_issue issue = read_request(f, &r);
    if (issue == ISSUES)
        issue = read_task(f[TASK_STATUS], f[TASK_START_TIME], f[TASK_END_TIME], &t);
    if (issue != ISSUES)
        return import_issue(im, issue, TRACE_LEFT_OUT);
    double cores = r.cpu_percent / PERCENT_PER_UNIT, gpus = r.gpu_percent / PERCENT_PER_UNIT;
    struct trace_job job = {.gpus = gpus * r.instances, .cpus = cores * r.instances};
    snprintf(job.key, sizeof job.key, "%s/%s", f[TASK_JOB_NAME], f[TASK_NAME]);
    if ((cores > MACHINE_CORES || gpus > MACHINE_GPUS) &&
        import_issue(im, ISSUE_IMPOSSIBLE_RESOURCES, TRACE_NOTED) != 0)
        return -1;
    return keep(im, &t, &job);
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
    struct alibaba_task t;
    enum trace_issue issue =
        read_task(f[INSTANCE_STATUS], f[INSTANCE_START_TIME], f[INSTANCE_END_TIME], &t);
    if (issue != ISSUES)
        return import_issue(im, issue, TRACE_LEFT_OUT);
    struct trace_job job = {.gpus = 0.0};
    snprintf(job.key, sizeof job.key, "%s/%.38s", f[INSTANCE_JOB_NAME], f[INSTANCE_WORKER_NAME]);
    return keep(im, &t, &job);
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
