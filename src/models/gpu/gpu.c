/* gpu.c - see gpu.h: what happens to a device, and where the time goes. */
#include "models/gpu/gpu_state.h"

#include <stdlib.h>
#include <string.h>

struct dcs_gpu *dcs_gpu_create(const struct dcs_spatial *s, struct dcs_contention *contention,
                               uint64_t memory_bytes, int64_t window_ns)
{
    struct dcs_gpu *g = dcs_alloc(1, sizeof *g);
    *g = (struct dcs_gpu){.spatial = s,
                          .contention = contention,
                          .memory_bytes = memory_bytes,
                          .window_ns = window_ns,
                          .memo = dcs_alloc(1, sizeof *g->memo),
                          .next_ns = DCS_NEVER,
                          .end_ns = DCS_NEVER};
    return g;
}

size_t dcs_gpu_bytes(void)
{
    size_t kernels = 4 * sizeof(struct gpu_kernel);
    return 2 * (sizeof(struct dcs_gpu) + kernels) + gpu_memo_bytes(4);
}

void dcs_gpu_destroy(struct dcs_gpu *g)
{
    if (g == NULL)
        return;
    if (g->before != NULL)
        free(g->before->kernels);
    free(g->before);
    free(g->memo->rates);
    free(g->memo);
    free(g->kernels);
    free(g);
}

/* Room for so many kernels: two at first, few devices have many. */
static void make_room(struct dcs_gpu *g, size_t kernels)
{
    if (g->kernels_capacity == 0) {
        g->kernels_capacity = 2;
        g->kernels = dcs_alloc(g->kernels_capacity, sizeof *g->kernels);
    }
    g->kernels = dcs_grow(g->kernels, &g->kernels_capacity, kernels, sizeof *g->kernels);
}

static size_t position(const struct dcs_gpu *g, uint64_t id)
{
    size_t i = 0;
    while (i < g->kernels_count && g->kernels[i].launch.id < id)
        i++;
    return i;
}

static struct gpu_kernel *find_kernel(const struct dcs_gpu *g, uint64_t id)
{
    size_t i = position(g, id);
    DCS_ASSERT(i < g->kernels_count && g->kernels[i].launch.id == id);
    return &g->kernels[i];
}

static uint32_t cap_of(const struct dcs_gpu *g, struct dcs_gpu_allotment a)
{
    return a.share == DCS_GPU_WHOLE ? g->spatial->sms : a.sms;
}

static enum dcs_shape_kind kind_of(const struct dcs_gpu *g, const struct dcs_gpu_launch *l)
{
    return l->shape != DCS_NO_SHAPE ? g->spatial->shapes[l->shape].kind : DCS_SHAPE_COMPUTE;
}

/* A transfer that was launched whole has no SMs, and may be beside anything. */
static bool has_no_sms(const struct dcs_gpu *g, const struct dcs_gpu_launch *l)
{
    return l->allotment.share == DCS_GPU_WHOLE && kind_of(g, l) != DCS_SHAPE_COMPUTE;
}

/* It was launched whole and needs SMs: nothing else may have SMs beside it. */
static bool takes_all(const struct gpu_kernel *k)
{
    return k->launch.allotment.share == DCS_GPU_WHOLE && k->allotted > 0;
}

/* ---- Accounts ---- */

/* Until when a kernel that works uses its cores, at most to_ns: a part of a fused launch may be
 * done before the other. */
static int64_t active_until(const struct gpu_kernel *k, int64_t to_ns)
{
    double left = k->left - (1 - k->part);
    if (!(left > 0))
        return k->since_ns;
    if (k->part == 1 || !(left * k->full_ns < (double)(to_ns - k->since_ns)))
        return to_ns;
    return k->since_ns + (int64_t)(left * k->full_ns + 0.5);
}

