/*
 * themis_engine.h - what the policies on the SM allocation engine of Themis share: when SMs move,
 * and how slow-downs become known (lib/themis_see.h) (Themis, sections IV and VII).
 *
 * WHEN. The first division is by weight (lib/weighted.h), and so is each one after an application
 * has come or gone. At the end of a kernel, when `period_ms` has passed since the last decision
 * about the device, algorithm 1 looks for a better one among the applications of which a kernel has
 * ended with its part since the last change; the others keep what they have. Parts move in steps of
 * the device, where the paper moves single SMs, and hold from the next kernel on, where it
 * preempts; but on a device that can resize what runs they hold at once. Such a kernel counts as
 * one on the SMs that it had in the mean of its time. There an application of which nothing but
 * transfers, which no SM slows, have ended since the last change is not known.
 *
 * STAGES, of who measures by them (Bubble-Flux). The device belongs to all by their parts, until
 * each has ended a kernel; then to each alone in turn, until it has ended one; and so on. A stage
 * lasts `phase_ms` at least. The stage of an application that has nothing to run is passed over. A
 * stage of one begins when what ran before has ended, since no kernel here can be stopped and go
 * on, and none can have no SMs, also where what runs can be resized.
 *
 * LEFT OPEN, and read in favour of the paper: an application is the unit, not its kernel of the
 * moment, since an application is what is to be slowed fairly, and kernels here are short; the
 * period, of which the paper says that it hardly matters, prints none in its text, and is about a
 * request of the applications of the H200; no slow-down is below 1.
 */
#ifndef DCSIM_POLICIES_LIB_THEMIS_ENGINE_H
#define DCSIM_POLICIES_LIB_THEMIS_ENGINE_H

#include "policies/lib/themis.h"
#include "policies/lib/themis_see.h"
#include "policies/lib/weighted.h"

#include <string.h>

struct themis_params {
    int64_t max_dist, period_ns;
};

/* Of those that divide fairly. */
struct themis_fair_params {
    struct themis_params engine;
    double threshold;
    int slowdowns;    /* of themis-fair and themis-qos: enum themis_by, up to BY NETWORK */
    int64_t phase_ns; /* of bubble-psp */
};

/* The rows of these options; `at`: the offset of the struct in the policy's struct of options. */
#define THEMIS_PARAMS(at)                                                                          \
    {PARAM_INT,                                                                                    \
     "max_dist",                                                                                   \
     .offset = (at) + offsetof(struct themis_params, max_dist),                                    \
     .unit = "steps",                                                                              \
     .low = 1,                                                                                     \
     .high = 1e6,                                                                                  \
     .number = 5,                                                                                  \
     .help = "By how many steps of the device a part moves at most in one decision (maxDist; the " \
             "paper's steps are single SMs of 60)."},                                              \
    {                                                                                              \
        PARAM_TIME, "period_ms", .offset = (at) + offsetof(struct themis_params, period_ns),       \
                                 .unit = "ms", .low = 0, .high = 1e9, .number = 10,                \
                                 .help = "Time between two decisions about a device."              \
    }

#define THEMIS_FAIR_PARAMS                                                                         \
    THEMIS_PARAMS(offsetof(struct themis_fair_params, engine)),                                    \
    {                                                                                              \
        PARAM_REAL, "threshold", .offset = offsetof(struct themis_fair_params, threshold),         \
                                 .low = 0, .high = 1, .number = 0.1,                               \
                                 .help = "Unfairness below which nothing moves (thres)."           \
    }

/* `at`: the offset of an int. */
#define THEMIS_SLOWDOWNS_PARAM(at)                                                                 \
    {                                                                                              \
        PARAM_CHOICE, "slowdowns",                                                                 \
            .offset = (at), .choices = themis_slowdowns,                                           \
            .help = "Slow-downs by predicted and measured times of kernels, "                      \
                    "or by the network of Themis from counters (needs the "                        \
                    "key slowdowns)."                                                              \
    }

