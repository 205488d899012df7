/*
 * planned_kernels.h - the lists of kernels from which co-runs are drawn (calibrate/plan,
 * paired_kernels.csv), as far as this tool has their applications.
 */
#ifndef DCS_CALIBRATE_PLANNED_KERNELS_H
#define DCS_CALIBRATE_PLANNED_KERNELS_H

#include "calibrate/app/app.h"

#include <stddef.h>

#define CAL_PLANNED_MAX 64

struct cal_planned_kernel {
    const struct cal_app *app;
    int rank; /* among the longest kernels of the application; 0: the longest */
};

struct cal_planned_list {
    struct cal_planned_kernel of[CAL_PLANNED_MAX];
    size_t count;
};

/* The list of that name, in the order of its rows. */
struct cal_planned_list cal_planned_kernels(const char *name);

#endif
