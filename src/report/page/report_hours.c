/* report_hours.c - see report_hours.h. */
#include "report/page/report_hours.h"

#include "report/page/report_chart.h"
#include "runs/time_bins.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns of the statement, in its order. */
enum { EXPERIMENT, FROM, TO, LOAD, MET, WAITING, SMS, BUSY, DAYS, JOBS };

#define DAY_NS "86400000000000"

/* Over the replications of an experiment, and where a run is longer than a day over its days, of
 * the parts at the same time of day: sums of requests or whole jobs, means of levels. The load is
 * that of latency applications where there are some: closed loops of batch work send what they are
 * let. Days are folded only where the parts of one lie where those of the others do; the first row
 * of an experiment's parts is then that of its day. */
#define LEVEL(of) "sum(d." of " * (d.to_ns - d.from_ns)) / sum(d.to_ns - d.from_ns), "
static const char statement[] =
    "WITH fold AS (SELECT experiment, max(to_ns) AS end_ns, CASE WHEN max(to_ns) > " DAY_NS
    " AND " DAY_NS " % min(CASE WHEN bin = 1 THEN from_ns END) = 0 THEN " DAY_NS
    " ELSE 1 << 62 END AS ns "
    "FROM bin_devices GROUP BY experiment), load AS (SELECT experiment, replication, bin, sum(CASE "
    "WHEN class = 'latency' THEN "
    "arrived END) AS latency, sum(arrived) AS arrived, sum(decided) AS decided, sum(met) AS met, "
    "0 AS is_job "
    "FROM bin_requests JOIN application USING (experiment, app) GROUP BY 1, 2, 3%s) "
    "SELECT d.experiment, min(d.from_ns % f.ns), min(d.from_ns % f.ns) + max(d.to_ns - d.from_ns), "
    "1e9 * sum(coalesce(latency, CASE WHEN EXISTS "
    "(SELECT 1 FROM application a WHERE a.experiment = d.experiment AND class = 'latency') THEN 0 "
    "ELSE arrived END, 0)) / sum(d.to_ns - d.from_ns), 1.0 * sum(met) / sum(decided), " LEVEL(
        "waiting") LEVEL("sms")
        LEVEL("busy / e.devices") "CASE WHEN f.ns < 1 << 62 THEN 1.0 * f.end_ns / f.ns END, "
                                  "max(is_job) "
                                  "FROM bin_devices d JOIN experiment e ON e.id = d.experiment "
                                  "JOIN fold f USING (experiment) "
                                  "LEFT JOIN load USING (experiment, replication, bin) GROUP BY "
                                  "d.experiment, d.from_ns % f.ns ORDER BY d.experiment, d.from_ns "
                                  "% f.ns";
static const char of_jobs[] =
    " UNION ALL SELECT experiment, replication, bin, NULL, arrived, NULL, NULL, 1 FROM bin_jobs";

static char *make_statement(bool has_jobs)
{
    struct text_buffer sql = {0};
    const char *at = strstr(statement, "%s");
    text_append(&sql, "%.*s%s%s", (int)(at - statement), statement, has_jobs ? of_jobs : "",
                at + 2);
    return sql.text;
}

struct hours {
    const struct report_data *data;
    struct report_texts t;
    size_t first[CHART_SERIES + 1]; /* rows of each experiment that is drawn */
    size_t count;
    bool more;
    char *names[CHART_SERIES];
    double unit_ns, days; /* days: NaN: none are folded */
    bool jobs;            /* whole jobs alone */
    const char *unit;
};

static double number_at(const struct hours *h, size_t row, size_t column)
{
    const char *text = h->t.rows[row * h->t.columns + column];
    return text[0] != '\0' ? strtod(text, NULL) : (double)NAN;
}

static char *name_of(const struct report_data *d, const char *id)
{
    const struct report_point *p = report_point_of(d, strtoll(id, NULL, 10));
    if (p == NULL)
        return dcs_strdup(id);
    const char *heading = d->groups.groups[p->world].heading;
    struct text_buffer name = {0};
    text_append(&name, "%s%s%s", p->system->label, heading[0] != '\0' ? ", " : "", heading);
    return name.text;
}

