/*
 * contention.c - see contention.h.
 */
#include "models/contention.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS_MAX 200   /* of all resources, one after the other */
#define LOADS_MAX  100   /* for one resource in one round */
#define LOAD_EXACT 1e-12 /* a load this near to its utilisation is equal to it */
#define STILL      1e-9  /* a slow-down that moves less in a round, relatively, stands still */

#define ENTRIES_MAX (1u << 18)
#define SLOTS       (2 * ENTRIES_MAX)
#define WORDS_MAX   (1u << 21) /* 16 MiB of remembered sets */

/* ---- solving ---- */

struct member {
    double pressure[DCS_RESOURCES_MAX], weight[DCS_RESOURCES_MAX];
    double own[DCS_RESOURCES_MAX]; /* latency that it meets alone */
    double slowdown;
};

/* A set in its canonical order. */
struct system {
    const struct dcs_spatial *s;
    struct member members[DCS_TOGETHER_MAX];
    uint32_t n;
    double utilisation[DCS_RESOURCES_MAX];
    double latency[DCS_RESOURCES_MAX]; /* at it */
    double without[DCS_TOGETHER_MAX];  /* slow-down by all other resources, of each member */
    uint32_t loads;                    /* computed so far */
};

/* The latency at a utilisation; *slope: by how much it grows with it (0 at and beyond the ends). */
static double latency_at(const struct dcs_resource *r, double utilisation, double *slope)
{
    size_t low = 0, high = r->knots - 1;
    *slope = 0;
    if (utilisation <= r->utilisation[0])
        return r->latency[0];
    if (utilisation >= r->utilisation[high])
        return r->latency[high];
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (r->utilisation[middle] <= utilisation)
            low = middle;
        else
            high = middle;
    }
    double width = r->utilisation[high] - r->utilisation[low];
    double step = r->latency[high] - r->latency[low];
    *slope = step / width;
    return r->latency[low] + step * ((utilisation - r->utilisation[low]) / width);
}

static int compare_pressers(const struct dcs_presser *a, const struct dcs_presser *b)
{
    if (a->shape != b->shape)
        return a->shape < b->shape ? -1 : 1;
    return (a->millisms > b->millisms) - (a->millisms < b->millisms);
}

/* Fills sorted, and position[i], where sorted[i] stands in the set. */
static void sort_set(const struct dcs_presser *set, uint32_t n, struct dcs_presser *sorted,
                     uint32_t *position)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = i;
        for (; at > 0 && compare_pressers(&sorted[at - 1], &set[i]) > 0; at--) {
            sorted[at] = sorted[at - 1];
            position[at] = position[at - 1];
        }
        sorted[at] = set[i];
        position[at] = i;
    }
}

static void fill_members(struct system *system, const struct dcs_presser *sorted, uint32_t n)
{
    const struct dcs_spatial *s = system->s;
    double slope;
    system->n = n;
    system->loads = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct member *m = &system->members[i];
        m->slowdown = 1;
        dcs_shape_contention(s, sorted[i].shape, (double)sorted[i].millisms / 1000, m->pressure,
                             m->weight);
        for (uint32_t r = 0; r < s->resources_count; r++)
            m->own[r] = latency_at(&s->resources[r], m->pressure[r], &slope);
    }
}

/* The utilisation if none were slowed, which is the most that it can be. */
static double most(const struct system *system, uint32_t r)
{
    double sum = 0;
    for (uint32_t i = 0; i < system->n; i++)
        sum += system->members[i].pressure[r];
    return sum < 1 ? sum : 1;
}

static double slowed(const struct system *system, uint32_t i, uint32_t r, double latency)
{
    const struct member *m = &system->members[i];
    double slowdown = system->without[i] + m->weight[r] * (latency - m->own[r]);
    return slowdown > 1 ? slowdown : 1;
}

/* What the members put on resource r if its utilisation were u, capped at its ceiling; *falls: by
 * how much that falls as u rises. Leaves the latency at u. */
