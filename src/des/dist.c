/*
 * dist.c - distributions by inversion. See dist.h for the contract.
 *
 * Whatever a sample or a mean is made of comes from fmath.h, so that all bits are the same
 * everywhere.
 *
 * Sources: N. Johnson, S. Kotz, N. Balakrishnan, "Continuous univariate distributions"
 * (distribution functions and means); M. Harchol-Balter, "Performance modeling and design of
 * computer systems", chapter 20 (bounded Pareto); H. Tijms, "A first course in stochastic models",
 * appendix B (hyperexponential with balanced means); Abramowitz and Stegun 6.1.41 (Stirling's
 * series).
 */
#include "des/dist.h"

#include "des/fmath.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#define ONE_OVER_ROOT_2PI 0.39894228040143267794

/* (1 - exp(-e z)) / e, and its limit z at e = 0, without cancellation. z >= 0. */
static double decay(double e, double z)
{
    double y = e * z;
    if (y > -0.01 && y < 0.01) /* the next term is below 2^-52 */
        return z *
               (1 - y / 2 * (1 - y / 3 * (1 - y / 4 * (1 - y / 5 * (1 - y / 6 * (1 - y / 7))))));
    return (1 - dcs_exp(-y)) / e;
}

/* Gamma(x) for x >= 1: Stirling's series at x + n >= 16, divided by x (x + 1) ... (x + n - 1). */
static double gamma_of(double x)
{
    double product = 1;
    while (x < 16) {
        product *= x;
        x += 1;
    }
    double r = 1 / x, z = r * r;
    double series =
        r * (1.0 / 12 -
             z * (1.0 / 360 -
                  z * (1.0 / 1260 - z * (1.0 / 1680 - z * (1.0 / 1188 - z * 691.0 / 360360)))));
    const double half_log_2pi = 0.91893853320467274178;
    return dcs_exp((x - 0.5) * dcs_log(x) - x + half_log_2pi + series) / product;
}

/* Branch probabilities of the hyperexponential with squared coefficient of variation c2: p of the
 * shorter branch, q = 1 - p without cancellation. Balanced: each contributes half of the mean. */
static void branches(double c2, double *p, double *q)
{
    double s = sqrt((c2 - 1) / (c2 + 1));
    *p = (1 + s) / 2;
    *q = 1 / ((c2 + 1) * (1 + s)); /* since 1 - s^2 = 2 / (c2 + 1) */
}

/* Mean of a bounded Pareto on [upper exp(-l), upper]. */
static double bounded_pareto_mean(double upper, double l, double shape)
{
    return upper * dcs_exp(-l) * (decay(shape - 1, l) / decay(shape, l));
}

static int refuse(struct dcs_err *err, enum dcs_dist_kind kind, const char *what, double found)
{
    return dcs_err_set(err, "%s distribution: expected %s, found %.17g", dcs_dist_name(kind), what,
                       found);
}

static bool positive(double x)
{
    return x > 0 && isfinite(x);
}

int dcs_dist_init(struct dcs_dist *d, enum dcs_dist_kind kind, double location, double shape,
                  double upper, struct dcs_err *err)
{
    *d = (struct dcs_dist){.kind = kind};
    switch (kind) {
    case DCS_DETERMINISTIC:
        if (!(location >= 0 && isfinite(location)))
            return refuse(err, kind, "a value >= 0", location);
        shape = upper = 0;
        break;
    case DCS_EXPONENTIAL:
        if (!positive(location))
            return refuse(err, kind, "a mean > 0", location);
        shape = upper = 0;
        break;
    case DCS_BOUNDED_PARETO:
    case DCS_PARETO:
        if (!positive(location))
            return refuse(err, kind, "a scale > 0", location);
        if (!positive(shape))
            return refuse(err, kind, "a shape > 0", shape);
        if (kind == DCS_PARETO)
            upper = 0;
        else if (!(upper > location && isfinite(upper)))
            return refuse(err, kind, "an upper bound above the scale", upper);
        break;
    case DCS_LOGNORMAL:
        if (!positive(location))
            return refuse(err, kind, "a median > 0", location);
        if (!positive(shape))
            return refuse(err, kind, "a sigma > 0", shape);
        upper = 0;
        break;
    case DCS_WEIBULL:
        if (!positive(location))
            return refuse(err, kind, "a scale > 0", location);
        if (!positive(shape))
            return refuse(err, kind, "a shape > 0", shape);
        upper = 0;
        break;
    case DCS_HYPEREXPONENTIAL:
        if (!positive(location))
            return refuse(err, kind, "a mean > 0", location);
        if (!(shape >= 1 && isfinite(shape)))
            return refuse(err, kind, "a squared coefficient of variation >= 1", shape);
        upper = 0;
        break;
    case DCS_LOGNORMAL_PARETO:
        return dcs_err_set(err, "%s distribution: expected a body and a tail, found one of them",
                           dcs_dist_name(kind));
    case DCS_EMPIRICAL:
    default:
        return dcs_err_set(err, "%s distribution: expected values, found parameters",
                           dcs_dist_name(kind));
    }
    d->location = location;
    d->shape = shape;
    d->upper = upper;
    return 0;
}

