/* sweep_summary.c - see sweep_summary.h. */
#include "report/console/sweep_summary.h"

#include "des/utf8.h"
#include "report/console/run_services.h"
#include "runs/overload.h"
#include "text/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct dcs_estimate pick(const struct summary_row *rows, size_t count, uint32_t app,
                                const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].app == app && strcmp(rows[i].name, name) == 0)
            return rows[i].estimate;
    return (struct dcs_estimate){.value = (double)NAN, .low = (double)NAN, .high = (double)NAN};
}

static void fill_verdict(struct report_point *p, const struct experiment *x,
                         const struct summary_row *rows, size_t count)
{
    struct report_service *list = report_service_list(x, rows, count);
    for (size_t i = 0; i < x->services_count; i++) {
        const char *verdict = report_service_verdict(x, &x->services[i], list);
        if (verdict == NULL)
            continue;
        p->has_sla = true;
        p->undecided = p->undecided || strcmp(verdict, "undecided") == 0;
        p->violates =
            p->violates || strcmp(verdict, "violates") == 0 || strcmp(verdict, "infeasible") == 0;
    }
    p->undecided = p->undecided && !p->violates;
    free(list);
}

void report_point_fill(struct report_point *p, const struct experiment *x,
                       const struct summary_row *rows, size_t count)
{
    fill_verdict(p, x, rows, count);
    p->sla_met = pick(rows, count, METRIC_CLASS + DCS_LATENCY, "sla_met");
    p->p99 = pick(rows, count, METRIC_CLASS + DCS_LATENCY, "response_p99");
    p->utilisation = pick(rows, count, METRIC_ALL, "utilisation");
    p->throughput = pick(rows, count, METRIC_CLASS + DCS_BATCH, "throughput");
    p->gangs = x->gangs != NULL;
    p->hypothetical = experiment_hypothetical(x);
    snprintf(p->policy, sizeof p->policy, "%s", x->config->policy->name);
    p->allocation = pick(rows, count, METRIC_ALL, "allocation");
    p->wait_mean = pick(rows, count, METRIC_ALL, "queue_wait_mean");
    p->wait_p95 = pick(rows, count, METRIC_ALL, "queue_wait_p95");
    p->slowdown_p95 = pick(rows, count, METRIC_ALL, "bounded_slowdown_p95");
    p->lost_work = pick(rows, count, METRIC_ALL, "lost_work");
    p->jobs_left = pick(rows, count, METRIC_ALL, "jobs");
    p->jobs_left.value -= pick(rows, count, METRIC_ALL, "jobs_ended").value;
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].name, "overloaded") == 0 && rows[i].estimate.value == 1)
            p->overloaded = true;
}

void report_sweep_title(FILE *out, const struct sweep *sweep, uint64_t count)
{
    struct text_buffer line = {0};
    text_append(&line, "%s: ", sweep->name[0] != '\0' ? sweep->name : "sweep");
    if (count < sweep->axes.points)
        text_append(&line, "%" PRIu64 " of ", count);
    text_append(&line, "%" PRIu64 " points:", sweep->axes.points);
    for (size_t i = 0; i < sweep->axes.keys_count; i++) {
        const struct sweep_key *k = &sweep->axes.keys[i];
        bool zipped = i > 0 && sweep->axes.keys[i - 1].axis == k->axis;
        text_append(&line, "%s %s (%zu)", i == 0 ? "" : zipped ? " with" : " x", k->path, k->count);
    }
    text_paragraph(out, line.text, 4);
    fputc('\n', out);
    free(line.text);
}

void report_cell(FILE *out, struct text cell, int width)
{
    int columns = (int)dcs_utf8_length(cell.at);
    fprintf(out, "%*s%s", columns < width ? width - columns : 0, "", cell.at);
}

static struct text percent_or_none(const struct dcs_estimate *e)
{
    return isnan(e->value) ? text_format("%s", "") : text_estimate(e, TEXT_PERCENT, 2);
}

static struct text value_or_none(const struct dcs_estimate *e, enum text_unit unit)
{
    return isnan(e->value) && isnan(e->low) ? text_format("%s", "") : text_reached(e, unit);
}

/* What the marks behind labels mean. */
static void print_marks(FILE *out, const struct report_point *points, uint64_t count)
{
    bool requests = false, jobs = false, unreached = false;
    for (uint64_t i = 0; i < count; i++) {
        requests = requests || (points[i].overloaded && !points[i].gangs);
        jobs = jobs || (points[i].overloaded && points[i].gangs);
        unreached = unreached || points[i].unreached;
    }
    if (requests)
        text_paragraph(out, "* WARNING: overloaded: " OVERLOAD_OF_REQUESTS, 2);
    if (jobs)
        text_paragraph(out, "* WARNING: overloaded: " OVERLOAD_OF_JOBS, 2);
    if (unreached)
        text_paragraph(out,
                       "+ WARNING: the interval of until.metric is wider than it was to be, with "
                       "as many replications as until.max_replications allows.",
                       2);
}

/* Whether an earlier point says the same. */
static bool is_named(const struct report_point *points, uint64_t i)
{
    for (uint64_t k = 0; k < i; k++)
        if (points[k].hypothetical != NULL && strcmp(points[k].policy, points[i].policy) == 0)
            return true;
    return false;
}

