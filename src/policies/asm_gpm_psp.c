/*
 * asm_gpm_psp.c - Themis-Fair with slow-downs by ASM and, by fewer SMs, by GPM (Themis, section
 * VII-C: ASM-GPM-PSP).
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
    return themis_init_fair(state, h, given, THEMIS_BY_ASM_GPM);
}

const struct policy policy_asm_gpm_psp;
const struct policy policy_asm_gpm_psp = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "asm-gpm-psp",
    .summary = "Themis-Fair with ASM, and GPM's clusters for fewer SMs.",
    .source = "Themis, section VII-C",
    .needs = 1u << HOST_GREEN | HOST_NEEDS_SLOWDOWNS,
    .params = params,
    .params_size = sizeof(struct themis_fair_params),
    .init = psp_init,
    THEMIS_CALLBACKS,
};
