/*
 * fit_arrivals.c - see fit_arrivals.h: processes whose gaps or rates are fitted. Batches and counts
 * are in fit_counts.c.
 */
#include "des/fit_arrivals.h"

#include "des/dist.h"
#include "des/fit.h"
#include "des/fmath.h"
#include "des/stats.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GAPS_LEAST   10
#define EM_ROUNDS    2000
#define MMPP_GAPS    40000 /* climbed over */
#define MMPP_STRETCH 10000 /* gaps in a row */
#define SHORTEST_GAP 1e-12 /* s; what is at one instant to the clock, is not to a density */

static void missing(struct dcs_arrivals_fit *fit, const char *why)
{
    *fit = (struct dcs_arrivals_fit){.missing = why, .ks = (double)NAN};
}

static void set(struct dcs_arrivals_fit *fit, int parameters, double log_likelihood)
{
    fit->parameters = parameters;
    fit->log_likelihood = log_likelihood;
    fit->aic = 2 * parameters - 2 * log_likelihood;
}

/* NULL and fit->missing where there are too few. gaps: n - 1, freed by the caller. */
static double *gaps_of(const double *at, size_t n, struct dcs_arrivals_fit *fit)
{
    *fit = (struct dcs_arrivals_fit){.ks = (double)NAN};
    if (n <= GAPS_LEAST || !(at[n - 1] > at[0])) {
        missing(fit, n <= GAPS_LEAST ? "fewer than 11 arrivals" : "all arrive at once");
        return NULL;
    }
    double *gaps = dcs_alloc(n - 1, sizeof *gaps);
    for (size_t i = 0; i + 1 < n; i++) {
        gaps[i] = at[i + 1] - at[i];
        gaps[i] = gaps[i] > SHORTEST_GAP ? gaps[i] : SHORTEST_GAP;
    }
    fit->rate_per_s = (double)(n - 1) / (at[n - 1] - at[0]);
    return gaps;
}

/* Sorts the gaps. */
static double gap_ks(double *gaps, size_t n, const struct dcs_arrivals_fit *fit,
                     enum dcs_arrivals_fit_kind kind)
{
    dcs_sort_doubles(gaps, n);
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        double f = dcs_fit_gap_cdf(fit, kind, gaps[i]);
        worst = fmax(worst, fmax(f - (double)i / (double)n, (double)(i + 1) / (double)n - f));
    }
    return worst;
}

void dcs_fit_poisson(const double *at, size_t n, struct dcs_arrivals_fit *fit)
{
    double *gaps = gaps_of(at, n, fit);
    if (gaps == NULL)
        return;
    double r = fit->rate_per_s;
    set(fit, 1, (double)(n - 1) * (dcs_log(r) - 1));
    fit->ks = gap_ks(gaps, n - 1, fit, DCS_FIT_POISSON);
    free(gaps);
}

/* ---- hyperexponential ---- */

/* One round of EM: share and rates from the chances of each gap to be of the first branch. Returns
 * the log likelihood of what it began with. */
static double em_round(const double *gaps, size_t n, double *share, double rates[2])
{
    double log_a = dcs_log(*share * rates[0]), log_b = dcs_log((1 - *share) * rates[1]);
    double count = 0, time = 0, all = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        double a = log_a - rates[0] * gaps[i], b = log_b - rates[1] * gaps[i];
        double top = a > b ? a : b, rest = dcs_exp((a > b ? b : a) - top);
        double first = (a > b ? 1 : rest) / (1 + rest);
        sum += top + dcs_log(1 + rest);
        count += first;
        time += first * gaps[i];
        all += gaps[i];
    }
    if (!(count > 1e-9 && count < (double)n - 1e-9 && time > 0 && all > time))
        return sum; /* one branch has nothing left: an exponential */
    *share = count / (double)n;
    rates[0] = count / time;
    rates[1] = ((double)n - count) / (all - time);
    return sum;
}

