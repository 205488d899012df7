/*
 * measured_gpu.c - finds, starts and rests the device; see measured_gpu.h. Partitions are in
 * gpu_partition.c, waits in gpu_wait.c.
 */
#include "calibrate/gpu/measured_gpu.h"
#include "calibrate/gpu/ceilings.h"
#include "calibrate/gpu/gpu_driver.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- finding --- */

static int why_no_gpu(cudaError_t status, struct dcs_err *err)
{
    (void)cudaGetLastError();
    switch (status) {
    case cudaErrorInsufficientDriver:
        return dcs_err_set(
            err,
            "no GPU: no NVIDIA driver that fits: libcuda.so.1 is missing or older than "
            "CUDA %d.%d, which this program was built with",
            CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    case cudaErrorNoDevice:
        return dcs_err_set(err, "no GPU: the driver sees none (is CUDA_VISIBLE_DEVICES set, or "
                                "/dev/nvidia0 missing?)");
    case cudaErrorMpsConnectionFailed:
    case cudaErrorMpsServerNotReady:
        return dcs_err_set(err, "the MPS server does not answer: %s", cudaGetErrorString(status));
    default:
        return dcs_err_set(err, "no usable GPU: %s", cudaGetErrorString(status));
    }
}

static void format_uuid(const cudaUUID_t *uuid, char *text, size_t size)
{
    const unsigned char *b = (const unsigned char *)uuid->bytes;
    snprintf(text, size, "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
             b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
             b[14], b[15]);
}

static void find_nvml(struct cal_gpu *g)
{
    struct dcs_err err = {0};
    g->nvml = cal_nvml_open(g->uuid, &err);
    int version = 0;
    cudaDriverGetVersion(&version);
    if (g->nvml == NULL) {
        fprintf(stderr,
                "dcsim-calibrate: no NVML (%s): clocks are not recorded, throttling and other "
                "processes go unseen\n",
                err.text);
        snprintf(g->driver, sizeof g->driver, "CUDA %d.%d", version / 1000, version % 1000 / 10);
        return;
    }
    cal_nvml_driver(g->nvml, g->driver, sizeof g->driver);
    g->max_clock_mhz = g->rest_clock_mhz = cal_nvml_max_sm_clock_mhz(g->nvml);
}

struct cal_gpu *cal_gpu_find(const struct cal_gpu_options *options, struct dcs_err *err)
{
    int count = 0;
    cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaSuccess && count == 0)
        status = cudaErrorNoDevice;
    if (status != cudaSuccess) {
        why_no_gpu(status, err);
        return NULL;
    }
    if (options->ordinal < 0 || options->ordinal >= count) {
        dcs_err_set(err, "--device %d: there are %d devices, 0 is the first", options->ordinal,
                    count);
        return NULL;
    }
    struct cudaDeviceProp properties;
    status = cudaGetDeviceProperties(&properties, options->ordinal);
    if (status != cudaSuccess) {
        why_no_gpu(status, err);
        return NULL;
    }
    struct cal_gpu *g = dcs_alloc(1, sizeof *g);
    g->ordinal = options->ordinal;
    g->clock_floor = options->clock_floor;
    g->patience_s = options->patience_s;
    snprintf(g->name, sizeof g->name, "%.120s", properties.name);
    format_uuid(&properties.uuid, g->uuid, sizeof g->uuid);
    snprintf(g->cuda, sizeof g->cuda, "%d.%d", CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    g->compute = properties.major * 10 + properties.minor;
    g->sms = properties.multiProcessorCount;
    g->memory_bytes = properties.totalGlobalMem;
    g->l2_bytes = (size_t)properties.l2CacheSize;
    find_nvml(g);
    return g;
}

/* --- starting --- */

/* An MPS server that a measurement has just used ends some seconds after its last client. */
#define OTHERS_PATIENCE_S 10.0

static int refuse_others(const struct cal_gpu *g, bool must_be_alone, struct dcs_err *err)
{
    unsigned pid = 0;
    int others = g->nvml != NULL ? cal_nvml_processes(g->nvml, &pid) : 0;
    for (double began = cal_seconds(NULL);
         others > 0 && cal_seconds(NULL) - began < OTHERS_PATIENCE_S;) {
        nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
        others = cal_nvml_processes(g->nvml, &pid);
    }
    return others == 0 ? 0 : cal_nvml_refuse_others(others, pid, must_be_alone, err);
}

int cal_gpu_make_events(struct cal_gpu *g, struct dcs_err *err)
{
    void *host = NULL, *device = NULL;
    if (cal_gpu_check(g, cudaEventCreate(&g->begin), "making an event", err) != 0 ||
        cal_gpu_check(g, cudaEventCreate(&g->end), "making an event", err) != 0 ||
        cal_gpu_check(g, cudaHostAlloc(&host, sizeof *g->gate, cudaHostAllocMapped),
                      "allocating the gate", err) != 0)
        return -1;
    g->gate = host;
    *g->gate = 0;
    if (cal_gpu_check(g, cudaHostGetDevicePointer(&device, host, 0), "mapping the gate", err) != 0)
        return -1;
    g->gate_device = device;
    return 0;
}

int cal_gpu_start(struct cal_gpu *g, const struct cal_gpu_options *options, struct dcs_err *err)
{
    if (!options->allow_others && refuse_others(g, options->must_be_alone, err) != 0)
        return -1;
    if (cal_gpu_check(g, cudaSetDevice(g->ordinal), "starting the device", err) != 0)
        return -1;
    cudaError_t status = cal_probe_image();
    if (status == cudaErrorNoKernelImageForDevice || status == cudaErrorInvalidDeviceFunction) {
        (void)cudaGetLastError();
        return dcs_err_set(err,
                           "%s has compute capability %d.%d, and this program was built for "
                           "others: build it with -DDCSIM_CUDA_ARCHITECTURES=%d",
                           g->name, g->compute / 10, g->compute % 10, g->compute);
    }
    if (cal_gpu_check(g, status, "loading the kernels", err) != 0 ||
        cal_gpu_make_events(g, err) != 0)
        return -1;
    if (g->nvml != NULL && cal_nvml_watch(g->nvml, err) != 0)
        return -1;
    return cal_partitions_start(g, options->whole, err);
}

void cal_gpu_free(struct cal_gpu *g)
{
    if (g == NULL)
        return;
    cal_nvml_close(g->nvml);
    /* A dead or hung context cannot be taken down in order; the driver does it at the end. */
    if (!g->dead) {
        cal_partitions_stop(g);
        if (g->begin != NULL)
            cudaEventDestroy(g->begin);
        if (g->end != NULL)
            cudaEventDestroy(g->end);
        if (g->gate != NULL)
            cudaFreeHost(g->gate);
    }
    free(g->driver_calls);
    free(g);
}

/* --- clock --- */

static bool below_floor(const struct cal_gpu *g, double clock_mhz)
{
    return g->max_clock_mhz > 0 && clock_mhz < g->clock_floor * g->max_clock_mhz;
}

int cal_gpu_wake(struct cal_gpu *g, struct dcs_err *err)
{
    if (g->nvml == NULL)
        return 0;
    double began = cal_seconds(NULL);
    int mhz;
    bool slowed;
    for (cal_nvml_last(g->nvml, &mhz, &slowed); below_floor(g, mhz) || slowed;
         cal_nvml_last(g->nvml, &mhz, &slowed)) {
        if (cal_seconds(NULL) - began > 2)
            break;
        if (cal_gpu_check(g, cal_launch_spin(cudaStreamPerThread, g->sms, 10 * DCS_NS_PER_MS),
                          "waking the device", err) != 0 ||
            cal_gpu_wait_stream(g, cudaStreamPerThread, "waking the device", err) != 0)
            return -1;
    }
    return 0;
}

#define SETTLED_SHARE 0.96 /* of the highest clock; full load without the limit leaves 0.97 */
#define SETTLE_S      1.0
#define REST_S        0.25
#define RESTS         4

static int last_clock_mhz(const struct cal_gpu *g)
{
    int mhz;
    bool slowed;
    cal_nvml_last(g->nvml, &mhz, &slowed);
    return mhz;
}

static bool is_settled(const struct cal_gpu *g)
{
    return last_clock_mhz(g) >= SETTLED_SHARE * g->rest_clock_mhz;
}

/* Two blocks that spin: the power falls, and the clock is not lowered for want of work. NVML renews
 * its reading every 0.1 s or so; after heavy work it may still be the one before. */
static int idle(struct cal_gpu *g, double least_s, double most_s, struct dcs_err *err)
{
    for (double began = cal_seconds(NULL), spent = 0;
         spent < least_s || (spent < most_s && !is_settled(g)); spent = cal_seconds(NULL) - began)
        if (cal_gpu_check(g, cal_launch_spin(cudaStreamPerThread, 1, 10 * DCS_NS_PER_MS),
                          "resting the device", err) != 0 ||
            cal_gpu_wait_stream(g, cudaStreamPerThread, "resting the device", err) != 0)
            return -1;
    /* Clocks that are locked do not come back: later waits are for what there is. */
    if (!is_settled(g))
        g->rest_clock_mhz = last_clock_mhz(g);
    return 0;
}

int cal_gpu_settle(struct cal_gpu *g, struct dcs_err *err)
{
    return g->nvml == NULL ? 0 : idle(g, 0, SETTLE_S, err);
}

int cal_gpu_rest(struct cal_gpu *g, int turn, struct dcs_err *err)
{
    if (g->nvml == NULL || turn >= RESTS)
        return 0;
    double least_s = REST_S * (1 << turn);
    return idle(g, least_s, least_s + SETTLE_S, err) == 0 ? 1 : -1;
}

struct cal_clock_mark cal_gpu_clock_begin(const struct cal_gpu *g)
{
    return g->nvml != NULL ? cal_nvml_mark(g->nvml) : (struct cal_clock_mark){0};
}

void cal_gpu_clock_end(const struct cal_gpu *g, struct cal_clock_mark begin, int *clock_mhz,
                       bool *throttled)
{
    *clock_mhz = 0;
    *throttled = false;
    if (g->nvml == NULL)
        return;
    struct cal_clock_mark end = cal_nvml_mark(g->nvml);
    uint64_t readings = end.readings - begin.readings;
    bool slowed;
    if (readings == 0) {
        cal_nvml_last(g->nvml, clock_mhz, &slowed);
    } else {
        *clock_mhz = (int)((end.clock_sum_mhz - begin.clock_sum_mhz) / readings);
        slowed = end.slowed > begin.slowed;
    }
    *throttled = slowed || below_floor(g, *clock_mhz);
}
