/*
 * gpu_rates.c - see gpu.h: how far each kernel is, who has which SMs, and how fast that is.
 */
#include "models/gpu_state.h"

#define SMS_MIN 1e-3 /* fewer are none */

/* ---- Progress ---- */

/* What the grid of its present launch says about the end of that. */
static void set_waves(struct gpu_kernel *k, uint64_t blocks, uint32_t blocks_per_sm, bool drifts,
                      double overhang)
{
    k->last_wave = k->last_sms = 0;
    if (blocks == 0 || blocks_per_sm == 0)
        return;
    uint64_t slots = (uint64_t)blocks_per_sm * k->cap;
    uint64_t whole = (blocks - 1) / slots; /* waves before the last */
    if (drifts && whole > 0) {
        double waves = (double)blocks / (double)slots;
        k->last_wave = (0.5 + overhang) / (waves + overhang);
        k->last_sms = 0.5 * (double)k->cap;
    } else {
        k->last_wave = 1 / (double)(whole + 1);
        k->last_sms = (double)(blocks - whole * slots) / (double)blocks_per_sm;
    }
    DCS_ASSERT(k->last_sms >= SMS_MIN);
}

static void set_group(struct gpu_kernel *k, const struct dcs_launch_group *group)
{
    k->group = group;
    k->group_left = group->launches - 1;
    set_waves(k, group->blocks, group->blocks_per_sm, group->drifts, group->overhang);
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
        set_group(k, shape->groups);
        k->most_sms = shape->most_fill < cap ? shape->most_fill : cap;
        k->uneven = shape->least_fill < k->most_sms;
        return;
    }
    set_waves(k, shape->blocks, shape->blocks_per_sm, shape->drifts, shape->overhang);
    if (k->last_wave == 1)
        k->most_sms = k->last_sms;
}

double gpu_left_at(const struct gpu_kernel *k, int64_t now_ns)
{
    if (k->phase != GPU_WORKS || !(k->full_ns > 0))
        return k->left;
    double left = k->left - (double)(now_ns - k->since_ns) / k->full_ns;
    return left > 0 ? left : 0;
}

/* `time` after since_ns, rounded. */
static int64_t after(const struct gpu_kernel *k, double time)
{
    if (!(time < (double)DCS_TIME_MAX))
        return DCS_TIME_MAX;
    return time > 0 ? dcs_add_times(k->since_ns, (int64_t)(time + 0.5)) : k->since_ns;
}

/* Share of its work that is left when its present phase ends: the whole waves of a launch, or the
 * rest of it. */
static double left_after_phase(const struct gpu_kernel *k)
{
    if (k->group != NULL) {
        double later = k->group->after + (double)k->group_left * k->group->share;
        return later + (k->in_last ? 0 : k->last_wave * k->group->share);
    }
    double launches = (double)(k->launches - 1 - k->turn);
    return (launches + (k->in_last ? 0 : k->last_wave)) / (double)k->launches;
}

/* Whether it takes SMs from the queue. */
static bool is_queued(const struct gpu_kernel *k)
{
    return k->phase == GPU_WORKS && k->kind == DCS_SHAPE_COMPUTE && !k->partition;
}

static bool is_last_phase(const struct gpu_kernel *k)
{
    return k->turn + 1 == k->launches && (k->in_last || !(k->last_wave > 0));
}

/* After its rate or its phase has changed. */
static void set_phase_end(struct gpu_kernel *k)
{
    k->phase_ns = DCS_NEVER;
    if (k->full_ns > 0 && is_queued(k) && !is_last_phase(k))
        k->phase_ns = after(k, (k->left - left_after_phase(k)) * k->full_ns);
}

/* Ends the phase of a kernel; true if that ends a launch. */
static bool end_phase(struct gpu_kernel *k)
{
    bool ends = k->in_last || !(k->last_wave > 0);
    k->turn += ends;
    if (ends && k->group != NULL) {
        if (k->group_left > 0)
            k->group_left--;
        else
            set_group(k, k->group + 1);
    }
    k->in_last = !ends || k->last_wave == 1; /* all its blocks fit at once: nothing before that */
    set_phase_end(k);
    return ends;
}

