/*
 * sgemm_body.cuh - one 128 by 64 tile of C = alpha A B + beta C on CUDA cores, of sgemm.cu. A
 * thread has 8 by 8 elements in registers, as four 4 by 4 quarters, so that a warp reads shared
 * memory in float4 without conflicts; the next slices of A and B are on their way while one is
 * multiplied.
 */
#ifndef DCS_CALIBRATE_APPS_SGEMM_BODY_CUH
#define DCS_CALIBRATE_APPS_SGEMM_BODY_CUH

#include "calibrate/apps/body.cuh"

struct cal_sgemm_body {
    static constexpr int threads = 128;
    static constexpr int rows = 128, columns = 64, depth = 8; /* of a tile and its slices */
    static constexpr int rows_padded = rows + 4; /* A is transposed into shared memory */

    /* Row-major, without gaps; dimensions are whole tiles. */
    struct args {
        const float *a, *b;
        float *c;
        int n, k; /* the block's number gives the row */
        float alpha, beta;
    };
    struct shared {
        float4 a[2][depth][rows_padded / 4];
        float4 b[2][depth][columns / 4];
    };

    template <class Barrier>
    static __device__ void run(const args &p, int block, int thread, shared *s, Barrier barrier)
    {
        int tiles_across = p.n / columns;
        size_t first_row = (size_t)(block / tiles_across) * rows;
        size_t first_column = (size_t)(block % tiles_across) * columns;
        /* Loads: two float4 of A, one of B. */
        int a_row = thread / 2, a_k = thread % 2 * 4;
        int b_k = thread / 16, b_column = thread % 16;
        const float *a_from = p.a + (first_row + (size_t)a_row) * (size_t)p.k + a_k;
        const float *b_from = p.b + (size_t)b_k * (size_t)p.n + first_column + b_column * 4;
        size_t half_down = (size_t)(rows / 2) * (size_t)p.k;
        int ty = thread / 8, tx = thread % 8;
        float sum[8][8];
#pragma unroll
        for (int i = 0; i < 8; i++)
#pragma unroll
            for (int j = 0; j < 8; j++)
                sum[i][j] = 0.0f;

        float4 next_a[2], next_b;
        next_a[0] = *(const float4 *)a_from;
        next_a[1] = *(const float4 *)(a_from + half_down);
        next_b = *(const float4 *)b_from;
        int buffer = 0;
        for (int k = 0; k < p.k; k += depth, buffer ^= 1) {
#pragma unroll
            for (int half = 0; half < 2; half++) {
                int row = a_row + half * rows / 2;
                ((float *)s->a[buffer][a_k + 0])[row] = next_a[half].x;
                ((float *)s->a[buffer][a_k + 1])[row] = next_a[half].y;
                ((float *)s->a[buffer][a_k + 2])[row] = next_a[half].z;
                ((float *)s->a[buffer][a_k + 3])[row] = next_a[half].w;
            }
            s->b[buffer][b_k][b_column] = next_b;
            /* One barrier is enough: who writes this buffer next has passed the barrier of the
             * other one, and so has everybody who read this one. */
            barrier.sync();
            if (k + depth < p.k) {
                a_from += depth;
                b_from += (size_t)depth * (size_t)p.n;
                next_a[0] = *(const float4 *)a_from;
                next_a[1] = *(const float4 *)(a_from + half_down);
                next_b = *(const float4 *)b_from;
            }
#pragma unroll
            for (int d = 0; d < depth; d++) {
                float4 a0 = s->a[buffer][d][ty], a1 = s->a[buffer][d][ty + rows / 8];
                float4 b0 = s->b[buffer][d][tx], b1 = s->b[buffer][d][tx + columns / 8];
                const float a[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
                const float b[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
                for (int i = 0; i < 8; i++)
#pragma unroll
                    for (int j = 0; j < 8; j++)
                        sum[i][j] += a[i] * b[j];
            }
        }
#pragma unroll
        for (int i = 0; i < 8; i++) {
            size_t row = first_row + (size_t)(i / 4 * (rows / 2) + ty * 4 + i % 4);
#pragma unroll
            for (int half = 0; half < 2; half++) {
                size_t column = first_column + (size_t)(half * (columns / 2) + tx * 4);
                float4 *to = (float4 *)(p.c + row * (size_t)p.n + column);
                const float *from = &sum[i][half * 4];
                float4 value = make_float4(p.alpha * from[0], p.alpha * from[1], p.alpha * from[2],
                                           p.alpha * from[3]);
                if (p.beta != 0.0f) {
                    float4 old = *to;
                    value.x += p.beta * old.x;
                    value.y += p.beta * old.y;
                    value.z += p.beta * old.z;
                    value.w += p.beta * old.w;
                }
                *to = value;
            }
        }
    }
};

#endif
