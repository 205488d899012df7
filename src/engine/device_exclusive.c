/* device_exclusive.c - devices that run one kernel at a time (models/gpu/exclusive_gpu.h). */
#include "engine/device.h"

#include <stdlib.h>

struct exclusive {
    struct dcs_device device;
    req_id running; /* or being revoked; it means nothing while the device is idle */
    req_id pledged; /* whose charged launch is under way; 0: none */
    int64_t next_ns;
};

static struct exclusive *of(const struct device *dev)
{
    return dev->truth;
}

const struct dcs_device *device_exclusive_truth(const struct device *dev)
{
    return &of(dev)->device;
}

static uint64_t bytes(void)
{
    return sizeof(struct exclusive);
}

static void open_device(struct device *dev, void *all)
{
    (void)all;
    const struct cluster_spec *s = dev->spec;
    struct exclusive *e = dcs_alloc(1, sizeof *e);
    dcs_device_init(&e->device, s->profile_memory_bytes[dev->profile], s->checkpoint, s->warmup_ns);
    e->next_ns = DCS_NEVER;
    dev->truth = e;
}

static void free_device(struct device *dev)
{
    free(dev->truth);
}

static enum host_device_state state_of(const struct device *dev)
{
    enum dcs_device_phase phase = of(dev)->device.phase;
    if (phase == DCS_DEVICE_RUNNING)
        return HOST_BUSY;
    return phase == DCS_DEVICE_STOPPING ? HOST_REVOKING : HOST_IDLE;
}

static req_id look(const struct device *dev, struct host_device *out)
{
    const struct cluster_spec *spec = dev->spec;
    const struct exclusive *e = of(dev);
    uint32_t sms = spec->profile_sms != NULL ? spec->profile_sms[dev->profile] : 0;
    bool runs = e->device.phase == DCS_DEVICE_RUNNING;
    enum host_device_state state = state_of(dev);
    if (dev->traps_pledged > 0)
        state = HOST_REVOKING;
    else if (state == HOST_IDLE && e->pledged != 0)
        state = HOST_BUSY;
    out->state = state;
    out->mechanisms = 1u << HOST_WHOLE;
    out->kernels_max = 1;
    out->kernels = runs;
    out->first = runs ? e->running : e->pledged;
    out->sms = out->sms_step = sms;
    out->sms_allotted = state == HOST_IDLE ? 0 : sms;
    out->memory_bytes = e->device.memory_bytes;
    out->memory_used_bytes = e->device.used_bytes + e->device.dead_bytes;
    return runs ? e->running : 0;
}

static const char *refuses(const struct device *dev, const struct device_launch *l)
{
    const struct exclusive *e = of(dev);
    if (l->allotment.mechanism != HOST_WHOLE)
        return "it does not offer this mechanism";
    if (e->device.phase != DCS_DEVICE_IDLE || e->pledged != 0)
        return "it is not idle";
    if (!dcs_device_fits(&e->device, l->part[0].app->memory_bytes))
        return "it has less memory than the application needs";
    return NULL;
}

static void pledge(struct device *dev, const struct device_launch *l)
{
    of(dev)->pledged = l->part[0].id;
}

static void unpledge(struct device *dev, const struct device_launch *l)
{
    (void)l;
    of(dev)->pledged = 0;
}

static void start(struct device *dev, int64_t now_ns, struct device_launch *l)
{
    struct exclusive *e = of(dev);
    const struct device_part *part = &l->part[0];
    int64_t left = part->work_ns - part->saved_ns;
    e->running = part->id;
    e->next_ns = dcs_device_start(&e->device, now_ns,
                                  &(struct dcs_launch){.work_ns = left > 0 ? left : 1,
                                                       .memory_bytes = part->app->memory_bytes,
                                                       .class = part->app->class});
}

static uint32_t stop(struct device *dev, int64_t now_ns, req_id id,
                     const struct dcs_profile_revocation *cost, struct device_victim *victims)
{
    struct exclusive *e = of(dev);
    DCS_ASSERT(e->running == id);
    victims[0].id = id;
    e->next_ns = dcs_device_stop(&e->device, now_ns, cost, &victims[0].kept_ns);
    return 1;
}

static int64_t next_ns(const struct device *dev)
{
    return of(dev)->next_ns;
}

static uint32_t advance(struct device *dev, int64_t now_ns, struct device_end *ends)
{
    struct exclusive *e = of(dev);
    ends[0] =
        (struct device_end){.id = e->running, .stopped = e->device.phase == DCS_DEVICE_STOPPING};
    if (ends[0].stopped)
        dcs_device_stopped(&e->device, now_ns);
    else
        dcs_device_finish(&e->device, now_ns);
    e->next_ns = DCS_NEVER;
    return 1;
}

static uint32_t running(const struct device *dev)
{
    return of(dev)->device.phase == DCS_DEVICE_RUNNING;
}

static req_id nth(const struct device *dev, uint32_t n)
{
    DCS_ASSERT(n == 0);
    return of(dev)->running;
}

static int64_t began_ns(const struct device *dev, req_id id)
{
    (void)id;
    return of(dev)->device.start_ns;
}

static int64_t scale_left(struct device *dev, int64_t now_ns, req_id id, int64_t work_ns,
                          double factor)
{
    (void)id, (void)work_ns;
    struct exclusive *e = of(dev);
    int64_t left = dcs_device_left_ns(&e->device, now_ns);
    int64_t changed = 1 + (int64_t)((double)left * factor);
    e->next_ns = dcs_device_set_left(&e->device, now_ns, changed);
    return changed - left;
}

static void close_device(struct device *dev, int64_t end_ns, struct device_usage *out)
{
    struct exclusive *e = of(dev);
    dcs_device_close(&e->device, end_ns);
    out->done.time = e->device.usage;
}

const struct device_kind device_exclusive = {
    .name = "GPU",
    .can_revoke = true,
    .revokes_all = true,
    .renews_event = true,
    .bytes = bytes,
    .open = open_device,
    .free = free_device,
    .look = look,
    .refuses = refuses,
    .pledge = pledge,
    .unpledge = unpledge,
    .start = start,
    .stop = stop,
    .next_ns = next_ns,
    .advance = advance,
    .state = state_of,
    .running = running,
    .nth = nth,
    .began_ns = began_ns,
    .scale_left = scale_left,
    .close = close_device,
};
