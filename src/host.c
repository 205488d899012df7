/*
 * host.c - what a policy can see and do: the functions behind policies/policy.h.
 *
 * This file is the border between what is known and what is true. Of a running kernel nothing is
 * answered but what runs where and since when; predictions come from means, unless the experiment
 * asks for a clairvoyant predictor (a bound, marked in the results).
 */
#include "cluster_state.h"

static struct domain *domain_of(const struct host *h)
{
    return (struct domain *)h; /* the domain is the host's own, and not constant */
}

/* The request if it is in this domain; one that has ended only in its last callback. */
static struct request *visible(const struct domain *d, req_id id)
{
    struct request *r = cluster_request(d->cluster, id);
    if (r == NULL || r->domain != d->index || (r->state == REQUEST_GONE && d->current != id))
        return NULL;
    return r;
}

/* ---- Questions ---- */

static int64_t ask_now(const struct host *h)
{
    return domain_of(h)->cluster->now_ns;
}

static uint32_t ask_devices(const struct host *h)
{
    return domain_of(h)->devices;
}

static bool ask_device(const struct host *h, dev_id id, struct host_device *out)
{
    const struct domain *d = domain_of(h);
    if (id >= d->devices)
        return false;
    host_look_at_device(d, &d->cluster->devices[d->first_device + id], out);
    return true;
}

static enum host_request_state visible_state(enum request_state state)
{
    if (state == REQUEST_RUNNING || state == REQUEST_UNTOLD)
        return HOST_RUNNING;
    if (state == REQUEST_PLEDGED)
        return HOST_STARTING;
    if (state == REQUEST_GONE)
        return HOST_ENDED;
    return state == REQUEST_STOPPING ? HOST_STOPPING : HOST_WAITING;
}

static int64_t began_ns(const struct cluster *c, const struct request *r)
{
    const struct device *dev = &c->devices[r->device];
    if (dev->cpu != NULL)
        return r->start_ns;
    return dev->shared != NULL ? dcs_gpu_began_ns(dev->shared->gpu, r->id) : dev->truth.start_ns;
}

static bool ask_request(const struct host *h, req_id id, struct host_request *out)
{
    const struct domain *d = domain_of(h);
    const struct request *r = visible(d, id);
    if (r == NULL)
        return false;
    const struct dcs_app *app = cluster_form(d->cluster, r);
    bool placed = r->device != UINT32_MAX && r->state != REQUEST_WAITING;
    *out = (struct host_request){
        .app = r->app,
        .class = app->class == DCS_LATENCY ? HOST_LATENCY : HOST_BATCH,
        .job = r->job,
        .state = visible_state(r->state),
        .arrival_ns = r->arrival_ns,
        .deadline_ns = r->deadline_ns,
        .start_ns = r->start_ns,
        .began_ns = r->state == REQUEST_RUNNING ? began_ns(d->cluster, r) : HOST_NEVER,
        .device = placed ? r->device - d->first_device : HOST_NO_DEVICE,
        .kernel = r->kernel,
        .kernels = app->kernels,
        .revocations = r->revocations,
        .memory_bytes = app->memory_bytes,
        .input_size =
            (uint64_t)(d->cluster->spec->sharing.cpu != NULL ? host_cpu_size(d, r) : app->size),
    };
    return true;
}

static const char *ask_app_name(const struct host *h, app_id a)
{
    const struct cluster_spec *s = domain_of(h)->cluster->spec;
    return a < s->apps_count ? s->apps[a].name : NULL;
}

static int64_t ask_predict(struct host *h, req_id id, uint32_t kernel, enum host_quantity q,
                           struct host_allotment a)
{
    struct domain *d = domain_of(h);
    struct request *r = visible(d, id);
    if (r == NULL)
        return -1;
    uint32_t kernels = cluster_form(d->cluster, r)->kernels;
    uint32_t first = kernel == HOST_CURRENT_KERNEL ? r->kernel : kernel;
    if (first >= kernels)
        return -1;
    d->clock_ns = dcs_add_times(d->clock_ns, d->cluster->spec->predict_ns);
    return host_prediction(d, r, first, q, a);
}

