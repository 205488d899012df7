/*
 * devices.h - which devices of a domain idle, which batch request began last, where the fewest
 * kernels run: for policies that run one request at a time on a device, or as many as it takes.
 *
 * What the host says of each device is kept here and brought up to date before each answer, with
 * the devices that the host names as changed alone (host_changed_device). So an answer costs the
 * logarithm of the number of devices, and is what a look at all of them would find. No other part
 * of the policy may ask for changed devices.
 */
#ifndef DCSIM_POLICIES_LIB_DEVICES_H
#define DCSIM_POLICIES_LIB_DEVICES_H

#include "policies/lib/tournament.h"
#include "policies/policy.h"

#include <stdlib.h>

/* What is kept, as bits: what is not cannot be asked for. */
enum devices_kept {
    DEVICES_IDLE = 1,     /* devices_first_idle() */
    DEVICES_CLASSES = 2,  /* serving_latency, revoking, devices_newest() */
    DEVICES_QUIETEST = 4, /* devices_quietest() */
};

/* What was last seen of a device. */
struct devices_seen {
    uint32_t kernels;
    bool latency;  /* it runs a latency request, or is about to; counted */
    bool revoking; /* it is on its way to being idle; counted */
    bool batch;    /* it runs a batch request: `first`, since start_ns */
    bool aside;    /* devices_newest() has passed it over */
    req_id first;
    int64_t start_ns;
};

struct devices {
    uint32_t count;
    unsigned kept; /* enum devices_kept */
    struct devices_seen *seen;
    uint32_t *memory; /* of the tournaments, then of aside */
    struct tournament idle, newest, quietest;
    dev_id *aside;
    uint32_t aside_count;
    uint32_t serving_latency, revoking; /* devices; as of the last question */
};

static inline bool devices_lower(const void *context, uint32_t a, uint32_t b)
{
    (void)context;
    return a < b;
}

/* Of two that began together the one with the higher id is the later. */
static inline bool devices_later(const void *context, uint32_t a, uint32_t b)
{
    const struct devices_seen *seen = context, *x = &seen[a], *y = &seen[b];
    return x->start_ns != y->start_ns ? x->start_ns > y->start_ns : x->first > y->first;
}

static inline bool devices_quieter(const void *context, uint32_t a, uint32_t b)
{
    const struct devices_seen *seen = context;
    return seen[a].kernels != seen[b].kernels ? seen[a].kernels < seen[b].kernels : a < b;
}

static inline void devices_look_at_classes(struct devices *all, const struct host *h, dev_id d,
                                           const struct host_device *device)
{
    struct devices_seen *seen = &all->seen[d];
    struct host_request r;
    bool busy =
        device->state == HOST_BUSY && device->first != 0 && host_request(h, device->first, &r);
    all->serving_latency -= seen->latency;
    all->revoking -= seen->revoking;
    seen->latency = busy && r.class == HOST_LATENCY;
    seen->revoking = device->state == HOST_REVOKING;
    seen->batch = busy && r.class == HOST_BATCH && r.state == HOST_RUNNING;
    seen->first = device->first;
    seen->start_ns = seen->batch ? r.start_ns : 0;
    all->serving_latency += seen->latency;
    all->revoking += seen->revoking;
    tournament_set(&all->newest, d, seen->batch && !seen->aside);
}

static inline void devices_look(struct devices *all, const struct host *h, dev_id d)
{
    struct host_device device;
    if (!host_device(h, d, &device))
        return;
    if ((all->kept & DEVICES_IDLE) != 0)
        tournament_set(&all->idle, d, device.state == HOST_IDLE);
    if ((all->kept & DEVICES_CLASSES) != 0)
        devices_look_at_classes(all, h, d, &device);
    all->seen[d].kernels = device.kernels;
    if ((all->kept & DEVICES_QUIETEST) != 0)
        tournament_set(&all->quietest, d, device.kernels < device.kernels_max);
}

/* In a policy's init: 0, or -1 and the run fails. */
static inline int devices_init(struct devices *all, struct host *h, unsigned kept)
{
    uint32_t n = host_devices(h);
    *all = (struct devices){.count = n, .kept = kept};
    all->seen = calloc(n, sizeof *all->seen);
    all->memory = calloc(n, 7 * sizeof *all->memory);
    if (all->seen == NULL || all->memory == NULL) {
        host_fail(h, "out of memory");
        return -1;
    }
    tournament_init(&all->idle, n, all->memory, devices_lower, NULL);
    tournament_init(&all->newest, n, all->memory + 2 * (size_t)n, devices_later, all->seen);
    tournament_init(&all->quietest, n, all->memory + 4 * (size_t)n, devices_quieter, all->seen);
    all->aside = all->memory + 6 * (size_t)n;
    for (dev_id d = 0; d < n; d++)
        devices_look(all, h, d);
    return 0;
}

static inline void devices_release(struct devices *all)
{
    free(all->seen);
    free(all->memory);
}

/* Looks at what has changed; at all where the host does not say. */
static inline void devices_refresh(struct devices *all, struct host *h)
{
    if (!host_tells_changes(h))
        for (dev_id d = 0; d < all->count; d++)
            devices_look(all, h, d);
    else
        for (dev_id d; (d = host_changed_device(h)) != HOST_NO_DEVICE;)
            devices_look(all, h, d);
}

/* The lowest idle device, HOST_NO_DEVICE if there is none. */
static inline dev_id devices_first_idle(struct devices *all, struct host *h)
{
    devices_refresh(all, h);
    return tournament_first(&all->idle);
}

/* The device where the fewest kernels run, the first of equal ones; HOST_NO_DEVICE if none takes
 * one more. */
static inline dev_id devices_quietest(struct devices *all, struct host *h)
{
    devices_refresh(all, h);
    return tournament_first(&all->quietest);
}

static inline void devices_pass_over(struct devices *all, dev_id d)
{
    if (!all->seen[d].aside)
        all->aside[all->aside_count++] = d;
    all->seen[d].aside = true;
    tournament_set(&all->newest, d, false);
}

/* The running batch request that was started most recently, before `below` (so that a caller can go
 * on to the next one: pass the start and id of the last); TReM, section IV-B. 0 if there is none.
 * Of two that started together the one with the higher id counts as the later. A search goes
 * downwards, from HOST_NEVER and UINT64_MAX, and ends with devices_end_search(). */
static inline req_id devices_newest(struct devices *all, struct host *h, int64_t below_ns,
                                    req_id below_id, struct host_device *device,
                                    struct host_request *request)
{
    devices_refresh(all, h);
    for (dev_id d; (d = tournament_first(&all->newest)) != TOURNAMENT_NOBODY;) {
        const struct devices_seen *seen = &all->seen[d];
        if (seen->start_ns < below_ns || (seen->start_ns == below_ns && seen->first < below_id))
            return host_device(h, d, device) && host_request(h, seen->first, request) ? seen->first
                                                                                      : 0;
        devices_pass_over(all, d);
    }
    return 0;
}

static inline void devices_end_search(struct devices *all)
{
    while (all->aside_count > 0) {
        dev_id d = all->aside[--all->aside_count];
        all->seen[d].aside = false;
        tournament_set(&all->newest, d, all->seen[d].batch);
    }
}

#endif
