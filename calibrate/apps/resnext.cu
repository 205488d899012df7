/*
 * resnext.cu - ResNeXt-50 32x4d, classifying a batch of images: as ResNet-50, but the 3x3
 * convolutions are of 32 groups of 4 to 32 channels.
 *
 * Xie, Girshick, Dollar, Tu, He: aggregated residual transformations for deep neural networks,
 * CVPR 2017.
 *
 * Tacker (HPCA 2022) table II names it: ResNext (24). A size is the images of a request. A kernel
 * is one layer: convolutions and fully connected layers run on the tensor cores, normalisation,
 * ReLU, pooling and sums on the CUDA cores, each a kernel of its own. Grouped convolutions are
 * products on the tensor cores of 16 or 32 channels each; groups of 4 or 8 are joined, with zeros
 * between them (dnn_gemm.cu).
 */
#include "calibrate/app/dnn_net.h"

static const struct dnn_spec spec = {"resnext", dnn_resnext50, 224, 64, false, false};

static void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    return dnn_create(&spec, size, seed, err);
}

extern "C" const struct cal_app cal_app_resnext = {
    /* name */ "resnext",
    /* role */ CAL_SERVICE,
    /* papers */ "Tacker table II: ResNext (24)",
    /* algorithm */
    "Xie, Girshick, Dollar, Tu, He: aggregated residual transformations for deep neural networks, "
    "CVPR 2017",
    /* size_unit */ "images",
    /* size_min */ 1,
    /* size_max */ 384,
    /* size_default */ 192,
    /* size_check */ 1,
    /* size_step */ 1,
    /* sla_ns */ 50 * 1000 * 1000,
    /* create, plan, check, destroy */
    create,
    dnn_plan,
    dnn_check,
    dnn_destroy,
};
