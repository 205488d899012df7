/* drive_gpu_ends.c - see drive_gpu.h. */
#include "calibrate/drive/drive_gpu.h"

#include "calibrate/gpu/gpu_driver.h"
#include "calibrate/gpu/victim.h"
#include "calibrate/measure/work.h"
#include "calibrate/plan/sort_numbers.h"

#include <cuda.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define APART 16 /* words: a cache line */

typedef CUresult(CUDAAPI *write_word)(CUstream, CUdeviceptr, cuuint32_t, unsigned);

static bool find_writer(struct cal_ends *e)
{
    write_word found = NULL;
    const struct cal_driver_call wanted[] = {{&found, "cuStreamWriteValue32", 12000}};
    if (!cal_driver_find(wanted, 1))
        return false;
    memcpy(&e->write, &found, sizeof found);
    return true;
}

static int open_words(struct cal_ends *e, struct dcs_err *err)
{
    void *host = NULL, *device = NULL;
    size_t bytes = CAL_ENDS_LANES * APART * sizeof *e->words_host;
    if (cal_gpu_check(e->gpu, cudaHostAlloc(&host, bytes, cudaHostAllocMapped), "allocating words",
                      err) != 0 ||
        cal_gpu_check(e->gpu, cudaHostGetDevicePointer(&device, host, 0), "mapping words", err) !=
            0)
        return -1;
    memset(host, 0, bytes);
    e->words_host = host;
    e->words_device = (uint64_t)(uintptr_t)device;
    return 0;
}

int cal_ends_open(struct cal_ends *e, struct cal_gpu *gpu, const char *by, struct dcs_err *err)
{
    *e = (struct cal_ends){.gpu = gpu};
    bool wants_events = by != NULL && strcmp(by, "events") == 0;
    e->words = !wants_events && find_writer(e);
    if (by != NULL && !wants_events && (strcmp(by, "words") != 0 || !e->words))
        return dcs_err_set(err, "ends of kernels are known by words or events, not by %.30s%s", by,
                           strcmp(by, "words") == 0 ? ", which this driver cannot write" : "");
    if (e->words)
        return open_words(e, err);
    for (int i = 0; i < CAL_ENDS_LANES; i++)
        if (cal_gpu_check(gpu, cudaEventCreateWithFlags(&e->events[i], cudaEventDisableTiming),
                          "making an event", err) != 0)
            return -1;
    return 0;
}

void cal_ends_close(struct cal_ends *e)
{
    if (e->words_host != NULL)
        cudaFreeHost(e->words_host);
    for (int i = 0; i < CAL_ENDS_LANES; i++)
        if (e->events[i] != NULL)
            cudaEventDestroy(e->events[i]);
}

const char *cal_ends_name(const struct cal_ends *e)
{
    return e->words ? "words" : "events";
}

int cal_ends_mark(struct cal_ends *e, unsigned lane, cudaStream_t stream,
                  struct cal_ends_mark *mark, struct dcs_err *err)
{
    *mark = (struct cal_ends_mark){.lane = lane, .word = ++e->next};
    if (!e->words)
        return cal_gpu_check(e->gpu, cudaEventRecord(e->events[lane], stream), "recording an event",
                             err);
    write_word write;
    memcpy(&write, &e->write, sizeof write);
    CUresult status =
        write(stream, (CUdeviceptr)(e->words_device + lane * APART * sizeof(uint32_t)), mark->word,
              CU_STREAM_WRITE_VALUE_DEFAULT);
    return status == CUDA_SUCCESS ? 0 : dcs_err_set(err, "writing a word: error %d", (int)status);
}

int cal_ends_reached(struct cal_ends *e, const struct cal_ends_mark *mark, struct dcs_err *err)
{
    if (e->words)
        return __atomic_load_n(&e->words_host[mark->lane * APART], __ATOMIC_ACQUIRE) == mark->word;
    cudaError_t status = cudaEventQuery(e->events[mark->lane]);
    if (status == cudaErrorNotReady)
        return 0;
    return status == cudaSuccess ? 1 : cal_gpu_check(e->gpu, status, "a kernel", err);
}

/* ---- What it costs ---- */

#define ROUNDS  200 /* of a kernel */
#define KERNELS 4

static void sleep_ns(int64_t ns)
{
    const struct timespec pause = {.tv_sec = ns / DCS_NS_PER_S, .tv_nsec = ns % DCS_NS_PER_S};
    nanosleep(&pause, NULL);
}

/* One kernel, or (kernel < 0) a request, and how long it took on the device by events around it and
 * from the call until the host knew. asleep: the host sleeps meanwhile, and looks then. */
static int time_one(struct cal_ends *e, const struct cal_work *w, int kernel, bool asleep,
                    int64_t expected_ns, int64_t *device_ns, int64_t *host_ns, struct dcs_err *err)
{
    struct cal_gpu *g = e->gpu;
    cudaStream_t stream = g->cached[0].stream;
    struct cal_ends_mark mark;
    double began = cal_seconds(NULL);
    if (cal_gpu_check(g, cudaEventRecord(g->begin, stream), "recording an event", err) != 0)
        return -1;
    size_t from = kernel < 0 ? 0 : (size_t)kernel;
    size_t to = kernel < 0 ? w->plan.kernels_count : from + 1;
    for (size_t i = from; i < to; i++)
        if (cal_gpu_check(g, cal_enqueue(&w->plan, &w->plan.kernels[i], stream), "a kernel", err) !=
            0)
            return -1;
    if (cal_gpu_check(g, cudaEventRecord(g->end, stream), "recording an event", err) != 0 ||
        cal_ends_mark(e, 0, stream, &mark, err) != 0)
        return -1;
    if (asleep)
        sleep_ns(2 * expected_ns + DCS_NS_PER_MS);
    int reached;
    while ((reached = cal_ends_reached(e, &mark, err)) == 0)
        continue;
    if (reached < 0)
        return -1;
    *host_ns = (int64_t)((cal_seconds(NULL) - began) * 1e9);
    return cal_gpu_wait(g, g->end, "a kernel", err) != 0 ||
                   cal_gpu_elapsed(g, g->begin, g->end, device_ns, err) != 0
               ? -1
               : 0;
}

