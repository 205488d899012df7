/*
 * c_laius.c - C-Laius: just-enough quotas for latency requests, the rest of the device for batch
 * kernels, chosen so that memory bandwidth suffices; a request that falls behind gets more.
 *
 *   - Latency requests: plan.h (sections 6.1, 7 and 8, equations 3 and 6 to 8).
 *   - Batch kernels: allocator.h, over the SMs, the bandwidth and the memory that are left
 *     (section 6.2, equations 4 and 5).
 *
 * Quotas change from one kernel to the next; nothing that runs is touched. All is decided when
 * something is ready or ends: the paper's intervals would find nothing to do in between.
 *
 * Open in the paper, and decided here. (1) A lag is the time since the request's first launch less
 * the prediction for the kernels that have ended: waits between kernels count. (2) With SMs of its
 * own a request whose SMs are still held by others waits for them, unless its kernel is predicted
 * to end sooner with the fewer SMs that it can have now; these stay reserved for it. That those
 * before it leave it less than it wants is no reason to take less. With caps of MPS nobody waits:
 * "it starts to run directly". (3) "Throughput" where no IPC is known: the speed relative to the
 * whole device. (4) Bandwidth of a service: of its current kernel. (5) Alone on a device a kernel
 * contends with nobody: one that breaks the bandwidth constraint by itself runs while nothing else
 * does. (6) Up to ALLOCATED waiting batch requests are looked at, the oldest ones. (7) Several
 * requests of one service: `within_service` (plan.h). (8) Several devices: share.h; a device looks
 * only at as many requests as may begin there, so an old one that does not fit holds up others.
 *
 * Transfers need no SMs. Those of services start at once; their quota stays reserved for the kernel
 * that follows. One of a batch request starts where nothing else is copied (share.h) and no latency
 * request would be late if it waited for it; requests that begin get quotas that bear the next one.
 *
 * REASONS that it gives (host_explain), with SMs: that the quota of a request for its next kernel
 * is now `just_enough`, follows a `lag`, is `rolled_back` to the first, follows from its priority
 * (`priority_1` .. `priority_3`), or is less than that since the device is `split`; that a kernel
 * was launched with its quota (`launch`) or with fewer SMs than it wants (`less_now`), or is a
 * transfer, which uses none (`copy`); that it has `ended`; that a batch kernel which is launched
 * now got its SMs when the search for the best allocation was broken off (`search_cut`).
 */
#include "policies/lib/allocator.h"
#include "policies/lib/plan.h"
#include "policies/lib/table.h"
#include "policies/policy.h"

#define ALLOCATED 16

struct claius_params {
    bool bandwidth_constraint, compensator, give_back;
    int mechanism, within_service;
    double granularity, threshold, target;
};

struct claius {
    const struct claius_params *params;
    struct quota_levels levels;
    struct table placed;     /* of struct plan_request: those with a place on a device */
    struct table waiting[2]; /* of the same, by class: those without, oldest first */
    struct share_use *use;   /* by device */
    size_t batch_most;       /* batch requests on a device, up to which they begin there now */
    struct plan plan;        /* of the device at hand */
    struct allocator allocator;
};

static const char *const mechanisms[] = {"green", "mps", NULL};
static const char *const within_service[] = {"lag", "keep", "services", NULL};

#define AT(member) .offset = offsetof(struct claius_params, member)

static const struct param params[] = {
    {PARAM_BOOL, "bandwidth_constraint", AT(bandwidth_constraint), .number = 1,
     .help = "Batch kernels only within the bandwidth that is left; off: C-Laius-NB."},
    {PARAM_BOOL, "compensator", AT(compensator), .number = 1,
     .help = "A request that falls behind gets a larger quota; off: C-Laius-NC."},
    {PARAM_BOOL, "give_back", AT(give_back),
     .help =
         "Of several services those that are early go down to just enough; off: they keep more."},
    {PARAM_REAL, "granularity", AT(granularity), .low = 0, .high = 1, .number = 0.1,
     .help = "Quotas are multiples of this share of the device, rounded up to what it can be "
             "partitioned into; 0: of the smallest part."},
    {PARAM_REAL, "threshold", AT(threshold), .low = 0, .high = 1, .number = 0.9,
     .help = "TH in equation 8."},
    {PARAM_REAL, "target", AT(target), .low = 0.01, .high = 1, .number = 1,
     .help = "Share of the SLA that quotas may use up; less leaves room for what comes later."},
    {PARAM_CHOICE, "mechanism", AT(mechanism), .choices = mechanisms,
     .help = "What the quotas are: SMs of their own, or caps of MPS."},
    {PARAM_CHOICE, "within_service", AT(within_service), .choices = within_service,
     .help = "Several requests of one service. lag: each by its own lag, the oldest first; keep: "
             "the latest gets more, none gives back, the oldest first; services: as if each were "
             "a service."},
    {0},
};

