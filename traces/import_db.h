/*
 * import_db.h - writes the database of an import (tables: docs/traces.md).
 *
 * It is written beside its final name as OUTPUT.partial-PID, without a journal, since a file that
 * is not finished is thrown away; it takes its name when all is on the disk. Nothing that is broken
 * off looks complete: only the finished file has a row in table `trace`.
 */
#ifndef DCS_TRACES_IMPORT_DB_H
#define DCS_TRACES_IMPORT_DB_H

#include "traces/import.h"
#include "traces/input.h"

struct import_db;

/* NULL and err: the output exists, or cannot be made. */
struct import_db *import_db_open(const char *output, struct dcs_err *err);

int import_db_job(struct import_db *db, const struct trace_job *job, struct dcs_err *err);

/* The other tables, the index, and the final name. tick: called now and then while the index is
 * built; nonzero ends it. */
int import_db_finish(struct import_db *db, const struct trace_format *format,
                     const struct trace_input *in, const struct import_counts *counts,
                     int (*tick)(void *context), void *context, struct dcs_err *err);

/* Removes what is not finished. NULL is allowed. */
void import_db_close(struct import_db *db);

#endif
