/*
 * hp.c - parts by weight that never move (Adriaens and others, "The case for GPGPU spatial
 * multitasking", HPCA 2012; the rival HP of Themis, section VII-C).
 *
 * Each application that is present has a part of every device in proportion to its weight (config
 * fairness.weights; equal without them), whatever its class, rounded to steps of the device, at
 * least one; what an application does not use of its part stays unused. Parts are worked out anew
 * when applications come or go. The papers know a fixed set of applications: with it nothing ever
 * changes.
 */
#include "policies/lib/weighted.h"

static uint32_t hp_part(const struct partition *p, dev_id d, const struct host_device *device,
                        uint32_t app)
{
    struct weighted *w = p->owner;
    weighted_divide(w, app, device);
    for (uint32_t i = 0; i < w->present; i++)
        if (w->apps[i] == app)
            return weighted_now(p, d, device, app, weighted_sms(device, w->steps[i], i == 0));
    return 0;
}

static int hp_init(void *state, const void *given, struct host *h)
{
    struct weighted *w = state;
    (void)given;
    w->partition.part = hp_part;
    return weighted_init(w, h);
}

static void hp_fini(void *state)
{
    weighted_release(state);
}

const struct policy policy_hp;
const struct policy policy_hp = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "hp",
    .summary = "Each application present has a fixed part of the device, by its weight.",
    .source = "Themis, section VII-C; Adriaens and others, HPCA 2012",
    .needs = 1u << HOST_GREEN,
    .state_size = sizeof(struct weighted),
    .init = hp_init,
    .fini = hp_fini,
    .on_job = partition_on_job,
    .on_ready = partition_on_ready,
    .on_complete = partition_on_complete,
    .on_gone = partition_on_gone,
};
