/*
 * predictor_linear.c - linear regression of the target's logarithm on the logarithms of the
 * features: a product of powers. Least squares with a very small penalty on the coefficients,
 * because features of one kernel often move together (its blocks with the size), and the plain
 * normal equations would then have no one solution.
 *
 * Model: the constant, then a factor for each feature.
 */
#include "models/predictor/predictor_method.h"

#include "des/fmath.h"

#define VALUES  (1 + DCS_FEATURES)
#define PENALTY 1e-6 /* times the number of samples, in units of standard deviations */

static void train(const struct dcs_sample *samples, size_t n, struct dcs_rng *rng,
                  struct dcs_numbers *out)
{
    (void)rng;
    struct dcs_scale scale[DCS_FEATURES];
    dcs_scale_fit(samples, n, DCS_FEATURES, scale);
    double mean = 0;
    for (size_t i = 0; i < n; i++)
        mean += dcs_log(samples[i].y);
    mean /= (double)n;

    double a[DCS_FEATURES * DCS_FEATURES] = {0}, b[DCS_FEATURES] = {0};
    for (size_t i = 0; i < n; i++) {
        double z[DCS_FEATURES], y = dcs_log(samples[i].y) - mean;
        for (size_t f = 0; f < DCS_FEATURES; f++) {
            z[f] = (dcs_feature_log(samples[i].x[f]) - scale[f].mean) * scale[f].per_unit;
            b[f] += z[f] * y;
            for (size_t g = 0; g <= f; g++)
                a[f * DCS_FEATURES + g] += z[f] * z[g];
        }
    }
    for (size_t f = 0; f < DCS_FEATURES; f++)
        a[f * DCS_FEATURES + f] += PENALTY * (double)n;
    bool solved = dcs_cholesky_solve(a, b, DCS_FEATURES);
    DCS_ASSERT(solved); /* the penalty makes it positive definite */
    dcs_scale_undo(scale, b, mean, out);
}

static const char *check_model(const double *v, size_t n)
{
    (void)v;
    return n == VALUES ? NULL : "expected a constant and a factor for each feature";
}

static double ask_model(const double *v, size_t n, const double *x)
{
    (void)n;
    double y = v[0];
    for (size_t f = 0; f < DCS_FEATURES; f++)
        y += v[1 + f] * dcs_feature_log(x[f]);
    return dcs_from_log(y);
}

const struct dcs_method dcs_method_linear = {
    .name = "linear",
    .summary = "linear regression of logarithms",
    .train = train,
    .check = check_model,
    .ask = ask_model,
};
