/* experiment_lookup.c - what an experiment has resolved, looked up; see experiment_parts.h. It uses
 * no other file of experiment*.c. */
#include "experiment/experiment_parts.h"

#include "text/number.h"

#include <string.h>

bool experiment_is_default_input(const char *text)
{
    return strcmp(text, "default") == 0;
}

uint32_t experiment_app(const struct experiment *x, const char *name)
{
    size_t app = dcs_names_find(&x->app_names, name);
    DCS_ASSERT(app < x->apps_count); /* experiment_open resolved them all */
    return (uint32_t)app;
}

const struct dcs_input *experiment_input(const struct experiment *x, uint32_t app, const char *text)
{
    for (size_t i = 0; i < x->inputs_count; i++)
        if (x->inputs[i].input.app == app && strcmp(x->inputs[i].text, text) == 0)
            return &x->inputs[i].input;
    return NULL;
}

const struct app_lists *experiment_colocated_lists(const struct experiment *x, size_t i)
{
    const struct config_workload *w = &x->config->workload;
    return &x->lists[w->trem.count + w->trace.count + w->jobs.count + i];
}

const struct config_replay *experiment_replay(const struct experiment *x, size_t i)
{
    const struct config_workload *w = &x->config->workload;
    const struct config_trace *traces = w->trace.items;
    const struct config_jobs *jobs = w->jobs.items;
    return i < w->trace.count ? &traces[i].replay : &jobs[i - w->trace.count].replay;
}

int experiment_arrivals(const struct config_arrivals *a, struct dcs_arrivals_spec *out,
                        struct dcs_err *err)
{
    *out = (struct dcs_arrivals_spec){
        .kind = (enum dcs_arrivals_kind)a->process,
        .rate_per_s = a->rate_per_s,
        .scv = a->scv,
        .rates_per_s = {a->rate_high_per_s, a->rate_low_per_s},
        .stay_ns = {a->stay_high_ns, a->stay_low_ns},
        .day_ns = a->day_ns,
        .batch_mean = a->batch_mean,
    };
    struct dcs_err why = {0};
    if (out->kind == DCS_ARRIVALS_DAILY &&
        number_read_list(a->daily_per_s, DCS_ARRIVALS_SLOTS, 0, 1e9, "rates", out->daily_per_s,
                         &why) != 0)
        return dcs_err_set(err, "daily_per_s: %s", why.text);
    struct dcs_rng rng = {0};
    struct dcs_arrivals probe;
    return dcs_arrivals_init(&probe, out, &rng, err);
}
