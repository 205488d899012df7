/*
 * tasks.c - see tasks.h.
 */
#include "traces/alibaba/tasks.h"

#include <string.h>

enum alibaba_status alibaba_status_of(const char *text)
{
    static const char *const names[ALIBABA_STATUSES] = {
        [ALIBABA_READY] = "Ready",
        [ALIBABA_WAITING] = "Waiting",
        [ALIBABA_RUNNING] = "Running",
        [ALIBABA_TERMINATED] = "Terminated",
        [ALIBABA_FAILED] = "Failed",
        [ALIBABA_CANCELLED] = "Cancelled",
        [ALIBABA_INTERRUPTED] = "Interrupted",
    };
    int status = 0;
    while (status < ALIBABA_STATUSES && strcmp(text, names[status]) != 0)
        status++;
    return (enum alibaba_status)status;
}

enum trace_issue alibaba_end(struct alibaba_task *t, bool has_end, int64_t end_s)
{
    if (!has_end) {
        t->censored = t->status == ALIBABA_RUNNING && t->start_ns < end_s * DCS_NS_PER_S;
        t->end_ns = end_s * DCS_NS_PER_S;
        return t->censored ? ISSUES : ISSUE_NO_END;
    }
    return t->end_ns < t->start_ns ? ISSUE_END_BEFORE_START : ISSUES;
}

int alibaba_to_job(struct trace_import *im, const struct alibaba_task *t, struct trace_job *job)
{
    job->arrival_ns = job->start_ns = t->start_ns;
    job->duration_ns = t->end_ns - t->start_ns;
    job->class = DCS_BATCH;
    job->censored = t->censored;
    if (t->censored)
        return import_issue(im, ISSUE_NO_END, TRACE_NOTED);
    bool success = t->status == ALIBABA_TERMINATED;
    job->status = success ? TRACE_STATUS_SUCCESS : TRACE_STATUS_FAILED;
    if (!success && import_issue(im, ISSUE_FAILED, TRACE_NOTED) != 0)
        return -1;
    if (job->duration_ns > 0)
        return 0;
    job->duration_ns = ALIBABA_TICK_NS;
    return import_issue(im, ISSUE_ZERO_DURATION, TRACE_REPAIRED);
}

/* ---- fields ---- */

bool alibaba_is_missing(const char *text)
{
    return *text == '\0' || strcmp(text, "NaN") == 0 || strcmp(text, "nan") == 0;
}

enum trace_issue alibaba_time(const char *text, bool *has, int64_t *out_ns)
{
    *has = !alibaba_is_missing(text);
    if (!*has)
        return ISSUES;
    if (!trace_seconds_ns(text, out_ns))
        return trace_bad_number(text);
    return *out_ns < 0 ? ISSUE_TIME_NEGATIVE : ISSUES;
}

enum trace_issue alibaba_amount(const char *text, double max, double *out)
{
    *out = 0.0;
    if (*text == '\0')
        return ISSUES;
    if (!trace_number(text, out))
        return ISSUE_MALFORMED;
    if (*out < 0.0)
        return ISSUE_IMPOSSIBLE_RESOURCES;
    return *out > max ? ISSUE_OUT_OF_RANGE : ISSUES;
}
