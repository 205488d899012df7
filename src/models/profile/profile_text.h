/*
 * profile_text.h - tables of a profile as SQL text in the plain form (profile_plain.h): BEGIN, the
 * tables, COMMIT. The same rows give the same text: rows are ordered by their key, and a number is
 * the shortest that reads back as the same one.
 */
#ifndef DCS_MODELS_PROFILE_TEXT_H
#define DCS_MODELS_PROFILE_TEXT_H

#include <sqlite3.h>
#include <stdio.h>

#include "models/profile/profile_schema.h"

/* Which rows and columns of a table are written. */
struct profile_text_part {
    const char *columns; /* names, a blank around each: " name kind "; NULL: all */
    const char *where;   /* a condition of SQL; NULL: all rows */
};

/* Writes the CREATE TABLE of the schema's table, and its rows in db, none if db has no such table.
 * Returns SQLite's code, SQLITE_OK if all is well; the stream keeps its own errors. */
int profile_text_write(FILE *out, sqlite3 *db, const struct dcs_profile_table *table,
                       const struct profile_text_part *part);

/* The table's columns as profile_text_write() writes them: "(...)". */
void profile_text_columns(FILE *out, const struct dcs_profile_table *table,
                          const struct profile_text_part *part);

#endif
