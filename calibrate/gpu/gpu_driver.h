/*
 * gpu_driver.h - the driver's functions: those for green contexts, between measured_gpu.c and
 * gpu_partition.c, and how others are found.
 */
#ifndef DCS_CALIBRATE_GPU_DRIVER_H
#define DCS_CALIBRATE_GPU_DRIVER_H

#include "calibrate/gpu/measured_gpu.h"

/* Finds the functions and tries a partition, unless the whole device is all that is asked for;
 * without them g->green stays false and g->no_green says why. -1 only if the device does not work.
 */
int cal_partitions_start(struct cal_gpu *g, bool whole_only, struct dcs_err *err);
void cal_partitions_stop(struct cal_gpu *g);

/* A function of the driver, as of that version of CUDA. */
struct cal_driver_call {
    void *place; /* of a pointer to it */
    const char *name;
    unsigned version;
};
/* Fills all places; false: the driver lacks one of them. */
bool cal_driver_find(const struct cal_driver_call *calls, size_t count);

#endif
