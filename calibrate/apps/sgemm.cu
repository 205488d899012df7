/*
 * sgemm.cu - the product of two dense matrices in single precision on CUDA cores, tiled for shared
 * memory and registers after Volkov and Demmel, "Benchmarking GPUs to tune dense linear algebra",
 * SC 2008. Tacker's table II names it.
 *
 * Size: rows and columns of the square matrices, in whole tiles. A request uploads A, multiplies in
 * one kernel, C = A B + C / 2, and downloads C. B stays on the device; C begins as it was created,
 * by a copy on the device, so that requests are equal.
 */
#include "calibrate/apps/sgemm_body.cuh"
#include "calibrate/app/app.cuh"

#include <stdlib.h>
#include <vector>

namespace
{

using body = cal_sgemm_body;
constexpr float alpha = 1.0f, beta = 0.5f;

struct state {
    int n;
    size_t bytes;
    float *host_a, *host_c; /* pinned */
    float *a, *b, *c, *c_before;
};

__global__ void copy(float4 *to, const float4 *from, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}

void destroy(void *state)
{
    struct state *s = (struct state *)state;
    if (s == NULL)
        return;
    cudaFreeHost(s->host_a);
    cudaFreeHost(s->host_c);
    cudaFree(s->a);
    cudaFree(s->b);
    cudaFree(s->c);
    cudaFree(s->c_before);
    free(s);
}

void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    struct state *s = (struct state *)calloc(1, sizeof *s);
    if (s == NULL) {
        cal_fail(err, "sgemm: out of host memory");
        return NULL;
    }
    s->n = (int)size;
    size_t elements = (size_t)s->n * s->n;
    s->bytes = elements * sizeof(float);
    /* A is random on the device first: filling it on the host would take a second. */
    if (cal_host_alloc((void **)&s->host_a, s->bytes, err) != 0 ||
        cal_host_alloc((void **)&s->host_c, s->bytes, err) != 0 ||
        cal_device_alloc((void **)&s->a, s->bytes, err) != 0 ||
        cal_device_alloc((void **)&s->b, s->bytes, err) != 0 ||
        cal_device_alloc((void **)&s->c, s->bytes, err) != 0 ||
        cal_device_alloc((void **)&s->c_before, s->bytes, err) != 0 ||
        cal_fill_uniform_f32(s->a, elements, seed, -1, 1, err) != 0 ||
        cal_fill_uniform_f32(s->b, elements, seed + 1, -1, 1, err) != 0 ||
        cal_fill_uniform_f32(s->c_before, elements, seed + 2, -1, 1, err) != 0 ||
        cal_fail_cuda(err, cudaMemcpy(s->host_a, s->a, s->bytes, cudaMemcpyDeviceToHost),
                      "sgemm: making A") != 0) {
        destroy(s);
        return NULL;
    }
    return s;
}

int plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    struct state *s = (struct state *)state;
    double n = s->n;
    size_t quads = s->bytes / sizeof(float4);
    cal_add_transfer(p, CAL_TO_DEVICE, "a", s->a, s->host_a, s->bytes);
    struct cal_kernel *k = cal_begin_kernel(p, CAL_COMPUTE, "copy_c", "copy_%zu", s->bytes);
    k->repeatable = true;
    k->flop = n * n; /* moves, in place of operations */
    k->bytes = 8 * n * n;
    cal_add_launch(p, copy, cal_blocks((int64_t)quads, 256), 256, 0, (float4 *)s->c,
                   (const float4 *)s->c_before, quads);
    k = cal_begin_kernel(p, CAL_COMPUTE, "sgemm", "sgemm_%d", s->n);
    k->repeatable = true; /* C / 2 + A B stays finite */
    k->flop = 2 * n * n * n + 3 * n * n;
    k->bytes = 16 * n * n;
    struct cal_sgemm_body::args a = {s->a, s->b, s->c, s->n, s->n, alpha, beta};
    cal_add_launch(p, cal_plain<body>,
                   (unsigned)(s->n / body::rows) * (unsigned)(s->n / body::columns), body::threads,
                   0, a);
    cal_add_transfer(p, CAL_FROM_DEVICE, "c", s->host_c, s->c, s->bytes);
    return 0;
}

int check_results(void *state, struct dcs_err *err)
{
    struct state *s = (struct state *)state;
    size_t n = (size_t)s->n;
    std::vector<float> b(n * n), c(n * n), got, want;
    if (cal_fail_cuda(err, cudaMemcpy(b.data(), s->b, s->bytes, cudaMemcpyDeviceToHost),
                      "sgemm: reading B") != 0 ||
        cal_fail_cuda(err, cudaMemcpy(c.data(), s->c_before, s->bytes, cudaMemcpyDeviceToHost),
                      "sgemm: reading C") != 0)
        return -1;
    /* All of a small product; of a large one some rows, in which every tile's column occurs. */
    for (size_t i = 0; i < n; i += n / 128) {
        std::vector<double> row(n);
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++)
                row[j] += (double)s->host_a[i * n + k] * b[k * n + j];
        for (size_t j = 0; j < n; j++) {
            got.push_back(s->host_c[i * n + j]);
            want.push_back((float)(alpha * row[j] + beta * c[i * n + j]));
        }
    }
    return cal_compare_f32(got.data(), want.data(), got.size(), 1e-6 * (double)n, 1e-5, "sgemm: C",
                           err);
}

} // namespace

extern "C" const struct cal_app cal_app_sgemm = {
    /*.name=*/"sgemm",
    /*.role=*/CAL_BATCH,
    /*.papers=*/"Tacker table II: sgemm",
    /*.algorithm=*/"Volkov and Demmel, Benchmarking GPUs to tune dense linear algebra, SC 2008",
    /*.size_unit=*/"rows and columns",
    /*.size_min=*/1664,
    /*.size_max=*/5888,
    /*.size_default=*/5120,
    /*.size_check=*/128,
    /*.size_step=*/128,
    /*.sla_ns=*/0,
    create,
    plan,
    check_results,
    destroy,
};
