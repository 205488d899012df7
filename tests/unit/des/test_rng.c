/*
 * test_rng.c - the generator and how it is addressed.
 *
 * Pins: Philox4x32-10 against the three known answers that its authors publish with their library
 * (Random123, kat_vectors); the exact first numbers of a stream and a point, since stored results
 * depend on them; that every bit of seed, replication, entity, request, kernel and attempt gives
 * other numbers; that streams, points and purposes do not meet; ranges; refusal sampling.
 * Does not pin: distributions and independence, see tests/stat/test_distributions.c.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/base.h"
#include "des/rng.h"

#include <stdlib.h>
#include <string.h>

static void known_answers(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } cases[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
         {UINT32_MAX, UINT32_MAX},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t out[4];
        dcs_philox(cases[i].counter, cases[i].key, out);
        assert_memory_equal(out, cases[i].out, sizeof out);
    }
}

/* The words of a stream come from philox(counter + block, key), low word first, all of them used.
 */
static void streams_are_philox(void **state)
{
    (void)state;
    struct dcs_rng rng = {0};
    dcs_rng_stream(&rng, 42, 1, DCS_RNG_ARRIVALS, 7);
    struct dcs_rng start = rng;
    for (uint32_t block = 0; block < 3; block++) {
        uint32_t out[4], counter[4];
        memcpy(counter, start.counter, sizeof counter);
        counter[0] += block;
        dcs_philox(counter, start.key, out);
        for (size_t i = 0; i < 4; i += 2)
            assert_int_equal(dcs_rng_u64(&rng), out[i] | (uint64_t)out[i + 1] << 32);
    }
    /* The block number is one of 64 bits. */
    rng = start;
    rng.counter[0] = UINT32_MAX;
    dcs_rng_u64(&rng);
    assert_int_equal(rng.counter[0], 0);
    assert_int_equal(rng.counter[1], 1);
}

static void first_numbers_stay(void **state)
{
    (void)state;
    struct dcs_rng rng = {0};
    dcs_rng_stream(&rng, 1, 0, DCS_RNG_ARRIVALS, 0);
    assert_true(dcs_rng_u64(&rng) == 0x8606f9d06c63d38bu);
    dcs_rng_point(&rng, 1, 0, DCS_RNG_NOISE, 2, 3, 4, 5);
    assert_true(dcs_rng_u64(&rng) == 0x73cbdb84db2fdf38u);
}

static uint64_t first_of_stream(uint64_t seed, uint32_t replication, uint32_t purpose,
                                uint64_t entity)
{
    struct dcs_rng rng = {0};
    dcs_rng_stream(&rng, seed, replication, (enum dcs_purpose)purpose, entity);
    return dcs_rng_u64(&rng);
}

static uint64_t first_of_point(uint64_t seed, uint32_t replication, uint32_t purpose, uint64_t job,
                               uint64_t request, uint32_t kernel, uint32_t attempt)
{
    struct dcs_rng rng = {0};
    dcs_rng_point(&rng, seed, replication, (enum dcs_purpose)purpose, job, request, kernel,
                  attempt);
    return dcs_rng_u64(&rng);
}

static int compare_u64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* All first numbers of neighbours in any one bit are different from each other. */
static void every_bit_counts(void **state)
{
    (void)state;
    const uint64_t s = 0x123456789abcdef0;
    uint64_t seen[1000];
    size_t n = 0;
    for (int bit = 0; bit < 64; bit++) {
        uint64_t b = (uint64_t)1 << bit;
        seen[n++] = first_of_stream(s ^ b, 5, DCS_RNG_NOISE, 9);
        seen[n++] = first_of_stream(s, 5, DCS_RNG_NOISE, 9 ^ b);
        seen[n++] = first_of_point(s ^ b, 5, DCS_RNG_NOISE, 9, 10, 11, 12);
        seen[n++] = first_of_point(s, 5, DCS_RNG_NOISE, 9 ^ b, 10, 11, 12);
        seen[n++] = first_of_point(s, 5, DCS_RNG_NOISE, 9, 10 ^ b, 11, 12);
    }
    for (int bit = 0; bit < 32; bit++) {
        uint32_t b = 1u << bit;
        seen[n++] = first_of_stream(s, 5 ^ b, DCS_RNG_NOISE, 9);
        seen[n++] = first_of_point(s, 5 ^ b, DCS_RNG_NOISE, 9, 10, 11, 12);
    }
    for (int bit = 0; bit < 16; bit++) {
        uint32_t b = 1u << bit;
        seen[n++] = first_of_point(s, 5, DCS_RNG_NOISE, 9, 10, 11 ^ b, 12);
        seen[n++] = first_of_point(s, 5, DCS_RNG_NOISE, 9, 10, 11, 12 ^ b);
    }
    for (uint32_t purpose = 1; purpose <= 10; purpose++) {
        seen[n++] = first_of_stream(s, 5, purpose, 9);
        seen[n++] = first_of_point(s, 5, purpose, 9, 10, 11, 12);
    }
    qsort(seen, n, sizeof *seen, compare_u64);
    for (size_t i = 1; i < n; i++)
        assert_true(seen[i] != seen[i - 1]);
}

