/*
 * cap.c - CAP, co-scheduling based on asymptotic profiling (Wang, thesis, section 4.4, algorithm
 * 4-2): steps that double, each divided by the speeds of the one before, until the shares settle or
 * too little is left; then the rest in one step.
 *
 *   line 7   variance of this division and the last one. Of two values a and b that is
 *            (a - b)^2 / 2, the sample variance: the threshold of 5 * 10^-5 that section 4.6 prints
 *            is then a change of exactly 1 % of the iterations. With the population variance it
 *            would be 1.4 %. Of several devices the largest counts. The first division is that of
 *            gpu_share.
 *   line 8   "s * 4 is larger than what is left", s being the last step: the next step, 2 s, would
 *            take more than half of the rest.
 *   not said  what to do while a device has had no chunk, its share of the steps being below a
 *            block. Nothing says then that the division has settled: steps go on doubling.
 *
 * Reason that it gives beside those of divider.h: "variance", in 10^-9.
 */
#include "policies/lib/divider.h"

struct cap_params {
    struct divider_params divider;
    double probe, threshold;
};

struct cap {
    struct divider divider;
    double probe, threshold;
};

static const struct param params[] = {
    DIVIDER_PARAMS(offsetof(struct cap_params, divider), "Share of the first step for GPUs."),
    {PARAM_REAL, "probe", .offset = offsetof(struct cap_params, probe), .low = 1e-6, .high = 1,
     .number = 1.0 / 128, .help = "The first step, as a share of the iterations of a pass."},
    {PARAM_REAL, "threshold", .offset = offsetof(struct cap_params, threshold), .low = 0, .high = 1,
     .number = 5e-5,
     .help = "The rest is given out when the variance of two divisions is below this (section "
             "4.6): 5e-5 is a change of 1 % of the iterations."},
    {0},
};

static double find_variance(const struct divider *d)
{
    double largest = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        double moved = d->devices[i].share - d->devices[i].before;
        if (moved * moved / 2 > largest)
            largest = moved * moved / 2;
    }
    return largest;
}

static uint64_t double_step(struct divider *divider, const struct host_division *work, bool first)
{
    const struct cap *self = (const struct cap *)divider;
    if (first)
        return (uint64_t)((double)work->iterations * self->probe + 0.5);
    bool little = divider->last > work->left / 4; /* s * 4 > left, in whole numbers */
    bool settled = false;
    if (divider_balance(divider)) {
        double variance = find_variance(divider);
        settled = variance < self->threshold;
        host_explain(divider->host, divider->now, "variance", (int64_t)(variance * 1e9 + 0.5));
    }
    return settled || little ? work->left : 2 * divider->last;
}

static int cap_init(void *state, const void *given, struct host *h)
{
    struct cap *self = state;
    const struct cap_params *p = given;
    self->probe = p->probe;
    self->threshold = p->threshold;
    return divider_init(&self->divider, &p->divider, h, double_step);
}

const struct policy policy_cap;
const struct policy policy_cap = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "cap",
    .summary = "CAP: steps that double until the division of CPU and GPU settles, then the rest.",
    .source = "Wang, thesis, section 4.4, algorithm 4-2",
    .params = params,
    .params_size = sizeof(struct cap_params),
    .state_size = sizeof(struct cap),
    .init = cap_init,
    DIVIDER_CALLBACKS,
};
