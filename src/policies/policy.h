/*
 * policy.h - the contract between a scheduling policy and whatever it drives.
 *
 * A policy is one constant struct policy: a table of callbacks, a table of typed options, and the
 * size of its state. It acts only through its host: a table of functions that answer questions and
 * carry out actions for one *domain* (the devices that this instance of the policy drives). Nothing
 * here says that the host simulates. This header is all that a policy includes, beside
 * policies/lib/.
 *
 * WORDS   request: the unit with an arrival and perhaps a deadline; a sequence of kernels.
 *         kernel: the unit that occupies a device.   job: what issues requests.
 *         allotment: what a kernel gets of a device.
 * UNITS   time is int64_t nanoseconds on the host's clock; memory is bytes; shares are 0..1.
 *
 * THE LIFE OF A REQUEST, as its policy sees it
 *
 *            on_ready                launch               on_complete(request_done = false)
 *   (routed) --------> HOST_WAITING --------> HOST_RUNNING --------------------.
 *                          ^  |  |                |  |                         |
 *                          |  |  |     revoke     |  | on_complete(true)       |
 *                          |  |  |<---------------'  '--------> gone           |
 *                          |  |  | on_ready, when the revocation is over       |
 *                          |  |  `-- drop, return_to_router ---> gone          |
 *                          |  `----- on_gone: its time ran out -> gone         |
 *                          `---------------------------------------------------'
 *   A request is a cursor over its kernels: launch() launches the current one. After an on_complete
 *   with request_done = false the next kernel is ready; there is no extra on_ready for it.
 *
 *   DIVISIBLE WORK. A kernel may be a pass of iterations that devices of the domain share:
 *   host_division() tells. launch_chunk() then gives a number of its iterations to one device, and
 *   several devices may have a chunk of one request each. Each chunk that ends comes back as an
 *   on_complete with its device; host_ended_chunk() says how many iterations it had and how long it
 *   took. The request runs while a chunk of it does, and waits between chunks. The pass is over
 *   when no iteration is left and no chunk runs; then the next one is ready, or the request has
 *   ended.
 *
 * WHEN THINGS HAPPEN
 *   - No callback runs inside an action. What an action causes comes back as a later callback.
 *   - Everything that happens at one instant (completions, arrivals, timers) is applied before the
 *     first callback of that instant; the callbacks then come in the order in which the things
 *     happened, completions of one device in the order of the requests' ids. on_gone alone comes
 *     before all others, so that no policy counts on a request that has left. Config
 *     scheduler.instant: fresh requests may come before completions (arrivals_first); or callbacks
 *     come after each event (one_by_one): then other events of the same instant are still to come,
 *     and only what one event does has been applied. All completions of one device at one instant
 *     are one event, with the requests that clients issue in answer to them.
 *   - decide comes after each callback; with one_by_one after the last callback of an event.
 *   - A domain has one scheduler. Work that it is charged for (config section "scheduler") keeps it
 *     busy: an action takes effect when the charge so far has passed, and callbacks wait meanwhile.
 *     Without charges an action takes effect at once.
 *   - An action is validated when it is called; one that breaks a rule ends the run with an error
 * that names policy, time and rule. An action that was charged is validated again when it takes
 * effect; if the world has moved on by then it is not carried out, and the request comes back
 * through on_ready if it still waits.
 *   - A timer that is set for a time that has passed fires at once, in a later callback.
 *
 * OWNERSHIP
 *   - state: `state_size` zeroed bytes given to init(); what init() allocates, fini() frees.
 *   - params: the parsed options, `params_size` bytes; outlive the policy instance; read-only.
 *   - views (struct host_device, struct host_request): copies; nothing points into the host.
 *
 * WHAT A POLICY CAN KNOW: only what a real system could: what runs where and since when, measured
 * times of kernels that have ended, predictions, counters. Never how long something will really
 * take.
 *
 * REASONS A policy may say why it does what it does (host_explain); that is for whoever reads the
 * results, and changes nothing.
 *
 * ERRORS  Callbacks return nothing: a policy that cannot go on calls host_fail().
 */
