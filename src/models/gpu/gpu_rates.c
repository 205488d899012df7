/*
 * gpu_rates.c - see gpu.h: who has which SMs, and how fast that is.
 */
#include "models/gpu/gpu_state.h"

#include <stdlib.h>
#include <string.h>

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

/* All that is on a device, at a glance. */
struct glance {
    struct gpu_kernel *queue[DCS_TOGETHER_MAX]; /* those that take SMs from the queue; in its order
                                                 * where something is scarce, else as they come */
    size_t queued;
    double free;    /* SMs that partitions leave to the queue */
    double most;    /* SMs that those in the queue can want */
    bool transfers; /* some kernel that works is one */
};

/* Who has SMs of its own has them now, and lacks nothing. */
static void look_at(struct dcs_gpu *g, struct glance *seen)
{
    seen->queued = 0;
    seen->free = (double)g->spatial->sms;
    seen->most = 0;
    seen->transfers = false;
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct gpu_kernel *k = &g->kernels[i];
        if (k->queued) {
            seen->queue[seen->queued++] = k;
            seen->most += k->most_sms;
            continue;
        }
        bool works = k->phase == GPU_WORKS, computes = k->kind == DCS_SHAPE_COMPUTE;
        if (k->partition)
            seen->free -= (double)k->held;
        seen->transfers = seen->transfers || (works && !computes);
        k->sms = k->partition && works && computes ? gpu_working_sms(k) : 0;
        k->pace_sms = k->use = k->sms;
        k->lacks_now = 0;
    }
}

static void line_up(struct glance *seen)
{
    for (size_t i = 1; i < seen->queued; i++) {
        struct gpu_kernel *k = seen->queue[i];
        size_t to = i;
        for (; to > 0 && k->place < seen->queue[to - 1]->place; to--)
            seen->queue[to] = seen->queue[to - 1];
        seen->queue[to] = k;
    }
}

/* At what pace one of the queue runs that has its SMs, and how much of them it uses. One in its end
 * that has all that it wants loses nothing by not having the rest, nor does one that fits at once
 * and whose last blocks have begun. */
static void find_pace(struct gpu_kernel *k)
{
    const struct gpu_turn *t = &k->turn;
    k->pace_sms = k->use = k->sms;
    if (!(k->sms > 0) || !t->in_last)
        return;
    bool enough = !(k->sms < t->last_sms);
    double part = enough ? 1 : k->sms / t->last_sms;
    k->use = t->last_use * part;
    if (t->last_wave == 1 && !k->is_late)
        part = 1;
    k->pace_sms = t->held * part > 1 ? t->held * part : 1;
}

/* A kernel presses as was measured of all of it on so many SMs, ends of launches included. Where
 * something is scarce one may run in the ends of another, and it matters what these leave. */
static uint32_t presses_on(const struct dcs_gpu *g, const struct gpu_kernel *k)
{
    return gpu_whole_sms(g->scarce ? k->sms : k->pace_sms);
}

/* Slows what runs together. */
static void slow_down(struct dcs_gpu *g)
{
    struct dcs_presser set[DCS_TOGETHER_MAX];
    struct gpu_kernel *of[DCS_TOGETHER_MAX];
    double slowdown[DCS_TOGETHER_MAX];
    uint32_t n = 0;
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct gpu_kernel *k = &g->kernels[i];
        k->slowdown = 1;
        if (k->sms > 0 && k->launch.shape != DCS_NO_SHAPE)
            of[n++] = k;
    }
    if (n < 2 || g->contention == NULL || g->spatial->resources_count == 0)
        return;
    for (uint32_t i = 0; i < n; i++)
        set[i] =
            (struct dcs_presser){.shape = dcs_shape_contends_as(g->spatial, of[i]->launch.shape),
                                 .millisms = 1000 * presses_on(g, of[i])};
    dcs_contention_slowdowns(g->contention, set, n, slowdown, &g->beyond_rate);
    for (uint32_t i = 0; i < n; i++)
        of[i]->slowdown = slowdown[i];
}

