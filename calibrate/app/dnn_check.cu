/*
 * dnn_check.cu - the check of a network, step by step: a sample of what each step computed against
 * the reference, from what the step read on the device. In a state of one image every tensor is
 * still there; larger states have reused that memory. So one more request runs here in a state that
 * reuses it, and must end in the same bits.
 */
#include "calibrate/app/dnn_reference.h"
#include "calibrate/app/dnn_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES         64 /* elements of each result */
#define CHANNEL_SAMPLES 6  /* channels, where all pixels are summed */

struct check {
    const struct dnn_net *net;
    unsigned char *data; /* copies of the device's memory */
    __half *weights, *new_weights;
    float *floats, *new_floats, *float_gradients, *weight_gradients;
    const struct dnn_step *step;
    uint64_t seed;
    uint64_t drawn;
    struct dcs_err *err;
};

/* --- access --- */

static struct dnn_view host_view(const struct check *c, int tensor)
{
    struct dnn_view v = dnn_view_of(c->net, tensor);
    v.data = (__half *)(c->data + ((unsigned char *)v.data - c->net->data));
    return v;
}

static int draw(struct check *c, int below)
{
    return (int)(cal_random_u64(c->seed, c->drawn++) % (uint64_t)below);
}

static struct dnn_place draw_place(struct check *c, const struct dnn_view *v)
{
    struct dnn_place at;
    at.image = draw(c, v->n);
    at.y = draw(c, v->h);
    at.x = draw(c, v->w);
    at.c = draw(c, v->c);
    return at;
}

static int expect(struct check *c, double got, double want, double allowed, const char *what,
                  const struct dnn_place *at)
{
    return dnn_expect(got, want, allowed, c->step->name, what, at, c->err);
}

static int expect_sum(struct check *c, double got, const struct dnn_sum *want, const char *what,
                      const struct dnn_place *at)
{
    return expect(c, got, want->value, dnn_allowed(want), what, at);
}

static double value(const struct dnn_view *v, const struct dnn_place *at)
{
    return dnn_at(v, at->image, at->y, at->x, at->c);
}

static void *fetch(const void *device, size_t bytes, struct dcs_err *err)
{
    void *host = malloc(bytes);
    if (host == NULL) {
        cal_fail(err, "out of memory: %zu bytes", bytes);
        return NULL;
    }
    if (cal_fail_cuda(err, cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost),
                      "fetching a network") != 0) {
        free(host);
        return NULL;
    }
    return host;
}

/* --- layers --- */

static int check_transform(struct check *c)
{
    const struct dnn_view y = host_view(c, c->step->y);
    for (int i = 0; i < SAMPLES; i++) {
        const struct dnn_place at = draw_place(c, &y);
        const size_t pixel = ((size_t)at.image * y.h + at.y) * y.w + at.x;
        const double want =
            at.c < 3 ? ((double)c->net->host_bytes[pixel * 3 + at.c] - 128.0) / 64.0 : 0.0;
        if (expect(c, value(&y, &at), want, 1e-6, "the input", &at) != 0)
            return -1;
    }
    return 0;
}

static int check_conv(struct check *c)
{
    const struct dnn_step *s = c->step;
    const struct dnn_view x = host_view(c, s->x), y = host_view(c, s->y);
    for (int i = 0; i < SAMPLES; i++) {
        const struct dnn_place at = draw_place(c, &y);
        struct dnn_sum want =
            dnn_reference_forward(&s->conv, &x, c->weights + s->weights, y.c, &at);
        if (s->floats != DNN_NOT_THERE)
            dnn_sum_add(&want, (double)c->floats[s->floats + at.c]);
        if (expect_sum(c, value(&y, &at), &want, "the convolution", &at) != 0)
            return -1;
    }
    return 0;
}

