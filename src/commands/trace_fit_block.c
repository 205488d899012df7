/*
 * trace_fit_block.c - what a config can draw of the fits: within its limits (config_tables.c), and
 * so many jobs that the work is that of the jobs of the trace.
 */
#include "commands/trace_fit.h"

#include <math.h>

#define TIME_MAX_S 4e9 /* of durations */
#define STAY_MAX_S 1e9
#define SHAPE_MAX  1e6
#define SIGMA_MAX  100
#define RATE_MAX   1e9
#define SCV_MAX    1e6

/* ---- limits ---- */

static double ns(double seconds)
{
    return floor(seconds * 1e9 + 0.5);
}

/* As experiment_trace.c makes it of a config, whose times are whole nanoseconds. */
static bool can_be_drawn(const struct dcs_dist *d, double longest)
{
    struct dcs_dist drawn;
    struct dcs_err err = {0};
    if (d->kind == DCS_LOGNORMAL_PARETO)
        return dcs_dist_init_lognormal_pareto(&drawn, ns(d->location), d->shape, ns(d->tail_from),
                                              d->tail_shape, d->tail_fraction, ns(d->upper),
                                              &err) == 0;
    return dcs_dist_init(&drawn, d->kind == DCS_PARETO ? DCS_BOUNDED_PARETO : d->kind,
                         ns(d->location), d->shape, ns(longest), &err) == 0;
}

static const char *refused(const struct dcs_dist *d, double longest)
{
    bool cut = d->kind == DCS_PARETO || d->kind == DCS_LOGNORMAL_PARETO;
    bool normal = d->kind == DCS_LOGNORMAL || d->kind == DCS_LOGNORMAL_PARETO;
    if (d->location > TIME_MAX_S || (cut && longest > TIME_MAX_S))
        return "a config takes durations up to 4e9 s";
    if ((!normal && d->shape > SHAPE_MAX) || d->tail_shape > SHAPE_MAX)
        return "a config takes shapes up to 1e6";
    if (normal && d->shape > SIGMA_MAX)
        return "a config takes a sigma up to 100";
    return can_be_drawn(d, longest) ? NULL : "a config of whole nanoseconds cannot tell it apart";
}

void trace_fit_drop_durations(struct trace_fit_durations *d)
{
    for (int kind = 0; kind < DCS_FIT_WHOLE; kind++) {
        const char *why = d->fits[kind].missing;
        if (why == NULL)
            why = refused(&d->fits[kind].dist, d->x[d->x_count - 1]);
        if (why != NULL)
            d->fits[kind] = (struct dcs_fit){.missing = why};
    }
}

static const char *refused_arrivals(const struct dcs_arrivals_fit *p)
{
    double most = p->rate_per_s;
    for (int i = 0; i < 2; i++) {
        most = fmax(most, p->rates_per_s[i]);
        if (p->stay_s[i] > STAY_MAX_S)
            return "a config takes stays up to 1e9 s";
        if (p->stay_s[i] > 0 && ns(p->stay_s[i]) < 1)
            return "a config takes stays of 1 ns or more";
    }
    for (int i = 0; i < DCS_FIT_SLOTS; i++)
        most = fmax(most, p->daily_per_s[i]);
    if (most > RATE_MAX)
        return "a config takes rates up to 1e9/s";
    return p->scv > SCV_MAX ? "a config takes an scv up to 1e6" : NULL;
}

/* As a config has it: stays of whole nanoseconds, and the rates that keep the mean rate with them.
 * Where arrivals come by the microsecond, a stay in the busy state is a few, and half a nanosecond
 * of it some of the load. */
static void round_stays(struct dcs_arrivals_fit *p)
{
    double arrivals = 0, stays = 0;
    for (int i = 0; i < 2; i++) {
        p->stay_s[i] = ns(p->stay_s[i]) / 1e9;
        arrivals += p->rates_per_s[i] * p->stay_s[i];
        stays += p->stay_s[i];
    }
    for (int i = 0; i < 2; i++)
        p->rates_per_s[i] *= p->rate_per_s / (arrivals / stays);
}

void trace_fit_drop_arrivals(struct trace_fit *f)
{
    struct dcs_arrivals_fit *mmpp = &f->process[DCS_FIT_MMPP2];
    if (mmpp->missing == NULL && refused_arrivals(mmpp) == NULL)
        round_stays(mmpp);
    for (int kind = 0; kind < DCS_ARRIVALS_FITS; kind++) {
        struct dcs_arrivals_fit *p = &f->process[kind];
        /* The free hyperexponential is never drawn. */
        const char *why =
            p->missing == NULL && kind != DCS_FIT_HYPER ? refused_arrivals(p) : p->missing;
        if (why != NULL)
            *p = (struct dcs_arrivals_fit){.missing = why, .ks = (double)NAN};
    }
}

/* ---- how many ---- */

void trace_fit_thin(struct trace_fit *f)
{
    f->drawn = 0;
    for (int class = 0; class < 2; class ++) {
        const struct trace_fit_durations *d =
            f->both ? &f->of_class[class] : &f->all; /* without durations: as all */
        double share = d->n > 0 ? (double)d->x_count / (double)d->n : 0;
        f->drawn_of_class[class] = share * (double)f->arrivals_of_class[class];
        f->drawn += f->drawn_of_class[class];
    }
}

/*
 * Of a geometric batch of mean b, with each job kept with the chance s, at least one is left with
 * the chance s b / (1 + (b - 1) s), and then a geometric number with the mean 1 + (b - 1) s: both
 * from the generating function z / (b - (b - 1) z) at 1 - s + s z. Of a renewal process that keeps
 * an epoch with the chance k, the gaps are sums of geometric numbers of gaps, with 1 + k (scv - 1).
 * Poisson, daily and MMPP-2 processes stay what they are, with k times the rates.
 */
struct trace_fit_thinned trace_fit_thinned(const struct trace_fit *f)
{
    double s = f->drawn / (double)f->arrivals, b = f->batch.mean;
    struct trace_fit_thinned t = {
        .jobs = floor(f->drawn + 0.5),
        .latency = f->drawn > 0 ? f->drawn_of_class[DCS_LATENCY] / f->drawn : 0,
        .batch_mean = 1 + (b - 1) * s,
    };
    t.of_epochs = s * b / t.batch_mean;
    t.scv = 1 + t.of_epochs * (f->process[f->best].scv - 1);
    t.jobs = t.jobs < FIT_JOBS_MAX ? t.jobs : FIT_JOBS_MAX;
    return t;
}

int trace_fit_check_block(const struct trace_fit *f, struct dcs_err *err)
{
    const char *why = NULL;
    if (f->best < 0) /* too few arrivals, or batches of them */
        why = f->alone.missing != NULL ? f->alone.missing : f->process[DCS_FIT_POISSON].missing;
    else if (f->all.best < 0)
        why = "no distribution fits its durations";
    else if (f->drawn < 2)
        why = "fewer than two jobs are as long as one second, the resolution";
    if (why == NULL)
        return 0;
    bool batches = f->best < 0 && f->alone.missing == NULL && f->batch.mean > 1;
    return dcs_err_at(err, f->options->input, 0, NULL, "no workload can be made of it: %s%s",
                      batches ? "of its batches: " : "", why);
}

const struct trace_fit_durations *trace_fit_of_class(const struct trace_fit *f,
                                                     enum dcs_class class)
{
    return f->of_class[class].best >= 0 ? &f->of_class[class] : &f->all;
}
