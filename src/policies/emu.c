/*
 * emu.c - EMU: each query of a service gets as few cores and ways as let it end in time, batch work
 * gets what is left, and both are adjusted while the query runs.
 *
 * Source: Wang, thesis, chapter 5: section 5.4.2 (before a query runs: equation 5-1, algorithm
 * 5-3), 5.4.3 (while it runs: equations 5-2 and 5-3, algorithm 5-4), 5.5.3 (EMU-NoRuntime: option
 * runtime), 5.5.4 (EMU-NoCache: option cache). lib/emu.h has the algorithms. Which predictor is
 * asked is the experiment's key `predictor`; EMU itself takes the best by R^2, 5.4.1.
 *
 * What the source leaves open: a query that does not fit beside the queries that run waits, and
 * those behind it, until one of them ends (5.4.2 only says that queries share a server before batch
 * work does); of several devices it goes to the one where queries have the fewest cores. All batch
 * requests of a device share one group; where queries take all cores, it stands still. An
 * adjustment goes as far as the other queries leave room. A query without a deadline gets one core
 * and one way.
 */
#include "policies/lib/cpu.h"
#include "policies/lib/emu.h"
#include "policies/lib/queue.h"
#include "policies/lib/table.h"

#include <stdlib.h>

struct emu_params {
    bool runtime, cache, printed_clamp;
    int64_t interval_ns;
    double margin;
};

struct query {
    req_id id;
    dev_id device;
    timer_id timer;
    int64_t adjusted_ns; /* the last time, or the launch */
    uint64_t instructions, cycles;
    struct emu_query q;
};

struct emu_device {
    struct emu_share taken; /* by queries */
    struct emu_share batch; /* what the group has */
};

struct batch {
    req_id id;
    dev_id device;
};

struct emu {
    const struct emu_params *params;
    struct queue latency, batch; /* that wait */
    struct table queries;        /* that run; struct query */
    struct table batches;        /* that run; struct batch */
    struct emu_device *devices;
    struct emu_share most;
};

static const struct param params[] = {
    {PARAM_BOOL, "runtime", .offset = offsetof(struct emu_params, runtime), .number = 1,
     .help = "Adjust what runs (algorithm 5-4); false: EMU-NoRuntime."},
    {PARAM_BOOL, "cache", .offset = offsetof(struct emu_params, cache), .number = 1,
     .help = "Adjust ways with the cores; false: EMU-NoCache."},
    {PARAM_TIME, "t_interval_ms", .offset = offsetof(struct emu_params, interval_ns), .unit = "ms",
     .low = 0.1, .high = 1e6, .number = 20, .help = "Time between two adjustments of a query."},
    {PARAM_REAL, "margin", .offset = offsetof(struct emu_params, margin), .low = 0, .high = 0.99,
     .number = 0.2, .help = "Share of T_ub that a query is planned to leave (section 5.4.2)."},
    {PARAM_BOOL, "printed_clamp", .offset = offsetof(struct emu_params, printed_clamp),
     .help = "Line 13 of algorithm 5-4 as it is printed: ways stay above the initial cores. The "
             "text means the initial ways."},
    {0},
};

static struct host_allotment allotment(struct emu_share s, uint32_t group)
{
    return (struct host_allotment){
        .mechanism = HOST_CPU, .cores = s.cores, .ways = s.ways, .group = group};
}

/* ---- What queries leave ---- */

/* What the group of batch requests then has; it needs both a core and a way to do anything. */
static struct emu_share left_by(const struct emu *self, struct emu_share taken)
{
    struct emu_share left = {self->most.cores - taken.cores, self->most.ways - taken.ways};
    if (left.cores == 0 || left.ways == 0)
        left = (struct emu_share){0, 0};
    return left;
}

static void resize_batch(struct emu *self, struct host *h, dev_id d, struct emu_share to)
{
    struct emu_device *device = &self->devices[d];
    if (device->batch.cores == to.cores && device->batch.ways == to.ways)
        return;
    device->batch = to;
    /* One would do for all of the group, but any of them may have ended at this instant. */
    for (size_t i = 0; i < self->batches.count; i++) {
        const struct batch *b = table_at(&self->batches, i);
        struct host_request request;
        if (b->device == d && host_request(h, b->id, &request))
            host_resize(h, b->id, allotment(to, CPU_GROUP));
    }
}