#ifndef DCSIM_POLICIES_POLICY_H
#define DCSIM_POLICIES_POLICY_H

#include "policies/host_views.h"
#include "policies/kernel_counters.h"
#include "policies/param.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Grows with every change that an old policy or host would misread. */
#define POLICY_ABI 7u

/* How a device is shared. A device says which it can do, as a set of bits 1u << mechanism. */
enum host_mechanism {
    HOST_WHOLE, /* the kernel has the device to itself, but for transfers (host_is_transfer) that
                   are launched so: these have no SMs, and run beside anything */
    HOST_GREEN, /* SMs of its own: the allotments of what runs never exceed the device */
    HOST_MPS,   /* a cap: at most so many SMs. Caps may add up to more than the device; the hardware
                   then hands out SMs in the order of the launches */
    HOST_CPU,   /* cores and ways of the last-level cache of a CPU */
    HOST_BLOCKS, /* so many blocks in each of some SMs, beside those of others */
};

/* What a kernel gets of a device. Compare and build with designated initialisers; later versions of
 * the contract add members, 0 keeping today's meaning. A kernel keeps its allotment until it ends.
 */
struct host_allotment {
    enum host_mechanism mechanism;
    uint32_t sms; /* HOST_GREEN, HOST_MPS: 1 .. host_device.sms, for HOST_GREEN what sms_step
                     allows; HOST_WHOLE: 0; HOST_BLOCKS: 0 .. host_device.sms - first_sm */

    union {
        /* HOST_CPU: 1 .. host_device.cores and .ways. group: 0, these are the request's own; else
         * all requests of the device that name the same group have them together, and what one of
         * them is given is given to all. A group may have 0 of both: its requests stand still. */
        struct {
            uint32_t cores, ways, group;
        };
        /* HOST_BLOCKS: SMs first_sm .. first_sm + sms - 1 are to have so many blocks each; a resize
         * leaves the others as they are. All that is to be in an SM must fit (host_block). */
        struct {
            uint32_t first_sm, blocks;
        };
    };
};

enum host_device_state {
    HOST_IDLE,     /* nothing runs */
    HOST_BUSY,     /* kernels run (or are about to: a charged launch, or a start that takes time); a
                      launch is legal while kernels < kernels_max and the allotment fits */
    HOST_REVOKING, /* a revocation is under way; ends with on_ready for each victim */
};

struct host_device {
    enum host_device_state state;
    uint32_t mechanisms;  /* bits 1u << enum host_mechanism */
    bool can_resize;      /* resize() is legal */
    bool can_fuse;        /* launch_fused() is legal */
    uint32_t kernels_max; /* how many kernels may run together */
    uint32_t kernels;     /* how many do */
    req_id first;         /* the running (or starting) request with the lowest id, 0 if none */
    int64_t since_ns;     /* when the current state began */
    uint32_t sms;         /* of the device */
    uint32_t sms_step;    /* what HOST_GREEN can partition into: SMs of an allotment are a multiple,
                             or a multiple and sms % sms_step; sms where it cannot be shared */
    uint32_t sms_allotted; /* sum of the allotments of what runs or is about to; a transfer that was
                              launched HOST_WHOLE has none */
    uint32_t cores, ways;  /* of a CPU; 0: it is none. sms says its cores too */
    uint32_t cores_allotted, ways_allotted; /* of a CPU; a group counts once */
    int64_t bandwidth; /* of its memory as measured, bytes per second; 0: not known */
    uint64_t memory_bytes, memory_used_bytes;
    int64_t revoke_ns; /* from revoke(first) to the start of the next latency kernel, as measured on
                          this kind of device; 0 where nothing runs; HOST_NEVER where it was not
                          measured: then revoke() is illegal */
};

struct host;

struct host_ops {
    uint32_t abi, size; /* POLICY_ABI, sizeof(struct host_ops) */