static int check_conv_back(struct check *c)
{
    const struct dnn_step *forward = &c->net->steps[c->step->of];
    const struct dnn_view x = host_view(c, forward->x), dy = host_view(c, c->step->x);
    const struct dnn_conv *conv = &forward->conv;
    for (int i = 0; i < SAMPLES; i++) {
        struct dnn_place at = {0, draw(c, conv->kernel_h), draw(c, conv->kernel_w), draw(c, x.c)};
        const int out = draw(c, dy.c);
        const struct dnn_sum want = dnn_reference_weight_gradient(conv, &x, &dy, &at, out);
        const size_t row = ((size_t)at.y * conv->kernel_w + at.x) * x.c + at.c;
        if (expect_sum(c, (double)c->weight_gradients[forward->weights + row * dy.c + out], &want,
                       "the weight gradient", &at) != 0)
            return -1;
    }
    for (int i = 0; i < CHANNEL_SAMPLES && forward->floats != DNN_NOT_THERE; i++) {
        const int channel = draw(c, dy.c);
        struct dnn_place at = {0, 0, 0, channel};
        struct dnn_sum want = {0, 0};
        for (int pixel = 0; pixel < dnn_pixels(&dy); pixel++)
            dnn_sum_add(&want, (double)__half2float(dy.data[(size_t)pixel * dy.ld + channel]));
        if (expect_sum(c, (double)c->float_gradients[forward->floats + channel], &want,
                       "the bias gradient", &at) != 0)
            return -1;
    }
    if (c->step->y == DNN_NONE)
        return 0;
    const struct dnn_view dx = host_view(c, c->step->y);
    struct dnn_view addend = {};
    if (c->step->other != DNN_NONE)
        addend = host_view(c, c->step->other);
    for (int i = 0; i < SAMPLES; i++) {
        const struct dnn_place at = draw_place(c, &dx);
        struct dnn_sum want =
            dnn_reference_data_gradient(conv, &dy, c->weights + forward->weights, dx.c, &at);
        if (addend.data != NULL)
            dnn_sum_add(&want, value(&addend, &at));
        if (expect_sum(c, value(&dx, &at), &want, "the data gradient", &at) != 0)
            return -1;
    }
    return 0;
}

static int check_scale(struct check *c)
{
    const struct dnn_step *s = c->step;
    const struct dnn_view x = host_view(c, s->x), y = host_view(c, s->y);
    for (int i = 0; i < SAMPLES; i++) {
        const struct dnn_place at = draw_place(c, &x);
        struct dnn_sum want = {0, 0};
        dnn_sum_add(&want, value(&x, &at) * (double)c->floats[s->floats + at.c]);
        dnn_sum_add(&want, (double)c->floats[s->floats + x.c + at.c]);
        if (expect_sum(c, value(&y, &at), &want, "the scaled value", &at) != 0)
            return -1;
    }
    return 0;
}

/* A channel's statistics over the batch. `slack`: how much the inverse deviation may be off, as a
 * fraction, because the device subtracts the squares of single precision sums. */
struct statistics {
    double mean, inverse, slack;
};

static struct statistics channel_statistics(const struct dnn_view *x, int channel)
{
    const int pixels = dnn_pixels(x);
    double sum = 0, squares = 0;
    for (int i = 0; i < pixels; i++)
        sum += (double)__half2float(x->data[(size_t)i * x->ld + channel]);
    const double mean = sum / pixels;
    for (int i = 0; i < pixels; i++) {
        const double d = (double)__half2float(x->data[(size_t)i * x->ld + channel]) - mean;
        squares += d * d;
    }
    const double variance = squares / pixels + (double)DNN_NORM_EPSILON;
    return {mean, 1 / sqrt(variance), 1e-6 * (mean * mean + variance) / variance};
}

