/*
 * share.h - what policies share that place several kernels on a device: what is taken of each
 * device, and where a request begins.
 *
 * A policy keeps this account itself instead of asking the host, because of completions of one
 * instant: a device is free at once, but a request whose completion has not been told yet can only
 * be launched again in its own callback, and nobody else should have taken its SMs before.
 *
 * A device that does not offer the mechanism counts as one indivisible part: each launch gets the
 * whole of it, one after the other.
 */
#ifndef DCSIM_POLICIES_LIB_SHARE_H
#define DCSIM_POLICIES_LIB_SHARE_H

#include "policies/policy.h"

#include <stdlib.h>

/* What a policy has launched on a device and not been told the end of. */
struct share_use {
    uint32_t kernels, sms; /* transfers are kernels without SMs; */
    uint32_t copies;       /* the number of these */
    uint64_t memory_bytes;
    uint32_t latency; /* latency requests that have their place there, running or not; */
    uint32_t batch;   /* batch requests likewise */
};

/* What every such policy knows of a request: the first member of its own record. */
struct share_request {
    req_id r;
    enum host_class class;
    dev_id device;         /* its place; HOST_NO_DEVICE until it has one */
    uint32_t sms;          /* that it holds while it runs */
    uint64_t memory_bytes; /* of its application; 0 where the policy does not count it */
    bool runs;             /* launched, and the policy has not been told the end */
    bool copies;           /* what runs is a transfer */
    /* What runs began with other SMs: when it got those that it has, and the integral of its SMs
     * over time up to then; 0: it did not. */
    int64_t resized_ns;
    double sm_ns;
    bool fixed; /* what runs is a transfer; not asked where nothing can be resized */
    enum { SHARE_UNASKED, SHARE_KERNEL, SHARE_TRANSFER } next; /* what is launched next */
};

static inline struct share_use *share_create(const struct host *h)
{
    return calloc(host_devices(h), sizeof(struct share_use));
}

static inline bool share_offers(const struct host_device *d, enum host_mechanism m)
{
    return (d->mechanisms & 1u << m) != 0 && d->sms > 0;
}

/* SMs of the device, and the smallest part of them; 1 and 1 where it is indivisible. */
static inline uint32_t share_sms(const struct host_device *d, enum host_mechanism m)
{
    return share_offers(d, m) ? d->sms : 1;
}

static inline uint32_t share_step(const struct host_device *d, enum host_mechanism m)
{
    return share_offers(d, m) && d->sms_step > 0 ? d->sms_step : 1;
}

static inline struct host_allotment share_allotment(const struct host_device *d,
                                                    enum host_mechanism m, uint32_t sms)
{
    if (!share_offers(d, m) || m == HOST_WHOLE)
        return (struct host_allotment){.mechanism = HOST_WHOLE};
    return (struct host_allotment){.mechanism = m, .sms = sms};
}

/* Whether one more kernel fits. One that fits nowhere is let through when the device is free, so
 * that the host says what is wrong. */
static inline bool share_takes(const struct host_device *d, const struct share_use *use,
                               struct host_allotment a, uint64_t memory_bytes)
{
    if (use->kernels == 0)
        return true;
    if (a.mechanism == HOST_WHOLE || use->kernels >= d->kernels_max)
        return false;
    if (a.mechanism == HOST_GREEN && use->sms + a.sms > d->sms)
        return false;
    return use->memory_bytes + memory_bytes <= d->memory_bytes;
}

/* ---- The way of a request through a policy ---- */

/* It gets its place on d, where all its kernels run. */
static inline void share_place(struct share_use *use, struct share_request *q, dev_id d)
{
    if (q->device != HOST_NO_DEVICE)
        return;
    q->device = d;
    use[d].latency += q->class == HOST_LATENCY;
    use[d].batch += q->class == HOST_BATCH;
}

/* Its next kernel is launched there with so many SMs. */
static inline void share_start(struct share_use *use, struct share_request *q, uint32_t sms)
{
    q->runs = true;
    q->copies = false;
    q->resized_ns = 0;
    q->next = SHARE_UNASKED;
    q->sms = sms;
    use[q->device].kernels++;
    use[q->device].sms += sms;
    use[q->device].memory_bytes += q->memory_bytes;
}

/* What runs since start_ns has so many SMs from now on. */
static inline void share_resize(struct share_use *use, struct share_request *q, uint32_t sms,
                                int64_t start_ns, int64_t now_ns)
{
    bool again = q->resized_ns > 0;
    q->sm_ns = (again ? q->sm_ns : 0) +
               (double)q->sms * (double)(now_ns - (again ? q->resized_ns : start_ns));
    q->resized_ns = now_ns;
    use[q->device].sms += sms - q->sms;
    q->sms = sms;
}

/* The SMs that what has run from start_ns until now had, in the mean. */
static inline uint32_t share_mean_sms(const struct share_request *q, int64_t start_ns,
                                      int64_t now_ns)
{
    if (q->resized_ns == 0 || now_ns <= start_ns)
        return q->sms;
    double sm_ns = q->sm_ns + (double)q->sms * (double)(now_ns - q->resized_ns);
    uint32_t mean = (uint32_t)(sm_ns / (double)(now_ns - start_ns) + 0.5);
    return mean > 0 ? mean : 1;
}

