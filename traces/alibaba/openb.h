/*
 * openb.h - reads the pod lists of Alibaba's cluster-trace-gpu-v2023 ("openb"): CSV with a header,
 * plain or gzip.
 *
 * Columns (found by name in the header, so their order does not matter): name, num_gpu, gpu_milli,
 * qos, pod_phase, creation_time, deletion_time, scheduled_time; others are ignored. Seconds.
 *
 * A pod arrives at its creation_time and ran from scheduled_time to deletion_time. LS pods are of
 * class latency, all others (BE, Burstable, Guaranteed) of class batch.
 * Left out, counted: no GPU requested; never scheduled (scheduled_time empty); created before
 * `from_s`; no positive duration; malformed rows (too few fields, not a number, gpu_milli
 * outside 1..1000). Kept, counted: pods that the end of the trace cut off (their true duration is
 * longer), failed pods (they held their GPUs), rows out of time order (sorted, stable).
 */
#ifndef DCS_TRACES_OPENB_H
#define DCS_TRACES_OPENB_H

#include "models/trace.h"

#define DCS_OPENB_END_S 12902960 /* the last deletion_time of the published lists */

/* from_s >= 0: pods created earlier are left out. Fills *out, which the caller releases; on failure
 * (-1) *out is empty and err says file, line and column. A file that has the header but no usable
 * pod is an error. */
int dcs_openb_read(const char *path, int64_t from_s, struct dcs_trace *out, struct dcs_err *err);

#endif
