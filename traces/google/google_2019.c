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
 *
 * What becomes of each event, and the status of each job: google_life.h, google_rows.h.
 */
#include "traces/google/google_rows.h"

#define PRODUCTION_PRIORITY 120
#define PRIORITY_MAX        450

static const struct google_number numbers[] = {
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

#define COMMON                                                                                     \
    .time = TIME, .id = COLLECTION, .type = TYPE, .class = CLASS, .priority = PRIORITY,            \
    .missing = MISSING, .kind = KIND, .missing_zero_is_none = true, .priority_max = PRIORITY_MAX,  \
    .numbers = numbers, .numbers_count = sizeof numbers / sizeof *numbers

static int collection_row(struct trace_import *im, const struct trace_row *row)
{
    static const struct google_table table = {COMMON, .index = GOOGLE_NO_COLUMN,
                                              .cpus = GOOGLE_NO_COLUMN};
    if (row->fields[INDEX][0] != '\0')
        return import_issue(im, ISSUE_MALFORMED, TRACE_LEFT_OUT);
    return google_row(im, row, &table);
}

static int instance_row(struct trace_import *im, const struct trace_row *row)
{
    static const struct google_table table = {COMMON, .index = INDEX, .cpus = CPUS};
    return google_row(im, row, &table);
}

/* ---- machine_events ---- */

enum { M_TIME, M_MACHINE, M_TYPE, M_CPUS };
static const char *const machine_columns[] = {"time", "machine_id", "type", "capacity.cpus", NULL};

/* 1 ADD, 2 REMOVE, 3 UPDATE; 0 is unknown, and in 2011 ADD. */
static int machine_row(struct trace_import *im, const struct trace_row *row)
{
    return google_machine_row(im, row, M_TIME, M_MACHINE, M_TYPE, M_CPUS, 1, 3);
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
