/*
 * recorded_store.h - a recorded program as an application of a profile: the rows of
 * docs/profile.md, "recorded". Knows no GPU.
 */
#ifndef DCS_CALIBRATE_RECORDED_STORE_H
#define DCS_CALIBRATE_RECORDED_STORE_H

#include "calibrate/record/recorded_clock.h"
#include "calibrate/record/recorded_sequence.h"
#include "calibrate/store/profile_store.h"

#define CAL_RECORDED_SIZE 1         /* of requests that were recorded at one size, */
#define CAL_RECORDED_UNIT "request" /* and what it counts */

struct cal_recorded_app {
    const char *name, *command, *request, *unit; /* unit: what sizes count */
    bool service;
    int64_t sla_ns; /* 0: none */
    int64_t memory_bytes;
};

/* What was recorded at one allotment. */
struct cal_recorded_run {
    int percent; /* 100: the whole device, without MPS */
    struct cal_recording recording;
    struct cal_requests requests;
    struct cal_sequence sequence;
    int64_t plain_wall_ns, wall_ns; /* 0: not known */
    struct cal_clock clock;         /* without being recorded; count 0: not known */
    double gaps_scale;              /* by which gaps were made to fit that clock */
    size_t matched;                 /* places of the whole device's sequence */
};

/* The SMs that the program could use. Where the driver does not tell a client of MPS its part, it
 * is what the percentage says of those of the whole device. */
int cal_recorded_sms(const struct cal_recorded_run *whole, const struct cal_recorded_run *run);

/* The most device memory that the processes with kernels have at one time, each as at its end;
 * 0: that of one of them is not known. At most the device's. */
int64_t cal_recorded_memory(const struct cal_recording *r);

/* Forgets an application, with all that other measurements have of it. */
int cal_recorded_forget(struct cal_store *s, const char *name, struct dcs_err *err);
bool cal_recorded_is_there(struct cal_store *s, const char *name);

/* What was recorded of requests of one size. runs[0] is that on the whole device, and the others
 * differ in their SMs. */
struct cal_recorded_size {
    int64_t size; /* above 0 */
    const char *command;
    struct cal_recorded_run *runs;
    size_t count; /* of runs, at least 1 */
};

/* Writes it: sizes[0] is the default size, and no two are equal; sets matched of the runs. Inside a
 * transaction of the caller's. -1 and err. */
int cal_recorded_put(struct cal_store *s, const struct cal_recorded_app *app,
                     const struct cal_recorded_size *sizes, size_t count, struct dcs_err *err);

#endif
