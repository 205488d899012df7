/*
 * baymax.c - Baymax: time sharing with batch kernels in the headroom of latency requests (as
 * C-Laius, section 9.2, and Tacker, section VII, describe it; without Tacker's fusion).
 *
 * One kernel at a time has the whole device, and none is interrupted. A latency request gets a
 * device when it arrives: the one with the fewest latency requests, then one that is idle. Those of
 * a device are served in the order of their arrival. The headroom of the i-th of them is
 *
 *   T_hr = T_qos - T_queue - T_solo - sum of T_lc of those before it       (Tacker, equation 9)
 *
 * which at any later time is its deadline - now - predicted time of the kernels that it and those
 * before it have left. A batch kernel is launched only if its predicted duration is shorter than
 * the headroom of every latency request of the device (equation 7); then it goes first. So a
 * request that is early waits until its headroom is used up, which is the purpose. Otherwise the
 * first latency request's next kernel is launched. A latency request without an SLA has a headroom
 * of 0: batch kernels wait for it.
 *
 * Which batch kernel: C-Laius says that Baymax reorders kernels by the headroom; Tacker's scheduler
 * goes through the ready ones and launches each that fits. Here the longest that fits is taken, or
 * with `order` = fifo the first that does. While no latency request is there nothing has to fit,
 * and batch requests are served first come, first served in either case: the longest first would
 * let short ones starve.
 *
 * The headroom is used up to the last: a request that arrives afterwards finds none, and neither
 * paper keeps any for it. `target` does, by aiming at less than the SLA. (Total throughput is that
 * of any order that keeps the device busy; policy `priority` is the one that never lets batch
 * kernels go first.)
 *
 * Baymax also reserves PCIe bandwidth for the transfers of services. Here a transfer is a kernel
 * like any other, and runs alone.
 */
#include "policies/lib/share.h"
#include "policies/lib/table.h"
#include "policies/policy.h"

enum baymax_order { BAYMAX_LONGEST, BAYMAX_FIFO };

struct baymax_params {
    int order;
    double target;
};

struct baymax_request {
    struct share_request share; /* batch requests get their place with their first launch */
    int64_t aim_ns;             /* its deadline, or earlier by `target`; HOST_NEVER: no SLA */
    int64_t predicted_ns; /* latency: all kernels that are left; batch: the next; -1: not asked */
};

struct baymax {
    const struct baymax_params *params;
    struct table requests; /* of struct baymax_request */
    struct share_use *use; /* by device */
};

static const char *const orders[] = {"longest", "fifo", NULL};

static const struct param params[] = {
    {PARAM_CHOICE, "order", .offset = offsetof(struct baymax_params, order), .choices = orders,
     .help = "Which batch kernel goes first of those that fit: the longest, or the oldest "
             "request's."},
    {PARAM_REAL, "target", .offset = offsetof(struct baymax_params, target), .low = 0.01, .high = 1,
     .number = 1,
     .help = "Share of the SLA that headroom is counted in; less leaves room for what comes "
             "later."},
    {0},
};

static const struct host_allotment whole = {.mechanism = HOST_WHOLE};

static int64_t predicted(struct host *h, struct baymax_request *q)
{
    if (q->predicted_ns < 0)
        q->predicted_ns = host_predict(
            h, q->share.r,
            q->share.class == HOST_LATENCY ? HOST_TOTAL_DURATION_NS : HOST_DURATION_NS, whole);
    return q->predicted_ns;
}

/* The least headroom of the latency requests of d; HOST_NEVER if it has none. *first: the one that
 * is served first. */
