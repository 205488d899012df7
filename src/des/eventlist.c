/*
 * eventlist.c - a heap for what is soon and a ladder for the rest. See eventlist.h for the
 * contract.
 *
 *    now                                ladder.begin
 *     |  sorted:  17 18 18 21 22 25      |  ladder: in no order, see event_ladder.c
 *     |  heap:    19 17 24               |
 *
 * The next event is the less of the head of sorted and the root of the heap. An event that is added
 * goes into the heap if it is before ladder.begin, else into the ladder. When both are empty,
 * sorted is loaded from the ladder. When the heap has HEAP_MOST keys, most of what is before
 * ladder.begin goes back to the ladder. So a heap is all that there is while few events are
 * pending, and it is mostly empty where there are many. bench/hold finds the heap the faster of the
 * two below 200 keys, and no difference up to 800.
 *
 * A key is one 128-bit number: time above class above sequence above slot, so that comparing two is
 * a subtract with borrow. Its lower half is the id of the event. A slot belongs to one pending
 * event, whose id it holds; the last one freed is used next, while it is still in the cache.
 * *place* says where in the heap the key of a slot stands. A cancelled event is taken out of the
 * heap. Elsewhere its key stays, forgotten: its slot has another id. It is dropped when it comes
 * first, or with all others when there are more of them than pending events.
 *
 * The heap: four children of a key are a cache line, and the least of four is found without a
 * branch, which could not be predicted. The root stands at index 3, its children at 4..7, theirs at
 * 8..23: the children of p start at 4p - 8, a multiple of four. All unused places hold the greatest
 * number, so that four children may be compared where fewer exist. The hole that the next event
 * leaves at the root is kept for the next one added, so that both sift once.
 *
 * D-ary heaps and their cache lines: A. LaMarca, R. Ladner, "The influence of caches on the
 * performance of heaps", ACM JEA 1, 1996.
 */
#include "des/eventlist.h"

#include "des/event_ladder.h"

#include <stdlib.h>
#include <string.h>

#define SLOT_BITS      21
#define SEQUENCE_BITS  40
#define FIRST_SEQUENCE 2 /* so that ids are greater than any slot, and NO_SLOT */
#define SLOTS_MAX      ((size_t)1 << SLOT_BITS)
#define SLOT_MASK      (SLOTS_MAX - 1)
#define NO_SLOT        ((uint32_t)SLOTS_MAX)
#define NEVER_TAKEN    UINT32_MAX /* no kind: of a slot */
#define ROOT           3u
#define HEAP_MOST      192 /* keys */
#define HEAP_PLACES    (ROOT + HEAP_MOST + 5)
#define LATEST         DCS_KEY_LATEST
#define FORGOTTEN_MOST 256 /* beside as many as are pending */
_Static_assert(SLOT_BITS + SEQUENCE_BITS == DCS_KEY_CLASS_SHIFT, "an id fills half a key");

typedef dcs_event_key event_key;

struct slot {
    uint64_t id; /* of a free slot: the next free one */
    uint64_t about;
    uint32_t kind;
};

struct dcs_events {
    /* Places ROOT .. heap_end - 1 are taken, the root perhaps by the hole; LATEST elsewhere. */
    _Alignas(64) event_key heap[HEAP_PLACES];
    struct dcs_ladder ladder;
    const event_key *next; /* of sorted */
    size_t heap_end;
    bool hole; /* the root was given out and nothing has taken its place yet */
    uint32_t free_slot;
    struct slot *slots;
    uint32_t *place; /* by slot; of a slot whose key is elsewhere it says nothing */
    size_t slots_count;

    int64_t now_ns;
    uint64_t sequence; /* of the last event added */
    uint64_t taken, cancelled;
    size_t forgotten; /* keys of cancelled events in sorted and in the ladder */
    event_key sorted[DCS_LADDER_LOAD_MOST + 1]; /* LATEST behind the last */
};

static uint32_t slot_of(event_key key)
{
    return (uint32_t)((uint64_t)key & SLOT_MASK);
}

