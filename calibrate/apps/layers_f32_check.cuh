/*
 * layers_f32_check.cuh - the reference of layers_f32.cuh, which includes it: each layer in double
 * precision, from what the device gave that layer, by its definition.
 *
 * All outputs of a layer are compared where that takes at most `budget` products, else as many as
 * that allows, spread evenly. Checked layer by layer, from the images that were sent to the result
 * that came back, the whole request is right.
 */
#ifndef DCS_CALIBRATE_APPS_LAYERS_F32_CHECK_CUH
#define DCS_CALIBRATE_APPS_LAYERS_F32_CHECK_CUH

namespace
{

constexpr double budget = 3e7;

struct seen { /* a layer's input, weights and output, on the host */
    std::vector<float> in, weights, bias, out;
};

/* One value of a layer's output: its place. */
struct spot {
    int64_t plane, image, y, x, channel;
};

/* The value of the input; what is beyond its edges is 0. */
double at(const struct stage *s, const struct seen *v, int64_t plane, int64_t image, int64_t y,
          int64_t x, int64_t c)
{
    if (y < 0 || x < 0 || y >= s->in.height || x >= s->in.width)
        return 0;
    int64_t i = (plane * s->net->images + image) * s->in.height + y;
    return (double)v->in[(size_t)((i * s->in.width + x) * s->in.channels + c)];
}

/* Weights are [plane of output][place, if local][plane of input][row][column][channel][filter]. */
double product(const struct stage *s, const struct seen *v, struct spot o)
{
    const struct layer *l = s->layer;
    bool full = l->kind == FULL;
    int64_t filters = s->out.channels, height = full ? s->in.height : l->size;
    int64_t width = full ? s->in.width : l->size, stride = full ? 1 : l->stride;
    int64_t place = o.y * s->out.width + o.x;
    int64_t set = l->kind == LOCAL ? place : o.plane;
    int64_t from = l->grouped ? o.plane : 0, to = l->grouped ? o.plane + 1 : s->in.planes;
    int64_t k = 0, all = (to - from) * height * width * s->in.channels;
    double sum = (double)v->bias[(size_t)(set * filters + o.channel)];
    for (int64_t p = from; p < to; p++)
        for (int64_t r = 0; r < height; r++)
            for (int64_t q = 0; q < width; q++)
                for (int64_t c = 0; c < s->in.channels; c++, k++)
                    sum += at(s, v, p, o.image, o.y * stride - l->pad + r,
                              o.x * stride - l->pad + q, c) *
                           (double)v->weights[(size_t)((set * all + k) * filters + o.channel)];
    return l->relu && sum < 0 ? 0 : sum;
}

double expected(const struct stage *s, const struct seen *v, struct spot o)
{
    const struct layer *l = s->layer;
    double sum = 0, best = -INFINITY;
    switch (l->kind) {
    case POOL:
        for (int64_t y = o.y * l->stride; y < o.y * l->stride + l->size && y < s->in.height; y++)
            for (int64_t x = o.x * l->stride; x < o.x * l->stride + l->size && x < s->in.width; x++)
                best = std::max(best, at(s, v, o.plane, o.image, y, x, o.channel));
        return best;
    case NORMALISE:
        for (int64_t c = o.channel - 2; c <= o.channel + 2; c++)
            if (c >= 0 && c < s->in.channels)
                sum += pow(at(s, v, o.plane, o.image, o.y, o.x, c), 2);
        return at(s, v, o.plane, o.image, o.y, o.x, o.channel) / pow(2 + 1e-4 * sum, 0.75);
    case SOFTMAX:
        for (int64_t c = 0; c < s->in.channels; c++)
            best = std::max(best, at(s, v, 0, o.image, 0, 0, c));
        for (int64_t c = 0; c < s->in.channels; c++)
            sum += exp(at(s, v, 0, o.image, 0, 0, c) - best);
        return exp(at(s, v, 0, o.image, 0, 0, o.channel) - best) / sum;
    default:
        return product(s, v, o);
    }
}

int fetch(std::vector<float> *to, const float *from, int64_t values, struct dcs_err *err)
{
    to->resize((size_t)values);
    return cal_fail_cuda(
        err, cudaMemcpy(to->data(), from, (size_t)values * 4, cudaMemcpyDeviceToHost), "fetching");
}

int check_stage(const struct stage *s, struct dcs_err *err)
{
    struct seen v;
    int64_t images = s->net->images, outputs = values_of(s->out) * images;
    bool products = s->weights != NULL;
    if (fetch(&v.in, s->input, values_of(s->in) * images, err) != 0 ||
        fetch(&v.out, s->output, outputs, err) != 0 ||
        (products && (fetch(&v.weights, s->weights, weights_of(s), err) != 0 ||
                      fetch(&v.bias, s->bias, biases_of(s), err) != 0)))
        return -1;
    double each = products                    ? (double)s->k * s->in.planes
                  : s->layer->kind == SOFTMAX ? 2.0 * s->out.channels
                                              : 10.0;
    /* Odd steps meet all channels and places in turn. */
    int64_t step = (int64_t)((double)outputs * each / budget) | 1;
    std::vector<float> got, want;
    for (int64_t i = 0; i < outputs; i += step) {
        int64_t place = i / s->out.channels, rest = place / places_of(s->out);
        place %= places_of(s->out);
        struct spot o = {rest / images, rest % images, place / s->out.width, place % s->out.width,
                         i % s->out.channels};
        got.push_back(v.out[(size_t)i]);
        want.push_back((float)expected(s, &v, o));
    }
    double near = products ? 1e-4 : 1e-6; /* long sums lose digits */
    return cal_compare_f32(got.data(), want.data(), got.size(), near, products ? near : 1e-5,
                           s->layer->name, err);
}

int net_check(void *state, struct dcs_err *err)
{
    const struct net *net = (const struct net *)state;
    const struct stage *last = &net->stages[net->count - 1];
    std::vector<float> end, begin;
    int64_t results = values_of(last->out) * net->images;
    int64_t inputs = values_of(net->input) * net->images;
    if (fetch(&begin, net->first, inputs, err) != 0 || fetch(&end, last->output, results, err) != 0)
        return -1;
    if (cal_compare_f32(begin.data(), net->sent, (size_t)inputs, 0, 0, "images", err) != 0)
        return -1;
    for (int i = 0; i < net->count; i++)
        if (check_stage(&net->stages[i], err) != 0)
            return -1;
    return cal_compare_f32(net->result, end.data(), (size_t)results, 0, 0, "result", err);
}

} // namespace

#endif
