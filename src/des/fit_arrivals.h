/*
 * fit_arrivals.h - maximum-likelihood fits of when jobs arrive.
 *
 * Instants are seconds, ascending; only the gaps between them count. The likelihood of n instants
 * is that of the n - 1 gaps after the first: so the likelihoods of all processes compare.
 *
 * Each fitted process has the mean rate of the instants, (n - 1) / (last - first), because the load
 * of what is drawn from it is in proportion to that rate. The likeliest Poisson process and the
 * likeliest hyperexponential gaps have this rate anyway. An MMPP-2 is the likeliest of those that
 * have it: a search moves three parameters, and the mean rate gives the fourth. If the instants
 * come from an MMPP-2 that is a consistent estimate, as the likeliest of all MMPP-2 is; for other
 * instants the likeliest of all may have any mean rate. Rates by the hour of the day expect as many
 * arrivals as there are between the first and the last; their mean over a whole day may differ.
 *
 * Sources: A. Dempster, N. Laird, D. Rubin, "Maximum likelihood from incomplete data via the EM
 * algorithm", JRSS B 39(1), 1977, and for hyperexponentials S. Asmussen, O. Nerman, M. Olsson,
 * "Fitting phase-type distributions via the EM algorithm", Scandinavian J. of Statistics 23, 1996;
 * T. Ryden, "An EM algorithm for estimation in Markov-modulated Poisson processes", Computational
 * Statistics & Data Analysis 21, 1996 (the likelihood of the gaps; it is climbed by a simplex
 * here); N. Johnson, A. Kemp, S. Kotz, "Univariate discrete distributions", 3rd ed., section 9.7
 * (the Polya-Aeppli distribution of how many arrivals a tick has).
 */
#ifndef DCS_DES_FIT_ARRIVALS_H
#define DCS_DES_FIT_ARRIVALS_H

#include "des/base.h"
#include "des/rng.h"

#define DCS_FIT_SLOTS 24 /* of a day */
#define DCS_FIT_DAY_S 86400.0

/* Of one process. Parameters that a process does not have are 0. */
struct dcs_arrivals_fit {
    const char *missing; /* why there is no such fit; NULL: there is one */
    int parameters;
    double log_likelihood, aic;
    double rate_per_s;            /* long-run mean rate, all processes */
    double scv;                   /* of the gaps, hyperexponential */
    double share, rates_per_s[2]; /* hyperexponential: the branches and the share of the first;
                                     MMPP-2: of the two states, the higher first */
    double stay_s[2];             /* MMPP-2: mean stays */
    double daily_per_s[DCS_FIT_SLOTS];
    double ks; /* of the gaps from the distribution of gaps; NaN: daily */
};

enum dcs_arrivals_fit_kind {
    DCS_FIT_POISSON,
    DCS_FIT_HYPER,          /* two branches, three parameters, by EM */
    DCS_FIT_HYPER_BALANCED, /* what DCS_HYPEREXPONENTIAL draws: branches of equal part in the mean
                             */
    DCS_FIT_MMPP2,
    DCS_FIT_DAILY, /* Poisson with a rate for each hour of the day; needs a day */
    DCS_ARRIVALS_FITS,
};

void dcs_fit_poisson(const double *at, size_t n, struct dcs_arrivals_fit *fit);
void dcs_fit_hyper(const double *at, size_t n, struct dcs_arrivals_fit *fit);
void dcs_fit_hyper_balanced(const double *at, size_t n, struct dcs_arrivals_fit *fit);
/* Searches from four starts, one of them the fit of dcs_fit_hyper(), on at most 40 000 gaps (in
 * stretches over the whole span). The fit is the likeliest, on all gaps, among the four ends and
 * that hyperexponential itself. */
void dcs_fit_mmpp2(const double *at, size_t n, struct dcs_arrivals_fit *fit);
void dcs_fit_daily(const double *at, size_t n, struct dcs_arrivals_fit *fit);
void dcs_fit_arrivals_all(const double *at, size_t n, struct dcs_arrivals_fit *fits);
/* P(gap <= x) of the gap after an arrival; not of daily. */
double dcs_fit_gap_cdf(const struct dcs_arrivals_fit *fit, enum dcs_arrivals_fit_kind kind,
                       double x);
const char *dcs_arrivals_fit_name(enum dcs_arrivals_fit_kind kind);

/* ---- batches ---- */

/*
 * How many jobs come together. A clock tells instants in whole ticks: the jobs of one tick came in
 * one batch, or in several by chance. If batches of geometric size, with mean b, come at a rate l,
 * the number of jobs in a tick is Polya-Aeppli distributed. One b is fitted for the whole trace,
 * and one l for each hour.
 */
struct dcs_batch_fit {
    double mean;                 /* of a batch, >= 1.01; 1: they come alone */
    double log_likelihood;       /* of the numbers per tick */
    double log_likelihood_alone; /* with a mean of 1 */
    double together;             /* share of the jobs that share their tick with another */
};

/* ticks: the tick of each arrival, ascending, from 0 on. */
void dcs_fit_batches(const int64_t *ticks, size_t n, double tick_s, struct dcs_batch_fit *fit);

/* The log of the probability of n arrivals in a tick, l batches of mean b expected. */
double dcs_polya_aeppli(size_t n, double l, double b);

/* Draws the instants of the batches: of each tick, how many batches its jobs came in, as likely as
 * the fit makes it (b = 1: each job alone), and of each batch a random place in the tick, or
 * without `spread` its begin. at: room for n. Returns how many batches there are. */
size_t dcs_fit_epochs(const int64_t *ticks, size_t n, double tick_s, double b, bool spread,
                      struct dcs_rng *rng, double *at);

/* ---- what the counts say ---- */

/* Variance over mean of the number of arrivals in windows of this length: 1 for Poisson. NaN below
 * two whole windows. */
double dcs_dispersion(const double *at, size_t n, double window_s);

/* The median over the hours with at least `least` arrivals of the KS distance of the gaps of the
 * hour from an exponential of their mean; NaN without such an hour. */
double dcs_hourly_ks(const double *at, size_t n, size_t least, size_t *hours);

#endif
