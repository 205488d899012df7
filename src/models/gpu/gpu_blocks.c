/* gpu_blocks.c - see gpu.h, LAST BLOCKS: launches that wait until each of their blocks has a place.
 */
#include "models/gpu/gpu_state.h"

void gpu_await_blocks(struct gpu_kernel *k)
{
    k->late = k->turn.last_wave == 1 ? 1 : 0;
    k->late_ns = 0;
    k->lacks = 0; /* its rate is found anew */
}

/* Less than half a block's place is none: in the mean of an end SMs are given in fractions. */
static bool lacks_places(const struct gpu_kernel *k)
{
    return k->turn.wants - k->sms > 0.5 / (double)k->turn.grid.blocks_per_sm;
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

bool gpu_is_late(struct gpu_kernel *k, int64_t now_ns)
{
    if (!(k->sms > 0) || !(gpu_late_at(k, now_ns) > 0))
        return false;
    if (lacks_places(k))
        return true;
    k->late = 0; /* late_ns is of the time until now */
    return false;
}
