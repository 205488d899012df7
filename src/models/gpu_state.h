/*
 * gpu_state.h - inside of gpu.h, for gpu.c (what happens to a device), gpu_rates.c (who has
 * which SMs, and how fast that is) and gpu_losses.c (whose doing that is) only.
 */
#ifndef DCS_MODELS_GPU_STATE_H
#define DCS_MODELS_GPU_STATE_H

#include "models/gpu.h"

enum gpu_phase {
    GPU_STARTS, /* until end_ns */
    GPU_WORKS,
    GPU_DIES, /* until end_ns */
};

struct gpu_kernel {
    struct dcs_gpu_launch launch;
    enum gpu_phase phase;
    enum dcs_shape_kind kind;
    uint32_t cap;                         /* SMs of its allotment */
    uint32_t launches;                    /* CUDA launches that it consists of */
    const struct dcs_launch_group *group; /* that the present one is of; NULL: all are alike */
    uint32_t group_left;                  /* launches of it after the present one */
    bool uneven;                          /* its launches want different SMs */
    double most_sms;                      /* that any of them wants */
    double last_wave;    /* share of a launch's time that its end takes (gpu.h); 0: it has none */
    double last_sms;     /* SMs that it wants then; before, it wants its cap */
    double occupied_sms; /* that its blocks can occupy of its cap */
    bool partition;      /* the SMs of its allotment are its own */
    bool rides;          /* on those of the other part of its fused launch */
    enum dcs_cores cores;
    uint64_t partner; /* the other part's request; 0: it is not fused */
    double part;      /* share of the fused launch until its own end; 1 */
    int64_t began_ns;
    int64_t end_ns; /* of its phase, as things are now; DCS_NEVER while it waits for SMs */

    /* While it works. */
    double sms;          /* that it has now; 0: it waits, or needs none */
    double solo_ns;      /* alone, at solo_sms */
    double solo_sms;     /* 0: not asked yet */
    double slowdown;     /* by what runs beside it */
    double full_ns;      /* all of it at the present rate; 0: it waits */
    double left;         /* share of its work at since_ns */
    int64_t since_ns;    /* the last change of its rate */
    int64_t phase_ns;    /* when the present part of a launch ends; DCS_NEVER: it waits, or that
                          * is its own end, or it takes no SMs from the queue */
    uint32_t turn;       /* CUDA launches before the present one */
    bool in_last;        /* wave of the present one */
    bool turned;         /* a launch has ended, but it has no new place in the queue yet */
    int64_t launched_ns; /* the present one */
    uint64_t place;      /* in the queue */
    double share_before; /* what gpu.share was when its phase began */
};

/* Rates that were worked out since a kernel came or went last: SMs go to and fro between a few
 * states of the queue. */
#define GPU_MEMO_STATES  8
#define GPU_MEMO_KERNELS 8 /* more are worked out each time */
struct gpu_rates {
    struct gpu_memo_state {
        uint64_t queue; /* its order, and who is in its last wave; 0: none */
        uint64_t grids; /* of their present launches */
    } state;
    bool scarce, noticed;
    double sms_rate, kernel_rate, slowed_rate;
    struct {
        double sms, slowdown, full_ns;
    } of[GPU_MEMO_KERNELS];
};
struct gpu_memo {
    uint32_t count; /* the latest ones are kept */
    struct gpu_rates rates[GPU_MEMO_STATES];
};

struct dcs_gpu {
    const struct dcs_spatial *spatial;
    struct dcs_contention *contention;
    uint64_t memory_bytes;
    int64_t window_ns;

    struct gpu_kernel *kernels; /* ascending by id */
    size_t kernels_count, kernels_capacity;
    uint32_t sms_allotted;
    uint32_t dying;
    uint64_t used_bytes, dead_bytes;
    uint64_t places; /* in the queue, given so far */
    bool unsettled;  /* something has changed at at_ns, and what follows from it is not worked out:
                      * rates and what comes next are as before */
    int64_t next_ns; /* when something changes */
    int64_t end_ns;  /* when a kernel's phase ends: that or later */

    /* It may be ahead of what the caller knows, by changes that are no ends: then as it was before
     * these. */
    bool ahead;
    struct dcs_gpu *before; /* itself without a before; its kernels are its own */

    bool scarce;           /* some kernel could want more SMs than there are for it */
    bool noticed;          /* who has how many makes a difference to somebody */
    struct gpu_memo *memo; /* for itself and for before; NULL: nothing is remembered */

    /* Owed after revocations: see device.h. */
    int64_t start_ns, clear_ns, spawn_ns;

    /* Accounts are kept up to at_ns; the rates hold from there on. */
    int64_t at_ns;
    double share; /* integral of 1 / number of kernels */
    double useful_ns, lost_ns, overhead_ns;
    double sms_rate, kernel_rate, slowed_rate;
    struct dcs_gpu_usage usage;
};

/* Its cap is set: what its grids say about its waves, and how many SMs it can occupy; it is before
 * its first launch. shape may be NULL. */
void gpu_set_launches(struct gpu_kernel *k, const struct dcs_shape *shape);
/* It begins to work. After gpu_take_turns() up to now. */
void gpu_begin(struct dcs_gpu *g, struct gpu_kernel *k, int64_t now_ns);

/* Other kernels are there, or work: forgets the rates that were worked out. */
void gpu_forget_rates(struct dcs_gpu *g);

/* What a kernel takes alone on so many SMs. */
double gpu_solo_ns(const struct dcs_gpu *g, struct gpu_kernel *k, double sms);
double gpu_left_at(const struct gpu_kernel *k, int64_t now_ns);
/* Goes through the phases of the queued kernels up to now_ns. Who has launched again meanwhile goes
 * to the end of the queue, in the order of these launches, and of the places so far at one instant.
 */
void gpu_take_turns(struct dcs_gpu *g, int64_t now_ns);
/* What is left of a kernel changes by that factor at now_ns; it keeps its place. After
 * gpu_take_turns() up to now, and before gpu_settle(). */
void gpu_scale_left(struct gpu_kernel *k, int64_t now_ns, double factor);
/* After a change at now_ns: SMs, rates, ends, what comes next; what changes its rate ends at
 * earliest_ns or later. */
void gpu_settle(struct dcs_gpu *g, int64_t now_ns, int64_t earliest_ns);

#endif
