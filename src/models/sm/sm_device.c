/* sm_device.c - see sm_device.h. */
#include "models/sm/sm_device.h"

#include <stdlib.h>
#include <string.h>

#define REMEMBERED 64 /* states whose rates are kept */
#define FEW_PARTS  16
#define IDLE_LOSS  0.02 /* of a rate, that counts as none */

struct tenant { /* a request that has a claim */
    uint64_t id;
    uint32_t kernel;
    bool runs, still; /* still: its quota is used up */
    uint8_t claimed[DCS_SM_SMS_MAX], active[DCS_SM_SMS_MAX];
    int64_t saved;                              /* blocks that lie in memory */
    double work_ns, left_ns, done_ns, quota_ns; /* at since_ns; quota < 0: none */
    double rate;                                /* work per ns */
    int64_t since_ns, end_ns, quota_end_ns;
};

/* Blocks that come to SMs, or have left them, by then: no more than are claimed then, and no fewer.
 */
struct pending {
    int64_t at_ns;
    uint64_t id;
    bool comes;
    struct dcs_sm_range range;
};

/* Kernels that work, and the parts in which SMs hold the same of their blocks. */
struct state {
    uint32_t kernels[DCS_SM_TOGETHER_MAX];
    size_t count, parts_count;
    struct dcs_sm_part parts[DCS_SM_PARTS_MAX];
};

/* The rates of a state of few parts. */
struct remembered {
    uint32_t kernels[DCS_SM_TOGETHER_MAX];
    size_t count, parts_count;
    struct dcs_sm_part parts[FEW_PARTS];
    double rates[DCS_SM_TOGETHER_MAX];
};

struct dcs_sm_device {
    const struct dcs_sm *m;
    struct dcs_sm_leaving leaving;
    int64_t window_ns;
    struct tenant *tenants; /* DCS_SM_TOGETHER_MAX, ascending by id */
    uint32_t count;
    struct pending *pending; /* in the order in which they were made */
    size_t pending_count, pending_capacity;
    int64_t free_ns[DCS_SM_SMS_MAX]; /* when what has left an SM is gone */
    int64_t contexts_ns;             /* when all contexts are written and read */
    int64_t next_ns;
    struct remembered *memory; /* REMEMBERED */
    uint32_t memory_count, memory_next;

    /* Rates of the accounts since at_ns. */
    int64_t at_ns;
    double sms_in_use, working;
    struct dcs_gpu_usage usage;
};

struct dcs_sm_device *dcs_sm_device_create(const struct dcs_sm *m, struct dcs_sm_leaving leaving,
                                           int64_t window_ns)
{
    struct dcs_sm_device *d = dcs_alloc(1, sizeof *d);
    d->m = m;
    d->leaving = leaving;
    d->window_ns = window_ns;
    d->next_ns = DCS_NEVER;
    d->tenants = dcs_alloc(DCS_SM_TOGETHER_MAX, sizeof *d->tenants);
    d->memory = dcs_alloc(REMEMBERED, sizeof *d->memory);
    return d;
}

size_t dcs_sm_device_bytes(void)
{
    return sizeof(struct dcs_sm_device) + DCS_SM_TOGETHER_MAX * sizeof(struct tenant) +
           REMEMBERED * sizeof(struct remembered);
}

void dcs_sm_device_destroy(struct dcs_sm_device *d)
{
    if (d == NULL)
        return;
    free(d->tenants);
    free(d->pending);
    free(d->memory);
    free(d);
}

/* ---- Claims ---- */

static uint32_t position(const struct dcs_sm_device *d, uint64_t id)
{
    uint32_t i = 0;
    while (i < d->count && d->tenants[i].id < id)
        i++;
    return i;
}

static bool is_at(const struct dcs_sm_device *d, uint32_t i, uint64_t id)
{
    return i < d->count && d->tenants[i].id == id;
}

static struct tenant *tenant(const struct dcs_sm_device *d, uint64_t id)
{
    uint32_t at = position(d, id);
    DCS_ASSERT(is_at(d, at, id));
    return &d->tenants[at];
}

