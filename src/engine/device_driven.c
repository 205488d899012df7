/*
 * device_driven.c - one GPU that really runs (driven.h): what is launched here is launched there,
 * and ends when it has ended there. The rules are those of the simulated GPU (models/gpu/gpu.h).
 */
#include "engine/device_driven.h"

#include "engine/device.h"

#include <stdlib.h>

struct driven_kernel {
    req_id id;
    uint32_t form; /* of its request: an index of the spec's applications */
    bool dies;     /* it is being revoked */
    uint32_t sms;  /* that it is allotted */
    bool whole;    /* nothing runs beside it but transfers */
    uint64_t memory_bytes;
    int64_t end_ns;  /* when it was seen to have ended, or to be gone; DCS_NEVER: not yet */
    int64_t used_ns; /* that the accounts have booked for it as useful */
    req_id with;     /* fused: the other kernel of its launch, which ends with it; 0: none */
    int64_t seen_ns; /* fused: its own end */
};

struct driven_device {
    struct dcs_gpu *rules; /* on which nothing ever runs: what runs is promised to it */
    struct driven_kernel kernels[DCS_TOGETHER_MAX]; /* ascending by id */
    uint32_t count;
    int64_t booked_ns; /* the accounts are kept until here */
    struct dcs_gpu_usage usage;
};

static struct driven_device *of(const struct device *dev)
{
    return dev->truth;
}

static const struct dcs_spatial *model_of(const struct device *dev)
{
    return dev->spec->sharing.spatial[dev->profile];
}

static bool serves(const struct cluster_spec *spec)
{
    return spec->driven != NULL;
}

static void open_device(struct device *dev, void *all)
{
    (void)all;
    const struct cluster_spec *s = dev->spec;
    struct driven_device *d = dcs_alloc(1, sizeof *d);
    d->rules = dcs_gpu_create(model_of(dev), NULL, s->profile_memory_bytes[dev->profile], 0);
    d->booked_ns = s->warmup_ns;
    dev->truth = d;
}

static void free_device(struct device *dev)
{
    dcs_gpu_destroy(of(dev)->rules);
    free(dev->truth);
}

static struct dcs_gpu_promised taken(const struct driven_device *d)
{
    struct dcs_gpu_promised p = {.kernels = d->count};
    for (uint32_t i = 0; i < d->count; i++) {
        p.sms += d->kernels[i].sms;
        p.memory_bytes += d->kernels[i].memory_bytes;
        p.whole = p.whole || d->kernels[i].whole;
    }
    return p;
}

static uint32_t running(const struct device *dev)
{
    const struct driven_device *d = of(dev);
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->count; i++)
        n += !d->kernels[i].dies;
    return n;
}

static req_id nth(const struct device *dev, uint32_t n)
{
    const struct driven_device *d = of(dev);
    for (uint32_t i = 0; i < d->count; i++)
        if (!d->kernels[i].dies && n-- == 0)
            return d->kernels[i].id;
    DCS_ASSERT(false);
    return 0;
}

static enum host_device_state state_of(const struct device *dev)
{
    if (running(dev) > 0)
        return HOST_BUSY;
    return of(dev)->count > 0 ? HOST_REVOKING : HOST_IDLE;
}

static uint32_t step_of(const struct device *dev)
{
    uint32_t sms = model_of(dev)->sms, step = dev->spec->sharing.step_sms;
    return step < sms ? step : sms;
}

uint32_t device_driven_mechanisms(const struct cluster_spec *spec)
{
    uint32_t needs = spec->policy->needs;
    bool mps = (needs & 1u << HOST_MPS) != 0 && (needs & 1u << HOST_GREEN) == 0;
    if (spec->device_kind == &device_driven_kills || spec->device_kind == &device_driven_exits)
        return 1u << HOST_WHOLE;
    return mps ? 1u << HOST_MPS : 1u << HOST_WHOLE | 1u << HOST_GREEN;
}

static req_id look(const struct device *dev, struct host_device *out)
{
    const struct driven_device *d = of(dev);
    const struct dcs_spatial *model = model_of(dev);
    const struct dcs_gpu_promised now = taken(d);
    const uint32_t runs = running(dev);
    out->state = state_of(dev);
    out->mechanisms = device_driven_mechanisms(dev->spec);
    out->can_fuse = model->fusion != NULL && (out->mechanisms & 1u << HOST_WHOLE) != 0;
    out->kernels_max = DCS_TOGETHER_MAX;
    out->kernels = d->count;
    out->first = runs > 0 ? nth(dev, 0) : 0;
    out->sms = model->sms;
    out->sms_step = step_of(dev);
    out->sms_allotted = (uint32_t)now.sms;
    out->bandwidth = (int64_t)(model->dram_gbs * 1e9);
    out->memory_bytes = dev->spec->profile_memory_bytes[dev->profile];
    out->memory_used_bytes = now.memory_bytes;
    if (dev->kind->can_revoke)
        return out->first;
    out->revoke_ns = runs > 0 ? HOST_NEVER : 0;
    return 0;
}