/* ---- The heap ---- */

/* Index of the least of the four keys from first on. Masks, since compilers turn ?: into a jump. */
static inline size_t least_of_four(const event_key *heap, size_t first)
{
    size_t a = first + (size_t)(heap[first + 1] < heap[first]);
    size_t b = first + 2 + (size_t)(heap[first + 3] < heap[first + 2]);
    return a ^ ((a ^ b) & (0 - (size_t)(heap[b] < heap[a])));
}

static inline void put_key(struct dcs_events *q, size_t place, event_key key)
{
    q->heap[place] = key;
    q->place[slot_of(key)] = (uint32_t)place;
}

/* Puts key at place or above, where its parent is less. */
static __attribute__((noinline)) void sift_up(struct dcs_events *q, size_t place, event_key key)
{
    while (place > ROOT) {
        size_t parent = place / 4 + 2;
        if (q->heap[parent] < key)
            break;
        put_key(q, place, q->heap[parent]);
        place = parent;
    }
    put_key(q, place, key);
}

/* Puts key at place or below, where its children are greater. */
static void sift_down(struct dcs_events *q, size_t place, event_key key)
{
    for (size_t first; (first = 4 * place - 8) < q->heap_end;) {
        size_t least = least_of_four(q->heap, first);
        event_key child = q->heap[least];
        if (key < child)
            break;
        put_key(q, place, child);
        place = least;
    }
    put_key(q, place, key);
}

/* Shortens the heap by its last place and returns the key from there. */
static event_key drop_last(struct dcs_events *q)
{
    event_key key = q->heap[--q->heap_end];
    q->heap[q->heap_end] = LATEST;
    return key;
}

static void fill_hole(struct dcs_events *q)
{
    q->hole = false;
    event_key key = drop_last(q);
    if (q->heap_end > ROOT)
        sift_down(q, ROOT, key);
}

static void remove_from_heap(struct dcs_events *q, size_t place)
{
    /* A hole may stay: its old key is less than all others, so that nothing moves into it. */
    event_key last = drop_last(q);
    if (place == q->heap_end)
        return;
    if (place > ROOT && last < q->heap[place / 4 + 2])
        sift_up(q, place, last);
    else
        sift_down(q, place, last);
}

/* ---- Beside the heap ---- */

static bool is_pending(const void *events, event_key key)
{
    const struct dcs_events *q = events;
    return q->slots[slot_of(key)].id == (uint64_t)key;
}

/* The heap is full. The first keys of it and sorted stay, in order; the others go back. */
static void empty_heap(struct dcs_events *q)
{
    event_key keys[HEAP_MOST + DCS_LADDER_LOAD_MOST + 1];
    size_t n = 0;
    for (;; n++) {
        if (q->hole)
            fill_hole(q);
        q->hole = q->heap[ROOT] < *q->next;
        keys[n] = q->hole ? q->heap[ROOT] : *q->next;
        if (keys[n] == LATEST)
            break;
        q->next += !q->hole;
    }
    const size_t stay = DCS_LADDER_LOAD_MOST;
    memcpy(q->sorted, keys, stay * sizeof *keys);
    q->sorted[stay] = LATEST;
    q->next = q->sorted;
    dcs_ladder_put_back(&q->ladder, &keys[stay], n - stay);
}

static __attribute__((noinline)) void add_beside_heap(struct dcs_events *q, event_key key)
{
    if (key < q->ladder.begin)
        empty_heap(q);
    if (key < q->ladder.begin)
        sift_up(q, q->heap_end++, key);
    else
        dcs_ladder_add(&q->ladder, key);
}

static void load_sorted(struct dcs_events *q)
{
    size_t n = dcs_ladder_load(&q->ladder, q->sorted);
    for (size_t i = 0; i < n; i++)
        __builtin_prefetch(&q->slots[slot_of(q->sorted[i])], 1);
    q->sorted[n] = LATEST;
    q->next = q->sorted;
}

/* The next key, if it is not the root of the heap, which is near and not before the head of sorted.
 * Else LATEST. */
