/*
 * measured_gpu.h - the device that is measured: what it is, its partitions, and timing on it.
 *
 * One process opens one device. Everything runs in the device's primary context; a partition is a
 * green context of it, so that memory, kernels and events are shared by all partitions, and a
 * launch goes to the SMs of the partition whose stream it is put on.
 *
 * The driver's functions are asked from the CUDA runtime, NVML is loaded: the program starts, and
 * says what is missing, on a machine with neither.
 */
#ifndef DCS_CALIBRATE_MEASURED_GPU_H
#define DCS_CALIBRATE_MEASURED_GPU_H

#include "calibrate/gpu/nvml.h"
#include "calibrate/plan/sample.h"

#include <cuda_runtime_api.h>

#define CAL_PARTITION_STEP 8 /* SMs: the granularity of partitions */
#define CAL_PARTITIONS_MAX 31

struct cal_driver;

/* SMs of the device that a stream can be bound to. */
struct cal_partition {
    int sms;
    const char *mechanism; /* "whole" or "green" */
    void *green;           /* CUgreenCtx; NULL: the whole device */
    cudaStream_t stream;   /* its first stream */
};

struct cal_gpu_options {
    int ordinal;
    bool whole;         /* no partitions: kernels share the SMs with those of other processes */
    bool allow_others;  /* measure although other processes use the device */
    bool must_be_alone; /* no option of the command allows others */
    double clock_floor; /* samples below this share of the highest SM clock are thrown away */
    double patience_s;  /* a kernel that runs longer is taken for hung */
};

struct cal_gpu {
    int ordinal;
    char name[128], uuid[64], driver[96], cuda[32];
    int compute; /* e.g. 90 */
    int sms;
    size_t memory_bytes, l2_bytes;
    int max_clock_mhz;  /* 0: not known */
    int rest_clock_mhz; /* that it comes back to when it has next to nothing to do */
    double clock_floor, patience_s;
    int64_t look_ns;       /* between two looks of a wait; 0: it looks all the time */
    bool dead;             /* an error has killed the context: nothing more runs in this process */
    struct cal_nvml *nvml; /* NULL: clocks are not known */
    struct cal_driver *driver_calls;
    bool green;         /* it has partitions */
    char no_green[256]; /* why not */
    struct cal_partition cached[CAL_PARTITIONS_MAX + 1];
    size_t cached_count;
    cudaEvent_t begin, end;
    int *gate; /* mapped pinned; see cal_gpu_gate */
    const int *gate_device;
    int ticket;
};

/* Only what identifies the device; no context is made. NULL and err without a usable GPU. */
struct cal_gpu *cal_gpu_find(const struct cal_gpu_options *options, struct dcs_err *err);
/* Makes the context, partitions and the watch of the clock. */
int cal_gpu_start(struct cal_gpu *g, const struct cal_gpu_options *options, struct dcs_err *err);
void cal_gpu_free(struct cal_gpu *g);

/* The partition of `sms` SMs (all of them: the whole device), made once and kept. */
const struct cal_partition *cal_gpu_partition(struct cal_gpu *g, int sms, struct dcs_err *err);
/* SM counts that can be partitioned, ascending, the whole last. Returns how many. */
int cal_sm_counts(int sms, int *counts, int max);

/* Disjoint partitions at the same time; sms[i] = 0: what is left over (the last one only). Not
 * kept: released by the caller. */
int cal_gpu_split(struct cal_gpu *g, const int *sms, int count, struct cal_partition *parts,
                  struct dcs_err *err);
/* A partition of the groups of CAL_PARTITION_STEP SMs whose bits are set in mask; the bit behind
 * the last group is what is left over. SMs of a group need not lie together: clusters of blocks may
 * not fit. Partitions that are not used at the same time may overlap. Released by the caller. */
int cal_gpu_groups(struct cal_gpu *g, uint32_t mask, struct cal_partition *part,
                   struct dcs_err *err);
void cal_partition_release(struct cal_gpu *g, struct cal_partition *p);
/* Another stream of a partition; priority 0 is the default, lower numbers go first. */
int cal_partition_stream(struct cal_gpu *g, const struct cal_partition *p, int priority,
                         cudaStream_t *stream, struct dcs_err *err);

/* 0, or -1 and err "what: CUDA's text"; the runtime's last error is cleared, and a context that
 * does not recover is marked dead. */
int cal_gpu_check(struct cal_gpu *g, cudaError_t status, const char *what, struct dcs_err *err);
/* What a thread needs to time and to wait: begin, end and the gate. */
int cal_gpu_make_events(struct cal_gpu *g, struct dcs_err *err);
/* Waits for an event, at most patience_s; a kernel that hangs makes the context dead. */
int cal_gpu_wait(struct cal_gpu *g, cudaEvent_t event, const char *what, struct dcs_err *err);
int cal_gpu_wait_stream(struct cal_gpu *g, cudaStream_t stream, const char *what,
                        struct dcs_err *err);
/* Between two events that have happened. */
int cal_gpu_elapsed(struct cal_gpu *g, cudaEvent_t from, cudaEvent_t to, int64_t *ns,
                    struct dcs_err *err);

/* Holds a stream until it is opened, so that what is enqueued behind runs without waiting for the
 * host. A stream takes about 1000 entries: open it before that, or enqueueing waits for ever. */
#define CAL_GATE_ENTRIES 400
int cal_gpu_close_gate(struct cal_gpu *g, cudaStream_t stream, struct dcs_err *err);
void cal_gpu_open_gate(struct cal_gpu *g);

/* Keeps the device busy until its clock is up, at most 2 s. Before measuring after a pause. */
int cal_gpu_wake(struct cal_gpu *g, struct dcs_err *err);

/* After work at the power limit, which leaves a low clock behind: keeps the device nearly idle
 * until the clock is back, at most 1 s. */
int cal_gpu_settle(struct cal_gpu *g, struct dcs_err *err);
/* Before samples that were all thrown away are taken again, for the turn-th time (from 0): the same
 * for a while in any case, longer each time. 1; 0: it was tried often enough; -1 and err. */
int cal_gpu_rest(struct cal_gpu *g, int turn, struct dcs_err *err);

/* The clock between the two calls, and whether samples in between are to be thrown away. */
struct cal_clock_mark cal_gpu_clock_begin(const struct cal_gpu *g);
void cal_gpu_clock_end(const struct cal_gpu *g, struct cal_clock_mark begin, int *clock_mhz,
                       bool *throttled);

double cal_seconds(void *unused); /* monotonic; fits struct cal_sampling */

#endif