static bool is_transfer(const struct cluster_spec *spec, uint32_t profile,
                        const struct dcs_app *app, uint32_t kernel)
{
    return device_shared.is_transfer(spec, profile, app, kernel);
}

static int64_t switch_ns(const struct cluster_spec *spec, uint32_t profile,
                         struct host_allotment before, struct host_allotment now)
{
    return device_shared.switch_ns(spec, profile, before, now);
}

static struct dcs_gpu_launch launch_of(const struct device *dev, const struct device_launch *l,
                                       uint32_t i)
{
    const struct device_part *part = &l->part[i];
    const struct host_allotment a = l->allotment;
    return (struct dcs_gpu_launch){
        .id = part->id,
        .shape = part->app->shapes[dev->profile * part->app->kernels + part->kernel],
        .memory_bytes = part->app->memory_bytes,
        .allotment = {.share = (enum dcs_gpu_share)a.mechanism, .sms = a.sms},
        .class = part->app->class,
    };
}

static const char *refuses_fused(const struct device *dev, const struct device_launch *l)
{
    const struct dcs_gpu_promised now = taken(of(dev));
    const char *why;
    if (!l->measured || l->way < l->pair.first || l->way >= l->pair.end)
        return "the variant is not one of theirs (see host_predict_fused)";
    if (!model_of(dev)->fusion->ways[l->way].fits)
        return "an SM has not what a block of this variant needs";
    const struct dcs_gpu_launch parts[] = {launch_of(dev, l, 0), launch_of(dev, l, 1)};
    dcs_gpu_admits_fused(of(dev)->rules, parts, &now, &why);
    return why;
}

static const char *refuses(const struct device *dev, const struct device_launch *l)
{
    if (l->parts == 2)
        return refuses_fused(dev, l);
    const struct driven_device *d = of(dev);
    const struct host_allotment a = l->allotment;
    uint32_t sms = model_of(dev)->sms, step = step_of(dev);
    const struct dcs_gpu_promised now = taken(d);
    const char *why;
    if ((device_driven_mechanisms(dev->spec) & 1u << a.mechanism) == 0)
        return "it does not offer this mechanism";
    if (a.mechanism == HOST_GREEN && a.sms <= sms && a.sms % step != 0 &&
        a.sms % step != sms % step)
        return "its partitions are multiples of host_device.sms_step, one of them with what is "
               "left over";
    for (uint32_t i = 0; a.mechanism == HOST_GREEN && a.sms % step != 0 && i < d->count; i++)
        if (!d->kernels[i].whole && d->kernels[i].sms % step != 0)
            return "a partition with what is left over by sharing.step_sms is taken, and there is "
                   "one";
    const struct dcs_gpu_launch launch = launch_of(dev, l, 0);
    dcs_gpu_admits(d->rules, &launch, &now, &why);
    return why;
}

/* Nothing is charged here: a launch takes effect when it is asked for. */
static void pledge(struct device *dev, const struct device_launch *l)
{
    (void)dev, (void)l;
    DCS_ASSERT(false);
}

/* Keeps the accounts up to now, inside the window. Caps may add up to more than the SMs. Time in
 * which nothing but kernels that are being revoked is there is overhead. */
static void book(struct driven_device *d, uint32_t sms, int64_t now_ns)
{
    int64_t ns = now_ns - d->booked_ns;
    if (ns <= 0)
        return;
    d->booked_ns = now_ns;
    if (d->count == 0)
        return;
    struct driven_kernel *first = NULL;
    uint32_t used = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        struct driven_kernel *k = &d->kernels[i];
        if (k->dies)
            continue;
        first = first == NULL || k->whole ? k : first;
        used += k->sms;
        d->usage.kernel_ns += (double)ns;
    }
    d->usage.time.busy_ns += ns;
    *(first != NULL ? &d->usage.time.useful_ns : &d->usage.time.overhead_ns) += ns;
    if (first != NULL)
        first->used_ns += ns;
    d->usage.sm_ns += (double)(used < sms ? used : sms) * (double)ns;
}

