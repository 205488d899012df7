/* conformance.c - see conformance.h. */
#include "runs/conformance.h"

#include "config/plugin.h"
#include "policies/lib/themis_see.h"

#include <stdlib.h>
#include <string.h>

/* ---- What a run decided and completed ---- */

struct decision {
    int64_t now_ns;
    req_id request;
    uint64_t detail;
    uint32_t domain;
    uint32_t action; /* enum cluster_action */
};

struct completion {
    int64_t now_ns;
    uint64_t index;
    uint32_t job, kernel;
};

struct decision_log {
    struct decision *decisions;
    size_t decisions_count, decisions_capacity;
    struct completion *completions;
    size_t completions_count, completions_capacity;
    int64_t end_ns;
};

static void record_action(void *context, int64_t now_ns, uint32_t domain,
                          enum cluster_action action, req_id r, uint64_t detail)
{
    struct decision_log *log = context;
    log->decisions = dcs_grow(log->decisions, &log->decisions_capacity, log->decisions_count + 1,
                              sizeof *log->decisions);
    log->decisions[log->decisions_count++] = (struct decision){.now_ns = now_ns,
                                                               .request = r,
                                                               .detail = detail,
                                                               .domain = domain,
                                                               .action = (uint32_t)action};
}

static void record_completion(void *context, int64_t now_ns, uint32_t job, uint64_t index,
                              uint32_t kernel)
{
    struct decision_log *log = context;
    log->completions = dcs_grow(log->completions, &log->completions_capacity,
                                log->completions_count + 1, sizeof *log->completions);
    log->completions[log->completions_count++] =
        (struct completion){.now_ns = now_ns, .index = index, .job = job, .kernel = kernel};
}

static void release_log(struct decision_log *log)
{
    free(log->decisions);
    free(log->completions);
    *log = (struct decision_log){0};
}

/* ---- The nosy wrapper ---- */

struct nosy_params {
    const struct policy *inner;
    const void *inner_params;
};

/* The state of the wrapped policy follows. */
struct nosy {
    const struct policy *inner;
    uint64_t seen; /* a sum over all that was read, so that reading is not optimised away */
    req_id told;   /* the latest that came */
    bool heard;    /* the wrapped policy did, since it decided */
    max_align_t inner_state[];
};

#define NOSY_COOKIE UINT64_C(0x6e6f7379)

/* What counters say of the kernels of a request, and how much they were slowed. */
static uint64_t look_at_counters(struct host *h, req_id r, const struct host_request *view,
                                 uint32_t sms)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k <= view->kernel; k++) {
        static const double none[HOST_PRESSURES] = {0};
        struct host_events events;
        struct host_slowdown says;
        if (!host_events(h, r, k, &events))
            continue;
        sum += (uint64_t)events.rate[HOST_EVENTS - 1];
        for (int by = HOST_BY_NETWORK; by <= HOST_BY_CLUSTERS; by++)
            if (host_slowdown(h, (enum host_slowdown_by)by, sms, &events, none, &says))
                sum += (uint64_t)(1000 * says.scalability * says.interference);
    }
    return sum;
}

static void look(struct nosy *self, struct host *h)
{
    struct host_device d;
    struct host_request r;
    uint64_t sum = (uint64_t)host_now(h);
    for (dev_id i = 0; host_device(h, i, &d); i++) {
        sum += (uint64_t)d.since_ns + d.memory_used_bytes + (uint64_t)d.revoke_ns;
        if (d.first == 0 || !host_request(h, d.first, &r))
            continue;
        sum += d.sms_allotted + d.kernels + (uint64_t)r.began_ns;
        sum += look_at_counters(h, d.first, &r, d.sms_step);
        struct host_allotment whole = {.mechanism = HOST_WHOLE};
        struct host_allotment part = {.mechanism = HOST_GREEN, .sms = d.sms_step};
        for (enum host_quantity q = HOST_DURATION_NS; q <= HOST_MILLI_IPC; q++) {
            sum += (uint64_t)host_predict(h, d.first, q, whole);
            sum += (uint64_t)host_predict_kernel(h, d.first, 0, q, part);
        }
        struct host_counters counters;
        if (host_counters(h, d.first, &counters))
            sum += counters.instructions + counters.cycles;
        sum += host_idle_blocks(h, d.first);
        sum += host_quota_left_ns(h, d.first, 0) > 0;
        sum += (uint64_t)host_measured(h, d.first, 0) + (uint64_t)r.arrival_ns;
        sum += host_app_name(h, r.app) != NULL;
        struct host_fusion fused;
        if (host_predict_fused(h, d.first, self->told, &fused))
            sum += (uint64_t)fused.duration_ns;
    }
    self->seen += sum;
}

