/*
 * imc.cu - classification of images: AlexNet.
 *
 * Krizhevsky, Sutskever and Hinton, "ImageNet classification with deep convolutional neural
 * networks", NIPS 2012; the service of the Tonic suite (C-Laius table 3: imc). The two halves that
 * ran on two GPUs there are two planes of channels here: the second, fourth and fifth convolutions
 * see their own half only, and so does the normalisation. Images are 227 by 227 (the paper says
 * 224, from which its sizes do not follow). No dropout, as in inference.
 *
 * A size is a number of images. A kernel is one layer, its bias and activation a second one.
 */
#include "calibrate/apps/layers_f32.cuh"

namespace
{

const struct layer layers[] = {
    {"conv1", CONVOLUTION, 96, 11, 4, 0, 2, false, true},
    {"norm1", NORMALISE, 0, 5, 0, 0, 2, false, false},
    {"pool1", POOL, 0, 3, 2, 0, 2, false, false},
    {"conv2", CONVOLUTION, 256, 5, 1, 2, 2, true, true},
    {"norm2", NORMALISE, 0, 5, 0, 0, 2, false, false},
    {"pool2", POOL, 0, 3, 2, 0, 2, false, false},
    {"conv3", CONVOLUTION, 384, 3, 1, 1, 2, false, true},
    {"conv4", CONVOLUTION, 384, 3, 1, 1, 2, true, true},
    {"conv5", CONVOLUTION, 256, 3, 1, 1, 2, true, true},
    {"pool5", POOL, 0, 3, 2, 0, 2, false, false},
    {"full6", FULL, 4096, 0, 0, 0, 1, false, true},
    {"full7", FULL, 4096, 0, 0, 0, 1, false, true},
    {"full8", FULL, 1000, 0, 0, 0, 1, false, false},
    {"softmax", SOFTMAX, 0, 0, 0, 0, 1, false, false},
};

void *imc_create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    return net_create({1, 227, 227, 3}, layers, sizeof layers / sizeof layers[0], size, seed, err);
}

} // namespace

/* C-Laius gives no target for each service: section 1 says 100 to 300 ms. */
extern "C" const struct cal_app cal_app_imc = {
    .name = "imc",
    .role = CAL_SERVICE,
    .papers = "C-Laius table 3: imc (Tonic suite)",
    .algorithm = "Krizhevsky, Sutskever and Hinton, NIPS 2012: AlexNet",
    .size_unit = "images",
    .size_min = 8,
    .size_max = 384,
    .size_default = 256,
    .size_check = 2,
    .size_step = 1,
    .sla_ns = INT64_C(100000000),
    .create = imc_create,
    .plan = net_plan,
    .check = net_check,
    .destroy = net_destroy,
};
