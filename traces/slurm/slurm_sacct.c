/*
 * slurm_sacct.c - the accounts of Slurm (slurm.schedmd.com/sacct.html), as this prints them:
 *
 *   sacct -a -X -P -S 2026-01-01 -o JobID,Submit,Start,ElapsedRaw,State,AllocTRES
 *
 * -P: the first line names the columns, "|" stands between; others may be there, too. -X: jobs
 * alone, without their steps. Times are local, without a zone, and taken as UTC: where clocks
 * change, jobs of that night are an hour off. AllocTRES:
 * "cpu=8,gres/gpu=2,gres/gpu:a100=2,mem=64G"; gres/gpu is all GPUs of the job, on all of its nodes,
 * and gres/gpu:a100 those of a type, where the cluster accounts for types.
 *
 * Rules. arrival = Submit, start = Start, duration = ElapsedRaw. All jobs are of class batch. The
 * trace ends with its latest job. GPUs without gres/gpu are the sum over the types. A job's models
 * are its types, if these are all of its GPUs: of several, it may run on each.
 *
 *   a step ("12.batch")             left out: not a job
 *   types that are no names        left out: malformed (empty, with |, or too long)
 *   Start is Unknown, None or empty left out: never ran
 *   no gres/gpu                     left out: not a job of a GPU cluster
 *   ElapsedRaw 0                    left out
 *   RUNNING, SUSPENDED              kept, censored; noted as no-end
 *   COMPLETED                       success; FAILED, TIMEOUT, CANCELLED, NODE_FAIL, OUT_OF_MEMORY,
 *                                   PREEMPTED, DEADLINE, BOOT_FAIL: kept, noted as failed
 *   another State                   kept, status unknown; noted as unknown-code
 *   Start before Submit             repaired: start = arrival, the duration stays
 */
#include "traces/format.h"
#include "traces/table/table_time.h"

#include <stdlib.h>
#include <string.h>

enum column { JOB_ID, SUBMIT, START, ELAPSED_RAW, STATE, ALLOC_TRES, COLUMNS };

static const char *const columns[COLUMNS + 1] = {"JobID",      "Submit", "Start",
                                                 "ElapsedRaw", "State",  "AllocTRES"};

static bool has_prefix(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* The number behind "NAME=" in a list with commas; -1: it is not there, or no number. */
static double resource_of(const char *list, const char *name)
{
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (!has_prefix(at, name) || at[strlen(name)] != '=')
            continue;
        char number[32];
        double value;
        const char *digits = at + strlen(name) + 1;
        snprintf(number, sizeof number, "%.*s", (int)strcspn(digits, ","), digits);
        return trace_number(number, &value) && value >= 0 ? value : -1;
    }
    return -1;
}

/* Adds up the types of GPUs, "gres/gpu:NAME=COUNT", and lists their names with | between them.
 * False: one is no name or no number, or they are too long together. */
static bool read_types(const char *list, double *gpus, char names[TRACE_MODELS_BYTES])
{
    static const char prefix[] = "gres/gpu:";
    char text[TRACE_MODELS_BYTES + 1] = "";
    size_t length = 0;
    *gpus = 0;
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (!has_prefix(at, prefix))
            continue;
        const char *name = at + sizeof prefix - 1;
        size_t bytes = strcspn(name, "=,");
        char number[32];
        double count;
        snprintf(number, sizeof number, "%.*s", (int)strcspn(name + bytes, ","), name + bytes);
        if (bytes == 0 || number[0] != '=' || !trace_number(number + 1, &count) || !(count >= 0) ||
            memchr(name, '|', bytes) != NULL || length + 1 + bytes >= sizeof text)
            return false;
        *gpus += count;
        if (count > 0)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%.*s",
                                       length > 0 ? "|" : "", (int)bytes, name);
    }
    return trace_models(text, names);
}

