/* gpu.c - see gpu.h. */
#include "models/gpu.h"

#include <stdlib.h>
#include <string.h>

enum phase {
    STARTS, /* until end_ns */
    WORKS,
    DIES, /* until end_ns */
};

struct kernel {
    struct dcs_gpu_launch launch;
    enum phase phase;
    enum dcs_shape_kind kind;
    uint32_t cap;      /* SMs of its allotment */
    uint32_t occupies; /* at most so many of them */
    uint32_t launches; /* CUDA launches that it consists of */
    bool partition;    /* the SMs of its allotment are its own */
    int64_t began_ns;
    int64_t end_ns; /* of its phase, as things are now; DCS_NEVER while it waits for SMs */

    /* While it works. */
    uint32_t sms;        /* that it has now; 0: it waits, or needs none */
    double solo_ns;      /* alone, at solo_sms */
    uint32_t solo_sms;   /* 0: not asked yet */
    double slowdown;     /* by what runs beside it */
    double full_ns;      /* all of it at the present rate; 0: it waits */
    double left;         /* share of its work at since_ns */
    int64_t since_ns;    /* the last change of its rate */
    uint32_t turn;       /* CUDA launches before the present one */
    int64_t launched_ns; /* of the present one */
    uint64_t serial;     /* orders launches of one instant */
    double share_before; /* what gpu.share was when its phase began */
};

struct dcs_gpu {
    const struct dcs_spatial *spatial;
    struct dcs_contention *contention;
    uint64_t memory_bytes;
    int64_t window_ns;

    struct kernel *kernels; /* ascending by id */
    size_t kernels_count, kernels_capacity;
    uint32_t sms_allotted;
    uint32_t dying;
    uint64_t used_bytes, dead_bytes;
    uint64_t serial;
    int64_t next_ns;

    /* Owed after revocations: see device.h. */
    int64_t start_ns, clear_ns, spawn_ns;

    /* Accounts are kept up to at_ns; the rates hold from there on. */
    int64_t at_ns;
    double share; /* integral of 1 / number of kernels */
    double useful_ns, lost_ns, overhead_ns;
    double sms_rate, kernel_rate, slowed_rate;
    struct dcs_gpu_usage usage;
};

struct dcs_gpu *dcs_gpu_create(const struct dcs_spatial *s, struct dcs_contention *contention,
                               uint64_t memory_bytes, int64_t window_ns)
{
    struct dcs_gpu *g = dcs_alloc(1, sizeof *g);
    *g = (struct dcs_gpu){.spatial = s,
                          .contention = contention,
                          .memory_bytes = memory_bytes,
                          .window_ns = window_ns,
                          .next_ns = DCS_NEVER};
    return g;
}

void dcs_gpu_destroy(struct dcs_gpu *g)
{
    if (g != NULL)
        free(g->kernels);
    free(g);
}

static size_t position(const struct dcs_gpu *g, uint64_t id)
{
    size_t i = 0;
    while (i < g->kernels_count && g->kernels[i].launch.id < id)
        i++;
    return i;
}

static struct kernel *find(const struct dcs_gpu *g, uint64_t id)
{
    size_t i = position(g, id);
    DCS_ASSERT(i < g->kernels_count && g->kernels[i].launch.id == id);
    return &g->kernels[i];
}

static uint32_t cap_of(const struct dcs_gpu *g, struct dcs_gpu_allotment a)
{
    return a.share == DCS_GPU_WHOLE ? g->spatial->sms : a.sms;
}

/* ---- Accounts ---- */

/* Keeps the accounts up to now_ns. To be called before anything changes. */
static void book(struct dcs_gpu *g, int64_t now_ns)
{
    int64_t from = g->at_ns > g->window_ns ? g->at_ns : g->window_ns;
    DCS_ASSERT(now_ns >= g->at_ns);
    g->at_ns = now_ns;
    if (now_ns <= from || g->kernels_count == 0)
        return;
    double ns = (double)(now_ns - from);
    g->usage.time.busy_ns += now_ns - from;
    g->usage.sm_ns += ns * g->sms_rate;
    g->usage.kernel_ns += ns * g->kernel_rate;
    g->usage.slowed_ns += ns * g->slowed_rate;
    g->share += ns / (double)g->kernels_count;
}

/* Its part of the busy time since its phase began. */
static double take_share(const struct dcs_gpu *g, struct kernel *k)
{
    double part = g->share - k->share_before;
    k->share_before = g->share;
    return part;
}