static bool ask_predict_fused(struct host *h, req_id latency, req_id batch, struct host_fusion *out)
{
    struct domain *d = domain_of(h);
    const struct cluster_spec *spec = d->cluster->spec;
    struct request *a = visible(d, latency), *b = visible(d, batch);
    if (!d->fusion_asked)
        d->clock_ns = dcs_add_times(d->clock_ns, spec->fusion_round_ns);
    d->fusion_asked = true;
    d->clock_ns = dcs_add_times(d->clock_ns, spec->fusion_candidate_ns);
    return a != NULL && b != NULL && host_predict_pair(d, a, b, out);
}

static int64_t ask_measured(const struct host *h, req_id id, uint32_t kernel)
{
    const struct domain *d = domain_of(h);
    const struct request *r = visible(d, id);
    if (r == NULL || kernel >= d->cluster->kernels_max)
        return -1;
    return d->cluster->measured[(size_t)(id & SLOT_MASK) * d->cluster->kernels_max + kernel];
}

static bool ask_counters(const struct host *h, req_id id, struct host_counters *out)
{
    const struct domain *d = domain_of(h);
    struct cluster *c = d->cluster;
    const struct request *r = visible(d, id);
    if (r == NULL || r->state != REQUEST_RUNNING || c->devices[r->device].cpu == NULL)
        return false;
    const struct dcs_cpu_device *device = c->devices[r->device].cpu->device;
    double cycles = (double)(c->now_ns - r->start_ns) * c->spec->sharing.cpu[d->kind]->clock_ghz;
    *out = (struct host_counters){.instructions =
                                      (uint64_t)(dcs_cpu_instructions(device, c->now_ns, id) + 0.5),
                                  .cycles = (uint64_t)(cycles + 0.5)};
    return true;
}

static uint64_t ask_random(struct host *h)
{
    return dcs_rng_u64(&domain_of(h)->rng);
}

/* ---- Actions ---- */

/* Tells the probe, and says whether the action goes on at all. */
static bool begin_action(struct domain *d, enum cluster_action action, req_id r, uint64_t detail)
{
    struct cluster *c = d->cluster;
    if (c->failed)
        return false;
    if (!d->in_callback) {
        cluster_fail(c, d, "an action outside a callback");
        return false;
    }
    const struct cluster_probe *probe = c->spec->probe;
    if (probe != NULL && probe->action != NULL)
        probe->action(probe->context, c->now_ns, d->index, action, r, detail);
    if (recording(c))
        record_action(c, d, action, r, detail);
    return !c->failed;
}

/* A charged revocation is under way, or no longer. */
static void pledge_stop(const struct domain *d, struct device *dev, struct request *r, bool pledge)
{
    DCS_ASSERT(dev != NULL);
    if (dev->shared != NULL) {
        shared_pledge_stop(dev, r, pledge, host_cost_of(d, r)->mechanism == DCS_TRAP);
        return;
    }
    r->stop_pledged = pledge;
    dev->stop_pledged = pledge;
}

/* Keeps an action until the charges so far have passed. */
static void postpone(struct domain *d, const struct pending_action *action)
{
    struct cluster *c = d->cluster;
    uint32_t slot = c->actions_free;
    if (slot != NO_SLOT) {
        c->actions_free = c->actions[slot].next_free;
    } else {
        slot = c->actions_used++;
        c->actions =
            dcs_grow(c->actions, &c->actions_capacity, c->actions_used, sizeof *c->actions);
    }
    c->actions[slot] = *action;
    dcs_events_add(c->events, d->clock_ns, CLASS_ACTION, EVENT_ACTION, slot);
}

static void pledge(struct cluster *c, struct request *r, uint32_t device, struct host_allotment a)
{
    struct device *dev = device != UINT32_MAX ? &c->devices[device] : NULL;
    r->state = REQUEST_PLEDGED;
    r->device = device;
    if (dev != NULL && dev->shared != NULL)
        shared_pledge(c, dev, r, a);
    else if (dev != NULL && dev->cpu == NULL)
        dev->pledged = r->id;
}

