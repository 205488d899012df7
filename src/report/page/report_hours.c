/* report_hours.c - see report_hours.h. */
#include "report/page/report_hours.h"

#include "report/page/report_chart.h"
#include "runs/time_bins.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns of the statement, in its order. */
enum { EXPERIMENT, FROM, TO, LOAD, MET, WAITING, SMS, BUSY, COLUMNS };

/* Over the replications of an experiment: sums of requests, means of levels. The load is that of
 * latency applications where there are some: closed loops of batch work send what they are let. */
static const char statement[] =
    "WITH load AS (SELECT experiment, replication, bin, sum(CASE WHEN class = 'latency' THEN "
    "arrived END) AS latency, sum(arrived) AS arrived, sum(decided) AS decided, sum(met) AS met "
    "FROM bin_requests JOIN application USING (experiment, app) GROUP BY 1, 2, 3) "
    "SELECT d.experiment, min(d.from_ns), max(d.to_ns), 1e9 * sum(coalesce(latency, CASE WHEN "
    "EXISTS "
    "(SELECT 1 FROM application a WHERE a.experiment = d.experiment AND class = 'latency') THEN 0 "
    "ELSE arrived END, 0)) / sum(d.to_ns - d.from_ns), 1.0 * sum(met) / sum(decided), "
    "avg(d.waiting), avg(d.sms), avg(d.busy) / e.devices FROM bin_devices d JOIN experiment e ON "
    "e.id = d.experiment LEFT JOIN load USING (experiment, replication, bin) GROUP BY "
    "d.experiment, d.bin ORDER BY d.experiment, d.bin";

struct hours {
    const struct report_data *data;
    struct report_texts t;
    size_t first[CHART_SERIES + 1]; /* rows of each experiment that is drawn */
    size_t count;
    bool more;
    char *names[CHART_SERIES];
    double unit_ns;
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

static void find_experiments(struct hours *h)
{
    const struct report_texts *t = &h->t;
    double most_ns = 0;
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
    }
    h->unit_ns = most_ns >= 7200e9 ? 3600e9 : most_ns >= 300e9 ? 60e9 : 1e9;
    h->unit = most_ns >= 7200e9 ? "hours" : most_ns >= 300e9 ? "minutes" : "seconds";
}

static void draw_column(struct page *p, const struct hours *h, size_t column, const char *title,
                        const struct chart_axis *y)
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
                (struct chart_point){number_at(h, i, FROM) / h->unit_ns, number_at(h, i, column),
                                     (double)NAN, (double)NAN};
        line->points[line->count] = line->points[line->count - 1]; /* up to the end */
        line->points[line->count++].x = number_at(h, to - 1, TO) / h->unit_ns;
        for (size_t i = 0; i < line->count; i++)
            points += !isnan(line->points[i].y);
        count++;
    }
    struct text x = text_format("%s since the begin", h->unit);
    const struct chart c = {.title = title,
                            .x = {.label = x.at},
                            .y = *y,
                            .shape = CHART_STEPS,
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
    page_format(p, "%s of the requests that arrived from %.4g to %.4g %s, under %s",
                text_value(number_at(h, worst, MET), TEXT_PERCENT).at,
                number_at(h, worst, FROM) / h->unit_ns, number_at(h, worst, TO) / h->unit_ns,
                h->unit, h->names[of]);
    page_raw(p, ".</p>\n");
}

static void write_hours(struct page *p, const struct hours *h)
{
    bool sms = false;
    for (size_t i = 0; i < h->first[h->count]; i++)
        sms = sms || !isnan(number_at(h, i, SMS));
    page_raw(p, "<section aria-labelledby=\"hours\"><h2 id=\"hours\">By time of day</h2>\n");
    say_worst(p, h);
    page_raw(p, "<div class=\"figures\">\n");
    draw_column(p, h, LOAD, "Load over time",
                &(struct chart_axis){.label = "requests that arrive, per second"});
    draw_column(p, h, MET, "Share of the requests in time",
                &(struct chart_axis){.label = "within SLA", .unit = TEXT_PERCENT});
    draw_column(p, h, WAITING, "Queue over time",
                &(struct chart_axis){.label = "requests that wait"});
    if (sms)
        draw_column(p, h, SMS, "SMs in use over time",
                    &(struct chart_axis){.label = "SMs allotted to what runs"});
    else
        draw_column(p, h, BUSY, "Devices in use over time",
                    &(struct chart_axis){.label = "busy devices", .unit = TEXT_PERCENT});
    page_raw(p, "</div>\n<p class=\"note\">Requests count where they arrived; sums and means over "
                "the runs of an experiment, with the warm-up.");
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
    if (report_texts(&h.t, d, statement, (size_t)TIME_BINS_MAX * CHART_SERIES, err) != 0)
        return -1;
    if (h.t.count > 0) {
        find_experiments(&h);
        write_hours(p, &h);
    }
    for (size_t l = 0; l < h.count; l++)
        free(h.names[l]);
    report_texts_release(&h.t);
    return 0;
}