    /* Questions. They change nothing, except that predictions may be charged for, random_bits()
     * moves the domain's own stream on, and changed_device() names a device once. */
    int64_t (*now)(const struct host *h);
    uint32_t (*devices)(const struct host *h);
    bool (*device)(const struct host *h, dev_id d, struct host_device *out);
    bool (*request)(const struct host *h, req_id r, struct host_request *out);
    const char *(*app_name)(const struct host *h, app_id a);
    int64_t (*predict)(struct host *h, req_id r, uint32_t kernel, enum host_quantity q,
                       struct host_allotment a);
    bool (*predict_fused)(struct host *h, req_id latency, req_id batch, struct host_fusion *out);
    int64_t (*measured)(const struct host *h, req_id r, uint32_t kernel);
    bool (*counters)(const struct host *h, req_id r, struct host_counters *out);
    uint64_t (*random_bits)(struct host *h);

    /* Actions. */
    void (*launch)(struct host *h, req_id r, dev_id d, struct host_allotment a);
    void (*launch_fused)(struct host *h, req_id latency, req_id batch, dev_id d, uint32_t variant);
    void (*allot)(struct host *h, req_id r, struct host_allotment a);
    void (*resize)(struct host *h, req_id r, struct host_allotment a);
    void (*revoke)(struct host *h, req_id r);
    void (*drop)(struct host *h, req_id r);
    void (*return_to_router)(struct host *h, req_id r);
    timer_id (*timer)(struct host *h, int64_t at_ns, uint64_t cookie);
    void (*timer_cancel)(struct host *h, timer_id t);
    void (*fail_run)(struct host *h, const char *why);

    /* Reasons. */
    void (*explain)(struct host *h, req_id r, const char *what, int64_t value);

    /* Questions that hosts of a smaller `size` do not answer. */
    bool (*is_transfer)(const struct host *h, req_id r);
    dev_id (*changed_device)(struct host *h);
    int64_t (*switch_ns)(const struct host *h, req_id r, struct host_allotment a);
    double (*weight)(const struct host *h, app_id a);

    /* Divisible work. */
    bool (*division)(const struct host *h, req_id r, struct host_division *out);
    bool (*ended_chunk)(const struct host *h, req_id r, dev_id d, struct host_chunk *out);
    int64_t (*predict_chunk)(struct host *h, req_id r, dev_id d, uint64_t iterations);
    void (*launch_chunk)(struct host *h, req_id r, dev_id d, uint64_t iterations);

    bool (*events)(const struct host *h, req_id r, uint32_t kernel, struct host_events *out);
    bool (*slowdown)(struct host *h, enum host_slowdown_by by, uint32_t sms,
                     const struct host_events *own, const double *pressure,
                     struct host_slowdown *out);

    /* Blocks inside SMs. */
    bool (*block)(const struct host *h, req_id r, struct host_block *out);
    void (*quota)(struct host *h, req_id r, uint32_t first_sm, uint32_t sms, int64_t work_ns);
    double (*quota_left_ns)(const struct host *h, req_id r, uint32_t first_sm);
    uint32_t (*idle_blocks)(const struct host *h, req_id r);

    void (*predict_each)(struct host *h, req_id r, enum host_quantity q, enum host_mechanism m,
                         const uint32_t *sms, uint32_t n, int64_t *out);
};

/* In policy.needs: devices that fuse. An experiment is refused whose profile holds no measurements
 * of fused launches. */
#define HOST_NEEDS_FUSION (1u << 16)
/* Likewise: work that can be divided, on devices that take chunks of it. */
#define HOST_NEEDS_CHUNKS (1u << 17)

/* Likewise: somebody who says how much kernels were slowed (host_slowdown). An experiment is
 * refused whose config asks nobody (key slowdowns). */
#define HOST_NEEDS_SLOWDOWNS (1u << 18)

/* Likewise: blocks in SMs, and quotas, of which a request has at most so many. */
#define HOST_QUOTAS       8
#define HOST_NEEDS_BLOCKS (1u << HOST_BLOCKS)

/* The host as a policy sees it. What follows in memory is the host's own. */
struct host {
    const struct host_ops *ops;
};

struct policy {
    uint32_t abi;        /* POLICY_ABI; others are refused */
    uint32_t size;       /* sizeof(struct policy) */
    const char *name;    /* the config's key: lower case, digits, '-' */
    const char *summary; /* one line */
    const char *source;  /* paper and section, or "textbook" */

