/* arrivals.c - see arrivals.h. */
#include "models/workload/arrivals.h"

#include "des/fmath.h"

#include <math.h>

/* Each stay and each slot that passes without an arrival is a step: with fewer arrivals than this
 * per round of them, finding the next one would take for ever. */
#define ARRIVALS_PER_ROUND 1e-4

#define BATCH_MEAN_MAX 1e9

/* Precision: the position is kept as whole nanoseconds in an integer plus a fraction below one, so
 * a long run does not lose the small gaps. */
static int64_t advance(struct dcs_arrivals *a, double gap_ns)
{
    double total = a->now_ns + gap_ns;
    if (!(total < 0x1p62))
        return DCS_NEVER;
    int64_t whole = (int64_t)total;
    if (a->base_ns > (INT64_C(1) << 62) - whole)
        return DCS_NEVER;
    a->base_ns += whole;
    a->now_ns = total - (double)whole;
    return a->base_ns;
}

static double unit_exponential(struct dcs_rng *rng)
{
    return -dcs_log(dcs_rng_open(rng));
}

/* Of batches. */
static double epochs_per_s(const struct dcs_arrivals_spec *spec)
{
    switch (spec->kind) {
    case DCS_ARRIVALS_MMPP2: {
        double stay0 = (double)spec->stay_ns[0], stay1 = (double)spec->stay_ns[1];
        return (spec->rates_per_s[0] * stay0 + spec->rates_per_s[1] * stay1) / (stay0 + stay1);
    }
    case DCS_ARRIVALS_DAILY: {
        double sum = 0;
        for (int i = 0; i < DCS_ARRIVALS_SLOTS; i++)
            sum += spec->daily_per_s[i];
        return sum / DCS_ARRIVALS_SLOTS;
    }
    default:
        return spec->rate_per_s;
    }
}

double dcs_arrivals_mean_per_s(const struct dcs_arrivals_spec *spec)
{
    return epochs_per_s(spec) * (spec->batch_mean > 1 ? spec->batch_mean : 1);
}

int dcs_arrivals_init(struct dcs_arrivals *a, const struct dcs_arrivals_spec *spec,
                      const struct dcs_rng *rng, struct dcs_err *err)
{
    *a = (struct dcs_arrivals){.spec = *spec, .rng = *rng};
    double mean = epochs_per_s(spec);
    if (!(mean > 0) || !isfinite(mean))
        return dcs_err_set(err, "the mean rate of arrivals must be above 0, found %g per s", mean);
    if (!(spec->batch_mean == 0 || (spec->batch_mean >= 1 && spec->batch_mean <= BATCH_MEAN_MAX)))
        return dcs_err_set(err, "the mean size of a batch must be in 1..%g, found %g",
                           BATCH_MEAN_MAX, spec->batch_mean);
    if (spec->kind == DCS_ARRIVALS_HYPEREXPONENTIAL)
        return dcs_dist_init(&a->gap, DCS_HYPEREXPONENTIAL, 1e9 / spec->rate_per_s, spec->scv, 0,
                             err);
    if (spec->kind == DCS_ARRIVALS_DAILY && spec->day_ns < DCS_ARRIVALS_SLOTS)
        return dcs_err_set(err, "a day must last at least %d ns", DCS_ARRIVALS_SLOTS);
    if (spec->kind == DCS_ARRIVALS_DAILY && mean * 1e-9 * (double)spec->day_ns < ARRIVALS_PER_ROUND)
        return dcs_err_set(err, "fewer than %g arrivals per day", ARRIVALS_PER_ROUND);
    if (spec->kind == DCS_ARRIVALS_MMPP2) {
        double stay0 = (double)spec->stay_ns[0], stay1 = (double)spec->stay_ns[1];
        if (spec->stay_ns[0] <= 0 || spec->stay_ns[1] <= 0)
            return dcs_err_set(err, "both mean stays of MMPP-2 must be above 0");
        if (mean * 1e-9 * (stay0 + stay1) < ARRIVALS_PER_ROUND)
            return dcs_err_set(err,
                               "fewer than %g arrivals per round through both states of MMPP-2",
                               ARRIVALS_PER_ROUND);
        a->state = dcs_rng_uniform(&a->rng) * (stay0 + stay1) < stay0 ? 0 : 1;
        a->state_left_ns = unit_exponential(&a->rng) * (double)spec->stay_ns[a->state];
    }
    return 0;
}

