/*
 * paths.h - where files that a config names are looked for.
 */
#ifndef DCS_PATHS_H
#define DCS_PATHS_H

#include "des/base.h"

/* file itself if it is absolute, else folder/file. Freed by the caller. */
char *paths_join(const char *folder, const char *file);

/* The file of a profile: as named (relative to the config's folder), or NAME.db / NAME.sql /
 * NAME.sql.gz in $DCSIM_PROFILES, calibrate/profiles/ beside the program's sources, or the
 * installed data. Freed by the caller; NULL and err (text only) if there is none. */
char *paths_profile(const char *name, const char *folder, struct dcs_err *err);

/* The names of the profiles in these folders, sorted, each with a line break. Freed by the caller.
 */
char *paths_list_profiles(void);

/* Where the predictors of a profile lie unless somebody says otherwise: beside its file (what
 * paths_profile() gave for name and folder), or in the current folder if it was found by its name.
 * The suffix of the file, .db, .sql or .sql.gz, becomes .predictors.db. Freed by the caller. */
char *paths_predictors(const char *file, const char *name, const char *folder);

#endif
