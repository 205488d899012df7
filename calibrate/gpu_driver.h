/*
 * gpu_driver.h - between gpu.c and gpu_partition.c: the driver's functions for green contexts.
 */
#ifndef DCS_CALIBRATE_GPU_DRIVER_H
#define DCS_CALIBRATE_GPU_DRIVER_H

#include "calibrate/gpu.h"

/* Finds the functions and tries a partition; without them g->green stays false and g->no_green
 * says why. -1 only if the device does not work. */
int cal_partitions_start(struct cal_gpu *g, struct dcs_err *err);
void cal_partitions_stop(struct cal_gpu *g);

#endif