/* Carries an action out now, or when the charges so far have passed. */
static void carry_out(struct domain *d, enum cluster_action action, struct request *r,
                      uint32_t device, struct host_allotment a)
{
    struct cluster *c = d->cluster;
    struct device *dev = device != UINT32_MAX ? &c->devices[device] : NULL;
    if (dev != NULL && dev->cpu != NULL)
        cpu_claim(c, dev, r, a);
    if (d->clock_ns <= c->now_ns) {
        if (action == CLUSTER_LAUNCH)
            cluster_launch(c, r, dev, a);
        else if (action == CLUSTER_RESIZE)
            cpu_resize(c, r, a);
        else if (action == CLUSTER_REVOKE)
            cluster_stop(c, r);
        else if (action == CLUSTER_DROP)
            cluster_drop(c, r);
        else
            cluster_return(c, r);
        return;
    }
    postpone(d, &(struct pending_action){.action = action,
                                         .request = r->id,
                                         .domain = d->index,
                                         .device = device,
                                         .allotment = a});
    if (action == CLUSTER_REVOKE)
        pledge_stop(d, dev, r, true);
    else if (action != CLUSTER_RESIZE)
        pledge(c, r, device, a);
}

/* Of a fused launch that is under way the second part gets no SMs beside those of the first. */
static const struct host_allotment whole_device = {.mechanism = HOST_WHOLE};
static const struct host_allotment rides = {.mechanism = HOST_MPS};

static void carry_out_fused(struct domain *d, struct request *a, struct request *b, uint32_t device,
                            uint32_t way)
{
    struct cluster *c = d->cluster;
    if (d->clock_ns <= c->now_ns) {
        shared_launch_fused(c, a, b, &c->devices[device], way);
        return;
    }
    postpone(d, &(struct pending_action){.action = CLUSTER_LAUNCH_FUSED,
                                         .request = a->id,
                                         .domain = d->index,
                                         .device = device,
                                         .with = b->id,
                                         .way = way});
    pledge(c, a, device, whole_device);
    pledge(c, b, device, rides);
}

/* Its deadline passed while its return was under way, and its service drops what is late. */
static bool late_meanwhile(const struct cluster *c, const struct request *r)
{
    return c->jobs[r->job].spec->drop_late && r->start_ns == DCS_NEVER &&
           r->deadline_ns <= c->now_ns;
}

static bool may_launch(const struct cluster *c, const struct device *dev, const struct request *r,
                       struct host_allotment a)
{
    DCS_ASSERT(dev != NULL);
    if (dev->shared != NULL)
        return shared_refuses(c, dev, r, a) == NULL;
    if (dev->cpu != NULL)
        return true; /* it has claimed its share */
    return dev->truth.phase == DCS_DEVICE_IDLE;
}

/* A charged fused launch takes effect, or neither of its kernels starts. */
static void apply_fused(struct cluster *c, const struct pending_action *action)
{
    struct device *dev = &c->devices[action->device];
    struct request *r[] = {cluster_request(c, action->request), cluster_request(c, action->with)};
    for (int i = 0; i < 2; i++) {
        DCS_ASSERT(r[i] != NULL && r[i]->state == REQUEST_PLEDGED);
        shared_unpledge(c, dev, r[i], i == 0 ? whole_device : rides);
        r[i]->state = REQUEST_WAITING;
    }
    if (shared_refuses_fused(c, dev, r[0], r[1], action->way) == NULL) {
        shared_launch_fused(c, r[0], r[1], dev, action->way);
        return;
    }
    for (int i = 0; i < 2; i++)
        cluster_note(c, &c->domains[action->domain],
                     &(struct note){.kind = NOTE_READY, .about = r[i]->id});
}

