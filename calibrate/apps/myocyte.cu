/*
 * myocyte.cu - heart muscle cells after a stimulus: a system of differential equations for each of
 * many cells, integrated by the classical Runge-Kutta method.
 *
 * The model is phase I of Luo and Rudy, "A model of the ventricular cardiac action potential",
 * Circulation Research 68, 1991: 8 state variables, 6 currents. C-Laius table 3 (MY): the benchmark
 * of Che et al., IISWC 2010 (Szafaryn et al.) integrates a larger model of a rabbit's cell for few
 * cells; ours has one thread for each of many.
 *
 * A size is a number of cells. A request is 400 steps of 0.01 ms, which hold the stimulus and the
 * upstroke; a kernel is one launch of 100. It reads the states that the kernel before left, which
 * are kept, so that it can be repeated. Cells differ by the strength of their sodium current. The
 * states at the beginning come from the host, those at the end go there.
 */
#include "calibrate/app/app.cuh"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

namespace
{

constexpr int variables = 8, kernels = 4, steps = 100, block = 128;
constexpr float step_ms = 0.01f, stimulus_ua = -40.0f; /* per cm^2, in the first 100 steps */

struct myocyte {
    int64_t cells;
    float *states[kernels + 1]; /* device: variables * cells, V m h j d f X Ca each */
    float *sodium;              /* device: mS/cm^2 */
    float *sent, *result;       /* host */
};

/* Opening and closing rates of a gate, per ms. */
__device__ float gate(float open, float close, float x)
{
    return open - (open + close) * x;
}

/* x / (1 - exp(-x / scale)), which has a hole at 0. */
__device__ float over_expm1(float x, float scale)
{
    return fabsf(x) < 1e-3f ? scale + 0.5f * x : x / (1.0f - expf(-x / scale));
}

/* Derivatives per ms; numbers are the paper's, potassium outside at 5.4 mM. */
__device__ void derive(const float *s, float sodium, float stimulus, float *ds)
{
    float v = s[0], m = s[1], h = s[2], j = s[3], d = s[4], f = s[5], x = s[6], ca = s[7];

    float h_open = 0, h_close, j_open = 0, j_close;
    if (v >= -40.0f) {
        h_close = 1.0f / (0.13f * (1.0f + expf((v + 10.66f) / -11.1f)));
        j_close = 0.3f * expf(-2.535e-7f * v) / (1.0f + expf(-0.1f * (v + 32.0f)));
    } else {
        h_open = 0.135f * expf((80.0f + v) / -6.8f);
        h_close = 3.56f * expf(0.079f * v) + 3.1e5f * expf(0.35f * v);
        j_open = (-1.2714e5f * expf(0.2444f * v) - 3.474e-5f * expf(-0.04391f * v)) * (v + 37.78f) /
                 (1.0f + expf(0.311f * (v + 79.23f)));
        j_close = 0.1212f * expf(-0.01052f * v) / (1.0f + expf(-0.1378f * (v + 40.14f)));
    }
    ds[1] = gate(0.32f * over_expm1(v + 47.13f, 10.0f), 0.08f * expf(v / -11.0f), m);
    ds[2] = gate(h_open, h_close, h);
    ds[3] = gate(j_open, j_close, j);
    ds[4] = gate(0.095f * expf(-0.01f * (v - 5.0f)) / (1.0f + expf(-0.072f * (v - 5.0f))),
                 0.07f * expf(-0.017f * (v + 44.0f)) / (1.0f + expf(0.05f * (v + 44.0f))), d);
    ds[5] = gate(0.012f * expf(-0.008f * (v + 28.0f)) / (1.0f + expf(0.15f * (v + 28.0f))),
                 0.0065f * expf(-0.02f * (v + 30.0f)) / (1.0f + expf(-0.2f * (v + 30.0f))), f);
    ds[6] = gate(0.0005f * expf(0.083f * (v + 50.0f)) / (1.0f + expf(0.057f * (v + 50.0f))),
                 0.0013f * expf(-0.06f * (v + 20.0f)) / (1.0f + expf(-0.04f * (v + 20.0f))), x);

    float fast_sodium = sodium * m * m * m * h * j * (v - 54.4f);
    float slow_inward = 0.09f * d * f * (v - (7.7f - 13.0287f * logf(ca)));
    float w = v + 77.0f; /* (exp(0.04 w) - 1) / w has a hole at 0 */
    float rises = fabsf(w) < 1e-3f ? 0.04f : (expf(0.04f * w) - 1.0f) / w;
    float rectifies = v > -100.0f ? 2.837f * rises * expf(-0.04f * (v + 35.0f)) : 1.0f;
    float time_dependent = 0.282f * x * rectifies * w;
    float e = v + 87.2f;
    float k1_open = 1.02f / (1.0f + expf(0.2385f * (e - 59.215f)));
    float k1_close = (0.49124f * expf(0.08032f * (e + 5.476f)) + expf(0.06175f * (e - 594.31f))) /
                     (1.0f + expf(-0.5143f * (e + 4.753f)));
    float time_independent = 0.6047f * k1_open / (k1_open + k1_close) * e;
    float plateau = 0.0183f * e / (1.0f + expf((7.488f - v) / 5.98f));
    float background = 0.03921f * (v + 59.87f);

    ds[0] = -(fast_sodium + slow_inward + time_dependent + time_independent + plateau + background +
              stimulus);
    ds[7] = -1e-4f * slow_inward + 0.07f * (1e-4f - ca);
}

__global__ void __launch_bounds__(block)
    integrate(const float *from, float *to, const float *sodium, int64_t cells, float stimulus)
{
    int64_t cell = blockIdx.x * (int64_t)block + threadIdx.x;
    if (cell >= cells)
        return;
    float s[variables], strength = sodium[cell];
#pragma unroll
    for (int i = 0; i < variables; i++)
        s[i] = from[i * cells + cell];
    for (int step = 0; step < steps; step++) {
        float sum[variables] = {}, at[variables], ds[variables];
#pragma unroll
        for (int i = 0; i < variables; i++)
            at[i] = s[i];
            /* Not unrolled: four copies of the model would not fit the instruction cache. */
#pragma unroll 1
        for (int stage = 0; stage < 4; stage++) {
            derive(at, strength, stimulus, ds);
            float weight = stage == 0 || stage == 3 ? step_ms / 6 : step_ms / 3;
            float ahead = stage == 2 ? step_ms : step_ms / 2;
#pragma unroll
            for (int i = 0; i < variables; i++) {
                sum[i] += weight * ds[i];
                at[i] = s[i] + ahead * ds[i];
            }
        }
#pragma unroll
        for (int i = 0; i < variables; i++)
            s[i] += sum[i];
    }
#pragma unroll
    for (int i = 0; i < variables; i++)
        to[i * cells + cell] = s[i];
}

void myocyte_destroy(void *state)
{
    struct myocyte *m = (struct myocyte *)state;
    if (m == NULL)
        return;
    for (int i = 0; i <= kernels; i++)
        cudaFree(m->states[i]);
    cudaFree(m->sodium);
    cudaFreeHost(m->sent);
    cudaFreeHost(m->result);
    free(m);
}

int allocate(struct myocyte *m, struct dcs_err *err)
{
    size_t bytes = (size_t)m->cells * variables * 4;
    for (int i = 0; i <= kernels; i++)
        if (cal_device_alloc((void **)&m->states[i], bytes, err) != 0)
            return -1;
    if (cal_device_alloc((void **)&m->sodium, (size_t)m->cells * 4, err) != 0 ||
        cal_host_alloc((void **)&m->sent, bytes, err) != 0)
        return -1;
    return cal_host_alloc((void **)&m->result, bytes, err);
}

void *myocyte_create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    /* At rest. */
    static const float rest[variables] = {-84.4f, 0.0017f, 0.9832f, 0.9895f,
                                          0.003f, 1.0f,    0.0057f, 0.00018f};
    struct myocyte *m = (struct myocyte *)calloc(1, sizeof *m);
    if (m == NULL) {
        cal_fail(err, "out of memory");
        return NULL;
    }
    m->cells = size;
    if (allocate(m, err) != 0 ||
        cal_fill_uniform_f32(m->sodium, (size_t)size, seed, 18, 28, err) != 0) {
        myocyte_destroy(m);
        return NULL;
    }
    for (int i = 0; i < variables; i++)
        for (int64_t cell = 0; cell < size; cell++)
            m->sent[i * size + cell] = rest[i];
    return m;
}

