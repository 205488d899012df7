/*
 * cluster_shared.c - kernels on devices that several share (models/gpu.h): their launches, ends and
 * revocations, as lifecycle.c has them for devices that run one at a time.
 *
 * A device has one pending event, for whatever changes on it next; it is set again at the end of
 * each instant at which something has changed.
 */
#include "engine/cluster_state.h"

#include <stdlib.h>

void shared_create(struct cluster *c)
{
    const struct cluster_spec *s = c->spec;
    if (s->sharing.spatial == NULL)
        return;
    c->contention = dcs_alloc(s->kinds, sizeof *c->contention);
    for (uint32_t kind = 0; kind < s->kinds && s->sharing.contention; kind++)
        c->contention[kind] = dcs_contention_create(s->sharing.spatial[kind]);
    for (uint32_t i = 0; i < c->devices_count; i++) {
        struct device *dev = &c->devices[i];
        uint32_t kind = c->domains[dev->domain].kind;
        dev->shared = dcs_alloc(1, sizeof *dev->shared);
        dev->shared->gpu = dcs_gpu_create(s->sharing.spatial[kind], c->contention[kind],
                                          s->kind_memory_bytes[kind], s->warmup_ns);
    }
}

void shared_destroy(struct cluster *c)
{
    if (c->contention == NULL)
        return;
    for (uint32_t i = 0; i < c->devices_count; i++) {
        dcs_gpu_destroy(c->devices[i].shared->gpu);
        free(c->devices[i].shared);
    }
    for (uint32_t kind = 0; kind < c->spec->kinds; kind++)
        dcs_contention_destroy(c->contention[kind]);
    free(c->contention);
}

void shared_measure(struct cluster *c)
{
    struct dcs_contention_stats *sum = &c->result->contention;
    for (uint32_t kind = 0; c->contention != NULL && kind < c->spec->kinds; kind++) {
        if (c->contention[kind] == NULL)
            continue;
        struct dcs_contention_stats stats = dcs_contention_stats(c->contention[kind]);
        sum->hits += stats.hits;
        sum->misses += stats.misses;
        sum->iterations += stats.iterations;
    }
}

static enum host_device_state state_of(const struct dcs_gpu *g)
{
    if (dcs_gpu_running(g) > 0)
        return HOST_BUSY;
    return dcs_gpu_stopping(g) > 0 ? HOST_REVOKING : HOST_IDLE;
}

/* After a change on a device: since when it is what it is. Its event follows at the end of the
 * instant. */
static void changed(struct cluster *c, struct device *dev)
{
    struct shared *s = dev->shared;
    enum host_device_state state = state_of(s->gpu);
    cluster_device_changed(c, dev);
    if (state != s->state) {
        s->state = state;
        dev->since_ns = c->now_ns;
    }
    if (s->unsettled)
        return;
    s->unsettled = true;
    c->unsettled = dcs_grow(c->unsettled, &c->unsettled_capacity, c->unsettled_count + 1,
                            sizeof *c->unsettled);
    c->unsettled[c->unsettled_count++] = (uint32_t)(dev - c->devices);
}

/* Sets its event. */
static void settle(struct cluster *c, struct device *dev)
{
    struct shared *s = dev->shared;
    int64_t next_ns = dcs_gpu_next_ns(s->gpu);
    if (recording(c))
        record_rates(c, dev);
    if (dev->event != 0 && s->event_ns == next_ns)
        return;
    dcs_events_cancel(c->events, dev->event);
    dev->event = 0;
    if (next_ns == DCS_NEVER)
        return;
    if (next_ns >= DCS_TIME_MAX) {
        cluster_too_long(c);
        return;
    }
    s->event_ns = next_ns;
    dev->event = dcs_events_add(c->events, next_ns, CLASS_DEVICE, EVENT_SHARED,
                                (uint64_t)(dev - c->devices));
}

void shared_settle(struct cluster *c)
{
    for (size_t i = 0; i < c->unsettled_count && !c->failed; i++) {
        struct device *dev = &c->devices[c->unsettled[i]];
        dev->shared->unsettled = false;
        settle(c, dev);
    }
    c->unsettled_count = 0;
}

/* In the device's words; what is none of them stays none. */
static struct dcs_gpu_allotment allotment_of(struct host_allotment a)
{
    _Static_assert((int)DCS_GPU_WHOLE == HOST_WHOLE && (int)DCS_GPU_GREEN == HOST_GREEN &&
                       (int)DCS_GPU_MPS == HOST_MPS,
                   "the device and the contract number the mechanisms alike");
    return (struct dcs_gpu_allotment){.share = (enum dcs_gpu_share)a.mechanism, .sms = a.sms};
}

