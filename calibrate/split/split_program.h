/*
 * split_program.h - the contract of a program whose requests are divided over a CPU and a GPU: the
 * six of Wang, "Scheduling in heterogeneous datacenters" (thesis), table 4-2.
 *
 * WORDS. A request is `passes` passes, one after the other. A pass is a number of iterations that
 * do not depend on each other: rows of a matrix, bodies, queries. A chunk is a run of iterations
 * that one side, the CPU with its threads or the GPU, computes at once.
 *
 * DATA are arrays of floats on the host, and each has its copy on the GPU:
 *   constant   what every chunk may read; on the GPU from the beginning
 *   varying    likewise, made anew for each pass; copied to the GPU before the pass
 *   in         rows, of which a chunk reads those of its iterations; copied with each chunk
 *   out        results, so many floats for each iteration; copied back with each chunk
 *   sums       in place of `out`: each side adds up what its chunks are worth
 *
 * A program is one file split_NAME.c for the CPU, and a kernel in split_kernels.cu. Both compute
 * the same; split_check.h compares them before anything is timed. Inputs follow from the seed.
 */
#ifndef DCS_CALIBRATE_SPLIT_PROGRAM_H
#define DCS_CALIBRATE_SPLIT_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CAL_SPLIT_SIZES       3
#define CAL_SPLIT_THREADS_MAX 256
#define CAL_SPLIT_DEVICE_SUMS 1024 /* blocks that add up on the GPU */
#define CAL_SPLIT_LANES       16   /* that loops of the CPU are written for */

enum cal_split_id {
    CAL_SPLIT_CG,
    CAL_SPLIT_JACOBI,
    CAL_SPLIT_MC,
    CAL_SPLIT_MM,
    CAL_SPLIT_NBODY,
    CAL_SPLIT_NNS,
    CAL_SPLIT_PROGRAMS
};

/* Floats on the host, and their copy on the GPU. */
struct cal_split_array {
    float *host, *device;
    size_t count; /* 0: there is none */
};

/* A problem of one size. */
struct cal_split {
    const struct cal_split_program *program;
    int64_t n, iterations; /* size; iterations of a pass */
    uint64_t seed;
    struct cal_split_array constant, varying, in, out;
    size_t in_row, out_each; /* floats of a row of `in`, and of an iteration in `out` */
    int64_t in_share;        /* iterations that read one row of `in` */
    bool sums;
    double *device_sums, *device_sums_host;
    double *thread_sums; /* one for each thread, far apart; then the GPU's */
    float *own;          /* the program's, on the host alone */
    size_t own_count;
    double scalar; /* likewise */
};

/* Where in thread_sums the sum of a thread is; CAL_SPLIT_THREADS_MAX is the GPU's. */
static inline double *cal_split_sum(const struct cal_split *s, uint32_t thread)
{
    return &s->thread_sums[(size_t)thread * 16];
}

struct cal_split_program {
    enum cal_split_id id;
    const char *name, *what, *algorithm;
    const char *unit; /* of a size */
    int passes;
    int64_t chunk_min;              /* iterations: no chunk is smaller but the last */
    int64_t together;               /* iterations that a thread of the CPU computes at once */
    int64_t sizes[CAL_SPLIT_SIZES]; /* that are measured; the thesis's first */
    int64_t size_check;
    double tolerance; /* of results, relative to the largest of them */

    /* Says in s how large the arrays are, by s->n; nothing is allocated yet. */
    void (*shape)(struct cal_split *s);
    /* Fills rows [begin, end) of s->n of the inputs; rows are independent. */
    void (*fill)(struct cal_split *s, int64_t begin, int64_t end);
    /* The host's own part before pass 0, 1, ..., and after the last one (pass == passes). Pass 0
     * begins the request anew. NULL: there is none. */
    void (*begin_pass)(struct cal_split *s, int pass);
    /* Iterations [begin, end) of the pass on one thread; others work on others. */
    void (*compute)(struct cal_split *s, int64_t begin, int64_t end, uint32_t thread);
    /* The results of a request, so many floats as it returns, at `to` unless that is NULL. */
    size_t (*results)(const struct cal_split *s, float *to);
};

/* In the order of enum cal_split_id. */
extern const struct cal_split_program *const cal_split_programs[CAL_SPLIT_PROGRAMS];
const struct cal_split_program *cal_split_find(const char *name); /* NULL: there is none */

#ifdef __cplusplus
}
#endif
#endif
