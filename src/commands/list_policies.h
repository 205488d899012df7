/*
 * list_policies.h - dcsim --list policies: what each policy is, where it comes from, and its
 * options with their defaults.
 */
#ifndef DCS_LIST_POLICIES_H
#define DCS_LIST_POLICIES_H

#include "config/plugin.h"

#include <stdio.h>

void list_policies(FILE *out, const struct plugins *plugins);

#endif
