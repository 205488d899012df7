/*
 * recorder.h - what a running cluster tells one who records it: each thing that happens to
 * requests, devices and schedulers, at the time at which it happens, in order. A recorder is told,
 * and never asked: whether there is one changes nothing in a run, but that a recorder may break it
 * off.
 *
 * A request is told of in this order: it waits (ROUTED), again after each STOPPED and after each
 * KERNEL_END that is not its last. LAUNCH ends its waiting, a STOP or KERNEL_END its run. LEAVES
 * ends its waiting in the domain for good, or until it is ROUTED to another one; after its last
 * KERNEL_END nothing comes. One that a full queue turns away is told of by LEAVES alone.
 */
#ifndef DCS_RECORDER_H
#define DCS_RECORDER_H

#include "des/base.h"
#include "policies/policy.h"

enum record_kind {
    RECORD_ROUTED,     /* to a domain, where it waits from now on */
    RECORD_LAUNCH,     /* its present kernel, on a device; flag: of a run that was measured */
    RECORD_KERNEL_END, /* completed; flag: it was the request's last */
    RECORD_STOP,       /* the revocation of its kernel begins */
    RECORD_STOPPED,    /* and is over */
    RECORD_LEAVES,     /* a waiting request; flag: for another domain, else it is dropped */
    RECORD_QUOTA,      /* a launch, or a resize of what runs, goes from `before` to `allotment` */
    RECORD_RATES,      /* of what runs on a shared device, after a change there */
    RECORD_ACTION,   /* a policy acts: `what`; to_ns: a timer's time; with: the one it is fused with
                      */
    RECORD_REASON,   /* a policy says why: `what`, value */
    RECORD_CALLBACK, /* a policy was told `what`; its scheduler is busy until to_ns */
    RECORD_END,      /* of the run: what runs stays as it is */
};

#define RECORD_NONE UINT32_MAX

struct cluster_record {
    enum record_kind kind;
    int64_t at_ns;
    uint32_t domain; /* RECORD_NONE: none */
    uint32_t device; /* of the cluster; RECORD_NONE: none */
    /* Of the request that it is about; id 0: of none. */
    req_id id;
    uint32_t slot; /* small; no two requests that are inside at one time have the same */
    uint32_t job, app, kernel;
    uint32_t form; /* of spec->apps: what a request of its size is made of */
    uint64_t index;
    int64_t deadline_ns;
    /* As the kind says. */
    bool flag;
    struct host_allotment allotment, before; /* LAUNCH, ACTION (launch, allot), QUOTA */
    req_id with;                             /* the other part of a fused launch; 0: none */
    int64_t began_ns;                        /* LAUNCH: when it begins to work */
    int64_t host_ns;           /* LAUNCH: how long it waits for its host; the switch of its quota
                                * passes meanwhile, what it pays for revocations comes after */
    int64_t work_ns;           /* LAUNCH: its true work on a whole device, noise included */
    int64_t saved_ns;          /* LAUNCH, STOP: of that, what checkpoints have kept */
    const struct dcs_gpu *gpu; /* RATES */
    int64_t to_ns; /* also LAUNCH that was measured: when its kernel ended; DCS_NEVER: it did not */
    int64_t value;
    const char *what; /* lives as long as the program, or the policy */
};

struct recorder {
    void *context;
    /* -1 and err: the run is broken off, and has failed with this. */
    int (*record)(void *context, const struct cluster_record *record, struct dcs_err *err);
};

#endif
