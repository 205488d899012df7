/*
 * crew.h - the worker processes of a measurement, and kernels of several processes at the same
 * time, for live_run.h, measure_oversubscription.c and measure_revocation.c.
 *
 * Clients of MPS live as long as the measurement, since starting one costs as much as most of what
 * it measures; an idle client takes no share of the device. The tool's own process enqueues nothing
 * on the device meanwhile, except to raise its clock before a window.
 *
 * After a failure everything is taken down, so that what went wrong in one step cannot spoil the
 * next; after the last step too.
 */
#ifndef DCS_CALIBRATE_CREW_H
#define DCS_CALIBRATE_CREW_H

#include "calibrate/gpu/measured_gpu.h"
#include "calibrate/measure/measurement.h"
#include "calibrate/worker/worker.h"

#define CAL_CREW_SIDES   4
#define CAL_CREW_OPEN_S  60.0 /* a process has to have a context in that time */
#define CAL_CREW_ORDER_S 90.0 /* and to have made an application ready in that */

/* fits struct cal_measure: whether there is MPS */
int cal_crew_ready(struct cal_session *s, struct dcs_err *err);

/* The client number `number` with that percentage (0: a process without MPS), made when it is first
 * asked for, with an open device; *sms: that it can use. NULL and err. */
struct cal_worker *cal_crew_client(struct cal_session *s, int number, int percent, int *sms,
                                   struct dcs_err *err);
/* A process of its own for the caller, who closes it; percent 0: without MPS. first_sms > 0: its
 * two streams are of two green contexts, the first of so many SMs, the second of the rest. Its
 * values are those of "open". */
struct cal_worker *cal_crew_hire(struct cal_session *s, const char *name, int percent,
                                 int first_sms, struct dcs_err *err);
/* Closes all clients and stops the MPS server. */
void cal_crew_release(void);
/* After a step: takes everything down if it failed or was the last that is to be done. Returns
 * failed. */
int cal_crew_end_step(struct cal_session *s, const struct cal_step *step, int failed);

struct cal_crew_side {
    struct cal_worker *worker;  /* has a target */
    int64_t alone_ns;           /* of one launch, roughly */
    int64_t pause_ns;           /* > 0: one at a time, with a pause after each */
    bool single;                /* one at a time */
    struct cal_samples samples; /* out; released by the caller */
};

/*
 * Runs all sides from a common moment for window_s or, if that is longer, for some launches of the
 * longest, up to 16 times as long while a side has fewer than three, and keeps the launches that
 * lie wholly inside the time in which all sides ran, but the first of each. Samples are between
 * events, or from call to end as the host sees it if `single`. *overlap_ns: in which all ran. -1
 * and err; fewer than three launches of a side in it are one.
 */
int cal_crew_run(struct cal_session *s, struct cal_crew_side *sides, int count, double window_s,
                 int64_t *overlap_ns, struct dcs_err *err);

#endif
