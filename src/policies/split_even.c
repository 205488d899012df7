/*
 * split_even.c - Split (Wang, thesis, section 4.3.1.3, after Scogland et al.): many steps of the
 * same size, each divided by the speeds of the step before.
 */
#include "policies/lib/divider.h"

struct even_params {
    struct divider_params divider;
    int64_t chunk;
};

struct even {
    struct divider divider;
    uint64_t chunk;
};

static const struct param params[] = {
    DIVIDER_PARAMS(offsetof(struct even_params, divider), "Share of the first step for GPUs."),
    {PARAM_INT, "chunk", .offset = offsetof(struct even_params, chunk), .unit = "iterations",
     .low = 1, .high = 1e12, .number = 1024,
     .help = "Iterations of each step, of both sides together (section 4.6)."},
    {0},
};

static uint64_t take_step(struct divider *divider, const struct host_division *work, bool first)
{
    const struct even *self = (const struct even *)divider;
    if (self->chunk < work->chunk_min) {
        host_fail(divider->host, "policy.chunk is below the least chunk that the program's blocks "
                                 "allow (chunk_min of table split_program): give at least that");
        return work->left;
    }
    if (!first)
        divider_balance(divider);
    return self->chunk;
}

static int even_init(void *state, const void *given, struct host *h)
{
    struct even *self = state;
    const struct even_params *p = given;
    self->chunk = (uint64_t)p->chunk;
    return divider_init(&self->divider, &p->divider, h, take_step);
}

const struct policy policy_split_even;
const struct policy policy_split_even = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "split-even",
    .summary = "Split: steps of equal size, each divided by the speeds of the one before.",
    .source = "Wang, thesis, section 4.3.1.3",
    .params = params,
    .params_size = sizeof(struct even_params),
    .state_size = sizeof(struct even),
    .init = even_init,
    DIVIDER_CALLBACKS,
};