/* A charged action takes effect, if the world still allows it. */
void host_apply(struct cluster *c, uint32_t slot)
{
    struct pending_action a = c->actions[slot];
    c->actions[slot].next_free = c->actions_free;
    c->actions_free = slot;
    if (a.action == CLUSTER_LAUNCH_FUSED) {
        apply_fused(c, &a);
        return;
    }
    struct device *dev = a.device != UINT32_MAX ? &c->devices[a.device] : NULL;
    struct request *r = cluster_request(c, a.request);
    if (a.action == CLUSTER_REVOKE) {
        /* It may have completed meanwhile; that took the pledge back. */
        if (r == NULL || !r->stop_pledged)
            return;
        pledge_stop(&c->domains[a.domain], dev, r, false);
        if (r->state == REQUEST_RUNNING && r->device == a.device)
            cluster_stop(c, r);
        return;
    }
    if (a.action == CLUSTER_RESIZE) {
        if (r != NULL && r->state == REQUEST_RUNNING && r->device == a.device)
            cpu_resize(c, r, a.allotment); /* else it has completed meanwhile */
        return;
    }
    DCS_ASSERT(r != NULL && r->state == REQUEST_PLEDGED);
    if (dev != NULL && dev->shared != NULL)
        shared_unpledge(c, dev, r, a.allotment);
    else if (dev != NULL)
        dev->pledged = 0;
    r->state = REQUEST_WAITING;
    if (a.action == CLUSTER_DROP)
        cluster_drop(c, r);
    else if (a.action == CLUSTER_RETURN && late_meanwhile(c, r))
        cluster_drop(c, r);
    else if (a.action == CLUSTER_RETURN)
        cluster_return(c, r);
    else if (may_launch(c, dev, r, a.allotment))
        cluster_launch(c, r, dev, a.allotment);
    else
        cluster_note(c, &c->domains[a.domain], &(struct note){.kind = NOTE_READY, .about = r->id});
}

static const char *state_name(const struct request *r)
{
    switch (r->state) {
    case REQUEST_WAITING:
        return "waits";
    case REQUEST_PLEDGED:
        return "has an action under way";
    case REQUEST_RUNNING:
        return "runs";
    case REQUEST_STOPPING:
        return "is being revoked";
    default:
        return "has ended";
    }
}

struct request_name {
    char at[96];
};

/* "request 33554433 (job 0, number 3)", as tables and timelines know it; the id alone if it is not
 * here. */
static struct request_name name_of(struct domain *d, req_id id)
{
    struct request_name name;
    const struct request *r = visible(d, id);
    int n = snprintf(name.at, sizeof name.at, "request %llu", (unsigned long long)id);
    if (r != NULL)
        snprintf(name.at + n, sizeof name.at - (size_t)n, " (job %u, number %llu)", r->job,
                 (unsigned long long)r->index);
    return name;
}

/* The request, if it is here and waits; else the run ends. */
static struct request *waiting(struct domain *d, req_id id, const char *action)
{
    struct request *r = visible(d, id);
    if (r == NULL)
        cluster_fail(d->cluster, d, "%s: %s is not in this domain", action, name_of(d, id).at);
    else if (r->state != REQUEST_WAITING)
        cluster_fail(d->cluster, d, "%s: %s must wait, but it %s", action, name_of(d, id).at,
                     state_name(r));
    else
        return r;
    return NULL;
}

/* For the probe: the device, mechanism and SMs (or cores, ways and group) in one number. */
static uint64_t detail_of(dev_id to, struct host_allotment a)
{
    uint64_t what = a.mechanism == HOST_CPU
                        ? (uint64_t)a.cores | (uint64_t)a.ways << 12 | (uint64_t)a.group << 20
                        : a.sms;
    return to | (uint64_t)a.mechanism << 24 | what << 32;
}

