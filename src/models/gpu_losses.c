/* gpu_losses.c - what kernels that run together cost each other; see gpu.h. Never for a policy. */
#include "models/gpu_state.h"

#include <string.h>

/* The share of time that a kernel loses at its present rate. */
static double lost_share(const struct dcs_gpu *g, struct gpu_kernel *k)
{
    double alone_ns = gpu_solo_ns(g, k, k->cap);
    if (!(k->full_ns > 0))
        return 1; /* it waits for SMs */
    return k->full_ns > alone_ns ? 1 - alone_ns / k->full_ns : 0;
}

/* The same if kernel number `other` were not there; from its place, `at` is the kernel. */
static double lost_without(const struct dcs_gpu *g, size_t at, size_t other)
{
    struct gpu_kernel kernels[DCS_TOGETHER_MAX];
    struct dcs_gpu rest = *g;
    memcpy(kernels, g->kernels, other * sizeof *kernels);
    memcpy(kernels + other, g->kernels + other + 1,
           (g->kernels_count - other - 1) * sizeof *kernels);
    rest.kernels = kernels;
    rest.memo = NULL;
    rest.kernels_count--;
    gpu_settle(&rest, g->at_ns, g->at_ns);
    return lost_share(&rest, &kernels[at - (other < at)]);
}

uint32_t dcs_gpu_losses(const struct dcs_gpu *g, uint64_t id, struct dcs_gpu_loss *out)
{
    size_t at = 0;
    while (at < g->kernels_count && g->kernels[at].launch.id != id)
        at++;
    DCS_ASSERT(at < g->kernels_count && !g->unsettled);
    struct gpu_kernel kernel = g->kernels[at];
    if (kernel.phase != GPU_WORKS || kernel.partner != 0 || g->kernels_count < 2)
        return 0;
    double lost = lost_share(g, &kernel), sum = 0;
    if (!(lost > 0))
        return 0;
    uint32_t n = 0;
    for (size_t i = 0; i < g->kernels_count; i++) {
        if (i == at)
            continue;
        double saves = 1; /* of one other, whatever it saves */
        if (g->kernels_count > 2)
            saves = lost - lost_without(g, at, i);
        out[n] =
            (struct dcs_gpu_loss){.id = g->kernels[i].launch.id, .share = saves > 0 ? saves : 0};
        sum += out[n++].share;
    }
    for (uint32_t i = 0; i < n; i++)
        out[i].share = lost * (sum > 0 ? out[i].share / sum : 1 / (double)n);
    return n;
}