static int64_t alone_ns(const struct device *dev, const struct device_part *part,
                        struct host_allotment a)
{
    const struct dcs_spatial *s = model_of(dev);
    uint32_t at = dev->profile * part->app->kernels + part->kernel;
    double scale = (double)part->work_ns / (double)part->app->mean_ns[at];
    uint32_t sms = a.mechanism == HOST_WHOLE ? s->sms : a.sms;
    return (int64_t)(dcs_shape_solo_ns(s, part->app->shapes[at], sms) * scale + 0.5);
}

/* A kernel of the launch is there from now on. A fused launch has its SMs once. */
static void add_kernel(struct device *dev, const struct device_launch *l, uint32_t i)
{
    struct driven_device *d = of(dev);
    const struct device_part *part = &l->part[i];
    bool whole = l->allotment.mechanism == HOST_WHOLE;
    bool copies_beside = part->transfer && whole;
    uint32_t at = d->count++;
    for (; at > 0 && d->kernels[at - 1].id > part->id; at--)
        d->kernels[at] = d->kernels[at - 1];
    d->kernels[at] = (struct driven_kernel){
        .id = part->id,
        .form = (uint32_t)(part->app - dev->spec->apps),
        .sms = copies_beside || i > 0 ? 0
               : whole                ? model_of(dev)->sms
                                      : l->allotment.sms,
        .whole = whole && !part->transfer,
        .memory_bytes = part->app->memory_bytes,
        .end_ns = DCS_NEVER,
        .with = l->parts == 2 ? l->part[1 - i].id : 0,
        .seen_ns = DCS_NEVER,
    };
}

static struct driven_launch order_of(const struct device *dev, const struct device_launch *l,
                                     uint32_t i, int64_t now_ns)
{
    const struct device_part *part = &l->part[i];
    return (struct driven_launch){
        .id = part->id,
        .job = part->job,
        .index = part->index,
        .form = (uint32_t)(part->app - dev->spec->apps),
        .kernel = part->kernel,
        .last = part->kernel + 1 == part->app->kernels,
        .transfer = part->transfer,
        .allotment = l->allotment,
        .event_ns = now_ns,
        .alone_ns = alone_ns(dev, part, l->allotment),
    };
}

/* What a fused launch takes in a simulation, and what its kernels take one after the other. */
static int64_t fused_ns(const struct device *dev, struct device_launch *l,
                        const struct driven_launch *first, const struct driven_launch *second)
{
    const double parts[] = {(double)first->alone_ns, (double)second->alone_ns};
    const int tensor = l->pair.tensor;
    const struct dcs_fused_time t =
        dcs_fusion_time(model_of(dev)->fusion, l->way, parts[tensor], parts[1 - tensor]);
    l->alone_ns = parts[0] + parts[1];
    l->beyond = t.beyond;
    return (int64_t)(t.ns + 0.5);
}

static void start(struct device *dev, int64_t now_ns, struct device_launch *l)
{
    const struct driven *driven = dev->spec->driven;
    struct driven_launch first = order_of(dev, l, 0, now_ns), second;
    book(of(dev), model_of(dev)->sms, now_ns);
    for (uint32_t i = 0; i < l->parts; i++)
        add_kernel(dev, l, i);
    if (l->parts == 2) {
        const struct dcs_fused_way *way = &model_of(dev)->fusion->ways[l->way];
        second = order_of(dev, l, 1, now_ns);
        first.alone_ns = second.alone_ns = fused_ns(dev, l, &first, &second);
        first.with = &second;
        first.with_is_tensor = l->pair.tensor == 1;
        first.tensor_blocks = way->tensor_blocks;
        first.cuda_blocks = way->cuda_blocks;
    }
    driven->launch(driven->context, &first);
}

static struct driven_kernel *find_kernel(struct driven_device *d, req_id id)
{
    for (uint32_t i = 0; i < d->count; i++)
        if (d->kernels[i].id == id)
            return &d->kernels[i];
    return NULL;
}

/* A fused launch has ended when both of its kernels have. */
static void see_end(struct driven_device *d, struct driven_kernel *k, int64_t end_ns)
{
    struct driven_kernel *other = k->with != 0 ? find_kernel(d, k->with) : k;
    k->seen_ns = end_ns;
    if (other->seen_ns == DCS_NEVER)
        return;
    k->end_ns = other->end_ns = end_ns > other->seen_ns ? end_ns : other->seen_ns;
}

