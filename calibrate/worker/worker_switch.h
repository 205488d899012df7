/*
 * worker_switch.h - the operations of child processes for measure_switch.c: pairs of kernels in one
 * child, or the first kernel of each pair in one child and the second in another.
 *
 * Two children tell each other by a board (switch_board.h) that the parent has made: the one that
 * ran the first kernel writes its number when its host has seen the end, the other one polls for
 * that number or sleeps until it is woken (futex), launches the second kernel, and writes when it
 * has seen its end. The second kernel looks for what the first wrote in memory of the first process
 * (CUDA IPC); where that cannot be had the kernels look for nothing.
 */
#ifndef DCS_CALIBRATE_WORKER_SWITCH_H
#define DCS_CALIBRATE_WORKER_SWITCH_H

#include "calibrate/gpu/measured_gpu.h"
#include "calibrate/worker/worker.h"

/* args: enum cal_switch_way. values: the timer's step, ns. Records: device_ns is the time between
 * the kernels of each pair. */
int cal_worker_switch_alone(struct cal_gpu *g, struct cal_worker_shared *w, struct dcs_err *err);

/* text: the board; args: whether to wake the other, SMs of the other. values: the timer's step.
 * Records: end_ns of the first kernel of each pair. */
int cal_worker_switch_from(struct cal_gpu *g, struct cal_worker_shared *w, struct dcs_err *err);

/* text, args likewise: whether to sleep until it is woken. values: the timer's step, whether the
 * memory was shared. Records: begin_ns of the second kernel. answer: why it was not. */
int cal_worker_switch_to(struct cal_gpu *g, struct cal_worker_shared *w, struct dcs_err *err);

#endif
