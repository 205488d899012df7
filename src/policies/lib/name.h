/* name.h - names of applications within a parameter's text, "NAME=NUMBER,NAME=NUMBER,...". */
#ifndef DCSIM_POLICIES_LIB_NAME_H
#define DCSIM_POLICIES_LIB_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Part of a text that outlives it; not terminated. */
struct name_part {
    const char *at;
    size_t length;
};

static inline bool name_is(struct name_part part, const char *name)
{
    return strlen(name) == part.length && strncmp(name, part.at, part.length) == 0;
}

#endif
