/*
 * trial_apps.cu - small kernels that no profile ships: what a model of contention is tried on. Each
 * presses on one thing that the shipped applications press on little: sectors that hit in L2 at
 * random places, uncoalesced writes, atomics, chains of dependent accesses. Built with
 * -DDCSIM_TRIAL_APPS=ON.
 *
 * A size is a number of elements of what is computed, and a power of two; of a matrix or a grid,
 * its side. An application is one repeatable kernel of some hundred microseconds on an H200.
 */
#include "calibrate/app/app.cuh"

#include <math.h>
#include <vector>

namespace
{

enum trial {
    FMA,
    COPY,
    READ,
    GATHER_L2,
    GATHER_DRAM,
    SCATTER_L2,
    SCATTER_DRAM,
    TRANSPOSE,
    TRANSPOSE_L2,
    STENCIL,
    SPMV,
    SPMV_L2,
    HISTOGRAM,
    MATMUL,
    CHASE
};

constexpr int THREADS = 256;
constexpr int CHAIN = 8192;     /* dependent multiply-adds, of which a thread has 4 at a time */
constexpr int READ_EACH = 16;   /* float4 of a thread */
constexpr int GATHER_EACH = 16; /* loads of a thread */
constexpr int SCATTER_EACH = 8; /* stores of a thread */
constexpr int ROW = 16;         /* entries of a row of the sparse matrix */
constexpr int BINS = 1 << 16;   /* 256 KB */
constexpr int COUNT_EACH = 8;   /* values that a thread counts */
constexpr int LINKS = 64;       /* that a thread follows */
constexpr int TILE = 16;        /* side of a block of threads */
constexpr int REPEATS_L2 = 16;  /* what fits into L2 is done so often, by blocks of their own */
constexpr unsigned STEP = 1664525u, ADD = 1013904223u; /* of links: Knuth, TAOCP 2, 3.3.4 */

struct state {
    int64_t size;
    float *a, *b, *y;
    int32_t *index, *counts;
    size_t a_count, b_count, y_count, index_count;
};

/* Finaliser of MurmurHash3 (Appleby, public domain). */
__host__ __device__ unsigned scramble(unsigned x)
{
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* The k-th place of thread i. */
__host__ __device__ unsigned place_of(unsigned i, unsigned k)
{
    return scramble(i * 31u + k * 0x9e3779b9u);
}

__host__ __device__ float value_at(unsigned place)
{
    return (float)(place % 1009u);
}

/* --- kernels --- */

__global__ void fma_kernel(const float *a, float *y, int64_t n)
{
    int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;
    float x[4] = {a[i], a[i] + 1, a[i] + 2, a[i] + 3};
    for (int k = 0; k < CHAIN / 4; k++)
        for (int j = 0; j < 4; j++)
            x[j] = fmaf(x[j], 0.5f, a[i]);
    y[i] = x[0] + x[1] + x[2] + x[3];
}

__global__ void copy_kernel(const float4 *a, float4 *y, int64_t quarters)
{
    int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < quarters)
        y[i] = a[i];
}

__global__ void read_kernel(const float4 *a, float *y, int64_t quarters)
{
    int64_t from = (int64_t)blockIdx.x * THREADS * READ_EACH + threadIdx.x;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < READ_EACH; k++) {
        int64_t at = from + (int64_t)k * THREADS;
        float4 v = at < quarters ? a[at] : make_float4(0, 0, 0, 0);
        sum += v.x + v.y + v.z + v.w;
    }
    y[(int64_t)blockIdx.x * THREADS + threadIdx.x] = sum;
}

__global__ void gather_kernel(const float *a, float *y, int64_t n, unsigned mask)
{
    int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
#pragma unroll
    for (unsigned k = 0; k < GATHER_EACH; k++)
        sum += a[place_of((unsigned)i, k) & mask];
    y[i] = sum;
}

/* Threads that meet at a place write the same value. */
__global__ void scatter_kernel(float *y, int64_t n, unsigned mask)
{
    int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;
#pragma unroll
    for (unsigned k = 0; k < SCATTER_EACH; k++) {
        unsigned place = place_of((unsigned)i, k) & mask;
        y[place] = value_at(place);
    }
}