/* ---- Launches ---- */

/* A batch request gets its place on d, and *q is elsewhere then. Where it is. */
static struct plan_request *place(struct claius *self, struct plan_request *q, dev_id d)
{
    if (q->share.device == HOST_NO_DEVICE)
        q = table_move(&self->waiting[q->share.class], &self->placed, q->share.r);
    share_place(self->use, &q->share, d);
    return q;
}

static void launch(struct claius *self, struct host *h, struct plan_request *q, dev_id d,
                   uint32_t level)
{
    q = place(self, q, d);
    share_start(self->use, &q->share, self->levels.sms[level]);
    q->level = level;
    q->bandwidth =
        quota_predict(&self->levels, h, plan_known(&self->plan, q), HOST_BANDWIDTH, level);
    if (plan_is_fresh(q))
        q->begun_ns = host_now(h);
    bool less = q->share.class == HOST_LATENCY && level < q->wanted;
    host_explain(h, q->share.r, less ? "less_now" : "launch", q->share.sms);
    host_launch(h, q->share.r, d, quota_allotment(&self->levels, level));
}

static void launch_copy(struct claius *self, struct host *h, struct plan_request *q, dev_id d)
{
    q = place(self, q, d);
    share_start_copy(self->use, &q->share);
    q->level = q->quota > 0 ? q->quota : 1;
    q->bandwidth = 0;
    if (plan_is_fresh(q))
        q->begun_ns = host_now(h);
    host_explain(h, q->share.r, "copy", 0);
    host_launch(h, q->share.r, d, (struct host_allotment){.mechanism = HOST_WHOLE});
}

/* Under MPS services may have more than there is. */
static uint32_t free_sms(const struct claius *self, dev_id d)
{
    uint32_t all = self->levels.sms[self->levels.count];
    return self->use[d].sms < all ? all - self->use[d].sms : 0;
}

static bool memory_fits(const struct claius *self, dev_id d, const struct plan_request *q)
{
    return self->use[d].kernels == 0 ||
           self->use[d].memory_bytes + q->share.memory_bytes <= self->levels.device.memory_bytes;
}

/* When a running kernel is predicted to end; one that has outlived its prediction: now. */
static int64_t predicted_end(struct claius *self, struct host *h, struct plan_request *q)
{
    struct host_request view;
    if (!host_request(h, q->share.r, &view) || view.began_ns == HOST_NEVER)
        return host_now(h);
    int64_t end_ns =
        share_later_ns(view.began_ns, quota_predict(&self->levels, h, plan_known(&self->plan, q),
                                                    HOST_DURATION_NS, q->level));
    return end_ns > host_now(h) ? end_ns : host_now(h);
}

/* When a request that others wait for is predicted to leave. */
static int64_t predicted_leave(struct claius *self, struct host *h, struct plan_request *q)
{
    int64_t left_ns = quota_left_ns(&self->levels, h, plan_known(&self->plan, q), q->quota);
    return share_later_ns(host_now(h) - plan_ran_ns(h, q), left_ns);
}

/* Until when q, which is not number `rank` in the order in which quotas are met, is predicted to
 * hold SMs that this one could have, and how many: until it leaves if its quota is met before, else
 * until its kernel ends. */
static int64_t predicted_hold(struct claius *self, struct host *h, struct plan_request *q,
                              size_t rank, uint32_t *sms)
{
    uint32_t quota = 0;
    for (size_t i = 0; i < rank; i++)
        if (self->plan.ranked[i].q == q)
            quota = self->levels.sms[q->quota];
    *sms = q->share.runs && q->share.sms > quota ? q->share.sms : quota;
    if (*sms == 0)
        return HOST_NEVER;
    return quota > 0 ? predicted_leave(self, h, q) : predicted_end(self, h, q);
}

