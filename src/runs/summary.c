/* summary.c - see summary.h: the runs that it has, and their metrics by name. */
#include "runs/summary.h"

#include "runs/offered_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void summary_init(struct summary *s, const struct experiment *x)
{
    *s = (struct summary){.experiment = x};
    s->hists = dcs_alloc(x->apps_count + 2, sizeof(struct dcs_hist *));
    s->cuts = dcs_alloc(x->apps_count + 2, sizeof(struct dcs_hist *));
    s->served = dcs_alloc(x->apps_count, sizeof *s->served);
    const struct config_service *services = x->config->workload.services.items;
    for (size_t i = 0; i < x->config->workload.services.count; i++)
        s->served[experiment_app(x, services[i].application)] = true;
    for (size_t i = 0; i < x->services_count; i++)
        s->served[x->services[i].app] = true; /* those of workload.colocated as well */
    s->offered_load = offered_load(x);
}

static int compare_metrics(const struct metric *a, const struct metric *b)
{
    return a->app != b->app ? (a->app > b->app) - (a->app < b->app) : strcmp(a->name, b->name);
}

size_t summary_find(const struct summary *s, uint32_t app, const char *name)
{
    const struct metric wanted = {.app = app, .name = name};
    size_t low = 0, high = s->metrics_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_metrics(&s->first[s->by_name[middle]], &wanted);
        if (order == 0)
            return s->by_name[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return SIZE_MAX;
}

double summary_sum(const struct summary *s, uint32_t app, const char *name)
{
    size_t at = summary_find(s, app, name);
    double sum = 0;
    for (size_t i = 0; at != SIZE_MAX && i < s->runs; i++)
        sum += s->values[i * s->metrics_count + at];
    return sum;
}

double summary_sum_counts(const struct summary *s, uint32_t app, const char *name)
{
    size_t at = summary_find(s, app, name);
    double sum = 0;
    for (size_t i = 0; at != SIZE_MAX && i < s->runs; i++)
        sum += (double)s->counts[i * s->metrics_count + at];
    return sum;
}

bool summary_is_even(const struct summary *s)
{
    if (s->runs < 2 || s->experiment->traces_count == 0)
        return false;
    for (size_t i = 1; i < s->runs; i++)
        for (size_t k = 0; k < s->metrics_count; k++) {
            double a = s->values[k], b = s->values[i * s->metrics_count + k];
            if (a != b && !(isnan(a) && isnan(b)))
                return false;
        }
    return true;
}

static int by_app_and_name(const void *left, const void *right, void *metrics)
{
    const struct metric *all = metrics;
    return compare_metrics(&all[*(const size_t *)left], &all[*(const size_t *)right]);
}

/* Takes over which metrics there are, from the first run. */
static void learn_metrics(struct summary *s, const struct run *run)
{
    size_t m = run->metrics_count;
    s->metrics_count = m;
    s->first = dcs_alloc(m, sizeof *s->first);
    memcpy(s->first, run->metrics, m * sizeof *s->first);
    s->by_name = dcs_alloc(m, sizeof *s->by_name);
    for (size_t i = 0; i < m; i++)
        s->by_name[i] = i;
    qsort_r(s->by_name, m, sizeof *s->by_name, by_app_and_name, s->first);
}

static void pool(struct dcs_hist **into, const struct dcs_hist *from)
{
    if (from == NULL)
        return;
    if (*into == NULL) {
        *into = dcs_alloc(1, sizeof **into);
        dcs_hist_init(*into);
    }
    dcs_hist_merge(*into, from);
}

void summary_add(struct summary *s, const struct run *run)
{
    const struct experiment *x = s->experiment;
    size_t m = run->metrics_count;
    if (s->first == NULL)
        learn_metrics(s, run);
    DCS_ASSERT(m == s->metrics_count);
    s->gpu = run->driven.gpu;
    if (s->runs == s->runs_capacity) {
        size_t runs = s->runs_capacity == 0 ? 16 : 2 * s->runs_capacity;
        double *values = dcs_alloc(runs * m, sizeof *values);
        uint64_t *counts = dcs_alloc(runs * m, sizeof *counts);
        if (s->runs > 0) {
            memcpy(values, s->values, s->runs * m * sizeof *values);
            memcpy(counts, s->counts, s->runs * m * sizeof *counts);
        }
        free(s->values);
        free(s->counts);
        s->values = values;
        s->counts = counts;
        s->runs_capacity = runs;
    }
    for (size_t i = 0; i < m; i++) {
        s->values[s->runs * m + i] = run->metrics[i].value;
        s->counts[s->runs * m + i] = run->metrics[i].n;
    }
    s->runs++;
    for (uint32_t i = 0; i < x->apps_count; i++) {
        uint32_t class = x->apps_count + x->apps[i].class;
        pool(&s->hists[i], run->result.apps[i].response);
        pool(&s->hists[class], run->result.apps[i].response);
        pool(&s->cuts[i], run->result.apps[i].cut);
        pool(&s->cuts[class], run->result.apps[i].cut);
    }
}

void summary_release(struct summary *s)
{
    for (uint32_t i = 0; s->hists != NULL && i < s->experiment->apps_count + 2; i++) {
        free(s->hists[i]);
        free(s->cuts[i]);
    }
    free(s->hists);
    free(s->cuts);
    free(s->served);
    free(s->first);
    free(s->by_name);
    free(s->values);
    free(s->counts);
    *s = (struct summary){0};
}