static int64_t headroom(struct baymax *self, struct host *h, dev_id d,
                        struct baymax_request **first)
{
    int64_t least = HOST_NEVER, queue = 0;
    *first = NULL;
    for (size_t i = 0; i < self->requests.count; i++) {
        struct baymax_request *q = table_at(&self->requests, i);
        if (q->share.class != HOST_LATENCY || q->share.device != d)
            continue;
        if (*first == NULL)
            *first = q;
        queue = share_later_ns(queue, predicted(h, q));
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

/* The batch request whose next kernel goes to d; NULL if none fits. */
static struct baymax_request *pick_batch(struct baymax *self, struct host *h, dev_id d,
                                         int64_t room_ns)
{
    struct baymax_request *best = NULL, *begun = NULL;
    for (size_t i = 0; i < self->requests.count && room_ns > 0; i++) {
        struct baymax_request *q = table_at(&self->requests, i);
        if (q->share.class != HOST_BATCH || q->share.runs ||
            (q->share.device != HOST_NO_DEVICE && q->share.device != d))
            continue;
        if (room_ns == HOST_NEVER) {
            /* Nothing has to fit: one that has begun goes on, else the oldest begins. */
            if (begun == NULL && q->share.device == d)
                begun = q;
            if (best == NULL)
                best = q;
            continue;
        }
        if (predicted(h, q) >= room_ns)
            continue;
        if (best == NULL ||
            (self->params->order == BAYMAX_LONGEST && predicted(h, q) > predicted(h, best)))
            best = q;
    }
    return begun != NULL ? begun : best;
}

static void dispatch(struct baymax *self, struct host *h)
{
    for (dev_id d = 0; d < host_devices(h); d++) {
        if (self->use[d].kernels > 0)
            continue;
        struct baymax_request *first;
        int64_t room_ns = headroom(self, h, d, &first);
        struct baymax_request *next = pick_batch(self, h, d, room_ns);
        if (next == NULL)
            next = first;
        if (next == NULL)
            continue;
        share_place(self->use, &next->share, d);
        share_start(self->use, &next->share, 0);
        host_launch(h, next->share.r, d, whole);
    }
}

static void forget(struct baymax *self, struct baymax_request *q)
{
    share_leave(self->use, &q->share);
    table_remove(&self->requests, q->share.r);
}

static int baymax_init(void *state, const void *given, struct host *h)
{
    struct baymax *self = state;
    self->params = given;
    table_init(&self->requests, sizeof(struct baymax_request));
    self->use = share_create(h);
    if (self->use != NULL)
        return 0;
    host_fail(h, "out of memory");
    return -1;
}

static void baymax_fini(void *state)
{
    struct baymax *self = state;
    table_release(&self->requests);
    free(self->use);
}

static void baymax_on_ready(void *state, struct host *h, req_id r)
{
    struct baymax *self = state;
    struct host_request view;
    if (!host_request(h, r, &view))
        return;
    struct baymax_request *q = table_find(&self->requests, r);
    if (q != NULL) {
        share_stop(self->use, &q->share); /* its launch came too late */
        q->predicted_ns = -1;
    } else {
        q = table_add(&self->requests, r);
        q->share.class = view.class;
        q->aim_ns = share_aim_ns(&view, self->params->target);
        q->predicted_ns = -1;
        q->share.device = HOST_NO_DEVICE;
        if (q->share.class == HOST_LATENCY)
            share_place(self->use, &q->share, share_best(self->use, host_devices(h)));
    }
    dispatch(self, h);
}

static void baymax_on_complete(void *state, struct host *h, req_id r, dev_id d, bool request_done)
{
    struct baymax *self = state;
    struct baymax_request *q = table_find(&self->requests, r);
    (void)d;
    share_stop(self->use, &q->share);
    q->predicted_ns = -1;
    if (request_done)
        forget(self, q);
    dispatch(self, h);
}

static void baymax_on_gone(void *state, struct host *h, req_id r)
{
    struct baymax *self = state;
    struct baymax_request *q = table_find(&self->requests, r);
    forget(self, q);
    dispatch(self, h);
}

const struct policy policy_baymax;
const struct policy policy_baymax = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "baymax",
    .summary = "One kernel at a time; batch kernels only where they fit into every headroom.",
    .source = "Baymax, as C-Laius, section 9.2, and Tacker, equations 7 and 9, describe it",
    .params = params,
    .params_size = sizeof(struct baymax_params),
    .state_size = sizeof(struct baymax),
    .init = baymax_init,
    .fini = baymax_fini,
    .on_ready = baymax_on_ready,
    .on_complete = baymax_on_complete,
    .on_gone = baymax_on_gone,
};
