/*
 * inception_train.cu - Inception v3 trained on one mini-batch: forward, the gradients of data and
 * weights, and the new parameters (see dnn_net.h for what is simplified).
 *
 * Szegedy, Vanhoucke, Ioffe, Shlens, Wojna: rethinking the Inception architecture for computer
 * vision, CVPR 2016.
 *
 * Tacker (HPCA 2022) table II names it: Inception-T. A size is the images of a mini-batch. A
 * kernel is a layer's pass forward, or one of its gradients: for so many layers, the two gradients
 * of a convolution are one, and normalisation and ReLU are one. Convolutions and their gradients
 * run on the tensor cores.
 */
#include "calibrate/app/dnn_net.h"

static const struct dnn_spec spec = {"inception-train", dnn_inception_v3, 299, 107, true, true};

static void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    return dnn_create(&spec, size, seed, err);
}

extern "C" const struct cal_app cal_app_inception_train = {
    /* name */ "inception-train",
    /* role */ CAL_BATCH,
    /* papers */ "Tacker table II: Inception-T",
    /* algorithm */
    "Szegedy, Vanhoucke, Ioffe, Shlens, Wojna: rethinking the Inception architecture for computer "
    "vision, CVPR 2016",
    /* size_unit */ "images",
    /* size_min */ 1,
    /* size_max */ 96,
    /* size_default */ 48,
    /* size_check */ 1,
    /* size_step */ 1,
    /* sla_ns */ 0,
    /* create, plan, check, destroy */
    create,
    dnn_plan,
    dnn_check,
    dnn_destroy,
};
