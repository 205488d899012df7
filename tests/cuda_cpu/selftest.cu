/*
 * selftest.cu - the emulator against known results.
 *
 * Pins: what each operation returns, in ascending and in random order; and that each kind of fault
 * is found, by a child process that makes it: the test compares the words of its report. Faults
 * that only AddressSanitizer finds are tested where the build has it. Does not pin: which thread
 * runs when.
 */
#include "calibrate/app/app.cuh"
#include "emu.h"

#include <cuda_fp16.h>
#include <mma.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#if defined __SANITIZE_ADDRESS__
#define HAS_ASAN 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#endif
#ifndef HAS_ASAN
#define HAS_ASAN 0
#endif

extern "C" const struct cal_app *const cal_apps[] = {NULL};

static int failures;

static void expect(bool holds, const char *what, int line)
{
    if (holds)
        return;
    fprintf(stderr, "selftest.cu:%d: not so: %s\n", line, what);
    failures++;
}

#define EXPECT(condition) expect(condition, #condition, __LINE__)

/* Device memory of n elements, all zero. */
template <typename T> static T *device(size_t n)
{
    T *memory = NULL;
    if (cudaMalloc(&memory, n * sizeof(T)) != cudaSuccess)
        exit(70);
    cudaMemset(memory, 0, n * sizeof(T));
    return memory;
}

/* --- warps --- */

static __global__ void shuffle(int *sums, int *scans, int *butterfly, int *eighths)
{
    int t = (int)threadIdx.x, sum = t, scan = 1, all = t;
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    for (int d = 1; d < 32; d *= 2) {
        int below = __shfl_up_sync(0xffffffffu, scan, d);
        scan += t % 32 >= d ? below : 0;
    }
    for (int d = 1; d < 32; d *= 2)
        all += __shfl_xor_sync(0xffffffffu, all, d);
    if (t % 32 == 0)
        sums[t / 32] = sum;
    scans[t] = scan;
    butterfly[t] = all;
    eighths[t] = __shfl_sync(0xffffffffu, t, 3, 8);
}

static __global__ void vote(unsigned *out)
{
    unsigned t = threadIdx.x;
    if (t < 24) { /* the others have ended: a mask may name them */
        unsigned odd = __ballot_sync(0xffffffu, t % 2);
        unsigned third = __match_any_sync(0xffffffu, t % 3);
        int any = __any_sync(0xffffffu, t == 20), all = __all_sync(0xffffffffu, t < 24);
        unsigned sum = __reduce_add_sync(0xffffffu, t);
        if (t == 1)
            out[0] = odd, out[1] = third, out[2] = any, out[3] = all, out[4] = sum;
    }
}

/* Halves of a warp under their own masks. */
static __global__ void halves(int *out)
{
    int t = (int)threadIdx.x, sum = t;
    unsigned mask = t < 16 ? 0xffffu : 0xffff0000u;
    for (int d = 8; d > 0; d /= 2)
        sum += __shfl_xor_sync(mask, sum, d, 16);
    out[t] = sum;
}

static void test_warps()
{
    int *out = device<int>(64 * 4);
    shuffle<<<1, 64>>>(out, out + 64, out + 128, out + 192);
    EXPECT(out[0] == 31 * 16 && out[1] == 31 * 16 + 32 * 32);
    for (int t = 0; t < 64; t++) {
        EXPECT(out[64 + t] == t % 32 + 1);
        EXPECT(out[128 + t] == out[t / 32]);
        EXPECT(out[192 + t] == t / 8 * 8 + 3);
    }
    unsigned *votes = device<unsigned>(5);
    vote<<<1, 32>>>(votes);
    EXPECT(votes[0] == 0xaaaaaau && votes[1] == 0x492492u && votes[2] == 1 && votes[3] == 1);
    EXPECT(votes[4] == 23 * 12);
    halves<<<1, 32>>>(out);
    EXPECT(out[0] == 120 && out[15] == 120 && out[16] == 376 && out[31] == 376);
    cudaFree(votes);
    cudaFree(out);
}

/* --- blocks --- */

