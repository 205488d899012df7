/*
 * table.h - what a policy remembers of each request, for policies: records in the order of the
 * requests' ids, which is the order in which clients issued them.
 *
 * The record is the policy's own struct; its first member is the req_id. A pointer to a record is
 * good until the next add or remove. Memory grows to the largest number ever and stays;
 * table_release() frees it.
 */
#ifndef DCSIM_POLICIES_LIB_TABLE_H
#define DCSIM_POLICIES_LIB_TABLE_H

#include "policies/policy.h"

#include <stdlib.h>
#include <string.h>

struct table {
    char *items;
    size_t count, capacity;
    size_t size; /* of a record */
};

static inline void table_init(struct table *t, size_t size)
{
    *t = (struct table){.size = size};
}

static inline void table_release(struct table *t)
{
    free(t->items);
    *t = (struct table){.size = t->size};
}

static inline void *table_at(const struct table *t, size_t i)
{
    return t->items + i * t->size;
}

static inline req_id table_id(const struct table *t, size_t i)
{
    req_id r;
    memcpy(&r, t->items + i * t->size, sizeof r);
    return r;
}

/* The index of the first record whose id is r or higher; count if there is none. */
static inline size_t table_lower(const struct table *t, req_id r)
{
    size_t low = 0, high = t->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table_id(t, middle) < r)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* NULL if there is none. */
static inline void *table_find(const struct table *t, req_id r)
{
    size_t i = table_lower(t, r);
    return i < t->count && table_id(t, i) == r ? table_at(t, i) : NULL;
}

/* A new record, all zero but for its id; there must be none of that id. */
static inline void *table_add(struct table *t, req_id r)
{
    if (t->count == t->capacity) {
        size_t capacity = t->capacity == 0 ? 16 : 2 * t->capacity;
        char *items = realloc(t->items, capacity * t->size);
        if (items == NULL)
            abort();
        t->items = items;
        t->capacity = capacity;
    }
    size_t i = table_lower(t, r);
    char *at = t->items + i * t->size;
    memmove(at + t->size, at, (t->count - i) * t->size);
    memset(at, 0, t->size);
    memcpy(at, &r, sizeof r);
    t->count++;
    return at;
}

/* Nothing happens if there is none. */
static inline void table_remove(struct table *t, req_id r)
{
    char *at = table_find(t, r);
    if (at == NULL)
        return;
    size_t behind = t->count - 1 - (size_t)(at - t->items) / t->size;
    memmove(at, at + t->size, behind * t->size);
    t->count--;
}

#endif
