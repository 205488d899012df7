/*
 * host_device.c - what a policy sees of a device, and what it is told a kernel will take: the half
 * of host.c that depends on how devices are shared.
 *
 * Predictions for running alone: the mean of the profile or of the distribution; on a device that
 * is shared, at the SMs of the allotment. The clairvoyant predictor answers the truth instead.
 */
#include "cluster_state.h"

const struct dcs_profile_revocation *host_cost_of(const struct domain *d, const struct request *r)
{
    const struct dcs_app *app = &d->cluster->spec->apps[r->app];
    uint32_t kernel = r->kernel < app->kernels ? r->kernel : app->kernels - 1;
    return &app->revocation[d->kind * app->kernels + kernel];
}

/* From revoke() to the start of the next latency kernel. */
static int64_t revoke_ns(const struct domain *d, req_id running)
{
    const struct dcs_profile_revocation *cost =
        host_cost_of(d, cluster_request(d->cluster, running));
    return cost->kill_ns >= 0 ? cost->kill_ns + cost->start_ns : HOST_NEVER;
}

/* The lowest of what runs or is about to; 0 if there is none. */
static req_id first_of(const struct shared *s)
{
    req_id first = dcs_gpu_running(s->gpu) > 0 ? dcs_gpu_nth(s->gpu, 0) : 0;
    for (uint32_t i = 0; i < s->promised.kernels; i++)
        if (first == 0 || s->pledged[i] < first)
            first = s->pledged[i];
    return first;
}

static void look_at_shared(const struct domain *d, const struct device *dev,
                           struct host_device *out)
{
    const struct cluster_spec *spec = d->cluster->spec;
    const struct dcs_spatial *model = spec->sharing.spatial[d->kind];
    const struct shared *s = dev->shared;
    enum host_device_state state = s->state;
    if (s->traps_pledged > 0)
        state = HOST_REVOKING;
    else if (state == HOST_IDLE && s->promised.kernels > 0)
        state = HOST_BUSY;
    *out = (struct host_device){
        .state = state,
        .mechanisms = 1u << HOST_WHOLE | 1u << HOST_GREEN | 1u << HOST_MPS,
        .kernels_max = DCS_TOGETHER_MAX,
        .kernels = dcs_gpu_running(s->gpu) + dcs_gpu_stopping(s->gpu) + s->promised.kernels,
        .first = first_of(s),
        .since_ns = dev->since_ns,
        .sms = model->sms,
        .sms_step = spec->sharing.step_sms < model->sms ? spec->sharing.step_sms : model->sms,
        .sms_allotted = dcs_gpu_sms_allotted(s->gpu) + s->promised.sms,
        .bandwidth = (int64_t)(model->dram_gbs * 1e9),
        .memory_bytes = spec->kind_memory_bytes[d->kind],
        .memory_used_bytes = dcs_gpu_memory_used(s->gpu) + s->promised.memory_bytes,
    };
    if (dcs_gpu_running(s->gpu) > 0)
        out->revoke_ns = revoke_ns(d, dcs_gpu_nth(s->gpu, 0));
}

void host_look_at_device(const struct domain *d, const struct device *dev, struct host_device *out)
{
    if (dev->shared != NULL) {
        look_at_shared(d, dev, out);
        return;
    }
    const struct cluster_spec *spec = d->cluster->spec;
    uint32_t sms = spec->kind_sms != NULL ? spec->kind_sms[d->kind] : 0;
    enum host_device_state state = HOST_IDLE;
    if (dev->truth.phase == DCS_DEVICE_STOPPING || dev->stop_pledged)
        state = HOST_REVOKING;
    else if (dev->truth.phase == DCS_DEVICE_RUNNING || dev->pledged != 0)
        state = HOST_BUSY;
    *out = (struct host_device){
        .state = state,
        .mechanisms = 1u << HOST_WHOLE,
        .kernels_max = 1,
        .kernels = dev->truth.phase == DCS_DEVICE_RUNNING,
        .first = dev->truth.phase == DCS_DEVICE_RUNNING ? dev->running : dev->pledged,
        .since_ns = dev->since_ns,
        .sms = sms,
        .sms_step = sms,
        .sms_allotted = state == HOST_IDLE ? 0 : sms,
        .memory_bytes = dev->truth.memory_bytes,
        .memory_used_bytes = dev->truth.used_bytes + dev->truth.dead_bytes,
    };
    if (out->kernels > 0)
        out->revoke_ns = revoke_ns(d, dev->running);
}

/* ---- Predictions ---- */

/* Rounded; times that cannot be simulated are as long as the longest that can. */
static int64_t whole_ns(double ns)
{
    return ns < (double)DCS_TIME_MAX ? (int64_t)(ns + 0.5) : DCS_TIME_MAX;
}

/* The true work of a kernel, on the whole device. */
static int64_t true_work_ns(struct domain *d, struct request *r, uint32_t kernel)
{
    if (kernel == r->kernel && r->state == REQUEST_RUNNING)
        return r->work_ns;
    return cluster_work(d->cluster, r, kernel, d->kind);
}

static uint32_t sms_of(const struct dcs_spatial *s, struct host_allotment a)
{
    return a.mechanism == HOST_WHOLE || a.sms < 1 || a.sms > s->sms ? s->sms : a.sms;
}

/* Alone at an allotment, from its start. This is the place for a predictor's answer. */
static double shared_duration_ns(struct domain *d, struct request *r, uint32_t kernel,
                                 struct host_allotment a)
{
    const struct cluster_spec *spec = d->cluster->spec;
    const struct dcs_app *app = &spec->apps[r->app];
    const struct dcs_spatial *s = spec->sharing.spatial[d->kind];
    uint32_t sms = sms_of(s, a), at = d->kind * app->kernels + kernel;
    double mean = (double)app->mean_ns[at];
    double work = spec->clairvoyant ? (double)true_work_ns(d, r, kernel) : mean;
    if (app->shapes == NULL)
        return work * ((double)s->sms / (double)sms);
    double solo = dcs_shape_solo_ns(s, app->shapes[at], sms);
    return spec->clairvoyant ? solo * (work / mean) : solo;
}

/* On a device that runs one kernel at a time. What a checkpoint saved is known. */
static int64_t duration_ns(struct domain *d, struct request *r, uint32_t kernel)
{
    const struct cluster_spec *s = d->cluster->spec;
    const struct dcs_app *app = &s->apps[r->app];
    int64_t work =
        s->clairvoyant ? true_work_ns(d, r, kernel) : app->mean_ns[d->kind * app->kernels + kernel];
    if (kernel == r->kernel)
        work -= r->saved_ns;
    return work > 0 ? work : 1;
}

int64_t host_prediction(struct domain *d, struct request *r, uint32_t kernel, enum host_quantity q,
                        struct host_allotment a)
{
    const struct cluster_spec *spec = d->cluster->spec;
    const struct dcs_app *app = &spec->apps[r->app];
    if (spec->sharing.spatial == NULL)
        return q == HOST_DURATION_NS ? duration_ns(d, r, kernel) : 0; /* nothing is known */
    double ns = shared_duration_ns(d, r, kernel, a);
    if (q == HOST_DURATION_NS)
        return ns > 1 ? whole_ns(ns) : 1;
    if (app->shapes == NULL)
        return 0;
    const struct dcs_spatial *s = spec->sharing.spatial[d->kind];
    const struct dcs_shape *shape = &s->shapes[app->shapes[d->kind * app->kernels + kernel]];
    if (q == HOST_BANDWIDTH)
        return whole_ns(shape->dram_bytes / ns * 1e9);
    return 0;
}
