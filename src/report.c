/*
 * report.c - what a person reads after an experiment; see report.h.
 *
 *   what was run       name, policy, devices, horizon
 *   requests           by class and application: how many, within SLA, response times
 *   services           their rates, and whether they meet their SLA (report_services.h)
 *   the cluster        where the device time went, revocations, batch work; per run
 *   notes              what the numbers stand for, and every reason to doubt them (report_notes.h)
 *
 * Shares are percentages here and nowhere else. Nothing depends on how long a run took, or on which
 * runs came out of the database.
 */
#include "report.h"

#include "report_notes.h"
#include "report_services.h"
#include "report_text.h"
#include "report_uncertainty.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
static void append_option(struct options_text *out, const struct param *row, const void *params,
                          size_t size, const char *separator)
{
    struct param table[2] = {*row};
    table[0].required = false;
    struct dcs_err err;
    void *defaults = dcs_alloc(1, size);
    struct options_doc *doc = options_load_text("defaults", "{}", 2, &err);
    int failed = doc == NULL || options_parse(doc, "", table, NULL, defaults, &err) != 0;
    DCS_ASSERT(!failed);
    struct options_text is = {0}, by_default = {0};
    options_print_members(&is, table, params, 0);
    options_print_members(&by_default, table, defaults, 0);
    if (row->required || strcmp(is.text, by_default.text) != 0) {
        const char *value = strchr(is.text, ':');
        DCS_ASSERT(value != NULL);
        options_append(out, "%s%s=%s", separator, row->name, value + 2);
    }
    options_release(table, size, defaults);
    options_doc_free(doc);
    free(is.text);
    free(by_default.text);
    free(defaults);
}

static void append_policy(struct options_text *out, const struct config *c)
{
    options_append(out, "%s", c->policy->name);
    size_t before = out->length;
    for (const struct param *row = c->policy->params; row && row->type != PARAM_END; row++)
        append_option(out, row, c->policy_params, c->policy->params_size,
                      out->length == before ? " (" : ", ");
    if (out->length > before)
        options_append(out, ")");
}

/* "2 domains x 4 devices (quadro-p1000)"; neighbours that are alike together. */
static void append_cluster(struct options_text *out, const struct experiment *x)
{
    for (uint32_t i = 0, n; i < x->domains_count; i += n) {
        const struct cluster_domain *d = &x->domains[i];
        for (n = 1; i + n < x->domains_count && x->domains[i + n].kind == d->kind &&
                    x->domains[i + n].devices == d->devices;)
            n++;
        options_append(out, "%s%" PRIu32 " domain%s x %" PRIu32 " device%s (%s)", i > 0 ? ", " : "",
                       n, report_plural(n), d->devices, report_plural(d->devices),
                       x->profiles[d->kind]->name);
    }
}

static void append_horizon(struct options_text *out, const struct config *c)
{
    if (c->horizon.duration_ns == 0)
        options_append(out, "until all work is done");
    else
        options_append(out, "%s of simulated time",
                       text_value((double)c->horizon.duration_ns, TEXT_TIME).at);
    if (c->horizon.warmup_rule == WARMUP_MSER5)
        options_append(out, ", without what MSER-5 cuts");
    if (c->horizon.warmup_ns > 0)
        options_append(out, ", the first %s not counted",
                       text_value((double)c->horizon.warmup_ns, TEXT_TIME).at);
}

static void print_title(const struct report_view *r)
{
    const struct config *c = r->x->config;
    struct options_text line = {0};
    options_append(&line, "%s: ", c->name[0] != '\0' ? c->name : "experiment");
    append_policy(&line, c);
    options_append(&line, ", seed %" PRId64 ", %zu replication%s", c->seed, r->summary->runs,
                   report_plural(r->summary->runs));
    text_paragraph(r->out, line.text, 4);
    free(line.text);

    line = (struct options_text){0};
    append_cluster(&line, r->x);
    options_append(&line, "; ");
    append_horizon(&line, c);
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

static struct text time_cell(const struct report_view *r, uint32_t app, const char *name)
{
    return text_value(report_estimate(r, app, name).value, TEXT_TIME);
}

static void add_requests(const struct report_view *r, struct table *t, uint32_t app,
                         struct text name)
{
    struct text *row = table_row(t);
    const struct summary_row *requests = report_find(r, app, "requests");
    struct dcs_estimate sla = report_estimate(r, app, "sla_met");
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
    if (report_total(r, app, "dropped") > 0)
        row[COLUMN_DROPPED] = text_count(report_estimate(r, app, "dropped").value, 7);
    if (report_total(r, app, "revocations") > 0)
        row[COLUMN_REVOKED] = text_count(report_estimate(r, app, "revocations").value, 7);
}

static void print_requests(const struct report_view *r)
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
                add_requests(r, &t, i, text_format("  %s", text_name(r->x->apps[i].name, 24).at));
    }
    fputc('\n', r->out);
    table_print(r->out, &t);
    table_release(&t);
}

