/* device_cpu.c - CPUs that programs share (models/cpu/cpu_device.h). */
#include "engine/device.h"
#include "models/cpu/cpu_device.h"

_Static_assert(DCS_CPU_TOGETHER_MAX <= DEVICE_TOGETHER_MAX, "ends of a CPU fit");

static const struct dcs_cpu *model_of(const struct device *dev)
{
    return dev->spec->sharing.cpu[dev->profile];
}

const struct dcs_cpu_device *device_cpu_truth(const struct device *dev)
{
    return dev->truth;
}

static bool serves(const struct cluster_spec *spec)
{
    return spec->sharing.cpu != NULL;
}

static uint64_t bytes(void)
{
    return dcs_cpu_device_bytes();
}

static void open_device(struct device *dev, void *all)
{
    (void)all;
    dev->truth = dcs_cpu_device_create(model_of(dev), dev->spec->warmup_ns);
}

static void free_device(struct device *dev)
{
    dcs_cpu_device_destroy(dev->truth);
}

static enum host_device_state state_of(const struct device *dev)
{
    return dcs_cpu_running(dev->truth) > 0 ? HOST_BUSY : HOST_IDLE;
}

static req_id look(const struct device *dev, struct host_device *out)
{
    const struct dcs_cpu *model = model_of(dev);
    struct dcs_cpu_share claimed = dcs_cpu_claimed(dev->truth);
    uint32_t kernels = dcs_cpu_claims(dev->truth);
    out->state = kernels > 0 ? HOST_BUSY : HOST_IDLE;
    out->mechanisms = 1u << HOST_WHOLE | 1u << HOST_CPU;
    out->can_resize = true;
    out->kernels_max = DCS_CPU_TOGETHER_MAX;
    out->kernels = kernels;
    out->first = dcs_cpu_first_claim(dev->truth);
    out->sms = out->sms_step = out->cores = model->cores;
    out->ways = model->ways;
    out->sms_allotted = out->cores_allotted = claimed.cores;
    out->ways_allotted = claimed.ways;
    out->bandwidth = (int64_t)(model->bandwidth * 1e9);
    out->memory_bytes = dev->spec->profile_memory_bytes[dev->profile];
    out->revoke_ns = kernels > 0 ? HOST_NEVER : 0;
    return 0;
}

static struct dcs_cpu_share share_of(const struct device *dev, struct host_allotment a)
{
    const struct dcs_cpu *model = model_of(dev);
    if (a.mechanism == HOST_WHOLE)
        return (struct dcs_cpu_share){.cores = model->cores, .ways = model->ways};
    return (struct dcs_cpu_share){.cores = a.cores, .ways = a.ways, .group = a.group};
}

static const char *refuses(const struct device *dev, const struct device_launch *l)
{
    enum host_mechanism by = l->allotment.mechanism;
    if (by != HOST_WHOLE && by != HOST_CPU)
        return "it does not offer this mechanism";
    return dcs_cpu_refuses(dev->truth, l->part[0].id, share_of(dev, l->allotment));
}

static void pledge(struct device *dev, const struct device_launch *l)
{
    dcs_cpu_claim(dev->truth, l->part[0].id, share_of(dev, l->allotment));
}

static void start(struct device *dev, int64_t now_ns, struct device_launch *l)
{
    const struct device_part *part = &l->part[0];
    const uint32_t *listed = part->app->listed;
    dcs_cpu_start(dev->truth, now_ns,
                  &(struct dcs_cpu_launch){
                      .id = part->id,
                      .app = listed != NULL ? listed[dev->profile] : UINT32_MAX,
                      .work_ns = part->work_ns,
                      .share = share_of(dev, l->allotment),
                  });
}

static void resize(struct device *dev, int64_t now_ns, req_id id, struct host_allotment a)
{
    dcs_cpu_resize(dev->truth, now_ns, id, share_of(dev, a));
}

static int64_t next_ns(const struct device *dev)
{
    return dcs_cpu_next_ns(dev->truth);
}

static uint32_t advance(struct device *dev, int64_t now_ns, struct device_end *ends)
{
    uint64_t ended[DCS_CPU_TOGETHER_MAX];
    uint32_t n = dcs_cpu_advance(dev->truth, now_ns, ended);
    for (uint32_t i = 0; i < n; i++)
        ends[i] = (struct device_end){.id = ended[i]};
    return n;
}

static uint32_t running(const struct device *dev)
{
    return dcs_cpu_running(dev->truth);
}

static req_id nth(const struct device *dev, uint32_t n)
{
    return dcs_cpu_nth(dev->truth, n);
}

static void counters(const struct device *dev, int64_t now_ns, req_id id, int64_t since_ns,
                     struct host_counters *out)
{
    double cycles = (double)(now_ns - since_ns) * model_of(dev)->clock_ghz;
    *out = (struct host_counters){
        .instructions = (uint64_t)(dcs_cpu_instructions(dev->truth, now_ns, id) + 0.5),
        .cycles = (uint64_t)(cycles + 0.5)};
}

static int64_t scale_left(struct device *dev, int64_t now_ns, req_id id, int64_t work_ns,
                          double factor)
{
    double left = dcs_cpu_left(dev->truth, now_ns, id);
    dcs_cpu_scale_left(dev->truth, now_ns, id, factor);
    return device_work_growth_ns(work_ns, left, factor);
}

static void close_device(struct device *dev, int64_t end_ns, struct device_usage *out)
{
    dcs_cpu_device_close(dev->truth, end_ns);
    out->done = *dcs_cpu_usage(dev->truth);
    out->sms = model_of(dev)->cores;
}

const struct device_kind device_cpu = {
    .name = "CPU",
    .shares = true,
    .allots_cores = true,
    .claims = true,
    .can_resize = true,
    .serves = serves,
    .bytes = bytes,
    .open = open_device,
    .free = free_device,
    .look = look,
    .refuses = refuses,
    .pledge = pledge,
    .start = start,
    .resize = resize,
    .next_ns = next_ns,
    .advance = advance,
    .state = state_of,
    .running = running,
    .nth = nth,
    .counters = counters,
    .scale_left = scale_left,
    .close = close_device,
};
