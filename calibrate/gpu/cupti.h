/*
 * cupti.h - a record of every CUDA launch, as NVIDIA's tracing library CUPTI takes them.
 *
 * The library is loaded when it is asked for, and says when each launch began and ended on the
 * device, by the device's clock; a call of a library is seen launch by launch. Tracing makes the
 * gaps between launches a little longer. There is one tracer in a process; it is not closed, since
 * CUPTI's own threads outlive it.
 */
#ifndef DCS_CALIBRATE_CUPTI_H
#define DCS_CALIBRATE_CUPTI_H

#include "calibrate/gpu/launches.h"

/* Loads CUPTI, once. -1 and err: it is not here, or refuses. */
int cal_tracer_open(struct dcs_err *err);
/* From now on launches are recorded; what was recorded before is dropped. */
int cal_tracer_start(struct dcs_err *err);
/* What was recorded since the start or the last call, by begin. The device must be idle. `borders`:
 * launches of CAL_BORDER_KERNEL among it, without which it is not complete. The records are the
 * tracer's and valid until the next call. */
int cal_tracer_take(size_t borders, const struct cal_launch_record **records, size_t *count,
                    struct dcs_err *err);
void cal_tracer_stop(void);

#endif
