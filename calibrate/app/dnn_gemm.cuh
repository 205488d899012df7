/*
 * dnn_gemm.cuh - convolutions as matrix products on the tensor cores.
 *
 * A convolution of NHWC images is the product of a matrix whose rows are the input patches with the
 * matrix of the weights (Chellapilla, Puri, Simard, IWFHR 2006: "high performance convolutional
 * neural networks for document processing"). The patches are never written out: the copies into
 * shared memory gather them (implicit GEMM, Chetlur et al., "cuDNN: efficient primitives for deep
 * learning", 2014). The gradients are products of the same parts:
 *
 *   FORWARD         y[pixel of y][cout] = patches(x)[pixel of y][tap, cin] . w[tap, cin][cout]
 *   DATA_GRADIENT   dx[pixel of x][cin] = patches(dy)[pixel of x][tap, cout] . w^T[tap, cout][cin]
 *   WEIGHT_GRADIENT dw[tap, cin][cout]  = patches(x)^T[tap, cin][pixel of y] . dy[pixel of y][cout]
 *
 * Weights are [tap][cin][cout]. All channel counts are multiples of 8 (one 16-byte copy), all
 * products are summed in single precision. The data gradient of a convolution with stride 2
 * multiplies by zeros where no output pixel lies (3 of 4 products); its flop count leaves them out.
 *
 * One block of 256 threads computes a tile of 128 rows and TILE_N columns from slices 32 deep,
 * which arrive by asynchronous copies while earlier slices are multiplied (16x16x16 tiles, half to
 * float). Few tiles are split over the summed index; their parts are added by a second kernel.
 *
 * dnn_gemm_tile takes block, thread and barrier as parameters, and dnn_gemm_body has the form of
 * apps/body.cuh, so that a persistent or a fused kernel can run it in some of its warps.
 */
#ifndef DCS_CALIBRATE_DNN_GEMM_CUH
#define DCS_CALIBRATE_DNN_GEMM_CUH

#include "calibrate/app/dnn_kernels.h"

#include <cuda_fp16.h>
#include <mma.h>
#include <string.h>

constexpr int dnn_tile_m = 128, dnn_tile_k = 32, dnn_stages = 3, dnn_gemm_threads = 256;
constexpr int dnn_outside = -(1 << 20); /* a row of which no tap lies in an image */
constexpr int dnn_pad = 8; /* halves at the end of a row in shared memory: no bank conflicts */

struct dnn_whole_block {
    __device__ __forceinline__ void sync() const
    {
        __syncthreads();
    }
};

/* 16 bytes from global to shared memory, or zeros; both aligned to 16. */
static __device__ __forceinline__ void dnn_copy16(void *shared, const void *global, bool valid)
{
#ifdef __CUDA_ARCH__
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(shared)),
                 "l"(global), "r"(valid ? 16 : 0)
                 : "memory");
#else
    if (valid)
        memcpy(shared, global, 16);
    else
        memset(shared, 0, 16);
#endif
}

