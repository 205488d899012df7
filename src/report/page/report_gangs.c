/* report_gangs.c - see report_gangs.h. */
#include "report/page/report_gangs.h"

#include "report/page/report_chart.h"
#include "report/page/report_origin.h"
#include "runs/gang_metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OF_GANGS                                                                                   \
    "EXISTS (SELECT 1 FROM summary g WHERE g.experiment = e.id AND g.name = 'allocation')"

/* Columns of a row, in the order of the page; those behind are for the figure. if_any: only where
 * some experiment has more than 0. class: of its jobs, only where some trace has both. */
static const struct {
    const char *metric, *title;
    enum text_unit unit;
    bool if_any;
    const char *class;
} columns[] = {
    {"allocation", "GPUs held", TEXT_PERCENT, false, NULL},
    {"offered_at_last", "due by the last arrival", TEXT_PERCENT, false, NULL},
    {"unfinished", "not done", TEXT_PERCENT, true, NULL},
    {"queue_wait_mean", "queue wait, mean", TEXT_TIME, false, NULL},
    {"queue_wait_p95", "p95", TEXT_TIME, false, NULL},
    {"queue_wait_max", "longest", TEXT_TIME, false, NULL},
    {"queue_wait_p95", "p95, latency", TEXT_TIME, false, "latency"},
    {"queue_wait_p95", "p95, batch", TEXT_TIME, false, "batch"},
    {"slowdown_p95", "slowdown, p95", TEXT_NUMBER, false, NULL},
    {"bounded_slowdown_p95", "bounded slowdown, p95", TEXT_NUMBER, false, NULL},
    {"fragmentation", "free, of no use to a job", TEXT_PERCENT, false, NULL},
    {"revocations", "revocations", TEXT_NUMBER, true, NULL},
    {"lost_work", "lost work, GPU s", TEXT_NUMBER, true, NULL},
    {"jobs", "jobs", TEXT_NUMBER, false, NULL},
    {"jobs_started", "started", TEXT_NUMBER, false, NULL},
    {"jobs_ended", "ended", TEXT_NUMBER, false, NULL},
    {"jobs_left_out", "left out", TEXT_NUMBER, true, NULL},
    {"window", NULL, TEXT_TIME, false, NULL},
};
#define COLUMNS (sizeof columns / sizeof columns[0])
enum { SHOWN = COLUMNS - 1, WINDOW = SHOWN, LEFT_OUT = SHOWN - 1 };
/* In the statement: the columns, the parts of the window, the intervals of the columns. */
enum { PARTS = COLUMNS, LOWS = PARTS + GANG_PARTS, HIGHS = LOWS + COLUMNS };

struct gangs_section {
    struct page *page;
    const struct report_data *data;
    struct report_texts t; /* the experiment, and what the enum says */
    struct row *rows;
    bool labels; /* orders or placements differ */
};

struct row {
    const struct report_point *point; /* NULL: of no experiment that the page knows */
    size_t of;                        /* t */
    char *name;
};

static double number_at(const struct gangs_section *g, size_t row, size_t column)
{
    const char *text = g->t.rows[g->rows[row].of * g->t.columns + 1 + column];
    return text[0] != '\0' ? strtod(text, NULL) : (double)NAN;
}

static void compare_labels(struct gangs_section *g)
{
    const char *first = NULL;
    for (size_t i = 0; i < g->t.count; i++) {
        const struct report_point *p =
            report_point_of(g->data, strtoll(g->t.rows[i * g->t.columns], NULL, 10));
        const char *label = p != NULL ? p->system->label : NULL;
        g->labels = g->labels || (first != NULL && label != NULL && strcmp(first, label) != 0);
        first = first == NULL ? label : first;
    }
}