bool device_driven_look(struct device *dev, int64_t now_ns)
{
    struct driven_device *d = of(dev);
    const struct driven *driven = dev->spec->driven;
    struct driven_end end;
    bool any = false;
    while (driven->ended(driven->context, &end)) {
        struct driven_kernel *k = find_kernel(d, end.id);
        DCS_ASSERT(k != NULL && k->end_ns == DCS_NEVER && k->dies == end.stopped);
        see_end(d, k, end.end_ns > now_ns ? end.end_ns : now_ns);
        any = any || k->end_ns != DCS_NEVER;
    }
    return any;
}

static int64_t next_ns(const struct device *dev)
{
    const struct driven_device *d = of(dev);
    int64_t next = DCS_NEVER;
    for (uint32_t i = 0; i < d->count; i++)
        if (d->kernels[i].end_ns < next)
            next = d->kernels[i].end_ns;
    return next;
}

static uint32_t advance(struct device *dev, int64_t now_ns, struct device_end *ends)
{
    struct driven_device *d = of(dev);
    uint32_t left = 0, n = 0;
    book(d, model_of(dev)->sms, now_ns);
    /* Both kernels of a fused launch end alone. What has ended beside them comes next, now. */
    req_id fused[2] = {0};
    for (uint32_t i = 0; i < d->count && fused[0] == 0; i++)
        if (d->kernels[i].end_ns <= now_ns && d->kernels[i].with != 0) {
            fused[0] = d->kernels[i].id;
            fused[1] = d->kernels[i].with;
        }
    for (uint32_t i = 0; i < d->count; i++) {
        const struct driven_kernel *k = &d->kernels[i];
        bool now = k->end_ns <= now_ns && (fused[0] == 0 || k->id == fused[0] || k->id == fused[1]);
        if (now)
            ends[n++] = (struct device_end){.id = k->id, .stopped = k->dies};
        else
            d->kernels[left++] = *k;
    }
    d->count = left;
    for (uint32_t i = 0; i < left; i++)
        if (d->kernels[i].end_ns < now_ns)
            d->kernels[i].end_ns = now_ns;
    return n;
}

/* Stops a kernel, or all of its application. One of which the end has been seen is there no more.
 */
static uint32_t stop_kernels(struct device *dev, int64_t now_ns, req_id id, bool all,
                             struct device_victim *victims)
{
    struct driven_device *d = of(dev);
    const struct driven *driven = dev->spec->driven;
    const uint32_t form = find_kernel(d, id)->form;
    uint32_t n = 0;
    book(d, model_of(dev)->sms, now_ns);
    for (uint32_t i = 0; i < d->count; i++) {
        struct driven_kernel *k = &d->kernels[i];
        if ((all ? k->form != form : k->id != id) || k->dies)
            continue;
        victims[n++] = (struct device_victim){.id = k->id};
        k->dies = true;
        d->usage.time.useful_ns -= k->used_ns;
        d->usage.time.lost_ns += k->used_ns;
        if (k->end_ns == DCS_NEVER)
            driven->revoke(driven->context, k->id);
    }
    return n;
}

/* A process that is killed takes all kernels of its application with it. The costs are those of a
 * simulation: a real GPU takes its time. */
static uint32_t stop_process(struct device *dev, int64_t now_ns, req_id id,
                             const struct dcs_profile_revocation *cost,
                             struct device_victim *victims)
{
    (void)cost;
    return stop_kernels(dev, now_ns, id, true, victims);
}

static uint32_t stop_kernel(struct device *dev, int64_t now_ns, req_id id,
                            const struct dcs_profile_revocation *cost,
                            struct device_victim *victims)
{
    (void)cost;
    return stop_kernels(dev, now_ns, id, false, victims);
}

static void close_device(struct device *dev, int64_t end_ns, struct device_usage *out)
{
    book(of(dev), model_of(dev)->sms, end_ns);
    out->done = of(dev)->usage;
    out->sms = model_of(dev)->sms;
}

#define REAL_GPU                                                                                   \
    .name = "real GPU", .shares = true, .allots_sms = true, .serves = serves, .open = open_device, \
    .free = free_device, .look = look, .refuses = refuses, .pledge = pledge, .unpledge = pledge,   \
    .start = start, .next_ns = next_ns, .advance = advance, .state = state_of, .running = running, \
    .nth = nth, .switch_ns = switch_ns, .is_transfer = is_transfer, .close = close_device

const struct device_kind device_driven = {REAL_GPU, .fuses = true};
const struct device_kind device_driven_kills = {REAL_GPU, .can_revoke = true, .stop = stop_process};
const struct device_kind device_driven_exits = {REAL_GPU, .can_revoke = true, .stop = stop_kernel};
