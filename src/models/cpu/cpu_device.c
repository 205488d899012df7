/* cpu_device.c - see cpu_device.h. */
#include "models/cpu/cpu_device.h"

#include <stdlib.h>
#include <string.h>

struct program {
    uint64_t id;
    const struct dcs_cpu_app *app;
    struct dcs_cpu_share share; /* of its group, if it has one */
    double work_ns;             /* alone with everything */
    double left;                /* share of the work, at since_ns */
    double rate;                /* work per ns; 0: it stands still */
    double instructions;        /* at since_ns */
    int64_t since_ns;           /* the last change of its rate */
    int64_t stopped_until_ns;   /* by a change of its share */
    int64_t end_ns;
};

struct claim {
    uint64_t id;
    struct dcs_cpu_share share;
};

struct dcs_cpu_device {
    const struct dcs_cpu *cpu;
    int64_t window_ns;
    struct program programs[DCS_CPU_TOGETHER_MAX]; /* ascending by id */
    uint32_t count;
    struct claim claims[DCS_CPU_TOGETHER_MAX]; /* ascending by id */
    uint32_t claims_count;
    int64_t next_ns;

    /* Rates of the accounts since at_ns. */
    int64_t at_ns;
    double core_rate, working, slowed, stopped_share;
    double overhead_ns;
    struct dcs_gpu_usage usage;
};

struct dcs_cpu_device *dcs_cpu_device_create(const struct dcs_cpu *cpu, int64_t window_ns)
{
    struct dcs_cpu_device *d = dcs_alloc(1, sizeof *d);
    d->cpu = cpu;
    d->window_ns = window_ns;
    d->next_ns = DCS_NEVER;
    return d;
}

size_t dcs_cpu_device_bytes(void)
{
    return sizeof(struct dcs_cpu_device);
}

void dcs_cpu_device_destroy(struct dcs_cpu_device *d)
{
    free(d);
}

/* ---- Claims ---- */

static uint32_t claim_at(const struct dcs_cpu_device *d, uint64_t id)
{
    uint32_t i = 0;
    while (i < d->claims_count && d->claims[i].id < id)
        i++;
    return i;
}

static bool has_claim(const struct dcs_cpu_device *d, uint32_t i, uint64_t id)
{
    return i < d->claims_count && d->claims[i].id == id;
}

/* What the claims take, without that of one request and without one group; each group counts
 * once, with its first member. */
static struct dcs_cpu_share claimed_beside(const struct dcs_cpu_device *d, uint64_t id,
                                           uint32_t group)
{
    struct dcs_cpu_share sum = {0};
    for (uint32_t i = 0; i < d->claims_count; i++) {
        const struct claim *c = &d->claims[i];
        bool counts = c->id != id && (c->share.group == 0 || c->share.group != group);
        for (uint32_t k = 0; k < i && c->share.group != 0; k++)
            counts =
                counts && (d->claims[k].share.group != c->share.group || d->claims[k].id == id);
        if (!counts)
            continue;
        sum.cores += c->share.cores;
        sum.ways += c->share.ways;
    }
    return sum;
}

const char *dcs_cpu_refuses(const struct dcs_cpu_device *d, uint64_t id, struct dcs_cpu_share share)
{
    bool still = share.cores == 0 && share.ways == 0;
    if (still ? share.group == 0 : share.cores == 0 || share.ways == 0)
        return "an allotment has at least one core and one way (a group may have none of both)";
    if (share.cores > d->cpu->cores || share.ways > d->cpu->ways)
        return "the allotment has more cores or ways than the CPU";
    if (!has_claim(d, claim_at(d, id), id) && d->claims_count == DCS_CPU_TOGETHER_MAX)
        return "no more requests can run together";
    struct dcs_cpu_share others = claimed_beside(d, id, share.group);
    if (others.cores + share.cores > d->cpu->cores)
        return "the allotments that run leave fewer cores";
    if (others.ways + share.ways > d->cpu->ways)
        return "the allotments that run leave fewer ways";
    return NULL;
}

