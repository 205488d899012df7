/*
 * spart.c - each kernel has as many SMs as the others, and an SM one kernel (Tanasic and others,
 * "Enabling preemptive multiprogramming on GPUs", ISCA 2014; the rival Spart of Wang, thesis,
 * chapter 2).
 *
 * SMs that do not divide evenly go to those that came first. SMs change hands with all their
 * blocks.
 */
#include "policies/lib/blocks.h"

static void spart_divide(struct blocks *b, struct host *h, struct blocks_device *d)
{
    uint32_t sms[BLOCKS_TOGETHER];
    (void)b;
    (void)h;
    for (uint32_t i = 0; i < d->count; i++)
        sms[i] = d->sms / d->count + (i < d->sms % d->count);
    blocks_side_by_side(d, sms);
}

static int spart_init(void *state, const void *params, struct host *h)
{
    struct blocks *b = state;
    (void)params;
    b->divide = spart_divide;
    return blocks_init(b, h, BLOCKS_TOGETHER);
}

static void spart_fini(void *state)
{
    blocks_release(state);
}

static void spart_on_ready(void *state, struct host *h, req_id r)
{
    blocks_on_ready(state, h, r);
}

static void spart_on_complete(void *state, struct host *h, req_id r, dev_id d, bool done)
{
    (void)d;
    (void)done;
    blocks_on_complete(state, h, r);
}

static void spart_on_gone(void *state, struct host *h, req_id r)
{
    (void)h;
    blocks_on_gone(state, r);
}

static void spart_on_timer(void *state, struct host *h, uint64_t cookie)
{
    blocks_on_timer(state, h, cookie);
}

const struct policy policy_spart;
const struct policy policy_spart = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "spart",
    .summary = "Each kernel has SMs of its own, as many as the others.",
    .source = "Tanasic and others, ISCA 2014; Wang, thesis, chapter 2",
    .needs = HOST_NEEDS_BLOCKS,
    .state_size = sizeof(struct blocks),
    .init = spart_init,
    .fini = spart_fini,
    .on_ready = spart_on_ready,
    .on_complete = spart_on_complete,
    .on_gone = spart_on_gone,
    .on_timer = spart_on_timer,
};
