/*
 * resnet50.cu - ResNet-50, classifying a batch of images: 53 convolutions, each followed by batch
 * normalisation and 49 of them by a ReLU, 16 sums.
 *
 * He, Zhang, Ren, Sun: deep residual learning for image recognition, CVPR 2016.
 *
 * Tacker (HPCA 2022) table II names it: Resnet50 (batch size 32 on an RTX 2080Ti). A size is the
 * images of a request. A kernel is one layer: convolutions and fully connected layers run on the
 * tensor cores, normalisation, ReLU, pooling and sums on the CUDA cores, each a kernel of its own.
 */
#include "calibrate/app/dnn_net.h"

static const struct dnn_spec spec = {"resnet50", dnn_resnet50, 224, 64, false, false};

static void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    return dnn_create(&spec, size, seed, err);
}

extern "C" const struct cal_app cal_app_resnet50 = {
    /* name */ "resnet50",
    /* role */ CAL_SERVICE,
    /* papers */ "Tacker table II: Resnet50 (batch size 32)",
    /* algorithm */ "He, Zhang, Ren, Sun: deep residual learning for image recognition, CVPR 2016",
    /* size_unit */ "images",
    /* size_min */ 1,
    /* size_max */ 512,
    /* size_default */ 256,
    /* size_check */ 1,
    /* size_step */ 1,
    /* sla_ns */ 50 * 1000 * 1000,
    /* create, plan, check, destroy */
    create,
    dnn_plan,
    dnn_check,
    dnn_destroy,
};
