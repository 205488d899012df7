/*
 * driven_cost.h - what scheduling takes, from runs on a real GPU, for the profile of that GPU
 * (table scheduler_cost), and how long killing a process takes (table driven_kill).
 *
 * A charge is the time that the GPU idles from a kernel to the next one. Its first part is how long
 * after the end of a kernel the policy's side knew of it and the driver had the next launch (median
 * by policy). Its second part is from there until the kernel began, which nobody sees: its end less
 * what it takes alone by the profile, less the launch (median over kernels that had the whole
 * device). Medians, since a few kernels take the driver much longer. Kernels that are several
 * launches are left out: the first of them runs while the host hands over the rest.
 */
#ifndef DCS_DRIVEN_COST_H
#define DCS_DRIVEN_COST_H

#include "experiment/experiment.h"
#include "results/results_db.h"

struct driven_times {
    double *all; /* ns */
    size_t count, capacity;
};

struct driven_cost {
    char *policy;
    struct driven_times launches, callbacks;
};

struct driven_costs {
    struct driven_cost *policies;
    size_t count, capacity;
    struct driven_times begins;   /* from launch to begin, of kernels on the whole device */
    struct driven_times kills[2]; /* of processes; [1]: with another in the second before */
    char *device, *gpu, *source;  /* its name; which one it is; where the numbers are from */
    bool mixed;                   /* the runs are of several GPUs */
};

void driven_costs_release(struct driven_costs *c);
/* Adds a measured run. -1 and err: it cannot be read. */
int driven_costs_add(struct driven_costs *c, const struct results *r, int64_t experiment,
                     uint32_t replication, const struct experiment *x, struct dcs_err *err);
/* Puts these by policy, and of all together, into the profile at path, a database, in place of
 * those that it has; kills of processes only where there are three of each kind (traps took
 * times that quantiles do not tell: docs/validation/driven.md). -1 and err: it stays as it is; the
 * runs are of several GPUs, or of another one than the profile. */
int driven_costs_keep(struct driven_costs *c, const char *path, struct dcs_err *err);

#endif
