/*
 * producers.cu - see producers.h.
 */
#include "calibrate/gpu/producers.h"

#include "calibrate/app/app.cuh"
#include "calibrate/gpu/working_set.h"

#include <stdlib.h>
#include <string.h>
#include <utility>
#include <vector>

typedef unsigned long long ull;

#define MB ((size_t)1 << 20)
#define GB ((size_t)1 << 30)

enum {
    THREADS = 256,
    WARPS = THREADS / 32,
    LOADS = 8,               /* of 16 bytes, in flight for each thread */
    CHUNK = LOADS * 32,      /* float4 that a warp reads in a turn */
    TURN_BYTES = CHUNK * 16, /* of a warp */
    STEPS = 16,              /* of listing 1, in a turn */
    CHECK_CYCLES = 40000,    /* between looks at the flag: 20 us */
    SECTOR_BYTES = 32,
    SECTORS_TURN_BYTES = LOADS * 32 * SECTOR_BYTES, /* of a warp whose lanes each touch a sector */
    BLOCKS_WIDE = 4,  /* on an SM: 128 KB of 16-byte loads in flight */
    BLOCKS_SCALAR = 8 /* all 2 048 threads of an SM */
};

/* Fits into half of a 60 MB L2 cache: one half may keep copies of the other's lines. */
#define L2_SET     (24 * MB)
#define CHASE_SET  (16 * MB)
#define RANDOM_SET (16 * MB) /* a power of two; likewise */

#define EVEN_STEPS                                                                                 \
    {                                                                                              \
        0.01, 0.09, 0.18, 0.27, 0.36, 0.45, 0.55, 0.64, 0.73, 0.82, 0.91, 1                        \
    }

/*
 * Ceilings and arithmetic are estimates for an H200 (4.8 TB/s of HBM3e by its data sheet), not
 * measurements. The arithmetic: 2 048 threads of an SM issue one multiply-add of all their warps in
 * 16 cycles; an access takes some 850 cycles to DRAM and 270 to L2; level l of 11 then needs
 * (850 or 270) / 16 * 11 / l of them.
 */
struct cal_producer_family cal_producer_families[] = {
    {"themis-bandwidth",
     "scalar streaming (Themis, listing 1, line 10)",
     CAL_PRESSES_DRAM,
     CAL_ARITHMETIC,
     0,
     0,
     {6000, 584, 292, 195, 146, 117, 97, 83, 73, 65, 58, 0}},
    {"themis-cache",
     "pointer chase in a 16 MB set (Themis, listing 1, line 4)",
     CAL_PRESSES_L2,
     CAL_ARITHMETIC,
     0,
     0,
     {2000, 186, 93, 62, 46, 37, 31, 27, 23, 21, 19, 0}},
    {"dram-read", "16-byte streaming reads of 1 GB", CAL_PRESSES_DRAM, CAL_FRACTION, 4400, 90,
     EVEN_STEPS},
    {"dram-copy", "16-byte streaming copy of 1 GB", CAL_PRESSES_DRAM, CAL_FRACTION, 4300, 90,
     EVEN_STEPS},
    {"gather-32", "random 32-byte reads in 2 GB", CAL_PRESSES_DRAM_SECTORS, CAL_FRACTION, 1600, 40,
     EVEN_STEPS},
    {"gather-64", "random 64-byte reads in 2 GB", CAL_PRESSES_DRAM_SECTORS, CAL_FRACTION, 2900, 60,
     EVEN_STEPS},
    {"l2-read", "16-byte reads of a set of 24 MB, around the L1 caches", CAL_PRESSES_L2,
     CAL_FRACTION, 6500, 100, EVEN_STEPS},
    {"l2-capacity",
     "a set that grows, read round and round at one pace",
     CAL_PRESSES_L2_CAPACITY,
     CAL_WORKING_SET_MB,
     1500,
     60,
     {1, 6, 11, 16, 22, 27, 33, 38, 44, 49, 55, 60}},
    {"l2-gather", "4-byte reads at random in 16 MB, around the L1 caches", CAL_PRESSES_L2_SECTORS,
     CAL_FRACTION, 5000, 60, EVEN_STEPS},
    {"l2-scatter", "4-byte writes at random in 16 MB", CAL_PRESSES_L2_SECTORS, CAL_FRACTION, 4000,
     50, EVEN_STEPS},
    {"l2-atomic", "additions at random in 16 MB, without results", CAL_PRESSES_L2_SECTORS,
     CAL_FRACTION, 3000, 40, EVEN_STEPS},
    {"scatter-32", "random 32-byte writes in 2 GB", CAL_PRESSES_DRAM_SECTORS, CAL_FRACTION, 1600,
     40, EVEN_STEPS},
};

