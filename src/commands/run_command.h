/*
 * run_command.h - dcsim --config: runs the experiment of a config, or the points of its sweep,
 * keeps what they give in a database, and reports.
 */
#ifndef DCS_RUN_COMMAND_H
#define DCS_RUN_COMMAND_H

#include "runs/replication.h"
#include "config/sweep.h"

struct run_request {
    struct sweep *sweep;    /* opened, not checked */
    const char *output;     /* NULL: as the config says */
    uint32_t jobs;          /* threads */
    uint64_t shard, shards; /* of the points, those with point % shards == shard */
    bool quiet, all_points, dry_run, yes, any_build;
    struct run_watch *watch; /* stop: set by a signal handler */
};

/* Returns the exit code; what went wrong has been said. */
int run_command(const struct run_request *request);

#endif
