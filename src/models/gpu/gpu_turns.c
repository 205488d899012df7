/* gpu_turns.c - see gpu.h: how far each kernel is in its CUDA launches, and what SMs it wants. */
#include "models/gpu/gpu_state.h"

#include <math.h>

#define ROUNDING 1e-9 /* in waves: SMs are handed out in fractions */

/* ---- Where it is ---- */

/* When that share of its work was left, or will be, at its present rate. */
static int64_t time_of(const struct gpu_kernel *k, double left)
{
    double ns = (k->left - left) * k->full_ns;
    return ns >= 0 ? gpu_after(k, ns) : k->since_ns - (int64_t)(0.5 - ns);
}

/* What the grid of the present launch says about the end of that, on so many SMs: see gpu.h. */
static void set_waves(struct gpu_turn *t, double sms)
{
    const struct gpu_grid *grid = &t->grid;
    t->held = sms;
    t->last_wave = t->last_sms = t->last_use = 0;
    if (grid->blocks == 0 || grid->blocks_per_sm == 0)
        return;
    double waves = (double)grid->blocks / ((double)grid->blocks_per_sm * sms);
    double whole = ceil(waves - ROUNDING) - 1; /* before the last */
    if (grid->drifts && whole > 0) {
        t->last_wave = (0.5 + grid->overhang) / (waves + grid->overhang);
        t->last_sms = 0.5 * sms;
        t->last_use = 0.5 / (0.5 + grid->overhang) * sms;
    } else {
        double rest = (waves - whole) * sms, block = 1 / (double)grid->blocks_per_sm;
        t->last_wave = 1 / (whole + 1);
        t->last_sms = rest > block ? rest : block;
        t->last_sms = t->last_sms < sms ? t->last_sms : sms;
        t->last_use = t->last_sms;
    }
    if (t->last_sms < GPU_SMS_MIN)
        t->last_sms = GPU_SMS_MIN;
}

static void set_grid(struct gpu_turn *t, struct gpu_grid grid, uint32_t cap)
{
    t->grid = grid;
    set_waves(t, (double)cap);
}

static void set_group(struct gpu_turn *t, uint32_t cap, const struct dcs_launch_group *group)
{
    t->group = group;
    t->group_left = group->launches - 1;
    set_grid(t,
             (struct gpu_grid){group->blocks, group->blocks_per_sm, group->drifts, group->overhang},
             cap);
}

static void next_group(struct gpu_turn *t, uint32_t cap)
{
    const struct dcs_launch_group *next = t->group + 1;
    bool same = next->grid == t->group->grid; /* then the waves are, too */
    if (!same) {
        set_group(t, cap, next);
        return;
    }
    t->group = next;
    t->group_left = next->launches - 1;
}

void gpu_set_launches(struct gpu_kernel *k, const struct dcs_shape *shape)
{
    double cap = (double)k->cap;
    k->occupied_sms = k->most_sms = cap;
    if (shape == NULL)
        return;
    if (shape->blocks > 0 && shape->blocks < k->cap)
        k->occupied_sms = (double)shape->blocks;
    if (shape->groups != NULL) {
        set_group(&k->turn, k->cap, shape->groups);
        k->most_sms = shape->most_fill < cap ? shape->most_fill : cap;
        return;
    }
    set_grid(&k->turn,
             (struct gpu_grid){shape->blocks, shape->blocks_per_sm, shape->drifts, shape->overhang},
             k->cap);
    if (k->turn.last_wave == 1)
        k->most_sms = k->turn.last_sms;
}

/* See part_left. */
static double left_after_part(const struct gpu_turn *t, uint32_t launches)
{
    if (t->count + 1 == launches && (t->in_last || !(t->last_wave > 0)))
        return -1;
    if (t->group != NULL) {
        double later = t->group->after + (double)t->group_left * t->group->share;
        return later + (t->in_last ? 0 : t->last_wave * t->group->share);
    }
    return ((double)(launches - 1 - t->count) + (t->in_last ? 0 : t->last_wave)) / (double)launches;
}

/* After the launch has changed, or the part of it. */
static void enter_part(struct gpu_turn *t, const struct gpu_kernel *k)
{
    t->wants = t->in_last ? t->last_sms : (double)k->cap;
    t->part_left = left_after_part(t, k->launches);
}

/* On to the next part. */
static void end_part(struct gpu_turn *t, const struct gpu_kernel *k)
{
    bool ends = t->in_last || !(t->last_wave > 0);
    if (ends)
        t->launched_left = t->part_left;
    t->count += ends;
    if (ends && t->group != NULL) {
        if (t->group_left > 0)
            t->group_left--;
        else
            next_group(t, k->cap);
    }
    if (ends && t->held != (double)k->cap)
        set_waves(t, (double)k->cap);
    t->in_last = !ends || t->last_wave == 1; /* all its blocks fit at once: nothing before that */
    enter_part(t, k);
}

double gpu_give(struct gpu_kernel *k, double offered, bool scarce, int64_t now_ns)
{
    struct gpu_turn *t = &k->turn;
    double sms = scarce && offered < (double)k->cap ? offered : (double)k->cap;
    if (t->last_wave > 0 && !t->in_last && sms >= GPU_SMS_MIN && t->held != sms) {
        set_waves(t, sms);
        t->in_last = gpu_left_at(k, now_ns) <= left_after_part(t, k->launches);
        enter_part(t, k);
    }
    sms = t->wants < offered ? t->wants : offered;
    return sms < GPU_SMS_MIN ? 0 : sms;
}

