/* replication.c - one replication, from its workload to its metrics; see replication.h. */
#include "runs/replication.h"

#include "runs/gang_metrics.h"
#include "runs/launch_rows.h"
#include "runs/metrics.h"
#include "runs/uncertainty.h"
#include "runs/warmup.h"
#include "runs/wallclock.h"

#include <stdlib.h>

void run_release(struct run *r)
{
    free(r->metrics);
    free(r->replay);
    spill_release(&r->requests);
    spill_release(&r->decisions);
    drive_rows_release(&r->driven);
    time_bins_release(&r->bins);
    gang_rows_release(&r->gangs);
    cluster_result_release(&r->result);
    *r = (struct run){0};
}

/* ---- Rows ---- */

static void begin_rows(void *context)
{
    struct run *run = context;
    spill_release(&run->requests);
    spill_release(&run->decisions);
    spill_init(&run->requests, sizeof(struct cluster_request_row));
    spill_init(&run->decisions, sizeof(struct cluster_decision_row));
    time_bins_begin(&run->bins);
}

static int take_request(void *context, const struct cluster_request_row *row, struct dcs_err *err)
{
    struct run *run = context;
    return spill_add(&run->requests, row, err);
}

static int take_decision(void *context, const struct cluster_decision_row *row, struct dcs_err *err)
{
    struct run *run = context;
    return spill_add(&run->decisions, row, err);
}

/* Both recorders of a run; either may want nothing. */
struct recorders {
    struct launch_rows launches;
    struct recorder launch;
    struct time_bins *bins;
};

static int tell_recorders(void *context, const struct cluster_record *record, struct dcs_err *err)
{
    struct recorders *all = context;
    if (time_bins_record(all->bins, record, err) != 0)
        return -1;
    return all->launch.record != NULL ? all->launch.record(all->launch.context, record, err) : 0;
}

/* ---- A run ---- */

/* The same once more, with another profile that could have been measured. */
static int resample(const struct experiment *x, const struct cluster_spec *spec, struct run *out,
                    struct dcs_err *err)
{
    struct cluster_spec other = *spec;
    other.resampled = true;
    other.rows = NULL;
    other.recorder = NULL;
    other.keep_requests = other.keep_decisions = other.keep_job_times = false;
    struct run again = {.replication = out->replication};
    if (warmup_simulate(x, &other, &again.result, err) != 0)
        return -1;
    out->result.interrupted = again.result.interrupted;
    metrics_compute(x, &again);
    uncertainty_add(out, &again);
    run_release(&again);
    return 0;
}

/* The same on a GPU that really runs. */
static int drive(const struct experiment *x, struct cluster_spec *spec, struct drive *by,
                 struct run *out, struct dcs_err *err)
{
    struct dcs_err later = {0};
    if (drive_begin(by, x, spec, err) != 0)
        return -1;
    int failed = cluster_run(spec, &out->result, err);
    if (drive_end(by, &out->driven, failed ? &later : err) != 0)
        failed = -1;
    return failed;
}

int replication_run(const struct experiment *x, uint32_t replication, uint32_t threads,
                    struct run_watch *watch, struct run *out, struct dcs_err *err)
{
    *out = (struct run){.replication = replication};
    if (x->gangs != NULL) {
        int failed = gang_replication(x, watch, out, err);
        if (failed)
            run_release(out);
        return failed;
    }
    out->replay = dcs_alloc(experiment_replays(x) + 1, sizeof *out->replay);
    double began = wallclock_s();
    struct dcs_workload workload;
    if (experiment_workload(x, replication, &workload, out->replay, err) != 0) {
        run_release(out);
        return -1;
    }
    struct cluster_spec spec;
    experiment_spec(x, replication, &workload, &spec);
    spec.threads = threads;
    spec.stop = &watch->stop;
    spec.progress = &watch->requests;
    const struct cluster_rows rows = {out, begin_rows, take_request, take_decision};
    spec.rows = &rows;
    time_bins_init(&out->bins, x);
    struct recorders all = {.launches = {.x = x, .rows = &out->decisions}, .bins = &out->bins};
    const struct recorder recorder = {.context = &all, .record = tell_recorders};
    if (x->config->outputs.launches && x->device_kind->allots_sms)
        all.launch = launch_rows_recorder(&all.launches);
    if (all.launch.record != NULL || x->config->outputs.interval_ns > 0)
        spec.recorder = &recorder;
    int failed = watch->drive != NULL ? drive(x, &spec, watch->drive, out, err)
                                      : warmup_simulate(x, &spec, &out->result, err);
    free(all.launches.sms);
    if (!failed)
        metrics_compute(x, out);
    if (!failed && watch->drive == NULL && x->config->sharing.profile_uncertainty &&
        !out->result.interrupted)
        failed = resample(x, &spec, out, err);
    dcs_workload_release(&workload);
    if (failed) {
        experiment_place(x, NULL, err);
        run_release(out);
        return -1;
    }
    out->seconds = wallclock_s() - began;
    return 0;
}

/* What is measured does not matter here, so the warm-up does not either, and need not be found. */
int replication_record(const struct experiment *x, uint32_t replication,
                       const struct recorder *recorder, int64_t until_ns, struct run_watch *watch,
                       struct run *out, struct dcs_err *err)
{
    struct dcs_workload workload;
    struct cluster_spec spec;
    struct run unwanted = {0}, *run = out != NULL ? out : &unwanted;
    *run = (struct run){.replication = replication};
    if (experiment_refuse_gangs(x, "there is nothing of them to record", err) != 0)
        return -1;
    if (experiment_workload(x, replication, &workload, NULL, err) != 0)
        return -1;
    experiment_spec(x, replication, &workload, &spec);
    if (spec.horizon_ns != DCS_NEVER && until_ns < spec.horizon_ns)
        spec.horizon_ns = until_ns;
    const struct cluster_rows rows = {run, begin_rows, take_request, take_decision};
    spec.rows = &rows;
    spec.recorder = recorder;
    spec.keep_requests = out != NULL;
    spec.keep_decisions = spec.keep_job_times = false;
    spec.stop = &watch->stop;
    spec.progress = &watch->requests;
    int failed = cluster_run(&spec, &run->result, err);
    if (failed)
        experiment_place(x, NULL, err);
    dcs_workload_release(&workload);
    if (failed || out == NULL)
        run_release(run);
    return failed;
}