/* How much longer all in the queue take because blocks of several are on the same SMs: in their
 * ends kernels leave room for others there, but use more of the SMs than they leave. */
static double crowding_of(const struct dcs_gpu *g, double free)
{
    double use = 0;
    for (size_t i = 0; i < g->kernels_count; i++)
        if (g->kernels[i].queued)
            use += g->kernels[i].use;
    return use > free ? use / free : 1;
}

const struct gpu_kernel *gpu_served(const struct dcs_gpu *g, enum dcs_shape_kind direction)
{
    const struct gpu_kernel *first = NULL;
    for (size_t i = 0; i < g->kernels_count; i++) {
        const struct gpu_kernel *k = &g->kernels[i];
        if (k->phase == GPU_WORKS && k->kind == direction && k->partition &&
            (first == NULL || k->enqueued_ns < first->enqueued_ns))
            first = k;
    }
    return first;
}

/* The transfers of one direction that move. */
struct bus {
    const struct gpu_kernel *served;
    uint32_t shares;
};

static void look_at_buses(const struct dcs_gpu *g, struct bus *buses)
{
    for (size_t i = 0; i < g->kernels_count; i++) {
        const struct gpu_kernel *k = &g->kernels[i];
        if (k->phase != GPU_WORKS || k->kind == DCS_SHAPE_COMPUTE)
            continue;
        struct bus *bus = &buses[k->kind];
        bus->shares += !k->partition || bus->served == NULL;
        if (k->partition &&
            (bus->served == NULL || k->enqueued_ns < bus->served->enqueued_ns)) /* gpu_served() */
            bus->served = k;
    }
}

static double transfer_ns(const struct dcs_gpu *g, struct gpu_kernel *k, const struct bus *buses)
{
    const struct bus *own = &buses[k->kind];
    if (k->partition && own->served != k)
        return 0;
    return gpu_solo_ns(g, k, k->cap) * (double)own->shares;
}

/* How long all of a kernel takes as things are; 0: it waits. */
static double full_ns(const struct dcs_gpu *g, struct gpu_kernel *k, const struct bus *buses,
                      double crowding)
{
    if (k->kind != DCS_SHAPE_COMPUTE)
        return transfer_ns(g, k, buses);
    if (!(k->sms > 0))
        return 0;
    return gpu_solo_ns(g, k, k->pace_sms) * k->slowdown * (k->queued ? crowding : 1) /
           (1 - k->lacks_now);
}

/* SMs in use. What partitions leave is open to all the others, and blocks go to idle SMs first: one
 * that is in its last wave occupies more than it wants where nobody else wants them. */
static double busy_sms(const struct dcs_gpu *g, double free)
{
    double own = 0, shared = 0;
    for (size_t i = 0; i < g->kernels_count; i++) {
        const struct gpu_kernel *k = &g->kernels[i];
        if (!(k->sms > 0) || k->allotted == 0)
            continue;
        if (k->partition)
            own += k->occupied_sms;
        else
            shared += k->occupied_sms;
    }
    return own + (shared < free ? shared : free);
}

static void change_rate(const struct dcs_gpu *g, struct gpu_kernel *k, int64_t now_ns, double full,
                        double lacks, int64_t earliest_ns)
{
    /* Nobody overtakes a transfer that is under way. */
    DCS_ASSERT(k->kind == DCS_SHAPE_COMPUTE || full > 0 || !(k->full_ns > 0) ||
               k->since_ns == now_ns);
    if (k->lacks > 0) {
        k->wave_left = gpu_wave_left_at(k, now_ns);
        k->late = gpu_late_at(k, now_ns);
    }
    k->left = gpu_left_at(k, now_ns);
    k->since_ns = now_ns;
    k->full_ns = full;
    k->lacks = lacks;
    k->late_ns = 0;
    if (k->is_late)
        k->late_ns =
            gpu_find_late_ns(k, gpu_solo_ns(g, k, k->turn.held) / gpu_solo_ns(g, k, k->pace_sms));
    k->end_ns = DCS_NEVER;
    if (full > 0) {
        k->end_ns = gpu_after(k, k->left * full);
        if (k->end_ns < earliest_ns)
            k->end_ns = earliest_ns;
    }
}

