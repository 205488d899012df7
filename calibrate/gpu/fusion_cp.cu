/*
 * fusion_cp.cu - fused kernels with cp's potential of 512 atoms: an eighth of the application's
 * chunk, so that a block is short against a convolution.
 */
#include "calibrate/gpu/fusion_body.cuh"
#include "calibrate/apps/cp_body.cuh"

static int create(struct cal_part *p, int64_t load, uint64_t seed, struct dcs_err *err)
{
    using body = cal_cp_body;
    const int atoms = 512;
    int edge = body::width;
    while (body::blocks(edge) < load)
        edge += body::width;
    p->result_bytes = (size_t)edge * edge * sizeof(float);
    float *k = (float *)cal_part_alloc(p, atoms * sizeof(float4), err);
    float *potential = (float *)cal_part_alloc(p, p->result_bytes, err);
    /* Positions, squares of distances and charges alike: no pole at 0 is near. */
    if (k == NULL || potential == NULL ||
        cal_fill_uniform_f32(k, 4 * atoms, seed, 0.5f, 100, err) != 0)
        return -1;
    p->result = potential;
    struct body::args a = {(const float4 *)k, potential, 0.1f, edge, atoms, 0};
    cal_part_set_args(p, a);
    return 0;
}

const struct cal_fusion_cuda cal_fusion_cp =
    cal_make_fusion<cal_cp_body, 8>("cp", 65536, false, create);
