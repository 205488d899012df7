/* workload_case.h - what the tests of workload generators share: applications of known work. */
#ifndef DCS_TESTS_WORKLOAD_CASE_H
#define DCS_TESTS_WORKLOAD_CASE_H

#include "models/workload/workload.h"

enum { CASE_APPS = 4 };

/* Applications 0 and 1 are user-facing (10 and 40 ms), 2 and 3 batch (100 and 300 ms). */
struct workload_case {
    int64_t total_ns[CASE_APPS];
    struct dcs_app apps[CASE_APPS];
    uint64_t devices;
    struct dcs_capacity capacity;
};

static const uint32_t case_user_apps[] = {0, 1}, case_batch_apps[] = {2, 3};

static inline void workload_case_init(struct workload_case *c, uint64_t devices)
{
    static const int64_t total_ms[CASE_APPS] = {10, 40, 100, 300};
    *c = (struct workload_case){.devices = devices};
    for (int i = 0; i < CASE_APPS; i++) {
        c->total_ns[i] = total_ms[i] * DCS_NS_PER_MS;
        c->apps[i] = (struct dcs_app){.class = i < 2 ? DCS_LATENCY : DCS_BATCH,
                                      .kernels = 1,
                                      .sla_ns = i < 2 ? (i + 1) * 1000 : 0,
                                      .total_ns = &c->total_ns[i]};
    }
    c->capacity = (struct dcs_capacity){.apps = c->apps, .kinds = 1, .devices = &c->devices};
}

/* W1 of TReM's table IV, without the totals. */
static inline struct dcs_trem workload_case_trem(void)
{
    return (struct dcs_trem){
        .jobs = 30,
        .user_fraction = 0.5,
        .user_duration_ns = 5 * DCS_NS_PER_S,
        .batch_duration_ns = 600 * DCS_NS_PER_S,
        .pareto_shape = 2,
        .outstanding = 8,
        .load = 1,
        .user_apps = case_user_apps,
        .batch_apps = case_batch_apps,
        .user_apps_count = 2,
        .batch_apps_count = 2,
    };
}

/* All work of the jobs, ns. */
static inline double workload_case_work(const struct workload_case *c, const struct dcs_workload *w)
{
    double work = 0;
    for (size_t i = 0; i < w->count; i++)
        work += (double)w->jobs[i].requests * (double)c->total_ns[w->jobs[i].app];
    return work;
}

#endif