/* A row of the statement. */
struct part {
    const struct report_point *point;
    size_t at; /* in the statement's order */
    char **cells;
};

static int by_point(const void *left, const void *right)
{
    const struct part *a = left, *b = right;
    int order = report_point_order(a->point, b->point);
    return order != 0 ? order : (a->at > b->at) - (a->at < b->at);
}

/* Brings the rows into the order of the experiments on the page. */
static void sort_parts(struct hours *h)
{
    struct report_texts *t = &h->t;
    struct part *parts = dcs_alloc(t->count + 1, sizeof *parts);
    char **rows = dcs_alloc(t->count * t->columns + 1, sizeof *rows);
    for (size_t i = 0; i < t->count; i++) {
        char **cells = &t->rows[i * t->columns];
        parts[i] = (struct part){report_point_of(h->data, strtoll(cells[0], NULL, 10)), i, cells};
    }
    qsort(parts, t->count, sizeof *parts, by_point);
    for (size_t i = 0; i < t->count; i++)
        memcpy(&rows[i * t->columns], parts[i].cells, t->columns * sizeof *rows);
    free(t->rows);
    free(parts);
    t->rows = rows;
}

static void find_experiments(struct hours *h)
{
    const struct report_texts *t = &h->t;
    double most_ns = 0;
    h->jobs = true;
    h->days = (double)NAN;
    for (size_t i = 0; i < t->count && !h->more; i++) {
        const char *id = t->rows[i * t->columns + EXPERIMENT];
        bool another = i == 0 || strcmp(id, t->rows[(i - 1) * t->columns + EXPERIMENT]) != 0;
        h->more = another && h->count == CHART_SERIES;
        if (h->more)
            break;
        if (another) {
            h->first[h->count] = i;
            h->names[h->count++] = name_of(h->data, id);
        }
        h->first[h->count] = i + 1; /* where it ends */
        most_ns = fmax(most_ns, number_at(h, i, TO));
        h->days = fmax(h->days, number_at(h, i, DAYS));
        h->jobs = h->jobs && number_at(h, i, JOBS) != 0;
    }
    h->unit_ns = most_ns >= 7200e9 ? 3600e9 : most_ns >= 300e9 ? 60e9 : 1e9;
    h->unit = most_ns >= 7200e9 ? "hours" : most_ns >= 300e9 ? "minutes" : "seconds";
}

/* times: what the values are multiplied by. */
static void draw_column(struct page *p, const struct hours *h, size_t column, const char *title,
                        const struct chart_axis *y, double times)
{
    struct chart_line lines[CHART_SERIES] = {0};
    size_t count = 0, points = 0;
    for (size_t l = 0; l < h->count; l++) {
        size_t from = h->first[l], to = h->first[l + 1];
        struct chart_line *line = &lines[count];
        *line = (struct chart_line){.name = h->names[l],
                                    .points = dcs_alloc(to - from + 2, sizeof *line->points)};
        for (size_t i = from; i < to; i++)
            line->points[line->count++] =
                (struct chart_point){number_at(h, i, FROM) / h->unit_ns,
                                     times * number_at(h, i, column), (double)NAN, (double)NAN};
        line->points[line->count] = line->points[line->count - 1]; /* up to the end */
        line->points[line->count++].x = number_at(h, to - 1, TO) / h->unit_ns;
        for (size_t i = 0; i < line->count; i++)
            points += !isnan(line->points[i].y);
        count++;
    }
    struct text x =
        text_format("%s since the begin%s", h->unit, isnan(h->days) ? "" : ", of each day");
    const struct chart c = {.title = title,
                            .x = {.label = x.at},
                            .y = *y,
                            .shape = CHART_STEPS,
                            .closed = true,
                            .lines = lines,
                            .lines_count = count,
                            .mark = (double)NAN};
    if (points > 0)
        chart_lines(p, &c);
    for (size_t l = 0; l < count; l++)
        free(lines[l].points);
}

