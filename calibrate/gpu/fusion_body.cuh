/*
 * fusion_body.cuh - persistent and fused kernels made of bodies (apps/body.cuh), and the tables by
 * which fused_kernels.cu and resident_kernels.cu know them. fusion_NAME.cu has those of one CUDA
 * kernel; resident_NAME.cu has those of one that is in no fused kernel.
 */
#ifndef DCS_CALIBRATE_FUSION_BODY_CUH
#define DCS_CALIBRATE_FUSION_BODY_CUH

#include "calibrate/app/app.cuh"
#include "calibrate/apps/body.cuh"
#include "calibrate/app/dnn_gemm.cuh"
#include "calibrate/plan/resident_points.h"

#include <vector>

#ifdef CAL_EMULATED
#include <time.h>
#endif

/* --- on the device --- */

/* Of one part. The counters are 0 between launches: the last to end sees to that. */
struct cal_part_clock {
    unsigned begun, ended; /* persistent blocks */
    unsigned long long begin_ns, end_ns;
};

struct cal_fusion_clock {
    struct cal_part_clock tensor, cuda;
};

static __device__ __forceinline__ unsigned long long cal_global_ns()
{
#ifdef CAL_EMULATED
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (unsigned long long)t.tv_sec * 1000000000u + (unsigned long long)t.tv_nsec;
#else
    unsigned long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
    return ns;
#endif
}

/* Persistent block `worker` of `workers` does blocks worker, worker + workers, ... of the load. */
template <class Body, class Barrier>
static __device__ __forceinline__ void
cal_work_off(const typename Body::args &a, int load, int worker, int workers, int thread,
             unsigned char *shared, Barrier barrier, struct cal_part_clock *clock)
{
    if (thread == 0 && atomicAdd(&clock->begun, 1u) == 0)
        clock->begin_ns = cal_global_ns();
    for (int block = worker; block < load; block += workers) {
        Body::run(a, block, thread, (typename Body::shared *)shared, barrier);
        barrier.sync(); /* the next block writes to shared memory */
    }
    if (thread == 0 && atomicAdd(&clock->ended, 1u) == (unsigned)workers - 1) {
        clock->end_ns = cal_global_ns();
        clock->begun = clock->ended = 0;
    }
}

#ifdef CAL_EMULATED
#define CAL_DYNAMIC_SHARED(name) unsigned char *const name = emu_dynamic_shared
#else
#define CAL_DYNAMIC_SHARED(name) extern __shared__ __align__(128) unsigned char name[]
#endif

/* blocks_per_sm: that registers must suffice for; without it the compiler guesses, badly. */
template <class Body, int blocks_per_sm>
static __global__ void __launch_bounds__(Body::threads, blocks_per_sm)
    cal_persistent(const typename Body::args a, int load, struct cal_part_clock *clock)
{
    CAL_DYNAMIC_SHARED(cal_shared);
    cal_work_off<Body>(a, load, (int)blockIdx.x, (int)gridDim.x, (int)threadIdx.x, cal_shared,
                       cal_whole_block(), clock);
}

/* --- blocks that stay, two kernels inside each SM --- */

/* On the device, of one run. begin_ns: 0 until all persistent blocks have come. */
struct cal_resident_state {
    unsigned come, aborted;
    unsigned long long begin_ns;
};

/* What a launch of persistent blocks that stay is told. */
struct cal_resident_run {
    struct cal_resident_state *state;
    struct cal_resident_record *records; /* of this kernel's persistent blocks */
    unsigned expected;                   /* persistent blocks of both kernels; 0: each does its part
                                            of the load once, as in cal_persistent */
    /* From the coming of the last one to the window; the window; what goes on behind it; and how
     * long a block waits for the others before it gives up. */
    unsigned long long warm_ns, window_ns, cool_ns, wait_ns;
};

static __device__ __forceinline__ unsigned cal_sm_id()
{
#ifdef CAL_EMULATED
    return blockIdx.x;
#else
    unsigned id;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    return id;
#endif
}

/* When all have come; 0: some did not. By one thread of a block. */
static __device__ __forceinline__ unsigned long long
cal_await_residents(const struct cal_resident_run &run)
{
    volatile struct cal_resident_state *s = run.state;
    unsigned long long begin, give_up = cal_global_ns() + run.wait_ns;
    if (atomicAdd(&run.state->come, 1u) + 1 == run.expected)
        s->begin_ns = cal_global_ns();
    while ((begin = s->begin_ns) == 0 && s->aborted == 0) {
        if (cal_global_ns() > give_up)
            s->aborted = 1;
        __nanosleep(200);
    }
    return s->aborted == 0 ? begin : 0;
}