/* By what it differs from the others. */
static char *name_experiment(const struct gangs_section *g, const struct report_point *p)
{
    static const char common[] = "cluster.queue.";
    const char *at = p != NULL ? g->data->groups.groups[p->world].heading : "";
    struct text_buffer name = {0};
    bool labelled = p != NULL && g->labels;
    text_append(&name, "%s%s",
                labelled        ? p->system->label
                : at[0] != '\0' ? ""
                                : "whole jobs",
                labelled && at[0] != '\0' ? ", " : "");
    for (const char *found; (found = strstr(at, common)) != NULL; at = found + sizeof common - 1)
        text_append(&name, "%.*s", (int)(found - at), at);
    text_append(&name, "%s%s", at, p != NULL && p->system->overloaded ? " *" : "");
    return name.text;
}

static int by_point(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    int order = report_point_order(a->point, b->point);
    return order != 0 ? order : (a->of > b->of) - (a->of < b->of);
}

static void sort_rows(struct gangs_section *g)
{
    g->rows = dcs_alloc(g->t.count, sizeof *g->rows);
    compare_labels(g);
    for (size_t i = 0; i < g->t.count; i++) {
        const char *id = g->t.rows[i * g->t.columns];
        const struct report_point *p = report_point_of(g->data, strtoll(id, NULL, 10));
        g->rows[i] = (struct row){p, i, name_experiment(g, p)};
    }
    qsort(g->rows, g->t.count, sizeof *g->rows, by_point);
}

static bool is_shown(const struct gangs_section *g, size_t column)
{
    const char *class = columns[column].class;
    bool any = !columns[column].if_any && class == NULL;
    for (size_t row = 0; row < g->t.count; row++)
        any = any || number_at(g, row, column) > 0 ||
              (class != NULL &&
               (!isnan(number_at(g, row, column)) || !isnan(number_at(g, row, LOWS + column))));
    return any;
}

static void write_table(const struct gangs_section *g)
{
    const char *heads[SHOWN + 1] = {"experiment"};
    size_t shown[SHOWN], count = 0;
    for (size_t i = 0; i < SHOWN; i++)
        if (is_shown(g, i)) {
            heads[count + 1] = columns[i].title;
            shown[count++] = i;
        }
    page_table_open(g->page, "Each experiment", heads, count + 1);
    for (size_t row = 0; row < g->t.count; row++) {
        page_row_open(g->page, g->rows[row].name);
        for (size_t i = 0; i < count; i++) {
            const struct dcs_estimate e = {.value = number_at(g, row, shown[i]),
                                           .low = number_at(g, row, LOWS + shown[i]),
                                           .high = number_at(g, row, HIGHS + shown[i])};
            page_cell(g->page, text_estimate(&e, columns[shown[i]].unit, 2).at);
        }
        page_row_close(g->page);
    }
    page_table_close(g->page);
}

/* Those that waited longest in the first run of each experiment. Of a search (%s) the answer and
 * the value next to it that keeps no bound say why, and no others. A database of schema 10 has no
 * names of jobs: there the name of "none" is meant. */
static const char jobs_statement[] =
    "SELECT * FROM (SELECT experiment, row_number() OVER (PARTITION BY experiment ORDER BY "
    "coalesce(started_ns, window_to_ns) - submitted_ns DESC, job) AS place, job, submitted_ns, "
    "coalesce(started_ns, window_to_ns) - submitted_ns, started_ns IS NULL, ended_ns, duration_ns, "
    "w.revocations, gpus, node, nodes, model, (SELECT name FROM whole_job n WHERE n.experiment = "
    "w.experiment AND n.replication = w.replication AND n.job = w.job) FROM whole_job w JOIN run "
    "USING (experiment, replication), (SELECT NULL AS name) none "
    "WHERE replication = 0 AND coalesce(started_ns, window_to_ns) > submitted_ns%s) "
    "WHERE place <= %d ORDER BY experiment, place";
static const char of_search[] =
    " AND (experiment NOT IN (SELECT experiment FROM capacity_look) OR experiment IN (SELECT "
    "experiment FROM (SELECT experiment, row_number() OVER (PARTITION BY question, kept = 'yes' "
    "ORDER BY abs(value - answer), value) AS place FROM capacity_look WHERE position = 0) "
    "WHERE place = 1))";