static void look_and_set_timer(struct nosy *self, struct host *h)
{
    look(self, h);
    host_timer(h, host_now(h) + (int64_t)(self->seen % 1000000), NOSY_COOKIE);
    host_timer_cancel(h, host_timer(h, host_now(h) + 1, NOSY_COOKIE));
}

static int nosy_init(void *state, const void *params, struct host *h)
{
    struct nosy *self = state;
    const struct nosy_params *p = params;
    self->inner = p->inner;
    look(self, h);
    return p->inner->init != NULL ? p->inner->init(self->inner_state, p->inner_params, h) : 0;
}

static void nosy_fini(void *state)
{
    struct nosy *self = state;
    if (self->inner->fini != NULL)
        self->inner->fini(self->inner_state);
}

static void nosy_on_job(void *state, struct host *h, job_id job, bool begins)
{
    struct nosy *self = state;
    look_and_set_timer(self, h);
    if (self->inner->on_job == NULL)
        return;
    self->heard = true;
    self->inner->on_job(self->inner_state, h, job, begins);
}

static void nosy_on_ready(void *state, struct host *h, req_id r)
{
    struct nosy *self = state;
    self->told = r;
    look_and_set_timer(self, h);
    self->heard = true;
    self->inner->on_ready(self->inner_state, h, r);
    look(self, h);
}

static void nosy_on_complete(void *state, struct host *h, req_id r, dev_id d, bool request_done)
{
    struct nosy *self = state;
    look_and_set_timer(self, h);
    self->heard = true;
    self->inner->on_complete(self->inner_state, h, r, d, request_done);
    look(self, h);
}

static void nosy_on_gone(void *state, struct host *h, req_id r)
{
    struct nosy *self = state;
    look(self, h);
    if (self->inner->on_gone == NULL)
        return;
    self->heard = true;
    self->inner->on_gone(self->inner_state, h, r);
}

static void nosy_on_timer(void *state, struct host *h, uint64_t cookie)
{
    struct nosy *self = state;
    look(self, h);
    if (cookie == NOSY_COOKIE || self->inner->on_timer == NULL)
        return;
    self->heard = true;
    self->inner->on_timer(self->inner_state, h, cookie);
}

static void nosy_on_quota(void *state, struct host *h, req_id r, uint32_t first_sm)
{
    struct nosy *self = state;
    look(self, h);
    if (self->inner->on_quota == NULL)
        return;
    self->heard = true;
    self->inner->on_quota(self->inner_state, h, r, first_sm);
}

static void nosy_decide(void *state, struct host *h)
{
    struct nosy *self = state;
    look(self, h);
    if (self->heard && self->inner->decide != NULL)
        self->inner->decide(self->inner_state, h);
    self->heard = false;
}

static struct policy nosy_around(const struct policy *inner)
{
    return (struct policy){
        .abi = POLICY_ABI,
        .size = sizeof(struct policy),
        .name = inner->name,
        .summary = inner->summary,
        .source = inner->source,
        .needs = inner->needs,
        .state_size = sizeof(struct nosy) + inner->state_size,
        .init = nosy_init,
        .fini = nosy_fini,
        .on_job = nosy_on_job,
        .on_ready = nosy_on_ready,
        .on_complete = nosy_on_complete,
        .on_gone = nosy_on_gone,
        .on_quota = nosy_on_quota,
        .on_timer = nosy_on_timer,
        .decide = nosy_decide,
    };
}

