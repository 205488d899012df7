/*
 * fit_tail.c - fits of fit.h in which a tail begins somewhere: Hill's, that of Clauset and others,
 * and a lognormal body with a Pareto tail.
 */
#include "des/fit.h"

#include "des/fit_inner.h"
#include "des/fmath.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_sf_erf.h>
#include <math.h>
#include <stdlib.h>

#define TAIL_LEAST   50   /* values; Clauset and others, section 3.4: below, x_min is a guess */
#define BEGINS_MAX   2000 /* places of x_min that are tried at a time */
#define PROBES       32
#define HALF_PERCENT 0.005
#define TAILS        100 /* of half a percent each */
#define MEAN_OFF     0.05
#define HALVINGS     100 /* of an interval, until it is empty */
/* The least (top - mu) / sigma of a body. At -35 it is a power law but for some 1e-3 of its
 * density, and just below, dist.c has no digits left to draw it with. */
#define Z_LEAST -35.0

/* ---- Pareto tails ---- */

void dcs_fit_hill(const double *x, size_t n, struct dcs_fit *fit)
{
    size_t k = n / 10;
    if (k < 2) {
        dcs_fit_missing(fit, "fewer than 20 values");
        return;
    }
    double sum = 0;
    for (size_t i = n - k; i < n; i++)
        sum += dcs_log(x[i] / x[n - k - 1]);
    if (sum > 0)
        dcs_fit_set(fit, x + n - k, k, DCS_PARETO, x[n - k - 1], (double)k / sum, 2);
    else
        dcs_fit_missing(fit, "the largest tenth are equal");
}

/* Distance of the values from `first` on from a Pareto that begins there; as soon as it is above
 * limit, any value above limit. logs: of the values. */
static double tail_ks(const double *logs, size_t first, size_t n, double alpha, double limit)
{
    size_t m = n - first, step = m / PROBES + 1;
    double worst = 0;
    /* A few, spread out, tell most of those that are far off; then all of them. */
    for (int pass = 0; pass < 2; pass++, step = 1)
        for (size_t i = 0; i < m; i += step) {
            double f = 1 - dcs_exp(-alpha * (logs[first + i] - logs[first]));
            double d = fmax(f - (double)i / (double)m, (double)(i + 1) / (double)m - f);
            if (d > worst) {
                worst = d;
                if (worst > limit)
                    return worst;
            }
        }
    return worst;
}

struct tail_search {
    const double *logs;
    const double *above; /* above[i]: sum of the logs from i on */
    size_t n;
    size_t first; /* the best so far */
    double ks;
};

/* Tries about BEGINS_MAX places among [from, to]; returns the distance between two of them. */
static size_t try_begins(struct tail_search *s, size_t from, size_t to)
{
    size_t step = (to - from) / BEGINS_MAX + 1;
    for (size_t at = from; at <= to; at += step) {
        size_t first = at;
        while (first > 0 && s->logs[first - 1] >= s->logs[first])
            first--; /* equal values belong together */
        double sum = s->above[first] - (double)(s->n - first) * s->logs[first];
        if (!(sum > 0))
            continue;
        double ks = tail_ks(s->logs, first, s->n, (double)(s->n - first) / sum, s->ks);
        if (ks < s->ks) {
            s->ks = ks;
            s->first = first;
        }
    }
    return step;
}

