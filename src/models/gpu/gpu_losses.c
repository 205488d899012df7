/* gpu_losses.c - what kernels that run together cost each other; see gpu.h. Never for a policy. */
#include "models/gpu/gpu_state.h"

#include <string.h>

/* The share of time that a kernel loses at its present rate. */
static double lost_share(const struct dcs_gpu *g, struct gpu_kernel *k)
{
    if (!(k->full_ns > 0))
        return 1; /* it waits */
    double alone_ns = gpu_solo_ns(g, k, k->cap);
    return k->full_ns > alone_ns ? 1 - alone_ns / k->full_ns : 0;
}

/* What a kernel whose last blocks wait, or would if some other kernel were there, loses from now
 * until its present launch ends, ns: while it waits its rate does not say how long it will. */
static double lost_in_launch(const struct dcs_gpu *g, struct gpu_kernel *k)
{
    double end_left = k->turn.part_left > 0 ? k->turn.part_left : 0;
    double part = gpu_left_at(k, g->at_ns) - end_left, wait_ns = 0, full_ns = k->full_ns;
    if (k->late_ns > 0) {
        wait_ns = (double)(gpu_late_until(k) - g->at_ns);
        full_ns *=
            (1 - k->lacks) * gpu_solo_ns(g, k, k->turn.held) / gpu_solo_ns(g, k, k->pace_sms);
    }
    return wait_ns + part * (full_ns - gpu_solo_ns(g, k, k->cap));
}

/* A share of time or, of one whose last blocks wait, ns: all that is compared of one kernel. */
static double lost(const struct dcs_gpu *g, struct gpu_kernel *k, bool waits)
{
    return waits ? lost_in_launch(g, k) : lost_share(g, k);
}

/* The same if kernel number `other` were not there; from its place, `at` is the kernel. */
static double lost_without(const struct dcs_gpu *g, size_t at, size_t other, bool waits)
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
    return lost(&rest, &kernels[at - (other < at)], waits);
}

/* Adds ns times the share of the time that kernel number `at` now loses to each other, in the order
 * of the kernels. */
static void add_losses(const struct dcs_gpu *g, size_t at, double ns, double *lost_to)
{
    struct gpu_kernel kernel = g->kernels[at];
    double share = lost_share(g, &kernel), saves[DCS_TOGETHER_MAX], sum = 0;
    bool waits = kernel.late_ns > 0;
    size_t others = g->kernels_count - 1;
    if (!(share > 0))
        return;
    if (kernel.kind != DCS_SHAPE_COMPUTE && !(kernel.full_ns > 0)) {
        lost_to[gpu_served(g, kernel.kind) - g->kernels] += ns;
        return;
    }
    for (size_t i = 0; i < g->kernels_count; i++) {
        saves[i] = i == at ? 0 : 1; /* of one other, whatever it saves */
        if (i != at && others > 1)
            saves[i] = lost(g, &kernel, waits) - lost_without(g, at, i, waits);
        saves[i] = saves[i] > 0 ? saves[i] : 0;
        sum += saves[i];
    }
    for (size_t i = 0; i < g->kernels_count; i++)
        if (i != at)
            lost_to[i] += ns * share * (sum > 0 ? saves[i] / sum : 1 / (double)others);
}

/* The same, ns = 1, of the time until the device's next end: g is ahead, just before that. */
static void add_losses_ahead(const struct dcs_gpu *g, size_t at, double *lost_to)
{
    struct gpu_kernel kernels[DCS_TOGETHER_MAX];
    struct dcs_gpu then = *g->before;
    double ns = (double)(g->next_ns - then.at_ns);
    memcpy(kernels, then.kernels, then.kernels_count * sizeof *kernels);
    then.kernels = kernels;
    then.memo = NULL;
    for (;;) {
        int64_t until_ns = then.next_ns < g->next_ns ? then.next_ns : g->next_ns;
        add_losses(&then, at, (double)(until_ns - then.at_ns) / ns, lost_to);
        if (until_ns == g->next_ns)
            return;
        gpu_change_inside(&then);
    }
}

uint32_t dcs_gpu_losses(const struct dcs_gpu *g, uint64_t id, struct dcs_gpu_loss *out)
{
    size_t at = 0;
    while (at < g->kernels_count && g->kernels[at].launch.id != id)
        at++;
    DCS_ASSERT(at < g->kernels_count && !g->unsettled);
    const struct gpu_kernel *kernel = &g->kernels[at];
    double lost_to[DCS_TOGETHER_MAX] = {0}, sum = 0;
    if (kernel->phase != GPU_WORKS || kernel->partner != 0 || g->kernels_count < 2)
        return 0;
    if (g->ahead && g->next_ns > g->before->at_ns && g->next_ns < DCS_TIME_MAX)
        add_losses_ahead(g, at, lost_to);
    else
        add_losses(g, at, 1, lost_to);
    uint32_t n = 0;
    for (size_t i = 0; i < g->kernels_count; i++) {
        sum += lost_to[i];
        if (i != at)
            out[n++] = (struct dcs_gpu_loss){.id = g->kernels[i].launch.id, .share = lost_to[i]};
    }
    return sum > 0 ? n : 0;
}
