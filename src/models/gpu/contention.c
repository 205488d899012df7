/*
 * contention.c - see contention.h.
 */
#include "models/gpu/contention.h"

#include <stdlib.h>
#include <string.h>

#define LOAD_MAX   (400.0 / 401) /* a queue is no longer than 400 */
#define LOAD_EXACT 1e-13         /* a load this near to the utilisation is equal to it */
#define STEPS_MAX  20            /* of Newton; sets of an H200 on the SMs that it has need 2 to 8 */
#define LOADS_MAX  200           /* for the first resource at one length of the second's queue */
#define HALVINGS   40            /* of the second's utilisation */

#define NEAR_MAX   4 /* kernels of a set that fills a cache line */
#define PLACES_MIN (1u << 6)
#define PLACES_MAX (1u << 21) /* 128 MiB of places */

#define SLOTS_MIN   (1u << 6)
#define ENTRIES_MAX (1u << 21)
#define WORDS_MAX   (1u << 24) /* 128 MiB of larger sets */

/* ---- solving ---- */

struct member {
    double pressure[DCS_RESOURCES_MAX], weight[DCS_RESOURCES_MAX][DCS_HINGES_MAX];
    double own[DCS_RESOURCES_MAX][DCS_HINGES_MAX]; /* how far its own queue is beyond each hinge */
    /* How steeply its slow-down grows with a queue, by how many hinges the queue has passed. */
    double steep[DCS_RESOURCES_MAX][DCS_HINGES_MAX + 1];
    double apart; /* slow-down by all but the first resource */
    double slowdown;
};

/* A set in its canonical order. */
struct system {
    const struct dcs_spatial *s;
    struct member members[DCS_TOGETHER_MAX];
    uint32_t n;
    double most[DCS_RESOURCES_MAX];    /* the utilisation if none were slowed, which is the most */
    double highest[DCS_RESOURCES_MAX]; /* the highest pressure of a member */
    uint32_t loads;                    /* that were computed so far */
};

/* Shape, then SMs: the canonical order. */
static uint64_t key_of(const struct dcs_presser *p)
{
    return (uint64_t)p->shape << 32 | p->millisms;
}

/* Fills keys, ascending, and position[i], where keys[i] stands in the set. */
static void sort_set(const struct dcs_presser *set, uint32_t n, uint64_t *keys, uint32_t *position)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t key = key_of(&set[i]);
        uint32_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--) {
            keys[at] = keys[at - 1];
            position[at] = position[at - 1];
        }
        keys[at] = key;
        position[at] = i;
    }
}

static double queue_beyond(double level, double hinge)
{
    return level > hinge ? level - hinge : 0;
}

static void fill_member(const struct dcs_spatial *s, uint64_t key, struct member *m)
{
    m->slowdown = 1;
    m->apart = 1;
    dcs_shape_contention(s, (uint32_t)(key >> 32), (double)(uint32_t)key / 1000, m->pressure,
                         m->weight);
    for (uint32_t r = 0; r < s->resources_count; r++) {
        double level = m->pressure[r] / (1 - m->pressure[r]);
        m->steep[r][0] = 0;
        for (uint32_t k = 0; k < s->resources[r].hinges; k++) {
            m->own[r][k] = queue_beyond(level, s->resources[r].level[k]);
            m->steep[r][k + 1] = m->steep[r][k] + m->weight[r][k];
        }
    }
}

static void fill_members(struct system *system, const struct dcs_spatial *s, const uint64_t *keys,
                         uint32_t n)
{
    system->s = s;
    system->n = n;
    system->loads = 0;
    for (uint32_t i = 0; i < n; i++)
        fill_member(s, keys[i], &system->members[i]);
    for (uint32_t r = 0; r < s->resources_count; r++) {
        double sum = 0, highest = 0;
        for (uint32_t i = 0; i < n; i++) {
            double pressure = system->members[i].pressure[r];
            sum += pressure;
            highest = pressure > highest ? pressure : highest;
        }
        system->most[r] = sum < LOAD_MAX ? sum : LOAD_MAX;
        system->highest[r] = highest < LOAD_MAX ? highest : LOAD_MAX;
    }
}

/* How far a queue of length `level` is beyond each hinge of its resource. Returns how many hinges
 * it has passed. */
static uint32_t pass_hinges(const struct dcs_resource *resource, double level,
                            double passed[DCS_HINGES_MAX])
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < resource->hinges; k++) {
        passed[k] = queue_beyond(level, resource->level[k]);
        n += level >= resource->level[k];
    }
    return n;
}

