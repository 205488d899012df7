/*
 * contention.c - see contention.h: sets and their memory. contention_solve.c solves them.
 */
#include "models/gpu/contention_solve.h"

#include <stdlib.h>
#include <string.h>

#define NEAR_MAX   4 /* kernels of a set that fills a cache line */
#define PLACES_MIN (1u << 6)
#define PLACES_MAX (1u << 21) /* 128 MiB of places */

#define SLOTS_MIN   (1u << 6)
#define ENTRIES_MAX (1u << 21)
#define WORDS_MAX   (1u << 24) /* 128 MiB of larger sets */

/* ---- sets ---- */

/* Fills keys, ascending, and position[i], where keys[i] stands in the set. */
static void sort_set(const struct dcs_presser *set, uint32_t n, uint64_t *keys, uint32_t *position)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t key = contention_key(&set[i]);
        uint32_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--) {
            keys[at] = keys[at - 1];
            position[at] = position[at - 1];
        }
        keys[at] = key;
        position[at] = i;
    }
}

/* Whether there is anything to solve; if not, all slow-downs are 1. */
static bool needs_solving(const struct dcs_spatial *s, uint32_t n, double *slowdown)
{
    DCS_ASSERT(n <= DCS_TOGETHER_MAX);
    if (n > 1 && s->resources_count > 0)
        return true;
    for (uint32_t i = 0; i < n; i++)
        slowdown[i] = 1;
    return false;
}

void dcs_contention_solve(const struct dcs_spatial *s, const struct dcs_presser *set, uint32_t n,
                          double *slowdown, uint32_t *iterations)
{
    uint64_t keys[DCS_TOGETHER_MAX];
    uint32_t position[DCS_TOGETHER_MAX], loads = 0;
    double found[DCS_TOGETHER_MAX], measured_to[DCS_TOGETHER_MAX];
    if (needs_solving(s, n, slowdown)) {
        sort_set(set, n, keys, position);
        loads = contention_solve_set(s, keys, n, found, measured_to);
        for (uint32_t i = 0; i < n; i++)
            slowdown[position[i]] = found[i];
    }
    if (iterations != NULL)
        *iterations = loads;
}

/* ---- remembering ---- */

/* A set of few kernels with its slow-downs, in one cache line: to look it up costs one wait for
 * memory. Keys beyond the set are 0; so is the first key of an empty place. */
struct place {
    uint64_t keys[NEAR_MAX];
    double slowdown[NEAR_MAX];
};

/* A larger set. `tag`: part of its hash; it tells most sets apart without a look at the words,
 * which are seldom in the processor's caches. `at`: the index of its first word plus 1; 0: the slot
 * is empty. */
struct slot {
    uint32_t tag, at;
};

/*
 * Larger sets lie one behind the other in `words`, each as its size, its kernels, their slow-downs.
 * Which slot or place a set has depends on nothing but the sets before it, never on an address.
 */
struct dcs_contention {
    const struct dcs_spatial *s;
    struct place *places;
    uint32_t places_count, places_used; /* a power of two; three quarters of it at most */
    struct slot *slots;
    uint32_t slots_count; /* a power of two, at least twice the entries */
    uint64_t *words;
    size_t words_count, words_capacity;
    uint32_t entries;
    struct dcs_contention_stats stats;
};

struct dcs_contention *dcs_contention_create(const struct dcs_spatial *s)
{
    struct dcs_contention *c = dcs_alloc(1, sizeof *c);
    c->s = s;
    c->places_count = PLACES_MIN;
    c->places = dcs_alloc_aligned(sizeof *c->places, c->places_count, sizeof *c->places);
    c->slots_count = SLOTS_MIN;
    c->slots = dcs_alloc(c->slots_count, sizeof *c->slots);
    return c;
}

void dcs_contention_destroy(struct dcs_contention *c)
{
    if (c == NULL)
        return;
    free(c->places);
    free(c->slots);
    free(c->words);
    free(c);
}

