/*
 * fusion_mriq.cu - fused kernels with mriq's sum over 512 samples of k-space: a quarter of the
 * application's chunk, so that a block is short against a convolution.
 */
#include "calibrate/gpu/fusion_body.cuh"
#include "calibrate/apps/mri_input.cuh"
#include "calibrate/apps/mriq_body.cuh"

static int create(struct cal_part *p, int64_t load, uint64_t seed, struct dcs_err *err)
{
    using body = cal_mriq_body;
    const int samples = 512, voxels = (int)load * body::per_block;
    int edge = 1;
    while ((int64_t)edge * edge * edge < voxels)
        edge++;
    size_t cube = (size_t)edge * edge * edge, bytes = (size_t)voxels * sizeof(float);
    float *x = (float *)cal_part_alloc(p, 3 * cube * sizeof(float), err);
    float4 *k = (float4 *)cal_part_alloc(p, samples * sizeof(float4), err);
    float *q = (float *)cal_part_alloc(p, 2 * bytes, err);
    if (x == NULL || k == NULL || q == NULL ||
        cal_fill_uniform_f32((float *)k, 4 * samples, seed, -32, 32, err) != 0)
        return -1;
    cal_mri_voxels<<<cal_blocks((int64_t)cube, 256), 256>>>(x, x + cube, x + 2 * cube, edge);
    p->result = q;
    p->result_bytes = 2 * bytes;
    struct body::args a = {x, x + cube, x + 2 * cube, k, q, q + voxels, voxels, samples, 0};
    cal_part_set_args(p, a);
    return cal_fail_cuda(err, cudaGetLastError(), "mriq: placing the voxels");
}

const struct cal_fusion_cuda cal_fusion_mriq =
    cal_make_fusion<cal_mriq_body, 8>("mriq", 65536, false, create);
