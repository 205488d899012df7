/*
 * plan.h - which quota each latency request of a device gets for its next kernel (C-Laius, sections
 * 6.1, 7 and 8).
 *
 *   - One that has not begun: the lowest quota whose predicted duration fits into what is left of
 *     its SLA (equation 3), less what it may have to wait for a batch request's transfer; all SMs
 * if there is none.
 *   - One that has begun: its first quota, or while it lags behind the prediction for that, the
 *     lowest that makes up for the lag, and for what the change of quota costs, in the kernels that
 *     are left (section 7, equation 6). Once the lag is gone it falls back to the first, unless the
 *     change back would make it late again.
 *   - Several services: a service is as late as the latest of its requests (equation 7). What is
 *     late of the latest service gets what makes up for it (equation 8); services that are early
 *     may give back what they do not need ("can appropriately reduce"): with `give_back` down to
 * just enough, which leaves them no time to spare, else nothing. If the quotas add up to more than
 * the device, services are met in the order of priority and slope (section 8).
 *   - Several requests of one service: the paper says nothing of these. `within` chooses:
 *       lag       each by section 7, the oldest is met first;
 *       keep      each keeps the quota that it wanted, the latest gets more by equations 7 and 8,
 *                 none gives anything back, the oldest is met first;
 *       services  as if each were a service of its own.
 *
 * plan_begin(), plan_add() for each latency request of the device in the order of their ids,
 * plan_decide(). Each change of a quota is explained to the host.
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
    app_id app;
    /* Latency requests. Levels: by equation 3; what its next kernel should have; what it gets of
     * that beside those that are met before it. */
    uint32_t original, wanted, quota;
    int64_t begun_ns;    /* of its first launch; HOST_NEVER before */
    int64_t expected_ns; /* predicted for the kernels that have ended, at the original */
    uint32_t before;   /* the kernel before the current one, and what was predicted for it there; */
    int64_t before_ns; /* -1: not asked */
};

enum plan_within { PLAN_LAG, PLAN_KEEP, PLAN_SERVICES };

/* A latency request in the order in which quotas are met. */
struct plan_ranked {
    struct plan_request *q;
    req_id oldest; /* request of its service */
    int priority;  /* 1 .. 3, section 8; the same for all of a service */
    double slope;  /* likewise */
    uint32_t wanted;
    const char *why; /* it is */
    int64_t late_ns; /* T of equation 7 */
};

/* Zero but for the first six members at first. */
struct plan {
    const struct quota_levels *levels;
    enum plan_within within;
    bool compensator; /* off: C-Laius-NC */
    bool give_back;   /* off: an early service keeps its quota beside others */
    double threshold; /* TH in equation 8 */
    int64_t copy_ns;  /* that a request may have to wait for a transfer of a batch request */
    struct quota_pool predictions;
    struct plan_ranked *ranked;
    size_t count, capacity;
    size_t services;
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
    p->ranked = grow(p->ranked, &p->capacity, p->count, sizeof *p->ranked, 4);
    p->ranked[p->count++] = (struct plan_ranked){.q = q};
}

/* What is known of the current kernel of a request. */
static inline struct quota_predictions *plan_known(struct plan *p, struct plan_request *q)
{
    if (q->known == NULL)
        q->known = quota_take(&p->predictions, p->levels, q->share.r);
    return q->known;
}

/* Its current kernel is this one. Of the one before, which may have ended without a word so far,
 * the prediction at the original quota is kept. */
static inline void plan_at_kernel(const struct plan *p, struct plan_request *q, uint32_t kernel)
{
    if (q->kernel == kernel)
        return;
    q->before = q->kernel;
    q->before_ns = -1;
    if (q->known != NULL && q->original > 0)
        q->before_ns = quota_known(p->levels, q->known, HOST_DURATION_NS, q->original);
    q->kernel = kernel;
    if (q->known != NULL)
        quota_forget(q->known);
}

/* What was predicted for a kernel that has ended, at the original quota. */
static inline int64_t plan_expected(const struct plan *p, struct host *h,
                                    const struct plan_request *q, uint32_t ended)
{
    int64_t known = q->before == ended ? q->before_ns : -1;
    if (q->known != NULL && q->kernel == ended)
        known = quota_known(p->levels, q->known, HOST_DURATION_NS, q->original);
    if (known >= 0)
        return known;
    return host_predict_kernel(h, q->share.r, ended, HOST_DURATION_NS,
                               quota_allotment(p->levels, q->original));
}

static inline bool plan_is_fresh(const struct plan_request *q)
{
    return q->begun_ns == HOST_NEVER;
}

