/*
 * split_jacobi.c - the method of Jacobi on a dense system. An iteration is a row: the new value of
 * one unknown from the old values of the others.
 *
 * The matrix is random, of variance 1/3, with 2 sqrt(n) on its diagonal: the spectral radius of
 * what is iterated is about 0.3, so that it converges.
 */
#include "calibrate/split/split_inputs.h"
#include "calibrate/split/split_rows.h"

#include <math.h>
#include <string.h>

static void shape(struct cal_split *s)
{
    cal_split_shape_rows(s);
    s->constant.count = (size_t)s->n; /* the right side */
}

static void fill(struct cal_split *s, int64_t begin, int64_t end)
{
    for (int64_t row = begin; row < end; row++) {
        float *to = s->in.host + row * s->n;
        for (int64_t j = 0; j < s->n; j++)
            to[j] = cal_split_random(s->seed, (uint64_t)(row * s->n + j));
        to[row] = 2 * sqrtf((float)s->n);
        s->constant.host[row] = cal_split_random(s->seed + 1, (uint64_t)row);
    }
}

static void begin_pass(struct cal_split *s, int pass)
{
    if (pass == 0)
        memset(s->varying.host, 0, (size_t)s->n * sizeof(float));
    else
        memcpy(s->varying.host, s->out.host, (size_t)s->n * sizeof(float));
}

CAL_SPLIT_FAST static void compute(struct cal_split *s, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const float *x = s->varying.host;
    for (int64_t row = begin; row < end; row++) {
        const float *a = s->in.host + row * s->n;
        float others = cal_split_dot(a, x, s->n) - a[row] * x[row];
        s->out.host[row] = (s->constant.host[row] - others) / a[row];
    }
}

static size_t results(const struct cal_split *s, float *to)
{
    if (to != NULL)
        memcpy(to, s->out.host, (size_t)s->n * sizeof *to);
    return (size_t)s->n;
}

const struct cal_split_program cal_split_jacobi = {
    .id = CAL_SPLIT_JACOBI,
    .name = "jacobi",
    .what = "the method of Jacobi on a dense system; an iteration is a row",
    .algorithm =
        "Jacobi, 1845; as in Barrett et al., Templates for the solution of linear systems, 1994",
    .unit = "rows and columns",
    .passes = 4,
    .chunk_min = 16,
    .together = 1,
    .sizes = {16384, 4096, 8192},
    .size_check = 256,
    .tolerance = 1e-4,
    .shape = shape,
    .fill = fill,
    .begin_pass = begin_pass,
    .compute = compute,
    .results = results,
};
