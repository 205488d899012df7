/*
 * exit_kernels.h - how a kernel that runs gives the device back: kernels of applications whose
 * blocks look at a flag before they begin, and exit once it is set; and a kernel that traps, which
 * ends its context with all that runs in it (TReM, section III).
 *
 * Kernels of bodies (apps/body.cuh) have such a flag. A block that has begun goes to its end.
 */
#ifndef DCS_CALIBRATE_EXIT_KERNELS_H
#define DCS_CALIBRATE_EXIT_KERNELS_H

#include "calibrate/app/app.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The applications of which some kernels have a flag: "cp, cutcp, ...". */
extern const char cal_exiter_apps[];
bool cal_exiter_serves(const char *app);

/* Flags on the current device. */
struct cal_exiter;

/* NULL and err on failure. */
struct cal_exiter *cal_exiter_create(struct dcs_err *err);
void cal_exiter_destroy(struct cal_exiter *e); /* NULL is allowed */

/* In place of cal_enqueue(). 1: enqueued, and *number is what cal_exiter_stop() takes; 0: this
 * kernel has no flag, and is not enqueued; -1 and err. */
int cal_exiter_enqueue(struct cal_exiter *e, const char *app, const struct cal_plan *plan,
                       size_t kernel, cudaStream_t stream, uint32_t *number, struct dcs_err *err);
/* No block of that number begins any more, a few us from now. Does not wait for those that have
 * begun. One at a time: an earlier number may begin again. */
int cal_exiter_stop(struct cal_exiter *e, uint32_t number, struct dcs_err *err);

/* A stream before all others for the kernel that traps, whose code is loaded here. -1 and err. */
int cal_trap_open(cudaStream_t *stream, struct dcs_err *err);
/* One thread that executes trap. Every later call of this process fails. */
int cal_trap_launch(cudaStream_t stream, struct dcs_err *err);

#ifdef __cplusplus
}
#endif
#endif