/* ---- The cluster ---- */

static void add_line(const struct report_view *r, struct table *t, const char *label, uint32_t app,
                     const char *name, enum text_unit unit, const char *of)
{
    struct dcs_estimate e = report_estimate(r, app, name);
    struct text value = text_estimate(&e, unit, 2);
    struct text *row = table_row(t);
    row[0] = text_format("%s", label);
    row[1] = isnan(e.value) ? value : text_format("%.80s%s%.30s", value.at, of[0] ? " " : "", of);
}

/* Of a policy that asks about fused launches, though it may launch none. */
static void add_fusion(const struct report_view *r, struct table *t)
{
    if (!(report_total(r, METRIC_ALL, "fusion_asked") > 0))
        return;
    add_line(r, t, "fused launches", METRIC_ALL, "fused_launches", TEXT_NUMBER, "");
    add_line(r, t, "  kernels in them", METRIC_ALL, "fused_share", TEXT_PERCENT, "");
    if (report_total(r, METRIC_ALL, "fused_launches") > 0)
        add_line(r, t, "  of their time saved", METRIC_ALL, "fused_saved", TEXT_PERCENT, "");
}

static void add_device_time(const struct report_view *r, struct table *t)
{
    add_line(r, t, "utilisation", METRIC_ALL, "utilisation", TEXT_PERCENT, "");
    add_line(r, t, "  useful work", METRIC_ALL, "useful", TEXT_PERCENT, "");
    add_line(r, t, "  lost work", METRIC_ALL, "lost", TEXT_PERCENT, "");
    add_line(r, t, "  overhead", METRIC_ALL, "overhead", TEXT_PERCENT, "");
    if (r->x->spatial != NULL || r->x->cpu != NULL) {
        add_line(r, t, r->x->cpu != NULL ? "cores in use" : "SMs in use", METRIC_ALL,
                 "sm_utilisation", TEXT_PERCENT, "");
        add_line(r, t, "time added by contention", METRIC_ALL, "contention_share", TEXT_PERCENT,
                 "");
        add_fusion(r, t);
    }
    add_line(r, t, "lost work over useful work", METRIC_ALL, "lost_over_useful", TEXT_PERCENT, "");
    add_line(r, t, "revocations", METRIC_ALL, "revocations", TEXT_NUMBER, "");
    add_line(r, t, "measured window", METRIC_ALL, "window", TEXT_TIME, "");
}

static void add_batch(const struct report_view *r, struct table *t)
{
    uint32_t batch = class_app(DCS_BATCH);
    add_line(r, t, "batch completions", batch, "completions", TEXT_NUMBER, "");
    add_line(r, t, "batch throughput", batch, "throughput", TEXT_NUMBER, "/s");
    if (r->x->spatial != NULL || r->x->cpu != NULL)
        add_line(r, t, "  work over that alone", batch, "normalised_throughput", TEXT_PERCENT, "");
    if (report_total(r, batch, "jobs") == 0)
        return;
    add_line(r, t, "batch jobs completed", batch, "jobs", TEXT_NUMBER, "");
    add_line(r, t, "  median time of a job", batch, "job_time_p50", TEXT_TIME, "");
    add_line(r, t, "  p90 time of a job", batch, "job_time_p90", TEXT_TIME, "");
}

static void print_cluster(const struct report_view *r)
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

void report_print(FILE *out, const struct experiment *x, const struct summary *summary,
                  const struct summary_row *rows, size_t count,
                  const struct dcs_replay_counts *replay, const struct report_runs *runs)
{
    const struct report_view r = {out, x, summary, rows, count, replay, runs};
    print_title(&r);
    if (summary->runs > 0) {
        print_requests(&r);
        report_services(out, x, rows, count);
        print_cluster(&r);
        report_uncertainty(out, x, rows, count);
    }
    report_notes(&r);
}
