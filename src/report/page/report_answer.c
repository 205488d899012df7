/*
 * report_answer.c - see report_answer.h.
 *
 *   the sentence      which policy does best, where worlds agree on it, and what to fix first
 *   the tables        a row for each policy; folded, one for each experiment or application
 */
#include "report/page/report_answer.h"

#include "report/page/report_origin.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct answer {
    struct page *page;
    const struct report_data *data;
    const struct report_contest *contest;
    const struct report_late *late;
    size_t told; /* the label whose missed SLA the sentence has said last */
};

/* How the sentence says what is better in a number. */
struct words {
    const char *most, *than;
};
static const struct words late_words = {"fewest late requests", "have fewer"};
static const struct words batch_words = {"most batch work", "do more"};

/* The label that is best in one of the numbers: the baseline, unless another is shown to be better
 * than it in some world, and in none to be worse. */
static size_t best_of(const struct answer *h, size_t which)
{
    size_t best = h->data->baseline;
    double lead = 0;
    for (size_t l = 0; l < h->data->labels_count; l++) {
        const struct report_rival *r = &h->contest->rivals[which][l];
        double gain =
            r->better > 0 && r->worse == 0 ? h->contest->better[which] * r->difference.value : 0;
        if (gain > lead) {
            lead = gain;
            best = l;
        }
    }
    return best;
}

/* Of the worlds that both met: numbers that stand beside their difference. */
static struct text value_text(const struct answer *h, size_t label, size_t other, size_t which)
{
    const struct report_shown *s = report_shown(h->data, which);
    struct dcs_estimate e = report_label_value_beside(h->data, label, other, s);
    return text_value(e.value, s->unit);
}

/* ---- SLAs ---- */

/* "30.0 ms", "20.0 ms to 60.0 ms" of experiments with several. */
static struct text sla_text(double low_ns, double high_ns)
{
    struct text low = text_value(low_ns, TEXT_TIME);
    return low_ns == high_ns || isnan(low_ns)
               ? low
               : text_format("%.40s to %.40s", low.at, text_value(high_ns, TEXT_TIME).at);
}

/* The verdicts on a label, in the worlds that another met, too, and its SLAs there. */
struct verdicts {
    size_t of[REPORT_VERDICTS], all; /* all: without those that have none */
    double low_ns, high_ns;
};

