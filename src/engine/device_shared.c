/* device_shared.c - GPUs that several kernels share (models/gpu/gpu.h). */
#include "engine/device.h"

#include <stdlib.h>

_Static_assert(DCS_TOGETHER_MAX <= DEVICE_TOGETHER_MAX, "ends of a GPU fit");

struct shared {
    struct dcs_gpu *gpu;
    req_id *pledged; /* whose charged launches are under way */
    size_t pledged_capacity;
    struct dcs_gpu_promised promised; /* to them, and to what is to be resized: */
    struct pledged_resize {
        req_id id;
        int64_t sms; /* more than it has, or is to have by those before */
    } * resizes;
    size_t resizes_count, resizes_capacity;
};

static struct shared *of(const struct device *dev)
{
    return dev->truth;
}

struct dcs_gpu *device_shared_truth(const struct device *dev)
{
    return of(dev)->gpu;
}

static const struct dcs_spatial *model_of(const struct device *dev)
{
    return dev->spec->sharing.spatial[dev->profile];
}

static bool serves(const struct cluster_spec *spec)
{
    return spec->sharing.spatial != NULL;
}

/* ---- Contention: a solver for each profile; NULL where kernels do not slow each other ---- */

static void *open_all(const struct cluster_spec *spec)
{
    struct dcs_contention **all = dcs_alloc(spec->profiles, sizeof *all);
    for (uint32_t i = 0; i < spec->profiles && spec->sharing.contention; i++)
        all[i] = dcs_contention_create(spec->sharing.spatial[i]);
    return all;
}

static void close_all(const struct cluster_spec *spec, void *all)
{
    struct dcs_contention **contention = all;
    for (uint32_t i = 0; i < spec->profiles; i++)
        dcs_contention_destroy(contention[i]);
    free(contention);
}

static void count_all(const struct cluster_spec *spec, const void *all,
                      struct dcs_contention_stats *sum)
{
    struct dcs_contention *const *contention = all;
    for (uint32_t i = 0; i < spec->profiles; i++) {
        if (contention[i] == NULL)
            continue;
        struct dcs_contention_stats stats = dcs_contention_stats(contention[i]);
        sum->hits += stats.hits;
        sum->misses += stats.misses;
        sum->iterations += stats.iterations;
    }
}

static uint64_t bytes(void)
{
    return sizeof(struct shared) + 4 * sizeof(req_id) + dcs_gpu_bytes();
}

static void open_device(struct device *dev, void *all)
{
    struct dcs_contention *const *contention = all;
    const struct cluster_spec *s = dev->spec;
    struct shared *state = dcs_alloc(1, sizeof *state);
    state->gpu = dcs_gpu_create(model_of(dev), contention[dev->profile],
                                s->profile_memory_bytes[dev->profile], s->warmup_ns);
    dcs_gpu_let_move(state->gpu, s->sharing.moves);
    dev->truth = state;
}

static void free_device(struct device *dev)
{
    dcs_gpu_destroy(of(dev)->gpu);
    free(of(dev)->pledged);
    free(of(dev)->resizes);
    free(dev->truth);
}

/* ---- What a policy sees ---- */

static enum host_device_state state_of(const struct device *dev)
{
    const struct dcs_gpu *g = of(dev)->gpu;
    if (dcs_gpu_running(g) > 0)
        return HOST_BUSY;
    return dcs_gpu_stopping(g) > 0 ? HOST_REVOKING : HOST_IDLE;
}

/* SMs of a step: partitions are multiples of it. */
static uint32_t step_of(const struct device *dev)
{
    uint32_t sms = model_of(dev)->sms;
    return dev->spec->sharing.step_sms < sms ? dev->spec->sharing.step_sms : sms;
}

/* The lowest request that runs, or whose charged launch is under way; 0: none. */
static req_id first_of(const struct shared *s)
{
    req_id first = dcs_gpu_running(s->gpu) > 0 ? dcs_gpu_nth(s->gpu, 0) : 0;
    for (uint32_t i = 0; i < s->promised.kernels; i++)
        if (first == 0 || s->pledged[i] < first)
            first = s->pledged[i];
    return first;
}

