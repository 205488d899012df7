/*
 * victim.cu - see victim.h.
 */
#include "calibrate/gpu/victim.h"

#include "calibrate/app/app.cuh"

#include <string.h>

/* In pinned memory, which has one address on both sides. */
struct victim_flags {
    volatile unsigned revoke;
    volatile uint64_t victim_started_ns, next_started_ns;
};

struct cal_victim {
    struct victim_flags *flags;
    float *sink;
};

namespace
{

__device__ uint64_t now_ns()
{
    uint64_t ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

/* About half a microsecond of dependent arithmetic; the value goes to 1 and stays. */
__device__ float work(float value)
{
#pragma unroll 8
    for (int i = 0; i < 256; i++)
        value = fmaf(value, 0.5f, 0.5f);
    return value;
}

__device__ uint64_t begin(struct victim_flags *flags)
{
    uint64_t ns = now_ns();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        flags->victim_started_ns = ns;
    return ns;
}

/* sink is never written, but the compiler cannot know. */
__device__ void keep(float value, float *sink)
{
    if (value < 0)
        *sink = value;
}

__global__ void trapping(struct victim_flags *flags, uint64_t run_ns, float *sink)
{
    uint64_t start = begin(flags);
    float value = (float)threadIdx.x;
    while (now_ns() - start < run_ns) {
        value = work(value);
        if (blockIdx.x == 0 && threadIdx.x == 0 && flags->revoke != 0)
            asm volatile("trap;");
    }
    keep(value, sink);
}

__global__ void exiting_threads(struct victim_flags *flags, uint64_t run_ns, float *sink)
{
    uint64_t start = begin(flags);
    float value = (float)threadIdx.x;
    while (now_ns() - start < run_ns) {
        value = work(value);
        if (flags->revoke != 0)
            asm volatile("exit;");
    }
    keep(value, sink);
}

__global__ void exiting_blocks(struct victim_flags *flags, uint64_t run_ns, float *sink)
{
    __shared__ unsigned revoked;
    uint64_t start = begin(flags);
    float value = (float)threadIdx.x;
    for (;;) {
        value = work(value);
        /* Thread 0 decides for all, on time too: a barrier needs all of them. */
        if (threadIdx.x == 0)
            revoked = flags->revoke != 0 || now_ns() - start >= run_ns;
        __syncthreads();
        if (revoked != 0)
            break;
        __syncthreads();
    }
    keep(value, sink);
    asm volatile("exit;");
}

__global__ void running(struct victim_flags *flags, uint64_t run_ns, float *sink)
{
    uint64_t start = begin(flags);
    float value = (float)threadIdx.x;
    while (now_ns() - start < run_ns)
        value = work(value);
    keep(value, sink);
}

/* One thread of each block looks at the clock, the others wait: blocks that compute would keep
 * later ones on their SM from issuing. */
__global__ void waiting(struct victim_flags *flags, uint64_t run_ns)
{
    uint64_t start = begin(flags);
    if (threadIdx.x == 0)
        while (now_ns() - start < run_ns)
            ;
    __syncthreads();
}

__global__ void next(struct victim_flags *flags)
{
    flags->next_started_ns = now_ns();
}

} // namespace

extern "C" struct cal_victim *cal_victim_create(struct dcs_err *err)
{
    struct cal_victim *v = new cal_victim();
    if (cal_host_alloc((void **)&v->flags, sizeof *v->flags, err) != 0 ||
        cal_device_alloc((void **)&v->sink, sizeof(float), err) != 0) {
        cal_victim_destroy(v);
        return NULL;
    }
    memset((void *)v->flags, 0, sizeof *v->flags);
    return v;
}

extern "C" int cal_victim_start(struct cal_victim *v, enum cal_victim_end end, unsigned blocks,
                                unsigned threads, uint64_t run_ns, cudaStream_t stream,
                                struct dcs_err *err)
{
    v->flags->revoke = 0;
    v->flags->victim_started_ns = 0;
    switch (end) {
    case CAL_VICTIM_TRAPS:
        trapping<<<blocks, threads, 0, stream>>>(v->flags, run_ns, v->sink);
        break;
    case CAL_VICTIM_THREADS_EXIT:
        exiting_threads<<<blocks, threads, 0, stream>>>(v->flags, run_ns, v->sink);
        break;
    case CAL_VICTIM_BLOCKS_EXIT:
        exiting_blocks<<<blocks, threads, 0, stream>>>(v->flags, run_ns, v->sink);
        break;
    case CAL_VICTIM_RUNS:
        running<<<blocks, threads, 0, stream>>>(v->flags, run_ns, v->sink);
        break;
    case CAL_VICTIM_WAITS:
        waiting<<<blocks, threads, 0, stream>>>(v->flags, run_ns);
        break;
    }
    return cal_fail_cuda(err, cudaGetLastError(), "the kernel to revoke");
}

extern "C" bool cal_victim_started(const struct cal_victim *v)
{
    return v->flags->victim_started_ns != 0;
}

extern "C" uint64_t cal_victim_started_ns(const struct cal_victim *v)
{
    return v->flags->victim_started_ns;
}

extern "C" void cal_victim_revoke(struct cal_victim *v)
{
    v->flags->revoke = 1;
}

extern "C" int cal_next_launch(struct cal_victim *v, cudaStream_t stream, struct dcs_err *err)
{
    v->flags->next_started_ns = 0;
    next<<<1, 1, 0, stream>>>(v->flags);
    return cal_fail_cuda(err, cudaGetLastError(), "the kernel after the revoked one");
}

extern "C" bool cal_next_started(const struct cal_victim *v)
{
    return v->flags->next_started_ns != 0;
}

extern "C" uint64_t cal_next_started_ns(const struct cal_victim *v)
{
    return v->flags->next_started_ns;
}

extern "C" void cal_victim_destroy(struct cal_victim *v)
{
    if (v == NULL)
        return;
    cudaFreeHost(v->flags);
    cudaFree(v->sink);
    delete v;
}
