/*
 * table.h - what a policy remembers of each request, for policies: records in the order of the
 * requests' ids, which is the order in which clients issued them.
 *
 * The record is the policy's own struct; its first member is the req_id. A pointer to a record is
 * good until the next add or remove. To add at the end or to remove at either end takes the same
 * time however many there are, so that a table is a queue as well. Memory grows with the largest
 * number ever and stays; table_release() frees it.
 */
#ifndef DCSIM_POLICIES_LIB_TABLE_H
#define DCSIM_POLICIES_LIB_TABLE_H

#include "policies/lib/grow.h"
#include "policies/policy.h"

#include <stdlib.h>
#include <string.h>

struct table {
    char *items;
    size_t first, count, capacity; /* records first .. first + count - 1 are in use */
    size_t size;                   /* of a record */
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
    return t->items + (t->first + i) * t->size;
}

static inline req_id table_id(const struct table *t, size_t i)
{
    req_id r;
    memcpy(&r, table_at(t, i), sizeof r);
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
    if (t->first + t->count == t->capacity && t->first > t->count) {
        memmove(t->items, table_at(t, 0), t->count * t->size); /* half of it is free */
        t->first = 0;
    }
    t->items = grow(t->items, &t->capacity, t->first + t->count, t->size, 4);
    size_t i = table_lower(t, r);
    char *at = table_at(t, i);
    if (i < t->count)
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
    char *begin = table_at(t, 0);
    size_t before = (size_t)(at - begin) / t->size, behind = t->count - 1 - before;
    if (before < behind) {
        memmove(begin + t->size, begin, before * t->size);
        t->first++;
    } else {
        memmove(at, at + t->size, behind * t->size);
    }
    t->count--;
}

/* Moves a record from one table to another of the same kind; where it is now. */
static inline void *table_move(struct table *from, struct table *to, req_id r)
{
    char *moved = table_add(to, r);
    memcpy(moved, table_find(from, r), to->size);
    table_remove(from, r);
    return moved;
}

#endif
