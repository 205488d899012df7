/*
 * config.h - what one JSON file says: an experiment. Parsing, validation, canonical form, hash.
 *
 * The tables in config_tables.c are the reference of all keys: parsing, --print-config, --list
 * params and docs/config.md come from them.
 */
#ifndef DCS_CONFIG_H
#define DCS_CONFIG_H

#include "des/base.h"
#include "options/options.h"
#include "policies/policy.h"

/* From PREDICTOR_TRAINED on: a method of dcs_methods or dcs_methods_cpu, or the best for CPUs. */
enum config_predictor {
    PREDICTOR_MEAN,
    PREDICTOR_CLAIRVOYANT,
    PREDICTOR_TRAINED,
    PREDICTOR_BEST = 9
};
extern const char *const config_predictors[]; /* as the config calls them; NULL-ended */
/* Who says how much kernels are slowed: nobody, what dcsim train has made, or a network of random
 * weights. */
enum config_slowdowns { SLOWDOWNS_NONE, SLOWDOWNS_TRAINED, SLOWDOWNS_UNTRAINED };
enum config_sharing_model {
    SHARING_WHOLE,
    SHARING_SPATIAL,
    SHARING_CPU,
    SHARING_DIVISIBLE,
    SHARING_SM
};
enum config_warmup { WARMUP_FIXED, WARMUP_MSER5 };
enum config_interval { INTERVAL_AUTO, INTERVAL_MEAN, INTERVAL_MEDIAN };

struct config_group {
    int64_t domains, devices, cpu_threads;
    char *profile;
};

/* Nodes that are alike, of a cluster that runs whole jobs (config_gangs.h). */
struct config_nodes {
    int64_t nodes, gpus;
    char *model;
};

/* By what a whole job may revoke another. */
enum config_ranks { RANKS_NONE, RANKS_CLASS, RANKS_PRIORITY };

struct config_queue {
    int order;     /* enum gang_order */
    int placement; /* of gang_placements */
    int64_t depth;
    bool across_nodes;
    int misfits;    /* 0: refuse them, 1: leave them out */
    int revocation; /* enum config_ranks */
    int64_t checkpoint_ns;
};

struct config_cluster {
    int64_t domains, devices, cpu_threads;
    int router;               /* enum cluster_router */
    struct param_list groups; /* struct config_group */
    struct param_list nodes;  /* struct config_nodes */
    struct config_queue queue;
};

/* In place of a time: what the profile has measured. */
#define CONFIG_SWITCH_MEASURED (-1)
#define CONFIG_CHARGE_MEASURED (-1) /* of config_scheduler.callback_ns */
#define CONFIG_CHARGE_AUTO     (-2) /* where it has; 0 once parsed, where no GPU is shared */

struct config_sharing {
    int model; /* enum config_sharing_model */
    bool contention, noise, profile_uncertainty;
    int64_t quota_switch_ns; /* or CONFIG_SWITCH_MEASURED */
    int64_t step_sms;
    int resize_at;    /* enum dcs_gpu_moves */
    int blocks_leave; /* enum dcs_sm_leave */
    double context_gbs;
};

struct config_fusion {
    int match;  /* enum dcs_fusion_match */
    int decide; /* enum dcs_fusion_choice */
};

struct config_revocation {
    int mechanism;                                /* enum dcs_revocation_mechanism */
    double kill_ms, start_ms, clear_ms, spawn_ms; /* below 0: as measured */
    int64_t threads;
};

struct config_checkpoint {
    int64_t interval_ns, cost_ns;
};

struct config_scheduler {
    int64_t callback_ns, predict_ns, fusion_candidate_ns, fusion_round_ns;
    double scale, fusion_cost_scale;
    int instant; /* enum cluster_instant */
};

/* Parts of the horizon over which MSER-5 sees the number in the system: 200 batches of five. */
#define CONFIG_SERIES 1000

struct config_horizon {
    int64_t duration_ns, warmup_ns;
    int warmup_rule; /* enum config_warmup */
};

struct config_service_time {
    int distribution;
    int64_t mean_ns;
    double shape;
    int64_t upper_ns;
};

/* What a config's application takes on devices of a profile, in times of what it says. */
struct config_factor {
    char *profile;
    double factor;
};

struct config_application {
    char *name;
    int class;
    int64_t sla_ns;
    double memory_mb;
    int64_t kernels;
    struct config_service_time service;
    struct param_list factors; /* struct config_factor */
};

/* An application that is a program of the profile's divisible work, at one size. */
struct config_divisible {
    char *name, *program; /* program "": the name */
    int64_t iterations;   /* 0: the largest size */
};

/* An application that is a kernel inside SMs. */
struct config_resident {
    char *name, *kernel; /* kernel "": the name */
    int64_t alone_ns;
    double goal; /* 0: none */
};

struct config_arrivals {
    int process;
    double rate_per_s;
    double scv;
    double rate_high_per_s, rate_low_per_s;
    int64_t stay_high_ns, stay_low_ns;
    char *daily_per_s; /* 24 numbers with commas */
    int64_t day_ns;
    double batch_mean;
    double fraction_of_peak, peak_quantile; /* of services */
};

struct config_service {
    char *application;
    char *input; /* models/workload/inputs.h */
    struct config_arrivals arrivals;
    int64_t sla_ns;
    double sla_factor;
    int64_t domain; /* -1: any */
    int64_t queue_limit;
    bool drop_late;
    int64_t requests;
    int64_t begin_ns;
};

