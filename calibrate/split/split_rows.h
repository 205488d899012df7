/*
 * split_rows.h - what programs share whose iteration is a row of a dense square matrix: the matrix
 * goes to the GPU by rows, a vector as long as a row before each pass, and a float comes back for
 * each row.
 */
#ifndef DCS_CALIBRATE_SPLIT_ROWS_H
#define DCS_CALIBRATE_SPLIT_ROWS_H

#include "calibrate/split/split_inputs.h"

static inline void cal_split_shape_rows(struct cal_split *s)
{
    s->iterations = s->n;
    s->in_row = (size_t)s->n;
    s->in_share = 1;
    s->in.count = (size_t)s->n * (size_t)s->n;
    s->varying.count = (size_t)s->n;
    s->out.count = (size_t)s->n;
    s->out_each = 1;
}

/* n is a multiple of twice the lanes. */
static inline __attribute__((always_inline)) float cal_split_dot(const float *a, const float *x,
                                                                 int64_t n)
{
    enum { LANES = 2 * CAL_SPLIT_LANES };
    float sums[LANES] = {0}, sum = 0;
    for (int64_t j = 0; j < n; j += LANES)
        for (int64_t k = 0; k < LANES; k++)
            sums[k] += a[j + k] * x[j + k];
    for (int k = 0; k < LANES; k++)
        sum += sums[k];
    return sum;
}

#endif
