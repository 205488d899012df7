/*
 * body.cuh - a kernel's body that is written once and run by blocks of several kinds.
 *
 * A body is a struct B:
 *
 *   B::threads            of one block, a multiple of 32
 *   struct B::args        what the kernel needs, at most CAL_ARGS_BYTES, passed by value
 *   struct B::shared      the block's shared memory
 *   static __device__ void B::run(const args &a, int block, int thread, shared *s, Barrier barrier)
 *                         does the work of block `block` of a one-dimensional grid
 *
 * A body never looks at blockIdx or threadIdx and synchronises by barrier.sync() only. So the same
 * code is an ordinary kernel (cal_plain), one of persistent blocks, or a part of a fused kernel
 * (calibrate/gpu/fusion_body.cuh), where only some of the threads of a block belong to it.
 */
#ifndef DCS_CALIBRATE_APPS_BODY_CUH
#define DCS_CALIBRATE_APPS_BODY_CUH

#include <cuda_runtime.h>

#ifndef CAL_EMULATED
/* Waits for `threads` threads that name the barrier `id`, 1 to 15; 0 is __syncthreads. */
static __device__ __forceinline__ void cal_bar_sync(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
#endif

struct cal_whole_block {
    __device__ __forceinline__ void sync() const
    {
        __syncthreads();
    }
};

struct cal_part_of_block {
    int id, threads;
    __device__ __forceinline__ void sync() const
    {
        cal_bar_sync(id, threads);
    }
};

template <class Body>
static __global__ void __launch_bounds__(Body::threads) cal_plain(const typename Body::args a)
{
    __shared__ typename Body::shared s;
    Body::run(a, (int)blockIdx.x, (int)threadIdx.x, &s, cal_whole_block());
}

/* The hardware's reciprocal square root, without the steps that rsqrtf adds for denormals. */
static __device__ __forceinline__ float cal_fast_rsqrt(float x)
{
#ifdef __CUDA_ARCH__
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return rsqrtf(x);
#endif
}

/* Sine and cosine of an angle in turns, by the special function units: about 1e-6 of error. Adding
 * and subtracting 1.5 * 2^23 rounds to the nearest integer, if |turns| < 2^22. */
static __device__ __forceinline__ void cal_fast_sincos(float turns, float *sine, float *cosine)
{
    float angle = (turns - ((turns + 12582912.0f) - 12582912.0f)) * 6.2831853f;
    *sine = __sinf(angle);
    *cosine = __cosf(angle);
}

#endif
