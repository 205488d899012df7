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

void note_ring_grow(struct note_ring *q)
{
    uint32_t capacity = q->capacity == 0 ? 4 : 2 * q->capacity;
    struct note *items = dcs_alloc(capacity, sizeof *items);
    for (uint32_t i = 0; i < q->count; i++)
        items[i] = q->items[(q->first + i) & (q->capacity - 1)];
    free(q->items);
    *q = (struct note_ring){.items = items, .count = q->count, .capacity = capacity};
}

void notes_add_about(struct cluster *c, enum note_kind kind, uint32_t domain, uint64_t about)
{
    notes_add(c, &c->domains[domain], (struct note){.kind = (uint8_t)kind, .about = about});
}
