/*
 * cluster.h - one run: a cluster of domains under a policy serves a workload until its horizon.
 *
 * The cluster is the host of the policies: it turns completions, arrivals and timers into callbacks
 * and actions into events (policies/policy.h says in which order). It knows the truth; what a
 * policy is told goes through host*.c alone.
 *
 * Order of events of one instant (des/eventlist.h): devices (completions, ends of revocations),
 * workload (jobs, arrivals, clients that have thought), deadlines, charged actions, timers,
 * schedulers that become free, marks. The callbacks that they cause come after all of them.
 *
 * Time: a run covers [0, horizon). Requests that arrive before warmup are simulated, not counted.
 */
#ifndef DCS_CLUSTER_H
#define DCS_CLUSTER_H

#include "des/base.h"
#include "des/stats.h"
#include "models/workload/apps.h"
#include "models/gpu/exclusive_gpu.h"
#include "models/predictor/fusion_model.h"
#include "models/gpu/gpu.h"
#include "models/predictor/predictor_cpu.h"
#include "models/predictor/predictor_store.h"
#include "models/predictor/slowdown.h"
#include "models/sm/sm_device.h"
#include "models/workload/workload.h"
#include "policies/policy.h"
#include "engine/recorder.h"

#include <stdatomic.h>

struct device_kind; /* device_kind.h */
struct driven;      /* driven.h */

/* How policies hear of what happens at one instant. */
enum cluster_instant {
    CLUSTER_BATCHED,        /* after all events, in their order */
    CLUSTER_ARRIVALS_FIRST, /* after all events, arrivals before the rest */
    CLUSTER_ONE_BY_ONE,     /* after each event, and decide once about it */
    CLUSTER_INSTANTS
};

enum cluster_router { CLUSTER_ROUND_ROBIN, CLUSTER_RANDOM, CLUSTER_LEAST_OUTSTANDING };

struct cluster_domain {
    uint32_t profile; /* of its devices: an index of what a spec has by profile */
    uint32_t devices;
    uint32_t cpu_threads; /* of divisible work: above 0, the first device is a CPU that uses so many
                             threads, and the others are GPUs */
};

enum cluster_action {
    CLUSTER_LAUNCH,
    CLUSTER_REVOKE,
    CLUSTER_DROP,
    CLUSTER_RETURN,
    CLUSTER_ALLOT,
    CLUSTER_TIMER,
    CLUSTER_LAUNCH_FUSED, /* of its first request; the other is in the detail */
    CLUSTER_RESIZE,
    CLUSTER_LAUNCH_CHUNK,
    CLUSTER_QUOTA,
};

/* For tests of policies: what happens, as it happens, and the truth scramble. Each may be NULL. */
struct cluster_probe {
    void *context;
    /* A policy called an action (before it takes effect). detail tells actions of one kind on one
     * request apart: to which device, with which allotment, for when. */
    void (*action)(void *context, int64_t now_ns, uint32_t domain, enum cluster_action action,
                   req_id r, uint64_t detail);
    /* A kernel started: its whole true work. */
    void (*start)(void *context, int64_t now_ns, uint32_t job, uint64_t index, uint32_t kernel,
                  int64_t work_ns);
    /* A kernel completed. */
    void (*complete)(void *context, int64_t now_ns, uint32_t job, uint64_t index, uint32_t kernel);

    /* At this time (if scramble is true) the true work that is left of kernels, running or not
     * begun, is changed: of each with this probability, see cluster_scrambles(). */
    bool scramble;
    int64_t scramble_ns;
    uint64_t scramble_seed;
    double scramble_share;

    /* Not 0: devices that have changed at an instant are settled in an order that this draws. */
    uint64_t settle_seed;
};

/* Whether the scramble changes this kernel if it has not ended by then. */
bool cluster_scrambles(const struct cluster_probe *probe, uint32_t job, uint64_t index,
                       uint32_t kernel);

/* In place of a time: what the profile of the device has measured (spatial.h, QUOTA SWITCHES). */
#define CLUSTER_SWITCH_MEASURED (-1)

/* How devices are shared. */
struct cluster_sharing {
    const struct dcs_spatial *const *spatial; /* by profile; of GPUs that are shared */
    const struct dcs_cpu *const *cpu;         /* by profile; of CPUs */
    const struct dcs_sm *const *sm;           /* by profile; of GPUs whose SMs are shared */
    struct dcs_sm_leaving leaving;            /* of blocks there */
    bool contention;
    int64_t quota_switch_ns;  /* a launch with another allotment than the request had before;
                                 CLUSTER_SWITCH_MEASURED */
    uint32_t step_sms;        /* what policies are told that partitions are multiples of */
    enum dcs_gpu_moves moves; /* of SMs between kernels that run: a hypothetical device */
    enum dcs_fusion_match fusion_match;
    enum dcs_fusion_choice fusion_choice;
};

/* A run that would take more memory is refused before it begins, or ends with an error: as much as
 * 15 million jobs take, where every thread has a run at hand. Counted is what grows with the
 * config: domains, devices, jobs and the requests that are inside, as it is allocated.
 * docs/performance.md, Memory, says what is not counted. */
