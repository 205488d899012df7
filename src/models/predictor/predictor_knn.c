/*
 * predictor_knn.c - k nearest neighbours: the mean of the target's logarithm over the four samples
 * that are nearest in the logarithms of the features, each in units of its standard deviation, with
 * weights that fall with the square of the distance. Four, because an input between two measured
 * ones then has as many neighbours on either side.
 *
 * "knn5" is the plain mean of five, as EMU has it (Wang, thesis, section 5.5.1).
 *
 * Model: mean and 1 / standard deviation of each feature's logarithm, then the samples: the scaled
 * features, the target's logarithm.
 */
#include "models/predictor/predictor_method.h"

#include "des/fmath.h"

#include <math.h>

#define NEIGHBOURS 4
#define PLAIN      5 /* neighbours of the plain mean */
#define HEAD       (2 * DCS_FEATURES)
#define SAMPLE     (DCS_FEATURES + 1)
#define SAME       1e-12 /* square of a distance at which a sample is the question itself */

static void train(const struct dcs_sample *samples, size_t n, struct dcs_rng *rng,
                  struct dcs_numbers *out)
{
    (void)rng;
    struct dcs_scale scale[DCS_FEATURES];
    dcs_scale_fit(samples, n, DCS_FEATURES, scale);
    for (size_t f = 0; f < DCS_FEATURES; f++) {
        dcs_numbers_add(out, scale[f].mean);
        dcs_numbers_add(out, scale[f].per_unit);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t f = 0; f < DCS_FEATURES; f++)
            dcs_numbers_add(out,
                            (dcs_feature_log(samples[i].x[f]) - scale[f].mean) * scale[f].per_unit);
        dcs_numbers_add(out, dcs_log(samples[i].y));
    }
}

static const char *check_model(const double *v, size_t n)
{
    (void)v;
    return n > HEAD && (n - HEAD) % SAMPLE == 0 ? NULL : "expected scales and at least one sample";
}

struct neighbour {
    double square, y;
};

/* Keeps the nearest, ascending; of equal ones those that came first. */
static size_t keep(struct neighbour *nearest, size_t most, size_t count, struct neighbour one)
{
    if (count == most && one.square >= nearest[count - 1].square)
        return count;
    size_t i = count < most ? count++ : count - 1;
    for (; i > 0 && nearest[i - 1].square > one.square; i--)
        nearest[i] = nearest[i - 1];
    nearest[i] = one;
    return count;
}

/* Returns how many there are. */
static size_t find_nearest(const double *v, size_t n, const double *x, size_t most,
                           struct neighbour *nearest)
{
    double z[DCS_FEATURES];
    for (size_t f = 0; f < DCS_FEATURES; f++)
        z[f] = (dcs_feature_log(x[f]) - v[2 * f]) * v[2 * f + 1];

    size_t count = 0;
    for (const double *sample = v + HEAD; sample < v + n; sample += SAMPLE) {
        struct neighbour one = {.square = 0, .y = sample[DCS_FEATURES]};
        for (size_t f = 0; f < DCS_FEATURES; f++)
            one.square += (z[f] - sample[f]) * (z[f] - sample[f]);
        count = keep(nearest, most, count, one);
    }
    return count;
}

static double ask_model(const double *v, size_t n, const double *x)
{
    struct neighbour nearest[NEIGHBOURS];
    size_t count = find_nearest(v, n, x, NEIGHBOURS, nearest);
    double sum = 0, weights = 0;
    for (size_t i = 0; i < count; i++) {
        double weight = 1 / (nearest[i].square + SAME);
        sum += weight * nearest[i].y;
        weights += weight;
    }
    return dcs_from_log(sum / weights);
}

static double ask_plain(const double *v, size_t n, const double *x)
{
    struct neighbour nearest[PLAIN];
    size_t count = find_nearest(v, n, x, PLAIN, nearest);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += nearest[i].y;
    return dcs_from_log(sum / (double)count);
}

const struct dcs_method dcs_method_knn5 = {
    .name = "knn5",
    .summary = "plain mean of the 5 nearest samples",
    .train = train,
    .check = check_model,
    .ask = ask_plain,
};

const struct dcs_method dcs_method_knn = {
    .name = "knn",
    .summary = "mean of the 4 nearest samples",
    .train = train,
    .check = check_model,
    .ask = ask_model,
};
