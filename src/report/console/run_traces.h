/*
 * run_traces.h - what became of a trace, or of the jobs drawn in its place, that a run replays.
 */
#ifndef DCS_REPORT_RUN_TRACES_H
#define DCS_REPORT_RUN_TRACES_H

#include "experiment/experiment.h"

#include <stdio.h>

/* i: traces of the experiment first, then its models. replayed: NULL if no run counted. */
void report_trace(FILE *out, const struct experiment *x, size_t i,
                  const struct dcs_replay_counts *replayed);
/* Warns of jobs of traces that no run sees. */
void report_left_out(FILE *out, const struct experiment *x);

#endif
