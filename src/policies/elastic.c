/*
 * elastic.c - Elastic and Elastic+TReM (TReM, sections IV-A and IV-B).
 *
 * Latency requests get as many devices as they need to meet their SLA, batch requests the others:
 *
 *   L_max(t) = l_e(t) * q(t)            (1)   l_e: mean duration of recent latency requests
 *                                             q: outstanding latency requests
 *   U(t)     = ceil(L_max(t) / SLA)     (2)   devices for latency requests
 *
 * U is recomputed at every completion, every `interval_ms` while it can matter, and (unless
 * `recompute_on_arrival` is off) at every latency arrival. A device beyond U that no batch request
 * wants serves latency requests too: leaving it idle would help nobody.
 *
 * With `revocation` the batch requests that were started last are revoked until U devices serve
 * latency requests, or enough for those that wait. Section IV-B: one that would end sooner than its
 * revocation takes is left to finish (section VI-B words it the other way round, which would defeat
 * the purpose); its device counts as on its way. One that has outlived its prediction is revoked
 * like any other: nobody knows when it ends.
 *
 * Open in the paper, and keys here: over how many completions l_e is taken, its first value, queue
 * order, and where a revoked request waits.
 */
#include "policies/lib/devices.h"
#include "policies/lib/queue.h"
#include "policies/policy.h"

struct elastic_params {
    bool revocation, recompute_on_arrival;
    int queue, requeue;
    int64_t max_revocations;
    int64_t sla_ns, interval_ns, first_ns;
    int64_t window;
};

struct elastic {
    const struct elastic_params *params;
    struct queue queue[2]; /* by enum host_class */
    struct devices devices;
    uint64_t outstanding; /* q(t) */
    uint32_t target;      /* U(t) */
    int64_t *recent;      /* durations of the last completions, a ring */
    uint64_t completions;
    int64_t recent_sum;
    timer_id timer; /* 0: none is set */
    bool due;       /* something has changed that has to be decided about ... */
    bool fresh;     /* ... after U was recomputed */
};

static const char *const queues[] = {"fifo", "jobs", NULL};
static const char *const requeues[] = {"front", "back", NULL};

#define AT(member) .offset = offsetof(struct elastic_params, member)

static const struct param params[] = {
    {PARAM_BOOL, "revocation", AT(revocation), .number = 0,
     .help = "Revoke batch requests for latency requests that wait (Elastic+TReM)."},
    {PARAM_TIME, "sla_ms", AT(sla_ns), "ms", 0.001, 1e9, 200, .help = "SLA in equation 2."},
    {PARAM_TIME, "interval_ms", AT(interval_ns), "ms", 0.001, 1e9, 100,
     .help = "U is recomputed at least so often while requests wait."},
    {PARAM_BOOL, "recompute_on_arrival", AT(recompute_on_arrival), .number = 1,
     .help = "Recompute U at latency arrivals as well."},
    {PARAM_INT, "window", AT(window), "completions", 1, 1e6, 32,
     .help = "Completions over which l_e is the mean."},
    {PARAM_TIME, "first_ms", AT(first_ns), "ms", 0.001, 1e9, 100,
     .help = "l_e before the first completion."},
    {PARAM_CHOICE, "queue", AT(queue), .choices = queues,
     .help = "Order within a class: one FIFO, or round robin over jobs."},
    {PARAM_CHOICE, "requeue", AT(requeue), .choices = requeues,
     .help = "Where a revoked request waits: at the head or the tail."},
    {PARAM_INT, "max_revocations", AT(max_revocations), .low = 0, .high = 1e9, .number = 0,
     .help = "A request revoked more often is handed back to the router (section VII); 0: never."},
    {0},
};

static const struct host_allotment whole = {.mechanism = HOST_WHOLE};

/* Products of nanoseconds and counts; a rounded quotient would now and then ask for one device too
 * many. */
__extension__ typedef unsigned __int128 wide;

static void recompute(struct elastic *self, const struct host *h)
{
    const struct elastic_params *p = self->params;
    uint64_t n = self->completions < (uint64_t)p->window ? self->completions : (uint64_t)p->window;
    wide sum = n > 0 ? (wide)self->recent_sum : (wide)p->first_ns;
    wide longest = sum * self->outstanding;       /* (1), times n */
    wide sla = (wide)p->sla_ns * (n > 0 ? n : 1); /* times n as well */
    wide devices = (longest + sla - 1) / sla;     /* (2) */
    uint32_t most = host_devices(h);
    self->target = devices < most ? (uint32_t)devices : most;
}

static void remember(struct elastic *self, const struct host *h, req_id r, uint32_t kernels)
{
    int64_t duration = 0;
    for (uint32_t k = 0; k < kernels; k++)
        duration += host_measured(h, r, k);
    int64_t *slot = &self->recent[self->completions % (uint64_t)self->params->window];
    self->recent_sum += duration - *slot;
    *slot = duration;
    self->completions++;
}

static void launch_waiting(struct elastic *self, struct host *h)
{
    if (self->queue[HOST_LATENCY].count + self->queue[HOST_BATCH].count == 0)
        return;
    struct host_request view;
    devices_refresh(&self->devices, h);
    uint32_t serving = self->devices.serving_latency;
    for (dev_id d; (d = devices_first_idle(&self->devices, h)) != HOST_NO_DEVICE;) {
        req_id r = 0;
        if (serving < self->target)
            r = queue_pop(&self->queue[HOST_LATENCY], h, &view);
        if (r == 0)
            r = queue_pop(&self->queue[HOST_BATCH], h, &view);
        if (r == 0)
            r = queue_pop(&self->queue[HOST_LATENCY], h, &view);
        if (r == 0)
            return;
        serving += view.class == HOST_LATENCY;
        host_launch(h, r, d, whole);
    }
}