/* What the present kernel of a request would be launched as. Its truth is not filled in. */
static struct dcs_gpu_launch launch_of(const struct cluster *c, const struct request *r,
                                       struct host_allotment a)
{
    const struct dcs_app *app = cluster_form(c, r);
    uint32_t kind = c->domains[r->domain].kind;
    return (struct dcs_gpu_launch){
        .id = r->id,
        .shape = app->shapes != NULL ? app->shapes[kind * app->kernels + r->kernel] : DCS_NO_SHAPE,
        .scale = 1,
        .memory_bytes = app->memory_bytes,
        .allotment = allotment_of(a),
        .class = app->class,
    };
}

/* Whether an allotment of SMs of its own is one that the mechanism can make: whole steps, or whole
 * steps and the rest of a device that is no multiple of a step. 0, or too much, is refused as such.
 */
static bool is_partition(const struct cluster *c, const struct request *r, struct host_allotment a)
{
    uint32_t sms = c->spec->sharing.spatial[c->domains[r->domain].kind]->sms;
    uint32_t step = c->spec->sharing.step_sms < sms ? c->spec->sharing.step_sms : sms;
    return a.mechanism != HOST_GREEN || a.sms > sms || a.sms % step == 0 ||
           a.sms % step == sms % step;
}

static bool same_allotment(struct host_allotment a, struct host_allotment b)
{
    return a.mechanism == b.mechanism && a.sms == b.sms;
}

int64_t cluster_switch_ns(const struct cluster_spec *spec, uint32_t kind,
                          struct host_allotment before, struct host_allotment now)
{
    if (spec->sharing.quota_switch_ns != CLUSTER_SWITCH_MEASURED)
        return spec->sharing.quota_switch_ns;
    /* To and from the whole device as to and from a part of it. */
    enum host_mechanism by = now.mechanism != HOST_WHOLE ? now.mechanism : before.mechanism;
    return spec->sharing.spatial[kind]
        ->switch_ns[by == HOST_MPS ? DCS_SWITCH_MPS : DCS_SWITCH_GREEN];
}

bool shared_is_transfer(const struct cluster *c, const struct request *r)
{
    uint32_t kind = c->domains[r->domain].kind;
    const struct dcs_app *app = cluster_form(c, r);
    if (app->shapes == NULL)
        return false;
    uint32_t shape = app->shapes[kind * app->kernels + r->kernel];
    return c->spec->sharing.spatial[kind]->shapes[shape].kind != DCS_SHAPE_COMPUTE;
}

/* A launch with such an allotment would be with another one than the kernel before had. Transfers
 * need no SMs: they change no quota, and the kernels before and after them are compared. */
static bool switches(const struct cluster *c, const struct request *r, struct host_allotment a)
{
    return r->has_quota && !same_allotment(r->quota, a) && !shared_is_transfer(c, r);
}

/* What that costs is known, if anything. */
static bool can_switch(const struct cluster *c, const struct request *r, struct host_allotment a)
{
    return !switches(c, r, a) ||
           cluster_switch_ns(c->spec, c->domains[r->domain].kind, r->quota, a) >= 0;
}

static const char unmeasured_switch[] =
    "sharing.quota_switch_us is \"profile\", and the profile has not measured what a change of "
    "quota costs by this mechanism: measure it with dcsim-calibrate switch --output PROFILE.db, or "
    "give a time";

const char *shared_refuses(const struct cluster *c, const struct device *dev,
                           const struct request *r, struct host_allotment a)
{
    const char *why;
    struct dcs_gpu_launch l = launch_of(c, r, a);
    if (dev->shared->traps_pledged > 0)
        return "it is being revoked";
    if (!is_partition(c, r, a))
        return "its partitions are multiples of host_device.sms_step, one of them with what is "
               "left "
               "over";
    if (!can_switch(c, r, a))
        return unmeasured_switch;
    dcs_gpu_admits(dev->shared->gpu, &l, &dev->shared->promised, &why);
    return why;
}

