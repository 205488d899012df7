/*
 * app.h - the contract of an application that can be calibrated: real CUDA kernels, the requests
 * made of them, and the check of their results against a reference that runs on the CPU.
 *
 * One application is one file in calibrate/apps/. FILE.cu defines `cal_app_FILE` (a '-' of the name
 * is a '_' in both); the build finds it there, and no table needs a row.
 *
 * WORDS, as the simulator uses them. A request of an application has a size (images in a batch,
 * nodes, particles). It is a sequence of kernels, one after the other. A kernel is the unit that
 * the simulator schedules: one CUDA launch, several that belong together (the 2n - 1 diagonals of a
 * dynamic programme), one library call, or one transfer.
 *
 * RULES
 * - A request can be run again and again in one state and does the same work each time: what it
 *   overwrites it first restores itself (a transfer or a kernel at its start), no value may grow
 *   from repetition to repetition into infinity or denormals.
 * - A kernel marked repeatable can be launched alone, many times, with no other kernel between, and
 *   takes as long each time (no frontier that is empty the second time, no early exit).
 * - Everything runs on the stream that is given. No synchronisation, allocation or free in a
 *   launch. No managed memory, no dynamic parallelism, no default stream.
 * - Inputs are pseudo-random, from the seed, at realistic values: no matrices of zeros (they draw
 *   less power and clock higher).
 * - Kernels bound-check; compute-sanitizer's memcheck and racecheck find nothing.
 */
#ifndef DCS_CALIBRATE_APP_H
#define DCS_CALIBRATE_APP_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dcs_err; /* des/base.h; filled with cal_fail and cal_fail_cuda */

enum cal_role { CAL_SERVICE, CAL_BATCH };
enum cal_cores { CAL_CUDA_CORES, CAL_TENSOR_CORES };
enum cal_kind { CAL_COMPUTE, CAL_LIBRARY, CAL_TO_DEVICE, CAL_FROM_DEVICE };

#define CAL_NAME_BYTES   48
#define CAL_ARGS_MAX     24
#define CAL_ARGS_BYTES   320
#define CAL_KERNELS_MAX  512     /* of one request */
#define CAL_LAUNCHES_MAX 1048576 /* of one request */
#define CAL_ALIGNED      __attribute__((aligned(16)))

/* One CUDA launch. Arguments are copied; cal_add_launch of app.cuh fills this. */
struct cal_launch {
    const void *function;
    unsigned grid[3], block[3];
    unsigned shared_bytes; /* dynamic */
    uint16_t args_count;
    uint16_t offset[CAL_ARGS_MAX];
    CAL_ALIGNED unsigned char args[CAL_ARGS_BYTES];
};

struct cal_kernel {
    char name[CAL_NAME_BYTES]; /* its place in the request: "conv2_1", "sweep_down" */
    /* What it does, with its dimensions: "gemm_12544x64x576". Kernels of a request with equal shape
     * do equal work, and one of them is measured for all. */
    char shape[CAL_NAME_BYTES];
    enum cal_kind kind;
    enum cal_cores cores;
    bool repeatable;
    double flop;  /* hand-counted floating-point (or, where there are none, integer) operations */
    double bytes; /* hand-counted bytes that must move between DRAM and the SMs, cold caches */
    uint32_t first_launch, launches; /* CAL_COMPUTE, in struct cal_plan */
    /* CAL_LIBRARY: enqueues on the stream; 0 or an error's number. */
    int (*call)(void *context, cudaStream_t stream);
    void *context;
    uint32_t call_launches; /* that it consists of, as far as the application knows; 0: one */
    /* Transfers: pinned host memory on one side. */
    void *to;
    const void *from;
    size_t transfer_bytes;
};

/* What one request does. Made by an application, owned by the tool; zero is an empty plan. */
struct cal_plan {
    struct cal_kernel *kernels;
    size_t kernels_count, kernels_capacity;
    struct cal_launch *launches;
    size_t launches_count, launches_capacity;
};

struct cal_app {
    const char *name;   /* as in profiles: lower case, '-' between words */
    enum cal_role role; /* service: its requests have an SLA */
    const char
        *papers; /* which name it, and how: "C-Laius table 3: HS; TReM table III: Hot Spot" */
    const char *algorithm;      /* the publication that the kernels are written from */
    const char *size_unit;      /* "images", "nodes", "rows and columns" */
    int64_t size_min, size_max; /* range that is measured, log-spaced */
    int64_t size_default;       /* one request as in the papers: as long, against its SLA */
    int64_t size_check;         /* small: the reference takes at most about 2 s on one CPU core */
    int64_t size_step;          /* sizes are rounded to multiples of it; >= 1 */
    int64_t sla_ns;             /* services: as in its paper; 0 = none */