static double load(struct system *system, uint32_t r, double u, double *falls)
{
    double slope, sum = 0, fall = 0;
    double latency = latency_at(&system->s->resources[r], u, &slope);
    for (uint32_t i = 0; i < system->n; i++) {
        const struct member *m = &system->members[i];
        double slowdown = slowed(system, i, r, latency), part = m->pressure[r] / slowdown;
        sum += part;
        if (slowdown > 1)
            fall += part / slowdown * (m->weight[r] * slope);
    }
    system->loads++;
    system->latency[r] = latency;
    *falls = sum < 1 ? fall : 0;
    return sum < 1 ? sum : 1;
}

/* Moves the utilisation of r to where its load is equal to it, from where it was: Newton's steps,
 * and halves of the bracket where these leave it. The upper end needs a look of its own, since it
 * is where a resource ends that is overloaded, or that slows nobody. */
static void settle(struct system *system, uint32_t r)
{
    double low = 0, high = most(system, r), u = system->utilisation[r];
    bool high_seen = false;
    for (int i = 0; i < LOADS_MAX; i++) {
        double falls, miss = load(system, r, u, &falls) - u;
        system->utilisation[r] = u;
        if ((miss <= LOAD_EXACT && miss >= -LOAD_EXACT) || high - low <= LOAD_EXACT)
            return;
        high_seen = high_seen || miss < 0;
        if (miss > 0)
            low = u;
        else
            high = u;
        double next = u + miss / (1 + falls);
        if (next >= high && !high_seen)
            u = high;
        else
            u = next > low && next < high ? next : low + (high - low) / 2;
    }
}

/* Moves resource r to where it settles while the others stay. Returns whether a slow-down moved. */
static bool take_turn(struct system *system, uint32_t r)
{
    for (uint32_t i = 0; i < system->n; i++) {
        const struct member *m = &system->members[i];
        double sum = 1;
        for (uint32_t q = 0; q < system->s->resources_count; q++)
            if (q != r)
                sum += m->weight[q] * (system->latency[q] - m->own[q]);
        system->without[i] = sum;
    }
    settle(system, r);
    bool moved = false;
    for (uint32_t i = 0; i < system->n; i++) {
        struct member *m = &system->members[i];
        double was = m->slowdown;
        m->slowdown = slowed(system, i, r, system->latency[r]);
        double by = m->slowdown > was ? m->slowdown - was : was - m->slowdown;
        moved = moved || by > STILL * was;
    }
    return moved;
}

/* Resources begin at their highest utilisation. Where even that slows nobody, one round shows it.
 */
static void solve(struct system *system)
{
    uint32_t resources = system->s->resources_count;
    for (uint32_t r = 0; r < resources; r++) {
        double slope;
        system->utilisation[r] = most(system, r);
        system->latency[r] = latency_at(&system->s->resources[r], system->utilisation[r], &slope);
    }
    bool moved = true;
    for (uint32_t round = 0; round < ROUNDS_MAX && moved; round++) {
        moved = false;
        for (uint32_t r = 0; r < resources; r++)
            moved = take_turn(system, r) || moved;
        moved = moved && resources > 1;
    }
}

/* Of a set in canonical order. */
static uint32_t solve_sorted(const struct dcs_spatial *s, const struct dcs_presser *sorted,
                             uint32_t n, double *slowdown)
{
    struct system system;
    system.s = s;
    fill_members(&system, sorted, n);
    solve(&system);
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
    struct dcs_presser sorted[DCS_TOGETHER_MAX];
    uint32_t position[DCS_TOGETHER_MAX], loads = 0;
    double found[DCS_TOGETHER_MAX];
    if (needs_solving(s, n, slowdown)) {
        sort_set(set, n, sorted, position);
        loads = solve_sorted(s, sorted, n, found);
        for (uint32_t i = 0; i < n; i++)
            slowdown[position[i]] = found[i];
    }
    if (iterations != NULL)
        *iterations = loads;
}

/* ---- remembering ---- */

