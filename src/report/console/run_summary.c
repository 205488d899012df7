/*
 * run_summary.c - what a person reads after an experiment; see run_summary.h.
 *
 *   what was run       name, policy, devices, horizon
 *   requests           by class and application: how many, within SLA, response times
 *   services           their rates, and whether they meet their SLA (run_services.h)
 *   the cluster        where the device time went, revocations, batch work; per run
 *   notes              what the numbers stand for, and every reason to doubt them; what is
 *                      replayed (run_traces.h)
 *
 * Shares are percentages here and nowhere else. Nothing depends on how long a run took, or on which
 * runs came out of the database.
 */
#include "report/console/run_summary.h"

#include "report/console/run_fairness.h"
#include "report/console/run_gangs.h"
#include "report/console/run_names.h"
#include "report/console/run_overload.h"
#include "report/console/run_services.h"
#include "report/console/run_traces.h"
#include "text/table.h"
#include "report/console/run_uncertainty.h"
#include "runs/until.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Everything that the parts of the report look at. */
struct report {
    FILE *out;
    const struct experiment *x;
    const struct summary *summary;
    const struct summary_row *rows;
    size_t count;
    const struct dcs_replay_counts *replay;
    const struct report_runs *runs;
};

static const struct summary_row *find_row(const struct report *r, uint32_t app, const char *name)
{
    size_t i = summary_find(r->summary, app, name);
    return i != SIZE_MAX ? &r->rows[i] : NULL;
}

static struct dcs_estimate estimate(const struct report *r, uint32_t app, const char *name)
{
    const struct summary_row *row = find_row(r, app, name);
    return row != NULL ? row->estimate
                       : (struct dcs_estimate){
                             .value = (double)NAN, .low = (double)NAN, .high = (double)NAN};
}

/* The sum over the runs. Rows stand in the order of the metrics. */
static double total(const struct report *r, uint32_t app, const char *name)
{
    const struct summary_row *row = find_row(r, app, name);
    double sum = 0;
    for (size_t i = 0; row != NULL && i < r->summary->runs; i++) {
        double v = r->summary->values[i * r->summary->metrics_count + (size_t)(row - r->rows)];
        sum += isnan(v) ? 0 : v;
    }
    return sum;
}

static uint32_t class_app(enum dcs_class class)
{
    return METRIC_CLASS + class;
}

static bool has_class(const struct experiment *x, enum dcs_class class)
{
    for (uint32_t i = 0; i < x->apps_count; i++)
        if (x->apps[i].class == class)
            return true;
    return false;
}

/* ---- What was run ---- */

/* Appends "key=value" if the option has another value than its default, or none. */
static void append_option(struct text_buffer *out, const struct param *row, const void *params,
                          size_t size, const char *separator)
{
    struct param table[2] = {*row};
    table[0].required = false;
    struct dcs_err err = {0};
    void *defaults = dcs_alloc(1, size);
    struct options_doc *doc = options_load_text("defaults", "{}", 2, &err);
    int failed = doc == NULL || options_parse(doc, "", table, NULL, defaults, &err) != 0;
    DCS_ASSERT(!failed);
    struct text_buffer is = {0}, by_default = {0};
    options_print_members(&is, table, params, 0);
    options_print_members(&by_default, table, defaults, 0);
    if (row->required || strcmp(is.text, by_default.text) != 0) {
        const char *value = strchr(is.text, ':');
        DCS_ASSERT(value != NULL);
        text_append(out, "%s%s=%s", separator, row->name, value + 2);
    }
    options_release(table, size, defaults);
    options_doc_free(doc);
    free(is.text);
    free(by_default.text);
    free(defaults);
}

static void append_policy(struct text_buffer *out, const struct config *c)
{
    text_append(out, "%s", c->policy->name);
    size_t before = out->length;
    for (const struct param *row = c->policy->params; row && row->type != PARAM_END; row++)
        append_option(out, row, c->policy_params, c->policy->params_size,
                      out->length == before ? " (" : ", ");
    if (out->length > before)
        text_append(out, ")");
}

