/*
 * quota.h - how much of a device a request needs (C-Laius, sections 6.1, 6.2, 7 and 8).
 *
 * A quota is a *level*: 0 is nothing, level i is levels.sms[i] SMs, the last is the whole device.
 * All predictions are of what the request has left from the beginning of its current kernel. Each
 * is asked once and remembered as long as that kernel is current: a prediction may be charged for.
 */
#ifndef DCSIM_POLICIES_LIB_QUOTA_H
#define DCSIM_POLICIES_LIB_QUOTA_H

#include "policies/lib/share.h"

#include <string.h>

#define QUOTA_LEVELS_MAX 64

struct quota_levels {
    uint32_t sms[QUOTA_LEVELS_MAX + 1];     /* ascending, sms[0] = 0 */
    uint32_t count;                         /* of levels beside 0, >= 1 */
    enum host_mechanism mechanism, offered; /* offered: HOST_WHOLE if the device lacks it */
    struct host_device device;              /* any of the domain: they are alike */
};

/* Levels at multiples of `granularity` of the device (0: of its smallest part), each rounded up to
 * what the mechanism can partition. */
static inline void quota_levels_init(struct quota_levels *l, const struct host_device *device,
                                     enum host_mechanism mechanism, double granularity)
{
    *l = (struct quota_levels){.mechanism = mechanism, .device = *device};
    uint32_t sms = share_sms(device, mechanism), step = share_step(device, mechanism);
    double apart = granularity * sms / step; /* in steps */
    if (apart < 1)
        apart = 1;
    if (apart * step * QUOTA_LEVELS_MAX < sms)
        apart = (double)sms / step / (QUOTA_LEVELS_MAX - 1);
    while (l->sms[l->count] < sms) {
        double steps = apart * (l->count + 1) - 1e-6; /* 10 % ten times is the whole device */
        uint64_t level = ((uint64_t)steps + 1) * step;
        l->sms[++l->count] = level < sms ? (uint32_t)level : sms;
    }
    l->offered = share_allotment(device, mechanism, sms).mechanism;
}

/* The highest level of at most so many SMs. */
static inline uint32_t quota_within(const struct quota_levels *l, uint32_t sms)
{
    uint32_t level = l->count;
    while (l->sms[level] > sms)
        level--;
    return level;
}

static inline struct host_allotment quota_allotment(const struct quota_levels *l, uint32_t level)
{
    if (l->offered == HOST_WHOLE)
        return (struct host_allotment){.mechanism = HOST_WHOLE};
    return (struct host_allotment){.mechanism = l->offered, .sms = l->sms[level]};
}

#define QUOTA_QUANTITIES (HOST_MILLI_IPC + 1)

/* What was predicted for the current kernel of a request. Only the marks are cleared when it comes
 * to another one: a domain has many of these, and a run many domains. */
struct quota_predictions {
    struct quota_predictions *older, *spare; /* of the pool */
    req_id r;
    uint64_t asked[QUOTA_QUANTITIES]; /* bits 1 << level - 1 */
    int64_t of[];                     /* quantity * levels + level - 1; only what was asked */
};

/* Where they come from; all zero at first. Memory grows to the largest number ever and stays. */
struct quota_pool {
    struct quota_predictions *all, *spare;
};

/* The request has come to another kernel: nothing is known. */
static inline void quota_forget(struct quota_predictions *p)
{
    memset(p->asked, 0, sizeof p->asked);
}

/* For request r at these levels, the same ones at every call. */
static inline struct quota_predictions *quota_take(struct quota_pool *pool,
                                                   const struct quota_levels *l, req_id r)
{
    struct quota_predictions *p = pool->spare;
    if (p != NULL) {
        pool->spare = p->spare;
    } else {
        p = malloc(sizeof *p + QUOTA_QUANTITIES * (size_t)l->count * sizeof p->of[0]);
        if (p == NULL)
            abort();
        p->older = pool->all;
        pool->all = p;
    }
    p->r = r;
    quota_forget(p);
    return p;
}

static inline void quota_give_back(struct quota_pool *pool, struct quota_predictions *p)
{
    p->spare = pool->spare;
    pool->spare = p;
}

static inline void quota_release(struct quota_pool *pool)
{
    for (struct quota_predictions *p = pool->all, *older; p != NULL; p = older) {
        older = p->older;
        free(p);
    }
    *pool = (struct quota_pool){0};
}

/* What was predicted already for level 1 or above; -1: it was not asked. */
static inline int64_t quota_known(const struct quota_levels *l, const struct quota_predictions *p,
                                  enum host_quantity q, uint32_t level)
{
    return (p->asked[q] >> (level - 1) & 1) != 0 ? p->of[q * l->count + level - 1] : -1;
}

