/*
 * dnn_net.cu - the layers that a network is built of; see dnn_net.h.
 */
#include "calibrate/app/dnn_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dnn_require(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "dcsim-calibrate: internal error: a network: %s\n", what);
    exit(70);
}

/* --- tensors --- */

static int new_memory(struct dnn_net *net, int wide, size_t bytes)
{
    dnn_require(net->memory_count < DNN_TENSORS_MAX, "too many tensors");
    net->memory[net->memory_count] = {wide, bytes, 0, -1, -1};
    return net->memory_count++;
}

static int add_tensor(struct dnn_net *net, const struct dnn_tensor_info *t)
{
    dnn_require(net->tensors_count < DNN_TENSORS_MAX, "too many tensors");
    dnn_require(t->h > 0 && t->w > 0 && t->c > 0 && t->c % 8 == 0 && t->first % 8 == 0,
                "a tensor's shape");
    net->tensors[net->tensors_count] = *t;
    return net->tensors_count++;
}

int dnn_tensor(struct dnn_net *net, int h, int w, int c)
{
    const size_t bytes = (size_t)net->images * h * w * c * sizeof(__half);
    const struct dnn_tensor_info t = {new_memory(net, c, bytes), 0, h, w, c};
    return add_tensor(net, &t);
}

int dnn_slice(struct dnn_net *net, int tensor, int first, int c)
{
    struct dnn_tensor_info t = net->tensors[tensor];
    dnn_require(first + c <= t.c, "a slice leaves its tensor");
    t.first += first;
    t.c = c;
    return add_tensor(net, &t);
}

int dnn_height(const struct dnn_net *net, int tensor)
{
    return net->tensors[tensor].h;
}

int dnn_width(const struct dnn_net *net, int tensor)
{
    return net->tensors[tensor].w;
}

int dnn_channels(const struct dnn_net *net, int tensor)
{
    return net->tensors[tensor].c;
}

struct dnn_view dnn_view_of(const struct dnn_net *net, int tensor)
{
    const struct dnn_tensor_info *t = &net->tensors[tensor];
    const struct dnn_memory *m = &net->memory[t->memory];
    return {(__half *)(net->data + m->offset) + t->first, net->images, t->h, t->w, t->c, m->wide};
}

struct dnn_norm dnn_norm_of(const struct dnn_net *net, const struct dnn_step *s)
{
    const int c = net->tensors[s->x].c;
    float *at = net->statistics + s->statistics;
    return {net->floats + s->floats,
            net->floats + s->floats + c,
            net->float_gradients + s->floats,
            net->float_gradients + s->floats + c,
            at,
            at + c,
            at + 2 * c,
            at + 3 * c,
            at + 4 * c,
            at + 5 * c,
            at + 6 * c};
}

/* --- layers --- */

struct dnn_step *dnn_new_step(struct dnn_net *net, enum dnn_op op, const char *name, int x, int y)
{
    dnn_require(net->steps_count < DNN_STEPS_MAX, "too many steps");
    struct dnn_step *s = &net->steps[net->steps_count++];
    *s = {};
    s->op = op;
    dnn_require(snprintf(s->name, sizeof s->name, "%s", name) < (int)sizeof s->name, "a long name");
    s->x = x;
    s->y = y;
    s->other = s->of = s->mask = DNN_NONE;
    s->floats = DNN_NOT_THERE;
    return s;
}

static int result_of(struct dnn_net *net, int into, int h, int w, int c)
{
    if (into == DNN_NEW)
        return dnn_tensor(net, h, w, c);
    const struct dnn_tensor_info *t = &net->tensors[into];
    dnn_require(t->h == h && t->w == w && t->c == c, "a result does not fit where it is to go");
    return into;
}

int dnn_images(struct dnn_net *net)
{
    const int y = dnn_tensor(net, net->resolution, net->resolution, 8);
    dnn_new_step(net, DNN_TRANSFORM, "transform", DNN_NONE, y);
    return y;
}

