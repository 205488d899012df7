/*
 * host.c - what a policy can see, and the table of functions behind policies/policy.h.
 *
 * The border between what is known and what is true. Of a running kernel nothing is answered but
 * what runs where and since when; predictions come from means, unless the experiment asks for a
 * clairvoyant predictor (a bound, marked in the results). Predictions: host_predict.c, of chunks:
 * host_chunks.c. What a policy does: host_act.c, what that costs: host_charge.c, its timers:
 * host_timer.c, what it is told: host_deliver.c.
 */
#include "engine/host_parts.h"

#include <string.h>

static int64_t ask_now(const struct host *h)
{
    return host_domain(h)->cluster->now_ns;
}

static uint32_t ask_devices(const struct host *h)
{
    return host_domain(h)->devices;
}

static bool ask_device(const struct host *h, dev_id id, struct host_device *out)
{
    const struct domain *d = host_domain(h);
    if (id >= d->devices)
        return false;
    host_look_at_device(d, &d->cluster->devices[d->first_device + id], out);
    return true;
}

static enum host_request_state visible_state(const struct request *r)
{
    if (r->state == REQUEST_STOPPING || r->stop.pledged)
        return HOST_STOPPING;
    if (r->state == REQUEST_RUNNING || r->state == REQUEST_UNTOLD)
        return HOST_RUNNING;
    if (r->state == REQUEST_PLEDGED)
        return HOST_STARTING;
    return r->state == REQUEST_GONE ? HOST_ENDED : HOST_WAITING;
}

static bool ask_request(const struct host *h, req_id id, struct host_request *out)
{
    const struct domain *d = host_domain(h);
    const struct request *r = host_visible(d, id);
    if (r == NULL)
        return false;
    const struct dcs_app *app = request_form(d->cluster, r);
    bool placed = r->device != UINT32_MAX && r->state != REQUEST_WAITING;
    *out = (struct host_request){
        .app = r->app,
        .class = app->class == DCS_LATENCY ? HOST_LATENCY : HOST_BATCH,
        .job = r->job,
        .state = visible_state(r),
        .arrival_ns = r->arrival_ns,
        .deadline_ns = r->deadline_ns,
        .start_ns = r->start_ns,
        .began_ns = HOST_NEVER,
        .device = placed ? r->device - d->first_device : HOST_NO_DEVICE,
        .kernel = r->kernel,
        .kernels = app->kernels,
        .revocations = r->revocations,
        .memory_bytes = app->memory_bytes,
        .input_size =
            (uint64_t)(d->cluster->device_kind->allots_cores ? host_cpu_size(d, r) : app->size),
    };
    if (r->state == REQUEST_RUNNING)
        out->began_ns = device_began_ns(&d->cluster->devices[r->device], r);
    return true;
}

static const char *ask_app_name(const struct host *h, app_id a)
{
    const struct cluster_spec *s = host_domain(h)->cluster->spec;
    return a < s->apps_count ? s->apps[a].name : NULL;
}

static bool ask_predict_fused(struct host *h, req_id latency, req_id batch, struct host_fusion *out)
{
    struct domain *d = host_domain(h);
    const struct cluster_spec *spec = d->cluster->spec;
    struct request *a = host_visible(d, latency), *b = host_visible(d, batch);
    if (!d->scheduler.fusion_asked)
        d->scheduler.clock_ns = dcs_add_times(d->scheduler.clock_ns, spec->fusion_round_ns);
    d->scheduler.fusion_asked = true;
    d->scheduler.clock_ns = dcs_add_times(d->scheduler.clock_ns, spec->fusion_candidate_ns);
    return a != NULL && b != NULL && host_predict_pair(d, a, b, out);
}

static int64_t ask_measured(const struct host *h, req_id id, uint32_t kernel)
{
    const struct domain *d = host_domain(h);
    const struct request *r = host_visible(d, id);
    if (r == NULL || kernel >= r->kernel)
        return -1;
    return request_measured_ns(d->cluster, r, kernel);
}

static bool ask_counters(const struct host *h, req_id id, struct host_counters *out)
{
    const struct domain *d = host_domain(h);
    const struct cluster *c = d->cluster;
    const struct request *r = host_visible(d, id);
    if (r == NULL || r->state != REQUEST_RUNNING || c->device_kind->counters == NULL)
        return false;
    c->device_kind->counters(&c->devices[r->device], c->now_ns, id, r->start_ns, out);
    return true;
}

static const struct device *running_on(const struct host *h, req_id id)
{
    const struct domain *d = host_domain(h);
    const struct request *r = host_visible(d, id);
    bool runs = r != NULL && r->state == REQUEST_RUNNING;
    return runs ? &d->cluster->devices[r->device] : NULL;
}

static double ask_quota_left(const struct host *h, req_id id, uint32_t first_sm)
{
    const struct device *dev = running_on(h, id);
    if (dev == NULL || dev->kind->quota_left_ns == NULL)
        return -1;
    return dev->kind->quota_left_ns(dev, host_domain(h)->cluster->now_ns, id, first_sm);
}

static uint32_t ask_idle_blocks(const struct host *h, req_id id)
{
    const struct device *dev = running_on(h, id);
    return dev != NULL && dev->kind->idle_blocks != NULL ? dev->kind->idle_blocks(dev, id) : 0;
}