static req_id look(const struct device *dev, struct host_device *out)
{
    const struct dcs_spatial *model = model_of(dev);
    const struct shared *s = of(dev);
    uint32_t runs = dcs_gpu_running(s->gpu);
    out->state = state_of(dev);
    if (dev->traps_pledged > 0)
        out->state = HOST_REVOKING;
    else if (out->state == HOST_IDLE && s->promised.kernels > 0)
        out->state = HOST_BUSY;
    out->mechanisms = 1u << HOST_WHOLE | 1u << HOST_GREEN | 1u << HOST_MPS;
    out->can_fuse = model->fusion != NULL;
    out->can_resize = dev->spec->sharing.moves != DCS_MOVES_NOT;
    out->kernels_max = DCS_TOGETHER_MAX;
    out->kernels = runs + dcs_gpu_stopping(s->gpu) + s->promised.kernels;
    out->first = first_of(s);
    out->sms = model->sms;
    out->sms_step = step_of(dev);
    int64_t allotted = (int64_t)dcs_gpu_sms_allotted(s->gpu) + s->promised.sms;
    /* While a charged resize is under way only the callback that asked for it looks, and no kernel
     * ends in a callback. */
    DCS_ASSERT(allotted >= 0);
    out->sms_allotted = (uint32_t)allotted;
    out->bandwidth = (int64_t)(model->dram_gbs * 1e9);
    out->memory_bytes = dev->spec->profile_memory_bytes[dev->profile];
    out->memory_used_bytes = dcs_gpu_memory_used(s->gpu) + s->promised.memory_bytes;
    return runs > 0 ? dcs_gpu_nth(s->gpu, 0) : 0;
}

/* ---- Launches ---- */

/* In the model's words; a mechanism that the model has not keeps its number. */
static struct dcs_gpu_allotment allotment_of(struct host_allotment a)
{
    _Static_assert((int)DCS_GPU_WHOLE == HOST_WHOLE && (int)DCS_GPU_GREEN == HOST_GREEN &&
                       (int)DCS_GPU_MPS == HOST_MPS,
                   "the device and the contract number the mechanisms alike");
    return (struct dcs_gpu_allotment){.share = (enum dcs_gpu_share)a.mechanism, .sms = a.sms};
}

/* One part of a launch, without its true work. */
static struct dcs_gpu_launch launch_of(const struct device *dev, const struct device_launch *l,
                                       uint32_t i)
{
    const struct device_part *part = &l->part[i];
    const struct dcs_app *app = part->app;
    return (struct dcs_gpu_launch){
        .id = part->id,
        .shape = app->shapes != NULL ? app->shapes[dev->profile * app->kernels + part->kernel]
                                     : DCS_NO_SHAPE,
        .scale = 1,
        .memory_bytes = app->memory_bytes,
        .allotment = allotment_of(l->allotment),
        .class = app->class,
    };
}

/* Whether HOST_GREEN can make a partition of this many SMs. A partition has whole steps. One of
 * them may also have the SMs that are left over where the device is no multiple of a step.
 * Partitions of 0 SMs, or of more than the device has, are left to dcs_gpu_admits(). */
static bool is_partition(const struct device *dev, struct host_allotment a)
{
    uint32_t sms = model_of(dev)->sms, step = step_of(dev);
    return a.mechanism != HOST_GREEN || a.sms > sms || a.sms % step == 0 ||
           a.sms % step == sms % step;
}

static bool is_transfer(const struct cluster_spec *spec, uint32_t profile,
                        const struct dcs_app *app, uint32_t kernel)
{
    if (app->shapes == NULL)
        return false;
    uint32_t shape = app->shapes[profile * app->kernels + kernel];
    return spec->sharing.spatial[profile]->shapes[shape].kind != DCS_SHAPE_COMPUTE;
}

