/*
 * os.c - no management: every request starts when it comes, and all that run on a CPU compete for
 * its cores and its cache as an operating system lets them.
 *
 * Source: Wang, thesis, section 5.3.2. Requests go to the device where the fewest run.
 */
#include "policies/lib/cpu.h"
#include "policies/lib/devices.h"
#include "policies/lib/queue.h"

struct os {
    struct devices devices;
    struct queue queue; /* of what no device takes */
};

static void dispatch(struct os *self, struct host *h)
{
    struct host_request request;
    while (self->queue.count > 0) {
        dev_id d = devices_quietest(&self->devices, h);
        if (d == HOST_NO_DEVICE)
            return;
        req_id r = queue_pop(&self->queue, h, &request);
        if (r != 0)
            host_launch(h, r, d, cpu_free_for_all(h, d));
    }
}

static int os_init(void *state, const void *params, struct host *h)
{
    struct os *self = state;
    (void)params;
    queue_init(&self->queue, QUEUE_FIFO);
    return devices_init(&self->devices, h, DEVICES_QUIETEST);
}

static void os_fini(void *state)
{
    struct os *self = state;
    queue_release(&self->queue);
    devices_release(&self->devices);
}

static void os_on_ready(void *state, struct host *h, req_id r)
{
    struct os *self = state;
    queue_push(&self->queue, 0, r, false);
    dispatch(self, h);
}

static void os_on_complete(void *state, struct host *h, req_id r, dev_id d, bool request_done)
{
    struct os *self = state;
    (void)d;
    if (!request_done)
        queue_push(&self->queue, 0, r, true);
    dispatch(self, h);
}

const struct policy policy_os;
const struct policy policy_os = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "os",
    .summary =
        "Free competition for the cores and the cache of CPUs, as under an operating system.",
    .source = "EMU (Wang, thesis, chapter 5), section 5.3.2",
    .needs = 1u << HOST_CPU,
    .state_size = sizeof(struct os),
    .init = os_init,
    .fini = os_fini,
    .on_ready = os_on_ready,
    .on_complete = os_on_complete,
};
