/*
 * event_ladder.h - keys of events that are not soon: kept in no order, given out in order.
 *
 * Part of the event list (eventlist.c), which keeps what comes before begin by itself. A key is one
 * 128-bit number: time (63 bits) above class (3) above a number that grows with each event (61). No
 * two are equal, and dcs_ladder_add() of one time and class are in the order of their numbers.
 */
#ifndef DCS_DES_EVENT_LADDER_H
#define DCS_DES_EVENT_LADDER_H

#include "des/base.h"

typedef unsigned __int128 dcs_event_key;
#define DCS_KEY_LATEST      (~(dcs_event_key)0) /* none: behind all keys */
#define DCS_KEY_TIME_SHIFT  64
#define DCS_KEY_CLASS_SHIFT 61
#define DCS_KEY_CLASSES     8

static inline int64_t dcs_key_time(dcs_event_key key)
{
    return (int64_t)(uint64_t)(key >> DCS_KEY_TIME_SHIFT);
}

/* A list of chunks of keys; only the last one may have places left. */
struct dcs_key_bucket {
    uint32_t first, last;
    uint32_t count; /* keys */
};

struct dcs_ladder {
    dcs_event_key begin; /* no key that is kept is before it; KEY_LATEST: none is kept */
    struct dcs_rung *rungs;
    size_t rungs_count, rungs_capacity; /* those behind the count keep their empty buckets */
    struct dcs_key_bucket far;
    dcs_event_key *chunks;
    uint32_t *next_chunk; /* by chunk */
    uint32_t free_chunk;
    size_t chunks_count;
};

void dcs_ladder_init(struct dcs_ladder *l);
void dcs_ladder_release(struct dcs_ladder *l);
/* A key that is not before begin. */
void dcs_ladder_add(struct dcs_ladder *l, dcs_event_key key);
/* Keys in order, the last ones before begin, which moves to the first of them. */
void dcs_ladder_put_back(struct dcs_ladder *l, const dcs_event_key *keys, size_t n);
/* Takes the first keys, at most DCS_LADDER_LOAD_MOST, in order, and moves begin behind them.
 * Returns how many: 0 if none is kept. */
#define DCS_LADDER_LOAD_MOST 64
size_t dcs_ladder_load(struct dcs_ladder *l, dcs_event_key *keys);
/* Drops the keys that are not to be kept. */
void dcs_ladder_filter(struct dcs_ladder *l, bool (*keep)(const void *context, dcs_event_key key),
                       const void *context);

#endif
