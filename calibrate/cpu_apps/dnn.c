/*
 * dnn.c - the forward pass of a deep neural network that turns frames of speech into probabilities
 * of what is spoken: Mohamed, Dahl, Hinton, "Acoustic modeling using deep belief networks", IEEE
 * Trans. Audio, Speech and Language Processing 20(1), 2012. Of the shapes in it: 11 frames of 39
 * features, five layers of 1024 logistic units, softmax over 183 states of phones; 4.8 million
 * weights, of the size that Glorot and Bengio, AISTATS 2010, begin a training with.
 *
 * A size is a number of frames. Units of a layer are divided among threads, layer after layer:
 * 19 MB of weights are read once and used for all frames.
 */
#include "calibrate/cpu/cpu_app.h"

#include <math.h>

enum { LAYERS = 6, INPUTS = 11 * 39, HIDDEN = 1024, OUTPUTS = 183 };
/* What is computed at once: PANEL units of TILE frames. The weights of a panel lie together,
 * [input][PANEL]; the units of a layer are filled up to whole panels. */
enum { PANEL = 16, TILE = 4, PADDED = (OUTPUTS + PANEL - 1) / PANEL * PANEL };

struct state {
    int64_t frames;
    uint64_t seed;
    float *weights[LAYERS], *biases[LAYERS];
    float *values[LAYERS + 1]; /* [frame][unit]; 0: what the network is given */
    float *result;             /* probabilities, [frame][output] */
    int layer;                 /* that is being computed */
};

static int inputs_of(int layer)
{
    return layer == 0 ? INPUTS : HIDDEN;
}

static int units_of(int layer)
{
    return layer == LAYERS - 1 ? OUTPUTS : HIDDEN;
}

static int width_of(int layer)
{
    return layer == LAYERS - 1 ? PADDED : HIDDEN;
}

static float bias_of(uint64_t seed, int layer, int unit)
{
    return (float)cal_cpu_uniform(seed + 1, (uint64_t)(layer * HIDDEN + unit), -1, 1);
}

static double range_of(int layer)
{
    return 4 * sqrt(6.0 / (inputs_of(layer) + units_of(layer)));
}

/* Weights of four units that follow each other come from one random number. */
static float weight_of(double range, uint64_t seed, int layer, int unit, int input)
{
    uint64_t i = ((uint64_t)layer * HIDDEN + (uint64_t)input) * HIDDEN / 4 + (uint64_t)unit / 4;
    uint64_t bits = cal_cpu_random(seed, i) >> (16 * (unit % 4));
    return (float)(range * ((double)(bits & 0xffff) / 32768 - 1));
}

static void pack(struct state *s, int layer)
{
    double range = range_of(layer);
    float *to = s->weights[layer];
    for (int panel = 0; panel < width_of(layer); panel += PANEL)
        for (int k = 0; k < inputs_of(layer); k++)
            for (int u = panel; u < panel + PANEL; u++)
                *to++ = u < units_of(layer) ? weight_of(range, s->seed, layer, u, k) : 0;
    for (int u = 0; u < units_of(layer); u++)
        s->biases[layer][u] = bias_of(s->seed, layer, u);
}

static void *create(int64_t size, uint64_t seed, struct cal_arena *a, struct dcs_err *err)
{
    (void)err;
    struct state *s = cal_arena_take(a, 1, sizeof *s);
    size_t frames = (size_t)size;
    s->frames = size;
    s->seed = seed;
    s->values[0] = cal_arena_take(a, frames * INPUTS, sizeof(float));
    for (size_t i = 0; i < frames * INPUTS; i++)
        s->values[0][i] = (float)cal_cpu_uniform(seed + 2, i, -1.7, 1.7);
    for (int l = 0; l < LAYERS; l++) {
        size_t width = (size_t)width_of(l);
        s->weights[l] = cal_arena_take(a, width * (size_t)inputs_of(l), sizeof(float));
        s->biases[l] = cal_arena_take(a, width, sizeof(float));
        s->values[l + 1] = cal_arena_take(a, frames * width, sizeof(float));
        pack(s, l);
    }
    s->result = cal_arena_take(a, frames * OUTPUTS, sizeof(float));
    return s;
}

/* The weighted sums of a panel for 1 or TILE frames, each over the inputs in their order. */
static inline void multiply(const float *x, int inputs, const float *w, const float *bias,
                            int frames, float sums[TILE][PANEL])
{
    for (int f = 0; f < frames; f++)
        for (int u = 0; u < PANEL; u++)
            sums[f][u] = bias[u];
    for (int k = 0; k < inputs; k++)
        for (int f = 0; f < frames; f++)
            for (int u = 0; u < PANEL; u++)
                sums[f][u] += x[f * inputs + k] * w[k * PANEL + u];
}

