/* report_html.c - see report_html.h. */
#include "report_html.h"

#include "report_figures.h"
#include "report_late.h"
#include "report_origin.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct html {
    struct page page;
    struct report_data data;
    struct report_contest contest;
    struct report_late late;
    const char *title;
};

static uint64_t count_runs(const struct report_data *d)
{
    uint64_t runs = 0;
    for (size_t i = 0; i < d->count; i++)
        runs += d->points[i].runs;
    return runs;
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* ---- What was asked ---- */

static int write_names(struct html *h, struct dcs_err *err)
{
    struct report_texts t;
    if (report_texts(&t, &h->data,
                     "SELECT name, description, count(*) FROM experiment e WHERE " REPORT_SOME_RUN
                     " GROUP BY name, description ORDER BY count(*) DESC, name, description",
                     REPORT_LISTED_MAX, err) != 0)
        return -1;
    for (size_t i = 0; i < t.count; i++) {
        char **row = t.rows + i * t.columns;
        page_raw(&h->page, "<p><strong>");
        page_text(&h->page, row[0][0] != '\0' ? row[0] : "an experiment without a name");
        page_raw(&h->page, "</strong>%s", row[1][0] != '\0' ? ": " : "");
        page_text(&h->page, row[1]);
        if (h->data.count > 1)
            page_format(&h->page, " (%s experiment%s)", row[2], strcmp(row[2], "1") ? "s" : "");
        page_raw(&h->page, "</p>\n");
    }
    if (t.more)
        page_raw(&h->page, "<p class=\"note\">And others.</p>\n");
    report_texts_release(&t);
    return 0;
}

#define VARYING_ROWS 12 /* more of them are folded: the answer comes after */

/* The keys of the configs that are not the same everywhere. */
static int write_variation(struct html *h, struct dcs_err *err)
{
    static const char *const heads[] = {"key of the config", "values", "<which"};
    struct report_texts t;
    if (report_texts(
            &t, &h->data,
            "WITH leaf AS (SELECT e.id AS id, replace(substr(t.fullkey, 3), '\"', '') AS key, "
            "CASE t.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE t.atom END AS "
            "value FROM experiment e, json_tree(json_remove(e.config, '$.name', '$.description', "
            "'$.outputs', '$.replications', '$.until', '$.predictors')) t WHERE t.type NOT IN "
            "('object', 'array') AND " REPORT_SOME_RUN
            "), one AS (SELECT key, value, count(*) AS n FROM "
            "leaf GROUP BY key, value ORDER BY key, value), of AS (SELECT key, count(*) AS "
            "different, sum(n) AS n, min(value) AS low, max(value) AS high, group_concat(value, ', "
            "') AS all_of FROM one GROUP BY key) SELECT key, different || CASE WHEN n < (SELECT "
            "count(*) FROM experiment e WHERE " REPORT_SOME_RUN
            ") THEN ', or none' ELSE '' END, CASE "
            "WHEN different <= 8 THEN all_of ELSE 'from ' || low || ' to ' || high END FROM of "
            "WHERE different > 1 OR (key NOT LIKE 'policy.%' AND n < (SELECT count(*) FROM "
            "experiment e WHERE " REPORT_SOME_RUN ")) "
            "ORDER BY key = 'policy.name' DESC, key LIKE 'policy.%', different DESC, key",
            40, err) != 0)
        return -1;
    bool folded = t.count > VARYING_ROWS;
    if (folded)
        page_fold_open(
            &h->page, "numbers",
            text_format("%s%zu keys of the configs vary", t.more ? "More than " : "", t.count).at);
    if (t.count > 0) {
        page_table_open(&h->page, "What varies", heads, 3);
        for (size_t i = 0; i < t.count; i++) {
            page_row_open(&h->page, t.rows[i * 3]);
            page_cell(&h->page, t.rows[i * 3 + 1]);
            page_cell(&h->page, t.rows[i * 3 + 2]);
            page_row_close(&h->page);
        }
        page_table_close(&h->page);
        if (t.more)
            page_raw(&h->page, "<p class=\"note\">And more keys.</p>\n");
    }
    if (folded)
        page_fold_close(&h->page);
    report_texts_release(&t);
    return 0;
}

/* How much of each sweep is there; databases of the older schema have none. */
static int write_sweeps(struct html *h, struct dcs_err *err)
{
    struct report_texts t;
    if (report_texts(&t, &h->data, "SELECT 1 FROM sqlite_master WHERE name = 'sweep'", 1, err) != 0)
        return -1;
    bool has = t.count > 0;
    report_texts_release(&t);
    if (!has)
        return 0;
    return report_listed(
        &h->page, &h->data, "Sweeps",
        "SELECT name || ' (' || (SELECT count(DISTINCT number) FROM point p WHERE p.sweep "
        "= s.id) || ' of ' || points || ' points)' FROM sweep s ORDER BY name, id",
        err);
}

static int write_asked(struct html *h, struct dcs_err *err)
{
    const struct report_data *d = &h->data;
    uint64_t runs = count_runs(d);
    page_raw(&h->page, "<section aria-labelledby=\"asked\"><h2 id=\"asked\">What was asked</h2>\n");
    if (write_names(h, err) != 0)
        return -1;
    page_raw(&h->page, "<ul class=\"plain\">\n<li>%zu experiment%s, %" PRIu64 " run%s</li>\n",
             d->count, plural(d->count), runs, plural(runs));
    int status = report_listed(
        &h->page, &h->data, "Policies",
        "SELECT DISTINCT policy FROM experiment e WHERE " REPORT_SOME_RUN " ORDER BY 1", err);
    if (status == 0)
        status = report_listed(
            &h->page, &h->data, "Devices",
            "SELECT DISTINCT devices || ' x ' || coalesce((SELECT group_concat(name, ' "
            "and ') FROM (SELECT DISTINCT name FROM input i WHERE i.experiment = e.id "
            "AND kind = 'profile')), 'without a profile') FROM experiment e "
            "WHERE " REPORT_SOME_RUN " ORDER BY devices, 1",
            err);
    if (status == 0)
        status = report_listed(
            &h->page, &h->data, "Latency applications",
            "SELECT DISTINCT name FROM application WHERE class = 'latency' ORDER BY 1", err);
    if (status == 0)
        status = report_listed(
            &h->page, &h->data, "Batch applications",
            "SELECT DISTINCT name FROM application WHERE class = 'batch' ORDER BY 1", err);
    if (status == 0)
        status = write_sweeps(h, err);
    page_raw(&h->page, "</ul>\n");
    if (status == 0)
        status = write_variation(h, err);
    page_raw(&h->page, "</section>\n");
    return status;
}

/* ---- The answer ---- */

/* The label that is best in one of the numbers: the baseline, unless another is shown to be better
 * than it. */
static size_t best_of(const struct html *h, size_t which)
{
    size_t best = h->data.baseline;
    double lead = 0;
    for (size_t l = 0; l < h->data.labels_count; l++) {
        const struct report_rival *r = &h->contest.rivals[which][l];
        double gain = r->better > r->worse ? h->contest.better[which] * r->difference.value : 0;
        if (gain > lead) {
            lead = gain;
            best = l;
        }
    }
    return best;
}

/* Of the worlds that both met: numbers that stand beside their difference. */
static struct text value_text(const struct html *h, size_t label, size_t other, size_t which)
{
    const struct report_shown *s = report_shown(&h->data, which);
    struct dcs_estimate e = report_label_value_beside(&h->data, label, other, s);
    return text_value(e.value, s->unit);
}

/* than: "have fewer". */
static void say_best(struct html *h, const char *most, const char *than, size_t which)
{
    size_t best = best_of(h, which), base = h->data.baseline;
    struct page *p = &h->page;
    if (best == base) {
        page_raw(p, "%s: none is shown to %s than <strong>", most, than);
        page_text(p, h->data.labels[base]);
        page_raw(p, "</strong> (");
        page_text(p, value_text(h, base, base, which).at);
        page_raw(p, ")");
        return;
    }
    page_raw(p, "%s: <strong>", most);
    page_text(p, h->data.labels[best]);
    page_raw(p, "</strong>, ");
    page_text(p, value_text(h, best, base, which).at);
    const struct report_rival *rival = &h->contest.rivals[which][best];
    char *text =
        report_rival_text(rival, report_shown(&h->data, which)->unit, h->contest.better[which]);
    page_format(p, ", against %s under %s", value_text(h, base, best, which).at,
                h->data.labels[base]);
    if (rival->worlds < h->data.worlds_shared)
        page_format(p, " in the %zu of %zu worlds that both met", rival->worlds,
                    h->data.worlds_shared);
    page_format(p, " (%s)", text);
    free(text);
}

static bool known(const struct html *h, size_t which)
{
    const struct report_shown *s = report_shown(&h->data, which);
    return !isnan(report_label_value(&h->data, h->data.baseline, s).value);
}

static void say_one(struct html *h, const struct report_point *q)
{
    struct page *p = &h->page;
    struct dcs_estimate met = q->values[REPORT_SLA_MET];
    const struct report_shown *batch = report_shown(&h->data, SHOWN_BATCH);
    struct dcs_estimate done = report_shown_value(q, batch);
    page_raw(p, "Under <strong>");
    page_text(p, q->system->label);
    page_raw(p, "</strong>, ");
    if (!isnan(met.value))
        page_format(p, "%s of the latency requests meet their SLA, ",
                    text_estimate(&met, TEXT_PERCENT, 2).at);
    page_format(p, "%" PRIu32 " device%s %s busy for %s of the time", q->devices,
                plural(q->devices), q->devices == 1 ? "is" : "are",
                text_estimate(&q->values[REPORT_UTILISATION], TEXT_PERCENT, 1).at);
    if (!isnan(done.value))
        page_format(p,
                    batch->unit == TEXT_PERCENT
                        ? ", and batch applications get %s of the throughput that they have alone"
                        : ", and %s batch requests are completed per second",
                    text_estimate(&done, batch->unit, 2).at);
    page_raw(p, ".");
}

/* One policy in many worlds. */
static void say_range(struct html *h)
{
    struct page *p = &h->page;
    page_raw(p, "Under <strong>");
    page_text(p, h->data.labels[0]);
    page_raw(p, "</strong>, mean and range over %zu experiments: ", h->data.count);
    const char *between = "";
    for (size_t which = 0; which < SHOWN_COUNT; which++) {
        const struct report_shown *s = report_shown(&h->data, which);
        struct dcs_estimate e = report_label_value(&h->data, 0, s);
        if (isnan(e.value) || which == SHOWN_P99)
            continue;
        page_format(p, "%s%s %s", between, s->label, text_estimate(&e, s->unit, 2).at);
        between = ", ";
    }
    page_raw(p, ".");
}

/* Under what is best in late requests, or else under the first that anybody looked at. */
static void say_first(struct html *h)
{
    struct page *p = &h->page;
    const struct report_late_line *first = report_late_first(&h->late, best_of(h, SHOWN_LATE));
    for (size_t l = 0; l < h->data.labels_count && first == NULL; l++)
        first = report_late_first(&h->late, l);
    if (first == NULL)
        return;
    page_raw(p, "<br/>To fix first");
    if (h->data.labels_count > 1)
        page_format(p, " under %s", h->data.labels[first->label]);
    page_raw(p, ": <strong>");
    page_text(p, first->what);
    page_raw(p, "</strong>, ");
    page_text(p, text_value(first->share, TEXT_PERCENT).at);
    page_raw(p, " of the time of late requests; ");
    if (first->enough > 0)
        page_raw(p, "without it %" PRIu64 " of them would have been in time.", first->enough);
    else
        page_raw(p, "none of them would have been in time without it alone.");
}

static void write_sentence(struct html *h)
{
    struct page *p = &h->page;
    page_raw(p, "<p class=\"answer\">");
    if (h->data.count == 1) {
        say_one(h, &h->data.points[0]);
    } else if (h->data.labels_count == 1) {
        say_range(h);
    } else if (!h->contest.any) {
        page_raw(p, "No two policies met the same world here, so they are not compared: the table "
                    "has each experiment's numbers.");
    } else {
        page_raw(p, "Of what was run: ");
        bool late = known(h, SHOWN_LATE), batch = known(h, SHOWN_BATCH);
        if (late)
            say_best(h, "fewest late requests", "have fewer", SHOWN_LATE);
        page_raw(p, late && batch ? "; " : "");
        if (batch)
            say_best(h, "most batch work", "do more", SHOWN_BATCH);
        if (!late && !batch)
            page_raw(p, "Neither late requests nor batch work were measured");
        if (h->data.worlds_shared > 1)
            page_format(p, "; means over %zu worlds", h->data.worlds_shared);
        page_raw(p, ".");
    }
    say_first(h);
    page_raw(p, "</p>\n");
}

static void table_cells(struct html *h, const struct dcs_estimate e[SHOWN_COUNT],
                        const struct dcs_estimate *useful)
{
    for (size_t which = 0; which < SHOWN_COUNT; which++)
        page_cell(&h->page, text_estimate(&e[which], report_shown(&h->data, which)->unit, 2).at);
    page_cell(&h->page, text_estimate(useful, TEXT_PERCENT, 2).at);
}

/* One row for each label. */
static void write_labels(struct html *h)
{
    const struct report_data *d = &h->data;
    const char *heads[] = {"policy",
                           "experiments",
                           report_shown(d, SHOWN_LATE)->label,
                           report_shown(d, SHOWN_P99)->label,
                           report_shown(d, SHOWN_BATCH)->label,
                           report_shown(d, SHOWN_BUSY)->label,
                           "useful work"};
    page_table_open(&h->page,
                    d->groups.count > 1
                        ? "Means over the worlds that the baseline met, and their range"
                        : "All policies, with 95 % intervals",
                    heads, 7);
    static const struct report_shown useful = {.value = REPORT_USEFUL};
    for (size_t l = 0; l < d->labels_count && l < REPORT_ROWS_MAX; l++) {
        struct dcs_estimate e[SHOWN_COUNT], u = report_label_value(d, l, &useful);
        size_t n = 0;
        for (size_t i = 0; i < d->count; i++)
            n += d->points[i].label == l;
        for (size_t which = 0; which < SHOWN_COUNT; which++)
            e[which] = report_label_value(d, l, report_shown(d, which));
        struct options_text name = {0};
        options_append(&name, "%s%s", d->labels[l],
                       l == d->baseline && d->labels_count > 1 ? " (baseline)" : "");
        page_row_open(&h->page, name.text);
        page_cell(&h->page, text_format("%zu", n).at);
        table_cells(h, e, &u);
        page_row_close(&h->page);
        free(name.text);
    }
    page_table_close(&h->page);
    if (d->labels_count > REPORT_ROWS_MAX)
        page_raw(&h->page, "<p class=\"note\">The first %d of %zu policies.</p>\n", REPORT_ROWS_MAX,
                 d->labels_count);
}

/* By heading, then label, as the groups stand. */
static void write_experiments(struct html *h)
{
    const struct report_data *d = &h->data;
    const char *heads[] = {"experiment",
                           "runs",
                           report_shown(d, SHOWN_LATE)->label,
                           report_shown(d, SHOWN_P99)->label,
                           report_shown(d, SHOWN_BATCH)->label,
                           report_shown(d, SHOWN_BUSY)->label,
                           "useful work"};
    page_fold_open(&h->page, "numbers", "Each experiment");
    page_table_open(&h->page, "Each experiment, with 95 % intervals", heads, 7);
    size_t n = 0;
    for (size_t w = 0; w < d->groups.count; w++) {
        const struct compare_group *world = &d->groups.groups[w];
        for (size_t s = 0; s < world->count && n < REPORT_ROWS_MAX; s++, n++) {
            const struct report_point *q = &d->points[world->systems[s] - d->groups.systems];
            struct dcs_estimate e[SHOWN_COUNT];
            for (size_t which = 0; which < SHOWN_COUNT; which++)
                e[which] = report_shown_value(q, report_shown(d, which));
            struct options_text name = {0};
            options_append(&name, "%s%s%s%s", q->system->label, world->heading[0] ? ", " : "",
                           world->heading, q->system->overloaded ? " *" : "");
            page_row_open(&h->page, name.text);
            page_cell(&h->page, text_format("%" PRIu64, q->runs).at);
            table_cells(h, e, &q->values[REPORT_USEFUL]);
            page_row_close(&h->page);
            free(name.text);
        }
    }
    page_table_close(&h->page);
    if (d->count > REPORT_ROWS_MAX)
        page_raw(&h->page,
                 "<p class=\"note\">The first %d of %zu experiments; <code>dcsim export "
                 "results.db headline --csv</code> prints all.</p>\n",
                 REPORT_ROWS_MAX, d->count);
    page_fold_close(&h->page);
}

/* Of a single experiment: its applications. */
static int write_applications(struct html *h, struct dcs_err *err)
{
    static const char *const heads[] = {"application", "<class", "requests", "within SLA",
                                        "mean",        "p50",    "p99",      "throughput, 1/s"};
    struct report_texts t;
    if (report_texts(&t, &h->data,
                     "SELECT application, class, requests, sla_met, mean_ms, p50_ms, p99_ms, "
                     "throughput FROM application_summary ORDER BY class DESC, application",
                     REPORT_ROWS_MAX, err) != 0)
        return -1;
    page_table_open(&h->page, "Applications", heads, 8);
    for (size_t i = 0; i < t.count; i++) {
        char **row = t.rows + i * t.columns;
        page_row_open(&h->page, row[0]);
        page_cell(&h->page, row[1]);
        page_cell(&h->page, row[2]);
        for (size_t c = 3; c < 8; c++) {
            double v = row[c][0] != '\0' ? strtod(row[c], NULL) : (double)NAN;
            page_cell(&h->page, c == 3   ? text_value(v, TEXT_PERCENT).at
                                : c == 7 ? text_value(v, TEXT_NUMBER).at
                                         : text_value(v * 1e6, TEXT_TIME).at);
        }
        page_row_close(&h->page);
    }
    page_table_close(&h->page);
    report_texts_release(&t);
    return 0;
}

static int write_answer(struct html *h, struct dcs_err *err)
{
    page_raw(&h->page, "<section aria-labelledby=\"answer\"><h2 id=\"answer\">The answer</h2>\n");
    write_sentence(h);
    write_labels(h);
    int status = 0;
    if (h->data.count > 1)
        write_experiments(h);
    else
        status = write_applications(h, err);
    page_raw(&h->page, "</section>\n");
    return status;
}

/* ---- The page ---- */

static int write_all(struct html *h, struct dcs_err *err)
{
    struct report_texts t;
    if (report_texts(&t, &h->data,
                     "SELECT DISTINCT name FROM experiment e WHERE name <> '' AND " REPORT_SOME_RUN
                     " ORDER BY 1",
                     2, err) != 0)
        return -1;
    page_open(&h->page, h->title != NULL ? h->title
                        : t.count == 1   ? t.rows[0]
                                         : "Results of dcsim");
    report_texts_release(&t);
    if (write_asked(h, err) != 0 || write_answer(h, err) != 0)
        return -1;
    page_raw(&h->page, "<section aria-labelledby=\"figures\"><h2 id=\"figures\">Figures</h2>\n");
    if (report_figures(&h->page, &h->data, &h->contest, err) != 0)
        return -1;
    page_raw(&h->page, "</section>\n");
    report_late_write(&h->page, &h->data, &h->late);
    if (report_origin(&h->page, &h->data, err) != 0)
        return -1;
    page_close(&h->page);
    return 0;
}

char *report_html(const struct results *r, const char *title, const char *baseline,
                  struct dcs_err *err)
{
    struct html h = {.title = title};
    if (report_data_read(&h.data, r, baseline, err) != 0)
        return NULL;
    int status = report_contest_read(&h.contest, &h.data, err);
    if (status == 0)
        status = report_late_read(&h.late, &h.data, err);
    if (status == 0)
        status = write_all(&h, err);
    report_late_release(&h.late);
    report_contest_release(&h.contest);
    report_data_release(&h.data);
    if (status == 0)
        return h.page.out.text;
    free(h.page.out.text);
    return NULL;
}
