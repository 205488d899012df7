/* capacity_look.c - see capacity_look.h. */
#include "commands/capacity_look.h"

#include "config/config_gangs.h"
#include "experiment/experiment_gangs.h"
#include "text/number.h"
#include "text/table.h"
#include "runs/overload.h"
#include "runs/runner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct look {
    struct capacity_looks *of;
    double value;
    struct metric_name metrics[CAPACITY_BOUNDS_MAX];
    bool *wanted; /* of the first bounds->most replications */
    uint32_t target;
    uint64_t unfit; /* as in struct capacity_point */
    struct summary summary;
    struct capacity_point *out;
};

struct capacity_text capacity_value(double value)
{
    struct capacity_text text = {0};
    number_write_real(value, text.at);
    return text;
}

/* ---- The config of a look ---- */

static int set(struct options_doc *doc, const char *path, double value, struct dcs_err *err)
{
    int status = options_put(doc, path, capacity_value(value).at, 0, err);
    /* A misspelt list would be called an empty one. */
    if (status != 0)
        (void)config_check_path(doc, path, err);
    return status;
}

/* Multiplies a number of the config, unless it is 0: that is "not given". */
static int multiply(struct options_doc *doc, const char *section, size_t i, const char *key,
                    double number, double factor, size_t *found, struct dcs_err *err)
{
    char path[96];
    if (number <= 0)
        return 0;
    ++*found;
    snprintf(path, sizeof path, "workload.%s[%zu].%s", section, i, key);
    return set(doc, path, number_round_real(number * factor), err);
}

static int set_load(struct options_doc *doc, const struct config_workload *w, double factor,
                    struct dcs_err *err)
{
    size_t found = 0;
    int status = 0;
#define MULTIPLY(section, type, key, member)                                                       \
    for (size_t i = 0; i < w->section.count && status == 0; i++)                                   \
    status = multiply(doc, #section, i, key, ((const struct type *)w->section.items)[i].member,    \
                      factor, &found, err)
    MULTIPLY(services, config_service, "arrivals.rate_per_s", arrivals.rate_per_s);
    MULTIPLY(services, config_service, "arrivals.rate_high_per_s", arrivals.rate_high_per_s);
    MULTIPLY(services, config_service, "arrivals.rate_low_per_s", arrivals.rate_low_per_s);
    MULTIPLY(services, config_service, "arrivals.fraction_of_peak", arrivals.fraction_of_peak);
    MULTIPLY(colocated, config_colocated, "fraction_of_peak", fraction_of_peak);
    MULTIPLY(trem, config_trem, "load", load);
    MULTIPLY(trace, config_trace, "load", replay.load);
    MULTIPLY(jobs, config_jobs, "load", replay.load);
#undef MULTIPLY
    if (status == 0 && found == 0)
        return dcs_err_at(err, "command line", 0, "--vary",
                          "nothing in the workload has a load or a rate that could be multiplied");
    return status;
}

static int set_all_loads(const struct capacity_looks *of, double value, struct options_doc *doc,
                         struct dcs_err *err)
{
    struct config base;
    if (config_parse(&base, doc, of->plugins, err) != 0)
        return -1;
    int status = set_load(doc, &base.workload, value, err);
    config_release(&base);
    return status;
}

/* Sees where devices outnumber the clients of batch work, which then runs on some of them only. */
static void count_clients(struct capacity_looks *of, const struct experiment *x)
{
    const struct config_workload *w = &x->config->workload;
    int64_t clients = 0;
    for (size_t i = 0; i < w->batch.count; i++)
        clients += ((const struct config_batch *)w->batch.items)[i].clients;
    if (w->batch.count == 0)
        return;
    of->few_clients = of->few_clients || clients < x->devices_count;
    if (of->clients_most == 0 || clients < of->clients_least)
        of->clients_least = clients;
    if (clients > of->clients_most)
        of->clients_most = clients;
}

/* A point without a document has nothing to release. */
static void drop_doc(struct runner_point *p)
{
    options_doc_free(p->doc);
    p->doc = NULL;
}

static int make_config(const struct capacity_looks *of, double value, struct runner_point *p,
                       struct dcs_err *err)
{
    p->doc = options_doc_copy(of->doc, NULL);
    char *keys = dcs_strdup(of->vary), *rest = keys;
    int status = 0;
    for (const char *key; status == 0 && (key = strsep(&rest, ",")) != NULL;)
        status = strcmp(key, "load") == 0 ? set_all_loads(of, value, p->doc, err)
                                          : set(p->doc, key, value, err);
    free(keys);
    if (status == 0 && config_parse(&p->config, p->doc, of->plugins, err) == 0)
        return 0;
    drop_doc(p);
    return -1;
}

