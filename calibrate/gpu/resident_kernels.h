/*
 * resident_kernels.h - up to three CUDA kernels inside each SM, for measuring what they leave each
 * other: launches of persistent blocks that stay (fusion_body.cuh), so many of each kernel in each
 * SM, which do blocks of their kernels until a time is up.
 *
 * Each kernel is a launch of its own in a stream of its own, so that its blocks have its registers
 * and shared memory and no others. All persistent blocks wait until all have come. The split of the
 * SM's memory into shared memory and L1 cache is the same for all: an SM cannot change it while
 * blocks run. Where the blocks were is in the records, which the caller checks.
 */
#ifndef DCS_CALIBRATE_RESIDENT_KERNELS_H
#define DCS_CALIBRATE_RESIDENT_KERNELS_H

#include "calibrate/app/app.h"
#include "calibrate/plan/resident_points.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CAL_RESIDENT_ROLES 3

/* The index-th kernel's name; NULL behind the last. */
const char *cal_resident_name(size_t index);

/* Of the current device. */
int cal_resident_get_room(struct cal_sm_room *room, struct dcs_err *err);

struct cal_residency;

/* Inputs of kernels (NULL behind the last) for `load` blocks of each; 0: as many as fill far more
 * than the L2 cache where the kernel streams. NULL and err on failure. */
struct cal_residency *cal_residency_create(const char *const names[CAL_RESIDENT_ROLES],
                                           int64_t load, int sms, uint64_t seed,
                                           struct dcs_err *err);
void cal_residency_destroy(struct cal_residency *r); /* NULL is allowed */

struct cal_block_use cal_residency_get_use(const struct cal_residency *r, int role);

struct cal_residency_times {
    int64_t warm_ns, window_ns, cool_ns, wait_ns; /* as in struct cal_resident_run */
};

/* Runs `blocks` of each role (0: none) in each SM; streams must differ. Role `first` is launched
 * first, then those behind it, then those before it. Launches only, and waits for what ran before.
 */
int cal_residency_launch(struct cal_residency *r, const int blocks[CAL_RESIDENT_ROLES], int first,
                         const struct cal_residency_times *times,
                         const cudaStream_t streams[CAL_RESIDENT_ROLES], struct dcs_err *err);

/* Waits. *aborted: some persistent blocks never came to run beside the others. The records of a
 * role belong to r and stay until the next call. */
int cal_residency_read(struct cal_residency *r, bool *aborted, struct dcs_err *err);
const struct cal_resident_record *cal_residency_get_records(const struct cal_residency *r, int role,
                                                            size_t *count);

/* Runs the ordinary kernel of each role and the one of persistent blocks, once each, and compares
 * the results; those of the ordinary one with a reference on the CPU, too, where the kernel has one
 * (fusion_body.cuh). For small loads: it copies them to the host. */
int cal_residency_check(struct cal_residency *r, struct dcs_err *err);

#ifdef __cplusplus
}
#endif
#endif
