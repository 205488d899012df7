/* host_device.c - what a policy sees of a device, and what revoking there costs. */
#include "engine/cluster_state.h"

#include <string.h>

const struct dcs_profile_revocation *host_cost_of(const struct domain *d, const struct request *r)
{
    const struct dcs_app *app = request_form(d->cluster, r);
    uint32_t kernel = r->kernel < app->kernels ? r->kernel : app->kernels - 1;
    return &app->revocation[d->profile * app->kernels + kernel];
}

/* From revoke() to the start of the next latency kernel. */
static int64_t revoke_ns(const struct domain *d, req_id running)
{
    const struct dcs_profile_revocation *cost = host_cost_of(d, request_find(d->cluster, running));
    return cost->kill_ns >= 0 ? cost->kill_ns + cost->start_ns : HOST_NEVER;
}

void host_look_at_device(const struct domain *d, const struct device *dev, struct host_device *out)
{
    /* In two parts, each of which is a few instructions, where the whole is a slow one. */
    _Static_assert(sizeof *out > 64 && sizeof *out <= 192, "two parts of at most 128 bytes");
    memset(out, 0, 64);
    memset((char *)out + 64, 0, sizeof *out - 64);
    out->since_ns = dev->since_ns;
    req_id revocable = dev->kind->look(dev, out);
    if (revocable != 0)
        out->revoke_ns = revoke_ns(d, revocable);
}
