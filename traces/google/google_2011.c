/*
 * google_2011.c - clusterdata-2011-2: CSV without a header, in time order within and across its
 * parts.
 *
 * Source: "Google cluster-usage traces: format + schema", version 2.1, and its schema.csv. Times
 * are microseconds, the window begins at 600 s; 0 and 2^63-1 stand for before and after it.
 * Requests are fractions of the largest machine. Event numbers here are 2011's: 4 is FINISH (in
 * 2019, EVICT).
 *
 * Jobs from job_events (the job as a whole, no requests, no priority) or from task_events (one job
 * for each attempt of a task). machine_events makes no jobs; lint looks at it. The trace ends at
 * the latest time in the parts that are read, so that some parts of 500 make a shorter trace.
 */
#include "traces/google/google_life.h"

#define PRODUCTION_PRIORITY 9

/* By 2011's numbers: SUBMIT, SCHEDULE, EVICT, FAIL, FINISH, KILL, LOST, UPDATE_PENDING, _RUNNING.
 */
static const enum google_event meanings[] = {
    GOOGLE_SUBMIT, GOOGLE_SCHEDULE, GOOGLE_EVICT, GOOGLE_FAIL,  GOOGLE_FINISH,
    GOOGLE_KILL,   GOOGLE_LOST,     GOOGLE_OTHER, GOOGLE_OTHER,
};

static int life(struct trace_import *im, const struct trace_event *events, size_t count)
{
    return google_life(im, events, count, PRODUCTION_PRIORITY);
}

static int malformed(struct trace_import *im)
{
    return import_issue(im, ISSUE_MALFORMED, TRACE_LEFT_OUT);
}

/* What both tables of events share. 1: go on; 0: the row is left out; -1. */
static int read_common(struct trace_import *im, const char *time, const char *missing,
                       const char *id, const char *type, const char *class, struct trace_event *e)
{
    int64_t job, code, class_number = -1, why;
    int status;
    if (!trace_int64(id, &job) || !trace_int64(type, &code) ||
        (class[0] != '\0' && !trace_int64(class, &class_number)) ||
        (missing[0] != '\0' && !trace_int64(missing, &why)))
        return malformed(im);
    if (class_number < -1 || class_number > 3)
        return import_issue(im, ISSUE_OUT_OF_RANGE, TRACE_LEFT_OUT);
    if (code < 0 || code >= (int64_t)(sizeof meanings / sizeof *meanings))
        return import_issue(im, ISSUE_UNKNOWN_CODE, TRACE_LEFT_OUT);
    if (!google_time(im, time, &e->time_ns, &status))
        return status;
    if (missing[0] != '\0' && import_issue(im, ISSUE_SYNTHESISED, TRACE_NOTED) != 0)
        return -1;
    e->key[0] = (uint64_t)job;
    e->code = (int32_t)meanings[code];
    e->class = (int32_t)class_number;
    e->cpus = e->gpus = -1;
    return 1;
}

/* ---- job_events ---- */

enum { J_TIME, J_MISSING, J_JOB, J_TYPE, J_USER, J_CLASS, J_NAME, J_LOGICAL };
static const char *const job_columns[] = {
    "time",     "missing info",     "job ID", "event type", "user", "scheduling class",
    "job name", "logical job name", NULL};

static int job_row(struct trace_import *im, const struct trace_row *row)
{
    const char *const *f = row->fields;
    struct trace_event e = {.priority = -1};
    int go = read_common(im, f[J_TIME], f[J_MISSING], f[J_JOB], f[J_TYPE], f[J_CLASS], &e);
    return go == 1 ? import_event(im, &e) : go;
}

/* ---- task_events ---- */

enum {
    T_TIME,
    T_MISSING,
    T_JOB,
    T_INDEX,
    T_MACHINE,
    T_TYPE,
    T_USER,
    T_CLASS,
    T_PRIORITY,
    T_CPU,
    T_MEMORY,
    T_DISK,
    T_DIFFERENT
};
static const char *const task_columns[] = {"time",
                                           "missing info",
                                           "job ID",
                                           "task index",
                                           "machine ID",
                                           "event type",
                                           "user",
                                           "scheduling class",
                                           "priority",
                                           "CPU request",
                                           "memory request",
                                           "disk space request",
                                           "different machines restriction",
                                           NULL};

static int task_row(struct trace_import *im, const struct trace_row *row)
{
    const char *const *f = row->fields;
    struct trace_event e = {.flags = GOOGLE_INDEXED};
    int64_t index, priority;
    int status;
    if (!trace_int64(f[T_INDEX], &index) || !trace_int64(f[T_PRIORITY], &priority))
        return malformed(im);
    if (index < 0 || priority < 0 || priority > 11)
        return import_issue(im, ISSUE_OUT_OF_RANGE, TRACE_LEFT_OUT);
    int go = read_common(im, f[T_TIME], f[T_MISSING], f[T_JOB], f[T_TYPE], f[T_CLASS], &e);
    if (go != 1)
        return go;
    if (!google_request(im, f[T_CPU], &e.cpus, &status))
        return status;
    e.key[1] = (uint64_t)index;
    e.priority = (int32_t)priority;
    return import_event(im, &e);
}

/* ---- machine_events ---- */

enum { M_TIME, M_MACHINE, M_TYPE, M_PLATFORM, M_CPUS, M_MEMORY };
static const char *const machine_columns[] = {"time", "machine ID", "event type", "platform ID",
                                              "CPUs", "memory",     NULL};

static int machine_row(struct trace_import *im, const struct trace_row *row)
{
    const char *const *f = row->fields;
    int64_t machine, code, time_ns;
    double cpus;
    int status;
    if (!trace_int64(f[M_MACHINE], &machine) || !trace_int64(f[M_TYPE], &code))
        return malformed(im);
    if (code < 0 || code > 2)
        return import_issue(im, ISSUE_UNKNOWN_CODE, TRACE_LEFT_OUT);
    if (!google_time(im, f[M_TIME], &time_ns, &status) ||
        !google_request(im, f[M_CPUS], &cpus, &status))
        return status;
    return import_issue(im, ISSUE_NOT_A_JOB, TRACE_LEFT_OUT);
}

/* ---- the formats ---- */

extern const struct trace_format format_google_2011_jobs, format_google_2011_tasks,
    format_google_2011_machines;

const struct trace_format format_google_2011_jobs = {
    .name = "google-2011-job-events",
    .summary = "Google 2011, one job a job",
    .source = "clusterdata-2011-2 job_events, format v2.1",
    .syntax = TRACE_CSV,
    .columns = job_columns,
    .ordered = true,
    .row = job_row,
    .life = life,
};

const struct trace_format format_google_2011_tasks = {
    .name = "google-2011-task-events",
    .summary = "Google 2011, one job for each attempt of a task",
    .source = "clusterdata-2011-2 task_events, format v2.1",
    .syntax = TRACE_CSV,
    .columns = task_columns,
    .ordered = true,
    .row = task_row,
    .life = life,
};

const struct trace_format format_google_2011_machines = {
    .name = "google-2011-machine-events",
    .summary = "Google 2011, machines: for lint only, makes no jobs",
    .source = "clusterdata-2011-2 machine_events, format v2.1",
    .syntax = TRACE_CSV,
    .columns = machine_columns,
    .ordered = true,
    .row = machine_row,
};
