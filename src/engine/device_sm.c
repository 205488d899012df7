/* device_sm.c - hypothetical GPUs whose SMs kernels share block by block (models/sm/sm_device.h).
 */
#include "engine/device.h"
#include "models/sm/sm_device.h"

_Static_assert(DCS_SM_QUOTAS == HOST_QUOTAS, "a policy may set all of a kernel's quotas");
_Static_assert(DCS_SM_ENDS_MAX <= DEVICE_TOGETHER_MAX, "ends of a device fit");

static const struct dcs_sm *model_of(const struct device *dev)
{
    return dev->spec->sharing.sm[dev->profile];
}

static bool serves(const struct cluster_spec *spec)
{
    return spec->sharing.sm != NULL;
}

static uint64_t bytes(void)
{
    return dcs_sm_device_bytes();
}

static void open_device(struct device *dev, void *all)
{
    (void)all;
    dev->truth =
        dcs_sm_device_create(model_of(dev), dev->spec->sharing.leaving, dev->spec->warmup_ns);
}

static void free_device(struct device *dev)
{
    dcs_sm_device_destroy(dev->truth);
}

static enum host_device_state state_of(const struct device *dev)
{
    return dcs_sm_running(dev->truth) > 0 ? HOST_BUSY : HOST_IDLE;
}

static req_id look(const struct device *dev, struct host_device *out)
{
    uint32_t kernels = dcs_sm_claims(dev->truth);
    out->state = kernels > 0 ? HOST_BUSY : HOST_IDLE;
    out->mechanisms = 1u << HOST_BLOCKS;
    out->can_resize = true;
    out->kernels_max = DCS_SM_TOGETHER_MAX;
    out->kernels = kernels;
    out->first = dcs_sm_first_claim(dev->truth);
    out->sms = model_of(dev)->sms;
    out->sms_step = 1;
    out->memory_bytes = dev->spec->profile_memory_bytes[dev->profile];
    out->revoke_ns = kernels > 0 ? HOST_NEVER : 0;
    return 0;
}

static struct dcs_sm_range range_of(struct host_allotment a)
{
    return (struct dcs_sm_range){.first_sm = a.first_sm, .sms = a.sms, .blocks = a.blocks};
}

static uint32_t kernel_of(const struct device *dev, const struct dcs_app *app)
{
    return app->resident != NULL ? app->resident[dev->profile] : UINT32_MAX;
}

static const char *refuses(const struct device *dev, const struct device_launch *l)
{
    if (l->allotment.mechanism != HOST_BLOCKS)
        return "it does not offer this mechanism";
    return dcs_sm_refuses(dev->truth, l->part[0].id, kernel_of(dev, l->part[0].app),
                          range_of(l->allotment));
}

static void pledge(struct device *dev, const struct device_launch *l)
{
    dcs_sm_claim(dev->truth, l->part[0].id, kernel_of(dev, l->part[0].app), range_of(l->allotment));
}

static void start(struct device *dev, int64_t now_ns, struct device_launch *l)
{
    dcs_sm_start(dev->truth, now_ns,
                 &(struct dcs_sm_launch){.id = l->part[0].id,
                                         .kernel = kernel_of(dev, l->part[0].app),
                                         .work_ns = l->part[0].work_ns,
                                         .range = range_of(l->allotment)});
}

static void resize(struct device *dev, int64_t now_ns, req_id id, struct host_allotment a)
{
    dcs_sm_resize(dev->truth, now_ns, id, range_of(a));
}

static const char *set_quota(struct device *dev, int64_t now_ns, req_id id,
                             struct host_allotment where, int64_t work_ns)
{
    struct dcs_sm_quota q = {.first_sm = where.first_sm, .sms = where.sms, .work_ns = work_ns};
    const char *why = dcs_sm_refuses_quota(dev->truth, id, q);
    if (why == NULL)
        dcs_sm_set_quota(dev->truth, now_ns, id, q);
    return why;
}

