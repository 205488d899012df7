/* slowdown_net.c - see slowdown_net.h. */
#include "models/predictor/slowdown_net.h"

#include "des/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N       DCS_SLOWDOWN_INPUTS
#define UNIT    (N + 1)
#define SECOND  DCS_SLOWDOWN_LAYER
#define LAST    (2 * DCS_SLOWDOWN_LAYER)
#define WEIGHTS DCS_SLOWDOWN_WEIGHTS

#define LEAK   0.01
#define ALPHA  2.0
#define LAMBDA 0.001

#define BATCH      64
#define STEP       1e-3
#define FIRST_MEAN 0.9
#define MEAN_SQR   0.999
#define TINY       1e-8

/* What the units of a sample say, and how the loss changes with what they say. */
struct pass {
    double hidden[2][N], out[2];
};

static double leaky(double x)
{
    return x > 0 ? x : LEAK * x;
}

static double unit_says(const double *unit, const double *x)
{
    double sum = unit[N];
    for (size_t i = 0; i < N; i++)
        sum += unit[i] * x[i];
    return sum;
}

static void go_forward(const double *w, const double *x, struct pass *p)
{
    for (size_t u = 0; u < N; u++)
        p->hidden[0][u] = leaky(unit_says(w + u * UNIT, x));
    for (size_t u = 0; u < N; u++)
        p->hidden[1][u] = leaky(unit_says(w + SECOND + u * UNIT, p->hidden[0]));
    for (size_t u = 0; u < 2; u++)
        p->out[u] = unit_says(w + LAST + u * UNIT, p->hidden[1]);
}

void dcs_slowdown_net_ask(const double *w, const double *x, double *scal, double *inter)
{
    struct pass p;
    go_forward(w, x, &p);
    *scal = p.out[0];
    *inter = p.out[1];
}

/* Adds what a unit whose sum changes the loss by `slope` gives to its weights and to `below`. */
static void go_back(const double *unit, const double *x, double slope, double *gradient,
                    double *below)
{
    for (size_t i = 0; i < N; i++) {
        gradient[i] += slope * x[i];
        below[i] += slope * unit[i];
    }
    gradient[N] += slope;
}

/* slope: of the loss by each output. */
static void add_gradient(const double *w, const double *x, const struct pass *p,
                         const double slope[2], double *gradient)
{
    double second[N] = {0}, first[N] = {0}, input[N] = {0};
    for (size_t u = 0; u < 2; u++)
        go_back(w + LAST + u * UNIT, p->hidden[1], slope[u], gradient + LAST + u * UNIT, second);
    for (size_t u = 0; u < N; u++)
        go_back(w + SECOND + u * UNIT, p->hidden[0], second[u] * (p->hidden[1][u] > 0 ? 1 : LEAK),
                gradient + SECOND + u * UNIT, first);
    for (size_t u = 0; u < N; u++)
        go_back(w + u * UNIT, x, first[u] * (p->hidden[0][u] > 0 ? 1 : LEAK), gradient + u * UNIT,
                input);
}

/* The relative errors of a sample: by scalability, by interference, of their product. */
static void errors_of(const struct dcs_slowdown_sample *s, const struct pass *p, double e[3])
{
    e[0] = p->out[0] / s->scal - 1;
    e[1] = p->out[1] / s->inter - 1;
    e[2] = p->out[0] * p->out[1] / (s->scal * s->inter) - 1;
}

static double root_of_mean(double sum, size_t n)
{
    return sqrt(sum / (double)n);
}

static double add_size(const double *w, double *gradient)
{
    double sum = 0;
    for (size_t i = 0; i < WEIGHTS; i++)
        sum += i % UNIT == N ? 0 : w[i] * w[i];
    double norm = sqrt(sum);
    for (size_t i = 0; gradient != NULL && norm > 0 && i < WEIGHTS; i++)
        gradient[i] += i % UNIT == N ? 0 : LAMBDA * w[i] / norm;
    return LAMBDA * norm;
}