static int64_t switch_ns(const struct cluster_spec *spec, uint32_t profile,
                         struct host_allotment before, struct host_allotment now)
{
    if (spec->sharing.quota_switch_ns != CLUSTER_SWITCH_MEASURED)
        return spec->sharing.quota_switch_ns;
    /* To and from the whole device as to and from a part of it. */
    enum host_mechanism by = now.mechanism != HOST_WHOLE ? now.mechanism : before.mechanism;
    return spec->sharing.spatial[profile]
        ->switch_ns[by == HOST_MPS ? DCS_SWITCH_MPS : DCS_SWITCH_GREEN];
}

static const char revoked[] = "it is being revoked";
static const char unmeasured_switch[] =
    "sharing.quota_switch_us is \"profile\", and the profile has not measured what a change of "
    "quota costs by this mechanism: measure it with dcsim-calibrate switch --output PROFILE.db, or "
    "give a time";

static const char *refuses_fused(const struct device *dev, const struct device_launch *l)
{
    const char *why;
    if (!l->measured || l->way < l->pair.first || l->way >= l->pair.end)
        return "the variant is not one of theirs (see host_predict_fused)";
    if (!model_of(dev)->fusion->ways[l->way].fits)
        return "an SM has not what a block of this variant needs";
    if (dev->traps_pledged > 0)
        return revoked;
    if (l->part[0].switch_ns < 0 || l->part[1].switch_ns < 0)
        return unmeasured_switch;
    const struct dcs_gpu_launch parts[] = {launch_of(dev, l, 0), launch_of(dev, l, 1)};
    dcs_gpu_admits_fused(of(dev)->gpu, parts, &of(dev)->promised, &why);
    return why;
}

/* By how much the charged resizes of a kernel change its allotment together. */
static int64_t resizes_of(const struct shared *s, req_id id)
{
    int64_t sms = 0;
    for (size_t i = 0; i < s->resizes_count; i++)
        sms += s->resizes[i].id == id ? s->resizes[i].sms : 0;
    return sms;
}

static const char *refuses_resize(const struct device *dev, const struct device_launch *l)
{
    const char *why;
    struct dcs_gpu_promised others = of(dev)->promised;
    if (dev->traps_pledged > 0)
        return revoked;
    if (l->allotment.mechanism != HOST_GREEN || !is_partition(dev, l->allotment))
        return "SMs move between partitions, which are multiples of host_device.sms_step";
    others.sms -= resizes_of(of(dev), l->part[0].id); /* what the kernel was to have until now */
    dcs_gpu_admits_resize(of(dev)->gpu, l->part[0].id, l->allotment.sms, &others, &why);
    return why;
}

static const char *refuses(const struct device *dev, const struct device_launch *l)
{
    const char *why;
    if (l->resizes)
        return refuses_resize(dev, l);
    if (l->parts == 2)
        return refuses_fused(dev, l);
    if (dev->traps_pledged > 0)
        return revoked;
    if (!is_partition(dev, l->allotment))
        return "its partitions are multiples of host_device.sms_step, one of them with what is "
               "left over";
    if (l->part[0].switch_ns < 0)
        return unmeasured_switch;
    const struct dcs_gpu_launch launch = launch_of(dev, l, 0);
    dcs_gpu_admits(of(dev)->gpu, &launch, &of(dev)->promised, &why);
    return why;
}

/* What is promised to one part of a launch. Both parts of a fused launch have the same SMs, which
 * are counted for the first; a transfer that is launched whole has none. */
static struct dcs_gpu_promised promise_of(const struct device *dev, const struct device_launch *l,
                                          uint32_t i)
{
    bool whole = l->allotment.mechanism == HOST_WHOLE;
    struct dcs_gpu_promised p = {.memory_bytes = l->part[i].app->memory_bytes};
    if (i == 0 && !(whole && l->part[i].transfer)) {
        p.whole = whole;
        p.sms = whole ? model_of(dev)->sms : l->allotment.sms;
    }
    return p;
}

