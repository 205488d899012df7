/*
 * experiment.h - from a config to what the engine runs: loads profiles and traces, resolves what
 * the config names, and draws the workload of each replication. runs/replication.h runs one.
 */
#ifndef DCS_EXPERIMENT_H
#define DCS_EXPERIMENT_H

#include "engine/device_kind.h"
#include "config/config.h"
#include "models/profile/profile.h"
#include "models/workload/trace.h"

/* Goes up with every change that can change a result. A database holds the runs of two versions as
 * different experiments, and never mixes them. */
#define DCS_MODEL_VERSION 27

struct profile_cache; /* profile_cache.h */

/* A service, resolved: an element of workload.services, or a service that an element of
 * workload.colocated names. */
struct experiment_service {
    uint32_t app;
    const struct dcs_input *input; /* NULL: the default size */
    int64_t alone_ns;              /* mean of a request alone on a whole device of the first kind */
    bool colocated;
    size_t entry;                   /* in workload.services or workload.colocated */
    uint32_t first_domain, domains; /* that serve it */
    uint64_t devices;               /* of these domains */
    int64_t sla_ns;                 /* 0 = none */
    double peak_quantile;
    double peak_per_s;            /* of one device (models/workload/peak.h); 0: not asked for */
    double rate_per_device_per_s; /* if it follows from the peak, else 0 */
    double rate_per_s;            /* mean over time, of all its jobs together */
    struct dcs_arrivals_spec arrivals; /* of workload.services */
};

/* A GPU that runs were measured on (runs/drive.h). */
struct experiment_gpu {
    char device[128]; /* its name; "": none */
    char uuid[64];    /* "": it is played by a clock */
};

/* A file that was read, as the results name it. */
struct experiment_file {
    char *name;
    char sha256[65];
};

/* A kind of device: all that have the same profile. */
struct experiment_kind {
    char *name; /* of the profile, as the config calls it */
    struct dcs_profile *profile;
    const struct dcs_spatial *spatial; /* of a GPU that kernels share; else NULL */
    const char *falls_back;            /* dcs_spatial_falls_back() */
    struct experiment_file predictors; /* name NULL: nothing trained is asked */
    uint64_t devices;                  /* that are of this kind */
};

struct experiment {
    const struct config *config;   /* borrowed */
    const struct options_doc *doc; /* borrowed: places in errors */
    char config_hash[65];          /* config_hash() */
    char hash[65];    /* of model version, config hash, files and plug-in: names the experiment in
                         results */
    bool heavy_tails; /* intervals are medians with bootstrap */
    bool steady;      /* there is a horizon: an open or endless world */
    struct experiment_gpu gpu; /* config.driven: its runs are on this one; "": on any */

    const struct device_kind *device_kind; /* what devices are (engine/device_kind.h) */
    struct experiment_kind *kind;
    uint32_t kinds;
    struct cluster_domain *domains;
    uint32_t domains_count;
    uint32_t devices_count;

    /* The applications that the workload uses, in the order of first use; then one for each other
     * size of their requests than the default. */
    struct dcs_app *apps;
    uint32_t apps_count, sized_count;
    int64_t *app_sla_ns; /* by application; 0: its requests have none, or not all the same */
    double *app_weight;  /* by application: its share of a device, together 1 */
    struct experiment_service *services; /* of workload.services, then workload.colocated */
    size_t services_count;
    struct dcs_trace *traces; /* one for each workload.trace */
    size_t traces_count;

    /* For src/experiment alone; each belongs to the file that is named. */
    struct experiment_devices *devices; /* experiment_devices.c */
    struct dcs_names *app_names;        /* experiment_apps.c: of the first apps_count */
    struct app_lists *lists;            /* experiment_apps.c */
    struct experiment_inputs *inputs;   /* experiment_inputs.c */
    struct dcs_trace_model *models;     /* experiment_trace.c */
    struct experiment_gangs *gangs;     /* experiment_gangs.c; NULL: no whole jobs */
};

