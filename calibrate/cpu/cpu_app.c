/* cpu_app.c - see cpu_app.h. */
#include "calibrate/cpu/cpu_app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- memory --- */

void *cal_arena_take(struct cal_arena *a, size_t count, size_t size)
{
    void *block = dcs_alloc_aligned(64, count > 0 ? count : 1, size);
    /* Zeros of the system are one page until they are written. */
    memset(block, 0, count * size);
    a->blocks = dcs_grow(a->blocks, &a->capacity, a->count + 1, sizeof *a->blocks);
    a->blocks[a->count++] = block;
    a->bytes += (int64_t)(count * size);
    return block;
}

void cal_arena_release(struct cal_arena *a)
{
    for (size_t i = 0; i < a->count; i++)
        free(a->blocks[i]);
    free(a->blocks);
    memset(a, 0, sizeof *a);
}

/* --- inputs --- */

/* Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014: its mixing
 * function (variant 13 of Stafford), of a counter that begins where the seed says. */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t cal_cpu_random(uint64_t seed, uint64_t i)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    return mix(mix(seed + golden) + (i + 1) * golden);
}

double cal_cpu_uniform(uint64_t seed, uint64_t i, double low, double high)
{
    return low + (high - low) * ((double)(cal_cpu_random(seed, i) >> 11) * 0x1p-53);
}

/* --- results --- */

static int say_unlike(size_t first, size_t wrong, size_t n, double got, double want,
                      const char *what, struct dcs_err *err)
{
    return dcs_err_set(err, "%s: %zu of %zu differ, the first at %zu: got %.9g, expected %.9g",
                       what, wrong, n, first, got, want);
}

int cal_cpu_compare_f32(const float *got, const float *want, size_t n, double absolute,
                        double relative, const char *what, struct dcs_err *err)
{
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < n; i++) {
        double bound = absolute + relative * fabs((double)want[i]);
        if (fabs((double)got[i] - (double)want[i]) <= bound)
            continue;
        if (wrong++ == 0)
            first = i;
    }
    return wrong == 0 ? 0 : say_unlike(first, wrong, n, got[first], want[first], what, err);
}

int cal_cpu_compare_i32(const int32_t *got, const int32_t *want, size_t n, const char *what,
                        struct dcs_err *err)
{
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < n; i++)
        if (got[i] != want[i] && wrong++ == 0)
            first = i;
    return wrong == 0 ? 0 : say_unlike(first, wrong, n, got[first], want[first], what, err);
}
