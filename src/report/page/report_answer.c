/*
 * report_answer.c - see report_answer.h.
 *
 *   the sentence      report_sentence.h
 *   the tables        a row for each policy; one for each experiment, folded unless they are of one
 *                     policy, or for each application
 */
#include "report/page/report_answer.h"

#include "report/page/report_origin.h"
#include "report/page/report_sentence.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct answer {
    struct page *page;
    const struct report_data *data;
    const struct report_contest *contest;
};

/* ---- SLAs ---- */

/* The verdicts on a label in the ranked worlds, and its SLAs there. */
struct verdicts {
    size_t of[REPORT_VERDICTS], all; /* all: without those that have none */
    double low_ns, high_ns;
};

static struct verdicts count_verdicts(const struct report_data *d, size_t label)
{
    struct verdicts v = {.low_ns = (double)NAN, .high_ns = (double)NAN};
    for (size_t i = 0; i < d->count; i++) {
        const struct report_point *q = &d->points[i];
        if (q->label != label || !d->ranked[q->world] || q->verdict == REPORT_NO_VERDICT)
            continue;
        v.of[q->verdict]++;
        v.all++;
        v.low_ns = fmin(v.low_ns, q->sla_low_ns);
        v.high_ns = fmax(v.high_ns, q->sla_high_ns);
    }
    return v;
}

/* "violates", or "meets in 2, violates in 1" */
static struct text verdicts_text(const struct verdicts *v)
{
    struct text t = {{0}};
    for (int i = REPORT_MEETS; i < REPORT_VERDICTS; i++) {
        if (v->of[i] > 0 && v->of[i] == v->all)
            return text_format("%s", report_verdicts[i]);
        if (v->of[i] > 0)
            t = text_format("%.80s%s%s in %zu", t.at, t.at[0] ? ", " : "", report_verdicts[i],
                            v->of[i]);
    }
    return t.at[0] ? t : text_format("-");
}

/* ---- The tables ---- */

/* Where any experiment has left more of the work due undone than what is under way as a run ends.
 */
#define UNFINISHED_SHOWN 0.005

static bool shows_unfinished(const struct report_data *d)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->points[i].values[REPORT_UNFINISHED].value > UNFINISHED_SHOWN)
            return true;
    return false;
}

static void table_cells(struct answer *h, const struct dcs_estimate e[SHOWN_COUNT],
                        const struct dcs_estimate *useful, const struct dcs_estimate *unfinished)
{
    for (size_t which = 0; which < SHOWN_COUNT; which++)
        page_cell(h->page, text_estimate(&e[which], report_shown(h->data, which)->unit, 2).at);
    if (!report_shares_devices(h->data))
        page_cell(h->page, text_estimate(useful, TEXT_PERCENT, 2).at);
    if (shows_unfinished(h->data))
        page_cell(h->page, text_estimate(unfinished, TEXT_PERCENT, 2).at);
}

/* Where anything has an SLA. */
static void sla_cells(struct answer *h, struct text sla, const char *verdict)
{
    if (!h->data->verdicts)
        return;
    page_cell(h->page, sla.at);
    page_cell(h->page, verdict);
}

/* With the SLA and the verdict on it where anything has an SLA, and the share of useful work but of
 * devices that kernels share, of which it says nothing. */
static void open_table(struct answer *h, const char *caption, const char *row, const char *count)
{
    const struct report_data *d = h->data;
    const char *shown[10] = {row, count};
    size_t n = 2;
    if (d->verdicts) {
        shown[n++] = "SLA";
        shown[n++] = "<verdict on it";
    }
    static const size_t values[] = {SHOWN_LATE, SHOWN_P99, SHOWN_BATCH, SHOWN_BUSY};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        shown[n++] = report_shown(d, values[i])->label;
    if (!report_shares_devices(d))
        shown[n++] = "useful work";
    if (shows_unfinished(d))
        shown[n++] = "work not done";
    page_table_open(h->page, caption, shown, n);
}

static void say_what_a_verdict_is(struct answer *h)
{
    if (h->data->verdicts)
        page_raw(h->page,
                 "<p class=\"note\">SLA: meets, where the 95 %% interval of the share of an "
                 "application's requests within it lies at or above 99 %%; violates, where it lies "
                 "below; infeasible, if a request alone takes longer; the worst of the "
                 "applications.</p>\n");
}

/* ", overloaded", ", overloaded in 2 of 3" */
static void append_mark(struct text_buffer *name, const char *mark, size_t count, size_t worlds)
{
    if (count == 0)
        return;
    text_append(name, ", %s", mark);
    if (worlds > 1)
        text_append(name, " in %zu of %zu", count, worlds);
}

/* One row for each label. */
static void write_labels(struct answer *h)
{
    const struct report_data *d = h->data;
    open_table(h,
               d->groups.count > 1
                   ? "Means over the worlds that the baseline and another met, and their range"
                   : "All policies, with 95 % intervals",
               "policy", "experiments");
    static const struct report_shown useful = {.value = REPORT_USEFUL},
                                     unfinished = {.value = REPORT_UNFINISHED};
    for (size_t l = 0; l < d->labels_count && l < REPORT_ROWS_MAX; l++) {
        struct dcs_estimate e[SHOWN_COUNT], u = report_label_value(d, l, &useful),
                                            not_done = report_label_value(d, l, &unfinished);
        size_t n = 0;
        for (size_t i = 0; i < d->count; i++)
            n += d->points[i].label == l;
        for (size_t which = 0; which < SHOWN_COUNT; which++)
            e[which] = report_label_value(d, l, report_shown(d, which));
        struct text_buffer name = {0};
        text_append(&name, "%s%s", d->labels[l],
                    l == d->baseline && d->labels_count > 1 ? " (baseline)" : "");
        struct report_caveats c = report_caveats_of(d, l);
        append_mark(&name, REPORT_HYPOTHETICAL, c.hypothetical, c.worlds);
        append_mark(&name, "overloaded", c.overloaded, c.worlds);
        struct verdicts v = count_verdicts(d, l);
        page_row_open(h->page, name.text);
        page_cell(h->page, text_format("%zu", n).at);
        sla_cells(h, report_sla_text(v.low_ns, v.high_ns), verdicts_text(&v).at);
        table_cells(h, e, &u, &not_done);
        page_row_close(h->page);
        free(name.text);
    }
    page_table_close(h->page);
    say_what_a_verdict_is(h);
    page_raw(h->page, "<p class=\"note\">p99: of the requests of all runs of an experiment "
                      "together.</p>\n");
    if (d->labels_count > REPORT_ROWS_MAX)
        page_raw(h->page, "<p class=\"note\">The first %d of %zu policies.</p>\n", REPORT_ROWS_MAX,
                 d->labels_count);
}