static void act_launch(struct host *h, req_id id, dev_id to, struct host_allotment a)
{
    struct domain *d = domain_of(h);
    struct cluster *c = d->cluster;
    if (!begin_action(d, CLUSTER_LAUNCH, id, detail_of(to, a)))
        return;
    struct request *r = waiting(d, id, "launch");
    if (r == NULL)
        return;
    if (to >= d->devices) {
        cluster_fail(c, d, "launch: there is no device %u, the domain has %u", to, d->devices);
        return;
    }
    struct device *dev = &c->devices[d->first_device + to];
    if (r->has_allotment)
        a = r->allotment;
    const struct dcs_app *app = cluster_form(c, r);
    if (dev->shared != NULL) {
        const char *why = shared_refuses(c, dev, r, a);
        if (why != NULL)
            cluster_fail(c, d, "launch: %s of application \"%s\" on device %u: %s",
                         name_of(d, id).at, app->name, to, why);
        else
            carry_out(d, CLUSTER_LAUNCH, r, d->first_device + to, a);
        return;
    }
    if (dev->cpu != NULL) {
        const char *why = cpu_refuses(c, dev, r, a);
        if (why != NULL)
            cluster_fail(c, d, "launch: %s of application \"%s\" on device %u: %s",
                         name_of(d, id).at, app->name, to, why);
        else
            carry_out(d, CLUSTER_LAUNCH, r, d->first_device + to, a);
        return;
    }
    if (a.mechanism != HOST_WHOLE)
        cluster_fail(c, d, "launch: device %u does not offer mechanism %d", to, (int)a.mechanism);
    else if (dev->truth.phase != DCS_DEVICE_IDLE || dev->pledged != 0)
        cluster_fail(c, d, "launch: device %u is not idle", to);
    else if (!dcs_device_fits(&dev->truth, app->memory_bytes))
        cluster_fail(c, d, "launch: application \"%s\" needs %llu bytes, device %u has %llu",
                     app->name, (unsigned long long)app->memory_bytes, to,
                     (unsigned long long)dev->truth.memory_bytes);
    else
        carry_out(d, CLUSTER_LAUNCH, r, d->first_device + to, a);
}

static void act_launch_fused(struct host *h, req_id latency, req_id batch, dev_id to,
                             uint32_t variant)
{
    struct domain *d = domain_of(h);
    struct cluster *c = d->cluster;
    /* Odd multipliers keep apart what differs in one of the three. */
    uint64_t detail = batch * UINT64_C(0x9e3779b97f4a7c15) + variant * UINT64_C(0xd1b54a33) + to;
    struct host_device device;
    if (!begin_action(d, CLUSTER_LAUNCH_FUSED, latency, detail))
        return;
    struct request *a = waiting(d, latency, "launch_fused");
    struct request *b = a != NULL ? waiting(d, batch, "launch_fused") : NULL;
    if (b == NULL)
        return;
    if (!ask_device(h, to, &device)) {
        cluster_fail(c, d, "launch_fused: there is no device %u, the domain has %u", to,
                     d->devices);
        return;
    }
    if (!device.can_fuse) {
        cluster_fail(c, d, "launch_fused: device %u cannot fuse (see host_device.can_fuse)", to);
        return;
    }
    uint32_t index = d->first_device + to;
    const char *why = a == b ? "a request cannot be fused with itself"
                             : shared_refuses_fused(c, &c->devices[index], a, b, variant);
    if (why != NULL)
        cluster_fail(c, d, "launch_fused: %s and %s, variant %u, on device %u: %s",
                     name_of(d, latency).at, name_of(d, batch).at, variant, to, why);
    else
        carry_out_fused(d, a, b, index, variant);
}

static void act_allot(struct host *h, req_id id, struct host_allotment a)
{
    struct domain *d = domain_of(h);
    if (!begin_action(d, CLUSTER_ALLOT, id, detail_of(0, a)))
        return;
    struct request *r = visible(d, id);
    if (r == NULL) {
        cluster_fail(d->cluster, d, "allot: %s is not in this domain", name_of(d, id).at);
        return;
    }
    r->allotment = a;
    r->has_allotment = true;
}

