/*
 * dist.h - distributions of durations and gaps, sampled by inversion from a struct dcs_rng.
 *
 * Values are in the unit of the parameters (the callers use nanoseconds). One sample takes one
 * uniform (two for hyperexponential), so a stream's positions stay aligned.
 */
#ifndef DCS_DES_DIST_H
#define DCS_DES_DIST_H

#include "des/base.h"
#include "des/rng.h"

enum dcs_dist_kind {
    DCS_DETERMINISTIC,    /* value >= 0 */
    DCS_EXPONENTIAL,      /* mean > 0 */
    DCS_PARETO,           /* scale x_min > 0, shape alpha > 0; mean alpha x_min / (alpha - 1) */
    DCS_BOUNDED_PARETO,   /* scale > 0, upper bound > scale, shape > 0 */
    DCS_LOGNORMAL,        /* median > 0 (exp mu), sigma > 0 */
    DCS_WEIBULL,          /* scale > 0, shape > 0 */
    DCS_HYPEREXPONENTIAL, /* mean > 0, squared coefficient of variation >= 1; balanced means */
    DCS_EMPIRICAL,        /* values >= 0 and weights: step function, each value with its weight */
    DCS_LOGNORMAL_PARETO, /* lognormal up to tail_from, Pareto from there on; its own initialiser */
};

struct dcs_dist {
    enum dcs_dist_kind kind;
    double location;  /* value, mean, scale or median, see above */
    double shape;     /* alpha, sigma, Weibull shape or squared coefficient of variation */
    double upper;     /* bounded Pareto; lognormal-Pareto, 0 = no bound */
    double tail_from; /* this and the next three: lognormal-Pareto */
    double tail_shape;
    double tail_fraction; /* of all samples, those above tail_from */
    double body;          /* the part of the lognormal below tail_from */
    double *values;       /* empirical: ascending; owned by the dist */
    double *cumulative;   /* empirical: ends at exactly 1 */
    size_t values_count;
};

/* Initialisers. Parameters that a kind does not have are ignored. Each returns -1 and fills err
 * where a parameter is out of its range or not finite. */
int dcs_dist_init(struct dcs_dist *d, enum dcs_dist_kind kind, double location, double shape,
                  double upper, struct dcs_err *err);
/* Pareto (shape > 1), bounded Pareto (shape != 1 handled as well), lognormal and Weibull by their
 * mean: finds the location so that the mean is the one asked for. For bounded Pareto, upper is
 * absolute and must be above mean. Exponential, hyperexponential, deterministic: same as init. */
int dcs_dist_init_mean(struct dcs_dist *d, enum dcs_dist_kind kind, double mean, double shape,
                       double upper, struct dcs_err *err);
/* values need not be sorted; weights NULL = equal. Copies both. */
int dcs_dist_init_empirical(struct dcs_dist *d, const double *values, const double *weights,
                            size_t count, struct dcs_err *err);
/* A share 1 - tail_fraction (0 < tail_fraction < 1) of samples is lognormal (median, sigma), given
 * that it is at most tail_from; the rest is Pareto with scale tail_from and tail_shape, bounded by
 * upper if that is not 0. */
int dcs_dist_init_lognormal_pareto(struct dcs_dist *d, double median, double sigma,
                                   double tail_from, double tail_shape, double tail_fraction,
                                   double upper, struct dcs_err *err);
void dcs_dist_release(struct dcs_dist *d);

double dcs_dist_sample(const struct dcs_dist *d, struct dcs_rng *rng);
/* Rounded to the nearest integer, at least min_ns, at most 2^62. */
int64_t dcs_dist_sample_ns(const struct dcs_dist *d, struct dcs_rng *rng, int64_t min_ns);

double dcs_dist_mean(const struct dcs_dist *d); /* infinity where there is none */
/* P(X <= x), for tests and fits. Of lognormal kinds it comes from GSL, whose last bits may
 * depend on the processor: it may not reach a result. */
double dcs_dist_cdf(const struct dcs_dist *d, double x);
const char *dcs_dist_name(enum dcs_dist_kind kind); /* "exponential" ... */

#endif
