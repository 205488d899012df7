/*
 * mps_priority.c - MPS with priority allocation (C-Laius, section 3.3).
 *
 * The service may use all SMs; each of the other n - 1 applications is capped at 100 % / (n - 1).
 * The paper has one service. With several each may use all SMs, and the batch applications divide
 * 100 % among themselves. Nobody is preferred by the hardware: a kernel that comes later gets what
 * those before it leave.
 *
 * With one service and one batch application neither is held back, nor is it by mps-even: both
 * policies then give the same results, bit for bit.
 *
 * Caps are rounded down to whole SMs, and follow n, as mps_even.c says.
 */
#include "policies/lib/partition.h"
#include "policies/policy.h"

static const struct param params[] = {
    PARTITION_PARAMS(0),
    {0},
};

static uint32_t priority_part(const struct partition *p, dev_id d, const struct host_device *device,
                              uint32_t app)
{
    uint32_t sms = share_sms(device, HOST_MPS);
    if (p->apps[app].class == HOST_LATENCY)
        return sms;
    uint32_t part = sms / (1 + partition_others(p, d, HOST_BATCH, app));
    return part > 0 ? part : 1;
}

static int priority_init(void *state, const void *given, struct host *h)
{
    struct partition *self = state;
    self->mechanism = HOST_MPS;
    self->part = priority_part;
    return partition_init(self, h, given);
}

const struct policy policy_mps_priority;
const struct policy policy_mps_priority = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "mps-priority",
    .summary = "MPS: services may use all SMs, batch applications divide them by caps (one of "
               "each: as mps-even).",
    .source = "C-Laius, section 3.3",
    .needs = 1u << HOST_MPS,
    .params = params,
    .params_size = sizeof(struct partition_params),
    .state_size = sizeof(struct partition),
    .init = priority_init,
    .fini = partition_fini,
    .on_job = partition_on_job,
    .on_ready = partition_on_ready,
    .on_complete = partition_on_complete,
    .on_gone = partition_on_gone,
};
