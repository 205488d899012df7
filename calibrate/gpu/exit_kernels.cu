/*
 * exit_kernels.cu - see exit_kernels.h.
 */
#include "calibrate/gpu/exit_kernels.h"

#include "calibrate/app/app.cuh"
#include "calibrate/apps/cp_body.cuh"
#include "calibrate/apps/cutcp_body.cuh"
#include "calibrate/apps/fft_body.cuh"
#include "calibrate/apps/lbm_body.cuh"
#include "calibrate/apps/mrif_body.cuh"
#include "calibrate/apps/mriq_body.cuh"
#include "calibrate/apps/sgemm_body.cuh"
#include "calibrate/apps/tpacf_body.cuh"

#include <stdlib.h>
#include <string.h>

struct cal_exiter {
    unsigned *revoked; /* on the device: the number whose blocks exit; 0: none do */
    unsigned *wanted;  /* pinned */
    cudaStream_t stream;
    unsigned numbers;
};

namespace
{

/* As cal_plain. The flag lies in the device's memory: across the bus each look would take 1 us. */
template <class Body>
__global__ void __launch_bounds__(Body::threads)
    exiting(const typename Body::args a, const volatile unsigned *revoked, unsigned number)
{
    __shared__ typename Body::shared s;
    __shared__ unsigned over;
    if (threadIdx.x == 0)
        over = *revoked == number;
    __syncthreads();
    if (over != 0)
        return;
    Body::run(a, (int)blockIdx.x, (int)threadIdx.x, &s, cal_whole_block());
}

#ifndef CAL_EMULATED
__global__ void trapping_at_once()
{
    asm volatile("trap;");
}
#endif

template <class Body>
cudaError_t launch(const struct cal_launch *l, const unsigned *revoked, unsigned number,
                   cudaStream_t stream)
{
    void *args[] = {(void *)(l->args + l->offset[0]), &revoked, &number};
    return cudaLaunchKernel(exiting<Body>, dim3(l->grid[0]), dim3(Body::threads), args, (size_t)0,
                            stream);
}

/* The code is loaded here, and not at the first launch, which is in a run. */
template <class Body> cudaError_t load()
{
    struct cudaFuncAttributes loaded;
    return cudaFuncGetAttributes(&loaded, (const void *)exiting<Body>);
}

struct row {
    const char *app;
    int threads;
    size_t args_bytes;
    cudaError_t (*load)();
    cudaError_t (*launch)(const struct cal_launch *l, const unsigned *revoked, unsigned number,
                          cudaStream_t stream);
};

template <class Body> constexpr struct row row_of(const char *app)
{
    return {app, Body::threads, sizeof(typename Body::args), load<Body>, launch<Body>};
}

const struct row rows[] = {
    row_of<cal_cp_body>("cp"),       row_of<cal_cutcp_body>("cutcp"), row_of<cal_fft_body>("fft"),
    row_of<cal_lbm_body>("lbm"),     row_of<cal_mrif_body>("mrif"),   row_of<cal_mriq_body>("mriq"),
    row_of<cal_sgemm_body>("sgemm"), row_of<cal_tpacf_body>("tpacf"),
};

cudaError_t load_all()
{
    cudaError_t status = cudaSuccess;
    for (const struct row &r : rows)
        if (status == cudaSuccess)
            status = r.load();
    return status;
}

const struct row *find_row(const char *app)
{
    for (const struct row &r : rows)
        if (strcmp(r.app, app) == 0)
            return &r;
    return NULL;
}

/* A launch of the application's body: one dimension, and one argument, of the body's size. Each
 * file has a cal_plain of its own, so that its address does not tell. */
bool is_body(const struct cal_launch *l, const struct row *r)
{
    return l->args_count == 1 && l->offset[CAL_ARGS_MAX - 1] == r->args_bytes && l->grid[1] == 1 &&
           l->grid[2] == 1 && l->block[1] == 1 && l->block[2] == 1 &&
           (int)l->block[0] == r->threads && l->shared_bytes == 0;
}

} // namespace