/* ---- Runs ---- */

struct world {
    struct options_doc *doc;
    struct plugin plugin; /* the policy, in place of the one that the world's text names */
    struct config config;
    struct experiment experiment;
    struct dcs_workload workload;
    bool configured, opened;
};

static void close_world(struct world *w)
{
    if (w->opened) {
        dcs_workload_release(&w->workload);
        experiment_close(&w->experiment);
    }
    if (w->configured)
        config_release(&w->config);
    options_doc_free(w->doc);
}

static int open_world(struct world *w, const char *json, const struct policy *policy,
                      struct dcs_err *err)
{
    *w = (struct world){0};
    w->doc = options_load_text("world", json, strlen(json), err);
    w->plugin.policy = policy;
    struct plugins only = {.items = &w->plugin, .count = 1};
    w->configured = w->doc != NULL && config_parse(&w->config, w->doc, &only, err) == 0;
    w->opened = w->configured && experiment_open(&w->experiment, &w->config, w->doc, err) == 0;
    if (w->opened && experiment_workload(&w->experiment, 0, &w->workload, NULL, err) == 0)
        return 0;
    close_world(w);
    return -1;
}

/* probe: with the scramble filled in or not; its callbacks are set here. */
static int run_once(const struct world *w, const struct policy *policy, const void *params,
                    struct cluster_probe *probe, struct decision_log *log, struct dcs_err *err)
{
    *log = (struct decision_log){0};
    probe->context = log;
    probe->action = record_action;
    probe->complete = record_completion;
    struct cluster_spec spec;
    experiment_spec(&w->experiment, 0, &w->workload, &spec);
    spec.policy = policy;
    spec.policy_params = params;
    spec.probe = probe;
    struct cluster_result result;
    if (cluster_run(&spec, &result, err) != 0) {
        release_log(log);
        return -1;
    }
    log->end_ns = result.to_ns;
    cluster_result_release(&result);
    return 0;
}

/*
 * Requests that are never served, exactly: the run is repeated without its horizon, where jobs
 * issue what they had issued until then and no more. All that is under way ends, and what is left
 * when nothing is pending was forgotten.
 */
static int check_forgotten(const struct world *w, const struct policy *policy,
                           struct conformance_report *out, struct dcs_err *err)
{
    struct cluster_spec spec;
    experiment_spec(&w->experiment, 0, &w->workload, &spec);
    spec.policy = policy;
    spec.policy_params = w->config.policy_params;
    spec.keep_jobs = true;
    struct cluster_result result;
    if (cluster_run(&spec, &result, err) != 0)
        return -1;
    if (spec.horizon_ns == DCS_NEVER) {
        out->stranded += result.left_waiting;
        cluster_result_release(&result);
        return 0;
    }
    struct dcs_workload rest = w->workload;
    rest.jobs = dcs_alloc(rest.count + 1, sizeof *rest.jobs);
    for (size_t i = 0; i < rest.count; i++) {
        rest.jobs[i] = w->workload.jobs[i];
        rest.jobs[i].requests = result.jobs[i].issued > 0 ? result.jobs[i].issued : 1;
    }
    cluster_result_release(&result);
    spec.workload = &rest;
    spec.horizon_ns = DCS_NEVER;
    int failed = cluster_run(&spec, &result, err);
    if (failed == 0) {
        out->stranded += result.left_waiting;
        cluster_result_release(&result);
    }
    free(rest.jobs);
    return failed;
}

