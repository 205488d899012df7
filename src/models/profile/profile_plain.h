/*
 * profile_plain.h - the tables of SQL text in the plain form that dcsim itself writes
 * (profile_text.h), read without SQLite: some ten times as fast. Text of any other form is left to
 * SQLite, which also says what is wrong with it.
 *
 * Plain text is BEGIN, then of each table a CREATE TABLE and INSERTs of literal rows, then COMMIT.
 * A column is written as the schema writes it, or left out; the rows of a table are not scattered.
 * Every value has its column's type and obeys NOT NULL. Whether a key is there twice is for the
 * reader of the table to find.
 */
#ifndef DCS_MODELS_PROFILE_PLAIN_H
#define DCS_MODELS_PROFILE_PLAIN_H

#include "des/base.h"

#define PLAIN_COLUMNS_MAX 32 /* of a table of the schema */

enum plain_type { PLAIN_INTEGER, PLAIN_REAL, PLAIN_TEXT };

union plain_cell {
    int64_t integer; /* PLAIN_NULL: NULL */
    double real;     /* NaN: NULL */
    struct {
        uint32_t at, length; /* in the text; PLAIN_NO_TEXT: NULL */
    } text;
};
#define PLAIN_NULL    INT64_MIN
#define PLAIN_NO_TEXT UINT32_MAX

struct plain_column {
    char name[64];
    enum plain_type type;
    bool needed; /* NULL is not allowed */
};

struct plain_table {
    char name[64];
    int line; /* of its CREATE TABLE */
    struct plain_column columns[PLAIN_COLUMNS_MAX];
    int columns_count;
    const union plain_cell *cells; /* row by row */
    size_t rows;
};

struct plain_tables {
    char *text;
    union plain_cell *cells; /* of all tables */
    size_t cells_count;
    struct plain_table *tables;
    size_t count, capacity;
};

/* NULL: the text, which ends with a NUL at text[size], has another form and is unchanged. Else
 * strings in it are ended by a NUL each, and it must outlive the tables. */
struct plain_tables *plain_tables_read(char *text, size_t size);
void plain_tables_free(struct plain_tables *p); /* NULL is allowed */

/* NULL: there is none of that name, which is in lower case. */
const struct plain_table *plain_tables_find(const struct plain_tables *p, const char *name);

/* The column of that name, whose end is given; -1: there is none. */
int plain_table_column(const struct plain_table *t, const char *name, size_t length);

/* Whether the value is NULL. */
bool plain_is_null(enum plain_type type, union plain_cell cell);

#endif