void dcs_fit_tail(const double *x, size_t n, struct dcs_fit *fit)
{
    size_t least = n / 100 > TAIL_LEAST ? n / 100 : TAIL_LEAST;
    if (n < least || !(x[0] < x[n - 1])) {
        dcs_fit_missing(fit, n < least ? "fewer than 50 values" : "all values are equal");
        return;
    }
    double *logs = dcs_fit_logs(x, n), *above = dcs_alloc(n + 1, sizeof *above);
    for (size_t i = n; i-- > 0;)
        above[i] = above[i + 1] + logs[i];
    struct tail_search s = {.logs = logs, .above = above, .n = n, .first = n, .ks = INFINITY};
    size_t last = n - least, step = try_begins(&s, 0, last);
    /* Closer and closer around the best. */
    while (step > 1 && s.first < n) {
        size_t from = s.first > step ? s.first - step : 0;
        size_t to = s.first + step < last ? s.first + step : last;
        size_t finer = try_begins(&s, from, to);
        step = finer < step ? finer : step / 2;
    }
    if (s.first < n) {
        double sum = above[s.first] - (double)(n - s.first) * logs[s.first];
        dcs_fit_set(fit, x + s.first, n - s.first, DCS_PARETO, x[s.first],
                    (double)(n - s.first) / sum, 2);
    } else {
        dcs_fit_missing(fit, "the largest values are equal");
    }
    free(logs);
    free(above);
}

/* ---- lognormal body, Pareto tail ---- */

/* The shape of a Pareto on [t, t e^length] with the mean m of log(x / t), which falls with it from
 * length / 2 at shape 0; 0: not a Pareto. Aban and others, equation 3. */
static double bounded_shape(double m, double length)
{
    if (!(m > 0 && m < length / 2))
        return 0;
    double low = 0, high = 2 / m;
    for (int i = 0; i < 200; i++) {
        double a = (low + high) / 2;
        if (1 / a - length / expm1(a * length) > m)
            low = a;
        else
            high = a;
    }
    return (low + high) / 2;
}

/* Logs of the values of the body: all below top, with this mean and variance (over their number).
 */
struct body {
    double mean, variance, top;
};

/*
 * The likeliest normal distribution, cut off at top, with a mean of at most the log of
 * DCS_FIT_MEDIAN_MOST. With y = top - log x, z = (top - mu) / sigma and the hazard
 * h = phi(z) / Phi(z), it has
 *   E y = sigma (z + h),   Var y / (E y)^2 = (1 - h (z + h)) / (z + h)^2,
 * and the likeliest one has both as the values do: the first equation gives sigma once the second,
 * whose right side falls from 1 at z = -infinity (a power law), has given z (A. Cohen, "Truncated
 * and censored samples", section 2.3). The family is exponential, and in its natural parameters,
 * mu / sigma^2 and -1 / (2 sigma^2), a bound on mu is a line: where the likeliest mean is beyond
 * it, the likeliest within it is on the line, where E (log x - mu)^2 = sigma^2 (1 - z h).
 */
static double hazard(double z)
{
    return gsl_sf_hazard(-z);
}

static double spread(double z) /* Var y / (E y)^2 */
{
    double h = hazard(z), mean = z + h;
    return (1 - h * mean) / (mean * mean);
}

/* The sigma of a mean at mu. */
static double sigma_at(const struct body *b, double mu)
{
    double off = b->mean - mu, square = b->variance + off * off, from = b->top - mu;
    double low = from < 0 ? from / Z_LEAST : 0, high = low + 2 * sqrt(square);
    for (int i = 0; i < HALVINGS; i++) {
        double sigma = (low + high) / 2, z = from / sigma;
        if (sigma * sigma * (1 - z * hazard(z)) < square)
            low = sigma;
        else
            high = sigma;
    }
    return high;
}

/* Returns minus the log likelihood per value, less a constant. */
static double fit_body(const struct body *b, double *mu, double *sigma)
{
    double mean = b->top - b->mean, low = Z_LEAST, high = mean / sqrt(b->variance);
    for (int i = 0; i < HALVINGS; i++) {
        double z = (low + high) / 2;
        if (spread(z) > b->variance / (mean * mean))
            low = z;
        else
            high = z;
    }
    *sigma = mean / (low + hazard(low));
    *mu = b->top - low * *sigma;
    const double most = log(DCS_FIT_MEDIAN_MOST);
    if (*mu > most) {
        *mu = most;
        *sigma = sigma_at(b, most);
    }
    double off = b->mean - *mu, z = (b->top - *mu) / *sigma;
    double log_below = gsl_sf_log_erfc(-z / M_SQRT2) - M_LN2;
    return log(*sigma) + (b->variance + off * off) / (2 * *sigma * *sigma) + log_below;
}

