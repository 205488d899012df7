/*
 * slowdown_net.h - the network of Themis that says how much a kernel is slowed (W. Zhao and others,
 * "Themis", section V-D): 12 inputs, two hidden layers of 12 units, 2 outputs, the slow-downs by
 * scalability and by interference.
 *
 * LOSS (equation 8). L = L_scal + L_inter + alpha L_colo + lambda |W|, where each L_x is the root
 * of the mean square of (x* - x) / x* over the samples, and x* was measured; colo is the product of
 * the two. alpha = 2 and lambda = 0.001, as printed. |W| is the root of the sum of the squares of
 * all weights but the units' constants. The paper prints L_x as a 2-norm without a mean: lambda
 * weighs less then, by the root of a batch's size. Tried, it is as good
 * (docs/validation/themis.md).
 *
 * LEFT OPEN by the paper, and chosen: units are leaky by 0.01, as in the paper that brought such
 * units (A. Maas and others, "Rectifier nonlinearities improve neural network acoustic models",
 * 2013); each unit, the outputs among them, has a constant: 26 numbers beyond the paper's 312,
 * which are those of equation 7's shape without constants; training is Adam with the constants of
 * its authors (D. Kingma, J. Ba, "Adam", 2015), on batches of 64 samples, its steps falling in a
 * straight line to none; weights begin uniform as in K. He and others, "Delving deep into
 * rectifiers" (2015).
 *
 * Sums run in a fixed order, and nothing of the C library but sqrt is asked.
 */
#ifndef DCS_MODELS_SLOWDOWN_NET_H
#define DCS_MODELS_SLOWDOWN_NET_H

#include "des/rng.h"

#include <stddef.h>

#define DCS_SLOWDOWN_INPUTS 12
#define DCS_SLOWDOWN_LAYER  (DCS_SLOWDOWN_INPUTS * (DCS_SLOWDOWN_INPUTS + 1))
/* Of each layer the units in order: their inputs' weights, then their constant. */
#define DCS_SLOWDOWN_WEIGHTS (2 * DCS_SLOWDOWN_LAYER + 2 * (DCS_SLOWDOWN_INPUTS + 1))

/* Inputs are scaled: about 0, of about 1. */
struct dcs_slowdown_sample {
    double x[DCS_SLOWDOWN_INPUTS];
    double scal, inter; /* measured, above 0 */
};

/* The outputs for inputs x, as they are. */
void dcs_slowdown_net_ask(const double *w, const double *x, double *scal, double *inter);

/* Equation 8 over n >= 1 samples; gradient (NULL: not wanted) receives its DCS_SLOWDOWN_WEIGHTS
 * derivatives. */
double dcs_slowdown_net_loss(const double *w, const struct dcs_slowdown_sample *samples, size_t n,
                             double *gradient);

/* Weights from random ones, after `rounds` rounds through all samples. */
void dcs_slowdown_net_fit(const struct dcs_slowdown_sample *samples, size_t n, unsigned rounds,
                          struct dcs_rng *rng, double *w);

#endif