static void act_resize(struct host *h, req_id id, struct host_allotment a)
{
    struct domain *d = domain_of(h);
    struct cluster *c = d->cluster;
    if (!begin_action(d, CLUSTER_RESIZE, id, detail_of(0, a)))
        return;
    if (c->spec->sharing.cpu == NULL) {
        cluster_fail(c, d,
                     "resize: the device of %s cannot resize what runs (see "
                     "host_device.can_resize)",
                     name_of(d, id).at);
        return;
    }
    struct request *r = visible(d, id);
    if (r == NULL) {
        cluster_fail(c, d, "resize: %s is not in this domain", name_of(d, id).at);
        return;
    }
    if (r->state == REQUEST_UNTOLD || r->state == REQUEST_GONE)
        return; /* too late: it has ended, as on_complete is about to tell */
    bool starts = r->state == REQUEST_PLEDGED && r->device != UINT32_MAX;
    if (r->state != REQUEST_RUNNING && !starts) {
        cluster_fail(c, d, "resize: %s must run, but it %s", name_of(d, id).at, state_name(r));
        return;
    }
    struct device *dev = &c->devices[r->device];
    const char *why = cpu_refuses(c, dev, r, a);
    if (why != NULL)
        cluster_fail(c, d, "resize: %s: %s", name_of(d, id).at, why);
    else
        carry_out(d, CLUSTER_RESIZE, r, r->device, a);
}

static void act_revoke(struct host *h, req_id id)
{
    struct domain *d = domain_of(h);
    if (!begin_action(d, CLUSTER_REVOKE, id, 0))
        return;
    struct request *r = visible(d, id);
    if (r == NULL)
        cluster_fail(d->cluster, d, "revoke: %s is not in this domain", name_of(d, id).at);
    else if (r->state == REQUEST_UNTOLD)
        return; /* too late: its kernel has ended, as on_complete is about to tell */
    else if (r->state != REQUEST_RUNNING || r->stop_pledged)
        cluster_fail(d->cluster, d, "revoke: %s must run, but it %s", name_of(d, id).at,
                     r->stop_pledged ? "is being revoked" : state_name(r));
    else if (d->cluster->devices[r->device].cpu != NULL)
        cluster_fail(d->cluster, d,
                     "revoke: %s runs on a CPU, where nothing is revoked (see "
                     "host_device.revoke_ns)",
                     name_of(d, id).at);
    else if (host_cost_of(d, r)->kill_ns < 0)
        cluster_fail(d->cluster, d,
                     "revoke: the profile of the device of %s has no cost of \"%s\"; "
                     "revocation.mechanism and revocation.kill_ms choose another",
                     name_of(d, id).at, dcs_mechanism_name(host_cost_of(d, r)->mechanism));
    else
        carry_out(d, CLUSTER_REVOKE, r, r->device, (struct host_allotment){0});
}

static void act_drop(struct host *h, req_id id)
{
    struct domain *d = domain_of(h);
    if (!begin_action(d, CLUSTER_DROP, id, 0))
        return;
    struct request *r = waiting(d, id, "drop");
    if (r != NULL)
        carry_out(d, CLUSTER_DROP, r, UINT32_MAX, (struct host_allotment){0});
}

static void act_return(struct host *h, req_id id)
{
    struct domain *d = domain_of(h);
    if (!begin_action(d, CLUSTER_RETURN, id, 0))
        return;
    struct request *r = waiting(d, id, "return_to_router");
    if (r != NULL)
        carry_out(d, CLUSTER_RETURN, r, UINT32_MAX, (struct host_allotment){0});
}

/* ---- Timers. A timer_id is generation << 32 | slot + 1. ---- */