void gpu_scale_left(const struct dcs_gpu *g, struct gpu_kernel *k, int64_t now_ns, double factor)
{
    double wave_left = gpu_wave_left_at(k, now_ns), late = gpu_late_at(k, now_ns);
    uint32_t launched = k->turn.count;
    k->left = gpu_left_at(k, now_ns) * factor;
    if (k->phase != GPU_WORKS)
        return;
    k->wave_left = wave_left;
    k->late = late;
    k->since_ns = now_ns;
    change_rate(g, k, now_ns, k->full_ns, k->lacks, now_ns + 1);
    gpu_pass_parts(k, now_ns);
    if (g->scarce && k->turn.count != launched)
        gpu_await_blocks(k);
}

/* Gives SMs to those in the queue: at what pace they run then, and what each lacks of its rate. */
static void give_sms(const struct dcs_gpu *g, const struct glance *seen, int64_t now_ns)
{
    double left = seen->free;
    for (size_t i = 0; i < seen->queued; i++) {
        seen->queue[i]->sms = gpu_give(seen->queue[i], left, g->scarce, now_ns);
        left -= seen->queue[i]->sms;
    }
    for (size_t i = 0; i < seen->queued; i++) {
        struct gpu_kernel *k = seen->queue[i];
        k->is_late = k->late > 0 && gpu_lacks_places(k, now_ns);
        find_pace(k);
        k->lacks_now = k->is_late ? GPU_LATE_LACKS : k->wave_left > 0 ? gpu_lacks(g, k, now_ns) : 0;
    }
}

/* How long all of each kernel takes, and the rates of the accounts. */
static void work_out(struct dcs_gpu *g, const struct glance *seen, double *full)
{
    struct bus buses[DCS_SHAPE_FROM_DEVICE + 1] = {0};
    if (seen->transfers)
        look_at_buses(g, buses);
    double crowding = seen->queued > 0 ? crowding_of(g, seen->free) : 1;
    g->kernel_rate = g->slowed_rate = g->beyond_rate = 0;
    slow_down(g);
    g->sms_rate = busy_sms(g, seen->free);
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct gpu_kernel *k = &g->kernels[i];
        full[i] = k->phase == GPU_WORKS ? full_ns(g, k, buses, crowding) : 0;
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
    return g->memo != NULL && g->kernels_count <= GPU_MEMO_KERNELS;
}

static size_t rates_bytes(uint32_t kernels)
{
    return sizeof(struct gpu_rates) + kernels * sizeof(struct gpu_kernel_rates);
}

size_t gpu_memo_bytes(uint32_t kernels)
{
    return sizeof(struct gpu_memo) + GPU_MEMO_STATES * rates_bytes(kernels);
}

static struct gpu_rates *rates_at(const struct gpu_memo *m, uint32_t at)
{
    return (struct gpu_rates *)(void *)(m->rates + at * rates_bytes(m->kernels));
}

/* Room for state number `at` of the device: for more kernels than any had only where nothing is
 * remembered, since that is forgotten when a kernel comes. */
static void make_room(const struct dcs_gpu *g, uint32_t at)
{
    struct gpu_memo *m = g->memo;
    uint32_t kernels = (uint32_t)g->kernels_count;
    if (kernels > m->kernels) {
        DCS_ASSERT(at == 0);
        free(m->rates);
        m->rates = NULL;
        m->states = 0;
        m->kernels = kernels;
    }
    if (at < m->states)
        return;
    uint32_t states = m->states == 0 ? 2 : 2 * m->states;
    char *rates = dcs_alloc(states, rates_bytes(m->kernels));
    if (m->states > 0)
        memcpy(rates, m->rates, m->states * rates_bytes(m->kernels));
    free(m->rates);
    m->rates = rates;
    m->states = states;
}

