/*
 * dnn_kernels.cu - the kernels of neural networks that run on the CUDA cores; see dnn_kernels.h.
 *
 * Unless it says otherwise a thread handles chunks of 8 channels (16 bytes): threadIdx.x counts the
 * chunks of one pixel, threadIdx.y pixels, so that a thread's channels, and what is kept for each
 * of them, never change.
 */
#include "calibrate/app/dnn_kernels.h"

#include <float.h>
#include <string.h>

constexpr int threads_max = 256;

/* --- chunks --- */

static __device__ __forceinline__ void load8(const __half *from, float v[8])
{
    const uint4 raw = *(const uint4 *)from;
    __half h[8];
    memcpy(h, &raw, sizeof raw);
#pragma unroll
    for (int i = 0; i < 8; i++)
        v[i] = __half2float(h[i]);
}

static __device__ __forceinline__ void store8(__half *to, const float v[8])
{
    __half h[8];
#pragma unroll
    for (int i = 0; i < 8; i++)
        h[i] = __float2half(v[i]);
    uint4 raw;
    memcpy(&raw, h, sizeof raw);
    *(uint4 *)to = raw;
}

static __device__ __forceinline__ void load8f(const float *from, float v[8])
{
    const float4 low = ((const float4 *)from)[0], high = ((const float4 *)from)[1];
    v[0] = low.x, v[1] = low.y, v[2] = low.z, v[3] = low.w;
    v[4] = high.x, v[5] = high.y, v[6] = high.z, v[7] = high.w;
}

static __device__ __forceinline__ void store8f(float *to, const float v[8])
{
    ((float4 *)to)[0] = make_float4(v[0], v[1], v[2], v[3]);
    ((float4 *)to)[1] = make_float4(v[4], v[5], v[6], v[7]);
}

static __device__ __forceinline__ __half *at_pixel(const struct dnn_view &v, int pixel, int channel)
{
    return v.data + (size_t)pixel * v.ld + channel;
}

struct lanes {
    dim3 grid, block;
};

/* The chunks of a pixel in as few blocks as have at most 8 (128 bytes), evenly. */
static struct lanes lanes_of(int channels, int pixels, int pixels_per_thread)
{
    const int chunks = channels / 8, groups = (chunks + 7) / 8;
    const int wide = (chunks + groups - 1) / groups, high = threads_max / wide;
    const struct lanes l = {dim3(cal_blocks(pixels, high * pixels_per_thread), (unsigned)groups),
                            dim3((unsigned)wide, (unsigned)high)};
    return l;
}

static __device__ __forceinline__ int my_channel()
{
    return (int)(blockIdx.y * blockDim.x + threadIdx.x) * 8;
}

static __device__ __forceinline__ int my_pixel()
{
    return (int)(blockIdx.x * blockDim.y + threadIdx.y);
}

static __device__ __forceinline__ int pixel_step()
{
    return (int)(gridDim.x * blockDim.y);
}

/* --- element by element --- */

static __global__ void __launch_bounds__(threads_max)
    transform(const unsigned char *images, struct dnn_view y, int pixels)
{
    const int pixel = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (pixel >= pixels)
        return;
    float v[8] = {0};
    for (int i = 0; i < 3; i++)
        v[i] = ((float)images[(size_t)pixel * 3 + i] - 128.0f) * (1.0f / 64.0f);
    store8(at_pixel(y, pixel, 0), v);
}

void dnn_add_transform(struct cal_plan *p, const unsigned char *images, const struct dnn_view *y)
{
    const int pixels = dnn_pixels(y);
    cal_add_launch(p, transform, dim3(cal_blocks(pixels, threads_max)), dim3(threads_max), 0,
                   images, *y, pixels);
}

static __global__ void __launch_bounds__(threads_max)
    scale_shift(struct dnn_view x, struct dnn_view y, const float *scale, const float *shift,
                int pixels)
{
    const int channel = my_channel();
    if (channel >= x.c)
        return;
    float a[8], b[8];
    load8f(scale + channel, a);
    load8f(shift + channel, b);
    for (int pixel = my_pixel(); pixel < pixels; pixel += pixel_step()) {
        float v[8];
        load8(at_pixel(x, pixel, channel), v);
#pragma unroll
        for (int i = 0; i < 8; i++)
            v[i] = v[i] * a[i] + b[i];
        store8(at_pixel(y, pixel, channel), v);
    }
}