static void book_cores(struct dcs_gpu *g, int64_t from, int64_t to_ns)
{
    int64_t ns[] = {[DCS_CORES_UNKNOWN] = 0, [DCS_CORES_TENSOR] = 0, [DCS_CORES_CUDA] = 0};
    for (size_t i = 0; i < g->kernels_count; i++) {
        const struct gpu_kernel *k = &g->kernels[i];
        if (k->phase != GPU_WORKS || !(k->sms > 0))
            continue;
        int64_t active = active_until(k, to_ns) - from;
        if (active > ns[k->cores])
            ns[k->cores] = active;
    }
    int64_t tensor = ns[DCS_CORES_TENSOR], cuda = ns[DCS_CORES_CUDA];
    g->usage.tensor_ns += tensor;
    g->usage.cuda_ns += cuda;
    g->usage.both_ns += tensor < cuda ? tensor : cuda;
}

/* Keeps the accounts up to now_ns. To be called before anything changes. */
static void book(struct dcs_gpu *g, int64_t now_ns)
{
    int64_t from = g->at_ns > g->window_ns ? g->at_ns : g->window_ns;
    DCS_ASSERT(now_ns >= g->at_ns);
    g->at_ns = now_ns;
    if (now_ns <= from || g->kernels_count == 0)
        return;
    double ns = (double)(now_ns - from);
    g->usage.sm_ns += ns * g->sms_rate;
    g->usage.kernel_ns += ns * g->kernel_rate;
    g->usage.slowed_ns += ns * g->slowed_rate;
    g->usage.beyond_ns += ns * g->beyond_rate;
    g->usage.time.busy_ns += now_ns - from;
    g->share += (double)(now_ns - from) / (double)g->kernels_count;
    book_cores(g, from, now_ns);
}

/* Its part of the busy time since its phase began. */
static double take_share(const struct dcs_gpu *g, struct gpu_kernel *k)
{
    double part = g->share - k->share_before;
    k->share_before = g->share;
    return part;
}

/* ---- Ahead of the caller ---- */

/*
 * Where SMs are scarce they change hands between two ends at every CUDA launch and in its end, up
 * to hundreds of times. Nobody hears of that, and nothing from outside may happen meanwhile; so it
 * is done at once, while the device is in the processor's caches, and again from the start where
 * something does happen.
 */
#define AHEAD_MAX 256 /* such changes; each may be done again as often as the caller interrupts */

static void copy_state(struct dcs_gpu *to, const struct dcs_gpu *from)
{
    make_room(to, from->kernels_count);
    struct gpu_kernel *kernels = to->kernels;
    size_t capacity = to->kernels_capacity;
    struct dcs_gpu *before = to->before;
    memcpy(kernels, from->kernels, from->kernels_count * sizeof *kernels);
    *to = *from;
    to->kernels = kernels;
    to->kernels_capacity = capacity;
    to->before = before;
}

/* A change that is no end. */
static bool is_inner(const struct dcs_gpu *g)
{
    return g->next_ns < g->end_ns && g->next_ns < DCS_TIME_MAX;
}

void gpu_change_inside(struct dcs_gpu *g)
{
    int64_t now_ns = g->next_ns;
    g->changes++;
    book(g, now_ns);
    gpu_take_turns(g, now_ns);
    gpu_move_sms(g, now_ns);
    gpu_settle(g, now_ns, now_ns);
}

/* After all that happens at an instant. */
static void look_ahead(struct dcs_gpu *g)
{
    g->ahead = is_inner(g);
    if (g->ahead && g->before == NULL)
        g->before = dcs_alloc(1, sizeof *g->before);
    if (g->ahead)
        copy_state(g->before, g);
    for (int i = 0; i < AHEAD_MAX && is_inner(g); i++)
        gpu_change_inside(g);
}

/* ---- Once for each instant ---- */

/* Kernels end and others begin in their place at one instant: the rates that hold for no time are
 * never worked out. */
static void changed(struct dcs_gpu *g)
{
    g->ahead = false;
    g->unsettled = true;
    gpu_forget_rates(g);
}

/* After the last change of an instant. */
static void settle_instant(struct dcs_gpu *g)
{
    g->unsettled = false;
    gpu_move_sms(g, g->at_ns);
    gpu_settle(g, g->at_ns, g->at_ns + 1);
    look_ahead(g);
}

