/*
 * densenet.cu - DenseNet-121, classifying a batch of images: 120 convolutions; each layer reads the
 * channels of all before it in its block.
 *
 * Huang, Liu, van der Maaten, Weinberger: densely connected convolutional networks, CVPR 2017.
 *
 * Tacker (HPCA 2022) table II names it: Densenet (16). A size is the images of a request. A kernel
 * is one layer: convolutions and fully connected layers run on the tensor cores, normalisation,
 * ReLU, pooling and sums on the CUDA cores, each a kernel of its own.
 */
#include "calibrate/app/dnn_net.h"

static const struct dnn_spec spec = {"densenet", dnn_densenet121, 224, 64, false, false};

static void *create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    return dnn_create(&spec, size, seed, err);
}

extern "C" const struct cal_app cal_app_densenet = {
    /* name */ "densenet",
    /* role */ CAL_SERVICE,
    /* papers */ "Tacker table II: Densenet (16)",
    /* algorithm */
    "Huang, Liu, van der Maaten, Weinberger: densely connected convolutional networks, CVPR 2017",
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