const char *dcs_sm_refuses(const struct dcs_sm_device *d, uint64_t id, uint32_t kernel,
                           struct dcs_sm_range range)
{
    if (kernel == UINT32_MAX)
        return "the profile has not measured its kernel inside an SM";
    if (range.first_sm > d->m->sms || range.sms > d->m->sms - range.first_sm)
        return "the allotment has more SMs than the device";
    if (range.blocks > DCS_SM_BLOCKS_MAX)
        return "an SM has room for fewer blocks";
    if (!is_at(d, position(d, id), id) && d->count == DCS_SM_TOGETHER_MAX)
        return "no more requests can run together";
    for (uint32_t sm = range.first_sm; sm < range.first_sm + range.sms; sm++) {
        uint32_t kernels[DCS_SM_TOGETHER_MAX] = {kernel},
                 blocks[DCS_SM_TOGETHER_MAX] = {range.blocks};
        size_t n = 1;
        for (uint32_t i = 0; i < d->count; i++)
            if (d->tenants[i].id != id) {
                kernels[n] = d->tenants[i].kernel;
                blocks[n++] = d->tenants[i].claimed[sm];
            }
        if (!dcs_sm_has_room(d->m, kernels, blocks, n))
            return "an SM has no room for so many blocks beside the others' (registers, shared "
                   "memory, threads, blocks)";
    }
    return NULL;
}

void dcs_sm_claim(struct dcs_sm_device *d, uint64_t id, uint32_t kernel, struct dcs_sm_range range)
{
    DCS_ASSERT(id > 0 && dcs_sm_refuses(d, id, kernel, range) == NULL);
    uint32_t at = position(d, id);
    if (!is_at(d, at, id)) {
        memmove(&d->tenants[at + 1], &d->tenants[at], (d->count - at) * sizeof *d->tenants);
        memset(&d->tenants[at], 0, sizeof *d->tenants);
        d->count++;
        d->tenants[at].id = id;
        d->tenants[at].kernel = kernel;
    }
    memset(&d->tenants[at].claimed[range.first_sm], (int)range.blocks, range.sms);
}

uint32_t dcs_sm_claims(const struct dcs_sm_device *d)
{
    return d->count;
}

uint64_t dcs_sm_first_claim(const struct dcs_sm_device *d)
{
    return d->count > 0 ? d->tenants[0].id : 0;
}

/* ---- Rates ---- */

/* The tenants that work, and the parts in which SMs hold the same of their blocks. */
static size_t find_state(const struct dcs_sm_device *d, struct state *out,
                         uint32_t of[DCS_SM_TOGETHER_MAX])
{
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < d->count; i++)
        if (d->tenants[i].runs && !d->tenants[i].still) {
            of[out->count] = i;
            out->kernels[out->count++] = d->tenants[i].kernel;
        }
    for (uint32_t sm = 0; sm < d->m->sms; sm++) {
        struct dcs_sm_part part = {0};
        bool any = false;
        for (size_t k = 0; k < out->count; k++) {
            part.blocks[k] = d->tenants[of[k]].active[sm];
            any = any || part.blocks[k] > 0;
        }
        size_t p = 0;
        while (p < out->parts_count &&
               memcmp(out->parts[p].blocks, part.blocks, sizeof part.blocks) != 0)
            p++;
        if (!any)
            continue;
        DCS_ASSERT(p < DCS_SM_PARTS_MAX);
        if (p == out->parts_count)
            out->parts[out->parts_count++] = part;
        out->parts[p].sms++;
    }
    return out->count;
}

static bool is_same(const struct remembered *a, const struct state *b)
{
    return a->count == b->count && a->parts_count == b->parts_count &&
           memcmp(a->kernels, b->kernels, a->count * sizeof *a->kernels) == 0 &&
           memcmp(a->parts, b->parts, a->parts_count * sizeof *a->parts) == 0;
}

/* Of states of many parts, which hardly come twice, nothing is kept. */
static void find_rates(struct dcs_sm_device *d, const struct state *state,
                       double rates[DCS_SM_TOGETHER_MAX])
{
    bool few = state->parts_count <= FEW_PARTS;
    for (uint32_t i = 0; few && i < d->memory_count; i++)
        if (is_same(&d->memory[i], state)) {
            memcpy(rates, d->memory[i].rates, state->count * sizeof *rates);
            return;
        }
    dcs_sm_rates(d->m, state->kernels, state->count, state->parts, state->parts_count, rates);
    if (!few)
        return;
    struct remembered *to = &d->memory[d->memory_next];
    to->count = state->count;
    to->parts_count = state->parts_count;
    memcpy(to->kernels, state->kernels, state->count * sizeof *to->kernels);
    memcpy(to->parts, state->parts, state->parts_count * sizeof *to->parts);
    memcpy(to->rates, rates, state->count * sizeof *rates);
    d->memory_next = (d->memory_next + 1) % REMEMBERED;
    d->memory_count += d->memory_count < REMEMBERED;
}

static void go_on(struct tenant *t, int64_t now_ns)
{
    double work = (double)(now_ns - t->since_ns) * t->rate;
    t->since_ns = now_ns;
    if (!(work > 0))
        return;
    work = work < t->left_ns ? work : t->left_ns;
    t->left_ns -= work;
    t->done_ns += work;
    if (t->quota_ns >= 0)
        t->quota_ns = t->quota_ns > work ? t->quota_ns - work : 0;
}

