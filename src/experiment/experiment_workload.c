/* experiment_workload.c - draws the workload of one replication; see experiment.h. */
#include "experiment/experiment_parts.h"

#include <stdlib.h>

static void add_services(const struct experiment *x, struct dcs_workload *out)
{
    const struct config_service *services = x->config->workload.services.items;
    for (size_t i = 0; i < x->config->workload.services.count; i++) {
        const struct config_service *s = &services[i];
        const struct experiment_service *resolved = &x->services[i];
        dcs_workload_add(out, &(struct dcs_job){
                                  .app = resolved->app,
                                  .input = resolved->input,
                                  .begin_ns = s->begin_ns,
                                  .requests = (uint64_t)s->requests,
                                  .open = true,
                                  .arrivals = &resolved->arrivals,
                                  .sla_ns = resolved->sla_ns,
                                  .queue_limit = (uint32_t)s->queue_limit,
                                  .drop_late = s->drop_late,
                                  .pinned = s->domain >= 0,
                                  .domain = resolved->first_domain,
                              });
    }
}

static int add_batch(const struct experiment *x, struct dcs_workload *out, struct dcs_err *err)
{
    const struct config_batch *batch = x->config->workload.batch.items;
    for (size_t i = 0; i < x->config->workload.batch.count; i++) {
        const struct config_batch *b = &batch[i];
        uint32_t app = experiment_app(x, b->application);
        struct dcs_job job = {
            .app = app,
            .input = experiment_input(x, app, b->input),
            .begin_ns = b->begin_ns,
            .requests = (uint64_t)b->requests,
            .clients = (uint32_t)b->clients,
            .sla_ns = x->apps[app].class == DCS_LATENCY ? x->apps[app].sla_ns : 0,
            .pinned = b->domain >= 0,
            .domain = b->domain >= 0 ? (uint32_t)b->domain : 0,
        };
        if (b->think_ns > 0) {
            struct dcs_dist think;
            if (dcs_dist_init(&think, DCS_EXPONENTIAL, (double)b->think_ns, 0, 0, err) != 0)
                return -1;
            job.think = dcs_workload_keep(out, &think, sizeof think);
        }
        dcs_workload_add(out, &job);
    }
    return 0;
}

static int add_trem(const struct experiment *x, size_t i, const struct dcs_capacity *capacity,
                    uint32_t replication, struct dcs_workload *out, struct dcs_err *err)
{
    const struct config_trem *c = (const struct config_trem *)x->config->workload.trem.items + i;
    struct dcs_trem t = {
        .jobs = c->jobs,
        .user_fraction = c->user_fraction,
        .user_duration_ns = c->user_duration_ns,
        .batch_duration_ns = c->batch_duration_ns,
        .pareto_shape = c->pareto_shape,
        .outstanding = c->outstanding,
        .user_tasks = c->user_tasks,
        .batch_tasks = c->batch_tasks,
        .load = c->load,
        .load_expected = c->load_basis == 1,
        .load_devices = c->load_devices,
        .sla_ns = c->sla_ns,
    };
    const struct app_lists *lists = experiment_trem_lists(x, i);
    t.user_apps = lists->of_class[DCS_LATENCY].apps;
    t.user_apps_count = lists->of_class[DCS_LATENCY].count;
    t.batch_apps = lists->of_class[DCS_BATCH].apps;
    t.batch_apps_count = lists->of_class[DCS_BATCH].count;
    return dcs_workload_add_trem(out, &t, capacity, (uint64_t)x->config->seed, replication,
                                 (uint32_t)i, err);
}

/* The i-th of workload.trace, then of workload.jobs. */
static int add_replay(const struct experiment *x, size_t i, const struct dcs_capacity *capacity,
                      uint32_t replication, struct dcs_workload *out,
                      struct dcs_replay_counts *counts, struct dcs_err *err)
{
    const struct config_workload *w = &x->config->workload;
    const struct config_replay *c = experiment_replay(x, i);
    const struct app_lists *lists = experiment_replay_lists(x, i);
    uint64_t seed = (uint64_t)x->config->seed;
    uint32_t generator = (uint32_t)(w->trem.count + i);
    struct dcs_replay r = {
        .keep = 1,
        .latency_fraction = -1,
        .time_compression = c->time_compression,
        .duration_compression = c->duration_compression,
        .load = c->load,
        .outstanding = c->outstanding,
        .by_size = c->mapping == 1,
        .sla_ns = c->sla_ns,
        .user_apps = lists->of_class[DCS_LATENCY].apps,
        .user_apps_count = lists->of_class[DCS_LATENCY].count,
        .batch_apps = lists->of_class[DCS_BATCH].apps,
        .batch_apps_count = lists->of_class[DCS_BATCH].count,
    };
    struct dcs_trace drawn = {0};
    const struct dcs_trace *trace = &drawn;
    int result = 0;
    if (i < w->trace.count) {
        const struct config_trace *t = (const struct config_trace *)w->trace.items + i;
        r.keep = t->keep;
        r.latency_fraction = t->latency_fraction;
        trace = &x->traces[i];
    } else {
        result = dcs_trace_generate(&drawn, &x->models[i - w->trace.count], seed, replication,
                                    generator, err);
    }
    if (result == 0)
        result = dcs_workload_add_replay(out, trace, &r, capacity, seed, replication, generator,
                                         counts, err);
    dcs_trace_release(&drawn);
    if (result == 0)
        return 0;
    bool recorded = i < w->trace.count;
    struct dcs_err cause = *err;
    return dcs_err_set(err, "%s[%zu], replication %u: %.600s", recorded ? "trace" : "jobs",
                       recorded ? i : i - w->trace.count, replication, cause.text);
}

