/*
 * nvml.h - clocks, throttling and processes of the GPU, as NVIDIA's management library tells them.
 *
 * The library is loaded when it is asked for; where it is missing the tool measures all the same
 * and says that throttling goes unseen. A thread reads the SM clock and the reasons for a lower one
 * every few ms, so that each sample knows its clock without a slow call beside the kernel.
 */
#ifndef DCS_CALIBRATE_NVML_H
#define DCS_CALIBRATE_NVML_H

#include "des/base.h"

struct cal_nvml;

/* uuid: "GPU-...". NULL and err if there is no NVML, or no such device for it. */
struct cal_nvml *cal_nvml_open(const char *uuid, struct dcs_err *err);
void cal_nvml_close(struct cal_nvml *n); /* NULL is allowed */

/* The text is up to 80 bytes; "unknown" if it cannot be told. */
void cal_nvml_driver(struct cal_nvml *n, char *text, size_t size);
int cal_nvml_max_sm_clock_mhz(struct cal_nvml *n); /* 0: not known */

/* Processes with a context on the device; the first one's id. To be asked before this process has
 * a context: process ids of other name spaces could not be told from its own. */
int cal_nvml_processes(struct cal_nvml *n, unsigned *first_pid);
/* Sets err to what they are and what to do; an option is named where the command has one. -1. */
int cal_nvml_refuse_others(int others, unsigned first_pid, bool must_be_alone, struct dcs_err *err);

/* Starts the thread. */
int cal_nvml_watch(struct cal_nvml *n, struct dcs_err *err);

/* What the thread has counted so far; the difference of two is what happened between. */
struct cal_clock_mark {
    uint64_t readings, clock_sum_mhz, slowed;
};
struct cal_clock_mark cal_nvml_mark(struct cal_nvml *n);
/* The last reading. slowed: heat, a power brake or the hardware held the clock down. */
void cal_nvml_last(struct cal_nvml *n, int *clock_mhz, bool *slowed);

#endif
