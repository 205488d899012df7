/* drive_gpu_stops.c - see drive_gpu.h. */
#include "calibrate/drive/drive_gpu.h"

#include "calibrate/gpu/exit_kernels.h"
#include "calibrate/worker/worker.h"

#define PATIENCE_NS (20 * DCS_NS_PER_S) /* on an H200 a trap took 0.35 to 0.41 s */

int cal_stops_open(struct cal_stops *s, struct cal_gpu *gpu, bool traps, bool exits,
                   struct dcs_err *err)
{
    *s = (struct cal_stops){.gpu = gpu};
    if (traps)
        return cal_trap_open(&s->trapper, err);
    if (exits)
        s->exiter = cal_exiter_create(err);
    return exits && s->exiter == NULL ? -1 : 0;
}

void cal_stops_close(struct cal_stops *s)
{
    cal_exiter_destroy(s->exiter);
    if (s->trapper != NULL)
        cudaStreamDestroy(s->trapper);
}

int cal_stops_enqueue(struct cal_stops *s, const char *app, const struct cal_plan *plan,
                      size_t kernel, cudaStream_t stream, uint32_t *number, struct dcs_err *err)
{
    *number = 0;
    return s->exiter != NULL ? cal_exiter_enqueue(s->exiter, app, plan, kernel, stream, number, err)
                             : 0;
}

int cal_stops_stop(struct cal_stops *s, uint32_t number, struct dcs_err *err)
{
    if (s->trapper == NULL)
        return number != 0 ? cal_exiter_stop(s->exiter, number, err) : 0;
    if (s->trapped_ns != 0)
        return 0;
    s->trapped_ns = cal_now_ns();
    return cal_trap_launch(s->trapper, err);
}

int cal_stops_trapped(struct cal_stops *s, struct dcs_err *err)
{
    cudaError_t status = cudaStreamQuery(s->trapper);
    if (status != cudaSuccess && status != cudaErrorNotReady) {
        s->gpu->dead = true;
        return 1;
    }
    if (cal_now_ns() - s->trapped_ns < PATIENCE_NS)
        return 0;
    return dcs_err_set(err, "a trap has ended nothing after %lld s",
                       (long long)(PATIENCE_NS / DCS_NS_PER_S));
}
