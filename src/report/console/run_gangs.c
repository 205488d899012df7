/* run_gangs.c - see run_gangs.h. */
#include "report/console/run_gangs.h"

#include "config/config_tables.h"
#include "report/console/run_overload.h"
#include "report/console/run_traces.h"
#include "runs/gang_metrics.h"
#include "text/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

struct gangs_report {
    FILE *out;
    const struct experiment *x;
    const struct summary *summary;
    const struct summary_row *rows;
};

static struct dcs_estimate estimate_in(const struct gangs_report *r, uint32_t scope,
                                       const char *name)
{
    size_t i = summary_find(r->summary, scope, name);
    double nan = (double)NAN;
    return i != SIZE_MAX ? r->rows[i].estimate
                         : (struct dcs_estimate){.value = nan, .low = nan, .high = nan};
}

static struct dcs_estimate estimate_of(const struct gangs_report *r, const char *name)
{
    return estimate_in(r, METRIC_ALL, name);
}

static double value_of(const struct gangs_report *r, const char *name)
{
    return estimate_of(r, name).value;
}

static void print_head(const struct gangs_report *r)
{
    const struct config *c = r->x->config;
    const struct gang_spec *spec = &r->x->gangs->spec;
    uint64_t nodes = 0;
    for (size_t i = 0; i < spec->groups_count; i++)
        nodes += spec->groups[i].nodes;
    text_note(r->out, 4, "%s: whole jobs, %s, %s%s%s, %zu replication%s",
              c->name[0] != '\0' ? text_name(c->name, 60).at : "experiment",
              spec->order == GANG_EASY ? "EASY backfill" : "first come, first served",
              gang_placements[spec->placement], spec->across_nodes ? ", across nodes" : "",
              spec->revoke ? ", with revocation" : "", r->summary->runs,
              dcs_plural(r->summary->runs));
    text_note(r->out, 4, "%" PRIu64 " node%s with %" PRIu32 " GPU%s; %s", nodes, dcs_plural(nodes),
              r->x->devices_count, dcs_plural(r->x->devices_count),
              c->horizon.duration_ns == 0
                  ? "until all jobs have ended"
                  : text_value((double)c->horizon.duration_ns, TEXT_TIME).at);
}

static void add_line(const struct gangs_report *r, struct table *t, const char *label,
                     const char *name, enum text_unit unit)
{
    struct text *row = table_row(t);
    row[0] = text_format("%s", label);
    struct dcs_estimate e = estimate_of(r, name);
    row[1] = text_estimate(&e, unit, 2);
}

static void print_numbers(const struct gangs_report *r)
{
    struct table t = {0};
    add_line(r, &t, "jobs", "jobs", TEXT_NUMBER);
    add_line(r, &t, "  started", "jobs_started", TEXT_NUMBER);
    add_line(r, &t, "  ended", "jobs_ended", TEXT_NUMBER);
    if (value_of(r, "unfinished") > 0)
        add_line(r, &t, "not done of the GPU time due by the end", "unfinished", TEXT_PERCENT);
    add_line(r, &t, "GPUs held", "allocation", TEXT_PERCENT);
    add_line(r, &t, "free GPUs that a job cannot use", "fragmentation", TEXT_PERCENT);
    if (r->x->gangs->spec.revoke) {
        add_line(r, &t, "revocations", "revocations", TEXT_NUMBER);
        add_line(r, &t, "GPU seconds that were lost by them", "lost_work", TEXT_NUMBER);
        add_line(r, &t, "GPU seconds of work", "work", TEXT_NUMBER);
    }
    add_line(r, &t, "jobs in the queue, mean", "queue_mean", TEXT_NUMBER);
    add_line(r, &t, "jobs in the queue, most", "queue_max", TEXT_NUMBER);
    add_line(r, &t, "simulated time", "window", TEXT_TIME);
    fputc('\n', r->out);
    table_print(r->out, &t);
    table_release(&t);
}

static const char *const parts[] = {"mean", "p50", "p95", "p99", "max"};