static void pledge_resize(struct shared *s, const struct device_launch *l)
{
    int64_t more = (int64_t)l->allotment.sms - dcs_gpu_allotment(s->gpu, l->part[0].id) -
                   resizes_of(s, l->part[0].id);
    s->resizes =
        dcs_grow(s->resizes, &s->resizes_capacity, s->resizes_count + 1, sizeof *s->resizes);
    s->resizes[s->resizes_count++] = (struct pledged_resize){l->part[0].id, more};
    s->promised.sms += more;
}

/* Charged actions take effect in their order: the oldest one. */
static void unpledge_resize(struct shared *s, const struct device_launch *l)
{
    size_t i = 0;
    while (i < s->resizes_count && s->resizes[i].id != l->part[0].id)
        i++;
    DCS_ASSERT(i < s->resizes_count);
    s->promised.sms -= s->resizes[i].sms;
    for (s->resizes_count--; i < s->resizes_count; i++)
        s->resizes[i] = s->resizes[i + 1];
}

static void pledge(struct device *dev, const struct device_launch *l)
{
    struct shared *s = of(dev);
    struct dcs_gpu_promised *p = &s->promised;
    if (l->resizes) {
        pledge_resize(s, l);
        return;
    }
    for (uint32_t i = 0; i < l->parts; i++) {
        struct dcs_gpu_promised more = promise_of(dev, l, i);
        DCS_ASSERT(p->kernels < DCS_TOGETHER_MAX);
        s->pledged =
            dcs_grow(s->pledged, &s->pledged_capacity, p->kernels + (size_t)1, sizeof *s->pledged);
        s->pledged[p->kernels++] = l->part[i].id;
        p->whole = p->whole || more.whole;
        p->sms += more.sms;
        p->memory_bytes += more.memory_bytes;
    }
}

static void unpledge(struct device *dev, const struct device_launch *l)
{
    struct shared *s = of(dev);
    struct dcs_gpu_promised *p = &s->promised;
    if (l->resizes) {
        unpledge_resize(s, l);
        return;
    }
    for (uint32_t i = 0; i < l->parts; i++) {
        struct dcs_gpu_promised less = promise_of(dev, l, i);
        uint32_t k = 0;
        while (k < p->kernels && s->pledged[k] != l->part[i].id)
            k++;
        DCS_ASSERT(k < p->kernels);
        for (p->kernels--; k < p->kernels; k++)
            s->pledged[k] = s->pledged[k + 1];
        p->whole = p->whole && !less.whole;
        p->sms -= less.sms;
        p->memory_bytes -= less.memory_bytes;
    }
}

/* One part of a launch with its true work, which has noise and scramble in it. */
static struct dcs_gpu_launch true_launch(const struct device *dev, const struct device_launch *l,
                                         uint32_t i)
{
    const struct device_part *part = &l->part[i];
    const struct dcs_app *app = part->app;
    struct dcs_gpu_launch launch = launch_of(dev, l, i);
    DCS_ASSERT(part->switch_ns >= 0);
    launch.work_ns = (double)part->work_ns;
    /* It switches while its host is on the way. */
    launch.delay_ns = part->switch_ns > part->host_ns ? part->switch_ns : part->host_ns;
    if (launch.shape != DCS_NO_SHAPE)
        launch.scale =
            launch.work_ns / (double)app->mean_ns[dev->profile * app->kernels + part->kernel];
    return launch;
}

static void start_fused(struct device *dev, int64_t now_ns, struct device_launch *l)
{
    const struct dcs_spatial *s = model_of(dev);
    int tensor = l->pair.tensor;
    struct dcs_gpu_fused f;
    double alone_ns[2];
    for (uint32_t i = 0; i < 2; i++) {
        f.parts[i] = true_launch(dev, l, i);
        alone_ns[i] = dcs_shape_solo_ns(s, f.parts[i].shape, s->sms) * f.parts[i].scale;
    }
    struct dcs_fused_time t =
        dcs_fusion_time(s->fusion, l->way, alone_ns[tensor], alone_ns[1 - tensor]);
    f.end_ns[tensor] = t.tensor_end_ns;
    f.end_ns[1 - tensor] = t.cuda_end_ns;
    dcs_gpu_start_fused(of(dev)->gpu, now_ns, &f);
    l->alone_ns = alone_ns[0] + alone_ns[1];
    l->beyond = t.beyond;
}

