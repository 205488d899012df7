/* split_inputs.h - what the programs of split_program.h are written with, on the CPU. */
#ifndef DCS_CALIBRATE_SPLIT_INPUTS_H
#define DCS_CALIBRATE_SPLIT_INPUTS_H

#include "calibrate/cpu/cpu_app.h"
#include "calibrate/split/split_program.h"

/* [-1, 1), the same everywhere. */
static inline float cal_split_random(uint64_t seed, uint64_t i)
{
    return (float)((double)(cal_cpu_random(seed, i) >> 40) * 0x1p-23 - 1);
}

/* How a loop over lanes is compiled for the CPU that it runs on, where the compiler can. */
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__ && defined __OPTIMIZE__ &&        \
    !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#define CAL_SPLIT_FAST __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define CAL_SPLIT_FAST
#endif

#endif
