/*
 * asm_psp.c - Themis-Fair with slow-downs by ASM, which knows nothing of SMs (Themis, section
 * VII-C: ASM-PSP).
 *
 * What it goes by: lib/themis_see.h; what it does with that: lib/themis_engine.h.
 */
#include "policies/lib/themis_engine.h"

static const struct param params[] = {
    THEMIS_FAIR_PARAMS,
    {0},
};

static int psp_init(void *state, const void *given, struct host *h)
{
    return themis_init_fair(state, h, given, THEMIS_BY_ASM);
}

const struct policy policy_asm_psp;
const struct policy policy_asm_psp = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "asm-psp",
    .summary = "Themis-Fair with ASM: what runs beside counts, fewer SMs do not.",
    .source = "Themis, section VII-C",
    .needs = 1u << HOST_GREEN,
    .params = params,
    .params_size = sizeof(struct themis_fair_params),
    .init = psp_init,
    THEMIS_CALLBACKS,
};
