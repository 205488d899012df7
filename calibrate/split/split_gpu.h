/*
 * split_gpu.h - a problem of split_program.h on the GPU: its memory, and chunks of it. All calls
 * are of one thread at a time.
 */
#ifndef DCS_CALIBRATE_SPLIT_GPU_H
#define DCS_CALIBRATE_SPLIT_GPU_H

#include "calibrate/split/split_program.h"

#include <cuda_runtime_api.h>

struct cal_team;
struct dcs_err;

#ifdef __cplusplus
extern "C" {
#endif

/* Makes a problem: memory on both, inputs by the team, constant data on the GPU. s is filled; -1
 * and err, and nothing is left, if memory runs out. */
int cal_split_create(struct cal_split *s, const struct cal_split_program *program, int64_t n,
                     uint64_t seed, struct cal_team *team, struct dcs_err *err);
void cal_split_release(struct cal_split *s); /* a zeroed one is fine */

/* What all chunks of the GPU in this pass need is there afterwards. */
int cal_split_gpu_begin(struct cal_split *s, cudaStream_t stream, struct dcs_err *err);
/* Copies what a chunk reads, computes it, copies its results back, and waits. */
int cal_split_gpu_chunk(struct cal_split *s, int64_t first, int64_t count, cudaStream_t stream,
                        struct dcs_err *err);

/* In split_kernels.cu: launches the kernel; 0 or an error's number. *sums: how many sums of blocks
 * it makes. */
int cal_split_enqueue(const struct cal_split *s, int64_t first, int64_t n, cudaStream_t stream,
                      unsigned *sums);

#ifdef __cplusplus
}
#endif
#endif
