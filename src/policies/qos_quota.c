/*
 * qos_quota.c - quotas of instructions that keep kernels at goals inside SMs (Z. Wang and others,
 * "Quality of service support for fine-grained sharing on GPUs", ISCA 2017; Wang, thesis, chapter
 * 3).
 *
 * A kernel of class latency has a goal: what it takes alone over its SLA. All others are non-QoS.
 *
 * QUOTAS (section 3.4.4). Each epoch a kernel may do so much work, in ns alone:
 *
 *   quota = alpha * goal * epoch          (equation 3-1; alpha = max(goal / history, 1),
 * section 3.4.4.2)
 *
 * With a `target` below 1 the goal is higher by its inverse. A kernel does an epoch's work at the
 * epoch's beginning, so of the requests of one that keeps its goal exactly some end a part of an
 * epoch after their SLA.
 *
 * naive: alpha is 1, and what was not used is lost. history: alpha as above. elastic: the next
 * epoch begins as soon as all have used theirs. rollover: what a QoS kernel has not used is added
 * to its next quota. rollover_time: likewise, but others run only when all QoS kernels have used
 * theirs. In all but elastic and rollover_time non-QoS kernels get their quota once more when all
 * have used theirs before the epoch ends, and QoS kernels none.
 *
 * Quotas are dealt out to SMs in proportion to blocks, and refilled in an SM when all there have
 * used theirs, or with `quotas_of` "device" when all on the device have. An elastic epoch that is
 * over in some SMs gives these the same quotas once more; when it has been over in all, it is over.
 * Where somebody comes or goes an epoch begins, and of what is left of the last one only what was
 * for the time that has passed goes into it. With QoS kernels alone there are no quotas.
 *
 * A NON-QOS KERNEL (section 3.4.5) has the goal
 *
 *   epoch rate * product over QoS kernels of (epoch rate / (alpha * goal))
 *
 * and at first, as at least, a hundredth of its rate alone ("a very small value"). A QoS kernel
 * that stops at its quota never has a higher epoch rate than the goal, and the printed product
 * never exceeds 1. With `rate_until` "quota" its rate is that until it had used its quota, so that
 * what it could have done counts.
 *
 * BLOCKS (section 3.4.6). QoS kernels are on all SMs, each non-QoS kernel on as many as the others,
 * and kernels of an SM have as many threads as their blocks allow. With `adjust` (algorithm 3-1) a
 * QoS kernel below its goal that has fewer than two idle blocks gets one more in each SM at the
 * beginning of an epoch, where need be in place of blocks of a kernel that is non-QoS, has more
 * idle blocks than it loses, or is so far above its goal that it keeps it. Not so where it used its
 * quota in the last epoch: what it lacks of its goal is then of the time before, and blocks that
 * the printed algorithm takes from others for that never come back.
 */
#include "policies/lib/goals.h"

enum { NAIVE, HISTORY, ELASTIC, ROLLOVER, ROLLOVER_TIME };
enum { UNTIL_EPOCH, UNTIL_QUOTA };

#define LEAST 0.01 /* of the rate alone: goal of a non-QoS kernel at first, and at least */

struct quota_options {
    int scheme, rate_until, quotas_of;
    double target;
    bool adjust;
    int64_t epoch_ns;
};

struct quota {
    struct blocks blocks; /* first */
    struct goals goals;
    const struct quota_options *options;
};

/* ---- Blocks ---- */

static double threads_of(const struct host_block *block, double blocks)
{
    return blocks * block->threads;
}

static void quota_divide(struct blocks *b, struct host *h, struct blocks_device *d)
{
    uint32_t others = 0;
    (void)b;
    (void)h;
    for (uint32_t i = 0; i < d->count; i++)
        others += !d->tenants[i].qos;
    for (uint32_t sm = 0; sm < d->sms; sm++) {
        bool who[BLOCKS_TOGETHER] = {false};
        uint32_t n = 0, here = others > 0 ? sm * others / d->sms : 0;
        for (uint32_t i = 0; i < d->count; i++)
            who[i] = d->tenants[i].qos || n++ == here;
        blocks_fill(d, sm, who, threads_of);
    }
}