/* Reads are coalesced, writes are not. */
__global__ void transpose_kernel(const float *a, float *y, int side)
{
    int x = (int)(blockIdx.x * TILE + threadIdx.x), row = (int)(blockIdx.y * TILE + threadIdx.y);
    if (x < side && row < side)
        y[(int64_t)x * side + row] = a[(int64_t)row * side + x];
}

__host__ __device__ int clamped(int at, int side)
{
    return at < 0 ? 0 : at < side ? at : side - 1;
}

__global__ void stencil_kernel(const float *a, float *y, int side)
{
    int x = (int)(blockIdx.x * 32 + threadIdx.x), row = (int)(blockIdx.y * 8 + threadIdx.y);
    int z = (int)blockIdx.z;
    if (x >= side || row >= side)
        return;
    const int64_t plane = (int64_t)side * side;
    int64_t at = z * plane + (int64_t)row * side + x;
    y[at] =
        0.4f * a[at] + 0.1f * (a[at + clamped(x - 1, side) - x] + a[at + clamped(x + 1, side) - x] +
                               a[at + (int64_t)(clamped(row - 1, side) - row) * side] +
                               a[at + (int64_t)(clamped(row + 1, side) - row) * side] +
                               a[at + (clamped(z - 1, side) - z) * plane] +
                               a[at + (clamped(z + 1, side) - z) * plane]);
}

/* ELLPACK, entries of a row one column of the arrays apart: b their values, a the vector. */
__global__ void spmv_kernel(const float *a, const float *b, const int32_t *index, float *y,
                            int64_t n)
{
    int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < ROW; k++)
        sum += b[k * n + i] * a[index[k * n + i]];
    y[i] = sum;
}

__global__ void clear_kernel(int32_t *counts)
{
    counts[blockIdx.x * THREADS + threadIdx.x] = 0;
}

__global__ void histogram_kernel(const int32_t *index, int32_t *counts, int64_t n)
{
    int64_t from = (int64_t)blockIdx.x * THREADS * COUNT_EACH + threadIdx.x;
#pragma unroll
    for (int k = 0; k < COUNT_EACH; k++) {
        int64_t at = from + (int64_t)k * THREADS;
        if (at < n)
            atomicAdd(&counts[index[at]], 1);
    }
}

/* One thread an element, without tiles. */
__global__ void matmul_kernel(const float *a, const float *b, float *y, int side)
{
    int x = (int)(blockIdx.x * TILE + threadIdx.x), row = (int)(blockIdx.y * TILE + threadIdx.y);
    if (x >= side || row >= side)
        return;
    float sum = 0;
    for (int k = 0; k < side; k++)
        sum += a[(int64_t)row * side + k] * b[(int64_t)k * side + x];
    y[(int64_t)row * side + x] = sum;
}

__global__ void link_kernel(int32_t *index, int64_t n)
{
    int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        index[i] = (int32_t)(((unsigned)i * STEP + ADD) & (unsigned)(n - 1));
}

__global__ void chase_kernel(const int32_t *index, float *y, int64_t n, unsigned mask)
{
    int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;
    unsigned at = scramble((unsigned)i) & mask;
    for (int k = 0; k < LINKS; k++)
        at = (unsigned)index[at];
    y[i] = value_at(at);
}

/* --- applications --- */

void destroy(void *state)
{
    struct state *s = (struct state *)state;
    if (s == NULL)
        return;
    cudaFree(s->a);
    cudaFree(s->b);
    cudaFree(s->y);
    cudaFree(s->index);
    cudaFree(s->counts);
    delete s;
}

/* Elements of a, b, y and index. What is gathered or scattered over is 256 times smaller than in
 * the default where the size is, so that the check is small, too. */
