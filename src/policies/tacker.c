/*
 * tacker.c - Tacker: kernels of latency requests are launched as one with batch kernels that use
 * the other kind of cores, where the headroom bears what that takes longer (Zhao et al., section
 * VII).
 *
 * One launch at a time has the whole device, and none is interrupted. Whenever a device is free and
 * a latency request has its place there, with Q the one that is served first:
 *
 *   1. the current kernel of Q and that of a batch request become one launch, if
 *          T_a + T_b > T_fused   and   T_fused - T_a < T_hr                         (equation 8)
 *      with T_a what the kernel of Q takes alone and T_b the batch kernel; among several the one
 *      with the largest gain T_b - (T_fused - T_a). T_hr is the least headroom of the device's
 *      latency requests (policies/lib/headroom.h: equations 7 and 9), so that every one of them
 *      can bear it. Which of the two kernels is the tensor kernel does not matter;
 *   2. else a batch kernel goes first that fits into T_hr, as under `baymax` and with its options.
 *      The paper's loop is `reorder` = one, one of each batch application before each kernel of Q;
 *      with the default, all, the headroom is used up before the first one, and little is left to
 *      fuse in;
 *   3. else the kernel of Q is launched alone.
 *
 * Of each batch application the kernel of its oldest ready request is considered (section VIII-I:
 * the first one of its queue). What the host says can never be fused is remembered and not asked
 * again. Predictions of fused launches, and the way in which blocks are put together, are the
 * host's.
 *
 * Several latency requests: the paper serves the earlier ones first and fuses and reorders for the
 * one that arrived last only, which protects those that are waited for: `fuse` = last (only while a
 * device has no more than one latency request) and `reorder_for` = last. Equation 7 for every one
 * of them protects them as well: `fuse` = first, `reorder_for` = any.
 */
#include "policies/lib/headroom.h"
#include "policies/policy.h"

enum tacker_fuse { TACKER_LAST, TACKER_FIRST };

struct tacker_params {
    struct headroom_params headroom; /* first */
    int fuse;
};

/* Kernels of two applications' requests of two sizes that are never fused: a bit for each kernel of
 * the latency request and each of the batch request. */
struct refusals {
    app_id latency, batch;
    uint64_t latency_size, batch_size; /* of their inputs */
    uint32_t rows, columns;            /* kernels of either */
    uint64_t *bits;
};

struct tacker {
    struct headroom room; /* first */
    const struct tacker_params *params;
    struct refusals *refusals;
    size_t refusals_count, refusals_capacity;
    uint64_t *seen; /* by application: the last round that considered it */
    size_t seen_count, seen_capacity;
    uint64_t round;
};

static const char *const fuses[] = {"last", "first", NULL};

static const struct param params[] = {
    HEADROOM_PARAMS(offsetof(struct tacker_params, headroom)),
    {PARAM_CHOICE, "fuse", .offset = offsetof(struct tacker_params, fuse), .choices = fuses,
     .help = "Whose kernels are fused where several latency requests wait: those of the last, when "
             "it is the only one left; or of the first, if every headroom bears it."},
    {0},
};

/* ---- What is never fused ---- */

static struct refusals *find_refusals(struct tacker *self, const struct host_request *a,
                                      const struct host_request *b)
{
    for (size_t i = 0; i < self->refusals_count; i++) {
        struct refusals *f = &self->refusals[i];
        if (f->latency == a->app && f->batch == b->app && f->latency_size == a->input_size &&
            f->batch_size == b->input_size)
            return f;
    }
    self->refusals = grow(self->refusals, &self->refusals_capacity, self->refusals_count,
                          sizeof *self->refusals, 4);
    struct refusals *f = &self->refusals[self->refusals_count++];
    *f = (struct refusals){.latency = a->app,
                           .batch = b->app,
                           .latency_size = a->input_size,
                           .batch_size = b->input_size,
                           .rows = a->kernels,
                           .columns = b->kernels};
    f->bits = calloc(((size_t)f->rows * f->columns + 63) / 64, sizeof *f->bits);
    if (f->bits == NULL)
        abort();
    return f;
}

/* The prediction for the current kernels of both as one launch; false if there is none. */
static bool predict(struct tacker *self, struct host *h, req_id latency, req_id batch,
                    const struct host_request *a, const struct host_request *b,
                    struct host_fusion *out)
{
    const struct refusals *f = find_refusals(self, a, b);
    size_t at = (size_t)a->kernel * f->columns + b->kernel;
    uint64_t *word = &f->bits[at / 64], bit = (uint64_t)1 << at % 64;
    if ((*word & bit) != 0)
        return false;
    if (host_predict_fused(h, latency, batch, out))
        return true;
    *word |= bit;
    return false;
}

