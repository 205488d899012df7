/*
 * blocks.h - what policies share that put blocks of several kernels into each SM (HOST_BLOCKS): who
 * is on which device, which blocks each has, and the way from there to the blocks that the policy
 * wants.
 *
 * A request goes to the device with the fewest kernels, and waits where all have as many as they
 * may. It is a tenant of that device until it ends. A client that goes on at once issues its next
 * request in the same instant: that takes the place of the one that has ended, with its blocks and
 * its books, so that nothing moves, unless others wait for a place. At the end of the instant who
 * has not come has left, and the SMs are divided among those who are there: once.
 *
 * GROUPS. SMs that stand side by side and are to hold the same blocks are a group, for which quotas
 * are kept: they do the same, so that this is as if each had its own. Where there were more than
 * BLOCKS_GROUPS, or quotas are to be the device's, all SMs are one.
 */
#ifndef DCSIM_POLICIES_LIB_BLOCKS_H
#define DCSIM_POLICIES_LIB_BLOCKS_H

#include "policies/lib/grow.h"
#include "policies/policy.h"

#include <string.h>

#define BLOCKS_SMS      512
#define BLOCKS_TOGETHER 8
#define BLOCKS_GROUPS   HOST_QUOTAS
#define BLOCKS_PLACES   32   /* for blocks, in an SM */
#define BLOCKS_QUOTA    1e18 /* ns: more is none */
#define BLOCKS_SETTLE                                                                              \
    (UINT64_C(1) << 40) /* cookie of the timer that ends an instant, and a device */

/* Of a tenant in a group, in ns of its work alone. */
struct blocks_quota {
    bool bounded, used;
    bool moved;      /* its SMs are other ones, which have not been given it yet */
    double quota_ns; /* the last that it was given, */
    double given_ns; /* that with what came since, until another epoch begins, */
    double left_ns;  /* and what was left of it when somebody looked */
    double rest_ns;  /* less than 1 ns that could not be given */
    double pace;     /* its rate in the epoch until it had used that up; 0: it has not */
};

struct blocks_tenant {
    req_id r; /* 0: its request has ended, and no other has come yet */
    app_id app;
    bool qos;    /* has a goal */
    double goal; /* of its rate alone */
    int64_t alone_ns;
    struct host_block block;
    bool launched;
    uint8_t have[BLOCKS_SMS], want[BLOCKS_SMS];

    /* Its work, in ns alone. */
    double ended_ns; /* of its requests that have ended */
    double begun_ns; /* when its first one was launched */
    double epoch_ns; /* work when the epoch began */
    double seen_ns;  /* work when somebody looked at its quotas */
    struct blocks_quota in[BLOCKS_GROUPS];
};

struct blocks_group {
    uint32_t first, sms;
};

struct blocks_device {
    dev_id d;
    uint32_t sms, count, most; /* kernels that it has, and may have */
    struct blocks_tenant tenants[BLOCKS_TOGETHER];
    struct blocks_group groups[BLOCKS_GROUPS];
    uint32_t groups_count;
    bool settling; /* a timer for the end of the instant is set, ... */
    bool grown;    /* ... and somebody has come */
};

enum { BLOCKS_OF_SM, BLOCKS_OF_DEVICE };

/* The option that says which, at this offset. */
#define BLOCKS_PARAM_QUOTAS_OF(at)                                                                 \
    {                                                                                              \
        PARAM_CHOICE, "quotas_of",                                                                 \
            .offset = (at), .choices = (const char *const[]){"sm", "device", NULL},                \
            .help = "Whose quotas these are: each SM's, as in the thesis, or the device's. The "   \
                    "device's "                                                                    \
                    "too where more than 8 stretches of SMs hold unlike blocks."                   \
    }

struct blocks {
    struct blocks_device *devices;
    uint32_t count;
    bool one_group;  /* quotas are those of a device */
    double target;   /* goals are for this share of the SLA */
    req_id *waiting; /* in the order in which they came */
    size_t waiting_count, waiting_capacity;
    /* Fills in `want` of all tenants. */
    void (*divide)(struct blocks *b, struct host *h, struct blocks_device *d);
    /* The SMs are divided among others than before; NULL: the policy does not care. */
    void (*settled)(struct blocks *b, struct host *h, struct blocks_device *d);
};

