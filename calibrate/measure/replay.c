/*
 * replay.c - see counters.h.
 */
#include "calibrate/gpu/ceilings.h"
#include "calibrate/gpu/counters.h"
#include "calibrate/measure/work.h"

#include <cuda_profiler_api.h>
#include <stdlib.h>

/* One launch of a kernel that has several, as a plan of its own: cal_enqueue takes whole kernels.
 */
static cudaError_t launch_one(const struct cal_work *w, const struct cal_kernel *k, uint32_t index,
                              cudaStream_t stream)
{
    struct cal_kernel one = *k;
    one.first_launch = k->first_launch + index;
    one.launches = 1;
    return cal_enqueue(&w->plan, &one, stream);
}

static cudaError_t profiled(cudaStream_t stream, bool on)
{
    cudaError_t status = cudaStreamSynchronize(stream);
    if (status == cudaSuccess)
        status = on ? cudaProfilerStart() : cudaProfilerStop();
    return status;
}

static cudaError_t border(cudaStream_t stream)
{
    cudaError_t status = profiled(stream, true);
    if (status == cudaSuccess)
        status = cal_launch_border(stream);
    return status == cudaSuccess ? profiled(stream, false) : status;
}

static cudaError_t replay_library(const struct cal_work *w, const struct cal_kernel *k,
                                  cudaStream_t stream)
{
    cudaError_t status = profiled(stream, true);
    if (status == cudaSuccess)
        status = cal_enqueue(&w->plan, k, stream);
    return status == cudaSuccess ? profiled(stream, false) : status;
}

/* Which launches are profiled: those of the same function behind each other, in the order of their
 * first launches, the middles of `count` equal parts of that. (Launches in their own order would
 * not do: functions take turns, and every n-th launch may be the same one.) */
static void choose_launches(const struct cal_work *w, const struct cal_kernel *k, uint32_t count,
                            bool *chosen)
{
    const struct cal_launch *launches = &w->plan.launches[k->first_launch];
    bool *placed = dcs_alloc(k->launches, sizeof *placed);
    uint32_t place = 0, turn = 0;
    for (uint32_t first = 0; first < k->launches; first++)
        for (uint32_t i = first; i < k->launches; i++) {
            if (placed[i] || launches[i].function != launches[first].function)
                continue;
            chosen[i] =
                turn < count && place == (2 * turn + 1) * (uint64_t)k->launches / (2 * count);
            turn += chosen[i];
            placed[i] = true;
            place++;
        }
    free(placed);
}

static uint32_t functions_of(const struct cal_work *w, const struct cal_kernel *k)
{
    const struct cal_launch *launches = &w->plan.launches[k->first_launch];
    uint32_t count = 0;
    for (uint32_t i = 0; i < k->launches; i++) {
        uint32_t earlier = 0;
        while (launches[earlier].function != launches[i].function)
            earlier++;
        count += earlier == i;
    }
    return count;
}

static cudaError_t replay_compute(const struct cal_work *w, const struct cal_kernel *k,
                                  uint32_t count, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    bool *chosen = dcs_alloc(k->launches, sizeof *chosen);
    choose_launches(w, k, count, chosen);
    for (uint32_t i = 0; i < k->launches && status == cudaSuccess; i++) {
        if (chosen[i])
            status = profiled(stream, true);
        if (status == cudaSuccess)
            status = launch_one(w, k, i, stream);
        if (chosen[i] && status == cudaSuccess)
            status = profiled(stream, false);
    }
    free(chosen);
    return status;
}

static cudaError_t replay_kernel(const struct cal_work *w, size_t index, const bool *chosen,
                                 cudaStream_t stream)
{
    const struct cal_kernel *k = &w->plan.kernels[index];
    bool first = w->shapes[w->shape_of[index]].first == index;
    if (!first || !chosen[w->shape_of[index]] || k->kind == CAL_TO_DEVICE ||
        k->kind == CAL_FROM_DEVICE)
        return cal_enqueue(&w->plan, k, stream);
    uint32_t launches = k->kind == CAL_LIBRARY ? 1 : k->launches, count = launches;
    if (k->kind != CAL_LIBRARY && count > CAL_PROFILED_LAUNCHES * functions_of(w, k))
        count = CAL_PROFILED_LAUNCHES * functions_of(w, k);
    printf(CAL_REPLAY_LINE " %lld %u %u %s\n", (long long)w->size, launches, count, k->shape);
    cudaError_t status = border(stream);
    if (status != cudaSuccess)
        return status;
    return k->kind == CAL_LIBRARY ? replay_library(w, k, stream)
                                  : replay_compute(w, k, count, stream);
}

/* Of networks with very many shapes, those that must take most of a request by what is counted by
 * hand: measured times would not choose the same in each pass of the profiler. */
static double weight(const struct cal_work *w, size_t shape)
{
    const struct cal_kernel *k = &w->plan.kernels[w->shapes[shape].first];
    double flop_rate = k->cores == CAL_TENSOR_CORES ? 3e14 : 3e13, byte_rate = 3e12;
    double seconds =
        k->flop / flop_rate > k->bytes / byte_rate ? k->flop / flop_rate : k->bytes / byte_rate;
    return seconds * (double)w->shapes[shape].count;
}

static void choose_shapes(const struct cal_work *w, bool *chosen)
{
    for (size_t n = 0; n < CAL_PROFILED_SHAPES && n < w->shapes_count; n++) {
        size_t best = w->shapes_count;
        for (size_t k = 0; k < w->shapes_count; k++)
            if (!chosen[k] && (best == w->shapes_count || weight(w, k) > weight(w, best)))
                best = k;
        chosen[best] = true;
    }
}

static int replay_size(struct cal_gpu *g, const struct cal_app *app, int64_t size, uint64_t seed,
                       struct dcs_err *err)
{
    struct cal_work w;
    int64_t ns;
    if (cal_work_open(g, app, size, seed, &w, err) != 0)
        return -1;
    cudaStream_t stream = g->cached[0].stream;
    bool *chosen = dcs_alloc(w.shapes_count, sizeof *chosen);
    choose_shapes(&w, chosen);
    int failed = cal_work_time_request(g, &w, stream, &ns, err);
    for (size_t i = 0; i < w.plan.kernels_count && !failed; i++)
        failed =
            cal_gpu_check(g, replay_kernel(&w, i, chosen, stream), w.plan.kernels[i].name, err);
    if (!failed)
        failed = cal_gpu_wait_stream(g, stream, "replaying", err);
    free(chosen);
    cal_work_close(g, &w);
    return failed ? -1 : 0;
}

int cal_replay_kernels(struct cal_gpu *g, const char *app, char *const *sizes, int count,
                       uint64_t seed, struct dcs_err *err)
{
    if (app == NULL && count == 0)
        return cal_gpu_check(g, border(g->cached[0].stream), "a trial of the profiler", err);
    const struct cal_app *found = app != NULL ? cal_find_app(app) : NULL;
    if (found == NULL || count < 1)
        return dcs_err_set(err, "replay-kernels takes --app NAME and sizes");
    setvbuf(stdout, NULL, _IOLBF, 0); /* whole lines among what the profiler prints */
    for (int i = 0; i < count; i++) {
        char *end;
        long long size = strtoll(sizes[i], &end, 10);
        if (end == sizes[i] || *end != '\0' || size < 1)
            return dcs_err_set(err, "size %.40s: a whole number is expected", sizes[i]);
        if (replay_size(g, found, size, seed, err) != 0)
            return -1;
    }
    return 0;
}
