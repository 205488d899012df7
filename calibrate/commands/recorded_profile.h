/*
 * recorded_profile.h - the profile that recorded programs are written to; for the commands record
 * and pair.
 */
#ifndef DCS_CALIBRATE_RECORDED_PROFILE_H
#define DCS_CALIBRATE_RECORDED_PROFILE_H

#include "calibrate/record/recording.h"
#include "calibrate/store/profile_store.h"

/* Of the device on which programs were recorded; a new one, or that of the path. NULL and err. */
struct cal_store *cal_recorded_open(const char *path, const struct cal_recorded_device *d,
                                    bool same_model, struct dcs_err *err);

#endif
