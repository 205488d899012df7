/* drive_ask.c - see drive_ask.h. */
#include "runs/drive_ask.h"

#include "engine/device_driven.h"
#include "engine/device_kind.h"
#include "runs/drive_caps.h"

#include <string.h>

/* Requests of one application that are under way at once; more share what they work on. */
#define TOGETHER_MAX 8
/* Processes of a batch application that wait for one to be killed: 2 to 3 were killed a second on a
 * real GPU, and a new one was ready after 1.1 to 2.3 s, thus up to 7 at a time were being made.
 * With six all had been used up in three of 16 runs. */
#define SPARES 6

static int fill_forms(struct drive_link *l, const struct experiment *x, struct dcs_err *err)
{
    l->forms_count = x->apps_count + x->sized_count;
    if (l->forms_count > DRIVE_FORMS)
        return dcs_err_set(err,
                           "the workload has requests of %u applications and sizes, a real GPU is "
                           "driven with %u at most",
                           l->forms_count, DRIVE_FORMS);
    for (uint32_t i = 0; i < l->forms_count; i++) {
        const struct dcs_app *app = &x->apps[i];
        if (app->synthetic || strlen(app->name) >= sizeof l->forms[i].name)
            return dcs_err_set(err, "application \"%s\" is none that a real GPU can run",
                               app->name);
        snprintf(l->forms[i].name, sizeof l->forms[i].name, "%s", app->name);
        l->forms[i].size = app->size;
        l->forms[i].kernels = app->kernels;
    }
    return 0;
}

/* How many requests of each may be under way: those of clients, or (open loop) as many as fit. */
static void fill_together(struct drive_link *l, const struct dcs_workload *w,
                          const struct experiment *x)
{
    for (uint32_t i = 0; i < l->forms_count; i++) {
        uint64_t n = 0;
        for (size_t k = 0; k < w->count; k++)
            if (strcmp(x->apps[w->jobs[k].app].name, l->forms[i].name) == 0)
                n += w->jobs[k].open ? TOGETHER_MAX : w->jobs[k].clients;
        l->forms[i].together = n < TOGETHER_MAX ? (uint32_t)n : TOGETHER_MAX;
    }
}

static bool revokes(const struct experiment *x)
{
    const struct config *c = x->config;
    for (const struct param *p = c->policy->params; p != NULL && p->name != NULL; p++)
        if (p->type == PARAM_BOOL && strcmp(p->name, "revocation") == 0)
            return *(const bool *)((const char *)c->policy_params + p->offset);
    return false;
}

static int check_revocation(const struct experiment *x, struct dcs_err *err)
{
    static const uint32_t beside = 1u << HOST_GREEN | 1u << HOST_MPS | HOST_NEEDS_FUSION;
    const struct config *c = x->config;
    if ((c->policy->needs & beside) == 0)
        return 0;
    return options_error(x->doc, "policy.revocation", err,
                         "a real GPU is driven by %s without revocation: kernels beside each "
                         "other cannot be stopped alone",
                         c->policy->name);
}

const struct device_kind *drive_device(const struct experiment *x)
{
    if (!revokes(x))
        return &device_driven;
    bool exits = x->config->revocation.mechanism == DCS_ASM_EXIT;
    return exits ? &device_driven_exits : &device_driven_kills;
}

/* What a policy rests on and no host on a real GPU carries out: without it the policy would do
 * something else under its own name. */
static int check_policy(const struct experiment *x, struct dcs_err *err)
{
    static const uint32_t carried_out = 1u << HOST_WHOLE | 1u << HOST_GREEN | 1u << HOST_MPS |
                                        HOST_NEEDS_FUSION | HOST_NEEDS_SLOWDOWNS;
    const struct config *c = x->config;
    uint32_t missing = c->policy->needs & ~carried_out;
    if (missing != 0)
        return options_error(x->doc, "policy.name", err,
                             "policy %s needs %s, which a real GPU is not driven with: it has "
                             "whole and fused launches, partitions of the SMs and MPS",
                             c->policy->name, "a CPU");
    const char *mechanism = options_string(x->doc, "policy.mechanism");
    if (mechanism != NULL && strcmp(mechanism, "mps") == 0)
        return options_error(x->doc, "policy.mechanism", err,
                             "%s is driven on partitions of a real GPU: take \"green\"",
                             c->policy->name);
    if (c->sharing.resize_at != DCS_MOVES_NOT)
        return options_error(x->doc, "sharing.resize_at", err,
                             "no real GPU moves SMs between kernels that run: take \"kernel\"");
    if (c->predictor == PREDICTOR_CLAIRVOYANT)
        return options_error(x->doc, "predictor", err,
                             "a clairvoyant knows the times that a simulation draws, and not those "
                             "of a real GPU: take \"mean\" or a trained predictor");
    return revokes(x) ? check_revocation(x, err) : 0;
}

int drive_check_experiment(const struct experiment *x, struct dcs_err *err)
{
    const struct config *c = x->config;
    if (x->devices_count != 1)
        return dcs_err_set(err, "one real GPU is driven, and cluster has %u", x->devices_count);
    if (x->device_kind != &device_shared)
        return dcs_err_set(err, "a real GPU is driven with sharing.model \"spatial\" alone");
    if (c->horizon.duration_ns <= 0 || c->horizon.warmup_rule == WARMUP_MSER5)
        return dcs_err_set(err, "a real GPU is driven with horizon.duration_s and a warm-up that "
                                "is given");
    return check_policy(x, err);
}

int drive_ask(struct drive_link *l, const struct experiment *x, const struct cluster_spec *spec,
              struct dcs_err *err)
{
    const struct dcs_spatial *model = spec->sharing.spatial[0];
    memset(l, 0, offsetof(struct drive_link, found));
    l->version = DRIVE_LINK_VERSION;
    l->size = sizeof *l;
    l->sms = model->sms;
    l->step_sms = spec->sharing.step_sms;
    l->partitions = (spec->policy->needs & 1u << HOST_GREEN) != 0;
    l->fuses = (spec->policy->needs & HOST_NEEDS_FUSION) != 0;
    l->clients = device_driven_mechanisms(spec) == 1u << HOST_MPS;
    l->kills = spec->device_kind == &device_driven_kills;
    l->traps = l->kills && x->config->revocation.mechanism == DCS_TRAP;
    l->exits = spec->device_kind == &device_driven_exits;
    l->seed = spec->seed;
    snprintf(l->device, sizeof l->device, "%s", x->kind[0].profile->device_name);
    if (fill_forms(l, x, err) != 0)
        return -1;
    fill_together(l, spec->workload, x);
    for (uint32_t i = 0; i < l->forms_count; i++) {
        bool batch = x->apps[i].class == DCS_BATCH; /* of which alone built-in policies revoke */
        l->forms[i].spares = l->kills && batch ? SPARES : 0;
        l->forms[i].exits = l->exits && batch;
    }
    return l->clients ? drive_ask_for_caps(l, x, err) : 0;
}
