/* offered_load.c - see offered_load.h. */
#include "runs/offered_load.h"

#include <math.h>

/* Mean work of a request of an application; NaN: devices differ in it, and what they can do
 * together depends on which of them gets how many requests. */
static double mean_work_s(const struct experiment *x, uint32_t app)
{
    const int64_t *total_ns = x->apps[app].total_ns;
    for (uint32_t kind = 1; kind < x->kinds; kind++)
        if (total_ns[kind] != total_ns[0])
            return (double)NAN;
    return (double)total_ns[0] * 1e-9;
}

bool offered_load_is_known(const struct experiment *x)
{
    if (x->config->sharing.model != SHARING_WHOLE)
        return false;
    for (uint32_t app = 0; app < x->apps_count; app++)
        if (isnan(mean_work_s(x, app)))
            return false;
    return true;
}

double offered_load(const struct experiment *x)
{
    const struct config_service *services = x->config->workload.services.items;
    double work = 0;
    if (!x->steady || x->config->sharing.model != SHARING_WHOLE || x->services_count == 0)
        return (double)NAN;
    for (size_t i = 0; i < x->services_count; i++) {
        const struct experiment_service *s = &x->services[i];
        if (s->colocated || services[s->entry].requests == 0)
            work += s->rate_per_s * mean_work_s(x, s->app);
    }
    return work / (double)x->devices_count;
}
