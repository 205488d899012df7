/*
 * hotspot_3d.cu - transient temperatures of a chip in three dimensions: the explicit
 * finite-difference solution of the heat equation over layers of cells, after the thermal model of
 * Skadron et al., "Temperature-aware microarchitecture", ISCA 2003 (HotSpot). TReM table III: Hot
 * Spot 3D, user-facing.
 *
 * A size is the number of rows and of columns; there are LAYERS layers. A request uploads
 * temperatures and power, makes STEPS steps and downloads temperatures. One kernel is PER_KERNEL
 * steps, one launch each; a thread walks up one column of cells.
 *
 * Simplified: one material; the sides are insulated, the top layer faces the ambient air.
 */
#include "calibrate/app/app.cuh"

#include <algorithm>
#include <stdio.h>
#include <vector>

namespace
{

constexpr int LAYERS = 8;
constexpr int STEPS = 160;
constexpr int PER_KERNEL = 16; /* even: the result lies where the kernel began */
constexpr int BLOCK_X = 64, BLOCK_Y = 4;
constexpr float AMBIENT = 318; /* kelvin */

/* Silicon. */
constexpr double CONDUCTIVITY = 100; /* W / (m K) */
constexpr double CAPACITY = 1.75e6;  /* J / (m^3 K) */
constexpr double WIDTH = 16e-3;      /* m, and height */
constexpr double THICKNESS = 0.5e-3; /* m */
constexpr double TRANSFER = 1e5;     /* W / (m^2 K), from the top layer to the air */
constexpr double POWER_MAX = 2e10;   /* W / m^3, in a cell */
constexpr double STABLE = 0.9;       /* of the longest step that is stable */

/* What a neighbour's difference, the air's and a cell's power density add in one step. */
struct coefficients {
    float side, vertical, air, power;
};

struct state {
    int n;
    struct coefficients c;
    float *start, *power_host, *result; /* pinned */
    float *temperature, *next, *power;
};

/* --- the kernel --- */

__global__ void __launch_bounds__(BLOCK_X *BLOCK_Y)
    step(const float *from, const float *power, float *to, int n, struct coefficients c)
{
    int x = (int)(blockIdx.x * BLOCK_X + threadIdx.x),
        y = (int)(blockIdx.y * BLOCK_Y + threadIdx.y);
    if (x >= n || y >= n)
        return;
    int plane = n * n, at = y * n + x;
    /* An insulated side: the cell is its own neighbour. */
    int west = x > 0 ? -1 : 0, east = x < n - 1 ? 1 : 0;
    int north = y > 0 ? -n : 0, south = y < n - 1 ? n : 0;
    float here = from[at], below = here;
#pragma unroll
    for (int z = 0; z < LAYERS; z++, at += plane) {
        float above = z < LAYERS - 1 ? from[at + plane] : here;
        float sides = from[at + west] + from[at + east] + from[at + north] + from[at + south];
        float change = c.side * (sides - 4 * here) + c.vertical * (above + below - 2 * here) +
                       c.power * power[at];
        if (z == LAYERS - 1)
            change += c.air * (AMBIENT - here);
        to[at] = here + change;
        below = here;
        here = above;
    }
}

/* --- the application --- */

/* The finite differences of rho c dT/dt = k laplace(T) + p; the explicit scheme is stable while
 * dt k / (rho c) (2 / dx^2 + 2 / dy^2 + 2 / dz^2) <= 1. */
struct coefficients discretise(int n)
{
    double dx = WIDTH / n, dz = THICKNESS / LAYERS, diffusivity = CONDUCTIVITY / CAPACITY;
    double dt = STABLE / (diffusivity * (4 / (dx * dx) + 2 / (dz * dz)));
    struct coefficients c = {(float)(dt * diffusivity / (dx * dx)),
                             (float)(dt * diffusivity / (dz * dz)),
                             (float)(dt * TRANSFER / (CAPACITY * dz)), (float)(dt / CAPACITY)};
    return c;
}

void destroy(void *state)
{
    struct state *s = (struct state *)state;
    if (s == NULL)
        return;
    cudaFreeHost(s->start);
    cudaFreeHost(s->power_host);
    cudaFreeHost(s->result);
    cudaFree(s->temperature);
    cudaFree(s->next);
    cudaFree(s->power);
    delete s;
}

/* Pinned input of n values, made on the device, which is faster. */
int fill(float *host, float *device, size_t n, uint64_t seed, float low, float high,
         struct dcs_err *err)
{
    if (cal_fill_uniform_f32(device, n, seed, low, high, err) != 0)
        return -1;
    return cal_fail_cuda(err, cudaMemcpy(host, device, n * sizeof *host, cudaMemcpyDeviceToHost),
                         "copying inputs");
}

void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    struct state *s = new state();
    s->n = (int)size;
    s->c = discretise(s->n);
    size_t cells = (size_t)size * (size_t)size * LAYERS, bytes = cells * sizeof(float);
    if (cal_host_alloc((void **)&s->start, bytes, err) != 0 ||
        cal_host_alloc((void **)&s->power_host, bytes, err) != 0 ||
        cal_host_alloc((void **)&s->result, bytes, err) != 0 ||
        cal_device_alloc((void **)&s->temperature, bytes, err) != 0 ||
        cal_device_alloc((void **)&s->next, bytes, err) != 0 ||
        cal_device_alloc((void **)&s->power, bytes, err) != 0 ||
        fill(s->start, s->temperature, cells, seed, AMBIENT, AMBIENT + 30, err) != 0 ||
        fill(s->power_host, s->power, cells, ~seed, 0, (float)POWER_MAX, err) != 0) {
        destroy(s);
        return NULL;
    }
    return s;
}

int plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    struct state *s = (struct state *)state;
    size_t cells = (size_t)s->n * (size_t)s->n * LAYERS;
    cal_add_transfer(p, CAL_TO_DEVICE, "temperature", s->temperature, s->start,
                     cells * sizeof(float));
    cal_add_transfer(p, CAL_TO_DEVICE, "power", s->power, s->power_host, cells * sizeof(float));
    dim3 grid(cal_blocks(s->n, BLOCK_X), cal_blocks(s->n, BLOCK_Y));
    for (int from = 0; from < STEPS; from += PER_KERNEL) {
        char name[CAL_NAME_BYTES];
        snprintf(name, sizeof name, "steps_%d_%d", from + 1, from + PER_KERNEL);
        struct cal_kernel *k = cal_begin_kernel(p, CAL_COMPUTE, name, "stencil_%dx%dx%d_x%d", s->n,
                                                s->n, LAYERS, PER_KERNEL);
        k->repeatable = true;
        k->flop = (double)cells * PER_KERNEL * 14;
        /* Temperature and power are read, the next temperature is written. */
        k->bytes = (double)cells * PER_KERNEL * 3 * sizeof(float);
        for (int i = 0; i < PER_KERNEL; i++)
            cal_add_launch(p, step, grid, dim3(BLOCK_X, BLOCK_Y), 0,
                           i % 2 == 0 ? s->temperature : s->next, s->power,
                           i % 2 == 0 ? s->next : s->temperature, s->n, s->c);
    }
    cal_add_transfer(p, CAL_FROM_DEVICE, "result", s->result, s->temperature,
                     cells * sizeof(float));
    return 0;
}

int check_results(void *state, struct dcs_err *err)
{
    struct state *s = (struct state *)state;
    int n = s->n;
    size_t plane = (size_t)n * (size_t)n, cells = plane * LAYERS;
    std::vector<double> now(s->start, s->start + cells), next(cells);
    double dx = WIDTH / n, dz = THICKNESS / LAYERS;
    double dt = (double)s->c.power * CAPACITY; /* its choice is free, the physics is not */
    for (int i = 0; i < STEPS; i++) {
        for (int z = 0; z < LAYERS; z++)
            for (int y = 0; y < n; y++)
                for (int x = 0; x < n; x++) {
                    size_t at = (size_t)z * plane + (size_t)y * (size_t)n + (size_t)x;
                    double here = now[at], flow = 0; /* W / m^3 into the cell */
                    if (x > 0)
                        flow += CONDUCTIVITY * (now[at - 1] - here) / (dx * dx);
                    if (x < n - 1)
                        flow += CONDUCTIVITY * (now[at + 1] - here) / (dx * dx);
                    if (y > 0)
                        flow += CONDUCTIVITY * (now[at - (size_t)n] - here) / (dx * dx);
                    if (y < n - 1)
                        flow += CONDUCTIVITY * (now[at + (size_t)n] - here) / (dx * dx);
                    if (z > 0)
                        flow += CONDUCTIVITY * (now[at - plane] - here) / (dz * dz);
                    if (z < LAYERS - 1)
                        flow += CONDUCTIVITY * (now[at + plane] - here) / (dz * dz);
                    else
                        flow += TRANSFER * ((double)AMBIENT - here) / dz;
                    next[at] = here + dt / CAPACITY * (flow + (double)s->power_host[at]);
                }
        now.swap(next);
    }
    std::vector<float> want(now.begin(), now.end());
    /* Each step rounds a temperature of some 330 K to 3e-5 K at worst. */
    return cal_compare_f32(s->result, want.data(), cells, 2e-3, 0, "temperatures", err);
}

} // namespace

extern "C" const struct cal_app cal_app_hotspot_3d;
const struct cal_app cal_app_hotspot_3d = {
    .name = "hotspot-3d",
    .role = CAL_SERVICE,
    .papers = "TReM table III: Hot Spot 3D (user-facing)",
    .algorithm = "Skadron et al., ISCA 2003 (HotSpot), explicit finite differences",
    .size_unit = "rows and columns",
    .size_min = 320,
    .size_max = 2176,
    .size_default = 1792,
    .size_check = 72,
    .size_step = 8,
    .sla_ns = INT64_C(200000000),
    .create = create,
    .plan = plan,
    .check = check_results,
    .destroy = destroy,
};