void dcs_cpu_claim(struct dcs_cpu_device *d, uint64_t id, struct dcs_cpu_share share)
{
    DCS_ASSERT(id > 0 && dcs_cpu_refuses(d, id, share) == NULL);
    uint32_t at = claim_at(d, id);
    if (!has_claim(d, at, id)) {
        memmove(&d->claims[at + 1], &d->claims[at], (d->claims_count - at) * sizeof *d->claims);
        d->claims_count++;
    }
    d->claims[at] = (struct claim){.id = id, .share = share};
    for (uint32_t i = 0; i < d->claims_count && share.group != 0; i++)
        if (d->claims[i].share.group == share.group)
            d->claims[i].share = share;
}

void dcs_cpu_unclaim(struct dcs_cpu_device *d, uint64_t id)
{
    uint32_t at = claim_at(d, id);
    DCS_ASSERT(has_claim(d, at, id));
    memmove(&d->claims[at], &d->claims[at + 1], (--d->claims_count - at) * sizeof *d->claims);
}

uint32_t dcs_cpu_claims(const struct dcs_cpu_device *d)
{
    return d->claims_count;
}

uint64_t dcs_cpu_first_claim(const struct dcs_cpu_device *d)
{
    return d->claims_count > 0 ? d->claims[0].id : 0;
}

struct dcs_cpu_share dcs_cpu_claimed(const struct dcs_cpu_device *d)
{
    return claimed_beside(d, 0, 0);
}

/* ---- Progress ---- */

static uint32_t position(const struct dcs_cpu_device *d, uint64_t id)
{
    uint32_t i = 0;
    while (i < d->count && d->programs[i].id < id)
        i++;
    return i;
}

static const struct program *find_program(const struct dcs_cpu_device *d, uint64_t id)
{
    uint32_t i = position(d, id);
    DCS_ASSERT(i < d->count && d->programs[i].id == id);
    return &d->programs[i];
}

static double left_at(const struct program *p, int64_t now_ns)
{
    double left = p->left - (double)(now_ns - p->since_ns) * p->rate / p->work_ns;
    return left > 0 ? left : 0;
}

static double instructions_at(const struct dcs_cpu_device *d, const struct program *p,
                              int64_t now_ns)
{
    double per_ns = p->rate * p->app->ipc * d->cpu->clock_ghz;
    return p->instructions + (double)(now_ns - p->since_ns) * per_ns;
}

/* Work goes on at another rate from now on. */
static void set_rate(struct dcs_cpu_device *d, struct program *p, int64_t now_ns, double rate)
{
    if (rate == p->rate && p->end_ns != 0)
        return;
    p->left = left_at(p, now_ns);
    p->instructions = instructions_at(d, p, now_ns);
    p->since_ns = now_ns;
    p->rate = rate;
    p->end_ns = DCS_NEVER;
    if (!(rate > 0))
        return;
    double time = p->left * p->work_ns / rate;
    int64_t whole = time < (double)DCS_TIME_MAX ? (int64_t)(time + 0.5) : DCS_TIME_MAX;
    p->end_ns = dcs_add_times(now_ns, whole > 1 ? whole : 1);
}

/* The programs of a group, or one by itself, take their parts of its share: which of all that run
 * they are is in `of`. Those that are stopped keep theirs. */
static uint32_t divide(const struct dcs_cpu_device *d, uint32_t first, struct dcs_cpu_runner *set,
                       uint32_t *of)
{
    const struct program *p = &d->programs[first];
    uint32_t n = 0;
    for (uint32_t i = first; i < d->count; i++)
        if (i == first || (p->share.group != 0 && d->programs[i].share.group == p->share.group)) {
            set[n] = (struct dcs_cpu_runner){.app = d->programs[i].app};
            of[n++] = i;
        }
    dcs_cpu_divide(d->cpu, p->share.cores, p->share.ways, set, n);
    return n;
}

static bool is_first_of_group(const struct dcs_cpu_device *d, uint32_t i)
{
    for (uint32_t k = 0; k < i && d->programs[i].share.group != 0; k++)
        if (d->programs[k].share.group == d->programs[i].share.group)
            return false;
    return true;
}