static struct verdicts verdicts_of(const struct report_data *d, size_t label, size_t other)
{
    struct verdicts v = {.low_ns = (double)NAN, .high_ns = (double)NAN};
    bool *met = dcs_alloc(d->groups.count + 1, sizeof *met);
    for (size_t i = 0; i < d->count; i++)
        if (d->points[i].label == other)
            met[d->points[i].world] = true;
    for (size_t i = 0; i < d->count; i++) {
        const struct report_point *q = &d->points[i];
        if (q->label != label || !met[q->world] || q->verdict == REPORT_NO_VERDICT)
            continue;
        v.of[q->verdict]++;
        v.all++;
        v.low_ns = fmin(v.low_ns, q->sla_low_ns);
        v.high_ns = fmax(v.high_ns, q->sla_high_ns);
    }
    free(met);
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

static bool misses(enum report_verdict v)
{
    return v == REPORT_VIOLATES || v == REPORT_INFEASIBLE;
}

/* What to think of before one takes a policy that does best in something. */
static void say_missed(struct answer *h, size_t label)
{
    struct verdicts v = verdicts_of(h->data, label, h->data->baseline);
    size_t missed = v.of[REPORT_VIOLATES] + v.of[REPORT_INFEASIBLE];
    size_t open = v.of[REPORT_UNDECIDED];
    if (missed + open == 0 || h->told == label)
        return;
    h->told = label;
    page_raw(h->page, missed > 0 ? ", which misses its SLA"
                                 : ", of which it is undecided whether it meets its SLA");
    if (v.all > 1)
        page_raw(h->page, " in %zu of %zu worlds", missed > 0 ? missed : open, v.all);
}

/* ---- Worlds that disagree ---- */

#define NAMED_WORLDS 3
#define NAMED_LABELS 4

/* The label that is best in each world: of those that are shown to be better than the baseline
 * there, the one that is by most, or else the baseline; labels_count: nobody compares there. */
static size_t *best_in_worlds(const struct answer *h, size_t which)
{
    const struct report_data *d = h->data;
    size_t *best = dcs_alloc(d->groups.count + 1, sizeof *best);
    double *lead = dcs_alloc(d->groups.count + 1, sizeof *lead);
    for (size_t w = 0; w < d->groups.count; w++)
        best[w] = d->labels_count;
    for (size_t i = 0; i < d->count; i++)
        if (d->points[i].label == d->baseline && d->groups.groups[d->points[i].world].count > 1)
            best[d->points[i].world] = d->baseline;
    for (size_t l = 0; l < d->labels_count; l++) {
        const struct report_rival *r = &h->contest->rivals[which][l];
        for (size_t i = 0; i < r->better + r->worse; i++) {
            const struct report_differs *at = &r->differs[i];
            if (at->better && fabs(at->difference) > lead[at->world]) {
                lead[at->world] = fabs(at->difference);
                best[at->world] = l;
            }
        }
    }
    free(lead);
    return best;
}

/* A policy is better than the baseline in some worlds and worse in others, and no mean of it says
 * which to take. */
static bool worlds_disagree(const struct answer *h, size_t which)
{
    bool disagree = false;
    for (size_t l = 0; l < h->data->labels_count; l++) {
        const struct report_rival *r = &h->contest->rivals[which][l];
        disagree = disagree || (r->better > 0 && r->worse > 0);
    }
    return disagree;
}

/* What tells a world from the others, keys by their last part: "load=0.5, application=imc". */
static char *short_heading(const char *heading)
{
    struct text_buffer text = {0};
    text_append(&text, "%s", "");
    while (*heading != '\0') {
        size_t bytes = strcspn(heading, ",");
        bytes += heading[bytes] == ',';
        const char *equals = memchr(heading, '=', bytes), *from = heading;
        for (const char *at = heading; equals != NULL && at < equals; at++)
            if (*at == '.')
                from = at + 1;
        text_append(&text, "%s%.*s", from > heading && text.length > 0 ? " " : "",
                    (int)(heading + bytes - from), from);
        heading += bytes;
    }
    return text.text;
}

/* "priority in 2 (load=0.5, 1.20 %; load=0.6, 1.40 %)" */
static void say_worlds(struct answer *h, const size_t *best, size_t label, size_t count,
                       size_t which)
{
    const struct report_data *d = h->data;
    const struct report_shown *s = report_shown(d, which);
    size_t named = 0;
    page_raw(h->page, "<strong>");
    page_text(h->page, d->labels[label]);
    page_raw(h->page, "</strong> in %zu (", count);
    for (size_t i = 0; i < d->count && named < NAMED_WORLDS; i++) {
        const struct report_point *q = &d->points[i];
        if (q->label != label || best[q->world] != label)
            continue;
        char *world = short_heading(d->groups.groups[q->world].heading);
        page_format(h->page, "%s%s: %s%s", named++ > 0 ? "; " : "", text_name(world, 60).at,
                    text_value(report_shown_value(q, s).value, s->unit).at,
                    misses(q->verdict) ? ", misses its SLA" : "");
        free(world);
    }
    page_raw(h->page, count > named ? "; %zu more)" : ")", count - named);
}

/* Which policy is best in which worlds, the one with most of them first. */
static void say_disagreement(struct answer *h, size_t which)
{
    const struct report_data *d = h->data;
    size_t *best = best_in_worlds(h, which), said = 0, left = 0;
    size_t *count = dcs_alloc(d->labels_count + 1, sizeof *count);
    for (size_t w = 0; w < d->groups.count; w++)
        count[best[w]]++;
    for (;;) {
        size_t next = 0;
        for (size_t l = 1; l < d->labels_count; l++)
            next = count[l] > count[next] ? l : next;
        if (count[next] == 0)
            break;
        if (said < NAMED_LABELS) {
            page_raw(h->page, said++ > 0 ? ", " : "");
            say_worlds(h, best, next, count[next], which);
        } else {
            left++;
        }
        count[next] = 0;
    }
    if (left > 0)
        page_raw(h->page, ", %zu other%s in the rest", left, dcs_plural(left));
    free(count);
    free(best);
}

/* ---- The sentence ---- */

static void say_best(struct answer *h, const struct words *words, size_t which)
{
    size_t best = best_of(h, which), base = h->data->baseline;
    struct page *p = h->page;
    page_raw(p, "%s: ", words->most);
    if (best == base) {
        if (worlds_disagree(h, which)) {
            page_raw(p, "the worlds disagree, ");
            say_disagreement(h, which);
            return;
        }
        page_raw(p, "none is shown to %s than <strong>", words->than);
        page_text(p, h->data->labels[base]);
        page_raw(p, "</strong> (");
        page_text(p, value_text(h, base, base, which).at);
        page_raw(p, ")");
        say_missed(h, base);
        return;
    }
    page_raw(p, "<strong>");
    page_text(p, h->data->labels[best]);
    page_raw(p, "</strong>");
    say_missed(h, best);
    page_raw(p, ", ");
    page_text(p, value_text(h, best, base, which).at);
    const struct report_rival *rival = &h->contest->rivals[which][best];
    char *text =
        report_rival_text(rival, report_shown(h->data, which)->unit, h->contest->better[which]);
    page_format(p, ", against %s under %s", value_text(h, base, best, which).at,
                h->data->labels[base]);
    if (rival->worlds < h->data->worlds_shared)
        page_format(p, " in the %zu of %zu worlds that both met", rival->worlds,
                    h->data->worlds_shared);
    page_format(p, " (%s)", text);
    free(text);
    if (worlds_disagree(h, which)) {
        page_raw(p, "; world by world ");
        say_disagreement(h, which);
    }
}

static bool known(const struct answer *h, size_t which)
{
    const struct report_shown *s = report_shown(h->data, which);
    return !isnan(report_label_value(h->data, h->data->baseline, s).value);
}

static void say_one(struct answer *h, const struct report_point *q)
{
    struct page *p = h->page;
    struct dcs_estimate met = q->values[REPORT_SLA_MET];
    const struct report_shown *batch = report_shown(h->data, SHOWN_BATCH);
    struct dcs_estimate done = report_shown_value(q, batch);
    page_raw(p, "Under <strong>");
    page_text(p, q->system->label);
    page_raw(p, "</strong>, ");
    if (!isnan(met.value))
        page_format(p, "%s of the latency requests meet their SLA, ",
                    text_estimate(&met, TEXT_PERCENT, 2).at);
    if (q->verdict != REPORT_NO_VERDICT)
        page_format(p, "the verdict on the SLA of %s is \"%s\", ",
                    sla_text(q->sla_low_ns, q->sla_high_ns).at, report_verdicts[q->verdict]);
    const struct report_shown *busy = report_shown(h->data, SHOWN_BUSY);
    struct dcs_estimate used = report_shown_value(q, busy);
    if (report_shares_devices(h->data))
        page_format(p, "%s of the %s of %" PRIu32 " device%s are in use",
                    text_estimate(&used, TEXT_PERCENT, 1).at, report_parts(h->data), q->devices,
                    dcs_plural(q->devices));
    else
        page_format(p, "%" PRIu32 " device%s %s busy for %s of the time", q->devices,
                    dcs_plural(q->devices), q->devices == 1 ? "is" : "are",
                    text_estimate(&used, TEXT_PERCENT, 1).at);
    if (!isnan(done.value))
        page_format(p,
                    batch->unit == TEXT_PERCENT
                        ? ", and batch applications get %s of the throughput that they have alone"
                        : ", and %s batch requests are completed per second",
                    text_estimate(&done, batch->unit, 2).at);
    page_raw(p, ".");
}

/* One policy in many worlds. */
static void say_range(struct answer *h)
{
    struct page *p = h->page;
    page_raw(p, "Under <strong>");
    page_text(p, h->data->labels[0]);
    page_raw(p, "</strong>, mean and range over %zu experiments: ", h->data->count);
    const char *between = "";
    for (size_t which = 0; which < SHOWN_COUNT; which++) {
        const struct report_shown *s = report_shown(h->data, which);
        struct dcs_estimate e = report_label_value(h->data, 0, s);
        if (isnan(e.value) || which == SHOWN_P99)
            continue;
        page_format(p, "%s%s %s", between, s->label, text_estimate(&e, s->unit, 2).at);
        between = ", ";
    }
    struct verdicts v = verdicts_of(h->data, 0, 0);
    if (v.all > 0)
        page_format(p, "%sthe verdict on its SLA: %s", between, verdicts_text(&v).at);
    page_raw(p, ".");
}

/* Under what is best in late requests, or else under the first that anybody looked at. */
static void say_first(struct answer *h)
{
    struct page *p = h->page;
    const struct report_late_line *first = report_late_first(h->late, best_of(h, SHOWN_LATE));
    for (size_t l = 0; l < h->data->labels_count && first == NULL; l++)
        first = report_late_first(h->late, l);
    if (first == NULL)
        return;
    page_raw(p, "<br/>To fix first");
    if (h->data->labels_count > 1)
        page_format(p, " under %s", h->data->labels[first->label]);
    page_raw(p, ": <strong>");
    page_text(p, first->what);
    page_raw(p, "</strong>, ");
    page_text(p, text_value(first->share, TEXT_PERCENT).at);
    page_raw(p, " of the time of late requests; ");
    if (first->enough > 0)
        page_raw(p, "without it %" PRIu64 " of them would have been in time.", first->enough);
    else
        page_raw(p, "none of them would have been in time without it alone.");
    report_late_say_looked(p, h->late, first->label);
}

static void write_sentence(struct answer *h)
{
    struct page *p = h->page;
    page_raw(p, "<p class=\"answer\">");
    if (h->data->count == 1) {
        say_one(h, &h->data->points[0]);
    } else if (h->data->labels_count == 1) {
        say_range(h);
    } else if (!h->contest->any) {
        page_raw(p, "No two policies met the same world here, so they are not compared: the table "
                    "has each experiment's numbers.");
    } else {
        page_raw(p, "Of what was run: ");
        bool late = known(h, SHOWN_LATE), batch = known(h, SHOWN_BATCH);
        if (late)
            say_best(h, &late_words, SHOWN_LATE);
        page_raw(p, late && batch ? "; " : "");
        if (batch)
            say_best(h, &batch_words, SHOWN_BATCH);
        if (!late && !batch)
            page_raw(p, "Neither late requests nor batch work were measured");
        if (h->data->worlds_shared > 1)
            page_format(p, "; means over %zu worlds", h->data->worlds_shared);
        page_raw(p, ".");
    }
    say_first(h);
    page_raw(p, "</p>\n");
}

static void table_cells(struct answer *h, const struct dcs_estimate e[SHOWN_COUNT],
                        const struct dcs_estimate *useful)
{
    for (size_t which = 0; which < SHOWN_COUNT; which++)
        page_cell(h->page, text_estimate(&e[which], report_shown(h->data, which)->unit, 2).at);
    if (!report_shares_devices(h->data))
        page_cell(h->page, text_estimate(useful, TEXT_PERCENT, 2).at);
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
    const char *shown[9] = {row, count};
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

/* One row for each label. */
static void write_labels(struct answer *h)
{
    const struct report_data *d = h->data;
    open_table(h,
               d->groups.count > 1 ? "Means over the worlds that the baseline met, and their range"
                                   : "All policies, with 95 % intervals",
               "policy", "experiments");
    static const struct report_shown useful = {.value = REPORT_USEFUL};
    for (size_t l = 0; l < d->labels_count && l < REPORT_ROWS_MAX; l++) {
        struct dcs_estimate e[SHOWN_COUNT], u = report_label_value(d, l, &useful);
        size_t n = 0;
        for (size_t i = 0; i < d->count; i++)
            n += d->points[i].label == l;
        for (size_t which = 0; which < SHOWN_COUNT; which++)
            e[which] = report_label_value(d, l, report_shown(d, which));
        struct text_buffer name = {0};
        text_append(&name, "%s%s", d->labels[l],
                    l == d->baseline && d->labels_count > 1 ? " (baseline)" : "");
        struct verdicts v = verdicts_of(d, l, d->baseline);
        page_row_open(h->page, name.text);
        page_cell(h->page, text_format("%zu", n).at);
        sla_cells(h, sla_text(v.low_ns, v.high_ns), verdicts_text(&v).at);
        table_cells(h, e, &u);
        page_row_close(h->page);
        free(name.text);
    }
    page_table_close(h->page);
    say_what_a_verdict_is(h);
    if (d->labels_count > REPORT_ROWS_MAX)
        page_raw(h->page, "<p class=\"note\">The first %d of %zu policies.</p>\n", REPORT_ROWS_MAX,
                 d->labels_count);
}

/* By heading, then label, as the groups stand. */
static void write_experiments(struct answer *h)
{
    const struct report_data *d = h->data;
    page_fold_open(h->page, "numbers", "Each experiment");
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
            text_append(&name, "%s%s%s%s", q->system->label, world->heading[0] ? ", " : "",
                        world->heading, q->system->overloaded ? " *" : "");
            page_row_open(h->page, name.text);
            page_cell(h->page, text_format("%" PRIu64, q->runs).at);
            sla_cells(h, sla_text(q->sla_low_ns, q->sla_high_ns), report_verdicts[q->verdict]);
            table_cells(h, e, &q->values[REPORT_USEFUL]);
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
    struct answer h = {p, d, c, l, SIZE_MAX};
    page_raw(p, "<section aria-labelledby=\"answer\"><h2 id=\"answer\">The answer</h2>\n");
    write_sentence(&h);
    write_labels(&h);
    int status = 0;
    if (d->count > 1)
        write_experiments(&h);
    else
        status = write_applications(&h, err);
    page_raw(p, "</section>\n");
    return status;
}
