/*
 * gang_reserve.c - when the first job in the queue can start if nobody else starts, and on which
 * GPUs. Ends are known, so that this instant stays the same until then, whoever is let before it on
 * other GPUs, or on these up to then.
 *
 * Of the GPUs of a node that are free by then, those that become free last are reserved: those that
 * are free now are left to others. On one node this is EASY's rule of the "extra" processors.
 */
#include "gangs/gang_nodes.h"

#include <stdlib.h>

struct opening {
    int64_t at_ns;
    uint32_t gpu;
};

static int by_time(const void *left, const void *right)
{
    const struct opening *a = left, *b = right;
    if (a->at_ns != b->at_ns)
        return a->at_ns < b->at_ns ? -1 : 1;
    return (a->gpu > b->gpu) - (a->gpu < b->gpu);
}

/* When a GPU has so much free, if nobody starts on it. */
static int64_t find_opening(const struct gang_nodes *n, uint32_t gpu, uint32_t milli,
                            int64_t now_ns, const struct gang_times *times)
{
    if (n->free_milli[gpu] >= milli)
        return now_ns;
    struct opening ends[GANG_MILLI];
    size_t count = 0;
    for (uint32_t h = n->on_gpu[gpu]; h != GANG_NONE; h = n->hold[h].next_on_gpu)
        ends[count++] = (struct opening){times[n->hold[h].job].end_ns, n->hold[h].milli};
    if (count > 1)
        qsort(ends, count, sizeof *ends, by_time);
    uint32_t left = n->free_milli[gpu];
    for (size_t i = 0; i < count; i++) {
        left += ends[i].gpu;
        if (left >= milli)
            return ends[i].at_ns;
    }
    DCS_ASSERT(milli > GANG_MILLI);
    return DCS_NEVER;
}

/* The openings of the GPUs of a node, sorted. */
static void find_openings(const struct gang_nodes *n, uint32_t node, const struct gang_demand *d,
                          int64_t now_ns, const struct gang_times *times, struct opening *out)
{
    const struct gang_node *of = &n->node[node];
    for (uint32_t i = 0; i < of->gpus; i++) {
        uint32_t gpu = of->first + i;
        out[i] = (struct opening){find_opening(n, gpu, d->milli, now_ns, times), gpu};
    }
    qsort(out, of->gpus, sizeof *out, by_time);
}

static void reserve_gpu(struct gang_nodes *n, uint32_t gpu)
{
    n->reserved[gpu] = true;
    uint32_t node = 0; /* a gang is reserved for once in its life */
    while (node + 1 < n->count && n->node[node + 1].first <= gpu)
        node++;
    n->node[node].reserved++;
}

/* The last `wanted` of the openings up to an instant. */
static void reserve_last(struct gang_nodes *n, const struct opening *openings, size_t count,
                         int64_t at_ns, uint32_t wanted)
{
    while (count > 0 && openings[count - 1].at_ns > at_ns)
        count--;
    DCS_ASSERT(count >= wanted);
    for (uint32_t i = 0; i < wanted; i++)
        reserve_gpu(n, openings[count - 1 - i].gpu);
}

static int64_t reserve_across(struct gang_nodes *n, const struct gang_demand *d, int64_t now_ns,
                              const struct gang_times *times)
{
    struct opening *all = dcs_alloc(n->gpus, sizeof *all);
    size_t count = 0;
    for (uint32_t i = 0; i < n->count; i++)
        if (gang_model_fits(&n->node[i], d->models)) {
            find_openings(n, i, d, now_ns, times, all + count);
            count += n->node[i].gpus;
        }
    qsort(all, count, sizeof *all, by_time);
    DCS_ASSERT(count >= d->gpus);
    int64_t at_ns = all[d->gpus - 1].at_ns;
    reserve_last(n, all, count, at_ns, d->gpus);
    free(all);
    return at_ns;
}

int64_t gang_reserve(struct gang_nodes *n, const struct gang_spec *spec, uint32_t job,
                     int64_t now_ns, const struct gang_times *times)
{
    const struct gang_demand *d = &n->demand[n->demand_of[job]];
    struct opening openings[GANG_GPUS_MAX];
    int64_t best_ns = DCS_NEVER;
    uint32_t best = GANG_NONE;
    if (spec->across_nodes && d->gpus > 1)
        return reserve_across(n, d, now_ns, times);
    for (uint32_t i = 0; i < n->count; i++) {
        if (n->node[i].gpus < d->gpus || !gang_model_fits(&n->node[i], d->models))
            continue;
        find_openings(n, i, d, now_ns, times, openings);
        if (openings[d->gpus - 1].at_ns < best_ns) {
            best_ns = openings[d->gpus - 1].at_ns;
            best = i;
        }
    }
    DCS_ASSERT(best != GANG_NONE);
    find_openings(n, best, d, now_ns, times, openings);
    reserve_last(n, openings, n->node[best].gpus, best_ns, d->gpus);
    return best_ns;
}

void gang_unreserve(struct gang_nodes *n)
{
    for (uint32_t i = 0; i < n->gpus; i++)
        n->reserved[i] = false;
    for (uint32_t i = 0; i < n->count; i++)
        n->node[i].reserved = 0;
}
