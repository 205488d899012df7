/*
 * compare_groups.h - which experiments of a results database can be compared, and with what.
 *
 * Systems are experiments; those whose canonical configs and input files are the same but for the
 * keys that were named form a group: they met the same worlds, replication by replication. What
 * cannot change a result (name, description, outputs, replications) is never looked at. Of input
 * files, those that a named key chooses may differ: plug-ins with policy, predictors with
 * predictor, profiles with profile and cluster, traces with workload. What another version of the
 * model simulated (DCS_MODEL_VERSION) is another world, whatever its config says. What was measured
 * on a real GPU stands beside what was simulated of the same world.
 */
#ifndef DCS_COMPARE_GROUPS_H
#define DCS_COMPARE_GROUPS_H

#include "results/results_db.h"

struct compare_system {
    int64_t id;
    char *hash, *name, *policy;
    char *world;            /* what it shares with its group */
    char *label;            /* what tells it from the others of its group */
    int model;              /* DCS_MODEL_VERSION; 0: not known */
    bool median;            /* its intervals are those of medians */
    bool gangs;             /* of whole jobs */
    bool even;              /* whole jobs of which nothing is drawn: no run differs from another */
    bool overloaded;        /* an application of it, by its summary */
    double unfinished;      /* share of the work due that was not done, likewise; NaN: not known */
    char *gpu;              /* that its runs were measured on; "": they were simulated */
    char *hypothetical;     /* key by which its devices do what no real one can; "": none */
    char *builds;           /* of the program that made its runs: one build, or first and last */
    uint32_t *replications; /* ascending */
    double *values;         /* of the metric; NaN: it has none */
    bool unreached; /* the metric is a quantile or a longest time that the end of a run cut off */
    double least;   /* if so: what its summary says that it exceeds; NaN: not known */
    double counted,
        of;       /* of a mean of times: of how many of those that arrived it is; 0: neither */
    bool partial; /* it lacks too many to be compared (compare_groups.c) */
    size_t runs, capacity;
};

struct compare_group {
    struct compare_system **systems; /* by label */
    size_t count;
    char *heading; /* what tells the group from others; "" if there are no others */
};

struct compare_groups {
    struct compare_system *systems;
    size_t systems_count;
    struct compare_group *groups;
    size_t count;
};

/* What is compared, resolved by compare_metric(). */
struct compare_metric {
    char *name;        /* in table metric */
    char *application; /* or NULL */
    const char *class; /* static text, or NULL: of the whole run, or of an application */
    char *unit;
    bool complement; /* 1 - value is meant: sla_violation */
};

/* "sla_met", "latency.sla_met", "batch.throughput", "resnet50.response_p99". Without a class or an
 * application: of the whole run where it has such a number, else of the latency requests, else of
 * the batch requests. -1 and err with the nearest name, or with what the metric is of, where no run
 * has it of that class or application. */
int compare_metric(const struct results *r, const char *text, struct compare_metric *out,
                   struct dcs_err *err);
void compare_metric_release(struct compare_metric *m);

/* A path of SQLite's JSON functions as a config's user writes it: they begin with "$." and put some
 * keys into quotes. Freed by the caller. */
char *compare_plain_key(const char *path);

/* keys: paths in the config, e.g. "policy", "cluster.devices". metric NULL: no values yet. */
int compare_groups_read(struct compare_groups *g, const struct results *r, const char *const *keys,
                        size_t keys_count, const struct compare_metric *metric,
                        struct dcs_err *err);
/* Reads the values of another metric, in place of the present ones. */
int compare_groups_values(struct compare_groups *g, const struct results *r,
                          const struct compare_metric *metric, struct dcs_err *err);
void compare_groups_release(struct compare_groups *g);

#endif