/* Each persistent block does blocks of the load in turn, round and round, until the time is up:
 * what it did in the window is in its record. */
template <class Body, int blocks_per_sm>
static __global__ void __launch_bounds__(Body::threads, blocks_per_sm)
    cal_resident_blocks(const typename Body::args a, int load, const struct cal_resident_run run)
{
    CAL_DYNAMIC_SHARED(cal_shared);
    /* By turns: a thread may still read one word while the next block's end is written. */
    __shared__ unsigned over[2];
    const int thread = (int)threadIdx.x, workers = (int)gridDim.x;
    const cal_whole_block barrier;
    struct cal_resident_record record = {};
    unsigned long long from = 0, to = 0;
    unsigned count = 0;
    int block = (int)blockIdx.x;
    if (thread == 0) {
        unsigned long long begin = run.expected > 0 ? cal_await_residents(run) : 0;
        from = begin + run.warm_ns;
        to = from + run.window_ns;
        record.sm = cal_sm_id();
        over[1] = run.expected > 0 ? begin == 0 : block >= load;
    }
    barrier.sync();
    for (unsigned turn = 0; over[(turn + 1) & 1] == 0; turn++) {
        Body::run(a, block, thread, (typename Body::shared *)cal_shared, barrier);
        block += workers;
        if (run.expected > 0 && block >= load)
            block -= load;
        if (thread == 0) {
            const unsigned long long now = run.expected > 0 ? cal_global_ns() : 0;
            count++;
            if (now >= from && record.first_ns == 0) {
                record.first_ns = now;
                record.first_count = count;
            }
            if (now <= to) {
                record.last_ns = now;
                record.last_count = count;
            }
            over[turn & 1] = run.expected > 0 ? now > to + run.cool_ns : block >= load;
        }
        barrier.sync(); /* the next block writes to shared memory */
    }
    if (thread == 0)
        run.records[blockIdx.x] = record;
}

/* Shared memory of one block within a fused one. */
template <class Body>
constexpr size_t cal_shared_bytes = (sizeof(typename Body::shared) + 127) / 128 * 128;

/* Figure 8. Barrier 0 is left to __syncthreads, which nobody here calls. */
template <class Tensor, class Cuda, int tensor_blocks, int cuda_blocks>
static __global__ void __launch_bounds__(tensor_blocks *Tensor::threads +
                                         cuda_blocks * Cuda::threads)
    new_fused(const typename Tensor::args t, int tensor_load, const typename Cuda::args c,
              int cuda_load, struct cal_fusion_clock *clock)
{
    constexpr int tensor_threads = tensor_blocks * Tensor::threads;
    CAL_DYNAMIC_SHARED(cal_shared);
    int thread = (int)threadIdx.x;
    if (thread < tensor_threads) {
        int part = tensor_blocks == 1 ? 0 : thread / Tensor::threads;
        cal_work_off<Tensor>(t, tensor_load, (int)blockIdx.x * tensor_blocks + part,
                             (int)gridDim.x * tensor_blocks, thread - part * Tensor::threads,
                             cal_shared + part * cal_shared_bytes<Tensor>,
                             cal_part_of_block{1 + part, Tensor::threads}, &clock->tensor);
    } else {
        thread -= tensor_threads;
        int part = cuda_blocks == 1 ? 0 : thread / Cuda::threads;
        cal_work_off<Cuda>(
            c, cuda_load, (int)blockIdx.x * cuda_blocks + part, (int)gridDim.x * cuda_blocks,
            thread - part * Cuda::threads,
            cal_shared + tensor_blocks * cal_shared_bytes<Tensor> + part * cal_shared_bytes<Cuda>,
            cal_part_of_block{1 + tensor_blocks + part, Cuda::threads}, &clock->cuda);
    }
}

/* --- the tables --- */

#define CAL_PART_ARGS_BYTES 192
#define CAL_PART_MEMORY     6

/* One part's memory, arguments and results. Whoever called create frees the memory, also after a
 * failure. */
struct cal_part {
    void *memory[CAL_PART_MEMORY]; /* on the device */
    int memory_count;
    CAL_ALIGNED unsigned char args[CAL_PART_ARGS_BYTES]; /* Body::args */
    size_t args_bytes;
    void *result; /* within memory */
    size_t result_bytes;
};

