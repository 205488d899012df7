/*
 * fusion_cutcp.cu - fused kernels with cutcp's potential.
 */
#include "calibrate/gpu/fusion_body.cuh"
#include "calibrate/apps/cutcp_input.h"

#include <vector>

static int create(struct cal_part *p, int64_t load, uint64_t seed, struct dcs_err *err)
{
    using body = cal_cutcp_body;
    int edge = 1, offsets[cal_cutcp_neighbours_max];
    while ((int64_t)edge * edge * edge < load)
        edge++;
    std::vector<float4> host(cal_cutcp_bins(edge) * body::slots);
    cal_cutcp_fill(host.data(), edge, seed);
    int count = cal_cutcp_list_neighbours(offsets, edge);
    size_t points = (size_t)edge * body::bin_points, bytes = host.size() * sizeof(float4);
    p->result_bytes = points * points * points * sizeof(float);
    float4 *bins = (float4 *)cal_part_alloc(p, bytes, err);
    int *neighbours = (int *)cal_part_alloc(p, sizeof offsets, err);
    float *lattice = (float *)cal_part_alloc(p, p->result_bytes, err);
    if (bins == NULL || neighbours == NULL || lattice == NULL)
        return -1;
    cudaError_t status = cudaMemcpy(bins, host.data(), bytes, cudaMemcpyHostToDevice);
    if (status == cudaSuccess)
        status = cudaMemcpy(neighbours, offsets, sizeof offsets, cudaMemcpyHostToDevice);
    p->result = lattice;
    struct body::args a = {bins, neighbours, lattice, count, edge};
    cal_part_set_args(p, a);
    return cal_fail_cuda(err, status, "cutcp: uploading the atoms");
}

const struct cal_fusion_cuda cal_fusion_cutcp =
    cal_make_fusion<cal_cutcp_body, 12>("cutcp", 32768, false, create);