static __device__ __forceinline__ void dnn_copies_commit()
{
#ifdef __CUDA_ARCH__
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* Waits until at most `pending` of this thread's groups are under way. */
template <int PENDING> static __device__ __forceinline__ void dnn_copies_wait()
{
#ifdef __CUDA_ARCH__
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
#endif
}

static __device__ __forceinline__ void dnn_unpack(uint4 raw, float v[8])
{
    __half h[8];
    memcpy(h, &raw, sizeof raw);
#pragma unroll
    for (int i = 0; i < 8; i++)
        v[i] = __half2float(h[i]);
}

static __device__ __forceinline__ uint4 dnn_pack(const float v[8])
{
    __half h[8];
#pragma unroll
    for (int i = 0; i < 8; i++)
        h[i] = __float2half(v[i]);
    uint4 raw;
    memcpy(&raw, h, sizeof raw);
    return raw;
}

/* Tiles in shared memory, in halves. The image's tile lies [row][k], for WEIGHT_GRADIENT [k][row];
 * the other operand's [k][column], for DATA_GRADIENT [column][k]. */
template <int KIND, int TILE_N> struct dnn_tiles {
    static constexpr int a_ld =
        KIND == DNN_WEIGHT_GRADIENT ? dnn_tile_m + dnn_pad : dnn_tile_k + dnn_pad;
    static constexpr int a_rows = KIND == DNN_WEIGHT_GRADIENT ? dnn_tile_k : dnn_tile_m;
    static constexpr int b_ld = KIND == DNN_DATA_GRADIENT ? dnn_tile_k + dnn_pad : TILE_N + dnn_pad;
    static constexpr int b_rows = KIND == DNN_DATA_GRADIENT ? TILE_N : dnn_tile_k;
    static constexpr int stage = a_rows * a_ld + b_rows * b_ld;
    static constexpr int warps_n = TILE_N >= 128 ? 4 : TILE_N / 32;
    static constexpr int warp_n = 32, warp_m = dnn_tile_m / (8 / warps_n);
    static constexpr int strip_ld = warp_n + 4; /* floats; one strip of 16 rows a warp */
    static constexpr size_t bytes = (size_t)dnn_stages * stage * sizeof(__half);
};
static_assert(dnn_tiles<DNN_FORWARD, 32>::bytes >= 8 * 16 * 36 * sizeof(float), "strips fit");

/* What a thread copies of the image: each slice two chunks of 8 channels. Of its two pixels:
 * FORWARD: the input pixel of tap (0, 0); DATA_GRADIENT: the pixel of x, plus the padding;
 * WEIGHT_GRADIENT: the pixel of y, which moves on with the slices. */
struct dnn_cursor {
    int y[2], x[2], first[2]; /* first: index of the image's first pixel */
    int channel, tap_y, tap_x;
};

template <int KIND>
static __device__ __forceinline__ struct dnn_cursor dnn_cursor_at(const struct dnn_gemm &g, int m0,
                                                                  int k0, int thread)
{
    struct dnn_cursor c;
    const bool weight = KIND == DNN_WEIGHT_GRADIENT;
    const int of_patch = weight ? m0 + thread % 16 * 8 : k0 + thread % 4 * 8;
    const int tap = of_patch / g.channels;
    c.channel = of_patch - tap * g.channels;
    c.tap_y = tap / g.kernel_w;
    c.tap_x = tap - c.tap_y * g.kernel_w;
#pragma unroll
    for (int i = 0; i < 2; i++) {
        const int pixel = weight ? k0 + thread / 16 + 16 * i : m0 + thread / 4 + 64 * i;
        const int image = pixel / (g.rows_h * g.rows_w);
        const int rest = pixel - image * (g.rows_h * g.rows_w);
        c.y[i] = rest / g.rows_w;
        c.x[i] = rest - c.y[i] * g.rows_w;
        c.first[i] = image * (g.height * g.width);
        if (KIND == DNN_FORWARD) {
            c.y[i] = c.y[i] * g.stride - g.pad_h;
            c.x[i] = c.x[i] * g.stride - g.pad_w;
        } else if (KIND == DNN_DATA_GRADIENT) {
            c.y[i] += g.pad_h;
            c.x[i] += g.pad_w;
        }
        if (!weight && pixel >= g.m)
            c.y[i] = dnn_outside;
    }
    return c;
}

template <int KIND>
static __device__ __forceinline__ void dnn_cursor_advance(const struct dnn_gemm &g,
                                                          struct dnn_cursor *c)
{
    if (KIND == DNN_WEIGHT_GRADIENT) {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            c->x[i] += dnn_tile_k;
            while (c->x[i] >= g.rows_w) {
                c->x[i] -= g.rows_w;
                if (++c->y[i] == g.rows_h) {
                    c->y[i] = 0;
                    c->first[i] += g.height * g.width;
                }
            }
        }
        return;
    }
    c->channel += dnn_tile_k;
    while (c->channel >= g.channels) {
        c->channel -= g.channels;
        if (++c->tap_x == g.kernel_w) {
            c->tap_x = 0;
            c->tap_y++;
        }
    }
}

/* The address of chunk i, or NULL where the patch is padding or ends. */
template <int KIND>
static __device__ __forceinline__ const __half *dnn_cursor_chunk(const struct dnn_gemm &g,
                                                                 const struct dnn_cursor &c, int i)
{
    int y, x;
    bool valid = c.tap_y < g.kernel_h;
    if (KIND == DNN_DATA_GRADIENT) {
        y = c.y[i] - c.tap_y;
        x = c.x[i] - c.tap_x;
        if (g.stride == 2) {
            valid = valid && ((y | x) & 1) == 0;
            y >>= 1; /* a negative one stays negative */
            x >>= 1;
        }
    } else if (KIND == DNN_WEIGHT_GRADIENT) {
        y = c.y[i] * g.stride - g.pad_h + c.tap_y;
        x = c.x[i] * g.stride - g.pad_w + c.tap_x;
        valid = valid && c.first[i] < g.image_pixels;
    } else {
        y = c.y[i] + c.tap_y;
        x = c.x[i] + c.tap_x;
    }
    valid = valid && (unsigned)y < (unsigned)g.height && (unsigned)x < (unsigned)g.width;
    if (!valid)
        return NULL;
    return g.image + (size_t)(c.first[i] + y * g.width + x) * g.image_ld + c.channel;
}

