/*
 * store.h - results in one SQLite database: rollback journal, synchronous=FULL, never WAL (people
 * keep results on NFS), one transaction per run. docs/results.md documents tables and views.
 *
 * A run is (experiment hash, replication). A database can hold many experiments. Adding a run that
 * it holds already is an error: a rerun asks first which runs are missing (store_held()). Rows of a
 * run are written in a fixed order, so the same experiment gives the same rows. Only table `wall`
 * holds anything that is not deterministic. A database that is not ours, or of a newer schema, is
 * refused and left untouched.
 */
#ifndef DCS_STORE_H
#define DCS_STORE_H

#include "experiment/experiment.h"
#include "runs/explain.h"
#include "runs/metrics.h"
#include "runs/summary.h"
#include "config/sweep.h"

#define STORE_SCHEMA 11
/* The oldest schema that the next write brings up to date: 5 has no sweeps, 6 no late_time, 7 no
 * cut_off, capacity_look and bins, and says nothing of overload in the view headline; 8 does not
 * say why a value of capacity_look is overloaded, 9 has no whole jobs, 10 no names
 * of them. */
#define STORE_SCHEMA_OLD    5
#define STORE_SCHEMA_SWEEPS 6
#define STORE_SCHEMA_LATE   7
#define STORE_SCHEMA_LOOKS  8
#define STORE_SCHEMA_GANGS  10

struct store; /* opaque */

/* Opens a database, or a place for one: the file is created when the first run is added. NULL and
 * err on failure, among it a folder that is missing, and a file that cannot be written or is no
 * results database: that is found here, not after hours, and the file stays as it is. path is
 * borrowed until the return, x until store_close(). x may be NULL if store_switch() follows. */
struct store *store_open(const char *path, const struct experiment *x, struct dcs_err *err);
void store_close(struct store *s); /* NULL is allowed */

/* From here on everything is about experiment x, which is borrowed until the next switch or
 * store_close(). sweep: the sweep that x is point number `point` of, which the database will say;
 * NULL, or one without a hash: x is no point of a sweep. -1 and err: the database holds another
 * experiment under the number of x. */
int store_switch(struct store *s, const struct experiment *x, const struct sweep *sweep,
                 uint64_t point, struct dcs_err *err);

/* Runs of another build of the program count as the same; without this call they are refused. */
void store_accept_builds(struct store *s);

/* wanted[i] becomes false for the replications that the database holds. Returns how many it holds
 * of the first `replications`, or -1: also where another build of the program made one of them. */
int64_t store_held(struct store *s, bool *wanted, uint32_t replications, struct dcs_err *err);

/* The GPU that runs of this experiment in the database were measured on, or, if it has none, those
 * of another experiment; *out empty: all runs were simulated. -1 and err. */
int store_driven_gpu(struct store *s, struct experiment_gpu *out, struct dcs_err *err);

/* How many of the runs that the database holds (of the first `replications`) had requests, but have
 * no rows of them. -1 and err. */
int64_t store_held_bare(struct store *s, uint32_t replications, struct dcs_err *err);

/* Adds the runs that the database holds (of the first `replications`) to a summary, in order. It is
 * then the same, bit for bit, as if the runs themselves had been added. */
int store_load(struct store *s, uint32_t replications, struct summary *summary,
               struct dcs_err *err);

/* One run, one transaction; not one that was interrupted. -1 and err: nothing was added, and the
 * store can be used on. Another program that reads is waited for, up to a minute. */
int store_add(struct store *s, const struct run *run, struct dcs_err *err);

/* Replaces the experiment's summary rows; nothing happens if no run was ever added. */
int store_summarise(struct store *s, const struct summary_row *rows, size_t count,
                    struct dcs_err *err);

/* The same with a summary of all runs that the database holds. If these are as many as the runs of
 * `summary`, its `rows` are stored; else (other commands have stored more runs of the experiment)
 * a summary of all is made here. */
int store_summarise_all(struct store *s, const struct summary *summary,
                        const struct summary_row *rows, size_t count, struct dcs_err *err);

/* Keeps where the time of the late requests of a run went, summed by application, in place of what
 * was kept of that run before. The database must hold the run. */
int store_explain(struct store *s, uint32_t replication, const struct explanation *all,
                  size_t count, struct dcs_err *err);

#endif
