/*
 * device_twin.h - a kind of device for tests, behind engine/device_kind.h as the engine's own: it
 * runs two kernels at once, each as fast as alone, and revokes nothing.
 */
#ifndef DCS_TESTS_DEVICE_TWIN_H
#define DCS_TESTS_DEVICE_TWIN_H

#include "engine/device.h"

#include <stdlib.h>

struct twin {
    struct twin_kernel {
        req_id id; /* 0: free */
        int64_t end_ns;
    } kernels[2]; /* those that run come first, ascending by id */
    uint32_t running, pledged;
    int64_t window_ns, busy_ns, since_ns;
};

static inline void twin_open(struct device *dev, void *all)
{
    (void)all;
    struct twin *t = dcs_alloc(1, sizeof *t);
    t->window_ns = dev->spec->warmup_ns;
    dev->truth = t;
}

static inline void twin_free(struct device *dev)
{
    free(dev->truth);
}

static inline req_id twin_look(const struct device *dev, struct host_device *out)
{
    const struct twin *t = dev->truth;
    out->kernels_max = 2;
    out->kernels = t->running + t->pledged;
    out->state = out->kernels > 0 ? HOST_BUSY : HOST_IDLE;
    out->mechanisms = 1u << HOST_WHOLE;
    out->first = t->running > 0 ? t->kernels[0].id : 0;
    out->revoke_ns = t->running > 0 ? HOST_NEVER : 0;
    return 0;
}

static inline const char *twin_refuses(const struct device *dev, const struct device_launch *l)
{
    const struct twin *t = dev->truth;
    (void)l;
    return t->running + t->pledged < 2 ? NULL : "both of its places are taken";
}

static inline void twin_pledge(struct device *dev, const struct device_launch *l)
{
    (void)l;
    ((struct twin *)dev->truth)->pledged++;
}

static inline void twin_unpledge(struct device *dev, const struct device_launch *l)
{
    (void)l;
    ((struct twin *)dev->truth)->pledged--;
}

/* Before one more or less runs. */
static inline void twin_book(struct twin *t, int64_t now_ns)
{
    int64_t from_ns = t->since_ns > t->window_ns ? t->since_ns : t->window_ns;
    if (t->running > 0 && now_ns > from_ns)
        t->busy_ns += now_ns - from_ns;
    t->since_ns = now_ns;
}

static inline void twin_start(struct device *dev, int64_t now_ns, struct device_launch *l)
{
    struct twin *t = dev->truth;
    twin_book(t, now_ns);
    uint32_t at = t->running > 0 && t->kernels[0].id < l->part[0].id;
    if (at == 0)
        t->kernels[1] = t->kernels[0];
    t->running++;
    t->kernels[at] = (struct twin_kernel){.id = l->part[0].id,
                                          .end_ns = dcs_add_times(now_ns, l->part[0].work_ns)};
}

static inline int64_t twin_next_ns(const struct device *dev)
{
    const struct twin *t = dev->truth;
    int64_t next_ns = DCS_NEVER;
    for (uint32_t i = 0; i < t->running; i++)
        if (t->kernels[i].end_ns < next_ns)
            next_ns = t->kernels[i].end_ns;
    return next_ns;
}

static inline uint32_t twin_advance(struct device *dev, int64_t now_ns, struct device_end *ends)
{
    struct twin *t = dev->truth;
    uint32_t n = 0, kept = 0, running = t->running;
    twin_book(t, now_ns);
    for (uint32_t i = 0; i < running; i++)
        if (t->kernels[i].end_ns == now_ns)
            ends[n++] = (struct device_end){.id = t->kernels[i].id};
        else
            t->kernels[kept++] = t->kernels[i];
    t->running = kept;
    return n;
}

static inline enum host_device_state twin_state(const struct device *dev)
{
    return ((const struct twin *)dev->truth)->running > 0 ? HOST_BUSY : HOST_IDLE;
}

static inline uint32_t twin_running(const struct device *dev)
{
    return ((const struct twin *)dev->truth)->running;
}

static inline req_id twin_nth(const struct device *dev, uint32_t n)
{
    return ((const struct twin *)dev->truth)->kernels[n].id;
}

static inline int64_t twin_scale_left(struct device *dev, int64_t now_ns, req_id id,
                                      int64_t work_ns, double factor)
{
    struct twin *t = dev->truth;
    (void)work_ns;
    struct twin_kernel *k = &t->kernels[t->kernels[0].id != id];
    int64_t left_ns = k->end_ns - now_ns, changed_ns = 1 + (int64_t)((double)left_ns * factor);
    k->end_ns = now_ns + changed_ns;
    return changed_ns - left_ns;
}

static inline void twin_close(struct device *dev, int64_t end_ns, struct device_usage *out)
{
    struct twin *t = dev->truth;
    twin_book(t, end_ns);
    out->done.time = (struct dcs_usage){.busy_ns = t->busy_ns, .useful_ns = t->busy_ns};
}

static const struct device_kind device_twin = {
    .name = "twin",
    .shares = true,
    .open = twin_open,
    .free = twin_free,
    .look = twin_look,
    .refuses = twin_refuses,
    .pledge = twin_pledge,
    .unpledge = twin_unpledge,
    .start = twin_start,
    .next_ns = twin_next_ns,
    .advance = twin_advance,
    .state = twin_state,
    .running = twin_running,
    .nth = twin_nth,
    .scale_left = twin_scale_left,
    .close = twin_close,
};

#endif
