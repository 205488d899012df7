/*
 * dnn_plan.cu - the request of a network: one kernel of the plan for each step, or for two where
 * the network's spec groups them.
 */
#include "calibrate/app/dnn_state.h"

#include <stdio.h>

static double elements(const struct dnn_view *v)
{
    return (double)dnn_pixels(v) * v->c;
}

/* --- convolutions --- */

struct conv_parts {
    struct dnn_view x, y; /* forward */
    double product_flop;  /* of one of its three products */
    double x_bytes, y_bytes, weight_bytes;
    char shape[CAL_NAME_BYTES];
};

static struct conv_parts conv_parts(const struct dnn_net *net, const struct dnn_step *s)
{
    struct conv_parts c;
    c.x = dnn_view_of(net, s->x);
    c.y = dnn_view_of(net, s->y);
    const int taps = s->conv.kernel_h * s->conv.kernel_w;
    c.product_flop = 2.0 * elements(&c.y) * taps * c.x.c / s->conv.groups;
    /* A 1x1 kernel with stride 2 reads every fourth pixel only. */
    double pixels = dnn_pixels(&c.x);
    if (pixels > (double)dnn_pixels(&c.y) * taps)
        pixels = (double)dnn_pixels(&c.y) * taps;
    c.x_bytes = pixels * c.x.c * sizeof(__half);
    c.y_bytes = elements(&c.y) * sizeof(__half);
    c.weight_bytes = (double)s->weights_count * sizeof(__half);
    if (c.y.h == 1 && c.y.w == 1 && s->conv.kernel_h == c.x.h && s->conv.pad_h == 0) {
        snprintf(c.shape, sizeof c.shape, "fc_n%d_c%d_k%d", c.x.n, taps * c.x.c, c.y.c);
        return c;
    }
    char groups[16] = "";
    if (s->conv.groups > 1)
        snprintf(groups, sizeof groups, "g%d", s->conv.groups);
    const int pad = s->conv.pad_h > s->conv.pad_w ? s->conv.pad_h : s->conv.pad_w;
    snprintf(c.shape, sizeof c.shape, "conv%dx%ds%dp%d%s_n%d_%dx%d_c%d_k%d", s->conv.kernel_h,
             s->conv.kernel_w, s->conv.stride, pad, groups, c.x.n, c.x.h, c.x.w, c.x.c, c.y.c);
    return c;
}

static void plan_conv(const struct dnn_net *net, const struct dnn_step *s, struct cal_plan *p)
{
    const struct conv_parts c = conv_parts(net, s);
    struct cal_kernel *k = cal_begin_kernel(p, CAL_COMPUTE, s->name, "%s", c.shape);
    k->cores = CAL_TENSOR_CORES;
    k->flop = c.product_flop;
    k->bytes = c.x_bytes + c.y_bytes + c.weight_bytes;
    const __half *weights = net->weights + s->weights;
    if (s->conv.groups > 1) {
        dnn_add_grouped(p, &s->conv, &c.x, &c.y, weights);
        return;
    }
    const float *bias = s->floats == DNN_NOT_THERE ? NULL : net->floats + s->floats;
    const struct dnn_gemm g = dnn_gemm_forward(&s->conv, &c.x, &c.y, weights, bias, net->workspace);
    dnn_add_forward(p, &g);
}