static int check_norm(struct check *c)
{
    const struct dnn_step *s = c->step;
    const struct dnn_view x = host_view(c, s->x), y = host_view(c, s->y);
    for (int i = 0; i < CHANNEL_SAMPLES; i++) {
        const int channel = draw(c, x.c);
        const struct statistics st = channel_statistics(&x, channel);
        const double scale = (double)c->floats[s->floats + channel] * st.inverse;
        for (int j = 0; j < SAMPLES / CHANNEL_SAMPLES; j++) {
            struct dnn_place at = draw_place(c, &x);
            at.c = channel;
            struct dnn_sum want = {0, 0};
            dnn_sum_add(&want, value(&x, &at) * scale);
            dnn_sum_add(&want, -st.mean * scale);
            const double slack = st.slack * fabs(want.value);
            dnn_sum_add(&want, (double)c->floats[s->floats + x.c + channel]);
            if (expect(c, value(&y, &at), want.value, dnn_allowed(&want) + slack,
                       "the normalised value", &at) != 0)
                return -1;
        }
    }
    return 0;
}

static int check_norm_channel(struct check *c, int channel)
{
    const struct dnn_step *forward = &c->net->steps[c->step->of];
    const struct dnn_view x = host_view(c, forward->x), dy = host_view(c, c->step->x);
    const struct dnn_view dx = host_view(c, c->step->y);
    const struct statistics st = channel_statistics(&x, channel);
    const int pixels = dnn_pixels(&x);
    struct dnn_sum total = {0, 0}, along = {0, 0};
    for (int i = 0; i < pixels; i++) {
        const double g = (double)__half2float(dy.data[(size_t)i * dy.ld + channel]);
        const double v = (double)__half2float(x.data[(size_t)i * x.ld + channel]);
        dnn_sum_add(&total, g);
        dnn_sum_add(&along, g * (v - st.mean) * st.inverse);
        along.magnitude += fabs(g * st.mean) * st.inverse; /* the device sums g * v */
    }
    struct dnn_place at = {0, 0, 0, channel};
    if (expect_sum(c, (double)c->float_gradients[forward->floats + x.c + channel], &total,
                   "beta's gradient", &at) != 0 ||
        expect(c, (double)c->float_gradients[forward->floats + channel], along.value,
               dnn_allowed(&along) + st.slack * along.magnitude, "gamma's gradient", &at) != 0)
        return -1;
    const double scale = (double)c->floats[forward->floats + channel] * st.inverse;
    for (int j = 0; j < SAMPLES / CHANNEL_SAMPLES; j++) {
        at = draw_place(c, &x);
        at.c = channel;
        const double u = (value(&x, &at) - st.mean) * st.inverse;
        struct dnn_sum want = {0, 0};
        dnn_sum_add(&want, scale * value(&dy, &at));
        dnn_sum_add(&want, -scale * total.value / pixels);
        dnn_sum_add(&want, -scale * u * along.value / pixels);
        /* The errors of the sums, and of x and the mean where they nearly cancel. */
        double slack = 1e-5 * fabs(scale) * (total.magnitude + fabs(u) * along.magnitude) / pixels;
        slack += 1e-6 * fabs(scale * st.mean * st.inverse * along.value / pixels);
        slack += 2 * st.slack * want.magnitude;
        if (c->step->other != DNN_NONE) {
            const struct dnn_view addend = host_view(c, c->step->other);
            dnn_sum_add(&want, value(&addend, &at));
        }
        if (expect(c, value(&dx, &at), want.value, dnn_allowed(&want) + slack,
                   "the gradient through the normalisation", &at) != 0)
            return -1;
    }
    return 0;
}

static int check_norm_back(struct check *c)
{
    for (int i = 0; i < CHANNEL_SAMPLES; i++)
        if (check_norm_channel(c, draw(c, c->net->tensors[c->step->y].c)) != 0)
            return -1;
    return 0;
}

