/*
 * densenet_train.cu - DenseNet-121 trained on one mini-batch: forward, the gradients of data and
 * weights, and the new parameters (see dnn_net.h for what is simplified).
 *
 * Huang, Liu, van der Maaten, Weinberger: densely connected convolutional networks, CVPR 2017.
 *
 * Tacker (HPCA 2022) table II names it: Densenet-T. A size is the images of a mini-batch. A kernel
 * is a layer's pass forward, or one of its gradients: for so many layers, the two gradients of a
 * convolution are one, and normalisation and ReLU are one. Convolutions and their gradients run on
 * the tensor cores.
 */
#include "calibrate/app/dnn_net.h"

static const struct dnn_spec spec = {"densenet-train", dnn_densenet121, 224, 64, true, true};

static void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    return dnn_create(&spec, size, seed, err);
}

extern "C" const struct cal_app cal_app_densenet_train = {
    /* name */ "densenet-train",
    /* role */ CAL_BATCH,
    /* papers */ "Tacker table II: Densenet-T",
    /* algorithm */
    "Huang, Liu, van der Maaten, Weinberger: densely connected convolutional networks, CVPR 2017",
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