/* When so much work is done at the tenant's rate: at least 1 ns from now. */
static int64_t done_at(const struct tenant *t, double work_ns)
{
    if (!(t->rate > 0))
        return DCS_NEVER;
    double time = work_ns / t->rate;
    int64_t whole = time < (double)DCS_TIME_MAX ? (int64_t)time : DCS_TIME_MAX;
    whole += (double)whole < time;
    return dcs_add_times(t->since_ns, whole > 1 ? whole : 1);
}

/* Sets every rate as things are now, and what comes next. */
static void set_rates(struct dcs_sm_device *d, int64_t now_ns)
{
    struct state state;
    uint32_t of[DCS_SM_TOGETHER_MAX];
    double rates[DCS_SM_TOGETHER_MAX];
    size_t working = find_state(d, &state, of);
    if (working > 0)
        find_rates(d, &state, rates);
    d->sms_in_use = 0;
    for (size_t p = 0; p < state.parts_count; p++)
        d->sms_in_use += state.parts[p].sms;
    d->working = (double)working;
    d->next_ns = DCS_NEVER;
    for (uint32_t i = 0; i < d->count; i++)
        if (d->tenants[i].runs) {
            go_on(&d->tenants[i], now_ns);
            d->tenants[i].rate = 0;
        }
    for (size_t k = 0; k < working; k++)
        d->tenants[of[k]].rate = rates[k];
    for (uint32_t i = 0; i < d->count; i++) {
        struct tenant *t = &d->tenants[i];
        if (!t->runs)
            continue;
        t->end_ns = done_at(t, t->left_ns);
        t->quota_end_ns = t->quota_ns >= 0 && !t->still && t->quota_ns < t->left_ns
                              ? done_at(t, t->quota_ns)
                              : DCS_NEVER;
        int64_t next = t->end_ns < t->quota_end_ns ? t->end_ns : t->quota_end_ns;
        d->next_ns = next < d->next_ns ? next : d->next_ns;
    }
    for (size_t i = 0; i < d->pending_count; i++)
        if (d->pending[i].at_ns < d->next_ns)
            d->next_ns = d->pending[i].at_ns;
}

/* Keeps the accounts up to now_ns. To be called before anything changes. */
static void book(struct dcs_sm_device *d, int64_t now_ns)
{
    int64_t from = d->at_ns > d->window_ns ? d->at_ns : d->window_ns;
    DCS_ASSERT(now_ns >= d->at_ns);
    d->at_ns = now_ns;
    if (now_ns <= from || d->count == 0)
        return;
    double ns = (double)(now_ns - from);
    d->usage.time.busy_ns += now_ns - from;
    d->usage.sm_ns += ns * d->sms_in_use;
    d->usage.kernel_ns += ns * d->working;
}

/* ---- Blocks ---- */

static void set_blocks(struct tenant *t, bool come, struct dcs_sm_range range)
{
    for (uint32_t sm = range.first_sm; sm < range.first_sm + range.sms; sm++) {
        uint32_t most = t->claimed[sm], blocks = range.blocks < most ? range.blocks : most;
        if (come ? t->active[sm] < blocks : t->active[sm] > most)
            t->active[sm] = (uint8_t)(come ? blocks : most);
    }
}

static void set_later(struct dcs_sm_device *d, int64_t at_ns, uint64_t id, bool comes,
                      struct dcs_sm_range range)
{
    d->pending =
        dcs_grow(d->pending, &d->pending_capacity, d->pending_count + 1, sizeof *d->pending);
    d->pending[d->pending_count++] =
        (struct pending){.at_ns = at_ns, .id = id, .comes = comes, .range = range};
}

/* The contexts of so many blocks pass between SMs and memory, after those before them. */
static int64_t move_contexts(struct dcs_sm_device *d, int64_t now_ns, const struct tenant *t,
                             int64_t blocks)
{
    const struct dcs_sm_kernel *k = &d->m->kernels[t->kernel];
    if (!(d->leaving.bytes_per_ns > 0) || blocks == 0)
        return now_ns;
    double bytes = (double)blocks * (double)(4 * k->registers + k->shared_bytes);
    int64_t from = d->contexts_ns > now_ns ? d->contexts_ns : now_ns;
    d->contexts_ns = from + (int64_t)(bytes / d->leaving.bytes_per_ns + 0.5);
    return d->contexts_ns;
}

