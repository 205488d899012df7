/*
 * smk.c - simultaneous multikernel: kernels share each SM (Z. Wang and others, "Simultaneous
 * multikernel GPU: multi-tasking throughput processors via fine-grained sharing", HPCA 2016; Wang,
 * thesis, chapter 2).
 *
 * WHICH BLOCKS (section 2.4.3). Dominant resource fairness: a kernel's share of an SM is the
 * largest of its shares of registers, shared memory, threads and places for blocks. With
 * `partition` (SMK-P) each SM is filled with a block of whoever has the smallest share there, again
 * and again; where a block of that one does not fit, the next gets one. Without, on demand: the
 * kernel with the smallest share of the device gets a block in the SM that is least used; where
 * that has no room, it takes the place of blocks of the kernel that has most in the fullest SM, as
 * long as the largest and the smallest share come closer. What room is left then goes to whoever
 * fits: the thesis does not say that, and it is kinder.
 *
 * HOW MANY KERNELS AN SM HOLDS (section 2.4.5): at most `kernels_per_sm`. Of more kernels each is
 * in as many SMs as the others.
 *
 * WARP QUOTAS (section 2.4.4, SMK-(P+W)). A kernel that has S of the T blocks that fit alone may
 * issue in proportion to S/T of what it issues alone. Who has used that up waits until all have. So
 * quotas are proportional to S/T of the work alone, whatever the instructions per cycle, which
 * cancel in the thesis' equation; only how often all begin anew depends on them. Here that is after
 * an epoch of work. Rates alone are known (the thesis measures them online, each kernel on one SM).
 * With "measured" S/T is replaced by what S blocks reach alone over what T do, for which the thesis
 * takes S/T as an estimate. Quotas are those of each SM, where a kernel waits for those that are
 * there, or with `quotas_of` "device" those of the device, where each waits for all.
 */
#include "policies/lib/blocks.h"

enum { NO_QUOTAS, LINEAR, MEASURED };

struct smk_options {
    bool partition;
    int warp_quotas, quotas_of;
    int64_t kernels_per_sm, epoch_ns;
};

struct smk {
    struct blocks blocks; /* first */
    const struct smk_options *options;
};

/* ---- Partitions ---- */

static void divide_by_partition(const struct smk *s, struct blocks_device *d)
{
    uint32_t most = (uint32_t)s->options->kernels_per_sm;
    for (uint32_t sm = 0; sm < d->sms; sm++) {
        bool who[BLOCKS_TOGETHER] = {false};
        uint32_t first = sm * d->count / d->sms;
        for (uint32_t i = 0; i < d->count; i++)
            who[(first + i) % d->count] = i < most;
        blocks_fill(d, sm, who, blocks_dominant);
    }
}

/* ---- On demand ---- */

/* A tenant's share of the device. */
static double share_of(const struct blocks_device *d, const struct blocks_tenant *t)
{
    double blocks = 0;
    for (uint32_t sm = 0; sm < d->sms; sm++)
        blocks += t->want[sm];
    return blocks_dominant(&t->block, blocks) / d->sms;
}

/* How much of an SM is used, a tenant left aside (NULL: none). */
static double use_of(const struct blocks_device *d, uint32_t sm,
                     const struct blocks_tenant *without)
{
    double most = 0;
    for (int x = 0; x < HOST_BLOCK_SHARES; x++) {
        double sum = 0;
        for (uint32_t i = 0; i < d->count; i++)
            if (&d->tenants[i] != without)
                sum += d->tenants[i].want[sm] * d->tenants[i].block.share[x];
        most = sum > most ? sum : most;
    }
    return most;
}

/* Whether an SM may hold a kernel of this tenant, too. */
static bool may_hold(const struct smk *s, const struct blocks_device *d, uint32_t sm,
                     const struct blocks_tenant *t)
{
    int64_t others = 0;
    for (uint32_t i = 0; i < d->count; i++)
        others += &d->tenants[i] != t && d->tenants[i].want[sm] > 0;
    return others < s->options->kernels_per_sm;
}

static double range_of_shares(const struct blocks_device *d)
{
    double least = 2, most = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        double share = share_of(d, &d->tenants[i]);
        least = share < least ? share : least;
        most = share > most ? share : most;
    }
    return most - least;
}

static struct blocks_tenant *smallest(struct blocks_device *d)
{
    struct blocks_tenant *found = &d->tenants[0];
    for (uint32_t i = 1; i < d->count; i++)
        if (share_of(d, &d->tenants[i]) < share_of(d, found))
            found = &d->tenants[i];
    return found;
}

