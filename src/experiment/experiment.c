/* experiment.c - opens what a config names, part by part, and names the whole; see experiment.h.
 * experiment_workload.c draws the workload of a run, runner.c runs it. */
#include "experiment/experiment_parts.h"
#include "config/config_gangs.h"
#include "config/plugin.h"

#include "des/digest.h"

#include <stdlib.h>
#include <string.h>

/* Results of a later program are read, too. */
#define MODELS_TO_COME 16

/* A bound far out (fits have one) does not make the mean of a few hundred draws behave. */
static bool is_heavy(const struct config_duration *d)
{
    double shape = d->distribution == 1 ? d->shape : d->distribution == 4 ? d->tail_shape : 3;
    return shape <= 2;
}

/* Durations without a variance make means of runs meaningless. */
static bool has_heavy_tails(const struct config *c)
{
    if (c->interval != INTERVAL_AUTO)
        return c->interval == INTERVAL_MEDIAN;
    const struct config_trem *trem = c->workload.trem.items;
    for (size_t i = 0; i < c->workload.trem.count; i++)
        /* With the task counts fixed by class the tail is cut off. */
        if (trem[i].pareto_shape <= 2 && (trem[i].user_tasks == 0 || trem[i].batch_tasks == 0))
            return true;
    const struct config_jobs *jobs = c->workload.jobs.items;
    for (size_t i = 0; i < c->workload.jobs.count; i++)
        if ((jobs[i].latency.fraction > 0 && is_heavy(&jobs[i].latency.duration)) ||
            (jobs[i].latency.fraction < 1 && is_heavy(&jobs[i].batch.duration)))
            return true;
    const struct config_application *apps = c->applications.items;
    for (size_t i = 0; i < c->applications.count; i++)
        if (apps[i].service.distribution == DCS_PARETO && apps[i].service.shape <= 2)
            return true;
    return false;
}

static void hash_of(int model, const char *config_hash, const char *files, char out[65])
{
    struct text_buffer text = {0};
    text_append(&text, "model %d\nconfig %s\n%s", model, config_hash, files);
    dcs_sha256(text.text, text.length, out);
    free(text.text);
}

/* Names the experiment: two configs that read other bytes are two experiments. */
static void make_hash(struct experiment *x)
{
    struct text_buffer text = {0};
    for (uint32_t i = 0; i < x->kinds; i++)
        text_append(&text, "profile %s\n", x->kind[i].profile->sha256);
    for (uint32_t i = 0; i < x->kinds; i++)
        if (x->kind[i].predictors.name != NULL)
            text_append(&text, "predictors %s\n", x->kind[i].predictors.sha256);
    for (size_t i = 0; i < x->traces_count; i++)
        text_append(&text, "trace %s\n", x->traces[i].sha256);
    text_append(&text, "plugin %s\n", x->config->plugin != NULL ? x->config->plugin->sha256 : "");
    if (x->config->driven)
        text_append(&text, "driven\n");
    hash_of(DCS_MODEL_VERSION, x->config_hash, text.text, x->hash);
    free(text.text);
}

int experiment_model(const char *hash, const char *config_hash, const char *files)
{
    char found[65];
    for (int model = 1; model <= DCS_MODEL_VERSION + MODELS_TO_COME; model++) {
        hash_of(model, config_hash, files, found);
        if (strcmp(found, hash) == 0)
            return model;
    }
    return 0;
}

int experiment_place(const struct experiment *x, const char *otherwise, struct dcs_err *err)
{
    struct dcs_err cause = *err;
    const char *path = cause.path[0] != '\0' ? cause.path : otherwise;
    return path != NULL ? options_error(x->doc, path, err, "%s", cause.text) : -1;
}

static double gigabytes(uint64_t bytes)
{
    return (double)bytes / 1e9;
}

