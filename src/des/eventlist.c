/*
 * eventlist.c - a 4-ary heap with a hole. See eventlist.h for the contract.
 *
 * Three arrays. *heap* holds 16-byte keys and nothing else, so that a comparison reads only the
 * line that it must. *position* says for each slot where its key stands in the heap. *payload*
 * holds what the caller gets back. A slot belongs to one pending event; the last one freed is used
 * next, while it is still in the cache.
 *
 * A key is one 128-bit number: time above class above sequence above slot. Comparing two is a
 * subtract with borrow, and the least of four children is found without a branch, which could not
 * be predicted.
 *
 * The root stands at index 3, its children at 4..7, theirs at 8..23: the children of p start at
 * 4p - 8, always a multiple of four, hence of a cache line. Indices 0..2 are not used, and all
 * unused places hold the greatest number, so that four children may be compared where fewer exist.
 *
 * A slot's generation is the sequence number of its event. It is part of both the key and the id,
 * so an id is valid exactly if the key at its slot's position carries the same number.
 *
 * D-ary heaps and their cache lines: A. LaMarca, R. Ladner, "The influence of caches on the
 * performance of heaps", ACM JEA 1, 1996.
 */
#include "des/eventlist.h"

#include <stdlib.h>

#define SLOT_BITS     21
#define SEQUENCE_BITS 40
#define ID_BITS       (SLOT_BITS + SEQUENCE_BITS)
#define SLOTS_MAX     ((size_t)1 << SLOT_BITS)
#define SLOT_MASK     (SLOTS_MAX - 1)
#define ID_MASK       (((uint64_t)1 << ID_BITS) - 1)
#define ROOT          3u
#define NOWHERE       0u /* position of a slot that is not pending */
#define NO_SLOT       UINT32_MAX

typedef unsigned __int128 event_key;
#define UNUSED (~(event_key)0)

struct payload {
    uint64_t about;
    uint32_t kind;
    uint32_t next_free; /* while the slot is free */
};

struct dcs_events {
    event_key *heap;    /* places ROOT .. end - 1 are taken, the root perhaps by the hole */
    uint32_t *position; /* by slot */
    struct payload *payload;
    size_t end;
    bool hole; /* the root was given out and nothing has taken its place yet */
    uint32_t free_slot;
    size_t slots; /* capacity; the heap has room for as many, its first 3 and a whole last group */
    int64_t now_ns;
    uint64_t sequence; /* of the last event added; the first one has 1, so that no id is 0 */
    uint64_t taken;
};

static uint32_t slot_of(event_key key)
{
    return (uint32_t)((uint64_t)key & SLOT_MASK);
}

static uint64_t id_of(event_key key)
{
    return (uint64_t)key & ID_MASK;
}

static int64_t time_of(event_key key)
{
    return (int64_t)(uint64_t)(key >> 64);
}

/* Index of the least of the four keys from first on. Masks, since compilers turn ?: into a jump. */
static inline size_t least_of_four(const event_key *heap, size_t first)
{
    size_t a = first + (size_t)(heap[first + 1] < heap[first]);
    size_t b = first + 2 + (size_t)(heap[first + 3] < heap[first + 2]);
    return a ^ ((a ^ b) & (0 - (size_t)(heap[b] < heap[a])));
}

static inline void put(struct dcs_events *q, size_t place, event_key key)
{
    q->heap[place] = key;
    q->position[slot_of(key)] = (uint32_t)place;
}

/* Puts key at place or above, where its parent is less. */
static void sift_up(struct dcs_events *q, size_t place, event_key key)
{
    while (place > ROOT) {
        size_t parent = place / 4 + 2;
        if (q->heap[parent] < key)
            break;
        put(q, place, q->heap[parent]);
        place = parent;
    }
    put(q, place, key);
}

/* Puts key at place or below, where its children are greater. */
static void sift_down(struct dcs_events *q, size_t place, event_key key)
{
    for (size_t first; (first = 4 * place - 8) < q->end;) {
        size_t least = least_of_four(q->heap, first);
        event_key child = q->heap[least];
        if (key < child)
            break;
        put(q, place, child);
        place = least;
    }
    put(q, place, key);
}

/* Shortens the heap by its last place and returns the key from there. */
static event_key drop_last(struct dcs_events *q)
{
    event_key key = q->heap[--q->end];
    q->heap[q->end] = UNUSED;
    return key;
}