enum {
    JOB = 2,
    SUBMITTED,
    WAITED,
    CUT,
    ENDED,
    DURATION,
    REVOCATIONS,
    GPUS,
    NODE,
    NODES,
    MODEL,
    NAME
};

#define JOBS_SHOWN 5 /* of an experiment */

static void write_job(const struct gangs_section *g, const char *name, char *const *job)
{
    bool none = job[ENDED][0] == '\0';
    page_row_open(g->page, name);
    page_cell(g->page, text_format("%s%s%s", job[JOB], job[NAME][0] != '\0' ? " " : "",
                                   text_name(job[NAME], 32).at)
                           .at);
    page_cell(g->page, text_value(strtod(job[SUBMITTED], NULL), TEXT_TIME).at);
    page_cell(g->page, text_format("%s%s", job[CUT][0] == '1' ? "> " : "",
                                   text_value(strtod(job[WAITED], NULL), TEXT_TIME).at)
                           .at);
    page_cell(g->page, text_value(none ? (double)NAN : strtod(job[ENDED], NULL), TEXT_TIME).at);
    page_cell(g->page, text_value(strtod(job[DURATION], NULL), TEXT_TIME).at);
    page_cell(g->page, job[REVOCATIONS]);
    page_cell(g->page, text_value(strtod(job[GPUS], NULL), TEXT_NUMBER).at);
    page_cell(g->page, job[NODE][0] == '\0' ? "-" : job[NODE]);
    page_cell(g->page, job[NODES][0] == '\0' ? "-" : job[NODES]);
    page_cell(g->page, job[MODEL][0] == '\0' ? "-" : job[MODEL]);
    page_row_close(g->page);
}

static int write_jobs(const struct gangs_section *g, struct dcs_err *err)
{
    static const char *const heads[] = {"experiment", "job",      "submitted", "waited",
                                        "ended",      "runs for", "revoked",   "GPUs",
                                        "first node", "nodes",    "model"};
    struct report_texts jobs;
    bool has, searched;
    if (report_has(g->data, "whole_job", &has, err) != 0 ||
        report_has(g->data, "capacity_look", &searched, err) != 0)
        return -1;
    struct text_buffer statement = {0};
    text_append(&statement, jobs_statement, searched ? of_search : "", JOBS_SHOWN);
    int status = has ? report_texts(&jobs, g->data, statement.text, 10000, err) : 0;
    free(statement.text);
    if (!has || status != 0)
        return status;
    if (jobs.count > 0) {
        page_table_open(g->page, "Jobs that waited longest", heads, sizeof heads / sizeof heads[0]);
        for (size_t row = 0, shown = 0; row < g->t.count && shown < CHART_SERIES; row++) {
            bool any = false;
            for (size_t i = 0; i < jobs.count; i++)
                if (strcmp(jobs.rows[i * jobs.columns],
                           g->t.rows[g->rows[row].of * g->t.columns]) == 0) {
                    write_job(g, g->rows[row].name, jobs.rows + i * jobs.columns);
                    any = true;
                }
            shown += any;
        }
        page_table_close(g->page);
    }
    report_texts_release(&jobs);
    return 0;
}

static void draw_parts(const struct gangs_section *g)
{
    struct chart_line lines[CHART_SERIES] = {0};
    struct chart_point points[CHART_SERIES][GANG_PARTS + 1];
    size_t count = g->t.count < CHART_SERIES ? g->t.count : CHART_SERIES;
    double most_ns = 0;
    for (size_t l = 0; l < count; l++)
        most_ns = fmax(most_ns, number_at(g, l, WINDOW));
    double unit_ns = most_ns >= 172800e9 ? 86400e9 : most_ns >= 7200e9 ? 3600e9 : 1e9;
    for (size_t l = 0; l < count; l++) {
        for (size_t i = 0; i <= GANG_PARTS; i++)
            points[l][i] = (struct chart_point){
                number_at(g, l, WINDOW) / unit_ns * (double)i / GANG_PARTS,
                number_at(g, l, PARTS + (i < GANG_PARTS ? i : i - 1)), (double)NAN, (double)NAN};
        lines[l] = (struct chart_line){g->rows[l].name, points[l], GANG_PARTS + 1, 0};
    }
    const struct chart c = {.title = "GPUs held over time",
                            .x = {.label = unit_ns > 3600e9 ? "days since the first arrival"
                                           : unit_ns > 1e9  ? "hours since the first arrival"
                                                            : "seconds since the first arrival"},
                            .y = {.label = "share of all GPUs", .unit = TEXT_PERCENT},
                            .shape = CHART_STEPS,
                            .closed = true,
                            .lines = lines,
                            .lines_count = count,
                            .mark = (double)NAN};
    page_raw(g->page, "<div class=\"figures\">\n");
    chart_lines(g->page, &c);
    page_raw(g->page, "</div>\n");
}

