/*
 * dnn_reference.cu - see dnn_reference.h.
 */
#include "calibrate/app/dnn_reference.h"

#include <math.h>

static bool inside(int y, int x, const struct dnn_view *v)
{
    return y >= 0 && y < v->h && x >= 0 && x < v->w;
}

struct dnn_sum dnn_reference_forward(const struct dnn_conv *conv, const struct dnn_view *x,
                                     const __half *weights, int y_channels,
                                     const struct dnn_place *at)
{
    const int width = x->c / conv->groups, outputs = y_channels / conv->groups;
    const int first = at->c / outputs * width;
    /* How many output channels one input channel has weights for. */
    const int columns = conv->groups == 1 ? y_channels : dnn_grouped_block(x->c, conv->groups);
    struct dnn_sum sum = {0, 0};
    for (int ky = 0; ky < conv->kernel_h; ky++)
        for (int kx = 0; kx < conv->kernel_w; kx++) {
            const int from_y = at->y * conv->stride - conv->pad_h + ky;
            const int from_x = at->x * conv->stride - conv->pad_w + kx;
            if (!inside(from_y, from_x, x))
                continue;
            for (int c = first; c < first + width; c++) {
                const size_t row = ((size_t)ky * conv->kernel_w + kx) * x->c + c;
                dnn_sum_add(&sum,
                            dnn_at(x, at->image, from_y, from_x, c) *
                                (double)__half2float(weights[row * columns + at->c % columns]));
            }
        }
    return sum;
}

struct dnn_sum dnn_reference_data_gradient(const struct dnn_conv *conv, const struct dnn_view *dy,
                                           const __half *weights, int x_channels,
                                           const struct dnn_place *at)
{
    struct dnn_sum sum = {0, 0};
    for (int y = 0; y < dy->h; y++)
        for (int x = 0; x < dy->w; x++) {
            /* The tap by which this output pixel read the input pixel. */
            const int ky = at->y - (y * conv->stride - conv->pad_h);
            const int kx = at->x - (x * conv->stride - conv->pad_w);
            if (ky < 0 || ky >= conv->kernel_h || kx < 0 || kx >= conv->kernel_w)
                continue;
            const __half *row =
                weights + (((size_t)ky * conv->kernel_w + kx) * x_channels + at->c) * dy->c;
            for (int c = 0; c < dy->c; c++)
                dnn_sum_add(&sum, dnn_at(dy, at->image, y, x, c) * (double)__half2float(row[c]));
        }
    return sum;
}

struct dnn_sum dnn_reference_weight_gradient(const struct dnn_conv *conv, const struct dnn_view *x,
                                             const struct dnn_view *dy, const struct dnn_place *at,
                                             int y_channel)
{
    struct dnn_sum sum = {0, 0};
    for (int image = 0; image < dy->n; image++)
        for (int y = 0; y < dy->h; y++)
            for (int column = 0; column < dy->w; column++) {
                const int from_y = y * conv->stride - conv->pad_h + at->y;
                const int from_x = column * conv->stride - conv->pad_w + at->x;
                if (inside(from_y, from_x, x))
                    dnn_sum_add(&sum, dnn_at(x, image, from_y, from_x, at->c) *
                                          dnn_at(dy, image, y, column, y_channel));
            }
    return sum;
}

/* The first of the largest elements of the window whose result is y, x. */
static struct dnn_place largest(const struct dnn_pool *pool, const struct dnn_view *x, int image,
                                int y, int column, int c)
{
    struct dnn_place best = {-1, 0, 0, c};
    for (int ky = 0; ky < pool->kernel_h; ky++)
        for (int kx = 0; kx < pool->kernel_w; kx++) {
            const int at_y = y * pool->stride - pool->pad + ky;
            const int at_x = column * pool->stride - pool->pad + kx;
            if (!inside(at_y, at_x, x))
                continue;
            if (best.image < 0 ||
                dnn_at(x, image, at_y, at_x, c) > dnn_at(x, image, best.y, best.x, c))
                best = {image, at_y, at_x, c};
        }
    return best;
}

double dnn_reference_pool(const struct dnn_pool *pool, const struct dnn_view *x,
                          const struct dnn_place *at)
{
    if (pool->max) {
        const struct dnn_place best = largest(pool, x, at->image, at->y, at->x, at->c);
        return dnn_at(x, at->image, best.y, best.x, at->c);
    }
    double sum = 0;
    for (int ky = 0; ky < pool->kernel_h; ky++)
        for (int kx = 0; kx < pool->kernel_w; kx++) {
            const int y = at->y * pool->stride - pool->pad + ky;
            const int column = at->x * pool->stride - pool->pad + kx;
            if (inside(y, column, x))
                sum += dnn_at(x, at->image, y, column, at->c);
        }
    return sum / (pool->kernel_h * pool->kernel_w);
}

double dnn_reference_pool_back(const struct dnn_pool *pool, const struct dnn_view *x,
                               const struct dnn_view *dy, const struct dnn_place *at)
{
    double sum = 0;
    for (int y = 0; y < dy->h; y++)
        for (int column = 0; column < dy->w; column++) {
            const int ky = at->y - (y * pool->stride - pool->pad);
            const int kx = at->x - (column * pool->stride - pool->pad);
            if (ky < 0 || ky >= pool->kernel_h || kx < 0 || kx >= pool->kernel_w)
                continue;
            const double gradient = dnn_at(dy, at->image, y, column, at->c);
            if (!pool->max) {
                sum += gradient / (pool->kernel_h * pool->kernel_w);
                continue;
            }
            const struct dnn_place best = largest(pool, x, at->image, y, column, at->c);
            if (best.y == at->y && best.x == at->x)
                sum += gradient;
        }
    return sum;
}

int dnn_expect(double got, double want, double allowed, const char *name, const char *what,
               const struct dnn_place *at, struct dcs_err *err)
{
    if (fabs(got - want) <= allowed && isfinite(got))
        return 0;
    return cal_fail(err,
                    "%s: %s of image %d, y %d, x %d, channel %d is %.9g instead of %.9g (+-%.2g)",
                    name, what, at->image, at->y, at->x, at->c, got, want, allowed);
}

/* Half precision rounds by 2^-11 of the value, and by 2^-25 where it is tiny. */
double dnn_allowed(const struct dnn_sum *s)
{
    return 1e-3 * fabs(s->value) + 1e-5 * s->magnitude + 1e-7;
}