enum family {
    THEMIS_BANDWIDTH,
    THEMIS_CACHE,
    DRAM_READ,
    DRAM_COPY,
    GATHER_32,
    GATHER_64,
    L2_READ,
    L2_CAPACITY,
    L2_GATHER,
    L2_SCATTER,
    L2_ATOMIC,
    SCATTER_32,
    FAMILIES
};

const int cal_producer_families_count = FAMILIES;
static_assert(sizeof cal_producer_families / sizeof cal_producer_families[0] == FAMILIES,
              "one row for each family");
static_assert(L2_GATHER == CAL_PRODUCER_FIRST_L2, "families of `sensitivity-l2` come last");

/* In pinned memory; the device and the host both look. */
struct flags {
    volatile unsigned stop, started;
};

struct rule {
    ull turns; /* for each warp */
    bool until_flag;
    long long period, limit; /* cycles: between turns, 0 if not paced; until it ends by itself */
    struct flags *flags;
    volatile unsigned *relay; /* what warp 0 saw, in device memory: only one warp asks the host */
    ull *turns_made;          /* of all warps */
    float *sink;              /* is never written, but the compiler cannot know */
};

struct cal_producer {
    int family;
    unsigned blocks;
    struct rule rule;
    int arithmetic;
    struct cal_working_set *set;
};

/* --- on the device --- */

