/*
 * test_trace_sort.c - the external sort against qsort on random events.
 *
 * Pins: order by (key, time, rank, place in the input), nothing lost or doubled, for one run in
 * memory, many runs in a file, many more runs than fit, keys of all widths and many equal events.
 * Does not pin: speed (bench/trace_import.sh) and behaviour on a full disk.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "traces/sort.h"

#include <stdlib.h>
#include <string.h>

static uint64_t next(uint64_t *state) /* splitmix64 */
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* By the definition; line is the place in the input. */
static int by_definition(const void *a, const void *b)
{
    const struct trace_event *x = a, *y = b;
    for (int k = 0; k < 2; k++)
        if (x->key[k] != y->key[k])
            return x->key[k] < y->key[k] ? -1 : 1;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

static void check(uint64_t seed, size_t count, size_t memory_bytes, unsigned first_bits,
                  unsigned second_bits, unsigned time_bits)
{
    struct trace_event *expected = dcs_alloc(count + 1, sizeof *expected);
    struct trace_sort *s = trace_sort_create(memory_bytes);
    struct dcs_err err = {0};
    for (size_t i = 0; i < count; i++) {
        struct trace_event *e = &expected[i];
        e->key[0] = first_bits == 0 ? 7 : next(&seed) >> (64 - first_bits);
        e->key[1] = second_bits == 0 ? UINT64_MAX : next(&seed) >> (64 - second_bits);
        e->time_ns = time_bits == 0 ? (int64_t)i : (int64_t)(next(&seed) >> (64 - time_bits));
        if (time_bits == 64)
            e->time_ns = (int64_t)next(&seed); /* below 0 too */
        e->rank = (int8_t)(next(&seed) % 3 - 1);
        e->line = i;
        e->cpus = (double)(next(&seed) % 100) / 8;
        e->priority = (int32_t)next(&seed);
        e->file = (uint32_t)next(&seed);
        e->code = (int8_t)next(&seed);
        e->class = (int8_t)next(&seed);
        e->flags = (uint8_t)next(&seed);
        assert_int_equal(trace_sort_add(s, e, &err), 0);
    }
    assert_int_equal(trace_sort_count(s), count);
    qsort(expected, count, sizeof *expected, by_definition);
    assert_int_equal(trace_sort_finish(s, &err), 0);
    struct trace_event e;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(trace_sort_next(s, &e, &err), 1);
        assert_memory_equal(&e, &expected[i], sizeof e);
    }
    assert_int_equal(trace_sort_next(s, &e, &err), 0);
    assert_int_equal(trace_sort_next(s, &e, &err), 0);
    trace_sort_free(s);
    free(expected);
}

static void against_qsort(void **state)
{
    (void)state;
    static const unsigned bits[][3] = {{0, 0, 0},    {3, 0, 2},  {33, 15, 0}, {40, 14, 51},
                                       {64, 64, 64}, {64, 3, 5}, {1, 64, 64}, {0, 64, 1},
                                       {0, 0, 64},   {60, 4, 8}, {60, 5, 8}};
    static const size_t counts[] = {0, 1, 2, 63, 64, 65, 500, 9000};
    uint64_t seed = 1;
    for (size_t b = 0; b < sizeof bits / sizeof *bits; b++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (size_t memory = 1; memory <= 1u << 20; memory *= 1024)
                check(next(&seed), counts[c], memory, bits[b][0], bits[b][1], bits[b][2]);
}

static void no_folder_for_the_file(void **state)
{
    (void)state;
    setenv("TMPDIR", "/nowhere/at/all", 1);
    struct trace_sort *s = trace_sort_create(1);
    struct dcs_err err = {0};
    const struct trace_event e = {0};
    int status = 0;
    for (int i = 0; i < 65 && status == 0; i++)
        status = trace_sort_add(s, &e, &err);
    assert_int_equal(status, -1);
    assert_string_equal(err.file, "/nowhere/at/all");
    trace_sort_free(s);
    unsetenv("TMPDIR");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_qsort),
        cmocka_unit_test(no_folder_for_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
