/*
 * event_ladder.c - buckets that are put in order when they come first. See event_ladder.h.
 *
 *    begin                                                  end of rung 0
 *     | rung 1, of a bucket of rung 0 | rung 0               | far
 *     |  3 1 2  |  5  |  9 7 8        |  6 1 7 4  |  5 2  |  |  9 3 8 1 6 2 ...
 *       bucket of   in no order         bucket                 no order
 *
 * A rung has buckets of equal width in time; its first unopened one begins where the next rung
 * ends. A key is appended to its bucket, and behind all rungs to far. When keys are wanted, the
 * first bucket with keys is opened. The keys of a small one are sorted; those of a large one are
 * spread over a new rung, as wide as they are, with a bucket for each KEYS_PER_BUCKET. Where no
 * rung is left, far is spread. So a key moves about once for each factor of BUCKETS_MOST that is
 * kept, however the times are distributed, and memory is gone through in sequence.
 *
 * Keys of one time are spread by class, with a last bucket for later times. Since each bucket keeps
 * the order in which keys were appended, those of a class are in order and are given out in pieces
 * however large they are.
 *
 * W. T. Tang, R. S. M. Goh, I. L.-J. Thng, "Ladder queue: an O(1) priority queue structure for
 * large-scale discrete event simulation", ACM TOMACS 15(3), 2005. The sizes below were chosen by
 * bench/hold with all its distributions.
 */
#include "des/event_ladder.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_KEYS      32
#define BUCKETS_LEAST   8
#define BUCKETS_MOST    1024
#define CLASS_BUCKETS   (DCS_KEY_CLASSES + 1) /* the last one is for later times */
#define KEYS_PER_BUCKET 16
#define LOAD_ENOUGH     24 /* no further bucket is opened for more */
#define NO_CHUNK        UINT32_MAX
#define LATEST          DCS_KEY_LATEST

typedef dcs_event_key event_key;

/* Bucket i has the keys from start + (i << shift) on, and the last one all before end. */
struct dcs_rung {
    event_key start, end;
    struct dcs_key_bucket *buckets;
    uint32_t shift; /* DCS_KEY_TIME_SHIFT and more, or DCS_KEY_CLASS_SHIFT */
    uint32_t buckets_count, capacity;
    uint32_t next; /* the first bucket that is not opened */
};

/* ---- Buckets ---- */

static void grow_chunks(struct dcs_ladder *l)
{
    size_t before = l->chunks_count;
    l->chunks_count = before > 0 ? 2 * before : 64;
    event_key *chunks = dcs_alloc_aligned(64, l->chunks_count * CHUNK_KEYS, sizeof *chunks);
    if (before > 0)
        memcpy(chunks, l->chunks, before * CHUNK_KEYS * sizeof *chunks);
    free(l->chunks);
    l->chunks = chunks;
    size_t capacity = before;
    l->next_chunk = dcs_grow(l->next_chunk, &capacity, l->chunks_count, sizeof *l->next_chunk);
    for (size_t chunk = l->chunks_count; chunk-- > before;) {
        l->next_chunk[chunk] = l->free_chunk;
        l->free_chunk = (uint32_t)chunk;
    }
}

static void add_chunk(struct dcs_ladder *l, struct dcs_key_bucket *b)
{
    if (l->free_chunk == NO_CHUNK)
        grow_chunks(l);
    uint32_t chunk = l->free_chunk;
    l->free_chunk = l->next_chunk[chunk];
    if (b->count == 0)
        b->first = chunk;
    else
        l->next_chunk[b->last] = chunk;
    b->last = chunk;
}

static inline void append_key(struct dcs_ladder *l, struct dcs_key_bucket *b, event_key key)
{
    uint32_t at = b->count % CHUNK_KEYS;
    if (at == 0)
        add_chunk(l, b);
    b->count++;
    l->chunks[(size_t)b->last * CHUNK_KEYS + at] = key;
}

/* Copies the keys of a bucket's first chunk, and frees it. */
static uint32_t take_chunk(struct dcs_ladder *l, struct dcs_key_bucket *b, event_key *keys)
{
    uint32_t n = b->count < CHUNK_KEYS ? b->count : CHUNK_KEYS, chunk = b->first;
    memcpy(keys, &l->chunks[(size_t)chunk * CHUNK_KEYS], n * sizeof *keys);
    b->first = l->next_chunk[chunk];
    b->count -= n;
    l->next_chunk[chunk] = l->free_chunk;
    l->free_chunk = chunk;
    if (b->count > 0)
        __builtin_prefetch(&l->chunks[(size_t)b->first * CHUNK_KEYS]);
    return n;
}