/* The mean rises with the scale, so l = log(upper / scale) is found by bisection. */
static double bounded_pareto_scale(double mean, double shape, double upper)
{
    double low = 0, high = 700; /* exp(-700) is still a normal number */
    if (bounded_pareto_mean(upper, high, shape) > mean)
        return 0;
    for (;;) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            return upper * dcs_exp(-high);
        if (bounded_pareto_mean(upper, middle, shape) > mean)
            low = middle;
        else
            high = middle;
    }
}

int dcs_dist_init_mean(struct dcs_dist *d, enum dcs_dist_kind kind, double mean, double shape,
                       double upper, struct dcs_err *err)
{
    double location = mean;
    *d = (struct dcs_dist){.kind = kind};
    if (kind != DCS_DETERMINISTIC && !positive(mean))
        return refuse(err, kind, "a mean > 0", mean);
    if ((kind == DCS_BOUNDED_PARETO || kind == DCS_LOGNORMAL || kind == DCS_WEIBULL) &&
        !positive(shape))
        return refuse(err, kind, kind == DCS_LOGNORMAL ? "a sigma > 0" : "a shape > 0", shape);

    if (kind == DCS_PARETO) {
        if (!(shape > 1 && isfinite(shape)))
            return refuse(err, kind, "a shape > 1, so that there is a mean", shape);
        location = mean * ((shape - 1) / shape);
    } else if (kind == DCS_BOUNDED_PARETO) {
        if (!(upper > mean && isfinite(upper)))
            return refuse(err, kind, "an upper bound above the mean", upper);
        location = bounded_pareto_scale(mean, shape, upper);
        if (!(location > 0 && location < upper))
            return refuse(err, kind, "a mean that some scale gives with this shape and bound",
                          mean);
    } else if (kind == DCS_LOGNORMAL) {
        location = mean * dcs_exp(-0.5 * shape * shape);
        if (!positive(location))
            return refuse(err, kind, "a sigma that leaves a median > 0", shape);
    } else if (kind == DCS_WEIBULL) {
        /* Below, Gamma(1 + 1/shape) leaves the doubles; also ends the product of gamma_of. */
        location = shape < 0.006 ? 0 : mean / gamma_of(1 + 1 / shape);
        if (!positive(location))
            return refuse(err, kind, "a shape that leaves a scale > 0", shape);
    }
    return dcs_dist_init(d, kind, location, shape, upper, err);
}

/* The standard normal distribution function: p where dcs_normal_quantile(p) passes z. Slow, and of
 * the same bits everywhere. */
static double normal_probability(double z)
{
    double low = 0, high = 1;
    for (;;) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            return high;
        if (dcs_normal_quantile(middle) < z)
            low = middle;
        else
            high = middle;
    }
}

