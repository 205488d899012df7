/* validate_device.h - whether `dcsim validate` has anything to judge in a profile, by its devices.
 */
#ifndef DCS_COMMANDS_VALIDATE_DEVICE_H
#define DCS_COMMANDS_VALIDATE_DEVICE_H

struct dcs_err;

/* 0; -1 and err: the profile at `path`, which errors call `name`, is of CPUs alone, or cannot be
 * read. Models of GPUs have nothing to predict there. */
int validate_refuse_cpus(const char *path, const char *name, struct dcs_err *err);

#endif
