/*
 * profile_show.h - what a profile holds, and how two differ, as text for a person. For
 * profile_command.c only.
 */
#ifndef DCS_PROFILE_SHOW_H
#define DCS_PROFILE_SHOW_H

#include "models/profile/profile_facts.h"

/* Prints all of it, or one application (app NULL: all). `path` is the file. -1 and err if there is
 * no such application, or if reading takes too much work. */
int profile_show(FILE *out, struct dcs_facts *f, const char *path, const char *app,
                 struct dcs_err *err);

/* Prints how two profiles differ; durations differ if their ratio is further than `tolerance` (0.03
 * is 3 %) from 1, either way. Sets *differ. -1 and err likewise. */
int profile_show_diff(FILE *out, struct dcs_facts *f, double tolerance, bool *differ,
                      struct dcs_err *err);

#endif
