/*
 * dnn_gemm.cu - the kernels of dnn_gemm.cuh, how a product is cut into blocks, and grouped
 * convolutions.
 */
#include "calibrate/app/dnn_gemm.cuh"

template <int KIND, int TILE_N>
static __global__ void __launch_bounds__(dnn_gemm_threads, 2) gemm(struct dnn_gemm g)
{
    using body = dnn_gemm_body<KIND, TILE_N>;
    extern __shared__ __align__(128) unsigned char gemm_shared[];
    body::run(g, (int)blockIdx.x, (int)threadIdx.x, (typename body::shared *)gemm_shared,
              dnn_whole_block());
}

/* Adds the parts of a product that was split, 8 columns a thread. */
static __global__ void add_splits(struct dnn_gemm g, const float *parts, int splits, float *sums)
{
    const size_t chunk = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    const size_t all = (size_t)g.m * g.n;
    if (chunk * 8 >= all)
        return;
    float v[8] = {0};
    for (int s = 0; s < splits; s++) {
        const float4 *from = (const float4 *)(parts + s * all + chunk * 8);
        const float4 low = from[0], high = from[1];
        v[0] += low.x, v[1] += low.y, v[2] += low.z, v[3] += low.w;
        v[4] += high.x, v[5] += high.y, v[6] += high.z, v[7] += high.w;
    }
    const int row = (int)(chunk * 8 / g.n), column = (int)(chunk * 8 % g.n);
    g.partial = sums; /* NULL: half precision, with bias and addend */
    dnn_gemm_write(g, 0, row, column, v);
}

/* --- geometry --- */

struct shape {
    struct dnn_conv conv;
    struct dnn_view x, y;
};

/* One pixel's channels form one patch where the kernel is 1x1, or where it covers the whole image
 * (a fully connected layer): then all pixels lie in one row, which saves the cursor work. */
static struct shape flattened(const struct dnn_conv *conv, const struct dnn_view *x,
                              const struct dnn_view *y)
{
    struct shape s = {*conv, *x, *y};
    if (conv->pad_h != 0 || conv->pad_w != 0 || conv->stride != 1)
        return s;
    if (conv->kernel_h == x->h && conv->kernel_w == x->w && x->ld == x->c) {
        s.x.c *= x->h * x->w;
        s.x.ld = s.x.c;
        s.x.h = s.x.w = s.conv.kernel_h = s.conv.kernel_w = 1;
    }
    if (s.conv.kernel_h == 1 && s.conv.kernel_w == 1) {
        s.x.w *= s.x.n * s.x.h;
        s.y.w *= s.y.n * s.y.h;
        s.x.n = s.x.h = s.y.n = s.y.h = 1;
    }
    return s;
}

static void set_image(struct dnn_gemm *g, const struct shape *s, const struct dnn_view *image,
                      const struct dnn_view *rows)
{
    g->image = image->data;
    g->image_ld = image->ld;
    g->channels = image->c;
    g->height = image->h;
    g->width = image->w;
    g->image_pixels = dnn_pixels(image);
    g->kernel_h = s->conv.kernel_h;
    g->kernel_w = s->conv.kernel_w;
    g->stride = s->conv.stride;
    g->pad_h = s->conv.pad_h;
    g->pad_w = s->conv.pad_w;
    g->rows_h = rows->h;
    g->rows_w = rows->w;
}

int dnn_gemm_tile_n(const struct dnn_gemm *g)
{
    if (g->n <= 32)
        return 32;
    /* 64 columns only where 128 would compute more padding: their tiles read more per product. */
    return (g->n + 63) / 64 * 64 < (g->n + 127) / 128 * 128 ? 64 : 128;
}

static int tiles_of(const struct dnn_gemm *g)
{
    const int tile_n = dnn_gemm_tile_n(g);
    return (g->m + dnn_tile_m - 1) / dnn_tile_m * ((g->n + tile_n - 1) / tile_n);
}

int dnn_gemm_splits(const struct dnn_gemm *g)
{
    return (g->k + g->split_k - 1) / g->split_k;
}