/* ---- Decisions ---- */

/* Whether an application's first ready request was considered in this round; from now on it was. */
static bool considered(struct tacker *self, app_id app)
{
    while (app >= self->seen_count) {
        self->seen =
            grow(self->seen, &self->seen_capacity, self->seen_count, sizeof *self->seen, 8);
        self->seen[self->seen_count++] = 0;
    }
    bool was = self->seen[app] == self->round;
    self->seen[app] = self->round;
    return was;
}

/* Launches the first latency request's kernel on d, which is free, as one with a batch kernel;
 * false if there is none to fuse it with. room_ns: the least headroom. */
static bool fuse(struct tacker *self, struct host *h, dev_id d, struct headroom_request *first,
                 int64_t room_ns)
{
    struct headroom *room = &self->room;
    struct host_request a, b;
    if (room_ns <= 0 || (self->params->fuse == TACKER_LAST && room->use[d].latency > 1))
        return false;
    host_request(h, first->share.r, &a);
    self->round++;
    struct headroom_request *best = NULL;
    uint32_t variant = 0;
    int64_t most_ns = 0;
    for (size_t i = 0; i < room->batch.count; i++) {
        struct headroom_request *q = table_at(&room->batch, i);
        if (!headroom_is_ready(room, q, d) || share_is_transfer(h, &q->share) ||
            considered(self, q->app) || !host_request(h, q->share.r, &b))
            continue;
        struct host_fusion f;
        if (!headroom_fits(room, h, d, first, q) ||
            !predict(self, h, first->share.r, q->share.r, &a, &b, &f))
            continue;
        int64_t longer_ns = f.duration_ns - f.parts_ns[0];
        int64_t gain_ns = f.parts_ns[1] - longer_ns; /* equation 8 */
        if (gain_ns <= most_ns)
            continue;
        if (longer_ns >= room_ns) {
            host_explain(h, q->share.r, "no_headroom", longer_ns);
            continue;
        }
        best = q;
        variant = f.variant;
        most_ns = gain_ns;
    }
    if (best == NULL)
        return false;
    host_explain(h, first->share.r, "fused", most_ns);
    headroom_start(room, first, d);
    headroom_start(room, best, d);
    host_launch_fused(h, first->share.r, best->share.r, d, variant);
    return true;
}

static void launch(void *state, struct host *h, dev_id d)
{
    struct tacker *self = state;
    headroom_launch_copies(&self->room, h, d);
    if (headroom_is_busy(&self->room, d))
        return;
    struct headroom_request *first;
    int64_t room_ns = headroom_least(&self->room, h, d, &first);
    if (first == NULL || !fuse(self, h, d, first, room_ns))
        headroom_launch(&self->room, h, d, room_ns, first);
}

static void dispatch(struct tacker *self, struct host *h)
{
    headroom_dispatch(&self->room, h, launch, self);
}

/* ---- Callbacks ---- */

static int tacker_init(void *state, const void *given, struct host *h)
{
    struct tacker *self = state;
    self->params = given;
    return headroom_init(&self->room, h, &self->params->headroom);
}

static void tacker_fini(void *state)
{
    struct tacker *self = state;
    headroom_release(&self->room);
    for (size_t i = 0; i < self->refusals_count; i++)
        free(self->refusals[i].bits);
    free(self->refusals);
    free(self->seen);
}

static void tacker_on_ready(void *state, struct host *h, req_id r)
{
    struct tacker *self = state;
    headroom_ready(&self->room, h, r);
    dispatch(self, h);
}

static void tacker_on_complete(void *state, struct host *h, req_id r, dev_id d, bool request_done)
{
    struct tacker *self = state;
    (void)d;
    headroom_complete(&self->room, r, request_done);
    dispatch(self, h);
}

static void tacker_on_gone(void *state, struct host *h, req_id r)
{
    struct tacker *self = state;
    headroom_forget(&self->room, r);
    dispatch(self, h);
}

const struct policy policy_tacker;
const struct policy policy_tacker = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "tacker",
    .summary = "Baymax, and kernels for tensor cores and for the others launched as one.",
    .source = "Tacker, section VII, equations 7 to 9",
    .needs = 1u << HOST_WHOLE | HOST_NEEDS_FUSION,
    .params = params,
    .params_size = sizeof(struct tacker_params),
    .state_size = sizeof(struct tacker),
    .init = tacker_init,
    .fini = tacker_fini,
    .on_ready = tacker_on_ready,
    .on_complete = tacker_on_complete,
    .on_gone = tacker_on_gone,
};
