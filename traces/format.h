/*
 * format.h - what a reader of one published trace format is: one file, one row in formats.c.
 *
 * The framework (input.c, import.c) opens files, folders of parts or standard input, plain or gzip,
 * cuts them into rows and fields, counts what is wrong, and writes jobs. A format says what its
 * rows mean.
 *
 * Two kinds of format:
 *   row = job      row() calls import_job() itself (a table of finished tasks)
 *   row = event    row() calls import_event(); when all is read, the framework sorts the events by
 *                  (key, time, rank, place in the input) in bounded memory and calls life() for
 *                  each key, with its events in that order; life() calls import_job() for each
 *                  attempt
 *
 * Nothing is dropped silently: every row ends in import_job(), import_event(), or import_issue()
 * with an effect that says "left out"; import checks that for each row.
 */
#ifndef DCS_TRACES_FORMAT_H
#define DCS_TRACES_FORMAT_H

#include "des/base.h"
#include "models/profile/profile.h"

enum trace_syntax {
    TRACE_CSV,         /* no header */
    TRACE_CSV_HEADER,  /* the first line names the columns; they may come in any order */
    TRACE_CSV_NUMBERS, /* no header; columns are named by their numbers, from "1" on */
    TRACE_JSON_LINES,  /* one flat object a line; members by name, numbers may be strings */
};

/* What happens to the row or the job that an issue is about. */
enum trace_effect {
    TRACE_NOTED,    /* kept as it is; the reader should know */
    TRACE_REPAIRED, /* kept, with a value changed by a stated rule */
    TRACE_LEFT_OUT,
};

/* A kind of trouble; the same in all formats. The order is that of reports. Texts, in issues.c,
 * state the rule of what is done. */
enum trace_issue {
    ISSUE_MALFORMED, /* too few or too many fields, not a number, not JSON, NUL byte, over-long */
    ISSUE_CUT_LAST_LINE, /* the file ends inside a line */
    ISSUE_OUT_OF_RANGE,  /* a number that its column cannot hold */
    ISSUE_TIME_ZERO,     /* 0: before the trace began */
    ISSUE_TIME_SENTINEL, /* 2^63-1: after the trace ended */
    ISSUE_TIME_NEGATIVE,
    ISSUE_NO_START, /* an end without a start: killed while it waited */
    ISSUE_NO_END,   /* right-censored: still running when the trace ends */
    ISSUE_NO_SUBMIT,
    ISSUE_END_BEFORE_START,
    ISSUE_START_BEFORE_SUBMIT,
    ISSUE_ZERO_DURATION,
    ISSUE_REPEATED_LIFE, /* the same entity started again: one job each */
    ISSUE_UNORDERED,     /* a row earlier than the one before it, in a format that is ordered */
    ISSUE_NO_RESOURCES,  /* the request is empty or 0 */
    ISSUE_IMPOSSIBLE_RESOURCES,
    ISSUE_UNKNOWN_CODE,    /* an event or status that the format does not have */
    ISSUE_NOT_A_JOB,       /* rows that describe machines, containers, pods without GPU ... */
    ISSUE_FAILED,          /* ran, but did not succeed: kept */
    ISSUE_SYNTHESISED,     /* the publisher made the row up to fill a gap */
    ISSUE_TOO_MANY_EVENTS, /* of one entity: the rest is left out, so that memory stays bounded */
    ISSUE_DAMAGED_FILE,    /* a gzip that ends early or does not unpack */
    ISSUE_FILTERED,        /* the user wants other rows */
    ISSUE_REPEATED_JOB,    /* an earlier row has the same name, times and GPUs: kept */
    ISSUES,
};

/* One row, valid during row(). A field is NUL-terminated, without quotes; "" where the row has
 * none. */
struct trace_row {
    const char *const *fields; /* in the order of trace_format.columns; CSV rows of another width
                                  are ISSUE_MALFORMED */
    const size_t *lengths;
};

/* One event of an entity, as kept for sorting. */
struct trace_event {
    uint64_t key[2]; /* e.g. job id and task index; a hash of names where ids are text */
    int64_t time_ns;
    uint64_t line;    /* filled in by import_event(), as is file: where it stood */
    double cpus;      /* requested; below 0: not said */
    int32_t priority; /* -1: not said */
    uint32_t file;
    int8_t rank;   /* lower first among events of one time; all 0 where the file's order tells */
    int8_t code;   /* the format's event code */
    int8_t class;  /* the format's scheduling class or -1 */
    uint8_t flags; /* the format's */
};

/* How a job ended, by the rule at the top of each format's file. */
enum trace_status {
    TRACE_STATUS_UNKNOWN, /* the format does not tell, or the trace ended first */
    TRACE_STATUS_SUCCESS,
    TRACE_STATUS_FAILED, /* failed, killed, evicted, lost: it held its resources all the same */
};