/* By how much more than alone a member is slowed by resource r, whose queue is `passed` beyond each
 * hinge. */
static double slowed_by(const struct system *system, const struct member *m, uint32_t r,
                        const double passed[DCS_HINGES_MAX])
{
    double sum = 0;
    for (uint32_t k = 0; k < system->s->resources[r].hinges; k++)
        sum += m->weight[r][k] * (passed[k] - m->own[r][k]);
    return sum;
}

/* The load that the members put on the first resource if its utilisation were u. *falls: how
 * steeply the load falls as u rises. Leaves the members' slow-downs at u. */
static double load_first(struct system *system, double u, double *falls)
{
    double level = u / (1 - u), grows = 1 / ((1 - u) * (1 - u)), sum = 0;
    double passed[DCS_HINGES_MAX];
    uint32_t hinges = pass_hinges(&system->s->resources[0], level, passed);
    *falls = 0;
    for (uint32_t i = 0; i < system->n; i++) {
        struct member *m = &system->members[i];
        double slowdown = m->apart + slowed_by(system, m, 0, passed);
        m->slowdown = slowdown > 1 ? slowdown : 1;
        double part = m->pressure[0] / m->slowdown;
        sum += part;
        if (slowdown > 1)
            *falls += part / slowdown * (m->steep[0][hinges] * grows);
    }
    system->loads++;
    return sum;
}

/* Finds the utilisation of the first resource, from a first guess u: by Newton's steps, and by
 * halving the bracket where a step leaves it. Every fourth step halves it anyway, for curves at
 * which Newton's steps creep. The upper end is tried once, since a resource that is overloaded, or
 * that slows nobody, ends there. Leaves the slow-downs at the utilisation, and returns it. */
static double settle_first(struct system *system, double u)
{
    double low = 0, high = system->most[0];
    bool high_seen = false;
    u = u < high ? u : high;
    for (int i = 0; i < LOADS_MAX; i++) {
        double falls, miss = load_first(system, u, &falls) - u;
        if ((miss <= LOAD_EXACT && miss >= -LOAD_EXACT) || high - low <= LOAD_EXACT)
            break;
        high_seen = high_seen || miss < 0;
        if (miss > 0)
            low = u;
        else
            high = u;
        double next = u + miss / (1 + falls);
        if (next >= high && !high_seen)
            u = high;
        else
            u = next > low && next < high && i % 4 != 3 ? next : low + (high - low) / 2;
    }
    return u;
}

static void set_apart(struct system *system, uint32_t r, double level)
{
    double passed[DCS_HINGES_MAX];
    pass_hinges(&system->s->resources[r], level, passed);
    for (uint32_t i = 0; i < system->n; i++)
        system->members[i].apart = 1 + slowed_by(system, &system->members[i], r, passed);
}

/* Halves the bracket of the second resource's utilisation; at each, that of the first is found.
 * Slow, but it always ends. */
static void halve_second(struct system *system)
{
    double first = system->most[0];
    double low = 0, high = LOAD_MAX;
    for (int i = 0; i < HALVINGS; i++) {
        double u = 0.5 * (low + high), sum = 0;
        set_apart(system, 1, u / (1 - u));
        first = settle_first(system, first);
        for (uint32_t k = 0; k < system->n; k++)
            sum += system->members[k].pressure[1] / system->members[k].slowdown;
        if (sum > u)
            low = u;
        else
            high = u;
    }
}

/* How far the utilisations of two resources are from the loads that the members put on them. */
struct misses {
    double miss[2]; /* by resource: its load less its utilisation */
    /* falls[r][q]: how steeply the miss of r falls as the utilisation of q rises. */
    double falls[2][2];
};

/* What the utilisations u miss. Leaves the members' slow-downs at u. */
static void find_misses(struct system *system, const double u[2], struct misses *out)
{
    const struct dcs_resource *resources = system->s->resources;
    double passed[2][DCS_HINGES_MAX], grows[2];
    uint32_t hinges[2];
    for (uint32_t r = 0; r < 2; r++) {
        hinges[r] = pass_hinges(&resources[r], u[r] / (1 - u[r]), passed[r]);
        grows[r] = 1 / ((1 - u[r]) * (1 - u[r]));
    }
    *out = (struct misses){.miss = {-u[0], -u[1]}, .falls = {{1, 0}, {0, 1}}};
    for (uint32_t i = 0; i < system->n; i++) {
        struct member *m = &system->members[i];
        double slowdown =
            1 + slowed_by(system, m, 0, passed[0]) + slowed_by(system, m, 1, passed[1]);
        m->slowdown = slowdown > 1 ? slowdown : 1;
        for (uint32_t r = 0; r < 2; r++) {
            double part = m->pressure[r] / m->slowdown;
            out->miss[r] += part;
            for (uint32_t q = 0; q < 2 && slowdown > 1; q++)
                out->falls[r][q] += part / slowdown * (m->steep[q][hinges[q]] * grows[q]);
        }
    }
    system->loads += 2;
}