    /* Mechanisms without which the policy makes no sense, as bits 1u << enum host_mechanism; 0:
     * none; HOST_NEEDS_FUSION, HOST_NEEDS_CHUNKS, HOST_NEEDS_SLOWDOWNS. An experiment whose devices
     * lack one is refused. A policy whose bits are 0 finds out from host_device what it can do. */
    uint32_t needs;

    const struct param *params; /* ends with a PARAM_END row; NULL: no options */
    size_t params_size;
    size_t state_size;

    /* Called once before anything else, with the domain's devices all idle. Returns 0, or -1 after
     * host_fail(). NULL: nothing to prepare. A host may call it, and fini, for a state that nothing
     * else comes to, to see whether the policy takes its options. */
    int (*init)(void *state, const void *params, struct host *h);

    /* Called once after everything else, also when a run was broken off. NULL: nothing to free. */
    void (*fini)(void *state);

    /* A job begins (before its first request) or ends (after its last). Comes to every domain that
     * may get its requests: all, or the one that it is pinned to. NULL: the policy does not care.
     */
    void (*on_job)(void *state, struct host *h, job_id job, bool begins);

    /* Request r waits here and may be launched: it has arrived (or came back from the router), its
     * revocation is over, or a charged action on it came too late. From here on the policy is
     * responsible for it: it must launch it, drop it or return it at some time, else it waits until
     * the run ends. Required. */
    void (*on_ready)(void *state, struct host *h, req_id r);

    /* The kernel of request r on device d has ended. request_done: it was the last; r is then gone
     * and can no longer be asked about, except in this callback. Otherwise r waits for its next
     * launch. The device is idle unless it runs others. Of divisible work: a chunk has ended there;
     * r still runs if another device has a chunk of it. Required. */
    void (*on_complete)(void *state, struct host *h, req_id r, dev_id d, bool request_done);

    /* Request r left while it waited, because its service drops what is late; not one whose launch
     * is under way. If that launch comes too late, and r's deadline has passed, on_ready comes
     * first, and on_gone right after it unless on_ready has acted on r. Comes before the other
     * callbacks of its instant. It can still be asked about in this callback. NULL: the policy
     * finds out when it asks for r (host_request says no). */
    void (*on_gone)(void *state, struct host *h, req_id r);

    /* A timer fired. NULL: the policy sets none. */
    void (*on_timer)(void *state, struct host *h, uint64_t cookie);

    /* All that the policy is to hear for now has been said: after each callback, or with
     * scheduler.instant = one_by_one after the last callback of an event, so that a policy whose
     * other callbacks only take note decides once about a completion and the request that its
     * client issues in answer. At no charge. NULL: it decides in its callbacks. */
    void (*decide)(void *state, struct host *h);

    /* Request r has done the work of the quota (host_quota) whose SMs begin with first_sm, and
     * stands still there. NULL: the policy sets none. */
    void (*on_quota)(void *state, struct host *h, req_id r, uint32_t first_sm);
};

/* A shared object exports its policy under this name. */
#define POLICY_SYMBOL dcsim_policy
#define POLICY_EXPORT __attribute__((visibility("default")))

/* ---- What a policy may ask ---- */

/* The current time. */
static inline int64_t host_now(const struct host *h)
{
    return h->ops->now(h);
}

/* How many devices the domain has; constant, >= 1. */
static inline uint32_t host_devices(const struct host *h)
{
    return h->ops->devices(h);
}

/* A copy of what can be seen of device d. False (and *out untouched) if there is no such device. */
static inline bool host_device(const struct host *h, dev_id d, struct host_device *out)
{
    return h->ops->device(h, d, out);
}

/* A copy of what can be seen of request r. False if r is not, or no longer, in this domain. */
static inline bool host_request(const struct host *h, req_id r, struct host_request *out)
{
    return h->ops->request(h, r, out);
}

/* The name of an application; NULL if there is none with that id. Lives as long as the host. */
static inline const char *host_app_name(const struct host *h, app_id a)
{
    return h->ops->app_name(h, a);
}