/* The time of a block of a tenant, as it runs now. */
static double block_ns(const struct dcs_sm_device *d, const struct tenant *t)
{
    const struct dcs_sm_kernel *k = &d->m->kernels[t->kernel];
    double blocks = 0;
    for (uint32_t sm = 0; sm < d->m->sms; sm++)
        blocks += t->active[sm];
    double ends = t->rate * k->alone[k->fits] * d->m->sms / k->block_ns; /* a ns */
    return ends > 0 ? blocks / ends : k->block_ns * k->fits;
}

/* Some SMs are to have fewer blocks. */
static void leave(struct dcs_sm_device *d, int64_t now_ns, struct tenant *t,
                  struct dcs_sm_range range)
{
    int64_t leaving = 0;
    uint32_t most = 0, of = 0;
    for (uint32_t sm = range.first_sm; sm < range.first_sm + range.sms; sm++)
        if (t->active[sm] > range.blocks) {
            uint32_t n = t->active[sm] - range.blocks;
            leaving += n;
            if (of == 0 || (uint64_t)n * of > (uint64_t)most * t->active[sm]) {
                most = n;
                of = t->active[sm];
            }
        }
    if (leaving == 0)
        return;
    int64_t gone_ns;
    if (d->leaving.how == DCS_SM_SAVE) {
        gone_ns = move_contexts(d, now_ns, t, leaving);
        t->saved += leaving;
    } else {
        gone_ns = dcs_add_times(now_ns, (int64_t)(block_ns(d, t) * most / of + 0.5));
        set_later(d, gone_ns, t->id, false, range);
    }
    for (uint32_t sm = range.first_sm; sm < range.first_sm + range.sms; sm++)
        if (t->active[sm] > range.blocks) {
            if (d->free_ns[sm] < gone_ns)
                d->free_ns[sm] = gone_ns;
            if (d->leaving.how == DCS_SM_SAVE)
                t->active[sm] = (uint8_t)range.blocks;
        }
}

/* Some SMs are to have more: as soon as there is room, and what was saved is there again. */
static void come(struct dcs_sm_device *d, int64_t now_ns, struct tenant *t,
                 struct dcs_sm_range range)
{
    int64_t coming = 0, at_ns = now_ns;
    for (uint32_t sm = range.first_sm; sm < range.first_sm + range.sms; sm++)
        if (t->active[sm] < range.blocks) {
            coming += range.blocks - t->active[sm];
            at_ns = d->free_ns[sm] > at_ns ? d->free_ns[sm] : at_ns;
        }
    int64_t back = coming < t->saved ? coming : t->saved;
    t->saved -= back;
    int64_t read_ns = back > 0 ? move_contexts(d, now_ns, t, back) : now_ns;
    at_ns = read_ns > at_ns ? read_ns : at_ns;
    if (coming == 0)
        return;
    if (at_ns > now_ns)
        set_later(d, at_ns, t->id, true, range);
    else
        set_blocks(t, true, range);
}

static void change(struct dcs_sm_device *d, int64_t now_ns, struct tenant *t,
                   struct dcs_sm_range range)
{
    leave(d, now_ns, t, range);
    come(d, now_ns, t, range);
}

/* ---- What happens ---- */

void dcs_sm_start(struct dcs_sm_device *d, int64_t now_ns, const struct dcs_sm_launch *l)
{
    struct tenant *t = tenant(d, l->id);
    DCS_ASSERT(l->work_ns >= 1 && !t->runs && t->kernel == l->kernel);
    book(d, now_ns);
    t->runs = true;
    t->work_ns = t->left_ns = (double)l->work_ns;
    t->quota_ns = -1;
    t->since_ns = now_ns;
    change(d, now_ns, t, l->range);
    set_rates(d, now_ns);
}

void dcs_sm_resize(struct dcs_sm_device *d, int64_t now_ns, uint64_t id, struct dcs_sm_range range)
{
    struct tenant *t = tenant(d, id);
    DCS_ASSERT(t->runs);
    book(d, now_ns);
    change(d, now_ns, t, range);
    set_rates(d, now_ns);
}

void dcs_sm_set_quota(struct dcs_sm_device *d, int64_t now_ns, uint64_t id, int64_t work_ns)
{
    struct tenant *t = tenant(d, id);
    DCS_ASSERT(t->runs && work_ns >= 0);
    book(d, now_ns);
    go_on(t, now_ns);
    t->quota_ns = work_ns == DCS_NEVER ? -1 : (double)work_ns;
    t->still = work_ns == 0;
    set_rates(d, now_ns);
}

int64_t dcs_sm_next_ns(const struct dcs_sm_device *d)
{
    return d->next_ns;
}