/* How long its current kernel has run. */
static inline int64_t plan_ran_ns(const struct host *h, const struct plan_request *q)
{
    struct host_request view;
    if (!q->share.runs || !host_request(h, q->share.r, &view) || view.began_ns >= host_now(h))
        return 0;
    return host_now(h) - view.began_ns;
}

/* What is left of the SLA, counted from the beginning of the current kernel as predictions are. */
static inline int64_t plan_time_left(const struct host *h, const struct plan_request *q)
{
    return q->aim_ns - host_now(h) + plan_ran_ns(h, q);
}

/* Whether a request, with its quota, would be in time if it waited so long. */
static inline bool plan_bears(struct plan *p, struct host *h, struct plan_request *q,
                              int64_t wait_ns)
{
    uint32_t level = q->quota > 0 ? q->quota : p->levels->count;
    int64_t left_ns = quota_left_ns(p->levels, h, plan_known(p, q), level);
    return q->aim_ns == HOST_NEVER || share_earlier_ns(plan_time_left(h, q), left_ns) >= wait_ns;
}

/* How much later its next kernel begins at this level since the one before had another. */
static inline int64_t plan_switch_ns(const struct plan *p, const struct host *h,
                                     const struct plan_request *q, uint32_t level)
{
    return host_switch_ns(h, q->share.r, quota_allotment(p->levels, level));
}

/* When its next kernel would end if it were launched at that time and level. */
static inline int64_t plan_end_ns(struct plan *p, struct host *h, struct plan_request *q,
                                  int64_t at_ns, uint32_t level)
{
    int64_t runs_ns = quota_predict(p->levels, h, plan_known(p, q), HOST_DURATION_NS, level);
    return share_later_ns(at_ns, share_later_ns(plan_switch_ns(p, h, q, level), runs_ns));
}

/* Equation 6: the lowest level above `base` that saves at least save_ns, and what the change to it
 * costs. */
static inline uint32_t plan_saving_level(struct plan *p, struct host *h, struct plan_request *q,
                                         uint32_t base, int64_t save_ns)
{
    struct quota_predictions *known = plan_known(p, q);
    uint32_t level = quota_that_saves(p->levels, h, known, base, save_ns);
    int64_t cost_ns = plan_switch_ns(p, h, q, level);
    return cost_ns == 0
               ? level
               : quota_that_saves(p->levels, h, known, base, share_later_ns(save_ns, cost_ns));
}

/* Section 7. What runs has not ended: it counts neither as expected nor as late. */
static inline void plan_compensate(struct plan *p, struct host *h, struct plan_ranked *x)
{
    struct plan_request *q = x->q;
    int64_t lag_ns = host_now(h) - plan_ran_ns(h, q) - q->begun_ns - q->expected_ns;
    bool lags = p->compensator && share_later_ns(lag_ns, plan_switch_ns(p, h, q, q->original)) > 0;
    x->wanted = lags ? plan_saving_level(p, h, q, q->original, lag_ns) : q->original;
    x->why = lags ? "lag" : "rolled_back";
}

/* Finds the services of the requests; each stands behind its oldest one. */
static inline void plan_find_services(struct plan *p)
{
    p->services = 0;
    for (size_t i = 0; i < p->count; i++) {
        struct plan_ranked *x = &p->ranked[i];
        x->priority = 2;
        x->oldest = x->q->share.r;
        for (size_t j = 0; j < i && p->within != PLAN_SERVICES && x->oldest == x->q->share.r; j++)
            if (p->ranked[j].q->app == x->q->app)
                x->oldest = p->ranked[j].oldest;
        p->services += x->oldest == x->q->share.r;
    }
}

/* What a request wants as long as nobody is late. Beside another service one that has begun goes on
 * with what it has (section 8, priority 2). */
static inline void plan_want(struct plan *p, struct host *h, struct plan_ranked *x)
{
    struct plan_request *q = x->q;
    bool fresh = plan_is_fresh(q);
    if (fresh)
        q->original = quota_just_enough(p->levels, h, plan_known(p, q),
                                        share_earlier_ns(plan_time_left(h, q), p->copy_ns));
    x->wanted = q->original;
    x->why = "just_enough";
    if (fresh)
        return;
    if (p->services == 1 && (p->within == PLAN_LAG || p->count == 1)) {
        plan_compensate(p, h, x);
        return;
    }
    uint32_t before = p->services == 1 ? q->wanted : q->quota;
    if (p->compensator && before > 0)
        x->wanted = before;
}

