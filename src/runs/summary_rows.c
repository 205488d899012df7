/* summary_rows.c - see summary.h: estimates over the runs, and what is said of all of them. */
#include "runs/summary.h"

#include "des/fmath.h"
#include "runs/metrics.h"
#include "runs/overload.h"
#include "runs/uncertainty.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct dcs_hist *pooled(const struct summary *s, uint32_t app)
{
    uint32_t apps = s->experiment->apps_count;
    if (app == METRIC_ALL)
        return NULL;
    return s->hists[app >= METRIC_CLASS ? apps + (app - METRIC_CLASS) : app];
}

/* A pooled quantile takes the place of the mean of the runs' quantiles, and takes its interval from
 * their spread: on a logarithmic scale, since times are positive and their quantiles skewed. */
static struct dcs_estimate around_pooled(double pooled, double *runs, size_t n, double confidence)
{
    for (size_t i = 0; i < n; i++)
        runs[i] = runs[i] > 0 ? dcs_log(runs[i]) : NAN;
    struct dcs_estimate e = dcs_estimate_mean_at(runs, n, confidence);
    e.low = pooled * dcs_exp(e.low - e.value);
    e.high = pooled * dcs_exp(e.high - e.value);
    e.value = pooled;
    return e;
}

/* The pooled quantile of a metric, NaN if it is no quantile or nothing completed. */
static double pooled_quantile(const struct summary *s, const struct metric *m)
{
    const struct dcs_hist *h = pooled(s, m->app);
    for (size_t q = 0; h != NULL && h->count > 0 && q < METRICS_QUANTILES; q++)
        if (strcmp(m->name, metrics_quantiles[q].name) == 0)
            return (double)dcs_hist_quantile(h, metrics_quantiles[q].q);
    return NAN;
}

/* Of the i-th metric. column: room for a value of each run. */
static struct dcs_estimate estimate_of(const struct summary *s, size_t i, double confidence,
                                       double *column)
{
    const struct experiment *x = s->experiment;
    for (size_t run = 0; run < s->runs; run++)
        column[run] = s->values[run * s->metrics_count + i];
    double all = pooled_quantile(s, &s->first[i]);
    if (!isnan(all))
        return around_pooled(all, column, s->runs, confidence);
    struct dcs_rng rng;
    dcs_rng_stream(&rng, (uint64_t)x->config->seed, 0, DCS_RNG_BOOTSTRAP, i);
    return x->heavy_tails ? dcs_estimate_median_at(column, s->runs, confidence, &rng)
                          : dcs_estimate_mean_at(column, s->runs, confidence);
}

struct dcs_estimate summary_estimate(const struct summary *s, uint32_t app, const char *name,
                                     double confidence)
{
    struct dcs_estimate e = {.value = (double)NAN, .low = (double)NAN, .high = (double)NAN};
    double *column = dcs_alloc(s->runs + 1, sizeof *column);
    size_t i = summary_find(s, app, name);
    if (i != SIZE_MAX)
        e = estimate_of(s, i, confidence, column);
    free(column);
    return e;
}

/* Parts of a whole, whose intervals end at 0 and 1: nothing else is possible. */
static void keep_share(struct summary_row *row)
{
    static const char *const shares[] = {
        "sla_met",        "utilisation",        "useful",      "lost",        "overhead",
        "sm_utilisation", "tensor_active",      "cuda_active", "both_active", "fused_share",
        "fused_beyond",   "quota_switch_share", "unfinished",  "unissued"};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        if (strcmp(row->name, shares[i]) != 0)
            continue;
        struct dcs_estimate *e = &row->estimate;
        if (e->low < 0)
            e->low = 0;
        if (e->high > 1)
            e->high = 1;
    }
}

static struct summary_row row_about(const char *name, uint32_t app, double value, uint64_t n)
{
    return (struct summary_row){
        .name = name,
        .unit = "1",
        .app = app,
        .estimate = {.value = value, .low = (double)NAN, .high = (double)NAN, .n = n}};
}

/* What is known of all runs together alone. Returns how many rows. */
static size_t add_overload(const struct summary *s, struct summary_row *rows)
{
    const struct experiment *x = s->experiment;
    size_t n = 0;
    if (s->runs == 0)
        return 0;
    double offered = overload_offered_load(s);
    if (!isnan(offered))
        rows[n++] = row_about("offered_load", METRIC_ALL, offered, s->runs);
    for (uint32_t i = 0; i < x->apps_count; i++) {
        struct overload o;
        overload_of(s, i, &o);
        if (x->steady && overload_open_loop(s, i)) {
            rows[n] = row_about("backlog_growth", i, 0, 0);
            rows[n++].estimate = o.growth;
        }
        rows[n++] = row_about("overloaded", i, overload_any(&o) ? 1 : 0, s->runs);
    }
    return n;
}

struct summary_row *summary_rows(const struct summary *s, size_t *count)
{
    struct summary_row *rows =
        dcs_alloc(2 * s->metrics_count + 1 + 2u * s->experiment->apps_count, sizeof *rows);
    double *column = dcs_alloc(s->runs + 1, sizeof *column);
    for (size_t i = 0; i < s->metrics_count; i++) {
        uint64_t requests = 0;
        for (size_t run = 0; run < s->runs; run++)
            requests += s->counts[run * s->metrics_count + i];
        rows[i] = (struct summary_row){.name = s->first[i].name,
                                       .unit = s->first[i].unit,
                                       .app = s->first[i].app,
                                       .estimate = estimate_of(s, i, 0.95, column),
                                       .requests = requests};
        keep_share(&rows[i]);
    }
    *count = s->metrics_count + add_overload(s, rows + s->metrics_count);
    *count += uncertainty_rows(s, rows, rows + *count);
    free(column);
    return rows;
}

/* Markov's inequality: if 1 % are late in the mean, the chance of a run with 40 % late is at most
 * 2.5 %, however its requests depend on each other; as much as a 95 % interval leaves on a side. */
#define VERDICT_ONE_RUN 0.6

const char *summary_verdict(const struct dcs_estimate *sla_met, int64_t sla_ns, int64_t alone_ns)
{
    if (sla_met->low >= 0.99)
        return "meets";
    if (sla_ns < alone_ns)
        return "infeasible";
    if (isnan(sla_met->high) && sla_met->value <= VERDICT_ONE_RUN)
        return "violates";
    return sla_met->high < 0.99 ? "violates" : "undecided";
}
