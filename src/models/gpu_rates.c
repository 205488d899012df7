/*
 * gpu_rates.c - see gpu.h: how far each kernel is, who has which SMs, and how fast that is.
 */
#include "models/gpu_state.h"

#define SMS_MIN 1e-3 /* fewer are none */

/* ---- Progress ---- */

void gpu_set_waves(struct gpu_kernel *k, const struct dcs_shape *shape)
{
    k->occupied_sms = (double)k->cap;
    if (shape == NULL || shape->blocks == 0)
        return;
    if (shape->blocks < k->cap)
        k->occupied_sms = (double)shape->blocks;
    if (shape->blocks_per_sm == 0)
        return;
    uint64_t slots = (uint64_t)shape->blocks_per_sm * k->cap;
    uint64_t whole = (shape->blocks - 1) / slots; /* waves before the last */
    if (shape->drifts && whole > 0) {
        double waves = (double)shape->blocks / (double)slots;
        k->last_wave = (0.5 + shape->overhang) / (waves + shape->overhang);
        k->last_sms = 0.5 * (double)k->cap;
    } else {
        k->last_wave = 1 / (double)(whole + 1);
        k->last_sms = (double)(shape->blocks - whole * slots) / (double)shape->blocks_per_sm;
    }
    DCS_ASSERT(k->last_sms >= SMS_MIN);
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
    k->in_last = !ends || k->last_wave == 1; /* all its blocks fit at once: nothing before that */
    k->turn += ends;
    set_phase_end(k);
    return ends;
}

static bool is_before(const struct gpu_kernel *a, const struct gpu_kernel *b)
{
    return a->launched_ns != b->launched_ns ? a->launched_ns < b->launched_ns : a->place < b->place;
}

void gpu_take_turns(struct dcs_gpu *g, int64_t now_ns)
{
    bool turned = false;
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct gpu_kernel *k = &g->kernels[i];
        while (k->phase_ns <= now_ns) {
            int64_t end_ns = k->phase_ns;
            if (end_phase(k)) {
                k->launched_ns = end_ns;
                k->turned = turned = true;
            }
        }
    }
    while (turned) {
        struct gpu_kernel *first = NULL;
        for (size_t i = 0; i < g->kernels_count; i++) {
            struct gpu_kernel *k = &g->kernels[i];
            if (k->turned && (first == NULL || is_before(k, first)))
                first = k;
        }
        if (first == NULL)
            return;
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

/* Whether it wants less in its last wave than before. */
static bool varies(const struct gpu_kernel *k)
{
    return k->last_wave > 0 && k->last_wave < 1 && k->last_sms < (double)k->cap;
}

/* Gives SMs to all that work; *free: what partitions leave. True if some kernel could want more
 * than there is for it. */
static bool hand_out(struct dcs_gpu *g, double *free)
{
    struct gpu_kernel *queue[DCS_TOGETHER_MAX];
    size_t n = 0;
    double most = 0;
    *free = (double)g->spatial->sms;
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct gpu_kernel *k = &g->kernels[i];
        k->sms = 0;
        if (k->partition && !k->rides)
            *free -= (double)k->cap;
        if (k->partition && k->phase == GPU_WORKS && k->kind == DCS_SHAPE_COMPUTE)
            k->sms = (double)k->cap;
        if (!is_queued(k))
            continue;
        size_t at = n++;
        for (; at > 0 && k->place < queue[at - 1]->place; at--)
            queue[at] = queue[at - 1];
        queue[at] = k;
    }
    double left = *free;
    for (size_t i = 0; i < n; i++) {
        struct gpu_kernel *k = queue[i];
        double sms = wants(k) < left ? wants(k) : left;
        k->sms = sms < SMS_MIN ? 0 : sms;
        left -= k->sms;
        most += k->last_wave < 1 ? (double)k->cap : k->last_sms;
    }
    return most > *free;
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

void gpu_settle(struct dcs_gpu *g, int64_t now_ns, int64_t earliest_ns)
{
    uint32_t sharing[3] = {0};
    gpu_take_turns(g, now_ns);
    for (size_t i = 0; i < g->kernels_count; i++)
        if (g->kernels[i].phase == GPU_WORKS)
            sharing[g->kernels[i].kind]++;
    double free;
    bool scarce = hand_out(g, &free);
    bool noticed = slow_down(g) || scarce;
    g->next_ns = g->end_ns = DCS_NEVER;
    g->kernel_rate = g->slowed_rate = 0;
    g->sms_rate = busy_sms(g, free);
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct gpu_kernel *k = &g->kernels[i];
        if (k->phase == GPU_WORKS) {
            double full = full_ns(g, k, sharing);
            if (full != k->full_ns)
                change_rate(k, now_ns, full, earliest_ns);
            g->kernel_rate += full > 0;
            g->slowed_rate += full > 0 ? 1 - 1 / k->slowdown : 0;
            if (k->phase_ns < DCS_NEVER && (scarce || (noticed && varies(k)))) {
                int64_t phase_ns = k->phase_ns > earliest_ns ? k->phase_ns : earliest_ns;
                g->next_ns = phase_ns < g->next_ns ? phase_ns : g->next_ns;
            }
        }
        g->end_ns = k->end_ns < g->end_ns ? k->end_ns : g->end_ns;
    }
    g->next_ns = g->end_ns < g->next_ns ? g->end_ns : g->next_ns;
}