/* What is not known of a kind of devices that are shared GPUs or share requests, and what stands in
 * for it, as a text that the caller frees; first what no device of the kind can, in these words.
 * NULL: all is known, or devices are others. */
#define EXPERIMENT_HYPOTHETICAL "HYPOTHETICAL device"
char *experiment_assumptions(const struct experiment *x, uint32_t kind);
/* What a profile has measured of each callback of the policy, in ns, where the config charges none;
 * else 0. */
int64_t experiment_uncharged_ns(const struct experiment *x);
/* The config's key that lets devices do what no real device can, where the policy may make use of
 * it; NULL: there is none. */
const char *experiment_hypothetical(const struct experiment *x);
/* What such devices do that no GPU can, by that key: a clause about them. */
const char *experiment_hypothetical_does(const char *key);
/* Whether its policy is told the medians that times of divisible work are drawn from, or what was
 * drawn: a bound, not something that can be built. */
bool experiment_knows_medians(const struct experiment *x);
/* Whether a CPU and a GPU may share a request; and how far such requests are off real ones
 * (docs/validation/cap.md). */
#define EXPERIMENT_SHARED                                                                          \
    "requests that an H200 and 16 cores shared were 16 % off real ones in the mean, under cap, "   \
    "split-even, split-quick and split-static (docs/validation/cap.md)"
bool experiment_shares_requests(const struct experiment *x);
/* How much of what an application costs others, and they it, was measured, is guessed and is not
 * known on such devices, in percent of its kernels' time alone, by enum dcs_contention_origin; of
 * the default size and of those that are drawn, the one that was measured least. False: all was
 * measured, or nothing is to be known. */
bool experiment_contention(const struct experiment *x, uint32_t kind, uint32_t app, int percent[3]);

/* Loads and checks everything that the config names, and whether the policy takes its options. x
 * borrows the config and `doc`, which has the places in errors. */
int experiment_open(struct experiment *x, const struct config *config,
                    const struct options_doc *doc, struct dcs_err *err);
/* The same with a cache of files that other experiments use as well, and that outlives them. Safe
 * from several threads, each with its own x, config and doc. */
int experiment_open_with(struct experiment *x, const struct config *config,
                         const struct options_doc *doc, struct profile_cache *files,
                         struct dcs_err *err);
void experiment_close(struct experiment *x);

/* Which DCS_MODEL_VERSION gave an experiment in a database its hash; 0: none that is known. files:
 * a line "KIND SHA256" for each file that it read, by kind (profile, predictors, trace) and
 * position, then the line of the plug-in ("plugin " without one), then "driven" if it was measured
 * on a real GPU. */
int experiment_model(const char *hash, const char *config_hash, const char *files);

/* The index of an application that the workload names. */
uint32_t experiment_app(const struct experiment *x, const char *name);

/* How many of workload.trace and workload.jobs there are, and how the i-th of both, in this order,
 * is replayed. */
size_t experiment_replays(const struct experiment *x);
const struct config_replay *experiment_replay(const struct experiment *x, size_t i);

/* Which keys keep how many jobs of the traces out of all runs, and that a part of the jobs is drawn
 * where that lowers the load: a line for each. NULL: none. Freed by the caller. */
char *experiment_left_out(const struct experiment *x);
char *experiment_thinned(const struct experiment *x);

/* The workload of one replication. counts: one for each of workload.trace, then of workload.jobs,
 * or NULL. The caller releases it. */
int experiment_workload(const struct experiment *x, uint32_t replication, struct dcs_workload *out,
                        struct dcs_replay_counts *counts, struct dcs_err *err);

/* The spec of a run: of a replication, whose workload is given. */
void experiment_spec(const struct experiment *x, uint32_t replication,
                     const struct dcs_workload *workload, struct cluster_spec *out);

/* Gives an error of the engine, which may have a path in the config, the line of that path. If it
 * has no path, that of `otherwise`; NULL: the error stays as it is. Returns -1. */
int experiment_place(const struct experiment *x, const char *otherwise, struct dcs_err *err);

#endif