static const char *const themis_slowdowns[] = {"times", "network", NULL};

/* The latest time of a kernel on the whole device. */
struct themis_alone {
    uint64_t size; /* of the request's input */
    uint32_t kernel;
    double ns;
};

/* What is known of an application on a device. */
struct themis_known {
    struct themis_point *curve; /* by SMs */
    double part_ns, took_ns;    /* since the last change, of kernels that had its part: alone on
                                   these SMs, and measured; */
    bool ran;                   /* one of them on SMs, as far as anybody asked (share.fixed) */
    struct themis_point copies; /* transfers (share.fixed) since the latest kernel on SMs */
    double pressure[HOST_PRESSURES]; /* of its latest kernel */
    struct themis_alone *alone;      /* measured in its stages, by size and kernel */
    size_t alone_room, alone_count;
    uint32_t ended; /* kernels that began in the stage */
};

/* The division of a device. */
struct themis_device {
    uint32_t *apps, *steps; /* who has how many, as struct weighted lists them */
    size_t apps_room, steps_room;
    uint32_t count;
    int64_t decided_ns;
    uint32_t stage; /* 0: of all; else 1 + the place in apps of whose it is */
    int64_t stage_ns;
};

struct themis {
    struct weighted weighted; /* first: the callbacks of partition.h take it for the state */
    const struct themis_params *params;
    enum themis_by by;
    int64_t phase_ns; /* BY STAGES */
    struct themis_search search;
    struct themis_device *devices;
    struct themis_known *known; /* [application of partition.h * devices + device] */
    double *target;             /* by application of partition.h: of its latest request */
    size_t known_room, target_room, known_count;
    struct themis_app *apps;    /* of a search, */
    uint32_t *was, *steps, *at; /* its divisions, and where each is in the device's */
    size_t apps_room, was_room, steps_room, at_room, slowdown_room;
};

static inline struct themis_known *themis_known_of(const struct themis *self, uint32_t app,
                                                   dev_id d)
{
    return &self->known[(size_t)app * self->weighted.partition.devices + d];
}

/* Room for what is known of all applications, on all devices. */
static inline void themis_make_room(struct themis *self, uint32_t sms)
{
    const struct partition *p = &self->weighted.partition;
    for (; self->known_count < p->apps_count; self->known_count++) {
        self->target =
            grow(self->target, &self->target_room, self->known_count, sizeof *self->target, 4);
        self->target[self->known_count] = 0;
        for (dev_id d = 0; d < p->devices; d++) {
            size_t i = self->known_count * p->devices + d;
            self->known = grow(self->known, &self->known_room, i, sizeof *self->known, 4);
            self->known[i] =
                (struct themis_known){.curve = calloc(sms + 1, sizeof(struct themis_point))};
            if (self->known[i].curve == NULL)
                abort();
        }
    }
}

/* ---- The division ---- */

/* What was measured with other parts says nothing about interference any more. */
static inline void themis_begin_division(struct themis *self, struct themis_device *dev, dev_id d,
                                         int64_t now_ns)
{
    dev->decided_ns = now_ns;
    for (uint32_t i = 0; i < dev->count; i++) {
        struct themis_known *k = themis_known_of(self, dev->apps[i], d);
        k->part_ns = k->took_ns = 0;
        k->ran = false;
    }
}

static inline void themis_begin_stage(struct themis *self, dev_id d, uint32_t stage, int64_t now_ns)
{
    struct themis_device *dev = &self->devices[d];
    dev->stage = stage;
    dev->stage_ns = now_ns;
    for (uint32_t i = 0; i < dev->count; i++)
        themis_known_of(self, dev->apps[i], d)->ended = 0;
}