template <int N> static __global__ void reverse(int *values)
{
    __shared__ int fixed[N];
    extern __shared__ int sized[];
    int t = (int)threadIdx.x;
    fixed[t] = values[blockIdx.x * N + t];
    __syncthreads();
    sized[t] = fixed[N - 1 - t] * 2;
    __syncthreads();
    values[blockIdx.x * N + t] = sized[t ^ 1];
}

/* Some threads end before the barriers of the others. */
static __global__ void count(int *out)
{
    if (threadIdx.x >= 40)
        return;
    int below = __syncthreads_count(threadIdx.x < 7);
    int any = __syncthreads_or(threadIdx.x == 39), none = __syncthreads_and(threadIdx.x != 3);
    if (threadIdx.x == 0)
        out[0] = below, out[1] = any, out[2] = none;
}

/* Warps 0 and 1 fill, warp 2 waits for them; warp 3 has a barrier of its own. */
static __global__ void partial(int *out)
{
    __shared__ int filled[64], own[32];
    int t = (int)threadIdx.x;
    if (t < 64) {
        filled[t] = t;
        cal_bar_arrive(1, 96);
    } else if (t < 96) {
        cal_bar_sync(1, 96);
        out[t - 64] = filled[t - 64] + filled[t - 32];
    } else {
        own[t - 96] = t;
        cal_bar_sync(2, 32);
        out[32 + t - 96] = own[127 - t];
    }
}

static __global__ void places(int *seen)
{
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    seen[block * blockDim.x * blockDim.y * blockDim.z + thread]++;
}

static __global__ void unwritten(unsigned *out)
{
    __shared__ unsigned s[32];
    if (threadIdx.x == 0)
        s[blockIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x < 2)
        out[threadIdx.x] = s[threadIdx.x + blockIdx.x];
}

/* A thread that lets others go first is the only one, or the last. */
static __global__ void yield(int *out)
{
    const int before = out[0];
    __nanosleep(100);
    if (threadIdx.x == 0)
        out[0] = before + 1;
}

static void test_blocks()
{
    int *values = device<int>(3 * 96);
    for (int i = 0; i < 3 * 96; i++)
        values[i] = i;
    reverse<96><<<3, 96, 96 * sizeof(int)>>>(values);
    for (int b = 0; b < 3; b++)
        for (int t = 0; t < 96; t++)
            EXPECT(values[b * 96 + t] == 2 * (b * 96 + 95 - (t ^ 1)));
    count<<<1, 64>>>(values);
    EXPECT(values[0] == 7 && values[1] == 1 && values[2] == 0);
    for (unsigned threads : {1u, 3u})
        yield<<<2, threads>>>(values);
    EXPECT(values[0] == 7 + 4);
    partial<<<1, 128>>>(values);
    for (int t = 0; t < 32; t++)
        EXPECT(values[t] == 2 * t + 32 && values[32 + t] == 127 - t);
    cudaFree(values);

    const int all = 3 * 4 * 5 * 2 * 7 * 3;
    int *seen = device<int>(all);
    places<<<dim3(3, 4, 5), dim3(2, 7, 3)>>>(seen);
    for (int i = 0; i < all; i++)
        EXPECT(seen[i] == 1);
    cudaFree(seen);

    unsigned *out = device<unsigned>(2);
    unwritten<<<2, 32>>>(out);
    EXPECT(out[0] == 1 && out[1] == 0x7fba7fba);
    cudaFree(out);
}

static __global__ void change(int *bins, unsigned *wrapped, float *sum, int *most,
                              unsigned long long *wide)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[i % 5], 1);
    atomicInc(wrapped, 9);
    atomicAdd(sum, 0.5f);
    atomicMax(most, (int)i);
    atomicAdd(wide, 1ull << 32);
    for (int seen = bins[5];;) {
        int found = atomicCAS(&bins[5], seen, seen + 2);
        if (found == seen)
            break;
        seen = found;
    }
}

