/*
 * spatial_waves.c - see spatial.h, WAVES: whether the blocks of a kernel end wave by wave, from
 * what it takes alone on different numbers of SMs.
 *
 * With w waves' worth of blocks at so many SMs, T = d * ceil(w) if all blocks take equally long and
 * stay in step, and T = d * (w + s) if they drift apart: each SM takes the next block when it can,
 * so that only the end is uneven. Of both d, and of the second s, are fitted by least squares of
 * relative errors, and the law with the smaller error is taken.
 */
#include "models/gpu/spatial_load.h"

#define POINTS_LEAST 3   /* fewer fit anything */
#define OVERHANG_MAX 1.0 /* more is no matter of blocks: a memory that more SMs do not speed up */

/* Sums of x^2, x y, y^2, x and y for the prediction d (x + s y) of 1. */
struct sums {
    double xx, xy, yy, x, y;
};

static void add_to_sums(struct sums *sums, double x, double y)
{
    sums->xx += x * x;
    sums->xy += x * y;
    sums->yy += y * y;
    sums->x += x;
    sums->y += y;
}

/* Mean squares that the best d leaves of 1; s is given. */
static double misfit(const struct sums *sums, double s, double n)
{
    double first = sums->x + s * sums->y;
    return 1 - first * first / (n * (sums->xx + 2 * s * sums->xy + s * s * sums->yy));
}

/* The best s of all, or the nearest that is allowed. */
static double best_overhang(const struct sums *sums)
{
    double d = sums->x * sums->yy - sums->y * sums->xy;
    double ds = sums->y * sums->xx - sums->x * sums->xy;
    if (!(ds > 0))
        return 0;
    return d > 0 && ds < OVERHANG_MAX * d ? ds / d : OVERHANG_MAX;
}

void dcs_shape_fit_waves(struct dcs_shape *shape)
{
    struct sums steps = {0}, drift = {0};
    double n = (double)shape->points_count;
    shape->drifts = false;
    shape->overhang = 0;
    if (shape->blocks == 0 || shape->blocks_per_sm == 0 || shape->points_count < POINTS_LEAST)
        return;
    for (size_t i = 0; i < shape->points_count; i++) {
        const struct dcs_shape_point *point = &shape->points[i];
        uint64_t slots = (uint64_t)shape->blocks_per_sm * point->sms;
        uint64_t waves = (shape->blocks - 1) / slots + 1;
        add_to_sums(&steps, (double)waves / point->solo_ns, 0);
        add_to_sums(&drift, (double)shape->blocks / (double)slots / point->solo_ns,
                    1 / point->solo_ns);
    }
    double overhang = best_overhang(&drift);
    if (misfit(&drift, overhang, n) < misfit(&steps, 0, n)) {
        shape->drifts = true;
        shape->overhang = overhang;
    }
}