#define HOST_CURRENT_KERNEL UINT32_MAX

/* A prediction for kernel number `kernel` (0 .. kernels - 1, or HOST_CURRENT_KERNEL) of request r
 * of this domain, alone at an allotment; -1 if r is not here or has no such kernel. The scheduler
 * is charged for it where the config says so. */
static inline int64_t host_predict_kernel(struct host *h, req_id r, uint32_t kernel,
                                          enum host_quantity q, struct host_allotment a)
{
    return h->ops->predict(h, r, kernel, q, a);
}

/* The same for the current kernel. */
static inline int64_t host_predict(struct host *h, req_id r, enum host_quantity q,
                                   struct host_allotment a)
{
    return h->ops->predict(h, r, HOST_CURRENT_KERNEL, q, a);
}

/* host_predict() at each of n numbers of SMs, 1 to those of the device, of a mechanism that has
 * them (HOST_GREEN, HOST_MPS): out[i] at sms[i], -1 where it says so. Each is charged as one
 * question. */
static inline void host_predict_each(struct host *h, req_id r, enum host_quantity q,
                                     enum host_mechanism m, const uint32_t *sms, uint32_t n,
                                     int64_t *out)
{
    if (h->ops->size > offsetof(struct host_ops, predict_each) && h->ops->predict_each != NULL)
        h->ops->predict_each(h, r, q, m, sms, n, out);
    else
        for (uint32_t i = 0; i < n; i++)
            out[i] = host_predict(h, r, q, (struct host_allotment){.mechanism = m, .sms = sms[i]});
}

/* The current kernels of two requests of this domain as one launch on the whole device, in the way
 * that the host fuses them: the one that was chosen for this pair of kernels for good, or (config)
 * the one that is predicted to be the fastest now. That may still be slower than one after the
 * other: compare. False (and *out untouched) where they are never fused: a request is not here,
 * nothing was measured of this pair of kernels, they are not one for tensor cores and one for the
 * others, together they need more than an SM has, or one after the other was measured to be best.
 * Which of the two is the tensor kernel does not matter. Asking is charged where the config says
 * so. */
static inline bool host_predict_fused(struct host *h, req_id latency, req_id batch,
                                      struct host_fusion *out)
{
    return h->ops->predict_fused(h, latency, batch, out);
}

/* How long kernel number `kernel` of request r took, start to end, in its latest run; -1 while it
 * has not ended. In on_complete the kernel that has just ended can be asked for. Of a kernel that
 * was part of a fused launch: that launch. */
static inline int64_t host_measured(const struct host *h, req_id r, uint32_t kernel)
{
    return h->ops->measured(h, r, kernel);
}

/* What the counters of running request r say now. False (and *out untouched) if it does not run
 * here, or on a device without such counters (a GPU: they cannot be read while kernels run). */
static inline bool host_counters(const struct host *h, req_id r, struct host_counters *out)
{
    return h->ops->counters(h, r, out);
}

/* 64 random bits from the domain's own stream: deterministic, and no other stream is disturbed. */
static inline uint64_t host_random(struct host *h)
{
    return h->ops->random_bits(h);
}

/* ---- What a policy may do ---- */

/* Launches the current kernel of r on d. Rules: r waits; d is idle or takes more kernels; d offers
 * the mechanism; HOST_GREEN: the allotments that run leave so many SMs; HOST_CPU: they leave so
 * many cores and ways; HOST_WHOLE: d is idle, or only transfers that were launched so run there, or
 * r's kernel is a transfer; another mechanism: no kernel runs on the whole of d; the footprint of r
 * fits into what is left of d's memory (on a GPU). */
static inline void host_launch(struct host *h, req_id r, dev_id d, struct host_allotment a)
{
    h->ops->launch(h, r, d, a);
}

/* Launches the current kernels of both as one on the whole of d; variant: of host_predict_fused for
 * these kernels. Rules: as launch (HOST_WHOLE) for both, two requests, d can fuse, and the variant
 * is one of theirs. One completion: neither's next kernel is ready before it ends; on_complete
 * comes for both at that instant, `latency` first. A request may have been given an allotment
 * (host_allot): here it does not count. */