/* Whether the next kernel of a request that does not run is a transfer; the host is asked once for
 * each. */
static inline bool share_is_transfer(const struct host *h, struct share_request *q)
{
    if (q->next == SHARE_UNASKED)
        q->next = host_is_transfer(h, q->r) ? SHARE_TRANSFER : SHARE_KERNEL;
    return q->next == SHARE_TRANSFER;
}

/* Its next kernel, a transfer, is launched there. */
static inline void share_start_copy(struct share_use *use, struct share_request *q)
{
    share_start(use, q, 0);
    q->copies = true;
    use[q->device].copies++;
}

/* Whether the bus is free for a transfer of a batch request: nothing is copied. A copy is not
 * interrupted, and those of one direction go one after the other; so no more than one of batch
 * requests is ever ahead of a service's. This is the PCIe bandwidth that Baymax reserves for
 * services, and C-Laius after it (c-laius, section 1). */
static inline bool share_bus_is_free(const struct share_use *use)
{
    return use->copies == 0;
}

/* The kernel has ended, or its launch came to nothing; nothing happens if none runs. */
static inline void share_stop(struct share_use *use, struct share_request *q)
{
    if (!q->runs)
        return;
    q->runs = false;
    use[q->device].kernels--;
    use[q->device].copies -= q->copies;
    use[q->device].sms -= q->sms;
    use[q->device].memory_bytes -= q->memory_bytes;
}

/* It leaves for good: stops, and gives its place back. */
static inline void share_leave(struct share_use *use, struct share_request *q)
{
    share_stop(use, q);
    if (q->device == HOST_NO_DEVICE)
        return;
    use[q->device].latency -= q->class == HOST_LATENCY;
    use[q->device].batch -= q->class == HOST_BATCH;
}

/* ---- Times ---- */

/* a + b and a - b, but within what int64_t holds: a prediction may be HOST_NEVER. */
static inline int64_t share_later_ns(int64_t a, int64_t b)
{
    if (b >= 0)
        return a > INT64_MAX - b ? INT64_MAX : a + b;
    return a < INT64_MIN - b ? INT64_MIN : a + b;
}

static inline int64_t share_earlier_ns(int64_t a, int64_t b)
{
    if (b >= 0)
        return a < INT64_MIN + b ? INT64_MIN : a - b;
    return a > INT64_MAX + b ? INT64_MAX : a - b;
}

/* The instant that a policy aims at for a request: its deadline if `target`, the share of the SLA
 * that may be used up, is 1. */
static inline int64_t share_aim_ns(const struct host_request *view, double target)
{
    if (view->deadline_ns == HOST_NEVER)
        return HOST_NEVER;
    return view->arrival_ns + (int64_t)(target * (double)(view->deadline_ns - view->arrival_ns));
}

/* Whether device a is a better place than b for a request that begins: fewer latency requests, then
 * fewer SMs taken (devices of one domain are alike), then fewer kernels. */
static inline bool share_better(const struct share_use *a, const struct share_use *b)
{
    if (a->latency != b->latency)
        return a->latency < b->latency;
    if (a->sms != b->sms)
        return a->sms < b->sms;
    return a->kernels < b->kernels;
}

/* The best of all devices, the first of equal ones. */
static inline dev_id share_best(const struct share_use *use, uint32_t devices)
{
    dev_id best = 0;
    for (dev_id d = 1; d < devices; d++)
        if (share_better(&use[d], &use[best]))
            best = d;
    return best;
}

/* ---- Where batch requests begin ---- */

/* A batch request stays on the device where it began. If all began on the first device with room
 * (one that begins with a transfer needs no SMs), they would wait there for each other while other
 * devices idle. So a policy offers batch requests without a place to each device until it has
 * share_even() of them; then those that found no room to devices that have their part, up to
 * share_raise(), again and again until that is 0. With one device nothing is held back. */

/* How many batch requests each device has if all, `waiting` of them without a place, are spread
 * evenly. */
static inline size_t share_even(const struct share_use *use, uint32_t devices, size_t waiting)
{
    size_t all = waiting;
    for (dev_id d = 0; d < devices; d++)
        all += use[d].batch;
    return devices > 0 ? (all + devices - 1) / devices : 0;
}

/* Up to how many a device may have next: one more than the fewest of those that have `most` or
 * more; only devices with that fewest number are to be asked then. 0 if there is none. */
static inline size_t share_raise(const struct share_use *use, uint32_t devices, size_t most)
{
    size_t next = 0;
    for (dev_id d = 0; d < devices; d++)
        if (use[d].batch >= most && (next == 0 || use[d].batch < next - 1))
            next = (size_t)use[d].batch + 1;
    return next;
}

/* How many batch requests may begin there. */
static inline size_t share_begins(const struct share_use *use, size_t most)
{
    return use->batch < most ? most - use->batch : 0;
}

#endif
