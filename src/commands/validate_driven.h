/*
 * validate_driven.h - dcsim validate --driven: simulates what results databases have measured on a
 * real GPU, and says for each experiment how far the simulation is off, and whether it puts the
 * policies into the same order.
 */
#ifndef DCS_VALIDATE_DRIVEN_H
#define DCS_VALIDATE_DRIVEN_H

#include "config/plugin.h"

struct validate_driven {
    char **databases; /* an experiment that several have counts as of the last */
    size_t databases_count;
    const char *folder;      /* where the configs lay */
    const char *profile;     /* in place of theirs; NULL: none */
    const char *const *sets; /* "path=value", of every config */
    size_t sets_count;
    const char *csv;        /* new file; NULL: none */
    const char *keep;       /* profile that gets what scheduling took; NULL: none */
    struct plugins plugins; /* the policies that were plug-ins */
    uint32_t jobs;
};

/* Prints it. -1 and err: a database cannot be read or has no such run, or one cannot be simulated.
 */
int validate_driven(struct validate_driven *v, struct dcs_err *err);

#endif
