/*
 * sweep_summary.h - the summary of a sweep on standard output: a line for each point. Deterministic
 * text, whatever the order in which points ended.
 */
#ifndef DCS_REPORT_SWEEP_SUMMARY_H
#define DCS_REPORT_SWEEP_SUMMARY_H

#include "runs/summary.h"
#include "config/sweep.h"

#include <stdio.h>

enum report_state { REPORT_MISSING, REPORT_DONE, REPORT_FAILED };

/* What is said of a point. */
struct report_point {
    uint64_t point; /* in the sweep */
    enum report_state state;
    char hash[65];       /* of the experiment; "": it was not opened */
    uint64_t runs, held; /* in all; in the database before */
    bool overloaded;     /* an application of it */
    bool unreached;      /* "until" wants more replications than it allows */
    struct dcs_estimate sla_met, p99, utilisation, throughput; /* latency, latency, all, batch */
};

/* Fills the numbers from a point's summary. */
void report_point_fill(struct report_point *p, const struct summary_row *rows, size_t count);

void report_sweep(FILE *out, const struct sweep *sweep, const struct report_point *points,
                  uint64_t count);
/* For --dry-run: hashes, and what the database holds. */
void report_sweep_plan(FILE *out, const struct sweep *sweep, const struct report_point *points,
                       uint64_t count);

#endif