template <enum trial T> void count_elements(struct state *s)
{
    size_t n = (size_t)s->size, square = n * n;
    switch (T) {
    case FMA:
    case COPY:
        s->a_count = s->y_count = n;
        break;
    case READ:
        s->a_count = n;
        s->y_count = (size_t)cal_blocks(n, 4 * THREADS * READ_EACH) * THREADS;
        break;
    case GATHER_L2:
        s->a_count = s->y_count = n; /* 16 MB */
        break;
    case GATHER_DRAM:
        s->a_count = n * 128; /* 1 GB */
        s->y_count = n;
        break;
    case SCATTER_L2:
        s->y_count = n * 2; /* 16 MB */
        break;
    case SCATTER_DRAM:
        s->y_count = n * 256; /* 1 GB */
        break;
    case TRANSPOSE:
    case TRANSPOSE_L2:
        s->a_count = s->y_count = square;
        break;
    case STENCIL:
        s->a_count = s->y_count = square * n;
        break;
    case SPMV:
    case SPMV_L2:
        s->a_count = s->y_count = n;
        s->b_count = s->index_count = n * ROW;
        break;
    case HISTOGRAM:
        s->index_count = n;
        break;
    case MATMUL:
        s->a_count = s->b_count = s->y_count = square;
        break;
    case CHASE:
        s->y_count = n;
        s->index_count = n * 512; /* 256 MB */
    }
}

template <enum trial T> int fill_inputs(struct state *s, uint64_t seed, struct dcs_err *err)
{
    if ((s->a_count > 0 && cal_fill_uniform_f32(s->a, s->a_count, seed, 0, 1, err) != 0) ||
        (s->b_count > 0 && cal_fill_uniform_f32(s->b, s->b_count, seed + 1, 0, 1, err) != 0) ||
        cal_fail_cuda(err, cudaMemset(s->y, 0, s->y_count * sizeof(float)), "clearing") != 0)
        return -1;
    if (T == CHASE) {
        link_kernel<<<cal_blocks((int64_t)s->index_count, THREADS), THREADS>>>(
            s->index, (int64_t)s->index_count);
        return cal_fail_cuda(err, cudaDeviceSynchronize(), "links");
    }
    return s->index_count == 0
               ? 0
               : cal_fill_uniform_i32(s->index, s->index_count, seed + 2, 0,
                                      T == HISTOGRAM ? BINS : (int32_t)s->size, err);
}

template <enum trial T> void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    struct state *s = new struct state();
    s->size = size;
    count_elements<T>(s);
    const struct {
        void **at;
        size_t bytes;
    } wanted[] = {{(void **)&s->a, s->a_count * sizeof(float)},
                  {(void **)&s->b, s->b_count * sizeof(float)},
                  {(void **)&s->y, s->y_count * sizeof(float)},
                  {(void **)&s->index, s->index_count * sizeof(int32_t)},
                  {(void **)&s->counts, T == HISTOGRAM ? BINS * sizeof(int32_t) : 0}};
    int failed = 0;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && !failed; i++)
        if (wanted[i].bytes > 0)
            failed = cal_device_alloc(wanted[i].at, wanted[i].bytes, err);
    if (!failed && fill_inputs<T>(s, seed, err) == 0)
        return s;
    destroy(s);
    return NULL;
}

/* What moves at least, from DRAM or from L2. */
void set_work(struct cal_kernel *k, double flop, double bytes)
{
    k->repeatable = true;
    k->flop = flop;
    k->bytes = bytes;
}

