/* explain_wanted.h - which requests of a run are to be explained. */
#ifndef DCS_EXPLAIN_WANTED_H
#define DCS_EXPLAIN_WANTED_H

#include "commands/explain_measured.h"
#include "runs/explain.h"
#include "runs/replication.h"

/* One request, or the slowest, or (0) those that missed their SLA. */
struct explain_wanted {
    bool one;
    struct explain_choice request; /* if one */
    uint64_t slowest, replication;
};

/* The requests of a run, simulated again or as it was measured. */
struct explain_rows {
    const struct run *simulated; /* NULL: */
    const struct measured_run *measured;
};

/* Of a run whose window begins at from_ns, in order: the slowest first, else as they are stored.
 * *chosen: the caller's to free, also after -1 and err (the one request is not there). */
int explain_choose(const struct experiment *x, const struct explain_wanted *wanted, int64_t from_ns,
                   const struct explain_rows *rows, struct explain_choice **chosen, size_t *count,
                   struct dcs_err *err);

#endif
