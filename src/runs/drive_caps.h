/* drive_caps.h - which clients of MPS a real GPU is driven with. */
#ifndef DCS_RUNS_DRIVE_CAPS_H
#define DCS_RUNS_DRIVE_CAPS_H

#include "des/base.h"
#include "experiment/experiment.h"
#include "runs/drive_link.h"

/* Fills in the caps of each form; -1 and err: more clients than a GPU takes. */
int drive_ask_for_caps(struct drive_link *l, const struct experiment *x, struct dcs_err *err);

#endif