/* Batch requests give way before a query grows, and grow when one has given way. */
static void take_share(struct emu *self, struct host *h, dev_id d, struct emu_share taken)
{
    self->devices[d].taken = taken;
    resize_batch(self, h, d, left_by(self, taken));
}

static struct emu_share exchange(struct emu_share taken, struct emu_share less,
                                 struct emu_share more)
{
    return (struct emu_share){taken.cores - less.cores + more.cores,
                              taken.ways - less.ways + more.ways};
}

static const struct emu_share nothing = {0, 0};

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* ---- Before a query runs ---- */

struct asking {
    struct host *h;
    req_id r;
};

static int64_t predict_ns(void *context, struct emu_share at)
{
    const struct asking *a = context;
    return host_predict(a->h, a->r, HOST_DURATION_NS, allotment(at, 0));
}

/* Equation 5-1: what is left of its target. */
static int64_t bound_ns(const struct host *h, const struct host_request *request)
{
    return request->deadline_ns == HOST_NEVER ? HOST_NEVER : request->deadline_ns - host_now(h);
}

/* Of the devices whose queries leave room for such a share, the one where they have the fewest
 * cores, the first of equal ones; HOST_NO_DEVICE if there is none. */
static dev_id roomiest(const struct emu *self, const struct host *h, struct emu_share share)
{
    dev_id best = HOST_NO_DEVICE;
    for (dev_id d = 0; d < host_devices(h); d++) {
        struct emu_share taken = self->devices[d].taken;
        if (taken.cores + share.cores <= self->most.cores &&
            taken.ways + share.ways <= self->most.ways &&
            (best == HOST_NO_DEVICE || taken.cores < self->devices[best].taken.cores))
            best = d;
    }
    return best;
}

static void start(struct emu *self, struct host *h, req_id r, dev_id d, struct emu_query query)
{
    struct query *q = table_add(&self->queries, r);
    q->device = d;
    q->q = query;
    q->adjusted_ns = host_now(h);
    take_share(self, h, d, exchange(self->devices[d].taken, nothing, query.now));
    host_explain(h, r, "cores", query.now.cores);
    host_explain(h, r, "ways", query.now.ways);
    host_launch(h, r, d, allotment(query.now, 0));
    if (self->params->runtime)
        q->timer = host_timer(h, host_now(h) + self->params->interval_ns, r);
}

/* False if it has to wait. */
static bool try_query(struct emu *self, struct host *h, req_id r,
                      const struct host_request *request)
{
    struct asking asking = {h, r};
    uint32_t asked;
    struct emu_query q = {.bound_ns = bound_ns(h, request)};
    double planned = (1 - self->params->margin) * (double)q.bound_ns;
    int64_t plan = q.bound_ns == HOST_NEVER ? HOST_NEVER : planned > 0 ? (int64_t)planned : 0;
    q.initial = emu_search(predict_ns, &asking, plan, self->most, &asked);
    dev_id d = roomiest(self, h, q.initial);
    if (d == HOST_NO_DEVICE)
        return false;
    q.now = q.initial;
    q.ipc_predicted = (double)host_predict(h, r, HOST_MILLI_IPC, allotment(q.initial, 0)) / 1000;
    q.work_predicted = q.ipc_predicted * (double)predict_ns(&asking, q.initial);
    start(self, h, r, d, q);
    return true;
}

static void dispatch(struct emu *self, struct host *h)
{
    struct host_request request;
    struct host_device view;
    while (self->latency.count > 0) {
        req_id r = queue_pop(&self->latency, h, &request);
        if (r == 0)
            break;
        if (!try_query(self, h, r, &request)) {
            queue_push(&self->latency, 0, r, true);
            break;
        }
    }
    while (self->batch.count > 0) {
        dev_id d = cpu_quietest(h);
        /* Half of the room is for queries. */
        if (d == HOST_NO_DEVICE || !host_device(h, d, &view) ||
            view.kernels >= view.kernels_max / 2)
            return;
        req_id r = queue_pop(&self->batch, h, &request);
        if (r == 0)
            return;
        struct batch *b = table_add(&self->batches, r);
        b->device = d;
        host_launch(h, r, d, allotment(self->devices[d].batch, CPU_GROUP));
    }
}

/* ---- While it runs ---- */

