/*
 * app_support.cu - see app.h.
 */
#include "calibrate/app/app.cuh"

#include <cuda_fp16.h>
#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" int cal_err_text(struct dcs_err *err, const char *text); /* app_error.c */

static void broken(const char *what)
{
    fprintf(stderr, "dcsim-calibrate: internal error: %s\n", what);
    exit(70);
}

extern "C" int cal_fail(struct dcs_err *err, const char *format, ...)
{
    char text[700];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return cal_err_text(err, text);
}

extern "C" int cal_fail_cuda(struct dcs_err *err, cudaError_t status, const char *what)
{
    if (status == cudaSuccess)
        return 0;
    return cal_fail(err, "%s: %s", what, cudaGetErrorString(status));
}

/* --- plans --- */

static void *grow(void *array, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity)
        return array;
    size_t wanted = *capacity < 16 ? 16 : *capacity * 2;
    array = realloc(array, wanted * size);
    if (array == NULL)
        broken("out of memory");
    *capacity = wanted;
    return array;
}

extern "C" struct cal_kernel *cal_begin_kernel(struct cal_plan *p, enum cal_kind kind,
                                               const char *name, const char *shape_format, ...)
{
    if (p->kernels_count == CAL_KERNELS_MAX)
        broken("a request has too many kernels");
    p->kernels = (struct cal_kernel *)grow(p->kernels, &p->kernels_capacity, p->kernels_count + 1,
                                           sizeof *p->kernels);
    struct cal_kernel *k = &p->kernels[p->kernels_count++];
    memset(k, 0, sizeof *k);
    k->kind = kind;
    k->first_launch = (uint32_t)p->launches_count;
    int used = snprintf(k->name, sizeof k->name, "%s", name);
    va_list args;
    va_start(args, shape_format);
    int shape = vsnprintf(k->shape, sizeof k->shape, shape_format, args);
    va_end(args);
    if (used >= (int)sizeof k->name || shape >= (int)sizeof k->shape)
        broken("the name of a kernel is too long");
    return k;
}

extern "C" void cal_add_transfer(struct cal_plan *p, enum cal_kind kind, const char *name, void *to,
                                 const void *from, size_t bytes)
{
    struct cal_kernel *k = cal_begin_kernel(
        p, kind, name, "%s_%zu", kind == CAL_TO_DEVICE ? "to_device" : "from_device", bytes);
    k->to = to;
    k->from = from;
    k->transfer_bytes = bytes;
    k->repeatable = true;
    k->bytes = (double)bytes;
}

extern "C" void cal_plan_release(struct cal_plan *p)
{
    free(p->kernels);
    free(p->launches);
    memset(p, 0, sizeof *p);
}

extern "C" struct cal_launch *cal_new_launch(struct cal_plan *p, const void *function, dim3 grid,
                                             dim3 block, size_t shared_bytes)
{
    if (p->kernels_count == 0 || p->launches_count == CAL_LAUNCHES_MAX)
        broken("a launch without a kernel, or too many launches");
    p->launches = (struct cal_launch *)grow(p->launches, &p->launches_capacity,
                                            p->launches_count + 1, sizeof *p->launches);
    struct cal_launch *l = &p->launches[p->launches_count++];
    p->kernels[p->kernels_count - 1].launches++;
    memset(l, 0, sizeof *l);
    l->function = function;
    l->grid[0] = grid.x, l->grid[1] = grid.y, l->grid[2] = grid.z;
    l->block[0] = block.x, l->block[1] = block.y, l->block[2] = block.z;
    l->shared_bytes = (unsigned)shared_bytes;
    if (shared_bytes > 48 * 1024)
        cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             (int)shared_bytes); /* a failure shows in the launch */
    return l;
}

extern "C" void cal_push_argument(struct cal_launch *l, const void *value, size_t bytes,
                                  size_t alignment)
{
    size_t at = 0;
    if (l->args_count > 0) {
        /* The end of the last argument is kept behind the offsets in use. */
        at = l->offset[CAL_ARGS_MAX - 1];
        at = (at + alignment - 1) / alignment * alignment;
    }
    if (l->args_count == CAL_ARGS_MAX - 1 || at + bytes > CAL_ARGS_BYTES || alignment > 16)
        broken("a launch has too many arguments");
    memcpy(l->args + at, value, bytes);
    l->offset[l->args_count++] = (uint16_t)at;
    l->offset[CAL_ARGS_MAX - 1] = (uint16_t)(at + bytes);
}

