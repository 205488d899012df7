/*
 * run_progress.h - the progress bar of dcsim --config: on standard error, if that is a terminal,
 * once a second has passed.
 */
#ifndef DCS_RUN_PROGRESS_H
#define DCS_RUN_PROGRESS_H

#include "runs/replication.h"

struct progress {
    bool show;
    uint64_t points, asked, ended, failed;
    uint64_t replications; /* of a point, for those that were not asked yet */
    uint64_t wanted, done; /* runs of the points that were asked */
    double began, shown;
    struct run_watch *watch;
};

void progress_begin(struct progress *p, uint64_t points, bool show, struct run_watch *watch);
void progress_checked(struct progress *p, uint64_t done,
                      uint64_t points);                 /* configs, before that */
void progress_asked(struct progress *p, uint64_t runs); /* another point; so many runs are wanted */
void progress_more(struct progress *p, uint64_t runs);  /* so many more of one that was asked */
void progress_run(struct progress *p);                  /* a run was taken */
void progress_ended(struct progress *p, bool failed);   /* a point has ended */
void progress_show(struct progress *p);                 /* if it is time */
void progress_finish(struct progress *p);

#endif