static struct dcs_key_bucket take_bucket(struct dcs_key_bucket *b)
{
    struct dcs_key_bucket taken = *b;
    b->count = 0;
    return taken;
}

static void find_times(const struct dcs_ladder *l, const struct dcs_key_bucket *b,
                       int64_t *first_ns, int64_t *last_ns)
{
    uint32_t chunk = b->first, left = b->count;
    int64_t first = DCS_NEVER, last = 0;
    while (left > 0) {
        const event_key *keys = &l->chunks[(size_t)chunk * CHUNK_KEYS];
        uint32_t n = left < CHUNK_KEYS ? left : CHUNK_KEYS;
        for (uint32_t i = 0; i < n; i++) {
            int64_t time_ns = dcs_key_time(keys[i]);
            first = time_ns < first ? time_ns : first;
            last = time_ns > last ? time_ns : last;
        }
        left -= n;
        chunk = l->next_chunk[chunk];
    }
    *first_ns = first;
    *last_ns = last;
}

/* ---- Rungs ---- */

/* Where the buckets begin that are not opened. */
static event_key find_unopened(const struct dcs_rung *r)
{
    return r->next < r->buckets_count ? r->start + ((event_key)r->next << r->shift) : r->end;
}

static inline struct dcs_key_bucket *find_bucket(const struct dcs_rung *r, event_key key)
{
    event_key i = (key - r->start) >> r->shift; /* of a class rung more than 64 bits */
    return &r->buckets[i < r->buckets_count ? i : r->buckets_count - 1];
}

/* None is left if those that are left are empty, so that find_unopened() is not behind the end. */
static void skip_empty_buckets(struct dcs_rung *r)
{
    while (r->next < r->buckets_count && r->buckets[r->next].count == 0)
        r->next++;
}

/* A rung before the others, its buckets empty, for count keys from the first to the last time. */
static struct dcs_rung *add_rung(struct dcs_ladder *l, int64_t first_ns, int64_t last_ns,
                                 size_t count)
{
    l->rungs = dcs_grow(l->rungs, &l->rungs_capacity, l->rungs_count + 1, sizeof *l->rungs);
    struct dcs_rung *r = &l->rungs[l->rungs_count++];
    uint64_t span = (uint64_t)(last_ns - first_ns), most = CLASS_BUCKETS;
    r->start = (event_key)(uint64_t)first_ns << DCS_KEY_TIME_SHIFT;
    r->next = 0;
    r->shift = DCS_KEY_CLASS_SHIFT;
    r->buckets_count = CLASS_BUCKETS;
    if (span > 0) {
        uint32_t shift = 0;
        most = BUCKETS_LEAST;
        while (most < BUCKETS_MOST && most * KEYS_PER_BUCKET < count)
            most *= 2;
        while (span >> shift >= most)
            shift++;
        r->shift = DCS_KEY_TIME_SHIFT + shift;
        r->buckets_count = (uint32_t)(span >> shift) + 1;
    }
    if (r->capacity < most) {
        free(r->buckets);
        r->buckets = dcs_alloc(most, sizeof *r->buckets);
        r->capacity = (uint32_t)most;
    }
    return r;
}

/* Moves keys to a new rung, which ends where said; LATEST: behind the last of them. */
static void spread_keys(struct dcs_ladder *l, struct dcs_key_bucket from, event_key end)
{
    int64_t first_ns, last_ns;
    find_times(l, &from, &first_ns, &last_ns);
    struct dcs_rung *r = add_rung(l, first_ns, last_ns, from.count);
    r->end = end < LATEST ? end : (event_key)(uint64_t)(last_ns + 1) << DCS_KEY_TIME_SHIFT;
    l->begin = r->start;
    while (from.count > 0) {
        event_key keys[CHUNK_KEYS];
        uint32_t n = take_chunk(l, &from, keys);
        for (uint32_t i = 0; i < n; i++)
            append_key(l, find_bucket(r, keys[i]), keys[i]);
    }
}

/* ---- In order ---- */

static void sort_keys(event_key *keys, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        event_key key = keys[i];
        size_t at = i;
        for (; at > 0 && key < keys[at - 1]; at--)
            keys[at] = keys[at - 1];
        keys[at] = key;
    }
}

/* Takes the first keys of a bucket. */
static size_t load_keys(struct dcs_ladder *l, struct dcs_key_bucket *b, event_key *keys)
{
    size_t n = 0;
    while (b->count > 0 && n < DCS_LADDER_LOAD_MOST)
        n += take_chunk(l, b, &keys[n]);
    return n;
}

