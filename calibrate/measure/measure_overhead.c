/*
 * measure_overhead.c - what launches, gaps and events cost, and the ceilings of the device.
 *
 *   host_launch   an empty kernel, as fast as the host can enqueue it
 *   launch        an empty kernel back to back, the host ahead (behind a gate)
 *   gap           what is lost between two kernels that each fill the partition
 *   event         what recording an event between two kernels adds
 *   empty_kernel  from an event to an event with an empty kernel between: the least that a
 *                 kernel's time can be in kernel_solo
 *   copy, read    ceilings of DRAM, bytes read and written; l2_read: of the L2 cache
 *   matrix, fma   ceilings of arithmetic: half-precision matrix products, single-precision
 *                 multiply-adds
 *   cluster_room  no time: what clusters of blocks have room for, by the driver's answer
 */
#include "calibrate/gpu/ceilings.h"
#include "calibrate/gpu/cluster_room.h"
#include "calibrate/gpu/measured_gpu.h"
#include "calibrate/measure/measurement.h"

#include <string.h>

#define LAUNCHES    150 /* fits behind a gate with an event each */
#define DRAM_BYTES  ((size_t)1 << 30)
#define GAP_KERNELS 20
#define GAP_TURNS   2 /* some 8 us: long enough for a kernel, short enough for the gap to show */
#define SMS_MAX     64

enum part {
    HOST_LAUNCH,
    LAUNCH,
    GAP,
    EVENT,
    EMPTY_KERNEL,
    COPY,
    READ,
    L2_READ,
    MATRIX,
    FMA,
    PARTS
};

static const struct {
    const char *what, *unit;
    bool every_count; /* measured at all SM counts, else on the whole device */
} parts[PARTS] = {
    [HOST_LAUNCH] = {"host_launch", "launch", false},
    [LAUNCH] = {"launch", "launch", true},
    [GAP] = {"gap", "gap", true},
    [EVENT] = {"event", "event", false},
    [EMPTY_KERNEL] = {"empty_kernel", "kernel", true},
    [COPY] = {"copy", "byte", true},
    [READ] = {"read", "byte", true},
    [L2_READ] = {"l2_read", "byte", true},
    [MATRIX] = {"matrix", "flop", true},
    [FMA] = {"fma", "flop", true},
};

static void plan(const struct cal_session *s, struct cal_steps *steps)
{
    (void)s;
    for (int i = 0; i < PARTS; i++) {
        struct cal_step *step =
            cal_steps_add(steps, &cal_measure_overhead, "overhead/%s", parts[i].what);
        step->item[0] = i;
        step->seconds = i >= COPY ? 0.15 : 0.04;
    }
    struct cal_step *room = cal_steps_add(steps, &cal_measure_overhead, "overhead/cluster_room");
    room->item[0] = PARTS;
    room->seconds = 0.01;
}

struct taking {
    struct cal_gpu *gpu;
    const struct cal_partition *partition;
    enum part part;
    void *from, *to; /* DRAM_BYTES each */
    size_t l2_bytes; /* of a buffer that stays in L2 */
    double amount;   /* of one sample */
    struct cal_samples set;
};

/* --- one stretch of work between two events --- */

static int stretch(struct taking *t, bool gated, cudaError_t (*enqueue)(struct taking *, int),
                   int argument, int64_t *ns, struct dcs_err *err)
{
    struct cal_gpu *g = t->gpu;
    cudaStream_t stream = t->partition->stream;
    if (gated && cal_gpu_close_gate(g, stream, err) != 0)
        return -1;
    cudaError_t status = cudaEventRecord(g->begin, stream);
    if (status == cudaSuccess)
        status = enqueue(t, argument);
    if (status == cudaSuccess)
        status = cudaEventRecord(g->end, stream);
    if (gated)
        cal_gpu_open_gate(g);
    if (cal_gpu_check(g, status, parts[t->part].what, err) != 0 ||
        cal_gpu_wait(g, g->end, parts[t->part].what, err) != 0)
        return -1;
    return cal_gpu_elapsed(g, g->begin, g->end, ns, err);
}