/* When so many SMs are predicted to be free for number `rank`; HOST_NEVER: that is not known. */
static int64_t predicted_free(struct claius *self, struct host *h, size_t rank, uint32_t wanted)
{
    const struct plan_request *own = self->plan.ranked[rank].q;
    uint32_t got = self->levels.sms[self->levels.count], sms;
    for (size_t i = 0; i < self->placed.count; i++) {
        struct plan_request *q = table_at(&self->placed, i);
        if (q == own || q->share.device != own->share.device)
            continue;
        predicted_hold(self, h, q, rank, &sms);
        got -= sms < got ? sms : got;
    }
    int64_t after_ns = got < wanted ? -1 : host_now(h);
    while (got < wanted) {
        int64_t next_ns = HOST_NEVER;
        uint32_t next_sms = 0;
        for (size_t i = 0; i < self->placed.count; i++) {
            struct plan_request *q = table_at(&self->placed, i);
            if (q == own || q->share.device != own->share.device)
                continue;
            int64_t end_ns = predicted_hold(self, h, q, rank, &sms);
            if (end_ns <= after_ns || end_ns > next_ns)
                continue;
            next_sms = end_ns < next_ns ? sms : next_sms + sms;
            next_ns = end_ns;
        }
        if (next_ns == HOST_NEVER)
            return HOST_NEVER;
        got += next_sms;
        after_ns = next_ns;
    }
    return after_ns;
}

/* Whether the next kernel of number `rank` ends sooner at a lower level now than at the one that it
 * wants once that is free. */
static bool sooner_with_less(struct claius *self, struct host *h, size_t rank, uint32_t level)
{
    struct plan_request *q = self->plan.ranked[rank].q;
    int64_t free_ns = predicted_free(self, h, rank, self->levels.sms[q->wanted]);
    return free_ns == HOST_NEVER || plan_end_ns(&self->plan, h, q, host_now(h), level) <=
                                        plan_end_ns(&self->plan, h, q, free_ns, q->wanted);
}

/* The level at which the next kernel of number `rank` is to be launched now; 0: it waits.
 * `promised`: SMs of the quotas of the others that wait; with less than its own it goes ahead only
 * on what is left beside them. */
static uint32_t level_now(struct claius *self, struct host *h, size_t rank, uint32_t promised)
{
    const struct plan_request *q = self->plan.ranked[rank].q;
    uint32_t unused = free_sms(self, q->share.device), level = q->quota;
    if (self->levels.mechanism == HOST_MPS)
        return level;
    if (unused < self->levels.sms[level])
        level = quota_within(&self->levels, unused > promised ? unused - promised : 0);
    if (level == 0 || level == q->wanted)
        return level;
    return sooner_with_less(self, h, rank, level) ? level : 0;
}

/* Launches what need not wait for what others hold. Quotas add up to no more than the device, so
 * that nobody who takes its own delays another. */
static void launch_services(struct claius *self, struct host *h, dev_id d)
{
    const struct quota_levels *l = &self->levels;
    uint32_t promised = 0;
    for (size_t i = 0; i < self->plan.count; i++)
        if (self->plan.ranked[i].q->share.sms == 0 || !self->plan.ranked[i].q->share.runs)
            promised += l->sms[self->plan.ranked[i].q->quota];
    for (size_t i = 0; i < self->plan.count; i++) {
        struct plan_request *q = self->plan.ranked[i].q;
        uint32_t own = l->sms[q->quota], level;
        if (q->share.runs || self->use[d].kernels >= l->device.kernels_max ||
            !memory_fits(self, d, q))
            continue;
        if (share_is_transfer(h, &q->share)) {
            launch_copy(self, h, q, d);
        } else if (own > 0 && (level = level_now(self, h, i, promised - own)) > 0) {
            launch(self, h, q, d, level);
            promised -= own;
        }
    }
}

/* ---- Batch kernels ---- */

/* What batch kernels may take of d. */
static struct allocator_room room_for_batch(struct claius *self, struct host *h, dev_id d)
{
    const struct host_device *device = &self->levels.device;
    const struct share_use *use = &self->use[d];
    int64_t bandwidth = self->params->bandwidth_constraint && device->bandwidth > 0
                            ? device->bandwidth
                            : HOST_NEVER;
    uint64_t reserved = 0, memory = use->memory_bytes;
    for (size_t i = 0; i < self->placed.count; i++) {
        struct plan_request *q = table_at(&self->placed, i);
        if (q->share.device != d)
            continue;
        bool waits = q->share.class == HOST_LATENCY && !q->share.runs;
        int64_t used = q->share.runs ? q->bandwidth : 0;
        if (waits && q->quota > 0 && bandwidth != HOST_NEVER)
            used = quota_predict(&self->levels, h, plan_known(&self->plan, q), HOST_BANDWIDTH,
                                 q->quota);
        if (bandwidth != HOST_NEVER)
            bandwidth = used < bandwidth ? bandwidth - used : 0;
        uint32_t quota = q->share.class == HOST_LATENCY ? self->levels.sms[q->quota] : 0;
        uint32_t held = q->share.runs ? q->share.sms : 0;
        reserved += quota > held ? quota - held : 0;
        memory += waits ? q->share.memory_bytes : 0;
    }
    uint32_t sms = free_sms(self, d);
    return (struct allocator_room){
        .sms = reserved < sms ? sms - (uint32_t)reserved : 0,
        .tasks = use->kernels < device->kernels_max ? device->kernels_max - use->kernels : 0,
        .bandwidth = bandwidth,
        .memory_bytes = memory < device->memory_bytes ? device->memory_bytes - memory : 0,
    };
}

