/*
 * exclusive_gpu.h - the truth about one device that runs one kernel at a time: how long a launch
 * really takes, what a revocation costs, where the time went.
 *
 * The device is passive. start() answers when the kernel will end, stop() breaks it off; the caller
 * keeps the event. Asking changes nothing.
 *
 * REVOCATION (TReM, section III, table II, figures 3 and 5). stop() takes kill_ns during which the
 * device is busy. With asm(trap) the context is dead afterwards: the next start on this device
 * takes start_ns longer (first CUDA call of a fresh process), and clearing the dead context
 * (clear_ns) and spawning a process (spawn_ns) are owed; they are paid before the next *batch*
 * start, so that latency requests do not wait for them. A dead context keeps its memory until it is
 * cleared: a launch that does not fit beside it pays clear_ns at once, whatever its class (section
 * III-A, last paragraph).
 *
 * What a launch owes is paid, or if it is stopped while it starts, forgiven.
 *
 * CHECKPOINTS (section VII). With an interval I and a cost C, a batch kernel stops for C after
 * every I of work, and what was saved survives a revocation: at most I of work is lost.
 *
 * ACCOUNTING. Busy time inside the window splits exactly into useful work, lost work (done, then
 * thrown away) and overhead (starts, kills, clean-ups, checkpoints). Work of a kernel that still
 * runs when the window closes counts as useful.
 */
#ifndef DCS_MODELS_EXCLUSIVE_GPU_H
#define DCS_MODELS_EXCLUSIVE_GPU_H

#include "des/base.h"
#include "models/profile/profile.h"

struct dcs_checkpoint {
    int64_t interval_ns; /* of work; 0 = no checkpoints */
    int64_t cost_ns;
};

struct dcs_usage {
    int64_t busy_ns, useful_ns, lost_ns, overhead_ns;
};

enum dcs_device_phase {
    DCS_DEVICE_IDLE,
    DCS_DEVICE_RUNNING,
    DCS_DEVICE_STOPPING,
};

struct dcs_device {
    uint64_t memory_bytes;
    struct dcs_checkpoint checkpoint;
    int64_t window_ns; /* accounting starts here */

    enum dcs_device_phase phase;
    int64_t launch_ns;   /* of the running kernel */
    int64_t start_ns;    /* launch + what the start costs */
    int64_t work_ns;     /* its true work */
    bool checkpointed;   /* it takes checkpoints */
    uint64_t used_bytes; /* of the running kernel */
    int64_t stopping_ns; /* when the kill began */

    int64_t next_start_ns; /* owed by the next launch */
    int64_t clear_ns;      /* owed by the next batch launch, or one that needs the memory */
    int64_t spawn_ns;      /* owed by the next batch launch */
    uint64_t dead_bytes;   /* held by dead contexts */

    struct dcs_usage usage;
};

struct dcs_launch {
    int64_t work_ns; /* >= 1; what is left of the kernel's true work */
    uint64_t memory_bytes;
    enum dcs_class class;
};

void dcs_device_init(struct dcs_device *d, uint64_t memory_bytes, struct dcs_checkpoint checkpoint,
                     int64_t window_ns);

/* Whether a launch of so much memory can ever run here. */
bool dcs_device_fits(const struct dcs_device *d, uint64_t memory_bytes);

/* Starts a kernel on an idle device (asserted) at now_ns; returns when it will end, at most
 * DCS_TIME_MAX. */
int64_t dcs_device_start(struct dcs_device *d, int64_t now_ns, const struct dcs_launch *l);

/* The running kernel ends by itself at now_ns, which is the time that start() gave (asserted). */
void dcs_device_finish(struct dcs_device *d, int64_t now_ns);

/* Breaks the running kernel off; returns when the device is idle again. *kept_ns is the work that a
 * checkpoint saved, out of the work_ns that it was started with. */
int64_t dcs_device_stop(struct dcs_device *d, int64_t now_ns,
                        const struct dcs_profile_revocation *cost, int64_t *kept_ns);

/* The revocation is over, at the time that stop() gave. */
void dcs_device_stopped(struct dcs_device *d, int64_t now_ns);

/* Closes the accounting at now_ns; what runs stays as it is. Once, at the end. */
void dcs_device_close(struct dcs_device *d, int64_t now_ns);

/* True work that the running kernel has left at now_ns (for clairvoyant predictions and the truth
 * scramble; never for a policy). */
int64_t dcs_device_left_ns(const struct dcs_device *d, int64_t now_ns);
/* Changes it to left_ns >= 1; returns the new end. */
int64_t dcs_device_set_left(struct dcs_device *d, int64_t now_ns, int64_t left_ns);

#endif
