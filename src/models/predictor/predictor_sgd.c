/*
 * predictor_sgd.c - linear regression by stochastic gradient descent: the same form as
 * predictor_linear.c (the target's logarithm over the logarithms of the features), fitted one
 * sample at a time. As EMU compares it (Wang, thesis, section 5.4.1.2); step sizes as scikit-learn,
 * which that used, has them by default: 0.01 / t^0.25 at the t-th sample, and a penalty of 0.0001.
 *
 * Model: that of predictor_linear.c.
 */
#include "models/predictor/predictor_method.h"

#include "des/fmath.h"

#include <stdlib.h>

#define ROUNDS  50 /* through all samples */
#define STEP    0.01
#define PENALTY 1e-4

static void shuffle(size_t *order, size_t n, struct dcs_rng *rng)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = dcs_rng_below(rng, i), kept = order[i - 1];
        order[i - 1] = order[j];
        order[j] = kept;
    }
}

static void train(const struct dcs_sample *samples, size_t n, struct dcs_rng *rng,
                  struct dcs_numbers *out)
{
    struct dcs_scale scale[DCS_FEATURES];
    dcs_scale_fit(samples, n, DCS_FEATURES, scale);
    size_t *order = dcs_alloc(n, sizeof *order);
    double w[DCS_FEATURES] = {0}, constant = 0, t = 0;
    for (size_t i = 0; i < n; i++) {
        order[i] = i;
        constant += dcs_log(samples[i].y) / (double)n;
    }
    for (int round = 0; round < ROUNDS; round++) {
        shuffle(order, n, rng);
        for (size_t i = 0; i < n; i++) {
            const struct dcs_sample *s = &samples[order[i]];
            double z[DCS_FEATURES], error = constant - dcs_log(s->y);
            for (size_t f = 0; f < DCS_FEATURES; f++) {
                z[f] = (dcs_feature_log(s->x[f]) - scale[f].mean) * scale[f].per_unit;
                error += w[f] * z[f];
            }
            double step = STEP / dcs_pow(++t, 0.25);
            for (size_t f = 0; f < DCS_FEATURES; f++)
                w[f] -= step * (error * z[f] + PENALTY * w[f]);
            constant -= step * error;
        }
    }
    free(order);
    dcs_scale_undo(scale, w, constant, out);
}

static const char *check_model(const double *v, size_t n)
{
    return dcs_method_linear.check(v, n);
}

static double ask_model(const double *v, size_t n, const double *x)
{
    return dcs_method_linear.ask(v, n, x);
}

const struct dcs_method dcs_method_sgd = {
    .name = "sgd",
    .summary = "linear regression of logarithms by stochastic gradient descent",
    .train = train,
    .check = check_model,
    .ask = ask_model,
};
