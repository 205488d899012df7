/* fusion_table.cu - the kernels of fusion_NAME.cu: fusion_body.cuh. */
#include "calibrate/gpu/fusion_body.cuh"

const struct cal_fusion_cuda *const cal_fusion_cudas[CAL_FUSION_CUDAS] = {
    &cal_fusion_mriq,  &cal_fusion_fft, &cal_fusion_mrif,  &cal_fusion_cutcp,   &cal_fusion_cp,
    &cal_fusion_sgemm, &cal_fusion_lbm, &cal_fusion_tpacf, &cal_fusion_stencil,
};