static cudaError_t empty(struct taking *t, int count)
{
    cudaError_t status = cudaSuccess;
    for (int i = 0; i < count && status == cudaSuccess; i++)
        status = cal_launch_empty(t->partition->stream);
    return status;
}

/* The event is one of its own: what it records is not looked at. */
static cudaError_t empty_with_events(struct taking *t, int count)
{
    cudaError_t status = cudaSuccess;
    cudaEvent_t event;
    status = cudaEventCreate(&event);
    for (int i = 0; i < count && status == cudaSuccess; i++) {
        status = cal_launch_empty(t->partition->stream);
        if (status == cudaSuccess)
            status = cudaEventRecord(event, t->partition->stream);
    }
    cudaEventDestroy(event);
    return status;
}

/* The same arithmetic in one kernel, or in as many. */
static cudaError_t arithmetic(struct taking *t, int kernels)
{
    double flop;
    cudaError_t status = cudaSuccess;
    for (int i = 0; i < kernels && status == cudaSuccess; i++)
        status = cal_launch_fma(t->partition->stream, t->partition->sms,
                                GAP_TURNS * GAP_KERNELS / kernels, t->to, &flop);
    return status;
}

static cudaError_t ceiling(struct taking *t, int unused)
{
    (void)unused;
    cudaStream_t stream = t->partition->stream;
    int sms = t->partition->sms, turns;
    switch (t->part) {
    case COPY:
        t->amount = 2.0 * DRAM_BYTES;
        return cal_launch_copy(stream, t->to, t->from, DRAM_BYTES);
    case READ:
        t->amount = DRAM_BYTES;
        return cal_launch_read(stream, sms, t->from, DRAM_BYTES, 1, t->to);
    case L2_READ:
        turns = 64 * sms / t->gpu->sms + 1;
        t->amount = (double)t->l2_bytes * turns;
        return cal_launch_read(stream, sms, t->from, t->l2_bytes, turns, t->to);
    case MATRIX:
        return cal_launch_matrix(stream, sms, 4000, t->to, &t->amount);
    default:
        return cal_launch_fma(stream, sms, 500, t->to, &t->amount);
    }
}

/* --- samples --- */

static int take_ns(struct taking *t, int64_t *ns, struct dcs_err *err)
{
    int64_t other = 0;
    t->amount = 1;
    switch (t->part) {
    case HOST_LAUNCH:
    case LAUNCH:
        if (stretch(t, t->part == LAUNCH, empty, LAUNCHES, ns, err) != 0)
            return -1;
        *ns /= LAUNCHES;
        return 0;
    case EMPTY_KERNEL:
        return stretch(t, true, empty, 1, ns, err);
    case EVENT:
        if (stretch(t, true, empty_with_events, LAUNCHES, ns, err) != 0 ||
            stretch(t, true, empty, LAUNCHES, &other, err) != 0)
            return -1;
        *ns = (*ns - other) / LAUNCHES;
        return 0;
    case GAP:
        if (stretch(t, true, arithmetic, GAP_KERNELS, ns, err) != 0 ||
            stretch(t, true, arithmetic, 1, &other, err) != 0)
            return -1;
        *ns = (*ns - other) / (GAP_KERNELS - 1);
        return 0;
    default:
        return stretch(t, true, ceiling, 0, ns, err);
    }
}

static int take_sample(void *context, struct dcs_err *err)
{
    struct taking *t = context;
    struct cal_clock_mark mark = cal_gpu_clock_begin(t->gpu);
    int64_t ns;
    int clock_mhz;
    bool throttled;
    if (take_ns(t, &ns, err) != 0)
        return -1;
    cal_gpu_clock_end(t->gpu, mark, &clock_mhz, &throttled);
    cal_samples_add(&t->set, ns, clock_mhz, throttled);
    return 0;
}

