/*
 * partition.h - what policies share that give every application a fixed part of the device: MPS
 * with even or priority allocation, partitions that never move (C-Laius, sections 3.3 and 3.6).
 *
 * Each application has one process on each device, which runs its requests first come, first
 * served, `concurrency` of them at a time. A request begins on the device with the fewest latency
 * requests, then with the fewest SMs taken, and stays there for all its kernels. A kernel gets the
 * part that its application has when it is launched; how large that is, is the policy's own
 * (partition.part).
 *
 * Which applications are present: the parts of the paper's experiments are set once, for a known
 * number of applications; here that number may change. A policy learns which application a job is
 * of with its first request.
 */
#ifndef DCSIM_POLICIES_LIB_PARTITION_H
#define DCSIM_POLICIES_LIB_PARTITION_H

#include "policies/lib/share.h"
#include "policies/lib/table.h"

enum partition_presence {
    PARTITION_JOBS,   /* from the first request of one of its jobs until its last job ends */
    PARTITION_ACTIVE, /* on a device while a request of it has its place there */
};

struct partition_params {
    int64_t concurrency;
    int present;
};

/* The rows of these options; `at`: the offset of the struct in the policy's struct of options. */
#define PARTITION_PARAMS(at)                                                                       \
    {PARAM_INT,                                                                                    \
     "concurrency",                                                                                \
     .offset = (at) + offsetof(struct partition_params, concurrency),                              \
     .unit = "requests",                                                                           \
     .low = 1,                                                                                     \
     .high = 1e6,                                                                                  \
     .number = 1,                                                                                  \
     .help = "Requests of one application that run at a time on a device."},                       \
    {                                                                                              \
        PARAM_CHOICE, "present",                                                                   \
            .offset = (at) + offsetof(struct partition_params, present),                           \
            .choices = partition_presences,                                                        \
            .help =                                                                                \
                "Applications that count: with a job that goes on, or with a request that has "    \
                "begun on the device."                                                             \
    }

static const char *const partition_presences[] = {"jobs", "active", NULL};

struct partition_request {
    struct share_request share; /* its place: from its first launch on */
    uint32_t app;               /* index into partition.apps */
};

struct partition_app {
    app_id app;
    enum host_class class;
    uint32_t jobs;        /* known ones that go on */
    struct table waiting; /* of struct partition_request: those without a place */
    uint32_t *placed;     /* by device: requests that have their place there, */
    uint32_t *had;        /* and SMs of its latest kernel there; 0: none yet */
    bool blocked;         /* in the dispatch under way: its next request finds no place */
};

struct partition_job {
    job_id job;
    uint32_t app;
};

struct partition {
    const struct partition_params *params;
    enum host_mechanism mechanism;
    /* SMs for the next kernel of application `app` (an index into apps) on device d; 0: none. */
    uint32_t (*part)(const struct partition *p, dev_id d, const struct host_device *device,
                     uint32_t app);
    void *owner;         /* for part(): what the partition is a member of */
    struct table placed; /* of struct partition_request: what has begun, so that an event costs
                            what runs and not what waits */
    struct partition_app *apps;
    struct partition_job *jobs;
    size_t apps_count, apps_capacity, jobs_count, jobs_capacity;
    struct share_use *use; /* by device */
    uint32_t devices;
};

static inline int partition_init(struct partition *p, struct host *h,
                                 const struct partition_params *params)
{
    p->params = params;
    p->devices = host_devices(h);
    table_init(&p->placed, sizeof(struct partition_request));
    p->use = share_create(h);
    if (p->use != NULL)
        return 0;
    host_fail(h, "out of memory");
    return -1;
}

static inline void partition_release(struct partition *p)
{
    table_release(&p->placed);
    for (size_t i = 0; i < p->apps_count; i++) {
        table_release(&p->apps[i].waiting);
        free(p->apps[i].placed);
        free(p->apps[i].had);
    }
    free(p->apps);
    free(p->jobs);
    free(p->use);
}

/* Whether application i takes part in the division of device d. */
static inline bool partition_present(const struct partition *p, dev_id d, uint32_t i)
{
    if (p->params->present == PARTITION_JOBS)
        return p->apps[i].jobs > 0;
    return p->apps[i].placed[d] > 0;
}

/* How many applications of a class do beside application `self`. */
static inline uint32_t partition_others(const struct partition *p, dev_id d, enum host_class class,
                                        uint32_t self)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->apps_count; i++)
        if (p->apps[i].class == class && i != self && partition_present(p, d, i))
            count++;
    return count;
}

static inline uint32_t partition_app_index(struct partition *p, const struct host_request *view)
{
    for (uint32_t i = 0; i < p->apps_count; i++)
        if (p->apps[i].app == view->app)
            return i;
    p->apps = grow(p->apps, &p->apps_capacity, p->apps_count, sizeof *p->apps, 4);
    uint32_t *placed = calloc(p->devices, sizeof *placed);
    uint32_t *had = calloc(p->devices, sizeof *had);
    if (placed == NULL || had == NULL)
        abort();
    struct partition_app *app = &p->apps[p->apps_count];
    *app = (struct partition_app){
        .app = view->app, .class = view->class, .placed = placed, .had = had};
    table_init(&app->waiting, sizeof(struct partition_request));
    return (uint32_t)p->apps_count++;
}

/* The application of the job is known from now on. */
static inline void partition_learn(struct partition *p, job_id job, uint32_t app)
{
    for (size_t i = p->jobs_count; i-- > 0;)
        if (p->jobs[i].job == job)
            return;
    p->jobs = grow(p->jobs, &p->jobs_capacity, p->jobs_count, sizeof *p->jobs, 8);
    p->jobs[p->jobs_count++] = (struct partition_job){.job = job, .app = app};
    p->apps[app].jobs++;
}

