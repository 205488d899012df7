/*
 * report_figures.c - see report_figures.h.
 *
 *   over the axis      where a number of the config varies: one figure for each number shown
 *   in rows            applications that run together, or worlds, or policies
 *   against baseline   differences with their intervals
 *   response times     their distribution in one world
 *   over time          who had how much of a device, where that was kept
 */
#include "report/page/report_figures.h"

#include "report/page/report_chart.h"
#include "report/page/report_moment.h"
#include "report/page/report_responses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 40

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool any_value(const struct report_data *d, const struct report_shown *s)
{
    for (size_t i = 0; i < d->count; i++)
        if (!isnan(report_shown_value(&d->points[i], s).value))
            return true;
    return false;
}

/* The labels that are drawn: the baseline is always one of them. */
static size_t choose_labels(const struct report_data *d, size_t labels[CHART_SERIES])
{
    size_t n = least(d->labels_count, CHART_SERIES);
    for (size_t i = 0; i < n; i++)
        labels[i] = i;
    if (d->baseline >= n)
        labels[n - 1] = d->baseline;
    return n;
}

static void note_labels(struct text_buffer *note, const struct report_data *d)
{
    if (d->labels_count > CHART_SERIES)
        text_append(note, " Drawn are %d of %zu policies.", CHART_SERIES, d->labels_count);
}

/* The one SLA that all experiments have, NaN: there is none. */
static double common_sla(const struct report_data *d)
{
    double sla_ns = d->points[0].sla_low_ns;
    for (size_t i = 0; i < d->count; i++)
        if (d->points[i].sla_low_ns != sla_ns || d->points[i].sla_high_ns != sla_ns)
            return (double)NAN;
    return sla_ns;
}

/* What to draw it as in a figure of p99; NULL: nothing. */
static const char *sla_line(const struct report_data *d, const struct report_shown *s)
{
    return s->value == REPORT_P99 && !isnan(common_sla(d)) ? "SLA" : NULL;
}

/* Why a figure of p99 has no such line although there are SLAs. */
static void note_sla(struct text_buffer *note, const struct report_data *d,
                     const struct report_shown *s)
{
    bool any = false;
    for (size_t i = 0; i < d->count; i++)
        any = any || !isnan(d->points[i].sla_low_ns);
    if (s->value == REPORT_P99 && any && sla_line(d, s) == NULL)
        text_append(note, " Not all have the same SLA: no line marks it.");
}

/* ---- Over the axis ---- */

static int by_family(const void *a, const void *b)
{
    return strcmp((*(const struct report_point *const *)a)->family,
                  (*(const struct report_point *const *)b)->family);
}

static int by_x(const void *a, const void *b)
{
    double x = (*(const struct report_point *const *)a)->x;
    double y = (*(const struct report_point *const *)b)->x;
    return x < y ? -1 : x > y;
}

static int by_x_and_label(const void *a, const void *b)
{
    const struct report_point *p = *(const struct report_point *const *)a;
    const struct report_point *q = *(const struct report_point *const *)b;
    int order = by_x(a, b);
    if (order != 0)
        return order;
    return p->label < q->label ? -1 : p->label > q->label;
}

/* Whether no two experiments of a policy have the same place on the axis. */
static bool stand_apart(const struct report_data *d, const struct report_point **chosen)
{
    qsort(chosen, d->count, sizeof *chosen, by_x_and_label);
    for (size_t i = 1; i < d->count; i++)
        if (by_x_and_label(&chosen[i - 1], &chosen[i]) == 0)
            return false;
    return true;
}

/* Which points are drawn. Families of the same size are a grid, and are taken together; of others
 * the largest stands for all. Says so in the note. Returns how many. */