/* By heading, then label, as the groups stand. */
static void write_experiments(struct answer *h)
{
    const struct report_data *d = h->data;
    open_table(h, "Each experiment, with 95 % intervals", "experiment", "runs");
    size_t n = 0;
    for (size_t w = 0; w < d->groups.count; w++) {
        const struct compare_group *world = &d->groups.groups[w];
        for (size_t s = 0; s < world->count && n < REPORT_ROWS_MAX; s++, n++) {
            const struct report_point *q = &d->points[world->systems[s] - d->groups.systems];
            struct dcs_estimate e[SHOWN_COUNT];
            for (size_t which = 0; which < SHOWN_COUNT; which++)
                e[which] = report_shown_value(q, report_shown(d, which));
            struct text_buffer name = {0};
            text_append(&name, "%s%s%s", q->system->label, world->heading[0] ? ", " : "",
                        world->heading);
            append_mark(&name, REPORT_HYPOTHETICAL, q->system->hypothetical[0] != '\0', 1);
            append_mark(&name, "overloaded", q->system->overloaded, 1);
            page_row_open(h->page, name.text);
            page_cell(h->page, text_format("%" PRIu64, q->runs).at);
            sla_cells(h, report_sla_text(q->sla_low_ns, q->sla_high_ns),
                      report_verdicts[q->verdict]);
            table_cells(h, e, &q->values[REPORT_USEFUL], &q->values[REPORT_UNFINISHED]);
            page_row_close(h->page);
            free(name.text);
        }
    }
    page_table_close(h->page);
    if (d->count > REPORT_ROWS_MAX)
        page_raw(h->page,
                 "<p class=\"note\">The first %d of %zu experiments; <code>dcsim export "
                 "results.db headline --csv</code> prints all.</p>\n",
                 REPORT_ROWS_MAX, d->count);
}

/* Of one policy there is no other number to set its mean beside, and the mean of all sizes of a
 * cluster is that of none: its experiments stand at once. */
static void write_tables(struct answer *h)
{
    bool one = h->data->labels_count == 1 && h->data->count > 1;
    if (!one)
        write_labels(h);
    if (h->data->count <= 1)
        return;
    if (!one)
        page_fold_open(h->page, "numbers", "Each experiment");
    write_experiments(h);
    if (one)
        say_what_a_verdict_is(h);
    else
        page_fold_close(h->page);
}

/* Of a single experiment: its applications. */
static int write_applications(struct answer *h, struct dcs_err *err)
{
    static const char *const heads[] = {
        "application", "<class", "requests",        "within SLA", "mean",
        "p50",         "p99",    "throughput, 1/s", "SLA",        "<verdict on it"};
    bool verdicts = h->data->verdicts;
    struct report_texts t;
    if (report_texts(
            &t, h->data,
            verdicts
                ? "SELECT s.application, class, requests, s.sla_met, mean_ms, p50_ms, s.p99_ms, "
                  "throughput, sla_ms, coalesce(verdict, '-') FROM application_summary s LEFT "
                  "JOIN sla_verdict v USING (experiment, app) ORDER BY class DESC, 1"
                : "SELECT application, class, requests, sla_met, mean_ms, p50_ms, p99_ms, "
                  "throughput FROM application_summary ORDER BY class DESC, application",
            REPORT_ROWS_MAX, err) != 0)
        return -1;
    page_table_open(h->page, "Applications", heads, t.columns);
    for (size_t i = 0; i < t.count; i++) {
        char **row = t.rows + i * t.columns;
        page_row_open(h->page, row[0]);
        page_cell(h->page, row[1]);
        page_cell(h->page, row[2]);
        for (size_t c = 3; c < (verdicts ? 9 : 8); c++) {
            double v = row[c][0] != '\0' ? strtod(row[c], NULL) : (double)NAN;
            page_cell(h->page, c == 3   ? text_value(v, TEXT_PERCENT).at
                               : c == 7 ? text_value(v, TEXT_NUMBER).at
                                        : text_value(v * 1e6, TEXT_TIME).at);
        }
        if (verdicts)
            page_cell(h->page, row[9]);
        page_row_close(h->page);
    }
    page_table_close(h->page);
    report_texts_release(&t);
    return 0;
}

int report_answer(struct page *p, const struct report_data *d, const struct report_contest *c,
                  const struct report_late *l, struct dcs_err *err)
{
    struct answer h = {p, d, c};
    page_raw(p, "<section aria-labelledby=\"answer\"><h2 id=\"answer\">The answer</h2>\n");
    report_sentence(p, d, c, l);
    write_tables(&h);
    int status = d->count > 1 ? 0 : write_applications(&h, err);
    page_raw(p, "</section>\n");
    return status;
}
