/*
 * arrivals.h - when an open-loop service's requests arrive, and when generated jobs do.
 *
 * Each process is driven by unit exponentials that are used up at the current rate, so a rate that
 * changes (MMPP, time of day) is followed exactly, without thinning. One stream per process.
 *
 * Arrivals may come in batches: then the process tells the instants of the batches (their epochs),
 * rates count batches, and each batch has a geometric number of arrivals, at least one.
 */
#ifndef DCS_MODELS_ARRIVALS_H
#define DCS_MODELS_ARRIVALS_H

#include "des/base.h"
#include "des/dist.h"
#include "des/rng.h"

enum dcs_arrivals_kind {
    DCS_ARRIVALS_POISSON,          /* rate */
    DCS_ARRIVALS_HYPEREXPONENTIAL, /* rate, squared coefficient of variation of the gaps >= 1 */
    DCS_ARRIVALS_DETERMINISTIC,    /* rate; the first after one gap */
    DCS_ARRIVALS_MMPP2, /* two rates and the mean stay in each state; starts in equilibrium */
    DCS_ARRIVALS_DAILY, /* rate of each slot of a day, repeated */
};

#define DCS_ARRIVALS_SLOTS 24

/* Rates are in requests per second, >= 0; at least one > 0. */
struct dcs_arrivals_spec {
    enum dcs_arrivals_kind kind;
    double rate_per_s;
    double scv;
    double rates_per_s[2];
    int64_t stay_ns[2];
    double daily_per_s[DCS_ARRIVALS_SLOTS];
    int64_t day_ns;    /* length of the day; 24 equal slots */
    double batch_mean; /* mean number of arrivals of a batch, >= 1; 0 and 1: they come alone */
};

struct dcs_arrivals {
    struct dcs_arrivals_spec spec;
    struct dcs_rng rng;
    struct dcs_dist gap; /* hyperexponential */
    double now_ns;       /* of the last arrival; a double would lose ns after 104 days, see below */
    int64_t phase_ns;    /* daily: the time of day at which the process begins */
    int64_t base_ns;     /* whole part: the process runs at base_ns + now_ns, now_ns kept small */
    uint32_t state;      /* MMPP */
    double state_left_ns; /* MMPP: of the current stay */
    uint64_t batch_left;  /* arrivals still to come at the same instant */
};

/* Mean rate of arrivals over a long time, per second; all of each batch. */
double dcs_arrivals_mean_per_s(const struct dcs_arrivals_spec *spec);

/* -1 and err if the parameters make no process. */
int dcs_arrivals_init(struct dcs_arrivals *a, const struct dcs_arrivals_spec *spec,
                      const struct dcs_rng *rng, struct dcs_err *err);

/* The next arrival, not before the one before it (those of a batch at the same instant); DCS_NEVER
 * if it lies beyond 2^62 ns. */
int64_t dcs_arrivals_next(struct dcs_arrivals *a);

#endif