/* Device memory of the part; NULL and err on failure. */
void *cal_part_alloc(struct cal_part *p, size_t bytes, struct dcs_err *err);

/* Copies n elements of device memory to the host, for a reference. */
template <class T>
static int cal_part_read(std::vector<T> *to, const T *from, size_t n, struct dcs_err *err)
{
    to->resize(n);
    return cal_fail_cuda(err, cudaMemcpy(to->data(), from, n * sizeof(T), cudaMemcpyDeviceToHost),
                         "reading the inputs of a reference");
}

template <class Args> static void cal_part_set_args(struct cal_part *p, const Args &a)
{
    static_assert(sizeof(Args) <= CAL_PART_ARGS_BYTES, "the arguments fit");
    memcpy(p->args, &a, sizeof a);
    p->args_bytes = sizeof a;
}

struct cal_kernel_row {
    const void *function;
    int threads;
    size_t shared_bytes; /* dynamic */
};

/* A part alone, by persistent blocks. */
struct cal_solo_row {
    struct cal_kernel_row kernel;
    cudaError_t (*launch)(const struct cal_part *p, int load, struct cal_fusion_clock *clock,
                          unsigned grid, cudaStream_t stream);
};

struct cal_fused_row {
    int tensor_tile; /* columns: which of the two tensor bodies */
    int tensor_blocks, cuda_blocks;
    struct cal_kernel_row kernel;
    cudaError_t (*launch)(const struct cal_part *t, int tensor_load, const struct cal_part *c,
                          int cuda_load, struct cal_fusion_clock *clock, unsigned grid,
                          cudaStream_t stream);
};

/* A part alone or beside another kernel, by persistent blocks that stay. */
struct cal_resident_row {
    struct cal_kernel_row kernel;
    cudaError_t (*launch)(const struct cal_part *p, int load, const struct cal_resident_run *run,
                          unsigned grid, cudaStream_t stream);
};

/* What every CUDA kernel here has. */
struct cal_part_kernel {
    const char *name;
    int64_t load_max;
    bool counts; /* results are integers, which may be added to; else floats, which are stored */
    /* For loads up to `load`. -1 and err on failure. */
    int (*create)(struct cal_part *p, int64_t load, uint64_t seed, struct dcs_err *err);
    /* Compares `result`, on the host, of an ordinary launch of `load` blocks that began with zeros
     * with what the CPU computes from the part's inputs. -1 and err on a difference. NULL: there is
     * no such reference here. */
    int (*check)(const struct cal_part *p, int load, const void *result, struct dcs_err *err);
    cudaError_t (*launch_plain)(const struct cal_part *p, int load, cudaStream_t stream);
    struct cal_resident_row resident;
};

#define CAL_FUSED_ROWS 7

struct cal_fusion_cuda {
    struct cal_part_kernel alone;
    struct cal_solo_row solo;
    struct cal_fused_row fused[CAL_FUSED_ROWS];
};

template <class Body, int blocks_per_sm, bool is_tensor>
static cudaError_t cal_launch_persistent(const struct cal_part *p, int load,
                                         struct cal_fusion_clock *clock, unsigned grid,
                                         cudaStream_t stream)
{
    struct cal_part_clock *of_part = is_tensor ? &clock->tensor : &clock->cuda;
    void *args[] = {(void *)p->args, &load, &of_part};
    return cudaLaunchKernel(cal_persistent<Body, blocks_per_sm>, dim3(grid), dim3(Body::threads),
                            args, cal_shared_bytes<Body>, stream);
}

template <class Body, int blocks_per_sm>
static cudaError_t cal_launch_resident(const struct cal_part *p, int load,
                                       const struct cal_resident_run *run, unsigned grid,
                                       cudaStream_t stream)
{
    void *args[] = {(void *)p->args, &load, (void *)run};
    return cudaLaunchKernel(cal_resident_blocks<Body, blocks_per_sm>, dim3(grid),
                            dim3(Body::threads), args, cal_shared_bytes<Body>, stream);
}

template <class Body>
static cudaError_t cal_launch_plain(const struct cal_part *p, int load, cudaStream_t stream)
{
    void *args[] = {(void *)p->args};
    return cudaLaunchKernel(cal_plain<Body>, dim3((unsigned)load), dim3(Body::threads), args,
                            (size_t)0, stream);
}