void dcs_fit_hyper(const double *at, size_t n, struct dcs_arrivals_fit *fit)
{
    double *gaps = gaps_of(at, n, fit);
    if (gaps == NULL)
        return;
    double share = 0.7, rates[2] = {3 * fit->rate_per_s, 0.3 * fit->rate_per_s};
    double before = -INFINITY, now = em_round(gaps, n - 1, &share, rates);
    for (int i = 0; i < EM_ROUNDS && now - before > 1e-9 * fabs(now); i++) {
        before = now;
        now = em_round(gaps, n - 1, &share, rates);
    }
    set(fit, 3, now);
    double mean = share / rates[0] + (1 - share) / rates[1];
    double second = 2 * (share / (rates[0] * rates[0]) + (1 - share) / (rates[1] * rates[1]));
    fit->share = share;
    memcpy(fit->rates_per_s, rates, sizeof fit->rates_per_s);
    fit->rate_per_s = 1 / mean;
    fit->scv = second / (mean * mean) - 1;
    fit->ks = gap_ks(gaps, n - 1, fit, DCS_FIT_HYPER);
    free(gaps);
}

struct gaps {
    const double *x;
    size_t n;
    double mean;
};

/* Branches of DCS_HYPEREXPONENTIAL: p of rate 2 p / mean, q of rate 2 q / mean. */
static void balanced(double mean, double scv, double *p, double rates[2])
{
    *p = (1 + sqrt((scv - 1) / (scv + 1))) / 2;
    rates[0] = 2 * *p / mean;
    rates[1] = 2 * (1 - *p) / mean;
}

static double balanced_likelihood(const struct gaps *g, double mean, double scv)
{
    double p, rates[2], sum = 0;
    balanced(mean, scv, &p, rates);
    double log_a = dcs_log(p * rates[0]), log_b = dcs_log((1 - p) * rates[1]);
    for (size_t i = 0; i < g->n; i++) {
        double a = log_a - rates[0] * g->x[i], b = log_b - rates[1] * g->x[i];
        sum += a > b ? a + dcs_log(1 + dcs_exp(b - a)) : b + dcs_log(1 + dcs_exp(a - b));
    }
    return sum;
}

/* Lowers f from `x` on; x becomes the place. */
static double lower(gsl_multimin_function f, double *x, const double *step, int rounds, double size)
{
    gsl_error_handler_t *before = gsl_set_error_handler_off(); /* a simplex may collapse */
    gsl_multimin_fminimizer *m =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, f.n);
    DCS_ASSERT(m != NULL);
    gsl_vector_const_view start = gsl_vector_const_view_array(x, f.n);
    gsl_vector_const_view steps = gsl_vector_const_view_array(step, f.n);
    double value = INFINITY;
    if (gsl_multimin_fminimizer_set(m, &f, &start.vector, &steps.vector) == GSL_SUCCESS) {
        for (int i = 0; i < rounds; i++)
            if (gsl_multimin_fminimizer_iterate(m) != GSL_SUCCESS ||
                gsl_multimin_fminimizer_size(m) < size)
                break;
        value = m->fval;
        for (size_t i = 0; i < f.n; i++)
            x[i] = gsl_vector_get(m->x, i);
    }
    gsl_multimin_fminimizer_free(m);
    gsl_set_error_handler(before);
    return value;
}

void dcs_fit_hyper_balanced(const double *at, size_t n, struct dcs_arrivals_fit *fit)
{
    double *gaps = gaps_of(at, n, fit);
    if (gaps == NULL)
        return;
    struct gaps g = {gaps, n - 1, 1 / fit->rate_per_s};
    /* There may be a summit near the exponential, and another: steps, then closer. */
    double place = -10, best = -INFINITY, mean = g.mean;
    double from = place, width = 1;
    int steps = 26; /* to exp(16) */
    for (int round = 0; round < 8; round++) {
        for (int i = 0; i <= steps; i++) {
            double x = from + i * width, value = balanced_likelihood(&g, mean, 1 + exp(x));
            if (value > best) {
                best = value;
                place = x;
            }
        }
        width /= 4;
        from = place - 3 * width;
        steps = 6;
    }
    double scv = 1 + exp(place), p, rates[2];
    balanced(mean, scv, &p, rates);
    set(fit, 2, best);
    fit->scv = scv;
    fit->share = p;
    memcpy(fit->rates_per_s, rates, sizeof fit->rates_per_s);
    fit->ks = gap_ks(gaps, n - 1, fit, DCS_FIT_HYPER_BALANCED);
    free(gaps);
}

