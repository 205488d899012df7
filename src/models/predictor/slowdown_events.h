/*
 * slowdown_events.h - the event statistics that Themis predicts slow-downs from (W. Zhao and
 * others, "Themis", table I), as a profile of a real GPU has them.
 *
 * WHAT STANDS IN. The paper has counters of each SM, read while kernels run together, on a
 * simulated GPU. The counters of a real GPU are of the whole device, and are read while one kernel
 * runs alone (table kernel_counters). So what one run of a kernel counts is taken from there, and
 * taken to be the same on fewer SMs and beside others; a statistic is that count over the time that
 * the kernel takes on its SMs. Instructions and accesses of a kernel are the same whatever runs
 * beside it. Misses in the L2 cache may not be; no counter here says by how much they grow.
 *
 *   table I                      here, of all SMs of the kernel
 *   IPC                          instructions per ns
 *   L1dAcc, L1dMiss              bytes per ns that pass the L1 cache: those between SMs and L2 over
 *                                the L1 cache's misses; those between SMs and L2
 *   L1cAcc, L1cMiss              not counted: an H200 has no counter of its constant cache. In
 *                                their place the cycles in which an SM computes (the busier one of
 *                                its FMA and tensor units), in SMs; and the warps that an SM holds,
 *                                as a share of what it can hold
 *   L2Acc*, L2Miss*, MemBW*      bytes per ns between SMs and L2; of these what the L2 cache
 *                                misses; read and written in DRAM
 *
 * The starred ones are a kernel's pressure. A producer of pressure counts for itself what it moved
 * through L2 and DRAM beside a kernel (corun.l2_gbs, corun.dram_gbs); what it moves in DRAM is what
 * it misses in L2.
 */
#ifndef DCS_MODELS_SLOWDOWN_EVENTS_H
#define DCS_MODELS_SLOWDOWN_EVENTS_H

#include "models/gpu/spatial.h"

enum dcs_event_kind {
    DCS_EVENT_IPC,
    DCS_EVENT_L1_ACCESS,
    DCS_EVENT_L1_MISS,
    DCS_EVENT_BUSY, /* for accesses to the constant cache, */
    DCS_EVENT_HELD, /* and its misses */
    DCS_EVENT_L2_ACCESS,
    DCS_EVENT_L2_MISS,
    DCS_EVENT_BANDWIDTH,
    DCS_EVENTS,
};
#define DCS_PRESSURES 3 /* the last ones */

struct dcs_events {
    double v[DCS_EVENTS];
};

struct dcs_event_counts; /* of the kernels of a profile */

/* s is what a simulation reads of the same file, and outlives the result. Kernels have counts at
 * their application's default size alone, and where all counters were read; lax: those that were
 * not are 0. NULL and err on failure. */
struct dcs_event_counts *dcs_event_counts_load(const char *path, const struct dcs_profile *p,
                                               const struct dcs_spatial *s, bool lax,
                                               struct dcs_err *err);
void dcs_event_counts_free(struct dcs_event_counts *c); /* NULL is allowed */

/* The shape of a kernel of an application at its default size; UINT32_MAX: there is none. */
uint32_t dcs_event_shape(const struct dcs_spatial *s, const char *app, const char *kernel);

/* Of a kernel that takes ns > 0. False where its counters were not read. */
bool dcs_events_of(const struct dcs_event_counts *c, uint32_t shape, double ns,
                   struct dcs_events *out);

/* A kernel that was measured beside a producer of pressure. */
struct dcs_producer_run {
    uint32_t shape, sms;
    double whole_ns;           /* alone on the whole device */
    double solo_ns, beside_ns; /* alone on its SMs, and beside the producer */
    double pressure[DCS_PRESSURES];
};

/* Those of kind `sensitivity` whose kernel has counts, and was of its application's default size,
 * by id. NULL and err on failure; *n may be 0. Freed by the caller. */
struct dcs_producer_run *dcs_producer_runs_load(const char *path, const struct dcs_profile *p,
                                                const struct dcs_spatial *s,
                                                const struct dcs_event_counts *c, size_t *n,
                                                struct dcs_err *err);

#endif
