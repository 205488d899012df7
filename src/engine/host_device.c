/*
 * host_device.c - what a policy sees of a device: the part of host.c that depends on how devices
 * are shared.
 */
#include "engine/cluster_state.h"

const struct dcs_profile_revocation *host_cost_of(const struct domain *d, const struct request *r)
{
    const struct dcs_app *app = cluster_form(d->cluster, r);
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
        .can_fuse = model->fusion != NULL,
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

static void look_at_cpu(const struct domain *d, const struct device *dev, struct host_device *out)
{
    const struct dcs_cpu *model = d->cluster->spec->sharing.cpu[d->kind];
    const struct dcs_cpu_device *cpu = dev->cpu->device;
    struct dcs_cpu_share claimed = dcs_cpu_claimed(cpu);
    uint32_t kernels = dcs_cpu_claims(cpu);
    *out = (struct host_device){
        .state = kernels > 0 ? HOST_BUSY : HOST_IDLE,
        .mechanisms = 1u << HOST_WHOLE | 1u << HOST_CPU,
        .can_resize = true,
        .kernels_max = DCS_CPU_TOGETHER_MAX,
        .kernels = kernels,
        .first = dcs_cpu_first_claim(cpu),
        .since_ns = dev->since_ns,
        .sms = model->cores,
        .sms_step = model->cores,
        .sms_allotted = claimed.cores,
        .cores = model->cores,
        .ways = model->ways,
        .cores_allotted = claimed.cores,
        .ways_allotted = claimed.ways,
        .bandwidth = (int64_t)(model->bandwidth * 1e9),
        .memory_bytes = d->cluster->spec->kind_memory_bytes[d->kind],
        .revoke_ns = kernels > 0 ? HOST_NEVER : 0,
    };
}

void host_look_at_device(const struct domain *d, const struct device *dev, struct host_device *out)
{
    if (dev->cpu != NULL) {
        look_at_cpu(d, dev, out);
        return;
    }
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
