/*
 * shortest-first: latency before batch, and within a class the request with the shortest
 * prediction.
 *
 * Build: cc -std=c11 -O2 -fPIC -shared -I/path/to/dcsim/src -o mine.so template-policy.c
 * Check: dcsim check-policy ./mine.so
 * Run:   dcsim --config x.json --policy ./mine.so
 */
#include "policies/policy.h"

#include <stdlib.h>

/* The options, as they lie in memory once the config has been read ... */
struct options {
    int64_t patience_ns;
};

/* ... and how they are written in the config: name, type, unit, range, default, help. */
static const struct param params[] = {
    {PARAM_TIME, "patience_ms", .offset = offsetof(struct options, patience_ns), .unit = "ms",
     .low = 0, .high = 1e9, .number = 10000,
     .help = "A request that has waited longer goes first, whatever its length."},
    {0},
};

/* What one instance of the policy remembers; zeroed before init(). */
struct state {
    const struct options *options;
    req_id *waiting;
    size_t count, capacity;
};

static const struct host_allotment whole = {.mechanism = HOST_WHOLE};

static int init(void *state, const void *options, struct host *h)
{
    struct state *self = state;
    (void)h;
    self->options = options;
    return 0;
}

static void fini(void *state)
{
    struct state *self = state;
    free(self->waiting);
}

/* Lower is better. */
static int64_t rank(const struct state *self, struct host *h, req_id r,
                    const struct host_request *view)
{
    if (host_now(h) - view->arrival_ns > self->options->patience_ns)
        return -1;
    int64_t predicted = host_predict(h, r, HOST_TOTAL_DURATION_NS, whole);
    return view->class == HOST_LATENCY ? predicted : INT64_MAX / 2 + predicted / 2;
}

/* Takes the best request out of the list; 0 if none waits. */
static req_id take_best(struct state *self, struct host *h)
{
    req_id best = 0;
    int64_t best_rank = INT64_MAX;
    size_t kept = 0;
    for (size_t i = 0; i < self->count; i++) {
        struct host_request view;
        req_id r = self->waiting[i];
        if (!host_request(h, r, &view) || view.state != HOST_WAITING)
            continue; /* it has left meanwhile: forget it */
        self->waiting[kept++] = r;
        int64_t mine = rank(self, h, r, &view);
        if (best == 0 || mine < best_rank) {
            best = r;
            best_rank = mine;
        }
    }
    self->count = kept;
    for (size_t i = 0; i < self->count; i++) {
        if (self->waiting[i] == best) {
            self->waiting[i] = self->waiting[--self->count];
            break;
        }
    }
    return best;
}

static void dispatch(struct state *self, struct host *h)
{
    struct host_device device;
    for (dev_id d = 0; host_device(h, d, &device); d++) {
        if (device.state != HOST_IDLE)
            continue;
        req_id r = take_best(self, h);
        if (r == 0)
            return;
        host_launch(h, r, d, whole);
    }
}

static void add_request(struct state *self, struct host *h, req_id r)
{
    if (self->count == self->capacity) {
        size_t capacity = self->capacity == 0 ? 64 : 2 * self->capacity;
        req_id *waiting = realloc(self->waiting, capacity * sizeof *waiting);
        if (waiting == NULL) {
            host_fail(h, "out of memory");
            return;
        }
        self->waiting = waiting;
        self->capacity = capacity;
    }
    self->waiting[self->count++] = r;
}

static void on_ready(void *state, struct host *h, req_id r)
{
    struct state *self = state;
    add_request(self, h, r);
    dispatch(self, h);
}

static void on_complete(void *state, struct host *h, req_id r, dev_id d, bool request_done)
{
    struct state *self = state;
    (void)d;
    if (!request_done)
        add_request(self, h, r); /* its next kernel is ready */
    dispatch(self, h);
}

POLICY_EXPORT extern const struct policy POLICY_SYMBOL;
const struct policy POLICY_SYMBOL = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "shortest-first",
    .summary = "Latency before batch, the shortest prediction first.",
    .source = "textbook",
    .params = params,
    .params_size = sizeof(struct options),
    .state_size = sizeof(struct state),
    .init = init,
    .fini = fini,
    .on_ready = on_ready,
    .on_complete = on_complete,
};
