/*
 * queue.h - a first-in first-out queue of requests, for policies.
 *
 * Order is arrival in the queue. QUEUE_JOBS goes round the jobs instead: each pop takes the oldest
 * request of the next job that has one (jobs in the order in which they got their first waiting
 * request). Either takes the same time however many requests and jobs there are. Memory grows to
 * the largest length ever and stays; queue_release() frees it.
 */
#ifndef DCSIM_POLICIES_LIB_QUEUE_H
#define DCSIM_POLICIES_LIB_QUEUE_H

#include "policies/lib/grow.h"
#include "policies/policy.h"

#include <stdlib.h>

enum queue_order {
    QUEUE_FIFO, /* one queue over all jobs */
    QUEUE_JOBS, /* round robin over jobs */
};

struct queue_ring {
    req_id *items;
    size_t first, count, capacity; /* capacity is 0 or a power of two */
};

/* A job with waiting requests, or a spare one. Indices are those of queue.jobs, + 1; 0: none. */
struct queue_job {
    job_id job;
    uint32_t before, after; /* in the round; of a spare one: after is the next spare one */
    struct queue_ring ring;
};

struct queue {
    enum queue_order order;
    struct queue_ring all; /* QUEUE_FIFO */
    /* QUEUE_JOBS: the round goes from `first` to `last`; `next` has its turn, 0: who joins next, or
     * `first`. */
    struct queue_job *jobs;
    size_t jobs_used, jobs_capacity, jobs_count; /* jobs_count: in the round */
    uint32_t first, last, next, spare;
    uint32_t *places;    /* hash table of those in the round, by job: indices as above */
    size_t places_count; /* 0 or a power of two, more than twice jobs_count */
    size_t count;
    /* Of count: left while they waited, see queue_gone(). Below 0 for a moment where such requests
     * were passed over before the policy heard of their leaving. */
    int64_t stale;
};

static inline void queue_out_of_memory(void)
{
    abort();
}

static inline void queue_ring_push(struct queue_ring *q, req_id r)
{
    if (q->count == q->capacity) {
        size_t capacity = q->capacity == 0 ? 4 : 2 * q->capacity;
        req_id *items = malloc(capacity * sizeof *items);
        if (items == NULL)
            queue_out_of_memory();
        for (size_t i = 0; i < q->count; i++)
            items[i] = q->items[(q->first + i) & (q->capacity - 1)];
        free(q->items);
        q->items = items;
        q->first = 0;
        q->capacity = capacity;
    }
    q->items[(q->first + q->count++) & (q->capacity - 1)] = r;
}

static inline void queue_ring_push_front(struct queue_ring *q, req_id r)
{
    queue_ring_push(q, r);
    q->count--;
    q->first = (q->first - 1) & (q->capacity - 1);
    q->items[q->first] = r;
    q->count++;
}

static inline req_id queue_ring_pop(struct queue_ring *q)
{
    req_id r = q->items[q->first];
    q->first = (q->first + 1) & (q->capacity - 1);
    q->count--;
    return r;
}

static inline void queue_init(struct queue *q, enum queue_order order)
{
    *q = (struct queue){.order = order};
}

static inline void queue_release(struct queue *q)
{
    for (size_t i = 0; i < q->jobs_used; i++)
        free(q->jobs[i].ring.items);
    free(q->jobs);
    free(q->places);
    free(q->all.items);
    *q = (struct queue){.order = q->order};
}

