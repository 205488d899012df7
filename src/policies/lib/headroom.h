/*
 * headroom.h - what policies share that run one launch at a time and let batch kernels go first
 * where latency requests can bear it: their requests, their headroom, which batch kernel fits.
 *
 * A latency request gets a device when it arrives: the one with the fewest latency requests, then
 * one that is idle. Those of a device are served in the order of their arrival. The headroom of the
 * i-th of them is
 *
 *   T_hr = T_qos - T_queue - T_solo - sum of T_lc of those before it       (Tacker, equation 9)
 *
 * which at any later time is its deadline - now - predicted time of the kernels that it and those
 * before it have left. What goes first may take no longer than the headroom of every latency
 * request of the device (equation 7). A latency request without an SLA has a headroom of 0: batch
 * kernels wait for it.
 *
 * Which batch kernel: C-Laius says that Baymax reorders kernels by the headroom; Tacker's scheduler
 * goes through the ready ones and launches each that fits. Here the longest that fits is taken, or
 * with `order` = fifo the first that does. While no latency request is there nothing has to fit,
 * and batch requests are served first come, first served in either case: the longest first would
 * let short ones starve.
 *
 * How many: with `reorder` = all, as many as fit go before the next latency kernel, so that the
 * headroom of a request is used up before its first one. With `one`, one of each batch application
 * goes before each latency kernel: Tacker goes through the ready kernels, the first of each
 * application's queue, each time that it launches a kernel of a latency request. With `none` batch
 * kernels run only while a device has no latency request. Neither paper says which of the first two
 * Baymax does; a device that is never idle does as much batch work with each of them.
 *
 * For whom: "we choose to complete the early queries, and only perform kernel reorder and kernel
 * fusion for the last arrived query" (Tacker, section VII). So with `reorder_for` = last batch
 * kernels go ahead only while the device has no more than one latency request; with any, whenever
 * every headroom bears it.
 *
 * The headroom is used up to the last: a request that arrives afterwards finds none, and neither
 * paper keeps any for it. `target` does, by aiming at less than the SLA.
 *
 * Transfers need no SMs, and run beside kernels. One of a latency request starts at once; the
 * kernel of a later request, or of a batch request, goes ahead meanwhile as far as the headroom
 * bears it. One of a batch request starts where nothing else is copied (share.h) and the headroom
 * bears it; a batch request begins with one only if none that has begun there waits.
 *
 * Batch requests get their place with their first launch, spread evenly over the devices as far as
 * there is room (share.h).
 */
#ifndef DCSIM_POLICIES_LIB_HEADROOM_H
#define DCSIM_POLICIES_LIB_HEADROOM_H

#include "policies/lib/share.h"
#include "policies/lib/table.h"

enum headroom_order { HEADROOM_LONGEST, HEADROOM_FIFO };
enum headroom_reorder { HEADROOM_ALL, HEADROOM_ONE, HEADROOM_NONE };
enum headroom_for { HEADROOM_FOR_LAST, HEADROOM_FOR_ANY };

struct headroom_params {
    int order, reorder, reorder_for;
    double target;
};

static const char *const headroom_orders[] = {"longest", "fifo", NULL};
static const char *const headroom_reorders[] = {"all", "one", "none", NULL};
static const char *const headroom_reorders_for[] = {"last", "any", NULL};

/* The rows of these options; `at`: the offset of the struct in the policy's struct of options. */
#define HEADROOM_PARAMS(at)                                                                        \
    {PARAM_CHOICE, "order", .offset = (at) + offsetof(struct headroom_params, order),              \
     .choices = headroom_orders,                                                                   \
     .help = "Which batch kernel goes first of those that fit: the longest, or the oldest "        \
             "request's."},                                                                        \
        {PARAM_CHOICE, "reorder", .offset = (at) + offsetof(struct headroom_params, reorder),      \
         .choices = headroom_reorders,                                                             \
         .help =                                                                                   \
             "How many batch kernels may go before a latency kernel: all that fit, one of each "   \
             "application, or none."},                                                             \
        {PARAM_CHOICE, "reorder_for",                                                              \
         .offset = (at) + offsetof(struct headroom_params, reorder_for),                           \
         .choices = headroom_reorders_for,                                                         \
         .help = "Where several latency requests wait: batch kernels go ahead of the last one, "   \
                 "when it is the only one left; or of any, if every headroom bears it."},          \
    {                                                                                              \
        PARAM_REAL, "target", .offset = (at) + offsetof(struct headroom_params, target),           \
                              .low = 0.01, .high = 1, .number = 1,                                 \
                              .help = "Share of the SLA that headroom is counted in; less leaves " \
                                      "room for what comes later."                                 \
    }