static inline int blocks_init(struct blocks *b, struct host *h, uint32_t most)
{
    b->count = host_devices(h);
    b->target = 1;
    b->devices = calloc(b->count, sizeof *b->devices);
    if (b->devices == NULL)
        abort();
    for (dev_id d = 0; d < b->count; d++) {
        struct host_device device;
        host_device(h, d, &device);
        if (device.sms > BLOCKS_SMS) {
            host_fail(h, "a device has more SMs than it can keep in mind");
            return -1;
        }
        b->devices[d].d = d;
        b->devices[d].sms = device.sms;
        b->devices[d].most = most < device.kernels_max ? most : device.kernels_max;
        if (b->devices[d].most > BLOCKS_TOGETHER)
            b->devices[d].most = BLOCKS_TOGETHER;
    }
    return 0;
}

static inline void blocks_release(struct blocks *b)
{
    free(b->devices);
    free(b->waiting);
}

/* Whether its request runs or is about to: one that has ended in this instant is not told yet. */
static inline bool blocks_runs(const struct host *h, const struct blocks_tenant *t)
{
    struct host_request request;
    return t->r != 0 && t->launched && host_request(h, t->r, &request) &&
           request.state != HOST_ENDED;
}

/* ---- Work ---- */

/* What a tenant has done in all. */
static inline double blocks_done_ns(const struct host *h, const struct blocks_tenant *t)
{
    struct host_counters counters;
    bool runs = blocks_runs(h, t) && host_counters(h, t->r, &counters);
    return t->ended_ns + (runs ? (double)counters.instructions : 0);
}

/* How many blocks a tenant is to have in a group. */
static inline uint32_t blocks_in(const struct blocks_device *d, const struct blocks_tenant *t,
                                 uint32_t g)
{
    uint32_t blocks = 0;
    for (uint32_t sm = d->groups[g].first; sm < d->groups[g].first + d->groups[g].sms; sm++)
        blocks += t->want[sm];
    return blocks;
}

/* What is left of its quotas now. */
static inline void blocks_look(const struct host *h, const struct blocks_device *d,
                               struct blocks_tenant *t)
{
    bool runs = blocks_runs(h, t);
    for (uint32_t g = 0; g < d->groups_count && runs; g++) {
        double left = host_quota_left_ns(h, t->r, d->groups[g].first);
        if (t->in[g].bounded && !t->in[g].moved && left >= 0)
            t->in[g].left_ns = t->in[g].used ? 0 : left;
    }
    if (runs)
        t->seen_ns = blocks_done_ns(h, t);
}

/* Its quota in a group from now on, in whole ns, of which none is lost; below 0: none. */
static inline void blocks_give(struct host *h, const struct blocks_device *d,
                               struct blocks_tenant *t, uint32_t g, double ns)
{
    struct blocks_quota *q = &t->in[g];
    int64_t whole = HOST_NEVER;
    q->bounded = ns >= 0;
    q->left_ns = q->bounded ? ns : 0;
    if (q->bounded && ns < BLOCKS_QUOTA) {
        whole = (int64_t)(ns + q->rest_ns);
        q->rest_ns += ns - (double)whole;
        q->left_ns = (double)whole;
    }
    q->used = whole == 0;
    q->moved = false;
    if (blocks_runs(h, t))
        host_quota(h, t->r, d->groups[g].first, d->groups[g].sms, whole);
}

/* Likewise a new one. */
static inline void blocks_quota(struct host *h, const struct blocks_device *d,
                                struct blocks_tenant *t, uint32_t g, double ns)
{
    blocks_look(h, d, t);
    t->in[g].quota_ns = t->in[g].given_ns = ns;
    t->in[g].pace = 0;
    blocks_give(h, d, t, g, ns);
}

/* The group in which a tenant has used its quota up, by its first SM; BLOCKS_GROUPS: there is none
 * such any more, or it has been given another quota since. */
static inline uint32_t blocks_used(const struct host *h, const struct blocks_device *d,
                                   struct blocks_tenant *t, uint32_t first_sm)
{
    for (uint32_t g = 0; g < d->groups_count; g++)
        if (d->groups[g].first == first_sm && t->in[g].bounded &&
            !(host_quota_left_ns(h, t->r, first_sm) > 0)) {
            t->in[g].used = true;
            blocks_look(h, d, t);
            return g;
        }
    return BLOCKS_GROUPS;
}

/* Of its request that has ended nobody knows what it did in which SMs since somebody looked: in
 * groups with a quota and without one in proportion to its blocks, of those with a quota in
 * proportion to what was left. */
static inline void blocks_count_ended(struct blocks_device *d, struct blocks_tenant *t)
{
    double all = 0, done = t->ended_ns - t->seen_ns, blocks = 0, bounded = 0;
    for (uint32_t g = 0; g < d->groups_count; g++) {
        double here = t->in[g].used ? 0 : blocks_in(d, t, g);
        blocks += here;
        bounded += t->in[g].bounded ? here : 0;
        all += t->in[g].left_ns;
    }
    done *= blocks > 0 ? bounded / blocks : 1;
    double kept = done < all ? 1 - done / all : 0;
    for (uint32_t g = 0; g < d->groups_count; g++)
        t->in[g].left_ns *= kept;
    t->seen_ns = t->ended_ns;
}

