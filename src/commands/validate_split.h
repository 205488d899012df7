/*
 * validate_split.h - dcsim validate PROFILE --split: simulates the requests that policies divided
 * over a real CPU and GPU (table split_run of the profile), and says for each policy and program
 * how far the simulation is off, and how often it names the policy that was the fastest.
 */
#ifndef DCS_VALIDATE_SPLIT_H
#define DCS_VALIDATE_SPLIT_H

#include "des/base.h"

/* path: of the profile; csv: new file, NULL: none. -1 and err: it has no such requests, or one
 * cannot be simulated. */
int validate_split(const char *path, const char *csv, struct dcs_err *err);

#endif
