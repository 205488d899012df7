/*
 * themis_fair.c - Themis-Fair: SMs move until applications are slowed in proportion to the
 * reciprocals of their weights (Themis, section VII-C, equation 11, algorithm 2).
 *
 * How slow-downs become known, and what the paper leaves open: lib/themis_engine.h.
 */
#include "policies/lib/themis_engine.h"

struct fair_params {
    struct themis_params engine;
    double threshold;
};

static const struct param params[] = {
    THEMIS_PARAMS(0),
    {PARAM_REAL, "threshold", .offset = offsetof(struct fair_params, threshold), .low = 0,
     .high = 1, .number = 0.1, .help = "Unfairness below which nothing moves (thres)."},
    {0},
};

static int fair_init(void *state, const void *given, struct host *h)
{
    struct themis *self = state;
    const struct fair_params *p = given;
    self->search.is_good = themis_is_fair;
    self->search.score = themis_score_fair;
    self->search.threshold = p->threshold;
    return themis_init(self, h, &p->engine);
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
    .params_size = sizeof(struct fair_params),
    .state_size = sizeof(struct themis),
    .init = fair_init,
    .fini = themis_fini,
    .on_job = partition_on_job,
    .on_ready = themis_on_ready,
    .on_complete = themis_on_complete,
    .on_gone = partition_on_gone,
};
