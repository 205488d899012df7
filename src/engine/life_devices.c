/*
 * life_devices.c - the life of requests on devices of any kind (device_kind.h): it fills in
 * launches, and applies to requests what launches, stops, ends and resizes on devices do to them.
 */
#include "engine/cluster_state.h"

/* ---- Launches ---- */

/* A transfer needs no SMs and switches nothing. */
static void fill_part(const struct cluster *c, const struct device *dev, const struct request *r,
                      struct host_allotment a, struct device_part *part)
{
    part->id = r->id;
    part->job = r->job;
    part->index = r->index;
    part->app = request_form(c, r);
    part->kernel = r->kernel;
    part->transfer = device_is_transfer(c, r);
    part->switches = !part->transfer && device_switches(c, r, a);
    part->switch_ns =
        part->switches ? dev->kind->switch_ns(c->spec, dev->profile, r->quota.last, a) : 0;
    part->host_ns = part->work_ns = part->saved_ns = 0;
}

/* What a launch of one kernel has no use for stays as it is: much of a launch is about two. */
static void begin_launch(struct device_launch *out, uint32_t parts, struct host_allotment a,
                         uint32_t way)
{
    out->parts = parts;
    out->allotment = a;
    out->way = way;
    out->resizes = false;
    out->measured = false;
    out->alone_ns = 0;
    out->chunk.iterations = 0;
    out->beyond = false;
}

void life_prepare(const struct cluster *c, const struct device *dev, const struct request *r,
                  struct host_allotment a, struct device_launch *out)
{
    begin_launch(out, 1, a, 0);
    fill_part(c, dev, r, a, &out->part[0]);
}

void life_prepare_fused(const struct cluster *c, const struct device *dev, const struct request *a,
                        const struct request *b, uint32_t way, struct device_launch *out)
{
    const struct host_allotment whole = {.mechanism = HOST_WHOLE};
    begin_launch(out, 2, whole, way);
    fill_part(c, dev, a, whole, &out->part[0]);
    fill_part(c, dev, b, whole, &out->part[1]);
    out->measured = host_fusion_pair(c, a, b, &out->pair);
}

/* When the host launches each kernel of a request; NULL: that is not known. */
static const struct dcs_host_gap *host_of(const struct cluster *c, const struct device *dev,
                                          const struct request *r)
{
    const struct dcs_app *app = request_form(c, r);
    return app->host != NULL ? app->host[dev->profile] : NULL;
}

/* How long the device waits for the host of a kernel. The host begins when the policy lets the
 * request begin. A kernel that begins anew, after a revocation, it has launched before. */
static int64_t host_wait_ns(const struct cluster *c, const struct device *dev, struct request *r)
{
    const struct dcs_host_gap *host = host_of(c, dev, r);
    if (host == NULL)
        return 0;
    if (r->launched_ns == 0)
        r->launched_ns = dcs_host_launch_ns(&host[r->kernel], c->now_ns, c->now_ns);
    return r->launched_ns > c->now_ns ? r->launched_ns - c->now_ns : 0;
}

/* A kernel has ended: its host goes on to the next one. */
static void go_on_host(const struct cluster *c, const struct device *dev, struct request *r)
{
    const struct dcs_host_gap *host = host_of(c, dev, r);
    if (host != NULL && r->kernel + 1 < request_form(c, r)->kernels)
        r->launched_ns = dcs_host_launch_ns(&host[r->kernel + 1], r->launched_ns, c->now_ns);
}

/* One kernel of a launch begins: its true work is drawn, and its request runs. */
static void begin_part(struct cluster *c, struct device *dev, struct device_part *part,
                       struct host_allotment a)
{
    struct request *r = request_find(c, part->id);
    part->work_ns = request_true_work_ns(c, r, r->kernel, dev->profile);
    part->saved_ns = r->saved_ns;
    part->host_ns = host_wait_ns(c, dev, r);
    if (part->switches) {
        DCS_ASSERT(part->switch_ns >= 0);
        r->quota.switches++;
        if (c->spec->driven == NULL) /* a real GPU takes its time, and nobody knows how much */
            r->quota.switch_ns = dcs_add_times(r->quota.switch_ns, part->switch_ns);
        if (recording(c))
            record_quota(c, r, a);
    }
    if (dev->kind->switch_ns != NULL && !part->transfer) {
        r->quota.held = true;
        r->quota.last = a;
    }
    life_launched(c, r, dev, part->work_ns);
}

