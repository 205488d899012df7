/*
 * fusion_part.cu - what fused_kernels.cu and the kernels of fusion_NAME.cu share: fusion_body.cuh.
 */
#include "calibrate/gpu/fusion_body.cuh"

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
