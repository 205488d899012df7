/*
 * dnn_create.cu - a network as a whole: the places of its tensors in memory, what its weights are
 * filled with, its beginning and its end; see dnn_net.h.
 */
#include "calibrate/app/dnn_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TENSOR_ALIGN 512

/* --- memory --- */

static void used(struct dnn_net *net, int memory, int step)
{
    struct dnn_memory *m = &net->memory[memory];
    if (m->written < 0)
        m->written = step;
    m->read = step;
}

static void tensor_used(struct dnn_net *net, int tensor, int step)
{
    if (tensor != DNN_NONE)
        used(net, net->tensors[tensor].memory, step);
}

static void find_lifetimes(struct dnn_net *net)
{
    for (int i = 0; i < net->steps_count; i++) {
        const struct dnn_step *s = &net->steps[i];
        tensor_used(net, s->x, i);
        tensor_used(net, s->y, i);
        tensor_used(net, s->other, i);
        if (s->mask != DNN_NONE)
            used(net, s->mask, i);
        if (s->op == DNN_CONV_BACK || s->op == DNN_NORM_BACK)
            tensor_used(net, net->steps[s->of].x, i);
        if (s->op == DNN_RELU_BACK)
            tensor_used(net, net->steps[s->of].y, i);
        if (s->op == DNN_POOL_BACK && net->steps[s->of].mask != DNN_NONE)
            used(net, net->steps[s->of].mask, i);
    }
}

/* The lowest place where memory m is free during its lifetime, given those already placed. */
static size_t lowest_place(const struct dnn_net *net, const int *placed, int count, int m)
{
    const struct dnn_memory *mine = &net->memory[m];
    size_t at = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (int i = 0; i < count; i++) {
            const struct dnn_memory *o = &net->memory[placed[i]];
            const bool together =
                net->keep || (o->written <= mine->read && mine->written <= o->read);
            if (together && at < o->offset + o->bytes && o->offset < at + mine->bytes) {
                at = o->offset + o->bytes;
                moved = true;
            }
        }
    }
    return at;
}

static int larger_first(const void *a, const void *b, void *context)
{
    const struct dnn_memory *memory = (const struct dnn_memory *)context;
    const size_t x = memory[*(const int *)a].bytes, y = memory[*(const int *)b].bytes;
    return x != y ? (x < y) - (x > y) : *(const int *)a - *(const int *)b;
}

static void place_tensors(struct dnn_net *net)
{
    int order[DNN_TENSORS_MAX];
    for (int i = 0; i < net->memory_count; i++) {
        order[i] = i;
        net->memory[i].bytes =
            (net->memory[i].bytes + TENSOR_ALIGN - 1) / TENSOR_ALIGN * TENSOR_ALIGN;
    }
    qsort_r(order, (size_t)net->memory_count, sizeof *order, larger_first, net->memory);
    for (int i = 0; i < net->memory_count; i++) {
        struct dnn_memory *m = &net->memory[order[i]];
        m->offset = net->keep ? net->tensors_bytes : lowest_place(net, order, i, order[i]);
        if (net->tensors_bytes < m->offset + m->bytes)
            net->tensors_bytes = m->offset + m->bytes;
    }
}

static int allocate(struct dnn_net *net, struct dcs_err *err)
{
    const bool train = net->spec->train;
    const size_t pixels = (size_t)net->images * net->resolution * net->resolution;
    const size_t images = (size_t)net->images;
    for (int i = 0; i < net->steps_count; i++) {
        const size_t need = dnn_step_workspace(net, &net->steps[i]);
        if (net->workspace_count < need)
            net->workspace_count = need;
    }
    if (cal_device_alloc((void **)&net->bytes, pixels * 3, err) != 0 ||
        cal_host_alloc((void **)&net->host_bytes, pixels * 3, err) != 0 ||
        cal_device_alloc((void **)&net->data, net->tensors_bytes, err) != 0 ||
        cal_device_alloc((void **)&net->weights, net->weights_count * sizeof(__half), err) != 0 ||
        cal_device_alloc((void **)&net->floats, net->floats_count * sizeof(float), err) != 0 ||
        cal_device_alloc((void **)&net->workspace, (net->workspace_count + 1) * sizeof(float),
                         err) != 0 ||
        cal_device_alloc((void **)&net->result, net->result_count * sizeof(float), err) != 0 ||
        cal_host_alloc((void **)&net->host_result, net->result_count * sizeof(float), err) != 0)
        return -1;
    if (train &&
        (cal_device_alloc((void **)&net->labels, images * sizeof(int), err) != 0 ||
         cal_host_alloc((void **)&net->host_labels, images * sizeof(int), err) != 0 ||
         cal_device_alloc((void **)&net->new_weights, net->weights_count * sizeof(__half), err) !=
             0 ||
         cal_device_alloc((void **)&net->weight_gradients, net->weights_count * sizeof(float),
                          err) != 0 ||
         cal_device_alloc((void **)&net->float_gradients, net->floats_count * sizeof(float), err) !=
             0 ||
         cal_device_alloc((void **)&net->new_floats, net->floats_count * sizeof(float), err) != 0 ||
         cal_device_alloc((void **)&net->statistics, (net->statistics_count + 1) * sizeof(float),
                          err) != 0))
        return -1;
    return 0;
}