struct headroom_request {
    struct share_request share; /* batch requests get their place with their first launch */
    int64_t aim_ns;             /* its deadline, or earlier by `target`; HOST_NEVER: no SLA */
    int64_t predicted_ns; /* latency: all kernels that are left; batch: the next; -1: not asked */
    app_id app;
    int64_t kernel_ns; /* latency: the next; -1: not asked */
    uint64_t turn;     /* latency: of its current kernel, another one for each */
};

struct headroom {
    const struct headroom_params *params;
    struct table latency, batch; /* of struct headroom_request, by class: there may be a million
                                    batch requests */
    struct share_use *use;       /* by device */
    size_t batch_most;           /* of them on a device, up to which they begin there now */
    int64_t
        *copied_ns; /* by device: when the last transfer of a batch request is predicted to end */
    uint32_t devices;
    uint64_t turns;    /* so far */
    uint64_t *yielded; /* by application and device: before which turn it last went */
    size_t yielded_count, yielded_capacity;
};

static const struct host_allotment headroom_whole = {.mechanism = HOST_WHOLE};

static inline int headroom_init(struct headroom *self, struct host *h,
                                const struct headroom_params *params)
{
    self->params = params;
    table_init(&self->latency, sizeof(struct headroom_request));
    table_init(&self->batch, sizeof(struct headroom_request));
    self->use = share_create(h);
    self->devices = host_devices(h);
    self->copied_ns = calloc(self->devices, sizeof *self->copied_ns);
    if (self->use != NULL && self->copied_ns != NULL)
        return 0;
    host_fail(h, "out of memory");
    return -1;
}

static inline void headroom_release(struct headroom *self)
{
    table_release(&self->latency);
    table_release(&self->batch);
    free(self->use);
    free(self->copied_ns);
    free(self->yielded);
}

/* ---- Requests ---- */

/* NULL if there is none. */
static inline struct headroom_request *headroom_find(const struct headroom *self, req_id r)
{
    struct headroom_request *q = table_find(&self->latency, r);
    return q != NULL ? q : table_find(&self->batch, r);
}

/* It has arrived, or its launch came too late. */
static inline void headroom_ready(struct headroom *self, struct host *h, req_id r)
{
    struct host_request view;
    if (!host_request(h, r, &view))
        return;
    struct headroom_request *q = headroom_find(self, r);
    if (q != NULL) {
        share_stop(self->use, &q->share);
        q->predicted_ns = q->kernel_ns = -1;
        return;
    }
    q = table_add(view.class == HOST_LATENCY ? &self->latency : &self->batch, r);
    q->share.class = view.class;
    q->share.memory_bytes = view.memory_bytes;
    q->app = view.app;
    q->turn = ++self->turns;
    q->aim_ns = share_aim_ns(&view, self->params->target);
    q->predicted_ns = q->kernel_ns = -1;
    q->share.device = HOST_NO_DEVICE;
    if (q->share.class == HOST_LATENCY)
        share_place(self->use, &q->share, share_best(self->use, host_devices(h)));
}

/* It has left. */
static inline void headroom_forget(struct headroom *self, req_id r)
{
    struct headroom_request *q = headroom_find(self, r);
    share_leave(self->use, &q->share);
    table_remove(q->share.class == HOST_LATENCY ? &self->latency : &self->batch, r);
}

/* A kernel of it has ended. */
static inline void headroom_complete(struct headroom *self, req_id r, bool request_done)
{
    struct headroom_request *q = headroom_find(self, r);
    share_stop(self->use, &q->share);
    q->predicted_ns = q->kernel_ns = -1;
    q->turn = ++self->turns;
    if (request_done)
        headroom_forget(self, r);
}

/* Its next kernel is about to be launched on d. */
static inline void headroom_start(struct headroom *self, struct headroom_request *q, dev_id d)
{
    share_place(self->use, &q->share, d);
    share_start(self->use, &q->share, 0);
}

/* Its next kernel, a transfer, is launched on d. */
static inline void headroom_copy(struct headroom *self, struct host *h, struct headroom_request *q,
                                 dev_id d)
{
    share_place(self->use, &q->share, d);
    share_start_copy(self->use, &q->share);
    host_launch(h, q->share.r, d, headroom_whole);
}

/* A kernel runs on d. */
static inline bool headroom_is_busy(const struct headroom *self, dev_id d)
{
    return self->use[d].kernels > self->use[d].copies;
}

