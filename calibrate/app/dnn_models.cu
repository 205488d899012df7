/*
 * dnn_models.cu - the published networks, layer by layer. Sizes are those of the papers' tables for
 * 224x224 (Inception: 299x299) images and 1000 classes.
 */
#include "calibrate/app/dnn_net.h"

#include <stdarg.h>
#include <stdio.h>

/* What all but VGG are made of: a convolution without bias, its normalisation, and a ReLU, which
 * may write a slice. Even kernels do not occur: `same` keeps the size (before the stride). */
struct unit {
    int kernel_h, kernel_w, stride, groups;
    bool same;
};
static const struct unit unit_1x1 = {1, 1, 1, 1, true}, unit_3x3 = {3, 3, 1, 1, true};
static const struct unit unit_1x7 = {1, 7, 1, 1, true}, unit_7x1 = {7, 1, 1, 1, true};
static const struct unit unit_3x3_valid = {3, 3, 1, 1, false};
static const struct unit unit_3x3_halves = {3, 3, 2, 1, false};

struct label {
    char text[32];
};

static struct label label(const char *format, ...) __attribute__((format(printf, 1, 2)));
static struct label label(const char *format, ...)
{
    struct label l;
    va_list args;
    va_start(args, format);
    vsnprintf(l.text, sizeof l.text, format, args);
    va_end(args);
    return l;
}

static int conv(struct dnn_net *net, const char *name, int x, int c, const struct unit *u, int into)
{
    const struct dnn_conv_options o = {u->kernel_h,
                                       u->kernel_w,
                                       u->stride,
                                       u->same ? u->kernel_h / 2 : 0,
                                       u->same ? u->kernel_w / 2 : 0,
                                       u->groups,
                                       false};
    return dnn_conv_layer(net, name, x, c, &o, into);
}

static int conv_norm(struct dnn_net *net, const char *name, int x, int c, const struct unit *u,
                     float gain)
{
    const int y = conv(net, name, x, c, u, DNN_NEW);
    return dnn_norm_layer(net, label("%s_bn", name).text, y, gain);
}

static int conv_norm_relu(struct dnn_net *net, const char *name, int x, int c, const struct unit *u,
                          int into)
{
    const int y = conv_norm(net, name, x, c, u, 1.0f);
    return dnn_relu_layer(net, label("%s_relu", name).text, y, into);
}

static int norm_relu(struct dnn_net *net, const char *name, int x)
{
    const int y = dnn_norm_layer(net, label("%s_bn", name).text, x, 1.0f);
    return dnn_relu_layer(net, label("%s_relu", name).text, y, DNN_NEW);
}

/* --- ResNet-50 (table 1 of He, Zhang, Ren, Sun, "Deep residual learning for image recognition",
 * CVPR 2016) and ResNeXt-50 32x4d (table 1 of Xie, Girshick, Dollar, Tu, He, "Aggregated residual
 * transformations for deep neural networks", CVPR 2017). A stage's stride is in its first 1x1, in
 * ResNeXt in the grouped 3x3, as published. --- */

static int bottleneck(struct dnn_net *net, const char *name, int x, int width, int out, int stride,
                      bool grouped)
{
    const struct unit first = {1, 1, grouped ? 1 : stride, 1, true};
    const struct unit second = {3, 3, grouped ? stride : 1, grouped ? 32 : 1, true};
    const struct unit shortcut = {1, 1, stride, 1, true};
    /* The branch adds little to what it is added to: 16 such sums stay in range. */
    const float gain = 0.25f;
    int identity = x;
    if (dnn_channels(net, x) != out)
        identity = conv_norm(net, label("%s_proj", name).text, x, out, &shortcut, 1.0f);
    int y = conv_norm_relu(net, label("%s_a", name).text, x, width, &first, DNN_NEW);
    y = conv_norm_relu(net, label("%s_b", name).text, y, width, &second, DNN_NEW);
    y = conv_norm(net, label("%s_c", name).text, y, out, &unit_1x1, gain);
    y = dnn_add_layer(net, label("%s_add", name).text, y, identity);
    return dnn_relu_layer(net, label("%s_relu", name).text, y, DNN_NEW);
}

