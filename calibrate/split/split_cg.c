/*
 * split_cg.c - conjugate gradients (Hestenes and Stiefel, 1952) on a dense symmetric matrix. An
 * iteration is a row of the product of the matrix with the search direction; the vectors are the
 * host's between passes.
 *
 * The matrix is random, of variance 1/3, with 2 sqrt(n) on its diagonal: by the semicircle law its
 * eigenvalues lie between 0.8 and 3.2 sqrt(n), so that it is positive definite.
 */
#include "calibrate/split/split_inputs.h"
#include "calibrate/split/split_rows.h"

#include <math.h>
#include <string.h>

/* own: the solution x, the residual r, the right side b. scalar: r r. */
static float *get_x(const struct cal_split *s)
{
    return s->own;
}

static float *get_r(const struct cal_split *s)
{
    return s->own + s->n;
}

static float *get_b(const struct cal_split *s)
{
    return s->own + 2 * s->n;
}

static void shape(struct cal_split *s)
{
    cal_split_shape_rows(s);
    s->own_count = 3 * (size_t)s->n;
}

static void fill(struct cal_split *s, int64_t begin, int64_t end)
{
    uint64_t n = (uint64_t)s->n;
    for (int64_t row = begin; row < end; row++) {
        float *to = s->in.host + row * s->n;
        for (uint64_t j = 0, i = (uint64_t)row; j < n; j++)
            to[j] = cal_split_random(s->seed, i < j ? i * n + j : j * n + i);
        to[row] = 2 * sqrtf((float)n);
        get_b(s)[row] = cal_split_random(s->seed + 1, (uint64_t)row);
    }
}

static double dot(const float *a, const float *b, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (double)a[i] * b[i];
    return sum;
}

/* After a pass `out` is A p. */
static void begin_pass(struct cal_split *s, int pass)
{
    int64_t n = s->n;
    float *x = get_x(s), *r = get_r(s), *p = s->varying.host;
    if (pass == 0) {
        memset(x, 0, (size_t)n * sizeof *x);
        memcpy(r, get_b(s), (size_t)n * sizeof *r);
        memcpy(p, r, (size_t)n * sizeof *p);
        s->scalar = dot(r, r, n);
        return;
    }
    const float *q = s->out.host;
    float alpha = (float)(s->scalar / fmax(dot(p, q, n), 1e-30));
    for (int64_t i = 0; i < n; i++) {
        x[i] += alpha * p[i];
        r[i] -= alpha * q[i];
    }
    double rr = dot(r, r, n);
    float beta = (float)(rr / fmax(s->scalar, 1e-30));
    for (int64_t i = 0; i < n; i++)
        p[i] = r[i] + beta * p[i];
    s->scalar = rr;
}

CAL_SPLIT_FAST static void compute(struct cal_split *s, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    for (int64_t row = begin; row < end; row++)
        s->out.host[row] = cal_split_dot(s->in.host + row * s->n, s->varying.host, s->n);
}

static size_t results(const struct cal_split *s, float *to)
{
    if (to != NULL)
        memcpy(to, get_x(s), (size_t)s->n * sizeof *to);
    return (size_t)s->n;
}

const struct cal_split_program cal_split_cg = {
    .id = CAL_SPLIT_CG,
    .name = "cg",
    .what = "conjugate gradients on a dense matrix; an iteration is a row of the product",
    .algorithm = "Hestenes and Stiefel, Methods of conjugate gradients, 1952",
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