int dnn_gemm_blocks(const struct dnn_gemm *g)
{
    return tiles_of(g) * dnn_gemm_splits(g);
}

size_t dnn_gemm_workspace(const struct dnn_gemm *g)
{
    const int splits = dnn_gemm_splits(g);
    return splits == 1 ? 0 : (size_t)splits * g->m * g->n;
}

/* A product with too few tiles for a large GPU (two blocks on each of 132 SMs) is split, but no
 * part is shorter than 8 slices. */
static void set_splits(struct dnn_gemm *g)
{
    const int slices = (g->k + dnn_tile_k - 1) / dnn_tile_k;
    int splits = 264 / tiles_of(g);
    if (splits > slices / 8)
        splits = slices / 8;
    if (splits < 1)
        splits = 1;
    g->split_k = (slices + splits - 1) / splits * dnn_tile_k;
}

struct dnn_gemm dnn_gemm_forward(const struct dnn_conv *conv, const struct dnn_view *x,
                                 const struct dnn_view *y, const __half *weights, const float *bias,
                                 float *workspace)
{
    const struct shape s = flattened(conv, x, y);
    struct dnn_gemm g = {};
    set_image(&g, &s, &s.x, &s.y);
    g.b = weights;
    g.b_ld = g.n = s.y.c;
    g.m = dnn_pixels(&s.y);
    g.k = s.conv.kernel_h * s.conv.kernel_w * s.x.c;
    g.out = s.y.data;
    g.out_ld = s.y.ld;
    g.bias = bias;
    set_splits(&g);
    g.partial = dnn_gemm_splits(&g) > 1 ? workspace : NULL;
    return g;
}

struct dnn_gemm dnn_gemm_data_gradient(const struct dnn_conv *conv, const struct dnn_view *dx,
                                       const struct dnn_view *dy, const __half *weights,
                                       const struct dnn_view *addend, float *workspace)
{
    const struct shape s = flattened(conv, dx, dy);
    struct dnn_gemm g = {};
    set_image(&g, &s, &s.y, &s.x);
    g.b = weights;
    g.n = s.x.c;
    g.m = dnn_pixels(&s.x);
    g.k = s.conv.kernel_h * s.conv.kernel_w * s.y.c;
    g.out = s.x.data;
    g.out_ld = s.x.ld;
    if (addend != NULL) {
        g.addend = addend->data;
        g.addend_ld = addend->ld * (s.x.c / dx->c); /* patches of whole images lie like these */
    }
    set_splits(&g);
    g.partial = dnn_gemm_splits(&g) > 1 ? workspace : NULL;
    return g;
}

struct dnn_gemm dnn_gemm_weight_gradient(const struct dnn_conv *conv, const struct dnn_view *x,
                                         const struct dnn_view *dy, float *gradient,
                                         float *workspace)
{
    const struct shape s = flattened(conv, x, dy);
    struct dnn_gemm g = {};
    set_image(&g, &s, &s.x, &s.y);
    g.b = s.y.data;
    g.b_ld = s.y.ld;
    g.n = s.y.c;
    g.m = s.conv.kernel_h * s.conv.kernel_w * s.x.c;
    g.k = dnn_pixels(&s.y);
    set_splits(&g);
    g.partial = dnn_gemm_splits(&g) > 1 ? workspace : gradient;
    return g;
}

/* --- launches --- */

template <int KIND> static void add_gemm(struct cal_plan *p, const struct dnn_gemm *g, float *sums)
{
    const dim3 grid((unsigned)dnn_gemm_blocks(g)), block(dnn_gemm_threads);
    switch (dnn_gemm_tile_n(g)) {
    case 128:
        cal_add_launch(p, gemm<KIND, 128>, grid, block,
                       sizeof(typename dnn_gemm_body<KIND, 128>::shared), *g);
        break;
    case 64:
        cal_add_launch(p, gemm<KIND, 64>, grid, block,
                       sizeof(typename dnn_gemm_body<KIND, 64>::shared), *g);
        break;
    default:
        cal_add_launch(p, gemm<KIND, 32>, grid, block,
                       sizeof(typename dnn_gemm_body<KIND, 32>::shared), *g);
        break;
    }
    const int splits = dnn_gemm_splits(g);
    if (splits > 1)
        cal_add_launch(p, add_splits, dim3(cal_blocks((int64_t)g->m * g->n / 8, 256)), dim3(256), 0,
                       *g, g->partial, splits, sums);
}

