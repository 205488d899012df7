/*
 * runtime.cpp - CUDA's memory functions and cuBLAS, on the CPU.
 */
#include "emu.h"
#include "include/cuda_runtime.h"
#include "include/dlfcn.h"

#include <atomic>
#include <sys/mman.h>
#include <unordered_map>

#define MULTIPROCESSORS 132
#define TILE            8 /* of a matrix product */
#define TILE_COLUMNS    4

struct allocation {
    size_t bytes;
    bool device, mapped;
};

static std::unordered_map<void *, struct allocation> allocations;
static size_t allocated_bytes, allocated_limit = SIZE_MAX, allocations_ever;
static long left_before_failure = -1;
static bool dry;
static std::atomic_int waits_left{-1}; /* until waiting fails; -1: it does not */
static cudaStream_t request_stream;
static cudaError_t last_error;

/* --- the runner's side --- */

void emu_set_dry(bool on)
{
    dry = on;
}

bool emu_is_dry()
{
    return dry;
}

void emu_set_memory(size_t limit_bytes, long before_failure)
{
    allocated_limit = limit_bytes;
    left_before_failure = before_failure;
}

void emu_break_after(int waits)
{
    waits_left = waits;
}

size_t emu_allocated_bytes()
{
    return allocated_bytes;
}

size_t emu_allocations()
{
    return allocations.size();
}

size_t emu_allocations_ever()
{
    return allocations_ever;
}

void emu_set_request(cudaStream_t stream)
{
    request_stream = stream;
}

void emu_check_stream(cudaStream_t stream, const char *call)
{
    if (request_stream != NULL && stream != request_stream)
        emu_report("%s is not on the stream of the request", call);
}

static void not_in_request(const char *call)
{
    if (request_stream != NULL)
        emu_report("a request calls %s", call);
}

/* --- memory --- */

cudaError_t emu_set_error(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = error;
    return error;
}

static cudaError_t allocate(void **pointer, size_t bytes, bool device)
{
    not_in_request(device ? "cudaMalloc" : "cudaMallocHost");
    *pointer = NULL;
    if (bytes == 0)
        return cudaSuccess;
    allocations_ever++;
    if (left_before_failure == 0 || bytes > allocated_limit - allocated_bytes)
        return emu_set_error(cudaErrorMemoryAllocation);
    if (left_before_failure > 0)
        left_before_failure--;
    void *memory = NULL;
    if (dry) {
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
            return emu_set_error(cudaErrorMemoryAllocation);
    } else {
        if (posix_memalign(&memory, 512, bytes) != 0)
            return emu_set_error(cudaErrorMemoryAllocation);
        emu_fill_pattern(memory, bytes);
    }
    allocations[memory] = {bytes, device, dry};
    allocated_bytes += bytes;
    *pointer = memory;
    return cudaSuccess;
}

static cudaError_t release(void *pointer, bool device)
{
    not_in_request(device ? "cudaFree" : "cudaFreeHost");
    if (pointer == NULL)
        return cudaSuccess;
    auto found = allocations.find(pointer);
    if (found == allocations.end() || found->second.device != device)
        emu_report("%s of what is not allocated, or not so", device ? "cudaFree" : "cudaFreeHost");
    allocated_bytes -= found->second.bytes;
    if (found->second.mapped)
        munmap(pointer, found->second.bytes);
    else
        free(pointer);
    allocations.erase(found);
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
    return allocate(pointer, bytes, true);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
    return allocate(pointer, bytes, false);
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned)
{
    return allocate(pointer, bytes, false);
}

cudaError_t cudaFree(void *pointer)
{
    return release(pointer, true);
}

