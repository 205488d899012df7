/*
 * dig.cu - recognition of handwritten digits: LeNet-5 for images of 28 by 28.
 *
 * LeCun, Bottou, Bengio and Haffner, "Gradient-based learning applied to document recognition",
 * Proc. IEEE 86(11), 1998, with the layers of Caffe's LeNet (Jia et al., ACM MM 2014), which the
 * service of the Tonic suite runs: 20 and 50 filters of 5 by 5, maxima instead of averages, ReLU
 * and softmax. C-Laius table 3 (dig), whose published measurements have these shapes at 32768
 * images.
 *
 * A size is a number of images. A kernel is one layer, its bias and activation a second one.
 */
#include "calibrate/apps/layers_f32.cuh"

namespace
{

const struct layer layers[] = {
    {"conv1", CONVOLUTION, 20, 5, 1, 0, 1, false, false},
    {"pool1", POOL, 0, 2, 2, 0, 1, false, false},
    {"conv2", CONVOLUTION, 50, 5, 1, 0, 1, false, false},
    {"pool2", POOL, 0, 2, 2, 0, 1, false, false},
    {"full1", FULL, 500, 0, 0, 0, 1, false, true},
    {"full2", FULL, 10, 0, 0, 0, 1, false, false},
    {"softmax", SOFTMAX, 0, 0, 0, 0, 1, false, false},
};

void *dig_create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    return net_create({1, 28, 28, 1}, layers, sizeof layers / sizeof layers[0], size, seed, err);
}

} // namespace

/* C-Laius gives no target for each service: section 1 says 100 to 300 ms. */
extern "C" const struct cal_app cal_app_dig = {
    .name = "dig",
    .role = CAL_SERVICE,
    .papers = "C-Laius table 3: dig (Tonic suite)",
    .algorithm = "LeCun et al., Proc. IEEE 86(11), 1998: LeNet-5, with the layers of Caffe's LeNet",
    .size_unit = "images",
    .size_min = 1024,
    .size_max = 49152,
    .size_default = 32768,
    .size_check = 16,
    .size_step = 32,
    .sla_ns = INT64_C(100000000),
    .create = dig_create,
    .plan = net_plan,
    .check = net_check,
    .destroy = net_destroy,
};
