/*
 * worker_device.c - what child processes do on the device: the operations of `worker`.
 *
 * A child has a context of its own, with all of the device or, as a client of MPS, with a share of
 * it. It has one target at a time: the requests of an application, one repeatable kernel of it, or
 * blocks that spin for an exact time. Each operation says which of the order's args it takes and
 * which values it answers.
 */
#include "calibrate/corun.h"
#include "calibrate/gpu_driver.h"
#include "calibrate/victim.h"
#include "calibrate/worker_switch.h"

#include <stdlib.h>
#include <string.h>

#define RING         64                   /* launches that are enqueued ahead, at most */
#define AHEAD_NS     (20 * DCS_NS_PER_MS) /* and so much work, but never fewer than AHEAD_MIN */
#define AHEAD_MIN    3
#define PATIENCE_S   60.0
#define START_S      10.0 /* a kernel has to start in that time */
#define VICTIM_BLOCK 256  /* threads of a block of the kernel beside the victim */

enum target_kind { NO_TARGET, REQUESTS, KERNEL, SPIN };

static struct cal_gpu gpu;
static cudaStream_t streams[2]; /* the second is the co-runner's */
static struct cal_victim *victim, *companion;
static struct cal_partition halves[2];
static cudaEvent_t events[RING + 1];

static struct {
    enum target_kind kind;
    struct cal_work work; /* of REQUESTS and KERNEL */
    struct cal_subject subject;
    unsigned blocks, threads;
    uint64_t block_ns;
} target;

/* --- small things --- */

static int check(cudaError_t status, const char *what, struct dcs_err *err)
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
            return check(status, what, err);
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

static int make_gate(struct dcs_err *err)
{
    void *host = NULL, *device = NULL;
    if (check(cudaHostAlloc(&host, sizeof(int), cudaHostAllocMapped), "allocating the gate", err) !=
        0)
        return -1;
    gpu.gate = host;
    *gpu.gate = 0;
    if (check(cudaHostGetDevicePointer(&device, host, 0), "mapping the gate", err) != 0)
        return -1;
    gpu.gate_device = device;
    return 0;
}

/* A kernel's code is loaded at its first launch, which may wait for kernels that run: each is
 * launched once before it matters. */
static int load_kernels(cudaStream_t stream, struct dcs_err *err)
{
    for (int end = CAL_VICTIM_TRAPS; end <= CAL_VICTIM_RUNS; end++)
        if (cal_victim_start(victim, (enum cal_victim_end)end, 1, 32, 0, stream, err) != 0 ||
            check(cudaStreamSynchronize(stream), "the first kernels", err) != 0)
            return -1;
    return cal_next_launch(victim, stream, err) != 0 ||
                   check(cudaStreamSynchronize(stream), "the first kernels", err) != 0
               ? -1
               : 0;
}

static int make_streams(bool green, struct dcs_err *err)
{
    if (!green) {
        gpu.cached[0] = (struct cal_partition){.sms = gpu.sms, .mechanism = "whole"};
        if (cal_partition_stream(&gpu, &gpu.cached[0], 0, &gpu.cached[0].stream, err) != 0 ||
            cal_partition_stream(&gpu, &gpu.cached[0], 0, &streams[1], err) != 0)
            return -1;
        gpu.cached_count = 1;
        streams[0] = gpu.cached[0].stream;
        return 0;
    }
    int sms[2] = {gpu.sms / 2 / CAL_PARTITION_STEP * CAL_PARTITION_STEP, 0};
    if (cal_partitions_start(&gpu, err) != 0 || cal_gpu_split(&gpu, sms, 2, halves, err) != 0)
        return -1;
    streams[0] = halves[0].stream;
    streams[1] = halves[1].stream;
    return 0;
}

/* args: ordinal of the device, whether the two streams are of two green contexts. values: SMs, ns
 * of the first call (which makes the context), the moment at which it can be used. */
static int open_device(struct cal_worker_shared *w, struct dcs_err *err)
{
    int sms = 0;
    gpu.ordinal = (int)w->args[0];
    gpu.patience_s = PATIENCE_S;
    int64_t began = cal_now_ns();
    if (check(cudaSetDevice(gpu.ordinal), "starting the device", err) != 0 ||
        check(cudaFree(NULL), "making a context", err) != 0)
        return -1;
    w->values[1] = cal_now_ns() - began;
    if (check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, gpu.ordinal),
              "counting the SMs", err) != 0)
        return -1;
    w->values[0] = gpu.sms = sms;
    if (check(cudaEventCreate(&gpu.begin), "making an event", err) != 0 ||
        check(cudaEventCreate(&gpu.end), "making an event", err) != 0 || make_gate(err) != 0 ||
        make_streams(w->args[1] != 0, err) != 0)
        return -1;
    for (int i = 0; i <= RING; i++)
        if (check(cudaEventCreate(&events[i]), "making an event", err) != 0)
            return -1;
    victim = cal_victim_create(err);
    companion = victim != NULL ? cal_victim_create(err) : NULL;
    if (companion == NULL || load_kernels(streams[0], err) != 0 ||
        (w->args[1] != 0 && load_kernels(streams[1], err) != 0))
        return -1;
    w->values[2] = cal_now_ns();
    return 0;
}