static bool is_exact(double miss)
{
    return miss <= LOAD_EXACT && miss >= -LOAD_EXACT;
}

/* A step of one utilisation. If it would leave the range from 0 to LOAD_MAX, half the way there. */
static double step_utilisation(double u, double by)
{
    double next = u + by;
    if (next < 0)
        return 0.5 * u;
    return next > LOAD_MAX ? u + 0.5 * (LOAD_MAX - u) : next;
}

/* Newton's steps in both utilisations. They begin half-way between the highest pressure of one
 * member and the sum of all pressures. False if they find nothing, of which there are three cases:
 * at a hinge the steps may go to and fro; the members may put more on a resource than it can be
 * used; and the determinant `whole` may be 0, so that no step is a number. */
static bool step_to_solution(struct system *system)
{
    double u[2];
    for (uint32_t r = 0; r < 2; r++)
        u[r] = 0.5 * (system->highest[r] + system->most[r]);
    for (int i = 0; i < STEPS_MAX; i++) {
        struct misses at;
        find_misses(system, u, &at);
        if (is_exact(at.miss[0]) && is_exact(at.miss[1]))
            return true;
        double whole = at.falls[0][0] * at.falls[1][1] - at.falls[0][1] * at.falls[1][0];
        double by[2] = {(at.miss[0] * at.falls[1][1] - at.miss[1] * at.falls[0][1]) / whole,
                        (at.miss[1] * at.falls[0][0] - at.miss[0] * at.falls[1][0]) / whole};
        for (uint32_t r = 0; r < 2; r++)
            u[r] = step_utilisation(u[r], by[r]);
    }
    return false;
}

static void solve_system(struct system *system)
{
    if (system->s->resources_count == 1 || !(system->most[1] > 0))
        settle_first(system, system->most[0]);
    else if (!step_to_solution(system))
        halve_second(system);
}

/* A kernel to which no pressure and no weight was fitted, or only 0. */
static bool is_silent(const struct dcs_spatial *s, const struct member *m)
{
    for (uint32_t r = 0; r < s->resources_count; r++) {
        if (m->pressure[r] > 0)
            return false;
        for (uint32_t k = 0; k < s->resources[r].hinges; k++)
            if (m->weight[r][k] > 0)
                return false;
    }
    return true;
}

/* Slow-downs of a set in canonical order. A kernel beside silent ones alone is slowed by exactly
 * 1. */
static uint32_t solve_sorted(const struct dcs_spatial *s, const uint64_t *keys, uint32_t n,
                             double *slowdown)
{
    struct system system;
    uint32_t heard = 0;
    fill_members(&system, s, keys, n);
    for (uint32_t i = 0; i < n; i++)
        heard += !is_silent(s, &system.members[i]);
    if (heard > 1)
        solve_system(&system);
    for (uint32_t i = 0; i < n; i++)
        slowdown[i] = system.members[i].slowdown;
    return system.loads;
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
    double found[DCS_TOGETHER_MAX];
    if (needs_solving(s, n, slowdown)) {
        sort_set(set, n, keys, position);
        loads = solve_sorted(s, keys, n, found);
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

/* The most that was measured of a kernel of a set; 0: not known. */
static double measured_to(const struct dcs_spatial *s, uint64_t key)
{
    return dcs_shape_measured_to(s, (uint32_t)(key >> 32), (double)(uint32_t)key / 1000);
}

/* What is remembered of a set, small or large: a slow-down beyond what was measured has the other
 * sign. */
static void solve_new(struct dcs_contention *c, const uint64_t *keys, uint32_t n, double *slowdown)
{
    c->stats.misses++;
    c->stats.iterations += solve_sorted(c->s, keys, n, slowdown);
    for (uint32_t i = 0; c->s->ranged && i < n; i++) {
        double measured = measured_to(c->s, keys[i]);
        if (measured > 0 && slowdown[i] > measured)
            slowdown[i] = -slowdown[i];
    }
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
        beyond += 1 - measured_to(s, keys[i]) / slowdown[i];
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
