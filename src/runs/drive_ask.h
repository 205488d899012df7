/* drive_ask.h - whether an experiment can be driven on a real GPU, and what it needs there. */
#ifndef DCS_RUNS_DRIVE_ASK_H
#define DCS_RUNS_DRIVE_ASK_H

#include "des/base.h"
#include "experiment/experiment.h"
#include "runs/drive_link.h"

/* Whether it can be driven at all. -1 and err. */
int drive_check_experiment(const struct experiment *x, struct dcs_err *err);
/* What the GPU is to the engine: by whether the policy is told to revoke, and how. */
const struct device_kind *drive_device(const struct experiment *x);
/* Fills in what the device's side is asked for; without which applications are to be checked.
 * -1 and err. */
int drive_ask(struct drive_link *l, const struct experiment *x, const struct cluster_spec *spec,
              struct dcs_err *err);

#endif
