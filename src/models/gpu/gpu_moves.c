/* gpu_moves.c - see gpu.h, MOVING SMs: SMs go from kernel to kernel while both run. */
#include "models/gpu/gpu_state.h"

#include <math.h>

#define ROUNDING 1e-9 /* in waves */

/* Where a kernel is: the CUDA launch of the moment. */
struct place {
    struct gpu_grid grid;
    double launch_ns; /* all of it, at the kernel's present rate */
    double left;      /* share of it, above 0 to 1 */
};

static struct place find_place(const struct dcs_gpu *g, const struct gpu_kernel *k, int64_t now_ns)
{
    const struct dcs_shape *shape =
        k->launch.shape != DCS_NO_SHAPE ? &g->spatial->shapes[k->launch.shape] : NULL;
    double share = 1 / (double)k->launches, left = gpu_left_at(k, now_ns), after = 0;
    struct place p = {.grid = {0}};
    if (shape != NULL && shape->groups != NULL) {
        uint32_t i = 0;
        while (i + 1 < shape->groups_count && left <= shape->groups[i].after)
            i++;
        const struct dcs_launch_group *group = &shape->groups[i];
        share = group->share;
        after = group->after;
        p.grid =
            (struct gpu_grid){group->blocks, group->blocks_per_sm, group->drifts, group->overhang};
    } else if (shape != NULL) {
        p.grid =
            (struct gpu_grid){shape->blocks, shape->blocks_per_sm, shape->drifts, shape->overhang};
    }
    double launches = (left - after) / share, whole = floor(launches);
    p.launch_ns = share * k->full_ns;
    p.left = launches > whole ? launches - whole : 1;
    return p;
}

/* Until the blocks have ended that are on a kernel's SMs now. */
static double drain_ns(const struct place *p, uint32_t sms)
{
    double rest_ns = p->left * p->launch_ns;
    if (p->grid.blocks == 0 || p->grid.blocks_per_sm == 0)
        return rest_ns;
    double waves = (double)p->grid.blocks / ((double)p->grid.blocks_per_sm * (double)sms);
    if (p->grid.drifts && waves > 1) {
        double block_ns = p->launch_ns / (waves + p->grid.overhang);
        return block_ns < rest_ns ? block_ns : rest_ns;
    }
    double whole = ceil(waves - ROUNDING), wave = p->left * whole;
    double begun = wave - floor(wave + ROUNDING);
    return begun > 0 ? begun / whole * p->launch_ns : 0;
}

/* What the blocks on an SM hold in registers and shared memory; 0: not known. */
static double context_bytes(const struct dcs_gpu *g, const struct gpu_kernel *k, uint32_t blocks)
{
    if (k->launch.shape == DCS_NO_SHAPE)
        return 0;
    const struct dcs_shape *shape = &g->spatial->shapes[k->launch.shape];
    if (shape->threads == 0 || shape->registers == 0)
        return 0;
    return (double)blocks * (4.0 * shape->threads * shape->registers + (double)shape->shared_bytes);
}

static bool saves(const struct gpu_kernel *k)
{
    return k->leaves_ns != DCS_NEVER && k->drains == GPU_SAVES;
}

/* What SMs that stay read back of those that save is more work for them; it ends where all stay. */
static void read_back(struct gpu_kernel *k, int64_t now_ns, double share)
{
    if (share == k->read_back)
        return;
    double left = gpu_left_at(k, now_ns) + share - k->read_back;
    k->left = left > 0 ? left : 0;
    k->since_ns = now_ns;
    k->full_ns = 0; /* its rate is worked out anew */
    k->read_back = share;
}

/* How long SMs stay that are to leave. Those that are saving already stay as long as those that
 * begin to. */
static int64_t leave_ns(struct dcs_gpu *g, struct gpu_kernel *k, int64_t now_ns)
{
    bool begun = k->full_ns > 0 || saves(k);
    k->drains = GPU_DRAINS_IN_STEP;
    if (k->phase != GPU_WORKS || k->kind != DCS_SHAPE_COMPUTE || !begun)
        return 0; /* no block has begun */
    struct place p = find_place(g, k, now_ns);
    double ns = drain_ns(&p, k->held), sm_gbs = g->spatial->dram_gbs / (double)g->spatial->sms;
    double bytes = context_bytes(g, k, p.grid.blocks_per_sm);
    if (p.grid.drifts)
        k->drains = GPU_DRAINS_APART;
    if (g->moves == DCS_MOVES_BY_SAVE && bytes > 0 && sm_gbs > 0) {
        double save_ns = bytes / sm_gbs;
        double restore_ns = save_ns * (k->held - k->allotted) / k->allotted;
        read_back(k, now_ns, restore_ns / gpu_solo_ns(g, k, k->allotted));
        k->drains = GPU_SAVES;
        ns = save_ns;
    }
    return ns < (double)DCS_TIME_MAX ? (int64_t)(ns + 0.5) : DCS_TIME_MAX;
}