/* Whether v may lose n of its blocks in an SM (algorithm 3-1, line 10). */
static bool may_lose(const struct host *h, const struct blocks_tenant *v, uint32_t sm, uint32_t n)
{
    if (v->want[sm] < n)
        return false;
    double rest = 1 - (double)n / v->want[sm];
    return !v->qos || host_idle_blocks(h, v->r) >= n + 1 ||
           goals_history_rate(h, v) * rest > v->goal;
}

/* One more block of t in an SM, if need be in place of others'. */
static bool add_block(const struct host *h, struct blocks_device *d, uint32_t sm,
                      struct blocks_tenant *t)
{
    if (blocks_has_room(d, sm, t)) {
        t->want[sm]++;
        return true;
    }
    for (uint32_t i = 0; i < d->count; i++) {
        struct blocks_tenant *v = &d->tenants[i];
        uint8_t had = v->want[sm];
        if (v == t)
            continue;
        while (v->want[sm] > 0 && !blocks_has_room(d, sm, t))
            v->want[sm]--;
        uint32_t n = (uint32_t)(had - v->want[sm]);
        bool fits = blocks_has_room(d, sm, t);
        v->want[sm] = had;
        if (!fits || !may_lose(h, v, sm, n))
            continue;
        v->want[sm] = (uint8_t)(had - n);
        t->want[sm]++;
        return true;
    }
    return false;
}

/* Whether it had used its quota in all SMs. */
static bool has_used_all(const struct blocks_device *d, const struct blocks_tenant *t)
{
    for (uint32_t g = 0; g < d->groups_count; g++)
        if (!t->in[g].used && blocks_in(d, t, g) > 0)
            return false;
    return true;
}

static void adjust(struct host *h, struct blocks_device *d)
{
    for (uint32_t i = 0; i < d->count; i++) {
        struct blocks_tenant *t = &d->tenants[i];
        bool changed = false;
        if (!t->qos || t->r == 0 || has_used_all(d, t) || !goals_is_behind(h, t) ||
            host_idle_blocks(h, t->r) >= 2)
            continue;
        for (uint32_t sm = 0; sm < d->sms; sm++)
            changed = add_block(h, d, sm, t) || changed;
        if (!changed)
            continue;
        for (uint32_t k = 0; k < d->count; k++)
            if (d->tenants[k].r != 0)
                blocks_move(h, d, &d->tenants[k], true);
        for (uint32_t k = 0; k < d->count; k++)
            if (d->tenants[k].r != 0)
                blocks_move(h, d, &d->tenants[k], false);
        return; /* one preemption at a time */
    }
}

/* ---- Quotas ---- */

static double alpha_of(const struct quota *q, const struct host *h, const struct blocks_tenant *t)
{
    double history = goals_history_rate(h, t);
    if (q->options->scheme == NAIVE || !(history > 0) || history >= t->goal)
        return 1;
    return t->goal / history;
}

static bool all_qos_used(const struct blocks_device *d, uint32_t g)
{
    for (uint32_t i = 0; i < d->count; i++)
        if (d->tenants[i].qos && !d->tenants[i].in[g].used && blocks_in(d, &d->tenants[i], g) > 0)
            return false;
    return true;
}

static bool has(const struct blocks_device *d, bool qos)
{
    for (uint32_t i = 0; i < d->count; i++)
        if (d->tenants[i].qos == qos)
            return true;
    return false;
}

static double rate_of(const struct quota *q, const struct host *h, const struct blocks_device *d,
                      const struct blocks_tenant *t)
{
    double ns = goals_epoch_age(&q->goals, h, d), sum = 0;
    for (uint32_t g = 0; g < d->groups_count; g++) {
        const struct blocks_quota *in = &t->in[g];
        if (q->options->rate_until == UNTIL_EPOCH || !in->bounded || !(ns > 0))
            return goals_epoch_rate(&q->goals, h, d, t);
        sum += in->used && in->pace > 0 ? in->pace : (in->given_ns - in->left_ns) / ns;
    }
    return sum;
}

/* What a kernel that has no goal may do in an epoch, given how the last one went. */
static double other_quota_ns(const struct quota *q, const struct host *h,
                             const struct blocks_device *d, const struct blocks_tenant *t)
{
    double goal = goals_epoch_rate(&q->goals, h, d, t);
    for (uint32_t i = 0; i < d->count; i++) {
        const struct blocks_tenant *k = &d->tenants[i];
        if (k->qos)
            goal *= rate_of(q, h, d, k) / (alpha_of(q, h, k) * k->goal);
    }
    return (goal > LEAST ? goal : LEAST) * (double)q->options->epoch_ns;
}