/* Opens the first bucket of the last rung, which has keys, and others if they are small. Returns
 * how many keys were taken: 0 if they were spread. */
static size_t open_buckets(struct dcs_ladder *l, struct dcs_rung *r, event_key *keys)
{
    struct dcs_key_bucket *b = &r->buckets[r->next];
    bool of_class = r->shift == DCS_KEY_CLASS_SHIFT && r->next < DCS_KEY_CLASSES;
    size_t n = 0;
    if (b->count > DCS_LADDER_LOAD_MOST && of_class) { /* in order */
        n = load_keys(l, b, keys);
        l->begin = l->chunks[(size_t)b->first * CHUNK_KEYS];
        return n;
    }
    if (b->count > DCS_LADDER_LOAD_MOST) {
        struct dcs_key_bucket from = take_bucket(b);
        r->next++;
        spread_keys(l, from, find_unopened(r));
        return 0;
    }
    do {
        size_t loaded = load_keys(l, b, &keys[n]);
        sort_keys(&keys[n], loaded);
        n += loaded;
        r->next++;
        skip_empty_buckets(r);
        b = &r->buckets[r->next];
    } while (n < LOAD_ENOUGH && r->next < r->buckets_count && b->count <= LOAD_ENOUGH);
    l->begin = find_unopened(r);
    return n;
}

size_t dcs_ladder_load(struct dcs_ladder *l, event_key *keys)
{
    while (l->rungs_count > 0 || l->far.count > DCS_LADDER_LOAD_MOST) {
        if (l->rungs_count == 0) {
            spread_keys(l, take_bucket(&l->far), LATEST);
            continue;
        }
        struct dcs_rung *r = &l->rungs[l->rungs_count - 1];
        skip_empty_buckets(r);
        if (r->next == r->buckets_count) {
            l->begin = r->end;
            l->rungs_count--;
            continue;
        }
        size_t n = open_buckets(l, r, keys);
        if (n > 0)
            return n;
    }
    size_t n = load_keys(l, &l->far, keys);
    sort_keys(keys, n);
    l->begin = LATEST;
    return n;
}

/* ---- Adding ---- */

void dcs_ladder_add(struct dcs_ladder *l, event_key key)
{
    /* The ends of rungs fall from the first to the last. How many are behind the key? */
    size_t from = 0, to = l->rungs_count;
    while (from < to) {
        size_t middle = (from + to) / 2;
        if (key < l->rungs[middle].end)
            from = middle + 1;
        else
            to = middle;
    }
    append_key(l, from > 0 ? find_bucket(&l->rungs[from - 1], key) : &l->far, key);
}

void dcs_ladder_put_back(struct dcs_ladder *l, const event_key *keys, size_t n)
{
    struct dcs_key_bucket list = {0};
    for (size_t i = 0; i < n; i++)
        append_key(l, &list, keys[i]);
    if (l->rungs_count > 0 || l->far.count > 0)
        spread_keys(l, list, l->begin);
    else
        l->far = list;
    l->begin = keys[0];
}

/* ---- All keys ---- */

/* In the order in which they would be opened, so that keys of one time and class keep theirs. */
void dcs_ladder_filter(struct dcs_ladder *l, bool (*keep)(const void *context, event_key key),
                       const void *context)
{
    struct dcs_key_bucket kept = {0};
    for (bool more = true; more;) {
        struct dcs_rung *r = l->rungs_count > 0 ? &l->rungs[l->rungs_count - 1] : NULL;
        struct dcs_key_bucket from = {0};
        if (r == NULL) {
            from = take_bucket(&l->far);
            more = false;
        } else if (r->next < r->buckets_count) {
            from = take_bucket(&r->buckets[r->next++]);
        } else {
            l->rungs_count--;
        }
        while (from.count > 0) {
            event_key keys[CHUNK_KEYS];
            uint32_t n = take_chunk(l, &from, keys);
            for (uint32_t i = 0; i < n; i++)
                if (keep(context, keys[i]))
                    append_key(l, &kept, keys[i]);
        }
    }
    l->far = kept;
}

void dcs_ladder_init(struct dcs_ladder *l)
{
    *l = (struct dcs_ladder){.begin = LATEST, .free_chunk = NO_CHUNK};
}

void dcs_ladder_release(struct dcs_ladder *l)
{
    for (size_t i = 0; i < l->rungs_capacity; i++)
        free(l->rungs[i].buckets);
    free(l->rungs);
    free(l->chunks);
    free(l->next_chunk);
}