static void hold(struct gpu_kernel *k, uint32_t sms)
{
    double blocks = k->occupies_most;
    k->held = sms;
    if (k->kind != DCS_SHAPE_COMPUTE)
        return;
    k->cap = sms;
    k->occupied_sms = blocks < sms ? blocks : sms;
}

void dcs_gpu_let_move(struct dcs_gpu *g, enum dcs_gpu_moves by)
{
    g->moves = by;
}

static const struct gpu_kernel *find_kernel(const struct dcs_gpu *g, uint64_t id)
{
    for (size_t i = 0; i < g->kernels_count; i++)
        if (g->kernels[i].launch.id == id)
            return &g->kernels[i];
    return NULL;
}

uint32_t dcs_gpu_allotment(const struct dcs_gpu *g, uint64_t id)
{
    const struct gpu_kernel *k = find_kernel(g, id);
    return k != NULL ? k->allotted : 0;
}

bool dcs_gpu_admits_resize(const struct dcs_gpu *g, uint64_t id, uint32_t sms,
                           const struct dcs_gpu_promised *promised, const char **why)
{
    const struct gpu_kernel *k = find_kernel(g, id);
    int64_t others = (int64_t)g->sms_allotted + (promised != NULL ? promised->sms : 0);
    *why = NULL;
    if (g->moves == DCS_MOVES_NOT)
        *why = "a GPU cannot resize what runs (see host_device.can_resize)";
    else if (k == NULL || k->phase == GPU_DIES)
        *why = "it does not run there";
    else if (k->launch.allotment.share != DCS_GPU_GREEN || k->partner != 0)
        *why = "it is on no partition";
    else if (sms < 1 || sms > g->spatial->sms)
        *why = "the allotment must be from 1 to all of its SMs";
    else if (others - (int64_t)k->allotted + (int64_t)sms > (int64_t)g->spatial->sms)
        *why = "the allotments that run leave fewer SMs";
    return *why == NULL;
}

uint32_t dcs_gpu_sms_held(const struct dcs_gpu *g)
{
    uint32_t held = 0;
    for (size_t i = 0; i < g->kernels_count; i++)
        held += g->kernels[i].partition ? g->kernels[i].held : 0;
    DCS_ASSERT(held <= g->spatial->sms);
    return held;
}

void gpu_enter_moves(const struct dcs_gpu *g, struct gpu_kernel *k)
{
    k->leaves_ns = DCS_NEVER;
    k->read_back = 0;
    k->occupies_most = HUGE_VAL;
    if (k->launch.shape != DCS_NO_SHAPE && g->spatial->shapes[k->launch.shape].blocks > 0)
        k->occupies_most = (double)g->spatial->shapes[k->launch.shape].blocks;
    k->held = 0;
    uint32_t free = g->moves != DCS_MOVES_NOT ? g->spatial->sms - dcs_gpu_sms_held(g) : UINT32_MAX;
    k->held = k->allotted;
    if (k->launch.allotment.share == DCS_GPU_GREEN && free < k->allotted)
        hold(k, free);
}

void gpu_retarget(struct dcs_gpu *g, struct gpu_kernel *k, int64_t now_ns, uint32_t sms)
{
    uint32_t before = k->allotted;
    g->sms_allotted = g->sms_allotted - before + sms;
    k->allotted = k->launch.allotment.sms = sms;
    if (sms >= k->held) {
        k->leaves_ns = DCS_NEVER;
        read_back(k, now_ns, 0);
    } else if (k->leaves_ns == DCS_NEVER || sms < before) {
        k->leaves_ns = dcs_add_times(now_ns, leave_ns(g, k, now_ns));
    }
}

void gpu_move_sms(struct dcs_gpu *g, int64_t now_ns)
{
    if (g->moves == DCS_MOVES_NOT)
        return;
    bool moved = false;
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct gpu_kernel *k = &g->kernels[i];
        if (k->leaves_ns > now_ns)
            continue;
        hold(k, k->allotted);
        k->leaves_ns = DCS_NEVER;
        k->read_back = 0;
        moved = true;
    }
    uint32_t free = g->spatial->sms - dcs_gpu_sms_held(g);
    for (size_t i = 0; i < g->kernels_count && free > 0; i++) {
        struct gpu_kernel *k = &g->kernels[i];
        if (!k->partition || k->phase == GPU_DIES || k->held >= k->allotted)
            continue;
        uint32_t more = k->allotted - k->held < free ? k->allotted - k->held : free;
        hold(k, k->held + more);
        free -= more;
        moved = true;
    }
    if (moved)
        gpu_forget_rates(g);
}
