/*
 * dnn_reference.h - what the layers of a network compute, one element at a time, in double
 * precision on the CPU, from the definitions. Views here point to host memory.
 */
#ifndef DCS_CALIBRATE_DNN_REFERENCE_H
#define DCS_CALIBRATE_DNN_REFERENCE_H

#include "calibrate/app/dnn_kernels.h"

/* A sum and the sum of its terms' magnitudes, to which rounding errors are in proportion. */
struct dnn_sum {
    double value, magnitude;
};

/* An element's place. */
struct dnn_place {
    int image, y, x, c;
};

static inline double dnn_at(const struct dnn_view *v, int image, int y, int x, int c)
{
    return (double)__half2float(v->data[(((size_t)image * v->h + y) * v->w + x) * v->ld + c]);
}

static inline void dnn_sum_add(struct dnn_sum *s, double term)
{
    s->value += term;
    s->magnitude += term < 0 ? -term : term;
}

/* An element of y. */
struct dnn_sum dnn_reference_forward(const struct dnn_conv *conv, const struct dnn_view *x,
                                     const __half *weights, int y_channels,
                                     const struct dnn_place *at);
/* An element of dx, which has x_channels. */
struct dnn_sum dnn_reference_data_gradient(const struct dnn_conv *conv, const struct dnn_view *dy,
                                           const __half *weights, int x_channels,
                                           const struct dnn_place *at);
/* The element of dw of this tap (at->y, at->x), input channel at->c and output channel. */
struct dnn_sum dnn_reference_weight_gradient(const struct dnn_conv *conv, const struct dnn_view *x,
                                             const struct dnn_view *dy, const struct dnn_place *at,
                                             int y_channel);
double dnn_reference_pool(const struct dnn_pool *pool, const struct dnn_view *x,
                          const struct dnn_place *at);
double dnn_reference_pool_back(const struct dnn_pool *pool, const struct dnn_view *x,
                               const struct dnn_view *dy, const struct dnn_place *at);

/* -1 and err unless |got - want| <= allowed and got is finite. */
int dnn_expect(double got, double want, double allowed, const char *name, const char *what,
               const struct dnn_place *at, struct dcs_err *err);
/* What a product in half precision summed in single may differ by. */
double dnn_allowed(const struct dnn_sum *s);

/* Products whose sizes are no multiples of the tiles, with every kernel of dnn_gemm.cu, compared
 * element by element. Runs on the default stream and waits. */
int dnn_check_gemm(struct dcs_err *err);

#endif