static timer_id act_timer(struct host *h, int64_t at_ns, uint64_t cookie)
{
    struct domain *d = domain_of(h);
    struct cluster *c = d->cluster;
    if (!begin_action(d, CLUSTER_TIMER, cookie, (uint64_t)at_ns))
        return 0;
    uint32_t slot = c->timers_free;
    if (slot != NO_SLOT) {
        c->timers_free = c->timers[slot].next_free;
    } else {
        slot = c->timers_used++;
        c->timers = dcs_grow(c->timers, &c->timers_capacity, c->timers_used, sizeof *c->timers);
    }
    if (!cluster_has_room(c))
        return 0;
    struct timer *t = &c->timers[slot];
    t->cookie = cookie;
    t->domain = d->index;
    t->armed = true;
    t->generation++;
    t->event = 0;
    if (at_ns != HOST_NEVER) {
        t->event = dcs_events_add(c->events, at_ns > c->now_ns ? at_ns : c->now_ns, CLASS_TIMER,
                                  EVENT_TIMER, slot);
        c->timers_pending++;
    }
    return (uint64_t)t->generation << 32 | (slot + 1);
}

void host_free_timer(struct cluster *c, uint32_t slot)
{
    c->timers[slot].next_free = c->timers_free;
    c->timers_free = slot;
}

static void act_timer_cancel(struct host *h, timer_id id)
{
    struct domain *d = domain_of(h);
    struct cluster *c = d->cluster;
    uint32_t slot = (uint32_t)(id & UINT32_MAX) - 1;
    if (id == 0 || slot >= c->timers_used)
        return;
    struct timer *t = &c->timers[slot];
    if (t->generation != id >> 32 || t->domain != d->index || !t->armed)
        return;
    t->armed = false;
    /* One that has fired keeps its slot until its note has been passed over. */
    bool pending = dcs_events_cancel(c->events, t->event);
    c->timers_pending -= pending;
    if (pending || t->event == 0)
        host_free_timer(c, slot);
}

void host_timer_fires(struct cluster *c, uint32_t slot)
{
    struct timer *t = &c->timers[slot];
    c->timers_pending--;
    cluster_note(c, &c->domains[t->domain], &(struct note){.kind = NOTE_TIMER, .about = slot});
}

static void act_fail(struct host *h, const char *why)
{
    struct domain *d = domain_of(h);
    cluster_fail(d->cluster, d, "the policy gave up: %s", why != NULL ? why : "no reason given");
}

static void explain(struct host *h, req_id id, const char *what, int64_t value)
{
    struct domain *d = domain_of(h);
    struct cluster *c = d->cluster;
    const struct request *r = visible(d, id);
    if (!d->in_callback || c->failed || r == NULL || what == NULL)
        return;
    if (recording(c))
        record_reason(c, d, id, what, value);
    if (!c->spec->keep_decisions)
        return;
    struct cluster_result *out = c->result;
    if (out->decisions_count == CLUSTER_DECISIONS_MAX) {
        cluster_fail(c, d,
                     "explain: more than %d reasons in one run, the most that can be kept: shorten "
                     "the horizon, or set outputs.decisions to false",
                     CLUSTER_DECISIONS_MAX);
        return;
    }
    out->decisions = dcs_grow(out->decisions, &c->decisions_capacity, out->decisions_count + 1,
                              sizeof *out->decisions);
    uint32_t kernels = cluster_form(c, r)->kernels;
    out->decisions[out->decisions_count++] =
        (struct cluster_decision_row){.at_ns = c->now_ns,
                                      .index = r->index,
                                      .job = r->job,
                                      .app = r->app,
                                      .domain = d->index,
                                      .kernel = r->kernel < kernels ? r->kernel : kernels - 1,
                                      .what = what,
                                      .value = value};
}

const struct host_ops host_operations = {
    .abi = POLICY_ABI,
    .size = sizeof(struct host_ops),
    .now = ask_now,
    .devices = ask_devices,
    .device = ask_device,
    .request = ask_request,
    .app_name = ask_app_name,
    .predict = ask_predict,
    .predict_fused = ask_predict_fused,
    .measured = ask_measured,
    .counters = ask_counters,
    .random_bits = ask_random,
    .launch = act_launch,
    .launch_fused = act_launch_fused,
    .allot = act_allot,
    .resize = act_resize,
    .revoke = act_revoke,
    .drop = act_drop,
    .return_to_router = act_return,
    .timer = act_timer,
    .timer_cancel = act_timer_cancel,
    .fail_run = act_fail,
    .explain = explain,
};