/* Revokes until enough devices are on their way; true if one was left alone and has to be watched.
 */
static bool revoke_for_waiting(struct elastic *self, struct host *h)
{
    size_t waiting = queue_waiting(&self->queue[HOST_LATENCY]);
    if (waiting == 0)
        return false;
    struct devices *devices = &self->devices;
    devices_refresh(devices, h);
    if (self->target <= devices->serving_latency)
        return false;
    size_t want = self->target - devices->serving_latency;
    if (want > waiting)
        want = waiting;
    bool left_alone = false;
    int64_t below_ns = HOST_NEVER;
    req_id below_id = UINT64_MAX;
    for (size_t coming = devices->revoking; coming < want; coming++) {
        struct host_device device;
        struct host_request request;
        req_id victim = devices_newest(devices, h, below_ns, below_id, &device, &request);
        if (victim == 0)
            break;
        below_ns = request.start_ns;
        below_id = victim;
        int64_t left_ns =
            host_predict(h, victim, HOST_DURATION_NS, whole) - (host_now(h) - request.began_ns);
        if (left_ns > 0 && left_ns < device.revoke_ns)
            left_alone = true;
        else
            host_revoke(h, victim);
    }
    devices_end_search(devices);
    return left_alone;
}

/* `fresh`: U is to be recomputed before anything is decided. */
static void note_change(struct elastic *self, bool fresh)
{
    self->due = true;
    self->fresh = self->fresh || fresh;
}

static void elastic_decide(void *state, struct host *h)
{
    struct elastic *self = state;
    if (!self->due)
        return;
    if (self->fresh)
        recompute(self, h);
    self->due = self->fresh = false;
    launch_waiting(self, h);
    bool watch = self->params->revocation && revoke_for_waiting(self, h);
    /* The clock matters only while a prediction may prove wrong, or arrivals do not recompute. */
    if (!self->params->recompute_on_arrival && self->outstanding > 0)
        watch = true;
    if (watch && self->timer == 0)
        self->timer = host_timer(h, host_now(h) + self->params->interval_ns, 0);
}

static int elastic_init(void *state, const void *given, struct host *h)
{
    struct elastic *self = state;
    self->params = given;
    queue_init(&self->queue[HOST_LATENCY], (enum queue_order)self->params->queue);
    queue_init(&self->queue[HOST_BATCH], (enum queue_order)self->params->queue);
    self->recent = calloc((size_t)self->params->window, sizeof *self->recent);
    if (self->recent == NULL) {
        host_fail(h, "out of memory");
        return -1;
    }
    return devices_init(&self->devices, h, DEVICES_IDLE | DEVICES_CLASSES);
}

static void elastic_fini(void *state)
{
    struct elastic *self = state;
    queue_release(&self->queue[HOST_LATENCY]);
    queue_release(&self->queue[HOST_BATCH]);
    devices_release(&self->devices);
    free(self->recent);
}

static void elastic_on_ready(void *state, struct host *h, req_id r)
{
    struct elastic *self = state;
    struct host_request view;
    if (!host_request(h, r, &view))
        return;
    bool arrives = view.class == HOST_LATENCY && view.start_ns == HOST_NEVER;
    self->outstanding += arrives;
    if (self->params->max_revocations > 0 && view.revocations > self->params->max_revocations) {
        self->outstanding -= view.class == HOST_LATENCY;
        host_return_to_router(h, r);
    } else {
        queue_push(&self->queue[view.class], view.job, r,
                   view.revocations > 0 && self->params->requeue == 0);
    }
    note_change(self, arrives && self->params->recompute_on_arrival);
}

static void elastic_on_complete(void *state, struct host *h, req_id r, dev_id d, bool request_done)
{
    struct elastic *self = state;
    struct host_request view;
    (void)d;
    if (host_request(h, r, &view)) {
        if (!request_done) {
            queue_push(&self->queue[view.class], view.job, r, true);
        } else if (view.class == HOST_LATENCY) {
            self->outstanding--;
            remember(self, h, r, view.kernels);
        }
    }
    note_change(self, true);
}

static void elastic_on_gone(void *state, struct host *h, req_id r)
{
    struct elastic *self = state;
    struct host_request view;
    if (!host_request(h, r, &view))
        return;
    queue_gone(&self->queue[view.class]);
    self->outstanding -= view.class == HOST_LATENCY;
    note_change(self, true);
}

static void elastic_on_timer(void *state, struct host *h, uint64_t cookie)
{
    struct elastic *self = state;
    (void)h;
    (void)cookie;
    self->timer = 0;
    note_change(self, true);
}

const struct policy policy_elastic;
const struct policy policy_elastic = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "elastic",
    .summary = "As few devices for latency requests as their SLA needs; with revocation: "
               "Elastic+TReM.",
    .source = "TReM, sections IV-A and IV-B, equations 1 and 2",
    .params = params,
    .params_size = sizeof(struct elastic_params),
    .state_size = sizeof(struct elastic),
    .init = elastic_init,
    .fini = elastic_fini,
    .on_ready = elastic_on_ready,
    .on_complete = elastic_on_complete,
    .on_gone = elastic_on_gone,
    .on_timer = elastic_on_timer,
    .decide = elastic_decide,
};