void dnn_add_scale(struct cal_plan *p, const struct dnn_view *x, const struct dnn_view *y,
                   const float *scale, const float *shift)
{
    const struct lanes l = lanes_of(x->c, dnn_pixels(x), 4);
    cal_add_launch(p, scale_shift, l.grid, l.block, 0, *x, *y, scale, shift, dnn_pixels(x));
}

static __global__ void __launch_bounds__(threads_max)
    relu(struct dnn_view x, struct dnn_view y, int pixels)
{
    const int channel = my_channel();
    if (channel >= x.c)
        return;
    for (int pixel = my_pixel(); pixel < pixels; pixel += pixel_step()) {
        float v[8];
        load8(at_pixel(x, pixel, channel), v);
#pragma unroll
        for (int i = 0; i < 8; i++)
            v[i] = fmaxf(v[i], 0.0f);
        store8(at_pixel(y, pixel, channel), v);
    }
}

void dnn_add_relu(struct cal_plan *p, const struct dnn_view *x, const struct dnn_view *y)
{
    const struct lanes l = lanes_of(x->c, dnn_pixels(x), 2);
    cal_add_launch(p, relu, l.grid, l.block, 0, *x, *y, dnn_pixels(x));
}

static __global__ void __launch_bounds__(threads_max)
    relu_back(struct dnn_view y, struct dnn_view dy, struct dnn_view dx, int pixels)
{
    const int channel = my_channel();
    if (channel >= y.c)
        return;
    for (int pixel = my_pixel(); pixel < pixels; pixel += pixel_step()) {
        float v[8], g[8];
        load8(at_pixel(y, pixel, channel), v);
        load8(at_pixel(dy, pixel, channel), g);
#pragma unroll
        for (int i = 0; i < 8; i++)
            g[i] = v[i] > 0.0f ? g[i] : 0.0f;
        store8(at_pixel(dx, pixel, channel), g);
    }
}

void dnn_add_relu_back(struct cal_plan *p, const struct dnn_view *y, const struct dnn_view *dy,
                       const struct dnn_view *dx)
{
    const struct lanes l = lanes_of(y->c, dnn_pixels(y), 2);
    cal_add_launch(p, relu_back, l.grid, l.block, 0, *y, *dy, *dx, dnn_pixels(y));
}

static __global__ void __launch_bounds__(threads_max)
    sum(struct dnn_view a, struct dnn_view b, struct dnn_view y, int pixels)
{
    const int channel = my_channel();
    if (channel >= a.c)
        return;
    for (int pixel = my_pixel(); pixel < pixels; pixel += pixel_step()) {
        float v[8], w[8];
        load8(at_pixel(a, pixel, channel), v);
        load8(at_pixel(b, pixel, channel), w);
#pragma unroll
        for (int i = 0; i < 8; i++)
            v[i] += w[i];
        store8(at_pixel(y, pixel, channel), v);
    }
}

void dnn_add_sum(struct cal_plan *p, const struct dnn_view *a, const struct dnn_view *b,
                 const struct dnn_view *y)
{
    const struct lanes l = lanes_of(a->c, dnn_pixels(a), 2);
    cal_add_launch(p, sum, l.grid, l.block, 0, *a, *b, *y, dnn_pixels(a));
}

/* --- pooling --- */