void report_sweep_hypothetical(FILE *out, const struct report_point *points, uint64_t count)
{
    struct text_buffer those = {0}, line = {0};
    const char *key = NULL;
    for (uint64_t i = 0; i < count; i++) {
        if (points[i].hypothetical == NULL || is_named(points, i))
            continue;
        key = points[i].hypothetical;
        uint64_t n = 0, of = 0;
        for (uint64_t k = 0; k < count; k++) {
            bool same = strcmp(points[k].policy, points[i].policy) == 0;
            of += same;
            n += same && points[k].hypothetical != NULL;
        }
        text_append(&those, "%s%s", those.length > 0 ? ", " : "", points[i].policy);
        if (n < of)
            text_append(&those, " in %" PRIu64 " of %" PRIu64 " points", n, of);
    }
    if (key != NULL) {
        text_append(&line, "WARNING: " EXPERIMENT_HYPOTHETICAL ", where %s (%s): %s.",
                    experiment_hypothetical_does(key), key, those.text);
        text_paragraph(out, line.text, 2);
    }
    free(those.text);
    free(line.text);
}

/* The label comes last, so that no table cuts it. */
static void print_line(FILE *out, struct text runs, struct text within_sla, struct text p99,
                       struct text utilisation, struct text batch, const char *label,
                       const char *mark)
{
    report_cell(out, runs, 5);
    report_cell(out, within_sla, 25);
    report_cell(out, p99, 9);
    report_cell(out, utilisation, 13);
    report_cell(out, batch, 9);
    fputs("  ", out);
    text_put(out, label);
    fprintf(out, "%s\n", mark);
}

bool report_sweep_of_gangs(const struct report_point *points, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (points[i].gangs)
            return true;
    return false;
}

static void print_gang_line(FILE *out, const struct report_point *p, const char *label,
                            const char *mark)
{
    const struct dcs_estimate *values[] = {&p->allocation,   &p->wait_mean, &p->wait_p95,
                                           &p->slowdown_p95, &p->lost_work, &p->jobs_left};
    static const enum text_unit units[] = {TEXT_PERCENT, TEXT_TIME,   TEXT_TIME,
                                           TEXT_NUMBER,  TEXT_NUMBER, TEXT_NUMBER};
    report_cell(out, text_format("%" PRIu64, p->runs), 5);
    for (size_t i = 0; i < 6; i++)
        report_cell(out,
                    p->state == REPORT_DONE ? text_reached(values[i], units[i])
                    : i == 0 ? text_format(p->state == REPORT_FAILED ? "failed" : "missing")
                             : text_format("%s", ""),
                    11);
    fputs("  ", out);
    text_put(out, label);
    fprintf(out, "%s\n", mark);
}

/* Behind a label, if the point is overloaded, and if until.metric did not reach its aim. */
static const char *const marks[2][2] = {{"", " +"}, {" *", " * +"}};

void report_sweep_gangs(FILE *out, const struct sweep *sweep, const struct report_point *points,
                        uint64_t count)
{
    static const char *const heads[] = {"GPUs held", "wait mean", "wait p95",
                                        "slowdown",  "lost work", "not ended"};
    report_sweep_title(out, sweep, count);
    report_cell(out, text_format("runs"), 5);
    for (size_t i = 0; i < 6; i++)
        report_cell(out, text_format("%s", heads[i]), 11);
    fputs("  point\n", out);
    for (uint64_t i = 0; i < count; i++) {
        char *label = sweep_label(sweep, points[i].point);
        print_gang_line(out, &points[i], label, marks[points[i].overloaded][points[i].unreached]);
        free(label);
    }
    fputc('\n', out);
    text_paragraph(
        out,
        "Waits are in the queue, from arrival to the first start; slowdown: bounded at 10 "
        "s, 95 % of the jobs have less (> x: x is the least that it can be); lost work: GPU "
        "seconds that revoked jobs do again; not ended: jobs.",
        2);
    print_marks(out, points, count);
}

void report_sweep(FILE *out, const struct sweep *sweep, const struct report_point *points,
                  uint64_t count)
{
    report_sweep_title(out, sweep, count);
    print_line(out, text_format("runs"), text_format("within SLA"), text_format("p99"),
               text_format("utilisation"), text_format("batch/s"), "point", "");
    for (uint64_t i = 0; i < count; i++) {
        const struct report_point *p = &points[i];
        char *label = sweep_label(sweep, p->point);
        struct text none = text_format("%s", ""), runs = text_format("%" PRIu64, p->runs);
        if (p->state == REPORT_DONE)
            print_line(out, runs, percent_or_none(&p->sla_met), value_or_none(&p->p99, TEXT_TIME),
                       value_or_none(&p->utilisation, TEXT_PERCENT),
                       value_or_none(&p->throughput, TEXT_NUMBER), label,
                       marks[p->overloaded][p->unreached]);
        else
            print_line(out, runs, text_format(p->state == REPORT_FAILED ? "failed" : "missing"),
                       none, none, none, label, "");
        free(label);
    }
    fputc('\n', out);
    text_paragraph(out,
                   "Within SLA, p99: latency requests; batch/s: completions of batch requests. "
                   "±, [low, high]: 95 % interval over the runs of a point.",
                   2);
    print_marks(out, points, count);
    report_sweep_hypothetical(out, points, count);
}

void report_sweep_plan(FILE *out, const struct sweep *sweep, const struct report_point *points,
                       uint64_t count)
{
    if (sweep->axes.axes_count > 0)
        report_sweep_title(out, sweep, count);
    fputs("   point  experiment        runs   held\n", out);
    for (uint64_t i = 0; i < count; i++) {
        const struct report_point *p = &points[i];
        char *label = sweep_label(sweep, p->point);
        fprintf(out, "%8" PRIu64 "  %-16.16s  %4" PRIu64 "  %5" PRIu64 "%s", p->point,
                p->hash[0] != '\0' ? p->hash : "fails", p->runs, p->held,
                label[0] != '\0' ? "  " : "");
        text_put(out, label);
        fputc('\n', out);
        free(label);
    }
}
