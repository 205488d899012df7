/* sm_device.c - see sm_device.h. */
#include "models/sm/sm_device.h"
#include "models/sm/sm_state.h"

#include <stdlib.h>
#include <string.h>

struct quota {
    uint32_t first_sm, sms;
    bool used;
    double left_ns; /* at since_ns of its tenant */
    double rate;    /* work per ns in these SMs */
    int64_t end_ns;
};

struct tenant { /* a request that has a claim */
    uint64_t id;
    uint32_t kernel;
    bool runs;
    uint8_t claimed[DCS_SM_SMS_MAX], active[DCS_SM_SMS_MAX];
    int64_t saved;                    /* blocks that lie in memory */
    double work_ns, left_ns, done_ns; /* at since_ns */
    double rate;                      /* work per ns */
    int64_t since_ns, end_ns;
    struct quota quotas[DCS_SM_QUOTAS]; /* of SMs of their own, ascending */
    uint32_t quotas_count;
};

/* Blocks that come to SMs, or have left them, by then: no more than are claimed then, and no fewer.
 */
struct pending {
    int64_t at_ns;
    uint64_t id;
    bool comes;
    struct dcs_sm_range range;
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
    struct dcs_sm_memory memory;

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
    return d;
}

size_t dcs_sm_device_bytes(void)
{
    return sizeof(struct dcs_sm_device) + DCS_SM_TOGETHER_MAX * sizeof(struct tenant) +
           dcs_sm_memory_bytes();
}

