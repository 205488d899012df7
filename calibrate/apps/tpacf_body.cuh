/*
 * tpacf_body.cuh - the histogram of angles between 128 points and all of a set, of tpacf.cu. Each
 * lane of a warp counts in a column of its own, so that nothing is atomic until the end.
 */
#ifndef DCS_CALIBRATE_APPS_TPACF_BODY_CUH
#define DCS_CALIBRATE_APPS_TPACF_BODY_CUH

#include "calibrate/apps/body.cuh"

struct cal_tpacf_body {
    static constexpr int threads = 128;
    static constexpr int bins = 20, counters = bins + 2; /* and below, and above */
    static constexpr int thresholds = 32;                /* a power of 2; bins + 1 are in use */

    /* Points are unit vectors, [set][x, y, z][point]. */
    struct args {
        const float *a, *b;
        size_t a_stride;         /* floats from set to set; 0: the same a for every set of b */
        const float *thresholds; /* cosines, falling; beyond those in use: -2 */
        unsigned *histogram;     /* [set][counter], added to */
        int points, sets;
        int within; /* a and b are the same set: each pair once, no point with itself */
    };
    struct shared {
        float4 point[threads];
        float threshold[thresholds];
        unsigned count[threads / 32][counters][32];
    };

    template <class Barrier>
    static __device__ void run(const args &a, int block, int thread, shared *s, Barrier barrier)
    {
        int tiles = (a.points + threads - 1) / threads;
        int set = block / tiles, tile = block % tiles;
        if (set >= a.sets)
            return;
        const float *from = a.a + (size_t)set * a.a_stride;
        const float *to = a.b + (size_t)set * 3 * (size_t)a.points;
        unsigned(*count)[32] = s->count[thread / 32];
        int lane = thread % 32, mine = tile * threads + thread;
        for (int i = 0; i < counters; i++)
            count[i][lane] = 0;
        if (thread < thresholds)
            s->threshold[thread] = a.thresholds[thread];
        float x = 0, y = 0, z = 0;
        if (mine < a.points) {
            x = from[mine];
            y = from[a.points + mine];
            z = from[2 * a.points + mine];
        }
        for (int first = a.within != 0 ? tile * threads : 0; first < a.points; first += threads) {
            int here = min(threads, a.points - first);
            if (thread < here) {
                int other = first + thread;
                s->point[thread] =
                    make_float4(to[other], to[a.points + other], to[2 * a.points + other], 0);
            }
            barrier.sync();
            int begin = a.within != 0 && first == tile * threads ? thread + 1 : 0;
            int end = mine < a.points ? here : 0;
            for (int k = begin; k < end; k++) {
                float4 other = s->point[k];
                float cosine = x * other.x + y * other.y + z * other.z;
                int larger = 0; /* thresholds that are larger than the cosine */
#pragma unroll
                for (int half = thresholds / 2; half > 0; half /= 2)
                    if (cosine < s->threshold[larger + half - 1])
                        larger += half;
                count[larger][lane]++;
            }
            barrier.sync();
        }
        /* A thread adds up a counter of all warps; lanes begin at columns of their own. */
        if (thread < counters) {
            unsigned sum = 0;
            for (int warp = 0; warp < threads / 32; warp++)
                for (int i = 0; i < 32; i++)
                    sum += s->count[warp][thread][(thread + i) % 32];
            if (sum != 0)
                atomicAdd(&a.histogram[set * counters + thread], sum);
        }
    }
};

#endif