static void start(struct device *dev, int64_t now_ns, struct device_launch *l)
{
    if (l->parts == 2) {
        start_fused(dev, now_ns, l);
        return;
    }
    const struct dcs_gpu_launch launch = true_launch(dev, l, 0);
    dcs_gpu_start(of(dev)->gpu, now_ns, &launch);
}

/* ---- What happens there ---- */

static void resize(struct device *dev, int64_t now_ns, req_id id, struct host_allotment a)
{
    dcs_gpu_resize(of(dev)->gpu, now_ns, id, a.sms);
}

static uint32_t stop(struct device *dev, int64_t now_ns, req_id id,
                     const struct dcs_profile_revocation *cost, struct device_victim *victims)
{
    uint64_t ids[DCS_TOGETHER_MAX];
    uint32_t n = dcs_gpu_stop(of(dev)->gpu, now_ns, id, cost, ids);
    for (uint32_t i = 0; i < n; i++)
        victims[i] = (struct device_victim){.id = ids[i]};
    return n;
}

static int64_t next_ns(const struct device *dev)
{
    return dcs_gpu_next_ns(of(dev)->gpu);
}

static uint32_t advance(struct device *dev, int64_t now_ns, struct device_end *ends)
{
    struct dcs_gpu_end ended[DCS_TOGETHER_MAX];
    uint32_t n = dcs_gpu_advance(of(dev)->gpu, now_ns, ended);
    for (uint32_t i = 0; i < n; i++)
        ends[i] = (struct device_end){.id = ended[i].id, .stopped = ended[i].stopped};
    return n;
}

static uint32_t running(const struct device *dev)
{
    return dcs_gpu_running(of(dev)->gpu);
}

static req_id nth(const struct device *dev, uint32_t n)
{
    return dcs_gpu_nth(of(dev)->gpu, n);
}

static int64_t began_ns(const struct device *dev, req_id id)
{
    return dcs_gpu_began_ns(of(dev)->gpu, id);
}

static int64_t scale_left(struct device *dev, int64_t now_ns, req_id id, int64_t work_ns,
                          double factor)
{
    double left = dcs_gpu_left(of(dev)->gpu, now_ns, id);
    dcs_gpu_scale_left(of(dev)->gpu, now_ns, id, factor);
    return device_work_growth_ns(work_ns, left, factor);
}

static const struct dcs_gpu *gpu_of(const struct device *dev)
{
    return of(dev)->gpu;
}

static void close_device(struct device *dev, int64_t end_ns, struct device_usage *out)
{
    dcs_gpu_close(of(dev)->gpu, end_ns);
    out->done = *dcs_gpu_usage(of(dev)->gpu);
    out->sms = model_of(dev)->sms;
}

const struct device_kind device_shared = {
    .name = "shared GPU",
    .shares = true,
    .allots_sms = true,
    .fuses = true,
    .can_resize = true,
    .can_revoke = true,
    .settles_late = true,
    .serves = serves,
    .open_all = open_all,
    .close_all = close_all,
    .count_all = count_all,
    .bytes = bytes,
    .open = open_device,
    .free = free_device,
    .look = look,
    .refuses = refuses,
    .pledge = pledge,
    .unpledge = unpledge,
    .start = start,
    .resize = resize,
    .stop = stop,
    .next_ns = next_ns,
    .advance = advance,
    .state = state_of,
    .running = running,
    .nth = nth,
    .began_ns = began_ns,
    .scale_left = scale_left,
    .switch_ns = switch_ns,
    .is_transfer = is_transfer,
    .gpu = gpu_of,
    .close = close_device,
};