namespace
{

__device__ unsigned warp_number()
{
    return (blockIdx.x * THREADS + threadIdx.x) / 32;
}

__device__ unsigned warps_of_grid()
{
    return gridDim.x * WARPS;
}

/* Lane 0's value: branches on it are the warp's. */
template <typename T> __device__ T of_first_lane(T value)
{
    return __shfl_sync(0xffffffffu, value, 0);
}

__device__ bool told_to_stop(const struct rule &r)
{
    unsigned stop = 0;
    if (threadIdx.x % 32 == 0) {
        if (warp_number() == 0) {
            stop = r.flags->stop;
            if (stop != 0)
                *r.relay = stop;
        } else {
            stop = *r.relay;
        }
    }
    return of_first_lane(stop) != 0;
}

/* The turns of one warp. They begin spread over a period, so that warps do not press in step. */
template <typename Turn> __device__ void press(Turn turn, const struct rule &r)
{
    if (warp_number() == 0 && threadIdx.x == 0)
        r.flags->started = 1;
    long long begin = of_first_lane(clock64()), check = begin;
    long long due = begin + r.period * warp_number() / warps_of_grid();
    ull made = 0;
    bool stop = false;
    while (made < r.turns && !stop) {
        turn();
        made++;
        long long now;
        do {
            now = of_first_lane(clock64());
            if (r.until_flag && now >= check) {
                check = now + CHECK_CYCLES;
                stop = told_to_stop(r) || now - begin > r.limit;
            }
        } while (now < due && !stop);
        /* Turns that memory made late are not caught up with. */
        due = now - due > r.period ? now + r.period : due + r.period;
    }
    turn.finish(r.sink);
    if (threadIdx.x % 32 == 0)
        atomicAdd(r.turns_made, made);
}

__device__ float sum_of(float4 v)
{
    return v.x + v.y + v.z + v.w;
}

/* Inputs are in [0, 1), their sum is not negative. */
__device__ void keep(float sum, float *sink)
{
    if (sum < 0)
        *sink = sum;
}

/* Finaliser of MurmurHash3 (Appleby, public domain). */
__device__ unsigned scramble(unsigned x)
{
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

enum access { READ, COPY, READ_L2 };

/*
 * Each warp walks chunks of its own round and round; all warps' together are the set. Where warps
 * share chunks, one that follows another finds in L2 what that one fetched, catches up with it, and
 * they go on as a convoy with one miss for many reads: more than the device's DRAM can. Only a set
 * of fewer chunks than warps is shared; it stays in L2 whoever reads it. Walks begin anywhere in a
 * region, not all at its start, so that warps do not visit DRAM's channels in step.
 */
template <enum access ACCESS> struct streaming {
    const float4 *from;
    float4 *to;
    unsigned first, end, at; /* chunks */
    float sum;

    __device__ streaming(const float4 *source, float4 *target, unsigned chunks)
        : from(source), to(target), sum(0)
    {
        unsigned warp = warp_number(), warps = warps_of_grid();
        bool shared = chunks < warps;
        first = shared ? warp % chunks : (unsigned)((ull)chunks * warp / warps);
        end = shared ? first + 1 : (unsigned)((ull)chunks * (warp + 1) / warps);
        at = first + scramble(warp) % (end - first);
    }
    __device__ void operator()()
    {
        size_t base = (size_t)at * CHUNK + threadIdx.x % 32;
        float4 v[LOADS];
        /* On Volta and later __ldcg is the instruction of ld.relaxed.gpu: coherent over the device,
         * which an SM's own L1 cache is not, so that it cannot hit there. */
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            v[k] = ACCESS == READ_L2 ? __ldcg(from + base + k * 32) : from[base + k * 32];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            if (ACCESS == COPY)
                to[base + k * 32] = v[k];
            else
                sum += sum_of(v[k]);
        at = at + 1 < end ? at + 1 : first;
    }
    __device__ void finish(float *sink)
    {
        keep(sum, sink);
    }
};

template <enum access ACCESS>
__global__ void __launch_bounds__(THREADS, BLOCKS_WIDE)
    stream_kernel(const float4 *from, float4 *to, unsigned chunks, struct rule r)
{
    press(streaming<ACCESS>(from, to, chunks), r);
}

/* Groups of LANES threads read 16 * LANES bytes at random places, a power of two of them. */
template <int LANES> struct gathering {
    const float4 *from;
    unsigned mask, state;
    float sum;

    __device__ gathering(const float4 *source, unsigned places)
        : from(source), mask(places - 1),
          state(scramble((blockIdx.x * THREADS + threadIdx.x) / LANES)), sum(0)
    {
    }
    __device__ void operator()()
    {
        float4 v[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            size_t place = scramble(state + (unsigned)k * 0x9e3779b9u) & mask;
            v[k] = from[place * LANES + threadIdx.x % LANES];
        }
        state += LOADS * 0x9e3779b9u;
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            sum += sum_of(v[k]);
    }
    __device__ void finish(float *sink)
    {
        keep(sum, sink);
    }
};

template <int LANES>
__global__ void __launch_bounds__(THREADS, BLOCKS_WIDE)
    gather_kernel(const float4 *from, unsigned places, struct rule r)
{
    press(gathering<LANES>(from, places), r);
}

/* Each lane touches a sector of its own, at a random place of a power of two of words. */
template <enum family FAMILY> struct touching {
    unsigned *words;
    unsigned mask, state, sum;

    __device__ touching(unsigned *set, unsigned count)
        : words(set), mask(count - 1), state(scramble(blockIdx.x * THREADS + threadIdx.x)), sum(0)
    {
    }
    __device__ void operator()()
    {
        unsigned v[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            unsigned *at = words + (scramble(state + (unsigned)k * 0x9e3779b9u) & mask);
            v[k] = 0;
            if (FAMILY == L2_GATHER)
                v[k] = __ldcg(at);
            else if (FAMILY == L2_SCATTER)
                *at = state;
            else
                atomicAdd(at, 1u);
        }
        state += LOADS * 0x9e3779b9u;
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            sum |= v[k] & 0x80000000u; /* the sign of a float in [0, 1): never set */
    }
    __device__ void finish(float *sink)
    {
        keep(-(float)(sum >> 31), sink);
    }
};

template <enum family FAMILY>
__global__ void __launch_bounds__(THREADS, BLOCKS_WIDE)
    touch_kernel(unsigned *words, unsigned count, struct rule r)
{
    press(touching<FAMILY>(words, count), r);
}

/* Pairs of threads write 32 bytes at random places, a power of two of them. */
struct scattering {
    float4 *to;
    unsigned mask, state;

    __device__ scattering(float4 *target, unsigned places)
        : to(target), mask(places - 1), state(scramble((blockIdx.x * THREADS + threadIdx.x) / 2))
    {
    }
    __device__ void operator()()
    {
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            size_t place = scramble(state + (unsigned)k * 0x9e3779b9u) & mask;
            to[place * 2 + threadIdx.x % 2] = make_float4(0, 0.25f, 0.5f, 0.75f);
        }
        state += LOADS * 0x9e3779b9u;
    }
    __device__ void finish(float *)
    {
    }
};

__global__ void __launch_bounds__(THREADS, BLOCKS_WIDE)
    scatter_kernel(float4 *to, unsigned places, struct rule r)
{
    press(scattering(to, places), r);
}

/* rep_pure_comp of listing 1: dependent multiply-adds; the value goes to 1 and stays. */
__device__ float compute(float value, int times)
{
#pragma unroll 4
    for (int i = 0; i < times; i++)
        value = fmaf(value, 0.5f, 0.5f);
    return value;
}

struct themis_bandwidth {
    int *a;
    const int *b;
    unsigned n, at, end; /* n: vectors, one for each thread; end: of the words */
    int arithmetic;
    float value;

