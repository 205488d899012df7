/*
 * split_mc.c - the price of a European call by Monte Carlo. An iteration is a path, which is one
 * step under the law of Black and Scholes; each side adds up what its paths pay.
 *
 * Random numbers are Philox 4x32-10 (app/philox.cuh), which gives those of four paths at once, and
 * Box and Muller's normals. Loops are over lanes, with functions of their own in place of libm's,
 * so that the compiler makes vectors of them: polynomials after Moshier's Cephes library.
 */
#include "calibrate/split/split_inputs.h"
#include "calibrate/split/split_option.h"

#include <math.h>
#include <string.h>

enum { LANES = CAL_SPLIT_LANES, PER_GROUP = 4, BLOCK = LANES * PER_GROUP };

#define INLINE static inline __attribute__((always_inline))

static void shape(struct cal_split *s)
{
    s->iterations = s->n;
    s->sums = true;
}

/* The words of groups first, first + 1, ... of four paths. */
INLINE void draw_words(uint64_t first, uint64_t key, uint32_t words[PER_GROUP][LANES])
{
    uint32_t c0[LANES], c1[LANES], c2[LANES], c3[LANES];
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    for (int i = 0; i < LANES; i++) {
        c0[i] = (uint32_t)(first + (uint64_t)i);
        c1[i] = (uint32_t)((first + (uint64_t)i) >> 32);
        c2[i] = c3[i] = 0;
    }
    for (int round = 0; round < 10; round++) {
#pragma GCC unroll 1
        for (int i = 0; i < LANES; i++) {
            uint64_t a = (uint64_t)c0[i] * 0xd2511f53u, b = (uint64_t)c2[i] * 0xcd9e8d57u;
            uint32_t next0 = (uint32_t)(b >> 32) ^ c1[i] ^ k0;
            uint32_t next2 = (uint32_t)(a >> 32) ^ c3[i] ^ k1;
            c1[i] = (uint32_t)b;
            c3[i] = (uint32_t)a;
            c0[i] = next0;
            c2[i] = next2;
        }
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    for (int i = 0; i < LANES; i++) {
        words[0][i] = c0[i];
        words[1][i] = c1[i];
        words[2][i] = c2[i];
        words[3][i] = c3[i];
    }
}

union number {
    float f;
    int32_t i;
};

/* Natural logarithm of 2^-24 .. 1. */
INLINE float log_of(float x)
{
    union number m = {.f = x};
    int32_t shift = m.i - 0x3f3504f3; /* sqrt(1/2): m is then sqrt(1/2) .. sqrt(2) */
    float exponent = (float)(shift >> 23);
    m.i = (shift & 0x7fffff) + 0x3f3504f3;
    float y = m.f - 1, p = 7.0376836292e-2f;
    p = p * y - 1.1514610310e-1f;
    p = p * y + 1.1676998740e-1f;
    p = p * y - 1.2420140846e-1f;
    p = p * y + 1.4249322787e-1f;
    p = p * y - 1.6668057665e-1f;
    p = p * y + 2.0000714765e-1f;
    p = p * y - 2.4999993993e-1f;
    p = p * y + 3.3333331174e-1f;
    return y + (y * y * (y * p - 0.5f) + exponent * 0.693147181f);
}

/* e^x for |x| < 80. */
INLINE float exp_of(float x)
{
    int32_t whole = (int32_t)(x * 1.44269504f + (x < 0 ? -0.5f : 0.5f));
    float y = x - (float)whole * 0.693359375f + (float)whole * 2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * y + 1.3981999507e-3f;
    p = p * y + 8.3334519073e-3f;
    p = p * y + 4.1665795894e-2f;
    p = p * y + 1.6666665459e-1f;
    p = p * y + 5.0000001201e-1f;
    union number power = {.i = (whole + 127) << 23};
    return (p * y * y + y + 1) * power.f;
}

/* Cosine and sine of u turns, 0 <= u <= 1. */
INLINE void turn(float u, float *cosine, float *sine)
{
    int32_t quarter = (int32_t)(4 * u + 0.5f);
    float x = (u - 0.25f * (float)quarter) * 6.28318531f, z = x * x;
    float c =
        1 - 0.5f * z + z * z * (4.166664568e-2f + z * (-1.388731625e-3f + z * 2.443315712e-5f));
    float s = x + x * z * (-1.6666654611e-1f + z * (8.3321608736e-3f - z * 1.9515295891e-4f));
    bool odd = quarter & 1;
    float a = odd ? s : c, b = odd ? c : s;
    *cosine = (quarter + 1) & 2 ? -a : a;
    *sine = quarter & 2 ? -b : b;
}

/* What the paths of LANES groups pay. */
INLINE void pay(uint64_t first, uint64_t key, float paid[PER_GROUP][LANES])
{
    uint32_t words[PER_GROUP][LANES];
    draw_words(first, key, words);
    for (int pair = 0; pair < PER_GROUP; pair += 2)
#pragma GCC unroll 1
        for (int i = 0; i < LANES; i++) {
            float u = (float)(int32_t)((words[pair][i] >> 8) + 1) * 0x1p-24f;
            float v = (float)(int32_t)((words[pair + 1][i] >> 8) + 1) * 0x1p-24f;
            float radius = sqrtf(-2 * log_of(u)), cosine, sine;
            turn(v, &cosine, &sine);
            float a =
                CAL_OPTION_PRICE * exp_of(CAL_OPTION_DRIFT + CAL_OPTION_SPREAD * radius * cosine);
            float b =
                CAL_OPTION_PRICE * exp_of(CAL_OPTION_DRIFT + CAL_OPTION_SPREAD * radius * sine);
            paid[pair][i] = a > CAL_OPTION_STRIKE ? a - CAL_OPTION_STRIKE : 0;
            paid[pair + 1][i] = b > CAL_OPTION_STRIKE ? b - CAL_OPTION_STRIKE : 0;
        }
}

CAL_SPLIT_FAST static void compute(struct cal_split *s, int64_t begin, int64_t end, uint32_t thread)
{
    double sums[LANES] = {0}, edge = 0;
    float paid[PER_GROUP][LANES];
    for (int64_t at = begin - begin % BLOCK; at < end; at += BLOCK) {
        pay((uint64_t)at / PER_GROUP, s->seed, paid);
        if (at >= begin && at + BLOCK <= end) {
            for (int i = 0; i < LANES; i++)
                sums[i] += (double)(paid[0][i] + paid[1][i] + (paid[2][i] + paid[3][i]));
            continue;
        }
        for (int64_t path = begin > at ? begin : at; path < end && path < at + BLOCK; path++)
            edge += (double)paid[path % PER_GROUP][(path - at) / PER_GROUP];
    }
    for (int i = 0; i < LANES; i++)
        edge += sums[i];
    *cal_split_sum(s, thread) += edge;
}

static void begin_pass(struct cal_split *s, int pass)
{
    for (uint32_t i = 0; pass == 0 && i <= CAL_SPLIT_THREADS_MAX; i++)
        *cal_split_sum(s, i) = 0;
}

static size_t results(const struct cal_split *s, float *to)
{
    double sum = 0;
    for (uint32_t i = 0; i <= CAL_SPLIT_THREADS_MAX; i++)
        sum += *cal_split_sum(s, i);
    if (to != NULL)
        *to = (float)(sum / (double)s->n);
    return 1;
}

const struct cal_split_program cal_split_mc = {
    .id = CAL_SPLIT_MC,
    .name = "mc",
    .what = "the price of a European call by Monte Carlo; an iteration is a path",
    .algorithm = "Boyle, Options: a Monte Carlo approach, 1977",
    .unit = "paths",
    .passes = 1,
    .chunk_min = 256,
    .together = BLOCK,
    .sizes = {64 << 20, 4 << 20, 16 << 20},
    .size_check = 10000,
    .tolerance = 1e-5,
    .shape = shape,
    .begin_pass = begin_pass,
    .compute = compute,
    .results = results,
};
