/*
 * profile_rows.h - rows of an untrusted profile, one value at a time: each is checked against a
 * type and a range, and what does not fit is an error that names file, table, column, row and
 * value. Used by the readers of tables only (profile_read.c, spatial_*.c, predictor_*.c).
 *
 * Tables are read in the order in which they lie. What spans rows (sorting, duplicates, gaps,
 * references) is for the reader to check in C: collations, constraints and indexes of a stranger's
 * schema are not relied on.
 */
#ifndef DCS_MODELS_PROFILE_ROWS_H
#define DCS_MODELS_PROFILE_ROWS_H

#include "models/profile/profile_open.h"
#include "models/profile/profile_plain.h"

#define DCS_DURATION_NS_MAX 1000000000000000000LL /* 10^18 ns: 31 years */

struct dcs_rows {
    struct dcs_profile_source *source;
    const char *file; /* for messages */
    struct dcs_err *err;

    /* The row that is being read: of the statement, or of a plain table. */
    const char *table;
    sqlite3_stmt *stmt;
    const struct plain_table *plain;
    int columns[PLAIN_COLUMNS_MAX]; /* of `plain`, as they were asked for */
    int64_t row;                    /* 1-based */
};

/* Calls take(context) for each row of the query; it reads columns with the functions below, and
 * ends the reading by returning -1. Of a plain table the query is SELECT, names of columns (or 0),
 * FROM and the table. -1 and err on failure. r->row then says how many rows there
 * are. */
typedef int dcs_rows_take(void *context);
/* The table must be there; it is checked to be plain and without damage. */
int dcs_rows_each(struct dcs_rows *r, const char *table, const char *sql, dcs_rows_take *take,
                  void *context);
/* Likewise, but it may be missing, which is no row. */
int dcs_rows_each_if_there(struct dcs_rows *r, const char *table, const char *sql,
                           dcs_rows_take *take, void *context);
/* It may be missing, which is no row; not looked at for damage. */
int dcs_rows_each_if_any(struct dcs_rows *r, const char *table, const char *sql,
                         dcs_rows_take *take, void *context);

/* All return 0, or -1 and err. */
int dcs_rows_integer(struct dcs_rows *r, int column, int64_t min, int64_t max, int64_t *out);
/* NULL reads as 0, and min is above it. */
int dcs_rows_integer_or_null(struct dcs_rows *r, int column, int64_t min, int64_t max,
                             int64_t *out);
bool dcs_rows_is_null(struct dcs_rows *r, int column);
/* Integers are real numbers too. */
int dcs_rows_real(struct dcs_rows *r, int column, double min, double max, double *out);
/* Likewise; NULL reads as 0, which need not be in the range. */
int dcs_rows_real_or_null(struct dcs_rows *r, int column, double min, double max, double *out);
/* *out: index in the NULL-ended choices. */
int dcs_rows_choice(struct dcs_rows *r, int column, const char *const *choices, int *out);
/* Provenance and descriptions: nothing computes with them, but a profile without them is
 * worthless. */
int dcs_rows_check_text(struct dcs_rows *r, int column);

/* The text in a column, NULL if it holds another value. Valid until the next row. */
const char *dcs_rows_text(struct dcs_rows *r, int column);

/* Valid until the next row; NULL and err if it is none. A label names a kernel. */
const char *dcs_rows_name(struct dcs_rows *r, int column);
const char *dcs_rows_label(struct dcs_rows *r, int column);

/* What stands in the column is not what was expected. Returns -1. */
int dcs_rows_bad_value(struct dcs_rows *r, int column, const char *expected);

#endif
