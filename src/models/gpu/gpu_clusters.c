/* gpu_clusters.c - see gpu.h, CLUSTERS: kernels that wait for room for all of their blocks. */
#include "models/gpu/gpu_state.h"

/* SMs are handed out in pairs (the GPU's TPCs): clusters of two are taken to find room wherever
 * single blocks do. */
#define PAIR 2
/* How likely a kernel that begins beside another lacks a place for its last cluster: where both are
 * in clusters and together have more than fit; and else, if it fills its allotment and the others
 * half of the device. From kernels of real programs: docs/model.md, "Clusters of blocks". */
#define LACKS_FULL   0.95
#define LACKS_OTHERS 0.66

/* How long the last cluster alone takes, of what all of them together take: an SM is as fast then
 * as on the fewest SMs that are known, where each has the most of the memory's bandwidth. */
static double last_wave(const struct dcs_gpu *g, const struct gpu_kernel *k)
{
    uint32_t shape = k->launch.shape;
    double few = (double)g->spatial->shapes[shape].points[0].sms, all = (double)k->cap;
    if (few >= all)
        return 1;
    double share = dcs_shape_solo_ns(g->spatial, shape, few) * few /
                   (dcs_shape_solo_ns(g->spatial, shape, all) * all);
    return share < 1 ? share : 1;
}

void gpu_find_clusters(const struct dcs_gpu *g, struct gpu_kernel *k)
{
    k->order = k->place;
    k->fills = k->occupied_sms;
    k->cluster = 1;
    k->wave_left = 0;
    const uint32_t *room = g->spatial->cluster_room;
    if (!k->queued || k->launch.shape == DCS_NO_SHAPE || (room[2] | room[3] | room[4]) == 0)
        return;
    struct dcs_shape_cluster c = dcs_shape_cluster_at(g->spatial, k->launch.shape, k->cap);
    if (c.blocks <= PAIR || room[dcs_cluster_index(c.blocks)] == 0)
        return;
    k->cluster = c.blocks;
    k->fills = (double)c.fills;
    k->wave_left = last_wave(g, k) * gpu_launch_share(k);
}

/* The SMs that a kernel fills, in clusters of so many. */
static uint32_t count_clusters(const struct gpu_kernel *k, uint32_t sms)
{
    return ((uint32_t)(k->fills + 0.5) + sms - 1) / sms;
}

/* How likely a kernel lacks room beside those that began before it and still work; 0: there are
 * none. */
static double lacks_room(const struct dcs_gpu *g, const struct gpu_kernel *k)
{
    double taken = 0;
    uint32_t own = count_clusters(k, k->cluster), clusters = own;
    for (size_t i = 0; i < g->kernels_count; i++) {
        const struct gpu_kernel *o = &g->kernels[i];
        /* Where SMs are scarce they go round by launches. */
        uint64_t order = g->scarce ? o->place : o->order;
        if (!o->queued || !(o->sms > 0) || order >= k->order)
            continue;
        taken += o->fills;
        if (o->cluster > PAIR)
            clusters += count_clusters(o, k->cluster);
    }
    if (clusters > own && clusters > g->spatial->cluster_room[dcs_cluster_index(k->cluster)])
        return LACKS_FULL;
    double of_device = 2 * taken / (double)g->spatial->sms;
    return LACKS_OTHERS * k->fills / (double)k->cap * (of_device < 1 ? of_device : 1);
}

static bool waits(const struct gpu_kernel *k)
{
    return k->wave_left > 0 && k->lacks > 0 && k->full_ns > 0 && !(k->late_ns > 0);
}

int64_t gpu_waited_ns(const struct gpu_kernel *k)
{
    return waits(k) ? gpu_after(k, k->wave_left * k->full_ns * (1 - k->lacks)) : DCS_NEVER;
}

double gpu_wave_left_at(const struct gpu_kernel *k, int64_t now_ns)
{
    if (!waits(k))
        return k->wave_left;
    if (now_ns >= gpu_waited_ns(k))
        return 0;
    return k->wave_left - (double)(now_ns - k->since_ns) / (k->full_ns * (1 - k->lacks));
}

double gpu_lacks(const struct dcs_gpu *g, struct gpu_kernel *k, int64_t now_ns)
{
    if (!(k->sms > 0) || !(gpu_wave_left_at(k, now_ns) > 0))
        return 0;
    double lacks = lacks_room(g, k);
    if (!(lacks > 0))
        k->wave_left = 0; /* all of its blocks have places */
    return lacks;
}