static int check_elementwise(struct check *c)
{
    const struct dnn_step *s = c->step;
    const struct dnn_view x = host_view(c, s->x), y = host_view(c, s->y);
    struct dnn_view other = {};
    if (s->op == DNN_SUM)
        other = host_view(c, s->other);
    if (s->op == DNN_RELU_BACK)
        other = host_view(c, c->net->steps[s->of].y);
    for (int i = 0; i < SAMPLES; i++) {
        const struct dnn_place at = draw_place(c, &y);
        const double in = value(&x, &at);
        double want = in > 0 ? in : 0; /* DNN_RELU */
        if (s->op == DNN_SUM)
            want = in + value(&other, &at);
        if (s->op == DNN_RELU_BACK)
            want = value(&other, &at) > 0 ? in : 0;
        const double allowed = s->op == DNN_SUM ? 1e-3 * fabs(want) + 1e-7 : 0;
        if (expect(c, value(&y, &at), want, allowed, "the element", &at) != 0)
            return -1;
    }
    return 0;
}

static int check_pool(struct check *c)
{
    const struct dnn_step *s = c->step;
    const bool back = s->op == DNN_POOL_BACK;
    const struct dnn_step *forward = back ? &c->net->steps[s->of] : s;
    const struct dnn_view x = host_view(c, forward->x), y = host_view(c, s->y);
    struct dnn_view dy = {};
    if (back)
        dy = host_view(c, s->x);
    for (int i = 0; i < SAMPLES; i++) {
        const struct dnn_place at = draw_place(c, &y);
        const double want = back ? dnn_reference_pool_back(&forward->pool, &x, &dy, &at)
                                 : dnn_reference_pool(&forward->pool, &x, &at);
        const double exact = forward->pool.max && !back;
        if (expect(c, value(&y, &at), want, exact ? 0 : 2e-3 * fabs(want) + 1e-4 * !back + 1e-6,
                   back ? "the pooling's gradient" : "the pooled value", &at) != 0)
            return -1;
    }
    return 0;
}

static int check_classes(struct check *c)
{
    const struct dnn_step *s = c->step;
    const struct dnn_view x = host_view(c, s->x);
    for (int image = 0; image < x.n; image++) {
        double largest = -HUGE_VAL, total = 0;
        for (int k = 0; k < x.c; k++)
            largest = fmax(largest, dnn_at(&x, image, 0, 0, k));
        for (int k = 0; k < x.c; k++)
            total += exp(dnn_at(&x, image, 0, 0, k) - largest);
        const int label = s->op == DNN_LOSS ? c->net->host_labels[image] : 0;
        for (int k = 0; k < x.c; k++) {
            const struct dnn_place at = {image, 0, 0, k};
            const double p = exp(dnn_at(&x, image, 0, 0, k) - largest) / total;
            double got, want = p, allowed = 1e-4 * p + 1e-9;
            if (s->op == DNN_LOSS) {
                const struct dnn_view dx = host_view(c, s->y);
                got = value(&dx, &at);
                want = (p - (k == label ? 1 : 0)) * (double)DNN_LOSS_SCALE;
                allowed = 1e-3 * fabs(want) + 1e-5 * (double)DNN_LOSS_SCALE;
            } else {
                got = (double)c->net->host_result[(size_t)image * x.c + k];
            }
            if (expect(c, got, want, allowed, "the class", &at) != 0)
                return -1;
        }
        const struct dnn_place at = {image, 0, 0, label};
        const double loss = largest + log(total) - dnn_at(&x, image, 0, 0, label);
        if (s->op == DNN_LOSS && expect(c, (double)c->net->host_result[image], loss,
                                        1e-4 * fabs(loss) + 1e-5, "the loss", &at) != 0)
            return -1;
    }
    return 0;
}

