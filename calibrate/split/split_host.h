/*
 * split_host.h - a host of policies (policies/policy.h) whose devices are real: a request of a
 * program of split_program.h is divided by a policy, on the machine's own clock.
 *
 * The domain has two devices: 0 is the CPU with the threads of the team, 1 the GPU. There is one
 * application, one job of one request, and of a request its passes are the kernels. Nothing can be
 * predicted or revoked.
 */
#ifndef DCS_CALIBRATE_SPLIT_HOST_H
#define DCS_CALIBRATE_SPLIT_HOST_H

#include "calibrate/split/split_sides.h"
#include "policies/policy.h"

/* What a request was. */
struct cal_split_run {
    int64_t time_ns;
    int64_t steps; /* how often chunks were given out while none ran */
    int64_t gpu_iterations;
    int64_t busy_ns[CAL_SPLIT_BOTH];
};

/* The options of a policy at their defaults but for `set`, NAME=VALUE with commas between (NULL:
 * none). The caller frees them; NULL and err: an option is not there, or out of its range. */
void *cal_split_options(const struct policy *p, const char *set, struct dcs_err *err);

/* Runs one request. sms: of the GPU. -1 and err: the policy broke a rule or cannot go on, a chunk
 * failed. */
int cal_split_run_policy(struct cal_split_sides *b, const struct cal_split *s,
                         const struct policy *p, const void *options, uint32_t threads, int sms,
                         struct cal_split_run *run, struct dcs_err *err);

#endif