struct split {
    double cost; /* minus the log likelihood, less what all splits share */
    struct dcs_dist dist;
};

struct splits {
    const double *x, *logs;
    const double *sums, *squares; /* of the logs before each place */
    size_t n;
    double mean;             /* of x */
    struct split best, fair; /* the likeliest of all, and of those that have the mean of x */
};

/* The values from `first` on are the tail. */
static void try_split(struct splits *s, size_t first)
{
    double bodies = (double)first, tails = (double)(s->n - first), from = s->logs[first];
    double mean = s->sums[first] / bodies, fraction = tails / (double)s->n;
    double mu = 0, sigma = 0;
    struct body b = {mean, s->squares[first] / bodies - mean * mean, from};
    double tail_mean = (s->sums[s->n] - s->sums[first]) / tails - from;
    double length = s->logs[s->n - 1] - from, shape = bounded_shape(tail_mean, length);
    if (!(shape > 0) || !(b.variance > 1e-9))
        return;
    double body = fit_body(&b, &mu, &sigma),
           median = mu < log(DCS_FIT_MEDIAN_MOST) ? dcs_exp(mu) : DCS_FIT_MEDIAN_MOST;
    struct split now;
    struct dcs_err err = {0};
    if (dcs_dist_init_lognormal_pareto(&now.dist, median, sigma, s->x[first], shape, fraction,
                                       s->x[s->n - 1], &err) != 0)
        return;
    /* What the densities share, - log x and in the body - log sqrt(2 pi), aside. */
    now.cost =
        bodies * (body + 0.91893853320467274178 - log(1 - fraction)) +
        tails * (shape * tail_mean - log(shape) + log(-expm1(-shape * length)) - log(fraction));
    if (now.cost < s->best.cost)
        s->best = now;
    if (now.cost < s->fair.cost && fabs(dcs_dist_mean(&now.dist) / s->mean - 1) <= MEAN_OFF)
        s->fair = now;
}

void dcs_fit_body_tail(const double *x, size_t n, struct dcs_fit *fit)
{
    if (n < 2 * TAIL_LEAST) {
        dcs_fit_missing(fit, "fewer than 100 values");
        return;
    }
    double *logs = dcs_fit_logs(x, n), sum = 0;
    double *sums = dcs_alloc(n + 1, sizeof *sums), *squares = dcs_alloc(n + 1, sizeof *squares);
    for (size_t i = 0; i < n; i++) {
        sum += x[i];
        sums[i + 1] = sums[i] + logs[i];
        squares[i + 1] = squares[i] + logs[i] * logs[i];
    }
    struct splits s = {.x = x,
                       .logs = logs,
                       .sums = sums,
                       .squares = squares,
                       .n = n,
                       .mean = sum / (double)n,
                       .best = {.cost = INFINITY},
                       .fair = {.cost = INFINITY}};
    gsl_error_handler_t *before = gsl_set_error_handler_off(); /* a hazard may underflow */
    for (int i = 1; i <= TAILS; i++) {
        size_t first = n - (size_t)((double)n * HALF_PERCENT * i);
        while (first > 0 && first < n && logs[first - 1] >= logs[first])
            first--; /* equal values belong together */
        if (first >= TAIL_LEAST && first + 10 <= n)
            try_split(&s, first);
    }
    gsl_set_error_handler(before);
    free(logs);
    free(sums);
    free(squares);
    const struct split *chosen = s.fair.cost < INFINITY ? &s.fair : &s.best;
    *fit = (struct dcs_fit){.dist = chosen->dist, .n = n, .parameters = 6};
    if (chosen->cost < INFINITY)
        dcs_fit_measure(fit, x);
    else
        dcs_fit_missing(fit, "no tail of 0.5 to 50 % looks like a Pareto");
}
