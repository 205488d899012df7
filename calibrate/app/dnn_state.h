/*
 * dnn_state.h - what dnn_net.cu, dnn_create.cu, dnn_train.cu, dnn_plan.cu and dnn_check.cu share: a
 * network as a list of steps on tensors.
 */
#ifndef DCS_CALIBRATE_DNN_STATE_H
#define DCS_CALIBRATE_DNN_STATE_H

#include "calibrate/app/dnn_net.h"

#define DNN_STEPS_MAX   1024
#define DNN_TENSORS_MAX 2048
#define DNN_NONE        (-1)

enum dnn_op {
    DNN_TRANSFORM, /* the images to y */
    DNN_CONV,
    DNN_SCALE, /* normalisation with fixed statistics */
    DNN_NORM,  /* with those of the batch */
    DNN_RELU,
    DNN_POOL,
    DNN_SUM, /* y = x + other */
    DNN_SOFTMAX,
    DNN_LOSS, /* y: the gradient of x */
    /* The gradients: `of` is the step forward, x the gradient that is given, y the one that is
     * computed (none: not needed), other an addend of y (or none). */
    DNN_CONV_BACK,
    DNN_NORM_BACK,
    DNN_RELU_BACK,
    DNN_POOL_BACK,
    DNN_UPDATE,
};

struct dnn_step {
    enum dnn_op op;
    char name[32];
    int x, y, other, of;
    struct dnn_conv conv;
    struct dnn_pool pool;
    size_t weights, weights_count; /* DNN_CONV: in the half parameters */
    /* In the float parameters: the bias (or DNN_NOT_THERE), scale and shift, or gamma and beta; of
     * DNN_NORM also its arrays in the statistics. */
    size_t floats, statistics;
    float gain; /* mean of scale or gamma */
    int mask;   /* DNN_POOL: memory for the places of the maxima, or none */
};
#define DNN_NOT_THERE ((size_t)-1)

/* Channels first .. first + c of a block of memory with `wide` channels. */
struct dnn_tensor_info {
    int memory, first, h, w, c;
};

/* Memory of one tensor (and its slices), or of a mask. */
struct dnn_memory {
    int wide; /* elements of one pixel */
    size_t bytes, offset;
    int written, read; /* the first step that writes and the last that uses it */
};

struct dnn_net {
    const struct dnn_spec *spec;
    int images, resolution;
    uint64_t seed;
    bool keep; /* every tensor has its own memory */

    struct dnn_step steps[DNN_STEPS_MAX];
    struct dnn_tensor_info tensors[DNN_TENSORS_MAX];
    struct dnn_memory memory[DNN_TENSORS_MAX];
    int steps_count, tensors_count, memory_count, forward_count;

    size_t weights_count, floats_count, statistics_count; /* elements */
    size_t tensors_bytes, workspace_count;

    /* The device's memory. */
    unsigned char *bytes; /* the images */
    int *labels;
    unsigned char *data; /* all tensors */
    __half *weights, *new_weights;
    float *floats, *float_gradients, *new_floats, *weight_gradients;
    float *statistics, *workspace;
    float *result; /* probabilities, or losses */
    size_t result_count;
    /* Pinned. */
    unsigned char *host_bytes;
    int *host_labels;
    float *host_result;
};

#define DNN_LOSS_SCALE 64.0f
#define DNN_RATE       0.01f /* of learning, for the mean gradient of a batch */

/* dnn_create.cu */
struct dnn_net *dnn_create_net(const struct dnn_spec *spec, int images, uint64_t seed, bool keep,
                               struct dcs_err *err);

/* dnn_net.cu */
void dnn_require(bool holds, const char *what); /* else a fault of ours: the end */
struct dnn_step *dnn_new_step(struct dnn_net *net, enum dnn_op op, const char *name, int x, int y);
struct dnn_view dnn_view_of(const struct dnn_net *net, int tensor);
struct dnn_norm dnn_norm_of(const struct dnn_net *net, const struct dnn_step *s);
/* dnn_train.cu: appends the steps of the gradients. */
void dnn_differentiate(struct dnn_net *net);
/* dnn_plan.cu: the workspace of a step, in floats. */
size_t dnn_step_workspace(const struct dnn_net *net, const struct dnn_step *s);

#endif
