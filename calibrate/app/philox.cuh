/*
 * philox.cuh - a counter-based generator for kernels and their references: Philox 4x32-10, Salmon,
 * Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. Four words are a
 * pure function of a 128-bit counter and a 64-bit key, so threads need no state.
 */
#ifndef DCS_CALIBRATE_PHILOX_CUH
#define DCS_CALIBRATE_PHILOX_CUH

#include <stdint.h>

struct cal_random_words {
    uint32_t word[4];
};

/* Integer operations of one call: ten rounds of two 32 x 32 products (high and low half each), four
 * exclusive-ors and two additions to the key. For the counted work of kernels. */
#define CAL_PHILOX_OPERATIONS 100

static inline __host__ __device__ struct cal_random_words
cal_philox(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3, uint64_t key)
{
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    for (int round = 0; round < 10; round++) {
        uint64_t a = (uint64_t)c0 * 0xd2511f53u, b = (uint64_t)c2 * 0xcd9e8d57u;
        uint32_t next0 = (uint32_t)(b >> 32) ^ c1 ^ k0;
        uint32_t next2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)b;
        c3 = (uint32_t)a;
        c0 = next0;
        c2 = next2;
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    struct cal_random_words out = {{c0, c1, c2, c3}};
    return out;
}

/* (0, 1]: the middle of one of 2^24 steps would need a bit more than a float has, the upper end
 * does not, and its logarithm is finite. */
static inline __host__ __device__ float cal_uniform(uint32_t word)
{
    return (float)((word >> 8) + 1) * 0x1p-24f;
}

#endif
