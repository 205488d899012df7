/*
 * app.cuh - what an application's file includes: app.h, and launches with checked argument types.
 */
#ifndef DCS_CALIBRATE_APP_CUH
#define DCS_CALIBRATE_APP_CUH

#include "calibrate/app/app.h"

#include <cuda_runtime.h>

extern "C" struct cal_launch *cal_new_launch(struct cal_plan *p, const void *function, dim3 grid,
                                             dim3 block, size_t shared_bytes);
extern "C" void cal_push_argument(struct cal_launch *l, const void *value, size_t bytes,
                                  size_t alignment);

template <typename T> struct cal_same {
    using type = T;
};

/* Adds a launch to the kernel that was begun last. The arguments are converted to the parameters'
 * types and copied. Dynamic shared memory above 48 KB is allowed for the function here. */
template <typename... P>
void cal_add_launch(struct cal_plan *p, void (*function)(P...), dim3 grid, dim3 block,
                    size_t shared_bytes, typename cal_same<P>::type... args)
{
#ifdef CAL_EMULATED
    emu_known(function); /* tests/cuda_cpu: how to hand it its arguments */
#endif
    struct cal_launch *l = cal_new_launch(p, (const void *)function, grid, block, shared_bytes);
    (cal_push_argument(l, &args, sizeof args, alignof(P)), ...);
}

static inline unsigned cal_blocks(int64_t items, int64_t per_block)
{
    return (unsigned)((items + per_block - 1) / per_block);
}

#endif
