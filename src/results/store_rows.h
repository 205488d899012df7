/*
 * store_rows.h - which row of the results database says what. For store*.c only; store.c opens the
 * database.
 */
#ifndef DCS_STORE_ROWS_H
#define DCS_STORE_ROWS_H

#include "runs/replication.h"
#include "runs/explain.h"
#include "runs/summary.h"
#include "results/store_sql.h"

#define DECIMAL_BYTES 40 /* of a 128-bit sum as text: 2^127 has 39 digits */

/* Begins a transaction, and makes the file and the tables that are missing in it. */
int store_begin(struct store *s, struct dcs_err *err);
/* Commits if status is 0, else rolls back. Returns status, or -1 if committing failed. */
int store_end(struct store *s, int status, struct dcs_err *err);

/* Whether the database has the experiment. -1 if it has another one under its hash, or was
 * damaged. */
int store_find_experiment(struct store *s, bool *found, struct dcs_err *err);
/* Adds the experiment, or brings name, description and config up to date; and says of which point
 * of a sweep it is. */
int store_put_experiment(struct store *s, struct dcs_err *err);

/* Whether it has a run. -1 also if another build of the program made it and that is not allowed. */
int store_find_run(struct store *s, uint32_t replication, bool *found, struct dcs_err *err);
/* All rows of a run. */
int store_put_run(struct store *s, const struct run *run, struct dcs_err *err);
/* Its parts of equal length. -1: the connection knows why. */
int store_put_bins(struct store *s, const struct run *run);
int store_put_gangs(struct store *s, const struct run *run);
/* What a summary needs of a run: metrics and the applications' histograms. The caller releases. */
int store_get_run(struct store *s, uint32_t replication, struct run *run, struct dcs_err *err);

/* Replaces the summary. */
int store_put_summary(struct store *s, const struct summary_row *rows, size_t count,
                      struct dcs_err *err);

/* Replaces what is kept of late requests of a run. */
int store_put_late(struct store *s, uint32_t replication, const struct explanation *all,
                   size_t count, struct dcs_err *err);

#endif
