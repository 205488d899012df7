/*
 * work.c - see work.h.
 */
#include "calibrate/measure/work.h"
#include "calibrate/gpu/ceilings.h"

#include <stdlib.h>
#include <string.h>

const char *cal_kind_name(enum cal_kind kind)
{
    static const char *const names[] = {[CAL_COMPUTE] = "compute",
                                        [CAL_LIBRARY] = "library",
                                        [CAL_TO_DEVICE] = "to_device",
                                        [CAL_FROM_DEVICE] = "from_device"};
    return names[kind];
}

uint32_t cal_kernel_launches(const struct cal_kernel *k)
{
    uint32_t launches = k->kind == CAL_LIBRARY ? k->call_launches : k->launches;
    return launches > 0 ? launches : 1;
}

const struct cal_app *cal_find_app(const char *name)
{
    for (size_t i = 0; cal_apps[i] != NULL; i++)
        if (strcmp(cal_apps[i]->name, name) == 0)
            return cal_apps[i];
    return NULL;
}

size_t cal_app_sizes(const struct cal_app *app, int64_t **sizes)
{
    const struct cal_size_range range = {.min = app->size_min,
                                         .max = app->size_max,
                                         .standard = app->size_default,
                                         .step = app->size_step,
                                         .wanted = app->role == CAL_SERVICE ? 40 : 20};
    return cal_sizes(&range, sizes);
}

bool cal_size_has_kernels(size_t index)
{
    return index < CAL_KERNEL_ENDS || index % 5 == 0;
}

double cal_request_seconds(const struct cal_session *s, const struct cal_app *app, int64_t size)
{
    double ns, share = (double)size / (double)app->size_default;
    if (s->store == NULL ||
        !cal_store_get(s->store, &ns,
                       "SELECT median_ns FROM request_solo WHERE application = ? AND size = ?"
                       " AND mechanism = 'whole'",
                       "ti", app->name, app->size_default))
        ns = app->role == CAL_SERVICE ? 10e6 : 5e6;
    double seconds = ns * 1e-9 * share;
    return seconds > 20e-6 ? seconds : 20e-6;
}

/* --- making --- */

static void find_shapes(struct cal_work *w)
{
    size_t n = w->plan.kernels_count;
    free(w->shapes);
    free(w->shape_of);
    w->shapes = dcs_alloc(n, sizeof *w->shapes);
    w->shape_of = dcs_alloc(n, sizeof *w->shape_of);
    w->shapes_count = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < w->shapes_count &&
               strcmp(w->plan.kernels[w->shapes[k].first].shape, w->plan.kernels[i].shape) != 0)
            k++;
        if (k == w->shapes_count)
            w->shapes[w->shapes_count++].first = i;
        w->shapes[k].count++;
        w->shape_of[i] = k;
    }
}

int cal_work_plan(struct cal_gpu *g, struct cal_work *w, int sms, struct dcs_err *err)
{
    struct dcs_err why = {0};
    cal_plan_release(&w->plan);
    w->sms = sms;
    if (w->app->plan(w->state, sms, &w->plan, &why) != 0)
        return dcs_err_set(err, "planning a request of size %lld: %s", (long long)w->size,
                           why.text);
    if (w->plan.kernels_count == 0)
        return dcs_err_set(err, "a request of size %lld has no kernels", (long long)w->size);
    find_shapes(w);
    return cal_gpu_check(g, cudaGetLastError(), "planning", err);
}

static int make_events(struct cal_gpu *g, struct cal_work *w, struct dcs_err *err)
{
    size_t wanted = 2 * w->shapes_count;
    if (wanted <= w->events_count)
        return 0;
    cudaEvent_t *events = dcs_alloc(wanted, sizeof *events);
    if (w->events_count > 0)
        memcpy(events, w->events, w->events_count * sizeof *events);
    free(w->events);
    w->events = events;
    for (; w->events_count < wanted; w->events_count++)
        if (cal_gpu_check(g, cudaEventCreate(&w->events[w->events_count]), "making an event",
                          err) != 0)
            return -1;
    return 0;
}

int cal_work_open(struct cal_gpu *g, const struct cal_app *app, int64_t size, uint64_t seed,
                  struct cal_work *w, struct dcs_err *err)
{
    *w = (struct cal_work){.app = app, .size = size};
    struct dcs_err why = {0};
    size_t before = 0, after = 0, total;
    (void)cudaMemGetInfo(&before, &total);
    w->state = app->create(size, seed, &why);
    cudaError_t status = cudaDeviceSynchronize();
    if (w->state == NULL) {
        cal_gpu_check(g, status, "creating", err);
        return dcs_err_set(err, "creating size %lld: %s", (long long)size, why.text);
    }
    (void)cudaMemGetInfo(&after, &total);
    w->memory_bytes = before > after ? (int64_t)(before - after) : 0;
    if (cal_gpu_check(g, status, "creating", err) == 0 && cal_work_plan(g, w, g->sms, err) == 0 &&
        make_events(g, w, err) == 0)
        return 0;
    cal_work_close(g, w);
    return -1;
}