struct config_batch {
    char *application;
    char *input;
    int64_t clients;
    int64_t think_ns;
    int64_t requests;
    int64_t begin_ns;
    int64_t domain; /* -1: any */
};

struct config_colocated {
    char *services, *batch;
    char *service_input, *batch_input;
    int64_t batch_per_domain, domains_per_service;
    int64_t clients, batch_clients;
    int placement; /* 0 random, 1 hungarian */
    char *placement_values;
    int64_t sla_ns;
    double sla_factor;
    double fraction_of_peak, peak_quantile;
};

struct config_trem {
    int64_t jobs;
    double user_fraction;
    int64_t user_duration_ns, batch_duration_ns;
    double pareto_shape;
    int64_t outstanding;
    int64_t user_tasks, batch_tasks;
    double load;
    int load_basis;
    int64_t load_devices;
    int64_t sla_ns;
    char *user_applications, *batch_applications;
};

/* How a trace, recorded or generated, is replayed: the keys that both sections share. */
struct config_replay {
    double time_compression, duration_compression;
    double load;
    int64_t outstanding;
    int mapping; /* 0 random, 1 by_size */
    int64_t sla_ns;
    char *user_applications, *batch_applications;
};

struct config_trace {
    char *database;
    int as; /* 0 applications, 1 gangs */
    int64_t from_ns, until_ns;
    int status; /* 0 all, 1 success */
    bool early, censored;
    double keep;
    double latency_fraction;
    struct config_replay replay;
};

struct config_duration {
    int distribution;
    int64_t mean_ns, scale_ns, median_ns;
    double sigma, shape;
    int64_t tail_from_ns;
    double tail_shape, tail_fraction;
    int64_t upper_ns;
};

struct config_job_class {
    double fraction; /* latency only */
    struct config_duration duration;
    char *gpus; /* "1:0.9,2:0.1" */
};

struct config_jobs {
    int64_t jobs;
    struct config_arrivals arrivals;
    struct config_job_class latency, batch;
    struct config_replay replay;
};

struct config_workload {
    struct param_list services;  /* struct config_service */
    struct param_list batch;     /* struct config_batch */
    struct param_list trem;      /* struct config_trem */
    struct param_list trace;     /* struct config_trace */
    struct param_list jobs;      /* struct config_jobs */
    struct param_list colocated; /* struct config_colocated */
};

struct config_until {
    char *metric;                /* "": nothing is added */
    double half_width, relative; /* one is above 0 */
    int64_t batch, max_replications;
};

/* Of an application: what share of a device it is meant to have beside the others. */
struct config_weight {
    char *application;
    double weight;
};

struct config_fairness {
    bool metrics;
    struct param_list weights; /* struct config_weight */
};

struct config_outputs {
    char *database;
    bool requests, jobs, decisions, launches;
    int64_t interval_ns; /* of bins; 0: none are kept */
};

struct config {
    char *name, *description;
    int64_t seed;
    int64_t replications;
    struct config_until until;
    char *profile;
    struct config_cluster cluster;
    struct config_sharing sharing;
    struct config_fusion fusion;
    struct config_revocation revocation;
    struct config_checkpoint checkpoint;
    int predictor, slowdowns;
    char *predictors; /* file; "": where dcsim train puts it */
    struct config_scheduler scheduler;
    struct config_horizon horizon;
    int interval;
    struct param_list applications; /* struct config_application */
    struct param_list divisible;    /* struct config_divisible */
    struct param_list resident;     /* struct config_resident */
    struct config_workload workload;
    struct config_fairness fairness;
    struct config_outputs outputs;

    const struct policy *policy; /* not owned */
    const struct plugin *plugin; /* of the policy; not owned; NULL: the policy is built in */
    bool driven;         /* it runs on a GPU that really runs; no key: whoever runs it says so */
    void *policy_params; /* parsed by the policy's table; owned */
    char *folder;        /* of the config file, for relative paths; "." for standard input */
};

struct plugins; /* plugin.h */

/* Parses and checks everything that needs no other file. policy.name chooses among the policies
 * that are built in and the plug-ins (NULL: none). A single plug-in is the policy also where
 * policy.name is missing, or is what the file says and nobody has set. -1 and err on failure; *c is
 * then released. Safe from several threads with the same plug-ins. */
int config_parse(struct config *c, const struct options_doc *doc, struct plugins *plugins,
                 struct dcs_err *err);
/* Whether a config can have a key, lists of any length: -1 and err, with the nearest one, if not.
 */
int config_check_path(const struct options_doc *doc, const char *path, struct dcs_err *err);
/* Reads the keys that are there, but for those of the policy, and does not check whether they make
 * an experiment. */
int config_read(struct config *c, const struct options_doc *doc, struct dcs_err *err);
void config_release(struct config *c);

/* The canonical form: all keys, defaults included, as JSON that parses to the same config. Keys
 * that cannot change a result (outputs, name, description, where the predictors lie) are left out
 * for the hash. Freed by the caller. */
char *config_print(const struct config *c);
/* SHA-256 (hex) of the canonical form without those keys. out: 65 bytes. */
void config_hash(const struct config *c, char out[65]);

/* The reference of all keys in Markdown, options of policies and plug-ins included. Freed by the
 * caller. */
char *config_document(const struct plugins *plugins);
/* The same as a JSON Schema (draft 7). It says what one key may hold; rules of several keys are
 * config_parse's alone. Freed by the caller. */
char *config_schema(const struct plugins *plugins);

#endif
