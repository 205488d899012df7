/*
 * mps.h - an MPS server of our own, for as long as it is needed.
 *
 * nvidia-cuda-mps-control is started with pipes and logs in a temporary folder, so that a server of
 * the machine's is neither used nor disturbed. Processes that are started with cal_mps_settings are
 * its clients. A guard, a process of its own, stops the server and removes the folder when it is
 * asked to or when this program has ended, however it ended.
 *
 * After a client's kernel has faulted, a server is in doubt: stop it and start another.
 */
#ifndef DCS_CALIBRATE_MPS_H
#define DCS_CALIBRATE_MPS_H

#include "calibrate/worker/worker.h"

struct cal_mps;

/* Whether the program is there. -1 and err. */
int cal_mps_find(struct dcs_err *err);
/* NULL and err, with what the program said. */
struct cal_mps *cal_mps_start(struct dcs_err *err);
/* Whether its daemon still runs: a client without one runs without MPS, and does not say so. */
bool cal_mps_alive(const struct cal_mps *m);

/* For a client that may use `percent` of the threads of each SM's share of the device; filled with
 * pointers into the object. */
#define CAL_MPS_SETTINGS 5
void cal_mps_settings(struct cal_mps *m, int percent,
                      struct cal_worker_setting settings[CAL_MPS_SETTINGS]);

/* Its clients must be gone. NULL is allowed. */
void cal_mps_stop(struct cal_mps *m);

#endif