template <int KIND, int TILE_N>
static __device__ __forceinline__ void dnn_copy_slice(const struct dnn_gemm &g,
                                                      const struct dnn_cursor &c, int n0, int k0,
                                                      int thread, __half *stage)
{
    using T = dnn_tiles<KIND, TILE_N>;
#pragma unroll
    for (int i = 0; i < 2; i++) {
        const __half *from = dnn_cursor_chunk<KIND>(g, c, i);
        __half *to = stage + (KIND == DNN_WEIGHT_GRADIENT
                                  ? (thread / 16 + 16 * i) * T::a_ld + thread % 16 * 8
                                  : (thread / 4 + 64 * i) * T::a_ld + thread % 4 * 8);
        dnn_copy16(to, from != NULL ? from : g.image, from != NULL);
    }
    stage += T::a_rows * T::a_ld;
    constexpr int chunks = TILE_N * dnn_tile_k / 8;
#pragma unroll
    for (int i = 0; i < (chunks + dnn_gemm_threads - 1) / dnn_gemm_threads; i++) {
        const int at = thread + i * dnn_gemm_threads;
        if (chunks < dnn_gemm_threads && at >= chunks)
            break;
        if (KIND == DNN_DATA_GRADIENT) { /* at % 4 is thread % 4: the cursor's tap and channel */
            const int n = n0 + at / 4;
            const bool valid = c.tap_y < g.kernel_h && n < g.n;
            const size_t tap = (size_t)c.tap_y * g.kernel_w + c.tap_x;
            const __half *from = g.b + (tap * g.n + n) * g.channels + c.channel;
            dnn_copy16(stage + at / 4 * T::b_ld + at % 4 * 8, valid ? from : g.b, valid);
        } else {
            const int k = k0 + at / (TILE_N / 8), n = n0 + at % (TILE_N / 8) * 8;
            const bool valid = k < g.k && n < g.n;
            const __half *from = g.b + (size_t)k * g.b_ld + n;
            dnn_copy16(stage + at / (TILE_N / 8) * T::b_ld + at % (TILE_N / 8) * 8,
                       valid ? from : g.b, valid);
        }
    }
}

/* Whether to leave out a 16x16 tile that lies beyond the product: not on a device, but where a CPU
 * takes its time for each. */
static __device__ __forceinline__ bool dnn_skips(int first, int end)
{
#ifdef CAL_EMULATED
    return first >= end;
#else
    (void)first, (void)end;
    return false;
#endif
}

/* Writes 8 columns of one row. */
static __device__ __forceinline__ void dnn_gemm_write(const struct dnn_gemm &g, int split, int row,
                                                      int column, float v[8])
{
    if (g.partial != NULL) {
        float4 *to = (float4 *)(g.partial + ((size_t)split * g.m + row) * g.n + column);
        to[0] = make_float4(v[0], v[1], v[2], v[3]);
        to[1] = make_float4(v[4], v[5], v[6], v[7]);
        return;
    }
    if (g.bias != NULL)
#pragma unroll
        for (int i = 0; i < 8; i++)
            v[i] += g.bias[column + i];
    if (g.addend != NULL) {
        float other[8];
        dnn_unpack(*(const uint4 *)(g.addend + (size_t)row * g.addend_ld + column), other);
#pragma unroll
        for (int i = 0; i < 8; i++)
            v[i] += other[i];
    }
    *(uint4 *)(g.out + (size_t)row * g.out_ld + column) = dnn_pack(v);
}

/*
 * Computes tile `block` of dnn_gemm_blocks(). `thread`: 0 .. 255, whole warps. `shared`: at least
 * dnn_tiles<KIND, TILE_N>::bytes, aligned to 128. barrier.sync() joins these 256 threads and nobody
 * else. A caller that computes several tiles calls it between two.
 */