static size_t choose_family(const struct report_data *d, const struct report_point **chosen,
                            struct text_buffer *note)
{
    size_t families = 0, first = 0, most = 0, fewest = SIZE_MAX, n;
    for (size_t i = 0; i < d->count; i++)
        chosen[i] = &d->points[i];
    qsort(chosen, d->count, sizeof *chosen, by_family);
    for (size_t i = 0; i < d->count; i += n, families++) {
        for (n = 1; i + n < d->count && strcmp(chosen[i]->family, chosen[i + n]->family) == 0;)
            n++;
        first = n > most ? i : first;
        most = n > most ? n : most;
        fewest = least(fewest, n);
    }
    if (most == 1 && families > 1 && stand_apart(d, chosen)) {
        text_append(note, "Each point is an experiment; other keys differ from point to point too. "
                          "Bars: 95 %% intervals.");
        return d->count;
    }
    if (fewest == most && families > 2) {
        text_append(note,
                    "Each point is the mean over %zu settings of what else varies; the bars "
                    "are their range.",
                    families);
        return d->count;
    }
    text_append(note, "Bars: 95 %% intervals.");
    if (families == 1)
        return d->count;
    text_append(note,
                " Drawn is the largest of %zu sets of experiments that differ in this and the "
                "policy alone: %zu of %zu experiments.",
                families, most, d->count);
    memmove(chosen, chosen + first, most * sizeof *chosen);
    return most;
}

/* chosen: by x. */
static void fill_line(struct chart_line *line, const struct report_point *const *chosen, size_t n,
                      size_t label, const struct report_shown *s)
{
    struct dcs_estimate *values = dcs_alloc(n + 1, sizeof *values);
    line->points = dcs_alloc(n + 1, sizeof *line->points);
    for (size_t i = 0, k; i < n; i = k) {
        size_t count = 0;
        for (k = i; k < n && chosen[k]->x == chosen[i]->x; k++)
            if (chosen[k]->label == label)
                values[count++] = report_shown_value(chosen[k], s);
        struct dcs_estimate e = report_together(values, count);
        if (!isnan(e.value))
            line->points[line->count++] =
                (struct chart_point){chosen[i]->x, e.value, e.low, e.high};
    }
    free(values);
}

/* Where experiments of the policies that are drawn have no value. chosen: by x. */
static void note_missing(struct text_buffer *note, const struct report_point *const *chosen,
                         size_t n, const size_t *labels, size_t labels_count,
                         const struct report_shown *s)
{
    double *places = dcs_alloc(n + 1, sizeof *places);
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        bool drawn = false;
        for (size_t l = 0; l < labels_count; l++)
            drawn = drawn || chosen[i]->label == labels[l];
        if (drawn && isnan(report_shown_value(chosen[i], s).value) &&
            (count == 0 || chosen[i]->x != places[count - 1]))
            places[count++] = chosen[i]->x;
    }
    chart_note_missing(note, places, count);
    free(places);
}

/* A time that an overload drives up would flatten all others. */
static bool spans_decades(const struct chart_line *lines, size_t count, double level)
{
    double low = fmin((double)INFINITY, level), high = fmax(0, level);
    for (size_t l = 0; l < count; l++)
        for (size_t i = 0; i < lines[l].count; i++) {
            low = fmin(low, lines[l].points[i].y);
            high = fmax(high, lines[l].points[i].y);
        }
    return low > 0 && high > 20 * low;
}

static void over_axis(struct page *p, const struct report_data *d)
{
    const struct report_point **chosen = dcs_alloc(d->count + 1, sizeof *chosen);
    struct text_buffer note = {0};
    size_t n = choose_family(d, chosen, &note), labels[CHART_SERIES];
    qsort(chosen, n, sizeof *chosen, by_x);
    bool one_value = n == 0 || chosen[0]->x == chosen[n - 1]->x; /* nothing to draw a line over */
    size_t labels_count = choose_labels(d, labels);
    note_labels(&note, d);
    char *axis_name = compare_plain_key(d->axis);
    for (size_t which = 0; which < SHOWN_COUNT && !one_value; which++) {
        const struct report_shown *s = report_shown(d, which);
        if (!any_value(d, s))
            continue;
        struct chart_line lines[CHART_SERIES] = {0};
        size_t points = 0;
        for (size_t l = 0; l < labels_count; l++) {
            lines[l].name = d->labels[labels[l]];
            fill_line(&lines[l], chosen, n, labels[l], s);
            points += lines[l].count;
        }
        struct text x = text_name(axis_name, 50);
        struct text_buffer all_notes = {0};
        text_append(&all_notes, "%s", note.text);
        note_missing(&all_notes, chosen, n, labels, labels_count, s);
        note_sla(&all_notes, d, s);
        const struct chart c = {
            .title = s->title,
            .note = all_notes.text,
            .x = {.label = x.at},
            .y = {.label = s->label,
                  .unit = s->unit,
                  .log = s->unit == TEXT_TIME && spans_decades(lines, labels_count, common_sla(d))},
            .lines = lines,
            .lines_count = labels_count,
            .mark = (double)NAN,
            .level = common_sla(d),
            .level_as = sla_line(d, s)};
        if (points > 0)
            chart_lines(p, &c);
        free(all_notes.text);
        for (size_t l = 0; l < labels_count; l++)
            free(lines[l].points);
    }
    free(axis_name);
    free(note.text);
    free(chosen);
}

