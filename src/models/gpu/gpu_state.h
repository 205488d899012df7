/*
 * gpu_state.h - inside of gpu.h, for gpu.c (what happens to a device), gpu_clusters.c (room for
 * clusters), gpu_blocks.c (SMs for the last blocks), gpu_turns.c (how far kernels are in their
 * launches), gpu_rates.c (who has which SMs, and how fast that is), gpu_losses.c (whose doing that
 * is) and gpu_moves.c (SMs that go from kernel to kernel) only.
 */
#ifndef DCS_MODELS_GPU_STATE_H
#define DCS_MODELS_GPU_STATE_H

#include "models/gpu/gpu.h"

enum gpu_phase {
    GPU_STARTS, /* until end_ns */
    GPU_WORKS,
    GPU_DIES, /* until end_ns */
};

#define GPU_SMS_MIN 1e-3 /* fewer SMs are none */

/* Blocks of a launch: see dcs_launch_group. */
struct gpu_grid {
    uint64_t blocks; /* 0: not known */
    uint32_t blocks_per_sm;
    bool drifts;
    double overhang;
};

/* What SMs do that are to leave a kernel. */
enum gpu_drains {
    GPU_DRAINS_IN_STEP, /* all of them finish the wave */
    GPU_DRAINS_APART,   /* block by block: half of them work, in the mean */
    GPU_SAVES,          /* none works */
};

/* How far a kernel is in its CUDA launches. */
struct gpu_turn {
    const struct dcs_launch_group *group; /* that the present one is of; NULL: all are alike */
    uint32_t group_left;                  /* launches of it after the present one */
    uint32_t count;                       /* launches before the present one */
    double launched_left; /* share of the kernel's work that was left when the present one began */
    struct gpu_grid grid; /* of the present one */
    double held;          /* SMs that it has, by which its end is worked out; its cap until they are
                           * scarce */
    bool in_last;         /* it is in its end (gpu.h) */
    double last_wave;     /* share of a launch's time that its end takes; 0: none */
    double last_sms;      /* SMs that it wants then; before, it wants its cap */
    double last_use;      /* of what SMs can do, that it then uses */
    double wants;         /* SMs of the queue now */
    double part_left;     /* share of the work left when the present part of the launch
                           * ends, the whole waves or the end; below 0: the last part */
};

struct gpu_kernel {
    struct dcs_gpu_launch launch;
    enum gpu_phase phase;
    enum dcs_shape_kind kind;
    uint32_t cap; /* SMs of its allotment; while SMs move: those that it holds */
    uint32_t
        allotted; /* SMs of its allotment that it counts for; 0: the second part of a fused launch,
                   * which is on the SMs of the first, or a transfer that was launched whole */
    uint32_t launches;   /* CUDA launches that it consists of */
    double most_sms;     /* that any of them wants */
    double occupied_sms; /* that its blocks can occupy of its cap */
    bool partition;      /* the SMs of its allotment are its own */
    uint32_t held;     /* of a partition: SMs that are its own now; allotted, but while SMs move */
    int64_t leaves_ns; /* when it is down to `allotted`; DCS_NEVER: none of its SMs leaves */
    enum gpu_drains drains;
    double read_back;     /* share of its work: in `left` for what SMs are saving */
    double occupies_most; /* SMs that its blocks could occupy */
    bool queued;          /* it works, and takes SMs from the queue */
    enum dcs_cores cores;
    uint64_t partner; /* the other part's request; 0: it is not fused */
    double part;      /* share of the fused launch until its own end; 1 */
    int64_t began_ns;
    int64_t enqueued_ns; /* a transfer that has begun: its place among those of its direction */
    int64_t end_ns;      /* of its phase, as things are now; DCS_NEVER while it waits */

    /* While it works. */
    double sms;      /* that it has now; 0: it waits, or needs none */
    double pace_sms; /* it is as fast as on so many alone */
    double use;      /* SMs' worth of work that it does at that pace */
    double solo_ns;  /* alone, at solo_sms */
    double solo_sms; /* 0: not asked yet */
    double slowdown; /* by what runs beside it */
    double full_ns; /* all of it at the present rate; 0: it waits, for SMs or for other transfers */
    double left;    /* share of its work at since_ns */
    int64_t since_ns; /* the last change of its rate */
    uint64_t order;   /* rises with the beginnings of work */
    uint32_t cluster; /* blocks that begin at one time; 1 */
    double fills;     /* SMs */
    double wave_left; /* at since_ns: share of its work that a wave of its own of the last cluster
                       * takes, as far as that may still be to come; 0: it lacks no room */
    double late;      /* at since_ns: share of the wait for its launch's last blocks that may still
                       * be to come; 0: all have places */
    double late_ns;   /* all of that wait, as things are; 0: it does not wait now */
    bool is_late;     /* it waits now */
    double lacks;     /* share of its rate, for want of room or of SMs */
    double lacks_now; /* the same as things are, while rates are worked out */
    struct gpu_turn turn;
    int64_t launched_ns;   /* the present one, if it waits for a place in the queue */
    uint32_t placed_count; /* launches before the one that has this place */
    uint64_t place;        /* in the queue */
    double share_before;   /* what gpu.share was when its phase began */
};

