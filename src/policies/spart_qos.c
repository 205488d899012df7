/*
 * spart_qos.c - goals by numbers of SMs, one kernel an SM (Aguilera and others, "QoS-aware dynamic
 * resource allocation for spatial-multitasking GPUs", ASP-DAC 2014; the rival Spart of Wang,
 * thesis, chapter 3: "hill climbing").
 *
 * A kernel of class latency has a goal: what it takes alone over its SLA. All begin with as many
 * SMs as the others. At the end of each epoch one SM moves: to the QoS kernel that is furthest
 * below its goal, from the non-QoS kernel with most SMs, or else from a QoS kernel that would keep
 * its goal with one less, by a rate in proportion to its SMs; and if none is below, from the QoS
 * kernel that would keep its goal so by most, to the non-QoS kernel with fewest. Below is judged by
 * the epoch, as the thesis' linear model does; a kernel that is below its goal over all its time is
 * below, too.
 */
#include "policies/lib/goals.h"

struct climb_options {
    int64_t epoch_ns;
};

struct climb {
    struct blocks blocks; /* first */
    struct goals goals;
    uint32_t (*sms)[BLOCKS_TOGETHER]; /* by device and tenant */
    uint64_t (*of)[BLOCKS_TOGETHER];  /* whose these are: application + 1 */
};

static void climb_divide(struct blocks *b, struct host *h, struct blocks_device *d)
{
    struct climb *c = (struct climb *)b;
    (void)h;
    bool same = true;
    for (uint32_t i = 0; i < BLOCKS_TOGETHER; i++)
        same = same && c->of[d->d][i] == (i < d->count ? d->tenants[i].app + (uint64_t)1 : 0);
    for (uint32_t i = 0; i < BLOCKS_TOGETHER && !same; i++) {
        c->of[d->d][i] = i < d->count ? d->tenants[i].app + (uint64_t)1 : 0;
        c->sms[d->d][i] = i < d->count ? d->sms / d->count + (i < d->sms % d->count) : 0;
    }
    blocks_side_by_side(d, c->sms[d->d]);
}

/* By how much a QoS kernel is below its goal, with `less` SMs fewer; below 0: it is above. */
static double shortfall(const struct climb *c, const struct host *h, const struct blocks_device *d,
                        uint32_t i, uint32_t less)
{
    const struct blocks_tenant *t = &d->tenants[i];
    uint32_t sms = c->sms[d->d][i];
    double keep = sms > less ? (double)(sms - less) / sms : 0;
    double epoch = goals_epoch_rate(&c->goals, h, d, t) * keep;
    double history = goals_history_rate(h, t);
    return t->goal - (history < epoch && less == 0 ? history : epoch);
}

/* Who gives an SM; d->count: nobody. */
static uint32_t giver(const struct climb *c, const struct host *h, const struct blocks_device *d,
                      uint32_t to)
{
    uint32_t found = d->count;
    for (uint32_t i = 0; i < d->count; i++)
        if (i != to && !d->tenants[i].qos && c->sms[d->d][i] > 1 &&
            (found == d->count || c->sms[d->d][i] > c->sms[d->d][found]))
            found = i;
    for (uint32_t i = 0; i < d->count && found == d->count; i++)
        if (i != to && d->tenants[i].qos && c->sms[d->d][i] > 1 && shortfall(c, h, d, i, 1) < 0)
            found = i;
    return found;
}

static void climb(struct climb *c, struct host *h, struct blocks_device *d)
{
    uint32_t to = d->count, from = d->count;
    for (uint32_t i = 0; i < d->count; i++)
        if (d->tenants[i].qos && shortfall(c, h, d, i, 0) > 0 &&
            (to == d->count || shortfall(c, h, d, i, 0) > shortfall(c, h, d, to, 0)))
            to = i;
    if (to < d->count) {
        from = giver(c, h, d, to);
    } else {
        for (uint32_t i = 0; i < d->count; i++)
            if (!d->tenants[i].qos && (to == d->count || c->sms[d->d][i] < c->sms[d->d][to]))
                to = i;
        for (uint32_t i = 0; i < d->count; i++)
            if (d->tenants[i].qos && c->sms[d->d][i] > 1 && shortfall(c, h, d, i, 1) < 0 &&
                (from == d->count || shortfall(c, h, d, i, 1) < shortfall(c, h, d, from, 1)))
                from = i;
    }
    if (to == d->count || from == d->count)
        return;
    c->sms[d->d][from]--;
    c->sms[d->d][to]++;
    blocks_settle(&c->blocks, h, d);
}

static int climb_init(void *state, const void *params, struct host *h)
{
    const struct climb_options *options = params;
    struct climb *c = state;
    uint32_t devices = host_devices(h);
    c->sms = calloc(devices, sizeof *c->sms);
    c->of = calloc(devices, sizeof *c->of);
    if (c->sms == NULL || c->of == NULL)
        abort();
    c->blocks.divide = climb_divide;
    goals_init(&c->goals, devices, options->epoch_ns);
    return blocks_init(&c->blocks, h, BLOCKS_TOGETHER);
}

static void climb_fini(void *state)
{
    struct climb *c = state;
    blocks_release(&c->blocks);
    free(c->goals.devices);
    free(c->sms);
    free(c->of);
}

static void climb_on_ready(void *state, struct host *h, req_id r)
{
    blocks_on_ready(state, h, r);
}

static void climb_on_complete(void *state, struct host *h, req_id r, dev_id d, bool done)
{
    (void)d;
    (void)done;
    blocks_on_complete(state, h, r);
}

static void climb_on_gone(void *state, struct host *h, req_id r)
{
    (void)h;
    blocks_on_gone(state, r);
}

static void climb_on_timer(void *state, struct host *h, uint64_t cookie)
{
    struct climb *c = state;
    enum blocks_timer timer = blocks_on_timer(&c->blocks, h, cookie);
    struct blocks_device *d = &c->blocks.devices[cookie & UINT32_MAX];
    bool complete = true;
    if (timer == BLOCKS_SAME)
        return;
    for (uint32_t i = 0; i < d->count; i++)
        complete = complete && d->tenants[i].r != 0;
    if (timer == BLOCKS_OTHER) {
        c->goals.devices[d->d].timer = 0;
        if (complete && d->count > 1)
            climb(c, h, d);
    }
    goals_begin(&c->goals, h, d);
}

#define OPTION(member) .offset = offsetof(struct climb_options, member)

static const struct param climb_params[] = {
    {PARAM_TIME, "epoch_us", OPTION(epoch_ns), "us", 0.1, 1e6, 5.05,
     .help = "Between two moves of an SM (10000 cycles at 1.98 GHz, as qos-quota)."},
    {0},
};

const struct policy policy_spart_qos;
const struct policy policy_spart_qos = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "spart-qos",
    .summary = "Kernels get SMs one by one until they keep their goals.",
    .source = "Aguilera and others, ASP-DAC 2014; Wang, thesis, chapter 3",
    .needs = HOST_NEEDS_BLOCKS,
    .params = climb_params,
    .params_size = sizeof(struct climb_options),
    .state_size = sizeof(struct climb),
    .init = climb_init,
    .fini = climb_fini,
    .on_ready = climb_on_ready,
    .on_complete = climb_on_complete,
    .on_gone = climb_on_gone,
    .on_timer = climb_on_timer,
};
