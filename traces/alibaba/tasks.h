/*
 * tasks.h - what Alibaba's tables of batch work share (2017, 2018, PAI 2020): rows with a status, a
 * start and an end. Each format's file says which of its columns they are, and what it leaves out.
 *
 *   Terminated                    kept; success
 *   Failed; Running with an end   kept, noted as failed; failed. What is still Running long after
 *                                 its end was stopped with its job, in which another task failed
 *   Running without an end        kept, noted; censored where the trace ends, unknown
 *   any other without an end      left out: how long it ran is not known
 *   end before start              left out
 *   end = start                   repaired: half a second, what a clock of whole seconds hides
 */
#ifndef DCS_TRACES_ALIBABA_TASKS_H
#define DCS_TRACES_ALIBABA_TASKS_H

#include "traces/format.h"

#define ALIBABA_TICK_NS    (DCS_NS_PER_S / 2) /* taken for a duration of 0 */
#define ALIBABA_NUMBER_MAX 1e9 /* of instances and percent: their product is exact enough */

enum alibaba_status {
    ALIBABA_READY, /* did not run yet */
    ALIBABA_WAITING,
    ALIBABA_RUNNING,
    ALIBABA_TERMINATED,
    ALIBABA_FAILED,
    ALIBABA_CANCELLED,
    ALIBABA_INTERRUPTED,
    ALIBABA_STATUSES, /* another text */
};

enum alibaba_status alibaba_status_of(const char *text);

struct alibaba_task {
    enum alibaba_status status;
    int64_t start_ns, end_ns;
    bool censored;
};

/* Settles the end of a task that ran. has_end: its row has one. end_s: when the trace ends. The
 * issue for which the row is left out, ISSUES if there is none. */
enum trace_issue alibaba_end(struct alibaba_task *t, bool has_end, int64_t end_s);

/* The task as a job that arrives when it starts: times, class, status. Notes a missing end, a
 * failure and a duration of 0. The key, the requests and `early` are the caller's. */
int alibaba_to_job(struct trace_import *im, const struct alibaba_task *t, struct trace_job *job);

/* ---- fields ---- */

/* "", "NaN" */
bool alibaba_is_missing(const char *text);

/* Each: the issue for which a row with such a text is left out, ISSUES if there is none.
 * time: seconds; *has false where it is missing. below 0 is refused.
 * amount: "" is 0; below 0 and above `max` are refused, and *out has them all the same. */
enum trace_issue alibaba_time(const char *text, bool *has, int64_t *out_ns);
enum trace_issue alibaba_amount(const char *text, double max, double *out);

#endif
