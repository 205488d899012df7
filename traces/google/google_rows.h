/*
 * google_rows.h - from a row of either Google trace to an event: both tell the same in other
 * columns and with other numbers, and a table of those is all that is different.
 *
 * Rules, the same for both: times are microseconds; 0 and 2^63-1 are noted, below 0 is left out. A
 * number that its column cannot hold is out-of-range, an event that the year does not have is an
 * unknown-code: both left out. A request is in units of the largest machine: nothing or 0 is noted
 * (no-resources), above 1 noted, below 0 taken as not said (impossible-resources). What the
 * publisher made up is noted (synthesised). Alloc sets are left out (not-a-job).
 */
#ifndef DCS_TRACES_GOOGLE_ROWS_H
#define DCS_TRACES_GOOGLE_ROWS_H

#include "traces/google/google_life.h"

struct google_number {
    enum google_event means;
    int8_t rank; /* see trace_event.rank */
};

#define GOOGLE_NO_COLUMN (-1)

struct google_table {
    /* Where each stands in the row; all but time, id and type may be GOOGLE_NO_COLUMN. */
    int time, id, type;
    int class, priority; /* "": -1, not said */
    int index;           /* of the task or instance; must be there */
    int cpus;
    int missing;                         /* why the publisher made the row up; "": he did not */
    int kind;                            /* 1: an alloc set */
    bool missing_zero_is_none;           /* 0 is a reason in 2011, and none in 2019 */
    bool priority_needed;                /* "" is malformed */
    int64_t priority_max;                /* at least 0 where it is needed, else -1 */
    const struct google_number *numbers; /* by the year's number of the event */
    size_t numbers_count;
};

/* Reads a row and keeps it as an event, or leaves it out. */
int google_row(struct trace_import *im, const struct trace_row *row, const struct google_table *t);

/* A row about a machine, whose events have numbers of least..most: looked at and left out. */
int google_machine_row(struct trace_import *im, const struct trace_row *row, int time, int machine,
                       int type, int cpus, int64_t least, int64_t most);

#endif