/* Rates that were worked out since a kernel came or went last: SMs go to and fro between a few
 * states of the queue. */
#define GPU_MEMO_STATES  16
#define GPU_MEMO_KERNELS 8 /* more are worked out each time */
struct gpu_rates {
    double sms_rate, kernel_rate, slowed_rate, beyond_rate;
    struct gpu_kernel_rates {
        double sms, pace_sms, use, lacks, slowdown, full_ns;
    } of[];
};
struct gpu_memo {
    uint32_t count;   /* the latest ones are kept */
    uint32_t kernels; /* of each state, at most */
    uint32_t states;  /* for so many there is room */
    char *rates;      /* struct gpu_rates one after the other, with `kernels` each */
};

struct dcs_gpu {
    const struct dcs_spatial *spatial;
    struct dcs_contention *contention;
    uint64_t memory_bytes;
    int64_t window_ns;
    enum dcs_gpu_moves moves;

    struct gpu_kernel *kernels; /* ascending by id */
    size_t kernels_count, kernels_capacity;
    uint32_t sms_allotted;
    uint32_t takers; /* kernels that have the whole device: at most one */
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
    uint64_t changes;       /* that were no ends, so far */
    struct dcs_gpu *before; /* itself without a before; its kernels are its own; NULL: not yet */

    bool scarce;           /* some kernel could want more SMs than there are for it */
    bool each_part;        /* every part of a launch is a change, scarce or not: for tests */
    struct gpu_memo *memo; /* for itself and for before; NULL: nothing is remembered */

    /* By direction: the transfer that ended last. */
    struct {
        uint64_t id;
        int64_t ended_ns, enqueued_ns;
    } copied[DCS_SHAPE_FROM_DEVICE + 1];

    /* Owed after revocations: see exclusive_gpu.h. */
    int64_t start_ns, clear_ns, spawn_ns;

    /* Accounts are kept up to at_ns; the rates hold from there on. */
    int64_t at_ns;
    double share; /* integral of 1 / number of kernels */
    double useful_ns, lost_ns, overhead_ns;
    double sms_rate, kernel_rate, slowed_rate, beyond_rate;
    struct dcs_gpu_usage usage;
};

/* gpu_turns.c. Its cap is set: what its grids say about its waves, and how many SMs it can occupy;
 * it is before its first launch. shape may be NULL. */
void gpu_set_launches(struct gpu_kernel *k, const struct dcs_shape *shape);
/* It begins to work. After gpu_take_turns() up to now. */
void gpu_begin(struct dcs_gpu *g, struct gpu_kernel *k, int64_t now_ns);

/* Other kernels are there, or work: forgets the rates that were worked out. */
void gpu_forget_rates(struct dcs_gpu *g);
/* That a memo comes to take with so many kernels beside each other. */
size_t gpu_memo_bytes(uint32_t kernels);

/* Of the transfers of a direction that wait for each other, the one that does not; NULL: none. */
const struct gpu_kernel *gpu_served(const struct dcs_gpu *g, enum dcs_shape_kind direction);

/* What a kernel takes alone on so many SMs. */
double gpu_solo_ns(const struct dcs_gpu *g, struct gpu_kernel *k, double sms);

static inline double gpu_left_at(const struct gpu_kernel *k, int64_t now_ns)
{
    if (k->phase != GPU_WORKS || !(k->full_ns > 0))
        return k->left;
    double left = k->left - (double)(now_ns - k->since_ns) / k->full_ns;
    return left > 0 ? left : 0;
}

/* `time` after since_ns, rounded. */
static inline int64_t gpu_after(const struct gpu_kernel *k, double time)
{
    if (!(time < (double)DCS_TIME_MAX))
        return DCS_TIME_MAX;
    return time > 0 ? dcs_add_times(k->since_ns, (int64_t)(time + 0.5)) : k->since_ns;
}

/* It is in an end that began on fewer SMs than it is to have after it. */
static inline bool gpu_lags(const struct gpu_kernel *k)
{
    return k->turn.in_last && k->turn.held != (double)k->cap;
}

/* When the present part of its launch is over, if that makes a difference while the same kernels
 * work (gpu_take_turns()); else DCS_NEVER. After its rate has changed, or its turn. */
static inline int64_t gpu_change_ns(const struct dcs_gpu *g, const struct gpu_kernel *k)
{
    double left = k->turn.part_left;
    bool matters = g->scarce || g->each_part || gpu_lags(k);
    if (!matters || !k->queued || !(k->full_ns > 0) || left < 0)
        return DCS_NEVER;
    return gpu_after(k, (k->left - left) * k->full_ns);
}

