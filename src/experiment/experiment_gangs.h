/*
 * experiment_gangs.h - an experiment whose workload is a trace of whole jobs: no profile, no
 * application and no device of one is in it. x->gangs tells.
 */
#ifndef DCS_EXPERIMENT_GANGS_H
#define DCS_EXPERIMENT_GANGS_H

#include "experiment/experiment.h"
#include "gangs/gang.h"

struct experiment_gangs {
    struct gang_spec spec; /* of every replication: nothing is drawn */
    struct gang_group *groups;
    struct gang_job *jobs;
    /* Of the trace's jobs: left out (cluster.queue.misfits), and rounded up to whole GPUs. */
    uint64_t without_gpu, too_large, no_model, rounded_up;
};

/* -1 and err, with `what` it does, where x is of whole jobs: the command has no use for them. */
int experiment_refuse_gangs(const struct experiment *x, const char *what, struct dcs_err *err);

#endif
