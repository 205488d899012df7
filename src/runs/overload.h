/*
 * overload.h - whether work comes faster than it is done: one rule for all devices and workloads.
 *
 * An application whose requests arrive at a rate of their own (open loop, or class latency) in a
 * world with a horizon, or which jobs run that have a number of requests each, is overloaded if any
 * of these holds:
 *   - The load that services, or the jobs of replays, offer to the whole cluster is 1 or more,
 *     where it is known (offered_load.h). No policy can serve that.
 *   - The backlog grows: what arrived inside the window and what left in it differ by more than
 *     OVERLOAD_GROWTH of the arrivals and OVERLOAD_REQUESTS requests in the mean over the runs, and
 *     the 95 % interval over the runs leaves out 0. In a steady state the mean is 0, after a start
 *     from empty it is what a run holds at its end. Of a horizon alone.
 *   - More than OVERLOAD_SHARE of the requests of all runs, and OVERLOAD_REQUESTS at least, were
 *     inside at the end. That share is the mean time that a request stays, over the length of the
 *     window: the queue grew all the time, or the window is too short to tell.
 *   - Its jobs are behind by as many requests (unfinished.h): what waits in a closed loop is not
 *     inside, it was never issued.
 *
 * Whole jobs are overloaded if any of these holds, of all of them together, at the horizon, or at
 * the last arrival with OVERLOAD_REQUESTS jobs at least that waited then (revoked ones that run
 * again do not count): how long the queue is that a run works off afterwards hangs on where the
 * trace ends.
 *   - The GPU time that was due by the end is what all GPUs have, or more.
 *   - More than OVERLOAD_SHARE of the jobs, and OVERLOAD_REQUESTS at least, waited at the end.
 *   - As many waited or were revoked, and OVERLOAD_SHARE of the GPU time due was not done.
 * OVERLOAD_REQUESTS is over all runs.
 *
 * In any world, an application is overloaded if as many of its requests were dropped. Clients
 * without an end wait for nothing, and are not.
 *
 * How often a stable queue is called overloaded, and how often an overloaded one is noticed, is in
 * docs/validation/queueing.md.
 */
#ifndef DCS_OVERLOAD_H
#define DCS_OVERLOAD_H

#include "runs/summary.h"
#include "text/buffer.h"

#define OVERLOAD_SHARE    0.05
#define OVERLOAD_GROWTH   0.01
#define OVERLOAD_REQUESTS 10 /* fewer than this are chance */

/* What the mark of an overloaded experiment means, where no rule is told. */
#define OVERLOAD_OF_REQUESTS                                                                       \
    "requests came faster than they were served, or were dropped; no steady state."
#define OVERLOAD_OF_JOBS                                                                           \
    "whole jobs came faster than they were done; no steady state: their waits hang on where the "  \
    "run, or its trace, ends."

struct overload {
    bool offered, grows, inside, behind, dropped; /* what says that it is overloaded */
    bool at_last;                                 /* whole jobs: these hold at the last arrival */
    double offered_load;                          /* of all services and jobs; NaN: not known */
    struct dcs_estimate growth;                   /* of the backlog, as a share of the arrivals */
    double inside_share, behind_share, dropped_share;
    double behind_requests; /* of a run, in the mean; whole jobs: that waited at the end */
};

void overload_of(const struct summary *s, uint32_t app, struct overload *out);
/* Of a world of whole jobs. */
void overload_of_gangs(const struct summary *s, struct overload *out);
bool overload_any(const struct overload *o);
/* Appends which rules say so: "a load of 1 or more, work falls behind". */
void overload_append_rules(struct text_buffer *out, const struct overload *o);
/* What services and the jobs of replays offer to all devices; NaN: it is not known, or neither is
 * there. */
double overload_offered_load(const struct summary *s);
/* Whether any application is overloaded, or the whole jobs are. */
bool overload_anywhere(const struct summary *s);
/* Whether the application's requests arrive at a rate of their own. */
bool overload_open_loop(const struct summary *s, uint32_t app);

#endif
