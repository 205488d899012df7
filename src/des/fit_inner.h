/* fit_inner.h - what the files fit*.c share. */
#ifndef DCS_DES_FIT_INNER_H
#define DCS_DES_FIT_INNER_H

#include "des/fit.h"

/* Says in *fit that there is none, and why. */
void dcs_fit_missing(struct dcs_fit *fit, const char *why);

/* A distribution of two parameters for the n values at x, and how good it is. */
void dcs_fit_set(struct dcs_fit *fit, const double *x, size_t n, enum dcs_dist_kind kind,
                 double location, double shape, int parameters);

/* Likelihood, AIC and KS of fit->dist for the fit->n values at x. */
void dcs_fit_measure(struct dcs_fit *fit, const double *x);

/* Logarithms of n values; freed by the caller. */
double *dcs_fit_logs(const double *x, size_t n);

#endif
