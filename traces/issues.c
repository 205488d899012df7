/*
 * issues.c - what each kind of trouble is called, and what is done about it.
 */
#include "traces/import.h"

static const struct {
    const char *name, *rule;
} texts[ISSUES] = {
    [ISSUE_MALFORMED] = {"malformed",
                         "wrong number of fields, not a number, NUL byte, above 1 MiB"},
    [ISSUE_CUT_LAST_LINE] = {"cut-last-line",
                             "the file ends inside a line: kept if all fields are there"},
    [ISSUE_OUT_OF_RANGE] = {"out-of-range",
                            "a number that its column cannot hold, or a job that the form cannot; "
                            "a table's times are seconds unless --map says :ms and the like"},
    [ISSUE_TIME_ZERO] = {"time-zero", "0: happened before the trace began; a job that was there "
                                      "already counts from the beginning"},
    [ISSUE_TIME_SENTINEL] = {"time-sentinel", "2^63-1: happens after the trace ended"},
    [ISSUE_TIME_NEGATIVE] = {"time-negative", "a time before the trace's zero"},
    [ISSUE_NO_START] = {"no-start", "an end without a start: it never ran"},
    [ISSUE_NO_END] = {"no-end", "no end is known: censored where it still ran at the trace's end; "
                                "repaired where the next attempt bounds it; left out where "
                                "nothing says how long it ran"},
    [ISSUE_NO_SUBMIT] = {"no-submit", "no arrival is known: the start is taken"},
    [ISSUE_END_BEFORE_START] = {"end-before-start",
                                "the end is earlier than the start, or a runtime is below 0"},
    [ISSUE_START_BEFORE_SUBMIT] = {"start-before-submit",
                                   "the start is earlier than the submission, and is put there; "
                                   "the runtime stays"},
    [ISSUE_ZERO_DURATION] = {"zero-duration", "began and ended in the same tick of the clock"},
    [ISSUE_REPEATED_LIFE] = {"repeated-life", "the same entity runs again: a job for each attempt"},
    [ISSUE_UNORDERED] = {"unordered", "earlier than the row before it, in a table in time order"},
    [ISSUE_NO_RESOURCES] = {"no-resources",
                            "the request (or capacity) is 0, empty, or says none (nan, None, -)"},
    [ISSUE_IMPOSSIBLE_RESOURCES] = {"impossible-resources",
                                    "negative, or more than the largest machine has"},
    [ISSUE_UNKNOWN_CODE] = {"unknown-code", "an event or status that the format does not have"},
    [ISSUE_NOT_A_JOB] = {"not-a-job", "describes no job: machines, reservations"},
    [ISSUE_FAILED] = {"failed", "ran, but did not succeed: it held its resources"},
    [ISSUE_SYNTHESISED] = {"synthesised", "made up by the publisher to fill a gap"},
    [ISSUE_TOO_MANY_EVENTS] = {"too-many-events", "one entity has above 262144 events: the rest"},
    [ISSUE_DAMAGED_FILE] = {"damaged-file", "a gzip that is cut off or does not unpack"},
    [ISSUE_REPEATED_JOB] = {"repeated-job",
                            "an earlier row has the same name, times and GPUs: its work is done "
                            "twice (of the first 3 million jobs)"},
    [ISSUE_FILTERED] = {"filtered", "not one of the rows that --where wants"},
};

const char *trace_issue_name(enum trace_issue issue)
{
    return texts[issue].name;
}

const char *trace_issue_rule(enum trace_issue issue)
{
    return texts[issue].rule;
}
