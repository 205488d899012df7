/*
 * validate_shapes.h - what a device model knows of the kernels that were measured together: those
 * of a profile, by application and name, and beside them the blocks that spin for an exact time
 * (calibrate/measure/measure_oversubscription.c), which no application has.
 *
 * Blocks that spin use nothing but their places on the SMs: their time is a block's for each wave
 * of them, and nothing slows them or is slowed by them. An SM holds SPIN_THREADS_PER_SM threads in
 * at most SPIN_BLOCKS_PER_SM blocks.
 */
#ifndef DCS_VALIDATE_SHAPES_H
#define DCS_VALIDATE_SHAPES_H

#include "models/gpu/corun_read.h"
#include "models/gpu/spatial.h"

#define SPIN_APPLICATION    "spin"
#define SPIN_THREADS_PER_SM 2048
#define SPIN_BLOCKS_PER_SM  32 /* compute capability 9.0, as the threads */

#define NO_SHAPE UINT32_MAX

struct validate_shapes {
    const struct dcs_profile *profile;
    const struct dcs_coruns *coruns;
    struct dcs_spatial spatial; /* the profile's, and the spinning blocks at the end */
    uint32_t of_profile;        /* shapes that are the profile's */
};

/* All are borrowed, and outlive it. */
void validate_shapes_init(struct validate_shapes *v, const struct dcs_profile *profile,
                          const struct dcs_spatial *spatial, const struct dcs_coruns *coruns);
void validate_shapes_release(struct validate_shapes *v);

/* NO_SHAPE: it is not known at that size. */
uint32_t validate_shape(const struct validate_shapes *v, const struct dcs_corun_side *side);
/* The same at any size of the request that the profile was loaded with. */
uint32_t validate_sized_shape(const struct validate_shapes *v, const struct dcs_corun_side *side);
/* Of an application's requests; -1: not known. */
int64_t validate_default_size(const struct validate_shapes *v, const char *app);
/* Of a request; NULL likewise. */
const struct dcs_sequence *validate_sequence(const struct validate_shapes *v, const char *app,
                                             int64_t size);
/* Whether a side spins, and its pause after each launch: "spin_132x1024_pause_700us". */
bool validate_spins(const struct dcs_corun_side *side, int64_t *pause_ns);

#endif
