/*
 * results_case.h - a small experiment and runs of it, made by hand, for the tests of what is done
 * with results. No simulation: every number follows from the replication and a seed.
 */
#ifndef RESULTS_CASE_H
#define RESULTS_CASE_H

#include "des/names.h"
#include "experiment/experiment.h"
#include "runs/metrics.h"
#include "runs/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CASE_APPS 3 /* web, api: latency; train: batch */

struct results_case {
    struct options_doc *doc;
    struct config config;
    struct experiment x;
    struct dcs_app apps[CASE_APPS];
    struct dcs_profile profile;
    struct dcs_spatial model;
    struct experiment_kind kind;
    struct dcs_names names;
    int64_t total_ns[CASE_APPS]; /* of a request */
    int64_t sla_ns[CASE_APPS];
    struct experiment_service service; /* not counted unless the test says so */
    struct cluster_domain domains[3];
    struct dcs_trace trace;
};

/* From a config's text; its applications are always the same three. hash: 64 hex digits. */
static inline void case_open(struct results_case *c, const char *json, const char *hash)
{
    struct dcs_err err = {0};
    *c = (struct results_case){0};
    c->doc = options_load_text("case.json", json, strlen(json), &err);
    if (c->doc == NULL || config_parse(&c->config, c->doc, NULL, &err) != 0) {
        dcs_err_print(&err, stderr);
        abort();
    }
    c->apps[0] = (struct dcs_app){.name = "web", .class = DCS_LATENCY, .sla_ns = 50000000};
    c->apps[1] = (struct dcs_app){.name = "api", .class = DCS_LATENCY};
    c->apps[2] = (struct dcs_app){.name = "train", .class = DCS_BATCH};
    for (int i = 0; i < CASE_APPS; i++) {
        c->total_ns[i] = (i + 1) * 1000000;
        c->apps[i].total_ns = &c->total_ns[i];
    }
    c->sla_ns[0] = 50000000;
    c->service = (struct experiment_service){.domains = 3,
                                             .devices = 5,
                                             .sla_ns = 50000000,
                                             .alone_ns = 1000000,
                                             .peak_quantile = 0.99,
                                             .peak_per_s = 80,
                                             .rate_per_s = 200};
    c->profile.name = "p1000";
    memset(c->profile.sha256, 'a', 64);
    bool shared = c->config.sharing.model == SHARING_SPATIAL;
    c->kind = (struct experiment_kind){.profile = &c->profile,
                                       .spatial = shared ? &c->model : NULL,
                                       .falls_back = "kernels of web were not measured alone",
                                       .devices = 5};
    for (int i = 0; i < 3; i++)
        c->domains[i] = (struct cluster_domain){.devices = i < 2 ? 2 : 1};
    c->x = (struct experiment){
        .config = &c->config,
        .device_kind = shared ? &device_shared : &device_exclusive,
        .kind = &c->kind,
        .kinds = 1,
        .domains = c->domains,
        .domains_count = 3,
        .devices_count = 5,
        .apps = c->apps,
        .apps_count = CASE_APPS,
        .app_names = &c->names,
        .app_sla_ns = c->sla_ns,
        .services = &c->service,
        .heavy_tails = c->config.interval == INTERVAL_MEDIAN,
        .steady = c->config.horizon.duration_ns > 0,
    };
    for (size_t i = 0; i < CASE_APPS; i++)
        dcs_names_add(&c->names, c->apps[i].name, i);
    config_hash(&c->config, c->x.config_hash);
    snprintf(c->x.hash, sizeof c->x.hash, "%s", hash);
}

/* One trace, for configs with one element of workload.trace. */
static inline void case_add_trace(struct results_case *c)
{
    c->trace =
        (struct dcs_trace){.jobs_count = 7,
                           .counts = {{"kept", 7}, {"left out: failed", 3}, {"left out: never", 0}},
                           .counts_count = 3};
    memset(c->trace.sha256, 'b', 64);
    c->x.traces = &c->trace;
    c->x.traces_count = 1;
}

static inline void case_close(struct results_case *c)
{
    dcs_names_release(&c->names);
    config_release(&c->config);
    options_doc_free(c->doc);
}

static inline void case_app(struct cluster_app_result *a, struct dcs_rng *rng, uint64_t done,
                            bool has_sla)
{
    a->done = a->completions = done;
    a->dropped = dcs_rng_below(rng, 3);
    a->inside = dcs_rng_below(rng, 3);
    a->arrived = a->done + a->dropped + a->inside;
    a->decided = has_sla ? done + a->dropped : 0;
    a->met = has_sla ? done - dcs_rng_below(rng, 3) : 0;
    if (done == 0)
        return;
    a->response = dcs_alloc(1, sizeof *a->response);
    dcs_hist_init(a->response);
    /* From nanoseconds to the largest value there is: sums pass 64 bits. */
    for (uint64_t i = 0; i < done; i++)
        dcs_hist_add(a->response, (int64_t)(dcs_rng_u64(rng) >> (1 + dcs_rng_below(rng, 62))));
    dcs_hist_add(a->response, INT64_MAX);
    a->done++;
    a->arrived++;
}