/* Whether all tenants of a group have used their quotas there. */
static inline bool blocks_all_used(const struct blocks_device *d, uint32_t g)
{
    bool any = false;
    for (uint32_t i = 0; i < d->count; i++) {
        bool in = blocks_in(d, &d->tenants[i], g) > 0;
        if (in && !d->tenants[i].in[g].used)
            return false;
        any = any || in;
    }
    return any;
}

/* Whether two SMs are to hold the same blocks. */
static inline bool blocks_alike(const struct blocks_device *d, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < d->count; i++)
        if (d->tenants[i].want[a] != d->tenants[i].want[b])
            return false;
    return true;
}

static inline uint32_t blocks_find_groups(const struct blocks *b, const struct blocks_device *d,
                                          struct blocks_group groups[BLOCKS_GROUPS])
{
    uint32_t count = 0;
    for (uint32_t sm = 0; sm < d->sms; sm++) {
        if (sm == 0 || !(b->one_group || blocks_alike(d, sm - 1, sm))) {
            if (count == BLOCKS_GROUPS) {
                groups[0] = (struct blocks_group){0, d->sms};
                return 1;
            }
            groups[count++] = (struct blocks_group){.first = sm};
        }
        groups[count - 1].sms++;
    }
    return count;
}

/* The books of a tenant's old groups, which the new ones get in proportion to its blocks. */
static inline void blocks_share_books(const struct blocks_device *d, struct blocks_tenant *t,
                                      uint32_t old_count)
{
    struct blocks_quota all = {.used = true};
    double blocks = 0;
    for (uint32_t g = 0; g < old_count; g++) {
        const struct blocks_quota *q = &t->in[g];
        all.bounded = all.bounded || q->bounded;
        all.used = all.used && q->used;
        all.quota_ns += q->quota_ns;
        all.given_ns += q->given_ns;
        all.left_ns += q->left_ns + q->rest_ns;
        all.pace += q->pace;
    }
    for (uint32_t g = 0; g < d->groups_count; g++)
        blocks += blocks_in(d, t, g);
    for (uint32_t g = 0; g < d->groups_count; g++) {
        double share = blocks > 0 ? blocks_in(d, t, g) / blocks : 0;
        bool used = all.bounded && all.used;
        t->in[g] = (struct blocks_quota){.bounded = all.bounded,
                                         .used = used,
                                         .moved = true,
                                         .quota_ns = all.quota_ns * share,
                                         .given_ns = all.given_ns * share,
                                         .left_ns = all.left_ns * share,
                                         .pace = used ? all.pace * share : 0};
    }
}

/* Finds the groups of SMs. Quotas of other groups than before are the policy's to give. */
static inline void blocks_regroup(const struct blocks *b, struct host *h, struct blocks_device *d)
{
    struct blocks_group groups[BLOCKS_GROUPS] = {{0}};
    uint32_t count = blocks_find_groups(b, d, groups), old_count = d->groups_count;
    if (count == old_count && memcmp(groups, d->groups, count * sizeof *groups) == 0)
        return;
    for (uint32_t i = 0; i < d->count; i++) {
        struct blocks_tenant *t = &d->tenants[i];
        bool bounded = false;
        blocks_look(h, d, t);
        for (uint32_t g = 0; g < old_count; g++)
            bounded = bounded || t->in[g].bounded;
        if (bounded && blocks_runs(h, t))
            host_quota(h, t->r, 0, d->sms, HOST_NEVER);
    }
    memcpy(d->groups, groups, sizeof groups);
    d->groups_count = count;
    for (uint32_t i = 0; i < d->count; i++)
        blocks_share_books(d, &d->tenants[i], old_count);
}

static inline struct blocks_tenant *blocks_find(struct blocks *b, req_id r,
                                                struct blocks_device **on)
{
    for (uint32_t d = 0; d < b->count; d++)
        for (uint32_t i = 0; i < b->devices[d].count; i++)
            if (b->devices[d].tenants[i].r == r) {
                *on = &b->devices[d];
                return &b->devices[d].tenants[i];
            }
    return NULL;
}

/* ---- From what is to what is wanted ---- */

static inline struct host_allotment blocks_range(uint32_t first, uint32_t sms, uint32_t blocks)
{
    return (struct host_allotment){
        .mechanism = HOST_BLOCKS, .first_sm = first, .sms = sms, .blocks = blocks};
}

