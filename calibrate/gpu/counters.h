/*
 * counters.h - the kernels of an application, launched for a profiler to look at.
 */
#ifndef DCS_CALIBRATE_COUNTERS_H
#define DCS_CALIBRATE_COUNTERS_H

#include "calibrate/gpu/measured_gpu.h"

/* Launches that are profiled of a kernel with many: so many for each function that it launches, in
 * proportion to how often it launches which, and spread over it. They stand for all. */
#define CAL_PROFILED_LAUNCHES 3
#define CAL_PROFILED_SHAPES   80 /* of a request */
#define CAL_REPLAY_LINE       "replay"

/*
 * Runs requests of these sizes ("512") with the profiler switched on only for the first kernel of
 * each shape, and in front of each of these for a launch of CAL_BORDER_KERNEL. Prints, in the same
 * order, a line for each: "replay SIZE LAUNCHES PROFILED SHAPE"; a library's call counts as one
 * launch, whatever it launches. Without an application it launches CAL_BORDER_KERNEL alone, which
 * shows whether profiling is possible.
 */
int cal_replay_kernels(struct cal_gpu *g, const char *app, char *const *sizes, int count,
                       uint64_t seed, struct dcs_err *err);

#endif
