/*
 * cluster_state.h - a running cluster as the files of this folder see it.
 *
 * Each part of the cluster has one file that writes it; the struct says which. Most parts are
 * known to their file alone. A file calls only the files before it in this list, except that
 * life_devices.c asks the host what revocations cost and what fused launches are predicted to take:
 *
 *   cluster_failure.c, cluster_bytes.c   how a run fails; how much memory it takes
 *   cluster_notes.c, requests.c          callbacks to be made; requests as data
 *   cluster_router.c, recorder.c         which domain gets a request; what a recorder is told
 *   devices.c, measure.c                 devices and their events; what is counted
 *   lifecycle.c, life_chunks.c,          what happens to requests and jobs
 *   life_devices.c
 *   host*.c                              what policies see, do and are told
 *   cluster.c                            the event loop
 *   cluster_split.c                      which domains it runs at a time, and on which thread
 *
 * The files of the kinds of devices (device_kind.h) do not include this header. Outside this folder
 * only tests include it, to look at the truth.
 */
#ifndef DCS_CLUSTER_STATE_H
#define DCS_CLUSTER_STATE_H

#include "engine/cluster.h"
#include "des/eventlist.h"
#include "engine/device.h"
#include "engine/notes.h"
#include "engine/requests.h"

#include <stdatomic.h>

enum event_class {
    CLASS_DEVICE,
    CLASS_WORKLOAD,
    CLASS_DEADLINE,
    CLASS_ACTION,
    CLASS_TIMER,
    CLASS_SCHEDULER,
    CLASS_MARK,
};

enum event_kind {
    EVENT_DEVICE,    /* device: kernels end, begin, take turns, are gone */
    EVENT_JOB,       /* job begins */
    EVENT_ARRIVAL,   /* job: its next open-loop request */
    EVENT_CLIENT,    /* job: a client has thought */
    EVENT_DEADLINE,  /* slot of the request */
    EVENT_ACTION,    /* slot of the charged action */
    EVENT_TIMER,     /* slot of the timer */
    EVENT_SCHEDULER, /* domain */
    EVENT_SCRAMBLE,
};

struct job {
    const struct dcs_job *spec;
    struct dcs_arrivals *arrivals; /* open loop; else NULL */
    struct dcs_rng *think;         /* clients that think; else NULL */
    uint64_t issued, outstanding, waiting, completed, dropped;
    int64_t last_completion_ns;
    struct dcs_rng_points work; /* dcs_app_work_points() */
    bool begun, ended;
    struct {
        uint64_t decided, met;     /* as in struct cluster_app_result */
        struct dcs_hist *response; /* arrival to completion; NULL: none yet, or not kept */
    } measured;                    /* by measure.c */
};

/* The one scheduler of a domain: host*.c. */
struct scheduler {
    int64_t clock_ns; /* its own time: busy until here */
    req_id current;   /* request of the callback that is being made */
    uint32_t charged; /* actions that have not taken effect */
    bool wakes;       /* an EVENT_SCHEDULER is pending */
    bool undecided;   /* its policy's decide is due */
    bool in_callback;
    bool fusion_asked; /* in this callback */
};

/* What is simulated at a time: the domains [first, end), from 0 to the horizon. A run that is not
 * split is one stretch of all of them. */
struct stretch {
    uint32_t first_domain, end_domain;
    uint32_t first_device;
    const uint32_t *jobs; /* of a split run: those that may have requests there, ascending */
    size_t jobs_count;
};

struct domain {
    struct host host; /* first: the policy's pointer is a pointer to this */
    struct cluster *cluster;
    void *state;
    uint32_t index, profile;
    uint32_t first_device, devices;
    uint32_t changed; /* devices that the policy has not been told of: first index + 1, or 0 */
    struct domain_notes notes;
    struct scheduler scheduler;
    struct dcs_fusion_lines *fusion_lines; /* what it predicts fused launches with; NULL: not yet */
    struct dcs_rng rng;
    bool opened, started; /* it is simulated here; init of its policy was called */
    uint64_t came, done, dropped, returned; /* came = done + dropped + returned + inside */
};