/* Divides by weight if others are present than there were; `app` is present. */
static inline void themis_divide(struct themis *self, uint32_t app, dev_id d,
                                 const struct host_device *device)
{
    struct weighted *w = &self->weighted;
    struct themis_device *dev = &self->devices[d];
    weighted_list(w, app);
    if (w->present == dev->count && memcmp(w->apps, dev->apps, dev->count * sizeof *dev->apps) == 0)
        return;
    weighted_divide(w, app, device);
    for (dev->count = 0; dev->count < w->present; dev->count++) {
        dev->apps = grow(dev->apps, &dev->apps_room, dev->count, sizeof *dev->apps, 4);
        dev->steps = grow(dev->steps, &dev->steps_room, dev->count, sizeof *dev->steps, 4);
        dev->apps[dev->count] = w->apps[dev->count];
        dev->steps[dev->count] = w->steps[dev->count];
    }
    themis_make_room(self, device->sms);
    self->search.sms = device->sms;
    themis_begin_stage(self, d, 0, host_now(w->host));
    themis_begin_division(self, dev, d, host_now(w->host));
}

/* ---- Stages ---- */

static inline bool themis_is_idle(const struct themis *self, uint32_t app, dev_id d)
{
    const struct partition_app *a = &self->weighted.partition.apps[app];
    return a->placed[d] == 0 && a->waiting.count == 0;
}

/* Whether the stage of a device is over. */
static inline bool themis_stage_over(struct themis *self, dev_id d, int64_t now_ns)
{
    const struct themis_device *dev = &self->devices[d];
    bool all = true;
    for (uint32_t i = 0; i < dev->count; i++)
        if (dev->stage == 0 || dev->stage == i + 1)
            all = all && (themis_known_of(self, dev->apps[i], d)->ended > 0 ||
                          themis_is_idle(self, dev->apps[i], d));
    bool idle = dev->stage > 0 && themis_is_idle(self, dev->apps[dev->stage - 1], d);
    return all && (idle || now_ns - dev->stage_ns >= self->phase_ns);
}

/* Goes on to the next stage, and over those of applications that are idle. */
static inline void themis_set_stage(struct themis *self, dev_id d, int64_t now_ns)
{
    struct themis_device *dev = &self->devices[d];
    for (uint32_t tries = 0; tries <= dev->count && themis_stage_over(self, d, now_ns); tries++) {
        themis_begin_stage(self, d, dev->stage < dev->count ? dev->stage + 1 : 0, now_ns);
        if (dev->stage == 0)
            return;
    }
}

/* SMs of an application in a stage of one alone; 0: it waits. */
static inline uint32_t themis_stage_part(const struct themis *self, uint32_t app, dev_id d,
                                         const struct host_device *device)
{
    const struct themis_device *dev = &self->devices[d];
    bool waits = dev->apps[dev->stage - 1] != app || self->weighted.partition.use[d].sms > 0;
    return waits ? 0 : share_sms(device, HOST_GREEN);
}

/* ---- Parts ---- */

/* SMs of an application's part; 0: it has none. */
static inline uint32_t themis_part_of(const struct themis_device *dev, uint32_t app,
                                      const struct host_device *device)
{
    for (uint32_t i = 0; i < dev->count; i++)
        if (dev->apps[i] == app)
            return weighted_sms(device, dev->steps[i], i == 0);
    return 0;
}

static inline uint32_t themis_part(const struct partition *p, dev_id d,
                                   const struct host_device *device, uint32_t app)
{
    struct themis *self = p->owner; /* of whose first member it is a member */
    themis_divide(self, app, d, device);
    if (self->by == THEMIS_BY_STAGES)
        themis_set_stage(self, d, host_now(self->weighted.host));
    if (self->devices[d].stage > 0)
        return themis_stage_part(self, app, d, device);
    return weighted_now(p, d, device, app, themis_part_of(&self->devices[d], app, device));
}

/* ---- What is seen ---- */

