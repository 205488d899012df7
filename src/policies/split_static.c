/*
 * split_static.c - Static (Wang, thesis, section 4.3.1.1): one step, with shares that were chosen
 * before the program runs.
 */
#include "policies/lib/divider.h"

static const struct param params[] = {
    DIVIDER_PARAMS(0, "Share of the iterations that GPUs get."),
    {0},
};

static uint64_t give_all(struct divider *self, const struct host_division *work, bool first)
{
    (void)self, (void)first;
    return work->left;
}

static int static_init(void *state, const void *given, struct host *h)
{
    return divider_init(state, given, h, give_all);
}

const struct policy policy_split_static;
const struct policy policy_split_static = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "split-static",
    .summary = "Static: a request is divided over CPU and GPU once, by a share that is given.",
    .source = "Wang, thesis, section 4.3.1.1",
    .params = params,
    .params_size = sizeof(struct divider_params),
    .state_size = sizeof(struct divider),
    .init = static_init,
    DIVIDER_CALLBACKS,
};