/* Passes n launches that are like the present one, n >= 1: `t` is in the same part of the last of
 * them then. */
static void pass_alike(struct gpu_turn *t, const struct gpu_kernel *k, uint32_t n)
{
    struct gpu_turn before = *t; /* in the end of the last but one */
    before.count += n - 1;
    before.group_left -= t->group != NULL ? n - 1 : 0;
    before.in_last = true;
    t->launched_left = left_after_part(&before, k->launches);
    t->count += n;
    if (t->group != NULL)
        t->group_left -= n;
    t->part_left = left_after_part(t, k->launches);
}

/* Whether all launches of a group are over; later: launches of the groups behind it. */
static bool is_over(const struct gpu_kernel *k, const struct dcs_launch_group *group,
                    uint32_t later, int64_t now_ns)
{
    return later > 0 && time_of(k, group->after) <= now_ns;
}

/* Passes groups of launches that are over, so that the present one is the first of the next group;
 * false: the present group is not over. */
static bool pass_groups(struct gpu_turn *t, const struct gpu_kernel *k, int64_t now_ns)
{
    const struct dcs_launch_group *group = t->group;
    if (group == NULL)
        return false;
    uint32_t later = k->launches - 1 - t->count - t->group_left;
    if (!is_over(k, group, later, now_ns))
        return false;
    while (is_over(k, group + 1, later - group[1].launches, now_ns))
        later -= (++group)->launches;
    t->launched_left = group->after;
    t->count = k->launches - later;
    set_group(t, k->cap, group + 1);
    t->in_last = t->last_wave == 1;
    enter_part(t, k);
    return true;
}

/* Launches after the present one that are like it. */
static uint32_t alike_after(const struct gpu_turn *t, const struct gpu_kernel *k)
{
    if (t->held != (double)k->cap) /* the next one has its cap again */
        return 0;
    return t->group != NULL ? t->group_left : k->launches - 1 - t->count;
}

/* A request's transfers of one direction that follow each other without a gap were enqueued
 * together. */
static int64_t enqueued_ns(const struct dcs_gpu *g, const struct gpu_kernel *k, int64_t now_ns)
{
    bool follows = g->copied[k->kind].id == k->launch.id && g->copied[k->kind].ended_ns == now_ns;
    return follows ? g->copied[k->kind].enqueued_ns : now_ns;
}

void gpu_begin(struct dcs_gpu *g, struct gpu_kernel *k, int64_t now_ns)
{
    k->phase = GPU_WORKS;
    k->since_ns = now_ns;
    k->enqueued_ns = enqueued_ns(g, k, now_ns);
    k->place = ++g->places;
    k->queued = k->kind == DCS_SHAPE_COMPUTE && !k->partition;
    k->turn.in_last = k->turn.last_wave == 1;
    enter_part(&k->turn, k);
    gpu_find_clusters(g, k);
    if (k->queued)
        gpu_await_blocks(k);
    k->end_ns = DCS_NEVER;
    k->full_ns = 0;
}

/* ---- Places in the queue ---- */

/* Of launches that are like the present one, so many are certainly over at now_ns that it and they
 * may be passed. */
static uint32_t over_after(const struct gpu_kernel *k, int64_t now_ns)
{
    const struct gpu_turn *t = &k->turn;
    uint32_t alike = alike_after(t, k);
    if (alike < 2)
        return 0;
    double over = (t->part_left - gpu_left_at(k, now_ns)) / gpu_launch_share(k) - 1;
    return over < 1 ? 0 : over < (double)alike ? (uint32_t)over : alike - 1;
}

/* Up to now_ns. */
static void pass_parts(struct gpu_kernel *k, int64_t now_ns)
{
    struct gpu_turn *t = &k->turn;
    while (t->part_left >= 0 && time_of(k, t->part_left) <= now_ns) {
        if (pass_groups(t, k, now_ns))
            continue;
        uint32_t over = over_after(k, now_ns);
        if (over > 0)
            pass_alike(t, k, over);
        end_part(t, k);
    }
}

void gpu_pass_parts(struct gpu_kernel *k, int64_t now_ns)
{
    if (k->queued && k->full_ns > 0)
        pass_parts(k, now_ns);
    k->placed_count = k->turn.count;
}

static bool is_before(const struct gpu_kernel *a, const struct gpu_kernel *b)
{
    return a->launched_ns != b->launched_ns ? a->launched_ns < b->launched_ns : a->place < b->place;
}

/* Those that have launched again go to the end of the queue. */
static void give_places(struct dcs_gpu *g, uint32_t turned)
{
    for (; turned > 0; turned--) {
        struct gpu_kernel *first = NULL;
        for (size_t i = 0; i < g->kernels_count; i++) {
            struct gpu_kernel *k = &g->kernels[i];
            if (k->placed_count != k->turn.count && (first == NULL || is_before(k, first)))
                first = k;
        }
        DCS_ASSERT(first != NULL);
        first->placed_count = first->turn.count;
        first->place = ++g->places;
    }
}

void gpu_take_turns(struct dcs_gpu *g, int64_t now_ns)
{
    uint32_t turned = 0;
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct gpu_kernel *k = &g->kernels[i];
        if (!k->queued || !(k->full_ns > 0))
            continue;
        pass_parts(k, now_ns);
        if (k->placed_count == k->turn.count)
            continue;
        k->launched_ns = time_of(k, k->turn.launched_left);
        if (g->scarce)
            gpu_await_blocks(k);
        turned++;
    }
    give_places(g, turned);
}
