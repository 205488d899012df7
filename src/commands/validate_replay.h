/*
 * validate_replay.h - parties that send requests to one simulated device, under MPS or each on a
 * partition, as the calibrator's processes and threads did to the real one: the device model alone
 * (models/gpu/gpu.h), without a policy and without a cost of decisions.
 *
 * A party runs one request at a time, its kernels in order, each when the one before has ended and,
 * of a recorded program, its host has launched it (spatial.h, HOST): in a closed loop with a pause
 * between requests, or first come, first served from a list of arrivals.
 */
#ifndef DCS_VALIDATE_REPLAY_H
#define DCS_VALIDATE_REPLAY_H

#include "models/gpu/gpu.h"

struct replay_run {
    int64_t begin_ns, end_ns;
};

struct replay_party {
    const uint32_t *shapes; /* of a request */
    uint32_t shapes_count;
    double scale; /* of all of its times */
    /* By shape, when the host launches it; NULL: when the one before has ended. */
    const struct dcs_host_gap *host;
    double host_scale; /* of the host's gaps */
    int64_t delay_ns;  /* of its first launch, beyond */
    struct dcs_gpu_allotment allotment;
    int64_t pause_ns;
    const int64_t *arrivals_ns; /* ascending; NULL: a closed loop */
    size_t arrivals_count;
    struct replay_run *runs; /* out; freed by the caller */
    size_t count, capacity;
};

/*
 * Runs them from time 0, and ends when every list of arrivals is served. Without one it ends when
 * each party has ended `least` requests that began after each had ended `warmups`; *from_ns is that
 * moment, else 0. contention may be NULL. False: that would take millions of launches.
 */
bool replay(const struct dcs_spatial *s, struct dcs_contention *contention,
            struct replay_party *parties, size_t count, size_t warmups, size_t least,
            int64_t *from_ns);

/* When the host of a party launches a kernel of its request, of which the one before was launched
 * at launched_ns (the first: the request's begin) and ended at ended_ns. */
int64_t replay_launch_ns(const struct replay_party *p, uint32_t kernel, int64_t launched_ns,
                         int64_t ended_ns);

#endif
