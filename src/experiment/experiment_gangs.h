/*
 * experiment_gangs.h - an experiment whose workload is a trace of whole jobs: no profile, no
 * application and no device of one is in it. x->gangs tells.
 */
#ifndef DCS_EXPERIMENT_GANGS_H
#define DCS_EXPERIMENT_GANGS_H

#include "experiment/experiment.h"
#include "gangs/gang.h"

struct experiment_gangs {
    struct gang_spec spec; /* of all jobs */
    struct gang_group *groups;
    struct gang_job *jobs;
    int64_t *ids;       /* of the jobs, in the trace */
    bool classed;       /* the trace has jobs of both classes, whether they fit or not */
    const char **names; /* that the log gives them; "": none. NULL: not asked for. The trace's */
    /* Of the trace's jobs: left out (cluster.queue.misfits), and rounded up to whole GPUs;
     * late: arrive after the horizon, of the others. */
    uint64_t without_gpu, too_large, no_model, rounded_up, late;
};

/* The jobs of a replication, which `keep` draws, and their ids. */
struct experiment_drawn {
    struct gang_spec spec;
    const int64_t *ids;
    const char *const *names;
    struct gang_job *own_jobs; /* NULL, as the others: all are kept */
    int64_t *own_ids;
    const char **own_names;
};

/* *out is to be released. -1 and err: no job is left. */
int experiment_draw_gangs(const struct experiment *x, uint32_t replication,
                          struct experiment_drawn *out, struct dcs_err *err);
void experiment_drawn_release(struct experiment_drawn *drawn);

/* -1 and err, with `what` it does, where x is of whole jobs: the command has no use for them. */
int experiment_refuse_gangs(const struct experiment *x, const char *what, struct dcs_err *err);

#endif