/* A block of the tenant where the SM is least used; false: there is no room. */
static bool place(const struct smk *s, struct blocks_device *d, struct blocks_tenant *t)
{
    uint32_t best = d->sms;
    double use = 0;
    for (uint32_t sm = 0; sm < d->sms; sm++) {
        double u = use_of(d, sm, NULL);
        if ((best == d->sms || u < use) && blocks_has_room(d, sm, t) && may_hold(s, d, sm, t)) {
            best = sm;
            use = u;
        }
    }
    if (best == d->sms)
        return false;
    t->want[best]++;
    return true;
}

/* In the place of others, if that is fairer. */
static bool displace(const struct smk *s, struct blocks_device *d, struct blocks_tenant *t)
{
    uint32_t fullest = 0;
    for (uint32_t sm = 1; sm < d->sms; sm++)
        if (use_of(d, sm, t) > use_of(d, fullest, t))
            fullest = sm;
    struct blocks_tenant *victim = NULL;
    for (uint32_t i = 0; i < d->count; i++) {
        struct blocks_tenant *v = &d->tenants[i];
        if (v != t && v->want[fullest] > 0 &&
            (victim == NULL || blocks_dominant(&v->block, v->want[fullest]) >
                                   blocks_dominant(&victim->block, victim->want[fullest])))
            victim = v;
    }
    if (victim == NULL)
        return false;
    double before = range_of_shares(d);
    uint8_t kept = victim->want[fullest];
    while (victim->want[fullest] > 0 &&
           !(blocks_has_room(d, fullest, t) && may_hold(s, d, fullest, t)))
        victim->want[fullest]--;
    if (blocks_has_room(d, fullest, t) && may_hold(s, d, fullest, t)) {
        t->want[fullest]++;
        if (range_of_shares(d) < before)
            return true;
        t->want[fullest]--;
    }
    victim->want[fullest] = kept;
    return false;
}

static void divide_on_demand(const struct smk *s, struct blocks_device *d)
{
    for (uint32_t i = 0; i < d->count; i++)
        memcpy(d->tenants[i].want, d->tenants[i].have, sizeof d->tenants[i].want);
    for (;;) {
        struct blocks_tenant *t = smallest(d);
        if (!place(s, d, t) && !displace(s, d, t))
            break;
    }
    for (uint32_t i = 0; i < d->count; i++)
        while (place(s, d, &d->tenants[i]))
            ;
}

static void smk_divide(struct blocks *b, struct host *h, struct blocks_device *d)
{
    const struct smk *s = (const struct smk *)b;
    (void)h;
    if (s->options->partition)
        divide_by_partition(s, d);
    else
        divide_on_demand(s, d);
}

/* ---- Warp quotas ---- */

/* What a tenant reaches alone with so many blocks in each SM, over that with as many as fit. */
static double rate_alone(struct host *h, const struct blocks_device *d,
                         const struct blocks_tenant *t, uint32_t blocks)
{
    int64_t ns = host_predict(h, t->r, HOST_DURATION_NS, blocks_range(0, d->sms, blocks));
    return ns > 0 && ns != HOST_NEVER ? (double)t->alone_ns / (double)ns : 0;
}

static double warp_quota_ns(const struct smk *s, struct host *h, const struct blocks_device *d,
                            const struct blocks_tenant *t, uint32_t g)
{
    double rate[BLOCKS_PLACES + 1] = {0}, sum = 0;
    for (uint32_t sm = d->groups[g].first; sm < d->groups[g].first + d->groups[g].sms; sm++) {
        uint32_t blocks = t->want[sm];
        if (blocks > 0 && !(rate[blocks] > 0))
            rate[blocks] = s->options->warp_quotas == MEASURED ? rate_alone(h, d, t, blocks)
                                                               : (double)blocks / t->block.fits;
        sum += rate[blocks];
    }
    return (double)s->options->epoch_ns * sum / d->sms;
}

/* To all kernels of a group; one that has its SMs to itself gets none. */
static void give_quotas(struct smk *s, struct host *h, struct blocks_device *d, uint32_t g)
{
    uint32_t there = 0;
    for (uint32_t i = 0; i < d->count; i++)
        there += blocks_in(d, &d->tenants[i], g) > 0;
    do { /* less than 1 ns to each gives nobody anything at first */
        for (uint32_t i = 0; i < d->count; i++)
            blocks_quota(h, d, &d->tenants[i], g,
                         there > 1 ? warp_quota_ns(s, h, d, &d->tenants[i], g) : -1);
    } while (blocks_all_used(d, g));
}

