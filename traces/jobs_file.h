/*
 * jobs_file.h - the file of a database of jobs as bytes: what it is, its hash, and that nobody has
 * written to it since.
 */
#ifndef DCS_TRACE_JOBS_FILE_H
#define DCS_TRACE_JOBS_FILE_H

#include "des/base.h"

#include <sys/stat.h>

/* Reads all of it; file and sha256 (hexadecimal) are what it is now. -1 and err: it cannot be read,
 * or is no database that was written to its end. */
int trace_jobs_hash(const char *path, struct stat *file, char sha256[65], struct dcs_err *err);
/* The hash is of what was read only if nobody wrote meanwhile: -1 and err if somebody did. */
int trace_jobs_check_unchanged(const char *path, const struct stat *file, struct dcs_err *err);

#endif