static void residual(struct dnn_net *net, int width, bool grouped)
{
    static const int blocks[4] = {3, 4, 6, 3};
    const struct unit stem = {7, 7, 2, 1, true};
    const struct dnn_pool pool = {true, 3, 3, 2, 1};
    int x = conv_norm_relu(net, "conv1", dnn_images(net), 64, &stem, DNN_NEW);
    x = dnn_pool_layer(net, "pool1", x, &pool, DNN_NEW);
    for (int stage = 0; stage < 4; stage++)
        for (int block = 0; block < blocks[stage]; block++)
            x = bottleneck(net, label("conv%d_%d", stage + 2, block + 1).text, x, width << stage,
                           256 << stage, stage > 0 && block == 0 ? 2 : 1, grouped);
    x = dnn_global_pool(net, "pool5", x);
    dnn_classify(net, dnn_connected(net, "fc", x, 1000));
}

void dnn_resnet50(struct dnn_net *net)
{
    residual(net, 64, false);
}

void dnn_resnext50(struct dnn_net *net)
{
    residual(net, 128, true);
}

/* --- VGG (columns D and E of table 1 of Simonyan, Zisserman, "Very deep convolutional networks for
 * large-scale image recognition", ICLR 2015) --- */

static void vgg(struct dnn_net *net, const int convs[5])
{
    const struct dnn_conv_options o = {3, 3, 1, 1, 1, 1, true};
    const struct dnn_pool pool = {true, 2, 2, 2, 0};
    int x = dnn_images(net);
    for (int stage = 0; stage < 5; stage++) {
        const int c = stage < 3 ? 64 << stage : 512;
        for (int i = 0; i < convs[stage]; i++) {
            x = dnn_conv_layer(net, label("conv%d_%d", stage + 1, i + 1).text, x, c, &o, DNN_NEW);
            x = dnn_relu_layer(net, label("relu%d_%d", stage + 1, i + 1).text, x, DNN_NEW);
        }
        x = dnn_pool_layer(net, label("pool%d", stage + 1).text, x, &pool, DNN_NEW);
    }
    x = dnn_relu_layer(net, "relu6", dnn_connected(net, "fc6", x, 4096), DNN_NEW);
    x = dnn_relu_layer(net, "relu7", dnn_connected(net, "fc7", x, 4096), DNN_NEW);
    dnn_classify(net, dnn_connected(net, "fc8", x, 1000));
}

void dnn_vgg16(struct dnn_net *net)
{
    static const int convs[5] = {2, 2, 3, 3, 3};
    vgg(net, convs);
}

void dnn_vgg19(struct dnn_net *net)
{
    static const int convs[5] = {2, 2, 4, 4, 4};
    vgg(net, convs);
}

/* --- Inception v3 (table 1 and figures 5 to 7 of Szegedy, Vanhoucke, Ioffe, Shlens, Wojna,
 * "Rethinking the Inception architecture for computer vision", CVPR 2016; without the auxiliary
 * classifier). Each branch ends in its channels of the module's result; the pooling branch comes
 * last. The mean of a window at the edge counts the padding. --- */

static const struct dnn_pool inception_max = {true, 3, 3, 2, 0},
                             inception_mean = {false, 3, 3, 1, 1};

/* The next `c` channels of a module's result. */
static int next_slice(struct dnn_net *net, int module, int *used, int c)
{
    *used += c;
    return dnn_slice(net, module, *used - c, c);
}

static void pool_branch(struct dnn_net *net, const char *name, int x, int c, int into)
{
    const int y = dnn_pool_layer(net, label("%s_pool", name).text, x, &inception_mean, DNN_NEW);
    conv_norm_relu(net, label("%s_pool1x1", name).text, y, c, &unit_1x1, into);
}

/* 35x35: figure 5, the 5x5 of the first Inception kept as in the authors' model. */
static int inception_a(struct dnn_net *net, const char *n, int x, int pooled)
{
    const struct unit unit_5x5 = {5, 5, 1, 1, true};
    const int out = dnn_tensor(net, dnn_height(net, x), dnn_width(net, x), 224 + pooled);
    int used = 0;
    conv_norm_relu(net, label("%s_1x1", n).text, x, 64, &unit_1x1, next_slice(net, out, &used, 64));
    int y = conv_norm_relu(net, label("%s_5x5a", n).text, x, 48, &unit_1x1, DNN_NEW);
    conv_norm_relu(net, label("%s_5x5b", n).text, y, 64, &unit_5x5,
                   next_slice(net, out, &used, 64));
    y = conv_norm_relu(net, label("%s_3x3a", n).text, x, 64, &unit_1x1, DNN_NEW);
    y = conv_norm_relu(net, label("%s_3x3b", n).text, y, 96, &unit_3x3, DNN_NEW);
    conv_norm_relu(net, label("%s_3x3c", n).text, y, 96, &unit_3x3,
                   next_slice(net, out, &used, 96));
    pool_branch(net, n, x, pooled, next_slice(net, out, &used, pooled));
    return out;
}