void dnn_add_forward(struct cal_plan *p, const struct dnn_gemm *g)
{
    add_gemm<DNN_FORWARD>(p, g, NULL);
}

void dnn_add_data_gradient(struct cal_plan *p, const struct dnn_gemm *g)
{
    add_gemm<DNN_DATA_GRADIENT>(p, g, NULL);
}

void dnn_add_weight_gradient(struct cal_plan *p, const struct dnn_gemm *g, float *gradient)
{
    add_gemm<DNN_WEIGHT_GRADIENT>(p, g, gradient);
}

/* --- grouped convolutions --- */

constexpr int grouped_channels = 64; /* of one block of threads, with 128 pixels */

struct grouped {
    struct dnn_conv conv;
    struct dnn_view x, y;
    const __half *weights;
};

template <int WIDTH> struct grouped_tiles {
    static constexpr int a_ld = grouped_channels + dnn_pad, b_ld = WIDTH + dnn_pad;
    static constexpr int stage = dnn_tile_m * a_ld + grouped_channels * b_ld;
    static constexpr int strip_ld = grouped_channels + 4;
    static constexpr size_t bytes = (size_t)dnn_stages * stage * sizeof(__half);
};
static_assert(grouped_tiles<16>::bytes >= 8 * 16 * 68 * sizeof(float), "strips fit");

template <int WIDTH>
static __device__ __forceinline__ void copy_tap(const struct grouped &g, const int y[4],
                                                const int x[4], const int first[4], int channel0,
                                                int tap, int thread, __half *stage)
{
    using T = grouped_tiles<WIDTH>;
    const int tap_y = tap / g.conv.kernel_w, tap_x = tap % g.conv.kernel_w;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int at_y = y[i] + tap_y, at_x = x[i] + tap_x;
        const bool valid = (unsigned)at_y < (unsigned)g.x.h && (unsigned)at_x < (unsigned)g.x.w;
        const size_t pixel = valid ? (size_t)(first[i] + at_y * g.x.w + at_x) : 0;
        dnn_copy16(stage + (thread / 8 + 32 * i) * T::a_ld + thread % 8 * 8,
                   g.x.data + pixel * g.x.ld + channel0 + thread % 8 * 8, valid);
    }
    stage += dnn_tile_m * T::a_ld;
    const int row = thread / (WIDTH / 8), column = thread % (WIDTH / 8) * 8;
    if (row < grouped_channels)
        dnn_copy16(stage + row * T::b_ld + column,
                   g.weights + ((size_t)tap * g.x.c + channel0 + row) * WIDTH + column, true);
}

/* 128 pixels and 64 channels of y; each warp 16 pixels. The summed index is the tap and the
 * channels of a block of WIDTH. */