int report_gangs_alone(const struct report_data *d, bool *all, struct dcs_err *err)
{
    struct report_texts t;
    if (report_texts(&t, d, "SELECT min(" OF_GANGS ") FROM experiment e WHERE " REPORT_SOME_RUN, 1,
                     err) != 0)
        return -1;
    *all = t.count > 0 && strcmp(t.rows[0], "1") == 0;
    report_texts_release(&t);
    return 0;
}

/* class: NULL, of all jobs. */
static void append_column(struct text_buffer *sql, const char *metric, const char *class,
                          const char *what)
{
    text_append(sql, ", max(CASE WHEN s.name = '%s' AND s.class IS %s%s%s THEN s.%s END)", metric,
                class != NULL ? "'" : "", class != NULL ? class : "NULL", class != NULL ? "'" : "",
                what);
}

static char *make_statement(void)
{
    struct text_buffer sql = {0};
    text_append(&sql, "SELECT e.id");
    for (size_t i = 0; i < LOWS; i++)
        append_column(&sql, i < COLUMNS ? columns[i].metric : gang_parts[i - PARTS],
                      i < COLUMNS ? columns[i].class : NULL, "value");
    for (size_t i = 0; i < 2 * COLUMNS; i++)
        append_column(&sql, columns[i % COLUMNS].metric, columns[i % COLUMNS].class,
                      i < COLUMNS ? "low" : "high");
    text_append(&sql,
                " FROM experiment e JOIN summary s ON s.experiment = e.id WHERE s.app IS NULL "
                "AND " OF_GANGS " GROUP BY e.id ORDER BY e.id");
    return sql.text;
}

int report_gangs_section(struct page *p, const struct report_data *d, struct dcs_err *err)
{
    struct gangs_section g = {.page = p, .data = d};
    char *sql = make_statement();
    int status = report_texts(&g.t, d, sql, 1000, err);
    free(sql);
    if (status != 0)
        return -1;
    if (g.t.count > 0) {
        sort_rows(&g);
        page_raw(p, "<section aria-labelledby=\"gangs\"><h2 id=\"gangs\">Whole jobs</h2>\n");
        write_table(&g);
        draw_parts(&g);
        status = write_jobs(&g, err);
        page_raw(
            p, "<p class=\"note\">Waits are from arrival to the first start; bounded: of jobs "
               "below 10 s as if they took 10 s. Means are of jobs that started, quantiles take "
               "the others as cut off (&gt; x: x is the least that it can be). GPUs held: of all "
               "GPUs, in the mean, until the last job has ended or to the horizon. Due by the last "
               "arrival: what jobs asked for until then, of all that the GPUs have; from 100 %% "
               "on no order keeps up.");
        if (is_shown(&g, LEFT_OUT))
            page_raw(p,
                     " Left out: jobs of the trace that no number is of, as from_s, until_s, the "
                     "horizon or cluster.queue.misfits leave them out.");
        if (g.t.count > CHART_SERIES)
            page_format(p, " The figure has the first %d experiments.", CHART_SERIES);
        page_raw(p, "%s</p>\n</section>\n", g.t.more ? " And more experiments." : "");
    }
    for (size_t i = 0; i < g.t.count; i++)
        free(g.rows[i].name);
    free(g.rows);
    report_texts_release(&g.t);
    return status;
}
