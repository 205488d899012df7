/* config_gang_tables.c - the keys of nodes and queues for whole jobs; see config_tables.h. */
#include "config/config_tables.h"
#include "gangs/gang.h"

#define FIELD(type, member) .offset = offsetof(struct type, member)

const char *const config_replayed_as[] = {"applications", "gangs", NULL};
const char *const config_queue_orders[] = {[GANG_FCFS] = "fcfs", [GANG_EASY] = "easy", NULL};
static const char *const ranks[] = {
    [RANKS_NONE] = "none", [RANKS_CLASS] = "class", [RANKS_PRIORITY] = "priority", NULL};
static const char *const misfits[] = {"refuse", "leave_out", NULL};

const struct param config_nodes_params[] = {
    {PARAM_INT, "nodes", FIELD(config_nodes, nodes), .low = 1, .high = 100000, .required = true,
     .help = "Nodes that are alike."},
    {PARAM_INT, "gpus", FIELD(config_nodes, gpus), .low = 1, .high = GANG_GPUS_MAX,
     .required = true, .help = "GPUs of each."},
    {PARAM_STRING, "model", FIELD(config_nodes, model), .text = "",
     .help = "Their GPU model; a job that names models runs on these alone."},
    {0},
};

const struct param config_queue_params[] = {
    {PARAM_CHOICE, "order", FIELD(config_queue, order), .choices = config_queue_orders,
     .help = "fcfs: no job starts before the first in the queue. easy: a later one may, if the "
             "first starts no later for it (EASY backfill; it knows how long jobs take)."},
    {PARAM_CHOICE, "placement", FIELD(config_queue, placement), .choices = gang_placements,
     .help = "Which of the nodes that can hold a job it gets. first_fit: the first. best_fit: that "
             "with the least free. fgd: where the fragmentation grows least (fragmentation "
             "gradient descent, Weng et al., USENIX ATC 2023)."},
    {PARAM_INT, "depth", FIELD(config_queue, depth), "jobs", 0, 1e7, 0,
     .help = "How many jobs behind the first backfill looks at; 0: all."},
    {PARAM_BOOL, "across_nodes", FIELD(config_queue, across_nodes),
     .help = "A job of several GPUs that no node can hold now may use several nodes."},
    {PARAM_CHOICE, "misfits", FIELD(config_queue, misfits), .choices = misfits,
     .help = "Jobs that ask for no GPU, for more than a node has, or for a model that no node has. "
             "refuse: an error. leave_out: they are counted, and not run."},
    {PARAM_CHOICE, "revocation", FIELD(config_queue, revocation), .choices = ranks,
     .help = "Who goes first, and may revoke running jobs, all their GPUs at once, where it cannot "
             "start otherwise. class: latency jobs before batch jobs. priority: those of a higher "
             "priority in the trace. none: nobody."},
    {PARAM_TIME, "checkpoint_s", FIELD(config_queue, checkpoint_ns), "s", 0, 1e9, 0,
     .help = "Work of a job between two checkpoints, from the last of which it goes on when it was "
             "revoked; 0: it begins anew."},
    {0},
};