    /* Allocates and fills what requests of `size` need, on the current device. NULL and err on
     * failure (out of memory above all), nothing is left allocated then. */
    void *(*create)(int64_t size, uint64_t seed, struct dcs_err *err);
    /* Appends the request's kernels to an empty plan. `sms`: that the request will run on, for
     * kernels with a persistent grid; others ignore it. */
    int (*plan)(void *state, int sms, struct cal_plan *plan, struct dcs_err *err);
    /* After one request has run and the device is idle: compares its results with the reference,
     * which is computed here on the CPU from the same inputs, and written from the algorithm, not
     * from the kernels. -1 and err that says what differed, where and by how much. */
    int (*check)(void *state, struct dcs_err *err);
    void (*destroy)(void *state); /* NULL is allowed */
};

/* The table, made by the build from the names of the files; ends with NULL. */
extern const struct cal_app *const cal_apps[];

/* --- what applications use (app_support.cu) --- */

/* Returns -1. Fills err with text. */
int cal_fail(struct dcs_err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* 0 if status is cudaSuccess, else -1 and err: "what: CUDA's text". */
int cal_fail_cuda(struct dcs_err *err, cudaError_t status, const char *what);

/* Starts a kernel of the plan: launches that are added later belong to it. Kernels beyond the
 * limits are a fault of ours. The result is valid until the next call. */
struct cal_kernel *cal_begin_kernel(struct cal_plan *p, enum cal_kind kind, const char *name,
                                    const char *shape_format, ...)
    __attribute__((format(printf, 4, 5)));
/* A transfer is a kernel of its own. */
void cal_add_transfer(struct cal_plan *p, enum cal_kind kind, const char *name, void *to,
                      const void *from, size_t bytes);
void cal_plan_release(struct cal_plan *p);

/* Enqueues one kernel of a plan on the stream. */
cudaError_t cal_enqueue(const struct cal_plan *p, const struct cal_kernel *k, cudaStream_t stream);

/* Device memory and pinned host memory; *pointer = NULL and -1 and err on failure. */
int cal_device_alloc(void **pointer, size_t bytes, struct dcs_err *err);
int cal_host_alloc(void **pointer, size_t bytes, struct dcs_err *err);

/* Fills device memory with counter-based pseudo-random values; element i depends on (seed, i) only.
 * They run on the default stream and wait: for create() only. */
int cal_fill_uniform_f32(float *device, size_t n, uint64_t seed, float low, float high,
                         struct dcs_err *err);
int cal_fill_normal_f16(void *device, size_t n, uint64_t seed, float mean, float deviation,
                        struct dcs_err *err); /* __half */
int cal_fill_uniform_i32(int32_t *device, size_t n, uint64_t seed, int32_t low, int32_t high,
                         struct dcs_err *err); /* low <= x < high */
/* The same generator on the host: 64 bits from (seed, i). */
uint64_t cal_random_u64(uint64_t seed, uint64_t i);

/* Compares what the device computed with the reference: |got - want| <= absolute + relative *
 * |want| for each of n; NaN never passes. -1 and err naming the first that fails and the worst. */
int cal_compare_f32(const float *got, const float *want, size_t n, double absolute, double relative,
                    const char *what, struct dcs_err *err);
int cal_compare_i32(const int32_t *got, const int32_t *want, size_t n, const char *what,
                    struct dcs_err *err);

/*
 * cuBLAS, loaded when it is first asked for, so that the tool starts without it. Row-major single
 * precision C[m][n] = alpha * A[m][k] * B[k][n] + beta * C on the stream; transposed operands as
 * named. 0, or an error's number. The handle is the thread's.
 */
int cal_blas_open(struct dcs_err *err); /* in create(): -1 and err if there is no libcublas */
int cal_blas_sgemm(cudaStream_t stream, bool transpose_a, bool transpose_b, int m, int n, int k,
                   float alpha, const float *a, const float *b, float beta, float *c);

#ifdef __cplusplus
}
#endif
#endif
