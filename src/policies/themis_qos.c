/*
 * themis_qos.c - Themis-QoS: SMs move so that services make the progress that they need, and batch
 * applications as much as is left (Themis, section VII-D).
 *
 * The paper prints neither criterion nor score; those that stand in are in lib/themis.h.
 *
 * How slow-downs become known, and what else the paper leaves open: lib/themis_engine.h.
 */
#include "policies/lib/themis_engine.h"

struct qos_params {
    struct themis_params engine;
    int slowdowns;
};

static const struct param params[] = {
    THEMIS_PARAMS(0),
    THEMIS_SLOWDOWNS_PARAM(offsetof(struct qos_params, slowdowns)),
    {0},
};

static int qos_init(void *state, const void *given, struct host *h)
{
    struct themis *self = state;
    self->search.is_good = themis_is_never_good;
    self->search.score = themis_score_qos;
    const struct qos_params *p = given;
    return themis_init(self, h, &p->engine, (enum themis_by)p->slowdowns);
}

const struct policy policy_themis_qos;
const struct policy policy_themis_qos = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "themis-qos",
    .summary = "SMs move in steps so that services meet their SLA and batch has the most.",
    .source = "Themis, sections VII-A, VII-B and VII-D",
    .needs = 1u << HOST_GREEN,
    .params = params,
    .params_size = sizeof(struct qos_params),
    .init = qos_init,
    THEMIS_CALLBACKS,
};
