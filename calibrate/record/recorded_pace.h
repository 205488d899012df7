/*
 * recorded_pace.h - the arrivals of a recorded program's requests, on the tool's side; see
 * recorder_pace.h. Knows no GPU.
 */
#ifndef DCS_CALIBRATE_RECORDED_PACE_H
#define DCS_CALIBRATE_RECORDED_PACE_H

#include "des/base.h"

#include <stddef.h>

struct recorder_pace;

/* In the folder of a recording, before the program begins; requests are not paced yet. NULL and
 * err. */
struct recorder_pace *cal_pace_create(const char *folder, struct dcs_err *err);
/* While the program is stopped: requests from now on begin not before they arrive, from_ns + each
 * moment. */
void cal_pace_begin(struct recorder_pace *p, int64_t from_ns, const int64_t *moments, size_t count);
/* While it is stopped: they begin when the program begins them. How many had begun. */
size_t cal_pace_end(struct recorder_pace *p);
/* NULL is allowed. */
void cal_pace_release(struct recorder_pace *p);

#endif
