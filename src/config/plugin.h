/*
 * plugin.h - a policy from a shared object. Loading runs its code: only files named on the command
 * line are loaded. A plug-in is one file: it is loaded from a copy in memory, so that no library
 * beside the file is found.
 */
#ifndef DCS_PLUGIN_H
#define DCS_PLUGIN_H

#include "des/base.h"
#include "policies/policy.h"

#include <stdatomic.h>

struct plugin {
    const char *path; /* as the user wrote it; borrowed */
    void *handle;
    int copy; /* descriptor of what was loaded; only with a handle */
    const struct policy *policy;
    char sha256[65];     /* of what was loaded */
    atomic_bool used;    /* by an experiment: config_parse() says so */
    atomic_bool instead; /* in place of the policy that the config's file names */
};

struct options_doc; /* options.h */

/* The plug-ins of one command line. All 0: there are none. */
struct plugins {
    struct plugin *items;
    size_t count, capacity;
};

/* Loads, finds symbol "dcsim_policy", checks version, callbacks and option table. */
int plugin_open(struct plugin *p, const char *path, struct dcs_err *err);
void plugin_close(struct plugin *p);

/* Opens one more. A policy with the name of another plug-in's, or of one that is built in, is
 * refused. */
int plugins_add(struct plugins *p, const char *path, struct dcs_err *err);
void plugins_close(struct plugins *p);
/* By the policy's name. NULL: none (p may be NULL, too). */
struct plugin *plugins_find(const struct plugins *p, const char *name);
/* Says on standard error which plug-ins no experiment uses, and which takes the place of the policy
 * that the file of doc names. */
void plugins_tell(const struct plugins *p, const struct options_doc *doc);

#endif
