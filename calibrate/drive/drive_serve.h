/*
 * drive_serve.h - the device's side of runs/drive_link.h: takes orders, has a device launch them,
 * looks all the time whether they have ended, and says so.
 */
#ifndef DCS_CALIBRATE_DRIVE_SERVE_H
#define DCS_CALIBRATE_DRIVE_SERVE_H

#include "des/base.h"
#include "runs/drive_link.h"

#define CAL_DRIVE_LANES 64 /* launches that are under way */

/* What runs kernels: a GPU (drive_gpu.c), or a clock (drive_play.c). */
struct cal_drive_device {
    void *context;
    /* Begins a launch; the lane is free. *sms is what is ordered, and made less if the kernel gets
     * fewer. -1 and err. */
    int (*launch)(void *context, const struct drive_order *o, unsigned lane, uint32_t *sms,
                  struct dcs_err *err);
    /* 1: what the lane launched has ended; 0: not yet; -1 and err. A device that knows better than
     * who asks says when it launched it, and when that ended. */
    int (*ended)(void *context, unsigned lane, struct drive_end *end, struct dcs_err *err);
    /* Stops the lane's launch, by its process, by a trap or by a flag; it has ended, stopped, when
     * that or its kernel has gone. NULL: none can be stopped. */
    int (*kill)(void *context, unsigned lane, struct dcs_err *err);
    /* A request that goes on elsewhere comes no more. NULL: that does not happen. */
    void (*forget)(void *context, uint64_t id);
    /* Whether an application's kernels compute on this device what its reference does. NULL: that
     * is asked elsewhere. -1 and err. */
    int (*check)(void *context, const char *app, struct dcs_err *err);
    /* Whether kernels of an application look at an exit flag, and which do; NULL: nobody asks. */
    bool (*exits)(const char *app);
    const char *exit_apps;
    /* All requests that are under way are forgotten; nothing runs. */
    void (*reset)(void *context);
};

/* The memory that this process was given by its parent. NULL and err: it was given none. */
struct drive_link *cal_drive_link(struct dcs_err *err);
/* Checks the applications that the other side asks to be checked, or to look at exit flags; nothing
 * runs yet. -1 and err. */
int cal_drive_check(const struct drive_link *l, const struct cal_drive_device *d,
                    struct dcs_err *err);
/* Serves until the other side says quit. -1 and err. */
int cal_drive_serve(struct drive_link *l, const struct cal_drive_device *d, struct dcs_err *err);
/* Tells the other side why there is no device, or no longer one. */
void cal_drive_fail(struct drive_link *l, const struct dcs_err *err);

/* A device that plays kernels by a clock: each takes what its order says. The application that
 * DCSIM_DRIVE_PLAY_WRONG names fails its check, that of DCSIM_DRIVE_PLAY_NO_EXIT has no exit
 * flags. (drive_play.c) */
struct cal_drive_device cal_drive_play(void);

/* `drive`: serves on a GPU, or, with DCSIM_DRIVE_PLAY in the environment, by a clock.
 * (drive_command.c) */
int cal_drive_main(void);
/* The part that needs CUDA (drive_gpu.c); in a build without: an error. */
int cal_drive_gpu(struct drive_link *l, struct dcs_err *err);
/* For applications that have processes of their own; server: of MPS, which is started, by which
 * they share the GPU. -1 and err. (drive_clients.c) */
int cal_drive_clients(struct drive_link *l, bool server, struct dcs_err *err);

#endif
