/*
 * cutcp.cu - the electrostatic potential of point charges on a lattice, of the charges within a
 * cutoff distance only, with a function that fades to 0 there.
 *
 *   V(r) = sum over atoms with d = |r - r_atom| < 12 Angstrom of q / d (1 - d^2 / 12^2)^2
 *
 * after Rodrigues, Hardy, Stone, Schulten and Hwu, "GPU acceleration of cutoff pair potentials for
 * molecular modeling applications", Computing Frontiers 2008. Tacker's table II and Themis name it.
 *
 * Size: edge of the cube in bins of 4 Angstrom, each with 8 * 8 * 8 lattice points and at most
 * eight atoms. A request uploads the bins, sums in one kernel, and downloads the lattice. The
 * authors' atoms that find no room in a bin, which they leave to the CPU, do not occur here.
 */
#include "calibrate/apps/cutcp_input.h"
#include "calibrate/app/app.cuh"

#include <math.h>
#include <stdlib.h>
#include <vector>

namespace
{

using body = cal_cutcp_body;

struct state {
    int edge, neighbours_count;
    size_t bins_bytes, lattice_bytes;
    float4 *host_bins; /* pinned */
    float *host_lattice;
    float4 *bins;
    float *lattice;
    int *neighbours;
};

void destroy(void *state)
{
    struct state *s = (struct state *)state;
    if (s == NULL)
        return;
    cudaFreeHost(s->host_bins);
    cudaFreeHost(s->host_lattice);
    cudaFree(s->bins);
    cudaFree(s->lattice);
    cudaFree(s->neighbours);
    free(s);
}

void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    struct state *s = (struct state *)calloc(1, sizeof *s);
    if (s == NULL) {
        cal_fail(err, "cutcp: out of host memory");
        return NULL;
    }
    s->edge = (int)size;
    size_t points = (size_t)s->edge * body::bin_points;
    s->bins_bytes = cal_cutcp_bins(s->edge) * body::slots * sizeof(float4);
    s->lattice_bytes = points * points * points * sizeof(float);
    int offsets[cal_cutcp_neighbours_max];
    s->neighbours_count = cal_cutcp_list_neighbours(offsets, s->edge);
    if (cal_host_alloc((void **)&s->host_bins, s->bins_bytes, err) != 0 ||
        cal_host_alloc((void **)&s->host_lattice, s->lattice_bytes, err) != 0 ||
        cal_device_alloc((void **)&s->bins, s->bins_bytes, err) != 0 ||
        cal_device_alloc((void **)&s->lattice, s->lattice_bytes, err) != 0 ||
        cal_device_alloc((void **)&s->neighbours, sizeof offsets, err) != 0 ||
        cal_fail_cuda(err,
                      cudaMemcpy(s->neighbours, offsets, sizeof offsets, cudaMemcpyHostToDevice),
                      "cutcp: the list of neighbours") != 0) {
        destroy(s);
        return NULL;
    }
    cal_cutcp_fill(s->host_bins, s->edge, seed);
    return s;
}

int plan(void *state, int, struct cal_plan *p, struct dcs_err *)
{
    struct state *s = (struct state *)state;
    int blocks = s->edge * s->edge * s->edge;
    cal_add_transfer(p, CAL_TO_DEVICE, "atoms", s->bins, s->host_bins, s->bins_bytes);
    struct cal_kernel *k = cal_begin_kernel(p, CAL_COMPUTE, "potential", "potential_%d", s->edge);
    k->repeatable = true;
    /* Per point and slot in reach: distance and its square, 3 (those of x and y are shared by the
     * points of a thread). Per atom within the cutoff, 7238 cubic Angstrom with 6.5 atoms in 64
     * each: root, fading, products, sum, 7. Near the domain's faces there are fewer. */
    double points = (double)s->lattice_bytes / sizeof(float);
    k->flop = points * (3.0 * s->neighbours_count * body::slots + 7.0 * 7238.0 * 6.5 / 64.0);
    k->bytes = (double)(s->lattice_bytes + s->bins_bytes);
    struct cal_cutcp_body::args a = {s->bins, s->neighbours, s->lattice, s->neighbours_count,
                                     s->edge};
    cal_add_launch(p, cal_plain<body>, (unsigned)blocks, body::threads, 0, a);
    cal_add_transfer(p, CAL_FROM_DEVICE, "lattice", s->host_lattice, s->lattice, s->lattice_bytes);
    return 0;
}

int check_results(void *state, struct dcs_err *err)
{
    struct state *s = (struct state *)state;
    int along = s->edge * body::bin_points, points = along * along * along;
    size_t slots = cal_cutcp_bins(s->edge) * body::slots;
    std::vector<float4> atoms;
    for (size_t i = 0; i < slots; i++)
        if (s->host_bins[i].w != 0)
            atoms.push_back(s->host_bins[i]);
    const double cutoff2 = (double)body::cutoff * body::cutoff;
    int step = points / 20000 + 1;
    std::vector<float> got, want;
    for (int at = 0; at < points; at += step) {
        double x = at % along * (double)body::spacing;
        double y = at / along % along * (double)body::spacing;
        double z = at / along / along * (double)body::spacing;
        double sum = 0;
        for (const float4 &atom : atoms) {
            double dx = x - atom.x, dy = y - atom.y, dz = z - atom.z;
            double r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < cutoff2)
                sum += atom.w / sqrt(r2) * (1 - r2 / cutoff2) * (1 - r2 / cutoff2);
        }
        got.push_back(s->host_lattice[at]);
        want.push_back((float)sum);
    }
    return cal_compare_f32(got.data(), want.data(), got.size(), 2e-4, 1e-4, "cutcp: potential",
                           err);
}

} // namespace

extern "C" const struct cal_app cal_app_cutcp = {
    /*.name=*/"cutcp",
    /*.role=*/CAL_BATCH,
    /*.papers=*/"Tacker table II: cutcp; Themis: ctcp",
    /*.algorithm=*/
    "Rodrigues et al., GPU acceleration of cutoff pair potentials for molecular "
    "modeling applications, CF 2008",
    /*.size_unit=*/"bins per edge",
    /*.size_min=*/8,
    /*.size_max=*/29,
    /*.size_default=*/25,
    /*.size_check=*/4,
    /*.size_step=*/1,
    /*.sla_ns=*/0,
    create,
    plan,
    check_results,
    destroy,
};