int capacity_check(const struct capacity_looks *looks, double value, struct dcs_err *err)
{
    struct runner_point p = {0};
    if (make_config(looks, value, &p, err) != 0)
        return -1;
    config_release(&p.config);
    drop_doc(&p);
    return 0;
}

/* A bound that every run keeps is a slip, and most often one of per cent. */
static void tell_idle_bound(const struct capacity_bound *b)
{
    const char *option = b->bound.option, *text = b->bound.text;
    bool one = !b->at_least && !b->bound.share;
    fprintf(stderr, "Note: %.64s is never %s %g %%, so that %s %.32s bounds nothing%s\n", b->metric,
            b->at_least ? "below" : "above", 100 * b->bound.value, option, text,
            one ? "; 1 % is 1% or 0.01" : "");
}

static int check_bound(struct look *l, const struct runner_point *p, size_t i, struct dcs_err *err)
{
    struct capacity_bound *b = &l->of->bounds->all[i];
    if (metric_name_find(&p->experiment, b->metric, &l->metrics[i], err) != 0) {
        struct dcs_err cause = *err;
        return dcs_err_at(err, "command line", 0, "--metric", "%s", cause.text);
    }
    bool first = b->unit == NULL;
    b->unit = l->metrics[i].unit;
    if (metric_value_check(&b->bound, b->metric, b->unit, err) != 0 ||
        metric_share_check(&b->bound, &l->metrics[i], err) != 0)
        return -1;
    if (first && metric_bounds_nothing(&b->bound, &l->metrics[i], b->at_least))
        tell_idle_bound(b);
    return 0;
}

static int check_bounds(struct look *l, struct runner_point *p, struct dcs_err *err)
{
    if (p->config.replications < 2 && p->experiment.traces_count > 0)
        p->config.replications = 2; /* whether anything is drawn shows in the second */
    if (p->config.replications < 2)
        return options_error(p->doc, "replications", err,
                             "expected at least 2: whether the bound is kept is asked of an "
                             "interval over replications");
    for (size_t i = 0; i < l->of->bounds->count; i++)
        if (check_bound(l, p, i, err) != 0)
            return -1;
    return 0;
}

/* Where a job needs more GPUs than a node, or all, have at this value, which a higher one may mend:
 * opens it without such jobs, to say how many there are. -1: what is wrong is something else. */
static int open_unfit(struct look *l, struct runner_point *p)
{
    struct dcs_err unused = {0};
    if (!config_has_gangs(&p->config) || p->config.cluster.queue.misfits != 0)
        return -1;
    p->config.cluster.queue.misfits = 1;
    if (experiment_open_with(&p->experiment, &p->config, p->doc, l->of->files, &unused) != 0)
        return -1;
    const struct experiment_gangs *g = p->experiment.gangs;
    l->unfit = g->without_gpu + g->no_model == 0 ? g->too_large : 0;
    if (l->unfit == 0)
        experiment_close(&p->experiment);
    return l->unfit > 0 ? 0 : -1;
}

static int open_point(void *context, struct runner_point *p, struct dcs_err *err)
{
    struct look *l = context;
    if (make_config(l->of, l->value, p, err) != 0)
        return -1;
    int status = experiment_open_with(&p->experiment, &p->config, p->doc, l->of->files, err);
    if (status != 0 && open_unfit(l, p) == 0)
        status = 0;
    if (status == 0 && check_bounds(l, p, err) != 0) {
        experiment_close(&p->experiment);
        status = -1;
    }
    if (status != 0) {
        config_release(&p->config);
        drop_doc(p);
    }
    if (status != 0)
        return status;
    count_clients(l->of, &p->experiment);
    for (size_t i = 0; i < p->experiment.services_count; i++)
        l->out->rate_per_s += p->experiment.services[i].rate_per_s;
    return 0;
}

/* ---- Its runs ---- */

/* even: there is no interval, and no doubt. */
static enum capacity_kept judge(const struct capacity_bound *b, const struct dcs_estimate *e,
                                bool even)
{
    double low = even ? e->value : e->low, high = even ? e->value : e->high;
    double worst = b->at_least ? low : -high, best = b->at_least ? high : -low;
    double bound = b->at_least ? b->bound.value : -b->bound.value;
    if (isnan(e->value)) /* a quantile that was not reached exceeds its low end */
        best = b->at_least ? (double)INFINITY : -e->low;
    if (worst >= bound)
        return CAPACITY_KEPT;
    return best < bound ? CAPACITY_BROKEN : CAPACITY_UNDECIDED; /* NaN: undecided */
}

static uint32_t most_of(const struct look *l, const struct runner_point *p)
{
    uint32_t first = (uint32_t)p->config.replications;
    return l->of->bounds->most > first ? l->of->bounds->most : first;
}