/* Entities are numbered from 0, so the small numbers are the ones that must not meet. */
static void small_numbers_do_not_meet(void **state)
{
    (void)state;
    size_t n = 0, most = 200000;
    uint64_t *seen = dcs_alloc(most, sizeof *seen);
    for (uint64_t seed = 0; seed < 6; seed++)
        for (uint32_t replication = 0; replication < 6; replication++)
            for (uint32_t purpose = 1; purpose <= 10; purpose++)
                for (uint64_t entity = 0; entity < 20; entity++) {
                    seen[n++] = first_of_stream(seed, replication, purpose, entity);
                    for (uint32_t i = 0; i < 16; i++)
                        seen[n++] = first_of_point(seed, replication, purpose, entity, i / 4,
                                                   i / 2 % 2, i % 2);
                }
    assert_true(n <= most);
    qsort(seen, n, sizeof *seen, compare_u64);
    for (size_t i = 1; i < n; i++)
        assert_true(seen[i] != seen[i - 1]);
    free(seen);
}

/* A point gives the same numbers whatever was asked before. */
static void points_are_pure(void **state)
{
    (void)state;
    uint64_t before = first_of_point(1, 2, DCS_RNG_NOISE, 3, 4, 5, 6);
    struct dcs_rng rng = {0};
    dcs_rng_point(&rng, 1, 2, DCS_RNG_NOISE, 3, 4, 5, 6);
    for (int i = 0; i < 5; i++)
        dcs_rng_u64(&rng);
    dcs_rng_point(&rng, 1, 2, DCS_RNG_NOISE, 3, 4, 5, 6);
    assert_true(dcs_rng_u64(&rng) == before);
}

/* A generator whose next u64 is x, by its last two words. */
static struct dcs_rng about_to_give(uint64_t x)
{
    return (struct dcs_rng){.block = {0, 0, (uint32_t)x, (uint32_t)(x >> 32)}, .used = 2};
}

static void ranges(void **state)
{
    (void)state;
    struct dcs_rng rng = about_to_give(0);
    assert_true(dcs_rng_uniform(&rng) == 0);
    rng = about_to_give(UINT64_MAX);
    assert_true(dcs_rng_uniform(&rng) == 1 - 0x1p-53);
    rng = about_to_give(0);
    assert_true(dcs_rng_open(&rng) == 0x1p-53);
    rng = about_to_give(UINT64_MAX);
    assert_true(dcs_rng_open(&rng) == 1 - 0x1p-53);

    rng = about_to_give(UINT64_MAX);
    assert_int_equal(dcs_rng_below(&rng, 1), 0);
    rng = about_to_give(UINT64_MAX);
    assert_int_equal(dcs_rng_below(&rng, 10), 9);
    rng = about_to_give(UINT64_MAX);
    assert_true(dcs_rng_below(&rng, UINT64_MAX) == UINT64_MAX - 1);
}

/* 2^64 mod 3 = 1: of all numbers only 0 is refused; 2^64 mod 6 = 4: the four products 0 to 3, which
 * only x = 0 has. For 3 * 2^62 a quarter of all numbers is refused: one of each four. */
static void below_refuses(void **state)
{
    (void)state;
    struct dcs_rng rng = about_to_give(0), next = rng;
    next.used = 4;
    uint64_t x = dcs_rng_u64(&next);
    assert_int_equal(dcs_rng_below(&rng, 3), (uint64_t)((unsigned __int128)x * 3 >> 64));
    assert_int_equal(rng.used, 2); /* one number of a new block was used */
    rng = about_to_give(1);
    assert_int_equal(dcs_rng_below(&rng, 3), 0);
    assert_int_equal(rng.used, 4);

    const uint64_t n = (uint64_t)3 << 62;
    for (uint64_t i = 0; i < 8; i++) {
        rng = about_to_give(i);
        dcs_rng_below(&rng, n);
        assert_int_equal(rng.counter[0], i % 4 == 0 ? 1 : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(streams_are_philox),
        cmocka_unit_test(first_numbers_stay),
        cmocka_unit_test(every_bit_counts),
        cmocka_unit_test(small_numbers_do_not_meet),
        cmocka_unit_test(points_are_pure),
        cmocka_unit_test(ranges),
        cmocka_unit_test(below_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
