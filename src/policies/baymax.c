/*
 * baymax.c - Baymax: time sharing with batch kernels in the headroom of latency requests (as
 * C-Laius, section 9.2, and Tacker, section VII, describe it; without Tacker's fusion).
 *
 * One kernel at a time has the whole device, and none is interrupted. A batch kernel is launched
 * only if its predicted duration is shorter than the headroom of every latency request of the
 * device (policies/lib/headroom.h: equations 7 and 9 of Tacker); then it goes first. So a request
 * that is early waits until its headroom is used up, which is the purpose. Otherwise the first
 * latency request's next kernel is launched.
 *
 * Total throughput is that of any order that keeps the device busy; policy `priority` is the one
 * that never lets batch kernels go first.
 *
 * Transfers run beside kernels, and PCIe bandwidth is reserved for those of services: one of a
 * batch request starts only where nothing else is copied.
 */
#include "policies/lib/headroom.h"
#include "policies/policy.h"

static const struct param params[] = {
    HEADROOM_PARAMS(0),
    {0},
};

static void launch(void *state, struct host *h, dev_id d)
{
    struct headroom *self = state;
    headroom_launch_copies(self, h, d);
    if (headroom_is_busy(self, d))
        return;
    struct headroom_request *first;
    int64_t room_ns = headroom_least(self, h, d, &first);
    headroom_launch(self, h, d, room_ns, first);
}

static int baymax_init(void *state, const void *given, struct host *h)
{
    return headroom_init(state, h, given);
}

static void baymax_fini(void *state)
{
    headroom_release(state);
}

static void baymax_on_ready(void *state, struct host *h, req_id r)
{
    headroom_ready(state, h, r);
    headroom_dispatch(state, h, launch, state);
}

static void baymax_on_complete(void *state, struct host *h, req_id r, dev_id d, bool request_done)
{
    (void)d;
    headroom_complete(state, r, request_done);
    headroom_dispatch(state, h, launch, state);
}

static void baymax_on_gone(void *state, struct host *h, req_id r)
{
    headroom_forget(state, r);
    headroom_dispatch(state, h, launch, state);
}

const struct policy policy_baymax;
const struct policy policy_baymax = {
    .abi = POLICY_ABI,
    .size = sizeof(struct policy),
    .name = "baymax",
    .summary = "One kernel at a time; batch kernels only where they fit into every headroom.",
    .source = "Baymax, as C-Laius, section 9.2, and Tacker, equations 7 and 9, describe it",
    .params = params,
    .params_size = sizeof(struct headroom_params),
    .state_size = sizeof(struct headroom),
    .init = baymax_init,
    .fini = baymax_fini,
    .on_ready = baymax_on_ready,
    .on_complete = baymax_on_complete,
    .on_gone = baymax_on_gone,
};