struct cluster {
    const struct cluster_spec *spec;
    struct dcs_events *events;
    int64_t now_ns, end_ns; /* end: when the run was over */
    struct cluster_result *result;
    uint64_t told; /* requests that spec->progress knows of */

    struct stretch stretch;
    uint32_t stretches;     /* of the run; 0: it is not split */
    atomic_bool *abandoned; /* a split run is to begin anew; NULL: not split */
    struct {
        uint64_t events, notes; /* that were pending, and taken at an instant */
    } most;                     /* of a split run: summed over its stretches */

    struct domain *domains;
    struct job *jobs;
    struct device *devices;
    uint32_t devices_count;
    const struct device_kind *device_kind; /* of all devices */

    struct requests requests;         /* requests.c */
    struct notes notes;               /* cluster_notes.c */
    struct router *router;            /* cluster_router.c */
    struct devices *devices_own;      /* devices.c */
    struct measuring *measuring;      /* measure.c */
    struct lives *lives;              /* lifecycle.c */
    struct predictions **predictions; /* host_predict.c; NULL: nothing was predicted yet */
    struct charges *charges;          /* host_charge.c */
    struct timers *timers;            /* host_timer.c */
    uint64_t bytes;                   /* cluster_bytes.c: memory taken so far */

    bool failed;
    bool trial; /* cluster_try_policy(): errors name no time and no replication */
    struct dcs_err *err;
};

/* Whether the domains of the run are simulated in stretches (cluster_split.c). */
static inline bool is_split(const struct cluster *c)
{
    return c->stretches > 0;
}

/* A callback to be made. Its kind is mostly a constant: then little of this is left. */
static inline void notes_add(struct cluster *c, struct domain *d, struct note n)
{
    bool first = n.kind == NOTE_READY && n.flag && c->spec->instant == CLUSTER_ARRIVALS_FIRST;
    struct note_ring *ring = n.kind == NOTE_GONE ? &d->notes.gone
                             : first             ? &d->notes.arrivals
                                                 : &d->notes.rest;
    note_ring_push(&c->notes, &d->notes, ring, n);
    notes_list(&c->notes, &d->notes, d->index);
}

/* NULL if the request is gone. */
static inline struct request *request_find(const struct cluster *c, req_id r)
{
    uint64_t slot = r & SLOT_MASK;
    return slot < c->requests.used && c->requests.slots[slot].id == r ? &c->requests.slots[slot]
                                                                      : NULL;
}

/* What a request is made of. */
static inline const struct dcs_app *request_form(const struct cluster *c, const struct request *r)
{
    return &c->spec->apps[r->form];
}

