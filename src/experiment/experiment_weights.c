/* experiment_weights.c - what share of a device each application is meant to have, as
 * fairness.weights says; see experiment_parts.h. */
#include "experiment/experiment_parts.h"

#include "des/names.h"

#include <stdlib.h>

/* Thirds that are written with seven digits add up to 1. */
#define SUM_NEAR 1e-6

static int take_weight(struct experiment *x, size_t i, const struct config_weight *given,
                       struct dcs_err *err)
{
    char path[64];
    snprintf(path, sizeof path, "fairness.weights[%zu].application", i);
    size_t app = dcs_names_find(x->app_names, given->application);
    if (app >= x->apps_count)
        return options_error(x->doc, path, err,
                             "\"%.64s\" is no application of the workload: take it out, or let the "
                             "workload ask for it",
                             given->application);
    if (x->app_weight[app] > 0)
        return options_error(x->doc, path, err, "\"%.64s\" has a weight already: take one out",
                             given->application);
    x->app_weight[app] = given->weight;
    return 0;
}

static int check_weights(const struct experiment *x, struct dcs_err *err)
{
    double sum = 0;
    for (uint32_t i = 0; i < x->apps_count; i++) {
        if (!(x->app_weight[i] > 0))
            return options_error(x->doc, "fairness.weights", err,
                                 "gives some applications a weight, but not \"%.64s\", which the "
                                 "workload asks for: add it, or leave all of them out",
                                 x->apps[i].name);
        sum += x->app_weight[i];
    }
    if (sum < 1 - SUM_NEAR || sum > 1 + SUM_NEAR)
        return options_error(x->doc, "fairness.weights", err,
                             "expected weights that add up to 1, found a sum of %.7g", sum);
    return 0;
}

int experiment_open_weights(struct experiment *x, struct dcs_err *err)
{
    const struct param_list *list = &x->config->fairness.weights;
    const struct config_weight *given = list->items;
    x->app_weight = dcs_alloc(x->apps_count + 1u, sizeof *x->app_weight);
    for (uint32_t i = 0; list->count == 0 && i < x->apps_count; i++)
        x->app_weight[i] = 1 / (double)x->apps_count;
    for (size_t i = 0; i < list->count; i++)
        if (take_weight(x, i, &given[i], err) != 0)
            return -1;
    return list->count > 0 ? check_weights(x, err) : 0;
}

void experiment_close_weights(struct experiment *x)
{
    free(x->app_weight);
}
