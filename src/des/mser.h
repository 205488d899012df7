/*
 * mser.h - where the warm-up of a simulation ends: the rule MSER-5.
 *
 * The series is cut into batches of five, and the first d batch means are left out so that
 *
 *     MSER(d) = sum over i >= d of (z_i - mean of the rest)^2 / (m - d)^2
 *
 * is least, for d from 0 to half of the m batches. It is the squared width of the interval around
 * the mean of what is left, but for a factor, as if the batches were independent. Of several least
 * values the one with the first d counts. A least value at the very end of the range says that the
 * series is too short to tell.
 *
 * Source: K. P. White, M. J. Cobb, S. C. Spratt, "A comparison of five steady-state truncation
 * heuristics for simulation", WSC 2000.
 */
#ifndef DCS_DES_MSER_H
#define DCS_DES_MSER_H

#include "des/base.h"

/* How many of the n values to leave out: a multiple of 5, at most half. 0 for fewer than 10. */
size_t dcs_mser5(const double *series, size_t n);

#endif
