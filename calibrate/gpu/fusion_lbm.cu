/*
 * fusion_lbm.cu - fused kernels with a step of lbm.
 */
#include "calibrate/gpu/fusion_body.cuh"
#include "calibrate/apps/lbm_input.cuh"

static int create(struct cal_part *p, int64_t load, uint64_t seed, struct dcs_err *err)
{
    using body = cal_lbm_body;
    int nz = (int)((load + body::ny - 1) / body::ny);
    unsigned cells = (unsigned)nz * body::nx * body::ny, noise = (unsigned)seed;
    p->result_bytes = (size_t)body::directions * cells * sizeof(float);
    float *from = (float *)cal_part_alloc(p, p->result_bytes, err);
    float *to = (float *)cal_part_alloc(p, p->result_bytes, err);
    unsigned char *solid = (unsigned char *)cal_part_alloc(p, cells, err);
    if (from == NULL || to == NULL || solid == NULL)
        return -1;
    cal_lbm_place_solids<<<cal_blocks(cells, 256), 256>>>(solid, cells, noise);
    cal_lbm_begin<<<cal_blocks(cells, 256), 256>>>(from, cells, noise);
    p->result = to;
    struct body::args a = {from, to, solid, nz, 1.2f, 1e-4f};
    cal_part_set_args(p, a);
    return cal_fail_cuda(err, cudaGetLastError(), "lbm: filling the lattice");
}

const struct cal_fusion_cuda cal_fusion_lbm =
    cal_make_fusion<cal_lbm_body, 8>("lbm", 262144, false, create);