static __global__ void __launch_bounds__(threads_max)
    pool_forward(struct dnn_pool pool, struct dnn_view x, struct dnn_view y, unsigned char *mask,
                 int pixels)
{
    const int channel = my_channel(), pixel = my_pixel();
    if (channel >= x.c || pixel >= pixels)
        return;
    const int image = pixel / (y.h * y.w), rest = pixel - image * (y.h * y.w);
    const int y0 = rest / y.w * pool.stride - pool.pad, x0 = rest % y.w * pool.stride - pool.pad;
    float best[8];
    unsigned char where[8] = {0};
#pragma unroll
    for (int i = 0; i < 8; i++)
        best[i] = pool.max ? -FLT_MAX : 0.0f;
    for (int ky = 0; ky < pool.kernel_h; ky++)
        for (int kx = 0; kx < pool.kernel_w; kx++) {
            if ((unsigned)(y0 + ky) >= (unsigned)x.h || (unsigned)(x0 + kx) >= (unsigned)x.w)
                continue;
            float v[8];
            load8(at_pixel(x, (image * x.h + y0 + ky) * x.w + x0 + kx, channel), v);
#pragma unroll
            for (int i = 0; i < 8; i++) {
                if (!pool.max) {
                    best[i] += v[i];
                } else if (v[i] > best[i]) {
                    best[i] = v[i];
                    where[i] = (unsigned char)(ky * pool.kernel_w + kx);
                }
            }
        }
    if (!pool.max) {
        const float share = 1.0f / (float)(pool.kernel_h * pool.kernel_w);
#pragma unroll
        for (int i = 0; i < 8; i++)
            best[i] *= share;
    }
    store8(at_pixel(y, pixel, channel), best);
    if (mask != NULL)
        memcpy(mask + (size_t)pixel * y.c + channel, where, sizeof where);
}

void dnn_add_pool(struct cal_plan *p, const struct dnn_pool *pool, const struct dnn_view *x,
                  const struct dnn_view *y, unsigned char *mask)
{
    const struct lanes l = lanes_of(x->c, dnn_pixels(y), 1);
    cal_add_launch(p, pool_forward, l.grid, l.block, 0, *pool, *x, *y, mask, dnn_pixels(y));
}

/* Each pixel of x collects from the windows that hold it: no atomic additions. */
static __global__ void __launch_bounds__(threads_max)
    pool_back(struct dnn_pool pool, struct dnn_view dy, struct dnn_view dx,
              const unsigned char *mask, int pixels)
{
    const int channel = my_channel(), pixel = my_pixel();
    if (channel >= dx.c || pixel >= pixels)
        return;
    const int image = pixel / (dx.h * dx.w), rest = pixel - image * (dx.h * dx.w);
    const int y0 = rest / dx.w + pool.pad, x0 = rest % dx.w + pool.pad;
    const int first_y = max(0, (y0 - pool.kernel_h + pool.stride) / pool.stride);
    const int first_x = max(0, (x0 - pool.kernel_w + pool.stride) / pool.stride);
    const int last_y = min(dy.h - 1, y0 / pool.stride), last_x = min(dy.w - 1, x0 / pool.stride);
    float all[8] = {0};
    for (int wy = first_y; wy <= last_y; wy++)
        for (int wx = first_x; wx <= last_x; wx++) {
            const int from = (image * dy.h + wy) * dy.w + wx;
            const int place = (y0 - wy * pool.stride) * pool.kernel_w + x0 - wx * pool.stride;
            float g[8];
            unsigned char where[8] = {0};
            load8(at_pixel(dy, from, channel), g);
            if (mask != NULL)
                memcpy(where, mask + (size_t)from * dy.c + channel, sizeof where);
#pragma unroll
            for (int i = 0; i < 8; i++)
                if (mask == NULL || where[i] == place)
                    all[i] += g[i];
        }
    if (!pool.max) {
        const float share = 1.0f / (float)(pool.kernel_h * pool.kernel_w);
#pragma unroll
        for (int i = 0; i < 8; i++)
            all[i] *= share;
    }
    store8(at_pixel(dx, pixel, channel), all);
}

void dnn_add_pool_back(struct cal_plan *p, const struct dnn_pool *pool, const struct dnn_view *dy,
                       const struct dnn_view *dx, const unsigned char *mask)
{
    const struct lanes l = lanes_of(dx->c, dnn_pixels(dx), 1);
    cal_add_launch(p, pool_back, l.grid, l.block, 0, *pool, *dy, *dx, mask, dnn_pixels(dx));
}

/* --- sums over the pixels --- */

