/* host_timer.c - the timers of policies. A timer_id is generation << 32 | slot + 1: never reused.
 */
#include "engine/host_parts.h"

timer_id host_act_timer(struct host *h, int64_t at_ns, uint64_t cookie)
{
    struct domain *d = host_domain(h);
    struct cluster *c = d->cluster;
    if (!host_begin_action(d, CLUSTER_TIMER, cookie, (uint64_t)at_ns))
        return 0;
    uint32_t slot = c->timers_free;
    if (slot != NO_SLOT) {
        c->timers_free = c->timers[slot].next_free;
    } else {
        slot = c->timers_used++;
        c->timers = dcs_grow(c->timers, &c->timers_capacity, c->timers_used, sizeof *c->timers);
    }
    if (!cluster_has_room(c))
        return 0;
    struct timer *t = &c->timers[slot];
    t->cookie = cookie;
    t->domain = d->index;
    t->armed = true;
    t->generation++;
    t->event = 0;
    if (at_ns != HOST_NEVER) {
        t->event = dcs_events_add(c->events, at_ns > c->now_ns ? at_ns : c->now_ns, CLASS_TIMER,
                                  EVENT_TIMER, slot);
        c->timers_pending++;
    }
    return (uint64_t)t->generation << 32 | (slot + 1);
}

void host_free_timer(struct cluster *c, uint32_t slot)
{
    c->timers[slot].next_free = c->timers_free;
    c->timers_free = slot;
}

void host_act_timer_cancel(struct host *h, timer_id id)
{
    struct domain *d = host_domain(h);
    struct cluster *c = d->cluster;
    uint32_t slot = (uint32_t)(id & UINT32_MAX) - 1;
    if (id == 0 || slot >= c->timers_used)
        return;
    struct timer *t = &c->timers[slot];
    if (t->generation != id >> 32 || t->domain != d->index || !t->armed)
        return;
    t->armed = false;
    /* One that has fired keeps its slot until its note has been passed over. */
    bool pending = dcs_events_cancel(c->events, t->event);
    c->timers_pending -= pending;
    if (pending || t->event == 0)
        host_free_timer(c, slot);
}

void host_timer_fires(struct cluster *c, uint32_t slot)
{
    struct timer *t = &c->timers[slot];
    c->timers_pending--;
    cluster_note(c, &c->domains[t->domain], &(struct note){.kind = NOTE_TIMER, .about = slot});
}
