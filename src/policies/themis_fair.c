/*
 * themis_fair.c - Themis-Fair: SMs move until applications are slowed in proportion to the
 * reciprocals of their weights (Themis, section VII-C, equation 11, algorithm 2).
 *
 * How slow-downs become known, and what the paper leaves open: lib/themis_engine.h.
 */
#include "policies/lib/themis_engine.h"

static const struct param params[] = {
    THEMIS_FAIR_PARAMS,
    THEMIS_SLOWDOWNS_PARAM(offsetof(struct themis_fair_params, slowdowns)),
    {0},
};

static int fair_init(void *state, const void *given, struct host *h)
{
    const struct themis_fair_params *p = given;
    return themis_init_fair(state, h, p, (enum themis_by)p->slowdowns);
}

const struct policy policy_themis_fair;
const struct policy policy_themis_fair = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "themis-fair",
    .summary = "SMs move in steps until applications are slowed as their weights ask.",
    .source = "Themis, sections VII-A to VII-C",
    .needs = 1u << HOST_GREEN,
    .params = params,
    .params_size = sizeof(struct themis_fair_params),
    .init = fair_init,
    THEMIS_CALLBACKS,
};