    __device__ themis_bandwidth(int *to, const int *from, unsigned words, int times)
        : a(to), b(from), n(gridDim.x * THREADS), at(blockIdx.x * THREADS + threadIdx.x),
          end(words), arithmetic(times), value(3)
    {
    }
    __device__ void operator()()
    {
#pragma unroll 1
        for (int i = 0; i < STEPS; i++) {
            a[at] = b[at] + (int)value;
            value = compute(value, arithmetic);
            at += n;
            if (at >= end)
                at = blockIdx.x * THREADS + threadIdx.x;
        }
    }
    __device__ void finish(float *sink)
    {
        keep(value, sink);
    }
};

__global__ void __launch_bounds__(THREADS, BLOCKS_SCALAR)
    themis_bandwidth_kernel(int *a, const int *b, unsigned words, int arithmetic, struct rule r)
{
    press(themis_bandwidth(a, b, words, arithmetic), r);
}

struct themis_cache {
    const int *next;
    int at, arithmetic;
    float value;

    __device__ themis_cache(const int *array, int words, int times)
        : next(array), at((int)((blockIdx.x * THREADS + threadIdx.x) % (unsigned)words)),
          arithmetic(times), value(3)
    {
    }
    __device__ void operator()()
    {
#pragma unroll 1
        for (int i = 0; i < STEPS; i++) {
            at = __ldcg(next + at);
            value = compute(value, arithmetic);
        }
    }
    __device__ void finish(float *sink)
    {
        keep(value + (float)at, sink);
    }
};

__global__ void __launch_bounds__(THREADS, BLOCKS_SCALAR)
    themis_cache_kernel(const int *array, int words, int arithmetic, struct rule r)
{
    press(themis_cache(array, words, arithmetic), r);
}

} // namespace

/* --- on the host --- */

static bool is_themis(int family)
{
    return family == THEMIS_BANDWIDTH || family == THEMIS_CACHE;
}

