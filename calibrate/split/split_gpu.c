/* split_gpu.c - see split_gpu.h. */
#include "calibrate/split/split_gpu.h"

#include "calibrate/cpu/cpu_app.h"

#include <stdlib.h>
#include <string.h>

static int check_cuda(cudaError_t status, const char *what, struct dcs_err *err)
{
    if (status == cudaSuccess)
        return 0;
    (void)cudaGetLastError();
    return dcs_err_set(err, "%s: %s", what, cudaGetErrorString(status));
}

/* --- memory --- */

static int make_array(struct cal_split_array *a, const char *what, struct dcs_err *err)
{
    size_t bytes = a->count * sizeof *a->host;
    if (bytes == 0)
        return 0;
    void *host = NULL, *device = NULL;
    int failed = check_cuda(cudaMallocHost(&host, bytes), what, err);
    a->host = host;
    if (failed || check_cuda(cudaMalloc(&device, bytes), what, err) != 0)
        return -1;
    a->device = device;
    memset(host, 0, bytes);
    return 0;
}

static void free_array(struct cal_split_array *a)
{
    cudaFreeHost(a->host);
    cudaFree(a->device);
    *a = (struct cal_split_array){0};
}

static int make_sums(struct cal_split *s, struct dcs_err *err)
{
    const size_t bytes = CAL_SPLIT_DEVICE_SUMS * sizeof(double);
    void *host = NULL, *device = NULL;
    int failed = check_cuda(cudaMallocHost(&host, bytes), "memory of sums", err);
    s->device_sums_host = host;
    if (failed || check_cuda(cudaMalloc(&device, bytes), "memory of sums", err) != 0)
        return -1;
    s->device_sums = device;
    s->thread_sums = dcs_alloc((CAL_SPLIT_THREADS_MAX + 1) * 16, sizeof *s->thread_sums);
    return 0;
}

static void fill_rows(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    struct cal_split *s = context;
    s->program->fill(s, begin, end);
}

static int make_memory(struct cal_split *s, struct dcs_err *err)
{
    if (make_array(&s->constant, "memory of constant data", err) != 0 ||
        make_array(&s->varying, "memory of what a pass needs", err) != 0 ||
        make_array(&s->in, "memory of inputs", err) != 0 ||
        make_array(&s->out, "memory of results", err) != 0)
        return -1;
    if (s->own_count > 0)
        s->own = dcs_alloc(s->own_count, sizeof *s->own);
    return s->sums ? make_sums(s, err) : 0;
}

int cal_split_create(struct cal_split *s, const struct cal_split_program *program, int64_t n,
                     uint64_t seed, struct cal_team *team, struct dcs_err *err)
{
    *s = (struct cal_split){.program = program, .n = n, .seed = seed, .in_share = 1};
    program->shape(s);
    int failed = make_memory(s, err);
    if (!failed && program->fill != NULL)
        cal_team_for(team, n, n / 64 + 1, fill_rows, s);
    if (!failed && s->constant.count > 0)
        failed = check_cuda(cudaMemcpy(s->constant.device, s->constant.host,
                                       s->constant.count * sizeof(float), cudaMemcpyHostToDevice),
                            "copying constant data", err);
    if (failed)
        cal_split_release(s);
    return failed;
}

void cal_split_release(struct cal_split *s)
{
    free_array(&s->constant);
    free_array(&s->varying);
    free_array(&s->in);
    free_array(&s->out);
    cudaFreeHost(s->device_sums_host);
    cudaFree(s->device_sums);
    free(s->thread_sums);
    free(s->own);
    *s = (struct cal_split){0};
}

/* --- chunks --- */

static int wait_for(cudaStream_t stream, struct dcs_err *err)
{
    return check_cuda(cudaStreamSynchronize(stream), "waiting for the GPU", err);
}

int cal_split_gpu_begin(struct cal_split *s, cudaStream_t stream, struct dcs_err *err)
{
    if (s->varying.count == 0)
        return 0;
    if (check_cuda(cudaMemcpyAsync(s->varying.device, s->varying.host,
                                   s->varying.count * sizeof(float), cudaMemcpyHostToDevice,
                                   stream),
                   "copying what a pass needs", err) != 0)
        return -1;
    return wait_for(stream, err);
}

static int copy_in(struct cal_split *s, int64_t first, int64_t count, cudaStream_t stream,
                   struct dcs_err *err)
{
    if (s->in.count == 0)
        return 0;
    size_t begin = (size_t)(first / s->in_share) * s->in_row;
    size_t end = (size_t)((first + count - 1) / s->in_share + 1) * s->in_row;
    return check_cuda(cudaMemcpyAsync(s->in.device + begin, s->in.host + begin,
                                      (end - begin) * sizeof(float), cudaMemcpyHostToDevice,
                                      stream),
                      "copying inputs", err);
}

static int copy_out(struct cal_split *s, int64_t first, int64_t count, unsigned sums,
                    cudaStream_t stream, struct dcs_err *err)
{
    if (sums > 0)
        return check_cuda(cudaMemcpyAsync(s->device_sums_host, s->device_sums,
                                          sums * sizeof(double), cudaMemcpyDeviceToHost, stream),
                          "copying sums back", err);
    size_t begin = (size_t)first * s->out_each, floats = (size_t)count * s->out_each;
    return check_cuda(cudaMemcpyAsync(s->out.host + begin, s->out.device + begin,
                                      floats * sizeof(float), cudaMemcpyDeviceToHost, stream),
                      "copying results back", err);
}

int cal_split_gpu_chunk(struct cal_split *s, int64_t first, int64_t count, cudaStream_t stream,
                        struct dcs_err *err)
{
    unsigned sums = 0;
    if (copy_in(s, first, count, stream, err) != 0 ||
        check_cuda((cudaError_t)cal_split_enqueue(s, first, count, stream, &sums), s->program->name,
                   err) != 0 ||
        copy_out(s, first, count, sums, stream, err) != 0 || wait_for(stream, err) != 0)
        return -1;
    for (unsigned i = 0; i < sums; i++)
        *cal_split_sum(s, CAL_SPLIT_THREADS_MAX) += s->device_sums_host[i];
    return 0;
}