char *report_policy_text(const struct config *c)
{
    struct text_buffer text = {0};
    append_policy(&text, c);
    return text.text;
}

struct text report_measured(const struct experiment_gpu *gpu)
{
    if (gpu->device[0] == '\0') /* no run has ended */
        return text_format("on a real GPU");
    if (gpu->uuid[0] == '\0') /* "played by a clock" */
        return text_format("%.80s", gpu->device);
    return text_format("measured on %.60s %.60s", gpu->device, gpu->uuid);
}

static void append_horizon(struct text_buffer *out, const struct config *c,
                           const struct experiment_gpu *gpu)
{
    struct text duration = text_value((double)c->horizon.duration_ns, TEXT_TIME);
    if (c->horizon.duration_ns == 0)
        text_append(out, "until all work is done");
    else if (!c->driven)
        text_append(out, "%s of simulated time", duration.at);
    else
        text_append(out, "%s, %s", duration.at, report_measured(gpu).at);
    if (c->horizon.warmup_rule == WARMUP_MSER5)
        text_append(out, ", without what MSER-5 cuts");
    if (c->horizon.warmup_ns > 0)
        text_append(out, ", the first %s not counted",
                    text_value((double)c->horizon.warmup_ns, TEXT_TIME).at);
}

static void print_title(const struct report *r)
{
    const struct config *c = r->x->config;
    struct text_buffer line = {0};
    text_append(&line, "%s: ", c->name[0] != '\0' ? c->name : "experiment");
    append_policy(&line, c);
    text_append(&line, ", seed %" PRId64 ", %zu replication%s", c->seed, r->summary->runs,
                dcs_plural(r->summary->runs));
    text_paragraph(r->out, line.text, 4);
    free(line.text);

    line = (struct text_buffer){0};
    report_append_cluster(&line, r->x);
    text_append(&line, "; ");
    append_horizon(&line, c, &r->summary->gpu);
    text_paragraph(r->out, line.text, 4);
    free(line.text);
}

/* ---- Requests ---- */

enum {
    COLUMN_NAME,
    COLUMN_REQUESTS,
    COLUMN_SLA,
    COLUMN_P50,
    COLUMN_P95,
    COLUMN_P99,
    COLUMN_MEAN,
    COLUMN_DROPPED,
    COLUMN_REVOKED,
    COLUMNS,
};
_Static_assert(COLUMNS <= TABLE_COLUMNS, "the table has room for all columns");

static struct text time_cell(const struct report *r, uint32_t app, const char *name)
{
    struct dcs_estimate e = estimate(r, app, name);
    return text_reached(&e, TEXT_TIME);
}

static void add_requests(const struct report *r, struct table *t, uint32_t app, struct text name)
{
    struct text *row = table_row(t);
    const struct summary_row *requests = find_row(r, app, "requests");
    struct dcs_estimate sla = estimate(r, app, "sla_met");
    /* Two bounds, of a median or cut off at 100 %, need the room of the second decimal. */
    bool bounds = sla.median || fabs(sla.high + sla.low - 2 * sla.value) > 1e-9;
    row[COLUMN_NAME] = name;
    row[COLUMN_REQUESTS] = text_count(requests != NULL ? (double)requests->requests : 0, 10);
    if (!isnan(sla.value))
        row[COLUMN_SLA] = text_estimate(&sla, TEXT_PERCENT, bounds ? 1 : 2);
    row[COLUMN_P50] = time_cell(r, app, "response_p50");
    row[COLUMN_P95] = time_cell(r, app, "response_p95");
    row[COLUMN_P99] = time_cell(r, app, "response_p99");
    row[COLUMN_MEAN] = time_cell(r, app, "response_mean");
    if (total(r, app, "dropped") > 0)
        row[COLUMN_DROPPED] = text_count(estimate(r, app, "dropped").value, 7);
    if (total(r, app, "revocations") > 0)
        row[COLUMN_REVOKED] = text_count(estimate(r, app, "revocations").value, 7);
}

