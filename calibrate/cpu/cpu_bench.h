/*
 * cpu_bench.h - taking the samples of one point: a request of a program on some cores and ways,
 * alone or beside pressure, in turn with a reference, so that what changes on the machine meanwhile
 * changes both.
 *
 * The reference is the request alone on the same cores where there is pressure, and alone on all
 * cores and ways otherwise; a point that is this itself has none. A program has as many threads as
 * the host has cores, on however few of them it runs. Before each sample a request runs that does
 * not count: the caches then hold what they hold in that situation.
 *
 * The table of functions is what a test replaces by a law with a clock of its own.
 */
#ifndef DCS_CALIBRATE_CPU_BENCH_H
#define DCS_CALIBRATE_CPU_BENCH_H

#include "calibrate/cpu/cpu_counters.h"
#include "calibrate/cpu/cpu_pressure.h"
#include "calibrate/plan/sample.h"

struct cal_cpu_point {
    const struct cal_cpu_app *app;
    int64_t size;
    uint32_t cores, ways; /* ways: all of the host's, where no CAT is used */
    enum cal_cpu_pressure pressure;
    int64_t level; /* bytes or per mille; 0 without pressure */
    uint32_t pressure_cores;
};

enum { CAL_CPU_SAMPLE, CAL_CPU_REFERENCE, CAL_CPU_ROLES };

struct cal_cpu_taken {
    struct cal_samples sets[CAL_CPU_ROLES];
    enum cal_stop stops[CAL_CPU_ROLES];
    struct cal_cpu_counts *counts[CAL_CPU_ROLES]; /* beside sets[].ns */
    size_t capacity[CAL_CPU_ROLES];
    double pressure_gbs;  /* that the co-runners touched or wrote; 0 without */
    double others;        /* cores' worth of time that went to others */
    int64_t memory_bytes; /* of the program's state */
};
void cal_cpu_taken_add(struct cal_cpu_taken *t, int role, int64_t ns, struct cal_cpu_counts counts);
void cal_cpu_taken_release(struct cal_cpu_taken *t);

/* What the host itself is asked. */
enum cal_cpu_what {
    CAL_HOST_COPY,    /* so many cores copy memory: bytes read and written */
    CAL_HOST_MIGRATE, /* a thread moves to another core: 1 move */
    CAL_HOST_REFILL,  /* walking as much as a core's own cache hold, first after a move, over later
                       */
};
/* What pressure does to the memory, and how fast it is where nothing else runs. */
struct cal_cpu_meter {
    double gbs;                          /* that it touched or wrote */
    double latency_alone_ns, latency_ns; /* of one access to memory;*/
    double others;
};

struct cal_cpu_bench {
    /* -1 and err: this point could not be taken. What was taken is released by the caller. */
    int (*take)(void *context, const struct cal_cpu_point *p, struct cal_cpu_taken *out,
                struct dcs_err *err);
    int (*host)(void *context, enum cal_cpu_what what, uint32_t cores, struct cal_cpu_taken *out,
                double *amount, struct dcs_err *err);
    int (*meter)(void *context, enum cal_cpu_pressure pressure, int64_t level, uint32_t cores,
                 struct cal_cpu_meter *out, struct dcs_err *err);
    void *context;
};

struct cal_cpu_bench_options {
    double max_seconds; /* of sampling one point, without warm-up */
    uint64_t seed;
};
/* The one of this machine; host stays the caller's. */
struct cal_cpu_bench cal_cpu_bench_open(const struct cal_cpu_host *host,
                                        const struct cal_cpu_bench_options *options);
void cal_cpu_bench_close(struct cal_cpu_bench *b);

/* Whether a point is one without a reference. */
bool cal_cpu_point_is_whole(const struct cal_cpu_host *host, const struct cal_cpu_point *p);

#endif
