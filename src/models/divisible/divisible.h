/*
 * divisible.h - what a profile says of work that a CPU and a GPU can share: how long a chunk of a
 * pass takes on each side.
 *
 * A pass has a number of iterations; a chunk is some of them, given to one side at once. The time
 * of a chunk runs from when it is handed over until its results are on the host: launch, transfers
 * of its share and computing are all in it. Tables split_program and split_time hold what was
 * measured (docs/profile.md): for each program, size, side and number of CPU threads some chunks,
 * alone and beside the other side at work.
 *
 * BETWEEN two measured chunks time is linear in iterations, and exact at them. Below the smallest
 * and above the largest the nearest two go on, and a chunk never takes less than its part of the
 * time of the nearest.
 *
 * NOISE. Where a chunk was measured at least DCS_CHUNK_NOISE_N times, its time is the median times
 * exp(sigma z), z normal, with sigma such that the 95th percentile is the measured one; where it
 * was measured more rarely it does not vary. That the law is lognormal is an assumption.
 *
 * Source of the form: Wang, thesis, figure 4-1 and section 4.5 (what a chunk's time holds).
 */
#ifndef DCS_MODELS_DIVISIBLE_H
#define DCS_MODELS_DIVISIBLE_H

#include "models/profile/profile.h"

#define DCS_CHUNK_NOISE_N  20
#define DCS_ITERATIONS_MAX (INT64_C(1) << 39) /* of a pass: observers get them in 40 bits */

enum dcs_side { DCS_SIDE_CPU, DCS_SIDE_GPU };

struct dcs_chunk_point {
    int64_t chunk; /* iterations, ascending */
    double ns;     /* median */
    double sigma;  /* 0: it does not vary */
};

/* Of one side, where the CPU has so many threads. */
struct dcs_chunk_curve {
    enum dcs_side side;
    int64_t threads; /* of a GPU alone: 0 */
    bool beside;     /* the other side works too */
    struct dcs_chunk_point *points;
    size_t count, capacity;
};

/* A program at one size. */
struct dcs_work {
    char *program;
    int64_t iterations, passes, chunk_min;
    int64_t pass_ns; /* from the beginning of a pass until chunks of it can begin */
    struct dcs_chunk_curve *curves;
    size_t count, capacity;
};

struct dcs_divisible {
    struct dcs_work *works; /* sizes ascending, whatever the program */
    size_t count, capacity;
};

/* Loads the profile as dcs_profile_load() does, and *out. NULL and err on failure, also where it
 * has measured no chunks; *out is then NULL too. */
struct dcs_profile *dcs_divisible_load_profile(const char *path, struct dcs_divisible **out,
                                               struct dcs_err *err);
void dcs_divisible_free(struct dcs_divisible *d); /* NULL is allowed */

/* A program at a size; iterations 0: at its largest. NULL: not measured. */
const struct dcs_work *dcs_divisible_find(const struct dcs_divisible *d, const char *program,
                                          int64_t iterations);

/* NULL: not measured. threads: of the CPU of the domain; 0: it has none. */
const struct dcs_chunk_curve *dcs_work_curve(const struct dcs_work *work, enum dcs_side side,
                                             int64_t threads, bool beside);

/* Time of a chunk of 1 .. iterations in the median, and how much it varies. */
double dcs_chunk_ns(const struct dcs_chunk_curve *curve, int64_t chunk, double *sigma);

#endif