/* parts[block][0 or 1][channel]: the sum of a and of a * b (b may be a) over a block's pixels. */
static __global__ void __launch_bounds__(threads_max)
    channel_sums(struct dnn_view a, struct dnn_view b, float *parts, int pixels)
{
    __shared__ float all[16][threads_max + 1];
    const int channel = my_channel();
    const int wide = (int)blockDim.x, high = (int)blockDim.y;
    const int thread = (int)threadIdx.y * wide + (int)threadIdx.x;
    float s[16] = {0};
    if (channel < a.c) {
#pragma unroll 4
        for (int pixel = my_pixel(); pixel < pixels; pixel += pixel_step()) {
            float v[8], w[8];
            load8(at_pixel(a, pixel, channel), v);
            load8(at_pixel(b, pixel, channel), w);
#pragma unroll
            for (int i = 0; i < 8; i++) {
                s[i] += v[i];
                s[8 + i] += v[i] * w[i];
            }
        }
    }
#pragma unroll
    for (int i = 0; i < 16; i++)
        all[i][thread] = s[i];
    __syncthreads();
    for (int at = thread; at < 16 * wide; at += wide * high) {
        const int i = at / wide, chunk = at % wide;
        const int to = (int)(blockIdx.y * blockDim.x + (unsigned)chunk) * 8 + i % 8;
        float total = 0.0f;
        for (int y = 0; y < high; y++)
            total += all[i][y * wide + chunk];
        if (to < a.c)
            parts[((size_t)blockIdx.x * 2 + (unsigned)(i / 8)) * a.c + to] = total;
    }
}

/* About two blocks on each SM of a large GPU. */
static struct lanes sums_lanes(const struct dnn_view *v)
{
    struct lanes l = lanes_of(v->c, dnn_pixels(v), 8);
    const unsigned most = (264 + l.grid.y - 1) / l.grid.y;
    if (l.grid.x > most)
        l.grid.x = most;
    return l;
}

size_t dnn_sums_workspace(const struct dnn_view *v)
{
    return (size_t)sums_lanes(v).grid.x * 2 * v->c;
}

static unsigned add_channel_sums(struct cal_plan *p, const struct dnn_view *a,
                                 const struct dnn_view *b, float *parts)
{
    const struct lanes l = sums_lanes(a);
    cal_add_launch(p, channel_sums, l.grid, l.block, 0, *a, *b, parts, dnn_pixels(a));
    return l.grid.x;
}

/* For blocks of totals_wide x totals_high threads: the totals of channel blockIdx.x * 32 +
 * threadIdx.x over the parts, of which each threadIdx.y adds every eighth. True in the thread that
 * has them. */
constexpr int totals_wide = 32, totals_high = 8;

static __device__ bool totals_of(const float *parts, int blocks, int channels, float *first,
                                 float *second)
{
    __shared__ float all[2][totals_high][totals_wide];
    const int column = (int)threadIdx.x, row = (int)threadIdx.y;
    const int channel = (int)blockIdx.x * totals_wide + column;
    float a = 0.0f, b = 0.0f;
    if (channel < channels) {
#pragma unroll 4
        for (int i = row; i < blocks; i += totals_high) {
            a += parts[(size_t)i * 2 * channels + channel];
            b += parts[((size_t)i * 2 + 1) * channels + channel];
        }
    }
    all[0][row][column] = a;
    all[1][row][column] = b;
    __syncthreads();
    if (row > 0 || channel >= channels)
        return false;
    for (int i = 1; i < totals_high; i++) {
        a += all[0][i][column];
        b += all[1][i][column];
    }
    *first = a;
    *second = b;
    return true;
}

static dim3 totals_grid(int channels)
{
    return dim3(cal_blocks(channels, totals_wide));
}

static __global__ void norm_statistics(struct dnn_norm n, const float *parts, int blocks,
                                       int channels, float share)
{
    const int c = (int)(blockIdx.x * totals_wide + threadIdx.x);
    float total, squares;
    if (!totals_of(parts, blocks, channels, &total, &squares))
        return;
    const float mean = total * share, variance = fmaxf(squares * share - mean * mean, 0.0f);
    const float inverse = rsqrtf(variance + DNN_NORM_EPSILON);
    n.mean[c] = mean;
    n.inverse[c] = inverse;
    n.scale[c] = n.gamma[c] * inverse;
    n.shift[c] = n.beta[c] - n.gamma[c] * inverse * mean;
}