/* The sum over what runs on a device, of the latest kernels of each, beside an application. */
static inline void themis_press(const struct themis *self, uint32_t beside, dev_id d, double *sum)
{
    const struct table *placed = &self->weighted.partition.placed;
    memset(sum, 0, HOST_PRESSURES * sizeof *sum);
    for (size_t i = 0; i < placed->count; i++) {
        const struct partition_request *q = table_at(placed, i);
        if (q->share.device != d || !q->share.runs || q->app == beside)
            continue;
        for (size_t k = 0; k < HOST_PRESSURES; k++)
            sum[k] += themis_known_of(self, q->app, d)->pressure[k];
    }
}

/* The measured time of a request's kernel on the whole device, in a stage of its application; 0:
 * not yet. They are sorted by size and kernel. */
static inline double *themis_alone_of(struct themis_known *k, uint64_t size, uint32_t kernel)
{
    size_t low = 0, high = k->alone_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct themis_alone *a = &k->alone[middle];
        if (a->size < size || (a->size == size && a->kernel < kernel))
            low = middle + 1;
        else
            high = middle;
    }
    struct themis_alone *at = k->alone + low;
    if (low < k->alone_count && at->size == size && at->kernel == kernel)
        return &at->ns;
    k->alone = grow(k->alone, &k->alone_room, k->alone_count, sizeof *k->alone, 16);
    at = k->alone + low;
    memmove(at + 1, at, (k->alone_count++ - low) * sizeof *at);
    *at = (struct themis_alone){.size = size, .kernel = kernel};
    return &at->ns;
}

/* What has ended adds to the curve where it ran. No SMs slow a transfer (at: NULL), so alone it
 * would make its SMs look as good as the device: it counts where the next kernel on SMs does. */
static inline void themis_add_point(struct themis_known *k, const struct themis_seen *seen,
                                    struct themis_point *at)
{
    k->copies.whole_ns += seen->whole_ns;
    k->copies.part_ns += seen->part_ns;
    if (at == NULL)
        return;
    at->whole_ns += k->copies.whole_ns;
    at->part_ns += k->copies.part_ns;
    k->copies = (struct themis_point){0, 0};
}

/* A kernel of request r has ended on device d, and its application has this part of that. */
static inline void themis_see(struct themis *self, struct host *h, req_id r,
                              const struct partition_request *q, dev_id d, uint32_t part_sms)
{
    uint32_t app = q->app;
    struct themis_known *k = themis_known_of(self, app, d);
    struct host_request view;
    if (!host_request(h, r, &view) || view.kernel == 0)
        return;
    uint32_t sms = share_mean_sms(&q->share, view.start_ns, host_now(h));
    uint32_t kernel = view.kernel - 1;
    bool stages = self->by == THEMIS_BY_STAGES;
    double *alone_ns = stages ? themis_alone_of(k, view.input_size, kernel) : NULL;
    double pressure[HOST_PRESSURES];
    struct themis_seen seen;
    bool staged = stages && self->devices[d].stage > 0;
    bool began = view.start_ns >= self->devices[d].stage_ns; /* in the stage */
    bool whole = began && sms == self->search.sms;
    k->ended += staged ? whole : began;
    if (staged && whole) {
        *alone_ns = (double)host_measured(h, r, kernel);
        return;
    }
    themis_press(self, app, d, pressure);
    themis_see_pressure(h, r, kernel, k->pressure);
    if (!themis_see_kernel(self->by, h, r, kernel, sms, pressure, stages ? *alone_ns : 0, &seen))
        return;
    themis_add_point(k, &seen, q->share.fixed ? NULL : &k->curve[sms]);
    if (q->share.sms != part_sms)
        return;
    k->part_ns += seen.part_ns;
    k->took_ns += seen.took_ns;
    k->ran = k->ran || !q->share.fixed;
}

/* ---- Decisions ---- */

