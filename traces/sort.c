/*
 * sort.c - see sort.h.
 *
 * A run is sorted in two steps. First by a prefix of 64 bits: the bits in which the keys of the run
 * differ, the highest first; least significant digit first, without comparing. Ids of a trace are
 * small numbers, so that mostly the whole key fits. Then what shares its prefix, mostly the few
 * events of one entity, is put in order by comparing everything. Comparing alone took twice the
 * time of all else in an import, since the records lie far apart.
 */
#include "traces/sort.h"
#include "des/tempfile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EVENTS_MIN   64
#define DIGIT_BITS   11
#define DIGITS       (1u << DIGIT_BITS)
#define PASSES       ((64 + DIGIT_BITS - 1) / DIGIT_BITS)
#define WRITE_EVENTS 4096
#define MERGE_FEWEST 8 /* events in the buffer of a run */

/* Of an event in memory. */
struct place {
    uint64_t prefix;
    uint32_t position; /* in events */
};

struct run {
    uint64_t next, end;        /* places in the file, in events; next: not yet in memory */
    struct trace_event *first; /* its buffer */
    size_t at, count;          /* in the buffer */
};

struct trace_sort {
    struct trace_event *events; /* the run that is filled; later the buffers of the merge */
    size_t capacity, count;
    struct place *order, *other;
    uint32_t starts[PASSES][DIGITS]; /* of the run that is sorted */
    uint64_t total;
    int fd;           /* -1: nothing written yet */
    uint64_t written; /* events in the file */
    struct run *runs;
    size_t runs_count, runs_capacity, run_buffer;
    size_t *heap; /* run numbers, the least event first */
    size_t heap_count;
    size_t taken; /* from memory, where there is no file */
};

struct trace_sort *trace_sort_create(size_t memory_bytes)
{
    struct trace_sort *s = dcs_alloc(1, sizeof *s);
    s->fd = -1;
    s->capacity = memory_bytes / sizeof *s->events;
    if (s->capacity < EVENTS_MIN)
        s->capacity = EVENTS_MIN;
    DCS_ASSERT(s->capacity <= UINT32_MAX);
    s->events = dcs_alloc(s->capacity, sizeof *s->events);
    s->order = dcs_alloc(s->capacity, sizeof *s->order);
    s->other = dcs_alloc(s->capacity, sizeof *s->other);
    return s;
}

void trace_sort_free(struct trace_sort *s)
{
    if (s == NULL)
        return;
    if (s->fd >= 0)
        close(s->fd);
    free(s->events);
    free(s->order);
    free(s->other);
    free(s->runs);
    free(s->heap);
    free(s);
}

uint64_t trace_sort_count(const struct trace_sort *s)
{
    return s->total;
}

/* ---- one run ---- */

