/*
 * bubble_psp.c - Themis-Fair with slow-downs by measuring each application alone (Themis, section
 * VII-C: Bubble-PSP).
 *
 * What it goes by: lib/themis_see.h; what it does with that: lib/themis_engine.h.
 */
#include "policies/lib/themis_engine.h"

static const struct param params[] = {
    THEMIS_FAIR_PARAMS,
    /* 300 000 cycles of the paper, at the 1.98 GHz of an H200. */
    {PARAM_TIME, "phase_ms", .offset = offsetof(struct themis_fair_params, phase_ns), .unit = "ms",
     .low = 0, .high = 1e6, .number = 0.15,
     .help = "Shortest time of a stage; each has one kernel of an application at least."},
    {0},
};

static int psp_init(void *state, const void *given, struct host *h)
{
    return themis_init_fair(state, h, given, THEMIS_BY_STAGES);
}

const struct policy policy_bubble_psp;
const struct policy policy_bubble_psp = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "bubble-psp",
    .summary = "Themis-Fair with Bubble-Flux: each in turn runs alone to be measured.",
    .source = "Themis, section VII-C",
    .needs = 1u << HOST_GREEN,
    .params = params,
    .params_size = sizeof(struct themis_fair_params),
    .init = psp_init,
    THEMIS_CALLBACKS,
};
