/*
 * fusion_part.cu - what the kernels of fusion_NAME.cu and resident_NAME.cu, and those who run them,
 * share: fusion_body.cuh.
 */
#include "calibrate/gpu/fusion_body.cuh"

#include <math.h>

void *cal_part_alloc(struct cal_part *p, size_t bytes, struct dcs_err *err)
{
    void *memory;
    if (p->memory_count == CAL_PART_MEMORY) {
        cal_fail(err, "internal error: a part of a fused kernel has too much memory");
        return NULL;
    }
    if (cal_device_alloc(&memory, bytes, err) != 0)
        return NULL;
    p->memory[p->memory_count++] = memory;
    return memory;
}

int cal_part_compare(const struct cal_part_kernel *of, const void *got, const void *want,
                     size_t bytes, struct dcs_err *err)
{
    const size_t n = bytes / sizeof(float);
    if (of->counts)
        return cal_compare_i32((const int32_t *)got, (const int32_t *)want, n, "CUDA part", err);
    /* Products and sums may be joined differently in another kernel, which shows most where sums
     * cancel: the measure is the mean of what was written. */
    const float *floats = (const float *)want;
    double sum = 0, written = 0;
    for (size_t i = 0; i < n; i++)
        if (fabsf(floats[i]) < 1e37f) {
            sum += fabs((double)floats[i]);
            written++;
        }
    return cal_compare_f32((const float *)got, floats, n, 1e-4 * sum / written, 1e-4, "CUDA part",
                           err);
}
