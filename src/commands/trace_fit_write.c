/*
 * trace_fit_write.c - the files of dcsim trace fit: the workload block (JSON) and the curves (CSV).
 */
#include "commands/trace_fit.h"

#include "des/stats.h"

#include <stdlib.h>
#include <string.h>

#define CURVE_POINTS 400
#define BINS_MAX     2000

/* ---- the workload block ---- */

/* Nine decimals, without zeros at the end: nanoseconds are what a config has, and numbers of GPUs
 * take no exponent. */
static void write_decimal(FILE *out, const char *before, double value)
{
    char text[64];
    int length = snprintf(text, sizeof text, "%.9f", value);
    while (text[length - 1] == '0')
        length--;
    if (text[length - 1] == '.')
        length--;
    fprintf(out, "%s%.*s", before, length, text);
}

static void write_duration(FILE *out, const struct trace_fit_durations *d)
{
    const struct dcs_dist *dist = &d->fits[d->best].dist;
    switch (dist->kind) {
    case DCS_EXPONENTIAL:
        write_decimal(out, "{\"distribution\": \"exponential\", \"mean_s\": ", dist->location);
        break;
    case DCS_PARETO: /* nothing longer than what was seen: the tail may have no mean */
        write_decimal(out, "{\"distribution\": \"pareto\", \"scale_s\": ", dist->location);
        fprintf(out, ", \"shape\": %.9g", dist->shape);
        write_decimal(out, ", \"upper_s\": ", d->x[d->x_count - 1]);
        break;
    case DCS_WEIBULL:
        write_decimal(out, "{\"distribution\": \"weibull\", \"scale_s\": ", dist->location);
        fprintf(out, ", \"shape\": %.9g", dist->shape);
        break;
    case DCS_LOGNORMAL:
        write_decimal(out, "{\"distribution\": \"lognormal\", \"median_s\": ", dist->location);
        fprintf(out, ", \"sigma\": %.9g", dist->shape);
        break;
    default:
        DCS_ASSERT(dist->kind == DCS_LOGNORMAL_PARETO);
        write_decimal(out,
                      "{\"distribution\": \"lognormal_pareto\", \"median_s\": ", dist->location);
        fprintf(out, ", \"sigma\": %.9g", dist->shape);
        write_decimal(out, ", \"tail_from_s\": ", dist->tail_from);
        fprintf(out, ", \"tail_shape\": %.9g, \"tail_fraction\": %.9g", dist->tail_shape,
                dist->tail_fraction);
        write_decimal(out, ", \"upper_s\": ", dist->upper);
        break;
    }
    fprintf(out, "}");
}

/* fraction below 0: not written. A class without jobs has no more than its fraction. */
static void write_class(FILE *out, const struct trace_fit *f, enum dcs_class class, double fraction)
{
    fprintf(out, "      \"%s\": {", class == DCS_LATENCY ? "latency" : "batch");
    if (fraction >= 0)
        fprintf(out, "\"fraction\": %.9g", fraction);
    if (f->drawn_of_class[class] > 0) {
        const struct trace_fit_sizes *s = &f->sizes[class];
        fprintf(out, "%s\"duration\": ", fraction >= 0 ? ", " : "");
        write_duration(out, trace_fit_of_class(f, class));
        fprintf(out, ",\n        \"gpus\": \"");
        for (size_t i = 0; i < s->n; i++) {
            write_decimal(out, i > 0 ? "," : "", s->gpus[i]);
            write_decimal(out, ":", s->count[i] / (double)f->arrivals_of_class[class]);
        }
        fprintf(out, "\"");
    }
    fprintf(out, "}");
}

static void write_arrivals(FILE *out, const struct trace_fit *f, const struct trace_fit_thinned *t)
{
    const struct dcs_arrivals_fit *p = &f->process[f->best];
    double k = t->of_epochs;
    fprintf(out, "      \"arrivals\": {");
    switch (f->best) {
    case DCS_FIT_HYPER_BALANCED:
        fprintf(out, "\"process\": \"hyperexponential\", \"rate_per_s\": %.9g, \"scv\": %.9g",
                k * p->rate_per_s, t->scv);
        break;
    case DCS_FIT_MMPP2:
        fprintf(out, "\"process\": \"mmpp2\", \"rate_high_per_s\": %.9g, \"rate_low_per_s\": %.9g",
                k * p->rates_per_s[0], k * p->rates_per_s[1]);
        write_decimal(out, ", \"stay_high_s\": ", p->stay_s[0]);
        write_decimal(out, ", \"stay_low_s\": ", p->stay_s[1]);
        break;
    case DCS_FIT_DAILY:
        fprintf(out, "\"process\": \"daily\", \"day_s\": %.9g,\n        \"daily_per_s\": \"",
                DCS_FIT_DAY_S);
        for (int i = 0; i < DCS_FIT_SLOTS; i++)
            fprintf(out, "%s%.9g", i > 0 ? "," : "", k * p->daily_per_s[i]);
        fprintf(out, "\"");
        break;
    default:
        fprintf(out, "\"process\": \"poisson\", \"rate_per_s\": %.9g", k * p->rate_per_s);
        break;
    }
    if (t->batch_mean > 1)
        fprintf(out, ", \"batch_mean\": %.9g", t->batch_mean);
    fprintf(out, "},\n");
}