/* ---- Progress ---- */

static double left_at(const struct kernel *k, int64_t now_ns)
{
    if (k->phase != WORKS || !(k->full_ns > 0))
        return k->left;
    double left = k->left - (double)(now_ns - k->since_ns) / k->full_ns;
    return left > 0 ? left : 0;
}

/* `time` after since_ns, rounded. */
static int64_t after(const struct kernel *k, double time)
{
    if (!(time < (double)DCS_TIME_MAX))
        return DCS_TIME_MAX;
    return time > 0 ? dcs_add_times(k->since_ns, (int64_t)(time + 0.5)) : k->since_ns;
}

/* When CUDA launch number `turn` of it begins, at the present rate. */
static int64_t turn_ns(const struct kernel *k, uint32_t turn)
{
    if (!(k->full_ns > 0))
        return DCS_NEVER;
    return after(k, (k->left - (1 - (double)turn / (double)k->launches)) * k->full_ns);
}

/* Which of its CUDA launches a kernel is in by now, and since when. */
static void take_turns(struct kernel *k, int64_t now_ns)
{
    while (k->phase == WORKS && k->turn + 1 < k->launches) {
        int64_t next_ns = turn_ns(k, k->turn + 1);
        if (next_ns > now_ns)
            return;
        k->turn++;
        k->launched_ns = next_ns;
    }
}

/* What a kernel takes on so many SMs. */
static double solo_ns(const struct dcs_gpu *g, struct kernel *k, uint32_t sms)
{
    if (k->solo_sms != sms) {
        k->solo_sms = sms;
        if (k->launch.shape == DCS_NO_SHAPE)
            k->solo_ns = k->launch.work_ns * ((double)g->spatial->sms / (double)sms);
        else
            k->solo_ns = dcs_shape_solo_ns(g->spatial, k->launch.shape, sms);
    }
    return k->solo_ns * k->launch.scale;
}

/* ---- Who has which SMs, and how fast that is ---- */

static uint32_t min32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static bool launched_before(const struct kernel *a, const struct kernel *b)
{
    return a->launched_ns != b->launched_ns ? a->launched_ns < b->launched_ns
                                            : a->serial < b->serial;
}

/* Gives SMs to all that work; true if some kernel has fewer than it could occupy. */
static bool hand_out(struct dcs_gpu *g)
{
    struct kernel *order[DCS_TOGETHER_MAX];
    size_t n = 0;
    uint32_t rest = g->spatial->sms;
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct kernel *k = &g->kernels[i];
        if (k->partition)
            rest -= k->cap;
        k->sms = 0;
        if (k->phase != WORKS || k->kind != DCS_SHAPE_COMPUTE)
            continue;
        if (k->partition) {
            k->sms = k->cap;
            continue;
        }
        size_t at = n++;
        for (; at > 0 && launched_before(k, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
    bool crowded = false;
    for (size_t i = 0; i < n; i++) {
        struct kernel *k = order[i];
        k->sms = min32(k->occupies, rest);
        rest -= k->sms;
        crowded = crowded || k->sms < k->occupies;
    }
    return crowded;
}

/* Slows what runs together. */
static void slow_down(struct dcs_gpu *g)
{
    struct dcs_presser set[DCS_TOGETHER_MAX];
    struct kernel *of[DCS_TOGETHER_MAX];
    double slowdown[DCS_TOGETHER_MAX];
    uint32_t n = 0;
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct kernel *k = &g->kernels[i];
        k->slowdown = 1;
        if (g->contention == NULL || k->sms == 0 || k->launch.shape == DCS_NO_SHAPE)
            continue;
        of[n] = k;
        set[n++] = (struct dcs_presser){.shape = k->launch.shape, .millisms = k->sms * 1000};
    }
    if (n < 2)
        return;
    dcs_contention_slowdowns(g->contention, set, n, slowdown);
    for (uint32_t i = 0; i < n; i++)
        of[i]->slowdown = slowdown[i];
}

/* How long all of a kernel takes as things are; 0: it waits. sharing: transfers by direction. */
static double full_ns(const struct dcs_gpu *g, struct kernel *k, const uint32_t *sharing)
{
    if (k->kind != DCS_SHAPE_COMPUTE)
        return solo_ns(g, k, k->cap) * (double)sharing[k->kind];
    if (k->sms == 0)
        return 0;
    /* One that has all that it can occupy loses nothing by not having the rest of its allotment. */
    return solo_ns(g, k, k->sms == k->occupies ? k->cap : k->sms) * k->slowdown;
}

static void change_rate(struct kernel *k, int64_t now_ns, double full, int64_t earliest_ns)
{
    k->left = left_at(k, now_ns);
    k->since_ns = now_ns;
    k->full_ns = full;
    k->end_ns = DCS_NEVER;
    if (full > 0) {
        k->end_ns = after(k, k->left * full);
        if (k->end_ns < earliest_ns)
            k->end_ns = earliest_ns;
    }
}

/* After a change at now_ns: SMs, rates, ends; what changes its rate ends at earliest_ns or later.
 */
static void settle(struct dcs_gpu *g, int64_t now_ns, int64_t earliest_ns)
{
    uint32_t sharing[3] = {0};
    for (size_t i = 0; i < g->kernels_count; i++) {
        take_turns(&g->kernels[i], now_ns);
        if (g->kernels[i].phase == WORKS)
            sharing[g->kernels[i].kind]++;
    }
    bool crowded = hand_out(g);
    slow_down(g);
    g->next_ns = DCS_NEVER;
    g->sms_rate = g->kernel_rate = g->slowed_rate = 0;
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct kernel *k = &g->kernels[i];
        if (k->phase == WORKS) {
            double full = full_ns(g, k, sharing);
            if (full != k->full_ns)
                change_rate(k, now_ns, full, earliest_ns);
            g->sms_rate += min32(k->sms, k->occupies);
            g->kernel_rate += full > 0;
            g->slowed_rate += full > 0 ? 1 - 1 / k->slowdown : 0;
            /* Whose launch is next matters only where somebody waits for it. */
            if (crowded && !k->partition && k->turn + 1 < k->launches) {
                int64_t turn = turn_ns(k, k->turn + 1);
                g->next_ns = turn < g->next_ns ? turn : g->next_ns;
            }
        }
        g->next_ns = k->end_ns < g->next_ns ? k->end_ns : g->next_ns;
    }
}

