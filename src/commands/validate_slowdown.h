/*
 * validate_slowdown.h - dcsim validate --slowdown: how far predictors of slow-downs are off for
 * kernels that a profile has measured beside others on partitions (pairs, triples and quadruples of
 * one half).
 *
 * A kernel's slow-down is its time beside the others over its time alone on the whole device
 * (Themis, equation 4): by scalability, its time alone on its partition over that, times by
 * interference. The predictors, and what each has to know:
 *
 *   alone         the kernel's times alone, and that nothing slows anything
 *   contention    these, and the profile's model of contention: pressures and weights that were
 *                 fitted for this kernel
 *   themis-alone  the network (slowdown.h), from counters of each kernel alone on its SMs
 *   themis        the network, from counters over the times together
 *   gpm           GPM's curve, from the same; nothing slows by interference
 *   asm           ASM (L. Subramanian and others, MICRO 2015) compares a kernel's rate of accesses
 *                 to the L2 cache with the rate that it would have alone, which it finds by giving
 *                 it priority in memory for a while. No H200 can; so the rate alone on the same SMs
 *                 is taken to be found without any error, and that is the slow-down by interference
 *                 as measured. Fewer SMs are left out, as in ASM
 *   asm-gpm       the product of both
 *
 * Bubble-Flux stops the others for a while, and so measures what it says: no error can be printed
 * for it.
 */
#ifndef DCS_VALIDATE_SLOWDOWN_H
#define DCS_VALIDATE_SLOWDOWN_H

#include "des/base.h"
#include "models/gpu/corun_read.h"

struct validate_slowdown {
    const char *name;       /* of the profile, as given */
    const char *predictors; /* file; NULL: where dcsim train puts it */
    enum dcs_half half;
    const char *half_name;
    const char *csv; /* NULL: none */
};

/* Prints the tables. -1 and err on failure. */
int validate_slowdown(const struct validate_slowdown *v, struct dcs_err *err);

#endif