static cudaError_t launch(const struct cal_launch *l, cudaStream_t stream)
{
    void *pointers[CAL_ARGS_MAX];
    for (unsigned i = 0; i < l->args_count; i++)
        pointers[i] = (void *)(l->args + l->offset[i]);
    return cudaLaunchKernel(l->function, dim3(l->grid[0], l->grid[1], l->grid[2]),
                            dim3(l->block[0], l->block[1], l->block[2]), pointers, l->shared_bytes,
                            stream);
}

extern "C" cudaError_t cal_enqueue(const struct cal_plan *p, const struct cal_kernel *k,
                                   cudaStream_t stream)
{
    switch (k->kind) {
    case CAL_TO_DEVICE:
        return cudaMemcpyAsync(k->to, k->from, k->transfer_bytes, cudaMemcpyHostToDevice, stream);
    case CAL_FROM_DEVICE:
        return cudaMemcpyAsync(k->to, k->from, k->transfer_bytes, cudaMemcpyDeviceToHost, stream);
    case CAL_LIBRARY:
        return k->call(k->context, stream) == 0 ? cudaSuccess : cudaErrorUnknown;
    case CAL_COMPUTE:
        break;
    }
    for (uint32_t i = 0; i < k->launches; i++) {
        cudaError_t status = launch(&p->launches[k->first_launch + i], stream);
        if (status != cudaSuccess)
            return status;
    }
    return cudaSuccess;
}

/* --- memory and inputs --- */

extern "C" int cal_device_alloc(void **pointer, size_t bytes, struct dcs_err *err)
{
    *pointer = NULL;
    cudaError_t status = cudaMalloc(pointer, bytes);
    if (status == cudaSuccess)
        return 0;
    *pointer = NULL;
    (void)cudaGetLastError(); /* running out of memory leaves no lasting error */
    return cal_fail(err, "cannot allocate %zu bytes on the device: %s", bytes,
                    cudaGetErrorString(status));
}

extern "C" int cal_host_alloc(void **pointer, size_t bytes, struct dcs_err *err)
{
    *pointer = NULL;
    cudaError_t status = cudaMallocHost(pointer, bytes);
    if (status == cudaSuccess)
        return 0;
    *pointer = NULL;
    (void)cudaGetLastError();
    return cal_fail(err, "cannot allocate %zu bytes of pinned memory: %s", bytes,
                    cudaGetErrorString(status));
}

/* Two rounds of the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
static __host__ __device__ uint64_t random_u64(uint64_t seed, uint64_t i)
{
    uint64_t z = seed * UINT64_C(0x9e3779b97f4a7c15) + i + UINT64_C(0x632be59bd9b4e019);
    for (int round = 0; round < 2; round++) {
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        z ^= z >> 31;
    }
    return z;
}

extern "C" uint64_t cal_random_u64(uint64_t seed, uint64_t i)
{
    return random_u64(seed, i);
}

static __device__ float uniform(uint64_t seed, uint64_t i) /* [0, 1) */
{
    return (float)(random_u64(seed, i) >> 40) * 0x1p-24f;
}

static __global__ void fill_f32(float *to, size_t n, uint64_t seed, float low, float high)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        to[i] = low + (high - low) * uniform(seed, i);
}

static __global__ void fill_i32(int32_t *to, size_t n, uint64_t seed, int32_t low, uint32_t span)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        to[i] = low + (int32_t)(random_u64(seed, i) % span);
}

/* Box and Muller. */
static __global__ void fill_f16(__half *to, size_t n, uint64_t seed, float mean, float deviation)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        float radius = sqrtf(-2.0f * logf(1.0f - uniform(seed, 2 * i)));
        to[i] = __float2half(mean + deviation * radius * cospif(2.0f * uniform(seed, 2 * i + 1)));
    }
}

static int filled(struct dcs_err *err)
{
    cudaError_t status = cudaGetLastError();
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    return cal_fail_cuda(err, status, "filling inputs");
}

