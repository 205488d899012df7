/*
 * measure_transfers.c - transfers between pinned host memory and the device, by size and direction,
 * alone and beside other work.
 *
 * What runs beside starts before the transfer and must end after it; a sample where it did not is
 * taken again with more of it. In the same direction that cannot be: on an H200 a transfer of 4 KiB
 * ends behind hundreds of 16 MiB that another stream has enqueued, so that its time would say how
 * long that list is. There the transfer meets one of BESIDE_BYTES that has just begun, and no more.
 */
#include "calibrate/gpu/ceilings.h"
#include "calibrate/gpu/measured_gpu.h"
#include "calibrate/measure/measurement.h"

#include <string.h>

#define BYTES_MIN      ((size_t)4 << 10)
#define BYTES_MAX      ((size_t)256 << 20)
#define BESIDE_BYTES   ((size_t)16 << 20) /* of one transfer that runs beside */
#define STREAM_BYTES   ((size_t)256 << 20)
#define BESIDE_MOST    300
#define SAME_WAY_COUNT 2 /* the transfer begins when the first has ended */

enum beside { ALONE, OTHER_WAY, SAME_WAY, KERNEL, BESIDES };

static const char *const directions[] = {"to_device", "from_device"};

static void plan(const struct cal_session *s, struct cal_steps *steps)
{
    (void)s;
    for (int beside = ALONE; beside < BESIDES; beside++)
        for (int direction = 0; direction < 2; direction++) {
            struct cal_step *step = cal_steps_add(steps, &cal_measure_transfers, "transfers/%s/%d",
                                                  directions[direction], beside);
            step->item[0] = direction;
            step->item[1] = beside;
            step->seconds = 0.45;
        }
}

struct taking {
    struct cal_gpu *gpu;
    int direction;
    enum beside beside;
    size_t bytes;
    void *host, *device;               /* of the transfer */
    void *beside_host, *beside_device; /* of what runs beside */
    void *stream_to;
    cudaStream_t stream, side;
    cudaEvent_t side_begin, side_end;
    int side_count; /* how many run beside */
    struct cal_samples set;
};

static cudaError_t transfer(bool from_device, void *host, void *device, size_t bytes,
                            cudaStream_t stream)
{
    return from_device ? cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream)
                       : cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream);
}

static cudaError_t enqueue_beside(struct taking *t)
{
    cudaError_t status = cudaSuccess;
    for (int i = 0; i < t->side_count && status == cudaSuccess; i++) {
        if (t->beside == KERNEL)
            status = cal_launch_copy(t->side, t->stream_to, t->beside_device, STREAM_BYTES);
        else
            status = transfer((t->direction == 1) == (t->beside == SAME_WAY), t->beside_host,
                              t->beside_device, BESIDE_BYTES, t->side);
        if (i == 0 && status == cudaSuccess)
            status = cudaEventRecord(t->side_begin, t->side);
    }
    if (status == cudaSuccess)
        status = cudaEventRecord(t->side_end, t->side);
    return status != cudaSuccess ? status : cudaStreamWaitEvent(t->stream, t->side_begin, 0);
}

static int time_once(struct taking *t, int64_t *ns, struct dcs_err *err)
{
    struct cal_gpu *g = t->gpu;
    cudaError_t status = t->beside != ALONE ? enqueue_beside(t) : cudaSuccess;
    if (status == cudaSuccess)
        status = cudaEventRecord(g->begin, t->stream);
    if (status == cudaSuccess)
        status = transfer(t->direction == 1, t->host, t->device, t->bytes, t->stream);
    if (status == cudaSuccess)
        status = cudaEventRecord(g->end, t->stream);
    if (cal_gpu_check(g, status, "a transfer", err) != 0 ||
        cal_gpu_wait(g, g->end, "a transfer", err) != 0 ||
        cal_gpu_wait_stream(g, t->side, "what runs beside a transfer", err) != 0)
        return -1;
    return cal_gpu_elapsed(g, g->begin, g->end, ns, err);
}