static void print_requests(const struct report *r)
{
    static const char *const titles[COLUMNS] = {
        "response times", "requests", "within SLA", "p50", "p95", "p99",
        "mean",           "dropped",  "revoked"};
    struct table t = {0};
    struct text *header = table_row(&t);
    for (size_t i = 0; i < COLUMNS; i++)
        header[i] = text_format("%s", i == 0 ? "" : titles[i]);
    for (enum dcs_class class = DCS_LATENCY; class <= DCS_BATCH; class ++) {
        if (!has_class(r->x, class))
            continue;
        add_requests(r, &t, class_app(class),
                     text_format("%s", class == DCS_LATENCY ? "latency" : "batch"));
        for (uint32_t i = 0; i < r->x->apps_count; i++)
            if (r->x->apps[i].class == class)
                add_requests(r, &t, i, text_format("  %s", report_app_name(r->x, i).at));
    }
    fputc('\n', r->out);
    table_print(r->out, &t);
    table_release(&t);
}

/* ---- The cluster ---- */

static void add_line(const struct report *r, struct table *t, const char *label, uint32_t app,
                     const char *name, enum text_unit unit, const char *of)
{
    struct dcs_estimate e = estimate(r, app, name);
    struct text value = text_estimate(&e, unit, 2);
    struct text *row = table_row(t);
    row[0] = text_format("%s", label);
    row[1] = isnan(e.value) && isnan(e.low)
                 ? value
                 : text_format("%.80s%s%.30s", value.at, of[0] ? " " : "", of);
}

/* Of a policy that asks about fused launches, though it may launch none. */
static void add_fusion(const struct report *r, struct table *t)
{
    if (!(total(r, METRIC_ALL, "fusion_asked") > 0))
        return;
    add_line(r, t, "fused launches", METRIC_ALL, "fused_launches", TEXT_NUMBER, "");
    add_line(r, t, "  kernels in them", METRIC_ALL, "fused_share", TEXT_PERCENT, "");
    if (total(r, METRIC_ALL, "fused_launches") > 0)
        add_line(r, t, "  of their time saved", METRIC_ALL, "fused_saved", TEXT_PERCENT, "");
}

static void add_device_time(const struct report *r, struct table *t)
{
    add_line(r, t, "utilisation", METRIC_ALL, "utilisation", TEXT_PERCENT, "");
    add_line(r, t, "  useful work", METRIC_ALL, "useful", TEXT_PERCENT, "");
    add_line(r, t, "  lost work", METRIC_ALL, "lost", TEXT_PERCENT, "");
    add_line(r, t, "  overhead", METRIC_ALL, "overhead", TEXT_PERCENT, "");
    if (total(r, METRIC_ALL, "unissued") > 0) {
        add_line(r, t, "not done of the work due by the end", METRIC_ALL, "unfinished",
                 TEXT_PERCENT, "");
        add_line(r, t, "never issued of all work of jobs", METRIC_ALL, "unissued", TEXT_PERCENT,
                 "");
    }
    if (r->x->device_kind->shares) {
        add_line(r, t, r->x->device_kind->allots_cores ? "cores in use" : "SMs in use", METRIC_ALL,
                 "sm_utilisation", TEXT_PERCENT, "");
        add_line(r, t, "time added by contention", METRIC_ALL, "contention_share", TEXT_PERCENT,
                 "");
        if (total(r, METRIC_ALL, "contention_beyond") > 0)
            add_line(r, t, "  more than any measured", METRIC_ALL, "contention_beyond",
                     TEXT_PERCENT, "");
        add_fusion(r, t);
    }
    add_line(r, t, "lost work over useful work", METRIC_ALL, "lost_over_useful", TEXT_PERCENT, "");
    char label[48] = "revocations";
    if (total(r, METRIC_ALL, "revocations") > 0)
        snprintf(label, sizeof label, "revocations by %s",
                 dcs_mechanism_name(r->x->config->revocation.mechanism));
    add_line(r, t, label, METRIC_ALL, "revocations", TEXT_NUMBER, "");
    add_line(r, t, "measured window", METRIC_ALL, "window", TEXT_TIME, "");
}