/* The first completion of a changed kernel after the scramble; DCS_NEVER if there is none. */
static int64_t first_changed(const struct decision_log *log, const struct cluster_probe *probe)
{
    for (size_t i = 0; i < log->completions_count; i++) {
        const struct completion *c = &log->completions[i];
        if (c->now_ns > probe->scramble_ns && cluster_scrambles(probe, c->job, c->index, c->kernel))
            return c->now_ns;
    }
    return DCS_NEVER;
}

static bool same_completion(const struct completion *a, const struct completion *b)
{
    return a->now_ns == b->now_ns && a->index == b->index && a->job == b->job &&
           a->kernel == b->kernel;
}

/* The first completion that differs between two runs. Kernels that share a device notice how far
 * others are before those end: the hardware hands out SMs as their launches come and go. */
static int64_t first_different(const struct decision_log *a, const struct decision_log *b)
{
    size_t i = 0;
    while (i < a->completions_count && i < b->completions_count &&
           same_completion(&a->completions[i], &b->completions[i]))
        i++;
    int64_t at = i < a->completions_count ? a->completions[i].now_ns : DCS_NEVER;
    return i < b->completions_count && b->completions[i].now_ns < at ? b->completions[i].now_ns
                                                                     : at;
}

static bool same_decision(const struct decision *a, const struct decision *b)
{
    return a->now_ns == b->now_ns && a->request == b->request && a->detail == b->detail &&
           a->domain == b->domain && a->action == b->action;
}

static const char *action_name(uint32_t action)
{
    static const char *const names[] = {"launch", "revoke",       "drop",   "return", "allot",
                                        "timer",  "fused launch", "resize", "chunk"};
    return action < sizeof names / sizeof names[0] ? names[action] : "?";
}

/* Compares all decisions before `limit`; false at the first that differs, which is described. */
static bool compare_decisions(const struct decision_log *a, const struct decision_log *b,
                              int64_t scramble_ns, int64_t limit, struct conformance_report *out)
{
    for (size_t i = 0;; i++) {
        const struct decision *x = i < a->decisions_count ? &a->decisions[i] : NULL;
        const struct decision *y = i < b->decisions_count ? &b->decisions[i] : NULL;
        bool x_counts = x != NULL && x->now_ns < limit, y_counts = y != NULL && y->now_ns < limit;
        if (!x_counts && !y_counts)
            return true;
        if (x_counts && y_counts && same_decision(x, y)) {
            out->compared += x->now_ns > scramble_ns;
            continue;
        }
        const struct decision *d = x_counts ? x : y;
        if (out->detail[0] == '\0')
            snprintf(out->detail, sizeof out->detail,
                     "truth changed at %lld ns; %s of request %llu at %lld ns %s",
                     (long long)scramble_ns, action_name(d->action), (unsigned long long)d->request,
                     (long long)d->now_ns,
                     x_counts && y_counts ? "came out differently" : "is in one run only");
        return false;
    }
}

static int check_scramble(const struct world *w, const struct policy *policy,
                          const struct decision_log *base, uint64_t instants, uint64_t seed,
                          struct conformance_report *out, struct dcs_err *err)
{
    /* Few changed kernels leave more decisions to compare, many more ways to be seen. */
    static const double shares[] = {1, 0.15, 0.02};
    struct dcs_rng rng;
    dcs_rng_stream(&rng, seed, 0, DCS_RNG_SCRAMBLE, 0);
    for (uint64_t i = 0; i < instants && base->end_ns > 1; i++) {
        struct cluster_probe probe = {
            .scramble = true,
            .scramble_ns = (int64_t)dcs_rng_below(&rng, (uint64_t)base->end_ns),
            .scramble_seed = dcs_rng_u64(&rng),
            .scramble_share = shares[i % 3],
        };
        struct decision_log log;
        if (run_once(w, policy, w->config.policy_params, &probe, &log, err) != 0)
            return -1;
        int64_t limits[] = {first_changed(base, &probe), first_changed(&log, &probe),
                            first_different(base, &log)};
        int64_t limit = limits[0];
        for (int k = 1; k < 3; k++)
            limit = limits[k] < limit ? limits[k] : limit;
        out->instants++;
        out->scramble_fails += !compare_decisions(base, &log, probe.scramble_ns, limit, out);
        release_log(&log);
    }
    return 0;
}

