/*
 * policies.h - the table of policies that are built in. Adding one: write its file, add its row in
 * policies.c.
 */
#ifndef DCSIM_POLICIES_POLICIES_H
#define DCSIM_POLICIES_POLICIES_H

#include "policies/policy.h"

/* NULL at the end. */
extern const struct policy *const policies_all[];

/* NULL if there is none of that name. */
const struct policy *policies_find(const char *name);

/* Whether this program can call a policy; if not, why: "was built for ...", "lacks ...". */
#define POLICIES_WHY_BYTES 192
bool policies_callable(const struct policy *p, char why[POLICIES_WHY_BYTES]);

/* Whether a policy may move SMs between kernels that run, on a GPU that lets it: of one that is
 * built in its row says so; of a plug-in nobody knows, and it may. */
bool policies_may_move_sms(const struct policy *p);

#endif