int myocyte_plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    const struct myocyte *m = (const struct myocyte *)state;
    size_t bytes = (size_t)m->cells * variables * 4;
    cal_add_transfer(p, CAL_TO_DEVICE, "states", m->states[0], m->sent, bytes);
    for (int i = 0; i < kernels; i++) {
        char name[CAL_NAME_BYTES];
        snprintf(name, sizeof name, "steps_%d_%d", i * steps, (i + 1) * steps - 1);
        /* Work depends a little on the potential: each kernel is a shape of its own. */
        struct cal_kernel *k =
            cal_begin_kernel(p, CAL_COMPUTE, name, "integrate_%lld_%s", (long long)m->cells, name);
        k->repeatable = true;
        /* 27 exponentials and a logarithm, 24 divisions, 135 other operations and 24 of the
         * method, in each of four stages. */
        k->flop = 4.0 * steps * 211 * (double)m->cells;
        k->bytes = 2.0 * (double)bytes + 4.0 * (double)m->cells;
        cal_add_launch(p, integrate, cal_blocks(m->cells, block), block, 0, m->states[i],
                       m->states[i + 1], m->sodium, m->cells, i == 0 ? stimulus_ua : 0.0f);
    }
    cal_add_transfer(p, CAL_FROM_DEVICE, "result", m->result, m->states[kernels], bytes);
    return 0;
}

