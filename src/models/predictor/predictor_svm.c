/*
 * predictor_svm.c - support vector regression (epsilon-SVR) with a Gaussian kernel, as EMU compares
 * it (Wang, thesis, section 5.4.1.2): the target's logarithm over the logarithms of the features,
 * all in units of their standard deviations. The settings are those that scikit-learn, which that
 * used, has by default: C = 1, epsilon = 0.1, gamma = 1 / the number of features that vary.
 *
 * LIBSVM (C. Chang, C. Lin, 2011) finds the support vectors. It is given the matrix of the kernel,
 * so that all exponentials are those of fmath.h: what it does itself are additions,
 * multiplications, divisions and comparisons in a fixed order. It draws no random numbers here. A
 * trained model is asked without it.
 *
 * Model: mean and 1 / standard deviation of each feature's logarithm, mean and standard deviation
 * of the target's, gamma, the constant; then the support vectors: the scaled features, the
 * coefficient.
 */
#include "models/predictor/predictor_method.h"

#include "des/fmath.h"

#include <math.h>
#include <stdlib.h>
#include <svm.h>

#define CAPACITY  1 /* C */
#define EPSILON   0.1
#define TOLERANCE 1e-3 /* of the solver */
#define CACHE_MB  16   /* all of the matrix of 800 samples, in the solver's form */

#define HEAD   (2 * DCS_FEATURES + 4)
#define VECTOR (DCS_FEATURES + 1)
enum { Y_MEAN = 2 * DCS_FEATURES, Y_UNIT, GAMMA, CONSTANT };

static double similarity(double gamma, const double *a, const double *b)
{
    double square = 0;
    for (size_t f = 0; f < DCS_FEATURES; f++)
        square += (a[f] - b[f]) * (a[f] - b[f]);
    return dcs_exp(-gamma * square);
}

static void quiet(const char *text)
{
    (void)text;
}

/* The rows of LIBSVM's form of a matrix: first which sample it is, from 1, then its values. */
static struct svm_node **matrix_of(const double *z, size_t n, double gamma)
{
    struct svm_node **rows = dcs_alloc(n, sizeof *rows);
    for (size_t i = 0; i < n; i++) {
        rows[i] = dcs_alloc(n + 2, sizeof **rows);
        rows[i][0] = (struct svm_node){.index = 0, .value = (double)(i + 1)};
        for (size_t k = 0; k < n; k++)
            rows[i][k + 1] = (struct svm_node){
                .index = (int)k + 1,
                .value = similarity(gamma, z + i * DCS_FEATURES, z + k * DCS_FEATURES)};
        rows[i][n + 1].index = -1;
    }
    return rows;
}

/* Appends the constant and the support vectors. */
static void solve(const double *z, double *y, size_t n, double gamma, struct dcs_numbers *out)
{
    struct svm_problem problem = {.l = (int)n, .y = y, .x = matrix_of(z, n, gamma)};
    const struct svm_parameter settings = {.svm_type = EPSILON_SVR,
                                           .kernel_type = PRECOMPUTED,
                                           .cache_size = CACHE_MB,
                                           .eps = TOLERANCE,
                                           .C = CAPACITY,
                                           .p = EPSILON,
                                           .shrinking = 1};
    DCS_ASSERT(svm_check_parameter(&problem, &settings) == NULL);
    svm_set_print_string_function(quiet);
    struct svm_model *model = svm_train(&problem, &settings);
    dcs_numbers_add(out, -model->rho[0]);
    for (int i = 0; i < model->l; i++) {
        const double *vector = z + (size_t)(model->sv_indices[i] - 1) * DCS_FEATURES;
        for (size_t f = 0; f < DCS_FEATURES; f++)
            dcs_numbers_add(out, vector[f]);
        dcs_numbers_add(out, model->sv_coef[0][i]);
    }
    svm_free_and_destroy_model(&model);
    for (size_t i = 0; i < n; i++)
        free(problem.x[i]);
    free(problem.x);
}

static void train(const struct dcs_sample *samples, size_t n, struct dcs_rng *rng,
                  struct dcs_numbers *out)
{
    (void)rng;
    struct dcs_scale scale[DCS_FEATURES];
    dcs_scale_fit(samples, n, DCS_FEATURES, scale);
    double mean = 0, squares = 0, vary = 0;
    for (size_t i = 0; i < n; i++)
        mean += dcs_log(samples[i].y) / (double)n;
    for (size_t i = 0; i < n; i++) {
        double d = dcs_log(samples[i].y) - mean;
        squares += d * d;
    }
    double unit = sqrt(squares / (double)n);
    unit = unit > 1e-9 ? unit : 1;
    for (size_t f = 0; f < DCS_FEATURES; f++) {
        dcs_numbers_add(out, scale[f].mean);
        dcs_numbers_add(out, scale[f].per_unit);
        vary += scale[f].per_unit > 0;
    }
    double gamma = vary > 0 ? 1 / vary : 1;
    dcs_numbers_add(out, mean);
    dcs_numbers_add(out, unit);
    dcs_numbers_add(out, gamma);

    double *z = dcs_alloc(n * DCS_FEATURES, sizeof *z), *y = dcs_alloc(n, sizeof *y);
    for (size_t i = 0; i < n; i++) {
        y[i] = (dcs_log(samples[i].y) - mean) / unit;
        for (size_t f = 0; f < DCS_FEATURES; f++)
            z[i * DCS_FEATURES + f] =
                (dcs_feature_log(samples[i].x[f]) - scale[f].mean) * scale[f].per_unit;
    }
    solve(z, y, n, gamma, out);
    free(z);
    free(y);
}

static const char *check_model(const double *v, size_t n)
{
    if (n < HEAD || (n - HEAD) % VECTOR != 0)
        return "expected scales, a constant and support vectors";
    return v[GAMMA] >= 0 ? NULL : "expected a gamma of at least 0";
}

static double ask_model(const double *v, size_t n, const double *x)
{
    double z[DCS_FEATURES], sum = v[CONSTANT];
    for (size_t f = 0; f < DCS_FEATURES; f++)
        z[f] = (dcs_feature_log(x[f]) - v[2 * f]) * v[2 * f + 1];
    for (const double *vector = v + HEAD; vector < v + n; vector += VECTOR)
        sum += vector[DCS_FEATURES] * similarity(v[GAMMA], z, vector);
    return dcs_from_log(v[Y_MEAN] + v[Y_UNIT] * sum);
}

const struct dcs_method dcs_method_svm = {
    .name = "svm",
    .summary = "support vector regression with a Gaussian kernel",
    .train = train,
    .check = check_model,
    .ask = ask_model,
};