/* SMs' worth of work that a partition does now. */
static inline double gpu_working_sms(const struct gpu_kernel *k)
{
    if (k->leaves_ns == DCS_NEVER || k->drains == GPU_DRAINS_IN_STEP)
        return (double)k->cap;
    if (k->drains == GPU_SAVES)
        return (double)k->allotted;
    return 0.5 * ((double)k->cap + (double)k->allotted);
}

/* The share of its work that its present launch does. */
static inline double gpu_launch_share(const struct gpu_kernel *k)
{
    return k->turn.group != NULL ? k->turn.group->share : 1 / (double)k->launches;
}

/* In whole SMs kernels slow each other, so that sets come again: nobody measured fractions. */
static inline uint32_t gpu_whole_sms(double sms)
{
    return sms < 1 ? 1 : (uint32_t)(sms + 0.5);
}

/* gpu_clusters.c. How its blocks come, as it begins to work. */
void gpu_find_clusters(const struct dcs_gpu *g, struct gpu_kernel *k);
/* The share of its rate that a kernel lacks from now_ns on, since all have the SMs that they have.
 * Once it has SMs and lacks none it never does again. */
double gpu_lacks(const struct dcs_gpu *g, struct gpu_kernel *k, int64_t now_ns);
/* wave_left, at now_ns. */
double gpu_wave_left_at(const struct gpu_kernel *k, int64_t now_ns);
/* When it lacks room no longer, whatever the others do; DCS_NEVER: it lacks none. */
int64_t gpu_waited_ns(const struct gpu_kernel *k);

/* What a launch that waits for its last blocks lacks of its rate. Not 1: rate 0 means that it has
 * no SMs. Not measured: docs/model.md. */
#define GPU_LATE_LACKS 0.999

/* gpu_blocks.c. A kernel launches, and its last blocks may have to wait: gpu_settle() is to come,
 * which works its rate out anew. */
void gpu_await_blocks(struct gpu_kernel *k);
/* Whether they wait at now_ns, by the SMs that it has then. Once all have places, those of this
 * launch never wait again. */
bool gpu_lacks_places(struct gpu_kernel *k, int64_t now_ns);
/* `late`, 0 to 1, at now_ns, since_ns or later. */
double gpu_late_at(const struct gpu_kernel *k, int64_t now_ns);
/* When its last blocks begin if no more SMs come, since_ns to DCS_TIME_MAX; DCS_NEVER: they do not
 * wait. */
int64_t gpu_late_until(const struct gpu_kernel *k);
/* late_ns of a kernel whose last blocks wait, once its rate is set; of_all: its time on all SMs
 * that it wants, as a share of that on those that it has, above 0. */
double gpu_find_late_ns(const struct gpu_kernel *k, double of_all);

/* gpu_turns.c. Brings each kernel of the queue to the part of its launch that it is in at now_ns;
 * who has launched again meanwhile goes to the end of the queue, in the order of these launches,
 * and of the places so far at one instant. Before a kernel comes or goes or changes otherwise, and
 * after each part of a launch that makes a difference in between: where something is scarce, every
 * one; else all get what they want, nobody waits, and only the end of one that lags does. */
void gpu_take_turns(struct dcs_gpu *g, int64_t now_ns);
/* The same for one kernel, which keeps its place. */
void gpu_pass_parts(struct gpu_kernel *k, int64_t now_ns);
/* gpu_turns.c. So many SMs are there for a kernel at now_ns; scarce: of the device. Works out the
 * end of its launch by what it has of them, and returns that. */
double gpu_give(struct gpu_kernel *k, double offered, bool scarce, int64_t now_ns);
/* What is left of a kernel changes by that factor at now_ns; it keeps its place. After
 * gpu_take_turns() up to now, and before gpu_settle(). */
void gpu_scale_left(const struct dcs_gpu *g, struct gpu_kernel *k, int64_t now_ns, double factor);
/* gpu_moves.c. One more kernel has the SMs that are free, at first; it is in g already. */
void gpu_enter_moves(const struct dcs_gpu *g, struct gpu_kernel *k);
/* It is to have so many SMs; after gpu_take_turns() up to now. */
void gpu_retarget(struct dcs_gpu *g, struct gpu_kernel *k, int64_t now_ns, uint32_t sms);
/* SMs leave whose time has come, and go to those that are to have more. Before gpu_settle(). */
void gpu_move_sms(struct dcs_gpu *g, int64_t now_ns);
/* gpu.c. Goes through the next change, which is no end. */
void gpu_change_inside(struct dcs_gpu *g);
/* After a change at now_ns, of turns or otherwise: SMs, rates, ends, what comes next; what changes
 * its rate ends at earliest_ns or later. */
void gpu_settle(struct dcs_gpu *g, int64_t now_ns, int64_t earliest_ns);

#endif