/* ---- In rows ---- */

/* What a row stands for. */
enum kind { OF_MIX, OF_WORLD, OF_LABEL };

struct row {
    char *name;
    double worst; /* share of late requests */
};

static const char *row_name(const struct report_data *d, const struct report_point *p,
                            enum kind kind)
{
    const char *heading = d->groups.groups[p->world].heading;
    return kind == OF_MIX     ? p->mix
           : kind == OF_LABEL ? d->labels[p->label]
           : heading[0]       ? heading
                              : "all";
}

static int by_row_name(const void *a, const void *b)
{
    return strcmp(((const struct row *)a)->name, ((const struct row *)b)->name);
}

static int by_worst(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    return x->worst > y->worst ? -1 : x->worst < y->worst ? 1 : strcmp(x->name, y->name);
}

/* Rows by name, at most ROWS_MAX of them: those with most late requests. */
static struct row *make_rows(const struct report_data *d, enum kind kind, size_t *count,
                             size_t *all)
{
    struct row *rows = dcs_alloc(d->count + 1, sizeof *rows);
    for (size_t i = 0; i < d->count; i++) {
        double met = d->points[i].values[REPORT_SLA_MET].value;
        rows[i] =
            (struct row){dcs_strdup(row_name(d, &d->points[i], kind)), isnan(met) ? -1 : 1 - met};
    }
    qsort(rows, d->count, sizeof *rows, by_row_name);
    size_t n = 0;
    for (size_t i = 0; i < d->count; i++) {
        if (n > 0 && strcmp(rows[n - 1].name, rows[i].name) == 0) {
            rows[n - 1].worst = fmax(rows[n - 1].worst, rows[i].worst);
            free(rows[i].name);
        } else {
            rows[n++] = rows[i];
        }
    }
    *all = n;
    *count = least(n, ROWS_MAX);
    if (n > ROWS_MAX) {
        qsort(rows, n, sizeof *rows, by_worst);
        for (size_t i = ROWS_MAX; i < n; i++)
            free(rows[i].name);
        qsort(rows, ROWS_MAX, sizeof *rows, by_row_name);
    }
    return rows;
}

/* An interval of seconds would flatten all that are of milliseconds. */
static bool dots_span_decades(const struct dcs_estimate *dots, size_t count, double mark)
{
    double low = fmin((double)INFINITY, mark), high = fmax(0, mark);
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, dots[i].value);
        high = fmax(high, fmax(dots[i].value, dots[i].high));
    }
    return low > 0 && high > 20 * low;
}

/* A time in the unit of the axis that has all of these. */
static double axis_unit(const struct dcs_estimate *dots, size_t count, double mark,
                        enum text_unit unit)
{
    double most = isnan(mark) ? 0 : mark;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fmax(fabs(dots[i].value), fmax(fabs(dots[i].low), fabs(dots[i].high))));
    return scale_of(&(struct chart_axis){.unit = unit}, 0, most).divisor;
}

