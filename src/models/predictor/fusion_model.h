/*
 * fusion_model.h - what a scheduler predicts that a fused launch takes: Tacker's two-stage linear
 * model (HPCA 2022, section VI).
 *
 * For each way to fuse (fusion.h) two lines, of the launch's time over that of the tensor kernel
 * alone by load ratio: one for when both parts run together until the tensor part ends last, one
 * for when the CUDA part does (equations 5 and 6). The prediction is the higher of the two: they
 * cross at the opportune load ratio, and the second is the steeper one. Each is a least-squares
 * line. They are trained on the lowest two and the highest two load ratios that were measured,
 * which are nearest to the paper's 10, 20, 180 and 190 %, of all sizes together, since the paper's
 * models do not change with sizes. A launch that was predicted more than 10 % wrong is added to the
 * points of its line (section VI-C).
 *
 * It knows nothing of what lies between those ratios, nor of the launches that are under way.
 */
#ifndef DCS_MODELS_FUSION_MODEL_H
#define DCS_MODELS_FUSION_MODEL_H

#include "models/gpu/fusion.h"

/* Which ratios a line is trained on, from each end. */
#define DCS_FUSION_TRAINED 2
#define DCS_FUSION_WRONG   0.10

struct dcs_fusion_line {
    double n, x, y, xx, xy; /* sums over its points */
    double base, slope;
};

struct dcs_fusion_lines {
    struct dcs_fusion_line before, after; /* the opportune load ratio */
};

/* Of so many curves, in one model. */
struct dcs_fusion_lines dcs_fusion_train(const struct dcs_fused_curve *curves, size_t count);
/* Over the tensor kernel alone. */
double dcs_fusion_lines_at(const struct dcs_fusion_lines *l, double ratio);

/* Whether it counts as before the opportune load ratio. */
bool dcs_fusion_lines_before(const struct dcs_fusion_lines *l, double ratio);

/* The lines of all ways; the caller's to free. */
struct dcs_fusion_lines *dcs_fusion_train_all(const struct dcs_fusion *f);
/* A launch of that way has ended after `took_ns`; its kernels were predicted to take so long alone.
 * True if it was predicted wrongly, and counts from now on. */
bool dcs_fusion_learn(struct dcs_fusion_lines *way, double tensor_ns, double cuda_ns,
                      double took_ns);

#endif
