/*
 * host_act.c - what a policy does: each action is checked against the rules of policies/policy.h
 * when it is asked for. One that breaks them ends the run with a message that names the policy, the
 * time and the rule; a legal one is carried out (host_charge.c).
 */
#include "engine/host_parts.h"

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
    const struct request *r = host_visible(d, id);
    int n = snprintf(name.at, sizeof name.at, "request %llu", (unsigned long long)id);
    if (r != NULL)
        snprintf(name.at + n, sizeof name.at - (size_t)n, " (job %u, number %llu)", r->job,
                 (unsigned long long)r->index);
    return name;
}

static __attribute__((noinline)) void fail_not_waiting(struct domain *d, req_id id,
                                                       const char *action)
{
    const struct request *r = host_visible(d, id);
    if (r == NULL)
        cluster_fail(d->cluster, d, "%s: %s is not in this domain", action, name_of(d, id).at);
    else
        cluster_fail(d->cluster, d, "%s: %s must wait, but it %s", action, name_of(d, id).at,
                     state_name(r));
}

/* The request, if it is here and waits; else the run ends. */
static inline struct request *waiting(struct domain *d, req_id id, const char *action)
{
    struct request *r = host_visible(d, id);
    if (r != NULL && r->state == REQUEST_WAITING)
        return r;
    fail_not_waiting(d, id, action);
    return NULL;
}

/* For the probe: the device, mechanism and SMs (cores, ways and group; blocks) in one number. */
static uint64_t detail_of(dev_id to, struct host_allotment a)
{
    uint64_t what = a.mechanism == HOST_CPU
                        ? (uint64_t)a.cores | (uint64_t)a.ways << 12 | (uint64_t)a.group << 20
                    : a.mechanism == HOST_BLOCKS
                        ? (uint64_t)a.sms | (uint64_t)a.first_sm << 10 | (uint64_t)a.blocks << 20
                        : a.sms;
    return to | (uint64_t)a.mechanism << 24 | what << 32;
}

void host_act_launch(struct host *h, req_id id, dev_id to, struct host_allotment a)
{
    struct domain *d = host_domain(h);
    struct cluster *c = d->cluster;
    if (!host_begin_action(d, CLUSTER_LAUNCH, id, detail_of(to, a)))
        return;
    struct request *r = waiting(d, id, "launch");
    if (r == NULL)
        return;
    if (c->device_kind->divides) {
        host_give_chunk(d, r, to, request_division(&c->requests, r)->left, a);
        return;
    }
    if (to >= d->devices) {
        cluster_fail(c, d, "launch: there is no device %u, the domain has %u", to, d->devices);
        return;
    }
    struct device *dev = &c->devices[d->first_device + to];
    if (r->wish.given)
        a = r->wish.allotment;
    struct device_launch l;
    life_prepare(c, dev, r, a, &l);
    const char *why = dev->kind->refuses(dev, &l);
    if (why != NULL)
        cluster_fail(c, d, "launch: %s of application \"%s\" on device %u: %s", name_of(d, id).at,
                     l.part[0].app->name, to, why);
    else
        host_carry_out_launch(d, dev, &l);
}

void host_act_launch_fused(struct host *h, req_id latency, req_id batch, dev_id to,
                           uint32_t variant)
{
    struct domain *d = host_domain(h);
    struct cluster *c = d->cluster;
    /* Odd multipliers keep apart what differs in one of the three. */
    uint64_t detail = batch * UINT64_C(0x9e3779b97f4a7c15) + variant * UINT64_C(0xd1b54a33) + to;
    struct host_device device;
    if (!host_begin_action(d, CLUSTER_LAUNCH_FUSED, latency, detail))
        return;
    struct request *a = waiting(d, latency, "launch_fused");
    struct request *b = a != NULL ? waiting(d, batch, "launch_fused") : NULL;
    if (b == NULL)
        return;
    if (to >= d->devices) {
        cluster_fail(c, d, "launch_fused: there is no device %u, the domain has %u", to,
                     d->devices);
        return;
    }
    struct device *dev = &c->devices[d->first_device + to];
    host_look_at_device(d, dev, &device);
    if (!device.can_fuse) {
        cluster_fail(c, d, "launch_fused: device %u cannot fuse (see host_device.can_fuse)", to);
        return;
    }
    struct device_launch l;
    life_prepare_fused(c, dev, a, b, variant, &l);
    const char *why =
        a == b ? "a request cannot be fused with itself" : dev->kind->refuses(dev, &l);
    if (why != NULL)
        cluster_fail(c, d, "launch_fused: %s and %s, variant %u, on device %u: %s",
                     name_of(d, latency).at, name_of(d, batch).at, variant, to, why);
    else
        host_carry_out_launch(d, dev, &l);
}

void host_act_allot(struct host *h, req_id id, struct host_allotment a)
{
    struct domain *d = host_domain(h);
    if (!host_begin_action(d, CLUSTER_ALLOT, id, detail_of(0, a)))
        return;
    struct request *r = host_visible(d, id);
    if (r == NULL) {
        cluster_fail(d->cluster, d, "allot: %s is not in this domain", name_of(d, id).at);
        return;
    }
    r->wish.allotment = a;
    r->wish.given = true;
}

