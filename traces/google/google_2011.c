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
 *
 * What becomes of each event, and the status of each job: google_life.h, google_rows.h.
 */
#include "traces/google/google_rows.h"

#define PRODUCTION_PRIORITY 9
#define PRIORITY_MAX        11

static const struct google_number numbers[] = {
    {GOOGLE_SUBMIT, 0},   /* 0 SUBMIT */
    {GOOGLE_SCHEDULE, 0}, /* 1 SCHEDULE */
    {GOOGLE_EVICT, 0},    /* 2 EVICT */
    {GOOGLE_FAIL, 0},     /* 3 FAIL */
    {GOOGLE_FINISH, 0},   /* 4 FINISH */
    {GOOGLE_KILL, 0},     /* 5 KILL */
    {GOOGLE_LOST, 0},     /* 6 LOST */
    {GOOGLE_OTHER, 0},    /* 7 UPDATE_PENDING */
    {GOOGLE_OTHER, 0},    /* 8 UPDATE_RUNNING */
};
#define NUMBERS .numbers = numbers, .numbers_count = sizeof numbers / sizeof *numbers

static int life(struct trace_import *im, const struct trace_event *events, size_t count)
{
    return google_life(im, events, count, PRODUCTION_PRIORITY);
}

/* ---- job_events ---- */

enum { J_TIME, J_MISSING, J_JOB, J_TYPE, J_USER, J_CLASS, J_NAME, J_LOGICAL };
static const char *const job_columns[] = {
    "time",     "missing info",     "job ID", "event type", "user", "scheduling class",
    "job name", "logical job name", NULL};

static int job_row(struct trace_import *im, const struct trace_row *row)
{
    static const struct google_table table = {
        .time = J_TIME,
        .id = J_JOB,
        .type = J_TYPE,
        .class = J_CLASS,
        .priority = GOOGLE_NO_COLUMN,
        .index = GOOGLE_NO_COLUMN,
        .cpus = GOOGLE_NO_COLUMN,
        .missing = J_MISSING,
        .kind = GOOGLE_NO_COLUMN,
        NUMBERS,
    };
    return google_row(im, row, &table);
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
    static const struct google_table table = {
        .time = T_TIME,
        .id = T_JOB,
        .type = T_TYPE,
        .class = T_CLASS,
        .priority = T_PRIORITY,
        .index = T_INDEX,
        .cpus = T_CPU,
        .missing = T_MISSING,
        .kind = GOOGLE_NO_COLUMN,
        .priority_needed = true,
        .priority_max = PRIORITY_MAX,
        NUMBERS,
    };
    return google_row(im, row, &table);
}

/* ---- machine_events ---- */

enum { M_TIME, M_MACHINE, M_TYPE, M_PLATFORM, M_CPUS, M_MEMORY };
static const char *const machine_columns[] = {"time", "machine ID", "event type", "platform ID",
                                              "CPUs", "memory",     NULL};

/* 0 ADD, 1 REMOVE, 2 UPDATE. */
static int machine_row(struct trace_import *im, const struct trace_row *row)
{
    return google_machine_row(im, row, M_TIME, M_MACHINE, M_TYPE, M_CPUS, 0, 2);
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