template <int WIDTH>
static __global__ void __launch_bounds__(dnn_gemm_threads, 2) grouped_conv(struct grouped g)
{
    using namespace nvcuda;
    using T = grouped_tiles<WIDTH>;
    extern __shared__ __align__(128) unsigned char grouped_shared[];
    __half *tiles_at = (__half *)grouped_shared;
    const int thread = (int)threadIdx.x, warp = thread / 32, lane = thread % 32;
    const int channel0 = (int)blockIdx.y * grouped_channels;
    const int pixel0 = (int)blockIdx.x * dnn_tile_m, pixels = g.y.n * g.y.h * g.y.w;
    const int taps = g.conv.kernel_h * g.conv.kernel_w;
    int y[4], x[4], first[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int pixel = pixel0 + thread / 8 + 32 * i;
        const int image = pixel / (g.y.h * g.y.w), rest = pixel - image * (g.y.h * g.y.w);
        y[i] = pixel < pixels ? rest / g.y.w * g.conv.stride - g.conv.pad_h : dnn_outside;
        x[i] = rest % g.y.w * g.conv.stride - g.conv.pad_w;
        first[i] = image * g.x.h * g.x.w;
    }
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
        wmma::fill_fragment(sum[j], 0.0f);
#pragma unroll
    for (int s = 0; s < dnn_stages - 1; s++) {
        if (s < taps)
            copy_tap<WIDTH>(g, y, x, first, channel0, s, thread, tiles_at + s * T::stage);
        dnn_copies_commit();
    }
    for (int s = 0; s < taps; s++) {
        dnn_copies_wait<dnn_stages - 2>();
        __syncthreads();
        const int next = s + dnn_stages - 1;
        if (next < taps)
            copy_tap<WIDTH>(g, y, x, first, channel0, next, thread,
                            tiles_at + next % dnn_stages * T::stage);
        dnn_copies_commit();
        const __half *a = tiles_at + s % dnn_stages * T::stage, *b = a + dnn_tile_m * T::a_ld;
#pragma unroll
        for (int k = 0; k < grouped_channels; k += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
            wmma::load_matrix_sync(left, a + warp * 16 * T::a_ld + k, T::a_ld);
#pragma unroll
            for (int n = 0; n < WIDTH; n += 16) {
                wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
                wmma::load_matrix_sync(right, b + k * T::b_ld + n, T::b_ld);
                const int j = (k / WIDTH * WIDTH + n) / 16;
                wmma::mma_sync(sum[j], left, right, sum[j]);
            }
        }
    }
    __syncthreads(); /* the strips lie where the slices lay */
    float *strip = (float *)grouped_shared + warp * 16 * T::strip_ld;
#pragma unroll
    for (int j = 0; j < 4; j++)
        wmma::store_matrix_sync(strip + j * 16, sum[j], T::strip_ld, wmma::mem_row_major);
    __syncwarp();
#pragma unroll
    for (int at = lane; at < 16 * grouped_channels / 8; at += 32) {
        const int r = at / 8, q = at % 8 * 8, pixel = pixel0 + warp * 16 + r;
        float v[8];
#pragma unroll
        for (int e = 0; e < 8; e++)
            v[e] = strip[r * T::strip_ld + q + e];
        if (pixel < pixels)
            *(uint4 *)(g.y.data + (size_t)pixel * g.y.ld + channel0 + q) = dnn_pack(v);
    }
}

int dnn_grouped_block(int channels, int groups)
{
    return channels / groups > 16 ? 32 : 16;
}

void dnn_add_grouped(struct cal_plan *p, const struct dnn_conv *conv, const struct dnn_view *x,
                     const struct dnn_view *y, const __half *weights)
{
    const struct grouped g = {*conv, *x, *y, weights};
    const dim3 grid(cal_blocks(dnn_pixels(y), dnn_tile_m), (unsigned)(x->c / grouped_channels));
    if (dnn_grouped_block(x->c, conv->groups) == 16)
        cal_add_launch(p, grouped_conv<16>, grid, dim3(dnn_gemm_threads), grouped_tiles<16>::bytes,
                       g);
    else
        cal_add_launch(p, grouped_conv<32>, grid, dim3(dnn_gemm_threads), grouped_tiles<32>::bytes,
                       g);
}

static __global__ void mask_groups(__half *weights, int rows, int channels, int block, int width)
{
    const int at = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (at >= rows * block)
        return;
    const int in = at / block % channels % block, out = at % block;
    if (in / width != out / width)
        weights[at] = __float2half(0.0f);
}

cudaError_t dnn_mask_groups(__half *weights, int taps, int channels, int groups)
{
    const int block = dnn_grouped_block(channels, groups), rows = taps * channels;
    mask_groups<<<cal_blocks((int64_t)rows * block, 256), 256>>>(weights, rows, channels, block,
                                                                 channels / groups);
    const cudaError_t status = cudaGetLastError();
    return status != cudaSuccess ? status : cudaDeviceSynchronize();
}