/* Resizes what has too many blocks, or too few; a launch makes the first step. */
static inline void blocks_move(struct host *h, const struct blocks_device *d,
                               struct blocks_tenant *t, bool down)
{
    uint32_t sm = 0;
    while (sm < d->sms) {
        uint32_t first = sm, want = t->want[sm];
        bool moves = down ? want < t->have[sm] : want > t->have[sm];
        while (sm < d->sms && t->want[sm] == want &&
               moves == (down ? want < t->have[sm] : want > t->have[sm]))
            sm++;
        if (!moves)
            continue;
        if (blocks_runs(h, t))
            host_resize(h, t->r, blocks_range(first, sm - first, want));
        else if (!t->launched)
            host_launch(h, t->r, d->d, blocks_range(first, sm - first, want));
        t->launched = true;
        memset(&t->have[first], (int)want, sm - first);
    }
}

/* Who has left leaves nothing behind; all others get what they are to have. */
static inline void blocks_settle(struct blocks *b, struct host *h, struct blocks_device *d)
{
    b->divide(b, h, d);
    blocks_regroup(b, h, d);
    for (uint32_t i = 0; i < d->count; i++)
        blocks_move(h, d, &d->tenants[i], true);
    for (uint32_t i = 0; i < d->count; i++) {
        struct blocks_tenant *t = &d->tenants[i];
        blocks_move(h, d, t, false);
        if (!t->launched) /* where it is to have none */
            host_launch(h, t->r, d->d, blocks_range(0, 0, 0));
        t->launched = true;
    }
}

/* ---- Who comes and goes ---- */

/* At the end of the instant blocks_on_timer() hears of it. */
static inline void blocks_settle_later(struct host *h, struct blocks_device *d)
{
    if (!d->settling)
        host_timer(h, host_now(h), BLOCKS_SETTLE | d->d);
    d->settling = true;
}

static inline void blocks_admit(const struct blocks *b, struct host *h, struct blocks_device *d,
                                req_id r)
{
    struct host_request request;
    struct blocks_tenant *t = &d->tenants[d->count];
    memset(t, 0, sizeof *t);
    host_request(h, r, &request);
    t->r = r;
    t->app = request.app;
    if (!host_block(h, r, &t->block)) {
        host_fail(h, "nobody knows what a block of a request takes of an SM");
        return;
    }
    t->alone_ns = host_predict(h, r, HOST_DURATION_NS, blocks_range(0, d->sms, t->block.fits));
    t->qos = request.class == HOST_LATENCY && request.deadline_ns != HOST_NEVER;
    if (t->qos && request.deadline_ns > request.arrival_ns)
        t->goal =
            (double)t->alone_ns / (double)(request.deadline_ns - request.arrival_ns) / b->target;
    t->begun_ns = (double)host_now(h);
    d->count++;
    d->grown = true;
}

/* The next request of a tenant takes its place. */
static inline bool blocks_follow(struct blocks *b, struct host *h, req_id r)
{
    struct host_request request;
    host_request(h, r, &request);
    for (uint32_t k = 0; k < b->count && b->waiting_count == 0; k++) {
        struct blocks_device *d = &b->devices[k];
        for (uint32_t i = 0; i < d->count; i++) {
            struct blocks_tenant *t = &d->tenants[i];
            if (t->r != 0 || t->app != request.app)
                continue;
            t->r = r;
            t->launched = false;
            memcpy(t->want, t->have, sizeof t->want);
            memset(t->have, 0, sizeof t->have);
            blocks_move(h, d, t, false);
            if (!t->launched)
                host_launch(h, r, d->d, blocks_range(0, 0, 0));
            t->launched = true;
            for (uint32_t g = 0; g < d->groups_count; g++)
                if (t->in[g].bounded)
                    blocks_give(h, d, t, g, t->in[g].left_ns);
            return true;
        }
    }
    return false;
}

static inline void blocks_on_ready(struct blocks *b, struct host *h, req_id r)
{
    if (blocks_follow(b, h, r))
        return;
    struct blocks_device *best = NULL;
    for (uint32_t k = 0; k < b->count; k++)
        if (b->devices[k].count < b->devices[k].most &&
            (best == NULL || b->devices[k].count < best->count))
            best = &b->devices[k];
    if (best != NULL) {
        blocks_admit(b, h, best, r);
        blocks_settle_later(h, best);
        return;
    }
    b->waiting = grow(b->waiting, &b->waiting_capacity, b->waiting_count, sizeof *b->waiting, 8);
    b->waiting[b->waiting_count++] = r;
}

