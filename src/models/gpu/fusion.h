/*
 * fusion.h - a kernel for tensor cores and one for the other ("CUDA") cores in one launch: which
 * kernels were measured so, in which ways, and how long it takes.
 *
 * After Zhao et al., "Tacker: Tensor-CUDA Core Kernel Fusion for Improving the GPU Utilization
 * while Ensuring QoS", HPCA 2022, sections V and VI; the measurements are a profile's table
 * `fused`.
 *
 * A *pair* is a measured tensor kernel and a measured CUDA kernel. A *way* to fuse a pair is a
 * number of blocks of each in one fused block. The *load ratio* is the time of the CUDA kernel
 * alone over that of the tensor kernel alone (equation 1). A *curve* is one way at one size of the
 * tensor kernel: the time of the fused launch by load ratio, over the time of the tensor kernel
 * alone.
 *
 * HOW LONG. A fused launch takes what its curve says, times the tensor kernel's time alone. Between
 * measured load ratios that is linear. Between sizes it is linear in the tensor kernel's time
 * alone; beyond the last size its curve holds. Below the lowest measured ratio the launch takes as
 * long as there. Above the highest one the rest of the CUDA kernel runs alone. Equation 5 takes it
 * to be as fast then as by itself; here it has one of two rates:
 * - If the CUDA kernel ended last in all of the last four points, it was seen alone. The rate is
 *   the slope of these points (least squares), unless that is faster than it is by itself.
 * - Else the rate is the pace that it had beside the tensor kernel at the last point, or that by
 *   itself if that is slower. It cannot be slower alone.
 * What happens outside the measured ratios is assumed; `beyond` says that a time lies above the
 * highest one. The later part of a launch ends with it; the other part ends as measured, in
 * proportion.
 *
 * WHICH KERNELS. A tensor kernel's name "conv-NxK" says its product: N output channels, of depth K
 * (channels times the filter's area). The tensor kernels of an application are its convolutions, by
 * their names in the profile (conv3x3s1p1_n256_14x14_c256_k256: N = 256, K = 2304). Grouped
 * convolutions and backward passes are not among them, since they are other code; nor are kernels
 * of several launches. With the match `exact`, such a kernel fuses as the measured kernel with the
 * same N and K. With `nearest`, it fuses as the measured kernel at the least distance in (log N,
 * log K), of those whose blocks have as much shared memory as its own, which is how many columns a
 * block computes; of several, the first by name. That it takes as long as that one is assumed.
 *
 * A CUDA kernel is named by its application. It is the main kernel of that application, and all
 * others whose blocks are like those of the main kernel: as many threads, registers and bytes of
 * shared memory. The main kernel is the one on which its requests spend the most time, of those
 * that use no tensor cores and are one launch.
 *
 * WHICH WAY. The offline fuser (section V-C) measures all ways of a pair, and the two kernels one
 * after the other, and keeps the best for good. The section does not say at which load. Wherever
 * the paper compares a fused kernel with its parts (table I, figures 3 and 20), both take as long
 * alone. So the fuser here compares at a load ratio of 1, or at the measured one nearest to it. It
 * keeps the way that saves the largest share of the time of one after the other, in the mean of the
 * measured sizes, of those that an SM has room for. If none saves anything, the pair is not fused.
 *
 * RESOURCES. A way whose block needs more than an SM has is never used. The limits are those of
 * every NVIDIA GPU since compute capability 5.0 for threads and registers, and of 9.0, which has
 * the most, for shared memory (CUDA C++ Programming Guide, "Technical Specifications per Compute
 * Capability").
 */
#ifndef DCS_MODELS_FUSION_H
#define DCS_MODELS_FUSION_H

#include "models/gpu/spatial.h"

#define DCS_NO_FUSION UINT32_MAX

#define DCS_BLOCK_THREADS_MAX 1024
#define DCS_SM_REGISTERS      65536
#define DCS_BLOCK_SHARED_MAX  232448 /* bytes: 227 KiB */
#define DCS_FUSED_TAIL_POINTS 4      /* whose slope holds beyond the last one */

enum dcs_fusion_match { DCS_FUSION_EXACT, DCS_FUSION_NEAREST };
/* Who chooses the way to fuse a pair: the offline fuser once, or the prediction for each launch. */
enum dcs_fusion_choice { DCS_FUSION_OFFLINE, DCS_FUSION_LAUNCH };

/* Times over that of the tensor kernel alone. The later part ends with the launch. */
struct dcs_fused_point {
    double ratio, end, tensor_end, cuda_end;
    int64_t load; /* of the CUDA kernel, in its blocks */
};

struct dcs_fused_curve {
    int64_t size;                   /* of the tensor kernel */
    double tensor_ns;               /* alone, at this size */
    struct dcs_fused_point *points; /* ascending by ratio, at least one */
    size_t points_count;
    double tail; /* slope beyond the last point, at least 1 */
};

struct dcs_fused_way {
    uint32_t tensor, cuda; /* kernels */
    uint32_t tensor_blocks, cuda_blocks;
    uint32_t registers, threads; /* of a thread, of a block */
    uint64_t shared_bytes;
    bool fits;    /* an SM has all that a block needs */
    bool gains;   /* at some load ratio it was measured faster than one after the other */
    double saved; /* share of the time of one after the other, where both take as long */
    struct dcs_fused_curve *curves; /* ascending by tensor_ns, at least one */
    size_t curves_count;
};

struct dcs_fused_tensor {
    char *name;
    double n, k; /* of its product; 0: its name does not say */
    uint64_t shared_bytes;
};

/* Kernels ascending by name; ways by tensor kernel, CUDA kernel, blocks. The number of a way is
 * what policies know as a variant. */
struct dcs_fusion {
    struct dcs_fused_tensor *tensors;
    char **cudas;
    size_t tensors_count, cudas_count;
    struct dcs_fused_way *ways;
    size_t ways_count;
    uint32_t *first_way;    /* by tensor * cudas_count + cuda; one more at the end */
    uint32_t *tensor_of[2]; /* by enum dcs_fusion_match and shape; DCS_NO_FUSION: none */
    uint32_t *cuda_of;      /* by shape */
    size_t shapes_capacity; /* of the three */
};

/* The ways of two kernels that were measured together. */
struct dcs_fusion_pair {
    uint32_t first, end; /* ways from first to end - 1 */
    int tensor;          /* which of the two shapes is the tensor kernel: 0 or 1 */
};

/* False: they were not. */
bool dcs_fusion_find(const struct dcs_fusion *f, enum dcs_fusion_match match,
                     const uint32_t shapes[2], struct dcs_fusion_pair *out);

/* The way that the offline fuser keeps, of those from first to end - 1; DCS_NO_FUSION: it keeps one
 * after the other. */
uint32_t dcs_fusion_decide(const struct dcs_fusion *f, uint32_t first, uint32_t end);

struct dcs_fused_time {
    double ns, tensor_end_ns, cuda_end_ns;
    bool beyond;
};
/* What a fused launch takes of two kernels that take tensor_ns and cuda_ns alone (above 0): at
 * least 1 ns. */
struct dcs_fused_time dcs_fusion_time(const struct dcs_fusion *f, uint32_t way, double tensor_ns,
                                      double cuda_ns);

#endif