/* The present kernel of a request is launched. */
static struct dcs_gpu_launch begin_launch(struct cluster *c, struct request *r, struct device *dev,
                                          struct host_allotment a)
{
    struct dcs_gpu_launch l = launch_of(c, r, a);
    uint32_t kind = c->domains[r->domain].kind;
    const struct dcs_app *app = cluster_form(c, r);
    int64_t work = cluster_work(c, r, r->kernel, kind);
    l.work_ns = (double)work; /* noise, and the scramble if there is one, are in it */
    if (l.shape != DCS_NO_SHAPE)
        l.scale = l.work_ns / (double)app->mean_ns[kind * app->kernels + r->kernel];
    if (switches(c, r, a)) {
        l.delay_ns = cluster_switch_ns(c->spec, kind, r->quota, a);
        DCS_ASSERT(l.delay_ns >= 0);
        r->switches++;
        r->switch_ns = dcs_add_times(r->switch_ns, l.delay_ns);
        if (recording(c))
            record_quota(c, r, a);
    }
    if (!shared_is_transfer(c, r)) {
        r->has_quota = true;
        r->quota = a;
    }
    r->ran_with = a;
    life_launched(c, r, dev, work);
    return l;
}

void shared_launch(struct cluster *c, struct request *r, struct device *dev,
                   struct host_allotment a)
{
    struct dcs_gpu_launch l = begin_launch(c, r, dev, a);
    dcs_gpu_start(dev->shared->gpu, c->now_ns, &l);
    if (recording(c))
        record_launch(c, r, dcs_gpu_began_ns(dev->shared->gpu, r->id));
    changed(c, dev);
}

const char *shared_refuses_fused(const struct cluster *c, const struct device *dev,
                                 const struct request *a, const struct request *b, uint32_t way)
{
    const struct host_allotment whole = {.mechanism = HOST_WHOLE};
    struct dcs_gpu_launch parts[] = {launch_of(c, a, whole), launch_of(c, b, whole)};
    struct dcs_fusion_pair pair;
    const char *why;
    if (!host_fusion_pair(c, a, b, &pair) || way < pair.first || way >= pair.end)
        return "the variant is not one of theirs (see host_predict_fused)";
    if (!c->spec->sharing.spatial[c->domains[a->domain].kind]->fusion->ways[way].fits)
        return "an SM has not what a block of this variant needs";
    if (dev->shared->traps_pledged > 0)
        return "it is being revoked";
    if (!can_switch(c, a, whole) || !can_switch(c, b, whole))
        return unmeasured_switch;
    dcs_gpu_admits_fused(dev->shared->gpu, parts, &dev->shared->promised, &why);
    return why;
}

void shared_launch_fused(struct cluster *c, struct request *a, struct request *b,
                         struct device *dev, uint32_t way)
{
    const struct host_allotment whole = {.mechanism = HOST_WHOLE};
    struct domain *d = &c->domains[a->domain];
    const struct dcs_spatial *s = c->spec->sharing.spatial[d->kind];
    struct dcs_fusion_pair pair;
    bool measured = host_fusion_pair(c, a, b, &pair);
    DCS_ASSERT(measured);
    host_fusion_begins(d, a, b, &pair, way);
    struct dcs_gpu_fused f;
    double alone_ns[2];
    for (int i = 0; i < 2; i++) {
        f.parts[i] = begin_launch(c, i == 0 ? a : b, dev, whole);
        alone_ns[i] = dcs_shape_solo_ns(s, f.parts[i].shape, s->sms) * f.parts[i].scale;
    }
    int tensor = pair.tensor;
    struct dcs_fused_time t =
        dcs_fusion_time(s->fusion, way, alone_ns[tensor], alone_ns[1 - tensor]);
    f.end_ns[tensor] = t.tensor_end_ns;
    f.end_ns[1 - tensor] = t.cuda_end_ns;
    dcs_gpu_start_fused(dev->shared->gpu, c->now_ns, &f);
    a->fused.began_ns = dcs_gpu_began_ns(dev->shared->gpu, a->id);
    a->fused.alone_ns = alone_ns[0] + alone_ns[1];
    a->fused.beyond = t.beyond;
    c->result->fusion.launches++;
    for (int i = 0; recording(c) && i < 2; i++)
        record_launch(c, i == 0 ? a : b, a->fused.began_ns);
    changed(c, dev);
}

/* The two of a fused launch have ended: the one that was named first is told first. */
static void end_fused(struct cluster *c, struct dcs_gpu_end *ended, uint32_t n)
{
    struct request *r = cluster_request(c, ended[0].id);
    if (r->fused.with == 0)
        return;
    DCS_ASSERT(n == 2 && r->fused.with == ended[1].id);
    struct request *other = cluster_request(c, ended[1].id);
    if (!r->fused.first) {
        struct dcs_gpu_end end = ended[0];
        ended[0] = ended[1];
        ended[1] = end;
    }
    if (!ended[0].stopped)
        host_fusion_ends(&c->domains[r->domain], r->fused.first ? r : other);
    r->fused.with = other->fused.with = 0;
}

