/*
 * grow.h - arrays that double, for policies. There is no way on without memory: the program ends.
 */
#ifndef DCSIM_POLICIES_LIB_GROW_H
#define DCSIM_POLICIES_LIB_GROW_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* `items`, moved if need be, with room for one more than `count` records of `size` bytes;
 * *capacity: for how many it has room, `first` at least. */
static inline void *grow(void *items, size_t *capacity, size_t count, size_t size, size_t first)
{
    if (count < *capacity)
        return items;
    size_t wider = *capacity == 0 ? first : 2 * *capacity;
    void *grown = wider > SIZE_MAX / size ? NULL : realloc(items, wider * size);
    if (grown == NULL)
        abort();
    *capacity = wider;
    return grown;
}

#endif
