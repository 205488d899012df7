/*
 * trace.h - a recorded workload in memory: jobs with an arrival, a duration, a class and a demand;
 * and a model of one, from which such jobs are drawn. The workload replays either.
 *
 * The form on disk, and who reads it, is traces/jobs.h.
 */
#ifndef DCS_MODELS_TRACE_H
#define DCS_MODELS_TRACE_H

#include "des/base.h"
#include "des/dist.h"
#include "models/workload/arrivals.h"
#include "models/profile/profile.h"

struct dcs_trace_job {
    int64_t arrival_ns;  /* since the first job, uncompressed; ascending, ties in file order */
    int64_t duration_ns; /* that it ran in the trace; > 0 */
    double gpus;         /* asked for; a fraction shares one; 0: a CPU job */
    int64_t id;          /* job.id of the database; of generated jobs their number, from 1 */
    enum dcs_class class;
    int32_t priority; /* the trace's; 0: not said */
    uint32_t models;  /* dcs_trace.models[models - 1]; 0: it may run on any */
};

/* One count of what was kept or left out, and why. */
struct dcs_trace_count {
    const char *what; /* static text: "left out: there when the trace began" */
    uint64_t count;
};

#define DCS_TRACE_COUNTS_MAX 9
#define DCS_TRACE_MODELS_MAX 1000
struct dcs_trace {
    struct dcs_trace_job *jobs;
    size_t jobs_count;
    char **names;  /* as jobs: what the log calls them; NULL: not asked for */
    char **models; /* each text of GPU models that jobs name, as "A10|T4" */
    uint32_t models_count;
    uint64_t naming; /* jobs that name models */
    struct dcs_trace_count counts[DCS_TRACE_COUNTS_MAX];
    size_t counts_count;
    uint64_t outside; /* jobs of the database that arrive before or after what is replayed of it */
    uint64_t running; /* that had begun before it and not ended; on so many GPUs */
    double running_gpus;
    uint64_t several; /* of those that are kept: ask for more than one GPU */
    uint64_t cut; /* of those that are kept: ran when the trace ended, with what was seen of them */
    char sha256[65]; /* of the database's bytes; "" for generated jobs */
};

void dcs_trace_release(struct dcs_trace *t);

/* Whether the job of this id is kept where each is with probability `keep`; a function of seed,
 * replication, generator (as in workload.h) and id alone. Draws another number from 0 to 1 for its
 * class. */
bool dcs_trace_keeps(double keep, uint64_t seed, uint32_t replication, uint32_t generator,
                     int64_t id, double *class);

/* What a trace was fitted to: durations and demands by class, arrivals of jobs. */
struct dcs_trace_model {
    int64_t jobs; /* to be drawn; >= 1 */
    struct dcs_arrivals_spec arrivals;
    double latency_fraction; /* of the jobs; each draws its class on its own */
    struct {
        struct dcs_dist duration; /* ns */
        struct dcs_dist gpus;
    } of_class[2]; /* by enum dcs_class */
};

/* Draws the jobs of one replication; `generator` as in workload.h. -1 and err if they would arrive
 * after more than 146 years. The caller releases *out. */
int dcs_trace_generate(struct dcs_trace *out, const struct dcs_trace_model *m, uint64_t seed,
                       uint32_t replication, uint32_t generator, struct dcs_err *err);

#endif
