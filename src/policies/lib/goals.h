/*
 * goals.h - what policies share that keep kernels at goals, epoch by epoch: how fast each is, in
 * this epoch and in all (IPC_epoch and IPC_history of Wang, thesis, section 3.4, over that alone),
 * and the timer of each device's next epoch.
 */
#ifndef DCSIM_POLICIES_LIB_GOALS_H
#define DCSIM_POLICIES_LIB_GOALS_H

#include "policies/lib/blocks.h"

#define GOALS_EPOCH (UINT64_C(1) << 41) /* cookie of the timer of an epoch, and a device */

struct goals_device {
    int64_t began_ns; /* the epoch */
    timer_id timer;   /* 0: nobody is there */
    uint32_t over;    /* bits of the groups in which all have used their quotas in it */
};

struct goals {
    struct goals_device *devices;
    int64_t epoch_ns;
};

static inline void goals_init(struct goals *g, uint32_t devices, int64_t epoch_ns)
{
    g->devices = calloc(devices, sizeof *g->devices);
    if (g->devices == NULL)
        abort();
    g->epoch_ns = epoch_ns;
}

/* Since the epoch began, in ns. */
static inline double goals_epoch_age(const struct goals *g, const struct host *h,
                                     const struct blocks_device *d)
{
    return (double)(host_now(h) - g->devices[d->d].began_ns);
}

/* Its rate in the epoch so far, over that alone; 0 where none has passed. */
static inline double goals_epoch_rate(const struct goals *g, const struct host *h,
                                      const struct blocks_device *d, const struct blocks_tenant *t)
{
    double ns = goals_epoch_age(g, h, d);
    return ns > 0 ? (blocks_done_ns(h, t) - t->epoch_ns) / ns : 0;
}

/* Likewise since it came. */
static inline double goals_history_rate(const struct host *h, const struct blocks_tenant *t)
{
    double ns = (double)host_now(h) - t->begun_ns;
    return ns > 0 ? blocks_done_ns(h, t) / ns : 0;
}

/* Whether it is below its goal since it came, at least one ns ago. */
static inline bool goals_is_behind(const struct host *h, const struct blocks_tenant *t)
{
    return (double)host_now(h) > t->begun_ns && goals_history_rate(h, t) < t->goal;
}

/* In a group all have used their quotas; whether they have in all groups. */
static inline bool goals_group_over(struct goals *g, const struct blocks_device *d, uint32_t group)
{
    uint32_t *over = &g->devices[d->d].over;
    *over |= UINT32_C(1) << group;
    return *over == (UINT32_C(1) << d->groups_count) - 1;
}

/* An epoch begins now. */
static inline void goals_begin(struct goals *g, struct host *h, struct blocks_device *d)
{
    struct goals_device *own = &g->devices[d->d];
    host_timer_cancel(h, own->timer);
    own->began_ns = host_now(h);
    own->over = 0;
    own->timer = d->count > 0 ? host_timer(h, own->began_ns + g->epoch_ns, GOALS_EPOCH | d->d) : 0;
    for (uint32_t i = 0; i < d->count; i++)
        d->tenants[i].epoch_ns = blocks_done_ns(h, &d->tenants[i]);
}

#endif
