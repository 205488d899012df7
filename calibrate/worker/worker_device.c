/*
 * worker_device.c - what child processes do on the device: the operations of `worker`.
 *
 * A child has a context of its own, with all of the device or, as a client of MPS, with a share of
 * it. Its thread, or each of its two, has one target at a time (worker_lane.h). Each operation says
 * which of the order's args it takes and which values it answers.
 */
#include "calibrate/gpu/gpu_driver.h"
#include "calibrate/worker/worker_lane.h"
#include "calibrate/worker/worker_switch.h"

#include <stdlib.h>
#include <string.h>

#define PATIENCE_S   60.0
#define START_S      10.0 /* a kernel has to start in that time */
#define VICTIM_BLOCK 256  /* threads of a block of the kernel beside the victim */

static struct cal_gpu gpu;
static cudaStream_t streams[2]; /* the second is the co-runner's */
static struct cal_victim *victim, *companion;
static struct cal_partition halves[2];
static struct cal_gpu gpus_of_halves[2];

/* --- small things --- */

static int check_status(cudaError_t status, const char *what, struct dcs_err *err)
{
    return cal_gpu_check(&gpu, status, what, err);
}

static bool is_late(int64_t began_ns, double limit_s)
{
    return (double)(cal_now_ns() - began_ns) > limit_s * 1e9;
}

static int await_started(bool (*started)(const struct cal_victim *), const struct cal_victim *v,
                         cudaStream_t stream, const char *what, struct dcs_err *err)
{
    for (int64_t began = cal_now_ns(); !started(v);) {
        cudaError_t status = cudaStreamQuery(stream);
        if (status != cudaSuccess && status != cudaErrorNotReady)
            return check_status(status, what, err);
        if (is_late(began, START_S))
            return dcs_err_set(err, "%s has not started after %.0f s", what, START_S);
    }
    return 0;
}

/* Until the stream has ended or failed; its status. */
static cudaError_t await_end(cudaStream_t stream, double limit_s)
{
    cudaError_t status = cudaErrorNotReady;
    for (int64_t began = cal_now_ns(); status == cudaErrorNotReady && !is_late(began, limit_s);)
        status = cudaStreamQuery(stream);
    return status;
}

/* --- open --- */

/* A kernel's code is loaded at its first launch, which may wait for kernels that run: each is
 * launched once before it matters. */
static int load_kernels(cudaStream_t stream, struct dcs_err *err)
{
    for (int end = CAL_VICTIM_TRAPS; end <= CAL_VICTIM_WAITS; end++)
        if (cal_victim_start(victim, (enum cal_victim_end)end, 1, 32, 0, stream, err) != 0 ||
            check_status(cudaStreamSynchronize(stream), "the first kernels", err) != 0)
            return -1;
    return cal_next_launch(victim, stream, err) != 0 ||
                   check_status(cudaStreamSynchronize(stream), "the first kernels", err) != 0
               ? -1
               : 0;
}

static int make_streams(int first_sms, struct dcs_err *err)
{
    if (first_sms == 0) {
        gpu.cached[0] = (struct cal_partition){.sms = gpu.sms, .mechanism = "whole"};
        if (cal_partition_stream(&gpu, &gpu.cached[0], 0, &gpu.cached[0].stream, err) != 0 ||
            cal_partition_stream(&gpu, &gpu.cached[0], 0, &streams[1], err) != 0)
            return -1;
        gpu.cached_count = 1;
        streams[0] = gpu.cached[0].stream;
        return 0;
    }
    const int sms[2] = {first_sms, 0};
    if (cal_partitions_start(&gpu, false, err) != 0 ||
        cal_gpu_split(&gpu, sms, 2, halves, err) != 0)
        return -1;
    streams[0] = halves[0].stream;
    streams[1] = halves[1].stream;
    return 0;
}

/* args: ordinal of the device; SMs of the first of two green contexts, which then have a stream
 * each, and the second the rest of the SMs (0: both streams have the whole device). values: SMs, ns
 * of the first call (which makes the context), the moment at which it can be used, SMs of each
 * green context. */
