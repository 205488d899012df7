/*
 * gpu_rates.c - see gpu.h: who has which SMs, and how fast that is.
 */
#include "models/gpu_state.h"

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

/* ---- Who has which SMs, and how fast that is ---- */

/* The kernels that take SMs from the queue, in its order; where nothing is scarce, that does not
 * matter, and they are as they come. Returns how many. */
static size_t line_up(const struct dcs_gpu *g, struct gpu_kernel *queue[DCS_TOGETHER_MAX])
{
    size_t n = 0;
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct gpu_kernel *k = &g->kernels[i];
        if (!k->queued)
            continue;
        size_t at = n++;
        for (; g->scarce && at > 0 && k->place < queue[at - 1]->place; at--)
            queue[at] = queue[at - 1];
        queue[at] = k;
    }
    return n;
}

/* SMs that partitions leave to the queue. */
static double free_sms(const struct dcs_gpu *g)
{
    double free = (double)g->spatial->sms;
    for (size_t i = 0; i < g->kernels_count; i++) {
        const struct gpu_kernel *k = &g->kernels[i];
        if (k->partition && !k->rides)
            free -= (double)k->cap;
    }
    return free;
}

/* Whether those in the queue could ever want more than there is. It stays so until one comes or
 * goes. */
static bool is_scarce(const struct dcs_gpu *g)
{
    double most = 0;
    for (size_t i = 0; i < g->kernels_count; i++)
        if (g->kernels[i].queued)
            most += g->kernels[i].most_sms;
    return most > free_sms(g);
}

/* Gives SMs to all that work, to n from the queue; returns what partitions leave. */
static double hand_out(struct dcs_gpu *g, struct gpu_kernel *const *queue, size_t n)
{
    double free = free_sms(g), left = free;
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct gpu_kernel *k = &g->kernels[i];
        bool own = k->partition && k->phase == GPU_WORKS && k->kind == DCS_SHAPE_COMPUTE;
        k->sms = own ? (double)k->cap : 0;
    }
    for (size_t i = 0; i < n; i++) {
        struct gpu_kernel *k = queue[i];
        double sms = k->turn.wants < left ? k->turn.wants : left;
        k->sms = sms < GPU_SMS_MIN ? 0 : sms;
        left -= k->sms;
    }
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
        set[n++] = (struct dcs_presser){.shape = dcs_shape_contends_as(g->spatial, k->launch.shape),
                                        .millisms = 1000 * gpu_whole_sms(k->sms)};
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
    if (k->turn.in_last) {
        /* One that has all that it wants loses nothing by not having the rest of its cap. */
        double part = k->sms < k->turn.last_sms ? k->sms / k->turn.last_sms : 1;
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
        k->end_ns = gpu_after(k, k->left * full);
        if (k->end_ns < earliest_ns)
            k->end_ns = earliest_ns;
    }
}

void gpu_scale_left(struct gpu_kernel *k, int64_t now_ns, double factor)
{
    k->left = gpu_left_at(k, now_ns) * factor;
    if (k->phase != GPU_WORKS)
        return;
    k->since_ns = now_ns;
    change_rate(k, now_ns, k->full_ns, now_ns + 1);
    gpu_pass_parts(k, now_ns);
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

static bool remembers(const struct dcs_gpu *g)
{
    return g->memo != NULL && g->kernels_count <= GPU_MEMO_KERNELS && g->spatial->sms <= UINT8_MAX;
}

/* All that rates depend on while the same kernels work, with n in the queue. */
static struct gpu_memo_state queue_state(const struct dcs_gpu *g, struct gpu_kernel *const *queue,
                                         size_t n)
{
    struct gpu_memo_state state = {.queue = 1};
    for (size_t i = 0; i < n; i++) {
        const struct gpu_turn *t = &queue[i]->turn;
        state.queue = state.queue << 4 | (uint64_t)(queue[i] - g->kernels) << 1 | t->in_last;
        state.grids = state.grids << 8 | (t->group != NULL ? t->group->grid : 0);
    }
    return state;
}

/* The same where nothing is scarce. */
static struct gpu_memo_state calm_state(struct gpu_kernel *const *queue, size_t n)
{
    struct gpu_memo_state state = {.queue = 1};
    for (size_t i = 0; i < n; i++)
        state.grids = state.grids << 8 | queue[i]->turn.whole;
    return state;
}

/* True if they were worked out before. */
static bool recall(struct dcs_gpu *g, struct gpu_memo_state state, double *full)
{
    uint32_t kept = g->memo->count < GPU_MEMO_STATES ? g->memo->count : GPU_MEMO_STATES, at = 0;
    const struct gpu_memo_state *states = g->memo->states;
    while (at < kept && (states[at].grids != state.grids || states[at].queue != state.queue))
        at++;
    if (at == kept)
        return false;
    const struct gpu_rates *r = &g->memo->rates[at];
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
    uint32_t at = g->memo->count++ % GPU_MEMO_STATES;
    struct gpu_rates *r = &g->memo->rates[at];
    g->memo->states[at] = state;
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

/* ---- After a change ---- */

/* How long all of each kernel takes as things are now. */
static void find_rates(struct dcs_gpu *g, double *full)
{
    struct gpu_kernel *queue[DCS_TOGETHER_MAX];
    struct gpu_memo_state state = {0};
    bool memo = remembers(g);
    if (!memo || g->memo->count == 0)
        g->scarce = is_scarce(g);
    size_t n = line_up(g, queue);
    memo = memo && n > 0; /* else nothing changes inside */
    if (memo)
        state = g->scarce ? queue_state(g, queue, n) : calm_state(queue, n);
    if (memo && recall(g, state, full))
        return;
    work_out(g, queue, n, full);
    if (memo)
        remember(g, state, full);
}

void gpu_settle(struct dcs_gpu *g, int64_t now_ns, int64_t earliest_ns)
{
    double full[DCS_TOGETHER_MAX];
    find_rates(g, full);
    g->next_ns = g->end_ns = DCS_NEVER;
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct gpu_kernel *k = &g->kernels[i];
        if (k->phase == GPU_WORKS) {
            if (full[i] != k->full_ns)
                change_rate(k, now_ns, full[i], earliest_ns);
            k->change_ns = g->noticed ? gpu_change_ns(k, g->scarce) : DCS_NEVER;
            int64_t change_ns = k->change_ns > earliest_ns ? k->change_ns : earliest_ns;
            g->next_ns = change_ns < g->next_ns ? change_ns : g->next_ns;
        }
        g->end_ns = k->end_ns < g->end_ns ? k->end_ns : g->end_ns;
    }
    g->next_ns = g->end_ns < g->next_ns ? g->end_ns : g->next_ns;
}
