/*
 * workload.h - what asks for service: jobs, each of one application, each issuing requests open
 * loop (at a rate) or closed loop (at most n outstanding), and the generators that make lists of
 * jobs.
 *
 * A list of jobs is drawn before the simulation starts and is the same for every policy. Each
 * generator of an experiment has a number, 0, 1, ..., so that two of them draw independently.
 */
#ifndef DCS_MODELS_WORKLOAD_H
#define DCS_MODELS_WORKLOAD_H

#include "des/base.h"
#include "models/workload/apps.h"
#include "models/workload/arrivals.h"
#include "models/workload/inputs.h"
#include "models/workload/trace.h"

struct dcs_job {
    uint32_t app;
    const struct dcs_input *input; /* sizes of its requests; NULL: the default; borrowed */
    int64_t begin_ns;
    uint64_t requests; /* that it issues in all; 0 = no end */
    int64_t until_ns;  /* closed: from here on it issues none; 0 = no such time */

    bool open;                                /* open loop: arrivals; closed loop: clients */
    uint32_t clients;                         /* closed: at most so many outstanding, >= 1 */
    const struct dcs_arrivals_spec *arrivals; /* open; borrowed, perhaps from the workload */
    const struct dcs_dist
        *think; /* closed: from completion to the next request; NULL: none; likewise */

    int64_t sla_ns;       /* 0 = none; equality meets it */
    uint32_t queue_limit; /* open: requests that may wait; one more is dropped on arrival; 0 = no
                             limit */
    bool drop_late;       /* one that still waits at its deadline is dropped */

    bool pinned; /* all its requests go to `domain`; else the router spreads them */
    uint32_t domain;
};

struct dcs_workload {
    struct dcs_job *jobs; /* sorted by begin_ns, ties as drawn */
    size_t count, capacity;
    struct dcs_workload_kept *kept; /* what its jobs borrow from it */
};

/* What there is to serve it, for generators that are given a load. */
struct dcs_capacity {
    const struct dcs_app *apps;
    uint32_t kinds;
    const uint64_t *devices; /* of each kind */
};

/* Work of one request on each device of the cluster in turn, and its mean over them, ns. */
double dcs_capacity_work_ns(const struct dcs_capacity *c, const struct dcs_app *app);
double dcs_capacity_mean_work_ns(const struct dcs_capacity *c, uint32_t app);

/*
 * TReM's generator (section V-B, tables III and IV). Job classes in exact proportion, in random
 * order; durations Pareto by class; the application of a job drawn from its class's list; tasks per
 * job = duration / mean task time, rounded, at least 1, or shares of a fixed total; exponential
 * inter-arrivals whose mean makes the offered work load * devices * time.
 */
struct dcs_trem {
    int64_t jobs;
    double user_fraction; /* of the jobs that are user-facing; the rest is batch */
    int64_t user_duration_ns, batch_duration_ns; /* means */
    double pareto_shape;                         /* > 1 */
    int64_t outstanding;                         /* per job */
    int64_t user_tasks, batch_tasks;             /* totals by class as in table IV; 0 = free */
    double load;                                 /* offered work over capacity */
    bool load_expected;   /* by the mean work of a job, not by that of the jobs drawn */
    int64_t load_devices; /* capacity that load refers to; 0 = the cluster's */
    int64_t sla_ns;       /* of user-facing tasks; 0 = the application's */
    const uint32_t *user_apps, *batch_apps;
    size_t user_apps_count, batch_apps_count;
};
int dcs_workload_add_trem(struct dcs_workload *w, const struct dcs_trem *t,
                          const struct dcs_capacity *c, uint64_t seed, uint32_t replication,
                          uint32_t generator, struct dcs_err *err);

/*
 * Replay of a trace, recorded or generated: a job that asks for g GPUs (CPU jobs and fractions of a
 * GPU count as one client) is ceil(g) * outstanding clients, which issue requests of one
 * application of its class until the work duration * g (CPU jobs: duration) is spent: the number of
 * requests is that work over the application's mean, rounded, at least 1. As in the trace,
 * everything is cut off at its end: after the last arrival no client issues another request.
 *
 * MAPPING to applications, within a class: random, or by size: the jobs that are kept, ordered by
 * work, are cut into as many equal parts as there are applications, and the part with the smallest
 * jobs gets the application with the smallest mean work.
 *
 * LOAD. Arrivals and durations are compressed on their own. With `load` the compression of the
 * arrivals is solved for: the work that falls between the first and the last arrival if no client
 * ever waits (a job works with as many clients as it has requests), over the capacity of that time.
 * (All work of all jobs would be no measure: a few jobs last far longer than any window.)
 */
