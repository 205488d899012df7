/*
 * fused_kernels.h - fused kernels for measuring: a kernel on tensor cores and one on CUDA cores in
 * one launch of persistent blocks, after Zhao et al., "Tacker: Tensor-CUDA Core Kernel Fusion for
 * Improving the GPU Utilization while Ensuring QoS", HPCA 2022, section V.
 *
 * A *block* is a block of the original kernel. A *load* is a number of blocks; a *part* is one of
 * the two kernels. Persistent blocks, as many as fit on the SMs at once, take the blocks of their
 * part in turn (figure 7). Of a fused kernel's threads the first belong to tensor_blocks blocks of
 * the tensor part, the others to cuda_blocks of the CUDA part (figure 8); each block waits at a
 * barrier of its own (figure 9). Figure 8 has one fused block on each SM; here too as many as fit.
 *
 * The tensor part is a convolution layer of ResNet-50, by the body that the networks use; its size
 * is a number of images. The CUDA part is the main kernel of a batch application.
 *
 * How a tool uses it:
 *   for each pair: create for the largest load it will need; measure launch_tensor and, for some
 *   loads, launch_cuda; set_load to what gives a wanted ratio; measure launch_fused; read times.
 */
#ifndef DCS_CALIBRATE_FUSED_KERNELS_H
#define DCS_CALIBRATE_FUSED_KERNELS_H

#include "calibrate/app/app.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cal_fusion_pair {
    const char *tensor, *cuda;
    /* In one fused block. Both 0: the persistent kernels one after the other, without fusion. */
    int tensor_blocks, cuda_blocks;
};

/* All candidates; those of the same two kernels are neighbours, the one without fusion first. */
const struct cal_fusion_pair *cal_fusion_pairs(size_t *count);

struct cal_fusion_limits {
    /* Images. tensor_default: by estimate 0.7 ms on an H200, so that the smallest load that keeps
     * all SMs busy, a block for each, is a small part of it. */
    int64_t tensor_min, tensor_max, tensor_default, tensor_step;
    int64_t load_max; /* blocks of the CUDA part, at least 1; by the memory that it needs */
};
/* A pair of cal_fusion_pairs. */
struct cal_fusion_limits cal_fusion_get_limits(const struct cal_fusion_pair *pair);

struct cal_fusion;

/* Memory and inputs on the current device, for loads up to `load`, which is set. `sms`: that the
 * kernels will run on. NULL and err on failure: out of memory, or a fused block that this device
 * has no room for. */
struct cal_fusion *cal_fusion_create(const struct cal_fusion_pair *pair, int64_t tensor_size,
                                     int64_t load, int sms, uint64_t seed, struct dcs_err *err);
void cal_fusion_destroy(struct cal_fusion *f); /* NULL is allowed */

/* 1 <= load <= the one at creation, or it is our fault. */
void cal_fusion_set_load(struct cal_fusion *f, int64_t load);

/* Each part alone, by persistent blocks; and both, as the pair says. Launches only. Launches of one
 * cal_fusion must not run at the same time. */
cudaError_t cal_fusion_launch_tensor(struct cal_fusion *f, cudaStream_t stream);
cudaError_t cal_fusion_launch_cuda(struct cal_fusion *f, cudaStream_t stream);
cudaError_t cal_fusion_launch_fused(struct cal_fusion *f, cudaStream_t stream);

/* From the device's global timer, since the first block of the last launch_fused began: the ends of
 * the last blocks of the two parts. Waits for the device. The timer's steps may be 1 us long. */
struct cal_fusion_times {
    int64_t tensor_end_ns, cuda_end_ns;
};
int cal_fusion_read_times(struct cal_fusion *f, struct cal_fusion_times *times,
                          struct dcs_err *err);

/* Of the fused kernel; without fusion: the larger of the two of each. */
struct cal_fusion_resources {
    int registers, threads, blocks_per_sm; /* of one thread, of one block */
    int64_t shared_bytes;                  /* of one block */
    int64_t local_bytes;                   /* of one thread: what does not fit in registers */
};
struct cal_fusion_resources cal_fusion_get_resources(const struct cal_fusion *f);

/* Runs the ordinary kernels, those with exit flags (exit_kernels.h), the persistent ones, the pair
 * at the load that is set, and the pair by a fuser (below), and compares all of their results; pair
 * and sms as at creation. For small loads: it copies them to the host. */
int cal_fusion_check(struct cal_fusion *f, const struct cal_fusion_pair *pair, int sms,
                     struct dcs_err *err);

/* The same fused kernels with the work of two requests: one launch in place of the launches of a
 * kernel of each plan. For one such launch at a time. */
struct cal_fuser;

/* Loads the fused kernels of these applications, those that have any and that fit on an SM; `sms`:
 * that they will run on. NULL and err on failure. */
struct cal_fuser *cal_fuser_create(const char *const *apps, size_t count, int sms,
                                   struct dcs_err *err);
void cal_fuser_destroy(struct cal_fuser *f); /* NULL is allowed */

struct cal_fuser_side {
    const struct cal_plan *plan;
    size_t kernel;
};
/* cuda_app: whose request has the CUDA part. -1 and err, also where the two are not kernels of
 * which there is such a fused one. */
int cal_fuser_launch(struct cal_fuser *f, const struct cal_fuser_side *tensor,
                     const struct cal_fuser_side *cuda, const char *cuda_app, int tensor_blocks,
                     int cuda_blocks, cudaStream_t stream, struct dcs_err *err);

#ifdef __cplusplus
}
#endif
#endif
