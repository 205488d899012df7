/*
 * drive_link.h - memory that dcsim and the program at the device (dcsim-calibrate) have together:
 * one drives, the other launches kernels and sees them end. Both include this header, and share no
 * code beside it.
 *
 * Two rings, each with one writer and one reader: orders go to the device, ends come back. A side
 * that waits looks at the memory all the time. Moments are CLOCK_MONOTONIC, ns.
 */
#ifndef DCS_RUNS_DRIVE_LINK_H
#define DCS_RUNS_DRIVE_LINK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DRIVE_LINK_VERSION 8u
#define DRIVE_LINK_ENV     "DCSIM_DRIVE_LINK" /* the number of its file descriptor */
#define DRIVE_RING         4096u              /* entries; more kernels than can run together */
#define DRIVE_FORMS        64u
#define DRIVE_CAPS         16u
#define DRIVE_NAME         48  /* bytes of an application's */
#define DRIVE_CLIENTS      48u /* of MPS, that a GPU takes */
#define DRIVE_LINE         64  /* bytes of a cache line */

enum drive_state {
    DRIVE_OPENING, /* the device's side makes itself ready */
    DRIVE_READY,
    DRIVE_FAILED, /* `error` says why; it takes no more orders */
};

/* What a request is made of. */
struct drive_form {
    char name[DRIVE_NAME];
    int64_t size;      /* 0: the application's default */
    uint32_t kernels;  /* as the profile has them */
    uint32_t together; /* so many requests of it may be under way at once */
    uint32_t spares;   /* processes of it that wait for one to be killed */
    bool exits;        /* its kernels have to look at an exit flag */
    bool check;        /* what its kernels compute is compared with its reference first */
    /* SMs, descending: under MPS it has a client for each. */
    uint32_t caps[DRIVE_CAPS], caps_count;
};

enum drive_kind {
    DRIVE_WHOLE,  /* a kernel has the device, or a transfer runs beside it */
    DRIVE_GREEN,  /* a partition of so many SMs */
    DRIVE_FUSED,  /* two kernels as one launch, which has the device; each is answered by an end */
    DRIVE_MPS,    /* beside kernels of other applications, which the hardware gives SMs */
    DRIVE_RESET,  /* no kernel: all requests that are under way are forgotten; answered by an end */
    DRIVE_FORGET, /* no kernel, no answer: that request comes no more */
    DRIVE_KILL, /* that request's launch is stopped, by what the link says; answered by an end that
                   says so; behind it none of the launch comes */
};

struct drive_order {
    uint64_t id; /* of the request; its kernels come in order */
    uint32_t form, kernel, sms;
    uint8_t kind;
    bool last, transfer;
    int64_t alone_ns; /* for a device that is played */
    /* DRIVE_FUSED: the other request's kernel, and blocks of each part in one block. */
    uint64_t with;
    uint32_t with_form, with_kernel;
    bool with_last, with_is_tensor;
    uint8_t tensor_blocks, cuda_blocks;
};

struct drive_end {
    uint64_t id;
    /* When the order was seen, and had been handed to the driver; stopped: to its process (0: no
     * process had it, or its kernel had ended before the kill). */
    int64_t taken_ns, launched_ns;
    int64_t end_ns; /* when the kernel was seen to have ended */
    uint32_t sms; /* that it had: fewer than ordered where no such partition or client was ready */
    bool stopped; /* it was revoked: nothing of it comes any more */
    bool killed;  /* stopped, and end_ns is when its process had gone, or its kernel */
};

struct drive_link {
    uint32_t version, size; /* DRIVE_LINK_VERSION, sizeof(struct drive_link) */

    /* What dcsim asks for, before the device's side starts. */
    uint32_t sms; /* that the profile's device has */
    uint32_t step_sms;
    char device[128]; /* its name */
    bool partitions;  /* some launches will have a partition; answered: may have one */
    bool fuses;       /* some launches will be fused */
    bool clients;     /* all launches share the device by MPS */
    bool kills;       /* each application has processes of its own, which can be killed */
    bool traps;       /* and are killed when a trap has ended their kernels */
    bool exits;       /* kernels look at a flag, and exit */
    bool client;      /* this is the link of one application to the process that shares it */
    bool beside;      /* of a client: others may have the device, too */
    bool late;        /* of a client: it takes the place of one that was killed, in a run */
    uint64_t seed;    /* of inputs */
    int64_t parent;   /* process of dcsim: the device's side ends when that has gone */
    uint32_t forms_count;
    struct drive_form forms[DRIVE_FORMS];

    /* What the device's side answers, before it is ready. */
    char found[128], uuid[64], driver[96], tool[64], ends_by[32];
    uint32_t found_sms; /* that a client of MPS may use; 0: not known */
    int64_t ready_ns;   /* when it was ready */
    char error[768];
    _Atomic uint32_t state; /* enum drive_state */
    _Atomic bool quit;      /* from dcsim: end */

    struct drive_order orders[DRIVE_RING];
    struct drive_end ends[DRIVE_RING];
    _Alignas(DRIVE_LINE) _Atomic uint64_t orders_put;
    _Alignas(DRIVE_LINE) _Atomic uint64_t orders_taken;
    _Alignas(DRIVE_LINE) _Atomic uint64_t ends_put;
    _Alignas(DRIVE_LINE) _Atomic uint64_t ends_taken;
};

/* False: the ring is full. */
static inline bool drive_put_order(struct drive_link *l, const struct drive_order *o)
{
    uint64_t at = atomic_load_explicit(&l->orders_put, memory_order_relaxed);
    if (at - atomic_load_explicit(&l->orders_taken, memory_order_acquire) == DRIVE_RING)
        return false;
    l->orders[at % DRIVE_RING] = *o;
    atomic_store_explicit(&l->orders_put, at + 1, memory_order_release);
    return true;
}

/* False: the ring is empty. */
static inline bool drive_take_order(struct drive_link *l, struct drive_order *o)
{
    uint64_t at = atomic_load_explicit(&l->orders_taken, memory_order_relaxed);
    if (at == atomic_load_explicit(&l->orders_put, memory_order_acquire))
        return false;
    *o = l->orders[at % DRIVE_RING];
    atomic_store_explicit(&l->orders_taken, at + 1, memory_order_release);
    return true;
}

static inline bool drive_put_end(struct drive_link *l, const struct drive_end *e)
{
    uint64_t at = atomic_load_explicit(&l->ends_put, memory_order_relaxed);
    if (at - atomic_load_explicit(&l->ends_taken, memory_order_acquire) == DRIVE_RING)
        return false;
    l->ends[at % DRIVE_RING] = *e;
    atomic_store_explicit(&l->ends_put, at + 1, memory_order_release);
    return true;
}

static inline bool drive_take_end(struct drive_link *l, struct drive_end *e)
{
    uint64_t at = atomic_load_explicit(&l->ends_taken, memory_order_relaxed);
    if (at == atomic_load_explicit(&l->ends_put, memory_order_acquire))
        return false;
    *e = l->ends[at % DRIVE_RING];
    atomic_store_explicit(&l->ends_taken, at + 1, memory_order_release);
    return true;
}

#endif
