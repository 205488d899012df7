/*
 * lbm.cu - flow of a fluid around obstacles by the lattice Boltzmann method with 19 speeds in three
 * dimensions, after Qian, d'Humieres and Lallemand, "Lattice BGK models for Navier-Stokes
 * equation", Europhysics Letters 17 (1992). Tacker's table II names it (lbm; "lbn" in places).
 *
 * Size: layers of 128 by 256 cells. A request sets the fluid at rest with some noise, makes ten
 * steps, one kernel each, between two copies of the lattice, and downloads the velocity in one
 * layer. Two walls and scattered solid cells bounce the fluid back, a force drives it; its in- and
 * outlets are one (periodic), which is simpler than the lid or the open ends of other codes.
 */
#include "calibrate/apps/lbm_input.cuh"
#include "calibrate/app/app.cuh"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

namespace
{

using body = cal_lbm_body;
constexpr int steps = 10; /* even: the last one writes the first lattice */
constexpr int layer = body::nx * body::ny;
constexpr float omega = 1.2f, force = 1e-4f;

struct state {
    int nz;
    unsigned cells, seed;
    float *host_velocity; /* pinned: of one layer */
    float *f[2], *velocity;
    unsigned char *solid;
};

/* Of the layer in the middle, along x. */
__global__ void velocities(const float *f, float *velocity, unsigned cells, int z)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= layer)
        return;
    const float *at = f + (size_t)z * layer + i;
    float density = 0;
    for (int j = 0; j < body::directions; j++)
        density += at[(size_t)j * cells];
    float forth = at[(size_t)1 * cells], back = at[(size_t)2 * cells];
    for (int j = 7; j < 15; j += 2) {
        forth += at[(size_t)j * cells];
        back += at[(size_t)(j + 1) * cells];
    }
    velocity[i] = (forth - back) / density;
}

void destroy(void *state)
{
    struct state *s = (struct state *)state;
    if (s == NULL)
        return;
    cudaFreeHost(s->host_velocity);
    cudaFree(s->f[0]);
    cudaFree(s->f[1]);
    cudaFree(s->velocity);
    cudaFree(s->solid);
    free(s);
}

void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    struct state *s = (struct state *)calloc(1, sizeof *s);
    if (s == NULL) {
        cal_fail(err, "lbm: out of host memory");
        return NULL;
    }
    s->nz = (int)size;
    s->cells = (unsigned)s->nz * layer;
    s->seed = (unsigned)cal_random_u64(seed, 0);
    size_t bytes = (size_t)body::directions * s->cells * sizeof(float);
    if (cal_host_alloc((void **)&s->host_velocity, layer * sizeof(float), err) != 0 ||
        cal_device_alloc((void **)&s->f[0], bytes, err) != 0 ||
        cal_device_alloc((void **)&s->f[1], bytes, err) != 0 ||
        cal_device_alloc((void **)&s->velocity, layer * sizeof(float), err) != 0 ||
        cal_device_alloc((void **)&s->solid, s->cells, err) != 0) {
        destroy(s);
        return NULL;
    }
    cal_lbm_place_solids<<<cal_blocks(s->cells, 256), 256>>>(s->solid, s->cells, s->seed);
    cudaError_t status = cudaGetLastError();
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    if (cal_fail_cuda(err, status, "lbm: placing the solid cells") != 0) {
        destroy(s);
        return NULL;
    }
    return s;
}

int plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    struct state *s = (struct state *)state;
    struct cal_kernel *k = cal_begin_kernel(p, CAL_COMPUTE, "begin", "begin_%d", s->nz);
    k->repeatable = true;
    k->flop = 3.0 * body::directions * s->cells;
    k->bytes = 4.0 * body::directions * s->cells;
    cal_add_launch(p, cal_lbm_begin, cal_blocks(s->cells, 256), 256, 0, s->f[0], s->cells, s->seed);
    for (int step = 0; step < steps; step++) {
        char name[16];
        snprintf(name, sizeof name, "step_%d", step);
        k = cal_begin_kernel(p, CAL_COMPUTE, name, "step_%d", s->nz);
        k->repeatable = true;
        /* Moments 19 + 3 * 9, velocity 6, rest 7, and 11 per direction, of which the few solid
         * cells need none. */
        k->flop = (59.0 + 11.0 * body::directions) * s->cells;
        k->bytes = (8.0 * body::directions + 1) * s->cells;
        struct cal_lbm_body::args a = {s->f[step % 2], s->f[1 - step % 2], s->solid, s->nz, omega,
                                       force};
        cal_add_launch(p, cal_plain<body>, (unsigned)(body::ny * s->nz), body::threads, 0, a);
    }
    k = cal_begin_kernel(p, CAL_COMPUTE, "velocities", "velocities_%d", layer);
    k->repeatable = true;
    k->flop = 28.0 * layer;
    k->bytes = (4.0 * body::directions + 4) * layer;
    cal_add_launch(p, velocities, cal_blocks(layer, 256), 256, 0, s->f[0], s->velocity, s->cells,
                   s->nz / 2);
    cal_add_transfer(p, CAL_FROM_DEVICE, "layer", s->host_velocity, s->velocity,
                     layer * sizeof(float));
    return 0;
}

