/*
 * table_map.h - which columns of a table of one's own say what of its jobs: a format that is made
 * from the command line (docs/traces.md, "A table of one's own").
 */
#ifndef DCS_TRACES_TABLE_MAP_H
#define DCS_TRACES_TABLE_MAP_H

#include "traces/format.h"
#include "traces/table/table_time.h"

#include <stdio.h>

enum table_field {
    FIELD_SUBMIT,
    FIELD_START,
    FIELD_END,
    FIELD_RUNTIME,
    FIELD_GPUS,
    FIELD_CPUS,
    FIELD_CLASS,
    FIELD_STATUS,
    FIELD_PRIORITY,
    FIELD_MODEL,
    FIELD_NAME,
    FIELD_NODES,
    TABLE_FIELDS,
};

/* What one text of a column means. */
struct table_meaning {
    char *text;
    int meaning; /* enum dcs_class or enum trace_status */
    bool occurs; /* a row that is a job has the text */
};

struct table_mapping {
    size_t column;  /* of the format; SIZE_MAX: none */
    char *constant; /* what it is in each row; NULL: the column says it */
    enum table_unit unit;
    bool unit_given;         /* else numbers are in seconds */
    const char *likely_unit; /* the column's name ends in this one, which is not `unit`; or NULL */
    struct table_meaning *meanings;
    size_t meanings_count, meanings_capacity;
};

#define TABLE_SHOWN_MAX 5

struct table_text {
    char *text;
    bool occurs; /* a row has it */
};

/* A condition on a column: that its text is one of some, or none of them. */
struct table_condition {
    size_t column;
    bool unlike;
    struct table_text *texts;
    size_t texts_count, texts_capacity;
    char *shown[TABLE_SHOWN_MAX]; /* the first that the column has; NULL-filled */
    bool has_more;
};

/* What rows had, for table_map_warn() and table_map_hint(). */
struct table_seen {
    bool row, wanted;          /* some row; one that meets all conditions */
    bool number[TABLE_FIELDS]; /* one whose time is a number, where a unit is likely */
};

struct table_map {
    struct trace_format format; /* first: a row finds the map by it */
    struct table_mapping fields[TABLE_FIELDS];
    struct table_condition *conditions;
    size_t conditions_count, conditions_capacity;
    struct table_seen *seen;
    char **columns; /* NULL-ended; those of the format */
    char *told;     /* the source of the format: the map as it was given */
};

struct table_options {
    char **maps; /* "FIELD=COLUMN[:UNIT | :TEXT=MEANING...]", several with commas between */
    size_t maps_count;
    char **wheres; /* "COLUMN=TEXT|TEXT..." or "COLUMN!=..." */
    size_t wheres_count;
    const char *delimiter; /* one character, or "tab"; NULL: a comma */
    bool no_header;        /* columns go by their numbers, from 1 on */
    bool nodes;            /* the rows are nodes, not jobs */
};

/* NULL and err where the options make no format. Copies what it needs. */
struct table_map *table_map_new(const struct table_options *options, struct dcs_err *err);
/* After an import. Warns of texts of --map and --where that no row had, with some that are there.
 */
void table_map_warn(const struct table_map *map, FILE *out);
/* Likewise: a line for each column whose numbers were read in one unit, given or not, but whose
 * name ends in another. */
void table_map_hint(const struct table_map *map, FILE *out);
void table_map_free(struct table_map *map); /* NULL is allowed */

/* The format's row(): see format.h. */
int trace_table_row(struct trace_import *im, const struct trace_row *row);
int trace_table_node(struct trace_import *im, const struct trace_row *row);

#endif
