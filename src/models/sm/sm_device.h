/*
 * sm_device.h - the truth about one hypothetical GPU whose SMs kernels share block by block (sm.h
 * has the rates, which are measured): how fast each kernel really runs, when it ends, when it has
 * used a quota up, where the time went.
 *
 * Passive, as gpu.h and cpu_device.h: it says when something will change next, and the caller keeps
 * the event. Looking never changes a result.
 *
 * BLOCKS. A kernel that runs has so many blocks in each SM. resize() says how many it is to have in
 * some SMs from now on. What all kernels are to have never exceeds an SM; blocks that leave hold
 * their place until they have left, and blocks that come wait for that.
 *
 * LEAVING. DCS_SM_SAVE: a block stops at once, and its registers and shared memory are written to
 * memory at the device's bandwidth, one context after the other; the other blocks of the SM go on
 * (Wang, section 2.4.1). Blocks of a kernel that has saved ones come back from memory, as dearly;
 * others begin anew. What contexts take of the bandwidth slows nobody. DCS_SM_DRAIN: the blocks go
 * to their ends. d of n blocks of a kernel in an SM have ended after d/n of the time that a block
 * takes, since they are at any point of it; until then all n work.
 *
 * QUOTAS. A kernel with a quota in some SMs stands still there once it has done so much work in
 * them, with its blocks in place: no warp of it is issued (Wang, section 3.4.3). Work counts in ns
 * of the kernel alone.
 *
 * ACCOUNTING, inside the window: as in gpu.h. An SM is in use if a block in it works.
 */
#ifndef DCS_MODELS_SM_DEVICE_H
#define DCS_MODELS_SM_DEVICE_H

#include "models/gpu/gpu.h"
#include "models/sm/sm.h"

struct dcs_sm_device;

enum dcs_sm_leave { DCS_SM_SAVE, DCS_SM_DRAIN };

/* How blocks leave. bytes_per_ns: of the device's memory; 0: contexts cost nothing. */
struct dcs_sm_leaving {
    enum dcs_sm_leave how;
    double bytes_per_ns;
};

/* SMs first_sm .. first_sm + sms - 1 (sms 0: none) are to have so many blocks of a kernel. */
struct dcs_sm_range {
    uint32_t first_sm, sms, blocks;
};

#define DCS_SM_QUOTAS 8 /* of a kernel */

struct dcs_sm_quota {
    uint32_t first_sm, sms;
    int64_t work_ns;
};

struct dcs_sm_launch {
    uint64_t id;     /* of the request; > 0 */
    uint32_t kernel; /* of the model */
    int64_t work_ns; /* alone, >= 1 */
    struct dcs_sm_range range;
};

/* m outlives the device. */
struct dcs_sm_device *dcs_sm_device_create(const struct dcs_sm *m, struct dcs_sm_leaving leaving,
                                           int64_t window_ns);
void dcs_sm_device_destroy(struct dcs_sm_device *d); /* NULL is allowed */
size_t dcs_sm_device_bytes(void);                    /* that each takes */

/* Why a request cannot have these blocks beside what is claimed (a constant text); NULL: it can.
 * id: of a request that has a claim, or a new one. A claim is made when it is decided that a
 * request gets blocks, and may come true later; it ends with the request. */
const char *dcs_sm_refuses(const struct dcs_sm_device *d, uint64_t id, uint32_t kernel,
                           struct dcs_sm_range range);
void dcs_sm_claim(struct dcs_sm_device *d, uint64_t id, uint32_t kernel, struct dcs_sm_range range);
/* Likewise, why a request that runs cannot have this quota. */
const char *dcs_sm_refuses_quota(const struct dcs_sm_device *d, uint64_t id, struct dcs_sm_quota q);
uint32_t dcs_sm_claims(const struct dcs_sm_device *d);      /* how many requests have one */
uint64_t dcs_sm_first_claim(const struct dcs_sm_device *d); /* the lowest id, 0: none */

/* The request has a claim (asserted). */
void dcs_sm_start(struct dcs_sm_device *d, int64_t now_ns, const struct dcs_sm_launch *l);
void dcs_sm_resize(struct dcs_sm_device *d, int64_t now_ns, uint64_t id, struct dcs_sm_range range);
/* From now on it may do so much work in so many SMs before it stands still there; DCS_NEVER:
 * without end. Its quotas with SMs among these are no more. At most DCS_SM_QUOTAS
 * (dcs_sm_refuses_quota). */
void dcs_sm_set_quota(struct dcs_sm_device *d, int64_t now_ns, uint64_t id, struct dcs_sm_quota q);
/* What is left of the quota whose SMs begin with first_sm, in ns alone; below 0: there is none. */
double dcs_sm_quota_left_ns(const struct dcs_sm_device *d, int64_t now_ns, uint64_t id,
                            uint32_t first_sm);

/* When something changes next by itself; DCS_NEVER if nothing will, DCS_TIME_MAX if that is beyond
 * what can be simulated. */
int64_t dcs_sm_next_ns(const struct dcs_sm_device *d);
struct dcs_sm_end {
    uint64_t id;
    bool quota; /* it has used a quota up, and runs; else it has ended, and its claim is gone */
    uint32_t first_sm; /* of that quota */
};
#define DCS_SM_ENDS_MAX (DCS_SM_TOGETHER_MAX * DCS_SM_QUOTAS)

/* Applies what happens at now_ns = next, ascending by id and SM; returns how much (0: something
 * else changed). */
uint32_t dcs_sm_advance(struct dcs_sm_device *d, int64_t now_ns,
                        struct dcs_sm_end ends[DCS_SM_ENDS_MAX]);

uint32_t dcs_sm_running(const struct dcs_sm_device *d);
uint64_t dcs_sm_nth(const struct dcs_sm_device *d, uint32_t n); /* ascending */
/* How many blocks of a request work in an SM, or would if no quota held them. */
uint32_t dcs_sm_blocks(const struct dcs_sm_device *d, uint64_t id, uint32_t sm);
/* Work that a request has done since it began, in ns of the kernel alone. */
double dcs_sm_done_ns(const struct dcs_sm_device *d, int64_t now_ns, uint64_t id);
/* How many of its blocks in an SM a request could do without: with that many less in each SM that
 * has more, it would be at most 2 % slower beside what works now. Its own quotas do not matter. */
uint32_t dcs_sm_idle_blocks(const struct dcs_sm_device *d, uint64_t id);
/* Share of its work that is left, for the truth scramble; never for a policy. */
double dcs_sm_left(const struct dcs_sm_device *d, int64_t now_ns, uint64_t id);
void dcs_sm_scale_left(struct dcs_sm_device *d, int64_t now_ns, uint64_t id, double factor);

/* Closes the accounting. Once, at the end. */
void dcs_sm_device_close(struct dcs_sm_device *d, int64_t now_ns);
const struct dcs_gpu_usage *dcs_sm_usage(const struct dcs_sm_device *d);

#endif
