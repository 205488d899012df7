/*
 * fcfs.c - first come, first served: one queue over all classes, the first idle device, no
 * revocation.
 *
 * The textbook's M/G/c when there is one service; the yardstick for every other policy.
 */
#include "policies/lib/devices.h"
#include "policies/lib/queue.h"
#include "policies/policy.h"

struct fcfs {
    struct queue queue;
    struct devices devices;
};

static void dispatch(struct fcfs *self, struct host *h)
{
    struct host_request request;
    while (self->queue.count > 0) {
        dev_id d = devices_first_idle(&self->devices, h);
        if (d == HOST_NO_DEVICE)
            return;
        req_id r = queue_pop(&self->queue, h, &request);
        if (r == 0)
            return;
        host_launch(h, r, d, (struct host_allotment){.mechanism = HOST_WHOLE});
    }
}

static int fcfs_init(void *state, const void *params, struct host *h)
{
    struct fcfs *self = state;
    (void)params;
    queue_init(&self->queue, QUEUE_FIFO);
    return devices_init(&self->devices, h, DEVICES_IDLE);
}

static void fcfs_fini(void *state)
{
    struct fcfs *self = state;
    queue_release(&self->queue);
    devices_release(&self->devices);
}

static void fcfs_on_ready(void *state, struct host *h, req_id r)
{
    struct fcfs *self = state;
    queue_push(&self->queue, 0, r, false);
    dispatch(self, h);
}

static void fcfs_on_complete(void *state, struct host *h, req_id r, dev_id d, bool request_done)
{
    struct fcfs *self = state;
    (void)d;
    if (!request_done)
        queue_push(&self->queue, 0, r,
                   true); /* one that has begun goes before those that have not */
    dispatch(self, h);
}

const struct policy policy_fcfs;
const struct policy policy_fcfs = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "fcfs",
    .summary = "First come, first served on the first idle device; no classes, no revocation.",
    .source = "textbook",
    .state_size = sizeof(struct fcfs),
    .init = fcfs_init,
    .fini = fcfs_fini,
    .on_ready = fcfs_on_ready,
    .on_complete = fcfs_on_complete,
};