/* Whether the next kernel of q, and that of `other` with it unless it is NULL, fit beside what runs
 * on d. What fits nowhere is let through when nothing is there, so that the host says what is
 * wrong.
 */
static inline bool headroom_fits(const struct headroom *self, const struct host *h, dev_id d,
                                 const struct headroom_request *q,
                                 const struct headroom_request *other)
{
    const struct share_use *use = &self->use[d];
    struct host_device device;
    if (use->kernels == 0 && other == NULL)
        return true;
    host_device(h, d, &device);
    uint64_t left = device.memory_bytes - use->memory_bytes;
    uint64_t more = other != NULL ? other->share.memory_bytes : 0;
    return use->kernels + (other != NULL) < device.kernels_max &&
           use->memory_bytes <= device.memory_bytes && more <= left &&
           q->share.memory_bytes <= left - more;
}

/* ---- Headroom ---- */

static inline int64_t headroom_predicted(struct host *h, struct headroom_request *q)
{
    if (q->predicted_ns < 0)
        q->predicted_ns =
            host_predict(h, q->share.r,
                         q->share.class == HOST_LATENCY ? HOST_TOTAL_DURATION_NS : HOST_DURATION_NS,
                         headroom_whole);
    return q->predicted_ns;
}

/* Whether q, which waits, may be next though older ones copy: all of these, with this least
 * headroom, can bear its kernel. None waits for a transfer that found no room. */
static inline bool headroom_is_next(struct host *h, struct headroom_request *q, int64_t least_ns)
{
    if (share_is_transfer(h, &q->share))
        return false;
    if (least_ns == HOST_NEVER)
        return true;
    if (q->kernel_ns < 0)
        q->kernel_ns = host_predict(h, q->share.r, HOST_DURATION_NS, headroom_whole);
    return q->kernel_ns < least_ns; /* equation 7 */
}

/* The least headroom of the latency requests of d, which may have to wait for a transfer of a batch
 * request; HOST_NEVER if it has none. *first: the one whose
 * kernel is next, NULL if there is none: the oldest, or while that copies the next one. */
static inline int64_t headroom_least(struct headroom *self, struct host *h, dev_id d,
                                     struct headroom_request **first)
{
    int64_t least = HOST_NEVER, queue = self->copied_ns[d] - host_now(h);
    bool one_waits = false;
    *first = NULL;
    if (queue < 0)
        queue = 0; /* no batch request copies, or longer than predicted */
    for (size_t i = 0; i < self->latency.count; i++) {
        struct headroom_request *q = table_at(&self->latency, i);
        if (q->share.device != d)
            continue;
        if (!one_waits && !q->share.runs) {
            one_waits = true;
            *first = headroom_is_next(h, q, least) ? q : NULL;
        }
        queue = share_later_ns(queue, headroom_predicted(h, q));
        int64_t own = 0;
        if (q->aim_ns != HOST_NEVER)
            own = share_earlier_ns(q->aim_ns - host_now(h), queue); /* equation 9 */
        if (own < least)
            least = own;
        if (least <= 0)
            break; /* nothing fits any more */
    }
    return least;
}

/* Whether batch requests of d may go ahead at all. */
static inline bool headroom_lets_batch(const struct headroom *self, dev_id d)
{
    uint32_t latency = self->use[d].latency;
    return latency == 0 || (self->params->reorder != HEADROOM_NONE &&
                            (latency == 1 || self->params->reorder_for == HEADROOM_FOR_ANY));
}

/* Whether the next kernel of q, a batch request, could be launched on d. */
static inline bool headroom_is_ready(const struct headroom *self, const struct headroom_request *q,
                                     dev_id d)
{
    if (q->share.device == HOST_NO_DEVICE)
        return share_begins(&self->use[d], self->batch_most) > 0;
    return !q->share.runs && q->share.device == d;
}

/* Before which turn an application's kernel last went first on d. */
static inline uint64_t *headroom_yielded(struct headroom *self, app_id app, dev_id d)
{
    size_t at = (size_t)app * self->devices + d;
    while (at >= self->yielded_count) {
        self->yielded = grow(self->yielded, &self->yielded_capacity, self->yielded_count,
                             sizeof *self->yielded, 8);
        self->yielded[self->yielded_count++] = 0;
    }
    return &self->yielded[at];
}

/* The batch request whose next kernel goes to d, before the latency request `first` if there is
 * one; NULL if none fits. */