static int begin(struct look *l, struct runner_point *p, struct dcs_err *err)
{
    uint32_t most = most_of(l, p);
    p->context = l;
    fprintf(stderr, "%s=%s: ", l->of->vary, capacity_value(l->value).at);
    l->of->says = true;
    l->target = (uint32_t)p->config.replications;
    l->wanted = dcs_alloc(most, sizeof l->wanted[0]);
    memset(l->wanted, true, most);
    summary_init(&l->summary, &p->experiment);
    if (l->of->store == NULL)
        return 0;
    if (store_switch(l->of->store, &p->experiment, NULL, 0, err) != 0)
        return -1;
    return store_held(l->of->store, l->wanted, most, err) < 0 ? -1 : 0;
}

/* Whether a metric keeps a bound. */
static struct capacity_seen look_at_metric(const struct look *l, const struct capacity_bound *b,
                                           const struct metric_name *m)
{
    const struct summary *s = &l->summary;
    struct metric_counted c = metric_name_counted(m, s);
    double runs = summary_is_even(s) ? (double)s->runs : 1; /* alike: those of one are told */
    struct capacity_seen p = {.estimate = metric_name_estimate(m, s, l->of->bounds->confidence),
                              .few = !metric_counts_enough(&c) && !metric_name_is_quantile(m->name),
                              .counted = c.counted / runs,
                              .of = c.of / runs,
                              .word = c.word};
    p.estimate.n = l->target;
    p.kept = judge(b, &p.estimate, summary_is_even(s));
    /* Of a time those are missing that take longest; of a share in time those whose deadline was
     * still to come when the run ended. */
    if (p.few && p.kept != CAPACITY_BROKEN)
        p.kept = strcmp(m->name, "sla_met") == 0 ? CAPACITY_UNDECIDED : CAPACITY_BROKEN;
    return p;
}

static bool is_worse(const struct capacity_seen *a, const struct capacity_seen *b)
{
    return a->kept != b->kept ? a->kept < b->kept : a->estimate.value < b->estimate.value;
}

/* The worst of the latency applications whose requests have an SLA; of all of them together where
 * none has requests. */
static struct capacity_seen look_at_services(const struct look *l, const struct experiment *x,
                                             size_t bound)
{
    const struct capacity_bound *b = &l->of->bounds->all[bound];
    struct capacity_seen worst = {0};
    size_t services = 0;
    for (uint32_t app = 0; app < x->apps_count; app++) {
        struct metric_name m = l->metrics[bound];
        m.app = app;
        struct capacity_seen p = look_at_metric(l, b, &m);
        if (x->apps[app].class != DCS_LATENCY || p.of <= 0)
            continue; /* it is no service, or has no SLA */
        if (services++ == 0 || is_worse(&p, &worst)) {
            worst = p;
            snprintf(worst.service, sizeof worst.service, "%s",
                     text_name(x->apps[app].name, 24).at);
        }
    }
    if (services > l->of->services)
        l->of->services = services;
    return services > 0 ? worst : look_at_metric(l, b, &l->metrics[bound]);
}

/* A share of undone work above which no number says what the value is worth. */
#define UNFINISHED_MOST (1 - METRIC_COUNTED_LEAST)

/* Applications that a reason names; of more, how many they are. */
#define REASONS_MAX 3

/* Adds to *reason what says that an application, or all whole jobs, are overloaded. */
static void add_reason(struct text_buffer *reason, size_t *count, const char *name,
                       struct overload o)
{
    /* Many requests inside at the end may mean that the window is short, which no value mends;
     * those that were dropped are the bounds' own affair. */
    o.inside = o.dropped = false;
    if (!overload_any(&o) || ++*count > REASONS_MAX)
        return;
    text_append(reason, "%s%s: ", *count > 1 ? "; " : "", text_name(name, 24).at);
    overload_append_rules(reason, &o);
}

static void look_at_work(const struct look *l, struct capacity_point *p)
{
    const struct summary *s = &l->summary;
    struct text_buffer reason = {0};
    struct overload o;
    size_t count = 0;
    p->unfinished = summary_estimate(s, METRIC_ALL, "unfinished", 0.95).value;
    if (s->experiment->gangs != NULL) {
        overload_of_gangs(s, &o);
        add_reason(&reason, &count, "whole jobs", o);
    }
    for (uint32_t app = 0; app < s->experiment->apps_count; app++) {
        overload_of(s, app, &o);
        add_reason(&reason, &count, s->experiment->apps[app].name, o);
    }
    if (count > REASONS_MAX)
        text_append(&reason, "; and %zu more", count - REASONS_MAX);
    if (count == 0 && p->unfinished > UNFINISHED_MOST)
        text_append(&reason, "more than %g %% of the work is left undone", 100 * UNFINISHED_MOST);
    p->overloaded = reason.length > 0;
    if (p->overloaded)
        snprintf(p->reason, sizeof p->reason, "%s", reason.text);
    free(reason.text);
}

