/*
 * gpu_driver.h - the driver's functions: those for green contexts, between measured_gpu.c and
 * gpu_partition.c, and how others are found.
 */
#ifndef DCS_CALIBRATE_GPU_DRIVER_H
#define DCS_CALIBRATE_GPU_DRIVER_H

#include "calibrate/gpu/measured_gpu.h"

/* Finds the functions and tries a partition; without them g->green stays false and g->no_green
 * says why. -1 only if the device does not work. */
int cal_partitions_start(struct cal_gpu *g, struct dcs_err *err);
void cal_partitions_stop(struct cal_gpu *g);

/* The driver's function of that name, as of that version of CUDA; NULL: it has none. */
void *cal_driver_function(const char *name, unsigned version);

#endif