void shared_advance(struct cluster *c, uint32_t device)
{
    struct device *dev = &c->devices[device];
    struct dcs_gpu_end ended[DCS_TOGETHER_MAX];
    dev->event = 0;
    uint32_t n = dcs_gpu_advance(dev->shared->gpu, c->now_ns, ended);
    if (n > 0)
        end_fused(c, ended, n);
    for (uint32_t i = 0; i < n; i++) {
        struct request *r = cluster_request(c, ended[i].id);
        DCS_ASSERT(r != NULL && r->device == device);
        if (ended[i].stopped) {
            life_stop_over(c, r);
            continue;
        }
        shared_pledge_stop(dev, r, false, false); /* a charged revocation came too late */
        life_kernel_done(c, r);
    }
    changed(c, dev);
}

void shared_stop(struct cluster *c, struct request *r)
{
    struct device *dev = &c->devices[r->device];
    uint64_t victims[DCS_TOGETHER_MAX];
    uint32_t n = dcs_gpu_stop(dev->shared->gpu, c->now_ns, r->id,
                              host_cost_of(&c->domains[r->domain], r), victims);
    for (uint32_t i = 0; i < n; i++) {
        struct request *victim = cluster_request(c, victims[i]);
        DCS_ASSERT(victim != NULL && victim->state == REQUEST_RUNNING);
        shared_pledge_stop(dev, victim, false, false); /* a charged one of its own is needless */
        victim->has_quota = false;                     /* what it ran in is gone */
        life_stopping(c, victim);
    }
    changed(c, dev);
    settle(c, dev); /* it may be over at once */
}

void shared_scramble(struct cluster *c, struct device *dev)
{
    struct dcs_gpu *g = dev->shared->gpu;
    uint32_t n = dcs_gpu_running(g);
    for (uint32_t i = 0; i < n; i++) {
        struct request *r = cluster_request(c, dcs_gpu_nth(g, i));
        double factor = life_scramble_factor(c->spec->probe, r);
        if (!(factor > 0))
            continue;
        double left = dcs_gpu_left(g, c->now_ns, r->id);
        r->work_ns += (int64_t)((double)r->work_ns * left * (factor - 1));
        dcs_gpu_scale_left(g, c->now_ns, r->id, factor);
    }
    changed(c, dev);
}

/* ---- Charged actions that are under way ---- */

void shared_pledge(const struct cluster *c, struct device *dev, const struct request *r,
                   struct host_allotment a)
{
    struct shared *s = dev->shared;
    struct dcs_gpu_promised *p = &s->promised;
    DCS_ASSERT(p->kernels < DCS_TOGETHER_MAX);
    s->pledged[p->kernels++] = r->id;
    bool whole = a.mechanism == HOST_WHOLE;
    p->whole = p->whole || whole;
    p->sms += whole ? c->spec->sharing.spatial[c->domains[r->domain].kind]->sms : a.sms;
    p->memory_bytes += cluster_form(c, r)->memory_bytes;
}

void shared_unpledge(const struct cluster *c, struct device *dev, const struct request *r,
                     struct host_allotment a)
{
    struct shared *s = dev->shared;
    struct dcs_gpu_promised *p = &s->promised;
    uint32_t i = 0;
    while (i < p->kernels && s->pledged[i] != r->id)
        i++;
    DCS_ASSERT(i < p->kernels);
    for (p->kernels--; i < p->kernels; i++)
        s->pledged[i] = s->pledged[i + 1];
    bool whole = a.mechanism == HOST_WHOLE;
    p->whole = p->whole && !whole;
    p->sms -= whole ? c->spec->sharing.spatial[c->domains[r->domain].kind]->sms : a.sms;
    p->memory_bytes -= cluster_form(c, r)->memory_bytes;
}

void shared_pledge_stop(struct device *dev, struct request *r, bool pledge, bool trap)
{
    struct shared *s = dev->shared;
    if (r->stop_pledged == pledge)
        return;
    r->stop_pledged = pledge;
    if (pledge)
        r->trap_pledged = trap;
    if (r->trap_pledged)
        s->traps_pledged += pledge ? 1 : -1;
}
