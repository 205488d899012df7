/*
 * results_db.h - a results database that is only read: for dcsim compare and dcsim export. It is
 * untrusted: what is not ours or of another schema is refused, and nothing in it runs but views.
 */
#ifndef DCS_RESULTS_DB_H
#define DCS_RESULTS_DB_H

#include "des/base.h"

#include <sqlite3.h>

struct results {
    sqlite3 *db;
    const char *path; /* borrowed: as the user wrote it, for errors */
};

/* -1 and err: no file, not a results database, or of another schema; *r is then closed. */
int results_open(struct results *r, const char *path, struct dcs_err *err);
void results_close(struct results *r);

/* Prepares a statement of ours. NULL and err on failure. */
sqlite3_stmt *results_prepare(const struct results *r, const char *sql, struct dcs_err *err);

/* The same; ?1 is bound to an experiment, ?2 to a replication. The caller finalizes both. */
sqlite3_stmt *results_prepare_run(const struct results *r, const char *sql, int64_t experiment,
                                  uint64_t replication, struct dcs_err *err);

/* Whether there is a table or view of that name. */
int results_has(const struct results *r, const char *name, bool *has, struct dcs_err *err);

/* Fills err from the connection's last error. Returns -1. */
int results_failed(const struct results *r, struct dcs_err *err);

/* "; did you mean "X"?" for the first column of an SQL text of ours that is nearest to a word, or
 * an empty text; the caller frees it. */
char *results_nearest(const struct results *r, const char *sql, const char *word);

#endif
