/*
 * explain.h - where the time of requests went: a recorder that keeps, for each request that is
 * chosen, an account of its time from arrival to end, in parts that add up to it exactly.
 *
 * WHILE IT WAITS in a domain, the time of a request is the first of these that holds:
 *   behind      it has not begun, and as many earlier requests of its application are there as the
 *               domain serves at once (earlier_requests.h)
 *   policy      the domain's scheduler is busy with a decision that costs something: nothing can be
 *               launched then
 *   held        some device of the domain has nothing on it: the policy could have used that device
 *   queue       the request is behind the kernels on the domain's devices, which have equal
 *               parts of the time. A part whose kernel is being revoked counts as `revocation`
 *
 * WHILE IT IS ON A DEVICE, its time is
 *   revocation  all of a launch that is revoked, until it is gone, but for what a checkpoint kept;
 *               what a start pays for earlier revocations; what checkpoints cost
 *   policy      the switch of its quota
 *   own         what its kernels take alone, on a whole device or on their allotment, whichever
 *               is shorter
 *   transfer    the same of its copies
 *   host        it waits until its host has launched it (models/gpu/spatial.h, HOST), but for the
 *               time in which its quota switches, which is `policy`
 *   fewer_sms   what its kernels take longer alone on their allotment than on a whole device. On a
 *               CPU, where cores and ways change while a kernel runs: all that it takes longer than
 *               alone on the whole CPU
 *   contention  the rest: what the other kernels on the device cost it, in memory, on the bus and,
 *               where they share SMs, in these; in a fused launch what the other part costs it
 *
 * WHOSE contention it is has no unique answer, since kernels that run together slow each other all
 * at once. Here, at each time, the share of time that a kernel loses is divided among the
 * applications of the others, in proportion to how much less it would lose without each of them,
 * one at a time (dcs_gpu_losses()). Of a launch that waits for its last blocks it is what it loses
 * until it ends. Parts in ns are rounded by the largest remainders.
 *
 * OF A RUN THAT WAS MEASURED nobody knows these rates, nor what a kernel would have taken alone.
 * Its work is what the profile says, contention what it took longer, divided among the applications
 * that ran beside it by how long they did; beside nobody all is its own. The time from what the
 * policy was told of until the driver had the kernel, and from the kernel's end until the policy
 * knew, is `policy`.
 */
#ifndef DCS_EXPLAIN_H
#define DCS_EXPLAIN_H

#include "engine/cluster.h"

enum explain_part {
    EXPLAIN_OWN,
    EXPLAIN_TRANSFER,
    EXPLAIN_HOST,
    EXPLAIN_FEWER_SMS,
    EXPLAIN_CONTENTION, /* from applications */
    EXPLAIN_BEHIND,     /* earlier requests of its application */
    EXPLAIN_QUEUE,      /* behind applications */
    EXPLAIN_HELD,
    EXPLAIN_REVOCATION,
    EXPLAIN_POLICY,
    EXPLAIN_PARTS,
};

struct explanation {
    uint32_t job, app;
    uint64_t index;
    enum cluster_outcome outcome;
    int64_t arrival_ns, deadline_ns;
    int64_t end_ns; /* inside: the end of the run */
    int64_t parts_ns[EXPLAIN_PARTS];
    int64_t *contention_ns, *queue_ns; /* by application; sums are the parts */
};

/* A request that is to be explained. */
struct explain_choice {
    uint32_t job;
    uint64_t index;
};

struct explainer; /* opaque */

/* chosen: in any order, each once; NULL: all. spec is borrowed until explainer_free(). */
struct explainer *explainer_new(const struct cluster_spec *spec,
                                const struct explain_choice *chosen, size_t count);
void explainer_free(struct explainer *e); /* NULL is allowed */
struct recorder explainer_recorder(struct explainer *e);
/* After the run: the explanations of the chosen requests that arrived, by arrival. They belong to
 * e. */
const struct explanation *explainer_all(const struct explainer *e, size_t *count);

#endif