/* Sets every rate as things are now, and what comes next. */
static void set_rates(struct dcs_cpu_device *d, int64_t now_ns)
{
    struct dcs_cpu_runner parts[DCS_CPU_TOGETHER_MAX], work[DCS_CPU_TOGETHER_MAX];
    uint32_t of[DCS_CPU_TOGETHER_MAX], n = 0, stopped = 0;
    struct dcs_cpu_runner group[DCS_CPU_TOGETHER_MAX];
    struct dcs_cpu_share sum = {0};
    for (uint32_t i = 0; i < d->count; i++)
        parts[i] = (struct dcs_cpu_runner){0};
    for (uint32_t i = 0; i < d->count; i++) {
        if (!is_first_of_group(d, i))
            continue;
        sum.cores += d->programs[i].share.cores;
        sum.ways += d->programs[i].share.ways;
        if (d->programs[i].share.cores == 0)
            continue;
        uint32_t members = divide(d, i, group, of);
        for (uint32_t k = 0; k < members; k++)
            parts[of[k]] = group[k];
    }
    DCS_ASSERT(sum.cores <= d->cpu->cores && sum.ways <= d->cpu->ways);
    d->core_rate = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        const struct program *p = &d->programs[i];
        stopped += p->stopped_until_ns > now_ns;
        if (p->share.cores == 0 || p->stopped_until_ns > now_ns)
            continue;
        d->core_rate += parts[i].cores;
        work[n++] = parts[i];
    }
    double latency = n > 0 ? dcs_cpu_latency(d->cpu, work, n) : 1;
    d->working = n;
    d->slowed = 0;
    d->stopped_share = d->count > 0 ? (double)stopped / d->count : 0;
    d->next_ns = DCS_NEVER;
    for (uint32_t i = 0; i < d->count; i++) {
        struct program *p = &d->programs[i];
        bool works = p->share.cores > 0 && p->stopped_until_ns <= now_ns;
        double rate = 0;
        if (works) {
            rate = dcs_cpu_rate(d->cpu, p->app, parts[i].cores, parts[i].ways, latency);
            if (latency > 1)
                d->slowed +=
                    1 - rate / dcs_cpu_rate(d->cpu, p->app, parts[i].cores, parts[i].ways, 1);
        }
        set_rate(d, p, now_ns, rate);
        int64_t next = p->stopped_until_ns > now_ns ? p->stopped_until_ns : p->end_ns;
        d->next_ns = next < d->next_ns ? next : d->next_ns;
    }
}

/* Keeps the accounts up to now_ns. To be called before anything changes. */
static void book(struct dcs_cpu_device *d, int64_t now_ns)
{
    int64_t from = d->at_ns > d->window_ns ? d->at_ns : d->window_ns;
    DCS_ASSERT(now_ns >= d->at_ns);
    d->at_ns = now_ns;
    if (now_ns <= from || d->count == 0)
        return;
    double ns = (double)(now_ns - from);
    d->usage.time.busy_ns += now_ns - from;
    d->overhead_ns += ns * d->stopped_share;
    d->usage.sm_ns += ns * d->core_rate;
    d->usage.kernel_ns += ns * d->working;
    d->usage.slowed_ns += ns * d->slowed;
}

/* ---- What happens ---- */

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The program gets another share: what that costs it begins now. */
static void change(struct dcs_cpu_device *d, struct program *p, int64_t now_ns,
                   struct dcs_cpu_share share)
{
    const struct dcs_cpu *cpu = d->cpu;
    struct dcs_cpu_share old = p->share;
    p->share = share;
    if (old.cores == share.cores && old.ways == share.ways)
        return;
    uint32_t moved = old.cores > share.cores ? old.cores - share.cores : share.cores - old.cores;
    uint32_t gained = share.ways > old.ways ? share.ways - old.ways : 0;
    double part = (double)moved / larger(old.cores, share.cores);
    double ns = cpu->switch_ns + cpu->warm_ns * part + gained * cpu->way_bytes / cpu->bandwidth;
    if (share.cores == 0)
        return;
    int64_t until = now_ns + (int64_t)(ns + 0.5);
    if (until > p->stopped_until_ns)
        p->stopped_until_ns = until;
}

/* The whole group gets the share of a member. */
static void change_group(struct dcs_cpu_device *d, int64_t now_ns, struct dcs_cpu_share share)
{
    for (uint32_t i = 0; i < d->count && share.group != 0; i++)
        if (d->programs[i].share.group == share.group)
            change(d, &d->programs[i], now_ns, share);
}