/* cluster_failure.c */
void cluster_fail(struct cluster *c, const struct domain *d, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void cluster_overloaded(struct cluster *c, const char *what, unsigned long long limit);
void cluster_too_long(struct cluster *c);
/* Domains turn out to be tied to each other: the run begins anew, as one list of events. */
void cluster_not_separable(struct cluster *c);
/* Whether somebody outside breaks the run off. Asked before each event and each callback, since an
 * instant may have millions of callbacks, and a callback may take a while. */
static inline bool cluster_stopped(struct cluster *c)
{
    if ((c->spec->stop != NULL && atomic_load_explicit(c->spec->stop, memory_order_relaxed)) ||
        (c->abandoned != NULL && atomic_load_explicit(c->abandoned, memory_order_relaxed)))
        c->result->interrupted = true;
    return c->result->interrupted;
}
/* The run fails: this many kernels took 1 ns each, while the clock hardly moved. */
void cluster_no_time(struct cluster *c, uint32_t app, unsigned long long kernels);

/* cluster_bytes.c: whether an array of `capacity` elements may grow to `need`. If not, the run has
 * failed. */
bool cluster_may_grow(struct cluster *c, size_t capacity, size_t need, size_t size);
/* Whether there is memory for so many requests inside, and times of kernels of them. */
bool cluster_bytes_hold(const struct cluster_spec *s, size_t requests, size_t times);

/* lifecycle.c */
void life_create(struct cluster *c);
void life_destroy(struct cluster *c);
/* Makes the jobs of the stretch; -1 and the cluster's err if one has no arrivals to draw. */
int life_open(struct cluster *c);
/* Adds to the jobs what became of them in another cluster of a split run. */
void life_add(struct cluster *c, const struct cluster *other);
bool life_jobs_have_ended(const struct cluster *c);
/* How many kernels that were launched no longer run. */
uint64_t life_kernels_over(const struct cluster *c);
/* How many events of a split run were handled here and count in another stretch. */
uint64_t life_events_elsewhere(const struct cluster *c);
/* What actions do ... */
void life_drop(struct cluster *c, struct request *r);
void life_return(struct cluster *c, struct request *r);
/* ... and what events do. */
void life_first_job(struct cluster *c); /* schedules its begin, if there is one */
void life_job(struct cluster *c, size_t job);
void life_arrival(struct cluster *c, size_t job);
void life_client(struct cluster *c, size_t job);
void life_deadline(struct cluster *c, uint32_t slot);
/* A waiting request leaves, because its service drops late requests. Its policy will be told. */
void life_drop_late(struct cluster *c, struct request *r);
/* What becomes of a request on a device. */
void life_launched(struct cluster *c, struct request *r, struct device *dev, int64_t work_ns);
void life_kernel_done(struct cluster *c, struct request *r);
void life_chunk_over(struct cluster *c, struct request *r); /* not the last of its pass */
void life_stopping(struct cluster *c, struct request *r);   /* its revocation begins */
void life_quota_used(struct cluster *c, struct request *r,
                     uint32_t first_sm);                   /* it stands still there */
void life_stop_over(struct cluster *c, struct request *r); /* and is over */

/* life_chunks.c. What so many iterations of its pass as the next chunk on the device would truly
 * take. */
void life_true_chunk(const struct cluster *c, const struct device *dev, const struct request *r,
                     uint64_t iterations, struct device_chunk *out);
void life_launch_chunk(struct cluster *c, struct device *dev, struct device_launch *l);
void life_chunk_done(struct cluster *c, struct device *dev, struct request *r);
/* The policy is about to hear that a chunk has ended. */
void life_chunk_told(struct cluster *c, struct domain *d, req_id id, uint32_t device);

/* life_devices.c. Fills in the launch of a request's present kernel, or of two requests' as one
 * fused launch, as it would be now. Whether it is legal, the device says. */
void life_prepare(const struct cluster *c, const struct device *dev, const struct request *r,
                  struct host_allotment a, struct device_launch *out);
void life_prepare_fused(const struct cluster *c, const struct device *dev, const struct request *a,
                        const struct request *b, uint32_t way, struct device_launch *out);
/* What actions do ... */
void life_launch(struct cluster *c, struct device *dev, struct device_launch *l);
void life_resize(struct cluster *c, struct request *r, struct host_allotment a);
void life_stop(struct cluster *c, struct request *r);
/* ... and what events do. */
void life_device(struct cluster *c, uint32_t device);
void life_scramble(struct cluster *c);
/* When the kernel of a request that runs on the device began to work, or will. */
static inline int64_t device_began_ns(const struct device *dev, const struct request *r)
{
    return dev->kind->began_ns != NULL ? dev->kind->began_ns(dev, r->id) : r->start_ns;
}

/* cluster_router.c */
void router_create(struct cluster *c);
void router_destroy(struct cluster *c);
/* The domain that a request goes to: not the domain `avoid`, which returned the request
 * (UINT32_MAX: none did), if there is another one. */
uint32_t router_pick(struct cluster *c, uint32_t avoid);
/* A request comes into a domain, or leaves it. */
void router_enters(struct cluster *c, uint32_t domain);
void router_leaves(struct cluster *c, uint32_t domain);
uint32_t router_inside(const struct cluster *c, uint32_t domain); /* how many requests */

/* devices.c */
void devices_create(struct cluster *c);
void devices_destroy(struct cluster *c);
void device_open(struct cluster *c, uint32_t device, uint32_t domain);
/* At the end of the run: adds to the result what the device did, ... */
void device_measure(struct cluster *c, uint32_t device, int64_t end_ns, struct cluster_result *out);
/* ... and how much work the contention of all devices was. */
void devices_count_contention(const struct cluster *c, struct cluster_result *out);
/* The policy may see something new of the device: it is listed for host_changed_device. */
static inline void device_show(struct cluster *c, struct device *dev)
{
    if (dev->changed)
        return;
    struct domain *d = &c->domains[dev->domain];
    dev->changed = true;
    dev->next_changed = d->changed;
    d->changed = dev->index + 1;
}
/* Takes a device off that list; NULL: the list is empty. */
static inline struct device *device_take_shown(struct domain *d)
{
    if (d->changed == 0)
        return NULL;
    struct device *dev = &d->cluster->devices[d->changed - 1];
    d->changed = dev->next_changed;
    dev->changed = false;
    return dev;
}
/* After each change on a device: notes the time of its new state, and sets its event, where the
 * kind settles late at the end of the instant. */
void device_changed(struct cluster *c, struct device *dev);
void device_set_event(struct cluster *c, struct device *dev); /* at once */
/* At the end of an instant: sets the events of the devices that wait for it. */
void devices_settle(struct cluster *c);
/* Whether the present kernel of a request is a transfer, which needs no SMs. */
bool device_is_transfer(const struct cluster *c, const struct request *r);

/* Whether r's latest kernel that is no transfer had another allotment than a. */
bool device_switches(const struct cluster *c, const struct request *r, struct host_allotment a);
/* pledge: a charged revocation of the request is under way; else it no longer is. trap: it will
 * take everything on the device. A second call with the same pledge does nothing. */
void device_pledge_stop(struct device *dev, struct request *r, bool pledge, bool trap);

/* host_device.c: what a policy sees of devices. */
const struct dcs_profile_revocation *host_cost_of(const struct domain *d, const struct request *r);
void host_look_at_device(const struct domain *d, const struct device *dev, struct host_device *out);

/* host_predict.c: what a kernel that the request has will take or do, alone. A time that is too
 * long to be held is HOST_NEVER. */
int64_t host_prediction(struct domain *d, struct request *r, uint32_t kernel, enum host_quantity q,
                        struct host_allotment a);
void host_predictions_free(struct cluster *c);
/* host_slowdown.c: what counters say of a kernel of a request that has ended (false: nothing), and
 * how much such a kernel was slowed, where spec->slowdowns says so. */
bool host_events_of(const struct domain *d, const struct request *r, uint32_t kernel,
                    struct host_events *out);
void host_slowdown_of(const struct domain *d, enum host_slowdown_by by, uint32_t sms,
                      const struct host_events *own, const double *pressure,
                      struct host_slowdown *out);
/* host_predict_cpu.c: the same on a CPU, and the size of a request there. */
int64_t host_cpu_size(const struct domain *d, const struct request *r);
int64_t host_prediction_cpu(struct domain *d, struct request *r, enum host_quantity q,
                            struct host_allotment a);

/* host_fusion.c. Finds the present kernels of two requests of a domain among the pairs of the
 * profile; false: they were not measured together. */
bool host_fusion_pair(const struct cluster *c, const struct request *a, const struct request *b,
                      struct dcs_fusion_pair *out);
bool host_predict_pair(struct domain *d, struct request *a, struct request *b,
                       struct host_fusion *out);
/* A fused launch: keeps what is predicted of it, ... */
void host_fusion_begins(struct cluster *c, const struct device_launch *l);
/* ... when it began and what it is compared with when it ends. */
void host_fusion_began(struct cluster *c, const struct device_launch *l, int64_t began_ns);
/* Two requests have ended at one time. If they were a fused launch, the domain learns from it, and
 * the one that was named first comes first. */
void host_fusion_ends(struct cluster *c, struct device_end *ends);

/* host.c */
extern const struct host_ops host_operations;
/* host_charge.c */
void charges_create(struct cluster *c);
void charges_destroy(struct cluster *c);
/* The charges before an action have passed: it takes effect, if it is still legal. */
void host_apply(struct cluster *c, uint32_t slot);
/* host_timer.c */
void timers_create(struct cluster *c);
void timers_destroy(struct cluster *c);
uint64_t timers_pending(const struct cluster *c); /* how many events are timers */
/* Sets has[domain] for each domain with a timer that will fire. */
void timers_mark_domains(const struct cluster *c, bool *has);
void host_timer_fires(struct cluster *c, uint32_t slot);
/* The note of a timer is delivered: the timer is freed. False if the policy has cancelled it. */
bool timer_take(struct cluster *c, uint32_t slot, uint64_t *cookie);

/* Reads the detail of a launch, an allot or a resize, which host_act.c makes. */
static inline uint32_t host_detail_device(uint64_t detail)
{
    return (uint32_t)(detail & 0xffffff);
}
static inline struct host_allotment host_detail_allotment(uint64_t detail)
{
    struct host_allotment a = {.mechanism = (enum host_mechanism)(detail >> 24 & 0xff)};
    uint32_t what = (uint32_t)(detail >> 32);
    if (a.mechanism == HOST_CPU) {
        a.cores = what & 0xfff;
        a.ways = what >> 12 & 0xff;
        a.group = what >> 20;
    } else {
        a.sms = what;
    }
    return a;
}

/* More callbacks than this in one instant mean that policy and clients chase each other: all
 * requests that there may be can end and be followed by others, which are 8.4 million callbacks.
 * Those about jobs do not count. Each job begins and ends once, and that is told to every domain.
 */
#define INSTANT_NOTES 10000000
/* host_deliver.c: what policies are told, domain by domain in the order in which they had something
 * to hear. */
void host_deliver(struct cluster *c);
/* The domain's scheduler is no longer busy. */
void host_wakes(struct cluster *c, struct domain *d);
/* Whether nothing is before the policy: no callback, and no action that has not taken effect. */
bool host_rests(struct domain *d);

/* recorder.c: tells the recorder, which there is. */
static inline bool recording(const struct cluster *c)
{
    return c->spec->recorder != NULL;
}
/* ROUTED, KERNEL_END, STOP, STOPPED, LEAVES. */
void record_request(struct cluster *c, enum record_kind kind, const struct request *r, bool flag);
/* Of one part of a launch. */
void record_launch(struct cluster *c, const struct device_launch *l, uint32_t part,
                   int64_t began_ns);
void record_quota(struct cluster *c, const struct request *r, struct host_allotment to);
void record_rates(struct cluster *c, const struct device *dev);
void record_action(struct cluster *c, const struct domain *d, enum cluster_action action, req_id id,
                   uint64_t detail);
void record_reason(struct cluster *c, const struct domain *d, req_id id, const char *what,
                   int64_t value);
/* A callback that has been made; the domain's clock has its charges. */
void record_callback(struct cluster *c, const struct domain *d, enum note_kind kind);
void record_end(struct cluster *c, int64_t end_ns);

/* measure.c */
void measure_create(struct cluster *c);
void measure_destroy(struct cluster *c);
void measure_arrival(struct cluster *c, const struct request *r);
void measure_departure(struct cluster *c, const struct request *r, enum cluster_outcome outcome);
/* Keeps what a policy said of a request, if that is asked for; the run may fail of it. */
void measure_decision(struct cluster *c, const struct domain *d, const struct request *r,
                      const char *what, int64_t value);
/* A stretch has been simulated. */
void measure_stretch(struct cluster *c);
/* Adds what became of the same job in another cluster of a split run. */
void measure_add_job(struct job *job, const struct job *other);
/* The cluster's last stretch has been simulated: counts what is left inside. */
void measure_left(struct cluster *c);
/* Writes the whole result, which is c's. parts: all clusters of the run, of which c is the first
 * and has the jobs of all (life_add). */
void measure_end(struct cluster *c, struct cluster *parts, uint32_t count);

/* cluster.c. -1 and err if a policy cannot be called. */
int cluster_check_policy(const struct policy *p, struct dcs_err *err);
/* A cluster, of which spec, result, err, and where it is split stretches and abandoned are set,
 * begins on the thread that simulates it, ... */
void cluster_begin(struct cluster *c);
/* ... simulates c->stretch, ... */
void cluster_simulate(struct cluster *c);
/* ... perhaps others, ends on the same thread, and is freed by any. */
void cluster_end(struct cluster *c);
void cluster_destroy(struct cluster *c);

#endif
