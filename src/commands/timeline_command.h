/*
 * timeline_command.h - dcsim --config x.json --timeline out.json: simulates one replication of an
 * experiment, and writes what happens in it as a timeline (timeline.h) in place of results.
 */
#ifndef DCS_TIMELINE_COMMAND_H
#define DCS_TIMELINE_COMMAND_H

#include "runs/replication.h"
#include "config/sweep.h"

/* As the command line has them; NULL: not given. */
struct timeline_options {
    const char *path;
    const char *from, *until, *devices, *replication, *limit;
};

/* Whether an option is given that means nothing without a path. */
bool timeline_options_stray(const struct timeline_options *o);

/* Returns the exit code; what went wrong has been said. */
int timeline_command(const struct timeline_options *o, const struct sweep *sweep, bool quiet,
                     struct run_watch *watch);

#endif
