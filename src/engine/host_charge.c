/*
 * host_charge.c - begins an action, and carries out what host_act.c found legal: at once, or when
 * what the scheduler has charged so far has passed. Until then the action is under way: its request
 * is pledged, and so is what it will take of a device. It is checked again when it takes effect,
 * and comes back through on_ready if the world has moved on.
 */
#include "engine/host_parts.h"

#include <stdlib.h>

/* A charged action that has not taken effect. */
struct pending_action {
    enum cluster_action action;
    req_id request;
    uint32_t domain, device;
    struct host_allotment allotment;
    req_id with; /* a fused launch: the other request */
    uint32_t way;
    int64_t iterations; /* of a chunk; of a quota: its work */
    uint32_t next_free;
};

struct charges {
    struct pending_action *slots;
    size_t capacity;
    uint32_t used, free;
};

void charges_create(struct cluster *c)
{
    c->charges = dcs_alloc(1, sizeof *c->charges);
    c->charges->free = NO_SLOT;
}

void charges_destroy(struct cluster *c)
{
    free(c->charges->slots);
    free(c->charges);
}

bool host_tell_action(struct domain *d, enum cluster_action action, req_id r, uint64_t detail)
{
    struct cluster *c = d->cluster;
    const struct cluster_probe *probe = c->spec->probe;
    if (!d->scheduler.in_callback) {
        cluster_fail(c, d, "an action outside a callback");
        return false;
    }
    if (probe != NULL && probe->action != NULL)
        probe->action(probe->context, c->now_ns, d->index, action, r, detail);
    if (recording(c))
        record_action(c, d, action, r, detail);
    return !c->failed;
}

/* Keeps an action until the charges so far have passed. */
static void postpone(struct domain *d, const struct pending_action *action)
{
    struct charges *all = d->cluster->charges;
    uint32_t slot = all->free;
    if (slot != NO_SLOT) {
        all->free = all->slots[slot].next_free;
    } else {
        slot = all->used++;
        all->slots = dcs_grow(all->slots, &all->capacity, all->used, sizeof *all->slots);
    }
    all->slots[slot] = *action;
    d->scheduler.charged++;
    dcs_events_add(d->cluster->events, d->scheduler.clock_ns, CLASS_ACTION, EVENT_ACTION, slot);
}

/* Its launch, drop or return is under way. */
static void pledge(struct request *r, uint32_t device)
{
    r->state = REQUEST_PLEDGED;
    r->device = device;
}

void host_carry_out_launch(struct domain *d, struct device *dev, struct device_launch *l)
{
    struct cluster *c = d->cluster;
    device_show(c, dev);
    if (dev->kind->claims)
        dev->kind->pledge(dev, l);
    if (d->scheduler.clock_ns <= c->now_ns) {
        life_launch(c, dev, l);
        return;
    }
    bool fused = l->parts == 2;
    postpone(d, &(struct pending_action){.action = fused ? CLUSTER_LAUNCH_FUSED : CLUSTER_LAUNCH,
                                         .request = l->part[0].id,
                                         .domain = d->index,
                                         .device = dev->index,
                                         .allotment = l->allotment,
                                         .with = fused ? l->part[1].id : 0,
                                         .way = l->way});
    for (uint32_t i = 0; i < l->parts; i++)
        pledge(request_find(c, l->part[i].id), dev->index);
    if (!dev->kind->claims)
        dev->kind->pledge(dev, l);
}

void host_carry_out_chunk(struct domain *d, struct device *dev, struct request *r,
                          struct device_launch *l)
{
    struct cluster *c = d->cluster;
    device_show(c, dev);
    request_division(&c->requests, r)->left -= (uint64_t)l->chunk.iterations;
    if (d->scheduler.clock_ns <= c->now_ns) {
        life_launch_chunk(c, dev, l);
        return;
    }
    postpone(d, &(struct pending_action){.action = CLUSTER_LAUNCH_CHUNK,
                                         .request = r->id,
                                         .domain = d->index,
                                         .device = dev->index,
                                         .allotment = l->allotment,
                                         .iterations = l->chunk.iterations});
    request_division(&c->requests, r)->pledged++;
    if (request_division(&c->requests, r)->running == 0)
        pledge(r, dev->index);
    dev->kind->pledge(dev, l);
}

void host_carry_out_resize(struct domain *d, struct device *dev, const struct device_launch *l)
{
    struct cluster *c = d->cluster;
    bool now = d->scheduler.clock_ns <= c->now_ns;
    device_show(c, dev);
    if (dev->kind->claims || !now)
        dev->kind->pledge(dev, l);
    if (now)
        life_resize(c, request_find(c, l->part[0].id), l->allotment);
    else
        postpone(d, &(struct pending_action){.action = CLUSTER_RESIZE,
                                             .request = l->part[0].id,
                                             .domain = d->index,
                                             .device = dev->index,
                                             .allotment = l->allotment});
}

static void set_quota(struct cluster *c, struct request *r, struct host_allotment where,
                      int64_t work_ns)
{
    struct device *dev = &c->devices[r->device];
    const char *why = dev->kind->set_quota(dev, c->now_ns, r->id, where, work_ns);
    if (why != NULL)
        cluster_fail(c, &c->domains[r->domain],
                     "quota: request %llu, %u SMs from %u on, %lld ns: %s",
                     (unsigned long long)r->id, where.sms, where.first_sm, (long long)work_ns, why);
    device_changed(c, dev);
}