/* Lists of jobs are drawn before a run, and take memory then. */
static int check_lists(const struct experiment *x, struct dcs_err *err)
{
    const struct config_workload *w = &x->config->workload;
    uint64_t most = CLUSTER_BYTES_MAX / cluster_job_bytes(), jobs = 0;
    for (size_t i = 0; i < w->trem.count + w->jobs.count; i++) {
        bool trem = i < w->trem.count;
        size_t at = trem ? i : i - w->trem.count;
        char path[64];
        snprintf(path, sizeof path, "workload.%s[%zu].jobs", trem ? "trem" : "jobs", at);
        jobs += (uint64_t)(trem ? ((const struct config_trem *)w->trem.items)[at].jobs
                                : ((const struct config_jobs *)w->jobs.items)[at].jobs);
        if (jobs > most)
            return options_error(x->doc, path, err,
                                 "with these the workload has %llu jobs, which take %.1f GB of "
                                 "memory; a run may take %.1f GB: at most %llu jobs in all",
                                 (unsigned long long)jobs, gigabytes(jobs * cluster_job_bytes()),
                                 gigabytes(CLUSTER_BYTES_MAX), (unsigned long long)most);
    }
    return 0;
}

static int check_memory(const struct experiment *x, const struct cluster_spec *spec,
                        struct dcs_err *err)
{
    struct cluster_bytes b = cluster_bytes(spec);
    if (b.domains + b.jobs + b.clients <= CLUSTER_BYTES_MAX)
        return 0;
    bool domains = b.domains >= b.jobs && b.domains >= b.clients;
    return options_error(x->doc, domains ? "cluster" : "workload", err,
                         "a run would take more than the %.1f GB of memory that it may: domains "
                         "and devices %.1f GB, jobs %.1f GB, requests of clients without end %.1f "
                         "GB; ask for fewer of them",
                         gigabytes(CLUSTER_BYTES_MAX), gigabytes(b.domains), gigabytes(b.jobs),
                         gigabytes(b.clients));
}

/* A workload that cannot be drawn, or options that the policy does not take, are the config's
 * fault, too. */
static int try_first_run(const struct experiment *x, struct dcs_err *err)
{
    struct dcs_workload trial;
    struct cluster_spec spec;
    if (check_lists(x, err) != 0)
        return -1;
    if (experiment_workload(x, 0, &trial, NULL, err) != 0) {
        struct dcs_err cause = *err;
        return options_error(x->doc, "workload", err, "%s", cause.text);
    }
    experiment_spec(x, 0, &trial, &spec);
    int result = check_memory(x, &spec, err);
    if (result == 0) {
        result = cluster_try_policy(&spec, err);
        if (result != 0)
            experiment_place(x, "policy", err);
    }
    dcs_workload_release(&trial);
    return result;
}

/* Devices, applications and what asks for them, or nodes and whole jobs. */
static int open_parts(struct experiment *x, struct profile_cache *files, struct dcs_err *err)
{
    if (config_has_gangs(x->config))
        return experiment_open_traces(x, err) != 0 ? -1 : experiment_open_gangs(x, err);
    if (experiment_open_devices(x, files, err) != 0 || experiment_open_applications(x, err) != 0 ||
        experiment_open_weights(x, err) != 0 || experiment_open_inputs(x, err) != 0 ||
        experiment_open_services(x, err) != 0)
        return -1;
    return experiment_open_traces(x, err);
}

int experiment_open_with(struct experiment *x, const struct config *config,
                         const struct options_doc *doc, struct profile_cache *files,
                         struct dcs_err *err)
{
    *x = (struct experiment){.config = config, .doc = doc};
    config_hash(config, x->config_hash);
    x->heavy_tails = has_heavy_tails(config);
    x->steady = config->horizon.duration_ns > 0;
    if (open_parts(x, files, err) != 0) {
        experiment_close(x);
        return -1;
    }
    make_hash(x);
    if (x->gangs == NULL && try_first_run(x, err) != 0) {
        experiment_close(x);
        return -1;
    }
    return 0;
}

int experiment_open(struct experiment *x, const struct config *config,
                    const struct options_doc *doc, struct dcs_err *err)
{
    return experiment_open_with(x, config, doc, NULL, err);
}

