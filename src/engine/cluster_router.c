/*
 * cluster_router.c - which domain gets a request, and how many each has.
 *
 * Of equally loaded domains the lowest is the least loaded; that one is found in a tournament of
 * them, so that a request costs log2(domains) and not a look at each.
 */
#include "engine/cluster_state.h"

#include "policies/lib/tournament.h"

#include <stdlib.h>

struct router {
    uint32_t *inside;        /* requests, by domain */
    struct tournament least; /* of these; without winners where the router does not ask */
    uint32_t next_domain;    /* round robin */
    struct dcs_rng rng;
};

static bool less_loaded(const void *inside, uint32_t a, uint32_t b)
{
    const uint32_t *of = inside;
    return of[a] != of[b] ? of[a] < of[b] : a < b;
}

/* Whether a request asks the router where to go. */
static bool is_asked(const struct cluster_spec *s)
{
    for (size_t i = 0; i < s->workload->count; i++)
        if (!s->workload->jobs[i].pinned)
            return true;
    return false;
}

void router_create(struct cluster *c)
{
    const struct cluster_spec *s = c->spec;
    struct router *r = c->router = dcs_alloc(1, sizeof *r);
    r->inside = dcs_alloc(s->domains_count, sizeof *r->inside);
    dcs_rng_stream(&r->rng, s->seed, s->replication, DCS_RNG_ROUTER, 0);
    if (s->router != CLUSTER_LEAST_OUTSTANDING || s->domains_count == 1 || !is_asked(s))
        return;
    uint32_t *memory = dcs_alloc(2 * (size_t)s->domains_count, sizeof *memory);
    tournament_init(&r->least, s->domains_count, memory, less_loaded, r->inside);
    for (uint32_t i = 0; i < s->domains_count; i++)
        tournament_set(&r->least, i, true);
}

void router_destroy(struct cluster *c)
{
    free(c->router->least.winner);
    free(c->router->inside);
    free(c->router);
}

uint32_t router_pick(struct cluster *c, uint32_t avoid)
{
    struct router *r = c->router;
    uint32_t n = c->spec->domains_count, pick = 0;
    if (n == 1)
        return 0;
    switch (c->spec->router) {
    case CLUSTER_ROUND_ROBIN:
        pick = r->next_domain;
        if (pick == avoid)
            pick = (pick + 1) % n;
        r->next_domain = (pick + 1) % n;
        return pick;
    case CLUSTER_RANDOM:
        if (avoid == UINT32_MAX)
            return (uint32_t)dcs_rng_below(&r->rng, n);
        pick = (uint32_t)dcs_rng_below(&r->rng, n - 1);
        return pick < avoid ? pick : pick + 1;
    case CLUSTER_LEAST_OUTSTANDING:
        return avoid == UINT32_MAX ? tournament_first(&r->least)
                                   : tournament_first_but(&r->least, avoid);
    }
    return pick;
}

uint32_t router_inside(const struct cluster *c, uint32_t domain)
{
    return c->router->inside[domain];
}

static void set_inside(struct router *r, uint32_t domain, uint32_t inside)
{
    r->inside[domain] = inside;
    if (r->least.winner != NULL)
        tournament_set(&r->least, domain, true);
}

void router_enters(struct cluster *c, uint32_t domain)
{
    set_inside(c->router, domain, c->router->inside[domain] + 1);
}

void router_leaves(struct cluster *c, uint32_t domain)
{
    DCS_ASSERT(c->router->inside[domain] > 0);
    set_inside(c->router, domain, c->router->inside[domain] - 1);
}
