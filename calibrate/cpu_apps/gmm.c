/*
 * gmm.c - how well frames of speech fit the senones of a recogniser, each a mixture of Gaussians:
 * Rabiner, "A tutorial on hidden Markov models and selected applications in speech recognition",
 * Proc. IEEE 77(2), 1989, equation 49, with diagonal covariances: log sum_m w_m N(x; mean_m,
 * variance_m). 39 features, 8 Gaussians to a senone, 4096 senones: 10 MB
 * of parameters, read for every frame.
 *
 * A size is a number of frames (10 ms of speech each). Threads divide the senones, frame
 * after frame.
 */
#include "calibrate/cpu/cpu_app.h"

#include <math.h>

enum { SENONES = 4096, FEATURES = 39, MIXED = 8 };
enum { GRAIN = 64 }; /* senones that a thread takes at a time */

/* One senone: its Gaussians side by side, so that they are computed together. */
struct senone {
    float mean[FEATURES][MIXED];
    float precision[FEATURES][MIXED]; /* 1 / (2 variance) */
    float constant[MIXED];            /* log of w / sqrt((2 pi)^FEATURES * product of variances) */
};

struct state {
    int64_t frames, frame; /* frame: that is being computed */
    uint64_t seed;
    struct senone *senones;
    float *features; /* [frame][FEATURES] */
    float *result;   /* log likelihoods, [senone][frame] */
};

/* What a Gaussian is made from: number g of all, feature k. */
static float mean_of(uint64_t seed, int64_t g, int k)
{
    return (float)cal_cpu_uniform(seed, (uint64_t)(g * FEATURES + k), -1, 1);
}

static float deviation_of(uint64_t seed, int64_t g, int k)
{
    return (float)cal_cpu_uniform(seed + 1, (uint64_t)(g * FEATURES + k), 0.5, 1.5);
}

/* Weights 1 : 2 : .. : MIXED, in a different order in each senone. */
static double weight_of(uint64_t seed, int64_t g)
{
    uint64_t turn = cal_cpu_random(seed + 2, (uint64_t)(g / MIXED));
    return (double)(((uint64_t)g + turn) % MIXED + 1) / (MIXED * (MIXED + 1) / 2);
}

static void *create(int64_t size, uint64_t seed, struct cal_arena *a, struct dcs_err *err)
{
    (void)err;
    struct state *g = cal_arena_take(a, 1, sizeof *g);
    g->frames = size;
    g->seed = seed;
    g->senones = cal_arena_take(a, SENONES, sizeof *g->senones);
    for (int64_t i = 0; i < SENONES * MIXED; i++) {
        struct senone *s = &g->senones[i / MIXED];
        double sum = log(weight_of(seed, i));
        for (int k = 0; k < FEATURES; k++) {
            double variance = (double)deviation_of(seed, i, k);
            variance *= variance;
            s->mean[k][i % MIXED] = mean_of(seed, i, k);
            s->precision[k][i % MIXED] = (float)(1 / (2 * variance));
            sum -= 0.5 * log(2 * acos(-1) * variance);
        }
        s->constant[i % MIXED] = (float)sum;
    }
    g->features = cal_arena_take(a, (size_t)size * FEATURES, sizeof(float));
    for (int64_t i = 0; i < size * FEATURES; i++)
        g->features[i] = (float)cal_cpu_uniform(seed + 3, (uint64_t)i, -1.5, 1.5);
    g->result = cal_arena_take(a, (size_t)size * SENONES, sizeof(float));
    return g;
}

/* log sum exp, with the largest taken out so that nothing vanishes. */
static float score(const struct senone *s, const float x[FEATURES])
{
    float logs[MIXED];
    for (int m = 0; m < MIXED; m++)
        logs[m] = s->constant[m];
    for (int k = 0; k < FEATURES; k++)
        for (int m = 0; m < MIXED; m++) {
            float away = x[k] - s->mean[k][m];
            logs[m] -= away * away * s->precision[k][m];
        }
    float most = logs[0], sum = 0;
    for (int m = 1; m < MIXED; m++)
        most = logs[m] > most ? logs[m] : most;
    for (int m = 0; m < MIXED; m++)
        sum += expf(logs[m] - most);
    return most + logf(sum);
}

static void score_frame(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *g = context;
    for (int64_t i = begin; i < end; i++)
        g->result[i * g->frames + g->frame] =
            score(&g->senones[i], g->features + g->frame * FEATURES);
}

/* A recogniser gets its frames one after the other. */
static void run_request(void *state, struct cal_team *t)
{
    struct state *g = state;
    for (g->frame = 0; g->frame < g->frames; g->frame++)
        cal_team_for(t, SENONES, GRAIN, score_frame, g);
}

/* The densities multiplied as they are defined, in numbers whose range is wide enough for that. */
static int check_results(const void *state, struct dcs_err *err)
{
    const struct state *g = state;
    const long double root = sqrtl(2 * acosl(-1));
    for (int64_t s = 0; s < SENONES; s++)
        for (int64_t f = 0; f < g->frames; f++) {
            long double sum = 0;
            for (int64_t i = s * MIXED; i < (s + 1) * MIXED; i++) {
                long double scale = (long double)weight_of(g->seed, i), squares = 0;
                for (int k = 0; k < FEATURES; k++) {
                    long double deviation = (long double)deviation_of(g->seed, i, k);
                    long double z = (long double)g->features[f * FEATURES + k];
                    z = (z - (long double)mean_of(g->seed, i, k)) / deviation;
                    scale /= root * deviation;
                    squares += z * z;
                }
                sum += scale * expl(-squares / 2);
            }
            double got = (double)g->result[s * g->frames + f], want = (double)logl(sum);
            if (!(fabs(got - want) <= 1e-4 * fabs(want)))
                return dcs_err_set(err, "frame %lld, senone %lld: log likelihood %g, not %g",
                                   (long long)f, (long long)s, got, want);
        }
    return 0;
}

static void *results(void *state, size_t *words)
{
    struct state *g = state;
    *words = (size_t)g->frames * SENONES;
    return g->result;
}

/* Per feature of a Gaussian two subtractions and two products, and a logarithm of a sum of MIXED
 * exponentials. */
static void count(const void *state, double *operations, double *bytes)
{
    const struct state *g = state;
    double scores = (double)g->frames * SENONES;
    *operations = scores * (4 * FEATURES * MIXED + 4 * MIXED + 1);
    *bytes = SENONES * sizeof(struct senone) + 4 * (scores + (double)g->frames * FEATURES);
}

const struct cal_cpu_app cal_cpu_app_gmm = {
    .name = "gmm",
    .role = CAL_CPU_SERVICE,
    .papers = "EMU table 5-2: gmm of Sirius",
    .algorithm = "Rabiner 1989, equation 49",
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
