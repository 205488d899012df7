/*
 * host_charge.c - carries out what host_act.c found legal: at once, or when what the scheduler has
 * charged so far has passed. Until then the action is under way: its request is pledged, and so is
 * what it will take of a device. It is checked again when it takes effect, and comes back through
 * on_ready if the world has moved on.
 */
#include "engine/host_parts.h"

/* A charged revocation is under way, or no longer. */
static void pledge_stop(const struct domain *d, struct device *dev, struct request *r, bool pledge)
{
    DCS_ASSERT(dev != NULL);
    if (dev->shared != NULL) {
        shared_pledge_stop(dev, r, pledge, host_cost_of(d, r)->mechanism == DCS_TRAP);
        return;
    }
    r->stop_pledged = pledge;
    dev->stop_pledged = pledge;
}

/* Keeps an action until the charges so far have passed. */
static void postpone(struct domain *d, const struct pending_action *action)
{
    struct cluster *c = d->cluster;
    uint32_t slot = c->actions_free;
    if (slot != NO_SLOT) {
        c->actions_free = c->actions[slot].next_free;
    } else {
        slot = c->actions_used++;
        c->actions =
            dcs_grow(c->actions, &c->actions_capacity, c->actions_used, sizeof *c->actions);
    }
    c->actions[slot] = *action;
    d->charged++;
    dcs_events_add(c->events, d->clock_ns, CLASS_ACTION, EVENT_ACTION, slot);
}

static void pledge(struct cluster *c, struct request *r, uint32_t device, struct host_allotment a)
{
    struct device *dev = device != UINT32_MAX ? &c->devices[device] : NULL;
    r->state = REQUEST_PLEDGED;
    r->device = device;
    if (dev != NULL && dev->shared != NULL)
        shared_pledge(c, dev, r, a);
    else if (dev != NULL && dev->cpu == NULL)
        dev->pledged = r->id;
}

void host_carry_out(struct domain *d, enum cluster_action action, struct request *r,
                    uint32_t device, struct host_allotment a)
{
    struct cluster *c = d->cluster;
    struct device *dev = device != UINT32_MAX ? &c->devices[device] : NULL;
    if (dev != NULL)
        cluster_device_changed(c, dev);
    if (dev != NULL && dev->cpu != NULL)
        cpu_claim(c, dev, r, a);
    if (d->clock_ns <= c->now_ns) {
        if (action == CLUSTER_LAUNCH)
            cluster_launch(c, r, dev, a);
        else if (action == CLUSTER_RESIZE)
            cpu_resize(c, r, a);
        else if (action == CLUSTER_REVOKE)
            cluster_stop(c, r);
        else if (action == CLUSTER_DROP)
            cluster_drop(c, r);
        else
            cluster_return(c, r);
        return;
    }
    postpone(d, &(struct pending_action){.action = action,
                                         .request = r->id,
                                         .domain = d->index,
                                         .device = device,
                                         .allotment = a});
    if (action == CLUSTER_REVOKE)
        pledge_stop(d, dev, r, true);
    else if (action != CLUSTER_RESIZE)
        pledge(c, r, device, a);
}

/* Of a fused launch that is under way the second part gets no SMs beside those of the first. */
static const struct host_allotment whole_device = {.mechanism = HOST_WHOLE};
static const struct host_allotment rides = {.mechanism = HOST_MPS};

void host_carry_out_fused(struct domain *d, struct request *a, struct request *b, uint32_t device,
                          uint32_t way)
{
    struct cluster *c = d->cluster;
    cluster_device_changed(c, &c->devices[device]);
    if (d->clock_ns <= c->now_ns) {
        shared_launch_fused(c, a, b, &c->devices[device], way);
        return;
    }
    postpone(d, &(struct pending_action){.action = CLUSTER_LAUNCH_FUSED,
                                         .request = a->id,
                                         .domain = d->index,
                                         .device = device,
                                         .with = b->id,
                                         .way = way});
    pledge(c, a, device, whole_device);
    pledge(c, b, device, rides);
}

static bool may_launch(const struct cluster *c, const struct device *dev, const struct request *r,
                       struct host_allotment a)
{
    DCS_ASSERT(dev != NULL);
    if (dev->shared != NULL)
        return shared_refuses(c, dev, r, a) == NULL;
    if (dev->cpu != NULL)
        return true; /* it has claimed its share */
    return dev->truth.phase == DCS_DEVICE_IDLE;
}

/* A charged fused launch takes effect, or neither of its kernels starts. */
static void apply_fused(struct cluster *c, const struct pending_action *action)
{
    struct device *dev = &c->devices[action->device];
    struct request *r[] = {cluster_request(c, action->request), cluster_request(c, action->with)};
    for (int i = 0; i < 2; i++) {
        DCS_ASSERT(r[i] != NULL && r[i]->state == REQUEST_PLEDGED);
        shared_unpledge(c, dev, r[i], i == 0 ? whole_device : rides);
        r[i]->state = REQUEST_WAITING;
    }
    if (shared_refuses_fused(c, dev, r[0], r[1], action->way) == NULL) {
        shared_launch_fused(c, r[0], r[1], dev, action->way);
        return;
    }
    for (int i = 0; i < 2; i++)
        cluster_note(c, &c->domains[action->domain],
                     &(struct note){.kind = NOTE_READY, .about = r[i]->id});
}

void host_apply(struct cluster *c, uint32_t slot)
{
    struct pending_action a = c->actions[slot];
    c->actions[slot].next_free = c->actions_free;
    c->actions_free = slot;
    c->domains[a.domain].charged--;
    struct device *dev = a.device != UINT32_MAX ? &c->devices[a.device] : NULL;
    if (dev != NULL)
        cluster_device_changed(c, dev);
    if (a.action == CLUSTER_LAUNCH_FUSED) {
        apply_fused(c, &a);
        return;
    }
    struct request *r = cluster_request(c, a.request);
    if (a.action == CLUSTER_REVOKE) {
        /* It may have completed meanwhile; that took the pledge back. */
        if (r == NULL || !r->stop_pledged)
            return;
        pledge_stop(&c->domains[a.domain], dev, r, false);
        if (r->state == REQUEST_RUNNING && r->device == a.device)
            cluster_stop(c, r);
        return;
    }
    if (a.action == CLUSTER_RESIZE) {
        if (r != NULL && r->state == REQUEST_RUNNING && r->device == a.device)
            cpu_resize(c, r, a.allotment); /* else it has completed meanwhile */
        return;
    }
    DCS_ASSERT(r != NULL && r->state == REQUEST_PLEDGED);
    if (dev != NULL && dev->shared != NULL)
        shared_unpledge(c, dev, r, a.allotment);
    else if (dev != NULL)
        dev->pledged = 0;
    r->state = REQUEST_WAITING;
    if (a.action == CLUSTER_DROP)
        cluster_drop(c, r);
    else if (a.action == CLUSTER_RETURN)
        cluster_return(c, r);
    else if (may_launch(c, dev, r, a.allotment))
        cluster_launch(c, r, dev, a.allotment);
    else
        cluster_note(c, &c->domains[a.domain], &(struct note){.kind = NOTE_READY, .about = r->id});
}