/* ---- MMPP-2 ---- */

struct mmpp {
    double rates[2], leave[2]; /* leave: rates of leaving a state, 1 / mean stay */
};

/*
 * The log likelihood of gaps in a row, beginning at an arrival in equilibrium: the chances of the
 * states, times exp((Q - L) x) L for each gap x (Ryden, equation 2). For the 2 x 2 matrix D = Q - L
 * with half trace s and half distance d of its eigenvalues,
 * exp(D x) = e^(s x) (cosh(d x) I + sinh(d x) / d (D - s I)).
 */
static double mmpp_likelihood(const struct mmpp *m, const double *gaps, size_t n)
{
    double a = m->leave[0], b = m->leave[1], sum = 0;
    double d00 = -(a + m->rates[0]), d11 = -(b + m->rates[1]);
    double s = (d00 + d11) / 2, half = (d00 - d11) / 2, d = sqrt(half * half + a * b);
    double p0 = b * m->rates[0], p1 = a * m->rates[1]; /* the state that an arrival meets */
    double all = p0 + p1;
    p0 /= all;
    p1 /= all;
    for (size_t i = 0; i < n; i++) {
        double decay = dcs_exp(-2 * d * gaps[i]);
        double c = (1 + decay) / 2, h = (1 - decay) / (2 * d); /* less e^((s + d) x) */
        double next0 = (p0 * (c + h * half) + p1 * h * b) * m->rates[0];
        double next1 = (p0 * h * a + p1 * (c - h * half)) * m->rates[1];
        all = next0 + next1;
        if (!(all > 0))
            return -INFINITY;
        sum += dcs_log(all) + (s + d) * gaps[i];
        p0 = next0 / all;
        p1 = next1 / all;
    }
    return sum;
}

/* P(gap > x) of a gap after an arrival in equilibrium: the same, summed over the states. */
static double mmpp_survival(const struct mmpp *m, double x)
{
    double a = m->leave[0], b = m->leave[1];
    double d00 = -(a + m->rates[0]), d11 = -(b + m->rates[1]);
    double s = (d00 + d11) / 2, half = (d00 - d11) / 2, d = sqrt(half * half + a * b);
    double p0 = b * m->rates[0] / (b * m->rates[0] + a * m->rates[1]), p1 = 1 - p0;
    double decay = dcs_exp(-2 * d * x), c = (1 + decay) / 2, h = (1 - decay) / (2 * d);
    return dcs_exp((s + d) * x) * (p0 * (c + h * (half + a)) + p1 * (c + h * (b - half)));
}

double dcs_fit_gap_cdf(const struct dcs_arrivals_fit *fit, enum dcs_arrivals_fit_kind kind,
                       double x)
{
    if (kind == DCS_FIT_MMPP2) {
        struct mmpp m = {{fit->rates_per_s[0], fit->rates_per_s[1]},
                         {1 / fit->stay_s[0], 1 / fit->stay_s[1]}};
        return 1 - mmpp_survival(&m, x);
    }
    if (kind == DCS_FIT_POISSON)
        return -expm1(-fit->rate_per_s * x);
    return -fit->share * expm1(-fit->rates_per_s[0] * x) -
           (1 - fit->share) * expm1(-fit->rates_per_s[1] * x);
}

/* A place of the climb: the log odds of an arrival and of an instant to be in state 0, and the log
 * of the sum of the leaving rates over the mean rate. At every place the mean rate is that of the
 * gaps. */
#define MMPP_PLACE 3