/* Everything but the place in the input. */
static int compare_events(const struct trace_event *x, const struct trace_event *y)
{
    if (x->key[0] != y->key[0])
        return x->key[0] < y->key[0] ? -1 : 1;
    if (x->key[1] != y->key[1])
        return x->key[1] < y->key[1] ? -1 : 1;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static int compare_places(const void *a, const void *b, void *events)
{
    const struct trace_event *all = events;
    const struct place *x = a, *y = b;
    int order = compare_events(&all[x->position], &all[y->position]);
    return order != 0 ? order : (x->position > y->position) - (x->position < y->position);
}

/* Bits that a number up to `most` takes. */
static unsigned width(uint64_t most)
{
    return most == 0 ? 0 : 64 - (unsigned)__builtin_clzll(most);
}

/* Fills in the prefixes and counts their digits; returns how many bits they have. */
static unsigned make_prefixes(struct trace_sort *s)
{
    uint64_t least[2] = {UINT64_MAX, UINT64_MAX}, most[2] = {0, 0};
    for (size_t i = 0; i < s->count; i++)
        for (int k = 0; k < 2; k++) {
            uint64_t key = s->events[i].key[k];
            least[k] = key < least[k] ? key : least[k];
            most[k] = key > most[k] ? key : most[k];
        }
    unsigned first = width(most[0] - least[0]), second = width(most[1] - least[1]);
    unsigned kept = first + second <= 64 ? second : 64 - first; /* of the second key, the highest */
    memset(s->starts, 0, sizeof s->starts);
    for (size_t i = 0; i < s->count; i++) {
        uint64_t high = s->events[i].key[0] - least[0], low = s->events[i].key[1] - least[1];
        low = kept > 0 ? low >> (second - kept) : 0;
        uint64_t prefix = kept == 64 ? low : high << kept | low;
        s->order[i] = (struct place){.prefix = prefix, .position = (uint32_t)i};
        for (unsigned pass = 0, shift = 0; shift < first + kept; pass++, shift += DIGIT_BITS)
            s->starts[pass][prefix >> shift & (DIGITS - 1)]++;
    }
    return first + kept;
}

/* Stable. starts: how often each digit occurs; overwritten. */
static void sort_digit(struct trace_sort *s, unsigned shift, uint32_t starts[DIGITS])
{
    uint32_t before = 0;
    for (size_t d = 0; d < DIGITS; d++) {
        uint32_t n = starts[d];
        starts[d] = before;
        before += n;
    }
    for (size_t i = 0; i < s->count; i++)
        s->other[starts[s->order[i].prefix >> shift & (DIGITS - 1)]++] = s->order[i];
    struct place *swap = s->order;
    s->order = s->other;
    s->other = swap;
}

static bool in_order(struct trace_sort *s, size_t from, size_t to)
{
    for (size_t i = from + 1; i < to; i++)
        if (compare_places(&s->order[i - 1], &s->order[i], s->events) > 0)
            return false;
    return true;
}

static void sort_run(struct trace_sort *s)
{
    if (s->count == 0)
        return;
    unsigned bits = make_prefixes(s);
    for (unsigned pass = 0, shift = 0; shift < bits; pass++, shift += DIGIT_BITS)
        sort_digit(s, shift, s->starts[pass]);
    for (size_t from = 0, to; from < s->count; from = to) {
        for (to = from + 1; to < s->count && s->order[to].prefix == s->order[from].prefix; to++)
            continue;
        if (!in_order(s, from, to))
            qsort_r(&s->order[from], to - from, sizeof *s->order, compare_places, s->events);
    }
}

/* ---- the file ---- */

static const char purpose[] = "for sorting";

static int write_run(struct trace_sort *s, struct dcs_err *err)
{
    sort_run(s);
    if (s->fd < 0)
        s->fd = tempfile_open(purpose, err);
    if (s->fd < 0)
        return -1;
    s->runs = dcs_grow(s->runs, &s->runs_capacity, s->runs_count + 1, sizeof *s->runs);
    struct run *run = &s->runs[s->runs_count++];
    run->next = s->written;
    struct trace_event *block = dcs_alloc(WRITE_EVENTS, sizeof *block);
    int status = 0;
    for (size_t i = 0; status == 0 && i < s->count;) {
        size_t n = 0;
        while (n < WRITE_EVENTS && i < s->count)
            block[n++] = s->events[s->order[i++].position];
        status = tempfile_append(s->fd, block, n * sizeof *block, purpose, err);
        s->written += n;
    }
    free(block);
    run->end = s->written;
    s->count = 0;
    return status;
}

int trace_sort_add(struct trace_sort *s, const struct trace_event *event, struct dcs_err *err)
{
    if (s->count == s->capacity && write_run(s, err) != 0)
        return -1;
    s->events[s->count++] = *event;
    s->total++;
    return 0;
}

/* ---- the merge ---- */

/* Fills the buffer of a run; afterwards count is 0 only at its end. */
static int refill(struct trace_sort *s, struct run *run, struct dcs_err *err)
{
    uint64_t want = run->end - run->next;
    if (want > s->run_buffer)
        want = s->run_buffer;
    if (tempfile_read(s->fd, run->next * sizeof *run->first, run->first,
                      (size_t)want * sizeof *run->first, purpose, err) != 0)
        return -1;
    run->next += want;
    run->at = 0;
    run->count = (size_t)want;
    return 0;
}

static bool before(const struct trace_sort *s, size_t a, size_t b)
{
    const struct trace_event *x = &s->runs[a].first[s->runs[a].at];
    const struct trace_event *y = &s->runs[b].first[s->runs[b].at];
    int order = compare_events(x, y);
    return order != 0 ? order < 0 : a < b;
}

static void sift_down(struct trace_sort *s, size_t i)
{
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= s->heap_count)
            return;
        if (child + 1 < s->heap_count && before(s, s->heap[child + 1], s->heap[child]))
            child++;
        if (!before(s, s->heap[child], s->heap[i]))
            return;
        size_t swap = s->heap[i];
        s->heap[i] = s->heap[child];
        s->heap[child] = swap;
        i = child;
    }
}

int trace_sort_finish(struct trace_sort *s, struct dcs_err *err)
{
    if (s->fd < 0) {
        sort_run(s);
        return 0;
    }
    if (s->count > 0 && write_run(s, err) != 0)
        return -1;
    s->run_buffer = s->capacity / s->runs_count;
    if (s->run_buffer < MERGE_FEWEST) {
        s->run_buffer = MERGE_FEWEST;
        free(s->events);
        s->events = dcs_alloc(s->run_buffer * s->runs_count, sizeof *s->events);
    }
    s->heap = dcs_alloc(s->runs_count, sizeof *s->heap);
    for (size_t i = 0; i < s->runs_count; i++) {
        s->runs[i].first = s->events + i * s->run_buffer;
        if (refill(s, &s->runs[i], err) != 0)
            return -1;
        s->heap[s->heap_count++] = i;
    }
    for (size_t i = s->heap_count; i-- > 0;)
        sift_down(s, i);
    return 0;
}

int trace_sort_next(struct trace_sort *s, struct trace_event *out, struct dcs_err *err)
{
    if (s->fd < 0) {
        if (s->taken == s->count)
            return 0;
        *out = s->events[s->order[s->taken++].position];
        return 1;
    }
    if (s->heap_count == 0)
        return 0;
    struct run *run = &s->runs[s->heap[0]];
    *out = run->first[run->at++];
    if (run->at == run->count) {
        if (refill(s, run, err) != 0)
            return -1;
        if (run->count == 0)
            s->heap[0] = s->heap[--s->heap_count];
    }
    sift_down(s, 0);
    return 1;
}