void dcs_cpu_start(struct dcs_cpu_device *d, int64_t now_ns, const struct dcs_cpu_launch *l)
{
    DCS_ASSERT(l->work_ns >= 1 && d->count < DCS_CPU_TOGETHER_MAX);
    DCS_ASSERT(has_claim(d, claim_at(d, l->id), l->id));
    DCS_ASSERT(l->app == UINT32_MAX || l->app < d->cpu->apps_count);
    book(d, now_ns);
    change_group(d, now_ns, l->share);
    uint32_t at = position(d, l->id);
    DCS_ASSERT(at == d->count || d->programs[at].id != l->id);
    memmove(&d->programs[at + 1], &d->programs[at], (d->count - at) * sizeof *d->programs);
    d->count++;
    d->programs[at] = (struct program){
        .id = l->id,
        .app = l->app == UINT32_MAX ? &d->cpu->plain : &d->cpu->apps[l->app],
        .share = l->share,
        .work_ns = (double)l->work_ns,
        .left = 1,
        .since_ns = now_ns,
    };
    set_rates(d, now_ns);
}

void dcs_cpu_resize(struct dcs_cpu_device *d, int64_t now_ns, uint64_t id,
                    struct dcs_cpu_share share)
{
    uint32_t at = position(d, id);
    DCS_ASSERT(at < d->count && d->programs[at].id == id);
    struct dcs_cpu_share now = d->programs[at].share;
    if (now.cores == share.cores && now.ways == share.ways && now.group == share.group)
        return;
    book(d, now_ns);
    change_group(d, now_ns, share);
    change(d, &d->programs[at], now_ns, share);
    set_rates(d, now_ns);
}

int64_t dcs_cpu_next_ns(const struct dcs_cpu_device *d)
{
    return d->next_ns;
}

uint32_t dcs_cpu_advance(struct dcs_cpu_device *d, int64_t now_ns, uint64_t *ended)
{
    uint32_t n = 0, kept = 0;
    DCS_ASSERT(now_ns == d->next_ns);
    book(d, now_ns);
    for (uint32_t i = 0; i < d->count; i++) {
        const struct program *p = &d->programs[i];
        if (p->end_ns <= now_ns) {
            dcs_cpu_unclaim(d, p->id);
            ended[n++] = p->id;
        } else {
            d->programs[kept++] = *p;
        }
    }
    d->count = kept;
    set_rates(d, now_ns);
    return n;
}

uint32_t dcs_cpu_running(const struct dcs_cpu_device *d)
{
    return d->count;
}

uint64_t dcs_cpu_nth(const struct dcs_cpu_device *d, uint32_t n)
{
    DCS_ASSERT(n < d->count);
    return d->programs[n].id;
}

double dcs_cpu_instructions(const struct dcs_cpu_device *d, int64_t now_ns, uint64_t id)
{
    return instructions_at(d, find_program(d, id), now_ns);
}

double dcs_cpu_left(const struct dcs_cpu_device *d, int64_t now_ns, uint64_t id)
{
    return left_at(find_program(d, id), now_ns);
}

void dcs_cpu_scale_left(struct dcs_cpu_device *d, int64_t now_ns, uint64_t id, double factor)
{
    uint32_t at = position(d, id);
    DCS_ASSERT(at < d->count && d->programs[at].id == id && factor > 0);
    struct program *p = &d->programs[at];
    book(d, now_ns);
    p->instructions = instructions_at(d, p, now_ns);
    p->left = left_at(p, now_ns) * factor;
    p->since_ns = now_ns;
    p->end_ns = 0; /* to be worked out again */
    set_rates(d, now_ns);
}

void dcs_cpu_device_close(struct dcs_cpu_device *d, int64_t now_ns)
{
    book(d, now_ns);
    struct dcs_usage *u = &d->usage.time;
    u->overhead_ns = (int64_t)(d->overhead_ns + 0.5);
    if (u->overhead_ns > u->busy_ns)
        u->overhead_ns = u->busy_ns;
    u->useful_ns = u->busy_ns - u->overhead_ns;
}

const struct dcs_gpu_usage *dcs_cpu_usage(const struct dcs_cpu_device *d)
{
    return &d->usage;
}