/* Lists the applications of a device of which enough is known. */
static inline void themis_gather(struct themis *self, dev_id d, const struct host_device *device)
{
    const struct themis_device *dev = &self->devices[d];
    struct themis_search *s = &self->search;
    s->count = 0;
    for (uint32_t i = 0; i < dev->count; i++) {
        const struct themis_known *k = themis_known_of(self, dev->apps[i], d);
        uint32_t n = s->count;
        if (!(k->took_ns > 0) || !k->ran)
            continue;
        self->apps = grow(self->apps, &self->apps_room, n, sizeof *self->apps, 4);
        self->was = grow(self->was, &self->was_room, n, sizeof *self->was, 4);
        self->steps = grow(self->steps, &self->steps_room, n, sizeof *self->steps, 4);
        self->at = grow(self->at, &self->at_room, n, sizeof *self->at, 4);
        s->slowdown = grow(s->slowdown, &self->slowdown_room, n, sizeof *s->slowdown, 4);
        double interference = k->took_ns / k->part_ns;
        app_id app = self->weighted.partition.apps[dev->apps[i]].app;
        self->apps[n] = (struct themis_app){.curve = k->curve,
                                            .interference = interference > 1 ? interference : 1,
                                            .weight = host_weight(self->weighted.host, app),
                                            .target = self->target[dev->apps[i]],
                                            .rest = weighted_sms(device, 0, i == 0)};
        self->was[n] = dev->steps[i];
        self->at[n] = i;
        s->count++;
    }
    s->apps = self->apps;
    s->sms = device->sms;
    s->step_sms = share_step(device, HOST_GREEN);
}

/* Keeps with the results whose part is what now. */
static inline void themis_explain(const struct themis *self, struct host *h, dev_id d,
                                  const struct host_device *device)
{
    const struct table *placed = &self->weighted.partition.placed;
    for (size_t i = 0; i < placed->count; i++) {
        const struct partition_request *q = table_at(placed, i);
        if (q->share.device == d)
            host_explain(h, q->share.r, "part", themis_part_of(&self->devices[d], q->app, device));
    }
}

static inline void themis_decide(struct themis *self, struct host *h, dev_id d,
                                 const struct host_device *device)
{
    struct themis_device *dev = &self->devices[d];
    if (host_now(h) - dev->decided_ns < self->params->period_ns)
        return;
    themis_gather(self, d, device);
    if (self->search.count < 2)
        return;
    dev->decided_ns = host_now(h);
    themis_find(&self->search, self->was, self->steps);
    bool moved = false;
    for (uint32_t i = 0; i < self->search.count; i++) {
        moved = moved || self->steps[i] != self->was[i];
        dev->steps[self->at[i]] = self->steps[i];
    }
    if (!moved)
        return;
    themis_begin_division(self, dev, d, dev->decided_ns);
    themis_explain(self, h, d, device);
}

/* ---- Where what runs can be resized ---- */

/* One kernel that runs gets its application's part, if that is smaller (or is not) and there. */
static inline void themis_resize_one(struct themis *self, struct host *h,
                                     struct partition_request *q, const struct host_device *device,
                                     bool smaller)
{
    struct share_use *use = self->weighted.partition.use;
    struct host_request view;
    dev_id d = q->share.device;
    uint32_t part = themis_part_of(&self->devices[d], q->app, device), had = q->share.sms;
    if (q->share.fixed || part == 0 || part == had || (part < had) != smaller ||
        use[d].sms - had + part > device->sms || !host_request(h, q->share.r, &view) ||
        view.state != HOST_RUNNING)
        return;
    share_resize(use, &q->share, part, view.start_ns, host_now(h));
    self->weighted.partition.apps[q->app].had[d] = part;
    host_resize(h, q->share.r, share_allotment(device, HOST_GREEN, part));
}

/* What runs gets the parts of its applications; first those that have to give SMs. In a stage of
 * one alone nobody has a part. */
static inline void themis_resize(struct themis *self, struct host *h, dev_id d,
                                 const struct host_device *device)
{
    const struct table *placed = &self->weighted.partition.placed;
    for (int turn = 0; turn < 2 && device->can_resize && self->devices[d].stage == 0; turn++)
        for (size_t i = 0; i < placed->count; i++) {
            struct partition_request *q = table_at(placed, i);
            if (q->share.device == d && q->share.runs)
                themis_resize_one(self, h, q, device, turn == 0);
        }
}