struct dcs_replay {
    double keep;                 /* 0..1: each job is kept with this probability */
    double latency_fraction;     /* 0..1: of the jobs, drawn for each; < 0: the trace's classes */
    double time_compression;     /* arrivals are divided by this ... */
    double duration_compression; /* ... and durations by this */
    double load;                 /* > 0: solve for time_compression */
    int64_t outstanding;         /* requests of a job at most, per GPU that it asks for; >= 1 */
    bool by_size;
    int64_t sla_ns;
    const uint32_t *user_apps, *batch_apps;
    size_t user_apps_count, batch_apps_count;
};
struct dcs_replay_counts {
    uint64_t jobs, requests, clients; /* requests: if none were cut off */
    uint64_t thinned;                 /* jobs that `keep` left out */
    uint64_t without_gpu;             /* of the jobs: CPU jobs, which count as one GPU */
    uint64_t rounded_up;              /* jobs with less work than half a request, which got one */
    double work_ns;                   /* of all those requests */
    double trace_work_ns;             /* in the trace, after duration_compression */
    double time_compression;          /* that was used */
    double offered;                   /* load in the sense above */
    int64_t span_ns;                  /* from first to last arrival, compressed */
};
/* -1 and err if no job is left, all arrive at one instant, a job has too many requests, a class has
 * no application, or the load cannot be reached. */
int dcs_workload_add_replay(struct dcs_workload *w, const struct dcs_trace *trace,
                            const struct dcs_replay *r, const struct dcs_capacity *c, uint64_t seed,
                            uint32_t replication, uint32_t generator,
                            struct dcs_replay_counts *counts, struct dcs_err *err);

/*
 * Services beside batch applications (C-Laius, section 9.7: each service on 100 GPUs of its own,
 * three batch applications drawn at random beside it on each of them). Domain after domain from
 * first_domain: each service, in the order given, has domains_per_service of them; on each there is
 * one open loop of the service, Poisson, and batch_per_domain closed loops of one client without
 * end, of different applications of the list, each choice as likely as any other. All are pinned
 * and begin at 0. What is drawn for a domain depends on seed, replication, generator and domain
 * alone.
 *
 * EMU (Wang, thesis, section 5.5.7) has a closed loop of the service in each domain (`clients`) and
 * several instances of one batch application (`batch_clients`). With `value` the batch applications
 * that were drawn for all domains are then dealt out again so that the values of all pairs together
 * are as high as can be (assign.h): the same work in another place. Needs batch_per_domain 1.
 */
struct dcs_colocated_service {
    uint32_t app;
    const struct dcs_input *input; /* as in struct dcs_job */
    int64_t sla_ns;
    double rate_per_device_per_s;
};
struct dcs_colocated {
    const struct dcs_colocated_service *services;
    size_t services_count;
    const uint32_t *batch_apps;
    const struct dcs_input *const
        *batch_inputs; /* of each, as in struct dcs_job; NULL: none has one */
    size_t batch_apps_count;
    uint32_t batch_per_domain; /* <= batch_apps_count */
    uint32_t domains_per_service, first_domain;
    const uint32_t *domain_devices; /* devices of each domain of the cluster */
    uint32_t clients;               /* of the service in each domain; 0: Poisson */
    uint32_t batch_clients;         /* of each batch application, >= 1 */
    const int64_t *value; /* [service * batch_apps_count + batch application]; NULL: as drawn */
};
void dcs_workload_add_colocated(struct dcs_workload *w, const struct dcs_colocated *c,
                                uint64_t seed, uint32_t replication, uint32_t generator);

/* A copy that lives as long as the workload, for what a job borrows. Jobs that are alike can share
 * it: a list of jobs may be long. */
const void *dcs_workload_keep(struct dcs_workload *w, const void *what, size_t bytes);

/* One job as it is. */
void dcs_workload_add(struct dcs_workload *w, const struct dcs_job *job);
/* Sorts; call once after the last add. */
void dcs_workload_finish(struct dcs_workload *w);
void dcs_workload_release(struct dcs_workload *w);

#endif
