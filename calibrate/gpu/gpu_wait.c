/* gpu_wait.c - errors of the runtime, waiting and the gate; see measured_gpu.h. */
#include "calibrate/gpu/ceilings.h"
#include "calibrate/gpu/measured_gpu.h"

#include <time.h>

double cal_seconds(void *unused)
{
    (void)unused;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* --- errors and waiting --- */

int cal_gpu_check(struct cal_gpu *g, cudaError_t status, const char *what, struct dcs_err *err)
{
    if (status == cudaSuccess)
        return 0;
    dcs_err_set(err, "%s: %s (%s)", what, cudaGetErrorString(status), cudaGetErrorName(status));
    (void)cudaGetLastError();
    if (!g->dead && g->begin != NULL) {
        /* An error that stays, after it was cleared, is the context's end. */
        cudaError_t again = cudaStreamQuery(cudaStreamPerThread);
        g->dead = again != cudaSuccess && again != cudaErrorNotReady;
        (void)cudaGetLastError();
    }
    return -1;
}

static int wait_for(struct cal_gpu *g, cudaError_t (*query)(void *), void *what_for,
                    const char *what, struct dcs_err *err)
{
    double began = cal_seconds(NULL);
    for (;;) {
        cudaError_t status = query(what_for);
        if (status == cudaSuccess)
            return 0;
        if (status != cudaErrorNotReady)
            return cal_gpu_check(g, status, what, err);
        if (cal_seconds(NULL) - began > g->patience_s) {
            g->dead = true;
            return dcs_err_set(err, "%s: not finished after %.0f s, taken for hung", what,
                               g->patience_s);
        }
        for (double look = cal_seconds(NULL) + (double)g->look_ns * 1e-9;
             g->look_ns > 0 && cal_seconds(NULL) < look;)
            continue;
    }
}

static cudaError_t query_event(void *event)
{
    return cudaEventQuery((cudaEvent_t)event);
}

static cudaError_t query_stream(void *stream)
{
    return cudaStreamQuery((cudaStream_t)stream);
}

int cal_gpu_wait(struct cal_gpu *g, cudaEvent_t event, const char *what, struct dcs_err *err)
{
    return wait_for(g, query_event, event, what, err);
}

int cal_gpu_wait_stream(struct cal_gpu *g, cudaStream_t stream, const char *what,
                        struct dcs_err *err)
{
    return wait_for(g, query_stream, stream, what, err);
}

int cal_gpu_elapsed(struct cal_gpu *g, cudaEvent_t from, cudaEvent_t to, int64_t *ns,
                    struct dcs_err *err)
{
    float ms = 0;
    if (cal_gpu_check(g, cudaEventElapsedTime(&ms, from, to), "reading a time", err) != 0)
        return -1;
    *ns = (int64_t)((double)ms * 1e6 + 0.5);
    return 0;
}

/* --- gate --- */

int cal_gpu_close_gate(struct cal_gpu *g, cudaStream_t stream, struct dcs_err *err)
{
    g->ticket++;
    return cal_gpu_check(g, cal_launch_gate(stream, g->gate_device, g->ticket), "closing the gate",
                         err);
}

void cal_gpu_open_gate(struct cal_gpu *g)
{
    __atomic_store_n(g->gate, g->ticket, __ATOMIC_RELEASE);
}
