/*
 * run_summary.h - the summary that a person reads, on standard output: deterministic text.
 */
#ifndef DCS_REPORT_RUN_SUMMARY_H
#define DCS_REPORT_RUN_SUMMARY_H

#include "experiment/experiment.h"
#include "runs/summary.h"
#include "text/table.h"

#include <stdio.h>

/* wanted: replications asked for; held: found in the database; missing: not run (interrupted). */
struct report_runs {
    uint64_t wanted, held, run, missing;
};
void report_print(FILE *out, const struct experiment *x, const struct summary *summary,
                  const struct summary_row *rows, size_t count,
                  const struct dcs_replay_counts *replay, const struct report_runs *runs);

/* "measured on NVIDIA H200 GPU-d0ad298d-...", of a driven experiment. */
struct text report_measured(const struct experiment_gpu *gpu);

/* "elastic (revocation=true)": a policy with the options that differ from their defaults. Freed by
 * the caller. */
char *report_policy_text(const struct config *c);

#endif
