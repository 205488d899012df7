/*
 * newfile.h - how the files that a command writes whole appear: all of them or none, none half
 * written, and never in place of one that is there, unless that is asked for.
 */
#ifndef DCS_DES_NEWFILE_H
#define DCS_DES_NEWFILE_H

#include "des/base.h"

/* A file that lies beside its name, as PATH.partial-PID, and takes it when all files are there. */
struct newfile {
    const char *path; /* borrowed */
    char *partial;    /* NULL: there is none, or it has its name */
};

/* -1 and err if something of that name exists: for commands that would work long in vain. */
int newfile_may_write(const char *path, struct dcs_err *err);

/* Writes it whole; nothing is left if that fails. A path that exists is refused. */
int newfile_write(struct newfile *file, const char *path, const void *bytes, size_t size,
                  struct dcs_err *err);

/* Names all of them, or none. */
int newfile_name(struct newfile *files, size_t count, struct dcs_err *err);

/* Removes those without a name. */
void newfile_discard(struct newfile *files, size_t count);

/* One file, at once: in place of none, or of one that may be there. */
int newfile_create(const char *path, const void *bytes, size_t size, struct dcs_err *err);
int newfile_replace(const char *path, const void *bytes, size_t size, struct dcs_err *err);

#endif