static void plan_conv_back(const struct dnn_net *net, const struct dnn_step *s, struct cal_plan *p)
{
    const struct dnn_step *forward = &net->steps[s->of];
    const struct conv_parts c = conv_parts(net, forward);
    const struct dnn_view dy = dnn_view_of(net, s->x);
    const bool both = s->y != DNN_NONE && net->spec->grouped;
    const char *const suffix = s->other != DNN_NONE ? "_add" : "";
    char name[CAL_NAME_BYTES];

    snprintf(name, sizeof name, "%s_%s", forward->name, both ? "back" : "dw");
    struct cal_kernel *k = cal_begin_kernel(p, CAL_COMPUTE, name, "%s_%s%s", both ? "back" : "dw",
                                            c.shape, both ? suffix : "");
    k->cores = CAL_TENSOR_CORES;
    k->flop = c.product_flop;
    k->bytes = c.x_bytes + c.y_bytes + 2 * c.weight_bytes; /* gradients are single precision */
    float *const gradient = net->weight_gradients + forward->weights;
    struct dnn_gemm g =
        dnn_gemm_weight_gradient(&forward->conv, &c.x, &dy, gradient, net->workspace);
    dnn_add_weight_gradient(p, &g, gradient);
    if (forward->floats != DNN_NOT_THERE) {
        k->flop += elements(&dy);
        k->bytes += c.y_bytes;
        dnn_add_bias_gradient(p, &dy, net->float_gradients + forward->floats, net->workspace);
    }
    if (s->y == DNN_NONE)
        return;
    if (!both) {
        snprintf(name, sizeof name, "%s_dx", forward->name);
        k = cal_begin_kernel(p, CAL_COMPUTE, name, "dx_%s%s", c.shape, suffix);
        k->cores = CAL_TENSOR_CORES;
    }
    const struct dnn_view dx = dnn_view_of(net, s->y);
    struct dnn_view addend = {};
    k->flop += c.product_flop;
    k->bytes += elements(&dx) * sizeof(__half) + c.y_bytes + c.weight_bytes;
    if (s->other != DNN_NONE) {
        addend = dnn_view_of(net, s->other);
        k->flop += elements(&dx);
        k->bytes += elements(&dx) * sizeof(__half);
    }
    g = dnn_gemm_data_gradient(&forward->conv, &dx, &dy, net->weights + forward->weights,
                               s->other != DNN_NONE ? &addend : NULL, net->workspace);
    dnn_add_data_gradient(p, &g);
}

/* --- what runs on the CUDA cores --- */

/* Begins the kernel of a step, unless it belongs to that of the step before. */
static struct cal_kernel *begin(struct cal_plan *p, bool joins, const char *name, const char *what,
                                const struct dnn_view *v, const char *suffix)
{
    if (joins)
        return &p->kernels[p->kernels_count - 1];
    return cal_begin_kernel(p, CAL_COMPUTE, name, "%s_n%d_%dx%d_c%d%s", what, v->n, v->h, v->w,
                            v->c, suffix);
}

static bool follows(const struct dnn_net *net, const struct dnn_step *s, enum dnn_op op)
{
    return s + 1 < net->steps + net->steps_count && s[1].op == op;
}

static void plan_norm(const struct dnn_net *net, const struct dnn_step *s, struct cal_plan *p)
{
    const struct dnn_view x = dnn_view_of(net, s->x), y = dnn_view_of(net, s->y);
    const double all = elements(&x);
    if (s->op == DNN_SCALE) {
        struct cal_kernel *k = begin(p, false, s->name, "scale", &x, "");
        k->flop = 2 * all;
        k->bytes = 4 * all;
        dnn_add_scale(p, &x, &y, net->floats + s->floats, net->floats + s->floats + x.c);
        return;
    }
    const bool joined = net->spec->grouped && follows(net, s, DNN_RELU);
    struct cal_kernel *k = begin(p, false, s->name, joined ? "norm_relu" : "norm", &x, "");
    const struct dnn_norm norm = dnn_norm_of(net, s);
    k->flop = 5 * all; /* sum, sum of squares; scale and shift */
    k->bytes = 6 * all;
    dnn_add_norm(p, &x, &y, &norm, net->workspace);
}

static void plan_norm_back(const struct dnn_net *net, const struct dnn_step *s, struct cal_plan *p)
{
    const struct dnn_step *forward = &net->steps[s->of];
    const struct dnn_view x = dnn_view_of(net, forward->x), dy = dnn_view_of(net, s->x);
    const struct dnn_view dx = dnn_view_of(net, s->y);
    const struct dnn_norm norm = dnn_norm_of(net, forward);
    const bool joins = net->spec->grouped && s[-1].op == DNN_RELU_BACK;
    char name[CAL_NAME_BYTES];
    snprintf(name, sizeof name, "%s_back", s->name);
    struct cal_kernel *k =
        begin(p, joins, name, "norm_back", &x, s->other != DNN_NONE ? "_add" : "");
    const double all = elements(&x);
    struct dnn_view addend = {};
    k->flop += 7 * all; /* two sums of one addition and one fma; then two fma */
    k->bytes += 10 * all;
    if (s->other != DNN_NONE) {
        addend = dnn_view_of(net, s->other);
        k->flop += all;
        k->bytes += 2 * all;
    }
    dnn_add_norm_back(p, &x, &dy, &dx, s->other != DNN_NONE ? &addend : NULL, &norm,
                      net->workspace);
}