/* 35x35 to 17x17. */
static int inception_b(struct dnn_net *net, const char *n, int x)
{
    const int c = dnn_channels(net, x), half = (dnn_height(net, x) - 3) / 2 + 1;
    const int out = dnn_tensor(net, half, half, 384 + 96 + c);
    int used = 0;
    conv_norm_relu(net, label("%s_3x3", n).text, x, 384, &unit_3x3_halves,
                   next_slice(net, out, &used, 384));
    int y = conv_norm_relu(net, label("%s_3x3a", n).text, x, 64, &unit_1x1, DNN_NEW);
    y = conv_norm_relu(net, label("%s_3x3b", n).text, y, 96, &unit_3x3, DNN_NEW);
    conv_norm_relu(net, label("%s_3x3c", n).text, y, 96, &unit_3x3_halves,
                   next_slice(net, out, &used, 96));
    dnn_pool_layer(net, label("%s_pool", n).text, x, &inception_max,
                   next_slice(net, out, &used, c));
    return out;
}

/* 17x17: figure 6, n = 7. */
static int inception_c(struct dnn_net *net, const char *n, int x, int width)
{
    const int out = dnn_tensor(net, dnn_height(net, x), dnn_width(net, x), 768);
    int used = 0;
    conv_norm_relu(net, label("%s_1x1", n).text, x, 192, &unit_1x1,
                   next_slice(net, out, &used, 192));
    int y = conv_norm_relu(net, label("%s_7x7a", n).text, x, width, &unit_1x1, DNN_NEW);
    y = conv_norm_relu(net, label("%s_7x7b", n).text, y, width, &unit_1x7, DNN_NEW);
    conv_norm_relu(net, label("%s_7x7c", n).text, y, 192, &unit_7x1,
                   next_slice(net, out, &used, 192));
    y = conv_norm_relu(net, label("%s_7x7twice_a", n).text, x, width, &unit_1x1, DNN_NEW);
    y = conv_norm_relu(net, label("%s_7x7twice_b", n).text, y, width, &unit_7x1, DNN_NEW);
    y = conv_norm_relu(net, label("%s_7x7twice_c", n).text, y, width, &unit_1x7, DNN_NEW);
    y = conv_norm_relu(net, label("%s_7x7twice_d", n).text, y, width, &unit_7x1, DNN_NEW);
    conv_norm_relu(net, label("%s_7x7twice_e", n).text, y, 192, &unit_1x7,
                   next_slice(net, out, &used, 192));
    pool_branch(net, n, x, 192, next_slice(net, out, &used, 192));
    return out;
}

/* 17x17 to 8x8. */
static int inception_d(struct dnn_net *net, const char *n, int x)
{
    const int c = dnn_channels(net, x), half = (dnn_height(net, x) - 3) / 2 + 1;
    const int out = dnn_tensor(net, half, half, 320 + 192 + c);
    int used = 0;
    int y = conv_norm_relu(net, label("%s_3x3a", n).text, x, 192, &unit_1x1, DNN_NEW);
    conv_norm_relu(net, label("%s_3x3b", n).text, y, 320, &unit_3x3_halves,
                   next_slice(net, out, &used, 320));
    y = conv_norm_relu(net, label("%s_7x7a", n).text, x, 192, &unit_1x1, DNN_NEW);
    y = conv_norm_relu(net, label("%s_7x7b", n).text, y, 192, &unit_1x7, DNN_NEW);
    y = conv_norm_relu(net, label("%s_7x7c", n).text, y, 192, &unit_7x1, DNN_NEW);
    conv_norm_relu(net, label("%s_7x7d", n).text, y, 192, &unit_3x3_halves,
                   next_slice(net, out, &used, 192));
    dnn_pool_layer(net, label("%s_pool", n).text, x, &inception_max,
                   next_slice(net, out, &used, c));
    return out;
}