/* Batch requests that wait for d: those with their place there, then the oldest of those that may
 * begin there; only those whose next kernel is a transfer, or only the others. */
static size_t gather(const struct claius *self, const struct host *h, dev_id d, bool transfers,
                     struct plan_request **pool)
{
    size_t count = 0;
    for (size_t i = 0; i < self->placed.count && count < ALLOCATED; i++) {
        struct plan_request *q = table_at(&self->placed, i);
        if (q->share.class == HOST_BATCH && !q->share.runs && q->share.device == d &&
            share_is_transfer(h, &q->share) == transfers)
            pool[count++] = q;
    }
    const struct table *waiting = &self->waiting[HOST_BATCH];
    size_t begin = share_begins(&self->use[d], self->batch_most);
    for (size_t i = 0; i < waiting->count && i < ALLOCATED && count < ALLOCATED && begin > 0; i++) {
        struct plan_request *q = table_at(waiting, i);
        if (share_is_transfer(h, &q->share) != transfers)
            continue;
        pool[count++] = q;
        begin--;
    }
    return count;
}

/* The transfer of a batch request that is next on d; NULL if there is none. One that begins with it
 * does so where SMs are free, so that not all begin that wait. */
static struct plan_request *next_copy(struct claius *self, struct host *h, dev_id d)
{
    struct plan_request *pool[ALLOCATED];
    const struct share_use *use = &self->use[d];
    size_t count = gather(self, h, d, true, pool);
    for (size_t i = 0; i < count; i++)
        if (use->kernels < self->levels.device.kernels_max && memory_fits(self, d, pool[i]) &&
            (pool[i]->share.device == d || room_for_batch(self, h, d).sms > 0))
            return pool[i];
    return NULL;
}

/* How long a transfer of a batch request on d lasts: what is left of one that runs, else the next
 * one. 0 if there is none. */
static int64_t copy_ns(struct claius *self, struct host *h, dev_id d)
{
    for (size_t i = 0; i < self->placed.count && self->use[d].copies > 0; i++) {
        struct plan_request *q = table_at(&self->placed, i);
        if (q->share.device == d && q->share.class == HOST_BATCH && q->share.runs &&
            q->share.copies)
            return predicted_end(self, h, q) - host_now(h);
    }
    struct plan_request *q = next_copy(self, h, d);
    return q != NULL ? quota_predict(&self->levels, h, plan_known(&self->plan, q), HOST_DURATION_NS,
                                     self->levels.count)
                     : 0;
}

/* Whether no latency request of d would be late if it waited so long. */
static bool all_bear(struct claius *self, struct host *h, dev_id d, int64_t wait_ns)
{
    for (size_t i = 0; i < self->placed.count && self->use[d].latency > 0; i++) {
        struct plan_request *q = table_at(&self->placed, i);
        if (q->share.class == HOST_LATENCY && q->share.device == d &&
            !plan_bears(&self->plan, h, q, wait_ns))
            return false;
    }
    return true;
}

/* Starts a transfer of a batch request if the bus is free and services bear it. */
static void copy_batch(struct claius *self, struct host *h, dev_id d)
{
    struct plan_request *q = share_bus_is_free(&self->use[d]) ? next_copy(self, h, d) : NULL;
    if (q != NULL && all_bear(self, h, d, copy_ns(self, h, d)))
        launch_copy(self, h, q, d);
}