static __attribute__((noinline)) event_key find_sorted(struct dcs_events *q, event_key near)
{
    for (;;) {
        event_key key = *q->next;
        if (near < key)
            return LATEST;
        if (key == LATEST) {
            load_sorted(q);
            if (*q->next == LATEST)
                return LATEST;
        } else if (is_pending(q, key)) {
            return key;
        } else {
            q->next++;
            q->forgotten--;
        }
    }
}

/* The same, where mostly the head is pending. */
static inline event_key look_at_sorted(struct dcs_events *q, event_key near)
{
    event_key key = *q->next;
    if (near < key)
        return LATEST;
    return key < LATEST && is_pending(q, key) ? key : find_sorted(q, near);
}

static void drop_forgotten(struct dcs_events *q)
{
    size_t n = 0;
    for (; *q->next != LATEST; q->next++)
        if (is_pending(q, *q->next))
            q->sorted[n++] = *q->next;
    q->sorted[n] = LATEST;
    q->next = q->sorted;
    dcs_ladder_filter(&q->ladder, is_pending, q);
    q->forgotten = 0;
}

/* ---- What callers see ---- */

static void free_slot(struct dcs_events *q, uint32_t slot)
{
    q->slots[slot].id = q->free_slot;
    q->free_slot = slot;
}

static __attribute__((noinline)) void grow_slots(struct dcs_events *q)
{
    size_t before = q->slots_count, capacity = before;
    DCS_ASSERT(before < SLOTS_MAX);
    q->slots = dcs_grow(q->slots, &q->slots_count, before > 0 ? 2 * before : 64, sizeof *q->slots);
    q->place = dcs_grow(q->place, &capacity, q->slots_count, sizeof *q->place);
    for (size_t slot = q->slots_count; slot-- > before;) {
        q->slots[slot].kind = NEVER_TAKEN;
        free_slot(q, (uint32_t)slot);
    }
}

struct dcs_events *dcs_events_create(void)
{
    struct dcs_events *q = dcs_alloc_aligned(64, 1, sizeof *q);
    for (size_t i = 0; i < HEAP_PLACES; i++)
        q->heap[i] = LATEST;
    q->heap_end = ROOT;
    q->sorted[0] = LATEST;
    q->next = q->sorted;
    q->free_slot = NO_SLOT;
    q->sequence = FIRST_SEQUENCE - 1;
    dcs_ladder_init(&q->ladder);
    return q;
}

void dcs_events_destroy(struct dcs_events *q)
{
    if (q == NULL)
        return;
    dcs_ladder_release(&q->ladder);
    free(q->slots);
    free(q->place);
    free(q);
}

dcs_event_id dcs_events_add(struct dcs_events *q, int64_t time_ns, uint32_t event_class,
                            uint32_t kind, uint64_t about)
{
    DCS_ASSERT(time_ns >= q->now_ns && time_ns < DCS_NEVER);
    DCS_ASSERT(event_class < DCS_KEY_CLASSES && kind != NEVER_TAKEN);
    DCS_ASSERT(q->sequence < ((uint64_t)1 << SEQUENCE_BITS) - 2);
    if (q->free_slot == NO_SLOT)
        grow_slots(q);
    uint32_t slot = q->free_slot;
    struct slot *s = &q->slots[slot];
    q->free_slot = (uint32_t)s->id;
    s->id = (uint64_t)event_class << DCS_KEY_CLASS_SHIFT | ++q->sequence << SLOT_BITS | slot;
    s->about = about;
    s->kind = kind;

    event_key key = (event_key)(uint64_t)time_ns << DCS_KEY_TIME_SHIFT | s->id;
    if (!(key < q->ladder.begin) || (!q->hole && q->heap_end == ROOT + HEAP_MOST)) {
        add_beside_heap(q, key);
    } else if (q->hole) {
        q->hole = false;
        sift_down(q, ROOT, key);
    } else {
        sift_up(q, q->heap_end++, key);
    }
    return (uint64_t)key;
}

