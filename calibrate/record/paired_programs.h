/*
 * paired_programs.h - programs that run beside each other, for measuring: each is started once,
 * with the recorder inside and a percentage of MPS, and stopped (SIGSTOP) when it is warm. In a
 * window some of them go on while the others stay stopped. Knows no GPU.
 *
 * A program runs until it is ended: it serves requests one after the other. It has a process group
 * of its own, which dies with this program. Windows are in the recorder's clock.
 */
#ifndef DCS_CALIBRATE_PAIRED_PROGRAMS_H
#define DCS_CALIBRATE_PAIRED_PROGRAMS_H

#include "calibrate/record/recorded_pace.h"
#include "calibrate/record/recording.h"
#include "calibrate/worker/mps.h"

#include <signal.h>

struct cal_paired_client {
    const char *name;    /* of the application */
    const char *command; /* of a shell */
    const char *how;     /* what a request is, as cal_requests_find() takes it */
    int percent;
    char folder[400]; /* of its recording, and of what it says */
    pid_t pid;        /* 0: it does not run */
    pid_t guard;      /* kills its group when this process dies */
    bool warm;
    bool paced;                 /* its requests are to arrive: it has the next one */
    struct recorder_pace *pace; /* from its start to its end */
};

struct cal_paired_window {
    int64_t begin_ns, end_ns; /* end 0: it was not run to its end */
};

/* Starts it; it is not warm yet. -1 and err. */
int cal_paired_start(struct cal_paired_client *c, struct cal_mps *mps, const char *library,
                     struct dcs_err *err);
/* Until each has done `requests` and is stopped, at most so long. -1 and err: one has ended, is
 * late, or *interrupted is set. */
int cal_paired_await(struct cal_paired_client *clients, size_t count, int requests, double limit_s,
                     const volatile sig_atomic_t *interrupted, struct dcs_err *err);
/* Lets some run for so long. -1, err and a window without an end: one has ended, or *interrupted is
 * set. */
int cal_paired_run(struct cal_paired_client *const *clients, size_t count, double seconds,
                   const volatile sig_atomic_t *interrupted, struct cal_paired_window *window,
                   struct dcs_err *err);
/* What stopped programs have launched runs to its end meanwhile: to be called between two windows.
 */
void cal_paired_drain(void);
/* Asks them to end by SIGINT, waits while they write what they have recorded, and kills those that
 * do not end, which it says. Once interrupted it does not wait for what they write. */
void cal_paired_end(struct cal_paired_client *clients, size_t count,
                    const volatile sig_atomic_t *interrupted);

#endif