/* What a batch request could get of the room, up to level `top`. */
static void options(struct claius *self, struct host *h, struct plan_request *q,
                    const struct allocator_room *room, uint32_t top, struct allocator_option *out)
{
    const struct quota_levels *l = &self->levels;
    struct quota_predictions *p = plan_known(&self->plan, q);
    bool limited = room->bandwidth != HOST_NEVER;
    if (limited)
        quota_ask(l, h, p, HOST_BANDWIDTH, top);
    quota_ask(l, h, p, HOST_MILLI_IPC, top);
    for (uint32_t level = 1; level <= top; level++) {
        int64_t bandwidth = limited ? quota_predict(l, h, p, HOST_BANDWIDTH, level) : 0;
        out[level - 1] = (struct allocator_option){.sms = l->sms[level],
                                                   .value = quota_throughput(l, h, p, level),
                                                   .bandwidth = bandwidth};
    }
}

static void launch_batch(struct claius *self, struct host *h, dev_id d)
{
    struct plan_request *pool[ALLOCATED];
    req_id ids[ALLOCATED]; /* launches move records */
    copy_batch(self, h, d);
    size_t count = gather(self, h, d, false, pool);
    if (count == 0 || free_sms(self, d) == 0)
        return;
    struct allocator_room room = room_for_batch(self, h, d);
    uint32_t top = quota_within(&self->levels, room.sms);
    if (top == 0 || room.tasks == 0)
        return;
    struct allocator_task tasks[ALLOCATED];
    struct allocator_option offers[ALLOCATED][QUOTA_LEVELS_MAX];
    for (size_t i = 0; i < count; i++) {
        ids[i] = pool[i]->share.r;
        options(self, h, pool[i], &room, top, offers[i]);
        tasks[i] = (struct allocator_task){.options = offers[i],
                                           .options_count = top,
                                           .memory_bytes = pool[i]->share.memory_bytes};
    }
    int64_t value = allocator_solve(&self->allocator, tasks, count, &room);
    if (value == 0 && self->use[d].kernels == 0 && self->use[d].latency == 0) {
        room.bandwidth = HOST_NEVER;
        room.memory_bytes = UINT64_MAX; /* too large for the device: the host says so */
        room.tasks = 1;
        allocator_solve(&self->allocator, tasks, count, &room);
    }
    for (size_t i = 0; i < count; i++) {
        if (tasks[i].chosen == ALLOCATOR_NONE)
            continue;
        struct plan_request *q = table_find(&self->placed, ids[i]);
        if (q == NULL)
            q = table_find(&self->waiting[HOST_BATCH], ids[i]);
        uint32_t level = (uint32_t)tasks[i].chosen + 1;
        if (self->allocator.cut)
            host_explain(h, ids[i], "search_cut", self->levels.sms[level]);
        launch(self, h, q, d, level);
    }
}

/* ---- Callbacks ---- */

/* Gives latency requests without a place one, the oldest first: no more than could run together. */
static void place_services(struct claius *self, const struct host *h)
{
    struct table *waiting = &self->waiting[HOST_LATENCY];
    while (waiting->count > 0) {
        dev_id best = share_best(self->use, host_devices(h));
        if (self->use[best].latency >= self->levels.device.kernels_max)
            return; /* the best has the fewest */
        struct plan_request *q = table_move(waiting, &self->placed, table_id(waiting, 0));
        share_place(self->use, &q->share, best);
    }
}

/* The latency requests of d; true if one of them waits. */
static bool collect(struct claius *self, const struct host *h, dev_id d)
{
    bool waits = false;
    plan_begin(&self->plan);
    for (size_t i = 0; i < self->placed.count; i++) {
        struct plan_request *q = table_at(&self->placed, i);
        if (q->share.class != HOST_LATENCY || q->share.device != d)
            continue;
        struct host_request view; /* a kernel may have ended that we have not been told of yet */
        bool here = host_request(h, q->share.r, &view);
        plan_at_kernel(&self->plan, q, here ? view.kernel : UINT32_MAX);
        if (here)
            plan_add(&self->plan, q);
        waits = waits || !q->share.runs;
    }
    return waits;
}

static void dispatch(struct claius *self, struct host *h)
{
    uint32_t devices = host_devices(h);
    place_services(self, h);
    self->batch_most = share_even(self->use, devices, self->waiting[HOST_BATCH].count);
    for (dev_id d = 0; d < devices; d++) {
        if (collect(self, h, d)) {
            self->plan.copy_ns = copy_ns(self, h, d);
            plan_decide(&self->plan, h);
            launch_services(self, h, d);
        }
        launch_batch(self, h, d);
    }
    while (self->waiting[HOST_BATCH].count > 0 &&
           (self->batch_most = share_raise(self->use, devices, self->batch_most)) > 0)
        for (dev_id d = 0; d < devices; d++)
            if (share_begins(&self->use[d], self->batch_most) == 1)
                launch_batch(self, h, d);
}

