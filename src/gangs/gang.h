/*
 * gang.h - a cluster that runs whole jobs: a job of g GPUs starts on g whole devices at once, holds
 * them for its duration, and gives all of them back at its end. A job of a share of one GPU holds
 * that share, in thousandths.
 *
 * The queue is first come, first served (FCFS): nobody starts before the first in the queue. EASY
 * backfill (Lifka, "The ANL/IBM SP scheduling system", JSSPP 1995; Mu'alem and Feitelson, IEEE TPDS
 * 12(6), 2001) lets later jobs start as long as the first one starts no later than it would without
 * them. It knows how long each job takes, as if users' estimates were exact.
 *
 * With `revoke` the queue is by rank, then by arrival. The first in it may revoke running jobs of
 * lower ranks where it cannot start otherwise. Each victim gives back all its GPUs at once, waits
 * again at its old place, and goes on from its last checkpoint, or from its beginning.
 *
 * At one instant jobs end first, then all that arrive join the queue in their order, then jobs
 * start. Which node a job gets is the placement's choice.
 */
#ifndef DCS_GANG_H
#define DCS_GANG_H

#include "des/base.h"

#include <stdatomic.h>

#define GANG_MILLI     1000 /* of a GPU */
#define GANG_GPUS_MAX  256  /* of a node */
#define GANG_MODELS    64   /* GPU models, and groups of nodes */
#define GANG_ANY_MODEL 0u

struct gang_group {
    uint32_t nodes, gpus; /* gpus: of each, 1 to GANG_GPUS_MAX */
    uint64_t model;       /* one bit */
};

struct gang_job {
    int64_t arrival_ns, duration_ns; /* arrivals ascend; duration > 0 */
    uint32_t gpus;                   /* >= 1 */
    uint32_t milli;                  /* of each GPU; below GANG_MILLI only where gpus is 1 */
    uint64_t models;                 /* bits of those it may run on, or GANG_ANY_MODEL */
    int32_t rank;                    /* with spec.revoke: may revoke lower ones */
    bool latency;                    /* its class, for metrics: no rule here asks for it */
};

enum gang_order { GANG_FCFS, GANG_EASY };

/* first_fit, best_fit, fgd; ended by NULL. */
extern const char *const gang_placements[];

struct gang_spec {
    const struct gang_group *groups;
    size_t groups_count;
    const struct gang_job *jobs;
    size_t jobs_count;
    enum gang_order order;
    int placement;     /* of gang_placements */
    bool across_nodes; /* a gang that no node can hold now may use several nodes */
    uint32_t depth;    /* EASY looks at so many jobs behind the first; 0: all */
    bool revoke;
    int64_t checkpoint_ns; /* of a job's work, between two checkpoints; 0: there are none */
    int64_t horizon_ns;    /* or DCS_NEVER: until all jobs have ended */
    const atomic_bool *stop;
};

/* DCS_NEVER: not before the horizon. */
struct gang_times {
    int64_t start_ns, end_ns;  /* the first start */
    int64_t begin_ns, done_ns; /* the last start, and how much of its work it then had behind it */
    uint32_t node;             /* the first of its nodes */
    uint32_t nodes;            /* how many */
};

/* From a start to a revocation. */
struct gang_stretch {
    uint32_t job;
    int64_t from_ns, to_ns;
};

/* At some instant: GPU time of all jobs that had arrived, all of it, what was due by then (had no
 * job waited), and what of that was done. */
struct gang_work {
    int64_t at_ns;
    double all, due, done;     /* ns */
    uint64_t arrived, waiting; /* waiting: for their start, or after a revocation */
};

struct gang_result {
    struct gang_times *jobs; /* as in the spec */
    int64_t from_ns, to_ns;  /* first arrival; horizon, or last end */
    uint64_t gpus;           /* of all nodes */
    uint64_t started, ended;
    struct gang_stretch *revoked;
    size_t revoked_count;
    struct gang_work last, end; /* at the last arrival before the horizon; at the end */
    double lost_ns;             /* GPU ns: what the revoked jobs do again */
    double allocation;          /* mean share of all GPUs that is held */
    /* Mean over time of the fragmentation of the free GPUs (Weng et al., USENIX ATC
     * 2023): the share of them that a job drawn from the workload cannot use. */
    double fragmentation;
    double queue_mean; /* jobs */
    uint64_t queue_max;
    uint64_t events;
    bool interrupted;
};

/* Why a job cannot run, whatever else does. */
enum gang_misfit { GANG_FITS, GANG_NO_MODEL, GANG_TOO_LARGE };
enum gang_misfit gang_misfit(const struct gang_spec *spec, const struct gang_job *job);

/* Every job must fit (asserted). -1 and err: more jobs at once than can be pending. */
int gang_run(const struct gang_spec *spec, struct gang_result *out, struct dcs_err *err);
void gang_result_release(struct gang_result *r);

#endif
