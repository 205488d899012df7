/*
 * predictor_net.c - a small neural network that is also told how much work there is: NN+C, after
 * A. Srivastava, N. Zhang, R. Kannan, V. Prasanna, "Towards high performance, portability, and
 * productivity: lightweight augmented neural networks for performance prediction"
 * (arXiv 2003.07497), whose augmentation is the number of operations.
 *
 * Inputs are the logarithms of the features and of the number of operations, scaled; one hidden
 * layer of tanh; one linear output, the scaled logarithm of the target. Weights minimise the sum of
 * squares and a small penalty on their own squares (few samples, many weights), by the method of
 * Levenberg and Marquardt (D. Marquardt, "An algorithm for least-squares estimation of nonlinear
 * parameters", 1963) from random weights. It converges in some ten steps where descent along the
 * gradient takes thousands.
 *
 * Model: mean and 1 / standard deviation of each input, mean and standard deviation of the target,
 * then the weights: of each hidden unit its inputs' and its own, of the output the units' and its
 * own.
 */
#include "models/predictor/predictor_method.h"

#include "des/fmath.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INPUTS  DCS_FEATURES_MAX
#define HIDDEN  8
#define UNIT    (INPUTS + 1)
#define WEIGHTS (HIDDEN * UNIT + HIDDEN + 1)
#define HEAD    (2 * INPUTS + 2)

#define PENALTY     1e-4
#define STEPS_MAX   100
#define DAMPING_MAX 1e8
#define ENOUGH      1e-5 /* the last relative gain that is worth another step */

static double hyperbolic_tangent(double x)
{
    return 1 - 2 / (dcs_exp(2 * x) + 1);
}

/* The output for scaled inputs; hidden receives what the units say. */
static double forward(const double *w, const double *z, double *hidden)
{
    const double *output = w + HIDDEN * UNIT;
    double y = output[HIDDEN];
    for (size_t h = 0; h < HIDDEN; h++) {
        const double *unit = w + h * UNIT;
        double sum = unit[INPUTS];
        for (size_t i = 0; i < INPUTS; i++)
            sum += unit[i] * z[i];
        hidden[h] = hyperbolic_tangent(sum);
        y += output[h] * hidden[h];
    }
    return y;
}

/* ---- training ---- */

struct data {
    double *z; /* n rows of INPUTS */
    double *y;
    size_t n;
};

static double cost_of(const struct data *d, const double *w)
{
    double cost = 0, hidden[HIDDEN];
    for (size_t i = 0; i < d->n; i++) {
        double e = forward(w, d->z + i * INPUTS, hidden) - d->y[i];
        cost += e * e;
    }
    for (size_t j = 0; j < WEIGHTS; j++)
        cost += PENALTY * w[j] * w[j];
    return cost;
}

/* Adds up the lower half of the approximate Hessian J^T J, and the gradient J^T e. */
static void add_up(const struct data *d, const double *w, double *hessian, double *gradient)
{
    memset(hessian, 0, WEIGHTS * WEIGHTS * sizeof *hessian);
    for (size_t j = 0; j < WEIGHTS; j++) {
        hessian[j * WEIGHTS + j] = PENALTY;
        gradient[j] = PENALTY * w[j];
    }
    const double *output = w + HIDDEN * UNIT;
    for (size_t s = 0; s < d->n; s++) {
        const double *z = d->z + s * INPUTS;
        double hidden[HIDDEN], row[WEIGHTS];
        double e = forward(w, z, hidden) - d->y[s];
        for (size_t h = 0; h < HIDDEN; h++) {
            double slope = output[h] * (1 - hidden[h] * hidden[h]);
            for (size_t i = 0; i < INPUTS; i++)
                row[h * UNIT + i] = slope * z[i];
            row[h * UNIT + INPUTS] = slope;
            row[HIDDEN * UNIT + h] = hidden[h];
        }
        row[HIDDEN * UNIT + HIDDEN] = 1;
        for (size_t i = 0; i < WEIGHTS; i++) {
            gradient[i] += row[i] * e;
            for (size_t j = 0; j <= i; j++)
                hessian[i * WEIGHTS + j] += row[i] * row[j];
        }
    }
}