template <class Tensor, class Cuda, int tensor_blocks, int cuda_blocks>
static cudaError_t
cal_launch_fused(const struct cal_part *t, int tensor_load, const struct cal_part *c, int cuda_load,
                 struct cal_fusion_clock *clock, unsigned grid, cudaStream_t stream)
{
    void *args[] = {(void *)t->args, &tensor_load, (void *)c->args, &cuda_load, &clock};
    return cudaLaunchKernel(
        new_fused<Tensor, Cuda, tensor_blocks, cuda_blocks>, dim3(grid),
        dim3(tensor_blocks * Tensor::threads + cuda_blocks * Cuda::threads), args,
        tensor_blocks * cal_shared_bytes<Tensor> + cuda_blocks * cal_shared_bytes<Cuda>, stream);
}

template <class Body, int blocks_per_sm, bool is_tensor> static struct cal_solo_row cal_make_solo()
{
    return {
        {(const void *)cal_persistent<Body, blocks_per_sm>, Body::threads, cal_shared_bytes<Body>},
        cal_launch_persistent<Body, blocks_per_sm, is_tensor>};
}

template <int tile, class Cuda, int tensor_blocks, int cuda_blocks>
static struct cal_fused_row cal_make_fused()
{
    using Tensor = dnn_gemm_body<DNN_FORWARD, tile>;
    return {tile,
            tensor_blocks,
            cuda_blocks,
            {(const void *)new_fused<Tensor, Cuda, tensor_blocks, cuda_blocks>,
             tensor_blocks * Tensor::threads + cuda_blocks * Cuda::threads,
             tensor_blocks * cal_shared_bytes<Tensor> + cuda_blocks * cal_shared_bytes<Cuda>},
            cal_launch_fused<Tensor, Cuda, tensor_blocks, cuda_blocks>};
}

template <class Cuda, int blocks_per_sm>
static struct cal_part_kernel
cal_make_alone(const char *name, int64_t load_max, bool counts,
               int (*create)(struct cal_part *, int64_t, uint64_t, struct dcs_err *),
               int (*check)(const struct cal_part *, int, const void *, struct dcs_err *))
{
    return {name,
            load_max,
            counts,
            create,
            check,
            cal_launch_plain<Cuda>,
            {{(const void *)cal_resident_blocks<Cuda, blocks_per_sm>, Cuda::threads,
              cal_shared_bytes<Cuda>},
             cal_launch_resident<Cuda, blocks_per_sm>}};
}

template <class Cuda, int blocks_per_sm>
static struct cal_fusion_cuda cal_make_fusion(const char *name, int64_t load_max, bool counts,
                                              int (*create)(struct cal_part *, int64_t, uint64_t,
                                                            struct dcs_err *))
{
    return {cal_make_alone<Cuda, blocks_per_sm>(name, load_max, counts, create, NULL),
            cal_make_solo<Cuda, blocks_per_sm, false>(),
            /* Two blocks of the wide tile and two others have too few registers. */
            {cal_make_fused<64, Cuda, 1, 1>(), cal_make_fused<64, Cuda, 2, 1>(),
             cal_make_fused<64, Cuda, 1, 2>(), cal_make_fused<64, Cuda, 2, 2>(),
             cal_make_fused<128, Cuda, 1, 1>(), cal_make_fused<128, Cuda, 2, 1>(),
             cal_make_fused<128, Cuda, 1, 2>()}};
}

/* Whether results are those that are wanted; as many bytes. */
int cal_part_compare(const struct cal_part_kernel *of, const void *got, const void *want,
                     size_t bytes, struct dcs_err *err);

extern const struct cal_fusion_cuda cal_fusion_mriq, cal_fusion_fft, cal_fusion_mrif,
    cal_fusion_cutcp, cal_fusion_cp, cal_fusion_sgemm, cal_fusion_lbm, cal_fusion_tpacf,
    cal_fusion_stencil;

#define CAL_FUSION_CUDAS 9
extern const struct cal_fusion_cuda *const cal_fusion_cudas[CAL_FUSION_CUDAS];

extern const struct cal_part_kernel cal_resident_spmv, cal_resident_sad, cal_resident_histo,
    cal_resident_frontier;

/* Those of cal_fusion_cudas, then the others: names of steps have pairs in this order. */
#define CAL_RESIDENT_KERNELS (CAL_FUSION_CUDAS + 4)
extern const struct cal_part_kernel *const cal_resident_kernels[CAL_RESIDENT_KERNELS];

#endif
