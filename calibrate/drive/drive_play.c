/* drive_play.c - a device that plays kernels by a clock, to try the other side without a GPU: each
 * takes what its order says that it takes alone, whatever runs beside it. */
#include "calibrate/drive/drive_serve.h"

#include <time.h>

static int64_t end_ns[CAL_DRIVE_LANES];

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * DCS_NS_PER_S + now.tv_nsec;
}

static int launch(void *context, const struct drive_order *o, unsigned lane, uint32_t *sms,
                  struct dcs_err *err)
{
    (void)context, (void)sms, (void)err;
    end_ns[lane] = now_ns() + o->alone_ns;
    return 0;
}

static int ended(void *context, unsigned lane, struct dcs_err *err)
{
    (void)context, (void)err;
    return now_ns() >= end_ns[lane];
}

static void reset(void *context)
{
    (void)context;
}

struct cal_drive_device cal_drive_play(void)
{
    return (struct cal_drive_device){.launch = launch, .ended = ended, .reset = reset};
}
