/*
 * gang_place.c - which node a job gets, and which of its GPUs.
 *
 * A placement gives each node that can hold the job a score; the least wins, and among equals the
 * node that comes first. Whole GPUs are taken from the node's first on. A share goes to the GPU
 * that the score is of.
 *
 *   first_fit  the first node and GPU that can hold it
 *   best_fit   the node with the least that is free, and of it the GPU with the least
 *   fgd        the node and GPU where the fragmentation of the cluster grows least: fragmentation
 *              gradient descent (Weng et al., "Beware of Fragmentation: Scheduling GPU-Sharing
 *              Workloads with Fragmentation Gradient Descent", USENIX ATC 2023). The
 *              workload is that of the trace; CPUs are not seen.
 *
 * Where no node can hold a gang and it may use several, it takes the nodes with the most free GPUs.
 */
#include "gangs/gang_nodes.h"

struct gang_placement {
    /* *gpu: for a share, on which GPU. */
    int64_t (*score)(struct gang_nodes *n, uint32_t node, uint32_t demand, uint32_t *gpu);
    bool first; /* no node scores less than the first that fits */
};

static int64_t score_first(struct gang_nodes *n, uint32_t node, uint32_t demand, uint32_t *gpu)
{
    *gpu = n->node[node].first;
    while (gang_usable(n, *gpu) < n->demand[demand].milli)
        ++*gpu;
    return 0;
}

static int64_t score_free(struct gang_nodes *n, uint32_t node, uint32_t demand, uint32_t *gpu)
{
    const struct gang_node *of = &n->node[node];
    uint32_t least = UINT32_MAX;
    for (uint32_t i = of->first; i < of->first + of->gpus; i++) {
        uint32_t usable = gang_usable(n, i);
        if (usable >= n->demand[demand].milli && usable < least) {
            least = usable;
            *gpu = i;
        }
    }
    return (int64_t)of->free_milli;
}

/* How much the fragmentation grows with the job on this node. */
static int64_t find_growth(struct gang_nodes *n, uint32_t node, uint32_t demand, uint32_t *gpu)
{
    const struct gang_node *of = &n->node[node];
    const struct gang_demand *d = &n->demand[demand];
    struct gang_look look;
    gang_look(n, of, &look);
    if (d->milli == GANG_MILLI) {
        *gpu = of->first;
        return gang_fragments_whole(n, &look, d->gpus) - of->fragments;
    }
    int64_t best = INT64_MAX;
    uint32_t before = 0; /* GPUs as free as the one before come to the same */
    for (uint32_t i = of->first; i < of->first + of->gpus; i++) {
        uint32_t usable = gang_usable(n, i);
        if (usable < d->milli || usable == before)
            continue;
        before = usable;
        int64_t growth = gang_fragments_less(n, &look, i, d->milli) - of->fragments;
        if (growth < best) {
            best = growth;
            *gpu = i;
        }
    }
    return best;
}

static int64_t score_growth(struct gang_nodes *n, uint32_t node, uint32_t demand, uint32_t *gpu)
{
    const struct gang_node *of = &n->node[node];
    size_t at = (size_t)demand * n->count + node;
    if (demand >= n->scored || (n->avoid && of->reserved > 0))
        return find_growth(n, node, demand, gpu);
    if (n->score_version[at] != of->version) {
        n->score[at] = find_growth(n, node, demand, &n->score_gpu[at]);
        n->score_version[at] = of->version;
    }
    *gpu = n->score_gpu[at];
    return n->score[at];
}

const char *const gang_placements[] = {"first_fit", "best_fit", "fgd", NULL};
static const struct gang_placement placements[] = {
    {score_first, true}, {score_free, false}, {score_growth, false}};

/* The GPUs of a node that are free as a whole, up to `wanted`; returns how many are still wanted.
 */
static uint32_t take_whole(struct gang_nodes *n, uint32_t job, uint32_t node, uint32_t wanted)
{
    const struct gang_node *of = &n->node[node];
    for (uint32_t i = of->first; i < of->first + of->gpus && wanted > 0; i++)
        if (gang_usable(n, i) == GANG_MILLI) {
            gang_take(n, job, i, GANG_MILLI);
            wanted--;
        }
    return wanted;
}

static uint32_t usable_whole(const struct gang_nodes *n, uint32_t node)
{
    const struct gang_node *of = &n->node[node];
    if (!n->avoid || of->reserved == 0)
        return of->whole;
    uint32_t found = 0;
    for (uint32_t i = of->first; i < of->first + of->gpus; i++)
        found += gang_usable(n, i) == GANG_MILLI;
    return found;
}

static bool place_across(struct gang_nodes *n, uint32_t job, const struct gang_demand *d,
                         struct gang_times *where)
{
    uint64_t found = 0;
    uint32_t most = 0;
    for (uint32_t i = 0; i < n->count; i++) {
        uint32_t whole = gang_model_fits(&n->node[i], d->models) ? usable_whole(n, i) : 0;
        found += whole;
        most = whole > most ? whole : most;
    }
    if (found < d->gpus)
        return false;
    uint32_t wanted = d->gpus;
    where->nodes = 0;
    for (uint32_t whole = most; whole > 0; whole--)
        for (uint32_t i = 0; i < n->count && wanted > 0; i++) {
            if (!gang_model_fits(&n->node[i], d->models) || usable_whole(n, i) != whole)
                continue;
            where->node = where->nodes++ == 0 ? i : where->node;
            wanted = take_whole(n, job, i, wanted);
        }
    DCS_ASSERT(wanted == 0);
    return true;
}

bool gang_place(struct gang_nodes *n, const struct gang_spec *spec, uint32_t job,
                struct gang_times *where)
{
    uint32_t demand = n->demand_of[job], best_gpu = 0, best_node = GANG_NONE;
    const struct gang_demand *d = &n->demand[demand];
    const struct gang_placement *placement = &placements[spec->placement];
    int64_t best = INT64_MAX;
    for (uint32_t i = 0; i < n->count; i++) {
        uint32_t gpu = 0;
        if (!gang_node_fits(n, i, d))
            continue;
        int64_t score = placement->score(n, i, demand, &gpu);
        if (best_node == GANG_NONE || score < best) {
            best = score;
            best_node = i;
            best_gpu = gpu;
        }
        if (placement->first)
            break;
    }
    if (best_node == GANG_NONE)
        return spec->across_nodes && d->gpus > 1 && place_across(n, job, d, where);
    where->node = best_node;
    where->nodes = 1;
    if (d->milli < GANG_MILLI)
        gang_take(n, job, best_gpu, d->milli);
    else
        take_whole(n, job, best_node, d->gpus);
    return true;
}