static int measure(struct cal_session *s, struct taking *t, int sms, struct dcs_err *err)
{
    t->partition = cal_gpu_partition(s->gpu, sms, err);
    if (t->partition == NULL)
        return -1;
    const struct cal_rule rule = {.warmups = 2,
                                  .min_count = 5,
                                  .max_count = 50,
                                  .max_seconds = 0.2,
                                  .rse = 0.01,
                                  .max_throttled = 100};
    enum cal_stop stop;
    struct cal_statistics v;
    struct cal_sampling sampling = {take_sample, cal_seconds, t, &t->set, &stop, 1};
    cal_samples_clear(&t->set);
    if (cal_sample(&sampling, &rule, err) != 0 ||
        cal_samples_statistics(&t->set, stop, t->part == READ || t->part == COPY ? "cold" : "warm",
                               &v, err) != 0)
        return -1;
    return cal_store_put(s->store, err, "overhead", "ttirts", parts[t->part].what,
                         t->partition->mechanism, (int64_t)sms, t->amount, parts[t->part].unit, &v);
}

static int allocate(struct taking *t, struct dcs_err *err)
{
    /* Half of the cache: a buffer as large as all of it does not stay. */
    t->l2_bytes = t->gpu->l2_bytes / 2 / 4096 * 4096;
    if (t->l2_bytes == 0 || t->l2_bytes > DRAM_BYTES)
        t->l2_bytes = (size_t)1 << 20;
    if (cal_gpu_check(t->gpu, cudaMalloc(&t->from, DRAM_BYTES), "allocating", err) != 0 ||
        cal_gpu_check(t->gpu, cudaMalloc(&t->to, DRAM_BYTES), "allocating", err) != 0)
        return -1;
    /* Something that is not zero throughout. */
    return cal_gpu_check(t->gpu, cudaMemset(t->from, 0x5a, DRAM_BYTES), "filling", err) != 0 ||
                   cal_gpu_check(t->gpu, cudaDeviceSynchronize(), "filling", err) != 0
               ? -1
               : 0;
}

/* No row on a device without clusters. */
static int put_cluster_rooms(struct cal_session *s, struct dcs_err *err)
{
    if (cal_gpu_wake(s->gpu, err) != 0 ||
        cal_store_execute(s->store, err, "DELETE FROM cluster_room", "") != 0)
        return -1;
    for (int blocks = 1; blocks <= CAL_CLUSTER_MOST; blocks *= 2) {
        int clusters = cal_cluster_room(blocks, err);
        if (clusters < 0 ||
            (clusters > 0 && cal_store_put(s->store, err, "cluster_room", "ii", (int64_t)blocks,
                                           (int64_t)clusters) != 0))
            return -1;
    }
    return 0;
}

static int run_step(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    struct taking t = {.gpu = s->gpu, .part = (enum part)step->item[0]};
    if (t.part == PARTS)
        return put_cluster_rooms(s, err);
    int failed = cal_gpu_wake(s->gpu, err) != 0 || allocate(&t, err) != 0;
    int counts[SMS_MAX], n = cal_sm_counts(s->sms, counts, SMS_MAX);
    for (int i = n - 1; i >= 0 && !failed; i--)
        if (counts[i] == s->sms || (parts[t.part].every_count && s->gpu->green))
            failed = measure(s, &t, counts[i], err);
    cal_samples_release(&t.set);
    if (!s->gpu->dead) {
        cudaFree(t.from);
        cudaFree(t.to);
    }
    return failed ? -1 : 0;
}

const struct cal_measure cal_measure_overhead = {
    .name = "overhead",
    .help = "launches, gaps, events; ceilings of DRAM, L2 and arithmetic; room for clusters",
    .plan = plan,
    .run = run_step,
    .every_app = true,
};