/* all: to all groups; else to those that have used theirs. */
static void renew_quotas(struct smk *s, struct host *h, struct blocks_device *d, bool all)
{
    for (uint32_t g = 0; g < d->groups_count && s->options->warp_quotas != NO_QUOTAS; g++)
        if (all || blocks_all_used(d, g))
            give_quotas(s, h, d, g);
}

/* ---- Callbacks ---- */

static void smk_settled(struct blocks *b, struct host *h, struct blocks_device *d)
{
    renew_quotas((struct smk *)b, h, d, true);
}

static int smk_init(void *state, const void *params, struct host *h)
{
    struct smk *s = state;
    s->options = params;
    s->blocks.divide = smk_divide;
    s->blocks.settled = smk_settled;
    s->blocks.one_group = s->options->quotas_of == BLOCKS_OF_DEVICE;
    return blocks_init(&s->blocks, h, BLOCKS_TOGETHER);
}

static void smk_fini(void *state)
{
    blocks_release(state);
}

static void smk_on_ready(void *state, struct host *h, req_id r)
{
    blocks_on_ready(state, h, r);
}

static void smk_on_complete(void *state, struct host *h, req_id r, dev_id d, bool done)
{
    (void)d;
    (void)done;
    blocks_on_complete(state, h, r);
}

static void smk_on_gone(void *state, struct host *h, req_id r)
{
    (void)h;
    blocks_on_gone(state, r);
}

static void smk_on_timer(void *state, struct host *h, uint64_t cookie)
{
    struct smk *s = state;
    struct blocks_device *d = &s->blocks.devices[cookie & UINT32_MAX];
    /* The quota of a request that took the place of another may be used at once, of which nobody is
     * told. */
    if (blocks_on_timer(&s->blocks, h, cookie) == BLOCKS_SAME)
        renew_quotas(s, h, d, false);
}

static void smk_on_quota(void *state, struct host *h, req_id r, uint32_t first_sm)
{
    struct smk *s = state;
    struct blocks_device *d;
    struct blocks_tenant *t = blocks_find(&s->blocks, r, &d);
    uint32_t g = t != NULL ? blocks_used(h, d, t, first_sm) : BLOCKS_GROUPS;
    if (g < BLOCKS_GROUPS && blocks_all_used(d, g))
        give_quotas(s, h, d, g);
}

#define OPTION(member) .offset = offsetof(struct smk_options, member)

static const char *const quotas[] = {"none", "linear", "measured", NULL};

static const struct param smk_params[] = {
    {PARAM_BOOL, "partition", OPTION(partition), .number = 1,
     .help =
         "Each SM is divided between its kernels (SMK-P); else blocks are placed on demand (SMK)."},
    {PARAM_CHOICE, "warp_quotas", OPTION(warp_quotas), .choices = quotas, .number = LINEAR,
     .help =
         "Kernels issue in proportion to their blocks (linear: SMK-(P+W)), or to what these reach "
         "alone; none: SMK-P."},
    BLOCKS_PARAM_QUOTAS_OF(offsetof(struct smk_options, quotas_of)),
    {PARAM_INT, "kernels_per_sm", OPTION(kernels_per_sm), "kernels", 1, BLOCKS_TOGETHER, 2,
     .help = "How many kernels an SM holds at most (section 2.4.5: 2)."},
    {PARAM_TIME, "epoch_us", OPTION(epoch_ns), "us", 0.1, 1e6, 5.05,
     .help = "Work of a quota (section 2.5.1: 10000 cycles; 5.05 us at 1.98 GHz)."},
    {0},
};

const struct policy policy_smk;
const struct policy policy_smk = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "smk",
    .summary = "Kernels share each SM: by dominant resource fairness, with quotas of warps.",
    .source = "Wang, thesis, chapter 2; HPCA 2016",
    .needs = HOST_NEEDS_BLOCKS,
    .params = smk_params,
    .params_size = sizeof(struct smk_options),
    .state_size = sizeof(struct smk),
    .init = smk_init,
    .fini = smk_fini,
    .on_ready = smk_on_ready,
    .on_complete = smk_on_complete,
    .on_gone = smk_on_gone,
    .on_timer = smk_on_timer,
    .on_quota = smk_on_quota,
};
