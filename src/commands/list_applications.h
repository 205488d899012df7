/*
 * list_applications.h - dcsim --list applications: which names a workload may use.
 */
#ifndef DCS_LIST_APPLICATIONS_H
#define DCS_LIST_APPLICATIONS_H

#include "options/options.h"

/* Prints the applications of each profile that the document names for its devices (of a sweep, its
 * first point), then those that it describes itself. Its keys must be right, but nothing has to be
 * there to run: neither a workload nor a policy. -1 and err on failure. */
int list_applications(const struct options_doc *doc, struct dcs_err *err);

#endif
