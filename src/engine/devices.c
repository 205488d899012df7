/*
 * devices.c - the devices of a cluster: which kind they are, how they are made and freed, and their
 * events. A device has at most one pending event, at the time of its next change.
 */
#include "engine/cluster_state.h"

#include <stdlib.h>

struct devices {
    void *have;          /* what the kind keeps for all devices of the run */
    uint32_t *unsettled; /* devices that have changed at this instant, the first to change first */
    size_t count, capacity;
};

/* Where a spec names no kind, its devices are of the first of these kinds that serves the spec; if
 * none does, they are exclusive. */
static const struct device_kind *const kinds[] = {&device_driven, &device_cpu, &device_sm,
                                                  &device_shared};

const struct device_kind *device_kind_of(const struct cluster_spec *spec)
{
    if (spec->device_kind != NULL)
        return spec->device_kind;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i]->serves(spec))
            return kinds[i];
    return &device_exclusive;
}

void devices_create(struct cluster *c)
{
    const struct device_kind *kind = device_kind_of(c->spec);
    struct devices *all = c->devices_own = dcs_alloc(1, sizeof *all);
    for (uint32_t i = 0; i < c->spec->domains_count; i++)
        c->devices_count += c->spec->domains[i].devices;
    c->devices = dcs_alloc(c->devices_count, sizeof *c->devices);
    c->device_kind = kind;
    if (kind->open_all != NULL)
        all->have = kind->open_all(c->spec);
}

void device_open(struct cluster *c, uint32_t device, uint32_t domain)
{
    struct device *dev = &c->devices[device];
    dev->kind = c->device_kind;
    dev->spec = c->spec;
    dev->index = device;
    dev->domain = domain;
    dev->place = device - c->domains[domain].first_device;
    dev->profile = c->domains[domain].profile;
    dev->kind->open(dev, c->devices_own->have);
}

void devices_destroy(struct cluster *c)
{
    const struct device_kind *kind = c->device_kind;
    for (uint32_t i = 0; i < c->devices_count; i++)
        if (c->devices[i].kind != NULL)
            kind->free(&c->devices[i]);
    if (kind->close_all != NULL)
        kind->close_all(c->spec, c->devices_own->have);
    free(c->devices);
    free(c->devices_own->unsettled);
    free(c->devices_own);
}

void device_measure(struct cluster *c, uint32_t device, int64_t end_ns, struct cluster_result *out)
{
    struct device_usage usage = {0};
    c->device_kind->close(&c->devices[device], end_ns, &usage);
    out->device_domain[device] = c->devices[device].domain;
    out->devices[device] = usage.done.time;
    out->shared.sm_ns += usage.done.sm_ns;
    out->shared.kernel_ns += usage.done.kernel_ns;
    out->shared.slowed_ns += usage.done.slowed_ns;
    out->shared.beyond_ns += usage.done.beyond_ns;
    out->shared.tensor_ns += usage.done.tensor_ns;
    out->shared.cuda_ns += usage.done.cuda_ns;
    out->shared.both_ns += usage.done.both_ns;
    out->shared_sms += usage.sms;
}

void devices_count_contention(const struct cluster *c, struct cluster_result *out)
{
    if (c->device_kind->count_all != NULL)
        c->device_kind->count_all(c->spec, c->devices_own->have, &out->contention);
}

int64_t cluster_switch_ns(const struct cluster_spec *spec, uint32_t profile,
                          struct host_allotment before, struct host_allotment now)
{
    const struct device_kind *kind = device_kind_of(spec);
    return kind->switch_ns != NULL ? kind->switch_ns(spec, profile, before, now) : 0;
}

bool device_switches(const struct cluster *c, const struct request *r, struct host_allotment a)
{
    const struct host_allotment *last = &r->quota.last;
    return c->device_kind->switch_ns != NULL && r->quota.held &&
           (last->mechanism != a.mechanism || last->sms != a.sms);
}

bool device_is_transfer(const struct cluster *c, const struct request *r)
{
    const struct device_kind *kind = c->device_kind;
    return kind->is_transfer != NULL &&
           kind->is_transfer(c->spec, c->domains[r->domain].profile, request_form(c, r), r->kernel);
}

void device_pledge_stop(struct device *dev, struct request *r, bool pledge, bool trap)
{
    if (r->stop.pledged == pledge)
        return;
    r->stop.pledged = pledge;
    if (pledge)
        r->stop.trap = trap || dev->kind->revokes_all;
    if (r->stop.trap)
        dev->traps_pledged += pledge ? 1 : -1;
}

/* ---- Events ---- */

void device_set_event(struct cluster *c, struct device *dev)
{
    const struct device_kind *kind = dev->kind;
    int64_t next_ns = kind->next_ns(dev);
    if (recording(c) && kind->gpu != NULL)
        record_rates(c, dev);
    if (dev->event != 0 && dev->event_ns == next_ns && !kind->renews_event)
        return;
    if (dev->event != 0)
        dcs_events_cancel(c->events, dev->event);
    dev->event = 0;
    if (next_ns == DCS_NEVER)
        return;
    if (next_ns >= DCS_TIME_MAX) {
        cluster_too_long(c);
        return;
    }
    dev->event_ns = next_ns;
    dev->event = dcs_events_add(c->events, next_ns, CLASS_DEVICE, EVENT_DEVICE, dev->index);
}

void device_changed(struct cluster *c, struct device *dev)
{
    enum host_device_state state = dev->kind->state(dev);
    device_show(c, dev);
    if (state != dev->state) {
        dev->state = state;
        dev->since_ns = c->now_ns;
    }
    if (!dev->kind->settles_late) {
        device_set_event(c, dev);
        return;
    }
    if (dev->unsettled)
        return;
    dev->unsettled = true;
    struct devices *all = c->devices_own;
    all->unsettled =
        dcs_grow(all->unsettled, &all->capacity, all->count + 1, sizeof *all->unsettled);
    all->unsettled[all->count++] = dev->index;
}

/* For a test, which shows that the order of settling changes no result. */
static void shuffle_unsettled(struct cluster *c)
{
    struct dcs_rng rng;
    dcs_rng_point(&rng, c->spec->probe->settle_seed, 0, DCS_RNG_SCRAMBLE, UINT32_MAX,
                  (uint64_t)c->now_ns, 0, 0);
    uint32_t *unsettled = c->devices_own->unsettled;
    for (size_t i = c->devices_own->count; i > 1; i--) {
        size_t k = (size_t)(dcs_rng_u64(&rng) % i);
        uint32_t device = unsettled[k];
        unsettled[k] = unsettled[i - 1];
        unsettled[i - 1] = device;
    }
}

void devices_settle(struct cluster *c)
{
    if (c->devices_own->count == 0)
        return;
    if (c->spec->probe != NULL && c->spec->probe->settle_seed != 0)
        shuffle_unsettled(c);
    struct devices *all = c->devices_own;
    for (size_t i = 0; i < all->count && !c->failed; i++) {
        struct device *dev = &c->devices[all->unsettled[i]];
        dev->unsettled = false;
        device_set_event(c, dev);
    }
    all->count = 0;
}
