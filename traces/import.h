/*
 * import.h - brings published traces to the one internal form, or only looks at what is wrong with
 * them.
 */
#ifndef DCS_TRACES_IMPORT_H
#define DCS_TRACES_IMPORT_H

#include "des/base.h"
#include "traces/format.h"

#include <stdio.h>

enum import_phase {
    IMPORT_READING, /* in bytes as on disk */
    IMPORT_LIVES,   /* in events */
    IMPORT_INDEX,   /* unknown */
};

/* What a list of nodes says, in the order in which each kind first stands there. */
struct import_nodes {
    struct trace_nodes kinds[TRACE_NODE_KINDS];
    size_t count;
};

struct import_options {
    const struct trace_format *format;
    const char *const *paths; /* files, folders (their files in name order), "-": standard input */
    size_t paths_count;
    const char *output;         /* database, which must not exist; NULL: lint only */
    struct import_nodes *nodes; /* of a format of nodes, with output NULL; else NULL */
    bool strict; /* the first row that would be left out as malformed ends the import */
    void (*progress)(void *context, enum import_phase phase, uint64_t done,
                     uint64_t total); /* total 0: unknown; NULL: nobody looks */
    void *context;
    const volatile bool *stop; /* interrupted from outside: nothing is left behind; may be NULL */
};

#define IMPORT_ABOUT_BYTES 120

struct import_issue_counts {
    uint64_t count[3]; /* by enum trace_effect; rows, or jobs where the life shows it */
    char first_file[256];
    uint64_t first_line;
    char first_about[IMPORT_ABOUT_BYTES]; /* the column and its text, in printable ASCII; or "" */
};

/* What came out. rows = rows_jobs + rows_events + rows_left_out. */
/* Issues of one kind in one column: what is wrong in four places is four mistakes. */
#define IMPORT_PLACES_MAX 32
struct import_place {
    enum trace_issue issue;
    char column[51]; /* "": the row as a whole */
    bool empty;      /* the column holds nothing */
    uint64_t count;
    char first_file[256];
    uint64_t first_line;
    char first_about[IMPORT_ABOUT_BYTES];
};
struct import_counts {
    uint64_t files, disk_bytes, bytes; /* bytes: uncompressed */
    uint64_t rows, rows_jobs, rows_events, rows_left_out;
    uint64_t entities, jobs, of_class[2];              /* jobs by enum dcs_class */
    int64_t first_arrival_ns, last_arrival_ns, end_ns; /* of the jobs; when the trace ends */
    double work_ns;                                    /* GPUs times duration, of all jobs */
    int64_t median_ns, longest_ns; /* of the jobs' durations, the median within 1/256 */
    struct import_place places[IMPORT_PLACES_MAX]; /* in the order in which they were first seen */
    size_t places_count;
    struct import_issue_counts issues[ISSUES];
};

/* Runs an import or a lint. The database is written beside its final name and renamed when it is
 * complete; on failure or interruption (-1, err says so) nothing is left. A damaged file ends an
 * import; lint counts it and goes on. Memory: below 256 MB whatever the input. */
int trace_import_run(const struct import_options *options, struct import_counts *out,
                     struct dcs_err *err);

/* The table of counts for a person. */
void trace_import_print(FILE *out, const struct import_options *options,
                        const struct import_counts *counts);

/* Text of an issue, and the rule that is followed. */
const char *trace_issue_name(enum trace_issue issue);
const char *trace_issue_rule(enum trace_issue issue);

#endif
