/*
 * google_rows.c - see google_rows.h.
 */
#include "traces/google/google_rows.h"

#include <string.h>

/* The time of a row into *out: false if it is no time, and the row is then left out (*status as
 * import_issue() returned). */
static bool read_time(struct trace_import *im, const char *text, int64_t *out, int *status)
{
    *status = 0;
    if (!trace_microseconds_ns(text, out)) {
        /* 2^63 is among them: 2^63-1 that has been through a double. */
        bool number = text[0] != '\0' && strspn(text, "0123456789") == strlen(text);
        enum trace_issue what = number ? ISSUE_OUT_OF_RANGE : ISSUE_MALFORMED;
        *status = import_issue(im, what, TRACE_LEFT_OUT);
        return false;
    }
    if (*out < 0) {
        *status = import_issue(im, ISSUE_TIME_NEGATIVE, TRACE_LEFT_OUT);
        return false;
    }
    if (*out == 0)
        *status = import_issue(im, ISSUE_TIME_ZERO, TRACE_NOTED);
    else if (*out == DCS_NEVER)
        *status = import_issue(im, ISSUE_TIME_SENTINEL, TRACE_NOTED);
    return *status == 0;
}

/* "" is -1. False: not a number, and the row is left out. */
static bool read_request(struct trace_import *im, const char *text, double *out, int *status)
{
    *status = 0;
    *out = -1;
    if (text[0] != '\0' && !trace_number(text, out)) {
        *status = import_issue(im, ISSUE_MALFORMED, TRACE_LEFT_OUT);
        return false;
    }
    if (text[0] == '\0' || *out == 0) {
        *status = import_issue(im, ISSUE_NO_RESOURCES, TRACE_NOTED);
    } else if (*out < 0) {
        *out = -1;
        *status = import_issue(im, ISSUE_IMPOSSIBLE_RESOURCES, TRACE_REPAIRED);
    } else if (*out > 1) {
        *status = import_issue(im, ISSUE_IMPOSSIBLE_RESOURCES, TRACE_NOTED);
    }
    return *status == 0;
}

static int malformed(struct trace_import *im)
{
    return import_issue(im, ISSUE_MALFORMED, TRACE_LEFT_OUT);
}

/* A column that may be empty, or not be there at all: what is then taken for it. */
static bool optional(const struct trace_row *row, int column, int64_t otherwise, int64_t *out)
{
    *out = otherwise;
    return column == GOOGLE_NO_COLUMN || row->fields[column][0] == '\0' ||
           trace_int64(row->fields[column], out);
}

struct numbers {
    int64_t id, type, index, class, priority, missing, kind;
};

static bool read_numbers(const struct trace_row *row, const struct google_table *t,
                         struct numbers *n)
{
    const char *const *f = row->fields;
    n->index = 0;
    return trace_int64(f[t->id], &n->id) && trace_int64(f[t->type], &n->type) &&
           (t->index == GOOGLE_NO_COLUMN || trace_int64(f[t->index], &n->index)) &&
           (!t->priority_needed || f[t->priority][0] != '\0') &&
           optional(row, t->class, -1, &n->class) && optional(row, t->priority, -1, &n->priority) &&
           optional(row, t->missing, -1, &n->missing) && optional(row, t->kind, 0, &n->kind);
}

static bool in_range(const struct google_table *t, const struct numbers *n)
{
    int64_t priority_min = t->priority_needed ? 0 : -1;
    return n->index >= 0 && n->class >= -1 && n->class <= 3 && n->kind >= 0 && n->kind <= 1 &&
           n->priority >= priority_min && n->priority <= t->priority_max;
}

int google_row(struct trace_import *im, const struct trace_row *row, const struct google_table *t)
{
    struct numbers n;
    struct trace_event e = {.cpus = -1};
    int status;
    if (!read_numbers(row, t, &n))
        return malformed(im);
    if (!in_range(t, &n))
        return import_issue(im, ISSUE_OUT_OF_RANGE, TRACE_LEFT_OUT);
    if (n.type < 0 || n.type >= (int64_t)t->numbers_count)
        return import_issue(im, ISSUE_UNKNOWN_CODE, TRACE_LEFT_OUT);
    if (!read_time(im, row->fields[t->time], &e.time_ns, &status))
        return status;
    bool made_up = t->missing != GOOGLE_NO_COLUMN && row->fields[t->missing][0] != '\0' &&
                   (n.missing != 0 || !t->missing_zero_is_none);
    if (made_up && import_issue(im, ISSUE_SYNTHESISED, TRACE_NOTED) != 0)
        return -1;
    if (n.kind == 1)
        return import_issue(im, ISSUE_NOT_A_JOB, TRACE_LEFT_OUT);
    if (t->cpus != GOOGLE_NO_COLUMN && !read_request(im, row->fields[t->cpus], &e.cpus, &status))
        return status;
    e.key[0] = (uint64_t)n.id;
    e.key[1] = (uint64_t)n.index;
    e.flags = t->index != GOOGLE_NO_COLUMN ? GOOGLE_INDEXED : 0;
    e.code = (int8_t)t->numbers[n.type].means;
    e.rank = t->numbers[n.type].rank;
    e.class = (int8_t)n.class;
    e.priority = (int32_t)n.priority;
    return import_event(im, &e);
}

int google_machine_row(struct trace_import *im, const struct trace_row *row, int time, int machine,
                       int type, int cpus, int64_t least, int64_t most)
{
    const char *const *f = row->fields;
    int64_t id, code, time_ns;
    double capacity;
    int status;
    if (!trace_int64(f[machine], &id) || !trace_int64(f[type], &code))
        return malformed(im);
    if (code < least || code > most)
        return import_issue(im, ISSUE_UNKNOWN_CODE, TRACE_LEFT_OUT);
    if (!read_time(im, f[time], &time_ns, &status) ||
        !read_request(im, f[cpus], &capacity, &status))
        return status;
    return import_issue(im, ISSUE_NOT_A_JOB, TRACE_LEFT_OUT);
}