int dnn_conv_layer(struct dnn_net *net, const char *name, int x, int c,
                   const struct dnn_conv_options *o, int into)
{
    const struct dnn_tensor_info t = net->tensors[x];
    const int h = (t.h + 2 * o->pad_h - o->kernel_h) / o->stride + 1;
    const int w = (t.w + 2 * o->pad_w - o->kernel_w) / o->stride + 1;
    const int y = result_of(net, into, h, w, c);
    struct dnn_step *s = dnn_new_step(net, DNN_CONV, name, x, y);
    s->conv = {o->kernel_h, o->kernel_w, o->stride, o->pad_h, o->pad_w, o->groups};
    const size_t inputs = o->groups == 1 ? (size_t)t.c : (size_t)dnn_grouped_block(c, o->groups);
    s->weights = net->weights_count;
    s->weights_count = (size_t)o->kernel_h * o->kernel_w * inputs * c;
    net->weights_count += s->weights_count;
    if (o->bias) {
        s->floats = net->floats_count;
        net->floats_count += (size_t)c;
    }
    return y;
}

int dnn_norm_layer(struct dnn_net *net, const char *name, int x, float gain)
{
    const struct dnn_tensor_info t = net->tensors[x];
    const int y = dnn_tensor(net, t.h, t.w, t.c);
    struct dnn_step *s = dnn_new_step(net, net->spec->train ? DNN_NORM : DNN_SCALE, name, x, y);
    s->gain = gain;
    s->floats = net->floats_count;
    net->floats_count += 2 * (size_t)t.c;
    if (net->spec->train) {
        s->statistics = net->statistics_count;
        net->statistics_count += DNN_NORM_ARRAYS * (size_t)t.c;
    }
    return y;
}

int dnn_relu_layer(struct dnn_net *net, const char *name, int x, int into)
{
    const struct dnn_tensor_info t = net->tensors[x];
    const int y = result_of(net, into, t.h, t.w, t.c);
    dnn_new_step(net, DNN_RELU, name, x, y);
    return y;
}

int dnn_pool_layer(struct dnn_net *net, const char *name, int x, const struct dnn_pool *pool,
                   int into)
{
    const struct dnn_tensor_info t = net->tensors[x];
    const int h = (t.h + 2 * pool->pad - pool->kernel_h) / pool->stride + 1;
    const int w = (t.w + 2 * pool->pad - pool->kernel_w) / pool->stride + 1;
    const int y = result_of(net, into, h, w, t.c);
    struct dnn_step *s = dnn_new_step(net, DNN_POOL, name, x, y);
    s->pool = *pool;
    if (net->spec->train && pool->max)
        s->mask = new_memory(net, t.c, (size_t)net->images * h * w * t.c);
    return y;
}

int dnn_add_layer(struct dnn_net *net, const char *name, int a, int b)
{
    const struct dnn_tensor_info t = net->tensors[a];
    const int y = dnn_tensor(net, t.h, t.w, t.c);
    dnn_new_step(net, DNN_SUM, name, a, y)->other = b;
    return y;
}

int dnn_global_pool(struct dnn_net *net, const char *name, int x)
{
    const struct dnn_pool pool = {false, dnn_height(net, x), dnn_width(net, x), 1, 0};
    return dnn_pool_layer(net, name, x, &pool, DNN_NEW);
}

int dnn_connected(struct dnn_net *net, const char *name, int x, int c)
{
    const struct dnn_conv_options o = {dnn_height(net, x), dnn_width(net, x), 1, 0, 0, 1, true};
    return dnn_conv_layer(net, name, x, c, &o, DNN_NEW);
}

void dnn_classify(struct dnn_net *net, int x)
{
    const struct dnn_tensor_info t = net->tensors[x];
    dnn_require(t.h == 1 && t.w == 1, "classes have no place in the image");
    net->result_count = (size_t)net->images;
    if (net->spec->train) {
        dnn_new_step(net, DNN_LOSS, "loss", x, dnn_tensor(net, 1, 1, t.c));
    } else {
        net->result_count *= (size_t)t.c;
        dnn_new_step(net, DNN_SOFTMAX, "softmax", x, DNN_NONE);
    }
    net->forward_count = net->steps_count;
}
