/*
 * contention.h - by how much kernels slow each other that run together on one device.
 *
 * MODEL. Each resource r (DRAM, L2) has a queue of length l_r >= 0. A queue of length l means the
 * utilisation u = l / (1 + l), as in the queue M/M/1. A kernel i that runs alone makes the
 * utilisation p_ir, its pressure, and meets the queue o_ir = p_ir / (1 - p_ir). Slowed by S_i, it
 * makes p_ir / S_i. Its time grows with the queues, in pieces that begin at hinges t_rk:
 *
 *     S_i = 1 + sum over r, k of w_irk * (h_rk(l_r) - h_rk(o_ir)) , at least 1
 *     h_rk(l) = max(0, l - t_rk)
 *     sum over i of p_ir / S_i = l_r / (1 + l_r)    for each r
 *
 * so that a kernel alone has S = 1 exactly. No utilisation reaches 1: a kernel with few accesses in
 * flight finds a long queue, but does not make one as long as a deep copy does.
 *
 * WHERE THE NUMBERS COME FROM. The hinges and the form of u are choices (docs/model.md). Pressures
 * and weights of a kernel on a number of SMs are fitted to measured co-runs. Kinds `sensitivity`
 * and `request` say how much a kernel is slowed beside producers of known traffic, and give
 * mostly its weights. Kind `meter` says how much it slows a producer, and gives mostly its
 * pressures. Hardware counters pull weakly at the pressures. Co-runs of kernels with each other
 * (`pair`, `triple`) are never fitted: the model is judged by them.
 *
 * SOLUTION. The load of a resource is the sum above. With one resource it does not rise with the
 * queue, so that there is one solution: it is bracketed and found by Newton's steps. Of two kernels
 * on it, S_i does not fall when p_j grows.
 *
 * With two resources, Newton's steps go in both utilisations at once, from a fixed start. In 1 of
 * 200 random sets of kernels of an H200 on more SMs than it has, they find nothing in 20 steps; in
 * none on the SMs that it has. Then the range of the second resource's utilisation is halved a
 * fixed number of times, and the utilisation of the first is found at each. S_i may fall when p_j
 * grows: kernel j, slowed on one resource, presses less on the other. Nor is there always one
 * solution: in one of 20 000 random sets on more SMs than there are, halving finds another than
 * Newton's steps. These rules choose.
 *
 * The rules and the order of the sums (kernels by shape, then by SMs) are fixed, so that a set
 * gives the same bits in whichever order it is given. Utilisations are exact to 1e-13, and to 1e-12
 * after halving.
 *
 * MEMORY. Sets come again and again. A cache keeps each solved set, and returns the bits that
 * solving it again would give. A full cache forgets everything.
 */
#ifndef DCS_MODELS_CONTENTION_H
#define DCS_MODELS_CONTENTION_H

#include "models/gpu/spatial.h"

#define DCS_TOGETHER_MAX 64 /* kernels that run together on a device */

/* One kernel of a set. */
struct dcs_presser {
    uint32_t shape;
    uint32_t millisms; /* SMs that it has, in thousandths; >= 1, at most the device's */
};

/* hits: sets that the cache had. misses: sets that were solved. Sets that need no solving (fewer
 * than two kernels, no resources) are in neither. iterations: loads of a resource that were
 * computed. */
struct dcs_contention_stats {
    uint64_t hits, misses, iterations;
};

struct dcs_contention; /* a solver with its memory; one for each run (not shared by threads) */

/* s is borrowed. */
struct dcs_contention *dcs_contention_create(const struct dcs_spatial *s);
void dcs_contention_destroy(struct dcs_contention *c); /* NULL is allowed */

/* Slow-downs (>= 1) of a set in any order; slowdown[i] belongs to set[i]. n <= DCS_TOGETHER_MAX.
 * Without resources all are exactly 1. *beyond, 0 to n: the sum over the set of 1 - m / S of each
 * kernel whose slow-down S is above m, the most that was measured of it (dcs_shape_measured_to()).
 * beyond may be NULL. */
void dcs_contention_slowdowns(struct dcs_contention *c, const struct dcs_presser *set, uint32_t n,
                              double *slowdown, double *beyond);
/* The same without memory (for tests and for fitting). iterations may be NULL. */
void dcs_contention_solve(const struct dcs_spatial *s, const struct dcs_presser *set, uint32_t n,
                          double *slowdown, uint32_t *iterations);

struct dcs_contention_stats dcs_contention_stats(const struct dcs_contention *c);

#endif