/* ---- What happens ---- */

bool dcs_gpu_admits(const struct dcs_gpu *g, const struct dcs_gpu_launch *l,
                    const struct dcs_gpu_promised *promised, const char **why)
{
    static const struct dcs_gpu_promised nothing = {0};
    const struct dcs_gpu_promised *p = promised != NULL ? promised : &nothing;
    enum dcs_gpu_share m = l->allotment.share;
    uint64_t others = (uint64_t)g->sms_allotted + p->sms;
    size_t kernels = g->kernels_count + p->kernels;
    bool whole =
        p->whole || (g->kernels_count > 0 && g->kernels[0].launch.allotment.share == DCS_GPU_WHOLE);
    *why = NULL;
    if (m != DCS_GPU_WHOLE && m != DCS_GPU_GREEN && m != DCS_GPU_MPS)
        *why = "it does not offer this mechanism";
    else if (m == DCS_GPU_WHOLE ? l->allotment.sms != 0
                                : l->allotment.sms < 1 || l->allotment.sms > g->spatial->sms)
        *why = "the allotment must be from 1 to all of its SMs (whole: 0)";
    else if (g->dying > 0 && g->dying == g->kernels_count)
        *why = "it is being revoked";
    else if (kernels >= DCS_TOGETHER_MAX)
        *why = "no more kernels can run together";
    else if (whole || (m == DCS_GPU_WHOLE && kernels > 0))
        *why = "it is not idle";
    else if (m == DCS_GPU_GREEN && others + l->allotment.sms > g->spatial->sms)
        *why = "the allotments that run leave fewer SMs";
    else if (l->memory_bytes > g->memory_bytes - g->used_bytes ||
             p->memory_bytes > g->memory_bytes - g->used_bytes - l->memory_bytes)
        *why = "what runs leaves less memory";
    return *why == NULL;
}

/* What a start pays of what is owed, ns. */
static int64_t pay(struct dcs_gpu *g, const struct dcs_gpu_launch *l)
{
    int64_t paid = g->start_ns;
    g->start_ns = 0;
    /* In this order no sum wraps. */
    bool crowded = l->memory_bytes > g->memory_bytes - g->used_bytes - g->dead_bytes;
    if (l->class == DCS_BATCH || crowded) {
        paid += g->clear_ns;
        g->clear_ns = 0;
        g->dead_bytes = 0;
    }
    if (l->class == DCS_BATCH) {
        paid += g->spawn_ns;
        g->spawn_ns = 0;
    }
    return paid;
}

