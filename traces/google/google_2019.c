/*
 * google_2019.c - clusterdata-2019 (Borg, cells a to h) as JSON lines, exported from BigQuery:
 * INT64 are strings, null members are left out, rows come in no order at all.
 *
 * Source: clusterdata_trace_format_v3.proto. Times as in 2011. Event numbers here are 2019's: 4 is
 * EVICT (in 2011, FINISH). In one microsecond events of a life come as SUBMIT, QUEUE, ENABLE,
 * SCHEDULE, an end, an UPDATE: the file's order says nothing.
 *
 * Jobs from collection_events (the job as a whole) or instance_events (one job for each attempt of
 * an instance). Alloc sets (collection_type 1) reserve resources and run nothing: left out.
 * machine_events makes no jobs; lint looks at it. One cell at a time: ids repeat between cells.
 */
#include "traces/google/google_life.h"

#define PRODUCTION_PRIORITY 120

static const struct {
    enum google_event means;
    int32_t rank;
} events_2019[] = {
    {GOOGLE_SUBMIT, 0},   /* 0 SUBMIT */
    {GOOGLE_OTHER, 1},    /* 1 QUEUE */
    {GOOGLE_OTHER, 2},    /* 2 ENABLE */
    {GOOGLE_SCHEDULE, 3}, /* 3 SCHEDULE */
    {GOOGLE_EVICT, 4},    /* 4 EVICT */
    {GOOGLE_FAIL, 4},     /* 5 FAIL */
    {GOOGLE_FINISH, 4},   /* 6 FINISH */
    {GOOGLE_KILL, 4},     /* 7 KILL */
    {GOOGLE_LOST, 4},     /* 8 LOST */
    {GOOGLE_OTHER, 5},    /* 9 UPDATE_PENDING */
    {GOOGLE_OTHER, 5},    /* 10 UPDATE_RUNNING */
};

static int life(struct trace_import *im, const struct trace_event *events, size_t count)
{
    return google_life(im, events, count, PRODUCTION_PRIORITY);
}

static int malformed(struct trace_import *im)
{
    return import_issue(im, ISSUE_MALFORMED, TRACE_LEFT_OUT);
}

/* "" gives what is taken for it. */
static bool optional(const char *text, int64_t otherwise, int64_t *out)
{
    *out = otherwise;
    return text[0] == '\0' || trace_int64(text, out);
}

/* ---- collection_events, instance_events ---- */

/* The columns of both; the last two are instance_events' alone, and a row with an index is refused
 * as a collection: that is the other table, taken for this one. */
enum { TIME, TYPE, COLLECTION, CLASS, MISSING, KIND, PRIORITY, INDEX, CPUS };
#define COMMON_COLUMNS                                                                             \
    "time", "type", "collection_id", "scheduling_class", "missing_type", "collection_type",        \
        "priority"
static const char *const collection_columns[] = {COMMON_COLUMNS, "instance_index", NULL};
static const char *const instance_columns[] = {COMMON_COLUMNS, "instance_index",
                                               "resource_request.cpus", NULL};

/* 1: go on; 0: the row is left out; -1. */
static int read_common(struct trace_import *im, const struct trace_row *row, struct trace_event *e)
{
    const char *const *f = row->fields;
    int64_t collection, code, class, missing, kind, priority;
    int status;
    if (!trace_int64(f[COLLECTION], &collection) || !trace_int64(f[TYPE], &code) ||
        !optional(f[CLASS], -1, &class) || !optional(f[MISSING], 0, &missing) ||
        !optional(f[KIND], 0, &kind) || !optional(f[PRIORITY], -1, &priority))
        return malformed(im);
    if (class < -1 || class > 3 || kind < 0 || kind > 1 || priority < -1 || priority > 450)
        return import_issue(im, ISSUE_OUT_OF_RANGE, TRACE_LEFT_OUT);
    if (code < 0 || code >= (int64_t)(sizeof events_2019 / sizeof *events_2019))
        return import_issue(im, ISSUE_UNKNOWN_CODE, TRACE_LEFT_OUT);
    if (!google_time(im, f[TIME], &e->time_ns, &status))
        return status;
    if (missing != 0 && import_issue(im, ISSUE_SYNTHESISED, TRACE_NOTED) != 0)
        return -1;
    if (kind == 1)
        return import_issue(im, ISSUE_NOT_A_JOB, TRACE_LEFT_OUT);
    e->key[0] = (uint64_t)collection;
    e->code = (int32_t)events_2019[code].means;
    e->rank = events_2019[code].rank;
    e->class = (int32_t) class;
    e->priority = (int32_t)priority;
    e->cpus = e->gpus = -1;
    return 1;
}

static int collection_row(struct trace_import *im, const struct trace_row *row)
{
    struct trace_event e = {0};
    if (row->fields[INDEX][0] != '\0')
        return malformed(im);
    int go = read_common(im, row, &e);
    return go == 1 ? import_event(im, &e) : go;
}

static int instance_row(struct trace_import *im, const struct trace_row *row)
{
    struct trace_event e = {.flags = GOOGLE_INDEXED};
    int64_t index;
    int status;
    if (!trace_int64(row->fields[INDEX], &index))
        return malformed(im);
    int go = read_common(im, row, &e);
    if (go != 1)
        return go;
    if (!google_request(im, row->fields[CPUS], &e.cpus, &status))
        return status;
    e.key[1] = (uint64_t)index;
    return import_event(im, &e);
}

/* ---- machine_events ---- */

enum { M_TIME, M_MACHINE, M_TYPE, M_CPUS };
static const char *const machine_columns[] = {"time", "machine_id", "type", "capacity.cpus", NULL};

/* 1 ADD, 2 REMOVE, 3 UPDATE; 0 is unknown, and in 2011 ADD. */
static int machine_row(struct trace_import *im, const struct trace_row *row)
{
    const char *const *f = row->fields;
    int64_t machine, code, time_ns;
    double cpus;
    int status;
    if (!trace_int64(f[M_MACHINE], &machine) || !trace_int64(f[M_TYPE], &code))
        return malformed(im);
    if (code < 1 || code > 3)
        return import_issue(im, ISSUE_UNKNOWN_CODE, TRACE_LEFT_OUT);
    if (!google_time(im, f[M_TIME], &time_ns, &status) ||
        !google_request(im, f[M_CPUS], &cpus, &status))
        return status;
    return import_issue(im, ISSUE_NOT_A_JOB, TRACE_LEFT_OUT);
}

/* ---- the formats ---- */

extern const struct trace_format format_google_2019_collections, format_google_2019_instances,
    format_google_2019_machines;

const struct trace_format format_google_2019_collections = {
    .name = "google-2019-collection-events",
    .summary = "Google 2019 (Borg), one job a collection",
    .source = "clusterdata-2019 collection_events, format v3",
    .syntax = TRACE_JSON_LINES,
    .columns = collection_columns,
    .row = collection_row,
    .life = life,
};

const struct trace_format format_google_2019_instances = {
    .name = "google-2019-instance-events",
    .summary = "Google 2019 (Borg), one job for each attempt of an instance",
    .source = "clusterdata-2019 instance_events, format v3",
    .syntax = TRACE_JSON_LINES,
    .columns = instance_columns,
    .row = instance_row,
    .life = life,
};

const struct trace_format format_google_2019_machines = {
    .name = "google-2019-machine-events",
    .summary = "Google 2019 (Borg), machines: for lint only, makes no jobs",
    .source = "clusterdata-2019 machine_events, format v3",
    .syntax = TRACE_JSON_LINES,
    .columns = machine_columns,
    .row = machine_row,
};
