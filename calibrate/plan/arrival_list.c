/*
 * arrival_list.c - see arrival_list.h.
 */
#include "calibrate/plan/arrival_list.h"

#include "des/base.h"

#include <math.h>

/* splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA
 * 2014). */
uint64_t cal_list_random(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

size_t cal_arrivals(uint64_t seed, double mean_ns, int64_t duration_ns, int64_t *moments,
                    size_t max)
{
    DCS_ASSERT(mean_ns >= 1);
    double now = 0;
    size_t count = 0;
    while (count < max) {
        double uniform = ((double)(cal_list_random(seed, count) >> 11) + 0.5) * 0x1p-53;
        now -= log(uniform) * mean_ns;
        if (now >= (double)duration_ns)
            break;
        moments[count++] = (int64_t)now;
    }
    return count;
}