int dcs_dist_init_lognormal_pareto(struct dcs_dist *d, double median, double sigma,
                                   double tail_from, double tail_shape, double tail_fraction,
                                   double upper, struct dcs_err *err)
{
    const enum dcs_dist_kind kind = DCS_LOGNORMAL_PARETO;
    *d = (struct dcs_dist){.kind = kind};
    if (!positive(median))
        return refuse(err, kind, "a median > 0", median);
    if (!positive(sigma))
        return refuse(err, kind, "a sigma > 0", sigma);
    if (!positive(tail_from))
        return refuse(err, kind, "a tail that begins above 0", tail_from);
    if (!positive(tail_shape))
        return refuse(err, kind, "a shape of the tail > 0", tail_shape);
    if (!(tail_fraction > 0 && tail_fraction < 1))
        return refuse(err, kind, "a fraction of the tail above 0 and below 1", tail_fraction);
    if (upper != 0 && !(upper > tail_from && isfinite(upper)))
        return refuse(err, kind, "an upper bound above the begin of the tail, or 0", upper);
    double body = normal_probability(dcs_log(tail_from / median) / sigma);
    /* Below, the quantile has too few digits left to spread the body over. */
    if (!(body > 1e-280))
        return refuse(err, kind, "a tail that begins where the lognormal has values", tail_from);
    d->location = median;
    d->shape = sigma;
    d->upper = upper;
    d->tail_from = tail_from;
    d->tail_shape = tail_shape;
    d->tail_fraction = tail_fraction;
    d->body = body;
    return 0;
}

struct weighted {
    double value, weight;
};

/* Weights count too: the sum of weights then has one order, whatever the order of the input. */
static int compare_weighted(const void *a, const void *b)
{
    const struct weighted *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

int dcs_dist_init_empirical(struct dcs_dist *d, const double *values, const double *weights,
                            size_t count, struct dcs_err *err)
{
    *d = (struct dcs_dist){.kind = DCS_EMPIRICAL};
    if (count == 0)
        return dcs_err_set(err, "empirical distribution: expected values, found none");
    for (size_t i = 0; i < count; i++) {
        if (!(values[i] >= 0 && isfinite(values[i])))
            return refuse(err, DCS_EMPIRICAL, "values >= 0", values[i]);
        if (weights != NULL && !(weights[i] >= 0 && isfinite(weights[i])))
            return refuse(err, DCS_EMPIRICAL, "weights >= 0", weights[i]);
    }

    struct weighted *pairs = dcs_alloc(count, sizeof *pairs);
    for (size_t i = 0; i < count; i++)
        pairs[i] = (struct weighted){values[i], weights != NULL ? weights[i] : 1};
    qsort(pairs, count, sizeof *pairs, compare_weighted);
    double total = 0;
    for (size_t i = 0; i < count; i++)
        total += pairs[i].weight;
    if (!positive(total)) {
        free(pairs);
        return refuse(err, DCS_EMPIRICAL, "weights with a sum > 0", total);
    }

    /* Values of weight 0 are left out; so the last one has a weight, and ends at exactly 1. */
    d->values = dcs_alloc(count, sizeof *d->values);
    d->cumulative = dcs_alloc(count, sizeof *d->cumulative);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (pairs[i].weight == 0)
            continue;
        sum += pairs[i].weight;
        d->values[d->values_count] = pairs[i].value;
        d->cumulative[d->values_count++] = sum / total;
    }
    d->cumulative[d->values_count - 1] = 1;
    free(pairs);
    return 0;
}

void dcs_dist_release(struct dcs_dist *d)
{
    free(d->values);
    free(d->cumulative);
    d->values = NULL;
    d->cumulative = NULL;
    d->values_count = 0;
}

/* The first value whose cumulative weight is above u. */
static double empirical_at(const struct dcs_dist *d, double u)
{
    size_t low = 0, high = d->values_count - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (d->cumulative[middle] > u)
            high = middle;
        else
            low = middle + 1;
    }
    return d->values[low];
}