/*
 * Sets lie one behind the other in `words`, each as its size, its kernels, their slow-downs. A slot
 * has the index of its first word plus 1, or 0; which slot a set has depends on nothing but the
 * sets before it, never on an address.
 */
struct dcs_contention {
    const struct dcs_spatial *s;
    uint32_t *slots;
    uint64_t *words;
    size_t words_count, words_capacity;
    uint32_t entries;
    struct dcs_contention_stats stats;
};

struct dcs_contention *dcs_contention_create(const struct dcs_spatial *s)
{
    struct dcs_contention *c = dcs_alloc(1, sizeof *c);
    c->s = s;
    c->slots = dcs_alloc(SLOTS, sizeof *c->slots);
    return c;
}

void dcs_contention_destroy(struct dcs_contention *c)
{
    if (c == NULL)
        return;
    free(c->slots);
    free(c->words);
    free(c);
}

static uint64_t key_of(const struct dcs_presser *p)
{
    return (uint64_t)p->shape << 32 | p->millisms;
}

/* Multiply and fold; the constant is 2^64 over the golden ratio (Knuth, TAOCP 3, section 6.4). */
static uint32_t first_slot(const struct dcs_presser *sorted, uint32_t n)
{
    uint64_t hash = n;
    for (uint32_t i = 0; i < n; i++) {
        hash = (hash ^ key_of(&sorted[i])) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return (uint32_t)(hash >> 16) & (SLOTS - 1);
}

static bool is_set(const uint64_t *words, const struct dcs_presser *sorted, uint32_t n)
{
    bool same = words[0] == n;
    for (uint32_t i = 0; same && i < n; i++)
        same = words[1 + i] == key_of(&sorted[i]);
    return same;
}

/* The slot that has the set, or the empty one where it belongs. */
static uint32_t *find_slot(struct dcs_contention *c, const struct dcs_presser *sorted, uint32_t n)
{
    uint32_t at = first_slot(sorted, n);
    while (c->slots[at] != 0 && !is_set(&c->words[c->slots[at] - 1], sorted, n))
        at = (at + 1) & (SLOTS - 1);
    return &c->slots[at];
}

static void remember(struct dcs_contention *c, uint32_t *slot, const struct dcs_presser *sorted,
                     uint32_t n, const double *slowdown)
{
    size_t size = 1 + 2 * (size_t)n;
    if (c->entries == ENTRIES_MAX || c->words_count + size > WORDS_MAX) {
        memset(c->slots, 0, SLOTS * sizeof *c->slots);
        c->entries = 0;
        c->words_count = 0;
        slot = find_slot(c, sorted, n);
    }
    c->words = dcs_grow(c->words, &c->words_capacity, c->words_count + size, sizeof *c->words);
    uint64_t *words = &c->words[c->words_count];
    words[0] = n;
    for (uint32_t i = 0; i < n; i++)
        words[1 + i] = key_of(&sorted[i]);
    memcpy(&words[1 + n], slowdown, n * sizeof *slowdown);
    *slot = (uint32_t)c->words_count + 1;
    c->words_count += size;
    c->entries++;
}

void dcs_contention_slowdowns(struct dcs_contention *c, const struct dcs_presser *set, uint32_t n,
                              double *slowdown)
{
    struct dcs_presser sorted[DCS_TOGETHER_MAX];
    uint32_t position[DCS_TOGETHER_MAX];
    double found[DCS_TOGETHER_MAX];
    if (!needs_solving(c->s, n, slowdown))
        return;
    sort_set(set, n, sorted, position);
    uint32_t *slot = find_slot(c, sorted, n);
    if (*slot != 0) {
        c->stats.hits++;
        memcpy(found, &c->words[*slot - 1 + 1 + n], n * sizeof *found);
    } else {
        c->stats.misses++;
        c->stats.iterations += solve_sorted(c->s, sorted, n, found);
        remember(c, slot, sorted, n, found);
    }
    for (uint32_t i = 0; i < n; i++)
        slowdown[position[i]] = found[i];
}

struct dcs_contention_stats dcs_contention_stats(const struct dcs_contention *c)
{
    return c->stats;
}
