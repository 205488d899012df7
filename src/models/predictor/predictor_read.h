/*
 * predictor_read.h - what a profile says that a prediction can be made of: requests of all measured
 * sizes, their kernels as tasks (predictor_tasks.h), and the samples to train on.
 *
 * SAMPLES, of one application (durations are means; l2 warm):
 *   request_duration   every row of request_solo
 *   kernel_duration    every row of kernel_solo of the task's shapes
 *   kernel_bandwidth   bytes by the counters / duration, at every row of kernel_solo
 *   kernel_ipc         instructions by the counters / (duration x clock) (C-Laius, equation 1)
 * Counters are read at three sizes of an application, kernels are timed at more. Between those
 * sizes the bytes (instructions) are the bytes (operations) that the kernel's algorithm moves
 * (does), which are known at every size, times a ratio that is interpolated in the logarithm of the
 * size; beyond them the nearest ratio holds. The instructions and bytes of a kernel are taken not
 * to depend on its SMs.
 *
 * Features of an input that was not measured are interpolated linearly in the size, and held beyond
 * the measured ones; a real system would read them off the launch.
 */
#ifndef DCS_MODELS_PREDICTOR_READ_H
#define DCS_MODELS_PREDICTOR_READ_H

#include "models/predictor/predictor.h"
#include "models/profile/predictor_tasks.h"
#include "models/profile/profile.h"

struct dcs_measured;

/* p is what a simulation reads of the same file, and outlives the result. Without samples only
 * tasks and features are read: enough to ask, not to train. NULL and err on failure. */
struct dcs_measured *dcs_measured_load(const char *path, const struct dcs_profile *p, bool samples,
                                       struct dcs_err *err);
void dcs_measured_free(struct dcs_measured *m); /* NULL is allowed */

/* app: index in the profile's applications, also below. */
const struct dcs_tasks *dcs_measured_tasks(const struct dcs_measured *m, uint32_t app);
int64_t dcs_measured_default_size(const struct dcs_measured *m, uint32_t app); /* 0: not known */

/* The task at a position of a request; for a size that was not measured that of the nearest one
 * that was. DCS_NO_TASK: there is no such kernel. */
uint32_t dcs_measured_task(const struct dcs_measured *m, uint32_t app, int64_t size,
                           uint32_t position);

/* task: DCS_NO_TASK for the whole request. */
void dcs_measured_features(const struct dcs_measured *m, uint32_t app, uint32_t task, int64_t size,
                           uint32_t sms, double *x);

/* Ascending by size, then SMs. Freed by the caller. task as above; kernels' targets need one. */
struct dcs_sample *dcs_measured_samples(const struct dcs_measured *m, enum dcs_target target,
                                        uint32_t app, uint32_t task, size_t *n);

#endif
