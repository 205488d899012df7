/*
 * cpu_measure.h - what `dcsim-calibrate cpu` measures, as the steps of steps.h: the host, what
 * pressure does to its memory, and of each program its time over cores, sizes, cache and bandwidth.
 *
 * A step of a program is one point (cpu_bench.h): its row in cpu_point, its samples in cpu_sample,
 * and where it is alone with all ways, its row in request_solo.
 */
#ifndef DCS_CALIBRATE_CPU_MEASURE_H
#define DCS_CALIBRATE_CPU_MEASURE_H

#include "calibrate/cpu/cpu_bench.h"
#include "calibrate/measure/measurement.h"

#define CAL_CPU_COUNTS_MAX 12 /* core counts, and counts of ways, that are measured at most */
#define CAL_CPU_SIZES      6

/* In the order of their worth; ends with NULL. */
extern const struct cal_measure *const cal_cpu_measures[];

/* All steps of all of them. seconds: about what a step takes. */
void cal_cpu_plan(const struct cal_session *s, struct cal_steps *steps, double seconds);

/* 1 to n, all of them or a dozen that grow by a factor; ascending, with 1 and n. Returns how many.
 */
uint32_t cal_cpu_counts(uint32_t n, uint32_t counts[CAL_CPU_COUNTS_MAX]);

/* "of a cache of so many bytes, taken in parts": the footprints of the co-runner. */
#define CAL_CPU_FOOTPRINTS 5
int64_t cal_cpu_footprint(const struct cal_cpu_host *h, int i);

#endif
