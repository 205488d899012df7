/*
 * capacity_look.h - whether an experiment keeps a bound: its replications, and more of them, until
 * the interval of the metric lies on one side of the bound.
 */
#ifndef DCS_CAPACITY_LOOK_H
#define DCS_CAPACITY_LOOK_H

#include "commands/capacity_search.h"
#include "commands/capacity_told.h"
#include "experiment/profile_cache.h"
#include "runs/metric_name.h"
#include "results/store.h"

/* What is the same for every look. */
struct capacity_bound {
    const char *metric;
    bool
        each_service; /* the metric is of each latency application with an SLA, the worst decides */
    bool at_least;    /* else at most */
    struct metric_value bound;
    const char *unit; /* of the metric; set by the first look */
};

struct capacity_bounds {
    struct capacity_bound all[CAPACITY_BOUNDS_MAX];
    size_t count;
    double confidence;
    uint32_t most; /* replications */
};

struct capacity_looks {
    struct capacity_bounds *bounds;
    const struct options_doc *doc; /* the config */
    const char *vary;              /* paths that get a value, with commas, or "load": see below */
    struct plugins *plugins;       /* of --policy */
    struct profile_cache *files;
    struct store *store; /* NULL: nothing is kept */
    uint32_t threads;
    struct run_watch *watch;
    const char *counted; /* what the first bound's metric counts of what arrived, "ended"; NULL: no
                            such thing */
    size_t services;     /* with each_service: the most that a look had */
    struct capacity_told told; /* what the runs warn of */
    /* Clients of workload.batch, the least and the most of all looks; few_clients: some look had
     * more devices than clients. */
    int64_t clients_least, clients_most;
    bool few_clients;
    bool says; /* on standard error, what is being tried: a line was begun for this look */
};

/*
 * Runs the config with this value. Replications begin with those of the config (at least 2, of the
 * replay of a trace 2 for 1) and double until the interval decides, or there are `most`; what is
 * seen does not depend on what the store holds. A value of "load" multiplies the load of everything
 * that has one: rates and fraction_of_peak of services, load of trem, trace and jobs,
 * fraction_of_peak of colocated. A metric that counts too little of what arrived
 * (metric_counts_enough()) is not kept, nor is anything at a value that is overloaded (overload.h;
 * dropped requests are the bounds' own affair, and many inside at the end are none) or that left a
 * tenth of the work undone. Of runs that are all alike the value decides. -1 and err on failure,
 * and where the watch has been told to stop.
 */
int capacity_look(void *looks, double value, struct capacity_point *out, struct dcs_err *err);

/* Whether the config with this value is one; runs nothing. looks: as of capacity_look(). -1 and
 * err: it is none. */
int capacity_check(const struct capacity_looks *looks, double value, struct dcs_err *err);

/* How a value stands in a config. */
struct capacity_text {
    char at[64];
};
struct capacity_text capacity_value(double value);

#endif