void trace_fit_write_block(FILE *out, const struct trace_fit *f)
{
    const struct trace_fit_thinned t = trace_fit_thinned(f);
    fprintf(out,
            "{\n  \"policy\": { \"name\": \"fcfs\" },\n  \"workload\": {\n    \"jobs\": [{\n      "
            "\"jobs\": %.0f,\n",
            t.jobs);
    write_arrivals(out, f, &t);
    write_class(out, f, DCS_LATENCY, t.latency);
    fprintf(out, ",\n");
    write_class(out, f, DCS_BATCH, -1);
    fprintf(out, "\n    }]\n  }\n}\n");
}

/* ---- the curves ---- */

/* The place of point i of n values: half of them in even steps of rank over nine tenths, the others
 * closer and closer towards the largest. */
static size_t place(size_t i, size_t n)
{
    size_t half = CURVE_POINTS / 2;
    if (n <= CURVE_POINTS)
        return i;
    if (i < half)
        return i * (n - 1) * 9 / (half * 10);
    double above = (double)(n - 1) / 10, share = 1;
    for (size_t k = half; k < i; k++)
        share *= 0.95;
    return n - 1 - (size_t)(above * share);
}

static size_t points(size_t n)
{
    return n < CURVE_POINTS ? n : CURVE_POINTS;
}

static void write_durations(FILE *out, const struct trace_fit_durations *d)
{
    size_t n = d->x_count;
    for (size_t i = 0; i < points(n); i++) {
        size_t at = place(i, n);
        fprintf(out, "duration,jobs,%.9g,%.9g\n", d->x[at], ((double)at + 0.5) / (double)n);
    }
    for (uint32_t kind = 0; kind < DCS_FITS; kind++) {
        const struct dcs_fit *fit = &d->fits[kind];
        if (fit->missing != NULL)
            continue;
        double below = 1 - (double)fit->n / (double)n; /* what a tail leaves aside */
        for (size_t i = 0; i < points(n); i++) {
            double x = d->x[place(i, n)];
            if (x < d->x[n - fit->n])
                continue;
            fprintf(out, "duration,\"%s%s\",%.9g,%.9g\n", dcs_fit_name((enum dcs_fit_kind)kind),
                    (int)kind == d->best ? " *" : "", x,
                    below + (1 - below) * dcs_dist_cdf(&fit->dist, x));
        }
    }
}

static void write_gaps(FILE *out, const struct trace_fit *f)
{
    if (f->epochs_count < 2)
        return;
    size_t n = f->epochs_count - 1;
    double *gaps = dcs_alloc(n, sizeof *gaps);
    for (size_t i = 0; i < n; i++)
        gaps[i] = f->epochs[i + 1] - f->epochs[i];
    dcs_sort_doubles(gaps, n);
    for (size_t i = 0; i < points(n); i++) {
        size_t at = place(i, n);
        fprintf(out, "gap,%s,%.9g,%.9g\n", f->batch.mean > 1 ? "batches" : "jobs", gaps[at],
                ((double)at + 0.5) / (double)n);
    }
    for (uint32_t kind = 0; kind < DCS_FIT_DAILY; kind++) {
        const struct dcs_arrivals_fit *p = &f->process[kind];
        for (size_t i = 0; p->missing == NULL && i < points(n); i++) {
            double x = gaps[place(i, n)];
            fprintf(out, "gap,\"%s%s\",%.9g,%.9g\n",
                    dcs_arrivals_fit_name((enum dcs_arrivals_fit_kind)kind),
                    (int)kind == f->best ? " *" : "", x,
                    dcs_fit_gap_cdf(p, (enum dcs_arrivals_fit_kind)kind, x));
        }
    }
    free(gaps);
}

/* Arrivals per second in bins of a minute, an hour, or as many hours as leave BINS_MAX; and what
 * the daily rates say. */
static void write_counts(FILE *out, const struct trace_fit *f)
{
    size_t n = f->arrivals;
    if (n < 2)
        return;
    double span = f->at[n - 1] - f->at[0], width = span < DCS_FIT_DAY_S ? 60 : 3600;
    while (span / width > BINS_MAX)
        width *= 2;
    const struct dcs_arrivals_fit *daily = &f->process[DCS_FIT_DAILY];
    size_t i = 0;
    for (int64_t number = (int64_t)(f->at[0] / width); i < n; number++) {
        double bin = (double)number * width;
        size_t before = i;
        while (i < n && f->at[i] < bin + width)
            i++;
        fprintf(out, "rate,jobs,%.9g,%.9g\n", bin + width / 2, (double)(i - before) / width);
        int slot = (int)((int64_t)(bin + width / 2) % (int64_t)DCS_FIT_DAY_S /
                         (int64_t)(DCS_FIT_DAY_S / DCS_FIT_SLOTS));
        if (daily->missing == NULL && width <= 3600)
            fprintf(out, "rate,\"daily rate\",%.9g,%.9g\n", bin + width / 2,
                    daily->daily_per_s[slot] * f->batch.mean);
    }
}

void trace_fit_write_curves(FILE *out, const struct trace_fit *f)
{
    fprintf(out, "panel,curve,x,y\n");
    write_durations(out, &f->all);
    write_gaps(out, f);
    write_counts(out, f);
}