void host_act_resize(struct host *h, req_id id, struct host_allotment a)
{
    struct domain *d = host_domain(h);
    struct cluster *c = d->cluster;
    if (!host_begin_action(d, CLUSTER_RESIZE, id, detail_of(0, a)))
        return;
    if (!c->device_kind->can_resize) {
        cluster_fail(c, d,
                     "resize: the device of %s cannot resize what runs (see "
                     "host_device.can_resize)",
                     name_of(d, id).at);
        return;
    }
    struct request *r = host_visible(d, id);
    if (r == NULL) {
        cluster_fail(c, d, "resize: %s is not in this domain", name_of(d, id).at);
        return;
    }
    if (r->state == REQUEST_UNTOLD || r->state == REQUEST_GONE)
        return; /* too late: it has ended, as on_complete is about to tell */
    bool starts = r->state == REQUEST_PLEDGED && r->device != UINT32_MAX;
    if ((r->state != REQUEST_RUNNING && !starts) || r->stop.pledged) {
        cluster_fail(c, d, "resize: %s must run, but it %s", name_of(d, id).at,
                     r->stop.pledged ? "is being revoked" : state_name(r));
        return;
    }
    struct device *dev = &c->devices[r->device];
    struct device_launch l;
    life_prepare(c, dev, r, a, &l);
    l.resizes = true;
    const char *why = dev->kind->refuses(dev, &l);
    if (why != NULL)
        cluster_fail(c, d, "resize: %s: %s", name_of(d, id).at, why);
    else
        host_carry_out_resize(d, dev, &l);
}

void host_act_quota(struct host *h, req_id id, uint32_t first_sm, uint32_t sms, int64_t work_ns)
{
    struct domain *d = host_domain(h);
    struct cluster *c = d->cluster;
    if (!host_begin_action(d, CLUSTER_QUOTA, id, (uint64_t)work_ns))
        return;
    struct request *r = host_visible(d, id);
    if (r == NULL)
        cluster_fail(c, d, "quota: %s is not in this domain", name_of(d, id).at);
    else if (c->device_kind->set_quota == NULL)
        cluster_fail(c, d, "quota: the device of %s has no quotas (see host_device.mechanisms)",
                     name_of(d, id).at);
    else if (r->state == REQUEST_UNTOLD || r->state == REQUEST_GONE)
        return; /* too late: it has ended, as on_complete is about to tell */
    else if (r->state != REQUEST_RUNNING &&
             !(r->state == REQUEST_PLEDGED && r->device != UINT32_MAX))
        cluster_fail(c, d, "quota: %s must run, but it %s", name_of(d, id).at, state_name(r));
    else
        host_carry_out_quota(
            d, r,
            (struct host_allotment){.mechanism = HOST_BLOCKS, .first_sm = first_sm, .sms = sms},
            work_ns);
}

void host_act_revoke(struct host *h, req_id id)
{
    struct domain *d = host_domain(h);
    if (!host_begin_action(d, CLUSTER_REVOKE, id, 0))
        return;
    struct request *r = host_visible(d, id);
    if (r == NULL)
        cluster_fail(d->cluster, d, "revoke: %s is not in this domain", name_of(d, id).at);
    else if (r->state == REQUEST_UNTOLD)
        return; /* too late: its kernel has ended, as on_complete is about to tell */
    else if (r->state != REQUEST_RUNNING || r->stop.pledged)
        cluster_fail(d->cluster, d, "revoke: %s must run, but it %s", name_of(d, id).at,
                     r->stop.pledged ? "is being revoked" : state_name(r));
    else if (!d->cluster->device_kind->can_revoke)
        cluster_fail(d->cluster, d,
                     "revoke: %s runs on a %s, where nothing is revoked (see "
                     "host_device.revoke_ns)",
                     name_of(d, id).at, d->cluster->device_kind->name);
    else if (host_cost_of(d, r)->kill_ns < 0)
        cluster_fail(d->cluster, d,
                     "revoke: the profile of the device of %s has no cost of \"%s\"; "
                     "revocation.mechanism and revocation.kill_ms choose another",
                     name_of(d, id).at, dcs_mechanism_name(host_cost_of(d, r)->mechanism));
    else
        host_carry_out(d, CLUSTER_REVOKE, r);
}

void host_act_drop(struct host *h, req_id id)
{
    struct domain *d = host_domain(h);
    if (!host_begin_action(d, CLUSTER_DROP, id, 0))
        return;
    struct request *r = waiting(d, id, "drop");
    if (r != NULL)
        host_carry_out(d, CLUSTER_DROP, r);
}

void host_act_return(struct host *h, req_id id)
{
    struct domain *d = host_domain(h);
    if (!host_begin_action(d, CLUSTER_RETURN, id, 0))
        return;
    struct request *r = waiting(d, id, "return_to_router");
    if (r != NULL)
        host_carry_out(d, CLUSTER_RETURN, r);
}
