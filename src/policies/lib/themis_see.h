/*
 * themis_see.h - by how much a kernel that has ended was slowed, by fewer SMs and by what ran
 * beside it: what Themis' engine goes by (lib/themis_engine.h), in five ways. Each says how long
 * the kernel took or would have taken on the whole device alone, on its SMs alone, and beside the
 * others.
 *
 * BY TIMES. What the config's predictor says of it alone on its SMs and on the whole device, with
 * its errors; the last as measured. The predictor must know the application, which Themis does not
 * ask.
 *
 * BY NETWORK, Themis (sections IV and V). From counters of the kernel and of what ran beside it:
 * each of those has the counters of its latest kernel that has ended on the device.
 *
 * BY ASM. ASM compares rates of accesses to the L2 cache alone, which it finds by priority in
 * memory. No GPU here has that, so the predicted time alone on the same SMs stands in. Fewer SMs
 * slow nothing.
 *
 * BY ASM-GPM. The same, and GPM's clusters for fewer SMs, from the counters.
 *
 * BY STAGES, Bubble-Flux. The time alone on the whole device is measured, in stages in which the
 * others wait, for each kernel and size of an application. It cannot tell the two causes apart, and
 * all counts as of fewer SMs.
 */
#ifndef DCSIM_POLICIES_LIB_THEMIS_SEE_H
#define DCSIM_POLICIES_LIB_THEMIS_SEE_H

#include "policies/policy.h"

#include <string.h>

/* What counters say of kernel number `kernel` of request r, which has ended, as of its end. False
 * (and *out untouched) where host_measured() does not know it, or nothing was counted of it. */
static inline bool host_events(const struct host *h, req_id r, uint32_t kernel,
                               struct host_events *out)
{
    return h->ops->size > offsetof(struct host_ops, events) && h->ops->events != NULL &&
           h->ops->events(h, r, kernel, out);
}

/* How much a kernel on so many SMs was slowed of which counters say `own`, beside others whose
 * pressures add up to `pressure`, HOST_PRESSURES numbers. The scheduler is charged as for a
 * prediction. False (and *out untouched) where nobody is asked (config slowdowns). */
static inline bool host_slowdown(struct host *h, enum host_slowdown_by by, uint32_t sms,
                                 const struct host_events *own, const double *pressure,
                                 struct host_slowdown *out)
{
    return h->ops->size > offsetof(struct host_ops, slowdown) && h->ops->slowdown != NULL &&
           h->ops->slowdown(h, by, sms, own, pressure, out);
}

enum themis_by {
    THEMIS_BY_TIMES,
    THEMIS_BY_NETWORK,
    THEMIS_BY_ASM,
    THEMIS_BY_ASM_GPM,
    THEMIS_BY_STAGES
};

struct themis_seen {
    double whole_ns, part_ns, took_ns;
};

/* kernel: of request r, which has ended on so many SMs; pressure: of what ran beside it; whole_ns:
 * as measured in a stage, 0: not yet. False: nothing is known. */
static inline bool themis_see_kernel(enum themis_by by, struct host *h, req_id r, uint32_t kernel,
                                     uint32_t sms, const double *pressure, double whole_ns,
                                     struct themis_seen *out)
{
    static const struct host_allotment whole = {.mechanism = HOST_WHOLE};
    const struct host_allotment part = {.mechanism = HOST_GREEN, .sms = sms};
    const struct host_events none = {{0}};
    struct host_events events = none;
    struct host_slowdown says = {1, 1};
    *out = (struct themis_seen){.took_ns = (double)host_measured(h, r, kernel)};
    if (by == THEMIS_BY_NETWORK || by == THEMIS_BY_ASM_GPM) {
        bool network = by == THEMIS_BY_NETWORK;
        if (!host_events(h, r, kernel, &events) ||
            !host_slowdown(h, network ? HOST_BY_NETWORK : HOST_BY_CLUSTERS, sms, &events, pressure,
                           &says))
            return false;
    }
    if (by == THEMIS_BY_NETWORK)
        out->part_ns = out->took_ns / says.interference;
    else if (by == THEMIS_BY_STAGES)
        out->part_ns = out->took_ns;
    else
        out->part_ns = (double)host_predict_kernel(h, r, kernel, HOST_DURATION_NS, part);
    if (by == THEMIS_BY_TIMES)
        out->whole_ns = (double)host_predict_kernel(h, r, kernel, HOST_DURATION_NS, whole);
    else if (by == THEMIS_BY_STAGES)
        out->whole_ns = whole_ns;
    else
        out->whole_ns = out->part_ns / says.scalability;
    return out->took_ns > 0 && out->part_ns > 0 && out->whole_ns > 0;
}

/* What a kernel that has ended presses with on what runs beside it; as it was where nothing is
 * known. */
static inline void themis_see_pressure(const struct host *h, req_id r, uint32_t kernel,
                                       double *pressure)
{
    struct host_events events;
    if (host_events(h, r, kernel, &events))
        memcpy(pressure, events.rate + HOST_EVENTS - HOST_PRESSURES,
               HOST_PRESSURES * sizeof *pressure);
}

#endif
