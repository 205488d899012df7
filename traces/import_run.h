/*
 * import_run.h - the state of an import, shared by the files import*.c.
 */
#ifndef DCS_TRACES_IMPORT_RUN_H
#define DCS_TRACES_IMPORT_RUN_H

#include "des/stats.h"
#include "traces/import_db.h"
#include "traces/input.h"
#include "traces/repeats.h"
#include "traces/sort.h"

enum import_outcome { OUTCOME_NONE = 0, OUTCOME_JOB = 1, OUTCOME_EVENT = 2, OUTCOME_LEFT_OUT = 4 };

struct trace_import {
    const struct import_options *options;
    const struct trace_format *format;
    struct import_counts *counts;
    struct dcs_err *err;
    struct trace_input *in;
    struct trace_sort *sort; /* NULL: rows are jobs */
    struct import_db *db;    /* NULL: lint */
    struct repeats *repeats; /* NULL: not asked for */
    bool probing;            /* only looks at the outcomes of a few rows */
    bool broken;             /* probing: the row is not of the format */

    uint32_t first_file[ISSUES];    /* of each issue; the line is in counts */
    char about[IMPORT_ABOUT_BYTES]; /* of the issue at hand: the column and what it holds; or "" */

    char column[51];           /* of the issue at hand, likewise */
    bool empty;                /* it holds nothing */
    struct dcs_hist durations; /* of the jobs */

    bool in_row; /* else in a life */
    uint32_t file;
    uint64_t line;
    int outcome; /* of the row: a set of enum import_outcome */
    int64_t latest_ns, previous_ns;

    size_t columns;                     /* of the format */
    size_t file_columns;                /* of the file */
    size_t column_of[TRACE_FIELDS_MAX]; /* file's column -> format's, or SIZE_MAX */
};

/* Cuts the line into the row's fields, in the order of the format. False: it is no row. */
bool import_split(struct trace_import *im, char *text, size_t length, const char **fields,
                  size_t *lengths);

/* Takes the first line of a file as its header. False: a column is missing. */
bool import_header(struct trace_import *im, char *text, size_t length);

/* Takes the numbers of the columns of a file's first line as their names. False likewise. */
bool import_numbers(struct trace_import *im, const char *text, size_t length);

/* For formats without a header: the file's columns are the format's. */
void import_columns(struct trace_import *im, const struct trace_format *format);

/* The path of a file of the import, as the user wrote it. */
const char *import_path(const struct trace_import *im, uint32_t file);

#endif
