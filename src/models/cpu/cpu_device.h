/*
 * cpu_device.h - the truth about one CPU that programs share (cpu.h has the law): how fast each
 * really runs, when the next one ends, what its counters say, where the time went.
 *
 * Passive, as exclusive_gpu.h and gpu.h: it says when something will change next, and the caller
 * keeps the event. Looking never changes a result.
 *
 * SHARES. A request that runs has cores and ways of its own (group 0), or belongs to a group: all
 * that name the same group have its cores and ways together, and what is given to one of them is
 * given to all. A group may have no cores and no ways: then its programs stand still. Shares of
 * groups and of single requests never add up to more than the CPU has.
 *
 * A CHANGE of the share of what runs (dcs_cpu_resize, or a launch into a group that has another
 * share) stops whom it concerns for: the time of a context switch; the time to fill its own caches
 * of a core, times the part of its cores that changed hands; and the time in which the memory moves
 * the contents of the ways that it gained. Those that stand still, before or after, pay nothing but
 * the cores and ways that they get. The traffic of filling caches slows nobody else. A launch by
 * itself costs nothing: a service is there before its request is.
 *
 * COUNTERS. Instructions count as the program makes progress, at its rate times its instructions
 * per cycle alone; cycles are those of the clock, whoever runs.
 *
 * ACCOUNTING, inside the window: as in gpu.h. Time of which several requests are there counts for
 * each of them in equal parts; overhead is what changes of shares took.
 */
#ifndef DCS_MODELS_CPU_DEVICE_H
#define DCS_MODELS_CPU_DEVICE_H

#include "models/cpu/cpu.h"
#include "models/gpu/gpu.h"

struct dcs_cpu_device;

struct dcs_cpu_share {
    uint32_t cores, ways;
    uint32_t group; /* 0: its own */
};

struct dcs_cpu_launch {
    uint64_t id;     /* of the request; > 0 */
    uint32_t app;    /* of the profile, or UINT32_MAX: none of it (dcs_cpu.plain) */
    int64_t work_ns; /* alone with everything, >= 1 */
    struct dcs_cpu_share share;
};

struct dcs_cpu_device *dcs_cpu_device_create(const struct dcs_cpu *cpu, int64_t window_ns);
void dcs_cpu_device_destroy(struct dcs_cpu_device *d); /* NULL is allowed */
size_t dcs_cpu_device_bytes(void);                     /* that each takes */

/* Why a request cannot have such a share beside the claims so far (a constant text), NULL: it can.
 * id: whose claim it replaces, if it has one. A claim is made when it is decided that a request
 * gets a share, and may come true later; it ends with the request, or by dcs_cpu_unclaim(). */
const char *dcs_cpu_refuses(const struct dcs_cpu_device *d, uint64_t id,
                            struct dcs_cpu_share share);
void dcs_cpu_claim(struct dcs_cpu_device *d, uint64_t id, struct dcs_cpu_share share);
void dcs_cpu_unclaim(struct dcs_cpu_device *d, uint64_t id);
uint32_t dcs_cpu_claims(const struct dcs_cpu_device *d);      /* how many */
uint64_t dcs_cpu_first_claim(const struct dcs_cpu_device *d); /* the lowest id, 0: none */
/* What the claims take together. */
struct dcs_cpu_share dcs_cpu_claimed(const struct dcs_cpu_device *d);

/* The request has a claim (asserted), which is what it gets in the end. */
void dcs_cpu_start(struct dcs_cpu_device *d, int64_t now_ns, const struct dcs_cpu_launch *l);
void dcs_cpu_resize(struct dcs_cpu_device *d, int64_t now_ns, uint64_t id,
                    struct dcs_cpu_share share);

/* When something changes next by itself; DCS_NEVER if nothing will, DCS_TIME_MAX if that is beyond
 * what can be simulated. */
int64_t dcs_cpu_next_ns(const struct dcs_cpu_device *d);
/* Applies what happens at now_ns = next: the ids of requests that end then, ascending, at most
 * DCS_CPU_TOGETHER_MAX, whose claims are gone; returns how many (0: something else changed). */
uint32_t dcs_cpu_advance(struct dcs_cpu_device *d, int64_t now_ns, uint64_t *ended);

uint32_t dcs_cpu_running(const struct dcs_cpu_device *d);
uint64_t dcs_cpu_nth(const struct dcs_cpu_device *d, uint32_t n); /* ascending */
/* Instructions of a request that runs, since it began. */
double dcs_cpu_instructions(const struct dcs_cpu_device *d, int64_t now_ns, uint64_t id);
/* Share of its work that is left, for the clairvoyant and the truth scramble; never for a policy.
 */
double dcs_cpu_left(const struct dcs_cpu_device *d, int64_t now_ns, uint64_t id);
void dcs_cpu_scale_left(struct dcs_cpu_device *d, int64_t now_ns, uint64_t id, double factor);

/* Closes the accounting. Once, at the end. Of the usage: sm_ns, the integral of cores in use;
 * kernel_ns, of programs that worked; slowed_ns, what bandwidth added to that. */
void dcs_cpu_device_close(struct dcs_cpu_device *d, int64_t now_ns);
const struct dcs_gpu_usage *dcs_cpu_usage(const struct dcs_cpu_device *d);

#endif
