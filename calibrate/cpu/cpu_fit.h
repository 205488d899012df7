/*
 * cpu_fit.h - the numbers of a program in the law of src/models/cpu/cpu.h from times that were
 * measured.
 *
 * WHAT IS FITTED. Ratios: the time of a request on c cores with w ways of the cache, at the latency
 * l of memory, over that of a reference at l = 1 with all ways. Where a co-runner holds part of the
 * cache, the program has what the law's division leaves it: W need(c) / (need(c) + the footprint in
 * ways). Where there are counters, misses of the cache over the reference's as well, at a quarter
 * of the weight. Least squares of logarithms, weighted by what the samples of a point leave
 * uncertain beside 1 %, and beyond 5 % growing with the error only (others may have had the core
 * meanwhile): simplex of Nelder and Mead, "A simplex method for function minimization", Computer
 * Journal 7(4), 1965, from fixed starts; the best end wins. The same numbers give the same bits on
 * one machine.
 *
 * WHAT CAN BE KNOWN is decided before, and what cannot stays as assumed:
 *
 *   speedup         from times on fewer cores than all
 *
 *   stall           from an l, or misses, that rose to 1.1 at least: the law has it in a product
 *                   with the growth of misses elsewhere
 *
 *   cache, growth   from two ratios under less cache that are 3 %, and 3 standard errors, above 1;
 *                   without them growth is 0: it loses nothing that could be seen
 *
 *   shared          from such ratios on two numbers of cores
 */
#ifndef DCS_CALIBRATE_CPU_FIT_H
#define DCS_CALIBRATE_CPU_FIT_H

#include "models/cpu/cpu.h"

struct cal_cpu_observation {
    uint32_t cores, reference_cores;
    double ways;           /* that it had; 0: all but what the footprint took */
    double footprint_ways; /* 0: nobody walked the cache */
    double l;              /* latency of memory over that of a machine at rest, >= 1 */
    double ratio;          /* time over the reference's */
    double error;          /* relative standard error of that; 0: exact */
    double misses;         /* likewise; NAN: not counted */
};

enum cal_cpu_number { CAL_SPEEDUP, CAL_STALL, CAL_CACHE, CAL_SHARED, CAL_GROWTH, CAL_NUMBERS };

struct cal_cpu_fitted {
    double value[CAL_NUMBERS]; /* CAL_CACHE in ways */
    bool known[CAL_NUMBERS];   /* fitted, or measured to be nothing; else as assumed */
    double mean_error, p95_error, max_error; /* of |fitted / measured - 1|, ratios of time alone */
};

/* cpu: its cores and ways. assumed: what is taken for what cannot be known. ratios: n of them, what
 * the law then says. n = 0 fits nothing. */
void cal_cpu_fit(const struct dcs_cpu *cpu, const struct cal_cpu_observation *seen, size_t n,
                 const double assumed[CAL_NUMBERS], struct cal_cpu_fitted *out, double *ratios);

/* What the law says of an observation, for tests and the above: time over the reference's, and
 * misses over the reference's. */
double cal_cpu_law_ratio(const struct dcs_cpu *cpu, const double value[CAL_NUMBERS],
                         const struct cal_cpu_observation *o, double *misses);

#endif