extern "C" int cal_fill_uniform_f32(float *device, size_t n, uint64_t seed, float low, float high,
                                    struct dcs_err *err)
{
    fill_f32<<<1024, 256>>>(device, n, seed, low, high);
    return filled(err);
}

extern "C" int cal_fill_normal_f16(void *device, size_t n, uint64_t seed, float mean,
                                   float deviation, struct dcs_err *err)
{
    fill_f16<<<1024, 256>>>((__half *)device, n, seed, mean, deviation);
    return filled(err);
}

extern "C" int cal_fill_uniform_i32(int32_t *device, size_t n, uint64_t seed, int32_t low,
                                    int32_t high, struct dcs_err *err)
{
    fill_i32<<<1024, 256>>>(device, n, seed, low, (uint32_t)(high - low));
    return filled(err);
}

/* --- comparing --- */

extern "C" int cal_compare_f32(const float *got, const float *want, size_t n, double absolute,
                               double relative, const char *what, struct dcs_err *err)
{
    size_t first = n, worst = 0, wrong = 0;
    double worst_excess = -1;
    for (size_t i = 0; i < n; i++) {
        double difference = fabs((double)got[i] - (double)want[i]);
        double allowed = absolute + relative * fabs((double)want[i]);
        if (difference <= allowed)
            continue;
        wrong++;
        if (first == n)
            first = i;
        if (!(difference - allowed <= worst_excess))
            worst_excess = difference - allowed, worst = i;
    }
    if (wrong == 0)
        return 0;
    return cal_fail(err,
                    "%s: %zu of %zu values are wrong; the first, [%zu], is %.9g instead of %.9g, "
                    "the worst, [%zu], %.9g instead of %.9g",
                    what, wrong, n, first, (double)got[first], (double)want[first], worst,
                    (double)got[worst], (double)want[worst]);
}

extern "C" int cal_compare_i32(const int32_t *got, const int32_t *want, size_t n, const char *what,
                               struct dcs_err *err)
{
    for (size_t i = 0; i < n; i++)
        if (got[i] != want[i])
            return cal_fail(err, "%s: [%zu] of %zu is %d instead of %d", what, i, n, got[i],
                            want[i]);
    return 0;
}

/* --- cuBLAS --- */

typedef int (*create_fn)(void **);
typedef int (*set_stream_fn)(void *, cudaStream_t);
typedef int (*sgemm_fn)(void *, int, int, int, int, int, const float *, const float *, int,
                        const float *, int, const float *, float *, int);
static create_fn blas_create;
static set_stream_fn blas_set_stream;
static sgemm_fn blas_sgemm;
static thread_local void *blas_handle;

static int load_blas(struct dcs_err *err)
{
    if (blas_sgemm != NULL)
        return 0;
    static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so",
                                        "/usr/local/cuda/lib64/libcublas.so"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && library == NULL; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return cal_fail(err, "needs cuBLAS, which is not here (%s)", dlerror());
    blas_create = (create_fn)dlsym(library, "cublasCreate_v2");
    blas_set_stream = (set_stream_fn)dlsym(library, "cublasSetStream_v2");
    blas_sgemm = (sgemm_fn)dlsym(library, "cublasSgemm_v2");
    if (blas_create == NULL || blas_set_stream == NULL || blas_sgemm == NULL) {
        blas_sgemm = NULL;
        return cal_fail(err, "this libcublas lacks a function that is needed");
    }
    return 0;
}

extern "C" int cal_blas_open(struct dcs_err *err)
{
    if (load_blas(err) != 0)
        return -1;
    if (blas_handle == NULL && blas_create(&blas_handle) != 0) {
        blas_handle = NULL;
        return cal_fail(err, "cuBLAS does not start");
    }
    return 0;
}

/* cuBLAS is column-major: C^T = B^T A^T. */
extern "C" int cal_blas_sgemm(cudaStream_t stream, bool transpose_a, bool transpose_b, int m, int n,
                              int k, float alpha, const float *a, const float *b, float beta,
                              float *c)
{
    int status = blas_set_stream(blas_handle, stream);
    if (status != 0)
        return status;
    return blas_sgemm(blas_handle, transpose_b ? 1 : 0, transpose_a ? 1 : 0, n, m, k, &alpha, b,
                      transpose_b ? k : n, a, transpose_a ? m : k, &beta, c, n);
}