#define CLUSTER_BYTES_MAX ((uint64_t)1 << 32)

/* Everything that a run needs; borrowed for the duration of the run, and may be shared by threads.
 */
struct cluster_spec {
    const struct dcs_app *apps;
    const double *weights; /* of the applications; NULL: all the same */
    uint32_t apps_count;
    uint32_t sized_count; /* behind these, of other sizes: what inputs of jobs lead to */
    uint32_t profiles;
    const uint64_t *profile_memory_bytes;
    const uint32_t *profile_sms; /* NULL: not known; shared devices say it themselves */
    struct cluster_sharing sharing;
    const struct device_kind *device_kind; /* NULL: what `sharing` has models of */
    const struct cluster_domain *domains;
    uint32_t domains_count;
    enum cluster_router router;
    struct dcs_checkpoint checkpoint; /* of devices that are not shared */
    bool clairvoyant;                 /* predictions are the truth */
    /* By profile: what predicts in place of means, on devices that are shared; NULL: nothing. */
    const struct dcs_predictors *const *predictors;
    const struct dcs_cpu_predictors *const *cpu_predictors; /* likewise, on CPUs */
    /* By profile: what says how much kernels are slowed, on devices that are shared; NULL: nothing.
     */
    const struct dcs_slowdowns *const *slowdowns;
    int64_t callback_ns, predict_ns; /* charges, scaled */
    int64_t fusion_round_ns, fusion_candidate_ns;
    int64_t horizon_ns; /* DCS_NEVER: until all work is done */
    int64_t warmup_ns;
    enum cluster_instant instant;
    const struct policy *policy;
    const void *policy_params;
    uint64_t seed;
    uint32_t replication;
    const struct dcs_workload *workload;
    uint64_t bytes_max; /* 0: CLUSTER_BYTES_MAX */
    uint32_t threads;   /* that simulate it, where its domains can be separated; 0: one */
    bool keep_requests, keep_jobs;
    const struct cluster_rows *rows; /* takes rows of requests and decisions in place of the lists
                                        of the result; may be NULL */
    uint32_t
        series; /* above 0: keep the number in the system over so many equal parts of the horizon */
    bool resampled;      /* kernels take what a second profile could have measured (apps.h) */
    bool keep_decisions; /* a run with more than CLUSTER_DECISIONS_MAX fails */
    bool keep_job_times; /* response times of each job, see CLUSTER_JOB_TIMES_MAX */
    const struct cluster_probe *probe; /* may be NULL */
    const struct recorder *recorder;   /* may be NULL */
    /* Not NULL: the device, of which there is one, really runs, and time is its time. */
    const struct driven *driven;
    atomic_bool *stop;       /* set from outside: break off; may be NULL */
    atomic_ullong *progress; /* requests issued so far are added here now and then; may be NULL */
};

enum cluster_outcome { CLUSTER_DONE, CLUSTER_DROPPED, CLUSTER_INSIDE };

struct cluster_request_row {
    req_id id;
    uint64_t index;
    uint32_t job, app, domain, device; /* device: of its last launch, UINT32_MAX if none */
    enum cluster_outcome outcome;
    uint32_t revocations;
    int64_t arrival_ns, start_ns, end_ns, deadline_ns;
    int64_t size; /* of its input; 0: the default, where none is drawn */
};

struct cluster_decision_row;

/* Who takes rows one by one, each as soon as it is known. */
struct cluster_rows {
    void *context;
    void (*begin)(void *context); /* of a run; what was taken before is of another one */
    /* -1 and err: the run fails with this. */
    int (*request)(void *context, const struct cluster_request_row *row, struct dcs_err *err);
    int (*decision)(void *context, const struct cluster_decision_row *row, struct dcs_err *err);
};

/* A histogram of 57 KiB stands behind each p99 of a job, so they are kept of jobs with an SLA, and
 * only where no more than so many of them are in the workload. */
#define CLUSTER_JOB_TIMES_MAX 2000

struct cluster_job_row {
    uint32_t app;
    const struct dcs_input *input; /* as in struct dcs_job */
    uint32_t domain;               /* UINT32_MAX: any */
    uint64_t issued, completed, dropped;
    uint64_t requests; /* that it issues in all; 0: no end, or it never began */
    uint32_t clients;
    int64_t until_ns; /* from here on it issues none; 0: no such time */
    bool finite; /* it began, and issues a number of requests or until a time, not without end */
    int64_t begin_ns,
        end_ns;            /* end: last completion; DCS_NEVER if it did not end, or was cut off */
    int64_t sla_ns;        /* 0 = none */
    uint64_t decided, met; /* as in struct cluster_app_result */
    int64_t p99_ns; /* of requests inside the window; DCS_NEVER: none completed or not kept */
};

/* What a policy may say in a run: half a GB of rows. */
#define CLUSTER_DECISIONS_MAX 10000000

/* What a policy said about a request (host_explain). */
struct cluster_decision_row {
    int64_t at_ns;
    uint64_t index;
    uint32_t job, app, domain, kernel;
    const char *what; /* the policy's */
    int64_t value;
};

