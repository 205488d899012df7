/*
 * inception.cu - Inception v3, classifying a batch of images: 94 convolutions with batch
 * normalisation and ReLU in modules of parallel branches.
 *
 * Szegedy, Vanhoucke, Ioffe, Shlens, Wojna: rethinking the Inception architecture for computer
 * vision, CVPR 2016.
 *
 * Tacker (HPCA 2022) table II names it: Inception (32). A size is the images of a request. A
 * kernel is one layer: convolutions and fully connected layers run on the tensor cores,
 * normalisation, ReLU, pooling and sums on the CUDA cores, each a kernel of its own.
 */
#include "calibrate/app/dnn_net.h"

static const struct dnn_spec spec = {"inception", dnn_inception_v3, 299, 107, false, false};

static void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    return dnn_create(&spec, size, seed, err);
}

extern "C" const struct cal_app cal_app_inception = {
    /* name */ "inception",
    /* role */ CAL_SERVICE,
    /* papers */ "Tacker table II: Inception (32)",
    /* algorithm */
    "Szegedy, Vanhoucke, Ioffe, Shlens, Wojna: rethinking the Inception architecture for computer "
    "vision, CVPR 2016",
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
