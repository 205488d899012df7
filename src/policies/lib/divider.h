/*
 * divider.h - gives the iterations of one request after the other to all devices of a domain, in
 * steps: for the policies that divide requests (Wang, thesis, chapter 4).
 *
 * A step is a number of iterations that all devices get at once, each its share; it ends when all
 * its chunks have ended (the barrier). How many iterations a step has, and whether shares follow
 * the speeds that were measured, is the policy's rule: divider.step.
 *
 * SPEED of a device: iterations over time of its last chunk. Shares by speed are those with which
 * all would have ended at once. A device that has had no chunk leaves the shares as they were.
 *
 * ROUNDING. A device's chunk is the multiple of chunk_min nearest to its share, and the device with
 * the largest share gets what the others leave. So a share below half of chunk_min gets nothing in
 * this step. A step is at least chunk_min, and takes what would be left if that is less.
 *
 * ALONE. A domain of one device gives it each pass whole: there is nothing to divide.
 *
 * PASSES. The thesis does not say what becomes of the shares where a request has several passes.
 * Option passes: each is divided anew, or those after the first keep its last shares in one step.
 *
 * Reasons that it gives (host_explain): "step", iterations; "GPU share", in 10^-6, of that step.
 */
#ifndef DCSIM_POLICIES_LIB_DIVIDER_H
#define DCSIM_POLICIES_LIB_DIVIDER_H

#include "policies/lib/queue.h"
#include "policies/policy.h"

struct divider_params {
    double gpu_share;
    int passes; /* enum divider_passes */
};

enum divider_passes { DIVIDER_ANEW, DIVIDER_KEEP };

/* at: offset of a struct divider_params; share_help: what gpu_share is for. */
#define DIVIDER_PARAMS(at, share_help)                                                             \
    {PARAM_REAL,                                                                                   \
     "gpu_share",                                                                                  \
     .offset = (at) + offsetof(struct divider_params, gpu_share),                                  \
     .low = 0,                                                                                     \
     .high = 1,                                                                                    \
     .number = 0.5,                                                                                \
     .help = share_help " Several GPUs have equal parts of it."},                                  \
    {                                                                                              \
        PARAM_CHOICE, "passes", .offset = (at) + offsetof(struct divider_params, passes),          \
                                .choices = divider_passes_names,                                   \
                                .help = "Of a request with several. anew: each begins with "       \
                                        "gpu_share. keep: those after the first have its last "    \
                                        "shares, in one step."                                     \
    }

static const char *const divider_passes_names[] = {"anew", "keep", NULL};

struct divider_device {
    bool gpu;
    double speed;         /* iterations per ns; 0: not known */
    double share, before; /* of this step, and of the one before */
};

struct divider;

/* How many iterations the next step has, 1 .. work->left; it may set the shares before. first: of
 * this pass. */
typedef uint64_t divider_step(struct divider *self, const struct host_division *work, bool first);

struct divider {
    divider_step *step;
    struct divider_params params;
    struct host *host;
    struct queue queue;
    struct divider_device *devices;
    uint32_t count, gpus;
    req_id now;    /* the request that is being divided; 0: none */
    uint32_t pass; /* of it, */
    bool begun;    /* and whether it has had a step */
    uint64_t last; /* iterations of the last step */
};

static inline void divider_start(struct divider *self)
{
    double gpu = self->params.gpu_share;
    for (uint32_t i = 0; i < self->count; i++) {
        struct divider_device *d = &self->devices[i];
        d->share = d->before = !d->gpu ? 1 - gpu : gpu / self->gpus;
        if (self->gpus == 0 || self->gpus == self->count)
            d->share = d->before = 1.0 / self->count; /* they are all alike */
        d->speed = 0;
    }
}

/* Shares become those by speed; false, and they stay as they were: a speed is not known. */
static inline bool divider_balance(struct divider *self)
{
    double sum = 0;
    for (uint32_t i = 0; i < self->count; i++) {
        if (!(self->devices[i].speed > 0))
            return false;
        sum += self->devices[i].speed;
    }
    for (uint32_t i = 0; i < self->count; i++)
        self->devices[i].share = self->devices[i].speed / sum;
    return true;
}

static inline double divider_gpu_share(const struct divider *self)
{
    double share = 0;
    for (uint32_t i = 0; i < self->count; i++)
        if (self->devices[i].gpu)
            share += self->devices[i].share;
    return share;
}