static bool is_before(const struct gpu_kernel *a, const struct gpu_kernel *b)
{
    return a->launched_ns != b->launched_ns ? a->launched_ns < b->launched_ns : a->place < b->place;
}

void gpu_take_turns(struct dcs_gpu *g, int64_t now_ns)
{
    uint32_t turned = 0;
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct gpu_kernel *k = &g->kernels[i];
        while (k->phase_ns <= now_ns) {
            int64_t end_ns = k->phase_ns;
            if (end_phase(k)) {
                turned += !k->turned;
                k->launched_ns = end_ns;
                k->turned = true;
            }
        }
    }
    for (; turned > 0; turned--) {
        struct gpu_kernel *first = NULL;
        for (size_t i = 0; i < g->kernels_count; i++) {
            struct gpu_kernel *k = &g->kernels[i];
            if (k->turned && (first == NULL || is_before(k, first)))
                first = k;
        }
        DCS_ASSERT(first != NULL);
        first->turned = false;
        first->place = ++g->places;
    }
}

double gpu_solo_ns(const struct dcs_gpu *g, struct gpu_kernel *k, double sms)
{
    if (k->solo_sms != sms) {
        k->solo_sms = sms;
        if (k->launch.shape == DCS_NO_SHAPE)
            k->solo_ns = k->launch.work_ns * ((double)g->spatial->sms / sms);
        else
            k->solo_ns = dcs_shape_solo_ns(g->spatial, k->launch.shape, sms);
    }
    return k->solo_ns * k->launch.scale;
}

void gpu_begin(struct dcs_gpu *g, struct gpu_kernel *k, int64_t now_ns)
{
    k->phase = GPU_WORKS;
    k->since_ns = now_ns;
    k->launched_ns = now_ns;
    k->place = ++g->places;
    k->in_last = k->last_wave == 1;
    k->end_ns = DCS_NEVER;
    k->phase_ns = DCS_NEVER;
    k->full_ns = 0;
}

/* ---- Who has which SMs, and how fast that is ---- */

static double wants(const struct gpu_kernel *k)
{
    return k->in_last ? k->last_sms : (double)k->cap;
}

/* Whether it wants less in its last wave than before, or in another launch. */
static bool varies(const struct gpu_kernel *k)
{
    return k->uneven || (k->last_wave > 0 && k->last_wave < 1 && k->last_sms < (double)k->cap);
}

/* The kernels that take SMs from the queue, in its order; returns how many. */
static size_t line_up(const struct dcs_gpu *g, struct gpu_kernel *queue[DCS_TOGETHER_MAX])
{
    size_t n = 0;
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct gpu_kernel *k = &g->kernels[i];
        if (!is_queued(k))
            continue;
        size_t at = n++;
        for (; at > 0 && k->place < queue[at - 1]->place; at--)
            queue[at] = queue[at - 1];
        queue[at] = k;
    }
    return n;
}

/* Gives SMs to all that work, to n from the queue; returns what partitions leave. */
static double hand_out(struct dcs_gpu *g, struct gpu_kernel *const *queue, size_t n)
{
    double free = (double)g->spatial->sms, most = 0;
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct gpu_kernel *k = &g->kernels[i];
        k->sms = 0;
        if (k->partition && !k->rides)
            free -= (double)k->cap;
        if (k->partition && k->phase == GPU_WORKS && k->kind == DCS_SHAPE_COMPUTE)
            k->sms = (double)k->cap;
    }
    double left = free;
    for (size_t i = 0; i < n; i++) {
        struct gpu_kernel *k = queue[i];
        double sms = wants(k) < left ? wants(k) : left;
        k->sms = sms < SMS_MIN ? 0 : sms;
        left -= k->sms;
        most += k->most_sms;
    }
    g->scarce = most > free;
    return free;
}