template <enum trial T> void plan_lines(struct state *s, struct cal_plan *plan)
{
    int64_t n = s->size;
    unsigned blocks = cal_blocks(n, THREADS);
    struct cal_kernel *k =
        cal_begin_kernel(plan, CAL_COMPUTE, "trial", "trial%d_%lld", (int)T, (long long)n);
    switch (T) {
    case FMA:
        set_work(k, 2.0 * CHAIN * n, 8.0 * n);
        cal_add_launch(plan, fma_kernel, blocks, THREADS, 0, s->a, s->y, n);
        break;
    case COPY:
        set_work(k, (double)n, 8.0 * n);
        cal_add_launch(plan, copy_kernel, cal_blocks(n / 4, THREADS), THREADS, 0,
                       (const float4 *)s->a, (float4 *)s->y, n / 4);
        break;
    case READ:
        set_work(k, (double)n, 4.0 * n);
        cal_add_launch(plan, read_kernel, cal_blocks(n / 4, THREADS * READ_EACH), THREADS, 0,
                       (const float4 *)s->a, s->y, n / 4);
        break;
    case GATHER_L2:
    case GATHER_DRAM:
        set_work(k, (double)GATHER_EACH * n, 4.0 * n * (1 + GATHER_EACH));
        cal_add_launch(plan, gather_kernel, blocks, THREADS, 0, s->a, s->y, n,
                       (unsigned)(s->a_count - 1));
        break;
    case SCATTER_L2:
    case SCATTER_DRAM:
        set_work(k, (double)n * SCATTER_EACH, 4.0 * n * SCATTER_EACH);
        cal_add_launch(plan, scatter_kernel, blocks, THREADS, 0, s->y, n,
                       (unsigned)(s->y_count - 1));
        break;
    case SPMV:
    case SPMV_L2:
        set_work(k, 2.0 * ROW * n, 4.0 * n * (3 * ROW + 1));
        cal_add_launch(plan, spmv_kernel, dim3(blocks, T == SPMV_L2 ? REPEATS_L2 : 1), THREADS, 0,
                       s->a, s->b, s->index, s->y, n);
        break;
    default: /* CHASE */
        set_work(k, (double)n * LINKS, 4.0 * n * (1 + LINKS));
        cal_add_launch(plan, chase_kernel, blocks, THREADS, 0, s->index, s->y, n,
                       (unsigned)(s->index_count - 1));
    }
}

void plan_histogram(struct state *s, struct cal_plan *plan)
{
    int64_t n = s->size;
    set_work(cal_begin_kernel(plan, CAL_COMPUTE, "clear", "clear_%d", BINS), BINS, 4.0 * BINS);
    cal_add_launch(plan, clear_kernel, BINS / THREADS, THREADS, 0, s->counts);
    struct cal_kernel *k =
        cal_begin_kernel(plan, CAL_COMPUTE, "trial", "trial%d_%lld", HISTOGRAM, (long long)n);
    set_work(k, (double)n, 4.0 * n);
    cal_add_launch(plan, histogram_kernel, cal_blocks(n, THREADS * COUNT_EACH), THREADS, 0,
                   s->index, s->counts, n);
}

template <enum trial T> void plan_squares(struct state *s, struct cal_plan *plan)
{
    int side = (int)s->size;
    double square = (double)side * side;
    unsigned tiles = cal_blocks(side, TILE);
    struct cal_kernel *k = cal_begin_kernel(plan, CAL_COMPUTE, "trial", "trial%d_%d", (int)T, side);
    if (T == STENCIL) {
        set_work(k, 8 * square * side, 8 * square * side);
        cal_add_launch(plan, stencil_kernel,
                       dim3(cal_blocks(side, 32), cal_blocks(side, 8), (unsigned)side), dim3(32, 8),
                       0, s->a, s->y, side);
    } else if (T == MATMUL) {
        set_work(k, 2 * square * side, 12 * square);
        cal_add_launch(plan, matmul_kernel, dim3(tiles, tiles), dim3(TILE, TILE), 0, s->a, s->b,
                       s->y, side);
    } else {
        set_work(k, square, 8 * square);
        cal_add_launch(plan, transpose_kernel,
                       dim3(tiles, tiles, T == TRANSPOSE_L2 ? REPEATS_L2 : 1), dim3(TILE, TILE), 0,
                       s->a, s->y, side);
    }
}

template <enum trial T> int plan(void *state, int sms, struct cal_plan *plan, struct dcs_err *err)
{
    struct state *s = (struct state *)state;
    (void)sms, (void)err;
    if (T == HISTOGRAM)
        plan_histogram(s, plan);
    else if (T == TRANSPOSE || T == TRANSPOSE_L2 || T == STENCIL || T == MATMUL)
        plan_squares<T>(s, plan);
    else
        plan_lines<T>(s, plan);
    return 0;
}