/* Uses one unit exponential up at rates that hold for a while each. */
static int64_t next_mmpp(struct dcs_arrivals *a)
{
    double hazard = unit_exponential(&a->rng), gap = 0;
    for (;;) {
        double rate = a->spec.rates_per_s[a->state] * 1e-9;
        double need = rate > 0 ? hazard / rate : INFINITY;
        if (need <= a->state_left_ns) {
            a->state_left_ns -= need;
            return advance(a, gap + need);
        }
        hazard -= rate * a->state_left_ns;
        gap += a->state_left_ns;
        if (!(gap < 0x1p62))
            return DCS_NEVER;
        a->state ^= 1;
        a->state_left_ns = unit_exponential(&a->rng) * (double)a->spec.stay_ns[a->state];
    }
}

static int64_t next_daily(struct dcs_arrivals *a)
{
    double hazard = unit_exponential(&a->rng), gap = 0;
    double slot_ns = (double)a->spec.day_ns / DCS_ARRIVALS_SLOTS;
    /* Within the day, in doubles: a day is short enough that nothing is lost. */
    double in_day = (double)((a->base_ns + a->phase_ns) % a->spec.day_ns) + a->now_ns;
    int slot = (int)(in_day / slot_ns);
    if (slot >= DCS_ARRIVALS_SLOTS)
        slot = DCS_ARRIVALS_SLOTS - 1;
    double left = slot_ns * (slot + 1) - in_day;
    for (;;) {
        double rate = a->spec.daily_per_s[slot] * 1e-9;
        double need = rate > 0 ? hazard / rate : INFINITY;
        if (need <= left)
            return advance(a, gap + need);
        hazard -= rate * left;
        gap += left;
        if (!(gap < 0x1p62))
            return DCS_NEVER;
        slot = (slot + 1) % DCS_ARRIVALS_SLOTS;
        left = slot_ns;
    }
}

static int64_t next_epoch(struct dcs_arrivals *a)
{
    switch (a->spec.kind) {
    case DCS_ARRIVALS_POISSON:
        return advance(a, unit_exponential(&a->rng) * 1e9 / a->spec.rate_per_s);
    case DCS_ARRIVALS_HYPEREXPONENTIAL:
        return advance(a, dcs_dist_sample(&a->gap, &a->rng));
    case DCS_ARRIVALS_DETERMINISTIC:
        return advance(a, 1e9 / a->spec.rate_per_s);
    case DCS_ARRIVALS_MMPP2:
        return next_mmpp(a);
    case DCS_ARRIVALS_DAILY:
        return next_daily(a);
    }
    DCS_ASSERT(false);
    return DCS_NEVER;
}

/* Geometric from 1 on, with P(size > k) = (1 - 1/mean)^k, by inversion: one uniform. */
static uint64_t batch_size(struct dcs_arrivals *a)
{
    double more = dcs_log(dcs_rng_open(&a->rng)) / dcs_log(1 - 1 / a->spec.batch_mean);
    return 1 + (uint64_t)more; /* log(2^-54) / log(1 - 1e-9) is far below 2^64 */
}

int64_t dcs_arrivals_next(struct dcs_arrivals *a)
{
    if (a->batch_left > 0) {
        a->batch_left--;
        return a->base_ns;
    }
    int64_t at = next_epoch(a);
    if (a->spec.batch_mean > 1 && at != DCS_NEVER)
        a->batch_left = batch_size(a) - 1;
    return at;
}
