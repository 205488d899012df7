/*
 * contention.h - by how much kernels slow each other that run together on one device.
 *
 * MODEL. Each resource r (DRAM, L2) has a queue of length l_r >= 0; with a queue of length l it is
 * used to u = l / (1 + l), as in the queue M/M/1. A kernel i that runs alone uses the share p_ir of
 * it, its pressure, and meets a queue of o_ir = p_ir / (1 - p_ir); slowed by S_i it uses p_ir /
 * S_i. Its time grows with the queues, in pieces that begin at hinges t_rk:
 *
 *     S_i = 1 + sum over r, k of w_irk * (h_rk(l_r) - h_rk(o_ir)) , at least 1
 *     h_rk(l) = max(0, l - t_rk)
 *     sum over i of p_ir / S_i = l_r / (1 + l_r)    for each r
 *
 * so that a kernel alone has S = 1 exactly. A resource is never used wholly: a kernel with few
 * accesses in flight finds the queue long, but does not make it as long as a deep copy does.
 *
 * WHERE THE NUMBERS COME FROM. The hinges and that u are choices (docs/model.md). Pressures and
 * weights of a kernel on so many SMs are fitted to measured co-runs of two kinds: `sensitivity`,
 * how much it is slowed beside producers of known traffic, gives mostly the weights; `meter`, how
 * much it slows a producer, mostly the pressures; hardware counters pull weakly at the pressures.
 * Co-runs of kernels with each other (`pair`, `triple`) are never fitted: they are what the model
 * is judged by.
 *
 * SOLUTION. With one resource there is one solution: the load of a resource, the sum above, does
 * not rise with its queue. It is bracketed and found by Newton's steps; of two kernels there S_i
 * does not fall when p_j grows. With two, Newton's steps go from a fixed start in both utilisations
 * at once. Where they find nothing in 20 (1 of 200 random sets of kernels of an H200 on more SMs
 * than it has, none of those on what it has) the first is settled so for each of a fixed number of
 * halvings of how far the second is used. With two, S_i may fall when p_j grows: j, slowed on one
 * resource, presses less on the other. Nor is there always one solution (of 20 000 random sets on
 * more SMs than there are, halvings find another for one); these rules choose. They and the order
 * (kernels by shape, then SMs) are fixed, so that the same set gives the same bits, in whichever
 * order it is given. Utilisations are exact to 1e-13, to 1e-12 after halvings.
 *
 * MEMORY. Sets come again and again. The cache keeps each solved set, and returns the bits that
 * solving it again would. It is bounded: full, it forgets everything.
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

/* hits + misses: sets that were asked for, but for those that need no solving (fewer than two
 * kernels, no resources). iterations: loads of a resource that were computed. */
struct dcs_contention_stats {
    uint64_t hits, misses, iterations;
};

struct dcs_contention; /* a solver with its memory; one for each run (not shared by threads) */

/* s is borrowed. */
struct dcs_contention *dcs_contention_create(const struct dcs_spatial *s);
void dcs_contention_destroy(struct dcs_contention *c); /* NULL is allowed */

/* Slow-downs (>= 1) of a set in any order; slowdown[i] belongs to set[i]. n <= DCS_TOGETHER_MAX.
 * Without resources all are exactly 1. */
void dcs_contention_slowdowns(struct dcs_contention *c, const struct dcs_presser *set, uint32_t n,
                              double *slowdown);
/* The same without memory (for tests and for fitting). iterations may be NULL. */
void dcs_contention_solve(const struct dcs_spatial *s, const struct dcs_presser *set, uint32_t n,
                          double *slowdown, uint32_t *iterations);

struct dcs_contention_stats dcs_contention_stats(const struct dcs_contention *c);

#endif
