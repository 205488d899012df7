/* store_driven.h - what only runs on a GPU that really runs leave: the device, launches and
 * callbacks with their times, in tables of their own. */
#ifndef DCS_STORE_DRIVEN_H
#define DCS_STORE_DRIVEN_H

#include "results/store_sql.h"
#include "runs/replication.h"

extern const char store_driven_sql[];

/* Nothing happens if the run was simulated. -1: SQLite's error is that of the connection. */
int store_put_driven(struct store *s, const struct run *run);

#endif
