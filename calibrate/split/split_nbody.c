/*
 * split_nbody.c - bodies that attract each other, all pairs. An iteration is a body: its
 * acceleration by all others. The host moves the bodies between passes.
 */
#include "calibrate/split/split_inputs.h"

#include <math.h>
#include <string.h>

enum { LANES = CAL_SPLIT_LANES };

#define SOFTENING 1e-2f /* squared length */
#define STEP      1e-3f

/* varying: x, y, z and mass of all bodies, each in a row of its own. own: where they begin, and
 * their velocities. */
static void shape(struct cal_split *s)
{
    s->iterations = s->n;
    s->varying.count = 4 * (size_t)s->n;
    s->own_count = 7 * (size_t)s->n;
    s->out.count = 3 * (size_t)s->n;
    s->out_each = 3;
}

static void fill(struct cal_split *s, int64_t begin, int64_t end)
{
    uint64_t n = (uint64_t)s->n;
    for (uint64_t i = (uint64_t)begin; i < (uint64_t)end; i++) {
        for (uint64_t d = 0; d < 3; d++)
            s->own[d * n + i] = cal_split_random(s->seed + d, i);
        s->own[3 * n + i] = (1.5f + cal_split_random(s->seed + 3, i)) / (float)n;
    }
}

static void begin_pass(struct cal_split *s, int pass)
{
    int64_t n = s->n;
    float *at = s->varying.host, *velocity = s->own + 4 * n;
    if (pass == 0) {
        memcpy(at, s->own, 4 * (size_t)n * sizeof *at);
        memset(velocity, 0, 3 * (size_t)n * sizeof *velocity);
        return;
    }
    for (int64_t d = 0; d < 3; d++)
        for (int64_t i = 0; i < n; i++) {
            velocity[d * n + i] += STEP * s->out.host[3 * i + d];
            at[d * n + i] += STEP * velocity[d * n + i];
        }
}

CAL_SPLIT_FAST static void compute(struct cal_split *s, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    int64_t n = s->n;
    const float *x = s->varying.host, *y = x + n, *z = y + n, *mass = z + n;
    for (int64_t i = begin; i < end; i++) {
        float ax[LANES] = {0}, ay[LANES] = {0}, az[LANES] = {0}, sum[3] = {0};
        for (int64_t j = 0; j < n; j += LANES)
            for (int64_t k = 0; k < LANES; k++) {
                float dx = x[j + k] - x[i], dy = y[j + k] - y[i], dz = z[j + k] - z[i];
                float near = dx * dx + dy * dy + dz * dz + SOFTENING;
                float pull = mass[j + k] / (near * sqrtf(near));
                ax[k] += pull * dx;
                ay[k] += pull * dy;
                az[k] += pull * dz;
            }
        for (int k = 0; k < LANES; k++) {
            sum[0] += ax[k];
            sum[1] += ay[k];
            sum[2] += az[k];
        }
        memcpy(s->out.host + 3 * i, sum, sizeof sum);
    }
}

/* Accelerations of the last pass: positions hardly move. */
static size_t results(const struct cal_split *s, float *to)
{
    if (to != NULL)
        memcpy(to, s->out.host, s->out.count * sizeof *to);
    return s->out.count;
}

const struct cal_split_program cal_split_nbody = {
    .id = CAL_SPLIT_NBODY,
    .name = "nbody",
    .what = "bodies that attract each other, all pairs; an iteration is a body",
    .algorithm = "Nyland, Harris and Prins, Fast n-body simulation with CUDA, GPU Gems 3, 2007",
    .unit = "bodies",
    .passes = 2,
    .chunk_min = 32,
    .together = 1,
    .sizes = {16384, 8192, 32768},
    .size_check = 512,
    .tolerance = 1e-4,
    .shape = shape,
    .fill = fill,
    .begin_pass = begin_pass,
    .compute = compute,
    .results = results,
};
