/*
 * recorded_program.h - runs a program, with the recorder inside or without it. Knows no GPU.
 *
 * The program has a process group of its own, so that a signal reaches it once, with its children:
 * SIGINT and SIGTERM of this program are handed on to that group, and the program is waited for.
 * Where this program ends before it, the group is killed. A terminal's input is not the program's,
 * which would be stopped when it reads there.
 */
#ifndef DCS_CALIBRATE_RECORDED_PROGRAM_H
#define DCS_CALIBRATE_RECORDED_PROGRAM_H

#include "calibrate/worker/worker.h"

#include <signal.h>

/* The recorder, as this program has it inside; size 0: it was built without CUPTI's header. */
extern const unsigned char cal_recorder_image[];
extern const size_t cal_recorder_image_bytes;

struct cal_program_run {
    char *const *arguments;                    /* argv of the program, NULL-ended */
    const struct cal_worker_setting *settings; /* of its environment, beside the recorder's; NULL */
    const char *folder;                        /* where recordings go; NULL: without the recorder */
    const char *library;                       /* the recorder's file */
    const char *range;                         /* the NVTX range that is a request; NULL: none */
    bool clock;                                /* the recorder tells ranges alone, without CUPTI */
    bool calls;                                /* record calls of CUDA as well */
    const volatile sig_atomic_t *interrupted;  /* the signal to hand on, once it is not 0 */
};

struct cal_program_end {
    int64_t wall_ns; /* from its start to its end */
    int exit_code;   /* -1: a signal ended it */
    int signal;
    int left_behind; /* a process that it started and that went on for 3 s more; 0: none */
};

/* Runs it and waits; its output is this program's. -1 and err: it could not be started. */
int cal_program_run(const struct cal_program_run *r, struct cal_program_end *end,
                    struct dcs_err *err);

/* Writes the recorder into a folder. -1 and err: also if this program has none inside. */
int cal_program_put_recorder(const char *path, struct dcs_err *err);

#endif
