/* fit_quality.c - see fit.h: how well a distribution describes values, and what all fits share. */
#include "des/fit_inner.h"

#include "des/fmath.h"

#include <math.h>

#define HALF_LOG_2PI 0.91893853320467274178

void dcs_fit_missing(struct dcs_fit *fit, const char *why)
{
    *fit = (struct dcs_fit){.missing = why};
}

void dcs_fit_set(struct dcs_fit *fit, const double *x, size_t n, enum dcs_dist_kind kind,
                 double location, double shape, int parameters)
{
    struct dcs_err err = {0};
    *fit = (struct dcs_fit){.n = n, .parameters = parameters};
    if (dcs_dist_init(&fit->dist, kind, location, shape, 0, &err) != 0)
        dcs_fit_missing(fit, "the values are too much alike, or too far apart");
    else
        dcs_fit_measure(fit, x);
}

void dcs_fit_measure(struct dcs_fit *fit, const double *x)
{
    fit->log_likelihood = dcs_fit_log_likelihood(x, fit->n, &fit->dist);
    fit->aic = 2 * fit->parameters - 2 * fit->log_likelihood;
    fit->ks = dcs_fit_ks(x, fit->n, &fit->dist);
}

double *dcs_fit_logs(const double *x, size_t n)
{
    double *logs = dcs_alloc(n, sizeof *logs);
    for (size_t i = 0; i < n; i++)
        logs[i] = dcs_log(x[i]);
    return logs;
}

/* Equal values compare right, too: the first of them has the least i, the last the greatest. */
double dcs_fit_ks(const double *x, size_t n, const struct dcs_dist *dist)
{
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        double f = dcs_dist_cdf(dist, x[i]);
        worst = fmax(worst, fmax(f - (double)i / (double)n, (double)(i + 1) / (double)n - f));
    }
    return worst;
}

/* ---- densities ---- */

static double log_normal_density(double log_x, double mu, double sigma)
{
    double z = (log_x - mu) / sigma;
    return -HALF_LOG_2PI - dcs_log(sigma) - log_x - z * z / 2;
}

/* Pareto from x_min on; upper 0: without a bound. */
static double log_pareto_density(double log_x, double log_min, double shape, double upper)
{
    double density = dcs_log(shape) - log_x - shape * (log_x - log_min);
    if (upper > 0)
        density -= log1p(-dcs_exp(-shape * (dcs_log(upper) - log_min)));
    return density;
}

static double log_density(const struct dcs_dist *d, double x)
{
    double log_x = dcs_log(x), shape = d->shape;
    switch (d->kind) {
    case DCS_EXPONENTIAL:
        return -dcs_log(d->location) - x / d->location;
    case DCS_PARETO:
        return log_pareto_density(log_x, dcs_log(d->location), shape, 0);
    case DCS_LOGNORMAL:
        return log_normal_density(log_x, dcs_log(d->location), shape);
    case DCS_WEIBULL: {
        double log_ratio = log_x - dcs_log(d->location);
        return dcs_log(shape) - log_x + shape * log_ratio - dcs_exp(shape * log_ratio);
    }
    case DCS_LOGNORMAL_PARETO:
        if (x >= d->tail_from)
            return dcs_log(d->tail_fraction) +
                   log_pareto_density(log_x, dcs_log(d->tail_from), d->tail_shape, d->upper);
        return dcs_log(1 - d->tail_fraction) - dcs_log(d->body) +
               log_normal_density(log_x, dcs_log(d->location), shape);
    default:
        DCS_ASSERT(false); /* has no density, or no fit */
        return 0;
    }
}

double dcs_fit_log_likelihood(const double *x, size_t n, const struct dcs_dist *dist)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += log_density(dist, x[i]);
    return sum;
}