/* Gathers what streams in, collides; solid cells turn it around. Values of a cell lie together. */
void reference_step(const struct state *s, std::vector<double> *now, std::vector<double> *next)
{
    static const int e[19][3] = {{0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},   {0, -1, 0},
                                 {0, 0, 1},  {0, 0, -1},  {1, 1, 0},   {-1, -1, 0}, {1, -1, 0},
                                 {-1, 1, 0}, {1, 0, 1},   {-1, 0, -1}, {1, 0, -1},  {-1, 0, 1},
                                 {0, 1, 1},  {0, -1, -1}, {0, 1, -1},  {0, -1, 1}};
    for (unsigned cell = 0; cell < s->cells; cell++) {
        int x = (int)cell % body::nx, y = (int)cell / body::nx % body::ny, z = (int)cell / layer;
        double f[19], density = 0, u[3] = {0, 0, 0};
        for (int i = 0; i < 19; i++) {
            unsigned from = ((unsigned)((z - e[i][2] + s->nz) % s->nz) * body::ny +
                             (unsigned)((y - e[i][1] + body::ny) % body::ny)) *
                                body::nx +
                            (unsigned)((x - e[i][0] + body::nx) % body::nx);
            f[i] = (*now)[from * 19u + (unsigned)i];
            density += f[i];
            for (int d = 0; d < 3; d++)
                u[d] += e[i][d] * f[i];
        }
        bool solid = cal_lbm_solid(cell, s->seed) != 0;
        for (int d = 0; d < 3; d++)
            u[d] = u[d] / density + (d == 0 ? (double)force / omega : 0);
        double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        for (int i = 0; i < 19; i++) {
            double along = e[i][0] * u[0] + e[i][1] * u[1] + e[i][2] * u[2];
            double w = i == 0 ? 1.0 / 3 : i < 7 ? 1.0 / 18 : 1.0 / 36;
            double equilibrium = w * density * (1 + 3 * along + 4.5 * along * along - 1.5 * square);
            int opposite = i == 0 ? 0 : i % 2 == 1 ? i + 1 : i - 1;
            (*next)[cell * 19u + (unsigned)i] =
                solid ? f[opposite] : f[i] + omega * (equilibrium - f[i]);
        }
    }
}

int check_results(void *state, struct dcs_err *err)
{
    struct state *s = (struct state *)state;
    size_t values = (size_t)body::directions * s->cells;
    std::vector<double> now(values), next(values);
    for (unsigned cell = 0; cell < s->cells; cell++)
        for (int i = 0; i < 19; i++)
            now[cell * 19u + (unsigned)i] = cal_lbm_start(cell, i, s->seed);
    for (int step = 0; step < steps; step++) {
        reference_step(s, &now, &next);
        now.swap(next);
    }
    std::vector<float> got(values), want(values);
    if (cal_fail_cuda(
            err, cudaMemcpy(got.data(), s->f[0], values * sizeof(float), cudaMemcpyDeviceToHost),
            "lbm: reading the lattice") != 0)
        return -1;
    for (unsigned cell = 0; cell < s->cells; cell++)
        for (unsigned i = 0; i < 19; i++)
            want[(size_t)i * s->cells + cell] = (float)now[cell * 19u + i];
    if (cal_compare_f32(got.data(), want.data(), values, 2e-6, 1e-5, "lbm: lattice", err) != 0)
        return -1;
    std::vector<float> velocity(layer);
    for (unsigned i = 0; i < layer; i++) {
        const double *f = &now[((unsigned)(s->nz / 2) * layer + i) * 19u];
        double density = 0;
        for (int j = 0; j < 19; j++)
            density += f[j];
        velocity[i] =
            (float)((f[1] - f[2] + f[7] - f[8] + f[9] - f[10] + f[11] - f[12] + f[13] - f[14]) /
                    density);
    }
    return cal_compare_f32(s->host_velocity, velocity.data(), layer, 5e-6, 1e-4, "lbm: velocity",
                           err);
}

} // namespace

extern "C" const struct cal_app cal_app_lbm = {
    /*.name=*/"lbm",
    /*.role=*/CAL_BATCH,
    /*.papers=*/"Tacker table II: lbn (lattice Boltzmann)",
    /*.algorithm=*/
    "Qian, d'Humieres, Lallemand, Lattice BGK models for Navier-Stokes equation, "
    "Europhys. Lett. 1992: D3Q19",
    /*.size_unit=*/"layers of 128 by 256 cells",
    /*.size_min=*/16,
    /*.size_max=*/768,
    /*.size_default=*/512,
    /*.size_check=*/4,
    /*.size_step=*/4,
    /*.sla_ns=*/0,
    create,
    plan,
    check_results,
    destroy,
};
