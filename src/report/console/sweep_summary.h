/*
 * sweep_summary.h - the summary of a sweep on standard output: a line for each point, or, of many
 * points, for each value of each axis. Deterministic text, whatever the order in which points
 * ended.
 */
#ifndef DCS_REPORT_SWEEP_SUMMARY_H
#define DCS_REPORT_SWEEP_SUMMARY_H

#include "runs/summary.h"
#include "config/sweep.h"
#include "text/table.h"

#include <stdio.h>

enum report_state { REPORT_MISSING, REPORT_DONE, REPORT_FAILED };

/* What is said of a point. */
struct report_point {
    uint64_t point; /* in the sweep */
    enum report_state state;
    char hash[65];            /* of the experiment; "": it was not opened */
    uint64_t runs, held;      /* in all; in the database before */
    bool overloaded;          /* an application of it */
    bool has_sla;             /* of a service of it a verdict is known */
    bool violates;            /* a service of it violates its SLA, which may be infeasible */
    bool undecided;           /* no service does, and for one that is open */
    bool unreached;           /* "until" wants more replications than it allows */
    const char *hypothetical; /* as experiment_hypothetical() has it */
    char policy[64];          /* its name */
    struct dcs_estimate sla_met, p99, utilisation, throughput; /* latency, latency, all, batch */
    bool gangs; /* it is of whole jobs, which have these numbers alone */
    struct dcs_estimate allocation, wait_mean, wait_p95, slowdown_p95, lost_work, jobs_left;
};

/* Fills the numbers from the summary of a point's experiment. */
void report_point_fill(struct report_point *p, const struct experiment *x,
                       const struct summary_row *rows, size_t count);

/* A line for each point. */
void report_sweep(FILE *out, const struct sweep *sweep, const struct report_point *points,
                  uint64_t count);
/* The same of whole jobs, whatever their number. */
bool report_sweep_of_gangs(const struct report_point *points, uint64_t count);
void report_sweep_gangs(FILE *out, const struct sweep *sweep, const struct report_point *points,
                        uint64_t count);
/* So many lines of points still fit a terminal, with what is said around them. */
#define SWEEP_POINTS_SHOWN 32
/* In place of a line for each point, whatever their number: a line for each value of each axis,
 * over all points that have it, and totals; at most 40 lines for up to four axes. Lines of values
 * beside each other that say the same are one. In sweep_groups.c. */
void report_sweep_groups(FILE *out, const struct sweep *sweep, const struct report_point *points,
                         uint64_t count);
/* Which policies' points ran on devices that no real ones can be; nothing, if none did. */
void report_sweep_hypothetical(FILE *out, const struct report_point *points, uint64_t count);
/* Text at the right end of a column of so many characters. */
void report_cell(FILE *out, struct text cell, int width);
/* Names the sweep and its axes. */
void report_sweep_title(FILE *out, const struct sweep *sweep, uint64_t count);
/* For --dry-run: hashes, and what the database holds. */
void report_sweep_plan(FILE *out, const struct sweep *sweep, const struct report_point *points,
                       uint64_t count);

#endif
