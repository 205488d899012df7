/*
 * fit.c - see fit.h. The fits of all values that have a closed form or one equation; body and tail
 * together are in fit_tail.c.
 */
#include "des/fit.h"

#include "des/fit_inner.h"
#include "des/fmath.h"

#include <math.h>
#include <stdlib.h>

#define AIC_WORTH 10

void dcs_fit_exponential(const double *x, size_t n, struct dcs_fit *fit)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    if (n == 0)
        dcs_fit_missing(fit, "there are no values");
    else
        dcs_fit_set(fit, x, n, DCS_EXPONENTIAL, sum / (double)n, 0, 1);
}

static bool alike(const double *x, size_t n, struct dcs_fit *fit)
{
    if (n >= 2 && x[0] < x[n - 1])
        return false;
    dcs_fit_missing(fit, n < 2 ? "fewer than two values" : "all values are equal");
    return true;
}

void dcs_fit_pareto(const double *x, size_t n, double x_min, struct dcs_fit *fit)
{
    if (alike(x, n, fit))
        return;
    double low = x_min > 0 ? x_min : x[0], sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += dcs_log(x[i] / low);
    dcs_fit_set(fit, x, n, DCS_PARETO, low, (double)n / sum, 2);
}

void dcs_fit_lognormal(const double *x, size_t n, struct dcs_fit *fit)
{
    if (alike(x, n, fit))
        return;
    double *logs = dcs_fit_logs(x, n), sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += logs[i];
    double mu = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (logs[i] - mu) * (logs[i] - mu);
    free(logs);
    dcs_fit_set(fit, x, n, DCS_LOGNORMAL, dcs_exp(mu), sqrt(squares / (double)n), 2);
}

/* With y = x / max x: sum y^k log y / sum y^k - 1/k - mean log y, which rises with k. *slope: its
 * derivative. *scale: (mean y^k)^(1/k) max x. */
static double weibull_equation(const double *logs, size_t n, double mean, double k, double *slope,
                               double *scale)
{
    double top = logs[n - 1], s0 = 0, s1 = 0, s2 = 0;
    for (size_t i = 0; i < n; i++) {
        double l = logs[i] - top, power = dcs_exp(k * l);
        s0 += power;
        s1 += power * l;
        s2 += power * l * l;
    }
    *slope = s2 / s0 - s1 / s0 * (s1 / s0) + 1 / (k * k);
    *scale = dcs_exp(top + dcs_log(s0 / (double)n) / k);
    return s1 / s0 - 1 / k - (mean - top);
}

void dcs_fit_weibull(const double *x, size_t n, struct dcs_fit *fit)
{
    if (alike(x, n, fit))
        return;
    double *logs = dcs_fit_logs(x, n), mean = 0, scale = 0;
    for (size_t i = 0; i < n; i++)
        mean += logs[i] / (double)n;
    double low = 1e-4, high = 1e6, k = 1;
    for (int i = 0; i < 200 && high - low > 1e-13 * high; i++) {
        double slope, value = weibull_equation(logs, n, mean, k, &slope, &scale);
        if (value > 0)
            high = k;
        else
            low = k;
        double next = k - value / slope; /* Newton's step, if it stays between the bounds */
        if (!(next > low && next < high))
            next = sqrt(low * high);
        if (fabs(next - k) <= 1e-13 * k)
            break;
        k = next;
    }
    free(logs);
    dcs_fit_set(fit, x, n, DCS_WEIBULL, scale, k, 2);
}

void dcs_fit_all(const double *x, size_t n, double x_min, struct dcs_fit *fits)
{
    dcs_fit_exponential(x, n, &fits[DCS_FIT_EXPONENTIAL]);
    dcs_fit_pareto(x, n, x_min, &fits[DCS_FIT_PARETO]);
    dcs_fit_weibull(x, n, &fits[DCS_FIT_WEIBULL]);
    dcs_fit_lognormal(x, n, &fits[DCS_FIT_LOGNORMAL]);
    dcs_fit_body_tail(x, n, &fits[DCS_FIT_BODY_TAIL]);
    dcs_fit_hill(x, n, &fits[DCS_FIT_HILL]);
    dcs_fit_tail(x, n, &fits[DCS_FIT_TAIL]);
}

/* `fit` follows `other` in the order of the kinds: it has as many parameters, or more. */
static bool better(const struct dcs_fit *fit, const struct dcs_fit *other)
{
    double worth = fit->parameters > other->parameters ? AIC_WORTH : 0;
    return fit->aic < other->aic - worth;
}

int dcs_fit_best(const struct dcs_fit *fits)
{
    int best = -1;
    for (int kind = 0; kind < DCS_FIT_WHOLE; kind++)
        if (fits[kind].missing == NULL && (best < 0 || better(&fits[kind], &fits[best])))
            best = kind;
    return best;
}

const char *dcs_fit_name(enum dcs_fit_kind kind)
{
    static const char *const names[DCS_FITS] = {
        [DCS_FIT_EXPONENTIAL] = "exponential",
        [DCS_FIT_PARETO] = "Pareto",
        [DCS_FIT_WEIBULL] = "Weibull",
        [DCS_FIT_LOGNORMAL] = "lognormal",
        [DCS_FIT_BODY_TAIL] = "lognormal body, Pareto tail",
        [DCS_FIT_HILL] = "Pareto, largest 10 %",
        [DCS_FIT_TAIL] = "Pareto, best x_min",
    };
    return names[kind];
}
