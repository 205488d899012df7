/*
 * split_quick.c - Quick (Wang, thesis, section 4.3.1.2, after Scogland et al.): a small first step
 * measures the speeds, and a second one divides all that is left by them.
 */
#include "policies/lib/divider.h"

struct quick_params {
    struct divider_params divider;
    double probe;
};

struct quick {
    struct divider divider;
    double probe;
};

static const struct param params[] = {
    DIVIDER_PARAMS(offsetof(struct quick_params, divider), "Share of the first step for GPUs."),
    {PARAM_REAL, "probe", .offset = offsetof(struct quick_params, probe), .low = 1e-6, .high = 1,
     .number = 1.0 / 128, .help = "The first step, as a share of the iterations of a pass."},
    {0},
};

static uint64_t probe_once(struct divider *divider, const struct host_division *work, bool first)
{
    const struct quick *self = (const struct quick *)divider;
    if (first)
        return (uint64_t)((double)work->iterations * self->probe + 0.5);
    divider_balance(divider);
    return work->left;
}

static int quick_init(void *state, const void *given, struct host *h)
{
    struct quick *self = state;
    const struct quick_params *p = given;
    self->probe = p->probe;
    return divider_init(&self->divider, &p->divider, h, probe_once);
}

const struct policy policy_split_quick;
const struct policy policy_split_quick = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "split-quick",
    .summary = "Quick: a small step measures CPU and GPU, the rest is divided by their speeds.",
    .source = "Wang, thesis, section 4.3.1.2",
    .params = params,
    .params_size = sizeof(struct quick_params),
    .state_size = sizeof(struct quick),
    .init = quick_init,
    DIVIDER_CALLBACKS,
};
