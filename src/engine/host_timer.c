/* host_timer.c - the timers of policies. A timer_id is generation << 32 | slot + 1: never reused.
 */
#include "engine/host_parts.h"

#include <stdlib.h>

struct timer {
    dcs_event_id event;
    uint64_t cookie;
    uint32_t domain;
    uint32_t generation;
    uint32_t next_free;
    bool armed; /* set, not taken back; stays true until the callback */
};

struct timers {
    struct timer *slots;
    size_t capacity;
    uint32_t used, free;
    uint64_t pending; /* events */
};

void timers_create(struct cluster *c)
{
    c->timers = dcs_alloc(1, sizeof *c->timers);
    c->timers->free = NO_SLOT;
}

void timers_destroy(struct cluster *c)
{
    free(c->timers->slots);
    free(c->timers);
}

uint64_t timers_pending(const struct cluster *c)
{
    return c->timers->pending;
}

void timers_mark_domains(const struct cluster *c, bool *has)
{
    for (uint32_t i = 0; i < c->timers->used; i++)
        if (c->timers->slots[i].armed && c->timers->slots[i].event != 0)
            has[c->timers->slots[i].domain] = true;
}

static uint32_t take_slot(struct timers *all)
{
    uint32_t slot = all->free;
    if (slot != NO_SLOT) {
        all->free = all->slots[slot].next_free;
        return slot;
    }
    slot = all->used++;
    all->slots = dcs_grow(all->slots, &all->capacity, all->used, sizeof *all->slots);
    return slot;
}

static void free_slot(struct timers *all, uint32_t slot)
{
    all->slots[slot].next_free = all->free;
    all->free = slot;
}

timer_id host_act_timer(struct host *h, int64_t at_ns, uint64_t cookie)
{
    struct domain *d = host_domain(h);
    struct cluster *c = d->cluster;
    if (!host_begin_action(d, CLUSTER_TIMER, cookie, (uint64_t)at_ns))
        return 0;
    if (!requests_have_room(c))
        return 0;
    uint32_t slot = take_slot(c->timers);
    struct timer *t = &c->timers->slots[slot];
    t->cookie = cookie;
    t->domain = d->index;
    t->armed = true;
    t->generation++;
    t->event = 0;
    if (at_ns != HOST_NEVER) {
        t->event = dcs_events_add(c->events, at_ns > c->now_ns ? at_ns : c->now_ns, CLASS_TIMER,
                                  EVENT_TIMER, slot);
        c->timers->pending++;
    }
    return (uint64_t)t->generation << 32 | (slot + 1);
}

bool timer_take(struct cluster *c, uint32_t slot, uint64_t *cookie)
{
    struct timer *t = &c->timers->slots[slot];
    bool armed = t->armed;
    *cookie = t->cookie;
    t->armed = false;
    free_slot(c->timers, slot);
    return armed;
}

void host_act_timer_cancel(struct host *h, timer_id id)
{
    struct domain *d = host_domain(h);
    struct timers *all = d->cluster->timers;
    uint32_t slot = (uint32_t)(id & UINT32_MAX) - 1;
    if (id == 0 || slot >= all->used)
        return;
    struct timer *t = &all->slots[slot];
    if (t->generation != id >> 32 || t->domain != d->index || !t->armed)
        return;
    t->armed = false;
    /* One that has fired keeps its slot until its note has been passed over. */
    bool pending = dcs_events_cancel(d->cluster->events, t->event);
    all->pending -= pending;
    if (pending || t->event == 0)
        free_slot(all, slot);
}

void host_timer_fires(struct cluster *c, uint32_t slot)
{
    c->timers->pending--;
    notes_add_about(c, NOTE_TIMER, c->timers->slots[slot].domain, slot);
}
