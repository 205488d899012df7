/* resident_table.cu - the kernels of fusion_NAME.cu and resident_NAME.cu: fusion_body.cuh. */
#include "calibrate/gpu/fusion_body.cuh"

const struct cal_part_kernel *const cal_resident_kernels[CAL_RESIDENT_KERNELS] = {
    &cal_fusion_mriq.alone,  &cal_fusion_fft.alone,   &cal_fusion_mrif.alone,
    &cal_fusion_cutcp.alone, &cal_fusion_cp.alone,    &cal_fusion_sgemm.alone,
    &cal_fusion_lbm.alone,   &cal_fusion_tpacf.alone, &cal_fusion_stencil.alone,
    &cal_resident_spmv,      &cal_resident_sad,       &cal_resident_histo,
    &cal_resident_frontier,
};