static void print_row(const char *what, const char *by, const char *state, int64_t *device,
                      int64_t *values, size_t n)
{
    cal_sort_integers(values, n);
    cal_sort_integers(device, n);
    printf("%-24s %-7s %-7s %10.3f %10.3f %10.3f\n", what, by, state, (double)device[n / 2] * 1e-3,
           (double)values[n / 2] * 1e-3, (double)values[n * 99 / 100] * 1e-3);
}

static int compare_one(struct cal_gpu *g, const struct cal_work *w, int kernel, const char *what,
                       struct dcs_err *err)
{
    static int64_t device[ROUNDS], host[ROUNDS];
    int64_t expected = 0;
    int rounds = kernel < 0 ? ROUNDS / 8 : ROUNDS;
    for (int way = 0; way < 4; way++) {
        struct cal_ends e;
        const char *by = way % 2 == 0 ? "words" : "events";
        bool asleep = way >= 2;
        if (cal_ends_open(&e, g, by, err) != 0)
            return -1;
        for (int i = -3; i < rounds; i++) {
            int64_t on_device, on_host;
            if (time_one(&e, w, kernel, asleep, expected, &on_device, &on_host, err) != 0)
                return -1;
            expected = on_device;
            if (i >= 0) {
                device[i] = on_device;
                host[i] = on_host - on_device;
            }
        }
        print_row(what, by, asleep ? "sleeps" : "looks", device, host, (size_t)rounds);
        cal_ends_close(&e);
    }
    return 0;
}

/* A kernel of one warp that ends when the host sets a flag: from setting it until the host knows,
 * which is the flag's way to the device, the end, and the word's way back. */
static int time_told(struct cal_ends *e, struct cal_victim *v, int64_t *ns, struct dcs_err *err)
{
    cudaStream_t stream = e->gpu->cached[0].stream;
    struct cal_ends_mark mark;
    int reached;
    if (cal_victim_start(v, CAL_VICTIM_BLOCKS_EXIT, 1, 32, DCS_NS_PER_S, stream, err) != 0 ||
        cal_ends_mark(e, 0, stream, &mark, err) != 0)
        return -1;
    while (!cal_victim_started(v))
        continue;
    sleep_ns(100 * DCS_NS_PER_US);
    double began = cal_seconds(NULL);
    cal_victim_revoke(v);
    while ((reached = cal_ends_reached(e, &mark, err)) == 0)
        continue;
    *ns = (int64_t)((cal_seconds(NULL) - began) * 1e9);
    return reached < 0 ? -1 : 0;
}

static int compare_told(struct cal_gpu *g, struct dcs_err *err)
{
    static int64_t device[ROUNDS], host[ROUNDS];
    static const char *const ways[] = {"words", "events"};
    struct cal_victim *v = cal_victim_create(err);
    int failed = v == NULL ? -1 : 0;
    for (size_t way = 0; way < 2 && !failed; way++) {
        struct cal_ends e;
        failed = cal_ends_open(&e, g, ways[way], err);
        for (int i = -3; i < ROUNDS && !failed; i++) {
            int64_t ns = 0;
            failed = time_told(&e, v, &ns, err);
            if (i >= 0)
                host[i] = ns;
        }
        if (!failed)
            print_row("told to end", ways[way], "looks", device, host, ROUNDS);
        cal_ends_close(&e);
    }
    cal_victim_destroy(v);
    return failed;
}

int cal_ends_compare(struct cal_gpu *gpu, const char *name, struct dcs_err *err)
{
    struct cal_work w;
    const struct cal_app *app = cal_find_app(name);
    if (app == NULL)
        return dcs_err_set(err, "no application \"%s\"", name);
    if (cal_work_open(gpu, app, app->size_default, 1, &w, err) != 0)
        return -1;
    int64_t ns;
    for (int i = 0; i < 3; i++)
        if (cal_work_time_request(gpu, &w, gpu->cached[0].stream, &ns, err) != 0)
            return -1;
    printf("%-24s %-7s %-7s %10s %10s %10s\n", "", "ends by", "host", "device us", "beyond us",
           "p99 us");
    int failed = cal_gpu_wake(gpu, err) != 0 ? -1 : compare_told(gpu, err);
    char what[64];
    for (size_t s = 0; s < w.shapes_count && s < KERNELS && !failed; s++) {
        const struct cal_kernel *k = &w.plan.kernels[w.shapes[s].first];
        if (!k->repeatable)
            continue;
        snprintf(what, sizeof what, "%s/%.14s", name, k->name);
        failed = compare_one(gpu, &w, (int)w.shapes[s].first, what, err);
    }
    snprintf(what, sizeof what, "%s", name);
    if (!failed)
        failed = compare_one(gpu, &w, -1, what, err);
    cal_work_close(gpu, &w);
    return failed;
}