/* The i-th of workload.colocated; `at` is its first service, and moves on. */
static int add_colocated(const struct experiment *x, size_t i, size_t *at, uint32_t replication,
                         struct dcs_workload *out, struct dcs_err *err)
{
    const struct config_workload *w = &x->config->workload;
    const struct config_colocated *c = (const struct config_colocated *)w->colocated.items + i;
    int64_t *value = NULL;
    if (c->placement == 1 && (value = experiment_placement(x, i, err)) == NULL)
        return -1;
    const struct app_lists *lists = experiment_colocated_lists(x, i);
    size_t n = lists->of_class[DCS_LATENCY].count;
    struct dcs_colocated_service *services = dcs_alloc(n, sizeof *services);
    uint32_t *devices = dcs_alloc(x->domains_count, sizeof *devices);
    for (uint32_t d = 0; d < x->domains_count; d++)
        devices[d] = x->domains[d].devices;
    const struct experiment_service *first = &x->services[*at];
    for (size_t k = 0; k < n; k++)
        services[k] =
            (struct dcs_colocated_service){.app = first[k].app,
                                           .input = first[k].input,
                                           .sla_ns = first[k].sla_ns,
                                           .rate_per_device_per_s = first[k].rate_per_device_per_s};
    const struct app_list *batch = &lists->of_class[DCS_BATCH];
    const struct dcs_input **batch_inputs = dcs_alloc(batch->count + 1, sizeof(batch_inputs[0]));
    for (size_t k = 0; k < batch->count; k++)
        batch_inputs[k] = experiment_input(x, batch->apps[k], c->batch_input);
    const struct dcs_colocated all = {
        .services = services,
        .services_count = n,
        .batch_apps = batch->apps,
        .batch_inputs = batch_inputs,
        .batch_apps_count = batch->count,
        .batch_per_domain = (uint32_t)c->batch_per_domain,
        .domains_per_service = (uint32_t)c->domains_per_service,
        .first_domain = first->first_domain,
        .domain_devices = devices,
        .clients = (uint32_t)c->clients,
        .batch_clients = (uint32_t)c->batch_clients,
        .value = value,
    };
    uint32_t generator = (uint32_t)(w->trem.count + w->trace.count + w->jobs.count + i);
    dcs_workload_add_colocated(out, &all, (uint64_t)x->config->seed, replication, generator);
    *at += n;
    free(value);
    free(batch_inputs);
    free(services);
    free(devices);
    return 0;
}

int experiment_workload(const struct experiment *x, uint32_t replication, struct dcs_workload *out,
                        struct dcs_replay_counts *counts, struct dcs_err *err)
{
    *out = (struct dcs_workload){0};
    if (x->gangs != NULL)
        return dcs_err_set(err, "whole jobs issue no requests");
    const struct dcs_capacity capacity = {
        .apps = x->apps, .kinds = x->kinds, .devices = x->devices->devices};
    add_services(x, out);
    int result = add_batch(x, out, err);
    for (size_t i = 0; i < x->config->workload.trem.count && result == 0; i++)
        result = add_trem(x, i, &capacity, replication, out, err);
    for (size_t i = 0; i < experiment_replays(x) && result == 0; i++) {
        struct dcs_replay_counts unused;
        result = add_replay(x, i, &capacity, replication, out, counts ? &counts[i] : &unused, err);
    }
    size_t service = x->config->workload.services.count;
    for (size_t i = 0; i < x->config->workload.colocated.count && result == 0; i++)
        result = add_colocated(x, i, &service, replication, out, err);
    if (result != 0) {
        dcs_workload_release(out);
        return -1;
    }
    dcs_workload_finish(out);
    return 0;
}