static double lognormal_pareto_at(const struct dcs_dist *d, double u)
{
    double below = 1 - d->tail_fraction;
    if (u < below) {
        double x = d->location * dcs_exp(d->shape * dcs_normal_quantile(u / below * d->body));
        return x < d->tail_from ? x : d->tail_from; /* rounding */
    }
    double above = (1 - u) / d->tail_fraction; /* P(X > x) in the tail without its bound */
    above = above < 1 ? above : 1;
    double outside = d->upper > 0 ? dcs_pow(d->tail_from / d->upper, d->tail_shape) : 0;
    double x = d->tail_from * dcs_pow(outside + above * (1 - outside), -1 / d->tail_shape);
    return d->upper > 0 && x > d->upper ? d->upper : x;
}

double dcs_dist_sample(const struct dcs_dist *d, struct dcs_rng *rng)
{
    double u = dcs_rng_open(rng); /* always, so that positions do not depend on the distribution */
    switch (d->kind) {
    case DCS_DETERMINISTIC:
        return d->location;
    case DCS_EXPONENTIAL:
        return -d->location * dcs_log(u);
    case DCS_PARETO:
        return d->location * dcs_pow(u, -1 / d->shape);
    case DCS_BOUNDED_PARETO: {
        double outside = dcs_pow(d->location / d->upper, d->shape);
        double x = d->location * dcs_pow(1 - u * (1 - outside), -1 / d->shape);
        return x < d->upper ? x : d->upper; /* rounding */
    }
    case DCS_LOGNORMAL:
        return d->location * dcs_exp(d->shape * dcs_normal_quantile(u));
    case DCS_WEIBULL:
        return d->location * dcs_pow(-dcs_log(u), 1 / d->shape);
    case DCS_HYPEREXPONENTIAL: {
        double p, q;
        branches(d->shape, &p, &q);
        double branch = u < p ? p : q;
        return -d->location / (2 * branch) * dcs_log(dcs_rng_open(rng));
    }
    case DCS_EMPIRICAL:
        return empirical_at(d, u);
    case DCS_LOGNORMAL_PARETO:
        return lognormal_pareto_at(d, u);
    }
    DCS_ASSERT(d->kind <= DCS_LOGNORMAL_PARETO); /* fails here */
    return 0;
}

int64_t dcs_dist_sample_ns(const struct dcs_dist *d, struct dcs_rng *rng, int64_t min_ns)
{
    const int64_t longest = INT64_C(1) << 62;
    double x = dcs_dist_sample(d, rng);
    if (!(x < 0x1p62))
        return longest;
    int64_t ns = (int64_t)x;
    if (x - (double)ns >= 0.5) /* not x + 0.5, which rounds for itself */
        ns++;
    return ns > min_ns ? ns : min_ns;
}

/* (1 - Phi(a)) / phi(a) by its continued fraction (Abramowitz and Stegun 26.2.14), a >= 35: the
 * last of these terms is below 2^-60. */
static double mills_ratio(double a)
{
    double fraction = a;
    for (int k = 10; k > 0; k--)
        fraction = a + k / fraction;
    return 1 / fraction;
}

/* E X = (1 - f) E[lognormal | at most t] + f E[tail], where the first is
 * median exp(sigma^2 / 2) Phi(z - sigma) / Phi(z), z = log(t / median) / sigma; where its factors
 * leave the doubles it is t phi(z) (1 - Phi(sigma - z)) / phi(sigma - z) / Phi(z). */
static double lognormal_pareto_mean(const struct dcs_dist *d)
{
    double a = d->tail_shape, t = d->tail_from;
    double z = dcs_log(t / d->location) / d->shape;
    double body = d->shape - z < 35 ? d->location * dcs_exp(0.5 * d->shape * d->shape) *
                                          (normal_probability(z - d->shape) / d->body)
                                    : t * (dcs_exp(-0.5 * z * z) * ONE_OVER_ROOT_2PI / d->body) *
                                          mills_ratio(d->shape - z);
    double tail = d->upper > 0 ? bounded_pareto_mean(d->upper, dcs_log(d->upper / t), a)
                  : a > 1      ? t * (a / (a - 1))
                               : INFINITY;
    return (1 - d->tail_fraction) * body + d->tail_fraction * tail;
}

