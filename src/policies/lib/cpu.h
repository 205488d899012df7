/*
 * cpu.h - what policies of CPUs share.
 */
#ifndef DCSIM_POLICIES_LIB_CPU_H
#define DCSIM_POLICIES_LIB_CPU_H

#include "policies/policy.h"

/* The group that batch requests, or everybody, run in. */
#define CPU_GROUP 1

/* The device where the fewest requests run, the first of equal ones; HOST_NO_DEVICE if none takes
 * one more. */
static inline dev_id cpu_quietest(const struct host *h)
{
    struct host_device device;
    uint32_t fewest = UINT32_MAX;
    dev_id best = HOST_NO_DEVICE;
    for (dev_id d = 0; host_device(h, d, &device); d++)
        if (device.kernels < device.kernels_max && device.kernels < fewest) {
            fewest = device.kernels;
            best = d;
        }
    return best;
}

/* No allotment of its own: all cores and all ways, like everybody. */
static inline struct host_allotment cpu_free_for_all(const struct host *h, dev_id d)
{
    struct host_device device = {0};
    host_device(h, d, &device);
    return (struct host_allotment){
        .mechanism = HOST_CPU, .cores = device.cores, .ways = device.ways, .group = CPU_GROUP};
}

#endif