cudaError_t cudaFreeHost(void *pointer)
{
    return release(pointer, false);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    not_in_request("cudaMemcpy");
    return cudaMemcpyAsync(to, from, bytes, kind, NULL);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind,
                            cudaStream_t stream)
{
    emu_check_stream(stream, "cudaMemcpyAsync");
    if (bytes > 0)
        memmove(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind)
{
    not_in_request("cudaMemcpy2D");
    for (size_t i = 0; i < height; i++)
        memmove((char *)to + i * to_pitch, (const char *)from + i * from_pitch, width);
    return cudaSuccess;
}

cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    return cudaMemsetAsync(to, value, bytes, NULL);
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    emu_check_stream(stream, "cudaMemsetAsync");
    if (bytes > 0 && !dry)
        memset(to, value, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    *total_bytes = (size_t)141 << 30;
    *free_bytes = *total_bytes - allocated_bytes;
    return cudaSuccess;
}

/* --- streams, errors, the device --- */

cudaError_t cudaDeviceSynchronize()
{
    not_in_request("cudaDeviceSynchronize");
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    static uintptr_t streams;
    *stream = (cudaStream_t)++streams;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t)
{
    not_in_request("cudaStreamSynchronize");
    int left = waits_left;
    while (left > 0 && !waits_left.compare_exchange_weak(left, left - 1))
        ;
    return left == 0 ? cudaErrorUnknown : cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t)
{
    return cudaSuccess;
}

cudaError_t cudaGetLastError()
{
    cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError()
{
    return last_error;
}

const char *cudaGetErrorName(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return "cudaSuccess";
    case cudaErrorInvalidValue:
        return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
        return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration:
        return "cudaErrorInvalidConfiguration";
    case cudaErrorInvalidDeviceFunction:
        return "cudaErrorInvalidDeviceFunction";
    case cudaErrorUnknown:
        break;
    }
    return "cudaErrorUnknown";
}

const char *cudaGetErrorString(cudaError_t error)
{
    return cudaGetErrorName(error);
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    return device == 0 ? cudaSuccess : emu_set_error(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int)
{
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
        *value = 1024;
        return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlock:
        *value = 48 * 1024;
        return cudaSuccess;
    case cudaDevAttrWarpSize:
        *value = 32;
        return cudaSuccess;
    case cudaDevAttrMultiProcessorCount:
        *value = MULTIPROCESSORS;
        return cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor:
        *value = 9;
        return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor:
        *value = 0;
        return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        *value = 228 * 1024;
        return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        *value = 227 * 1024;
        return cudaSuccess;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        *value = 2048;
        return cudaSuccess;
    case cudaDevAttrMaxRegistersPerMultiprocessor:
        *value = 65536;
        return cudaSuccess;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
        *value = 32;
        return cudaSuccess;
    case cudaDevAttrReservedSharedMemoryPerBlock:
        *value = 1024;
        return cudaSuccess;
    }
    return emu_set_error(cudaErrorInvalidValue);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int)
{
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "CPU as GPU");
    p->totalGlobalMem = (size_t)141 << 30;
    p->sharedMemPerBlock = 48 * 1024;
    p->sharedMemPerBlockOptin = 227 * 1024;
    p->sharedMemPerMultiprocessor = 228 * 1024;
    p->major = 9;
    p->multiProcessorCount = MULTIPROCESSORS;
    p->maxThreadsPerBlock = 1024;
    p->warpSize = 32;
    p->l2CacheSize = 50 << 20;
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *)
{
    *attributes = {};
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *, int, size_t)
{
    *blocks = 2;
    return cudaSuccess;
}

/* --- cuBLAS: column-major C = alpha * op(A) * op(B) + beta * C --- */

struct blas {
    cudaStream_t stream;
};

static int blas_create(void **handle)
{
    static struct blas the_one;
    *handle = &the_one;
    return 0;
}

static int blas_set_stream(void *handle, cudaStream_t stream)
{
    ((struct blas *)handle)->stream = stream;
    return 0;
}

static int blas_sgemm(void *handle, int transpose_a, int transpose_b, int m, int n, int k,
                      const float *alpha, const float *a, int lda, const float *b, int ldb,
                      const float *beta, float *c, int ldc)
{
    emu_check_stream(((struct blas *)handle)->stream, "cublasSgemm");
    if (m < 0 || n < 0 || k < 0 || lda < max(1, transpose_a ? k : m) ||
        ldb < max(1, transpose_b ? n : k) || ldc < max(1, m))
        return 7; /* CUBLAS_STATUS_INVALID_VALUE */
    if (dry)
        return 0;
    /* TILE rows of op(A) lie together for all of k, so that the innermost loops are of vectors. */
    float *rows = (float *)malloc(((size_t)k + 1) * TILE * sizeof *rows);
    for (int i = 0; i < m; i += TILE) {
        for (int l = 0; l < k; l++)
            for (int r = 0; r < TILE; r++) {
                size_t row = (size_t)min(i + r, m - 1), column = (size_t)l;
                rows[l * TILE + r] =
                    transpose_a ? a[row * (size_t)lda + column] : a[column * (size_t)lda + row];
            }
        for (int j = 0; j < n; j += TILE_COLUMNS) {
            float sums[TILE_COLUMNS][TILE] = {};
            for (int l = 0; l < k; l++)
                for (int q = 0; q < TILE_COLUMNS; q++) {
                    size_t column = (size_t)min(j + q, n - 1), row = (size_t)l;
                    float factor =
                        transpose_b ? b[row * (size_t)ldb + column] : b[column * (size_t)ldb + row];
                    for (int r = 0; r < TILE; r++)
                        sums[q][r] += rows[l * TILE + r] * factor;
                }
            for (int q = 0; q < TILE_COLUMNS && j + q < n; q++)
                for (int r = 0; r < TILE && i + r < m; r++) {
                    float *at = &c[(size_t)(j + q) * (size_t)ldc + (size_t)(i + r)];
                    *at = *alpha * sums[q][r] + (*beta == 0 ? 0 : *beta * *at);
                }
        }
    }
    free(rows);
    return 0;
}

void *emu_dlopen(const char *name, int)
{
    return strncmp(name, "libcublas.so", 12) == 0 ? (void *)blas_create : NULL;
}

void *emu_dlsym(void *, const char *name)
{
    if (strcmp(name, "cublasCreate_v2") == 0)
        return (void *)blas_create;
    if (strcmp(name, "cublasSetStream_v2") == 0)
        return (void *)blas_set_stream;
    return strcmp(name, "cublasSgemm_v2") == 0 ? (void *)blas_sgemm : NULL;
}

const char *emu_dlerror()
{
    return "the emulator has no such library";
}
