/*
 * check.c - see check.h.
 */
#include "calibrate/measure/check.h"
#include "calibrate/measure/work.h"

static int run_and_compare(struct cal_gpu *g, struct cal_work *w, cudaStream_t stream,
                           const char *when, struct dcs_err *err)
{
    int64_t ns;
    struct dcs_err why = {0};
    if (cal_work_time_request(g, w, stream, &ns, &why) != 0)
        return dcs_err_set(err, "%s: %s", when, why.text);
    if (cal_gpu_check(g, cudaDeviceSynchronize(), when, err) != 0)
        return -1;
    int wrong = w->app->check(w->state, &why);
    /* The check copies results: an error of CUDA that it met counts too. */
    if (cal_gpu_check(g, cudaGetLastError(), "checking", err) != 0)
        return -1;
    return wrong ? dcs_err_set(err, "%s: %s", when, why.text) : 0;
}

static int run_alone(struct cal_gpu *g, struct cal_work *w, cudaStream_t stream,
                     struct dcs_err *err)
{
    for (size_t i = 0; i < w->shapes_count; i++) {
        const struct cal_kernel *k = &w->plan.kernels[w->shapes[i].first];
        for (int turn = 0; turn < 2 && k->repeatable; turn++)
            if (cal_gpu_check(g, cal_enqueue(&w->plan, k, stream), k->name, err) != 0 ||
                cal_gpu_wait_stream(g, stream, k->name, err) != 0)
                return -1;
    }
    return 0;
}

int cal_check_app(struct cal_gpu *g, const struct cal_app *app, uint64_t seed, struct dcs_err *err)
{
    struct cal_work w;
    if (cal_work_open(g, app, app->size_check, seed, &w, err) != 0)
        return -1;
    cudaStream_t stream = g->cached[0].stream;
    int failed = run_and_compare(g, &w, stream, "the first request", err) != 0 ||
                 run_alone(g, &w, stream, err) != 0 ||
                 run_and_compare(g, &w, stream, "a second request in the same state", err) != 0;
    cal_work_close(g, &w);
    return failed ? -1 : 0;
}
