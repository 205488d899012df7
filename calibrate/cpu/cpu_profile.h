/*
 * cpu_profile.h - from what was measured to what a simulation reads: fits the law (cpu_fit.h) to
 * the points of each program and writes the tables `cpu`, `cpu_application` and `cpu_residual`,
 * each number with its origin and, where it is assumed, why.
 */
#ifndef DCS_CALIBRATE_CPU_PROFILE_H
#define DCS_CALIBRATE_CPU_PROFILE_H

#include "calibrate/cpu/cpu_host.h"
#include "calibrate/store/profile_store.h"

/* Writes what the host tells of itself and what it cannot count, once, when a profile is begun. */
int cal_cpu_put_host(struct cal_store *s, const struct cal_cpu_host *h, const char *counters,
                     struct dcs_err *err);

/* Replaces the three tables, in one transaction. out: where the fitted numbers and their errors are
 * printed; NULL: nowhere. */
int cal_cpu_put_numbers(struct cal_store *s, FILE *out, struct dcs_err *err);

#endif
