/*
 * cpu.h - what a profile says about a CPU whose cores and last-level cache programs share, and the
 * law by which they do: how fast each runs with how many cores and ways beside which others.
 *
 * FACTS. The number of cores is the device's `sms`; tables `cpu` and `cpu_application`
 * (docs/profile.md) hold the rest, each number with its origin. A request of a CPU has one kernel;
 * the profile's duration of it is that of a request of mean size alone with all cores and ways.
 *
 * THE LAW, for a program that has c cores (a fraction where threads take turns) and w ways:
 *   S(c) = 1 / (1 - f + f / c), c >= 1; S(c) = c below: Amdahl, f from the speedup on all cores
 *   need(c) = cache * (shared + (1 - shared) * c / cores): each core brings data of its own
 *   miss(c, w) = 1 + growth * (1 - w / need(c)), at least 1: misses over those with enough cache
 *   m(c, w, l) = 1 - stall + stall * l * miss(c, w) / miss(all)
 *   rate(c, w, l) = S(c) / S(all) / m(c, w, l): work per time, over alone with everything
 *   traffic = bandwidth * rate * miss(c, w) / miss(all)
 * stall is the share of its time that it waits for memory when it is alone with everything. l >= 1
 * is what bandwidth costs: the same for all that run, and the smallest at which their traffic fits
 * into what the memory can do. No allotment controls it.
 *
 * A GROUP of programs shares cores and ways: threads get equal parts of the time of the cores where
 * there are more threads than cores, else a core each; the ways are divided as need(c) is. All of
 * a CPU without allotments is one such group: what an operating system does.
 *
 * SIZES. The size of a request is exponential with mean DCS_CPU_SIZE_MEAN, cut off at `spread`
 * times that; its work grows with the power `exponent` of its size, and varies around that by
 * `noise` up and down, uniformly. A spread of 0: all requests are alike.
 *
 * Source of the form: Wang, thesis, section 5.3 (which resources compete), 5.4.3 (speed grows less
 * than the resources; more cores need more cache; bandwidth has no interface), 5.5.3 and 5.5.4.
 */
#ifndef DCS_MODELS_CPU_H
#define DCS_MODELS_CPU_H

#include "des/base.h"
#include "models/profile/profile.h"

#define DCS_CPU_TOGETHER_MAX 128 /* that run */
#define DCS_CPU_SIZE_MEAN    100
#define DCS_CPU_SIZES        1000 /* equally likely ones that stand for the distribution */

struct dcs_cpu_app {
    uint32_t threads;
    double speedup; /* on all cores over one */
    double stall;
    double bandwidth; /* bytes per ns, alone with everything */
    double cache;     /* need(all cores), in ways */
    double shared;
    double growth;
    double ipc; /* of the whole program, alone with everything */
    double exponent, spread, noise;

    /* From these. */
    double parallel;       /* f */
    double miss_all;       /* miss(all) */
    double work_over_mean; /* mean work over that of a request of mean size */
};

struct dcs_cpu {
    uint32_t cores, ways;
    double clock_ghz;
    double way_bytes;
    double bandwidth;         /* of the memory, bytes per ns */
    double switch_ns;         /* when an allotment changes */
    double warm_ns;           /* to fill a core's own caches */
    struct dcs_cpu_app *apps; /* as profile.apps */
    uint32_t apps_count;
    struct dcs_cpu_app
        plain; /* of what is no application of the profile: scales with cores alone */
};

/* Loads the profile as dcs_profile_load() does, and *cpu. NULL and err on failure, also where it
 * describes no CPU; *cpu is then NULL too. */
struct dcs_profile *dcs_cpu_load_profile(const char *path, struct dcs_cpu **cpu,
                                         struct dcs_err *err);
void dcs_cpu_free(struct dcs_cpu *cpu); /* NULL is allowed */

/* Fills what follows from the facts; called by the reader, and by tests that make their own. */
void dcs_cpu_derive(const struct dcs_cpu *cpu, struct dcs_cpu_app *app);
/* The same without what concerns sizes: enough for the law below. */
void dcs_cpu_derive_law(const struct dcs_cpu *cpu, struct dcs_cpu_app *app);

/* The size of a request: u from 0 to below 1. */
int64_t dcs_cpu_size(const struct dcs_cpu_app *app, double u);
/* Its work over that of a request of mean size, without noise. */
double dcs_cpu_work(const struct dcs_cpu_app *app, int64_t size);

/* The law; c > 0, w > 0, l >= 1. */
double dcs_cpu_need(const struct dcs_cpu *cpu, const struct dcs_cpu_app *app, double cores);
double dcs_cpu_rate(const struct dcs_cpu *cpu, const struct dcs_cpu_app *app, double cores,
                    double ways, double l);
double dcs_cpu_traffic(const struct dcs_cpu *cpu, const struct dcs_cpu_app *app, double cores,
                       double ways, double l);
/* How many of so many cores a program can use: one for each thread. */
double dcs_cpu_usable(const struct dcs_cpu_app *app, double cores);

/* One that runs. */
struct dcs_cpu_runner {
    const struct dcs_cpu_app *app;
    double cores, ways;
};
/* l for all of them together; n at most DCS_CPU_TOGETHER_MAX. */
double dcs_cpu_latency(const struct dcs_cpu *cpu, const struct dcs_cpu_runner *set, uint32_t n);

/* Divides the cores and ways of a group among its programs: sets cores and ways of each. */
void dcs_cpu_divide(const struct dcs_cpu *cpu, double cores, double ways,
                    struct dcs_cpu_runner *set, uint32_t n);

#endif
