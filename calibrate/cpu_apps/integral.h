/*
 * integral.h - gray images of n x n pixels and their integral images, for fd.c and fe.c: Viola and
 * Jones, "Rapid object detection using a boosted cascade of simple features", CVPR 2001. The sum of
 * any box is four reads.
 */
#ifndef DCS_CALIBRATE_CPU_APPS_INTEGRAL_H
#define DCS_CALIBRATE_CPU_APPS_INTEGRAL_H

#include "calibrate/cpu/cpu_app.h"

struct image {
    int64_t n;
    uint8_t *pixels;
    uint32_t *sums; /* [n + 1][n + 1]: of the pixels above and to the left */
};

/* Bright and dark disks of many sizes before a gray ground, and noise. */
static inline void image_create(struct image *m, int64_t n, uint64_t seed, struct cal_arena *a)
{
    m->n = n;
    m->pixels = cal_arena_take(a, (size_t)(n * n), 1);
    m->sums = cal_arena_take(a, (size_t)((n + 1) * (n + 1)), sizeof *m->sums);
    for (int64_t i = 0; i < n * n; i++)
        m->pixels[i] = (uint8_t)(112 + cal_cpu_random(seed, (uint64_t)i) % 16);
    for (int64_t disk = 0; disk < n * n / 256; disk++) {
        uint64_t bits = cal_cpu_random(seed + 1, (uint64_t)disk);
        int64_t x = (int64_t)(bits % (uint64_t)n), y = (int64_t)((bits >> 20) % (uint64_t)n);
        int64_t radius = 2 + (int64_t)(bits >> 40) % 8;
        uint8_t light = (uint8_t)(bits >> 56);
        for (int64_t v = -radius; v <= radius; v++)
            for (int64_t u = -radius; u <= radius; u++)
                if (u * u + v * v <= radius * radius && x + u >= 0 && x + u < n && y + v >= 0 &&
                    y + v < n)
                    m->pixels[(y + v) * n + x + u] = light;
    }
}

static inline void image_add_rows(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct image *m = context;
    for (int64_t y = begin; y < end; y++) {
        uint32_t sum = 0;
        for (int64_t x = 0; x < m->n; x++) {
            sum += m->pixels[y * m->n + x];
            m->sums[(y + 1) * (m->n + 1) + x + 1] = sum;
        }
    }
}

static inline void image_add_columns(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct image *m = context;
    for (int64_t y = 1; y < m->n; y++) {
        uint32_t *above = m->sums + y * (m->n + 1) + 1, *here = above + m->n + 1;
        for (int64_t x = begin; x < end; x++)
            here[x] += above[x];
    }
}

static inline void image_integrate(struct image *m, struct cal_team *t)
{
    cal_team_for(t, m->n, 16, image_add_rows, m);
    cal_team_for(t, m->n, 64, image_add_columns, m);
}

/* The sum of width x height pixels, the first at (x, y); all are in the image. */
static inline int32_t image_box(const struct image *m, int64_t x, int64_t y, int64_t width,
                                int64_t height)
{
    const uint32_t *top = m->sums + y * (m->n + 1) + x, *bottom = top + height * (m->n + 1);
    return (int32_t)(bottom[width] - bottom[0] - top[width] + top[0]);
}

#endif
