/* gang_nodes.c - see gang_nodes.h. */
#include "gangs/gang_nodes.h"

#include <stdlib.h>
#include <string.h>

/* ---- Demands ---- */

static int compare_demands(const struct gang_job *a, const struct gang_job *b)
{
    if (a->gpus != b->gpus)
        return a->gpus < b->gpus ? -1 : 1;
    if (a->milli != b->milli)
        return a->milli < b->milli ? -1 : 1;
    return (a->models > b->models) - (a->models < b->models);
}

static int by_demand(const void *left, const void *right, void *jobs)
{
    const struct gang_job *all = jobs;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    int order = compare_demands(&all[a], &all[b]);
    return order != 0 ? order : (a > b) - (a < b);
}

static int by_popularity(const void *left, const void *right, void *demands)
{
    const struct gang_demand *all = demands;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    if (all[a].jobs != all[b].jobs)
        return all[a].jobs > all[b].jobs ? -1 : 1;
    return (a > b) - (a < b);
}

static void find_demands(struct gang_nodes *n, const struct gang_spec *spec)
{
    uint32_t *order = dcs_alloc(spec->jobs_count + 1, sizeof *order);
    for (uint32_t i = 0; i < spec->jobs_count; i++)
        order[i] = i;
    union {
        const struct gang_job *jobs;
        void *plain;
    } context = {.jobs = spec->jobs};
    qsort_r(order, spec->jobs_count, sizeof *order, by_demand, context.plain);
    n->demand_of = dcs_alloc(spec->jobs_count + 1, sizeof *n->demand_of);
    size_t capacity = 0;
    for (size_t i = 0; i < spec->jobs_count; i++) {
        const struct gang_job *job = &spec->jobs[order[i]];
        if (i == 0 || compare_demands(&spec->jobs[order[i - 1]], job) != 0) {
            n->demand = dcs_grow(n->demand, &capacity, n->demands + 1, sizeof *n->demand);
            n->demand[n->demands++] = (struct gang_demand){job->gpus, job->milli, job->models, 0};
        }
        n->demand_of[order[i]] = n->demands - 1;
        n->demand[n->demands - 1].jobs++;
    }
    free(order);
}

/* Demands beyond any node have no place in a measure of nodes. */
static void find_typical(struct gang_nodes *n)
{
    uint32_t largest = 0;
    uint32_t *order = dcs_alloc(n->demands + 1u, sizeof *order);
    for (uint32_t i = 0; i < n->count; i++)
        largest = n->node[i].gpus > largest ? n->node[i].gpus : largest;
    for (uint32_t i = 0; i < n->demands; i++)
        order[i] = i;
    qsort_r(order, n->demands, sizeof *order, by_popularity, n->demand);
    for (uint32_t i = 0; i < n->demands && n->typicals < GANG_TYPICAL_MAX; i++) {
        if (n->demand[order[i]].gpus > largest)
            continue;
        n->typical[n->typicals++] = order[i];
        n->typical_jobs += n->demand[order[i]].jobs;
    }
    free(order);
}

/* ---- Nodes ---- */

static void make_nodes(struct gang_nodes *n, const struct gang_spec *spec)
{
    for (size_t i = 0; i < spec->groups_count; i++)
        n->count += spec->groups[i].nodes;
    n->node = dcs_alloc(n->count, sizeof *n->node);
    uint32_t at = 0;
    for (size_t i = 0; i < spec->groups_count; i++)
        for (uint32_t k = 0; k < spec->groups[i].nodes; k++) {
            uint32_t gpus = spec->groups[i].gpus;
            DCS_ASSERT(gpus > 0 && gpus <= GANG_GPUS_MAX);
            n->node[at++] = (struct gang_node){.first = n->gpus,
                                               .gpus = gpus,
                                               .whole = gpus,
                                               .free_milli = (uint64_t)gpus * GANG_MILLI,
                                               .model = spec->groups[i].model,
                                               .version = 1};
            n->gpus += gpus;
        }
}