static struct mmpp mmpp_at(const double *x, double mean_gap)
{
    double in = 1 / (1 + exp(-x[0])), others = 1 / (1 + exp(x[0])); /* arrivals */
    double stays = 1 / (1 + exp(-x[1])), away = 1 / (1 + exp(x[1])), leave = exp(x[2]) / mean_gap;
    return (struct mmpp){{in / stays / mean_gap, others / away / mean_gap},
                         {leave * away, leave * stays}};
}

static double mmpp_cost(const gsl_vector *v, void *context)
{
    const struct gaps *g = context;
    double x[MMPP_PLACE];
    for (size_t i = 0; i < MMPP_PLACE; i++) {
        x[i] = gsl_vector_get(v, i);
        if (fabs(x[i]) > 40)
            return 1e300;
    }
    struct mmpp m = mmpp_at(x, g->mean);
    size_t stretches = (g->n + MMPP_GAPS - 1) / MMPP_GAPS;
    if (stretches == 1)
        return -mmpp_likelihood(&m, g->x, g->n) / (double)g->n;
    double sum = 0;
    stretches = MMPP_GAPS / MMPP_STRETCH;
    for (size_t i = 0; i < stretches; i++)
        sum +=
            mmpp_likelihood(&m, g->x + (g->n - MMPP_STRETCH) / (stretches - 1) * i, MMPP_STRETCH);
    return -sum / MMPP_GAPS;
}

/* The hyperexponential as an MMPP-2 that is quiet in state 1 (A. Kuczura, "The interrupted Poisson
 * process as an overflow process", Bell System Technical Journal 52(3), 1973), in the time in which
 * its mean rate is mean_per_s. False: it has one branch. */
static bool mmpp_of_hyper(const struct dcs_arrivals_fit *hyper, double mean_per_s, struct mmpp *m)
{
    double scale = mean_per_s / hyper->rate_per_s, p = hyper->share;
    double a = scale * hyper->rates_per_s[0], b = scale * hyper->rates_per_s[1];
    double rate = p * a + (1 - p) * b;
    *m = (struct mmpp){{rate, 0}, {p * (1 - p) * (a - b) * (a - b) / rate, a * b / rate}};
    return m->leave[0] > 0 && m->leave[1] > 0 && isfinite(m->leave[0]);
}

struct mmpp_search {
    struct gaps gaps;
    struct mmpp best;
    double log_likelihood; /* of all gaps */
};

static void try_mmpp(struct mmpp_search *s, const struct mmpp *m)
{
    double value = mmpp_likelihood(m, s->gaps.x, s->gaps.n);
    if (!(value > s->log_likelihood))
        return;
    s->log_likelihood = value;
    s->best = *m;
}

static void climb_mmpp(struct mmpp_search *s, double *x)
{
    double cost = lower((gsl_multimin_function){mmpp_cost, MMPP_PLACE, &s->gaps}, x,
                        (double[MMPP_PLACE]){0.5, 0.5, 1}, 300, 1e-4);
    struct mmpp m = mmpp_at(x, s->gaps.mean);
    if (cost < 1e299)
        try_mmpp(s, &m);
}

void dcs_fit_mmpp2(const double *at, size_t n, struct dcs_arrivals_fit *fit)
{
    struct dcs_arrivals_fit hyper;
    dcs_fit_hyper(at, n, &hyper);
    double *gaps = gaps_of(at, n, fit);
    if (gaps == NULL)
        return;
    struct mmpp_search s = {.gaps = {gaps, n - 1, 1 / fit->rate_per_s},
                            .log_likelihood = -INFINITY};
    static const double leave[] = {0.1, 0.003, 0.0001}; /* per mean gap */
    for (size_t i = 0; i < sizeof leave / sizeof *leave; i++)
        climb_mmpp(&s, (double[MMPP_PLACE]){log(3), log(1.0 / 3), log(leave[i])});
    struct mmpp quiet;
    if (mmpp_of_hyper(&hyper, fit->rate_per_s, &quiet)) {
        try_mmpp(&s, &quiet);
        climb_mmpp(&s, (double[MMPP_PLACE]){log(100), log(quiet.leave[1] / quiet.leave[0]),
                                            log((quiet.leave[0] + quiet.leave[1]) * s.gaps.mean)});
    }
    if (!isfinite(s.log_likelihood)) {
        missing(fit, "no two states make the gaps likely");
        free(gaps);
        return;
    }
    int high = s.best.rates[0] >= s.best.rates[1] ? 0 : 1;
    for (int i = 0; i < 2; i++) {
        fit->rates_per_s[i] = s.best.rates[i == 0 ? high : 1 - high];
        fit->stay_s[i] = 1 / s.best.leave[i == 0 ? high : 1 - high];
    }
    set(fit, 4, s.log_likelihood);
    fit->ks = gap_ks(gaps, n - 1, fit, DCS_FIT_MMPP2);
    free(gaps);
}