/* 8x8: figure 7. */
static int inception_e(struct dnn_net *net, const char *n, int x)
{
    const struct unit unit_1x3 = {1, 3, 1, 1, true}, unit_3x1 = {3, 1, 1, 1, true};
    const int out = dnn_tensor(net, dnn_height(net, x), dnn_width(net, x), 2048);
    int used = 0;
    conv_norm_relu(net, label("%s_1x1", n).text, x, 320, &unit_1x1,
                   next_slice(net, out, &used, 320));
    int y = conv_norm_relu(net, label("%s_3x3a", n).text, x, 384, &unit_1x1, DNN_NEW);
    conv_norm_relu(net, label("%s_3x3b", n).text, y, 384, &unit_1x3,
                   next_slice(net, out, &used, 384));
    conv_norm_relu(net, label("%s_3x3c", n).text, y, 384, &unit_3x1,
                   next_slice(net, out, &used, 384));
    y = conv_norm_relu(net, label("%s_3x3twice_a", n).text, x, 448, &unit_1x1, DNN_NEW);
    y = conv_norm_relu(net, label("%s_3x3twice_b", n).text, y, 384, &unit_3x3, DNN_NEW);
    conv_norm_relu(net, label("%s_3x3twice_c", n).text, y, 384, &unit_1x3,
                   next_slice(net, out, &used, 384));
    conv_norm_relu(net, label("%s_3x3twice_d", n).text, y, 384, &unit_3x1,
                   next_slice(net, out, &used, 384));
    pool_branch(net, n, x, 192, next_slice(net, out, &used, 192));
    return out;
}

void dnn_inception_v3(struct dnn_net *net)
{
    int x = dnn_images(net);
    x = conv_norm_relu(net, "conv1", x, 32, &unit_3x3_halves, DNN_NEW);
    x = conv_norm_relu(net, "conv2", x, 32, &unit_3x3_valid, DNN_NEW);
    x = conv_norm_relu(net, "conv3", x, 64, &unit_3x3, DNN_NEW);
    x = dnn_pool_layer(net, "pool1", x, &inception_max, DNN_NEW);
    x = conv_norm_relu(net, "conv4", x, 80, &unit_1x1, DNN_NEW);
    x = conv_norm_relu(net, "conv5", x, 192, &unit_3x3_valid, DNN_NEW);
    x = dnn_pool_layer(net, "pool2", x, &inception_max, DNN_NEW);
    x = inception_a(net, "a1", x, 32);
    x = inception_a(net, "a2", x, 64);
    x = inception_a(net, "a3", x, 64);
    x = inception_b(net, "b", x);
    x = inception_c(net, "c1", x, 128);
    x = inception_c(net, "c2", x, 160);
    x = inception_c(net, "c3", x, 160);
    x = inception_c(net, "c4", x, 192);
    x = inception_d(net, "d", x);
    x = inception_e(net, "e1", x);
    x = inception_e(net, "e2", x);
    x = dnn_global_pool(net, "pool3", x);
    dnn_classify(net, dnn_connected(net, "fc", x, 1000));
}

/* --- DenseNet-121 (table 1 of Huang, Liu, van der Maaten, Weinberger, "Densely connected
 * convolutional networks", CVPR 2017): growth 32, bottlenecks of 128. A block's tensor has room for
 * the channels of all its layers. --- */

static int dense_block(struct dnn_net *net, int number, int block, int channels, int layers)
{
    for (int i = 0; i < layers; i++) {
        const struct label n = label("dense%d_%d", number, i + 1);
        int y = dnn_slice(net, block, 0, channels + 32 * i);
        y = norm_relu(net, label("%s_a", n.text).text, y);
        y = conv_norm_relu(net, label("%s_1x1", n.text).text, y, 128, &unit_1x1, DNN_NEW);
        conv(net, label("%s_3x3", n.text).text, y, 32, &unit_3x3,
             dnn_slice(net, block, channels + 32 * i, 32));
    }
    return block;
}

void dnn_densenet121(struct dnn_net *net)
{
    static const int layers[4] = {6, 12, 24, 16};
    const struct unit stem = {7, 7, 2, 1, true};
    const struct dnn_pool max = {true, 3, 3, 2, 1}, mean = {false, 2, 2, 2, 0};
    int x = conv_norm_relu(net, "conv1", dnn_images(net), 64, &stem, DNN_NEW);
    int channels = 64;
    for (int b = 0; b < 4; b++) {
        const struct dnn_pool *pool = b == 0 ? &max : &mean;
        const int size = (dnn_height(net, x) + 2 * pool->pad - pool->kernel_h) / pool->stride + 1;
        const int block = dnn_tensor(net, size, size, channels + 32 * layers[b]);
        dnn_pool_layer(net, label("pool%d", b + 1).text, x, pool,
                       dnn_slice(net, block, 0, channels));
        x = dense_block(net, b + 1, block, channels, layers[b]);
        channels += 32 * layers[b];
        if (b == 3)
            break;
        const struct label n = label("transition%d", b + 1);
        x = norm_relu(net, n.text, x);
        channels /= 2;
        x = conv(net, label("%s_1x1", n.text).text, x, channels, &unit_1x1, DNN_NEW);
    }
    x = norm_relu(net, "last", x);
    x = dnn_global_pool(net, "pool5", x);
    dnn_classify(net, dnn_connected(net, "fc", x, 1000));
}
