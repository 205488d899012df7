/*
 * measure_launches.c - the CUDA launches of each kernel that consists of several: how long each
 * takes and on which grid (kernel_launch).
 *
 * A step is one size of one application: requests are run as `solo` runs them, kernel by kernel
 * behind a gate, and a tracer (cupti.h) records the launches between two borders around each. The
 * default sizes come first on the whole device, then on two smaller partitions, then the other
 * sizes whose kernels `solo` times. On the whole device a line says how the launches add up against
 * the kernel's own time, which was taken without a tracer.
 *
 * It is the last measurement of `all`: a tracer stays in the process.
 */
#include "calibrate/gpu/ceilings.h"
#include "calibrate/gpu/cupti.h"
#include "calibrate/measure/work.h"

#include <cuda_occupancy.h>
#include <stdlib.h>
#include <unistd.h>

#define WHOLE       0
#define PARTS       1
#define REPETITIONS 10
#define LONG_S      0.050 /* requests above are repeated less often */
#define LONG_TIMES  5

static const int parts_sms[] = {64, 32};
#define PARTS_COUNT 2

/* --- plan --- */

/* Whether a kernel consists of several launches, as far as the profile knows. */
static bool has_several(const struct cal_session *s, const struct cal_app *app, int64_t size)
{
    double known;
    if (s->store == NULL || !cal_store_get(s->store, &known,
                                           "SELECT max(launches > 1) FROM kernel_shape"
                                           " WHERE application = ? AND size = ?",
                                           "ti", app->name, size))
        return true;
    return known > 0;
}

static double estimate(const struct cal_session *s, const struct cal_app *app, int64_t size,
                       int part)
{
    if (!has_several(s, app, size))
        return 0.001;
    double one = cal_request_seconds(s, app, size), all = 0;
    if (part == WHOLE)
        return 0.4 + (one + 0.002) * (REPETITIONS + 3);
    for (int i = 0; i < PARTS_COUNT; i++)
        all += (one * s->sms / parts_sms[i] + 0.002) * (REPETITIONS + 2);
    return 0.4 + all;
}

static void add_step(const struct cal_session *s, struct cal_steps *steps,
                     const struct cal_app *app, int64_t size, int part)
{
    struct cal_step *step =
        cal_steps_add(steps, &cal_measure_launches, "launches/%s/%lld%s", app->name,
                      (long long)size, part == PARTS ? "/parts" : "");
    step->app = app;
    step->app_name = app->name;
    step->size = size;
    step->other_size = size != app->size_default;
    step->item[0] = part;
    step->seconds = estimate(s, app, size, part);
}

static void plan(const struct cal_session *s, struct cal_steps *steps)
{
    for (int part = WHOLE; part <= PARTS; part++)
        for (size_t a = 0; cal_apps[a] != NULL; a++)
            add_step(s, steps, cal_apps[a], cal_apps[a]->size_default, part);
    bool more = true;
    for (size_t i = 1; more; i++) {
        more = false;
        for (size_t a = 0; cal_apps[a] != NULL; a++) {
            int64_t *sizes;
            size_t count = cal_app_sizes(cal_apps[a], &sizes);
            more = more || i < count;
            if (i < count && cal_size_has_kernels(i))
                add_step(s, steps, cal_apps[a], sizes[i], WHOLE);
            free(sizes);
        }
    }
}

static int ready(struct cal_session *s, struct dcs_err *err)
{
    (void)s;
    if (cal_tracer_open(err) != 0 || cal_tracer_start(err) != 0)
        return -1;
    cal_tracer_stop();
    return 0;
}

/* --- tracing a request --- */

struct tracing {
    struct cal_gpu *gpu;
    struct cal_work *work;
    cudaStream_t stream;
    bool *wanted;                  /* per shape */
    size_t wanted_count;           /* shapes that are wanted */
    struct cal_launches *launches; /* per shape */
};

static bool is_wanted(const struct cal_kernel *k)
{
    return k->kind == CAL_LIBRARY ||
           (k->kind == CAL_COMPUTE && k->launches > 1 && k->launches <= CAL_LAUNCHES_TRACED);
}

