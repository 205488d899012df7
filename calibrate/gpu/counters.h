/*
 * counters.h - kernels that are launched for a profiler to look at.
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

#define CAL_RANGE_LINE "range"

/*
 * Ranges for a profiler that counts what happens on the whole device between cudaProfilerStart and
 * cudaProfilerStop (ncu --replay-mode app-range), on half of the SMs and the rest: each producer
 * alone; the longest kernel of each named application alone, beside each producer, and beside the
 * next application's. Prints a line for each, its fields apart by tabs: "range NUMBER", and of each
 * side "APP KERNEL SMS LAUNCHES NS_OF_ONE_ALONE NS_OF_ALL", or "producer SMS ITERATIONS" and the
 * bytes that one iteration moves in DRAM and in L2.
 */
int cal_replay_beside(struct cal_gpu *g, char *const *names, int count, uint64_t seed,
                      struct dcs_err *err);

#endif