void cal_work_close(struct cal_gpu *g, struct cal_work *w)
{
    cal_plan_release(&w->plan);
    free(w->shapes);
    free(w->shape_of);
    if (!g->dead) {
        for (size_t i = 0; i < w->events_count; i++)
            cudaEventDestroy(w->events[i]);
        w->app->destroy(w->state);
        (void)cudaGetLastError();
    }
    free(w->events);
    memset(w, 0, sizeof *w);
}

/* --- running --- */

static int failed_kernel(struct cal_gpu *g, const struct cal_work *w, size_t kernel,
                         cudaError_t status, struct dcs_err *err)
{
    char what[160];
    snprintf(what, sizeof what, "%s, size %lld, kernel %zu (%s)", w->app->name, (long long)w->size,
             kernel, w->plan.kernels[kernel].name);
    return cal_gpu_check(g, status, what, err);
}

static int failed_request(struct cal_gpu *g, const struct cal_work *w, int failed,
                          struct dcs_err *err)
{
    (void)g;
    if (!failed)
        return 0;
    struct dcs_err why = *err;
    return dcs_err_set(err, "%s, size %lld, on %d SMs: %s", w->app->name, (long long)w->size,
                       w->sms, why.text);
}

int cal_work_enqueue(struct cal_gpu *g, const struct cal_work *w, cudaStream_t stream,
                     struct dcs_err *err)
{
    for (size_t i = 0; i < w->plan.kernels_count; i++) {
        cudaError_t status = cal_enqueue(&w->plan, &w->plan.kernels[i], stream);
        if (status != cudaSuccess)
            return failed_kernel(g, w, i, status, err);
    }
    return 0;
}

int cal_work_time_request(struct cal_gpu *g, struct cal_work *w, cudaStream_t stream, int64_t *ns,
                          struct dcs_err *err)
{
    if (cal_gpu_check(g, cudaEventRecord(g->begin, stream), "recording an event", err) != 0 ||
        cal_work_enqueue(g, w, stream, err) != 0 ||
        cal_gpu_check(g, cudaEventRecord(g->end, stream), "recording an event", err) != 0)
        return -1;
    return failed_request(g, w,
                          cal_gpu_wait(g, g->end, "a request", err) != 0 ||
                              cal_gpu_elapsed(g, g->begin, g->end, ns, err) != 0,
                          err);
}

int cal_work_time_kernels(struct cal_gpu *g, struct cal_work *w, cudaStream_t stream, size_t turn,
                          int64_t *ns, struct dcs_err *err)
{
    if (make_events(g, w, err) != 0 || cal_gpu_close_gate(g, stream, err) != 0)
        return -1;
    size_t *seen = dcs_alloc(w->shapes_count, sizeof *seen);
    size_t entries = 0;
    int failed = 0;
    for (size_t i = 0; i < w->plan.kernels_count && !failed; i++) {
        const struct cal_kernel *k = &w->plan.kernels[i];
        size_t shape = w->shape_of[i];
        bool timed = seen[shape]++ == turn % w->shapes[shape].count;
        entries += 2 + cal_kernel_launches(k);
        if (entries > CAL_GATE_ENTRIES)
            cal_gpu_open_gate(g);
        cudaError_t status = timed ? cudaEventRecord(w->events[2 * shape], stream) : cudaSuccess;
        if (status == cudaSuccess)
            status = cal_enqueue(&w->plan, k, stream);
        if (status == cudaSuccess && timed)
            status = cudaEventRecord(w->events[2 * shape + 1], stream);
        failed = failed_kernel(g, w, i, status, err);
    }
    free(seen);
    cal_gpu_open_gate(g);
    if (!failed)
        failed = cal_gpu_check(g, cudaEventRecord(g->end, stream), "recording an event", err);
    if (!failed)
        failed = cal_gpu_wait(g, g->end, "a request, kernel by kernel", err);
    for (size_t k = 0; k < w->shapes_count && !failed; k++)
        failed = cal_gpu_elapsed(g, w->events[2 * k], w->events[2 * k + 1], &ns[k], err);
    return failed_request(g, w, failed, err);
}

int cal_work_time_alone(struct cal_gpu *g, struct cal_work *w, size_t shape, int times,
                        cudaStream_t stream, int64_t *ns, struct dcs_err *err)
{
    size_t kernel = w->shapes[shape].first;
    const struct cal_kernel *k = &w->plan.kernels[kernel];
    DCS_ASSERT(k->repeatable && times >= 1);
    if (cal_gpu_close_gate(g, stream, err) != 0)
        return -1;
    cudaError_t status = cudaEventRecord(g->begin, stream);
    for (int i = 0; i < times && status == cudaSuccess; i++) {
        if ((size_t)(i + 1) * cal_kernel_launches(k) > CAL_GATE_ENTRIES)
            cal_gpu_open_gate(g);
        status = cal_enqueue(&w->plan, k, stream);
    }
    if (status == cudaSuccess)
        status = cudaEventRecord(g->end, stream);
    cal_gpu_open_gate(g);
    if (failed_kernel(g, w, kernel, status, err) != 0)
        return -1;
    if (failed_request(g, w,
                       cal_gpu_wait(g, g->end, k->name, err) != 0 ||
                           cal_gpu_elapsed(g, g->begin, g->end, ns, err) != 0,
                       err) != 0)
        return -1;
    *ns /= times;
    return 0;
}
