/*
 * warmup.h - simulates a run with the warm-up that its config asks for.
 *
 * With warmup_rule "mser5" the run is simulated whole, keeping the number in the system over equal
 * parts of the horizon; MSER-5 says how many of them to leave out, and the same run is simulated
 * again with that as its warm-up, if it is not 0. So everything that is measured is measured as
 * with any other warm-up, at twice the cost. Each run has its own.
 */
#ifndef DCS_RUNS_WARMUP_H
#define DCS_RUNS_WARMUP_H

#include "experiment/experiment.h"

/* As cluster_run(); sets the warm-up of the spec. */
int warmup_simulate(const struct experiment *x, struct cluster_spec *spec,
                    struct cluster_result *out, struct dcs_err *err);

#endif
