/* names.c - see names.h. */
#include "des/names.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

struct named {
    const char *name;
    size_t number;
};

static int compare_entries(const void *left, const void *right)
{
    const struct named *a = left, *b = right;
    return strcmp(a->name, b->name);
}

void dcs_names_add(struct dcs_names *names, const char *name, size_t number)
{
    struct named *entry = dcs_alloc(1, sizeof *entry);
    *entry = (struct named){name, number};
    struct named **found = tsearch(entry, &names->root, compare_entries);
    DCS_ASSERT(found != NULL); /* no memory is left, for a few bytes */
    if (*found != entry)
        free(entry);
}

size_t dcs_names_find(const struct dcs_names *names, const char *name)
{
    const struct named wanted = {.name = name};
    struct named *const *found = tfind(&wanted, &names->root, compare_entries);
    return found != NULL ? (*found)->number : SIZE_MAX;
}

void dcs_names_release(struct dcs_names *names)
{
    tdestroy(names->root, free);
    names->root = NULL;
}
