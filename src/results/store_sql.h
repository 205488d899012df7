/*
 * store_sql.h - the connection to the results database, its statements, and what is bound to them.
 * For store*.c only.
 */
#ifndef DCS_STORE_SQL_H
#define DCS_STORE_SQL_H

#include "experiment/experiment.h"
#include "config/sweep.h"

#include <math.h>
#include <sqlite3.h>

/* Their texts are in store_sql.c. */
enum store_statement {
    FIND_EXPERIMENT,
    PUT_EXPERIMENT,
    UPDATE_EXPERIMENT,
    FIND_SWEEP,
    PUT_SWEEP,
    PUT_AXIS,
    PUT_POINT,
    PUT_POINT_VALUE,
    PUT_HYPOTHETICAL,
    PUT_INPUT,
    PUT_DOMAIN,
    PUT_APPLICATION,
    PUT_SERVICE,
    PUT_TRACE_COUNT,
    FIND_RUN,
    PUT_RUN,
    PUT_METRIC,
    PUT_DEVICE,
    PUT_RESPONSE,
    PUT_HISTOGRAM,
    PUT_CUT,
    PUT_BIN_REQUESTS,
    PUT_BIN_DEVICES,
    PUT_BIN_JOBS,
    PUT_WHOLE_JOB,
    PUT_WHOLE_JOB_REVOKED,
    DELETE_LOOKS,
    PUT_LOOK,
    PUT_REPLAY,
    PUT_JOB,
    PUT_REQUEST,
    PUT_DECISION,
    PUT_WALL,
    PUT_DRIVEN,
    PUT_DRIVEN_LAUNCH,
    PUT_DRIVEN_REVOCATION,
    PUT_DRIVEN_CALLBACK,
    DELETE_LATE,
    PUT_LATE,
    DELETE_SUMMARY,
    PUT_SUMMARY,
    COUNT_BARE,
    GET_METRICS,
    GET_RESPONSES,
    GET_HISTOGRAM,
    GET_CUT,
    GET_DRIVEN,
    FIND_GPU,
    COUNT_GPUS,
    STORE_STATEMENTS,
};

struct store {
    const struct experiment *experiment;        /* borrowed */
    const struct sweep *sweep;                  /* NULL: it is no point of one; borrowed */
    uint64_t point;                             /* of the sweep */
    bool any_build;                             /* runs of other builds count as the same */
    char *path;                                 /* as the user wrote it, for errors */
    char *file;                                 /* the same, safe from SQLite's special names */
    const char *kept;                           /* after a write that failed, for errors */
    int64_t id;                                 /* of the experiment */
    bool unborn;                                /* this made the file, and it is still empty */
    sqlite3 *db;                                /* NULL until there is a file */
    sqlite3_stmt *statements[STORE_STATEMENTS]; /* prepared at first use */
};

/* What is bound to a place of a statement. */
struct cell {
    enum { CELL_NULL, CELL_INT, CELL_REAL, CELL_TEXT } type;
    int64_t integer;
    double real;
    const char *text; /* until the statement is done */
};

static inline struct cell integer(int64_t value)
{
    return (struct cell){.type = CELL_INT, .integer = value};
}

static inline struct cell count_of(uint64_t value)
{
    DCS_ASSERT(value <= INT64_MAX);
    return integer((int64_t)value);
}

/* NULL instead of a number that means "none". */
static inline struct cell unless(int64_t value, int64_t none)
{
    if (value == none)
        return (struct cell){.type = CELL_NULL};
    return integer(value);
}

static inline struct cell real(double value)
{
    if (isnan(value))
        return (struct cell){.type = CELL_NULL};
    return (struct cell){.type = CELL_REAL, .real = value};
}

static inline struct cell text(const char *value)
{
    return (struct cell){.type = CELL_TEXT, .text = value};
}

/* The first 11 digits of a hash: 44 bits, which every language reads exactly and SQLite stores in
 * six bytes. Two hashes with the same number are told apart and refused. */
int64_t store_number(const char *hash);

/* The statement with its places filled, ready to step; the caller resets it. NULL on failure. */
sqlite3_stmt *store_fill(struct store *s, enum store_statement which, const struct cell *cells,
                         int count);
/* Runs a statement that returns nothing. 0, or -1: the connection knows why. */
int store_execute(struct store *s, enum store_statement which, const struct cell *cells, int count);

#define CELLS(...)                                                                                 \
    (const struct cell[]){__VA_ARGS__},                                                            \
        (int)(sizeof((const struct cell[]){__VA_ARGS__}) / sizeof(struct cell))
#define EXECUTE(s, which, ...) store_execute(s, which, CELLS(__VA_ARGS__))
#define FILL(s, which, ...)    store_fill(s, which, CELLS(__VA_ARGS__))

/* Fills err from the connection's last error; `doing` is "write a run". Returns -1. */
int store_failed(struct store *s, const char *doing, struct dcs_err *err);

#endif
