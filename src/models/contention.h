/*
 * contention.h - by how much kernels slow each other that run together on one device.
 *
 * MODEL. Each resource r (DRAM, L2, ...) has a latency L_r(U), a function of its utilisation that
 * is flat at first and then steep (a table in the profile). A kernel i that runs alone uses the
 * share p_ir of the resource, and w_ir of its time waits for it at the latency that it then meets;
 * slowed by S_i it uses p_ir / S_i. With U_r = min(1, sum over i of p_ir / S_i):
 *
 *     S_i = 1 + sum over r of w_ir * (L_r(U_r) - L_r(p_ir)) , at least 1
 *
 * so that a kernel alone has S = 1 exactly. S_i depends on the others through the U_r alone and
 * does not fall when one rises; the load of a resource, the sum above, does not rise with its U_r.
 * So a resource has one utilisation, whatever its curve, and of two kernels on one resource S_i
 * does not fall when p_j grows. (With the own part L_r(p_ir / S_i) a steep curve would allow
 * several, and break the latter. With several resources it may fall: j, slowed by one, presses less
 * on another.)
 *
 * SOLUTION. A utilisation is bracketed and found by Newton's steps; several resources take turns
 * until no slow-down moves. Start, order (kernels by shape, then SMs) and stopping rules are fixed,
 * so that the same set always gives the same bits, in whichever order it is given.
 *
 * MEMORY. Sets come again and again. The cache keeps each solved set, and returns the bits that
 * solving it again would. It is bounded: full, it forgets everything.
 */
#ifndef DCS_MODELS_CONTENTION_H
#define DCS_MODELS_CONTENTION_H

#include "models/spatial.h"

#define DCS_TOGETHER_MAX 64 /* kernels that run together on a device */

/* One kernel of a set. */
struct dcs_presser {
    uint32_t shape;
    uint32_t millisms; /* SMs that it has, in thousandths; >= 1, at most the device's */
};

/* hits + misses: sets that were asked for, but for those that need no solving (fewer than two
 * kernels, no resources). iterations: loads of one resource that were computed. */
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
