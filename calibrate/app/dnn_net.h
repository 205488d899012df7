/*
 * dnn_net.h - neural networks as applications: a network is built layer by layer, and from that
 * come the memory, the plan of a request, and its check.
 *
 * A service's request: images (bytes) to the device, every layer forward, probabilities back.
 * A training request: images and labels to the device, one mini-batch forward and backward, the new
 * parameters by stochastic gradient descent, the losses back. The new parameters go to a second
 * buffer, so that each request does the same.
 *
 * Every tensor is written once in a request. Their memory is shared as their lifetimes allow; but
 * in a state of one image every tensor keeps its own, and the check compares a sample of each
 * layer's results with a reference in double precision, from what the layer read on the device.
 *
 * What is simplified: weights are random (He et al., ICCV 2015), the data are noise. Fixed batch
 * normalisation is a scale and a shift near 1 and 0. No dropout, no momentum, no weight decay. The
 * master copy of the weights is in half precision. The images' 3 channels are padded to 8, which
 * the first convolution multiplies and counts.
 */
#ifndef DCS_CALIBRATE_DNN_NET_H
#define DCS_CALIBRATE_DNN_NET_H

#include "calibrate/app/dnn_kernels.h"

struct dnn_net;

/* A published network, and how its requests run. */
struct dnn_spec {
    const char *name;
    void (*build)(struct dnn_net *net); /* ends with dnn_classify */
    int resolution;                     /* height and width of its images */
    int small_resolution;               /* of the check where there is only an emulated device */
    bool train;
    /* Training networks with more than about 80 layers: a layer's normalisation and ReLU are one
     * kernel of the request, and so are its two gradients. */
    bool grouped;
};

/* For struct cal_app; plan, check and destroy as they are, create with the spec. */
void *dnn_create(const struct dnn_spec *spec, int64_t size, uint64_t seed, struct dcs_err *err);
int dnn_plan(void *state, int sms, struct cal_plan *plan, struct dcs_err *err);
int dnn_check(void *state, struct dcs_err *err);
void dnn_destroy(void *state);

/* --- building: tensors are numbers; layers return their result --- */

#define DNN_NEW                                                                                    \
    (-1) /* `into`: a tensor of its own. Else one that is written (a slice of another) */

int dnn_images(struct dnn_net *net); /* the input, 3 channels of 8 used */
int dnn_tensor(struct dnn_net *net, int h, int w, int c);
int dnn_slice(struct dnn_net *net, int tensor, int first, int c); /* of its channels */
int dnn_height(const struct dnn_net *net, int tensor);
int dnn_width(const struct dnn_net *net, int tensor);
int dnn_channels(const struct dnn_net *net, int tensor);

/* Layer names are of at most 31 characters. */
struct dnn_conv_options {
    int kernel_h, kernel_w, stride, pad_h, pad_w, groups;
    bool bias;
};
int dnn_conv_layer(struct dnn_net *net, const char *name, int x, int c,
                   const struct dnn_conv_options *o, int into);
/* gain: the mean scale; below 1 it keeps sums of many branches in range. */
int dnn_norm_layer(struct dnn_net *net, const char *name, int x, float gain);
int dnn_relu_layer(struct dnn_net *net, const char *name, int x, int into);
int dnn_pool_layer(struct dnn_net *net, const char *name, int x, const struct dnn_pool *pool,
                   int into);
int dnn_add_layer(struct dnn_net *net, const char *name, int a, int b);
/* The mean of each channel. */
int dnn_global_pool(struct dnn_net *net, const char *name, int x);
/* A fully connected layer with bias. */
int dnn_connected(struct dnn_net *net, const char *name, int x, int c);
/* The softmax over the classes, or the loss: the end of the network. */
void dnn_classify(struct dnn_net *net, int x);

/* The published networks (dnn_models.cu). */
void dnn_resnet50(struct dnn_net *net);
void dnn_resnext50(struct dnn_net *net);
void dnn_vgg16(struct dnn_net *net);
void dnn_vgg19(struct dnn_net *net);
void dnn_inception_v3(struct dnn_net *net);
void dnn_densenet121(struct dnn_net *net);

#endif
