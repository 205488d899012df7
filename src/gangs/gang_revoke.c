/*
 * gang_revoke.c - which running jobs make room for one of a higher rank. A job is revoked whole:
 * all its GPUs are given back at once.
 *
 * On a node, jobs of the lowest rank go first, and of one rank those that lose the least; then
 * those that turn out not to be needed stay. Of the nodes, that wins whose highest victim is of the
 * lowest rank, then that with the least work lost, then the first. Where no node would do and the
 * job may use several, the same is done with all nodes together.
 */
#include "gangs/gang_nodes.h"

#include <stdlib.h>

struct victim {
    uint32_t job;
    int32_t rank;
    __int128 lost;
};

/* Some nodes, with what would be free of their GPUs. */
struct trial {
    const struct gang_nodes *n;
    const struct gang_spec *spec;
    const struct gang_times *times;
    const struct gang_demand *demand;
    int32_t rank; /* of the job that needs room */
    int64_t now_ns;
    bool *open; /* of each GPU: it is looked at */
    uint32_t *free_milli;
    uint32_t enough; /* GPUs that have what the job asks of each */
    struct victim *victims;
    size_t count, capacity;
};

__int128 gang_loss(const struct gang_spec *spec, const struct gang_times *times, uint32_t job,
                   int64_t now_ns)
{
    const struct gang_job *j = &spec->jobs[job];
    int64_t done_ns = times[job].done_ns + (now_ns - times[job].begin_ns);
    int64_t kept_ns = spec->checkpoint_ns > 0 ? done_ns - done_ns % spec->checkpoint_ns : 0;
    return (__int128)(done_ns - kept_ns) * j->gpus * j->milli;
}

static int by_order(const void *left, const void *right)
{
    const struct victim *a = left, *b = right;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->lost != b->lost)
        return a->lost < b->lost ? -1 : 1;
    return (a->job < b->job) - (a->job > b->job);
}

/* The GPUs of a node, with the jobs on them that may be revoked, some of them twice. */
static void open_node(struct trial *t, uint32_t node)
{
    const struct gang_node *of = &t->n->node[node];
    for (uint32_t gpu = of->first; gpu < of->first + of->gpus; gpu++) {
        t->open[gpu] = true;
        t->free_milli[gpu] = t->n->free_milli[gpu];
        t->enough += t->free_milli[gpu] >= t->demand->milli;
        for (uint32_t h = t->n->on_gpu[gpu]; h != GANG_NONE; h = t->n->hold[h].next_on_gpu) {
            uint32_t job = t->n->hold[h].job;
            if (t->spec->jobs[job].rank >= t->rank)
                continue;
            t->victims = dcs_grow(t->victims, &t->capacity, t->count + 1, sizeof *t->victims);
            t->victims[t->count++] = (struct victim){job, t->spec->jobs[job].rank,
                                                     gang_loss(t->spec, t->times, job, t->now_ns)};
        }
    }
}

static void close_node(struct trial *t, uint32_t node)
{
    const struct gang_node *of = &t->n->node[node];
    for (uint32_t gpu = of->first; gpu < of->first + of->gpus; gpu++)
        t->open[gpu] = false;
}

/* What a victim holds of the open GPUs becomes free, or is held again. */
static void move_victim(struct trial *t, uint32_t job, bool away)
{
    for (uint32_t h = t->n->of_job[job]; h != GANG_NONE; h = t->n->hold[h].next_of_job) {
        uint32_t gpu = t->n->hold[h].gpu, milli = t->n->hold[h].milli;
        if (!t->open[gpu])
            continue;
        t->enough -= t->free_milli[gpu] >= t->demand->milli;
        t->free_milli[gpu] += away ? milli : -milli;
        t->enough += t->free_milli[gpu] >= t->demand->milli;
    }
}

/* Leaves in t->victims those that are needed; false: all of them are not enough. */
static bool choose_victims(struct trial *t)
{
    size_t all = 0, taken = 0, kept = 0;
    if (t->count > 0)
        qsort(t->victims, t->count, sizeof *t->victims, by_order);
    for (size_t i = 0; i < t->count; i++)
        if (i == 0 || t->victims[i].job != t->victims[i - 1].job)
            t->victims[all++] = t->victims[i];
    while (taken < all && t->enough < t->demand->gpus)
        move_victim(t, t->victims[taken++].job, true);
    if (t->enough < t->demand->gpus)
        return false;
    for (size_t i = taken; i-- > 0;) {
        move_victim(t, t->victims[i].job, false);
        if (t->enough >= t->demand->gpus)
            t->victims[i].job = GANG_NONE;
        else
            move_victim(t, t->victims[i].job, true);
    }
    for (size_t i = 0; i < taken; i++)
        if (t->victims[i].job != GANG_NONE)
            t->victims[kept++] = t->victims[i];
    t->count = kept;
    return true;
}

/* The price of the victims: their highest rank, then the sum of what is lost. */
static bool is_cheaper(const struct trial *t, struct victim *best)
{
    struct victim price = {0, INT32_MIN, 0};
    for (size_t i = 0; i < t->count; i++) {
        price.rank = t->victims[i].rank > price.rank ? t->victims[i].rank : price.rank;
        price.lost += t->victims[i].lost;
    }
    bool cheaper = best->job == GANG_NONE || price.rank < best->rank ||
                   (price.rank == best->rank && price.lost < best->lost);
    if (cheaper)
        *best = price;
    return cheaper;
}

static size_t keep_victims(const struct trial *t, uint32_t **out, size_t *capacity)
{
    *out = dcs_grow(*out, capacity, t->count + 1, sizeof **out);
    for (size_t i = 0; i < t->count; i++)
        (*out)[i] = t->victims[i].job;
    return t->count;
}

static size_t find_across(struct trial *t, uint32_t **out, size_t *capacity)
{
    t->count = t->enough = 0;
    for (uint32_t i = 0; i < t->n->count; i++)
        if (gang_model_fits(&t->n->node[i], t->demand->models))
            open_node(t, i);
    return choose_victims(t) ? keep_victims(t, out, capacity) : 0;
}

size_t gang_victims(const struct gang_nodes *n, const struct gang_spec *spec, uint32_t job,
                    const struct gang_times *times, int64_t now_ns, uint32_t **out,
                    size_t *capacity)
{
    struct trial t = {.n = n,
                      .spec = spec,
                      .times = times,
                      .demand = &n->demand[n->demand_of[job]],
                      .rank = spec->jobs[job].rank,
                      .now_ns = now_ns,
                      .open = dcs_alloc(n->gpus, sizeof *t.open),
                      .free_milli = dcs_alloc(n->gpus, sizeof *t.free_milli)};
    struct victim best = {.job = GANG_NONE};
    size_t found = 0;
    for (uint32_t i = 0; i < n->count; i++) {
        if (n->node[i].gpus < t.demand->gpus || !gang_model_fits(&n->node[i], t.demand->models))
            continue;
        t.count = t.enough = 0;
        open_node(&t, i);
        if (choose_victims(&t) && is_cheaper(&t, &best))
            found = keep_victims(&t, out, capacity);
        close_node(&t, i);
    }
    if (found == 0 && spec->across_nodes && t.demand->gpus > 1)
        found = find_across(&t, out, capacity);
    free(t.open);
    free(t.free_milli);
    free(t.victims);
    return found;
}