/* --- checks --- */

struct host {
    std::vector<float> a, b, y;
    std::vector<int32_t> index;
};

template <typename E>
int fetch(std::vector<E> *to, const E *from, size_t count, struct dcs_err *err)
{
    to->resize(count);
    return count == 0
               ? 0
               : cal_fail_cuda(
                     err, cudaMemcpy(to->data(), from, count * sizeof(E), cudaMemcpyDeviceToHost),
                     "results");
}

float gather_reference(const struct host *h, unsigned i)
{
    float sum = 0;
    for (unsigned k = 0; k < GATHER_EACH; k++)
        sum += h->a[place_of(i, k) & (unsigned)(h->a.size() - 1)];
    return sum;
}

float read_reference(const struct host *h, size_t i)
{
    float sum = 0;
    for (size_t k = 0; k < READ_EACH; k++) {
        size_t at = 4 * (i / THREADS * THREADS * READ_EACH + k * THREADS + i % THREADS);
        for (size_t j = at; j < at + 4 && j < h->a.size(); j++)
            sum += h->a[j];
    }
    return sum;
}

float stencil_reference(const struct host *h, int side, int64_t i)
{
    int at[3] = {(int)(i % side), (int)(i / side % side), (int)(i / side / side)};
    double sum = 0.4 * h->a[(size_t)i];
    for (int axis = 0; axis < 3; axis++)
        for (int step = -1; step <= 1; step += 2) {
            int to[3] = {at[0], at[1], at[2]};
            to[axis] = clamped(at[axis] + step, side);
            sum += 0.1 * h->a[((size_t)to[2] * side + to[1]) * side + to[0]];
        }
    return (float)sum;
}

float matmul_reference(const struct host *h, size_t side, size_t i)
{
    double sum = 0;
    for (size_t k = 0; k < side; k++)
        sum += (double)h->a[i / side * side + k] * h->b[k * side + i % side];
    return (float)sum;
}

float spmv_reference(const struct host *h, size_t n, size_t i)
{
    double sum = 0;
    for (size_t k = 0; k < ROW; k++)
        sum += (double)h->b[k * n + i] * h->a[(size_t)h->index[k * n + i]];
    return (float)sum;
}

float chase_reference(unsigned i, unsigned mask)
{
    unsigned at = scramble(i) & mask;
    for (int k = 0; k < LINKS; k++)
        at = (at * STEP + ADD) & mask;
    return value_at(at);
}

/* What y is to be at i, but of scatters and histograms. */
template <enum trial T> float reference(const struct state *s, const struct host *h, size_t i)
{
    size_t n = (size_t)s->size;
    switch (T) {
    case FMA:
        return 8 * h->a[i]; /* x -> x / 2 + a ends at 2 a */
    case COPY:
        return h->a[i];
    case READ:
        return read_reference(h, i);
    case TRANSPOSE:
    case TRANSPOSE_L2:
        return h->a[i % n * n + i / n];
    case STENCIL:
        return stencil_reference(h, (int)n, (int64_t)i);
    case SPMV:
    case SPMV_L2:
        return spmv_reference(h, n, i);
    case MATMUL:
        return matmul_reference(h, n, i);
    case CHASE:
        return chase_reference((unsigned)i, (unsigned)(s->index_count - 1));
    default:
        return gather_reference(h, (unsigned)i);
    }
}

void fill_scattered(std::vector<float> *want, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        for (unsigned k = 0; k < SCATTER_EACH; k++) {
            unsigned place = place_of((unsigned)i, k) & (unsigned)(want->size() - 1);
            (*want)[place] = value_at(place);
        }
}

int check_histogram(const struct state *s, const struct host *h, struct dcs_err *err)
{
    std::vector<int32_t> counts, want(BINS);
    if (fetch(&counts, s->counts, BINS, err) != 0)
        return -1;
    for (int32_t value : h->index)
        want[(size_t)value]++;
    return cal_compare_i32(counts.data(), want.data(), BINS, "counts", err);
}