/* Room for the scores of so many pairs of a demand and a node: 20 bytes each. */
#define SCORES_MAX 4000000

void gang_nodes_init(struct gang_nodes *n, const struct gang_spec *spec)
{
    *n = (struct gang_nodes){.hold_free = GANG_NONE};
    make_nodes(n, spec);
    n->free_milli = dcs_alloc(n->gpus, sizeof *n->free_milli);
    n->reserved = dcs_alloc(n->gpus, sizeof *n->reserved);
    n->on_gpu = dcs_alloc(n->gpus, sizeof *n->on_gpu);
    n->of_job = dcs_alloc(spec->jobs_count + 1, sizeof *n->of_job);
    for (uint32_t i = 0; i < n->gpus; i++) {
        n->free_milli[i] = GANG_MILLI;
        n->on_gpu[i] = GANG_NONE;
    }
    for (size_t i = 0; i < spec->jobs_count; i++)
        n->of_job[i] = GANG_NONE;
    find_demands(n, spec);
    find_typical(n);
    n->free_total = (uint64_t)n->gpus * GANG_MILLI;
    for (uint32_t i = 0; i < n->count; i++) {
        n->node[i].fragments = gang_fragments(n, &n->node[i]);
        n->fragment_total += n->node[i].fragments;
    }
    DCS_ASSERT(n->count > 0);
    n->scored = n->demands < SCORES_MAX / n->count ? n->demands : SCORES_MAX / n->count;
    size_t scores = (size_t)n->scored * n->count + 1;
    n->score = dcs_alloc(scores, sizeof *n->score);
    n->score_version = dcs_alloc(scores, sizeof *n->score_version);
    n->score_gpu = dcs_alloc(scores, sizeof *n->score_gpu);
}

void gang_nodes_release(struct gang_nodes *n)
{
    free(n->node);
    free(n->free_milli);
    free(n->reserved);
    free(n->on_gpu);
    free(n->of_job);
    free(n->hold);
    free(n->demand);
    free(n->demand_of);
    free(n->score);
    free(n->score_version);
    free(n->score_gpu);
    *n = (struct gang_nodes){0};
}

bool gang_model_fits(const struct gang_node *node, uint64_t models)
{
    return models == GANG_ANY_MODEL || (models & node->model) != 0;
}

uint32_t gang_usable(const struct gang_nodes *n, uint32_t gpu)
{
    return n->avoid && n->reserved[gpu] ? 0 : n->free_milli[gpu];
}

bool gang_node_fits(const struct gang_nodes *n, uint32_t node, const struct gang_demand *d)
{
    const struct gang_node *of = &n->node[node];
    bool avoid = n->avoid && of->reserved > 0;
    if (!gang_model_fits(of, d->models) || of->free_milli < (uint64_t)d->gpus * d->milli)
        return false;
    if (d->milli == GANG_MILLI && !avoid)
        return of->whole >= d->gpus;
    uint32_t found = 0;
    for (uint32_t i = of->first; i < of->first + of->gpus && found < d->gpus; i++)
        found += gang_usable(n, i) >= d->milli;
    return found == d->gpus;
}

void gang_look(const struct gang_nodes *n, const struct gang_node *node, struct gang_look *out)
{
    out->node = node;
    for (uint32_t t = 0; t < n->typicals; t++) {
        uint32_t milli = n->demand[n->typical[t]].milli, enough = 0, small = 0;
        for (uint32_t i = node->first; i < node->first + node->gpus; i++) {
            bool takes = n->free_milli[i] >= milli;
            enough += takes;
            small += takes ? 0 : n->free_milli[i];
        }
        out->enough[t] = enough;
        out->small[t] = small;
    }
}