static cudaError_t enqueue_between(const struct tracing *t, const struct cal_kernel *k)
{
    cudaError_t status = cal_launch_border(t->stream);
    if (status == cudaSuccess && cal_kernel_launches(k) > CAL_GATE_ENTRIES)
        cal_gpu_open_gate(t->gpu);
    if (status == cudaSuccess)
        status = cal_enqueue(&t->work->plan, k, t->stream);
    return status == cudaSuccess ? cal_launch_border(t->stream) : status;
}

/* The first kernel of each wanted shape between borders. Without gates what CUDA and the tracer
 * load late is loaded. */
static int enqueue(struct tracing *t, bool gates, struct dcs_err *err)
{
    const struct cal_work *w = t->work;
    int failed = 0;
    for (size_t i = 0; i < w->plan.kernels_count && !failed; i++) {
        const struct cal_kernel *k = &w->plan.kernels[i];
        size_t shape = w->shape_of[i];
        bool between = t->wanted[shape] && i == w->shapes[shape].first;
        if (between && gates)
            failed = cal_gpu_close_gate(t->gpu, t->stream, err);
        if (failed)
            break;
        cudaError_t status = between ? enqueue_between(t, k) : cal_enqueue(&w->plan, k, t->stream);
        cal_gpu_open_gate(t->gpu);
        failed = cal_gpu_check(t->gpu, status, k->name, err);
    }
    return failed;
}

/* Runs a request; what was recorded of it is the tracer's. */
static int trace(struct tracing *t, bool gates, const struct cal_launch_record **records,
                 size_t *count, struct dcs_err *err)
{
    if (enqueue(t, gates, err) != 0 ||
        cal_gpu_wait_stream(t->gpu, t->stream, "a traced request", err) != 0 ||
        cal_gpu_check(t->gpu, cudaStreamSynchronize(t->stream), "a traced request", err) != 0)
        return -1;
    return cal_tracer_take(2 * t->wanted_count, records, count, err);
}

static int take_traces(struct tracing *t, bool *throttled, struct dcs_err *err)
{
    const struct cal_launch_record *records, *first;
    size_t count, n;
    int clock_mhz;
    struct cal_clock_mark mark = cal_gpu_clock_begin(t->gpu);
    if (trace(t, true, &records, &count, err) != 0)
        return -1;
    cal_gpu_clock_end(t->gpu, mark, &clock_mhz, throttled);
    /* Shapes are in the order of their first kernels, and so are borders. */
    for (size_t shape = 0, i = 0; shape < t->work->shapes_count; shape++) {
        if (!t->wanted[shape])
            continue;
        const struct cal_kernel *k = &t->work->plan.kernels[t->work->shapes[shape].first];
        struct dcs_err why = {0};
        if (cal_launches_between(records, count, t->wanted_count, i++, &first, &n, err) != 0)
            return -1;
        if (k->kind == CAL_COMPUTE && n != k->launches)
            return dcs_err_set(err, "%s: of %u launches %zu were recorded", k->shape, k->launches,
                               n);
        if (cal_launches_add(&t->launches[shape], first, n, clock_mhz, *throttled, &why) != 0)
            return dcs_err_set(err, "%s: %.200s", k->shape, why.text);
    }
    return 0;
}

/* --- storing --- */

/* NVIDIA's calculator: a library's functions cannot be asked for at the runtime. */
static int blocks_per_sm(const struct cudaDeviceProp *p, const struct cal_launch_row *row)
{
    const cudaOccDeviceProp device = {
        .computeMajor = p->major,
        .computeMinor = p->minor,
        .maxThreadsPerBlock = p->maxThreadsPerBlock,
        .maxThreadsPerMultiprocessor = p->maxThreadsPerMultiProcessor,
        .regsPerBlock = p->regsPerBlock,
        .regsPerMultiprocessor = p->regsPerMultiprocessor,
        .warpSize = p->warpSize,
        .sharedMemPerBlock = p->sharedMemPerBlock,
        .sharedMemPerMultiprocessor = p->sharedMemPerMultiprocessor,
        .numSms = p->multiProcessorCount,
        .sharedMemPerBlockOptin = p->sharedMemPerBlockOptin,
        .reservedSharedMemPerBlock = p->reservedSharedMemPerBlock,
    };
    const cudaOccFuncAttributes function = {
        .maxThreadsPerBlock = p->maxThreadsPerBlock,
        .numRegs = (int)row->registers,
        .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
        .maxDynamicSharedSizeBytes = (size_t)row->shared_bytes,
        .numBlockBarriers = 1,
    };
    const cudaOccDeviceState state = {.cacheConfig = CACHE_PREFER_NONE,
                                      .carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT};
    cudaOccResult result;
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state,
                                                (int)row->threads_per_block,
                                                (size_t)row->shared_bytes) != CUDA_OCC_SUCCESS)
        return 0;
    return result.activeBlocksPerMultiprocessor;
}

