/*
 * presser.h - `dcsim-calibrate press`, or a program that takes the same orders, as a process at a
 * percentage of MPS, for measuring what runs beside it. Knows no GPU.
 */
#ifndef DCS_CALIBRATE_PRESSER_H
#define DCS_CALIBRATE_PRESSER_H

#include "calibrate/worker/mps.h"

#include <sys/types.h>

struct cal_presser {
    const char *command; /* of a shell */
    int percent;
    pid_t pid;           /* 0: it does not run */
    int orders, answers; /* pipes */
};

/* What a producer did from its start to its end. */
struct cal_pressed {
    int64_t sms;
    double iterations, ns;
    double dram_bytes, l2_bytes; /* that an iteration moves */
};

/* Starts it. -1 and err. */
int cal_presser_start(struct cal_presser *p, struct cal_mps *mps, struct dcs_err *err);
/* Returns when the producer of that name runs. -1 and err: also where it says that it cannot. */
int cal_presser_press(struct cal_presser *p, const char *family, int level, struct dcs_err *err);
/* Ends that producer. -1 and err. */
int cal_presser_release(struct cal_presser *p, struct cal_pressed *made, struct dcs_err *err);
/* Ends the process, if it runs. */
void cal_presser_end(struct cal_presser *p);

#endif
