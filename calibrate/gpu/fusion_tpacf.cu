/*
 * fusion_tpacf.cu - fused kernels with tpacf's count of pairs between the data and random sets, of
 * 1024 points each: fewer than the application's, so that a block is short against a convolution.
 */
#include "calibrate/gpu/fusion_body.cuh"
#include "calibrate/apps/tpacf_input.h"

static int create(struct cal_part *p, int64_t load, uint64_t seed, struct dcs_err *err)
{
    using body = cal_tpacf_body;
    const int points = 1024, tiles = points / body::threads;
    int sets = (int)((load + tiles - 1) / tiles);
    size_t floats = 3 * (size_t)points * ((size_t)sets + 1); /* the data, then the random sets */
    p->result_bytes = (size_t)sets * body::counters * sizeof(unsigned);
    float *sky = (float *)cal_part_alloc(p, floats * sizeof(float), err);
    float *thresholds = (float *)cal_part_alloc(p, body::thresholds * sizeof(float), err);
    unsigned *histogram = (unsigned *)cal_part_alloc(p, p->result_bytes, err);
    if (sky == NULL || thresholds == NULL || histogram == NULL ||
        cal_fill_uniform_f32(sky, floats, seed, -1, 1, err) != 0)
        return -1;
    float cosines[body::thresholds];
    cal_tpacf_thresholds(cosines);
    cal_tpacf_directions<<<cal_blocks((int64_t)points * (sets + 1), 256), 256>>>(sky, points,
                                                                                 sets + 1);
    cudaError_t status = cudaGetLastError();
    if (status == cudaSuccess)
        status = cudaMemcpy(thresholds, cosines, sizeof cosines, cudaMemcpyHostToDevice);
    p->result = histogram;
    struct body::args a = {sky, sky + 3 * points, 0, thresholds, histogram, points, sets, 0};
    cal_part_set_args(p, a);
    return cal_fail_cuda(err, status, "tpacf: making the points");
}

const struct cal_fusion_cuda cal_fusion_tpacf =
    cal_make_fusion<cal_tpacf_body, 8>("tpacf", 65536, true, create);
