/* gpu_clusters.c - see gpu.h, CLUSTERS: kernels that wait for room for all of their blocks. */
#include "models/gpu/gpu_state.h"

/* SMs are handed out in pairs (the GPU's TPCs): so many blocks find room wherever others do. */
#define PAIR 2
/* How likely a kernel that begins beside another lacks a place for its last cluster (docs/model.md,
 * "Clusters of blocks", says where these are from): where both are in clusters and together have
 * more than fit, and else, if it fills its share and the others half of the device. */
#define LACKS_FULL   0.95
#define LACKS_OTHERS 0.66

/* How long the last cluster alone takes of what all of them together take: as on the fewest SMs
 * that are known, where each has the most of the memory's bandwidth for itself. */
static double last_wave_of(const struct dcs_gpu *g, struct gpu_kernel *k)
{
    const struct dcs_shape *shape = &g->spatial->shapes[k->launch.shape];
    double few = (double)shape->points[0].sms, all = (double)k->cap;
    if (few >= all)
        return 1;
    double share = dcs_shape_solo_ns(g->spatial, k->launch.shape, few) * few /
                   (dcs_shape_solo_ns(g->spatial, k->launch.shape, all) * all);
    return share < 1 ? share : 1;
}

void gpu_find_clusters(const struct dcs_gpu *g, struct gpu_kernel *k)
{
    k->order = k->place;
    k->fills = k->occupied_sms;
    k->cluster = 1;
    k->wave_left = 0;
    if (!k->queued || k->launch.shape == DCS_NO_SHAPE)
        return;
    struct dcs_shape_cluster c = dcs_shape_cluster_at(g->spatial, k->launch.shape, k->cap);
    if (c.blocks <= PAIR || g->spatial->cluster_room[dcs_cluster_index(c.blocks)] == 0)
        return;
    k->cluster = 1u << dcs_cluster_index(c.blocks);
    k->fills = (double)c.fills;
    k->wave_left = last_wave_of(g, k);
}

/* Clusters of so many SMs that a kernel is as many as. */
static uint32_t clusters_of(const struct gpu_kernel *k, uint32_t sms)
{
    return ((uint32_t)(k->fills + 0.5) + sms - 1) / sms;
}

/* How likely a kernel lacks room beside those that began before it and still work. */
static double lacks_room(const struct dcs_gpu *g, const struct gpu_kernel *k)
{
    double taken = 0;
    uint32_t clusters = clusters_of(k, k->cluster), alone = clusters;
    for (size_t i = 0; i < g->kernels_count; i++) {
        const struct gpu_kernel *o = &g->kernels[i];
        if (!o->queued || !(o->sms > 0) || o->order >= k->order)
            continue;
        taken += o->fills;
        if (o->cluster > PAIR)
            clusters += clusters_of(o, k->cluster);
    }
    if (clusters > alone && clusters > g->spatial->cluster_room[dcs_cluster_index(k->cluster)])
        return LACKS_FULL;
    double of_device = 2 * taken / (double)g->spatial->sms;
    return LACKS_OTHERS * k->fills / (double)k->cap * (of_device < 1 ? of_device : 1);
}

double gpu_wave_left_at(const struct gpu_kernel *k, int64_t now_ns)
{
    if (!(k->wave_left > 0) || !(k->held_back > 0) || !(k->full_ns > 0))
        return k->wave_left;
    double wave_ns = k->full_ns * (1 - k->held_back);
    double left = k->wave_left - (double)(now_ns - k->since_ns) / wave_ns;
    return left * wave_ns < 1 ? 0 : left;
}

double gpu_holds_back(const struct dcs_gpu *g, const struct gpu_kernel *k, int64_t now_ns)
{
    if (g->scarce || !(k->sms > 0) || !(gpu_wave_left_at(k, now_ns) > 0))
        return 0;
    return lacks_room(g, k);
}

int64_t gpu_waited_ns(const struct gpu_kernel *k)
{
    if (!(k->wave_left > 0) || !(k->held_back > 0) || !(k->full_ns > 0))
        return DCS_NEVER;
    return gpu_after(k, k->wave_left * k->full_ns * (1 - k->held_back));
}
