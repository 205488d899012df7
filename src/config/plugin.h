/*
 * plugin.h - a policy from a shared object. Loading runs its code: only files named on the command
 * line are loaded. A plug-in is one file: it is loaded from a copy in memory, beside which lies no
 * library of its own.
 */
#ifndef DCS_PLUGIN_H
#define DCS_PLUGIN_H

#include "des/base.h"
#include "policies/policy.h"

struct plugin {
    void *handle;
    int copy; /* descriptor of what was loaded; only with a handle */
    const struct policy *policy;
    char sha256[65]; /* of what was loaded */
};

/* Loads, finds symbol "dcsim_policy", checks version, callbacks and option table. */
int plugin_open(struct plugin *p, const char *path, struct dcs_err *err);
void plugin_close(struct plugin *p);

#endif
