/* experiment_parts.h - what the files of experiment*.c share; for them only. */
#ifndef DCS_EXPERIMENT_PARTS_H
#define DCS_EXPERIMENT_PARTS_H

#include "experiment/experiment.h"
#include "experiment/profile_cache.h"

/* The kinds of devices as models and engine take them: arrays by kind. experiment_devices.c fills
 * them; whoever asks about a single kind asks x->kind. */
struct experiment_devices {
    struct profile_cache *cache;     /* own_cache, or borrowed */
    struct profile_cache *own_cache; /* NULL: borrowed */
    struct dcs_profile **profiles;
    uint64_t *memory_bytes, *devices;
    uint32_t *sms;
    const struct dcs_spatial **spatial;       /* NULL: devices are not GPUs that are shared */
    const struct dcs_cpu **cpu;               /* NULL: devices are not CPUs */
    const struct dcs_divisible **divisible;   /* NULL: work is not divided */
    const struct dcs_sm **sm;                 /* NULL: SMs are not shared by blocks */
    const struct dcs_predictors **predictors; /* NULL: nothing trained is asked of GPUs */
    const struct dcs_cpu_predictors **cpu_predictors; /* NULL: nothing trained is asked of CPUs */
    const struct dcs_slowdowns **slowdowns; /* NULL: nobody says how much kernels are slowed */
    const double **noise; /* NULL: durations do not vary; of a kind, NULL: not measured */
};

/* Loads the files of each kind of device, and lays out the domains. files: the cache that they are
 * read through; NULL: one that x owns. */
int experiment_open_devices(struct experiment *x, struct profile_cache *files, struct dcs_err *err);
void experiment_close_devices(struct experiment *x);
/* The longest that the profiles have measured of the policy's callbacks, if the config takes it;
 * -1: it does not, or one has not measured it. */
int64_t experiment_measured_charge(const struct experiment *x);
/* Where the predictors of a profile are, by its name in the config and its file. Freed by the
 * caller. */
char *experiment_predictors_path(const struct config *c, const char *name, const char *file);

/* experiment_divisible.c: a program of the profiles as an application; name: of config.divisible,
 * or of a program. -1 and err: there is none, or it cannot be used. */
int experiment_divisible_app(const struct experiment *x, const char *name, const char *path,
                             struct dcs_app *out, struct dcs_err *err);

/* experiment_resident.c: likewise a kernel inside SMs; name: of config.resident, or of a kernel. */
int experiment_resident_app(const struct experiment *x, const char *name, const char *path,
                            struct dcs_app *out, struct dcs_err *err);

/* The applications that a generator draws from. */
struct app_list {
    uint32_t *apps; /* indices */
    size_t count;
};
struct app_lists {
    struct app_list of_class[2]; /* by enum dcs_class */
};

/* Resolves every application that the workload names, so that mistakes show before any run. */
int experiment_open_applications(struct experiment *x, struct dcs_err *err);
void experiment_close_applications(struct experiment *x);
/* What share of a device each application is meant to have, after all are resolved. */
int experiment_open_weights(struct experiment *x, struct dcs_err *err);
void experiment_close_weights(struct experiment *x);
/* The applications of the i-th of workload.trem, of the i-th that is replayed
 * (experiment_replay()), and of the i-th of workload.colocated. */
const struct app_lists *experiment_trem_lists(const struct experiment *x, size_t i);
const struct app_lists *experiment_replay_lists(const struct experiment *x, size_t i);
const struct app_lists *experiment_colocated_lists(const struct experiment *x, size_t i);
/* Adds the requests of another size of an application of the profiles. Its index; -1 and err if
 * they cannot be served. */
int64_t experiment_add_size(struct experiment *x, uint32_t app, int64_t size, const char *path,
                            struct dcs_err *err);

/* Reads the traces and checks the models that the workload names. */
int experiment_open_traces(struct experiment *x, struct dcs_err *err);
void experiment_close_traces(struct experiment *x);
/* The arrivals that a config describes. -1 and err if they make no process. */
int experiment_arrivals(const struct config_arrivals *a, struct dcs_arrivals_spec *out,
                        struct dcs_err *err);

/* The applications whose requests may have other sizes than the default, with these sizes, as the
 * profile of the next kind is to have them; some stand there more than once. Freed by
 * experiment_free_sized(). */
struct profile_cache_sized *experiment_sized(const struct experiment *x, size_t *count);
void experiment_free_sized(struct profile_cache_sized *sized, size_t count);
/* The sizes at which requests of an application were measured, ascending; fewer than two: there is
 * no choice. Freed by the caller. */
int64_t *experiment_measured_sizes(const struct dcs_spatial *s, uint32_t listed, size_t *count);
/* Whether an input that a config names is the default size alone. */
bool experiment_is_default_input(const char *text);

/* Resolves the inputs of all applications, after these are resolved. */
int experiment_open_inputs(struct experiment *x, struct dcs_err *err);
void experiment_close_inputs(struct experiment *x);
/* An input of an application, by its text in the config; NULL: the default. */
const struct dcs_input *experiment_input(const struct experiment *x, uint32_t app,
                                         const char *text);

/* What each pair of applications of the i-th of workload.colocated is worth, in 10^-9, as struct
 * dcs_colocated has it; allocated. NULL and err if the config does not say so of every pair. */
int64_t *experiment_placement(const struct experiment *x, size_t i, struct dcs_err *err);

/* In place of devices, applications and services: nodes, and the jobs of the trace as gangs. */
int experiment_open_gangs(struct experiment *x, struct dcs_err *err);
void experiment_close_gangs(struct experiment *x);

/* Resolves the services of the workload, and the SLAs of the applications. */
int experiment_open_services(struct experiment *x, struct dcs_err *err);
void experiment_close_services(struct experiment *x);

#endif
