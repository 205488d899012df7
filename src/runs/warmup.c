/*
 * warmup.c - simulates a run with the warm-up that its config asks for.
 *
 * With warmup_rule "mser5" the run is simulated whole, keeping the number in the system over equal
 * parts of the horizon; MSER-5 says how many of them to leave out, and the same run is simulated
 * again with that as its warm-up, if it is not 0. So everything that is measured is measured as
 * with any other warm-up, at twice the cost. Each run has its own.
 */
#include "experiment/experiment_parts.h"

#include "des/mser.h"

int experiment_simulate(const struct experiment *x, struct cluster_spec *spec,
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