static void plan_relu(const struct dnn_net *net, const struct dnn_step *s, struct cal_plan *p)
{
    const struct dnn_view x = dnn_view_of(net, s->x), y = dnn_view_of(net, s->y);
    struct cal_kernel *k =
        begin(p, net->spec->grouped && s[-1].op == DNN_NORM, s->name, "relu", &x, "");
    k->flop += elements(&x);
    k->bytes += 4 * elements(&x);
    dnn_add_relu(p, &x, &y);
}

static void plan_relu_back(const struct dnn_net *net, const struct dnn_step *s, struct cal_plan *p)
{
    const struct dnn_view y = dnn_view_of(net, net->steps[s->of].y);
    const struct dnn_view dy = dnn_view_of(net, s->x), dx = dnn_view_of(net, s->y);
    const bool joined = net->spec->grouped && follows(net, s, DNN_NORM_BACK);
    const bool adds = joined && s[1].other != DNN_NONE;
    char name[CAL_NAME_BYTES];
    snprintf(name, sizeof name, "%s_back", s->name);
    struct cal_kernel *k =
        begin(p, false, name, joined ? "relu_norm_back" : "relu_back", &y, adds ? "_add" : "");
    k->flop = elements(&y);
    k->bytes = 6 * elements(&y);
    dnn_add_relu_back(p, &y, &dy, &dx);
}

static void plan_pool(const struct dnn_net *net, const struct dnn_step *s, struct cal_plan *p)
{
    const bool back = s->op == DNN_POOL_BACK;
    const struct dnn_step *forward = back ? &net->steps[s->of] : s;
    const struct dnn_pool *pool = &forward->pool;
    const struct dnn_view x = dnn_view_of(net, forward->x), y = dnn_view_of(net, forward->y);
    unsigned char *const mask =
        forward->mask == DNN_NONE ? NULL : net->data + net->memory[forward->mask].offset;
    char name[CAL_NAME_BYTES], what[32];
    snprintf(name, sizeof name, "%s%s", s->name, back ? "_back" : "");
    snprintf(what, sizeof what, "%spool%dx%ds%dp%d%s", pool->max ? "max" : "avg", pool->kernel_h,
             pool->kernel_w, pool->stride, pool->pad, back ? "_back" : "");
    struct cal_kernel *k = begin(p, false, name, what, &x, "");
    k->flop = elements(&y) * pool->kernel_h * pool->kernel_w;
    k->bytes = (elements(&x) + elements(&y)) * sizeof(__half);
    if (mask != NULL)
        k->bytes += elements(&y);
    if (back) {
        const struct dnn_view dy = dnn_view_of(net, s->x), dx = dnn_view_of(net, s->y);
        dnn_add_pool_back(p, pool, &dy, &dx, mask);
    } else {
        dnn_add_pool(p, pool, &x, &y, mask);
    }
}

static void plan_classify(const struct dnn_net *net, const struct dnn_step *s, struct cal_plan *p)
{
    const struct dnn_view x = dnn_view_of(net, s->x);
    struct cal_kernel *k = begin(p, false, s->name, s->op == DNN_LOSS ? "loss" : "softmax", &x, "");
    k->flop = 5 * elements(&x);
    if (s->op == DNN_LOSS) {
        const struct dnn_view dx = dnn_view_of(net, s->y);
        k->bytes = 4 * elements(&x);
        dnn_add_softmax(p, &x, NULL, net->labels, net->result, &dx, DNN_LOSS_SCALE);
    } else {
        k->bytes = 6 * elements(&x);
        dnn_add_softmax(p, &x, net->result, NULL, NULL, NULL, 1.0f);
    }
}

static void plan_update(const struct dnn_net *net, struct cal_plan *p)
{
    struct cal_kernel *k =
        cal_begin_kernel(p, CAL_COMPUTE, "update", "sgd_%zu", net->weights_count);
    const float rate = DNN_RATE / (DNN_LOSS_SCALE * (float)net->images);
    k->flop = 2 * (double)(net->weights_count + net->floats_count);
    k->bytes = 8 * (double)net->weights_count + 12 * (double)net->floats_count;
    dnn_add_update_half(p, net->weights, net->weight_gradients, net->new_weights,
                        net->weights_count, rate);
    dnn_add_update_float(p, net->floats, net->float_gradients, net->new_floats, net->floats_count,
                         rate);
}

