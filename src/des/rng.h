/*
 * rng.h - random numbers: a counter-based generator (Philox4x32-10, Salmon et al., "Parallel random
 * numbers: as easy as 1, 2, 3", SC'11) behind two ways of asking.
 *
 * A *stream* is a sequence for one purpose and one entity: the arrivals of job 7, say.
 * A *point* is a short sequence that belongs to one kernel of one request: a pure function of
 * (seed, replication, purpose, job, request, kernel, attempt). The order in which points are asked
 * for, the device and the policy do not matter, so all policies meet the same world.
 *
 * How long a kill takes is neither: it belongs to a device and the number of kills on it, since
 * what is killed is the policy's choice.
 *
 * All 64 bits of the seed count. Purposes are named here, in one enum; a number is never reused.
 */
#ifndef DCS_DES_RNG_H
#define DCS_DES_RNG_H

#include "des/base.h"

#include <stdint.h>

enum dcs_purpose {
    DCS_RNG_JOBS = 1,      /* classes, durations and applications of generated jobs */
    DCS_RNG_ARRIVALS = 2,  /* inter-arrival times of a job's requests, or of jobs */
    DCS_RNG_SERVICE = 3,   /* true duration of a kernel whose application has a distribution */
    DCS_RNG_INPUT = 4,     /* input size of a request */
    DCS_RNG_NOISE = 5,     /* run-to-run noise of a kernel */
    DCS_RNG_ROUTER = 6,    /* random routing */
    DCS_RNG_POLICY = 7,    /* what a policy draws; entity = domain */
    DCS_RNG_BOOTSTRAP = 8, /* resampling of results */
    DCS_RNG_THINK = 9,     /* think times of closed-loop clients */
    DCS_RNG_SCRAMBLE = 10, /* the truth scramble of the conformance test */
    DCS_RNG_TRACE = 11,    /* class, duration and demand of a job drawn from a fitted trace */
    DCS_RNG_THIN = 12,     /* which jobs of a trace are kept, and which are latency jobs */
    DCS_RNG_PEAK = 13,     /* gaps for finding the highest load that a service bears */
    DCS_RNG_SPLIT = 14,    /* which input sizes a predictor is tested on */
    DCS_RNG_WEIGHTS = 15,  /* where the training of a network begins */
    DCS_RNG_PROFILE = 16,  /* what a profile could have measured of a kernel instead */
    DCS_RNG_RUNS = 17,     /* runs on a CPU that predictors are trained on */
    DCS_RNG_KILLS = 18,    /* how long killing a process takes; entity = device, kills on it */
};

struct dcs_rng {
    uint32_t key[2];
    uint32_t counter[4];
    uint32_t block[4];
    uint32_t used; /* words of block already given out; 4 = empty */
};

/* Philox4x32-10 itself, for the known-answer test. */
void dcs_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* A stream of 2^64 blocks for one purpose and entity. */
void dcs_rng_stream(struct dcs_rng *rng, uint64_t seed, uint32_t replication,
                    enum dcs_purpose purpose, uint64_t entity);

/* What all points of one run, purpose and job have in common: worked out once, it saves each of
 * them half of its work. */
struct dcs_rng_points {
    uint32_t key[2];
};
struct dcs_rng_points dcs_rng_points(uint64_t seed, uint32_t replication, enum dcs_purpose purpose,
                                     uint64_t job);
/* One of them, as dcs_rng_point() gives it. */
static inline void dcs_rng_at(struct dcs_rng *rng, const struct dcs_rng_points *points,
                              uint64_t request, uint32_t kernel, uint32_t attempt)
{
    DCS_ASSERT(kernel < 1u << 16);
    DCS_ASSERT(attempt < 1u << 16);
    rng->key[0] = points->key[0];
    rng->key[1] = points->key[1];
    rng->counter[0] = 0;
    rng->counter[1] = kernel | attempt << 16;
    rng->counter[2] = (uint32_t)request;
    rng->counter[3] = (uint32_t)(request >> 32);
    rng->used = 4;
}

/* A point (see the top). kernel < 2^16, attempt < 2^16 (asserted); 2^32 blocks. request: any. */
void dcs_rng_point(struct dcs_rng *rng, uint64_t seed, uint32_t replication,
                   enum dcs_purpose purpose, uint64_t job, uint64_t request, uint32_t kernel,
                   uint32_t attempt);

static inline uint64_t dcs_rng_u64(struct dcs_rng *rng)
{
    if (rng->used == 4) {
        dcs_philox(rng->counter, rng->key, rng->block);
        if (++rng->counter[0] == 0)
            rng->counter[1]++;
        rng->used = 0;
    }
    /* dcs_philox() fills all four.
     * NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
    uint64_t x = rng->block[rng->used] | (uint64_t)rng->block[rng->used + 1] << 32;
    rng->used += 2;
    return x;
}

/* Uniform on [0, 1), 53 bits. */
static inline double dcs_rng_uniform(struct dcs_rng *rng)
{
    return (double)(int64_t)(dcs_rng_u64(rng) >> 11) * 0x1p-53;
}

/* Uniform on (0, 1): never 0, never 1; for logarithms. The middles of 2^52 equal parts: symmetric
 * about 1/2, and exact in 53 bits. */
static inline double dcs_rng_open(struct dcs_rng *rng)
{
    return ((double)(int64_t)(dcs_rng_u64(rng) >> 12) + 0.5) * 0x1p-52;
}

/* Uniform on 0..n-1 without bias; n >= 1. */
uint64_t dcs_rng_below(struct dcs_rng *rng, uint64_t n);

#endif