/* Time moves on to now_ns. */
static void settle_before(struct dcs_gpu *g, int64_t now_ns)
{
    if (g->unsettled && g->at_ns < now_ns)
        settle_instant(g);
}

/* Before anything happens, or is asked, at now_ns: as it is then. */
static void reach(struct dcs_gpu *g, int64_t now_ns)
{
    settle_before(g, now_ns);
    if (!g->ahead || g->at_ns <= now_ns)
        return;
    copy_state(g, g->before);
    if (g->moves != DCS_MOVES_NOT)
        gpu_forget_rates(g); /* they are those of other SMs */
    while (is_inner(g) && g->next_ns <= now_ns)
        gpu_change_inside(g);
}

/* Before something happens at now_ns: accounts and turns are up to then. */
static void come_to(struct dcs_gpu *g, int64_t now_ns)
{
    reach(g, now_ns);
    book(g, now_ns);
    if (!g->unsettled) /* else they were brought there before the first change of this instant */
        gpu_take_turns(g, now_ns);
}

/* ---- What happens ---- */

bool dcs_gpu_admits(const struct dcs_gpu *g, const struct dcs_gpu_launch *l,
                    const struct dcs_gpu_promised *promised, const char **why)
{
    static const struct dcs_gpu_promised nothing = {0};
    const struct dcs_gpu_promised *p = promised != NULL ? promised : &nothing;
    enum dcs_gpu_share m = l->allotment.share;
    int64_t others = (int64_t)g->sms_allotted + p->sms;
    size_t kernels = g->kernels_count + p->kernels;
    bool needs_sms = !has_no_sms(g, l);
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
    else if (needs_sms && (p->whole || g->takers > 0))
        *why =
            "it is not idle: beside a kernel that has all of it, only transfers that are launched "
            "whole can run";
    else if (needs_sms && m == DCS_GPU_WHOLE && others > 0)
        *why = "it is not idle: kernels have SMs of it";
    else if (m == DCS_GPU_GREEN && others + (int64_t)l->allotment.sms > (int64_t)g->spatial->sms)
        *why = "the allotments that run leave fewer SMs";
    else if (l->memory_bytes > g->memory_bytes - g->used_bytes ||
             p->memory_bytes > g->memory_bytes - g->used_bytes - l->memory_bytes)
        *why = "what runs leaves less memory";
    return *why == NULL;
}

