/*
 * mriq_body.cuh - the sum over a chunk of k-space of mriq.cu, two voxels for each thread.
 */
#ifndef DCS_CALIBRATE_APPS_MRIQ_BODY_CUH
#define DCS_CALIBRATE_APPS_MRIQ_BODY_CUH

#include "calibrate/apps/body.cuh"

struct cal_mriq_body {
    static constexpr int threads = 128;
    static constexpr int per_thread = 2;
    static constexpr int per_block = threads * per_thread; /* voxels */
    static constexpr int tile = 256;                       /* samples in shared memory */

    struct args {
        const float *x, *y, *z;
        const float4 *samples; /* k in cycles per unit of length, |phi|^2 */
        float *re, *im;
        int voxels, count; /* samples of the chunk */
        int add;           /* 0: this chunk is the first, its sums are stored */
    };
    struct shared {
        float4 sample[tile];
    };

    template <class Barrier>
    static __device__ void run(const args &a, int block, int thread, shared *s, Barrier barrier)
    {
        float x[per_thread], y[per_thread], z[per_thread];
        float re[per_thread], im[per_thread];
#pragma unroll
        for (int i = 0; i < per_thread; i++) {
            int voxel = block * per_block + i * threads + thread;
            bool inside = voxel < a.voxels;
            x[i] = inside ? a.x[voxel] : 0.0f;
            y[i] = inside ? a.y[voxel] : 0.0f;
            z[i] = inside ? a.z[voxel] : 0.0f;
            re[i] = inside && a.add != 0 ? a.re[voxel] : 0.0f;
            im[i] = inside && a.add != 0 ? a.im[voxel] : 0.0f;
        }
        for (int first = 0; first < a.count; first += tile) {
            int here = min(tile, a.count - first);
            for (int i = thread; i < here; i += threads)
                s->sample[i] = a.samples[first + i];
            barrier.sync();
#pragma unroll 4
            for (int k = 0; k < here; k++) {
                float4 sample = s->sample[k];
#pragma unroll
                for (int i = 0; i < per_thread; i++) {
                    float sine, cosine;
                    cal_fast_sincos(sample.x * x[i] + sample.y * y[i] + sample.z * z[i], &sine,
                                    &cosine);
                    re[i] += sample.w * cosine;
                    im[i] += sample.w * sine;
                }
            }
            barrier.sync();
        }
#pragma unroll
        for (int i = 0; i < per_thread; i++) {
            int voxel = block * per_block + i * threads + thread;
            if (voxel < a.voxels) {
                a.re[voxel] = re[i];
                a.im[voxel] = im[i];
            }
        }
    }
};

#endif
