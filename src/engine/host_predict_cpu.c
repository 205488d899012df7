/*
 * host_predict_cpu.c - what a policy is told that a request will take on a CPU, alone at an
 * allotment: by the law of the profile for its size ("mean": the curve without noise and without
 * others), by what it really is (clairvoyant), or by trained predictors. See host_predict.c.
 */
#include "engine/cluster_state.h"
#include "models/cpu/cpu_device.h"

static int64_t whole(double x)
{
    return x < (double)DCS_TIME_MAX ? (int64_t)(x + 0.5) : DCS_TIME_MAX;
}

/* Cores and ways of an allotment; all where it does not say. */
static struct dcs_cpu_share at(const struct dcs_cpu *cpu, struct host_allotment a)
{
    struct dcs_cpu_share s = {.cores = cpu->cores, .ways = cpu->ways};
    if (a.mechanism == HOST_CPU && a.cores >= 1 && a.cores < s.cores)
        s.cores = a.cores;
    if (a.mechanism == HOST_CPU && a.ways >= 1 && a.ways < s.ways)
        s.ways = a.ways;
    return s;
}

int64_t host_cpu_size(const struct domain *d, const struct request *r)
{
    const struct cluster_spec *spec = d->cluster->spec;
    const struct dcs_draw draw = {
        .seed = spec->seed, .replication = spec->replication, .job = r->job, .request = r->index};
    return dcs_app_cpu_size(&spec->apps[r->app], d->profile, &draw);
}

static double work_ns(struct domain *d, struct request *r)
{
    const struct cluster_spec *spec = d->cluster->spec;
    const struct dcs_app *app = &spec->apps[r->app];
    if (spec->clairvoyant && r->state == REQUEST_RUNNING)
        return (double)r->work_ns;
    if (spec->clairvoyant)
        return (double)request_true_work_ns(d->cluster, r, r->kernel, d->profile);
    return dcs_app_cpu_mean_ns(app, d->profile, host_cpu_size(d, r));
}

/* What a trained predictor says; -1: none does. */
static double trained(const struct domain *d, const struct request *r, enum host_quantity q,
                      struct dcs_cpu_share s)
{
    const struct cluster_spec *spec = d->cluster->spec;
    const struct dcs_app *app = &spec->apps[r->app];
    if (spec->cpu_predictors == NULL || app->listed == NULL || q == HOST_BANDWIDTH)
        return -1;
    return dcs_cpu_predictors_ask(spec->cpu_predictors[d->profile],
                                  q == HOST_MILLI_IPC ? DCS_KERNEL_IPC : DCS_REQUEST_DURATION,
                                  app->listed[d->profile], host_cpu_size(d, r), s.cores, s.ways);
}

int64_t host_prediction_cpu(struct domain *d, struct request *r, enum host_quantity q,
                            struct host_allotment a)
{
    const struct cluster_spec *spec = d->cluster->spec;
    const struct dcs_cpu *cpu = spec->sharing.cpu[d->profile];
    const struct dcs_app *app = &spec->apps[r->app];
    const struct dcs_cpu_app *facts =
        app->listed != NULL ? &cpu->apps[app->listed[d->profile]] : &cpu->plain;
    struct dcs_cpu_share s = at(cpu, a);
    double known = trained(d, r, q, s);
    if (known > 0)
        return q == HOST_MILLI_IPC ? whole(known * 1000) : known > 1 ? whole(known) : 1;
    double cores = dcs_cpu_usable(facts, s.cores);
    double rate = dcs_cpu_rate(cpu, facts, cores, s.ways, 1);
    if (q == HOST_MILLI_IPC)
        return whole(facts->ipc * rate * 1000);
    if (q == HOST_BANDWIDTH)
        return whole(dcs_cpu_traffic(cpu, facts, cores, s.ways, 1) * 1e9);
    int64_t ns = whole(work_ns(d, r) / rate);
    return ns > 1 ? ns : 1;
}