static void test_atomics()
{
    int *bins = device<int>(7);
    unsigned *wrapped = device<unsigned>(1);
    float *sum = device<float>(1);
    unsigned long long *wide = device<unsigned long long>(1);
    change<<<10, 100>>>(bins, wrapped, sum, bins + 6, wide);
    EXPECT(bins[0] == 200 && bins[4] == 200 && bins[5] == 2000 && bins[6] == 999);
    EXPECT(*wrapped == 0 && *sum == 500.0f && *wide == 1000ull << 32);
    cudaFree(bins);
    cudaFree(wrapped);
    cudaFree(sum);
    cudaFree(wide);
}

/* --- half and wmma --- */

/* The nearest half by search among all of them, ties to even. */
static unsigned short nearest_half(double x)
{
    unsigned short low = 0,
                   high = 0x7c00; /* of |x|; the largest may round to infinity, 65536 here */
    double size = fabs(x);
    while (low + 1 < high) {
        unsigned short middle = (unsigned short)((low + high) / 2);
        (emu_half_to_float(middle) <= size ? low : high) = middle;
    }
    double below = emu_half_to_float(low), above = high == 0x7c00 ? 65536 : emu_half_to_float(high);
    bool up = size - below > above - size || (size - below == above - size && low % 2 == 1);
    return (unsigned short)((x < 0 ? 0x8000 : 0) | (up ? high : low));
}

static void test_half()
{
    for (unsigned bits = 0; bits < 65536; bits++) {
        __half h = __ushort_as_half((unsigned short)bits);
        if (!__hisnan(h))
            EXPECT(__half_as_ushort(__float2half((float)h)) == bits);
        else
            EXPECT(isnan((float)h) && __hisnan(__float2half((float)h)));
    }
    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t r = cal_random_u64(7, i);
        int exponent = (int)(r % 44) - 27; /* from below the denormals to infinity */
        double x = ldexp(1 + (double)(r >> 41) * 0x1p-23, exponent);
        x = i % 2 ? x : -x;
        EXPECT(__half_as_ushort(__float2half((float)x)) == nearest_half((double)(float)x));
        double fine = x * (1 + 0x1p-40);
        EXPECT(__half_as_ushort(__half(fine)) == nearest_half(fine));
    }
    EXPECT(__half_as_ushort(__half(1.0f + 0x1p-11f)) == 0x3c00); /* ties go to even */
    EXPECT(__half_as_ushort(__half(1.0f + 0x3p-11f)) == 0x3c02);
    EXPECT(__half_as_ushort(__half(65519.0f)) == 0x7bff);
    EXPECT(__half_as_ushort(__half(65520.0f)) == 0x7c00);
    EXPECT((float)(__half(0.1f) * __half(3.0f)) == (float)__half((float)__half(0.1f) * 3.0f));
    EXPECT(__low2float(__hfma2(__float2half2_rn(2.0f), __float2half2_rn(3.0f),
                               __floats2half2_rn(1.0f, 0.0f))) == 7.0f);
}

using namespace nvcuda;

/* Warps of 16x16 tiles. C = relu(A * B + C). */
template <typename T, typename LayoutA, typename LayoutB>
static __global__ void multiply(const half *a, const half *b, T *c, int n)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, LayoutA> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, LayoutB> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, T> sum;
    int i = (int)blockIdx.y * 16, j = (int)threadIdx.x / 32 * 16;
    bool row_a = std::is_same<LayoutA, wmma::row_major>::value;
    bool row_b = std::is_same<LayoutB, wmma::row_major>::value;
    wmma::load_matrix_sync(sum, c + i * n + j, n, wmma::mem_row_major);
    for (int l = 0; l < n; l += 16) {
        wmma::load_matrix_sync(fa, row_a ? a + i * n + l : a + l * n + i, n);
        wmma::load_matrix_sync(fb, row_b ? b + l * n + j : b + j * n + l, n);
        wmma::mma_sync(sum, fa, fb, sum);
    }
    for (int e = 0; e < sum.num_elements; e++)
        sum.x[e] = sum.x[e] > T(0.0f) ? sum.x[e] : T(0.0f);
    wmma::store_matrix_sync(c + i * n + j, sum, n, wmma::mem_row_major);
}

