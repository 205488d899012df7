/*
 * vgg16.cu - VGG-16, classifying a batch of images: 13 convolutions with bias, ReLU and pooling, 3
 * fully connected layers.
 *
 * Simonyan, Zisserman: very deep convolutional networks for large-scale image recognition, ICLR
 * 2015.
 *
 * Tacker (HPCA 2022) table II names it: VGG16 (24). A size is the images of a request. A kernel is
 * one layer: convolutions and fully connected layers run on the tensor cores, normalisation, ReLU,
 * pooling and sums on the CUDA cores, each a kernel of its own.
 */
#include "calibrate/app/dnn_net.h"

static const struct dnn_spec spec = {"vgg16", dnn_vgg16, 224, 32, false, false};

static void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    return dnn_create(&spec, size, seed, err);
}

extern "C" const struct cal_app cal_app_vgg16 = {
    /* name */ "vgg16",
    /* role */ CAL_SERVICE,
    /* papers */ "Tacker table II: VGG16 (24)",
    /* algorithm */
    "Simonyan, Zisserman: very deep convolutional networks for large-scale image recognition, ICLR "
    "2015",
    /* size_unit */ "images",
    /* size_min */ 1,
    /* size_max */ 256,
    /* size_default */ 128,
    /* size_check */ 1,
    /* size_step */ 1,
    /* sla_ns */ 50 * 1000 * 1000,
    /* create, plan, check, destroy */
    create,
    dnn_plan,
    dnn_check,
    dnn_destroy,
};
