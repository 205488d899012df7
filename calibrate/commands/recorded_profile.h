/*
 * recorded_profile.h - what the commands record, pair and contend share: the profile that recorded
 * programs are written to, and how programs are run.
 */
#ifndef DCS_CALIBRATE_RECORDED_PROFILE_H
#define DCS_CALIBRATE_RECORDED_PROFILE_H

#include "calibrate/record/recording.h"
#include "calibrate/store/profile_store.h"

/* Of the device on which programs were recorded; a new one, or that of the path. NULL and err. */
struct cal_store *cal_recorded_open(const char *path, const struct cal_recorded_device *d,
                                    bool same_model, struct dcs_err *err);

/* While a program is being recorded into the folder: -1 and err if the profile is of another device
 * or driver, which would else be found out when all is measured. Does nothing once *known, which it
 * sets as soon as the recording says on which device the program runs. */
int cal_recorded_check(const char *path, const char *folder, bool same_model, bool *known,
                       struct dcs_err *err);

/* What a request of an application is, as cal_requests_find() takes it. */
void cal_recorded_how(struct cal_store *s, const char *application, char *how, size_t size);

/* An application of a profile, by its name or by NAME@SIZE. */
struct cal_recorded_name {
    char name[300];
    int64_t size; /* the default one, unless another is given */
    char how[1024];
};

/* -1 and err: the profile at `path` has no such application, or not at that size. */
int cal_recorded_find(struct cal_store *s, const char *path, const char *given,
                      struct cal_recorded_name *found, struct dcs_err *err);

/* The shell's command that serves an application of this tool. -1 and err: it has none of that
 * name, and `run` is what --run would say. */
int cal_own_command(const char *application, const char *run, char *command, size_t size,
                    struct dcs_err *err);

/* The SMs of a process at a percentage of a device with so many, of which its recording says how
 * many it saw: a driver that does not tell a client of MPS its part shows it all. */
int64_t cal_sms_of_client(const struct cal_recorded_device *d, int percent, int64_t all_sms);

/* The fault that ended a measurement, and whether what was measured before is in the profile. */
void cal_fault_kept(struct dcs_err *err, const struct dcs_err *fault, bool kept);

/* With all that is in it. */
void cal_remove_folder(const char *path);

#endif
