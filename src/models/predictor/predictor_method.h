/*
 * predictor_method.h - what a prediction method has to be. Used by this folder only.
 *
 * Adding one is a file with a struct dcs_method and its row in methods.c.
 */
#ifndef DCS_MODELS_PREDICTOR_METHOD_H
#define DCS_MODELS_PREDICTOR_METHOD_H

#include "models/predictor/predictor.h"

/* A list that grows. */
struct dcs_numbers {
    double *v;
    size_t n, capacity;
};
void dcs_numbers_add(struct dcs_numbers *list, double value);

/* Makes a model of the numbers of a list, rounded as its text has them; the list is taken over. */
void dcs_model_keep(struct dcs_model *m, const struct dcs_method *method, struct dcs_numbers *list);

struct dcs_method {
    const char *name, *summary;

    /* Appends the model to `out`, which is empty. n >= 1. */
    void (*train)(const struct dcs_sample *samples, size_t n, struct dcs_rng *rng,
                  struct dcs_numbers *out);

    /* What is wrong with a model that a stranger wrote (a constant text), NULL: nothing, ask() is
     * then safe. All n values are finite and at most DCS_MODEL_VALUE_MAX in magnitude. */
    const char *(*check)(const double *v, size_t n);

    double (*ask)(const double *v, size_t n, const double *x);
};

/* Large enough for all that is measured, small enough that no product of a few of them overflows.
 */
#define DCS_MODEL_VALUE_MAX 1e18

/* Where methods work in logarithms: 0 for what is unknown, and for 1. */
double dcs_feature_log(double x);
/* e^y, kept within what any target can be, so that a model never says 0 or infinity. */
double dcs_from_log(double y);

/* Logarithms of features, less their mean, in units of their standard deviation: a feature that is
 * constant in the samples counts nothing (unit 0). */
struct dcs_scale {
    double mean, per_unit;
};
void dcs_scale_fit(const struct dcs_sample *samples, size_t n, size_t features,
                   struct dcs_scale *scale);

/* Appends a constant, then a factor for each feature's logarithm: what weights in the units of
 * `scale`, DCS_FEATURES of them, come to. */
void dcs_scale_undo(const struct dcs_scale *scale, const double *weights, double constant,
                    struct dcs_numbers *out);

/* Solves A x = b for a symmetric positive definite A of size n x n, row by row, in place: A becomes
 * its Cholesky factor, b becomes x. False if A is not positive definite. */
bool dcs_cholesky_solve(double *a, double *b, size_t n);

extern const struct dcs_method dcs_method_linear, dcs_method_knn, dcs_method_cart, dcs_method_net;
extern const struct dcs_method dcs_method_sgd, dcs_method_knn5, dcs_method_svm; /* for CPUs */

#endif