static double warps(const struct cal_producer *p)
{
    return (double)p->blocks * WARPS;
}

extern "C" int cal_producer_family_named(const char *name)
{
    for (int i = 0; i < FAMILIES; i++)
        if (strcmp(cal_producer_families[i].name, name) == 0)
            return i;
    return -1;
}

extern "C" struct cal_producer_traffic cal_producer_traffic(const struct cal_producer *p)
{
    struct cal_producer_traffic t = {0, warps(p) * TURN_BYTES};
    switch (p->family) {
    case THEMIS_BANDWIDTH:
        t.l2 = warps(p) * 32 * STEPS * 2 * sizeof(int);
        t.dram = t.l2;
        break;
    case THEMIS_CACHE:
        t.l2 = warps(p) * 32 * STEPS * sizeof(int);
        break;
    case DRAM_COPY:
        t.l2 *= 2;
        t.dram = t.l2;
        break;
    case DRAM_READ:
    case GATHER_32:
    case GATHER_64:
    case SCATTER_32:
        t.dram = t.l2;
        break;
    case L2_GATHER:
    case L2_SCATTER:
    case L2_ATOMIC:
        t.l2 = warps(p) * SECTORS_TURN_BYTES;
        break;
    default:
        break;
    }
    return t;
}

/* Cycles between turns of a warp, so that all together make the wanted traffic. */
static long long period_of(const struct cal_producer *p, double parameter, int sms, int clock_khz)
{
    const struct cal_producer_family *f = &cal_producer_families[p->family];
    double fraction = f->meaning == CAL_FRACTION ? parameter : 1;
    if (f->device_gbs <= 0 || (f->meaning == CAL_FRACTION && fraction >= 1))
        return 0;
    double gbs = f->device_gbs < sms * f->sm_gbs ? f->device_gbs : sms * f->sm_gbs;
    double ns = cal_producer_traffic(p).l2 / (fraction * gbs);
    return (long long)(ns * 1e-6 * clock_khz + 0.5);
}

/* One cycle through all groups of 32 words (Sattolo, Information Processing Letters 22, 1986), in
 * which a warp's 32 words stay together. */
static int fill_chase(int *device, size_t words, struct dcs_err *err)
{
    size_t groups = words / 32;
    std::vector<int> order(groups), next(words);
    for (size_t i = 0; i < groups; i++)
        order[i] = (int)i;
    for (size_t i = groups - 1; i > 0; i--)
        std::swap(order[i], order[cal_random_u64(1, i) % i]);
    for (size_t i = 0; i < groups; i++)
        for (size_t lane = 0; lane < 32; lane++)
            next[i * 32 + lane] = order[i] * 32 + (int)lane;
    return cal_fail_cuda(
        err, cudaMemcpy(device, next.data(), words * sizeof(int), cudaMemcpyHostToDevice),
        "filling the chase");
}

static size_t bytes_of_set(int family, double parameter)
{
    switch (family) {
    case THEMIS_BANDWIDTH:
        return GB / 2;
    case THEMIS_CACHE:
        return CHASE_SET;
    case DRAM_READ:
    case DRAM_COPY:
        return GB;
    case GATHER_32:
    case GATHER_64:
    case SCATTER_32:
        return 2 * GB;
    case L2_GATHER:
    case L2_SCATTER:
    case L2_ATOMIC:
        return RANDOM_SET;
    case L2_READ:
        return L2_SET;
    default:
        return (size_t)(parameter * (double)MB) / TURN_BYTES * TURN_BYTES;
    }
}

static int make_set(int family, struct cal_working_set *set, struct dcs_err *err)
{
    bool two = family == DRAM_COPY || family == THEMIS_BANDWIDTH;
    if (cal_device_alloc(&set->from, set->bytes, err) != 0 ||
        (two && cal_device_alloc(&set->to, set->bytes, err) != 0))
        return -1;
    if (family == THEMIS_CACHE)
        return fill_chase((int *)set->from, set->bytes / sizeof(int), err);
    if (family == THEMIS_BANDWIDTH)
        return cal_fill_uniform_i32((int32_t *)set->from, set->bytes / sizeof(int32_t), 1, 0,
                                    1000000, err);
    return cal_fill_uniform_f32((float *)set->from, set->bytes / sizeof(float), 1, 0, 1, err);
}

