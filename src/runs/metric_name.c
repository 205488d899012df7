/* metric_name.c - see metric_name.h. */
#include "runs/metric_name.h"

#include "runs/metrics.h"

#include "options/options.h"
#include "text/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct metric *find_metric(const struct run *run, uint32_t app, const char *name)
{
    for (size_t i = 0; i < run->metrics_count; i++)
        if (run->metrics[i].app == app && strcmp(run->metrics[i].name, name) == 0)
            return &run->metrics[i];
    return NULL;
}

static uint32_t default_scope(const struct experiment *x, const struct run *run, const char *name)
{
    if (find_metric(run, METRIC_ALL, name) != NULL)
        return METRIC_ALL;
    for (uint32_t i = 0; i < x->apps_count; i++)
        if (x->apps[i].class == DCS_LATENCY)
            return METRIC_CLASS + DCS_LATENCY;
    return METRIC_CLASS + DCS_BATCH;
}

static int no_scope(const struct experiment *x, const char *scope, struct dcs_err *err)
{
    const char **names = dcs_alloc(x->apps_count + 3u, sizeof *names);
    for (uint32_t i = 0; i < x->apps_count; i++)
        names[i] = x->apps[i].name;
    names[x->apps_count] = "latency";
    names[x->apps_count + 1] = "batch";
    const char *near = options_nearest(scope, names);
    dcs_err_set(err, "there is no class or application \"%.64s\"%s%.64s%s", scope,
                near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    free(names);
    return -1;
}

static int scope_of(const struct experiment *x, const char *scope, uint32_t *app,
                    struct dcs_err *err)
{
    static const char *const classes[] = {[DCS_LATENCY] = "latency", [DCS_BATCH] = "batch"};
    for (uint32_t class = 0; class < 2; class ++)
        if (strcmp(scope, classes[class]) == 0) {
            *app = METRIC_CLASS + class;
            return 0;
        }
    for (uint32_t i = 0; i < x->apps_count; i++)
        if (strcmp(scope, x->apps[i].name) == 0) {
            *app = i;
            return 0;
        }
    return no_scope(x, scope, err);
}

/* Of a metric that is there, but not of what was asked for: says of what it is. False if it is not
 * there. */
static bool says_of_what(const struct experiment *x, const struct run *run, const char *name,
                         struct dcs_err *err)
{
    size_t i = 0;
    while (i < run->metrics_count && strcmp(run->metrics[i].name, name) != 0)
        i++;
    if (i == run->metrics_count)
        return false;
    uint32_t app = run->metrics[i].app;
    if (app == METRIC_ALL)
        dcs_err_set(err, "metric \"%.64s\" is of the whole run: write its name alone", name);
    else if (app >= METRIC_CLASS)
        dcs_err_set(err, "metric \"%.64s\" is of a class: write latency.%.64s or batch.%.64s", name,
                    name, name);
    else
        dcs_err_set(err, "metric \"%.64s\" is of an application: write \"%.64s.%.64s\", say", name,
                    x->apps[app].name, name);
    return true;
}

bool metric_name_is_fairness(const char *name)
{
    static const char *const names[] = {"slowdown", "aggregated_performance", "unfairness",
                                        "qos_violation"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static int no_metric(const struct experiment *x, const struct run *run, const char *name,
                     struct dcs_err *err)
{
    if (says_of_what(x, run, name, err))
        return -1;
    if (metric_name_is_fairness(name) && x->gangs == NULL && !x->config->fairness.metrics)
        return dcs_err_set(err, "metric \"%.64s\" is there where fairness.metrics is true", name);
    const char **names = dcs_alloc(run->metrics_count + 2, sizeof *names);
    for (size_t i = 0; i < run->metrics_count; i++)
        names[i] = run->metrics[i].name;
    names[run->metrics_count] = "sla_violation";
    const char *near = options_nearest(name, names);
    if (near != NULL)
        dcs_err_set(err,
                    "there is no metric \"%.64s\"; did you mean \"%s\"? (docs/results.md explains "
                    "them)",
                    name, near);
    else
        dcs_err_set(err, "there is no metric \"%.64s\"%s", name,
                    x->gangs == NULL
                        ? METRIC_NAME_SOME
                        : " of whole jobs; some are queue_wait_p95, bounded_slowdown_p95, "
                          "allocation and unfinished (docs/results.md explains all)");
    free(names);
    return -1;
}

int metric_name_find(const struct experiment *x, const char *text, struct metric_name *out,
                     struct dcs_err *err)
{
    *out = (struct metric_name){0};
    const char *point = strrchr(text, '.'), *name = point != NULL ? point + 1 : text;
    out->complement = strcmp(name, "sla_violation") == 0;
    if (out->complement)
        name = "sla_met";
    struct run run = metrics_of_nothing(x);
    int status = 0;
    if (point != NULL) {
        char *scope = dcs_strdup(text);
        scope[point - text] = '\0';
        status = scope_of(x, scope, &out->app, err);
        free(scope);
    } else {
        out->app = default_scope(x, &run, name);
    }
    const struct metric *found = status == 0 ? find_metric(&run, out->app, name) : NULL;
    if (found != NULL) {
        out->name = found->name;
        out->unit = found->unit;
    } else if (status == 0) {
        status = no_metric(x, &run, name, err);
    }
    run_release(&run);
    return status;
}

struct dcs_estimate metric_name_estimate(const struct metric_name *m, const struct summary *s,
                                         double confidence)
{
    struct dcs_estimate e = summary_estimate(s, m->app, m->name, confidence);
    if (m->complement) {
        double low = e.low;
        e.value = 1 - e.value;
        e.low = 1 - e.high;
        e.high = 1 - low;
    }
    return e;
}

/* Requests that were inside at the end and not late yet, of an application or class. Those without
 * an SLA are never decided. */
static double sum_undecided(const struct summary *s, uint32_t scope)
{
    const struct experiment *x = s->experiment;
    double sum = 0;
    for (uint32_t app = 0; app < x->apps_count; app++) {
        double decided = summary_sum(s, app, "sla_decided");
        if ((app == scope || METRIC_CLASS + x->apps[app].class == scope) &&
            (decided > 0 || x->app_sla_ns[app] > 0))
            sum += fmin(summary_sum(s, app, "inside"), summary_sum(s, app, "requests") - decided);
    }
    return sum;
}

struct metric_counted metric_name_counted(const struct metric_name *m, const struct summary *s)
{
    static const struct {
        const char *begins, *counted, *word;
    } rows[] = {
        {"response_", "done", "ended"},           {"job_time_", "jobs", "ended"},
        {"sla_met", "sla_decided", "decided"},    {"queue_wait_", "jobs_started", "started"},
        {"slowdown_", "jobs_started", "started"}, {"bounded_slowdown_", "jobs_started", "started"}};
    size_t i = 0, rows_count = sizeof rows / sizeof rows[0];
    while (i < rows_count && strncmp(m->name, rows[i].begins, strlen(rows[i].begins)) != 0)
        i++;
    if (i == rows_count)
        return (struct metric_counted){0};
    struct metric_counted c = {.counted = summary_sum(s, m->app, rows[i].counted),
                               .of = summary_sum(s, m->app, "requests"),
                               .word = rows[i].word};
    if (i == 1)
        c.of = summary_sum_counts(s, m->app, "jobs");
    if (i > 2)
        c.of = summary_sum(s, m->app, "jobs");
    if (i > 3 && s->experiment->gangs != NULL && s->experiment->gangs->spec.revoke) {
        c.counted = summary_sum(s, m->app, "jobs_ended"); /* it is of responses: gang_metrics.h */
        c.word = "ended";
    }
    if (i == 2)
        c.of = c.counted + sum_undecided(s, m->app);
    return c;
}

bool metric_counts_enough(const struct metric_counted *c)
{
    return !(c->counted < METRIC_COUNTED_LEAST * c->of);
}

bool metric_name_is_quantile(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strncmp(name + length - 4, "_p", 2) == 0;
}

bool metric_name_is_mean_time(const char *name)
{
    static const char *const names[] = {"response_mean", "queue_wait_mean", "slowdown_mean",
                                        "bounded_slowdown_mean"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

bool metric_name_is_share(const char *name)
{
    static const char *const shares[] = {
        "sla_met",        "sla_violation",    "utilisation",       "useful",
        "lost",           "overhead",         "lost_over_useful",  "normalised_throughput",
        "sm_utilisation", "contention_share", "contention_beyond", "unfinished",
        "unissued",       "qos_violation"};
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++)
        if (strcmp(name, shares[i]) == 0)
            return true;
    return false;
}

bool metric_value_read(const char *option, const char *text, struct metric_value *out)
{
    char *unit;
    *out = (struct metric_value){.option = option, .text = text, .value = strtod(text, &unit)};
    if (unit == text || out->value - out->value != 0)
        return false;
    if (strcmp(unit, "%") == 0) {
        out->share = true;
        out->value /= 100;
        return true;
    }
    out->time = *unit != '\0';
    if (!out->time)
        return true;
    bool minutes = strcmp(unit, "min") == 0, days = strcmp(unit, "d") == 0;
    int64_t ns = minutes ? 60 * DCS_NS_PER_S : days ? 86400 * DCS_NS_PER_S : number_unit_ns(unit);
    out->value *= (double)ns;
    return ns > 0 && out->value - out->value == 0;
}

int metric_value_check(const struct metric_value *v, const char *name, const char *unit,
                       struct dcs_err *err)
{
    bool time = strcmp(unit, "ns") == 0;
    if (time && !v->time && v->value != 0)
        return dcs_err_at(
            err, "command line", 0, v->option,
            "%.64s is a time: %.32s lacks its unit (ns, us, ms, s, min, h or d), e.g. %.32sms",
            name, v->text, v->text);
    if (!time && v->time)
        return dcs_err_at(err, "command line", 0, v->option,
                          "%.64s is no time: expected a number without a unit, found %.32s", name,
                          v->text);
    if (v->share && strcmp(unit, "1") != 0)
        return dcs_err_at(err, "command line", 0, v->option,
                          "%.64s is no share: expected a number of %s, found %.32s", name, unit,
                          v->text);
    return 0;
}

/* A share of a whole. Others that people read in per cent may be above 1: lost_over_useful,
 * normalised_throughput, contention_share. */
static bool is_part(const char *name)
{
    static const char *const parts[] = {"sla_met",    "sla_violation", "utilisation",
                                        "useful",     "lost",          "overhead",
                                        "unfinished", "unissued",      "sm_utilisation",
                                        "allocation", "fragmentation", "contention_beyond"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strcmp(name, parts[i]) == 0)
            return true;
    return strncmp(name, "allocation_part", 15) == 0;
}

int metric_share_check(const struct metric_value *v, const struct metric_name *m,
                       struct dcs_err *err)
{
    if (!is_part(m->name) || (v->value >= 0 && v->value <= 1))
        return 0;
    return dcs_err_at(err, "command line", 0, v->option,
                      "%s is a share: expected a number from 0 to 1, or like 2%%, found %.32s",
                      m->complement ? "sla_violation" : m->name, v->text);
}

bool metric_bounds_nothing(const struct metric_value *v, const struct metric_name *m, bool at_least)
{
    return is_part(m->name) && (at_least ? v->value <= 0 : v->value >= 1);
}