/* ---- Callbacks ---- */

static inline int themis_init(struct themis *self, struct host *h,
                              const struct themis_params *params, enum themis_by by)
{
    static const double none[HOST_PRESSURES] = {0};
    static const struct host_events nothing = {{0}};
    struct host_slowdown says;
    self->by = by;
    if (by == THEMIS_BY_NETWORK && !host_slowdown(h, HOST_BY_NETWORK, 1, &nothing, none, &says)) {
        host_fail(h, "policy.slowdowns asks the network, and nobody answers: train it with dcsim "
                     "train PROFILE, and set the key slowdowns to \"trained\"");
        return -1;
    }
    self->params = params;
    self->search.max_dist = (uint32_t)params->max_dist;
    self->weighted.partition.part = themis_part;
    self->devices = calloc(host_devices(h), sizeof *self->devices);
    if (self->devices != NULL)
        return weighted_init(&self->weighted, h);
    host_fail(h, "out of memory");
    return -1;
}

static inline int themis_init_fair(struct themis *self, struct host *h,
                                   const struct themis_fair_params *params, enum themis_by by)
{
    self->search.is_good = themis_is_fair;
    self->search.score = themis_score_fair;
    self->search.threshold = params->threshold;
    self->phase_ns = params->phase_ns;
    return themis_init(self, h, &params->engine, by);
}

static inline void themis_fini(void *state)
{
    struct themis *self = state;
    for (dev_id d = 0; self->devices != NULL && d < self->weighted.partition.devices; d++) {
        free(self->devices[d].apps);
        free(self->devices[d].steps);
    }
    for (size_t i = 0; i < self->known_count * self->weighted.partition.devices; i++) {
        free(self->known[i].curve);
        free(self->known[i].alone);
    }
    free(self->devices);
    free(self->known);
    free(self->target);
    free(self->apps);
    free(self->was);
    free(self->steps);
    free(self->at);
    free(self->search.slowdown);
    weighted_release(&self->weighted);
}

/* The progress that a request needs to meet its deadline; 0: it has none. */
static inline double themis_target(struct host *h, req_id r, const struct host_request *view)
{
    static const struct host_allotment whole = {.mechanism = HOST_WHOLE};
    if (view->deadline_ns == HOST_NEVER || view->deadline_ns <= view->arrival_ns)
        return 0;
    return (double)host_predict(h, r, HOST_REQUEST_DURATION_NS, whole) /
           (double)(view->deadline_ns - view->arrival_ns);
}

static inline void themis_on_ready(void *state, struct host *h, req_id r)
{
    struct themis *self = state;
    struct host_request view;
    struct host_device device; /* any of the domain: they are alike */
    if (host_request(h, r, &view) && host_device(h, 0, &device)) {
        uint32_t app = partition_app_index(&self->weighted.partition, &view);
        themis_make_room(self, device.sms);
        if (self->search.score == themis_score_qos)
            self->target[app] = themis_target(h, r, &view);
    }
    partition_on_ready(state, h, r);
}

static inline void themis_on_complete(void *state, struct host *h, req_id r, dev_id d,
                                      bool request_done)
{
    struct themis *self = state;
    struct host_device device;
    const struct partition_request *q = table_find(&self->weighted.partition.placed, r);
    if (q != NULL && host_device(h, d, &device)) {
        themis_see(self, h, r, q, d, themis_part_of(&self->devices[d], q->app, &device));
        themis_decide(self, h, d, &device);
        themis_resize(self, h, d, &device);
    }
    partition_on_complete(state, h, r, d, request_done);
}

/* The state of a policy on this engine, and its callbacks but init. */
#define THEMIS_CALLBACKS                                                                           \
    .state_size = sizeof(struct themis), .fini = themis_fini, .on_job = partition_on_job,          \
    .on_ready = themis_on_ready, .on_complete = themis_on_complete, .on_gone = partition_on_gone

#endif