static int fill_layer(struct dnn_net *net, int at, struct dcs_err *err)
{
    const struct dnn_step *s = &net->steps[at];
    const uint64_t seed = cal_random_u64(net->seed, (uint64_t)at);
    if (s->op == DNN_CONV) {
        const int x = net->tensors[s->x].c, y = net->tensors[s->y].c;
        const int taps = s->conv.kernel_h * s->conv.kernel_w;
        const float fan_in = (float)(taps * x / s->conv.groups);
        if (cal_fill_normal_f16(net->weights + s->weights, s->weights_count, seed, 0.0f,
                                sqrtf(2.0f / fan_in), err) != 0)
            return -1;
        if (s->conv.groups > 1 &&
            cal_fail_cuda(err, dnn_mask_groups(net->weights + s->weights, taps, x, s->conv.groups),
                          "making the weights of groups") != 0)
            return -1;
        if (s->floats != DNN_NOT_THERE)
            return cal_fill_uniform_f32(net->floats + s->floats, (size_t)y, seed + 1, -0.05f, 0.05f,
                                        err);
    }
    if (s->op == DNN_SCALE || s->op == DNN_NORM) {
        const size_t c = (size_t)net->tensors[s->x].c;
        if (cal_fill_uniform_f32(net->floats + s->floats, c, seed, 0.9f * s->gain, 1.1f * s->gain,
                                 err) != 0)
            return -1;
        return cal_fill_uniform_f32(net->floats + s->floats + c, c, seed + 1, -0.1f, 0.1f, err);
    }
    return 0;
}

static int fill(struct dnn_net *net, struct dcs_err *err)
{
    for (int i = 0; i < net->steps_count; i++)
        if (fill_layer(net, i, err) != 0)
            return -1;
    const size_t bytes = (size_t)net->images * net->resolution * net->resolution * 3;
    for (size_t i = 0; i < bytes; i += 8) {
        const uint64_t random = cal_random_u64(net->seed + 1, i);
        memcpy(net->host_bytes + i, &random, bytes - i < 8 ? bytes - i : 8);
    }
    const int classes = net->tensors[net->steps[net->forward_count - 1].x].c;
    for (int i = 0; net->spec->train && i < net->images; i++)
        net->host_labels[i] = (int)(cal_random_u64(net->seed + 2, (uint64_t)i) % (unsigned)classes);
    return 0;
}

struct dnn_net *dnn_create_net(const struct dnn_spec *spec, int images, uint64_t seed, bool keep,
                               struct dcs_err *err)
{
    struct dnn_net *net = (struct dnn_net *)calloc(1, sizeof *net);
    if (net == NULL) {
        cal_fail(err, "%s: out of memory", spec->name);
        return NULL;
    }
    net->spec = spec;
    net->images = images;
    net->resolution = spec->resolution;
    net->seed = seed;
    net->keep = keep;
#ifdef CAL_EMULATED
    if (images == 1)
        net->resolution = spec->small_resolution;
#endif
    spec->build(net);
    if (spec->train)
        dnn_differentiate(net);
    find_lifetimes(net);
    place_tensors(net);
    if (allocate(net, err) != 0 || fill(net, err) != 0) {
        dnn_destroy(net);
        return NULL;
    }
    return net;
}

void *dnn_create(const struct dnn_spec *spec, int64_t size, uint64_t seed, struct dcs_err *err)
{
    return dnn_create_net(spec, (int)size, seed, size == 1, err);
}

void dnn_destroy(void *state)
{
    struct dnn_net *net = (struct dnn_net *)state;
    if (net == NULL)
        return;
    void *const device[] = {net->bytes,      net->labels,          net->data,
                            net->weights,    net->new_weights,     net->floats,
                            net->new_floats, net->float_gradients, net->weight_gradients,
                            net->statistics, net->workspace,       net->result};
    for (size_t i = 0; i < sizeof device / sizeof device[0]; i++)
        cudaFree(device[i]);
    cudaFreeHost(net->host_bytes);
    cudaFreeHost(net->host_labels);
    cudaFreeHost(net->host_result);
    free(net);
}
