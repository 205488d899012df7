/*
 * cp.cu - the electrostatic potential of point charges in a plane of a lattice, by direct
 * summation.
 *
 *   V(r) = sum over atoms of q / |r - r_atom|
 *
 * after Stone, Phillips, Freddolino, Hardy, Trabuco and Schulten, "Accelerating molecular modeling
 * applications with graphics processors", Journal of Computational Chemistry 28 (2007). Tacker's
 * table II names it.
 *
 * Size: lattice points along the plane's edge, at 0.1 Angstrom; there are 32768 atoms whatever the
 * size, in a slab that leaves 0.5 Angstrom free on both sides of the plane. A request uploads the
 * atoms, squares their distances to the plane, adds eight chunks of 4096 atoms, one kernel each, as
 * the authors did for constant memory, and downloads the plane. Here the chunk comes through shared
 * memory. The authors' loop over the planes of a volume is left to the caller.
 */
#include "calibrate/apps/cp_body.cuh"
#include "calibrate/app/app.cuh"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

namespace
{

constexpr int atoms = 32768, chunk = 4096;
constexpr float spacing = 0.1f;

struct state {
    int edge;
    float4 *host_atoms; /* pinned: x, y, z over the plane, charge */
    float *host_potential;
    float4 *in, *prepared;
    float *potential;
};

__global__ void square_distances(const float4 *in, float4 *prepared, int n)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n)
        return;
    float4 atom = in[i];
    atom.z *= atom.z;
    prepared[i] = atom;
}

void destroy(void *state)
{
    struct state *s = (struct state *)state;
    if (s == NULL)
        return;
    cudaFreeHost(s->host_atoms);
    cudaFreeHost(s->host_potential);
    cudaFree(s->in);
    cudaFree(s->prepared);
    cudaFree(s->potential);
    free(s);
}

double uniform(uint64_t seed, uint64_t i)
{
    return (double)(cal_random_u64(seed, i) >> 11) * 0x1p-53;
}

void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    struct state *s = (struct state *)calloc(1, sizeof *s);
    if (s == NULL) {
        cal_fail(err, "cp: out of host memory");
        return NULL;
    }
    s->edge = (int)size;
    size_t bytes = (size_t)s->edge * s->edge * sizeof(float);
    if (cal_host_alloc((void **)&s->host_atoms, atoms * sizeof(float4), err) != 0 ||
        cal_host_alloc((void **)&s->host_potential, bytes, err) != 0 ||
        cal_device_alloc((void **)&s->in, atoms * sizeof(float4), err) != 0 ||
        cal_device_alloc((void **)&s->prepared, atoms * sizeof(float4), err) != 0 ||
        cal_device_alloc((void **)&s->potential, bytes, err) != 0) {
        destroy(s);
        return NULL;
    }
    for (int i = 0; i < atoms; i++) {
        uint64_t at = 4 * (uint64_t)i;
        double z = 40 * uniform(seed, at + 2) - 20;
        s->host_atoms[i] =
            make_float4((float)(uniform(seed, at) * s->edge * spacing),
                        (float)(uniform(seed, at + 1) * s->edge * spacing),
                        (float)(z < 0 ? z - 0.5 : z + 0.5), (float)(2 * uniform(seed, at + 3) - 1));
    }
    return s;
}

int plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    struct state *s = (struct state *)state;
    double points = (double)s->edge * s->edge;
    cal_add_transfer(p, CAL_TO_DEVICE, "atoms", s->in, s->host_atoms, atoms * sizeof(float4));
    struct cal_kernel *k = cal_begin_kernel(p, CAL_COMPUTE, "distances", "distances_%d", atoms);
    k->repeatable = true;
    k->flop = atoms;
    k->bytes = 32.0 * atoms;
    cal_add_launch(p, square_distances, cal_blocks(atoms, 256), 256, 0, s->in, s->prepared, atoms);
    for (int c = 0; c < atoms / chunk; c++) {
        char name[24];
        snprintf(name, sizeof name, "potential_%d", c);
        k = cal_begin_kernel(p, CAL_COMPUTE, name, "potential_%s_%dx%d", c == 0 ? "store" : "add",
                             s->edge, chunk);
        k->repeatable = true;
        /* Per point: its distance 1, square and sum 2, root 1, product and sum 2. */
        k->flop = 6.0 * points * chunk;
        k->bytes = (c == 0 ? 4.0 : 8.0) * points + 16.0 * chunk;
        struct cal_cp_body::args a = {
            s->prepared + c * chunk, s->potential, spacing, s->edge, chunk, c != 0};
        cal_add_launch(p, cal_plain<cal_cp_body>, (unsigned)cal_cp_body::blocks(s->edge),
                       cal_cp_body::threads, 0, a);
    }
    cal_add_transfer(p, CAL_FROM_DEVICE, "plane", s->host_potential, s->potential,
                     (size_t)s->edge * s->edge * sizeof(float));
    return 0;
}

int check_results(void *state, struct dcs_err *err)
{
    struct state *s = (struct state *)state;
    int points = s->edge * s->edge, step = points / 2000 + 1;
    std::vector<float> got, want;
    double most = 0; /* sum of the sizes of the terms: what rounding is relative to */
    for (int at = 0; at < points; at += step) {
        double x = at % s->edge * (double)spacing, y = at / s->edge * (double)spacing;
        double sum = 0, sizes = 0;
        for (int i = 0; i < atoms; i++) {
            const float4 *atom = &s->host_atoms[i];
            double dx = x - atom->x, dy = y - atom->y, dz = atom->z;
            double term = atom->w / sqrt(dx * dx + dy * dy + dz * dz);
            sum += term;
            sizes += fabs(term);
        }
        most = fmax(most, sizes);
        got.push_back(s->host_potential[at]);
        want.push_back((float)sum);
    }
    return cal_compare_f32(got.data(), want.data(), got.size(), 2e-6 * most, 1e-4, "cp: potential",
                           err);
}

} // namespace

extern "C" const struct cal_app cal_app_cp = {
    /*.name=*/"cp",
    /*.role=*/CAL_BATCH,
    /*.papers=*/"Tacker table II: cp",
    /*.algorithm=*/
    "Stone et al., Accelerating molecular modeling applications with graphics "
    "processors, J. Comput. Chem. 2007: direct summation",
    /*.size_unit=*/"lattice points per edge",
    /*.size_min=*/192,
    /*.size_max=*/1248,
    /*.size_default=*/1024,
    /*.size_check=*/48,
    /*.size_step=*/16,
    /*.sla_ns=*/0,
    create,
    plan,
    check_results,
    destroy,
};
