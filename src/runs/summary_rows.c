/* summary_rows.c - see summary.h: estimates over the runs, and what is said of all of them. */
#include "runs/summary.h"

#include "des/fmath.h"
#include "des/survival.h"
#include "runs/metrics.h"
#include "runs/overload.h"
#include "runs/uncertainty.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A pooled quantile takes the place of the mean of the runs' quantiles, and takes its interval from
 * their spread: on a logarithmic scale, since times are positive and their quantiles skewed. There
 * is none where a run did not reach the quantile: the others are the lucky ones. */
static struct dcs_estimate around_pooled(double pooled, double *runs, size_t n, double confidence,
                                         size_t unreached)
{
    for (size_t i = 0; i < n; i++)
        runs[i] = runs[i] > 0 ? dcs_log(runs[i]) : NAN;
    struct dcs_estimate e = dcs_estimate_mean_at(runs, n, confidence);
    e.low = unreached > 0 ? (double)NAN : pooled * dcs_exp(e.low - e.value);
    e.high = unreached > 0 ? (double)NAN : pooled * dcs_exp(e.high - e.value);
    e.value = pooled;
    return e;
}

/* Runs that had requests of an application or class and did not reach a quantile. */
static size_t count_unreached(const struct summary *s, uint32_t app, const double *column)
{
    size_t requests = summary_find(s, app, "requests"), unreached = 0;
    size_t dropped = summary_find(s, app, "dropped");
    for (size_t i = 0; i < s->runs && requests != SIZE_MAX && dropped != SIZE_MAX; i++) {
        const double *run = s->values + i * s->metrics_count;
        unreached += isnan(column[i]) && run[requests] > run[dropped];
    }
    return unreached;
}

/* Of a quantile of response times; false if the metric is none, or nothing was seen. */
static bool estimate_response(const struct summary *s, const struct metric *m, double *column,
                              double confidence, struct dcs_estimate *out)
{
    uint32_t apps = s->experiment->apps_count;
    if (m->app == METRIC_ALL)
        return false;
    uint32_t at = m->app >= METRIC_CLASS ? apps + (m->app - METRIC_CLASS) : m->app;
    for (size_t q = 0; q < METRICS_QUANTILES; q++) {
        if (strcmp(m->name, metrics_quantiles[q].name) != 0)
            continue;
        double beyond, value = dcs_survival_hist_quantile(s->hists[at], s->cuts[at],
                                                          metrics_quantiles[q].q, &beyond);
        size_t unreached = count_unreached(s, m->app, column);
        *out = around_pooled(value, column, s->runs, confidence, unreached);
        if (isnan(value))
            *out = (struct dcs_estimate){
                .value = value, .low = beyond, .high = (double)NAN, .n = s->runs};
        return !isnan(beyond);
    }
    return false;
}

static struct dcs_estimate estimate_column(const struct summary *s, size_t i, double confidence,
                                           const double *column)
{
    const struct experiment *x = s->experiment;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, (uint64_t)x->config->seed, 0, DCS_RNG_BOOTSTRAP, i);
    return x->heavy_tails ? dcs_estimate_median_at(column, s->runs, confidence, &rng)
                          : dcs_estimate_mean_at(column, s->runs, confidence);
}

/* The metric that says what a quantile of jobs exceeds where it was not reached; SIZE_MAX: none. */
static size_t find_least(const struct summary *s, const struct metric *m)
{
    char name[64];
    if (strncmp(m->name, "job_time_p", strlen("job_time_p")) == 0)
        return summary_find(s, m->app, "job_time_seen");
    if (s->experiment->gangs == NULL)
        return SIZE_MAX;
    snprintf(name, sizeof name, "%s_least", m->name);
    return summary_find(s, m->app, name);
}

/* Puts that where a run did not reach a quantile of its jobs. How many. */
static size_t fill_unreached(const struct summary *s, const struct metric *m, double *column)
{
    size_t unreached = 0, seen = find_least(s, m);
    if (seen == SIZE_MAX)
        return 0;
    for (size_t run = 0; run < s->runs; run++) {
        double longest = s->values[run * s->metrics_count + seen];
        if (!isnan(column[run]) || isnan(longest))
            continue;
        column[run] = longest;
        unreached++;
    }
    return unreached;
}