static inline void host_launch_fused(struct host *h, req_id latency, req_id batch, dev_id d,
                                     uint32_t variant)
{
    h->ops->launch_fused(h, latency, batch, d, variant);
}

/* Changes the allotment of what runs. Rules: r runs, its revocation is not under way, and its
 * device can resize. (A CPU can, to another HOST_CPU that the others leave room for, also while r's
 * charged launch is under way; programs that share a group are resized together. A GPU cannot,
 * unless it is hypothetical: then from one HOST_GREEN to another, not fused.) */
static inline void host_resize(struct host *h, req_id r, struct host_allotment a)
{
    h->ops->resize(h, r, a);
}

/* Sets the allotment that the next kernels of r are launched with, in place of the one that
 * launch() is given, until it is set again. Rule: r is in this domain; its mechanism is checked at
 * the launch. */
static inline void host_allot(struct host *h, req_id r, struct host_allotment a)
{
    h->ops->allot(h, r, a);
}

/* Stops r and loses what it did since its start or its last checkpoint. The blast radius is that of
 * the real mechanism: everything in the same context goes with it, and each victim comes back
 * through on_ready. Rule: r runs. */
static inline void host_revoke(struct host *h, req_id r)
{
    h->ops->revoke(h, r);
}

/* Gives r up: it counts as dropped, and as late if it has a deadline. Rule: r waits. */
static inline void host_drop(struct host *h, req_id r)
{
    h->ops->drop(h, r);
}

/* Hands r back to the router, which sends it to another domain, or here again if there is no other
 * or its job is pinned (as a new on_ready, its count of revocations at 0). Rule: r waits. */
static inline void host_return_to_router(struct host *h, req_id r)
{
    h->ops->return_to_router(h, r);
}

/* on_timer(cookie) at at_ns, or at once if that has passed. */
static inline timer_id host_timer(struct host *h, int64_t at_ns, uint64_t cookie)
{
    return h->ops->timer(h, at_ns, cookie);
}

/* Takes a timer back; nothing happens if it has fired or t is 0. */
static inline void host_timer_cancel(struct host *h, timer_id t)
{
    h->ops->timer_cancel(h, t);
}

/* Keeps a reason with the results if the experiment asks for them (outputs.decisions): about
 * request r and its current kernel. what: a constant text that lives as long as the policy does;
 * value: what goes with it, a number of SMs for instance. Only in callbacks, and not of a request
 * that is not here: such a reason is passed over. */
static inline void host_explain(struct host *h, req_id r, const char *what, int64_t value)
{
    h->ops->explain(h, r, what, value);
}

/* Whether r's current kernel copies between host and device, which takes no SMs; false where r is
 * not here, or the host does not know. */
static inline bool host_is_transfer(const struct host *h, req_id r)
{
    return h->ops->size > offsetof(struct host_ops, is_transfer) && h->ops->is_transfer != NULL &&
           h->ops->is_transfer(h, r);
}

/* Whether host_changed_device() answers; a policy looks at all devices where it does not. */
static inline bool host_tells_changes(const struct host *h)
{
    return h->ops->size > offsetof(struct host_ops, changed_device) &&
           h->ops->changed_device != NULL;
}

/* A device on which, since init or since it was named here last, something began, ended, was
 * stopped or resized, or is about to be: what host_device says of it, and host_request of what runs
 * there, may have changed. What they say of all other devices is as it was. HOST_NO_DEVICE: there
 * is none. Who asks until there is none after each event knows all devices without looking at each
 * of them. */
static inline dev_id host_changed_device(struct host *h)
{
    return h->ops->changed_device(h);
}

/* How much later the next kernel of r would begin because it is launched with allotment a and the
 * one before had another (config sharing.quota_switch_us); 0 where it had the same, where there was
 * none, or where the host does not know. Where a transfer lies between the two it does not count as
 * one. */
static inline int64_t host_switch_ns(const struct host *h, req_id r, struct host_allotment a)
{
    bool answers = h->ops->size > offsetof(struct host_ops, switch_ns) && h->ops->switch_ns != NULL;
    return answers ? h->ops->switch_ns(h, r, a) : 0;
}