static enum trace_issue read_gpus(const char *list, struct trace_job *job)
{
    double typed;
    if (!read_types(list, &typed, job->models))
        return ISSUE_MALFORMED;
    job->gpus = resource_of(list, "gres/gpu");
    if (job->gpus < 0 && typed > 0)
        job->gpus = typed;
    if (typed < job->gpus) /* the others are of any model */
        job->models[0] = '\0';
    return job->gpus > 0 ? ISSUES : ISSUE_NOT_A_JOB;
}

static bool is_unknown(const char *time)
{
    return time[0] == '\0' || strcmp(time, "Unknown") == 0 || strcmp(time, "None") == 0;
}

/* Sets status and censored; what is to be noted, ISSUES: nothing. */
static enum trace_issue read_state(const char *state, struct trace_job *job)
{
    static const char *const ends[] = {"FAILED",    "TIMEOUT",       "CANCELLED",
                                       "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED",
                                       "DEADLINE",  "BOOT_FAIL",     NULL};
    if (has_prefix(state, "COMPLETED")) {
        job->status = TRACE_STATUS_SUCCESS;
        return ISSUES;
    }
    job->censored = has_prefix(state, "RUNNING") || has_prefix(state, "SUSPENDED");
    if (job->censored)
        return ISSUE_NO_END;
    for (size_t i = 0; ends[i] != NULL; i++)
        if (has_prefix(state, ends[i])) { /* "CANCELLED by 1000" */
            job->status = TRACE_STATUS_FAILED;
            return ISSUE_FAILED;
        }
    return ISSUE_UNKNOWN_CODE;
}

/* A row must be readable as a whole before anything else is said of it. */
static enum trace_issue read_job(const char *const *f, struct trace_job *job, enum column *about)
{
    *about = JOB_ID;
    if (strchr(f[JOB_ID], '.') != NULL)
        return ISSUE_NOT_A_JOB;
    *about = SUBMIT;
    if (!table_moment_ns(f[SUBMIT], TABLE_S, &job->arrival_ns))
        return ISSUE_MALFORMED;
    *about = START;
    if (is_unknown(f[START]))
        return ISSUE_NO_START;
    if (!table_moment_ns(f[START], TABLE_S, &job->start_ns))
        return ISSUE_MALFORMED;
    *about = ELAPSED_RAW;
    if (!trace_seconds_ns(f[ELAPSED_RAW], &job->duration_ns))
        return ISSUE_MALFORMED;
    if (job->duration_ns < 0)
        return ISSUE_OUT_OF_RANGE;
    if (job->duration_ns == 0)
        return ISSUE_ZERO_DURATION;
    *about = ALLOC_TRES;
    double cpus = resource_of(f[ALLOC_TRES], "cpu");
    job->cpus = cpus > 0 ? cpus : 0;
    return read_gpus(f[ALLOC_TRES], job);
}

static int row_to_job(struct trace_import *im, const struct trace_row *row)
{
    struct trace_job job = {.class = DCS_BATCH};
    enum column about;
    const char *const *f = row->fields;
    enum trace_issue issue = read_job(f, &job, &about);
    if (issue != ISSUES)
        return import_issue_about(im, issue, TRACE_LEFT_OUT, columns[about], f[about]);
    issue = read_state(f[STATE], &job);
    if (issue != ISSUES &&
        import_issue_about(im, issue, TRACE_NOTED, columns[STATE], f[STATE]) != 0)
        return -1;
    if (job.start_ns < job.arrival_ns) {
        job.start_ns = job.arrival_ns;
        if (import_issue_about(im, ISSUE_START_BEFORE_SUBMIT, TRACE_REPAIRED, columns[START],
                               f[START]) != 0)
            return -1;
    }
    snprintf(job.key, sizeof job.key, "%s", f[JOB_ID]);
    return import_job(im, &job);
}

extern const struct trace_format format_slurm_sacct;
const struct trace_format format_slurm_sacct = {
    .name = "slurm-sacct",
    .summary = "the accounts of a Slurm cluster: jobs with GPUs",
    .source = "sacct -a -X -P -S DATE -o JobID,Submit,Start,ElapsedRaw,State,AllocTRES",
    .syntax = TRACE_CSV_HEADER,
    .delimiter = '|',
    .own = true,
    .columns = columns,
    .row = row_to_job,
};