struct solver {
    double hessian[WEIGHTS * WEIGHTS], gradient[WEIGHTS];
    double damped[WEIGHTS * WEIGHTS], step[WEIGHTS], next[WEIGHTS];
};

/* Makes w better by one step, more and more damped until there is one. Returns the new cost, or the
 * old one if none is better. */
static double improve(struct solver *s, const struct data *d, double *w, double cost,
                      double *damping)
{
    add_up(d, w, s->hessian, s->gradient);
    while (*damping < DAMPING_MAX) {
        memcpy(s->damped, s->hessian, sizeof s->damped);
        memcpy(s->step, s->gradient, sizeof s->step);
        for (size_t j = 0; j < WEIGHTS; j++)
            s->damped[j * WEIGHTS + j] += *damping;
        bool solved = dcs_cholesky_solve(s->damped, s->step, WEIGHTS);
        for (size_t j = 0; solved && j < WEIGHTS; j++)
            s->next[j] = w[j] - s->step[j];
        double next = solved ? cost_of(d, s->next) : cost;
        if (next < cost) {
            memcpy(w, s->next, WEIGHTS * sizeof *w);
            *damping = *damping > 1e-9 ? *damping / 4 : *damping;
            return next;
        }
        *damping *= 4;
    }
    return cost;
}

static void fit(const struct data *d, struct dcs_rng *rng, double *w)
{
    for (size_t j = 0; j < WEIGHTS; j++)
        w[j] = dcs_rng_uniform(rng) - 0.5;
    struct solver *s = dcs_alloc(1, sizeof *s);
    double cost = cost_of(d, w), damping = 0.01;
    for (int step = 0; step < STEPS_MAX && damping < DAMPING_MAX; step++) {
        double next = improve(s, d, w, cost, &damping);
        bool last = next > cost * (1 - ENOUGH);
        cost = next;
        if (last)
            break;
    }
    free(s);
}

static void train(const struct dcs_sample *samples, size_t n, struct dcs_rng *rng,
                  struct dcs_numbers *out)
{
    struct dcs_scale scale[INPUTS];
    dcs_scale_fit(samples, n, INPUTS, scale);
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        mean += dcs_log(samples[i].y);
    mean /= (double)n;
    for (size_t i = 0; i < n; i++) {
        double y = dcs_log(samples[i].y) - mean;
        squares += y * y;
    }
    double unit = sqrt(squares / (double)n);
    unit = unit > 1e-9 ? unit : 1;

    struct data d = {.z = dcs_alloc(n * INPUTS, sizeof *d.z), .y = dcs_alloc(n, sizeof *d.y), n};
    for (size_t i = 0; i < n; i++) {
        for (size_t f = 0; f < INPUTS; f++)
            d.z[i * INPUTS + f] =
                (dcs_feature_log(samples[i].x[f]) - scale[f].mean) * scale[f].per_unit;
        d.y[i] = (dcs_log(samples[i].y) - mean) / unit;
    }
    double w[WEIGHTS];
    fit(&d, rng, w);
    free(d.z);
    free(d.y);

    for (size_t f = 0; f < INPUTS; f++) {
        dcs_numbers_add(out, scale[f].mean);
        dcs_numbers_add(out, scale[f].per_unit);
    }
    dcs_numbers_add(out, mean);
    dcs_numbers_add(out, unit);
    for (size_t j = 0; j < WEIGHTS; j++)
        dcs_numbers_add(out, w[j]);
}

static const char *check_model(const double *v, size_t n)
{
    (void)v;
    return n == HEAD + WEIGHTS ? NULL : "expected the scales and the weights of its units";
}

static double ask_model(const double *v, size_t n, const double *x)
{
    (void)n;
    double z[INPUTS], hidden[HIDDEN];
    for (size_t f = 0; f < INPUTS; f++)
        z[f] = (dcs_feature_log(x[f]) - v[2 * f]) * v[2 * f + 1];
    return dcs_from_log(v[2 * INPUTS] + v[2 * INPUTS + 1] * forward(v + HEAD, z, hidden));
}

const struct dcs_method dcs_method_net = {
    .name = "net",
    .summary = "neural network with the number of operations (NN+C)",
    .train = train,
    .check = check_model,
    .ask = ask_model,
};