static inline struct headroom_request *headroom_pick(struct headroom *self, struct host *h,
                                                     dev_id d, int64_t room_ns,
                                                     const struct headroom_request *first)
{
    struct headroom_request *best = NULL, *begun = NULL;
    if (!headroom_lets_batch(self, d))
        return NULL;
    for (size_t i = 0; i < self->batch.count && room_ns > 0; i++) {
        struct headroom_request *q = table_at(&self->batch, i);
        if (!headroom_is_ready(self, q, d) || share_is_transfer(h, &q->share))
            continue;
        if (room_ns == HOST_NEVER) {
            /* Nothing has to fit: one that has begun goes on, else the oldest begins. */
            if (begun == NULL && q->share.device == d)
                begun = q;
            if (best == NULL)
                best = q;
            continue;
        }
        if (self->params->reorder == HEADROOM_ONE && first != NULL &&
            *headroom_yielded(self, q->app, d) == first->turn)
            continue;
        if (headroom_predicted(h, q) >= room_ns) /* equation 7 */
            continue;
        if (best == NULL || (self->params->order == HEADROOM_LONGEST &&
                             headroom_predicted(h, q) > headroom_predicted(h, best)))
            best = q;
    }
    return begun != NULL ? begun : best;
}

/* The batch request whose transfer may start on d: the oldest that has begun there, else the oldest
 * that begins with one if none that has begun waits; NULL if there is none. */
static inline struct headroom_request *headroom_pick_copy(const struct headroom *self,
                                                          const struct host *h, dev_id d)
{
    struct headroom_request *begins = NULL;
    bool one_waits = false;
    for (size_t i = 0; i < self->batch.count; i++) {
        struct headroom_request *q = table_at(&self->batch, i);
        if (!headroom_is_ready(self, q, d))
            continue;
        bool begun = q->share.device == d, copies = share_is_transfer(h, &q->share);
        if (begun && copies)
            return q;
        one_waits = one_waits || begun;
        if (!begun && copies && begins == NULL)
            begins = q;
    }
    return one_waits ? NULL : begins;
}

/* Starts the transfers that can start on d. */
static inline void headroom_launch_copies(struct headroom *self, struct host *h, dev_id d)
{
    for (size_t i = 0; i < self->latency.count; i++) {
        struct headroom_request *q = table_at(&self->latency, i);
        if (q->share.device == d && !q->share.runs && share_is_transfer(h, &q->share) &&
            headroom_fits(self, h, d, q, NULL))
            headroom_copy(self, h, q, d);
    }
    if (!share_bus_is_free(&self->use[d]) || !headroom_lets_batch(self, d))
        return;
    struct headroom_request *q = headroom_pick_copy(self, h, d), *first;
    if (q != NULL && headroom_fits(self, h, d, q, NULL) &&
        (self->use[d].latency == 0 ||
         headroom_predicted(h, q) < headroom_least(self, h, d, &first))) {
        self->copied_ns[d] = share_later_ns(host_now(h), headroom_predicted(h, q));
        headroom_copy(self, h, q, d);
    }
}

/* Baymax's next launch on d, where no kernel runs: a batch kernel that fits, else the next latency
 * kernel. */
static inline void headroom_launch(struct headroom *self, struct host *h, dev_id d, int64_t room_ns,
                                   struct headroom_request *first)
{
    struct headroom_request *next = headroom_pick(self, h, d, room_ns, first);
    bool ahead = next != NULL && first != NULL;
    if (next == NULL)
        next = first;
    if (next == NULL || !headroom_fits(self, h, d, next, NULL))
        return;
    if (ahead)
        *headroom_yielded(self, next->app, d) = first->turn;
    headroom_start(self, next, d);
    host_launch(h, next->share.r, d, headroom_whole);
}

/* Batch requests that have not begun. */
static inline size_t headroom_without_place(const struct headroom *self)
{
    size_t n = self->batch.count;
    for (dev_id d = 0; d < self->devices; d++)
        n -= self->use[d].batch;
    return n;
}

/* Lets each device launch what it can: batch requests are spread evenly as far as there is room
 * (share.h). */
static inline void headroom_dispatch(struct headroom *self, struct host *h,
                                     void (*launch)(void *policy, struct host *h, dev_id d),
                                     void *policy)
{
    self->batch_most = share_even(self->use, self->devices, headroom_without_place(self));
    for (dev_id d = 0; d < self->devices; d++)
        launch(policy, h, d);
    while (headroom_without_place(self) > 0 &&
           (self->batch_most = share_raise(self->use, self->devices, self->batch_most)) > 0)
        for (dev_id d = 0; d < self->devices; d++)
            if (share_begins(&self->use[d], self->batch_most) == 1)
                launch(policy, h, d);
}

#endif
