/*
 * database.h - SQLite files that somebody may have made to do harm: their path, what they may not
 * do, and one number from them.
 */
#ifndef DCS_DATABASE_DATABASE_H
#define DCS_DATABASE_DATABASE_H

#include "des/base.h"

#include <sqlite3.h>

/* The path for sqlite3_open_v2, allocated. SQLite gives names like ":memory:" and "file:x?mode=ro"
 * a meaning; this begins otherwise. */
char *database_path(const char *path);

/* Triggers and functions that are in the file do not run, its pages are checked when they are read,
 * "x" is a name and never a string. Comes after sqlite3_deserialize, which replaces the database
 * below the handle. Returns a code of SQLite. */
int database_harden(sqlite3 *db);

/* For SQL or a schema that is not ours: at most so many bytes in a value or a statement, and no
 * attached file, deep expression or thread. */
void database_limit(sqlite3 *db, int bytes);

/* *number: the first column of the first row of a query that is ours; 0 where there is none.
 * Returns SQLITE_ROW, SQLITE_DONE where there is no row, or another code: a failure, whose
 * sqlite3_errmsg is kept. */
int database_number(sqlite3 *db, const char *sql, int64_t *number);

#endif