static void add_times(const struct gangs_report *r, struct table *t, const char *label,
                      uint32_t scope, const char *name, enum text_unit unit)
{
    struct text *row = table_row(t);
    row[0] = text_format("%s", label);
    for (size_t i = 0; i < 5; i++) {
        struct dcs_estimate e = estimate_in(r, scope, text_format("%s_%s", name, parts[i]).at);
        row[i + 1] = text_estimate(&e, unit, 2);
    }
}

static void print_times(const struct gangs_report *r)
{
    struct table t = {0};
    struct text *row = table_row(&t);
    for (size_t i = 0; i < 5; i++)
        row[i + 1] = text_format("%s", parts[i]);
    add_times(r, &t, "queue wait", METRIC_ALL, "queue_wait", TEXT_TIME);
    if (r->x->gangs->classed) {
        add_times(r, &t, "  latency", METRIC_CLASS + DCS_LATENCY, "queue_wait", TEXT_TIME);
        add_times(r, &t, "  batch", METRIC_CLASS + DCS_BATCH, "queue_wait", TEXT_TIME);
    }
    add_times(r, &t, "slowdown", METRIC_ALL, "slowdown", TEXT_NUMBER);
    add_times(r, &t, "bounded slowdown (10 s)", METRIC_ALL, "bounded_slowdown", TEXT_NUMBER);
    fputc('\n', r->out);
    table_print(r->out, &t);
    table_release(&t);
}

static void print_parts(const struct gangs_report *r)
{
    struct text_buffer line = {0};
    for (size_t i = 0; i < GANG_PARTS; i++)
        text_append(&line, "%s%.0f", i > 0 ? ", " : "", 100 * value_of(r, gang_parts[i]));
    text_note(r->out, 2, "GPUs held in each twelfth of the time, %%: %s.", line.text);
    free(line.text);
}

static void print_left_out(const struct gangs_report *r)
{
    const struct experiment_gangs *g = r->x->gangs;
    uint64_t misfits = g->without_gpu + g->too_large + g->no_model;
    if (misfits > 0)
        text_note(r->out, 2, "WARNING: %" PRIu64 " job%s left out (cluster.queue.misfits).",
                  misfits, misfits == 1 ? " is" : "s are");
    report_left_out(r->out, r->x);
    double keep = ((const struct config_trace *)r->x->config->workload.trace.items)->keep;
    if (keep < 1)
        text_note(r->out, 2,
                  "workload.trace[0].keep: each replication keeps each job below with probability "
                  "%g.",
                  keep);
    if (g->rounded_up > 0)
        text_note(r->out, 2, "%" PRIu64 " job%s for a part of a GPU beside whole ones: rounded up.",
                  g->rounded_up, g->rounded_up == 1 ? " asks" : "s ask");
    double waiting = value_of(r, "jobs") - value_of(r, "jobs_started");
    if (waiting > 0)
        text_note(r->out, 2,
                  "WARNING: %.0f job%s had not started at the end. Means are of those that had; "
                  "quantiles count them as cut off (\"> x\": x is the least that it can be).",
                  waiting, waiting == 1 ? "" : "s");
    double running = value_of(r, "jobs_started") - value_of(r, "jobs_ended");
    if (r->x->gangs->spec.revoke && running > 0)
        text_note(r->out, 2,
                  "%.0f job%s had started and not ended: a slowdown of such a job counts as cut "
                  "off, since "
                  "it might have been revoked.",
                  running, running == 1 ? "" : "s");
}

void report_gangs(FILE *out, const struct experiment *x, const struct summary *summary,
                  const struct summary_row *rows)
{
    const struct gangs_report r = {out, x, summary, rows};
    print_head(&r);
    if (summary->runs > 0) {
        report_overload(out, summary);
        print_numbers(&r);
        print_times(&r);
        fputc('\n', out);
        print_parts(&r);
        print_left_out(&r);
    }
    report_trace(out, x, 0, NULL);
}
