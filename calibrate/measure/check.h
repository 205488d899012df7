/*
 * check.h - whether applications compute what their references do.
 */
#ifndef DCS_CALIBRATE_CHECK_H
#define DCS_CALIBRATE_CHECK_H

#include "calibrate/gpu/measured_gpu.h"

struct cal_app;

/* Runs a request of size_check, compares; launches every repeatable kernel alone; runs the request
 * again, which must restore what it overwrites, and compares again. -1 and err if anything fails.
 */
int cal_check_app(struct cal_gpu *g, const struct cal_app *app, uint64_t seed, struct dcs_err *err);

#endif
