/* kernel_counters.h - what a policy is told of hardware counters, and of slow-downs that are
 * predicted from them; part of the contract (policy.h). */
#ifndef DCSIM_POLICIES_KERNEL_COUNTERS_H
#define DCSIM_POLICIES_KERNEL_COUNTERS_H

#include <stdint.h>

/* What hardware counters say of a request that runs. */
struct host_counters {
    uint64_t instructions; /* of all its threads, since its launch */
    uint64_t cycles;       /* of the device's clock, since then */
    /* On a GPU whose SMs kernels share: instructions are those of 1 ns alone, cycles are ns. */
};

/* What hardware counters say of a kernel that has ended, over the time that it took (Themis, table
 * I). On a GPU they cannot be read while kernels run. */
enum { HOST_EVENTS = 8, HOST_PRESSURES = 3 };
struct host_events {
    /* Of all its SMs: instructions per ns; bytes per ns that pass and that miss the L1 caches; SMs
     * that compute; the share of the warps that could be held; bytes per ns that pass and that miss
     * the L2 cache, and to and from memory. The last HOST_PRESSURES press on what runs beside it.
     */
    double rate[HOST_EVENTS];
};

/* Who says how much a kernel was slowed. */
enum host_slowdown_by {
    HOST_BY_NETWORK,  /* Themis: by fewer SMs and by what ran beside it */
    HOST_BY_CLUSTERS, /* GPM: by fewer SMs alone */
};
struct host_slowdown {
    double scalability, interference; /* >= 1; their product is against the whole device, alone */
};

#endif