/* Multiply and fold; the constant is 2^64 over the golden ratio (Knuth, TAOCP 3, section 6.4). */
static uint32_t tag_of(const uint64_t *keys, uint32_t n)
{
    uint64_t hash = n;
    for (uint32_t i = 0; i < n; i++) {
        hash = (hash ^ keys[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return (uint32_t)(hash >> 16);
}

static bool is_set(const uint64_t *words, const uint64_t *keys, uint32_t n)
{
    bool same = words[0] == n;
    for (uint32_t i = 0; same && i < n; i++)
        same = words[1 + i] == keys[i];
    return same;
}

/* The slot that has the set, or the empty one where it belongs. */
static struct slot *find_slot(const struct dcs_contention *c, uint32_t tag, const uint64_t *keys,
                              uint32_t n)
{
    for (uint32_t i = tag;; i++) {
        struct slot *slot = &c->slots[i & (c->slots_count - 1)];
        if (slot->at == 0 || (slot->tag == tag && is_set(&c->words[slot->at - 1], keys, n)))
            return slot;
    }
}

static struct slot *empty_slot(const struct dcs_contention *c, uint32_t tag)
{
    uint32_t i = tag;
    while (c->slots[i & (c->slots_count - 1)].at != 0)
        i++;
    return &c->slots[i & (c->slots_count - 1)];
}

static void double_slots(struct dcs_contention *c)
{
    struct slot *old = c->slots;
    uint32_t count = c->slots_count;
    c->slots_count = 2 * count;
    c->slots = dcs_alloc(c->slots_count, sizeof *c->slots);
    for (uint32_t i = 0; i < count; i++)
        if (old[i].at != 0)
            *empty_slot(c, old[i].tag) = old[i];
    free(old);
}

static void remember_set(struct dcs_contention *c, uint32_t tag, const uint64_t *keys, uint32_t n,
                         const double *slowdown)
{
    size_t size = 1 + 2 * (size_t)n;
    if (c->entries == ENTRIES_MAX || c->words_count + size > WORDS_MAX) {
        memset(c->slots, 0, c->slots_count * sizeof *c->slots);
        c->entries = 0;
        c->words_count = 0;
    }
    if (2 * (c->entries + 1) > c->slots_count)
        double_slots(c);
    c->words = dcs_grow(c->words, &c->words_capacity, c->words_count + size, sizeof *c->words);
    uint64_t *words = &c->words[c->words_count];
    words[0] = n;
    memcpy(&words[1], keys, n * sizeof *keys);
    memcpy(&words[1 + n], slowdown, n * sizeof *slowdown);
    *empty_slot(c, tag) = (struct slot){.tag = tag, .at = (uint32_t)c->words_count + 1};
    c->words_count += size;
    c->entries++;
}

/* The place that has the set, or the empty one where it belongs. keys: NEAR_MAX of them. */
static struct place *find_place(const struct dcs_contention *c, const uint64_t *keys)
{
    for (uint32_t i = tag_of(keys, NEAR_MAX);; i++) {
        struct place *place = &c->places[i & (c->places_count - 1)];
        if (place->keys[0] == 0 || memcmp(place->keys, keys, sizeof place->keys) == 0)
            return place;
    }
}

static void double_places(struct dcs_contention *c)
{
    struct place *old = c->places;
    uint32_t count = c->places_count;
    c->places_count = 2 * count;
    c->places = dcs_alloc_aligned(sizeof *c->places, c->places_count, sizeof *c->places);
    for (uint32_t i = 0; i < count; i++)
        if (old[i].keys[0] != 0)
            *find_place(c, old[i].keys) = old[i];
    free(old);
}

static void fill_place(struct dcs_contention *c, const uint64_t *keys, const double *slowdown)
{
    bool full = 4 * (uint64_t)(c->places_used + 1) > 3 * (uint64_t)c->places_count;
    if (full && c->places_count == PLACES_MAX) {
        memset(c->places, 0, c->places_count * sizeof *c->places);
        c->places_used = 0;
    } else if (full) {
        double_places(c);
    }
    struct place *place = find_place(c, keys);
    memcpy(place->keys, keys, sizeof place->keys);
    memcpy(place->slowdown, slowdown, sizeof place->slowdown);
    c->places_used++;
}

/* What is remembered of a set, small or large: a slow-down beyond what was measured has the other
 * sign. */
static void solve_new(struct dcs_contention *c, const uint64_t *keys, uint32_t n, double *slowdown)
{
    double measured_to[DCS_TOGETHER_MAX];
    c->stats.misses++;
    c->stats.iterations += contention_solve_set(c->s, keys, n, slowdown, measured_to);
    for (uint32_t i = 0; c->s->ranged && i < n; i++)
        if (measured_to[i] > 0 && slowdown[i] > measured_to[i])
            slowdown[i] = -slowdown[i];
}

/* Takes the sign off slow-downs that have it, and returns the shares of their time by which these
 * kernels are slowed more than was measured. */
static double take_beyond(const struct dcs_spatial *s, const uint64_t *keys, uint32_t n,
                          double *slowdown)
{
    double beyond = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (slowdown[i] > 0)
            continue;
        slowdown[i] = -slowdown[i];
        double measured_to =
            dcs_shape_measured_to(s, contention_shape(keys[i]), contention_sms(keys[i]));
        beyond += 1 - measured_to / slowdown[i];
    }
    return beyond;
}

/* Slow-downs of a set of few kernels, in canonical order. */
static void slow_few(struct dcs_contention *c, uint64_t *keys, uint32_t n, double *slowdown)
{
    for (uint32_t i = n; i < NEAR_MAX; i++) {
        keys[i] = 0;
        slowdown[i] = 1;
    }
    const struct place *place = find_place(c, keys);
    if (place->keys[0] != 0) {
        c->stats.hits++;
        memcpy(slowdown, place->slowdown, sizeof place->slowdown);
    } else {
        solve_new(c, keys, n, slowdown);
        fill_place(c, keys, slowdown);
    }
}

static void slow_many(struct dcs_contention *c, const uint64_t *keys, uint32_t n, double *slowdown)
{
    uint32_t tag = tag_of(keys, n), at = find_slot(c, tag, keys, n)->at;
    if (at != 0) {
        c->stats.hits++;
        memcpy(slowdown, &c->words[at - 1 + 1 + n], n * sizeof *slowdown);
    } else {
        solve_new(c, keys, n, slowdown);
        remember_set(c, tag, keys, n, slowdown);
    }
}

void dcs_contention_slowdowns(struct dcs_contention *c, const struct dcs_presser *set, uint32_t n,
                              double *slowdown, double *beyond)
{
    uint64_t keys[DCS_TOGETHER_MAX];
    uint32_t position[DCS_TOGETHER_MAX];
    double found[DCS_TOGETHER_MAX], unwanted;
    if (beyond == NULL)
        beyond = &unwanted;
    *beyond = 0;
    if (!needs_solving(c->s, n, slowdown))
        return;
    sort_set(set, n, keys, position);
    if (n <= NEAR_MAX)
        slow_few(c, keys, n, found);
    else
        slow_many(c, keys, n, found);
    if (c->s->ranged)
        *beyond = take_beyond(c->s, keys, n, found);
    for (uint32_t i = 0; i < n; i++)
        slowdown[position[i]] = found[i];
}

struct dcs_contention_stats dcs_contention_stats(const struct dcs_contention *c)
{
    return c->stats;
}