static void leave_set(struct cal_working_set *set)
{
    if (set == NULL || !cal_working_set_leave(set))
        return;
    cudaFree(set->from);
    cudaFree(set->to);
    free(set);
}

/* NULL and err on failure. */
static struct cal_working_set *enter_set(int family, double parameter, struct dcs_err *err)
{
    size_t bytes = bytes_of_set(family, parameter);
    if (bytes == 0) {
        cal_fail(err, "a working set of %g MB is empty", parameter);
        return NULL;
    }
    struct cal_working_set *set = cal_working_set_enter(family, bytes);
    if (set->users > 1 || make_set(family, set, err) == 0)
        return set;
    leave_set(set);
    return NULL;
}

/* Flags, counter and the place that is never written. The flags have one address on both sides:
 * pinned memory is mapped, and addresses are unified. */
static int allocate_control(struct cal_producer *p, struct dcs_err *err)
{
    if (cal_host_alloc((void **)&p->rule.flags, sizeof *p->rule.flags, err) != 0 ||
        cal_device_alloc((void **)&p->rule.relay, sizeof(unsigned), err) != 0 ||
        cal_device_alloc((void **)&p->rule.turns_made, sizeof(ull), err) != 0 ||
        cal_device_alloc((void **)&p->rule.sink, sizeof(float), err) != 0)
        return -1;
    return 0;
}

extern "C" struct cal_producer *cal_producer_create(int family, int level, int sms,
                                                    struct dcs_err *err)
{
    if (family < 0 || family >= FAMILIES || level < 0 || level >= CAL_PRODUCER_LEVELS || sms < 1) {
        cal_fail(err, "there is no producer of family %d, level %d, on %d SMs", family, level, sms);
        return NULL;
    }
    double parameter = cal_producer_families[family].parameter[level];
    if (cal_producer_families[family].meaning != CAL_ARITHMETIC ? parameter <= 0 : parameter < 0) {
        cal_fail(err, "level %d of %s has the parameter %g", level,
                 cal_producer_families[family].name, parameter);
        return NULL;
    }
    struct cal_producer *p = new cal_producer();
    p->family = family;
    p->blocks = (unsigned)(sms * (is_themis(family) ? BLOCKS_SCALAR : BLOCKS_WIDE));
    p->arithmetic = (int)parameter;
    int device = 0, clock_khz = 0;
    cudaError_t status = cudaGetDevice(&device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, device);
    if (cal_fail_cuda(err, status, "the clock of the device") != 0 ||
        allocate_control(p, err) != 0 || (p->set = enter_set(family, parameter, err)) == NULL) {
        cal_producer_destroy(p);
        return NULL;
    }
    p->rule.period = period_of(p, parameter, sms, clock_khz);
    p->rule.limit = (long long)clock_khz * 1000 * CAL_PRODUCER_LIMIT_S;
    return p;
}

static void enqueue_touch(const struct cal_producer *p, cudaStream_t stream)
{
    unsigned *words = (unsigned *)p->set->from, count = (unsigned)(p->set->bytes / sizeof *words);
    if (p->family == L2_GATHER)
        touch_kernel<L2_GATHER><<<p->blocks, THREADS, 0, stream>>>(words, count, p->rule);
    else if (p->family == L2_SCATTER)
        touch_kernel<L2_SCATTER><<<p->blocks, THREADS, 0, stream>>>(words, count, p->rule);
    else
        touch_kernel<L2_ATOMIC><<<p->blocks, THREADS, 0, stream>>>(words, count, p->rule);
}