static int open_device(struct cal_worker_shared *w, struct dcs_err *err)
{
    int sms = 0;
    gpu.ordinal = (int)w->args[0];
    gpu.patience_s = PATIENCE_S;
    int64_t began = cal_now_ns();
    if (check_status(cudaSetDevice(gpu.ordinal), "starting the device", err) != 0 ||
        check_status(cudaFree(NULL), "making a context", err) != 0)
        return -1;
    w->values[1] = cal_now_ns() - began;
    if (check_status(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, gpu.ordinal),
                     "counting the SMs", err) != 0)
        return -1;
    w->values[0] = gpu.sms = sms;
    if (cal_gpu_make_events(&gpu, err) != 0 || make_streams((int)w->args[1], err) != 0)
        return -1;
    for (int i = 0; i < 2; i++)
        w->values[3 + i] = halves[i].sms;
    victim = cal_victim_create(err);
    companion = victim != NULL ? cal_victim_create(err) : NULL;
    if (companion == NULL || load_kernels(streams[0], err) != 0 ||
        (w->args[1] != 0 && load_kernels(streams[1], err) != 0) ||
        cal_lane_open(cal_lane_of(w), &gpu, streams[0], victim, err) != 0)
        return -1;
    w->values[2] = cal_now_ns();
    return 0;
}

/* From here on this thread runs in one of the two green contexts alone, and requests are planned
 * for its SMs. args: which; ns between two looks at what runs. values: its SMs. */
static int take_partition(struct cal_worker_shared *w, struct dcs_err *err)
{
    const struct cal_partition *half = &halves[w->args[0] != 0];
    struct cal_gpu *own = &gpus_of_halves[w->args[0] != 0];
    if (half->green == NULL || own->sms != 0)
        return dcs_err_set(err, "this partition is %s",
                           half->green == NULL ? "not there" : "another thread's");
    *own = (struct cal_gpu){.ordinal = gpu.ordinal,
                            .sms = half->sms,
                            .patience_s = PATIENCE_S,
                            .look_ns = w->args[1],
                            .cached = {*half},
                            .cached_count = 1};
    w->values[0] = half->sms;
    /* The device is a thread's. */
    return check_status(cudaSetDevice(gpu.ordinal), "taking the device", err) != 0 ||
                   cal_gpu_make_events(own, err) != 0 ||
                   cal_lane_open(cal_lane_of(w), own, half->stream, NULL, err) != 0
               ? -1
               : 0;
}

/* --- revocation --- */

/* args: how the victim ends, blocks, threads, ns that it runs, ns that a co-runner in the second
 * stream runs (0: none). values: the moment at which it runs. */
static int start_victim(struct cal_worker_shared *w, struct dcs_err *err)
{
    if (w->args[4] > 0 &&
        (cal_victim_start(companion, CAL_VICTIM_RUNS, (unsigned)gpu.sms, VICTIM_BLOCK,
                          (uint64_t)w->args[4], streams[1], err) != 0 ||
         await_started(cal_victim_started, companion, streams[1], "the co-runner", err) != 0))
        return -1;
    if (cal_victim_start(victim, (enum cal_victim_end)w->args[0], (unsigned)w->args[1],
                         (unsigned)w->args[2], (uint64_t)w->args[3], streams[0], err) != 0 ||
        await_started(cal_victim_started, victim, streams[0], "the kernel to revoke", err) != 0)
        return -1;
    w->values[0] = cal_now_ns();
    return 0;
}

/* A kernel that notes its start. values: the moment of its launch, and when it ran, at begin. */
static int run_next(struct cal_worker_shared *w, int begin, struct dcs_err *err)
{
    w->values[begin] = cal_now_ns();
    if (cal_next_launch(victim, streams[0], err) != 0 ||
        await_started(cal_next_started, victim, streams[0], "the next kernel", err) != 0)
        return -1;
    w->values[begin + 1] = cal_now_ns();
    return check_status(await_end(streams[0], START_S), "the next kernel", err);
}

static int next(struct cal_worker_shared *w, struct dcs_err *err)
{
    return run_next(w, 0, err);
}

/* args: ns that a co-runner in the second stream runs (0: none). values: the moment of the
 * decision, the one at which the kernel has stopped, the status of its stream, of the next kernel
 * of the stream the moment of the launch and when it ran (if the context lives), the co-runner's
 * status, ns of taking the context down (if it is dead). answer: the status as text. */