/* --- targets --- */

static int open_work(struct cal_worker_shared *w, const char *name, struct dcs_err *err)
{
    const struct cal_app *app = cal_find_app(name);
    if (app == NULL)
        return dcs_err_set(err, "no application \"%s\"", name);
    uint64_t seed = (uint64_t)w->args[0];
    bool same = target.work.app == app;
    target.kind = NO_TARGET;
    if (same)
        return 0;
    if (target.work.app != NULL)
        cal_work_close(&gpu, &target.work);
    if (cal_work_open(&gpu, app, app->size_default, seed, &target.work, err) == 0)
        return 0;
    memset(&target.work, 0, sizeof target.work);
    return -1;
}

/* Makes an application ready, for "requests" or "kernel" later. text: the application; args: seed.
 */
static int take_application(struct cal_worker_shared *w, struct dcs_err *err)
{
    return open_work(w, w->text, err);
}

/* text: the application; args: seed. values: size, ns of a request that is warm. */
static int take_requests(struct cal_worker_shared *w, struct dcs_err *err)
{
    if (open_work(w, w->text, err) != 0)
        return -1;
    for (int i = 0; i < 3; i++)
        if (cal_work_time_request(&gpu, &target.work, streams[0], &w->values[1], err) != 0)
            return -1;
    target.kind = REQUESTS;
    w->values[0] = target.work.size;
    return 0;
}

static bool find_shape(const char *name, struct cal_subject *out)
{
    for (size_t i = 0; i < target.work.shapes_count; i++)
        if (strcmp(target.work.plan.kernels[target.work.shapes[i].first].shape, name) == 0) {
            *out = (struct cal_subject){.gpu = &gpu, .work = &target.work, .shape = i};
            return true;
        }
    return false;
}

/* text: the application, or "application kernel"; args: seed, rank of the kernel if it is not
 * named. values: size, ns of a launch alone, whether there is such a kernel; answer: its name. */
static int take_kernel(struct cal_worker_shared *w, struct dcs_err *err)
{
    char app[CAL_WORKER_TEXT];
    snprintf(app, sizeof app, "%s", w->text);
    char *kernel = strchr(app, ' ');
    if (kernel != NULL)
        *kernel++ = '\0';
    if (open_work(w, app, err) != 0)
        return -1;
    w->values[0] = target.work.size;
    if (kernel != NULL) {
        int64_t ignored;
        if (cal_work_time_request(&gpu, &target.work, streams[0], &ignored, err) != 0)
            return -1;
        if (!find_shape(kernel, &target.subject))
            return dcs_err_set(err, "%s has no kernel %s", app, kernel);
    } else {
        const struct cal_session here = {.gpu = &gpu};
        int found = cal_subject_find(&here, &target.work, (size_t)w->args[1], &target.subject, err);
        if (found == 0 && w->args[1] > 0)
            found = cal_subject_find(&here, &target.work, 0, &target.subject, err);
        if (found <= 0)
            return found;
    }
    w->values[2] = 1;
    snprintf(w->answer, sizeof w->answer, "%s", cal_subject_kernel(&target.subject));
    target.kind = KERNEL;
    return cal_subject_alone(&target.subject, streams[0], &w->values[1], err);
}

/* args: blocks, threads of a block, ns that a block runs. values: 0, ns of a launch alone. */
static int take_spin(struct cal_worker_shared *w, struct dcs_err *err)
{
    target.kind = SPIN;
    target.blocks = (unsigned)w->args[0];
    target.threads = (unsigned)w->args[1];
    target.block_ns = (uint64_t)w->args[2];
    int64_t began = cal_now_ns();
    if (cal_victim_start(victim, CAL_VICTIM_RUNS, target.blocks, target.threads, target.block_ns,
                         streams[0], err) != 0 ||
        cal_gpu_wait_stream(&gpu, streams[0], "blocks that spin", err) != 0)
        return -1;
    w->values[1] = cal_now_ns() - began;
    return 0;
}

static int enqueue(struct dcs_err *err)
{
    switch (target.kind) {
    case REQUESTS:
        return cal_work_enqueue(&gpu, &target.work, streams[0], err);
    case KERNEL:
        return cal_subject_enqueue(&target.subject, streams[0], err);
    case SPIN:
        return cal_victim_start(victim, CAL_VICTIM_RUNS, target.blocks, target.threads,
                                target.block_ns, streams[0], err);
    default:
        return dcs_err_set(err, "there is nothing to run");
    }
}

/* --- running beside others --- */

static int add_record(struct cal_worker_shared *w, const struct cal_worker_record *r,
                      struct dcs_err *err)
{
    if (w->records_count == CAL_WORKER_RECORDS)
        return dcs_err_set(err, "more than %d launches in one measurement", CAL_WORKER_RECORDS);
    w->records[w->records_count++] = *r;
    return 0;
}

