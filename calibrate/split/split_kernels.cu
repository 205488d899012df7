/*
 * split_kernels.cu - the six programs of split_program.h on the GPU: each kernel computes the
 * iterations [first, first + n) of a pass. The files split_NAME.c have the algorithms.
 */
#include <cuda_runtime.h>

#include "calibrate/app/philox.cuh"
#include "calibrate/split/split_gpu.h"
#include "calibrate/split/split_option.h"

namespace
{

constexpr int threads = 256;

/* --- cg, jacobi: a warp for each row --- */

__device__ float dot_of_row(const float *row, const float *x, int64_t n)
{
    float sum = 0;
    const float4 *a = (const float4 *)row, *b = (const float4 *)x;
    for (int64_t j = threadIdx.x % 32; j < n / 4; j += 32) {
        float4 p = a[j], q = b[j];
        sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    }
    for (int other = 16; other > 0; other /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, other);
    return sum;
}

__global__ void __launch_bounds__(threads) multiply_rows(const float *a, const float *x, float *y,
                                                         int64_t columns, int64_t first, int64_t n)
{
    int64_t i = blockIdx.x * (int64_t)(threads / 32) + threadIdx.x / 32;
    if (i >= n)
        return;
    int64_t row = first + i;
    float sum = dot_of_row(a + row * columns, x, columns);
    if (threadIdx.x % 32 == 0)
        y[row] = sum;
}

__global__ void __launch_bounds__(threads)
    relax_rows(const float *a, const float *b, const float *x, float *y, int64_t columns,
               int64_t first, int64_t n)
{
    int64_t i = blockIdx.x * (int64_t)(threads / 32) + threadIdx.x / 32;
    if (i >= n)
        return;
    int64_t row = first + i;
    float sum = dot_of_row(a + row * columns, x, columns);
    if (threadIdx.x % 32 == 0) {
        float own = a[row * columns + row];
        y[row] = (b[row] - (sum - own * x[row])) / own;
    }
}

/* --- mc: a thread takes groups of four paths, blocks add up --- */

__device__ float pay_of(float normal)
{
    float price = CAL_OPTION_PRICE * expf(CAL_OPTION_DRIFT + CAL_OPTION_SPREAD * normal);
    return price > CAL_OPTION_STRIKE ? price - CAL_OPTION_STRIKE : 0;
}

__global__ void __launch_bounds__(threads)
    add_up_paths(double *sums, uint64_t seed, int64_t first, int64_t n)
{
    __shared__ double of_warp[threads / 32];
    int64_t group = first / 4 + blockIdx.x * (int64_t)threads + threadIdx.x, end = first + n;
    double sum = 0;
    for (; group * 4 < end; group += gridDim.x * (int64_t)threads) {
        struct cal_random_words w =
            cal_philox((uint32_t)group, (uint32_t)((uint64_t)group >> 32), 0, 0, seed);
        float paid[4];
        for (int pair = 0; pair < 4; pair += 2) {
            float radius = sqrtf(-2 * logf(cal_uniform(w.word[pair]))), sine, cosine;
            sincospif(2 * cal_uniform(w.word[pair + 1]), &sine, &cosine);
            paid[pair] = pay_of(radius * cosine);
            paid[pair + 1] = pay_of(radius * sine);
        }
        for (int i = 0; i < 4; i++)
            if (group * 4 + i >= first && group * 4 + i < end)
                sum += (double)paid[i];
    }
    for (int other = 16; other > 0; other /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, other);
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < threads / 32; i++)
            sum += of_warp[i];
        sums[blockIdx.x] = sum;
    }
}

/* --- mm: blocks of 32 x 32 elements through shared memory, four for each thread --- */

constexpr int tile = 32;

__global__ void __launch_bounds__(threads)
    multiply_tiles(const float *a, const float *b, float *c, int64_t size, int64_t first, int64_t n)
{
    __shared__ float left[tile][tile], right[tile][tile + 1];
    int column = threadIdx.x % tile, down = threadIdx.x / tile;
    int64_t last_row = (first + n - 1) / size;
    int64_t row = first / size + blockIdx.y * (int64_t)tile, begin = blockIdx.x * (int64_t)tile;
    float sums[4] = {0, 0, 0, 0};
    for (int64_t k = 0; k < size; k += tile) {
        for (int i = 0; i < 4; i++) {
            int r = down + 8 * i;
            left[r][column] = row + r <= last_row ? a[(row + r) * size + k + column] : 0;
            right[r][column] = b[(k + r) * size + begin + column];
        }
        __syncthreads();
        for (int d = 0; d < tile; d++)
            for (int i = 0; i < 4; i++)
                sums[i] += left[down + 8 * i][d] * right[d][column];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++) {
        int64_t element = (row + down + 8 * i) * size + begin + column;
        if (element >= first && element < first + n)
            c[element] = sums[i];
    }
}