static int revoke_victim(struct cal_worker_shared *w, struct dcs_err *err)
{
    w->values[0] = cal_now_ns();
    cal_victim_revoke(victim);
    cudaError_t status = await_end(streams[0], START_S);
    w->values[1] = cal_now_ns();
    w->values[2] = status;
    snprintf(w->answer, sizeof w->answer, "%s", cudaGetErrorString(status));
    if (status == cudaErrorNotReady)
        return dcs_err_set(err, "the kernel has not stopped after %.0f s", START_S);
    if (status == cudaSuccess && run_next(w, 3, err) != 0)
        return -1;
    if (w->args[0] > 0)
        w->values[5] = await_end(streams[1], (double)w->args[0] * 1e-9 + START_S);
    if (status != cudaSuccess) {
        gpu.dead = true;
        int64_t began = cal_now_ns();
        cudaDeviceReset();
        w->values[6] = cal_now_ns() - began;
    }
    return 0;
}

/* A kernel that runs beside another process's victim. args: ns that it runs. Ready once it runs;
 * values: its status, ns that it took. answer: the status as text. */
static int accompany(struct cal_worker_shared *w, struct dcs_err *err)
{
    int64_t began = cal_now_ns();
    if (cal_victim_start(companion, CAL_VICTIM_RUNS, (unsigned)gpu.sms, VICTIM_BLOCK,
                         (uint64_t)w->args[0], streams[0], err) != 0 ||
        await_started(cal_victim_started, companion, streams[0], "the co-runner", err) != 0)
        return -1;
    atomic_store(&w->ready, true);
    cudaError_t status = await_end(streams[0], (double)w->args[0] * 1e-9 + START_S);
    w->values[0] = status;
    w->values[1] = cal_now_ns() - began;
    snprintf(w->answer, sizeof w->answer, "%s", cudaGetErrorString(status));
    return 0;
}

/* values: ns of taking the context down. */
static int reset(struct cal_worker_shared *w, struct dcs_err *err)
{
    int64_t began = cal_now_ns();
    cudaError_t status = cudaDeviceReset();
    gpu.dead = true;
    w->values[0] = cal_now_ns() - began;
    return status == cudaSuccess ? 0
                                 : dcs_err_set(err, "resetting: %s", cudaGetErrorString(status));
}

/* --- switches (worker_switch.h) --- */

static int switch_alone(struct cal_worker_shared *w, struct dcs_err *err)
{
    return cal_worker_switch_alone(&gpu, w, err);
}

static int switch_from(struct cal_worker_shared *w, struct dcs_err *err)
{
    return cal_worker_switch_from(&gpu, w, err);
}

static int switch_to(struct cal_worker_shared *w, struct dcs_err *err)
{
    return cal_worker_switch_to(&gpu, w, err);
}

/* A context that is dead, or in which something still runs, is left to the driver. */
static int quit(struct cal_worker_shared *w, struct dcs_err *err)
{
    (void)err;
    bool idle = !gpu.dead && gpu.begin != NULL && streams[0] != NULL &&
                cudaStreamQuery(streams[0]) == cudaSuccess;
    for (int i = 0; i < CAL_WORKER_THREADS && idle; i++)
        idle = cal_lane_is_idle(cal_lane_of(&w[i]));
    if (idle)
        cudaDeviceReset();
    return 0;
}

int cal_worker_main(int argc, char **argv)
{
    static const struct cal_worker_operation operations[] = {
        {"open", open_device},
        {"partition", take_partition},
        {"application", cal_lane_application},
        {"requests", cal_lane_requests},
        {"kernel", cal_lane_kernel},
        {"spin", cal_lane_spin},
        {"single", cal_lane_single},
        {"stream", cal_lane_stream},
        {"serve", cal_lane_serve},
        {"victim", start_victim},
        {"revoke", revoke_victim},
        {"next", next},
        {"accompany", accompany},
        {"reset", reset},
        {"switch-alone", switch_alone},
        {"switch-from", switch_from},
        {"switch-to", switch_to},
        {"quit", quit},
        {NULL, NULL},
    };
    return cal_worker_serve(argc, argv, operations);
}
