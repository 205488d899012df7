/*
 * driven.h - a device that really runs, as the engine sees it: where a spec has one, the policy's
 * launches go there, kernels end when they really end, and the run's clock is that device's.
 *
 * Everything else is as in a simulation: arrivals and sizes are drawn from the same seed, actions
 * are checked by the same rules, and the same is measured. What the engine draws of a kernel's true
 * work is told to the device and to nobody else: a device that is played instead of real needs it.
 *
 * Time is ns since the begin of the run. An arrival or a timer happens at its time, although the
 * engine comes to it a little later; the end of a kernel happens when it is seen.
 */
#ifndef DCS_ENGINE_DRIVEN_H
#define DCS_ENGINE_DRIVEN_H

#include "policies/policy.h"

/* The present kernel of a request is launched, or those of two requests as one launch: each of
 * these then ends by itself in what driven.ended() says. */
struct driven_launch {
    req_id id;
    job_id job;
    uint64_t index;                   /* within its job */
    uint32_t form, kernel;            /* of the request: an index of the spec's applications */
    bool last;                        /* of the request's kernels */
    bool transfer;                    /* needs no SMs */
    struct host_allotment allotment;  /* whole or green */
    int64_t event_ns;                 /* of what the policy was told when it launched this */
    int64_t alone_ns;                 /* what the simulated device would take alone; see above */
    const struct driven_launch *with; /* fused: the other kernel, of the same launch; else NULL */
    bool with_is_tensor;              /* fused: that one has the tensor part */
    uint32_t tensor_blocks, cuda_blocks; /* fused: of each part, in one block */
};

struct driven_end {
    req_id id;
    int64_t end_ns;
    bool stopped; /* it was revoked, and the device has come to rest; else its kernel has ended */
};

/* A callback that was made, or a decision: what, about what happened when, from when to when. */
struct driven_callback {
    const char *what; /* static text */
    int64_t event_ns, begin_ns, end_ns;
};

struct driven {
    void *context;
    int64_t (*now_ns)(void *context);
    void (*launch)(void *context, const struct driven_launch *l);
    /* Stops the kernel of that request, or the process in which it runs. Answered by an end that is
     * stopped, behind which no other of that launch comes. NULL: nothing is revoked. */
    void (*revoke)(void *context, req_id id);
    /* Takes the next end that has been seen; false: there is none. */
    bool (*ended)(void *context, struct driven_end *out);
    /* Lets a little time pass, never beyond until_ns. */
    void (*wait)(void *context, int64_t until_ns);
    /* Why the device cannot go on; NULL: it can. */
    const char *(*failure)(void *context);
    void (*called)(void *context, const struct driven_callback *c);
};

#endif