template <enum trial T> int check_results(void *state, struct dcs_err *err)
{
    struct state *s = (struct state *)state;
    struct host h;
    if (fetch(&h.a, s->a, s->a_count, err) != 0 || fetch(&h.b, s->b, s->b_count, err) != 0 ||
        fetch(&h.y, s->y, s->y_count, err) != 0 ||
        fetch(&h.index, s->index, s->index_count, err) != 0)
        return -1;
    if (T == HISTOGRAM)
        return check_histogram(s, &h, err);
    std::vector<float> want(h.y.size());
    if (T == SCATTER_L2 || T == SCATTER_DRAM)
        fill_scattered(&want, s->size);
    else
        for (size_t i = 0; i < want.size(); i++)
            want[i] = reference<T>(s, &h, i);
    return cal_compare_f32(h.y.data(), want.data(), want.size(), 0, 1e-5, "y", err);
}

} // namespace

#define TRIAL(ID, SYMBOL, NAME, WHAT, UNIT, SMALL, DEFAULT)                                        \
    extern "C" const struct cal_app cal_app_##SYMBOL = {                                           \
        .name = NAME,                                                                              \
        .role = CAL_BATCH,                                                                         \
        .papers = "",                                                                              \
        .algorithm = WHAT,                                                                         \
        .size_unit = UNIT,                                                                         \
        .size_min = DEFAULT,                                                                       \
        .size_max = DEFAULT,                                                                       \
        .size_default = DEFAULT,                                                                   \
        .size_check = SMALL,                                                                       \
        .size_step = 1,                                                                            \
        .sla_ns = 0,                                                                               \
        .create = create<ID>,                                                                      \
        .plan = plan<ID>,                                                                          \
        .check = check_results<ID>,                                                                \
        .destroy = destroy,                                                                        \
    };

TRIAL(FMA, trial_fma, "trial-fma", "chains of multiply-adds", "elements", 512, 1 << 20)
TRIAL(COPY, trial_copy, "trial-copy", "16-byte copy", "elements", 1 << 14, 1 << 26)
TRIAL(READ, trial_read, "trial-read", "sums of a stream", "elements", 1 << 18, 1 << 27)
TRIAL(GATHER_L2, trial_gather_l2, "trial-gather-l2", "4-byte gathers in 16 MB", "elements", 1 << 14,
      1 << 22)
TRIAL(GATHER_DRAM, trial_gather_dram, "trial-gather-dram", "4-byte gathers in 1 GB", "elements",
      1 << 13, 1 << 21)
TRIAL(SCATTER_L2, trial_scatter_l2, "trial-scatter-l2", "4-byte scatters into 16 MB", "elements",
      1 << 14, 1 << 21)
TRIAL(SCATTER_DRAM, trial_scatter_dram, "trial-scatter-dram", "4-byte scatters into 1 GB",
      "elements", 1 << 12, 1 << 20)
TRIAL(TRANSPOSE, trial_transpose, "trial-transpose", "transpose with uncoalesced writes",
      "rows and columns", 100, 4096)
TRIAL(TRANSPOSE_L2, trial_transpose_l2, "trial-transpose-l2", "the same of 9 MB, 16 times",
      "rows and columns", 100, 1536)
TRIAL(STENCIL, trial_stencil, "trial-stencil", "seven points of a cube", "cells a side", 40, 384)
TRIAL(SPMV, trial_spmv, "trial-spmv", "sparse matrix-vector product, 16 entries a row", "rows",
      5000, 1 << 20)
TRIAL(SPMV_L2, trial_spmv_l2, "trial-spmv-l2", "the same of 16 MB, 16 times", "rows", 5000, 1 << 17)
TRIAL(HISTOGRAM, trial_histogram, "trial-histogram", "65 536 bins, an atomic for each value",
      "values", 100000, 1 << 25)
TRIAL(MATMUL, trial_matmul, "trial-matmul", "matrix product without tiles", "rows and columns", 100,
      1024)
TRIAL(CHASE, trial_chase, "trial-chase", "chains of 64 loads in 256 MB", "elements", 1 << 10,
      1 << 17)
