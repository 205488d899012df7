/*
 * vgg16_train.cu - VGG-16 trained on one mini-batch: forward, the gradients of data and weights,
 * and the new parameters (see dnn_net.h for what is simplified).
 *
 * Simonyan, Zisserman: very deep convolutional networks for large-scale image recognition, ICLR
 * 2015.
 *
 * Tacker (HPCA 2022) table II names it: VGG16-T. A size is the images of a mini-batch. A kernel is
 * a layer's pass forward, or one of its gradients. Convolutions and their gradients run on the
 * tensor cores.
 */
#include "calibrate/app/dnn_net.h"

static const struct dnn_spec spec = {"vgg16-train", dnn_vgg16, 224, 32, true, false};

static void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    return dnn_create(&spec, size, seed, err);
}

extern "C" const struct cal_app cal_app_vgg16_train = {
    /* name */ "vgg16-train",
    /* role */ CAL_BATCH,
    /* papers */ "Tacker table II: VGG16-T",
    /* algorithm */
    "Simonyan, Zisserman: very deep convolutional networks for large-scale image recognition, ICLR "
    "2015",
    /* size_unit */ "images",
    /* size_min */ 1,
    /* size_max */ 64,
    /* size_default */ 32,
    /* size_check */ 1,
    /* size_step */ 1,
    /* sla_ns */ 0,
    /* create, plan, check, destroy */
    create,
    dnn_plan,
    dnn_check,
    dnn_destroy,
};