void host_carry_out_quota(struct domain *d, struct request *r, struct host_allotment where,
                          int64_t work_ns)
{
    struct cluster *c = d->cluster;
    device_show(c, &c->devices[r->device]);
    if (d->scheduler.clock_ns <= c->now_ns)
        set_quota(c, r, where, work_ns);
    else
        postpone(d, &(struct pending_action){.action = CLUSTER_QUOTA,
                                             .request = r->id,
                                             .domain = d->index,
                                             .device = r->device,
                                             .allotment = where,
                                             .iterations = work_ns});
}

/* A trap takes all that is on its device. */
static void pledge_stop(struct cluster *c, struct request *r, bool pledge)
{
    bool trap = host_cost_of(&c->domains[r->domain], r)->mechanism == DCS_TRAP;
    device_pledge_stop(&c->devices[r->device], r, pledge, trap);
}

void host_carry_out(struct domain *d, enum cluster_action action, struct request *r)
{
    struct cluster *c = d->cluster;
    bool stays = action == CLUSTER_REVOKE;
    if (stays)
        device_show(c, &c->devices[r->device]);
    if (d->scheduler.clock_ns <= c->now_ns) {
        if (stays)
            life_stop(c, r);
        else if (action == CLUSTER_DROP)
            life_drop(c, r);
        else
            life_return(c, r);
        return;
    }
    postpone(d, &(struct pending_action){.action = action,
                                         .request = r->id,
                                         .domain = d->index,
                                         .device = stays ? r->device : UINT32_MAX});
    if (stays)
        pledge_stop(c, r, true);
    else
        pledge(r, UINT32_MAX);
}

/* A charged launch takes effect, if the device still allows it. */
static void apply_launch(struct cluster *c, const struct pending_action *action)
{
    struct device *dev = &c->devices[action->device];
    const struct device_kind *kind = dev->kind;
    bool fused = action->action == CLUSTER_LAUNCH_FUSED;
    struct request *r[] = {request_find(c, action->request),
                           fused ? request_find(c, action->with) : NULL};
    struct device_launch l;
    for (int i = 0; i < (fused ? 2 : 1); i++) {
        DCS_ASSERT(r[i] != NULL && r[i]->state == REQUEST_PLEDGED);
        r[i]->state = REQUEST_WAITING;
    }
    if (fused)
        life_prepare_fused(c, dev, r[0], r[1], action->way, &l);
    else
        life_prepare(c, dev, r[0], action->allotment, &l);
    if (!kind->claims)
        kind->unpledge(dev, &l);
    if (kind->claims || kind->refuses(dev, &l) == NULL) {
        life_launch(c, dev, &l);
        return;
    }
    for (uint32_t i = 0; i < l.parts; i++)
        notes_add(
            c, &c->domains[action->domain],
            (struct note){.kind = NOTE_READY, .about = i == 0 ? action->request : action->with});
}

/* Nothing can have come between: its device is pledged, and nothing is revoked there. */
static void apply_chunk(struct cluster *c, const struct pending_action *action)
{
    struct device *dev = &c->devices[action->device];
    struct request *r = request_find(c, action->request);
    struct device_launch l;
    DCS_ASSERT(r != NULL && request_division(&c->requests, r)->pledged > 0);
    life_prepare(c, dev, r, action->allotment, &l);
    l.chunk.iterations = action->iterations;
    dev->kind->unpledge(dev, &l);
    request_division(&c->requests, r)->pledged--;
    life_launch_chunk(c, dev, &l);
}

/* r: NULL if it is gone. Where its kernel has ended or was stopped meanwhile, nothing is resized.
 * Where it still runs, its device still allows the resize: since it did, kernels have ended, and
 * actions have taken effect that it had counted. */
static void apply_resize(struct cluster *c, const struct pending_action *action, struct request *r)
{
    struct device *dev = &c->devices[action->device];
    const struct device_launch l = {
        .part[0].id = action->request, .parts = 1, .allotment = action->allotment, .resizes = true};
    if (!dev->kind->claims)
        dev->kind->unpledge(dev, &l);
    if (r != NULL && r->state == REQUEST_RUNNING && r->device == action->device)
        life_resize(c, r, action->allotment);
}

void host_apply(struct cluster *c, uint32_t slot)
{
    struct charges *all = c->charges;
    struct pending_action a = all->slots[slot];
    all->slots[slot].next_free = all->free;
    all->free = slot;
    c->domains[a.domain].scheduler.charged--;
    if (a.device != UINT32_MAX)
        device_show(c, &c->devices[a.device]);
    struct request *r = request_find(c, a.request);
    if (a.action == CLUSTER_LAUNCH || a.action == CLUSTER_LAUNCH_FUSED) {
        apply_launch(c, &a);
        return;
    }
    if (a.action == CLUSTER_LAUNCH_CHUNK) {
        apply_chunk(c, &a);
        return;
    }
    if (a.action == CLUSTER_REVOKE) {
        /* It may have completed meanwhile; that took the pledge back. */
        if (r == NULL || !r->stop.pledged)
            return;
        pledge_stop(c, r, false);
        if (r->state == REQUEST_RUNNING && r->device == a.device)
            life_stop(c, r);
        return;
    }
    if (a.action == CLUSTER_QUOTA) {
        if (r != NULL && r->state == REQUEST_RUNNING && r->device == a.device)
            set_quota(c, r, a.allotment, a.iterations);
        return;
    }
    if (a.action == CLUSTER_RESIZE) {
        apply_resize(c, &a, r);
        return;
    }
    DCS_ASSERT(r != NULL && r->state == REQUEST_PLEDGED);
    r->state = REQUEST_WAITING;
    if (a.action == CLUSTER_DROP)
        life_drop(c, r);
    else
        life_return(c, r);
}