static void begin(struct dcs_gpu *g, struct kernel *k, int64_t now_ns)
{
    k->phase = WORKS;
    k->since_ns = now_ns;
    k->launched_ns = now_ns;
    k->serial = ++g->serial;
    k->end_ns = DCS_NEVER;
    k->full_ns = 0;
}

void dcs_gpu_start(struct dcs_gpu *g, int64_t now_ns, const struct dcs_gpu_launch *l)
{
    const char *why;
    DCS_ASSERT(dcs_gpu_admits(g, l, NULL, &why));
    DCS_ASSERT(l->id > 0 && l->scale > 0 && l->delay_ns >= 0);
    book(g, now_ns);
    size_t at = position(g, l->id);
    DCS_ASSERT(at == g->kernels_count || g->kernels[at].launch.id != l->id);
    g->kernels =
        dcs_grow(g->kernels, &g->kernels_capacity, g->kernels_count + 1, sizeof *g->kernels);
    memmove(&g->kernels[at + 1], &g->kernels[at], (g->kernels_count - at) * sizeof *g->kernels);
    g->kernels_count++;

    const struct dcs_shape *shape = l->shape != DCS_NO_SHAPE ? &g->spatial->shapes[l->shape] : NULL;
    struct kernel *k = &g->kernels[at];
    uint32_t cap = cap_of(g, l->allotment);
    *k = (struct kernel){
        .launch = *l,
        .phase = STARTS,
        .kind = shape != NULL ? shape->kind : DCS_SHAPE_COMPUTE,
        .cap = cap,
        .occupies = shape != NULL ? min32(shape->sms_needed, cap) : cap,
        .launches = shape != NULL ? shape->launches : 1,
        .partition = l->allotment.share != DCS_GPU_MPS,
        .began_ns = dcs_add_times(now_ns, dcs_add_times(l->delay_ns, pay(g, l))),
        .left = 1,
        .share_before = g->share,
    };
    DCS_ASSERT(k->occupies >= 1 && k->launches >= 1);
    k->end_ns = k->began_ns;
    g->sms_allotted += cap;
    g->used_bytes += l->memory_bytes;
    DCS_ASSERT(g->used_bytes + g->dead_bytes <= g->memory_bytes);
    if (k->began_ns == now_ns)
        begin(g, k, now_ns);
    settle(g, now_ns, now_ns + 1);
}

int64_t dcs_gpu_next_ns(const struct dcs_gpu *g)
{
    return g->next_ns;
}

/* Takes kernel number i away. */
static void leave(struct dcs_gpu *g, size_t i)
{
    struct kernel *k = &g->kernels[i];
    double part = take_share(g, k);
    if (k->phase == WORKS) {
        g->useful_ns += part;
        g->used_bytes -= k->launch.memory_bytes;
    } else {
        DCS_ASSERT(k->phase == DIES);
        g->overhead_ns += part;
        g->dying--;
    }
    g->sms_allotted -= k->cap;
    memmove(k, k + 1, (--g->kernels_count - i) * sizeof *k);
}

static void add_end(struct dcs_gpu_end *ended, uint32_t n, struct dcs_gpu_end end)
{
    for (; n > 0 && ended[n - 1].id > end.id; n--)
        ended[n] = ended[n - 1];
    ended[n] = end;
}

uint32_t dcs_gpu_advance(struct dcs_gpu *g, int64_t now_ns, struct dcs_gpu_end *ended)
{
    uint32_t n = 0;
    DCS_ASSERT(now_ns == g->next_ns);
    book(g, now_ns);
    while (g->next_ns <= now_ns) {
        for (size_t i = 0; i < g->kernels_count;) {
            struct kernel *k = &g->kernels[i];
            if (k->end_ns > now_ns) {
                i++;
            } else if (k->phase == STARTS) {
                g->overhead_ns += take_share(g, k);
                begin(g, k, now_ns);
            } else {
                add_end(ended, n++,
                        (struct dcs_gpu_end){.id = k->launch.id, .stopped = k->phase == DIES});
                leave(g, i);
            }
        }
        settle(g, now_ns, now_ns);
    }
    return n;
}