/* level: 1 or above. */
static inline int64_t quota_predict(const struct quota_levels *l, struct host *h,
                                    struct quota_predictions *p, enum host_quantity q,
                                    uint32_t level)
{
    int64_t known = quota_known(l, p, q, level);
    if (known >= 0)
        return known;
    int64_t predicted = host_predict(h, p->r, q, quota_allotment(l, level));
    if (predicted >= 0) {
        p->of[q * l->count + level - 1] = predicted;
        p->asked[q] |= UINT64_C(1) << (level - 1);
    }
    return predicted;
}

/* Asks in one question for those levels from 1 to `top` (1 to l->count) that are not known, if they
 * are the highest of these. Else, and on devices without quotas, does nothing: quota_predict() asks
 * for each. */
static inline void quota_ask(const struct quota_levels *l, struct host *h,
                             struct quota_predictions *p, enum host_quantity q, uint32_t top)
{
    uint64_t wanted = UINT64_MAX >> (64 - top), missing = wanted & ~p->asked[q];
    if (missing == 0 || l->offered == HOST_WHOLE)
        return;
    uint32_t first = (uint32_t)__builtin_ctzll(missing);
    if (missing != (wanted >> first) << first)
        return;
    int64_t *of = &p->of[q * l->count + first];
    host_predict_each(h, p->r, q, l->offered, &l->sms[first + 1], top - first, of);
    if (*of >= 0)
        p->asked[q] |= missing;
}

static inline int64_t quota_left_ns(const struct quota_levels *l, struct host *h,
                                    struct quota_predictions *p, uint32_t level)
{
    return quota_predict(l, h, p, HOST_TOTAL_DURATION_NS, level);
}

/* Equation 3: the lowest level at which what is left of r takes at most time_ns; all SMs if there
 * is none. Time that passed while the request waited is no longer in time_ns. */
static inline uint32_t quota_just_enough(const struct quota_levels *l, struct host *h,
                                         struct quota_predictions *p, int64_t time_ns)
{
    uint32_t level = 1;
    while (level < l->count && quota_left_ns(l, h, p, level) > time_ns)
        level++;
    return level;
}

/* The lowest level above `base` that saves at least save_ns against base in what is left of r; all
 * SMs if there is none. This is equation 6: T_now - T_new is what the new level saves in the whole
 * request, T_save what it would have saved in the kernels that have ended, and their difference the
 * saving in those that are left. */
static inline uint32_t quota_that_saves(const struct quota_levels *l, struct host *h,
                                        struct quota_predictions *p, uint32_t base, int64_t save_ns)
{
    int64_t now_ns = quota_left_ns(l, h, p, base);
    for (uint32_t level = base + 1; level < l->count; level++)
        if (now_ns - quota_left_ns(l, h, p, level) >= save_ns)
            return level;
    return l->count;
}

/* Equation 8: of level a and the next one b, which both save enough against `base`, the one to
 * take: a if its SMs per time saved are less than `threshold` of those of b. */
static inline uint32_t quota_better_value(const struct quota_levels *l, struct host *h,
                                          struct quota_predictions *p, uint32_t base, uint32_t a,
                                          double threshold)
{
    if (a >= l->count)
        return a;
    uint32_t b = a + 1;
    int64_t now_ns = quota_left_ns(l, h, p, base);
    double saved_a = (double)(now_ns - quota_left_ns(l, h, p, a));
    double saved_b = (double)(now_ns - quota_left_ns(l, h, p, b));
    double more_a = l->sms[a] - l->sms[base], more_b = l->sms[b] - l->sms[base];
    /* (more_a / saved_a) / (more_b / saved_b) < threshold; saved_a > 0 */
    return more_a * saved_b < threshold * more_b * saved_a ? a : b;
}

/* Section 8: how much later r ends for each SM that it has less, at a level; ns per SM. */
static inline double quota_slope(const struct quota_levels *l, struct host *h,
                                 struct quota_predictions *p, uint32_t level)
{
    if (l->count < 2)
        return 0;
    uint32_t high = level > 1 ? level : 2, low = high - 1;
    return (double)(quota_left_ns(l, h, p, low) - quota_left_ns(l, h, p, high)) /
           (l->sms[high] - l->sms[low]);
}

/* f(x) of equation 4 for the current kernel, in thousandths: its IPC, or where that is not known
 * its speed relative to the whole device. */
static inline int64_t quota_throughput(const struct quota_levels *l, struct host *h,
                                       struct quota_predictions *p, uint32_t level)
{
    int64_t ipc = quota_predict(l, h, p, HOST_MILLI_IPC, level);
    if (ipc > 0)
        return ipc;
    int64_t whole_ns = quota_predict(l, h, p, HOST_DURATION_NS, l->count);
    int64_t level_ns = quota_predict(l, h, p, HOST_DURATION_NS, level);
    double speed = level_ns > 0 ? 1000.0 * (double)whole_ns / (double)level_ns : 1000;
    return speed > 1 ? (int64_t)speed : 1;
}

#endif
