/* report_responses.c - see report_responses.h. */
#include "report/page/report_responses.h"

#include "report/page/report_chart.h"

#include <math.h>
#include <stdlib.h>

/* How hard a world is: its largest share of late requests. Below all others lie worlds in which a
 * policy is overloaded: response times there grow with the length of a run. */
static double hardness(const struct report_data *d, const struct compare_group *world)
{
    double late = 0;
    bool overloaded = false;
    for (size_t s = 0; s < world->count; s++) {
        const struct report_point *q = &d->points[world->systems[s] - d->groups.systems];
        late = fmax(late, 1 - q->values[REPORT_SLA_MET].value); /* NaN is passed over */
        overloaded = overloaded || q->system->overloaded;
    }
    return overloaded ? -1 - late : late;
}

/* The world that most experiments met; of several the hardest without an overload, or else the
 * easiest. */
static const struct compare_group *choose_world(const struct report_data *d)
{
    const struct compare_group *best = &d->groups.groups[0];
    for (size_t w = 1; w < d->groups.count; w++) {
        const struct compare_group *world = &d->groups.groups[w];
        if (world->count > best->count ||
            (world->count == best->count && hardness(d, world) > hardness(d, best)))
            best = world;
    }
    return best;
}

static void fill_times(struct chart_line *line, const struct report_times *t)
{
    line->count = t->count;
    line->points = dcs_alloc(t->count + 1, sizeof *line->points);
    for (size_t i = 0; i < t->count; i++)
        line->points[i] = (struct chart_point){(double)t->high_ns[i],
                                               (double)t->below[i] / (double)t->below[t->count - 1],
                                               (double)NAN, (double)NAN};
}

/* One line; false: nothing was completed. */
static int add_times(struct chart_line *line, const struct report_data *d, int64_t id,
                     const char *class, const char *application, struct dcs_err *err)
{
    struct report_times t;
    if (report_times_read(&t, d, &id, 1, class, application, err) != 0)
        return -1;
    if (t.count > 0)
        fill_times(line, &t);
    report_times_release(&t);
    return 0;
}

/* The one SLA that all latency requests of an experiment have, NaN: none, or they differ. */
static int read_sla(const struct report_data *d, int64_t id, double *sla_ns, bool *differ,
                    struct dcs_err *err)
{
    struct report_texts t;
    struct text_buffer sql = {0};
    text_append(&sql,
                "SELECT workload_sla_ns FROM application WHERE experiment = %lld AND class = "
                "'latency' UNION SELECT sla_ns FROM service WHERE experiment = %lld",
                (long long)id, (long long)id);
    int status = report_texts(&t, d, sql.text, 2, err);
    free(sql.text);
    if (status != 0)
        return -1;
    *sla_ns = t.count == 1 && t.rows[0][0] != '\0' ? strtod(t.rows[0], NULL) : (double)NAN;
    *differ = t.count > 1;
    report_texts_release(&t);
    return 0;
}

/* The applications of a class that completed most requests. */
static int read_applications(struct report_texts *t, const struct report_data *d, int64_t id,
                             const char *class, struct dcs_err *err)
{
    struct text_buffer sql = {0};
    text_append(&sql,
                "SELECT name FROM application a JOIN response r USING (experiment, app) WHERE "
                "experiment = %lld AND class = '%s' GROUP BY app ORDER BY sum(r.count) DESC, app",
                (long long)id, class);
    int status = report_texts(t, d, sql.text, CHART_SERIES, err);
    free(sql.text);
    return status;
}

int report_responses(struct page *p, const struct report_data *d, const char *class,
                     struct dcs_err *err)
{
    const struct compare_group *world = choose_world(d);
    struct chart_line lines[CHART_SERIES] = {0};
    struct report_texts names = {0};
    struct text_buffer note = {0};
    size_t n = 0;
    bool alone = world->count == 1;
    int status = alone ? read_applications(&names, d, world->systems[0]->id, class, err) : 0;
    size_t all = alone ? names.count : world->count;
    for (size_t i = 0; i < all && n < CHART_SERIES && status == 0; i++) {
        const struct compare_system *s = world->systems[alone ? 0 : i];
        status = add_times(&lines[n], d, s->id, class, alone ? names.rows[i] : NULL, err);
        if (lines[n].count > 0)
            lines[n++].name = alone ? names.rows[i] : s->label;
    }
    double sla_ns = (double)NAN;
    bool differ = false;
    if (status == 0 && class[0] == 'l')
        status = read_sla(d, world->systems[0]->id, &sla_ns, &differ, err);
    text_append(&note, "Requests that were completed, of all replications together.");
    if (differ)
        text_append(&note, " Not all have the same SLA: no line marks it.");
    if (alone && d->labels_count > 1)
        text_append(&note, " Under %s.", world->systems[0]->label);
    if (world->heading[0] != '\0')
        text_append(&note, " Where %s.", world->heading);
    if (d->groups.count > 1)
        text_append(&note, "%s",
                    hardness(d, world) >= 0
                        ? " Of the worlds that most experiments met and that overload "
                          "no policy, this one has the most late requests."
                        : " Every world that most experiments met overloads a policy; "
                          "this one has the fewest late requests.");
    if (all > n && n == CHART_SERIES)
        text_append(&note, " The first %d of %zu.", CHART_SERIES, all);
    if (names.more)
        text_append(&note, " The %d applications that completed most requests.", CHART_SERIES);
    const struct chart c = {
        .title = class[0] == 'l' ? "Response times of latency requests"
                                 : "Response times of batch requests",
        .note = note.text,
        .x = {.label = "response time", .unit = TEXT_TIME, .log = true},
        .y = {.label = "completed within that time", .unit = TEXT_PERCENT, .whole = true},
        .shape = CHART_CDF,
        .lines = lines,
        .lines_count = n,
        .mark = sla_ns,
        .mark_as = "SLA"};
    if (status == 0 && n > 0)
        chart_lines(p, &c);
    for (size_t i = 0; i < n; i++)
        free(lines[i].points);
    report_texts_release(&names);
    free(note.text);
    return status;
}