static void draw_rows(struct page *p, const struct report_data *d, enum kind kind,
                      const struct row *rows, size_t rows_count, const struct report_shown *s,
                      const char *note)
{
    size_t labels[CHART_SERIES], series = kind == OF_LABEL ? 1 : choose_labels(d, labels);
    const char *names[CHART_SERIES] = {s->label};
    for (size_t l = 0; l < series && kind != OF_LABEL; l++)
        names[l] = d->labels[labels[l]];
    struct dcs_estimate *values = dcs_alloc(d->count + 1, sizeof *values);
    struct dcs_estimate *dots = dcs_alloc(rows_count * series + 1, sizeof *dots);
    struct chart_row *out = dcs_alloc(rows_count + 1, sizeof *out);
    struct text *texts = dcs_alloc(rows_count + 1, sizeof *texts);
    struct text_buffer all_notes = {0};
    bool missing = false;
    for (size_t r = 0; r < rows_count; r++) {
        for (size_t l = 0; l < series; l++) {
            size_t n = 0;
            for (size_t i = 0; i < d->count; i++) {
                const struct report_point *q = &d->points[i];
                if ((kind == OF_LABEL || q->label == labels[l]) &&
                    strcmp(row_name(d, q, kind), rows[r].name) == 0)
                    values[n++] = report_shown_value(q, s);
            }
            for (size_t i = 0; i < n; i++)
                missing = missing || isnan(values[i].value);
            dots[r * series + l] = report_together(values, n);
        }
    }
    text_append(&all_notes, "%s%s", note, missing ? CHART_MISSING "." : "");
    note_sla(&all_notes, d, s);
    double like = axis_unit(dots, rows_count * series, common_sla(d), s->unit);
    for (size_t r = 0; r < rows_count; r++) {
        texts[r] = text_estimate_like(&dots[r * series], s->unit, 2, like);
        out[r] =
            (struct chart_row){rows[r].name, series == 1 ? texts[r].at : NULL, dots + r * series};
    }
    const struct chart_dots c = {
        .title = s->title,
        .note = all_notes.text,
        .x = {.label = s->label,
              .unit = s->unit,
              .log = s->unit == TEXT_TIME &&
                     dots_span_decades(dots, rows_count * series, common_sla(d))},
        .series = names,
        .series_count = series,
        .rows = out,
        .rows_count = rows_count,
        .mark = common_sla(d),
        .mark_as = sla_line(d, s)};
    chart_dots(p, &c);
    free(all_notes.text);
    free(texts);
    free(out);
    free(dots);
    free(values);
}

static size_t count_mixes(const struct report_data *d)
{
    size_t rows_count, all;
    struct row *rows = make_rows(d, OF_MIX, &rows_count, &all);
    for (size_t r = 0; r < rows_count; r++)
        free(rows[r].name);
    free(rows);
    return all;
}

static void in_rows(struct page *p, const struct report_data *d)
{
    bool mixes = count_mixes(d) > 1;
    if (!mixes && (d->axis != NULL || d->count == 1))
        return;
    enum kind kind = mixes ? OF_MIX : d->groups.count > 1 ? OF_WORLD : OF_LABEL;
    size_t rows_count, all;
    struct row *rows = make_rows(d, kind, &rows_count, &all);
    struct text_buffer note = {0};
    text_append(&note, "%s",
                kind == OF_MIX     ? "A row: applications that run together."
                : kind == OF_WORLD ? "A row: experiments of one world."
                                   : "Lines: 95 % intervals.");
    if (all > rows_count)
        text_append(&note, " The %zu of %zu rows with the most late requests.", rows_count, all);
    if (mixes && d->axis != NULL)
        text_append(&note, " A dot is the mean over what else varies, a line its range.");
    if (kind != OF_LABEL)
        note_labels(&note, d);
    for (size_t which = 0; which < SHOWN_COUNT; which++) {
        const struct report_shown *s = report_shown(d, which);
        if (any_value(d, s))
            draw_rows(p, d, kind, rows, rows_count, s, note.text);
    }
    for (size_t r = 0; r < rows_count; r++)
        free(rows[r].name);
    free(rows);
    free(note.text);
}

/* ---- Against the baseline ---- */

