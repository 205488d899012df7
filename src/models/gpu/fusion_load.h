/* fusion_load.h - makes what fusion.h says from the table `fused` of a profile; for fusion*.c and
 * spatial*.c only. */
#ifndef DCS_MODELS_FUSION_LOAD_H
#define DCS_MODELS_FUSION_LOAD_H

#include "models/gpu/fusion.h"
#include "models/profile/profile_rows.h"

/* fusion_read.c. *out is NULL if the table has no rows. -1 and err on failure. */
int dcs_fusion_read(struct dcs_fusion **out, struct dcs_rows *rows);
void dcs_fusion_free(struct dcs_fusion *f); /* NULL is allowed */

/* The share of the time of both kernels one after the other that a curve saves where both take as
 * long, or at the measured load ratio nearest to that. */
double dcs_fused_saved(const struct dcs_fused_curve *c);

/* fusion_match.c: fills tensor_of and cuda_of, after the shapes of *s are known. */
void dcs_fusion_match_shapes(struct dcs_fusion *f, const struct dcs_spatial *s);
/* A shape was added that fuses as the older shape `like` does. */
void dcs_fusion_add_shape(struct dcs_fusion *f, uint32_t shape, uint32_t like);

#endif