static bool ask_block(const struct host *h, req_id id, struct host_block *out)
{
    const struct domain *d = host_domain(h);
    const struct cluster *c = d->cluster;
    const struct request *r = host_visible(d, id);
    return r != NULL && c->device_kind->block != NULL &&
           c->device_kind->block(&c->devices[d->first_device], request_form(c, r), out);
}

static uint64_t ask_random(struct host *h)
{
    return dcs_rng_u64(&host_domain(h)->rng);
}

/* Bytes of the "policy.KEY" that a reason begins with, where the policy has such an option; 0: it
 * does not begin so. */
static size_t option_of(const struct policy *p, const char *why)
{
    static const char section[] = "policy.";
    size_t begin = strlen(section);
    if (strncmp(why, section, begin) != 0)
        return 0;
    for (const struct param *row = p->params; row != NULL && row->type != PARAM_END; row++) {
        size_t length = strlen(row->name);
        if (strncmp(why + begin, row->name, length) == 0 && why[begin + length] == ' ' &&
            why[begin + length + 1] != '\0')
            return begin + length;
    }
    return 0;
}

static void act_fail(struct host *h, const char *why)
{
    struct domain *d = host_domain(h);
    struct cluster *c = d->cluster;
    if (c->failed)
        return;
    size_t option = why != NULL ? option_of(c->spec->policy, why) : 0;
    if (option == 0) {
        cluster_fail(c, d, "the policy gave up: %s", why != NULL ? why : "no reason given");
        return;
    }
    cluster_fail(c, d, "%s", why + option + 1);
    snprintf(c->err->path, sizeof c->err->path, "%.*s", (int)option, why);
}

static void explain(struct host *h, req_id id, const char *what, int64_t value)
{
    struct domain *d = host_domain(h);
    struct cluster *c = d->cluster;
    const struct request *r = host_visible(d, id);
    if (!d->scheduler.in_callback || c->failed || r == NULL || what == NULL)
        return;
    if (recording(c))
        record_reason(c, d, id, what, value);
    measure_decision(c, d, r, what, value);
}

static bool ask_transfer(const struct host *h, req_id id)
{
    const struct domain *d = host_domain(h);
    const struct request *r = host_visible(d, id);
    const struct cluster *c = d->cluster;
    return r != NULL && r->kernel < request_form(c, r)->kernels && device_is_transfer(c, r);
}

static int64_t ask_switch(const struct host *h, req_id id, struct host_allotment a)
{
    const struct domain *d = host_domain(h);
    const struct request *r = host_visible(d, id);
    int64_t cost_ns = 0;
    if (r != NULL && device_switches(d->cluster, r, a))
        cost_ns = cluster_switch_ns(d->cluster->spec, d->profile, r->quota.last, a);
    return cost_ns > 0 ? cost_ns : 0;
}

static double ask_weight(const struct host *h, app_id a)
{
    const struct cluster_spec *s = host_domain(h)->cluster->spec;
    return s->weights != NULL && a < s->apps_count ? s->weights[a] : 1;
}

static bool ask_events(const struct host *h, req_id id, uint32_t kernel, struct host_events *out)
{
    const struct domain *d = host_domain(h);
    const struct request *r = host_visible(d, id);
    return r != NULL && kernel < r->kernel && host_events_of(d, r, kernel, out);
}

static bool ask_slowdown(struct host *h, enum host_slowdown_by by, uint32_t sms,
                         const struct host_events *own, const double *pressure,
                         struct host_slowdown *out)
{
    struct domain *d = host_domain(h);
    if (d->cluster->spec->slowdowns == NULL)
        return false;
    host_charge_predictions(d, 1);
    host_slowdown_of(d, by, sms, own, pressure, out);
    return true;
}

static dev_id ask_changed(struct host *h)
{
    struct domain *d = host_domain(h);
    const struct device *dev = device_take_shown(d);
    return dev != NULL ? dev->index - d->first_device : HOST_NO_DEVICE;
}

const struct host_ops host_operations = {
    .abi = POLICY_ABI,
    .size = sizeof(struct host_ops),
    .now = ask_now,
    .devices = ask_devices,
    .device = ask_device,
    .request = ask_request,
    .app_name = ask_app_name,
    .predict = host_ask_predict,
    .predict_fused = ask_predict_fused,
    .measured = ask_measured,
    .counters = ask_counters,
    .random_bits = ask_random,
    .launch = host_act_launch,
    .launch_fused = host_act_launch_fused,
    .allot = host_act_allot,
    .resize = host_act_resize,
    .revoke = host_act_revoke,
    .drop = host_act_drop,
    .return_to_router = host_act_return,
    .timer = host_act_timer,
    .timer_cancel = host_act_timer_cancel,
    .fail_run = act_fail,
    .explain = explain,
    .is_transfer = ask_transfer,
    .changed_device = ask_changed,
    .switch_ns = ask_switch,
    .weight = ask_weight,
    .division = host_ask_division,
    .ended_chunk = host_ask_ended_chunk,
    .predict_chunk = host_ask_predict_chunk,
    .launch_chunk = host_act_launch_chunk,
    .events = ask_events,
    .slowdown = ask_slowdown,
    .block = ask_block,
    .quota = host_act_quota,
    .quota_left_ns = ask_quota_left,
    .idle_blocks = ask_idle_blocks,
    .predict_each = host_ask_predict_each,
};
