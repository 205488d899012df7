/*
 * plan.h - which quota each latency request of a device gets for its next kernel (C-Laius, sections
 * 6.1, 7 and 8).
 *
 *   - One that has not begun: the lowest quota whose predicted duration fits into what is left of
 *     its SLA (equation 3); all SMs if there is none.
 *   - One that has begun and is alone: its first quota, or while it lags behind the prediction for
 *     that, the lowest that makes up for the lag in the kernels that are left (section 7, equation
 *     6). Once the lag is gone it falls back to the first.
 *   - Several: priorities from what each is late (section 8, equation 7); the latest one gets what
 *     makes up for it (equation 8), those that are early give back what they do not need. If the
 *     quotas add up to more than the device they are met in the order of priority and slope.
 *
 * plan_begin(), plan_add() for each latency request of the device, plan_decide(). Each change of a
 * quota is explained to the host.
 */
#ifndef DCSIM_POLICIES_LIB_PLAN_H
#define DCSIM_POLICIES_LIB_PLAN_H

#include "policies/lib/grow.h"
#include "policies/lib/quota.h"

/* What is known of a request, of whatever class. */
struct plan_request {
    struct share_request share;
    struct quota_predictions *known; /* NULL: nothing was asked yet */
    uint32_t kernel;                 /* its current one, UINT32_MAX: it has ended */
    uint32_t level;                  /* at which it runs, and the bandwidth predicted for it */
    int64_t bandwidth;
    int64_t aim_ns; /* its deadline, or earlier by `target` */
    /* Latency requests. */
    uint32_t original, quota; /* levels: by equation 3, and for the next kernel */
    int64_t begun_ns;         /* of its first launch; HOST_NEVER before */
    int64_t expected_ns;      /* predicted for the kernels that have ended, at the original */
};

/* A latency request in the order in which quotas are met. */
struct plan_ranked {
    struct plan_request *q;
    int priority; /* 1 .. 3, section 8 */
    uint32_t wanted;
    const char *why; /* it is */
    int64_t late_ns; /* T of equation 7 */
    double slope;
};

/* Zero but for the first three members at first. */
struct plan {
    const struct quota_levels *levels;
    bool compensator; /* off: C-Laius-NC */
    double threshold; /* TH in equation 8 */
    struct quota_pool predictions;
    struct plan_ranked *ranked;
    size_t count, capacity;
};

static inline void plan_release(struct plan *p)
{
    quota_release(&p->predictions);
    free(p->ranked);
}

static inline void plan_begin(struct plan *p)
{
    p->count = 0;
}

static inline void plan_add(struct plan *p, struct plan_request *q)
{
    p->ranked = grow(p->ranked, &p->capacity, p->count, sizeof *p->ranked, 16);
    p->ranked[p->count++] = (struct plan_ranked){.q = q};
}

/* What is known of the current kernel of a request. */
static inline struct quota_predictions *plan_known(struct plan *p, struct plan_request *q)
{
    if (q->known == NULL)
        q->known = quota_take(&p->predictions, p->levels, q->share.r);
    return q->known;
}

/* Its current kernel is this one. */
static inline void plan_at_kernel(struct plan_request *q, uint32_t kernel)
{
    if (q->kernel == kernel)
        return;
    q->kernel = kernel;
    if (q->known != NULL)
        quota_forget(q->known);
}

static inline bool plan_is_fresh(const struct plan_request *q)
{
    return q->begun_ns == HOST_NEVER;
}

/* What is left of the SLA, counted from the beginning of the current kernel as predictions are. */
static inline int64_t plan_time_left(const struct host *h, const struct plan_request *q)
{
    struct host_request view;
    int64_t ran_ns = 0;
    if (q->share.runs && host_request(h, q->share.r, &view) && view.began_ns < host_now(h))
        ran_ns = host_now(h) - view.began_ns;
    return q->aim_ns - host_now(h) + ran_ns;
}

