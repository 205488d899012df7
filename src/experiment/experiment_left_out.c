/* experiment_left_out.c - what of its traces no run of an experiment sees, as a person is to be
 * told; see experiment.h. */
#include "experiment/experiment.h"

#include "experiment/experiment_gangs.h"
#include "text/buffer.h"

#include <inttypes.h>

/* Jobs of a trace that would arrive after the horizon, of *of. How the arrivals are compressed for
 * a load is known in a run alone: none of those. */
static uint64_t count_late(const struct experiment *x, size_t i, uint64_t *of)
{
    const struct dcs_trace *t = &x->traces[i];
    const struct config_replay *r = experiment_replay(x, i);
    double horizon_ns = (double)x->config->horizon.duration_ns;
    uint64_t late = 0;
    *of = x->gangs != NULL ? x->gangs->spec.jobs_count : t->jobs_count;
    if (x->gangs != NULL)
        return x->gangs->late;
    for (size_t k = 0; k < t->jobs_count && horizon_ns > 0 && r->load == 0; k++)
        late += (double)t->jobs[k].arrival_ns / r->time_compression >= horizon_ns;
    return late;
}

char *experiment_left_out(const struct experiment *x)
{
    const struct config_trace *traces = x->config->workload.trace.items;
    struct text_buffer out = {0};
    for (size_t i = 0; i < x->traces_count; i++) {
        const struct dcs_trace *t = &x->traces[i];
        bool from = traces[i].from_ns > 0, until = traces[i].until_ns > 0;
        uint64_t all = t->outside, of, late = count_late(x, i, &of);
        for (size_t k = 0; k < t->counts_count; k++)
            all += t->counts[k].count;
        if (t->outside > 0)
            text_append(&out, "%sworkload.trace[%zu].%s leaves %" PRIu64 " of %" PRIu64 " jobs out",
                        out.length > 0 ? "\n" : "", i,
                        from && until ? "from_s and until_s"
                        : from        ? "from_s"
                                      : "until_s",
                        t->outside, all);
        if (t->outside > 0 && t->running > 0 && !traces[i].early)
            text_append(&out, ", of which %" PRIu64 " ran at from_s on %.4g GPU%s (early keeps %s)",
                        t->running, t->running_gpus, t->running_gpus == 1 ? "" : "s",
                        t->running == 1 ? "it" : "them");
        if (late > 0)
            text_append(&out, "%shorizon.duration_s leaves %" PRIu64 " of %" PRIu64 " jobs out",
                        out.length > 0 ? "\n" : "", late, of);
    }
    return out.text;
}

char *experiment_thinned(const struct experiment *x)
{
    const struct config_trace *traces = x->config->workload.trace.items;
    struct text_buffer out = {0};
    for (size_t i = 0; i < x->traces_count; i++)
        if (traces[i].keep < 1 && experiment_replay(x, i)->load == 0)
            text_append(&out,
                        "%sworkload.trace[%zu].keep is %g: the answer is for %.4g %% of the load",
                        out.length > 0 ? "\n" : "", i, traces[i].keep, 100 * traces[i].keep);
    return out.text;
}
