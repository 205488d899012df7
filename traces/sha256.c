/*
 * sha256.c - see sha256.h. The algorithm and its constants: FIPS 180-4,
 * sections 4.2.2, 5.1.1, 5.3.3 and 6.2.2.
 */
#include "traces/sha256.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

static const uint32_t round_constants[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/* The instructions hold the eight words as (a, b, e, f) and (c, d, g, h), highest word first; two
 * rounds take one of them each, and four rounds need four words of the message schedule. */
__attribute__((target("sha,sse4.1,ssse3"))) static void
blocks_by_instruction(uint32_t state[8], const unsigned char *data, size_t count)
{
    const __m128i swap = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    __m128i abef = _mm_set_epi32((int)state[0], (int)state[1], (int)state[4], (int)state[5]);
    __m128i cdgh = _mm_set_epi32((int)state[2], (int)state[3], (int)state[6], (int)state[7]);
    for (; count > 0; count--, data += 64) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i w[16];
#pragma GCC unroll 16
        for (int i = 0; i < 16; i++) {
            if (i < 4) {
                __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(data + 16 * i));
                w[i] = _mm_shuffle_epi8(bytes, swap);
            } else {
                __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[i - 4], w[i - 3]),
                                            _mm_alignr_epi8(w[i - 1], w[i - 2], 4));
                w[i] = _mm_sha256msg2_epu32(sum, w[i - 1]);
            }
            __m128i k = _mm_load_si128((const __m128i *)(const void *)(round_constants + 4 * i));
            __m128i wk = _mm_add_epi32(w[i], k);
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(wk, 0x0e));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    uint32_t x[4], y[4];
    _mm_storeu_si128((__m128i *)(void *)x, abef);
    _mm_storeu_si128((__m128i *)(void *)y, cdgh);
    const uint32_t out[8] = {x[3], x[2], y[3], y[2], x[1], x[0], y[1], y[0]};
    memcpy(state, out, sizeof out);
}

static int has_instruction(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (b & 1u << 29) == 0)
        return 0;
    return __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("sse4.1");
}
#endif

void trace_sha256_init_portable(struct trace_sha256 *s)
{
    memset(s, 0, sizeof *s);
    SHA256Init(&s->libmd);
}

void trace_sha256_init(struct trace_sha256 *s)
{
    static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    trace_sha256_init_portable(s);
    memcpy(s->state, initial, sizeof initial);
#if defined(__x86_64__)
    if (has_instruction())
        s->blocks = blocks_by_instruction;
#endif
}

void trace_sha256_add(struct trace_sha256 *s, const void *data, size_t length)
{
    if (s->blocks == NULL) {
        SHA256Update(&s->libmd, data, length);
        return;
    }
    const unsigned char *at = data;
    size_t held = s->bytes % 64;
    s->bytes += length;
    if (held > 0) {
        size_t take = length < 64 - held ? length : 64 - held;
        memcpy(s->rest + held, at, take);
        at += take;
        length -= take;
        if (held + take < 64)
            return;
        s->blocks(s->state, s->rest, 1);
    }
    s->blocks(s->state, at, length / 64);
    memcpy(s->rest, at + length / 64 * 64, length % 64);
}

void trace_sha256_end(struct trace_sha256 *s, char hex[65])
{
    if (s->blocks == NULL) {
        SHA256End(&s->libmd, hex);
        return;
    }
    uint64_t bits = s->bytes * 8;
    unsigned char tail[72] = {0x80};
    size_t zeros = (119 - s->bytes % 64) % 64 + 1; /* the 0x80 counted */
    for (int i = 0; i < 8; i++)
        tail[zeros + (size_t)i] = (unsigned char)(bits >> (56 - 8 * i));
    trace_sha256_add(s, tail, zeros + 8);
    for (int i = 0; i < 8; i++)
        snprintf(hex + 8 * i, 9, "%08x", (unsigned)s->state[i]);
}
