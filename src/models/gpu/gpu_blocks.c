/* gpu_blocks.c - see gpu.h, LAST BLOCKS: launches that wait until each of their blocks has a place.
 */
#include "models/gpu/gpu_state.h"

/* A launch that lacks at most so much of a block's place has all places: in the mean of an end SMs
 * are given in fractions. Not measured: docs/model.md. */
#define HALF_PLACE 0.5
#define ROUNDING   1e-9 /* in SMs */

void gpu_await_blocks(struct gpu_kernel *k)
{
    k->late = k->turn.last_wave == 1 ? 1 : 0;
    k->late_ns = 0;
    k->is_late = false;
    k->lacks = 0; /* its rate is found anew */
}

int64_t gpu_late_until(const struct gpu_kernel *k)
{
    return k->late_ns > 0 ? gpu_after(k, k->late * k->late_ns) : DCS_NEVER;
}

double gpu_late_at(const struct gpu_kernel *k, int64_t now_ns)
{
    if (!(k->late_ns > 0))
        return k->late;
    return now_ns < gpu_late_until(k) ? k->late - (double)(now_ns - k->since_ns) / k->late_ns : 0;
}

bool gpu_lacks_places(struct gpu_kernel *k, int64_t now_ns)
{
    if (!(k->sms > 0) || !(gpu_late_at(k, now_ns) > 0))
        return false;
    if (k->turn.wants - k->sms > HALF_PLACE / (double)k->turn.grid.blocks_per_sm + ROUNDING)
        return true;
    k->late = 0; /* late_ns is of the time until now */
    return false;
}

double gpu_find_late_ns(const struct gpu_kernel *k, double of_all)
{
    double rounds = of_all > 0.5 ? of_all : 1 - of_all; /* all but the last one */
    return k->full_ns * (1 - k->lacks) * gpu_launch_share(k) * rounds;
}
