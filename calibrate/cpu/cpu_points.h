/*
 * cpu_points.h - what was measured of programs on CPUs, as the table cpu_point has it.
 */
#ifndef DCS_CALIBRATE_CPU_POINTS_H
#define DCS_CALIBRATE_CPU_POINTS_H

#include "calibrate/store/profile_store.h"

#define NAMES_BYTES 64

/* A row of cpu_point, with the latency of memory beside its pressure. */
struct point {
    char app[NAMES_BYTES], pressure[16];
    int64_t size, cores, ways, level, pressure_cores;
    double median_ns, reference_ns, l; /* reference_ns 0: it has none */
    double error;                      /* relative standard error of their ratio */
    double gbs, instructions, cycles, misses, reference_misses; /* NAN: not counted */
};

struct points {
    struct point *rows;
    size_t count, capacity;
};

/* Of a column of a row; NAN if it is NULL. */
double cal_cpu_number(const char *text);
/* In the order of their keys. The rows are the caller's to free, also after an error. */
int cal_cpu_points_read(struct cal_store *s, struct points *all, struct dcs_err *err);

#endif
