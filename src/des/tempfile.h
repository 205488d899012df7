/*
 * tempfile.h - files without a name, for what does not fit in memory. Nothing is left of one when
 * it is closed, or when the program ends, however it ends.
 *
 * They lie in the folder TMPDIR, else in /var/tmp, else in /tmp, which may itself lie in memory.
 * `purpose` is for errors: "for sorting".
 */
#ifndef DCS_DES_TEMPFILE_H
#define DCS_DES_TEMPFILE_H

#include "des/base.h"

/* A descriptor, to be closed; -1 and err. */
int tempfile_open(const char *purpose, struct dcs_err *err);
/* Appends. -1 and err: the disk is full, say. */
int tempfile_append(int fd, const void *bytes, size_t size, const char *purpose,
                    struct dcs_err *err);
/* What was written at byte `at`. */
int tempfile_read(int fd, uint64_t at, void *into, size_t size, const char *purpose,
                  struct dcs_err *err);

#endif