double dcs_slowdown_net_loss(const double *w, const struct dcs_slowdown_sample *samples, size_t n,
                             double *gradient)
{
    struct pass *passes = dcs_alloc(n, sizeof *passes);
    double sum[3] = {0}, e[3], loss[3];
    for (size_t i = 0; i < n; i++) {
        go_forward(w, samples[i].x, &passes[i]);
        errors_of(&samples[i], &passes[i], e);
        for (size_t k = 0; k < 3; k++)
            sum[k] += e[k] * e[k];
    }
    for (size_t k = 0; k < 3; k++)
        loss[k] = root_of_mean(sum[k], n);
    if (gradient != NULL)
        memset(gradient, 0, WEIGHTS * sizeof *gradient);
    for (size_t i = 0; gradient != NULL && i < n; i++) {
        const struct dcs_slowdown_sample *s = &samples[i];
        double by[3], slope[2], whole = s->scal * s->inter;
        errors_of(s, &passes[i], e);
        for (size_t k = 0; k < 3; k++)
            by[k] = loss[k] > 0 ? e[k] / (loss[k] * (double)n) : 0;
        slope[0] = by[0] / s->scal + ALPHA * by[2] * passes[i].out[1] / whole;
        slope[1] = by[1] / s->inter + ALPHA * by[2] * passes[i].out[0] / whole;
        add_gradient(w, s->x, &passes[i], slope, gradient);
    }
    free(passes);
    return loss[0] + loss[1] + ALPHA * loss[2] + add_size(w, gradient);
}

/* ---- Training ---- */

static void begin(struct dcs_rng *rng, double *w)
{
    double widest = sqrt(6.0 / N);
    for (size_t i = 0; i < WEIGHTS; i++)
        w[i] = i % UNIT == N ? (i > LAST ? 1 : 0) : widest * (2 * dcs_rng_uniform(rng) - 1);
}

static void shuffle(struct dcs_slowdown_sample *list, size_t n, struct dcs_rng *rng)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = dcs_rng_below(rng, i);
        struct dcs_slowdown_sample kept = list[i - 1];
        list[i - 1] = list[j];
        list[j] = kept;
    }
}

struct adam {
    double mean[WEIGHTS], square[WEIGHTS], gradient[WEIGHTS];
    double mean_left, square_left; /* of where they began: the decays to the power of the steps */
};

static void make_step(struct adam *a, double step, double *w)
{
    a->mean_left *= FIRST_MEAN;
    a->square_left *= MEAN_SQR;
    for (size_t i = 0; i < WEIGHTS; i++) {
        double g = a->gradient[i];
        a->mean[i] = FIRST_MEAN * a->mean[i] + (1 - FIRST_MEAN) * g;
        a->square[i] = MEAN_SQR * a->square[i] + (1 - MEAN_SQR) * g * g;
        double mean = a->mean[i] / (1 - a->mean_left);
        w[i] -= step * mean / (sqrt(a->square[i] / (1 - a->square_left)) + TINY);
    }
}

void dcs_slowdown_net_fit(const struct dcs_slowdown_sample *samples, size_t n, unsigned rounds,
                          struct dcs_rng *rng, double *w)
{
    struct dcs_slowdown_sample *list = dcs_alloc(n, sizeof *list);
    struct adam *a = dcs_alloc(1, sizeof *a);
    memcpy(list, samples, n * sizeof *list);
    a->mean_left = a->square_left = 1;
    begin(rng, w);
    for (unsigned round = 0; round < rounds; round++) {
        shuffle(list, n, rng);
        double step = STEP * (double)(rounds - round) / (double)rounds;
        for (size_t at = 0; at < n; at += BATCH) {
            size_t count = n - at < BATCH ? n - at : BATCH;
            dcs_slowdown_net_loss(w, list + at, count, a->gradient);
            make_step(a, step, w);
        }
    }
    free(a);
    free(list);
}