/* Slows what runs together; true if something does. */
static bool slow_down(struct dcs_gpu *g)
{
    struct dcs_presser set[DCS_TOGETHER_MAX];
    struct gpu_kernel *of[DCS_TOGETHER_MAX];
    double slowdown[DCS_TOGETHER_MAX];
    uint32_t n = 0;
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct gpu_kernel *k = &g->kernels[i];
        k->slowdown = 1;
        if (!(k->sms > 0) || k->launch.shape == DCS_NO_SHAPE)
            continue;
        of[n] = k;
        /* In whole SMs, so that sets come again: nobody measured fractions. */
        set[n++] =
            (struct dcs_presser){.shape = dcs_shape_contends_as(g->spatial, k->launch.shape),
                                 .millisms = k->sms < 1 ? 1000 : 1000 * (uint32_t)(k->sms + 0.5)};
    }
    if (n < 2 || g->contention == NULL || g->spatial->resources_count == 0)
        return false;
    dcs_contention_slowdowns(g->contention, set, n, slowdown);
    for (uint32_t i = 0; i < n; i++)
        of[i]->slowdown = slowdown[i];
    return true;
}

/* How long all of a kernel takes as things are; 0: it waits. sharing: transfers by direction. */
static double full_ns(const struct dcs_gpu *g, struct gpu_kernel *k, const uint32_t *sharing)
{
    if (k->kind != DCS_SHAPE_COMPUTE)
        return gpu_solo_ns(g, k, k->cap) * (double)sharing[k->kind];
    if (!(k->sms > 0))
        return 0;
    double sms = k->sms;
    if (k->in_last) {
        /* One that has all that it wants loses nothing by not having the rest of its cap. */
        double part = k->sms < k->last_sms ? k->sms / k->last_sms : 1;
        sms = (double)k->cap * part > 1 ? (double)k->cap * part : 1;
    }
    return gpu_solo_ns(g, k, sms) * k->slowdown;
}

/* SMs in use. What partitions leave is open to all the others, and blocks go to idle SMs first: one
 * that is in its last wave occupies more than it wants where nobody else wants them. */
static double busy_sms(const struct dcs_gpu *g, double free)
{
    double own = 0, shared = 0;
    for (size_t i = 0; i < g->kernels_count; i++) {
        const struct gpu_kernel *k = &g->kernels[i];
        if (!(k->sms > 0) || k->rides)
            continue;
        if (k->partition)
            own += k->occupied_sms;
        else
            shared += k->occupied_sms;
    }
    return own + (shared < free ? shared : free);
}

static void change_rate(struct gpu_kernel *k, int64_t now_ns, double full, int64_t earliest_ns)
{
    k->left = gpu_left_at(k, now_ns);
    k->since_ns = now_ns;
    k->full_ns = full;
    k->end_ns = DCS_NEVER;
    if (full > 0) {
        k->end_ns = after(k, k->left * full);
        if (k->end_ns < earliest_ns)
            k->end_ns = earliest_ns;
    }
    set_phase_end(k);
}

void gpu_scale_left(struct gpu_kernel *k, int64_t now_ns, double factor)
{
    k->left = gpu_left_at(k, now_ns) * factor;
    if (k->phase != GPU_WORKS)
        return;
    k->since_ns = now_ns;
    change_rate(k, now_ns, k->full_ns, now_ns + 1);
    while (k->phase_ns <= now_ns)
        end_phase(k);
}

/* Who has which SMs, how long all of each kernel takes, and the rates of the accounts. */
static void work_out(struct dcs_gpu *g, struct gpu_kernel *const *queue, size_t n, double *full)
{
    uint32_t sharing[3] = {0};
    for (size_t i = 0; i < g->kernels_count; i++)
        if (g->kernels[i].phase == GPU_WORKS)
            sharing[g->kernels[i].kind]++;
    double free = hand_out(g, queue, n);
    g->noticed = slow_down(g) || g->scarce;
    g->sms_rate = busy_sms(g, free);
    g->kernel_rate = g->slowed_rate = 0;
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct gpu_kernel *k = &g->kernels[i];
        full[i] = k->phase == GPU_WORKS ? full_ns(g, k, sharing) : 0;
        if (!(full[i] > 0))
            continue;
        g->kernel_rate += 1;
        g->slowed_rate += 1 - 1 / k->slowdown;
    }
}