void dcs_sm_device_destroy(struct dcs_sm_device *d)
{
    if (d == NULL)
        return;
    free(d->tenants);
    free(d->pending);
    dcs_sm_memory_release(&d->memory);
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

static bool has_sms_of(const struct quota *q, struct dcs_sm_quota of)
{
    return q->first_sm < of.first_sm + of.sms && of.first_sm < q->first_sm + q->sms;
}

const char *dcs_sm_refuses_quota(const struct dcs_sm_device *d, uint64_t id, struct dcs_sm_quota q)
{
    const struct tenant *t = tenant(d, id);
    uint32_t others = 0;
    if (q.sms == 0 || q.first_sm > d->m->sms || q.sms > d->m->sms - q.first_sm)
        return "the quota is of SMs that the device has not";
    if (q.work_ns < 0)
        return "it cannot do less than nothing";
    for (uint32_t i = 0; i < t->quotas_count; i++)
        others += !has_sms_of(&t->quotas[i], q);
    return others == DCS_SM_QUOTAS && q.work_ns != DCS_NEVER
               ? "it has as many quotas as a kernel can"
               : NULL;
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

/* The blocks of a tenant that work, by SM; whether there are any. quotas: those that it has used up
 * matter. */
static bool find_working(const struct dcs_sm_device *d, const struct tenant *t, bool quotas,
                         uint8_t *blocks)
{
    bool any = false;
    memcpy(blocks, t->active, d->m->sms);
    for (uint32_t q = 0; q < t->quotas_count && quotas; q++)
        if (t->quotas[q].used)
            memset(&blocks[t->quotas[q].first_sm], 0, t->quotas[q].sms);
    for (uint32_t sm = 0; sm < d->m->sms; sm++)
        any = any || blocks[sm] > 0;
    return any;
}

/* The tenants that work, and where. of: which these are. free_id: whose quotas do not matter. */
static void find_state(const struct dcs_sm_device *d, uint64_t free_id, struct dcs_sm_state *out,
                       uint32_t of[DCS_SM_TOGETHER_MAX])
{
    uint8_t blocks[DCS_SM_SMS_MAX];
    dcs_sm_state_begin(out, d->m->sms);
    for (uint32_t i = 0; i < d->count; i++) {
        const struct tenant *t = &d->tenants[i];
        if (t->runs && find_working(d, t, t->id != free_id, blocks))
            of[dcs_sm_state_add(out, t->kernel, blocks)] = i;
    }
    dcs_sm_state_divide(out);
}

static double quota_left_ns(const struct tenant *t, const struct quota *q, int64_t now_ns)
{
    double left = q->left_ns - (double)(now_ns - t->since_ns) * q->rate;
    return left > 0 ? left : 0;
}

static void go_on(struct tenant *t, int64_t now_ns)
{
    double work = (double)(now_ns - t->since_ns) * t->rate;
    for (uint32_t q = 0; q < t->quotas_count; q++)
        t->quotas[q].left_ns = quota_left_ns(t, &t->quotas[q], now_ns);
    t->since_ns = now_ns;
    if (!(work > 0))
        return;
    work = work < t->left_ns ? work : t->left_ns;
    t->left_ns -= work;
    t->done_ns += work;
}

/* When so much work is done at such a rate: at least 1 ns from now. */
static int64_t done_at(int64_t now_ns, double work_ns, double rate)
{
    if (!(rate > 0))
        return DCS_NEVER;
    double time = work_ns / rate;
    int64_t whole = time < (double)DCS_TIME_MAX ? (int64_t)time : DCS_TIME_MAX;
    whole += (double)whole < time;
    return dcs_add_times(now_ns, whole > 1 ? whole : 1);
}

static int64_t sooner(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* When something happens to a tenant. */
static int64_t next_of(struct tenant *t, int64_t now_ns)
{
    int64_t next = t->end_ns = done_at(now_ns, t->left_ns, t->rate);
    for (uint32_t q = 0; q < t->quotas_count; q++) {
        struct quota *quota = &t->quotas[q];
        quota->end_ns = DCS_NEVER;
        if (!quota->used && quota->left_ns < t->left_ns)
            quota->end_ns = done_at(now_ns, quota->left_ns, quota->rate);
        next = sooner(next, quota->end_ns);
    }
    return next;
}

/* Sets every rate as things are now, and what comes next. */
static void set_rates(struct dcs_sm_device *d, int64_t now_ns)
{
    static _Thread_local struct dcs_sm_state state;
    uint32_t of[DCS_SM_TOGETHER_MAX] = {0};
    find_state(d, 0, &state, of);
    dcs_sm_state_find_rates(&state, d->m, &d->memory);
    d->sms_in_use = dcs_sm_state_sms(&state);
    d->working = (double)state.count;
    d->next_ns = DCS_NEVER;
    for (uint32_t i = 0; i < d->count; i++) {
        struct tenant *t = &d->tenants[i];
        if (!t->runs)
            continue;
        go_on(t, now_ns);
        t->rate = 0;
        for (uint32_t q = 0; q < t->quotas_count; q++)
            t->quotas[q].rate = 0;
    }
    for (size_t k = 0; k < state.count; k++) {
        struct tenant *t = &d->tenants[of[k]];
        t->rate = state.rates[k];
        for (uint32_t q = 0; q < t->quotas_count; q++)
            t->quotas[q].rate =
                dcs_sm_state_rate_in(&state, k, t->quotas[q].first_sm, t->quotas[q].sms);
    }
    for (uint32_t i = 0; i < d->count; i++)
        if (d->tenants[i].runs)
            d->next_ns = sooner(d->next_ns, next_of(&d->tenants[i], now_ns));
    for (size_t i = 0; i < d->pending_count; i++)
        d->next_ns = sooner(d->next_ns, d->pending[i].at_ns);
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
    uint8_t working[DCS_SM_SMS_MAX];
    double blocks = 0;
    find_working(d, t, true, working);
    for (uint32_t sm = 0; sm < d->m->sms; sm++)
        blocks += working[sm];
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

void dcs_sm_set_quota(struct dcs_sm_device *d, int64_t now_ns, uint64_t id, struct dcs_sm_quota q)
{
    struct tenant *t = tenant(d, id);
    uint32_t kept = 0, at = 0;
    DCS_ASSERT(t->runs && dcs_sm_refuses_quota(d, id, q) == NULL);
    book(d, now_ns);
    go_on(t, now_ns);
    for (uint32_t i = 0; i < t->quotas_count; i++)
        if (!has_sms_of(&t->quotas[i], q))
            t->quotas[kept++] = t->quotas[i];
    t->quotas_count = kept;
    if (q.work_ns != DCS_NEVER) {
        while (at < kept && t->quotas[at].first_sm < q.first_sm)
            at++;
        memmove(&t->quotas[at + 1], &t->quotas[at], (kept - at) * sizeof *t->quotas);
        t->quotas[at] = (struct quota){.first_sm = q.first_sm,
                                       .sms = q.sms,
                                       .used = q.work_ns == 0,
                                       .left_ns = (double)q.work_ns};
        t->quotas_count++;
    }
    set_rates(d, now_ns);
}

double dcs_sm_quota_left_ns(const struct dcs_sm_device *d, int64_t now_ns, uint64_t id,
                            uint32_t first_sm)
{
    const struct tenant *t = tenant(d, id);
    for (uint32_t q = 0; q < t->quotas_count; q++)
        if (t->quotas[q].first_sm == first_sm)
            return quota_left_ns(t, &t->quotas[q], now_ns);
    return -1;
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
                        struct dcs_sm_end ends[DCS_SM_ENDS_MAX])
{
    uint32_t n = 0, kept = 0;
    DCS_ASSERT(now_ns == d->next_ns);
    book(d, now_ns);
    apply_pending(d, now_ns);
    for (uint32_t i = 0; i < d->count; i++) {
        struct tenant *t = &d->tenants[i];
        if (t->runs && t->end_ns <= now_ns) {
            ends[n++] = (struct dcs_sm_end){.id = t->id};
            continue;
        }
        for (uint32_t q = 0; q < t->quotas_count; q++)
            if (!t->quotas[q].used && t->quotas[q].end_ns <= now_ns) {
                go_on(t, now_ns);
                t->quotas[q].used = true;
                t->quotas[q].left_ns = 0;
                ends[n++] = (struct dcs_sm_end){
                    .id = t->id, .quota = true, .first_sm = t->quotas[q].first_sm};
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

uint32_t dcs_sm_blocks(const struct dcs_sm_device *d, uint64_t id, uint32_t sm)
{
    return tenant(d, id)->active[sm];
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
    static _Thread_local struct dcs_sm_state state;
    uint32_t of[DCS_SM_TOGETHER_MAX] = {0};
    find_state(d, id, &state, of);
    for (size_t k = 0; k < state.count; k++)
        if (d->tenants[of[k]].id == id)
            return dcs_sm_state_idle_blocks(&state, d->m, k);
    return 0;
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