/* A whole number of chunk_min near to `iterations`, or all that are left. */
static inline uint64_t divider_round(const struct host_division *work, uint64_t iterations)
{
    uint64_t least = work->chunk_min, n = (iterations + least - 1) / least;
    n = n > 0 ? n * least : least;
    return n > work->left || work->left - n < least ? work->left : n;
}

static inline void divider_give(struct divider *self, const struct host_division *work,
                                uint64_t iterations)
{
    uint64_t n = divider_round(work, iterations), given = 0, least = work->chunk_min;
    uint32_t largest = 0;
    self->last = n;
    host_explain(self->host, self->now, "step", (int64_t)n);
    host_explain(self->host, self->now, "GPU share",
                 (int64_t)(divider_gpu_share(self) * 1e6 + 0.5));
    for (uint32_t i = 1; i < self->count; i++)
        if (self->devices[i].share > self->devices[largest].share)
            largest = i;
    for (uint32_t i = 0; i < self->count; i++) {
        struct divider_device *d = &self->devices[i];
        d->before = d->share;
        if (i == largest)
            continue;
        uint64_t part = (uint64_t)(d->share * (double)n / (double)least + 0.5) * least;
        if (part > n - given)
            part = (n - given) / least * least;
        given += part;
        if (part > 0)
            host_launch_chunk(self->host, self->now, i, part);
    }
    if (n > given)
        host_launch_chunk(self->host, self->now, largest, n - given);
}

/* The next step of the request at hand. */
static inline void divider_go_on(struct divider *self, uint32_t pass)
{
    struct host_division work;
    if (!host_division(self->host, self->now, &work)) {
        host_fail(self->host, "a request of the workload is not divisible");
        return;
    }
    bool first = !self->begun || pass != self->pass;
    bool kept = first && self->begun && self->params.passes == DIVIDER_KEEP;
    self->pass = pass;
    if (first && !kept)
        divider_start(self);
    if (kept)
        divider_balance(self);
    self->begun = true;
    divider_give(self, &work,
                 self->count == 1 || kept ? work.left : self->step(self, &work, first));
}

static inline void divider_begin_next(struct divider *self)
{
    struct host_request request;
    self->now = queue_pop(&self->queue, self->host, &request);
    self->begun = false;
    if (self->now != 0)
        divider_go_on(self, request.kernel);
}

static inline void divider_on_ready(void *state, struct host *h, req_id r)
{
    struct divider *self = state;
    (void)h;
    queue_push(&self->queue, 0, r, false);
    if (self->now == 0)
        divider_begin_next(self);
}

static inline void divider_on_complete(void *state, struct host *h, req_id r, dev_id d,
                                       bool request_done)
{
    struct divider *self = state;
    struct host_chunk chunk;
    struct host_division work;
    struct host_request request;
    if (host_ended_chunk(h, r, d, &chunk) && chunk.took_ns > 0)
        self->devices[d].speed = (double)chunk.iterations / (double)chunk.took_ns;
    if (request_done)
        divider_begin_next(self);
    else if (host_request(h, r, &request) && host_division(h, r, &work) && work.chunks == 0)
        divider_go_on(self, request.kernel);
}

static inline int divider_init(struct divider *self, const struct divider_params *params,
                               struct host *h, divider_step *step)
{
    struct host_device device;
    self->step = step;
    self->params = *params;
    self->host = h;
    self->count = host_devices(h);
    self->devices = calloc(self->count, sizeof *self->devices);
    if (self->devices == NULL)
        queue_out_of_memory();
    for (uint32_t i = 0; i < self->count && host_device(h, i, &device); i++) {
        self->devices[i].gpu = device.cores == 0;
        self->gpus += device.cores == 0;
    }
    queue_init(&self->queue, QUEUE_FIFO);
    bool one_side = self->gpus == 0 || self->gpus == self->count;
    if (one_side || (params->gpu_share > 0 && params->gpu_share < 1))
        return 0;
    host_fail(h, "policy.gpu_share of 0 or 1 leaves one side without work: leave it out of the "
                 "domain (cluster.cpu_threads 0, or cluster.devices 1), or give a share between");
    return -1;
}

static inline void divider_fini(void *state)
{
    struct divider *self = state;
    queue_release(&self->queue);
    free(self->devices);
}

/* The callbacks of a policy whose state begins with a struct divider. */
#define DIVIDER_CALLBACKS                                                                          \
    .needs = 1u << HOST_WHOLE | HOST_NEEDS_CHUNKS, .fini = divider_fini,                           \
    .on_ready = divider_on_ready, .on_complete = divider_on_complete

#endif
