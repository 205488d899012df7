/*
 * priority.c - Priority and Priority+TReM (TReM, sections IV and IV-B).
 *
 * Latency requests go before batch requests on every device ("maps all GPUs to all task queues").
 * With `revocation` each latency request that waits has a batch request revoked for it, the most
 * recently started first, as long as there is one. Priority has no notion of an SLA: it does not
 * look at what is left of the one that it revokes.
 *
 * Open in the paper, and keys here: the order of the queues (one FIFO for each class, or round
 * robin over jobs), and whether a revoked request keeps its turn.
 */
#include "policies/lib/devices.h"
#include "policies/lib/queue.h"
#include "policies/policy.h"

struct priority_params {
    bool revocation;
    int queue;
    int requeue;
    int64_t max_revocations;
};

struct priority {
    const struct priority_params *params;
    struct queue queue[2]; /* by enum host_class */
    struct devices devices;
    bool due; /* something waits or has ended */
};

static const char *const queues[] = {"fifo", "jobs", NULL};
static const char *const requeues[] = {"front", "back", NULL};

static const struct param params[] = {
    {PARAM_BOOL, "revocation", .offset = offsetof(struct priority_params, revocation), .number = 0,
     .help = "Revoke batch requests for latency requests that wait (Priority+TReM)."},
    {PARAM_CHOICE, "queue", .offset = offsetof(struct priority_params, queue), .choices = queues,
     .help = "Order within a class: one FIFO, or round robin over jobs."},
    {PARAM_CHOICE, "requeue", .offset = offsetof(struct priority_params, requeue),
     .choices = requeues, .help = "Where a revoked request waits: at the head or the tail."},
    {PARAM_INT, "max_revocations", .offset = offsetof(struct priority_params, max_revocations),
     .low = 0, .high = 1e9, .number = 0,
     .help = "A request revoked more often is handed back to the router (section VII); 0: never."},
    {0},
};

static const struct host_allotment whole = {.mechanism = HOST_WHOLE};

static void launch_waiting(struct priority *self, struct host *h)
{
    struct host_request view;
    while (self->queue[HOST_LATENCY].count + self->queue[HOST_BATCH].count > 0) {
        dev_id d = devices_first_idle(&self->devices, h);
        if (d == HOST_NO_DEVICE)
            return;
        req_id r = queue_pop(&self->queue[HOST_LATENCY], h, &view);
        if (r == 0)
            r = queue_pop(&self->queue[HOST_BATCH], h, &view);
        if (r == 0)
            return;
        host_launch(h, r, d, whole);
    }
}

/* One revocation for each latency request that waits, less those under way. */
static void revoke_for_waiting(struct priority *self, struct host *h)
{
    size_t waiting = queue_waiting(&self->queue[HOST_LATENCY]);
    if (waiting == 0)
        return;
    struct host_device device;
    struct host_request request;
    devices_refresh(&self->devices, h);
    for (size_t need = self->devices.revoking; need < waiting; need++) {
        req_id victim =
            devices_newest(&self->devices, h, HOST_NEVER, UINT64_MAX, &device, &request);
        if (victim == 0)
            return;
        host_revoke(h, victim);
    }
}

static void priority_decide(void *state, struct host *h)
{
    struct priority *self = state;
    if (!self->due)
        return;
    self->due = false;
    launch_waiting(self, h);
    if (self->params->revocation)
        revoke_for_waiting(self, h);
}

static int priority_init(void *state, const void *given, struct host *h)
{
    struct priority *self = state;
    self->params = given;
    queue_init(&self->queue[HOST_LATENCY], (enum queue_order)self->params->queue);
    queue_init(&self->queue[HOST_BATCH], (enum queue_order)self->params->queue);
    return devices_init(&self->devices, h,
                        DEVICES_IDLE | (self->params->revocation ? DEVICES_CLASSES : 0));
}

static void priority_fini(void *state)
{
    struct priority *self = state;
    queue_release(&self->queue[HOST_LATENCY]);
    queue_release(&self->queue[HOST_BATCH]);
    devices_release(&self->devices);
}

static void priority_on_ready(void *state, struct host *h, req_id r)
{
    struct priority *self = state;
    struct host_request view;
    if (!host_request(h, r, &view))
        return;
    if (self->params->max_revocations > 0 && view.revocations > self->params->max_revocations)
        host_return_to_router(h, r);
    else
        queue_push(&self->queue[view.class], view.job, r,
                   view.revocations > 0 && self->params->requeue == 0);
    self->due = true;
}

static void priority_on_complete(void *state, struct host *h, req_id r, dev_id d, bool request_done)
{
    struct priority *self = state;
    struct host_request view;
    (void)d;
    if (!request_done && host_request(h, r, &view))
        queue_push(&self->queue[view.class], view.job, r, true);
    self->due = true;
}

static void priority_on_gone(void *state, struct host *h, req_id r)
{
    struct priority *self = state;
    struct host_request view;
    if (host_request(h, r, &view))
        queue_gone(&self->queue[view.class]);
}

const struct policy policy_priority;
const struct policy policy_priority = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "priority",
    .summary = "Latency before batch on all devices; with revocation: Priority+TReM.",
    .source = "TReM, sections IV and IV-B",
    .params = params,
    .params_size = sizeof(struct priority_params),
    .state_size = sizeof(struct priority),
    .init = priority_init,
    .fini = priority_fini,
    .on_ready = priority_on_ready,
    .on_complete = priority_on_complete,
    .on_gone = priority_on_gone,
    .decide = priority_decide,
};
