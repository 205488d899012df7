/*
 * device_divisible.c - the CPU and the GPUs of a domain that share divisible work, each with one
 * chunk at a time (models/divisible/divisible.h).
 *
 * A chunk goes at one of two speeds: as it was measured alone, or beside the other side at work.
 * The engine says when that changes (beside). Chunks are not revoked.
 */
#include "engine/device.h"

#include <stdlib.h>

struct divided {
    bool runs, beside;
    req_id id;      /* of the chunk that runs */
    req_id pledged; /* whose charged chunk is under way; 0: none */
    struct device_chunk chunk;
    double left;       /* of the chunk, 1 at its begin, */
    int64_t since_ns;  /* at this time, which may be to come */
    int64_t begin_ns;  /* of the chunk's work */
    int64_t launch_ns; /* of the chunk */
    int64_t end_ns;
    int64_t busy_ns; /* inside the window */
};

static struct divided *of(const struct device *dev)
{
    return dev->truth;
}

static uint32_t threads_of(const struct device *dev)
{
    return dev->spec->domains[dev->domain].cpu_threads;
}

static uint64_t bytes(void)
{
    return sizeof(struct divided);
}

static void open_device(struct device *dev, void *all)
{
    (void)all;
    dev->truth = dcs_alloc(1, sizeof(struct divided));
}

static void free_device(struct device *dev)
{
    free(dev->truth);
}

static enum host_device_state state_of(const struct device *dev)
{
    return of(dev)->runs || dev->ended.untold ? HOST_BUSY : HOST_IDLE;
}

static req_id look(const struct device *dev, struct host_device *out)
{
    const struct divided *d = of(dev);
    bool cpu = device_is_cpu(dev);
    uint32_t sms = dev->spec->profile_sms != NULL ? dev->spec->profile_sms[dev->profile] : 0;
    out->state = state_of(dev) == HOST_BUSY || d->pledged != 0 ? HOST_BUSY : HOST_IDLE;
    out->mechanisms = 1u << HOST_WHOLE;
    out->kernels_max = 1;
    out->kernels = state_of(dev) == HOST_BUSY;
    out->first = d->runs ? d->id : dev->ended.untold ? dev->ended.of : d->pledged;
    out->cores = cpu ? threads_of(dev) : 0;
    out->sms = out->sms_step = cpu ? out->cores : sms;
    out->sms_allotted = out->state == HOST_IDLE ? 0 : out->sms;
    out->cores_allotted = out->state == HOST_IDLE ? 0 : out->cores;
    out->revoke_ns = out->state == HOST_IDLE ? 0 : HOST_NEVER;
    return 0;
}

static const char *refuses(const struct device *dev, const struct device_launch *l)
{
    if (l->allotment.mechanism != HOST_WHOLE)
        return "it does not offer this mechanism";
    return state_of(dev) == HOST_BUSY || of(dev)->pledged != 0 ? "it is not idle" : NULL;
}

static void pledge(struct device *dev, const struct device_launch *l)
{
    of(dev)->pledged = l->part[0].id;
}

static void unpledge(struct device *dev, const struct device_launch *l)
{
    (void)l;
    of(dev)->pledged = 0;
}

static double pace_ns(const struct divided *d)
{
    return (double)(d->beside ? d->chunk.beside_ns : d->chunk.alone_ns);
}

static void set_end(struct divided *d)
{
    double ns = d->left * pace_ns(d);
    int64_t left_ns = ns < (double)DCS_TIME_MAX ? (int64_t)(ns + 0.5) : DCS_TIME_MAX;
    d->end_ns = dcs_add_times(d->since_ns, left_ns);
    if (d->end_ns <= d->launch_ns)
        d->end_ns = d->launch_ns + 1;
}

static void start(struct device *dev, int64_t now_ns, struct device_launch *l)
{
    struct divided *d = of(dev);
    int64_t begin_ns = l->chunk.ready_ns > now_ns ? l->chunk.ready_ns : now_ns;
    *d = (struct divided){.runs = true,
                          .id = l->part[0].id,
                          .chunk = l->chunk,
                          .left = 1,
                          .since_ns = begin_ns,
                          .begin_ns = begin_ns,
                          .launch_ns = now_ns,
                          .busy_ns = d->busy_ns};
    set_end(d);
}

/* What it has done until now at its pace. */
static void go_on(struct divided *d, int64_t now_ns)
{
    if (now_ns <= d->since_ns)
        return;
    d->left -= (double)(now_ns - d->since_ns) / pace_ns(d);
    d->left = d->left > 0 ? d->left : 0;
    d->since_ns = now_ns;
}

static bool set_beside(struct device *dev, int64_t now_ns, bool beside)
{
    struct divided *d = of(dev);
    if (!d->runs || d->beside == beside || d->end_ns <= now_ns)
        return false;
    go_on(d, now_ns);
    d->beside = beside;
    set_end(d);
    if (d->end_ns <= now_ns)
        d->end_ns = now_ns + 1;
    return true;
}

static int64_t next_ns(const struct device *dev)
{
    return of(dev)->runs ? of(dev)->end_ns : DCS_NEVER;
}

static int64_t busy_until_ns(const struct device *dev, int64_t now_ns)
{
    const struct divided *d = of(dev);
    int64_t from = d->begin_ns > dev->spec->warmup_ns ? d->begin_ns : dev->spec->warmup_ns;
    return now_ns > from ? now_ns - from : 0;
}

static uint32_t advance(struct device *dev, int64_t now_ns, struct device_end *ends)
{
    struct divided *d = of(dev);
    DCS_ASSERT(d->runs && d->end_ns == now_ns);
    d->runs = false;
    d->busy_ns += busy_until_ns(dev, now_ns);
    dev->ended = (struct device_ended){
        .of = d->id,
        .chunk = {.iterations = (uint64_t)d->chunk.iterations,
                  .took_ns = now_ns > d->begin_ns ? now_ns - d->begin_ns : 1},
        .untold = true,
    };
    ends[0] = (struct device_end){.id = d->id};
    return 1;
}

static uint32_t running(const struct device *dev)
{
    return of(dev)->runs;
}

static req_id nth(const struct device *dev, uint32_t n)
{
    DCS_ASSERT(n == 0);
    return of(dev)->id;
}

static int64_t scale_left(struct device *dev, int64_t now_ns, req_id id, int64_t work_ns,
                          double factor)
{
    (void)id, (void)work_ns;
    struct divided *d = of(dev);
    go_on(d, now_ns);
    double left = d->left;
    d->left *= factor;
    set_end(d);
    if (d->end_ns <= now_ns)
        d->end_ns = now_ns + 1;
    return (int64_t)((double)d->chunk.alone_ns * (d->left - left));
}

static void close_device(struct device *dev, int64_t end_ns, struct device_usage *out)
{
    const struct divided *d = of(dev);
    int64_t busy_ns = d->busy_ns + (d->runs ? busy_until_ns(dev, end_ns) : 0);
    out->done.time = (struct dcs_usage){.busy_ns = busy_ns, .useful_ns = busy_ns};
}

const struct device_kind device_divisible = {
    .name = "device for divisible work",
    .divides = true,
    .bytes = bytes,
    .open = open_device,
    .free = free_device,
    .look = look,
    .refuses = refuses,
    .pledge = pledge,
    .unpledge = unpledge,
    .start = start,
    .beside = set_beside,
    .next_ns = next_ns,
    .advance = advance,
    .state = state_of,
    .running = running,
    .nth = nth,
    .scale_left = scale_left,
    .close = close_device,
};