template <typename T, typename LayoutA, typename LayoutB> static void test_product(double allowed)
{
    const int n = 32;
    bool row_a = std::is_same<LayoutA, wmma::row_major>::value;
    bool row_b = std::is_same<LayoutB, wmma::row_major>::value;
    half *a = device<half>(n * n), *b = device<half>(n * n);
    T *c = device<T>(n * n);
    std::vector<double> start(n * n);
    for (int i = 0; i < n * n; i++) {
        a[i] = half((float)(cal_random_u64(1, i) % 201) / 100 - 1);
        b[i] = half((float)(cal_random_u64(2, i) % 201) / 100 - 1);
        c[i] = T((float)(cal_random_u64(3, i) % 7));
        start[i] = (double)(float)c[i];
    }
    multiply<T, LayoutA, LayoutB><<<dim3(1, n / 16), 2 * n>>>(a, b, c, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double want = start[i * n + j];
            for (int l = 0; l < n; l++)
                want += (double)(float)a[row_a ? i * n + l : l * n + i] *
                        (double)(float)b[row_b ? l * n + j : j * n + l];
            want = want > 0 ? want : 0;
            EXPECT(fabs((double)(float)c[i * n + j] - want) <= allowed);
        }
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}

static void test_wmma()
{
    test_product<float, wmma::row_major, wmma::row_major>(1e-5);
    test_product<float, wmma::row_major, wmma::col_major>(1e-5);
    test_product<float, wmma::col_major, wmma::row_major>(1e-5);
    test_product<float, wmma::col_major, wmma::col_major>(1e-5);
    test_product<half, wmma::row_major, wmma::col_major>(0.02);
}

/* --- the host's side --- */

static __global__ void add(double a, char b, float4 c, const int *d, double *sum)
{
    *sum += a + b + c.x + c.y + c.z + c.w + *d;
}

static void test_plan()
{
    int *d = device<int>(1);
    double *sum = device<double>(1);
    struct cal_plan plan = {};
    cal_begin_kernel(&plan, CAL_COMPUTE, "add", "add");
    cal_add_launch(&plan, add, 2, 1, 0, 1, 2, make_float4(3, 4, 5, 6), d, sum);
    *d = 100;
    EXPECT(cal_enqueue(&plan, &plan.kernels[0], NULL) == cudaSuccess && *sum == 242);
    cal_plan_release(&plan);
    cudaFree(d);
    cudaFree(sum);
}

static void test_blas()
{
    float a[2 * 3] = {1, 2, 3, 4, 5, 6}, b[3 * 2] = {1, 0, 2, 1, 0, 3}, c[4] = {1, 1, 1, 1};
    const float want[4] = {11, 23, 29, 47};
    EXPECT(cal_blas_open(NULL) == 0);
    EXPECT(cal_blas_sgemm(NULL, false, false, 2, 2, 3, 2, a, b, 1, c) == 0);
    EXPECT(memcmp(c, want, sizeof c) == 0);
    /* The same memory as A[3][2] and B[2][3]. */
    EXPECT(cal_blas_sgemm(NULL, true, true, 2, 2, 3, 1, a, b, 0, c) == 0);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            float sum = 0;
            for (int l = 0; l < 3; l++)
                sum += a[l * 2 + i] * b[j * 3 + l];
            EXPECT(c[i * 2 + j] == sum);
        }
}

/* --- faults --- */

static __global__ void unordered(int *out) /* lacks a barrier; ascending order hides it */
{
    __shared__ int s[256];
    int t = (int)threadIdx.x;
    s[t] = t;
    out[t] = t > 0 ? s[t - 1] : 0;
}

static bool is_ordered(int *out)
{
    unordered<<<1, 256>>>(out);
    for (int t = 1; t < 256; t++)
        if (out[t] != t - 1)
            return false;
    return true;
}

static void test_missing_barrier()
{
    int *out = device<int>(256);
    emu_set_order(false, 0);
    EXPECT(is_ordered(out));
    for (uint64_t seed = 0; seed < 20; seed++) {
        emu_set_order(true, seed);
        EXPECT(!is_ordered(out));
    }
    emu_set_order(false, 0);
    cudaFree(out);
}

static __global__ void diverge()
{
    if (threadIdx.x < 10)
        __syncthreads();
    else
        __syncthreads();
}