/* --- the reference: the equations again, in double precision --- */

struct cell {
    double v, m, h, j, d, f, x, ca;
};

struct cell slope(const struct cell &c, double g_na, double stimulus)
{
    const double v = c.v;
    double a_h = 0, a_j = 0, b_h, b_j;
    if (v < -40) {
        a_h = 0.135 * exp(-(80 + v) / 6.8);
        b_h = 3.56 * exp(0.079 * v) + 310000 * exp(0.35 * v);
        a_j = (-127140 * exp(0.2444 * v) - 0.00003474 * exp(-0.04391 * v)) * (v + 37.78) /
              (1 + exp(0.311 * (v + 79.23)));
        b_j = 0.1212 * exp(-0.01052 * v) / (1 + exp(-0.1378 * (v + 40.14)));
    } else {
        b_h = 1 / (0.13 * (1 + exp(-(v + 10.66) / 11.1)));
        b_j = 0.3 * exp(-0.0000002535 * v) / (1 + exp(-0.1 * (v + 32)));
    }
    double y = v + 47.13;
    double a_m = fabs(y) < 1e-7 ? 3.2 : 0.32 * y / -expm1(-0.1 * y);
    double b_m = 0.08 * exp(-v / 11);
    double a_d = 0.095 * exp(-0.01 * (v - 5)) / (1 + exp(-0.072 * (v - 5)));
    double b_d = 0.07 * exp(-0.017 * (v + 44)) / (1 + exp(0.05 * (v + 44)));
    double a_f = 0.012 * exp(-0.008 * (v + 28)) / (1 + exp(0.15 * (v + 28)));
    double b_f = 0.0065 * exp(-0.02 * (v + 30)) / (1 + exp(-0.2 * (v + 30)));
    double a_x = 0.0005 * exp(0.083 * (v + 50)) / (1 + exp(0.057 * (v + 50)));
    double b_x = 0.0013 * exp(-0.06 * (v + 20)) / (1 + exp(-0.04 * (v + 20)));

