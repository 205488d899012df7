/* cluster_notes.c - notes: callbacks that are still to be made, kept by domain. */
#include "engine/cluster_state.h"

#include <stdlib.h>

void cluster_mark_dirty(struct cluster *c, struct domain *d)
{
    if (d->dirty)
        return;
    d->dirty = true;
    c->dirty = dcs_grow(c->dirty, &c->dirty_capacity, c->dirty_count + 1, sizeof *c->dirty);
    c->dirty[c->dirty_count++] = d->index;
}

static void push_note(struct notes *q, const struct note *n)
{
    if (q->count == q->capacity) {
        size_t capacity = q->capacity == 0 ? 16 : 2 * q->capacity;
        struct note *items = dcs_alloc(capacity, sizeof *items);
        for (size_t i = 0; i < q->count; i++)
            items[i] = q->items[(q->first + i) & (q->capacity - 1)];
        free(q->items);
        *q = (struct notes){.items = items, .count = q->count, .capacity = capacity};
    }
    q->items[(q->first + q->count++) & (q->capacity - 1)] = *n;
}

void cluster_note(struct cluster *c, struct domain *d, const struct note *about)
{
    struct note n = *about;
    n.event = c->event;
    if (n.kind == NOTE_GONE)
        push_note(&d->gone, &n);
    else if (n.kind == NOTE_READY && n.flag && c->spec->instant == CLUSTER_ARRIVALS_FIRST)
        push_note(&d->arrivals, &n);
    else
        push_note(&d->notes, &n);
    cluster_mark_dirty(c, d);
}

void cluster_note_about(struct cluster *c, enum note_kind kind, uint32_t domain, uint64_t about)
{
    cluster_note(c, &c->domains[domain], &(struct note){.kind = (uint8_t)kind, .about = about});
}