static inline void partition_job(struct partition *p, job_id job, bool begins)
{
    for (size_t i = 0; !begins && i < p->jobs_count; i++) {
        if (p->jobs[i].job != job)
            continue;
        p->apps[p->jobs[i].app].jobs--;
        p->jobs[i] = p->jobs[--p->jobs_count];
        return;
    }
}

/* Launches the next kernel of a request on d if it fits there; a request that begins gets its place
 * there, and *q is elsewhere then. */
static inline bool partition_try(struct partition *p, struct host *h, struct partition_request *q,
                                 dev_id d)
{
    struct host_device device;
    host_device(h, d, &device);
    uint32_t sms = p->part(p, d, &device, q->app);
    struct host_allotment a = share_allotment(&device, p->mechanism, sms);
    if (sms == 0 || !share_takes(&device, &p->use[d], a, q->share.memory_bytes))
        return false;
    if (q->share.device == HOST_NO_DEVICE) {
        q = table_move(&p->apps[q->app].waiting, &p->placed, q->share.r);
        share_place(p->use, &q->share, d);
        p->apps[q->app].placed[d]++;
    }
    p->apps[q->app].had[d] = a.sms;
    share_start(p->use, &q->share, a.sms);
    q->share.fixed = device.can_resize && host_is_transfer(h, q->share.r);
    host_launch(h, q->share.r, d, a);
    return true;
}

/* Begins a request on the best device that takes it. */
static inline bool partition_begin(struct partition *p, struct host *h, struct partition_request *q)
{
    const struct partition_app *app = &p->apps[q->app];
    dev_id after = HOST_NO_DEVICE;
    for (uint32_t tries = 0; tries < p->devices; tries++) {
        /* The best of those that are not better than the last one tried. */
        dev_id best = HOST_NO_DEVICE;
        for (dev_id d = 0; d < p->devices; d++) {
            if (after != HOST_NO_DEVICE &&
                (share_better(&p->use[d], &p->use[after]) ||
                 (!share_better(&p->use[after], &p->use[d]) && d <= after)))
                continue;
            if (best == HOST_NO_DEVICE || share_better(&p->use[d], &p->use[best]))
                best = d;
        }
        if (best == HOST_NO_DEVICE)
            return false;
        if (app->placed[best] < (uint64_t)p->params->concurrency && partition_try(p, h, q, best))
            return true;
        after = best;
    }
    return false;
}

/* The application whose next request is the oldest of those that may still find a place; NULL if
 * there is none. */
static inline struct partition_app *partition_next(const struct partition *p)
{
    struct partition_app *next = NULL;
    for (size_t i = 0; i < p->apps_count; i++) {
        struct partition_app *app = &p->apps[i];
        if (app->waiting.count > 0 && !app->blocked &&
            (next == NULL || table_id(&app->waiting, 0) < table_id(&next->waiting, 0)))
            next = app;
    }
    return next;
}

/* Launches what can be launched: requests that have begun go on, then others begin. */
static inline void partition_dispatch(struct partition *p, struct host *h)
{
    for (size_t i = 0; i < p->placed.count; i++) {
        struct partition_request *q = table_at(&p->placed, i);
        if (!q->share.runs)
            partition_try(p, h, q, q->share.device);
    }
    for (size_t i = 0; i < p->apps_count; i++)
        p->apps[i].blocked = false;
    for (struct partition_app *app; (app = partition_next(p)) != NULL;)
        app->blocked = !partition_begin(p, h, table_at(&app->waiting, 0));
}

static inline void partition_forget(struct partition *p, struct partition_request *q)
{
    p->apps[q->app].placed[q->share.device]--;
    share_leave(p->use, &q->share);
    table_remove(&p->placed, q->share.r);
}

static inline void partition_ready(struct partition *p, struct host *h, req_id r)
{
    struct host_request view;
    if (!host_request(h, r, &view))
        return;
    struct partition_request *q = table_find(&p->placed, r);
    if (q != NULL) {
        share_stop(p->use, &q->share); /* its launch came too late */
    } else {
        uint32_t app = partition_app_index(p, &view);
        partition_learn(p, view.job, app);
        q = table_add(&p->apps[app].waiting, r);
        q->app = app;
        q->share.class = view.class;
        q->share.device = HOST_NO_DEVICE;
        q->share.memory_bytes = view.memory_bytes;
    }
    partition_dispatch(p, h);
}

static inline void partition_complete(struct partition *p, struct host *h, req_id r,
                                      bool request_done)
{
    struct partition_request *q = table_find(&p->placed, r);
    share_stop(p->use, &q->share);
    if (request_done)
        partition_forget(p, q);
    partition_dispatch(p, h);
}

static inline void partition_gone(struct partition *p, struct host *h, req_id r)
{
    struct partition_request *q = table_find(&p->placed, r);
    if (q == NULL) {
        for (size_t i = 0; i < p->apps_count; i++)
            table_remove(&p->apps[i].waiting, r);
        return;
    }
    partition_forget(p, q);
    partition_dispatch(p, h);
}

/* The callbacks of a policy whose state begins with its struct partition. */
static inline void partition_fini(void *state)
{
    partition_release(state);
}

static inline void partition_on_job(void *state, struct host *h, job_id job, bool begins)
{
    (void)h;
    partition_job(state, job, begins);
}

static inline void partition_on_ready(void *state, struct host *h, req_id r)
{
    partition_ready(state, h, r);
}

static inline void partition_on_complete(void *state, struct host *h, req_id r, dev_id d,
                                         bool request_done)
{
    (void)d;
    partition_complete(state, h, r, request_done);
}

static inline void partition_on_gone(void *state, struct host *h, req_id r)
{
    partition_gone(state, h, r);
}

#endif
