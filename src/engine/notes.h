/* notes.h - callbacks that are still to be made, kept by domain; cluster_notes.c. */
#ifndef DCS_ENGINE_NOTES_H
#define DCS_ENGINE_NOTES_H

#include "des/base.h"

enum note_kind { NOTE_READY, NOTE_COMPLETE, NOTE_GONE, NOTE_TIMER, NOTE_JOB, NOTE_QUOTA };

/* A callback that is still to be made. */
struct note {
    uint64_t about;  /* request, timer slot, job */
    uint32_t device; /* NOTE_QUOTA: the first SM */
    uint8_t kind;    /* enum note_kind */
    bool flag;       /* request done; job begins; request is fresh */
    uint32_t event;  /* the number of the event that it comes from */
};

/* A first-in first-out ring; capacity is 0 or a power of two. */
struct note_ring {
    struct note *items;
    uint32_t first, count, capacity;
};

struct domain_notes {
    struct note_ring gone;     /* on_gone comes before all else: no policy acts on the departed */
    struct note_ring arrivals; /* fresh requests, of CLUSTER_ARRIVALS_FIRST */
    struct note_ring rest;     /* in the order in which it happened */
    uint32_t count;            /* of the three */
    bool listed;               /* among the domains with notes */
};

struct notes {
    uint32_t *domains; /* with notes, in the order in which they got the first */
    size_t count, capacity;
    uint64_t taken; /* at this instant, but for those about jobs */
    uint64_t most;  /* that have been taken at an instant before it */
    uint32_t event; /* counts those that were handled; goes round */
};

struct cluster;
struct domain;

void notes_destroy(struct cluster *c);
void notes_add_about(struct cluster *c, enum note_kind kind, uint32_t domain, uint64_t about);
void note_ring_grow(struct note_ring *q); /* to twice its capacity */

/* The domain with this index and these notes has something to hear, or can hear again. */
static inline void notes_list(struct notes *all, struct domain_notes *of, uint32_t domain)
{
    if (of->listed)
        return;
    of->listed = true;
    all->domains = dcs_grow(all->domains, &all->capacity, all->count + 1, sizeof *all->domains);
    all->domains[all->count++] = domain;
}

/* Adds a note of the present event at the end of a ring. */
static inline void note_ring_push(const struct notes *all, struct domain_notes *of,
                                  struct note_ring *q, struct note n)
{
    if (q->count == q->capacity)
        note_ring_grow(q);
    of->count++;
    n.event = all->event;
    q->items[(q->first + q->count++) & (q->capacity - 1)] = n;
}

/* "on_ready": static text. */
static inline const char *note_callback(enum note_kind kind)
{
    static const char *const names[] = {
        [NOTE_READY] = "on_ready", [NOTE_COMPLETE] = "on_complete", [NOTE_GONE] = "on_gone",
        [NOTE_TIMER] = "on_timer", [NOTE_JOB] = "on_job",           [NOTE_QUOTA] = "on_quota"};
    return names[kind];
}

/* Where the first note is, of which there is one. */
static inline struct note_ring *notes_ring(struct domain_notes *n)
{
    if (n->gone.count > 0)
        return &n->gone;
    return n->arrivals.count > 0 ? &n->arrivals : &n->rest;
}

/* NULL: there is none. */
static inline const struct note *notes_first(struct domain_notes *n)
{
    const struct note_ring *q = n->count > 0 ? notes_ring(n) : NULL;
    return q != NULL ? &q->items[q->first] : NULL;
}

/* How many requests have left that the policy has not been told of. */
static inline size_t notes_of_departed(const struct domain_notes *n)
{
    return n->gone.count;
}

/* Takes the first note, of which there is one. Returns how many have been taken at this instant,
 * but for those about jobs. */
static inline uint64_t notes_take(struct notes *all, struct domain_notes *of, struct note *out)
{
    struct note_ring *q = notes_ring(of);
    *out = q->items[q->first];
    q->first = (q->first + 1) & (q->capacity - 1);
    q->count--;
    of->count--;
    all->taken += out->kind != NOTE_JOB;
    return all->taken;
}

/* Notes that are added from here on come from another event; ... */
static inline void notes_next_event(struct notes *all)
{
    all->event++;
}

/* ... and those that are taken are counted anew. */
static inline void notes_next_instant(struct notes *all)
{
    if (all->taken > all->most)
        all->most = all->taken;
    all->taken = 0;
}

/* How many were taken at one instant, since it was asked last. */
static inline uint64_t notes_most(struct notes *all)
{
    notes_next_instant(all);
    uint64_t most = all->most;
    all->most = 0;
    return most;
}

#endif