static inline void blocks_on_complete(struct blocks *b, struct host *h, req_id r)
{
    struct blocks_device *d = NULL;
    struct blocks_tenant *t = blocks_find(b, r, &d);
    t->ended_ns += (double)t->alone_ns;
    blocks_count_ended(d, t);
    t->r = 0;
    blocks_settle_later(h, d);
}

static inline void blocks_on_gone(struct blocks *b, req_id r)
{
    for (size_t i = 0; i < b->waiting_count; i++)
        if (b->waiting[i] == r) {
            memmove(&b->waiting[i], &b->waiting[i + 1],
                    (--b->waiting_count - i) * sizeof *b->waiting);
            return;
        }
}

enum blocks_timer {
    BLOCKS_OTHER,   /* it was another timer */
    BLOCKS_SAME,    /* an instant is over: requests took the places of requests */
    BLOCKS_CHANGED, /* an instant is over: somebody has left or come */
};

/* Whoever has not come by the end of an instant has left. */
static inline enum blocks_timer blocks_on_timer(struct blocks *b, struct host *h, uint64_t cookie)
{
    if ((cookie & BLOCKS_SETTLE) == 0)
        return BLOCKS_OTHER;
    struct blocks_device *d = &b->devices[cookie & UINT32_MAX];
    uint32_t kept = 0;
    d->settling = false;
    for (uint32_t i = 0; i < d->count; i++)
        if (d->tenants[i].r != 0) {
            if (kept < i)
                d->tenants[kept] = d->tenants[i];
            kept++;
        }
    bool left = kept < d->count;
    d->count = kept;
    while (b->waiting_count > 0 && d->count < d->most) {
        req_id r = b->waiting[0];
        memmove(b->waiting, b->waiting + 1, --b->waiting_count * sizeof *b->waiting);
        blocks_admit(b, h, d, r);
    }
    bool changed = left || d->grown;
    d->grown = false;
    if (changed && d->count > 0) {
        blocks_settle(b, h, d);
        if (b->settled != NULL)
            b->settled(b, h, d);
    }
    return changed ? BLOCKS_CHANGED : BLOCKS_SAME;
}

/* ---- Room ---- */

/* What so many blocks of a tenant take of an SM. */
static inline double blocks_dominant(const struct host_block *block, double blocks)
{
    double most = 0;
    for (int x = 0; x < HOST_BLOCK_SHARES; x++)
        most = blocks * block->share[x] > most ? blocks * block->share[x] : most;
    return most;
}

/* Whether one more block of a tenant fits into an SM with what is wanted there. */
static inline bool blocks_has_room(const struct blocks_device *d, uint32_t sm,
                                   const struct blocks_tenant *t)
{
    for (int x = 0; x < HOST_BLOCK_SHARES; x++) {
        double sum = t->block.share[x];
        for (uint32_t i = 0; i < d->count; i++)
            sum += d->tenants[i].want[sm] * d->tenants[i].block.share[x];
        if (sum > 1 + 1e-9)
            return false;
    }
    return true;
}

/* The tenants have SMs of their own, one after the other in so many, filled with their blocks. */
static inline void blocks_side_by_side(struct blocks_device *d, const uint32_t sms[BLOCKS_TOGETHER])
{
    uint32_t sm = 0;
    for (uint32_t i = 0; i < d->count; i++)
        memset(d->tenants[i].want, 0, sizeof d->tenants[i].want);
    for (uint32_t i = 0; i < d->count; i++)
        for (uint32_t n = 0; n < sms[i] && sm < d->sms; n++)
            d->tenants[i].want[sm++] = (uint8_t)d->tenants[i].block.fits;
}

/* Fills one SM: again and again a block of whoever has least there by `measure`, as long as one
 * fits (Wang, section 2.4.3.2, figures 2-5 and 2-7). who: tenants that may be there; all others
 * have none. */
static inline void blocks_fill(struct blocks_device *d, uint32_t sm,
                               const bool who[BLOCKS_TOGETHER],
                               double (*measure)(const struct host_block *block, double blocks))
{
    for (uint32_t i = 0; i < d->count; i++)
        d->tenants[i].want[sm] = 0;
    for (;;) {
        struct blocks_tenant *least = NULL;
        double amount = 0;
        for (uint32_t i = 0; i < d->count; i++) {
            struct blocks_tenant *t = &d->tenants[i];
            double m = measure(&t->block, t->want[sm]);
            if (who[i] && (least == NULL || m < amount) && blocks_has_room(d, sm, t)) {
                least = t;
                amount = m;
            }
        }
        if (least == NULL)
            return;
        least->want[sm]++;
    }
}

#endif