void life_launch(struct cluster *c, struct device *dev, struct device_launch *l)
{
    bool fused = l->parts == 2;
    if (fused)
        host_fusion_begins(c, l);
    for (uint32_t i = 0; i < l->parts; i++)
        begin_part(c, dev, &l->part[i], l->allotment);
    dev->kind->start(dev, c->now_ns, l);
    int64_t began_ns = 0;
    if (fused || recording(c))
        began_ns = device_began_ns(dev, request_find(c, l->part[0].id));
    if (fused)
        host_fusion_began(c, l, began_ns);
    for (uint32_t i = 0; recording(c) && i < l->parts; i++)
        record_launch(c, l, i, began_ns);
    device_changed(c, dev);
}

void life_resize(struct cluster *c, struct request *r, struct host_allotment a)
{
    struct device *dev = &c->devices[r->device];
    if (recording(c))
        record_quota(c, r, a);
    if (r->quota.held)
        r->quota.last = a;
    dev->kind->resize(dev, c->now_ns, r->id, a);
    device_changed(c, dev);
}

/* ---- Ends ---- */

void life_device(struct cluster *c, uint32_t device)
{
    struct device *dev = &c->devices[device];
    struct device_end ends[DEVICE_TOGETHER_MAX];
    dev->event = 0;
    uint32_t n = dev->kind->advance(dev, c->now_ns, ends);
    if (n == 2)
        host_fusion_ends(c, ends);
    for (uint32_t i = 0; i < n; i++) {
        struct request *r = request_find(c, ends[i].id);
        DCS_ASSERT(r != NULL && (r->device == device || dev->kind->divides));
        if (ends[i].stopped) {
            life_stop_over(c, r);
            continue;
        }
        if (ends[i].quota) {
            life_quota_used(c, r, ends[i].first_sm);
            continue;
        }
        if (dev->kind->divides) {
            life_chunk_done(c, dev, r);
            continue;
        }
        device_pledge_stop(dev, r, false, false); /* its charged revocation comes too late */
        go_on_host(c, dev, r);
        life_kernel_done(c, r);
    }
    device_changed(c, dev);
}

/* How long it takes this time, which no policy knows. */
static void draw_kill(const struct cluster *c, struct device *dev,
                      struct dcs_profile_revocation *cost)
{
    const struct dcs_profile_kills *k = cost->kills;
    if (k == NULL)
        return;
    bool again = dev->kills > 0 && c->now_ns - dev->killed_ns <= DCS_KILL_AGAIN_NS;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, c->spec->seed, c->spec->replication, DCS_RNG_KILLS,
                   (uint64_t)dev->index << 32 | dev->kills);
    uint64_t nth = (dcs_rng_u64(&rng) >> 32) * k->count[again] >> 32;
    cost->kill_ns = cost->kills_vary ? k->ns[again][nth] : k->mean_ns[again];
    dev->kills++;
    dev->killed_ns = dcs_add_times(c->now_ns, cost->kill_ns);
}

void life_stop(struct cluster *c, struct request *r)
{
    struct device *dev = &c->devices[r->device];
    struct device_victim victims[DEVICE_TOGETHER_MAX];
    struct dcs_profile_revocation cost = *host_cost_of(&c->domains[r->domain], r);
    draw_kill(c, dev, &cost);
    uint32_t n = dev->kind->stop(dev, c->now_ns, r->id, &cost, victims);
    for (uint32_t i = 0; i < n; i++) {
        struct request *victim = request_find(c, victims[i].id);
        DCS_ASSERT(victim != NULL && victim->state == REQUEST_RUNNING);
        device_pledge_stop(dev, victim, false, false); /* its own is no longer needed */
        victim->quota.held = false;                    /* its context is gone */
        victim->saved_ns += victims[i].kept_ns;
        life_stopping(c, victim);
    }
    device_changed(c, dev);
    if (dev->unsettled)
        device_set_event(c, dev); /* the revocation may end at this instant */
}

/* ---- The truth scramble ---- */

static void scramble_device(struct cluster *c, struct device *dev)
{
    uint32_t n = dev->kind->running(dev);
    bool changed = false;
    for (uint32_t i = 0; i < n; i++) {
        struct request *r = request_find(c, dev->kind->nth(dev, i));
        double factor = request_scramble_factor(c->spec->probe, r);
        if (!(factor > 0))
            continue;
        r->work_ns += dev->kind->scale_left(dev, c->now_ns, r->id, r->work_ns, factor);
        changed = true;
    }
    if (changed)
        device_changed(c, dev);
}

void life_scramble(struct cluster *c)
{
    c->requests.scrambled = true;
    for (uint32_t i = 0; i < c->devices_count; i++)
        scramble_device(c, &c->devices[i]);
}