void dnn_add_norm(struct cal_plan *p, const struct dnn_view *x, const struct dnn_view *y,
                  const struct dnn_norm *norm, float *workspace)
{
    const unsigned blocks = add_channel_sums(p, x, x, workspace);
    cal_add_launch(p, norm_statistics, totals_grid(x->c), dim3(totals_wide, totals_high), 0, *norm,
                   workspace, (int)blocks, x->c, 1.0f / (float)dnn_pixels(x));
    dnn_add_scale(p, x, y, norm->scale, norm->shift);
}

/* With u = (x - mean) * inverse: gamma's gradient is the sum of dy * u, beta's that of dy, and
 * dx = gamma * inverse * (dy - mean(dy) - u * mean(dy * u)). */
static __global__ void norm_gradients(struct dnn_norm n, const float *parts, int blocks,
                                      int channels, float share)
{
    const int c = (int)(blockIdx.x * totals_wide + threadIdx.x);
    float total, products;
    if (!totals_of(parts, blocks, channels, &total, &products))
        return;
    const float along = (products - n.mean[c] * total) * n.inverse[c];
    const float from_dy = n.gamma[c] * n.inverse[c];
    const float from_x = -from_dy * n.inverse[c] * along * share;
    n.gamma_gradient[c] = along;
    n.beta_gradient[c] = total;
    n.from_dy[c] = from_dy;
    n.from_x[c] = from_x;
    n.offset[c] = -from_dy * total * share - from_x * n.mean[c];
}

static __global__ void __launch_bounds__(threads_max)
    norm_back(struct dnn_view x, struct dnn_view dy, struct dnn_view dx, struct dnn_view addend,
              struct dnn_norm n, int pixels)
{
    const int channel = my_channel();
    if (channel >= x.c)
        return;
    float from_dy[8], from_x[8], offset[8];
    load8f(n.from_dy + channel, from_dy);
    load8f(n.from_x + channel, from_x);
    load8f(n.offset + channel, offset);
    for (int pixel = my_pixel(); pixel < pixels; pixel += pixel_step()) {
        float v[8], g[8], other[8] = {0};
        load8(at_pixel(x, pixel, channel), v);
        load8(at_pixel(dy, pixel, channel), g);
        if (addend.data != NULL)
            load8(at_pixel(addend, pixel, channel), other);
#pragma unroll
        for (int i = 0; i < 8; i++)
            g[i] = g[i] * from_dy[i] + v[i] * from_x[i] + offset[i] + other[i];
        store8(at_pixel(dx, pixel, channel), g);
    }
}

void dnn_add_norm_back(struct cal_plan *p, const struct dnn_view *x, const struct dnn_view *dy,
                       const struct dnn_view *dx, const struct dnn_view *addend,
                       const struct dnn_norm *norm, float *workspace)
{
    const struct dnn_view none = {};
    const unsigned blocks = add_channel_sums(p, dy, x, workspace);
    const struct lanes l = lanes_of(x->c, dnn_pixels(x), 4);
    cal_add_launch(p, norm_gradients, totals_grid(x->c), dim3(totals_wide, totals_high), 0, *norm,
                   workspace, (int)blocks, x->c, 1.0f / (float)dnn_pixels(x));
    cal_add_launch(p, norm_back, l.grid, l.block, 0, *x, *dy, *dx, addend != NULL ? *addend : none,
                   *norm, dnn_pixels(x));
}

static __global__ void bias_gradient(const float *parts, int blocks, int channels, float *gradient)
{
    const int c = (int)(blockIdx.x * totals_wide + threadIdx.x);
    float total, squares;
    if (!totals_of(parts, blocks, channels, &total, &squares))
        return;
    gradient[c] = total;
}

