/*
 * cluster_router.c - which domain gets a request, and how many each has.
 *
 * Of equally loaded domains the lowest is the least loaded; that one is found in a tournament of
 * them, so that a request costs log2(domains) and not a look at each.
 */
#include "engine/cluster_state.h"

#include <stdlib.h>

static bool less_loaded(const void *outstanding, uint32_t a, uint32_t b)
{
    const uint32_t *of = outstanding;
    return of[a] != of[b] ? of[a] < of[b] : a < b;
}

void router_create(struct cluster *c)
{
    const struct cluster_spec *s = c->spec;
    c->outstanding = dcs_alloc(s->domains_count, sizeof *c->outstanding);
    dcs_rng_stream(&c->router, s->seed, s->replication, DCS_RNG_ROUTER, 0);
    if (s->router != CLUSTER_LEAST_OUTSTANDING || s->domains_count == 1)
        return;
    uint32_t *memory = dcs_alloc(2 * (size_t)s->domains_count, sizeof *memory);
    tournament_init(&c->least, s->domains_count, memory, less_loaded, c->outstanding);
    for (uint32_t i = 0; i < s->domains_count; i++)
        tournament_set(&c->least, i, true);
}

void router_destroy(struct cluster *c)
{
    free(c->least.winner);
    free(c->outstanding);
}

uint32_t router_pick(struct cluster *c, uint32_t avoid)
{
    uint32_t n = c->spec->domains_count, pick = 0;
    if (n == 1)
        return 0;
    switch (c->spec->router) {
    case CLUSTER_ROUND_ROBIN:
        pick = c->next_domain;
        if (pick == avoid)
            pick = (pick + 1) % n;
        c->next_domain = (pick + 1) % n;
        return pick;
    case CLUSTER_RANDOM:
        if (avoid == UINT32_MAX)
            return (uint32_t)dcs_rng_below(&c->router, n);
        pick = (uint32_t)dcs_rng_below(&c->router, n - 1);
        return pick < avoid ? pick : pick + 1;
    case CLUSTER_LEAST_OUTSTANDING:
        return avoid == UINT32_MAX ? tournament_first(&c->least)
                                   : tournament_first_but(&c->least, avoid);
    }
    return pick;
}

static void moved(struct cluster *c, uint32_t domain)
{
    if (c->least.winner != NULL)
        tournament_set(&c->least, domain, true);
}

void router_enters(struct cluster *c, uint32_t domain)
{
    c->outstanding[domain]++;
    moved(c, domain);
}

void router_leaves(struct cluster *c, uint32_t domain)
{
    DCS_ASSERT(c->outstanding[domain] > 0);
    c->outstanding[domain]--;
    moved(c, domain);
}