/* Equation 7 for each. The latest of all, NULL if none is late. */
static inline struct plan_ranked *plan_find_latest(struct plan *p, struct host *h)
{
    struct plan_ranked *latest = NULL;
    for (size_t i = 0; i < p->count; i++) {
        struct plan_ranked *x = &p->ranked[i];
        x->late_ns = share_earlier_ns(quota_left_ns(p->levels, h, plan_known(p, x->q), x->wanted),
                                      plan_time_left(h, x->q));
        if (x->late_ns > 0 && (latest == NULL || x->late_ns > latest->late_ns))
            latest = x;
    }
    return latest;
}

/* Equation 8. */
static inline void plan_raise(struct plan *p, struct host *h, struct plan_ranked *latest)
{
    struct quota_predictions *known = plan_known(p, latest->q);
    uint32_t now = latest->wanted;
    uint32_t a = plan_saving_level(p, h, latest->q, now, latest->late_ns);
    latest->wanted = quota_better_value(p->levels, h, known, now, a, p->threshold);
    latest->why = "priority_1";
}

/* Whether all requests of a service that has begun are early. */
static inline bool plan_is_early(const struct plan *p, req_id oldest)
{
    for (size_t i = 0; i < p->count; i++) {
        const struct plan_ranked *x = &p->ranked[i];
        if (x->oldest == oldest &&
            (x->late_ns >= 0 || (x->q->share.r == oldest && plan_is_fresh(x->q))))
            return false;
    }
    return true;
}

/* Section 8: who has which priority, and what of it follows for the quotas. */
static inline void plan_prioritise(struct plan *p, struct host *h)
{
    static const char *const names[] = {"", "priority_1", "priority_2", "priority_3"};
    struct plan_ranked *latest = plan_find_latest(p, h);
    for (size_t i = 0; i < p->count && p->compensator; i++) {
        struct plan_ranked *x = &p->ranked[i];
        if (latest != NULL && x->oldest == latest->oldest)
            x->priority = 1;
        else if (plan_is_early(p, x->oldest))
            x->priority = 3;
        if (x->priority == 3 && p->give_back && !plan_is_fresh(x->q))
            x->wanted =
                quota_just_enough(p->levels, h, plan_known(p, x->q), plan_time_left(h, x->q));
    }
    for (size_t i = 0; i < p->count; i++) {
        struct plan_ranked *x = &p->ranked[i];
        if (!plan_is_fresh(x->q))
            x->why = names[x->priority];
        if (x->priority == 1 && x->late_ns > 0)
            plan_raise(p, h, x);
    }
}

static inline bool plan_goes_before(const struct plan_ranked *x, const struct plan_ranked *y)
{
    if (x->priority != y->priority)
        return x->priority < y->priority;
    if (x->slope != y->slope)
        return x->slope > y->slope;
    if (x->oldest != y->oldest)
        return x->oldest < y->oldest;
    return x->q->share.r < y->q->share.r;
}

/* Sets the slope of each service: that of its oldest request. Nobody asks for it where all get what
 * they want. */
static inline void plan_find_slopes(struct plan *p, struct host *h)
{
    const struct quota_levels *l = p->levels;
    uint64_t sum = 0;
    for (size_t i = 0; i < p->count; i++)
        sum += l->sms[p->ranked[i].wanted];
    if (p->services < 2 || sum <= l->sms[l->count])
        return;
    for (size_t i = 0; i < p->count; i++) {
        struct plan_ranked *x = &p->ranked[i];
        size_t of = 0;
        while (p->ranked[of].q->share.r != x->oldest)
            of++;
        x->slope = of < i ? p->ranked[of].slope : quota_slope(l, h, plan_known(p, x->q), x->wanted);
    }
}

/* Sorts the requests, and grants to each what it wants of what those before it have left. */
static inline void plan_grant(struct plan *p, struct host *h)
{
    const struct quota_levels *l = p->levels;
    uint32_t rest = l->sms[l->count];
    plan_find_slopes(p, h);
    for (size_t i = 1; i < p->count; i++) {
        struct plan_ranked x = p->ranked[i];
        size_t at = i;
        for (; at > 0 && plan_goes_before(&x, &p->ranked[at - 1]); at--)
            p->ranked[at] = p->ranked[at - 1];
        p->ranked[at] = x;
    }
    for (size_t i = 0; i < p->count; i++) {
        const struct plan_ranked *x = &p->ranked[i];
        uint32_t most = quota_within(l, rest), before = x->q->quota;
        x->q->wanted = x->wanted;
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
    plan_find_services(p);
    for (size_t i = 0; i < p->count; i++)
        plan_want(p, h, &p->ranked[i]);
    if (p->services > 1) {
        plan_prioritise(p, h);
    } else if (p->within == PLAN_KEEP && p->count > 1 && p->compensator) {
        struct plan_ranked *latest = plan_find_latest(p, h);
        if (latest != NULL)
            plan_raise(p, h, latest);
    }
    plan_grant(p, h);
}

#endif
