/*
 * fit.h - maximum-likelihood fits of durations: which distribution do these values follow, and how
 * far are they from it?
 *
 * Values are positive, finite and sorted ascending. Fits are not results of a simulation: special
 * functions come from GSL, whose last bits may depend on the processor.
 *
 * Sources: N. Johnson, S. Kotz, N. Balakrishnan, "Continuous univariate distributions"
 * (exponential, lognormal, Pareto, Weibull); B. Hill, "A simple general approach to inference about
 * the tail of a distribution", Annals of Statistics 3(5), 1975; A. Clauset, C. Shalizi, M. Newman,
 * "Power-law distributions in empirical data", SIAM Review 51(4), 2009, section 3.3 (where a tail
 * begins); I. Aban, M. Meerschaert, A. Panorska, "Parameter estimation for the truncated Pareto
 * distribution", JASA 101, 2006; H. Akaike, IEEE Transactions on Automatic Control 19(6), 1974.
 */
#ifndef DCS_DES_FIT_H
#define DCS_DES_FIT_H

#include "des/dist.h"

enum dcs_fit_kind {
    /* Of all values. */
    DCS_FIT_EXPONENTIAL,
    DCS_FIT_PARETO,
    DCS_FIT_WEIBULL,
    DCS_FIT_LOGNORMAL,
    DCS_FIT_BODY_TAIL, /* lognormal body, bounded Pareto tail */
    /* Of the largest alone. */
    DCS_FIT_HILL, /* Pareto over the largest tenth */
    DCS_FIT_TAIL, /* Pareto from the x_min that is the nearest to the data */
    DCS_FITS,
};
#define DCS_FIT_WHOLE (DCS_FIT_BODY_TAIL + 1) /* kinds below describe all values */

struct dcs_fit {
    const char *missing;  /* why there is no such fit; NULL: there is one */
    struct dcs_dist dist; /* without memory of its own */
    size_t n;             /* how many values it describes: the n largest */
    int parameters;
    double log_likelihood;
    double aic; /* 2 parameters - 2 log likelihood: the lower, the better, for the same values */
    double ks;  /* the largest distance of the distribution functions */
};

/* All of them into fits[DCS_FITS]. x_min > 0: where the Pareto of all values begins, at most x[0];
 * 0: at x[0]. */
void dcs_fit_all(const double *x, size_t n, double x_min, struct dcs_fit *fits);

/* One of them. */
void dcs_fit_exponential(const double *x, size_t n, struct dcs_fit *fit);
void dcs_fit_pareto(const double *x, size_t n, double x_min, struct dcs_fit *fit);
void dcs_fit_weibull(const double *x, size_t n, struct dcs_fit *fit);
void dcs_fit_lognormal(const double *x, size_t n, struct dcs_fit *fit);
/* Where the tail begins: tails of 0.5, 1, 1.5 ... 50 % of the values are tried. The likeliest of
 * those is taken that leave the mean of the fit within 5 % of the mean of the values; if there are
 * none, the likeliest of all. (By likelihood alone the many short values would decide, and the few
 * that make most of the work would be described badly.) Given where the tail begins, the fit is the
 * likeliest over all lognormals that are cut off there, all shapes of a tail up to the largest
 * value, and all fractions. The median of the lognormal, before it is cut off, may lie beyond the
 * begin of the tail. The farther it lies, the more the body is like a power law: values that vary
 * more than any lognormal lead there. It is at most DCS_FIT_MEDIAN_MOST. */
#define DCS_FIT_MEDIAN_MOST 4e9 /* s: the longest duration of a config */
void dcs_fit_body_tail(const double *x, size_t n, struct dcs_fit *fit);
void dcs_fit_hill(const double *x, size_t n, struct dcs_fit *fit);
/* x_min minimises the KS distance over the values that leave at least 1 % and 50 values above. */
void dcs_fit_tail(const double *x, size_t n, struct dcs_fit *fit);

/* The kind with the lowest AIC among those that describe all values; a kind with more parameters
 * than another comes before it only if its AIC is lower by more than 10 (K. Burnham, D. Anderson,
 * "Model selection and multimodel inference", section 2.6: by less, the other is not refuted). -1
 * if there is no fit. */
int dcs_fit_best(const struct dcs_fit *fits);

/* "lognormal" ... for tables. */
const char *dcs_fit_name(enum dcs_fit_kind kind);

/* sup |F_n - F| over the values. */
double dcs_fit_ks(const double *x, size_t n, const struct dcs_dist *dist);

/* Sum of the logarithms of the densities. */
double dcs_fit_log_likelihood(const double *x, size_t n, const struct dcs_dist *dist);

#endif