/* Which part is the worst of all. */
static void say_worst(struct page *p, const struct hours *h)
{
    size_t worst = SIZE_MAX, of = 0;
    for (size_t l = 0; l < h->count; l++)
        for (size_t i = h->first[l]; i < h->first[l + 1]; i++)
            if (!isnan(number_at(h, i, MET)) &&
                (worst == SIZE_MAX || number_at(h, i, MET) < number_at(h, worst, MET))) {
                worst = i;
                of = l;
            }
    if (worst == SIZE_MAX)
        return;
    page_raw(p, "<p>Fewest in time: ");
    page_format(p, "%s of the requests that arrived from %.4g to %.4g %s%s, under %s",
                text_value(number_at(h, worst, MET), TEXT_PERCENT).at,
                number_at(h, worst, FROM) / h->unit_ns, number_at(h, worst, TO) / h->unit_ns,
                h->unit, isnan(h->days) ? "" : " of a day", h->names[of]);
    page_raw(p, ".</p>\n");
}

/* In the shortest of these in which one arrives, at the busiest time. */
static void draw_load(struct page *p, const struct hours *h)
{
    static const struct {
        double seconds;
        const char *name;
    } units[] = {{1, "second"}, {60, "minute"}, {3600, "hour"}, {86400, "day"}};
    double most = 0;
    size_t u = 0;
    for (size_t i = 0; i < h->first[h->count]; i++)
        most = fmax(most, number_at(h, i, LOAD));
    while (u < 3 && most > 0 && most * units[u].seconds < 1)
        u++;
    struct text label =
        text_format("%s that arrive, per %s", h->jobs ? "jobs" : "requests", units[u].name);
    draw_column(p, h, LOAD, "Load over time", &(struct chart_axis){.label = label.at},
                units[u].seconds);
}

static void write_hours(struct page *p, const struct hours *h)
{
    bool sms = false;
    for (size_t i = 0; i < h->first[h->count]; i++)
        sms = sms || !isnan(number_at(h, i, SMS));
    page_raw(p,
             "<section aria-labelledby=\"hours\"><h2 id=\"hours\">By time since the begin%s</h2>\n",
             isnan(h->days) ? "" : ", days folded");
    say_worst(p, h);
    page_raw(p, "<div class=\"figures\">\n");
    draw_load(p, h);
    draw_column(p, h, MET, "Share of the requests in time",
                &(struct chart_axis){.label = "within SLA", .unit = TEXT_PERCENT}, 1);
    draw_column(p, h, WAITING, "Queue over time",
                &(struct chart_axis){.label = h->jobs ? "jobs that wait" : "requests that wait"},
                1);
    if (sms)
        draw_column(p, h, SMS, "SMs in use over time",
                    &(struct chart_axis){.label = "SMs allotted to what runs"}, 1);
    else
        draw_column(p, h, BUSY, "Devices in use over time",
                    &(struct chart_axis){.label = h->jobs ? "GPUs that are held" : "busy devices",
                                         .unit = TEXT_PERCENT},
                    1);
    page_raw(p, "</div>\n<p class=\"note\">");
    page_raw(
        p, h->jobs ? "Jobs count where they arrived; sums and means over the runs of an experiment."
                   : "Requests count where they arrived; sums and means over the runs of an "
                     "experiment, with the warm-up.");
    if (!isnan(h->days))
        page_format(
            p,
            " Parts at the same time since the begin of a day are averaged over the days of "
            "a run, %.3g at the most. A day begins with the run, not at midnight.",
            h->days);
    if (h->more)
        page_format(p, " The first %d experiments that kept it.", CHART_SERIES);
    page_raw(p, "</p>\n</section>\n");
}

int report_hours(struct page *p, const struct report_data *d, struct dcs_err *err)
{
    struct hours h = {.data = d};
    bool has;
    if (report_has(d, "bin_devices", &has, err) != 0)
        return -1;
    if (!has)
        return 0;
    if (report_has(d, "bin_jobs", &has, err) != 0)
        return -1;
    char *sql = make_statement(has);
    int status = report_texts(&h.t, d, sql, (size_t)TIME_BINS_MAX * CHART_SERIES, err);
    free(sql);
    if (status != 0)
        return -1;
    if (h.t.count > 0) {
        sort_parts(&h);
        find_experiments(&h);
        write_hours(p, &h);
    }
    for (size_t l = 0; l < h.count; l++)
        free(h.names[l]);
    report_texts_release(&h.t);
    return 0;
}
