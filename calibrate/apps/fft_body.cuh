/*
 * fft_body.cuh - one signal of fft.cu: forward transform, product with a filter, inverse transform,
 * all in shared memory and registers. A thread has eight of the 1024 points, as two butterflies of
 * radix four in each of five passes.
 */
#ifndef DCS_CALIBRATE_APPS_FFT_BODY_CUH
#define DCS_CALIBRATE_APPS_FFT_BODY_CUH

#include "calibrate/apps/body.cuh"

struct cal_fft_body {
    static constexpr int threads = 128;
    static constexpr int points = 1024;
    static constexpr int quarter = points / 4;
    static constexpr int butterflies = quarter / threads; /* of a thread */

    struct args {
        const float2 *from;
        float2 *to;
        const float2 *filter; /* in the order of frequencies; holds the 1 / points */
        int signals;
    };
    struct shared {
        float2 point[points + points / 16];
    };

    /* Steps of four points, as early passes write them, would meet in a quarter of the banks. */
    static __device__ __forceinline__ int place(int i)
    {
        return i + i / 16;
    }

    static __device__ __forceinline__ float2 times(float2 a, float2 b)
    {
        return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
    }

    /* Stockham's autosort: `done` points are transformed already; reads v, leaves the result in
     * shared memory. direction: -1 forward, 1 inverse. */
    template <int done, int direction>
    static __device__ __forceinline__ void pass(float2 v[butterflies][4], int thread, shared *s)
    {
#pragma unroll
        for (int b = 0; b < butterflies; b++) {
            int j = thread + b * threads, k = j % done;
            float2 *p = v[b];
            if (done > 1) {
                float angle = (float)direction * 6.2831853f / (float)(4 * done) * (float)k;
                float2 w1 = make_float2(__cosf(angle), __sinf(angle));
                float2 w2 = times(w1, w1);
                p[1] = times(p[1], w1);
                p[2] = times(p[2], w2);
                p[3] = times(p[3], times(w2, w1));
            }
            float2 a = make_float2(p[0].x + p[2].x, p[0].y + p[2].y);
            float2 c = make_float2(p[0].x - p[2].x, p[0].y - p[2].y);
            float2 e = make_float2(p[1].x + p[3].x, p[1].y + p[3].y);
            /* (p1 - p3) times the imaginary unit, or minus it forward. */
            float2 g = make_float2((float)direction * (p[3].y - p[1].y),
                                   (float)direction * (p[1].x - p[3].x));
            int first = (j - k) * 4 + k;
            s->point[place(first)] = make_float2(a.x + e.x, a.y + e.y);
            s->point[place(first + done)] = make_float2(c.x + g.x, c.y + g.y);
            s->point[place(first + 2 * done)] = make_float2(a.x - e.x, a.y - e.y);
            s->point[place(first + 3 * done)] = make_float2(c.x - g.x, c.y - g.y);
        }
    }

    template <class Barrier>
    static __device__ __forceinline__ void gather(float2 v[butterflies][4], int thread, shared *s,
                                                  Barrier barrier)
    {
        barrier.sync();
#pragma unroll
        for (int b = 0; b < butterflies; b++)
#pragma unroll
            for (int r = 0; r < 4; r++)
                v[b][r] = s->point[place(thread + b * threads + r * quarter)];
        barrier.sync();
    }

    /* From v to v, in natural order. */
    template <int direction, class Barrier>
    static __device__ __forceinline__ void transform(float2 v[butterflies][4], int thread,
                                                     shared *s, Barrier barrier)
    {
        pass<1, direction>(v, thread, s);
        gather(v, thread, s, barrier);
        pass<4, direction>(v, thread, s);
        gather(v, thread, s, barrier);
        pass<16, direction>(v, thread, s);
        gather(v, thread, s, barrier);
        pass<64, direction>(v, thread, s);
        gather(v, thread, s, barrier);
        pass<256, direction>(v, thread, s);
        gather(v, thread, s, barrier);
    }

    template <class Barrier>
    static __device__ void run(const args &a, int block, int thread, shared *s, Barrier barrier)
    {
        if (block >= a.signals)
            return;
        const float2 *from = a.from + (size_t)block * points;
        float2 *to = a.to + (size_t)block * points;
        float2 v[butterflies][4];
#pragma unroll
        for (int b = 0; b < butterflies; b++)
#pragma unroll
            for (int r = 0; r < 4; r++)
                v[b][r] = from[thread + b * threads + r * quarter];
        transform<-1>(v, thread, s, barrier);
#pragma unroll
        for (int b = 0; b < butterflies; b++)
#pragma unroll
            for (int r = 0; r < 4; r++)
                v[b][r] = times(v[b][r], a.filter[thread + b * threads + r * quarter]);
        transform<1>(v, thread, s, barrier);
#pragma unroll
        for (int b = 0; b < butterflies; b++)
#pragma unroll
            for (int r = 0; r < 4; r++)
                to[thread + b * threads + r * quarter] = v[b][r];
    }
};

#endif