void experiment_close(struct experiment *x)
{
    experiment_close_devices(x);
    experiment_close_applications(x);
    experiment_close_weights(x);
    experiment_close_inputs(x);
    experiment_close_services(x);
    experiment_close_traces(x);
    experiment_close_gangs(x);
    *x = (struct experiment){0};
}

static int64_t fusion_charge(const struct config *c, int64_t ns)
{
    return (int64_t)((double)ns * c->scheduler.fusion_cost_scale * c->scheduler.scale + 0.5);
}

static int64_t callback_charge(const struct experiment *x)
{
    const struct config_scheduler *s = &x->config->scheduler;
    int64_t measured_ns = experiment_measured_charge(x);
    if (measured_ns >= 0 || s->callback_ns < 0)
        return measured_ns > 0 ? measured_ns : 0;
    return (int64_t)((double)s->callback_ns * s->scale + 0.5);
}

/* A measured charge has in it that the host waits for a kernel and launches the next one, which is
 * all that a change of quota was measured to cost. */
static int64_t switch_charge(const struct experiment *x)
{
    int64_t ns = x->config->sharing.quota_switch_ns;
    if (ns != CONFIG_SWITCH_MEASURED)
        return ns;
    return experiment_measured_charge(x) >= 0 ? 0 : CLUSTER_SWITCH_MEASURED;
}

void experiment_spec(const struct experiment *x, uint32_t replication,
                     const struct dcs_workload *workload, struct cluster_spec *out)
{
    const struct config *c = x->config;
    const struct experiment_devices *d = x->devices;
    *out = (struct cluster_spec){
        .apps = x->apps,
        .weights = x->app_weight,
        .apps_count = x->apps_count,
        .sized_count = x->sized_count,
        .profiles = x->kinds,
        .profile_memory_bytes = d->memory_bytes,
        .profile_sms = d->sms,
        .sharing = {.spatial = d->spatial,
                    .cpu = d->cpu,
                    .sm = d->sm,
                    .leaving = {.how = (enum dcs_sm_leave)c->sharing.blocks_leave,
                                .bytes_per_ns = c->sharing.context_gbs},
                    .contention = c->sharing.contention,
                    .quota_switch_ns = switch_charge(x),
                    .step_sms =
                        c->sharing.step_sms > 0 ? (uint32_t)c->sharing.step_sms : DCS_SMS_STEP,
                    .moves = (enum dcs_gpu_moves)c->sharing.resize_at,
                    .fusion_match = (enum dcs_fusion_match)c->fusion.match,
                    .fusion_choice = (enum dcs_fusion_choice)c->fusion.decide},
        .device_kind = x->device_kind,
        .domains = x->domains,
        .domains_count = x->domains_count,
        .router = (enum cluster_router)c->cluster.router,
        .checkpoint = {.interval_ns = c->checkpoint.interval_ns, .cost_ns = c->checkpoint.cost_ns},
        .clairvoyant = c->predictor == PREDICTOR_CLAIRVOYANT,
        .predictors = d->predictors,
        .cpu_predictors = d->cpu_predictors,
        .slowdowns = d->slowdowns,
        .callback_ns = callback_charge(x),
        .predict_ns = (int64_t)((double)c->scheduler.predict_ns * c->scheduler.scale + 0.5),
        .fusion_round_ns = fusion_charge(c, c->scheduler.fusion_round_ns),
        .fusion_candidate_ns = fusion_charge(c, c->scheduler.fusion_candidate_ns),
        .horizon_ns = c->horizon.duration_ns > 0 ? c->horizon.duration_ns : DCS_NEVER,
        .warmup_ns = c->horizon.warmup_ns,
        .instant = (enum cluster_instant)c->scheduler.instant,
        .policy = c->policy,
        .policy_params = c->policy_params,
        .seed = (uint64_t)c->seed,
        .replication = replication,
        .workload = workload,
        .keep_requests = c->outputs.requests,
        .keep_decisions = c->outputs.decisions,
        .keep_jobs = true, /* metrics need them */
        .keep_job_times = c->outputs.jobs,
    };
}