extern "C" const char cal_exiter_apps[] = "cp, cutcp, fft, lbm, mrif, mriq, sgemm and tpacf";

extern "C" bool cal_exiter_serves(const char *app)
{
    return find_row(app) != NULL;
}

extern "C" struct cal_exiter *cal_exiter_create(struct dcs_err *err)
{
    struct cal_exiter *e = (struct cal_exiter *)calloc(1, sizeof *e);
    if (e == NULL) {
        cal_fail(err, "exit flags: out of host memory");
        return NULL;
    }
    if (cal_device_alloc((void **)&e->revoked, sizeof *e->revoked, err) != 0 ||
        cal_host_alloc((void **)&e->wanted, sizeof *e->wanted, err) != 0 ||
        cal_fail_cuda(err, cudaMemset(e->revoked, 0, sizeof *e->revoked), "exit flags") != 0 ||
        cal_fail_cuda(err, cudaStreamCreate(&e->stream), "exit flags") != 0 ||
        cal_fail_cuda(err, load_all(), "kernels with exit flags") != 0) {
        cal_exiter_destroy(e);
        return NULL;
    }
    return e;
}

extern "C" void cal_exiter_destroy(struct cal_exiter *e)
{
    if (e == NULL)
        return;
    if (e->stream != NULL)
        cudaStreamDestroy(e->stream);
    cudaFreeHost(e->wanted);
    cudaFree(e->revoked);
    free(e);
}

extern "C" int cal_exiter_enqueue(struct cal_exiter *e, const char *app,
                                  const struct cal_plan *plan, size_t kernel, cudaStream_t stream,
                                  uint32_t *number, struct dcs_err *err)
{
    const struct row *r = find_row(app);
    const struct cal_kernel *k = &plan->kernels[kernel];
    if (r == NULL || k->kind != CAL_COMPUTE)
        return 0;
    const struct cal_launch *first = &plan->launches[k->first_launch];
    for (uint32_t i = 0; i < k->launches; i++)
        if (!is_body(&first[i], r))
            return 0;
    *number = ++e->numbers;
    for (uint32_t i = 0; i < k->launches; i++)
        if (cal_fail_cuda(err, r->launch(&first[i], e->revoked, *number, stream), k->name) != 0)
            return -1;
    return 1;
}

extern "C" int cal_exiter_stop(struct cal_exiter *e, uint32_t number, struct dcs_err *err)
{
    cudaError_t status = cudaStreamSynchronize(e->stream); /* the word before has been read */
    *e->wanted = number;
    if (status == cudaSuccess)
        status = cudaMemcpyAsync(e->revoked, e->wanted, sizeof *e->wanted, cudaMemcpyHostToDevice,
                                 e->stream);
    return cal_fail_cuda(err, status, "setting an exit flag");
}

#ifndef CAL_EMULATED
extern "C" int cal_trap_open(cudaStream_t *stream, struct dcs_err *err)
{
    int lowest = 0, highest = 0;
    struct cudaFuncAttributes loaded;
    cudaError_t status = cudaDeviceGetStreamPriorityRange(&lowest, &highest);
    if (status == cudaSuccess)
        status = cudaStreamCreateWithPriority(stream, cudaStreamNonBlocking, highest);
    if (status == cudaSuccess)
        status = cudaFuncGetAttributes(&loaded, trapping_at_once);
    return cal_fail_cuda(err, status, "preparing a trap");
}

extern "C" int cal_trap_launch(cudaStream_t stream, struct dcs_err *err)
{
    cudaError_t status =
        cudaLaunchKernel(trapping_at_once, dim3(1), dim3(1), NULL, (size_t)0, stream);
    return cal_fail_cuda(err, status, "a trap");
}
#endif