/* What a launch on a device of this profile pays for another allotment than the kernel before it
 * had; -1: it is to be as measured, and the profile has not measured it. 0 on devices without
 * allotments. */
int64_t cluster_switch_ns(const struct cluster_spec *spec, uint32_t profile,
                          struct host_allotment before, struct host_allotment now);

/* Counts of requests that arrived inside the window, except where it says otherwise. */
struct cluster_app_result {
    uint64_t arrived, done, dropped, inside;
    uint64_t decided;          /* with an SLA, and known: completed, dropped, or late already */
    uint64_t met;              /* of these, completed by the deadline */
    uint64_t completions;      /* inside the window, whenever the request arrived */
    uint64_t revocations;      /* inside the window, whenever the request arrived */
    struct dcs_hist *response; /* arrival to completion; NULL if none completed */
    struct dcs_hist *cut;      /* arrival to the end of the run, of those inside then; NULL: none */
    uint64_t switches;         /* of those that completed: launches with another allotment, */
    int64_t switch_ns;         /* and what they paid for them */
    __int128 alone_ns;         /* what those that completed take in the mean, each alone on a whole
                                  device of those that served it */
    __int128 allowed_ns;       /* of those that completed and have an SLA: their SLAs, */
    __int128 spent_ns;         /* and what they took from arrival to completion */
};

/* Of these, requests of one size that is not the default. */
struct cluster_sized {
    uint64_t arrived, done, completions;
};

/* Fused launches, of the whole run. */
struct cluster_fusion {
    uint64_t launches; /* each of two kernels; those that completed: */
    uint64_t completed;
    uint64_t beyond;  /* of these, with a load ratio above all that were measured */
    uint64_t learned; /* of these, predicted so wrongly that the predictor learned from them */
    double error;     /* sum of |predicted / taken - 1| */
    double error_max;
    double fused_ns;    /* what they took */
    double alone_ns;    /* what their kernels would have taken one after the other */
    uint64_t asked;     /* whether two kernels are to be fused */
    uint64_t oversized; /* of these, denied since an SM has not what a block needs */
};

struct cluster_result {
    struct cluster_app_result *apps; /* apps_count */
    struct cluster_sized *sized;     /* of each form behind apps: part of its application's */
    struct dcs_usage *devices;       /* all devices, domain by domain */
    struct dcs_gpu_usage shared;     /* sums over devices that are shared, without their time */
    double shared_sms;               /* SMs that they have together */
    struct cluster_fusion fusion;
    uint32_t *device_domain;
    uint32_t apps_count, devices_count;
    int64_t first_arrival_ns, last_completion_ns; /* over the whole run; DCS_NEVER, 0 if none */
    /* The window: from warmup, or without a horizon from the first arrival if that is later; to the
     * horizon, or to the last departure. */
    int64_t from_ns, to_ns;
    double mean_in_system; /* time average over the window */
    __int128 area_ns;      /* integral of the number in system = sum of sojourns, exactly */
    uint64_t requests, returned, launches, events; /* of the whole run */
    uint32_t stretches;   /* that the domains were simulated in; 0: all at once; no metric */
    uint64_t revocations; /* inside the window */
    struct dcs_contention_stats contention; /* sums over profiles; no metric */
    /* Without a horizon: requests that nothing would ever serve, the policy forgot them. With one:
     * those that waited at its end although the policy knew of them, a device of their domain
     * idled, and no timer or action of the policy was pending. */
    uint64_t left_waiting;
    struct cluster_job_row *jobs;
    size_t jobs_count;
    struct cluster_request_row *requests_rows;
    size_t requests_rows_count;
    struct cluster_decision_row *decisions; /* in the order in which they were said */
    size_t decisions_count;
    double
        *series; /* spec.series means over equal parts of the horizon, requests; NULL: not kept */
    bool interrupted;
};

/* What is known before a run of the memory that it takes: of its domains with their devices, of its
 * jobs (each at least cluster_job_bytes()), and of the requests of clients without end. */
struct cluster_bytes {
    uint64_t domains, jobs, clients;
};
struct cluster_bytes cluster_bytes(const struct cluster_spec *spec);
uint64_t cluster_job_bytes(void);

/* An empty result of so many applications, with so many forms behind them: nothing has happened. *r
 * is all 0 before; to be released. */
void cluster_result_begin(struct cluster_result *r, uint32_t apps, uint32_t sized);
/* Runs to the end, the same on any number of threads. -1 and err if the policy broke a rule or gave
 * up; *out is then empty. err->path is the option (policy.KEY) of which the policy says that it is
 * why, else empty. */
int cluster_run(const struct cluster_spec *spec, struct cluster_result *out, struct dcs_err *err);

/* Asks the policy whether it takes its options and the devices: calls init of each domain's policy,
 * then fini, and runs nothing. -1 and err, with the path as cluster_run() says, if one refuses. */
int cluster_try_policy(const struct cluster_spec *spec, struct dcs_err *err);
void cluster_result_release(struct cluster_result *r);

#endif
