/*
 * names.h - the numbers of names: a table that finds a number by its name in O(log n) comparisons,
 * whatever the names are. It is a tree, since an input could choose names that collide in a hash
 * table. Nothing depends on addresses or on the order of additions.
 */
#ifndef DCS_DES_NAMES_H
#define DCS_DES_NAMES_H

#include "des/base.h"

struct dcs_names {
    void *root; /* a balanced tree */
};

/* A name that is there already keeps its number. Names are borrowed, and must stay. */
void dcs_names_add(struct dcs_names *names, const char *name, size_t number);

/* SIZE_MAX: there is no such name. */
size_t dcs_names_find(const struct dcs_names *names, const char *name);

void dcs_names_release(struct dcs_names *names);

#endif