/* Where a job would like to stand in the table. */
static inline size_t queue_home(const struct queue *q, job_id job)
{
    return (size_t)((job * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (q->places_count - 1);
}

/* The place of a job in the table, or the empty one where it would be. */
static inline size_t queue_place(const struct queue *q, job_id job)
{
    size_t at = queue_home(q, job);
    while (q->places[at] != 0 && q->jobs[q->places[at] - 1].job != job)
        at = (at + 1) & (q->places_count - 1);
    return at;
}

/* Empties a place; those behind it move up if they would like to stand there or before. */
static inline void queue_empty_place(struct queue *q, size_t at)
{
    size_t mask = q->places_count - 1;
    for (size_t i = (at + 1) & mask; q->places[i] != 0; i = (i + 1) & mask) {
        size_t home = queue_home(q, q->jobs[q->places[i] - 1].job);
        if (((i - home) & mask) < ((i - at) & mask))
            continue;
        q->places[at] = q->places[i];
        at = i;
    }
    q->places[at] = 0;
}

/* Room for one more job. */
static inline void queue_grow_places(struct queue *q)
{
    if (2 * (q->jobs_count + 1) < q->places_count)
        return;
    free(q->places);
    q->places_count = q->places_count == 0 ? 16 : 2 * q->places_count;
    q->places = calloc(q->places_count, sizeof *q->places);
    if (q->places == NULL)
        queue_out_of_memory();
    for (uint32_t i = q->first; i != 0; i = q->jobs[i - 1].after)
        q->places[queue_place(q, q->jobs[i - 1].job)] = i;
}

/* A job joins the round at its end, with the ring of a spare one if there is one. */
static inline uint32_t queue_join(struct queue *q, job_id job)
{
    uint32_t i = q->spare;
    if (i != 0) {
        q->spare = q->jobs[i - 1].after;
    } else {
        q->jobs = grow(q->jobs, &q->jobs_capacity, q->jobs_used, sizeof *q->jobs, 8);
        i = (uint32_t)++q->jobs_used;
        q->jobs[i - 1].ring = (struct queue_ring){0};
    }
    q->jobs[i - 1].job = job;
    q->jobs[i - 1].before = q->last;
    q->jobs[i - 1].after = 0;
    if (q->last != 0)
        q->jobs[q->last - 1].after = i;
    else
        q->first = i;
    q->last = i;
    if (q->next == 0)
        q->next = i;
    q->jobs_count++;
    return i;
}

/* It has its turn, and no request any more. */
static inline void queue_part(struct queue *q, uint32_t i)
{
    struct queue_job *job = &q->jobs[i - 1];
    queue_empty_place(q, queue_place(q, job->job));
    *(job->before != 0 ? &q->jobs[job->before - 1].after : &q->first) = job->after;
    *(job->after != 0 ? &q->jobs[job->after - 1].before : &q->last) = job->before;
    job->after = q->spare;
    q->spare = i;
    q->jobs_count--;
}

static inline struct queue_ring *queue_job_ring(struct queue *q, job_id job)
{
    queue_grow_places(q);
    size_t at = queue_place(q, job);
    if (q->places[at] == 0)
        q->places[at] = queue_join(q, job);
    return &q->jobs[q->places[at] - 1].ring;
}

/* At the end; front: at the head (a request that was revoked, say, and keeps its turn). */
static inline void queue_push(struct queue *q, job_id job, req_id r, bool front)
{
    struct queue_ring *ring = q->order == QUEUE_JOBS ? queue_job_ring(q, job) : &q->all;
    if (front)
        queue_ring_push_front(ring, r);
    else
        queue_ring_push(ring, r);
    q->count++;
}

static inline req_id queue_pop_round_robin(struct queue *q)
{
    uint32_t i = q->next != 0 ? q->next : q->first;
    struct queue_job *job = &q->jobs[i - 1];
    req_id r = queue_ring_pop(&job->ring);
    q->next = job->after;
    if (job->ring.count == 0)
        queue_part(q, i);
    return r;
}

/* The next request that still waits, or 0. Requests that left meanwhile are passed over. */
static inline req_id queue_pop(struct queue *q, const struct host *h, struct host_request *view)
{
    while (q->count > 0) {
        req_id r = q->order == QUEUE_JOBS ? queue_pop_round_robin(q) : queue_ring_pop(&q->all);
        q->count--;
        if (host_request(h, r, view) && view->state == HOST_WAITING)
            return r;
        q->stale--;
    }
    return 0;
}

/* From on_gone: one of the requests in the queue has left. */
static inline void queue_gone(struct queue *q)
{
    q->stale++;
}

/* How many requests wait. */
static inline size_t queue_waiting(const struct queue *q)
{
    return q->count - (q->stale > 0 ? (size_t)q->stale : 0);
}

#endif