static int check_repeat(const struct world *w, const struct policy *policy,
                        const struct decision_log *base, struct conformance_report *out,
                        struct dcs_err *err)
{
    struct cluster_probe probe = {0};
    struct decision_log log;
    if (run_once(w, policy, w->config.policy_params, &probe, &log, err) != 0)
        return -1;
    bool same = log.decisions_count == base->decisions_count;
    for (size_t i = 0; same && i < log.decisions_count; i++)
        same = same_decision(&log.decisions[i], &base->decisions[i]);
    if (!same) {
        out->repeat_fails = 1;
        snprintf(out->detail, sizeof out->detail,
                 "the policy is not deterministic: the same run twice gave different decisions "
                 "(use host_random, and no global variables)");
    }
    release_log(&log);
    return 0;
}

static int check_nosy(const struct world *w, const struct policy *policy,
                      const struct decision_log *base, struct conformance_report *out,
                      struct dcs_err *err)
{
    struct policy nosy = nosy_around(policy);
    struct nosy_params params = {.inner = policy, .inner_params = w->config.policy_params};
    struct cluster_probe probe = {0};
    struct decision_log log;
    if (run_once(w, &nosy, &params, &probe, &log, err) != 0)
        return -1;
    bool same = log.completions_count == base->completions_count &&
                (log.completions_count == 0 ||
                 memcmp(log.completions, base->completions,
                        log.completions_count * sizeof *log.completions) == 0);
    if (!same) {
        out->nosy_fails++;
        if (out->detail[0] == '\0')
            snprintf(out->detail, sizeof out->detail,
                     "reading everything and setting timers that do nothing changed a completion");
    }
    release_log(&log);
    return 0;
}

static bool has_charges(const struct world *w)
{
    struct cluster_spec s;
    experiment_spec(&w->experiment, 0, &w->workload, &s);
    return s.callback_ns > 0 || s.predict_ns > 0 || s.fusion_candidate_ns > 0 ||
           s.fusion_round_ns > 0;
}

/* With one order of an instant. */
static int check_order(const struct world *w, const struct policy *policy, uint64_t instants,
                       uint64_t seed, struct conformance_report *out, struct dcs_err *err)
{
    struct cluster_probe probe = {0};
    struct decision_log base;
    int result = run_once(w, policy, w->config.policy_params, &probe, &base, err);
    if (result != 0)
        return result;
    out->decisions += base.decisions_count;
    out->completions += base.completions_count;
    result = check_repeat(w, policy, &base, out, err);
    if (result == 0)
        result = check_forgotten(w, policy, out, err);
    if (result == 0 && out->repeat_fails == 0)
        result = check_scramble(w, policy, &base, instants, seed, out, err);
    /* Charges make looking cost something: then it may change what happens. */
    if (result == 0 && out->repeat_fails == 0 && !has_charges(w))
        result = check_nosy(w, policy, &base, out, err);
    release_log(&base);
    return result;
}

int conformance_check(const char *json, const struct policy *policy, uint64_t instants,
                      uint64_t seed, struct conformance_report *out, struct dcs_err *err)
{
    *out = (struct conformance_report){0};
    struct world w;
    if (open_world(&w, json, policy, err) != 0)
        return -1;
    int result = 0;
    for (uint64_t i = 0; i < CLUSTER_INSTANTS && result == 0 && out->repeat_fails == 0; i++) {
        w.config.scheduler.instant = (int)i;
        uint64_t share = (instants + CLUSTER_INSTANTS - 1 - i) / CLUSTER_INSTANTS;
        result = check_order(&w, policy, share, seed + i, out, err);
    }
    close_world(&w);
    return result;
}
