/* drive_play.c - a device that plays kernels by a clock, to try the other side without a GPU: each
 * takes what its order says that it takes alone, whatever runs beside it. */
#include "calibrate/drive/drive_serve.h"

#include "calibrate/worker/worker.h"

#include <stdlib.h>
#include <string.h>

#define STOP_NS DCS_NS_PER_MS /* what stopping a kernel takes */

static int64_t end_ns[CAL_DRIVE_LANES];
static bool stops[CAL_DRIVE_LANES];

static int launch(void *context, const struct drive_order *o, unsigned lane, uint32_t *sms,
                  struct dcs_err *err)
{
    (void)context, (void)sms, (void)err;
    end_ns[lane] = cal_now_ns() + o->alone_ns;
    stops[lane] = false;
    return 0;
}

static int ended(void *context, unsigned lane, struct drive_end *end, struct dcs_err *err)
{
    (void)context, (void)err;
    end->stopped = end->killed = stops[lane];
    return cal_now_ns() >= end_ns[lane];
}

static int stop(void *context, unsigned lane, struct dcs_err *err)
{
    (void)context, (void)err;
    end_ns[lane] = cal_now_ns() + STOP_NS;
    stops[lane] = true;
    return 0;
}

static bool play_exits(const char *app)
{
    const char *none = getenv("DCSIM_DRIVE_PLAY_NO_EXIT");
    return none == NULL || strcmp(none, app) != 0;
}

static int play_check(void *context, const char *app, struct dcs_err *err)
{
    (void)context;
    const char *wrong = getenv("DCSIM_DRIVE_PLAY_WRONG");
    return wrong != NULL && strcmp(wrong, app) == 0 ? dcs_err_set(err, "played to be wrong") : 0;
}

static void reset(void *context)
{
    (void)context;
}

struct cal_drive_device cal_drive_play(void)
{
    return (struct cal_drive_device){.launch = launch,
                                     .ended = ended,
                                     .kill = stop,
                                     .check = play_check,
                                     .exits = play_exits,
                                     .exit_apps = "others",
                                     .reset = reset};
}