bool dcs_gpu_admits_fused(const struct dcs_gpu *g, const struct dcs_gpu_launch parts[2],
                          const struct dcs_gpu_promised *promised, const char **why)
{
    struct dcs_gpu_launch both = parts[0];
    if (!dcs_gpu_admits(g, &parts[1], promised, why))
        return false;
    uint64_t more = parts[1].memory_bytes;
    both.memory_bytes =
        both.memory_bytes > UINT64_MAX - more ? UINT64_MAX : both.memory_bytes + more;
    return dcs_gpu_admits(g, &both, promised, why);
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

/* One more kernel, which will begin to work at began_ns. */
static struct gpu_kernel *enter(struct dcs_gpu *g, const struct dcs_gpu_launch *l, int64_t began_ns)
{
    DCS_ASSERT(l->id > 0 && l->scale > 0 && l->delay_ns >= 0);
    size_t at = position(g, l->id);
    DCS_ASSERT(at == g->kernels_count || g->kernels[at].launch.id != l->id);
    make_room(g, g->kernels_count + 1);
    memmove(&g->kernels[at + 1], &g->kernels[at], (g->kernels_count - at) * sizeof *g->kernels);
    g->kernels_count++;

    const struct dcs_shape *shape = l->shape != DCS_NO_SHAPE ? &g->spatial->shapes[l->shape] : NULL;
    struct gpu_kernel *k = &g->kernels[at];
    uint32_t cap = cap_of(g, l->allotment);
    *k = (struct gpu_kernel){
        .launch = *l,
        .phase = GPU_STARTS,
        .kind = kind_of(g, l),
        .cap = cap,
        .allotted = has_no_sms(g, l) ? 0 : cap,
        .launches = shape != NULL ? shape->launches : 1,
        .partition = l->allotment.share != DCS_GPU_MPS,
        .cores = shape != NULL ? shape->cores : DCS_CORES_UNKNOWN,
        .began_ns = began_ns,
        .left = 1,
        .part = 1,
        .share_before = g->share,
    };
    DCS_ASSERT(k->launches >= 1);
    gpu_set_launches(k, shape);
    gpu_enter_moves(g, k);
    k->end_ns = k->began_ns;
    g->sms_allotted += k->allotted;
    g->takers += takes_all(k);
    g->used_bytes += l->memory_bytes;
    DCS_ASSERT(g->used_bytes + g->dead_bytes <= g->memory_bytes);
    return k;
}

void dcs_gpu_start(struct dcs_gpu *g, int64_t now_ns, const struct dcs_gpu_launch *l)
{
    const char *why;
    DCS_ASSERT(dcs_gpu_admits(g, l, NULL, &why));
    come_to(g, now_ns);
    int64_t delay_ns = dcs_add_times(l->delay_ns, pay(g, l));
    struct gpu_kernel *k = enter(g, l, dcs_add_times(now_ns, delay_ns));
    if (k->began_ns == now_ns)
        gpu_begin(g, k, now_ns);
    changed(g);
}

void dcs_gpu_start_fused(struct dcs_gpu *g, int64_t now_ns, const struct dcs_gpu_fused *f)
{
    const char *why;
    DCS_ASSERT(dcs_gpu_admits_fused(g, f->parts, NULL, &why));
    DCS_ASSERT(f->end_ns[0] > 0 && f->end_ns[1] > 0);
    come_to(g, now_ns);
    double end_ns = f->end_ns[0] > f->end_ns[1] ? f->end_ns[0] : f->end_ns[1];
    const struct dcs_gpu_launch *a = &f->parts[0], *b = &f->parts[1];
    struct dcs_gpu_launch both = {.memory_bytes = a->memory_bytes + b->memory_bytes,
                                  .class = a->class == DCS_BATCH ? DCS_BATCH : b->class};
    int64_t delay_ns = a->delay_ns > b->delay_ns ? a->delay_ns : b->delay_ns;
    int64_t began_ns = dcs_add_times(now_ns, dcs_add_times(delay_ns, pay(g, &both)));
    uint32_t allotted = g->sms_allotted;
    for (int i = 0; i < 2; i++) {
        struct dcs_gpu_launch l = f->parts[i];
        enum dcs_cores cores = g->spatial->shapes[l.shape].cores;
        /* What was measured is the whole launch: it has no waves, and nothing is beside it. */
        l.shape = DCS_NO_SHAPE;
        l.scale = 1;
        l.work_ns = end_ns;
        DCS_ASSERT(l.allotment.share == DCS_GPU_WHOLE);
        struct gpu_kernel *k = enter(g, &l, began_ns);
        k->cores = cores;
        k->partner = f->parts[1 - i].id;
        k->part = f->end_ns[i] / end_ns;
        k->allotted = k->held = i == 0 ? k->cap : 0;
    }
    g->sms_allotted = allotted + g->spatial->sms;
    g->takers = 1; /* the first part has the SMs */
    for (int i = 0; began_ns == now_ns && i < 2; i++)
        gpu_begin(g, find_kernel(g, f->parts[i].id), now_ns);
    changed(g);
}

void dcs_gpu_resize(struct dcs_gpu *g, int64_t now_ns, uint64_t id, uint32_t sms)
{
    const char *why;
    DCS_ASSERT(dcs_gpu_admits_resize(g, id, sms, NULL, &why));
    come_to(g, now_ns);
    gpu_retarget(g, find_kernel(g, id), now_ns, sms);
    changed(g);
}

int64_t dcs_gpu_next_ns(struct dcs_gpu *g)
{
    if (g->unsettled)
        settle_instant(g);
    return g->next_ns;
}

/* Takes kernel number i away. */
static void leave(struct dcs_gpu *g, size_t i)
{
    struct gpu_kernel *k = &g->kernels[i];
    double part = take_share(g, k);
    if (k->phase == GPU_WORKS) {
        g->useful_ns += part;
        g->used_bytes -= k->launch.memory_bytes;
        g->copied[k->kind].id = k->launch.id;
        g->copied[k->kind].ended_ns = g->at_ns;
        g->copied[k->kind].enqueued_ns = k->enqueued_ns;
    } else {
        DCS_ASSERT(k->phase == GPU_DIES);
        g->overhead_ns += part;
        g->dying--;
    }
    g->sms_allotted -= k->allotted;
    g->takers -= takes_all(k);
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
    DCS_ASSERT(!g->unsettled && now_ns == g->next_ns);
    book(g, now_ns);
    gpu_take_turns(g, now_ns);
    for (size_t i = 0; i < g->kernels_count;) {
        struct gpu_kernel *k = &g->kernels[i];
        if (k->end_ns > now_ns) {
            i++;
        } else if (k->phase == GPU_STARTS) {
            g->overhead_ns += take_share(g, k);
            gpu_begin(g, k, now_ns);
        } else {
            add_end(ended, n++,
                    (struct dcs_gpu_end){.id = k->launch.id, .stopped = k->phase == GPU_DIES});
            leave(g, i);
        }
    }
    changed(g);
    return n;
}

static void die(struct dcs_gpu *g, struct gpu_kernel *k, int64_t now_ns,
                const struct dcs_profile_revocation *cost)
{
    double part = take_share(g, k);
    if (k->phase == GPU_WORKS)
        g->lost_ns += part;
    else
        g->overhead_ns += part;
    k->phase = GPU_DIES;
    k->leaves_ns = DCS_NEVER;
    k->queued = false;
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
    DCS_ASSERT(cost->kill_ns >= 0 && find_kernel(g, id)->phase != GPU_DIES);
    come_to(g, now_ns);
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct gpu_kernel *k = &g->kernels[i];
        bool hit = k->launch.id == id || k->partner == id || cost->mechanism == DCS_TRAP;
        if (k->phase == GPU_DIES || !hit)
            continue;
        victims[n++] = k->launch.id;
        die(g, k, now_ns, cost);
    }
    if (cost->start_ns > g->start_ns)
        g->start_ns = cost->start_ns;
    g->clear_ns += cost->clear_ns;
    g->spawn_ns += cost->spawn_ns;
    changed(g);
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
        if (g->kernels[i].phase != GPU_DIES && n-- == 0)
            return g->kernels[i].launch.id;
    DCS_ASSERT(false);
    return 0;
}

