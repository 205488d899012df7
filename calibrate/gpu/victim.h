/*
 * victim.h - kernels for measuring what it costs to take the device from a kernel that runs (TReM,
 * section III, table II): a victim of given dimensions and of one of five kinds, and a short
 * `next` kernel whose start ends the measurement.
 *
 * HOW TO MEASURE. Start a victim, wait for cal_victim_started, take the host's clock, call
 * cal_victim_revoke, then launch `next` and poll cal_next_started: the clock then, less the clock
 * before, is the latency. Victims that exit leave the context usable: `next` goes on the same
 * stream right after the victim. One that traps ends its context: every later CUDA call of its
 * process fails (cudaErrorLaunchFailure), so `next` has to come from another process, which has
 * made its own victim object before. Times of the device are its globaltimer, ns, which all
 * processes share.
 *
 * A victim ends by itself after run_ns, whatever happens. One launch at a time for an object.
 */
#ifndef DCS_CALIBRATE_VICTIM_H
#define DCS_CALIBRATE_VICTIM_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dcs_err;

enum cal_victim_end {
    CAL_VICTIM_TRAPS, /* one thread of one block looks at the flag and executes trap, as TReM's
                         wrapper does (algorithm 1); the others compute */
    CAL_VICTIM_THREADS_EXIT, /* every thread looks at the flag and executes exit */
    CAL_VICTIM_BLOCKS_EXIT,  /* one thread of each block looks, and its block exits */
    CAL_VICTIM_RUNS,         /* nobody looks; each block computes for run_ns */
    CAL_VICTIM_WAITS         /* for co-runs: each block holds its place for run_ns, and computes
                              * nothing, so that it slows nobody on its SM */
};

struct cal_victim;

/* NULL and err on failure. */
struct cal_victim *cal_victim_create(struct dcs_err *err);

/* blocks may be more than the device holds at once: those that come later look at the flag too. */
int cal_victim_start(struct cal_victim *v, enum cal_victim_end end, unsigned blocks,
                     unsigned threads, uint64_t run_ns, cudaStream_t stream, struct dcs_err *err);
/* Its first block runs; to be polled. */
bool cal_victim_started(const struct cal_victim *v);
/* When, by the device's clock; 0 before. */
uint64_t cal_victim_started_ns(const struct cal_victim *v);
/* Sets the flag. Does not wait. */
void cal_victim_revoke(struct cal_victim *v);

/* One thread that notes the device's time. */
int cal_next_launch(struct cal_victim *v, cudaStream_t stream, struct dcs_err *err);
bool cal_next_started(const struct cal_victim *v); /* to be polled */
uint64_t cal_next_started_ns(const struct cal_victim *v);

/* NULL is allowed. After a trap nothing can be freed: the process has to end. */
void cal_victim_destroy(struct cal_victim *v);

#ifdef __cplusplus
}
#endif
#endif