/* Of one typical demand, if a node has so many GPUs that are enough for it. */
static int64_t count_fragments(const struct gang_nodes *n, const struct gang_node *node, uint32_t t,
                               uint32_t enough, int64_t small, int64_t all)
{
    const struct gang_demand *d = &n->demand[n->typical[t]];
    bool fits = enough >= d->gpus && gang_model_fits(node, d->models);
    return (int64_t)d->jobs * (fits ? small : all);
}

int64_t gang_fragments(const struct gang_nodes *n, const struct gang_node *node)
{
    struct gang_look look;
    gang_look(n, node, &look);
    return gang_fragments_whole(n, &look, 0);
}

int64_t gang_fragments_less(const struct gang_nodes *n, const struct gang_look *look, uint32_t gpu,
                            uint32_t milli)
{
    uint32_t before = n->free_milli[gpu], after = before - milli;
    int64_t sum = 0, all = (int64_t)look->node->free_milli - milli;
    for (uint32_t t = 0; t < n->typicals; t++) {
        uint32_t wants = n->demand[n->typical[t]].milli;
        bool took = before >= wants, takes = after >= wants;
        uint32_t enough = look->enough[t] - took + takes;
        int64_t small = look->small[t] - (took ? 0 : before) + (takes ? 0 : after);
        sum += count_fragments(n, look->node, t, enough, small, all);
    }
    return sum;
}

/* A whole GPU is enough for any demand, and one that is taken for none. */
int64_t gang_fragments_whole(const struct gang_nodes *n, const struct gang_look *look,
                             uint32_t gpus)
{
    int64_t sum = 0, all = (int64_t)look->node->free_milli - (int64_t)gpus * GANG_MILLI;
    for (uint32_t t = 0; t < n->typicals; t++)
        sum += count_fragments(n, look->node, t, look->enough[t] - gpus, look->small[t], all);
    return sum;
}

/* ---- Holding ---- */

static uint32_t node_of(const struct gang_nodes *n, uint32_t gpu)
{
    uint32_t low = 0, high = n->count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (n->node[middle].first <= gpu)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void change_free(struct gang_nodes *n, uint32_t gpu, int64_t by)
{
    struct gang_node *node = &n->node[node_of(n, gpu)];
    int64_t now = (int64_t)n->free_milli[gpu] + by;
    DCS_ASSERT(now >= 0 && now <= GANG_MILLI);
    node->whole -= n->free_milli[gpu] == GANG_MILLI;
    n->free_milli[gpu] = (uint32_t)now;
    node->whole += now == GANG_MILLI;
    node->free_milli = (uint64_t)((int64_t)node->free_milli + by);
    n->free_total = (uint64_t)((int64_t)n->free_total + by);
    node->version++;
    n->fragment_total -= node->fragments;
    node->fragments = gang_fragments(n, node);
    n->fragment_total += node->fragments;
}

void gang_take(struct gang_nodes *n, uint32_t job, uint32_t gpu, uint32_t milli)
{
    uint32_t at = n->hold_free;
    if (at != GANG_NONE) {
        n->hold_free = n->hold[at].next_of_job;
    } else {
        n->hold = dcs_grow(n->hold, &n->hold_capacity, n->hold_count + 1, sizeof *n->hold);
        at = (uint32_t)n->hold_count++;
    }
    n->hold[at] = (struct gang_hold){job, gpu, milli, n->on_gpu[gpu], n->of_job[job]};
    n->on_gpu[gpu] = n->of_job[job] = at;
    change_free(n, gpu, -(int64_t)milli);
}

void gang_give_back(struct gang_nodes *n, uint32_t job)
{
    uint32_t at = n->of_job[job];
    while (at != GANG_NONE) {
        struct gang_hold *h = &n->hold[at];
        uint32_t *link = &n->on_gpu[h->gpu], next = h->next_of_job;
        while (*link != at)
            link = &n->hold[*link].next_on_gpu;
        *link = h->next_on_gpu;
        change_free(n, h->gpu, h->milli);
        h->next_of_job = n->hold_free;
        n->hold_free = at;
        at = next;
    }
    n->of_job[job] = GANG_NONE;
}