static void enqueue(const struct cal_producer *p, cudaStream_t stream)
{
    const struct rule *r = &p->rule;
    const float4 *from = (const float4 *)p->set->from;
    unsigned chunks = (unsigned)(p->set->bytes / TURN_BYTES);
    switch (p->family) {
    case THEMIS_BANDWIDTH:
        themis_bandwidth_kernel<<<p->blocks, THREADS, 0, stream>>>(
            (int *)p->set->to, (const int *)p->set->from, (unsigned)(p->set->bytes / sizeof(int)),
            p->arithmetic, *r);
        break;
    case THEMIS_CACHE:
        themis_cache_kernel<<<p->blocks, THREADS, 0, stream>>>(
            (const int *)p->set->from, (int)(p->set->bytes / sizeof(int)), p->arithmetic, *r);
        break;
    case DRAM_READ:
        stream_kernel<READ><<<p->blocks, THREADS, 0, stream>>>(from, NULL, chunks, *r);
        break;
    case DRAM_COPY:
        stream_kernel<COPY>
            <<<p->blocks, THREADS, 0, stream>>>(from, (float4 *)p->set->to, chunks, *r);
        break;
    case GATHER_32:
        gather_kernel<2>
            <<<p->blocks, THREADS, 0, stream>>>(from, (unsigned)(p->set->bytes / 32), *r);
        break;
    case GATHER_64:
        gather_kernel<4>
            <<<p->blocks, THREADS, 0, stream>>>(from, (unsigned)(p->set->bytes / 64), *r);
        break;
    case SCATTER_32:
        scatter_kernel<<<p->blocks, THREADS, 0, stream>>>((float4 *)p->set->from,
                                                          (unsigned)(p->set->bytes / 32), *r);
        break;
    case L2_GATHER:
    case L2_SCATTER:
    case L2_ATOMIC:
        enqueue_touch(p, stream);
        break;
    default:
        stream_kernel<READ_L2><<<p->blocks, THREADS, 0, stream>>>(from, NULL, chunks, *r);
    }
}

static int launch(struct cal_producer *p, cudaStream_t stream, struct dcs_err *err)
{
    p->rule.flags->stop = 0;
    p->rule.flags->started = 0;
    cudaError_t status = cudaMemsetAsync((void *)p->rule.relay, 0, sizeof(unsigned), stream);
    if (status == cudaSuccess)
        status = cudaMemsetAsync(p->rule.turns_made, 0, sizeof(ull), stream);
    if (status == cudaSuccess) {
        enqueue(p, stream);
        status = cudaGetLastError();
    }
    return cal_fail_cuda(err, status, cal_producer_families[p->family].name);
}

extern "C" int cal_producer_start(struct cal_producer *p, cudaStream_t stream, struct dcs_err *err)
{
    p->rule.turns = ~0ull;
    p->rule.until_flag = true;
    return launch(p, stream, err);
}

extern "C" int cal_producer_run(struct cal_producer *p, cudaStream_t stream, uint64_t iterations,
                                struct dcs_err *err)
{
    p->rule.turns = iterations;
    p->rule.until_flag = false;
    return launch(p, stream, err);
}

extern "C" bool cal_producer_started(const struct cal_producer *p)
{
    return p->rule.flags->started != 0;
}

extern "C" void cal_producer_stop(struct cal_producer *p)
{
    p->rule.flags->stop = 1;
}

extern "C" double cal_producer_iterations_made(const struct cal_producer *p)
{
    ull turns = 0;
    if (cudaMemcpy(&turns, p->rule.turns_made, sizeof turns, cudaMemcpyDeviceToHost) != cudaSuccess)
        return -1;
    return (double)turns / warps(p);
}

extern "C" void cal_producer_destroy(struct cal_producer *p)
{
    if (p == NULL)
        return;
    cudaFreeHost(p->rule.flags);
    cudaFree((void *)p->rule.relay);
    cudaFree(p->rule.turns_made);
    cudaFree(p->rule.sink);
    leave_set(p->set);
    delete p;
}