/* ---- daily ---- */

static int slot_of(double at)
{
    int slot =
        (int)((at - floor(at / DCS_FIT_DAY_S) * DCS_FIT_DAY_S) * (DCS_FIT_SLOTS / DCS_FIT_DAY_S));
    return slot < DCS_FIT_SLOTS ? slot : DCS_FIT_SLOTS - 1;
}

/* Seconds of each slot in [0, until). */
static void exposure(double until, double *seconds)
{
    const double slot_s = DCS_FIT_DAY_S / DCS_FIT_SLOTS;
    double days = floor(until / DCS_FIT_DAY_S), rest = until - days * DCS_FIT_DAY_S;
    for (int i = 0; i < DCS_FIT_SLOTS; i++) {
        double part = fmin(fmax(rest - i * slot_s, 0), slot_s);
        seconds[i] = days * slot_s + part;
    }
}

void dcs_fit_daily(const double *at, size_t n, struct dcs_arrivals_fit *fit)
{
    double *gaps = gaps_of(at, n, fit);
    if (gaps == NULL)
        return;
    free(gaps);
    if (at[n - 1] - at[0] < DCS_FIT_DAY_S) {
        missing(fit, "spans less than a day");
        return;
    }
    double count[DCS_FIT_SLOTS] = {0}, before[DCS_FIT_SLOTS], upto[DCS_FIT_SLOTS], sum = 0;
    for (size_t i = 1; i < n; i++)
        count[slot_of(at[i])]++;
    exposure(at[0], before);
    exposure(at[n - 1], upto);
    fit->rate_per_s = 0;
    for (int i = 0; i < DCS_FIT_SLOTS; i++) {
        fit->daily_per_s[i] = count[i] / (upto[i] - before[i]);
        fit->rate_per_s += fit->daily_per_s[i] / DCS_FIT_SLOTS;
        if (count[i] > 0)
            sum += count[i] * (dcs_log(fit->daily_per_s[i]) - 1);
    }
    set(fit, DCS_FIT_SLOTS, sum);
}

void dcs_fit_arrivals_all(const double *at, size_t n, struct dcs_arrivals_fit *fits)
{
    dcs_fit_poisson(at, n, &fits[DCS_FIT_POISSON]);
    dcs_fit_hyper(at, n, &fits[DCS_FIT_HYPER]);
    dcs_fit_hyper_balanced(at, n, &fits[DCS_FIT_HYPER_BALANCED]);
    dcs_fit_mmpp2(at, n, &fits[DCS_FIT_MMPP2]);
    dcs_fit_daily(at, n, &fits[DCS_FIT_DAILY]);
}

const char *dcs_arrivals_fit_name(enum dcs_arrivals_fit_kind kind)
{
    static const char *const names[DCS_ARRIVALS_FITS] = {
        [DCS_FIT_POISSON] = "Poisson",
        [DCS_FIT_HYPER] = "hyperexponential",
        [DCS_FIT_HYPER_BALANCED] = "hyperexponential, balanced",
        [DCS_FIT_MMPP2] = "MMPP-2",
        [DCS_FIT_DAILY] = "Poisson, daily rate",
    };
    return names[kind];
}
