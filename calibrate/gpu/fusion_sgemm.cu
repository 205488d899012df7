/*
 * fusion_sgemm.cu - fused kernels with sgemm: a matrix with as many rows as the load needs, 512
 * columns, times one of 512 by 2048.
 */
#include "calibrate/gpu/fusion_body.cuh"
#include "calibrate/apps/sgemm_body.cuh"

static int create(struct cal_part *p, int64_t load, uint64_t seed, struct dcs_err *err)
{
    using body = cal_sgemm_body;
    const int n = 2048, k = 512, across = n / body::columns;
    size_t rows = (size_t)((load + across - 1) / across) * body::rows;
    p->result_bytes = rows * n * sizeof(float);
    float *a = (float *)cal_part_alloc(p, rows * k * sizeof(float), err);
    float *b = (float *)cal_part_alloc(p, (size_t)k * n * sizeof(float), err);
    float *c = (float *)cal_part_alloc(p, p->result_bytes, err);
    if (a == NULL || b == NULL || c == NULL ||
        cal_fill_uniform_f32(a, rows * k, seed, -1, 1, err) != 0 ||
        cal_fill_uniform_f32(b, (size_t)k * n, seed + 1, -1, 1, err) != 0)
        return -1;
    p->result = c;
    struct body::args args = {a, b, c, n, k, 1, 0};
    cal_part_set_args(p, args);
    return 0;
}

const struct cal_fusion_cuda cal_fusion_sgemm =
    cal_make_fusion<cal_sgemm_body, 3>("sgemm", 32768, false, create);