/* ---- Rates that come again ---- */

void gpu_forget_rates(struct dcs_gpu *g)
{
    if (g->memo != NULL)
        g->memo->count = 0;
}

/* All that rates depend on while the same kernels work; a queue of 0: nothing is remembered, since
 * there is none in which anything could change, or too much. */
static struct gpu_memo_state state_of(const struct dcs_gpu *g, struct gpu_kernel *const *queue,
                                      size_t n)
{
    struct gpu_memo_state state = {.queue = n > 0};
    if (g->memo == NULL || g->kernels_count > GPU_MEMO_KERNELS)
        return (struct gpu_memo_state){0};
    for (size_t i = 0; i < n; i++) {
        const struct gpu_kernel *k = queue[i];
        state.queue = state.queue << 4 | (uint64_t)(k - g->kernels) << 1 | k->in_last;
        state.grids = state.grids << 8 | (k->group != NULL ? k->group->grid : 0);
    }
    return state;
}

/* True if they were worked out before. */
static bool recall(struct dcs_gpu *g, struct gpu_memo_state state, double *full)
{
    uint32_t kept = g->memo->count < GPU_MEMO_STATES ? g->memo->count : GPU_MEMO_STATES;
    const struct gpu_rates *r = g->memo->rates;
    while (kept > 0 && (r->state.queue != state.queue || r->state.grids != state.grids))
        r++, kept--;
    if (kept == 0)
        return false;
    g->scarce = r->scarce;
    g->noticed = r->noticed;
    g->sms_rate = r->sms_rate;
    g->kernel_rate = r->kernel_rate;
    g->slowed_rate = r->slowed_rate;
    for (size_t i = 0; i < g->kernels_count; i++) {
        g->kernels[i].sms = r->of[i].sms;
        g->kernels[i].slowdown = r->of[i].slowdown;
        full[i] = r->of[i].full_ns;
    }
    return true;
}

static void remember(struct dcs_gpu *g, struct gpu_memo_state state, const double *full)
{
    struct gpu_rates *r = &g->memo->rates[g->memo->count++ % GPU_MEMO_STATES];
    r->state = state;
    r->scarce = g->scarce;
    r->noticed = g->noticed;
    r->sms_rate = g->sms_rate;
    r->kernel_rate = g->kernel_rate;
    r->slowed_rate = g->slowed_rate;
    for (size_t i = 0; i < g->kernels_count; i++) {
        r->of[i].sms = g->kernels[i].sms;
        r->of[i].slowdown = g->kernels[i].slowdown;
        r->of[i].full_ns = full[i];
    }
}

void gpu_settle(struct dcs_gpu *g, int64_t now_ns, int64_t earliest_ns)
{
    struct gpu_kernel *queue[DCS_TOGETHER_MAX];
    double full[DCS_TOGETHER_MAX];
    gpu_take_turns(g, now_ns);
    size_t n = line_up(g, queue);
    struct gpu_memo_state state = state_of(g, queue, n);
    if (state.queue == 0 || !recall(g, state, full)) {
        work_out(g, queue, n, full);
        if (state.queue != 0)
            remember(g, state, full);
    }
    g->next_ns = g->end_ns = DCS_NEVER;
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct gpu_kernel *k = &g->kernels[i];
        if (k->phase == GPU_WORKS) {
            if (full[i] != k->full_ns)
                change_rate(k, now_ns, full[i], earliest_ns);
            if (k->phase_ns < DCS_NEVER && (g->scarce || (g->noticed && varies(k)))) {
                int64_t phase_ns = k->phase_ns > earliest_ns ? k->phase_ns : earliest_ns;
                g->next_ns = phase_ns < g->next_ns ? phase_ns : g->next_ns;
            }
        }
        g->end_ns = k->end_ns < g->end_ns ? k->end_ns : g->end_ns;
    }
    g->next_ns = g->end_ns < g->next_ns ? g->end_ns : g->next_ns;
}
