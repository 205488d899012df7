/*
 * requests.h - requests as data, kept by requests.c. Every file of the engine may read a request;
 * each of its parts names the files that write it.
 */
#ifndef DCS_ENGINE_REQUESTS_H
#define DCS_ENGINE_REQUESTS_H

#include "des/eventlist.h"
#include "engine/cluster.h"

/* A req_id is (serial number << SLOT_BITS | slot): never reused, found without a search. */
#define SLOT_BITS 24
#define SLOT_MASK ((UINT64_C(1) << SLOT_BITS) - 1)
#define NO_SLOT   UINT32_MAX

/* 1 GiB of them: a queue that long is no longer worth simulating. */
#define REQUESTS_INSIDE_MAX ((uint32_t)1 << 22)
/* Devices have an event each, which are not refused: they must fit beside what is. */
#define EVENTS_FOR_OTHERS (DCS_EVENTS_PENDING_MAX / 2)

enum request_state {
    REQUEST_FREE,
    REQUEST_WAITING,
    REQUEST_PLEDGED, /* a charged launch, drop or return is under way */
    REQUEST_RUNNING,
    REQUEST_STOPPING,
    REQUEST_UNTOLD, /* a kernel has ended, its callback is still to come; then it waits */
    REQUEST_GONE,   /* its last callback is still to come */
};

/* What its policy has asked for with allot (host_act.c): for the kernels from now on. */
struct request_wish {
    bool given;
    struct host_allotment allotment;
};

/* The SMs that it has had (life_devices.c), where a change of them costs something. */
struct request_quota {
    struct host_allotment last; /* of its last kernel that was no transfer */
    bool held;                  /* there is one, in the same context as the next kernel */
    uint32_t switches;          /* launches with another allotment than the kernel before had */
    int64_t switch_ns;          /* what they paid */
};

/* A charged revocation that is under way (devices.c). */
struct request_stop {
    bool pledged;
    bool trap; /* it will take everything on the device */
};

/* The fused launch that its kernel is part of (host_fusion.c): beside the requests, since few are.
 */
struct request_fused {
    req_id with; /* the other request; 0: none */
    bool first;  /* is told first, and has what follows */
    bool beyond; /* the loads differ more than any that were measured */
    uint32_t way;
    int64_t began_ns;
    double tensor_ns, cuda_ns, ns; /* predicted: each part alone, the launch */
    double alone_ns;               /* true, of both one after the other */
};

/* Its current pass, of divisible work (life_chunks.c; host_charge.c what is under way): beside the
 * requests, since few runs have any. */
struct request_division {
    uint64_t left;                     /* iterations that no chunk was given */
    uint32_t pledged, running, untold; /* chunks: charged and under way, on devices, ended */
    bool begun;                        /* a chunk of it was launched, the first at begin_ns */
    int64_t begin_ns, ready_ns;        /* ready: no chunk begins earlier */
};

struct request {
    /* What it is, which never changes: lifecycle.c. */
    req_id id;
    uint64_t index; /* within its job */
    int64_t arrival_ns, deadline_ns;
    uint32_t job, app;
    uint32_t form; /* of spec->apps: the application itself, or its requests of another size */

    /* How it lives: lifecycle.c and life_devices.c; its state also host_charge.c, host_deliver.c.
     */
    enum request_state state;
    int64_t start_ns;
    int64_t saved_ns; /* of the current kernel's work, by checkpoints */
    int64_t work_ns;  /* of the current kernel, whole; 0 = not drawn yet */
    dcs_event_id deadline_event;
    uint32_t domain;
    uint32_t device; /* of the cluster; where it runs or last ran */
    uint32_t kernel;
    uint32_t revocations; /* since it came to this domain */
    uint32_t revocations_ever;
    bool announced; /* its policy has heard of it */
    bool late;      /* its service drops what is late, and its deadline passed while an action on it
                       was under way */
    bool took_time; /* one of its kernels has taken more than the shortest time, 1 ns */

    struct request_stop stop;
    union {                 /* where it is kept: requests.c */
        uint32_t next_free; /* while the slot is free */
        uint32_t block;     /* of measured times; NO_SLOT: no kernel of it has ended */
    };
    struct request_wish wish;
    struct request_quota quota;
    /* When its host launches the current kernel, of an application of which that is known; 0: it
     * has not begun. */
    int64_t launched_ns;
};

/* All that are inside, and free slots. Those who go through all slots pass over REQUEST_FREE. */
struct requests {
    struct request *slots;
    size_t capacity;
    uint32_t used, free; /* next fresh slot; head of the free list */
    uint64_t serial;
    struct measured_times *measured;
    struct request_division *divisions; /* by slot, as many as slots, where devices divide */
    struct request_fused *fused;        /* by slot; none before the first fused launch */
    size_t fused_capacity;
    bool divides;   /* devices of the run do */
    bool scrambled; /* the truth is, from now on */
};

static inline uint32_t request_slot(const struct request *r)
{
    return (uint32_t)(r->id & SLOT_MASK);
}

/* Its current pass, in a run whose devices divide. */
static inline struct request_division *request_division(const struct requests *all,
                                                        const struct request *r)
{
    return &all->divisions[request_slot(r)];
}

/* What one more request takes. */
static inline size_t request_bytes(bool divides)
{
    return sizeof(struct request) + (divides ? sizeof(struct request_division) : 0);
}

struct cluster;

void requests_create(struct cluster *c);
void requests_destroy(struct cluster *c);
/* Requests from now on get slots that none has had. So those of all stretches of a run would have
 * fitted into one, one beside the other, if they fit here. */
void requests_next_stretch(struct cluster *c);
/* How many elements the times of kernels have needed. */
size_t requests_measured_times(const struct cluster *c);
/* Whether one more request, timer or client can be kept track of; if not, the run has failed. */
bool requests_have_room(struct cluster *c);
/* Whether one more request may be inside: there is memory. If not, the run has failed. */
bool requests_have_memory(struct cluster *c);
/* A request without a job; there is room and memory for it. */
struct request *request_new(struct cluster *c);
/* A request that has left; its id is then that of none. */
void request_free(struct cluster *c, struct request *r);
/* The fused launch of its kernel, to be written; NULL: there is no memory, the run has failed. */
struct request_fused *request_fuse(struct cluster *c, const struct request *r);
/* How long its present kernel took, from its launch on. */
void request_keep_measured(struct cluster *c, struct request *r, int64_t took_ns);
/* How long a kernel of it took that has ended. */
int64_t request_measured_ns(const struct cluster *c, const struct request *r, uint32_t kernel);
/* What its profile says of its divisible work; NULL: it is not divisible. */
const struct dcs_work *request_work(const struct cluster *c, const struct request *r);
/* No chunk of its pass has been given out, if it is divisible. */
void request_begin_pass(const struct cluster *c, struct request *r);
/* The identity of what is drawn for it. */
struct dcs_draw request_draw(const struct cluster *c, const struct request *r);
/* The true work of a kernel, scrambled if the truth is. */
int64_t request_true_work_ns(const struct cluster *c, const struct request *r, uint32_t kernel,
                             uint32_t profile);
/* What the scramble multiplies the true work of its present kernel with; 0: nothing. */
double request_scramble_factor(const struct cluster_probe *probe, const struct request *r);

#endif