double dcs_dist_mean(const struct dcs_dist *d)
{
    switch (d->kind) {
    case DCS_DETERMINISTIC:
    case DCS_EXPONENTIAL:
    case DCS_HYPEREXPONENTIAL:
        return d->location;
    case DCS_PARETO:
        return d->shape > 1 ? d->location * (d->shape / (d->shape - 1)) : INFINITY;
    case DCS_BOUNDED_PARETO:
        return bounded_pareto_mean(d->upper, dcs_log(d->upper / d->location), d->shape);
    case DCS_LOGNORMAL:
        return d->location * dcs_exp(0.5 * d->shape * d->shape);
    case DCS_WEIBULL:
        return d->shape < 0.006 ? INFINITY : d->location * gamma_of(1 + 1 / d->shape);
    case DCS_EMPIRICAL: {
        double mean = 0, before = 0;
        for (size_t i = 0; i < d->values_count; i++) {
            mean += d->values[i] * (d->cumulative[i] - before);
            before = d->cumulative[i];
        }
        return mean;
    }
    case DCS_LOGNORMAL_PARETO:
        return lognormal_pareto_mean(d);
    }
    DCS_ASSERT(d->kind <= DCS_LOGNORMAL_PARETO); /* fails here */
    return 0;
}

double dcs_dist_cdf(const struct dcs_dist *d, double x)
{
    if (d->kind == DCS_DETERMINISTIC)
        return x >= d->location ? 1 : 0;
    if (d->kind == DCS_EMPIRICAL) {
        double sum = 0;
        for (size_t i = 0; i < d->values_count && d->values[i] <= x; i++)
            sum = d->cumulative[i];
        return sum;
    }
    if (!(x > 0))
        return 0;
    switch (d->kind) {
    case DCS_EXPONENTIAL:
        return decay(1, x / d->location);
    case DCS_PARETO:
        return x <= d->location ? 0 : 1 - dcs_pow(d->location / x, d->shape);
    case DCS_BOUNDED_PARETO:
        if (x <= d->location)
            return 0;
        if (x >= d->upper)
            return 1;
        return decay(d->shape, dcs_log(x / d->location)) /
               decay(d->shape, dcs_log(d->upper / d->location));
    case DCS_LOGNORMAL:
        return gsl_cdf_ugaussian_P(dcs_log(x / d->location) / d->shape);
    case DCS_WEIBULL:
        return decay(1, dcs_pow(x / d->location, d->shape));
    case DCS_HYPEREXPONENTIAL: {
        double p, q;
        branches(d->shape, &p, &q);
        return p * decay(1, 2 * p * (x / d->location)) + q * decay(1, 2 * q * (x / d->location));
    }
    case DCS_LOGNORMAL_PARETO: {
        if (d->upper > 0 && x >= d->upper)
            return 1;
        if (x <= d->tail_from)
            return (1 - d->tail_fraction) *
                   (gsl_cdf_ugaussian_P(dcs_log(x / d->location) / d->shape) / d->body);
        double outside = d->upper > 0 ? dcs_pow(d->tail_from / d->upper, d->tail_shape) : 0;
        double above = dcs_pow(d->tail_from / x, d->tail_shape);
        return 1 - d->tail_fraction * (above - outside) / (1 - outside);
    }
    case DCS_DETERMINISTIC:
    case DCS_EMPIRICAL:
        break; /* above */
    }
    DCS_ASSERT(d->kind <= DCS_LOGNORMAL_PARETO); /* fails here */
    return 0;
}

const char *dcs_dist_name(enum dcs_dist_kind kind)
{
    static const char *const name[] = {
        [DCS_DETERMINISTIC] = "deterministic",
        [DCS_EXPONENTIAL] = "exponential",
        [DCS_PARETO] = "pareto",
        [DCS_BOUNDED_PARETO] = "bounded_pareto",
        [DCS_LOGNORMAL] = "lognormal",
        [DCS_WEIBULL] = "weibull",
        [DCS_HYPEREXPONENTIAL] = "hyperexponential",
        [DCS_EMPIRICAL] = "empirical",
        [DCS_LOGNORMAL_PARETO] = "lognormal_pareto",
    };
    return (size_t)kind < sizeof name / sizeof *name ? name[kind] : "unknown";
}