#define TRACE_MODELS_BYTES 128 /* the names of the GPU models of a job, with the end */

/* One job: what all formats are brought to. */
struct trace_job {
    int64_t arrival_ns;  /* submission; from the trace's own zero */
    int64_t start_ns;    /* first ran; = arrival where the format does not tell */
    int64_t duration_ns; /* it ran; > 0. Censored: until the trace ended */
    enum dcs_class class;
    double gpus; /* in all; 0: a CPU job */
    double cpus; /* cores, or the trace's own normalised unit, see the format; 0: not said */
    int32_t priority;
    bool censored; /* it still ran when the trace ended */
    bool early;    /* it was there when the trace began: arrival, and duration where it ran
                    * (start = arrival), count from there */
    enum trace_status status;        /* censored jobs: unknown */
    char models[TRACE_MODELS_BYTES]; /* trace_models(): GPU models that it may run on; "": any */
    char key[64];                    /* of the source: "jobid/index", a name */
    uint32_t file;
    uint64_t line;
};

/* Nodes that are alike, of a list of nodes. The limits are those of cluster.nodes. */
#define TRACE_NODES_MAX     100000
#define TRACE_NODE_GPUS_MAX 256
#define TRACE_NODE_KINDS    64
struct trace_nodes {
    int64_t nodes, gpus; /* gpus: of each */
    char model[TRACE_MODELS_BYTES];
};

struct trace_import; /* the framework's; see import.h */

/* From row() or life(). They return -1 only where the whole import must end (strict mode, out of
 * disk); a format passes that on. import_issue() about the current row (row()) or event (give file
 * and line). A job has duration_ns > 0, start_ns >= arrival_ns, and an unknown status if it is
 * censored (asserted: whatever the rows say, the format sees to it); in row() its file and line are
 * filled in by the framework. */
int import_job(struct trace_import *im, const struct trace_job *job);
int import_event(struct trace_import *im, const struct trace_event *event);
int import_nodes(struct trace_import *im, const struct trace_nodes *nodes);
int import_issue(struct trace_import *im, enum trace_issue issue, enum trace_effect effect);
int import_issue_at(struct trace_import *im, enum trace_issue issue, enum trace_effect effect,
                    uint32_t file, uint64_t line);
/* The same about what a column of the current row holds, which the account then shows. */
int import_issue_about(struct trace_import *im, enum trace_issue issue, enum trace_effect effect,
                       const char *column, const char *text);

const struct trace_format *import_format(const struct trace_import *im);

/* When the trace ends: the format's end_ns, or the latest time (below DCS_NEVER) of all events. In
 * row() that is the latest so far. */
int64_t import_end_ns(const struct trace_import *im);

/* Field parsers: false (and nothing else) if the text is no such number or does not fit. */
bool trace_int64(const char *text, int64_t *out); /* optional '-', digits only */
bool trace_number(const char *text, double *out); /* decimal, optional fraction/exponent; finite */
/* A decimal, "4550879.0", times 10^digits (0 to 9); digits of it below 1 are cut off. */
bool trace_decimal(const char *text, int digits, int64_t *out);
bool trace_seconds_ns(const char *text, int64_t *out); /* decimal seconds, to ns */
bool trace_microseconds_ns(const char *text,
                           int64_t *out); /* integer; times 1000; 2^63-1 stays as it is */
uint64_t trace_hash(const char *text);    /* 64 bits of a name, for keys */
/* Names of GPU models with | between them, "A10|T4", as they are; "" is none. False: too long for
 * TRACE_MODELS_BYTES, an empty name, a control character. */
bool trace_models(const char *text, char out[TRACE_MODELS_BYTES]);

/* What a text is that a parser refused: a number that its column cannot hold, or none at all. */
enum trace_issue trace_bad_number(const char *text);

struct trace_format {
    const char *name;    /* "google-2011-task-events" */
    const char *summary; /* one line, for --list formats */
    const char *source;  /* which published table */
    enum trace_syntax syntax;
    char delimiter; /* of CSV; 0: a comma */
    bool classed;   /* the options say which jobs are of which class: the account counts both */
    bool own;       /* a table of one's own: jobs that it has twice are noted */
    bool mapped;    /* made for one table: rows are not looked at to tell it from other formats */
    const char *const
        *columns; /* NULL-ended; CSV: all of them in order; else: those that are used */
    bool ordered; /* rows come in time order; the framework notes those that do not, by the event's
                   * time or the job's arrival (times <= 0 and DCS_NEVER aside) */
    int64_t end_ns; /* when the published trace ends; 0: at the latest time seen */
    int (*row)(struct trace_import *im, const struct trace_row *row);
    int (*life)(struct trace_import *im, const struct trace_event *events, size_t count);
};

/* NULL-ended. */
extern const struct trace_format *const trace_formats[];

#endif