static double quota_left_ns(const struct device *dev, int64_t now_ns, req_id id, uint32_t first_sm)
{
    return dcs_sm_quota_left_ns(dev->truth, now_ns, id, first_sm);
}

static uint32_t idle_blocks(const struct device *dev, req_id id)
{
    return dcs_sm_idle_blocks(dev->truth, id);
}

static int64_t next_ns(const struct device *dev)
{
    return dcs_sm_next_ns(dev->truth);
}

static uint32_t advance(struct device *dev, int64_t now_ns, struct device_end *ends)
{
    struct dcs_sm_end ended[DCS_SM_ENDS_MAX];
    uint32_t n = dcs_sm_advance(dev->truth, now_ns, ended);
    for (uint32_t i = 0; i < n; i++)
        ends[i] = (struct device_end){
            .id = ended[i].id, .quota = ended[i].quota, .first_sm = ended[i].first_sm};
    return n;
}

static uint32_t running(const struct device *dev)
{
    return dcs_sm_running(dev->truth);
}

static req_id nth(const struct device *dev, uint32_t n)
{
    return dcs_sm_nth(dev->truth, n);
}

static void counters(const struct device *dev, int64_t now_ns, req_id id, int64_t since_ns,
                     struct host_counters *out)
{
    *out = (struct host_counters){.instructions =
                                      (uint64_t)(dcs_sm_done_ns(dev->truth, now_ns, id) + 0.5),
                                  .cycles = (uint64_t)(now_ns - since_ns)};
}

static bool block(const struct device *dev, const struct dcs_app *app, struct host_block *out)
{
    uint32_t kernel = kernel_of(dev, app);
    if (kernel == UINT32_MAX)
        return false;
    const struct dcs_sm_kernel *k = &model_of(dev)->kernels[kernel];
    *out = (struct host_block){.fits = k->fits,
                               .threads = (uint32_t)k->threads,
                               .share = {(double)k->registers / DCS_SM_REGISTERS,
                                         (double)k->shared_bytes / DCS_SM_SHARED_BYTES,
                                         (double)k->threads / DCS_SM_THREADS,
                                         1.0 / DCS_SM_BLOCKS_MAX}};
    return true;
}

static double rate_alone(const struct device *dev, const struct dcs_app *app,
                         struct host_allotment a)
{
    const struct dcs_sm *m = model_of(dev);
    uint32_t kernel = kernel_of(dev, app);
    double rate = 0;
    if (kernel == UINT32_MAX || a.blocks == 0 || a.blocks > m->kernels[kernel].fits || a.sms == 0 ||
        a.sms > m->sms)
        return 0;
    struct dcs_sm_part part = {.sms = a.sms, .blocks = {(uint8_t)a.blocks}};
    dcs_sm_rates(m, &kernel, 1, &part, 1, &rate, NULL);
    return rate;
}

static int64_t scale_left(struct device *dev, int64_t now_ns, req_id id, int64_t work_ns,
                          double factor)
{
    double left = dcs_sm_left(dev->truth, now_ns, id);
    dcs_sm_scale_left(dev->truth, now_ns, id, factor);
    return device_work_growth_ns(work_ns, left, factor);
}

static void close_device(struct device *dev, int64_t end_ns, struct device_usage *out)
{
    dcs_sm_device_close(dev->truth, end_ns);
    out->done = *dcs_sm_usage(dev->truth);
    out->sms = model_of(dev)->sms;
}

const struct device_kind device_sm = {
    .name = "GPU shared inside its SMs",
    .shares = true,
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
    .set_quota = set_quota,
    .quota_left_ns = quota_left_ns,
    .idle_blocks = idle_blocks,
    .block = block,
    .rate = rate_alone,
    .next_ns = next_ns,
    .advance = advance,
    .state = state_of,
    .running = running,
    .nth = nth,
    .counters = counters,
    .scale_left = scale_left,
    .close = close_device,
};