/* Whether kernels have the SMs, and so the pace, that they had then. */
static bool is_as_then(const struct dcs_gpu *g, const struct gpu_rates *r)
{
    for (size_t i = 0; i < g->kernels_count; i++) {
        const struct gpu_kernel *k = &g->kernels[i];
        if (r->of[i].pace_sms != k->pace_sms || r->of[i].lacks != k->lacks_now)
            return false;
        if (g->scarce && (r->of[i].sms != k->sms || r->of[i].use != k->use))
            return false;
    }
    return true;
}

/* True if they were worked out before, since a kernel came or went last. */
static bool recall(struct dcs_gpu *g, double *full)
{
    uint32_t kept = g->memo->count < GPU_MEMO_STATES ? g->memo->count : GPU_MEMO_STATES, at = 0;
    while (at < kept && !is_as_then(g, rates_at(g->memo, at)))
        at++;
    if (at == kept)
        return false;
    const struct gpu_rates *r = rates_at(g->memo, at);
    g->sms_rate = r->sms_rate;
    g->kernel_rate = r->kernel_rate;
    g->slowed_rate = r->slowed_rate;
    g->beyond_rate = r->beyond_rate;
    for (size_t i = 0; i < g->kernels_count; i++) {
        g->kernels[i].slowdown = r->of[i].slowdown;
        full[i] = r->of[i].full_ns;
    }
    return true;
}

static void remember(struct dcs_gpu *g, const double *full)
{
    uint32_t at = g->memo->count++ % GPU_MEMO_STATES;
    make_room(g, at);
    struct gpu_rates *r = rates_at(g->memo, at);
    r->sms_rate = g->sms_rate;
    r->kernel_rate = g->kernel_rate;
    r->slowed_rate = g->slowed_rate;
    r->beyond_rate = g->beyond_rate;
    for (size_t i = 0; i < g->kernels_count; i++) {
        const struct gpu_kernel *k = &g->kernels[i];
        r->of[i].sms = k->sms;
        r->of[i].pace_sms = k->pace_sms;
        r->of[i].use = k->use;
        r->of[i].lacks = k->lacks_now;
        r->of[i].slowdown = k->slowdown;
        r->of[i].full_ns = full[i];
    }
}

/* ---- After a change ---- */

/* How long all of each kernel takes as things are now. */
static void find_rates(struct dcs_gpu *g, int64_t now_ns, double *full)
{
    struct glance seen;
    look_at(g, &seen);
    bool memo = remembers(g);
    if (!memo || g->memo->count == 0)
        g->scarce = seen.most > seen.free; /* it stays so until one comes or goes */
    if (g->scarce)
        line_up(&seen);
    give_sms(g, &seen, now_ns);
    memo = memo && seen.queued > 0; /* else nothing changes inside */
    if (memo && recall(g, full))
        return;
    work_out(g, &seen, full);
    if (memo)
        remember(g, full);
}

void gpu_settle(struct dcs_gpu *g, int64_t now_ns, int64_t earliest_ns)
{
    double full[DCS_TOGETHER_MAX];
    find_rates(g, now_ns, full);
    g->next_ns = g->end_ns = DCS_NEVER;
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct gpu_kernel *k = &g->kernels[i];
        if (k->phase == GPU_WORKS) {
            if (full[i] != k->full_ns || k->lacks_now != k->lacks)
                change_rate(g, k, now_ns, full[i], k->lacks_now, earliest_ns);
            int64_t change_ns = gpu_change_ns(g, k);
            if (k->lacks > 0) {
                int64_t waited_ns = k->late_ns > 0 ? gpu_late_until(k) : gpu_waited_ns(k);
                change_ns = waited_ns < change_ns ? waited_ns : change_ns;
            }
            change_ns = change_ns > earliest_ns ? change_ns : earliest_ns;
            g->next_ns = change_ns < g->next_ns ? change_ns : g->next_ns;
        }
        g->end_ns = k->end_ns < g->end_ns ? k->end_ns : g->end_ns;
        int64_t leaves_ns = k->leaves_ns > earliest_ns ? k->leaves_ns : earliest_ns;
        g->next_ns = leaves_ns < g->next_ns ? leaves_ns : g->next_ns;
    }
    g->next_ns = g->end_ns < g->next_ns ? g->end_ns : g->next_ns;
}
