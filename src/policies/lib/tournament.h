/*
 * tournament.h - which of the numbers 0 .. n - 1 comes first, kept while they change.
 *
 * The owner says who comes before whom by a strict total order, so that the first is one and the
 * same however it was found. A change of one number costs log2(n) comparisons. Numbers may be left
 * out. Plain C: for policies and for the router of a cluster.
 */
#ifndef DCSIM_POLICIES_LIB_TOURNAMENT_H
#define DCSIM_POLICIES_LIB_TOURNAMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TOURNAMENT_NOBODY UINT32_MAX

struct tournament {
    uint32_t n;
    uint32_t *winner; /* [1]: of all; [k]: of [2k] and [2k + 1]; [n + i]: i, or nobody */
    bool (*before)(const void *context, uint32_t a, uint32_t b);
    const void *context;
};

/* The one of a and b that comes first. */
static inline uint32_t tournament_match(const struct tournament *t, uint32_t a, uint32_t b)
{
    if (a == TOURNAMENT_NOBODY || b == TOURNAMENT_NOBODY)
        return a == TOURNAMENT_NOBODY ? b : a;
    return t->before(t->context, a, b) ? a : b;
}

/* Nobody takes part at first. n >= 1; memory: for 2 * n numbers, the caller's, as is the context;
 * both must stay where they are. */
static inline void tournament_init(struct tournament *t, uint32_t n, uint32_t *memory,
                                   bool (*before)(const void *context, uint32_t a, uint32_t b),
                                   const void *context)
{
    *t = (struct tournament){.n = n, .winner = memory, .before = before, .context = context};
    for (size_t i = 0; i < 2 * (size_t)n; i++)
        memory[i] = TOURNAMENT_NOBODY;
}

/* Number i has changed, takes part from now on, or no longer does. */
static inline void tournament_set(struct tournament *t, uint32_t i, bool takes_part)
{
    size_t at = (size_t)t->n + i;
    t->winner[at] = takes_part ? i : TOURNAMENT_NOBODY;
    for (at /= 2; at >= 1; at /= 2) {
        uint32_t won = tournament_match(t, t->winner[2 * at], t->winner[2 * at + 1]);
        if (won == t->winner[at] && won != i)
            return; /* it was not the first here, and is not */
        t->winner[at] = won;
    }
}

static inline bool tournament_has(const struct tournament *t, uint32_t i)
{
    return t->winner[(size_t)t->n + i] == i;
}

/* TOURNAMENT_NOBODY if none takes part. */
static inline uint32_t tournament_first(const struct tournament *t)
{
    return t->winner[1];
}

/* The first of the others. */
static inline uint32_t tournament_first_but(const struct tournament *t, uint32_t i)
{
    uint32_t first = TOURNAMENT_NOBODY;
    for (size_t at = (size_t)t->n + i; at > 1; at /= 2)
        first = tournament_match(t, first, t->winner[at ^ 1]);
    return first;
}

#endif