/* What a kernel may do in an epoch that begins. */
static double epoch_quota_ns(const struct quota *q, const struct host *h,
                             const struct blocks_device *d, const struct blocks_tenant *t)
{
    if (t->qos)
        return alpha_of(q, h, t) * t->goal * (double)q->options->epoch_ns;
    return q->options->scheme == ROLLOVER_TIME ? 0 : other_quota_ns(q, h, d, t);
}

/* Its quotas in all groups, of so much in all; below 0: none. passed: how much of the last epoch.
 */
static void deal_out(const struct quota *q, struct host *h, struct blocks_device *d,
                     struct blocks_tenant *t, double quota_ns, double passed)
{
    uint32_t all = 0;
    for (uint32_t g = 0; g < d->groups_count; g++)
        all += blocks_in(d, t, g);
    for (uint32_t g = 0; g < d->groups_count; g++) {
        double share = all > 0 ? (double)blocks_in(d, t, g) / all : 0;
        double left = t->qos && q->options->scheme >= ROLLOVER
                          ? t->in[g].left_ns - (1 - passed) * t->in[g].quota_ns
                          : 0;
        blocks_quota(h, d, t, g, quota_ns < 0 ? -1 : quota_ns * share + (left > 0 ? left : 0));
    }
}

/* A new epoch: every kernel gets its quota. */
static void begin_epoch(struct quota *q, struct host *h, struct blocks_device *d)
{
    bool alone = !has(d, true) || !has(d, false);
    double quota_ns[BLOCKS_TOGETHER] = {0};
    double passed = goals_epoch_age(&q->goals, h, d) / (double)q->options->epoch_ns;
    for (uint32_t i = 0; i < d->count; i++)
        blocks_look(h, d, &d->tenants[i]);
    for (uint32_t i = 0; i < d->count; i++)
        quota_ns[i] = alone ? -1 : epoch_quota_ns(q, h, d, &d->tenants[i]);
    if (q->options->adjust && !alone)
        adjust(h, d);
    goals_begin(&q->goals, h, d);
    for (uint32_t i = 0; i < d->count; i++)
        deal_out(q, h, d, &d->tenants[i], quota_ns[i], passed < 1 ? passed : 1);
}

/* Somebody has used a quota up in a group. */
static void quota_used(struct quota *q, struct host *h, struct blocks_device *d, uint32_t g)
{
    int scheme = q->options->scheme;
    if (scheme == ROLLOVER_TIME ? !all_qos_used(d, g) : !blocks_all_used(d, g))
        return;
    if (scheme == ELASTIC && goals_group_over(&q->goals, d, g)) {
        begin_epoch(q, h, d);
        return;
    }
    for (uint32_t i = 0; i < d->count; i++) {
        struct blocks_tenant *t = &d->tenants[i];
        double given_ns = t->in[g].given_ns;
        if (t->qos && scheme != ELASTIC)
            continue;
        blocks_quota(h, d, t, g, scheme == ROLLOVER_TIME ? -1 : t->in[g].quota_ns);
        t->in[g].given_ns += t->qos ? given_ns : 0; /* the epoch goes on */
    }
}

/* How fast it was in a group in this epoch until it had used its quota there. */
static void keep_pace(const struct quota *q, const struct host *h, const struct blocks_device *d,
                      struct blocks_tenant *t, uint32_t g)
{
    double ns = goals_epoch_age(&q->goals, h, d);
    if (t->in[g].used && !(t->in[g].pace > 0) && ns > 0)
        t->in[g].pace = t->in[g].given_ns / ns;
}

/* ---- Callbacks ---- */

static void quota_settled(struct blocks *b, struct host *h, struct blocks_device *d)
{
    begin_epoch((struct quota *)b, h, d);
}

static int quota_init(void *state, const void *params, struct host *h)
{
    struct quota *q = state;
    q->options = params;
    q->blocks.divide = quota_divide;
    goals_init(&q->goals, host_devices(h), q->options->epoch_ns);
    q->blocks.settled = quota_settled;
    q->blocks.one_group = q->options->quotas_of == BLOCKS_OF_DEVICE;
    int failed = blocks_init(&q->blocks, h, BLOCKS_TOGETHER);
    q->blocks.target = q->options->target;
    return failed;
}

