/*
 * emulator.cpp - blocks, threads as fibers, barriers and warp operations: see
 * include/cuda_runtime.h.
 *
 * A fiber takes the next thread of the block that has not started and runs it to its end, then the
 * next one. When its thread waits, another fiber goes on: one whose thread may go on, else an idle
 * one that takes the next thread. So a kernel without barriers needs one fiber and no switches.
 */
#include "emu.h"
#include "fiber.h"
#include "include/cuda_runtime.h"

#include <stdarg.h>
#include <unistd.h>
#include <unordered_map>

#define THREADS_MAX  1024
#define WARPS_MAX    (THREADS_MAX / 32)
#define BARRIERS_MAX 16 /* as on the device */
#define GROUPS_MAX   32 /* masks in use at a time in a warp */
#define SHARED_MAX   (227 * 1024)
#define CANARY       256
#define FILL         UINT64_C(0x7fba7fba7fba7fba)

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;
alignas(1024) unsigned char emu_dynamic_shared[SHARED_MAX + CANARY];

extern "C" unsigned char __start_cal_shared[] __attribute__((weak));
extern "C" unsigned char __stop_cal_shared[] __attribute__((weak));

struct function {
    emu_unpack_fn *unpack;
    int dynamic_shared_max;
};

/* A barrier of the block. */
struct barrier {
    unsigned arrived, sum, result;
    int count, line;
    unsigned waiting_count;
    uint16_t waiting[THREADS_MAX];
};

/* Lanes that meet in warp operations under one mask. Values of operation i and of i + 1 lie apart:
 * a lane may arrive at the next one before another has read this one's. */
struct group {
    unsigned mask, arrived, turn;
    int line;
    uint64_t values[2][33]; /* the last: which lanes took part */
};

struct warp {
    unsigned live; /* lanes that have not ended */
    unsigned waiting;
    unsigned groups_count;
    struct group groups[GROUPS_MAX];
};

static std::unordered_map<const void *, struct function> functions;
static const char *label;
static bool random_order;
static uint64_t random_state;

/* The block that runs. */
static bool running;
static const void *block_function;
static emu_unpack_fn *block_unpack;
static void *const *block_args;
static unsigned block_threads, block_live, block_started;
static uint16_t start_order[THREADS_MAX];
static unsigned current; /* thread */
static struct fiber *thread_fiber[THREADS_MAX];
static struct barrier barriers[BARRIERS_MAX];
static struct warp warps[WARPS_MAX];
static uint16_t ready[THREADS_MAX]; /* a ring of threads that may go on */
static unsigned ready_first, ready_count;
static struct fiber *idle_fibers[THREADS_MAX + 1];
static unsigned idle_count;
static struct fiber *here; /* the fiber that runs */
static struct fiber main_fiber;

static uint3 place_of(unsigned thread)
{
    unsigned x = blockDim.x, y = blockDim.y;
    if (thread < x)
        return {thread, 0, 0};
    return {thread % x, thread / x % y, thread / x / y};
}

/* --- reports --- */

void emu_label(const char *name)
{
    label = name;
}

void emu_report(const char *format, ...)
{
    fflush(stdout);
    fprintf(stderr, "cuda_cpu: kernel %s", label == NULL ? "(not named)" : label);
    if (running) {
        uint3 t = place_of(current);
        fprintf(stderr, ", block (%u, %u, %u), thread (%u, %u, %u)", blockIdx.x, blockIdx.y,
                blockIdx.z, t.x, t.y, t.z);
    }
    fprintf(stderr, ": ");
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\n");
    _exit(1);
}

/* Every thread that is left waits. */
static void deadlock()
{
    char text[1000];
    size_t used = 0;
    for (unsigned i = 0; i < BARRIERS_MAX && used < sizeof text; i++) {
        const struct barrier *b = &barriers[i];
        if (b->arrived == 0)
            continue;
        used +=
            (size_t)snprintf(text + used, sizeof text - used,
                             "; %u of %u threads have arrived at barrier %u in line %d", b->arrived,
                             b->count ? (unsigned)b->count : block_live, i, b->line);
    }
    for (unsigned w = 0; w * 32 < block_threads; w++)
        for (unsigned i = 0; i < warps[w].groups_count && used < sizeof text; i++) {
            const struct group *g = &warps[w].groups[i];
            if (g->arrived == 0)
                continue;
            used += (size_t)snprintf(
                text + used, sizeof text - used,
                "; warp %u: lanes 0x%x of mask 0x%x (live 0x%x) have arrived in line %d", w,
                g->arrived, g->mask, warps[w].live, g->line);
        }
    emu_report("threads wait for ever%s", text);
}

