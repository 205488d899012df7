/*
 * predictor_cart.c - a regression tree (L. Breiman, J. Friedman, R. Olshen, C. Stone,
 * "Classification and regression trees", 1984): samples are halved again and again where that
 * leaves the least sum of squares of the target's logarithm; a leaf answers with the geometric mean
 * of its samples. Thresholds lie at the geometric mean of the values that they part, since sizes
 * and SMs are measured at about equal ratios.
 *
 * Model: the nodes, each before those below it, left branch first. A branch is (feature, threshold,
 * number of its right node): left if the feature is at most the threshold. A leaf is (-1, answer,
 * 0).
 */
#include "models/predictor/predictor_method.h"

#include "des/fmath.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NODE      3
#define DEPTH_MAX 64
#define SPREAD                                                                                     \
    0.005 /* samples that differ less (standard deviation) stay together: that is noise */

struct item {
    const double *x;
    double y; /* logarithm */
    double by;
    size_t number;
};

struct cut {
    size_t feature;
    double threshold, squares;
    bool found;
};

static int compare_items(const void *a, const void *b)
{
    const struct item *s = a, *t = b;
    if (s->by != t->by)
        return s->by > t->by ? 1 : -1;
    return (s->number > t->number) - (s->number < t->number);
}

/* Between a < b, whole numbers as nearly all features are. */
static double threshold_between(double a, double b)
{
    double t = floor(a > 0 ? sqrt(a) * sqrt(b) : b / 2);
    return t >= a && t < b ? t : a;
}

/* Sorts the items by a feature, and takes the best place to part them if it beats `best`. y is less
 * the mean of all items, which keeps the differences of squares exact enough. */
static void try_feature(struct item *items, size_t n, size_t feature, double mean, struct cut *best)
{
    double total = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        items[i].by = items[i].x[feature];
    qsort(items, n, sizeof *items, compare_items);
    if (items[0].by == items[n - 1].by)
        return;
    for (size_t i = 0; i < n; i++) {
        total += items[i].y - mean;
        squares += (items[i].y - mean) * (items[i].y - mean);
    }
    double left = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        left += items[i].y - mean;
        if (items[i].by == items[i + 1].by)
            continue;
        double right = total - left;
        double rest = squares - left * left / (double)(i + 1) - right * right / (double)(n - i - 1);
        /* A later cut has to be better by more than rounding. */
        if (best->found && !(rest < best->squares * (1 - 1e-9)))
            continue;
        *best = (struct cut){.feature = feature,
                             .threshold = threshold_between(items[i].by, items[i + 1].by),
                             .squares = rest,
                             .found = true};
    }
}

/* Moves the items that go left to the front; returns how many. */
static size_t part(struct item *items, size_t n, const struct cut *cut)
{
    for (size_t i = 0; i < n; i++)
        items[i].by = items[i].x[cut->feature];
    qsort(items, n, sizeof *items, compare_items);
    size_t left = 0;
    while (left < n && items[left].by <= cut->threshold)
        left++;
    return left;
}

static int by_number(const void *a, const void *b)
{
    const struct item *s = a, *t = b;
    return (s->number > t->number) - (s->number < t->number);
}

static void grow(struct item *items, size_t n, int depth, struct dcs_numbers *out)
{
    /* Sums in the order of the samples. */
    qsort(items, n, sizeof *items, by_number);
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        mean += items[i].y;
    mean /= (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (items[i].y - mean) * (items[i].y - mean);

    struct cut cut = {.found = false};
    if (depth < DEPTH_MAX && squares > (double)n * SPREAD * SPREAD)
        for (size_t f = 0; f < DCS_FEATURES; f++)
            try_feature(items, n, f, mean, &cut);
    if (!cut.found) {
        dcs_numbers_add(out, -1);
        dcs_numbers_add(out, dcs_from_log(mean));
        dcs_numbers_add(out, 0);
        return;
    }
    size_t left = part(items, n, &cut);
    DCS_ASSERT(left > 0 && left < n);
    dcs_numbers_add(out, (double)cut.feature);
    dcs_numbers_add(out, cut.threshold);
    size_t branch = out->n;
    dcs_numbers_add(out, 0);
    grow(items, left, depth + 1, out);
    size_t node = out->n / NODE;
    out->v[branch] = (double)node;
    grow(items + left, n - left, depth + 1, out);
}

static void train(const struct dcs_sample *samples, size_t n, struct dcs_rng *rng,
                  struct dcs_numbers *out)
{
    (void)rng;
    struct item *items = dcs_alloc(n, sizeof *items);
    for (size_t i = 0; i < n; i++)
        items[i] = (struct item){.x = samples[i].x, .y = dcs_log(samples[i].y), .number = i};
    grow(items, n, 0, out);
    free(items);
}

/* Every way down must end: the nodes below a node come after it. */
static const char *check_model(const double *v, size_t n)
{
    if (n == 0 || n % NODE != 0 || n > 100000000)
        return "expected nodes of three numbers";
    size_t nodes = n / NODE;
    for (size_t i = 0; i < nodes; i++) {
        const double *node = v + NODE * i;
        if (node[0] == -1) {
            if (!(node[1] > 0))
                return "a leaf must answer with a positive number";
        } else if (!(node[0] >= 0 && node[0] < DCS_FEATURES && node[0] == floor(node[0]))) {
            return "a node tests a feature that there is not";
        } else if (!(node[2] > (double)i + 1 && node[2] < (double)nodes &&
                     node[2] == floor(node[2]))) {
            return "a node leads to one that is not behind it";
        }
    }
    return NULL;
}

static double ask_model(const double *v, size_t n, const double *x)
{
    (void)n;
    const double *node = v;
    while (node[0] >= 0)
        node = x[(size_t)node[0]] <= node[1] ? node + NODE : v + NODE * (size_t)node[2];
    return node[1];
}

const struct dcs_method dcs_method_cart = {
    .name = "cart",
    .summary = "regression tree",
    .train = train,
    .check = check_model,
    .ask = ask_model,
};
