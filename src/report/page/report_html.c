/* report_html.c - see report_html.h. */
#include "report/page/report_html.h"

#include "report/page/report_answer.h"
#include "report/page/report_baseline.h"
#include "report/page/report_gangs.h"
#include "report/page/report_fairness.h"
#include "report/page/report_hours.h"
#include "report/page/report_origin.h"
#include "report/page/report_search.h"

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
    bool has;
    if (report_has(&h->data, "sweep", &has, err) != 0)
        return -1;
    if (!has)
        return 0;
    return report_listed(
        &h->page, &h->data, "Sweeps",
        "SELECT name || ' (' || (SELECT count(DISTINCT number) FROM point p WHERE p.sweep "
        "= s.id) || ' of ' || points || ' points)' FROM sweep s ORDER BY name, id",
        err);
}

/* cpus: how many of the devices are CPUs, of divisible work; NULL: of other. */
#define DEVICES_OF_EACH                                                                            \
    "SELECT devices, coalesce((SELECT group_concat(name, ' and ') FROM (SELECT DISTINCT name "     \
    "FROM input i WHERE i.experiment = e.id AND kind = 'profile')), 'without a profile') AS "      \
    "profiles, CASE WHEN json_extract(config, '$.sharing.model') = 'divisible' THEN "              \
    "coalesce((SELECT sum(iif(json_extract(value, '$.cpu_threads') > 0, json_extract(value, "      \
    "'$.domains'), 0)) FROM json_each(config, '$.cluster.groups')), iif(json_extract(config, "     \
    "'$.cluster.cpu_threads') > 0, json_extract(config, '$.cluster.domains'), 0)) END AS cpus, "   \
    "iif(json_array_length(config, '$.cluster.groups') > 0, '', ' with ' || json_extract(config, " \
    "'$.cluster.cpu_threads') || iif(json_extract(config, '$.cluster.cpu_threads') = 1, ' "        \
    "thread', ' threads')) AS threads FROM experiment e WHERE " REPORT_SOME_RUN

static int write_asked(struct html *h, struct dcs_err *err)
{
    const struct report_data *d = &h->data;
    uint64_t runs = count_runs(d);
    page_raw(&h->page, "<section aria-labelledby=\"asked\"><h2 id=\"asked\">What was asked</h2>\n");
    if (write_names(h, err) != 0)
        return -1;
    page_raw(&h->page, "<ul class=\"plain\">\n<li>%zu experiment%s, %" PRIu64 " run%s</li>\n",
             d->count, dcs_plural(d->count), runs, dcs_plural(runs));
    int status =
        h->data.gangs
            ? 0
            : report_listed(&h->page, &h->data, "Policies",
                            "SELECT DISTINCT policy FROM experiment e WHERE " REPORT_SOME_RUN
                            " ORDER BY 1",
                            err);
    if (status == 0 && h->data.gangs)
        status = report_listed(
            &h->page, &h->data, "GPUs",
            "SELECT DISTINCT devices FROM experiment e WHERE " REPORT_SOME_RUN " ORDER BY 1", err);
    else if (status == 0)
        status = report_listed(
            &h->page, &h->data, "Devices",
            "SELECT DISTINCT CASE WHEN cpus IS NULL THEN devices || ' x ' || profiles ELSE "
            "iif(cpus > 0, cpus || ' CPU' || iif(cpus = 1, '', 's') || threads, '') || "
            "iif(cpus > 0 AND cpus < devices, ' and ', '') || iif(cpus < devices, (devices - cpus) "
            "|| ' GPU' || iif(devices - cpus = 1, '', 's'), '') || ' (' || profiles || ')' END "
            "FROM (" DEVICES_OF_EACH ") ORDER BY devices, 1",
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

static int write_answer(struct html *h, struct dcs_err *err)
{
    if (report_answer(&h->page, &h->data, &h->contest, &h->late, err) != 0)
        return -1;
    page_raw(&h->page, "<section aria-labelledby=\"figures\"><h2 id=\"figures\">Figures</h2>\n");
    if (report_figures(&h->page, &h->data, &h->contest, err) != 0)
        return -1;
    page_raw(&h->page, "</section>\n");
    return 0;
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
    if (report_search(&h->page, &h->data, err) != 0 || write_asked(h, err) != 0 ||
        (!h->data.gangs && write_answer(h, err) != 0) ||
        report_gangs_section(&h->page, &h->data, err) != 0 ||
        report_fairness(&h->page, &h->data, err) != 0 || report_hours(&h->page, &h->data, err) != 0)
        return -1;
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
    if (report_data_read(&h.data, r, err) != 0)
        return NULL;
    int status = report_baseline_choose(&h.data, baseline, err);
    if (status == 0)
        status = report_contest_read(&h.contest, &h.data, err);
    if (status == 0)
        status = report_late_read(&h.late, &h.data, err);
    if (status == 0)
        status = report_gangs_alone(&h.data, &h.data.gangs, err);
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