static void adjust(struct emu *self, struct host *h, struct query *q, double ipc)
{
    struct emu_device *device = &self->devices[q->device];
    struct emu_share before = q->q.now;
    struct emu_options o = {.most = exchange(self->most, device->taken, before),
                            .scale_ways = self->params->cache,
                            .clamp_as_printed = self->params->printed_clamp};
    struct emu_share now = emu_adjust(&q->q, ipc, host_now(h) - q->adjusted_ns, &o);
    q->adjusted_ns = host_now(h);
    if (now.cores == before.cores && now.ways == before.ways)
        return;
    host_explain(h, q->id, "cores", now.cores);
    host_explain(h, q->id, "ways", now.ways);
    /* It may gain of one and lose of the other (the clamp as printed): batch gives way first, and
     * gets what is left last. */
    struct emu_share both = {larger(before.cores, now.cores), larger(before.ways, now.ways)};
    struct emu_share others = exchange(device->taken, before, nothing);
    take_share(self, h, q->device, exchange(others, nothing, both));
    host_resize(h, q->id, allotment(now, 0));
    take_share(self, h, q->device, exchange(others, nothing, now));
}

static void emu_on_timer(void *state, struct host *h, uint64_t cookie)
{
    struct emu *self = state;
    struct query *q = table_find(&self->queries, cookie);
    struct host_counters counters;
    if (q == NULL)
        return;
    q->timer = host_timer(h, host_now(h) + self->params->interval_ns, cookie);
    if (!host_counters(h, cookie, &counters))
        return; /* its launch is still under way */
    if (counters.cycles > q->cycles) {
        double ipc = (double)(counters.instructions - q->instructions) /
                     (double)(counters.cycles - q->cycles);
        adjust(self, h, q, ipc);
    }
    q->instructions = counters.instructions;
    q->cycles = counters.cycles;
}

/* ---- Callbacks ---- */

static int emu_init(void *state, const void *given, struct host *h)
{
    struct emu *self = state;
    struct host_device device;
    self->params = given;
    queue_init(&self->latency, QUEUE_FIFO);
    queue_init(&self->batch, QUEUE_FIFO);
    table_init(&self->queries, sizeof(struct query));
    table_init(&self->batches, sizeof(struct batch));
    host_device(h, 0, &device); /* those of a domain are alike */
    self->most = (struct emu_share){device.cores, device.ways};
    self->devices = calloc(host_devices(h), sizeof *self->devices);
    if (self->devices == NULL)
        return -1;
    for (dev_id d = 0; d < host_devices(h); d++)
        self->devices[d].batch = self->most;
    return 0;
}

static void emu_fini(void *state)
{
    struct emu *self = state;
    queue_release(&self->latency);
    queue_release(&self->batch);
    table_release(&self->queries);
    table_release(&self->batches);
    free(self->devices);
}

static void wait_for(struct emu *self, struct host *h, req_id r, bool front)
{
    struct host_request request;
    if (host_request(h, r, &request))
        queue_push(request.class == HOST_LATENCY ? &self->latency : &self->batch, 0, r, front);
}

static void emu_on_ready(void *state, struct host *h, req_id r)
{
    struct emu *self = state;
    wait_for(self, h, r, false);
    dispatch(self, h);
}

static void emu_on_complete(void *state, struct host *h, req_id r, dev_id d, bool request_done)
{
    struct emu *self = state;
    struct query *q = table_find(&self->queries, r);
    if (q != NULL) {
        struct emu_share share = q->q.now;
        host_timer_cancel(h, q->timer);
        table_remove(&self->queries, r);
        take_share(self, h, d, exchange(self->devices[d].taken, share, nothing));
    } else {
        table_remove(&self->batches, r);
    }
    if (!request_done)
        wait_for(self, h, r, true);
    dispatch(self, h);
}

const struct policy policy_emu;
const struct policy policy_emu = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "emu",
    .summary = "Just enough cores and cache for each query, adjusted while it runs.",
    .source = "EMU (Wang, thesis, chapter 5), sections 5.4.2 and 5.4.3",
    .needs = 1u << HOST_CPU,
    .params = params,
    .params_size = sizeof(struct emu_params),
    .state_size = sizeof(struct emu),
    .init = emu_init,
    .fini = emu_fini,
    .on_ready = emu_on_ready,
    .on_complete = emu_on_complete,
    .on_timer = emu_on_timer,
};
