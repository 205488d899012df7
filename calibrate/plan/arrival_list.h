/*
 * arrival_list.h - a list of arrivals, drawn once: exponential gaps (a Poisson process), a pure
 * function of the seed, so that two allocations of a device meet the same requests; and the random
 * numbers of such lists.
 */
#ifndef DCS_CALIBRATE_ARRIVAL_LIST_H
#define DCS_CALIBRATE_ARRIVAL_LIST_H

#include <stddef.h>
#include <stdint.h>

/* Moments in ns, ascending, from 0 up to below duration_ns; mean_ns >= 1 is the mean gap. Returns
 * how many, at most max. */
size_t cal_arrivals(uint64_t seed, double mean_ns, int64_t duration_ns, int64_t *moments,
                    size_t max);

/* The i-th 64 bits of the stream that a seed names. */
uint64_t cal_list_random(uint64_t seed, uint64_t i);

#endif