static void fill_hole(struct dcs_events *q)
{
    q->hole = false;
    event_key key = drop_last(q);
    if (q->end > ROOT)
        sift_down(q, ROOT, key);
}

static void free_slot(struct dcs_events *q, uint32_t slot)
{
    q->position[slot] = NOWHERE;
    q->payload[slot].next_free = q->free_slot;
    q->free_slot = slot;
}

static void grow(struct dcs_events *q)
{
    size_t before = q->slots;
    q->slots = before > 0 ? 2 * before : 64;
    DCS_ASSERT(q->slots <= SLOTS_MAX);

    size_t places = q->slots + 8;
    event_key *heap = dcs_alloc_aligned(64, places, sizeof *heap);
    for (size_t i = 0; i < places; i++)
        heap[i] = i < q->end ? q->heap[i] : UNUSED;
    free(q->heap);
    q->heap = heap;

    size_t capacity = before;
    q->position = dcs_grow(q->position, &capacity, q->slots, sizeof *q->position);
    capacity = before;
    q->payload = dcs_grow(q->payload, &capacity, q->slots, sizeof *q->payload);
    for (size_t slot = q->slots; slot-- > before;)
        free_slot(q, (uint32_t)slot);
}

struct dcs_events *dcs_events_create(void)
{
    struct dcs_events *q = dcs_alloc(1, sizeof *q);
    q->free_slot = NO_SLOT;
    grow(q);
    q->end = ROOT;
    return q;
}

void dcs_events_destroy(struct dcs_events *q)
{
    if (q == NULL)
        return;
    free(q->heap);
    free(q->position);
    free(q->payload);
    free(q);
}

dcs_event_id dcs_events_add(struct dcs_events *q, int64_t time_ns, uint32_t event_class,
                            uint32_t kind, uint64_t about)
{
    DCS_ASSERT(time_ns >= q->now_ns && time_ns < DCS_NEVER);
    DCS_ASSERT(event_class < 8);
    DCS_ASSERT(q->sequence < ((uint64_t)1 << SEQUENCE_BITS) - 2);
    if (q->free_slot == NO_SLOT)
        grow(q);
    uint32_t slot = q->free_slot;
    struct payload *payload = &q->payload[slot];
    q->free_slot = payload->next_free;
    payload->about = about;
    payload->kind = kind;

    uint64_t id = ++q->sequence << SLOT_BITS | slot;
    event_key key = (event_key)(uint64_t)time_ns << 64 | (uint64_t)event_class << ID_BITS | id;
    if (q->hole) {
        q->hole = false;
        sift_down(q, ROOT, key);
    } else {
        sift_up(q, q->end++, key);
    }
    return id;
}

bool dcs_events_cancel(struct dcs_events *q, dcs_event_id id)
{
    uint32_t slot = (uint32_t)(id & SLOT_MASK);
    if (id == 0 || slot >= q->slots || q->position[slot] == NOWHERE ||
        id_of(q->heap[q->position[slot]]) != id)
        return false;
    /* A hole may stay: its old key is less than all others, so that nothing moves into it. */
    size_t place = q->position[slot];
    event_key last = drop_last(q);
    if (place < q->end) {
        if (place > ROOT && last < q->heap[place / 4 + 2])
            sift_up(q, place, last);
        else
            sift_down(q, place, last);
    }
    free_slot(q, slot);
    return true;
}

bool dcs_events_next(struct dcs_events *q, struct dcs_event *out)
{
    if (q->hole)
        fill_hole(q);
    if (q->end == ROOT)
        return false;
    event_key key = q->heap[ROOT];
    DCS_ASSERT(time_of(key) >= q->now_ns);
    uint32_t slot = slot_of(key);
    *out = (struct dcs_event){
        .time_ns = time_of(key),
        .kind = q->payload[slot].kind,
        .about = q->payload[slot].about,
        .id = id_of(key),
    };
    free_slot(q, slot);
    q->hole = true;
    q->now_ns = out->time_ns;
    q->taken++;
    return true;
}

int64_t dcs_events_peek(const struct dcs_events *q)
{
    if (dcs_events_pending(q) == 0)
        return DCS_NEVER;
    return time_of(q->heap[q->hole ? least_of_four(q->heap, ROOT + 1) : ROOT]);
}

int64_t dcs_events_now(const struct dcs_events *q)
{
    return q->now_ns;
}

size_t dcs_events_pending(const struct dcs_events *q)
{
    return q->end - ROOT - q->hole;
}

uint64_t dcs_events_taken(const struct dcs_events *q)
{
    return q->taken;
}