void dnn_add_bias_gradient(struct cal_plan *p, const struct dnn_view *dy, float *gradient,
                           float *workspace)
{
    const unsigned blocks = add_channel_sums(p, dy, dy, workspace);
    cal_add_launch(p, bias_gradient, totals_grid(dy->c), dim3(totals_wide, totals_high), 0,
                   workspace, (int)blocks, dy->c, gradient);
}

/* --- the end of a network --- */

/* The largest, or the sum, of one value of each of the block's 256 threads. */
static __device__ float block_reduce(float v, bool largest, float *shared)
{
    const int thread = (int)threadIdx.x;
    shared[thread] = v;
    __syncthreads();
    for (int half = threads_max / 2; half > 0; half /= 2) {
        if (thread < half) {
            const float other = shared[thread + half];
            shared[thread] = largest ? fmaxf(shared[thread], other) : shared[thread] + other;
        }
        __syncthreads();
    }
    v = shared[0];
    __syncthreads();
    return v;
}

/* One image a block. */
static __global__ void __launch_bounds__(threads_max)
    softmax(struct dnn_view x, float *probabilities, const int *labels, float *loss,
            struct dnn_view dx, float scale)
{
    __shared__ float shared[threads_max];
    const int image = (int)blockIdx.x, thread = (int)threadIdx.x;
    const __half *logits = at_pixel(x, image, 0);
    float largest = -FLT_MAX, total = 0.0f;
    for (int c = thread; c < x.c; c += threads_max)
        largest = fmaxf(largest, __half2float(logits[c]));
    largest = block_reduce(largest, true, shared);
    for (int c = thread; c < x.c; c += threads_max)
        total += expf(__half2float(logits[c]) - largest);
    total = block_reduce(total, false, shared);
    const int label = labels != NULL ? labels[image] : 0;
    for (int c = thread; c < x.c; c += threads_max) {
        const float v = expf(__half2float(logits[c]) - largest) / total;
        if (probabilities != NULL)
            probabilities[(size_t)image * x.c + c] = v;
        if (labels != NULL)
            at_pixel(dx, image, 0)[c] = __float2half((v - (c == label ? 1.0f : 0.0f)) * scale);
    }
    if (labels != NULL && thread == 0)
        loss[image] = largest + logf(total) - __half2float(logits[label]);
}

void dnn_add_softmax(struct cal_plan *p, const struct dnn_view *x, float *probabilities,
                     const int *labels, float *loss, const struct dnn_view *dx, float scale)
{
    const struct dnn_view none = {};
    cal_add_launch(p, softmax, dim3((unsigned)x->n), dim3(threads_max), 0, *x, probabilities,
                   labels, loss, dx != NULL ? *dx : none, scale);
}

static __global__ void __launch_bounds__(threads_max)
    update_half(const __half *now, const float *gradient, __half *next, size_t n, float rate)
{
    const size_t at = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * 8;
    if (at >= n)
        return;
    float v[8], g[8];
    load8(now + at, v);
    load8f(gradient + at, g);
#pragma unroll
    for (int i = 0; i < 8; i++)
        v[i] -= rate * g[i];
    store8(next + at, v);
}

void dnn_add_update_half(struct cal_plan *p, const __half *now, const float *gradient, __half *next,
                         size_t n, float rate)
{
    cal_add_launch(p, update_half, dim3(cal_blocks((int64_t)n / 8, threads_max)), dim3(threads_max),
                   0, now, gradient, next, n, rate);
}

static __global__ void __launch_bounds__(threads_max)
    update_float(const float *now, const float *gradient, float *next, size_t n, float rate)
{
    const size_t at = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * 8;
    if (at >= n)
        return;
    float v[8], g[8];
    load8f(now + at, v);
    load8f(gradient + at, g);
#pragma unroll
    for (int i = 0; i < 8; i++)
        v[i] -= rate * g[i];
    store8f(next + at, v);
}

void dnn_add_update_float(struct cal_plan *p, const float *now, const float *gradient, float *next,
                          size_t n, float rate)
{
    cal_add_launch(p, update_float, dim3(cal_blocks((int64_t)n / 8, threads_max)),
                   dim3(threads_max), 0, now, gradient, next, n, rate);
}