static int check_update(struct check *c)
{
    const double rate = (double)DNN_RATE / ((double)DNN_LOSS_SCALE * c->net->images);
    for (int i = 0; i < 16 * SAMPLES; i++) {
        const size_t w = cal_random_u64(c->seed, c->drawn++) % c->net->weights_count;
        const size_t f = cal_random_u64(c->seed, c->drawn++) % c->net->floats_count;
        const struct dnn_place at = {0, 0, 0, i};
        struct dnn_sum half = {0, 0}, single = {0, 0};
        dnn_sum_add(&half, (double)__half2float(c->weights[w]));
        dnn_sum_add(&half, -rate * (double)c->weight_gradients[w]);
        dnn_sum_add(&single, (double)c->floats[f]);
        dnn_sum_add(&single, -rate * (double)c->float_gradients[f]);
        if (expect_sum(c, (double)__half2float(c->new_weights[w]), &half, "the new weight", &at) !=
                0 ||
            expect(c, (double)c->new_floats[f], single.value, 1e-5 * single.magnitude,
                   "the new parameter", &at) != 0)
            return -1;
    }
    return 0;
}

static int check_step(struct check *c)
{
    switch (c->step->op) {
    case DNN_TRANSFORM:
        return check_transform(c);
    case DNN_CONV:
        return check_conv(c);
    case DNN_CONV_BACK:
        return check_conv_back(c);
    case DNN_SCALE:
        return check_scale(c);
    case DNN_NORM:
        return check_norm(c);
    case DNN_NORM_BACK:
        return check_norm_back(c);
    case DNN_RELU:
    case DNN_RELU_BACK:
    case DNN_SUM:
        return check_elementwise(c);
    case DNN_POOL:
    case DNN_POOL_BACK:
        return check_pool(c);
    case DNN_SOFTMAX:
    case DNN_LOSS:
        return check_classes(c);
    case DNN_UPDATE:
        return check_update(c);
    }
    return 0;
}

/* --- how the steps are connected --- */

/* The step of the gradients of step `of`. */
static const struct dnn_step *back_of(const struct dnn_net *net, int of)
{
    for (int i = net->forward_count; i < net->steps_count; i++)
        if (net->steps[i].of == of)
            return &net->steps[i];
    return NULL;
}

/* The gradient of one element of a block of memory (at->c counts its channels) by definition: the
 * sum over all that read it of what each contributes. */
static struct dnn_sum total_gradient(const struct check *c, int memory, const struct dnn_place *at)
{
    const struct dnn_net *net = c->net;
    struct dnn_sum sum = {0, 0};
    for (int i = 0; i < net->forward_count; i++) {
        const struct dnn_step *s = &net->steps[i];
        const int read[2] = {s->x, s->op == DNN_SUM ? s->other : DNN_NONE};
        for (int j = 0; j < 2; j++) {
            if (read[j] == DNN_NONE || net->tensors[read[j]].memory != memory ||
                at->c >= net->tensors[read[j]].c)
                continue;
            if (s->op == DNN_SUM) {
                const struct dnn_sum of_y = total_gradient(c, net->tensors[s->y].memory, at);
                sum.value += of_y.value;
                sum.magnitude += of_y.magnitude;
                continue;
            }
            const struct dnn_step *back = s->op == DNN_LOSS ? s : back_of(net, i);
            const struct dnn_view dx = host_view(c, back->y);
            dnn_sum_add(&sum, value(&dx, at));
            if (back->other != DNN_NONE) { /* what others had contributed */
                const struct dnn_view addend = host_view(c, back->other);
                dnn_sum_add(&sum, -value(&addend, at));
            }
        }
    }
    return sum;
}

/* What a step of the gradients is given is the gradient of what its layer computed. */
static int check_connection(struct check *c)
{
    const struct dnn_tensor_info y = c->net->tensors[c->net->steps[c->step->of].y];
    const struct dnn_view given = host_view(c, c->step->x);
    for (int i = 0; i < CHANNEL_SAMPLES; i++) {
        const struct dnn_place at = draw_place(c, &given);
        struct dnn_place in_memory = at;
        in_memory.c += y.first;
        const struct dnn_sum want = total_gradient(c, y.memory, &in_memory);
        /* Each partial sum was rounded to half precision. */
        if (expect(c, value(&given, &at), want.value, 2e-3 * want.magnitude + 1e-6,
                   "the gradient that is given", &at) != 0)
            return -1;
    }
    return 0;
}

