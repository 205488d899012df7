/*
 * weighted.h - what policies share that divide a device among the applications that are present, in
 * its steps, first by their weights.
 *
 * An application is present from the first request of one of its jobs until its last job ends. Each
 * has one process on each device, which runs its requests first come, first served, one at a time.
 * The device's SMs are counted in steps, the smallest parts that it can be divided into; what is
 * left over belongs to the part of the first application.
 *
 * A part holds from an application's next kernel on, since a kernel keeps its SMs until it ends. So
 * where a part grows, SMs may still be with kernels that began before. The next kernel is then
 * launched with the steps that are free, if they are no fewer than its application had last; it
 * does not wait for the others.
 */
#ifndef DCSIM_POLICIES_LIB_WEIGHTED_H
#define DCSIM_POLICIES_LIB_WEIGHTED_H

#include "policies/lib/partition.h"

/* Steps of each of n applications, by weight (above 0): one to each, then the
 * next always to the one that is furthest below its share, the first of equal ones. Of more
 * applications than steps each has one, and they take turns. */
static inline void weighted_split(const double *weight, uint32_t n, uint32_t steps, uint32_t *out)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += weight[i];
        out[i] = 1;
    }
    for (uint32_t left = n < steps ? steps - n : 0; left > 0 && n > 0; left--) {
        uint32_t next = 0;
        double most = 0;
        for (uint32_t i = 0; i < n; i++) {
            double below = weight[i] / sum * steps - out[i];
            if (i == 0 || below > most) {
                most = below;
                next = i;
            }
        }
        out[next]++;
    }
}

struct weighted {
    struct partition partition; /* first: the callbacks of partition.h take it for the state */
    struct host *host;
    uint32_t *apps;   /* indices of those that are present, */
    double *weights;  /* and theirs, */
    uint32_t *steps;  /* and their parts, as weighted_divide() leaves them */
    size_t capacity;  /* of each of the three */
    uint32_t present; /* how many they are */
};

/* One request of an application at a time; it is present while a job of it goes on. */
static const struct partition_params weighted_params = {.concurrency = 1,
                                                        .present = PARTITION_JOBS};

static inline uint32_t weighted_steps_of(const struct host_device *device)
{
    return share_sms(device, HOST_GREEN) / share_step(device, HOST_GREEN);
}

/* SMs of a part of so many steps; first: the one with what is left over. */
static inline uint32_t weighted_sms(const struct host_device *device, uint32_t steps, bool first)
{
    uint32_t step = share_step(device, HOST_GREEN);
    return steps * step + (first ? share_sms(device, HOST_GREEN) % step : 0);
}

/* Lists who is present; `self` is in any case, since a request of it runs or is about to. */
static inline void weighted_list(struct weighted *w, uint32_t self)
{
    const struct partition *p = &w->partition;
    w->present = 0;
    for (uint32_t i = 0; i < p->apps_count; i++) {
        if (i != self && !partition_present(p, 0, i))
            continue;
        if (w->present == w->capacity) {
            size_t room = w->capacity;
            w->apps = grow(w->apps, &room, w->present, sizeof *w->apps, 4);
            room = w->capacity;
            w->weights = grow(w->weights, &room, w->present, sizeof *w->weights, 4);
            w->steps = grow(w->steps, &w->capacity, w->present, sizeof *w->steps, 4);
        }
        w->apps[w->present] = i;
        w->weights[w->present++] = host_weight(w->host, p->apps[i].app);
    }
}

/* The parts of those that are present, by weight. */
static inline void weighted_divide(struct weighted *w, uint32_t self,
                                   const struct host_device *device)
{
    weighted_list(w, self);
    weighted_split(w->weights, w->present, weighted_steps_of(device), w->steps);
}

static inline uint32_t weighted_fit(const struct partition *p, dev_id d,
                                    const struct host_device *device, uint32_t app, uint32_t sms)
{
    uint32_t step = share_step(device, HOST_GREEN), had = p->apps[app].had[d];
    uint32_t all = share_sms(device, HOST_GREEN), used = p->use[d].sms;
    uint32_t left = used < all ? all - used : 0;
    if (left >= sms)
        return sms;
    uint32_t least = had > 0 && had < sms ? had : sms, free_sms = left / step * step;
    if (left < least)
        return 0;
    return least > free_sms ? least : free_sms;
}

/* SMs to launch the next kernel of an application with whose part is `sms`; 0: none yet. What is
 * left over by steps is one kernel's at a time, also where the part that has it has just changed
 * hands. */
static inline uint32_t weighted_now(const struct partition *p, dev_id d,
                                    const struct host_device *device, uint32_t app, uint32_t sms)
{
    uint32_t step = share_step(device, HOST_GREEN), part = weighted_fit(p, d, device, app, sms);
    return p->use[d].sms % step != 0 ? part / step * step : part;
}

static inline int weighted_init(struct weighted *w, struct host *h)
{
    w->host = h;
    w->partition.mechanism = HOST_GREEN;
    w->partition.owner = w;
    return partition_init(&w->partition, h, &weighted_params);
}

static inline void weighted_release(struct weighted *w)
{
    free(w->apps);
    free(w->weights);
    free(w->steps);
    partition_release(&w->partition);
}

#endif
