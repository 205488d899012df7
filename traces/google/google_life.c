/*
 * google_life.c - see google_life.h.
 *
 * Class: scheduling class 2 and 3 are latency, 0 and 1 batch. Both format documents call the class
 * roughly how latency-sensitive a job is, 3 being those that serve users for revenue and 0 being
 * development and non-critical analyses. Where it is missing the tier decides: production and
 * monitoring priorities are latency (2011: Reiss et al., "Google cluster-usage traces: format +
 * schema", 9 and above; 2019: Tirmazi et al., "Borg: the next generation", EuroSys 2020, section 2,
 * 120 and above).
 */
#include "traces/google/google_life.h"

#include <string.h>

struct walk {
    struct trace_import *im;
    int32_t production;
    bool waiting, running;
    int64_t submit_ns;        /* last SUBMIT, where waiting */
    int64_t arrival_ns;       /* of the attempt that runs */
    struct trace_event start; /* of the attempt that runs; its request is kept up to date */
    double cpus;              /* last said */
    int32_t priority, class;
    uint64_t attempts;
};

static int issue(struct walk *w, enum trace_issue what, enum trace_effect effect,
                 const struct trace_event *at)
{
    return import_issue_at(w->im, what, effect, at->file, at->line);
}

static enum dcs_class class_of(const struct walk *w)
{
    if (w->class >= 0)
        return w->class >= 2 ? DCS_LATENCY : DCS_BATCH;
    return w->priority >= w->production ? DCS_LATENCY : DCS_BATCH;
}

/* In decimal, towards the front from `end`; returns where it begins. */
static char *digits_before(char *end, uint64_t value)
{
    do {
        *--end = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    return end;
}

/* "job" or "job/index"; by hand, since printf took a tenth of the time of a job. Ids below 0 do not
 * occur, and would show as what they are modulo 2^64. */
static void write_key(char key[64], const struct trace_event *e)
{
    char text[64], *end = text + sizeof text, *at = end;
    if (e->flags & GOOGLE_INDEXED) {
        at = digits_before(at, e->key[1]);
        *--at = '/';
    }
    at = digits_before(at, e->key[0]);
    memcpy(key, at, (size_t)(end - at));
    key[end - at] = '\0';
}

/* The running attempt ends at end_ns. */
static int put_job(struct walk *w, int64_t end_ns, enum trace_status status, bool censored)
{
    const struct trace_event *e = &w->start;
    struct trace_job job = {.arrival_ns = w->arrival_ns,
                            .start_ns = e->time_ns,
                            .class = class_of(w),
                            .cpus = w->cpus > 0 ? w->cpus : 0,
                            .priority = w->priority,
                            .censored = censored,
                            .status = status,
                            .file = e->file,
                            .line = e->line};
    w->running = false;
    if (end_ns == 0)
        return issue(w, ISSUE_TIME_ZERO, TRACE_LEFT_OUT, e);
    if (job.arrival_ns == 0) {
        job.early = true;
        if (job.start_ns == 0)
            job.start_ns = GOOGLE_BEGIN_NS;
        job.arrival_ns = job.start_ns < GOOGLE_BEGIN_NS ? job.start_ns : GOOGLE_BEGIN_NS;
        if (issue(w, ISSUE_TIME_ZERO, TRACE_REPAIRED, e) != 0)
            return -1;
    }
    job.duration_ns = end_ns - job.start_ns;
    if (job.duration_ns <= 0) {
        job.duration_ns = DCS_NS_PER_US;
        if (issue(w, ISSUE_ZERO_DURATION, TRACE_REPAIRED, e) != 0)
            return -1;
    }
    if (w->attempts++ > 0 && issue(w, ISSUE_REPEATED_LIFE, TRACE_NOTED, e) != 0)
        return -1;
    write_key(job.key, e);
    return import_job(w->im, &job);
}

static int on_schedule(struct walk *w, const struct trace_event *e)
{
    if (e->time_ns == DCS_NEVER) /* after the trace */
        return 0;
    if (w->running && (issue(w, ISSUE_NO_END, TRACE_REPAIRED, &w->start) != 0 ||
                       put_job(w, e->time_ns, TRACE_STATUS_UNKNOWN, false)))
        return -1;
    if (!w->waiting && issue(w, ISSUE_NO_SUBMIT, TRACE_REPAIRED, e) != 0)
        return -1;
    w->arrival_ns = w->waiting ? w->submit_ns : e->time_ns;
    w->running = true;
    w->waiting = false;
    w->start = *e;
    return 0;
}

static int censor(struct walk *w)
{
    if (issue(w, ISSUE_NO_END, TRACE_NOTED, &w->start) != 0)
        return -1;
    return put_job(w, import_end_ns(w->im), TRACE_STATUS_UNKNOWN, true);
}

static int on_end(struct walk *w, const struct trace_event *e)
{
    if (!w->running) {
        w->waiting = false;
        return issue(w, ISSUE_NO_START, TRACE_LEFT_OUT, e);
    }
    if (e->time_ns == DCS_NEVER)
        return censor(w);
    bool success = e->code == GOOGLE_FINISH;
    if (!success && issue(w, ISSUE_FAILED, TRACE_NOTED, e) != 0)
        return -1;
    return put_job(w, e->time_ns, success ? TRACE_STATUS_SUCCESS : TRACE_STATUS_FAILED, false);
}

static int on_event(struct walk *w, const struct trace_event *e)
{
    if (e->cpus >= 0)
        w->cpus = e->cpus;
    if (e->priority >= 0)
        w->priority = e->priority;
    if (e->class >= 0)
        w->class = (unsigned char)e->class;
    switch (e->code) {
    case GOOGLE_SUBMIT:
        /* While it runs: of the next attempt, whose end comes in the same microsecond. */
        w->waiting = e->time_ns != DCS_NEVER;
        w->submit_ns = e->time_ns;
        return 0;
    case GOOGLE_SCHEDULE:
        return on_schedule(w, e);
    case GOOGLE_OTHER:
        return 0;
    default:
        return on_end(w, e);
    }
}

int google_life(struct trace_import *im, const struct trace_event *events, size_t count,
                int32_t production)
{
    struct walk w = {.im = im, .production = production, .cpus = -1, .priority = -1, .class = -1};
    for (size_t i = 0; i < count; i++)
        if (on_event(&w, &events[i]) != 0)
            return -1;
    if (w.running)
        return censor(&w);
    if (w.waiting)
        return issue(&w, ISSUE_NO_START, TRACE_LEFT_OUT, &events[count - 1]);
    return 0;
}