/* A run, with `rows` rows of requests. The last application completes nothing in odd replications,
 * so that some metrics do not exist. */
static inline struct run case_run(const struct results_case *c, uint32_t replication, size_t rows)
{
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 99, replication, DCS_RNG_BOOTSTRAP, 0);
    struct run run = {.replication = replication, .seconds = 0.25 * replication};
    struct cluster_result *r = &run.result;
    *r = (struct cluster_result){.apps_count = CASE_APPS,
                                 .devices_count = 5,
                                 .first_arrival_ns = 17,
                                 .last_completion_ns = 900 + replication,
                                 .from_ns = 100,
                                 .to_ns = 1100,
                                 .mean_in_system = 0.1 + replication / 3.0,
                                 .requests = 40,
                                 .returned = 1,
                                 .revocations = dcs_rng_below(&rng, 9),
                                 .launches = 50,
                                 .events = 1000,
                                 .jobs_count = 2};
    r->apps = dcs_alloc(CASE_APPS, sizeof *r->apps);
    for (uint32_t i = 0; i < CASE_APPS; i++)
        case_app(&r->apps[i], &rng, i == 2 && replication % 2 == 1 ? 0 : 10 + i, i < 2);
    r->devices = dcs_alloc(5, sizeof *r->devices);
    r->device_domain = dcs_alloc(5, sizeof *r->device_domain);
    for (uint32_t i = 0; i < 5; i++) {
        r->device_domain[i] = i / 2;
        r->devices[i] = (struct dcs_usage){.busy_ns = 700 + replication,
                                           .useful_ns = 600,
                                           .lost_ns = 60 + replication,
                                           .overhead_ns = 40};
    }
    r->jobs = dcs_alloc(2, sizeof *r->jobs);
    r->jobs[0] = (struct cluster_job_row){.app = 2,
                                          .domain = UINT32_MAX,
                                          .issued = 9,
                                          .completed = 8,
                                          .dropped = 1,
                                          .begin_ns = 10,
                                          .end_ns = 500 + replication,
                                          .p99_ns = DCS_NEVER};
    r->jobs[1] = (struct cluster_job_row){.domain = 2,
                                          .issued = 9,
                                          .completed = 8,
                                          .begin_ns = 20,
                                          .end_ns = DCS_NEVER,
                                          .sla_ns = 70,
                                          .decided = 8,
                                          .met = 6,
                                          .p99_ns = 71};
    struct dcs_err err = {0};
    spill_init(&run.requests, sizeof(struct cluster_request_row));
    spill_init(&run.decisions, sizeof(struct cluster_decision_row));
    for (size_t i = 0; i < rows; i++) {
        struct cluster_request_row row = {.id = i + 1,
                                          .index = rows - i,
                                          .job = (uint32_t)(i % 2),
                                          .domain = i == 1 ? UINT32_MAX : 0,
                                          .device = i % 3 == 2 ? UINT32_MAX : 1,
                                          .outcome = (enum cluster_outcome)(i % 3),
                                          .arrival_ns = (int64_t)i,
                                          .start_ns = i % 3 == 2 ? DCS_NEVER : (int64_t)i + 5,
                                          .end_ns = i % 3 == 2 ? DCS_NEVER : (int64_t)i + 9,
                                          .deadline_ns = i % 2 == 1 ? DCS_NEVER : 70,
                                          .revocations = (uint32_t)(i % 4)};
        struct cluster_decision_row decision = {(int64_t)i, rows - i, (uint32_t)(i % 2), 1, 2, 3,
                                                "why",      -4};
        if (spill_add(&run.requests, &row, &err) != 0 ||
            spill_add(&run.decisions, &decision, &err) != 0)
            abort();
    }
    run.replay = dcs_alloc(1, sizeof *run.replay);
    run.replay[0] = (struct dcs_replay_counts){.jobs = 7,
                                               .requests = 90,
                                               .clients = 8,
                                               .rounded_up = 2,
                                               .work_ns = 3e9 + replication,
                                               .trace_work_ns = 2e9,
                                               .time_compression = 1.5,
                                               .offered = 0.8,
                                               .span_ns = 5000000000};
    metrics_compute(&c->x, &run);
    return run;
}

#endif