/* --- nbody, nns: a thread for each body or query, the others by tiles in shared memory --- */

constexpr int few = 128; /* threads of a block: iterations are few */

__global__ void __launch_bounds__(few)
    attract(const float *bodies, float *out, int64_t count, int64_t first, int64_t n)
{
    __shared__ float4 others[few];
    int64_t i = first + blockIdx.x * (int64_t)few + threadIdx.x;
    bool mine = i < first + n;
    const float *x = bodies, *y = x + count, *z = y + count, *mass = z + count;
    float x0 = mine ? x[i] : 0, y0 = mine ? y[i] : 0, z0 = mine ? z[i] : 0;
    float ax = 0, ay = 0, az = 0;
    for (int64_t begin = 0; begin < count; begin += few) {
        int64_t j = begin + threadIdx.x;
        others[threadIdx.x] = make_float4(x[j], y[j], z[j], mass[j]);
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < few; k++) {
            float4 o = others[k];
            float dx = o.x - x0, dy = o.y - y0, dz = o.z - z0;
            float near = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-2f);
            float pull = o.w * near * near * near;
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        __syncthreads();
    }
    if (mine) {
        out[3 * i] = ax;
        out[3 * i + 1] = ay;
        out[3 * i + 2] = az;
    }
}

__global__ void __launch_bounds__(few)
    find_nearest(const float *points, const float *queries, float *out, int64_t count,
                 int64_t first, int64_t n)
{
    __shared__ float4 some[few];
    int64_t i = first + blockIdx.x * (int64_t)few + threadIdx.x;
    bool mine = i < first + n;
    float4 q = mine ? ((const float4 *)queries)[i] : make_float4(0, 0, 0, 0);
    float best = 1e30f;
    int which = 0;
    for (int64_t begin = 0; begin < count; begin += few) {
        int64_t j = begin + threadIdx.x;
        some[threadIdx.x] =
            make_float4(points[j], points[count + j], points[2 * count + j], points[3 * count + j]);
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < few; k++) {
            float4 p = some[k];
            float a = p.x - q.x, b = p.y - q.y, c = p.z - q.z, d = p.w - q.w;
            float far = a * a + b * b + c * c + d * d;
            which = far < best ? (int)begin + k : which;
            best = far < best ? far : best;
        }
        __syncthreads();
    }
    if (mine) {
        out[2 * i] = best;
        out[2 * i + 1] = (float)which;
    }
}

unsigned blocks_of(int64_t items, int64_t each)
{
    return (unsigned)((items + each - 1) / each);
}

} // namespace

extern "C" int cal_split_enqueue(const struct cal_split *s, int64_t first, int64_t n,
                                 cudaStream_t stream, unsigned *sums)
{
    const float *in = s->in.device, *constant = s->constant.device, *varying = s->varying.device;
    float *out = s->out.device;
    *sums = 0;
    switch (s->program->id) {
    case CAL_SPLIT_CG:
        multiply_rows<<<blocks_of(n, threads / 32), threads, 0, stream>>>(in, varying, out, s->n,
                                                                          first, n);
        break;
    case CAL_SPLIT_JACOBI:
        relax_rows<<<blocks_of(n, threads / 32), threads, 0, stream>>>(in, constant, varying, out,
                                                                       s->n, first, n);
        break;
    case CAL_SPLIT_MC: {
        unsigned blocks = blocks_of(n + 4, 4 * threads);
        *sums = blocks < CAL_SPLIT_DEVICE_SUMS ? blocks : CAL_SPLIT_DEVICE_SUMS;
        add_up_paths<<<*sums, threads, 0, stream>>>(s->device_sums, s->seed, first, n);
        break;
    }
    case CAL_SPLIT_MM: {
        int64_t rows = (first + n - 1) / s->n - first / s->n + 1;
        dim3 grid((unsigned)(s->n / tile), blocks_of(rows, tile));
        multiply_tiles<<<grid, threads, 0, stream>>>(in, constant, out, s->n, first, n);
        break;
    }
    case CAL_SPLIT_NBODY:
        attract<<<blocks_of(n, few), few, 0, stream>>>(varying, out, s->n, first, n);
        break;
    case CAL_SPLIT_NNS:
        find_nearest<<<blocks_of(n, few), few, 0, stream>>>(constant, in, out, s->n, first, n);
        break;
    default:
        return (int)cudaErrorInvalidValue;
    }
    return (int)cudaGetLastError();
}
