/*
 * newfile.h - files that a command writes whole: all of them appear or none, none half written, and
 * none in place of a file that is there, unless that is asked for.
 */
#ifndef DCS_DES_NEWFILE_H
#define DCS_DES_NEWFILE_H

#include "des/base.h"

/* A file that is written as PATH.partial-PID, and is named PATH when all files are there. */
struct newfile {
    const char *path; /* borrowed */
    char *partial;    /* NULL: nothing was written, or it has its name */
};

/* -1 and err if something of that name exists: for commands that would work long in vain. */
int newfile_may_write(const char *path, struct dcs_err *err);

/* 0 if nothing of that name exists, or a file that begins so: one of our own kind. Else -1 and err,
 * which names the kind: "exists and is no report of dcsim". */
int newfile_may_replace(const char *path, const char *begins, const char *kind,
                        struct dcs_err *err);

/* Writes a file under its partial name; nothing is left if that fails. A path that exists is
 * refused. */
int newfile_write(struct newfile *file, const char *path, const void *bytes, size_t size,
                  struct dcs_err *err);

/* Names all files, or none. */
int newfile_name(struct newfile *files, size_t count, struct dcs_err *err);

/* Removes the files that have no name yet. */
void newfile_discard(struct newfile *files, size_t count);

/* Writes and names one file. create refuses a path that exists, replace does not. */
int newfile_create(const char *path, const void *bytes, size_t size, struct dcs_err *err);
int newfile_replace(const char *path, const void *bytes, size_t size, struct dcs_err *err);

#endif
