/*
 * cpu_counters.h - instructions, cycles and misses of the last-level cache of a team's threads, in
 * user mode, by perf_event_open(2), where the kernel and the processor offer them.
 */
#ifndef DCS_CALIBRATE_CPU_COUNTERS_H
#define DCS_CALIBRATE_CPU_COUNTERS_H

#include "calibrate/cpu/cpu_app.h"

/* Of all threads together; NAN: not counted. */
struct cal_cpu_counts {
    double instructions, cycles, llc_misses;
};

/* Whether this host counts: 0, or -1 and err says why not, and what would help. */
int cal_cpu_counters_there(struct dcs_err *err);
/* The same from the number of the error that the system gave; for tests. */
int cal_cpu_counters_why(int error, struct dcs_err *err);

struct cal_cpu_counters;

/* Counts on each thread of the team, which must end after this. Never NULL: what cannot be counted
 * is NAN. */
struct cal_cpu_counters *cal_cpu_counters_open(struct cal_team *t);
void cal_cpu_counters_close(struct cal_cpu_counters *c); /* NULL is allowed */
/* Since it was opened. */
struct cal_cpu_counts cal_cpu_counters_read(const struct cal_cpu_counters *c);
struct cal_cpu_counts cal_cpu_counts_between(struct cal_cpu_counts from, struct cal_cpu_counts to);

#endif