/* One, from the host's call to the host's knowledge of its end; arrival_ns is the caller's. */
static int run_one(int64_t origin_ns, struct cal_worker_record *r, struct dcs_err *err)
{
    r->begin_ns = cal_now_ns() - origin_ns;
    if (check(cudaEventRecord(events[0], streams[0]), "recording an event", err) != 0 ||
        enqueue(err) != 0 ||
        check(cudaEventRecord(events[1], streams[0]), "recording an event", err) != 0 ||
        cal_gpu_wait(&gpu, events[1], "a request", err) != 0)
        return -1;
    r->end_ns = cal_now_ns() - origin_ns;
    return cal_gpu_elapsed(&gpu, events[0], events[1], &r->device_ns, err);
}

/* Closed loop, one at a time, until it is halted. args: a pause after each, ns. */
static int loop_single(struct cal_worker_shared *w, struct dcs_err *err)
{
    int64_t origin, free_ns = 0, pause_ns = w->args[0];
    w->records_count = 0;
    if (cal_worker_wait_begin(w, &origin, err) != 0)
        return -1;
    while (!cal_worker_halted(w)) {
        struct cal_worker_record r = {.arrival_ns = free_ns};
        if (run_one(origin, &r, err) != 0 || add_record(w, &r, err) != 0)
            return -1;
        free_ns = r.end_ns + pause_ns;
        if (pause_ns > 0)
            cal_sleep_until(origin + free_ns);
    }
    return 0;
}

/* Back to back, the host ahead, until it is halted. args: ns of a launch alone. A record's end is
 * that of its event; the first event's moment is the host's. */
static int loop_stream(struct cal_worker_shared *w, struct dcs_err *err)
{
    int64_t alone_ns = w->args[0] > 0 ? w->args[0] : 1, ahead = AHEAD_NS / alone_ns;
    ahead = ahead < AHEAD_MIN ? AHEAD_MIN : ahead > RING ? RING : ahead;
    int64_t origin, enqueued = 0, ended = 0;
    w->records_count = 0;
    if (cal_worker_wait_begin(w, &origin, err) != 0)
        return -1;
    int64_t at = cal_now_ns() - origin;
    if (check(cudaEventRecord(events[0], streams[0]), "recording an event", err) != 0)
        return -1;
    for (bool halted = false; !halted || ended < enqueued;) {
        halted = halted || cal_worker_halted(w);
        /* The event before the oldest that runs is still needed: RING + 1 of them. */
        while (!halted && enqueued - ended < ahead) {
            enqueued++;
            if (enqueue(err) != 0 ||
                check(cudaEventRecord(events[enqueued % (RING + 1)], streams[0]),
                      "recording an event", err) != 0)
                return -1;
        }
        struct cal_worker_record r = {.arrival_ns = at, .begin_ns = at};
        cudaEvent_t before = events[ended % (RING + 1)], after = events[(ended + 1) % (RING + 1)];
        if (enqueued == ended)
            continue;
        if (cal_gpu_wait(&gpu, after, "kernels that run together", err) != 0 ||
            cal_gpu_elapsed(&gpu, before, after, &r.device_ns, err) != 0)
            return -1;
        r.end_ns = at += r.device_ns;
        ended++;
        if (add_record(w, &r, err) != 0)
            return -1;
    }
    return 0;
}

/* Open loop, first come first served, one at a time: the records' arrivals. args: ns after which
 * none is begun any more. values: how many were served; the rest have end_ns 0. */
static int serve(struct cal_worker_shared *w, struct dcs_err *err)
{
    int64_t origin;
    for (int64_t i = 0; i < w->records_count; i++)
        w->records[i].begin_ns = w->records[i].end_ns = w->records[i].device_ns = 0;
    if (cal_worker_wait_begin(w, &origin, err) != 0)
        return -1;
    for (int64_t i = 0; i < w->records_count; i++) {
        cal_sleep_until(origin + w->records[i].arrival_ns);
        if (cal_worker_halted(w) || cal_now_ns() - origin > w->args[0])
            break;
        if (run_one(origin, &w->records[i], err) != 0)
            return -1;
        w->values[0]++;
    }
    return 0;
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
    return check(await_end(streams[0], START_S), "the next kernel", err);
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
    (void)w;
    (void)err;
    if (!gpu.dead && gpu.begin != NULL && streams[0] != NULL &&
        cudaStreamQuery(streams[0]) == cudaSuccess)
        cudaDeviceReset();
    return 0;
}

int cal_worker_main(int argc, char **argv)
{
    static const struct cal_worker_operation operations[] = {
        {"open", open_device},
        {"application", take_application},
        {"requests", take_requests},
        {"kernel", take_kernel},
        {"spin", take_spin},
        {"single", loop_single},
        {"stream", loop_stream},
        {"serve", serve},
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
