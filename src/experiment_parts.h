/* experiment_parts.h - what the files of experiment*.c share; for them only. */
#ifndef DCS_EXPERIMENT_PARTS_H
#define DCS_EXPERIMENT_PARTS_H

#include "experiment.h"

/* Reads the traces and checks the models that the workload names. */
int experiment_open_traces(struct experiment *x, const struct options_doc *doc,
                           struct dcs_err *err);
void experiment_close_traces(struct experiment *x);

/* The index of an application that experiment_open has resolved. */
uint32_t experiment_app(const struct experiment *x, const char *name);
/* The applications of the i-th of workload.colocated. */
const struct app_lists *experiment_colocated_lists(const struct experiment *x, size_t i);

/* Resolves the services of the workload, and the SLAs of the applications. */
int experiment_open_services(struct experiment *x, const struct options_doc *doc,
                             struct dcs_err *err);
void experiment_close_services(struct experiment *x);

#endif