static void add_batch(const struct report *r, struct table *t)
{
    uint32_t batch = class_app(DCS_BATCH);
    add_line(r, t, "batch completions", batch, "completions", TEXT_NUMBER, "");
    add_line(r, t, "batch throughput", batch, "throughput", TEXT_NUMBER, "/s");
    uint32_t apps = 0;
    for (uint32_t i = 0; i < r->x->apps_count; i++)
        apps += r->x->apps[i].class == DCS_BATCH;
    struct text label = text_format(apps > 1 ? "  work over that alone, sum of %u applications"
                                             : "  work over that alone",
                                    apps);
    if (r->x->device_kind->shares)
        add_line(r, t, label.at, batch, "normalised_throughput", TEXT_PERCENT, "");
    if (total(r, batch, "jobs") == 0)
        return;
    const struct summary *s = r->summary;
    size_t jobs = summary_find(s, batch, "jobs");
    double begun = 0;
    for (size_t i = 0; i < s->runs; i++)
        begun += (double)s->counts[i * s->metrics_count + jobs] / (double)s->runs;
    add_line(r, t, "batch jobs completed", batch, "jobs", TEXT_NUMBER,
             text_format("of %s", text_value(begun, TEXT_NUMBER).at).at);
    if (total(r, batch, "jobs_cut") > 0)
        add_line(r, t, "  cut off by the end", batch, "jobs_cut", TEXT_NUMBER, "");
    add_line(r, t, "  median time of a job", batch, "job_time_p50", TEXT_TIME, "");
    add_line(r, t, "  p90 time of a job", batch, "job_time_p90", TEXT_TIME, "");
}

static void print_cluster(const struct report *r)
{
    struct table t = {0};
    struct text *header = table_row(&t);
    header[0] = text_format("of a run");
    if (has_class(r->x, DCS_LATENCY))
        add_line(r, &t, "latency p99", class_app(DCS_LATENCY), "response_p99", TEXT_TIME, "");
    add_device_time(r, &t);
    if (has_class(r->x, DCS_BATCH))
        add_batch(r, &t);
    fputc('\n', r->out);
    table_print(r->out, &t);
    table_release(&t);
}

/* ---- Notes ---- */

#define note(r, ...) text_note((r)->out, 2, __VA_ARGS__)

static void print_legend(const struct report *r)
{
    size_t runs = r->summary->runs;
    note(r,
         "Requests and quantiles: of all runs together; the rest: per run. Times: from arrival to "
         "completion.");
    if (runs == 1) {
        note(r, "One replication: no intervals.");
        return;
    }
    if (summary_is_even(r->summary)) {
        note(r,
             "The %zu replications are alike: nothing in this replay is drawn. So there are no "
             "intervals; what other days would bring is not known.",
             runs);
        return;
    }
    if (!r->x->heavy_tails) {
        note(r,
             "Means over %zu replications; ±: 95 %% Student t interval; [low, high]: the same, "
             "around "
             "a quantile of all requests.",
             runs);
        return;
    }
    note(r,
         "Medians over %zu replications%s; [low, high]: 95 %% bootstrap interval%s, around a "
         "quantile "
         "of all requests a Student t interval.",
         runs,
         r->x->config->interval == INTERVAL_MEDIAN ? "" : ", not means, since tails are heavy",
         runs < 10 ? " (covers less with fewer than 10)" : "");
}

/* Policies go by the class, not by the section of the workload. */
static void print_classes(const struct report *r)
{
    const struct experiment *x = r->x;
    const struct config_batch *batch = x->config->workload.batch.items;
    const struct config_service *services = x->config->workload.services.items;
    for (size_t i = 0; i < x->config->workload.services.count; i++)
        if (x->apps[x->services[i].app].class == DCS_BATCH)
            note(r,
                 "WARNING: class: workload.services[%zu] is of %s, an application of class batch: "
                 "policies schedule it as batch.",
                 i, text_name(services[i].application, 24).at);
    for (size_t i = 0; i < x->config->workload.batch.count; i++) {
        uint32_t app = experiment_app(x, batch[i].application);
        if (x->apps[app].class == DCS_LATENCY)
            note(r,
                 "WARNING: class: workload.batch[%zu] is of %s, an application of class latency: "
                 "policies schedule it as a service, and all its requests are counted together.",
                 i, report_app_name(x, app).at);
    }
}

