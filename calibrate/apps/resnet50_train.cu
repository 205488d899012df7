/*
 * resnet50_train.cu - ResNet-50 trained on one mini-batch: forward, the gradients of data and
 * weights, and the new parameters (see dnn_net.h for what is simplified).
 *
 * He, Zhang, Ren, Sun: deep residual learning for image recognition, CVPR 2016.
 *
 * Tacker (HPCA 2022) table II names it: Resnet50-T. A size is the images of a mini-batch. A kernel
 * is a layer's pass forward, or one of its gradients. Convolutions and their gradients run on the
 * tensor cores.
 */
#include "calibrate/app/dnn_net.h"

static const struct dnn_spec spec = {"resnet50-train", dnn_resnet50, 224, 64, true, false};

static void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    return dnn_create(&spec, size, seed, err);
}

extern "C" const struct cal_app cal_app_resnet50_train = {
    /* name */ "resnet50-train",
    /* role */ CAL_BATCH,
    /* papers */ "Tacker table II: Resnet50-T",
    /* algorithm */ "He, Zhang, Ren, Sun: deep residual learning for image recognition, CVPR 2016",
    /* size_unit */ "images",
    /* size_min */ 1,
    /* size_max */ 128,
    /* size_default */ 64,
    /* size_check */ 1,
    /* size_step */ 1,
    /* sla_ns */ 0,
    /* create, plan, check, destroy */
    create,
    dnn_plan,
    dnn_check,
    dnn_destroy,
};
