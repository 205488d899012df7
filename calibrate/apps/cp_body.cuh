/*
 * cp_body.cuh - the potential of a chunk of atoms in a plane, of cp.cu. A block has 128 by 8 points
 * of the plane; a thread has eight of one row, 16 apart, so that a warp writes without gaps.
 */
#ifndef DCS_CALIBRATE_APPS_CP_BODY_CUH
#define DCS_CALIBRATE_APPS_CP_BODY_CUH

#include "calibrate/apps/body.cuh"

struct cal_cp_body {
    static constexpr int threads = 128;
    static constexpr int across = 16, rows = 8; /* threads */
    static constexpr int per_thread = 8;
    static constexpr int width = across * per_thread; /* points of a block's row */
    static constexpr int tile = 256;                  /* atoms in shared memory */

    struct args {
        const float4 *atoms; /* x, y, square of the distance to the plane, charge */
        float *potential;
        float spacing;
        int edge, count; /* points along the plane's edge; atoms of the chunk */
        int add;         /* 0: this chunk is the first, its sums are stored */
    };
    struct shared {
        float4 atom[tile];
    };

    /* Blocks of a plane. */
    static __host__ __device__ int blocks(int edge)
    {
        return (edge + width - 1) / width * ((edge + rows - 1) / rows);
    }

    template <class Barrier>
    static __device__ void run(const args &a, int block, int thread, shared *s, Barrier barrier)
    {
        int blocks_across = (a.edge + width - 1) / width;
        int column = block % blocks_across * width + thread % across;
        int row = block / blocks_across * rows + thread / across;
        float x = (float)column * a.spacing, y = (float)row * a.spacing;
        float step = (float)across * a.spacing;
        float sum[per_thread];
#pragma unroll
        for (int i = 0; i < per_thread; i++)
            sum[i] = 0.0f;
        for (int first = 0; first < a.count; first += tile) {
            int here = min(tile, a.count - first);
            for (int i = thread; i < here; i += threads)
                s->atom[i] = a.atoms[first + i];
            barrier.sync();
#pragma unroll 2
            for (int k = 0; k < here; k++) {
                float4 atom = s->atom[k];
                float dy = y - atom.y, dx = x - atom.x;
                float dyz2 = dy * dy + atom.z;
#pragma unroll
                for (int i = 0; i < per_thread; i++) {
                    float d = dx + (float)i * step;
                    sum[i] += atom.w * cal_fast_rsqrt(d * d + dyz2);
                }
            }
            barrier.sync();
        }
#pragma unroll
        for (int i = 0; i < per_thread; i++) {
            int at = column + i * across;
            if (at < a.edge && row < a.edge) {
                float *to = &a.potential[(size_t)row * a.edge + at];
                *to = a.add != 0 ? *to + sum[i] : sum[i];
            }
        }
    }
};

#endif