/* Blocks that come or go now, in the order in which that was decided. */
static void apply_pending(struct dcs_sm_device *d, int64_t now_ns)
{
    size_t kept = 0;
    for (size_t i = 0; i < d->pending_count; i++) {
        struct pending *p = &d->pending[i];
        uint32_t at = position(d, p->id);
        if (!is_at(d, at, p->id))
            continue; /* it has ended */
        if (p->at_ns > now_ns)
            d->pending[kept++] = *p;
        else
            set_blocks(&d->tenants[at], p->comes, p->range);
    }
    d->pending_count = kept;
}

uint32_t dcs_sm_advance(struct dcs_sm_device *d, int64_t now_ns,
                        struct dcs_sm_end ends[DCS_SM_TOGETHER_MAX])
{
    uint32_t n = 0, kept = 0;
    DCS_ASSERT(now_ns == d->next_ns);
    book(d, now_ns);
    apply_pending(d, now_ns);
    for (uint32_t i = 0; i < d->count; i++) {
        struct tenant *t = &d->tenants[i];
        bool over = t->runs && t->end_ns <= now_ns;
        if (over || (t->runs && t->quota_end_ns <= now_ns))
            ends[n++] = (struct dcs_sm_end){.id = t->id, .quota = !over};
        if (over)
            continue;
        if (t->runs && t->quota_end_ns <= now_ns) {
            go_on(t, now_ns);
            t->still = true;
            t->quota_ns = 0;
        }
        if (kept < i)
            d->tenants[kept] = *t;
        kept++;
    }
    d->count = kept;
    set_rates(d, now_ns);
    return n;
}

uint32_t dcs_sm_running(const struct dcs_sm_device *d)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->count; i++)
        n += d->tenants[i].runs;
    return n;
}

uint64_t dcs_sm_nth(const struct dcs_sm_device *d, uint32_t n)
{
    uint32_t i = 0;
    for (; i < d->count; i++)
        if (d->tenants[i].runs && n-- == 0)
            break;
    DCS_ASSERT(i < d->count);
    return d->tenants[i].id;
}

static double work_since(const struct tenant *t, int64_t now_ns)
{
    double work = (double)(now_ns - t->since_ns) * t->rate;
    return work < t->left_ns ? work : t->left_ns;
}

double dcs_sm_done_ns(const struct dcs_sm_device *d, int64_t now_ns, uint64_t id)
{
    const struct tenant *t = tenant(d, id);
    return t->done_ns + work_since(t, now_ns);
}

uint32_t dcs_sm_idle_blocks(const struct dcs_sm_device *d, uint64_t id)
{
    struct state state;
    uint32_t of[DCS_SM_TOGETHER_MAX], most = 0;
    double rates[DCS_SM_TOGETHER_MAX], now = 0;
    size_t k = 0, working = find_state(d, &state, of);
    while (k < working && d->tenants[of[k]].id != id)
        k++;
    if (k == working)
        return 0;
    for (size_t p = 0; p < state.parts_count; p++)
        most = state.parts[p].blocks[k] > most ? state.parts[p].blocks[k] : most;
    for (uint32_t less = 0; less < most; less++) {
        struct state fewer = state;
        for (size_t p = 0; p < fewer.parts_count; p++)
            if (fewer.parts[p].blocks[k] > less)
                fewer.parts[p].blocks[k] = (uint8_t)(fewer.parts[p].blocks[k] - less);
        dcs_sm_rates(d->m, fewer.kernels, fewer.count, fewer.parts, fewer.parts_count, rates);
        if (less == 0)
            now = rates[k];
        else if (rates[k] < (1 - IDLE_LOSS) * now)
            return less - 1;
    }
    return most > 0 ? most - 1 : 0;
}

double dcs_sm_left(const struct dcs_sm_device *d, int64_t now_ns, uint64_t id)
{
    const struct tenant *t = tenant(d, id);
    return (t->left_ns - work_since(t, now_ns)) / t->work_ns;
}

void dcs_sm_scale_left(struct dcs_sm_device *d, int64_t now_ns, uint64_t id, double factor)
{
    struct tenant *t = tenant(d, id);
    DCS_ASSERT(t->runs && factor > 0);
    book(d, now_ns);
    go_on(t, now_ns);
    t->left_ns *= factor;
    set_rates(d, now_ns);
}

void dcs_sm_device_close(struct dcs_sm_device *d, int64_t now_ns)
{
    book(d, now_ns);
    d->usage.time.useful_ns = d->usage.time.busy_ns;
}

const struct dcs_gpu_usage *dcs_sm_usage(const struct dcs_sm_device *d)
{
    return &d->usage;
}