/* The share of a device that an application is meant to have beside the others (config
 * fairness.weights), above 0. Only its ratio to the weights of others matters. The same for all
 * where the config gives none or the host does not know. */
static inline double host_weight(const struct host *h, app_id a)
{
    bool answers = h->ops->size > offsetof(struct host_ops, weight) && h->ops->weight != NULL;
    return answers ? h->ops->weight(h, a) : 1;
}

/* The current kernel of r as divisible work. False (and *out untouched) if it is not divisible, r
 * is not here, or the host has no such work: then r is launched whole. */
static inline bool host_division(const struct host *h, req_id r, struct host_division *out)
{
    return h->ops->size > offsetof(struct host_ops, division) && h->ops->division != NULL &&
           h->ops->division(h, r, out);
}

/* The chunk of r that ended on d last, of those whose on_complete has been called, that of now
 * included. False (and *out untouched) if there is none, or another request has been there since.
 */
static inline bool host_ended_chunk(const struct host *h, req_id r, dev_id d,
                                    struct host_chunk *out)
{
    return h->ops->size > offsetof(struct host_ops, ended_chunk) && h->ops->ended_chunk != NULL &&
           h->ops->ended_chunk(h, r, d, out);
}

/* A prediction for a chunk of so many iterations of r's current pass on d; -1 where nothing is
 * known, which a policy that is to work everywhere must expect. Asking is charged where the config
 * says so. */
static inline int64_t host_predict_chunk(struct host *h, req_id r, dev_id d, uint64_t iterations)
{
    bool answers =
        h->ops->size > offsetof(struct host_ops, predict_chunk) && h->ops->predict_chunk != NULL;
    return answers ? h->ops->predict_chunk(h, r, d, iterations) : -1;
}

/* Gives so many iterations of r's current pass to d. Rules: r's work is divisible; so many are
 * left; at least chunk_min, or all that are left; d is idle. r waits, or other devices have chunks
 * of it. launch(HOST_WHOLE) of such a request gives d all that are left. */
static inline void host_launch_chunk(struct host *h, req_id r, dev_id d, uint64_t iterations)
{
    h->ops->launch_chunk(h, r, d, iterations);
}

/* What a block of r's current kernel takes of an SM. False (and *out untouched) where r is not here
 * or nobody knows. */
static inline bool host_block(const struct host *h, req_id r, struct host_block *out)
{
    return h->ops->size > offsetof(struct host_ops, block) && h->ops->block != NULL &&
           h->ops->block(h, r, out);
}

/* From now on r's kernel stands still in SMs first_sm .. first_sm + sms - 1, with its blocks in
 * place, once it has done so much work there, in ns of the kernel alone: on_quota then comes.
 * HOST_NEVER: no such bound; 0: it stands still at once, and nothing comes. What quotas it had with
 * SMs among these are no more. Rules: r runs or is about to, on a device that takes HOST_BLOCKS and
 * has these SMs; at most HOST_QUOTAS quotas. */
static inline void host_quota(struct host *h, req_id r, uint32_t first_sm, uint32_t sms,
                              int64_t work_ns)
{
    h->ops->quota(h, r, first_sm, sms, work_ns);
}

/* What is left of r's quota whose SMs begin with first_sm, in ns alone; below 0 where r does not
 * run or has none. */
static inline double host_quota_left_ns(const struct host *h, req_id r, uint32_t first_sm)
{
    return h->ops->quota_left_ns(h, r, first_sm);
}

/* With how many blocks less in each SM running request r would be as fast beside what works there
 * now; idle warps tell (Wang, section 3.4.6). 0 where r does not run. */
static inline uint32_t host_idle_blocks(const struct host *h, req_id r)
{
    return h->ops->idle_blocks(h, r);
}

/* The policy cannot go on: ends the run with an error that names policy, time and why. A reason
 * that begins with "policy.KEY ", KEY one of its options, is told at that option's place in the
 * config. */
static inline void host_fail(struct host *h, const char *why)
{
    h->ops->fail_run(h, why);
}

#endif
