/*
 * host_slowdown.c - what a policy is told of counters of kernels that have ended on a shared GPU,
 * and of how much they were slowed (models/predictor/slowdown.h).
 *
 * One run of a kernel counts what the profile says; the time is the one that was measured, in the
 * simulation or on the real GPU. Nothing here asks the model of contention.
 */
#include "engine/cluster_state.h"
#include "models/predictor/slowdown.h"

#include <string.h>

_Static_assert((int)HOST_EVENTS == (int)DCS_EVENTS && (int)HOST_PRESSURES == DCS_PRESSURES,
               "one list");

bool host_events_of(const struct domain *d, const struct request *r, uint32_t kernel,
                    struct host_events *out)
{
    const struct cluster_spec *spec = d->cluster->spec;
    const struct dcs_app *app = request_form(d->cluster, r);
    int64_t took_ns = request_measured_ns(d->cluster, r, kernel);
    struct dcs_events events;
    if (spec->slowdowns == NULL || app->shapes == NULL || took_ns <= 0 ||
        !dcs_slowdowns_events(spec->slowdowns[d->profile],
                              app->shapes[d->profile * app->kernels + kernel], (double)took_ns,
                              &events))
        return false;
    memcpy(out->rate, events.v, sizeof out->rate);
    return true;
}

void host_slowdown_of(const struct domain *d, enum host_slowdown_by by, uint32_t sms,
                      const struct host_events *own, const double *pressure,
                      struct host_slowdown *out)
{
    struct dcs_events events;
    memcpy(events.v, own->rate, sizeof events.v);
    struct dcs_slowdown says = dcs_slowdowns_ask(
        d->cluster->spec->slowdowns[d->profile],
        by == HOST_BY_CLUSTERS ? DCS_SLOWDOWN_GPM : DCS_SLOWDOWN_BESIDE, sms, &events, pressure);
    *out = (struct host_slowdown){says.scal, says.inter};
}