template <int KIND, int TILE_N, class BARRIER>
static __device__ __forceinline__ void dnn_gemm_tile(const struct dnn_gemm &g, int block,
                                                     int thread, unsigned char *shared,
                                                     BARRIER barrier)
{
    using namespace nvcuda;
    using T = dnn_tiles<KIND, TILE_N>;
    constexpr int frags_m = T::warp_m / 16, frags_n = T::warp_n / 16;
    using a_layout =
        typename dnn_choose<KIND == DNN_WEIGHT_GRADIENT, wmma::col_major, wmma::row_major>::type;
    using b_layout =
        typename dnn_choose<KIND == DNN_DATA_GRADIENT, wmma::col_major, wmma::row_major>::type;

    const int tiles_n = (g.n + TILE_N - 1) / TILE_N;
    const int tiles = (g.m + dnn_tile_m - 1) / dnn_tile_m * tiles_n;
    const int split = block / tiles;
    const int m0 = (block - split * tiles) / tiles_n * dnn_tile_m;
    const int n0 = (block - split * tiles) % tiles_n * TILE_N;
    const int first_k = split * g.split_k;
    const int end_k = min(first_k + g.split_k, g.k);
    const int slices = (end_k - first_k + dnn_tile_k - 1) / dnn_tile_k;
    const int warp = thread / 32, lane = thread % 32;
    const int warp_m0 = warp / T::warps_n * T::warp_m, warp_n0 = warp % T::warps_n * T::warp_n;
    __half *tiles_at = (__half *)shared;

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[frags_m][frags_n];
#pragma unroll
    for (int i = 0; i < frags_m; i++)
#pragma unroll
        for (int j = 0; j < frags_n; j++)
            wmma::fill_fragment(sum[i][j], 0.0f);

    struct dnn_cursor cursor = dnn_cursor_at<KIND>(g, m0, first_k, thread);
#pragma unroll
    for (int s = 0; s < dnn_stages - 1; s++) {
        if (s < slices) {
            dnn_copy_slice<KIND, TILE_N>(g, cursor, n0, first_k + s * dnn_tile_k, thread,
                                         tiles_at + s * T::stage);
            dnn_cursor_advance<KIND>(g, &cursor);
        }
        dnn_copies_commit();
    }
    int use = 0, fill = dnn_stages - 1;
    for (int s = 0; s < slices; s++) {
        dnn_copies_wait<dnn_stages - 2>();
        barrier.sync(); /* slice s is there for all, and all are done with slice s - 1 */
        if (s + dnn_stages - 1 < slices) {
            dnn_copy_slice<KIND, TILE_N>(g, cursor, n0, first_k + (s + dnn_stages - 1) * dnn_tile_k,
                                         thread, tiles_at + fill * T::stage);
            dnn_cursor_advance<KIND>(g, &cursor);
        }
        dnn_copies_commit();
        const __half *a = tiles_at + use * T::stage, *b = a + T::a_rows * T::a_ld;
#pragma unroll
        for (int k = 0; k < dnn_tile_k; k += 16) {
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, b_layout> right[frags_n];
#pragma unroll
            for (int j = 0; j < frags_n; j++) {
                const int n = warp_n0 + j * 16;
                wmma::load_matrix_sync(
                    right[j], b + (KIND == DNN_DATA_GRADIENT ? n * T::b_ld + k : k * T::b_ld + n),
                    T::b_ld);
            }
#pragma unroll
            for (int i = 0; i < frags_m; i++) {
                wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, a_layout> left;
                const int m = warp_m0 + i * 16;
                if (dnn_skips(m0 + m, g.m) || dnn_skips(first_k + s * dnn_tile_k + k, end_k))
                    continue;
                wmma::load_matrix_sync(
                    left, a + (KIND == DNN_WEIGHT_GRADIENT ? k * T::a_ld + m : m * T::a_ld + k),
                    T::a_ld);
#pragma unroll
                for (int j = 0; j < frags_n; j++)
                    if (!dnn_skips(n0 + warp_n0 + j * 16, g.n))
                        wmma::mma_sync(sum[i][j], left, right[j], sum[i][j]);
            }
        }
        use = use == dnn_stages - 1 ? 0 : use + 1;
        fill = fill == dnn_stages - 1 ? 0 : fill + 1;
    }
    barrier.sync(); /* the strips lie where the slices lay */
    float *strip = (float *)shared + warp * 16 * T::strip_ld;
#pragma unroll
    for (int i = 0; i < frags_m; i++) {
#pragma unroll
        for (int j = 0; j < frags_n; j++)
            wmma::store_matrix_sync(strip + j * 16, sum[i][j], T::strip_ld, wmma::mem_row_major);
        __syncwarp();
#pragma unroll
        for (int at = lane; at < 16 * T::warp_n / 8; at += 32) {
            const int r = at / (T::warp_n / 8), q = at % (T::warp_n / 8) * 8;
            const int row = m0 + warp_m0 + i * 16 + r, column = n0 + warp_n0 + q;
            float v[8];
#pragma unroll
            for (int e = 0; e < 8; e++)
                v[e] = strip[r * T::strip_ld + q + e];
            if (row < g.m && column < g.n)
                dnn_gemm_write(g, split, row, column, v);
        }
        __syncwarp();
    }
}

template <int KIND, int TILE_N> struct dnn_gemm_body {
    static constexpr int threads = dnn_gemm_threads;
    using args = struct dnn_gemm;
    struct shared {
        alignas(128) unsigned char tiles[dnn_tiles<KIND, TILE_N>::bytes];
    };
    template <class BARRIER>
    static __device__ __forceinline__ void run(const args &a, int block, int thread, shared *s,
                                               BARRIER barrier)
    {
        dnn_gemm_tile<KIND, TILE_N>(a, block, thread, s->tiles, barrier);
    }
};

#endif