static __global__ void wait_for_ever()
{
    if (threadIdx.x < 32)
        __syncthreads();
    else
        cal_bar_sync(1, 64);
}

static __global__ void miss_lane()
{
    if (threadIdx.x != 5)
        __syncwarp();
    else
        __syncthreads();
}

static __global__ void not_in_mask()
{
    __ballot_sync(0xffff, 1);
}

static __global__ void write_at(int *to, int i)
{
    to[i] = 1;
}

static __global__ void write_shared(int i)
{
    __shared__ int s[32];
    int *volatile hidden = s;
    hidden[i] = 1;
}

static __global__ void write_dynamic(int i)
{
    extern __shared__ int s[];
    s[i] = 1;
}

static void make_fault(int fault)
{
    int *memory = device<int>(100);
    switch (fault) {
    case 0:
        diverge<<<2, 64>>>();
        break;
    case 1:
        wait_for_ever<<<2, 64>>>();
        break;
    case 2:
        miss_lane<<<1, 32>>>();
        break;
    case 3:
        not_in_mask<<<1, 32>>>();
        break;
    case 4:
        write_dynamic<<<1, 1, 64>>>(16);
        break;
    case 5:
        emu_set_request((cudaStream_t)1);
        write_at<<<1, 1, 0, (cudaStream_t)2>>>(memory, 0);
        break;
    case 6:
        emu_set_request((cudaStream_t)1);
        cudaFree(memory);
        break;
    case 7:
        write_at<<<1, 1>>>(memory, 100);
        break;
    case 8:
        write_shared<<<1, 1>>>(32);
        break;
    case 9:
        cudaFree(memory);
        cudaFree(memory);
        break;
    }
}

/* A child makes the fault; its report has the words. */
static void expect_fault(int fault, const char *words)
{
    int ends[2];
    char text[4000];
    size_t used = 0;
    if (pipe(ends) != 0)
        exit(70);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        make_fault(fault);
        _exit(0);
    }
    close(ends[1]);
    for (ssize_t n; (n = read(ends[0], text + used, sizeof text - 1 - used)) > 0;)
        used += (size_t)n;
    text[used] = '\0';
    close(ends[0]);
    int status;
    waitpid(child, &status, 0);
    if (status != 0 && strstr(text, words) != NULL)
        return;
    fprintf(stderr, "fault %d: not reported as \"%s\" but with status 0x%x: %s\n", fault, words,
            status, text);
    failures++;
}

static void test_faults()
{
    expect_fault(0, "kernel diverge, block (0, 0, 0), thread (10, 0, 0): is at the barrier");
    expect_fault(1, "32 of 64 threads have arrived at barrier 1");
    expect_fault(2, "lanes 0xffffffdf of mask 0xffffffff (live 0xffffffff) have arrived");
    expect_fault(3, "lane 16 is not in its mask 0xffff");
    expect_fault(4, HAS_ASAN ? "use-after-poison" : "past its 64 bytes of dynamic shared memory");
    expect_fault(5, "a launch is not on the stream of the request");
    expect_fault(6, "a request calls cudaFree");
    if (HAS_ASAN) {
        expect_fault(7, "heap-buffer-overflow");
#ifndef __clang__ /* which does not look at named sections */
        expect_fault(8, "global-buffer-overflow");
#endif
    }
    expect_fault(9, "cudaFree of what is not allocated");

    write_dynamic<<<1, 2048>>>(0);
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    write_dynamic<<<1, 1, 64 * 1024>>>(0);
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    cudaFuncSetAttribute(write_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024);
    write_dynamic<<<1, 1, 64 * 1024>>>(16 * 1024 - 1);
    EXPECT(cudaGetLastError() == cudaSuccess);
}

int main()
{
    for (uint64_t order = 0; order < 5; order++) {
        emu_set_order(order > 0, order);
        test_warps();
        test_blocks();
        test_atomics();
        test_wmma();
    }
    emu_set_order(false, 0);
    test_half();
    test_plan();
    test_blas();
    test_missing_barrier();
    test_faults();
    EXPECT(emu_allocations() == 0);
    return failures != 0;
}