static void against_baseline(struct page *p, const struct report_data *d,
                             const struct report_contest *c)
{
    struct text axis = text_format("difference to %.60s", text_name(d->labels[d->baseline], 30).at);
    for (size_t which = 0; which < SHOWN_COUNT && c->any; which++) {
        const struct report_shown *s = report_shown(d, which);
        struct chart_row rows[ROWS_MAX];
        struct dcs_estimate dots[ROWS_MAX];
        char *texts[ROWS_MAX];
        size_t n = 0, worlds = 0, of[ROWS_MAX];
        for (size_t l = 0; l < d->labels_count && n < ROWS_MAX; l++) {
            const struct report_rival *r = &c->rivals[which][l];
            if (r->worlds == 0)
                continue;
            worlds = r->worlds > worlds ? r->worlds : worlds;
            dots[n] = r->difference;
            of[n++] = l;
        }
        double like = axis_unit(dots, n, (double)NAN, s->unit);
        for (size_t i = 0; i < n; i++) {
            const struct report_rival *r = &c->rivals[which][of[i]];
            texts[i] = report_rival_text(r, s->unit, like, c->better[which]);
            /* The range over many worlds would not fit beside a label. */
            const char *text = r->worlds == 1 ? texts[i] : strchr(texts[i], ':') + 2;
            rows[i] = (struct chart_row){d->labels[of[i]], text, &dots[i]};
        }
        if (n == 0)
            continue;
        struct text_buffer title = {0}, note = {0};
        text_append(&title, "%s, against %s", s->title, d->labels[d->baseline]);
        text_append(&note, "%s",
                    worlds == 1 ? "Differences in the same replication, with 95 % intervals."
                                : "Dots: means of the differences in all worlds that both met; "
                                  "lines: their range; a world counts as better or worse where "
                                  "its 95 % interval leaves 0 out.");
        if (s->unit == TEXT_PERCENT)
            text_append(&note, " In percentage points.");
        if (s->value == REPORT_P99)
            text_append(&note, " Here each run has its own p99; the p99 of the table and of the "
                               "other figures is that of the requests of all runs together.");
        const char *const series[] = {s->label};
        const struct chart_dots chart = {.title = title.text,
                                         .note = note.text,
                                         .x = {.label = axis.at, .unit = s->unit},
                                         .difference = true,
                                         .series = series,
                                         .series_count = 1,
                                         .rows = rows,
                                         .rows_count = n};
        chart_dots(p, &chart);
        free(title.text);
        free(note.text);
        for (size_t i = 0; i < n; i++)
            free(texts[i]);
    }
}

/* ---- Over time ---- */

#define TIME_BINS 150

static void draw_shares(struct page *p, const struct report_shares *s, struct chart c)
{
    struct chart_line lines[CHART_SERIES] = {0};
    size_t n = least(s->names_count, CHART_SERIES);
    if (s->count == 0 || n == 0)
        return;
    for (size_t l = 0; l < n; l++) {
        lines[l] = (struct chart_line){s->names[l], dcs_alloc(s->count, sizeof *lines[l].points),
                                       s->count, 0};
        for (size_t i = 0; i < s->count; i++)
            lines[l].points[i] = (struct chart_point){s->at_ns[i], s->values[l * s->count + i],
                                                      (double)NAN, (double)NAN};
    }
    c.lines = lines;
    c.lines_count = n;
    c.mark = (double)NAN;
    c.x = (struct chart_axis){.label = "simulated time", .unit = TEXT_TIME};
    chart_lines(p, &c);
    for (size_t l = 0; l < n; l++)
        free(lines[l].points);
}

static int over_time(struct page *p, const struct report_data *d, struct dcs_err *err)
{
    struct report_shares s;
    struct text_buffer note = {0};
    if (report_occupancy_read(&s, d, TIME_BINS, err) != 0)
        return -1;
    text_append(&note,
                "Mean over %d equal times of a run (%s), from the latest launch of each request "
                "to its completion; earlier kernels, and work that was revoked, are not in it.",
                TIME_BINS, s.run != NULL ? s.run : "");
    struct chart running = {.title = "Which class runs over time",
                            .note = note.text,
                            .y = {.label = "requests that run"},
                            .shape = CHART_STACK};
    draw_shares(p, &s, running);
    report_shares_release(&s);
    free(note.text);
    return 0;
}

int report_figures(struct page *p, const struct report_data *d, const struct report_contest *c,
                   struct dcs_err *err)
{
    page_raw(p, "<div class=\"figures\">\n");
    if (d->axis != NULL)
        over_axis(p, d);
    in_rows(p, d);
    against_baseline(p, d, c);
    int status = report_responses(p, d, "latency", err);
    if (status == 0 && d->count == 1)
        status = report_responses(p, d, "batch", err);
    if (status == 0)
        status = report_moment(p, d, err);
    if (status == 0)
        status = over_time(p, d, err);
    page_raw(p, "</div>\n");
    return status;
}
