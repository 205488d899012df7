/*
 * cluster_cpu.c - requests on CPUs (models/cpu_device.h): their launches, resizes and ends, as
 * lifecycle.c has them for devices that run one kernel at a time.
 *
 * A device has one pending event, for whatever changes on it next; it is set again after every
 * change.
 */
#include "engine/cluster_state.h"

#include <stdlib.h>

void cpu_create(struct cluster *c)
{
    const struct cluster_spec *s = c->spec;
    for (uint32_t i = 0; s->sharing.cpu != NULL && i < c->devices_count; i++) {
        struct device *dev = &c->devices[i];
        dev->cpu = dcs_alloc(1, sizeof *dev->cpu);
        dev->cpu->device =
            dcs_cpu_device_create(s->sharing.cpu[c->domains[dev->domain].kind], s->warmup_ns);
    }
}

void cpu_destroy(struct cluster *c)
{
    for (uint32_t i = 0; c->spec->sharing.cpu != NULL && i < c->devices_count; i++) {
        dcs_cpu_device_destroy(c->devices[i].cpu->device);
        free(c->devices[i].cpu);
    }
}

/* After a change on a device: its event, and since when it is what it is. */
static void changed(struct cluster *c, struct device *dev)
{
    struct cpu *cpu = dev->cpu;
    bool busy = dcs_cpu_running(cpu->device) > 0;
    cluster_device_changed(c, dev);
    if (busy != cpu->busy) {
        cpu->busy = busy;
        dev->since_ns = c->now_ns;
    }
    int64_t next_ns = dcs_cpu_next_ns(cpu->device);
    if (dev->event != 0 && cpu->event_ns == next_ns)
        return;
    dcs_events_cancel(c->events, dev->event);
    dev->event = 0;
    if (next_ns == DCS_NEVER)
        return;
    if (next_ns >= DCS_TIME_MAX) {
        cluster_too_long(c);
        return;
    }
    cpu->event_ns = next_ns;
    dev->event =
        dcs_events_add(c->events, next_ns, CLASS_DEVICE, EVENT_CPU, (uint64_t)(dev - c->devices));
}

static struct dcs_cpu_share share_of(const struct cluster *c, const struct request *r,
                                     struct host_allotment a)
{
    const struct dcs_cpu *cpu = c->spec->sharing.cpu[c->domains[r->domain].kind];
    if (a.mechanism == HOST_WHOLE)
        return (struct dcs_cpu_share){.cores = cpu->cores, .ways = cpu->ways};
    return (struct dcs_cpu_share){.cores = a.cores, .ways = a.ways, .group = a.group};
}

const char *cpu_refuses(const struct cluster *c, const struct device *dev, const struct request *r,
                        struct host_allotment a)
{
    if (a.mechanism != HOST_WHOLE && a.mechanism != HOST_CPU)
        return "it does not offer this mechanism";
    return dcs_cpu_refuses(dev->cpu->device, r->id, share_of(c, r, a));
}

void cpu_claim(const struct cluster *c, struct device *dev, const struct request *r,
               struct host_allotment a)
{
    dcs_cpu_claim(dev->cpu->device, r->id, share_of(c, r, a));
}

void cpu_launch(struct cluster *c, struct request *r, struct device *dev, struct host_allotment a)
{
    const struct dcs_app *app = &c->spec->apps[r->app];
    uint32_t kind = c->domains[r->domain].kind;
    int64_t work = cluster_work(c, r, r->kernel, kind);
    life_launched(c, r, dev, work);
    dcs_cpu_start(dev->cpu->device, c->now_ns,
                  &(struct dcs_cpu_launch){
                      .id = r->id,
                      .app = app->listed != NULL ? app->listed[kind] : UINT32_MAX,
                      .work_ns = work,
                      .share = share_of(c, r, a),
                  });
    r->ran_with = a;
    if (recording(c))
        record_launch(c, r, c->now_ns);
    changed(c, dev);
}

void cpu_resize(struct cluster *c, struct request *r, struct host_allotment a)
{
    struct device *dev = &c->devices[r->device];
    if (recording(c))
        record_quota(c, r, a);
    r->ran_with = a;
    dcs_cpu_resize(dev->cpu->device, c->now_ns, r->id, share_of(c, r, a));
    changed(c, dev);
}

void cpu_advance(struct cluster *c, uint32_t device)
{
    struct device *dev = &c->devices[device];
    uint64_t ended[DCS_CPU_TOGETHER_MAX];
    dev->event = 0;
    uint32_t n = dcs_cpu_advance(dev->cpu->device, c->now_ns, ended);
    for (uint32_t i = 0; i < n; i++) {
        struct request *r = cluster_request(c, ended[i]);
        DCS_ASSERT(r != NULL && r->device == device);
        life_kernel_done(c, r);
    }
    changed(c, dev);
}

void cpu_scramble(struct cluster *c, struct device *dev)
{
    struct dcs_cpu_device *d = dev->cpu->device;
    uint32_t n = dcs_cpu_running(d);
    for (uint32_t i = 0; i < n; i++) {
        struct request *r = cluster_request(c, dcs_cpu_nth(d, i));
        double factor = life_scramble_factor(c->spec->probe, r);
        if (!(factor > 0))
            continue;
        double left = dcs_cpu_left(d, c->now_ns, r->id);
        r->work_ns += (int64_t)((double)r->work_ns * left * (factor - 1));
        dcs_cpu_scale_left(d, c->now_ns, r->id, factor);
    }
    changed(c, dev);
}
