/*
 * queue.h - a first-in first-out queue of requests, for policies.
 *
 * Order is arrival in the queue. QUEUE_JOBS goes round the jobs instead: each pop takes the oldest
 * request of the next job that has one (jobs in the order in which they got their first waiting
 * request). Memory grows to the largest length ever and stays; queue_release() frees it.
 */
#ifndef DCSIM_POLICIES_LIB_QUEUE_H
#define DCSIM_POLICIES_LIB_QUEUE_H

#include "policies/policy.h"

#include <stdlib.h>
#include <string.h>

enum queue_order {
    QUEUE_FIFO, /* one queue over all jobs */
    QUEUE_JOBS, /* round robin over jobs */
};

struct queue_ring {
    req_id *items;
    size_t first, count, capacity; /* capacity is 0 or a power of two */
};

struct queue_job {
    job_id job;
    struct queue_ring ring;
};

struct queue {
    enum queue_order order;
    struct queue_ring all;  /* QUEUE_FIFO */
    struct queue_job *jobs; /* QUEUE_JOBS: those with waiting requests, then spare ones */
    size_t jobs_count, jobs_capacity, next;
    size_t count;
    size_t stale; /* of count: left while they waited, see queue_gone() */
};

static inline void queue_out_of_memory(void)
{
    abort();
}

static inline void queue_ring_push(struct queue_ring *q, req_id r)
{
    if (q->count == q->capacity) {
        size_t capacity = q->capacity == 0 ? 16 : 2 * q->capacity;
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
    for (size_t i = 0; i < q->jobs_capacity; i++)
        free(q->jobs[i].ring.items);
    free(q->jobs);
    free(q->all.items);
    *q = (struct queue){.order = q->order};
}

/* The ring of a job; a spare one becomes its own if it has none. */
static inline struct queue_ring *queue_job_ring(struct queue *q, job_id job)
{
    for (size_t i = 0; i < q->jobs_count; i++)
        if (q->jobs[i].job == job)
            return &q->jobs[i].ring;
    if (q->jobs_count == q->jobs_capacity) {
        size_t capacity = q->jobs_capacity == 0 ? 8 : 2 * q->jobs_capacity;
        struct queue_job *jobs = realloc(q->jobs, capacity * sizeof *jobs);
        if (jobs == NULL)
            queue_out_of_memory();
        memset(jobs + q->jobs_capacity, 0, (capacity - q->jobs_capacity) * sizeof *jobs);
        q->jobs = jobs;
        q->jobs_capacity = capacity;
    }
    q->jobs[q->jobs_count].job = job;
    return &q->jobs[q->jobs_count++].ring;
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
    if (q->next >= q->jobs_count)
        q->next = 0;
    struct queue_job *job = &q->jobs[q->next];
    req_id r = queue_ring_pop(&job->ring);
    if (job->ring.count > 0) {
        q->next++;
        return r;
    }
    /* The job leaves the round: later ones move up, its ring becomes a spare. */
    struct queue_job spare = *job;
    size_t behind = q->jobs_count - q->next - 1;
    memmove(job, job + 1, behind * sizeof *job);
    q->jobs[--q->jobs_count] = spare;
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
        if (q->stale > 0)
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
    return q->count - q->stale;
}

#endif