/* It leaves; it has its place, or else waits for one. */
static void forget(struct claius *self, struct plan_request *q)
{
    struct table *t =
        q->share.device != HOST_NO_DEVICE ? &self->placed : &self->waiting[q->share.class];
    if (q->known != NULL)
        quota_give_back(&self->plan.predictions, q->known);
    share_leave(self->use, &q->share);
    table_remove(t, q->share.r);
}

static int claius_init(void *state, const void *given, struct host *h)
{
    struct claius *self = state;
    struct host_device device;
    self->params = given;
    host_device(h, 0, &device);
    quota_levels_init(&self->levels, &device, self->params->mechanism == 0 ? HOST_GREEN : HOST_MPS,
                      self->params->granularity);
    self->plan = (struct plan){.levels = &self->levels,
                               .within = (enum plan_within)self->params->within_service,
                               .compensator = self->params->compensator,
                               .give_back = self->params->give_back,
                               .threshold = self->params->threshold};
    table_init(&self->placed, sizeof(struct plan_request));
    table_init(&self->waiting[HOST_LATENCY], sizeof(struct plan_request));
    table_init(&self->waiting[HOST_BATCH], sizeof(struct plan_request));
    self->use = share_create(h);
    if (self->use != NULL)
        return 0;
    host_fail(h, "out of memory");
    return -1;
}

static void claius_fini(void *state)
{
    struct claius *self = state;
    table_release(&self->placed);
    table_release(&self->waiting[HOST_LATENCY]);
    table_release(&self->waiting[HOST_BATCH]);
    plan_release(&self->plan);
    allocator_release(&self->allocator);
    free(self->use);
}

static void claius_on_ready(void *state, struct host *h, req_id r)
{
    struct claius *self = state;
    struct host_request view;
    if (!host_request(h, r, &view))
        return;
    struct plan_request *q = table_find(&self->placed, r);
    if (q == NULL) {
        q = table_add(&self->waiting[view.class], r);
        q->share.class = view.class;
        q->share.device = HOST_NO_DEVICE;
        q->share.memory_bytes = view.memory_bytes;
        q->app = view.app;
        q->kernel = view.kernel;
        q->aim_ns = share_aim_ns(&view, self->params->target);
        q->begun_ns = HOST_NEVER;
    } else {
        share_stop(self->use, &q->share); /* its launch came too late */
        if (view.kernel == 0)
            q->begun_ns = HOST_NEVER;
    }
    dispatch(self, h);
}

static void claius_on_complete(void *state, struct host *h, req_id r, dev_id d, bool request_done)
{
    struct claius *self = state;
    struct plan_request *q = table_find(&self->placed, r);
    struct host_request view;
    (void)d;
    host_explain(h, r, "ended", q->share.sms);
    share_stop(self->use, &q->share);
    if (request_done) {
        forget(self, q);
    } else if (host_request(h, r, &view)) {
        uint32_t ended = view.kernel - 1;
        if (q->share.class == HOST_LATENCY) {
            if (ended == 0)
                q->begun_ns = view.start_ns;
            q->expected_ns =
                share_later_ns(q->expected_ns, plan_expected(&self->plan, h, q, ended));
        }
        plan_at_kernel(&self->plan, q, view.kernel);
    }
    dispatch(self, h);
}

static void claius_on_gone(void *state, struct host *h, req_id r)
{
    struct claius *self = state;
    struct plan_request *q = table_find(&self->placed, r);
    for (int c = 0; q == NULL && c < 2; c++)
        q = table_find(&self->waiting[c], r);
    if (q != NULL)
        forget(self, q);
    dispatch(self, h);
}

const struct policy policy_c_laius;
const struct policy policy_c_laius = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "c-laius",
    .summary = "Just-enough SMs for latency requests, the rest for batch within the bandwidth.",
    .source = "C-Laius, sections 6 to 8, equations 3 to 8",
    .needs = 1u << HOST_GREEN | 1u << HOST_MPS,
    .params = params,
    .params_size = sizeof(struct claius_params),
    .state_size = sizeof(struct claius),
    .init = claius_init,
    .fini = claius_fini,
    .on_ready = claius_on_ready,
    .on_complete = claius_on_complete,
    .on_gone = claius_on_gone,
};