/* A request whose tensors share memory computes the same bits. */
static int run_sharing(struct dnn_net *sharing, struct dcs_err *err)
{
    struct cal_plan plan = {};
    int result = dnn_plan(sharing, 1, &plan, err);
    cudaError_t status = cudaSuccess;
    for (size_t k = 0; k < plan.kernels_count && result == 0 && status == cudaSuccess; k++)
        status = cal_enqueue(&plan, &plan.kernels[k], 0);
    cal_plan_release(&plan);
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    return result != 0 ? -1 : cal_fail_cuda(err, status, "a network that shares memory");
}

static int check_sharing(const struct check *c)
{
    const struct dnn_net *net = c->net;
    struct dnn_net *sharing = dnn_create_net(net->spec, 1, net->seed, false, c->err);
    if (sharing == NULL)
        return -1;
    int result = run_sharing(sharing, c->err);
    if (result == 0 &&
        memcmp(sharing->host_result, net->host_result, net->result_count * sizeof(float)) != 0)
        result = cal_fail(c->err, "%s: other results where tensors share memory", net->spec->name);
    if (result == 0 && net->spec->train) {
        const size_t bytes = net->weights_count * sizeof(__half);
        void *weights = fetch(sharing->new_weights, bytes, c->err);
        if (weights == NULL)
            result = -1;
        else if (memcmp(weights, c->new_weights, bytes) != 0)
            result =
                cal_fail(c->err, "%s: other weights where tensors share memory", net->spec->name);
        free(weights);
    }
    dnn_destroy(sharing);
    return result;
}

/* --- all of it --- */

static int fetch_all(struct check *c)
{
    const struct dnn_net *net = c->net;
    const size_t weights = net->weights_count, floats = net->floats_count;
    c->data = (unsigned char *)fetch(net->data, net->tensors_bytes, c->err);
    c->weights = (__half *)fetch(net->weights, weights * sizeof(__half), c->err);
    c->floats = (float *)fetch(net->floats, floats * sizeof(float), c->err);
    if (c->data == NULL || c->weights == NULL || c->floats == NULL)
        return -1;
    if (!net->spec->train)
        return 0;
    c->new_weights = (__half *)fetch(net->new_weights, weights * sizeof(__half), c->err);
    c->new_floats = (float *)fetch(net->new_floats, floats * sizeof(float), c->err);
    c->weight_gradients = (float *)fetch(net->weight_gradients, weights * sizeof(float), c->err);
    c->float_gradients = (float *)fetch(net->float_gradients, floats * sizeof(float), c->err);
    return c->new_weights == NULL || c->new_floats == NULL || c->weight_gradients == NULL ||
                   c->float_gradients == NULL
               ? -1
               : 0;
}

int dnn_check(void *state, struct dcs_err *err)
{
    const struct dnn_net *net = (const struct dnn_net *)state;
    if (!net->keep)
        return cal_fail(err, "%s: only a request of one image can be checked", net->spec->name);
    struct check c = {};
    c.net = net;
    c.err = err;
    int result = fetch_all(&c);
    for (int i = 0; i < net->steps_count && result == 0; i++) {
        c.step = &net->steps[i];
        c.seed = cal_random_u64(net->seed + 3, (uint64_t)i);
        result = check_step(&c);
        if (result == 0 && c.step->of != DNN_NONE)
            result = check_connection(&c);
    }
    if (result == 0)
        result = check_sharing(&c);
    void *const copies[] = {c.data,       c.weights,         c.new_weights,     c.floats,
                            c.new_floats, c.float_gradients, c.weight_gradients};
    for (size_t i = 0; i < sizeof copies / sizeof copies[0]; i++)
        free(copies[i]);
    return result == 0 ? dnn_check_gemm(err) : -1;
}