static int take_sample(void *context, struct dcs_err *err)
{
    struct taking *t = context;
    struct cal_clock_mark mark = cal_gpu_clock_begin(t->gpu);
    int clock_mhz;
    bool throttled;
    int64_t ns = 0;
    bool must_outlast = t->beside == OTHER_WAY || t->beside == KERNEL;
    for (;;) {
        if (time_once(t, &ns, err) != 0)
            return -1;
        float after_ms = 1; /* what ran beside went on after the transfer's end */
        if (must_outlast &&
            cal_gpu_check(t->gpu, cudaEventElapsedTime(&after_ms, t->gpu->end, t->side_end),
                          "reading a time", err) != 0)
            return -1;
        if (after_ms > 0)
            break;
        if (t->side_count >= BESIDE_MOST)
            return dcs_err_set(err, "a transfer of %zu bytes outlasts all that runs beside it",
                               t->bytes);
        t->side_count *= 2;
    }
    cal_gpu_clock_end(t->gpu, mark, &clock_mhz, &throttled);
    cal_samples_add(&t->set, ns, clock_mhz, throttled);
    return 0;
}

static int measure(struct cal_session *s, struct taking *t, struct dcs_err *err)
{
    const struct cal_rule rule = {.warmups = 1,
                                  .min_count = 5,
                                  .max_count = 40,
                                  .max_seconds = 0.1,
                                  .rse = 0.01,
                                  .max_throttled = 80};
    enum cal_stop stop;
    struct cal_statistics v;
    struct cal_sampling sampling = {take_sample, cal_seconds, t, &t->set, &stop, 1};
    cal_samples_clear(&t->set);
    if (cal_sample(&sampling, &rule, err) != 0 ||
        cal_samples_statistics(&t->set, stop, "warm", &v, err) != 0)
        return -1;
    return cal_store_put(s->store, err, "transfer", "tiis", directions[t->direction],
                         (int64_t)t->bytes, (int64_t)t->beside, &v);
}

static int make(struct taking *t, struct dcs_err *err)
{
    struct cal_gpu *g = t->gpu;
    const struct {
        void **place;
        size_t bytes;
        bool host;
    } memory[] = {
        {&t->host, BYTES_MAX, true},           {&t->device, BYTES_MAX, false},
        {&t->beside_host, BESIDE_BYTES, true}, {&t->beside_device, STREAM_BYTES, false},
        {&t->stream_to, STREAM_BYTES, false},
    };
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++) {
        cudaError_t status = memory[i].host ? cudaHostAlloc(memory[i].place, memory[i].bytes, 0)
                                            : cudaMalloc(memory[i].place, memory[i].bytes);
        if (cal_gpu_check(g, status, "allocating", err) != 0)
            return -1;
        if (memory[i].host)
            memset(*memory[i].place, 0x5a, memory[i].bytes); /* so that its pages are there */
    }
    const struct cal_partition *whole = &g->cached[0];
    if (cal_partition_stream(g, whole, 0, &t->stream, err) != 0 ||
        cal_partition_stream(g, whole, 0, &t->side, err) != 0 ||
        cal_gpu_check(g, cudaEventCreate(&t->side_begin), "making an event", err) != 0)
        return -1;
    return cal_gpu_check(g, cudaEventCreate(&t->side_end), "making an event", err);
}

static void unmake(struct taking *t)
{
    cal_samples_release(&t->set);
    if (t->gpu->dead)
        return;
    cudaFreeHost(t->host);
    cudaFreeHost(t->beside_host);
    cudaFree(t->device);
    cudaFree(t->beside_device);
    cudaFree(t->stream_to);
    if (t->stream != NULL)
        cudaStreamDestroy(t->stream);
    if (t->side != NULL)
        cudaStreamDestroy(t->side);
    if (t->side_begin != NULL)
        cudaEventDestroy(t->side_begin);
    if (t->side_end != NULL)
        cudaEventDestroy(t->side_end);
}

static int run_step(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    struct taking t = {.gpu = s->gpu,
                       .direction = (int)step->item[0],
                       .beside = (enum beside)step->item[1],
                       .side_count = step->item[1] == SAME_WAY ? SAME_WAY_COUNT : 8};
    int failed = cal_gpu_wake(s->gpu, err) != 0 || make(&t, err) != 0;
    for (t.bytes = BYTES_MIN; t.bytes <= BYTES_MAX && !failed; t.bytes *= 2)
        failed = measure(s, &t, err);
    unmake(&t);
    return failed ? -1 : 0;
}

const struct cal_measure cal_measure_transfers = {
    .name = "transfers",
    .help = "host-device transfers by size and direction, alone and beside other work",
    .plan = plan,
    .run = run_step,
};
