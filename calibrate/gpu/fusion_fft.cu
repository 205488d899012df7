/*
 * fusion_fft.cu - fused kernels with fft's filtering of signals.
 */
#include "calibrate/gpu/fusion_body.cuh"
#include "calibrate/apps/fft_body.cuh"

static int create(struct cal_part *p, int64_t load, uint64_t seed, struct dcs_err *err)
{
    using body = cal_fft_body;
    size_t values = 2 * (size_t)load * body::points;
    p->result_bytes = values * sizeof(float);
    float *from = (float *)cal_part_alloc(p, p->result_bytes, err);
    float *filter = (float *)cal_part_alloc(p, body::points * sizeof(float2), err);
    float *to = (float *)cal_part_alloc(p, p->result_bytes, err);
    const float limit = 1.0f / body::points;
    if (from == NULL || filter == NULL || to == NULL ||
        cal_fill_uniform_f32(from, values, seed, -1, 1, err) != 0 ||
        cal_fill_uniform_f32(filter, 2 * body::points, seed + 1, -limit, limit, err) != 0)
        return -1;
    p->result = to;
    struct body::args a = {(const float2 *)from, (float2 *)to, (const float2 *)filter, (int)load};
    cal_part_set_args(p, a);
    return 0;
}

const struct cal_fusion_cuda cal_fusion_fft =
    cal_make_fusion<cal_fft_body, 5>("fft", 262144, false, create);