static void plan_step(const struct dnn_net *net, const struct dnn_step *s, struct cal_plan *p)
{
    switch (s->op) {
    case DNN_TRANSFORM: {
        const struct dnn_view y = dnn_view_of(net, s->y);
        struct cal_kernel *k = begin(p, false, s->name, "transform", &y, "");
        k->flop = 6.0 * dnn_pixels(&y);
        k->bytes = 19.0 * dnn_pixels(&y);
        dnn_add_transform(p, net->bytes, &y);
        break;
    }
    case DNN_CONV:
        plan_conv(net, s, p);
        break;
    case DNN_CONV_BACK:
        plan_conv_back(net, s, p);
        break;
    case DNN_SCALE:
    case DNN_NORM:
        plan_norm(net, s, p);
        break;
    case DNN_NORM_BACK:
        plan_norm_back(net, s, p);
        break;
    case DNN_RELU:
        plan_relu(net, s, p);
        break;
    case DNN_RELU_BACK:
        plan_relu_back(net, s, p);
        break;
    case DNN_POOL:
    case DNN_POOL_BACK:
        plan_pool(net, s, p);
        break;
    case DNN_SUM: {
        const struct dnn_view a = dnn_view_of(net, s->x), b = dnn_view_of(net, s->other);
        const struct dnn_view y = dnn_view_of(net, s->y);
        struct cal_kernel *k = begin(p, false, s->name, "add", &a, "");
        k->flop = elements(&a);
        k->bytes = 6 * elements(&a);
        dnn_add_sum(p, &a, &b, &y);
        break;
    }
    case DNN_SOFTMAX:
    case DNN_LOSS:
        plan_classify(net, s, p);
        break;
    case DNN_UPDATE:
        plan_update(net, p);
        break;
    }
}

size_t dnn_step_workspace(const struct dnn_net *net, const struct dnn_step *s)
{
    if (s->op == DNN_NORM || s->op == DNN_NORM_BACK) {
        const struct dnn_view x = dnn_view_of(net, s->x);
        return dnn_sums_workspace(&x);
    }
    if (s->op == DNN_CONV && s->conv.groups == 1) {
        const struct dnn_view x = dnn_view_of(net, s->x), y = dnn_view_of(net, s->y);
        const struct dnn_gemm g = dnn_gemm_forward(&s->conv, &x, &y, NULL, NULL, NULL);
        return dnn_gemm_workspace(&g);
    }
    if (s->op != DNN_CONV_BACK)
        return 0;
    const struct dnn_step *forward = &net->steps[s->of];
    const struct dnn_view x = dnn_view_of(net, forward->x), dy = dnn_view_of(net, s->x);
    const struct dnn_gemm weight = dnn_gemm_weight_gradient(&forward->conv, &x, &dy, NULL, NULL);
    const struct dnn_gemm data = dnn_gemm_data_gradient(&forward->conv, &x, &dy, NULL, NULL, NULL);
    const size_t a = dnn_gemm_workspace(&weight), b = dnn_gemm_workspace(&data);
    const size_t c = dnn_sums_workspace(&dy);
    return a > b ? (a > c ? a : c) : (b > c ? b : c);
}

int dnn_plan(void *state, int sms, struct cal_plan *plan, struct dcs_err *err)
{
    (void)sms, (void)err;
    const struct dnn_net *net = (const struct dnn_net *)state;
    const size_t images = (size_t)net->images;
    cal_add_transfer(plan, CAL_TO_DEVICE, "images", net->bytes, net->host_bytes,
                     images * net->resolution * net->resolution * 3);
    if (net->spec->train)
        cal_add_transfer(plan, CAL_TO_DEVICE, "labels", net->labels, net->host_labels,
                         images * sizeof(int));
    for (int i = 0; i < net->steps_count; i++) {
        const size_t first = plan->kernels_count;
        plan_step(net, &net->steps[i], plan);
        for (size_t k = first; k < plan->kernels_count; k++)
            plan->kernels[k].repeatable = true;
    }
    cal_add_transfer(plan, CAL_FROM_DEVICE, net->spec->train ? "losses" : "probabilities",
                     net->host_result, net->result, net->result_count * sizeof(float));
    return 0;
}