/* All of the first `target` replications, in order, have been added up. */
static int look_at(struct look *l, const struct runner_point *point, struct dcs_err *err)
{
    if (l->of->store != NULL) {
        summary_release(&l->summary);
        summary_init(&l->summary, &point->experiment);
        if (store_load(l->of->store, l->target, &l->summary, err) != 0)
            return -1;
    }
    const struct capacity_bounds *bounds = l->of->bounds;
    struct capacity_point p = {.kept = CAPACITY_KEPT, .decides = bounds->count};
    for (size_t i = 0; i < bounds->count; i++) {
        p.seen[i] = bounds->all[i].each_service
                        ? look_at_services(l, &point->experiment, i)
                        : look_at_metric(l, &bounds->all[i], &l->metrics[i]);
        if (p.seen[i].kept < p.kept) {
            p.kept = p.seen[i].kept;
            p.decides = i;
        }
    }
    p.even = summary_is_even(&l->summary);
    look_at_work(l, &p);
    if (p.overloaded && p.kept != CAPACITY_BROKEN) {
        p.kept = CAPACITY_BROKEN;
        p.decides = bounds->count;
    }
    l->of->counted = metric_name_counted(&l->metrics[0], &l->summary).word;
    p.rate_per_s = l->out->rate_per_s;
    snprintf(p.hash, sizeof p.hash, "%s", point->experiment.hash);
    *l->out = p;
    return 0;
}

/* A value that some whole jobs do not fit keeps no bound, whatever the others do. */
static int refuse_unfit(struct look *l, const struct runner_point *point)
{
    const double nan = (double)NAN;
    struct capacity_point p = {.kept = CAPACITY_BROKEN,
                               .decides = l->of->bounds->count,
                               .even = true,
                               .unfit = l->unfit,
                               .unfit_all = point->config.cluster.queue.across_nodes,
                               .unfinished = nan};
    for (size_t i = 0; i < l->of->bounds->count; i++)
        p.seen[i] = (struct capacity_seen){.estimate = {.value = nan, .low = nan, .high = nan}};
    fprintf(stderr, "%s=%s: ", l->of->vary, capacity_value(l->value).at);
    l->of->says = true;
    *l->out = p;
    return 0;
}

static int want(void *context, struct runner_point *p, struct runner_list *list,
                struct dcs_err *err)
{
    struct look *l = context;
    if (l->unfit > 0)
        return refuse_unfit(l, p);
    if (p->context == NULL && begin(l, p, err) != 0)
        return -1;
    uint32_t most = most_of(l, p);
    for (;;) {
        for (uint32_t i = 0; i < l->target; i++)
            if (l->wanted[i])
                runner_list_add(list, i);
        if (list->count > 0)
            return 0;
        if (look_at(l, p, err) != 0)
            return -1;
        if (l->out->kept != CAPACITY_UNDECIDED || l->target >= most)
            return 0;
        l->target = 2 * l->target < most ? 2 * l->target : most;
    }
}

static int take_run(void *context, struct runner_point *p, struct run *run, struct dcs_err *err)
{
    (void)p;
    struct look *l = context;
    int status = l->of->store != NULL ? store_add(l->of->store, run, err) : 0;
    if (status == 0) {
        summary_add(&l->summary, run);
        l->wanted[run->replication] = false;
    }
    run_release(run);
    return status;
}

static int end_point(void *context, struct runner_point *p, enum runner_end how,
                     const struct dcs_err *failure, struct dcs_err *err)
{
    struct look *l = context;
    int status = 0;
    if (how == RUNNER_DONE && p->context != NULL)
        capacity_told_see(&l->of->told, &l->summary, l->value);
    if (how == RUNNER_FAILED) {
        *err = *failure;
        status = -1;
    } else if (how == RUNNER_DONE && l->of->store != NULL && p->context != NULL) {
        size_t count;
        struct summary_row *rows = summary_rows(&l->summary, &count);
        status = store_summarise_all(l->of->store, &l->summary, rows, count, err);
        free(rows);
    }
    if (p->context != NULL)
        summary_release(&l->summary);
    free(l->wanted);
    return status;
}

int capacity_look(void *looks, double value, struct capacity_point *out, struct dcs_err *err)
{
    struct capacity_looks *of = looks;
    struct look l = {.of = of, .value = value, .out = out};
    const struct runner_calls calls = {
        .context = &l, .open = open_point, .want = want, .take = take_run, .end = end_point};
    if (runner_run(1, of->threads, of->watch, &calls, err) != 0)
        return -1;
    if (atomic_load(&of->watch->stop))
        return dcs_err_set(err, "interrupted");
    return 0;
}