static void die(struct dcs_gpu *g, struct kernel *k, int64_t now_ns,
                const struct dcs_profile_revocation *cost)
{
    double part = take_share(g, k);
    if (k->phase == WORKS)
        g->lost_ns += part;
    else
        g->overhead_ns += part;
    k->phase = DIES;
    k->end_ns = dcs_add_times(now_ns, cost->kill_ns);
    g->dying++;
    g->used_bytes -= k->launch.memory_bytes;
    if (cost->clear_ns > 0)
        g->dead_bytes += k->launch.memory_bytes; /* until the context is cleared */
}

uint32_t dcs_gpu_stop(struct dcs_gpu *g, int64_t now_ns, uint64_t id,
                      const struct dcs_profile_revocation *cost, uint64_t *victims)
{
    uint32_t n = 0;
    DCS_ASSERT(cost->kill_ns >= 0 && find(g, id)->phase != DIES);
    book(g, now_ns);
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct kernel *k = &g->kernels[i];
        if (k->phase == DIES || (k->launch.id != id && cost->mechanism != DCS_TRAP))
            continue;
        victims[n++] = k->launch.id;
        die(g, k, now_ns, cost);
    }
    if (cost->start_ns > g->start_ns)
        g->start_ns = cost->start_ns;
    g->clear_ns += cost->clear_ns;
    g->spawn_ns += cost->spawn_ns;
    settle(g, now_ns, now_ns + 1);
    return n;
}

/* ---- Looking ---- */

uint32_t dcs_gpu_running(const struct dcs_gpu *g)
{
    return (uint32_t)g->kernels_count - g->dying;
}

uint32_t dcs_gpu_stopping(const struct dcs_gpu *g)
{
    return g->dying;
}

uint64_t dcs_gpu_nth(const struct dcs_gpu *g, uint32_t n)
{
    for (size_t i = 0; i < g->kernels_count; i++)
        if (g->kernels[i].phase != DIES && n-- == 0)
            return g->kernels[i].launch.id;
    DCS_ASSERT(false);
    return 0;
}

int64_t dcs_gpu_began_ns(const struct dcs_gpu *g, uint64_t id)
{
    return find(g, id)->began_ns;
}

uint64_t dcs_gpu_memory_used(const struct dcs_gpu *g)
{
    return g->used_bytes + g->dead_bytes;
}

uint32_t dcs_gpu_sms_allotted(const struct dcs_gpu *g)
{
    return g->sms_allotted;
}

double dcs_gpu_left(const struct dcs_gpu *g, int64_t now_ns, uint64_t id)
{
    return left_at(find(g, id), now_ns);
}

void dcs_gpu_scale_left(struct dcs_gpu *g, int64_t now_ns, uint64_t id, double factor)
{
    struct kernel *k = find(g, id);
    DCS_ASSERT(k->phase != DIES && factor > 0);
    book(g, now_ns);
    take_turns(k, now_ns);
    k->left = left_at(k, now_ns) * factor;
    if (k->phase == WORKS) {
        k->since_ns = now_ns;
        change_rate(k, now_ns, k->full_ns, now_ns + 1);
        /* It is in another of its launches now, but has not lost its place. */
        while (k->turn + 1 < k->launches && turn_ns(k, k->turn + 1) <= now_ns)
            k->turn++;
    }
    settle(g, now_ns, now_ns + 1);
}

void dcs_gpu_close(struct dcs_gpu *g, int64_t now_ns)
{
    book(g, now_ns);
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct kernel *k = &g->kernels[i];
        if (k->phase == WORKS)
            g->useful_ns += take_share(g, k);
        else
            g->overhead_ns += take_share(g, k);
    }
    struct dcs_usage *u = &g->usage.time;
    double slack = 2 + 1e-9 * (double)u->busy_ns;
    double sum = g->useful_ns + g->lost_ns + g->overhead_ns;
    DCS_ASSERT(sum >= (double)u->busy_ns - slack && sum <= (double)u->busy_ns + slack);
    u->lost_ns = (int64_t)(g->lost_ns + 0.5);
    u->overhead_ns = (int64_t)(g->overhead_ns + 0.5);
    if (u->lost_ns > u->busy_ns)
        u->lost_ns = u->busy_ns;
    if (u->overhead_ns > u->busy_ns - u->lost_ns)
        u->overhead_ns = u->busy_ns - u->lost_ns;
    u->useful_ns = u->busy_ns - u->lost_ns - u->overhead_ns;
}

const struct dcs_gpu_usage *dcs_gpu_usage(const struct dcs_gpu *g)
{
    return &g->usage;
}