int64_t dcs_gpu_began_ns(const struct dcs_gpu *g, uint64_t id)
{
    return find_kernel(g, id)->began_ns;
}

uint64_t dcs_gpu_memory_used(const struct dcs_gpu *g)
{
    return g->used_bytes + g->dead_bytes;
}

uint32_t dcs_gpu_sms_allotted(const struct dcs_gpu *g)
{
    return g->sms_allotted;
}

double dcs_gpu_left(struct dcs_gpu *g, int64_t now_ns, uint64_t id)
{
    settle_before(g, now_ns);
    uint64_t changes = g->changes; /* looking is to leave no trace */
    reach(g, now_ns);
    double left = gpu_left_at(find_kernel(g, id), now_ns);
    while (g->changes < changes)
        gpu_change_inside(g);
    return left;
}

void dcs_gpu_scale_left(struct dcs_gpu *g, int64_t now_ns, uint64_t id, double factor)
{
    come_to(g, now_ns);
    struct gpu_kernel *k = find_kernel(g, id);
    DCS_ASSERT(k->phase != GPU_DIES && factor > 0);
    gpu_scale_left(g, k, now_ns, factor);
    if (k->partner != 0)
        gpu_scale_left(g, find_kernel(g, k->partner), now_ns, factor);
    changed(g);
}

void dcs_gpu_close(struct dcs_gpu *g, int64_t now_ns)
{
    reach(g, now_ns);
    book(g, now_ns);
    for (size_t i = 0; i < g->kernels_count; i++) {
        struct gpu_kernel *k = &g->kernels[i];
        if (k->phase == GPU_WORKS)
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
