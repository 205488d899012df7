/*
 * layers_f32.cuh - convolutional networks in single precision, layer by layer, as the C-Laius
 * paper's services run them: a table of layers makes the state, the plan and the check.
 *
 * A convolution is im2col and cuBLAS (Chellapilla, Puri, Simard, "High performance convolutional
 * neural networks for document processing", IWFHR 2006; Jia et al., "Caffe", ACM MM 2014), in
 * chunks of images, and one kernel of the request, as a call of a library is one task in the paper.
 * Bias and activation, pooling, normalisation and softmax are kernels of ours.
 *
 * A tensor is [planes][images][height][width][channels]. Two planes are the two halves of
 * Krizhevsky's network, each on a GPU of its own there; other networks have one. Each layer writes
 * a buffer of its own, so that kernels can be repeated and the check sees what each layer was
 * given.
 */
#ifndef DCS_CALIBRATE_APPS_LAYERS_F32_CUH
#define DCS_CALIBRATE_APPS_LAYERS_F32_CUH

#include "calibrate/app/app.cuh"

#include <algorithm>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

namespace
{

enum layer_kind { CONVOLUTION, POOL, NORMALISE, LOCAL, FULL, SOFTMAX };

struct layer {
    const char *name;
    enum layer_kind kind;
    int filters; /* CONVOLUTION, LOCAL, FULL: of all planes of its output */
    int size, stride, pad;
    int planes;   /* of its output */
    bool grouped; /* CONVOLUTION: each plane sees that plane only */
    bool relu;
};

struct extent {
    int planes, height, width, channels; /* channels of one plane */
};

constexpr int layers_max = 20, local_channels = 16, local_images = 32, threads = 256;
constexpr size_t columns_bytes = (size_t)256 << 20; /* of im2col, unless one image needs more */

struct stage {
    struct net *net;
    const struct layer *layer;
    struct extent in, out;
    int k; /* products in a sum of one output, of one plane of input where planes are apart */
    float *weights, *bias, *output;
    const float *input;
    /* CONVOLUTION: for each chunk (and each plane, if grouped) a kernel that makes the columns */
    struct cal_plan columns;
    int chunk;
};

struct net {
    int64_t images;
    const struct layer *layers;
    int count;
    struct extent input;
    struct stage stages[layers_max];
    float *first; /* device: the images */
    float *raw;   /* what cuBLAS wrote, before bias and activation */
    float *columns;
    float *sent, *result; /* host */
};

int64_t values_of(struct extent e)
{
    return (int64_t)e.planes * e.height * e.width * e.channels;
}

/* --- kernels: tensors have fewer than 2^32 values, as divisions of 64 bits are slow --- */

struct window {
    int height, width, channels; /* of the input */
    int out_height, out_width, size, stride, pad;
};

/* A warp for each row: the pixels under one position of the filter, of one plane. A row of the
 * filter's window is contiguous in the image, channels innermost. */
__global__ void __launch_bounds__(threads)
    make_columns(const float *in, float *columns, struct window w, unsigned rows, int pitch)
{
    unsigned row = blockIdx.x * (threads / 32) + threadIdx.y;
    unsigned places = (unsigned)(w.out_height * w.out_width);
    if (row >= rows)
        return;
    int pixel = (int)(row % places);
    int64_t image = row / places;
    int run = w.size * w.channels, line = w.width * w.channels;
    int y0 = pixel / w.out_width * w.stride - w.pad;
    int x0 = (pixel % w.out_width * w.stride - w.pad) * w.channels;
    const float *from = in + image * w.height * line;
    float *to = columns + (int64_t)row * pitch;
    int r = (int)threadIdx.x / run, q = (int)threadIdx.x % run;
    for (int k = (int)threadIdx.x; k < run * w.size; k += 32) {
        int y = y0 + r, x = x0 + q;
        bool inside = y >= 0 && y < w.height && x >= 0 && x < line;
        to[k] = inside ? from[y * line + x] : 0.0f;
        for (q += 32; q >= run; q -= run)
            r++;
    }
}

/* Grid y is the plane. */
__global__ void __launch_bounds__(threads) add_bias(const float *from, const float *bias, float *to,
                                                    unsigned plane, unsigned channels, bool relu)
{
    int64_t base = blockIdx.y * (int64_t)plane;
    const float *b = bias + blockIdx.y * channels;
    int64_t stride = (int64_t)gridDim.x * threads;
    for (int64_t i = blockIdx.x * (int64_t)threads + threadIdx.x; i < plane; i += stride) {
        float value = from[base + i] + b[(unsigned)i % channels];
        to[base + i] = relu ? fmaxf(value, 0.0f) : value;
    }
}

__global__ void __launch_bounds__(threads)
    pool(const float *in, float *out, struct window w, unsigned outputs)
{
    unsigned i = blockIdx.x * threads + threadIdx.x;
    if (i >= outputs)
        return;
    unsigned rest = i / (unsigned)w.channels, c = i % (unsigned)w.channels;
    int x0 = (int)(rest % (unsigned)w.out_width) * w.stride;
    rest /= (unsigned)w.out_width;
    int y0 = (int)(rest % (unsigned)w.out_height) * w.stride;
    int64_t image = rest / (unsigned)w.out_height;
    const float *from = in + image * w.height * w.width * w.channels + c;
    float best = -INFINITY;
    for (int y = y0; y < min(y0 + w.size, w.height); y++)
        for (int x = x0; x < min(x0 + w.size, w.width); x++)
            best = fmaxf(best, from[(y * w.width + x) * w.channels]);
    out[i] = best;
}

/* Krizhevsky et al. section 3.3: k = 2, n = 5, alpha = 1e-4, beta = 3/4. */
__global__ void __launch_bounds__(threads)
    normalise(const float *in, float *out, unsigned outputs, int channels)
{
    unsigned i = blockIdx.x * threads + threadIdx.x;
    if (i >= outputs)
        return;
    int c = (int)(i % (unsigned)channels);
    float sum = 0;
    for (int d = max(-2, -c); d <= min(2, channels - 1 - c); d++)
        sum += in[(int64_t)i + d] * in[(int64_t)i + d];
    float root = rsqrtf(2.0f + 1e-4f * sum); /* x^-3/4 = x^-1/2 * (x^-1/2)^1/2 */
    out[i] = in[i] * root * sqrtf(root);
}

/*
 * A locally connected layer of 16 channels in and out: filters of their own at each place, with
 * bias and ReLU. A block is one place and 32 images; it takes one row of the window at a time. A
 * thread has two images and two filters.
 */
__global__ void __launch_bounds__(128)
    connect_locally(const float *in, const float *weights, const float *bias, float *out,
                    struct window w, int images)
{
    constexpr int c = local_channels, run_max = 9 * c;
    __shared__ __align__(16) float pixels[local_images][run_max + 4];
    __shared__ __align__(16) float filters[run_max][c];
    int t = (int)threadIdx.x, f = t % (c / 2) * 2, a = t / (c / 2) * 2, b = a + 1;
    int place = (int)blockIdx.x, first = (int)blockIdx.y * local_images;
    int run = w.size * c, y0 = place / w.out_width * w.stride, x0 = place % w.out_width * w.stride;
    const float *mine = weights + (int64_t)place * w.size * run * c;
    float sum[2][2] = {};
    for (int r = 0; r < w.size; r++) {
        __syncthreads();
        for (int i = t; i < local_images * run; i += 128) {
            int image = i / run, k = i % run;
            int64_t line = (int64_t)(first + image) * w.height + y0 + r;
            pixels[image][k] = first + image < images ? in[(line * w.width + x0) * c + k] : 0.0f;
        }
        for (int i = t; i < run * c; i += 128)
            filters[i / c][i % c] = mine[r * run * c + i];
        __syncthreads();
        for (int k = 0; k < run; k += 4) {
            float4 p = *(const float4 *)&pixels[a][k], q = *(const float4 *)&pixels[b][k];
            const float ps[4] = {p.x, p.y, p.z, p.w}, qs[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float2 filter = *(const float2 *)&filters[k + i][f];
                sum[0][0] += ps[i] * filter.x;
                sum[0][1] += ps[i] * filter.y;
                sum[1][0] += qs[i] * filter.x;
                sum[1][1] += qs[i] * filter.y;
            }
        }
    }
    int64_t places = (int64_t)w.out_height * w.out_width;
    for (int i = 0; i < 2; i++) {
        int image = first + (i == 0 ? a : b);
        for (int j = 0; j < 2 && image < images; j++)
            out[(image * places + place) * c + f + j] =
                fmaxf(sum[i][j] + bias[place * c + f + j], 0.0f);
    }
}

/* A warp for each image. */
__global__ void __launch_bounds__(threads)
    softmax(const float *in, float *out, int64_t images, int classes)
{
    int64_t image = blockIdx.x * (int64_t)(threads / 32) + threadIdx.y;
    if (image >= images)
        return;
    const float *from = in + image * classes;
    float top = -INFINITY, sum = 0;
    for (int i = (int)threadIdx.x; i < classes; i += 32)
        top = fmaxf(top, from[i]);
    for (int d = 16; d > 0; d /= 2)
        top = fmaxf(top, __shfl_xor_sync(~0u, top, d));
    for (int i = (int)threadIdx.x; i < classes; i += 32)
        sum += expf(from[i] - top);
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(~0u, sum, d);
    for (int i = (int)threadIdx.x; i < classes; i += 32)
        out[image * classes + i] = expf(from[i] - top) / sum;
}

/* --- state --- */

struct window window_of(const struct stage *s)
{
    return {s->in.height, s->in.width,    s->in.channels,   s->out.height,
            s->out.width, s->layer->size, s->layer->stride, s->layer->pad};
}

/* Pooling covers the input, its last window clipped; convolutions stay inside it. */
struct extent extent_after(const struct layer *l, struct extent in)
{
    switch (l->kind) {
    case CONVOLUTION:
    case LOCAL:
        return {l->planes, (in.height + 2 * l->pad - l->size) / l->stride + 1,
                (in.width + 2 * l->pad - l->size) / l->stride + 1, l->filters / l->planes};
    case POOL:
        return {in.planes, (in.height - l->size + l->stride - 1) / l->stride + 1,
                (in.width - l->size + l->stride - 1) / l->stride + 1, in.channels};
    case FULL:
        return {1, 1, 1, l->filters};
    case NORMALISE:
    case SOFTMAX:
        break;
    }
    return in;
}

int64_t places_of(struct extent e)
{
    return (int64_t)e.height * e.width;
}

int64_t weights_of(const struct stage *s)
{
    const struct layer *l = s->layer;
    switch (l->kind) {
    case CONVOLUTION:
        return (int64_t)s->k * l->filters;
    case LOCAL:
        return places_of(s->out) * s->k * l->filters;
    case FULL:
        return (int64_t)s->k * s->in.planes * l->filters;
    default:
        return 0;
    }
}

int64_t biases_of(const struct stage *s)
{
    return s->layer->kind == LOCAL ? places_of(s->out) * s->layer->filters : s->layer->filters;
}

/* The columns of a chunk hold plane after plane within a row, or one plane only if grouped. */
void plan_columns(struct stage *s)
{
    struct net *net = s->net;
    struct window w = window_of(s);
    int64_t images = net->images, places = places_of(s->out);
    int64_t plane = images * s->in.height * s->in.width * s->in.channels;
    int per_plane = w.size * w.size * w.channels;
    dim3 block(32, threads / 32);
    for (int64_t first = 0; first < images; first += s->chunk) {
        int64_t rows = std::min<int64_t>(s->chunk, images - first) * places;
        for (int p = 0; p < s->in.planes; p++) {
            if (p == 0 || s->layer->grouped)
                cal_begin_kernel(&s->columns, CAL_COMPUTE, "columns", "columns");
            const float *in =
                s->input + p * plane + first * s->in.height * s->in.width * s->in.channels;
            float *to = net->columns + (s->layer->grouped ? 0 : p * per_plane);
            cal_add_launch(&s->columns, make_columns, cal_blocks(rows, threads / 32), block, 0, in,
                           to, w, (unsigned)rows, s->k);
        }
    }
}

int convolve(void *context, cudaStream_t stream)
{
    const struct stage *s = (const struct stage *)context;
    const struct net *net = s->net;
    int64_t places = places_of(s->out), piece = 0;
    for (int64_t first = 0; first < net->images; first += s->chunk) {
        int64_t rows = std::min<int64_t>(s->chunk, net->images - first) * places;
        for (int p = 0; p < s->out.planes; p++) {
            if (p == 0 || s->layer->grouped) {
                cudaError_t status = cal_enqueue(&s->columns, &s->columns.kernels[piece++], stream);
                if (status != cudaSuccess)
                    return (int)status;
            }
            int n = s->out.channels;
            float *to = net->raw + (p * net->images + first) * places * n;
            int status = cal_blas_sgemm(stream, false, false, (int)rows, n, s->k, 1.0f,
                                        net->columns, s->weights + (int64_t)p * s->k * n, 0.0f, to);
            if (status != 0)
                return status;
        }
    }
    return 0;
}

/* The planes of the input are parts of one sum. */
int multiply(void *context, cudaStream_t stream)
{
    const struct stage *s = (const struct stage *)context;
    const struct net *net = s->net;
    for (int64_t p = 0; p < s->in.planes; p++) {
        int status =
            cal_blas_sgemm(stream, false, false, (int)net->images, s->out.channels, s->k, 1.0f,
                           s->input + p * net->images * s->k,
                           s->weights + p * s->k * s->out.channels, p == 0 ? 0.0f : 1.0f, net->raw);
        if (status != 0)
            return status;
    }
    return 0;
}

void net_destroy(void *state)
{
    struct net *net = (struct net *)state;
    if (net == NULL)
        return;
    for (int i = 0; i < net->count; i++) {
        struct stage *s = &net->stages[i];
        cudaFree(s->weights);
        cudaFree(s->bias);
        cudaFree(s->output);
        cal_plan_release(&s->columns);
    }
    cudaFree(net->first);
    cudaFree(net->raw);
    cudaFree(net->columns);
    cudaFreeHost(net->sent);
    cudaFreeHost(net->result);
    free(net);
}

int alloc_f32(float **to, int64_t values, struct dcs_err *err)
{
    return cal_device_alloc((void **)to, (size_t)values * 4, err);
}

int make_stage(struct net *net, int i, struct dcs_err *err)
{
    struct stage *s = &net->stages[i];
    const struct layer *l = &net->layers[i];
    s->net = net;
    s->layer = l;
    s->in = i == 0 ? net->input : net->stages[i - 1].out;
    s->input = i == 0 ? net->first : net->stages[i - 1].output;
    s->out = extent_after(l, s->in);
    s->k = l->kind == FULL ? (int)places_of(s->in) * s->in.channels
                           : l->size * l->size * s->in.channels *
                                 (l->kind == CONVOLUTION && !l->grouped ? s->in.planes : 1);
    if (alloc_f32(&s->output, values_of(s->out) * net->images, err) != 0)
        return -1;
    if (weights_of(s) == 0)
        return 0;
    if (alloc_f32(&s->weights, weights_of(s), err) != 0)
        return -1;
    return alloc_f32(&s->bias, biases_of(s), err);
}

int net_allocate(struct net *net, struct dcs_err *err)
{
    int64_t inputs = values_of(net->input) * net->images, raw = 0, columns = 0;
    if (cal_blas_open(err) != 0 || alloc_f32(&net->first, inputs, err) != 0 ||
        cal_host_alloc((void **)&net->sent, (size_t)inputs * 4, err) != 0)
        return -1;
    for (int i = 0; i < net->count; i++) {
        struct stage *s = &net->stages[i];
        if (make_stage(net, i, err) != 0)
            return -1;
        if (s->layer->kind == CONVOLUTION || s->layer->kind == FULL)
            raw = std::max(raw, values_of(s->out) * net->images);
        if (s->layer->kind != CONVOLUTION)
            continue;
        int64_t image = places_of(s->out) * s->k;
        int64_t chunk = std::max<int64_t>(1, (int64_t)(columns_bytes / 4) / image);
        s->chunk = (int)std::min(chunk, net->images);
        columns = std::max(columns, s->chunk * image);
    }
    int64_t results = values_of(net->stages[net->count - 1].out) * net->images;
    if (alloc_f32(&net->raw, raw, err) != 0 || alloc_f32(&net->columns, columns, err) != 0)
        return -1;
    return cal_host_alloc((void **)&net->result, (size_t)results * 4, err);
}

/* Weights are as wide as keeps the values of deep networks near 1 (He et al., ICCV 2015). */
int net_fill(struct net *net, uint64_t seed, struct dcs_err *err)
{
    size_t inputs = (size_t)(values_of(net->input) * net->images);
    if (cal_fill_uniform_f32(net->first, inputs, seed, -1, 1, err) != 0 ||
        cal_fail_cuda(err, cudaMemcpy(net->sent, net->first, inputs * 4, cudaMemcpyDeviceToHost),
                      "fetching the images") != 0)
        return -1;
    for (int i = 0; i < net->count; i++) {
        struct stage *s = &net->stages[i];
        if (s->layer->kind == CONVOLUTION)
            plan_columns(s);
        if (s->weights == NULL)
            continue;
        float wide = sqrtf(6.0f / (float)(s->k * (s->layer->kind == FULL ? s->in.planes : 1)));
        if (cal_fill_uniform_f32(s->weights, (size_t)weights_of(s), seed + 2 * (uint64_t)i + 1,
                                 -wide, wide, err) != 0 ||
            cal_fill_uniform_f32(s->bias, (size_t)biases_of(s), seed + 2 * (uint64_t)i + 2, -0.1f,
                                 0.1f, err) != 0)
            return -1;
    }
    return 0;
}

void *net_create(struct extent input, const struct layer *layers, int count, int64_t images,
                 uint64_t seed, struct dcs_err *err)
{
    struct net *net = (struct net *)calloc(1, sizeof *net);
    if (net == NULL) {
        cal_fail(err, "out of memory");
        return NULL;
    }
    net->images = images;
    net->layers = layers;
    net->count = count;
    net->input = input;
    if (net_allocate(net, err) != 0 || net_fill(net, seed, err) != 0) {
        net_destroy(net);
        return NULL;
    }
    return net;
}

/* --- plan --- */

void plan_bias(const struct stage *s, struct cal_plan *p)
{
    int64_t plane = s->net->images * places_of(s->out) * s->out.channels;
    char name[CAL_NAME_BYTES];
    snprintf(name, sizeof name, "%s_%s", s->layer->name, s->layer->relu ? "relu" : "bias");
    struct cal_kernel *k =
        cal_begin_kernel(p, CAL_COMPUTE, name, "%s_%dx%lldx%d", s->layer->relu ? "relu" : "bias",
                         s->out.planes, (long long)(plane / s->out.channels), s->out.channels);
    k->repeatable = true;
    k->flop = (s->layer->relu ? 2.0 : 1.0) * (double)plane * s->out.planes;
    k->bytes = 8.0 * (double)plane * s->out.planes;
    unsigned blocks = std::min(cal_blocks(plane, 4 * threads), 1u << 20);
    cal_add_launch(p, add_bias, dim3(blocks, (unsigned)s->out.planes), threads, 0, s->net->raw,
                   s->bias, s->output, (unsigned)plane, (unsigned)s->out.channels, s->layer->relu);
}

/* Sums of products. Columns are written and read. */
void plan_product(struct stage *s, struct cal_plan *p)
{
    const struct net *net = s->net;
    bool full = s->layer->kind == FULL;
    int64_t rows = net->images * places_of(s->out);
    int64_t k_all = (int64_t)s->k * (full ? s->in.planes : 1);
    int64_t columns = full ? 0 : rows * s->k * (s->layer->grouped ? s->in.planes : 1);
    struct cal_kernel *k =
        cal_begin_kernel(p, CAL_LIBRARY, s->layer->name, "%s_%lldx%dx%d", full ? "full" : "conv",
                         (long long)rows, s->layer->filters, (int)k_all);
    k->repeatable = true;
    k->flop = 2.0 * (double)rows * s->layer->filters * (double)k_all;
    k->bytes = 4.0 * (double)(values_of(s->in) * net->images + weights_of(s) +
                              values_of(s->out) * net->images + 2 * columns);
    k->call = full ? multiply : convolve;
    k->context = s;
    k->call_launches = (uint32_t)s->in.planes;
    if (!full)
        k->call_launches = (uint32_t)s->columns.launches_count +
                           cal_blocks(net->images, s->chunk) * (uint32_t)s->out.planes;
    plan_bias(s, p);
}

void plan_own(const struct stage *s, struct cal_plan *p)
{
    const struct layer *l = s->layer;
    int64_t images = s->net->images, inputs = values_of(s->in) * images;
    int64_t outputs = values_of(s->out) * images;
    static const char *const names[] = {"conv", "pool", "normalise", "local", "full", "softmax"};
    struct cal_kernel *k = cal_begin_kernel(p, CAL_COMPUTE, l->name, "%s_%lldx%dx%dx%d_by_%d",
                                            names[l->kind], (long long)images * s->in.planes,
                                            s->in.height, s->in.width, s->in.channels, l->size);
    k->repeatable = true;
    k->bytes = 4.0 * (double)(inputs + outputs);
    struct window w = window_of(s);
    switch (l->kind) {
    case POOL:
        k->flop = (double)outputs * l->size * l->size;
        cal_add_launch(p, pool, cal_blocks(outputs, threads), threads, 0, s->input, s->output, w,
                       (unsigned)outputs);
        break;
    case NORMALISE:
        k->flop = 15.0 * (double)outputs;
        cal_add_launch(p, normalise, cal_blocks(outputs, threads), threads, 0, s->input, s->output,
                       (unsigned)outputs, s->out.channels);
        break;
    case LOCAL:
        k->flop = 2.0 * (double)outputs * s->k;
        k->bytes += 4.0 * (double)(weights_of(s) + biases_of(s));
        cal_add_launch(p, connect_locally,
                       dim3((unsigned)places_of(s->out), cal_blocks(images, local_images)), 128, 0,
                       s->input, s->weights, s->bias, s->output, w, (int)images);
        break;
    default:
        k->flop = 5.0 * (double)outputs;
        cal_add_launch(p, softmax, cal_blocks(images, threads / 32), dim3(32, threads / 32), 0,
                       s->input, s->output, images, s->out.channels);
    }
}

int net_plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    struct net *net = (struct net *)state;
    cal_add_transfer(p, CAL_TO_DEVICE, "images", net->first, net->sent,
                     (size_t)(values_of(net->input) * net->images) * 4);
    for (int i = 0; i < net->count; i++) {
        struct stage *s = &net->stages[i];
        if (s->layer->kind == CONVOLUTION || s->layer->kind == FULL)
            plan_product(s, p);
        else
            plan_own(s, p);
    }
    const struct stage *last = &net->stages[net->count - 1];
    cal_add_transfer(p, CAL_FROM_DEVICE, "result", net->result, last->output,
                     (size_t)(values_of(last->out) * net->images) * 4);
    return 0;
}

} // namespace

#include "calibrate/apps/layers_f32_check.cuh"

#endif
