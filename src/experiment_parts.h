/* experiment_parts.h - what the files of experiment*.c share; for them only. */
#ifndef DCS_EXPERIMENT_PARTS_H
#define DCS_EXPERIMENT_PARTS_H

#include "experiment.h"

/* Reads the traces and checks the models that the workload names. */
int experiment_open_traces(struct experiment *x, const struct options_doc *doc,
                           struct dcs_err *err);
void experiment_close_traces(struct experiment *x);

#endif
