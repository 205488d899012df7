/*
 * dnn_kernels.h - the kernels of neural networks: each function here appends launches to the kernel
 * of a plan that was begun last.
 *
 * Activations are half precision NHWC with channel counts that are multiples of 8; sums are single
 * precision. A view may be a range of the channels of a wider tensor: concatenation costs nothing.
 */
#ifndef DCS_CALIBRATE_DNN_KERNELS_H
#define DCS_CALIBRATE_DNN_KERNELS_H

#include "calibrate/app/app.cuh"

#include <cuda_fp16.h>

/* Channels `data[0 .. c)` of each pixel; the next pixel is ld elements on. */
struct dnn_view {
    __half *data;
    int n, h, w, c, ld;
};

static inline int dnn_pixels(const struct dnn_view *v)
{
    return v->n * v->h * v->w;
}

struct dnn_conv {
    int kernel_h, kernel_w, stride; /* 1 or 2 */
    int pad_h, pad_w;
    int groups; /* 1, or channels / groups is 4, 8, 16 or 32 and the stride 1 or 2 */
};

enum dnn_gemm_kind { DNN_FORWARD, DNN_DATA_GRADIENT, DNN_WEIGHT_GRADIENT };

/* One product of dnn_gemm.cuh, m x n summed over k. */
struct dnn_gemm {
    const __half *image; /* whose patches are one operand */
    int image_ld, channels, height, width, image_pixels;
    int kernel_h, kernel_w, stride, pad_h, pad_w;
    int rows_h, rows_w; /* pixels of one image of the other tensor: y, or x for DATA_GRADIENT */
    const __half *b;    /* the other operand */
    int b_ld;           /* unused by DATA_GRADIENT */
    int m, n, k;
    int split_k; /* of k, by each split; a multiple of 32 */
    __half *out; /* if partial is NULL: out[row][column] = sum + bias[column] + addend */
    int out_ld;
    const float *bias;
    const __half *addend;
    int addend_ld;
    float *partial; /* [split][m][n] */
};

template <bool CHOICE, class A, class B> struct dnn_choose {
    using type = A;
};
template <class A, class B> struct dnn_choose<false, A, B> {
    using type = B;
};

/* The products of a convolution (groups == 1) from x to y with `weights`. `workspace` must hold
 * dnn_gemm_workspace floats. bias, addend (a view like the result, added to it) may be NULL. */
struct dnn_gemm dnn_gemm_forward(const struct dnn_conv *conv, const struct dnn_view *x,
                                 const struct dnn_view *y, const __half *weights, const float *bias,
                                 float *workspace);
struct dnn_gemm dnn_gemm_data_gradient(const struct dnn_conv *conv, const struct dnn_view *dx,
                                       const struct dnn_view *dy, const __half *weights,
                                       const struct dnn_view *addend, float *workspace);
struct dnn_gemm dnn_gemm_weight_gradient(const struct dnn_conv *conv, const struct dnn_view *x,
                                         const struct dnn_view *dy, float *gradient,
                                         float *workspace);
int dnn_gemm_tile_n(const struct dnn_gemm *g); /* 128, 64 or 32 */
int dnn_gemm_splits(const struct dnn_gemm *g);
int dnn_gemm_blocks(const struct dnn_gemm *g);
size_t dnn_gemm_workspace(const struct dnn_gemm *g);

void dnn_add_forward(struct cal_plan *p, const struct dnn_gemm *g);
void dnn_add_data_gradient(struct cal_plan *p, const struct dnn_gemm *g);
void dnn_add_weight_gradient(struct cal_plan *p, const struct dnn_gemm *g, float *gradient);

/* Grouped convolution: groups narrower than 16 channels are joined to blocks of 16 with zero
 * weights between them, and each block is a product on the tensor cores. Weights are
 * [tap][input channel][output channel within its block]. Channels: the same in x and y, a multiple
 * of 64. */
int dnn_grouped_block(int channels, int groups); /* 16 or 32 */
void dnn_add_grouped(struct cal_plan *p, const struct dnn_conv *conv, const struct dnn_view *x,
                     const struct dnn_view *y, const __half *weights);
/* Zeroes what lies between the groups; for create(). */
cudaError_t dnn_mask_groups(__half *weights, int taps, int channels, int groups);

/* (byte - 128) / 64 of [pixel][3]; the other channels are zero. */
void dnn_add_transform(struct cal_plan *p, const unsigned char *images, const struct dnn_view *y);
/* y = x * scale[channel] + shift[channel]: batch normalisation with fixed statistics. */
void dnn_add_scale(struct cal_plan *p, const struct dnn_view *x, const struct dnn_view *y,
                   const float *scale, const float *shift);
void dnn_add_relu(struct cal_plan *p, const struct dnn_view *x, const struct dnn_view *y);
void dnn_add_relu_back(struct cal_plan *p, const struct dnn_view *y, const struct dnn_view *dy,
                       const struct dnn_view *dx);
void dnn_add_sum(struct cal_plan *p, const struct dnn_view *a, const struct dnn_view *b,
                 const struct dnn_view *y);

struct dnn_pool {
    bool max; /* else the mean over the whole window, padding included */
    int kernel_h, kernel_w, stride, pad;
};
/* mask: position of the maximum in its window for each element of y, or NULL. */
void dnn_add_pool(struct cal_plan *p, const struct dnn_pool *pool, const struct dnn_view *x,
                  const struct dnn_view *y, unsigned char *mask);
void dnn_add_pool_back(struct cal_plan *p, const struct dnn_pool *pool, const struct dnn_view *dy,
                       const struct dnn_view *dx, const unsigned char *mask);

/* Batch normalisation in training (Ioffe, Szegedy, ICML 2015). Arrays of c floats. */
struct dnn_norm {
    const float *gamma, *beta;
    float *gamma_gradient, *beta_gradient;
    float *mean, *inverse;            /* of the batch: mean, 1 / sqrt(variance + epsilon) */
    float *scale, *shift;             /* y = x * scale + shift */
    float *from_dy, *from_x, *offset; /* dx = dy * from_dy + x * from_x + offset */
};
#define DNN_NORM_EPSILON 1e-5f
#define DNN_NORM_ARRAYS  7 /* of c floats from mean on */
void dnn_add_norm(struct cal_plan *p, const struct dnn_view *x, const struct dnn_view *y,
                  const struct dnn_norm *norm, float *workspace);
void dnn_add_norm_back(struct cal_plan *p, const struct dnn_view *x, const struct dnn_view *dy,
                       const struct dnn_view *dx, const struct dnn_view *addend,
                       const struct dnn_norm *norm, float *workspace);
/* gradient[channel] = sum of dy over the pixels. */
void dnn_add_bias_gradient(struct cal_plan *p, const struct dnn_view *dy, float *gradient,
                           float *workspace);
size_t dnn_sums_workspace(const struct dnn_view *v); /* floats, of the three above */

/* probabilities[image][class] (NULL: none) and, with labels, the loss of each image and the
 * gradient (probability - label) * scale. */
void dnn_add_softmax(struct cal_plan *p, const struct dnn_view *x, float *probabilities,
                     const int *labels, float *loss, const struct dnn_view *dx, float scale);

/* next = now - rate * gradient; n is a multiple of 8. */
void dnn_add_update_half(struct cal_plan *p, const __half *now, const float *gradient, __half *next,
                         size_t n, float rate);
void dnn_add_update_float(struct cal_plan *p, const float *now, const float *gradient, float *next,
                          size_t n, float rate);

#endif
