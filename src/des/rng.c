/*
 * rng.c - Philox4x32-10 and how streams and points are laid out on it. See rng.h for the contract.
 *
 * A generator is addressed by 64 bits of key and 128 bits of counter; a point has more to say than
 * that. So the key is drawn first, by Philox itself, from what belongs to a run and an entity:
 *
 *   d = philox(counter = {seed low, seed high, replication, purpose}, key = entity or job)
 *   stream:  key {d0, d1}, counter {block, block, d2, d3}
 *   point:   key {d0, d1}, counter {block, kernel and attempt, request low, request high}
 *
 * With the entity fixed, d is a bijection of (seed, replication, purpose): two of them never get
 * the same 128 bits. All requests, kernels and attempts of a job are told apart exactly; two jobs
 * share a key with probability 2^-64. Streams and points differ in a bit of the purpose.
 *
 * Source: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as easy as 1, 2, 3",
 * SC'11, section 3.3 (Philox; the constants are in its table of recommended multipliers).
 */
#include "des/rng.h"

#include "des/base.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define POINT_BIT 0x80000000u

/* The key's Weyl sequence: golden ratio, sqrt(3) - 1. */
#define WEYL_0  0x9E3779B9u
#define WEYL_1  0xBB67AE85u
#define TIMES_0 0xD2511F53u
#define TIMES_1 0xCD9E8D57u

#ifdef __SSE2__
/* Both products of a round in one instruction: half the instructions, the same bits. */
void dcs_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    const __m128i times = _mm_set_epi32(0, (int)TIMES_1, 0, (int)TIMES_0);
    const __m128i weyl = _mm_set_epi32(0, (int)WEYL_1, 0, (int)WEYL_0);
    __m128i c = _mm_loadu_si128((const __m128i *)(const void *)counter);
    __m128i k = _mm_set_epi32(0, (int)key[1], 0, (int)key[0]);
    for (int round = 0; round < 10; round++) {
        __m128i products = _mm_mul_epu32(c, times); /* low 0, high 0, low 1, high 1 */
        __m128i turned = _mm_shuffle_epi32(products, _MM_SHUFFLE(0, 1, 2, 3));
        c = _mm_xor_si128(_mm_xor_si128(turned, k), _mm_srli_epi64(c, 32));
        k = _mm_add_epi32(k, weyl);
    }
    _mm_storeu_si128((__m128i *)(void *)out, c);
}
#else
void dcs_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)TIMES_0 * c0;
        uint64_t p1 = (uint64_t)TIMES_1 * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        k0 += WEYL_0;
        k1 += WEYL_1;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}
#endif

static uint32_t low(uint64_t x)
{
    return (uint32_t)x;
}

static uint32_t high(uint64_t x)
{
    return (uint32_t)(x >> 32);
}

/* d of the head of this file. */
static void derive(uint32_t out[4], uint64_t seed, uint32_t replication, uint32_t purpose,
                   uint64_t entity)
{
    const uint32_t counter[4] = {low(seed), high(seed), replication, purpose};
    const uint32_t key[2] = {low(entity), high(entity)};
    dcs_philox(counter, key, out);
}

void dcs_rng_stream(struct dcs_rng *rng, uint64_t seed, uint32_t replication,
                    enum dcs_purpose purpose, uint64_t entity)
{
    uint32_t d[4];
    derive(d, seed, replication, (uint32_t)purpose, entity);
    *rng = (struct dcs_rng){.key = {d[0], d[1]}, .counter = {0, 0, d[2], d[3]}, .used = 4};
}

struct dcs_rng_points dcs_rng_points(uint64_t seed, uint32_t replication, enum dcs_purpose purpose,
                                     uint64_t job)
{
    uint32_t d[4];
    derive(d, seed, replication, (uint32_t)purpose | POINT_BIT, job);
    return (struct dcs_rng_points){.key = {d[0], d[1]}};
}

void dcs_rng_point(struct dcs_rng *rng, uint64_t seed, uint32_t replication,
                   enum dcs_purpose purpose, uint64_t job, uint64_t request, uint32_t kernel,
                   uint32_t attempt)
{
    const struct dcs_rng_points points = dcs_rng_points(seed, replication, purpose, job);
    dcs_rng_at(rng, &points, request, kernel, attempt);
}

/* D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29(1), 2019, algorithm 5:
 * the high half of x * n, where the 2^64 mod n lowest products of each value are refused. */
uint64_t dcs_rng_below(struct dcs_rng *rng, uint64_t n)
{
    DCS_ASSERT(n >= 1);
    unsigned __int128 product = (unsigned __int128)dcs_rng_u64(rng) * n;
    if ((uint64_t)product < n) {
        uint64_t refused = (0 - n) % n;
        while ((uint64_t)product < refused)
            product = (unsigned __int128)dcs_rng_u64(rng) * n;
    }
    return (uint64_t)(product >> 64);
}
