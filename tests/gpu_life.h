/*
 * gpu_life.h - one shared device that lives through what a test says, and when its kernels end. For
 * tests of gpu.h; ids below 64.
 */
#ifndef DCS_TESTS_GPU_LIFE_H
#define DCS_TESTS_GPU_LIFE_H

#include "tests/gpu_case.h"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

#define GREEN(n)  ((struct dcs_gpu_allotment){.share = DCS_GPU_GREEN, .sms = (n)})
#define SHARED(n) ((struct dcs_gpu_allotment){.share = DCS_GPU_MPS, .sms = (n)})
#define WHOLE     ((struct dcs_gpu_allotment){.share = DCS_GPU_WHOLE})

static struct gpu_case world;
static struct dcs_gpu *gpu;
static int64_t now_ns;
static int64_t end_ns[64]; /* by id */
static bool was_stopped[64];

enum { MEMORY = 1000 };

static inline void open_gpu(struct dcs_contention *contention, int64_t window_ns)
{
    gpu = dcs_gpu_create(&world.spatial, contention, MEMORY, window_ns);
    now_ns = 0;
    memset(end_ns, 0, sizeof end_ns);
    memset(was_stopped, 0, sizeof was_stopped);
}

static inline int begin_case(void **state)
{
    (void)state;
    gpu_case_init(&world);
    return 0;
}

static inline int end_case(void **state)
{
    (void)state;
    dcs_gpu_destroy(gpu);
    gpu = NULL;
    return 0;
}

static inline struct dcs_gpu_launch kernel(uint64_t id, uint32_t shape, struct dcs_gpu_allotment a)
{
    return (struct dcs_gpu_launch){.id = id, .shape = shape, .scale = 1, .allotment = a};
}

static inline void start(uint64_t id, uint32_t shape, struct dcs_gpu_allotment a)
{
    struct dcs_gpu_launch l = kernel(id, shape, a);
    dcs_gpu_start(gpu, now_ns, &l);
}

/* Lives until `until`, inclusively. */
static inline void live(int64_t until)
{
    struct dcs_gpu_end ended[DCS_TOGETHER_MAX];
    while (dcs_gpu_next_ns(gpu) <= until) {
        now_ns = dcs_gpu_next_ns(gpu);
        uint32_t n = dcs_gpu_advance(gpu, now_ns, ended);
        for (uint32_t i = 0; i < n; i++) {
            assert_true(i == 0 || ended[i - 1].id < ended[i].id);
            assert_true(end_ns[ended[i].id] == 0);
            end_ns[ended[i].id] = now_ns;
            was_stopped[ended[i].id] = ended[i].stopped;
        }
    }
    if (until < DCS_TIME_MAX)
        now_ns = until;
}

static inline void live_on(void)
{
    live(DCS_TIME_MAX);
    assert_true(dcs_gpu_next_ns(gpu) == DCS_NEVER);
}

/* A test between begin_case() and end_case(). */
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_case, end_case)

#endif