static void forward(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    int layer = s->layer, inputs = inputs_of(layer), width = width_of(layer);
    for (int64_t panel = begin; panel < end; panel++) {
        const float *w = s->weights[layer] + panel * PANEL * inputs;
        const float *bias = s->biases[layer] + panel * PANEL;
        for (int64_t frame = 0, count; frame < s->frames; frame += count) {
            const float *x = s->values[layer] + frame * inputs;
            float sums[TILE][PANEL];
            count = s->frames - frame >= TILE ? TILE : 1;
            if (count == TILE)
                multiply(x, inputs, w, bias, TILE, sums);
            else
                multiply(x, inputs, w, bias, 1, sums);
            for (int64_t f = 0; f < count; f++)
                for (int u = 0; u < PANEL; u++)
                    s->values[layer + 1][(frame + f) * width + panel * PANEL + u] =
                        layer == LAYERS - 1 ? sums[f][u] : 1 / (1 + expf(-sums[f][u]));
        }
    }
}

static void softmax(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    for (int64_t f = begin; f < end; f++) {
        const float *sums = s->values[LAYERS] + f * PADDED;
        float *to = s->result + f * OUTPUTS, most = sums[0], sum = 0;
        for (int u = 1; u < OUTPUTS; u++)
            most = sums[u] > most ? sums[u] : most;
        for (int u = 0; u < OUTPUTS; u++) {
            to[u] = expf(sums[u] - most);
            sum += to[u];
        }
        for (int u = 0; u < OUTPUTS; u++)
            to[u] /= sum;
    }
}

static void run_request(void *state, struct cal_team *t)
{
    struct state *s = state;
    for (s->layer = 0; s->layer < LAYERS; s->layer++)
        cal_team_for(t, width_of(s->layer) / PANEL, 1, forward, s);
    cal_team_for(t, s->frames, TILE, softmax, s);
}

/* One frame after the other, unit by unit, with weights that are made anew: not the packed ones. */
static int check_results(const void *state, struct dcs_err *err)
{
    const struct state *s = state;
    struct cal_arena a = {0};
    double *now = cal_arena_take(&a, HIDDEN, sizeof *now);
    double *next = cal_arena_take(&a, HIDDEN, sizeof *next);
    float *want = cal_arena_take(&a, (size_t)s->frames * OUTPUTS, sizeof *want);
    for (int64_t f = 0; f < s->frames; f++) {
        for (int k = 0; k < INPUTS; k++)
            now[k] = (double)s->values[0][f * INPUTS + k];
        for (int l = 0; l < LAYERS; l++) {
            double range = range_of(l);
            for (int u = 0; u < units_of(l); u++) {
                double sum = (double)bias_of(s->seed, l, u);
                for (int k = 0; k < inputs_of(l); k++)
                    sum += (double)weight_of(range, s->seed, l, u, k) * now[k];
                next[u] = l == LAYERS - 1 ? exp(sum) : (1 + tanh(sum / 2)) / 2;
            }
            double *swap = now;
            now = next;
            next = swap;
        }
        double sum = 0;
        for (int u = 0; u < OUTPUTS; u++)
            sum += now[u];
        for (int u = 0; u < OUTPUTS; u++)
            want[f * OUTPUTS + u] = (float)(now[u] / sum);
    }
    int wrong = cal_cpu_compare_f32(s->result, want, (size_t)s->frames * OUTPUTS, 0, 1e-3,
                                    "probabilities", err);
    cal_arena_release(&a);
    return wrong;
}

static void *results(void *state, size_t *words)
{
    struct state *s = state;
    *words = (size_t)s->frames * OUTPUTS;
    return s->result;
}

static void count(const void *state, double *operations, double *bytes)
{
    const struct state *s = state;
    double weights = 0, values = INPUTS + 2 * OUTPUTS;
    for (int l = 0; l < LAYERS; l++) {
        weights += (double)inputs_of(l) * units_of(l);
        values += 2 * units_of(l);
    }
    *operations = 2 * weights * (double)s->frames;
    *bytes = 4 * (weights + values * (double)s->frames);
}

const struct cal_cpu_app cal_cpu_app_dnn = {
    .name = "asr",
    .role = CAL_CPU_SERVICE,
    .papers = "EMU table 5-2: dnn-asr of Sirius",
    .algorithm = "Mohamed, Dahl, Hinton 2012",
    .size_unit = "frames",
    .size_min = 8,
    .size_max = 256,
    .size_default = 32,
    .size_check = 1,
    .size_step = 1,
    .sla_ns = 150000000,
    .create = create,
    .run = run_request,
    .check = check_results,
    .results = results,
    .count = count,
};
