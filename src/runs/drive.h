/*
 * drive.h - a run on a GPU that really runs: a program at the device (dcsim-calibrate) launches the
 * kernels, and the engine here schedules them by the config's policy (engine/driven.h).
 *
 * The program is a child that lives as long as the struct, and dies with this process. One run is
 * driven at a time.
 */
#ifndef DCS_RUNS_DRIVE_H
#define DCS_RUNS_DRIVE_H

#include "experiment/experiment.h"

/* What became of a launch; moments are of the run's clock. */
struct drive_launch_row {
    req_id id;
    uint32_t job;
    uint64_t index;       /* of the request within its job */
    uint32_t kernel, sms; /* sms 0: whole */
    uint32_t got_sms;     /* fewer than sms where the device had no such partition ready */
    int64_t event_ns;     /* what the policy was told of when it launched this */
    int64_t sent_ns;      /* it was handed over, ... */
    int64_t taken_ns;     /* ... seen at the device, ... */
    int64_t launched_ns;  /* ... handed to the driver; revoked: to its process, or DCS_NEVER */
    int64_t end_ns;       /* the kernel was seen to have ended; DCS_NEVER: it was cut off */
    int64_t revoked_ns;   /* its process was to be killed, ... (DCS_NEVER: it was not) */
    int64_t gone_ns;      /* ... and was gone; DCS_NEVER: nothing was killed */
    int64_t heard_ns;     /* and the engine knew; DCS_NEVER: it does not */
};

/* Of a run; released by drive_rows_release(). */
struct drive_rows {
    struct drive_launch_row *launches;
    struct driven_callback *callbacks;
    size_t launches_count, callbacks_count;
    struct experiment_gpu gpu; /* of a run that was read back, all that there is */
    char driver[96], tool[64], ends_by[32];
};
void drive_rows_release(struct drive_rows *r);

struct drive;

/* program: the name or path of dcsim-calibrate; nothing is started yet. */
struct drive *drive_new(const char *program);
void drive_free(struct drive *d); /* NULL is allowed; the program has ended then */

/* Makes the device ready for the experiment's applications, if it is not, and puts it into the
 * spec of a run: without the scheduler's charges, since what the scheduler does takes real time.
 * -1 and err: there is no such device, it is not x->gpu, or the experiment cannot be driven. */
int drive_begin(struct drive *d, const struct experiment *x, struct cluster_spec *spec,
                struct dcs_err *err);
/* After the run: waits for what is still under way. */
int drive_end(struct drive *d, struct drive_rows *rows, struct dcs_err *err);

#endif
