/*
 * worker_lane.h - what one thread of a child process runs on the device, in one stream: requests of
 * an application, one repeatable kernel of it, or blocks that spin for an exact time; one at a time
 * or back to back, until it is halted, or from a list of arrivals.
 *
 * Each thread has a lane of its own, and a lane a struct cal_gpu that no other lane uses: its
 * events, its gate and the number of SMs that requests are planned for. Lanes of one process share
 * nothing else that is written, but for the context: what one lane makes ready, while another runs,
 * may slow that.
 *
 * The functions below are operations of workers, and say which of the order's args they take and
 * which values they answer.
 */
#ifndef DCS_CALIBRATE_WORKER_LANE_H
#define DCS_CALIBRATE_WORKER_LANE_H

#include "calibrate/measure/corun.h"
#include "calibrate/gpu/victim.h"
#include "calibrate/worker/worker.h"

#define CAL_LANE_EVENTS 65

struct cal_lane {
    struct cal_gpu *gpu; /* NULL: not opened */
    cudaStream_t stream;
    struct cal_victim *victim; /* the blocks that spin */
    cudaEvent_t events[CAL_LANE_EVENTS];
    struct {
        enum { CAL_LANE_NOTHING, CAL_LANE_REQUESTS, CAL_LANE_KERNEL, CAL_LANE_SPIN } kind;
        struct cal_work work; /* of REQUESTS and KERNEL */
        struct cal_subject subject;
        unsigned blocks, threads;
        uint64_t block_ns;
    } target;
};

/* Of the thread that was told the order. */
struct cal_lane *cal_lane_of(const struct cal_worker_shared *w);
/* Before it has an application; a second time to give it another stream. All are borrowed; victim
 * may be NULL where nothing spins. */
int cal_lane_open(struct cal_lane *l, struct cal_gpu *gpu, cudaStream_t stream,
                  struct cal_victim *victim, struct dcs_err *err);
/* Nothing is enqueued, and its context lives; one that was not opened is idle. */
bool cal_lane_is_idle(const struct cal_lane *l);

/* --- targets --- */

/* Makes an application ready, for requests or a kernel later. text: the application; args: seed. */
int cal_lane_application(struct cal_worker_shared *w, struct dcs_err *err);
/* text: the application; args: seed. values: size, ns of a request that is warm. */
int cal_lane_requests(struct cal_worker_shared *w, struct dcs_err *err);
/* text: the application, or "application kernel"; args: seed, rank of the kernel if it is not
 * named. values: size, ns of a launch alone, whether there is such a kernel; answer: its name. */
int cal_lane_kernel(struct cal_worker_shared *w, struct dcs_err *err);
/* args: blocks, threads of a block, ns that a block runs. values: 0, ns of a launch alone. */
int cal_lane_spin(struct cal_worker_shared *w, struct dcs_err *err);

/* --- running beside others --- */

/* Closed loop, one at a time, until it is halted. args: a pause after each, ns. */
int cal_lane_single(struct cal_worker_shared *w, struct dcs_err *err);
/* Back to back, the host ahead, until it is halted. args: ns of a launch alone. A record's end is
 * that of its event; the first event's moment is the host's. */
int cal_lane_stream(struct cal_worker_shared *w, struct dcs_err *err);
/* Open loop, first come first served, one at a time: the records' arrivals. args: ns after which
 * none is begun any more. values: how many were served; the rest have end_ns 0. */
int cal_lane_serve(struct cal_worker_shared *w, struct dcs_err *err);

#endif
