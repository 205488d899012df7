/*
 * face.cu - recognition of faces: DeepFace.
 *
 * Taigman, Yang, Ranzato and Wolf, "DeepFace: closing the gap to human-level performance in face
 * verification", CVPR 2014: two convolutions, three locally connected layers, whose filters differ
 * from place to place, and two full layers, for aligned images of 152 by 152. The last layer has 83
 * classes, as the service of the Tonic suite (C-Laius table 3: face; its published measurements
 * have these shapes at 32 images); the paper's has 4030. ReLU follows each layer but the last.
 *
 * A size is a number of images. A kernel is one layer; bias and activation are a second one, but
 * part of the locally connected layers.
 */
#include "calibrate/apps/layers_f32.cuh"

namespace
{

const struct layer layers[] = {
    {"c1", CONVOLUTION, 32, 11, 1, 0, 1, false, true}, {"m2", POOL, 0, 3, 2, 0, 1, false, false},
    {"c3", CONVOLUTION, 16, 9, 1, 0, 1, false, true},  {"l4", LOCAL, 16, 9, 1, 0, 1, false, true},
    {"l5", LOCAL, 16, 7, 2, 0, 1, false, true},        {"l6", LOCAL, 16, 5, 1, 0, 1, false, true},
    {"f7", FULL, 4096, 0, 0, 0, 1, false, true},       {"f8", FULL, 83, 0, 0, 0, 1, false, false},
    {"softmax", SOFTMAX, 0, 0, 0, 0, 1, false, false},
};

void *face_create(int64_t size, uint64_t seed, struct dcs_err *err)
{
    return net_create({1, 152, 152, 3}, layers, sizeof layers / sizeof layers[0], size, seed, err);
}

} // namespace

/* C-Laius gives no target for each service: section 1 says 100 to 300 ms. */
extern "C" const struct cal_app cal_app_face = {
    .name = "face",
    .role = CAL_SERVICE,
    .papers = "C-Laius table 3: face (Tonic suite)",
    .algorithm = "Taigman et al., CVPR 2014: DeepFace",
    .size_unit = "images",
    .size_min = 8,
    .size_max = 288,
    .size_default = 192,
    .size_check = 3,
    .size_step = 1,
    .sla_ns = INT64_C(100000000),
    .create = face_create,
    .plan = net_plan,
    .check = net_check,
    .destroy = net_destroy,
};
