/* experiment_parts.h - what the files of experiment*.c share; for them only. */
#ifndef DCS_EXPERIMENT_PARTS_H
#define DCS_EXPERIMENT_PARTS_H

#include "experiment/experiment.h"
#include "experiment/profile_cache.h"

/* Loads the files of each kind of device, and lays out the domains. */
int experiment_open_devices(struct experiment *x, const struct options_doc *doc,
                            struct dcs_err *err);
void experiment_close_devices(struct experiment *x);
/* Where the predictors of a profile are, by its name in the config and its file. Freed by the
 * caller. */
char *experiment_predictors_path(const struct config *c, const char *name, const char *file);

/* Walks everything in the workload that names an application, so that mistakes show before any run.
 */
int experiment_open_applications(struct experiment *x, const struct options_doc *doc,
                                 struct dcs_err *err);
void experiment_close_applications(struct experiment *x);

/* Reads the traces and checks the models that the workload names. */
int experiment_open_traces(struct experiment *x, const struct options_doc *doc,
                           struct dcs_err *err);
void experiment_close_traces(struct experiment *x);

/* Fills in what the config says of an application that was resolved, and checks that it can be
 * served. The application is released on failure. */
int experiment_finish_app(const struct experiment *x, struct dcs_app *app,
                          const struct options_doc *doc, const char *path, struct dcs_err *err);

/* What is wanted of the profile of the next kind: the applications of which some requests may have
 * another size than the default, some more than once. Freed by experiment_free_sized(). */
struct profile_cache_sized *experiment_sized(const struct experiment *x, size_t *count);
void experiment_free_sized(struct profile_cache_sized *sized, size_t count);
/* The sizes at which requests of an application were measured, ascending; fewer than two: there is
 * no choice. Freed by the caller. */
int64_t *experiment_measured_sizes(const struct dcs_spatial *s, uint32_t listed, size_t *count);
/* Whether an input that a config names is the default size alone. */
bool experiment_is_default_input(const char *text);
/* Resolves the inputs of all applications, which are resolved. */
int experiment_open_inputs(struct experiment *x, const struct options_doc *doc,
                           struct dcs_err *err);
void experiment_close_inputs(struct experiment *x);
/* The inputs that were resolved; NULL: the default. */
const struct dcs_input *experiment_input(const struct experiment *x, uint32_t app,
                                         const char *text);

/* The applications of the i-th of workload.colocated. */
const struct app_lists *experiment_colocated_lists(const struct experiment *x, size_t i);
/* What each pair of its applications is worth, in 10^-9, as struct dcs_colocated has it; allocated.
 * NULL and err if the config does not say so of every pair. */
int64_t *experiment_placement(const struct experiment *x, size_t i, struct dcs_err *err);

/* Resolves the services of the workload, and the SLAs of the applications. */
int experiment_open_services(struct experiment *x, const struct options_doc *doc,
                             struct dcs_err *err);
void experiment_close_services(struct experiment *x);

#endif