/* Requests came, and none was completed in the window. Those of batch clients may have come before
 * it, and then are not counted. */
static void print_unserved(const struct report *r)
{
    const struct config_batch *batch = r->x->config->workload.batch.items;
    bool *is_batch = dcs_alloc(r->x->apps_count, sizeof *is_batch);
    for (size_t i = 0; i < r->x->config->workload.batch.count; i++)
        is_batch[experiment_app(r->x, batch[i].application)] = true;
    for (uint32_t i = 0; r->summary->runs > 0 && i < r->x->apps_count; i++)
        if (total(r, i, "completions") <= 0 && (total(r, i, "requests") > 0 || is_batch[i]))
            note(r, "WARNING: not served: no request of %s was completed%s.",
                 report_app_name(r->x, i).at,
                 r->x->config->horizon.duration_ns == 0 ? "" : " in the measured window");
    free(is_batch);
}

static void print_undecided(const struct report *r)
{
    for (enum dcs_class class = DCS_LATENCY; class <= DCS_BATCH; class ++) {
        uint32_t app = class_app(class);
        double requests = total(r, app, "requests"), decided = total(r, app, "sla_decided");
        double inside = total(r, app, "inside"), open = fmin(inside, requests - decided);
        if (decided > 0 && open > 0)
            note(
                r,
                "Undecided: %.0f of %.0f %s requests were inside at the end and not late yet; they "
                "are not in \"within SLA\".",
                open, requests, class == DCS_LATENCY ? "latency" : "batch");
    }
}

static void print_until(const struct report *r)
{
    struct until until;
    struct dcs_err ignored = {0};
    if (until_open(&until, r->x, NULL, &ignored) != 0 || !until.on || r->runs->missing > 0)
        return;
    const struct config_until *c = until.config;
    bool reached = until_reached(&until, r->summary);
    bool relative = c->relative > 0;
    note(r,
         reached ? "Replications were added until half the interval of %s was at most %.4g%s."
                 : "WARNING: half the interval of %s is not at most %.4g%s, with as many "
                   "replications as until.max_replications allows.",
         c->metric, relative ? c->relative * 100 : c->half_width,
         relative ? " % of its value" : "");
}

/* What each run left out, from what it measured. */
static void print_warmup(const struct report *r)
{
    const struct summary *s = r->summary;
    double most = (double)r->x->config->horizon.duration_ns / 2, sum = 0;
    size_t at_most = 0;
    const struct summary_row *window = find_row(r, METRIC_ALL, "window");
    if (r->x->config->horizon.warmup_rule != WARMUP_MSER5 || window == NULL || s->runs == 0)
        return;
    for (size_t i = 0; i < s->runs; i++) {
        double cut = 2 * most - s->values[i * s->metrics_count + (size_t)(window - r->rows)];
        sum += cut;
        at_most += cut > most * (1 - 1e-6);
    }
    note(r, "Warm-up: MSER-5 on the number in the system, of each run on its own; %s in the mean.",
         text_value(sum / (double)s->runs, TEXT_TIME).at);
    if (at_most > 0)
        note(r,
             "WARNING: in %zu of %zu runs that is half of the run, the most that is cut: they are "
             "too short to tell where the warm-up ends.",
             at_most, s->runs);
}

static void print_partial(const struct report *r)
{
    for (uint32_t i = 0; i < r->x->kinds; i++)
        if (r->x->kind[i].profile->missing != NULL)
            note(r, "WARNING: profile %s is partial: %s.", r->x->kind[i].profile->name,
                 r->x->kind[i].profile->missing);
    for (uint32_t i = 0; i < r->x->kinds; i++) {
        char *assumptions = experiment_assumptions(r->x, i);
        if (assumptions != NULL)
            note(r, "WARNING: of profile %s: %s.", r->x->kind[i].profile->name, assumptions);
        free(assumptions);
    }
}

