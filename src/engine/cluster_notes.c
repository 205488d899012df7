/* cluster_notes.c - notes: callbacks that are still to be made, kept by domain. */
#include "engine/cluster_state.h"

#include <stdlib.h>

void notes_destroy(struct cluster *c)
{
    for (uint32_t i = 0; i < c->spec->domains_count; i++) {
        free(c->domains[i].notes.gone.items);
        free(c->domains[i].notes.arrivals.items);
        free(c->domains[i].notes.rest.items);
    }
    free(c->notes.domains);
}

void notes_list_domain(struct cluster *c, struct domain *d)
{
    struct notes *all = &c->notes;
    if (d->notes.listed)
        return;
    d->notes.listed = true;
    all->domains = dcs_grow(all->domains, &all->capacity, all->count + 1, sizeof *all->domains);
    all->domains[all->count++] = d->index;
}

void notes_deliver(struct cluster *c, void (*deliver)(struct cluster *c, struct domain *d))
{
    for (size_t i = 0; i < c->notes.count && !c->failed; i++) {
        struct domain *d = &c->domains[c->notes.domains[i]];
        deliver(c, d);
        d->notes.listed = false;
    }
    c->notes.count = 0;
}

static __attribute__((noinline)) void grow_ring(struct note_ring *q)
{
    uint32_t capacity = q->capacity == 0 ? 4 : 2 * q->capacity;
    struct note *items = dcs_alloc(capacity, sizeof *items);
    for (uint32_t i = 0; i < q->count; i++)
        items[i] = q->items[(q->first + i) & (q->capacity - 1)];
    free(q->items);
    *q = (struct note_ring){.items = items, .count = q->count, .capacity = capacity};
}

static inline void push_note(struct note_ring *q, const struct note *n, uint32_t event)
{
    if (q->count == q->capacity)
        grow_ring(q);
    struct note *item = &q->items[(q->first + q->count++) & (q->capacity - 1)];
    *item = *n;
    item->event = event;
}

static struct note_ring *choose_ring(const struct cluster *c, struct domain *d,
                                     const struct note *n)
{
    if (n->kind == NOTE_GONE)
        return &d->notes.gone;
    if (n->kind == NOTE_READY && n->flag && c->spec->instant == CLUSTER_ARRIVALS_FIRST)
        return &d->notes.arrivals;
    return &d->notes.rest;
}

void notes_add(struct cluster *c, struct domain *d, const struct note *about)
{
    push_note(choose_ring(c, d, about), about, c->notes.event);
    notes_list_domain(c, d);
}

void notes_add_about(struct cluster *c, enum note_kind kind, uint32_t domain, uint64_t about)
{
    notes_add(c, &c->domains[domain], &(struct note){.kind = (uint8_t)kind, .about = about});
}