bool dcs_events_cancel(struct dcs_events *q, dcs_event_id id)
{
    uint32_t slot = (uint32_t)(id & SLOT_MASK);
    if (slot >= q->slots_count || q->slots[slot].id != id)
        return false;
    uint32_t place = q->place[slot];
    free_slot(q, slot);
    q->cancelled++;
    if (place < q->heap_end && (uint64_t)q->heap[place] == id)
        remove_from_heap(q, place);
    else if (++q->forgotten > dcs_events_pending(q) + FORGOTTEN_MOST)
        drop_forgotten(q);
    return true;
}

/* Takes the next event if its key is less than `end`. */
static inline bool take_next(struct dcs_events *q, event_key end, struct dcs_event *out)
{
    if (q->hole)
        fill_hole(q);
    event_key key = q->heap[ROOT], other = look_at_sorted(q, key);
    bool beside = other < key;
    if (beside)
        key = other;
    if (!(key < end))
        return false;
    q->next += beside;
    q->hole = !beside;
    DCS_ASSERT(dcs_key_time(key) >= q->now_ns);
    uint32_t slot = slot_of(key);
    *out = (struct dcs_event){
        .time_ns = dcs_key_time(key),
        .kind = q->slots[slot].kind,
        .about = q->slots[slot].about,
        .id = (uint64_t)key,
    };
    free_slot(q, slot);
    q->now_ns = out->time_ns;
    q->taken++;
    return true;
}

bool dcs_events_next(struct dcs_events *q, struct dcs_event *out)
{
    return take_next(q, LATEST, out);
}

/* Whether a key is at end_ns or later; LATEST is. */
static inline bool is_later(event_key key, int64_t end_ns)
{
    return (uint64_t)(key >> DCS_KEY_TIME_SHIFT) >= (uint64_t)end_ns;
}

/* Whether all keys of the heap are; where the root is a hole, its four children tell. */
static inline bool heap_is_later(const struct dcs_events *q, int64_t end_ns)
{
    const event_key *at = &q->heap[ROOT];
    return q->hole ? is_later(at[1], end_ns) && is_later(at[2], end_ns) &&
                         is_later(at[3], end_ns) && is_later(at[4], end_ns)
                   : is_later(at[0], end_ns);
}

static __attribute__((noinline)) bool take_before(struct dcs_events *q, int64_t end_ns,
                                                  struct dcs_event *out)
{
    return take_next(q, (event_key)(uint64_t)end_ns << DCS_KEY_TIME_SHIFT, out);
}

/* Mostly it is asked at the end of an instant whether anything else is to happen then: the hole
 * stays for what is added next. What lies in the ladder is behind all keys elsewhere, if there are
 * any. */
bool dcs_events_next_before(struct dcs_events *q, int64_t end_ns, struct dcs_event *out)
{
    bool any = *q->next != LATEST || q->heap_end > ROOT + q->hole;
    bool later = any && is_later(*q->next, end_ns) && heap_is_later(q, end_ns);
    return !later && take_before(q, end_ns, out);
}

int64_t dcs_events_peek(struct dcs_events *q)
{
    event_key key = q->heap[q->hole ? least_of_four(q->heap, ROOT + 1) : ROOT];
    event_key other = look_at_sorted(q, key);
    key = other < key ? other : key;
    return key == LATEST ? DCS_NEVER : dcs_key_time(key);
}

int64_t dcs_events_now(const struct dcs_events *q)
{
    return q->now_ns;
}

size_t dcs_events_pending(const struct dcs_events *q)
{
    return q->sequence - (FIRST_SEQUENCE - 1) - q->taken - q->cancelled;
}

/* A slot is taken for the first time when all before it are taken. */
size_t dcs_events_most(const struct dcs_events *q)
{
    size_t n = q->slots_count;
    while (n > 0 && q->slots[n - 1].kind == NEVER_TAKEN)
        n--;
    return n;
}

uint64_t dcs_events_taken(const struct dcs_events *q)
{
    return q->taken;
}
