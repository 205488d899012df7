/*
 * runner.h - runs points (experiments) and their replications on any number of threads.
 *
 * Workers open points and simulate replications; everything else is called on the calling thread,
 * one call at a time, so whoever is called needs no locks. Within a point runs are handed on in
 * the order in which they were wanted, whatever the order in which they end; points may overtake
 * each other. So what is done with a point does not depend on the number of threads.
 */
#ifndef DCS_RUNNER_H
#define DCS_RUNNER_H

#include "runs/replication.h"

/* A point that is under way. */
struct runner_point {
    uint64_t index; /* 0 to points - 1 */
    struct options_doc *doc;
    struct config config;
    struct experiment experiment;
    void *context; /* the caller's; NULL at first */
};

/* Replications to be run. */
struct runner_list {
    uint32_t *items;
    size_t count, capacity;
};
void runner_list_add(struct runner_list *list, uint32_t replication);

enum runner_end {
    RUNNER_DONE,       /* everything that was wanted has been taken */
    RUNNER_FAILED,     /* opening it or one of its runs failed */
    RUNNER_BROKEN_OFF, /* watch.stop, or a call below said -1 */
};

/* Each call that returns -1, with err, ends everything. */
struct runner_calls {
    void *context;
    /* Fills doc, config and experiment of the point; on a worker's thread, several at a time. -1
     * and err: the point has failed, the others go on, and the three are released already. */
    int (*open)(void *context, struct runner_point *p, struct dcs_err *err);
    /* Which replications of the point are still wanted: adds them to the empty list. Asked when
     * the point has been opened, and again when all that were asked for have been taken; none
     * ends it. */
    int (*want)(void *context, struct runner_point *p, struct runner_list *list,
                struct dcs_err *err);
    /* A run; now the callee's. */
    int (*take)(void *context, struct runner_point *p, struct run *run, struct dcs_err *err);
    /* The point has ended; it is released afterwards. Called once for each point whose opening was
     * begun. failure: why, else NULL; a point that failed in `open` has nothing but its index. */
    int (*end)(void *context, struct runner_point *p, enum runner_end how,
               const struct dcs_err *failure, struct dcs_err *err);
    /* A few times a second while runs are waited for. */
    void (*tick)(void *context);
};

/* Runs points 0 to points - 1, started in this order. 0 when all have ended or watch->stop was set
 * (runs that had ended by then have been taken), -1 and err if a call said so; watch->stop is then
 * set. */
int runner_run(uint64_t points, uint32_t threads, struct run_watch *watch,
               const struct runner_calls *calls, struct dcs_err *err);

#endif