static int store_row(struct cal_session *s, const struct cal_work *w, const char *kernel,
                     const struct cal_partition *p, const struct cudaDeviceProp *device,
                     size_t position, const struct cal_launch_row *row, struct dcs_err *err)
{
    int64_t per_sm = blocks_per_sm(device, row);
    if (per_sm == 0)
        return cal_store_put(s->store, err, "kernel_launch", "tittiiiiiiinis", w->app->name,
                             w->size, kernel, p->mechanism, (int64_t)p->sms, (int64_t)position,
                             row->launches, row->blocks, row->threads_per_block, row->registers,
                             row->shared_bytes, row->gap_ns, &row->time);
    return cal_store_put(s->store, err, "kernel_launch", "tittiiiiiiiiis", w->app->name, w->size,
                         kernel, p->mechanism, (int64_t)p->sms, (int64_t)position, row->launches,
                         row->blocks, row->threads_per_block, row->registers, row->shared_bytes,
                         per_sm, row->gap_ns, &row->time);
}

static int store_shape(struct cal_session *s, const struct tracing *t, size_t shape,
                       const struct cal_partition *p, const struct cudaDeviceProp *device,
                       struct dcs_err *err)
{
    const char *kernel = t->work->plan.kernels[t->work->shapes[shape].first].shape;
    struct cal_launch_row rows[CAL_LAUNCH_ROWS];
    size_t count;
    if (cal_launches_rows(&t->launches[shape], rows, &count, err) != 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (store_row(s, t->work, kernel, p, device, i, &rows[i], err) != 0)
            return -1;
    return 0;
}

/* --- against the kernel's own time --- */

struct ratios {
    double sum, min, max;
};

static void add_ratio(struct ratios *r, double ratio, size_t before)
{
    r->sum += ratio;
    r->min = before == 0 || ratio < r->min ? ratio : r->min;
    r->max = before == 0 || ratio > r->max ? ratio : r->max;
}

static void print_sums(const struct cal_session *s, const struct tracing *t,
                       const struct cal_partition *p)
{
    const struct cal_work *w = t->work;
    struct ratios inside = {0}, with_gaps = {0};
    size_t n = 0;
    for (size_t shape = 0; shape < w->shapes_count; shape++) {
        double solo_ns;
        if (t->launches[shape].count < 2 ||
            !cal_store_get(s->store, &solo_ns,
                           "SELECT median_ns FROM kernel_solo WHERE application = ? AND size = ?"
                           " AND kernel = ? AND mechanism = ? AND sms = ?",
                           "titti", w->app->name, w->size,
                           w->plan.kernels[w->shapes[shape].first].shape, p->mechanism,
                           (int64_t)p->sms))
            continue;
        struct cal_launch_sums sums = cal_launches_sums(&t->launches[shape]);
        add_ratio(&inside, (double)sums.inside_ns / solo_ns, n);
        add_ratio(&with_gaps, (double)sums.with_gaps_ns / solo_ns, n++);
    }
    if (n > 0)
        fprintf(stderr,
                "%slaunches/%s/%lld, %d SMs: %zu kernels of several launches; their launches take "
                "%.3f of the kernel's own time (%.3f to %.3f), with gaps %.3f (%.3f to %.3f)\n",
                isatty(STDERR_FILENO) ? "\n" : "", w->app->name, (long long)w->size, p->sms, n,
                inside.sum / (double)n, inside.min, inside.max, with_gaps.sum / (double)n,
                with_gaps.min, with_gaps.max);
}

/* --- a step --- */

static int repeat(struct tracing *t, struct dcs_err *err)
{
    const struct cal_launch_record *records;
    size_t count;
    int times = REPETITIONS, kept = 0;
    double began = cal_seconds(NULL);
    if (trace(t, false, &records, &count, err) != 0)
        return -1;
    if (cal_seconds(NULL) - began > LONG_S)
        times = LONG_TIMES;
    for (int i = 0; kept < times && i < 3 * times; i++) {
        bool throttled;
        if (take_traces(t, &throttled, err) != 0)
            return -1;
        kept += !throttled;
    }
    return 0;
}

static int measure(struct cal_session *s, struct tracing *t, const struct cal_partition *p,
                   struct dcs_err *err)
{
    const struct cal_work *w = t->work;
    struct cudaDeviceProp device;
    int failed = cal_gpu_check(s->gpu, cudaGetDeviceProperties(&device, s->ordinal),
                               "asking the device", err) != 0 ||
                 cal_tracer_start(err) != 0;
    if (failed)
        return -1;
    failed = repeat(t, err);
    cal_tracer_stop();
    for (size_t shape = 0; shape < w->shapes_count && !failed; shape++)
        if (t->launches[shape].count > 1)
            failed = store_shape(s, t, shape, p, &device, err);
    if (!failed)
        print_sums(s, t, p);
    return failed;
}

/* Of a kernel with too many launches there are no rows. */
static void tell_untraced(const struct cal_work *w)
{
    for (size_t i = 0; i < w->shapes_count; i++) {
        const struct cal_kernel *k = &w->plan.kernels[w->shapes[i].first];
        if (k->kind == CAL_COMPUTE && k->launches > CAL_LAUNCHES_TRACED)
            fprintf(stderr,
                    "%sdcsim-calibrate: launches/%s/%lld: %s is left out: %u launches, more than "
                    "%d\n",
                    isatty(STDERR_FILENO) ? "\n" : "", w->app->name, (long long)w->size, k->shape,
                    k->launches, CAL_LAUNCHES_TRACED);
    }
}

static int measure_partition(struct cal_session *s, struct cal_work *w, int sms,
                             struct dcs_err *err)
{
    const struct cal_partition *p = cal_gpu_partition(s->gpu, sms, err);
    if (p == NULL || cal_work_plan(s->gpu, w, sms, err) != 0)
        return -1;
    struct tracing t = {.gpu = s->gpu,
                        .work = w,
                        .stream = p->stream,
                        .wanted = dcs_alloc(w->shapes_count, sizeof *t.wanted),
                        .launches = dcs_alloc(w->shapes_count, sizeof *t.launches)};
    for (size_t k = 0; k < w->shapes_count; k++) {
        t.wanted[k] = is_wanted(&w->plan.kernels[w->shapes[k].first]);
        t.wanted_count += t.wanted[k];
    }
    int failed = t.wanted_count > 0 ? measure(s, &t, p, err) : 0;
    for (size_t k = 0; k < w->shapes_count; k++)
        cal_launches_release(&t.launches[k]);
    free(t.wanted);
    free(t.launches);
    return failed;
}

static int run_step(struct cal_session *s, const struct cal_step *step, struct dcs_err *err)
{
    struct cal_work w;
    int64_t ns;
    if (!has_several(s, step->app, step->size) || (step->item[0] == PARTS && !s->gpu->green))
        return 0;
    if (cal_gpu_wake(s->gpu, err) != 0 ||
        cal_work_open(s->gpu, step->app, step->size, s->seed, &w, err) != 0)
        return -1;
    int failed = cal_work_time_request(s->gpu, &w, s->gpu->cached[0].stream, &ns, err);
    if (step->item[0] == WHOLE && !failed) {
        tell_untraced(&w);
        failed = measure_partition(s, &w, s->sms, err);
    }
    for (int i = 0; step->item[0] == PARTS && i < PARTS_COUNT && !failed; i++)
        if (parts_sms[i] < s->sms)
            failed = measure_partition(s, &w, parts_sms[i], err);
    cal_work_close(s->gpu, &w);
    return failed ? -1 : 0;
}

const struct cal_measure cal_measure_launches = {
    .name = "launches",
    .help = "kernels of several CUDA launches: time and grid of each launch",
    .plan = plan,
    .ready = ready,
    .run = run_step,
};
