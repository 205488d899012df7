/*
 * revoke.h - what policies share that revoke batch work for latency requests: whom to revoke, and
 * what to do with one that is revoked again and again.
 */
#ifndef DCSIM_POLICIES_LIB_REVOKE_H
#define DCSIM_POLICIES_LIB_REVOKE_H

#include "policies/policy.h"

/* How the domain's devices are used right now. */
struct revoke_survey {
    uint32_t latency;  /* devices that run a latency request, or are about to */
    uint32_t revoking; /* on their way to being idle */
    uint32_t idle;
};

static inline struct revoke_survey revoke_survey(const struct host *h)
{
    struct revoke_survey s = {0};
    struct host_device d;
    struct host_request r;
    for (dev_id i = 0; host_device(h, i, &d); i++) {
        if (d.state == HOST_IDLE)
            s.idle++;
        else if (d.state == HOST_REVOKING)
            s.revoking++;
        else if (d.first != 0 && host_request(h, d.first, &r) && r.class == HOST_LATENCY)
            s.latency++;
    }
    return s;
}

/* The running batch request that was started most recently, before `below` (so that a caller can go
 * on to the next one: pass the start and id of the last); TReM, section IV-B. 0 if there is none.
 * Of two that started together the one with the higher id counts as the later. */
static inline req_id revoke_newest(const struct host *h, int64_t below_ns, req_id below_id,
                                   struct host_device *device, struct host_request *request)
{
    req_id found = 0;
    struct host_device d;
    struct host_request r;
    *request = (struct host_request){0};
    for (dev_id i = 0; host_device(h, i, &d); i++) {
        if (d.state != HOST_BUSY || d.first == 0 || !host_request(h, d.first, &r) ||
            r.class != HOST_BATCH || r.state != HOST_RUNNING)
            continue;
        if (r.start_ns > below_ns || (r.start_ns == below_ns && d.first >= below_id))
            continue;
        if (found == 0 || r.start_ns > request->start_ns ||
            (r.start_ns == request->start_ns && d.first > found)) {
            found = d.first;
            *device = d;
            *request = r;
        }
    }
    return found;
}

/* The lowest idle device from `from` on, HOST_NO_DEVICE if there is none. */
static inline dev_id revoke_idle_device(const struct host *h, dev_id from)
{
    struct host_device d;
    for (dev_id i = from; host_device(h, i, &d); i++)
        if (d.state == HOST_IDLE)
            return i;
    return HOST_NO_DEVICE;
}

#endif
