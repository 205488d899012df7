/* store_driven.h - what only runs on a GPU that really runs leave: the device, launches and
 * callbacks with their times, in tables of their own. */
#ifndef DCS_STORE_DRIVEN_H
#define DCS_STORE_DRIVEN_H

#include "results/store_sql.h"
#include "runs/replication.h"

extern const char store_driven_sql[];

/* Nothing happens if the run was simulated. -1: SQLite's error is that of the connection. */
int store_put_driven(struct store *s, const struct run *run);
/* run->driven.gpu of a run that is stored and was driven. */
int store_get_driven(struct store *s, struct run *run, struct dcs_err *err);

/* After runs of an experiment were merged from the database at in: -1 and err if not all of them
 * were measured on one GPU, if on any. */
int store_check_gpus(struct store *s, int64_t experiment, const char *in, struct dcs_err *err);

#endif