/* A quantile that those that were cut off could change is not known where whole jobs are
 * overloaded: its runs count as such that did not reach it. */
static void hide_uncertain(const struct summary *s, const struct metric *m, double *column)
{
    struct overload o;
    size_t least = s->experiment->gangs != NULL ? find_least(s, m) : SIZE_MAX;
    if (least == SIZE_MAX)
        return;
    overload_of_gangs(s, &o);
    for (size_t run = 0; run < s->runs && overload_any(&o); run++)
        if (s->values[run * s->metrics_count + least] < column[run])
            column[run] = (double)NAN;
}

static double value_in(const struct summary *s, size_t run, uint32_t app, const char *name)
{
    size_t i = summary_find(s, app, name);
    return i != SIZE_MAX ? s->values[run * s->metrics_count + i] : 0;
}

/* How many of a run had a time that was still growing at its end. */
static double count_cut(const struct summary *s, const struct metric *m, size_t run)
{
    const struct experiment_gangs *g = s->experiment->gangs;
    if (g == NULL)
        return value_in(s, run, m->app, "inside");
    bool ends = g->spec.revoke && strcmp(m->name, "queue_wait_max") != 0;
    return value_in(s, run, m->app, "jobs") -
           value_in(s, run, m->app, ends ? "jobs_ended" : "jobs_started");
}

/* The longest time that a request was inside when a run cut it off, of all runs; 0: none was. */
static double longest_cut(const struct summary *s, const struct metric *m)
{
    uint32_t apps = s->experiment->apps_count;
    uint32_t at = m->app >= METRIC_CLASS ? apps + (m->app - METRIC_CLASS) : m->app;
    double beyond = 0;
    if (s->cuts[at] != NULL && s->cuts[at]->count > 0)
        dcs_survival_hist_quantile(NULL, s->cuts[at], 0.5, &beyond);
    return beyond;
}

/* The longest time of a run is known if nothing was cut off: whatever was may exceed it. Of whole
 * jobs the run counts as one that did not reach it; of requests it keeps the longest that ended, as
 * what it is at least, and the run where that is longest gets the longest that was cut off. In how
 * many runs it is not known. */
static size_t hide_longest(const struct summary *s, const struct metric *m, double *column)
{
    bool response = strcmp(m->name, "response_max") == 0;
    bool gangs = s->experiment->gangs != NULL && find_least(s, m) != SIZE_MAX;
    size_t length = strlen(m->name), unknown = 0, longest = 0;
    if (!response && (!gangs || strcmp(m->name + length - 4, "_max") != 0))
        return 0;
    for (size_t run = 0; run < s->runs; run++) {
        bool cut = count_cut(s, m, run) > 0;
        unknown += cut && response;
        if (cut && gangs)
            column[run] = (double)NAN;
        if (isnan(column[longest]) || column[run] > column[longest])
            longest = run;
    }
    if (unknown > 0)
        column[longest] = fmax(column[longest], longest_cut(s, m));
    return unknown;
}

static struct dcs_estimate estimate_drawn(const struct summary *s, size_t i, double confidence,
                                          double *column)
{
    struct dcs_estimate e;
    for (size_t run = 0; run < s->runs; run++)
        column[run] = s->values[run * s->metrics_count + i];
    if (estimate_response(s, &s->first[i], column, confidence, &e))
        return e;
    size_t unreached = hide_longest(s, &s->first[i], column);
    hide_uncertain(s, &s->first[i], column);
    unreached += fill_unreached(s, &s->first[i], column);
    e = estimate_column(s, i, confidence, column);
    if (unreached > 0) {
        e.low = e.value;
        e.value = e.high = (double)NAN;
    }
    return e;
}

/* Of the i-th metric. column: room for a value of each run. */
static struct dcs_estimate estimate_of(const struct summary *s, size_t i, double confidence,
                                       double *column)
{
    struct dcs_estimate e = estimate_drawn(s, i, confidence, column);
    if (summary_is_even(s) && !isnan(e.value))
        e.low = e.high = (double)NAN;
    return e;
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
    if (x->gangs != NULL) {
        rows[n++] = row_about("overloaded", METRIC_ALL, overload_anywhere(s) ? 1 : 0, s->runs);
        return n;
    }
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
        dcs_alloc(2 * s->metrics_count + 2 + 2u * s->experiment->apps_count, sizeof *rows);
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
