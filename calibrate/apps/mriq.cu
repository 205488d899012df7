/*
 * mriq.cu - the matrix Q of a non-Cartesian magnetic resonance reconstruction.
 *
 *   Q(x_n) = sum over m of |phi(k_m)|^2 exp(i 2 pi k_m . x_n)
 *
 * after Stone, Haldar, Tsao, Hwu, Liang and Sutton, "Accelerating advanced MRI reconstructions on
 * GPUs", Computing Frontiers 2008. Tacker's table II and Themis' tables name it (mriq, mri_q).
 *
 * Size: voxels along each edge of the cube; k-space has 16384 samples whatever the size. A request
 * uploads the trajectory, forms |phi|^2, adds eight chunks of 2048 samples, one kernel each, as the
 * authors did for the constant memory of their time, and downloads Q. Here the chunk comes through
 * shared memory, and a thread has two voxels.
 */
#include "calibrate/apps/mriq_body.cuh"
#include "calibrate/apps/mri_input.cuh"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

namespace
{

constexpr int samples = 16384, chunk = 2048;

struct state {
    int edge, voxels;
    float *host_in, *host_out; /* pinned: kx ky kz re im; Q's real and imaginary part */
    float *in, *x, *q;
    float4 *packed;
};

__global__ void phi_magnitude(const float *in, float4 *packed, int n)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    float re = in[3 * n + i], im = in[4 * n + i];
    packed[i] = make_float4(in[i], in[n + i], in[2 * n + i], re * re + im * im);
}

void destroy(void *state)
{
    struct state *s = (struct state *)state;
    if (s == NULL)
        return;
    cudaFreeHost(s->host_in);
    cudaFreeHost(s->host_out);
    cudaFree(s->in);
    cudaFree(s->x);
    cudaFree(s->q);
    cudaFree(s->packed);
    free(s);
}

void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    struct state *s = (struct state *)calloc(1, sizeof *s);
    if (s == NULL) {
        cal_fail(err, "mriq: out of host memory");
        return NULL;
    }
    s->edge = (int)size;
    s->voxels = s->edge * s->edge * s->edge;
    size_t n = (size_t)s->voxels;
    if (cal_host_alloc((void **)&s->host_in, 5 * samples * sizeof(float), err) != 0 ||
        cal_host_alloc((void **)&s->host_out, 2 * n * sizeof(float), err) != 0 ||
        cal_device_alloc((void **)&s->in, 5 * samples * sizeof(float), err) != 0 ||
        cal_device_alloc((void **)&s->x, 3 * n * sizeof(float), err) != 0 ||
        cal_device_alloc((void **)&s->q, 2 * n * sizeof(float), err) != 0 ||
        cal_device_alloc((void **)&s->packed, samples * sizeof(float4), err) != 0) {
        destroy(s);
        return NULL;
    }
    cal_mri_samples(s->host_in, samples, 2, s->edge, seed);
    cal_mri_voxels<<<cal_blocks(s->voxels, 256), 256>>>(s->x, s->x + n, s->x + 2 * n, s->edge);
    cudaError_t status = cudaGetLastError();
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    if (cal_fail_cuda(err, status, "mriq: placing the voxels") != 0) {
        destroy(s);
        return NULL;
    }
    return s;
}

int plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    struct state *s = (struct state *)state;
    size_t n = (size_t)s->voxels;
    cal_add_transfer(p, CAL_TO_DEVICE, "trajectory", s->in, s->host_in,
                     5 * samples * sizeof(float));
    struct cal_kernel *k = cal_begin_kernel(p, CAL_COMPUTE, "phi", "phi_%d", samples);
    k->repeatable = true;
    k->flop = 3.0 * samples;
    k->bytes = 36.0 * samples;
    cal_add_launch(p, phi_magnitude, cal_blocks(samples, 256), 256, 0, s->in, s->packed, samples);
    for (int c = 0; c < samples / chunk; c++) {
        char name[16];
        snprintf(name, sizeof name, "q_%d", c);
        k = cal_begin_kernel(p, CAL_COMPUTE, name, "%s_%dx%d", c == 0 ? "q_store" : "q_add",
                             s->voxels, chunk);
        k->repeatable = true;
        /* Phase 5, reduction to half a turn 4, sine and cosine 2, sums 4. */
        k->flop = 15.0 * s->voxels * chunk;
        k->bytes = (c == 0 ? 20.0 : 28.0) * s->voxels + 16.0 * chunk;
        struct cal_mriq_body::args a = {s->x,  s->x + n, s->x + 2 * n, s->packed + c * chunk,
                                        s->q,  s->q + n, s->voxels,    chunk,
                                        c != 0};
        cal_add_launch(p, cal_plain<cal_mriq_body>, cal_blocks(s->voxels, cal_mriq_body::per_block),
                       cal_mriq_body::threads, 0, a);
    }
    cal_add_transfer(p, CAL_FROM_DEVICE, "q", s->host_out, s->q, 2 * n * sizeof(float));
    return 0;
}

int check_results(void *state, struct dcs_err *err)
{
    struct state *s = (struct state *)state;
    const double turn = 2 * acos(-1.0);
    const float *in = s->host_in;
    /* Every voxel of a small cube, a spread of those of a large one. */
    int step = s->voxels / 1500 + 1;
    std::vector<float> got, want;
    for (int v = 0; v < s->voxels; v += step) {
        const int position[3] = {v % s->edge, v / s->edge % s->edge, v / s->edge / s->edge};
        double re = 0, im = 0;
        for (int m = 0; m < samples; m++) {
            double phase = 0;
            for (int d = 0; d < 3; d++)
                phase += in[d * samples + m] * ((double)position[d] / s->edge - 0.5);
            double phi_re = in[3 * samples + m], phi_im = in[4 * samples + m];
            double weight = phi_re * phi_re + phi_im * phi_im;
            re += weight * cos(turn * phase);
            im += weight * sin(turn * phase);
        }
        got.push_back(s->host_out[v]);
        got.push_back(s->host_out[s->voxels + v]);
        want.push_back((float)re);
        want.push_back((float)im);
    }
    /* A sum of 16384 terms of up to 2, each off by at most some 1e-5 (rounding of the phase), with
     * signs that cancel. */
    return cal_compare_f32(got.data(), want.data(), got.size(), 0.02, 1e-4, "mriq: Q", err);
}

} // namespace

extern "C" const struct cal_app cal_app_mriq = {
    /*.name=*/"mriq",
    /*.role=*/CAL_BATCH,
    /*.papers=*/"Tacker table II: mriq; Themis: mri_q",
    /*.algorithm=*/"Stone et al., Accelerating advanced MRI reconstructions on GPUs, CF 2008: Q",
    /*.size_unit=*/"voxels per edge",
    /*.size_min=*/36,
    /*.size_max=*/128,
    /*.size_default=*/112,
    /*.size_check=*/12,
    /*.size_step=*/4,
    /*.sla_ns=*/0,
    create,
    plan,
    check_results,
    destroy,
};
