/* warmup.c - see warmup.h. */
#include "runs/warmup.h"

#include "des/mser.h"

int warmup_simulate(const struct experiment *x, struct cluster_spec *spec,
                    struct cluster_result *out, struct dcs_err *err)
{
    bool mser = x->config->horizon.warmup_rule == WARMUP_MSER5;
    spec->series = mser ? CONFIG_SERIES : 0;
    if (mser)
        spec->warmup_ns = 0; /* not what an earlier simulation of the same replication was given */
    if (cluster_run(spec, out, err) != 0)
        return -1;
    if (!mser || out->interrupted)
        return 0;
    size_t cut = dcs_mser5(out->series, CONFIG_SERIES);
    if (cut == 0)
        return 0;
    cluster_result_release(out);
    spec->series = 0;
    spec->warmup_ns = spec->horizon_ns / CONFIG_SERIES * (int64_t)cut;
    return cluster_run(spec, out, err);
}
