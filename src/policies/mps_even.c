/*
 * mps_even.c - MPS with even allocation (C-Laius, section 3.3).
 *
 * With n applications present each is capped at 200 % / n of the SMs, as NVIDIA recommends, and of
 * course at all of them: two or fewer applications are not held back at all. The caps add up to
 * twice the device; who really gets an SM is up to the hardware. `caps` makes the sum another one:
 * at 1 no two applications can be on one SM.
 *
 * A cap is rounded down to whole SMs. A real MPS takes whole percents and rounds down to pairs of
 * SMs: that is at most three SMs less. A real cap also stays as it was when the process started;
 * here it follows n from one kernel to the next, which is the same where n does not change.
 */
#include "policies/lib/partition.h"
#include "policies/policy.h"

struct even_params {
    struct partition_params partition;
    double caps;
};

struct even {
    struct partition partition; /* first: the callbacks of partition.h take it for the state */
    double caps;
};

static const struct param params[] = {
    {PARAM_REAL, "caps", .offset = offsetof(struct even_params, caps), .low = 0.01, .high = 1000,
     .number = 2,
     .help = "What the caps of all applications add up to, in devices, each at most one: 2, as "
             "NVIDIA recommends; 1: no two are on the same SMs."},
    PARTITION_PARAMS(offsetof(struct even_params, partition)),
    {0},
};

static uint32_t even_part(const struct partition *p, dev_id d, const struct host_device *device,
                          uint32_t app)
{
    uint32_t n =
        1 + partition_others(p, d, HOST_LATENCY, app) + partition_others(p, d, HOST_BATCH, app);
    uint32_t sms = share_sms(device, HOST_MPS);
    double part = (double)sms * ((const struct even *)p->owner)->caps / (double)n;
    if (part > (double)sms)
        return sms;
    return part >= 1 ? (uint32_t)part : 1;
}

static int even_init(void *state, const void *given, struct host *h)
{
    struct even *self = state;
    const struct even_params *options = given;
    self->caps = options->caps;
    self->partition.mechanism = HOST_MPS;
    self->partition.part = even_part;
    self->partition.owner = self;
    return partition_init(&self->partition, h, &options->partition);
}

const struct policy policy_mps_even;
const struct policy policy_mps_even = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "mps-even",
    .summary = "MPS: each of n applications is capped at 200 % / n of the SMs (two: not at all).",
    .source = "C-Laius, section 3.3",
    .needs = 1u << HOST_MPS,
    .params = params,
    .params_size = sizeof(struct even_params),
    .state_size = sizeof(struct even),
    .init = even_init,
    .fini = partition_fini,
    .on_job = partition_on_job,
    .on_ready = partition_on_ready,
    .on_complete = partition_on_complete,
    .on_gone = partition_on_gone,
};