    double e_si = 7.7 - 13.0287 * log(c.ca), e_k1 = -87.2;
    double i_na = g_na * pow(c.m, 3) * c.h * c.j * (v - 54.4);
    double i_si = 0.09 * c.d * c.f * (v - e_si);
    double u = v + 77, x_i = 1;
    if (v > -100)
        x_i = 2.837 * (fabs(u) < 1e-7 ? 0.04 : expm1(0.04 * u) / u) / exp(0.04 * (v + 35));
    double i_k = 0.282 * c.x * x_i * (v + 77);
    double a_k1 = 1.02 / (1 + exp(0.2385 * (v - e_k1 - 59.215)));
    double b_k1 =
        (0.49124 * exp(0.08032 * (v - e_k1 + 5.476)) + exp(0.06175 * (v - e_k1 - 594.31))) /
        (1 + exp(-0.5143 * (v - e_k1 + 4.753)));
    double i_k1 = 0.6047 * a_k1 / (a_k1 + b_k1) * (v - e_k1);
    double i_kp = 0.0183 / (1 + exp((7.488 - v) / 5.98)) * (v - e_k1);
    double i_b = 0.03921 * (v + 59.87);
    return {-(i_na + i_si + i_k + i_k1 + i_kp + i_b + stimulus),
            a_m * (1 - c.m) - b_m * c.m,
            a_h * (1 - c.h) - b_h * c.h,
            a_j * (1 - c.j) - b_j * c.j,
            a_d * (1 - c.d) - b_d * c.d,
            a_f * (1 - c.f) - b_f * c.f,
            a_x * (1 - c.x) - b_x * c.x,
            -0.0001 * i_si + 0.07 * (0.0001 - c.ca)};
}

struct cell ahead(const struct cell &c, const struct cell &k, double t)
{
    return {c.v + t * k.v, c.m + t * k.m, c.h + t * k.h, c.j + t * k.j,
            c.d + t * k.d, c.f + t * k.f, c.x + t * k.x, c.ca + t * k.ca};
}

int myocyte_check(void *state, struct dcs_err *err)
{
    const struct myocyte *m = (const struct myocyte *)state;
    size_t n = (size_t)m->cells;
    std::vector<float> sodium(n), want(n * variables);
    if (cal_fail_cuda(err, cudaMemcpy(sodium.data(), m->sodium, n * 4, cudaMemcpyDeviceToHost),
                      "copying the cells") != 0)
        return -1;
    const double t = (double)step_ms;
    for (size_t i = 0; i < n; i++) {
        const float *s = m->sent + i;
        struct cell c = {s[0], s[n], s[2 * n], s[3 * n], s[4 * n], s[5 * n], s[6 * n], s[7 * n]};
        for (int step = 0; step < kernels * steps; step++) {
            double stimulus = step < steps ? (double)stimulus_ua : 0;
            struct cell k1 = slope(c, (double)sodium[i], stimulus);
            struct cell k2 = slope(ahead(c, k1, t / 2), (double)sodium[i], stimulus);
            struct cell k3 = slope(ahead(c, k2, t / 2), (double)sodium[i], stimulus);
            struct cell k4 = slope(ahead(c, k3, t), (double)sodium[i], stimulus);
            c = ahead(ahead(ahead(ahead(c, k1, t / 6), k2, t / 3), k3, t / 3), k4, t / 6);
        }
        const double end[variables] = {c.v, c.m, c.h, c.j, c.d, c.f, c.x, c.ca};
        for (size_t d = 0; d < variables; d++)
            want[d * n + i] = (float)end[d];
    }
    if (cal_compare_f32(m->result, want.data(), n, 0.02, 0, "potentials, mV", err) != 0)
        return -1;
    return cal_compare_f32(m->result + n, want.data() + n, (variables - 1) * n, 1e-6, 2e-3,
                           "gates and calcium", err);
}

} // namespace

extern "C" const struct cal_app cal_app_myocyte = {
    .name = "myocyte",
    .role = CAL_BATCH,
    .papers = "C-Laius table 3: MY",
    .algorithm = "Luo and Rudy, Circulation Research 68, 1991 (phase I), classical Runge-Kutta",
    .size_unit = "cells",
    .size_min = 10240,
    .size_max = 393216,
    .size_default = 262144,
    .size_check = 700,
    .size_step = 256,
    .sla_ns = 0,
    .create = myocyte_create,
    .plan = myocyte_plan,
    .check = myocyte_check,
    .destroy = myocyte_destroy,
};