static void print_warnings(const struct report *r)
{
    print_partial(r);
    report_left_out(r->out, r->x);
    if (r->runs->missing > 0)
        note(r,
             "WARNING: interrupted: %" PRIu64 " of %" PRIu64
             " replications are missing. With --output, the same command adds them.",
             r->runs->missing, r->runs->wanted);
    if (r->x->config->predictor == PREDICTOR_CLAIRVOYANT)
        note(r, "WARNING: the predictor is clairvoyant: a bound, not something that can be built.");
    if (r->x->config->predictor >= PREDICTOR_TRAINED)
        note(r, "Predictions: %s, trained on the profile.",
             config_predictors[r->x->config->predictor]);
    if (total(r, METRIC_ALL, "fusion_asked") > 0 && total(r, METRIC_ALL, "fused_launches") == 0)
        note(r,
             "WARNING: no kernels were fused: the profile has measured no launch of such kernels "
             "that saves time%s, or no request could wait for one.",
             r->x->config->fusion.decide == DCS_FUSION_OFFLINE
                 ? " where both take as long alone (fusion.decide offline)"
                 : "");
    double stranded = total(r, METRIC_ALL, "stranded");
    if (stranded > 0)
        note(r,
             r->x->config->horizon.duration_ns == 0
                 ? "WARNING: stranded: %.0f requests waited for something that would never come; "
                   "the policy forgot them."
                 : "WARNING: stranded: %.0f requests waited at the end although a device idled and "
                   "the policy had nothing under way; it forgot them, or does not serve them.",
             stranded);
    print_until(r);
    print_warmup(r);
    print_classes(r);
    print_unserved(r);
    report_cut_off(r->out, r->summary);
    print_undecided(r);
}

#define INPUTS_SHOWN 8

/* Appends "web (uniform)" unless it has its default size, or is one too many. */
static void append_input(struct text_buffer *out, size_t *count, const char *name,
                         const char *input)
{
    if (strcmp(input, "default") == 0)
        return;
    if (*count < INPUTS_SHOWN)
        text_append(out, "%s%s (%s)", *count > 0 ? ", " : "", text_name(name, 24).at,
                    text_name(input, 40).at);
    ++*count;
}

static void print_inputs(const struct report *r)
{
    const struct config_workload *w = &r->x->config->workload;
    const struct config_service *services = w->services.items;
    const struct config_batch *batch = w->batch.items;
    struct text_buffer text = {0};
    size_t count = 0;
    for (size_t i = 0; i < w->services.count; i++)
        append_input(&text, &count, services[i].application, services[i].input);
    for (size_t i = 0; i < w->batch.count; i++)
        append_input(&text, &count, batch[i].application, batch[i].input);
    if (count > INPUTS_SHOWN)
        text_append(&text, " and %zu more", count - INPUTS_SHOWN);
    if (count > 0)
        note(r, "Inputs, where not of the default size: %s.", text.text);
    free(text.text);
}

static void print_notes(const struct report *r)
{
    fputc('\n', r->out);
    if (r->summary->runs > 0)
        print_legend(r);
    print_inputs(r);
    print_warnings(r);
    for (size_t i = 0; i < experiment_replays(r->x); i++)
        report_trace(r->out, r->x, i, r->replay != NULL ? &r->replay[i] : NULL);
}

void report_print(FILE *out, const struct experiment *x, const struct summary *summary,
                  const struct summary_row *rows, size_t count,
                  const struct dcs_replay_counts *replay, const struct report_runs *runs)
{
    struct report r = {out, x, summary, rows, count, replay, runs};
    if (x->gangs != NULL) {
        report_gangs(out, x, summary, rows);
        return;
    }
    print_title(&r);
    if (summary->runs > 0) {
        report_overload(out, summary);
        print_requests(&r);
        report_services(out, x, rows, count);
        print_cluster(&r);
        report_fairness_of_run(out, x, rows, count);
        report_uncertainty(out, x, rows, count);
    }
    print_notes(&r);
}