/* Section 7. */
static inline void plan_compensate(struct plan *p, struct host *h, struct plan_ranked *x)
{
    struct plan_request *q = x->q;
    int64_t lag_ns = host_now(h) - q->begun_ns - q->expected_ns;
    bool lags = p->compensator && lag_ns > 0;
    x->wanted =
        lags ? quota_that_saves(p->levels, h, plan_known(p, q), q->original, lag_ns) : q->original;
    x->why = lags ? "lag" : "rolled_back";
}

/* Equation 7 for each, and who has which priority. */
static inline void plan_prioritise(struct plan *p, struct host *h)
{
    static const char *const names[] = {"", "priority_1", "priority_2", "priority_3"};
    struct plan_ranked *latest = NULL;
    for (size_t i = 0; i < p->count; i++) {
        struct plan_ranked *x = &p->ranked[i];
        int64_t left_ns = plan_time_left(h, x->q);
        x->late_ns =
            share_earlier_ns(quota_left_ns(p->levels, h, plan_known(p, x->q), x->wanted), left_ns);
        x->priority = 2;
        if (!p->compensator)
            continue;
        if (x->late_ns > 0 && (latest == NULL || x->late_ns > latest->late_ns))
            latest = x;
        if (x->late_ns < 0 && !plan_is_fresh(x->q)) {
            x->priority = 3;
            x->wanted = quota_just_enough(p->levels, h, plan_known(p, x->q), left_ns);
        }
    }
    if (latest != NULL) {
        struct quota_predictions *known = plan_known(p, latest->q);
        uint32_t now = latest->wanted;
        uint32_t a = quota_that_saves(p->levels, h, known, now, latest->late_ns);
        latest->priority = 1;
        latest->wanted = quota_better_value(p->levels, h, known, now, a, p->threshold);
    }
    for (size_t i = 0; i < p->count; i++)
        if (!plan_is_fresh(p->ranked[i].q) || p->ranked[i].priority == 1)
            p->ranked[i].why = names[p->ranked[i].priority];
}

static inline bool plan_goes_before(const struct plan_ranked *x, const struct plan_ranked *y)
{
    if (x->priority != y->priority)
        return x->priority < y->priority;
    if (x->slope != y->slope)
        return x->slope > y->slope;
    return x->q->share.r < y->q->share.r;
}

/* Grants what is wanted; in the order of priority and slope if that is too much. */
static inline void plan_grant(struct plan *p, struct host *h)
{
    const struct quota_levels *l = p->levels;
    uint64_t sum = 0;
    for (size_t i = 0; i < p->count; i++)
        sum += l->sms[p->ranked[i].wanted];
    uint32_t rest = l->sms[l->count];
    for (size_t i = 0; i < p->count; i++) {
        struct plan_ranked x = p->ranked[i];
        x.slope = sum > rest ? quota_slope(l, h, plan_known(p, x.q), x.wanted) : 0;
        size_t at = i;
        for (; at > 0 && plan_goes_before(&x, &p->ranked[at - 1]); at--)
            p->ranked[at] = p->ranked[at - 1];
        p->ranked[at] = x;
    }
    for (size_t i = 0; i < p->count; i++) {
        const struct plan_ranked *x = &p->ranked[i];
        uint32_t most = quota_within(l, rest), before = x->q->quota;
        x->q->quota = x->wanted < most ? x->wanted : most;
        rest -= l->sms[x->q->quota];
        if (x->q->quota != before)
            host_explain(h, x->q->share.r, x->wanted > most ? "split" : x->why,
                         l->sms[x->q->quota]);
    }
}

/* The quotas of the latency requests of one device. */
static inline void plan_decide(struct plan *p, struct host *h)
{
    for (size_t i = 0; i < p->count; i++) {
        struct plan_ranked *x = &p->ranked[i];
        if (plan_is_fresh(x->q))
            x->q->original =
                quota_just_enough(p->levels, h, plan_known(p, x->q), plan_time_left(h, x->q));
        x->why = "just_enough";
        x->wanted = plan_is_fresh(x->q) || !p->compensator || x->q->quota == 0 ? x->q->original
                                                                               : x->q->quota;
    }
    if (p->count > 1)
        plan_prioritise(p, h);
    else if (!plan_is_fresh(p->ranked[0].q))
        plan_compensate(p, h, &p->ranked[0]);
    plan_grant(p, h);
}

#endif
