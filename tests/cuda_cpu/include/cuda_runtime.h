/*
 * cuda_runtime.h - a small CUDA for machines without a GPU: the applications of calibrate/apps/ are
 * compiled as C++17 against this folder instead of CUDA's headers, and their kernels run on the
 * CPU, also under AddressSanitizer and UBSan. It is for the correctness of kernels; times mean
 * nothing.
 *
 *   tests/cuda_cpu/check.sh NAME      one application: its request is made and its result checked
 *
 * HOW. A block's threads are fibers of one CPU thread. A thread runs until it waits (a barrier, a
 * shuffle, a vote) or ends, then another one runs. A thread that never waits costs a function call.
 * Blocks run one after the other. The order of threads and blocks is ascending, or random from a
 * seed: what lacks a barrier is then wrong with some seed. Shared memory (before each block) and
 * device memory (when it is allocated) are filled with 0x7fba, a NaN as half and as float and a
 * large number as an integer, so that what is read before it is written shows.
 *
 * WHAT IS REPORTED, with the kernel, the block and the source line: barriers that not all threads
 * reach, threads of a block at different __syncthreads(), lanes that miss a warp's operation or
 * name a mask without themselves, accesses out of bounds (AddressSanitizer, also for dynamic shared
 * memory), a launch with more threads or shared memory than a device has; in a request also
 * allocation, synchronisation and other streams.
 *
 * WHAT IS NOT: memory order between blocks, bank conflicts, local memory, anything about time. A
 * kernel whose blocks wait for each other does not end.
 *
 * SUBSET. Built-in variables, __shared__ (static and dynamic), __syncthreads and its _count, _and,
 * _or, __syncwarp, cal_bar_sync (bar.sync id, count; barriers of named threads), shuffles, votes,
 * match_any, reduce, atomics, __ldg and its kin, half, wmma, vector types, the usual intrinsics.
 * translate.sh rewrites the two things that C++ cannot be made to read: `extern __shared__ T x[];`
 * and f<<<grid, block, shared, stream>>>(...).
 */
#ifndef CUDA_CPU_RUNTIME_H
#define CUDA_CPU_RUNTIME_H

#include "cuda_runtime_api.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tuple>
#include <type_traits>
#include <utility>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __forceinline__ inline
#define __noinline__    __attribute__((noinline))
#define __align__(n)    __attribute__((aligned(n)))
#define __launch_bounds__(...)
/* One block runs at a time, so a static variable is what a block shares. They lie together to be
 * filled before each block. */
#define __shared__ static __attribute__((section("cal_shared")))

#include "emu_vector.h"

extern "C" uint3 threadIdx, blockIdx;
extern "C" dim3 blockDim, gridDim;
constexpr int warpSize = 32;

#include "emu_launch.h"
#include "emu_math.h"
#include "emu_sync.h"

#endif