void emu_trap(const char *what)
{
    emu_report("%s", what);
}

/* --- order --- */

void emu_set_order(bool random, uint64_t seed)
{
    random_order = random;
    random_state = seed;
}

static uint64_t next_random() /* SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) */
{
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static unsigned below(unsigned n)
{
    return (unsigned)((next_random() >> 32) * n >> 32);
}

static void make_ready(unsigned thread)
{
    ready[(ready_first + ready_count++) % THREADS_MAX] = (uint16_t)thread;
}

static unsigned take_ready()
{
    unsigned first = ready_first;
    if (random_order) {
        unsigned other = (first + below(ready_count)) % THREADS_MAX;
        uint16_t thread = ready[other];
        ready[other] = ready[first];
        ready[first] = thread;
    }
    ready_first = (first + 1) % THREADS_MAX;
    ready_count--;
    return ready[first];
}

/* --- fibers --- */

static void go_to(struct fiber *f)
{
    struct fiber *from = here;
    here = f;
    fiber_switch(from, f);
}

static void run_threads();

static struct fiber *an_idle_fiber()
{
    if (idle_count > 0)
        return idle_fibers[--idle_count];
    return fiber_create(run_threads);
}

/* The next fiber to run, other than one of a waiting thread; NULL if all wait. */
static struct fiber *next_fiber()
{
    bool start = block_started < block_threads;
    if (ready_count > 0 && !(start && random_order && below(4) == 0))
        return thread_fiber[take_ready()];
    return start ? an_idle_fiber() : NULL;
}

/* The thread that runs waits until make_ready() has named it. */
static void wait()
{
    unsigned me = current;
    thread_fiber[me] = here;
    struct fiber *next = next_fiber();
    if (next == NULL)
        deadlock();
    if (next != here) /* after a yield it may be the only one */
        go_to(next);
    current = me;
    threadIdx = place_of(me);
}

static void release_barrier(struct barrier *b)
{
    b->result = b->sum;
    for (unsigned i = 0; i < b->waiting_count; i++)
        make_ready(b->waiting[i]);
    b->arrived = b->sum = b->waiting_count = 0;
    b->count = 0;
}

static void release_group(struct warp *w, struct group *g, unsigned except)
{
    uint64_t *values = g->values[g->turn];
    values[32] = g->arrived;
    for (unsigned lanes = ~g->arrived; lanes != 0; lanes &= lanes - 1)
        values[__builtin_ctz(lanes)] = FILL;
    for (unsigned lanes = g->arrived & ~except; lanes != 0; lanes &= lanes - 1)
        make_ready((unsigned)(w - warps) * 32 + (unsigned)__builtin_ctz(lanes));
    w->waiting &= ~g->arrived;
    g->arrived = 0;
    g->turn ^= 1;
}

/* Those that still wait need not wait for this thread. */
static void end_thread()
{
    block_live--;
    struct warp *w = &warps[current / 32];
    w->live &= ~(1u << current % 32);
    struct barrier *b = &barriers[0];
    if (b->arrived > 0 && b->count == 0 && b->arrived == block_live)
        release_barrier(b);
    if (w->waiting == 0)
        return;
    for (unsigned i = 0; i < w->groups_count; i++) {
        struct group *g = &w->groups[i];
        if (g->arrived != 0 && g->arrived == (g->mask & w->live))
            release_group(w, g, 0);
    }
}

static void run_threads()
{
    for (;;) {
        while (block_started < block_threads) {
            current = start_order[block_started++];
            threadIdx = place_of(current);
            block_unpack(block_function, block_args);
            end_thread();
            if (ready_count > 0)
                break;
        }
        idle_fibers[idle_count++] = here;
        if (block_live == 0) {
            go_to(&main_fiber);
        } else {
            struct fiber *next = next_fiber();
            if (next == NULL) {
                idle_count--;
                deadlock();
            }
            if (next != here)
                go_to(next);
        }
    }
}

/* --- barriers and warp operations --- */

unsigned emu_barrier(int id, int count, unsigned brought, int line)
{
    if (!running)
        emu_report("a barrier outside of a kernel, in line %d", line);
    if (id < 0 || id >= BARRIERS_MAX || count < 0 || count % 32 != 0 ||
        (unsigned)count > (block_threads + 31) / 32 * 32)
        emu_report("barrier %d of %d threads in line %d: no such barrier", id, count, line);
    struct barrier *b = &barriers[id];
    if (b->arrived > 0 && b->count != count)
        emu_report("barrier %d of %d threads in line %d, but others wait there for %d in line %d",
                   id, count, line, b->count, b->line);
    if (b->arrived > 0 && count == 0 && b->line != line)
        emu_report("is at the barrier in line %d while others are at the one in line %d", line,
                   b->line);
    b->count = count;
    b->line = line;
    b->sum += brought;
    b->arrived++;
    if (b->arrived == (count ? (unsigned)count : block_live)) {
        release_barrier(b);
    } else {
        b->waiting[b->waiting_count++] = (uint16_t)current;
        wait();
    }
    return b->result;
}

void emu_barrier_arrive(int id, int count, int line)
{
    if (id < 0 || id >= BARRIERS_MAX || count <= 0 || count % 32 != 0)
        emu_report("barrier %d of %d threads in line %d: no such barrier", id, count, line);
    struct barrier *b = &barriers[id];
    if (b->arrived > 0 && b->count != count)
        emu_report("barrier %d of %d threads in line %d, but others wait there for %d in line %d",
                   id, count, line, b->count, b->line);
    b->count = count;
    b->line = line;
    if (++b->arrived == (unsigned)count)
        release_barrier(b);
}

static struct group *group_of(struct warp *w, unsigned mask)
{
    for (unsigned i = 0; i < w->groups_count; i++)
        if (w->groups[i].mask == mask)
            return &w->groups[i];
    if (w->groups_count == GROUPS_MAX)
        emu_report("more than %d masks in one warp of one block", GROUPS_MAX);
    struct group *g = &w->groups[w->groups_count++];
    g->mask = mask;
    g->arrived = g->turn = 0;
    return g;
}

const uint64_t *emu_warp(unsigned mask, uint64_t value, void (*last)(const uint64_t *), int line)
{
    if (!running)
        emu_report("a warp's operation outside of a kernel, in line %d", line);
    struct warp *w = &warps[current / 32];
    unsigned bit = 1u << current % 32;
    if ((mask & bit) == 0)
        emu_report("lane %u is not in its mask 0x%x in line %d", current % 32, mask, line);
    if (last != NULL && w->live != mask)
        emu_report("needs all lanes of the warp in line %d, but only 0x%x are live", line, w->live);
    struct group *g = group_of(w, mask);
    if (g->arrived != 0 && g->line != line)
        emu_report("is at a warp's operation in line %d while other lanes are in line %d", line,
                   g->line);
    g->line = line;
    g->arrived |= bit;
    uint64_t *values = g->values[g->turn];
    values[current % 32] = value;
    if (g->arrived == (mask & w->live)) {
        if (last != NULL)
            last(values);
        release_group(w, g, bit);
    } else {
        w->waiting |= bit;
        wait();
    }
    return values;
}

unsigned emu_lane()
{
    return current % 32;
}

unsigned emu_active_mask()
{
    return warps[current / 32].live;
}

void emu_yield()
{
    make_ready(current);
    wait();
}

/* --- launches --- */

void emu_know(const void *function, emu_unpack_fn *unpack)
{
    struct function *f = &functions[function];
    f->unpack = unpack;
    if (f->dynamic_shared_max == 0)
        f->dynamic_shared_max = 48 * 1024;
}

cudaError_t cudaFuncSetAttribute(const void *function, cudaFuncAttribute attribute, int value)
{
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return cudaSuccess;
    if (value < 0 || value > SHARED_MAX)
        return cudaErrorInvalidValue;
    functions[function].dynamic_shared_max = value;
    return cudaSuccess;
}

/* The fill pattern, past what AddressSanitizer lets nobody touch. */
__attribute__((no_sanitize_address)) void emu_fill_pattern(void *to, size_t bytes)
{
    unsigned char *at = (unsigned char *)to;
    size_t i = 0;
    for (; i < bytes && (uintptr_t)(at + i) % 8 != 0; i++)
        at[i] = (uintptr_t)(at + i) % 2 == 0 ? 0xba : 0x7f;
    for (; i + 8 <= bytes; i += 8)
        *(uint64_t *)(at + i) = FILL;
    for (; i < bytes; i++)
        at[i] = i % 2 == 0 ? 0xba : 0x7f;
}

/* Without AddressSanitizer: what lies behind dynamic shared memory is still the pattern. */
__attribute__((no_sanitize_address)) static bool canary_lives(size_t shared_bytes)
{
    for (size_t i = shared_bytes; i < shared_bytes + CANARY; i++)
        if (emu_dynamic_shared[i] != (i % 2 == 0 ? 0xba : 0x7f))
            return false;
    return true;
}

static void run_block(size_t shared_bytes)
{
    size_t statics =
        __start_cal_shared == NULL ? 0 : (size_t)(__stop_cal_shared - __start_cal_shared);
    emu_fill_pattern(__start_cal_shared, statics);
    emu_fill_pattern(emu_dynamic_shared, shared_bytes);
    block_live = block_threads;
    block_started = 0;
    ready_first = ready_count = 0;
    for (unsigned w = 0; w * 32 < block_threads; w++) {
        unsigned lanes = block_threads - w * 32;
        warps[w].live = lanes >= 32 ? 0xffffffffu : (1u << lanes) - 1;
        warps[w].waiting = warps[w].groups_count = 0;
    }
    if (random_order)
        for (unsigned i = block_threads - 1; i > 0; i--) {
            unsigned j = below(i + 1);
            uint16_t thread = start_order[i];
            start_order[i] = start_order[j];
            start_order[j] = thread;
        }
    running = true;
    go_to(an_idle_fiber());
    for (unsigned i = 0; i < BARRIERS_MAX; i++) {
        /* Arrivals that nobody waited for. */
        if (barriers[i].arrived > 0)
            emu_report("the block has ended, but %u threads had arrived at barrier %u in line %d",
                       barriers[i].arrived, i, barriers[i].line);
    }
    running = false;
    if (!canary_lives(shared_bytes))
        emu_report("wrote past its %zu bytes of dynamic shared memory", shared_bytes);
}

static bool config_is_valid(dim3 grid, dim3 block, size_t shared_bytes, const struct function *f)
{
    return grid.x >= 1 && grid.x <= INT32_MAX && grid.y >= 1 && grid.y <= 65535 && grid.z >= 1 &&
           grid.z <= 65535 && block.x >= 1 && block.y >= 1 && block.z >= 1 && block.z <= 64 &&
           block.x <= THREADS_MAX && block.y <= THREADS_MAX &&
           (uint64_t)block.x * block.y * block.z <= THREADS_MAX &&
           shared_bytes <= (size_t)f->dynamic_shared_max;
}

static uint64_t common_factor(uint64_t a, uint64_t b)
{
    return b == 0 ? a : common_factor(b, a % b);
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args,
                             size_t shared_bytes, cudaStream_t stream)
{
    emu_check_stream(stream, "a launch");
    auto found = functions.find(function);
    if (found == functions.end() || found->second.unpack == NULL)
        return emu_set_error(cudaErrorInvalidDeviceFunction);
    if (!config_is_valid(grid, block, shared_bytes, &found->second)) {
        fprintf(stderr,
                "cuda_cpu: kernel %s: a device takes no grid (%u, %u, %u) of blocks (%u, %u, %u) "
                "with %zu bytes of dynamic shared memory\n",
                label, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared_bytes);
        return emu_set_error(cudaErrorInvalidConfiguration);
    }
    if (emu_is_dry())
        return cudaSuccess;
    block_function = function;
    block_unpack = found->second.unpack;
    block_args = args;
    block_threads = block.x * block.y * block.z;
    blockDim = block;
    gridDim = grid;
    for (unsigned i = 0; i < block_threads; i++)
        start_order[i] = (uint16_t)i;
    fiber_set_reach(emu_dynamic_shared, sizeof emu_dynamic_shared, shared_bytes);
    emu_fill_pattern(emu_dynamic_shared + shared_bytes, CANARY);
    here = &main_fiber;
    uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;
    /* A random order of blocks: a stride that has no factor in common with their number. */
    uint64_t stride = 1, at = 0;
    if (random_order && blocks > 2) {
        at = next_random() % blocks;
        do
            stride = 1 + next_random() % (blocks - 1);
        while (common_factor(stride, blocks) != 1);
    }
    for (uint64_t i = 0; i < blocks; i++) {
        blockIdx = {(unsigned)(at % grid.x), (unsigned)(at / grid.x % grid.y),
                    (unsigned)(at / grid.x / grid.y)};
        run_block(shared_bytes);
        at = (at + stride) % blocks;
    }
    fiber_set_reach(emu_dynamic_shared, sizeof emu_dynamic_shared, sizeof emu_dynamic_shared);
    return cudaSuccess;
}