static void quota_fini(void *state)
{
    struct quota *q = state;
    blocks_release(&q->blocks);
    free(q->goals.devices);
}

static void quota_on_ready(void *state, struct host *h, req_id r)
{
    blocks_on_ready(state, h, r);
}

static void quota_on_complete(void *state, struct host *h, req_id r, dev_id d, bool done)
{
    (void)d;
    (void)done;
    blocks_on_complete(state, h, r);
}

static void quota_on_gone(void *state, struct host *h, req_id r)
{
    (void)h;
    blocks_on_gone(state, r);
}

static void quota_on_timer(void *state, struct host *h, uint64_t cookie)
{
    struct quota *q = state;
    enum blocks_timer timer = blocks_on_timer(&q->blocks, h, cookie);
    struct blocks_device *d = &q->blocks.devices[cookie & UINT32_MAX];
    if (timer == BLOCKS_SAME) {
        for (uint32_t g = 0; g < d->groups_count; g++) {
            for (uint32_t i = 0; i < d->count; i++)
                keep_pace(q, h, d, &d->tenants[i], g);
            quota_used(q, h, d, g);
        }
        return;
    }
    if (timer == BLOCKS_OTHER) {
        q->goals.devices[d->d].timer = 0;
        begin_epoch(q, h, d);
    }
    if (d->count == 0)
        goals_begin(&q->goals, h, d); /* nobody is there: no more epochs */
}

static void quota_on_quota(void *state, struct host *h, req_id r, uint32_t first_sm)
{
    struct quota *q = state;
    struct blocks_device *d;
    struct blocks_tenant *t = blocks_find(&q->blocks, r, &d);
    uint32_t g = t != NULL ? blocks_used(h, d, t, first_sm) : BLOCKS_GROUPS;
    if (g == BLOCKS_GROUPS)
        return;
    keep_pace(q, h, d, t, g);
    quota_used(q, h, d, g);
}

#define OPTION(member) .offset = offsetof(struct quota_options, member)

static const char *const schemes[] = {"naive",    "history",       "elastic",
                                      "rollover", "rollover_time", NULL};
static const char *const untils[] = {"epoch", "quota", NULL};

static const struct param quota_params[] = {
    {PARAM_CHOICE, "scheme", OPTION(scheme), .choices = schemes, .number = ROLLOVER,
     .help = "What becomes of quotas at the end of an epoch, and when all have used theirs."},
    {PARAM_CHOICE, "rate_until", OPTION(rate_until), .choices = untils,
     .help =
         "What a QoS kernel's rate in an epoch is, by which others get more or less (section "
         "3.4.5): that until the end of the epoch, as printed, or until it had used its quota."},
    BLOCKS_PARAM_QUOTAS_OF(offsetof(struct quota_options, quotas_of)),
    {PARAM_REAL, "target", OPTION(target), .low = 0.01, .high = 1, .number = 1,
     .help = "Share of its SLA in which a QoS kernel is to be done."},
    {PARAM_BOOL, "adjust", OPTION(adjust), .number = 1,
     .help = "Kernels below their goals get more blocks (algorithm 3-1)."},
    {PARAM_TIME, "epoch_us", OPTION(epoch_ns), "us", 0.1, 1e6, 5.05,
     .help = "An epoch (section 3.5.1: 10000 cycles; 5.05 us at 1.98 GHz)."},
    {0},
};

const struct policy policy_qos_quota;
const struct policy policy_qos_quota = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "qos-quota",
    .summary = "Quotas of instructions keep kernels at their goals inside SMs.",
    .source = "Wang, thesis, chapter 3; ISCA 2017",
    .needs = HOST_NEEDS_BLOCKS,
    .params = quota_params,
    .params_size = sizeof(struct quota_options),
    .state_size = sizeof(struct quota),
    .init = quota_init,
    .fini = quota_fini,
    .on_ready = quota_on_ready,
    .on_complete = quota_on_complete,
    .on_gone = quota_on_gone,
    .on_timer = quota_on_timer,
    .on_quota = quota_on_quota,
};
